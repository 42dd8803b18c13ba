"""`bridgelaws rule CASE` without the command-line library, which takes longer to load than the ruling takes.

Only the plainest calls go this way, and they do what the command does. Whatever else is typed, help and mistakes too,
is for the command.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from bridgelaws.cli.output import show_json, show_lines

_OPTIONS = {"--edition": "edition", "-e": "edition", "--format": "format", "-f": "format", "--laws": "laws"}
_FORMATS = ("text", "json")


def rule_at_once(arguments: Sequence[str]) -> bool:
    """Rule, if these are the arguments of a plain `rule`; say whether they are."""
    given = _plain_call(arguments)
    if given is None:
        return False
    # A ruling is over before there is garbage to look for.
    gc.disable()
    try:
        rule(given["case"], given.get("edition"), Path(given["laws"]) if "laws" in given else None, given.get("format"))
    finally:
        gc.enable()
    sys.stdout.flush()
    return True


def rule(case: str, edition: str | None, laws: Path | None, format: str | None, engine: str = "compiled") -> None:
    """Print the ruling on a case."""
    from bridgelaws.book import Lawbook
    from bridgelaws.ruling.text import ruling_lines
    from bridgelaws.table.case import Case

    read = Case.from_file(case)
    ruling = Lawbook.at_once(read, edition, laws=laws, engine=engine).rule(read)
    if format == "json":
        show_json(ruling.to_json())
    else:
        show_lines(ruling_lines(ruling))


def _plain_call(arguments: Sequence[str]) -> dict[str, str] | None:
    """The values of a call such as `rule CASE --edition 2007`; nothing if anything about it is out of the ordinary."""
    if not arguments or arguments[0] != "rule":
        return None
    given: dict[str, str] = {}
    words = iter(arguments[1:])
    for word in words:
        name = _OPTIONS.get(word, "case")
        value = next(words, "-") if word in _OPTIONS else word
        if name in given or not value or (value.startswith("-") and (name, value) != ("case", "-")):
            return None
        given[name] = value
    return given if "case" in given and given.get("format", "text") in _FORMATS else None
