"""A table as text: the hands as they sit, the contract in the middle, the tricks below."""

from __future__ import annotations

from collections.abc import Iterator

from bridgelaws.notation import SEAT_NAMES, SUIT_SYMBOLS, card_symbol
from bridgelaws.table.table import Table

_SUITS_AS_HELD = ("S", "H", "D", "C")
_NO_CARDS = "–"


def picture(table: Table) -> list[str]:
    """The lines of the picture; of a table of which no card is known, only what is known."""
    known = any(holding.cards for holding in table.holdings.values())
    board = list(_board(table)) if known else [_middle(table)]
    return [*board, *_tricks(table)]


def _board(table: Table) -> Iterator[str]:
    hands = {seat: _hand(table, seat) for seat in SEAT_NAMES}
    middle = f"[{_middle(table)}]"
    indent = " " * (len(hands["W"]) + 2)
    yield f"{indent}{hands['N']}"
    yield f"{hands['W']}  {middle}  {hands['E']}"
    yield f"{indent}{hands['S']}"


def _hand(table: Table, seat: str) -> str:
    holding = table.holdings[seat]
    suits = [
        SUIT_SYMBOLS[suit] + "".join(card[1] for card in holding.cards if card[0] == suit)
        for suit in _SUITS_AS_HELD
        if any(card[0] == suit for card in holding.cards)
    ]
    more = "" if holding.is_complete or not holding.cards else " …"
    return f"{SEAT_NAMES[seat]} {' '.join(suits) or ('no cards' if holding.is_complete else _NO_CARDS)}{more}"


def _middle(table: Table) -> str:
    if table.contract is None:
        return {"auction": "during the auction", "over": "the play is over"}.get(table.stage, "in the play")
    strain = SUIT_SYMBOLS.get(table.contract.strain, "NT")
    by = f" by {SEAT_NAMES[table.declarer]}" if table.declarer else ""
    now = {"auction": ", before the play", "over": ", the play is over"}.get(table.stage, f", trick {table.now}")
    turn = f", {SEAT_NAMES[table.turn]} to play" if table.stage == "play" and table.turn else ""
    return f"{table.contract.level}{strain}{table.contract.doubled}{by}{now}{turn}"


def _tricks(table: Table) -> Iterator[str]:
    for trick in table.tricks:
        cards = " ".join(f"{seat} {card_symbol(card)}" for seat, card in zip(trick.players, trick.cards, strict=True))
        won = f", won by {SEAT_NAMES[trick.winner]}" if trick.winner else ""
        yield f"trick {trick.number}: {cards}{won}"
