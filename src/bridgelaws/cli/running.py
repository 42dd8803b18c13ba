"""What the commands that run through a whole file have in common: a bar, and how to go on after a stop."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bridgelaws.cli.output import colour_wanted, show

if TYPE_CHECKING:
    from bridgelaws.batch.lines import Archive
    from bridgelaws.batch.output import State
    from bridgelaws.batch.running import Progress


def counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def tell_how_to_resume(state: State, out: Path | None) -> None:
    show(f"stopped after line {state.mark.lines}", to_error=True)
    if out is not None:
        given = [each for each in sys.argv[1:] if each not in ("--resume", "--force")]
        show(f"go on with: bridgelaws {shlex.join(given)} --resume", to_error=True)


@contextmanager
def progress_bar(things: str) -> Iterator[Progress | None]:
    """A bar with the rate and the time left on a terminal, nothing in a pipe."""
    if not colour_wanted(sys.stderr):
        yield None
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(),
        rich.TextColumn(f"{{task.fields[cases]:,}} {things}, {{task.fields[rate]:,.0f}} a second, left"),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, transient=True, console=Console(stderr=True)) as bar:
        task = bar.add_task(things, total=None, cases=0, rate=0.0)
        began = time.monotonic()
        before: int | None = None

        def advance(archive: Archive, state: State) -> None:
            nonlocal before, began
            if before is None:
                # What an earlier run has ruled on says nothing of the rate of this one.
                before, began = state.tally.cases, time.monotonic()
            rate = (state.tally.cases - before) / max(time.monotonic() - began, 0.001)
            bar.update(task, total=archive.size, completed=archive.position, cases=state.tally.cases, rate=rate)

        yield advance
