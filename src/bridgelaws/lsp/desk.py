"""The desk: the files that are open, the law each belongs to, and that law read with what is open."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic, LawError
from bridgelaws.lawbook.law import Law, read_law
from bridgelaws.lawbook.sources import EDITIONS, VOCABULARY, Files, Sources, find_sources, shipped
from bridgelaws.located import Document, read_bytes, read_file
from bridgelaws.lsp.roles import Form

ENDINGS = (".yaml", ".yml", ".json")
MOST_FILES = 20_000

_LAW_FOLDER = re.compile(r"\d+-")
_CLAUSE_BEGINS = re.compile(r"^versions\s*:", re.MULTILINE)
_CASE_KEY = re.compile(r"""^[\s{]{0,4}["']?(title|table|reports|choices|regulations|expect)["']?\s*:""", re.MULTILINE)

Stamp = tuple[int, int, int]


@dataclass(frozen=True)
class Home:
    """What a file holds, and the folder whose law it belongs to; no folder is the shipped law."""

    form: Form
    laws: Path | None


class Desk(Files):
    """The open files and the law. Paths are absolute, with links followed.

    `laws` is the draft that cases are about; `roots` are the folders in which cases are looked for.
    """

    def __init__(self, laws: Path | None = None, roots: Sequence[Path] = ()) -> None:
        self.laws = laws.resolve() if laws is not None else None
        self.roots = tuple(root.resolve() for root in roots)
        self.open: dict[Path, str] = {}
        self._read: dict[tuple[Path, str | None], tuple[str | Stamp, Document]] = {}
        self._laws: dict[Path | None, Law] = {}

    def below(self, folder: Path) -> Iterable[Path]:
        opened = (path for path in list(self.open) if path.is_relative_to(folder) and path.suffix in (".yaml", ".yml"))
        return {*super().below(folder), *opened}

    def has(self, path: Path) -> bool:
        return path in self.open or super().has(path)

    def read(self, path: Path, name: str | None = None) -> Document:
        """The document in a file of the law as it stands in the editor; read again only when it has changed."""
        return self._document(path, name, LawError)

    def read_case(self, path: Path) -> Document:
        return self._document(path, None, CaseError)

    def _document(self, path: Path, name: str | None, error: type[BridgelawsError]) -> Document:
        text = self.open.get(path)
        stamp: str | Stamp = text if text is not None else _stamp(path)
        known = self._read.get((path, name))
        if known is not None and known[0] == stamp:
            return known[1]
        if text is None:
            document = read_file(path, error, name)
        else:
            # An editor may hold half a character; it is then refused like any text that is not UTF-8.
            raw = text.encode("utf-8", "surrogatepass")
            document = read_bytes(raw, name or str(path), error, as_json=path.suffix == ".json")
        self._read[(path, name)] = (stamp, document)
        return document

    def text(self, path: Path) -> str:
        """The text of a file as it stands in the editor, or on the disk; nothing if there is no such file."""
        if path in self.open:
            return self.open[path]
        try:
            return path.read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            return ""

    def home(self, path: Path) -> Home | None:
        """Where a file belongs; nothing if it is neither of a law nor a case."""
        if path.suffix not in ENDINGS:
            return None
        for folder in path.parents:
            if self._is_law(folder):
                name = path.relative_to(folder).as_posix()
                form = {EDITIONS: Form.editions, VOCABULARY: Form.vocabulary}.get(name, Form.clause)
                return Home(form, _laws(folder))
        text = self.text(path)
        if _CLAUSE_BEGINS.search(text) and _is_bare_draft(path.parent.parent):
            return Home(Form.clause, _laws(path.parent.parent))
        if _looks_like_a_case(text):
            return Home(Form.case, self.laws or self._law_beside(path))
        return None

    def _is_law(self, folder: Path) -> bool:
        return self.has(folder / VOCABULARY) or self.has(folder / EDITIONS)

    def _law_beside(self, path: Path) -> Path | None:
        """The law that a case is about when nobody says: the folder `rules` of the project it lies in."""
        ours = shipped("rules")
        found = (folder / ours.name for folder in path.parents if self._is_law(folder / ours.name))
        return _laws(next(found, ours))

    def survey(self, laws: Path | None) -> tuple[Law | None, list[Diagnostic]]:
        """The law as it stands now and everything that is wrong with it."""
        law, problems = read_law(laws, self)
        if law is not None:
            self._laws[laws] = law
        return law, problems

    def law(self, laws: Path | None) -> Law | None:
        """The law as it was when it could last be read: good enough to answer questions, and there at once."""
        return self._laws[laws] if laws in self._laws else self.survey(laws)[0]

    def sources(self, laws: Path | None) -> Sources:
        return find_sources(laws, self)

    def cases(self, word: str) -> Iterator[Path]:
        """The case files in which a word occurs, open ones and those below the roots."""
        for path in sorted({*self.open, *_files_below(self.roots)}):
            if word in self.text(path) and (home := self.home(path)) is not None and home.form is Form.case:
                yield path


def path_of(document: Document | Diagnostic) -> Path:
    """The file of a document or a problem; files of the shipped law are named from its folder on."""
    name = Path(document.file)
    return name if name.is_absolute() else shipped("rules").parent / name


def _laws(folder: Path) -> Path | None:
    return None if folder == shipped("rules") else folder


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _is_bare_draft(folder: Path) -> bool:
    """Whether a folder without vocabulary and editions can be a draft: it holds folders of laws and no others."""
    try:
        folders = [each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")]
    except OSError:
        return False
    return bool(folders) and all(_LAW_FOLDER.match(each.name) for each in folders)


def _looks_like_a_case(text: str) -> bool:
    keys = set(_CASE_KEY.findall(text))
    return len(keys) > 1 and bool(keys & {"table", "reports", "choices", "expect"})


def _files_below(roots: Iterable[Path]) -> Iterator[Path]:
    seen = 0
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
            for name in names:
                seen += 1
                if seen > MOST_FILES:
                    return
                path = Path(folder, name)
                if path.suffix in ENDINGS:
                    yield path
