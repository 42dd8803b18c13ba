"""Every penalty-card position leaves every player a legal card, and the cards that a plain referee finds legal.

Set BRIDGELAWS_TEST_LAWS to a draft folder to try that draft instead of the shipped law.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from bridgelaws.book import Lawbook
from bridgelaws.errors import CaseError
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case, case_facts

LAWS = os.environ.get("BRIDGELAWS_TEST_LAWS") or None
EDITIONS = ("1997", "2007", "2017")
SEATS = "NESW"
CARDS = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]
HONOURS = frozenset("TJQKA")
RANDOM_POSITIONS = 700


@cache
def lawbook(edition: str) -> Lawbook:
    return Lawbook.load(edition, laws=LAWS)


def after(seat: str, places: int = 1) -> str:
    return SEATS[(SEATS.index(seat) + places) % 4]


def partner(seat: str) -> str:
    return after(seat, 2)


@dataclass(frozen=True)
class Exposed:
    """A defender's card that fell, or was led out of turn, at this trick; `since` it has been a penalty card."""

    player: str
    card: str
    since: int
    dropped: bool = True


@dataclass(frozen=True)
class Choice:
    """What declarer chose before the lead to a trick; several suits only when he forbids them."""

    trick: int
    decision: str
    suits: tuple[str, ...] = ()

    def facts(self, leader: str) -> Iterator[dict[str, Any]]:
        common = {"player": leader, "trick": self.trick, "decision": self.decision}
        for suit in self.suits:
            yield {"lead_choice": {**common, "suit": suit}}
        if not self.suits:
            yield {"lead_choice": common}


@dataclass(frozen=True)
class Position:
    """A table at the lead to a trick or in the middle of one. `hands` are held now; `kept` is the trick before this
    one, when the same hand led to both."""

    declarer: str
    strain: str
    trick: int
    hands: dict[str, tuple[str, ...]]
    leader: str
    played: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    exposed: tuple[Exposed, ...] = ()
    earlier: Choice | None = None
    choice: Choice | None = None
    named: str | None = None

    @property
    def turn(self) -> str:
        return after(self.leader, len(self.played))

    def case(self, *answers: dict[str, Any]) -> Case:
        tricks = [f"{self.leader}: {' '.join(cards)}" for cards in (self.kept, self.played) if cards]
        table: dict[str, Any] = {
            "contract": f"3{self.strain} by {self.declarer}",
            "trick": self.trick,
            "hands": {seat: list(cards) for seat, cards in self.hands.items()},
        }
        table |= {"tricks": tricks} if tricks else {}
        table |= {} if self.played else {"on_lead": self.leader}
        reports = [
            {
                "card_exposed": {
                    "player": each.player,
                    "card": each.card,
                    "manner": "dropped" if each.dropped else "led_out_of_turn",
                    "trick": each.since,
                }
            }
            for each in self.exposed
        ]
        choices = [fact for each in (self.earlier, self.choice) if each for fact in each.facts(self.leader)]
        if self.named:
            choices.append({"penalty_card_designated": {"player": self.turn, "card": self.named, "trick": self.trick}})
        return Case.from_data({"table": table, "reports": [*reports, *answers], "choices": choices})


