"""Rules as Python functions, for the compiled engine: each is written when it is first needed.

Beside the lines of rules they hold only numbers, names made here, and the `repr` of the names of kinds.
"""

from __future__ import annotations

from _thread import allocate_lock  # as threading has it, without all that threading loads
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from bridgelaws.engine.conclusions import Derivation
from bridgelaws.engine.program import Group, Program, Values
from bridgelaws.engine.rule_lines import FEW, NOTHING, Known, RuleLines

# The facts of each kind, by its number. Of a kind that rules conclude they are in a dict, a set that keeps its order;
# if rules are noted, it has for each fact the bits of those that gave it. Of other kinds they are as they were given.
Rows = list[dict[Values, int] | list[Values]]
Index = dict[Any, list[Values]]
# An index that is not there yet: nobody has asked for it, or (False) somebody has, once.
Indexes = list[Index | Literal[False] | None]
Step = Callable[[Rows, Indexes], None]
Recorded = list[tuple[int, Values, Derivation]]


class Reach(NamedTuple):
    """What facts of certain kinds can lead to: the groups that may fire, and the kinds before and after them.

    A kind is a bit, at the place of its number.
    """

    groups: tuple[Group, ...]
    present: int
    reached: int


class Writer:
    """Writes functions for the rules of one program, each when it is first needed."""

    def __init__(self, program: Program, kinds: Mapping[str, int], *, noted: bool = False) -> None:
        self.program = program
        self.kinds = kinds
        self.noted = noted
        # The rules that can give facts of a kind; where they are noted, the first has the lowest bit.
        self._makers: dict[int, list[int]] = {}
        self._rules_by_note: dict[tuple[int, int], tuple[int, ...]] = {}
        self._lines = RuleLines(program, kinds, self._makers if noted else {})
        self._reads: list[int] = []
        self._makes: list[int] = []
        # A bit for each kind that some rule concludes.
        self.concluded = 0
        for rule, (read, made) in enumerate(program.signatures):
            self._reads.append(self._bits(read))
            self._makes.append(self._bits(made))
            self.concluded |= self._makes[-1]
            for kind in dict.fromkeys(made):
                self._makers.setdefault(kinds[kind], []).append(rule)
        self._steps: dict[tuple[int, ...], Step] = {}
        self._recorders: dict[int, Callable[[Rows, Indexes, Recorded], None]] = {}
        self._together = 0
        self.lines_in_one = 0
        within_reach = {"len": len, "list": list, "look": look, "Derivation": Derivation}
        self._namespace: dict[str, Any] = {"__builtins__": within_reach}
        self.written: list[str] = []
        self._lock = allocate_lock()

    def _bits(self, kinds: Iterable[str]) -> int:
        bits = 0
        for kind in kinds:
            bits |= 1 << self.kinds[kind]
        return bits

    def rules_noted(self, kind: int, note: int) -> tuple[int, ...]:
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
    def indexes(self) -> Mapping[tuple[int, int], int]:
        """The number of each index, by the kind and the column that it is made of."""
        return self._lines.indexes

    def indexes_of(self, kind: int) -> Sequence[int]:
        return self._lines.indexes_of(kind)

    def can_be_met(self, rule: int, reached: int) -> bool:
        """Whether there is a kind of fact, among those reached, for each of the rule's conditions."""
        return not self._reads[rule] & ~reached

    def _concludes(self, group: Group) -> int:
        made = 0
        for rule in group.rules:
            made |= self._makes[rule]
        return made

    def step(self, group: Group) -> Step:
        """The function that fires the rules of a group until nothing more follows."""
        with self._lock:
            if group.rules not in self._steps:
                name = f"step_{group.rules[0]}"
                body = [f"def {name}(R, X):"]
                self._group(group, group.rules, NOTHING, body)
                self._steps[group.rules] = self._made(name, [*body, " return None"])
            return self._steps[group.rules]

    def all_in_one(self, reach: Reach, rows: Rows, *, for_once: bool) -> Step:
        """The function that does what the steps of these groups do one by one: longer to write, sooner done.

        `rows` are facts like those that it will be given. What is used only once takes longer to write than to do, so
        that there every kind that rules may conclude has a table from the start, which saves a third of the lines.
        """
        with self._lock:
            self._together += 1
            name = f"together_{self._together}"
            known = self._known(reach, rows, for_once=for_once)
            if not for_once:
                # Written twice: the first time shows how kinds are looked up, and so how few indexes will do.
                self._lines.looked_up.clear()
                self._all_lines(reach, known)
                known = replace(known, keys=_fewest_keys(self._lines.looked_up, rows))
            body = self._all_lines(reach, replace(known, suffix=f"_{name}"))
            self.lines_in_one += len(body)
            used = tuple(numbers_of(self._used(reach) & reach.reached))
            head = [f" k{kind} = R[{kind}]" for kind in used if reach.present >> kind & 1]
            to_come = [kind for kind in used if not reach.present >> kind & 1]
            if for_once:
                head += [f" k{kind} = R[{kind}] = {{}}" for kind in to_come]
            elif to_come:
                head.append(f" {''.join(f'k{kind} = ' for kind in to_come)}none")
            made: Step = self._made(name, [f"def {name}(R, X, none={{}}):", *head, *body, " return None"])
            return made

    def _all_lines(self, reach: Reach, known: Known) -> list[str]:
        body: list[str] = []
        for group in reach.groups:
            self._group(group, [rule for rule in group.rules if self.can_be_met(rule, reach.reached)], known, body)
        return body

    def _used(self, reach: Reach) -> int:
        """The kinds that the groups read or conclude."""
        used = 0
        for rule in (each for group in reach.groups for each in group.rules if self.can_be_met(each, reach.reached)):
            used |= self._makes[rule] | self._bits(kind for kind, _ in self.program.rules[rule].kinds_read())
        return used

    def _known(self, reach: Reach, rows: Rows, *, for_once: bool) -> Known:
        """What the kinds that are there tell beforehand. A kind that only rules conclude has what they put into it."""
        open_columns: set[tuple[int, int]] = set()
        concluded: set[tuple[int, int]] = set()
        for group in reach.groups:
            for rule in group.rules:
                for head in self.program.rules[rule].then:
                    kind = self.kinds[head.kind]
                    for column, term in enumerate(head.terms):
                        (open_columns if term is None else concluded).add((kind, column))
        filled = {each for each in concluded - open_columns if not reach.present >> each[0] & 1}
        many = frozenset(kind for kind, found in enumerate(rows) if len(found) >= FEW)
        return Known(reach.reached if for_once else reach.present, reach.reached, frozenset(filled), many, in_one=True)

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
        source = "\n".join((*self._lines.called, *lines)) + "\n"
        self._lines.called.clear()
        self.written.append(source)
        exec(compile(source, f"<bridgelaws {name}>", "exec"), self._namespace)
        return self._namespace[name]

    def _group(self, group: Group, rules: Sequence[int], known: Known, body: list[str]) -> None:
        if not group.recursive:
            self._lines.firing(group.rules[0], (), known, body, " ")
            return
        growing = {self.kinds[head.kind] for rule in rules for head in self.program.rules[rule].then}
        total = " + ".join(f"len({known.rows(kind)})" for kind in sorted(growing))
        body += [" while True:", f"  before = {total}"]
        for rule in rules:
            self._lines.firing(rule, growing, known, body, "  ")
        body += [f"  if before == {total}:", "   break"]


