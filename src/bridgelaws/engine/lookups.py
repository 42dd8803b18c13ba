"""How the lines that fire rules find facts, for the compiled engine: by looking through a kind, or by an index."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bridgelaws.engine.program import Term, Variable
from bridgelaws.engine.tables import FEW


@dataclass(frozen=True, slots=True)
class Known:
    """What is known where lines are written: the kinds that are there, those that can be, and columns always filled.

    A kind has a number, and by it a bit in `present` and `reached`. Of kinds that are `many` there will mostly be many
    facts, though there may be few; in columns that are `unique` mostly no value comes twice. `keys` are the columns to
    index a kind by, the best first; where there are none, it is the first column that is compared. In one function for
    a whole plan (`in_one`) each kind has its local name from the start; else every rule gives names to its own kinds.
    """

    kinds: Mapping[str, int]
    present: int = 0
    reached: int = -1
    filled: frozenset[tuple[str, int]] = frozenset()
    sizes: Mapping[str, float] = field(default_factory=dict)
    many: frozenset[str] = frozenset()
    unique: frozenset[tuple[str, int]] = frozenset()
    keys: Mapping[str, Sequence[int]] = field(default_factory=dict)
    in_one: bool = False

    def rows(self, kind: str) -> str:
        return f"k{self.kinds[kind]}"

    def bound(self, kinds: Iterable[str], pad: str) -> list[str]:
        """The lines that give kinds their local names."""
        return [f"{pad}{self.rows(kind)} = R[{kind!r}]" for kind in kinds]

    def can_be(self, kind: str) -> bool:
        return bool(self.reached >> self.kinds[kind] & 1)

    def may_be_empty(self, kind: str) -> bool:
        return not self.present >> self.kinds[kind] & 1


class Lookups:
    """Writes what gives the rows to look at, and keeps count of the indexes for it.

    Rows of a kind that is `concluded` are in a dict, so that one of which all is known is found at once.
    """

    def __init__(self, concluded: Collection[str]) -> None:
        self._concluded = concluded
        # The number of each index: by the kind, the column, and what it has of each value.
        self.indexes: dict[tuple[str, int, str], int] = {}
        # The kinds looked up so far, each with the columns of which one would do for an index.
        self.looked_up: list[tuple[str, frozenset[int]]] = []
        # The kinds that lines for a whole plan look through, as there mostly are few facts of them.
        self.looked_through: set[str] = set()
        self._indexes_of: dict[str, list[int]] = {}

    def indexes_of(self, kind: str) -> Sequence[int]:
        return self._indexes_of.get(kind, ())

    def among(self, kind: str, keyed: Sequence[tuple[int, Term]], known: Known) -> str:
        """That a row is there of which every column is known."""
        row = tuple_text([term_text(term) for _, term in keyed], always_tuple=True)
        rows = known.rows(kind)
        if kind in self._concluded or len(keyed) == 1:
            return f"{row} in {rows}"
        return f"{row} in {self.rows_with(kind, keyed, known)[0]}"

    def rows_with(self, kind: str, keyed: Sequence[tuple[int, Term]], known: Known) -> tuple[str, int | None]:
        """Where to look for the rows of a kind: all of them, or, if they are many, those that an index gives.

        With it comes the column that need not be compared any more.
        """
        rows = known.rows(kind)
        by = [column for column, term in keyed if isinstance(term, Variable)]
        if not by:
            return rows, None
        self.looked_up.append((kind, frozenset(by)))
        # An index by one column serves more rules than one by all that are known, and is made sooner.
        column = next((each for each in known.keys.get(kind, ()) if each in by), by[0])
        key = next(term_text(term) for place, term in keyed if place == column)
        if known.in_one and kind not in known.many:
            self.looked_through.add(kind)
            return rows, None
        unique = (kind, column) in known.unique
        index = self.index(kind, column, "row" if unique else "rows")
        if unique:
            return f"one({rows}, {column}, X, {index}, {key})", column
        if known.in_one:
            return f"(X[{index}] or rows_of({rows}, {column}, X, {index})).get({key}, ())", column
        look = f"look({rows}, {column}, X, {index}, {key})"
        return f"({rows} if len({rows}) < {FEW} else X[{index}].get({key}, ()) if X[{index}] else {look})", None

    def index(self, kind: str, column: int, of: str) -> int:
        """The number of the index of a kind by a column, of what it has of each value: the rows, its row, or itself."""
        key = (kind, column, of)
        if key not in self.indexes:
            self.indexes[key] = len(self.indexes)
            self._indexes_of.setdefault(kind, []).append(self.indexes[key])
        return self.indexes[key]


def term_text(term: Term, names: Mapping[int, str] | None = None) -> str:
    if isinstance(term, Variable):
        return (names or {}).get(term.index) or f"v{term.index}"
    return repr(term.value)


def tuple_text(parts: Sequence[str], *, always_tuple: bool = False) -> str:
    if len(parts) == 1 and not always_tuple:
        return parts[0]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
