"""Rules as a logic program: a program's rules one to one, kinds as predicates, exceptions as negation."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence

from bridgelaws.engine.program import Atom, Condition, Head, Rule, Term, Test, Value, Variable
from bridgelaws.lawbook.lowering import ASK, OFFER

SHARED = "f"
_OPERATORS = {"not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}
NOBODY_SAID = "none"


def symbol(value: Value) -> str:
    """A value as the solver writes it. Text is always quoted: nothing in a file becomes part of the program."""
    if value is None:
        return NOBODY_SAID
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def predicate(kind: str, copy: str = SHARED) -> str:
    """The predicate of a kind in a copy of the law: kinds, offers and questions have names of their own."""
    for prefix, letter in ((OFFER, "o"), (ASK, "q")):
        if kind.startswith(prefix):
            return f"{copy}{letter}_{kind.removeprefix(prefix)}"
    return f"{copy}k_{kind}"


def applied(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({','.join(arguments)})" if arguments else name


class Translation:
    """Writes rules for one copy of the law; kinds outside `own` are the same in every copy."""

    def __init__(self, copy: str, own: Collection[str]) -> None:
        self.copy = copy
        self.own = own

    def rule(self, number: str, rule: Rule) -> Iterator[str]:
        """The lines for a rule, whose exceptions get a predicate each, named by the rule's number."""
        body = self._condition(rule.when)
        for place, exception in enumerate(rule.unless):
            blocked, lines = self._exception(f"{self.copy}x_{number}_{place}", rule, exception)
            yield from lines
            body.append(f"not {blocked}")
        for head in rule.then:
            yield f"{self._atom(head)} :- {', '.join(body)}." if body else f"{self._atom(head)}."

    def fires(self, number: str, rule: Rule, said: str) -> Iterator[str]:
        """The line by which `said` holds where the rule fires; it goes with the lines for the rule."""
        body = self._condition(rule.when)
        for place, exception in enumerate(rule.unless):
            blocked, _ = self._exception(f"{self.copy}x_{number}_{place}", rule, exception)
            body.append(f"not {blocked}")
        yield f"{said} :- {', '.join(body)}."

    def name(self, kind: str) -> str:
        return predicate(kind, self.copy if kind in self.own else SHARED)

    def _atom(self, atom: Atom | Head) -> str:
        unsaid = NOBODY_SAID if isinstance(atom, Head) else "_"
        return applied(self.name(atom.kind), [unsaid if term is None else _term(term) for term in atom.terms])

    def _condition(self, condition: Condition) -> list[str]:
        atoms = [self._atom(atom) for atom in condition.atoms]
        said = [f"{_term(each)} != {NOBODY_SAID}" for each in _variables(condition)]
        return atoms + said + [_test(test) for test in condition.tests]

    def _exception(self, name: str, rule: Rule, exception: Condition) -> tuple[str, list[str]]:
        """What the exception looks like in the body of its rule, and the lines that define it."""
        mentioned = [*_variables(exception), *_tested(exception)]
        shared = sorted({each.index for each in mentioned if each.index < rule.bound})
        local = any(each.index >= rule.bound for each in mentioned)
        if len(exception.atoms) == 1 and not exception.tests and not local:
            return self._atom(exception.atoms[0]), []
        head = applied(name, [_term(Variable(index)) for index in shared])
        bound_here = {each.index for each in _variables(exception)}
        body = self._condition(exception)
        if any(index not in bound_here for index in shared):
            body = self._condition(rule.when) + body
        return head, [f"{head} :- {', '.join(dict.fromkeys(body))}."]


def _variables(condition: Condition) -> list[Variable]:
    found = {term for atom in condition.atoms for term in atom.terms if isinstance(term, Variable)}
    return sorted(found, key=lambda each: each.index)


def _tested(condition: Condition) -> Iterator[Variable]:
    for test in condition.tests:
        yield test.variable
        yield from (each for each in test.operands if isinstance(each, Variable))


def _term(term: Term) -> str:
    return f"V{term.index}" if isinstance(term, Variable) else symbol(term.value)


def _test(test: Test) -> str:
    variable = _term(test.variable)
    if test.comparator in ("equal", "one_of"):
        return f"{variable} = ({'; '.join(map(_term, test.operands))})"
    return f"{variable} {_OPERATORS[test.comparator]} {_term(test.operands[0])}"
