"""What a case expects: rulings that must come, with their clauses, and rulings that must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridgelaws.engine.program import Value
from bridgelaws.errors import CaseError, Diagnostic, nearest
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.types import CARD, SEAT, NotAValue
from bridgelaws.lawbook.vocabulary import Kind
from bridgelaws.located import Document, PathTo
from bridgelaws.ruling.making import FORBIDS, LISTED

KEYS = ("editions", "findings", "never", "plays", "options", "questions")


@dataclass(frozen=True)
class Expected:
    """A finding or option with these field values and, if given, from these clauses."""

    kind: str
    fields: Mapping[str, Value]
    clauses: tuple[str, ...]
    force: str
    path: PathTo

    def describes(self, kind: str, fields: Mapping[str, Value]) -> bool:
        return kind == self.kind and self.fields.items() <= fields.items()

    def __str__(self) -> str:
        fields = ", ".join(f"{name}: {value}" for name, value in self.fields.items())
        return f"{self.kind} {{{fields}}}" + (f" from {', '.join(self.clauses)}" if self.clauses else "")


@dataclass(frozen=True)
class ExpectedPlays:
    """The cards a player may and may not play, each forbidden one with its clauses; nothing: he is not listed."""

    player: str
    may: frozenset[str] | None
    may_not: Mapping[str, frozenset[str]] | None
    listed: bool
    path: PathTo


@dataclass(frozen=True)
class Expectation:
    """What must come out in these editions."""

    editions: tuple[str, ...]
    findings: tuple[Expected, ...]
    never: tuple[Expected, ...]
    plays: tuple[ExpectedPlays, ...]
    options: tuple[Expected, ...] | None
    questions: tuple[str, ...] | None
    path: PathTo

    @property
    def clauses(self) -> frozenset[str]:
        """Every clause that the expectation names."""
        listed = (each.clauses for each in (*self.findings, *(self.options or ())))
        forbidden = (clauses for each in self.plays for clauses in (each.may_not or {}).values())
        return frozenset(clause for clauses in (*listed, *forbidden) for clause in clauses)


def read_expectations(document: Document, law: Law) -> tuple[Expectation, ...]:
    """The expectations of a case, or a `CaseError` with every problem in them."""
    raw = document.data.get("expect")
    reader = _Reader(document, law)
    if raw is None:
        raise CaseError(document.problem((), "the case expects nothing", "add expect:"))
    blocks = raw if isinstance(raw, list) else [raw]
    read = [
        reader.expectation(("expect", place) if isinstance(raw, list) else ("expect",), block)
        for place, block in enumerate(blocks)
    ]
    if not read:
        reader.problems.append(document.problem(("expect",), "the case expects nothing", "list findings, plays, …"))
    if reader.problems:
        raise CaseError(reader.problems)
    return tuple(each for each in read if each is not None)


class _Reader:
    def __init__(self, document: Document, law: Law) -> None:
        self.document = document
        self.law = law
        self.problems: list[Diagnostic] = []

    def _problem(self, path: PathTo, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(path, message, hint, at_key=at_key))

    def expectation(self, path: PathTo, raw: Any) -> Expectation | None:
        if not isinstance(raw, dict):
            self._problem(path, "an expectation is a map", f"use the keys {', '.join(KEYS)}")
            return None
        for key in raw:
            if key not in KEYS:
                self._problem((*path, key), f"there is no key '{key}' here", nearest(key, KEYS), at_key=True)
        if not any(key in raw for key in KEYS[1:]):
            self._problem(path, "nothing is expected here", "list findings, never, plays, options or questions")
        options = self._listed(path, "options", raw, ("choice",)) if raw.get("options") is not None else None
        return Expectation(
            self._editions(path, raw),
            self._listed(path, "findings", raw, ("ruling",)),
            self._listed(path, "never", raw, ("ruling",)),
            self._plays((*path, "plays"), raw.get("plays")),
            options,
            self._questions((*path, "questions"), raw.get("questions")),
            path,
        )

    def _editions(self, path: PathTo, raw: Mapping[str, Any]) -> tuple[str, ...]:
        named = raw.get("editions")
        if named is None:
            return tuple(self.law.editions)
        if not isinstance(named, list) or not named:
            self._problem((*path, "editions"), "editions are a list", 'write editions: ["2017"]')
            return ()
        for place, name in enumerate(named):
            if not isinstance(name, str) or name not in self.law.editions:
                known = nearest(str(name), self.law.editions)
                hint = f'put it in quotes: "{name}"' if isinstance(name, int) else known
                self._problem((*path, "editions", place), f"there is no edition '{name}'", hint)
        return tuple(name for name in named if isinstance(name, str) and name in self.law.editions)

    def _listed(self, path: PathTo, key: str, raw: Mapping[str, Any], sources: Sequence[str]) -> tuple[Expected, ...]:
        items = raw.get(key)
        if items is None:
            return ()
        if not isinstance(items, list):
            self._problem((*path, key), f"{key} are a list", "put '- ' before each")
            return ()
        read = (self._expected((*path, key, place), item, sources, key) for place, item in enumerate(items))
        return tuple(each for each in read if each is not None)

    def _expected(self, path: PathTo, raw: Any, sources: Sequence[str], key: str) -> Expected | None:
        names = [name for name in raw if name not in ("clause", "force")] if isinstance(raw, dict) else []
        if len(names) != 1:
            self._problem(path, "each item names one kind", "write for example - minor_penalty_card: {player: E}")
            return None
        name = names[0]
        known = {kind.name: kind for kind in self.law.vocabulary.of_source(*sources)}
        if name in (FORBIDS, LISTED):
            self._problem((*path, name), f"{name} is no finding", "say under plays: what a seat may play", at_key=True)
            return None
        if name not in known:
            self._problem((*path, name), f"there is no {sources[0]} '{name}'", nearest(name, known), at_key=True)
            return None
        if not isinstance(raw[name], dict | None):
            self._problem((*path, name), f"{name} needs a map of its fields", f"write {name}: {{field: value}}")
            return None
        clauses = self._clauses((*path, "clause"), raw.get("clause"))
        if key == "findings" and not clauses:
            self._problem(path, "the finding does not name its clause", "add clause:")
        return Expected(
            name, self._fields((*path, name), known[name], raw[name] or {}), clauses, str(raw.get("force") or ""), path
        )

    def _fields(self, path: PathTo, kind: Kind, raw: Mapping[str, Any]) -> dict[str, Value]:
        fields: dict[str, Value] = {}
        for label, value in raw.items():
            if label not in kind.fields:
                message = f"{kind.name} has no field '{label}'"
                self._problem((*path, label), message, nearest(label, kind.fields), at_key=True)
                continue
            try:
                fields[label] = kind.fields[label].type.written(kind.fields[label].type.read(value))
            except NotAValue as wrong:
                self._problem((*path, label), wrong.message, wrong.hint)
        return fields

    def _clauses(self, path: PathTo, raw: Any) -> tuple[str, ...]:
        listed = [] if raw is None else raw if isinstance(raw, list) else [raw]
        numbers = {version.number for clause in self.law.clauses for version in clause.versions}
        for each in listed:
            if str(each) not in numbers:
                self._problem(path, f"there is no clause '{each}'", nearest(str(each), numbers))
        return tuple(str(each) for each in listed)

    def _plays(self, path: PathTo, raw: Any) -> tuple[ExpectedPlays, ...]:
        if raw is None:
            return ()
        if not isinstance(raw, dict):
            self._problem(path, "plays are a map from seats", "write plays: {E: {may: [D8]}}")
            return ()
        return tuple(self._seat_plays((*path, seat), seat, given) for seat, given in raw.items())

    def _seat_plays(self, path: PathTo, seat: str, raw: Any) -> ExpectedPlays:
        player = self._read(path, SEAT.read, seat)
        if not isinstance(raw, dict | None):
            self._problem(path, "the plays of a seat are a map", "write {may: [D8], may_not: {D6: [50C]}}")
            raw = {}
        given = raw or {}
        for key in given:
            if key not in ("may", "may_not"):
                self._problem((*path, key), f"there is no key '{key}' here", "use may and may_not", at_key=True)
        may = given.get("may")
        may_not = given.get("may_not")
        for key, each, form in (("may", may, list), ("may_not", may_not, dict)):
            if not isinstance(each, form | None):
                what = "a list of cards" if form is list else "a map from cards to clauses"
                self._problem((*path, key), f"{key} is {what}", "write {may: [D8], may_not: {D6: [50C]}}")
        cards = (
            frozenset(self._read((*path, "may", place), CARD.read, card) for place, card in enumerate(may))
            if isinstance(may, list)
            else None
        )
        forbidden = (
            {
                self._read((*path, "may_not", card), CARD.read, card): frozenset(
                    self._clauses((*path, "may_not", card), clauses)
                )
                for card, clauses in may_not.items()
            }
            if isinstance(may_not, dict)
            else None
        )
        return ExpectedPlays(player, cards, forbidden, raw is not None, path)

    def _read(self, path: PathTo, read: Any, raw: Any) -> str:
        try:
            return str(read(raw))
        except NotAValue as wrong:
            self._problem(path, wrong.message, wrong.hint)
            return ""

    def _questions(self, path: PathTo, raw: Any) -> tuple[str, ...] | None:
        if raw is None:
            return None
        if not isinstance(raw, list):
            self._problem(path, "questions are a list of kind.field", "write questions: [card_exposed.manner]")
            return ()
        known = {f"{kind.name}.{name}" for kind in self.law.vocabulary.of_source("report") for name in kind.fields}
        for place, each in enumerate(raw):
            if str(each) not in known:
                self._problem((*path, place), f"there is no question '{each}'", nearest(str(each), known))
        return tuple(str(each) for each in raw)
