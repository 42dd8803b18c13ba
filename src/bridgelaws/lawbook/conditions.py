"""Patterns as clauses of a sentence, made from how the vocabulary says each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bridgelaws.lawbook.clauses import FieldTest, Literal, Name, Pattern
from bridgelaws.lawbook.phrases import Speaker
from bridgelaws.lawbook.referents import (
    ORDINALS,
    Phrase,
    Referent,
    alternatives,
    is_copula,
    is_role,
    joined,
    label,
    part_type,
    possessive,
    variable,
    with_article,
)
from bridgelaws.lawbook.templates import answer_field, filled, trimmed, with_the_rest
from bridgelaws.lawbook.types import FieldType
from bridgelaws.lawbook.vocabulary import Field, Kind, Vocabulary
from bridgelaws.located import scalar_text

_OWNED = re.compile(r"(?<!the exposed )\{(card)\} of \{player\}(?!')")
_OWNERS = re.compile(r"\{(player)\}'s \{(card)\}")


class Conditions:
    """Tells the conditions and exceptions of one rule, in order."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.speaker = Speaker(vocabulary)

    def exception(self, patterns: Sequence[Pattern]) -> str:
        known = dict(self.speaker.referents)
        self.speaker.introduce(patterns, local=True)
        unnamed = dict(self.speaker.unnamed)
        texts = [text for pattern in patterns for text in self.condition(pattern)]
        if not texts:
            texts = [self._naming(pattern) for pattern in patterns]
        self.speaker.referents, self.speaker.unnamed = known, unnamed
        return " and ".join(texts)

    def said_apart(self, pattern: Pattern) -> str:
        """A pattern as a clause, also if all it does is to call a player by his role; empty if it only names things."""
        texts = self.condition(pattern)
        if not texts and any(test.field == "role" for test in pattern.tests):
            texts = [self._naming(pattern)]
        return " and ".join(texts)

    def condition(self, pattern: Pattern) -> list[str]:
        """A pattern as clauses; none if all it does is give a thing its name."""
        kind = self.vocabulary[pattern.kind]
        if is_copula(kind):
            return self._copula(pattern, kind)
        text = self._choice(pattern, kind) if kind.source == "choice" else self._said(pattern, kind)
        extras = list(self._extras(pattern, kind))
        self._remember_owner(pattern, kind)
        return [text, *extras]

    def _naming(self, pattern: Pattern) -> str:
        role = next(test for test in pattern.tests if test.field == "role")
        named = any(test.field == "seat" for test in pattern.tests)
        return self._relation(
            self._subject(pattern) if named else Phrase("someone"), role, self.vocabulary[pattern.kind]
        )

    def _copula(self, pattern: Pattern, kind: Kind) -> list[str]:
        texts: list[str] = []
        for test in pattern.tests:
            name = variable(test)
            other = test.comparator == "not" and isinstance(test.operands[0], Name)
            if test.field == "seat" and (name or other):
                continue
            if test.field == "role" and self._names_role(pattern, test):
                continue
            if name is not None and self._defines(pattern, kind, test):
                continue
            texts.append(self._relation(self._subject(pattern), test, kind))
        return texts

    def _subject(self, pattern: Pattern) -> Phrase:
        seat = next((variable(each) for each in pattern.tests if each.field == "seat"), None)
        found = self.speaker.referents.get(seat) if seat else self.speaker.unnamed.get((pattern, "seat"))
        return self.speaker.mention(found) if found else self.speaker.phrase(pattern, "seat")

    def _pair(self, pattern: Pattern, kind: Kind) -> tuple[Referent, Referent] | None:
        """The card and the player of a pattern that names both."""
        names = {test.field: variable(test) for test in pattern.tests if not test.part and variable(test)}
        card = next((name for name in names if kind.fields[name].type.name == "card"), "")
        player = names.get("player") if kind.fields.get("player") else None
        things = self.speaker.referents
        if not card or not player or kind.fields["player"].type.name != "seat":
            return None
        return things[str(names[card])], things[player]

    def _both_new(self, pattern: Pattern, kind: Kind) -> bool:
        """Whether a card and its player both come up for the first time: "a player's card"."""
        pair = self._pair(pattern, kind)
        return pair is not None and not (pair[0].said or pair[1].said)

    def _remember_owner(self, pattern: Pattern, kind: Kind) -> None:
        pair = self._pair(pattern, kind)
        if pair:
            self.speaker.owned.add(pair)

    def _names_role(self, pattern: Pattern, test: FieldTest) -> bool:
        """Whether the player's own name already says the role that the test asks for."""
        seat = next((variable(each) for each in pattern.tests if each.field == "seat"), None)
        found = self.speaker.referents.get(seat) if seat else self.speaker.unnamed.get((pattern, "seat"))
        roles = self.speaker.roles
        literal = test.operands[0]
        if found is None or roles is None or test.comparator != "equal" or not isinstance(literal, Literal):
            return False
        return found.owner is None and roles.phrases[str(literal.value)].removeprefix("a ") == found.noun

    def _defines(self, pattern: Pattern, kind: Kind, test: FieldTest) -> bool:
        """Whether the variable is called by this very relation, or by its role, so that nothing more need be said."""
        name = variable(test)
        seat = next((variable(each) for each in pattern.tests if each.field == "seat"), None)
        owner = self.speaker.referents.get(seat) if seat else self.speaker.unnamed.get((pattern, "seat"))
        if name is None or owner is None:
            return False
        thing = self.speaker.referents[name]
        if thing.owner is None:
            return thing.article == "" and kind.fields[test.field].type.name == "seat"
        return thing.owner is owner and thing.noun == label(test.field)

    def _relation(self, who: Phrase, test: FieldTest, kind: Kind) -> str:
        type_of = part_type(kind, test)
        said = joined((self.speaker.operand(each, type_of) for each in test.operands), "or")
        verb = {"not": "is not", "above": "is above", "below": "is below"}.get(test.comparator, "is")
        if test.field == "role":
            return f"{who.full} {verb} {said}"
        return f"{possessive(who.full)} {label(test.field)} {verb} {said}"

    def templates(self, pattern: Pattern, kind: Kind) -> list[str]:
        """How the kind is said for each value that the pattern allows."""
        by = kind.say.by
        if not by:
            return list(kind.say.templates.values())
        allowed = [scalar_text(value) for value in kind.fields[by].type.domain]
        for test in pattern.tests:
            if test.field == by and all(isinstance(each, Literal) for each in test.operands):
                values = [scalar_text(each.value) for each in test.operands if isinstance(each, Literal)]
                allowed = [each for each in allowed if (each in values) != (test.comparator == "not")]
        return [kind.say.templates[value] for value in allowed]

    def _said(self, pattern: Pattern, kind: Kind) -> str:
        return joined(dict.fromkeys(self._filled(each, pattern, kind) for each in self.templates(pattern, kind)), "or")

    def _filled(self, template: str, pattern: Pattern, kind: Kind) -> str:
        answers = {
            test.field: test.operands[0].value
            for test in pattern.tests
            if test.comparator == "equal" and isinstance(test.operands[0], Literal)
        }
        tested = {test.field for test in pattern.tests} | self._role_seats(pattern, kind)
        return self.fill(trimmed(template, kind, tested, answers), pattern, kind)

    def fill(self, text: str, pattern: Pattern, kind: Kind) -> str:
        """The template with its phrases; a card that is known to be the player's is not said to be his again."""
        pair = self._pair(pattern, kind)
        if pair in self.speaker.owned:
            text = _OWNED.sub(r"{\1}", _OWNERS.sub(r"{\2}", text))
        elif self._both_new(pattern, kind):
            text = _OWNED.sub(r"{player}'s {\1}", text)
        else:
            text = _OWNERS.sub(r"{\2} of {\1}", text)
        return filled(text, self.phrases(pattern, kind))

    def _role_seats(self, pattern: Pattern, kind: Kind) -> set[str]:
        """The seat of which a pattern tells the role: `won_by: dummy` is about the player."""
        roles = self.speaker.roles
        if roles is None or not any(is_role(kind.fields[test.field], roles) for test in pattern.tests):
            return set()
        return {next(name for name, each in kind.fields.items() if each.type.name == "seat")}

    def phrases(self, pattern: Pattern, kind: Kind) -> Callable[[str, bool], Phrase | None]:
        def phrase(name: str, article: bool) -> Phrase | None:
            if name not in kind.fields:
                return None
            if name == "position":
                return Phrase(self._place(pattern), literal=True)
            roles = self.speaker.roles
            seat = kind.fields[name].type.name == "seat"
            if seat and roles is not None and not any(test.field == name for test in pattern.tests):
                for test in pattern.tests:
                    operand = test.operands[0]
                    if is_role(kind.fields[test.field], roles) and isinstance(operand, Literal):
                        said = joined(
                            (roles.phrases[str(each.value)] for each in test.operands if isinstance(each, Literal)),
                            "or",
                        )
                        return Phrase(said if test.comparator != "not" else f"a player other than {said}", literal=True)
            return self.speaker.phrase(pattern, name, article=article)

        return phrase

    def _place(self, pattern: Pattern) -> str:
        """Where in a trick a card lies: "in first place", "in a later place"."""
        for test in pattern.tests:
            if test.field != "position" or variable(test):
                continue
            operand = test.operands[0]
            word = {"above": "later", "below": "earlier"}.get(test.comparator, "")
            if isinstance(operand, Name):
                return f"in {with_article(word or 'certain')} place"
            place = f"{ORDINALS[int(operand.value) - 1]} place"
            return f"in {place}" if not word else f"after {place}" if word == "later" else f"before {place}"
        return ""

    def _choice(self, pattern: Pattern, kind: Kind) -> str:
        chooser = filled(kind.chooser, self.phrases(pattern, kind))
        templates = self.templates(pattern, kind)
        if kind.say.by and len(templates) == len(kind.say.templates):
            about = joined(self.speaker.phrase(pattern, name).full for name in kind.about)
            return f"{chooser} has made the choice about {about}"
        tested = {test.field for test in pattern.tests} - _names("".join(templates))
        when = filled(with_the_rest("", kind, tested), self.phrases(pattern, kind))
        chosen = joined((infinitive(template, self._filled(template, pattern, kind)) for template in templates), "or")
        return " ".join(filter(None, (chooser, "chose", when, chosen)))

    def _extras(self, pattern: Pattern, kind: Kind) -> Iterator[str]:
        """What a pattern tests that the announcement of its kind does not say."""
        roles = self.speaker.roles
        said = set().union(
            *(_names(trimmed(each, kind, set(kind.fields), {})) for each in self.templates(pattern, kind))
        )
        said |= {answer_field(each) for each in self.templates(pattern, kind)}
        said |= _names(kind.chooser) | ({kind.say.by} if kind.say.by else set())
        if kind.say.by and kind.source == "choice" and len(self.templates(pattern, kind)) == len(kind.say.templates):
            said |= set(kind.about)
        for test in pattern.tests:
            of = kind.fields[test.field]
            name = variable(test)
            if test.part and name is not None and of.optional and test.field not in said:
                yield f"the {label(of.name)} is given"
            if test.field in said or (test.part and name is not None) or (roles is not None and is_role(of, roles)):
                continue
            thing = self.speaker.referents.get(name) if name else None
            if thing is not None and thing.noun == label(test.field) and thing.article == "the":
                if of.optional:
                    yield f"the {label(of.name)} is given"
                continue
            if of.type.name in ("seat", "count") and not test.part:
                continue
            yield self._extra(kind, of, test)

    def _extra(self, kind: Kind, of: Field, test: FieldTest) -> str:
        type_of = part_type(kind, test)
        values = [self.speaker.operand(each, type_of) for each in test.operands]
        said = alternatives([f"“{each}”" if of.ask and of.type.name == "one_of" else each for each in values])
        if of.ask and not test.part and of.type.name in ("yes_no", "one_of"):
            return f"the answer to “{of.ask}” is {'not ' if test.comparator == 'not' else ''}{said}"
        if of.means and of.type.name == "yes_no":
            meant = of.means[:1].lower() + of.means[1:]
            return meant if said == "yes" else f"it is not so that {meant}"
        if of.type.name == "yes_no":
            return f"“{label(of.name)}” is {said}"
        if _any_value(test, type_of):
            return f"the {label(of.name)} is given"
        verb = {"not": "is not", "above": "is above", "below": "is below", "at_least": "is at least"}
        part = f"{label(of.name)}'s {test.part}" if test.part else label(of.name)
        return f"the {part} {verb.get(test.comparator, 'is')} {said}"


def _any_value(test: FieldTest, type_of: FieldType) -> bool:
    """Whether the test only asks that there be a value."""
    values = {each.value for each in test.operands if isinstance(each, Literal)}
    return values == {*type_of.domain} or (test.comparator == "at_least" and values == {type_of.domain[0]})


def _names(template: str) -> set[str]:
    return {found[1] for found in re.finditer(r"\{(\w+)[^{}]*\}", template)}


def infinitive(template: str, text: str) -> str:
    """An order becomes what someone chooses to do; a statement, what he chooses to be so."""
    if template.startswith("{"):
        return f"that {text}"
    return f"not to {text[7:]}" if text.startswith("do not ") else f"to {text}"
