"""`bridgelaws diff`: what changed between editions, clause by clause."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Laws
from bridgelaws.cli.output import json_text, painted, printable, show, with_progress
from bridgelaws.cli.test import CASES
from bridgelaws.cli.witnessing import Cards, Found, Reports, as_html, as_json, as_markdown, as_text, find
from bridgelaws.cli.witnessing import save as save_cases
from bridgelaws.solving.bounds import Bounds

if TYPE_CHECKING:
    from bridgelaws.casebook.running import ReadCase
    from bridgelaws.compare.diff import Comparison, Side
    from bridgelaws.compare.impact import ChangedCase
    from bridgelaws.compare.report import Report

NAME = "diff"
WIDEST = 190
DEFAULTS = Bounds()
_AT_ONCE = 250


class DiffFormat(StrEnum):
    """How to print a comparison."""

    text = "text"
    markdown = "markdown"
    html = "html"
    json = "json"


def run(
    first: Annotated[str, typer.Argument(metavar="A", help="An edition, such as 1997.", show_default=False)],
    second: Annotated[
        str | None,
        typer.Argument(metavar="B", help="Another; with --laws, the draft if left out.", show_default=False),
    ] = None,
    third: Annotated[str | None, typer.Argument(metavar="C", help="A third one.", show_default=False)] = None,
    law: Annotated[str, typer.Option("--law", help="Only this law, such as 46.", show_default=False)] = "",
    clause: Annotated[
        str, typer.Option("--clause", help="Only this clause, by its number in any of them.", show_default=False)
    ] = "",
    laws: Laws = None,
    format: Annotated[
        DiffFormat, typer.Option("--format", "-f", help="Print text, Markdown, a page for a browser, or JSON.")
    ] = DiffFormat.text,
    everything: Annotated[bool, typer.Option("--all", help="List the unchanged clauses and every case, too.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write it to this file.", show_default=False)] = None,
    cases: Annotated[
        Path | None, typer.Option("--cases", help="A folder of cases to rule on; tests/cases if it is there.")
    ] = None,
    no_cases: Annotated[bool, typer.Option("--no-cases", help="Rule on no case.")] = False,
    witness: Annotated[
        bool, typer.Option("--witness", help="For each changed clause find a table that shows the difference.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Write the tables found to this folder, as case files.", show_default=False),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Search for every table, also where one was found before and still shows it.")
    ] = False,
    cards: Cards = DEFAULTS.cards,
    reports: Reports = DEFAULTS.reports,
) -> None:
    """Compare editions, clause by clause, whatever the clauses are numbered.

    For each clause that changed: what each edition says, the conditions, exceptions and conclusions that came and went,
    and the cases that are ruled differently. With --witness a solver looks for the smallest table on which the two
    editions rule differently because of the clause (docs/verification.md). With --laws the draft is laid over the
    last edition named; an edition alone is compared with the draft.
    """
    from bridgelaws.compare.choosing import selected
    from bridgelaws.compare.diff import compare
    from bridgelaws.compare.report import make_report

    sides = _sides([each for each in (first, second, third) if each is not None], laws)
    comparison = selected(compare(sides), law, clause)
    read = () if no_cases else _read(cases, laws)
    found: Found = {}
    if witness or save or anew:
        known = [each.case for each in read if each.case]
        found = find(comparison, Bounds(cards, reports), known, anew=anew)
    report = make_report(comparison, _changed_cases(comparison, read) if read else ())
    _write(report, format, everything, out, found)
    if save:
        save_cases(found, comparison, save)


def _sides(editions: Sequence[str], laws: Path | None) -> tuple[Side, ...]:
    from bridgelaws.compare.choosing import sides_named
    from bridgelaws.lawbook.law import load_law

    return sides_named(editions, load_law(), load_law(laws) if laws else None)


def _read(folder: Path | None, laws: Path | None) -> Sequence[ReadCase]:
    """The cases; of those that nobody named, the ones that can be read in this law."""
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.errors import CaseError
    from bridgelaws.lawbook.law import load_law

    if folder is None and not CASES.is_dir():
        return ()
    read = read_cases(folder or CASES, load_law(laws))
    problems = [problem for each in read for problem in each.problems]
    if problems and folder is not None:
        raise CaseError(problems)
    return read


def _changed_cases(comparison: Comparison, read: Sequence[ReadCase]) -> tuple[tuple[ChangedCase, ...], ...]:
    """For each step the cases that its two editions rule on differently."""
    from bridgelaws.book import Lawbook
    from bridgelaws.compare.impact import Pair, changed_cases
    from bridgelaws.compare.report import watched
    from bridgelaws.solving.parallel import in_parallel

    some = [read[start : start + _AT_ONCE] for start in range(0, len(read), _AT_ONCE)]
    steps: list[tuple[ChangedCase, ...]] = []
    for step, (before, after) in enumerate(pairwise(comparison.sides)):
        pair, about = Pair(before.law, after.law), watched(comparison, step)
        books = (Lawbook(pair.before), Lawbook(pair.after))

        def ruled(
            place: int,
            pair: Pair = pair,
            about: frozenset[str] = about,
            books: tuple[Lawbook, Lawbook] = books,
        ) -> tuple[int, list[ChangedCase]]:
            return place, list(changed_cases(pair, some[place], about=about, cited=False, books=books))

        done = with_progress(in_parallel(ruled, range(len(some))), "ruling on the cases", len(some))
        steps.append(tuple(case for _, cases in sorted(done, key=itemgetter(0)) for case in cases))
    return tuple(steps)


def _write(report: Report, format: DiffFormat, everything: bool, out: Path | None, found: Found) -> None:
    text = _rendered(report, format, everything, found, to_file=out is not None)
    if out is None:
        print(text)
        return
    from bridgelaws.files import write_whole

    write_whole(out, f"{text}\n")
    show(str(out))


def _rendered(report: Report, format: DiffFormat, everything: bool, found: Found, *, to_file: bool) -> str:
    """The report in the format wanted; what goes to a file has no colour and every symbol."""

    def paint(text: str, part: str = "", bold: bool = False) -> str:
        return printable(text) if to_file else painted(text, part, bold=bold)

    if format is DiffFormat.json:
        from bridgelaws.compare.report import report_json

        return json_text(report_json(report, as_json(found)))
    if format is DiffFormat.markdown:
        from bridgelaws.pages.differences_markdown import report_markdown

        return paint(report_markdown(report, everything=everything, witnesses=as_markdown(found, report.comparison)))
    if format is DiffFormat.html:
        from bridgelaws.pages.differences import report_page

        return paint(report_page(report, everything=everything, witnesses=as_html(found, report.comparison)))
    from bridgelaws.cli.comparing import report_lines

    room = min(WIDEST, shutil.get_terminal_size((100, 24)).columns)
    texts = as_text(found, report.comparison, room - 2)
    return "\n".join(report_lines(report, room, paint, everything=everything, witnesses=texts))