def _fewest_keys(looked_up: Iterable[tuple[int, frozenset[int]]], rows: Rows) -> dict[int, list[int]]:
    """For each kind columns of which each look-up compares one, as few as can be; of two that serve alike, the column
    that tells more rows apart."""
    wanted: dict[int, list[frozenset[int]]] = {}
    for kind, columns in looked_up:
        wanted.setdefault(kind, []).append(columns)
    keys: dict[int, list[int]] = {}
    for kind, left in wanted.items():
        apart = {column: len({row[column] for row in rows[kind]}) for column in frozenset().union(*left)}
        keys[kind] = []
        while left:
            alone = [columns for columns in left if len(columns) == 1]
            counted = Counter(column for columns in alone or left for column in columns)
            best = max(counted, key=lambda column: (counted[column], apart[column], -column))
            keys[kind].append(best)
            left = [columns for columns in left if best not in columns]
    return keys


def look(rows: Collection[Values], column: int, indexes: Indexes, number: int, key: Any) -> Collection[Values]:
    """The rows with a key in a column, by an index that is not there yet.

    To look through all rows once takes less time than to make it, so the first to ask is given them all.
    """
    if indexes[number] is None:
        indexes[number] = False
        return rows
    index: Index = {}
    indexes[number] = index
    for row in rows:
        value = row[column]
        if value in index:
            index[value].append(row)
        else:
            index[value] = [row]
    return index.get(key, ())


def numbers_of(bits: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
