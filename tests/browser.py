"""A real browser for the tests of the pages: a server of its own, and no mistake or outside request goes unnoticed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
SOURCE = Path(__file__).parent.parent / "src"
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """The address of a server that runs for as long as it is needed."""
    path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-m", "bridgelaws", "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdout is not None
    try:
        told = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert found, f"the server did not begin: {told}"
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="the pages are tested with playwright")
    if CHROMIUM is None:
        pytest.skip("the pages are tested with Chromium, which is not here")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield launched
        launched.close()


class Visit:
    """Pages of one visitor, and everything that went wrong on them."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.problems: list[str] = []
        self.expected: list[str] = []
        """Parts of messages that the test brings about on purpose."""
        self._contexts: list[BrowserContext] = []

    def page(self, path: str = "/", viewport: dict[str, int] | None = None, **context: Any) -> Page:
        """A new page of a new visitor, with nothing stored from before."""
        made = self.browser.new_context(viewport=viewport or DESKTOP, **context)
        made.set_default_timeout(10_000)
        self._contexts.append(made)
        page = made.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._said)
        page.on("request", lambda request: self._asked(request.url))
        page.goto(self.address + path)
        return page

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text} {message.location.get('url', '')}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "blob:", "data:")):
            self.problems.append(f"a request left: {url}")

    def end(self) -> None:
        for each in self._contexts:
            each.close()
        assert [each for each in self.problems if not any(part in each for part in self.expected)] == []


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """Fails the test on any error in the page and on any request that leaves the server."""
    made = Visit(browser, server)
    yield made
    made.end()
