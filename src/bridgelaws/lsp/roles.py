"""What a word in a file is: a kind, a field, a value, a clause number or an edition, by the path that leads to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bridgelaws.lawbook.reading import COMPARATORS
from bridgelaws.lawbook.vocabulary import SOURCES
from bridgelaws.located import PathTo


class Form(Enum):
    """What a file holds."""

    clause = "clause"
    vocabulary = "vocabulary"
    editions = "editions"
    case = "case"


class What(Enum):
    """What a word is. A question is a kind and a field with a point between them."""

    kind = "kind"
    field = "field"
    test = "test"
    value = "value"
    clause = "clause"
    edition = "edition"
    question = "question"


@dataclass(frozen=True)
class Role:
    """What a word is, and for a field or a value of which kind; `sources` are those of the kinds that may stand here.

    `defines`: the word is declared here, not used. A value without a field is that of the kind's first field.
    """

    what: What
    kind: str = ""
    field: str = ""
    part: str = ""
    sources: tuple[str, ...] = ()
    defines: bool = False


_ANY = tuple(SOURCES)
_SECTIONS = {"when": _ANY, "unless": _ANY, "then": ("derived", "ruling"), "offer": ("choice",), "ask": ("report",)}
_EXPECTED = {"findings": ("ruling",), "never": ("ruling",), "options": ("choice",)}
_GIVEN = {"reports": ("report",), "choices": ("choice",)}
_BESIDE = ("force", "because")


def role_of(form: Form, path: PathTo, at_key: bool) -> Role | None:
    """The role of the key, or of the single value, that the path leads to."""
    reading = {Form.clause: _in_clause, Form.vocabulary: _in_vocabulary, Form.editions: _in_editions}
    return reading.get(form, _in_case)(path, at_key)


def _in_clause(path: PathTo, at_key: bool) -> Role | None:
    match path:
        case ("versions", int(), "rules" | "also", int(), str(section), int(), *rest) if section in _SECTIONS:
            joined = section == "unless" and rest and isinstance(rest[0], int)
            return _in_fact(tuple(rest[1:] if joined else rest), at_key, _SECTIONS[section])
        case ("versions", int(), "see", int()):
            return Role(What.clause)
        case ("versions", int(), "number") if not at_key:
            return Role(What.clause, defines=True)
        case ("versions", int(), "since") if not at_key:
            return Role(What.edition)
    return None


def _in_vocabulary(path: PathTo, at_key: bool) -> Role | None:
    match path:
        case ("kinds", str()) if at_key:
            return Role(What.kind, defines=True)
        case ("kinds", str(), "contradicts", int()):
            return Role(What.kind, sources=("ruling",))
        case ("kinds", str(), "during") if not at_key:
            return Role(What.kind, sources=("table",))
        case ("kinds", str(kind), "fields", str(name)) if at_key:
            return Role(What.field, kind, name, defines=True)
        case ("kinds", str(kind), "about", int()) | ("kinds", str(kind), "say", "by") if not at_key:
            return Role(What.field, kind)
    return None


def _in_editions(path: PathTo, at_key: bool) -> Role | None:
    match path:
        case ("editions", str()) if at_key:
            return Role(What.edition, defines=True)
        case ("editions", str(), "follows") if not at_key:
            return Role(What.edition)
    return None


def _in_case(path: PathTo, at_key: bool) -> Role | None:
    match path:
        case ("reports" | "choices" as section, int(), *rest):
            return _in_fact(tuple(rest), at_key, _GIVEN[section])
        case ("regulations", str(kind)) if not at_key:
            return Role(What.value, kind)
        case ("regulations", *rest) if rest:
            return _in_fact(tuple(rest), at_key, ("regulation",))
        case ("edition",) if not at_key:
            return Role(What.edition)
        case ("expect", int(), *rest) | ("expect", *rest):
            return _expected(tuple(rest), at_key)
    return None


def _expected(path: PathTo, at_key: bool) -> Role | None:
    match path:
        case (str(section), int(), *rest) if section in _EXPECTED:
            return _in_fact(tuple(rest), at_key, _EXPECTED[section])
        case ("plays", str(), "may_not", str(), *_) if not at_key:
            return Role(What.clause)
        case ("questions", int()):
            return Role(What.question)
        case ("editions", int()):
            return Role(What.edition)
    return None


def _in_fact(path: PathTo, at_key: bool, sources: tuple[str, ...]) -> Role | None:
    """The role of a word in `kind: {field: test}`. Where a map will stand, a lone word is its first key being typed."""
    match path:
        case ():
            return Role(What.kind, sources=sources)
        case ("clause", *_):
            return None if at_key else Role(What.clause)
        case (str(name), *_) if name in _BESIDE:
            return Role(What.kind, sources=sources) if at_key else None
        case (str(),) if at_key:
            return Role(What.kind, sources=sources)
        case (str(kind),):
            return Role(What.field, kind)
        case (str(kind), str(name)) if at_key:
            return Role(What.field, kind, name)
        case (str(kind), str(name), *tests):
            parts = [step for step in (tests[:-1] if at_key else tests) if isinstance(step, str)]
            part = next((step for step in parts if step not in COMPARATORS), "")
            return Role(What.test if at_key else What.value, kind, name, part)
    return None
