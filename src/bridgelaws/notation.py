"""How seats, sides, suits, ranks and cards are written: many ways in, one way out.

Inside the program a seat is `N E S W`, a side `NS EW`, a suit `C D H S`, a rank a number from 2 to 14, and a card its
suit and rank, `D8` or `DT`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

SEATS = ("N", "E", "S", "W")
SIDES = ("NS", "EW")
SUITS = ("C", "D", "H", "S")
RANKS = tuple(range(2, 15))
RANK_LETTERS = "23456789TJQKA"
CARDS = tuple(f"{suit}{letter}" for suit in SUITS for letter in RANK_LETTERS)

SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}
SIDE_NAMES = {"NS": "North-South", "EW": "East-West"}
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

SUIT_OF = {card: card[0] for card in CARDS}
RANK_OF = {card: RANK_LETTERS.index(card[1]) + 2 for card in CARDS}

_AS_HELD = {card: place for place, card in enumerate(reversed(CARDS))}
_PARTNERS, _LEFT, _RIGHT = (
    {seat: SEATS[(place + steps) % 4] for place, seat in enumerate(SEATS)} for steps in (2, 1, 3)
)

_SEAT_WORDS = {word: seat for seat, name in SEAT_NAMES.items() for word in (seat, name.upper())}
_SIDE_WORDS = {"NS": "NS", "SN": "NS", "EW": "EW", "WE": "EW", "NORTHSOUTH": "NS", "EASTWEST": "EW"}
_SUIT_WORDS = {
    word: suit
    for suit, name in SUIT_NAMES.items()
    for word in (
        suit,
        name.upper(),
        name.upper()[:-1],
        SUIT_SYMBOLS[suit],
        {"C": "♧", "D": "♢", "H": "♡", "S": "♤"}[suit],
    )
}
_RANK_WORDS = {
    **{letter: number for number, letter in enumerate(RANK_LETTERS, start=2)},
    "10": 10,
    "TEN": 10,
    "JACK": 11,
    "QUEEN": 12,
    "KING": 13,
    "ACE": 14,
}
_CARD = re.compile(r"(?:([CDHS♣♦♥♠♧♢♡♤])\s*(10|[2-9TJQKA])|(10|[2-9TJQKA])\s*([CDHS♣♦♥♠♧♢♡♤]))\Z")
_TO_ASCII = str.maketrans(
    {symbol: suit for suit, symbol in SUIT_SYMBOLS.items()}
    | {"—": "-", "–": "-", "’": "'", "…": "...", "•": "*", "“": '"', "”": '"', "→": "->", "│": "|"}
)


def _plain(text: str) -> str:
    """Capitals without the invisible mark (U+FE0F, U+FE0E) that telephones put after a suit symbol."""
    return text.replace("\ufe0f", "").replace("\ufe0e", "").strip().upper()


def seat(text: str) -> str | None:
    """`N` for `n` or `North`; `None` for anything that is no seat. Likewise the functions below."""
    return _SEAT_WORDS.get(text) or _SEAT_WORDS.get(text.strip().upper())


def side(text: str) -> str | None:
    return _SIDE_WORDS.get(re.sub(r"[\s/-]", "", text).upper())


def suit(text: str) -> str | None:
    return _SUIT_WORDS.get(_plain(text))


def rank(text: str) -> int | None:
    return _RANK_WORDS.get(text.strip().upper())


def card(text: str) -> str | None:
    """`D8` for `D8`, `8D`, `♦8`; `DT` for `D10`, `10D`, `DT`."""
    if text in SUIT_OF:
        return text
    found = _CARD.match(_plain(text))
    if not found:
        return None
    suit_text, rank_text = (found[1], found[2]) if found[1] else (found[4], found[3])
    return f"{_SUIT_WORDS[suit_text]}{RANK_LETTERS[_RANK_WORDS[rank_text] - 2]}"


def rank_letter(number: int) -> str:
    return RANK_LETTERS[number - 2]


def card_symbol(name: str) -> str:
    """`♦8` for `D8`."""
    return f"{SUIT_SYMBOLS[name[0]]}{name[1]}"


# Sorts cards as a hand is held: spades first, high cards first.
card_order: Callable[[str], int] = _AS_HELD.__getitem__


def partner(name: str) -> str:
    return _PARTNERS[name]


def left(name: str) -> str:
    """The left-hand opponent: the next in rotation."""
    return _LEFT[name]


def right(name: str) -> str:
    return _RIGHT[name]


def side_of(name: str) -> str:
    return "NS" if name in "NS" else "EW"


def ascii_only(text: str) -> str:
    """The text for a terminal that cannot show suit symbols: `D8` for `♦8`, and `?` for what has no such letter."""
    return text.translate(_TO_ASCII).encode("ascii", "replace").decode()
