"""`bridgelaws lsp`: answer an editor's questions while somebody types."""

from __future__ import annotations

import os
import sys

from bridgelaws.cli.options import Laws
from bridgelaws.errors import UsageError

NAME = "lsp"


def run(laws: Laws = None) -> None:
    """Serve an editor: problems as you type, definitions, uses, explanations, completion and renaming.

    It speaks the Language Server Protocol over standard input and output; an editor starts it. With --laws, cases are
    about that draft.
    """
    try:
        from bridgelaws.lsp.server import law_server
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.split(".")[0] in ("pygls", "lsprotocol"):
            raise UsageError("the language server needs pygls", "pip install 'bridgelaws[editor]'") from None
        raise
    if laws is not None and not laws.is_dir():
        raise UsageError(f"there is no folder '{laws}'", "--laws takes a folder of rules")
    # The server closes what it writes to, and the command still flushes its own output at the end.
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as asked, os.fdopen(os.dup(sys.stdout.fileno()), "wb") as told:
        law_server(laws).start_io(asked, told)
