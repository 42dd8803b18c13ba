"""What an engine returns: every fact that is so, and for each concluded one the rules and bindings that gave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bridgelaws.engine.program import Fact, Program, Values


@dataclass(frozen=True, slots=True)
class Derivation:
    """One reason for a fact: the rule, by its place in the program, and the values of its bound variables."""

    rule: int
    binding: Values


@dataclass(frozen=True)
class Conclusions:
    """`facts` holds the distinct values of each kind, given and concluded; `derivations` only the concluded ones."""

    program: Program
    facts: Mapping[str, Sequence[Values]]
    derivations: Mapping[Fact, Sequence[Derivation]]

    def of(self, kind: str) -> Iterator[Fact]:
        return (Fact(kind, values) for values in self.facts.get(kind, ()))


class Engine(Protocol):
    """Fires the rules of one program until nothing more follows. Engines are safe to use from several threads."""

    @property
    def program(self) -> Program: ...

    def run(self, facts: Sequence[Fact]) -> Conclusions: ...
