"""What follows from the law alone: made in a thread, once, however many ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable

from bridgelaws.web.desk import Desk


class Once:
    """Keeps what was made. INVARIANT: keys are clauses and editions, so it cannot grow without end."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._made: dict[Hashable, bytes] = {}
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}

    async def kept(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        if key in self._made:
            return self._made[key]
        if key not in self._making:
            task = asyncio.ensure_future(self._desk.own_work(make))
            task.add_done_callback(lambda _: self._making.pop(key, None))
            self._making[key] = task
        # Whoever asked first may leave; others still wait for it.
        self._made[key] = await asyncio.shield(self._making[key])
        return self._made[key]
