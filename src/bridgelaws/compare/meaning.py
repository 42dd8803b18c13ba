"""Whether two rules mean the same, whatever they call their variables and in whatever order they say it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from bridgelaws.lawbook.clauses import Conclusion, LawRule, Literal, Name, Operand, Pattern
from bridgelaws.lawbook.possible import Values, column_type, passing
from bridgelaws.lawbook.vocabulary import Vocabulary

_PLACEHOLDER = re.compile(r"\{(\w+)")

Renaming = Mapping[str, str]


@dataclass(frozen=True)
class Shape:
    """A pattern or a conclusion without the names of its variables, and apart from it the variable in each place."""

    kind: str
    fixed: frozenset[Any]
    variables: tuple[tuple[str, str], ...]

    @property
    def outline(self) -> tuple[Any, ...]:
        return self.kind, self.fixed, tuple(place for place, _ in self.variables)


@dataclass(frozen=True)
class Unit:
    """One thing that a rule says: a condition, an exception (of one pattern or several) or a conclusion."""

    section: str
    shapes: tuple[Shape, ...]
    place: int
    manner: tuple[str, str] = ("", "")

    @property
    def outline(self) -> tuple[Any, ...]:
        return self.section, frozenset(Counter(shape.outline for shape in self.shapes).items())


@dataclass(frozen=True, eq=False)
class Meaning:
    """What a rule says, one by one."""

    rule: LawRule
    units: tuple[Unit, ...]
    outlines: Counter[tuple[Any, ...]]


@dataclass(frozen=True)
class Alignment:
    """Which units of one rule are those of another; `pairs` holds their places among the units."""

    before: Meaning
    after: Meaning
    pairs: tuple[tuple[int, int], ...]
    renaming: Renaming = field(default_factory=dict)

    @property
    def share(self) -> float:
        """How much of the two rules is the same: 1 if all, 0 if nothing."""
        return 2 * len(self.pairs) / max(1, len(self.before.units) + len(self.after.units))

    @property
    def same(self) -> bool:
        whole = len(self.pairs) == len(self.before.units) == len(self.after.units)
        return whole and not any(self.manners())

    def manners(self) -> Iterator[tuple[Unit, Unit]]:
        """Conclusions that are the same but for the force they have or the reason they give."""
        for left, right in self.pairs:
            before, after = self.before.units[left], self.after.units[right]
            force, because = before.manner
            renamed = _PLACEHOLDER.sub(lambda found: "{" + self.renaming.get(found[1], found[1]), because)
            if (force, renamed) != after.manner:
                yield before, after

    def left_over(self) -> tuple[list[Unit], list[Unit]]:
        """The units of the one that the other lacks."""
        lefts, rights = {left for left, _ in self.pairs}, {right for _, right in self.pairs}
        return (
            [unit for number, unit in enumerate(self.before.units) if number not in lefts],
            [unit for number, unit in enumerate(self.after.units) if number not in rights],
        )


def meaning(rule: LawRule, vocabulary: Vocabulary) -> Meaning:
    """The rule taken apart."""
    bound = {name for pattern in rule.when for name, _ in pattern.names()}
    units = [Unit("when", (_pattern(each, vocabulary),), place) for place, each in enumerate(rule.when)]
    for place, patterns in enumerate(rule.unless):
        # A variable that stands only here is its own, whatever another exception calls by the same name.
        own = {name: f"{name}@{place}" for each in patterns for name, _ in each.names() if name not in bound}
        units.append(Unit("unless", tuple(_pattern(each, vocabulary, own) for each in patterns), place))
    sections = [*("then" for _ in rule.then), *("offer" for _ in rule.offer), *("ask" for _ in rule.ask)]
    for place, (section, each) in enumerate(zip(sections, rule.conclusions, strict=True)):
        units.append(Unit(section, (_conclusion(each),), place, (each.force, each.because)))
    return Meaning(rule, tuple(units), Counter(unit.outline for unit in units))


def _pattern(pattern: Pattern, vocabulary: Vocabulary, own: Renaming | None = None) -> Shape:
    allowed: dict[str, Values] = {}
    variables: list[tuple[str, str]] = []
    fixed: set[Any] = set()
    for test in pattern.tests:
        passed = passing(test, column_type(pattern, test, vocabulary))
        if passed is not None:
            # `above: 2` and `at_least: 3` let the same values through.
            allowed[test.column] = allowed.get(test.column, passed) & passed
            continue
        names = [each.name for each in test.operands if isinstance(each, Name)]
        comparator = "equal" if len(test.operands) == 1 and test.comparator == "one_of" else test.comparator
        fixed |= {(test.column, comparator, each.value) for each in test.operands if isinstance(each, Literal)}
        for number, name in enumerate(names):
            variables.append((f"{test.column} {comparator} {number}", (own or {}).get(name, name)))
    fixed |= set(allowed.items())
    return Shape(pattern.kind, frozenset(fixed), tuple(sorted(variables)))


def _conclusion(conclusion: Conclusion) -> Shape:
    given: list[tuple[str, Operand]] = list(conclusion.fields.items())
    fixed = frozenset((name, each.value) for name, each in given if isinstance(each, Literal))
    return Shape(
        conclusion.kind, fixed, tuple(sorted((name, each.name) for name, each in given if isinstance(each, Name)))
    )


def most_in_common(before: Meaning, after: Meaning) -> float:
    """A share that no alignment of the two can exceed, cheaply."""
    common = (before.outlines & after.outlines).total()
    return 2 * common / max(1, len(before.units) + len(after.units))


def aligned(before: Meaning, after: Meaning) -> Alignment:
    """The alignment in which most units are the same under one renaming of the variables."""
    found = _Search(before, after).best()
    return Alignment(before, after, found[0], found[1])


_Found = tuple[tuple[tuple[int, int], ...], dict[str, str]]


class _Search:
    """Tries the units of one rule in order, each against those of the other that have its outline."""

    def __init__(self, before: Meaning, after: Meaning) -> None:
        self.before, self.after = before.units, after.units
        self.limit = (before.outlines & after.outlines).total()
        self.found: _Found = ((), {})

    def best(self) -> _Found:
        self._from(0, (), {})
        return self.found

    def _from(self, number: int, pairs: tuple[tuple[int, int], ...], renaming: dict[str, str]) -> None:
        if len(pairs) > len(self.found[0]):
            self.found = (pairs, renaming)
        hopeless = len(pairs) + len(self.before) - number <= len(self.found[0])
        if hopeless or len(self.found[0]) == self.limit:
            return
        unit = self.before[number]
        taken = {right for _, right in pairs}
        for right, other in enumerate(self.after):
            if right not in taken and other.outline == unit.outline:
                for renamed in _renamings(unit.shapes, other.shapes, renaming):
                    self._from(number + 1, (*pairs, (number, right)), renamed)
        self._from(number + 1, pairs, renaming)


def _renamings(left: Sequence[Shape], right: Sequence[Shape], renaming: dict[str, str]) -> Iterator[dict[str, str]]:
    """The ways to go on with a renaming so that these shapes become those."""
    for order in permutations(right):
        renamed: dict[str, str] | None = renaming
        for one, other in zip(left, order, strict=True):
            renamed = _renamed(one, other, renamed) if renamed is not None else None
        if renamed is not None:
            yield renamed


def _renamed(left: Shape, right: Shape, renaming: dict[str, str]) -> dict[str, str] | None:
    if left.outline != right.outline:
        return None
    renamed = dict(renaming)
    used = set(renamed.values())
    for (_, old), (_, new) in zip(left.variables, right.variables, strict=True):
        if old not in renamed and new not in used:
            renamed[old] = new
            used.add(new)
        elif renamed.get(old) != new:
            return None
    return renamed
