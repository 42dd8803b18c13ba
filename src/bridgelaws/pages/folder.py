"""A folder of pages: what belongs is written, and what only an earlier run wrote is taken away."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bridgelaws.errors import UsageError
from bridgelaws.files import write_whole

# One line a file, as `sha256sum --check` reads it: so a page that someone has since changed is known as theirs.
LIST = "pages.sha256"
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def write_pages(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Write the files, and the list of them; the names of the pages that were taken away."""
    gone = list(_stale(folder, files))
    try:
        for name in gone:
            (folder / name).unlink()
            _remove_if_empty((folder / name).parent, folder)
    except OSError as problem:
        raise UsageError(f"'{problem.filename}' cannot be removed: {problem.strerror}") from None
    for name, text in files.items():
        write_whole(folder / name, text)
    write_whole(folder / LIST, "".join(f"{_digest(text.encode())}  {name}\n" for name, text in sorted(files.items())))
    return gone


def _stale(folder: Path, files: Mapping[str, str]) -> Iterator[str]:
    """What an earlier run wrote and this one does not: only files below the folder that are still as they were."""
    for digest, name in _listed(folder):
        path = folder / name
        below = path.resolve().is_relative_to(folder.resolve())
        ours = below and path.is_file() and not path.is_symlink() and _digest(path.read_bytes()) == digest
        if ours and name not in files:
            yield name


def _listed(folder: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = (folder / LIST).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    for line in dict.fromkeys(lines):
        if found := _LINE.fullmatch(line):
            yield found[1], found[2]


def _remove_if_empty(path: Path, top: Path) -> None:
    if path != top and not any(path.iterdir()):
        path.rmdir()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
