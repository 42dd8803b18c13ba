"""Put the app together: routes, the guard around them, and problem documents for what has no route."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bridgelaws import __version__
from bridgelaws.errors import nearest, quoted
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.web import metrics as metric_text
from bridgelaws.web.bodies import Intake
from bridgelaws.web.desk import Desk
from bridgelaws.web.endpoints import Kept, Momentary, Posted
from bridgelaws.web.guard import Guard
from bridgelaws.web.limits import LIMITS, Limits
from bridgelaws.web.metrics import Metrics
from bridgelaws.web.openapi import openapi_json
from bridgelaws.web.openapi_book import with_book
from bridgelaws.web.outright import Outright
from bridgelaws.web.pages import page_routes
from bridgelaws.web.problems import PROBLEM_JSON, problem_bytes, refused
from bridgelaws.web.resources import Library
from bridgelaws.web.shelf import Shelf
from bridgelaws.web.workbench import Bench
from bridgelaws.web.workshop import clause_texts, workshop_routes
from bridgelaws.wire import json_bytes

_RULED = ("edition", "engine")


class App(FastAPI):
    """Goes to endpoints that take cases at once: the layers and routes of a framework take longer than reading a case.

    The routes are there too, for other methods and for origins that have to be looked at first.
    """

    at_once: Mapping[str, ASGIApp] = {}
    outright: Outright | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in self.at_once:
            await self.at_once[scope["path"]](scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


@dataclass(frozen=True)
class _Endpoint:
    """An endpoint that says itself which one it is, as the router does."""

    endpoint: Posted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["endpoint"] = self.endpoint
        await self.endpoint(scope, receive, send)


def create_app(
    law: Law | None = None,
    *,
    shipped: Law | None = None,
    laws: Path | None = None,
    cases: Path | None = None,
    limits: Limits = LIMITS,
    cors: Sequence[str] = (),
) -> App:
    """The app for a law, by default the one that comes with this package.

    If the law is a draft laid over another, `shipped` is that other, for comparisons, and `laws` the folder of the
    draft. `cases` is a folder of cases for the law book and the workshop. `cors` are the origins whose pages may ask;
    there are none unless they are named.
    """
    desk = Desk(law or load_law(), shipped, limits)
    intake, metrics = Intake(limits), Metrics()
    bench = Bench(laws, cases, limits.seconds)
    texts = clause_texts(desk.law, laws)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        bench.close()
        desk.close()

    # The pages that FastAPI makes of its own accord load scripts from elsewhere.
    app = App(
        title="bridgelaws", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    app.router.redirect_slashes = False
    posted = _posted(desk, intake)
    app.router.routes[:] = [
        *(Route(each.route, each, methods=["POST"]) for each in posted),
        *_api_routes(desk, intake, metrics, texts),
        *_book_routes(desk, Shelf(desk, cases)),
        *workshop_routes(desk, intake, bench, texts),
        *page_routes(),
    ]
    app.add_exception_handler(HTTPException, _no_route)
    app.add_middleware(Guard, metrics=metrics)
    if not cors:
        app.at_once = {each.route: Guard(_Endpoint(each), metrics) for each in posted}
        app.outright = Outright(posted, metrics)
    else:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(cors),
            allow_methods=["GET", "POST"],
            allow_headers=["content-type", "if-none-match"],
            expose_headers=["etag", "retry-after"],
        )
    return app


def _posted(desk: Desk, intake: Intake) -> tuple[Posted, ...]:
    body, batch_body = desk.limits.body, desk.limits.batch_body
    return (
        Posted("/v1/rulings", desk, intake, desk.ruling, body, (*_RULED, "why")),
        Posted("/v1/rulings/batch", desk, intake, desk.batch, batch_body, (*_RULED, "why")),
        Posted("/v1/questions", desk, intake, desk.questions, body, _RULED),
        Posted("/v1/why-not", desk, intake, desk.why_not, body, (*_RULED, "clause")),
    )


def _api_routes(desk: Desk, intake: Intake, metrics: Metrics, texts: Mapping[str, str]) -> list[BaseRoute]:
    library = Library(desk)
    openapi = cache(lambda: json_bytes(with_book(openapi_json(desk), desk.law, texts)))

    async def described(*_: object) -> bytes:
        return openapi()

    def health() -> bytes:
        return json_bytes({"status": "ok", "version": __version__, "latest": desk.law.latest})

    def measured() -> bytes:
        return metrics.text(desk.rulings, intake.requests)

    got: tuple[Kept | Momentary, ...] = (
        Kept("/v1/editions", desk, library.editions),
        Kept("/v1/vocabulary", desk, library.vocabulary),
        Kept("/v1/clauses", desk, library.clauses, ("edition",)),
        Kept("/v1/clauses/{clause}", desk, library.clause, ("edition",), path="/v1/clauses/{clause:path}"),
        Kept("/v1/diff/{first}/{second}", desk, library.diff),
        Kept("/v1/diff/{first}/{second}/{third}", desk, library.diff),
        Kept("/openapi.json", desk, described),
        Momentary("/health", health),
        Momentary("/metrics", measured, metric_text.CONTENT_TYPE),
    )
    return [Route(getattr(each, "path", "") or each.route, each, methods=["GET"]) for each in got]


def _book_routes(desk: Desk, shelf: Shelf) -> list[BaseRoute]:
    got = (
        Kept("/v1/book", desk, shelf.book),
        Kept("/v1/book/{clause}", desk, shelf.entry, path="/v1/book/{clause:path}"),
        Kept("/v1/witnesses/{first}/{second}", desk, shelf.witnesses),
    )
    return [Route(each.path or each.route, each, methods=["GET"]) for each in got]


async def _no_route(request: Request, error: Exception) -> Response:
    """A problem document for an address that is not there, or that takes another method."""
    assert isinstance(error, HTTPException)
    path, method = quoted(request.url.path), quoted(request.method)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        problem = refused(405, f"{path} does not take {method}", f"use {allowed}")
    else:
        known = [each.path.partition("{")[0] for each in request.app.routes if isinstance(each, Route)]
        hint = nearest(request.url.path[:80], known)
        problem = refused(error.status_code, f"there is nothing at {path}", hint or "see /openapi.json")
    headers = {**(error.headers or {}), "cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(problem_bytes(problem), problem.status, headers, PROBLEM_JSON)
