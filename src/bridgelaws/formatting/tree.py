"""Read a file into a tree that keeps every comment with the entry it is about."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from bridgelaws.formatting.shapes import Shape

Value = str | int | bool | None

EDITOR_LINE = re.compile(r"#\s*yaml-language-server:")
_COMMENT = re.compile(r"#[^\n\x85\u2028\u2029]*")
_HEADER_COMMENT = re.compile(r"[|>][-+0-9]*[ \t]+(#[^\n\x85\u2028\u2029]*)")
_LINE_END = re.compile(r"[\n\x85\u2028\u2029]")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(eq=False)
class Entry:
    """A key with its value, or an item of a list (its key is None), with the comments about it.

    `before` stand on lines of their own above it, `beside` behind it, `after` below the last of its own entries. An
    empty text among them is an empty line. `start` and `end` are where its value stands in the text.
    """

    key: str | None
    place: int
    column: int
    parent: Entry | None
    value: Value = None
    entries: list[Entry] | None = None
    is_map: bool = False
    in_braces: bool = False
    start: int = 0
    end: int = 0
    inner_column: int = 0
    before: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def inside(self, other: Entry) -> bool:
        step = self.parent
        while step is not None and step is not other:
            step = step.parent
        return step is other

    @property
    def commented_within(self) -> bool:
        """Whether a comment stands between its braces, so that they must become lines."""
        return bool(self.after) or any(
            each.before or each.beside or each.commented_within for each in self.entries or ()
        )

    def walk(self) -> Iterator[Entry]:
        yield self
        for each in self.entries or ():
            yield from each.walk()


@dataclass(frozen=True)
class _Comment:
    place: int
    column: int
    text: str
    alone: bool
    after_empty_line: bool


def read_tree(text: str, data: Any) -> Entry:
    """The root entry of a text that is known to be one sound document with these values."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    reading = _Reading(text, data)
    above: tuple[Entry | None, int] | None = None
    for comment in _comments(text, reading.scalars):
        following = reading.following(comment.place)
        if comment.alone:
            # Comments keep their order, so one that stands below another cannot belong further in.
            if above is not None and above[0] is following:
                comment = replace(comment, column=min(comment.column, above[1]))
            above = following, comment.column
        _attach(comment, reading, following)
    return reading.root


def arrange(entry: Entry, shape: Shape) -> None:
    """Put keys in their order, and comments where a line can hold them."""
    if entry.entries is not None:
        if shape.order:
            entry.entries.sort(key=lambda each: shape.rank(each.key))
        for each in entry.entries:
            arrange(each, shape.child(each.key))
    if len(entry.beside) > 1:
        entry.before += entry.beside[:-1]
        del entry.beside[:-1]
    if entry.key is None and entry.entries:
        # Nothing can stand between the dash of a list's item and what begins on the same line. At the top of a file
        # nobody can tell a comment about the file from one about its first key.
        first = entry.entries[0]
        entry.before += first.before
        first.before = []
        if first.key is None and first.entries:
            entry.before += first.beside
            first.beside = []
    if entry.entries == [] or (entry.entries is None and (entry.key is None or entry.value is not None)):
        entry.before += entry.after
        entry.after = []


