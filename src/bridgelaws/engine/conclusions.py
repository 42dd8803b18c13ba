"""What an engine returns: every fact that is so, and for each concluded one the rules and bindings that gave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from bridgelaws.engine.program import Fact, Program, Values, values_order


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

    @cached_property
    def ordered(self) -> Mapping[str, Sequence[Values]]:
        """The facts in an order that is the same whichever engine found them: for explanations."""
        return {kind: sorted(values, key=values_order) for kind, values in self.facts.items()}

    def reasons(self, fact: Fact) -> list[Derivation]:
        """Why a fact is so, in such an order; nothing for a fact that was given."""
        found = self.derivations.get(fact, ())
        return sorted(found, key=lambda each: (each.rule, values_order(each.binding)))


class Engine(Protocol):
    """Fires the rules of one program until nothing more follows. Engines are safe to use from several threads."""

    @property
    def program(self) -> Program: ...

    def run(self, facts: Sequence[Fact]) -> Conclusions: ...
