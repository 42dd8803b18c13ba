"""Rules as Python functions, for the compiled engine: each is written when it is first needed.

Everything in the generated text is a number, a name made here, or a value from `repr`: no text of a rule becomes code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from bridgelaws.engine.conclusions import Derivation
from bridgelaws.engine.program import Condition, Constant, Group, Head, Program, Rule, Term, Test, Values, Variable

# The facts of each kind, by its number: a dict is a set that keeps its order.
Rows = list[dict[Values, None]]
Index = dict[Any, list[Values]]
Indexes = list[Index | None]
Step = Callable[[Rows, Indexes], None]
Recorded = list[tuple[int, Values, Derivation]]

_OPERATORS = {"equal": "==", "not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


class Writer:
    """Writes functions for the rules of one program, each when it is first needed."""

    def __init__(self, program: Program, kinds: Mapping[str, int]) -> None:
        self.program = program
        self.kinds = kinds
        self.indexes: dict[tuple[int, tuple[int, ...]], int] = {}
        self._reads: list[int] = []
        self._makes: list[int] = []
        for read, made in program.signatures:
            self._reads.append(self._bits(read))
            self._makes.append(self._bits(made))
        self._steps: dict[tuple[int, ...], Step] = {}
        self._recorders: dict[int, Callable[[Rows, Indexes, Recorded], None]] = {}
        self._namespace: dict[str, Any] = {"__builtins__": {"len": len, "list": list, "Derivation": Derivation}}
        self.written: list[str] = []
        self._lock = Lock()

    def _bits(self, kinds: Iterable[str]) -> int:
        return sum({1 << self.kinds[kind] for kind in kinds})

    def can_fire(self, group: Group, reached: int) -> bool:
        """Whether some rule of the group has a fact of each kind that it reads, or may get one from the others."""
        own = self.concludes(group) if group.recursive else 0
        return any(self.can_be_met(rule, reached | own) for rule in group.rules)

    def can_be_met(self, rule: int, reached: int) -> bool:
        """Whether there is a kind of fact, among those reached, for each of the rule's conditions."""
        return not self._reads[rule] & ~reached

    def concludes(self, group: Group) -> int:
        made = 0
        for rule in group.rules:
            made |= self._makes[rule]
        return made

    def step(self, group: Group) -> Step:
        """The function that fires the rules of a group until nothing more follows."""
        with self._lock:
            if group.rules not in self._steps:
                name = f"step_{group.rules[0]}"
                self._steps[group.rules] = self._made(name, self._group(name, group))
            return self._steps[group.rules]

    def recorder(self, rule: int) -> Callable[[Rows, Indexes, Recorded], None]:
        """The function that lists all that a rule concludes, with its reasons."""
        if rule in self._recorders:
            return self._recorders[rule]
        with self._lock:
            if rule not in self._recorders:
                lines: list[str] = []
                body = [f"def record_{rule}(R, X, O):"]
                self._rule(rule, set(), body, lines, " ", self._record)
                self._recorders[rule] = self._made(f"record_{rule}", [*lines, *body, " return None"])
            return self._recorders[rule]

    def _made(self, name: str, lines: Sequence[str]) -> Any:
        source = "\n".join(lines) + "\n"
        self.written.append(source)
        exec(compile(source, f"<bridgelaws {name}>", "exec"), self._namespace)
        return self._namespace[name]

    def _group(self, name: str, group: Group) -> list[str]:
        lines: list[str] = []
        body = [f"def {name}(R, X):"]
        if not group.recursive:
            self._rule(group.rules[0], set(), body, lines, " ", self._conclude)
            return [*lines, *body, " return None"]
        growing = {self.kinds[head.kind] for rule in group.rules for head in self.program.rules[rule].then}
        total = " + ".join(f"len(R[{kind}])" for kind in sorted(growing))
        body += [" while True:", f"  before = {total}"]
        for rule in group.rules:
            self._rule(rule, growing, body, lines, "  ", self._conclude)
        return [*lines, *body, f"  if before == {total}:", "   return None"]

    def _rule(
        self,
        number: int,
        growing: Collection[int],
        body: list[str],
        lines: list[str],
        pad: str,
        conclude: Callable[[int, Rule, list[str], str], None],
    ) -> None:
        """The lines that fire a rule, added to `body`; what they call is added to `lines`."""
        rule = self.program.rules[number]
        guard = " and ".join(f"R[{kind}]" for kind in dict.fromkeys(self.kinds[atom.kind] for atom in rule.when.atoms))
        if guard:
            pad = _check([guard], body, pad)
        bound: set[int] = set()
        pad = self._join(rule.when, bound, growing, body, lines, pad)
        for place, exception in enumerate(rule.unless):
            pad = self._unless(number, place, exception, bound, body, lines, pad)
        conclude(number, rule, body, pad)

    def _join(
        self,
        condition: Condition,
        bound: set[int],
        growing: Collection[int],
        body: list[str],
        lines: list[str],
        pad: str,
    ) -> str:
        """Nested loops over the atoms, each test as soon as its variables have values; returns the inner padding."""
        waiting = list(condition.tests)
        for depth, atom in enumerate(condition.atoms):
            kind = self.kinds[atom.kind]
            row = f"r{len(bound)}_{depth}"
            keyed = _keyed(atom.terms, bound)
            joined = any(isinstance(term, Variable) for _, term in keyed)
            if joined and kind not in growing:
                # An index by one column serves more rules than one by all that are known, and is made sooner.
                column, by = next(each for each in keyed if isinstance(each[1], Variable))
                keyed.remove((column, by))
                index = self._index(kind, (column,), lines)
                body += [
                    f"{pad}x = X[{index}]",
                    f"{pad}if x is None:",
                    f"{pad} x = X[{index}] = index_{index}(R[{kind}])",
                    f"{pad}for {row} in x.get({_term(by)}, ()):",
                ]
            else:
                body.append(f"{pad}for {row} in {f'list(R[{kind}])' if kind in growing else f'R[{kind}]'}:")
            pad += " "
            if keyed:
                pad = _check([f"{row}[{column}] == {_term(term)}" for column, term in keyed], body, pad)
            checks: list[str] = []
            fresh: set[int] = set()
            for column, term in enumerate(atom.terms):
                if not isinstance(term, Variable) or term.index in bound:
                    continue
                if term.index in fresh:
                    checks.append(f"v{term.index} == {row}[{column}]")
                else:
                    fresh.add(term.index)
                    body.append(f"{pad}v{term.index} = {row}[{column}]")
                    checks.append(f"v{term.index} is not None")
            bound |= fresh
            ready = [test for test in waiting if _variables(test) <= bound]
            waiting = [test for test in waiting if test not in ready]
            checks += [_test(test) for test in ready]
            if checks:
                pad = _check(checks, body, pad)
        return pad

    def _unless(
        self,
        number: int,
        place: int,
        exception: Condition,
        bound: set[int],
        body: list[str],
        lines: list[str],
        pad: str,
    ) -> str:
        """Go on only where the exception does not hold; returns the inner padding."""
        used = sorted(bound & set(_condition_variables(exception)))
        arguments = "".join(f", v{variable}" for variable in used)
        kinds = " and ".join(f"R[{kind}]" for kind in dict.fromkeys(self.kinds[atom.kind] for atom in exception.atoms))
        plain = exception.atoms[0] if len(exception.atoms) == 1 and not exception.tests else None
        if plain and all(term is None or isinstance(term, Constant) or term.index in bound for term in plain.terms):
            kind = self.kinds[plain.kind]
            keyed = _keyed(plain.terms, bound)
            if not keyed:
                return _check([f"not R[{kind}]"], body, pad)
            index = self._index(kind, tuple(column for column, _ in keyed), lines)
            key = _key([_term(term) for _, term in keyed])
            held = f"{key} in (X[{index}] or look_{index}(R, X))"
            return _check([f"not (R[{kind}] and {held})"], body, pad)
        name = f"exception_{number}_{place}"
        inner = [f"def {name}(R, X{arguments}):"]
        deep = self._join(exception, set(used), set(), inner, lines, " ")
        lines += [*inner, f"{deep}return True", " return False"]
        return _check([f"not ({' and '.join(filter(None, (kinds, f'{name}(R, X{arguments})')))})"], body, pad)

    def _conclude(self, _number: int, rule: Rule, body: list[str], pad: str) -> None:
        for head in rule.then:
            kind = self.kinds[head.kind]
            body += [
                f"{pad}r = R[{kind}]",
                f"{pad}if r:",
                f"{pad} r[{_values(head)}] = None",
                f"{pad}else:",
                f"{pad} R[{kind}] = {{{_values(head)}: None}}",
            ]

    def _record(self, number: int, rule: Rule, body: list[str], pad: str) -> None:
        binding = _key([f"v{variable}" for variable in range(rule.bound)], always_tuple=True)
        body.append(f"{pad}why = Derivation({number}, {binding})")
        body += [f"{pad}O.append(({self.kinds[head.kind]}, {_values(head)}, why))" for head in rule.then]

    def _index(self, kind: int, columns: tuple[int, ...], lines: list[str]) -> int:
        """The number of the index of a kind by some columns; its builder is written at first use."""
        if (kind, columns) not in self.indexes:
            number = self.indexes[kind, columns] = len(self.indexes)
            lines += [
                f"def index_{number}(rows):",
                " x = {}",
                " for row in rows:",
                f"  k = {_key([f'row[{column}]' for column in columns])}",
                "  if k in x:",
                "   x[k].append(row)",
                "  else:",
                "   x[k] = [row]",
                " return x",
                f"def look_{number}(R, X):",
                f" x = X[{number}] = index_{number}(R[{kind}])",
                " return x",
            ]
        return self.indexes[kind, columns]


