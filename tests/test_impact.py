"""`bridgelaws impact`: which rulings a draft changes, and which of its changes no case notices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bridgelaws.casebook.running import ReadCase, read_cases
from bridgelaws.cli.app import app
from bridgelaws.compare.impact import edition_pairs, measure_impact
from bridgelaws.drafting import new_clause, new_edition
from bridgelaws.files import write_whole
from bridgelaws.lawbook.law import load_law

CASES = Path(__file__).parent / "cases" / "50-penalty-card"


@pytest.fixture(scope="module")
def cases() -> list[ReadCase]:
    named = ("B-the-ten-is-an-honour.yaml", "B-the-nine-is-not.yaml", "B-led-out-of-turn.yaml")
    return [each for name in named for each in read_cases(CASES / name, load_law())]


@pytest.fixture
def ten_is_small(tmp_path: Path) -> Path:
    write_whole(*new_edition(tmp_path, "2027-draft", "2017"))
    path = tmp_path / "00-definitions" / "honour.yaml"
    shipped = load_law().edition("2017").provision("Definition of honour")
    ranks = "".join(f"          - honour: {{rank: {rank}}}\n" for rank in "AKQJ")
    write_whole(
        path,
        f"title: {shipped.clause.title}\nversions:\n  - since: 2027-draft\n    number: {shipped.number}\n"
        f"    gist: Four honours.\n    rules:\n      - name: the honours\n        then:\n{ranks}",
    )
    return tmp_path


def test_only_the_ruling_on_the_ten_changes(ten_is_small: Path, cases: list[ReadCase]) -> None:
    impact = measure_impact(load_law(), load_law(ten_is_small), cases)
    (changed,) = impact.changed
    assert changed.title == "The ten counts as an honour, so dropped it is major"
    assert changed.pair == "2017 → 2027-draft"
    assert any(line.startswith("♦T is a major penalty card") for line in changed.before)
    assert any(line.startswith("♦T is a minor penalty card") for line in changed.after)
    assert changed.clauses == ("Definition of honour",)
    assert impact.unnoticed == ()


def test_a_change_that_no_case_notices_is_told_with_the_nearest_case(tmp_path: Path, cases: list[ReadCase]) -> None:
    write_whole(*new_edition(tmp_path, "2027-draft", "2017"))
    path, text = new_clause(tmp_path, "50E4")
    write_whole(path, text.replace("damaged: true", "damaged: false"))
    impact = measure_impact(load_law(), load_law(tmp_path), cases)
    assert impact.changed == ()
    (unnoticed,) = impact.unnoticed
    assert unnoticed.number == "50E4"
    assert all(near in {case.path for case in cases} for near in unnoticed.nearest)


def test_a_draft_that_changes_nothing_has_no_impact(tmp_path: Path) -> None:
    write_whole(*new_edition(tmp_path, "2027-draft", "2017"))
    assert edition_pairs(load_law(), load_law(tmp_path)) == []


def test_a_clause_repealed_by_the_draft_counts_as_changed(tmp_path: Path) -> None:
    write_whole(*new_edition(tmp_path, "2027-draft", "2017"))
    path, _ = new_clause(tmp_path, "50E3")
    clause = 'title: Gone\nversions:\n  - since: 2027-draft\n    number: "50E3"\n    repealed: true\n'
    write_whole(path, clause)
    (pair,) = edition_pairs(load_law(), load_law(tmp_path))
    assert [each.number for each in pair.changed()] == ["50E3"]


def test_the_command_shows_before_and_after_side_by_side(ten_is_small: Path) -> None:
    case = str(CASES / "B-the-ten-is-an-honour.yaml")
    done = CliRunner().invoke(app, ["impact", "--laws", str(ten_is_small), case])
    assert done.exit_code == 0
    assert "Definition of honour: 1 ruling changed" in done.output
    assert "before" in done.output and "│ after" in done.output
    assert "1 ruling changed, in 1 case" in done.output
    told = CliRunner().invoke(app, ["impact", "--laws", str(ten_is_small), "--format", "json", case])
    assert [each["edition"] for each in json.loads(told.output)["changed"]] == ["2017 → 2027-draft"]
