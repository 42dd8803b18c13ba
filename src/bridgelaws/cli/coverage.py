"""`bridgelaws coverage`: which rules the cases reach."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.options import Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json
from bridgelaws.cli.test import CASES

NAME = "coverage"


def run(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="A folder of cases, or one case file.")] = CASES,
    laws: Laws = None,
    format: Formatted = Format.text,
    edition: Annotated[str, typer.Option("--edition", "-e", help="Only this edition.", show_default=False)] = "",
    law: Annotated[
        list[str] | None, typer.Option("--law", help="Only this law, such as 50; may be given again.")
    ] = None,
) -> None:
    """Show which rules the cases reach.

    Counts, by clause and edition, the cases that fire each rule and those in which each exception blocks it.
    """
    from bridgelaws.casebook.coverage import measure_coverage
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.lawbook.law import load_law

    whole = load_law(laws)
    if edition:
        whole.edition(edition)
    cases = read_cases(folder, whole)
    measured = [each for each in measure_coverage(whole, cases, law or ()) if edition in ("", each.edition)]
    if format is Format.json:
        show_json({"format": 1, "editions": {each.edition: each.to_json() for each in measured}})
        return
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
