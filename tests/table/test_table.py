"""A whole table: what is known of it, at which stage it is, and which hands are known completely."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgelaws.errors import CaseError
from bridgelaws.located import Document, read_text
from bridgelaws.notation import CARDS, SEATS
from bridgelaws.table.facts import TABLE_KINDS, table_facts
from bridgelaws.table.holdings import Holding
from bridgelaws.table.table import TABLE_KEYS, Table, read_table

RANKS = "23456789TJQKA"
ALL_TRICKS = [f"N: S{rank} H{rank} D{rank} C{rank}" for rank in RANKS]
NORTH = "AKQ2.432.432.432"


def table(**parts: object) -> Table:
    return read_table(Document("case.yaml", {"table": parts}), ("table",))


def complaints(**parts: object) -> list[str]:
    with pytest.raises(CaseError) as caught:
        table(**parts)
    return [problem.message for problem in caught.value.diagnostics]


@pytest.mark.parametrize("data", [{}, {"table": None}, {"table": {}}, {"other": 1}, [], None, "table", 5])
def test_a_missing_table_is_an_empty_one(data: object) -> None:
    read = read_table(Document("case.yaml", data), ("table",))
    assert read == Table()
    assert (read.stage, read.contract, read.tricks, read.leader) == ("auction", None, (), None)
    assert read.holdings == dict.fromkeys(SEATS, Holding())


def test_a_table_may_stand_anywhere_in_the_document() -> None:
    document = read_text("cases:\n  - setup: {declarer: Q}\n", "many.yaml", CaseError)
    with pytest.raises(CaseError) as caught:
        read_table(document, ("cases", 0, "setup"))
    (problem,) = caught.value.diagnostics
    assert (problem.line, problem.column, problem.path) == (2, 23, "cases[0].setup.declarer")


@pytest.mark.parametrize(
    ("parts", "stage"),
    [
        ({"hands": {"N": "D8"}}, "auction"),
        ({"contract": "4S"}, "play"),
        ({"contract": "4S by S"}, "play"),
        ({"declarer": "S"}, "play"),
        ({"tricks": ["W: S4"]}, "play"),
        ({"tricks": []}, "auction"),
        ({"trick": 4}, "play"),
        ({"on_lead": "W"}, "play"),
        ({"contract": "4S by S", "tricks": ALL_TRICKS[:12]}, "play"),
        ({"contract": "4S by S", "tricks": ALL_TRICKS}, "over"),
        ({"contract": "4S by S", "stage": "auction"}, "auction"),
        ({"contract": "4S by S", "stage": "Over", "tricks": ALL_TRICKS[:5]}, "over"),
        ({"contract": "4S by S", "stage": "over", "tricks": ALL_TRICKS}, "over"),
        ({"stage": "play"}, "play"),
        ({"stage": "over"}, "over"),
    ],
)
def test_the_stage_follows_from_the_table_unless_it_is_told(parts: dict[str, Any], stage: str) -> None:
    assert table(**parts).stage == stage


@pytest.mark.parametrize("parts", [{"tricks": ["W: S4"]}, {"trick": 1}, {"on_lead": "W"}])
def test_nothing_is_played_or_led_in_the_auction(parts: dict[str, Any]) -> None:
    assert complaints(stage="auction", **parts) == [
        "this cannot be the auction: the table has 'tricks', 'trick' or 'on_lead'"
    ]


def test_the_play_is_over_after_thirteen_tricks() -> None:
    assert complaints(stage="play", tricks=ALL_TRICKS) == ["the play is over: all 13 tricks are listed"]


def test_a_stage_that_is_no_word_is_told_what_to_write() -> None:
    with pytest.raises(CaseError, match="a list stands where the stage belongs; write auction, play or over"):
        table(stage=["play"])


def test_nobody_is_on_lead_before_the_play() -> None:
    assert table(contract="4S by S", stage="play").leader == "W"
    assert table(contract="4S by S", stage="auction").leader is None


# Completeness: north, as typed, with the rest of the table, against what North holds now and whether that is all.
COMPLETENESS: dict[str, tuple[dict[str, Any], str, bool]] = {
    "13 cards dealt and nothing played": ({"hands": {"N": NORTH}}, NORTH, True),
    "12 cards dealt and nothing played": ({"hands": {"N": "AKQ2.432.432.43"}}, "AKQ2.432.432.43", False),
    "13 cards dealt, one of them played": (
        {"contract": "3NT by S", "tricks": ["S4 SA S5 S6"], "hands": {"N": NORTH}},
        "KQ2.432.432.432",
        True,
    ),
    "12 cards held after one was played": (
        {"contract": "3NT by S", "tricks": ["S4 SA S5 S6"], "hands": {"N": "KQ2.432.432.432"}},
        "KQ2.432.432.432",
        True,
    ),
    "11 cards listed after one was played": (
        {"contract": "3NT by S", "tricks": ["S4 SA S5 S6"], "hands": {"N": "KQ2.432.432.43"}},
        "KQ2.432.432.43",
        False,
    ),
    "12 cards listed, one of them played, and one not listed": (
        {"contract": "3NT by S", "tricks": ["S4 SA S5 S6"], "hands": {"N": "AKQ2.432.432.43"}},
        "KQ2.432.432.43",
        False,
    ),
    "5 cards held at trick 9, no earlier trick listed": (
        {"contract": "3NT by S", "trick": 9, "hands": {"N": "K..32.43"}},
        "K..32.43",
        True,
    ),
    "4 cards listed at trick 9, no earlier trick listed": (
        {"contract": "3NT by S", "trick": 9, "hands": {"N": "K..32.4"}},
        "K..32.4",
        False,
    ),
    "5 cards held when trick 9 began, one of them played to it": (
        {"contract": "3NT by S", "trick": 9, "tricks": ["W: S4 SK"], "hands": {"N": "K..32.43"}},
        "..32.43",
        True,
    ),
    "4 cards held in trick 9, one more played to it": (
        {"contract": "3NT by S", "trick": 9, "tricks": ["W: S4 SK"], "hands": {"N": "..32.43"}},
        "..32.43",
        True,
    ),
    "5 cards held at trick 9, of which only trick 8 is listed": (
        {"contract": "3NT by S", "trick": 9, "tricks": ["W: S4 SK S5 S6"], "hands": {"N": "A..32.43"}},
        "A..32.43",
        True,
    ),
    "the deal, and trick 9 with no earlier trick listed": (
        {"contract": "3NT by S", "trick": 9, "deal": f"N:{NORTH} - - -"},
        "...",
        False,
    ),
    "the deal, and the 5 cards held at trick 9": (
        {"contract": "3NT by S", "trick": 9, "deal": f"N:{NORTH} - - -", "hands": {"N": "A.2.2.43"}},
        "A.2.2.43",
        True,
    ),
    "an ending as a deal": ({"contract": "3NT by S", "trick": 9, "deal": "N:A.2.2.43 - - -"}, "A.2.2.43", True),
    "the deal, and some of its cards again": (
        {"deal": f"N:{NORTH} - - -", "hands": {"N": "A.2.2.43"}},
        NORTH,
        True,
    ),
    "nothing listed": ({"contract": "3NT by S", "trick": 9}, "...", False),
    "all thirteen tricks": ({"contract": "3NT by S", "tricks": ALL_TRICKS}, "...", True),
    "twelve tricks and no hand": ({"contract": "3NT by S", "tricks": ALL_TRICKS[:12]}, "...", False),
}


@pytest.mark.parametrize("name", COMPLETENESS)
def test_a_hand_is_complete_when_no_card_of_it_can_be_unknown(name: str) -> None:
    parts, hand, is_complete = COMPLETENESS[name]
    expected = table(hands={"N": hand}).holdings["N"].cards
    assert table(**parts).holdings["N"] == Holding(expected, is_complete)


NO_CARD_PUT = "; if it put no card to one, list them from there on with - for its card, or leave the hand out"


@pytest.mark.parametrize(
    ("parts", "complaint", "reason"),
    [
        (
            {"trick": 9, "hands": {"N": NORTH}},
            "North's hand has 13 cards, but there is room for 5",
            "8 earlier tricks are not listed",
        ),
        (
            {"trick": 2, "hands": {"N": NORTH}},
            "North's hand has 13 cards, but there is room for 12",
            "1 earlier trick is not listed" + NO_CARD_PUT,
        ),
        (
            {"trick": 9, "deal": "N:AKQ..32.4 - - -"},
            "North's hand has 6 cards, but there is room for 5",
            "8 earlier tricks are not listed" + NO_CARD_PUT,
        ),
        (
            {"tricks": ["W: S4 SA S5 S6", "N: SK S7 S8 S9"], "hands": {"N": "2.432.5432.5432"}},
            "North's hand has 12 cards, but there is room for 11",
            "2 others were played",
        ),
        (
            {"trick": 5, "tricks": ["W: S4 SA S5 S6"], "hands": {"N": "2.432.5432.5432"}},
            "North's hand has 12 cards, but there is room for 9",
            "1 other was played and 3 earlier tricks are not listed",
        ),
        (
            {"trick": 14, "hands": {"N": "C4"}},
            "North's hand has 1 card, but there is room for none",
            "13 earlier tricks are not listed" + NO_CARD_PUT,
        ),
        (
            {"trick": 9, "deal": f"N:{NORTH} - - -", "hands": {"N": "AKQ.2.2.2"}},
            "North's hand has 6 cards, but there is room for 5",
            "8 earlier tricks are not listed" + NO_CARD_PUT,
        ),
    ],
)
def test_a_hand_has_no_more_cards_than_are_left_to_it(parts: dict[str, Any], complaint: str, reason: str) -> None:
    with pytest.raises(CaseError) as caught:
        table(**parts)
    assert [(problem.message, problem.hint) for problem in caught.value.diagnostics] == [
        (complaint, f"list the cards held now: {reason}")
    ]


@pytest.mark.parametrize(
    "parts",
    [
        {"tricks": ["W: H5 S3"], "hands": {"N": NORTH}},
        {"tricks": ["W: H5 S3"], "deal": f"N:{NORTH} - - -"},
        {"trick": 9, "tricks": ["W: H5 S3"], "hands": {"N": "K..32.43"}},
        {"trick": 9, "tricks": ["W: H5 S3"], "deal": f"N:{NORTH} - - -"},
    ],
)
def test_a_card_cannot_be_played_from_a_hand_known_to_be_without_it(parts: dict[str, Any]) -> None:
    assert complaints(**parts) == ["North played ♠3, but all of North's cards are listed, and it is not among them"]


def test_a_player_may_play_a_card_that_was_not_listed_if_others_are_unknown() -> None:
    assert table(tricks=["W: H5 S3"], hands={"N": "A.2.2.43"}).holdings["N"].cards == ("SA", "H2", "D2", "C4", "C3")


def test_every_problem_is_told_in_file_order() -> None:
    text = """table:
  stage: later
  trick: 40
  tricks: 7
  hands:
    N: D8 ZZ
    E: D8
    Q: D9
  contrat: 4S by S
  declarer: [S]
