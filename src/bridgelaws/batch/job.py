"""What a batch is to do, in a form that travels to workers, and which law and program it is to be done with."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bridgelaws import __version__
from bridgelaws.batch.packing import PLAIN
from bridgelaws.lawbook.sources import SAVED, shipped

if TYPE_CHECKING:
    from bridgelaws.batch.desk import Ruled
    from bridgelaws.batch.lines import Chunk


class Worker(Protocol):
    """Makes records of a chunk; it has read the law."""

    def rule(self, chunk: Chunk, archive: Path | None = None) -> Ruled: ...


class Unfit(Exception):
    """A worker whose law or program is not that of the batch."""


@dataclass(frozen=True)
class Job:
    """Everything that has a say in what comes out for a line.

    `law` and `program` say which law and program are meant: a worker on another machine, or one that starts after
    somebody saved a rule, must not rule by another. With `against`, only what that edition rules differently comes out.
    """

    archive: str
    law: str
    edition: str | None = None
    against: str | None = None
    laws: Path | None = None
    engine: str = "compiled"
    packing: str = PLAIN
    program: str = __version__

    def desk(self) -> Worker:
        """Whoever does the work."""
        from bridgelaws.batch.desk import Desk

        return Desk(self)

    @property
    def particulars(self) -> dict[str, str]:
        """What must be the same for a run to be resumed, beyond what every batch has."""
        return {}

    def check(self) -> None:
        """Raise `Unfit` unless law and program here are those of the batch."""
        if self.program != __version__:
            raise Unfit(f"a worker has bridgelaws {__version__}, and the batch was begun with {self.program}")
        if self.law != law_digest(self.laws):
            raise Unfit("the files of the law have changed, or a worker has others")


def law_digest(laws: Path | None) -> str:
    """The law by what is in its files, wherever they lie."""
    digest = blake2b(digest_size=16)
    for folder in (shipped("rules"), *(() if laws is None else (laws,))):
        for path in sorted(SAVED.below(folder)):
            text = _content(path)
            digest.update(f"{path.relative_to(folder).as_posix()} {len(text)}\n".encode() + text)
        digest.update(b"\n")
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        # Whoever reads the law says what is wrong with the file.
        return b""
