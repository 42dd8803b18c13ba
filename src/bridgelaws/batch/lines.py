"""Read an archive line by line, plain or compressed, and cut it into chunks that do not depend on who rules on them."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from bridgelaws.batch.packing import GZIP, ZSTD, zstandard
from bridgelaws.errors import UsageError

# A case is a few hundred bytes. What is so much longer is no case, and reading on would fill the memory.
MAX_LINE = 100_000
MAX_CHUNK = 4_000_000

_BLOCK = 1 << 20
_MAGIC = {GZIP: b"\x1f\x8b", ZSTD: b"\x28\xb5\x2f\xfd"}


@dataclass(frozen=True, slots=True)
class Mark:
    """How far the archive was read: chunks, lines and bytes, and a digest of everything up to there."""

    chunks: int = 0
    lines: int = 0
    bytes: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some lines. `data` is `None` if whoever rules on them reads them in place, between `start` and the mark."""

    first_line: int
    start: int
    data: bytes | None
    mark: Mark

    @property
    def number(self) -> int:
        return self.mark.chunks

    def numbered(self, archive: Path | None) -> Iterator[tuple[int, bytes]]:
        """Each line with its number in the archive."""
        if self.data is not None:
            yield from enumerate(_split(self.data), self.first_line)
        elif archive is not None:
            with archive.open("rb") as stream:
                stream.seek(self.start)
                lines = islice(bounded_lines(stream), self.mark.lines - self.first_line + 1)
                yield from ((number, line) for number, (line, _) in enumerate(lines, self.first_line))


def _split(data: bytes) -> list[bytes]:
    # Not `splitlines`: only a line feed ends a line of the archive.
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


@dataclass(frozen=True)
class Archive:
    """An open archive. `place` is the file itself if it is not compressed, so that parts of it can be read there."""

    name: str
    stream: BinaryIO
    raw: BinaryIO
    size: int | None
    place: Path | None

    @property
    def position(self) -> int:
        """How much of `size` has been read."""
        return self.raw.tell() if self.size is not None else 0


@contextmanager
def opened(file: str) -> Iterator[Archive]:
    """The archive in a file, or on standard input for `-`; compressed or not is seen from how it begins."""
    if file == "-":
        if sys.stdin is None:
            raise UsageError("there is no standard input")
        yield _archive("-", cast("BinaryIO", sys.stdin.buffer), None)
        return
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"'{file}' is a folder, not a file")
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise UsageError(f"there is no file '{file}'") from None
    except OSError as problem:
        raise _unreadable(file, problem) from None
    with raw:
        yield _archive(path.name, raw, path if path.is_file() else None)


def _unreadable(file: str, problem: OSError) -> UsageError:
    return UsageError(f"'{file}' cannot be read: {problem.strerror}")


def _archive(name: str, raw: BinaryIO, path: Path | None) -> Archive:
    size = path.stat().st_size if path else None
    buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", raw))
    begins = buffered.peek(4)[:4]
    raw = stream = cast("BinaryIO", buffered)
    if begins.startswith(_MAGIC[GZIP]):
        stream = cast("BinaryIO", gzip.GzipFile(fileobj=raw))
    elif begins.startswith(_MAGIC[ZSTD]):
        stream = cast("BinaryIO", io.BufferedReader(_Frames(raw), _BLOCK))
    return Archive(name, stream, raw, size, path.resolve() if path and stream is raw else None)


class _Frames(io.RawIOBase):
    """What is in one zstd frame after the other; the library's own reader takes half a file for a whole one."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._library = zstandard()
        self._frame = None
        self._waiting = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._waiting:
            packed = self._raw.read(min(_BLOCK, max(1, len(buffer) // 8)))
            if not packed:
                if self._frame is not None:
                    raise EOFError
                return 0
            self._waiting = self._unpacked(packed)
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size

    def _unpacked(self, packed: bytes) -> bytes:
        found = b""
        while packed:
            frame = self._frame or self._library.ZstdDecompressor().decompressobj()
            found += frame.decompress(packed)
            packed = frame.unused_data if frame.eof else b""
            self._frame = None if frame.eof else frame
        return found


def bounded_lines(stream: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Each line with the bytes it takes in the archive; of one that is too long, just enough to see that it is."""
    while line := stream.readline(MAX_LINE + 2):
        size = len(line)
        if size > MAX_LINE and not line.endswith(b"\n"):
            while rest := stream.readline(_BLOCK):
                size += len(rest)
                if rest.endswith(b"\n"):
                    break
            line = line[: MAX_LINE + 1]
        yield line.removesuffix(b"\n"), size


def archive_lines(archive: Archive) -> Iterator[tuple[bytes, int]]:
    """The lines of the archive, each with the bytes that it takes there.

    An archive that breaks off in the middle of its compression ends in a usage error.
    """
    read = 0
    try:
        for line in bounded_lines(archive.stream):
            read += 1
            yield line
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise _broken(archive, read) from None
    except OSError as problem:
        raise _unreadable(archive.name, problem) from None
    except Exception as problem:
        if type(problem).__name__ != "ZstdError":
            raise
        raise _broken(archive, read) from None


def cut(archive: Archive, most_lines: int) -> Iterator[Chunk]:
    """The archive in chunks. The same archive is always cut in the same places, however it is ruled on."""
    lines: list[bytes] = []
    mark = Mark()
    digest = blake2b(digest_size=16)
    size = kept = 0
    for line, taken in archive_lines(archive):
        lines.append(line)
        size += taken
        kept += len(line)
        if len(lines) == most_lines or kept >= MAX_CHUNK:
            made = chunk_after(mark, lines, size, digest)
            yield made
            mark, lines, size, kept = made.mark, [], 0, 0
    if lines:
        yield chunk_after(mark, lines, size, digest)


def chunk_after(mark: Mark, lines: list[bytes], size: int, digest: blake2b) -> Chunk:
    """The chunk of these lines, which take `size` bytes after the mark; the digest is of everything up to there."""
    data = b"\n".join((*lines, b""))
    end = Mark(mark.chunks + 1, mark.lines + len(lines), mark.bytes + size)
    # Where a line was too long its end is not in the data, but its length is in the count of bytes.
    digest.update(b"%d %d\n" % (end.lines, end.bytes) + data)
    return Chunk(mark.lines + 1, mark.bytes, data, Mark(end.chunks, end.lines, end.bytes, digest.hexdigest()))


def _broken(archive: Archive, lines: int) -> UsageError:
    message = f"'{archive.name}' is damaged or not complete: it can be read up to line {lines}"
    return UsageError(message, "get the file again; with --resume the run then goes on where it stopped")
