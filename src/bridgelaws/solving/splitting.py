"""A search in parts, by the kinds of reports and choices that are given: each part has few rules and ends soon.

Where only some kinds are given, most rules cannot fire and most exceptions cannot hold. A part is left out if what is
looked for cannot come about there, or if one of its kinds has no bearing on it: whatever is to be found there is found
without that kind too, in a smaller part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bridgelaws.engine.program import Condition, Rule
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.vocabulary import ASK, OFFER, Kind
from bridgelaws.solving.differing import behind
from bridgelaws.solving.reaching import Firing, Reach, Reaching
from bridgelaws.solving.targets import Target, asked_for


@dataclass(frozen=True)
class Part:
    """The tables with reports and choices of each of these kinds and of no others, and what may be found there."""

    given: tuple[str, ...]
    targets: tuple[Target, ...]


class Splitting:
    """The parts of a search for targets in a law, and the rules that each part needs."""

    def __init__(self, law: EditionLaw, targets: Sequence[Target]) -> None:
        self.law, self.targets = law, targets
        self._reaching = Reaching(law)
        self._bits = self._reaching.bits
        self._behind = {each.name: behind(law.program.rules, each.kinds) for each in targets}
        answers = {answer: (self._bits([ASK + answer]), self._bits([answer])) for answer in asked_for(law)}
        self._questions = {
            name: [bits for answer, bits in answers.items() if answer in needed]
            for name, needed in self._behind.items()
        }
        self._goals = {each.name: self._bits(each.kinds) for each in targets}
        self._musts = {each.name: self._bits(each.musts) for each in targets}
        self._offers = {each.name: self._bits([OFFER + each.name]) for each in law.vocabulary.of_source("choice")}
        # A choice stands only where it is offered, and whether a report is an answer depends on the question.
        self._follows = [*answers.values(), *((offer, self._bits([kind])) for kind, offer in self._offers.items())]

    def parts(self, size: int) -> Iterator[Part]:
        """The parts with so many kinds of reports and choices."""
        bearing = frozenset().union(*self._behind.values())
        given = [each for each in self.law.vocabulary.of_source("report", "choice") if each.name in bearing]
        yield from self._parts((), self._reaching.by_kinds(0), given, size)

    def _parts(self, kinds: tuple[Kind, ...], reach: Reach, more: Sequence[Kind], size: int) -> Iterator[Part]:
        """The parts with these kinds and so many more."""
        if size == 0:
            targets = self._to_be_found(kinds, reach)
            if targets:
                yield Part(tuple(each.name for each in kinds), targets)
            return
        for place, kind in enumerate(more):
            further = self._reaching.by_kinds(self._bits([kind.name]), reach)
            yield from self._parts((*kinds, kind), further, more[place + 1 :], size - 1)

    def _to_be_found(self, kinds: Sequence[Kind], reach: Reach) -> tuple[Target, ...]:
        """The targets that can come about with these kinds, and on each of which each of the kinds has a bearing."""
        targets = self._found_among(self.targets, kinds, reach)
        return self._found_among(targets, kinds, self._reaching.by_values(reach)) if targets else ()

    def rules(self, part: Part) -> dict[int, Rule]:
        """The rules that bear on what may be found in a part, by their places, with the conclusions that do.

        Exceptions that cannot hold there are left out, so that a part is searched again only after a change that can
        matter in it.
        """
        reach = self._reaching.by_values(self._reaching.by_kinds(self._bits(part.given)))
        needed = 0
        for target in part.targets:
            needed |= self._goal(target, reach)
        before, firing = 0, reach.firing()
        # Backwards through the rules once, and again as long as a circle or an offer asks for more.
        while before != needed:
            before = needed
            for _, read, then in reversed(firing):
                if then & needed:
                    needed |= read
            for question, answer in self._follows:
                if needed & answer:
                    needed |= question & reach.there
        kept: dict[int, Rule] = {}
        for place in sorted(each.place for each in firing):
            rule = self.law.program.rules[place]
            bearing = tuple(head for head in rule.then if needed & self._bits([head.kind]))
            if bearing:
                possible = tuple(each for each in rule.unless if not self._read(each) & ~reach.there)
                kept[place] = replace(rule, then=bearing, unless=possible)
        return kept

    def _read(self, condition: Condition) -> int:
        return self._bits(atom.kind for atom in condition.atoms)

    def _goal(self, target: Target, reach: Reach) -> int:
        """The kinds that decide whether a table shows the target, and whether all that bears on it is answered."""
        goal = self._goals[target.name]
        for question, answer in self._questions[target.name]:
            if question & reach.there:
                goal |= question | answer
        return goal

    def _found_among(self, targets: Sequence[Target], kinds: Sequence[Kind], reach: Reach) -> tuple[Target, ...]:
        possible = [each for each in targets if not self._musts[each.name] & ~reach.there]
        if not possible or any(each.source == "choice" and self._is_out_of_place(each, reach) for each in kinds):
            return ()
        firing = reach.firing()
        bearings = [self._touched(self._bits([each.name]), firing, reach.there) for each in kinds]
        return tuple(each for each in possible if all(self._goal(each, reach) & bearing for bearing in bearings))

    def _is_out_of_place(self, choice: Kind, reach: Reach) -> bool:
        """Nobody offers it, and it is none that may have been made long ago."""
        return not choice.during and not self._offers[choice.name] & reach.there

    def _touched(self, kinds: int, firing: Sequence[Firing], there: int) -> int:
        """The kinds of which other facts may hold when facts of these kinds come or go."""
        touched, before = kinds, 0
        while before != touched:
            before = touched
            for _, read, then in firing:
                if read & touched:
                    touched |= then
            for question, answer in self._follows:
                if question & touched:
                    touched |= answer & there
        return touched
