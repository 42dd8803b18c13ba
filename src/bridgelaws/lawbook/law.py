"""The whole law, all editions: read from its files, checked, and cut into the program of one edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from bridgelaws.engine.program import Program
from bridgelaws.errors import Diagnostic, LawError, UsageError, nearest
from bridgelaws.lawbook.checks import Places, check_clauses, check_editions_of_clauses, check_kinds
from bridgelaws.lawbook.clauses import Clause, Version
from bridgelaws.lawbook.edition_in_force import Wording
from bridgelaws.lawbook.editions import (
    Edition,
    LeftOpen,
    Provision,
    RuleInForce,
    provisions,
    read_editions,
    read_left_open,
)
from bridgelaws.lawbook.lowering import lower
from bridgelaws.lawbook.quoting import unquoted_numbers
from bridgelaws.lawbook.reading import read_clause
from bridgelaws.lawbook.schemas import Schema, clause_schema, editions_schema, vocabulary_schema
from bridgelaws.lawbook.soundness import is_known_sound, law_digest, remember_as_sound
from bridgelaws.lawbook.sources import SAVED, Files, SavedState, Sources, file_order, find_sources, saved_state
from bridgelaws.lawbook.types import FieldType
from bridgelaws.lawbook.vocabulary import Kind, Vocabulary, read_vocabulary, type_of
from bridgelaws.located import Document, PathTo
from bridgelaws.shape import shape_problems


@dataclass(frozen=True, eq=False)
class EditionLaw:
    """What one edition says: its provisions, its rules in a fixed order, and the program made of them."""

    edition: Edition
    vocabulary: Vocabulary
    provisions: tuple[Provision, ...]
    rules: tuple[RuleInForce, ...]
    program: Program

    def variable_types(self, rule: int) -> Mapping[str, FieldType]:
        """The type of each named variable of a rule, by the rule's place in the program."""
        if rule not in self._variable_types:
            self._variable_types[rule] = self._types_in(rule)
        return self._variable_types[rule]

    @cached_property
    def _variable_types(self) -> dict[int, Mapping[str, FieldType]]:
        return {}

    def _types_in(self, rule: int) -> Mapping[str, FieldType]:
        return {
            name: type_of(self.vocabulary, kind, field, part) for name, kind, field, part in self.named_variables(rule)
        }

    def named_variables(self, rule: int) -> Sequence[tuple[str, str, str, str]]:
        """Each named variable of a rule with the kind, the field and the part of it from which it has its value."""
        found: dict[str, tuple[str, str, str, str]] = {}
        for pattern in self.rules[rule].rule.when:
            for name, test in pattern.names():
                found.setdefault(name, (name, pattern.kind, test.field, test.part))
        return list(found.values())

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The place of each clause number in the book."""
        return {each.number: place for place, each in enumerate(self.provisions)}

    @property
    def name(self) -> str:
        return self.edition.name

    def number(self, rule: int) -> str:
        """The number of the clause that holds a rule, by the rule's place in the program."""
        return self._numbers[rule]

    @cached_property
    def _numbers(self) -> Sequence[str]:
        return [each.number for each in self.rules]

    def wordings(self, rule: int) -> Sequence[Wording]:
        """How each conclusion of a rule is put."""
        return self.rules[rule].rule.then

    @cached_property
    def advice(self) -> Mapping[str, str]:
        """The advice that clauses give, by their numbers."""
        return {each.number: each.version.advice for each in self.provisions if each.version.advice}

    def provision(self, number: str) -> Provision:
        """The provision with this number; a usage error that suggests the nearest if there is none."""
        wanted = number.replace(" ", "").lower()
        by_number = {each.number.replace(" ", "").lower(): each for each in self.provisions}
        if wanted not in by_number:
            known = [each.number for each in self.provisions]
            raise UsageError(f"the {self.edition.name} edition has no clause '{number}'", nearest(number, known))
        return by_number[wanted]


@dataclass(frozen=True)
class Law:
    """Vocabulary, editions and clauses, known to be sound; `places` says where each kind is declared.

    `left_open` is what the authors of the law do not claim of it: `verify` tells their reasons.
    """

    vocabulary: Vocabulary
    editions: Mapping[str, Edition]
    clauses: tuple[Clause, ...]
    places: Places = field(default_factory=dict, repr=False, compare=False)
    left_open: tuple[LeftOpen, ...] = ()

    @property
    def latest(self) -> str:
        """The edition that no other follows; of several, the last in the file."""
        followed = {name for edition in self.editions.values() for name in edition.line[1:]}
        return [name for name in self.editions if name not in followed][-1]

    def edition(self, name: str | None = None) -> EditionLaw:
        chosen = name or self.latest
        if chosen not in self.editions:
            raise UsageError(f"there is no edition '{chosen}'", nearest(chosen, self.editions))
        if chosen not in self._cut:
            self._cut[chosen] = edition_law(self, self.editions[chosen])
        return self._cut[chosen]

    @cached_property
    def _cut(self) -> dict[str, EditionLaw]:
        return {}


def edition_law(law: Law, edition: Edition) -> EditionLaw:
    found = provisions(law.clauses, edition)
    rules = tuple(RuleInForce(each, rule) for each in found for rule in each.version.rules)
    return EditionLaw(edition, law.vocabulary, found, rules, lower((each.rule for each in rules), law.vocabulary))


