"""The lines of Python that fire one rule, for the compiled engine.

Everything in them is a number, a name made here, or a value from `repr`: no text of a rule becomes code. `R` are the
facts of each kind, and `X` the indexes made so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bridgelaws.engine.program import Atom, Condition, Constant, Head, Program, Rule, Term, Test, Variable

# So few facts are sooner looked through than put into an index.
FEW = 6
# So many are put into one even where there mostly are few.
SO_MANY = 52
_MANY_COLUMNS = 4
_UNKNOWN = 1e9
_OPERATORS = {"equal": "==", "not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known where lines are written: the kinds that are there, those that can be, and columns always filled.

    A kind has a number, and by it a bit in `present` and `reached`. Of kinds that are `many` there will mostly be many
    facts, though there may be few; in columns that are `unique` mostly no value comes twice. `keys` are the columns to
    index a kind by, the best first; where there are none, it is the first column that is compared. In one function for
    a whole plan (`in_one`) each kind has its local name from the start; else every rule gives names to its own kinds.
    """

    kinds: Mapping[str, int]
    present: int = 0
    reached: int = -1
    filled: frozenset[tuple[str, int]] = frozenset()
    sizes: Mapping[str, float] = field(default_factory=dict)
    many: frozenset[str] = frozenset()
    unique: frozenset[tuple[str, int]] = frozenset()
    keys: Mapping[str, Sequence[int]] = field(default_factory=dict)
    in_one: bool = False

    def rows(self, kind: str) -> str:
        return f"k{self.kinds[kind]}"

    def bound(self, kinds: Iterable[str], pad: str) -> list[str]:
        """The lines that give kinds their local names."""
        return [f"{pad}{self.rows(kind)} = R[{kind!r}]" for kind in kinds]

    def can_be(self, kind: str) -> bool:
        return bool(self.reached >> self.kinds[kind] & 1)

    def may_be_empty(self, kind: str) -> bool:
        return not self.present >> self.kinds[kind] & 1


