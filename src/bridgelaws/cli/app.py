"""All the commands together."""

from __future__ import annotations

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from bridgelaws.cli import (
    ask,
    audit,
    batch,
    book,
    check,
    claim,
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
    words,
)
from bridgelaws.cli.output import show as show_text
from bridgelaws.cli.stopping import ReaderLeft, Stopped


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
            raise Stopped from None
        except BrokenPipeError:
            raise ReaderLeft from None


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
    ask,
    rule,
    claim,
    why,
    why_not,
    check,
    fmt,
    test,
    impact,
    coverage,
    show,
    words,
    book,
    diff,
    verify,
    batch,
    audit,
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
