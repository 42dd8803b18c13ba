"""Noun phrases for the things a rule speaks of: "a card", "another card", "the player's partner", "the first trick"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bridgelaws.lawbook.clauses import FieldTest, Literal, Name, Operand, Pattern
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType
from bridgelaws.lawbook.vocabulary import Field, Kind, Vocabulary, placeholders

_NOUNS = {"seat": "player", "rank": "rank", "card": "card", "suit": "suit", "side": "side", "yes_no": "answer"}
_LABELS = {"left": "left-hand opponent", "right": "right-hand opponent"}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_COMPARED = {"above": "later", "at_least": "later", "below": "earlier", "at_most": "earlier"}
_RANKS = "two three four five six seven eight nine ten jack queen king ace".split()
_HIGHER = {"above": "higher than", "below": "lower than", "at_least": "no lower than", "at_most": "no higher than"}
_MORE = {"above": "more than", "below": "fewer than", "at_least": "at least", "at_most": "at most"}
_AFTER = {"above": "after", "below": "before", "at_least": "not before", "at_most": "not after"}


@dataclass(frozen=True)
class Phrase:
    """Something said: with its article, without it, its mere noun, what it is a part of, and what more it is.

    `literal` if it is a value said aloud.
    """

    full: str
    bare: str = ""
    noun: str = ""
    whole: str = ""
    after: str = ""
    literal: bool = False


@dataclass(eq=False)
class Referent:
    """One thing that a rule speaks of. With an `owner` it is first called "the owner's noun"."""

    type: str
    noun: str
    owner: Referent | None = None
    article: str = "a"
    other_than: str = ""
    compared: str = ""
    local: bool = False
    said: bool = False
    place: int = 0


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def joined(texts: Iterable[str], word: str = "and") -> str:
    """`a, b and c`."""
    listed = list(texts)
    return f"{', '.join(listed[:-1])} {word} {listed[-1]}" if len(listed) > 1 else "".join(listed)


def alternatives(texts: Sequence[str]) -> str:
    """`a, b or c`; phrases of several words, which may hold commas of their own, are each set off by an "or"."""
    return ", or ".join(texts) if any(text.count(" ") > 2 for text in texts) else joined(texts, "or")


def label(name: str) -> str:
    """A field's name as words."""
    return _LABELS.get(name, name.replace("_", " "))


def shown_fields(kind: Kind) -> set[str]:
    """The fields that the kind's announcement says."""
    named = {name for template in kind.say.templates.values() for name in placeholders(template) if name}
    return named | ({kind.say.by} if kind.say.by else set())


def part_type(kind: Kind, test: FieldTest) -> FieldType:
    whole = kind.fields[test.field].type
    return PLAIN_TYPES[whole.parts[test.part][0]] if test.part else whole


def value_said(operand: Literal, kind: FieldType, *, article: bool = False) -> str:
    """A value as a sentence says it: as announcements do, but a rank in words."""
    if kind.name == "rank" and isinstance(operand.value, int):
        return f"the {_RANKS[operand.value - 2]}"
    return kind.say(operand.value, article=article)


