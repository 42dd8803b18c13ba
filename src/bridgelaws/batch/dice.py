"""Chance that falls the same way everywhere: only what Python promises never to change is drawn from it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws for one case. `random.random` is the one draw that every version of Python makes alike."""

    def __init__(self, seed: int, number: int) -> None:
        # Each case has its own, so that what is drawn for one does not move those after it.
        self._random = random.Random((seed << 64) + number)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def below(self, limit: int) -> int:
        """A whole number from 0 to just below the limit."""
        return int(self._random.random() * limit)

    def pick(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def weighted(self, weights: Mapping[T, int]) -> T:
        """One of the keys, each as often as its weight says."""
        drawn = self.below(sum(weights.values()))
        for value, weight in weights.items():
            drawn -= weight
            if drawn < 0:
                return value
        raise ValueError("there is nothing to draw from")

    def shuffled(self, values: Sequence[T]) -> list[T]:
        mixed = list(values)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return mixed
