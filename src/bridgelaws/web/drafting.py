"""A clause as somebody edits it: what is wrong with it, what may stand at the cursor, and which rulings it changes.

Nothing is written anywhere: the edited text is laid over the law in memory. These functions trust nobody's time: they
are to be run where they can be stopped (`workbench`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.casebook.running import ReadCase, read_cases
from bridgelaws.compare.impact import ChangedCase, Pair, changed_cases
from bridgelaws.errors import Diagnostic, LawError
from bridgelaws.lawbook.law import Law, read_law
from bridgelaws.lawbook.sources import SAVED, Files, shipped
from bridgelaws.lawbook.warnings import law_warnings
from bridgelaws.located import Document, read_bytes
from bridgelaws.lsp.completing import completions
from bridgelaws.lsp.roles import Form, role_of
from bridgelaws.lsp.texts import Position, spot_at
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case
from bridgelaws.web.drawing import lines_json

FORMAT = 1
# Cases between two looks at the clock.
_AT_ONCE = 10
Drafted = tuple[Law | None, list[Diagnostic]]


class Texts(Files):
    """The files of the law as they were when this was made; `edited` takes the place of one of them."""

    def __init__(self, laws: Path | None = None) -> None:
        self.folders = [shipped("rules"), *([] if laws is None else [laws])]
        self._raw = {path: path.read_bytes() for folder in self.folders for path in sorted(SAVED.below(folder))}
        self._read: dict[Path, Document] = {}
        self._names: dict[str, str] = {}
        self.edited: tuple[Path, bytes] | None = None
        self.sound = False
        """Whether the law was found sound as it was; then only what is edited need be looked at."""

    def below(self, folder: Path) -> list[Path]:
        return [path for path in self._raw if path.is_relative_to(folder)]

    def has(self, path: Path) -> bool:
        return path in self._raw

    def read(self, path: Path, name: str | None = None) -> Document:
        shown = name or str(path)
        self._names[shown] = self._place(path)
        if self.edited and self.edited[0] == path:
            return read_bytes(self.edited[1], shown, LawError)
        if path not in self._read:
            self._read[path] = read_bytes(self._raw[path], shown, LawError)
        return self._read[path]

    def well_shaped(self, document: Document) -> bool:
        return self.sound and any(document is each for each in self._read.values())

    def text(self, path: Path) -> str:
        return self._raw[path].decode("utf-8-sig", "replace")

    def paths(self, law: Law) -> Mapping[str, Path]:
        """The file of every clause, by its id; of one that a draft has too, the draft's."""
        found = {self._place(path).removesuffix(".yaml"): path for path in self._raw}
        return {clause.id: found[clause.id] for clause in law.clauses if clause.id in found}

    def _place(self, path: Path) -> str:
        folder = next(each for each in reversed(self.folders) if path.is_relative_to(each))
        return path.relative_to(folder).as_posix()

    def placed(self, problem: Diagnostic) -> Diagnostic:
        """The problem with its file named from the folder of the law on: where that lies is nobody's business."""
        return replace(problem, file=self._names.get(problem.file, Path(problem.file).name))


