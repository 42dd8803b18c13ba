"""The outermost part of the app: counts every request, and lets nothing out but an answer or a problem document."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridgelaws.errors import Diagnostic
from bridgelaws.web.answering import answer_problem
from bridgelaws.web.bodies import ClientLeft
from bridgelaws.web.metrics import Metrics
from bridgelaws.web.problems import Problem

OTHER = "other"
LEFT = 499
_log = logging.getLogger("bridgelaws.web")


class Guard:
    """Middleware. The route of a request is what its endpoint calls itself."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Problem as problem:
            await answer_problem(noted, receive, problem)
        except ClientLeft:
            status = LEFT
        except Exception:
            _log.exception("an error in bridgelaws itself")
            if status:
                raise
            mistake = Diagnostic("an error in bridgelaws itself", hint="please report it")
            await answer_problem(noted, receive, Problem(500, mistake))
        finally:
            route = getattr(scope.get("endpoint"), "route", OTHER)
            self.metrics.observe(route, status, time.perf_counter() - began)
