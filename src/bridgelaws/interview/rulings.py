"""The rulings on what is on record, each made once: going back and forth, the same one is wanted again and again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from bridgelaws.book import Lawbook
from bridgelaws.interview.deciding import soonest_settled
from bridgelaws.interview.record import Record
from bridgelaws.ruling.making import make_ruling
from bridgelaws.ruling.ruling import Question, Ruling
from bridgelaws.ruling.worlds import explore
from bridgelaws.table.case import Case, case_facts

Made = TypeVar("Made")
Outcomes = frozenset[object]

MOST_REMEMBERED = 500


@dataclass(frozen=True)
class Situation:
    """The ruling on what is on record, and the questions that it turns on, in the order to ask them.

    `worlds` counts the ways to answer whatever is open, whether or not the ruling turns on it; `kinds` are those of
    which something is so in each of them.
    """

    ruling: Ruling
    questions: tuple[Question, ...]
    worlds: int
    kinds: frozenset[str]


@dataclass(frozen=True)
class Rulings:
    """Rules on what is on record, and remembers it."""

    book: Lawbook
    _situations: dict[str, Situation] = field(default_factory=dict, repr=False, compare=False)
    _outcomes: dict[str, Outcomes] = field(default_factory=dict, repr=False, compare=False)

    def situation(self, record: Record) -> Situation:
        return _remembered(self._situations, record, self._make_situation)

    def outcomes(self, record: Record) -> Outcomes:
        """Every ruling that is still possible."""
        return _remembered(self._outcomes, record, self._find_outcomes)

    def _make_situation(self, case: Case) -> Situation:
        ruling, worlds = make_ruling(self.book.law, self.book.engine, self.book.engine_name, case)
        questions = soonest_settled(ruling, worlds, self.book.law.vocabulary)
        kinds = frozenset.intersection(*(frozenset(world.conclusions.facts) for world in worlds.all))
        return Situation(ruling, questions, len(worlds.all), kinds)

    def _find_outcomes(self, case: Case) -> Outcomes:
        facts = case_facts(case, self.book.law.vocabulary)
        return frozenset(world.rulings for world in explore(self.book.engine, facts, self.book.law.vocabulary).all)


def case_on_record(record: Record) -> Case:
    """The case as it is told so far; a `CaseError` if its table cannot be."""
    return Case.from_data(record.case_data(), "the interview")


def _remembered(known: dict[str, Made], record: Record, made: Callable[[Case], Made]) -> Made:
    key = json.dumps(record.case_data(), sort_keys=True)
    if key not in known:
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        known[key] = made(case_on_record(record))
    return known[key]
