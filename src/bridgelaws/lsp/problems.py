"""What is wrong with the law, and with a case under it, while both are being written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bridgelaws.book import Lawbook
from bridgelaws.casebook.differences import disappointments
from bridgelaws.casebook.expectations import Expectation, read_expectations
from bridgelaws.errors import BridgelawsError, Diagnostic, nearest
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.warnings import law_warnings
from bridgelaws.lsp.desk import Desk, path_of
from bridgelaws.table.case import Case, case_facts, unknown_table_kinds


@dataclass(frozen=True)
class Survey:
    """A law and what is to be told of each of its files, with a lawbook for each edition that was asked for."""

    law: Law | None
    problems: dict[Path, list[Diagnostic]]
    _books: dict[str, Lawbook] = field(default_factory=dict, repr=False, compare=False)

    @property
    def sound(self) -> bool:
        return all(each.severity == "warning" for found in self.problems.values() for each in found)

    def book(self, law: Law, edition: str | None) -> Lawbook:
        name = edition or law.latest
        if name not in self._books:
            self._books[name] = Lawbook(law.edition(name))
        return self._books[name]


def survey(desk: Desk, laws: Path | None) -> Survey:
    """Read the law as it stands on the desk."""
    try:
        law, found = desk.survey(laws)
    except BridgelawsError as wrong:
        return Survey(None, _by_file(wrong.diagnostics))
    if law is not None:
        found = found or [_not_computed(law, name) for name in unknown_table_kinds(law.vocabulary)]
        found = [*found, *law_warnings(law, found)]
    return Survey(law, _by_file(found))


def case_problems(desk: Desk, path: Path, surveyed: Survey) -> list[Diagnostic]:
    """Everything wrong with a case under a law; it is ruled upon only if nothing else is wrong, nor with the law."""
    law = surveyed.law
    if law is None:
        return []
    try:
        case = Case.from_document(desk.read_case(path))
    except BridgelawsError as wrong:
        return list(wrong.diagnostics)
    problems: list[Diagnostic] = []
    expectations: tuple[Expectation, ...] = ()
    if case.edition and case.edition not in law.editions:
        hint = nearest(case.edition, law.editions)
        problems.append(case.document.problem(("edition",), f"there is no edition '{case.edition}'", hint))
    try:
        case_facts(case, law.vocabulary)
    except BridgelawsError as wrong:
        problems += wrong.diagnostics
    try:
        if "expect" in case.document.data:
            expectations = read_expectations(case.document, law)
    except BridgelawsError as wrong:
        problems += wrong.diagnostics
    if problems or not surveyed.sound:
        return sorted(problems, key=lambda each: (each.line, each.column))
    return list(_ruled(case, expectations, surveyed, law))


def _ruled(case: Case, expectations: Iterable[Expectation], surveyed: Survey, law: Law) -> Iterator[Diagnostic]:
    """A warning, since it may be the law's fault, where the ruling is not what the case expects, with the editions."""
    unmet: dict[Diagnostic, list[str]] = {}
    runs: list[tuple[str, Expectation | None]] = [(edition, each) for each in expectations for edition in each.editions]
    for edition, expectation in runs or [(case.edition or law.latest, None)]:
        try:
            ruling = surveyed.book(law, edition).rule(case)
        except BridgelawsError as wrong:
            found = list(wrong.diagnostics)
        else:
            missed = disappointments(expectation, ruling) if expectation is not None else []
            found = [case.document.problem(path, message, severity="warning") for path, message in missed]
        for problem in found:
            unmet.setdefault(problem, []).append(edition)
    for problem, editions in unmet.items():
        yield replace(problem, message=f"{problem.message} ({', '.join(dict.fromkeys(editions))})")


def _not_computed(law: Law, name: str) -> Diagnostic:
    document, path = law.places[name]
    message = f"the program does not compute the table kind '{name}' with these fields"
    hint = "a draft can add reports, not table kinds"
    return document.problem(path, message, hint, at_key=True, code="table-kind")


def _by_file(found: Iterable[Diagnostic]) -> dict[Path, list[Diagnostic]]:
    problems: dict[Path, list[Diagnostic]] = {}
    for each in found:
        problems.setdefault(path_of(each), []).append(each)
    return problems
