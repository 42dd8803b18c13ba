"""Rules as a logic program: a program's rules one to one, kinds as predicates, exceptions as negation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from bridgelaws.engine.program import Atom, Condition, Head, Rule, Term, Test, Variable
from bridgelaws.solving.given import ANY, Given
from bridgelaws.solving.symbols import NOBODY_SAID, SHARED, applied, predicate, symbol

_OPERATORS = {"not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


class Translation:
    """Writes rules for one copy of the law; kinds outside `own` are the same in every copy, as are those `given`."""

    def __init__(self, given: Mapping[str, Given], copy: str = SHARED, own: Collection[str] = ()) -> None:
        self.given = given
        self.copy = copy
        self.own = own

    def rule(self, number: str, rule: Rule) -> Iterator[str]:
        """The lines for a rule, whose exceptions get a predicate each, named by the rule's number."""
        body, lines = self.body(number, rule)
        yield from lines
        for head in rule.then:
            yield f"{self.head(head)} :- {', '.join(body)}." if body else f"{self.head(head)}."

    def fires(self, number: str, rule: Rule, said: str) -> Iterator[str]:
        """The line by which `said` holds where the rule fires; it goes with the lines for the rule."""
        body, _ = self.body(number, rule)
        yield f"{said} :- {', '.join(body)}."

    def body(self, number: str, rule: Rule) -> tuple[list[str], list[str]]:
        """What holds where the rule fires, and the lines that define its exceptions."""
        body = self._condition(rule.when)
        lines: list[str] = []
        for place, exception in enumerate(rule.unless):
            blocked, defined = self._exception(f"{self.copy}x_{number}_{place}", rule, exception)
            lines += defined
            body.append(f"not {blocked}")
        return body, lines

    def head(self, head: Head, named: str | None = None) -> str:
        """What a rule concludes, under the name of its kind or another name."""
        terms = [NOBODY_SAID if each is None else _term(each) for each in head.terms]
        return applied(named or self.name(head.kind), terms)

    def name(self, kind: str) -> str:
        return predicate(kind, self.copy if kind in self.own else SHARED)

    def _atoms(self, atom: Atom, label: str) -> list[str]:
        terms = [ANY if term is None else _term(term) for term in atom.terms]
        if atom.kind in self.given:
            return self.given[atom.kind].atoms(terms, label)
        return [applied(self.name(atom.kind), terms)]

    def _condition(self, condition: Condition, label: str = "W") -> list[str]:
        """The body of a rule; the label tells what it leaves open from what another body leaves open."""
        atoms = [each for place, atom in enumerate(condition.atoms) for each in self._atoms(atom, f"{label}{place}")]
        said = [f"{_term(each)} != {NOBODY_SAID}" for each in _variables(condition)]
        return atoms + said + [_test(test) for test in condition.tests]

    def _exception(self, name: str, rule: Rule, exception: Condition) -> tuple[str, list[str]]:
        """What the exception looks like in the body of its rule, and the lines that define it."""
        mentioned = [*_variables(exception), *_tested(exception)]
        shared = sorted({each.index for each in mentioned if each.index < rule.bound})
        local = any(each.index >= rule.bound for each in mentioned)
        body = self._condition(exception, "X")
        if len(body) - len(_variables(exception)) == 1 and not exception.tests and not local:
            return body[0], []
        head = applied(name, [_term(Variable(index)) for index in shared])
        bound_here = {each.index for each in _variables(exception)}
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
