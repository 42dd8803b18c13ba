"""The lines of Python that fire one rule, for the compiled engine.

Everything in them is a number, a name made here, or a value from `repr`: no text of a rule becomes code. `R` are the
facts of each kind, and `X` the indexes made so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from bridgelaws.engine.join_order import (
    atom_variables,
    by_columns,
    concluded_variables,
    condition_variables,
    planned,
    test_variables,
)
from bridgelaws.engine.lookups import Known, Lookups, term_text, tuple_text
from bridgelaws.engine.program import Atom, Condition, Constant, Head, Program, Rule, Term, Test, Variable

_MANY_COLUMNS = 4
_OPERATORS = {"equal": "==", "not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


class RuleLines:
    """Writes the lines that fire the rules of one program. What these call waits in `called`, by its name."""

    def __init__(self, program: Program, kinds: Mapping[str, int], noted: Mapping[str, Sequence[int]]) -> None:
        self.program = program
        self.nothing_known = Known(kinds)
        self._makers = Counter(kind for _, made in program.signatures for kind in dict.fromkeys(made))
        self.lookups = Lookups(self._makers)
        # For each kind the rules to note of the facts that they give.
        self._noted = noted
        self.called: dict[str, list[str]] = {}

    def firing(self, number: int, growing: Collection[str], known: Known, body: list[str], pad: str) -> None:
        """Add the lines that put into the tables what a rule concludes; kinds that grow meanwhile are copied."""
        rule = planned(self.program.rules[number], known.sizes)
        self._rule(number, rule, concluded_variables(rule), growing, known, body, pad, self._conclude)

    def firing_together(self, numbers: Sequence[int], known: Known, body: list[str], pad: str) -> None:
        """The same for rules of which the first condition is on one kind, with one loop over its facts."""
        rules = {number: by_columns(planned(self.program.rules[number], known.sizes)) for number in numbers}
        firsts = [rule.when.atoms[0] for rule in rules.values()]
        kind = firsts[0].kind
        by_column = list(enumerate(zip(*(atom.terms for atom in firsts), strict=True)))
        names = ", ".join(f"v{column}" if any(terms) else "_" for column, terms in by_column)
        if known.may_be_empty(kind):
            pad = _check([known.rows(kind)], body, pad)
        body.append(f"{pad}for ({names},) in {known.rows(kind)}:")
        filled = {column for column, terms in by_column if all(isinstance(term, Variable) for term in terms)}
        checks = [f"v{column} is not None" for column in sorted(filled) if (kind, column) not in known.filled]
        pad = _check(checks, body, pad + " ") if checks else pad + " "
        for number, rule in rules.items():
            wanted = concluded_variables(rule)
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
        wanted = wanted.union(*(condition_variables(exception) for _, exception in exceptions))
        joined = _Joined(pad)

        bound: set[int] = set()
        forbidden: dict[int, str] = {}

        def unless() -> None:
            """Go on only where no exception holds, of those that what is bound by now decides."""
            for place, exception in tuple(exceptions):
                if all(each in bound or each >= rule.bound for each in condition_variables(exception)):
                    exceptions.remove((place, exception))
                    if place in forbidden:
                        joined.pad = _check([forbidden[place]], body, joined.pad)
                    else:
                        joined.pad = self._unless(number, place, exception, bound, known, body, joined.pad)

        def before_many() -> None:
            """What an exception forbids is found out sooner before a loop over many facts than once for each."""
            unless()
            for place, exception in exceptions:
                late = {each for each in condition_variables(exception) if each < rule.bound} - bound
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
                wanted_later |= atom_variables(other)
            kind = atom.kind
            keyed = _keyed(atom.terms, bound)
            needed = wanted_later.union(*map(test_variables, waiting))
            columns = _Columns(f"r{len(bound)}_{depth}", atom, keyed, needed - bound)
            fresh: dict[int, int] = {}
            has_row = at_row is not None and not depth
            is_one = len(keyed) == len(atom.terms)
            if has_row:
                columns.are_variables()
                pad = joined.pad
                checks = _comparisons(keyed, columns.__getitem__)
            elif is_one:
                pad = joined.pad
                checks = [self.lookups.among(kind, keyed, known)]
            else:
                if kind in known.many:
                    before_many()
                pad = joined.pad
                rows, found_by = self.lookups.rows_with(kind, keyed, known)
                body.append(f"{pad}for {columns.row} in {f'list({known.rows(kind)})' if kind in growing else rows}:")
                pad += " "
                apart = [each for each in keyed if each[0] != found_by or kind in growing]
                if apart:
                    pad = _check(_comparisons(apart, columns.__getitem__), body, pad)
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
            checks += [_test(test) for test in waiting if test_variables(test) <= bound]
            waiting = [test for test in waiting if not test_variables(test) <= bound]
            if checks:
                pad = _check(checks, body, pad)
            if not is_one and not has_row and not fresh.keys() & wanted_later.union(*map(test_variables, waiting)):
                # Every further row would lead to the same.
                joined.once.append(pad)
            joined.pad = pad

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
        used = sorted(bound & set(condition_variables(exception)))
        arguments = ", ".join(("X", *kinds, *(f"v{variable}" for variable in used)))
        name = f"exception_{number}_{place}"
        if name not in self.called:
            inner = [f"def {name}({arguments}):"]
            joined = _Joined(" ")
            self._join(exception, set(used), (), set(), known, inner, joined)
            breaks = [f"{each}break" for each in reversed(joined.once)]
            self.called[name] = [*inner, f"{joined.pad}return True", *breaks, " return False"]
        return _check([f"not ({' and '.join((*kinds, f'{name}({arguments})'))})"], body, pad)

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
        if len(columns) > 1 or any(late in test_variables(test) for test in exception.tests):
            return ""
        keyed = _keyed(atom.terms, bound)
        if len(keyed) + 1 == len(atom.terms):
            # Later every column will be known, and then a row is found at once.
            return ""
        source, found_by = self.lookups.rows_with(atom.kind, keyed, known)
        checks = _comparisons((each for each in keyed if each[0] != found_by), _of_row)
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
            holds = " and ".join((self.lookups.among(kind, keyed, known), *map(_test, tests)))
            return _check([f"not ({holds})"], body, pad)
        checks = _own_checks(atom, tests, bound, known)
        if not checks and not keyed:
            return _check([f"not {known.rows(kind)}"], body, pad)
        if not checks and len(keyed) == 1 and kind in known.many:
            column, term = keyed[0]
            # Where rows are looked up by the column too, that index does for both.
            by_row = (kind, column) in known.unique and column in known.keys.get(kind, ())
            index = self.lookups.index(kind, column, "row" if by_row else "value")
            make = "each" if by_row else "values"
            among = f"(X[{index}] or {make}({known.rows(kind)}, {column}, X, {index}))"
            return _check([f"{term_text(term)} not in {among}"], body, pad)
        source, found_by = self.lookups.rows_with(kind, keyed, known)
        checks = [*_comparisons((each for each in keyed if each[0] != found_by), _of_row), *checks]
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
            body.append(f"{pad}{known.rows(kind)} = always_{number}")
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
                    body += [f"{pad}if not {rows}:", f"{pad} {rows} = {{}}"]
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
        binding = tuple_text([f"v{variable}" for variable in range(rule.bound)], always_tuple=True)
        body.append(f"{pad}why = Derivation({number}, {binding})")
        body += [f"{pad}O.append(({head.kind!r}, {_values(head)}, why))" for head in rule.then]


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


def _keyed(terms: Sequence[Term | None], bound: Collection[int]) -> list[tuple[int, Term]]:
    """The columns whose value is known, with the term that gives it."""
    return [
        (column, term)
        for column, term in enumerate(terms)
        if isinstance(term, Constant) or (isinstance(term, Variable) and term.index in bound)
    ]


def _comparisons(keyed: Iterable[tuple[int, Term]], value: Callable[[int], str]) -> list[str]:
    """That columns have the values that are known; those that the rule names come first, as they fail most often."""
    in_order = sorted(keyed, key=lambda each: isinstance(each[1], Variable))
    return [f"{value(column)} == {term_text(term)}" for column, term in in_order]


def _of_row(column: int) -> str:
    return f"e[{column}]"


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
    return tuple_text([term_text(term) if term is not None else "None" for term in head.terms], always_tuple=True)


def _test(test: Test, names: Mapping[int, str] | None = None) -> str:
    operands = [term_text(term, names) for term in test.operands]
    left = term_text(test.variable, names)
    if test.comparator == "one_of":
        if all(isinstance(term, Constant) for term in test.operands):
            return f"{left} in {{{', '.join(operands)}}}"
        return f"({' or '.join(f'{left} == {operand}' for operand in operands)})"
    return f"{left} {_OPERATORS[test.comparator]} {operands[0]}"


def _check(checks: Sequence[str], body: list[str], pad: str) -> str:
    body.append(f"{pad}if {' and '.join(checks)}:")
    return pad + " "
