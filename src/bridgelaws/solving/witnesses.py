"""A table on which two editions rule differently because of one clause, as small as can be; or the word that none is.

"Because of the clause": the ruling changes when this clause alone is exchanged, if it can be in both editions, else
in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, product
from typing import Any

from bridgelaws.compare.diff import ClauseChange
from bridgelaws.engine.stratify import NotStratified
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.solving.beforehand import found_beforehand, is_as_it_was, tables_beforehand
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import Exchange, difference_search, exchange_for, exchanged
from bridgelaws.solving.parallel import in_parallel
from bridgelaws.solving.replaying import replayed, table_of
from bridgelaws.solving.said import Said, Spoken
from bridgelaws.solving.sameness import concludes_the_same
from bridgelaws.solving.searching import OutOfTime, clock
from bridgelaws.solving.shrinking import is_within, shrunk, size
from bridgelaws.table.case import Case

# Seconds to look for a table for one clause.
PATIENCE_A_CLAUSE = 10.0
# Seconds to prove that there is none.
PATIENCE_FOR_A_PROOF = 60.0
# Known tables that are made small to find the smallest.
MOST_MADE_SMALL = 5


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
    """No table was found; `proven` if there is none within the bounds, perhaps only in one `sense`."""

    bounds: Bounds
    proven: bool
    sense: str = ""

    def __str__(self) -> str:
        return f"no difference {'' if self.proven else 'found '}within {self.bounds}{self.sense}"


class Known:
    """Two laws, what they say, and the tables to try besides those that a solver finds: the cases at hand."""

    def __init__(self, old: EditionLaw, new: EditionLaw, cases: Iterable[Case] = ()) -> None:
        self.old, self.new, self._cases = Said(old), Said(new), cases

    @cached_property
    def tables(self) -> list[dict[str, Any]]:
        """Those on which the two laws do not rule or ask the same, the smallest first."""
        return sorted((each for each in map(table_of, self._cases) if self._is_ruled_differently(each)), key=size)

    def look_through(self) -> None:
        """Rule on all of them now."""
        len(self.tables)

    def _is_ruled_differently(self, table: dict[str, Any]) -> bool:
        old, new = self.old.on(table), self.new.on(table)
        return old is not None and new is not None and (old.essence, old.asked) != (new.essence, new.asked)


def find_witness(
    clause: str,
    changes: Mapping[str, ClauseChange],
    old: EditionLaw,
    new: EditionLaw,
    bounds: Bounds,
    known: Known | None = None,
    *,
    anew: bool = False,
) -> Witness | NoWitness:
    """A table on which the two editions rule differently because of the clause, by its id among all that changed.

    What was found before counts, then the cases at hand, then what a solver finds; a search made `anew` takes the
    smallest of these two. Where only what is asked differs, a case at hand may show it. At last comes a proof that
    there is no such table.
    """
    known = known or Known(old, new)
    kept = None if anew else kept_witness(clause, changes, known, bounds)
    if kept is not None:
        return kept
    contexts = _contexts(clause, changes, known)
    if not contexts[0].exchange:
        return NoWitness(bounds, proven=True)
    at_hand = _smallest_known(contexts, known)
    searched = _searched(contexts, bounds) if anew or at_hand is None else None
    tables = [each for each in (at_hand, searched) if isinstance(each, dict)]
    asking = [each.by_questions() for each in contexts]
    found = min(tables, key=size) if tables else _smallest_known(asking, known) or searched
    if isinstance(found, dict):
        return witness(found, old, new)
    return found or _proven(clause, changes, old, new, bounds)


def kept_witness(
    clause: str, changes: Mapping[str, ClauseChange], known: Known, bounds: Bounds
) -> Witness | NoWitness | None:
    """What was found for the clause before, as far as it still holds."""
    found = _found_beforehand(clause, _contexts(clause, changes, known), bounds)
    return witness(found, known.old.law, known.new.law) if isinstance(found, dict) else found


def _contexts(clause: str, changes: Mapping[str, ClauseChange], known: Known) -> tuple[_Context, _Context]:
    """The old law with the clause of the new one, and the other way round."""
    forth, back = _exchanges(clause, changes, known.old.law, known.new.law)
    return _Context(known.old, forth, known.new), _Context(known.new, back, known.old)


def _found_beforehand(clause: str, contexts: Sequence[_Context], bounds: Bounds) -> dict[str, Any] | NoWitness | None:
    """The table that was found for this clause, if it still shows the difference; or the proof that there is none."""
    possible = [each for each in contexts if each.is_possible]
    # What was kept for the usual bounds may be a case at hand, which is as large as it is.
    tables = [each for each in tables_beforehand(clause) if bounds == Bounds() or is_within(each, bounds)]
    for looking, enough in product((possible, [each.by_questions() for each in possible]), (all, any)):
        for table in tables:
            if looking and enough(context.shows(table) for context in looking):
                return table
    old, new = (each.said.law for each in contexts)
    if bounds == Bounds() and is_as_it_was(old, new):
        kept = (found_beforehand(old.edition.name, new.edition.name) or {}).get(clause, {})
        return NoWitness(bounds, kept["proven"], kept["sense"]) if "proven" in kept else None
    return None


def _searched(contexts: Sequence[_Context], bounds: Bounds) -> dict[str, Any] | NoWitness | None:
    """The smallest table that a solver finds, or its word that there is none; `None` if it runs out of time."""
    possible = [each for each in contexts if each.is_possible]
    until = clock() + PATIENCE_A_CLAUSE
    second_best: dict[str, Any] | None = None
    with suppress(OutOfTime):
        for stage in bounds.growing():
            ended = 0
            for table in chain.from_iterable(context.tables(stage, until) for context in possible):
                if table is None:
                    ended += 1
                    continue
                case = _small(table, possible, all)
                if case is not None:
                    return case
                second_best = second_best or _small(table, possible, any)
            if second_best:
                return second_best
        return NoWitness(bounds, proven=True) if ended == len(contexts) else None
    return second_best


def _smallest_known(contexts: Sequence[_Context], known: Known) -> dict[str, Any] | None:
    """The smallest that can be made of a known table, from those that show the difference best."""
    possible = [each for each in contexts if each.is_possible]
    near = [each for each in known.tables if any(context.is_near(each) for context in contexts)]
    for enough in (all, any) if possible else ():
        showing = (each for each in near if enough(context.shows(each) for context in possible))
        made = [case for each in islice(showing, MOST_MADE_SMALL) if (case := _small(each, possible, enough))]
        if made:
            return min(made, key=size)
    return None


def _proven(
    clause: str, changes: Mapping[str, ClauseChange], old: EditionLaw, new: EditionLaw, bounds: Bounds
) -> NoWitness:
    """That the clause of one edition, put into the other, changes no conclusion there: it has it already."""
    for law, exchange in zip((old, new), exchange_for([changes[clause]], old, new), strict=True):
        if concludes_the_same(law, exchange, bounds, clock() + PATIENCE_FOR_A_PROOF):
            return NoWitness(bounds, proven=True, sense=f": exchanged in {law.edition.name}, it changes nothing there")
    return NoWitness(bounds, proven=False)


def _small(
    data: dict[str, Any], contexts: Sequence[_Context], enough: Callable[[Iterable[bool]], bool]
) -> dict[str, Any] | None:
    """The case made small; if it can be, with nothing left to ask."""
    vocabulary = contexts[0].said.law.vocabulary
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


class _Context:
    """A law, the exchange that is tried in it, and the law that it is compared with."""

    def __init__(self, said: Said, exchange: Exchange, other: Said) -> None:
        self.said, self.exchange, self.other = said, exchange, other
        self.asking = False

    def by_questions(self) -> _Context:
        """The same, compared by what is asked instead of what is ruled."""
        asking = copy(self)
        asking.asking = True
        return asking

    @cached_property
    def after(self) -> Said:
        return Said(exchanged(self.said.law, self.exchange))

    @property
    def is_possible(self) -> bool:
        """Whether there is such a law: rules of two editions together may need each other through an exception."""
        try:
            return bool(self.after.law.program.strata)
        except NotStratified:
            return False

    def tables(self, bounds: Bounds, until: float) -> Iterator[dict[str, Any] | None]:
        """A table on which the exchange matters, then one on which the other law shows it too; `None` ends them.

        A context that does not end with `None` has more tables, which were not looked at.
        """
        for other in (None, self.other.law):
            found = difference_search(self.said.law, self.exchange, bounds, other).find(until)
            yield found.case if found else None
            if found is None:
                return

    def is_near(self, data: dict[str, Any]) -> bool:
        """Whether a rule that is exchanged may fire here."""
        return self.said.is_near(data, self.exchange)

    def shows(self, data: dict[str, Any], *, settled: bool = False) -> bool:
        """Whether something that the exchange gives or takes is what the other law has or has not."""
        before, other = self.said.on(data), self.other.on(data)
        if before is None or other is None or (settled and (before.asked or other.asked)):
            return False
        apart = self._of(before) ^ self._of(other)
        after = self.after.on(data) if apart else None
        return after is not None and bool((self._of(before) ^ self._of(after)) & apart)

    def _of(self, spoken: Spoken) -> frozenset[object]:
        return spoken.asked if self.asking else spoken.essence


def witness(data: dict[str, Any], old: EditionLaw, new: EditionLaw) -> Witness:
    """The two rulings on a table, each the same on every engine."""
    case = Case.from_data(data)
    return Witness(data, replayed(old, case), replayed(new, case))


def find_witnesses(
    changes: Mapping[str, ClauseChange],
    clauses: Sequence[str],
    old: EditionLaw,
    new: EditionLaw,
    bounds: Bounds,
    cases: Iterable[Case] = (),
    *,
    anew: bool = False,
) -> Iterator[tuple[str, Witness | NoWitness]]:
    """A witness for each clause, as they are found, on all cores: the order is not that of the clauses."""
    known = Known(old, new, cases)
    unknown = list(clauses) if anew else []
    if not anew:
        kept = in_parallel(lambda clause: (clause, kept_witness(clause, changes, known, bounds)), clauses)
        for clause, found in kept:
            if found is None:
                unknown.append(clause)
            else:
                yield clause, found
    if unknown:
        # Before the work is shared out, so that the cases are ruled on once.
        known.look_through()
    yield from in_parallel(
        lambda clause: (clause, find_witness(clause, changes, old, new, bounds, known, anew=anew)), unknown
    )


def in_effect(changes: Mapping[str, ClauseChange]) -> list[str]:
    """The clauses of which a rule came, went or changed."""
    return [clause for clause, each in changes.items() if any(not pair.same for pair in each.rules)]
