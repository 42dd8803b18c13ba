"""Clauses as they are written: versions, rules, patterns and conclusions, with the place of each in its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bridgelaws.engine.program import Comparator
from bridgelaws.located import Document, PathTo

FORCES = ("must", "shall", "should", "may", "does")


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, without its dollar sign."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written in a rule, already read as its field's type."""

    value: str | int | bool


Operand = Name | Literal


@dataclass(frozen=True, slots=True)
class FieldTest:
    """A test on a field, or on a part of it (the suit or the rank of a card)."""

    field: str
    part: str
    comparator: Comparator
    operands: tuple[Operand, ...]
    path: PathTo

    @property
    def column(self) -> str:
        return f"{self.field}.{self.part}" if self.part else self.field


@dataclass(frozen=True, slots=True)
class Pattern:
    """A fact of this kind whose fields pass these tests."""

    kind: str
    tests: tuple[FieldTest, ...]
    path: PathTo

    def names(self) -> Iterator[tuple[str, FieldTest]]:
        for test in self.tests:
            for operand in test.operands:
                if isinstance(operand, Name):
                    yield operand.name, test


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A fact that a rule gives: concluded, offered as a choice, or asked for."""

    kind: str
    fields: Mapping[str, Operand]
    path: PathTo
    force: str = "does"
    because: str = ""


@dataclass(frozen=True)
class LawRule:
    """One rule of a version: when all of `when` and none of `unless`, then `then`, `offer` and `ask`."""

    name: str
    when: tuple[Pattern, ...]
    unless: tuple[tuple[Pattern, ...], ...]
    then: tuple[Conclusion, ...]
    offer: tuple[Conclusion, ...]
    ask: tuple[Conclusion, ...]
    path: PathTo
    document: Document = field(repr=False, compare=False)

    @property
    def written(self) -> Any:
        """The rule as its file writes it."""
        found = self.document.data
        for step in self.path:
            found = found[step]
        return found

    @property
    def conclusions(self) -> tuple[Conclusion, ...]:
        return (*self.then, *self.offer, *self.ask)


@dataclass(frozen=True)
class Version:
    """What a clause says since an edition.

    `as_before`: it has the rules of the version before it but those named in `without`; its own rules join them, and
    one with the name of an earlier rule takes its place.
    """

    since: str
    number: str
    gist: str
    rules: tuple[LawRule, ...]
    path: PathTo
    document: Document = field(repr=False, compare=False)
    as_before: bool = False
    without: tuple[str, ...] = ()
    repealed: bool = False
    no_rules: str = ""
    see: tuple[str, ...] = ()
    confidence: str = "sure"
    note: str = ""
    advice: str = ""


@dataclass(frozen=True)
class Clause:
    """One provision of the Laws and its whole history; `id` is its file's path below `rules/`, without the ending."""

    id: str
    title: str
    versions: tuple[Version, ...]

    @property
    def law(self) -> str:
        """The folder of the clause: `50-penalty-card`."""
        return self.id.split("/")[0]
