"""What a law says on the tables at hand, each of which it rules on once, and which of them an exchange may touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.errors import BridgelawsError
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.ruling.making import make_ruling
from bridgelaws.solving.differing import Exchange
from bridgelaws.solving.replaying import essence, questions
from bridgelaws.table.case import Case


@dataclass(frozen=True)
class Spoken:
    """What a law says on a table, what it asks there, which of its rules fired, and the kinds of all that is so."""

    essence: frozenset[object]
    asked: frozenset[object]
    fired: frozenset[int]
    kinds: frozenset[str]


class Said:
    """What a law says on tables, each of which it rules on once."""

    def __init__(self, law: EditionLaw) -> None:
        self.law = law
        self._on: dict[str, Spoken | None] = {}

    def on(self, table: dict[str, Any]) -> Spoken | None:
        """What the law says there; `None` if it cannot rule there."""
        key = repr(table)
        if key not in self._on:
            try:
                self._on[key] = self._spoken(Case.from_data(table))
            except BridgelawsError:
                self._on[key] = None
        return self._on[key]

    def is_near(self, table: dict[str, Any], exchange: Exchange) -> bool:
        """Whether the exchange may change something there: a rule that leaves fires, or one that comes in could."""
        spoken = self.on(table)
        if spoken is None:
            return False
        # INVARIANT: nothing is concluded otherwise than now before an exchanged rule has fired or failed to.
        return not spoken.fired.isdisjoint(exchange.leaving) or any(
            all(pattern.kind in spoken.kinds for pattern in each.rule.when) for each in exchange.coming
        )

    def _spoken(self, case: Case) -> Spoken:
        book = Lawbook(self.law)
        ruling, worlds = make_ruling(self.law, book.engine, book.engine_name, case)
        kinds = frozenset(kind for world in worlds.all for kind in world.conclusions.facts)
        return Spoken(essence(ruling), questions(ruling), worlds.rules_fired(), kinds)
