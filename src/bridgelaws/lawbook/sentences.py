"""A rule in plain sentences, made from its YAML and from how the vocabulary says each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from bridgelaws.engine.program import Fact
from bridgelaws.lawbook.clauses import Conclusion, FieldTest, LawRule, Literal, Pattern
from bridgelaws.lawbook.conditions import Conditions, infinitive
from bridgelaws.lawbook.referents import Phrase, alternatives, joined, label
from bridgelaws.lawbook.templates import filled
from bridgelaws.lawbook.vocabulary import Vocabulary


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
    conditions = [text for pattern in rule.when for text in teller.condition(pattern)]
    teller.speaker.concluding = True
    then = teller.conclusions(rule)
    teller.speaker.concluding = False
    exceptions = tuple(teller.exception(patterns) for patterns in rule.unless)
    return Sentence(rule.name, _conditions(conditions), then, exceptions)


@dataclass(frozen=True)
class RuleParts:
    """A rule part by part, in the order of its file: each condition, each exception and each conclusion in words."""

    when: tuple[str, ...]
    unless: tuple[str, ...]
    conclusions: tuple[str, ...]


def rule_parts(rule: LawRule, vocabulary: Vocabulary, apart: Collection[int] = ()) -> RuleParts:
    """The rule in plain words, part by part.

    The conditions whose places are `apart` are told after the others, as something more that is asked. None of them is
    silent then: that a player is a defender is said even where the other conditions would only have called him so.
    """
    teller = _Teller(vocabulary)
    usual = [place for place in range(len(rule.when)) if place not in apart]
    teller.speaker.introduce([rule.when[place] for place in usual])
    told = {place: " and ".join(teller.condition(rule.when[place])) for place in usual}
    teller.speaker.introduce([pattern for place, pattern in enumerate(rule.when) if place in apart])
    told |= {place: teller.said_apart(pattern) for place, pattern in enumerate(rule.when) if place in apart}
    teller.speaker.concluding = True
    conclusions = tuple(teller.each_conclusion(rule))
    teller.speaker.concluding = False
    exceptions = tuple(teller.exception(patterns) for patterns in rule.unless)
    return RuleParts(tuple(told[place] for place in range(len(rule.when))), exceptions, conclusions)


def fact_sentence(fact: Fact, vocabulary: Vocabulary) -> str:
    """A fact that was reported or chosen, in the same words; what nobody said of it is left out."""
    values = vocabulary[fact.kind].values(fact)
    tests = tuple(
        FieldTest(name, "", "equal", (Literal(value),), ()) for name, value in values.items() if value is not None
    )
    return " and ".join(_Teller(vocabulary).condition(Pattern(fact.kind, tests, ())))


def _conditions(texts: Sequence[str]) -> str:
    if len(texts) == 2 and not any(" and " in text or ", " in text for text in texts):
        return " and ".join(texts)
    return f"{', '.join(texts[:-1])}, and {texts[-1]}" if len(texts) > 1 else "".join(texts)


class _Teller(Conditions):
    """Tells what follows, too."""

    def conclusions(self, rule: LawRule) -> str:
        texts = [*self._merged(rule.then), *self._offers(rule.offer), *(self._ask(each) for each in rule.ask)]
        return "; and ".join(texts) if any(";" in each for each in texts) else ", and ".join(texts)

    def each_conclusion(self, rule: LawRule) -> Iterator[str]:
        """What follows, one by one."""
        yield from (self._conclusion(each) for each in rule.then)
        for each in rule.offer:
            yield from self._offers([each])
        yield from (self._ask(each) for each in rule.ask)

    def _merged(self, conclusions: Sequence[Conclusion]) -> Iterator[str]:
        """Three or more that differ only in what they begin with become one: "each of A, B and C is …"."""
        if len(conclusions) > 2 and len({(each.kind, each.force, tuple(each.fields)[1:]) for each in conclusions}) == 1:
            kind = self.vocabulary[conclusions[0].kind]
            texts = [
                self._filled(next(iter(kind.say.templates.values())), _as_pattern(each), kind) for each in conclusions
            ]
            firsts = [self.speaker.phrase(_as_pattern(each), next(iter(each.fields))).full for each in conclusions]
            rests = {text.removeprefix(first) for text, first in zip(texts, firsts, strict=True)}
            if len(rests) == 1:
                yield f"each of {joined(firsts)}{rests.pop()}"
                return
        for each in conclusions:
            yield self._conclusion(each)

    def _conclusion(self, conclusion: Conclusion) -> str:
        pattern, kind = _as_pattern(conclusion), self.vocabulary[conclusion.kind]
        templates = self.templates(pattern, kind)
        text = joined(dict.fromkeys(self.fill(each, pattern, kind) for each in templates), "or")
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
            chooser = filled(kind.chooser, self.phrases(pattern, kind))
            for template in self.templates(pattern, kind):
                text = self.fill(template, pattern, kind)
                main, _, more = text.partition("; ")
                said = infinitive(template, main) + (f" ({more})" if more else "")
                by_chooser.setdefault(chooser, []).append(said)
        for chooser, texts in by_chooser.items():
            yield f"{chooser} may choose {alternatives(list(dict.fromkeys(texts)))}"

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
