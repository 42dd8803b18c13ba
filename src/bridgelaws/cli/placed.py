"""Show a problem with the line it stands in, and a caret under the place."""

from __future__ import annotations

from pathlib import Path

from bridgelaws.cli.output import show, width
from bridgelaws.errors import Diagnostic

_ELSEWHERE = "…"


def show_placed(problem: Diagnostic, path: Path) -> None:
    """The problem with its code, and below it the line of the file; red, or yellow for a warning."""
    part = "failed" if problem.severity == "error" else "question"
    show(f"{problem} [{problem.code}]" if problem.code else str(problem), part)
    line = _line(path, problem.line)
    if line is not None:
        margin = f"{problem.line:>5} | "
        text, caret = _around(line, problem.column - 1, width() - len(margin))
        show(f"{margin}{text}")
        show(f"{'|':>7} {' ' * caret}^", part)


def _line(path: Path, number: int) -> str | None:
    try:
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError:
        return None
    # A tab counts as one column, and an empty line shows nothing.
    return lines[number - 1].replace("\t", " ") if 0 < number <= len(lines) and lines[number - 1].strip() else None


def _around(line: str, column: int, room: int) -> tuple[str, int]:
    """As much of a long line as there is room for, and the place of the column in it."""
    if len(line) <= room:
        return line, column
    start = max(0, min(column - room // 2, len(line) - room))
    shown = line[start : start + room]
    if start:
        shown = _ELSEWHERE + shown[1:]
    if start + room < len(line):
        shown = shown[:-1] + _ELSEWHERE
    return shown, column - start