class RuleLines:
    """Writes the lines that fire the rules of one program. What these call waits in `called`, by its name."""

    def __init__(self, program: Program, kinds: Mapping[str, int], noted: Mapping[str, Sequence[int]]) -> None:
        self.program = program
        self.nothing_known = Known(kinds)
        self._makers = Counter(kind for _, made in program.signatures for kind in dict.fromkeys(made))
        # For each kind the rules to note of the facts that they give.
        self._noted = noted
        # The number of each index: by the kind, the column, and what it has of each value.
        self.indexes: dict[tuple[str, int, str], int] = {}
        # The kinds looked up so far, each with the columns of which one would do for an index.
        self.looked_up: list[tuple[str, frozenset[int]]] = []
        # The kinds that lines for a whole plan look through, as there mostly are few facts of them.
        self.looked_through: set[str] = set()
        self.called: dict[str, list[str]] = {}
        self._indexes_of: dict[str, list[int]] = {}

    def indexes_of(self, kind: str) -> Sequence[int]:
        return self._indexes_of.get(kind, ())

    def firing(self, number: int, growing: Collection[str], known: Known, body: list[str], pad: str) -> None:
        """Add the lines that put into the tables what a rule concludes; kinds that grow meanwhile are copied."""
        rule = self.planned(number, known)
        self._rule(number, rule, _concluded_variables(rule), growing, known, body, pad, self._conclude)

    def planned(self, number: int, known: Known) -> Rule:
        """A rule with its conditions in the order in which to join them: first the one with the fewest facts."""
        rule = self.program.rules[number]
        atoms = rule.when.atoms
        if not known.sizes or len(atoms) < 2 or atoms[0].kind not in known.sizes:
            return rule
        fewest = min(atoms, key=lambda atom: known.sizes.get(atom.kind, _UNKNOWN))
        if fewest.kind == atoms[0].kind:
            return rule
        others = (atom for atom in atoms if atom is not fewest)
        return replace(rule, when=Condition((fewest, *others), rule.when.tests))

    def firing_together(self, numbers: Sequence[int], known: Known, body: list[str], pad: str) -> None:
        """The same for rules of which the first condition is on one kind, with one loop over its facts."""
        rules = {number: _by_columns(self.planned(number, known)) for number in numbers}
        firsts = [rule.when.atoms[0] for rule in rules.values()]
        kind = firsts[0].kind
        by_column = list(enumerate(zip(*(atom.terms for atom in firsts), strict=True)))
        names = ", ".join(f"v{column}" if any(terms) else "_" for column, terms in by_column)
        body.append(f"{pad}for ({names},) in {known.rows(kind)}:")
        filled = {column for column, terms in by_column if all(isinstance(term, Variable) for term in terms)}
        checks = [f"v{column} is not None" for column in sorted(filled) if (kind, column) not in known.filled]
        pad = _check(checks, body, pad + " ") if checks else pad + " "
        for number, rule in rules.items():
            wanted = _concluded_variables(rule)
            self._rule(number, rule, wanted, (), known, body, pad, self._conclude, at_row=filled)

    def recording(self, number: int, body: list[str], pad: str) -> None:
        """Add the lines that list in `O` what a rule concludes, with its reasons."""
        rule = self.program.rules[number]
        self._rule(number, rule, set(range(rule.bound)), (), self.nothing_known, body, pad, self._record)

    def _rule(
        self,
        number: int,
        rule: Rule,
        wanted: set[int],
        growing: Collection[str],
        known: Known,
        body: list[str],
        pad: str,
        conclude: Callable[[int, Rule, Known, list[str], str], None],
        at_row: Collection[int] | None = None,
    ) -> None:
        """Add the lines of a rule; `wanted` are the variables that its conclusions need.

        If they are written where there is a row for the first condition, its columns are variables already, and those
        `at_row` have a value.
        """
        exceptions = [
            (place, exception)
            for place, exception in enumerate(rule.unless)
            if all(known.can_be(atom.kind) for atom in exception.atoms)
        ]
        kinds = dict.fromkeys(atom.kind for atom in rule.when.atoms)
        here = None if at_row is None else rule.when.atoms[0].kind
        possible = [kind for kind in kinds if known.may_be_empty(kind) and kind != here]
        if possible:
            checks = [known.rows(kind) if known.in_one else f"R[{kind!r}]" for kind in possible]
            pad = _check(checks, body, pad)
        if not known.in_one:
            excepted = (atom.kind for _, exception in exceptions for atom in exception.atoms)
            body += known.bound(dict.fromkeys((*kinds, *excepted)), pad)
        wanted = wanted.union(*(_condition_variables(exception) for _, exception in exceptions))
        joined = _Joined(pad)

        bound: set[int] = set()
        forbidden: dict[int, str] = {}

        def unless() -> None:
            """Go on only where no exception holds, of those that what is bound by now decides."""
            for place, exception in tuple(exceptions):
                if all(each in bound or each >= rule.bound for each in _condition_variables(exception)):
                    exceptions.remove((place, exception))
                    if place in forbidden:
                        joined.pad = _check([forbidden[place]], body, joined.pad)
                    else:
                        joined.pad = self._unless(number, place, exception, bound, known, body, joined.pad)

        def before_many() -> None:
            """What an exception forbids is found out sooner before a loop over many facts than once for each."""
            unless()
            for place, exception in exceptions:
                late = {each for each in _condition_variables(exception) if each < rule.bound} - bound
                if place not in forbidden and len(exception.atoms) == len(late) == 1:
                    allowed = self._allowed(f"s{place}", exception, late.pop(), bound, known, body, joined.pad)
                    if allowed:
                        forbidden[place] = allowed

        self._join(rule.when, bound, wanted, growing, known, body, joined, before_many, at_row)
        unless()
        conclude(number, rule, known, body, joined.pad)
        body += [f"{each}break" for each in reversed(joined.once)]

    def _join(
        self,
        condition: Condition,
        bound: set[int],
        wanted: Collection[int],
        growing: Collection[str],
        known: Known,
        body: list[str],
        joined: _Joined,
        before_many: Callable[[], None] = lambda: None,
        at_row: Collection[int] | None = None,
    ) -> None:
        """Nested loops over the atoms, each test as soon as its variables have values."""
        waiting = list(condition.tests)
        for depth, atom in enumerate(condition.atoms):
            wanted_later = set(wanted)
            for other in condition.atoms[depth + 1 :]:
                wanted_later |= _atom_variables(other)
            kind = atom.kind
            keyed = _keyed(atom.terms, bound)
            needed = wanted_later.union(*map(_variables, waiting))
            columns = _Columns(f"r{len(bound)}_{depth}", atom, keyed, needed - bound)
            fresh: dict[int, int] = {}
            has_row = at_row is not None and not depth
            is_one = len(keyed) == len(atom.terms)
            if has_row:
                columns.are_variables()
                pad = joined.pad
                checks = [f"{columns[column]} == {_term(term)}" for column, term in keyed]
            elif is_one:
                pad = joined.pad
                checks = [self._among(kind, keyed, known)]
            else:
                if kind in known.many:
                    before_many()
                pad = joined.pad
                rows, found_by = self._few_or_indexed(kind, keyed, known)
                body.append(f"{pad}for {columns.row} in {f'list({known.rows(kind)})' if kind in growing else rows}:")
                pad += " "
                apart = [each for each in keyed if each[0] != found_by or kind in growing]
                if apart:
                    pad = _check([f"{columns[column]} == {_term(term)}" for column, term in apart], body, pad)
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
                if (kind, column) not in known.filled and not (has_row and at_row and column in at_row):
                    checks.append(f"{value} is not None")
            bound.update(fresh)
            checks += [_test(test) for test in waiting if _variables(test) <= bound]
            waiting = [test for test in waiting if not _variables(test) <= bound]
            if checks:
                pad = _check(checks, body, pad)
            if not is_one and not has_row and not fresh.keys() & wanted_later.union(*map(_variables, waiting)):
                # Every further row would lead to the same.
                joined.once.append(pad)
            joined.pad = pad

    def _among(self, kind: str, keyed: Sequence[tuple[int, Term]], known: Known) -> str:
        """That a row is there of which every column is known."""
        row = _key([_term(term) for _, term in keyed], always_tuple=True)
        rows = known.rows(kind)
        if kind in self._makers or len(keyed) == 1:
            return f"{row} in {rows}"
        return f"{row} in {self._few_or_indexed(kind, keyed, known)[0]}"

    def _few_or_indexed(self, kind: str, keyed: Sequence[tuple[int, Term]], known: Known) -> tuple[str, int | None]:
        """Where to look for the rows of a kind: all of them, or, if they are many, those that an index gives.

        With it comes the column that need not be compared any more.
        """
        rows = known.rows(kind)
        by = [column for column, term in keyed if isinstance(term, Variable)]
        if not by:
            return rows, None
        self.looked_up.append((kind, frozenset(by)))
        # An index by one column serves more rules than one by all that are known, and is made sooner.
        column = next((each for each in known.keys.get(kind, ()) if each in by), by[0])
        key = next(_term(term) for place, term in keyed if place == column)
        if known.in_one and kind not in known.many:
            self.looked_through.add(kind)
            return rows, None
        unique = (kind, column) in known.unique
        index = self._index(kind, column, "row" if unique else "rows")
        if unique:
            return f"one({rows}, {column}, X, {index}, {key})", column
        if known.in_one:
            return f"(X[{index}] or rows_of({rows}, {column}, X, {index})).get({key}, ())", column
        look = f"look({rows}, {column}, X, {index}, {key})"
        return f"({rows} if len({rows}) < {FEW} else X[{index}].get({key}, ()) if X[{index}] else {look})", None

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
        kinds = [known.rows(kind) for kind in dict.fromkeys(atom.kind for atom in exception.atoms)]
        if len(exception.atoms) == 1:
            return self._unless_one(exception.atoms[0], exception.tests, bound, known, body, pad)
        used = sorted(bound & set(_condition_variables(exception)))
        arguments = "".join(f", v{variable}" for variable in used)
        name = f"exception_{number}_{place}"
        if name not in self.called:
            own = dict.fromkeys(atom.kind for atom in exception.atoms)
            inner = [f"def {name}(R, X{arguments}):", *known.bound(own, " ")]
            joined = _Joined(" ")
            self._join(exception, set(used), (), set(), known, inner, joined)
            breaks = [f"{each}break" for each in reversed(joined.once)]
            self.called[name] = [*inner, f"{joined.pad}return True", *breaks, " return False"]
        return _check([f"not ({' and '.join((*kinds, f'{name}(R, X{arguments})'))})"], body, pad)

    def _allowed(
        self,
        name: str,
        exception: Condition,
        late: int,
        bound: Collection[int],
        known: Known,
        body: list[str],
        pad: str,
    ) -> str:
        """What holds where the exception does not, for one variable that has no value yet; the values that it may not
        have are put together now. Nothing if they cannot be."""
        (atom,) = exception.atoms
        columns = [column for column, term in enumerate(atom.terms) if term == Variable(late)]
        if len(columns) > 1 or any(late in _variables(test) for test in exception.tests):
            return ""
        keyed = _keyed(atom.terms, bound)
        if len(keyed) + 1 == len(atom.terms):
            # Later every column will be known, and then a row is found at once.
            return ""
        source, found_by = self._few_or_indexed(atom.kind, keyed, known)
        checks = [f"e[{column}] == {_term(term)}" for column, term in keyed if column != found_by]
        checks += _own_checks(atom, exception.tests, {*bound, late}, known)
        body += [f"{pad}{name} = {{}}", f"{pad}for e in {source}:"]
        inner = _check(checks, body, pad + " ") if checks else pad + " "
        body.append(f"{inner}{name}[e[{columns[0]}]] = 0")
        return f"v{late} not in {name}"

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
        kind = atom.kind
        keyed = _keyed(atom.terms, bound)
        if len(keyed) == len(atom.terms):
            holds = " and ".join((self._among(kind, keyed, known), *map(_test, tests)))
            return _check([f"not ({holds})"], body, pad)
        checks = _own_checks(atom, tests, bound, known)
        if not checks and not keyed:
            return _check([f"not {known.rows(kind)}"], body, pad)
        if not checks and len(keyed) == 1 and kind in known.many:
            column, term = keyed[0]
            unique = (kind, column) in known.unique
            index = self._index(kind, column, "row" if unique else "value")
            make = "each" if unique else "values"
            among = f"(X[{index}] or {make}({known.rows(kind)}, {column}, X, {index}))"
            return _check([f"{_term(term)} not in {among}"], body, pad)
        source, found_by = self._few_or_indexed(kind, keyed, known)
        checks = [*(f"e[{column}] == {_term(term)}" for column, term in keyed if column != found_by), *checks]
        if not checks:
            return _check([f"not {source}"], body, pad)
        if known.in_one and known.may_be_empty(kind):
            # Mostly there is none, and to find that out by a loop would take longer.
            rows = known.rows(kind)
            body += [f"{pad}free = True", f"{pad}if {rows}:", f"{pad} for e in {source}:"]
            body += [f"{pad}  if {' and '.join(checks)}:", f"{pad}   free = False", f"{pad}   break", f"{pad}if free:"]
        else:
            body += [f"{pad}for e in {source}:", f"{pad} if {' and '.join(checks)}:", f"{pad}  break", f"{pad}else:"]
        return pad + " "

    def _conclude(self, number: int, rule: Rule, known: Known, body: list[str], pad: str) -> None:
        if known.in_one and self._is_constant(rule) and known.may_be_empty(kind := rule.then[0].kind):
            note = self._note(kind, number, "")
            facts = ", ".join(f"{_values(head)}: {note}" for head in rule.then)
            # One table serves every run, since nothing else is ever put into it.
            self.called[f"always_{number}"] = [f"always_{number} = {{{facts}}}"]
            body.append(f"{pad}{known.rows(kind)} = R[{kind!r}] = always_{number}")
            return
        before = ""
        for head in rule.then:
            kind = head.kind
            values = _values(head)
            if values != before:
                body.append(f"{pad}same = {values}")
                before = values
            if known.in_one:
                rows = known.rows(kind)
                if known.may_be_empty(kind):
                    body += [f"{pad}if not {rows}:", f"{pad} {rows} = R[{kind!r}] = {{}}"]
            else:
                rows = "r"
                body += [f"{pad}r = R[{kind!r}]", f"{pad}if not r:", f"{pad} r = R[{kind!r}] = {{}}"]
            body.append(f"{pad}{rows}[same] = {self._note(kind, number, rows)}")

    def _is_constant(self, rule: Rule) -> bool:
        """Whether the rule gives all facts of a kind, and always the same."""
        kinds = {head.kind for head in rule.then}
        return not rule.when.atoms and not rule.unless and len(kinds) == 1 and self._makers[kinds.pop()] == 1

    def _note(self, kind: str, rule: int, rows: str) -> str:
        """What is noted of a fact that the rule gives: its bit, beside those of the rules that gave it too."""
        makers = self._noted.get(kind)
        if not makers:
            return "0"
        bit = 1 << makers.index(rule)
        return str(bit) if len(makers) == 1 else f"{rows}.get(same, 0) | {bit}"

    def _record(self, number: int, rule: Rule, _known: Known, body: list[str], pad: str) -> None:
        binding = _key([f"v{variable}" for variable in range(rule.bound)], always_tuple=True)
        body.append(f"{pad}why = Derivation({number}, {binding})")
        body += [f"{pad}O.append(({head.kind!r}, {_values(head)}, why))" for head in rule.then]

    def _index(self, kind: str, column: int, of: str) -> int:
        """The number of the index of a kind by a column, of what it has of each value: the rows, its row, or itself."""
        key = (kind, column, of)
        if key not in self.indexes:
            self.indexes[key] = len(self.indexes)
            self._indexes_of.setdefault(kind, []).append(self.indexes[key])
        return self.indexes[key]


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

    def are_variables(self) -> None:
        """That each has the name of a variable of its own."""
        self._names = [f"v{column}" for column in range(len(self._names))]

    def __getitem__(self, column: int) -> str:
        return self._names[column]


