"""JSON Schemas of the law's files and of cases: with a vocabulary for editors, without one for the bare shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridgelaws.lawbook.clauses import FORCES
from bridgelaws.lawbook.reading import AS_BEFORE, COMPARATORS
from bridgelaws.lawbook.types import PLAIN_TYPES, TYPE_NAMES, FieldType
from bridgelaws.lawbook.vocabulary import SOURCES, Kind, Vocabulary

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# In Python, unlike in JSON Schema, `$` matches before a line end too.
END = r"$(?!\n)"
NAME = f"^[a-z][a-z0-9_]*{END}"
LINE = rf"^[^\r\n]+{END}"
NUMBER = rf"^([1-9][0-9]?[A-Z]?[0-9]{{0,2}}(\([a-z]\))?(\([ivx]+\))?|Definition of [a-z ]+){END}"

_TEXT: Schema = {"type": "string", "minLength": 1}
_LINE: Schema = {"type": "string", "pattern": LINE, "x-hint": "keep it on one line"}
_NAME: Schema = {"type": "string", "pattern": NAME, "x-hint": "use lower-case letters, digits and _"}
_SCALAR: Schema = {"type": ["string", "integer", "boolean"]}
_VARIABLE: Schema = {
    "type": "string",
    "pattern": r"^\$[a-z][a-z0-9_]*$",
    "description": "A variable: it has the same value wherever it stands in the rule",
    "examples": ["$player", "$card", "$suit", "$trick"],
}


def exactly(properties: Mapping[str, Schema]) -> Schema:
    """An object with these properties, all of them and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _object(properties: Schema, required: list[str], **more: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False, **more}


def _list(items: Schema, least: int = 1) -> Schema:
    return {"type": "array", "items": items, "minItems": least, "maxItems": 200}


def _document(title: str, schema: Schema, definitions: Schema | None = None) -> Schema:
    return {"$schema": DIALECT, "title": title, **schema, **({"$defs": definitions} if definitions else {})}


def editions_schema() -> Schema:
    edition = _object(
        {
            "name": {
                **_LINE,
                "description": "The edition's full name",
                "examples": ["Laws of Duplicate Bridge 2027, as drafted"],
            },
            "follows": {
                **_LINE,
                "description": "The edition before it; the first of all has none",
                "examples": ["2017"],
            },
            "note": _TEXT,
        },
        ["name"],
    )
    left_open = _object(
        {
            "questions": {
                **_list(_LINE),
                "description": "As verify names them",
                "examples": [["lead_free and lead_waits"]],
            },
            "why": {**_TEXT, "description": "Why each is left open"},
            "accepted": {"type": "boolean", "description": "Even a table that shows it is no problem"},
        },
        ["questions", "why"],
    )
    return _document(
        "editions",
        _object(
            {
                "editions": {"type": "object", "minProperties": 1, "additionalProperties": edition},
                "open": {**_list(left_open), "description": "What `bridgelaws verify` does not settle, and why"},
            },
            ["editions"],
        ),
    )


def vocabulary_schema() -> Schema:
    long_field = _object(
        {
            "type": {"enum": list(TYPE_NAMES), "description": "What values the field takes"},
            "values": {
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"pattern": f"^[A-Za-z0-9_]+{END}"},
                "additionalProperties": _LINE,
                "description": "For one_of: each value, and the phrase that says it",
                "examples": [{"dropped": "dropped by accident", "named": "named as being in the hand"}],
            },
            "means": _TEXT,
            "ask": {**_LINE, "description": "The question to ask when the field was not given"},
            "judgement": {"type": "boolean", "description": "The answer is the Director's judgement"},
            "default": {**_SCALAR, "description": "What holds when nobody says otherwise; now = the trick in progress"},
            "optional": {"type": "boolean", "description": "The field may be left out, and is then not asked for"},
        },
        ["type"],
    )
    kind = _object(
        {
            "source": {"enum": list(SOURCES), "description": "; ".join(f"{k}: {v}" for k, v in SOURCES.items())},
            "means": {
                **_TEXT,
                "description": "What a fact of this kind says, in a sentence",
                "examples": ["A card known to be in a hand now."],
            },
            "fields": {
                "type": "object",
                "propertyNames": _NAME,
                "additionalProperties": {
                    "if": {"type": "string"},
                    "then": {"enum": [name for name in TYPE_NAMES if name != "one_of"]},
                    "else": long_field,
                },
            },
            "say": {
                "if": {"type": "object"},
                "then": {"required": ["by"], "properties": {"by": _NAME}, "additionalProperties": _LINE},
                "else": _LINE,
                "description": "How it is said aloud, with {field} for each field; a map says it by a field's value",
                "examples": ["{player} holds {card}"],
            },
            "contradicts": {**_list(_NAME), "description": "For a ruling: kinds that cannot be true beside it"},
            "chooser": {**_LINE, "description": "For a choice: who chooses", "examples": ["declarer", "{player}"]},
            "chooser_for_dummy": {**_LINE, "description": "For a choice of the player: who chooses if he is dummy"},
            "about": {**_list(_NAME), "description": "For a choice: the fields that say what is chosen"},
            "during": {**_NAME, "description": "For a choice: the table kind that holds while it is being made"},
        },
        ["source", "means", "say"],
    )
    kinds = {
        "type": "object",
        "minProperties": 1,
        "propertyNames": _NAME,
        "additionalProperties": kind,
    }
    return _document("vocabulary", _object({"kinds": kinds}, ["kinds"]))


