"""The tables on which two editions rule differently, as a page shows them: found beforehand, a search takes long."""

from __future__ import annotations

from typing import Any

from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.schemas import Schema, exactly
from bridgelaws.solving.beforehand import found_beforehand
from bridgelaws.table.case import Case
from bridgelaws.web.drawing import lines_schema, scene_json, scene_schema

FORMAT = 1


def witnesses_json(first: str, second: str, law: Law, *, drafted: bool) -> dict[str, Any]:
    """For each clause a table, what was told there, and what each edition rules; or that none was found.

    They were found in the law as it is shipped, so there are none beside a draft.
    """
    found = None if drafted else found_beforehand(first, second)
    note = ""
    if drafted:
        note = "Tables were looked for in the law without the draft; bridgelaws diff --witness looks in the draft."
    elif found is None:
        note = "Nobody has looked for tables for these two; bridgelaws diff --witness does."
    witnesses = [{"clause": clause, **_shown(each, law)} for clause, each in (found or {}).items()]
    return {"format": FORMAT, "editions": [first, second], "note": note, "witnesses": witnesses}


def _shown(found: dict[str, Any], law: Law) -> dict[str, Any]:
    if "case" not in found:
        return {"none": found["none"], "proven": found["proven"]}
    scene = scene_json(Case.from_data(found["case"], "<witness>"), law.vocabulary)
    return {"case": found["case"], "scene": scene, "before": found["before"], "after": found["after"]}


def witnesses_schema() -> Schema:
    text: Schema = {"type": "string"}
    scene = exactly(scene_schema())
    shown = {"clause": text, "case": {"type": "object"}, "scene": scene}
    some = exactly({**shown, "before": lines_schema(), "after": lines_schema()})
    none = exactly({"clause": text, "none": text, "proven": {"type": "boolean"}})
    each = {"type": "array", "items": {"oneOf": [some, none]}}
    editions = {"type": "array", "items": text, "minItems": 2, "maxItems": 2}
    return exactly({"format": {"const": FORMAT}, "editions": editions, "note": text, "witnesses": each})
