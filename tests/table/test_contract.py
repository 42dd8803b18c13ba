"""Contracts in the many ways that Directors type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgelaws.errors import CaseError
from bridgelaws.located import Document
from bridgelaws.notation import SEAT_NAMES, SEATS, SUIT_NAMES, SUIT_SYMBOLS
from bridgelaws.table.contract import Contract
from bridgelaws.table.table import Table, read_table


def table(**parts: object) -> Table:
    return read_table(Document("case.yaml", {"table": parts}), ("table",))


def message(**parts: object) -> str:
    with pytest.raises(CaseError) as caught:
        table(**parts)
    assert len(caught.value.diagnostics) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    ("typed", "contract"),
    [
        ("4S by S", Contract(4, "S", "", "S")),
        ("4SX by N", Contract(4, "S", "X", "N")),
        ("4SXN", Contract(4, "S", "X", "N")),
        ("4SNX", Contract(4, "S", "X", "N")),
        ("3NT by West", Contract(3, "NT", "", "W")),
        ("3N XX by E", Contract(3, "NT", "XX", "E")),
        ("4♠ by South", Contract(4, "S", "", "S")),
        ("4♠\ufe0f by South", Contract(4, "S", "", "S")),
        ("4 spades by South", Contract(4, "S", "", "S")),
        ("1 heart by e", Contract(1, "H", "", "E")),
        ("2 no trumps by N", Contract(2, "NT", "", "N")),
        ("1notrump", Contract(1, "NT")),
        ("7NT", Contract(7, "NT")),
        ("4S", Contract(4, "S")),
        ("5cx", Contract(5, "C", "X")),
        ("5dxxw", Contract(5, "D", "XX", "W")),
        ("  6   d   by   west  ", Contract(6, "D", "", "W")),
        ("4S South", Contract(4, "S", "", "S")),
        ("4S by N XX", Contract(4, "S", "XX", "N")),
    ],
)
def test_a_contract_is_read(typed: str, contract: Contract) -> None:
    assert table(contract=typed).contract == contract


@pytest.mark.parametrize(
    ("typed", "contract"),
    [
        ("3N", Contract(3, "NT")),
        ("3NN", Contract(3, "NT", "", "N")),
        ("3NS", Contract(3, "NT", "", "S")),
        ("3NTN", Contract(3, "NT", "", "N")),
        ("3NNX", Contract(3, "NT", "X", "N")),
        ("3NXN", Contract(3, "NT", "X", "N")),
        ("4SS", Contract(4, "S", "", "S")),
        ("4SN", Contract(4, "S", "", "N")),
        ("4SSX", Contract(4, "S", "X", "S")),
        ("4 spades s", Contract(4, "S", "", "S")),
        ("4SSouth", Contract(4, "S", "", "S")),
    ],
)
def test_the_strain_comes_before_the_declarer_where_a_letter_could_be_either(typed: str, contract: Contract) -> None:
    assert table(contract=typed).contract == contract


@given(
    level=st.integers(1, 7),
    strain=st.sampled_from([*"CDHS", "NT"]),
    doubled=st.sampled_from(["", "X", "XX"]),
    declarer=st.sampled_from(SEATS),
    shape=st.sampled_from(["{l}{s}{x} by {d}", "{l}{s}{x}{d}", "{l}{s}{d}{x}", "{l} {s} {x} {d}", "{l}{s} by {d} {x}"]),
    long=st.booleans(),
    lower=st.booleans(),
)
def test_every_contract_is_read_however_it_is_written(
    level: int, strain: str, doubled: str, declarer: str, shape: str, long: bool, lower: bool
) -> None:
    strain_typed = ({"NT": "N"} | SUIT_SYMBOLS)[strain] if long else strain
    typed = shape.format(l=level, s=strain_typed, x=doubled, d=SEAT_NAMES[declarer] if long else declarer)
    read = table(contract=typed.lower() if lower else typed)
    assert read.contract == Contract(level, strain, doubled, declarer)
    assert read.declarer == declarer


@pytest.mark.parametrize("suit", SUIT_NAMES)
def test_a_suit_contract_has_trumps_and_no_trumps_has_none(suit: str) -> None:
    assert Contract(1, suit).trumps == suit
    assert Contract(1, "NT").trumps is None


def test_the_declarer_may_stand_apart_from_the_contract() -> None:
    read = table(contract="7NT", declarer="East")
    assert (read.declarer, read.contract) == ("E", Contract(7, "NT", "", "E"))


def test_the_declarer_may_be_known_without_the_contract() -> None:
    read = table(declarer="E")
    assert (read.declarer, read.contract) == ("E", None)


def test_the_declarer_may_be_given_twice_alike() -> None:
    assert table(contract="7NT by e", declarer="East").declarer == "E"


def test_two_declarers_are_one_too_many() -> None:
    assert "the declarer is East here, but North in the contract" in message(
        contract="7NT by N", declarer="E", hands={"dummy": "D8"}
    )


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("8S by N", "there is no contract at level '8'; the level is 1 to 7"),
        ("0S by N", "there is no contract at level '0'"),
        ("12S by N", "there is no contract at level '12'"),
        ("4Z by N", "'Z' is not a strain; write C, D, H, S or NT"),
        ("4", "'4' has no strain"),
        ("4S by Q", "'Q' in '4S by Q' is not a seat"),
        ("4S by", "the declarer is missing"),
        ("4SXNX", "'4SXNX' is not a contract"),
        ("4SXXX", "'4SXXX' is not a contract"),
        ("4S by N by S", "'4S by N by S' is not a contract"),
        ("4S doubled", "'doubled' in '4S doubled' is not a seat"),
        ("spades", "'spades' is not a contract; write it as '4S by S'"),
        ("", "'' is not a contract"),
        ("4 South", "'outh' in '4 South' is not a seat"),
        ("4S by N " + "very " * 20, "not a contract"),
    ],
)
def test_what_is_no_contract_is_told_in_the_directors_own_words(typed: str, complaint: str) -> None:
    assert complaint in message(contract=typed)


def test_a_long_text_is_not_quoted_whole() -> None:
    assert len(message(contract="x" * 1000)) < 200
