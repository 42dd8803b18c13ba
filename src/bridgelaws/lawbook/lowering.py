"""Turn the rules of an edition, as written, into the program that engines run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridgelaws.engine.program import Atom, Comparator, Condition, Constant, Head, Program, Rule, Term, Test, Variable
from bridgelaws.lawbook.clauses import Conclusion, LawRule, Literal, Name, Operand, Pattern
from bridgelaws.lawbook.vocabulary import ASK, OFFER, Kind, Vocabulary


def lower(rules: Iterable[LawRule], vocabulary: Vocabulary) -> Program:
    """The program; offers and questions become conclusions of kinds of their own, which no rule reads."""
    columns = {name: kind.columns for name, kind in vocabulary.kinds.items()}
    columns |= {OFFER + kind.name: kind.columns for kind in vocabulary.of_source("choice")}
    columns |= {ASK + kind.name: kind.columns for kind in vocabulary.of_source("report")}
    return Program(columns, tuple(_lowered(rule, vocabulary) for rule in rules))


def _lowered(rule: LawRule, vocabulary: Vocabulary) -> Rule:
    """The rule as engines know it; one that several editions share is lowered once."""
    # INVARIANT: the rule is kept beside what became of it, so that no other can come to have its id.
    found = vocabulary.lowered.get(id(rule))
    if found is None:
        found = vocabulary.lowered[id(rule)] = (rule, _RuleLowering(rule, vocabulary).lowered())
    return found[1]


class _RuleLowering:
    """Numbers the variables of one rule. Columns that are only tested get a hidden variable, named by its number."""

    def __init__(self, rule: LawRule, vocabulary: Vocabulary) -> None:
        self.rule = rule
        self.vocabulary = vocabulary
        self.names: list[str] = []

    def lowered(self) -> Rule:
        numbers: dict[str, Variable] = {}
        atoms: list[list[Term | None]] = []
        tests: list[Test] = []
        for pattern in self.rule.when:
            atoms.append(self._atom(pattern, numbers, tests))
        parts = self._parts(self.rule.when, atoms, numbers)
        heads = tuple(
            self._head(prefix, conclusion, numbers, parts)
            for prefix, conclusions in (("", self.rule.then), (OFFER, self.rule.offer), (ASK, self.rule.ask))
            for conclusion in conclusions
        )
        bound = len(self.names)
        unless: list[Condition] = []
        for patterns in self.rule.unless:
            local = dict(numbers)
            inner: list[Test] = []
            made = [Atom(pattern.kind, tuple(self._atom(pattern, local, inner))) for pattern in patterns]
            unless.append(Condition(tuple(made), tuple(inner)))
        when = Condition(
            tuple(Atom(pattern.kind, tuple(terms)) for pattern, terms in zip(self.rule.when, atoms, strict=True)),
            tuple(tests),
        )
        return Rule(self.rule.name, tuple(self.names), bound, when, tuple(unless), heads)

    def _new(self, name: str = "") -> Variable:
        self.names.append(name or f"#{len(self.names)}")
        return Variable(len(self.names) - 1)

    def _operand(self, operand: Operand, numbers: dict[str, Variable]) -> Term:
        if isinstance(operand, Literal):
            return Constant(operand.value)
        if operand.name not in numbers:
            numbers[operand.name] = self._new(operand.name)
        return numbers[operand.name]

    def _atom(self, pattern: Pattern, numbers: dict[str, Variable], tests: list[Test]) -> list[Term | None]:
        columns = self.vocabulary[pattern.kind].columns
        terms: list[Term | None] = [None] * len(columns)
        others: list[tuple[int, Comparator, tuple[Term, ...]]] = []
        for test in pattern.tests:
            place = columns.index(test.column)
            operands = tuple(self._operand(operand, numbers) for operand in test.operands)
            if test.comparator == "equal" and terms[place] is None:
                terms[place] = operands[0]
                continue
            others.append((place, test.comparator, operands))
        for place, comparator, operands in others:
            subject = terms[place]
            if not isinstance(subject, Variable):
                fixed = subject
                subject = terms[place] = self._new()
                if fixed is not None:
                    tests.append(Test(subject, "equal", (fixed,)))
            tests.append(Test(subject, comparator, operands))
        return terms

    def _parts(
        self, patterns: tuple[Pattern, ...], atoms: list[list[Term | None]], numbers: Mapping[str, Variable]
    ) -> dict[tuple[int, str], Term]:
        """For each variable that some conclusion gives to a field with parts: the terms that hold those parts."""
        parts: dict[tuple[int, str], Term] = {}
        for conclusion in self.rule.conclusions:
            for name, operand in conclusion.fields.items():
                kind = self.vocabulary[conclusion.kind].fields[name].type
                if not kind.parts or not isinstance(operand, Name):
                    continue
                variable = numbers[operand.name]
                for part in kind.parts:
                    if (variable.index, part) not in parts:
                        parts[variable.index, part] = self._part(variable, part, patterns, atoms)
        return parts

    def _part(
        self, variable: Variable, part: str, patterns: tuple[Pattern, ...], atoms: list[list[Term | None]]
    ) -> Term:
        for pattern, terms in zip(patterns, atoms, strict=True):
            columns = self.vocabulary[pattern.kind].columns
            for place, term in enumerate(terms):
                beside = f"{columns[place]}.{part}"
                if term == variable and beside in columns:
                    found = terms[columns.index(beside)]
                    if found is None:
                        found = terms[columns.index(beside)] = self._new()
                    return found
        # INVARIANT: reading refused every conclusion whose variable no condition binds.
        raise AssertionError(f"variable {variable.index} of '{self.rule.name}' has no {part}")

    def _head(
        self,
        prefix: str,
        conclusion: Conclusion,
        numbers: dict[str, Variable],
        parts: Mapping[tuple[int, str], Term],
    ) -> Head:
        kind: Kind = self.vocabulary[conclusion.kind]
        terms: list[Term | None] = []
        for name, each in kind.fields.items():
            operand = conclusion.fields.get(name)
            if operand is None:
                terms += [None] * (1 + len(each.type.parts))
                continue
            term = self._operand(operand, numbers)
            terms.append(term)
            for part, (_, table) in each.type.parts.items():
                terms.append(
                    parts[term.index, part] if isinstance(term, Variable) else Constant(table[str(term.value)])
                )
        return Head(prefix + conclusion.kind, tuple(terms))
