"""Tricks as they are typed: who led, who won, who has the lead now."""

from __future__ import annotations

import pytest

from bridgelaws.errors import CaseError
from bridgelaws.located import Document, read_text
from bridgelaws.table.holdings import Holding
from bridgelaws.table.table import Table, read_table


def table(**parts: object) -> Table:
    return read_table(Document("case.yaml", {"table": parts}), ("table",))


def complaints(**parts: object) -> list[str]:
    with pytest.raises(CaseError) as caught:
        table(**parts)
    return [str(problem) for problem in caught.value.diagnostics]


SUIT = "23456789TJQKA"
# South wins it, if West leads.
FIRST = "S4 S2 S3 SA"


@pytest.mark.parametrize(
    "typed",
    [
        "W: S4 S2 SK SA",
        "West: s4 s2 sk sa",
        "w:♠4 ♠2 ♠K ♠A",
        "W: S4 2 K A",
        "W: 4S, 2S, KS, AS",
        {"leader": "W", "cards": ["S4", "S2", "SK", "SA"]},
        {"leader": "west", "cards": "S4 S2 SK SA"},
        {"W": "S4 S2 SK SA"},
        {"West": ["S4", "S2", "SK", "SA"]},
    ],
)
def test_a_trick_with_its_leader_is_read(typed: object) -> None:
    (trick,) = table(contract="3NT", tricks=[typed]).tricks
    assert (trick.leader, trick.cards, trick.winner) == ("W", ("S4", "S2", "SK", "SA"), "S")
    assert trick.players == ("W", "N", "E", "S")


@pytest.mark.parametrize("typed", [FIRST, ["S4", "S2", "S3", "SA"], {"cards": FIRST}])
def test_the_player_on_declarers_left_leads_to_the_first_trick(typed: object) -> None:
    assert table(contract="3NT by S", tricks=[typed]).tricks[0].leader == "W"


def test_a_trick_typed_without_quotes_in_yaml_is_read() -> None:
    text = "table:\n  contract: 3NT by S\n  tricks:\n    - W: S4 S2 SK SA\n    - C2 C3\n"
    read = read_table(read_text(text, "case.yaml", CaseError), ("table",))
    assert [(trick.number, trick.leader, trick.cards) for trick in read.tricks] == [
        (1, "W", ("S4", "S2", "SK", "SA")),
        (2, "S", ("C2", "C3")),
    ]


