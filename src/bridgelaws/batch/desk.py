"""Rule on chunks of lines: what a worker does, wherever it sits. It reads the law once."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bridgelaws.batch.job import Job
from bridgelaws.batch.lines import MAX_LINE, Chunk, Mark
from bridgelaws.batch.packing import packed
from bridgelaws.batch.study import Study, Verdict
from bridgelaws.batch.tally import Tally
from bridgelaws.book import Lawbook, edition_for
from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic
from bridgelaws.lawbook.edition_in_force import EditionInForce
from bridgelaws.lawbook.kept import keep, kept_edition
from bridgelaws.lawbook.law import load_law
from bridgelaws.located import read_bytes
from bridgelaws.table.case import Case
from bridgelaws.wire import json_bytes

Record = dict[str, Any]


@dataclass(frozen=True)
class Ruled:
    """What came of a chunk: its records as they are to be written, or the file that holds them."""

    mark: Mark
    tally: Tally
    output: bytes | Path


class Desk:
    """The law of a batch, and what to do with a line."""

    def __init__(self, job: Job) -> None:
        job.check()
        self._job = job
        self._books: dict[str | None, Lawbook] = {}
        self._study: Study | None = None
        if job.against is not None:
            editions = (job.edition or load_law().latest, job.against)
            self._study = Study(editions, load_law(), load_law(job.laws) if job.laws else None, job.engine)
        else:
            self._book(job.edition)
        # The law stays for the whole batch: no need to look through it for garbage again and again.
        gc.collect()
        gc.freeze()

    def rule(self, chunk: Chunk, archive: Path | None = None) -> Ruled:
        """The records of a chunk, which is read in the archive if it does not come with its lines."""
        tally, written = Tally(), bytearray()
        for number, line in chunk.numbered(archive):
            if record := self._record(number, line, tally):
                written += json_bytes(record) + b"\n"
        return Ruled(chunk.mark, tally, packed(bytes(written), self._job.packing))

    def _record(self, number: int, line: bytes, tally: Tally) -> Record | None:
        """One record, or none for a blank line and for a case on which a study finds nothing."""
        if not line.strip():
            return None
        tally.cases += 1
        try:
            case = self._case(line)
            return self._compared(number, case, tally) if self._study else self._ruled(number, case)
        except BridgelawsError as wrong:
            problems: Iterable[Diagnostic] = wrong.diagnostics
        except Exception as bug:
            # One case that we cannot rule on must not cost a night's work on all others.
            problems = (Diagnostic(f"an error in bridgelaws itself: {type(bug).__name__}: {bug}"),)
        tally.errors += 1
        return {"line": number, "errors": self._errors(number, problems)}

    def _errors(self, number: int, problems: Iterable[Diagnostic]) -> list[Record]:
        """The problems at their place in the archive: every case stands there on a line of its own."""
        return [replace(each, file=self._job.archive, line=number).to_json() for each in problems]

    def _case(self, line: bytes) -> Case:
        if len(line) > MAX_LINE:
            raise CaseError(Diagnostic(f"the line is longer than {MAX_LINE} bytes", hint="write one case a line"))
        return Case.from_document(read_bytes(line, self._job.archive, CaseError, as_json=True))

    def _ruled(self, number: int, case: Case) -> Record:
        asked = self._job.edition or case.edition
        book = self._books.get(asked) or self._book(asked, case)
        return {"line": number, "ruling": book.rule(case).to_json()}

    def _book(self, asked: str | None, case: Case | None = None) -> Lawbook:
        """The edition as it was kept, so that several workers need not read the law one after the other."""
        job = self._job
        edition: EditionInForce | None = kept_edition(job.laws, asked)
        if edition is None:
            law = load_law(job.laws)
            edition = law.edition(edition_for(case, law, job.edition) if case else asked)
            keep(law, job.laws)
        book = self._books[asked] = Lawbook(edition, job.engine, laws=job.laws)
        return book

    def _compared(self, number: int, case: Case, tally: Tally) -> Record | None:
        found = self._study.difference(case) if self._study else None
        if found is None:
            return None
        tally.different += 1
        tally.clauses.update(found.clauses)
        return {
            "line": number,
            "gone": list(found.gone),
            "come": list(found.come),
            "before": self._said(number, found.before),
            "after": self._said(number, found.after),
        }

    def _said(self, number: int, verdict: Verdict) -> Record:
        return verdict.ruling.to_json() if verdict.ruling else {"errors": self._errors(number, verdict.problems)}