class _Reading:
    """The tree, and what is needed to tell whose a comment is."""

    def __init__(self, text: str, data: Any) -> None:
        self.scalars: list[Any] = []
        self.started: list[Entry] = []
        # Where the entry that a comment behind something belongs to changes, in the order of the text.
        self.turns: list[tuple[int, Entry]] = []
        self._dashes = (
            _start(token) for token in yaml.scan(text, Loader=_Loader) if isinstance(token, yaml.BlockEntryToken)
        )
        events = iter(yaml.parse(text, Loader=_Loader))
        first = next(event for event in events if isinstance(event, yaml.NodeEvent))
        self.root = Entry(None, _start(first).index, 0, None)
        self._fill(self.root, data, first, events)

    def _fill(self, entry: Entry, data: Any, event: Any, events: Iterator[Any]) -> None:
        entry.start, entry.end = _start(event).index, event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            self.scalars.append(event)
            entry.value = data
            return
        entry.entries = []
        entry.is_map = isinstance(event, yaml.MappingStartEvent)
        entry.in_braces = bool(event.flow_style)
        entry.inner_column = _start(event).column
        for each in events:
            if isinstance(each, yaml.CollectionEndEvent):
                entry.end = _start(each).index
                if entry.in_braces:
                    self.turns.append((entry.end, entry))
                return
            if entry.is_map:
                child = Entry(each.value, _start(each).index, _start(each).column, entry)
                self.scalars.append(each)
                value = next(events)
            else:
                mark = _start(each) if entry.in_braces else next(self._dashes)
                child = Entry(None, mark.index, mark.column, entry)
                value = each
            entry.entries.append(child)
            self.started.append(child)
            self.turns.append((child.place, child))
            self._fill(child, data[len(entry.entries) - 1 if child.key is None else child.key], value, events)

    def current(self, place: int) -> Entry | None:
        """The entry that was last begun or, when its braces closed later, last finished before this place."""
        at = bisect_right(self.turns, place, key=lambda turn: turn[0])
        return self.turns[at - 1][1] if at else None

    def following(self, place: int) -> Entry | None:
        at = bisect_right(self.started, place, key=lambda entry: entry.place)
        return self.started[at] if at < len(self.started) else None


def _start(event: Any) -> Any:
    return event.start_mark


def _comments(text: str, scalars: list[Any]) -> Iterator[_Comment]:
    """Every comment: outside of texts, and behind the mark that opens a folded text, a # begins nothing else."""
    found: list[tuple[int, str]] = []
    place = 0
    for event in scalars:
        found += ((each.start(), each[0]) for each in _COMMENT.finditer(text, place, event.start_mark.index))
        if event.style in ("|", ">") and (header := _HEADER_COMMENT.match(text, event.start_mark.index)):
            found.append((header.start(1), header[1]))
        place = event.end_mark.index
    found += ((each.start(), each[0]) for each in _COMMENT.finditer(text, place))
    lines = [0, *(end.end() for end in _LINE_END.finditer(text))]
    for place, words in found:
        line = bisect_right(lines, place) - 1
        start = lines[line]
        alone = not text[start:place].strip()
        empty = alone and line > 0 and not text[lines[line - 1] : start].strip()
        yield _Comment(place, place - start, words.rstrip(), alone, empty)


def _attach(comment: _Comment, reading: _Reading, following: Entry | None) -> None:
    root, current = reading.root, reading.current(comment.place)
    if EDITOR_LINE.match(comment.text) and comment.alone:
        root.before.insert(sum(map(bool, map(EDITOR_LINE.match, root.before))), comment.text)
    elif current is None:
        _add(root.before, comment)
    elif not comment.alone:
        if current is root:
            _add(root.after, comment)
        elif current.key is None and current.entries and comment.place < current.entries[0].place:
            _add(current.before, comment)
        else:
            current.beside.append(comment.text)
    else:
        _add(_own_line_home(comment, root, current, following), comment)


def _own_line_home(comment: _Comment, root: Entry, current: Entry, following: Entry | None) -> list[str]:
    """Where a comment on a line of its own belongs: above what follows, or below what its indentation says."""
    braces = _braces_around(comment.place, current)
    if braces is not None:
        return following.before if following is not None and following.inside(braces) else braces.after
    written_later = current.entries is None or current.in_braces
    if written_later and current.start > comment.place:
        return current.before
    if following is None or comment.column > following.column:
        step: Entry | None = current
        while step is not None and (following is None or not following.inside(step)):
            column = step.column + 1 if step.entries is None else step.inner_column
            holds = step.value is None if step.entries is None else not step.in_braces
            if holds and comment.column >= column:
                return step.after
            step = step.parent
    return following.before if following is not None else root.after


def _braces_around(place: int, current: Entry) -> Entry | None:
    step: Entry | None = current
    while step is not None:
        if step.in_braces and step.start < place < step.end:
            return step
        step = step.parent
    return None


def _add(home: list[str], comment: _Comment) -> None:
    if home and comment.after_empty_line:
        home.append("")
    home.append(comment.text)
