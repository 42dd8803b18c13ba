"""In which order to join the conditions of a rule, and which variables are in what, for the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bridgelaws.engine.program import Atom, Condition, Head, Rule, Term, Test, Variable

_UNKNOWN = 1e9
_FAR_FEWER = 2


def planned(rule: Rule, sizes: Mapping[str, float]) -> Rule:
    """A rule with its conditions in the order in which to join them: first one of which there are far fewer facts."""
    atoms = rule.when.atoms
    if len(atoms) < 2 or atoms[0].kind not in sizes:
        return rule
    fewest = min(atoms, key=lambda atom: sizes.get(atom.kind, _UNKNOWN))
    if sizes.get(fewest.kind, _UNKNOWN) * _FAR_FEWER > sizes[atoms[0].kind]:
        return rule
    others = (atom for atom in atoms if atom is not fewest)
    return replace(rule, when=Condition((fewest, *others), rule.when.tests))


def begins_with_loop(rule: Rule) -> str | None:
    """The kind of the first condition, if what follows differs from one of its facts to the other."""
    if not rule.when.atoms:
        return None
    first, *others = rule.when.atoms
    others_variables = {*condition_variables(Condition(tuple(others), rule.when.tests)), *concluded_variables(rule)}
    for exception in rule.unless:
        others_variables.update(condition_variables(exception))
    return first.kind if atom_variables(first) & others_variables else None


def by_columns(rule: Rule) -> Rule:
    """The rule with other numbers for its variables: those of the first condition have the numbers of its columns."""
    first = rule.when.atoms[0].terms
    places: dict[int, int] = {}
    for column, term in enumerate(first):
        if isinstance(term, Variable):
            places.setdefault(term.index, column)
    bound = len(first) + rule.bound - len(places)
    others = (index for index in range(len(rule.variables)) if index not in places)
    places |= {index: place for place, index in enumerate(others, len(first))}

    def term_of(term: Term | None) -> Any:
        return Variable(places[term.index]) if isinstance(term, Variable) else term

    def atom_of(atom: Atom | Head) -> Any:
        return replace(atom, terms=tuple(map(term_of, atom.terms)))

    def condition_of(condition: Condition) -> Condition:
        tests = tuple(
            Test(term_of(test.variable), test.comparator, tuple(map(term_of, test.operands)))
            for test in condition.tests
        )
        return Condition(tuple(map(atom_of, condition.atoms)), tests)

    return replace(
        rule,
        bound=bound,
        when=condition_of(rule.when),
        unless=tuple(map(condition_of, rule.unless)),
        then=tuple(map(atom_of, rule.then)),
    )


def concluded_variables(rule: Rule) -> set[int]:
    return {term.index for head in rule.then for term in head.terms if isinstance(term, Variable)}


def test_variables(test: Test) -> set[int]:
    return {test.variable.index} | {term.index for term in test.operands if isinstance(term, Variable)}


def atom_variables(atom: Atom) -> set[int]:
    return {term.index for term in atom.terms if isinstance(term, Variable)}


def condition_variables(condition: Condition) -> Iterator[int]:
    for atom in condition.atoms:
        yield from atom_variables(atom)
    for test in condition.tests:
        yield from test_variables(test)