def _keyed(terms: Sequence[Term | None], bound: Collection[int]) -> list[tuple[int, Term]]:
    """The columns whose value is known, with the term that gives it."""
    return [
        (column, term)
        for column, term in enumerate(terms)
        if isinstance(term, Constant) or (isinstance(term, Variable) and term.index in bound)
    ]


def _values(head: Head) -> str:
    return _key([_term(term) if term is not None else "None" for term in head.terms], always_tuple=True)


def _test(test: Test) -> str:
    operands = [_term(term) for term in test.operands]
    left = f"v{test.variable.index}"
    if test.comparator == "one_of":
        return f"({' or '.join(f'{left} == {operand}' for operand in operands)})"
    return f"{left} {_OPERATORS[test.comparator]} {operands[0]}"


def _term(term: Term) -> str:
    return f"v{term.index}" if isinstance(term, Variable) else repr(term.value)


def _check(checks: Sequence[str], body: list[str], pad: str) -> str:
    body.append(f"{pad}if {' and '.join(checks)}:")
    return pad + " "


def _key(parts: Sequence[str], *, always_tuple: bool = False) -> str:
    if len(parts) == 1 and not always_tuple:
        return parts[0]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _variables(test: Test) -> set[int]:
    return {test.variable.index} | {term.index for term in test.operands if isinstance(term, Variable)}


def _condition_variables(condition: Condition) -> Iterator[int]:
    for atom in condition.atoms:
        yield from (term.index for term in atom.terms if isinstance(term, Variable))
    for test in condition.tests:
        yield from _variables(test)