def load_law(laws: Path | None = None) -> Law:
    """The law, or a `LawError` with everything that is wrong with it. Read once as long as its files do not change."""
    saved = saved_state(laws)
    if saved not in _LOADED:
        digest = law_digest(laws) if laws is None or laws.is_dir() else ""
        law = _known_law(laws) if is_known_sound(digest) else None
        if law is None:
            law, problems = read_law(laws)
            if law is None or problems:
                raise LawError(problems)
            remember_as_sound(digest)
        while len(_LOADED) >= _MOST_LOADED:
            _LOADED.pop(next(iter(_LOADED)), None)
        _LOADED[saved] = law
    return _LOADED[saved]


def _known_law(laws: Path | None) -> Law | None:
    """A law that was found sound before; nothing if that cannot be, so that it is checked after all."""
    try:
        law, problems = read_law(laws, sound=True)
    except Exception:
        return None
    return None if problems else law


_LOADED: dict[SavedState, Law] = {}
_MOST_LOADED = 4
# Whether the shape of a document need not be looked at.
Known = Callable[[Document], bool]


def read_law(
    laws: Path | None = None, files: Files = SAVED, *, sound: bool = False
) -> tuple[Law | None, list[Diagnostic]]:
    """The law as far as it can be read, and every problem in file order; if it is known to be `sound`, unchecked."""
    sources = find_sources(laws, files)
    problems = list(sources.problems)
    known: Known = (lambda _: True) if sound else files.well_shaped
    editions_read = _well_shaped(sources.editions, _shape("editions"), problems, known)
    editions, wrong = read_editions(editions_read)
    problems += wrong
    vocabulary, kind_places, wrong = _read_vocabularies(sources, problems, known)
    problems += wrong
    if vocabulary is None:
        return None, file_order(problems)
    clauses: list[Clause] = []
    for clause_id, documents in sources.clauses:
        parts: list[Clause] = []
        for document in _well_shaped(documents, _shape("clause"), problems, known):
            clause, wrong = read_clause(document, clause_id, vocabulary)
            parts.append(clause)
            problems += wrong
            problems += unquoted_numbers(document)
        problems += check_editions_of_clauses(parts, editions)
        if parts:
            clauses.append(_carried_on(_laid_over(parts, editions), problems))
    law = Law(vocabulary, editions, tuple(clauses), kind_places, read_left_open(editions_read))
    if not problems and not sound:
        problems += check_clauses(law.clauses, editions, vocabulary)
        problems += check_kinds(vocabulary, kind_places)
    return law, file_order(problems)


def _read_vocabularies(
    sources: Sources, problems: list[Diagnostic], known: Known
) -> tuple[Vocabulary | None, dict[str, tuple[Document, PathTo]], list[Diagnostic]]:
    """The kinds of all files together. A kind of the wrong shape is left out alone, not its whole file."""
    kinds: dict[str, Kind] = {}
    places: dict[str, tuple[Document, PathTo]] = {}
    wrong: list[Diagnostic] = []
    broken: set[str] = set()
    for document in sources.vocabularies:
        found = [] if known(document) else shape_problems(document, _shape("vocabulary"))
        problems += found
        listed = document.data.get("kinds") if isinstance(document.data, dict) else None
        if not isinstance(listed, dict):
            return None, {}, []
        broken |= {name for name in listed if any(f"{each.path}.".startswith(f"kinds.{name}.") for each in found)}
        whole = {name: raw for name, raw in listed.items() if name not in broken}
        vocabulary, where, misread = read_vocabulary(replace(document, data={"kinds": whole}))
        kinds |= vocabulary.kinds
        places |= {name: (document, path) for name, path in where.items()}
        wrong += misread
    return Vocabulary(kinds, frozenset(broken)) if sources.vocabularies else None, places, wrong


def _laid_over(parts: list[Clause], editions: Mapping[str, Edition]) -> Clause:
    """A draft's versions replace those of the same edition and join the others, oldest first."""
    if len(parts) == 1:
        return parts[0]
    merged: dict[str, Version] = {}
    for part in parts:
        merged |= {version.since: version for version in part.versions}
    age = {name: len(edition.line) for name, edition in editions.items()}
    return replace(parts[-1], versions=tuple(sorted(merged.values(), key=lambda each: age.get(each.since, 0))))


def _carried_on(clause: Clause, problems: list[Diagnostic]) -> Clause:
    """A version that is as before takes over rules, and its gist if it has none, from the version before it."""
    versions: list[Version] = []
    for version in clause.versions:
        if version.as_before and not (versions and versions[-1].rules):
            message = "there is no earlier version whose rules could go on"
            path: PathTo = (*version.path, "rules")
            problems.append(version.document.problem(path, message, "write the rules out", code="as-before"))
        elif version.as_before:
            earlier = versions[-1]
            names = [rule.name for rule in earlier.rules]
            for place, name in enumerate(version.without):
                if name not in names:
                    path = (*version.path, "without", place)
                    message = f"the version since {earlier.since} has no rule '{name}'"
                    problems.append(version.document.problem(path, message, nearest(name, names), code="unknown-rule"))
            rules = {rule.name: rule for rule in earlier.rules if rule.name not in version.without}
            rules |= {rule.name: rule for rule in version.rules}
            version = replace(version, rules=tuple(rules.values()), gist=version.gist or earlier.gist)
        versions.append(version)
    return replace(clause, versions=tuple(versions))


def _well_shaped(
    documents: tuple[Document, ...], schema: Schema, problems: list[Diagnostic], known: Known
) -> tuple[Document, ...]:
    kept: list[Document] = []
    for document in documents:
        found = [] if known(document) else shape_problems(document, schema)
        problems += found
        if not found:
            kept.append(document)
    return tuple(kept)


@cache
def _shape(name: str) -> Schema:
    return {"editions": editions_schema, "vocabulary": vocabulary_schema, "clause": clause_schema}[name]()