@pytest.mark.parametrize(
    ("contract", "cards", "winner"),
    [
        ("3NT by S", "S4 S2 SK SA", "S"),
        ("3NT by S", "S4 S2 SK S3", "E"),
        ("3NT by S", "S4 HA DA CA", "W"),
        ("4H by S", "S4 H2 SK SA", "N"),
        ("4H by S", "S4 H2 SK H3", "S"),
        ("4H by S", "H4 HT HK H3", "E"),
        ("4H by S", "S4 CA DA CK", "W"),
        ("4H by S", "S4 ST S9 CA", "N"),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_card_of_the_suit_led(
    contract: str, cards: str, winner: str
) -> None:
    read = table(contract=contract, tricks=[cards])
    assert read.tricks[0].winner == winner
    assert (read.now, read.leader) == (2, winner)


def test_the_winner_leads_to_the_next_trick() -> None:
    read = table(contract="4H by S", tricks=["S4 H2 SK SA", "D2 D3 DK D4", "C4"])
    assert [trick.leader for trick in read.tricks] == ["W", "N", "S"]
    assert (read.now, read.leader) == (3, "S")


def test_a_lead_out_of_turn_may_have_been_accepted() -> None:
    read = table(contract="4H by S", tricks=["N: S4 S2 SK SA", "W: D2 D3 DK D4"])
    assert [(trick.leader, trick.winner) for trick in read.tricks] == [("N", "W"), ("W", "E")]


def test_a_leader_may_be_called_dummy() -> None:
    assert table(contract="4H by S", tricks=["dummy: S4"]).tricks[0].leader == "N"


def test_without_the_contract_a_trick_all_in_one_suit_still_has_a_winner() -> None:
    read = table(tricks=["W: S4 S2 SK SA", "D4"])
    assert (read.tricks[0].winner, read.tricks[1].leader) == ("S", "S")


def test_without_the_contract_nobody_knows_whether_a_discard_was_a_ruff() -> None:
    read = table(tricks=["W: S4 S2 SK H2"])
    assert (read.tricks[0].winner, read.leader) == (None, None)
    (complaint,) = complaints(tricks=["W: S4 S2 SK H2", "D4"])
    assert complaint.endswith("nothing tells who led to trick 2; write the leader and the cards, as 'W: S4 S2 SK SA'")
    assert table(tricks=["W: S4 S2 SK H2", "S: D4"]).leader == "S"


def test_without_a_declarer_nobody_knows_who_led_first() -> None:
    (complaint,) = complaints(contract="3NT", tricks=[FIRST, "C2 C3 C4 C5"])
    assert "nothing tells who led to trick 1" in complaint


def test_the_tricks_listed_are_the_last_ones() -> None:
    read = table(contract="3NT by S", trick=9, tricks=["N: S4 S2 SK SA", "D2 D3"])
    assert [(trick.number, trick.leader) for trick in read.tricks] == [(8, "N"), (9, "W")]
    assert (read.now, read.leader) == (9, "W")
    read = table(contract="3NT by S", trick=9, tricks=["N: S4 S2 SK SA", "D2 D3 D4 D5"])
    assert [trick.number for trick in read.tricks] == [7, 8]
    assert (read.now, read.leader) == (9, "S")


def test_the_opening_leader_is_not_known_to_lead_later() -> None:
    assert table(contract="3NT by S", trick=1).leader == "W"
    assert table(contract="3NT by S", trick=2).leader is None
    (complaint,) = complaints(contract="3NT by S", trick=2, tricks=["S4"])
    assert "nothing tells who led to trick 2" in complaint


def test_more_tricks_than_the_number_allows_are_impossible() -> None:
    assert (
        "this cannot be trick 1: 1 complete trick is listed"
        in complaints(contract="3NT by S", trick=1, tricks=[FIRST])[0]
    )
    assert table(contract="3NT by S", trick=1, tricks=["S4"]).now == 1


@pytest.mark.parametrize("number", [0, 15, -1, "9", True, None, [9]])
def test_what_is_no_number_of_a_trick_is_told(number: object) -> None:
    (complaint,) = complaints(trick=number)
    assert "write the number of the trick in progress or about to begin, 1 to 13" in complaint


def test_only_the_last_tricks_of_a_finished_board_may_be_listed() -> None:
    read = table(contract="3NT by S", trick=14, tricks=["W: S4 S2 SK SA", "S: H2 H3 HA H4"])
    assert read.stage == "over"
    assert [trick.number for trick in read.tricks] == [12, 13]
    assert read.leader is None
    assert read.holdings["W"] == Holding((), is_complete=True)
    assert "nobody is on lead" in complaints(contract="3NT by S", trick=14, on_lead="W")[0]
    assert "the play is over" in complaints(contract="3NT by S", trick=14, stage="play")[0]


def test_a_dash_stands_for_a_card_that_was_not_played() -> None:
    read = table(contract="3NT by S", trick=13, tricks=["W: DK D3 - D5", "W: C4 C2 CK CA"], hands={"E": "D2 S3"})
    first, second = read.tricks
    assert (first.number, first.cards, first.players) == (11, ("DK", "D3", "D5"), ("W", "N", "S"))
    assert (first.missing, first.winner, first.is_complete) == (("E",), "W", True)
    assert first.position("S") == 4
    assert (second.missing, second.winner) == ((), "S")
    assert read.holdings["E"] == Holding(("S3", "D2"), is_complete=True)


def test_without_the_dash_there_is_no_room_for_the_card_that_was_not_played() -> None:
    tricks = ["W: DK D3 D9 D5", "W: C4 C2 CK CA"]
    assert "room" in complaints(contract="3NT by S", trick=13, tricks=tricks, hands={"E": "D2 S3"})[0]


def test_a_trick_is_won_by_one_of_those_who_played_to_it() -> None:
    (trick,) = table(contract="4S by S", tricks=["W: DK - S2 D5"]).tricks
    assert trick.winner == "E"
    (trick,) = table(contract="4S by S", tricks=[{"leader": "W", "cards": ["DK", "D3", "D4", "-"]}]).tricks
    assert (trick.winner, trick.missing) == ("W", ("S",))
    (trick,) = table(contract="4S by S", tricks=[{"W": "DK – D4 DA"}]).tricks
    assert (trick.winner, trick.missing) == ("S", ("N",))


@pytest.mark.parametrize(
    ("trick", "told"),
    [
        ("W: - D3 D4 D5", "whoever led to this trick played a card"),
        ("W: DK -", "this trick is in progress"),
        ("W: DK - D4", "this trick is in progress"),
        ("W: DK D3 D4 D5 -", "5 cards were played to this trick"),
        ("W: DK D3 D4 D- D5", "'D-' is not a card"),
    ],
)
def test_a_dash_that_cannot_be_meant_is_told(trick: str, told: str) -> None:
    assert told in complaints(contract="3NT by S", trick=6, tricks=[trick])[0]


def test_the_hand_on_lead_may_be_told() -> None:
    assert table(contract="3NT by S", trick=9, on_lead="east").leader == "E"
    assert table(contract="3NT by S", trick=9, on_lead="dummy").leader == "N"
    assert table(contract="3NT by S", trick=13, on_lead="W").leader == "W"
    assert table(tricks=["W: S4 S2 SK H2"], on_lead="E").leader == "E"


def test_the_hand_told_to_be_on_lead_led_to_the_trick_in_progress() -> None:
    assert table(contract="3NT by S", trick=9, tricks=["D2 D3"], on_lead="E").tricks[0].players == ("E", "S")


@pytest.mark.parametrize(
    ("tricks", "complaint"),
    [
        ([], "East cannot be on lead: West has the lead to trick 1"),
        (["S4"], "East cannot be on lead: West has the lead to trick 1"),
        ([FIRST], "East cannot be on lead: South has the lead to trick 2"),
        ([FIRST, "N: D2"], "East cannot be on lead: North has the lead to trick 2"),
    ],
)
def test_who_is_on_lead_follows_from_the_tricks(tricks: list[str], complaint: str) -> None:
    assert complaint in complaints(contract="3NT by S", tricks=tricks, on_lead="E")[0]


def test_nobody_is_on_lead_after_the_last_trick() -> None:
    tricks = [f"N: S{rank} H{rank} D{rank} C{rank}" for rank in SUIT]
    assert table(contract="3NT by S", tricks=tricks).leader is None
    (complaint,) = complaints(contract="3NT by S", tricks=tricks, on_lead="N")
    assert "nobody is on lead: all 13 tricks have been played" in complaint


@pytest.mark.parametrize(
    ("trick", "complaint"),
    [
        ("W: S4 S2 SK SA S3", "5 cards were played to this trick; a trick has four cards"),
        ("", "no card was played to this trick; leave it out; 'on_lead' says who is to lead"),
        ("W:", "no card was played to this trick"),
        ({"leader": "W"}, "no card was played to this trick"),
        ({}, "no card was played to this trick"),
        ("Q: S4", "'Q' is not a seat"),
        ("W: S4 H-", "'H-' is not a card"),
        ("W: S4 H", "no card follows 'H'; write the suit and the rank"),
        ("W: ZZ", "'ZZ' is not a card"),
        ({"Q": "S4"}, "'Q' is not a seat"),
        ({"leader": "W", "card": "S4"}, "a trick has no 'card'; did you mean 'cards'?"),
        ({"leader": ["W"], "cards": "S4"}, "a list stands where the leader belongs"),
        ({"leader": "W", "cards": {"S": 4}}, "a map stands where the cards of a trick belong"),
        ({"leader": "W", "cards": ["S4", None]}, "nothing stands where a card belongs"),
        (4, "the number 4 stands where a trick belongs"),
        (None, "nothing stands where a trick belongs"),
        (False, "'false' stands where a trick belongs"),
        ([["S4"]], "a list stands where a card belongs"),
    ],
)
def test_what_is_no_trick_is_told_once(trick: object, complaint: str) -> None:
    told = complaints(contract="3NT by S", tricks=[trick, "D2 D3 D4 D5", "C2"], trick=5, on_lead="S")
    assert complaint in told[0]
    assert len(told) == 1


def test_nobody_is_blamed_for_a_card_that_a_misread_dummy_played() -> None:
    (complaint,) = complaints(contract="4S by Q", tricks=["W: S4 S2 SK SA", "dummy: D4"], hands={"W": "D4"})
    assert "'Q' in '4S by Q' is not a seat" in complaint


def test_only_the_last_trick_may_be_in_progress() -> None:
    told = complaints(contract="3NT by S", tricks=["S4 S2 SK", "S5", "D2 D3"])
    assert "only 3 cards were played to this trick, and it is not the last; write all four cards" in told[0]
    assert "only 1 card was played" in told[1]
    assert len(told) == 2


def test_there_are_thirteen_tricks() -> None:
    tricks = [f"N: S{rank} H{rank} D{rank} C{rank}" for rank in SUIT]
    assert "there are more than 13 tricks" in complaints(contract="3NT by S", tricks=[*tricks, "N: S2"])[0]


@pytest.mark.parametrize("tricks", ["W: S4", {"W": "S4"}, 4, None])
def test_tricks_are_a_list(tricks: object) -> None:
    (complaint,) = complaints(contract="3NT by S", tricks=tricks, trick=9, hands={"N": "AKQJ.AKQJ.AKQJ.A"})
    assert "stands where the tricks belong" in complaint