class Drafting:
    """The law, and its cases if there are any, ready to have a clause exchanged."""

    def __init__(self, laws: Path | None = None, cases: Path | None = None) -> None:
        self._laws = laws
        self._texts = Texts(laws)
        law, problems = read_law(laws, self._texts)
        if law is None or problems:
            raise LawError(problems)
        self._texts.sound = True
        self.law = law
        self.paths = self._texts.paths(law)
        self._folder = cases
        self._books: dict[str, _Remembering] = {}
        self._last: tuple[tuple[str, str], Drafted] | None = None

    @cached_property
    def cases(self) -> list[ReadCase]:
        return [] if self._folder is None else read_cases(self._folder, self.law)

    def check(self, clause: str, text: str) -> dict[str, Any]:
        """Everything that is wrong with the law with this text in it, and what is probably not meant in the text."""
        _, problems = self._drafted(clause, text)
        sound = all(each.severity == "warning" for each in problems)
        return {"format": FORMAT, "sound": sound, "diagnostics": [each.to_json() for each in problems]}

    def complete(self, text: str, line: int, column: int) -> dict[str, Any]:
        """What may stand at a place, both numbers counted from one, and the column where the word there begins."""
        spot = spot_at(text, Position(line - 1, column - 1))
        role = role_of(Form.clause, spot.path, spot.at_key) if spot else None
        if spot is None or role is None:
            return {"format": FORMAT, "from": column, "items": []}
        items = [
            {"label": each.label, "insert": each.text, "what": each.what.value, "detail": each.detail}
            for each in completions(self.law, Form.clause, text, spot, role)
        ]
        return {"format": FORMAT, "from": spot.span.start.column + 1, "items": items}

    def attempt(
        self, clause: str, text: str, edition: str, own: object = None, start: int = 0, seconds: float = 60.0
    ) -> dict[str, Any]:
        """The cases whose ruling changes, from one on and as many as there is time for; or only a case of one's own.

        A `LawError` if the text is not sound, a `CaseError` if the case is not. `next` is the case to go on with.
        """
        draft, problems = self._drafted(clause, text)
        wrong = [each for each in problems if each.severity != "warning"]
        if draft is None or wrong:
            raise LawError(wrong)
        before, after = self._book(edition), Lawbook(draft.edition(edition))
        tried = None if own is None else _tried(_read(own), before, after)
        until = time.monotonic() + seconds
        cases, place = self._in_order(clause), start if own is None else len(self.cases)
        changed: list[dict[str, Any]] = []
        while place < len(cases) and (place == start or time.monotonic() < until):
            some = cases[place : place + _AT_ONCE]
            found = changed_cases(Pair(before.law, after.law), some, about=[clause], books=(before, after))
            changed += [_changed_json(each) for each in found]
            place += _AT_ONCE
        return {
            "format": FORMAT,
            "edition": edition,
            "cases": len(cases) if self._folder else None,
            "next": place if place < len(cases) else None,
            "changed": changed,
            "own": tried,
        }

    def _drafted(self, clause: str, text: str) -> Drafted:
        """The law with the text in it, as far as it can be read; what was asked for last is kept."""
        if self._last is None or self._last[0] != (clause, text):
            self._last = ((clause, text), self._read_with(clause, text))
        return self._last[1]

    def _read_with(self, clause: str, text: str) -> Drafted:
        path = self.paths[clause]
        # Half a character is then refused like any text that is not UTF-8.
        self._texts.edited = (path, text.encode("utf-8", "surrogatepass"))
        try:
            law, problems = read_law(self._laws, self._texts)
            if law is not None:
                problems = [*problems, *(each for each in law_warnings(law, problems))]
        finally:
            self._texts.edited = None
        placed = [self._texts.placed(each) for each in problems]
        file = f"{clause}.yaml"
        kept = [each for each in placed if each.file == file or each.severity != "warning"]
        if law is not None and self._is_shipped(path):
            kept += self._taken_away(clause, law, file)
        return law, sorted(kept, key=lambda each: (each.file != file, each.file, each.line, each.column))

    def _is_shipped(self, path: Path) -> bool:
        return path.is_relative_to(self._texts.folders[0])

    def _taken_away(self, clause: str, draft: Law, file: str) -> Iterator[Diagnostic]:
        """A draft that is laid over the law cannot take a version away; it would still be there."""
        editions = [
            {version.since for each in law.clauses if each.id == clause for version in each.versions}
            for law in (self.law, draft)
        ]
        for since in sorted(editions[0] - editions[1]) if editions[1] else ():
            message = f"the version since {since} would still be there in a draft"
            yield Diagnostic(message, file, 1, 1, hint="write repealed: true to repeal a clause", severity="warning")

    def _in_order(self, clause: str) -> Sequence[ReadCase]:
        """The cases, those of the same law first: there may not be time for all."""
        law = clause.split("/")[0]
        return sorted(self.cases, key=lambda each: each.path.parent.name != law)

    def _book(self, edition: str) -> _Remembering:
        if edition not in self._books:
            self._books[edition] = _Remembering(self.law.edition(edition))
        return self._books[edition]


class _Remembering(Lawbook):
    """A lawbook that rules on each case of the folder once."""

    def rule(self, case: Case, *, why: bool = False) -> Ruling:
        if why or case.document.file == _OWN:
            return super().rule(case, why=why)
        if id(case) not in self._ruled:
            self._ruled[id(case)] = super().rule(case)
        return self._ruled[id(case)]

    @cached_property
    def _ruled(self) -> dict[int, Ruling]:
        return {}


_OWN = "case"


def _read(own: object) -> Case:
    return Case.from_text(own, _OWN) if isinstance(own, str) else Case.from_data(own, _OWN)  # type: ignore[arg-type]


def _tried(case: Case, before: Lawbook, after: Lawbook) -> dict[str, Any]:
    rulings = [book.rule(case) for book in (before, after)]
    return {"before": lines_json(rulings[0], rulings), "after": lines_json(rulings[1], rulings)}


def _changed_json(case: ChangedCase) -> dict[str, Any]:
    name = f"{case.path.parent.name}/{case.path.stem}"
    return {"case": name, "title": case.title, "before": list(case.before), "after": list(case.after)}
