"""A value as it was typed: what it is, where it stands, and how to complain about it there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bridgelaws.errors import CaseError, Diagnostic
from bridgelaws.located import Document, PathTo, Step

_LONGEST_QUOTE = 40
# Telephones put an invisible mark after a suit symbol; typesetters lengthen a hyphen.
_TYPED = str.maketrans({"\ufe0f": None, "\ufe0e": None, "–": "-", "—": "-", "−": "-"})


class Entry(NamedTuple):
    """One value of the document; all entries of a table share one list of problems, and go on after each."""

    document: Document
    path: PathTo
    value: Any
    problems: list[Diagnostic]

    def fault(self, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(self.path, message, hint, at_key=at_key))

    def misplaced(self, belongs: str, hint: str) -> None:
        """Complain that something else stands here: `a list stands where the contract belongs`."""
        self.fault(f"{_described(self.value)} stands where {belongs}", hint)

    def child(self, step: Step) -> Entry:
        return Entry(self.document, (*self.path, step), self.value[step], self.problems)

    def keyed(self) -> Iterator[tuple[str, Entry]]:
        """The entries of a map, each with its key as text."""
        for key in self.value:
            yield str(key), self.child(key)

    def listed(self) -> Iterator[Entry]:
        return (self.child(index) for index in range(len(self.value)))

    def text(self, belongs: str, hint: str) -> str | None:
        if isinstance(self.value, str):
            return self.value if self.value.isascii() else self.value.translate(_TYPED)
        self.misplaced(belongs, hint)
        return None


def quoted(text: str) -> str:
    """The user's own words in quotes, on one line and not too long."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= _LONGEST_QUOTE else f"'{line[: _LONGEST_QUOTE - 1]}…'"


def raise_problems(problems: list[Diagnostic]) -> None:
    """Raise what was found, if anything, in file order."""
    if problems:
        raise CaseError(sorted(problems, key=lambda problem: (problem.line, problem.column)))


def _described(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"'{str(value).lower()}'"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    return quoted(value) if isinstance(value, str) else f"the number {value}"
