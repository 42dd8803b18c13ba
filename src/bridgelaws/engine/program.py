"""A program: the rules of one edition in the form that every engine runs, free of YAML and of bridge.

A fact is a kind and a tuple of values, one a column. A value is text, a whole number or a truth value; `None` stands
for a value nobody gave, and no test holds of it: it equals nothing, differs from nothing and binds no variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple, get_args

Value = str | int | bool | None
Values = tuple[Value, ...]
Comparator = Literal["equal", "not", "above", "below", "at_least", "at_most", "one_of"]
COMPARATORS: Mapping[str, Comparator] = {each: each for each in get_args(Comparator)}


class Fact(NamedTuple):
    """Something that is so: a kind, and a value for each of its columns."""

    kind: str
    values: Values


# The same from a kind and values in a pair, in a third of the time: for the thousands that a ruling makes.
new_fact: Callable[[tuple[str, Values]], Fact] = partial(tuple.__new__, Fact)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, by its place in `Rule.variables`."""

    index: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A value written in the rule itself."""

    value: str | int | bool


Term = Variable | Constant


@dataclass(frozen=True, slots=True)
class Test:
    """A variable compared with one term, or for `one_of` with several: it holds if it equals any."""

    __test__ = False  # pytest: not a test class

    variable: Variable
    comparator: Comparator
    operands: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """A pattern on one fact: for each column a term that the value must equal, or `None` for any value.

    A variable that stands in several places, or atoms, has the same value in all of them.
    """

    kind: str
    terms: tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """Atoms and tests that hold together."""

    atoms: tuple[Atom, ...]
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """A fact to conclude: for each column a term, or `None` for no value."""

    kind: str
    terms: tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """`when` holds and none of `unless` does: then every head is so.

    The first `bound` variables occur in `when`; a binding is their values. Those after it belong to exceptions, each
    to one only, and mean "some value".
    """

    name: str
    variables: tuple[str, ...]
    bound: int
    when: Condition
    unless: tuple[Condition, ...]
    then: tuple[Head, ...]

    def kinds_used(self) -> Iterator[str]:
        """Each kind that the rule reads or concludes."""
        for kind, _ in self.kinds_read():
            yield kind
        for head in self.then:
            yield head.kind

    def kinds_read(self) -> Iterator[tuple[str, bool]]:
        """Each kind that the rule reads, and whether it is read under an exception."""
        for atom in self.when.atoms:
            yield atom.kind, False
        for exception in self.unless:
            for atom in exception.atoms:
                yield atom.kind, True


class Group(NamedTuple):
    """Rules that need each other's conclusions (`recursive`), or a single rule that needs none of its own."""

    rules: tuple[int, ...]
    recursive: bool


class Stratum(NamedTuple):
    """Rules whose exceptions read only kinds that earlier strata completed; groups in an order fit to run."""

    groups: tuple[Group, ...]

    @property
    def rules(self) -> Iterator[int]:
        return (rule for group in self.groups for rule in group.rules)


@dataclass(frozen=True)
class Program:
    """The columns of every kind, the rules, and (computed once) the strata in which to run them."""

    columns: Mapping[str, tuple[str, ...]]
    rules: Sequence[Rule]

    @cached_property
    def strata(self) -> tuple[Stratum, ...]:
        from bridgelaws.engine.stratify import stratify

        return stratify(self.rules)

    @cached_property
    def signatures(self) -> Sequence[tuple[Sequence[str], Sequence[str]]]:
        """For each rule the kinds that its conditions read, and those that it concludes."""
        return [([atom.kind for atom in rule.when.atoms], [head.kind for head in rule.then]) for rule in self.rules]

    @cached_property
    def columns_read(self) -> frozenset[tuple[str, str]]:
        """The kinds and columns that some rule compares, tests or takes a value from."""
        return frozenset(
            (atom.kind, self.columns[atom.kind][place])
            for rule in self.rules
            for condition in (rule.when, *rule.unless)
            for atom in condition.atoms
            for place, term in enumerate(atom.terms)
            if term is not None
        )


def fact_order(fact: Fact) -> tuple[str, tuple[tuple[bool, str, int], ...]]:
    """A key that sorts any facts, whatever their values: by kind, then by value, the ungiven first."""
    return fact.kind, values_order(fact.values)


def values_order(values: Values) -> tuple[tuple[bool, str, int], ...]:
    return tuple(
        [
            (True, value, 0) if isinstance(value, str) else (False, "", 0) if value is None else (True, "", int(value))
            for value in values
        ]
    )


def facts_by_kind(facts: Sequence[Fact]) -> dict[str, list[Values]]:
    """The facts as engines like them: the distinct values of each kind, in the order given."""
    by_kind: dict[str, dict[Values, None]] = {}
    for fact in facts:
        by_kind.setdefault(fact.kind, {})[fact.values] = None
    return {kind: list(values) for kind, values in by_kind.items()}
