"""The JSON Schemas of what goes in and comes out, and of the law's own files."""

from __future__ import annotations

import json
from typing import Any

from bridgelaws.audit.schema import audit_schema
from bridgelaws.batch.schema import batch_schema
from bridgelaws.compare.schema import diff_schema
from bridgelaws.lawbook.clauses import FORCES
from bridgelaws.lawbook.schemas import (
    DIALECT,
    Schema,
    clause_schema,
    editions_schema,
    fact_definitions,
    one_kind,
    vocabulary_schema,
)
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.notation import CARDS, SEATS
from bridgelaws.solving.schema import verify_schema


def schema_files(vocabulary: Vocabulary) -> dict[str, str]:
    """The text of every schema file by its name."""
    schemas = {
        "editions": editions_schema(),
        "vocabulary": vocabulary_schema(),
        "clause": clause_schema(vocabulary),
        "case": case_schema(vocabulary),
        "ruling": ruling_schema(),
        "diff": diff_schema(),
        "batch": batch_schema(ruling_schema()),
        "audit": audit_schema(ruling_schema()),
        "verify": verify_schema(),
    }
    return {
        f"{name}.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in schemas.items()
    }


def case_schema(vocabulary: Vocabulary) -> Schema:
    text: Schema = {"type": "string"}
    some_text: Schema = {"type": ["string", "null"]}
    card_list: Schema = {"type": "array", "items": text}
    regulations = {
        kind.name: {"description": kind.means, **_regulation(kind.fields)}
        for kind in vocabulary.of_source("regulation")
    }
    clause = {"type": ["string", "array", "integer"], "items": text}
    listed = {"clause": clause, "force": {"enum": list(FORCES)}}
    expectation: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "editions": {
                "type": "array",
                "items": text,
                "minItems": 1,
                "description": "Where this holds; all if left out",
            },
            "findings": _list_of(one_kind(vocabulary, ("ruling",), "fact", listed)),
            "never": _list_of(one_kind(vocabulary, ("ruling",), "fact", listed)),
            "options": _list_of(one_kind(vocabulary, ("choice",), "fact", listed)),
            "questions": {
                "type": "array",
                "items": text,
                "description": "kind.field of each question, exactly; [] for none",
            },
            "plays": {
                "type": "object",
                "description": "By seat; null: the seat's plays are not listed",
                "examples": [{"E": {"may": ["DK", "D8"], "may_not": {"D6": "99A"}}}],
                "additionalProperties": {
                    "type": ["object", "null"],
                    "additionalProperties": False,
                    "properties": {
                        "may": card_list,
                        "may_not": {"type": "object", "additionalProperties": {"type": ["array", "string", "integer"]}},
                    },
                },
            },
        },
    }
    table: Schema = {
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {
            "contract": {**text, "description": "4S by S, 3NTX by West, 4SXN", "examples": ["4S by S"]},
            "declarer": {**text, "description": "When the contract does not name him", "examples": ["S"]},
            "deal": {
                **text,
                "description": "A PBN deal: N:hand hand hand hand, with - for a hand that is not known",
                "examples": ["N:AKQ..KT862.J3 - - -"],
            },
            "hands": {
                "type": "object",
                "description": "By seat, or dummy or declarer: ♦KT862, AK..KT862.J3 or a list of cards",
                "examples": [{"E": "♦KT862", "dummy": "SKJ852 HA"}],
                "additionalProperties": {"type": ["string", "array"]},
            },
            "tricks": {
                "type": "array",
                "description": "Each in order, leader first: W: S4 S2 SK SA; - for no card; the last may be incomplete",
                "examples": [["W: S4 S2 SK SA", "S: D2"]],
                "items": {"type": ["string", "object"]},
            },
            "trick": {
                "type": "integer",
                "minimum": 1,
                "maximum": 14,
                "description": "The trick now in progress or about to begin; 14 when all have been played",
            },
            "on_lead": {**text, "description": "Who is to lead, when it does not follow from the tricks"},
            "stage": {"enum": ["auction", "play", "over"]},
            "claim": {
                "description": "Who claims, and the line that he stated; a short ending is then searched",
                "examples": [{"by": "S", "line": ["draw trumps", "DA", "clubs"]}],
                "type": ["string", "object"],
                "additionalProperties": False,
                "required": ["by"],
                "properties": {"by": text, "line": {"type": ["string", "array"], "items": text}},
            },
        },
    }
    return {
        "$schema": DIALECT,
        "title": "case",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "title": {**some_text, "description": "What happened, in a line", "examples": ["The ten is an honour"]},
            "source": {**some_text, "description": "Where the case comes from, such as R43"},
            "note": some_text,
            "edition": {**some_text, "description": "The edition to rule under, unless the command says otherwise"},
            "table": table,
            "reports": _list_of(one_kind(vocabulary, ("report",), "fact")),
            "choices": _list_of(one_kind(vocabulary, ("choice",), "fact")),
            "regulations": {"type": ["object", "null"], "additionalProperties": False, "properties": regulations},
            "expect": {"if": {"type": "array"}, "then": {"type": "array", "items": expectation}, "else": expectation},
        },
        "$defs": {**fact_definitions(vocabulary, ("report", "choice", "ruling")), **_reports(vocabulary)},
    }


