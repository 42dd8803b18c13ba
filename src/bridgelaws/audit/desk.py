"""Audit chunks of a file: what a worker does. It reads the law once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bridgelaws.audit.auditing import Audit, audit
from bridgelaws.audit.boards import LIN, MAX_BOARD, BoardText, boards_of
from bridgelaws.audit.lin import read_lin
from bridgelaws.audit.pbn import read_pbn
from bridgelaws.audit.record import Record
from bridgelaws.audit.text import audit_text, errors_text
from bridgelaws.batch.desk import Ruled
from bridgelaws.batch.job import Job, Worker
from bridgelaws.batch.lines import MAX_LINE, Chunk
from bridgelaws.batch.packing import packed
from bridgelaws.batch.tally import Tally
from bridgelaws.book import Lawbook
from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic
from bridgelaws.lawbook.law import load_law
from bridgelaws.wire import json_bytes

TEXT, JSON = "text", "json"


@dataclass(frozen=True)
class AuditJob(Job):
    """What an audit is to do. `written` says whether it comes out as text or as JSON Lines."""

    written: str = JSON
    symbols: bool = True

    def desk(self) -> Worker:
        return AuditDesk(self)

    @property
    def particulars(self) -> dict[str, str]:
        return {"work": f"audit {self.written}"}


class AuditDesk:
    """The law of an audit, and what to do with a board."""

    def __init__(self, job: AuditJob) -> None:
        job.check()
        self._job = job
        self._book = Lawbook(load_law(job.laws).edition(job.edition), job.engine)

    def rule(self, chunk: Chunk, archive: Path | None = None) -> Ruled:
        """What comes out for the boards of a chunk."""
        tally, written = Tally(), bytearray()
        for board in boards_of(chunk, archive):
            written += self._written(board, tally)
        return Ruled(chunk.mark, tally, packed(bytes(written), self._job.packing))

    def _written(self, board: BoardText, tally: Tally) -> bytes:
        """One record, or nothing where no board is: a heading of the file, or a comment."""
        try:
            record = read_board(board, self._job.archive)
            if record is None:
                return b""
            found = audit(record, self._book)
        except BridgelawsError as wrong:
            return self._failed(board, wrong.diagnostics, tally)
        except Exception as bug:
            # One board that we cannot follow must not cost the audit of all others.
            message = f"an error in bridgelaws itself: {type(bug).__name__}: {bug}"
            return self._failed(board, (Diagnostic(message, self._job.archive, board.line, 1),), tally)
        tally.cases += 1
        tally.different += bool(found.irregularities)
        tally.found.update(each.kind.value for each in found.irregularities)
        return self._shown(found)

    def _shown(self, found: Audit) -> bytes:
        if self._job.written == JSON:
            return json_bytes(found.to_json()) + b"\n"
        return audit_text(found, symbols=self._job.symbols).encode("utf-8", "replace")

    def _failed(self, board: BoardText, problems: Iterable[Diagnostic], tally: Tally) -> bytes:
        tally.cases += 1
        tally.errors += 1
        placed = [each if each.line else replace(each, file=self._job.archive, line=board.line) for each in problems]
        if self._job.written == JSON:
            shown: dict[str, Any] = {"line": board.line, "errors": [each.to_json() for each in placed]}
            return json_bytes(shown) + b"\n"
        return errors_text(placed, symbols=self._job.symbols).encode("utf-8", "replace")


def read_board(board: BoardText, file: str) -> Record | None:
    """The record of a board, or `None` if the text holds none; a `CaseError` with every problem that it has."""
    if len(board.text) > MAX_BOARD:
        message = f"the board is longer than {MAX_BOARD} bytes"
        raise CaseError(Diagnostic(message, file, board.line, 1, hint="put an empty line between two boards"))
    if any(len(line) > MAX_LINE for line in board.text.split(b"\n")):
        message = f"a line of the board is longer than {MAX_LINE} bytes"
        raise CaseError(Diagnostic(message, file, board.line, 1, hint="begin each board on a line of its own"))
    text = _decoded(board.text)
    if "\x00" in text:
        message = "this is no text"
        raise CaseError(Diagnostic(message, file, board.line, 1, hint="save the file as plain text, PBN or LIN"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return read_lin(text, board.line, file) if board.form == LIN else read_pbn(text, board.line, file)


def _decoded(text: bytes) -> str:
    """The text in UTF-8, or in Latin-1 as the standard of PBN has it."""
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("latin-1")
