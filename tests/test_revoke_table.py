"""What a revoke costs, for every position of the table of Law 64, against an account written without the rules.

A record of thirteen tricks is built for each position: who revoked, who won the trick with the revoke, and which later
tricks fell to his side, won by whom and with what. The account below says what each edition makes of it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest

from bridgelaws import Case, Lawbook

EDITIONS = ("1997", "2007", "2017")
SEATS = "NESW"
REVOKE_TRICK = 6
SUIT = "D"  # the suit of the revoke
TRUMPS = "S"

# South is declarer in every position, so that each role has its seat.
OFFENDERS = ("S", "N", "E", "W")
WINNERS = ("offender", "partner", "opponent")
# Who of the revoking side wins later tricks, and with a card of the suit of the revoke or another.
LATER = {
    "nothing": (),
    "the offender, with the suit": (("offender", True),),
    "the offender, with another suit": (("offender", False),),
    "the partner, with the suit": (("partner", True),),
    "the partner, with another suit": (("partner", False),),
    "the offender, once with the suit and once not": (("offender", True), ("offender", False)),
    "the offender with the suit, the partner with another": (("offender", True), ("partner", False)),
    "the offender twice with the suit": (("offender", True), ("offender", True)),
    "the offender with another suit, the partner with the suit": (("offender", False), ("partner", True)),
}


def partner(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 2) % 4]


def left(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 1) % 4]


@dataclass(frozen=True)
class Position:
    offender: str
    winner: str
    later: str

    @property
    def later_wins(self) -> tuple[tuple[str, bool], ...]:
        return LATER[self.later]


POSITIONS = [Position(*each) for each in itertools.product(OFFENDERS, WINNERS, LATER)]


def account(position: Position, edition: str) -> int:
    """How many tricks go to the other side: that which the Laws say, told in a few lines."""
    if position.offender == "N":
        return 0  # dummy's cards are there for all to see
    later = position.later_wins
    if position.winner == "offender":
        return 2 if later else 1
    side_won = len(later) + (position.winner == "partner")
    if not side_won:
        return 0
    with_the_suit = any(who == "offender" and suit for who, suit in later)
    return 2 if edition == "1997" and with_the_suit and side_won > 1 else 1


class Deck:
    """Cards to be dealt to tricks: high ones to win with, low ones to lose with."""

    def __init__(self) -> None:
        self.left = {suit: list("23456789TJQKA") for suit in "SHDC"}

    def take(self, suit: str, *, high: bool) -> str:
        return suit + self.left[suit].pop(-1 if high else 0)

    def loser(self, suits: str) -> str:
        suit = max(suits, key=lambda each: len(self.left[each]))
        return self.take(suit if self.left[suit] else TRUMPS, high=False)


def trick(deck: Deck, winner: str, suit: str, discards: dict[str, str] | None = None) -> str:
    """A trick that `winner` leads and wins with the highest card of the suit; the others throw cards away."""
    others = "".join(each for each in "HDC" if each != suit)
    cards = [deck.take(suit, high=True)]
    seat = winner
    for _ in range(3):
        seat = left(seat)
        cards.append(deck.loser((discards or {}).get(seat, others)))
    return f"{winner}: " + " ".join(cards)


def record(position: Position) -> list[str]:
    """Thirteen tricks. Those that the revoking side does not win go to the player on the offender's left, in trumps."""
    offender, opponent = position.offender, left(position.offender)
    seats = {"offender": offender, "partner": partner(offender), "opponent": opponent}
    deck = Deck()
    # The tricks that decide come first from the deck, so that they have its high cards.
    revoke = revoke_trick(deck, position, seats)
    later = [trick(deck, seats[who], SUIT if suit else "H") for who, suit in position.later_wins]
    before = [trick(deck, opponent, TRUMPS) for _ in range(REVOKE_TRICK - 1)]
    # At last the offender shows that he had the suit.
    shown = trick(deck, opponent, TRUMPS, {offender: SUIT})
    rest = [trick(deck, opponent, TRUMPS) for _ in range(13 - REVOKE_TRICK - len(later) - 1)]
    return [*before, revoke, *later, shown, *rest]


