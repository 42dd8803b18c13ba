"""The JSON Schema of a line that an audit writes."""

from __future__ import annotations

from bridgelaws.audit.following import Kind
from bridgelaws.batch.schema import COUNT, TEXT, batch_schema
from bridgelaws.lawbook.schemas import DIALECT, Schema, exactly
from bridgelaws.notation import CARDS, SEATS


def audit_schema(ruling: Schema) -> Schema:
    """One record: what was found on a board, or the errors for which it could not be followed."""
    line: Schema = {"type": "integer", "minimum": 1}
    trick: Schema = {"type": "integer", "minimum": 1, "maximum": 13}
    seat: Schema = {"enum": list(SEATS)}
    card: Schema = {"enum": list(CARDS)}
    errors: Schema = {"$ref": "#/$defs/errors"}
    irregularity = {
        "kind": {"enum": [each.value for each in Kind]},
        "player": {**seat, "description": "Whose card it was; for a card of dummy, dummy"},
        "card": card,
        "trick": trick,
        "line": {**line, "description": "The line of the file where the card stands"},
        "shown_by": {
            "type": "array",
            "items": {"enum": ["cards", "mark", "note"]},
            "description": "The cards show it, the record marks it, or a note in the record tells of a penalty card",
        },
        "text": TEXT,
        "established": {
            "description": "The card with which a revoke was established, if the record shows that",
            "anyOf": [{"type": "null"}, exactly({"trick": trick, "player": seat, "card": card})],
        },
        "case": {"type": ["object", "null"], "description": "The case that was ruled on: see case.schema.json"},
        "ruling": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/ruling"}]},
        "errors": {"type": "array", "items": {"$ref": "#/$defs/error"}, "description": "Why there is no ruling"},
    }
    definitions = dict(batch_schema(ruling)["$defs"])
    definitions["error"] = definitions["errors"]["items"]
    board = {
        "board": {**TEXT, "description": "The name of the board in the record, or nothing"},
        "line": {**line, "description": "The line of the file where the board begins"},
        "edition": TEXT,
        "cards": {**COUNT, "description": "The cards of the play that the record gives"},
        "tricks": {**COUNT, "maximum": 13, "description": "The complete tricks that could be followed"},
        "irregularities": {"type": "array", "items": exactly(irregularity)},
        "remarks": {"type": "array", "items": exactly({"line": line, "text": TEXT})},
    }
    return {
        "$schema": DIALECT,
        "title": "audit",
        "type": "object",
        "if": {"required": ["errors"]},
        "then": exactly({"line": line, "errors": errors}),
        "else": exactly(board),
        "$defs": definitions,
    }
