"""What a batch has come to so far, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

# For a case that differs only in what would follow from an answer: answers cite no clause.
NO_CLAUSE = ""


@dataclass
class Tally:
    """Cases and errors; in a study also the cases that differ, and how many by edition and clause.

    For an audit the cases are boards, and `found` counts what was found on them by its kind.
    """

    cases: int = 0
    errors: int = 0
    different: int = 0
    clauses: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.cases + other.cases,
            self.errors + other.errors,
            self.different + other.different,
            self.clauses + other.clauses,
            self.found + other.found,
        )

    def to_json(self) -> dict[str, Any]:
        """As the journal and the summary hold it; most affected clauses first."""
        ranked = sorted(self.clauses.items(), key=lambda item: (-item[1], item[0]))
        told: dict[str, Any] = {
            "cases": self.cases,
            "errors": self.errors,
            "different": self.different,
            "clauses": [{"edition": edition, "clause": clause, "cases": count} for (edition, clause), count in ranked],
        }
        return {**told, "found": dict(sorted(self.found.items()))} if self.found else told

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        counts = {(each["edition"], each["clause"]): each["cases"] for each in data["clauses"]}
        return cls(data["cases"], data["errors"], data["different"], Counter(counts), Counter(data.get("found", {})))
