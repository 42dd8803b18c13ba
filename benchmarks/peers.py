"""Other engines for the same program: CLIPS through clipspy, and clingo, each translated to rule by rule.

Each is used as its makers mean it to be: CLIPS keeps the rules and gets new facts, clingo grounds the rules anew with
the facts of each run. Both give the facts of a run by kind, as the engines of the package do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Protocol

from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.durable import DurableEngine
from bridgelaws.engine.program import Condition, Fact, Head, Program, Rule, Term, Test, Value, Values, Variable
from bridgelaws.solving.searching import atoms_of
from bridgelaws.solving.symbols import applied, predicate, symbol
from bridgelaws.solving.translating import Translation

Found = dict[str, set[Values]]


class Peer(Protocol):
    """An engine to compare with: facts in, all facts by kind out."""

    def run(self, facts: Sequence[Fact]) -> Found: ...


class OwnPeer:
    """An engine of the package."""

    def __init__(self, engine: CompiledEngine | DurableEngine) -> None:
        self.engine = engine

    def run(self, facts: Sequence[Fact]) -> Found:
        return {kind: set(rows) for kind, rows in self.engine.run(facts).facts.items()}


class ClipsPeer:
    """CLIPS: one ordered fact a fact, salience by stratum so that what an exception reads is complete."""

    def __init__(self, program: Program) -> None:
        import clips

        self._environment = clips.Environment()
        self._names = {kind: f"k{number}" for number, kind in enumerate(program.columns)}
        self._kinds = {name: kind for kind, name in self._names.items()}
        for number, stratum in enumerate(program.strata):
            for rule in stratum.rules:
                self._environment.build(self._rule(rule, program.rules[rule], len(program.strata) - number))

    def run(self, facts: Sequence[Fact]) -> Found:
        environment = self._environment
        environment.reset()
        for kind, values in facts:
            environment.assert_string(f"({self._names[kind]} {' '.join(map(_clips_value, values))})")
        environment.run()
        found: Found = {}
        for fact in environment.facts():
            told: str | None = self._kinds.get(fact.template.name)
            if told is not None:
                found.setdefault(told, set()).add(tuple(map(_python_value, fact)))
        return found

    def _rule(self, number: int, rule: Rule, salience: int) -> str:
        parts = [f"(defrule r{number} (declare (salience {salience}))", *self._condition(rule.when, set())]
        bound = set(range(rule.bound))
        for exception in rule.unless:
            inner = " ".join(self._condition(exception, set(bound)))
            many = len(exception.atoms) + len(exception.tests) > 1
            parts.append(f"(not (and {inner}))" if many else f"(not {inner})")
        heads = (f"(assert {self._head(head)})" for head in rule.then)
        return " ".join((*parts, "=>", *heads, ")"))

    def _head(self, head: Head) -> str:
        return f"({self._names[head.kind]} {' '.join('nil' if t is None else _clips_term(t) for t in head.terms)})"

    def _condition(self, condition: Condition, bound: set[int]) -> list[str]:
        lines: list[str] = []
        for atom in condition.atoms:
            slots: list[str] = []
            for term in atom.terms:
                if isinstance(term, Variable) and term.index not in bound:
                    bound.add(term.index)
                    slots.append(f"?v{term.index}&~nil")
                else:
                    slots.append("?" if term is None else _clips_term(term))
            lines.append(f"({self._names[atom.kind]} {' '.join(slots)})")
        return [*lines, *(f"(test {_clips_test(test)})" for test in condition.tests)]


_CLIPS_ORDER = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


def _clips_test(test: Test) -> str:
    left, operands = _clips_term(test.variable), [_clips_term(each) for each in test.operands]
    if test.comparator in ("equal", "one_of"):
        return f"(or {' '.join(f'(eq {left} {each})' for each in operands)} FALSE)"
    if test.comparator == "not":
        return f"(neq {left} {operands[0]})"
    return f"({_CLIPS_ORDER[test.comparator]} {left} {operands[0]})"


def _clips_term(term: Term) -> str:
    return f"?v{term.index}" if isinstance(term, Variable) else _clips_value(term.value)


def _clips_value(value: Value) -> str:
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)


def _python_value(value: Any) -> Value:
    """CLIPS has no truth values: they come back as the symbols TRUE and FALSE, and nil for nothing."""
    symbols: dict[str, Value] = {"nil": None, "TRUE": True, "FALSE": False}
    if type(value).__name__ == "Symbol":
        return symbols[str(value)]
    return str(value) if isinstance(value, str) else int(value)


class ClingoPeer:
    """clingo: the rules with the facts of the run, grounded and solved."""

    def __init__(self, program: Program) -> None:
        translation = Translation({})
        lines = [line for number, rule in enumerate(program.rules) for line in translation.rule(str(number), rule)]
        self._rules = "\n".join(lines)
        self._kinds = {predicate(kind): kind for kind in program.columns}

    def run(self, facts: Sequence[Fact]) -> Found:
        import clingo

        control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
        told = "".join(f"{applied(predicate(kind), [symbol(value) for value in values])}." for kind, values in facts)
        control.add("base", [], self._rules + told)
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            model = handle.model()
            assert model is not None
            atoms = atoms_of(model)
        return {self._kinds[name]: set(rows) for name, rows in atoms.items() if name in self._kinds}


def peers(program: Program) -> dict[str, Peer]:
    """Every engine by its name, ready to run."""
    return {
        "compiled": OwnPeer(CompiledEngine(program)),
        "durable": OwnPeer(DurableEngine(program)),
        "clips": ClipsPeer(program),
        "clingo": ClingoPeer(program),
    }
