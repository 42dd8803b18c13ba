"""Two laws over one table: the law as it is, and the law with some rules exchanged, as a solver compares them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bridgelaws.compare.diff import ClauseChange
from bridgelaws.engine.program import Program, Rule
from bridgelaws.lawbook.clauses import Pattern
from bridgelaws.lawbook.editions import RuleInForce
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.lowering import lower
from bridgelaws.lawbook.vocabulary import ASK, OFFER, Kind
from bridgelaws.ruling.making import FORBIDS, LISTED
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.given import Given, given_kinds
from bridgelaws.solving.searching import Search
from bridgelaws.solving.symbols import applied, predicate
from bridgelaws.solving.tables import answered, legal_choices
from bridgelaws.solving.translating import Translation


@dataclass(frozen=True)
class Exchange:
    """Rules that leave a law, by their places in its program, and rules that come in."""

    leaving: frozenset[int]
    coming: tuple[RuleInForce, ...]

    def __bool__(self) -> bool:
        return bool(self.leaving or self.coming)


def exchange_for(changes: Iterable[ClauseChange], old: EditionLaw, new: EditionLaw) -> tuple[Exchange, Exchange]:
    """What must be exchanged in the old law to have these clauses as the new one has them, and the other way round."""
    before = {id(each.rule): place for place, each in enumerate(old.rules)}
    after = {id(each.rule): place for place, each in enumerate(new.rules)}
    gone: set[int] = set()
    came: set[int] = set()
    for change in changes:
        for pair in change.rules:
            # A rule that moved to another clause is that clause's matter.
            if not pair.same and not change.left(pair):
                gone |= {before[id(pair.before.rule)]} if pair.before else set()
                came |= {after[id(pair.after.rule)]} if pair.after else set()
    return (
        Exchange(frozenset(gone), tuple(new.rules[place] for place in sorted(came))),
        Exchange(frozenset(came), tuple(old.rules[place] for place in sorted(gone))),
    )


def exchanged(law: EditionLaw, exchange: Exchange) -> EditionLaw:
    """The law after the exchange."""
    staying = [place for place in range(len(law.rules)) if place not in exchange.leaving]
    coming = lower((each.rule for each in exchange.coming), law.vocabulary).rules
    program = Program(law.program.columns, (*(law.program.rules[place] for place in staying), *coming))
    return replace(law, rules=(*(law.rules[place] for place in staying), *exchange.coming), program=program)


def difference_search(law: EditionLaw, exchange: Exchange, bounds: Bounds, other: EditionLaw | None = None) -> Search:
    """A search for the tables on which the law rules differently after the exchange.

    With another law, only the differences that it shows too: what the exchange gives or takes, the other law has or
    has not.
    """
    lines, read = _Comparison(law, exchange, other).lines()
    return Search(law.vocabulary, bounds, lines, read)


def silence_search(law: EditionLaw, kind: str, bounds: Bounds, sensible: Iterable[str]) -> Search:
    """A search for the tables on which a report of this kind, the only one, changes nothing in the ruling."""
    law = with_no_other_report(law, kind)
    # To be asked something is not silence, whatever would follow from the answer.
    asked = {head.kind for rule in law.program.rules for head in rule.then if head.kind.startswith(ASK)}
    comparison = _Comparison(law, without_reports(law, kind), None, asked)
    lines, read = comparison.lines_if_nothing_differs()
    told = f":- not told. told :- {', '.join(Given(law.vocabulary[kind]).about({}))}."
    return Search(law.vocabulary, replace(bounds, reports=1), [*lines, *sensible, told], read | {kind})


def with_no_other_report(law: EditionLaw, kind: str) -> EditionLaw:
    """What is left of a law where there are no reports but of this kind, and no choices: it says the same there."""
    sources = {name: each.source for name, each in law.vocabulary.kinds.items()}
    possible = {name for name, source in sources.items() if source in ("table", "regulation")} | {kind}
    firing: dict[int, RuleInForce] = {}
    grown = True
    while grown:
        reached = {
            place: each
            for place, each in enumerate(law.rules)
            if place not in firing and all(pattern.kind in possible for pattern in each.rule.when)
        }
        grown = bool(reached)
        firing |= reached
        possible |= {head.kind for place in reached for head in law.program.rules[place].then}
    rules = tuple(
        replace(
            each,
            rule=replace(each.rule, unless=tuple(u for u in each.rule.unless if all(p.kind in possible for p in u))),
        )
        for _, each in sorted(firing.items())
    )
    return replace(law, rules=rules, program=lower((each.rule for each in rules), law.vocabulary))


def without_reports(law: EditionLaw, kind: str) -> Exchange:
    """What makes the law that of a table on which there is no report of this kind; nothing if no rule reads it."""
    reading = {
        place: replace(each, rule=replace(each.rule, unless=tuple(u for u in each.rule.unless if not _names(u, kind))))
        for place, each in enumerate(law.rules)
        if _names((*each.rule.when, *chain.from_iterable(each.rule.unless)), kind)
    }
    return Exchange(frozenset(reading), tuple(each for each in reading.values() if not _names(each.rule.when, kind)))


def _names(patterns: Iterable[Pattern], kind: str) -> bool:
    return any(pattern.kind == kind for pattern in patterns)


class _Comparison:
    """Copies of a law side by side: `a` as it is, `b` after the exchange, and `n` the other law."""

    def __init__(
        self, law: EditionLaw, exchange: Exchange, other: EditionLaw | None, also: Collection[str] = ()
    ) -> None:
        self.law, self.exchange, self.other = law, exchange, other
        self.vocabulary, self.program = law.vocabulary, law.program
        self.coming = lower((each.rule for each in exchange.coming), self.vocabulary).rules
        changed = [*self.coming, *(self.program.rules[place] for place in sorted(exchange.leaving))]
        self.every = [*self.program.rules, *self.coming, *(other.program.rules if other else ())]
        self.own = touched(self.every, changed)
        announced = {kind.name for kind in self.vocabulary.of_source("ruling")}
        announced |= {OFFER + kind.name for kind in self.vocabulary.of_source("choice")}
        goals = self.own & announced
        self.needed = behind(self.every, {*goals, *also, *([LISTED] if FORBIDS in goals else ())})
        given = given_kinds(self.vocabulary)
        self.as_is, self.after = Translation(given, "a", self.own), Translation(given, "b", self.own)
        apart = set(self.program.rules) ^ set(other.program.rules) if other else ()
        self.elsewhere = Translation(given, "n", touched(self.every, list(apart)) | self.own)

    def lines(self) -> tuple[list[str], frozenset[str]]:
        """The laws as far as they bear on the difference, and the kinds that their rules read."""
        lines = [*self._as_is(), *self._after(), ":- not exchanged."]
        copies = [self.as_is, self.after]
        if self.other:
            lines += self._elsewhere(self.other)
            copies.append(self.elsewhere)
        whole = Program(self.program.columns, tuple(rule for rule in self.every if self._bears(rule)))
        for copy in copies:
            lines += answered(whole, self.vocabulary, copy.name)
            lines += legal_choices(self.vocabulary, self.needed, copy.name)
        return [*lines, *self._differs(), ":- not differs."], self.needed

    def lines_if_nothing_differs(self) -> tuple[list[str], frozenset[str]]:
        """The same for the tables on which the two copies give one ruling, and nothing is left to ask."""
        whole = Program(self.program.columns, tuple(rule for rule in self.every if self._bears(rule)))
        lines = [*self._as_is(), *self._after(), *answered(whole, self.vocabulary, self.as_is.name)]
        return [*lines, *self._differs(), ":- differs."], self.needed

    def _bears(self, rule: Rule) -> bool:
        return any(head.kind in self.needed for head in rule.then)

    def _as_is(self) -> Iterator[str]:
        for place, rule in enumerate(self.program.rules):
            if self._bears(rule):
                own = any(head.kind in self.own for head in rule.then)
                yield from (self.as_is if own else Translation(self.as_is.given)).rule(str(place), rule)
                if place in self.exchange.leaving:
                    yield from self.as_is.fires(str(place), rule, "exchanged")

    def _after(self) -> Iterator[str]:
        for place, rule in enumerate(self.program.rules):
            stays = place not in self.exchange.leaving and any(head.kind in self.own for head in rule.then)
            if stays and self._bears(rule):
                yield from self.after.rule(str(place), rule)
        for place, rule in enumerate(self.coming):
            yield from self.after.rule(f"new_{place}", rule)
            yield from self.after.fires(f"new_{place}", rule, "exchanged")

    def _elsewhere(self, other: EditionLaw) -> Iterator[str]:
        for place, rule in enumerate(other.program.rules):
            if self._bears(rule) and any(head.kind in self.elsewhere.own for head in rule.then):
                yield from self.elsewhere.rule(f"other_{place}", rule)

    def _differs(self) -> Iterator[str]:
        """What makes two rulings different: a finding, a card that may not be played, or an option that one lacks."""
        for kind in self.vocabulary.of_source("ruling"):
            if kind.name in self.own:
                fact = [f"X{place}" for place in range(len(kind.columns))]
                yield from self._apart(kind.name, fact, list(self._shown(kind)))
        for kind in self.vocabulary.of_source("choice"):
            if OFFER + kind.name in self.own:
                fact = [f"X{place}" for place in range(len(kind.columns))]
                about = {c: each for c, each in zip(kind.columns, fact, strict=True) if c in kind.about}
                made = applied(f"made_{kind.name}", list(about.values()))
                yield f"{made} :- {', '.join(Given(kind).about(about))}."
                yield from self._apart(OFFER + kind.name, fact, [f"not {made}"])

    def _apart(self, kind: str, fact: Sequence[str], shown: Sequence[str]) -> Iterator[str]:
        """The fact holds as the law is and not after the exchange, or the other way round."""
        here, there = applied(self.as_is.name(kind), fact), applied(self.after.name(kind), fact)
        too = [applied(self.elsewhere.name(kind), fact)] if self.other else []
        yield f"differs :- {', '.join((here, f'not {there}', *(f'not {each}' for each in too), *shown))}."
        yield f"differs :- {', '.join((there, *too, f'not {here}', *shown))}."

    def _shown(self, kind: Kind) -> Iterator[str]:
        """Cards are listed only of a player whose plays both laws list, and who holds them."""
        if kind.name not in (FORBIDS, LISTED):
            return
        holds = self.vocabulary["holds"]
        player, card = "X0", "X1" if kind.name == FORBIDS else "_"
        yield applied(
            predicate(holds.name), [{"player": player, "card": card}.get(each, "_") for each in holds.columns]
        )
        if kind.name == FORBIDS:
            listed = self.vocabulary[LISTED]
            for law in (self.as_is, self.after):
                yield applied(law.name(LISTED), [player if each == "player" else "_" for each in listed.columns])


def behind(rules: Sequence[Rule], goals: Collection[str]) -> frozenset[str]:
    """The kinds on which these kinds rest, with the kinds themselves."""
    needed = set(goals)
    grown = True
    while grown:
        read = {kind for rule in rules if any(h.kind in needed for h in rule.then) for kind, _ in rule.kinds_read()}
        # A choice stands only where it is offered, and a report must be there where it is asked for.
        read |= {prefix + kind for prefix in (OFFER, ASK) for kind in read}
        grown = not read <= needed
        needed |= read
    return frozenset(needed)


def touched(rules: Sequence[Rule], changed: Sequence[Rule]) -> frozenset[str]:
    """The kinds of which other facts may hold when these rules change."""
    kinds = {head.kind for rule in changed for head in rule.then}
    grown = True
    while grown:
        reached = {
            head.kind for rule in rules if any(kind in kinds for kind, _ in rule.kinds_read()) for head in rule.then
        }
        grown = not reached <= kinds
        kinds |= reached
    return frozenset(kinds)
