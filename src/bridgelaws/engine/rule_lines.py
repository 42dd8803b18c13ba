"""The lines of Python that fire one rule, for the compiled engine.

Everything in them is a number, a name made here, or a value from `repr`: no text of a rule becomes code. `R` are the
facts of each kind, by its number, and `X` the indexes made so far.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bridgelaws.engine.program import Atom, Condition, Constant, Head, Program, Rule, Term, Test, Variable

# So few facts are sooner looked through than put into an index.
FEW = 6
_MANY_COLUMNS = 4
_OPERATORS = {"equal": "==", "not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known where lines are written: the kinds that are there, those that can be, and columns always filled.

    Of kinds that are `many` there will mostly be many facts, though there may be few. `keys` are the columns to index a
    kind by, the best first; where there are none, it is the first column that is compared. The lines `in_one` function
    have a local name for each kind; a function that they call has none, and its name ends in `suffix`.
    """

    present: int = 0
    reached: int = -1
    filled: frozenset[tuple[int, int]] = frozenset()
    many: frozenset[int] = frozenset()
    keys: Mapping[int, Sequence[int]] = field(default_factory=dict)
    in_one: bool = False
    suffix: str = ""

    def rows(self, kind: int) -> str:
        return f"k{kind}" if self.in_one else f"R[{kind}]"

    def can_be(self, kind: int) -> bool:
        return bool(self.reached >> kind & 1)

    def may_be_empty(self, kind: int) -> bool:
        return not self.present >> kind & 1


NOTHING = Known()


