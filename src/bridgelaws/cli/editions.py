"""`bridgelaws editions`: what changed from edition to edition."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.options import Laws
from bridgelaws.cli.output import show

NAME = "editions"


def run(
    laws: Laws = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the page to this file.", show_default=False)] = None,
) -> None:
    """Show what changed from edition to edition.

    A Markdown page made from the clause files: for each clause that changed, what each edition says.
    """
    from bridgelaws.compare.history import editions_page
    from bridgelaws.files import write_whole
    from bridgelaws.lawbook.law import load_law

    page = editions_page(load_law(laws))
    if out is None:
        show(page.rstrip("\n"))
    else:
        write_whole(out, page)
        show(str(out))
