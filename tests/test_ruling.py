"""Rulings keep their contract: on every case under `tests/cases`, in every edition."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bridgelaws import Case, CaseError, Lawbook, Ruling
from bridgelaws.errors import UsageError
from bridgelaws.notation import SEAT_NAMES
from bridgelaws.ruling.making import make_ruling
from bridgelaws.ruling.ruling import Question, Reason
from bridgelaws.ruling.why import why_not
from bridgelaws.ruling.worlds import MAX_WORLDS, explore
from bridgelaws.table.case import case_facts
from bridgelaws.wire import json_bytes, ruling_bytes

ROOT = Path(__file__).parent.parent
CASES = sorted(path for path in (ROOT / "tests" / "cases").rglob("*") if path.suffix in (".yaml", ".json"))
# What holds of rulings in general is tried on a twelfth of the cases: tests/test_cases.py rules on all of them.
every_case = pytest.mark.parametrize("path", CASES[::12], ids=lambda path: f"{path.parent.name}/{path.stem}")


Ruled = tuple[Lawbook, Case, Ruling]
Rulings = Callable[[Path], list[Ruled]]


@pytest.fixture(scope="module")
def ruled(books: dict[str, Lawbook]) -> Rulings:
    """A case in every edition in which it can be: a choice may belong to one edition only."""

    @cache
    def rulings(path: Path) -> list[Ruled]:
        return list(in_every_edition(path, books))

    return rulings


def in_every_edition(path: Path, books: dict[str, Lawbook]) -> Iterator[Ruled]:
    case = Case.from_file(path)
    expected = case.document.data["expect"]
    blocks = expected if isinstance(expected, list) else [expected]
    named = {name for block in blocks for name in block.get("editions", books)}
    assert named
    for name, book in books.items():
        try:
            yield book, case, book.rule(case)
        except CaseError:
            assert name not in named, f"{path} expects something in {name}"


def one_of(rulings: list[Ruled], path: Path) -> Ruled:
    """For what would take too long in every edition: one of them, another one for the next case."""
    return rulings[CASES.index(path) % len(rulings)]


def changed(case: Case, **parts: Any) -> Case:
    return Case.from_data({**case.document.data, **parts})


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    text = (ROOT / "schemas" / "ruling.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


@every_case
def test_the_json_fits_its_schema(path: Path, ruled: Rulings, schema: Draft202012Validator) -> None:
    for book, _, ruling in ruled(path):
        shown = json.loads(json.dumps(ruling.to_json()))
        schema.validate(shown)
        assert shown["edition"] == book.edition
        assert set(shown["clauses"]) >= {finding["clause"] for finding in shown["findings"]}


@every_case
def test_the_text_is_ascii_where_symbols_cannot_be_shown(path: Path, ruled: Rulings) -> None:
    for _, _, ruling in ruled(path):
        plain = ruling.text(symbols=False)
        assert plain
        assert plain.isascii()
        assert plain.count("?") == ruling.text().count("?")


@every_case
def test_a_listed_player_may_play_some_of_his_cards_and_no_others(path: Path, ruled: Rulings) -> None:
    for _, case, ruling in ruled(path):
        for plays in ruling.plays:
            held = case.table.holdings[plays.player]
            cards = [*plays.may, *(each.card for each in plays.may_not), *plays.undecided]
            assert sorted(cards) == sorted(held.cards)
            # Of a hand known in part, the cards that he may play can be among the others.
            assert plays.may or plays.undecided or not plays.complete
            assert plays.complete == held.is_complete
            assert all(each.clauses for each in plays.may_not)


@every_case
def test_every_option_can_be_taken_and_then_is_open_no_longer(path: Path, ruled: Rulings) -> None:
    for book, case, ruling in ruled(path):
        for group in ruling.options:
            for option in group.options:
                given = json.loads(json.dumps(option.to_json()["choice"]))
                after = book.rule(changed(case, choices=[*(case.document.data.get("choices") or []), given]))
                assert subject(book, given) not in [
                    subject(book, other.to_json()["choice"]) for others in after.options for other in others.options
                ]


def subject(book: Lawbook, choice: dict[str, dict[str, Any]]) -> tuple[Any, ...]:
    """What a choice is about: those with the same subject are one group."""
    ((name, values),) = choice.items()
    return (name, *(values.get(label) for label in book.law.vocabulary[name].about))


@every_case
def test_an_answer_brings_what_was_said_to_follow_from_it_and_not_all_answers_the_same(
    path: Path, ruled: Rulings
) -> None:
    for book, case, ruling in ruled(path):
        for question in ruling.questions:
            rulings = []
            for answer in question.answers:
                try:
                    after = book.rule(answered(book, case, gap(question), answer.to_json()["report"]))
                except CaseError as wrong:
                    # The answer may show that a choice which the case already has was not open.
                    assert all("the law does not offer this choice" in each.message for each in wrong.diagnostics)
                    rulings.append(str(wrong))
                    continue
                assert gap(question) not in map(gap, after.questions)
                assert set(answer.findings) <= said(book, after)
                # The answer may settle other questions as well, and then more follows.
                assert len(ruling.questions) > 1 or said(book, after) - said(book, ruling) <= set(answer.findings)
                rulings.append(json.dumps(after.to_json()))
            assert len(set(rulings)) > 1 or not question.answers


@every_case
def test_what_is_not_asked_would_change_nothing(path: Path, ruled: Rulings) -> None:
    book, case, ruling = one_of(ruled(path), path)
    asked = [gap(question) for question in ruling.questions]
    facts = case_facts(case, book.law.vocabulary)
    for each in facts.open_fields:
        kind = book.law.vocabulary[facts.facts[each.fact].kind]
        about = kind.written(facts.facts[each.fact])
        field = kind.fields[each.field].type
        unasked = (kind.name, each.field, about)
        if unasked not in asked and len(field.domain) <= 14:
            for value in field.domain:
                report = {kind.name: {**about, each.field: field.written(value)}}
                assert announced(book.rule(answered(book, case, unasked, report))) == announced(ruling)


def announced(ruling: Ruling) -> list[Any]:
    return [
        [finding.text for finding in ruling.findings],
        [(plays.player, plays.may) for plays in ruling.plays],
        [option.text for group in ruling.options for option in group.options],
    ]


Gap = tuple[str, str, dict[str, Any]]


def gap(question: Question) -> Gap:
    return question.kind, question.field, dict(question.about)


def answered(book: Lawbook, case: Case, unsaid: Gap, report: dict[str, Any]) -> Case:
    """The case with the report in place of the one that left something unsaid, if there was one."""
    name, field, about = unsaid
    fields = book.law.vocabulary[name].fields
    reports = list(case.document.data.get("reports") or [])
    for place, each in enumerate(reports):
        if name in each and (each[name] or {}).get(field) is None:
            given = {label: fields[label].type for label, raw in (each[name] or {}).items() if raw is not None}
            if all(kind.written(kind.read(each[name][label])) == about.get(label) for label, kind in given.items()):
                reports[place] = report
                return changed(case, reports=reports)
    return changed(case, reports=[*reports, report])


def said(book: Lawbook, ruling: Ruling) -> set[str]:
    """Everything that the ruling announces, offers or forbids, as a question says what would follow."""
    forbids = book.law.vocabulary["may_not_play"]
    return {
        *(finding.text for finding in ruling.findings),
        *(f"{group.chooser} may choose: {option.text}" for group in ruling.options for option in group.options),
        *(
            forbids.said({"player": plays.player, "card": each.card})
            for plays in ruling.plays
            for each in plays.may_not
        ),
    }


@every_case
def test_the_reasons_end_in_what_was_given(path: Path, ruled: Rulings, schema: Draft202012Validator) -> None:
    book, case, plain = one_of(ruled(path), path)
    ruling = book.rule(case, why=True)
    assert replace(ruling, why=()) == plain
    assert ruling_bytes(plain) == json_bytes(plain.to_json())
    schema.validate({**ruling.to_json(), "why": [reason.to_json() for reason in ruling.why[:2]]})
    given = {
        (fact.kind, json.dumps(book.law.vocabulary[fact.kind].written(fact)))
        for fact in case_facts(case, book.law.vocabulary).facts
    }
    explained = {(reason.kind, json.dumps(dict(reason.fields))) for reason in ruling.why}
    assert explained >= {(finding.kind, json.dumps(dict(finding.fields))) for finding in ruling.findings}
    for reason in (each for top in ruling.why for each in tree(top)):
        if reason.clause:
            rules = book.law.provision(reason.clause).version.rules
            rule = next(each for each in rules if each.name == reason.rule)
            assert len(reason.because) == len(rule.when)
            assert len(reason.not_so) == len(rule.unless)
        elif (reason.kind, json.dumps(dict(reason.fields))) not in given:
            kind = book.law.vocabulary[reason.kind]
            open_fields = [name for name, each in kind.fields.items() if not each.may_be_left_open]
            not_asked_yet = kind.source == "report" and not set(open_fields) <= reason.fields.keys()
            assert not_asked_yet, f"nobody gave '{reason.text}'"


def test_a_report_that_nobody_gave_is_explained_by_the_rule_that_asks_for_it(books: dict[str, Lawbook]) -> None:
    case = Case.from_file(
        ROOT / "tests" / "cases" / "52-penalty-card-not-played" / "A-another-card-led-in-the-trick.yaml"
    )
    ruling = books["2017"].rule(case, why=True)
    shown = [reason for top in ruling.why for reason in tree(top) if reason.kind == "penalty_card_not_played"]
    assert shown and all(reason.clause == "52A" and reason.because for reason in shown)


def tree(reason: Reason) -> Iterator[Reason]:
    yield reason
    for each in reason.because:
        yield from tree(each)


@every_case
def test_why_not_agrees_with_what_fired(path: Path, ruled: Rulings) -> None:
    book, case, _ = one_of(ruled(path), path)
    _, worlds = make_ruling(book.law, book.engine, "compiled", case)
    conclusions = [world.conclusions for world in worlds.all[:8]]
    fired = [{each.rule for reasons in world.derivations.values() for each in reasons} for world in conclusions]
    for provision in book.law.provisions[CASES.index(path) % 24 :: 24]:
        rules = [number for number, each in enumerate(book.law.rules) if each.provision is provision]
        misses = why_not(book.law, conclusions, provision)
        assert [miss.rule for miss in misses] == [book.law.rules[rule].rule.name for rule in rules]
        for miss, rule in zip(misses, rules, strict=True):
            applied = [rule in world for world in fired]
            assert (miss.outcome == "applied") == all(applied)
            assert miss.outcome == "depends" or all(applied) or not any(applied)


@pytest.mark.durable
@pytest.mark.parametrize("path", CASES[::25], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_both_engines_give_the_same_reasons(path: Path, ruled: Rulings, durable_books: dict[str, Lawbook]) -> None:
    book, case, _ = one_of(ruled(path), path)
    shown = [each.rule(case, why=True).to_json() for each in (book, durable_books[book.edition])]
    assert {**shown[0], "engine": ""} == {**shown[1], "engine": ""}


DROPPED = """
table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
"""


def test_why_not_says_that_a_rule_does_apply(books: dict[str, Lawbook]) -> None:
    misses = {miss.rule: miss for miss in books["2017"].why_not(Case.from_text(DROPPED), "50B")}
    assert misses["minor"].outcome == "applied"
    assert misses["minor"].text == "this rule does apply here"
    assert misses["minor"].met == (
        "♦8 of East became a penalty card at trick 1",
        "♦8 of East was exposed unintentionally",
    )


def test_why_not_names_the_condition_that_failed_and_what_there_is_instead(books: dict[str, Lawbook]) -> None:
    misses = {miss.rule: miss for miss in books["2017"].why_not(Case.from_text(DROPPED), "50b")}
    failed = misses["major, deliberately played"]
    assert failed.outcome == "condition"
    assert failed.met == ("♦8 of East became a penalty card at trick 1",)
    assert failed.text.startswith(
        "this condition fails: ♦8 of East was exposed through deliberate play (exposed, rules/50-"
    )
    assert failed.text.endswith("; the case has: ♦8 of East was exposed unintentionally")
    nothing = misses["judged unintentional"]
    assert nothing.outcome == "condition"
    assert nothing.text.endswith("; the case has: ♦8 of East was dropped by accident")


def test_why_not_names_the_exception_that_held(books: dict[str, Lawbook]) -> None:
    honour = DROPPED.replace("D8", "DK")
    misses = {miss.rule: miss for miss in books["2017"].why_not(Case.from_text(honour), "50 B")}
    assert misses["minor"].outcome == "exception"
    assert misses["minor"].text == "an exception holds: K is an honour"
    assert misses["minor"].to_json()["outcome"] == "exception"


def test_why_not_says_that_it_depends_on_what_is_open(books: dict[str, Lawbook]) -> None:
    unsaid = DROPPED.replace(", manner: dropped", "")
    misses = {miss.rule: miss for miss in books["2017"].why_not(Case.from_text(unsaid), "50B")}
    assert misses["exposed unintentionally"].outcome == "depends"
    assert misses["exposed unintentionally"].text.startswith("this depends on what is still open: it applies with ")
    assert misses["major, an honour"].outcome == "condition"


def test_why_not_of_a_clause_that_does_not_exist_is_a_fault_of_the_call(books: dict[str, Lawbook]) -> None:
    with pytest.raises(UsageError, match="the 2017 edition has no clause '50Z'; did you mean '50"):
        books["2017"].why_not(Case.from_text(DROPPED), "50Z")


def test_the_order_of_reports_changes_nothing(books: dict[str, Lawbook]) -> None:
    reports = [{"card_exposed": {"player": "E", "card": card, "manner": "dropped"}} for card in ("D8", "C2", "H4")]
    reports += [{"card_exposed": {"player": "W", "card": "S9", "manner": "dropped"}}]
    table = {"contract": "3NT by S", "hands": {"E": "♦KT862 ♣2 ♥4", "W": "♠9 ♠2"}, "trick": 5, "on_lead": "W"}
    rulings = [
        books["2017"].rule(Case.from_data({"table": table, "reports": order})).to_json()
        for order in (reports, reports[::-1], [*reports[2:], *reports[:2]])
    ]
    assert len(rulings[0]["findings"]) > 4
    assert rulings[0] == rulings[1] == rulings[2]


@every_case
def test_findings_come_in_the_order_of_the_vocabulary(path: Path, ruled: Rulings) -> None:
    for book, _, ruling in ruled(path):
        kinds = list(book.law.vocabulary.kinds)
        places = [kinds.index(finding.kind) for finding in ruling.findings]
        assert places == sorted(places)


@pytest.mark.durable
def test_both_engines_tell_the_same_of_why_not(books: dict[str, Lawbook], durable_books: dict[str, Lawbook]) -> None:
    two = DROPPED + "  - card_exposed: {player: E, card: D6, manner: dropped}\n"
    for provision in books["2017"].law.provisions[::6]:
        told = [each["2017"].why_not(Case.from_text(two), provision.number) for each in (books, durable_books)]
        assert told[0] == told[1]


def test_an_answer_says_whether_one_more_question_decides(books: dict[str, Lawbook]) -> None:
    """To name a small card is major or minor as the Director judges; to drop it is minor, to lead it is major."""
    told = "table: {contract: 4S by S, hands: {E: ♦KT862}}\nreports: [{card_exposed: {player: E, card: D8}}]"
    (question,) = books["2017"].rule(Case.from_text(told)).questions
    outcomes = {answer.value: answer.outcome for answer in question.answers}
    judged = {value for value, outcome in outcomes.items() if outcome == "then one more question decides"}
    assert judged == {"named", "shown"}
    assert outcomes["dropped"].startswith("♦8 is a minor penalty card")
    assert outcomes["led_out_of_turn"].startswith("♦8 is a major penalty card")


def test_an_answer_that_tells_only_with_another_says_that_it_depends_on_the_others(books: dict[str, Lawbook]) -> None:
    case = "table: {contract: 3NT by N, trick: 9, on_lead: N}\nreports:\n  - revoke: {player: W, trick: 3, card: C2}\n"
    who_won, later = books["2017"].rule(Case.from_text(case)).questions
    assert {answer.value: answer.outcome for answer in who_won.answers} == {
        "offender": "it depends on the other answers",
        "partner": "tricks that go to North-South for the revoke of West at trick 3: 1",
        "opponents": "it depends on the other answers",
    }
    assert {answer.outcome for answer in later.answers} == {"it depends on the other answers"}


def test_questions_that_read_alike_name_the_trick(books: dict[str, Lawbook]) -> None:
    told = """
