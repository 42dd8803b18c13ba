"""A failing case is told as expected against got, with the reason for the difference."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridgelaws.casebook import running
from bridgelaws.cli import main

Fail = Callable[..., list[str]]
DROPPED = """
title: A card is dropped
table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: %s, manner: dropped}
expect:
  editions: ["2017"]
"""


@pytest.fixture
def fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fail:
    """Run a case that must fail; what is printed between its title and the count."""

    def run(text: str, *options: str) -> list[str]:
        path = tmp_path / "case.yaml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv("COLUMNS", "110")
        monkeypatch.setattr(sys, "argv", ["bridgelaws", "test", str(path), *options])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 1
        out = capsys.readouterr().out.replace(f"  {path}:", "")
        return out.splitlines()[1:-1] if "--format" not in options else [out]

    return run


def test_what_did_not_come_is_told_with_the_exception_that_kept_it_away(fail: Fail) -> None:
    case = DROPPED % "DT" + "  findings:\n    - minor_penalty_card: {player: E, card: DT}\n      clause: 50B\n"
    assert fail(case) == [
        "9:7",
        "    expected minor_penalty_card {player: E, card: DT} from 50B",
        "    got      nothing of that kind",
        "    because  50B 'announce a minor penalty card' does not apply: not so: ♦T of East is classed minor",
        "               50B 'minor' does not apply: T is an honour",
        "                 T is an honour: Definition of honour 'the five honours'",
    ]


def test_what_did_not_come_is_told_with_the_condition_that_failed_and_what_was_reported_instead(fail: Fail) -> None:
    case = DROPPED % "D8" + "  findings:\n    - major_penalty_card: {player: E, card: D8}\n      clause: 50B\n"
    told = fail(case.replace("dropped}", "withdrawn}").replace("major", "minor"))
    assert told[3:5] == [
        "    because  50B 'announce a minor penalty card' does not apply: not so: ♦8 of East is classed minor",
        "               50B 'minor' does not apply: not so: ♦8 of East was exposed unintentionally",
    ]
    rest = " ".join(" ".join(told[5:]).split())
    assert rest.startswith("50B 'exposed unintentionally' does not apply: not so: ♦8 of East was … (manner: dropped by")
    assert rest.endswith("; the case has: ♦8 of East was played and taken back to put another irregularity right")


def test_what_came_and_must_not_is_told_with_what_it_rests_on(fail: Fail) -> None:
    assert fail(DROPPED % "D8" + "  never:\n    - minor_penalty_card: {}\n") == [
        "9:7",
        "    expected never minor_penalty_card {}",
        "    got      ♦8 is a minor penalty card; it stays faced in front of East (50B)",
        "    because  ♦8 is a minor penalty card; it stays faced in front of East: 50B 'announce a minor penalty card'",
        "               ♦8 of East is classed minor: 50B 'minor'",
        "                 ♦8 of East became a penalty card at trick 1: 49 'a defender's exposed card'",
        "                   ♦8 of East was dropped by accident",
        "                 ♦8 of East was exposed unintentionally: 50B 'exposed unintentionally'",
        "               ♦8 of East still lies there as a penalty card: 50A 'still there'",
    ]


def test_a_clause_that_says_nothing_of_the_sort_is_told_beside_the_one_that_does(fail: Fail) -> None:
    told = fail(DROPPED % "D8" + "  findings:\n    - minor_penalty_card: {player: E}\n      clause: 50C\n")
    assert told[2] == "    got      it from 49, 50, 50A, 50B"
    assert "             no rule of 50C gives minor_penalty_card; it is given by 50B" in told
    told = fail(DROPPED.replace("2017", "1997") % "D8" + "  findings:\n    - lead_free: {}\n      clause: 50E3\n")
    assert told[-1] == "             the 1997 edition has no 50E3"


def test_only_the_rules_of_the_clause_that_was_expected_are_looked_at(fail: Fail) -> None:
    for clause, rule in (("44A", "the leader is free"), ("50C", "the partner leads what he likes")):
        told = fail(DROPPED % "DT" + f"  findings:\n    - lead_free: {{player: W}}\n      clause: {clause}\n")
        assert told[3].startswith(f"    because  {clause} '{rule}' does not apply: ")


def test_a_card_that_may_or_may_not_be_played_is_told_with_the_rule_about_it(fail: Fail) -> None:
    told = fail(DROPPED % "D8" + "  plays:\n    E: {may_not: {DT: 50C, D6: 50C}}\n")
    assert told[:4] == [
        "9:8",
        "    expected E may not play D6 DT",
        "    got      D2 D6",
        "    because  East may not play ♦2: 50C 'no other small card of the suit first'",
    ]
    assert told[-2:] == [
        "             50C 'no other small card of the suit first' does not apply: T is an honour",
        "               T is an honour: Definition of honour 'the five honours'",
    ]


def test_what_was_explained_is_not_explained_again(fail: Fail) -> None:
    told = fail(DROPPED % "D8" + "  plays:\n    E: {may: [D2, D8, DK, DT], may_not: {D6: 50C}}\n")
    assert [line for line in told if "because" in line] == [
        "    because  East may not play ♦2: 50C 'no other small card of the suit first'",
        "    because  of the same, as above",
    ]


def test_options_are_told_with_the_rule_that_offers_them_or_does_not(fail: Fail) -> None:
    chosen = (
        "table: {contract: 4S by S, trick: 8, on_lead: W, hands: {E: ♦KT862 ♠9}}\n"
        "reports:\n  - card_exposed: {player: E, card: D8, manner: withdrawn}\n"
        'expect:\n  editions: ["2017"]\n'
    )
    told = fail(chosen + "  options:\n    - lead_choice: {decision: require}\n")
    assert "    expected no such option" in told
    assert any("'the options'" in line or "50D2" in line for line in told if "because" in line)
    told = fail(DROPPED % "D8" + "  options:\n    - lead_choice: {decision: require}\n")
    assert told[3].startswith("    because  50D2(a) 'the options' does not apply: not so: ")
    taken = chosen.replace("expect:", "choices:\n  - lead_choice: {player: W, trick: 8, decision: neither}\nexpect:")
    told = fail(taken + "  options:\n    - lead_choice: {decision: require}\n")
    assert told[-1].endswith("does apply, but the choice was made already"), told


def test_a_question_is_told_with_what_turns_on_it_or_why_nothing_does(fail: Fail) -> None:
    open_manner = (DROPPED % "D8").replace(", manner: dropped", "")
    told = fail(open_manner + "  questions: []\n")
    assert told[:4] == [
        "7:3",
        "    expected no question to be asked",
        "    got      card_exposed.manner",
        "    because  How did the card come to be exposed?",
    ]
    assert any(line.startswith("               dropped by accident: ♦8 is a minor penalty card") for line in told)
    assert fail(open_manner.replace("D8", "DT") + "  questions: [card_exposed.manner]\n")[3] == (
        "    because  card_exposed.manner: the ruling is the same whatever the answer"
    )
    assert fail(DROPPED % "D8" + "  questions: [card_exposed.manner]\n")[3] == (
        "    because  card_exposed.manner: the case says already: ♦8 of East was dropped by accident"
    )
    assert fail(DROPPED % "D8" + "  questions: [designation.form]\n")[3] == (
        "    because  designation.form: the case has no designation, and no rule asks for one"
    )
    judged = fail(DROPPED % "D8" + "  questions: [exposure_judged.unintentional]\n")[3]
    assert judged.startswith("    because  50B 'a small card named or shown' does not apply: ")


def test_what_depends_on_a_question_is_told_with_the_question(fail: Fail) -> None:
    case = (DROPPED % "D8").replace(", manner: dropped", "")
    told = fail(case + "  findings:\n    - minor_penalty_card: {card: D8}\n      clause: 50B\n")
    assert told[3] == "    because  it depends on what is still open: How did the card come to be exposed?"


def test_plays_that_are_not_listed_are_told_with_the_reason(fail: Fail) -> None:
    told = fail(DROPPED % "D8" + "  plays:\n    W: {may: [D3]}\n")
    assert told[3].endswith("does apply, but no card of the hand is known")
    told = fail(DROPPED % "D8" + "  plays:\n    E:\n")
    assert told[:3] == ["9:7", "    expected the plays of E not listed", "    got      they are listed"]
    assert "'the owner's cards are listed'" in told[3]


def test_programs_get_the_reasons_too(fail: Fail) -> None:
    case = DROPPED % "DT" + "  findings:\n    - minor_penalty_card: {player: E, card: DT}\n      clause: 50B\n"
    shown: dict[str, Any] = json.loads(fail(case, "--format", "json")[0])
    (problem,) = shown["runs"][0]["problems"]
    assert problem["message"] == (
        "expected minor_penalty_card {player: E, card: DT} from 50B, got nothing of that kind"
    )
    assert (problem["expected"], problem["got"]) == (
        "minor_penalty_card {player: E, card: DT} from 50B",
        "nothing of that kind",
    )
    assert problem["because"][1] == "  50B 'minor' does not apply: T is an honour"


def test_a_law_that_contradicts_itself_is_told_with_both_reasons(fail: Fail, tmp_path: Path) -> None:
    clause = tmp_path / "draft" / "99-new" / "A.yaml"
    clause.parent.mkdir(parents=True)
    clause.write_text(
        'title: A\nversions:\n  - since: "2017"\n    number: 99A\n    gist: Both.\n    rules:\n      - name: both\n'
        "        when: [{minor_penalty_card: {player: $player, card: $card}}]\n"
        "        then: [{major_penalty_card: {player: $player, card: $card}}]\n",
        encoding="utf-8",
    )
    told = fail(DROPPED % "D8" + "  questions: []\n", "--laws", str(tmp_path / "draft"))
    assert told[1] == "    expected no contradiction"
    assert any("99A 'both'" in line for line in told[3:])
    assert any("50B 'announce a minor penalty card'" in line for line in told[3:])


def test_only_a_case_that_fails_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a case that passed was explained")

    monkeypatch.setattr(running, "Explainer", never)
    cases = str(Path(__file__).parent / "cases" / "50-penalty-card")
    monkeypatch.setattr(sys, "argv", ["bridgelaws", "test", cases, "-k", "the-ten"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert " 0 failed " in capsys.readouterr().out
