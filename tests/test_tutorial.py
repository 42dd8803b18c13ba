"""The tutorial for committees, followed word for word in a fresh folder: what the page shows is what happens.

Fenced blocks are known by their language:

- `yaml` begins with `# file: PATH`, and is written there whole.
- `text` that begins with `# PATH, in KIND, below WORDS` is added to that file, in what it says of that kind below the
  line that begins with these words, and as far to the right.
- `text` that begins with `# PATH, instead of WORDS` takes the place of these words in that file.
- `console` shows commands, each after `$ `, and below each all that it prints; `| head -5` keeps the first five lines.

When the law or the program has changed what they print, `python tests/test_tutorial.py` brings the page up to date:
read what it changed before you keep it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest

from bridgelaws.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "for-committees.md"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# file: (.+)\n")
_ADDED = re.compile(r"# (\S+), in (\w+), below (.+)\n")
_INSTEAD = re.compile(r"# (\S+), instead of (.+)\n(.+)\n")
_HEAD = re.compile(r" \| head -(\d+)$")


@dataclass(frozen=True)
class Step:
    """A block of the page: what the reader writes, or a command and what it prints."""

    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{PAGE.name}:{self.line}"


def steps(page: str) -> list[Step]:
    return [Step(page.count("\n", 0, each.start()) + 1, each[1], each[2]) for each in _FENCE.finditer(page)]


def sessions(step: Step) -> Iterator[tuple[str, str]]:
    """Each command of a console block, and what the page says it prints."""
    for part in re.split(r"^\$ ", step.text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def write(step: Step, folder: Path) -> None:
    if found := _FILE.match(step.text):
        path = folder / found[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, encoding="utf-8")
    elif found := _ADDED.match(step.text):
        path = folder / found[1]
        wanted = re.compile(rf"(?m)^(  {found[2]}:\n(?:    .*\n)*?)( *)({re.escape(found[3])}.*\n)")
        before = path.read_text(encoding="utf-8")
        assert wanted.search(before), f"{step}: {found[2]} has no line '{found[3]}' in {found[1]}"
        added = step.text.removeprefix(found[0])
        path.write_text(wanted.sub(lambda at: f"{at[0]}{at[2]}{added}", before), encoding="utf-8")
    elif found := _INSTEAD.fullmatch(step.text):
        path = folder / found[1]
        before = path.read_text(encoding="utf-8")
        assert before.count(found[2]) == 1, f"{step}: '{found[2]}' is not once in {found[1]}"
        path.write_text(before.replace(found[2], found[3]), encoding="utf-8")
    else:
        raise AssertionError(f"{step} does not say what it is")


def printed(command: str) -> str:
    """All that a command prints, as on a terminal a hundred columns wide that is not one for colours."""
    shorter = _HEAD.search(command)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    arguments = shlex.split(_HEAD.sub("", command))
    with (
        mock.patch.object(sys, "argv", arguments),
        mock.patch.dict(os.environ, {"COLUMNS": "100"}),
        contextlib.redirect_stdout(stream),
        contextlib.redirect_stderr(stream),
        contextlib.suppress(SystemExit),
    ):
        main()
    stream.flush()
    stream.seek(0)
    lines = stream.read().splitlines(keepends=True)
    return "".join(lines[: int(shorter[1])] if shorter else lines)


def followed(page: str) -> Iterator[tuple[Step, str, str, str]]:
    """Each command of the page in order, in a fresh folder: its step, the command, what is shown, what is printed."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for step in steps(page):
            if step.language == "console":
                for command, shown in sessions(step):
                    assert command.startswith("bridgelaws "), f"{step}: the page runs only our own commands"
                    yield step, command, shown, printed(command)
            else:
                write(step, Path(folder))


def test_the_tutorial_works_as_it_is_written() -> None:
    for step, command, shown, got in followed(PAGE.read_text(encoding="utf-8")):
        assert got == shown, f"{step}: {command} prints something else; run python tests/test_tutorial.py"


def test_the_tutorial_shows_every_command_that_a_committee_needs() -> None:
    commands = {
        command.split()[1]
        for step in steps(PAGE.read_text(encoding="utf-8"))
        if step.language == "console"
        for command, _ in sessions(step)
    }
    assert {"new", "check", "fmt", "test", "impact", "why", "coverage", "show", "book"} <= commands


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ("```console\n$ bridgelaws new edition 2027-draft ours\nsomething else\n```\n", "prints something else"),
        ("```yaml\ntitle: no place\n```\n", "does not say what it is"),
        ("```text\n# ours.yaml, in a, below no\nadded\n```\n", "a has no line 'no' in ours.yaml"),
        ("```text\n# ours.yaml, instead of no\nyes\n```\n", "'no' is not once in ours.yaml"),
        ("```console\n$ rm -r ours\n```\n", "the page runs only our own commands"),
    ],
)
def test_a_page_that_does_not_work_is_noticed(block: str, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"```yaml\n# file: ours.yaml\na: b\n```\n\n{block}"
    monkeypatch.setattr(sys.modules[__name__], "PAGE", mock.Mock(read_text=lambda **_: text))
    with pytest.raises(AssertionError, match=complaint):
        test_the_tutorial_works_as_it_is_written()


def test_what_is_added_stands_in_its_kind_below_that_line_and_as_far_to_the_right(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kinds:\n  a:\n    x: 1\n  b:\n    z: 0\n      x: 2\n  c:\n", encoding="utf-8")
    write(Step(1, "text", "# a.yaml, in b, below x:\ny: 3\n"), tmp_path)
    added = "kinds:\n  a:\n    x: 1\n  b:\n    z: 0\n      x: 2\n      y: 3\n  c:\n"
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == added


def test_a_page_is_brought_up_to_date_and_then_works() -> None:
    begin = "bridgelaws new edition 2027-draft ours"
    page = f"# A page\n\n```console\n$ {begin}\nstale\n```\n\n```console\n$ {begin}\nstale\n```\n"
    mended = up_to_date(page)
    assert "stale" not in mended
    assert "next: bridgelaws new clause" in mended
    assert "'ours/editions.yaml' is there already" in mended, "the second time it is there"
    assert all(shown == got for _, _, shown, got in followed(mended))


def up_to_date(page: str) -> str:
    """The page with what its commands print today."""
    told: dict[int, list[str]] = {}
    for step, command, _, got in followed(page):
        told.setdefault(step.line, []).append(f"$ {command}\n{got}")
    texts = iter(["".join(told.get(each.line, [each.text])) for each in steps(page)])
    return _FENCE.sub(lambda at: f"```{at[1]}\n{next(texts)}```", page)


if __name__ == "__main__":
    PAGE.write_text(up_to_date(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
