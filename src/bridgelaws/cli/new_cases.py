"""`bridgelaws new cases --random`: cases by the thousand, to try a batch or a draft on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path


def random_cases(count: int, seed: int, laws: Path | None = None, out: Path | None = None) -> None:
    """Write so many random cases as JSON Lines, to a file or to standard output, for `bridgelaws batch`.

    The same seed gives the same cases. They follow the vocabulary: with --laws also the reports of a draft.
    """
    lines = _lines(count, seed, laws)
    if out is None:
        for line in lines:
            sys.stdout.buffer.write(line)
        return
    from bridgelaws.errors import UsageError

    part = out.with_name(f"{out.name}.part")
    try:
        with part.open("wb") as stream:
            stream.writelines(lines)
        part.replace(out)
    except OSError as problem:
        raise UsageError(f"'{out}' cannot be written: {problem.strerror}") from None


def _lines(count: int, seed: int, laws: Path | None) -> Iterator[bytes]:
    from bridgelaws.batch import inventing
    from bridgelaws.lawbook.law import load_law

    for case in inventing.random_cases(count, seed, load_law(laws)):
        yield json.dumps(case, ensure_ascii=False).encode() + b"\n"
