"""Read a clause file of the right shape: every kind, field, value and variable is checked against the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from bridgelaws.engine.program import Comparator
from bridgelaws.errors import Diagnostic, nearest
from bridgelaws.lawbook.clauses import Clause, Conclusion, FieldTest, LawRule, Literal, Name, Operand, Pattern, Version
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType, NotAValue
from bridgelaws.lawbook.vocabulary import Kind, Vocabulary, placeholders
from bridgelaws.located import Document, PathTo

COMPARATORS = {"is": "equal", "not": "not", "one_of": "one_of"} | {
    order: order for order in ("above", "below", "at_least", "at_most")
}
_ORDERED = ("above", "below", "at_least", "at_most")
AS_BEFORE = "as before"
_VARIABLE = re.compile(r"\$([a-z][a-z0-9_]*)\Z")


def read_clause(document: Document, clause_id: str, vocabulary: Vocabulary) -> tuple[Clause, list[Diagnostic]]:
    reader = _Reader(document, vocabulary)
    versions = tuple(reader.version(("versions", place), raw) for place, raw in enumerate(document.data["versions"]))
    return Clause(clause_id, document.data["title"], versions), reader.problems


class _Scope:
    """The type of each variable of one rule, and how often it stands in it.

    `doubtful` variables stand where something could not be read: what becomes of them is no second mistake.
    """

    def __init__(self, outer: _Scope | None = None) -> None:
        self.outer = outer
        self.types: dict[str, FieldType] = {}
        self.uses: dict[str, list[PathTo]] = {}
        self.doubtful: set[str] = outer.doubtful if outer else set()

    def type_of(self, name: str) -> FieldType | None:
        return self.types.get(name) or (self.outer.type_of(name) if self.outer else None)

    def owner(self, name: str) -> _Scope:
        return self.outer if self.outer and name in self.outer.uses else self

    def doubt(self, raw: Any) -> None:
        """Note every variable in something that could not be read."""
        if isinstance(raw, str) and (found := _VARIABLE.match(raw)):
            self.doubtful.add(found[1])
        elif isinstance(raw, dict | list):
            for each in raw.values() if isinstance(raw, dict) else raw:
                self.doubt(each)


class _Reader:
    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        self.document = document
        self.vocabulary = vocabulary
        self.problems: list[Diagnostic] = []

    def _problem(self, path: PathTo, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(path, message, hint, at_key=at_key))

    def version(self, path: PathTo, raw: dict[str, Any]) -> Version:
        as_before = raw.get("rules") == AS_BEFORE
        key = "also" if as_before else "rules"
        rules = tuple(self._rule((*path, key, place), each) for place, each in enumerate(raw.get(key, ())))
        for extra in ("also", "without"):
            if extra in raw and not as_before:
                message = f"'{extra}' goes with rules that are as before"
                self._problem((*path, extra), message, f"write rules: {AS_BEFORE}", at_key=True)
        named: set[str] = set()
        for rule in rules:
            if rule.name in named:
                self._problem((*rule.path, "name"), f"two rules of this version are called '{rule.name}'")
            named.add(rule.name)
        if not (rules or as_before or raw.get("repealed") or raw.get("no_rules")):
            self._problem(
                path, "this version has no rule and does not say why", "add rules:, or no_rules: with the reason"
            )
        return Version(
            raw["since"],
            raw["number"],
            raw.get("gist", ""),
            rules,
            path,
            self.document,
            as_before,
            tuple(raw.get("without", ())),
            raw.get("repealed", False),
            raw.get("no_rules", ""),
            tuple(raw.get("see", ())),
            raw.get("confidence", "sure"),
            raw.get("note", ""),
            raw.get("advice", ""),
        )

    def _rule(self, path: PathTo, raw: dict[str, Any]) -> LawRule:
        scope = _Scope()
        when = tuple(
            self._pattern((*path, "when", place), each, scope) for place, each in enumerate(raw.get("when", ()))
        )
        unless: list[tuple[Pattern, ...]] = []
        local: list[_Scope] = []
        for place, item in enumerate(raw.get("unless", ())):
            inner = _Scope(scope)
            local.append(inner)
            at: PathTo = (*path, "unless", place)
            if isinstance(item, list):
                unless.append(tuple(self._pattern((*at, part), each, inner) for part, each in enumerate(item)))
            else:
                unless.append((self._pattern(at, item, inner),))
        concluded = {
            key: tuple(
                self._conclusion((*path, key, place), key, each, scope, local)
                for place, each in enumerate(raw.get(key, ()))
            )
            for key in ("then", "offer", "ask")
        }
        rule = LawRule(
            raw["name"],
            when,
            tuple(unless),
            concluded["then"],
            concluded["offer"],
            concluded["ask"],
            path,
            self.document,
        )
        if not rule.conclusions:
            self._problem(path, f"the rule '{rule.name}' concludes nothing", "add then:, offer: or ask:")
        if not when and rule.unless:
            self._problem((*path, "unless"), "a rule without conditions has no exceptions", "add when:", at_key=True)
        self._check_uses(scope, local)
        self._check_bound(when, unless, scope.doubtful)
        return rule

    def _check_bound(self, when: tuple[Pattern, ...], unless: list[tuple[Pattern, ...]], doubtful: set[str]) -> None:
        """A variable gets its value where a field equals it; other tests only compare with that value."""
        bound = _bound_names(when) | doubtful
        for patterns, known in [(when, bound), *((each, bound | _bound_names(each)) for each in unless)]:
            for pattern in patterns:
                for name, test in pattern.names():
                    if name not in known:
                        self._problem(test.path, f"'${name}' is compared here but no field gives it a value")

    def _check_uses(self, scope: _Scope, local: list[_Scope]) -> None:
        for each in (scope, *local):
            for name, uses in each.uses.items():
                if len(uses) == 1 and name not in scope.doubtful:
                    hint = _near_variable(name, (scope.uses.keys() | each.uses.keys()) - {name})
                    self._problem(uses[0], f"the variable '${name}' stands only once", hint or "leave the field out")

    def _pattern(self, path: PathTo, raw: dict[str, Any], scope: _Scope) -> Pattern:
        name = next(iter(raw))
        kind = self._kind((*path, name), name)
        at: PathTo = (*path, name)
        if kind is None:
            scope.doubt(raw[name])
            return Pattern(name, (), at)
        tests: list[FieldTest] = []
        for label, test in (raw[name] or {}).items():
            if label not in kind.fields:
                self._no_field(kind, (*at, label), label)
                scope.doubt(test)
                continue
            tests += self._tests((*at, label), label, "", kind.fields[label].type, test, scope)
        return Pattern(name, tuple(tests), at)

    def _kind(self, path: PathTo, name: str) -> Kind | None:
        if name in self.vocabulary.broken:
            return None
        if name not in self.vocabulary:
            self._problem(
                path,
                f"'{name}' is no kind of fact",
                nearest(name, self.vocabulary.kinds) or "see vocabulary.yaml",
                at_key=True,
            )
            return None
        return self.vocabulary[name]

    def _no_field(self, kind: Kind, path: PathTo, label: str) -> None:
        self._problem(path, f"{kind.name} has no field '{label}'", nearest(label, kind.fields), at_key=True)

    def _tests(self, path: PathTo, label: str, part: str, kind: FieldType, raw: Any, scope: _Scope) -> list[FieldTest]:
        if not isinstance(raw, dict):
            operand = self._operand(path, kind, raw, scope)
            return [FieldTest(label, part, "equal", (operand,), path)] if operand else []
        tests: list[FieldTest] = []
        for key, value in raw.items():
            at: PathTo = (*path, key)
            if key in kind.parts and not part:
                part_type = PLAIN_TYPES[kind.parts[key][0]]
                tests += self._tests(at, label, key, part_type, value, scope)
                continue
            if key not in COMPARATORS:
                self._problem(at, f"'{key}' is no test", nearest(key, (*COMPARATORS, *kind.parts)), at_key=True)
                scope.doubt(value)
                continue
            if key in _ORDERED and not kind.ordered:
                self._problem(at, f"a {kind.noun} cannot be '{key}' another: it has no order", at_key=True)
                scope.doubt(value)
                continue
            if key == "one_of" and not (isinstance(value, list) and value):
                self._problem(at, "one_of needs a list of values", "write one_of: [first, second]")
                scope.doubt(value)
                continue
            listed = enumerate(value) if key == "one_of" else [(None, value)]
            operands = [
                self._operand(at if place is None else (*at, place), kind, each, scope) for place, each in listed
            ]
            if all(operands):
                kept = tuple(operand for operand in operands if operand)
                tests.append(FieldTest(label, part, cast(Comparator, COMPARATORS[key]), kept, at))
        return tests

    def _operand(self, path: PathTo, kind: FieldType, raw: Any, scope: _Scope) -> Operand | None:
        if isinstance(raw, str) and raw.startswith("$"):
            found = _VARIABLE.match(raw)
            if not found:
                self._problem(path, f"'{raw}' is no variable", "a variable is $ and a lower-case word")
                return None
            return self._variable(path, found[1], kind, scope)
        try:
            return Literal(kind.read(raw))
        except NotAValue as wrong:
            self._problem(path, wrong.message, wrong.hint)
            scope.doubt(raw)
            return None

    def _variable(self, path: PathTo, name: str, kind: FieldType, scope: _Scope) -> Name:
        known = scope.type_of(name)
        if known is None:
            scope.types[name] = kind
        elif not _same_type(known, kind):
            self._problem(path, f"'${name}' is {_described(known)} elsewhere in this rule, and {_described(kind)} here")
        scope.owner(name).uses.setdefault(name, []).append(path)
        return Name(name)

    def _conclusion(
        self, path: PathTo, key: str, raw: dict[str, Any], scope: _Scope, local: list[_Scope]
    ) -> Conclusion:
        names = [name for name in raw if name not in ("force", "because")]
        name = names[0] if names else ""
        at: PathTo = (*path, name)
        if len(names) != 1:
            self._problem(path, "each conclusion names one kind", "start a new item with '-' for each kind")
            scope.doubt(raw)
            return Conclusion(name, {}, at)
        kind = self._kind(at, name)
        if kind is None:
            scope.doubt(raw)
            return Conclusion(name, {}, at)
        self._check_source(at, key, kind)
        given = raw[name] or {}
        fields: dict[str, Operand] = {}
        for label, value in given.items():
            if label not in kind.fields:
                self._no_field(kind, (*at, label), label)
                scope.doubt(value)
                continue
            operand = self._bound_operand((*at, label), kind.fields[label].type, value, scope, local)
            if operand:
                fields[label] = operand
        self._check_fields_given(at, key, kind, given)
        because = raw.get("because", "")
        for found in placeholders(because):
            if found in scope.types:
                scope.uses[found].append((*path, "because"))
            elif found not in scope.doubtful:
                self._problem(
                    (*path, "because"), f"'{found or '{}'}' is no variable of this rule", "write {name} for $name"
                )
        return Conclusion(name, fields, at, raw.get("force", "does"), because)

    def _bound_operand(
        self, path: PathTo, kind: FieldType, raw: Any, scope: _Scope, local: list[_Scope]
    ) -> Operand | None:
        if isinstance(raw, str) and (found := _VARIABLE.match(raw)) and found[1] not in scope.types:
            name = found[1]
            if name in scope.doubtful:
                return None
            if any(name in inner.types for inner in local):
                self._problem(path, f"'${name}' is bound only under unless, so it has no value here")
            else:
                hint = _near_variable(name, scope.types)
                self._problem(path, f"'${name}' is not bound by any condition of this rule", hint)
            return None
        if isinstance(raw, dict | list):
            self._problem(path, "a conclusion gives a value, not a test", "write a value or a $variable")
            scope.doubt(raw)
            return None
        return self._operand(path, kind, raw, scope)

    def _check_source(self, path: PathTo, key: str, kind: Kind) -> None:
        wanted = {"then": ("derived", "ruling"), "offer": ("choice",), "ask": ("report",)}[key]
        if kind.source not in wanted:
            hint = f"'{key}' takes kinds whose source is {' or '.join(wanted)}"
            self._problem(path, f"{kind.name} is a {kind.source} kind: no rule concludes it", hint, at_key=True)

    def _check_fields_given(self, path: PathTo, key: str, kind: Kind, given: Mapping[str, Any]) -> None:
        missing = [name for name, each in kind.fields.items() if name not in given and not each.may_be_left_open]
        if key == "ask":
            if not missing:
                self._problem(path, f"every field of {kind.name} is given, so there is nothing to ask", at_key=True)
        elif missing:
            self._problem(path, f"{kind.name} needs its field '{missing[0]}' here", at_key=True)


def _bound_names(patterns: tuple[Pattern, ...]) -> set[str]:
    return {name for pattern in patterns for name, test in pattern.names() if test.comparator == "equal"}


def _near_variable(name: str, known: Iterable[str]) -> str:
    near = nearest(name, known)
    return near.replace("'", "'$", 1) if near.startswith("did") else ""


def _described(kind: FieldType) -> str:
    return f"a {kind.noun}" if kind.name != "one_of" else f"one of {', '.join(kind.phrases)}"


def _same_type(first: FieldType, second: FieldType) -> bool:
    return first.name == second.name and set(first.domain) == set(second.domain)
