"""Why a ruling is not what a case expects: the reasons for what came, and what kept away what did not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from bridgelaws.casebook.differences import Difference, Matter
from bridgelaws.engine.conclusions import Conclusions
from bridgelaws.engine.matching import Match, matches, partial_matches, value_of
from bridgelaws.engine.program import Constant, Fact, Head, Rule, Value, Values, Variable
from bridgelaws.lawbook.clauses import Literal, Pattern
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.referents import joined
from bridgelaws.lawbook.vocabulary import ASK, OFFER, Kind
from bridgelaws.ruling.making import LISTED
from bridgelaws.ruling.ruling import Reason
from bridgelaws.ruling.why import reasons
from bridgelaws.ruling.worlds import Worlds

# Deep enough to reach what was reported; the commands `why` and `why-not` tell the rest.
DEEPEST = 4
MOST_LINES = 12
MOST_MATCHES = 5000


@dataclass(frozen=True)
class _Miss:
    """How near a rule came to giving a fact: the longest match, and the exception that then held, if any did.

    `touched`: there is a fact of the kind that it lacked, though not the right one.
    """

    number: int
    rule: Rule
    match: Match
    exception: tuple[Fact, ...]
    touched: bool

    @property
    def met(self) -> bool:
        return len(self.match.facts) == len(self.rule.when.atoms)

    @property
    def nearness(self) -> tuple[bool, float, bool, int]:
        return self.met, len(self.match.facts) / max(1, len(self.rule.when.atoms)), self.touched, -self.number


@dataclass(frozen=True, eq=False)
class Explainer:
    """Explains one ruling: one case in one edition."""

    law: EditionLaw
    worlds: Worlds

    @cached_property
    def _conclusions(self) -> Conclusions:
        return self.worlds.all[0].conclusions

    def because(self, difference: Difference) -> tuple[str, ...]:
        """The reasons in lines, each indented below what it explains; the same is not explained twice."""
        lines = list(difference.remarks)
        for explain, matters in ((self._why, difference.came), (self._why_missing, difference.missing)):
            for matter in matters:
                lines += explain(matter) if self._first_time(explain.__name__, str(matter)) else []
        for name in difference.not_asked:
            lines += self._why_not_asked(*name.split("."))
        if not lines and (difference.came or difference.missing):
            return ("of the same, as above",)
        return tuple(lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "…"])

    @cached_property
    def _told(self) -> set[tuple[str, str]]:
        return set()

    def _first_time(self, *asked: str) -> bool:
        new = asked not in self._told
        self._told.add((asked[0], asked[1]))
        return new

    def _kind(self, name: str) -> Kind:
        return self.law.vocabulary[name.removeprefix(OFFER).removeprefix(ASK)]

    def _row(self, matter: Matter) -> Values:
        kind = self._kind(matter.kind)
        return kind.fact({name: kind.fields[name].type.read(value) for name, value in matter.fields.items()}).values

    # What came

    def _why(self, matter: Matter) -> Iterator[str]:
        fact = Fact(matter.kind, self._row(matter))
        if fact in self.worlds.sure:
            for reason in reasons(self.law, self.worlds, [fact]):
                yield f"{reason.text}: {_cited(reason)}"
                yield from self._below(reason, 1)

    def _below(self, reason: Reason, depth: int) -> Iterator[str]:
        """What it rests on, each thing once; what everyone can see on the table goes without saying."""
        for each in reason.because:
            if not each.clause and self.law.vocabulary[each.kind].source == "table":
                continue
            if self._first_time("rests on", each.text):
                yield f"{'  ' * depth}{each.text}" + (f": {_cited(each)}" if each.clause else "")
                if depth < DEEPEST:
                    yield from self._below(each, depth + 1)

    # What did not come

    def _why_missing(self, matter: Matter) -> Iterator[str]:
        row = self._row(matter)
        if any(_agrees(fact, matter.kind, row) for world in self.worlds.all for fact in world.rulings):
            asks = [self._kind(gap.kind).fields[gap.field].ask for gap in self.worlds.deciding]
            if asks:
                yield f"it depends on what is still open: {' '.join(dict.fromkeys(asks))}"
                return
        giving = list(dict.fromkeys(self._giving(matter.kind)))
        named = [clause for clause in matter.clauses if clause in giving]
        if matter.clauses and not named:
            yield from self._elsewhere(matter, giving)
        else:
            yield from self._kept_away(matter.kind, row, named, frozenset(), 0)

    def _elsewhere(self, matter: Matter, giving: Sequence[str]) -> Iterator[str]:
        """The clauses that were named have nothing to say about it."""
        numbers = {each.number for each in self.law.provisions}
        absent = [clause for clause in matter.clauses if clause not in numbers]
        silent = [clause for clause in matter.clauses if clause in numbers]
        if absent:
            yield f"the {self.law.edition.name} edition has no {', '.join(absent)}"
        if silent:
            where = f"; it is given by {', '.join(giving)}" if giving else ""
            yield f"no rule of {', '.join(silent)} gives {self._kind(matter.kind).name}{where}"

    def _giving(self, kind: str) -> Iterator[str]:
        for in_force, rule in zip(self.law.rules, self.law.program.rules, strict=True):
            if any(head.kind == kind for head in rule.then):
                yield in_force.number

    def _kept_away(
        self, kind: str, row: Values, clauses: Sequence[str], above: frozenset[str], depth: int
    ) -> Iterator[str]:
        """The nearest that a rule came to giving such a fact: an exception held, or it lacked something."""
        nearest = max(self._misses(kind, row, clauses), key=lambda miss: miss.nearness, default=None)
        if nearest is None:
            yield f"{'  ' * depth}no rule says so"
        elif nearest.met:
            yield from self._blocked(nearest, kind, depth)
        else:
            yield from self._lacking(nearest, above | {kind}, depth)

    def _blocked(self, miss: _Miss, kind: str, depth: int) -> Iterator[str]:
        held = " and ".join(map(self.law.vocabulary.announce, miss.exception))
        outcome = f"does not apply: {held}" if held else f"does apply{self._yet(kind)}"
        yield f"{'  ' * depth}{self._named(miss)} {outcome}"
        for fact in miss.exception:
            for derivation in self._conclusions.reasons(fact)[:1]:
                rule = self.law.rules[derivation.rule]
                said = self.law.vocabulary.announce(fact)
                yield f"{'  ' * (depth + 1)}{said}: {rule.number} '{rule.rule.name}'"

    def _lacking(self, miss: _Miss, above: frozenset[str], depth: int) -> Iterator[str]:
        """The condition that failed; and if it is for rules to meet it, what kept them from it."""
        place = len(miss.match.facts)
        atom = miss.rule.when.atoms[place]
        kind = self._kind(atom.kind)
        row = tuple(value_of(term, miss.match.binding) for term in atom.terms)
        said = kind.announcement(Fact(kind.name, row)) + _values_asked(
            self.law.rules[miss.number].rule.when[place], kind
        )
        yield f"{'  ' * depth}{self._named(miss)} does not apply: not so: {said}{self._instead(kind)}"
        concluded = next(self._giving(atom.kind), None) is not None
        if concluded and atom.kind not in above and depth < DEEPEST and self._first_time("lacks", f"{kind.name} {row}"):
            yield from self._kept_away(atom.kind, row, (), above, depth + 1)

    def _named(self, miss: _Miss) -> str:
        return f"{self.law.rules[miss.number].number} '{miss.rule.name}'"

    def _yet(self, kind: str) -> str:
        """Why a rule can apply, and what it gives is not in the ruling all the same."""
        if kind == LISTED:
            return ", but no card of the hand is known"
        return ", but the choice was made already" if kind.startswith(OFFER) else ""

    def _misses(self, kind: str, row: Values, clauses: Sequence[str]) -> Iterator[_Miss]:
        for number, rule in enumerate(self.law.program.rules):
            if not clauses or self.law.rules[number].number in clauses:
                for head in rule.then:
                    binding = _binding(head, kind, row)
                    if binding is not None:
                        yield self._miss(number, rule, binding)

    def _miss(self, number: int, rule: Rule, binding: Mapping[int, Value]) -> _Miss:
        facts = self._conclusions.ordered
        found = islice(partial_matches(rule.when, facts, dict(binding)), MOST_MATCHES)
        best = max(found, key=lambda match: len(match.facts))
        if len(best.facts) < len(rule.when.atoms):
            return _Miss(number, rule, best, (), bool(facts.get(rule.when.atoms[len(best.facts)].kind)))
        met = (next(matches(each, facts, dict(best.binding)), None) for each in rule.unless)
        held = next((match.facts for match in met if match is not None), ())
        return _Miss(number, rule, best, held, True)

    def _instead(self, kind: Kind) -> str:
        """What was reported of that kind; what is concluded is explained below, and the table is on the table."""
        if kind.source in ("derived", "ruling", "table"):
            return ""
        told = [self.law.vocabulary.announce(fact) for fact in self._conclusions.of(kind.name)]
        return f"; the case has: {'; '.join(told[:2])}" if told else f"; the case has no {kind.name}"

    def _why_not_asked(self, kind: str, field: str) -> Iterator[str]:
        if any(gap.kind == kind and gap.field == field for gap in self.worlds.all[0].answers):
            yield f"{kind}.{field}: the ruling is the same whatever the answer"
            return
        told = [self.law.vocabulary.announce(fact) for fact in self._conclusions.of(kind)]
        if told:
            yield f"{kind}.{field}: the case says already: {'; '.join(told[:2])}"
        elif next(self._giving(ASK + kind), None) is not None:
            yield from self._kept_away(ASK + kind, self._kind(kind).fact({}).values, (), frozenset(), 0)
        else:
            yield f"{kind}.{field}: the case has no {kind}, and no rule asks for one"


def _values_asked(pattern: Pattern, kind: Kind) -> str:
    """The values that a pattern lets pass where it names several: ` (manner: dropped by accident or seen in hand)`."""
    told = [
        f"{test.field}: {joined([kind.fields[test.field].type.say(each.value) for each in named], 'or')}"
        for test in pattern.tests
        if test.comparator == "one_of" and not test.part
        if (named := [each for each in test.operands if isinstance(each, Literal)])
    ]
    return f" ({'; '.join(told)})" if told else ""


def _cited(reason: Reason) -> str:
    return f"{reason.clause} '{reason.rule}'"


def _agrees(fact: Fact, kind: str, row: Values) -> bool:
    return fact.kind == kind and all(
        wanted is None or wanted == value for wanted, value in zip(row, fact.values, strict=True)
    )


def _binding(head: Head, kind: str, row: Values) -> dict[int, Value] | None:
    """What the rule's variables must stand for if it is to give such a fact; nothing if it cannot."""
    if head.kind != kind:
        return None
    binding: dict[int, Value] = {}
    for term, wanted in zip(head.terms, row, strict=True):
        if wanted is None or term is None:
            continue
        if isinstance(term, Constant) and term.value != wanted:
            return None
        if isinstance(term, Variable) and binding.setdefault(term.index, wanted) != wanted:
            return None
    return binding
