"""An engine that somebody watches, so that a ruling that takes too long can be given up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation, Derivations, Engine
from bridgelaws.engine.program import Fact, Program


@dataclass(frozen=True, slots=True)
class Watched:
    """Runs another engine, and before each run calls `watch`, which may raise; so may `look`, before each reason."""

    engine: Engine
    watch: Callable[[], None]
    look: Callable[[], None] | None = None

    @property
    def program(self) -> Program:
        return self.engine.program

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        self.watch()
        return self._looked(self.engine.run(facts))

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        run = self.engine.beside(facts)

        def watched(others: Sequence[Fact]) -> Conclusions:
            self.watch()
            return self._looked(run(others))

        return watched

    def _looked(self, conclusions: Conclusions) -> Conclusions:
        look = self.look
        if look is None:
            return conclusions
        return Conclusions(conclusions.program, conclusions.facts, lambda: _Looked(conclusions.derivations, look))


class _Looked(Derivations):
    """Reasons that are worked out when they are asked for, which after many runs takes longer than the runs did."""

    def __init__(self, derivations: Derivations, look: Callable[[], None]) -> None:
        super().__init__(derivations)
        self._derivations = derivations
        self._look = look

    def __getitem__(self, fact: Fact) -> Sequence[Derivation]:
        self._look()
        return self._derivations[fact]

    def get(self, fact: Fact, default: Any = None) -> Any:
        self._look()
        return self._derivations.get(fact, default)

    def rules(self, fact: Fact) -> tuple[int, ...]:
        self._look()
        return self._derivations.rules(fact)

    def rules_alike(self, kind: str) -> tuple[int, ...] | None:
        self._look()
        return self._derivations.rules_alike(kind)
