"""`bridgelaws check`: everything that is wrong with the law, and what is probably not meant."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json
from bridgelaws.cli.placed import show_placed
from bridgelaws.cli.test import CASES
from bridgelaws.cli.watching import Watch, law_folders, run_and_watch
from bridgelaws.errors import Diagnostic

if TYPE_CHECKING:
    from bridgelaws.lawbook.law import Law

NAME = "check"


def run(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A folder of rules, whole or a draft.", show_default=False)
    ] = None,
    laws: Laws = None,
    format: Formatted = Format.text,
    cases: Annotated[
        Path | None,
        typer.Option(
            "--cases",
            help="Also warn of clauses that no case in this folder reaches; "
            "for the shipped law by default tests/cases, if there is one.",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings count as errors.")] = False,
    watch: Watch = False,
) -> None:
    """Check the law, or a draft of it.

    Lists all problems in one run, in file order, each with its line, what to do, and in brackets its code: docs/checks
    has a page for each code. Warnings, of what is sound but probably not meant, come after the errors.
    """
    draft = folder or laws
    if watch:
        again = partial(run, folder, laws, format, cases, strict)
        run_and_watch(again, [*law_folders(draft), *([cases] if cases else [])])
    from bridgelaws.lawbook.law import read_law
    from bridgelaws.lawbook.sources import file_order
    from bridgelaws.lawbook.warnings import law_warnings

    law, problems = read_law(draft)
    warnings: list[Diagnostic] = []
    if law is not None:
        problems = problems or _table_kinds(law)
        warnings = law_warnings(law, problems)
    if law is not None and not problems:
        chosen = CASES if cases is None and draft is None and CASES.is_dir() else cases
        warnings = file_order([*warnings, *_unreached(law, chosen)])
    if format is Format.json:
        lists = {"problems": problems, "warnings": warnings}
        show_json({"format": 1} | {name: [each.to_json() for each in found] for name, found in lists.items()})
    else:
        _print(law, problems, warnings, draft)
    if problems or (strict and warnings):
        raise typer.Exit(1)


def _table_kinds(law: Law) -> list[Diagnostic]:
    from bridgelaws.table.case import unknown_table_kinds

    found: list[Diagnostic] = []
    for name in unknown_table_kinds(law.vocabulary):
        document, path = law.places[name]
        message = f"the program does not compute the table kind '{name}' with these fields"
        hint = "a draft can add reports, not table kinds"
        found.append(document.problem(path, message, hint, at_key=True, code="table-kind"))
    return found


def _unreached(law: Law, cases: Path | None) -> list[Diagnostic]:
    from bridgelaws.casebook.reaching import unreached_clauses
    from bridgelaws.casebook.running import read_cases

    return unreached_clauses(law, read_cases(cases, law)) if cases is not None else []


def _print(law: Law | None, problems: list[Diagnostic], warnings: list[Diagnostic], draft: Path | None) -> None:
    from bridgelaws.lawbook.sources import path_of

    for each in problems:
        show_placed(each, path_of(each.file, draft))
    if warnings:
        show("\nwarnings:" if problems else "warnings:", "question")
        for each in warnings:
            show_placed(each, path_of(each.file, draft))
    counted = [_counted(len(problems), "problem")] + ([_counted(len(warnings), "warning")] if warnings else [])
    if problems or law is None:
        show(", ".join(counted), "failed")
    else:
        rules = sum(len(version.rules) for clause in law.clauses for version in clause.versions)
        said = f"{len(law.clauses)} clauses, {rules} rules, editions {', '.join(law.editions)}"
        show(f"{said}: {', '.join(counted)}", "question" if warnings else "passed")


def _counted(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number in (0, 1) else 's'}"
