"""A case: a table, what was reported, what was chosen, and which regulations hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from bridgelaws.engine.program import Fact, Value
from bridgelaws.errors import CaseError, Diagnostic, nearest
from bridgelaws.lawbook.types import NotAValue
from bridgelaws.lawbook.vocabulary import NOW, Kind, Vocabulary
from bridgelaws.located import Document, PathTo, read_data, read_file, read_standard_input, read_text
from bridgelaws.table.facts import TABLE_KINDS, table_facts
from bridgelaws.table.table import Table, read_table

KEYS = ("title", "source", "note", "edition", "table", "reports", "choices", "regulations", "expect")
_TEXT_KEYS = ("title", "source", "note", "edition")


@dataclass(frozen=True)
class Case:
    """What happened at a table, as a Director would write it down."""

    document: Document = field(repr=False)
    table: Table = field(repr=False)
    title: str = ""
    edition: str | None = None

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """The case in a YAML or JSON file; `-` is standard input."""
        if str(path) == "-":
            return cls.from_document(read_standard_input(CaseError))
        return cls.from_document(read_file(Path(path), CaseError))

    @classmethod
    def from_text(cls, text: str, name: str = "<text>") -> Self:
        """The case in a YAML text."""
        return cls.from_document(read_text(text, name, CaseError))

    @classmethod
    def from_data(cls, data: dict[str, Any], name: str = "<data>") -> Self:
        """The case in plain Python values, as `json.load` or `yaml.safe_load` gives them."""
        return cls.from_document(read_data(data, name, CaseError))

    @classmethod
    def from_document(cls, document: Document) -> Self:
        problems = _misplaced(document)
        if problems:
            raise CaseError(problems)
        data = document.data
        return cls(document, read_table(document, ("table",)), data.get("title") or "", data.get("edition"))


def _misplaced(document: Document) -> list[Diagnostic]:
    data = document.data
    if not isinstance(data, dict):
        return [document.problem((), "a case is a map", "begin with table: and reports:")]
    problems = [
        document.problem((key,), f"there is no key '{key}' in a case", nearest(key, KEYS), at_key=True)
        for key in data
        if key not in KEYS
    ]
    for key in _TEXT_KEYS:
        if data.get(key) is not None and not isinstance(data[key], str):
            hint = f'put it in quotes: "{data[key]}"' if isinstance(data[key], int) else ""
            problems.append(document.problem((key,), f"{key} is text", hint))
    for key in ("reports", "choices"):
        if not isinstance(data.get(key), list | None):
            problems.append(document.problem((key,), f"{key} are a list", "put '- ' before each"))
    if not isinstance(data.get("regulations"), dict | None):
        problems.append(document.problem(("regulations",), "regulations are a map"))
    return problems


class OpenField(NamedTuple):
    """A field of a given fact that nobody has filled in; `fact` is its place among the facts."""

    fact: int
    field: str


class CaseFacts(NamedTuple):
    """Everything known about a case. `choices` tells where each choice stands in the case."""

    facts: tuple[Fact, ...]
    open_fields: tuple[OpenField, ...]
    choices: tuple[tuple[Fact, PathTo], ...]


def case_facts(case: Case, vocabulary: Vocabulary) -> CaseFacts:
    """The facts of the case in this vocabulary, or a `CaseError` with every problem in file order."""
    return _CaseReader(case, vocabulary).read()


class _CaseReader:
    def __init__(self, case: Case, vocabulary: Vocabulary) -> None:
        self.case = case
        self.document = case.document
        self.vocabulary = vocabulary
        self.problems: list[Diagnostic] = []
        self.facts: list[Fact] = []
        self.open_fields: list[OpenField] = []
        self.choices: list[tuple[Fact, PathTo]] = []

    def read(self) -> CaseFacts:
        kinds = self.vocabulary.kinds
        table = self.case.table
        self.facts = table_facts(table)
        if not kinds.keys() >= TABLE_KINDS.keys():
            self.facts = [fact for fact in self.facts if fact.kind in kinds]
        self.now = table.now if table.stage == "play" else None
        data = self.document.data
        for source, key in (("report", "reports"), ("choice", "choices")):
            for place, raw in enumerate(data.get(key) or ()):
                self._given((key, place), source, raw)
        self._regulations(data.get("regulations") or {})
        if self.problems:
            raise CaseError(self.problems)
        return CaseFacts(tuple(self.facts), tuple(self.open_fields), tuple(self.choices))

    def _problem(self, path: PathTo, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(path, message, hint, at_key=at_key))

    def _given(self, path: PathTo, source: str, raw: Any) -> None:
        if not isinstance(raw, dict) or len(raw) != 1:
            self._problem(path, f"each {source} names one kind", f"write for example {self._example(source)}")
            return
        name, given = next(iter(raw.items()))
        kind = self._kind((*path, name), name, source)
        if kind is None:
            return
        if not isinstance(given, dict | None):
            self._problem((*path, name), f"{name} needs a map of its fields", f"write {name}: {{field: value}}")
            return
        values = self._values((*path, name), kind, given or {})
        left_open = [label for label, each in kind.fields.items() if label not in values and not each.optional]
        fact = kind.fact(values)
        if source == "choice":
            for label in left_open:
                self._problem((*path, name), f"the choice does not say its {label}", f"add {label}:", at_key=True)
            self.choices.append((fact, (*path, name)))
        else:
            self.open_fields += [OpenField(len(self.facts), label) for label in left_open]
        self.facts.append(fact)

    def _example(self, source: str) -> str:
        kind = next(self.vocabulary.of_source(source), None)
        return f"- {kind.name}: {{…}}" if kind else "- kind: {…}"

    def _kind(self, path: PathTo, name: str, source: str) -> Kind | None:
        if name in self.vocabulary and self.vocabulary[name].source == source:
            return self.vocabulary[name]
        if name in self.vocabulary:
            other = self.vocabulary[name].source
            places = {"report": "put it under reports", "choice": "put it under choices"}
            near = nearest(name, self._names(source))
            hint = places.get(other, f"the program works it out: {other} kinds are not given" + (near and f"; {near}"))
            self._problem(path, f"{name} is no {source}", hint, at_key=True)
        else:
            hint = nearest(name, self._names(source)) or self._with_value(name, source)
            hint = hint or "bridgelaws words lists them, and finds one by what happened"
            self._problem(path, f"there is no {source} '{name}'", hint, at_key=True)
        return None

    def _names(self, source: str) -> list[str]:
        return [kind.name for kind in self.vocabulary.of_source(source)]

    def _with_value(self, name: str, source: str) -> str:
        """How to write what was given as a kind, if it is a value of one."""
        for kind in self.vocabulary.of_source(source):
            for label, each in kind.fields.items():
                if name in each.type.phrases:
                    return f"write {kind.name}: {{{label}: {name}}}"
        return ""

    def _values(self, path: PathTo, kind: Kind, given: dict[str, Any]) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for label, raw in given.items():
            if label not in kind.fields:
                message = f"{kind.name} has no field '{label}'"
                self._problem((*path, label), message, nearest(label, kind.fields), at_key=True)
            elif raw is not None:
                try:
                    values[label] = kind.fields[label].type.read(raw)
                except NotAValue as wrong:
                    self._problem((*path, label), wrong.message, wrong.hint)
        for label, each in kind.fields.items():
            if label not in values and label not in given and each.default is not None:
                default = self.now if each.default == NOW else each.default
                if default is not None:
                    values[label] = default
        return values

    def _regulations(self, given: dict[str, Any]) -> None:
        if not given:
            self.facts += self.vocabulary.regulations_by_default
            return
        known = {kind.name: kind for kind in self.vocabulary.of_source("regulation")}
        for name in given:
            if name not in known:
                self._problem(
                    ("regulations", name), f"there is no regulation '{name}'", nearest(name, known), at_key=True
                )
        for name, kind in known.items():
            raw = given.get(name)
            label = next(iter(kind.fields))
            fields = raw if isinstance(raw, dict) else {} if raw is None else {label: raw}
            self.facts.append(kind.fact(self._values(("regulations", name), kind, fields)))


def unknown_table_kinds(vocabulary: Vocabulary) -> list[str]:
    """The vocabulary's table kinds that the adapter does not compute, or not with these fields."""
    return [kind.name for kind in vocabulary.of_source("table") if TABLE_KINDS.get(kind.name) != kind.columns]
