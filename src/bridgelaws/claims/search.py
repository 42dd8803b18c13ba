"""Play an ending in every way that is legal and that the claimer's words allow, and tell what can come of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from bridgelaws import notation
from bridgelaws.claims.ending import DrawTrumps, Ending, PlayCard, PlaySuit, ThrowCard

# For speed a hand is a number with a bit for each card, a seat is its place in the rotation, and a position at
# somebody's turn is a tuple: the four hands, the leader, the cards of the trick in progress, and how far the claimer
# has come in the line that he stated.
_Position = tuple[tuple[int, int, int, int], int, tuple[int, ...], int]
# What can come of a position: the outcomes (again a bit for each number), alone, at_most and trump_wins.
_Reach = tuple[int, int, int, bool]

# Suit by suit, and in each from the two up.
_CARDS = notation.CARDS
_NUMBER = {card: number for number, card in enumerate(_CARDS)}
_RANKS = len(notation.RANK_LETTERS)
_SUIT_BITS = tuple((1 << _RANKS) - 1 << _RANKS * place for place in range(len(notation.SUITS)))
_SUIT_PLACE = {suit: place for place, suit in enumerate(notation.SUITS)}
_NOTHING_LEFT: _Reach = (1, 0, 0, False)
_FULL = len(notation.SEATS)


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A trick of a line of play: the four cards in the order played, from the leader on."""

    leader: str
    cards: tuple[str, ...]
    winner: str


@dataclass(frozen=True, slots=True)
class Prospects:
    """What can come of an ending, in tricks of the claimer's side, among those not yet complete.

    `outcomes` are the numbers to which the opponents, playing their best, can hold some way of playing that is open to
    the claimer's side. The smallest cannot be undercut by any play of anyone; the largest is what the best play wins.
    `alone` is what the claimer wins whatever his partner plays (the largest of the outcomes, if he plays both hands).
    `at_most` is what the side wins if everyone helps it. `trump_wins`: an opponent can win a trick with a trump.
    """

    outcomes: tuple[int, ...]
    alone: int
    at_most: int
    trump_wins: bool

    @property
    def least(self) -> int:
        return self.outcomes[0]

    @property
    def most(self) -> int:
        return self.outcomes[-1]


