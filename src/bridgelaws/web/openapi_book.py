"""What the law book, the comparisons and the workshop add to the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridgelaws.lawbook.law import Law
from bridgelaws.web.drafting import FORMAT
from bridgelaws.web.shapes import COMPONENTS
from bridgelaws.web.shelf import shelf_schemas
from bridgelaws.web.witnesses import witnesses_schema
from bridgelaws.web.workshop import workshop_schemas

Object = dict[str, Any]
_POSTED = ("400", "404", "405", "408", "413", "415", "422", "503")


def with_book(document: Object, law: Law, texts: Mapping[str, str]) -> Object:
    """The document with these addresses and schemas, too."""
    components = document["components"]
    schemas = {**components["schemas"], **shelf_schemas(), **workshop_schemas(), "witnesses": witnesses_schema()}
    paths = {**document["paths"], **_paths(law, texts)}
    return {**document, "paths": paths, "components": {**components, "schemas": schemas}}


def _paths(law: Law, texts: Mapping[str, str]) -> dict[str, Object]:
    clause = min(texts, key=lambda each: len(texts[each]))
    editions = list(law.editions)
    ends = [("first", editions[0]), ("second", editions[-1])]
    middle = [("first", editions[0]), ("second", editions[min(1, len(editions) - 1)]), ("third", editions[-1])]
    draft = {"clause": clause, "text": texts[clause]}
    sound: Object = {"format": FORMAT, "sound": True, "diagnostics": []}
    nothing: Object = {"format": FORMAT, "from": 1, "items": []}
    same: Object = {"cases": None, "next": None, "changed": [], "own": None}
    unchanged = {"format": FORMAT, "edition": law.latest, **same}
    return {
        "/v1/book": _get("book", "Every clause with its words, for a search", "book"),
        "/v1/book/{clause}": _get(
            "bookEntry", "What refers to a clause, and its cases", "book_entry", [("clause", clause)]
        ),
        "/v1/diff/{first}/{second}/{third}": _get("diffOfThree", "Three editions, clause by clause", "diff", middle),
        "/v1/witnesses/{first}/{second}": _get(
            "witnesses", "For each changed clause a table on which two editions rule differently", "witnesses", ends
        ),
        "/v1/texts/{clause}": _get("clauseText", "The file of a clause", "clause_text", [("clause", clause)]),
        "/v1/workshop/check": _post("check", "What is wrong with a draft", "draft", "diagnostics", draft, sound),
        "/v1/workshop/complete": _post(
            "complete",
            "What may stand at a place of a draft",
            "draft_place",
            "completions",
            {**draft, "line": 1, "column": 1},
            nothing,
        ),
        "/v1/workshop/try": _post("try", "Which rulings a draft changes", "draft_try", "changes", draft, unchanged),
    }


def _get(name: str, summary: str, answer: str, path: list[tuple[str, str]] | None = None) -> Object:
    text = {"type": "string", "minLength": 1}
    parameters: list[Object] = [
        {"name": each, "in": "path", "required": True, "schema": text, "example": example}
        for each, example in path or []
    ]
    parameters.append({"name": "If-None-Match", "in": "header", "schema": {"type": "string"}, "description": "An ETag"})
    found = _content(answer)
    found["headers"] = {"ETag": {"required": True, "schema": {"type": "string"}}}
    responses = {
        "200": found,
        "304": {"description": "It is still what the ETag stands for"},
        **{status: _wrong(status) for status in ("400", "404", "405", "503")},
    }
    return {"get": {"operationId": name, "summary": summary, "parameters": parameters, "responses": responses}}


def _post(name: str, summary: str, body: str, answer: str, sent: Object, answered: Object) -> Object:
    content = {"schema": {"$ref": COMPONENTS + body}, "examples": {"as-it-is": {"value": sent}}}
    operation = {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {
            "200": _content(answer, {"as-it-is": {"value": answered}}),
            **{status: _wrong(status) for status in _POSTED},
        },
    }
    return {"post": operation}


def _content(schema: str, examples: Object | None = None) -> Object:
    shown = {"examples": examples} if examples else {}
    content = {"application/json": {"schema": {"$ref": COMPONENTS + schema}, **shown}}
    return {"description": "As the schema says", "content": content}


def _wrong(status: str) -> Object:
    return {"$ref": f"#/components/responses/{status}"}
