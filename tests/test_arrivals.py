"""Requests that are answered outright: the same bytes come back as from uvicorn alone, however the request arrives."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn.server import ServerState

from bridgelaws.lawbook.law import Law
from bridgelaws.web import arrivals
from bridgelaws.web.app import App, create_app
from bridgelaws.web.arrivals import answering_outright
from bridgelaws.web.limits import LIMITS, Limits
from bridgelaws.web.outright import Opening, Outright
from bridgelaws.web.problems import Headers
from bridgelaws.web.server import patient_protocol
from tests.test_api import EIGHT, ENDLESS, TEN

DATE = (b"date", b"Tue, 17 Nov 2026 12:00:00 GMT")
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET /v1/editions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
MISSPELT = {**EIGHT, "reports": [{"card_exposed": {"player": "E", "card": "D8", "maner": "dropped"}}]}


def posted(case: Any, path: str = "/v1/rulings", *headers: str) -> bytes:
    body = case if isinstance(case, bytes) else json.dumps(case).encode()
    given = headers or ("Host: x", "Content-Type: application/json")
    lines = [f"POST {path} HTTP/1.1", *given, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


@dataclass
class Spied(Outright):
    """Tells what was answered outright."""

    outright: Outright

    def __post_init__(self) -> None:
        self.opening = self.outright.opening
        self.answered: list[bytes | None] = []

    def answer(self, opening: Opening, raw: bytes, besides: Headers) -> bytes | None:
        self.answered.append(self.outright.answer(opening, raw, besides))
        return self.answered[-1]


def protocol_for(
    app: App, outright: Outright | None, limits: Limits, keep_alive: int = 5, state: ServerState | None = None
) -> Callable[[], asyncio.Protocol]:
    protocol = patient_protocol(limits)
    made: Any = answering_outright(protocol, outright) if outright else protocol
    config = uvicorn.Config(app, log_config=None, ws="none", timeout_keep_alive=keep_alive)
    state = state or ServerState()
    state.default_headers = [DATE]
    return lambda: made(config=config, server_state=state, app_state={})


@asynccontextmanager
async def listening(
    app: App, outright: Outright | None, limits: Limits, keep_alive: int = 5
) -> AsyncIterator[tuple[int, ServerState]]:
    state = ServerState()
    made = protocol_for(app, outright, limits, keep_alive, state)
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], state


async def told(port: int, pieces: Sequence[bytes], pause: float) -> bytes:
    """All that comes back until the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause)
    try:
        return await asyncio.wait_for(reader.read(), 30)
    finally:
        writer.close()


@dataclass(frozen=True)
class Asked:
    """What came back from uvicorn alone and from both; `outright` are the answers that uvicorn knows nothing of."""

    alone: bytes
    both: bytes
    outright: list[bytes | None]
    metrics: tuple[bytes, bytes]


def asked(law: Law, *pieces: bytes, pause: float = 0.01, limits: Limits = LIMITS) -> Asked:
    async def run() -> Asked:
        apps = [create_app(law, limits=limits) for _ in range(2)]
        assert apps[0].outright is not None
        spied = Spied(apps[0].outright)
        back, counts = [], []
        for app, outright in zip(apps, (spied, None), strict=True):
            async with listening(app, outright, limits) as (port, _):
                back.append(await told(port, pieces, pause))
                counts.append(await told(port, [LAST.replace(b"/v1/editions", b"/metrics")], 0))
        lines = [b"\n".join(line for line in each.splitlines() if b"_total{" in line) for each in counts]
        return Asked(back[1], back[0], spied.answered, (lines[1], lines[0]))

    return asyncio.run(run())


