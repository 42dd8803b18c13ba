"""The default engine: writes one Python function a stratum from the program, and runs those.

Everything in the generated text is a number, a name made here, or a value from `repr`: no text of a rule becomes code.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation
from bridgelaws.engine.program import Condition, Constant, Fact, Program, Rule, Term, Test, Values, Variable

Rows = list[Sequence[Values]]
Reasons = list[dict[Values, dict[tuple[int, Values], None]] | None]

_OPERATORS = {"equal": "==", "not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


class CompiledEngine:
    """Runs a program as generated Python. It holds no state between runs, so threads may share it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names = tuple(program.columns)
        self._kinds = {kind: number for number, kind in enumerate(self._names)}
        self.source = _Writer(program, self._kinds).source()
        namespace: dict[str, Any] = {"__builtins__": {"len": len}}
        exec(compile(self.source, "<bridgelaws program>", "exec"), namespace)
        self._run = namespace["run"]
        self._indexes: int = namespace["INDEXES"]

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        given: dict[int, list[Values]] = {}
        for fact in dict.fromkeys(facts):
            given.setdefault(self._kinds[fact.kind], []).append(fact.values)
        # Most kinds stay empty in a run: they share one empty tuple and get a list of their own at their first fact.
        rows: Rows = [()] * len(self._kinds)
        known: list[Container[Values]] = [()] * len(self._kinds)
        for kind, values in given.items():
            rows[kind] = values
            known[kind] = frozenset(values)
        reasons: Reasons = [None] * len(self._kinds)
        self._run(rows, known, reasons, [None] * self._indexes)
        return Conclusions(
            self.program,
            {self._names[kind]: values for kind, values in enumerate(rows) if values},
            _Derivations(self._kinds, reasons),
        )


class _Derivations(Mapping[Fact, Sequence[Derivation]]):
    """The recorded reasons as derivations, built only for the facts that are asked about."""

    def __init__(self, kinds: Mapping[str, int], reasons: Reasons) -> None:
        self._kinds = kinds
        self._reasons = reasons

    def __getitem__(self, fact: Fact) -> Sequence[Derivation]:
        number = self._kinds.get(fact.kind)
        found = self._reasons[number] if number is not None else None
        if found is None or fact.values not in found:
            raise KeyError(fact)
        return [Derivation(rule, binding) for rule, binding in found[fact.values]]

    def __iter__(self) -> Iterator[Fact]:
        return (Fact(kind, values) for kind, number in self._kinds.items() for values in self._reasons[number] or ())

    def __len__(self) -> int:
        return sum(len(reasons or ()) for reasons in self._reasons)


