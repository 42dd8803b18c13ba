"""A claim as it is typed: who claims, and the line of play that he states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bridgelaws import notation
from bridgelaws.errors import nearest
from bridgelaws.table.contract import Declarer
from bridgelaws.table.reading import Entry, quoted

if TYPE_CHECKING:
    from bridgelaws.claims.ending import Step

_KEYS = ("by", "line")
_CLAIM_HINT = "write who claims, as 'S', or 'by: S' with the 'line' that he stated"
_LINE_HINT = (
    "write the steps in order, each a card, a suit, 'draw trumps', 'ruff with S9' or 'discard D2', as [draw trumps, DA]"
)
_DRAW_TRUMPS = r"(draw(s|ing)? )?(the )?trumps?"
_THROW = r"(ruff(s|ing)? with|(discard|throw)(s|ing)?) (the )?(?P<card>.+)"


class Claim(NamedTuple):
    """Who claims, and what he said that he would play, in that order."""

    by: str
    line: tuple[Step, ...] = ()


def read_claim(entry: Entry, declarer: Declarer) -> Claim | None:
    """The claim, from a seat alone or a map; what cannot be read is a fault where it stands."""
    if isinstance(entry.value, str):
        by = declarer.seat_named(entry, entry.value)
        return Claim(by) if by else None
    if not isinstance(entry.value, dict):
        entry.misplaced("the claim belongs", _CLAIM_HINT)
        return None
    by = None
    line: tuple[Step, ...] = ()
    for key, child in entry.keyed():
        if key == "by":
            text = child.text("the claimer belongs", "write N, E, S or W")
            by = None if text is None else declarer.seat_named(child, text)
        elif key == "line":
            line = _line(child)
        else:
            child.fault(f"a claim has no {quoted(key)}", nearest(key, _KEYS), at_key=True)
    if "by" not in entry.value:
        entry.fault("the claim does not say who claims", _CLAIM_HINT)
    return Claim(by, line) if by else None


def _line(entry: Entry) -> tuple[Step, ...]:
    if isinstance(entry.value, list):
        told = [(child, child.text("a step of the line belongs", _LINE_HINT)) for child in entry.listed()]
    else:
        text = entry.text("the line belongs", _LINE_HINT)
        told = [(entry, part) for part in (text or "").split(",")] if text is not None else []
    return tuple(step for child, text in told if text is not None and (step := _step(child, text)) is not None)


def _step(entry: Entry, text: str) -> Step | None:
    # Few tables have a claim.
    from bridgelaws.claims.ending import DrawTrumps, PlayCard, PlaySuit, ThrowCard

    words = " ".join(text.split())
    if re.fullmatch(_DRAW_TRUMPS, words, re.IGNORECASE):
        return DrawTrumps()
    card = notation.card(words)
    if card:
        return PlayCard(card)
    suit = notation.suit(words)
    if suit:
        return PlaySuit(suit)
    throw = re.fullmatch(_THROW, words, re.IGNORECASE)
    thrown = notation.card(throw["card"]) if throw else None
    if thrown:
        return ThrowCard(thrown)
    entry.fault(f"{quoted(text)} is no step of a line", _LINE_HINT)
    return None