def _reports(vocabulary: Vocabulary) -> Schema:
    """Reports, of which any field may be null: not known."""
    reports = {f"fact.{kind.name}" for kind in vocabulary.of_source("report")}
    return {
        name: {
            **report,
            "properties": {key: {"anyOf": [each, {"type": "null"}]} for key, each in report["properties"].items()},
        }
        for name, report in fact_definitions(vocabulary, ("report",)).items()
        if name in reports
    }


def _regulation(fields: Any) -> Schema:
    return {"examples": [value for each in fields.values() for value in each.type.domain][:6]}


def _list_of(items: Schema) -> Schema:
    return {"type": ["array", "null"], "items": items}


def ruling_schema() -> Schema:
    text: Schema = {"type": "string"}
    texts: Schema = {"type": "array", "items": text}
    card: Schema = {"enum": list(CARDS)}
    cards: Schema = {"type": "array", "items": card, "uniqueItems": True}
    scalar: Schema = {"type": ["string", "integer", "boolean"]}
    values: Schema = {"type": "object", "additionalProperties": scalar}

    def exactly(properties: Schema, optional: tuple[str, ...] = ()) -> Schema:
        required = [name for name in properties if name not in optional]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    finding: Schema = {
        "type": "object",
        "description": "What is so; besides these keys, the fields of its kind as vocabulary.yaml lists them",
        "properties": {
            "kind": text,
            "clause": text,
            "clauses": {**texts, "minItems": 1},
            "force": {"enum": list(FORCES)},
            "text": text,
        },
        "required": ["kind", "clause", "clauses", "force", "text"],
        "additionalProperties": scalar,
    }
    forbidden = exactly({"card": card, "clauses": {**texts, "minItems": 1}, "because": texts})
    plays = exactly(
        {
            "may": cards,
            "may_not": {"type": "array", "items": forbidden},
            "undecided": {**cards, "description": "Cards that depend on a question"},
            "complete": {"type": "boolean", "description": "Whether every card of the hand is known"},
        }
    )
    choice: Schema = {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": values}
    option = exactly({"id": text, "text": text, "choice": choice, "clauses": {**texts, "minItems": 1}})
    question = exactly(
        {
            "kind": text,
            "field": text,
            "about": values,
            "ask": text,
            "judgement": {"type": "boolean"},
            "answers": {
                "type": "object",
                "additionalProperties": exactly({"means": text, "findings": texts, "report": choice}),
            },
        }
    )
    reason = exactly(
        {
            "text": text,
            "kind": text,
            "fields": values,
            "clause": text,
            "rule": text,
            "because": {"type": "array", "items": {"$ref": "#/$defs/reason"}},
            "not_so": texts,
        },
        optional=("clause", "rule", "because", "not_so"),
    )
    ruling = exactly(
        {
            "format": {"const": 1},
            "edition": text,
            "engine": text,
            "findings": {"type": "array", "items": finding},
            "plays": {"type": "object", "propertyNames": {"enum": list(SEATS)}, "additionalProperties": plays},
            "options": {
                "type": "array",
                "items": exactly({"chooser": text, "clause": text, "options": {"type": "array", "items": option}}),
            },
            "questions": {"type": "array", "items": question},
            "clauses": texts,
            "conflicts": {"type": "array", "items": exactly({"text": text, "clauses": texts})},
            "advice": {"type": "array", "items": exactly({"clause": text, "text": text})},
            "why": {"type": "array", "items": {"$ref": "#/$defs/reason"}},
        }
    )
    return {"$schema": DIALECT, "title": "ruling", **ruling, "$defs": {"reason": reason}}
