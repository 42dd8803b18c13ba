"""Texts side by side: one column an edition, or one below the other where there is no room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from bridgelaws.compare.words import differing_words

Paint = Callable[[str, str, bool], str]
NARROWEST, WIDEST = 34, 60
INDENT = "  "
BETWEEN = " │ "


Words = tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Cell:
    """Texts in a column, with their differing words; `part` says how they are coloured, `mark` stands before each."""

    texts: tuple[Words, ...] = ()
    part: str = ""
    mark: str = ""


NOTHING = Cell()


@dataclass(frozen=True)
class Columns:
    """The labels of the columns, how wide each is, and whether there is room for them beside each other."""

    labels: tuple[str, ...]
    room: int
    paint: Paint

    @property
    def width(self) -> int:
        across = (self.room - len(INDENT) - len(BETWEEN) * (len(self.labels) - 1)) // len(self.labels)
        return min(WIDEST, across)

    @property
    def stacked(self) -> bool:
        return self.width < NARROWEST

    def row(self, cells: Sequence[Cell]) -> Iterator[str]:
        """The lines of one row; nothing of a row whose cells are all empty."""
        return self._below(cells) if self.stacked else self._beside(cells)

    def _beside(self, cells: Sequence[Cell]) -> Iterator[str]:
        wrapped = [list(self._wrapped(cell, self.width)) for cell in cells]
        for lines in zip_longest(*wrapped, fillvalue=("", 0)):
            padded = [text + " " * (self.width - length) for text, length in lines]
            yield f"{INDENT}{BETWEEN.join(padded)}".rstrip()

    def _below(self, cells: Sequence[Cell]) -> Iterator[str]:
        longest = max(map(len, self.labels))
        for label, cell in zip(self.labels, cells, strict=True):
            start = f"{label:<{longest}}  "
            for text, _ in self._wrapped(cell, self.room - len(INDENT) - len(start)):
                yield f"{INDENT}{self.paint(start, 'rule', False)}{text}"
                start = " " * len(start)

    def _wrapped(self, cell: Cell, width: int) -> Iterator[tuple[str, int]]:
        """The lines of a cell, painted, each with the length it has on the screen."""
        for words in cell.texts:
            start = f"{cell.mark} " if cell.mark else ""
            line: list[tuple[str, bool]] = []
            length = 0
            for word, differs in _short(words, width - len(start)):
                if line and len(start) + length + 1 + len(word) > width:
                    yield self._painted(start, line, cell), len(start) + length
                    start, line, length = " " * len(start), [], 0
                length += len(word) + (1 if line else 0)
                line.append((word, differs))
            yield self._painted(start, line, cell), len(start) + length

    def _painted(self, start: str, line: Sequence[tuple[str, bool]], cell: Cell) -> str:
        whole = cell.part if cell.mark else ""
        runs = [
            self.paint(" ".join(word for word, _ in run), cell.part if differs else whole, differs)
            for differs, run in groupby(line, key=lambda each: each[1])
        ]
        return self.paint(start, whole, False) + " ".join(runs)


def _short(words: Words, width: int) -> Iterator[tuple[str, bool]]:
    """A word longer than a line is broken."""
    for word, differs in words:
        for start in range(0, len(word), width):
            yield word[start : start + width], differs


def plain(text: str, part: str = "", mark: str = "") -> Cell:
    return Cell((_unmarked(text),) if text else (), part, mark)


def _unmarked(text: str) -> Words:
    return tuple((word, False) for word in text.split())


def changed_cells(before: str, after: str, *, marked: bool = True) -> tuple[Cell, Cell]:
    """How it was and how it is; with marks, a minus and a plus tell them apart without colour."""
    minus, plus = ("-", "+") if marked else ("", "")
    if not (before and after):
        return plain(before, "gone", minus), plain(after, "come", plus)
    old, new = differing_words(before, after)
    return Cell((old,), "gone", minus), Cell((new,), "come", plus)


def listed_cells(before: Sequence[str], after: Sequence[str]) -> tuple[Cell, Cell]:
    """Several lines that fell away, and several that came."""
    old, new = tuple(_unmarked(each) for each in before), tuple(_unmarked(each) for each in after)
    return Cell(old, "gone", "-"), Cell(new, "come", "+")