class RuleLines:
    """Writes the lines that fire the rules of one program. What these call is written once, and waits in `called`."""

    def __init__(self, program: Program, kinds: Mapping[str, int], noted: Mapping[int, Sequence[int]]) -> None:
        self.program = program
        self.kinds = kinds
        self._concluded = frozenset(kinds[kind] for _, made in program.signatures for kind in made)
        # For each kind the rules to note of the facts that they give.
        self._noted = noted
        self.indexes: dict[tuple[int, int], int] = {}
        # The kinds looked up so far, each with the columns of which one would do for an index.
        self.looked_up: list[tuple[int, frozenset[int]]] = []
        self.called: list[str] = []
        self._indexes_of: dict[int, list[int]] = {}
        self._exceptions: set[str] = set()

    def indexes_of(self, kind: int) -> Sequence[int]:
        return self._indexes_of.get(kind, ())

    def firing(self, number: int, growing: Collection[int], known: Known, body: list[str], pad: str) -> None:
        """Add the lines that put into the tables what a rule concludes; kinds that grow meanwhile are copied."""
        rule = self.program.rules[number]
        wanted = {term.index for head in rule.then for term in head.terms if isinstance(term, Variable)}
        self._rule(number, wanted, growing, known, body, pad, self._conclude)

    def recording(self, number: int, body: list[str], pad: str) -> None:
        """Add the lines that list in `O` what a rule concludes, with its reasons."""
        self._rule(number, set(range(self.program.rules[number].bound)), (), NOTHING, body, pad, self._record)

    def _rule(
        self,
        number: int,
        wanted: set[int],
        growing: Collection[int],
        known: Known,
        body: list[str],
        pad: str,
        conclude: Callable[[int, Rule, Known, list[str], str], None],
    ) -> None:
        """Add the lines of a rule; `wanted` are the variables that its conclusions need."""
        rule = self.program.rules[number]
        exceptions = [
            (place, exception)
            for place, exception in enumerate(rule.unless)
            if all(known.can_be(self.kinds[atom.kind]) for atom in exception.atoms)
        ]
        kinds = dict.fromkeys(self.kinds[atom.kind] for atom in rule.when.atoms)
        guard = " and ".join(known.rows(kind) for kind in kinds if known.may_be_empty(kind))
        if guard:
            pad = _check([guard], body, pad)
        wanted = wanted.union(*(_condition_variables(exception) for _, exception in exceptions))
        bound: set[int] = set()
        joined = _Joined(pad)
        self._join(rule.when, bound, wanted, growing, known, body, joined)
        pad = joined.pad
        for place, exception in exceptions:
            pad = self._unless(number, place, exception, bound, known, body, pad)
        conclude(number, rule, known, body, pad)
        body += [f"{each}break" for each in reversed(joined.once)]

    def _join(
        self,
        condition: Condition,
        bound: set[int],
        wanted: Collection[int],
        growing: Collection[int],
        known: Known,
        body: list[str],
        joined: _Joined,
    ) -> None:
        """Nested loops over the atoms, each test as soon as its variables have values."""
        waiting = list(condition.tests)
        for depth, atom in enumerate(condition.atoms):
            wanted_later = set(wanted)
            for other in condition.atoms[depth + 1 :]:
                wanted_later |= _atom_variables(other)
            pad = joined.pad
            kind = self.kinds[atom.kind]
            keyed = _keyed(atom.terms, bound)
            needed = wanted_later.union(*map(_variables, waiting))
            columns = _Columns(f"r{len(bound)}_{depth}", atom, keyed, needed - bound)
            fresh: dict[int, int] = {}
            checks = [f"{columns[column]} == {_term(term)}" for column, term in keyed]
            is_one = len(keyed) == len(atom.terms)
            if is_one:
                checks = [self._among(kind, keyed, known)]
            else:
                rows = self._few_or_indexed(kind, keyed, known)
                body.append(f"{pad}for {columns.row} in {f'list({known.rows(kind)})' if kind in growing else rows}:")
                pad += " "
                if checks:
                    pad = _check(checks, body, pad)
                checks = []
            for column, term in enumerate(atom.terms):
                if not isinstance(term, Variable) or term.index in bound:
                    continue
                if term.index in fresh:
                    checks.append(f"{columns[fresh[term.index]]} == {columns[column]}")
                    continue
                fresh[term.index] = column
                value = columns[column]
                if term.index in needed and value != f"v{term.index}":
                    body.append(f"{pad}v{term.index} = {value}")
                    value = f"v{term.index}"
                if (kind, column) not in known.filled:
                    checks.append(f"{value} is not None")
            bound.update(fresh)
            checks += [_test(test) for test in waiting if _variables(test) <= bound]
            waiting = [test for test in waiting if not _variables(test) <= bound]
            if checks:
                pad = _check(checks, body, pad)
            if not is_one and not fresh.keys() & wanted_later.union(*map(_variables, waiting)):
                # Every further row would lead to the same.
                joined.once.append(pad)
            joined.pad = pad

    def _among(self, kind: int, keyed: Sequence[tuple[int, Term]], known: Known) -> str:
        """That a row is there of which every column is known."""
        row = _key([_term(term) for _, term in keyed], always_tuple=True)
        rows = known.rows(kind)
        if kind in self._concluded or len(keyed) == 1:
            return f"{row} in {rows}"
        return f"{row} in {self._few_or_indexed(kind, keyed, known)}"

    def _few_or_indexed(self, kind: int, keyed: Sequence[tuple[int, Term]], known: Known) -> str:
        """Where to look for the rows of a kind: all of them, or, if they are many, those that an index gives."""
        rows = known.rows(kind)
        by = [column for column, term in keyed if isinstance(term, Variable)]
        if not by:
            return rows
        self.looked_up.append((kind, frozenset(by)))
        # An index by one column serves more rules than one by all that are known, and is made sooner.
        column = next((each for each in known.keys.get(kind, ()) if each in by), by[0])
        index = self._index(kind, column)
        key = next(_term(term) for place, term in keyed if place == column)
        found = f"X[{index}].get({key}, ()) if X[{index}] else look({rows}, {column}, X, {index}, {key})"
        return f"({found})" if kind in known.many else f"({rows} if len({rows}) < {FEW} else {found})"

    def _unless(
        self,
        number: int,
        place: int,
        exception: Condition,
        bound: set[int],
        known: Known,
        body: list[str],
        pad: str,
    ) -> str:
        """Go on only where the exception does not hold; returns the inner padding."""
        kinds = [known.rows(kind) for kind in dict.fromkeys(self.kinds[atom.kind] for atom in exception.atoms)]
        if len(exception.atoms) == 1:
            return self._unless_one(exception.atoms[0], exception.tests, bound, known, body, pad)
        used = sorted(bound & set(_condition_variables(exception)))
        arguments = "".join(f", v{variable}" for variable in used)
        name = f"exception_{number}_{place}{known.suffix}"
        if name not in self._exceptions:
            self._exceptions.add(name)
            inner = [f"def {name}(R, X{arguments}):"]
            joined = _Joined(" ")
            self._join(exception, set(used), (), set(), replace(known, in_one=False), inner, joined)
            breaks = [f"{each}break" for each in reversed(joined.once)]
            self.called += [*inner, f"{joined.pad}return True", *breaks, " return False"]
        return _check([f"not ({' and '.join((*kinds, f'{name}(R, X{arguments})'))})"], body, pad)

    def _unless_one(
        self,
        atom: Atom,
        tests: Sequence[Test],
        bound: Collection[int],
        known: Known,
        body: list[str],
        pad: str,
    ) -> str:
        """The same for an exception that one fact makes hold."""
        kind = self.kinds[atom.kind]
        keyed = _keyed(atom.terms, bound)
        if len(keyed) == len(atom.terms):
            holds = " and ".join((self._among(kind, keyed, known), *map(_test, tests)))
            return _check([f"not ({holds})"], body, pad)
        own: dict[int, int] = {}
        checks = [f"e[{column}] == {_term(term)}" for column, term in keyed]
        for column, term in enumerate(atom.terms):
            if isinstance(term, Variable) and term.index not in bound:
                if term.index in own:
                    checks.append(f"e[{own[term.index]}] == e[{column}]")
                else:
                    own[term.index] = column
                    if (kind, column) not in known.filled:
                        checks.append(f"e[{column}] is not None")
        checks += [_test(test, {variable: f"e[{column}]" for variable, column in own.items()}) for test in tests]
        if not checks:
            return _check([f"not {known.rows(kind)}"], body, pad)
        source = self._few_or_indexed(kind, keyed, known)
        body += [f"{pad}for e in {source}:", f"{pad} if {' and '.join(checks)}:", f"{pad}  break", f"{pad}else:"]
        return pad + " "

    def _conclude(self, number: int, rule: Rule, known: Known, body: list[str], pad: str) -> None:
        before = ""
        for head in rule.then:
            kind = self.kinds[head.kind]
            values = _values(head)
            if values != before:
                body.append(f"{pad}same = {values}")
                before = values
            if known.in_one:
                rows = known.rows(kind)
                if known.may_be_empty(kind):
                    body += [f"{pad}if not {rows}:", f"{pad} {rows} = R[{kind}] = {{}}"]
            else:
                rows = "r"
                body += [f"{pad}r = R[{kind}]", f"{pad}if not r:", f"{pad} r = R[{kind}] = {{}}"]
            body.append(f"{pad}{rows}[same] = {self._note(kind, number, rows)}")

    def _note(self, kind: int, rule: int, rows: str) -> str:
        """What is noted of a fact that the rule gives: its bit, beside those of the rules that gave it too."""
        makers = self._noted.get(kind)
        if not makers:
            return "0"
        bit = 1 << makers.index(rule)
        return str(bit) if len(makers) == 1 else f"{rows}.get(same, 0) | {bit}"

    def _record(self, number: int, rule: Rule, _known: Known, body: list[str], pad: str) -> None:
        binding = _key([f"v{variable}" for variable in range(rule.bound)], always_tuple=True)
        body.append(f"{pad}why = Derivation({number}, {binding})")
        body += [f"{pad}O.append(({self.kinds[head.kind]}, {_values(head)}, why))" for head in rule.then]

    def _index(self, kind: int, column: int) -> int:
        """The number of the index of a kind by a column."""
        if (kind, column) not in self.indexes:
            self.indexes[kind, column] = len(self.indexes)
            self._indexes_of.setdefault(kind, []).append(self.indexes[kind, column])
        return self.indexes[kind, column]


