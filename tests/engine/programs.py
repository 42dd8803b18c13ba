"""Random programs with facts to run them on, stratified by construction and well typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from hypothesis import strategies as st

from bridgelaws.engine.program import (
    Atom,
    Comparator,
    Condition,
    Constant,
    Fact,
    Head,
    Program,
    Rule,
    Term,
    Test,
    Values,
    Variable,
)

# Some values look like another type, or like code.
DOMAINS: dict[str, list[str | int | bool]] = {
    "text": ["a", "A", "", 'a"b', "{'$m': 1}", "1", "true", "♠\n", "a" * 70_000, "a" * 70_000 + "b"],
    "int": [0, 1, 2, -1, 10, 2**40, -(2**63), 2**63 - 1],
    "bool": [True, False],
}
NAMES = ["x", "y", "", 'q"', "{0}", "import os", "a\nb"]
SAME: list[Comparator] = ["equal", "not", "one_of"]
ORDERED: list[Comparator] = ["above", "below", "at_least", "at_most"]

T = TypeVar("T")
Scope = dict[int, str]
"""The variables bound so far, by number, and the type of each."""


@dataclass(frozen=True)
class Kind:
    name: str
    layer: int
    types: tuple[str, ...]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Program, list[Fact]]:
    return Maker(draw).case()


class Maker:
    """Makes one case. A rule reads its own layer and those below it, and under an exception only those below it."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        # Few values of each type, so that joins often succeed.
        self.domains = {type_: self.some(values, 2, 3) for type_, values in DOMAINS.items()}
        self.kinds = [
            Kind(
                f"{self.one(NAMES)}{layer}.{place}",
                layer,
                tuple(self.one(list(DOMAINS)) for _ in range(self.one([1, 2, 2, 3, 4]))),
            )
            for layer in range(self.size(2, 5))
            for place in range(self.size(1, 2))
        ]

    def one(self, values: Sequence[T]) -> T:
        return self.draw(st.sampled_from(values))

    def some(self, values: Sequence[T], least: int, most: int) -> list[T]:
        return self.draw(st.lists(st.sampled_from(values), min_size=least, max_size=most, unique=True))

    def size(self, least: int, most: int) -> int:
        return self.draw(st.integers(least, most))

    def case(self) -> tuple[Program, list[Fact]]:
        columns = {kind.name: tuple(f"f{place}" for place in range(len(kind.types))) for kind in self.kinds}
        concluded = [kind for kind in self.kinds if kind.layer > 0]
        rules = tuple(self.rule(kind) for kind in concluded for _ in range(self.size(1, 3)))
        facts = [
            Fact(kind.name, self.values(kind))
            for kind in self.kinds
            for _ in range(self.one([0, 0, 1]) if kind.layer else self.size(3, 6))
        ]
        return Program(columns, rules), self.draw(st.permutations(facts))

    def values(self, kind: Kind) -> Values:
        return tuple(self.one([None, *self.domains[type_] * 4]) for type_ in kind.types)

    def rule(self, kind: Kind) -> Rule:
        below = [each for each in self.kinds if each.layer < kind.layer]
        same = [each for each in self.kinds if each.layer == kind.layer]
        nearest = [each for each in below if each.layer == kind.layer - 1]
        scope: Scope = {}
        readable = self.one([self.kinds[:1], below, [*nearest, *same]])
        when = self.condition(readable, scope, self.one([1, 2, 2, 3, 1, 2, 3, 0]))
        bound = len(scope)
        used = dict(scope)
        unless = []
        for _ in range(self.one([0, 1, 0, 1, 2])):
            inner = dict(scope)
            unless.append(self.condition(below, inner, self.size(1, 2), first=len(used)))
            used |= inner
        heads = [kind, *self.some([each for each in self.kinds if each.layer >= kind.layer], 0, 1)]
        names = tuple(self.one(NAMES) for _ in used)
        return Rule(self.one(NAMES), names, bound, when, tuple(unless), tuple(self.head(each, scope) for each in heads))

    def condition(self, kinds: Sequence[Kind], scope: Scope, size: int, first: int = 0) -> Condition:
        """Atoms and tests; new variables are numbered from `first` and put in the scope."""
        atoms = []
        for kind in [self.one(kinds) for _ in range(size)]:
            terms: list[Term | None] = []
            for type_ in kind.types:
                how = self.one(["new", "new", "new", "any", "any", "variable", "variable", "constant"])
                if how == "variable" and type_ in scope.values():
                    terms.append(self.variable(type_, scope))
                elif how in ("variable", "new"):
                    scope[first] = type_
                    terms.append(Variable(first))
                    first += 1
                else:
                    terms.append(None if how == "any" else self.constant(type_))
            atoms.append(Atom(kind.name, tuple(terms)))
        tests = tuple(self.test(scope) for _ in range(self.one([0, 1, 0, 2] if scope else [0])))
        return Condition(tuple(atoms), tests)

    def test(self, scope: Scope) -> Test:
        """A test on any variable in the scope against others, which may be bound before it or after it."""
        index = self.one(sorted(scope))
        type_ = scope[index]
        comparator = self.one([*SAME, *ORDERED] if type_ == "int" else SAME)
        operands = tuple(
            self.variable(type_, scope) if self.one([True, False]) else self.constant(type_)
            for _ in range(self.size(1, 3) if comparator == "one_of" else 1)
        )
        return Test(Variable(index), comparator, operands)

    def head(self, kind: Kind, scope: Scope) -> Head:
        terms: list[Term | None] = []
        for type_ in kind.types:
            how = self.one(["variable", "variable", "variable", "constant", "none"])
            if how == "variable" and type_ in scope.values():
                terms.append(self.variable(type_, scope))
            else:
                terms.append(None if how == "none" else self.constant(type_))
        return Head(kind.name, tuple(terms))

    def variable(self, type_: str, scope: Scope) -> Variable:
        return Variable(self.one([index for index, its in scope.items() if its == type_]))

    def constant(self, type_: str) -> Constant:
        return Constant(self.one(self.domains[type_]))
