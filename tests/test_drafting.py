"""`bridgelaws new`: every file it begins is of the right shape, has a comment on each key, and is valid at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridgelaws.drafting import new_case, new_clause, new_edition, new_kind
from bridgelaws.errors import UsageError
from bridgelaws.files import write_whole
from bridgelaws.formatting import formatted
from bridgelaws.lawbook.law import load_law, read_law
from bridgelaws.table.case import Case


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    write_whole(*new_edition(tmp_path, "2027-draft", "2017"))
    return tmp_path


def test_a_new_edition_is_valid_and_rules_as_the_one_it_follows(draft: Path) -> None:
    law = load_law(draft)
    assert law.latest == "2027-draft"
    assert [each.number for each in law.edition().provisions] == [
        each.number for each in law.edition("2017").provisions
    ]


def test_an_edition_that_exists_or_follows_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is an edition '2017' already"):
        new_edition(tmp_path, "2017", "2007")
    with pytest.raises(UsageError, match="there is no edition '2018'"):
        new_edition(tmp_path, "2027-draft", "2018")


def test_a_known_clause_comes_as_it_stands(draft: Path) -> None:
    path, text = new_clause(draft, "50C")
    assert path == draft / "50-penalty-card" / "C-minor.yaml"
    write_whole(path, text)
    law = load_law(draft)
    before, after = (law.edition(name).provision("50C").version for name in ("2017", "2027-draft"))
    assert after.since == "2027-draft"
    assert [rule.written for rule in after.rules] == [rule.written for rule in before.rules]


def test_clauses_of_every_sort_can_be_taken_into_a_draft(draft: Path) -> None:
    for number in ("Definition of honour", "45C4(b)", "45D2", "47E1", "50E1", "52B2"):
        write_whole(*new_clause(draft, number))
    law, problems = read_law(draft)
    assert law is not None
    assert problems == []
    editions = [law.edition(name) for name in ("2017", "2027-draft")]
    rules = [
        {each.number: [rule.written for rule in each.version.rules] for each in law.provisions} for law in editions
    ]
    assert rules[0] == rules[1]


def test_an_unknown_number_becomes_a_new_clause_of_its_law(draft: Path) -> None:
    path, text = new_clause(draft, "46B6")
    assert path == draft / "46-designation" / "B6.yaml"
    write_whole(path, text)
    assert load_law(draft).edition().provision("46B6").version.no_rules == "Its rules are still to be written."


def test_a_law_that_is_not_there_gets_a_folder(draft: Path) -> None:
    assert new_clause(draft, "99")[0] == draft / "99-new-law" / "00.yaml"


def test_what_is_no_number_is_no_clause(draft: Path) -> None:
    with pytest.raises(UsageError, match="'fifty' is no clause number"):
        new_clause(draft, "fifty")


@pytest.mark.parametrize("source", ["report", "choice", "derived", "ruling"])
def test_a_new_kind_joins_the_vocabulary(draft: Path, source: str) -> None:
    write_whole(*new_kind(draft, "first_kind", source))
    write_whole(*new_kind(draft, "second_kind", source))
    law, problems = read_law(draft)
    assert law is not None
    assert law.vocabulary["first_kind"].source == law.vocabulary["second_kind"].source == source
    assert all("kind" in problem.message for problem in problems), problems


@pytest.mark.parametrize(
    ("name", "message"),
    [("penalty_card", "there is a kind 'penalty_card' already"), ("No Kind", "'No Kind' is no name")],
)
def test_a_kind_needs_a_name_of_its_own(draft: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        new_kind(draft, name, "report")


def test_a_new_case_can_be_ruled_on(tmp_path: Path) -> None:
    path, text = new_case(tmp_path / "case.yaml")
    write_whole(path, text)
    assert Case.from_file(path).title == "East drops the eight of diamonds"


def test_a_file_that_is_there_is_left_alone(draft: Path) -> None:
    write_whole(*new_clause(draft, "50C"))
    with pytest.raises(UsageError, match="is there already"):
        new_clause(draft, "50C")


def test_what_is_begun_is_laid_out_as_fmt_lays_it_out(draft: Path, tmp_path: Path) -> None:
    texts = [new_clause(draft, "50C")[1], new_clause(draft, "46B6")[1], new_case(tmp_path / "case.yaml")[1]]
    texts.append((draft / "editions.yaml").read_text(encoding="utf-8"))
    assert [formatted(text, "new") for text in texts] == texts
    assert all(text.count("#") >= 3 for text in texts)
