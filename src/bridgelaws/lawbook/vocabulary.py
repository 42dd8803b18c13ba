"""The vocabulary: every kind of fact, its fields, and the words in which it is asked for and announced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from bridgelaws.engine.program import Fact, Rule, Value, Values, new_fact, values_order
from bridgelaws.errors import Diagnostic, nearest
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType, NotAValue, one_of
from bridgelaws.located import Document, PathTo, scalar_text

if TYPE_CHECKING:
    from bridgelaws.lawbook.clauses import LawRule

# What a rule offers and asks for are facts too, of kinds of their own.
OFFER = "offer "
ASK = "ask "

SOURCES = {
    "table": "computed from the cards and the tricks",
    "report": "what the Director was told or judges",
    "choice": "an option that someone took",
    "regulation": "an election of the Regulating Authority",
    "derived": "a stepping stone between rules",
    "ruling": "what the Director announces",
}
NOW = "now"

_MOST_KEPT = 1000

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDER_NAME = re.compile(r"([a-z][a-z0-9_]*)(\.a)?\Z")


class Field(NamedTuple):
    """One field of a kind. `default` is what holds when nobody says otherwise; `now` means the trick in progress."""

    name: str
    type: FieldType
    means: str = ""
    ask: str = ""
    judgement: bool = False
    default: Value = None
    optional: bool = False

    @property
    def may_be_left_open(self) -> bool:
        return self.default is not None or self.optional


class Say(NamedTuple):
    """How a fact is said: one template, or by the value of a field one for each value."""

    templates: Mapping[str, str]
    by: str = ""

    def template(self, values: Mapping[str, Value]) -> str:
        value = values.get(self.by)
        return next(iter(self.templates.values())) if value is None else self.templates[scalar_text(value)]


@dataclass(frozen=True)
class Kind:
    """A kind of fact.

    For a choice, `about` names the fields that say what is chosen, while the others tell the options apart; `during` is
    the table kind whose facts, with the same values, show that the choice is being made now; and where the chooser is
    the player whose hand it is, `chooser_for_dummy` chooses for dummy's.
    """

    name: str
    source: str
    means: str
    fields: Mapping[str, Field]
    say: Say
    contradicts: tuple[str, ...] = ()
    chooser: str = ""
    chooser_for_dummy: str = ""
    about: tuple[str, ...] = ()
    during: str = ""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The fields in order, each followed by its components: `card`, `card.suit`, `card.rank`."""
        return tuple(
            column
            for name, each in self.fields.items()
            for column in (name, *(f"{name}.{part}" for part in each.type.parts))
        )

    def fact(self, values: Mapping[str, Value]) -> Fact:
        """The fact with these field values; a field that is not among them was not given."""
        row: list[Value] = []
        for name, tables in self._components:
            value = values.get(name)
            row.append(value)
            for table in tables:
                row.append(None if value is None else table[str(value)])
        return new_fact((self.name, tuple(row)))

    @cached_property
    def _components(self) -> tuple[tuple[str, tuple[Mapping[str, str | int], ...]], ...]:
        """Each field, with a table for each of its components."""
        return tuple(
            (name, tuple(table for _, table in each.type.parts.values())) for name, each in self.fields.items()
        )

    @cached_property
    def _field_places(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, self.columns.index(name)) for name in self.fields)

    def order(self, values: Values) -> tuple[tuple[int, ...], object]:
        """Sorts facts of the kind: by what the vocabulary lists, in its order, then by all values."""
        return tuple([places.get(values[column], -1) for column, places in self._listed_values]), values_order(values)

    @cached_property
    def _listed_values(self) -> tuple[tuple[int, Mapping[Value, int]], ...]:
        """The columns of seats, counts and values that the vocabulary lists, each with the place of every value."""
        return tuple(
            (place, {value: number for number, value in enumerate(self.fields[name].type.domain)})
            for name, place in self._field_places
            if self.fields[name].type.name in ("seat", "count", "one_of")
        )

    def values(self, fact: Fact) -> dict[str, Value]:
        """The fields of a fact that have a value."""
        return {name: fact.values[place] for name, place in self._field_places if fact.values[place] is not None}

    def written(self, fact: Fact) -> dict[str, Value]:
        """The fields of a fact as files and JSON write them."""
        return {name: self.fields[name].type.written(value) for name, value in self.values(fact).items()}

    def announcement(self, fact: Fact) -> str:
        """The fact in a sentence; the same is announced again and again, so sentences are kept."""
        said = self._announced.get(fact.values)
        if said is None:
            if len(self._announced) >= _MOST_KEPT:
                self._announced.clear()
            said = self._announced[fact.values] = self.said(self.values(fact))
        return said

    @cached_property
    def _announced(self) -> dict[Values, str]:
        return {}

    def chosen_by(self, fact: Fact, dummy: str | None = None) -> str:
        """Who makes a choice: `declarer`, or the seat that the choice names."""
        values = self.values(fact)
        if self.chooser_for_dummy and dummy is not None and values.get("player") == dummy:
            return self.chooser_for_dummy
        return fill(self.chooser, {name: (each.type, values.get(name)) for name, each in self.fields.items()})

    def said(self, values: Mapping[str, Value]) -> str:
        """The announcement of a fact of which perhaps not every field is known."""
        template = self.say.template(values)
        return fill(template, {name: (each.type, values.get(name)) for name, each in self.fields.items()})


