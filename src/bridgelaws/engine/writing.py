"""Rules as Python functions, for the compiled engine: each is written when it is first needed.

Beside the lines of rules they hold only numbers, names made here, and the `repr` of the names of kinds.
"""

from __future__ import annotations

from _thread import allocate_lock  # as threading has it, without all that threading loads
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bridgelaws.engine.conclusions import Derivation
from bridgelaws.engine.join_order import begins_with_loop, planned
from bridgelaws.engine.lookups import Known
from bridgelaws.engine.program import Group, Program, Values
from bridgelaws.engine.rule_lines import RuleLines
from bridgelaws.engine.tables import (
    SO_MANY,
    Apart,
    Indexes,
    Rows,
    Typical,
    each,
    fewest_keys,
    look,
    one,
    rows_of,
    values,
)

Step = Callable[[Rows, Indexes], None]
Recorded = list[tuple[str, Values, Derivation]]


class Reach(NamedTuple):
    """What facts of certain kinds can lead to: the groups that may fire, and the kinds before and after them.

    A kind is a bit, at the place of its number.
    """

    groups: tuple[Group, ...]
    present: int
    reached: int


class InOne(NamedTuple):
    """A function for a whole plan: it returns the tables of the kinds that were not given, each at its place.

    If there are more facts than it was written for, it returns nothing.
    """

    fire: Callable[[Rows, Indexes], tuple[dict[Values, int], ...] | None]
    places: Mapping[str, int]


