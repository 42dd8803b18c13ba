"""Noun phrases for the fields of a pattern: "another card", "a card of the same suit", "a later trick"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bridgelaws.lawbook.clauses import FieldTest, Literal, Name, Operand, Pattern
from bridgelaws.lawbook.referents import (
    NUMBER,
    Discourse,
    Phrase,
    Referent,
    alternatives,
    comparing_word,
    joined,
    label,
    noun_of,
    variable,
    with_article,
)
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType
from bridgelaws.lawbook.vocabulary import Field

_RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
_HIGHER = {"above": "higher than", "below": "lower than", "at_least": "no lower than", "at_most": "no higher than"}
_MORE = {"above": "more than", "below": "fewer than", "at_least": "at least", "at_most": "at most"}
_AFTER = {"above": "after", "below": "before", "at_least": "not before", "at_most": "not after"}


def value_said(operand: Literal, kind: FieldType, *, article: bool = False) -> str:
    """A value as a sentence says it: as announcements do, but a rank in words."""
    if kind.name == "rank" and isinstance(operand.value, int):
        return f"the {_RANKS[operand.value - 2]}"
    return kind.say(operand.value, article=article)


class Speaker(Discourse):
    """Says what a pattern tells of each field, knowing what was said before it."""

    def named(self, name: str) -> Phrase:
        found = self.referents.get(name)
        return self.mention(found) if found else Phrase(name.replace("_", " "))

    def operand(self, operand: Operand, type_of: FieldType) -> str:
        return self.named(operand.name).full if isinstance(operand, Name) else value_said(operand, type_of)

    def phrase(self, pattern: Pattern, name: str, *, article: bool = False) -> Phrase:
        """What stands in a field of a pattern, as far as the pattern tells."""
        kind = self.vocabulary[pattern.kind]
        type_of = kind.fields[name].type
        tests = [test for test in pattern.tests if test.field == name]
        whole = [test for test in tests if not test.part]
        equal = next((test for test in whole if test.comparator in ("equal", "one_of")), None)
        rest = [test for test in whole if test is not equal]
        if equal is not None and isinstance(equal.operands[0], Literal):
            said = [
                value_said(each, type_of, article=article) if isinstance(each, Literal) else self.operand(each, type_of)
                for each in equal.operands
            ]
            return Phrase(alternatives(said), literal=True)
        thing = self.unnamed.get((pattern, name))
        bound = variable(equal) if equal else None
        if bound is not None:
            thing = self.referents.get(bound)
        if type_of.name in ("one_of", "yes_no"):
            return self._value(thing, rest, type_of, kind.fields[name])
        if type_of.name == "suit" and article:
            card = f"card {self._of_suit(thing)}"
            return Phrase(f"a {card}", card, "card")
        rivals = any(test.field != name and kind.fields[test.field].type is type_of for test in pattern.tests)
        parts = [test for test in tests if test.part]
        some = rivals and not tests and type_of.name != "count"
        return self._noun_phrase(thing, rest, parts, type_of, kind.fields[name], some)

    def _value(self, thing: Referent | None, rest: Sequence[FieldTest], type_of: FieldType, of: Field) -> Phrase:
        if thing is not None:
            return Phrase(f"{alternatives(list(type_of.phrases.values()))}, as the case may be", literal=True)
        if rest:
            said = alternatives([self.operand(each, type_of) for test in rest for each in test.operands])
            return Phrase(f"not {said}", f"anything but {said}", literal=True)
        return Phrase(with_article(label(of.name)), label(of.name), label(of.name))

    def _of_suit(self, suit: Referent | None) -> str:
        if suit is None:
            return "of some suit"
        if suit.owner is not None and suit.owner.said and sum(each.type == "suit" for each in self.everything()) == 1:
            suit.said = True
            return "of the same suit"
        return f"of {self.mention(suit).full}"

    def _noun_phrase(
        self,
        thing: Referent | None,
        rest: Sequence[FieldTest],
        parts: Sequence[FieldTest],
        type_of: FieldType,
        of: Field,
        some: bool,
    ) -> Phrase:
        known = thing is not None and thing.said
        noun = thing.noun if thing else noun_of(type_of, of, "")
        others = [test for test in rest if test.comparator == "not"]
        compared = [test for test in rest if test.comparator in _AFTER]
        if (known and thing is not None) or (thing is not None and not (others and noun == type_of.name)):
            start = self.mention(thing)
        elif others:
            rivals = [self.operand(test.operands[0], type_of) for test in others]
            if thing is not None:
                self.mention(thing)
            start = Phrase(f"another {noun}", f"other {noun}", noun)
            if len({*rivals}) > 1 or any(isinstance(test.operands[0], Literal) for test in others):
                start = Phrase(f"a {noun} other than {joined(rivals, 'or')}", noun, noun)
            others = []
        else:
            start = Phrase(f"some {noun}" if some else with_article(noun), noun, noun)
            if type_of.name == "seat":
                start = Phrase("someone", noun, noun)
        after = [f"other than {self.operand(test.operands[0], type_of)}" for test in others]
        if len(compared) == 1 and not known:
            return self._compared(compared[0], noun, type_of, thing)
        after += [f"{_AFTER[test.comparator]} {self.operand(test.operands[0], type_of)}" for test in compared]
        modifiers = list(self._modifiers(parts, thing))
        modified = (" and " if all(each.startswith("of ") for each in modifiers) else " ").join(modifiers)
        described = [modified] if modified else []
        described += [joined(after)] if after else []
        more = " ".join(f"({each})" if known else each for each in described)
        return Phrase(start.full, start.bare, noun, start.whole, f" {more}" if more else "")

    def _compared(self, test: FieldTest, noun: str, type_of: FieldType, thing: Referent | None) -> Phrase:
        """One comparison: "a later trick", "the same trick or a later one"."""
        rival = self.referents.get(test.operands[0].name) if isinstance(test.operands[0], Name) else None
        than = self.operand(test.operands[0], type_of)
        if thing is not None:
            self.mention(thing)
        word = comparing_word(test.comparator, noun)
        if type_of.name == "rank":
            return Phrase(f"a rank {_HIGHER[test.comparator]} {than}", noun, noun)
        if rival is None and noun == NUMBER:
            return Phrase(f"{_MORE[test.comparator]} {than}", noun, noun)
        if rival is None and noun != "trick":
            return Phrase(f"{_MORE[test.comparator]} {than} {noun}", noun, noun)
        if rival is None:
            return Phrase(f"{with_article(noun)} {_AFTER[test.comparator]} {noun} {than}", noun, noun)
        tricks = [each for each in self.everything() if each.noun == noun and each.said and each is not thing]
        if test.comparator in ("above", "below") and len(tricks) == 1:
            return Phrase(with_article(f"{word} {noun}"), f"{word} {noun}", noun)
        if test.comparator in ("above", "below") and noun == NUMBER:
            return Phrase(f"{_MORE[test.comparator]} {than}", noun, noun)
        if test.comparator in ("above", "below"):
            return Phrase(f"{with_article(noun)} {_AFTER[test.comparator]} {than}", noun, noun)
        return Phrase(f"{than} or {with_article(word)} one", noun, noun)

    def _modifiers(self, parts: Sequence[FieldTest], thing: Referent | None) -> Iterator[str]:
        for test in parts:
            operand = test.operands[0]
            part = self.referents.get(operand.name) if isinstance(operand, Name) else None
            if part is not None and thing is not None and part.owner is thing and test.comparator == "equal":
                continue
            if test.part == "suit":
                yield self._suit_modifier(test, part)
            elif test.part == "rank":
                yield self._rank_modifier(test, part)

    def _suit_modifier(self, test: FieldTest, suit: Referent | None) -> str:
        if suit is None:
            said = joined(
                (value_said(each, PLAIN_TYPES["suit"]) for each in test.operands if isinstance(each, Literal)), "or"
            )
            return f"not of {said}" if test.comparator == "not" else f"of {said}"
        if test.comparator == "not":
            return "of another suit" if suit.said or suit.owner else f"not of {self.mention(suit).full}"
        return self._of_suit(suit)

    def _rank_modifier(self, test: FieldTest, rank: Referent | None) -> str:
        operand = test.operands[0]
        if isinstance(operand, Literal):
            said = joined(
                (value_said(each, PLAIN_TYPES["rank"]) for each in test.operands if isinstance(each, Literal)), "or"
            )
            word = {"equal": "of the rank of", "one_of": "of the rank of", "not": "other than"}.get(test.comparator)
            return f"{word or _HIGHER[test.comparator]} {said}"
        if rank is not None and rank.owner is not None:
            than = self.mention(rank.owner).full
            if test.comparator == "not":
                return f"of another rank than {than}"
            return f"of the same rank as {than}" if test.comparator == "equal" else f"{_HIGHER[test.comparator]} {than}"
        than = self.operand(operand, PLAIN_TYPES["rank"])
        word = {"equal": "of", "not": "of a rank other than"}.get(test.comparator)
        return f"{word} {than}" if word else f"{_HIGHER[test.comparator]} {than}"
