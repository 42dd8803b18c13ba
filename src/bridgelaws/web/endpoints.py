"""The endpoints: plain ASGI, since a ruling takes less time than a framework's wrapping of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from starlette.types import Receive, Scope, Send

from bridgelaws.web.answering import JSON, answer, answer_kept
from bridgelaws.web.bodies import Intake, check_content_type, header, read_body
from bridgelaws.web.desk import Desk, Work
from bridgelaws.web.problems import Headers
from bridgelaws.web.queries import Asked, read_query
from bridgelaws.web.resources import Resource


@dataclass(frozen=True)
class Posted:
    """Takes cases, and answers with what the desk makes of them."""

    route: str
    desk: Desk
    intake: Intake
    work: Work
    limit: int
    parameters: Sequence[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = self.asked(scope["query_string"], scope["headers"])
        with self.intake.place() as hold:
            raw = await read_body(scope, receive, self.limit, self.desk.limits.body_seconds)
            hold(len(raw))
            body = await self.desk.answered(self.work, raw, asked)
        await answer(send, body)

    def asked(self, query: bytes, headers: Headers) -> Asked:
        """What is asked for besides the body, which must be JSON."""
        asked = read_query(query, self.parameters, self.desk.law)
        check_content_type(headers)
        return asked


@dataclass(frozen=True)
class Kept:
    """Answers with something that follows from the law alone, and so stays the same as long as the server runs."""

    route: str
    desk: Desk
    resource: Resource
    parameters: Sequence[str] = ()
    path: str = ""
    """The route as the router writes it, if that is different."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        asked = read_query(scope["query_string"], self.parameters, self.desk.law)
        body = await self.resource(scope["path_params"], asked.edition)
        await answer_kept(send, body, tag(body), header(scope["headers"], b"if-none-match"))


@dataclass(frozen=True)
class Momentary:
    """Answers with what is so at this moment: health and metrics."""

    route: str
    body: Callable[[], bytes]
    content: bytes = JSON

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        await answer(send, self.body(), content=self.content)


def tag(body: bytes) -> bytes:
    """A strong tag: the same for the same bytes, on every machine."""
    return b'"' + sha256(body).hexdigest()[:32].encode() + b'"'
