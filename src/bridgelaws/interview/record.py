"""What is on record in an interview: the case so far, and what was asked and left open."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bridgelaws.engine.program import Value

Fields = Mapping[str, Value]
Key = tuple[Hashable, ...]


@dataclass(frozen=True)
class Record:
    """The case as far as it was told.

    `told` are the places, among the reports, of the incidents that someone told; the other reports answer questions.
    `telling` while the next incident is to be named, with `search` for the words typed. `passed` holds what need not be
    asked again, because it was done with or nobody knew.
    """

    table: Mapping[str, Any] = field(default_factory=dict)
    reports: tuple[Mapping[str, Fields], ...] = ()
    choices: tuple[Mapping[str, Fields], ...] = ()
    told: tuple[int, ...] = ()
    telling: bool = True
    search: str | None = None
    passed: frozenset[Key] = frozenset()

    def case_data(self) -> dict[str, Any]:
        """The case in plain values, as a case file has it."""
        data: dict[str, Any] = {"table": dict(self.table)} if self.table else {}
        data["reports"] = [{kind: dict(fields) for kind, fields in each.items()} for each in self.reports]
        if self.choices:
            data["choices"] = [{kind: dict(fields) for kind, fields in each.items()} for each in self.choices]
        return data

    def report(self, place: int) -> tuple[str, Fields]:
        return next(iter(self.reports[place].items()))

    def passing(self, key: Key) -> Record:
        return replace(self, passed=self.passed | {key})

    def with_table(self, **parts: Any) -> Record:
        return replace(self, table={**self.table, **parts})

    def without_table(self, part: str) -> Record:
        return replace(self, table={name: value for name, value in self.table.items() if name != part})

    def with_incident(self, kind: str) -> Record:
        reports = (*self.reports, {kind: {}})
        return replace(self, reports=reports, told=(*self.told, len(self.reports)), telling=False, search=None)

    def with_report(self, report: Mapping[str, Fields]) -> Record:
        return replace(self, reports=(*self.reports, report))

    def with_field(self, place: int, name: str, value: Value) -> Record:
        kind, fields = self.report(place)
        filled = {kind: {**fields, name: value}}
        return replace(self, reports=(*self.reports[:place], filled, *self.reports[place + 1 :]))

    def with_choice(self, choice: Mapping[str, Fields]) -> Record:
        return replace(self, choices=(*self.choices, choice))