def revoke_trick(deck: Deck, position: Position, seats: dict[str, str]) -> str:
    """A diamond led by the player on the offender's left, to which the offender plays last and does not follow."""
    leader = seats["opponent"]
    card = {leader: deck.take(SUIT, high=position.winner == "opponent")}
    partners = seats["partner"]
    card[partners] = deck.take(SUIT, high=position.winner == "partner")
    card[left(partners)] = deck.take(SUIT, high=False)
    card[position.offender] = deck.take(TRUMPS if position.winner == "offender" else "H", high=False)
    order = [leader, partners, left(partners), position.offender]
    assert order == [leader, left(leader), left(left(leader)), left(left(left(leader)))]
    return f"{leader}: " + " ".join(card[seat] for seat in order)


def case(position: Position) -> Case:
    about = {"player": position.offender, "trick": REVOKE_TRICK}
    return Case.from_data(
        {
            "table": {"contract": "4S by S", "tricks": record(position)},
            "reports": [
                {"revoke": about},
                {"revoke_noticed": {**about, "when": "in_time"}},
                {"revoke_redress": {**about, "insufficient": False}},
            ],
        }
    )


def holds_the_suit_later(tricks: list[str], offender: str) -> bool:
    for line in tricks[REVOKE_TRICK:]:
        leader, cards = line.split(": ")
        if cards.split()[(SEATS.index(offender) - SEATS.index(leader)) % 4][0] == SUIT:
            return True
    return False


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda each: f"{each.offender} {each.winner} {each.later}")
def test_what_a_revoke_costs(position: Position, edition: str, books: dict[str, Lawbook]) -> None:
    assert holds_the_suit_later(record(position), position.offender), "it was no revoke"
    ruling = books[edition].rule(case(position))
    assert ruling.questions == ()
    found = [each for each in ruling.findings if each.kind in ("tricks_transferred", "no_tricks_transferred")]
    counts = {each.fields["count"] for each in found if each.kind == "tricks_transferred"}
    due = account(position, edition)
    assert counts == ({due} if due else set())
    assert bool(due) != any(each.kind == "no_tricks_transferred" for each in found)
    if due:
        to = "EW" if position.offender in "NS" else "NS"
        assert {each.fields["to"] for each in found} == {to}


def told(position: Position) -> Case:
    """The same position when no trick is listed, and the Director answers what he is asked."""
    about = {"player": position.offender, "trick": REVOKE_TRICK}
    later = position.later_wins
    winner = "opponents" if position.winner == "opponent" else position.winner
    with_the_suit = any(who == "offender" and suit for who, suit in later)
    return Case.from_data(
        {
            "table": {"contract": "4S by S", "stage": "over"},
            "reports": [
                {"revoke": about},
                {"after_revoke": {**about, "side_did": "played"}},
                {"revoke_trick_won": {**about, "by": winner}},
                {"later_trick_won": {**about, "won": bool(later)}},
                {"won_with_playable": {**about, "won": with_the_suit}},
                {"another_trick_won": {**about, "won": len(later) > 1}},
                {"revoke_noticed": {**about, "when": "in_time"}},
                {"revoke_redress": {**about, "insufficient": False}},
            ],
        }
    )


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda each: f"{each.offender} {each.winner} {each.later}")
def test_the_director_can_answer_instead_of_listing_the_tricks(
    position: Position, edition: str, books: dict[str, Lawbook]
) -> None:
    ruling = books[edition].rule(told(position))
    assert ruling.questions == ()
    counts = [each.fields["count"] for each in ruling.findings if each.kind == "tricks_transferred"]
    due = account(position, edition)
    assert counts == ([due] if due else [])


@pytest.mark.parametrize("edition", EDITIONS)
def test_tricks_before_the_revoke_are_never_transferred(edition: str, books: dict[str, Lawbook]) -> None:
    """West won every trick before his revoke, and none from it on."""
    position = Position("W", "opponent", "nothing")
    tricks = record(position)
    tricks[: REVOKE_TRICK - 1] = [f"W: {line.split(': ')[1]}" for line in tricks[: REVOKE_TRICK - 1]]
    data = {
        "table": {"contract": "4S by S", "tricks": tricks},
        "reports": [
            {"revoke": {"player": "W", "trick": REVOKE_TRICK}},
            {"revoke_redress": {"player": "W", "trick": REVOKE_TRICK, "insufficient": False}},
        ],
    }
    ruling = books[edition].rule(Case.from_data(data))
    reasons = {each.fields["reason"] for each in ruling.findings if each.kind == "no_tricks_transferred"}
    assert reasons == {"none_won"}
