"""A rule in plain sentences, made from its YAML and from how the vocabulary says each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridgelaws.engine.program import Fact
from bridgelaws.lawbook.clauses import Conclusion, FieldTest, LawRule, Literal, Name, Pattern
from bridgelaws.lawbook.phrases import (
    Phrase,
    Speaker,
    is_copula,
    is_role,
    joined,
    label,
    part_type,
    possessive,
    shown_fields,
    variable,
)
from bridgelaws.lawbook.templates import filled, trimmed
from bridgelaws.lawbook.vocabulary import Field, Kind, Vocabulary
from bridgelaws.located import scalar_text


@dataclass(frozen=True)
class Sentence:
    """A rule as it reads: its conditions, what follows, and its exceptions, each of which stands alone."""

    name: str
    when: str
    then: str
    unless: tuple[str, ...]

    @property
    def main(self) -> str:
        """The rule without its exceptions and without a full stop."""
        return f"When {self.when}, then {self.then}" if self.when else self.then[:1].upper() + self.then[1:]

    @property
    def text(self) -> str:
        exceptions = ", or ".join(f"unless {each}" for each in self.unless)
        return f"{self.main}{', ' if exceptions else ''}{exceptions}."


def rule_sentence(rule: LawRule, vocabulary: Vocabulary) -> Sentence:
    """The rule in plain words."""
    teller = _Teller(vocabulary)
    teller.speaker.introduce(rule.when)
    conditions = [text for pattern in rule.when if (text := teller.condition(pattern))]
    teller.speaker.concluding = True
    then = teller.conclusions(rule)
    teller.speaker.concluding = False
    exceptions = tuple(teller.exception(patterns) for patterns in rule.unless)
    return Sentence(rule.name, _conditions(conditions), then, exceptions)


def fact_sentence(fact: Fact, vocabulary: Vocabulary) -> str:
    """A fact that was reported or chosen, in the same words; what nobody said of it is left out."""
    values = vocabulary[fact.kind].values(fact)
    tests = tuple(FieldTest(name, "", "equal", (Literal(value),), ()) for name, value in values.items() if value is not None)
    return _Teller(vocabulary).condition(Pattern(fact.kind, tests, ())) or fact.kind.replace("_", " ")


def _conditions(texts: Sequence[str]) -> str:
    return " and ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])}, and {texts[-1]}"


class _Teller:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.speaker = Speaker(vocabulary)

    def exception(self, patterns: Sequence[Pattern]) -> str:
        known = dict(self.speaker.referents)
        self.speaker.introduce(patterns, local=True)
        texts = [text for pattern in patterns if (text := self.condition(pattern, told=True))]
        self.speaker.referents = known
        return " and ".join(texts)

    def condition(self, pattern: Pattern, *, told: bool = False) -> str:
        """A pattern as a clause; nothing if all it does is give a thing its name, unless that must be `told`."""
        kind = self.vocabulary[pattern.kind]
        if is_copula(kind):
            return self._copula(pattern, kind, told)
        text = self._choice(pattern, kind) if kind.source == "choice" else self._said(pattern, kind)
        return " and ".join([text, *self._extras(pattern, kind)])

    def _copula(self, pattern: Pattern, kind: Kind, told: bool) -> str:
        subject = self.speaker.phrase(pattern, "seat") if told else None
        texts: list[str] = []
        for test in pattern.tests:
            name = variable(test)
            given = self.speaker.referents.get(name) if name else None
            if test.field == "seat" and name:
                continue
            if test.field == "role" and not told and self._names_role(pattern, test):
                continue
            if given is not None and not given.local and self._defines(pattern, kind, test):
                continue
            who = subject or self.speaker.phrase(pattern, "seat")
            subject = self.speaker.phrase(pattern, "seat")
            texts.append(self._relation(who, test, kind))
        return " and ".join(texts)

    def _names_role(self, pattern: Pattern, test: FieldTest) -> bool:
        """Whether the player's own name already says the role that the test asks for."""
        seat = next((variable(each) for each in pattern.tests if each.field == "seat"), None)
        found = self.speaker.referents.get(seat) if seat else None
        roles = self.speaker.roles
        literal = test.operands[0]
        if found is None or roles is None or test.comparator != "equal" or not isinstance(literal, Literal):
            return False
        return found.owner is None and roles.phrases[str(literal.value)].removeprefix("a ") == found.noun

    def _defines(self, pattern: Pattern, kind: Kind, test: FieldTest) -> bool:
        """Whether the variable is called by this very relation, or by its role, so that nothing more need be said."""
        name = variable(test)
        seat = next((variable(each) for each in pattern.tests if each.field == "seat"), None)
        if name is None or seat is None:
            return False
        thing = self.speaker.referents[name]
        owner = self.speaker.referents.get(seat)
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

    def _templates(self, pattern: Pattern, kind: Kind) -> list[str]:
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
        return joined(dict.fromkeys(self._filled(each, pattern, kind) for each in self._templates(pattern, kind)), "or")

    def _filled(self, template: str, pattern: Pattern, kind: Kind) -> str:
        answers = {
            test.field: test.operands[0].value
            for test in pattern.tests
            if test.comparator == "equal" and isinstance(test.operands[0], Literal)
        }
        tested = {test.field for test in pattern.tests} | self._role_seats(pattern, kind)
        return filled(trimmed(template, kind, tested, answers), self._phrases(pattern, kind))

    def _role_seats(self, pattern: Pattern, kind: Kind) -> set[str]:
        """The seat of which a pattern tells the role: `won_by: dummy` is about the player."""
        roles = self.speaker.roles
        if roles is None or not any(is_role(kind.fields[test.field], roles) for test in pattern.tests):
            return set()
        return {next(name for name, each in kind.fields.items() if each.type.name == "seat")}

    def _phrases(self, pattern: Pattern, kind: Kind) -> Callable[[str, bool], Phrase | None]:
        def phrase(name: str, article: bool) -> Phrase | None:
            if name not in kind.fields:
                return None
            roles = self.speaker.roles
            seat = kind.fields[name].type.name == "seat"
            if seat and roles is not None and not any(test.field == name for test in pattern.tests):
                for test in pattern.tests:
                    operand = test.operands[0]
                    if is_role(kind.fields[test.field], roles) and isinstance(operand, Literal):
                        said = joined((roles.phrases[str(each.value)] for each in test.operands if isinstance(each, Literal)), "or")
                        return Phrase(said if test.comparator != "not" else f"a player other than {said}", literal=True)
            return self.speaker.phrase(pattern, name, article=article)

        return phrase

    def _choice(self, pattern: Pattern, kind: Kind) -> str:
        chooser = filled(kind.chooser, self._phrases(pattern, kind))
        templates = self._templates(pattern, kind)
        if kind.say.by and len(templates) == len(kind.say.templates):
            about = joined(self.speaker.phrase(pattern, name).full for name in kind.about)
            return f"{chooser} has made the choice about {about}"
        chosen = joined((_infinitive(template, self._filled(template, pattern, kind)) for template in templates), "or")
        return f"{chooser} chose {chosen}"

    def _extras(self, pattern: Pattern, kind: Kind) -> Iterator[str]:
        """What a pattern tests that the announcement of its kind does not say."""
        roles = self.speaker.roles
        said = set().union(*(_names(trimmed(each, kind, set(kind.fields), {})) for each in self._templates(pattern, kind)))
        said |= _names(kind.chooser) | ({kind.say.by} if kind.say.by else set())
        if kind.say.by and kind.source == "choice" and len(self._templates(pattern, kind)) == len(kind.say.templates):
            said |= set(kind.about)
        for test in pattern.tests:
            of = kind.fields[test.field]
            name = variable(test)
            if test.field in said or (test.part and name is not None) or (roles is not None and is_role(of, roles)):
                continue
            thing = self.speaker.referents.get(name) if name else None
            if thing is not None and thing.noun == label(test.field) and thing.article == "the":
                continue
            if of.type.name in ("seat", "count") and not test.part:
                continue
            yield self._extra(pattern, kind, of, test)

    def _extra(self, pattern: Pattern, kind: Kind, of: Field, test: FieldTest) -> str:
        del pattern
        if of.type.name == "yes_no" and isinstance(test.operands[0], Literal):
            answer = "yes" if test.operands[0].value is (test.comparator != "not") else "no"
            return f"the answer to “{of.ask}” is {answer}" if of.ask else f"{label(of.name)} is {answer}"
        type_of = part_type(kind, test)
        said = joined((self.speaker.operand(each, type_of) for each in test.operands), "or")
        verb = {"not": "is not", "above": "is above", "below": "is below", "at_least": "is at least"}
        part = f"{label(of.name)}'s {test.part}" if test.part else label(of.name)
        return f"the {part} {verb.get(test.comparator, 'is')} {said}"

    def conclusions(self, rule: LawRule) -> str:
        texts = [*self._merged(rule.then), *self._offers(rule.offer), *(self._ask(each) for each in rule.ask)]
        return "; and ".join(texts) if any(";" in each for each in texts) else joined(texts)

    def _merged(self, conclusions: Sequence[Conclusion]) -> Iterator[str]:
        """Three or more that differ only in what they begin with become one: "each of A, B and C is …"."""
        if len(conclusions) > 2 and len({(each.kind, each.force, tuple(each.fields)[1:]) for each in conclusions}) == 1:
            kind = self.vocabulary[conclusions[0].kind]
            texts = [self._filled(next(iter(kind.say.templates.values())), _as_pattern(each), kind) for each in conclusions]
            firsts = [self.speaker.phrase(_as_pattern(each), next(iter(each.fields))).full for each in conclusions]
            rests = {text.removeprefix(first) for text, first in zip(texts, firsts, strict=True)}
            if len(rests) == 1:
                yield f"each of {joined(firsts)}{rests.pop()}"
                return
        for each in conclusions:
            yield self._conclusion(each)

    def _conclusion(self, conclusion: Conclusion) -> str:
        pattern, kind = _as_pattern(conclusion), self.vocabulary[conclusion.kind]
        templates = self._templates(pattern, kind)
        text = joined(dict.fromkeys(filled(each, self._phrases(pattern, kind)) for each in templates), "or")
        if conclusion.because:
            reason = filled(conclusion.because, self._variables())
            text += f", {reason}" if reason.startswith("because") else f" {reason}"
        words = set(re.findall(r"[a-z]+", text))
        return text if conclusion.force == "does" or conclusion.force in words else f"{text} ({conclusion.force})"

    def _variables(self) -> Callable[[str, bool], Phrase | None]:
        def phrase(name: str, article: bool) -> Phrase | None:
            thing = self.speaker.referents.get(name)
            if thing is None:
                return None
            if article and thing.type == "suit":
                return Phrase(f"a card of {self.speaker.mention(thing).full}", noun="card")
            return self.speaker.mention(thing)

        return phrase

    def _offers(self, offers: Sequence[Conclusion]) -> Iterator[str]:
        by_chooser: dict[str, list[str]] = {}
        for each in offers:
            pattern, kind = _as_pattern(each), self.vocabulary[each.kind]
            chooser = filled(kind.chooser, self._phrases(pattern, kind))
            for template in self._templates(pattern, kind):
                text = filled(template, self._phrases(pattern, kind))
                main, _, more = text.partition("; ")
                said = _infinitive(template, main) + (f" ({more})" if more else "")
                by_chooser.setdefault(chooser, []).append(said)
        for chooser, texts in by_chooser.items():
            yield f"{chooser} may choose {joined(dict.fromkeys(texts), 'or')}"

    def _ask(self, conclusion: Conclusion) -> str:
        kind = self.vocabulary[conclusion.kind]
        pattern = _as_pattern(conclusion)
        about = [name for name in conclusion.fields if kind.fields[name].type.name == "card"]
        about = about or [name for name in conclusion.fields if kind.fields[name].type.name == "seat"]
        asked = [
            each.ask or f"What is the {label(name)}?"
            for name, each in kind.fields.items()
            if name not in conclusion.fields and not each.may_be_left_open
        ]
        of = f" about {joined(self.speaker.phrase(pattern, name).full for name in about)}" if about else ""
        return f"the Director is asked{of}: {joined(f'“{each}”' for each in asked)}"


def _as_pattern(conclusion: Conclusion) -> Pattern:
    tests = (FieldTest(name, "", "equal", (operand,), ()) for name, operand in conclusion.fields.items())
    return Pattern(conclusion.kind, tuple(tests), conclusion.path)


def _names(template: str) -> set[str]:
    return {found[1] for found in re.finditer(r"\{(\w+)[^{}]*\}", template)}


def _infinitive(template: str, text: str) -> str:
    """An order becomes what someone chooses to do; a statement, what he chooses to be so."""
    if template.startswith("{"):
        return f"that {text}"
    return f"not to {text[7:]}" if text.startswith("do not ") else f"to {text}"
