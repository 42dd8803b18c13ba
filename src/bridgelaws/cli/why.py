"""`bridgelaws why`: the reasons for a ruling."""

from __future__ import annotations

from bridgelaws.cli.options import CaseFile, Edition, Engine, EngineName, Format, Formatted, Laws
from bridgelaws.cli.output import show_json, show_lines

NAME = "why"


def run(
    case: CaseFile,
    edition: Edition = None,
    laws: Laws = None,
    format: Formatted = Format.text,
    engine: Engine = EngineName.compiled,
) -> None:
    """Explain a ruling.

    For every finding: the clause and the rule, what it rested on, and the exceptions that did not hold.
    """
    from bridgelaws.book import Lawbook
    from bridgelaws.ruling.text import reason_lines
    from bridgelaws.table.case import Case

    read = Case.from_file(case)
    ruling = Lawbook.for_case(read, edition, laws=laws, engine=engine.value).rule(read, why=True)
    if format is Format.json:
        show_json(ruling.to_json())
    else:
        show_lines(line for reason in ruling.why for line in reason_lines(reason))
