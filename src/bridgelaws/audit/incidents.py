"""Make a case of what was found in a record: the table as it stood, and what the Director would be told of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bridgelaws import notation
from bridgelaws.audit.following import Course, Suspect, tricks_before
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


def revoke(course: Course, found: Suspect) -> Report:
    move = course.moves[found.at]
    return {"revoke": {"player": move.player, "trick": move.trick}}


def lead(course: Course, found: Suspect) -> Report:
    move = course.moves[found.at]
    return {"led_out_of_turn": {"player": move.player, "card": move.card, "trick": move.trick}}


def played_on(course: Course, found: Suspect) -> Report:
    """The card that answered a lead out of turn from another hand than the next."""
    move, after = course.moves[found.next_at or 0], course.moves[found.at]
    return {"played_on": {"player": move.player, "card": move.card, "after": after.player, "trick": move.trick}}


def became_dummy(course: Course, found: Suspect) -> Report:
    move = course.moves[found.at]
    return {"out_of_turn_choice": {"player": move.player, "trick": move.trick, "decision": "become_dummy"}}


def too_early(course: Course, found: Suspect) -> Report:
    move = course.moves[found.at]
    return {"played_too_early": {"player": move.player, "card": move.card, "act": "play", "trick": move.trick}}


def fifth(course: Course, found: Suspect) -> Report:
    move = course.moves[found.at]
    return {"fifth_card": {"player": move.player, "card": move.card}}


def named_from_dummy(course: Course, found: Suspect) -> Report:
    return {"designation": {"form": "full", "card": course.moves[found.at].card}}


def exposed(player: str, card: str, trick: int, manner: str | None) -> Report:
    told: Data = {"player": player, "card": card, "trick": trick}
    return {"card_exposed": {**told, "manner": manner} if manner else told}


def not_played(course: Course, at: int, required: str | None) -> Report:
    move = course.moves[at]
    told: Data = {"player": move.player, "card": move.card, "trick": move.trick}
    return {"penalty_card_not_played": {**told, "required": required} if required else told}