class Search:
    """Every line of an ending, found once and kept."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending
        self._side = tuple(seat in ending.side for seat in notation.SEATS)
        self._own = tuple(seat in ending.own for seat in notation.SEATS)
        self._trumps = _SUIT_PLACE[ending.trumps] if ending.trumps else None
        self._named = _bits(step.card for step in ending.line if isinstance(step, PlayCard | ThrowCard))
        self._known: dict[_Position, _Reach] = {}
        north, east, south, west = (_bits(ending.hands[seat]) for seat in notation.SEATS)
        trick = tuple(_NUMBER[card] for card in ending.trick)
        self._start: _Position = ((north, east, south, west), notation.SEATS.index(ending.leader), trick, 0)

    @cached_property
    def prospects(self) -> Prospects:
        outcomes, alone, at_most, trump_wins = self._reach(self._start)
        return Prospects(tuple(_bits_of(outcomes)), alone, at_most, trump_wins)

    def line(self, outcome: int) -> tuple[PlayedTrick, ...]:
        """A line on which the claimer's side wins this many tricks, one of the outcomes, against the best defence."""
        if outcome not in self.prospects.outcomes:
            raise ValueError(f"no line of play has {outcome} tricks for its outcome")
        tricks: list[PlayedTrick] = []
        position, wanted = self._start, outcome
        while any(position[0]):
            _, leader, trick, _ = position
            open_to_play = [
                (card, after, won)
                for card, after, won in self._children(position)
                if self._reach(after)[0] << won >> wanted & 1
            ]
            if not self._side[(leader + len(trick)) % _FULL]:
                # Of cards with the same outcome the opponents play the one that leaves the claimer least.
                open_to_play.sort(key=lambda each: (self._reach(each[1])[0] << each[2]).bit_length())
            card, position, won = open_to_play[0]
            wanted -= won
            if len(trick) + 1 == _FULL:
                cards = tuple(_CARDS[each] for each in (*trick, card))
                tricks.append(PlayedTrick(notation.SEATS[leader], cards, notation.SEATS[position[1]]))
        return tuple(tricks)

    def _reach(self, position: _Position) -> _Reach:
        if not any(position[0]):
            return _NOTHING_LEFT
        known = self._known.get(position)
        if known is None:
            known = self._worked_out(position)
            # Positions within a trick are many and seldom come twice.
            if not position[2]:
                self._known[position] = known
        return known

    def _worked_out(self, position: _Position) -> _Reach:
        _, leader, trick, _ = position
        turn = (leader + len(trick)) % _FULL
        every, bound, trump_wins = 0, 99, False
        alones: list[int] = []
        most = 0
        for card, after, won in self._children(position):
            outcomes, alone, at_most, trump_won = self._reach(after)
            outcomes <<= won
            every |= outcomes
            bound = min(bound, outcomes.bit_length())
            alones.append(alone + won)
            most = max(most, at_most + won)
            trump_wins = trump_wins or trump_won or (len(trick) == _FULL - 1 and not won and self._ruffed(trick, card))
        if not self._side[turn]:
            # Whatever the claimer plans to answer to each card, the opponents choose the one that holds him to least.
            every &= (1 << bound) - 1
        return every, max(alones) if self._own[turn] else min(alones), most, trump_wins

    def _ruffed(self, trick: tuple[int, ...], last: int) -> bool:
        """Whether a trump wins the trick."""
        return any(card // _RANKS == self._trumps for card in (*trick, last))

    def _children(self, position: _Position) -> Iterator[tuple[int, _Position, int]]:
        """Each card that may be played now, the position after it, and the tricks (none or one) it wins the side."""
        hands, leader, trick, _ = position
        turn = (leader + len(trick)) % _FULL
        cards, step = self._plays(position, turn)
        for card in cards:
            left = hands[turn] & ~(1 << card)
            rest = (
                left if turn == 0 else hands[0],
                left if turn == 1 else hands[1],
                left if turn == 2 else hands[2],
                left if turn == 3 else hands[3],
            )
            after = step + 1 if self._named >> card & 1 and self._is_stated(step, card) else step
            if len(trick) + 1 < _FULL:
                yield card, (rest, leader, (*trick, card), after), 0
            else:
                winner = (leader + _winning((*trick, card), self._trumps)) % _FULL
                yield card, (rest, winner, (), after), int(self._side[winner])

    def _is_stated(self, step: int, card: int) -> bool:
        line = self.ending.line
        return step < len(line) and line[step] in (PlayCard(_CARDS[card]), ThrowCard(_CARDS[card]))

    def _plays(self, position: _Position, turn: int) -> tuple[list[int], int]:
        """The cards that may be played now, and how far the claimer has come in his line."""
        hands, _, trick, step = position
        hand = hands[turn]
        legal = (hand & _SUIT_BITS[trick[0] // _RANKS] if trick else 0) or hand
        if self._own[turn] and self.ending.line:
            step = self._step_now(hands, step)
            legal = self._as_stated(legal, trick, step)
        if self._own[turn] and self.ending.from_the_top and not trick:
            legal = sum(1 << (legal & suit).bit_length() - 1 for suit in _SUIT_BITS if legal & suit)
        cards = self._told_apart(legal, hands, hand, trick)
        # A line reads best with high cards led and low ones played.
        return (cards if trick else cards[::-1]), step

    def _as_stated(self, legal: int, trick: tuple[int, ...], step: int) -> int:
        """What is left of the legal cards for a claimer who is at this step of his line."""
        match self.ending.line[step] if step < len(self.ending.line) else None:
            case PlayCard(card):
                number = _NUMBER[card]
                forced = legal >> number & 1 and (not trick or trick[0] // _RANKS == number // _RANKS)
                return 1 << number if forced else legal
            case ThrowCard(card):
                number = _NUMBER[card]
                thrown = legal >> number & 1 and trick and trick[0] // _RANKS != number // _RANKS
                return 1 << number if thrown else legal & ~(1 << number) or legal
            case PlaySuit(suit) if not trick:
                return legal & _SUIT_BITS[_SUIT_PLACE[suit]] or legal
            case DrawTrumps() if not trick and self._trumps is not None:
                return legal & _SUIT_BITS[self._trumps] or legal
        return legal

    def _step_now(self, hands: tuple[int, int, int, int], step: int) -> int:
        """The first step, from the one reached on, that is not yet done and can still be taken."""
        held = against = 0
        for place, hand in enumerate(hands):
            held |= hand if self._own[place] else 0
            against |= 0 if self._side[place] else hand
        while step < len(self.ending.line) and not self._is_open(step, held, against):
            step += 1
        return step

    def _is_open(self, step: int, held: int, against: int) -> bool:
        match self.ending.line[step]:
            case PlayCard(card) | ThrowCard(card):
                return bool(held >> _NUMBER[card] & 1)
            case PlaySuit(suit):
                return bool(held & _SUIT_BITS[_SUIT_PLACE[suit]])
            case DrawTrumps():
                bits = _SUIT_BITS[self._trumps] if self._trumps is not None else 0
                return bool(held & bits and against & bits)

    def _told_apart(self, legal: int, hands: tuple[int, int, int, int], hand: int, trick: tuple[int, ...]) -> list[int]:
        """One of each run of these cards between which nobody else has a card, from the lowest up.

        INVARIANT: between two cards of one hand that follow each other among all cards held or in the trick in
        progress, only the rank differs: whichever of them is played, the same can come of it. A card that the claimer
        named is told apart from all others.
        """
        cards = list(_bits_of(legal))
        if len(cards) == 1:
            return cards
        others = hands[0] | hands[1] | hands[2] | hands[3]
        for card in trick:
            others |= 1 << card
        others &= ~hand
        kept: list[int] = []
        before = -1
        for card in cards:
            if self._named >> card & 1:
                kept.append(card)
                continue
            # The bits from the last card kept up to this one.
            between = (1 << card) - (1 << before) if before >= 0 else 0
            if before < 0 or before // _RANKS != card // _RANKS or others & between:
                kept.append(card)
            before = card
        return kept


def _winning(trick: tuple[int, ...], trumps: int | None) -> int:
    """The place of the card that wins a trick."""
    best = 0
    for place in range(1, len(trick)):
        card, top = trick[place], trick[best]
        same = card // _RANKS == top // _RANKS
        if (same and card > top) or (not same and card // _RANKS == trumps):
            best = place
    return best


def _bits(cards: Iterable[str]) -> int:
    return sum(1 << _NUMBER[card] for card in cards)


def _bits_of(number: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest up."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
