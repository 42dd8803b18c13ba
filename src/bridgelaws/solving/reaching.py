"""What can come about where only some kinds are given: the rules that can fire, and the exceptions that can hold.

It is an over-estimate. A set of kinds is a number with a bit for each; of each field of a concluded kind the values are
known that rules can give it, one field at a time, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bridgelaws.engine.program import Condition, Constant, Rule, Test, Value, Variable
from bridgelaws.lawbook.law import EditionLaw

# The values that a field or a variable can have; `None` where it can be any.
Values = frozenset[Value] | None
Binding = dict[int, Values]
_NO_VALUE: Values = frozenset((None,))


class Reads(NamedTuple):
    """A rule as the sets of kinds that it reads under `when` and under each exception, and that it concludes."""

    place: int
    when: int
    unless: Sequence[int]
    then: int


class Firing(NamedTuple):
    """A rule that can fire: all kinds that it depends on, exceptions that cannot hold left out, and concludes."""

    place: int
    reads: int
    then: int


@dataclass(frozen=True)
class Reach:
    """The kinds of which there can be facts, the rules that can fire and, as far as kinds tell, those that cannot."""

    there: int
    rules: Sequence[Reads]
    idle: Sequence[Reads] = ()

    def firing(self) -> list[Firing]:
        """The rules that can fire, in an order in which most that one of them reads is concluded before it."""
        firing: list[Firing] = []
        for place, read, unless, then in self.rules:
            for exception in unless:
                if not exception & ~self.there:
                    read |= exception
            firing.append(Firing(place, read, then))
        return firing


class Reaching:
    """What the rules of a law can reach."""

    def __init__(self, law: EditionLaw) -> None:
        self.law = law
        program = law.program
        heads = (head.kind for rule in program.rules for head in rule.then)
        self._places = {kind: place for place, kind in enumerate(dict.fromkeys((*law.vocabulary.kinds, *heads)))}
        # INVARIANT: the rules that conclude a kind come before those that read it, except in a circle.
        self._rules = tuple(
            self._reads(place, program.rules[place]) for stratum in program.strata for place in stratum.rules
        )
        self._always = self.bits(kind.name for kind in law.vocabulary.of_source("table", "regulation"))
        self._given = self.bits(kind.name for kind in law.vocabulary.of_source("report", "choice"))
        self._with_nothing = self.by_kinds(0, Reach(self._always, (), self._rules))

    def bits(self, kinds: Iterable[str]) -> int:
        """The set of these kinds; one that no rule reads or concludes is in no set."""
        return sum({1 << self._places[kind] for kind in kinds if kind in self._places})

    def by_kinds(self, given: int, before: Reach | None = None) -> Reach:
        """What can come about as far as kinds tell: quick, and more than really can.

        With what could come about before these kinds were given too, only what is new is worked out.
        """
        before = before or self._with_nothing
        there, idle, rules = before.there | given, before.idle, list(before.rules)
        grown = True
        while grown:
            still: list[Reads] = []
            for each in idle:
                if each.when & ~there:
                    still.append(each)
                else:
                    rules.append(each)
                    there |= each.then
            grown = len(still) < len(idle)
            idle = still
        return Reach(there, rules, idle)

    def by_values(self, reach: Reach) -> Reach:
        """Of what can come about as far as kinds tell, what is left when the values of fields are looked at too."""
        values = _Possible(self._always | self._given & reach.there, self._places)
        rules = self.law.program.rules
        firing: dict[int, Binding] = {}
        grown = True
        while grown:
            grown = False
            for each in reach.rules:
                binding = values.binding(rules[each.place].when, {})
                if binding is not None:
                    grown |= each.place not in firing
                    firing[each.place] = binding
                    grown |= values.conclude(rules[each.place], binding)
        left = [
            each._replace(unless=list(self._holding(rules[each.place], firing[each.place], values)))
            for each in reach.rules
            if each.place in firing
        ]
        return Reach(values.there, left)

    def _reads(self, place: int, rule: Rule) -> Reads:
        when, *unless = (self.bits(atom.kind for atom in each.atoms) for each in (rule.when, *rule.unless))
        return Reads(place, when, tuple(unless), self.bits(head.kind for head in rule.then))

    def _holding(self, rule: Rule, binding: Binding, values: _Possible) -> Iterator[int]:
        for exception in rule.unless:
            if values.binding(exception, binding) is not None:
                yield self.bits(atom.kind for atom in exception.atoms)


class _Possible:
    """The kinds of which there can be facts, and the values of the fields of those that rules conclude."""

    def __init__(self, there: int, places: Mapping[str, int]) -> None:
        self.there = there
        self._places = places
        self._columns: dict[str, Sequence[Values]] = {}

    def binding(self, condition: Condition, bound: Binding) -> Binding | None:
        """The values that the variables can have where the condition holds; `None` if it cannot hold."""
        bound = dict(bound)
        for atom in condition.atoms:
            if not self.there >> self._places[atom.kind] & 1:
                return None
            for term, values in zip(atom.terms, self._columns.get(atom.kind, ()), strict=False):
                if term is None or values is None:
                    continue
                if isinstance(term, Constant):
                    if term.value not in values:
                        return None
                elif not _narrowed(bound, term, values - {None}):
                    return None
        return bound if all(_can_hold(test, bound) for test in condition.tests) else None

    def conclude(self, rule: Rule, bound: Binding) -> bool:
        """Add what the rule concludes, and say whether anything of it is new."""
        new = False
        for head in rule.then:
            values = [
                _NO_VALUE
                if term is None
                else frozenset((term.value,))
                if isinstance(term, Constant)
                else bound.get(term.index)
                for term in head.terms
            ]
            before = self._columns.get(head.kind)
            after = values if before is None else [_either(*each) for each in zip(before, values, strict=True)]
            new |= after != before
            self._columns[head.kind] = after
            self.there |= 1 << self._places[head.kind]
        return new


def _either(first: Values, second: Values) -> Values:
    return None if first is None or second is None else first | second


def _narrowed(bound: Binding, variable: Variable, values: frozenset[Value]) -> bool:
    """Take note that the variable has one of these values, and say whether it can have any."""
    before = bound.get(variable.index)
    after = values if before is None else before & values
    bound[variable.index] = after
    return bool(after)


def _can_hold(test: Test, bound: Binding) -> bool:
    """Take note of a test that compares with values in the rule itself, and say whether it can hold."""
    values = frozenset(each.value for each in test.operands if isinstance(each, Constant))
    if len(values) < len(test.operands):
        return True
    if test.comparator in ("equal", "one_of"):
        return _narrowed(bound, test.variable, values)
    before = bound.get(test.variable.index)
    return test.comparator != "not" or before is None or _narrowed(bound, test.variable, before - values)
