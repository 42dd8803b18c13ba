"""A client that asks an app without a network, from ordinary tests."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Self

import httpx
from fastapi import FastAPI

# One for all clients, in a thread of its own, so that requests can be made beside each other.
_LOOP = asyncio.new_event_loop()
threading.Thread(target=_LOOP.run_forever, daemon=True).start()


class Client:
    """Asks one app; nothing that it raises comes out here."""

    def __init__(self, app: FastAPI) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://testserver", timeout=120)

    def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        asked = self._client.request(method, path, **given)
        return asyncio.run_coroutine_threadsafe(asked, _LOOP).result()

    def get(self, path: str, **given: Any) -> httpx.Response:
        return self.request("GET", path, **given)

    def head(self, path: str, **given: Any) -> httpx.Response:
        return self.request("HEAD", path, **given)

    def options(self, path: str, **given: Any) -> httpx.Response:
        return self.request("OPTIONS", path, **given)

    def post(self, path: str, **given: Any) -> httpx.Response:
        return self.request("POST", path, **given)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._client.aclose(), _LOOP).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