"""
    with pytest.raises(CaseError) as caught:
        read_table(read_text(text, "case.yaml", CaseError), ("table",))
    assert [problem.line for problem in caught.value.diagnostics] == [2, 3, 4, 6, 7, 8, 9, 10]
    for problem in caught.value.diagnostics:
        assert not problem.message.endswith(".")
        assert problem.hint


WORDS = st.sampled_from(
    [
        *TABLE_KEYS,
        *SEATS,
        "North",
        "dummy",
        "declarer",
        "leader",
        "cards",
        "S",
        "4S by S",
        "3NN",
        "W: S4 S2 SK SA",
        "S5",
        "D8 DT",
        "♠KJ852",
        "AKQ..KT862.J3",
        "N:- - - -",
        f"N:{NORTH} - - -",
        "-",
        "",
        "auction",
        "play",
        "over",
        "ß",
        "K",
    ]
)
SCALARS = st.one_of(
    WORDS, st.none(), st.booleans(), st.integers(-2, 15), st.floats(), st.text(string.printable, max_size=8)
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=12,
)
TYPED = st.dictionaries(st.sampled_from(TABLE_KEYS), NESTED, max_size=8)


@settings(max_examples=400, deadline=None)
@given(TYPED | NESTED)
def test_whatever_is_typed_gives_a_table_or_problems(data: Any) -> None:
    try:
        read = read_table(Document("case.yaml", {"table": data}), ("table",))
    except CaseError as error:
        assert error.diagnostics
        assert all(problem.path.startswith("table") and "\n" not in problem.message for problem in error.diagnostics)
    else:
        assert all(len(fact.values) == len(TABLE_KINDS[fact.kind]) for fact in table_facts(read))


@st.composite
def plausible(draw: st.DrawFn) -> dict[str, Any]:
    """Tables that are often possible: most cards stand in one place only, and players need not follow suit."""
    deck = draw(st.permutations(CARDS))
    lengths = [4] * draw(st.integers(0, 5)) + draw(st.sampled_from([[], [1], [3]]))
    tricks = []
    for length in lengths:
        leader = draw(st.sampled_from(["N: ", "W: ", "dummy: ", ""]))
        tricks.append(leader + " ".join(deck[:length]))
        deck = deck[length:]
    hands = {}
    for seat in draw(st.sets(st.sampled_from([*SEATS, "dummy"]))):
        size = draw(st.integers(0, 13))
        hands[seat] = " ".join(deck[:size])
        deck = deck[size:]
    parts = {
        "contract": st.sampled_from(["3NT by S", "4S", "4H by W"]),
        "trick": st.integers(len(tricks), 13).filter(bool),
        "on_lead": st.sampled_from([*SEATS, "dummy"]),
        "stage": st.sampled_from(["auction", "play", "over"]),
    }
    return {"declarer": "S", "tricks": tricks, "hands": hands} | draw(st.fixed_dictionaries({}, optional=parts))


@settings(max_examples=300, deadline=None)
@given(plausible())
def test_a_table_that_is_read_is_possible(data: dict[str, Any]) -> None:
    try:
        read = table(**data)
    except CaseError:
        return
    places = [card for holding in read.holdings.values() for card in holding.cards]
    places += [card for trick in read.tricks for card in trick.cards]
    assert len(places) == len(set(places))
    for seat in SEATS:
        played = sum(seat in trick.players for trick in read.tricks)
        left = 13 - (read.now - 1) - bool(read.trick_in_progress and seat in read.trick_in_progress.players)
        unlisted = 13 - left - played
        assert unlisted >= 0
        assert len(read.holdings[seat].cards) <= left
        assert read.holdings[seat].is_complete == (len(read.holdings[seat].cards) == left)
