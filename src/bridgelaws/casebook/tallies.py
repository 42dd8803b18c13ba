"""Coverage as a committee reads it: counted by law and clause, and what no case reaches by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bridgelaws.casebook.coverage import EditionCoverage, RuleCoverage
from bridgelaws.lawbook.law import Law


@dataclass(frozen=True)
class Tally:
    """How many rules and exceptions there are, and how many of them some case reaches."""

    rules: int = 0
    fired: int = 0
    exceptions: int = 0
    held: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rules + other.rules,
            self.fired + other.fired,
            self.exceptions + other.exceptions,
            self.held + other.held,
        )

    @property
    def complete(self) -> bool:
        return self.fired == self.rules and self.held == self.exceptions


def tally(rules: Iterable[RuleCoverage]) -> Tally:
    counted = Tally()
    for rule in rules:
        held = sum(each.held > 0 for each in rule.exceptions)
        counted += Tally(1, int(rule.fired > 0), len(rule.exceptions), held)
    return counted


@dataclass(frozen=True)
class ClauseRow:
    """A clause with its rules in each edition that has it; `why_none`: why the latest of them needs none."""

    id: str
    number: str
    title: str
    rules: Mapping[str, tuple[RuleCoverage, ...]]
    why_none: str

    @property
    def law(self) -> str:
        return self.id.split("/")[0]

    @property
    def heading(self) -> str:
        """Its number and title; a definition is numbered by its own title."""
        return self.number if self.title.lower() in self.number.lower() else f"{self.number} {self.title}"

    def tally(self, edition: str) -> Tally | None:
        """Nothing, if the edition has no such clause."""
        return tally(self.rules[edition]) if edition in self.rules else None


@dataclass(frozen=True)
class Unreached:
    """A rule that no case fires, or an exception of it that no case makes hold, with the editions in which it is so."""

    number: str
    rule: str
    exception: str
    editions: tuple[str, ...]


def rows_by_law(law: Law, measured: Sequence[EditionCoverage]) -> list[tuple[str, list[ClauseRow]]]:
    """The clauses that any of the measured editions has, law by law in the order of the book."""
    rows = list(_rows(law, measured))
    return [(name, list(each)) for name, each in groupby(rows, key=lambda row: row.law)]


def _rows(law: Law, measured: Sequence[EditionCoverage]) -> Iterator[ClauseRow]:
    provisions = {each.edition: {p.clause.id: p for p in law.edition(each.edition).provisions} for each in measured}
    rules: dict[tuple[str, str], list[RuleCoverage]] = {}
    for each in measured:
        for rule in each.rules:
            rules.setdefault((each.edition, rule.clause), []).append(rule)
    wanted = {rule.clause for each in measured for rule in each.rules}
    wanted |= {clause for each in measured for clause in each.clauses_without_rules}
    for clause in law.clauses:
        found = [(name, of[clause.id]) for name, of in provisions.items() if clause.id in of]
        if clause.id in wanted and found:
            latest = found[-1][1]
            named = {name: tuple(rules.get((name, clause.id), ())) for name, _ in found}
            yield ClauseRow(clause.id, latest.number, clause.title, named, latest.version.no_rules)


def unreached(measured: Sequence[EditionCoverage]) -> list[Unreached]:
    """Everything that no case reaches, each once with its editions, in the order of the law."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for each in measured:
        for rule in each.rules:
            missed = [] if rule.fired else [""]
            missed += [exception.text for exception in rule.exceptions if not exception.held]
            for exception in missed:
                found.setdefault((rule.number, rule.rule, exception), []).append(each.edition)
    return [Unreached(*what, tuple(dict.fromkeys(editions))) for what, editions in found.items()]
