"""Remember where the solver has proven that there is no table: a question that has not changed is not searched again.

A mark is an empty file, named by a digest of the question as the solver was asked it, with every rule that bears on it.
Whoever forges one can keep a question from being asked, not have anything done. The proofs for the shipped editions lie
with the package, a line each, in files that `python -m benchmarks.proofs` writes.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from bridgelaws.lawbook.soundness import cache_folder, leave_the_newest

# A search of an edition leaves some thirteen hundred.
_MOST_MARKS = 50_000
_BEFOREHAND = Path(__file__).parent / "beforehand"
# Of a digest so many digits are kept with the package: 128 bits.
_DIGITS = 32


def question_digest(lines: Iterable[str]) -> str:
    """A digest of a question; the order of its lines does not matter."""
    taken = sha256()
    for line in sorted(lines):
        taken.update(f"{line}\n".encode())
    return taken.hexdigest()


def is_proven(digest: str) -> bool:
    with suppress(OSError):
        return digest[:_DIGITS] in _proven_beforehand(_BEFOREHAND) or (_marks() / digest).is_file()
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


def proofs_file(edition: str) -> Path:
    """Where the package has the proofs for one of the shipped editions."""
    return _BEFOREHAND / f"proven-{edition}.txt"


def written(digests: Iterable[str]) -> str:
    """The text of such a file."""
    return "".join(f"{each}\n" for each in sorted({digest[:_DIGITS] for digest in digests}))


@cache
def _proven_beforehand(folder: Path) -> frozenset[str]:
    return frozenset(each for path in folder.glob("proven-*.txt") for each in path.read_text("utf-8").split())


def _marks() -> Path:
    return cache_folder() / "proven"
