"""`bridgelaws new`: files to begin a draft with."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Laws
from bridgelaws.cli.output import show
from bridgelaws.cli.witnessing import Cards, Reports
from bridgelaws.solving.bounds import Bounds

if TYPE_CHECKING:
    from bridgelaws.lawbook.law import EditionLaw

DEFAULTS = Bounds()
NAME = "new"

app = typer.Typer(
    help="Begin a draft: an edition, a clause, a kind or a case, with a comment on each key.", no_args_is_help=True
)
Draft = Annotated[Path, typer.Option("--laws", help="The folder of the draft.", show_default=False)]


class Source(StrEnum):
    """Where facts of a kind come from."""

    report = "report"
    choice = "choice"
    derived = "derived"
    ruling = "ruling"


@app.command("edition")
def edition(
    name: Annotated[str, typer.Argument(help="The draft's name, such as 2027-draft.", show_default=False)],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to begin it in.", show_default=False)],
    follows: Annotated[str, typer.Option("--from", help="The edition on which it builds.")] = "2017",
) -> None:
    """Begin a draft edition in a folder of its own.

    The folder holds only what changes; every command takes it with --laws.
    """
    from bridgelaws.drafting import new_edition

    _write(*new_edition(folder, name, follows))
    show(f"next: bridgelaws new clause 50C --laws {folder}")


@app.command("clause")
def clause(
    number: Annotated[str, typer.Argument(help="The clause's number, such as 50C.", show_default=False)],
    laws: Draft,
    since: Annotated[
        str | None, typer.Option("--since", help="The edition that changes it; by default the latest of the draft.")
    ] = None,
) -> None:
    """Put a clause into the draft.

    A clause that the law has comes as it stands, to be changed; a number that it has not becomes a new clause.
    """
    from bridgelaws.drafting import new_clause

    path, text = new_clause(laws, number, since)
    _write(path, text)
    show(f"next: change it, then bridgelaws check {laws} and bridgelaws impact --laws {laws}")


@app.command("kind")
def kind(
    name: Annotated[str, typer.Argument(help="The kind's name, such as card_shown.", show_default=False)],
    laws: Draft,
    source: Annotated[Source, typer.Option("--source", help="Where its facts come from.")] = Source.report,
) -> None:
    """Add a kind of fact to the draft's vocabulary.

    A kind that the law has comes as it stands, to be changed; a name that it has not becomes a new kind.
    """
    from bridgelaws.drafting import new_kind

    _write(*new_kind(laws, name, source.value))
    show(f"next: change it, use it in a rule, then bridgelaws check {laws}")


@app.command("case")
def case(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The case file to write.", show_default=False)],
    laws: Laws = None,
) -> None:
    """Begin a case: a dropped card, to be changed into what happened.

    With --laws, a case of that draft: it says what must come out in the draft's edition.
    """
    from bridgelaws.drafting import new_case

    _write(*new_case(path, laws))
    draft = f" --laws {laws}" if laws else ""
    show(f"next: bridgelaws rule {path}{draft}, and bridgelaws test {path}{draft}")


@app.command("cases")
def cases(
    clause: Annotated[
        str, typer.Option("--for", help="Tables that fire each rule of this clause.", show_default=False)
    ] = "",
    random: Annotated[int, typer.Option("--random", help="So many random cases, a line each.", show_default=False)] = 0,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same random cases.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The folder for --for, the file for --random.", show_default=False),
    ] = None,
    edition: Annotated[
        str | None, typer.Option("--edition", "-e", help="By default the latest.", show_default=False)
    ] = None,
    laws: Laws = None,
    cards: Cards = DEFAULTS.cards,
    reports: Reports = DEFAULTS.reports,
) -> None:
    """Make cases: the smallest tables for each rule of a clause, or random ones by the thousand.

    With --for, what must come out is left for a person to fill in. With --random, JSON Lines for bridgelaws batch.
    """
    from bridgelaws.errors import UsageError

    if bool(clause) == (random > 0):
        raise UsageError("nothing says which cases to make", "give --for 50C, or --random 1000")
    if random:
        from bridgelaws.cli.new_cases import random_cases

        random_cases(random, seed, laws, out)
        return
    if out is None:
        raise UsageError("the cases need a folder", "add --out DIR")
    from bridgelaws.lawbook.law import load_law

    _generate(load_law(laws).edition(edition), clause, Bounds(cards, reports), out)


def _generate(law: EditionLaw, clause: str, bounds: Bounds, folder: Path) -> None:
    """The files for each rule of the clause; one that is there already stays as it is."""
    from bridgelaws.files import write_whole
    from bridgelaws.solving.generating import generated_cases

    for each in generated_cases(law, clause, bounds):
        path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', each.name).strip('-')}.yaml"
        if not each.text:
            show(f"{each.name}: {each.why}", "rule")
        elif path.exists():
            show(f"{path}: is there already", "rule")
        else:
            write_whole(path, each.text)
            show(str(path))


def _write(path: Path, text: str) -> None:
    from bridgelaws.files import write_whole

    write_whole(path, text)
    show(str(path))