class _Joined:
    """Where the lines of a join have come to: the inner padding, and the places to leave a loop after one row."""

    def __init__(self, pad: str) -> None:
        self.pad = pad
        self.once: list[str] = []


def begins_with_loop(rule: Rule) -> str | None:
    """The kind of the first condition, if what follows differs from one of its facts to the other."""
    if not rule.when.atoms:
        return None
    first, *others = rule.when.atoms
    others_variables = {*_condition_variables(Condition(tuple(others), rule.when.tests)), *_concluded_variables(rule)}
    for exception in rule.unless:
        others_variables.update(_condition_variables(exception))
    return first.kind if _atom_variables(first) & others_variables else None


def _by_columns(rule: Rule) -> Rule:
    """The rule with other numbers for its variables: those of the first condition have the numbers of its columns."""
    first = rule.when.atoms[0].terms
    places: dict[int, int] = {}
    for column, term in enumerate(first):
        if isinstance(term, Variable):
            places.setdefault(term.index, column)
    bound = len(first) + rule.bound - len(places)
    for index in range(len(rule.variables)):
        places.setdefault(index, len(first) + len(places.keys() - set(_atom_variables(rule.when.atoms[0]))))

    def term_of(term: Term | None) -> Any:
        return Variable(places[term.index]) if isinstance(term, Variable) else term

    def atom_of(atom: Atom | Head) -> Any:
        return replace(atom, terms=tuple(map(term_of, atom.terms)))

    def condition_of(condition: Condition) -> Condition:
        tests = tuple(
            Test(term_of(test.variable), test.comparator, tuple(map(term_of, test.operands)))
            for test in condition.tests
        )
        return Condition(tuple(map(atom_of, condition.atoms)), tests)

    return replace(
        rule,
        bound=bound,
        when=condition_of(rule.when),
        unless=tuple(map(condition_of, rule.unless)),
        then=tuple(map(atom_of, rule.then)),
    )


