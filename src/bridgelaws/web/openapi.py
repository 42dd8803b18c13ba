"""The OpenAPI document: written by hand, with the schemas of the contract and examples that were really ruled on."""

from __future__ import annotations

from typing import Any

from bridgelaws import __version__
from bridgelaws.book import ENGINES
from bridgelaws.lawbook.describing import clauses_json, clauses_named, editions_json
from bridgelaws.web.desk import Desk, Work
from bridgelaws.web.examples import MISSPELT, OPEN, ORDINARY, Example, example_case, worked
from bridgelaws.web.problems import PROBLEM_JSON
from bridgelaws.web.queries import Asked
from bridgelaws.web.shapes import COMPONENTS, components

Object = dict[str, Any]
_WRONG = {
    "400": "The body is not JSON, or the query is not as it should be",
    "404": "There is no such edition or clause",
    "405": "This address takes another method",
    "408": "The body did not come in time",
    "413": "The body is too large, or has too many cases",
    "415": "The body is not said to be JSON",
    "422": "The case is at fault; `errors` tells where",
    "503": "There is too much to do, or this takes too long",
}
_POSTED = ("400", "404", "408", "413", "415", "422", "503")


def openapi_json(desk: Desk) -> Object:
    """The document for the law that the desk has."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bridgelaws",
            "version": __version__,
            "description": "Rulings under the Laws of Duplicate Bridge. A case is sent as it stands in a case file.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": _paths(desk),
        "components": {"schemas": components(desk.law, desk.limits.batch), "responses": _responses()},
    }


def _paths(desk: Desk) -> dict[str, Object]:
    cases = {name: example_case(name) for name in (ORDINARY, OPEN, MISSPELT)}
    clause = desk.law.edition().provisions[-1].number
    edition, engine = _edition(desk), _engine()

    def examples(work: Work, *asked: Asked, names: tuple[str, ...] = tuple(cases)) -> list[Example]:
        return [worked(desk, name, work, asked[0] if asked else Asked(), cases[name]) for name in names]

    why = _parameter("why", "Whether to give the reasons, too", {"type": "boolean", "default": False})
    wanted = _parameter(
        "clause", "The clause's number", {"type": "string", "minLength": 1}, required=True, example=clause
    )
    listed = [worked(desk, "two-cases", desk.batch, Asked(), [cases[ORDINARY], {"table": {"contract": "8S by S"}}])]
    shown = clauses_json(clauses_named(desk.law, clause, None), desk.law)
    return {
        "/v1/rulings": _post("rule", "Rule on a case", "case", "ruling", [edition, engine, why], examples(desk.ruling)),
        "/v1/rulings/batch": _post(
            "ruleOnMany",
            "Rule on a list of cases, each with its ruling or its errors",
            "cases",
            "records",
            [edition, engine, why],
            listed,
        ),
        "/v1/questions": _post(
            "ask", "What must still be asked", "case", "questions", [edition, engine], examples(desk.questions)
        ),
        "/v1/why-not": _post(
            "whyNot",
            "What kept a clause from applying",
            "case",
            "why_not",
            [edition, engine, wanted],
            examples(desk.why_not, Asked(clause=clause)),
        ),
        "/v1/editions": _get("editions", "The editions", "editions", example=editions_json(desk.law)),
        "/v1/vocabulary": _get("vocabulary", "Every kind of report, choice and ruling, with its fields", "vocabulary"),
        "/v1/clauses": _get("clauses", "Every clause, without its rules", "contents", [edition], wrong=("400", "404")),
        "/v1/clauses/{clause}": _get(
            "clause",
            "A clause with its rules in sentences and its history",
            "clauses",
            [_path("clause", "A number in any edition", clause), edition],
            shown,
            ("400", "404"),
        ),
        "/v1/diff/{first}/{second}": _get(
            "diff",
            "Two editions, clause by clause",
            "diff",
            [_path(name, "An edition", value) for name, value in zip(("first", "second"), _ends(desk), strict=True)],
            wrong=("400", "404", "503"),
        ),
        "/health": {
            "get": {
                "operationId": "health",
                "summary": "Whether the server is there",
                "responses": {"200": _content("health", "It is"), "405": _wrong("405")},
            }
        },
        "/metrics": {
            "get": {
                "operationId": "metrics",
                "summary": "Counts and times, for Prometheus",
                "responses": {
                    "200": {"description": "Text", "content": {"text/plain": {"schema": {"type": "string"}}}},
                    "405": _wrong("405"),
                },
            }
        },
    }


def _ends(desk: Desk) -> tuple[str, str]:
    names = list(desk.law.editions)
    return names[0], names[-1]


def _post(name: str, summary: str, body: str, answer: str, parameters: list[Object], examples: list[Example]) -> Object:
    sent = {each.name: {"value": each.body} for each in examples}
    good = {each.name: {"value": each.answer} for each in examples if each.status == 200}
    bad = {each.name: {"value": each.answer} for each in examples if each.status == 422}
    responses = {"200": _content(answer, "As the schema says", good), **{status: _wrong(status) for status in _POSTED}}
    if bad:
        responses["422"] = _content("problem", _WRONG["422"], bad, PROBLEM_JSON)
    content = {"application/json": {"schema": {"$ref": COMPONENTS + body}, "examples": sent}}
    operation = {
        "operationId": name,
        "summary": summary,
        "parameters": parameters,
        "requestBody": {"required": True, "content": content},
        "responses": {**responses, "405": _wrong("405")},
    }
    return {"post": operation}


def _get(
    name: str,
    summary: str,
    answer: str,
    parameters: list[Object] | None = None,
    example: Any = None,
    wrong: tuple[str, ...] = ("400",),
) -> Object:
    known = {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}, "description": "An ETag"}
    found = _content(answer, "As the schema says", {} if example is None else {"example": {"value": example}})
    found["headers"] = {"ETag": {"required": True, "schema": {"type": "string"}}}
    same: Object = {"description": "It is still what the ETag stands for"}
    responses = {"200": found, "304": same, **{status: _wrong(status) for status in (*wrong, "405")}}
    operation = {"operationId": name, "summary": summary, "parameters": [*(parameters or []), known]}
    return {"get": {**operation, "responses": responses}}


def _content(schema: str, description: str, examples: Object | None = None, kind: str = "application/json") -> Object:
    shown = {"examples": examples} if examples else {}
    return {"description": description, "content": {kind: {"schema": {"$ref": COMPONENTS + schema}, **shown}}}


def _wrong(status: str) -> Object:
    return {"$ref": f"#/components/responses/{status}"}


def _responses() -> dict[str, Object]:
    return {status: _content("problem", text, None, PROBLEM_JSON) for status, text in _WRONG.items()}


def _parameter(name: str, text: str, schema: Object, *, required: bool = False, example: str = "") -> Object:
    shown = {"example": example} if example else {}
    return {"name": name, "in": "query", "required": required, "description": text, "schema": schema, **shown}


def _edition(desk: Desk) -> Object:
    text = "The edition to rule under; else the one that the case names, or the latest"
    return _parameter("edition", text, {"enum": list(desk.law.editions)})


def _engine() -> Object:
    return _parameter("engine", "The engine that fires the rules", {"enum": list(ENGINES), "default": ENGINES[0]})


def _path(name: str, text: str, example: str) -> Object:
    schema = {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "description": text, "schema": schema, "example": example}
