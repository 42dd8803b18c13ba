"""Whether two versions of a law give the same rulings: a table on which they do not, or the word that there is none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bridgelaws.compare.diff import clause_changes
from bridgelaws.errors import EngineError
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import Exchange, difference_search, exchange_for
from bridgelaws.solving.replaying import rule_differently, table_of
from bridgelaws.solving.said import Said
from bridgelaws.solving.sameness import concludes_the_same
from bridgelaws.solving.searching import OutOfTime, clock
from bridgelaws.solving.shrinking import shrunk
from bridgelaws.solving.witnesses import NoWitness, Witness, witness
from bridgelaws.table.case import Case

# Seconds for the whole difference of two laws, and for the quick proof that there is none.
PATIENCE_FOR_SAME = 60.0
PATIENCE_FOR_A_PROOF = 20.0


def same_rulings(old: EditionLaw, new: EditionLaw, bounds: Bounds, cases: Iterable[Case] = ()) -> Witness | NoWitness:
    """A table on which two versions of the law rule differently, or the word that there is none within the bounds.

    The cases at hand are tried first: each of them is a table that somebody thought of.
    """
    forth, _ = exchange_for(clause_changes(old, new).values(), old, new)
    if not forth:
        return NoWitness(bounds, proven=True)
    found = known_difference(Said(old), forth, new, map(table_of, cases))
    if found is not None:
        return witness(found, old, new)
    until = clock() + PATIENCE_FOR_SAME
    if concludes_the_same(old, forth, bounds, clock() + PATIENCE_FOR_A_PROOF):
        return NoWitness(bounds, proven=True)
    for stage in bounds.growing():
        try:
            table = difference_search(old, forth, stage).find(until)
        except OutOfTime:
            return NoWitness(bounds, proven=False)
        if table is not None:
            case = shrunk(table.case, lambda data: rule_differently(old, new, data), old.vocabulary)
            if case is None:
                raise EngineError(
                    f"the solver finds a difference, and the engine does not, on this table: {table.case}"
                )
            return witness(case, old, new)
    return NoWitness(bounds, proven=True)


def known_difference(
    old: Said, exchange: Exchange, new: EditionLaw, tables: Iterable[dict[str, Any]]
) -> dict[str, Any] | None:
    """The first of the tables on which the exchange, which makes the new law of the old, changes the ruling."""
    after = Said(new)
    for table in tables:
        if old.is_near(table, exchange):
            before, then = old.on(table), after.on(table)
            if before and then and before.essence != then.essence:
                return table
    return None
