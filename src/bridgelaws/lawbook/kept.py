"""Editions kept from an earlier reading, so that a single ruling need not read the whole law again.

A law is kept as lines of JSON in a file named by the digest of everything it was made from, behind checksums: what is
stale is not found, and what is damaged is not used. Whatever stands in the file, it is only data: every value is
checked for its type as it is taken, rules are taken one at a time when they are needed, and none of it becomes code.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bridgelaws.engine.program import (
    COMPARATORS,
    Atom,
    Condition,
    Constant,
    Group,
    Head,
    Program,
    Rule,
    Stratum,
    Term,
    Test,
    Variable,
)
from bridgelaws.lawbook.soundness import cache_folder, law_digest, leave_the_newest
from bridgelaws.lawbook.types import FieldType
from bridgelaws.lawbook.vocabulary import Vocabulary, read_vocabulary, type_of
from bridgelaws.located import Document

if TYPE_CHECKING:
    from bridgelaws.lawbook.law import EditionLaw, Law

_MOST_KEPT = 8


class Damaged(Exception):
    """What was kept is not what was written."""


class KeptWording(NamedTuple):
    """How a conclusion is put."""

    force: str
    because: str


@dataclass(frozen=True, eq=False)
class KeptEdition:
    """An edition to rule by, of which nothing is taken from the file before it is needed."""

    name: str
    _kept: Mapping[str, Any]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        vocabulary, _, _ = read_vocabulary(Document("<kept>", {"kinds": self._kept["kinds"]}), known_sound=True)
        return vocabulary

    @cached_property
    def program(self) -> Program:
        return _KeptProgram(
            {name: tuple(columns) for name, columns in self._kept["columns"].items()}, self._rules
        ).with_summary(self._kept)

    @cached_property
    def order(self) -> Mapping[str, int]:
        return {number: place for place, number in enumerate(self._kept["order"])}

    @property
    def advice(self) -> Mapping[str, str]:
        return dict(self._kept["advice"])

    def number(self, rule: int) -> str:
        return str(self._kept["numbers"][rule])

    @cached_property
    def _rules(self) -> _KeptRules:
        return _KeptRules(self._kept["rules"])

    def wordings(self, rule: int) -> Sequence[KeptWording]:
        return [KeptWording(str(force), str(because)) for force, because in self._rules.kept(rule)[1]]

    def variable_types(self, rule: int) -> Mapping[str, FieldType]:
        named = self._rules.kept(rule)[2]
        return {name: type_of(self.vocabulary, kind, field, part) for name, kind, field, part in named}


class _KeptRules(Sequence[Rule]):
    """Rules that are taken from the file one at a time: each is a JSON text with how it is put and its variables."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._read: dict[int, Any] = {}
        self._taken: dict[int, Rule] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, place: Any) -> Any:
        if place not in self._taken:
            self._taken[place] = _rule(self.kept(place)[0])
        return self._taken[place]

    def kept(self, place: int) -> Any:
        if place not in self._read:
            self._read[place] = json.loads(_word(self._texts[place]))
        return self._read[place]


class _KeptProgram(Program):
    """A program whose summary was kept too."""

    def with_summary(self, kept: Mapping[str, Any]) -> _KeptProgram:
        self.__dict__["strata"] = tuple(
            Stratum(tuple(Group(tuple(map(_whole, rules)), bool(recursive)) for rules, recursive in groups))
            for groups in kept["strata"]
        )
        self.__dict__["signatures"] = kept["signatures"]
        self.__dict__["columns_read"] = frozenset((kind, column) for kind, column in kept["columns_read"])
        return self


def kept_edition(laws: Path | None, edition: str | None) -> KeptEdition | None:
    """The edition as it was kept; nothing if it was not, if something has changed since, or if there is none such."""
    if laws is not None and not laws.is_dir():
        return None
    try:
        digest = law_digest(laws)
        with _place(digest).open("rb") as file:
            checksum, head = file.readline().decode("ascii"), file.readline()
            if checksum.rstrip() != _checksum(digest, head):
                return None
            names = json.loads(head)
            chosen = edition or names["latest"]
            start, length, checksum = names["editions"][chosen]
            # The other editions are not even read.
            file.seek(start, os.SEEK_CUR)
            kept = file.read(length)
        if checksum != _checksum(digest, kept):
            return None
        summary, *rules = kept.decode("ascii").split("\n")
        return KeptEdition(chosen, {**json.loads(summary), "rules": rules})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(law: Law, laws: Path | None) -> None:
    """Keep every edition of a law that was found sound; where nothing can be written, nothing is kept."""
    digest = law_digest(laws)
    kinds = {name: document.data["kinds"][name] for name, (document, _) in law.places.items()}
    editions = {name: {"kinds": kinds, **_plain(law.edition(name))} for name in law.editions}
    with suppress(OSError):
        from bridgelaws.errors import UsageError
        from bridgelaws.files import write_whole

        with suppress(UsageError):
            write_whole(_place(digest), _kept_text(digest, law.latest, editions))
        leave_the_newest(_place(digest).parent, _MOST_KEPT)


