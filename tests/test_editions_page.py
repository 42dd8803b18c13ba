"""docs/editions.md is made from the clause files and tells every change between editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridgelaws.compare.history import editions_page
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.law import Law, load_law

PAGE = Path(__file__).parent.parent / "docs" / "editions.md"


@pytest.fixture(scope="module")
def law() -> Law:
    return load_law()


def test_the_committed_page_is_what_the_clause_files_say(law: Law) -> None:
    assert PAGE.read_text(encoding="utf-8") == editions_page(law), "run: bridgelaws editions --out docs/editions.md"


def test_a_clause_new_in_2017_is_told_as_new(law: Law) -> None:
    page = editions_page(law)
    told = page[page.index("### 51B2(c)") :]
    assert told.splitlines()[2] == "- before 2017: no such clause"


def test_a_renumbered_clause_shows_its_numbers(law: Law) -> None:
    page = editions_page(law)
    told = page[page.index("### 16C2") :].split("###")[1]
    assert "**1997** as 16C2" in told
    assert "**2007** as 16D2 (the same" in told
    assert "**2017** as 16C2:" in told


def test_every_clause_stands_on_the_page(law: Law) -> None:
    page = editions_page(law)
    missing = [clause.id for clause in law.clauses if clause.versions[-1].number not in page]
    assert missing == []


@pytest.mark.parametrize(
    ("folder", "title"),
    [("50-penalty-card", "Law 50: penalty card"), ("00-definitions", "Definitions"), ("odd-folder", "Odd folder")],
)
def test_a_law_is_named_by_its_folder(folder: str, title: str) -> None:
    assert law_title(folder) == title
