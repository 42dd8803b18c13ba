"""Timing that can be trusted on a shared machine: interleaved rounds, and ratios within a round.

What runs in this process is timed by the processor, which others on the machine do not slow; what runs in processes of
its own is timed by the clock, since how they share the machine is part of it.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

T = TypeVar("T")
_AT_ONCE = 20


@dataclass(frozen=True)
class Bar:
    """One thing that was measured: a ratio, its spread over the rounds, and the bar it is held to."""

    name: str
    ratio: float
    low: float
    high: float
    bar: str
    reached: bool

    def line(self) -> str:
        spread = f"{self.low:.2f} to {self.high:.2f}"
        return f"{'ok  ' if self.reached else 'MISS'} {self.name:<58} {self.ratio:8.2f}  ({spread})  {self.bar}"


def at_most(name: str, ratios: list[float], bar: float) -> Bar:
    middle = statistics.median(ratios)
    return Bar(name, middle, min(ratios), max(ratios), f"at most {bar:g}", middle <= bar)


def at_least(name: str, ratios: list[float], bar: float) -> Bar:
    middle = statistics.median(ratios)
    return Bar(name, middle, min(ratios), max(ratios), f"at least {bar:g}", middle >= bar)


Clock = Callable[[], float]


def timed(work: Callable[[], object], clock: Clock = time.process_time) -> float:
    begun = clock()
    work()
    return clock() - begun


def interleaved(
    works: Mapping[str, Callable[[], object]], rounds: int, clock: Clock = time.process_time
) -> dict[str, list[float]]:
    """The seconds of each work in each round; every round does each work once, so a slow moment slows all alike."""
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(timed(work, clock))
    return times


def taking_turns(
    works: Mapping[str, Callable[[Sequence[T]], object]], items: Sequence[T], rounds: int
) -> dict[str, list[float]]:
    """The same for works that can be done on a few items at a time, so that even a slow second slows all alike."""
    times: dict[str, list[float]] = {name: [0.0] * rounds for name in works}
    # What was there before is not looked through for garbage: that takes longer than a turn, and falls to one work.
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        for start in range(0, len(items), _AT_ONCE):
            few = items[start : start + _AT_ONCE]
            # Else the first would bring into the caches what the next needs.
            for work in works.values():
                work(few)
            for name, work in works.items():
                times[name][number] += timed(partial(work, few))
    gc.unfreeze()
    return times


def ratios(times: Mapping[str, list[float]], over: str, under: str) -> list[float]:
    return [a / b for a, b in zip(times[over], times[under], strict=True)]
