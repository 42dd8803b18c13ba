"""How far a search goes. What it does not find may still lie beyond these bounds (docs/verification.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bridgelaws import notation
from bridgelaws.errors import UsageError

MOST_CARDS = 6
MOST_REPORTS = 6
_LAST_TRICK = 13


@dataclass(frozen=True)
class Bounds:
    """At most so many cards a hand and so many reports and choices, over the cards of a small deck.

    Trumps, if any, are spades. Two honours and two small cards a suit show every relation of rank that rules test.
    """

    cards: int = 3
    reports: int = 3
    suits: tuple[str, ...] = ("S", "H", "D")
    ranks: tuple[int, ...] = (14, 10, 6, 2)

    def __post_init__(self) -> None:
        for name, value, most in (("cards", self.cards, MOST_CARDS), ("reports", self.reports, MOST_REPORTS)):
            if not 1 <= value <= most:
                raise UsageError(f"a search with {value} {name} is none", f"write a number from 1 to {most}")

    def growing(self) -> Iterator[Bounds]:
        """Smaller bounds first, in which most that there is to find is found soon, and at last these."""
        small_deck = replace(self, suits=("S", "H"))
        few = replace(small_deck, reports=min(2, self.reports))
        fewest = replace(few, cards=min(2, self.cards), reports=1, ranks=(14, 2))
        yield from dict.fromkeys((fewest, few, small_deck, self))

    def report_by_report(self) -> list[Bounds]:
        """Bounds for tables with exactly one report, two and so on: with more than one, fewer cards and ranks.

        For two reports with all the cards the searches together would take hours, and mostly of what more cards change
        nothing.
        """
        fewer = replace(self, cards=min(2, self.cards), ranks=(self.ranks[0], self.ranks[-1]))
        return [replace(self, reports=1), *(replace(fewer, reports=each) for each in range(2, self.reports + 1))]

    @property
    def deck(self) -> tuple[str, ...]:
        return tuple(card for card in notation.CARDS if card[0] in self.suits and notation.RANK_OF[card] in self.ranks)

    @property
    def first_tricks(self) -> tuple[int, ...]:
        """The tricks with which the list of tricks may begin: the first, or the one from which hands are complete."""
        return (1, _LAST_TRICK + 1 - self.cards)

    def trick_numbers(self, first: int) -> tuple[int, ...]:
        """The trick with which the list begins, and the one after it."""
        return tuple(range(first, min(first + 1, _LAST_TRICK) + 1))

    def __str__(self) -> str:
        fewer = "" if len(self.deck) == len(Bounds().deck) else f", a deck of {len(self.deck)}"
        return f"{_counted(self.cards, 'card')} a hand, {_counted(self.reports, 'report')}{fewer}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
