"""Ask the solver for tables: ground once, then look for the smallest table on which each question holds."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bridgelaws.engine.program import Value
from bridgelaws.errors import UsageError
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.tables import domain, found_case, table_program

if TYPE_CHECKING:
    import clingo

Atoms = dict[str, list[tuple[Value, ...]]]
# Seconds for one question to the solver.
PATIENCE = 20.0
PATIENCE_FOR_SMALLEST = 3.0


class OutOfTime(Exception):
    """The solver found no table and could not rule out that there is one."""


@dataclass(frozen=True)
class Found:
    """A table that the solver found, as a case file says it, and everything that holds there."""

    case: dict[str, Any]
    atoms: Atoms


class Search:
    """Everything that could be typed within the bounds, with the rules of one or more laws over it."""

    def __init__(self, vocabulary: Vocabulary, bounds: Bounds, rules: Iterable[str], read: Collection[str]) -> None:
        self.vocabulary = vocabulary
        self.control = _control()
        text = "\n".join((table_program(), *domain(vocabulary, bounds, read), *rules))
        self.control.add("base", [], text)
        self.control.ground([("base", [])])

    def find(self, until: float = math.inf) -> Found | None:
        """A table, the smallest that the time allows; `None` if there is none. `until` is a time of the clock.

        First any table at all, which is quick: only when there is one it is worth looking for the smallest.
        """
        found = self._solve("ignore", min(until, time.monotonic() + PATIENCE))
        if found is None:
            return None
        with suppress(OutOfTime):
            found = self._solve("opt", time.monotonic() + PATIENCE_FOR_SMALLEST) or found
        return Found(found_case(found, self.vocabulary), found)

    def exists(self, until: float = math.inf) -> bool:
        """Whether there is a table at all."""
        return self._solve("ignore", min(until, time.monotonic() + PATIENCE)) is not None

    def _solve(self, optimise: str, until: float) -> Atoms | None:
        best: Atoms | None = None
        solving: Any = self.control.configuration.solve
        solving.opt_mode = optimise
        with self.control.solve(yield_=True, async_=True) as handle:
            while handle.wait(max(0.0, until - time.monotonic())):
                model = handle.model()
                if model is None:
                    return best
                best = atoms_of(model)
                if optimise == "ignore":
                    return best
                handle.resume()
            handle.cancel()
        if best is None:
            raise OutOfTime
        return best


def _control() -> clingo.Control:
    try:
        import clingo
    except ImportError:
        raise UsageError("searching for tables needs clingo", 'install it: pip install "bridgelaws[solver]"') from None
    # Core-guided optimisation: the smallest table is a small one, so look from below.
    return clingo.Control(["--warn=none", "--opt-strategy=usc", "--eq=0"], logger=lambda _code, _message: None)


def atoms_of(model: clingo.Model) -> Atoms:
    found: Atoms = {}
    for each in model.symbols(atoms=True):
        found.setdefault(each.name, []).append(tuple(map(_value, each.arguments)))
    return found


def _value(symbol: clingo.Symbol) -> Value:
    import clingo

    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    return {"none": None, "true": True, "false": False}.get(symbol.name, symbol.name)
