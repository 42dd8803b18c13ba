"""The options that every command takes, and what they stand for."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Edition = Annotated[
    str | None, typer.Option("--edition", "-e", help="The edition of the Laws, such as 1997; by default the latest.")
]
Laws = Annotated[
    Path | None, typer.Option("--laws", help="A folder with a draft, laid over the shipped law.", show_default=False)
]


class Format(StrEnum):
    """How to print."""

    text = "text"
    json = "json"


Formatted = Annotated[Format, typer.Option("--format", "-f", help="Print text to read, or JSON for programs.")]


class EngineName(StrEnum):
    """Which engine fires the rules."""

    compiled = "compiled"
    durable = "durable"


class EngineChoice(StrEnum):
    """Which engine fires the rules, or both to see that they agree."""

    compiled = "compiled"
    durable = "durable"
    both = "both"


Engine = Annotated[EngineName, typer.Option("--engine", help="The engine that fires the rules.")]
CaseFile = Annotated[
    str, typer.Argument(metavar="CASE", help="A case file, YAML or JSON; - reads standard input.", show_default=False)
]
