"""Answer outright, from the bytes that came to the bytes that go, what came whole and takes no more than a moment.

Whatever cannot be answered so goes the way of all requests from its first byte, and is told there what is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bridgelaws.web.answering import written_answer
from bridgelaws.web.endpoints import Posted
from bridgelaws.web.heads import read_head
from bridgelaws.web.metrics import Metrics
from bridgelaws.web.problems import Headers, Problem
from bridgelaws.web.queries import Asked

# A client begins each of its requests with one of a few heads.
_HEADS_KEPT = 512


@dataclass(frozen=True, slots=True)
class Opening:
    """What the head of a request says: how long its body is, and whose it is, if it may be answered outright."""

    length: int
    endpoint: Posted | None = None
    asked: Asked | None = None


class Outright:
    """Endpoints that can be asked without a framework in between."""

    def __init__(self, endpoints: Iterable[Posted], metrics: Metrics) -> None:
        self._endpoints = {each.route.encode(): each for each in endpoints}
        self._metrics = metrics
        self.opening = lru_cache(maxsize=_HEADS_KEPT)(self._opening)

    def _opening(self, raw: bytes) -> Opening | None:
        """What the head says; `None` if it is unusual."""
        head = read_head(raw)
        if head is None:
            return None
        endpoint = self._endpoints.get(head.path) if head.method == b"POST" else None
        if endpoint is None or head.length > endpoint.desk.limits.small:
            return Opening(head.length)
        try:
            return Opening(head.length, endpoint, endpoint.asked(head.query, head.headers))
        except Problem:
            return Opening(head.length)

    def answer(self, opening: Opening, raw: bytes, besides: Headers) -> bytes | None:
        """All bytes of the answer, with the headers that the server sends besides; `None` if it is not for here."""
        endpoint, asked = opening.endpoint, opening.asked
        if endpoint is None or asked is None or not endpoint.intake.has_room(len(raw)):
            return None
        began = time.perf_counter()
        try:
            body = endpoint.desk.at_once(endpoint.work, raw, asked)
        except Exception:
            # Also what is wrong with this program is told there.
            return None
        if body is None:
            return None
        answer = written_answer(body, besides)
        self._metrics.observe(endpoint.route, 200, time.perf_counter() - began)
        return answer