def clause_schema(vocabulary: Vocabulary | None = None) -> Schema:
    pattern = {"$ref": "#/$defs/pattern"}
    rule = _object(
        {
            "name": {
                **_LINE,
                "description": "A short name, used in explanations and in coverage",
                "examples": ["another suit while able to follow"],
            },
            "when": {
                **_list(pattern),
                "maxItems": 10,
                "description": "All of these hold",
                "examples": [[{"holds": {"player": "$player", "card": {"is": "$card", "suit": {"not": "$suit"}}}}]],
            },
            "unless": {
                **_list({"if": {"type": "array"}, "then": {**_list(pattern), "maxItems": 6}, "else": pattern}),
                "description": "Exceptions: the rule stands when none of them holds; a nested list holds together",
            },
            "then": {**_list({"$ref": "#/$defs/conclusion"}), "description": "What is then so"},
            "offer": {**_list({"$ref": "#/$defs/offered"}), "description": "Choices that someone may now take"},
            "ask": {**_list({"$ref": "#/$defs/asked"}), "description": "Reports that the Director must now give"},
        },
        ["name"],
    )
    version = _object(
        {
            "since": {"type": "string", "description": "The edition from which on this holds", "examples": ["2017"]},
            "number": {
                "type": "string",
                "pattern": NUMBER,
                "x-hint": 'write for example "50D2(a)"',
                "description": "The clause's number in that edition",
                "examples": ["99A", "99B2(a)", "Definition of honour"],
            },
            "gist": {**_TEXT, "description": "What it says, in our own words, in a sentence or two"},
            "rules": {
                "if": {"type": "string"},
                "then": {"const": AS_BEFORE},
                "else": _list(rule),
                "description": f"The rules; '{AS_BEFORE}' when only the number, the words or the references changed",
            },
            "without": {
                **_list(_LINE),
                "description": "With 'as before': the names of the earlier rules that no longer hold",
            },
            "also": {
                **_list(rule),
                "description": "With 'as before': rules that are new, or replace the earlier rule of that name",
            },
            "repealed": {"const": True, "description": "From this edition on there is no such clause"},
            "no_rules": {**_TEXT, "description": "Why the clause needs no rule"},
            "see": {**_list(_LINE), "description": "Numbers of the clauses it points to", "examples": [["99A"]]},
            "confidence": {"enum": ["sure", "reading"], "description": "reading: the best reading of an unsure text"},
            "note": {**_TEXT, "description": "A note for the committee"},
            "advice": {**_TEXT, "description": "Practical advice to directors, shown apart from the law"},
        },
        ["since", "number"],
        **{
            "if": {
                "anyOf": [
                    {"required": ["repealed"]},
                    {"properties": {"rules": {"const": AS_BEFORE}}, "required": ["rules"]},
                ]
            },
            "else": {"required": ["gist"]},
        },
    )
    graded: Schema = {
        "force": {"enum": list(FORCES), "description": "How strongly the Laws say it; does if left out"},
        "because": {
            **_LINE,
            "description": "The reason to tell, with {name} for each $name",
            "examples": ["because declarer requires {suit.a}"],
        },
    }
    definitions: Schema = {
        "pattern": one_kind(vocabulary, tuple(SOURCES), "pattern"),
        "conclusion": one_kind(vocabulary, ("derived", "ruling"), "fact", graded),
        "offered": one_kind(vocabulary, ("choice",), "fact"),
        "asked": one_kind(vocabulary, ("report",), "fact"),
    }
    if vocabulary is not None:
        definitions |= fact_definitions(vocabulary, tuple(SOURCES))
        definitions |= {
            f"test.{name}": _tested(kind, {"$ref": f"#/$defs/type.{name}"}) for name, kind in PLAIN_TYPES.items()
        }
        definitions |= {f"pattern.{kind.name}": _kind_schema(kind, tests=True) for kind in vocabulary.kinds.values()}
    return _document(
        "clause",
        _object(
            {"title": {**_LINE, "description": "The clause's subject"}, "versions": _list(version)},
            ["title", "versions"],
        ),
        definitions,
    )


