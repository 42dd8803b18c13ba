"""Do the same work for many items on all cores, in processes that inherit what the work needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing import cpu_count, get_all_start_methods, get_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")


def in_parallel(work: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
    """What the work gives for each item, as it is done: the order is not that of the items.

    A law cannot be sent to another process; a forked one has it already. Where there is no fork, one process does all.
    """
    if "fork" not in get_all_start_methods() or len(items) < 2 or cpu_count() < 2:
        yield from map(work, items)
        return
    global _work, _items
    _work, _items = work, items
    with get_context("fork").Pool(min(cpu_count(), len(items))) as pool:
        yield from pool.imap_unordered(_inherited, range(len(items)))


_work: Callable[[Any], Any] = id
_items: Sequence[Any] = ()


def _inherited(place: int) -> Any:
    return _work(_items[place])
