"""Counts and times in the text format of Prometheus. Labels come from the routes and editions, never from a request."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What was asked and how long it took, by route."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, int], int] = {}
        self._times: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def observe(self, route: str, status: int, seconds: float) -> None:
        key = (route, status)
        self._requests[key] = self._requests.get(key, 0) + 1
        times = self._times.get(route)
        if times is None:
            times = self._times[route] = [0] * (len(BUCKETS) + 1)
            self._seconds[route] = 0.0
        times[bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds

    def text(self, rulings: Mapping[str, int], requests_now: int) -> bytes:
        return "".join(f"{line}\n" for line in self._lines(rulings, requests_now)).encode()

    def _lines(self, rulings: Mapping[str, int], requests_now: int) -> Iterator[str]:
        yield from _head("bridgelaws_requests_total", "counter", "Requests answered, by route and status.")
        for (route, status), count in sorted(self._requests.items()):
            yield f'bridgelaws_requests_total{{route="{route}",status="{status}"}} {count}'
        name = "bridgelaws_request_seconds"
        yield from _head(name, "histogram", "From the head of a request to the end of its answer, by route.")
        for route, times in sorted(self._times.items()):
            below = 0
            for bucket, count in zip((*BUCKETS, "+Inf"), times, strict=True):
                below += count
                yield f'{name}_bucket{{route="{route}",le="{bucket}"}} {below}'
            yield f'{name}_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'{name}_count{{route="{route}"}} {below}'
        yield from _head("bridgelaws_rulings_total", "counter", "Rulings made, by edition.")
        for edition, count in rulings.items():
            yield f'bridgelaws_rulings_total{{edition="{_escaped(edition)}"}} {count}'
        yield from _head("bridgelaws_requests_now", "gauge", "Requests being read or ruled on.")
        yield f"bridgelaws_requests_now {requests_now}"


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