table: {contract: 4S by S, trick: 9}
reports:
  - revoke: {player: E, trick: 4, suit: H}
  - revoke: {player: E, trick: 6, suit: D}
"""
    asked = [(each.ask, each.concerning) for each in books["2017"].rule(Case.from_text(told)).questions]
    assert len(set(asked)) == len(asked)
    assert {concerning for _, concerning in asked} == {"East, trick 4", "East, trick 6"}


def test_a_question_with_too_many_answers_to_try_is_asked_without_them(books: dict[str, Lawbook]) -> None:
    case = Case.from_text("table: {contract: 4S by S}\nreports:\n  - card_exposed: {}\n  - card_exposed: {}\n")
    ruling = books["2017"].rule(case)
    wide = [question for question in ruling.questions if not question.answers]
    assert "card" in {question.field for question in wide}
    assert "Question: Which card was it?" in ruling.text()


def test_what_answers_open_counts_among_the_worlds_of_a_case(books: dict[str, Lawbook]) -> None:
    """Declarer revoked and then claimed, and hardly anything is said of either."""
    told = """
table: {contract: 4S by S, stage: over, trick: 11, tricks: ["W: HA H2 H3 S4"]}
reports:
  - revoke: {player: S, trick: 10}
  - claim_made: {player: S}
