"""The things a rule speaks of, and what each is called: "a card", then "the card", or "the player's partner"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bridgelaws.lawbook.clauses import FieldTest, Literal, Name, Pattern
from bridgelaws.lawbook.types import PLAIN_TYPES, FieldType
from bridgelaws.lawbook.vocabulary import Field, Kind, Vocabulary, placeholders

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
NUMBER = "number"

_LATER = {"above": "later", "at_least": "later", "below": "earlier", "at_most": "earlier"}
_LARGER = {"above": "larger", "at_least": "larger", "below": "smaller", "at_most": "smaller"}
# Counts that say how many, where the others say which trick.
_HOW_MANY = ("tricks", "of", "least", "most", "alone", "at_most", "next")

_NOUNS = {"seat": "player", "rank": "rank", "card": "card", "suit": "suit", "side": "side", "yes_no": "answer"}
_LABELS = {"left": "left-hand opponent", "right": "right-hand opponent"}
_COPULA = ("seat", "role")


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


@dataclass
class Discourse:
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
        for thing in {*self.everything()} - before:
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
        made = Referent(type_of.name, noun_of(type_of, kind.fields[test.field], name))
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
                elif other.comparator in _LATER:
                    made.compared = comparing_word(other.comparator, made.noun)
        self.referents[name] = made

    def _whole(self, pattern: Pattern, kind: Kind, label_of: str) -> Referent:
        """The card of which a part has a name: itself named, or known only from here."""
        for test in pattern.tests:
            name = variable(test)
            if test.field == label_of and not test.part and name is not None:
                self._introduce(pattern, kind, test)
                return self.referents[name]
        type_of = kind.fields[label_of].type
        noun = noun_of(type_of, kind.fields[label_of], "")
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
                if (
                    is_role(kind.fields[test.field], roles)
                    and test.comparator == "equal"
                    and isinstance(operand, Literal)
                ):
                    return roles.phrases[str(operand.value)]
        return roles.phrases.get(name, "")

    @property
    def roles(self) -> FieldType | None:
        """The roles that a player can have: the values of the kind that says only who is what."""
        return next((kind.fields[_COPULA[1]].type for kind in self.vocabulary.kinds.values() if is_copula(kind)), None)

    def mention(self, thing: Referent) -> Phrase:
        """The thing as it is called at this point."""
        alike = [
            each for each in self.everything() if each.noun == thing.noun and not each.owner and each.article == "a"
        ]
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
            full, bare = self._first(thing), thing.noun
        thing.said = True
        whole = self.mention(thing.owner).full if thing.owner and thing.owner.said else ""
        return Phrase(full, bare, thing.noun, whole)

    def everything(self) -> Iterator[Referent]:
        yield from self.referents.values()
        yield from self.unnamed.values()

    def _first(self, thing: Referent) -> str:
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


def comparing_word(comparator: str, noun: str) -> str:
    """`later` for tricks, `larger` for numbers."""
    return (_LARGER if noun == NUMBER else _LATER)[comparator]


def noun_of(type_of: FieldType, of: Field, name: str) -> str:
    if type_of.name == "count" and of.name in _HOW_MANY:
        return NUMBER
    if type_of.name == "count":
        return "trick" if "trick" in (of.name, name) or of.name == "since" else label(of.name)
    return _NOUNS.get(type_of.name, label(of.name))
