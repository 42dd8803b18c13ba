"""Reading YAML and JSON: what stays text, what is refused, and where."""

from __future__ import annotations

import io
import json
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgelaws.errors import CaseError, UsageError
from bridgelaws.located import MAX_BYTES, Document, read_bytes, read_file, read_standard_input, read_text
from bridgelaws.plain_json import MAX_DEPTH


def yaml(text: str) -> Document:
    return read_text(text, "case.yaml", CaseError)


def as_json(text: str) -> Document:
    return read_text(text, "case.json", CaseError, as_json=True)


def refused(text: str | bytes, *, json: bool = False) -> str:
    """What is said about a text that cannot be read."""
    with pytest.raises(CaseError) as caught:
        if isinstance(text, bytes):
            read_bytes(text, "case", CaseError, as_json=json)
        else:
            read_text(text, "case", CaseError, as_json=json)
    (problem,) = caught.value.diagnostics
    return str(problem)


@pytest.mark.parametrize(
    "text",
    [
        *("No", "no", "Yes", "On", "off", "N", "y", "True", "TRUE", "False", "Null", "NULL", "~"),
        *("45E1", "12E3", "1_000", "0x10", "0o17", "017", "1.5", ".5", "-.inf", ".nan", "+1", "1,000", "12:30:45"),
        *("2017-01-01", "2001-12-14t21:59:43.10-05:00", "<<", "=", "50D2(a)", "♦KT862", "..KT62.8", "2.", "1e3"),
        "1234567890123456789012345",
    ],
)
def test_a_plain_word_stays_text(text: str) -> None:
    assert yaml(f"word: {text}").data == {"word": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("false", False), ("null", None), ("", None), ("0", 0), ("-3", -3), ("1997", 1997)],
)
def test_only_true_false_null_nothing_and_whole_numbers_are_anything_else(text: str, value: object) -> None:
    read = yaml(f"word: {text}").data["word"]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("text", ["true", "null", "1997", "", "0"])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_whatever_is_quoted_is_text(text: str, quote: str) -> None:
    assert yaml(f"word: {quote}{text}{quote}").data == {"word": text}


def test_keys_are_text_whatever_they_look_like() -> None:
    assert yaml("1997: a\nNo: b\nnull: c\n").data == {"1997": "a", "No": "b", "null": "c"}


def test_every_value_and_key_knows_its_line_and_column() -> None:
    document = yaml("table:\n  hands: {E: ♦K, W: [H2, H3]}\nreports:\n  - x: 1\n")
    places = {path: (place.line, place.column) for path, place in document.places.items()}
    assert places["table", "hands", "E"] == (2, 14)
    assert places["table", "hands", "W", 1] == (2, 26)
    assert places["reports", 0, "x"] == (4, 8)
    assert {path: (place.line, place.column) for path, place in document.keys.items()}["reports", 0, "x"] == (4, 5)


def test_a_problem_without_a_place_of_its_own_is_told_at_the_nearest_place_above() -> None:
    document = yaml("table:\n  hands:\n    E: D8\n")
    problem = document.problem(("table", "hands", "W", 3), "a card is missing")
    assert (problem.line, problem.column, problem.path) == (3, 5, "table.hands.W[3]")
    assert str(Document("x.yaml", None).problem(("a",), "it is wrong")) == "x.yaml: it is wrong"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: b: c", "1:5: this is not YAML: mapping values are not allowed in this context; quote text that holds a"),
        ("a: [1, 2\nb: 3\n", "2:2: this is not YAML: did not find expected ',' or ']'; check the indentation, and tha"),
        ("a: 'open\n", "2:1: this is not YAML: found unexpected end of stream"),
        ("a: 1\n b: 2\n", "2:3: this is not YAML: mapping values are not allowed in this context"),
        ("a: @b", "1:4: this is not YAML: found character that cannot start any token"),
        ("a: 1\na: 2\n", "2:1: the key 'a' stands twice here; its first place is line 1"),
        ("x: {a: 1, b: 2, a: 3}", "1:17: the key 'a' stands twice here; its first place is line 1"),
        ("a: &x 1\n", "1:4: the anchor '&x' is not allowed; write the value out where it is used"),
        ("a: *x\n", "1:4: the alias '*x' is not allowed; write the value out"),
        ("a: &x {b: 1}\nc: *x\n", "1:4: the anchor '&x' is not allowed"),
        ("a: {<<: *x}\n", "1:9: the alias '*x' is not allowed"),
        ("a: !!python/object/apply:os.system [ls]\n", "1:4: the tag 'tag:yaml.org,2002:python/object/apply:os.system'"),
        ("a: !!str 1\n", "1:4: the tag 'tag:yaml.org,2002:str' is not allowed; remove it"),
        ("a: !mine 1\n", "1:4: the tag '!mine' is not allowed; remove it"),
        ("a:\n\t- b\n", "2:1: a tab stands where only spaces may; indent with spaces"),
        ("a:\n  b: 1\n\tc: 2\n", "3:1: a tab stands where only spaces may; indent with spaces"),
        ("? [a, b]\n: 1\n", "1:3: a key must be a single word or text; quote it if it starts with '{' or '['"),
        ("{a: 1}: 2\n", "1:1: a key must be a single word or text"),
        ("a: 1\n---\nb: 2\n", "2:1: a second document begins here; keep one document a file: remove the '---'"),
        ("", "1:1: the file is empty"),
        (" \n\n\t\n", "1:1: the file is empty"),
        ("# only\n# comments\n", "1:1: the file holds only comments"),
        ("a: \x01\n", "1:4: the character here may not stand in YAML"),
        ("ééé: é\nb: é\x07\n", "2:5: the character here may not stand in YAML"),
        ("a: \ud83d\n", "1:4: the character here may not stand in YAML"),
        ('a: "\\ud83d"', "1:7: this is not YAML: found invalid Unicode character escape code"),
    ],
)
def test_yaml_that_is_refused(text: str, told: str) -> None:
    assert refused(text).startswith(f"case:{told}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": }', "case:1:7: this is not JSON: expecting value"),
        ('{"a": 1,}', "case:1:"),
        ('{"a": 1} x', "case:1:10: this is not JSON: extra data"),
        ("{'a': 1}", "case:1:2: this is not JSON: expecting property name enclosed in double quotes"),
        ("{a: 1}", "case:1:2: this is not JSON: expecting property name enclosed in double quotes"),
        ('{"a": NaN}', "case: this is not JSON: 'NaN' is not a value"),
        ('{"a": -Infinity}', "case: this is not JSON: '-Infinity' is not a value"),
        ('{"a": "\t"}', "case:1:8: this is not JSON: invalid control character at"),
        ('{"a": 1, "b": {"a": 2, "a": 3}}', "case:1:24: the key 'a' stands twice here; its first place is line 1"),
        (f'{{"a": {"9" * 5000}}}', "case: this is not JSON: exceeds the limit"),
        ('{"a": "\\ud83d"}', "case:1:10: this is not YAML: found invalid Unicode character escape code"),
        ("", "case:1:1: the file is empty"),
    ],
)
def test_json_that_is_refused(text: str, told: str) -> None:
    assert refused(text, json=True).lower().startswith(told.lower())


