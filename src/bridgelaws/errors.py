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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from difflib import SequenceMatcher

# From when on a name is near enough to be meant, how many letters make a beginning, and how much that counts for.
_CLOSE, _BEGINNING, _SAME_BEGINNING = 0.6, 5, 0.5
# No name that is known is longer.
_LONGEST_NAME = 100
_NONE = (0.0, 0, "")


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
    # Loaded only when something is wrong.
    from difflib import SequenceMatcher

    names = sorted(known)
    typed = name[:_LONGEST_NAME].lower()
    matcher, begun = SequenceMatcher(None, "", typed), _beginnings(typed)
    likeness, _, closest = max(
        ((_likeness(matcher, begun, each.lower()), -abs(len(each) - len(typed)), each) for each in names), default=_NONE
    )
    if likeness >= _CLOSE:
        return f"did you mean '{closest}'?"
    return f"it is one of {', '.join(names)}" if 0 < len(names) <= 12 else ""


def _likeness(matcher: SequenceMatcher[str], begun: set[str], known: str) -> float:
    """How near a known name is, from 0 to 1; nearer if a word of it begins as a word of the typed one does."""
    matcher.set_seq1(known)
    begins_alike = not begun.isdisjoint(_beginnings(known))
    if not begins_alike and (at_most := matcher.quick_ratio()) < _CLOSE:
        return at_most
    alike = matcher.ratio()
    return alike + (1 - alike) * _SAME_BEGINNING if begins_alike else alike


def _beginnings(name: str) -> set[str]:
    return {word[:_BEGINNING] for word in name.split("_") if len(word) >= _BEGINNING}
