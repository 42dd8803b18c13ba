"""An engine that somebody watches, so that a ruling that takes too long can be given up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bridgelaws.engine.conclusions import Conclusions, Engine
from bridgelaws.engine.program import Fact, Program


@dataclass(frozen=True, slots=True)
class Watched:
    """Runs another engine, and before each run calls `watch`, which may raise."""

    engine: Engine
    watch: Callable[[], None]

    @property
    def program(self) -> Program:
        return self.engine.program

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        self.watch()
        return self.engine.run(facts)

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        run = self.engine.beside(facts)

        def watched(others: Sequence[Fact]) -> Conclusions:
            self.watch()
            return run(others)

        return watched
