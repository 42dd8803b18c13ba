"""Where the cursor stands: the word under it and the path to it, even in a text that is only half written."""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from bridgelaws.errors import BridgelawsError, LawError
from bridgelaws.located import Document, PathTo, Place, read_text

# A private character: it marks the cursor, and nobody types it.
_CURSOR = "\ue000"
_KEY_FOLLOWS = re.compile(r"[^\s,\[\]{}:#\"']*[\"']?\s*:(\s|$)")
_PLAIN_ENDS = re.compile(r":(?=\s|$)|\s#|$")
_PLAIN_ENDS_IN_BRACKETS = re.compile(r"[,\[\]{}]|:(?=\s|$)|\s#|$")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A line and a column, both counted from zero, in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From a position up to, but not including, another."""

    start: Position
    end: Position


@dataclass(frozen=True)
class Spot:
    """The word at a position. `typed` is the part before the cursor; `before` is the text up to there, as read."""

    path: PathTo
    at_key: bool
    word: str
    typed: str
    span: Span
    colon_follows: bool
    before: Document

    @property
    def inside(self) -> PathTo:
        """The path to the map or list in which the word stands."""
        return self.path[:-1]


def spot_at(text: str, position: Position) -> Spot | None:
    """The word at a position, or nothing: in a comment, in running text, past the end, or where nothing can be read."""
    lines = text_lines(text)
    if not (0 <= position.line < len(lines) and 0 <= position.column <= len(lines[position.line])):
        return None
    line = lines[position.line]
    before = "\n".join([*lines[: position.line], line[: position.column]])
    colon = bool(_KEY_FOLLOWS.match(line[position.column :]))
    closing = _closing(before)
    # What comes after the cursor is cut off, so that a mistake there, or an unfinished word here, does no harm.
    for ending in (":", '":', "':", "", '"', "'") if colon else ("", '"', "'", ":"):
        try:
            read = read_text(f"{before}{_CURSOR}{ending}{closing}", "", LawError)
        except BridgelawsError:
            continue
        return _found(read, position, line, colon, bool(closing))
    return None


def text_lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def span_at(lines: list[str], place: Place) -> Span:
    """The word that begins at a place of a document, without its quotes; past the end, the end of the last line."""
    if not 1 <= place.line <= len(lines):
        last = Position(len(lines) - 1, len(lines[-1]))
        return Span(last, last)
    line, column = lines[place.line - 1], place.column - 1
    start = column + (line[column : column + 1] in ('"', "'"))
    end = max(_word_end(line, start, line[column:start], brackets=True), min(start + 1, len(line)))
    return Span(Position(place.line - 1, start), Position(place.line - 1, end))


def _closing(text: str) -> str:
    """The brackets that are still open at the end of a text, closed."""
    opened: list[str] = []
    try:
        for token in yaml.scan(text, Loader=_LOADER):
            if isinstance(token, yaml.FlowMappingStartToken):
                opened.append("}")
            elif isinstance(token, yaml.FlowSequenceStartToken):
                opened.append("]")
            elif isinstance(token, yaml.FlowMappingEndToken | yaml.FlowSequenceEndToken) and opened:
                opened.pop()
    except yaml.YAMLError:
        # An open quote ends the scan; the brackets before it were counted.
        pass
    return "".join(reversed(opened))


def _found(read: Document, position: Position, line: str, colon: bool, brackets: bool) -> Spot | None:
    # INVARIANT: nothing but closing brackets stands after the cursor, so the last place read is the word's or, for a
    # key, that of the nothing behind it.
    path = next(reversed(read.places))
    at_key = bool(path) and isinstance(path[-1], str) and path[-1].endswith(_CURSOR)
    scalar = path[-1] if at_key else value_at(read, path)
    place = read.keys[path] if at_key else read.places[path]
    if not (isinstance(scalar, str) and scalar.endswith(_CURSOR)) or place.line - 1 != position.line:
        return None
    start = place.column - 1
    quote = line[start : start + 1] if line[start : start + 1] in ('"', "'") and start < position.column else ""
    start += len(quote)
    end = max(_word_end(line, start, quote, brackets=brackets), position.column)
    word = line[start:end]
    return Spot(
        (*path[:-1], word) if at_key else path,
        at_key,
        word,
        line[start : position.column],
        Span(Position(position.line, start), Position(position.line, end)),
        colon,
        read,
    )


def value_at(document: Document, path: PathTo) -> object:
    found = document.data
    for step in path:
        found = found[step]
    return found


def _word_end(line: str, start: int, quote: str, *, brackets: bool) -> int:
    if quote:
        end = line.find(quote, start)
        return end if end >= 0 else len(line)
    found = (_PLAIN_ENDS_IN_BRACKETS if brackets else _PLAIN_ENDS).search(line, start)
    assert found is not None
    return start + len(line[start : found.start()].rstrip())