def one_kind(vocabulary: Vocabulary | None, sources: tuple[str, ...], form: str, more: Schema | None = None) -> Schema:
    """An object with one key that is a kind of these sources, and perhaps `more` keys beside it."""
    beside = more or {}
    size: Schema = {"type": "object", "minProperties": 1, "maxProperties": 1 + len(beside)}
    if vocabulary is None:
        return {**size, "properties": beside, "additionalProperties": {"type": ["object", "null"]}}
    named = {kind.name: {"$ref": f"#/$defs/{form}.{kind.name}"} for kind in vocabulary.of_source(*sources)}
    return {**size, "properties": beside | named, "additionalProperties": False}


def fact_definitions(vocabulary: Vocabulary, sources: tuple[str, ...]) -> Schema:
    """The definitions that `one_kind` refers to for facts: each kind, and the types of its fields."""
    definitions: Schema = {"variable": _VARIABLE}
    definitions |= {f"type.{name}": _value(kind) for name, kind in PLAIN_TYPES.items()}
    for kind in vocabulary.of_source(*sources):
        definitions[f"fact.{kind.name}"] = _kind_schema(kind, tests=False)
    return definitions


def _kind_schema(kind: Kind, *, tests: bool) -> Schema:
    properties: Schema = {}
    for name, each in kind.fields.items():
        plain = each.type.name != "one_of"
        value = {"$ref": f"#/$defs/type.{each.type.name}"} if plain else _value(each.type)
        schema = (
            ({"$ref": f"#/$defs/test.{each.type.name}"} if plain else _tested(each.type, value)) if tests else value
        )
        described = {"description": text} if (text := each.means or each.ask) else {}
        properties[name] = (
            {**schema, **described} if "$ref" not in schema or not described else {"allOf": [schema], **described}
        )
    return {
        "type": ["object", "null"],
        "description": f"{kind.means} ({kind.source}: {SOURCES[kind.source]})",
        "properties": properties,
        "additionalProperties": False,
    }


def _value(kind: FieldType) -> Schema:
    """Anything the type can read; the listed values are what an editor completes."""
    if kind.name == "one_of":
        values: Schema = {
            "enum": list(kind.domain),
            "description": "; ".join(f"{k}: {v}" for k, v in kind.phrases.items()),
        }
    elif kind.name == "yes_no":
        values = {"enum": [True, False, "yes", "no"]}
    elif kind.name == "count":
        values = {"type": "integer", "minimum": 0}
    elif kind.name == "rank":
        values = {"enum": [*range(2, 11), *map(str, range(2, 11)), *"TJQKA", "ten", "jack", "queen", "king", "ace"]}
    else:
        values = {"type": "string", "examples": [str(value) for value in kind.domain]}
    return {"anyOf": [values, {"$ref": "#/$defs/variable"}]}


def _tested(kind: FieldType, value: Schema) -> Schema:
    tests: Schema = {name: value for name in COMPARATORS if name != "one_of"}
    tests["one_of"] = {"type": "array", "items": value, "minItems": 1}
    for part, (type_name, _) in kind.parts.items():
        tests[part] = {"$ref": f"#/$defs/test.{type_name}"}
    if not kind.ordered:
        for name in ("above", "below", "at_least", "at_most"):
            del tests[name]
    return {
        "if": {"type": "object"},
        "then": {"type": "object", "properties": tests, "minProperties": 1, "additionalProperties": False},
        "else": value,
    }
