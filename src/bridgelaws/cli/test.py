"""`bridgelaws test`: run the cases."""

from __future__ import annotations

import textwrap
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import EngineChoice, Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json, width, with_progress
from bridgelaws.cli.watching import Watch, law_folders, run_and_watch

if TYPE_CHECKING:
    from bridgelaws.casebook.running import CaseRun, Failure

NAME = "test"
CASES = Path("tests/cases")


def run(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="A folder of cases, or one case file.")] = CASES,
    laws: Laws = None,
    format: Formatted = Format.text,
    engine: Annotated[EngineChoice, typer.Option("--engine", help="One engine, or both to see that they agree.")] = (
        EngineChoice.compiled
    ),
    edition: Annotated[str, typer.Option("--edition", "-e", help="Only this edition.", show_default=False)] = "",
    law: Annotated[str, typer.Option("--law", help="Only cases of this law, such as 50.", show_default=False)] = "",
    clause: Annotated[
        str, typer.Option("--clause", help="Only cases that expect this clause.", show_default=False)
    ] = "",
    name: Annotated[
        str, typer.Option("--name", "-k", help="Only cases with this in their name.", show_default=False)
    ] = "",
    watch: Watch = False,
) -> None:
    """Run the cases.

    Each case runs in the editions it names: the rulings it expects must come, from the clauses it expects, and what
    must not come must not.
    """
    if watch:
        again = partial(run, folder, laws, format, engine, edition, law, clause, name)
        run_and_watch(again, [*law_folders(laws), folder])
    from bridgelaws.book import ENGINES, lawbooks
    from bridgelaws.casebook.running import Selection, read_cases, run_cases
    from bridgelaws.lawbook.law import load_law

    whole = load_law(laws)
    if edition:
        whole.edition(edition)
    engines = ENGINES if engine is EngineChoice.both else (engine.value,)
    cases = read_cases(folder, whole)
    books = [lawbooks(whole, each) for each in engines]
    selection = Selection(law, clause, edition, name)
    total = sum(len(e.editions) for c in cases for e in c.expectations)
    runs = list(with_progress(run_cases(cases, books, selection), "ruling", total))
    failed = [each for each in runs if not each.passed]
    if format is Format.json:
        show_json(_as_json(runs))
    else:
        for each in failed:
            show(f"FAILED {each.title}{f' ({each.edition})' if each.edition else ''}", "failed")
            for failure in each.problems:
                _show_failure(failure)
        files = len({each.path for each in runs})
        cases_run = f"{files} case{'' if files == 1 else 's'}"
        show(
            f"{len(runs) - len(failed)} passed, {len(failed)} failed ({cases_run}, {' and '.join(engines)})",
            "failed" if failed or not runs else "passed",
        )
        if not runs:
            show("no case ran", "failed", to_error=True)
    if failed or not runs:
        raise typer.Exit(1)


def _show_failure(failure: Failure) -> None:
    """The place, and below it what was expected, what came, and why."""
    if not failure.expected:
        show(f"  {failure}")
        return
    at = failure.problem
    show(f"  {at.file}:{at.line}:{at.column}")
    reasons = zip(chain(("because",), repeat("")), failure.because, strict=False)
    for label, text in (("expected", failure.expected), ("got", failure.got), *reasons):
        start = f"    {label:<9}"
        room = len(start) + len(text) - len(text.lstrip())
        show(
            textwrap.fill(
                text,
                width(),
                initial_indent=start,
                subsequent_indent=" " * (room + 2),
                break_on_hyphens=False,
            ),
            "rule" if label in ("because", "") else "",
        )


def _as_json(runs: list[CaseRun]) -> dict[str, object]:
    return {
        "format": 1,
        "passed": sum(each.passed for each in runs),
        "failed": sum(not each.passed for each in runs),
        "runs": [
            {
                "file": str(each.path),
                "title": each.title,
                "edition": each.edition,
                "passed": each.passed,
                "problems": [problem.to_json() for problem in each.problems],
            }
            for each in runs
        ],
    }
