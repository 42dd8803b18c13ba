"""What an engine returns: every fact that is so, and for each concluded one the rules and bindings that gave it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from bridgelaws.engine.program import Fact, Program, Values, values_order


class Derivation(NamedTuple):
    """One reason for a fact: the rule, by its place in the program, and the values of its bound variables."""

    rule: int
    binding: Values


class Derivations(Mapping[Fact, Sequence[Derivation]]):
    """For each concluded fact every rule and binding that gave it."""

    __slots__ = ("_found",)

    def __init__(self, found: Mapping[Fact, Sequence[Derivation]]) -> None:
        self._found = found

    def __getitem__(self, fact: Fact) -> Sequence[Derivation]:
        return self._found[fact]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def rules(self, fact: Fact) -> tuple[int, ...]:
        """The rules that gave a fact, in order. An engine may know them without their bindings."""
        return tuple(sorted({each.rule for each in self[fact]}))

    def all_rules(self) -> frozenset[int]:
        """The rules that gave any fact."""
        return frozenset(each.rule for reasons in self.values() for each in reasons)

    def rules_alike(self, kind: str) -> tuple[int, ...] | None:
        """The rules that gave the facts of a kind, in order, if they gave each of its facts; else nothing."""
        rules = {self.rules(fact) for fact in self if fact.kind == kind}
        return rules.pop() if len(rules) == 1 else None


class Conclusions:
    """`facts` holds the distinct values of each kind, given and concluded; nothing in it changes."""

    def __init__(
        self, program: Program, facts: Mapping[str, Collection[Values]], derive: Callable[[], Derivations]
    ) -> None:
        self.program = program
        self.facts = facts
        self._derive = derive

    @cached_property
    def derivations(self) -> Derivations:
        """The reasons for what was concluded, and for nothing else."""
        return self._derive()

    def of(self, kind: str) -> Iterator[Fact]:
        return (Fact(kind, values) for values in self.facts.get(kind, ()))

    @cached_property
    def ordered(self) -> Mapping[str, Sequence[Values]]:
        """The facts in an order that is the same whichever engine found them: for explanations."""
        return _Ordered(self.facts)

    def reasons(self, fact: Fact) -> list[Derivation]:
        """Why a fact is so, in such an order; nothing for a fact that was given."""
        found = self.derivations.get(fact, ())
        if len(found) < 2:
            return list(found)
        return sorted(found, key=lambda each: (each.rule, values_order(each.binding)))


class _Ordered(Mapping[str, Sequence[Values]]):
    """The facts of each kind in order, put in order when a kind is first looked at."""

    def __init__(self, facts: Mapping[str, Collection[Values]]) -> None:
        self._facts = facts
        self._sorted: dict[str, Sequence[Values]] = {}

    def __getitem__(self, kind: str) -> Sequence[Values]:
        if kind not in self._sorted:
            self._sorted[kind] = sorted(self._facts[kind], key=values_order)
        return self._sorted[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


class Engine(Protocol):
    """Fires the rules of one program until nothing more follows. Engines are safe to use from several threads."""

    @property
    def program(self) -> Program: ...

    def run(self, facts: Sequence[Fact]) -> Conclusions: ...

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        """What runs the rules on these facts together with others, for many runs that share most of their facts."""
