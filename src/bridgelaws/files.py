"""Write files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bridgelaws.errors import UsageError


def write_whole(path: Path, text: str) -> None:
    """Write the text beside its place first, so that nobody ever sees half a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            Path(beside).chmod(0o644)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise UsageError(f"'{path}' cannot be written: {problem.strerror}") from None
