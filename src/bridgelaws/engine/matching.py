"""Find how a condition is met by facts, one pattern after the other: for explanations, not for speed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from bridgelaws.engine.conclusions import Conclusions, Derivation
from bridgelaws.engine.program import Atom, Condition, Constant, Fact, Rule, Term, Test, Value, Values, Variable

Binding = dict[int, Value]


class Match(NamedTuple):
    """Facts that meet a condition, one an atom in order, and what the variables then stand for."""

    facts: tuple[Fact, ...]
    binding: Mapping[int, Value]


def matches(condition: Condition, facts: Mapping[str, Collection[Values]], binding: Binding) -> Iterator[Match]:
    """Every way to meet the condition under a binding."""
    return (match for match in partial_matches(condition, facts, binding) if len(match.facts) == len(condition.atoms))


def partial_matches(condition: Condition, facts: Mapping[str, Collection[Values]], binding: Binding) -> Iterator[Match]:
    """Every way to meet the first atoms of the condition, none, some or all, that cannot be carried further."""

    def follow(place: int, found: tuple[Fact, ...], bound: Binding) -> Iterator[Match]:
        further = False
        if place < len(condition.atoms):
            atom = condition.atoms[place]
            for row in facts.get(atom.kind, ()):
                after = _unify(atom, row, bound)
                if after is not None and _tests_hold(condition.tests, after):
                    further = True
                    yield from follow(place + 1, (*found, Fact(atom.kind, row)), after)
        if not further:
            yield Match(found, bound)

    return follow(0, (), dict(binding))


def met_by(atom: Atom, conclusions: Conclusions, binding: Values) -> Fact:
    """The first fact that meets an atom of a rule that fired with this binding."""
    wanted = [
        (column, term.value if isinstance(term, Constant) else binding[term.index])
        for column, term in enumerate(atom.terms)
        if term is not None
    ]
    rows = conclusions.facts[atom.kind]
    if len(rows) > 1:
        rows = conclusions.ordered[atom.kind]
    return Fact(atom.kind, next(row for row in rows if all(row[column] == value for column, value in wanted)))


def value_of(term: Term | None, binding: Mapping[int, Value]) -> Value:
    if isinstance(term, Constant):
        return term.value
    return binding.get(term.index) if isinstance(term, Variable) else None


class Explanation(NamedTuple):
    """A derivation told in full: the facts that met the conditions, and the exceptions tried, none of which held."""

    rule: Rule
    binding: Mapping[int, Value]
    matched: tuple[Fact, ...]
    exceptions: tuple[Condition, ...]


def explanation(conclusions: Conclusions, derivation: Derivation) -> Explanation:
    """Worked out only when someone asks: a ruling that nobody explains does not pay for it."""
    rule = conclusions.program.rules[derivation.rule]
    binding = dict(enumerate(derivation.binding))
    found = next(matches(rule.when, conclusions.ordered, binding))
    return Explanation(rule, binding, found.facts, rule.unless)


def _unify(atom: Atom, row: Values, binding: Binding) -> Binding | None:
    after = binding
    for term, value in zip(atom.terms, row, strict=True):
        if term is None:
            continue
        wanted = value_of(term, after)
        if value is None or (wanted is not None and wanted != value):
            return None
        if wanted is None:
            assert isinstance(term, Variable)
            after = {**after, term.index: value}
    return after


def _tests_hold(tests: Sequence[Test], binding: Binding) -> bool:
    """Whether no test fails; one whose variables have no values yet cannot fail."""
    for test in tests:
        left = binding.get(test.variable.index)
        right = [value_of(operand, binding) for operand in test.operands]
        if left is not None and None not in right and not _holds(test.comparator, left, right):
            return False
    return True


def _holds(comparator: str, left: Value, right: Sequence[Value]) -> bool:
    if comparator == "one_of":
        return left in right
    if comparator in ("equal", "not"):
        return (left == right[0]) == (comparator == "equal")
    assert isinstance(left, int) and isinstance(right[0], int)
    return {
        "above": left > right[0],
        "below": left < right[0],
        "at_least": left >= right[0],
        "at_most": left <= right[0],
    }[comparator]
