"""What several tests need: the shipped law in every edition on each engine, and a skip where durable-rules is not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from bridgelaws.book import Lawbook, lawbooks
from bridgelaws.lawbook.law import Law, load_law

HAS_DURABLE = sys.version_info < (3, 13) and importlib.util.find_spec("durable") is not None
ROOT = Path(__file__).parent.parent


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "durable: needs durable-rules, which needs Python below 3.13")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not HAS_DURABLE and item.get_closest_marker("durable"):
            item.add_marker(pytest.mark.skip(reason="durable-rules needs Python below 3.13"))


@pytest.fixture(params=["compiled", pytest.param("durable", marks=pytest.mark.durable)])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def law() -> Law:
    return load_law()


@pytest.fixture(scope="session")
def books(law: Law) -> dict[str, Lawbook]:
    """The shipped law on the default engine, by edition."""
    return lawbooks(law, "compiled")


@pytest.fixture(scope="session")
def durable_books(law: Law) -> dict[str, Lawbook]:
    if not HAS_DURABLE:
        pytest.skip("durable-rules needs Python below 3.13")
    return lawbooks(law, "durable")


@pytest.fixture(scope="session")
def all_books(law: Law, books: dict[str, Lawbook]) -> list[dict[str, Lawbook]]:
    """The shipped law on every engine that there is here."""
    return [books, lawbooks(law, "durable")] if HAS_DURABLE else [books]
