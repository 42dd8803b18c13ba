"""What can come of a claim, as text to read and as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridgelaws.claims.ending import DrawTrumps, PlayCard, PlaySuit, Step, ThrowCard
from bridgelaws.claims.search import PlayedTrick, Search
from bridgelaws.notation import SEAT_NAMES, SEATS, SIDE_NAMES, SUIT_NAMES, card_symbol, side_of


def told(search: Search, first: int) -> Iterator[str]:
    """The lines of the text; `first` is the number of the trick in progress or about to begin."""
    found, ending = search.prospects, search.ending
    side = SIDE_NAMES[side_of(ending.claimer)]
    yield f"{SEAT_NAMES[ending.claimer]} claims; {_stated(ending.line)}{_from_the_top(search)}."
    if found.least == found.at_most:
        yield f"Whatever is played, {side} win {found.least} of the {_tricks(ending.tricks)} left."
        return
    yield (
        f"Of the {_tricks(ending.tricks)} left {side} win at least {found.least} whatever is played, "
        f"and {found.most} by their best play against the best defence."
    )
    if found.alone < found.most:
        yield f"Whatever his partner plays, {SEAT_NAMES[ending.claimer]} wins {found.alone}."
    if found.trump_wins:
        yield "An opponent can win a trick with a trump."
    for outcome in found.outcomes:
        yield f"A line that wins {outcome}:"
        for number, trick in enumerate(search.line(outcome), start=first):
            yield f"  trick {number}: {_played(trick)}"


def to_json(search: Search, first: int) -> dict[str, Any]:
    """The same for programs."""
    found, ending = search.prospects, search.ending
    return {
        "format": 1,
        "claimer": ending.claimer,
        "line": [_step(step) for step in ending.line],
        "from_the_top": ending.from_the_top,
        "tricks": ending.tricks,
        "least": found.least,
        "most": found.most,
        "alone": found.alone,
        "at_most": found.at_most,
        "trump_wins": found.trump_wins,
        "lines": [
            {
                "tricks": outcome,
                "play": [
                    {"trick": number, "leader": trick.leader, "cards": list(trick.cards), "winner": trick.winner}
                    for number, trick in enumerate(search.line(outcome), start=first)
                ],
            }
            for outcome in found.outcomes
        ],
    }


def _tricks(number: int) -> str:
    return "1 trick" if number == 1 else f"{number} tricks"


def _stated(line: tuple[Step, ...]) -> str:
    return f"he stated: {', '.join(map(_step, line))}" if line else "he stated no line"


def _from_the_top(search: Search) -> str:
    return "; suits are led from the top down" if search.ending.from_the_top else ""


def _step(step: Step) -> str:
    match step:
        case DrawTrumps():
            return "draw trumps"
        case PlayCard(card):
            return card_symbol(card)
        case ThrowCard(card):
            return f"{card_symbol(card)} on another suit"
        case PlaySuit(suit):
            return SUIT_NAMES[suit]


def _played(trick: PlayedTrick) -> str:
    seats = [SEATS[(SEATS.index(trick.leader) + place) % len(SEATS)] for place in range(len(SEATS))]
    cards = ", ".join(f"{seat} {card_symbol(card)}" for seat, card in zip(seats, trick.cards, strict=True))
    return f"{cards}; {SEAT_NAMES[trick.winner]} wins"
