"""Find the law's files: the shipped folder, alone or with a draft laid over it."""

from __future__ import annotations

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


@dataclass(frozen=True)
class Sources:
    """The documents of the law, drafts after what they are laid over; a file that cannot be read is a problem."""

    editions: tuple[Document, ...]
    vocabularies: tuple[Document, ...]
    clauses: tuple[tuple[str, tuple[Document, ...]], ...]
    problems: tuple[Diagnostic, ...]


def find_sources(laws: Path | None) -> Sources:
    """The shipped law; with `laws`, that folder laid over it, or on its own when it begins its own line of editions."""
    folders = [shipped("rules")]
    if laws is not None:
        if not laws.is_dir():
            raise UsageError(f"there is no folder '{laws}'", "--laws takes a folder of rules")
        folders = [laws] if _stands_alone(laws) else [*folders, laws]
    problems: list[Diagnostic] = []
    clauses: dict[str, list[Document]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.y*ml")):
            relative = path.relative_to(folder)
            if any(part.startswith(".") for part in relative.parts) or relative.as_posix() in (EDITIONS, VOCABULARY):
                continue
            if path.suffix != ".yaml":
                problems.append(Diagnostic("this file is not read", str(path), hint="let its name end in .yaml"))
            elif len(relative.parts) == 1:
                hint = "move it into the folder of its law, such as 50-penalty-card"
                problems.append(Diagnostic("a clause does not stand here", str(path), hint=hint))
            elif (found := _read(path, folder, problems)) is not None:
                clauses.setdefault(relative.with_suffix("").as_posix(), []).append(found)
    named = {
        name: tuple(
            document
            for folder in folders
            if (folder / name).is_file()
            if (document := _read(folder / name, folder, problems)) is not None
        )
        for name in (EDITIONS, VOCABULARY)
    }
    for name, documents in named.items():
        if not documents and not problems:
            problems.append(Diagnostic(f"the law has no {name}", str(folders[0])))
    ordered = tuple(
        (name, tuple(documents)) for name, documents in sorted(clauses.items(), key=lambda item: _natural(item[0]))
    )
    return Sources(named[EDITIONS], named[VOCABULARY], ordered, tuple(problems))


def _natural(name: str) -> tuple[str, ...]:
    return tuple(part.rjust(4) if part.isdigit() else part for part in name.replace("/", "-").split("-"))


def _stands_alone(folder: Path) -> bool:
    """Whether the folder holds a whole law: its editions begin with one that follows no other."""
    path = folder / EDITIONS
    if not path.is_file():
        return False
    try:
        data = read_file(path, LawError).data
    except BridgelawsError:
        return False
    editions = data.get("editions") if isinstance(data, dict) else None
    return isinstance(editions, dict) and any(
        isinstance(each, dict) and "follows" not in each for each in editions.values()
    )


def _read(path: Path, folder: Path, problems: list[Diagnostic]) -> Document | None:
    name = (Path(folder.name) / path.relative_to(folder)).as_posix() if folder == shipped("rules") else str(path)
    try:
        return read_file(path, LawError, name)
    except BridgelawsError as wrong:
        problems.extend(wrong.diagnostics)
        return None


def file_order(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each problem once, in the order of files, lines and columns."""
    return sorted(dict.fromkeys(problems), key=lambda each: (each.file, each.line, each.column, each.message))
