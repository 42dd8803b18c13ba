"""How commands print: colour on a terminal and none in a pipe, suit symbols where they can be shown."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from bridgelaws.errors import Diagnostic
from bridgelaws.notation import ascii_only
from bridgelaws.ruling.text import Line, laid_out

Item = TypeVar("Item")

# What a terminal understands as colours, and as bold.
RED, GREEN, YELLOW, CYAN, BRIGHT_BLACK = 31, 32, 33, 36, 90
_BOLD = 1
_USUAL_WIDTH = 100
_COLOURS = {
    "option": CYAN,
    "question": YELLOW,
    "conflict": RED,
    "advice": GREEN,
    "given": GREEN,
    "not so": BRIGHT_BLACK,
    "rule": BRIGHT_BLACK,
    "failed": RED,
    "passed": GREEN,
    "gone": RED,
    "come": GREEN,
}
# A terminal would obey these, and half a character cannot be printed at all.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def symbols_shown(stream: Any = None) -> bool:
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    try:
        "♠".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def colour_wanted(stream: Any = None) -> bool:
    target = stream or sys.stdout
    return target is not None and target.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def with_progress(items: Iterable[Item], title: str, total: int | None = None) -> Iterator[Item]:
    """The items, with a bar on a terminal and nothing in a pipe."""
    if not colour_wanted(sys.stderr):
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, title, total, transient=True, console=Console(stderr=True))


def width() -> int:
    return min(110, _columns())


def _columns() -> int:
    """As shutil tells it, which takes longer to load than a ruling takes to print."""
    with suppress(ValueError):
        if (told := int(os.environ.get("COLUMNS", 0))) > 0:
            return told
    with suppress(AttributeError, ValueError, OSError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL_WIDTH  # type: ignore[union-attr]
    return _USUAL_WIDTH


def show(text: str, part: str = "", *, to_error: bool = False) -> None:
    stream = sys.stderr if to_error else sys.stdout
    print(painted(text, part, stream), file=stream)


def printable(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return _UNPRINTABLE.sub("?", text)


def painted(text: str, part: str = "", stream: Any = None, *, bold: bool = False) -> str:
    """The text as the stream can show it, in the colour of its part where colour is wanted."""
    shown = printable(text)
    if not symbols_shown(stream):
        shown = ascii_only(shown)
    if (part in _COLOURS or bold) and colour_wanted(stream):
        codes = [*([_COLOURS[part]] if part in _COLOURS else []), *([_BOLD] if bold else [])]
        shown = f"\x1b[{';'.join(map(str, codes))}m{shown}\x1b[0m"
    return shown


def show_lines(lines: Iterable[Line]) -> None:
    for line in lines:
        show(laid_out(line, width()), line.part)


def show_json(value: Any) -> None:
    print(json_text(value))


def json_text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=not symbols_shown(), indent=2)
    return json.dumps(value, indent=2) if _UNPRINTABLE.search(text) else text


def show_problems(problems: Iterable[Diagnostic]) -> None:
    for problem in problems:
        show(str(problem), to_error=True)
