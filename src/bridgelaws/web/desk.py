"""The desk behind the API: rules on what was sent, at once if it takes a moment and in a thread if it takes longer.

A ruling of a millisecond is made in the event loop: to hand it to a thread and back costs a quarter more. One that
needs many runs of the engine, because much is open, goes on in a thread, where it lets others pass between two runs and
is given up when its time is over.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from bridgelaws.book import ENGINES, Lawbook, edition_for
from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic
from bridgelaws.lawbook.law import Law
from bridgelaws.located import Document, read_bytes, read_json_list
from bridgelaws.ruling.ruling import FORMAT, Ruling
from bridgelaws.ruling.why import why_not_json
from bridgelaws.table.case import Case
from bridgelaws.web.limits import LIMITS, Limits
from bridgelaws.web.problems import Problem, busy, problem_of, refused
from bridgelaws.web.queries import Asked
from bridgelaws.wire import json_bytes, ruling_bytes

Work = Callable[[bytes, Asked, "Watch"], bytes]
# Long enough for the event loop to take its turn, and how long it may wait for it.
_BREATH, _STRETCH = 0.00005, 0.001


class _TakesLonger(Exception):
    """More than a moment's work."""


class _TimeIsUp(Exception):
    """More work than one request may ask for."""


class Watch(Protocol):
    """Looks on while somebody's cases are ruled on, and may raise."""

    def run(self) -> None:
        """Before each run of the engine."""

    def search(self) -> None:
        """Before the cards are searched, which takes longer than many runs."""

    @property
    def look(self) -> Callable[[], None] | None:
        """Between two runs and after them, as often as there is anything to do."""


class Desk:
    """The law as it was when the server began; `rulings` counts those made, by edition."""

    def __init__(self, law: Law, shipped: Law | None = None, limits: Limits = LIMITS) -> None:
        self.law = law
        self.shipped = shipped or law
        self.limits = limits
        self.rulings: dict[str, int] = dict.fromkeys(law.editions, 0)
        self._books: dict[tuple[str, str], Lawbook] = {}
        self._threads: ThreadPoolExecutor | None = None
        self._own: ThreadPoolExecutor | None = None
        self._in_threads = 0
        for name in law.editions:
            self._book(name, ENGINES[0])

    def close(self) -> None:
        for each in (self._threads, self._own):
            if each is not None:
                each.shutdown(wait=True, cancel_futures=True)
        self._threads = self._own = None

    async def answered(self, work: Work, raw: bytes, asked: Asked) -> bytes:
        """What the work makes of a body, or a `Problem`."""
        try:
            made = self.at_once(work, raw, asked)
            return await self.in_thread(lambda watch: work(raw, asked, watch)) if made is None else made
        except BridgelawsError as error:
            raise problem_of(error) from None

    def at_once(self, work: Work, raw: bytes, asked: Asked) -> bytes | None:
        """What the work makes of a body; `None` if that takes longer than a moment."""
        if len(raw) > self.limits.small or asked.engine != ENGINES[0]:
            return None
        try:
            return work(raw, asked, _Moment(self.limits.moment))
        except _TakesLonger:
            return None

    async def own_work(self, make: Callable[[], bytes]) -> bytes:
        """What the server makes of the law alone: in a thread of its own, for as long as it takes."""
        if self._own is None:
            self._own = ThreadPoolExecutor(1, "own")
        return await asyncio.get_running_loop().run_in_executor(self._own, make)

    async def in_thread(self, work: Callable[[Watch], bytes]) -> bytes:
        if self._in_threads >= self.limits.waiting:
            raise busy("there are too many long rulings at once")
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self.limits.threads, "ruling")
        watch = Patience(self.limits.seconds)

        def begun() -> bytes:
            watch.run()
            return work(watch)

        self._in_threads += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, begun)
        except _TimeIsUp:
            message = f"this takes longer than {self.limits.seconds:g} seconds"
            raise refused(503, message, "say more of what the reports leave open, or send fewer cases") from None
        finally:
            self._in_threads -= 1

    def ruling(self, raw: bytes, asked: Asked, watch: Watch) -> bytes:
        """What `bridgelaws rule --format json` prints; with `why`, what `bridgelaws why` does."""
        return ruling_bytes(self._ruling(_document(raw), asked, watch))

    def questions(self, raw: bytes, asked: Asked, watch: Watch) -> bytes:
        """The questions of a ruling, without the rest."""
        ruling = self._ruling(_document(raw), asked, watch).to_json()
        return json_bytes({key: ruling[key] for key in ("format", "edition", "engine", "questions")})

    def why_not(self, raw: bytes, asked: Asked, watch: Watch) -> bytes:
        """What `bridgelaws why-not --format json` prints."""
        case, book = self._opened(_document(raw), asked, watch)
        return json_bytes(why_not_json(book.law, asked.clause, book.why_not(case, asked.clause)))

    def batch(self, raw: bytes, asked: Asked, watch: Watch) -> bytes:
        """The records that `bridgelaws batch` writes, for a list of cases; `line` is the place in the list."""
        try:
            documents = read_json_list(raw, "", CaseError)
        except CaseError as error:
            raise Problem(400, error.diagnostics) from None
        if len(documents) > self.limits.batch:
            raise refused(413, f"there are more than {self.limits.batch} cases", "send several requests")
        records = [self._record(number, each, asked, watch) for number, each in enumerate(documents, start=1)]
        return json_bytes({"format": FORMAT, "records": records})

    def _record(self, number: int, document: Document, asked: Asked, watch: Watch) -> dict[str, Any]:
        try:
            return {"line": number, "ruling": self._ruling(document, asked, watch).to_json()}
        except CaseError as error:
            return {"line": number, "errors": [each.to_json() for each in error.diagnostics]}

    def _ruling(self, document: Document, asked: Asked, watch: Watch) -> Ruling:
        case, book = self._opened(document, asked, watch)
        ruling = book.rule(case, why=asked.why)
        self.rulings[book.edition] += 1
        return ruling

    def _opened(self, document: Document, asked: Asked, watch: Watch) -> tuple[Case, Lawbook]:
        """The case, and the book to rule on it by, watched."""
        case = Case.from_document(document)
        if case.table.claim is not None:
            watch.search()
        book = self._book(edition_for(case, self.law, asked.edition), asked.engine)
        return case, book.watched(watch.run, watch.look)

    def _book(self, edition: str, engine: str) -> Lawbook:
        if (edition, engine) not in self._books:
            self._books[edition, engine] = Lawbook(self.law.edition(edition), engine)
        return self._books[edition, engine]


def _document(raw: bytes) -> Document:
    try:
        return read_bytes(raw, "", CaseError, as_json=True)
    except CaseError as error:
        raise Problem(400, [_of_a_body(each) for each in error.diagnostics]) from None


def _of_a_body(problem: Diagnostic) -> Diagnostic:
    if problem.code == "empty-file":
        return Diagnostic("the body is empty", hint="send a case as JSON")
    return problem


class _Moment:
    """Lets so many runs pass, which take a moment together."""

    look = None

    def __init__(self, runs: int) -> None:
        self._left = runs

    def run(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TakesLonger

    def search(self) -> None:
        raise _TakesLonger


class Patience:
    """Ends when the time is over, and until then lets others take their turn."""

    def __init__(self, seconds: float) -> None:
        self._next = time.monotonic() + _STRETCH
        self._ends = time.monotonic() + seconds

    def run(self) -> None:
        now = time.monotonic()
        if now > self._ends:
            raise _TimeIsUp
        if now > self._next:
            time.sleep(_BREATH)
            self._next = time.monotonic() + _STRETCH

    look = search = run
