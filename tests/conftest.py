"""What several tests need: the shipped law in every edition on each engine, and a skip where durable-rules is not."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridgelaws.book import Lawbook, lawbooks
from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook import law as law_module
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.lawbook.schemas import Schema
from bridgelaws.lawbook.soundness import CACHE
from bridgelaws.lawbook.sources import Files
from bridgelaws.located import Document

HAS_DURABLE = sys.version_info < (3, 13) and importlib.util.find_spec("durable") is not None


# What tests find sound is remembered only among themselves.
os.environ[CACHE] = tempfile.mkdtemp(prefix="bridgelaws-tests-")


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ[CACHE], ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "durable: needs durable-rules, which needs Python below 3.13")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not HAS_DURABLE and item.get_closest_marker("durable"):
            item.add_marker(pytest.mark.skip(reason="durable-rules needs Python below 3.13"))


@pytest.fixture(params=["compiled", pytest.param("durable", marks=pytest.mark.durable)])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session", autouse=True)
def _read_each_file_once() -> Iterator[None]:
    """Most tests read the whole shipped law: what has not changed since is neither parsed nor shaped up again."""
    documents: dict[tuple[object, ...], Document] = {}
    shaped: dict[tuple[int, str], list[Diagnostic]] = {}
    read, shape = Files.read, law_module.shape_problems

    def read_once(self: Files, path: Path, name: str | None = None) -> Document:
        state = path.stat()
        known = (type(self), path, name, state.st_mtime_ns, state.st_size, state.st_ino)
        if known not in documents:
            documents[known] = read(self, path, name)
        return documents[known]

    def shape_once(document: Document, schema: Schema) -> list[Diagnostic]:
        known = (id(document), schema["title"])
        if known not in shaped:
            shaped[known] = shape(document, schema)
            kept.append(document)
        return shaped[known]

    kept: list[Document] = []  # or another document might get the id of one that is gone
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Files, "read", read_once)
        patch.setattr(law_module, "shape_problems", shape_once)
        yield


@pytest.fixture(scope="session")
def law(_read_each_file_once: None) -> Law:
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
