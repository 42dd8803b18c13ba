"""A comparison of editions as text: a clause after the other, in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from bridgelaws.cli.columns import INDENT, NOTHING, Cell, Columns, Paint, changed_cells, listed_cells, plain
from bridgelaws.compare.diff import Group
from bridgelaws.compare.report import (
    NO_WITNESSES,
    ClauseTold,
    Report,
    StepTold,
    Witnesses,
    nothing_to_show,
)
from bridgelaws.compare.telling import RuleTold, Told

MOST_CASES = 3
PARTS = {Group.effect: "question", Group.moved: "option", Group.wording: "option", Group.unchanged: "rule"}


def report_lines(
    report: Report, room: int, paint: Paint, *, everything: bool, witnesses: Witnesses = NO_WITNESSES
) -> Iterator[str]:
    """The report; `everything` also lists the unchanged clauses, and every case.

    A witness is a text to show below the clause that it is about.
    """
    writer = _Writer(report, Columns(report.labels, room, paint), everything, witnesses)
    yield from writer.lines()


class _Writer:
    def __init__(self, report: Report, columns: Columns, everything: bool, witnesses: Witnesses) -> None:
        self.report, self.columns, self.everything, self.witnesses = report, columns, everything, witnesses
        self.paint = columns.paint

    def lines(self) -> Iterator[str]:
        for group, clauses in self.report.groups.items():
            if group is Group.unchanged:
                if self.everything and clauses:
                    yield from self._unchanged(clauses)
                continue
            for clause in clauses:
                yield from self._clause(clause)
                yield ""
        if nothing_to_show(self.report, everything=self.everything):
            yield f"{self.report.title}: no clause differs"
        for step in range(len(self.report.labels) - 1):
            yield self.paint(f"{self.report.pair(step)}: {self.report.summary(step)}", "", True)

    def _unchanged(self, clauses: Sequence[ClauseTold]) -> Iterator[str]:
        yield self.paint("Unchanged", PARTS[Group.unchanged], True)
        for each in clauses:
            yield f"{INDENT}{each.number} {each.title}".rstrip()
        yield ""

    def _clause(self, clause: ClauseTold) -> Iterator[str]:
        part = PARTS[clause.history.group]
        heading = f"{clause.number} {clause.title}".rstrip()
        labels = [each.change.label for each in clause.steps]
        if len(self.report.labels) == 2:
            heading = f"{heading}: {labels[0]}"
        yield from self._wrapped(heading, part, bold=True)
        yield from self._gists(clause)
        for step in clause.steps:
            yield from self._step(step)

    def _gists(self, clause: ClauseTold) -> Iterator[str]:
        columns = clause.columns
        if not self.columns.stacked:
            yield from self.columns.row([plain(each.heading, "rule", "") for each in columns])
        cells = [plain(each.gist) for each in columns]
        if len(columns) == 2 and columns[0].gist != columns[1].gist and all(each.number for each in columns):
            cells = list(changed_cells(columns[0].gist, columns[1].gist, marked=False))
        yield from self.columns.row(cells)

    def _step(self, step: StepTold) -> Iterator[str]:
        if len(self.report.labels) > 2:
            yield from self._wrapped(f"{self.report.pair(step.number)}: {step.change.label}", "option", INDENT)
        for moved in step.told.moved:
            yield from self._wrapped(f"• {moved.text}", "rule", INDENT)
        for rule in step.told.rules:
            yield from self._rule(rule, step.number)
        for words in step.told.words:
            yield from self._wrapped(f"• {words.part}", "rule", INDENT)
            yield from self._row(changed_cells(words.before, words.after), step.number)
        yield from self._cases(step)
        witness = self.witnesses.get((step.number, step.change.clause.id))
        if witness:
            yield from textwrap.indent(witness, INDENT).splitlines()

    def _rule(self, rule: RuleTold, step: int) -> Iterator[str]:
        yield from self._wrapped(f"• {rule.name} ({rule.what})", "rule", INDENT)
        for part in rule.parts:
            yield from self._row(_part_cells(part), step)

    def _row(self, cells: Sequence[Cell], step: int) -> Iterator[str]:
        """Two cells under the editions of a step."""
        after = len(self.report.labels) - step - 2
        return self.columns.row([*[NOTHING] * step, *cells, *[NOTHING] * after])

    def _cases(self, step: StepTold) -> Iterator[str]:
        if not step.cases:
            return
        count = len(step.cases)
        said = "1 case is" if count == 1 else f"{count} cases are"
        yield from self._wrapped(f"• {said} ruled differently", "rule", INDENT)
        shown = step.cases if self.everything else step.cases[:MOST_CASES]
        for case in shown:
            yield from self._wrapped(f"{case.title} ({case.path})", "", INDENT * 2)
            yield from self._row(listed_cells(case.before, case.after), step.number)
        if len(shown) < count:
            yield f"{INDENT * 2}and {count - len(shown)} more: --all lists them"

    def _wrapped(self, text: str, part: str, start: str = "", *, bold: bool = False) -> Iterator[str]:
        lines = textwrap.wrap(text, self.columns.room, initial_indent=start, subsequent_indent=start + INDENT)
        return (self.paint(line, part, bold) for line in lines)


def _part_cells(part: Told) -> tuple[Cell, Cell]:
    """The condition or conclusion with the word that introduces it; a whole rule needs none."""
    if part.part in ("rule", "force"):
        return changed_cells(part.before, part.after)
    texts = [f"{part.part} {text}" if text else "" for text in (part.before, part.after)]
    return changed_cells(*texts)
