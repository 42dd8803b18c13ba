"""Hold a document against a JSON Schema, and say what does not fit in words a law committee reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from bridgelaws.errors import Diagnostic, nearest, quoted
from bridgelaws.located import Document, PathTo, scalar_text

_CODES = {
    "pattern": "badly-written",
    "enum": "unknown-word",
    "const": "unknown-word",
    "minItems": "empty",
    "minProperties": "empty",
    "minLength": "empty",
    "maxProperties": "one-kind-an-item",
}
_WORDS = {
    "object": "a map (key: value)",
    "array": "a list (items that start with '-')",
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


@cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator


def shape_problems(document: Document, schema: Mapping[str, Any]) -> list[Diagnostic]:
    """Everything in which the document departs from the schema, in file order."""
    errors: Iterable[Any] = _validator_class()(schema).iter_errors(document.data)
    problems = [problem for error in errors for problem in _problems(document, error)]
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.line, problem.column, problem.message))


def _problems(document: Document, error: Any) -> list[Diagnostic]:
    path: PathTo = tuple(error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        key: PathTo = (*path, error.instance)
        return [document.problem(key, _said(error), _hint(error), at_key=True, code="badly-written")]
    if error.validator in ("anyOf", "oneOf", "allOf") and error.context:
        from jsonschema.exceptions import best_match

        deepest = best_match([error])
        if deepest is not error:
            return _problems(document, deepest)
        return [document.problem(path, _said(error), code="shape")]
    if error.validator == "required":
        missing = next(
            key for key in error.validator_value if f"'{key}'" in error.message and key not in error.instance
        )
        message = f"the key '{missing}' is missing here"
        return [document.problem(path, message, f"add {missing}:", code="missing-key")]
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = [key for key in error.instance if key not in known]
        return [
            document.problem(
                (*path, key), f"there is no key '{key}' here", nearest(key, known), at_key=True, code="unknown-key"
            )
            for key in unknown
        ]
    return [document.problem(path, _said(error), _hint(error), code=_code(error))]


def _code(error: Any) -> str:
    if error.validator == "type" and error.validator_value == "string" and isinstance(error.instance, int):
        return "needs-quotes"
    return _CODES.get(error.validator, "shape")


def _said(error: Any) -> str:
    wanted = error.validator_value
    if error.validator == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return f"this must be {' or '.join(_WORDS.get(kind, kind) for kind in kinds)}, not {_what(error.instance)}"
    if error.validator == "enum":
        return f"{_quoted(error.instance)} is not one of {', '.join(_quoted(each) for each in wanted[:20])}"
    if error.validator == "const":
        return f"this can only be {_quoted(wanted)}"
    if error.validator == "pattern":
        return f"{_quoted(error.instance)} is not written as it should be"
    if error.validator in ("minItems", "minProperties", "minLength"):
        return "this is empty"
    if error.validator in ("maxItems", "maxProperties"):
        return f"there are more than {wanted} here"
    if error.validator in ("minimum", "maximum"):
        return f"{_quoted(error.instance)} is out of range"
    return f"{_quoted(error.instance)} does not fit here"


def _hint(error: Any) -> str:
    wanted = error.validator_value
    if error.validator == "type":
        if wanted == "string" and isinstance(error.instance, int):
            return f'put it in quotes: "{scalar_text(error.instance)}"'
        if wanted == "array" and isinstance(error.instance, dict):
            return "put '- ' before the first key"
        return ""
    if error.validator == "enum" and isinstance(error.instance, str):
        near = nearest(error.instance, [each for each in wanted if isinstance(each, str)])
        return near if near.startswith("did") else ""
    if error.validator == "pattern":
        return str(error.schema.get("x-hint", ""))
    if error.validator == "maxProperties":
        return "start a new item with '- ' for each"
    return ""


def _what(value: object) -> str:
    for kind, word in ((bool, "boolean"), (int, "integer"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return _WORDS[word]
    return _WORDS["null"]


def _quoted(value: object) -> str:
    return quoted(scalar_text(value))
