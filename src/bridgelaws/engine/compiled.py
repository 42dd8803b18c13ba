"""The default engine: writes a Python function for each rule the first time that facts could fire it, and runs those.

Which rules facts could fire depends only on their kinds, and is worked out once for each combination of kinds: rules
about other incidents cost nothing. Reasons are found only when asked for, by firing again, on the facts as they are at
the end, the rules that conclude a kind; exceptions read only what was complete before, so they hold or not as they did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation
from bridgelaws.engine.program import Fact, Group, Program, Values
from bridgelaws.engine.writing import Indexes, Recorded, Rows, Step, Writer

# Most kinds stay empty in a run: they share one dict, which is never written to.
_EMPTY: dict[Values, None] = {}
_MOST_PLANS = 4096


@dataclass(frozen=True, slots=True)
class _Plan:
    """What facts of certain kinds can lead to: the functions to call in order, and the kinds that can then be there.

    `makers` holds, by kind, the rules that can have concluded facts of it.
    """

    steps: tuple[Step, ...]
    kinds: tuple[tuple[int, str], ...]
    makers: Mapping[int, Sequence[int]]


class CompiledEngine:
    """Runs a program as generated Python. It holds no state between runs, so threads may share it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names = tuple(program.columns)
        self._kinds = {kind: number for number, kind in enumerate(self._names)}
        self._writer = Writer(program, self._kinds)
        self._plans: dict[int, _Plan] = {}

    @property
    def source(self) -> str:
        """All that was written so far."""
        return "".join(self._writer.written)

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        rows: Rows = [_EMPTY] * len(self._names)
        numbers = self._kinds
        present = 0
        for fact in facts:
            number, values = numbers[fact[0]], fact[1]
            found = rows[number]
            if found:
                found[values] = None
            else:
                rows[number] = {values: None}
                present |= 1 << number
        plan = self._plans.get(present) or self._plan(present)
        indexes: Indexes = [None] * len(self._writer.indexes)
        for step in plan.steps:
            step(rows, indexes)
        found_kinds = {name: rows[number] for number, name in plan.kinds if rows[number]}
        return Conclusions(self.program, found_kinds, _Derivations(self._writer, plan, rows, indexes))

    def _plan(self, present: int) -> _Plan:
        """The groups that facts of these kinds can fire, in order; one `present` bit a kind."""
        reached = present
        groups: list[Group] = []
        # INVARIANT: the rules that conclude a kind come before those that read it, except within a group.
        for stratum in self.program.strata:
            for group in stratum.groups:
                if self._writer.can_fire(group, reached):
                    groups.append(group)
                    reached |= self._writer.concludes(group)
        steps = tuple(map(self._writer.step, groups))
        kinds = tuple((number, name) for number, name in enumerate(self._names) if reached >> number & 1)
        if len(self._plans) >= _MOST_PLANS:
            self._plans.clear()
        makers: dict[int, list[int]] = {}
        for rule in (rule for group in groups for rule in group.rules if self._writer.can_be_met(rule, reached)):
            for kind in dict.fromkeys(self._kinds[head.kind] for head in self.program.rules[rule].then):
                makers.setdefault(kind, []).append(rule)
        plan = self._plans[present] = _Plan(steps, kinds, makers)
        return plan


class _Derivations(Mapping[Fact, Sequence[Derivation]]):
    """The reasons for facts, worked out for a kind when one of its facts is asked about."""

    def __init__(self, writer: Writer, plan: _Plan, rows: Rows, indexes: Indexes) -> None:
        self._writer, self._plan, self._rows, self._indexes = writer, plan, rows, indexes
        self._numbers = writer.kinds
        self._known: dict[int, dict[Values, list[Derivation]]] = {}

    def __getitem__(self, fact: Fact) -> Sequence[Derivation]:
        found = self.get(fact)
        if found is None:
            raise KeyError(fact)
        reasons: Sequence[Derivation] = found
        return reasons

    def get(self, fact: Fact, default: Any = None) -> Any:
        # Asked for every fact that a finding rests on, most of which were given: too often for an exception.
        number = self._numbers.get(fact[0])
        if number is None:
            return default
        known = self._known.get(number)
        return (self._of(number) if known is None else known).get(fact[1], default)

    def __iter__(self) -> Iterator[Fact]:
        return (Fact(kind, values) for kind, number in self._writer.kinds.items() for values in self._of(number))

    def __len__(self) -> int:
        return sum(len(self._of(number)) for number in self._writer.kinds.values())

    def _of(self, kind: int) -> dict[Values, list[Derivation]]:
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = {}
            recorded: Recorded = []
            if self._rows[kind]:
                for rule in self._plan.makers.get(kind, ()):
                    record = self._writer.recorder(rule)
                    if len(self._indexes) < len(self._writer.indexes):
                        self._indexes += [None] * (len(self._writer.indexes) - len(self._indexes))
                    record(self._rows, self._indexes, recorded)
            for made, values, derivation in recorded:
                if made == kind:
                    found.setdefault(values, []).append(derivation)
            for values, reasons in found.items():
                if len(reasons) > 1:
                    found[values] = list(dict.fromkeys(reasons))
        return found
