"""Which rules the cases fire, which exceptions they exercise, and what no case reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bridgelaws.casebook.running import ReadCase
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.program import Condition, Head, Program, Rule
from bridgelaws.errors import BridgelawsError
from bridgelaws.lawbook.clauses import Pattern
from bridgelaws.lawbook.law import EditionLaw, Law
from bridgelaws.ruling.worlds import World, explore
from bridgelaws.table.case import case_facts

Item = TypeVar("Item")


@dataclass(frozen=True)
class ExceptionCoverage:
    """The runs in which an exception blocked its rule, by the paths of their cases."""

    text: str
    cases: tuple[Path, ...]

    @property
    def held(self) -> int:
        return len(self.cases)


@dataclass(frozen=True)
class RuleCoverage:
    """The runs that fired a rule, by the paths of their cases, and for each exception those in which it blocked it."""

    clause: str
    number: str
    rule: str
    cases: tuple[Path, ...]
    exceptions: tuple[ExceptionCoverage, ...]

    @property
    def fired(self) -> int:
        return len(self.cases)

    def to_json(self) -> dict[str, Any]:
        exceptions = [{"unless": each.text, "held": each.held} for each in self.exceptions]
        return {
            "clause": self.clause,
            "number": self.number,
            "rule": self.rule,
            "fired": self.fired,
            "exceptions": exceptions,
        }


@dataclass(frozen=True)
class EditionCoverage:
    edition: str
    rules: tuple[RuleCoverage, ...]
    without_rules: tuple[tuple[str, str], ...]
    absent: tuple[tuple[str, str], ...]
    clauses_without_rules: tuple[str, ...] = ()

    @property
    def fired_percent(self) -> float:
        return _percent(sum(each.fired > 0 for each in self.rules), len(self.rules))

    @property
    def exceptions_percent(self) -> float:
        exceptions = [exception for each in self.rules for exception in each.exceptions]
        return _percent(sum(each.held > 0 for each in exceptions), len(exceptions))

    def to_json(self) -> dict[str, Any]:
        return {
            "fired_percent": self.fired_percent,
            "exceptions_percent": self.exceptions_percent,
            "rules": [each.to_json() for each in self.rules],
            "without_rules": [{"number": number, "reason": reason} for number, reason in self.without_rules],
            "absent": [{"clause": clause, "reason": reason} for clause, reason in self.absent],
        }


def _percent(part: int, whole: int) -> float:
    return 100.0 if whole == 0 else round(100 * part / whole, 1)


def measure_coverage(
    law: Law, cases: Sequence[ReadCase], laws: Sequence[str] = (), editions: Sequence[str] = ()
) -> list[EditionCoverage]:
    """The coverage of each edition, or of these, by the cases that name it.

    `laws` keeps only clauses of these laws, such as `50`, or with these names, such as `50-penalty-card/C-minor`.
    """
    return [_edition_coverage(law, name, cases, laws) for name in editions or law.editions]


def _edition_coverage(law: Law, name: str, cases: Sequence[ReadCase], laws: Sequence[str]) -> EditionCoverage:
    edition = law.edition(name)
    fired: dict[int, list[Path]] = {}
    held: dict[tuple[int, int], list[Path]] = {}
    wanted = {place for place, each in enumerate(edition.rules) if in_these_laws(each.provision.clause.id, laws)}
    engine = CompiledEngine(instrumented(edition.program, wanted), noted=True)
    for path, worlds in _runs(edition, engine, cases):
        for rule in _in_all([world.conclusions.derivations.all_rules() for world in worlds]):
            fired.setdefault(rule, []).append(path)
        for exception in _in_all([exceptions_held(world) for world in worlds]):
            held.setdefault(exception, []).append(path)
    rules = tuple(
        RuleCoverage(
            each.provision.clause.id,
            each.number,
            each.rule.name,
            tuple(fired.get(number, ())),
            tuple(
                ExceptionCoverage(written(patterns), tuple(held.get((number, place), ())))
                for place, patterns in enumerate(each.rule.unless)
            ),
        )
        for number, each in enumerate(edition.rules)
        if number in wanted
    )
    idle = [each for each in edition.provisions if each.version.no_rules and in_these_laws(each.clause.id, laws)]
    without = tuple((each.number, each.version.no_rules) for each in idle)
    present = {each.clause.id for each in edition.provisions}
    absent = tuple(
        (clause.id, _absence(clause.versions[0].since, name, law))
        for clause in law.clauses
        if clause.id not in present and in_these_laws(clause.id, laws)
    )
    return EditionCoverage(name, rules, without, absent, tuple(each.clause.id for each in idle))


def _absence(since: str, edition: str, law: Law) -> str:
    return f"new in {since}" if edition in law.editions[since].line else "repealed by then"


def in_these_laws(clause_id: str, laws: Sequence[str]) -> bool:
    """Whether the clause is of one of these laws, or one of these; any is where none is named."""
    return not laws or clause_id.split("-")[0] in laws or clause_id in laws


def written(patterns: Sequence[Pattern]) -> str:
    """An exception in a few words."""
    return " and ".join(pattern.kind for pattern in patterns)


def _runs(
    edition: EditionLaw, engine: CompiledEngine, cases: Sequence[ReadCase]
) -> Iterator[tuple[Path, Sequence[World]]]:
    for read in cases:
        if read.case is not None and names_edition(read, edition.edition.name):
            try:
                yield read.path, explore(engine, case_facts(read.case, edition.vocabulary), edition.vocabulary).all
            except BridgelawsError:
                continue


def names_edition(read: ReadCase, edition: str) -> bool:
    """Whether the case expects something in the edition."""
    return any(edition in each.editions for each in read.expectations)


def _in_all(sets: Sequence[frozenset[Item]]) -> frozenset[Item]:
    return frozenset.intersection(*sets)


def instrumented(program: Program, wanted: Collection[int]) -> Program:
    """The program with one more rule an exception of these rules, which fires where the exception blocks its rule."""
    columns = dict(program.columns)
    watchers: list[Rule] = []
    for number in wanted:
        rule = program.rules[number]
        for place, exception in enumerate(rule.unless):
            kind = _held_kind(number, place)
            columns[kind] = ()
            when = Condition(rule.when.atoms + exception.atoms, rule.when.tests + exception.tests)
            watchers.append(Rule(kind, rule.variables, 0, when, (), (Head(kind, ()),)))
    return Program(columns, (*program.rules, *watchers))


def _held_kind(number: int, place: int) -> str:
    return f"held {number} {place}"


def exceptions_held(world: World) -> frozenset[tuple[int, int]]:
    """The exceptions that blocked their rules, by the place of the rule and of the exception in it."""
    kinds = (kind.split() for kind in world.conclusions.facts if kind.startswith("held "))
    return frozenset((int(number), int(place)) for _, number, place in kinds)
