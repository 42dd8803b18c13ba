"""`bridgelaws schemas`: write the JSON Schemas that editors use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.options import Laws
from bridgelaws.cli.output import show

NAME = "schemas"


def run(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write into.", show_default=False)],
    laws: Laws = None,
) -> None:
    """Write the JSON Schemas for editors.

    They describe every file and message; with --laws they know the kinds of a draft too.
    """
    from bridgelaws.contract import schema_files
    from bridgelaws.files import write_whole
    from bridgelaws.lawbook.law import load_law

    for name, text in schema_files(load_law(laws).vocabulary).items():
        write_whole(folder / name, text)
        show(str(folder / name))