"""
    book = books["2017"]
    worlds = explore(book.engine, case_facts(Case.from_text(told), book.law.vocabulary), book.law.vocabulary)
    assert len(worlds.all) <= MAX_WORLDS
    assert any(world.unfinished for world in worlds.all)


def test_numbers_with_the_same_outcome_are_told_as_a_range(books: dict[str, Lawbook]) -> None:
    told = """
table: {contract: 4S by S, trick: 12, on_lead: S}
reports:
  - claim_made: {player: S, manner: says_wins, tricks: 2}
  - line_stated: {player: S, stated: true}
  - claim_answered: {player: S, answer: doubted}
"""
    lines = books["2017"].rule(Case.from_text(told)).text().splitlines()
    assert "  2 to 13: North-South are awarded 2 of the tricks left (2), and their" in lines
    assert [line for line in lines if line.startswith("  0: ")]


def test_a_line_to_be_judged_is_told_trick_by_trick(books: dict[str, Lawbook]) -> None:
    told = """
table:
  contract: 3NT by W
  trick: 11
  on_lead: E
  hands: {W: HA HQ H2, E: H5 H4 H3, N: HK CK CQ, S: C2 C3 C4}
  claim: W
reports:
  - claim_made: {player: W, manner: says_wins, tricks: 3}
  - line_stated: {player: W, stated: false}
  - claim_answered: {player: W, answer: doubted}
