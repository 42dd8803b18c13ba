"""What may stand at the cursor: kinds, fields, tests, values, the rule's variables, clause numbers and editions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.reading import COMPARATORS
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType
from bridgelaws.lawbook.vocabulary import SOURCES, Field, Kind
from bridgelaws.located import PathTo, scalar_text
from bridgelaws.lsp.numbers import all_numbers
from bridgelaws.lsp.roles import Form, Role, What
from bridgelaws.lsp.telling import first_or_named
from bridgelaws.lsp.texts import Spot, text_lines, value_at

_VARIABLE = re.compile(r"\$[a-z][a-z0-9_]*")
_RULE_STEPS = 4
_TEST_WORDS = {
    "is": "equals, and gives a variable its value",
    "not": "anything but",
    "one_of": "one of a list",
    "above": "higher than",
    "below": "lower than",
    "at_least": "as high or higher",
    "at_most": "as low or lower",
}


@dataclass(frozen=True)
class Completion:
    """A word that may stand here; `insert` is what to write for it."""

    label: str
    what: What
    detail: str = ""
    insert: str = ""
    variable: bool = False

    @property
    def text(self) -> str:
        return self.insert or self.label


def completions(law: Law, form: Form, text: str, spot: Spot, role: Role) -> list[Completion]:
    """Everything that may stand at the spot; the editor picks what begins with what was typed."""
    colon = "" if spot.colon_follows else ": "
    kind = law.vocabulary.kinds.get(role.kind)
    found: Iterator[Completion]
    if role.what is What.kind and not role.defines:
        in_list = form is Form.vocabulary
        found = _kinds(law, role, "" if in_list else colon)
    elif role.what is What.question:
        found = _questions(law)
    elif role.what is What.field and kind is not None and not role.defines:
        found = _fields(kind, spot, "" if form is Form.vocabulary else colon)
    elif role.what is What.test and kind is not None and role.field in kind.fields:
        found = _tests(_part(kind.fields[role.field].type, role.part), colon)
    elif role.what is What.value:
        found = _values(first_or_named(kind, role.field), role, form, text, spot)
    elif role.what is What.clause and not role.defines:
        found = (Completion(number, role.what, title) for number, title in all_numbers(law))
    elif role.what is What.edition and not role.defines:
        found = (_edition(name, each.title, spot) for name, each in law.editions.items())
    else:
        return []
    return list(found)


def rule_variables(text: str, spot: Spot) -> list[str]:
    """The variables of the rule around a spot, in the order in which they first stand in it."""
    place = spot.before.places.get(_rule(spot.path))
    if place is None or len(spot.path) <= _RULE_STEPS:
        return []
    lines = text_lines(text)
    end = place.line
    while end < len(lines) and (not lines[end].strip() or _indentation(lines[end]) >= place.column - 1):
        end += 1
    # The word at the cursor is not yet a variable of the rule.
    line = lines[spot.span.start.line]
    lines[spot.span.start.line] = line[: spot.span.start.column] + line[spot.span.end.column :]
    return list(dict.fromkeys(_VARIABLE.findall("\n".join(lines[place.line - 1 : end]))))


def _rule(path: PathTo) -> PathTo:
    return path[:_RULE_STEPS]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _kinds(law: Law, role: Role, colon: str) -> Iterator[Completion]:
    for kind in law.vocabulary.of_source(*(role.sources or tuple(SOURCES))):
        yield Completion(kind.name, What.kind, f"{kind.source}: {kind.means}", f"{kind.name}{colon}")


def _questions(law: Law) -> Iterator[Completion]:
    for kind in law.vocabulary.of_source("report"):
        for field in kind.fields.values():
            yield Completion(f"{kind.name}.{field.name}", What.question, field.ask)


def _fields(kind: Kind, spot: Spot, colon: str) -> Iterator[Completion]:
    around = value_at(spot.before, spot.inside) if spot.at_key else None
    given = set(around) if isinstance(around, dict) else set()
    for field in kind.fields.values():
        if field.name not in given:
            detail = field.means or field.ask or field.type.noun
            yield Completion(field.name, What.field, detail, f"{field.name}{colon}")


def _part(kind: FieldType, part: str) -> FieldType:
    return PLAIN_TYPES[kind.parts[part][0]] if part in kind.parts else kind


def _tests(kind: FieldType, colon: str) -> Iterator[Completion]:
    ordered = {"above", "below", "at_least", "at_most"}
    for name in COMPARATORS:
        if kind.ordered or name not in ordered:
            yield Completion(name, What.test, _TEST_WORDS[name], f"{name}{colon}")
    for part in kind.parts:
        yield Completion(part, What.test, f"the {part} of the {kind.noun}", f"{part}{colon}")


def _values(field: Field | None, role: Role, form: Form, text: str, spot: Spot) -> Iterator[Completion]:
    if form is Form.clause:
        same = f"${role.part or role.field}"
        for name in sorted(rule_variables(text, spot), key=lambda name: name != same):
            yield Completion(name, What.value, "a variable of this rule", variable=True)
    if field is not None:
        kind = _part(field.type, role.part)
        for value in kind.domain:
            yield Completion(scalar_text(kind.written(value)), What.value, kind.say(value))


def _edition(name: str, title: str, spot: Spot) -> Completion:
    # A bare year is a number to YAML; inside quotes the editor replaces only what stands between them.
    line_start = spot.before.places.get(spot.path) or spot.before.keys.get(spot.path)
    quoted = line_start is not None and line_start.column - 1 < spot.span.start.column
    return Completion(name, What.edition, title, f'"{name}"' if name.isdigit() and not quoted else name)
