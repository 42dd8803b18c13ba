"""Take in the body of a request: as much as may come, as long as it may take, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import coroutine
from typing import Any

from starlette.types import Message, Receive, Scope

from bridgelaws.errors import Diagnostic
from bridgelaws.web.limits import Limits
from bridgelaws.web.problems import Headers, Problem, busy, refused


class ClientLeft(Exception):
    """Nobody waits for the answer any more."""


def header(headers: Headers, name: bytes) -> str:
    """The header's value, or nothing; of several, all of them."""
    return ", ".join(value.decode("latin-1") for key, value in headers if key == name)


class Intake:
    """Counts the requests that are being read or ruled on, and their bytes."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.requests = 0
        self.bytes = 0

    def has_room(self, size: int) -> bool:
        """Whether there is a place for one request more, and for its bytes."""
        return self.requests < self.limits.requests and self.bytes + size <= self.limits.bodies

    @contextmanager
    def place(self) -> Iterator[Callable[[int], None]]:
        """A place for one request, or 503 when all are taken; and what holds the bytes of its body as long."""
        if self.requests >= self.limits.requests:
            raise busy("there are too many requests at once")
        self.requests += 1
        held = 0

        def hold(size: int) -> None:
            nonlocal held
            if self.bytes + size > self.limits.bodies:
                raise busy("there are too many large requests at once")
            self.bytes += size
            held += size

        try:
            yield hold
        finally:
            self.requests -= 1
            self.bytes -= held


def check_content_type(headers: Headers) -> None:
    given = header(headers, b"content-type")
    kind, *parameters = (each.strip().lower() for each in given.split(";"))
    if kind != "application/json":
        message = f"the body is '{_short(given)}'" if given else "the request does not say what its body is"
        raise refused(415, message, "send JSON, with content-type: application/json", headers=[(b"accept-post", _JSON)])
    if any(each.startswith("charset=") and each[8:].strip('"') not in ("utf-8", "utf8") for each in parameters):
        raise refused(415, "the body is not UTF-8", "JSON is always UTF-8: leave the charset out")
    if header(headers, b"content-encoding").strip().lower() not in ("", "identity"):
        raise refused(415, "the body is compressed", "send it as it is")


_JSON = b"application/json"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


async def read_body(scope: Scope, receive: Receive, limit: int, seconds: float) -> bytes:
    """The whole body; 413 as soon as it is too large, announced or not, and 408 if it does not come in time."""
    announced = header(scope["headers"], b"content-length")
    if announced.isdecimal() and int(announced[:20]) > limit:
        raise _too_large(limit)
    message = await _next(receive, seconds)
    body: bytes = message.get("body", b"")
    if not message.get("more_body"):
        if len(body) > limit:
            raise _too_large(limit)
        return body
    parts, size = [body], len(body)
    ends = asyncio.get_running_loop().time() + seconds
    while message.get("more_body"):
        message = await _next(receive, ends - asyncio.get_running_loop().time())
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise _too_large(limit)
    return b"".join(parts)


async def _next(receive: Receive, seconds: float) -> Message:
    """The next message. One that is there already is taken without a clock, which would take longer than the rest."""
    taking = receive().__await__()
    try:
        waits_for = next(taking)
        async with asyncio.timeout(max(seconds, 0)):
            message = await _taken(taking, waits_for)
    except StopIteration as there:
        message = there.value
    except TimeoutError:
        problem = Diagnostic("the body did not come in time", hint="send it at once")
        raise Problem(408, problem, linger=True) from None
    if message["type"] == "http.disconnect":
        raise ClientLeft
    return message


@coroutine
def _taken(taking: Generator[Any, Any, Message], waits_for: Any) -> Generator[Any, Any, Message]:
    """Goes on with what was begun, and waits for this."""
    try:
        while True:
            try:
                sent = yield waits_for
            except BaseException as error:
                waits_for = taking.throw(error)
            else:
                waits_for = taking.send(sent)
    except StopIteration as done:
        message: Message = done.value
        return message


def _too_large(limit: int) -> Problem:
    problem = Diagnostic(f"the body is larger than {limit:,} bytes", hint="send only what matters, or several requests")
    return Problem(413, problem, linger=True)
