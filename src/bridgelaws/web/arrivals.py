"""What arrives on a connection: whole requests are answered outright, all else is handed on to uvicorn as it came."""

from __future__ import annotations

import asyncio
from typing import Any

from bridgelaws.web.heads import end_of_head
from bridgelaws.web.outright import Outright

# Many clients send the head and the body one after the other.
_BODY_FOLLOWS = 0.05


def answering_outright(protocol: type[asyncio.Protocol], outright: Outright) -> type[asyncio.Protocol]:
    """The protocol of uvicorn, which is given only what was not answered before.

    Where a request ends can be seen only if it came whole. After one that did not, the connection is uvicorn's.
    """
    base: Any = protocol

    class Outspoken(base):  # type: ignore[misc]
        _ours = True
        """Whether uvicorn has nothing of a request that is not answered."""
        _comes_back = False
        _held = b""
        _follows: asyncio.TimerHandle | None = None
        _answered = 0.0

        def data_received(self, data: bytes) -> None:
            if not self._ours:
                self._comes_back = False
                super().data_received(data)
                return
            data = self._held + data
            begins = end_of_head(data)
            opening = outright.opening(data[:begins]) if begins else None
            missing = opening.length - (len(data) - begins) if opening else -1
            if opening is not None and missing > 0 and opening.endpoint:
                self._hold(data)
                return
            self._let_go()
            if opening is None or missing:
                self._hand_on(data, whole=False)
                return
            besides = self.server_state.default_headers
            answer = None if self.flow.write_paused else outright.answer(opening, data[begins:], besides)
            if answer is None:
                self._hand_on(data, whole=True)
            else:
                self.transport.write(answer)
                self._has_answered()

        def _hand_on(self, data: bytes, *, whole: bool) -> None:
            self._ours, self._comes_back = False, whole
            super().data_received(data)

        def _hold(self, data: bytes) -> None:
            """Wait for the body for a moment; if all of it takes longer, uvicorn waits for it."""
            self._held = data
            if self._follows is None:
                self._answered = self.loop.time()
                self._follows = self.loop.call_later(_BODY_FOLLOWS, self._hand_on_held)

        def _let_go(self) -> bytes:
            if self._follows is None:
                return b""
            self._follows.cancel()
            held, self._held, self._follows = self._held, b"", None
            return held

        def _hand_on_held(self) -> None:
            self._hand_on(self._let_go(), whole=False)

        def on_response_complete(self) -> None:
            self._ours = self._comes_back
            super().on_response_complete()

        def _has_answered(self) -> None:
            self._count += 1
            self.server_state.total_requests += 1
            self._answered = self.loop.time()
            if self.timeout_keep_alive_task is None:
                self._keep_alive(self.timeout_keep_alive)

        def _keep_alive(self, seconds: float) -> None:
            self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

        def timeout_keep_alive_handler(self) -> None:
            # The clock is not set anew for every answer: that would take longer than to look when it rings.
            left = self._answered + self.timeout_keep_alive - self.loop.time()
            if left > 0:
                self._keep_alive(left)
            else:
                super().timeout_keep_alive_handler()

        def shutdown(self) -> None:
            if self._held:
                self._hand_on_held()
            super().shutdown()

        def connection_lost(self, exc: Exception | None) -> None:
            self._let_go()
            super().connection_lost(exc)

    return Outspoken
