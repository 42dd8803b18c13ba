"""Hands and deals in the many ways that Directors type them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgelaws.errors import CaseError
from bridgelaws.located import Document
from bridgelaws.notation import CARDS, RANK_LETTERS, SEATS, SUIT_NAMES, SUIT_SYMBOLS, card_order
from bridgelaws.table.table import Table, read_table


def table(**parts: object) -> Table:
    return read_table(Document("case.yaml", {"table": parts}), ("table",))


def held(hand: object) -> str:
    """North's hand, typed so, as the program writes it."""
    return " ".join(table(hands={"N": hand}).holdings["N"].cards)


def complaints(**parts: object) -> list[str]:
    with pytest.raises(CaseError) as caught:
        table(**parts)
    return [str(problem) for problem in caught.value.diagnostics]


@pytest.mark.parametrize(
    "typed",
    [
        "D8 DT",
        "8D TD",
        "8D10D",
        "d8 d10",
        "D10 D8",
        "♦8 ♦T",
        "♦10 ♦8",
        "♦T8",
        "♦\ufe0fT8",
        "♢108",
        "D T8",
        "D: T8",
        "D: T 8",
        "D:T8",
        "D 10 8",
        "diamonds: T8",
        "Diamond T, diamond 8",
        "DT; D8",
        "..T8.",
        "-.-.108.-",
        "- . - . T 8 . -",
        "S- H- DT8 C:-",
        "S: - H: — D: T8 C –",
        "DTD8",
        ["D8", "10D"],
        ["♦T8"],
        ["♠-", "♦T8"],
        {"D": "T8"},
        {"D": "10 8"},
        {"D": 108},
        {"diamonds": "T8", "♠": "-", "H": ""},
    ],
)
def test_the_same_two_diamonds_are_read_from_any_notation(typed: object) -> None:
    assert held(typed) == "DT D8"


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("AKQ..KT862.J3", "SA SK SQ DK DT D8 D6 D2 CJ C3"),
        ("♠KJ852 ♥A", "SK SJ S8 S5 S2 HA"),
        ("SKJ852", "SK SJ S8 S5 S2"),
        ("S: KJ852", "SK SJ S8 S5 S2"),
        ("skj852HA", "SK SJ S8 S5 S2 HA"),
        ("S4 2 K A", "SA SK S4 S2"),
        ("spades AK clubs 32", "SA SK C3 C2"),
        ("CLUBSAK", "CA CK"),
        ("-", ""),
        ("", ""),
        ("...", ""),
        ([], ""),
        ({}, ""),
    ],
)
def test_a_hand_is_read(typed: object, cards: str) -> None:
    assert held(typed) == cards


def _written(cards: list[str], style: str) -> Any:
    if style == "pbn":
        return ".".join("".join(card[1] for card in cards if card[0] == suit) for suit in "SHDC")
    if style == "list":
        return [f"{SUIT_SYMBOLS[card[0]]}{card[1]}" for card in cards]
    if style == "map":
        return {SUIT_NAMES[suit]: "".join(card[1] for card in cards if card[0] == suit) for suit in "SHDC"}
    if style == "rank first":
        return ", ".join(f"{card[1].replace('T', '10')}{card[0].lower()}" for card in cards)
    return " ".join(cards)


