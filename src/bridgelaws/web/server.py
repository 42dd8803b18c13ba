"""Serve an app with uvicorn: a socket of our own, patience with slow clients that ends, and a clean stop."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bridgelaws.errors import UsageError
from bridgelaws.web.arrivals import answering_outright
from bridgelaws.web.limits import Limits
from bridgelaws.web.outright import Outright
from bridgelaws.web.problems import PROBLEM_JSON, Problem, busy, problem_bytes, refused

KEEP_ALIVE = 5
STOPPING = 5
BACKLOG = 2048
_Base: Any = AutoHTTPProtocol


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket at that address; a usage error that says what is wrong if there can be none."""
    bound: socket.socket | None = None
    try:
        family, kind, protocol, _, at = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # asyncio sends small answers without delay only on a socket that says it is TCP, as this one does.
        bound = socket.socket(family, kind, protocol)
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(at)
        bound.listen(BACKLOG)
        return bound
    except (OSError, OverflowError) as problem:
        if bound is not None:
            bound.close()
        raise _refusal(host, port, problem) from None


def _refusal(host: str, port: int, problem: OSError | OverflowError) -> UsageError:
    if isinstance(problem, socket.gaierror):
        return UsageError(f"there is no address '{host}'", "write for example --host 0.0.0.0")
    if isinstance(problem, PermissionError):
        return UsageError(f"port {port} is not for everyone", "choose one above 1023 with --port")
    if isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE:
        return UsageError(f"port {port} of {host} is in use", "choose another with --port")
    return UsageError(f"nothing can listen at {host}, port {port}: {problem}")


def address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: FastAPI, bound: socket.socket, limits: Limits, outright: Outright | None = None) -> None:
    """Serve until Ctrl-C, which goes on as `KeyboardInterrupt`, or SIGTERM, after which this returns."""
    protocol = patient_protocol(limits)
    config = uvicorn.Config(
        app,
        http=answering_outright(protocol, outright) if outright else protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=STOPPING,
    )
    # The law stays as long as the server runs: no need to look through it for garbage again and again.
    gc.collect()
    gc.freeze()
    # uvicorn raises the signal that stopped it once more, for whoever had the handler before.
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        uvicorn.Server(config).run(sockets=[bound])
    finally:
        signal.signal(signal.SIGTERM, before)


def patient_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of uvicorn, which waits for the head of a request for ever, with an end to that."""

    class Patient(_Base):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._finished = -1
            if len(self.connections) > limits.connections:
                self._refuse(busy("there are too many connections"))
                return
            self._look_again()

        def _look_again(self) -> None:
            self._look = self.loop.call_later(limits.header_seconds, self._look_after)

        def _look_after(self) -> None:
            """Close a connection on which nothing was asked and answered since the last look."""
            if self.transport.is_closing():
                # Closed, but the client does not take what was written.
                self.transport.abort()
            elif (self.cycle is None or self.cycle.response_complete) and self._finished == self._count:
                self.transport.close()
                self._look_again()
            else:
                self._finished = self._count
                self._look_again()

        _count = 0

        def on_response_complete(self) -> None:
            self._count += 1
            super().on_response_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            look: asyncio.TimerHandle | None = getattr(self, "_look", None)
            if look is not None:
                look.cancel()
            super().connection_lost(exc)

        def send_400_response(self, _: str) -> None:
            self._refuse(refused(400, "this is not HTTP"))

        def _refuse(self, problem: Problem) -> None:
            _write(self.transport.write, problem)
            self.transport.close()

    return Patient


def _write(write: Callable[[bytes], None], problem: Problem) -> None:
    """An answer without the help of uvicorn, which has none for what is not a request."""
    body = problem_bytes(problem)
    title = problem.to_json()["title"]
    headers = [*problem.headers, (b"content-type", PROBLEM_JSON.encode()), (b"content-length", b"%d" % len(body))]
    lines = [f"HTTP/1.1 {problem.status} {title}".encode(), *(b"%s: %s" % each for each in headers)]
    write(b"\r\n".join([*lines, b"connection: close", b"", body]))