class _Columns:
    """How the lines of a join name the columns of a row: apart if many are used, which is sooner than one by one."""

    def __init__(self, row: str, atom: Atom, keyed: Sequence[tuple[int, Term]], needed: Collection[int]) -> None:
        # Where a row must first be the right one, it is not worth while to take it apart before.
        apart = sum(term is not None for term in atom.terms) >= (_MANY_COLUMNS if keyed else 2)
        names: list[str] = []
        for column, term in enumerate(atom.terms):
            named = f"v{term.index}" if isinstance(term, Variable) and term.index in needed else ""
            names.append("_" if term is None else f"{row}_{column}" if not named or named in names else named)
        self.row = f"({', '.join(names)},)" if apart else row
        self._names = names if apart else [f"{row}[{column}]" for column in range(len(names))]

    def __getitem__(self, column: int) -> str:
        return self._names[column]


class _Joined:
    """Where the lines of a join have come to: the inner padding, and the places to leave a loop after one row."""

    def __init__(self, pad: str) -> None:
        self.pad = pad
        self.once: list[str] = []


def _keyed(terms: Sequence[Term | None], bound: Collection[int]) -> list[tuple[int, Term]]:
    """The columns whose value is known, with the term that gives it."""
    return [
        (column, term)
        for column, term in enumerate(terms)
        if isinstance(term, Constant) or (isinstance(term, Variable) and term.index in bound)
    ]


def _values(head: Head) -> str:
    return _key([_term(term) if term is not None else "None" for term in head.terms], always_tuple=True)


def _test(test: Test, names: Mapping[int, str] | None = None) -> str:
    operands = [_term(term, names) for term in test.operands]
    left = _term(test.variable, names)
    if test.comparator == "one_of":
        return f"({' or '.join(f'{left} == {operand}' for operand in operands)})"
    return f"{left} {_OPERATORS[test.comparator]} {operands[0]}"


def _term(term: Term, names: Mapping[int, str] | None = None) -> str:
    if isinstance(term, Variable):
        return (names or {}).get(term.index) or f"v{term.index}"
    return repr(term.value)


def _check(checks: Sequence[str], body: list[str], pad: str) -> str:
    body.append(f"{pad}if {' and '.join(checks)}:")
    return pad + " "


def _key(parts: Sequence[str], *, always_tuple: bool = False) -> str:
    if len(parts) == 1 and not always_tuple:
        return parts[0]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _variables(test: Test) -> set[int]:
    return {test.variable.index} | {term.index for term in test.operands if isinstance(term, Variable)}


def _atom_variables(atom: Atom) -> set[int]:
    return {term.index for term in atom.terms if isinstance(term, Variable)}


def _condition_variables(condition: Condition) -> Iterator[int]:
    for atom in condition.atoms:
        yield from _atom_variables(atom)
    for test in condition.tests:
        yield from _variables(test)
