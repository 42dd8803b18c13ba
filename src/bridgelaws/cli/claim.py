"""`bridgelaws claim`: what can come of a claim in a short ending."""

from __future__ import annotations

from typing import Annotated

import typer

from bridgelaws.cli.options import CaseFile, Format, Formatted
from bridgelaws.cli.output import show, show_json

NAME = "claim"

FromTheTop = Annotated[
    bool, typer.Option("--from-the-top", help="Have the claimer lead each suit from the top down.", show_default=False)
]


def run(case: CaseFile, from_the_top: FromTheTop = False, format: Formatted = Format.text) -> None:
    """Try a claim on the cards.

    Plays an ending of at most five cards in every way that is legal and that the claimer's words allow, and shows a
    line of play for each number of tricks to which he can be held. The case names the claimer below the hands, and
    the line that he stated, if any:

    \b
        table:
          contract: 4S by S
          trick: 12
          on_lead: S
          hands: {S: ♠A ♦A, W: ♠2 ♥6, N: ♥32, E: ♥54}
          claim: {by: S, line: [draw trumps, DA]}

    Whether such a line is normal is for the Director to judge: bridgelaws rule asks him.
    """
    from bridgelaws.claims.telling import to_json, told
    from bridgelaws.errors import CaseError
    from bridgelaws.table.case import Case
    from bridgelaws.table.claimed import ending, searches
    from bridgelaws.table.picture import picture

    read = Case.from_file(case)
    missing = ending(read.table)
    if isinstance(missing, str):
        hint = "" if read.table.claim else "add the seat, as 'claim: S'"
        raise CaseError(read.document.problem(("table",), f"this claim cannot be tried on the cards: {missing}", hint))
    search = dict(searches(read.table))[from_the_top]
    if format is Format.json:
        show_json(to_json(search, read.table.now))
        return
    for line in (*picture(read.table), *told(search, read.table.now)):
        show(line)
