"""Run cases: every expectation in every edition it names, on one engine or on both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridgelaws.book import Lawbook
from bridgelaws.casebook.expectations import Expectation, disappointments, read_expectations
from bridgelaws.errors import BridgelawsError, Diagnostic, UsageError
from bridgelaws.lawbook.law import Law
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case


@dataclass(frozen=True)
class Selection:
    """Which cases to run; an empty wish selects all."""

    law: str = ""
    clause: str = ""
    edition: str = ""
    name: str = ""

    def wants(self, path: Path, case: Case, expectation: Expectation, edition: str) -> bool:
        return (
            (not self.edition or edition == self.edition)
            and (not self.name or self.name.lower() in f"{path.stem} {case.title}".lower())
            and (not self.clause or self.clause in expectation.clauses)
            and (
                not self.law
                or path.parent.name.split("-")[0] == self.law
                or any(_law(clause) == self.law for clause in expectation.clauses)
            )
        )


def _law(clause: str) -> str:
    found = re.match(r"\d+", clause)
    return found[0] if found else clause


@dataclass(frozen=True)
class CaseRun:
    """One case in one edition: what was wrong with it, if anything."""

    path: Path
    title: str
    edition: str
    problems: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


@dataclass(frozen=True)
class ReadCase:
    """A case file, or the problems that kept it from being read."""

    path: Path
    case: Case | None
    expectations: tuple[Expectation, ...]
    problems: tuple[Diagnostic, ...] = ()


def read_cases(folder: Path, law: Law) -> list[ReadCase]:
    """Every case file below a folder, or the one file named."""
    if not folder.exists():
        raise UsageError(f"there is no folder '{folder}'", "name a folder of case files")
    paths = [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.suffix in (".yaml", ".json"))
    return [_read_case(path, law) for path in paths]


def _read_case(path: Path, law: Law) -> ReadCase:
    try:
        case = Case.from_file(path)
        return ReadCase(path, case, read_expectations(case.document, law))
    except BridgelawsError as wrong:
        return ReadCase(path, None, (), wrong.diagnostics)


def run_cases(
    cases: Sequence[ReadCase], books: Sequence[Mapping[str, Lawbook]], selection: Selection
) -> Iterator[CaseRun]:
    """Run each case with every set of lawbooks; with two sets, their rulings must be the same."""
    for read in cases:
        if read.case is None:
            yield CaseRun(read.path, read.path.stem, "", read.problems)
            continue
        ruled: dict[str, Sequence[Ruling] | BridgelawsError] = {}
        for expectation in read.expectations:
            for edition in expectation.editions:
                if selection.wants(read.path, read.case, expectation, edition):
                    if edition not in ruled:
                        ruled[edition] = _rulings(read.case, [each[edition] for each in books])
                    problems = _problems(read.case, expectation, ruled[edition])
                    yield CaseRun(read.path, read.case.title or read.path.stem, edition, tuple(problems))


def _rulings(case: Case, books: Sequence[Lawbook]) -> Sequence[Ruling] | BridgelawsError:
    try:
        return [book.rule(case) for book in books]
    except BridgelawsError as wrong:
        return wrong


def _problems(
    case: Case, expectation: Expectation, rulings: Sequence[Ruling] | BridgelawsError
) -> Sequence[Diagnostic]:
    if isinstance(rulings, BridgelawsError):
        return rulings.diagnostics
    problems: list[Diagnostic] = []
    for path, message in disappointments(expectation, rulings[0]):
        problems.append(case.document.problem(path, message))
    for ruling in rulings[1:]:
        if {**ruling.to_json(), "engine": ""} != {**rulings[0].to_json(), "engine": ""}:
            message = f"{rulings[0].engine} and {ruling.engine} rule differently"
            problems.append(case.document.problem(expectation.path, message))
    return problems
