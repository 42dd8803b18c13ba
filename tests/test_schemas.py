"""The JSON Schemas that editors use: current, and at one with the files of the law and the cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bridgelaws.contract import schema_files
from bridgelaws.errors import LawError
from bridgelaws.lawbook.law import Law
from bridgelaws.located import read_file, read_text

ROOT = Path(__file__).parent.parent
NAMES = ("audit", "batch", "case", "clause", "editions", "ruling", "vocabulary")
Schema = Callable[[str], Draft202012Validator]


@pytest.fixture(scope="module")
def schema() -> Schema:
    read = {
        name: Draft202012Validator(json.loads((ROOT / f"schemas/{name}.schema.json").read_text(encoding="utf-8")))
        for name in NAMES
    }
    return read.__getitem__


def departures(validator: Draft202012Validator, data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(data)]


def test_the_committed_schemas_are_those_that_the_vocabulary_gives(law: Law) -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "schemas").iterdir()}
    made = schema_files(law.vocabulary)
    assert sorted(committed) == sorted(made)
    assert [name for name in made if made[name] != committed[name]] == [], "run: bridgelaws schemas schemas"


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_a_schema(name: str, schema: Schema) -> None:
    Draft202012Validator.check_schema(schema(name).schema)


def files(pattern: str) -> list[Path]:
    return sorted(ROOT.glob(pattern))


@pytest.mark.parametrize("path", files("rules/*/*.yaml"), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_clause_fits(path: Path, schema: Schema) -> None:
    assert departures(schema("clause"), read_file(path, LawError).data) == []


@pytest.mark.parametrize(
    "path", files("tests/cases/*/*.yaml") + files("examples/*.yaml"), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_case_fits(path: Path, schema: Schema) -> None:
    assert departures(schema("case"), read_file(path, LawError).data) == []


@pytest.mark.parametrize("name", ["vocabulary", "editions"])
def test_the_vocabulary_and_the_editions_fit(name: str, schema: Schema) -> None:
    assert departures(schema(name), read_file(ROOT / f"rules/{name}.yaml", LawError).data) == []


CLAUSE = """
title: A clause
versions:
  - since: "2017"
    number: 50B
    gist: It says something.
    rules:
      - name: a rule
        when:
          - card_exposed: {player: $player, card: {is: $card, suit: D, rank: {below: T}}, manner: dropped}
        unless:
          - - holds: {player: $player, card: $card}
            - now: {trick: {at_least: 2}}
        then:
          - minor_penalty_card: {player: $player, card: $card}
            force: must
            because: because the {card} was dropped
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("card_exposed", "card_exposd"),
        ("manner: dropped", "maner: dropped"),
        ("manner: dropped", "manner: droped"),
        ("minor_penalty_card", "card_exposed"),
        ("minor_penalty_card", "minor_penalty_cards"),
        ("below: T", "beneath: T"),
        ("suit: D", "colour: D"),
        ("force: must", "force: ought"),
        ("at_least: 2", "at_least: two"),
        ("number: 50B", "number: B50"),
        ("gist: It says", "gits: It says"),
    ],
)
def test_a_misspelt_word_in_a_clause_does_not_fit(right: str, wrong: str, schema: Schema) -> None:
    assert departures(schema("clause"), read_text(CLAUSE, "clause", LawError).data) == []
    assert right in CLAUSE
    assert departures(schema("clause"), read_text(CLAUSE.replace(right, wrong), "clause", LawError).data) != []


CASE = """
table: {contract: 4S by S, hands: {E: ♦KT862}, trick: 8, on_lead: W}
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
choices:
  - lead_choice: {player: W, decision: require, suit: D}
expect:
  findings:
    - lead_required: {player: W, suit: D}
      clause: 50D2(a)
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("card_exposed", "card_exposd"),
        ("card_exposed", "lead_choice"),
        ("card_exposed", "minor_penalty_card"),
        ("manner: dropped", "manner: droped"),
        ("lead_choice", "card_exposed"),
        ("decision: require", "decision: requires"),
        ("lead_required", "lead_require"),
        ("contract:", "contrakt:"),
        ("trick: 8", "trick: 15"),
        ("reports:", "report:"),
        ("findings:", "finding:"),
    ],
)
def test_a_misspelt_word_in_a_case_does_not_fit(right: str, wrong: str, schema: Schema) -> None:
    assert departures(schema("case"), read_text(CASE, "case", LawError).data) == []
    assert right in CASE
    assert departures(schema("case"), read_text(CASE.replace(right, wrong), "case", LawError).data) != []
