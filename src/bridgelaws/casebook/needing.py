"""Which exceptions no case needs: without one of them every case would still be ruled the same.

An exception may hold in a case and not matter there: another holds too, or another rule says the same. So each gets a
switch, a fact without which it does not hold, and a case in which it holds is ruled on again without its switch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bridgelaws.casebook.coverage import exceptions_held, in_these_laws, instrumented, names_edition, written
from bridgelaws.casebook.running import ReadCase
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.conclusions import Conclusions
from bridgelaws.engine.program import Atom, Condition, Constant, Fact, Program
from bridgelaws.errors import BridgelawsError
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.vocabulary import ASK
from bridgelaws.ruling.making import make_ruling
from bridgelaws.ruling.worlds import Worlds
from bridgelaws.table.case import Case

# With a blank in it, which no kind of a law has.
_SWITCH = "switched on"
# The place of a rule in the program, and of an exception in the rule.
Place = tuple[int, int]


@dataclass(frozen=True)
class NotNeeded:
    """An exception that no case needs: its clause, its rule and what it says."""

    number: str
    rule: str
    exception: str


def exceptions_not_needed(law: EditionLaw, cases: Iterable[ReadCase], laws: Sequence[str] = ()) -> list[NotNeeded]:
    """The exceptions that no case needs, in the order of the law; `laws` as for the coverage.

    Those of a rule that only asks are left out: a question on which nothing turns is not put in any case.
    """
    wanted = [
        (number, place)
        for number, rule in enumerate(law.program.rules)
        if in_these_laws(law.rules[number].provision.clause.id, laws)
        and not all(head.kind.startswith(ASK) for head in rule.then)
        for place in range(len(rule.unless))
    ]
    left = dict.fromkeys(wanted)
    engine = CompiledEngine(_switched(law.program, wanted), noted=True)
    for read in cases:
        if read.case is not None and names_edition(read, law.edition.name):
            for needed in _needed(law, _Switched(engine, wanted), read.case, left):
                del left[needed]
    return [
        NotNeeded(law.rules[number].number, law.rules[number].rule.name, written(law.rules[number].rule.unless[place]))
        for number, place in left
    ]


def _needed(law: EditionLaw, engine: _Switched, case: Case, among: Iterable[Place]) -> list[Place]:
    """The exceptions among these without which the case would be ruled otherwise, or not at all."""
    try:
        ruled, worlds = _ruled(law, engine, case)
    except BridgelawsError:
        return []
    held = frozenset().union(*map(exceptions_held, worlds.all))

    def is_needed(place: Place) -> bool:
        try:
            return _ruled(law, engine.without(place), case)[0] != ruled
        except BridgelawsError:
            return True

    return [place for place in among if place in held and is_needed(place)]


def _ruled(law: EditionLaw, engine: _Switched, case: Case) -> tuple[dict[str, Any], Worlds]:
    ruling, worlds = make_ruling(law, engine, "", case)
    return ruling.to_json(), worlds


def _switched(program: Program, wanted: Sequence[Place]) -> Program:
    """The program in which each of these exceptions has a switch, and which says where one holds."""
    rules = list(program.rules)
    for number, place in wanted:
        unless = list(rules[number].unless)
        switch = Atom(_SWITCH, (Constant(number), Constant(place)))
        unless[place] = Condition((*unless[place].atoms, switch), unless[place].tests)
        rules[number] = replace(rules[number], unless=tuple(unless))
    told = instrumented(program, {number for number, _ in wanted})
    columns = {**told.columns, _SWITCH: ("rule", "exception")}
    return Program(columns, (*rules, *told.rules[len(rules) :]))


@dataclass(frozen=True)
class _Switched:
    """Runs the program with all switches on but perhaps one."""

    engine: CompiledEngine
    places: Sequence[Place]
    off: Place | None = None

    @property
    def program(self) -> Program:
        return self.engine.program

    def without(self, place: Place) -> _Switched:
        return replace(self, off=place)

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        return self.engine.run([*facts, *self._switches()])

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        return self.engine.beside([*facts, *self._switches()])

    def _switches(self) -> Iterator[Fact]:
        return (Fact(_SWITCH, each) for each in self.places if each != self.off)