ONE_BY_ONE = {
    "rulings": [posted(EIGHT), posted(TEN), posted(EIGHT)],
    "editions": [posted(EIGHT, "/v1/rulings?edition=1997"), posted({**EIGHT, "edition": "2007"})],
    "reasons": [posted(EIGHT, "/v1/rulings?why=true")],
    "questions": [posted(EIGHT, "/v1/questions"), posted(EIGHT, "/v1/why-not?clause=50B")],
    "batch": [posted([EIGHT, TEN, MISSPELT], "/v1/rulings/batch")],
    "browser": [posted(EIGHT, "/v1/rulings", "Host: x", "Connection: keep-alive", "content-type: application/json")],
}
HANDED_ON = {
    "nothing": [],
    "other addresses": [HEALTH, posted(EIGHT, "/v1/editions"), posted(EIGHT, "/no")],
    "faulty": [posted(MISSPELT), posted(b"{"), posted(b""), posted(b"[]"), posted(b"\xff")],
    "queries": [posted(EIGHT, "/v1/rulings?editon=1997"), posted(EIGHT, "/v1/rulings?edition=1")],
    "not JSON": [posted(EIGHT, "/v1/rulings", "Host: x"), posted(EIGHT, "/v1/rulings", "Host: x", "Content-Type: a/b")],
    "long": [posted(ENDLESS, "/v1/questions")],
    "large": [posted({**EIGHT, "note": "x" * 5000}), posted(b" " * 70_000)],
    "old": [posted(EIGHT).replace(b"HTTP/1.1", b"HTTP/1.0")],
    "closed": [posted(EIGHT, "/v1/rulings", "Host: x", "Content-Type: application/json", "Connection: close")],
    "no host": [posted(EIGHT, "/v1/rulings", "Content-Type: application/json")],
    "encoded": [posted(EIGHT, "/v1%2Frulings"), posted(EIGHT, "//v1/rulings")],
    "waits": [posted(EIGHT, "/v1/rulings", "Host: x", "Content-Type: application/json", "Expect: 100-continue")],
    "upgrade": [posted(EIGHT, "/v1/rulings", "Host: x", "Connection: upgrade", "Upgrade: h2c")],
    "two lengths": [posted(EIGHT, "/v1/rulings", "Host: x", "Content-Type: application/json", "Content-Length: 3")],
    "chunked": [
        posted(EIGHT).partition(b"Content-Length")[0] + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    ],
    "chunked with a length": [
        posted(b"0\r\n\r\n", "/v1/rulings", "Host: x", "Content-Type: application/json", "Transfer-Encoding: chunked")
    ],
    "other ends of lines": [posted(EIGHT).replace(b"\r\n", b"\n") + b"\r\n\r\n"],
    "folded": [posted(EIGHT, "/v1/rulings", "Host: x", "X-A: b\r\n c", "Content-Type: application/json; charset=l1")],
    "not HTTP": [b"\x16\x03\x01 hello\r\n\r\n"],
}


