"""`bridgelaws why-not`: what kept a clause from applying."""

from __future__ import annotations

from typing import Annotated

import typer

from bridgelaws.cli.options import CaseFile, Edition, Engine, EngineName, Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json

NAME = "why-not"


def run(
    case: CaseFile,
    clause: Annotated[str, typer.Argument(help="The clause's number, such as 50D2(a).", show_default=False)],
    edition: Edition = None,
    laws: Laws = None,
    format: Formatted = Format.text,
    engine: Engine = EngineName.compiled,
) -> None:
    """Explain why a clause did not apply.

    For each of its rules: how near it came, and the condition that failed or the exception that held.
    """
    from bridgelaws.book import Lawbook
    from bridgelaws.ruling.why import why_not_json
    from bridgelaws.table.case import Case

    read = Case.from_file(case)
    book = Lawbook.for_case(read, edition, laws=laws, engine=engine.value)
    misses = book.why_not(read, clause)
    if format is Format.json:
        show_json(why_not_json(book.law, clause, misses))
        return
    if not misses:
        show(f"{clause} has no rules: {book.law.provision(clause).version.no_rules}")
    for each in misses:
        show(each.rule)
        for text in each.met:
            show(f"  so: {text}", "given")
        show(f"  {each.text}", "passed" if each.outcome == "applied" else "question")
