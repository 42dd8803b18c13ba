"""`bridgelaws rule`: the ruling on a case."""

from __future__ import annotations

from bridgelaws.cli.at_once import rule
from bridgelaws.cli.options import CaseFile, Edition, Engine, EngineName, Format, Formatted, Laws

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
    rule(case, edition, laws, format.value, engine.value)