@dataclass
class Speaker:
    """What has been said so far in one rule, so that the next mention of a thing is the right one."""

    vocabulary: Vocabulary
    referents: dict[str, Referent] = field(default_factory=dict)
    unnamed: dict[tuple[Pattern, str], Referent] = field(default_factory=dict)
    owned: set[tuple[Referent, Referent]] = field(default_factory=set)
    concluding: bool = False

    def introduce(self, patterns: Sequence[Pattern], *, local: bool = False) -> None:
        """Get to know the variables of these patterns before anything is said of them."""
        before = {*self.referents.values(), *self.unnamed.values()}
        for relations in (True, False):
            for pattern in patterns:
                kind = self.vocabulary[pattern.kind]
                if is_copula(kind):
                    self._subject(pattern, kind)
                if is_copula(kind) or not relations:
                    for test in pattern.tests:
                        self._introduce(pattern, kind, test)
        for thing in {*self._all()} - before:
            thing.local = local

    def _introduce(self, pattern: Pattern, kind: Kind, test: FieldTest) -> None:
        name = variable(test)
        if name is None or name in self.referents:
            return
        type_of = part_type(kind, test)
        if test.part:
            owner = self._whole(pattern, kind, test.field)
            self.referents[name] = Referent(type_of.name, test.part, owner)
            return
        made = Referent(type_of.name, _noun(type_of, kind.fields[test.field], name))
        role = self._role(pattern, kind, test.field, name)
        if role:
            made.noun, made.article = role.removeprefix("a "), "a" if role.startswith("a ") else ""
        elif test.field not in shown_fields(kind) and (is_copula(kind) or type_of.name not in ("seat", "count")):
            made.noun = label(test.field)
            made.owner = self._subject(pattern, kind) if is_copula(kind) else None
            made.article = "the"
        for other in pattern.tests:
            if other.field == test.field and other.part == test.part and isinstance(other.operands[0], Name):
                if other.comparator == "not":
                    made.other_than = other.operands[0].name
                elif other.comparator in _COMPARED:
                    made.compared = _COMPARED[other.comparator]
        self.referents[name] = made

    def _whole(self, pattern: Pattern, kind: Kind, label_of: str) -> Referent:
        """The card of which a part has a name: itself named, or known only from here."""
        for test in pattern.tests:
            name = variable(test)
            if test.field == label_of and not test.part and name is not None:
                self._introduce(pattern, kind, test)
                return self.referents[name]
        type_of = kind.fields[label_of].type
        noun = _noun(type_of, kind.fields[label_of], "")
        article = "a" if label_of in shown_fields(kind) else "the"
        return self.unnamed.setdefault((pattern, label_of), Referent(type_of.name, noun, article=article))

    def _subject(self, pattern: Pattern, kind: Kind) -> Referent | None:
        shown = shown_fields(kind)
        for test in pattern.tests:
            name = variable(test)
            if name and test.field in shown and kind.fields[test.field].type.name == "seat":
                self._introduce(pattern, kind, test)
                return self.referents[name]
        role = self._role(pattern, kind, next(iter(kind.fields)), "") if is_copula(kind) else ""
        if not role:
            return None
        made = Referent("seat", role.removeprefix("a "), article="a" if role.startswith("a ") else "")
        return self.unnamed.setdefault((pattern, next(iter(kind.fields))), made)

    def _role(self, pattern: Pattern, kind: Kind, seat: str, name: str) -> str:
        """`a defender` for a player who is known by his role from this pattern or by his name in the rule."""
        roles = self.roles
        if roles is None or kind.fields[seat].type.name != "seat":
            return ""
        if not is_copula(kind) or seat == next(iter(kind.fields)):
            for test in pattern.tests:
                operand = test.operands[0]
                if is_role(kind.fields[test.field], roles) and test.comparator == "equal" and isinstance(operand, Literal):
                    return roles.phrases[str(operand.value)]
        return roles.phrases.get(name, "")

    @property
    def roles(self) -> FieldType | None:
        """The roles that a player can have: the values of the kind that says only who is what."""
        return next((kind.fields[_COPULA[1]].type for kind in self.vocabulary.kinds.values() if is_copula(kind)), None)

    def named(self, name: str) -> Phrase:
        found = self.referents.get(name)
        return self.mention(found) if found else Phrase(name.replace("_", " "))

    def mention(self, thing: Referent) -> Phrase:
        """The thing as it is called at this point."""
        alike = [each for each in self._all() if each.noun == thing.noun and not each.owner and each.article == "a"]
        if thing.owner is None and thing.article == "":
            full, bare = thing.noun, thing.noun
        elif thing.owner is not None or thing.article == "the":
            bare = thing.noun
            if thing.said or (thing.owner is None):
                full = f"{'that' if thing.type in ('suit', 'side', 'rank') and thing.said else 'the'} {bare}"
            else:
                full = f"{possessive(self.mention(thing.owner).full)} {bare}"
        elif thing.said:
            bare = self._distinguished(thing, alike)
            full = f"{'that' if thing.local and bare == thing.noun else 'the'} {bare}"
        else:
            thing.place = 1 + sum(each.said for each in alike)
            full, bare = self._first(thing, alike), thing.noun
        thing.said = True
        whole = self.mention(thing.owner).full if thing.owner and thing.owner.said else ""
        return Phrase(full, bare, thing.noun, whole)

    def _all(self) -> Iterator[Referent]:
        yield from self.referents.values()
        yield from self.unnamed.values()

    def _first(self, thing: Referent, alike: Sequence[Referent]) -> str:
        other = self.referents.get(thing.other_than)
        if other is not None and other.said and other.noun == thing.noun:
            return f"another {thing.noun}"
        if self.concluding and thing.type == "seat":
            return f"every {thing.noun}"
        if thing.place > 1 and not thing.local and not thing.compared:
            return f"a {ORDINALS[min(thing.place, len(ORDINALS)) - 1]} {thing.noun}"
        return with_article(thing.noun)

    def _distinguished(self, thing: Referent, alike: Sequence[Referent]) -> str:
        rivals = [each for each in alike if not each.local] if not thing.local else [thing]
        if len(rivals) < 2:
            return thing.noun
        if thing.compared:
            return f"{thing.compared} {thing.noun}"
        if len(rivals) == 2 and any(each.other_than or each.compared for each in rivals):
            return f"other {thing.noun}" if thing.other_than and thing.place > 1 else f"first {thing.noun}"
        return f"{ORDINALS[min(thing.place, len(ORDINALS)) - 1]} {thing.noun}"

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
            said = f"card {self._of_suit(thing)}".strip()
            return Phrase(f"a {said}", said, "card")
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
        if suit.owner is not None and suit.owner.said and sum(each.type == "suit" for each in self._all()) == 1:
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
        noun = thing.noun if thing else _noun(type_of, of, "")
        others = [test for test in rest if test.comparator == "not"]
        compared = [test for test in rest if test.comparator in _AFTER]
        if known and thing is not None:
            start = self.mention(thing)
        elif thing is not None and not (others and noun == type_of.name):
            start = self.mention(thing)
        elif others:
            rivals = [self.operand(test.operands[0], type_of) for test in others]
            if thing is not None:
                self.mention(thing)
            start = Phrase(f"another {noun}", f"other {noun}", noun)
            if len({*rivals}) > 1:
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
        word = _COMPARED[test.comparator]
        if type_of.name == "rank":
            return Phrase(f"a rank {_HIGHER[test.comparator]} {than}", noun, noun)
        if rival is None and noun != "trick":
            return Phrase(f"{_MORE[test.comparator]} {than} {noun}", noun, noun)
        if rival is None:
            return Phrase(f"{with_article(noun)} {_AFTER[test.comparator]} {noun} {than}", noun, noun)
        tricks = [each for each in self._all() if each.noun == noun and each.said and each is not thing]
        if test.comparator in ("above", "below") and len(tricks) == 1:
            return Phrase(with_article(f"{word} {noun}"), f"{word} {noun}", noun)
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
            said = joined((value_said(each, PLAIN_TYPES["suit"]) for each in test.operands if isinstance(each, Literal)), "or")
            return f"not of {said}" if test.comparator == "not" else f"of {said}"
        if test.comparator == "not":
            return "of another suit" if suit.said or suit.owner else f"not of {self.mention(suit).full}"
        return self._of_suit(suit)

    def _rank_modifier(self, test: FieldTest, rank: Referent | None) -> str:
        operand = test.operands[0]
        if isinstance(operand, Literal):
            said = joined((value_said(each, PLAIN_TYPES["rank"]) for each in test.operands if isinstance(each, Literal)), "or")
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


_COPULA = ("seat", "role")


def is_copula(kind: Kind) -> bool:
    """Whether the kind says only who is what, `{seat} is {role}`: then it gives a thing its name."""
    return tuple(kind.say.templates.values()) == ("{seat} is {role}",)


def is_role(of: Field, roles: FieldType) -> bool:
    return of.type.name == "one_of" and of.type.phrases == roles.phrases


def variable(test: FieldTest) -> str | None:
    """The variable that gets its value, or has it, in this test."""
    operand = test.operands[0]
    return operand.name if test.comparator == "equal" and isinstance(operand, Name) else None


def possessive(text: str) -> str:
    return f"{text}'" if text.endswith("s") else f"{text}'s"


def _noun(type_of: FieldType, of: Field, name: str) -> str:
    if type_of.name == "count":
        return "trick" if "trick" in (of.name, name) or of.name == "since" else label(of.name)
    return _NOUNS.get(type_of.name, label(of.name))
