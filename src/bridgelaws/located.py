"""Read YAML or JSON text into plain values that remember where they stood.

Everything is text except `true`, `false`, `null` and plain whole numbers, so a seat `N`, a clause `45E1` or a `No` is
never anything else. Anchors, aliases, tags, duplicate keys, tabs and over-large, over-deep or non-UTF-8 input are
errors with a line and a column.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bridgelaws.errors import BridgelawsError, Diagnostic, UsageError
from bridgelaws.plain_json import INTEGER, MAX_DEPTH, as_yaml, check_json, copied, strict_json

Step = str | int
PathTo = tuple[Step, ...]

MAX_BYTES = 5_000_000

# YAML may begin with a brace too, but then seldom goes on with a quote.
_JSON_BEGINS = re.compile(rb"(\xef\xbb\xbf)?\s*(\{\s*[\"}]|\[)")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Place(NamedTuple):
    """A line and a column, both counted from one."""

    line: int
    column: int


@dataclass(frozen=True)
class Document:
    """Plain values, with the place of every key and value; `file` is how messages name the source.

    Where places are wanted only for a message, `located` reads the text again, with them.
    """

    file: str
    data: Any
    places: dict[PathTo, Place] = field(default_factory=dict)
    keys: dict[PathTo, Place] = field(default_factory=dict)
    plain: frozenset[PathTo] = frozenset()
    located: Callable[[], Document] | None = None

    def problem(
        self,
        path: Sequence[Step],
        message: str,
        hint: str = "",
        *,
        at_key: bool = False,
        code: str = "",
        severity: str = "error",
    ) -> Diagnostic:
        """A diagnostic at the value that `path` leads to (or its key), or at the nearest place above it."""
        if self.located:
            return self.located().problem(path, message, hint, at_key=at_key, code=code, severity=severity)
        full = tuple(path)
        shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in full).lstrip(".")
        places = (self.keys, self.places) if at_key else (self.places, self.keys)
        for length in range(len(full), -1, -1):
            for table in places:
                if place := table.get(full[:length]):
                    return Diagnostic(message, self.file, place.line, place.column, shown, hint, code, severity)
        return Diagnostic(message, self.file, path=shown, hint=hint, code=code, severity=severity)


class _Once:
    """Reads a document when first asked for it, and keeps it."""

    __slots__ = ("_found", "_read")

    def __init__(self, read: Callable[[], Document]) -> None:
        self._read = read
        self._found: Document | None = None

    def __call__(self) -> Document:
        if self._found is None:
            self._found = self._read()
        return self._found


def read_file(path: Path, error: type[BridgelawsError], name: str | None = None, limit: int = MAX_BYTES) -> Document:
    """The document in a file; `.json` is read as JSON, everything else as YAML."""
    shown = name if name is not None else str(path)
    try:
        if path.is_dir():
            raise UsageError(f"'{shown}' is a folder, not a file")
        if path.stat().st_size > limit:
            raise error(_too_large(shown, limit))
        with path.open("rb") as stream:
            # A device or a pipe has no size and perhaps no end.
            raw = stream.read(limit + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file '{shown}'") from None
    except OSError as problem:
        raise error(Diagnostic(f"the file cannot be read: {problem.strerror}", shown, code="unreadable")) from None
    return read_bytes(raw, shown, error, as_json=path.suffix.lower() == ".json", limit=limit)


def read_standard_input(error: type[BridgelawsError], limit: int = MAX_BYTES) -> Document:
    # Python has no standard input at all where the caller closed it.
    raw = sys.stdin.buffer.read(limit + 1) if sys.stdin else b""
    return read_bytes(raw, "-", error, as_json=bool(_JSON_BEGINS.match(raw)), limit=limit)


def read_bytes(
    raw: bytes, name: str, error: type[BridgelawsError], *, as_json: bool = False, limit: int = MAX_BYTES
) -> Document:
    if len(raw) > limit:
        raise error(_too_large(name, limit))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        column = problem.start - raw.rfind(b"\n", 0, problem.start)
        message, hint = "the text is not UTF-8", "save the file as UTF-8"
        raise error(Diagnostic(message, name, line, column, hint=hint, code="unreadable")) from None
    return read_text(text, name, error, as_json=as_json)


def read_text(text: str, name: str, error: type[BridgelawsError], *, as_json: bool = False) -> Document:
    if not text.strip():
        raise error(Diagnostic("the file is empty", name, 1, 1, code="empty-file"))
    if as_json:
        plain = strict_json(text)
        if isinstance(plain, dict):
            # Read again at most once, however much is wrong.
            return Document(name, plain, located=_Once(partial(_read_located, text, name, error, as_json=True)))
    return _read_located(text, name, error, as_json=as_json)


def read_data(data: Any, name: str, error: type[BridgelawsError]) -> Document:
    """The document of values that are in Python already, as `json.loads` gives them."""
    try:
        plain = copied(data)
    except ValueError:
        # Something that JSON writes in another way, or that must be complained about.
        return _read_dumped(data, name, error)
    return Document(name, plain, located=_Once(partial(_read_dumped, plain, name, error)))


def _read_dumped(data: Any, name: str, error: type[BridgelawsError]) -> Document:
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise error(Diagnostic("the case holds values that JSON has no word for", name)) from None
    return _read_located(text, name, error, as_json=True)


def read_json_list(raw: bytes, name: str, error: type[BridgelawsError]) -> list[Document]:
    """The items of a JSON list, each a document of its own; an error if the text as a whole cannot be read."""
    try:
        read = strict_json(raw.decode())
    except UnicodeDecodeError:
        read = None
    if read is None:
        read = read_bytes(raw, name, error, as_json=True).data
    if not isinstance(read, list):
        raise error(Diagnostic("this is not a list of cases", name, hint="write [case, case]"))
    return [_item(value, name, error) for value in read]


def _item(value: Any, name: str, error: type[BridgelawsError]) -> Document:
    return Document(name, value, located=_Once(partial(_read_dumped, value, name, error)))


def _read_located(text: str, name: str, error: type[BridgelawsError], *, as_json: bool) -> Document:
    if as_json:
        check_json(text, name, error)
        text = as_yaml(text)
    return _Builder(name, error).build(text)


def _too_large(name: str, limit: int) -> Diagnostic:
    message, hint = f"the file is larger than {limit // 1_000_000} MB", "split it, or send only what matters"
    return Diagnostic(message, name, hint=hint, code="unreadable")


class _Builder:
    """Builds values from parser events: no recursion, so depth is ours to limit."""

    def __init__(self, name: str, error: type[BridgelawsError]) -> None:
        self.name = name
        self.error = error
        self.places: dict[PathTo, Place] = {}
        self.keys: dict[PathTo, Place] = {}
        self.plain: set[PathTo] = set()

    def build(self, text: str) -> Document:
        root: list[Any] = []
        try:
            self._consume(yaml.parse(text, Loader=_Loader), root)
        except yaml.MarkedYAMLError as problem:
            raise self._malformed(problem, text) from None
        except yaml.reader.ReaderError as problem:
            raise self._forbidden_character(text.encode()[: problem.position].decode(errors="ignore")) from None
        except UnicodeEncodeError as problem:
            raise self._forbidden_character(text[: problem.start]) from None
        if not root:
            raise self.error(Diagnostic("the file holds only comments", self.name, 1, 1, code="empty-file"))
        return Document(self.name, root[0], self.places, self.keys, frozenset(self.plain))

    def _consume(self, events: Any, root: list[Any]) -> None:
        # Each open collection: its path, its value, and the key that waits for a value (mappings only).
        stack: list[tuple[PathTo, dict[str, Any] | list[Any]]] = []
        waiting: list[str | None] = []
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    hint = "keep one document a file: remove the '---'"
                    self._fail(event, "a second document begins here", hint, code="second-document")
            elif isinstance(event, yaml.AliasEvent):
                self._fail(event, f"the alias '*{event.anchor}' is not allowed", "write the value out", code="alias")
            elif isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
                waiting.pop()
            elif isinstance(event, yaml.NodeEvent):
                self._refuse_extras(event)
                parent = stack[-1] if stack else None
                if parent is not None and isinstance(parent[1], dict) and waiting[-1] is None:
                    waiting[-1] = self._key(event, parent)
                    continue
                path, store = self._slot(parent, waiting, root)
                self.places[path] = _start(event)
                if isinstance(event, yaml.ScalarEvent):
                    store(self._scalar(event, path))
                else:
                    if len(stack) >= MAX_DEPTH:
                        self._fail(event, f"the text is nested deeper than {MAX_DEPTH} levels", code="yaml")
                    value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
                    store(value)
                    stack.append((path, value))
                    waiting.append(None)

    def _slot(
        self, parent: tuple[PathTo, dict[str, Any] | list[Any]] | None, waiting: list[str | None], root: list[Any]
    ) -> tuple[PathTo, Callable[[Any], None]]:
        if parent is None:
            return (), root.append
        path, collection = parent
        if isinstance(collection, list):
            return (*path, len(collection)), collection.append
        key = waiting[-1]
        assert key is not None
        waiting[-1] = None

        def store(value: Any) -> None:
            collection[key] = value

        return (*path, key), store

    def _key(self, event: Any, parent: tuple[PathTo, Any]) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            hint = "quote it if it starts with '{' or '['"
            self._fail(event, "a key must be a single word or text", hint, code="yaml")
        key: str = event.value
        path = (*parent[0], key)
        if path in self.keys:
            first = self.keys[path].line
            self._fail(
                event, f"the key '{key}' stands twice here", f"its first place is line {first}", code="key-twice"
            )
        self.keys[path] = _start(event)
        return key

    def _scalar(self, event: Any, path: PathTo) -> str | int | bool | None:
        text: str = event.value
        if event.style or not event.implicit[0]:
            return text
        self.plain.add(path)
        if text in _WORDS:
            return _WORDS[text]
        if INTEGER.match(text):
            return int(text)
        return None if text == "" else text

    def _refuse_extras(self, event: Any) -> None:
        if event.anchor is not None:
            message, hint = f"the anchor '&{event.anchor}' is not allowed", "write the value out where it is used"
            self._fail(event, message, hint, code="alias")
        if event.tag not in (None, "!"):
            self._fail(event, f"the tag '{event.tag}' is not allowed", "remove it", code="alias")

    def _fail(self, event: Any, message: str, hint: str = "", *, code: str) -> None:
        place = _start(event)
        raise self.error(Diagnostic(message, self.name, place.line, place.column, hint=hint, code=code))

    def _forbidden_character(self, before: str) -> BridgelawsError:
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = "the character here may not stand in YAML"
        return self.error(Diagnostic(message, self.name, line, column, code="yaml"))

    def _malformed(self, problem: yaml.MarkedYAMLError, text: str) -> BridgelawsError:
        mark = problem.problem_mark or problem.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        lines = text.splitlines()
        shown = lines[line - 1] if line <= len(lines) else ""
        if "\t" in shown[: len(shown) - len(shown.lstrip())] or "\\t" in (problem.problem or ""):
            message, hint = "a tab stands where only spaces may", "indent with spaces"
            return self.error(Diagnostic(message, self.name, line, column, hint=hint, code="tab"))
        if (problem.context or "").startswith("while parsing a block") and not shown[: column - 1].strip():
            message, hint = "the indentation here fits nothing above", "line it up with what it belongs beside"
            return self.error(Diagnostic(message, self.name, line, column, hint=hint, code="yaml"))
        reason = problem.problem or problem.context or "it cannot be read"
        hint = _yaml_hint(reason)
        return self.error(Diagnostic(f"this is not YAML: {reason}", self.name, line, column, hint=hint, code="yaml"))


def scalar_text(value: object) -> str:
    """A single value as a file writes it: `true`, not `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _start(event: Any) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)


def _yaml_hint(reason: str) -> str:
    if "mapping values are not allowed" in reason:
        return "quote text that holds a colon, and check the indentation"
    if "did not find expected" in reason or "could not find expected" in reason:
        return "check the indentation, and that every bracket and quote is closed"
    return ""