def _kept_text(digest: str, latest: str, editions: Mapping[str, Mapping[str, Any]]) -> str:
    """A checksum, where each edition begins, then the editions: a line for all but the rules, and one for each rule."""
    begun = 0
    places: dict[str, tuple[int, int, str]] = {}
    texts: list[str] = []
    for name, kept in editions.items():
        summary = {key: value for key, value in kept.items() if key != "rules"}
        text = "\n".join((_text(summary), *kept.get("rules", ())))
        places[name] = begun, len(text), _checksum(digest, text.encode("ascii"))
        begun += len(text)
        texts.append(text)
    head = _text({"latest": latest, "editions": places}) + "\n"
    return "".join((_checksum(digest, head.encode("ascii")), "\n", head, *texts))


def _place(digest: str) -> Path:
    return cache_folder() / "kept" / f"{digest}.json"


def _checksum(digest: str, content: bytes) -> str:
    taken = sha256(digest.encode())
    taken.update(content)
    return taken.hexdigest()


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def _plain(law: EditionLaw) -> dict[str, Any]:
    program = law.program
    return {
        "columns": {name: list(columns) for name, columns in program.columns.items()},
        "columns_read": sorted(program.columns_read),
        "strata": [[[list(group.rules), group.recursive] for group in each.groups] for each in program.strata],
        "signatures": program.signatures,
        "rules": [_text(_plain_rule(law, place)) for place in range(len(program.rules))],
        "numbers": [each.number for each in law.rules],
        "order": [each.number for each in law.provisions],
        "advice": law.advice,
    }


def _plain_rule(law: EditionLaw, place: int) -> list[Any]:
    """A rule, how each of its conclusions is put, and the types of its variables."""
    rule = law.program.rules[place]
    unless = [_plain_condition(each) for each in rule.unless]
    then = [[head.kind, _plain_terms(head.terms)] for head in rule.then]
    lowered = [rule.name, rule.variables, rule.bound, _plain_condition(rule.when), unless, then]
    wordings = [[each.force, each.because] for each in law.wordings(place)]
    return [lowered, wordings, list(law.named_variables(place))]


def _plain_condition(condition: Condition) -> list[Any]:
    atoms = [[atom.kind, _plain_terms(atom.terms)] for atom in condition.atoms]
    return [atoms, [[test.variable.index, test.comparator, _plain_terms(test.operands)] for test in condition.tests]]


def _plain_terms(terms: Sequence[Term | None]) -> list[Any]:
    """A variable is its number, a value stands in brackets."""
    return [each.index if isinstance(each, Variable) else [each.value] if each else None for each in terms]


def _rule(kept: Any) -> Rule:
    name, variables, bound, when, unless, then = kept
    heads = tuple(Head(_word(kind), tuple(_terms(terms))) for kind, terms in then)
    named = tuple(map(_word, variables))
    return Rule(_word(name), named, _whole(bound), _condition(when), tuple(map(_condition, unless)), heads)


def _condition(kept: Any) -> Condition:
    atoms, tests = kept
    return Condition(
        tuple(Atom(_word(kind), tuple(_terms(terms))) for kind, terms in atoms),
        tuple(
            Test(Variable(_whole(variable)), COMPARATORS[comparator], tuple(_given(_terms(operands))))
            for variable, comparator, operands in tests
        ),
    )


def _terms(kept: Any) -> Iterator[Term | None]:
    for each in kept:
        yield None if each is None else Constant(_value(*each)) if isinstance(each, list) else Variable(_whole(each))


def _given(terms: Iterator[Term | None]) -> Iterator[Term]:
    for each in terms:
        if each is None:
            raise Damaged
        yield each


def _value(kept: Any) -> str | int | bool:
    if not isinstance(kept, str | int):
        raise Damaged
    return kept


def _whole(kept: Any) -> int:
    if type(kept) is not int:
        raise Damaged
    return kept


def _word(kept: Any) -> str:
    if not isinstance(kept, str):
        raise Damaged
    return kept
