"""The JSON Schema of a comparison of editions."""

from __future__ import annotations

from bridgelaws.compare.diff import Change, Group
from bridgelaws.lawbook.schemas import DIALECT, Schema, exactly

TEXT: Schema = {"type": "string"}
TEXT_OR_NOTHING: Schema = {"type": ["string", "null"]}


def diff_schema() -> Schema:
    """What `bridgelaws diff --format json` prints."""
    count: Schema = {"type": "integer", "minimum": 0}
    summary = exactly({"from": TEXT, "to": TEXT, "clauses": {"type": "object", "additionalProperties": count}})
    clause = exactly(
        {
            "id": {**TEXT, "description": "The clause's file below rules/, without its ending"},
            "title": TEXT,
            "group": {"enum": [each.value for each in Group]},
            "numbers": {"type": "array", "items": TEXT_OR_NOTHING, "description": "One an edition"},
            "gists": {"type": "array", "items": TEXT_OR_NOTHING, "description": "One an edition"},
            "steps": _list(_step()),
        }
    )
    whole = exactly(
        {
            "format": {"const": 1},
            "editions": {"type": "array", "items": TEXT, "minItems": 2},
            "summary": _list(summary),
            "clauses": _list(clause),
        }
    )
    return {"$schema": DIALECT, "title": "diff", **whole}


def _step() -> Schema:
    part = exactly({"part": TEXT, "before": TEXT, "after": TEXT})
    rule = exactly({"name": TEXT, "what": TEXT, "parts": _list(part), "before": TEXT, "after": TEXT})
    moved = exactly({"names": _list(TEXT), "to": TEXT_OR_NOTHING, "from": TEXT_OR_NOTHING})
    case = exactly({"file": TEXT, "title": TEXT, "before": _list(TEXT), "after": _list(TEXT)})
    step = exactly(
        {
            "from": TEXT,
            "to": TEXT,
            "change": {"enum": [each.value for each in Change]},
            "label": {**TEXT, "description": "The change in words, with renumbering and moves"},
            "renumbered": {"type": "boolean"},
            "split_from": {**TEXT_OR_NOTHING, "description": "The clause in which most of its rules stood before"},
            "merged_into": {**TEXT_OR_NOTHING, "description": "The clause in which most of its rules stand now"},
            "rules": {**_list(rule), "description": "Rules that are new, gone or changed"},
            "moved": {**_list(moved), "description": "Rules of this clause that stand or stood in another"},
            "words": {**_list(part), "description": "What else differs: references, notes, how sure the text is"},
            "cases": {"type": ["array", "null"], "items": case, "description": "null: no case was ruled on"},
        }
    )
    ruling = {"type": "object", "description": "As ruling.schema.json describes it"}
    found = exactly({"case": {"type": "object", "description": "A case"}, "before": ruling, "after": ruling})
    none = exactly({"none": TEXT, "proven": {"type": "boolean"}})
    described = "A table on which the two rule differently because of this clause, or the word that none was found"
    step["properties"]["witness"] = {"oneOf": [found, none], "description": described}
    return step


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}
