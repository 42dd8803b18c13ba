"""Which clauses no case reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bridgelaws.casebook.running import ReadCase
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.errors import BridgelawsError, Diagnostic
from bridgelaws.lawbook.clauses import Version
from bridgelaws.lawbook.law import EditionLaw, Law
from bridgelaws.lawbook.sources import file_order
from bridgelaws.ruling.worlds import explore
from bridgelaws.table.case import Case, case_facts


def unreached_clauses(law: Law, cases: Sequence[ReadCase]) -> list[Diagnostic]:
    """A warning for every version of a clause of which no case fires a rule, in any edition that has it."""
    unreached = {id(version): version for clause in law.clauses for version in clause.versions if version.rules}
    for name in law.editions:
        edition = law.edition(name)
        for fired in _rules_fired(edition, cases, unreached):
            for rule in fired:
                unreached.pop(id(edition.rules[rule].provision.version), None)
    return file_order(_warning(version) for version in unreached.values())


def _warning(version: Version) -> Diagnostic:
    message = f"no case reaches {version.number} as it is since {version.since}"
    hint = "write a case that expects it"
    path = (*version.path, "number")
    return version.document.problem(path, message, hint, code="no-case-reaches", severity="warning")


def _rules_fired(
    edition: EditionLaw, cases: Sequence[ReadCase], unreached: dict[int, Version]
) -> Iterator[frozenset[int]]:
    """For each case of the edition, the rules that fire in it; for as long as some clause is still unreached."""
    engine = CompiledEngine(edition.program, noted=True)
    versions = {id(each.version): each.number for each in edition.provisions}
    waiting = [(case, clauses) for case, clauses in _cases_of(edition.edition.name, cases)]
    while wanted := {versions[each] for each in unreached.keys() & versions.keys()}:
        # Those that expect such a clause are the likeliest to reach it.
        place = next((place for place, (_, clauses) in enumerate(waiting) if clauses & wanted), 0)
        if not waiting:
            return
        case, _ = waiting.pop(place)
        try:
            worlds = explore(engine, case_facts(case, edition.vocabulary), edition.vocabulary).all
        except BridgelawsError:
            continue
        yield frozenset.intersection(*(world.conclusions.derivations.all_rules() for world in worlds))


def _cases_of(edition: str, cases: Sequence[ReadCase]) -> Iterator[tuple[Case, set[str]]]:
    for read in cases:
        expected = [each for each in read.expectations if edition in each.editions]
        if read.case is not None and expected:
            yield read.case, {clause for each in expected for clause in each.clauses}
