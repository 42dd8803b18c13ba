"""The command `bridgelaws`: one small module a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperGroup

from bridgelaws.cli import (
    batch,
    book,
    check,
    coverage,
    diff,
    editions,
    fmt,
    impact,
    lsp,
    new,
    rule,
    schemas,
    serve,
    show,
    test,
    verify,
    why,
    why_not,
)
from bridgelaws.cli.output import show as show_text
from bridgelaws.cli.output import show_json, show_problems
from bridgelaws.errors import BridgelawsError, CaseError, LawError


class _Stopped(Exception):
    """Ctrl-C."""


class _ReaderLeft(Exception):
    """Nobody reads the output any more."""


class _Commands(TyperGroup):
    """Typer would end both of these in its own way, and a pipe may break only when the last lines are flushed."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except KeyboardInterrupt:
            raise _Stopped from None
        except BrokenPipeError:
            raise _ReaderLeft from None


app = typer.Typer(
    cls=_Commands,
    help="The Laws of Duplicate Bridge as data: rulings with the clause and the reason for every line.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit status: 0 done, 1 the law or a case is at fault, 2 the call is.",
)
for module in (
    rule,
    why,
    why_not,
    check,
    fmt,
    test,
    impact,
    coverage,
    show,
    book,
    diff,
    verify,
    batch,
    editions,
    schemas,
    serve,
    lsp,
):
    app.command(module.NAME)(module.run)
app.add_typer(new.app, name=new.NAME)


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    if version:
        from bridgelaws import __version__

        show_text(f"bridgelaws {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command; whatever goes wrong ends in a message and an exit status, never in a traceback."""
    try:
        app()
    except BridgelawsError as wrong:
        if _wants_json(sys.argv):
            show_json({"format": 1, "errors": [each.to_json() for each in wrong.diagnostics]})
        show_problems(wrong.diagnostics)
        sys.exit(1 if isinstance(wrong, LawError | CaseError) else 2)
    except (_Stopped, KeyboardInterrupt):
        show_text("stopped", to_error=True)
        sys.exit(130)
    except _ReaderLeft:
        # The reader went away: `bridgelaws show 50B | head -1`. Nothing more can or need be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as bug:
        if "BRIDGELAWS_DEBUG" in os.environ:
            raise
        message = f"an error in bridgelaws itself: {type(bug).__name__}: {bug}"
        show_text(f"{message}; set BRIDGELAWS_DEBUG=1 to see where, and please report it", to_error=True)
        sys.exit(2)


def _wants_json(arguments: Sequence[str]) -> bool:
    return any(each in ("--format=json", "-fjson") for each in arguments) or any(
        option in ("--format", "-f") and value == "json" for option, value in pairwise(arguments)
    )
