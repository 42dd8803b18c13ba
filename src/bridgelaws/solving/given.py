"""Reports and choices as the solver sees them: that one was made, about whom and which card, and what it says.

A report with many fields would be one atom for each combination of their values. So a report is an atom with the fields
that tell it from others of its kind, and one more atom for each other field: of one card of one player a report of a
kind says one thing, not two, and what a choice is about is chosen once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bridgelaws.engine.program import Value
from bridgelaws.lawbook.vocabulary import Field, Kind, Vocabulary
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.symbols import NOBODY_SAID, applied, predicate, symbol

Atoms = dict[str, list[tuple[Value, ...]]]
ANY = "_"
_SOURCES = ("report", "choice")
# What tells one report from another; the rest is what it says.
_TELLING = ("seat", "card", "count", "side")


class Given:
    """A kind of report or choice, written for the solver."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.keys = list(kind.about) or _telling(kind)
        self.others = [name for name in kind.fields if name not in self.keys]

    def atoms(self, terms: Sequence[str], label: str = "W") -> list[str]:
        """That there is such a report, with a term for each column; `_` is any value, and costs nothing to say."""
        of_column = dict(zip(self.kind.columns, terms, strict=True))
        said = [name for name in self.others if any(of_column[each] != ANY for each in self._columns(name))]
        if said:
            for place, name in enumerate(self.keys):
                if of_column[name] == ANY:
                    of_column[name] = f"{label}_{place}"
        told = applied(predicate(self.kind.name), [of_column[c] for name in self.keys for c in self._columns(name)])
        which = [of_column[name] for name in self.keys]
        return [told, *(self._saying(name, which, [of_column[c] for c in self._columns(name)]) for name in said)]

    def about(self, terms: Mapping[str, str], label: str = "W") -> list[str]:
        """That there is such a report with these terms in these columns and anything in the others."""
        return self.atoms([terms.get(column, ANY) for column in self.kind.columns], label)

    def choices(self, bounds: Bounds, first: int) -> Iterator[str]:
        """Lines by which every report of this kind within the bounds may be made, once of each card and player."""
        ranges = [each for name in self.keys for each in self._range(name, bounds, first)]
        told = applied(predicate(self.kind.name), [c for name in self.keys for c in self._variables(name)])
        yield f"{{ {told} : {', '.join(ranges)} }}." if ranges else f"{{ {told} }}."
        which = [self._variables(name)[0] for name in self.keys]
        for name in self.others:
            saying = self._saying(name, which, self._variables(name))
            yield f"1 {{ {saying} : {', '.join(self._range(name, bounds, first))} }} 1 :- {told}."

    def counted(self) -> str:
        """A term and a condition that hold once for each report of this kind."""
        columns = [c for name in self.keys for c in self._variables(name)]
        return f"{', '.join((self.kind.name, *columns))} : {applied(predicate(self.kind.name), columns)}"

    def take(self, atoms: Atoms) -> None:
        """Put the reports of this kind in a model together again, each with all its columns."""
        said = {name: atoms.pop(self._name(name), []) for name in self.others}
        rows: list[tuple[Value, ...]] = []
        for row in atoms.pop(predicate(self.kind.name), ()):
            given = iter(row)
            values = {c: next(given) for name in self.keys for c in self._columns(name)}
            which = tuple(values[name] for name in self.keys)
            for name, sayings in said.items():
                found = next(each for each in sayings if each[: len(which)] == which)
                values |= dict(zip(self._columns(name), found[len(which) :], strict=True))
            rows.append(tuple(values[column] for column in self.kind.columns))
        if rows:
            atoms[predicate(self.kind.name)] = rows

    def _name(self, field: str) -> str:
        return f"says_{self.kind.name}__{field}"

    def _saying(self, field: str, which: Sequence[str], values: Sequence[str]) -> str:
        return applied(self._name(field), [*which, *values])

    def _columns(self, field: str) -> list[str]:
        return [field, *(f"{field}.{part}" for part in self.kind.fields[field].type.parts)]

    def _variables(self, field: str) -> list[str]:
        place = list(self.kind.fields).index(field)
        return [f"X{place}", *(f"X{place}_{part}" for part in self.kind.fields[field].type.parts)]

    def _range(self, name: str, bounds: Bounds, first: int) -> Iterator[str]:
        """What the variables of a field range over."""
        field, variables = self.kind.fields[name], self._variables(name)
        if field.type.parts:
            yield applied("deck_or_none" if field.optional else "deck", variables)
        else:
            values = [symbol(value) for value in _values(field, bounds, first)] + [NOBODY_SAID] * field.optional
            yield f"{variables[0]} = ({'; '.join(values)})"


def _telling(kind: Kind) -> list[str]:
    """The fields that tell one report of a kind from another.

    If it names several cards, it is told from others by its first card, and whose that is: what it says of the rest is
    said once.
    """
    telling = [name for name, each in kind.fields.items() if each.type.name in _TELLING and not each.optional]
    cards = [name for name in telling if kind.fields[name].type.name == "card"]
    return telling[: telling.index(cards[0]) + 1] if len(cards) > 1 else telling


def given_kinds(vocabulary: Vocabulary) -> dict[str, Given]:
    return {kind.name: Given(kind) for kind in vocabulary.of_source(*_SOURCES)}


def _values(field: Field, bounds: Bounds, first: int) -> Sequence[Value]:
    ranges: Mapping[str, Sequence[Value]] = {
        "suit": bounds.suits,
        "rank": bounds.ranks,
        "count": bounds.trick_numbers(first),
    }
    return ranges.get(field.type.name, field.type.domain)