def _concluded_variables(rule: Rule) -> set[int]:
    return {term.index for head in rule.then for term in head.terms if isinstance(term, Variable)}


def _keyed(terms: Sequence[Term | None], bound: Collection[int]) -> list[tuple[int, Term]]:
    """The columns whose value is known, with the term that gives it."""
    return [
        (column, term)
        for column, term in enumerate(terms)
        if isinstance(term, Constant) or (isinstance(term, Variable) and term.index in bound)
    ]


def _own_checks(atom: Atom, tests: Sequence[Test], bound: Collection[int], known: Known) -> list[str]:
    """What must hold of a row `e` beside the columns whose value is known: of variables of its own, and by tests."""
    own: dict[int, int] = {}
    checks: list[str] = []
    for column, term in enumerate(atom.terms):
        if isinstance(term, Variable) and term.index not in bound:
            if term.index in own:
                checks.append(f"e[{own[term.index]}] == e[{column}]")
            else:
                own[term.index] = column
                if (atom.kind, column) not in known.filled:
                    checks.append(f"e[{column}] is not None")
    names = {variable: f"e[{column}]" for variable, column in own.items()}
    return [*checks, *(_test(test, names) for test in tests)]


def _values(head: Head) -> str:
    return _key([_term(term) if term is not None else "None" for term in head.terms], always_tuple=True)


def _test(test: Test, names: Mapping[int, str] | None = None) -> str:
    operands = [_term(term, names) for term in test.operands]
    left = _term(test.variable, names)
    if test.comparator == "one_of":
        if all(isinstance(term, Constant) for term in test.operands):
            return f"{left} in {{{', '.join(operands)}}}"
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