def placeholders(template: str) -> Iterator[str | None]:
    """The name in each `{…}` of a template; `None` for braces that hold no name."""
    if set(_PLACEHOLDER.sub("", template)) & set("{}"):
        yield None
    for found in _PLACEHOLDER.finditer(template):
        name = _PLACEHOLDER_NAME.match(found[1])
        yield name[1] if name else None


def fill(template: str, values: Mapping[str, tuple[FieldType, Value]]) -> str:
    """The template with each `{name}` said aloud; `{suit.a}` says one card of the suit, "a diamond"."""

    def said(found: re.Match[str]) -> str:
        name, _, part = found[1].partition(".")
        if name not in values:
            return found[0]
        kind, value = values[name]
        return kind.say(value, article=part == "a")

    return _PLACEHOLDER.sub(said, template)


@dataclass(frozen=True)
class Vocabulary:
    """Every kind by its name, in the order of the file: rulings are announced in that order.

    `broken` kinds are in the file too, but what is wrong with them was told; nobody need hear that they are missing.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> Kind:
        return self.kinds[name]

    def __contains__(self, name: str) -> bool:
        return name in self.kinds

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each kind in the file."""
        return {name: place for place, name in enumerate(self.kinds)}

    @cached_property
    def lowered(self) -> dict[int, tuple[LawRule, Rule]]:
        """The rules that were lowered by these kinds, by their ids."""
        return {}

    def of_source(self, *sources: str) -> Iterator[Kind]:
        if len(sources) == 1:
            return iter(self._by_source.get(sources[0], ()))
        return (kind for kind in self.kinds.values() if kind.source in sources)

    @cached_property
    def announced(self) -> frozenset[str]:
        """The kinds of fact that make a ruling: what is announced, and what is offered."""
        ruled = {kind.name for kind in self.of_source("ruling")}
        return frozenset(ruled | {OFFER + kind.name for kind in self.of_source("choice")})

    @cached_property
    def asked(self) -> frozenset[str]:
        """The kinds of fact by which rules ask for a report."""
        return frozenset(ASK + kind.name for kind in self.of_source("report"))

    @cached_property
    def regulations_by_default(self) -> tuple[Fact, ...]:
        """What holds where a Regulating Authority has elected nothing."""
        return tuple(
            kind.fact({name: each.default for name, each in kind.fields.items() if each.default is not None})
            for kind in self.of_source("regulation")
        )

    @cached_property
    def _by_source(self) -> Mapping[str, Sequence[Kind]]:
        found: dict[str, list[Kind]] = {}
        for kind in self.kinds.values():
            found.setdefault(kind.source, []).append(kind)
        return found

    def announce(self, fact: Fact) -> str:
        return self.kinds[fact.kind].announcement(fact)


def type_of(vocabulary: Vocabulary, kind: str, field: str, part: str) -> FieldType:
    """The type of a field, or of a part of it such as the suit of a card."""
    whole = vocabulary[kind].fields[field].type
    return PLAIN_TYPES[whole.parts[part][0]] if part else whole


