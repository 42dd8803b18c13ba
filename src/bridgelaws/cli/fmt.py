"""`bridgelaws fmt`: lay out the files of the law and cases in one way."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.output import show
from bridgelaws.errors import Diagnostic, LawError, UsageError

NAME = "fmt"
RULES = Path("rules")
_ENDINGS = (".yaml", ".yml")


def run(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Files or folders; by default the folder rules.", show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Like --check, and show what would change.")] = False,
) -> None:
    """Lay out the files of the law and cases in one way.

    Puts the keys of a version, a rule, a kind or a case into their usual order, indents by two spaces, writes facts as
    {player: E, card: D8} where the line holds them, folds long texts, and quotes what needs it, such as "2017" or
    "45E1". What a file says never changes and no comment is lost; a file that cannot be read is left alone. A second
    run changes nothing.

    \b
        bridgelaws fmt                    lay out the folder rules
        bridgelaws fmt my-draft           lay out a draft
        bridgelaws fmt --check rules      for a test that runs by itself
        bridgelaws fmt --diff my.yaml     look before you leap
    """
    from bridgelaws.files import write_whole

    changed = unread = same = 0
    for path, named in _files(paths or _by_default()):
        try:
            before, after = _layouts(path, named)
        except LawError as wrong:
            unread += 1
            for problem in wrong.diagnostics:
                show(str(problem), "failed", to_error=True)
            continue
        if before == after:
            same += 1
            continue
        changed += 1
        if diff:
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(path), str(path), lineterm="")
            for line in lines:
                show(line, {"-": "failed", "+": "passed"}.get(line[:1], ""))
        else:
            show(f"would lay out {path}" if check else f"laid out {path}")
        if not (check or diff):
            # A link stays a link: what it points to is written.
            write_whole(path.resolve(), after)
    show(_summary(changed, same, unread, written=not (check or diff)), "failed" if unread else "passed", to_error=diff)
    if unread or (changed and (check or diff)):
        raise typer.Exit(1)


def _by_default() -> list[Path]:
    if not RULES.is_dir():
        raise UsageError(f"there is no folder '{RULES}' here", "name the files or folders to lay out")
    return [RULES]


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Each file once, and whether it was named itself rather than found in a folder."""
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder '{path}'")
        if path.is_file() and path.suffix not in _ENDINGS:
            raise UsageError(f"'{path}' is not laid out", "only files that end in .yaml are")
    for path in paths:
        for each in [path] if path.is_file() else sorted(path.rglob("*.y*ml")):
            hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
            if each.suffix in _ENDINGS and each.is_file() and not hidden and each.resolve() not in seen:
                seen.add(each.resolve())
                yield each, path.is_file()


def _layouts(path: Path, named: bool) -> tuple[str, str]:
    """The text as it is and as it should be; a file of something else that lies in a folder should be as it is."""
    from bridgelaws.formatting import formatted, laid_out_here
    from bridgelaws.located import read_bytes

    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise LawError(Diagnostic(f"the file cannot be read: {problem.strerror}", str(path))) from None
    data = read_bytes(raw, str(path), LawError).data
    before = raw.decode()
    if not named and not laid_out_here(data):
        return before, before
    return before, formatted(before.removeprefix("\ufeff"), str(path))


def _summary(changed: int, same: int, unread: int, *, written: bool) -> str:
    parts = [f"{_count(changed)} {'laid out' if written else 'would change'}"] if changed else []
    parts += [f"{_count(same)} unchanged"] if same or not (changed or unread) else []
    parts += [f"{_count(unread)} left alone"] if unread else []
    return ", ".join(parts)


def _count(files: int) -> str:
    return f"{files} file{'s' if files != 1 else ''}"
