"""Cut a file of records into boards, PBN or LIN, without reading more of it at a time than it must."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from bridgelaws.batch.lines import MAX_CHUNK, MAX_LINE, Archive, Chunk, Mark, archive_lines, chunk_after

# A board with every card explained has some thousands of bytes.
MAX_BOARD = 200_000

PBN, LIN = "pbn", "lin"

_LIN = re.compile(rb"\s*[A-Za-z]{2}\|")
_LIN_BOARD = re.compile(rb"(?:\A|[\s|])(qx|md)\|", re.IGNORECASE)
_PBN_TAG = re.compile(rb"\s*\[\s*(?:Event|Board|Deal|Dealer)\s*\"")
_PBN_MATTER = re.compile(rb"\"(?:\\.|[^\"\\])*\"|;.*|[{}]")


@dataclass(frozen=True, slots=True)
class BoardText:
    """A board as it stands in the file."""

    form: str
    line: int
    text: bytes


class _Edges:
    """Tells, line by line, where a board begins.

    In PBN a blank line parts two boards, except in a comment; in LIN a board begins with its name or its deal.
    """

    def __init__(self) -> None:
        self.form = ""
        self.blank = True
        self.in_comment = False
        self.has_deal = False

    def begins(self, line: bytes) -> bool:
        blank = not line.strip()
        begins = False
        if not blank:
            begins = self._begins(line)
            if self.form == PBN and not line.startswith(b"%"):
                self._comments(line)
        self.blank = blank
        return begins

    def _begins(self, line: bytes) -> bool:
        form = LIN if not self.in_comment and _LIN.match(line) else self.form or PBN
        if self.blank and not self.in_comment and _PBN_TAG.match(line):
            form = PBN
        if form == LIN:
            return self._lin(line)
        # A comment that nobody closed would swallow every board after it.
        lost = self.in_comment and self.blank and _PBN_TAG.match(line) is not None
        begins = self.form != PBN or lost or (self.blank and not self.in_comment)
        if begins:
            self.in_comment = False
        self.form = PBN
        return begins

    def _lin(self, line: bytes) -> bool:
        marks = {found.lower() for found in _LIN_BOARD.findall(line)}
        begins = self.form != LIN or b"qx" in marks or (b"md" in marks and self.has_deal)
        self.has_deal = b"md" in marks or (self.has_deal and not begins)
        self.form = LIN
        return begins

    def _comments(self, line: bytes) -> None:
        at = 0
        while at < len(line):
            if self.in_comment:
                end = line.find(b"}", at)
                if end < 0:
                    return
                self.in_comment, at = False, end + 1
                continue
            found = _PBN_MATTER.search(line, at)
            if not found:
                return
            self.in_comment = found[0] == b"{"
            at = found.end()


def cut_at_boards(archive: Archive, most_boards: int) -> Iterator[Chunk]:
    """The file in chunks that begin with a board; cut in the same places however it is audited."""
    edges, digest, mark = _Edges(), blake2b(digest_size=16), Mark()
    lines: list[bytes] = []
    size = kept = boards = 0
    for line, taken in archive_lines(archive):
        begins = edges.begins(line)
        # No board is so long as the last: what is left of it begins the next chunk, and is complained about there too.
        if lines and ((begins and (boards >= most_boards or kept >= MAX_CHUNK)) or kept >= 2 * MAX_CHUNK):
            made = chunk_after(mark, lines, size, digest)
            yield made
            mark, lines, size, kept, boards = made.mark, [], 0, 0, 0
        boards += begins
        lines.append(line)
        size += taken
        kept += len(line) + 1
    if lines:
        yield chunk_after(mark, lines, size, digest)


def boards_of(chunk: Chunk, archive: Path | None = None) -> Iterator[BoardText]:
    """The boards of a chunk, each with its first line."""
    edges = _Edges()
    lines: list[bytes] = []
    first, form = chunk.first_line, ""
    for number, line in chunk.numbered(archive):
        if edges.begins(line):
            yield from _boards(form, first, lines)
            lines, first, form = [], number, edges.form
        lines.append(line)
    yield from _boards(form, first, lines)


def _boards(form: str, first: int, lines: list[bytes]) -> Iterator[BoardText]:
    text = b"\n".join(lines)
    if not text.strip():
        return
    if form != LIN or any(len(line) > MAX_LINE for line in lines):
        yield BoardText(form or PBN, first, text)
        return
    # Several boards may stand on one line.
    starts = _lin_starts(text)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield BoardText(LIN, first + text.count(b"\n", 0, start), text[start:end])


def _lin_starts(text: bytes) -> list[int]:
    starts, has_deal = [0], False
    for found in _LIN_BOARD.finditer(text):
        is_deal = found[1].lower() == b"md"
        if (is_deal and has_deal) or (not is_deal and found.start(1) > 0 and has_deal):
            starts.append(found.start(1))
            has_deal = False
        has_deal = has_deal or is_deal
    return starts
