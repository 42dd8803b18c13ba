"""Clause numbers that other programs would take for numbers: to YAML 1.2 a plain 45E1 is 450."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bridgelaws.errors import Diagnostic
from bridgelaws.located import Document, PathTo

_A_NUMBER_ELSEWHERE = re.compile(r"[0-9]+[eE][0-9]+")


def unquoted_numbers(document: Document) -> Iterator[Diagnostic]:
    """A problem for each clause number of a well-shaped clause that needs quotes and has none."""
    for place, version in enumerate(document.data["versions"]):
        path: PathTo = ("versions", place)
        numbers = [((*path, "number"), version["number"])]
        numbers += [((*path, "see", each), number) for each, number in enumerate(version.get("see", ()))]
        for where, number in numbers:
            if where in document.plain and _A_NUMBER_ELSEWHERE.fullmatch(number):
                message = f"other programs would read {number} as a number, not as a clause"
                yield document.problem(where, message, f'put it in quotes: "{number}"', code="needs-quotes")
