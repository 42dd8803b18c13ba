"""The place for pages: their routes join those of the API in the same app, behind the same guard."""

from __future__ import annotations

from starlette.routing import BaseRoute

from bridgelaws.web.desk import Desk


def page_routes(desk: Desk) -> list[BaseRoute]:  # noqa: ARG001
    """Routes of pages, and of the files they need; there are none yet."""
    return []
