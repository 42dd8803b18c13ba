"""The referee: a textbook evaluator that tries every fact for every pattern, slow and plain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bridgelaws.engine.conclusions import Conclusions, Derivation, Derivations
from bridgelaws.engine.program import Atom, Condition, Constant, Fact, Program, Rule, Term, Test, Value, facts_by_kind

Binding = dict[int, Value]


class TooManyFacts(Exception):
    """The program concludes more facts than this evaluator has patience for."""


def naive_run(program: Program, facts: Sequence[Fact], most: int = 1_000_000) -> Conclusions:
    known = dict.fromkeys(facts)
    reasons: dict[Fact, set[Derivation]] = {}
    for stratum in strata(program.rules):
        grows = True
        while grows:
            before = len(known)
            for number in stratum:
                for fact, derivation in list(_conclusions(number, program.rules[number], known)):
                    known[fact] = None
                    reasons.setdefault(fact, set()).add(derivation)
            grows = len(known) > before
            if len(known) > most:
                raise TooManyFacts
    derivations = Derivations({fact: list(found) for fact, found in reasons.items()})
    return Conclusions(program, facts_by_kind(list(known)), lambda: derivations)


def strata(rules: Sequence[Rule]) -> list[list[int]]:
    """The rules by level: as high as the kinds in `when`, and higher than the kinds in `unless`."""
    level: dict[str, int] = {}
    before = None
    while level != before:  # for ever, unless the rules can be stratified
        before = dict(level)
        for rule in rules:
            for head in rule.then:
                level[head.kind] = max(level.get(head.kind, 0), _level(rule, level))
    levels = [_level(rule, level) for rule in rules]
    return [[number for number, its in enumerate(levels) if its == one] for one in sorted(set(levels))]


def _level(rule: Rule, level: dict[str, int]) -> int:
    return max([level.get(kind, 0) + negated for kind, negated in rule.kinds_read()], default=0)


def _conclusions(number: int, rule: Rule, known: Iterable[Fact]) -> Iterator[tuple[Fact, Derivation]]:
    for binding in _solutions(rule.when, known, {}):
        if any(True for exception in rule.unless for _ in _solutions(exception, known, binding)):
            continue
        derivation = Derivation(number, tuple(binding[index] for index in range(rule.bound)))
        for head in rule.then:
            yield (
                Fact(head.kind, tuple(None if term is None else _value(term, binding) for term in head.terms)),
                derivation,
            )


def _solutions(condition: Condition, known: Iterable[Fact], binding: Binding) -> Iterator[Binding]:
    bindings = [binding]
    for atom in condition.atoms:
        bindings = [more for each in bindings for fact in known for more in _matches(atom, fact, each)]
    return (each for each in bindings if all(_holds(test, each) for test in condition.tests))


def _matches(atom: Atom, fact: Fact, binding: Binding) -> list[Binding]:
    """The binding with the atom's variables in it, or nothing if the fact does not fit."""
    if atom.kind != fact.kind:
        return []
    more = dict(binding)
    for term, value in zip(atom.terms, fact.values, strict=True):
        if term is None:
            continue
        if value is None:
            return []
        expected = term.value if isinstance(term, Constant) else more.setdefault(term.index, value)
        if expected != value:
            return []
    return [more]


def _holds(test: Test, binding: Binding) -> bool:
    left = binding[test.variable.index]
    right = [_value(operand, binding) for operand in test.operands]
    if test.comparator == "one_of":
        return left in right
    if test.comparator == "equal":
        return left == right[0]
    if test.comparator == "not":
        return left != right[0]
    assert isinstance(left, int) and isinstance(right[0], int)
    return {
        "above": left > right[0],
        "below": left < right[0],
        "at_least": left >= right[0],
        "at_most": left <= right[0],
    }[test.comparator]


def _value(term: Term, binding: Binding) -> Value:
    return term.value if isinstance(term, Constant) else binding[term.index]