@given(
    cards=st.lists(st.sampled_from(CARDS), max_size=13, unique=True),
    style=st.sampled_from(["pbn", "list", "map", "rank first", "suit first"]),
)
def test_every_hand_is_read_from_every_notation(cards: list[str], style: str) -> None:
    assert held(_written(cards, style)) == " ".join(sorted(cards, key=card_order))


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("D1", "'D1' is not a card; write the suit and the rank, as 'D8' or '♦8'"),
        ("DX", "'DX' is not a card; leave out the cards that are not known"),
        ("AKxx.x.x.x", "'AKXX' in 'AKxx.x.x.x' are not ranks; leave out"),
        ("Z8", "'Z8' is not a card"),
        ("8", "'8' is not a card"),
        ("8DT", "'8DT' is not a card"),
        ("D", "no card follows 'D'; write '-' for a void"),
        ("S: H: A", "no card follows 'S:'"),
        ("S 8D", "no card follows 'S'"),
        ("S: - K", "'K' is not a card"),
        ("D8 -", "'-' is not a card"),
        ("AK.Q.J", "'AK.Q.J' has 3 suits, not four; write spades.hearts.diamonds.clubs"),
        ("AK.Q.J.2.3", "'AK.Q.J.2.3' has 5 suits, not four"),
        ({"Z": "AK"}, "'Z' is not a suit; write S, H, D or C"),
        ({"S": "D"}, "no card follows 'S:'"),
        ({"S": None}, "nothing stands where the ranks of a suit belong"),
        ({"S": True}, "'true' stands where the ranks of a suit belong"),
        ({"S": -852}, "'-852' is not a card"),
        (8, "the number 8 stands where a hand belongs"),
        (None, "nothing stands where a hand belongs"),
        (True, "'true' stands where a hand belongs"),
        (["D8", 8], "the number 8 stands where a card belongs"),
        (["D8", ["DT"]], "a list stands where a card belongs"),
    ],
)
def test_what_is_no_hand_is_told(typed: object, complaint: str) -> None:
    assert complaint in complaints(hands={"N": typed})[0]


def test_every_unreadable_card_of_a_hand_is_told() -> None:
    assert len(complaints(hands={"N": "D1 DK QQ"})) == 2


DEAL = "N:AKQ2.432.432.432 J543.AKQ5.765.65 T987.JT98.AK8.AK - "


def test_dummy_is_not_a_second_mistake_after_a_misread_key_either() -> None:
    (complaint,) = complaints(contract="4S", declarer="Q", hands={"dummy": "D8"})
    assert "'Q' is not a seat" in complaint


def test_a_deal_goes_round_from_the_first_seat() -> None:
    read = table(deal=DEAL.replace("N:", "east:"))
    assert read.holdings["E"].cards[:4] == ("SA", "SK", "SQ", "S2")
    assert read.holdings["S"].cards[:4] == ("SJ", "S5", "S4", "S3")
    assert read.holdings["W"].cards[:4] == ("ST", "S9", "S8", "S7")
    assert read.holdings["N"].cards == ()
    assert [seat for seat in SEATS if read.holdings[seat].is_complete] == ["E", "S", "W"]


def test_a_whole_deal_has_every_card_in_one_hand() -> None:
    hands = [".".join(RANK_LETTERS if suit == of else "" for of in "SHDC") for suit in "SHDC"]
    read = table(deal="W:" + " ".join(hands))
    assert {seat: read.holdings[seat].cards[0] for seat in SEATS} == {"W": "SA", "N": "HA", "E": "DA", "S": "CA"}


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("X:- - - -", "'X' is not a seat; write it as in PBN"),
        ("- - - -", "'- - - -' does not say whose hand is first"),
        ("N:- - -", "the deal has 3 hands, not four"),
        ("N:AKQ..KT862.J3", "the deal has only one hand, not four"),
        ("N:", "the deal has no hands, not four"),
        ("N:- - - - -", "the deal has 5 hands, not four"),
        ("N:AK - - -", "'AK' has 1 suits, not four"),
        ("N:A..?. - - -", "'?' in 'A..?.' are not ranks"),
        ({"N": "AKQ..KT862.J3"}, "a map stands where the deal belongs"),
        (["N:- - - -"], "a list stands where the deal belongs"),
    ],
)
def test_what_is_no_deal_is_told(typed: object, complaint: str) -> None:
    assert complaint in complaints(deal=typed)[0]


def test_a_hand_may_be_called_by_its_role_once_the_declarer_is_known() -> None:
    read = table(contract="4S by S", hands={"dummy": "D8", "Declarer": "D9", "w": "DT", "East": "DJ"})
    assert [read.holdings[seat].cards for seat in SEATS] == [("D8",), ("DJ",), ("D9",), ("DT",)]


def test_dummy_is_not_known_before_the_declarer() -> None:
    (complaint,) = complaints(hands={"dummy": "D8"})
    assert "nobody knows who is dummy before the declarer is given; add 'declarer: S', or name the seat" in complaint


def test_dummy_is_not_a_second_mistake_after_a_declarer_that_cannot_be_read() -> None:
    (complaint,) = complaints(contract="4S by Q", hands={"dummy": "D8"}, on_lead="dummy", tricks=["dummy: S4"])
    assert "'Q' in '4S by Q' is not a seat" in complaint
