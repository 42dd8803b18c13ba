"""Every case under `tests/cases`, in every edition it names, on every engine."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
import yaml

from bridgelaws.book import Lawbook
from bridgelaws.casebook.running import Selection, read_cases, run_cases
from bridgelaws.lawbook.law import Law

HAS_DURABLE = sys.version_info < (3, 13) and importlib.util.find_spec("durable") is not None

CASES = Path(__file__).parent / "cases"
EDITIONS = ("1997", "2007", "2017")


def editions_named(path: Path) -> set[str]:
    expected = yaml.safe_load(path.read_text(encoding="utf-8")).get("expect") or {}
    blocks = expected if isinstance(expected, list) else [expected]
    return {str(name) for block in blocks for name in block.get("editions", EDITIONS)}


# Where both engines are there, the test that they agree rules on every case on either: a fifth is enough here.
EVERY = 5 if HAS_DURABLE else 1
RUNS = [
    pytest.param(path, edition, id=f"{path.parent.name}/{path.stem}-{edition}")
    for path in sorted(CASES.rglob("*.yaml"))[::EVERY]
    for edition in sorted(editions_named(path))
]


@pytest.mark.parametrize(("path", "edition"), RUNS)
def test_the_case_is_ruled_as_it_expects(path: Path, edition: str, law: Law, books: dict[str, Lawbook]) -> None:
    runs = list(run_cases(read_cases(path, law), [books], Selection(edition=edition)))
    assert runs
    assert [str(problem) for run in runs for problem in run.problems] == []


def test_there_are_cases_for_every_edition() -> None:
    assert {run.values[1] for run in RUNS} == set(EDITIONS)


DROPPED = """table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
"""


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("", "1:1: the case expects nothing; add expect:"),
        ("expect: []\n", "4:9: the case expects nothing; list findings, plays, …"),
        ("expect: all\n", "4:9: an expectation is a map; use the keys editions, findings, never, plays, options"),
        ("expect: {}\n", "4:9: nothing is expected here; list findings, never, plays, options or questions"),
        ("expect: {finding: []}\n", "4:10: there is no key 'finding' here; did you mean 'findings'?"),
        ("expect: {findings: {a: b}}\n", "4:20: findings are a list; put '- ' before each"),
        ("expect: {findings: [a]}\n", "4:21: each item names one kind; write for example - minor_penalty_card"),
        (
            "expect: {findings: [{lead_fre: {}, clause: 50B}]}\n",
            "4:22: there is no ruling 'lead_fre'; did you mean",
        ),
        ("expect: {findings: [{lead_free: W, clause: 50C}]}\n", "4:33: lead_free needs a map of its fields"),
        ("expect: {findings: [{lead_free: {}}]}\n", "4:21: the finding does not name its clause; add clause:"),
        ("expect: {findings: [{lead_free: {}, clause: 50Y}]}\n", "4:45: there is no clause '50Y'; did you mean"),
        ("expect: {never: [{lead_free: {playr: W}}]}\n", "4:31: lead_free has no field 'playr'; did you mean"),
        ("expect: {never: [{lead_free: {player: Q}}]}\n", "4:39: 'Q' is no seat; write for example N or North"),
        ("expect: {never: [{lead_choice: {}}]}\n", "4:19: there is no ruling 'lead_choice'"),
        (
            "expect: {options: [{lead_free: {}}]}\n",
            "4:21: there is no choice 'lead_free'; did you mean 'lead_choice'?",
        ),
        ("expect: {editions: '2017', never: []}\n", '4:20: editions are a list; write editions: ["2017"]'),
        ("expect: {editions: [2017], never: []}\n", "4:21: there is no edition '2017'; put it in quotes: \"2017\""),
        ("expect: {editions: [[a]], never: []}\n", "4:21: there is no edition '['a']'"),
        ("expect: {plays: [E]}\n", "4:17: plays are a map from seats; write plays: {E: {may: [D8]}}"),
        ("expect: {plays: {Q: }}\n", "4:21: 'Q' is no seat; write for example N or North"),
        (
            "expect: {plays: {E: D8}}\n",
            "4:21: the plays of a seat are a map; write {may: [D8], may_not: {D6: [50C]}}",
        ),
        ("expect: {plays: {E: {mai: [D8]}}}\n", "4:22: there is no key 'mai' here; use may and may_not"),
        (
            "expect: {plays: {E: {may_not: [D6]}}}\n",
            "4:31: may_not is a map from cards to clauses; write {may: [D8], may_not: {D6: [50C]}}",
        ),
        ("expect: {plays: {E: {may: D8}}}\n", "4:27: may is a list of cards; write {may: [D8], may_not: {D6: [50C]}}"),
        ("expect: {plays: {E: {may: [D1]}}}\n", "4:28: 'D1' is no card; write for example D8"),
        ("expect: {plays: {E: {may_not: {D8: 50Y}}}}\n", "4:36: there is no clause '50Y'; did you mean"),
        ("expect: {questions: manner}\n", "4:21: questions are a list of kind.field; write questions: [card_exp"),
        ("expect: {questions: [card_exposed.maner]}\n", "4:22: there is no question 'card_exposed.maner'; did you"),
        ("expect: {questions: [{a: b}]}\n", "4:22: there is no question '{'a': 'b'}'"),
    ],
)
def test_an_expectation_at_fault_is_told_at_its_line(law: Law, tmp_path: Path, expect: str, told: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(DROPPED + expect, encoding="utf-8")
    (read,) = read_cases(tmp_path, law)
    assert read.case is None
    assert any(str(problem).startswith(f"{path}:{told}") for problem in read.problems), read.problems
    assert [run.passed for run in run_cases([read], [], Selection())] == [False]
