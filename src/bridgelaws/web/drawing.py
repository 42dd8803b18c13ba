"""What a page draws of a case, as JSON: the hands, what the Director was told, and a ruling line by line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bridgelaws.engine.program import Fact
from bridgelaws.lawbook.schemas import Schema, exactly
from bridgelaws.lawbook.sentences import fact_sentence
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.notation import SEAT_NAMES, SEATS, SUIT_SYMBOLS
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.ruling.text import Line, lines_beside
from bridgelaws.table.case import Case, case_facts
from bridgelaws.table.play import Trick
from bridgelaws.table.table import Table, role

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_YES_NO: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}


def scene_json(case: Case, vocabulary: Vocabulary) -> dict[str, Any]:
    """The table of a case, the sentences of its reports and choices, and the cards that these are about."""
    given = case.document.data.get("regulations") or {}
    facts = [
        fact
        for fact in case_facts(case, vocabulary).facts
        if vocabulary[fact.kind].source in ("report", "choice") or fact.kind in given
    ]
    told = [fact_sentence(fact, vocabulary) for fact in facts]
    return {"table": _table_json(case.table), "marked": sorted(_cards(facts, vocabulary)), "told": told}


def _cards(facts: Iterable[Fact], vocabulary: Vocabulary) -> set[str]:
    return {
        str(value)
        for fact in facts
        for name, value in vocabulary[fact.kind].values(fact).items()
        if vocabulary[fact.kind].fields[name].type.name == "card"
    }


def _table_json(table: Table) -> dict[str, Any]:
    """`hands` is empty where no card is known."""
    known = any(holding.cards for holding in table.holdings.values())
    return {
        "contract": _contract(table),
        "now": table.now if table.stage == "play" else None,
        "hands": {seat: _hand_json(seat, table) for seat in SEATS} if known else {},
        "tricks": [_trick_json(each) for each in table.tricks],
    }


def _contract(table: Table) -> str:
    if table.contract is None:
        return {"auction": "During the auction", "over": "The play is over"}.get(table.stage, "In the play")
    strain = SUIT_SYMBOLS.get(table.contract.strain, "NT")
    declarer = f" by {SEAT_NAMES[table.declarer]}" if table.declarer else ""
    return f"{table.contract.level}{strain}{table.contract.doubled.replace('X', '×')}{declarer}"


def _hand_json(seat: str, table: Table) -> dict[str, Any]:
    holding = table.holdings[seat]
    return {
        "role": role(seat, table.declarer) or "",
        "to_play": table.turn == seat,
        "cards": list(holding.cards),
        "complete": holding.is_complete,
    }


def _trick_json(trick: Trick) -> dict[str, Any]:
    played = [{"seat": seat, "card": card} for seat, card in zip(trick.players, trick.cards, strict=True)]
    return {"number": trick.number, "played": played, "winner": trick.winner or ""}


def lines_json(ruling: Ruling, beside: Iterable[Ruling], *, advice: bool = True) -> list[dict[str, Any]]:
    """The ruling as a Director reads it out, beside others."""
    return [line_json(line) for line in lines_beside(ruling, beside) if advice or line.part != "advice"]


def line_json(line: Line) -> dict[str, Any]:
    return {"text": line.text, "clauses": list(line.clauses), "part": line.part, "indent": line.indent}


def scene_schema() -> dict[str, Schema]:
    hand = exactly({"role": _TEXT, "to_play": _YES_NO, "cards": _TEXTS, "complete": _YES_NO})
    played = {"type": "array", "items": exactly({"seat": _TEXT, "card": _TEXT})}
    trick = exactly({"number": _COUNT, "played": played, "winner": _TEXT})
    table = exactly(
        {
            "contract": _TEXT,
            "now": {"type": ["integer", "null"], "description": "The number of the trick in progress"},
            "hands": {"type": "object", "additionalProperties": hand, "description": "Empty if no card is known"},
            "tricks": {"type": "array", "items": trick},
        }
    )
    marked = {**_TEXTS, "description": "The cards that the reports are about"}
    return {"table": table, "marked": marked, "told": _TEXTS}


def lines_schema() -> Schema:
    return {"type": "array", "items": exactly({"text": _TEXT, "clauses": _TEXTS, "part": _TEXT, "indent": _COUNT})}
