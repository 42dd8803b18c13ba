"""A comparison made ready to be shown: for every clause its gists, what changed in words, and the cases that notice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from bridgelaws.compare.diff import IN_EFFECT, ClauseChange, ClauseHistory, Comparison, Group
from bridgelaws.compare.impact import ChangedCase
from bridgelaws.compare.telling import ChangeTold, tell
from bridgelaws.lawbook.editions import Provision

# By the number of the step (0 from the first edition to the second) and the file of the clause.
Witnesses = Mapping[tuple[int, str], str]
NO_WITNESSES: Witnesses = {}
ABSENT = "There is no such clause."


@dataclass(frozen=True)
class Column:
    """What one edition says: its label, the clause's number in it, and the gist."""

    label: str
    number: str
    gist: str

    @property
    def heading(self) -> str:
        return f"{self.label}: {self.number}" if self.number else self.label


@dataclass(frozen=True)
class StepTold:
    """A clause from one edition to the next."""

    number: int
    change: ClauseChange
    told: ChangeTold
    cases: tuple[ChangedCase, ...]


@dataclass(frozen=True)
class ClauseTold:
    """A clause as it is shown: one column an edition, and the steps in which it changed."""

    history: ClauseHistory
    columns: tuple[Column, ...]
    steps: tuple[StepTold, ...]

    @property
    def number(self) -> str:
        """`45D → 45D1` if it was renumbered."""
        return " → ".join(self.history.numbers)

    @property
    def title(self) -> str:
        """Its title, unless its number says it already."""
        title = self.history.clause.title
        return "" if any(title.lower() in number.lower() for number in self.history.numbers) else title


@dataclass(frozen=True)
class Report:
    """The comparison, with the clauses in the order in which they are told."""

    comparison: Comparison
    groups: Mapping[Group, tuple[ClauseTold, ...]]
    ruled: tuple[int, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(side.label for side in self.comparison.sides)

    @property
    def title(self) -> str:
        return " → ".join(self.labels)

    def pair(self, step: int) -> str:
        return " → ".join(self.labels[step : step + 2])

    def summary(self, step: int) -> str:
        """`3 changed, 1 new, 12 unchanged`."""
        counts = self.comparison.summary(step)
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "no clause"


def make_report(comparison: Comparison, cases: Sequence[Sequence[ChangedCase]] = ()) -> Report:
    """What to show. `cases` has for each step those that are ruled differently, if they were ruled on at all."""
    groups = {
        group: tuple(_clause(each, comparison, cases) for each in histories)
        for group, histories in comparison.groups.items()
    }
    return Report(comparison, groups, tuple(len(each) for each in cases))


def watched(comparison: Comparison, step: int) -> frozenset[str]:
    """The clauses whose cases are worth ruling on: those that changed in effect, in this step."""
    return frozenset(each.clause.id for each in comparison.clauses if each.steps[step].change in IN_EFFECT)


def _clause(history: ClauseHistory, comparison: Comparison, cases: Sequence[Sequence[ChangedCase]]) -> ClauseTold:
    sides = comparison.sides
    steps = tuple(
        StepTold(
            number,
            step,
            tell(step, sides[number], sides[number + 1]),
            _noticing(step, cases[number]) if number < len(cases) else (),
        )
        for number, step in enumerate(history.steps)
        if step.group is not Group.unchanged
    )
    columns = tuple(_column(history, number, side.label) for number, side in enumerate(sides))
    return ClauseTold(history, columns, steps)


def _column(history: ClauseHistory, number: int, label: str) -> Column:
    found = history.provisions[number] or _elsewhere(history, number)
    if found is None:
        return Column(label, "", ABSENT)
    return Column(label, found.number, found.version.gist)


def _elsewhere(history: ClauseHistory, number: int) -> Provision | None:
    """The clause in which an edition has what is this clause in the edition after or before it."""
    steps = history.steps
    return (steps[number].split_from if number < len(steps) else None) or (
        steps[number - 1].merged_into if number else None
    )


def _noticing(change: ClauseChange, cases: Iterable[ChangedCase]) -> tuple[ChangedCase, ...]:
    """The cases in which the clause has a part, those that are about it first."""
    if change.change not in IN_EFFECT:
        return ()
    law, _, name = change.clause.id.rpartition("/")

    def order(case: ChangedCase) -> tuple[bool, bool, int, str]:
        path = PurePath(case.path)
        about = path.stem.split("-")[0] == name.split("-")[0]
        return path.parent.name != law, not about, len(case.before) + len(case.after), str(path)

    return tuple(sorted((each for each in cases if change.clause.id in each.files), key=order))


def report_json(report: Report, witnesses: Mapping[tuple[int, str], Any] | None = None) -> dict[str, Any]:
    """The report for programs; unchanged clauses are counted, and not listed."""
    clauses = (each for group, told in report.groups.items() if group is not Group.unchanged for each in told)
    return {
        "format": 1,
        "editions": list(report.labels),
        "summary": [
            {"from": labels[0], "to": labels[1], "clauses": report.comparison.summary(step)}
            for step, labels in enumerate(zip(report.labels, report.labels[1:], strict=False))
        ],
        "clauses": [_clause_json(each, report, witnesses or {}) for each in clauses],
    }


def _clause_json(told: ClauseTold, report: Report, witnesses: Mapping[tuple[int, str], Any]) -> dict[str, Any]:
    history = told.history
    return {
        "id": history.clause.id,
        "title": history.clause.title,
        "group": history.group.value,
        "numbers": [each.number if each else None for each in history.provisions],
        "gists": [each.version.gist if each else None for each in history.provisions],
        "steps": [_step_json(each, report, witnesses.get((each.number, history.clause.id))) for each in told.steps],
    }


def _step_json(step: StepTold, report: Report, witness: Any) -> dict[str, Any]:
    change = step.change
    found = {
        "from": report.labels[step.number],
        "to": report.labels[step.number + 1],
        "change": change.change.value,
        "label": change.label,
        "renumbered": change.renumbered,
        "split_from": change.split_from.number if change.split_from else None,
        "merged_into": change.merged_into.number if change.merged_into else None,
        "rules": [each.to_json() for each in step.told.rules],
        "moved": [each.to_json() for each in step.told.moved],
        "words": [each.to_json() for each in step.told.words],
        "cases": [_case_json(each) for each in step.cases] if report.ruled else None,
    }
    return found if witness is None else {**found, "witness": witness}


def _case_json(case: ChangedCase) -> dict[str, Any]:
    return {
        "file": str(case.path),
        "title": case.title,
        "before": list(case.before),
        "after": list(case.after),
    }


def nothing_to_show(report: Report, *, everything: bool) -> bool:
    """Whether no clause would be listed."""
    return not any(told for group, told in report.groups.items() if everything or group is not Group.unchanged)
