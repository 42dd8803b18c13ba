"""`bridgelaws rule`: the ruling on a case."""

from __future__ import annotations

from bridgelaws.cli.options import CaseFile, Edition, Engine, EngineName, Format, Formatted, Laws
from bridgelaws.cli.output import show_json, show_lines

NAME = "rule"


def run(
    case: CaseFile,
    edition: Edition = None,
    laws: Laws = None,
    format: Formatted = Format.text,
    engine: Engine = EngineName.compiled,
) -> None:
    """Rule on a case.

    Prints what is so, who may play or choose what, what must still be asked, and the clause for every line.
    A case file says what happened:

    \b
        table: {contract: 4S by S, hands: {E: ♦KT862}}
        reports:
          - card_exposed: {player: E, card: D8, manner: dropped}

    To take an option, copy its choice from the JSON under choices: and rule again.
    """
    from bridgelaws.book import Lawbook
    from bridgelaws.ruling.text import ruling_lines
    from bridgelaws.table.case import Case

    read = Case.from_file(case)
    ruling = Lawbook.for_case(read, edition, laws=laws, engine=engine.value).rule(read)
    if format is Format.json:
        show_json(ruling.to_json())
    else:
        show_lines(ruling_lines(ruling))
