"""Where a kind is declared and used, where a clause is written, and what a new name for a kind would change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridgelaws.errors import BridgelawsError, UsageError
from bridgelaws.lawbook.schemas import NAME
from bridgelaws.lawbook.sources import Sources, shipped
from bridgelaws.located import Document, PathTo, Place
from bridgelaws.lsp.desk import Desk, path_of
from bridgelaws.lsp.numbers import chosen, clauses_numbered
from bridgelaws.lsp.roles import Form, What, role_of
from bridgelaws.lsp.texts import Position, Span, span_at, text_lines
from bridgelaws.ruling.making import FORBIDS, LISTED


@dataclass(frozen=True, order=True)
class Use:
    """A word in a file; `defines`: it is declared there."""

    path: Path
    span: Span
    defines: bool = False


def kind_uses(desk: Desk, laws: Path | None, name: str) -> list[Use]:
    """Every place where a kind is named: in the vocabulary, in clauses and in cases."""
    found: list[Use] = []
    for form, document in _documents(desk.sources(laws)):
        found += _uses_in(desk, path_of(document), document, form, name)
    for path in desk.cases(name):
        try:
            document = desk.read_case(path)
        except BridgelawsError:
            continue
        found += _uses_in(desk, path, document, Form.case, name)
    return found


def kind_definition(desk: Desk, laws: Path | None, name: str) -> list[Use]:
    """Where a kind is declared; a draft that declares it anew has the last word."""
    declared = [
        use
        for document in desk.sources(laws).vocabularies
        for use in _uses_in(desk, path_of(document), document, Form.vocabulary, name)
        if use.defines
    ]
    return declared[-1:]


def clause_definition(desk: Desk, laws: Path | None, number: str, edition: str) -> list[Use]:
    """Where the clauses with a number are written, as the edition has them if it has any."""
    law = desk.law(laws)
    if law is None:
        return []
    found: list[Use] = []
    for each in chosen(clauses_numbered(law, number), edition):
        document = each.version.document
        path = path_of(document)
        place = document.places[(*each.version.path, "number")]
        found.append(Use(path, span_at(text_lines(desk.text(path)), place), True))
    return list(dict.fromkeys(found))


def renamed(desk: Desk, laws: Path | None, old: str, new: str) -> dict[Path, list[Span]]:
    """The words to replace in each file so that a kind gets a new name; a usage error says why it cannot be."""
    law = desk.law(laws)
    if law is None or old not in law.vocabulary:
        raise UsageError(f"there is no kind '{old}'")
    if not re.match(NAME, new):
        raise UsageError(f"'{new}' is no name for a kind", "use lower-case letters, digits and _")
    if new in law.vocabulary:
        raise UsageError(f"there is a kind '{new}' already")
    _refuse_what_is_not_ours(desk, laws, old, law.vocabulary[old].source)
    _refuse_what_cannot_be_read(desk, laws, old)
    edits: dict[Path, list[Span]] = {}
    for use in sorted(set(kind_uses(desk, laws, old))):
        edits.setdefault(use.path, []).append(use.span)
    return edits


def _refuse_what_is_not_ours(desk: Desk, laws: Path | None, name: str, source: str) -> None:
    if source == "table" or name in (FORBIDS, LISTED):
        raise UsageError(f"the program itself speaks of {name}, so it keeps its name")
    ours = laws or shipped("rules")
    for document in desk.sources(laws).vocabularies:
        if name in document.data["kinds"] and not path_of(document).is_relative_to(ours):
            raise UsageError(f"{name} is a kind of the shipped law, on which this draft rests", "rename it there")


def _refuse_what_cannot_be_read(desk: Desk, laws: Path | None, name: str) -> None:
    """A file that cannot be read may hide the name, and would keep the old one."""
    for problem in desk.sources(laws).problems:
        raise UsageError(f"{problem.file} cannot be read", "put it right first")
    for path in desk.cases(name):
        try:
            desk.read_case(path)
        except BridgelawsError:
            raise UsageError(f"{path} cannot be read", "put it right first") from None


def _documents(sources: Sources) -> Iterator[tuple[Form, Document]]:
    yield from ((Form.vocabulary, document) for document in sources.vocabularies)
    yield from ((Form.clause, document) for _, documents in sources.clauses for document in documents)


def _uses_in(desk: Desk, path: Path, document: Document, form: Form, name: str) -> Iterator[Use]:
    text = desk.text(path)
    if name not in text:
        return
    lines = text_lines(text)
    for where, place in document.keys.items():
        if where[-1] == name and (role := role_of(form, where, True)) is not None and role.what is What.kind:
            yield Use(path, _name_at(lines, place, name), role.defines)
    for where, value in _texts(document.data, ()):
        role = role_of(form, where, False)
        if role is not None and (
            (role.what is What.kind and value == name)
            or (role.what is What.question and value.partition(".")[0] == name)
        ):
            yield Use(path, _name_at(lines, document.places[where], name))


def _texts(value: Any, path: PathTo) -> Iterator[tuple[PathTo, str]]:
    """Every text of a document with the path that leads to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for step, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts(each, (*path, step))


def _name_at(lines: list[str], place: Place, name: str) -> Span:
    start = span_at(lines, place).start
    return Span(start, Position(start.line, start.column + len(name)))
