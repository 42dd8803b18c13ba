"""Make a ruling of what the engine concluded: findings, plays, options and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation, Engine
from bridgelaws.engine.matching import met_by, value_of
from bridgelaws.engine.program import Fact
from bridgelaws.errors import CaseError
from bridgelaws.lawbook.edition_in_force import EditionInForce, Wording
from bridgelaws.lawbook.vocabulary import OFFER, Kind
from bridgelaws.notation import card_order
from bridgelaws.ruling.ruling import (
    Answer,
    Conflict,
    Finding,
    ForbiddenCard,
    Option,
    Options,
    Plays,
    Question,
    Ruling,
)
from bridgelaws.ruling.sayings import Sayings, sayings_of
from bridgelaws.ruling.worlds import Gap, World, Worlds, common, explore
from bridgelaws.table.case import Case, CaseFacts, case_facts

# The kinds that the ruling shows under `plays` instead of among the findings.
FORBIDS = "may_not_play"
LISTED = "plays_listed"


def make_ruling(law: EditionInForce, engine: Engine, engine_name: str, case: Case) -> tuple[Ruling, Worlds]:
    """The ruling, and the worlds it was drawn from for whoever wants the reasons."""
    facts = case_facts(case, law.vocabulary)
    worlds = explore(engine, facts, law.vocabulary)
    return _Maker(law, worlds, case, facts, sayings_of(law)).ruling(engine_name), worlds


@dataclass(frozen=True)
class _Maker:
    law: EditionInForce
    worlds: Worlds
    case: Case
    given: CaseFacts
    sayings: Sayings
    rested: dict[int, list[str] | None] = field(default_factory=dict)

    def ruling(self, engine_name: str) -> Ruling:
        sure = sorted(self.worlds.sure, key=self.sayings.order)
        options = self._options([fact for fact in sure if fact.kind.startswith(OFFER)])
        findings = tuple(
            self.finding(fact, self.worlds.all)
            for fact in sure
            if fact.kind in self.law.vocabulary and fact.kind not in (FORBIDS, LISTED)
        )
        plays = tuple(each for fact in sure if fact.kind == LISTED if (each := self._plays(fact)) is not None)
        clauses = dict.fromkeys(clause for each in findings for clause in each.clauses)
        clauses |= dict.fromkeys(clause for each in plays for card in each.may_not for clause in card.clauses)
        clauses |= dict.fromkeys(clause for each in options for option in each.options for clause in option.clauses)
        used = sorted((each for each in clauses if each in self.law.order), key=self.law.order.__getitem__)
        return Ruling(
            self.law.name,
            engine_name,
            findings,
            plays,
            options,
            self._questions(),
            tuple(used),
            tuple(self._conflicts(findings)),
            self._advice(used),
        )

    def finding(self, fact: Fact, worlds: Sequence[World]) -> Finding:
        rules = rules_behind(fact, worlds)
        beneath = self._beneath(fact, worlds[0].conclusions, rules)
        return self.sayings.finding(fact, rules, tuple(beneath), self._force(fact, rules, worlds))

    def _force(self, fact: Fact, rules: Sequence[int], worlds: Sequence[World]) -> str:
        """The force with which the first of the rules concludes the fact."""
        put = self.sayings.put(rules[0], fact.kind)
        if len(put) == 1 or len({each.force for each in put}) == 1:
            return put[0].force
        return next(
            conclusion.force
            for world in worlds
            for derivation in world.conclusions.reasons(fact)
            if derivation.rule == rules[0]
            for conclusion in self._conclusions(fact, derivation)
        )

    def _conclusions(self, fact: Fact, derivation: Derivation) -> Iterator[Wording]:
        """What the rule says of the fact: a rule may conclude a kind more than once."""
        put = self.sayings.put(derivation.rule, fact.kind)
        if len(put) == 1:
            yield put[0]
            return
        heads = [head for head in self.law.program.rules[derivation.rule].then if head.kind == fact.kind]
        binding = dict(enumerate(derivation.binding))
        for conclusion, head in zip(put, heads, strict=False):
            if tuple(value_of(term, binding) for term in head.terms) == fact.values:
                yield conclusion

    def _beneath(self, fact: Fact, conclusions: Conclusions, rules: Sequence[int]) -> Iterable[str]:
        """The clauses that gave the facts on which the finding directly rests."""
        numbers: list[str] = []
        for rule in conclusions.derivations.rules(fact):
            if rule in rules:
                if rule not in self.rested:
                    self.rested[rule] = self._rested_on(rule, conclusions)
                rested = self.rested[rule]
                if rested is None:
                    return self._found_beneath(fact, conclusions, rules)
                numbers += rested
        return numbers

    def _rested_on(self, rule: int, conclusions: Conclusions) -> list[str] | None:
        """The clauses beneath a rule if they are the same whichever facts it rests on."""
        numbers: list[str] = []
        for kind in self.sayings.derived(rule):
            alike = conclusions.derivations.rules_alike(kind)
            if alike is None:
                return None
            numbers += map(self.law.number, alike)
        return numbers

    def _found_beneath(self, fact: Fact, conclusions: Conclusions, rules: Sequence[int]) -> Iterator[str]:
        for derivation in conclusions.reasons(fact):
            if derivation.rule in rules:
                for atom in self.law.program.rules[derivation.rule].when.atoms:
                    if self.law.vocabulary[atom.kind].source == "derived":
                        for reason in conclusions.reasons(met_by(atom, conclusions, derivation.binding)):
                            yield self.law.number(reason.rule)

    def _plays(self, listed: Fact) -> Plays | None:
        """What the player may play; nothing can be said of a hand of which no card is known."""
        player = str(listed.values[0])
        conclusions = self.worlds.all[0].conclusions
        held = self._held(player)
        if not held:
            return None
        forbidden: list[ForbiddenCard] = []
        may: list[str] = []
        undecided: list[str] = []
        by_world = [
            {values[1]: values for values in world.conclusions.facts.get(FORBIDS, ()) if values[0] == player}
            for world in self.worlds.all
        ]
        for card in sorted(held, key=card_order):
            forbidding = [each[card] for each in by_world if card in each]
            if not forbidding:
                may.append(card)
            elif len(forbidding) < len(by_world):
                undecided.append(card)
            else:
                forbidden.append(self._forbidden(card, Fact(FORBIDS, forbidding[0]), self.worlds.all))
        complete = (player,) in conclusions.facts.get("hand_complete", ())
        return Plays(player, tuple(may), tuple(forbidden), tuple(undecided), complete)

    def _held(self, player: str) -> list[str]:
        """The cards that are known to be in a hand."""
        columns = self.law.vocabulary["holds"].columns
        holder, card = columns.index("player"), columns.index("card")
        rows = self.worlds.all[0].conclusions.facts.get("holds", ())
        return [str(row[card]) for row in rows if row[holder] == player]

    def _forbidden(self, card: str, fact: Fact, worlds: Sequence[World]) -> ForbiddenCard:
        rules = rules_behind(fact, worlds)
        clauses = dict.fromkeys(map(self.law.number, rules))
        if not any(wording.because for rule in rules for wording in self.sayings.put(rule, fact.kind)):
            return ForbiddenCard(card, tuple(clauses), ())
        told = [dict.fromkeys(self._because(fact, world, rules)) for world in worlds]
        shared = tuple(reason for reason in told[0] if all(reason in others for others in told[1:]))
        return ForbiddenCard(card, tuple(clauses), shared)

    def _because(self, fact: Fact, world: World, rules: Sequence[int]) -> Iterable[str]:
        """The reason that each rule gives for a conclusion, with its variables filled in."""
        for derivation in world.conclusions.reasons(fact):
            if derivation.rule not in rules:
                continue
            for conclusion in self._conclusions(fact, derivation):
                if conclusion.because:
                    yield self.sayings.because(conclusion.because, derivation)

    def _options(self, offered: Sequence[Fact]) -> tuple[Options, ...]:
        vocabulary = self.law.vocabulary
        anywhere = {fact for world in self.worlds.all for fact in world.rulings if fact.kind.startswith(OFFER)}
        self._check_choices(anywhere)
        groups: dict[tuple[object, ...], list[Fact]] = {}
        for fact in offered:
            kind = vocabulary[fact.kind.removeprefix(OFFER)]
            groups.setdefault(_about(kind, fact), []).append(fact)
        return tuple(self._group(facts) for facts in groups.values() if not self._closed(facts[0]))

    def _closed(self, offered: Fact) -> bool:
        kind = self.law.vocabulary[offered.kind.removeprefix(OFFER)]
        return offered.kind.startswith(OFFER) and _about(kind, offered) in self._taken()

    def _taken(self) -> set[tuple[object, ...]]:
        """What has been chosen already, and so is open no longer."""
        return {_about(self.law.vocabulary[fact.kind], fact) for fact, _ in self.given.choices}

    def _group(self, facts: Sequence[Fact]) -> Options:
        kind = self.law.vocabulary[facts[0].kind.removeprefix(OFFER)]
        options = tuple(self._option(kind, fact) for fact in facts)
        chooser = kind.chosen_by(Fact(kind.name, facts[0].values), self.case.table.dummy)
        return Options(chooser, options[0].clauses[0], options)

    def _option(self, kind: Kind, offered: Fact) -> Option:
        fact = Fact(kind.name, offered.values)
        telling = [str(value) for name, value in kind.written(fact).items() if name not in kind.about]
        clauses = dict.fromkeys(map(self.law.number, rules_behind(offered, self.worlds.all)))
        return Option("-".join(telling), kind.announcement(fact), {kind.name: kind.written(fact)}, tuple(clauses))

    def _check_choices(self, offered: set[Fact]) -> None:
        """A choice that is being made now must be one that the law offers now."""
        problems = []
        for fact, path in self.given.choices:
            kind = self.law.vocabulary[fact.kind]
            if self._being_made(kind, fact) and Fact(OFFER + fact.kind, fact.values) not in offered:
                open_now = [
                    kind.announcement(Fact(kind.name, each.values))
                    for each in offered
                    if each.kind == OFFER + kind.name
                ]
                hint = f"open now: {'; '.join(sorted(open_now))}" if open_now else "nothing is open to choose now"
                message = f"the law does not offer this choice now: {kind.announcement(fact)}"
                problems.append(self.case.document.problem(path, message, hint, at_key=True))
        if problems:
            raise CaseError(problems)

    def _being_made(self, kind: Kind, choice: Fact) -> bool:
        values = kind.values(choice)
        moments = (
            self.law.vocabulary[kind.during].values(fact) for fact in self.given.facts if fact.kind == kind.during
        )
        return not kind.during or any(_agree(values, moment) for moment in moments)

    def _questions(self) -> tuple[Question, ...]:
        asked = [self._question(gap, answered=True) for gap in self.worlds.deciding]
        asked += [self._question(gap, answered=False) for gap in self.worlds.missing]
        times_said = Counter((question.ask, question.concerning) for question in asked)
        return tuple(
            self._told_apart(question) if times_said[question.ask, question.concerning] > 1 else question
            for question in asked
        )

    def _told_apart(self, question: Question) -> Question:
        """A question that reads like another one, with the numbers that tell the two apart: (West, trick 3)."""
        fields = self.law.vocabulary[question.kind].fields
        numbers = [f"{name} {value}" for name, value in question.about.items() if fields[name].type.name == "count"]
        return replace(question, concerning=", ".join(filter(None, [question.concerning, *numbers])))

    def _question(self, gap: Gap, *, answered: bool) -> Question:
        kind = self.law.vocabulary[gap.kind]
        field = kind.fields[gap.field]
        given = {name: kind.fields[name].type.written(value) for name, value in gap.given}
        answers: list[Answer] = []
        for value in field.type.domain if answered else ():
            worlds = self.worlds.after(gap, value)
            then = common(worlds)
            # What may not be played is told only of players whose cards are listed, and of cards in their hands; of a
            # player whose cards are listed only after this answer, all of it.
            listed = self._listed(then)
            shown = listed - self._listed_now
            bars = {fact for fact in then if fact.kind == FORBIDS and fact.values[:2] in shown} if shown else set()
            follows = sorted((then - self.worlds.sure) | bars, key=self.sayings.order)
            texts = [
                self._said(fact)
                for fact in follows
                if fact.kind != LISTED
                and not (fact.kind == FORBIDS and fact.values[:2] not in listed)
                and not self._closed(fact)
            ]
            written = field.type.written(value)
            report = {gap.kind: {**given, gap.field: written}}
            told = tuple(dict.fromkeys(texts))
            opens_more = self.worlds.opens_more(worlds)
            joined = not (told or opens_more) and self.worlds.joined_with_others(gap, value)
            answers.append(Answer(written, field.type.say(value), told, report, opens_more, joined))
        return Question(
            gap.kind,
            gap.field,
            given,
            field.ask or f"What is the {gap.field}?",
            field.judgement,
            tuple(answers),
            ", ".join(
                kind.fields[name].type.say(value)
                for name, value in gap.given
                if kind.fields[name].type.name in ("seat", "card")
            ),
        )

    @cached_property
    def _listed_now(self) -> set[tuple[Any, ...]]:
        return self._listed(self.worlds.sure)

    def _listed(self, facts: Iterable[Fact]) -> set[tuple[Any, ...]]:
        """The cards that are listed with who may play them, each with its player."""
        return {(player, card) for kind, (player, *_) in facts if kind == LISTED for card in self._held(str(player))}

    def _said(self, fact: Fact) -> str:
        kind = self.law.vocabulary[fact.kind.removeprefix(OFFER)]
        said = kind.announcement(Fact(kind.name, fact.values))
        return (
            f"{kind.chosen_by(Fact(kind.name, fact.values), self.case.table.dummy)} may choose: {said}"
            if fact.kind.startswith(OFFER)
            else said
        )

    def _conflicts(self, findings: Sequence[Finding]) -> Iterable[Conflict]:
        for first in findings:
            for other in self.law.vocabulary[first.kind].contradicts:
                for second in findings:
                    if second.kind == other and _agree(first.fields, second.fields):
                        yield Conflict(first, second)

    def _advice(self, numbers: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return tuple((number, self.law.advice[number]) for number in numbers if number in self.law.advice)


def _agree(first: Mapping[str, object], second: Mapping[str, object]) -> bool:
    return all(first[name] == second[name] for name in first.keys() & second.keys())


def _about(kind: Kind, fact: Fact) -> tuple[object, ...]:
    values = kind.values(Fact(kind.name, fact.values))
    return (kind.name, *(values.get(name) for name in kind.about))


def rules_behind(fact: Fact, worlds: Sequence[World]) -> tuple[int, ...]:
    """The rules that give the fact in every world, or, if each world has its own, all of them."""
    if len(worlds) == 1:
        return worlds[0].conclusions.derivations.rules(fact)
    behind = [world.conclusions.derivations.rules(fact) for world in worlds]
    if len(set(behind)) == 1:
        return behind[0]
    sets = list(map(set, behind))
    return tuple(sorted(set.intersection(*sets) or set.union(*sets)))
