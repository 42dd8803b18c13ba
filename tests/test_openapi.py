"""The OpenAPI document: its examples are what the server answers, and what it promises holds for whatever is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import CHECKS
from schemathesis.generation import GenerationMode

from bridgelaws.contract import schema_files
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.web.app import create_app
from bridgelaws.web.limits import Limits
from bridgelaws.web.pages import page_routes
from tests.asking import Client

# A random case may leave much open, which takes long on a busy machine.
APP = create_app(load_law(), limits=Limits(seconds=60))
CLIENT = Client(APP)
DOCUMENT: dict[str, Any] = CLIENT.get("/openapi.json").json()
ROOT = Path(__file__).parent.parent


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in DOCUMENT["paths"].items():
        for operation in methods.values():
            yield path, operation


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def described(response: dict[str, Any]) -> dict[str, Any]:
    """The response itself, where the document only points to it."""
    name = response.get("$ref", "").rpartition("/")[2]
    return DOCUMENT["components"]["responses"][name] if name else response  # type: ignore[no-any-return]


def filled_in(path: str, operation: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """The address with the examples of its parameters."""
    examples = {each["name"]: each["example"] for each in operation.get("parameters", ()) if "example" in each}
    query = {
        each["name"]: each["example"]
        for each in operation.get("parameters", ())
        if each["in"] == "query" and "example" in each
    }
    return re.sub(r"{(\w+)}", lambda found: examples[found[1]], path), query


def test_every_address_of_the_app_is_described() -> None:
    pages = {route.path for route in page_routes()}
    served = {re.sub(r":path}", "}", route.path) for route in APP.routes} - pages
    assert served == {path for path, _ in operations()} | {"/openapi.json"}
    assert {"/", "/law", "/compare", "/workshop"} <= pages


def test_nothing_in_it_is_fetched_from_elsewhere() -> None:
    assert not re.search(r"https?://(?!json-schema\.org)", json.dumps(DOCUMENT))


def test_every_schema_is_a_schema_and_every_reference_leads_somewhere() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(DOCUMENT)):
        found: Any = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]


def test_the_schemas_of_the_contract_are_those_of_the_files(law: Law) -> None:
    for name in ("case", "ruling", "diff"):
        written = json.loads(schema_files(law.vocabulary)[f"{name}.schema.json"])
        for key in ("properties", "required", "additionalProperties"):
            moved = json.loads(json.dumps(written.get(key)).replace("#/$defs/", f"#/components/schemas/{name}."))
            described = DOCUMENT["components"]["schemas"][name].get(key)
            if (name, key) == ("case", "properties"):
                assert "nothing here reads it" in described.pop("expect")["description"] and moved.pop("expect")
            assert described == moved


@pytest.mark.parametrize(("path", "operation"), list(operations()), ids=list(DOCUMENT["paths"]))
def test_the_examples_are_valid_and_are_what_the_server_answers(path: str, operation: dict[str, Any]) -> None:
    address, query = filled_in(path, operation)
    responses = {status: described(each) for status, each in operation["responses"].items()}
    kinds = {status: each["content"] for status, each in responses.items() if "content" in each}
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if sent is None:
        answer = CLIENT.get(address, params=query)
        assert answer.status_code == 200
        (shown,) = kinds["200"].values()
        if "json" in answer.headers["content-type"]:
            validator(shown["schema"]).validate(answer.json())
            assert [each["value"] for each in shown.get("examples", {}).values()] in ([], [answer.json()])
        return
    assert sent["examples"]
    for name, example in sent["examples"].items():
        answer = CLIENT.post(address, params=query, json=example["value"])
        content = kinds[str(answer.status_code)][answer.headers["content-type"]]
        assert content["examples"][name]["value"] == answer.json()
        validator(content["schema"]).validate(answer.json())
        if answer.status_code == 200:
            validator(sent["schema"]).validate(example["value"])


def test_there_are_examples_of_rulings_questions_and_faults() -> None:
    shown = DOCUMENT["paths"]["/v1/rulings"]["post"]["responses"]
    answers = [each["value"] for each in shown["200"]["content"]["application/json"]["examples"].values()]
    assert any(each["findings"] for each in answers) and any(each["questions"] for each in answers)
    (wrong,) = shown["422"]["content"]["application/problem+json"]["examples"].values()
    assert wrong["value"]["errors"][0]["hint"] == "did you mean 'manner'?"


SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
SCHEMA.app = APP
SCHEMA.config.request_timeout = 120
# Every bound of every field of every kind has a test of its own below.
SCHEMA.config.phases.coverage.enabled = False
# A case may fit the schema and still have a card twice: that is answered with 422, and no schema can say it.
CHECKED = [CHECKS.get_one(name) for name in CHECKS.get_all_names() if name in (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method",
)]  # fmt: skip
# A batch answers with 200 whatever its cases are like, and tells of each.
REFUSES = CHECKS.get_one("negative_data_rejection")
OPERATIONS = [each.ok() for each in SCHEMA.get_all_operations()]
# These take the same case as /v1/rulings does, so of its bounds every so manieth is tried.
ALSO, STEP = ("/v1/rulings/batch", "/v1/questions", "/v1/why-not"), 12


@SCHEMA.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_is_answered_as_promised(case: Any) -> None:
    assert len(CHECKED) == 6
    case.call_and_validate(checks=CHECKED)


@pytest.mark.parametrize("operation", OPERATIONS, ids=[each.label for each in OPERATIONS])
def test_what_is_at_a_bound_or_beyond_is_answered_as_promised(operation: Any) -> None:
    """Each field of each kind in turn: left out, of the wrong type, too short, unknown; and the wrong method."""
    cases = SCHEMA.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=SCHEMA.config.generation
    )
    checks = CHECKED if operation.path == "/v1/rulings/batch" else [*CHECKED, REFUSES]
    tried = 0
    for case in islice(cases, 0, None, STEP if operation.path in ALSO else 1):
        case.call_and_validate(checks=checks)
        tried += 1
    assert tried > (2500 if operation.path == "/v1/rulings" else 200 if operation.path in ALSO else 5)
