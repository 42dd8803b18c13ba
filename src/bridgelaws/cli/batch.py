"""`bridgelaws batch`: rule on an archive of cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Edition, Engine, EngineName, Laws
from bridgelaws.cli.output import show
from bridgelaws.cli.running import counted, progress_bar, tell_how_to_resume

if TYPE_CHECKING:
    from bridgelaws.batch.output import State

NAME = "batch"
MOST_CLAUSES = 20


def run(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="JSON Lines, one case a line, also compressed with gzip or zstd; - reads standard input.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write here; .gz and .zst are compressed. By default to standard output."),
    ] = None,
    edition: Edition = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="Write only what this edition rules differently, with both rulings."),
    ] = None,
    laws: Laws = None,
    engine: Engine = EngineName.compiled,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes to rule with; by default one a core.")
    ] = None,
    dask: Annotated[
        str, typer.Option("--dask", metavar="ADDRESS", help="Rule on the Dask cluster with this scheduler.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped or killed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there, finished or not.")] = False,
    summary: Annotated[
        Path | None, typer.Option("--summary", help="Write the numbers, with those by clause, to this file as JSON.")
    ] = None,
    chunk: Annotated[
        int | None, typer.Option("--chunk", min=1, help="Cases that a worker takes at a time; by default 250.")
    ] = None,
) -> None:
    """Rule on an archive: a case a line in, a ruling a line out, in the same order.

    Each record has the number of its line, and a ruling or the errors of the line: a line at fault never stops the
    run. With --out the file appears when it is whole; until then a run that was stopped goes on with --resume, and the
    file comes out as if nothing had happened.

    With --against only the cases that two editions rule differently come out, and at the end how many by clause. A
    draft is laid over the second.

    The exit status is 1 if some lines were at fault.
    """
    from bridgelaws.batch.running import CHUNK, Plan, Run, cores
    from bridgelaws.errors import UsageError

    if resume and force:
        raise UsageError("--resume goes on with a run, and --force begins it again", "choose one of the two")
    size = chunk or CHUNK
    plan = Plan(file, out, edition, against, laws, engine.value, workers or cores(), dask, size, resume, force)
    with progress_bar("cases") as progress:
        batch = Run(plan, progress)
        try:
            state = batch.go()
        except KeyboardInterrupt:
            tell_how_to_resume(batch.state, out)
            raise typer.Exit(130) from None
    _tell(state, against is not None)
    if summary is not None:
        _write_summary(state, summary)
    if state.tally.errors:
        raise typer.Exit(1)


def _tell(state: State, study: bool) -> None:
    tally = state.tally
    told = f"{counted(tally.cases, 'case')}"
    if study:
        told += f", {tally.different:,} ruled differently"
    if tally.errors:
        told += f", {counted(tally.errors, 'line')} at fault"
    show(told, to_error=True)
    listed = tally.to_json()["clauses"]
    for each in listed[:MOST_CLAUSES]:
        clause = each["clause"] or "(an answer)"
        show(f"{each['cases']:>12,}  {clause:<12} {each['edition']}", to_error=True)
    if len(listed) > MOST_CLAUSES:
        show(f"{'':>14}and {len(listed) - MOST_CLAUSES} others; --summary FILE lists them all", to_error=True)


def _write_summary(state: State, path: Path) -> None:
    import json

    from bridgelaws.files import write_whole

    write_whole(path, json.dumps({"format": 1, **state.tally.to_json()}, indent=2, ensure_ascii=False) + "\n")
