"""Run something again whenever a file that it reads is saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from bridgelaws.cli.output import show, show_problems, width
from bridgelaws.errors import BridgelawsError, UsageError

Watch = Annotated[bool, typer.Option("--watch", help="Run again whenever a file is saved; stop with Ctrl-C.")]
Seen = dict[Path, tuple[int, int, int]]

PAUSE = 0.3
_ENDINGS = (".yaml", ".yml", ".json")


def law_folders(laws: Path | None) -> list[Path]:
    """The folders that a law is read from: the shipped one, and the draft laid over it."""
    from bridgelaws.lawbook.sources import shipped

    return [shipped("rules"), *([laws] if laws is not None else [])]


def run_and_watch(
    job: Callable[[], None], paths: Sequence[Path], wait: Callable[[float], None] = time.sleep
) -> NoReturn:
    """Run the job, and again after every change below the paths, for ever: Ctrl-C is how it ends."""
    seen = _look(paths)
    _run(job, first=True)
    while True:
        show(f"watching {', '.join(map(str, paths))}; stop with Ctrl-C", "rule", to_error=True)
        # INVARIANT: `seen` was taken before the last run, so that what was saved during the run counts as a change.
        while (now := _look(paths)) == seen:
            wait(PAUSE)
        changed = sorted(path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path))
        seen = now
        show(f"\n{_separator(changed)}", "option", to_error=True)
        _run(job, first=False)


def _run(job: Callable[[], None], *, first: bool) -> None:
    """A law at fault is what one watches for; a call at fault is said once, and ends it."""
    try:
        job()
    except typer.Exit:
        pass
    except BridgelawsError as wrong:
        if first and isinstance(wrong, UsageError):
            raise
        show_problems(wrong.diagnostics)
    if sys.stdout is not None:
        sys.stdout.flush()


def _look(paths: Iterable[Path]) -> Seen:
    seen: Seen = {}
    for path in paths:
        for each in path.rglob("*") if path.is_dir() else [path]:
            if each.suffix in _ENDINGS:
                try:
                    status = each.stat()
                except OSError:
                    # It went away, or an editor is just putting it in place.
                    continue
                seen[each] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return seen


def _separator(changed: Sequence[Path]) -> str:
    names = ", ".join(path.name for path in changed[:3]) + (" and others" if len(changed) > 3 else "")
    words = f"== {time.strftime('%H:%M:%S')} {names} changed "
    return words.ljust(width(), "=")