class Writer:
    """Writes functions for the rules of one program, each when it is first needed."""

    def __init__(self, program: Program, kinds: Mapping[str, int], *, noted: bool = False) -> None:
        self.program = program
        self.kinds = kinds
        self.noted = noted
        # The rules that can give facts of a kind; where they are noted, the first has the lowest bit.
        self._makers: dict[str, list[int]] = {}
        self._rules_by_note: dict[tuple[str, int], tuple[int, ...]] = {}
        self._lines = RuleLines(program, kinds, self._makers if noted else {})
        self._reads: list[int] = []
        self._makes: list[int] = []
        # A bit for each kind that some rule concludes.
        self.concluded = 0
        for rule, (read, made) in enumerate(program.signatures):
            self._reads.append(self.bits(read))
            self._makes.append(self.bits(made))
            self.concluded |= self._makes[-1]
            for kind in dict.fromkeys(made):
                self._makers.setdefault(kind, []).append(rule)
        self._steps: dict[tuple[int, ...], Step] = {}
        self._recorders: dict[int, Callable[[Rows, Indexes, Recorded], None]] = {}
        self._in_one: dict[tuple[Any, ...], InOne] = {}
        self.lines_in_one = 0
        self.typical = Typical()
        self._within_reach: dict[str, Any] = {
            "none": {},
            "len": len,
            "list": list,
            "look": look,
            "one": one,
            "each": each,
            "rows_of": rows_of,
            "values": values,
            "Derivation": Derivation,
        }
        self.written: list[str] = []
        self._lock = allocate_lock()

    def bits(self, kinds: Iterable[str]) -> int:
        """A bit for each of the kinds."""
        bits = 0
        for kind in kinds:
            bits |= 1 << self.kinds[kind]
        return bits

    def rules_noted(self, kind: str, note: int) -> tuple[int, ...]:
        """The rules whose bits are set."""
        found = self._rules_by_note.get((kind, note))
        if found is None:
            found = tuple(self._makers[kind][place] for place in numbers_of(note))
            self._rules_by_note[kind, note] = found
        return found

    def reach(self, present: int) -> Reach:
        """The groups that facts of these kinds can fire, in order, and the kinds that can then be there."""
        reached = present
        groups: list[Group] = []
        # INVARIANT: the rules that conclude a kind come before those that read it, except within a group.
        for stratum in self.program.strata:
            for group in stratum.groups:
                made = self._concludes(group)
                among = reached | made if group.recursive else reached
                if any(self.can_be_met(rule, among) for rule in group.rules):
                    groups.append(group)
                    reached |= made
        return Reach(tuple(groups), present, reached)

    @property
    def indexes(self) -> Mapping[tuple[str, int, str], int]:
        """The number of each index: by the kind, the column, and what it has of each value."""
        return self._lines.lookups.indexes

    def indexes_of(self, kind: str) -> Sequence[int]:
        return self._lines.lookups.indexes_of(kind)

    def can_be_met(self, rule: int, reached: int) -> bool:
        """Whether there is a kind of fact, among those reached, for each of the rule's conditions."""
        return not self._reads[rule] & ~reached

    def _concludes(self, group: Group) -> int:
        made = 0
        for rule in group.rules:
            made |= self._makes[rule]
        return made

    def blank(self, reach: Reach) -> Rows:
        """A table with nothing in it, which is never written to, for each kind that the steps may look at."""
        nothing: dict[Values, int] = {}
        rules = (self.program.rules[rule] for group in reach.groups for rule in group.rules)
        return {kind: nothing for rule in rules for kind in rule.kinds_used()}

    def step(self, group: Group) -> Step:
        """The function that fires the rules of a group until nothing more follows."""
        with self._lock:
            if group.rules not in self._steps:
                name = f"step_{group.rules[0]}"
                body = [f"def {name}(R, X):"]
                self._group(group, group.rules, self._lines.nothing_known, body)
                self._steps[group.rules] = self._made(name, [*body, " return None"])
            return self._steps[group.rules]

    def all_in_one(self, reach: Reach, *, for_once: bool) -> InOne:
        """A function that does what the steps of these groups do one by one: longer to write, sooner done.

        What is used only once takes longer to write than to do, so that there every kind that rules may conclude has a
        table from the start, which saves a third of the lines.
        """
        with self._lock:
            met = tuple(rule for group in reach.groups for rule in group.rules if self.can_be_met(rule, reach.reached))
            used = {kind for rule in met for kind in self.program.rules[rule].kinds_used()}
            at_hand = [kind for kind in self.kinds if kind in used and reach.present >> self.kinds[kind] & 1]
            made = reach.reached & ~reach.present
            to_come = [kind for kind in self.kinds if kind in used and made >> self.kinds[kind] & 1]
            # Many plans differ only in kinds that no rule of theirs looks at: what does the same is written once.
            key = (met, *at_hand)
            if key in self._in_one:
                return self._in_one[key]
            many = self.typical.many()
            known = self._known(reach, many, for_once=for_once)
            if not for_once:
                # Written twice: the first time shows how kinds are looked up, and so how few indexes will do.
                self._lines.lookups.looked_up.clear()
                self._all_lines(reach, known)
                self._lines.called.clear()
                known = replace(known, keys=fewest_keys(self._lines.lookups.looked_up, many))
            body = self._all_lines(reach, known)
            head = [f" {known.rows(kind)} = R[{kind!r}]" for kind in at_hand]
            arguments = ["R", "X"]
            if for_once:
                head += [f" {known.rows(kind)} = {{}}" for kind in to_come]
            else:
                arguments += [f"{known.rows(kind)}=none" for kind in to_come]
            self.lines_in_one += len(body)
            tables = "".join(f"{known.rows(kind)}, " for kind in to_come)
            lines = [f"def together({', '.join(arguments)}):", *head, *body, f" return ({tables})"]
            places = {kind: place for place, kind in enumerate(to_come)}
            self._in_one[key] = InOne(self._made("together", lines), places)
            return self._in_one[key]

    def _all_lines(self, reach: Reach, known: Known) -> list[str]:
        body: list[str] = []
        checked: set[str] = set()
        for group in self._batches(reach, known):
            lines: list[str] = []
            if group.recursive or len(group.rules) == 1:
                self._group(group, group.rules, known, lines)
            else:
                self._lines.firing_together(group.rules, known, lines, " ")
            looked_through = self._lines.lookups.looked_through - checked
            for kind in sorted(looked_through):
                rows = known.rows(kind)
                is_any = f"{rows} and " if known.may_be_empty(kind) else ""
                body.append(f" if {is_any}len({rows}) > {SO_MANY}: return None")
            body += lines
            checked |= looked_through
        self._lines.lookups.looked_through.clear()
        return body

    def _batches(self, reach: Reach, known: Known) -> list[Group]:
        """The groups, as far as they can be met, and those rules as one that can go through the same facts together.

        A rule may come sooner than in its own group, if what it reads is complete by then.
        """
        batches: list[Group] = []
        # By kind the places of batches that go through its facts; for each batch the kinds concluded from it on.
        places: dict[str, list[int]] = {}
        made_from: list[int] = []
        for group in reach.groups:
            rules = tuple(rule for rule in group.rules if self.can_be_met(rule, reach.reached))
            made = self._concludes(group)
            kind = None if group.recursive else begins_with_loop(planned(self.program.rules[rules[0]], known.sizes))
            place = len(batches)
            if kind is not None:
                reads = self.bits(read for read, _ in self.program.rules[rules[0]].kinds_read())
                place = next((each for each in places.get(kind, ()) if not reads & made_from[each]), place)
            if place < len(batches):
                batches[place] = Group((*batches[place].rules, *rules), recursive=False)
            else:
                batches.append(Group(rules, group.recursive))
                made_from.append(0)
                if kind is not None:
                    places.setdefault(kind, []).append(place)
            for earlier in range(place + 1):
                made_from[earlier] |= made
        return batches

    def _known(self, reach: Reach, many: Mapping[str, Apart], *, for_once: bool) -> Known:
        """What the kinds that are there tell beforehand. A kind that only rules conclude has what they put into it."""
        open_columns: set[tuple[str, int]] = set()
        concluded: set[tuple[str, int]] = set()
        for group in reach.groups:
            for rule in group.rules:
                for head in self.program.rules[rule].then:
                    for column, term in enumerate(head.terms):
                        (open_columns if term is None else concluded).add((head.kind, column))
        filled = {each for each in concluded - open_columns if not reach.present >> self.kinds[each[0]] & 1}
        unique = frozenset(
            (kind, column)
            for kind, (facts, values) in many.items()
            for column, different in enumerate(values)
            if different == facts
        )
        present = reach.reached if for_once else reach.present
        sizes = {} if for_once else self.typical.sizes()
        return Known(self.kinds, present, reach.reached, frozenset(filled), sizes, frozenset(many), unique, in_one=True)

    def recorder(self, rule: int) -> Callable[[Rows, Indexes, Recorded], None]:
        """The function that lists all that a rule concludes, with its reasons."""
        if rule in self._recorders:
            return self._recorders[rule]
        with self._lock:
            if rule not in self._recorders:
                body = [f"def record_{rule}(R, X, O):"]
                self._lines.recording(rule, body, " ")
                self._recorders[rule] = self._made(f"record_{rule}", [*body, " return None"])
            return self._recorders[rule]

    def _made(self, name: str, lines: Sequence[str]) -> Any:
        called = (line for each in self._lines.called.values() for line in each)
        source = "\n".join((*called, *lines)) + "\n"
        self._lines.called.clear()
        self.written.append(source)
        namespace: dict[str, Any] = {"__builtins__": self._within_reach}
        exec(compile(source, f"<bridgelaws {name}>", "exec"), namespace)
        return namespace[name]

    def _group(self, group: Group, rules: Sequence[int], known: Known, body: list[str]) -> None:
        if not group.recursive:
            self._lines.firing(group.rules[0], (), known, body, " ")
            return
        growing = {head.kind for rule in rules for head in self.program.rules[rule].then}
        tables = [known.rows(kind) if known.in_one else f"R[{kind!r}]" for kind in sorted(growing)]
        total = " + ".join(f"len({table})" for table in tables)
        body += [" while True:", f"  before = {total}"]
        for rule in rules:
            self._lines.firing(rule, growing, known, body, "  ")
        body += [f"  if before == {total}:", "   break"]


def numbers_of(bits: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
