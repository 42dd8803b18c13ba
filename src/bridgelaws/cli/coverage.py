"""`bridgelaws coverage`: which rules the cases reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json, width, with_progress
from bridgelaws.cli.test import CASES
from bridgelaws.errors import UsageError, nearest

if TYPE_CHECKING:
    from bridgelaws.casebook.coverage import EditionCoverage
    from bridgelaws.casebook.needing import NotNeeded
    from bridgelaws.casebook.running import ReadCase
    from bridgelaws.casebook.tallies import Tally
    from bridgelaws.lawbook.law import Law

NAME = "coverage"
# A column of the table is so wide, and wider if the counts of the whole need it.
_COLUMN = 17


def run(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="A folder of cases, or one case file.")] = CASES,
    laws: Laws = None,
    format: Formatted = Format.text,
    edition: Annotated[str, typer.Option("--edition", "-e", help="Only this edition.", show_default=False)] = "",
    law: Annotated[
        list[str] | None, typer.Option("--law", help="Only this law, such as 50; may be given again.")
    ] = None,
    clause: Annotated[
        list[str] | None, typer.Option("--clause", help="Only this clause, such as 50C; may be given again.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List every rule and exception with its number of cases.")] = (
        False
    ),
    needed: Annotated[
        bool, typer.Option("--needed", help="List the exceptions that no case needs; it takes some minutes.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write it as a page for a browser.", show_default=False),
    ] = None,
    fail_under: Annotated[
        float, typer.Option("--fail-under", metavar="PERCENT", help="Fail if an edition is covered less than this.")
    ] = 0,
) -> None:
    """Show which rules the cases reach.

    A table by law, clause and edition: how many rules some case fires, and how many exceptions some case makes hold.
    Below it, by name, what no case reaches. With --needed, each exception is left out in turn, and those are listed
    without which every case is still ruled the same: such an exception is needless, or lacks a case.
    """
    from bridgelaws.casebook.coverage import measure_coverage
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.lawbook.law import load_law

    whole = load_law(laws)
    if edition:
        whole.edition(edition)
    cases = read_cases(folder, whole)
    chosen = [*(law or ()), *(each for number in clause or () for each in _named(whole, number))]
    editions = [edition] if edition else list(whole.editions)
    if needed:
        _show_not_needed(_not_needed(whole, cases, chosen, editions), format)
        return
    measured = measure_coverage(whole, cases, chosen, editions)
    if html is not None:
        from bridgelaws.files import write_whole
        from bridgelaws.pages.coverage import coverage_page

        write_whole(html, coverage_page(whole, measured, cases))
    if format is Format.json:
        show_json({"format": 1, "editions": {each.edition: each.to_json() for each in measured}})
    elif rules:
        _show_rules(measured)
    elif html is not None:
        show(f"open {html}")
    else:
        _show_table(whole, measured)
    if any(min(each.fired_percent, each.exceptions_percent) < fail_under for each in measured):
        raise typer.Exit(1)


def _not_needed(
    law: Law, cases: Sequence[ReadCase], laws: Sequence[str], editions: Sequence[str]
) -> dict[NotNeeded, list[str]]:
    """The exceptions that no case needs, each once with the editions in which it is so."""
    from bridgelaws.casebook.needing import exceptions_not_needed

    found: dict[NotNeeded, list[str]] = {}
    for edition in editions:
        tried = with_progress(cases, f"leaving out exceptions of {edition}", len(cases))
        for each in dict.fromkeys(exceptions_not_needed(law.edition(edition), tried, laws)):
            found.setdefault(each, []).append(edition)
    return found


def _show_not_needed(found: Mapping[NotNeeded, Sequence[str]], format: Format) -> None:
    if format is Format.json:
        listed = [
            {"number": each.number, "rule": each.rule, "unless": each.exception, "editions": list(editions)}
            for each, editions in found.items()
        ]
        show_json({"format": 1, "not_needed": listed})
    elif found:
        show("no case needs:")
        for each, editions in found.items():
            show(f"  {each.number} {each.rule}: unless {each.exception} ({', '.join(editions)})", "failed")
    else:
        show("every exception is needed by some case", "passed")


def _named(law: Law, number: str) -> list[str]:
    """The clauses that have the number in some edition."""
    plain = number.replace(" ", "").lower()
    found = [each.id for each in law.clauses if any(v.number.replace(" ", "").lower() == plain for v in each.versions)]
    if not found:
        numbers = {version.number for each in law.clauses for version in each.versions}
        raise UsageError(f"no edition has a clause '{number}'", nearest(number, numbers))
    return found


def _show_table(law: Law, measured: Sequence[EditionCoverage]) -> None:
    from bridgelaws.casebook.tallies import Tally, rows_by_law, tally
    from bridgelaws.lawbook.describing import law_title

    editions = [each.edition for each in measured]
    whole = [_counts(tally(each.rules)) for each in measured]
    show_row = partial(_show_row, column=max(_COLUMN, *(1 + len(each) for each in whole)))
    show_row("", editions)
    show_row("", ["rules  unless"] * len(editions))
    for name, clauses in rows_by_law(law, measured):
        sums = [sum((row.tally(each) or Tally() for row in clauses), Tally()) for each in editions]
        show_row(law_title(name), map(_counts, sums), "option")
        for row in clauses:
            tallies = [row.tally(each) for each in editions]
            part = "" if all(each is None or each.complete for each in tallies) else "failed"
            show_row(f"  {row.heading}", map(_counts, tallies), part)
    show_row("all", whole)
    show_row("", [f"{each.fired_percent:g} % {f'{each.exceptions_percent:g} %':>8}" for each in measured])
    show("–: the edition has no such clause; no rules: it needs none", "rule")
    _show_unreached(measured)


def _show_unreached(measured: Sequence[EditionCoverage]) -> None:
    from bridgelaws.casebook.tallies import unreached

    found = unreached(measured)
    if not found:
        show("\nevery rule is fired and every exception holds in some case", "passed")
        return
    show("\nno case reaches:")
    for each in found:
        what = f"unless {each.exception}" if each.exception else "the rule itself"
        show(f"  {each.number} {each.rule}: {what} ({', '.join(each.editions)})", "failed")


def _show_row(label: str, cells: Iterable[str], part: str = "", *, column: int) -> None:
    columns = [f"{cell:>{column}}" for cell in cells]
    room = max(24, width() - column * len(columns))
    shown = label if len(label) < room else f"{label[: room - 2]}…"
    show(f"{shown:<{room}}{''.join(columns)}".rstrip(), part)


def _counts(tally: Tally | None) -> str:
    if tally is None:
        return "–"
    if not tally.rules:
        return "no rules"
    exceptions = f"{tally.held}/{tally.exceptions}" if tally.exceptions else ""
    return f"{tally.fired}/{tally.rules} {exceptions:>8}"


def _show_rules(measured: Sequence[EditionCoverage]) -> None:
    for each in measured:
        show(
            f"{each.edition}: {each.fired_percent} % of {len(each.rules)} rules fired, "
            f"{each.exceptions_percent} % of exceptions exercised"
        )
        for rule in each.rules:
            show(f"  {rule.number:<20} {rule.rule:<52} {rule.fired:>4}", "" if rule.fired else "failed")
            for exception in rule.exceptions:
                show(
                    f"  {'':<20}   unless {exception.text:<43} {exception.held:>4}", "" if exception.held else "failed"
                )
        for number, reason in each.without_rules:
            show(f"  {number:<10} no rules: {reason}", "rule")
        for clause, reason in each.absent:
            show(f"  {clause}: {reason}", "rule")
