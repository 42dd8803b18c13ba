"""Editions of the Laws: which there are, which follows which, and what each says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bridgelaws.errors import Diagnostic, nearest
from bridgelaws.lawbook.clauses import Clause, LawRule, Version
from bridgelaws.located import Document, PathTo


@dataclass(frozen=True)
class Edition:
    """One edition; `line` runs from it back to the first edition of all."""

    name: str
    title: str
    line: tuple[str, ...]


@dataclass(frozen=True)
class Provision:
    """A clause as an edition has it."""

    clause: Clause
    version: Version

    @property
    def number(self) -> str:
        return self.version.number


@dataclass(frozen=True)
class RuleInForce:
    """A rule of an edition, with the provision that holds it."""

    provision: Provision
    rule: LawRule

    @property
    def number(self) -> str:
        return self.provision.number


def read_editions(documents: Iterable[Document]) -> tuple[dict[str, Edition], list[Diagnostic]]:
    problems: list[Diagnostic] = []
    follows: dict[str, str | None] = {}
    titles: dict[str, str] = {}
    for document in documents:
        for name, raw in document.data["editions"].items():
            titles[name] = raw["name"]
            follows[name] = raw.get("follows")
        for name, raw in document.data["editions"].items():
            before = raw.get("follows")
            if before is not None and before not in follows:
                message, hint = f"there is no edition '{before}'", nearest(before, follows)
                problems.append(document.problem(("editions", name, "follows"), message, hint, code="unknown-edition"))
                follows[name] = None
            elif before is not None and name in _line(before, follows):
                message = f"the edition '{name}' follows itself in the end"
                problems.append(document.problem(("editions", name, "follows"), message, code="edition-circle"))
                follows[name] = None
    return {name: Edition(name, titles[name], _line(name, follows)) for name in titles}, problems


@dataclass(frozen=True)
class LeftOpen:
    """A question about the soundness of the law that its authors leave open, with their reason."""

    question: str
    why: str
    document: Document
    path: PathTo


def read_left_open(documents: Iterable[Document]) -> tuple[LeftOpen, ...]:
    """What the files of editions leave open, each question once: the last word counts."""
    found: dict[str, LeftOpen] = {}
    for document in documents:
        for place, raw in enumerate(document.data.get("open", ())):
            for number, question in enumerate(raw["questions"]):
                path: PathTo = ("open", place, "questions", number)
                found[question] = LeftOpen(question, raw["why"], document, path)
    return tuple(found.values())


def _line(name: str, follows: Mapping[str, str | None]) -> tuple[str, ...]:
    line: list[str] = []
    current: str | None = name
    while current is not None and current not in line:
        line.append(current)
        current = follows.get(current)
    return tuple(line)


def version_in(clause: Clause, edition: Edition) -> Version | None:
    """The clause's version in force: the latest at or before the edition; none if it was repealed or not yet there."""
    since = {version.since: version for version in clause.versions}
    for name in edition.line:
        if name in since:
            return None if since[name].repealed else since[name]
    return None


def provisions(clauses: Iterable[Clause], edition: Edition) -> tuple[Provision, ...]:
    return tuple(
        Provision(clause, version) for clause in clauses if (version := version_in(clause, edition)) is not None
    )
