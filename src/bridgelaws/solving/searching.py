"""Ask the solver for tables: ground once, then look for the smallest table on which each question holds."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from bridgelaws.engine.program import Value
from bridgelaws.errors import UsageError
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.given import Atoms, given_kinds
from bridgelaws.solving.proven import question_digest
from bridgelaws.solving.symbols import symbol
from bridgelaws.solving.tables import domain, found_case, table_program

if TYPE_CHECKING:
    import clingo

# Seconds for one question to the solver.
PATIENCE = 60.0
# Seconds between two looks at the clock.
_GLANCE = 0.05
PATIENCE_FOR_SMALLEST = 2.0
# Seconds in which it is tried to prove many goals at once.
PATIENCE_FOR_ALL = 0.3
# Seconds after which a part is searched by bits.
PATIENCE_FOR_WHOLE = 5.0


class OutOfTime(Exception):
    """The solver found no table and could not rule out that there is one."""


def clock() -> float:
    """The time by which a search is limited: seconds of the processor, so that a busy machine finds no less."""
    return time.process_time()


@dataclass(frozen=True)
class Found:
    """A table that the solver found, as a case file says it, and everything that holds there."""

    case: dict[str, Any]
    atoms: Atoms


# Atoms that hold, or do not hold, on certain tables.
Assumed = tuple[tuple[str, bool], ...]
# The tables in parts, the plainest first: each is searched to its end much sooner than all of them at once.
_PARTS: tuple[Assumed, ...] = (
    (("play", True), ("complete", False), ("begun", False)),
    (("play", True), ("complete", False), ("begun", True)),
    (("play", True), ("complete", True), ("begun", False)),
    (("play", True), ("complete", True), ("begun", True)),
    (("play", False),),
)
# So many cards may lie in a trick in progress.
_CARDS_IN_TRICK = (1, 2, 3)


def _finer(part: Assumed) -> Iterator[Assumed]:
    """The tables of a part by their trumps and the cards in the trick: a hard question ends sooner in all of these."""
    if ("play", True) not in part:
        yield part
        return
    tricks = [f"cards_played({each})" for each in _CARDS_IN_TRICK] if ("begun", True) in part else [""]
    for strain, trick in product(("S", "NT"), tricks):
        more = (f"strain({symbol(strain)})", trick)
        yield (*part, *((each, True) for each in more if each))


class Search:
    """Everything that could be typed within the bounds, with the rules of one or more laws over it."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        bounds: Bounds,
        rules: Iterable[str],
        read: Collection[str],
        options: Sequence[str] = (),
    ) -> None:
        self.vocabulary, self.bounds = vocabulary, bounds
        self.rules, self.read, self.options = tuple(rules), read, options
        self._grounded: dict[int, clingo.Control] = {}

    def digest(self, goals: Iterable[str] = ()) -> str:
        """What tells the question whether there is a table, or one for any of these goals, from every other."""
        lines = (line for first in self.bounds.first_tricks for line in self._lines(first))
        return question_digest((*lines, *(f"goal {each}" for each in goals)))

    def find(self, until: float = math.inf) -> Found | None:
        """A table, the smallest that the time allows; `None` if there is none, until the clock says so much.

        First any table at all, which is quick: only when there is one it is worth looking for the smallest.
        """
        for first, part in product(self.bounds.first_tricks, _PARTS):
            found = self._solve(first, part, "ignore", min(until, clock() + PATIENCE))
            if found is not None:
                return self._small(first, part, found)
        return None

    def find_each(self, goals: Sequence[str], any_goal: str, patience: float) -> Iterator[tuple[str, Found | None]]:
        """A table for each of the goals, atoms of which `any_goal` holds where one does; `None` if there is none.

        Of a goal for which so many seconds were not enough nothing is said. To prove one goal after the other takes
        much less time than to prove them all at once, except where that is easy.
        """
        left = dict.fromkeys(goals, patience)
        for first, part in product(self.bounds.first_tricks, _PARTS):
            with suppress(OutOfTime):
                if self._solve(first, part, "ignore", clock() + PATIENCE_FOR_ALL, any_goal) is None:
                    continue
            for goal in [goal for goal in left if left[goal] > 0]:
                began = clock()
                table: Found | None = None
                with suppress(OutOfTime):
                    table = self._in_part(first, part, goal, began + left[goal])
                left[goal] -= clock() - began
                if table is not None:
                    del left[goal]
                    yield goal, table
        yield from ((goal, None) for goal in left if left[goal] > 0)

    def _in_part(self, first: int, part: Assumed, goal: str, until: float) -> Found | None:
        """A table of the part for the goal. Where it is hard to tell whether there is one, it is looked for by bits."""
        with suppress(OutOfTime):
            found = self._solve(first, part, "ignore", min(until, clock() + PATIENCE_FOR_WHOLE), goal)
            return None if found is None else self._small(first, part, found, goal)
        for finer in _finer(part):
            found = self._solve(first, finer, "ignore", until, goal)
            if found is not None:
                return self._small(first, finer, found, goal)
        return None

    def _small(self, first: int, part: Assumed, found: Atoms, goal: str = "") -> Found:
        """The smallest such table, as far as the time allows."""
        with suppress(OutOfTime):
            found = self._solve(first, part, "opt", clock() + PATIENCE_FOR_SMALLEST, goal) or found
        for given in given_kinds(self.vocabulary).values():
            given.take(found)
        return Found(found_case(found, self.vocabulary), found)

    def exists(self, until: float = math.inf) -> bool:
        """Whether there is a table at all."""
        return any(
            self._solve(first, part, "ignore", min(until, clock() + PATIENCE)) is not None
            for first, part in product(self.bounds.first_tricks, _PARTS)
        )

    def _control(self, first: int) -> clingo.Control:
        """The solver with all the tables whose list of tricks begins with this one."""
        if first not in self._grounded:
            control = _new_control(self.options)
            control.add("base", [], "\n".join(self._lines(first)))
            control.ground([("base", [])])
            self._grounded[first] = control
        return self._grounded[first]

    def _lines(self, first: int) -> tuple[str, ...]:
        return (table_program(), *domain(self.vocabulary, self.bounds, first, self.read), *self.rules)

    def _solve(self, first: int, part: Assumed, optimise: str, until: float, goal: str = "") -> Atoms | None:
        best: Atoms | None = None
        control = self._control(first)
        from clingo import parse_term

        solving: Any = control.configuration.solve
        solving.opt_mode = optimise
        assumed = [(parse_term(atom), holds) for atom, holds in part]
        assumed += [(parse_term(goal), True)] if goal else []
        with control.solve(assumptions=assumed, yield_=True, async_=True) as handle:
            while clock() < until:
                if not handle.wait(_GLANCE):
                    continue
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


def _new_control(options: Sequence[str]) -> clingo.Control:
    try:
        import clingo
    except ImportError:
        raise UsageError("searching for tables needs clingo", 'install it: pip install "bridgelaws[solver]"') from None
    # Core-guided optimisation: the smallest table is a small one, so look from below.
    return clingo.Control(["--warn=none", "--opt-strategy=usc", *options], logger=lambda _code, _message: None)


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