class _Writer:
    """Writes the source of one program."""

    def __init__(self, program: Program, kinds: Mapping[str, int]) -> None:
        self.program = program
        self.kinds = kinds
        self.lines: list[str] = []
        self.indexes: dict[tuple[int, tuple[int, ...]], int] = {}

    def source(self) -> str:
        for number, stratum in enumerate(self.program.strata):
            helpers: list[str] = []
            body: list[str] = []
            for group in stratum.groups:
                made = {self.kinds[h.kind] for rule in group.rules for h in self.program.rules[rule].then}
                growing = made if group.recursive else set()
                if group.recursive:
                    total = " + ".join(f"len(R[{kind}])" for kind in sorted(made))
                    body += [" while True:", f"  before = {total}"]
                for rule in group.rules:
                    self._rule(rule, growing, body, helpers, "  " if group.recursive else " ")
                if group.recursive:
                    body += [f"  if before == {total}:", "   break"]
            self.lines += [*helpers, f"def stratum_{number}(R, G, D, X):", *body, " return None"]
        self.lines.append("def run(R, G, D, X):")
        self.lines += [f" stratum_{number}(R, G, D, X)" for number in range(len(self.program.strata))]
        self.lines += [" return None", f"INDEXES = {len(self.indexes)}"]
        return "\n".join(self.lines) + "\n"

    def _rule(self, number: int, growing: set[int], body: list[str], helpers: list[str], pad: str) -> None:
        rule = self.program.rules[number]
        # A rule about another incident costs one truth test.
        guard = " and ".join(f"R[{kind}]" for kind in dict.fromkeys(self.kinds[atom.kind] for atom in rule.when.atoms))
        if guard:
            pad = _check([guard], body, pad)
        bound: set[int] = set()
        pad = self._join(rule.when, bound, growing, body, pad)
        if rule.unless:
            exceptions = enumerate(rule.unless)
            calls = [self._exception(number, place, each, bound, helpers) for place, each in exceptions]
            pad = _check([f"not {call}" for call in calls], body, pad)
        self._conclude(number, rule, body, pad)

    def _join(self, condition: Condition, bound: set[int], growing: set[int], body: list[str], pad: str) -> str:
        """Nested loops over the atoms, each test as soon as its variables have values; returns the inner padding."""
        waiting = list(condition.tests)
        for depth, atom in enumerate(condition.atoms):
            kind = self.kinds[atom.kind]
            row = f"r{len(bound)}_{depth}"
            keyed = [
                (column, term)
                for column, term in enumerate(atom.terms)
                if isinstance(term, Constant) or (isinstance(term, Variable) and term.index in bound)
            ]
            joined = any(isinstance(term, Variable) for _, term in keyed)
            if joined and kind not in growing:
                index = self._index(kind, tuple(column for column, _ in keyed))
                body += [
                    f"{pad}x = X[{index}]",
                    f"{pad}if x is None:",
                    f"{pad} x = X[{index}] = index_{index}(R[{kind}])",
                    f"{pad}for {row} in x.get({_key([self._term(term) for _, term in keyed])}, ()):",
                ]
                keyed = []
            else:
                body.append(f"{pad}for {row} in R[{kind}]:")
            pad += " "
            if keyed:
                pad = _check([f"{row}[{column}] == {self._term(term)}" for column, term in keyed], body, pad)
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
            checks += [self._test(test) for test in ready]
            if checks:
                pad = _check(checks, body, pad)
        return pad

    def _exception(self, number: int, place: int, exception: Condition, bound: set[int], helpers: list[str]) -> str:
        """Write a function that tells whether the exception holds, and return the call of it."""
        used = sorted(bound & set(_condition_variables(exception)))
        name = f"exception_{number}_{place}"
        arguments = "".join(f", v{variable}" for variable in used)
        helpers.append(f"def {name}(R, X{arguments}):")
        pad = self._join(exception, set(used), set(), helpers, " ")
        helpers += [f"{pad}return True", " return False"]
        return f"{name}(R, X{arguments})"

    def _conclude(self, number: int, rule: Rule, body: list[str], pad: str) -> None:
        binding = _key([f"v{variable}" for variable in range(rule.bound)], always_tuple=True)
        body.append(f"{pad}why = ({number}, {binding})")
        for head in rule.then:
            kind = self.kinds[head.kind]
            values = _key([self._term(term) if term is not None else "None" for term in head.terms], always_tuple=True)
            body += [
                f"{pad}h = {values}",
                f"{pad}d = D[{kind}]",
                f"{pad}if d is None:",
                f"{pad} d = D[{kind}] = {{}}",
                f"{pad}if h in d:",
                f"{pad} d[h][why] = None",
                f"{pad}else:",
                f"{pad} d[h] = {{why: None}}",
                f"{pad} if h not in G[{kind}]:",
                f"{pad}  if R[{kind}]:",
                f"{pad}   R[{kind}].append(h)",
                f"{pad}  else:",
                f"{pad}   R[{kind}] = [h]",
            ]

    def _index(self, kind: int, columns: tuple[int, ...]) -> int:
        """The number of the index of a kind by some columns; its builder is written at first use."""
        if (kind, columns) not in self.indexes:
            number = self.indexes[kind, columns] = len(self.indexes)
            self.lines += [
                f"def index_{number}(rows):",
                " x = {}",
                " for row in rows:",
                f"  k = {_key([f'row[{column}]' for column in columns])}",
                "  if k in x:",
                "   x[k].append(row)",
                "  else:",
                "   x[k] = [row]",
                " return x",
            ]
        return self.indexes[kind, columns]

    def _test(self, test: Test) -> str:
        operands = [self._term(term) for term in test.operands]
        left = f"v{test.variable.index}"
        if test.comparator == "one_of":
            return f"({' or '.join(f'{left} == {operand}' for operand in operands)})"
        return f"{left} {_OPERATORS[test.comparator]} {operands[0]}"

    def _term(self, term: Term) -> str:
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
