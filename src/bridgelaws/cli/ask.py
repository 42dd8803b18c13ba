"""`bridgelaws ask`: an interview that ends in a ruling."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.options import Edition, Engine, EngineName, Laws
from bridgelaws.errors import UsageError

NAME = "ask"


def run(
    edition: Edition = None,
    laws: Laws = None,
    engine: Engine = EngineName.compiled,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Write the case to this new file, however the interview ends.", show_default=False),
    ] = None,
) -> None:
    """Be asked what happened, and get the ruling.

    Say in a few words what happened, who it was and which card; give the contract and the hands as far as they are
    known. Then only that is asked on which the ruling turns, what decides soonest first, and the Director's judgement
    is called so. Where someone may choose, take an option and go on from there.

    \b
        bridgelaws ask
        What happened?                  dropped a card
        Whose card was it?              E
        Which card was it?              D8
        What is the contract?           4S by S
        Which hands are known?          E: ♦KT862

    Enter alone skips anything: the ruling then tells what stays open. At any time: back, change (an earlier answer),
    ruling (so far), save FILE, restart, quit, and ? for help. Answers may also come from a file or a pipe, a line each;
    if they end too soon, the ruling so far and the case so far are printed, and the exit status is 1.
    """
    from bridgelaws.book import Lawbook
    from bridgelaws.cli.conversation import Conversation
    from bridgelaws.interview import Interview

    if save is not None and save.exists():
        raise UsageError(f"'{save}' is there already", "name another file for --save")
    book = Lawbook.load(edition, laws=laws, engine=engine.value)
    raise typer.Exit(Conversation(Interview.begin(book), save).hold())