"""
    findings = books["2017"].rule(Case.from_text(told)).findings
    assert [each.fields["trick"] for each in findings if each.kind == "line_to_judge"] == [11, 12, 13]


def test_rulings_that_contradict_each_other_are_told_and_not_put_in_order(tmp_path: Path, engine_name: str) -> None:
    clause = tmp_path / "99-contradiction" / "A.yaml"
    clause.parent.mkdir()
    clause.write_text(
        """
title: A contradiction
versions:
  - since: "2017"
    number: 99A
    gist: A minor penalty card goes back to the hand, whatever the others say.
    rules:
      - name: it goes back
        when:
          - minor_penalty_card: {player: $player, card: $card}
        then:
          - returns_to_hand: {player: $player, card: $card}
""",
        encoding="utf-8",
    )
    ruling = Lawbook.load("2017", laws=tmp_path, engine=engine_name).rule(Case.from_text(DROPPED))
    assert {"minor_penalty_card", "returns_to_hand"} <= {finding.kind for finding in ruling.findings}
    (conflict,) = ruling.to_json()["conflicts"]
    assert conflict["clauses"] == ["99A", "50B"]
    assert conflict["text"].startswith(
        "the law contradicts itself: ♦8 is no longer a penalty card; East picks it up (99A),"
    )
    assert ruling.text().splitlines()[0].startswith("The law contradicts itself: ♦8")
    assert Lawbook.load("2007", laws=tmp_path).rule(Case.from_text(DROPPED)).conflicts == ()


def test_a_case_about_which_the_law_says_nothing_is_told_so(books: dict[str, Lawbook]) -> None:
    ruling = books["2017"].rule(Case.from_text("title: nothing happened\n"))
    assert ruling.findings == ()
    assert ruling.text() == "No law encoded here says anything about this case"


def test_advice_is_shown_apart_from_the_law(tmp_path: Path) -> None:
    clause = tmp_path / "99-advice" / "A.yaml"
    clause.parent.mkdir()
    clause.write_text(
        """
