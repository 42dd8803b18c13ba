"""What can go wrong, and how it is told: one diagnostic model for the commands, the API and the pages.

BridgelawsError           anything this package raises on purpose
├── LawError              the law itself is at fault: a rule file, the vocabulary, the editions
├── CaseError             a case is at fault: its table, a report, a choice
├── UsageError            the call is at fault: an edition, a clause, a file or an engine that does not exist
├── RefusedAnswer         an answer in an interview cannot be taken; the same is asked again
└── EngineError           an engine could not do its work; never the user's fault
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: where it is, what is wrong in bridge words, and what to do about it.

    `code` is its stable name: docs/checks has a page for each. `severity` is `error`, or `warning` for what is sound
    but probably not meant.
    """

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    path: str = ""
    hint: str = ""
    code: str = ""
    severity: str = "error"

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}:{self.column}"
        elif self.path and not self.file:
            place = self.path
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}; {self.hint}" if self.hint else text

    def to_json(self) -> dict[str, str | int]:
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "path": self.path,
            "message": self.message,
            "hint": self.hint,
            "code": self.code,
            "severity": self.severity,
        }


class BridgelawsError(Exception):
    """Anything this package raises on purpose; it carries every problem found, in file order."""

    def __init__(self, problems: Diagnostic | Sequence[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = (problems,) if isinstance(problems, Diagnostic) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.diagnostics))


class LawError(BridgelawsError):
    """The law itself is at fault."""


class CaseError(BridgelawsError):
    """A case is at fault."""


class UsageError(BridgelawsError):
    """The call is at fault."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(Diagnostic(message, hint=hint))


class RefusedAnswer(BridgelawsError):
    """An answer in an interview cannot be taken."""

    def __init__(self, message: str | Sequence[Diagnostic], hint: str = "") -> None:
        super().__init__(Diagnostic(message, hint=hint) if isinstance(message, str) else message)


class EngineError(BridgelawsError):
    """An engine could not do its work."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(Diagnostic(message, hint=hint))


def quoted(text: str) -> str:
    """The user's own words in quotes, on one line and not too long."""
    line = " ".join(text.split())
    return f"'{line if len(line) <= 60 else line[:57] + '…'}'"


def nearest(name: str, known: Iterable[str]) -> str:
    """The hint for a misspelt name: the closest known one, or all of them when they are few."""
    names = sorted(known)
    lowered = {candidate.lower(): candidate for candidate in names}
    # Loaded only when something is wrong.
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.6)
    if close:
        return f"did you mean '{lowered[close[0]]}'?"
    return f"it is one of {', '.join(names)}" if 0 < len(names) <= 12 else ""
