"""A quick proof that an exchange of rules changes nothing: what they conclude is concluded anyway.

One copy of the law is enough. If on no table a rule that comes in concludes anything new, and on no table a rule that
leaves takes anything along that the others do not conclude, then every table has the same conclusions after the
exchange as before. The reverse does not hold: a conclusion can change and no ruling with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from bridgelaws.engine.program import Condition, Head, Program, Rule
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.lowering import lower
from bridgelaws.lawbook.vocabulary import ASK
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import Exchange, behind
from bridgelaws.solving.given import given_kinds
from bridgelaws.solving.searching import OutOfTime, Search
from bridgelaws.solving.symbols import predicate
from bridgelaws.solving.tables import answered, legal_choices
from bridgelaws.solving.translating import Translation

# Prefix of the predicates of what is still concluded after the exchange.
STILL = "s"


def concludes_the_same(law: EditionLaw, exchange: Exchange, bounds: Bounds, until: float) -> bool:
    """Whether it is proven, for every table within the bounds, that the exchange changes no conclusion."""
    proof = Proof(law, exchange)
    if not proof.changes_anything:
        return True
    if proof.is_circular:
        return False
    try:
        return not any(proof.search(stage).exists(until) for stage in bounds.growing())
    except OutOfTime:
        return False


class Proof:
    """The law as it is, and what an exchange would add to it or take from it."""

    def __init__(self, law: EditionLaw, exchange: Exchange) -> None:
        self.vocabulary, self.program = law.vocabulary, law.program
        rules = law.program.rules
        self.coming = lower((each.rule for each in exchange.coming), law.vocabulary).rules
        self.leaving = {place: rules[place] for place in sorted(exchange.leaving)}
        self.staying = {place: rule for place, rule in enumerate(rules) if place not in exchange.leaving}
        self.lost = frozenset(head.kind for rule in self.leaving.values() for head in rule.then)
        # What other rules conclude from the very same conditions needs no search.
        stays = _said(self.staying.values())
        self._new = [(place, _unsaid(rule, stays)) for place, rule in enumerate(self.coming)]
        remains = stays | _said(self.coming)
        self._gone = [(place, _unsaid(rule, remains)) for place, rule in self.leaving.items()]

    @property
    def is_circular(self) -> bool:
        """A fact that lost its rule might be kept alive by what follows from it: then this is no proof."""
        after = [*self.staying.values(), *self.coming]
        return any(kind in _read_behind(after, kind) for kind in self.lost)

    @property
    def changes_anything(self) -> bool:
        """Whether an exchanged rule concludes anything that no other rule concludes from the same conditions."""
        return any(rule.then for _, rule in (*self._new, *self._gone))

    def search(self, bounds: Bounds) -> Search:
        """A search for tables on which the exchange changes a conclusion."""
        exchanged = [*self.leaving.values(), *self.coming]
        concluded = {head.kind for rule in exchanged for head in rule.then}
        read = {kind for rule in exchanged for kind, _ in rule.kinds_read()}
        needed = behind(self.program.rules, concluded | read)
        bearing = [rule for rule in self.program.rules if _concludes(rule, needed)]
        lines = [*self._lines(needed), ":- not changes."]
        lines += answered(Program(self.program.columns, (*bearing, *self.coming)), self.vocabulary)
        lines += legal_choices(self.vocabulary, needed)
        return Search(self.vocabulary, bounds, lines, needed)

    def _lines(self, needed: Collection[str]) -> Iterator[str]:
        law = Translation(given_kinds(self.vocabulary))
        for place, rule in enumerate(self.program.rules):
            if _concludes(rule, needed):
                yield from law.rule(str(place), rule)
        for place, rule in self._new:
            body, lines = law.body(f"new_{place}", rule)
            yield from lines
            for head in rule.then:
                yield f"changes :- {', '.join((*body, f'not {law.head(head)}'))}."
        after = {**{str(place): rule for place, rule in self.staying.items()}, **self._coming_by_number()}
        for number, rule in after.items():
            body, _ = law.body(number, rule)
            for head in rule.then:
                if head.kind in self.lost:
                    yield f"{law.head(head, predicate(head.kind, STILL))} :- {', '.join(body)}."
        for place, rule in self._gone:
            body, _ = law.body(str(place), rule)
            for head in rule.then:
                yield f"changes :- {', '.join((*body, f'not {law.head(head, predicate(head.kind, STILL))}'))}."

    def _coming_by_number(self) -> dict[str, Rule]:
        return {f"new_{place}": rule for place, rule in enumerate(self.coming)}


def _said(rules: Iterable[Rule]) -> set[tuple[Condition, Sequence[Condition], Head]]:
    return {(rule.when, rule.unless, head) for rule in rules for head in rule.then}


def _unsaid(rule: Rule, said: Collection[tuple[Condition, Sequence[Condition], Head]]) -> Rule:
    """The rule with only what it concludes or offers beyond what is said.

    A question more or less changes no ruling on a table that answers it.
    """
    heads = (head for head in rule.then if not head.kind.startswith(ASK))
    return replace(rule, then=tuple(head for head in heads if (rule.when, rule.unless, head) not in said))


def _concludes(rule: Rule, kinds: Collection[str]) -> bool:
    return any(head.kind in kinds for head in rule.then)


def _read_behind(rules: Sequence[Rule], kind: str) -> set[str]:
    """The kinds that must hold, directly or not, for a fact of this kind to be concluded."""
    found: set[str] = set()
    open_kinds = {kind}
    while open_kinds:
        read = {each for rule in rules if _concludes(rule, open_kinds) for each, _ in rule.kinds_read()}
        open_kinds = read - found
        found |= read
    return found