@pytest.mark.parametrize("requests", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_a_whole_request_is_answered_outright_with_the_same_bytes(law: Law, requests: list[bytes]) -> None:
    seen = asked(law, *requests, LAST)
    assert seen.both == seen.alone and seen.both.count(b"HTTP/1.1 200 OK") == len(requests) + 1
    assert len(seen.outright) == len(requests) and None not in seen.outright
    assert seen.metrics[0] == seen.metrics[1]


@pytest.mark.parametrize("requests", HANDED_ON.values(), ids=HANDED_ON)
def test_all_else_is_answered_by_uvicorn(law: Law, requests: list[bytes]) -> None:
    seen = asked(law, *requests, LAST, pause=0.1)
    assert seen.both == seen.alone
    assert not any(seen.outright)
    assert seen.metrics[0] == seen.metrics[1]


def test_the_connection_is_ours_again_after_a_whole_request_that_was_handed_on(law: Law) -> None:
    seen = asked(law, posted(MISSPELT), posted(EIGHT), *HANDED_ON["other addresses"], posted(TEN), LAST, pause=0.1)
    assert seen.both == seen.alone
    assert [bool(each) for each in seen.outright if each is not None] == [True, True]


def test_but_not_after_one_of_which_nobody_saw_the_end(law: Law) -> None:
    seen = asked(law, *HANDED_ON["chunked"], posted(EIGHT), LAST, pause=0.1)
    assert seen.both == seen.alone
    assert not seen.outright


@pytest.mark.parametrize("pause", [0.0, 0.01, 0.1])
def test_head_and_body_may_come_one_after_the_other(law: Law, pause: float) -> None:
    head, end, body = posted(EIGHT).partition(b"\r\n\r\n")
    seen = asked(law, head + end, body, head + end, body[:9], body[9:], LAST, pause=pause)
    assert seen.both == seen.alone and seen.both.count(b"HTTP/1.1 200 OK") == 3
    # All at once is more than one request; and for long, only uvicorn waits.
    assert pause != 0.01 or len(seen.outright) == 2


def test_a_body_that_drips_in_is_uvicorns_to_wait_for(law: Law) -> None:
    head, end, body = posted(EIGHT).partition(b"\r\n\r\n")
    drops = [body[place : place + 1] for place in range(60)]
    seen = asked(law, head + end, *drops, limits=replace(LIMITS, body_seconds=0.4, header_seconds=0.4))
    assert seen.both == seen.alone and seen.both.startswith(b"HTTP/1.1 408 ")
    assert not seen.outright


def test_several_requests_at_once_are_answered_in_order(law: Law) -> None:
    together = b"".join([posted(EIGHT), posted(MISSPELT), posted(TEN), HEALTH])
    seen = asked(law, together, posted(EIGHT), LAST)
    assert seen.both == seen.alone and seen.both.count(b"HTTP/1.1 ") == 6


def test_a_server_with_no_room_says_so(law: Law) -> None:
    for limits in (replace(LIMITS, requests=0), replace(LIMITS, bodies=10)):
        seen = asked(law, posted(EIGHT), LAST, limits=limits, pause=0.1)
        assert seen.both == seen.alone and b"HTTP/1.1 503 " in seen.both


def test_an_error_in_the_program_is_told_as_ever(law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise RuntimeError("broken")

    monkeypatch.setattr("bridgelaws.web.desk.ruling_bytes", broken)
    seen = asked(law, posted(EIGHT), LAST, pause=0.1)
    assert seen.both == seen.alone and b"HTTP/1.1 500 " in seen.both


def test_a_connection_is_closed_some_time_after_its_last_answer(law: Law) -> None:
    async def seconds() -> float:
        app = create_app(law)
        async with listening(app, app.outright, LIMITS, keep_alive=1) as (port, state):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for _ in range(5):
                writer.write(posted(EIGHT))
                await reader.readuntil(b'"why":[]}')
                began = asyncio.get_running_loop().time()
                await asyncio.sleep(0.3)
            assert await reader.read() == b""
            writer.close()
            assert state.total_requests == 5
            return asyncio.get_running_loop().time() - began

    assert 0.9 < asyncio.run(seconds()) < 3


def test_what_is_half_there_when_the_server_stops_is_still_answered(law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "_BODY_FOLLOWS", 60)

    async def back() -> bytes:
        app = create_app(law)
        async with listening(app, app.outright, LIMITS) as (port, state):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            request = posted(EIGHT)
            writer.write(request[:-9])
            await asyncio.sleep(0.1)
            for connection in list(state.connections):
                connection.shutdown()
            writer.write(request[-9:])
            answer = await asyncio.wait_for(reader.read(), 30)
            writer.close()
            return answer

    assert b'"why":[]}' in asyncio.run(back())


def test_a_client_that_leaves_in_the_middle_is_forgotten(law: Law) -> None:
    async def left() -> int:
        app = create_app(law)
        async with listening(app, app.outright, LIMITS) as (port, state):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(posted(EIGHT)[:-9])
            await asyncio.sleep(0.01)
            writer.close()
            await asyncio.sleep(0.2)
            return len(state.connections)

    assert asyncio.run(left()) == 0


class Wire(asyncio.Transport):
    """A connection on which nothing is lost, however it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += b"" if self.is_closing() else bytes(data)

    def is_closing(self) -> bool:
        return self.closed.is_set()

    def close(self) -> None:
        self.closed.set()
        self.reads.set()

    abort = close

    def pause_reading(self) -> None:
        self.reads.clear()

    def resume_reading(self) -> None:
        self.reads.set()


async def over_a_wire(app: App, outright: Outright | None, pieces: Sequence[bytes]) -> bytes:
    limits = replace(LIMITS, header_seconds=0.3, body_seconds=0.3)
    wire = Wire()
    connection = protocol_for(app, outright, limits)()
    connection.connection_made(wire)
    for piece in pieces:
        await wire.reads.wait()
        if not wire.is_closing():
            connection.data_received(piece)
            await asyncio.sleep(0.001)
    await asyncio.wait_for(wire.closed.wait(), 30)
    connection.connection_lost(None)
    await asyncio.sleep(0)
    return wire.written


@pytest.fixture(scope="module")
def app(law: Law) -> App:
    return create_app(law, limits=replace(LIMITS, body_seconds=0.3))


PARTS = [each for group in (*ONE_BY_ONE.values(), *HANDED_ON.values()) for each in group if len(each) < 2000]
WRONG = st.sampled_from([b"\r", b"\n", b" ", b":", b"0", b"x"])


@given(
    requests=st.lists(st.sampled_from(PARTS), max_size=4),
    cuts=st.lists(st.integers(0, 2000), max_size=5),
    swapped=st.lists(st.tuples(st.integers(0, 2000), WRONG), max_size=2),
)
@settings(max_examples=100, deadline=None)
def test_however_it_is_cut_and_whatever_is_wrong(
    app: App, requests: list[bytes], cuts: list[int], swapped: list[tuple[int, bytes]]
) -> None:
    data = b"".join(requests)
    for place, byte in swapped:
        data = data[:place] + byte + data[place + 1 :]
    data += LAST
    places = [0, *sorted(min(each, len(data)) for each in cuts), len(data)]
    pieces = [data[first:second] for first, second in itertools.pairwise(places) if first < second]

    async def both() -> list[bytes]:
        return await asyncio.gather(over_a_wire(app, app.outright, pieces), over_a_wire(app, None, pieces))

    ours, alone = asyncio.run(both())
    assert ours == alone
