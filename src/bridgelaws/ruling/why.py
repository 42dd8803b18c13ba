"""Why a finding holds, as a tree of reasons; and why a clause did not apply, by the nearest it came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation
from bridgelaws.engine.matching import Match, explanation, matches, partial_matches, value_of
from bridgelaws.engine.program import Atom, Condition, Fact, Value, values_order
from bridgelaws.lawbook.editions import Provision
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.vocabulary import ASK, OFFER
from bridgelaws.ruling.making import rules_behind
from bridgelaws.ruling.ruling import FORMAT, Reason
from bridgelaws.ruling.worlds import World, Worlds, tells


def reasons(law: EditionLaw, worlds: Worlds, facts: Sequence[Fact]) -> tuple[Reason, ...]:
    """For each fact, one reason a rule that gives it whatever is answered; what was not answered is left open."""
    explainers = [_Explainer(law, world.conclusions, _as_given(law, world), worlds.asked_for) for world in worlds.all]
    return tuple(
        next(
            explainer.reason(fact, derivation)
            for explainer in explainers
            for derivation in explainer.conclusions.reasons(fact)
            if derivation.rule == rule
        )
        for fact in facts
        for rule in rules_behind(fact, worlds.all)
    )


def _as_given(law: EditionLaw, world: World) -> dict[Fact, Fact]:
    """Each report that the world filled in, and how it was given or would be asked for."""
    filled: dict[tuple[str, tuple[tuple[str, Value], ...]], dict[str, Value]] = {}
    for gap, answer in world.answers.items():
        filled.setdefault((gap.kind, gap.given), {})[gap.field] = answer
    return {
        law.vocabulary[kind].fact({**dict(given), **answers}): law.vocabulary[kind].fact(dict(given))
        for (kind, given), answers in filled.items()
    }


@dataclass(frozen=True)
class _Explainer:
    law: EditionLaw
    conclusions: Conclusions
    as_given: Mapping[Fact, Fact]
    asked_for: Set[Fact]
    # What a fact rests on, where that was told in full: many rest on the same.
    known: dict[Fact, Reason] = field(default_factory=dict)
    cut_short: list[Fact] = field(default_factory=list)

    def reason(self, fact: Fact, derivation: Derivation, above: frozenset[Fact] = frozenset()) -> Reason:
        in_force = self.law.rules[derivation.rule]
        explained = explanation(self.conclusions, derivation)
        because: list[Reason] = []
        for premise in explained.matched:
            # A recursive kind may rest on itself by this rule; it is explained once.
            if premise in above or premise == fact:
                self.cut_short.append(premise)
                because.append(self._given(premise))
            else:
                because.append(self.known.get(premise) or self._beneath(premise, above | {fact}))
        not_so = tuple(
            " and ".join(_said(self.law, atom, explained.binding) for atom in exception.atoms)
            for exception in explained.exceptions
        )
        told = self._given(fact)
        return Reason(told.text, told.kind, told.fields, in_force.number, in_force.rule.name, tuple(because), not_so)

    def _beneath(self, premise: Fact, above: frozenset[Fact]) -> Reason:
        cuts = len(self.cut_short)
        behind = next(iter(self.conclusions.reasons(premise)), None)
        if behind is None:
            reason = self._asked(premise, above) or self._given(premise)
        else:
            reason = self.reason(premise, behind, above)
        if len(self.cut_short) == cuts:
            self.known[premise] = reason
        return reason

    def _asked(self, report: Fact, above: frozenset[Fact]) -> Reason | None:
        """Why a report that nobody gave is asked for, unless that rests on what the report is to explain."""
        if self.as_given.get(report, report) not in self.asked_for:
            return None
        for wanted in sorted(self.conclusions.facts.get(ASK + report.kind, ()), key=values_order):
            if tells(report.values, wanted):
                for derivation in self.conclusions.reasons(Fact(ASK + report.kind, wanted)):
                    reason = self.reason(report, derivation, above)
                    if self._ends_in_what_was_given(reason):
                        return reason
        return None

    def _ends_in_what_was_given(self, reason: Reason) -> bool:
        if reason.clause:
            return all(map(self._ends_in_what_was_given, reason.because))
        return self.law.vocabulary[reason.kind].source not in ("derived", "ruling")

    def _given(self, fact: Fact) -> Reason:
        """The fact as it was given, or would be asked for."""
        given = self.as_given.get(fact, fact)
        kind = self.law.vocabulary[given.kind.removeprefix(OFFER)]
        plain = Fact(kind.name, given.values)
        return Reason(kind.announcement(plain), kind.name, kind.written(plain))


def _said(law: EditionLaw, atom: Atom, binding: Mapping[int, Value]) -> str:
    """A pattern in words, with what is known of it filled in."""
    kind = law.vocabulary[atom.kind]
    places = {name: kind.columns.index(name) for name in kind.fields}
    return kind.said({name: value_of(atom.terms[place], binding) for name, place in places.items()})


@dataclass(frozen=True)
class NotApplied:
    """How near one rule of a clause came: it applied, an exception held, a condition failed, or it depends."""

    rule: str
    outcome: str
    text: str
    met: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"rule": self.rule, "outcome": self.outcome, "text": self.text, "met": list(self.met)}


def why_not(law: EditionLaw, worlds: Sequence[Conclusions], provision: Provision) -> tuple[NotApplied, ...]:
    """For each rule of the provision; where the worlds of the open questions differ, it depends on the answers."""
    return tuple(
        _in_every_world([_nearest_miss(law, conclusions, number) for conclusions in worlds])
        for number, in_force in enumerate(law.rules)
        if in_force.provision is provision
    )


def why_not_json(law: EditionLaw, clause: str, misses: Sequence[NotApplied]) -> dict[str, Any]:
    """What `bridgelaws why-not --format json` prints."""
    rules = [each.to_json() for each in misses]
    return {"format": FORMAT, "edition": law.edition.name, "clause": law.provision(clause).number, "rules": rules}


def _in_every_world(misses: Sequence[NotApplied]) -> NotApplied:
    if len({each.outcome for each in misses}) == 1:
        return misses[0]
    applied = sum(each.outcome == "applied" for each in misses)
    text = f"this depends on what is still open: it applies with {applied} of {len(misses)} ways to answer"
    return NotApplied(misses[0].rule, "depends", text)


def _nearest_miss(law: EditionLaw, conclusions: Conclusions, number: int) -> NotApplied:
    rule = conclusions.program.rules[number]
    name = law.rules[number].rule.name
    best: Match | None = None
    for match in partial_matches(rule.when, conclusions.ordered, {}):
        if best is None or len(match.facts) > len(best.facts):
            best = match
        if len(match.facts) < len(rule.when.atoms):
            continue
        held = _exception_held(law, conclusions, rule.unless, match)
        met = tuple(law.vocabulary.announce(fact) for fact in match.facts)
        if held is None:
            return NotApplied(name, "applied", "this rule does apply here", met)
        best = match
        blocked = NotApplied(name, "exception", f"an exception holds: {held}", met)
    if best is not None and len(best.facts) == len(rule.when.atoms):
        return blocked
    assert best is not None
    met = tuple(law.vocabulary.announce(fact) for fact in best.facts)
    failed = rule.when.atoms[len(best.facts)]
    wanted = _wanted(law, number, len(best.facts))
    others = [law.vocabulary.announce(Fact(failed.kind, row)) for row in conclusions.ordered.get(failed.kind, ())]
    seen = f"; the case has: {'; '.join(others[:3])}" if others else "; the case has nothing of that kind"
    text = f"this condition fails: {_said(law, failed, best.binding)} ({wanted}){seen}"
    return NotApplied(name, "condition", text, met)


def _wanted(law: EditionLaw, number: int, place: int) -> str:
    """A pattern as its file writes it."""
    pattern = law.rules[number].rule.when[place]
    at = law.rules[number].rule.document.problem(pattern.path, "", at_key=True)
    return f"{pattern.kind}, {at.file}:{at.line}"


def _exception_held(
    law: EditionLaw, conclusions: Conclusions, exceptions: Sequence[Condition], match: Match
) -> str | None:
    for exception in exceptions:
        found = next(matches(exception, conclusions.ordered, dict(match.binding)), None)
        if found is not None:
            return " and ".join(law.vocabulary.announce(fact) for fact in found.facts)
    return None
