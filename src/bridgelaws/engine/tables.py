"""Tables of the facts of a run, the indexes on them, and what such tables mostly look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from bridgelaws.engine.program import Values

# So few facts are sooner looked through than put into an index.
FEW = 6
# So many are put into one even where there mostly are few.
SO_MANY = 52
# The facts of each kind. Of a kind that rules conclude they are in a dict, a set that keeps its order; if rules are
# noted, it has for each fact the bits of those that gave it. Of other kinds they are as they were given.
Rows = dict[str, dict[Values, int] | list[Values]]
# The rows with each value in a column, where no value comes twice the row alone; or only the values.
Index = dict[Any, list[Values]] | dict[Any, Values | list[Values]] | set[Any]
# An index that is not there yet: nobody has asked for it, or (False) somebody has, once.
Indexes = list[Index | Literal[False] | None]


class Apart(NamedTuple):
    """How many facts there were in a table, and how many different values in each of its columns."""

    facts: int
    values: tuple[int, ...]


class Typical:
    """What tables mostly look like, by the runs that were seen; of the facts themselves nothing is kept."""

    def __init__(self) -> None:
        self._tables: Counter[str] = Counter()
        self._facts: Counter[str] = Counter()
        self._longest: dict[str, Apart] = {}

    def see(self, rows: Rows) -> None:
        for kind, found in rows.items():
            if found:
                self._tables[kind] += 1
                self._facts[kind] += len(found)
                if kind not in self._longest or len(found) > self._longest[kind].facts:
                    columns = zip(*found, strict=True)
                    self._longest[kind] = Apart(len(found), tuple(len(set(column)) for column in columns))

    def sizes(self) -> dict[str, float]:
        """How many facts of each kind there are, where there are any."""
        return {kind: self._facts[kind] / tables for kind, tables in self._tables.items()}

    def many(self) -> dict[str, Apart]:
        """The longest table of each kind of which there are mostly many facts."""
        tables = self._longest.items()
        return {kind: longest for kind, longest in tables if self._facts[kind] >= FEW * self._tables[kind]}


def fewest_keys(looked_up: Iterable[tuple[str, frozenset[int]]], many: Mapping[str, Apart]) -> dict[str, list[int]]:
    """For each kind columns of which each look-up compares one, as few as can be; of two that serve alike, the column
    that tells more rows apart."""
    wanted: dict[str, list[frozenset[int]]] = {}
    for kind, columns in looked_up:
        wanted.setdefault(kind, []).append(columns)
    keys: dict[str, list[int]] = {}
    for kind, left in wanted.items():
        if kind not in many:
            continue
        apart = many[kind].values
        keys[kind] = []
        while left:
            alone = [columns for columns in left if len(columns) == 1]
            counted = Counter(column for columns in alone or left for column in columns)
            best = max(counted, key=lambda column: (counted[column], apart[column], -column))
            keys[kind].append(best)
            left = [columns for columns in left if best not in columns]
    return keys


def look(rows: Collection[Values], column: int, indexes: Indexes, number: int, key: Any) -> Collection[Values]:
    """The rows with a key in a column, by an index, which may not be there yet.

    To look through all rows once takes less time than to make it, so for the first to ask that is done.
    """
    index: Any = indexes[number]
    if index is None:
        indexes[number] = False
        return [row for row in rows if row[column] == key]
    if index is False:
        index = rows_of(rows, column, indexes, number)
    found: Collection[Values] = index.get(key, ())
    return found


def one(rows: Collection[Values], column: int, indexes: Indexes, number: int, key: Any) -> Collection[Values]:
    """The same for a column in which mostly no value comes twice."""
    index: Any = indexes[number] or each(rows, column, indexes, number)
    found = index.get(key)
    if found is None:
        return ()
    return found if type(found) is list else (found,)


def each(rows: Collection[Values], column: int, indexes: Indexes, number: int) -> Index:
    """The row with each value, made in half the time; if a value does come twice, the rows."""
    index: dict[Any, Any] = {}
    # A loop of its own, since Python calls a function for a comprehension.
    for row in rows:
        index[row[column]] = row
    if len(index) < len(rows):
        return rows_of(rows, column, indexes, number)
    indexes[number] = index
    return index


def rows_of(rows: Collection[Values], column: int, indexes: Indexes, number: int) -> dict[Any, list[Values]]:
    """The rows with each value, by an index that is not there yet."""
    index: dict[Any, list[Values]] = {}
    value: Any = rows
    # Rows with a value mostly follow each other.
    for row in rows:
        if row[column] is not value:
            value = row[column]
            if value in index:
                found = index[value]
            else:
                index[value] = found = []
        found.append(row)
    indexes[number] = index
    return index


def values(rows: Collection[Values], column: int, indexes: Indexes, number: int) -> set[Any]:
    """The values in a column, by an index that is not there yet."""
    found = {row[column] for row in rows}
    indexes[number] = found
    return found
