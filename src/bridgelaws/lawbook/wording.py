"""Rules in words: patterns, exceptions and conclusions as `show` prints them, made from the YAML alone."""

from __future__ import annotations

from collections.abc import Iterator

from bridgelaws.lawbook.clauses import Conclusion, FieldTest, LawRule, Literal, Name, Operand, Pattern
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType
from bridgelaws.lawbook.vocabulary import Vocabulary

_COMPARED = {
    "equal": "",
    "not": "not ",
    "above": "above ",
    "below": "below ",
    "at_least": "at least ",
    "at_most": "at most ",
    "one_of": "one of ",
}


def rule_lines(rule: LawRule, vocabulary: Vocabulary) -> Iterator[tuple[int, str]]:
    """The rule as lines, each with its indentation."""
    yield 0, rule.name
    words = "when"
    for pattern in rule.when:
        yield 1, f"{words} {pattern_text(pattern, vocabulary)}"
        words = " and"
    for exception in rule.unless:
        yield 1, f"unless {' and '.join(pattern_text(pattern, vocabulary) for pattern in exception)}"
    for word, conclusions in (("then", rule.then), ("offer", rule.offer), ("ask", rule.ask)):
        for conclusion in conclusions:
            yield 1, f"{word} {conclusion_text(conclusion, vocabulary)}"


def pattern_text(pattern: Pattern, vocabulary: Vocabulary) -> str:
    tests = ", ".join(_test_text(test, vocabulary[pattern.kind].fields[test.field].type) for test in pattern.tests)
    return f"{pattern.kind}: {tests}" if tests else pattern.kind


def _test_text(test: FieldTest, kind: FieldType) -> str:
    label = f"{test.field}'s {test.part}" if test.part else test.field
    part = PLAIN_TYPES[kind.parts[test.part][0]] if test.part else kind
    operands = ", ".join(_operand_text(operand, part) for operand in test.operands)
    return f"{label} {_COMPARED[test.comparator]}{operands}"


def _operand_text(operand: Operand, kind: FieldType) -> str:
    if isinstance(operand, Name):
        return f"${operand.name}"
    assert isinstance(operand, Literal)
    return kind.say(operand.value) if kind.name != "one_of" else str(operand.value)


def conclusion_text(conclusion: Conclusion, vocabulary: Vocabulary) -> str:
    fields = vocabulary[conclusion.kind].fields
    given = ", ".join(
        f"{name} {_operand_text(operand, fields[name].type)}" for name, operand in conclusion.fields.items()
    )
    force = f" [{conclusion.force}]" if conclusion.force != "does" else ""
    return f"{conclusion.kind}: {given}{force}" if given else f"{conclusion.kind}{force}"
