"""`bridgelaws audit`: find what was irregular in records of play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Edition, Engine, EngineName, Format, Formatted, Laws
from bridgelaws.cli.output import show, symbols_shown
from bridgelaws.cli.running import counted, progress_bar, tell_how_to_resume

if TYPE_CHECKING:
    from bridgelaws.batch.tally import Tally

NAME = "audit"
# Boards that a worker takes at a time, and the size of a file for which more than one worker would not pay.
BOARDS = 50
SMALL = 200_000


def run(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Records of play in PBN or LIN, also compressed with gzip or zstd; - reads standard input.",
            show_default=False,
        ),
    ],
    edition: Edition = None,
    laws: Laws = None,
    format: Formatted = Format.text,
    engine: Engine = EngineName.compiled,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "--output", help="Write here; .gz and .zst are compressed. By default to standard output."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes to audit with; by default one a core.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped or killed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there, finished or not.")] = False,
) -> None:
    """Find what was irregular in records of play, and rule on it.

    Follows the cards of each board and reports revokes and when they were established, leads and plays out of turn,
    cards that were not held, fifth cards, and penalty cards that a note tells of and that were not played when due;
    each with its ruling. What PBN marks itself, ^R and ^L, is read.

    As text only the boards come out on which there is something to say; with --format json a line for each board, in
    the order of the file. A board that cannot be read comes out as an error, and never stops the run.

    The exit status is 1 if some boards could not be read.
    """
    from dataclasses import asdict

    from bridgelaws.audit.boards import cut_at_boards
    from bridgelaws.audit.desk import AuditJob
    from bridgelaws.batch.running import Plan, Run, cores, job_of
    from bridgelaws.errors import UsageError

    if resume and force:
        raise UsageError("--resume goes on with a run, and --force begins it again", "choose one of the two")
    size = workers or (1 if _is_small(file) else cores())
    plan = Plan(file, out, edition, None, laws, engine.value, size, "", BOARDS, resume, force)
    job = AuditJob(**asdict(job_of(plan)), written=format.value, symbols=out is not None or symbols_shown())
    with progress_bar("boards") as progress:
        audit = Run(plan, progress, job, cut_at_boards)
        try:
            state = audit.go()
        except KeyboardInterrupt:
            tell_how_to_resume(audit.state, out)
            raise typer.Exit(130) from None
    _tell(state.tally)
    if state.tally.errors:
        raise typer.Exit(1)


def _is_small(file: str) -> bool:
    path = Path(file)
    return path.is_file() and path.stat().st_size < SMALL


def _tell(tally: Tally) -> None:
    from bridgelaws.audit.following import Kind

    told = counted(tally.cases, "board")
    if tally.errors:
        told += f", {tally.errors:,} of them at fault"
    show(f"{told}, {_irregular(sum(tally.found.values()))}", to_error=True)
    for kind in Kind:
        if tally.found[kind.value]:
            show(f"{tally.found[kind.value]:>12,}  {kind.value.replace('_', ' ')}", to_error=True)


def _irregular(number: int) -> str:
    return "1 irregularity" if number == 1 else f"{number:,} irregularities" if number else "nothing irregular"
