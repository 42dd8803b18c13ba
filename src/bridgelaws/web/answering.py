"""Send an answer: its status, headers and bytes, in two messages."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import Receive, Send

from bridgelaws.web.problems import PROBLEM_JSON, Headers, Problem, problem_bytes

JSON = b"application/json"
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_NOT_STORED = (b"cache-control", b"no-store")
_WRITTEN = b"".join(b"%s: %s\r\n" % each for each in ((b"content-type", JSON), _NOT_STORED, _NO_SNIFFING))
_LINGER_SECONDS, _LINGER_BYTES = 2.0, 64_000_000


async def answer(send: Send, body: bytes, *, status: int = 200, content: bytes = JSON, headers: Headers = ()) -> None:
    """An answer that holds for this request only."""
    await _begin(send, status, [(b"content-type", content), _NOT_STORED, *headers], len(body))
    await send({"type": "http.response.body", "body": body})


def written_answer(body: bytes, besides: Headers) -> bytes:
    """What `answer` sends, as it goes over the network after the headers that the server sends besides."""
    first = b"".join([b"%s: %s\r\n" % each for each in besides])
    return b"HTTP/1.1 200 OK\r\n%s%scontent-length: %d\r\n\r\n%s" % (first, _WRITTEN, len(body), body)


async def answer_kept(send: Send, body: bytes, etag: bytes, known: str, content: bytes = JSON) -> None:
    """An answer that a client may keep, and ask about by its tag; 304 if it is still the one that he has."""
    headers = [(b"etag", etag), (b"cache-control", b"no-cache")]
    if _has(known, etag.decode()):
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    await _begin(send, 200, [(b"content-type", content), *headers], len(body))
    await send({"type": "http.response.body", "body": body})


def _has(known: str, etag: str) -> bool:
    """Whether the tag is among those of If-None-Match, of which a proxy may have made weak ones."""
    return known.strip() == "*" or etag in (each.strip().removeprefix("W/") for each in known.split(","))


async def answer_problem(send: Send, receive: Receive, problem: Problem) -> None:
    body = problem_bytes(problem)
    headers = [(b"content-type", PROBLEM_JSON.encode()), _NOT_STORED, *problem.headers]
    if not problem.linger:
        await _begin(send, problem.status, headers, len(body))
        await send({"type": "http.response.body", "body": body})
        return
    await _begin(send, problem.status, [*headers, (b"connection", b"close")], len(body))
    await send({"type": "http.response.body", "body": body, "more_body": True})
    await _discard_the_rest(receive)
    await send({"type": "http.response.body", "body": b""})


async def _begin(send: Send, status: int, headers: list[tuple[bytes, bytes]], length: int) -> None:
    headers += [_NO_SNIFFING, (b"content-length", b"%d" % length)]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _discard_the_rest(receive: Receive) -> None:
    """Whoever is still sending would lose the answer if the connection were closed before he has read it."""
    left = _LINGER_BYTES
    with suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
