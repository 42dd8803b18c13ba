"""The cards, seats and numbers that a gist names, and whether the rules beside it name them too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bridgelaws.engine.program import Comparator
from bridgelaws.lawbook.clauses import FieldTest, LawRule, Literal, Version
from bridgelaws.lawbook.possible import column_type
from bridgelaws.lawbook.types import FieldType
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.notation import SUIT_NAMES

Named = tuple[str, str | int]

_COUNTED = ["five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"]
_ORDINALS = ["fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth"]
_NUMBERS = {word: 5 + place for words in (_COUNTED, _ORDINALS) for place, word in enumerate(words)}
_HONOURS = {"ace": 14, "king": 13, "queen": 12, "jack": 11}
_SMALL = {"two": 2, "three": 3, "four": 4, **{word: 5 + place for place, word in enumerate(_COUNTED[:6])}}
_SEATS = {"North": "N", "East": "E", "South": "S", "West": "W"}
_SUITS = {name: letter for letter, name in SUIT_NAMES.items()}
_ORDERED: tuple[Comparator, ...] = ("above", "below", "at_least", "at_most")

_WORD = re.compile(r"[A-Za-z]+")
_CARD = re.compile(rf"\b({'|'.join((*_HONOURS, *_SMALL))}) of ({'|'.join(_SUITS)})\b", re.IGNORECASE)
_FIGURE = re.compile(r"\b(?:tricks? (\d{1,2})|(\d{1,2}) (?:tricks?|cards?))\b")


def unsaid(version: Version, vocabulary: Vocabulary) -> list[str]:
    """The words of the gist for a card, a seat or a number that no rule of the version names."""
    if not version.rules:
        return []
    named = set(_named(version.rules, vocabulary))
    words = {word for rule in version.rules for word in _words(rule)}
    return [
        word
        for word, meanings in dict.fromkeys(_mentioned(version.gist))
        if not named & set(meanings) and word.lower() not in words
    ]


def _mentioned(gist: str) -> Iterator[tuple[str, tuple[Named, ...]]]:
    """Each word that names something, and what it may mean: a ten is a rank or a number."""
    for found in _CARD.finditer(gist):
        rank, suit = found[1].lower(), found[2].lower()
        yield found[1], (("rank", {**_SMALL, **_HONOURS}[rank]),)
        yield found[2], (("suit", _SUITS[suit]),)
    rest = _CARD.sub(" ", gist)
    for found in _WORD.finditer(rest):
        word = found[0]
        if word in _SEATS:
            yield word, (("seat", _SEATS[word]),)
        elif word.lower() in _HONOURS:
            yield word, (("rank", _HONOURS[word.lower()]),)
        elif word.lower() in _NUMBERS:
            number = _NUMBERS[word.lower()]
            yield word, (("rank", number), ("count", number))
        elif word.lower() in _SUITS and word.lower() != "clubs":
            # People meet in clubs.
            yield word, (("suit", _SUITS[word.lower()]),)
    for found in _FIGURE.finditer(rest):
        yield found[0], (("count", int(found[1] or found[2])),)


def _named(rules: Iterable[LawRule], vocabulary: Vocabulary) -> Iterator[Named]:
    for rule in rules:
        for pattern in (*rule.when, *(each for exception in rule.unless for each in exception)):
            for test in pattern.tests:
                yield from _tested(test, column_type(pattern, test, vocabulary))
        for conclusion in rule.conclusions:
            for name, operand in conclusion.fields.items():
                if isinstance(operand, Literal):
                    yield from _meant(vocabulary[conclusion.kind].fields[name].type, operand)


def _tested(test: FieldTest, kind: FieldType) -> Iterator[Named]:
    for operand in test.operands:
        if isinstance(operand, Literal):
            yield from _meant(kind, operand)
            if test.comparator in _ORDERED:
                # Above the ninth is at least the tenth.
                yield kind.name, int(operand.value) - 1
                yield kind.name, int(operand.value) + 1


def _meant(kind: FieldType, literal: Literal) -> Iterator[Named]:
    yield kind.name, literal.value
    for part, (_, table) in kind.parts.items():
        yield part, table[str(literal.value)]


def _words(rule: LawRule) -> Iterator[str]:
    """The words that the rule is made of: its kinds, fields, values and its own name."""
    texts = [rule.name]
    for pattern in (*rule.when, *(each for exception in rule.unless for each in exception)):
        texts.append(pattern.kind)
        texts += [test.column for test in pattern.tests]
        texts += [str(each.value) for test in pattern.tests for each in test.operands if isinstance(each, Literal)]
    for conclusion in rule.conclusions:
        texts += [conclusion.kind, *conclusion.fields]
        texts += [str(each.value) for each in conclusion.fields.values() if isinstance(each, Literal)]
    return (word.lower() for text in texts for word in _WORD.findall(text.replace("_", " ")))