def read_vocabulary(
    document: Document, *, known_sound: bool = False
) -> tuple[Vocabulary, dict[str, PathTo], list[Diagnostic]]:
    """The kinds of one vocabulary file whose shape is right, where each stands, and what is wrong with them.

    In one that is known to be sound, what is announced is not looked through again.
    """
    problems: list[Diagnostic] = []
    kinds: dict[str, Kind] = {}
    places: dict[str, PathTo] = {}
    for name, raw in document.data["kinds"].items():
        path: PathTo = ("kinds", name)
        kinds[name] = _kind(document, path, name, raw, problems)
        if not known_sound:
            _check_say(document, path, kinds[name], problems)
        places[name] = path
    return Vocabulary(kinds), places, problems


def _kind(document: Document, path: PathTo, name: str, raw: dict[str, Any], problems: list[Diagnostic]) -> Kind:
    fields = {
        label: _field(document, (*path, "fields", label), label, each, problems)
        for label, each in (raw.get("fields") or {}).items()
    }
    kind = Kind(
        name,
        raw["source"],
        raw["means"],
        fields,
        _say(raw["say"]),
        tuple(raw.get("contradicts", ())),
        raw.get("chooser", ""),
        raw.get("chooser_for_dummy", ""),
        tuple(raw.get("about", ())),
        raw.get("during", ""),
    )
    for place, label in enumerate(kind.about):
        if label not in fields:
            message, hint = f"{name} has no field '{label}'", nearest(label, fields)
            problems.append(document.problem((*path, "about", place), message, hint, code="unknown-field"))
    if kind.source == "choice" and not kind.chooser:
        message = f"the choice {name} does not say whose it is"
        problems.append(document.problem(path, message, "add chooser: declarer", code="no-chooser"))
    return kind


def _say(raw: str | dict[str, str]) -> Say:
    if isinstance(raw, str):
        return Say({"": raw})
    return Say({value: template for value, template in raw.items() if value != "by"}, raw["by"])


def _check_say(document: Document, path: PathTo, kind: Kind, problems: list[Diagnostic]) -> None:
    by = kind.say.by
    if by and by not in kind.fields:
        message, hint = f"{kind.name} has no field '{by}'", nearest(by, kind.fields)
        problems.append(document.problem((*path, "say", "by"), message, hint, code="unknown-field"))
    elif by and kind.fields[by].type.ordered:
        message = f"{by} is a {kind.fields[by].type.noun}: it cannot be said value by value"
        problems.append(document.problem((*path, "say", "by"), message, code="say-by"))
    elif by:
        for value in map(scalar_text, kind.fields[by].type.domain):
            if value not in kind.say.templates:
                message, hint = f"nothing is said for {by} '{value}'", f"add {value}:"
                problems.append(document.problem((*path, "say"), message, hint, at_key=True, code="say-by"))
    for value, template in kind.say.templates.items():
        at: PathTo = (*path, "say", value) if by else (*path, "say")
        for found in placeholders(template):
            if found is None:
                message = "braces here hold no field name"
                problems.append(document.problem(at, message, "write {field}", code="unknown-placeholder"))
            elif found not in kind.fields:
                message, hint = f"{kind.name} has no field '{found}' to say", nearest(found, kind.fields)
                problems.append(document.problem(at, message, hint, code="unknown-placeholder"))


def _field(document: Document, path: PathTo, name: str, raw: Any, problems: list[Diagnostic]) -> Field:
    if isinstance(raw, str):
        raw = {"type": raw}
    if raw["type"] == "one_of":
        values = raw.get("values")
        if not values:
            message = f"the field '{name}' does not list its values"
            problems.append(document.problem(path, message, "add values:", code="values"))
            values = {"unknown": "unknown"}
        kind = one_of(values)
    else:
        kind = PLAIN_TYPES[raw["type"]]
        if "values" in raw:
            message = f"only a one_of field lists values, and '{name}' is a {kind.name}"
            problems.append(document.problem((*path, "values"), message, code="values"))
    default: Value = None
    if "default" in raw:
        if raw["default"] == NOW and kind.name == "count":
            default = NOW
        else:
            try:
                default = kind.read(raw["default"])
            except NotAValue as wrong:
                at: PathTo = (*path, "default")
                problems.append(document.problem(at, wrong.message, wrong.hint, code="not-a-value"))
    return Field(
        name,
        kind,
        raw.get("means", ""),
        raw.get("ask", ""),
        raw.get("judgement", False),
        default,
        raw.get("optional", False),
    )
