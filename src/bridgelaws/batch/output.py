"""Where the records go: beside their place with a journal until all are there, so that a run can be resumed."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from bridgelaws.batch.desk import Ruled
from bridgelaws.batch.lines import Mark
from bridgelaws.batch.tally import Tally
from bridgelaws.errors import UsageError

Fingerprint = Mapping[str, str | int | None]

FORMAT = 1
# What the journal says is on the disk. To make sure of it takes time, so it is not done for every chunk of a fast run.
COMMIT_SECONDS = 0.2

_WHAT = {
    "input": "the name of the input",
    "size": "the size of the input",
    "law": "the law",
    "program": "the version of bridgelaws",
    "edition": "--edition",
    "against": "--against",
    "engine": "--engine",
    "chunk": "--chunk",
    "packing": "the compression of the output",
    "work": "the command or its --format",
}


@dataclass(frozen=True)
class State:
    """How far a run has come: the journal in memory."""

    mark: Mark = field(default_factory=Mark)
    tally: Tally = field(default_factory=Tally)
    written: int = 0
    finished: bool = False

    def after(self, ruled: Ruled, size: int) -> State:
        return State(ruled.mark, self.tally + ruled.tally, self.written + size)


class Output(Protocol):
    """Takes what was ruled, in order."""

    state: State

    def take(self, ruled: Ruled) -> None: ...

    def commit(self) -> None: ...

    def finish(self) -> None: ...

    def close(self) -> None: ...


class StandardOutput:
    """Records for whoever reads the other end of the pipe; a run that stops cannot be resumed."""

    def __init__(self) -> None:
        self.state = State()

    def take(self, ruled: Ruled) -> None:
        assert isinstance(ruled.output, bytes)
        sys.stdout.buffer.write(ruled.output)
        sys.stdout.buffer.flush()
        self.state = self.state.after(ruled, len(ruled.output))

    def commit(self) -> None: ...

    def finish(self) -> None: ...

    def close(self) -> None: ...


class OutputFile:
    """`OUT.part` with its journal `OUT.journal`, and in the end `OUT`.

    INVARIANT: the journal never tells of more than is safely in the part file. What the part file holds beyond it was
    written before a crash, and is cut off when the run is resumed.
    """

    def __init__(self, path: Path, fingerprint: Fingerprint, *, resume: bool, force: bool) -> None:
        self.path = path
        self.state = State()
        self._fingerprint = fingerprint
        self._part, self._journal = part_of(path), journal_of(path)
        self._committed = 0.0
        self._stream: BinaryIO | None = None
        try:
            if resume and self._journal.exists():
                self._resume()
            else:
                self._begin(resume, force)
        except OSError as problem:
            self.close()
            raise self._unwritable(problem) from None
        except UsageError:
            self.close()
            raise

    def _begin(self, resume: bool, force: bool) -> None:
        if not force:
            if self.path.exists():
                what = ", and no run of it is unfinished" if resume else ""
                raise UsageError(f"'{self.path}' exists already{what}", "--force replaces it")
            if self._journal.exists():
                message = f"an earlier run has not finished '{self.path}'"
                raise UsageError(message, "go on with --resume, or begin again with --force")
        self._open()
        self._write_journal()
        self._cut_off()

    def _resume(self) -> None:
        self.state = self._read_journal()
        if self.state.finished and not self._part.exists():
            return
        self._open()
        if self._part.stat().st_size < self.state.written:
            message = f"'{self._part}' is shorter than its journal says"
            raise UsageError(message, "begin again with --force")
        self._cut_off()

    def _open(self) -> None:
        stream = self._stream = self._part.open("ab")
        try:
            import fcntl
        except ModuleNotFoundError:
            return
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another run is writing '{self.path}' now"
            raise UsageError(message, "wait for it, or choose another --out") from None

    def _cut_off(self) -> None:
        assert self._stream
        self._stream.truncate(self.state.written)
        self._stream.seek(0, os.SEEK_END)

    def take(self, ruled: Ruled) -> None:
        assert self._stream
        try:
            size = self._stream.write(ruled.output) if isinstance(ruled.output, bytes) else self._join(ruled.output)
            # INVARIANT: Ctrl-C finds the chunk either in all of the state or in none of it.
            self.state = self.state.after(ruled, size)
            if time.monotonic() - self._committed >= COMMIT_SECONDS:
                self.commit()
        except OSError as problem:
            raise self._unwritable(problem) from None

    def _join(self, part: Path) -> int:
        """Append what a worker wrote beside us."""
        assert self._stream
        with part.open("rb") as written:
            shutil.copyfileobj(written, self._stream, 1 << 20)
            size = written.tell()
        part.unlink()
        return size

    def commit(self) -> None:
        """Make sure of what was taken, and then say so in the journal."""
        if self._stream is None or self._stream.closed:
            return
        try:
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._write_journal()
        except OSError as problem:
            raise self._unwritable(problem) from None
        self._committed = time.monotonic()

    def finish(self) -> None:
        """Put the whole file in its place; a run that dies between these steps resumes with those that are left."""
        try:
            if self._stream:
                self.state = replace(self.state, finished=True)
                self.commit()
                self._part.replace(self.path)
            self._journal.unlink()
        except OSError as problem:
            raise self._unwritable(problem) from None

    def close(self) -> None:
        if self._stream:
            # A disk that is full says so here once more.
            with suppress(OSError):
                self._stream.close()

    def _write_journal(self) -> None:
        shown = {
            "format": FORMAT,
            "fingerprint": dict(self._fingerprint),
            "mark": asdict(self.state.mark),
            "written": self.state.written,
            "finished": self.state.finished,
            "tally": self.state.tally.to_json(),
        }
        beside = self._journal.with_name(f"{self._journal.name}.new")
        with beside.open("w", encoding="utf-8") as stream:
            json.dump(shown, stream)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(self._journal)

    def _read_journal(self) -> State:
        try:
            read: dict[str, Any] = json.loads(self._journal.read_text(encoding="utf-8"))
            state = State(
                Mark(**read["mark"]), Tally.from_json(read["tally"]), int(read["written"]), bool(read["finished"])
            )
            before: dict[str, Any] = read["fingerprint"]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(f"'{self._journal}' is no journal of a batch", "begin again with --force") from None
        for key, value in self._fingerprint.items():
            if before.get(key) != value:
                raise changed(_WHAT[key])
        return state

    def _unwritable(self, problem: OSError) -> UsageError:
        return UsageError(f"'{self.path}' cannot be written: {problem.strerror}")


def changed(what: str) -> UsageError:
    message = f"this run cannot be resumed: {what} is not what it was when the run began"
    return UsageError(message, "change it back, or begin again with --force")


def part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.journal")
