"""An ending: the cards still held, the trick in progress, and what the claimer said that he would play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bridgelaws.notation import SEATS, partner

MOST_CARDS = 5


@dataclass(frozen=True, slots=True)
class DrawTrumps:
    """The claimer leads trumps for as long as an opponent has one."""


@dataclass(frozen=True, slots=True)
class PlaySuit:
    """The claimer leads this suit for as long as he has it."""

    suit: str


@dataclass(frozen=True, slots=True)
class PlayCard:
    """The claimer plays this card, as a lead or to a lead of its suit."""

    card: str


@dataclass(frozen=True, slots=True)
class ThrowCard:
    """The claimer keeps this card for a lead of another suit, and then ruffs with it or discards it."""

    card: str


Step = DrawTrumps | PlaySuit | PlayCard | ThrowCard


@dataclass(frozen=True)
class Ending:
    """The position in which someone claims.

    `trick` are the cards of the trick in progress in the order played, by `leader` and the hands after him. The
    claimer plays his own hand, and dummy's if he is declarer: these are the `own` hands, which his `line` binds.

    INVARIANT: every card of every hand is here, and each hand that has not yet played to the trick has as many cards
    as any other that has not, and one more than each that has.
    """

    hands: Mapping[str, frozenset[str]]
    leader: str
    trumps: str | None
    claimer: str
    own: frozenset[str]
    trick: tuple[str, ...] = ()
    line: tuple[Step, ...] = ()
    from_the_top: bool = False

    @property
    def side(self) -> frozenset[str]:
        return frozenset((self.claimer, partner(self.claimer)))

    @property
    def tricks(self) -> int:
        """How many tricks are not yet complete."""
        return max(len(self.hands[seat]) for seat in SEATS)
