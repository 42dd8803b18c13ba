"""Cases that are at fault: each is told at its line and column, and nothing but a `CaseError` ever comes of one."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bridgelaws import Case, CaseError, Lawbook, Ruling
from bridgelaws.notation import CARDS, SEATS

DROPPED = "reports:\n  - card_exposed: {player: E, card: D8, manner: dropped}\n"
WEST_ON_LEAD = "table: {contract: 4S by S, trick: 8, on_lead: W, hands: {E: ♦KT862 ♠9}}\n"

# What is told, and then the case.
FAULTS = {
    "a list for a case": ("1:1: a case is a map; begin with table: and reports:", "- table\n"),
    "text for a case": ("1:1: a case is a map; begin with table: and reports:", "table\n"),
    "a misspelt part": ("1:1: there is no key 'tables' in a case; did you mean 'table'?", "tables: {}\n"),
    "an unknown part of the table": (
        "2:3: a table has no 'contrakt'; did you mean 'contract'?",
        "table:\n  contrakt: 4S by S\n",
    ),
    "a number for the edition": ('1:10: edition is text; put it in quotes: "2017"', "edition: 2017\n"),
    "a map for the title": ("1:8: title is text", "title: {a: b}\n"),
    "a map of reports": ("1:10: reports are a list; put '- ' before each", "reports: {card_exposed: {player: E}}\n"),
    "a word for the choices": ("1:10: choices are a list; put '- ' before each", "choices: none\n"),
    "a list of regulations": ("1:14: regulations are a map", "regulations: [a]\n"),
    "a word for a report": (
        "2:5: each report names one kind; write for example - card_exposed: {…}",
        "reports:\n  - card_exposed\n",
    ),
    "a blank report": ("2:4: each report names one kind; write for example - card_exposed: {…}", "reports:\n  -\n"),
    "two reports in one item": (
        "2:5: each report names one kind; write for example - card_exposed: {…}",
        "reports:\n  - card_exposed: {player: E}\n    could_have_known: {player: E}\n",
    ),
    "a list for the fields of a report": (
        "2:19: card_exposed needs a map of its fields; write card_exposed: {field: value}",
        "reports:\n  - card_exposed: [E, D8]\n",
    ),
    "a list for a field": (
        "2:28: a seat is one word, not a list; write for example N or North",
        "reports:\n  - card_exposed: {player: [E], card: D8}\n",
    ),
    "a map for a field": (
        "3:13: a card is one word, not a map; write for example D8",
        "reports:\n  - card_exposed:\n      card: {D: 8}\n",
    ),
    "a card that does not exist in a hand": (
        "2:14: 'D1' is not a card; write the suit and the rank, as 'D8' or '♦8'",
        "table:\n  hands: {E: D1}\n",
    ),
    "a card that does not exist in a report": (
        "2:37: 'Z8' is no card; write for example D8",
        "reports:\n  - card_exposed: {player: E, card: Z8}\n",
    ),
    "a seat that does not exist": (
        "2:28: 'Q' is no seat; write for example N or North",
        "reports:\n  - card_exposed: {player: Q, card: D8}\n",
    ),
    "the same card in two hands": (
        "4:8: ♦8 is in West's hand and in East's; leave it in one of the two",
        "table:\n  hands:\n    E: ♦8\n    W: ♦T ♦8\n",
    ),
    "a card played twice": (
        "3:30: ♠4 is played twice, to trick 1 and to trick 2; correct one of the two",
        'table:\n  contract: 4S by S\n  tricks: ["W: S4 S2 SK SA", "S: S4"]\n',
    ),
    "an unknown report": (
        "2:5: there is no report 'card_exposd'; did you mean 'card_exposed'?",
        "reports:\n  - card_exposd: {player: E}\n",
    ),
    "a report of another name": (
        "2:5: there is no report 'objection'; did you mean 'partner_objected'?",
        "reports:\n  - objection: {player: E}\n",
    ),
    "a report that is a value of another": (
        "2:5: there is no report 'dropped'; write card_exposed: {manner: dropped}",
        "reports:\n  - dropped: {player: E}\n",
    ),
    "a report like none": (
        "2:5: there is no report 'xyzzy'; bridgelaws words lists them, and finds one by what happened",
        "reports:\n  - xyzzy: {player: E}\n",
    ),
    "a report that the program works out": (
        "2:5: claim is no report; the program works it out: derived kinds are not given; did you mean 'claim_made'?",
        "reports:\n  - claim: {player: E}\n",
    ),
    "an unknown field of a report": (
        "2:31: card_exposed has no field 'maner'; did you mean 'manner'?",
        "reports:\n  - card_exposed: {player: E, maner: dropped}\n",
    ),
    "an unknown value of a field": (
        "2:39: 'droped' is no value of this field; did you mean 'dropped'?",
        "reports:\n  - card_exposed: {player: E, manner: droped}\n",
    ),
    "a number out of reach": (
        "2:38: '100' is no number; write for example 3",
        "reports:\n  - card_exposed: {player: E, trick: 100}\n",
    ),
    "a number with thousands of digits": (
        f"2:38: '{'9' * 57}…' is no number; write for example 3",
        f"reports:\n  - card_exposed: {{player: E, trick: {'9' * 5000}}}\n",
    ),
    "a choice among the reports": (
        "2:5: lead_choice is no report; put it under choices",
        "reports:\n  - lead_choice: {player: W, decision: neither}\n",
    ),
    "a report among the choices": (
        "2:5: card_exposed is no choice; put it under reports",
        "choices:\n  - card_exposed: {player: E, card: D8}\n",
    ),
    "a ruling given as a report": (
        "2:5: minor_penalty_card is no report; the program works it out: ruling kinds are not given",
        "reports:\n  - minor_penalty_card: {player: E, card: D8}\n",
    ),
    "a table kind given as a report": (
        "2:5: on_lead is no report; the program works it out: table kinds are not given",
        "reports:\n  - on_lead: {player: E}\n",
    ),
    "a stepping stone given as a choice": (
        "2:5: penalty_card is no choice; the program works it out: derived kinds are not given",
        "choices:\n  - penalty_card: {player: E}\n",
    ),
    "a choice that the law does not offer now": (
        "3:5: the law does not offer this choice now: forbid West to lead a heart for as long as he keeps the lead",
        WEST_ON_LEAD + "choices:\n  - lead_choice: {player: W, decision: forbid, suit: H}\n",
    ),
    "a choice of the wrong suit": (
        "5:5: the law does not offer this choice now: require West to lead a heart; open now: forbid West to lead a",
        WEST_ON_LEAD
        + DROPPED.replace("dropped", "withdrawn")
        + "choices:\n  - lead_choice: {player: W, decision: require, suit: H}\n",
    ),
    "a choice that does not say what was chosen": (
        "2:5: the choice does not say its decision; add decision:",
        "choices:\n  - lead_choice: {player: W, trick: 1}\n",
    ),
    "an unknown regulation": (
        "1:15: there is no regulation 'mobile_phones'",
        "regulations: {mobile_phones: banned}\n",
    ),
}


def told(text: str, book: Lawbook) -> list[str]:
    with pytest.raises(CaseError) as caught:
        book.rule(Case.from_text(text, "case.yaml"))
    return [str(problem) for problem in caught.value.diagnostics]


@pytest.mark.parametrize(("message", "text"), FAULTS.values(), ids=FAULTS)
def test_a_case_at_fault_is_told_where(message: str, text: str, books: dict[str, Lawbook]) -> None:
    (problem,) = told(text, books["2017"])
    assert problem.startswith(f"case.yaml:{message}")


def test_every_fault_of_a_case_is_told_at_once_in_file_order(books: dict[str, Lawbook]) -> None:
    text = "reports:\n  - card_exposd: {}\n  - card_exposed: {player: Q, card: D1}\nchoices:\n  - lead: {}\n"
    assert [problem.split(": ")[0] for problem in told(text, books["2017"])] == [
        "case.yaml:2:5",
        "case.yaml:3:28",
        "case.yaml:3:37",
        "case.yaml:5:5",
    ]


def test_a_choice_that_leaves_out_its_fields_says_each(books: dict[str, Lawbook]) -> None:
    problems = told("choices:\n  - lead_choice:\n", books["2017"])
    assert [problem.split(": ", 1)[1] for problem in problems] == [
        "the choice does not say its player; add player:",
        "the choice does not say its trick; add trick:",
        "the choice does not say its decision; add decision:",
    ]


def test_an_edition_that_does_not_exist_is_the_fault_of_the_case_that_names_it() -> None:
    case = Case.from_text('title: A case\nedition: "2071"\n', "case.yaml")
    with pytest.raises(CaseError) as caught:
        Lawbook.for_case(case)
    assert str(caught.value) == "case.yaml:2:10: there is no edition '2071'; did you mean '2017'?"
    assert Lawbook.for_case(case, "1997").edition == "1997"


def test_a_case_names_its_edition_or_has_the_latest() -> None:
    assert Lawbook.for_case(Case.from_text('edition: "2007"\n')).edition == "2007"
    assert Lawbook.for_case(Case.from_text("title: any\n")).edition == Lawbook.load().edition


class Odd:
    """Something JSON has no word for."""


@pytest.mark.parametrize(
    "data",
    [{"title": Odd()}, {"title": float("nan")}, {"title": {1, 2}}, {"title": b"x"}, {(1, 2): "x"}, {"title": "\ud800"}],
    ids=["object", "not a number", "set", "bytes", "tuple key", "half a character"],
)
def test_values_that_json_has_no_word_for_are_a_fault_of_the_case(data: dict[str, Any]) -> None:
    with pytest.raises(CaseError):
        Case.from_data(data)


def test_a_case_that_holds_itself_is_refused() -> None:
    data: dict[str, Any] = {}
    data["table"] = data
    with pytest.raises(CaseError, match="JSON has no word for"):
        Case.from_data(data)


def test_a_case_in_plain_values_says_where_it_is_wrong_by_path(books: dict[str, Lawbook]) -> None:
    with pytest.raises(CaseError) as caught:
        books["2017"].rule(Case.from_data({"reports": [{"card_exposed": {"player": "Q"}}]}))
    (problem,) = caught.value.diagnostics
    assert problem.path == "reports[0].card_exposed.player"


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 120)
    | st.sampled_from([*SEATS, *CARDS[:8], "dropped", "shown", "require", "neither", "D", "declarer", "4S by S", "now"])
    | st.text(max_size=6)
)
KEYS = st.sampled_from(
    [
        *("table", "reports", "choices", "regulations", "title", "edition", "contract", "declarer", "hands", "tricks"),
        *("trick", "on_lead", "stage", "deal", "card_exposed", "exposure_judged", "lead_choice", "player", "card"),
        *(
            "manner",
            "decision",
            "suit",
            "unintentional",
            "leader",
            "cards",
            "penalty_card_designated",
            "could_have_known",
        ),
        *SEATS,
    ]
) | st.text(string.ascii_letters, max_size=4)
NESTED = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))

# Near enough to a case that many are ruled on.
SEAT, CARD = st.sampled_from(SEATS), st.sampled_from(CARDS)
MAYBE = {"max_size": 2}
HAND = st.lists(CARD, max_size=5, unique=True).map(" ".join)
NEAR_CASE = st.fixed_dictionaries(
    {},
    optional={
        "table": st.fixed_dictionaries(
            {},
            optional={
                "contract": st.sampled_from(["4S by S", "3NT by W", "1H", "4SX by N", 7]),
                "hands": st.dictionaries(SEAT, HAND, **MAYBE) | NESTED,
                "trick": st.integers(0, 14),
                "on_lead": SEAT,
                "stage": st.sampled_from(["auction", "play", "over", "later"]),
                "tricks": st.lists(st.lists(CARD, max_size=4).map(lambda cards: f"W: {' '.join(cards)}"), **MAYBE),
            },
        )
        | NESTED,
        "reports": st.lists(
            st.dictionaries(
                st.sampled_from(["card_exposed", "exposure_judged", "could_have_known", "helped_by_exposed_card"]),
                st.fixed_dictionaries(
                    {},
                    optional={
                        "player": SEAT | SCALARS,
                        "card": CARD | SCALARS,
                        "manner": st.sampled_from(["dropped", "named", "withdrawn", None]),
                        "trick": st.integers(0, 13),
                        "unintentional": st.booleans(),
                    },
                ),
                min_size=1,
                max_size=1,
            ),
            max_size=3,
        )
        | NESTED,
        "choices": st.lists(
            st.fixed_dictionaries(
                {
                    "lead_choice": st.fixed_dictionaries(
                        {"player": SEAT, "decision": st.sampled_from(["require", "forbid", "neither", "maybe"])},
                        optional={"suit": st.sampled_from("CDHS"), "trick": st.integers(0, 13)},
                    )
                }
            ),
            max_size=1,
        )
        | NESTED,
        "regulations": NESTED,
        "title": SCALARS,
    },
)

# What a Director might well type, with something left out.
LIKELY_CASE = st.fixed_dictionaries(
    {
        "table": st.fixed_dictionaries(
            {"contract": st.sampled_from(["4S by S", "3NT by N"])},
            optional={
                "hands": st.fixed_dictionaries({"E": st.sampled_from(["♦KT862", "♦8 ♣A4", "♠T ♦T8 ♥2"])}),
                "trick": st.integers(1, 13),
                "on_lead": st.sampled_from("EW"),
                "stage": st.sampled_from(["play", "over"]),
            },
        ),
        "reports": st.lists(
            st.fixed_dictionaries(
                {
                    "card_exposed": st.fixed_dictionaries(
                        {"player": st.just("E"), "card": st.sampled_from(["D8", "DT", "D2"])},
                        optional={
                            "manner": st.sampled_from(["dropped", "named", "withdrawn"]),
                            "trick": st.integers(1, 3),
                        },
                    )
                }
            ),
            min_size=1,
            max_size=2,
        ),
    },
    optional={
        "choices": st.lists(
            st.fixed_dictionaries(
                {
                    "lead_choice": st.fixed_dictionaries(
                        {"player": st.just("W"), "decision": st.sampled_from(["require", "neither"])},
                        optional={"suit": st.just("D"), "trick": st.integers(1, 3)},
                    )
                }
            ),
            max_size=1,
        )
    },
)


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(NESTED | NEAR_CASE | LIKELY_CASE)
@example({"reports": [{"card_exposed": {"player": "E", "card": "D8"}}, {"card_exposed": {}}]})
@example({"table": {"tricks": [{"W": {"a": []}}], "hands": [None], "deal": 5}})
@example(None)
def test_whatever_is_typed_gives_a_ruling_or_a_case_error(data: Any) -> None:
    try:
        ruling = BOOK.rule(Case.from_data(data), why=True)
    except CaseError as wrong:
        assert wrong.diagnostics
        assert all(problem.message for problem in wrong.diagnostics)
    else:
        assert isinstance(ruling, Ruling)
        assert ruling.text()


BOOK = Lawbook.load("2017")
