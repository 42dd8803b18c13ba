"""The facts of a table, for tables set by hand and for deals played out at random."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgelaws.engine.program import Fact, Value
from bridgelaws.located import Document
from bridgelaws.notation import CARDS, RANK_OF, SEATS, left
from bridgelaws.table.facts import TABLE_KINDS, table_facts
from bridgelaws.table.table import read_table


def facts(**parts: object) -> list[Fact]:
    return table_facts(read_table(Document("case.yaml", {"table": parts}), ("table",)))


def of_kind(found: list[Fact], kind: str) -> list[tuple[Value, ...]]:
    return [fact.values for fact in found if fact.kind == kind]


def records(found: list[Fact], kind: str) -> list[dict[str, Value]]:
    return [dict(zip(TABLE_KINDS[kind], values, strict=True)) for values in of_kind(found, kind)]


def test_a_card_is_always_followed_by_its_suit_and_rank() -> None:
    for columns in TABLE_KINDS.values():
        if "card" in columns:
            place = columns.index("card")
            assert columns[place : place + 3] == ("card", "card.suit", "card.rank")


def test_an_empty_table_has_a_stage_and_four_players() -> None:
    assert facts() == [
        Fact("stage", ("auction",)),
        Fact("player", ("N", "NS", None, "S", "E", "W")),
        Fact("player", ("E", "EW", None, "W", "S", "N")),
        Fact("player", ("S", "NS", None, "N", "W", "E")),
        Fact("player", ("W", "EW", None, "E", "N", "S")),
    ]


def test_the_declarer_gives_everyone_a_role() -> None:
    roles = {player["seat"]: player["role"] for player in records(facts(declarer="E"), "player")}
    assert roles == {"N": "defender", "E": "declarer", "S": "defender", "W": "dummy"}


def test_a_suit_contract_has_trumps() -> None:
    found = facts(contract="4S by E")
    assert of_kind(found, "contract") == [("E", 4, "S")]
    assert of_kind(found, "trumps") == [("S",)]


def test_no_trumps_are_no_trumps() -> None:
    found = facts(contract="3NT")
    assert of_kind(found, "contract") == [(None, 3, "NT")]
    assert of_kind(found, "trumps") == []


def test_the_declarer_alone_is_no_contract() -> None:
    assert of_kind(facts(declarer="E"), "contract") == []


def test_a_hand_holds_what_it_has_not_played() -> None:
    found = facts(contract="4S by S", hands={"dummy": "♠K8 ♦T"}, tricks=["S4 SK"])
    assert of_kind(found, "holds") == [("N", "dummy", "S8", "S", 8), ("N", "dummy", "DT", "D", 10)]
    assert of_kind(found, "hand_complete") == []


def test_a_hand_known_to_the_last_card_is_complete() -> None:
    assert of_kind(facts(hands={"W": "AKQ2.432.432.432", "N": "S3"}), "hand_complete") == [("W",)]


def test_before_the_opening_lead_the_player_on_declarers_left_is_to_lead() -> None:
    found = facts(contract="4S by S")
    assert of_kind(found, "now") == [(1,)]
    assert of_kind(found, "on_lead") == of_kind(found, "to_play") == [("W", 1)]
    assert of_kind(found, "has_led") == [("W", 1)]
    for absent in ("in_trick", "current_trick", "previous_trick", "yet_to_play", "played"):
        assert of_kind(found, absent) == []


def test_a_trick_in_progress_lies_on_the_table() -> None:
    found = facts(contract="4S by S", tricks=["D4 D2 DK DA", "H3 H4"])
    assert of_kind(found, "now") == [(2,)]
    assert of_kind(found, "in_trick") == [(2, "S", "H3", "H", 3, 1), (2, "W", "H4", "H", 4, 2)]
    assert of_kind(found, "current_trick") == [(2, "S", "H", 2)]
    assert of_kind(found, "to_play") == [("N", 2)]
    assert of_kind(found, "yet_to_play") == [("N", 2, "H"), ("E", 2, "H")]
    assert of_kind(found, "previous_trick") == [(1, "S", "declarer", "D", "DA", "D", 14)]
    assert of_kind(found, "on_lead") == of_kind(found, "has_led") == []
    assert of_kind(found, "played")[:2] == [("W", "D4", "D", 4, 1, 1), ("N", "D2", "D", 2, 1, 2)]
    assert of_kind(found, "played")[4:] == [("S", "H3", "H", 3, 2, 1), ("W", "H4", "H", 4, 2, 2)]


def test_a_complete_trick_lies_on_the_table_until_the_next_is_led() -> None:
    found = facts(contract="4S by S", tricks=["D4 D2 DK S2"])
    assert [card["card"] for card in records(found, "in_trick")] == ["D4", "D2", "DK", "S2"]
    assert of_kind(found, "previous_trick") == [(1, "S", "declarer", "D", "S2", "S", 2)]
    assert of_kind(found, "current_trick") == of_kind(found, "yet_to_play") == []
    assert of_kind(found, "on_lead") == of_kind(found, "to_play") == [("S", 2)]


def test_every_complete_trick_of_the_list_has_a_winner_and_a_number() -> None:
    found = facts(contract="4S by S", trick=9, tricks=["W: H4 H2 HK HA", "S: D4 S2 D5 DA", "W: C3 C2"])
    assert [(each["trick"], each["player"], each["side"], each["card"]) for each in records(found, "trick_won")] == [
        (7, "S", "NS", "HA"),
        (8, "W", "EW", "S2"),
    ]
    assert of_kind(found, "trick_over") == [(number,) for number in range(1, 9)]


@pytest.mark.parametrize(
    ("parts", "over"),
    [
        ({}, 0),
        ({"contract": "4S by S"}, 0),
        ({"contract": "4S by S", "trick": 5}, 4),
        ({"contract": "4S by S", "stage": "auction"}, 0),
        ({"contract": "4S by S", "trick": 5, "stage": "over"}, 4),
    ],
)
def test_tricks_before_the_one_in_progress_are_over_listed_or_not(parts: dict[str, object], over: int) -> None:
    assert of_kind(facts(**parts), "trick_over") == [(number,) for number in range(1, over + 1)]


def test_a_trick_of_which_nobody_knows_the_winner_is_over_all_the_same() -> None:
    found = facts(declarer="S", tricks=["W: H4 S2 H5 H6"])
    assert of_kind(found, "trick_won") == []
    assert of_kind(found, "trick_over") == [(1,)]


def test_a_ruff_in_an_unknown_contract_has_no_known_winner() -> None:
    found = facts(tricks=["W: D4 D2 DK S2"])
    assert of_kind(found, "previous_trick") == of_kind(found, "on_lead") == of_kind(found, "to_play") == []
    assert of_kind(found, "now") == [(2,)]


def test_a_winner_without_a_role_is_still_the_winner() -> None:
    assert of_kind(facts(tricks=["W: D4 D2 DK D3"]), "previous_trick") == [(1, "E", None, "D", "DK", "D", 13)]


@pytest.mark.parametrize(
    ("tricks", "since"),
    [
        (["D2 D3 D4 DA", "C2 C3 C4 C5", "HA H2 H3 H4", "CA C6 C7 C8"], [5, 4, 3]),
        (["D2 D3 D4 DA", "CA C2 C3 C4"], [3, 2]),
        (["DA D2 D3 D4"], [2, 1]),
        (["D2 D3 D4 DA"], [2]),
    ],
)
def test_a_hand_has_led_since_it_won_the_lead(tricks: list[str], since: list[int]) -> None:
    found = facts(contract="3NT by S", tricks=tricks)
    ((leader, _trick),) = of_kind(found, "on_lead")
    assert of_kind(found, "has_led") == [(leader, number) for number in since]


def test_a_lead_before_the_first_trick_listed_is_not_recorded() -> None:
    found = facts(contract="3NT by S", trick=9, tricks=["E: DA D2 D3 D4"])
    assert of_kind(found, "has_led") == [("E", 9), ("E", 8)]


@pytest.mark.parametrize("stage", ["auction", "over"])
def test_nobody_is_to_play_before_or_after_the_play(stage: str) -> None:
    found = facts(contract="3NT by S", stage=stage)
    for absent in ("now", "on_lead", "to_play", "yet_to_play", "current_trick", "has_led"):
        assert of_kind(found, absent) == []


def test_after_a_claim_the_cards_played_still_lie_on_the_table() -> None:
    found = facts(contract="3NT by S", stage="over", tricks=["DA D2"])
    assert len(of_kind(found, "in_trick")) == 2
    assert of_kind(found, "current_trick") == of_kind(found, "to_play") == []


@dataclass
class Deal:
    """A deal played out by the rules, and how far: the truth that the facts must tell."""

    declarer: str
    strain: str
    dealt: dict[str, list[str]]
    held: dict[str, list[str]]
    tricks: list[tuple[str, list[str]]]
    to_play: str

    @property
    def now(self) -> int:
        return len(self.tricks) + (not self.tricks or len(self.tricks[-1][1]) == 4)


def _played_out(seed: int, cards: int) -> Deal:
    """A tiny simulator, written apart from the program on purpose: it keeps to `follow suit` and nothing else."""
    chance = random.Random(seed)
    deck = list(CARDS)
    chance.shuffle(deck)
    dealt = {seat: deck[13 * index : 13 * index + 13] for index, seat in enumerate(SEATS)}
    held = {seat: list(hand) for seat, hand in dealt.items()}
    declarer, strain = chance.choice(SEATS), chance.choice(["C", "D", "H", "S", "NT"])
    player = left(declarer)
    tricks: list[tuple[str, list[str]]] = []
    best: tuple[str, str] = ("", "")
    for number in range(cards):
        if number % 4 == 0:
            tricks.append((player, []))
        trick = tricks[-1][1]
        following = [card for card in held[player] if trick and card[0] == trick[0][0]]
        card = chance.choice(following or held[player])
        held[player].remove(card)
        beats = card[0] == best[1][:1] and RANK_OF[card] > RANK_OF[best[1]]
        if not trick or beats or (card[0] == strain and best[1][0] != strain):
            best = (player, card)
        trick.append(card)
        player = best[0] if len(trick) == 4 else left(player)
    return Deal(declarer, strain, dealt, held, tricks, player)


def _typed(deal: Deal, unlisted: int, hands: dict[str, object]) -> dict[str, Any]:
    tricks: list[object] = [" ".join(cards) for _, cards in deal.tricks[unlisted:]]
    if tricks and unlisted:
        tricks[0] = {deal.tricks[unlisted][0]: tricks[0]}
    typed: dict[str, Any] = {"contract": f"1{deal.strain} by {deal.declarer}", "tricks": tricks, "hands": hands}
    if unlisted:
        typed["trick"] = deal.now
        if not tricks:
            typed["on_lead"] = deal.to_play
    return typed


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(0, 52), as_deal=st.booleans())
def test_a_deal_played_out_is_known_card_for_card(seed: int, cards: int, as_deal: bool) -> None:
    deal = _played_out(seed, cards)
    typed = _typed(deal, 0, {seat: " ".join(hand) for seat, hand in deal.dealt.items()})
    if as_deal:
        del typed["hands"]
        hands = (
            ".".join("".join(card[1] for card in deal.dealt[seat] if card[0] == suit) for suit in "SHDC")
            for seat in SEATS
        )
        typed["deal"] = f"N:{' '.join(hands)}"
    found = facts(**typed)
    held, played = records(found, "holds"), records(found, "played")
    assert sorted(str(record["card"]) for record in held + played) == sorted(CARDS)
    assert {(record["player"], record["card"]) for record in held} == {
        (seat, card) for seat, hand in deal.held.items() for card in hand
    }
    assert all(record["card"] in deal.dealt[str(record["player"])] for record in held + played)
    assert len(found) == len(set(found))
    assert of_kind(found, "hand_complete") == [(seat,) for seat in SEATS]
    assert len(of_kind(found, "player")) == 4
    assert [record["card"] for record in played] == [card for _, trick in deal.tricks for card in trick]
    if cards == 52:
        assert of_kind(found, "stage") == [("over",)]
        assert of_kind(found, "to_play") == []
        assert records(found, "previous_trick")[0]["player"] == deal.to_play
        return
    assert of_kind(found, "stage") == [("play",)]
    assert of_kind(found, "now") == [(deal.now,)]
    assert of_kind(found, "to_play") == [(deal.to_play, deal.now)]
    in_progress = cards % 4
    assert len(of_kind(found, "on_lead")) == len(of_kind(found, "has_led")[:1]) == (0 if in_progress else 1)
    assert len(of_kind(found, "current_trick")) == (1 if in_progress else 0)
    assert len(of_kind(found, "yet_to_play")) == (4 - in_progress if in_progress else 0)
    assert len(of_kind(found, "in_trick")) == (in_progress or (4 if cards else 0))
    assert len(of_kind(found, "previous_trick")) == (1 if cards >= 4 else 0)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(0, 51), data=st.data())
def test_what_is_told_of_a_deal_is_true_however_little_was_typed(seed: int, cards: int, data: st.DataObject) -> None:
    deal = _played_out(seed, cards)
    unlisted = data.draw(st.integers(0, cards // 4), label="tricks not listed")
    hands: dict[str, object] = {}
    missing = dict.fromkeys(SEATS, 0)
    for seat in SEATS:
        gone = [card for _, trick in deal.tricks[unlisted:] for card in trick if card in deal.dealt[seat]]
        again = data.draw(st.integers(0, len(gone)), label=f"played cards listed for {seat}")
        missing[seat] = data.draw(st.integers(0, len(deal.held[seat])), label=f"cards left out for {seat}")
        hands[seat] = deal.held[seat][missing[seat] :] + gone[:again]
    found = facts(**_typed(deal, unlisted, hands))
    assert {(values[0], values[2]) for values in of_kind(found, "holds")} == {
        (seat, card) for seat in SEATS for card in deal.held[seat][missing[seat] :]
    }
    assert of_kind(found, "hand_complete") == [(seat,) for seat in SEATS if not missing[seat]]
    assert of_kind(found, "to_play") == [(deal.to_play, deal.now)]
    leaders = [leader for leader, _ in deal.tricks]
    for player, since in of_kind(found, "has_led"):
        assert isinstance(since, int)
        assert since > unlisted
        assert [*leaders, deal.to_play][since - 1 :] == [player] * (deal.now - since + 1)
