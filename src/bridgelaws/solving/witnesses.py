"""A table on which two editions rule differently because of one clause, as small as can be; or the word that none is.

"Because of the clause": the ruling changes when this clause alone is exchanged, if it can be in both editions, else
in one of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.compare.diff import ClauseChange
from bridgelaws.engine.stratify import NotStratified
from bridgelaws.errors import BridgelawsError
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import Exchange, difference_search, exchange_for, exchanged
from bridgelaws.solving.parallel import in_parallel
from bridgelaws.solving.replaying import essence, replayed
from bridgelaws.solving.sameness import concludes_the_same
from bridgelaws.solving.searching import OutOfTime
from bridgelaws.solving.shrinking import shrunk
from bridgelaws.table.case import Case

# Seconds to look for a table for one clause.
PATIENCE_A_CLAUSE = 10.0


@dataclass(frozen=True)
class Witness:
    """A table, and what each of the two editions rules there."""

    case: dict[str, Any]
    before: Ruling
    after: Ruling

    def read_case(self) -> Case:
        return Case.from_data(self.case, "<witness>")

    def to_json(self) -> dict[str, Any]:
        return {"case": self.case, "before": self.before.to_json(), "after": self.after.to_json()}


@dataclass(frozen=True)
class NoWitness:
    """No table was found; `proven` if there is none within the bounds, perhaps only `together` with another clause."""

    bounds: Bounds
    proven: bool
    together: str = ""

    def __str__(self) -> str:
        if self.together:
            return f"no difference within {self.bounds}, taken together with {self.together}"
        return f"no difference within {self.bounds}" if self.proven else f"no difference found within {self.bounds}"


def find_witness(
    clause: str, changes: Mapping[str, ClauseChange], old: EditionLaw, new: EditionLaw, bounds: Bounds
) -> Witness | NoWitness:
    """A table on which the two editions rule differently because of the clause, by its id among all that changed."""
    contexts = [
        _Context(law, exchange, other)
        for law, other, exchange in zip((old, new), (new, old), _exchanges(clause, changes, old, new), strict=True)
    ]
    if not contexts[0].exchange:
        return NoWitness(bounds, proven=True)
    whole = len(contexts)
    contexts = [each for each in contexts if each.is_possible]
    until = time.monotonic() + PATIENCE_A_CLAUSE
    second_best: dict[str, Any] | None = None
    proven = False
    with suppress(OutOfTime):
        for stage in bounds.growing():
            proven = False
            ended = 0
            for table in chain.from_iterable(context.tables(stage, until) for context in contexts):
                if table is None:
                    ended += 1
                    continue
                case = _small(table, contexts, all)
                if case is not None:
                    return witness(case, old, new)
                second_best = second_best or _small(table, contexts, any)
            if second_best:
                break
            proven = ended == whole
    if second_best:
        return witness(second_best, old, new)
    return NoWitness(bounds, proven) if proven else _cancelled_out(clause, changes, old, new, bounds)


def _cancelled_out(
    clause: str, changes: Mapping[str, ClauseChange], old: EditionLaw, new: EditionLaw, bounds: Bounds
) -> NoWitness:
    """Whether another changed clause now says what this one said: exchanged together, they change nothing."""
    concluded = _concluded(exchange_for([changes[clause]], old, new)[0], old)
    until = time.monotonic() + PATIENCE_A_CLAUSE
    for other in in_effect(changes):
        forth, _ = exchange_for([changes[clause], changes[other]], old, new)
        related = other != clause and _concluded(exchange_for([changes[other]], old, new)[0], old) & concluded
        if related and concludes_the_same(old, forth, bounds, until):
            provision = changes[other].after or changes[other].before
            return NoWitness(bounds, proven=True, together=provision.number if provision else other)
    return NoWitness(bounds, proven=False)


def _concluded(exchange: Exchange, law: EditionLaw) -> set[str]:
    """The kinds that the rules of an exchange conclude or offer."""
    rules = [*(each.rule for each in exchange.coming), *(law.rules[place].rule for place in exchange.leaving)]
    return {head.kind for rule in rules for head in (*rule.then, *rule.offer)}


def _small(
    data: dict[str, Any], contexts: Sequence[_Context], enough: Callable[[Iterable[bool]], bool]
) -> dict[str, Any] | None:
    """The case made small; if it can be, with nothing left to ask."""
    vocabulary = contexts[0].law.vocabulary
    settled = shrunk(data, lambda each: enough(context.shows(each, settled=True) for context in contexts), vocabulary)
    return settled or shrunk(data, lambda each: enough(context.shows(each) for context in contexts), vocabulary)


def _exchanges(
    clause: str, changes: Mapping[str, ClauseChange], old: EditionLaw, new: EditionLaw
) -> tuple[Exchange, Exchange]:
    """The exchange of the clause there and back, each with the clauses without which its rules mean nothing there."""
    forth, back = exchange_for([changes[clause]], old, new)
    return (
        exchange_for([changes[clause], *_support(forth, changes, old, new)], old, new)[0],
        exchange_for([changes[clause], *_support(back, changes, new, old)], old, new)[1],
    )


def _support(
    exchange: Exchange, changes: Mapping[str, ClauseChange], law: EditionLaw, other: EditionLaw
) -> Iterator[ClauseChange]:
    """The changed clauses that conclude what is read after the exchange and no rule of the law then concludes."""
    staying = [rule for place, rule in enumerate(law.program.rules) if place not in exchange.leaving]
    # A rule that needs a fact of a kind to conclude another of the same kind is no beginning.
    known = {h.kind for rule in staying for h in rule.then if h.kind not in {kind for kind, _ in rule.kinds_read()}}
    read = {pattern.kind for each in exchange.coming for pattern in each.rule.when}
    read |= {head.kind for place in exchange.leaving for head in law.program.rules[place].then}
    missing = {
        kind for kind in read - known if kind in law.vocabulary.kinds and law.vocabulary[kind].source == "derived"
    }
    for place, rule in enumerate(other.program.rules):
        supporting = other.rules[place].provision.clause.id
        if supporting in changes and any(head.kind in missing for head in rule.then):
            yield changes[supporting]


@dataclass(frozen=True)
class _Context:
    """A law, the exchange that is tried in it, and the law that it is compared with."""

    law: EditionLaw
    exchange: Exchange
    other: EditionLaw

    @cached_property
    def after(self) -> EditionLaw:
        return exchanged(self.law, self.exchange)

    @property
    def is_possible(self) -> bool:
        """Whether there is such a law: rules of two editions together may need each other through an exception."""
        try:
            return bool(self.after.program.strata)
        except NotStratified:
            return False

    def tables(self, bounds: Bounds, until: float) -> Iterator[dict[str, Any] | None]:
        """A table on which the exchange matters, then one on which the other law shows it too; `None` ends them.

        A context that does not end with `None` has more tables, which were not looked at.
        """
        for other in (None, self.other):
            found = difference_search(self.law, self.exchange, bounds, other).find(until)
            yield found.case if found else None
            if found is None:
                return

    def shows(self, data: dict[str, Any], *, settled: bool = False) -> bool:
        """Whether something that the exchange gives or takes is what the other law has or has not."""
        try:
            rulings = [Lawbook(law).rule(Case.from_data(data)) for law in (self.law, self.after, self.other)]
        except BridgelawsError:
            return False
        if settled and (rulings[0].questions or rulings[2].questions):
            return False
        said = [essence(ruling) for ruling in rulings]
        return bool((said[0] ^ said[1]) & (said[0] ^ said[2]))


def witness(data: dict[str, Any], old: EditionLaw, new: EditionLaw) -> Witness:
    """The two rulings on a table, each the same on every engine."""
    case = Case.from_data(data)
    return Witness(data, replayed(old, case), replayed(new, case))


def find_witnesses(
    changes: Mapping[str, ClauseChange], clauses: Sequence[str], old: EditionLaw, new: EditionLaw, bounds: Bounds
) -> Iterator[tuple[str, Witness | NoWitness]]:
    """A witness for each clause, as they are found, on all cores: the order is not that of the clauses."""
    return in_parallel(lambda clause: (clause, find_witness(clause, changes, old, new, bounds)), clauses)


def in_effect(changes: Mapping[str, ClauseChange]) -> list[str]:
    """The clauses of which a rule came, went or changed."""
    return [clause for clause, each in changes.items() if any(not pair.same for pair in each.rules)]
