"""Find the law's files: the shipped folder, alone or with a draft laid over it."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bridgelaws.errors import BridgelawsError, Diagnostic, LawError, UsageError
from bridgelaws.located import Document, read_file

EDITIONS = "editions.yaml"
VOCABULARY = "vocabulary.yaml"


def shipped(name: str) -> Path:
    """The folder `rules` or `schemas`: inside the installed package, or beside `src` in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent.parent / name


class Files:
    """The files as they were saved. An editor has its own, with what is open in place of what was saved."""

    def below(self, folder: Path) -> Iterable[Path]:
        # Quicker than `rglob`, and this is done before every ruling.
        return (Path(top, name) for top, _, names in os.walk(folder) for name in fnmatch.filter(names, "*.y*ml"))

    def has(self, path: Path) -> bool:
        return path.is_file()

    def read(self, path: Path, name: str | None = None) -> Document:
        return read_file(path, LawError, name)

    def well_shaped(self, document: Document) -> bool:  # noqa: ARG002
        """Whether the shape of a document is known to be right, and need not be looked at again."""
        return False


SAVED = Files()


SavedState = tuple[tuple[str, int, int], ...]


def saved_state(laws: Path | None) -> SavedState:
    """Every file of the law with its time and size: as long as this is the same, so is the law."""
    folders = [shipped("rules"), *([] if laws is None else [laws])]
    paths = sorted(path for folder in folders for path in SAVED.below(folder))
    files = tuple((str(path), (state := path.stat()).st_mtime_ns, state.st_size) for path in paths)
    # A folder that is not there must not pass for the law without it.
    return files if laws is None or laws.is_dir() else (*files, (str(laws), 0, 0))


@dataclass(frozen=True)
class Sources:
    """The documents of the law, drafts after what they are laid over; a file that cannot be read is a problem."""

    editions: tuple[Document, ...]
    vocabularies: tuple[Document, ...]
    clauses: tuple[tuple[str, tuple[Document, ...]], ...]
    problems: tuple[Diagnostic, ...]


def find_sources(laws: Path | None, files: Files = SAVED) -> Sources:
    """The shipped law; with `laws`, that folder laid over it, or on its own when it begins its own line of editions."""
    folders = [shipped("rules")]
    if laws is not None:
        if not laws.is_dir():
            raise UsageError(f"there is no folder '{laws}'", "--laws takes a folder of rules")
        folders = [laws] if _stands_alone(laws, files) else [*folders, laws]
    problems: list[Diagnostic] = []
    clauses: dict[str, list[Document]] = {}
    for folder in folders:
        for path in sorted(files.below(folder)):
            relative = path.relative_to(folder)
            if any(part.startswith(".") for part in relative.parts) or relative.as_posix() in (EDITIONS, VOCABULARY):
                continue
            if path.suffix != ".yaml":
                hint = "let its name end in .yaml"
                problems.append(Diagnostic("this file is not read", str(path), hint=hint, code="file-not-read"))
            elif len(relative.parts) == 1:
                hint = "move it into the folder of its law, such as 50-penalty-card"
                problems.append(Diagnostic("a clause does not stand here", str(path), hint=hint, code="file-not-read"))
            elif (found := _read(path, folder, files, problems)) is not None:
                clauses.setdefault(relative.with_suffix("").as_posix(), []).append(found)
    named = {
        name: tuple(
            document
            for folder in folders
            if files.has(folder / name)
            if (document := _read(folder / name, folder, files, problems)) is not None
        )
        for name in (EDITIONS, VOCABULARY)
    }
    for name, documents in named.items():
        if not documents and not problems:
            problems.append(Diagnostic(f"the law has no {name}", str(folders[0]), code="missing-file"))
    ordered = tuple(
        (name, tuple(documents)) for name, documents in sorted(clauses.items(), key=lambda item: _natural(item[0]))
    )
    return Sources(named[EDITIONS], named[VOCABULARY], ordered, tuple(problems))


def _natural(name: str) -> tuple[str, ...]:
    return tuple(part.rjust(4) if part.isdigit() else part for part in name.replace("/", "-").split("-"))


def _stands_alone(folder: Path, files: Files) -> bool:
    """Whether the folder holds a whole law: its editions begin with one that follows no other."""
    path = folder / EDITIONS
    if not files.has(path):
        return False
    try:
        data = files.read(path).data
    except BridgelawsError:
        return False
    editions = data.get("editions") if isinstance(data, dict) else None
    return isinstance(editions, dict) and any(
        isinstance(each, dict) and "follows" not in each for each in editions.values()
    )


def _read(path: Path, folder: Path, files: Files, problems: list[Diagnostic]) -> Document | None:
    name = (Path(folder.name) / path.relative_to(folder)).as_posix() if folder == shipped("rules") else str(path)
    try:
        return files.read(path, name)
    except BridgelawsError as wrong:
        problems.extend(wrong.diagnostics)
        return None


def path_of(name: str, laws: Path | None) -> Path:
    """The file that a message names; those of the shipped law are named from its folder on."""
    path = Path(name)
    return path if laws is not None and path.is_relative_to(laws) else shipped("rules").parent / path


def file_order(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each problem once, in the order of files, lines and columns."""
    return sorted(dict.fromkeys(problems), key=lambda each: (each.file, each.line, each.column, each.message))
