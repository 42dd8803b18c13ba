"""Every case under `tests/cases`, in every edition it names, on every engine: as `bridgelaws test --engine both`."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bridgelaws.book import Lawbook
from bridgelaws.casebook.running import Selection, read_cases, run_cases
from bridgelaws.lawbook.law import Law

CASES = Path(__file__).parent / "cases"
EDITIONS = ("1997", "2007", "2017")


def editions_named(path: Path) -> set[str]:
    expected = yaml.safe_load(path.read_text(encoding="utf-8")).get("expect") or {}
    blocks = expected if isinstance(expected, list) else [expected]
    return {str(name) for block in blocks for name in block.get("editions", EDITIONS)}


RUNS = [
    pytest.param(path, edition, id=f"{path.parent.name}/{path.stem}-{edition}")
    for path in sorted(CASES.rglob("*.yaml"))
    for edition in sorted(editions_named(path))
]


@pytest.mark.parametrize(("path", "edition"), RUNS)
def test_the_case_is_ruled_as_it_expects(
    path: Path, edition: str, law: Law, all_books: list[dict[str, Lawbook]]
) -> None:
    runs = list(run_cases(read_cases(path, law), all_books, Selection(edition=edition)))
    assert runs
    assert [str(problem) for run in runs for problem in run.problems] == []


def test_there_are_cases_for_every_edition() -> None:
    assert {run.values[1] for run in RUNS} == set(EDITIONS)