@dataclass
class Referee:
    """The law of a position in plain Python: 44C, then a lead restriction if it can be met, then the penalty card."""

    position: Position
    majors: dict[str, set[str]] = field(init=False)
    minors: dict[str, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.majors = {seat: self._lying(seat, self.position.choice) for seat in SEATS}
        self.minors = {seat: set() for seat in SEATS}
        for seat in SEATS:
            if self._is_minor(seat):
                self.majors[seat], self.minors[seat] = self.minors[seat], self.majors[seat]

    def _lying(self, seat: str, choice: Choice | None) -> set[str]:
        cards = [each for each in self.position.exposed if each.player == seat]
        for made in (self.position.earlier, choice):
            if made and seat == partner(self.position.leader):
                cards = [each for each in cards if each.since > made.trick or each.card[0] not in made.suits]
        return {each.card for each in cards}

    def _is_minor(self, seat: str) -> bool:
        """One small card that was dropped and never lay beside another."""
        lying = self._lying(seat, None)
        if len(lying) != 1:
            return False
        (card,) = lying
        found = next(each for each in self.position.exposed if each.card == card)
        others = [each for each in self.position.exposed if each.player == seat and each.card != card]
        earlier = self.position.earlier
        together = [each for each in others if not earlier or found.since <= earlier.trick]
        return found.dropped and card[1] not in HONOURS and not together

    @property
    def suits_at_choice(self) -> set[str]:
        """The suits between which declarer chooses before the lead to this trick."""
        owner = partner(self.position.leader)
        if self.position.played or owner in (self.position.declarer, partner(self.position.declarer)):
            return set()
        return set() if self._is_minor(owner) else {card[0] for card in self._lying(owner, None)}

    @property
    def waits(self) -> bool:
        return bool(self.suits_at_choice) and self.position.choice is None

    def _restricted(self, seat: str) -> set[str]:
        """What a leader may lead as far as declarer's wishes go, where he is able to comply with them."""
        cards = set(self.position.hands[seat])
        if self.position.played or seat != self.position.leader:
            return cards
        choice, earlier = self.position.choice, self.position.earlier
        required = choice.suits[0] if choice and choice.decision == "require" else None
        forbidden = {
            suit for made in (earlier, choice) if made and made.decision == "forbid" for suit in made.suits
        } - {required}
        allowed = {card for card in cards if card[0] not in forbidden} or cards
        return {card for card in cards if card[0] == required} or allowed

    def playable(self, seat: str) -> set[str]:
        """The cards left by 44C and by a lead restriction, before a penalty card is thought of."""
        position = self.position
        cards = set(position.hands[seat])
        waiting = [after(position.leader, place) for place in range(len(position.played), 4)]
        if position.played and seat in waiting:
            return {card for card in cards if card[0] == position.played[0][0]} or cards
        return self._restricted(seat)

    def legal(self, seat: str) -> set[str]:
        cards = self.playable(seat)
        penalty = cards & self.majors[seat]
        if penalty and seat == self.position.turn and self.position.named:
            return {self.position.named}
        if penalty:
            return penalty
        blocked = {card[0] for card in self.minors[seat]}
        return {card for card in cards if card in self.minors[seat] or card[1] in HONOURS or card[0] not in blocked}

    def to_be_named(self) -> set[str]:
        if self.waits or self.position.named:
            return set()
        cards = self.playable(self.position.turn) & self.majors[self.position.turn]
        return cards if len(cards) > 1 else set()


def check(position: Position, edition: str) -> Ruling:
    """Everything that must hold of the ruling on any position."""
    ruling = lawbook(edition).rule(position.case())
    # Which of two cards of a suit declarer had seen when he chose is asked; to the referee it is both.
    answers = [
        {"choice_came_first": {**each.about, "first": False}}
        for each in ruling.questions
        if each.kind == "choice_came_first"
    ]
    if answers:
        ruling = lawbook(edition).rule(position.case(*answers))
    referee = Referee(position)
    assert not ruling.conflicts
    assert {each.kind for each in ruling.questions} <= {"partner_two_suits"}, "asked after a revoke at trick twelve"
    listed = {each.player: each for each in ruling.plays}
    for seat, plays in listed.items():
        hand = set(position.hands[seat])
        may, may_not = set(plays.may), {each.card for each in plays.may_not}
        assert not plays.undecided
        assert may | may_not == hand
        assert not may & may_not
        assert may or not hand
        assert all(each.clauses for each in plays.may_not)
        assert may == referee.legal(seat), (seat, sorted(may), sorted(referee.legal(seat)))
    options = [option.choice for group in ruling.options for option in group.options]
    leads = {
        (each["lead_choice"]["decision"], each["lead_choice"].get("suit")) for each in options if "lead_choice" in each
    }
    named = {each["penalty_card_designated"]["card"] for each in options if "penalty_card_designated" in each}
    waits = [each.fields["player"] for each in ruling.findings if each.kind == "lead_waits"]
    if referee.waits:
        suits = referee.suits_at_choice
        assert waits == [position.leader]
        assert position.leader not in listed
        assert leads == {(wish, suit) for wish in ("require", "forbid") for suit in suits} | {("neither", None)}
    else:
        assert not waits
        assert not leads
        assert position.turn in listed or not position.hands[position.turn]
    assert named == referee.to_be_named()
    return ruling


HANDS = {
    "E": ("SJ", "S3", "H8", "H2", "DK", "DT", "D8", "D6"),
    "W": ("S9", "S7", "HK", "H4", "DA", "D5", "CQ", "C6"),
    "S": ("SA", "SQ", "H9", "H6", "D7", "D2", "C5", "CT"),
    "N": ("SK", "ST", "HA", "HJ", "D9", "D4", "C7", "C8"),
}
PENALTY_CARDS = {
    "none": (),
    "one minor": (Exposed("E", "D8", 3),),
    "one major": (Exposed("E", "DT", 3),),
    "two in one suit": (Exposed("E", "D8", 3), Exposed("E", "D6", 4)),
    "two suits": (Exposed("E", "D8", 3), Exposed("E", "S3", 4)),
    "three in two suits": (Exposed("E", "D8", 3), Exposed("E", "D6", 3), Exposed("E", "SJ", 4)),
    "one with each defender": (Exposed("E", "DT", 3), Exposed("W", "HK", 4)),
    "two with each defender": (
        Exposed("E", "DT", 3),
        Exposed("E", "S3", 4),
        Exposed("W", "HK", 4),
        Exposed("W", "S7", 4),
    ),
}
# Who has led what to the trick, from the leader on.
TURNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "owner leads": ("E", ()),
    "owner follows with the suit": ("S", ("D7", "D5", "D9")),
    "owner follows with the suit of no penalty card": ("S", ("H9", "H4", "HJ")),
    "owner follows without the suit": ("S", ("C5", "C6", "C7")),
    "partner leads": ("W", ()),
    "partner follows with the suit": ("S", ("H9",)),
    "declarer leads": ("S", ()),
    "dummy leads": ("N", ()),
    "dummy follows": ("S", ("C5", "C6")),
}
WISHES: dict[str, Choice | None] = {
    "none yet": None,
    "require a diamond": Choice(6, "require", ("D",)),
    "require a spade": Choice(6, "require", ("S",)),
    "require a heart": Choice(6, "require", ("H",)),
    "require a club": Choice(6, "require", ("C",)),
    "forbid diamonds": Choice(6, "forbid", ("D",)),
    "forbid diamonds and spades": Choice(6, "forbid", ("D", "S")),
    "forbid hearts and spades": Choice(6, "forbid", ("H", "S")),
    "neither": Choice(6, "neither"),
}


