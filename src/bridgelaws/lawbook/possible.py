"""Which values the tests of a rule leave possible: tests that contradict each other, and facts that cannot match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations

from bridgelaws.engine.program import Comparator
from bridgelaws.lawbook.clauses import Conclusion, FieldTest, Literal, Name, Pattern
from bridgelaws.lawbook.types import MAX_COUNT, PLAIN_TYPES, FieldType
from bridgelaws.lawbook.vocabulary import Vocabulary

Value = str | int | bool
Values = frozenset[Value]

_ORDERED: Mapping[Comparator, Callable[[int, int], bool]] = {
    "above": lambda value, other: value > other,
    "below": lambda value, other: value < other,
    "at_least": lambda value, other: value >= other,
    "at_most": lambda value, other: value <= other,
}
# Pairs of tests on one field that cannot both hold of the same other value.
_OPPOSED = {
    frozenset(pair)
    for pair in (
        ("equal", "not"),
        ("equal", "above"),
        ("equal", "below"),
        ("above", "below"),
        ("above", "at_most"),
        ("below", "at_least"),
    )
}


def column_type(pattern: Pattern, test: FieldTest, vocabulary: Vocabulary) -> FieldType:
    whole = vocabulary[pattern.kind].fields[test.field].type
    return PLAIN_TYPES[whole.parts[test.part][0]] if test.part else whole


def passing(test: FieldTest, kind: FieldType) -> Values | None:
    """The values that pass a test; none if that depends on a variable."""
    literals = [operand.value for operand in test.operands if isinstance(operand, Literal)]
    if len(literals) < len(test.operands):
        return None
    if test.comparator in ("equal", "one_of"):
        return frozenset(literals)
    if test.comparator == "not":
        return _every(kind) - frozenset(literals)
    holds = _ORDERED[test.comparator]
    return frozenset(value for value in _every(kind) if holds(int(value), int(literals[0])))


def _every(kind: FieldType) -> Values:
    return frozenset(range(MAX_COUNT + 1)) if kind.name == "count" else frozenset(kind.domain)


def field_values(pattern: Pattern, field: str, vocabulary: Vocabulary) -> Values:
    """The values of a field that pass every test of the pattern on it and on its parts, variables aside."""
    kind = vocabulary[pattern.kind].fields[field].type
    values = _every(kind)
    for test in pattern.tests:
        passed = passing(test, column_type(pattern, test, vocabulary)) if test.field == field else None
        if passed is None:
            continue
        if test.part:
            table = kind.parts[test.part][1]
            values = frozenset(value for value in values if table[str(value)] in passed)
        else:
            values &= passed
    return values


def column_values(pattern: Pattern, test: FieldTest, vocabulary: Vocabulary) -> Values:
    """The values that the pattern leaves possible for the field, or the part of it, that a test is about."""
    values = field_values(pattern, test.field, vocabulary)
    if not test.part:
        return values
    table = vocabulary[pattern.kind].fields[test.field].type.parts[test.part][1]
    return frozenset(table[str(value)] for value in values)


def contradiction(patterns: Iterable[Pattern], vocabulary: Vocabulary) -> FieldTest | None:
    """A test that cannot hold together with the tests before it."""
    variables: dict[str, Values] = {}
    for pattern in patterns:
        for test in pattern.tests:
            values = column_values(pattern, test, vocabulary)
            if not values:
                return [each for each in pattern.tests if each.field == test.field][-1]
            if test.comparator == "equal" and isinstance(test.operands[0], Name):
                name = test.operands[0].name
                variables[name] = variables.get(name, values) & values
                if not variables[name]:
                    return test
        for first, second in combinations(pattern.tests, 2):
            opposed = frozenset((first.comparator, second.comparator)) in _OPPOSED
            if opposed and first.column == second.column and first.operands == second.operands:
                return second
    return None


def can_match(pattern: Pattern, conclusion: Conclusion, vocabulary: Vocabulary) -> bool:
    """Whether a fact that the conclusion gives could meet the pattern; a field it does not give passes no test."""
    for field in dict.fromkeys(test.field for test in pattern.tests):
        operand = conclusion.fields.get(field)
        if operand is None:
            return False
        if isinstance(operand, Literal) and operand.value not in field_values(pattern, field, vocabulary):
            return False
    return True
