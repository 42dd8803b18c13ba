"""The variables of one rule: what type each has, where it gets its value, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bridgelaws.errors import nearest
from bridgelaws.lawbook.clauses import FieldTest, Pattern
from bridgelaws.lawbook.types import FieldType
from bridgelaws.located import PathTo

VARIABLE = re.compile(r"\$([a-z][a-z0-9_]*)\Z")


class Scope:
    """The type of each variable of one rule, and how often it stands in it.

    `doubtful` variables stand where something could not be read: what becomes of them is no second mistake.
    """

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.types: dict[str, FieldType] = {}
        self.uses: dict[str, list[PathTo]] = {}
        self.doubtful: set[str] = outer.doubtful if outer else set()

    def type_of(self, name: str) -> FieldType | None:
        return self.types.get(name) or (self.outer.type_of(name) if self.outer else None)

    def owner(self, name: str) -> Scope:
        return self.outer if self.outer and name in self.outer.uses else self

    def doubt(self, raw: Any) -> None:
        """Note every variable in something that could not be read."""
        if isinstance(raw, str) and (found := VARIABLE.match(raw)):
            self.doubtful.add(found[1])
        elif isinstance(raw, dict | list):
            for each in raw.values() if isinstance(raw, dict) else raw:
                self.doubt(each)


def single_uses(scope: Scope, local: Iterable[Scope]) -> Iterator[tuple[PathTo, str, str]]:
    """Each variable that stands only once: its place, its name, and the one that was perhaps meant."""
    for each in (scope, *local):
        for name, uses in each.uses.items():
            if len(uses) == 1 and name not in scope.doubtful:
                yield uses[0], name, near_variable(name, (scope.uses.keys() | each.uses.keys()) - {name})


def unbound(
    when: Sequence[Pattern], unless: Iterable[Sequence[Pattern]], doubtful: set[str]
) -> Iterator[tuple[str, FieldTest]]:
    """A variable gets its value where a field equals it; other tests only compare with that value."""
    bound = _bound_names(when) | doubtful
    for patterns, known in [(when, bound), *((each, bound | _bound_names(each)) for each in unless)]:
        for pattern in patterns:
            yield from ((name, test) for name, test in pattern.names() if name not in known)


def near_variable(name: str, known: Iterable[str]) -> str:
    near = nearest(name, known)
    return near.replace("'", "'$", 1) if near.startswith("did") else ""


def _bound_names(patterns: Iterable[Pattern]) -> set[str]:
    return {name for pattern in patterns for name, test in pattern.names() if test.comparator == "equal"}
