"""Read a clause file of the right shape: every kind, field, value and variable is checked against the vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from bridgelaws.engine.program import Comparator
from bridgelaws.errors import Diagnostic, nearest
from bridgelaws.lawbook.clauses import Clause, Conclusion, FieldTest, LawRule, Literal, Name, Operand, Pattern, Version
from bridgelaws.lawbook.scope import VARIABLE, Scope, near_variable, single_uses, unbound
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType, NotAValue
from bridgelaws.lawbook.vocabulary import Kind, Vocabulary, placeholders
from bridgelaws.located import Document, PathTo

COMPARATORS = {"is": "equal", "not": "not", "one_of": "one_of"} | {
    order: order for order in ("above", "below", "at_least", "at_most")
}
_ORDERED = ("above", "below", "at_least", "at_most")
AS_BEFORE = "as before"


def read_clause(document: Document, clause_id: str, vocabulary: Vocabulary) -> tuple[Clause, list[Diagnostic]]:
    reader = _Reader(document, vocabulary)
    versions = tuple(reader.version(("versions", place), raw) for place, raw in enumerate(document.data["versions"]))
    return Clause(clause_id, document.data["title"], versions), reader.problems


class _Reader:
    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        self.document = document
        self.vocabulary = vocabulary
        self.problems: list[Diagnostic] = []

    def _problem(self, path: PathTo, message: str, hint: str = "", *, code: str, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(path, message, hint, code=code, at_key=at_key))

    def version(self, path: PathTo, raw: dict[str, Any]) -> Version:
        as_before = raw.get("rules") == AS_BEFORE
        key = "also" if as_before else "rules"
        rules = tuple(self._rule((*path, key, place), each) for place, each in enumerate(raw.get(key, ())))
        for extra in ("also", "without"):
            if extra in raw and not as_before:
                message = f"'{extra}' goes with rules that are as before"
                self._problem((*path, extra), message, f"write rules: {AS_BEFORE}", code="as-before", at_key=True)
        named: set[str] = set()
        for rule in rules:
            if rule.name in named:
                message = f"two rules of this version are called '{rule.name}'"
                self._problem((*rule.path, "name"), message, code="rule-twice")
            named.add(rule.name)
        if not (rules or as_before or raw.get("repealed") or raw.get("no_rules")):
            message = "this version has no rule and does not say why"
            self._problem(path, message, "add rules:, or no_rules: with the reason", code="no-rules")
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
        scope = Scope()
        when = tuple(
            self._pattern((*path, "when", place), each, scope) for place, each in enumerate(raw.get("when", ()))
        )
        unless: list[tuple[Pattern, ...]] = []
        local: list[Scope] = []
        for place, item in enumerate(raw.get("unless", ())):
            inner = Scope(scope)
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
            message = f"the rule '{rule.name}' concludes nothing"
            self._problem(path, message, "add then:, offer: or ask:", code="no-conclusion")
        if not when and rule.unless:
            message = "a rule without conditions has no exceptions"
            self._problem((*path, "unless"), message, "add when:", code="unless-without-when", at_key=True)
        for at, name, near in single_uses(scope, local):
            self._problem(
                at, f"the variable '${name}' stands only once", near or "leave the field out", code="variable-once"
            )
        for name, test in unbound(when, unless, scope.doubtful):
            message = f"'${name}' is compared here but no field gives it a value"
            self._problem(test.path, message, code="unbound-variable")
        return rule

    def _pattern(self, path: PathTo, raw: dict[str, Any], scope: Scope) -> Pattern:
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
                code="unknown-kind",
                at_key=True,
            )
            return None
        return self.vocabulary[name]

    def _no_field(self, kind: Kind, path: PathTo, label: str) -> None:
        message = f"{kind.name} has no field '{label}'"
        self._problem(path, message, nearest(label, kind.fields), code="unknown-field", at_key=True)

    def _tests(self, path: PathTo, label: str, part: str, kind: FieldType, raw: Any, scope: Scope) -> list[FieldTest]:
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
                hint = nearest(key, (*COMPARATORS, *kind.parts))
                self._problem(at, f"'{key}' is no test", hint, code="unknown-test", at_key=True)
                scope.doubt(value)
                continue
            if key in _ORDERED and not kind.ordered:
                message = f"a {kind.noun} cannot be '{key}' another: it has no order"
                self._problem(at, message, code="no-order", at_key=True)
                scope.doubt(value)
                continue
            if key == "one_of" and not (isinstance(value, list) and value):
                self._problem(at, "one_of needs a list of values", "write one_of: [first, second]", code="shape")
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

    def _operand(self, path: PathTo, kind: FieldType, raw: Any, scope: Scope) -> Operand | None:
        if isinstance(raw, str) and raw.startswith("$"):
            found = VARIABLE.match(raw)
            if not found:
                hint = "a variable is $ and a lower-case word"
                self._problem(path, f"'{raw}' is no variable", hint, code="not-a-variable")
                return None
            return self._variable(path, found[1], kind, scope)
        try:
            return Literal(kind.read(raw))
        except NotAValue as wrong:
            self._problem(path, wrong.message, wrong.hint, code="not-a-value")
            scope.doubt(raw)
            return None

    def _variable(self, path: PathTo, name: str, kind: FieldType, scope: Scope) -> Name:
        known = scope.type_of(name)
        if known is None:
            scope.types[name] = kind
        elif not _same_type(known, kind):
            message = f"'${name}' is {_described(known)} elsewhere in this rule, and {_described(kind)} here"
            self._problem(path, message, code="variable-types")
        scope.owner(name).uses.setdefault(name, []).append(path)
        return Name(name)

    def _conclusion(self, path: PathTo, key: str, raw: dict[str, Any], scope: Scope, local: list[Scope]) -> Conclusion:
        names = [name for name in raw if name not in ("force", "because")]
        name = names[0] if names else ""
        at: PathTo = (*path, name)
        if len(names) != 1:
            hint = "start a new item with '-' for each kind"
            self._problem(path, "each conclusion names one kind", hint, code="one-kind-an-item")
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
                message = f"'{found or '{}'}' is no variable of this rule"
                self._problem((*path, "because"), message, "write {name} for $name", code="unknown-placeholder")
        return Conclusion(name, fields, at, raw.get("force", "does"), because)

    def _bound_operand(
        self, path: PathTo, kind: FieldType, raw: Any, scope: Scope, local: list[Scope]
    ) -> Operand | None:
        if isinstance(raw, str) and (found := VARIABLE.match(raw)) and found[1] not in scope.types:
            name = found[1]
            if name in scope.doubtful:
                return None
            if any(name in inner.types for inner in local):
                # Whoever hears this need not hear that it stands only once there.
                scope.doubtful.add(name)
                message = f"'${name}' is bound only under unless, so it has no value here"
                self._problem(path, message, code="unbound-variable")
            else:
                hint = near_variable(name, scope.types)
                message = f"'${name}' is not bound by any condition of this rule"
                self._problem(path, message, hint, code="unbound-variable")
            return None
        if isinstance(raw, dict | list):
            hint = "write a value or a $variable"
            self._problem(path, "a conclusion gives a value, not a test", hint, code="conclusion-tests")
            scope.doubt(raw)
            return None
        return self._operand(path, kind, raw, scope)

    def _check_source(self, path: PathTo, key: str, kind: Kind) -> None:
        wanted = {"then": ("derived", "ruling"), "offer": ("choice",), "ask": ("report",)}[key]
        if kind.source not in wanted:
            hint = f"'{key}' takes kinds whose source is {' or '.join(wanted)}"
            message = f"{kind.name} is a {kind.source} kind: no rule concludes it"
            self._problem(path, message, hint, code="wrong-source", at_key=True)

    def _check_fields_given(self, path: PathTo, key: str, kind: Kind, given: Mapping[str, Any]) -> None:
        missing = [name for name, each in kind.fields.items() if name not in given and not each.may_be_left_open]
        if key == "ask":
            if not missing:
                message = f"every field of {kind.name} is given, so there is nothing to ask"
                self._problem(path, message, code="nothing-to-ask", at_key=True)
        elif missing:
            message = f"{kind.name} needs its field '{missing[0]}' here"
            self._problem(path, message, code="missing-field", at_key=True)


def _described(kind: FieldType) -> str:
    return f"a {kind.noun}" if kind.name != "one_of" else f"one of {', '.join(kind.phrases)}"


def _same_type(first: FieldType, second: FieldType) -> bool:
    return first.name == second.name and set(first.domain) == set(second.domain)
