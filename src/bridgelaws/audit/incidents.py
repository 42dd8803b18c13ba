"""Make a case of what was found in a record: the table as it stood, and what the Director would be told of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bridgelaws import notation
from bridgelaws.audit.following import Course, Move, tricks_before
from bridgelaws.errors import LawError
from bridgelaws.located import read_file
from bridgelaws.table.contract import Contract
from bridgelaws.table.play import TRICKS

Data = dict[str, Any]
Report = Mapping[str, Mapping[str, Any]]

_PBN_SUITS = ("S", "H", "D", "C")


def table_before(course: Course, at: int, *, over: bool = False, with_hands: bool = True, trick: int = 0) -> Data:
    """The table before the move with this number, as a case gives it.

    What stands before a card that nobody can have played is left out, up to the `trick` that the case is about: the
    hands are then those after it.
    """
    record = course.record
    assert record.contract
    tricks = tricks_before(course, at)
    if any(len(cards) < 4 for _, cards in tricks[:-1]):
        tricks = tricks[: next(place for place, (_, cards) in enumerate(tricks) if len(cards) < 4) + 1]
    table: Data = {"contract": contract_text(record.contract, record.declarer)}
    astray = [move.trick for move in course.moves[:at] if not move.sound and move.trick < (trick or TRICKS + 1)]
    first = max(astray, default=0) + 1
    listed = [f"{leader}: {' '.join(cards)}" for leader, cards in tricks[first - 1 :] if cards]
    if first == 1:
        if with_hands and record.dealt:
            table["deal"] = deal_text(record.dealt)
    else:
        complete = sum(len(cards) == 4 for _, cards in tricks)
        table["trick"] = min(complete + 1, TRICKS)
        begins = next((place for place, move in enumerate(course.moves) if move.trick == first), at)
        if not listed:
            table["on_lead"] = course.moves[begins].player if begins < len(course.moves) else record.declarer
        if with_hands:
            held = {seat: course.held(seat, begins) for seat in notation.SEATS}
            table["hands"] = {seat: list(cards) for seat, cards in held.items() if cards}
    if listed:
        table["tricks"] = listed
    if over and at == len(course.moves) and sum(len(cards) == 4 for _, cards in tricks) < TRICKS:
        table["stage"] = "over"
    return table


def contract_text(contract: Contract, declarer: str | None) -> str:
    return f"{contract.level}{contract.strain}{contract.doubled} by {declarer}"


def deal_text(dealt: Mapping[str, Iterable[str]]) -> str:
    """The hands as PBN writes a deal, with `-` for those not known."""
    return "N:" + " ".join(_hand_text(dealt[seat]) if seat in dealt else "-" for seat in notation.SEATS)


def _hand_text(cards: Iterable[str]) -> str:
    held = sorted(cards, key=notation.card_order)
    return ".".join("".join(card[1] for card in held if card[0] == suit) for suit in _PBN_SUITS)


@dataclass(frozen=True)
class Incident:
    """How something in a record is told: reports, choices, and what the ruling says once it is settled."""

    reports: tuple[Report, ...]
    choices: tuple[Report, ...] = ()
    settled: Report = field(default_factory=dict)


def told(name: str, **values: str | int | None) -> Incident:
    """The incident of this name with the values of a record filled in."""
    template = _templates()[name]
    return Incident(
        tuple(_filled(each, values) for each in template["reports"]),
        tuple(_filled(each, values) for each in template.get("choices", ())),
        _filled(template.get("settled", {}), values),
    )


def told_of(name: str, move: Move, **values: str | int | None) -> Incident:
    """The incident of this name that a move is."""
    return told(name, player=move.player, card=move.card, trick=move.trick, **values)


def field_for(name: str, value: str) -> tuple[str, str]:
    """The kind and the field in which an incident tells this value."""
    return next(
        (kind, label)
        for report in _templates()[name]["reports"]
        for kind, fields in report.items()
        for label, filled in fields.items()
        if filled == f"${value}"
    )


def _filled(template: Report, values: Mapping[str, str | int | None]) -> Report:
    return {
        kind: {label: value for label, word in fields.items() if (value := _value(word, values)) is not None}
        for kind, fields in template.items()
    }


def _value(word: Any, values: Mapping[str, str | int | None]) -> Any:
    return values.get(word[1:]) if isinstance(word, str) and word.startswith("$") else word


@cache
def _templates() -> Data:
    templates: Data = read_file(Path(__file__).with_suffix(".yaml"), LawError).data
    return templates
