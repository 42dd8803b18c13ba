"""The second engine: durable-rules matches the patterns, and Python settles stratum by stratum what follows.

The negation of durable-rules is unsound, so a rule becomes native rules without any: one tells that `when` holds, and
one for each exception tells that the exception holds too. Names and values in the network are made or numbered here:
text in a rule or a fact is never read as a name or an expression.
"""

from __future__ import annotations

import importlib
import itertools
import threading
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bridgelaws.engine.conclusions import Conclusions, Derivation, Derivations
from bridgelaws.engine.program import (
    Atom,
    Condition,
    Constant,
    Fact,
    Head,
    Program,
    Rule,
    Test,
    Value,
    Values,
    Variable,
)
from bridgelaws.errors import EngineError

Json = dict[str, Any]
Place = tuple[int, int]
"""An atom of a condition, and a column of it."""
Codes = dict[tuple[bool, Value], int]
"""A number for each value, true apart from 1: durable-rules takes "1" and 1, or "true" and true, for equal."""

_ORDERED = {"above": "$gt", "below": "$lt", "at_least": "$gte", "at_most": "$lte"}
_OPERATORS = {"equal": "$eq", "not": "$neq", **_ORDERED}
_REVERSED = {"$eq": "$eq", "$neq": "$neq", "$gt": "$lt", "$lt": "$gt", "$gte": "$lte", "$lte": "$gte"}

_START = Atom("", ())
_START_KIND = 0

# When the last test between two facts fails, durable-rules reads past the end of a buffer; so the last never does.
_NEVER_FAILS: Json = {"$gte": {"one": {"p0": "one"}}}

# A network past these limits is not refused: it fails at a fact, writes outside its tables or loops for ever.
_MOST_ATOMS = 16
_MOST_KINDS = 500
_BRANCHES = 16

_MOST_NETWORKS = 8


