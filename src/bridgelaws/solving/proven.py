"""Remember where the solver has proven that there is no table: a question that has not changed is not searched again.

A mark is an empty file, named by a digest of the question as the solver was asked it, with every rule that bears on it.
Whoever forges one can keep a question from being asked, not have anything done.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from bridgelaws.lawbook.soundness import cache_folder, leave_the_newest

# A search of an edition leaves some twelve hundred.
_MOST_MARKS = 50_000


def question_digest(lines: Iterable[str]) -> str:
    """A digest of a question; the order of its lines does not matter."""
    taken = sha256()
    for line in sorted(lines):
        taken.update(f"{line}\n".encode())
    return taken.hexdigest()


def is_proven(digest: str) -> bool:
    with suppress(OSError):
        return (_marks() / digest).is_file()
    return False


def remember_as_proven(digest: str) -> None:
    """Leave a mark; where nothing can be written, the question is searched each time."""
    with suppress(OSError):
        _marks().mkdir(parents=True, exist_ok=True)
        (_marks() / digest).touch()


def forget_the_oldest() -> None:
    """Leave only so many marks."""
    with suppress(OSError):
        leave_the_newest(_marks(), _MOST_MARKS)


def _marks() -> Path:
    return cache_folder() / "proven"
