"""The types a field may have: what may be written, what it means inside, and how it is said aloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bridgelaws import notation
from bridgelaws.engine.program import Value
from bridgelaws.errors import nearest, quoted

MAX_COUNT = 99


class NotAValue(Exception):
    """Text that is no value of the type; `message` says so in bridge words, `hint` what to write instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True)
class FieldType:
    """`domain` lists the values in the order to ask about them; `parts` the components that patterns may test."""

    name: str
    noun: str
    domain: tuple[str | int | bool, ...]
    _read: Callable[[str], str | int | bool | None]
    _say: Callable[[str | int | bool], str]
    example: str
    ordered: bool = False
    parts: Mapping[str, tuple[str, Mapping[str, str | int]]] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)

    def read(self, raw: object) -> str | int | bool:
        """The value that a scalar from a file stands for."""
        if isinstance(raw, str):
            text = raw
        elif isinstance(raw, bool):
            text = "true" if raw else "false"
        elif isinstance(raw, int):
            text = str(raw)
        else:
            raise NotAValue(f"a {self.noun} is one word, not a {_collection(raw)}", f"write for example {self.example}")
        value = self._read(text)
        if value is None:
            hint = nearest(text, map(str, self.domain)) if self.name == "one_of" else ""
            raise NotAValue(f"{quoted(text)} is no {self.noun}", hint or f"write for example {self.example}")
        return value

    def say(self, value: Value, *, article: bool = False) -> str:
        """The value as an announcement says it; with `article`, a suit as one card of it ("a diamond")."""
        if value is None:
            return _UNGIVEN.get(self.name, "…")
        if article and self.name == "suit":
            return f"a {notation.SUIT_NAMES[str(value)][:-1]}"
        return self._say(value)

    def written(self, value: Value) -> Value:
        """The value as files and JSON write it."""
        return notation.rank_letter(value) if self.name == "rank" and isinstance(value, int) else value


_UNGIVEN = {"seat": "someone", "side": "a side", "suit": "some suit", "rank": "some rank", "card": "some card"}


def _collection(raw: object) -> str:
    return "list" if isinstance(raw, list) else "map" if isinstance(raw, dict) else "blank"


def _yes_no(text: str) -> bool | None:
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower())


def _count(text: str) -> int | None:
    # Longer text is too large a number, and Python refuses to read thousands of digits.
    short = len(text) <= len(str(MAX_COUNT)) and text.isascii() and text.isdigit()
    return int(text) if short else None


_CARD_PARTS: Mapping[str, tuple[str, Mapping[str, str | int]]] = {
    "suit": ("suit", notation.SUIT_OF),
    "rank": ("rank", notation.RANK_OF),
}

SEAT = FieldType("seat", "seat", notation.SEATS, notation.seat, lambda v: notation.SEAT_NAMES[str(v)], "N or North")
SIDE = FieldType("side", "side", notation.SIDES, notation.side, lambda v: notation.SIDE_NAMES[str(v)], "NS")
SUIT = FieldType("suit", "suit", notation.SUITS, notation.suit, lambda v: notation.SUIT_NAMES[str(v)], "D or diamonds")
RANK = FieldType(
    "rank", "rank", notation.RANKS, notation.rank, lambda v: notation.rank_letter(int(v)), "T, 9 or ace", True
)
CARD = FieldType(
    "card", "card", notation.CARDS, notation.card, lambda v: notation.card_symbol(str(v)), "D8", parts=_CARD_PARTS
)
YES_NO = FieldType("yes_no", "yes or no", (True, False), _yes_no, lambda v: "yes" if v else "no", "true")
COUNT = FieldType("count", "number", tuple(range(14)), _count, str, "3", True)

PLAIN_TYPES = {each.name: each for each in (SEAT, SIDE, SUIT, RANK, CARD, YES_NO, COUNT)}
TYPE_NAMES = (*PLAIN_TYPES, "one_of")


def one_of(values: Mapping[str, str]) -> FieldType:
    """The type of a field that names its own values, each with the phrase that says it."""
    phrases = dict(values)
    return FieldType(
        "one_of",
        "value of this field",
        tuple(phrases),
        lambda text: text if text in phrases else None,
        lambda value: phrases[str(value)],
        next(iter(phrases)),
        phrases=phrases,
    )
