"""The JSON Schemas of what only the API sends: problems, lists and the law's own contents."""

from __future__ import annotations

from bridgelaws.batch.schema import batch_schema
from bridgelaws.compare.schema import diff_schema
from bridgelaws.contract import case_schema, ruling_schema
from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.schemas import Schema, exactly
from bridgelaws.lawbook.vocabulary import SOURCES

TEXT: Schema = {"type": "string"}
YES_NO: Schema = {"type": "boolean"}
FORMAT: Schema = {"const": 1}
COMPONENTS = "#/components/schemas/"


def components(law: Law, most: int) -> dict[str, Schema]:
    """Every schema by its name: those of `schemas/`, and these; definitions within one become schemas of their own."""
    case = _as_sent(case_schema(law.vocabulary))
    found: dict[str, Schema] = {}
    for name, schema in {
        "case": case,
        "ruling": ruling_schema(),
        "record": batch_schema(ruling_schema()),
        "diff": diff_schema(),
    }.items():
        for inner, definition in schema.get("$defs", {}).items():
            found[f"{name}.{inner}"] = _moved(definition, name)
        found[name] = _moved({key: value for key, value in schema.items() if key not in ("$schema", "$defs")}, name)
    return {
        **found,
        "cases": {"type": "array", "items": _ref("case"), "maxItems": most},
        "records": exactly({"format": FORMAT, "records": _list(_ref("record"))}),
        "questions": exactly(
            {"format": FORMAT, "edition": TEXT, "engine": TEXT, "questions": found["ruling"]["properties"]["questions"]}
        ),
        "why_not": exactly({"format": FORMAT, "edition": TEXT, "clause": TEXT, "rules": _list(_rule())}),
        "editions": exactly({"format": FORMAT, "latest": TEXT, "editions": _list(_edition())}),
        "vocabulary": exactly({"format": FORMAT, "kinds": _list(_kind())}),
        "contents": exactly({"format": FORMAT, "clauses": _list(_clause(exactly(_version())))}),
        "clauses": exactly({"format": FORMAT, "clauses": _list(_clause(exactly({**_version(), **_rest()})))}),
        "health": exactly({"status": {"const": "ok"}, "version": TEXT, "latest": TEXT}),
        "problem": _problem(),
    }


def _as_sent(case: Schema) -> Schema:
    """The case as a server reads it: what a case file expects is skipped, and so are the words in which it does."""
    properties = {**case["properties"], "expect": {"description": "What a case file expects; nothing here reads it"}}
    definitions: dict[str, Schema] = {}
    wanted = _references(properties)
    while wanted:
        definitions |= {name: case["$defs"][name] for name in wanted}
        wanted = _references(definitions) - definitions.keys()
    return {**case, "properties": properties, "$defs": {name: case["$defs"][name] for name in sorted(definitions)}}


def _references(schema: object) -> set[str]:
    """The definitions that a schema refers to."""
    if isinstance(schema, list):
        return set().union(*map(_references, schema))
    if not isinstance(schema, dict):
        return set()
    named = {schema["$ref"].removeprefix("#/$defs/")} if isinstance(schema.get("$ref"), str) else set()
    return named.union(*map(_references, schema.values()))


def _ref(name: str) -> Schema:
    return {"$ref": COMPONENTS + name}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _moved(schema: object, owner: str) -> Schema:
    """The schema with its references leading to where the definitions now stand."""
    if isinstance(schema, list):
        return [_moved(each, owner) for each in schema]  # type: ignore[return-value]
    if not isinstance(schema, dict):
        return schema  # type: ignore[return-value]
    return {
        key: each.replace("#/$defs/", f"{COMPONENTS}{owner}.") if key == "$ref" else _moved(each, owner)
        for key, each in schema.items()
    }


def _rule() -> Schema:
    outcomes = ["applied", "exception", "condition", "depends"]
    return exactly({"rule": TEXT, "outcome": {"enum": outcomes}, "text": TEXT, "met": _list(TEXT)})


def _edition() -> Schema:
    return exactly({"name": TEXT, "title": TEXT, "follows": {"type": ["string", "null"]}})


def _kind() -> Schema:
    field = exactly(
        {
            "name": TEXT,
            "type": TEXT,
            "means": TEXT,
            "ask": {**TEXT, "description": "The question for it, if it was not given"},
            "judgement": {**YES_NO, "description": "Whether the answer is the Director's judgement"},
            "optional": {**YES_NO, "description": "Whether it may be left open without a question"},
            "default": {"type": ["string", "integer", "boolean", "null"], "description": "now: the trick in progress"},
            "values": {"type": "object", "additionalProperties": TEXT, "description": "Of a one_of, each in words"},
        }
    )
    source = {"enum": list(SOURCES)}
    return exactly(
        {
            "name": TEXT,
            "source": source,
            "means": TEXT,
            "chooser": TEXT,
            "fields": _list(field),
            "incident": {**YES_NO, "description": "Whether it is a report of what happened, not of an answer"},
            "law": {**TEXT, "description": "Of a report: the Law that has most to say of it"},
        }
    )


def _clause(version: Schema) -> Schema:
    name = {**TEXT, "description": "The clause's file below rules/, without its ending"}
    return exactly({"id": name, "title": TEXT, "versions": _list(version)})


def _version() -> dict[str, Schema]:
    return {"since": TEXT, "number": TEXT, "repealed": YES_NO, "gist": TEXT}


def _rest() -> dict[str, Schema]:
    rule = exactly({"name": TEXT, "sentence": TEXT, "exact": _list(TEXT)})
    texts = dict.fromkeys(("confidence", "note", "advice", "no_rules"), TEXT)
    return {"see": _list(TEXT), **texts, "rules": _list(rule)}


def diagnostic_schema() -> Schema:
    count: Schema = {"type": "integer", "minimum": 0}
    return exactly(
        {name: TEXT if isinstance(value, str) else count for name, value in Diagnostic("").to_json().items()}
    )


def _problem() -> Schema:
    """RFC 9457, with the errors that the commands print."""
    return exactly(
        {
            "type": TEXT,
            "title": TEXT,
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": TEXT,
            "format": FORMAT,
            "errors": {"type": "array", "items": diagnostic_schema(), "minItems": 1},
        }
    )
