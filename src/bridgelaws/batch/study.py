"""What two editions rule differently on a case: the lines that fall away, those that come, and their clauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bridgelaws.batch.tally import NO_CLAUSE
from bridgelaws.book import Lawbook
from bridgelaws.compare.choosing import sides_named
from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic
from bridgelaws.lawbook.law import Law
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.ruling.text import ruling_lines
from bridgelaws.table.case import Case


@dataclass(frozen=True)
class Verdict:
    """What one edition says of a case: a ruling, or why it has none; `lines` are what counts as a difference."""

    lines: Mapping[str, tuple[str, ...]]
    ruling: Ruling | None
    problems: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Difference:
    """A case on which the editions differ. `clauses` are those that the differing lines cite, by edition."""

    before: Verdict
    after: Verdict
    gone: tuple[str, ...]
    come: tuple[str, ...]
    clauses: frozenset[tuple[str, str]]


class Study:
    """Two editions side by side."""

    def __init__(self, editions: tuple[str, str], shipped: Law, draft: Law | None, engine: str) -> None:
        before, after = sides_named(editions, shipped, draft)
        self.names = (before.label, after.label)
        self._books = (Lawbook(before.law, engine), Lawbook(after.law, engine))

    def difference(self, case: Case) -> Difference | None:
        """What differs, if anything; a case that neither edition can read is an error like any other.

        A line that only cites other clauses is the same ruling: editions are renumbered. Advice is no ruling.
        """
        before, after = (_verdict(book, case) for book in self._books)
        if before.ruling is None and after.ruling is None:
            raise CaseError(before.problems)
        gone = tuple(line for line in before.lines if line not in after.lines)
        come = tuple(line for line in after.lines if line not in before.lines)
        if not gone and not come:
            return None
        sides = zip(self.names, (before, after), (gone, come), strict=True)
        cited = {(name, clause) for name, side, lines in sides for line in lines for clause in side.lines[line]}
        return Difference(before, after, gone, come, frozenset(cited or {(self.names[1], NO_CLAUSE)}))


def _verdict(book: Lawbook, case: Case) -> Verdict:
    try:
        ruling = book.rule(case)
    except BridgelawsError as wrong:
        return Verdict({each.message: () for each in wrong.diagnostics}, None, wrong.diagnostics)
    return Verdict({each.text: each.clauses for each in ruling_lines(ruling) if each.part != "advice"}, ruling)
