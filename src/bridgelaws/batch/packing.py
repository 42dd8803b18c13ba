"""How an archive is compressed: gzip comes with Python, zstd with an extra."""

from __future__ import annotations

import gzip
import importlib
from pathlib import Path
from typing import Any

from bridgelaws.errors import UsageError

PLAIN, GZIP, ZSTD = "plain", "gzip", "zstd"
_ENDINGS = {".gz": GZIP, ".zst": ZSTD}


def packing_of(path: Path | None) -> str:
    """How a file of this name is to be compressed."""
    return _ENDINGS.get(path.suffix.lower(), PLAIN) if path else PLAIN


def packed(data: bytes, packing: str) -> bytes:
    """The data as one piece of a compressed file; such pieces may follow each other.

    INVARIANT: the same data gives the same bytes, so no time is written into them.
    """
    if not data or packing == PLAIN:
        return data
    if packing == GZIP:
        return gzip.compress(data, 6, mtime=0)
    piece: bytes = zstandard().ZstdCompressor().compress(data)
    return piece


def zstandard() -> Any:
    """The zstd library, or a usage error that says how to get it."""
    try:
        return importlib.import_module("zstandard")
    except ModuleNotFoundError:
        raise UsageError("files that end in .zst need zstandard", "pip install 'bridgelaws[zstd]'") from None
