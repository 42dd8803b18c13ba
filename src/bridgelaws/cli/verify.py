"""`bridgelaws verify`: does the law contradict itself, leave an incident without a ruling, or have dead rules?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json, with_progress
from bridgelaws.cli.test import CASES
from bridgelaws.cli.witnessing import Cards, Reports
from bridgelaws.solving.bounds import Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bridgelaws.lawbook.law import EditionLaw, Law
    from bridgelaws.solving.verifying import Checked, Problem
    from bridgelaws.table.case import Case

NAME = "verify"
DEFAULTS = Bounds()


def run(
    edition: Annotated[
        str | None, typer.Argument(help="An edition; by default the latest.", show_default=False)
    ] = None,
    same: Annotated[
        str | None,
        typer.Option("--same", help="Another edition: does it give the same rulings?", show_default=False),
    ] = None,
    laws: Laws = None,
    cases: Annotated[
        Path, typer.Option("--cases", help="Cases to try first, and whose rules need no search: a case fires them.")
    ] = CASES,
    cards: Cards = DEFAULTS.cards,
    reports: Reports = DEFAULTS.reports,
    format: Formatted = Format.text,
) -> None:
    """Search all tables within bounds for what is wrong with a law.

    Two findings that contradict each other, a player without a legal card, an incident without a ruling, rules that can
    never fire and exceptions that can never hold: each with the smallest table that shows it. With --same, a table on
    which the two editions give different rulings, or the word that there is none within the bounds; --laws lays a draft
    over the second one, so "verify 2017 --same 2017 --laws DRAFT" compares a draft with the law as it is
    (docs/verification.md). What the law's own editions.yaml lists as open is told with its reason and is no problem.
    """
    from bridgelaws.lawbook.law import load_law

    bounds = Bounds(cards, reports)
    law = load_law(laws)
    if same is not None:
        _same(load_law().edition(edition), law.edition(same), _read(cases), bounds, format)
        return
    _verify(law, law.edition(edition), _covered(law.edition(edition), cases, laws), bounds, format)


def _read(cases: Path) -> Iterator[Case]:
    """The cases at hand that can be read; what is wrong with the others is for `bridgelaws test` to tell."""
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.lawbook.law import load_law

    if cases.exists():
        yield from (each.case for each in read_cases(cases, load_law()) if each.case)


def _same(old: EditionLaw, new: EditionLaw, cases: Iterator[Case], bounds: Bounds, format: Format) -> None:
    from bridgelaws.solving.telling import told
    from bridgelaws.solving.verifying import same_rulings
    from bridgelaws.solving.witnesses import NoWitness

    found = same_rulings(old, new, bounds, cases)
    if format is Format.json:
        told_apart = None if isinstance(found, NoWitness) else found.to_json()
        show_json({"format": 1, "same": isinstance(found, NoWitness) and found.proven, "witness": told_apart})
    elif isinstance(found, NoWitness):
        show(str(found), "passed" if found.proven else "failed")
    else:
        labels = [old.edition.name, new.edition.name]
        labels[1] += " as drafted" if labels[0] == labels[1] else ""
        rulings = dict(zip(labels, (found.before, found.after), strict=True))
        for line in told(found.read_case(), rulings, new.vocabulary):
            show(line)
    if not (isinstance(found, NoWitness) and found.proven):
        raise typer.Exit(1)


def _covered(law: EditionLaw, cases: Path, laws: Path | None) -> set[tuple[int, int | None]]:
    """The rules that a case fires, and their exceptions that a case meets, by their places."""
    from bridgelaws.casebook.coverage import measure_coverage
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.lawbook.law import load_law

    if not cases.exists():
        return set()
    whole = load_law(laws)
    measured = next(
        each for each in measure_coverage(whole, read_cases(cases, whole)) if each.edition == law.edition.name
    )
    covered: set[tuple[int, int | None]] = set()
    for place, rule in enumerate(measured.rules):
        covered |= {(place, None)} if rule.fired else set()
        covered |= {(place, number) for number, each in enumerate(rule.exceptions) if each.held}
    return covered


def _verify(
    law: Law, edition: EditionLaw, covered: set[tuple[int, int | None]], bounds: Bounds, format: Format
) -> None:
    from bridgelaws.solving.verifying import check_all, questions, reasons_left_open

    reasons = reasons_left_open(law)
    asked = questions(edition, covered)
    checked = list(with_progress(check_all(edition, asked, bounds), f"verifying {edition.edition.name}", len(asked)))
    if format is Format.json:
        show_json(
            {
                "format": 1,
                "edition": edition.edition.name,
                "bounds": {"cards": bounds.cards, "reports": bounds.reports},
                "problems": [
                    {**each.problem.to_json(), "left_open": reasons.get(each.name)} for each in checked if each.problem
                ],
                "not_searched_to_the_end": [
                    {"question": each.name, "within": str(each.within or ""), "left_open": reasons.get(each.name)}
                    for each in checked
                    if each.within != bounds
                ],
            }
        )
    else:
        _tell(edition, checked, bounds, reasons)
    if any(each.problem and each.name not in reasons for each in checked):
        raise typer.Exit(1)


def _tell(law: EditionLaw, checked: Sequence[Checked], bounds: Bounds, reasons: Mapping[str, str]) -> None:
    for each in checked:
        if each.problem:
            _tell_problem(law, each.problem, reasons.get(each.name))
    unfinished = [each for each in checked if each.within != bounds]
    for within, why in dict.fromkeys((each.within, reasons.get(each.name)) for each in unfinished):
        names = ", ".join(each.name for each in unfinished if (each.within, reasons.get(each.name)) == (within, why))
        show(f"searched to the end only within {within}: {names}" if within else f"not searched to the end: {names}")
        if why:
            show(f"  left open: {why}")
    wrong = sum(each.problem is not None and each.name not in reasons for each in checked)
    left_open = sum(each.problem is not None for each in checked) - wrong
    counted = f"{len(checked)} questions within {bounds}: {wrong} problems"
    show(f"{counted}, {left_open} left open" if left_open else counted, "failed" if wrong else "passed")


def _tell_problem(law: EditionLaw, problem: Problem, left_open: str | None) -> None:
    from bridgelaws.solving.telling import told
    from bridgelaws.table.case import Case

    show(f"{problem.check}: {problem.text}", "" if left_open else "failed")
    if left_open:
        show(f"  left open: {left_open}")
    if problem.case and problem.ruling:
        for line in told(Case.from_data(problem.case), {law.edition.name: problem.ruling}, law.vocabulary):
            show(f"  {line}")
        show("")