title: Advice
versions:
  - since: "2017"
    number: 99A
    gist: The leader's cards are told.
    advice: Stand where you can see the card.
    rules:
      - name: told
        when:
          - minor_penalty_card: {player: $player}
        then:
          - lead_free: {player: $player}
""",
        encoding="utf-8",
    )
    ruling = Lawbook.load("2017", laws=tmp_path).rule(Case.from_text(DROPPED))
    assert ruling.advice == (("99A", "Stand where you can see the card."),)
    assert " ".join(ruling.text().splitlines()[-1].split()) == "Advice: Stand where you can see the card. 99A"


def test_the_same_finding_for_several_players_is_one_line(books: dict[str, Lawbook]) -> None:
    lines = books["2017"].rule(Case.from_text(DROPPED)).text().splitlines()
    assert sum(line.startswith("Everyone may use anything that follows from ♦8") for line in lines) == 1
    assert not any(line.startswith(f"{name} may use") for line in lines for name in SEAT_NAMES.values())


def test_the_tricks_for_two_revokes_are_not_told_as_one_number(books: dict[str, Lawbook]) -> None:
    path = ROOT / "tests" / "cases" / "64-after-an-established-revoke" / "A2-both-defenders-on-one-trick.yaml"
    lines = books["2017"].rule(Case.from_file(path)).text().splitlines()
    for name in ("East", "West"):
        assert sum(f"for the revoke of {name} at trick 4: 1" in line for line in lines) == 1


def test_a_field_called_player_that_holds_no_seat_is_printed_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "99-roles").mkdir()
    (tmp_path / "vocabulary.yaml").write_text(
        """