def test_three_editions_are_tried() -> None:
    assert tuple(lawbook("2017").law.edition.line)[::-1] == EDITIONS


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("penalty", PENALTY_CARDS)
def test_every_position_leaves_a_legal_card(penalty: str, turn: str, edition: str) -> None:
    leader, played = TURNS[turn]
    hands = {seat: tuple(card for card in cards if card not in played) for seat, cards in HANDS.items()}
    for wish in WISHES.values():
        position = Position("S", "NT", 6, hands, leader, played, exposed=PENALTY_CARDS[penalty], choice=wish)
        offered = Referee(position).suits_at_choice
        if not wish or (offered and offered.issuperset(wish.suits)):
            check(position, edition)
        elif not played:
            with pytest.raises(CaseError, match="does not offer"):
                lawbook(edition).rule(position.case())


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("suit", ["D", "S"])
@pytest.mark.parametrize("first, second", [("require", "forbid"), ("forbid", "require")])
def test_nothing_is_required_and_forbidden_at_once(first: str, second: str, suit: str, edition: str) -> None:
    refused({"decision": first, "suit": "D"}, {"decision": second, "suit": suit}, edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_two_suits_are_required_at_once(edition: str) -> None:
    refused({"decision": "require", "suit": "D"}, {"decision": "require", "suit": "S"}, edition)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("decision", ["require", "forbid"])
def test_no_lead_is_both_restricted_and_free(decision: str, edition: str) -> None:
    refused({"decision": decision, "suit": "D"}, {"decision": "neither"}, edition)


def refused(first: dict[str, str], second: dict[str, str], edition: str) -> None:
    """The law does not offer these two choices together to a declarer who sees penalty cards in two suits."""
    position = Position("S", "NT", 6, HANDS, "W", exposed=PENALTY_CARDS["two suits"])
    case = position.case()
    case.document.data["choices"] = [{"lead_choice": {"player": "W", "trick": 6, **each}} for each in (first, second)]
    with pytest.raises(CaseError, match="does not offer"):
        lawbook(edition).rule(Case.from_data(case.document.data))


@pytest.mark.parametrize("edition", EDITIONS)
def test_options_carry_the_clause_for_the_number_of_cards(edition: str) -> None:
    neither = "51B2(c)" if edition == "2017" else "50D2(b)"
    expected = {
        "one major": {"require": "50D2(a)", "forbid": "50D2(a)", "neither": "50D2(b)"},
        "two in one suit": {"require": "51B1(a)", "forbid": "51B1(b)", "neither": "50D2(b)"},
        "two suits": {"require": "51B2(a)", "forbid": "51B2(b)", "neither": neither},
        "three in two suits": {"require": "51B2(a)", "forbid": "51B2(b)", "neither": neither},
    }
    for penalty, clauses in expected.items():
        position = Position("S", "NT", 6, HANDS, "W", exposed=PENALTY_CARDS[penalty])
        (group,) = check(position, edition).options
        assert {each.choice["lead_choice"]["decision"]: each.clauses[0] for each in group.options} == clauses


def random_position(chance: random.Random) -> Position:
    """A table with cards lying in front of the defenders, in any of the ways that penalty cards come to lie there."""
    trick = chance.randint(5, 13)
    left = 14 - trick
    deck = CARDS[:]
    chance.shuffle(deck)
    hands = {seat: deck[place * left : (place + 1) * left] for place, seat in enumerate(SEATS)}
    spare = deck[4 * left :]
    declarer = chance.choice(SEATS)
    strain = chance.choice(["C", "D", "H", "S", "NT"])
    defenders = [after(declarer), after(declarer, 3)]
    leader = chance.choice([*SEATS, *defenders, *defenders])
    kept: tuple[str, ...] = ()
    earlier_trick = leader in defenders and chance.random() < 0.5
    if earlier_trick:
        strain = "NT"
        led = spare[0]
        beaten = [card for card in spare[1:] if card[0] != led[0] or CARDS.index(card) < CARDS.index(led)]
        kept = (led, *beaten[:3])
        earlier_trick = len(kept) == 4
        kept = kept if earlier_trick else ()
    played: list[str] = []
    for place in range(chance.choice([0, 0, 0, 0, 1, 2, 3])):
        hand = hands[after(leader, place)]
        following = [card for card in hand if played and card[0] == played[0][0]] or hand
        card = chance.choice(following)
        hand.remove(card)
        played.append(card)
    exposed = [
        Exposed(seat, card, chance.randint(1, trick - 2), chance.random() < 0.7)
        for seat in defenders
        for card in chance.sample(hands[seat], min(len(hands[seat]), chance.choice([0, 1, 1, 2, 2, 3])))
    ]
    owner = partner(leader)
    earlier = None
    lying = sorted({each.card[0] for each in exposed if each.player == owner})
    single = Position(declarer, strain, trick, {}, leader, exposed=tuple(exposed))
    if earlier_trick and lying and Referee(single).suits_at_choice:
        earlier = random_choice(chance, trick - 1, lying)
    if chance.random() < 0.4 and earlier_trick:
        fresh = [card for card in hands[owner] if card not in {each.card for each in exposed}]
        exposed += [Exposed(owner, card, trick, chance.random() < 0.7) for card in fresh[:1]]
    frozen = {seat: tuple(cards) for seat, cards in hands.items()}
    position = Position(declarer, strain, trick, frozen, leader, tuple(played), kept, tuple(exposed), earlier)
    suits = sorted(Referee(position).suits_at_choice)
    if suits and chance.random() < 0.8:
        position = _with(position, choice=random_choice(chance, trick, suits))
    nameable = sorted(Referee(position).to_be_named())
    if nameable and chance.random() < 0.5:
        position = _with(position, named=chance.choice(nameable))
    return position


def random_choice(chance: random.Random, trick: int, suits: list[str]) -> Choice:
    decision = chance.choice(["require", "require", "forbid", "forbid", "neither"])
    count = {"require": 1, "forbid": chance.randint(1, len(suits)), "neither": 0}[decision]
    return Choice(trick, decision, tuple(chance.sample(suits, count)))


def _with(position: Position, **changes: Any) -> Position:
    return Position(**{**position.__dict__, **changes})


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_referee_agrees_on_random_positions(edition: str) -> None:
    chance = random.Random(f"penalty cards {edition}")
    checked = 0
    for number in range(RANDOM_POSITIONS):
        position = random_position(chance)
        try:
            if is_lawful(position, edition):
                check(position, edition)
                checked += 1
        except (AssertionError, CaseError) as wrong:
            raise AssertionError(f"position {number}: {position}") from wrong
    assert checked > 0.8 * RANDOM_POSITIONS


def is_lawful(position: Position, edition: str) -> bool:
    """Not one in which a lead against declarer's wish, or past a penalty card, is still to be put right."""
    book = lawbook(edition)
    facts = book.engine.run(case_facts(position.case(), book.law.vocabulary).facts).facts
    return not any(facts.get(kind) for kind in ("revoked", "acceptance_awaited", "ask penalty_card_not_played"))


def test_the_random_positions_are_of_every_sort() -> None:
    chance = random.Random("penalty cards 2017")
    positions = [random_position(chance) for _ in range(RANDOM_POSITIONS)]
    referees = [Referee(each) for each in positions]
    seen = {
        "waits for declarer": [each.waits for each in referees],
        "has a choice of suits": [len(each.suits_at_choice) > 1 for each in referees],
        "two suits forbidden": [bool(each.choice and len(each.choice.suits) > 1) for each in positions],
        "a ban goes on": [bool(each.earlier and each.earlier.decision == "forbid") for each in positions],
        "a card is to be named": [bool(each.to_be_named()) for each in referees],
        "a card was named": [bool(each.named) for each in positions],
        "a minor penalty card": [any(each.minors.values()) for each in referees],
        "unable to comply": [
            bool(
                each.choice
                and each.choice.decision == "require"
                and not any(card[0] in each.choice.suits for card in each.hands[each.leader])
            )
            for each in positions
        ],
        "both defenders have one": [len({exposed.player for exposed in each.exposed}) == 2 for each in positions],
    }
    assert {sort: sum(found) >= 10 for sort, found in seen.items()} == dict.fromkeys(seen, True)
    assert set(itertools.chain.from_iterable(each.hands for each in positions)) == set(SEATS)
