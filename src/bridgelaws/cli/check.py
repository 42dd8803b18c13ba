"""`bridgelaws check`: everything that is wrong with the law."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.options import Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json
from bridgelaws.cli.watching import Watch, law_folders, run_and_watch
from bridgelaws.errors import Diagnostic

NAME = "check"


def run(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A folder of rules, whole or a draft.", show_default=False)
    ] = None,
    laws: Laws = None,
    format: Formatted = Format.text,
    watch: Watch = False,
) -> None:
    """Check the law, or a draft of it.

    Lists all problems in one run, in file order, each with its file, line and column and what to do.
    """
    if watch:
        run_and_watch(lambda: run(folder, laws, format), law_folders(folder or laws))
    from bridgelaws.lawbook.law import read_law
    from bridgelaws.table.case import unknown_table_kinds

    law, problems = read_law(folder or laws)
    if law is not None and not problems:
        problems = [
            Diagnostic(f"the program does not compute the table kind '{name}' with these fields", "vocabulary.yaml")
            for name in unknown_table_kinds(law.vocabulary)
        ]
    if format is Format.json:
        show_json({"format": 1, "problems": [each.to_json() for each in problems]})
    else:
        for each in problems:
            show(str(each), "failed")
        if law is not None and not problems:
            rules = sum(len(version.rules) for clause in law.clauses for version in clause.versions)
            show(f"{len(law.clauses)} clauses, {rules} rules, editions {', '.join(law.editions)}: no problem", "passed")
        else:
            show(f"{len(problems)} problem{'s' if len(problems) != 1 else ''}", "failed")
    if problems:
        raise typer.Exit(1)
