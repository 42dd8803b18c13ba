"""Remember which laws were found sound: a law that has not changed since need not be checked again.

A mark is an empty file, named by a digest of every file of the law and of the program that checked it. There is nothing
in it to read. Whoever forges one can keep a law from being checked, not have anything done.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from bridgelaws.lawbook.sources import SAVED, shipped

CACHE = "BRIDGELAWS_CACHE"
_MOST_MARKS = 50


def law_digest(laws: Path | None) -> str:
    """A digest of the law's files, and of the program's, which might check more than it did."""
    package = Path(__file__).resolve().parent
    taken = sha256(f"{sys.version}\0{laws is None}\0".encode())
    program = ((package.parent, "*.py"), (package, "*.py"), (package.parent / "engine", "*.py"))
    for folder, pattern in (*program, (shipped("rules"), ""), (laws, "")):
        if folder is not None:
            paths = folder.glob(pattern) if pattern else SAVED.below(folder)
            for path in sorted(map(str, paths)):
                with open(path, "rb", buffering=0) as file:  # noqa: PTH123 (a Path takes longer, and there are hundreds)
                    content = file.read()
                taken.update(f"{path}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
                taken.update(content)
    return taken.hexdigest()


def is_known_sound(digest: str) -> bool:
    with suppress(OSError):
        return (_marks() / digest).is_file()
    return False


def remember_as_sound(digest: str) -> None:
    """Leave a mark, and not too many of them; where nothing can be written, the law is checked each time."""
    with suppress(OSError):
        folder = _marks()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digest).touch()
        leave_the_newest(folder, _MOST_MARKS)


def leave_the_newest(folder: Path, count: int) -> None:
    """Remove all but the newest files of a folder."""
    files = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)
    for old in files[:-count]:
        old.unlink(missing_ok=True)


def _marks() -> Path:
    return cache_folder() / "sound"


def cache_folder() -> Path:
    """Where this user keeps what can be made again."""
    chosen = os.environ.get(CACHE)
    usual = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return Path(chosen or (Path(usual) if usual else Path.home() / ".cache") / "bridgelaws")