class DurableEngine:
    """Runs a program on durable-rules: one network for each set of rules that facts reach, and one native state a run.

    The last few are kept; each takes some 3 MB for the law. Threads take turns.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._durable = _durable()
        self._reading = [frozenset(atom.kind for atom in rule.when.atoms) for rule in program.rules]
        self._networks: dict[frozenset[str], _Network] = {}
        self._lock = threading.Lock()

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        reasons: defaultdict[Fact, dict[Derivation, None]] = defaultdict(dict)
        with self._lock, self._network(frozenset(fact.kind for fact in facts)).state() as state:
            for fact in facts:
                state.add(fact)
            for rules in state.strata:
                # INVARIANT: every kind that an exception of these rules reads was completed by an earlier stratum.
                while accepted := state.accept(rules):
                    for derivation in accepted:
                        for head in self.program.rules[derivation.rule].then:
                            fact = _concluded(head, derivation.binding)
                            reasons[fact][derivation] = None
                            state.add(fact)
        return Conclusions(
            self.program,
            {kind: list(values) for kind, values in state.facts.items()},
            lambda: Derivations({fact: list(derivations) for fact, derivations in reasons.items()}),
        )

    def _network(self, given: frozenset[str]) -> _Network:
        # A native state has tables for every rule of its network, and to clear them would take most of the time of a
        # run: so a network has only the rules that facts of the given kinds can reach.
        network = self._networks.pop(given, None) or _Network(self._durable, self.program, *self._reached(set(given)))
        self._networks[given] = network
        if len(self._networks) > _MOST_NETWORKS:
            del self._networks[next(iter(self._networks))]
        return network

    def _reached(self, kinds: set[str]) -> tuple[list[list[int]], set[str]]:
        """The rules that facts of these kinds can fire, by stratum, and the kinds of which there can then be facts."""
        strata: list[list[int]] = []
        for stratum in self.program.strata:
            left, rules = list(stratum.rules), list[int]()
            while met := [rule for rule in left if self._reading[rule] <= kinds]:
                rules += met
                left = [rule for rule in left if rule not in met]
                kinds |= {head.kind for rule in met for head in self.program.rules[rule].then}
            strata.append(sorted(rules))
        return strata, kinds

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        # A state cannot be copied, so every run begins anew.
        return lambda others: self.run((*facts, *others))


def _concluded(head: Head, binding: Values) -> Fact:
    values = (
        binding[term.index] if isinstance(term, Variable) else None if term is None else term.value
        for term in head.terms
    )
    return Fact(head.kind, tuple(values))


@dataclass(frozen=True, slots=True)
class _Watch:
    """A native rule: it tells that the `when` of a rule holds or, if it `blocks`, an exception too.

    `bound` says for each variable of the binding in which fact of the match it stands, and in which column.
    """

    rule: int
    blocks: bool
    bound: tuple[Place, ...]
    patterns: tuple[list[Json], ...]


@dataclass(slots=True)
class _Pattern:
    """What a native rule asks of one fact."""

    kind: list[Json]
    given: dict[str, None] = field(default_factory=dict)
    alone: list[Json] = field(default_factory=list)
    joined: list[Json] = field(default_factory=list)

    def expressions(self) -> list[Json]:
        # A value that nobody gave is a missing property, and to compare with one is undefined: first ask for it.
        return [*self.kind, *({"$ex": {name: 1}} for name in self.given), *self.alone, *self.joined]


class _Writer:
    """Writes the native rules of some rules of a program, and numbers their kinds and the values that stand in them."""

    def __init__(self, program: Program, rules: Iterable[int], there: set[str]) -> None:
        self.kinds: dict[str, int] = {}
        self.codes: Codes = {}
        self._there = there
        self._patterns: Counter[int] = Counter()
        self.watches = [watch for number in rules for watch in self._watches(number, program.rules[number])]
        if len(self.kinds) > _MOST_KINDS:
            raise EngineError(f"the rules read {len(self.kinds)} kinds; durable-rules has room for {_MOST_KINDS}")

    def _watches(self, number: int, rule: Rule) -> Iterator[_Watch]:
        start = () if rule.when.atoms else (_START,)
        for exception in (None, *rule.unless):
            more = exception or Condition(())
            if not self._there.issuperset(atom.kind for atom in more.atoms):
                continue
            atoms = (*start, *rule.when.atoms, *more.atoms)
            if len(atoms) > _MOST_ATOMS:
                raise EngineError(f"rule '{rule.name}' joins {len(atoms)} facts; durable-rules joins {_MOST_ATOMS}")
            places = _places(atoms)
            bound = tuple(places[index] for index in range(rule.bound))
            for tests in _alternatives((*rule.when.tests, *more.tests)):
                patterns = [self._pattern(atom) for atom in atoms]
                self._match(atoms, places, patterns)
                for test in tests:
                    self._test(test, places, patterns)
                yield _Watch(number, exception is not None, bound, tuple(each.expressions() for each in patterns))

    def _pattern(self, atom: Atom) -> _Pattern:
        kind = _START_KIND if atom is _START else self.kinds.setdefault(atom.kind, len(self.kinds) + 1)
        number = self._patterns[kind]
        self._patterns[kind] += 1
        # A fact may wait at 64 nodes of the network at once, and a node may feed 256 joins: a tree of tests that always
        # hold, few under each, keeps below both however many patterns a kind has.
        tree = [{"$gt": {"one": -(number // _BRANCHES**level % _BRANCHES)}} for level in (3, 2, 1)]
        return _Pattern([{"$eq": {"k": kind}}, *tree])

    def _match(self, atoms: Sequence[Atom], places: dict[int, Place], patterns: Sequence[_Pattern]) -> None:
        for number, atom in enumerate(atoms):
            for column, term in enumerate(atom.terms):
                if isinstance(term, Constant):
                    patterns[number].alone.append({"$eq": {f"c{column}": _code(term.value, self.codes)}})
                elif term is not None:
                    _compare(patterns, "$eq", "c", (number, column), places[term.index])

    def _test(self, test: Test, places: dict[int, Place], patterns: Sequence[_Pattern]) -> None:
        operator, ordered = _OPERATORS[test.comparator], test.comparator in _ORDERED
        prefix = "n" if ordered else "c"
        number, column = place = places[test.variable.index]
        (operand,) = test.operands
        if isinstance(operand, Variable):
            _compare(patterns, operator, prefix, place, places[operand.index])
        else:
            value = _number(operand.value) if ordered else _code(operand.value, self.codes)
            patterns[number].alone.append({operator: {f"{prefix}{column}": value}})


def _places(atoms: Sequence[Atom]) -> dict[int, Place]:
    """Where each variable has its value from: the first place in which it stands."""
    places: dict[int, Place] = {}
    for number, atom in enumerate(atoms):
        for column, term in enumerate(atom.terms):
            if isinstance(term, Variable):
                places.setdefault(term.index, (number, column))
    return places


def _alternatives(tests: Sequence[Test]) -> Iterator[tuple[Test, ...]]:
    """`one_of` as several native rules with `equal`: after an `$or` durable-rules skips the tests that follow."""
    return itertools.product(
        *(
            [Test(test.variable, "equal", (each,)) for each in test.operands] if test.comparator == "one_of" else [test]
            for test in tests
        )
    )


def _compare(patterns: Sequence[_Pattern], operator: str, prefix: str, left: Place, right: Place) -> None:
    """Compare the values in two places, in the pattern of the later one: it can read only those before it."""
    if left[0] < right[0]:
        left, right, operator = right, left, _REVERSED[operator]
    (later, mine), (earlier, other) = ((number, f"{prefix}{column}") for number, column in (left, right))
    patterns[later].given[mine] = patterns[earlier].given[other] = None
    if later != earlier:
        patterns[later].joined.append({operator: {mine: {f"p{earlier}": other}}})
    elif mine != other or operator != "$eq":
        patterns[later].alone.append({operator: {mine: {"$m": other}}})


def _code(value: Value, codes: Codes) -> int:
    return codes.setdefault((isinstance(value, bool), value), len(codes))


def _number(value: Value) -> int:
    """The value as one to put in order: durable-rules cuts a number off at 64 bits."""
    if not isinstance(value, int) or not -(2**63) <= value < 2**63:
        raise EngineError(f"durable-rules cannot put {value!r} in order")
    return value


class _Network:
    """The native ruleset of some rules of a program. It has one state at a time: the caller holds a lock."""

    def __init__(self, durable: Any, program: Program, strata: Sequence[Sequence[int]], there: set[str]) -> None:
        self.durable = durable
        self.strata = strata
        writer = _Writer(program, itertools.chain(*strata), there)
        self.kinds, self.codes = writer.kinds, writer.codes
        self.fired: list[tuple[_Watch, tuple[str, ...]]] = []
        self.failures: list[BaseException] = []
        self._states = itertools.count()
        definition = {"start": _native([[{"$eq": {"k": _START_KIND}}]], lambda _: None)}
        for number, watch in enumerate(writer.watches):
            definition[f"r{number}"] = _native(watch.patterns, self._recorder(watch))
        try:
            # Not a `Host`, which starts timer threads.
            self.ruleset = self.durable.Ruleset("bridgelaws", None, definition)
        except Exception as error:
            raise EngineError(f"durable-rules does not take the program: {error}") from error
        delete = importlib.import_module("durable_rules_engine").delete_ruleset
        weakref.finalize(self, delete, self.ruleset._handle).atexit = False

    def _recorder(self, watch: _Watch) -> Callable[[Any], None]:
        """The action of a native rule, which only records the match."""
        names = [f"p{number}" for number, _ in watch.bound]
        fired, failures = self.fired, self.failures

        # INVARIANT: it takes one argument; with any other number durable-rules refuses it or waits for a callback.
        def record(match: Any) -> None:
            try:
                fired.append((watch, tuple(getattr(match, name).id for name in names)))
            except BaseException as error:  # or durable-rules swallows it
                failures.append(error)

        return record

    @contextmanager
    def state(self) -> Iterator[_State]:
        self.fired.clear()
        self.failures.clear()
        state = _State(self, f"s{next(self._states)}")
        # To delete a state in which no action ever ran frees a wild pointer: fire the rule that does nothing first.
        state.start()
        try:
            yield state
        finally:
            self.ruleset.delete_state(state.name)


def _native(patterns: Sequence[list[Json]], action: Callable[[Any], None]) -> Json:
    first, *others = patterns
    joined = [first, *([*expressions, _NEVER_FAILS] for expressions in others)]
    every = [{f"p{number}": {"$and": expressions}} for number, expressions in enumerate(joined)]
    # Without `dist` 0 a fact could match only one pattern of the rule.
    return {"all": every, "dist": 0, "run": action}


def _durable() -> Any:
    try:
        return importlib.import_module("durable.engine")
    except ImportError as error:
        hint = "it needs Python below 3.13: pip install durable-rules"
        raise EngineError("durable-rules is not installed", hint) from error


class _State:
    """One run: the facts so far, and what the native rules told of them."""

    def __init__(self, network: _Network, name: str) -> None:
        self.name = name
        self.strata = network.strata
        self.facts: defaultdict[str, dict[Values, None]] = defaultdict(dict)
        self._network = network
        self._codes = dict(network.codes)
        self._asserted: list[Values] = []
        self._holds: defaultdict[int, dict[Values, None]] = defaultdict(dict)
        self._blocked: defaultdict[int, set[Values]] = defaultdict(set)

    def start(self) -> None:
        self._handle = self._assert({"k": _START_KIND}, ())
        self._fire()

    def add(self, fact: Fact) -> None:
        if fact.values not in self.facts[fact.kind]:
            self.facts[fact.kind][fact.values] = None
            kind = self._network.kinds.get(fact.kind)
            if kind is not None:
                self._assert({"k": kind, **self._properties(fact.values)}, fact.values)

    def accept(self, rules: Sequence[int]) -> list[Derivation]:
        """The bindings of these rules that came up since the last time and that no exception blocks."""
        self._fire()
        return [
            Derivation(rule, binding)
            for rule in rules
            for binding in self._holds.pop(rule, ())
            if binding not in self._blocked[rule]
        ]

    def _properties(self, values: Values) -> dict[str, int]:
        properties = {}
        for column, value in enumerate(values):
            if value is not None:
                properties[f"c{column}"] = _code(value, self._codes)
            if isinstance(value, int) and not isinstance(value, bool):
                properties[f"n{column}"] = _number(value)
        return properties

    def _assert(self, properties: Json, values: Values) -> Any:
        # With ids of its own making durable-rules may take two facts for one; these first clash at fact 797186.
        message = {**properties, "one": 1, "id": str(len(self._asserted)), "sid": self.name}
        self._asserted.append(values)
        try:
            # One fact at a time: a batch may crash the process.
            return self._network.ruleset.assert_fact(message)
        except self._network.durable.MessageNotHandledException:
            return None  # no rule is interested
        except Exception as error:
            raise EngineError(f"durable-rules does not take a fact: {error!r}") from error

    def _fire(self) -> None:
        fired, failures = self._network.fired, self._network.failures
        self._network.ruleset.do_actions(self._handle, lambda error, _: failures.extend([error] if error else []))
        for failure in failures:
            if isinstance(failure, Exception):
                raise EngineError(f"durable-rules failed: {failure!r}") from failure
            raise failure
        for watch, ids in fired:
            binding = tuple(self._asserted[int(i)][column] for i, (_, column) in zip(ids, watch.bound, strict=True))
            if watch.blocks:
                self._blocked[watch.rule].add(binding)
            else:
                self._holds[watch.rule][binding] = None
        fired.clear()
