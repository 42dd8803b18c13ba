"""Whatever is sent, the API answers with a ruling or with a problem document, and sends text back as text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridgelaws.lawbook.law import Law
from bridgelaws.web.app import create_app
from bridgelaws.web.limits import Limits
from tests.asking import Client
from tests.test_api import EIGHT, POSTED, problem, sent

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "quotes": "'\"`\\",
    "templates": "{{7*7}} ${7*7} {0.__class__} %s %(x)s #{1}",
    "paths": "../../../../etc/passwd",
    "yaml": "!!python/object/apply:os.system ['true']",
    "alias": "*a &a",
    "NUL": "\x00",
    "controls": "\x1b[31m\x07\x85\u2028",
    "half a character": "\ud800",
    "right to left": "\u202e\ufeff",
    "emoji": "🂡♦️",
    "empty": "",
    "long": "x" * 20_000,
    "clause": "50B\r\nX-Evil: 1",
}
ODD = [None, True, 0, -1, 10**17, 10**18, 10**400, 1.5, 1e400, [], [[]], {}, {"": ""}, [None], {"a": {"b": {}}}, "null"]
# Every place of a case in which a text may stand: its keys and its values.
PLACES: dict[str, Any] = {
    "title": lambda text: {"title": text},
    "source": lambda text: {"source": text},
    "note": lambda text: {"note": text},
    "edition": lambda text: {"edition": text},
    "contract": lambda text: {"table": {"contract": text}},
    "declarer": lambda text: {"table": {"contract": "4S", "declarer": text}},
    "deal": lambda text: {"table": {"deal": text}},
    "hand": lambda text: {"table": {"hands": {"E": text}}},
    "seat": lambda text: {"table": {"hands": {text: "S2"}}},
    "cards": lambda text: {"table": {"hands": {"E": [text]}}},
    "trick": lambda text: {"table": {"contract": "4S by S", "tricks": [text]}},
    "trick number": lambda text: {"table": {"contract": "4S by S", "trick": text}},
    "on lead": lambda text: {"table": {"contract": "4S by S", "on_lead": text}},
    "stage": lambda text: {"table": {"stage": text}},
    "claim": lambda text: {"table": {"contract": "4S by S", "claim": text}},
    "claimer": lambda text: {"table": {"contract": "4S by S", "claim": {"by": text}}},
    "line of a claim": lambda text: {"table": {"contract": "4S by S", "claim": {"by": "S", "line": [text]}}},
    "claim key": lambda text: {"table": {"contract": "4S by S", "claim": {"by": "S", text: 1}}},
    "table key": lambda text: {"table": {text: 1}},
    "key": lambda text: {text: 1},
    "report": lambda text: {"reports": [text]},
    "report kind": lambda text: {"reports": [{text: {}}]},
    "report field": lambda text: {"reports": [{"card_exposed": {text: "E"}}]},
    "report player": lambda text: {"reports": [{"card_exposed": {"player": text}}]},
    "report card": lambda text: {"reports": [{"card_exposed": {"player": "E", "card": text}}]},
    "report manner": lambda text: {"reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": text}}]},
    "choice": lambda text: {"choices": [{"lead_choice": {"player": "W", "trick": 1, "decision": text}}]},
    "choice kind": lambda text: {"choices": [{text: {}}]},
    "regulation": lambda text: {"regulations": {text: True}},
    "regulation value": lambda text: {"regulations": {"rescinded": text}},
    "expect": lambda text: {"expect": {"findings": [{text: {}}]}},
}


@pytest.fixture(scope="module")
def client(law: Law) -> Client:
    # A case in which much is open may take long on a busy machine, and is then told to try again.
    return Client(create_app(law, limits=Limits(seconds=60)))


def answered(client: Client, content: bytes, path: str) -> dict[str, Any]:
    """The answer, which must be a ruling or a problem of the client's."""
    response = sent(client, content, path)
    if response.status_code == 200:
        assert response.headers["content-type"] == "application/json"
        shown: dict[str, Any] = response.json()
        assert shown["format"] == 1
        return shown
    assert 400 <= response.status_code < 500, response.text
    return problem(response, response.status_code)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_in_any_field_is_only_a_text(client: Client, place: str, text: str) -> None:
    case = PLACES[place](text)
    for ascii_only in (True, False):
        content = json.dumps(case, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
        answered(client, content, "/v1/rulings")
    shown = answered(client, json.dumps([EIGHT, case]).encode(), "/v1/rulings/batch")
    if text == HOSTILE["half a character"]:
        assert shown["status"] == 400, "a list with half a character cannot be read at all"
        return
    records = shown["records"]
    assert records[0]["ruling"]["findings"][0]["kind"] == "minor_penalty_card"
    assert records[1]["line"] == 2


@pytest.mark.parametrize("place", PLACES)
def test_an_odd_value_in_any_field_is_told(client: Client, place: str) -> None:
    for value in ODD:
        try:
            case = PLACES[place](value)
        except TypeError:
            continue  # it cannot be a key
        for path in POSTED:
            body = json.dumps([case] if "batch" in path else case).encode()
            answered(client, body, path)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_in_an_address_is_only_a_text(client: Client, text: str) -> None:
    shown = text.encode("utf-8", "surrogatepass")[:2000]
    for response in (
        client.post("/v1/why-not", json=EIGHT, params={"clause": shown}),
        client.post("/v1/rulings", json=EIGHT, params={"edition": shown}),
        client.post("/v1/rulings", json=EIGHT, params={shown: "x"}),
        client.get("/v1/clauses", params={"edition": shown}),
    ):
        assert response.status_code in (400, 404)
        problem(response, response.status_code)
        assert "x-evil" not in response.headers


def test_a_script_comes_back_as_json_that_no_browser_takes_for_a_page(client: Client) -> None:
    response = client.post("/v1/rulings", json={"<script>alert(1)</script>": 1})
    assert problem(response, 422)
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", POSTED)
@pytest.mark.parametrize(
    "content",
    [
        b"null", b"true", b"7", b'"text"', b"[]", b"{}", b"[[]]", b"[1,]", b"{,}", b"'a'", b"{a: 1}", b"\x00", b"\xc3(",
        b'{"a": "\n"}', b'{"table": {"trick": 1e999}}', b'{"table": {"trick": ' + b"9" * 5000 + b"}}", b"Infinity",
        b'{"reports": [{"card_exposed": {"player": "E", "player": "W"}}]}', b'{"a":1}{"b":2}', b"\xef\xbb\xbf{}",
        b'{"note": "' + b"x" * 10_000_000 + b'"}', b'{"a":' * 5000 + b"1" + b"}" * 5000, b"[" * 1_000_000,
        b" " * 60_000,
        b'{"title": "\\ud800"}', b'{"\\ud800": 1}', b'{"title": "\\u0000"}', b'{"a\\u0000": 1}', b"---\n{}\n---\n{}",
    ],
)  # fmt: skip
def test_a_malformed_body_gets_a_problem_document(client: Client, path: str, content: bytes) -> None:
    answered(client, content, path)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
keys = st.sampled_from(["title", "edition", "table", "reports", "choices", "regulations", "expect", "note"])
LESS = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@LESS
@given(case=st.dictionaries(keys, values) | values)
def test_any_json_gets_an_answer(client: Client, case: Any) -> None:
    answered(client, json.dumps(case).encode(), "/v1/rulings")
    answered(client, json.dumps([case]).encode(), "/v1/rulings/batch")


@LESS
@given(content=st.binary(max_size=60))
def test_any_bytes_get_an_answer(client: Client, content: bytes) -> None:
    answered(client, content, "/v1/rulings")
    answered(client, content, "/v1/rulings/batch")


@LESS
@given(place=st.integers(0, 200), byte=st.integers(0, 255))
def test_a_case_with_one_byte_changed_gets_an_answer(client: Client, place: int, byte: int) -> None:
    content = bytearray(json.dumps(EIGHT, ensure_ascii=False).encode())
    content[place % len(content)] = byte
    answered(client, bytes(content), "/v1/rulings")
