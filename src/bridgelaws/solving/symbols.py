"""How values and kinds are written for the solver."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bridgelaws.engine.program import Value
from bridgelaws.lawbook.vocabulary import ASK, OFFER

SHARED = "f"
NOBODY_SAID = "none"


def symbol(value: Value) -> str:
    """A value as the solver writes it. Text is always quoted: nothing in a file becomes part of the program."""
    if value is None:
        return NOBODY_SAID
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def predicate(kind: str, copy: str = SHARED) -> str:
    """The predicate of a kind in a copy of the law: kinds, offers and questions have names of their own."""
    for prefix, letter in ((OFFER, "o"), (ASK, "q")):
        if kind.startswith(prefix):
            return f"{copy}{letter}_{kind.removeprefix(prefix)}"
    return f"{copy}k_{kind}"


def applied(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({','.join(arguments)})" if arguments else name
