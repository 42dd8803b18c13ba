"""Where reports leave something open, run the rules once for every way it could be answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from bridgelaws.engine.conclusions import Conclusions, Engine
from bridgelaws.engine.program import Fact, Value, Values, new_fact, values_order
from bridgelaws.lawbook.vocabulary import ASK, NOW, Kind, Vocabulary
from bridgelaws.table.case import CaseFacts

MAX_WORLDS = 2048
MAX_ANSWERS = 12


class Gap(NamedTuple):
    """A field that nobody has filled in, of a report with these other values."""

    kind: str
    field: str
    given: tuple[tuple[str, Value], ...]


@dataclass(slots=True, eq=False)
class World:
    """One way to answer everything that is open, and what is then announced or offered. Nothing in it changes.

    Worlds of one case that rule the same have the same `rulings`, as one object. A world is `unfinished` if its answers
    open more gaps than could be tried.
    """

    answers: Mapping[Gap, Value]
    conclusions: Conclusions
    rulings: frozenset[Fact]
    unfinished: bool = False


@dataclass(frozen=True)
class Worlds:
    """All worlds. `deciding` are the gaps whose answer changes the ruling, `missing` those that were not tried.

    A gap that opens only after a certain answer to another waits for that answer, so it is not among them yet. Reports
    that nobody gave and rules asked for are `asked_for`, without an answer.
    """

    all: tuple[World, ...]
    deciding: tuple[Gap, ...]
    missing: tuple[Gap, ...]
    asked_for: Set[Fact]

    @cached_property
    def sure(self) -> frozenset[Fact]:
        """What holds whatever the answers are."""
        return common(self.all)

    def opens_more(self, worlds: Sequence[World]) -> bool:
        """Whether these worlds rule differently because of a question that other worlds do not ask."""
        outcomes: dict[frozenset[tuple[Gap, Value]], set[frozenset[Fact]]] = {}
        for world in worlds:
            settled = frozenset([item for item in world.answers.items() if item[0] in self._asked_anyway])
            outcomes.setdefault(settled, set()).add(world.rulings)
        return any(world.unfinished for world in worlds) or any(len(rulings) > 1 for rulings in outcomes.values())

    @cached_property
    def _asked_anyway(self) -> set[Gap]:
        """The gaps that every world answers."""
        return set.intersection(*(set(world.answers) for world in self.all))

    def joined_with_others(self, gap: Gap, value: Value) -> bool:
        """Whether this answer brings something only together with a certain answer to another question."""
        asked_anyway = self._asked_anyway - {gap}
        groups: dict[frozenset[tuple[Gap, Value]], list[World]] = {}
        for world in self.all:
            others = frozenset(item for item in world.answers.items() if item[0] in asked_anyway)
            groups.setdefault(others, []).append(world)
        return any(
            common([world for world in group if world.answers.get(gap) == value]) - common(group)
            for group in groups.values()
        )

    def rules_fired(self) -> frozenset[int]:
        """The rules that fired in some world, by their places in the program."""
        return frozenset().union(*(world.conclusions.derivations.all_rules() for world in self.all))

    def after(self, gap: Gap, value: Value) -> tuple[World, ...]:
        return tuple(world for world in self.all if world.answers.get(gap) == value)


def common(worlds: Sequence[World]) -> frozenset[Fact]:
    different = {id(world.rulings): world.rulings for world in worlds}
    return frozenset.intersection(*different.values()) if worlds else frozenset()


def explore(engine: Engine, case: CaseFacts, vocabulary: Vocabulary) -> Worlds:
    """Every world of a case. Reports that rules ask for are opened as they are asked for."""
    gaps: list[tuple[int, Gap]] = []
    for each in case.open_fields:
        fact = case.facts[each.fact]
        if (fact.kind, each.field) in engine.program.columns_read:
            gaps.append((each.fact, _gap(fact, each.field, vocabulary)))
    kept = _within_limit(gaps, vocabulary, MAX_WORLDS)
    missing = tuple(gap for place, gap in gaps if (place, gap) not in kept)
    open_places = sorted({place for place, _ in kept})
    settled = [fact for place, fact in enumerate(case.facts) if place not in open_places] if kept else case.facts
    explorer = _Explorer(engine.beside(settled), vocabulary)
    opened = tuple(case.facts[place] for place in open_places)
    tree = explorer.tree(opened, [(open_places.index(place), gap) for place, gap in kept], {})
    worlds = tuple(_leaves(tree))
    deciding = [gap for gap in dict.fromkeys(_deciding(tree)) if all(gap in world.answers for world in worlds)]
    return Worlds(worlds, tuple(deciding), (*missing, *explorer.untried), explorer.asked_for)


def _gap(fact: Fact, field: str, vocabulary: Vocabulary) -> Gap:
    return Gap(fact.kind, field, tuple(vocabulary[fact.kind].values(fact).items()))


def _domain(gap: Gap, vocabulary: Vocabulary) -> tuple[str | int | bool, ...]:
    return vocabulary[gap.kind].fields[gap.field].type.domain


def _within_limit(gaps: Sequence[tuple[int, Gap]], vocabulary: Vocabulary, limit: int) -> list[tuple[int, Gap]]:
    """The gaps that can be tried together; the widest must be filled in first when they are too many."""
    kept = list(gaps)
    while prod(len(_domain(gap, vocabulary)) for _, gap in kept) > limit:
        kept.remove(max(kept, key=lambda each: len(_domain(each[1], vocabulary))))
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class _Branch:
    """The worlds after each answer to a gap. `outcome` is equal for trees that rule the same whatever is answered."""

    gap: Gap
    children: tuple[_Tree, ...]
    outcome: Hashable


_Tree = World | _Branch


class _Explorer:
    """Answers gaps in every way. The facts that it carries are those beside which the rules are run."""

    def __init__(self, run: Callable[[Sequence[Fact]], Conclusions], vocabulary: Vocabulary) -> None:
        self.run = run
        self.vocabulary = vocabulary
        self.untried: dict[Gap, None] = {}
        self.asked_for: set[Fact] = set()
        self.rulings: dict[frozenset[Fact], frozenset[Fact]] = {}

    def tree(self, facts: tuple[Fact, ...], gaps: Sequence[tuple[int, Gap]], answers: dict[Gap, Value]) -> _Tree:
        if gaps:
            (place, gap), rest = gaps[0], gaps[1:]
            kind = self.vocabulary[gap.kind]
            given = kind.values(facts[place])
            before, after = facts[:place], facts[place + 1 :]
            children = tuple(
                [
                    self.tree((*before, kind.fact({**given, gap.field: value}), *after), rest, {**answers, gap: value})
                    for value in kind.fields[gap.field].type.domain
                ]
            )
            outcomes = tuple([_outcome(child) for child in children])
            return _Branch(gap, children, outcomes[0] if len(set(outcomes)) == 1 else (gap, outcomes))
        conclusions = self.run(facts)
        asked = list(self._asked(conclusions))
        unfinished = False
        if asked:
            opened_gaps = [
                (len(facts) + place, _gap(fact, label, self.vocabulary))
                for place, (fact, labels) in enumerate(asked)
                for label in labels
            ]
            # Each answer on the way here has siblings that open as much again.
            limit = MAX_WORLDS // prod(len(_domain(gap, self.vocabulary)) for gap in answers)
            kept = _within_limit(opened_gaps, self.vocabulary, limit) if len(answers) < MAX_ANSWERS else []
            untried = [gap for place, gap in opened_gaps if (place, gap) not in kept]
            if not answers:
                self.untried |= dict.fromkeys(untried)
            if kept:
                reports = [fact for fact, _ in asked]
                self.asked_for.update(reports)
                return self.tree((*facts, *reports), kept, answers)
            unfinished = bool(answers and untried)
        announced = self.vocabulary.announced.intersection(conclusions.facts)
        rulings = frozenset([new_fact((kind, values)) for kind in announced for values in conclusions.facts[kind]])
        return World(answers, conclusions, self.rulings.setdefault(rulings, rulings), unfinished)

    def _asked(self, conclusions: Conclusions) -> Iterator[tuple[Fact, list[str]]]:
        """Reports that rules ask for and nobody has given, each with its open fields."""
        asked = self.vocabulary.asked.intersection(conclusions.facts)
        if not asked:
            return
        kinds = [self.vocabulary[each.removeprefix(ASK)] for each in asked]
        for kind in sorted(kinds, key=lambda each: self.vocabulary.places[each.name]):
            given = conclusions.facts.get(kind.name, ())
            wanted = conclusions.facts[ASK + kind.name]
            wanted = [values for values in wanted if not any(tells(each, values) for each in given)]
            for values in sorted(wanted, key=values_order):
                yield self._report(kind, kind.values(Fact(kind.name, values)), conclusions)

    def _report(self, kind: Kind, wanted: Mapping[str, Value], conclusions: Conclusions) -> tuple[Fact, list[str]]:
        now = next((row[0] for row in conclusions.facts.get(NOW, ())), None)
        missing = [(name, each) for name, each in kind.fields.items() if name not in wanted]
        defaults = {
            name: now if each.default == NOW else each.default for name, each in missing if each.default is not None
        }
        return kind.fact({**defaults, **wanted}), [name for name, each in missing if not each.may_be_left_open]


def tells(given: Values, wanted: Values) -> bool:
    """Whether a report says what is asked for, where that is said."""
    return all(value is None or value == told for value, told in zip(wanted, given, strict=True))


def _leaves(tree: _Tree) -> Iterator[World]:
    if isinstance(tree, World):
        yield tree
    else:
        for child in tree.children:
            yield from _leaves(child)


def _deciding(tree: _Tree) -> Iterator[Gap]:
    """The gaps at which the outcome depends on the answer, those that come first in order first."""
    if isinstance(tree, _Branch):
        if len({_outcome(child) for child in tree.children}) > 1:
            yield tree.gap
        for child in tree.children:
            yield from _deciding(child)


def _outcome(tree: _Tree) -> Hashable:
    return id(tree.rulings) if isinstance(tree, World) else tree.outcome
