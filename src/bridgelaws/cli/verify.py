"""`bridgelaws verify`: does the law contradict itself, leave an incident without a ruling, or have dead rules?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json, with_progress
from bridgelaws.cli.test import CASES
from bridgelaws.cli.witnessing import Cards
from bridgelaws.solving.bounds import Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bridgelaws.lawbook.editions import LeftOpen
    from bridgelaws.lawbook.law import EditionLaw, Law
    from bridgelaws.solving.problems import Problem
    from bridgelaws.solving.verifying import Checked
    from bridgelaws.table.case import Case

NAME = "verify"
DEFAULTS = Bounds()
# So many combinations of reports are named that were not searched to the end.
_TOLD = 5


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
    reports: Annotated[
        int | None,
        typer.Option(
            "--reports",
            help="How many reports and choices a search may use: 2 by default, 3 with --same.",
            show_default=False,
        ),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Search again what was proven before, of rules that have not changed.")
    ] = False,
    format: Formatted = Format.text,
) -> None:
    """Search all tables within bounds for what is wrong with a law.

    Two findings that contradict each other, a player without a legal card, an incident without a ruling, rules that can
    never fire and exceptions that can never hold: each with the smallest table that shows it. With --same, a table on
    which the two editions give different rulings, or the word that there is none within the bounds; --laws lays a draft
    over the second one, so "verify 2017 --same 2017 --laws DRAFT" compares a draft with the law as it is. What the
    law's own editions.yaml lists as open is told with its reason. Tables with more than one report are searched with
    two cards a hand at most and a smaller deck; it still takes long (docs/verification.md). What was proven before is
    remembered, and only what bears on rules that have changed is searched again.
    """
    from bridgelaws.lawbook.law import load_law
    from bridgelaws.solving.verifying import REPORTS

    if reports is None:
        reports = REPORTS if same is None else DEFAULTS.reports
    bounds = Bounds(cards, reports)
    law = load_law(laws)
    if same is not None:
        _same(load_law().edition(edition), law.edition(same), _read(cases), bounds, format)
        return
    _verify(law, law.edition(edition), _covered(law.edition(edition), cases, laws), bounds, format, anew)


def _read(cases: Path) -> Iterator[Case]:
    """The cases at hand that can be read; what is wrong with the others is for `bridgelaws test` to tell."""
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.lawbook.law import load_law

    if cases.exists():
        yield from (each.case for each in read_cases(cases, load_law()) if each.case)


def _same(old: EditionLaw, new: EditionLaw, cases: Iterator[Case], bounds: Bounds, format: Format) -> None:
    from bridgelaws.solving.same import same_rulings
    from bridgelaws.solving.telling import told
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
    (measured,) = measure_coverage(whole, read_cases(cases, whole), editions=[law.edition.name])
    covered: set[tuple[int, int | None]] = set()
    for place, rule in enumerate(measured.rules):
        covered |= {(place, None)} if rule.fired else set()
        covered |= {(place, number) for number, each in enumerate(rule.exceptions) if each.held}
    return covered


def _verify(
    law: Law, edition: EditionLaw, covered: set[tuple[int, int | None]], bounds: Bounds, format: Format, anew: bool
) -> None:
    from bridgelaws.solving.verifying import Verification, left_open, questions

    left = left_open(law)
    asked = Verification(edition, questions(edition, covered), bounds, anew=anew)
    title = f"verifying {edition.edition.name}"
    answers = list(with_progress(asked.answers(), title, len(asked.jobs)))
    checked = asked.checked(answers)
    made_before = sum(all(each.known for each in answer) for answer in answers)
    if format is Format.json:
        reasons = {name: each.why for name, each in left.items()}
        show_json(
            {
                "format": 1,
                "edition": edition.edition.name,
                "bounds": {"cards": bounds.cards, "reports": bounds.reports},
                "searches": {"made_now": len(answers) - made_before, "made_before": made_before},
                "problems": [
                    {**each.problem.to_json(), "accepted": _accepted(each, left), "left_open": reasons.get(each.name)}
                    for each in checked
                    if each.problem
                ],
                "not_searched_to_the_end": [
                    {
                        "question": each.name,
                        "within": str(each.within or ""),
                        "not_with": [list(kinds) for kinds in each.left],
                        "left_open": reasons.get(each.name),
                    }
                    for each in checked
                    if not each.ended
                ],
            }
        )
    else:
        _tell(edition, checked, bounds, left)
        if made_before:
            show(
                f"{made_before} of {len(answers)} searches were made before, of the same rules; --anew makes them again"
            )
    if any(each.problem and not _accepted(each, left) for each in checked):
        raise typer.Exit(1)


def _accepted(checked: Checked, known: Mapping[str, LeftOpen]) -> bool:
    return checked.name in known and known[checked.name].accepted


def _tell(law: EditionLaw, checked: Sequence[Checked], bounds: Bounds, known: Mapping[str, LeftOpen]) -> None:
    for each in checked:
        if each.problem:
            _tell_problem(law, each.problem, known[each.name].why if _accepted(each, known) else "")
    unfinished = [each for each in checked if not each.ended]
    for within, left in dict.fromkeys((each.within, each.left) for each in unfinished):
        alike = [each for each in unfinished if (each.within, each.left) == (within, left)]
        names = ", ".join(each.name for each in alike)
        show(f"searched to the end only within {within}: {names}" if within else f"not searched to the end: {names}")
        if left:
            show(f"  not with {_listed(left)}")
        for why in dict.fromkeys(known[each.name].why for each in alike if each.name in known):
            show(f"  left open: {why}")
    more = bounds.report_by_report()[1:]
    if more:
        show(f"contradictions and players without a card with more than one report: within {more[-1]}")
    wrong = sum(each.problem is not None and not _accepted(each, known) for each in checked)
    accepted = sum(each.problem is not None for each in checked) - wrong
    counted = f"{len(checked)} questions within {bounds}: {wrong} problems"
    show(f"{counted}, {accepted} accepted" if accepted else counted, "failed" if wrong else "passed")


def _listed(left: Sequence[Sequence[str]]) -> str:
    """The kinds of reports that were left, the first few of them."""
    told = "; ".join(" and ".join(kinds) or "no report" for kinds in left[:_TOLD])
    return told + (f"; and {len(left) - _TOLD} more" if len(left) > _TOLD else "")


def _tell_problem(law: EditionLaw, problem: Problem, accepted: str) -> None:
    from bridgelaws.solving.telling import told
    from bridgelaws.table.case import Case

    show(f"{problem.check}: {problem.text}", "" if accepted else "failed")
    if accepted:
        show(f"  accepted: {accepted}")
    if problem.case and problem.ruling:
        for line in told(Case.from_data(problem.case), {law.edition.name: problem.ruling}, law.vocabulary):
            show(f"  {line}")
        show("")
