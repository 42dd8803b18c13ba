"""Serve the pages: the files of one folder, read when the server begins, under fixed addresses and a strict policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from bridgelaws.errors import nearest, quoted
from bridgelaws.web.answering import answer_kept
from bridgelaws.web.bodies import header
from bridgelaws.web.endpoints import tag
from bridgelaws.web.problems import refused

STATIC = Path(__file__).parent / "static"
FIRST_PAGE = "index"
_CONTENT = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
}
# Nothing from elsewhere, nothing written into a page, and nobody's frame around it.
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_GUARDED = ((b"content-security-policy", _POLICY), (b"referrer-policy", b"no-referrer"))


@dataclass(frozen=True)
class File:
    """The bytes of a file, their kind and their tag."""

    body: bytes
    content: bytes
    etag: bytes


def static_files(folder: Path = STATIC) -> dict[str, File]:
    """The files of the folder by name. INVARIANT: no request leads to a file that is not among them."""
    found = sorted(path for path in folder.iterdir() if path.suffix in _CONTENT)
    return {path.name: File(body := path.read_bytes(), _CONTENT[path.suffix], tag(body)) for path in found}


def page_routes() -> list[Route]:
    """A route for each page, and one for everything that pages load: stylesheets, scripts and pictures."""
    files = static_files()
    pages = {Path(name).stem: file for name, file in files.items() if name.endswith(".html")}
    assets = {name: file for name, file in files.items() if not name.endswith(".html")}
    served: tuple[Page | Asset, ...] = (
        *(Page("/" if stem == FIRST_PAGE else f"/{stem}", file) for stem, file in pages.items()),
        Asset("/static/{name}", assets),
    )
    return [Route(each.route, each, methods=["GET"]) for each in served]


@dataclass(frozen=True)
class Page:
    """Answers with a page."""

    route: str
    file: File

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        await _send_file(self.file, scope, send)


@dataclass(frozen=True, eq=False)
class Asset:
    """Answers with a file that a page loads."""

    route: str
    files: Mapping[str, File]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        name: str = scope["path_params"]["name"]
        if name not in self.files:
            raise refused(404, f"there is no file {quoted(name)}", nearest(name[:40], self.files))
        await _send_file(self.files[name], scope, send)


async def _send_file(file: File, scope: Scope, send: Send) -> None:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *_GUARDED]}
        await send(message)

    await answer_kept(guarded, file.body, file.etag, header(scope["headers"], b"if-none-match"), file.content)
