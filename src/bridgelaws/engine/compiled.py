"""The default engine: writes a Python function for each rule the first time that facts could fire it, and runs those.

Which rules facts could fire depends only on their kinds, and is worked out once for each combination of kinds: rules
about other incidents cost nothing. Reasons are found only when asked for, by firing again, on the facts as they are at
the end, the rules that conclude a kind; exceptions read only what was complete before, so they hold or not as they did.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation, Derivations
from bridgelaws.engine.program import Fact, Program, Values
from bridgelaws.engine.tables import Index, Indexes, Rows
from bridgelaws.engine.writing import InOne, Reach, Recorded, Step, Writer

_MOST_PLANS = 4096
# A plan used so often becomes one function. That takes some 25 ms and 0.2 MB for the 3000 lines of a plan of the whole
# law, so it must be used often before that pays, and when there are so many lines there are no more of them.
_USED_OFTEN = 1000
_MOST_LINES = 50_000


class _Plan:
    """What facts of certain kinds can lead to: the functions to call in order, and the kinds that can then be there.

    `makers` holds, by kind, the rules that can have concluded facts of it. `blank` has a table with nothing in it for
    each kind that the steps may look at. When the plan has been used often, `in_one` does what the steps do.
    """

    __slots__ = ("blank", "in_one", "kinds", "makers", "reach", "steps", "uses")

    def __init__(self, reach: Reach, writer: Writer) -> None:
        self.reach = reach
        self.steps: Sequence[Step] = ()
        self.in_one: InOne | None = None
        self.uses = 0
        self.blank: Rows = {}
        self.kinds = [kind for kind, number in writer.kinds.items() if reach.reached >> number & 1]
        self.makers: dict[str, list[int]] = {}
        rules = (rule for group in reach.groups for rule in group.rules if writer.can_be_met(rule, reach.reached))
        for rule in sorted(rules):
            for kind in dict.fromkeys(head.kind for head in writer.program.rules[rule].then):
                self.makers.setdefault(kind, []).append(rule)


class _Kinds:
    """Kinds in the order in which facts of them came: a bit for each, and those that rules conclude too.

    `plan` is what they lead to, once that was worked out.
    """

    __slots__ = ("growing", "plan", "present")

    def __init__(self, order: Sequence[str], writer: Writer) -> None:
        self.present = writer.bits(order)
        self.growing = tuple(kind for kind in order if writer.concluded >> writer.kinds[kind] & 1)
        self.plan: _Plan | None = None


class _Facts(Mapping[str, Collection[Values]]):
    """The distinct facts of each kind of which there are any; those that were given are told apart when looked at."""

    __slots__ = ("_made", "_plan", "_rows")

    def __init__(self, plan: _Plan, rows: Rows, made: Sequence[dict[Values, int]]) -> None:
        self._plan, self._rows, self._made = plan, rows, made

    def tables(self) -> Rows:
        """Those of kinds that were given, and those that were made for others."""
        if not self._made or not self._plan.in_one:
            return self._rows
        return self._rows | {kind: self._made[place] for kind, place in self._plan.in_one.places.items()}

    def __getitem__(self, kind: str) -> Collection[Values]:
        found = self.get(kind)
        if found is None:
            raise KeyError(kind)
        rows: Collection[Values] = found
        return rows

    def get(self, kind: str, default: Any = None) -> Any:
        found: Collection[Values] | None = self._rows.get(kind)
        if found is None and self._made and self._plan.in_one:
            place = self._plan.in_one.places.get(kind)
            found = None if place is None else self._made[place]
        if not found:
            return default
        if isinstance(found, list) and len(found) > 1:
            found = self._rows[kind] = dict.fromkeys(found, 0)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter([kind for kind in self._plan.kinds if self.get(kind)])

    def __len__(self) -> int:
        return sum(1 for _ in self)


class CompiledEngine:
    """Runs a program as generated Python. It holds no state between runs, so threads may share it.

    A plan that is used so `often` becomes one function; for a single ruling, the first time. If rules are `noted`, it
    is known at once which of them gave a fact, as a ruling wants it; else that takes firing them again.
    """

    def __init__(self, program: Program, *, often: int = _USED_OFTEN, noted: bool = False) -> None:
        self.program = program
        self._often = often
        self._writer = Writer(program, {kind: number for number, kind in enumerate(program.columns)}, noted=noted)
        self._indexes = self._writer.indexes
        self._plans: dict[int, _Plan] = {}
        self._orders: dict[tuple[str, ...], _Kinds] = {}

    @property
    def source(self) -> str:
        """All that was written so far."""
        return "".join(self._writer.written)

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        rows = _by_kind(facts)
        came = self._kinds(rows)
        if came.growing:
            for kind in came.growing:
                rows[kind] = dict.fromkeys(rows[kind], 0)
        plan = came.plan
        if plan is None:
            plan = came.plan = self._plan(came.present)
        return self._settled(plan, rows, [None] * len(self._indexes))

    def _kinds(self, rows: Rows) -> _Kinds:
        # The order in which kinds come is nearly always the same.
        order = tuple(rows)
        kinds = self._orders.get(order)
        if kinds is None:
            if len(self._orders) >= _MOST_PLANS:
                self._orders.clear()
            kinds = self._orders[order] = _Kinds(order, self._writer)
        return kinds

    def _plan(self, present: int) -> _Plan:
        """The plan for kinds that are `present`, a bit for each."""
        plan = self._plans.get(present)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[present] = _Plan(self._writer.reach(present), self._writer)
        return plan

    def _settled(self, plan: _Plan, rows: Rows, indexes: Indexes) -> Conclusions:
        """Fire what can fire."""
        in_one = plan.in_one
        if in_one is None:
            plan.uses += 1
            if plan.uses == self._often and self._writer.lines_in_one < _MOST_LINES:
                self._writer.typical.see(rows)
                in_one = plan.in_one = self._writer.all_in_one(plan.reach, for_once=self._often == 1)
        # INVARIANT: what is called now was written before, so there is room for every index that it looks at.
        if len(indexes) < len(self._indexes):
            indexes += [None] * (len(self._indexes) - len(indexes))
        made = None if in_one is None else in_one.fire(rows, indexes)
        if made is None:
            rows = self._step_by_step(plan, rows, indexes)
        facts = _Facts(plan, rows, made or ())
        return Conclusions(self.program, facts, partial(_Derivations, self._writer, plan, facts, indexes))

    def _step_by_step(self, plan: _Plan, rows: Rows, indexes: Indexes) -> Rows:
        """Fire what can fire, one group of rules after the other."""
        is_new = not plan.steps
        if is_new:
            plan.blank = self._writer.blank(plan.reach)
            plan.steps = tuple(map(self._writer.step, plan.reach.groups))
            indexes += [None] * (len(self._indexes) - len(indexes))
        rows = {**plan.blank, **rows}
        for step in plan.steps:
            step(rows, indexes)
        if is_new:
            self._writer.typical.see(rows)
        return rows

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        """What runs the rules on these facts and some others; these are put into tables and indexes only once."""
        base = _by_kind(facts)
        given = self._kinds(base)
        before: list[tuple[Rows, Indexes]] = []
        kept: Indexes = []
        runs = 0

        def run(others: Sequence[Fact]) -> Conclusions:
            nonlocal runs
            runs += 1
            came = _by_kind(others)
            more = self._kinds(came)
            rows = {**base, **came}
            for kind in came:
                if kind in base:
                    rows[kind] = [*base[kind], *came[kind]]
            for kind in {*given.growing, *more.growing}:
                rows[kind] = dict.fromkeys(rows[kind], 0)
            # Most cases need no more than two runs, for which it is not worth while to keep anything.
            if runs == 3:
                kept.extend(self._steady(*before[0], base))
            indexes = kept.copy()
            if kept:
                for kind in came:
                    for index in self._writer.indexes_of(kind):
                        if index < len(indexes):
                            indexes[index] = None
            if not before:
                before.append((rows, indexes))
            return self._settled(self._plan(given.present | more.present), rows, indexes)

        return run

    def _steady(self, rows: Rows, indexes: Indexes, base: Rows) -> Iterator[Index | None]:
        """The indexes of a run on tables that other runs look at too."""
        for (kind, _, _), index in zip(self._indexes, indexes, strict=False):
            yield index if index and kind in base and rows[kind] is base[kind] else None


def _by_kind(facts: Sequence[Fact]) -> Rows:
    """The facts of each kind; a fact given twice is there twice."""
    grouped: dict[str, list[Values]] = {}
    kind: str | None = None
    # Facts of a kind mostly follow each other. By index, since to unpack a named tuple takes longer; and `append` is
    # looked up each time, since Python has an instruction of its own for `list.append`.
    for fact in facts:
        if fact[0] is not kind:
            kind = fact[0]
            if kind not in grouped:
                grouped[kind] = found = [fact[1]]
                continue
            found = grouped[kind]
        found.append(fact[1])
    rows: Rows = grouped  # type: ignore[assignment]  # the tables of kinds that rules conclude too become dicts
    return rows


class _Derivations(Derivations):
    """The reasons for facts, worked out for a kind when one of its facts is asked about."""

    __slots__ = ("_indexes", "_known", "_plan", "_rows", "_writer")

    def __init__(self, writer: Writer, plan: _Plan, facts: _Facts, indexes: Indexes) -> None:
        self._writer, self._plan, self._rows, self._indexes = writer, plan, facts.tables(), indexes
        self._known: dict[str, dict[Values, list[Derivation]]] = {}

    def __getitem__(self, fact: Fact) -> Sequence[Derivation]:
        found = self.get(fact)
        if found is None:
            raise KeyError(fact)
        reasons: Sequence[Derivation] = found
        return reasons

    def get(self, fact: Fact, default: Any = None) -> Any:
        # Asked for every fact that a finding rests on, most of which were given: too often for an exception.
        known = self._known.get(fact[0])
        return (self._of(fact[0]) if known is None else known).get(fact[1], default)

    def __iter__(self) -> Iterator[Fact]:
        return (Fact(kind, values) for kind in self._writer.kinds for values in self._of(kind))

    def __len__(self) -> int:
        return sum(len(self._of(kind)) for kind in self._writer.kinds)

    def rules(self, fact: Fact) -> tuple[int, ...]:
        if not self._writer.noted:
            return super().rules(fact)
        return self._writer.rules_noted(fact[0], self._notes(fact[0])[fact[1]])

    def all_rules(self) -> frozenset[int]:
        if not self._writer.noted:
            return super().all_rules()
        return frozenset(rule for kind in self._rows for rule in self._makers(kind))

    def rules_alike(self, kind: str) -> tuple[int, ...] | None:
        if not self._writer.noted:
            return super().rules_alike(kind)
        notes = set(self._notes(kind).values())
        return self._writer.rules_noted(kind, notes.pop()) if len(notes) == 1 else None

    def _notes(self, kind: str) -> Mapping[Values, int]:
        """The bits noted of each fact of a kind; there are none of what was given and never concluded."""
        rows = self._rows.get(kind)
        return rows if isinstance(rows, dict) else {}

    def _makers(self, kind: str) -> Sequence[int]:
        if not self._writer.noted:
            return self._plan.makers.get(kind, ()) if self._rows.get(kind) else ()
        notes = 0
        for note in self._notes(kind).values():
            notes |= note
        return self._writer.rules_noted(kind, notes)

    def _of(self, kind: str) -> dict[Values, list[Derivation]]:
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = {}
            recorded: Recorded = []
            for rule in self._makers(kind):
                record = self._writer.recorder(rule)
                for read, _ in self._writer.program.rules[rule].kinds_read():
                    self._rows.setdefault(read, {})
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
