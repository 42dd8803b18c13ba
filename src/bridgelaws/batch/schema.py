"""The JSON Schema of a line that a batch writes."""

from __future__ import annotations

from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook.schemas import DIALECT, Schema, exactly

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}


def batch_schema(ruling: Schema) -> Schema:
    """One record: a ruling, or the errors of the line; with `--against`, what two editions rule differently."""
    line: Schema = {"type": "integer", "minimum": 1, "description": "The number of the case's line in the input"}
    definitions = {**ruling["$defs"], "ruling": {k: v for k, v in ruling.items() if k not in ("$schema", "$defs")}}
    definitions["errors"] = {"type": "array", "items": exactly(_problem()), "minItems": 1}
    ruled = {"line": line, "ruling": {"$ref": "#/$defs/ruling"}}
    failed = {"line": line, "errors": {"$ref": "#/$defs/errors"}}
    differs = {"line": line, "gone": _lines("before"), "come": _lines("after"), "before": _said(), "after": _said()}
    return {
        "$schema": DIALECT,
        "title": "batch",
        "type": "object",
        "if": {"required": ["errors"]},
        "then": exactly(failed),
        "else": {"if": {"required": ["ruling"]}, "then": exactly(ruled), "else": exactly(differs)},
        "$defs": definitions,
    }


def _lines(edition: str) -> Schema:
    return {"type": "array", "items": TEXT, "description": f"Lines of the ruling that only the edition {edition} has"}


def _said() -> Schema:
    """A ruling, or why that edition has none."""
    return {
        "if": {"required": ["errors"]},
        "then": exactly({"errors": {"$ref": "#/$defs/errors"}}),
        "else": {"$ref": "#/$defs/ruling"},
    }


def _problem() -> Schema:
    return {name: TEXT if isinstance(value, str) else COUNT for name, value in Diagnostic("").to_json().items()}
