"""The table of a case as a diagram: the hands as far as they are known, the contract and the tricks so far."""

from __future__ import annotations

from collections.abc import Collection

from bridgelaws.notation import SEAT_NAMES, SEATS, SUIT_NAMES, SUIT_SYMBOLS
from bridgelaws.pages.html import Html, suited, tag, together
from bridgelaws.table.holdings import Holding
from bridgelaws.table.play import Trick
from bridgelaws.table.table import Table, role

_SUITS_AS_HELD = ("S", "H", "D", "C")


def diagram(table: Table, marked: Collection[str]) -> Html:
    """The table; cards that the reports are about are `marked`."""
    hands = [_hand(seat, table, marked) for seat in SEATS]
    known = any(holding.cards for holding in table.holdings.values())
    board = (
        tag("div", *hands, _middle(table), class_="table") if known else tag("p", _contract(table), class_="contract")
    )
    return together(board, _tricks(table.tricks))


def _hand(seat: str, table: Table, marked: Collection[str]) -> Html:
    holding = table.holdings[seat]
    part = role(seat, table.declarer)
    name = tag("b", SEAT_NAMES[seat])
    words = {"declarer": " declarer", "dummy": " dummy"}.get(part or "", "")
    turn = " to play" if table.turn == seat else ""
    title = tag("div", name, tag("small", ",".join(filter(None, (words, turn)))) if words or turn else None)
    return tag("div", title, *_suits(holding, marked), class_=f"hand {SEAT_NAMES[seat].lower()}")


def _suits(holding: Holding, marked: Collection[str]) -> list[Html]:
    if not holding.cards:
        return [tag("div", "no cards left" if holding.is_complete else "not known", class_="unknown")]
    rows: list[Html] = []
    for suit in _SUITS_AS_HELD:
        cards = [card for card in holding.cards if card[0] == suit]
        if not cards and not holding.is_complete:
            continue
        symbol = tag("span", SUIT_SYMBOLS[suit], class_=SUIT_NAMES[suit])
        ranks = [tag("mark", card[1]) if card in marked else together(card[1]) for card in cards]
        rows.append(
            tag("div", symbol, " ", *(each for rank in ranks for each in (rank, " ")), "–" if not cards else None)
        )
    if not holding.is_complete:
        rows.append(tag("div", "others not known", class_="unknown"))
    return rows


def _contract(table: Table) -> Html:
    if table.contract is None:
        return together({"auction": "During the auction", "over": "The play is over"}.get(table.stage, "In the play"))
    strain = SUIT_SYMBOLS.get(table.contract.strain, "NT")
    declarer = f" by {SEAT_NAMES[table.declarer]}" if table.declarer else ""
    return suited(f"{table.contract.level}{strain}{table.contract.doubled.replace('X', '×')}{declarer}")


def _middle(table: Table) -> Html:
    now = {"auction": "", "over": "play over"}.get(table.stage, f"trick {table.now}")
    return tag(
        "div", tag("div", _contract(table)), tag("small", now) if now and table.contract else None, class_="middle"
    )


def _tricks(tricks: tuple[Trick, ...]) -> Html | None:
    if not tricks:
        return None
    rows = [
        tag(
            "li",
            together(
                *(
                    _played(seat, card, seat == trick.winner)
                    for seat, card in zip(trick.players, trick.cards, strict=True)
                )
            ),
            value=str(trick.number),
        )
        for trick in tricks
    ]
    return tag("div", tag("div", "Tricks", class_="label"), tag("ol", *rows), class_="tricks")


def _played(seat: str, card: str, won: bool) -> Html:
    said = suited(f"{SUIT_SYMBOLS[card[0]]}{card[1]}")
    shown = together(tag("small", seat), " ", tag("b", said) if won else said)
    return tag("span", shown, class_="won" if won else None, title=f"won by {SEAT_NAMES[seat]}" if won else None)
