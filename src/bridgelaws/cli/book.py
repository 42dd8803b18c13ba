"""`bridgelaws book`: the law as a book of static pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Laws
from bridgelaws.cli.output import show, with_progress
from bridgelaws.cli.test import CASES

if TYPE_CHECKING:
    pass

NAME = "book"


def run(
    out: Annotated[Path, typer.Option("--out", help="The folder to write the pages to.", show_default=False)],
    laws: Laws = None,
    cases: Annotated[
        Path | None,
        typer.Option("--cases", help="A folder of cases for the examples; tests/cases if it is there."),
    ] = None,
) -> None:
    """Write the law as a book: static pages to open in a browser.

    Every clause with its history, its rules in plain sentences, what it refers to and what refers to it, and its cases
    as examples with diagrams. Open index.html; no server is needed. Pages that an earlier run wrote into the folder and
    that are no longer in the book are removed; no other file is touched.
    """
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.lawbook.law import load_law
    from bridgelaws.pages.folder import write_pages
    from bridgelaws.pages.making import book_files

    law = load_law(laws)
    folder = cases or (CASES if CASES.is_dir() else None)
    files = book_files(
        law,
        read_cases(folder, law) if folder else (),
        lambda examples: with_progress(examples, "ruling on the examples", len(examples)),
    )
    gone = write_pages(out, files)
    removed = f", {len(gone)} of an earlier book removed" if gone else ""
    show(f"{len(files)} files in {out}{removed}; open {out / 'index.html'}")
