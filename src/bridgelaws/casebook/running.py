"""Run cases: every expectation in every edition it names, on one engine or on both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.casebook.differences import Difference, differences
from bridgelaws.casebook.expectations import Expectation, read_expectations
from bridgelaws.casebook.explaining import Explainer
from bridgelaws.errors import BridgelawsError, Diagnostic, UsageError
from bridgelaws.lawbook.law import Law
from bridgelaws.ruling.making import make_ruling
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
class Failure:
    """Something wrong with a case, or with its ruling: then with what was expected, what came, and because of what."""

    problem: Diagnostic
    expected: str = ""
    got: str = ""
    because: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.problem)

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {**self.problem.to_json()}
        return told | {"expected": self.expected, "got": self.got, "because": list(self.because)}


@dataclass(frozen=True)
class CaseRun:
    """One case in one edition: what was wrong with it, if anything."""

    path: Path
    title: str
    edition: str
    problems: tuple[Failure, ...]

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
            yield CaseRun(read.path, read.path.stem, "", tuple(map(Failure, read.problems)))
            continue
        ruled: dict[str, Sequence[Ruling] | BridgelawsError] = {}
        for expectation in read.expectations:
            for edition in expectation.editions:
                if selection.wants(read.path, read.case, expectation, edition):
                    if edition not in ruled:
                        ruled[edition] = _rulings(read.case, [each[edition] for each in books])
                    title = read.case.title or read.path.stem
                    problems = _problems(read.case, expectation, ruled[edition], books[0][edition])
                    yield CaseRun(read.path, title, edition, tuple(problems))


def _rulings(case: Case, books: Sequence[Lawbook]) -> Sequence[Ruling] | BridgelawsError:
    try:
        return [book.rule(case) for book in books]
    except BridgelawsError as wrong:
        return wrong


def _problems(
    case: Case, expectation: Expectation, rulings: Sequence[Ruling] | BridgelawsError, book: Lawbook
) -> list[Failure]:
    if isinstance(rulings, BridgelawsError):
        return [Failure(each) for each in rulings.diagnostics]
    problems = list(_explained(case, differences(expectation, rulings[0]), book))
    for ruling in rulings[1:]:
        if {**ruling.to_json(), "engine": ""} != {**rulings[0].to_json(), "engine": ""}:
            message = f"{rulings[0].engine} and {ruling.engine} rule differently"
            problems.append(Failure(case.document.problem(expectation.path, message)))
    return problems


def _explained(case: Case, found: Sequence[Difference], book: Lawbook) -> Iterator[Failure]:
    """Each difference with its reasons; a case that passes does not pay for them."""
    if not found:
        return
    _, worlds = make_ruling(book.law, book.engine, book.engine_name, case)
    explainer = Explainer(book.law, worlds)
    for each in found:
        problem = case.document.problem(each.path, each.message)
        yield Failure(problem, each.expected, each.got, explainer.because(each))
