"""The law book as JSON: what is in it, what refers to what, and the cases of a clause with their rulings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from bridgelaws.book import Lawbook, lawbooks
from bridgelaws.casebook.running import read_cases
from bridgelaws.errors import BridgelawsError, nearest, quoted
from bridgelaws.lawbook.clauses import Clause
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.editions import version_in
from bridgelaws.lawbook.schemas import Schema, exactly
from bridgelaws.pages.contents import Contents, Example
from bridgelaws.pages.examples import rulings
from bridgelaws.web.desk import Desk, Patience
from bridgelaws.web.drawing import line_json, lines_schema, scene_json, scene_schema
from bridgelaws.web.once import Once
from bridgelaws.web.problems import refused
from bridgelaws.web.queries import check_edition
from bridgelaws.web.shapes import TEXT
from bridgelaws.web.witnesses import witnesses_json
from bridgelaws.wire import json_bytes

FORMAT = 1


class Shelf:
    """Keeps what was made, as `Library` does; `folder` has the cases, if there are any."""

    def __init__(self, desk: Desk, folder: Path | None) -> None:
        self._desk = desk
        self._law = desk.law
        self._folder = folder
        self._once = Once(desk)

    @cached_property
    def _contents(self) -> Contents:
        return Contents(self._law, read_cases(self._folder, self._law) if self._folder else ())

    @cached_property
    def _books(self) -> dict[str, Lawbook]:
        return lawbooks(self._law, "compiled")

    async def book(self, _path: Mapping[str, Any], _edition: str | None) -> bytes:
        return await self._once.kept(("book",), lambda: json_bytes(self._book()))

    async def entry(self, path: Mapping[str, Any], _edition: str | None) -> bytes:
        known = {clause.id: clause for clause in self._law.clauses}
        wanted: str = path["clause"]
        if wanted not in known:
            raise refused(404, f"there is no clause {quoted(wanted)}", nearest(wanted[:80], known))
        return await self._once.kept(("entry", wanted), lambda: json_bytes(self._entry(known[wanted])))

    async def witnesses(self, path: Mapping[str, Any], _edition: str | None) -> bytes:
        names = (path["first"], path["second"])
        for name in names:
            check_edition(name, self._law)
        drafted = self._desk.shipped is not self._law
        return await self._once.kept(
            ("witnesses", *names), lambda: json_bytes(witnesses_json(*names, self._law, drafted=drafted))
        )

    def _book(self) -> dict[str, Any]:
        laws = [
            {"name": name, "title": law_title(name), "clauses": [self._listed(each) for each in clauses]}
            for name, clauses in self._contents.laws
        ]
        return {"format": FORMAT, "laws": laws}

    def _listed(self, clause: Clause) -> dict[str, Any]:
        versions = [(name, version_in(clause, edition)) for name, edition in self._law.editions.items()]
        texts = [
            text
            for version in clause.versions
            if not version.repealed
            for text in (version.number, version.gist, *(each.text for each in self._contents.sentences(version)))
        ]
        return {
            "id": clause.id,
            "title": clause.title,
            "number": self._contents.latest_number(clause),
            "editions": [
                {"edition": name, "number": version.number, "since": version.since}
                for name, version in versions
                if version
            ],
            "text": " ".join(dict.fromkeys(texts)),
        }

    def _entry(self, clause: Clause) -> dict[str, Any]:
        contents = self._contents
        # The cases are the server's own: however long they take, it is once, and others pass between two of them.
        breathe = Patience(math.inf).run
        books = {name: book.watched(breathe, breathe) for name, book in self._books.items()}
        cases = [self._example(each, books) for each in contents.examples_of(clause)]
        also = [
            {"title": each.title, "clause": each.home.id, "number": contents.latest_number(each.home)}
            for each in contents.also_in(clause)
            if each.home is not None
        ]
        return {
            "format": FORMAT,
            "id": clause.id,
            "referred_to_by": self._named(contents.pointing_to(clause)),
            "rests_on": self._named(contents.rests_on(clause)),
            "used_by": self._named(contents.used_by(clause)),
            "cases": cases if self._folder else None,
            "also": also,
        }

    def _named(self, clauses: Iterable[Clause]) -> list[dict[str, str]]:
        return [{"id": each.id, "number": self._contents.latest_number(each), "title": each.title} for each in clauses]

    def _example(self, example: Example, books: Mapping[str, Lawbook]) -> dict[str, Any]:
        data = example.case.document.data
        try:
            scene = scene_json(example.case, self._law.vocabulary)
            ruled = rulings(example, books)
        except BridgelawsError as wrong:
            scene, ruled = None, []
            problem = wrong.diagnostics[0].message
        else:
            problem = ""
        return {
            "title": example.title,
            "source": str(data.get("source") or ""),
            "note": str(data.get("note") or problem),
            "scene": scene,
            "rulings": [
                {"editions": editions, "lines": [line_json(line) for line in lines]} for editions, lines in ruled
            ],
        }


def shelf_schemas() -> dict[str, Schema]:
    edition = exactly({"edition": TEXT, "number": TEXT, "since": TEXT})
    clause = exactly(
        {
            "id": TEXT,
            "title": TEXT,
            "number": {**TEXT, "description": "Today's, or the last"},
            "editions": {"type": "array", "items": edition, "description": "Those that have it"},
            "text": {**TEXT, "description": "What a search looks through"},
        }
    )
    law = exactly({"name": TEXT, "title": TEXT, "clauses": {"type": "array", "items": clause}})
    named = {"type": "array", "items": exactly({"id": TEXT, "number": TEXT, "title": TEXT})}
    ruled = exactly({"editions": {"type": "array", "items": TEXT}, "lines": lines_schema()})
    case = exactly(
        {
            "title": TEXT,
            "source": TEXT,
            "note": TEXT,
            "scene": {"oneOf": [{"type": "null"}, exactly(scene_schema())]},
            "rulings": {"type": "array", "items": ruled},
        }
    )
    entry = exactly(
        {
            "format": {"const": FORMAT},
            "id": TEXT,
            "referred_to_by": named,
            "rests_on": {**named, "description": "Clauses whose conclusions it reads"},
            "used_by": {**named, "description": "Clauses that read what it concludes"},
            "cases": {"type": ["array", "null"], "items": case, "description": "null: the server has no cases"},
            "also": {"type": "array", "items": exactly({"title": TEXT, "clause": TEXT, "number": TEXT})},
        }
    )
    return {
        "book": exactly({"format": {"const": FORMAT}, "laws": {"type": "array", "items": law}}),
        "book_entry": entry,
    }
