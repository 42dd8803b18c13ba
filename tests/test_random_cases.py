"""Random cases: every edition can rule on them, the same seed gives the same ones, and they are about something."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bridgelaws import Case, Lawbook, UsageError
from bridgelaws.batch.dice import Dice
from bridgelaws.batch.inventing import random_cases
from bridgelaws.cli import new_cases
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.play import ROTATION

ROOT = Path(__file__).parent.parent
MANY = 800


@pytest.fixture(scope="module")
def cases(law: Law) -> list[dict[str, Any]]:
    return list(random_cases(MANY, 11, law))


@pytest.fixture(scope="module")
def rulings(cases: list[dict[str, Any]], books: dict[str, Lawbook]) -> dict[str, list[Ruling]]:
    """Every case under every edition: none may raise."""
    read = [Case.from_data(case) for case in cases]
    return {edition: [book.rule(case) for case in read] for edition, book in books.items()}


def test_every_edition_rules_on_every_case(rulings: dict[str, list[Ruling]]) -> None:
    assert {edition: len(found) for edition, found in rulings.items()} == {"1997": MANY, "2007": MANY, "2017": MANY}


def test_the_rulings_are_about_something(cases: list[dict[str, Any]], rulings: dict[str, list[Ruling]]) -> None:
    found = rulings["2017"]
    assert sum(bool(each.findings) for each in found) > MANY * 0.5
    assert sum(bool(each.plays) for each in found) > MANY * 0.3
    assert sum(bool(each.questions) for each in found) > MANY * 0.1
    assert sum(bool(each.options) for each in found) > MANY * 0.005
    assert sum("choices" in case for case in cases) > MANY * 0.005
    assert sum("regulations" in case for case in cases) > MANY * 0.01
    stages = Counter(Case.from_data(case).table.stage for case in cases[:500])
    assert stages["play"] > stages["auction"] > 10 < stages["over"]


def test_every_report_that_people_make_of_themselves_is_drawn(cases: list[dict[str, Any]], law: Law) -> None:
    drawn = Counter(kind for case in cases for report in case["reports"] for kind in report)
    rules = [rule for edition in law.editions for rule in law.edition(edition).rules]
    asked = {given.kind for rule in rules for given in rule.rule.ask}
    reports = {kind.name for kind in law.vocabulary.of_source("report")}
    assert reports - asked <= set(drawn) <= reports
    assert min(drawn[kind] for kind in reports - asked) > 5


def test_everyone_follows_suit(cases: list[dict[str, Any]]) -> None:
    followed = 0
    for case in cases:
        deal = case.get("table", {}).get("deal")
        if not deal:
            continue
        hands = {seat: _cards(hand) for seat, hand in zip("NESW", deal[2:].split(), strict=True)}
        assert len(set().union(*hands.values())) == 52
        for trick in case["table"].get("tricks", ()):
            leader, _, cards = trick.partition(": ")
            for seat, card in zip(ROTATION[leader], cards.split(), strict=False):
                assert card in hands[seat]
                assert card[0] == cards[0] or not any(held[0] == cards[0] for held in hands[seat])
                hands[seat].remove(card)
                followed += 1
    assert followed > 1000


def _cards(hand: str) -> set[str]:
    return {f"{suit}{rank}" for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks}


def test_a_reported_card_is_one_of_the_player_who_is_named(cases: list[dict[str, Any]]) -> None:
    mine = checked = 0
    for case in cases:
        deal = case.get("table", {}).get("deal")
        for values in (each for report in case["reports"] for each in report.values()):
            if deal and {"player", "card"} <= values.keys():
                hands = dict(zip("NESW", map(_cards, deal[2:].split()), strict=True))
                checked += 1
                mine += values["card"] in hands[values["player"]]
    assert mine == checked > 100


def test_the_same_seed_gives_the_same_cases_in_another_process(cases: list[dict[str, Any]]) -> None:
    program = (
        "import sys; from bridgelaws.cli.new_cases import random_cases; "
        "sys.stdout.reconfigure(encoding='utf-8'); random_cases(40, 11)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"},
        check=True,
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == cases[:40]


def test_chance_falls_the_same_in_every_version_of_python() -> None:
    """These were drawn once, by hand: whoever changes how chance is drawn changes everybody's cases."""
    dice = Dice(5, 17)
    assert [dice.below(1000) for _ in range(5)] == EXPECTED
    assert "".join(dice.shuffled("abcdefgh")) == SHUFFLED
    assert [dice.weighted({"a": 1, "b": 9}) for _ in range(8)] == WEIGHTED


EXPECTED = [795, 325, 393, 749, 636]
SHUFFLED = "hcgeadbf"
WEIGHTED = ["b", "b", "b", "b", "b", "b", "b", "b"]


def test_another_seed_gives_other_cases_and_a_longer_run_begins_like_a_shorter_one(
    cases: list[dict[str, Any]], law: Law
) -> None:
    assert list(random_cases(5, 11, law)) == cases[:5]
    other = list(random_cases(5, 12, law))
    assert [each["table"] for each in other] != [each["table"] for each in cases[:5]]
    assert [each["reports"] for each in other] != [each["reports"] for each in cases[:5]]


def test_a_seed_below_zero_is_refused(law: Law) -> None:
    with pytest.raises(UsageError, match="there is no seed -1"):
        random_cases(1, -1, law)


def test_the_reports_of_a_draft_are_drawn_too(tmp_path: Path) -> None:
    vocabulary = """kinds:
  card_flashed:
    source: report
    means: A card was seen for a moment.
    fields: {player: seat, card: card, rank: rank, side: side}
    say: "{card} of {player} was seen for a moment"
"""
    (tmp_path / "vocabulary.yaml").write_text(vocabulary, encoding="utf-8")
    law = load_law(tmp_path)
    book = Lawbook.load(laws=tmp_path)
    drawn = [case for case in random_cases(300, 1, law) if any("card_flashed" in each for each in case["reports"])]
    assert drawn
    for case in drawn:
        book.rule(Case.from_data(case))


def test_the_command_writes_json_lines_for_a_batch(tmp_path: Path, cases: list[dict[str, Any]]) -> None:
    out = tmp_path / "cases.jsonl"
    new_cases.random_cases(10, 11, None, out)
    assert [json.loads(line) for line in out.read_bytes().splitlines()] == cases[:10]
    assert [each.name for each in tmp_path.iterdir()] == ["cases.jsonl"]
    with pytest.raises(UsageError, match="cannot be written"):
        new_cases.random_cases(1, 11, None, tmp_path / "missing" / "cases.jsonl")