def test_json_may_be_compact_indented_with_tabs_or_full_of_escapes() -> None:
    data = {"a": [1, -2, True, None, "x: y", "#", "- z", '\n\t\\"/', "♦", "\U0001f0cf"], "b": {"": {}}, "c": []}
    for text in (
        json.dumps(data, separators=(",", ":")),
        json.dumps(data, indent="\t"),
        json.dumps(data, ensure_ascii=False).replace("/", "\\/"),
        json.dumps(data, indent=4),
    ):
        assert as_json(text).data == data


SCALARS = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.text(st.characters(codec="ascii"))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc"), inner))


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(VALUES)
def test_json_is_read_as_what_it_says(value: object) -> None:
    text = json.dumps({"value": value})
    if "\\u007f" not in text and "\x7f" not in text:
        assert as_json(text).data == {"value": value}


def test_json_may_hold_fractions_as_text_only() -> None:
    assert as_json('{"a": 1.5, "b": 1e3}').data == {"a": "1.5", "b": "1e3"}


def test_text_that_is_not_utf_8_is_told_at_its_byte() -> None:
    assert refused(b"a: 1\nb: caf\xe9\n") == "case:2:7: the text is not UTF-8; save the file as UTF-8"
    assert refused("a: ♦8".encode("utf-16")) == "case:1:1: the text is not UTF-8; save the file as UTF-8"


@pytest.mark.parametrize("name", ["case.yaml", "case.json"])
def test_a_byte_order_mark_is_accepted(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_file(path, CaseError).data == {"a": 1}


def test_windows_line_ends_are_accepted() -> None:
    document = yaml("a: 1\r\nb:\r\n  - ♦8\r\n")
    assert document.data == {"a": 1, "b": ["♦8"]}
    assert document.places["b", 0].line == 3


def test_a_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(100_000_000)
    tracemalloc.start()
    begun = time.perf_counter()
    with pytest.raises(CaseError, match="the file is larger than 5 MB; split it, or send only what matters"):
        read_file(path, CaseError)
    taken, (_, peak) = time.perf_counter() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    assert taken < 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(CaseError, match="larger than 5 MB"):
        read_file(Path("/dev/zero"), CaseError)


def test_bytes_over_the_limit_are_refused() -> None:
    assert "larger than 5 MB" in refused(b" " * (MAX_BYTES + 1))


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_is_refused(opening: str) -> None:
    assert f"the text is nested deeper than {MAX_DEPTH} levels" in refused(opening * (MAX_DEPTH + 1) + "1")


def test_nesting_up_to_the_limit_is_read() -> None:
    assert yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH).data


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_absurd_nesting_is_refused_in_json_and_in_yaml(text: str) -> None:
    assert "nested deeper than" in refused(text)
    assert "case:" in refused(text, json=True)


def test_a_file_full_of_aliases_is_refused_at_once() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    begun = time.perf_counter()
    assert refused("\n".join(lines)) == (
        "case:1:5: the anchor '&a0' is not allowed; write the value out where it is used"
    )
    assert time.perf_counter() - begun < 1


def test_a_file_that_is_not_there_or_is_a_folder_is_a_fault_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no file '.*nothing.yaml'"):
        read_file(tmp_path / "nothing.yaml", CaseError)
    with pytest.raises(UsageError, match="is a folder, not a file"):
        read_file(tmp_path, CaseError)


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "case.yaml"
    path.write_text("a: 1", encoding="utf-8")

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(CaseError, match=r"case.yaml: the file cannot be read: Permission denied"):
        read_file(path, CaseError)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": 1}',
        b'\xef\xbb\xbf {\n\t"a": 1\n}',
        b"{a: 1}",
        b"a: 1",
        b"{ a : 1 }",
    ],
)
def test_standard_input_may_be_json_or_yaml_in_any_style(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert read_standard_input(CaseError).data == {"a": 1}


def test_no_standard_input_at_all_is_an_empty_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(CaseError, match="-:1:1: the file is empty"):
        read_standard_input(CaseError)
