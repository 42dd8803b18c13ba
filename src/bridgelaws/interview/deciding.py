"""In which order to ask: the question first that leaves least to be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, cast

from bridgelaws.book import Lawbook
from bridgelaws.interview.record import Record
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.ruling.making import make_ruling
from bridgelaws.ruling.ruling import Question, Ruling
from bridgelaws.ruling.worlds import Gap, Worlds, explore
from bridgelaws.table.case import Case, case_facts

NAME = "the interview"
MOST_REMEMBERED = 500


@dataclass(frozen=True)
class Situation:
    """The ruling on what is on record, and the questions that it turns on, in the order to ask them.

    `worlds` counts the ways to answer whatever is open, whether or not the ruling turns on it.
    """

    ruling: Ruling
    questions: tuple[Question, ...]
    worlds: int


@dataclass(frozen=True)
class Rulings:
    """Rules on what is on record, and remembers it: going back and forth, the same is asked for again and again."""

    book: Lawbook
    _known: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)

    def situation(self, record: Record) -> Situation:
        return cast(Situation, self._remembered("situation", record, self._situation))

    def outcomes(self, record: Record) -> frozenset[object]:
        """Every ruling that is still possible."""
        return cast("frozenset[object]", self._remembered("outcomes", record, self._outcomes))

    def _remembered(self, what: str, record: Record, made: Callable[[Case], object]) -> object:
        key = (what, json.dumps(record.case_data(), sort_keys=True))
        if key not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = made(Case.from_data(record.case_data(), NAME))
        return self._known[key]

    def _situation(self, case: Case) -> Situation:
        ruling, worlds = make_ruling(self.book.law, self.book.engine, self.book.engine_name, case)
        return Situation(ruling, soonest_settled(ruling, worlds, self.book.law.vocabulary), len(worlds.all))

    def _outcomes(self, case: Case) -> frozenset[object]:
        facts = case_facts(case, self.book.law.vocabulary)
        return frozenset(world.rulings for world in explore(self.book.engine, facts, self.book.law.vocabulary).all)


def soonest_settled(ruling: Ruling, worlds: Worlds, vocabulary: Vocabulary) -> tuple[Question, ...]:
    """The questions, those first that settle the ruling soonest.

    A question counts by the number of different rulings that are still possible once it is answered, on average over
    its answers: one whose every answer leaves a single ruling counts 1, and nothing more need be asked after it. Where
    two count the same, a fact comes before the Director's judgement, and then the order of the ruling decides. A field
    with too many values to try them all comes first: until it is told, nothing can be foreseen.
    """
    gaps = (*worlds.deciding, *worlds.missing)
    asked = list(zip(ruling.questions, gaps, strict=True))
    asked.sort(key=lambda each: (_left_open(each[1], worlds, vocabulary), each[0].judgement))
    return tuple(question for question, _ in asked)


def _left_open(gap: Gap, worlds: Worlds, vocabulary: Vocabulary) -> float:
    if gap in worlds.missing:
        return 0.0
    domain = vocabulary[gap.kind].fields[gap.field].type.domain
    return fmean(len({world.rulings for world in worlds.after(gap, value)}) for value in domain)