kinds:
  told:
    source: ruling
    means: Who is told.
    fields:
      player: {type: one_of, values: {declarer: declarer, dummy: dummy}}
    say: "{player} is told"
""",
        encoding="utf-8",
    )
    (tmp_path / "99-roles" / "A.yaml").write_text(
        """
title: Roles
versions:
  - since: "2017"
    number: 99A
    gist: Declarer and dummy are told.
    rules:
      - name: told
        then:
          - told: {player: declarer}
          - told: {player: dummy}
""",
        encoding="utf-8",
    )
    lines = Lawbook.load("2017", laws=tmp_path).rule(Case.from_text("title: any\n")).text().splitlines()
    assert [line.split("  ")[0] for line in lines] == ["Declarer is told", "Dummy is told"]


def test_a_narrow_page_wraps_long_lines_and_keeps_the_clauses(books: dict[str, Lawbook]) -> None:
    text = books["2017"].rule(Case.from_text(DROPPED)).text(width=50)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert "50B, 50A" in text.splitlines()[0]
    assert text.splitlines()[1].startswith("  ")


def test_players_are_joined_only_where_the_words_fit_several(books: dict[str, Lawbook]) -> None:
    case = {
        "table": {
            "contract": "4S by S",
            "tricks": ["W: D2 - - D3", "S: CA C2"],
            "hands": {"N": "D54 H3", "E": "D76 H4"},
        },
        "reports": [{"card_exposed": {"player": "W", "card": "H8", "manner": "dropped"}}],
    }
    text = books["2017"].rule(Case.from_data(case)).text(width=200)
    assert "Everyone may use anything that follows from" in text
    assert re.search(r"^North at once faces", text, re.MULTILINE)
    assert re.search(r"^East at once faces", text, re.MULTILINE)
