"""What can have happened: the reports of the vocabulary, found by the words that they are described in."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from bridgelaws.errors import RefusedAnswer, nearest, quoted
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.vocabulary import Kind

MOST_FOUND = 7
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
# Words that say nothing of what happened.
_SMALL = re.compile(
    "a|an|and|as|at|be|before|by|did|for|from|had|has|he|her|his|i|in|is|it|its|of|on|one|or|she|that|the|their|then|"
    "they|this|to|was|were|when|which|who|with"
)
# How much a word says that stands in the name of an incident, in its meaning, in its fields, or in the title of a
# clause that reads it.
_NAME, _MEANS, _FIELDS, _TITLES, _OTHER_TITLES = 3.0, 2.0, 2.0, 1.5, 1.4
_FOLLOW_UP = 0.4
# How much more an incident is meant if its name was said, and nothing else.
_WHOLE_NAME = 2.0
# Words that change within, and by which the same is said.
_OTHER_FORMS = {
    "came": "come", "chose": "choose", "chosen": "choose", "concession": "concede", "concessions": "concede",
    "drawn": "draw", "drew": "draw", "forgotten": "forget", "forgot": "forget", "gave": "give", "given": "give",
    "heard": "hear", "lead": "led", "leading": "led", "leads": "led", "left": "leave", "lost": "lose", "made": "make",
    "meant": "mean", "said": "say", "saw": "see", "seen": "see", "shown": "show", "spoke": "speak", "taken": "take",
    "threw": "throw", "thrown": "throw", "told": "tell", "took": "take", "won": "win",
}  # fmt: skip
_ENDINGS = ("ations", "ation", "ating", "ated", "ates", "ate", "ions", "ion", "ing", "ed", "es", "ous", "e", "s", "y")


def title(kind: Kind) -> str:
    """The kind in words: `card exposed`."""
    return kind.name.replace("_", " ")


def chosen_from_few(kind: Kind) -> list[str]:
    """The fields whose answer is one of a few, and which therefore wait until the ruling turns on them."""
    return [name for name, each in kind.fields.items() if each.type.name in ("one_of", "yes_no")]


@dataclass(frozen=True)
class Incidents:
    """The incidents of an edition."""

    law: EditionLaw

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Every report that a rule of this edition reads."""
        read = {kind for rule in self.law.program.rules for kind, _ in rule.kinds_read()}
        return tuple(kind for kind in self.law.vocabulary.of_source("report") if kind.name in read)

    @cached_property
    def happenings(self) -> tuple[Kind, ...]:
        """Without the reports that only answer, once a rule asks, one question about another report.

        What happened by itself has more to be told, or a time that is taken for granted: the trick in progress.
        """
        asked = {conclusion.kind for each in self.law.rules for conclusion in each.rule.ask}
        return tuple(
            kind
            for kind in self.kinds
            if kind.name not in asked
            or len(chosen_from_few(kind)) > 1
            or any(each.default is not None for each in kind.fields.values())
        )

    @cached_property
    def by_law(self) -> tuple[tuple[str, tuple[Kind, ...]], ...]:
        """What can have happened, by the Law that has most to say of it, in the order of the Laws."""
        homes = sorted({self.home(kind) for kind in self.happenings})
        return tuple((home, tuple(kind for kind in self.happenings if self.home(kind) == home)) for home in homes)

    @cached_property
    def _rules_of(self) -> dict[str, Counter[str]]:
        """For each incident, how many rules of each Law need such a report."""
        found: dict[str, Counter[str]] = {kind.name: Counter() for kind in self.kinds}
        for each in self.law.rules:
            for kind in {pattern.kind for pattern in each.rule.when} & found.keys():
                found[kind][each.provision.clause.law] += 1
        return found

    def home(self, kind: Kind) -> str:
        """The folder of the Law that has most to say of the incident; nothing if it is only ever an exception."""
        return max(self._rules_of[kind.name].items(), key=lambda each: each[1], default=("", 0))[0]

    def named(self, text: str) -> Kind | None:
        wanted = " ".join(text.lower().replace("_", " ").split())
        return next((kind for kind in self.kinds if title(kind) == wanted), None)

    def found(self, text: str) -> tuple[Kind, ...]:
        """The incidents that the words describe, the likeliest first; a `RefusedAnswer` if there is none.

        A word counts for more the fewer incidents it describes, and most in the name of one.
        """
        words = _words(text)
        scores = {kind.name: self._score(kind, words) for kind in self.kinds}
        likely = sorted((kind for kind in self.kinds if scores[kind.name] > 0), key=lambda kind: -scores[kind.name])
        if not likely:
            known = {word for weights in self._weights.values() for word in weights}
            hints = (nearest(word, known) for word in sorted(words, key=len, reverse=True))
            raise RefusedAnswer(
                f"nothing here is about {quoted(text)}",
                next(filter(None, hints), "try other words, or press Enter for the whole list"),
            )
        least = scores[likely[0].name] / 3
        return tuple(kind for kind in likely if scores[kind.name] >= least)[:MOST_FOUND]

    @cached_property
    def _weights(self) -> dict[str, dict[str, float]]:
        """For each incident its words, each with how much it says of it."""
        weights = {kind.name: [*self._titles(kind), *_weighted(kind)] for kind in self.kinds}
        return {name: dict(sorted(each, key=lambda pair: pair[1])) for name, each in weights.items()}

    def _titles(self, kind: Kind) -> Iterator[tuple[str, float]]:
        """The words of the laws and clauses whose rules need such a report; those of its own Law say most of it."""
        home = self.home(kind)
        for each in self.law.rules:
            if any(pattern.kind == kind.name for pattern in each.rule.when):
                clause = each.provision.clause
                weight = _TITLES if clause.law == home else _OTHER_TITLES
                yield from ((word, weight) for word in _words(f"{clause.title} {clause.law.replace('-', ' ')}"))

    def _score(self, kind: Kind, words: Sequence[str]) -> float:
        whole = sum(self._rarity(word) * _best(word, self._weights[kind.name]) for word in words)
        name = _words(title(kind))
        said = sum(any(_alike(word, known) for word in words) for known in name) / len(name)
        named = sum(any(_alike(word, known) for known in name) for word in words) / max(len(words), 1)
        whole *= 1 + _WHOLE_NAME * said * named
        return whole if kind in self.happenings else whole * _FOLLOW_UP

    def _rarity(self, word: str) -> float:
        with_it = sum(_best(word, weights) > 0 for weights in self._weights.values())
        return math.log(1 + len(self.kinds) / with_it) ** 2 if with_it else 0.0


def _weighted(kind: Kind) -> Iterator[tuple[str, float]]:
    for text, weight in ((title(kind), _NAME), (kind.means, _MEANS)):
        yield from ((word, weight) for word in _words(text))
    for each in kind.fields.values():
        for text in (each.ask, each.means, *each.type.phrases.values()):
            yield from ((word, _FIELDS) for word in _words(text))


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower().replace("_", " ")) if not _SMALL.fullmatch(word)]


def _best(word: str, weights: dict[str, float]) -> float:
    return max((weight for known, weight in weights.items() if _alike(word, known)), default=0.0)


def _alike(word: str, known: str) -> bool:
    """Whether they differ only in their ending, or the known word goes on where the typed one stops."""
    return _stem(word) == _stem(known) or (len(word) >= 5 and known.startswith(word))


@cache
def _stem(word: str) -> str:
    """`drop` for `dropped` and `drops`."""
    word = _OTHER_FORMS.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            return word[:-1] if word[-1] == word[-2] else word
    return word
