"""What can be got: editions, vocabulary, clauses and comparisons, each made once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bridgelaws.errors import UsageError
from bridgelaws.interview.incidents import Incidents
from bridgelaws.lawbook.describing import (
    clauses_json,
    clauses_named,
    contents_json,
    editions_json,
    law_title,
    vocabulary_json,
)
from bridgelaws.web.desk import Desk
from bridgelaws.web.once import Once
from bridgelaws.web.problems import Problem, problem_of
from bridgelaws.web.queries import check_edition
from bridgelaws.wire import json_bytes

Resource = Callable[[Mapping[str, Any], str | None], Awaitable[bytes]]


class Library:
    """Keeps what was made. There are only so many clauses and editions, so it cannot grow without end."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._law = desk.law
        self._made: dict[tuple[object, ...], bytes] = {}
        self._once = Once(desk)

    async def editions(self, _path: Mapping[str, Any], _edition: str | None) -> bytes:
        return self._kept(("editions",), lambda: json_bytes(editions_json(self._law)))

    async def vocabulary(self, _path: Mapping[str, Any], _edition: str | None) -> bytes:
        return self._kept(("vocabulary",), lambda: json_bytes(self._vocabulary()))

    def _vocabulary(self) -> dict[str, Any]:
        """The kinds, and of each report whether it is what happened, and the Law that has most to say of it."""
        made = vocabulary_json(self._law)
        # The latest edition that reads a report decides where it stands.
        homes: dict[str, str] = {}
        incidents: set[str] = set()
        for name in self._law.editions:
            known = Incidents(self._law.edition(name))
            homes |= {kind.name: known.home(kind) for kind in known.kinds}
            incidents |= {kind.name for kind in known.happenings}
        for kind in made["kinds"]:
            name = kind["name"]
            kind |= {"incident": name in incidents, "law": law_title(homes[name]) if homes.get(name) else ""}
        return made

    async def clauses(self, _path: Mapping[str, Any], edition: str | None) -> bytes:
        return self._kept(("clauses", edition), lambda: json_bytes(contents_json(self._law, edition)))

    async def clause(self, path: Mapping[str, Any], edition: str | None) -> bytes:
        try:
            found = clauses_named(self._law, path["clause"][:200], edition)
        except UsageError as error:
            raise problem_of(error) from None
        made = lambda: json_bytes(clauses_json(found, self._law, edition))  # noqa: E731
        return self._kept(("clause", edition, *(each.id for each in found)), made)

    async def diff(self, path: Mapping[str, Any], _edition: str | None) -> bytes:
        names = tuple(path[name] for name in ("first", "second", "third") if name in path)
        for name in names:
            check_edition(name, self._law)
        return await self._once.kept(("diff", *names), lambda: self._compared(*names))

    def _compared(self, *names: str) -> bytes:
        """What `bridgelaws diff --no-cases --format json` prints; a draft is laid over the second."""
        from bridgelaws.compare.choosing import sides_named
        from bridgelaws.compare.diff import compare
        from bridgelaws.compare.report import make_report, report_json

        draft = None if self._desk.shipped is self._law else self._law
        try:
            sides = sides_named(names, self._desk.shipped, draft)
        except UsageError as error:
            raise Problem(400, error.diagnostics) from None
        return json_bytes(report_json(make_report(compare(sides))))

    def _kept(self, key: tuple[object, ...], made: Callable[[], bytes]) -> bytes:
        if key not in self._made:
            self._made[key] = made()
        return self._made[key]
