"""What changed in a clause, in plain sentences: which conditions, exceptions and conclusions came and went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from bridgelaws.compare.diff import ClauseChange, Side
from bridgelaws.compare.meaning import Alignment, Unit
from bridgelaws.compare.pairing import Paired, Placed
from bridgelaws.lawbook.clauses import LawRule
from bridgelaws.lawbook.sentences import RuleParts, rule_parts, rule_sentence

# Above this a list of parts is harder to read than the two sentences.
MOST_PARTS = 4
MOST_NAMES = 3
LEAST_SHARE = 0.5
_WORDS = {"when": "when", "unless": "unless", "then": "then", "offer": "then", "ask": "then"}


@dataclass(frozen=True)
class Told:
    """One thing that differs: what it is part of, and how it was and is; an empty text if it was or is not there."""

    part: str
    before: str
    after: str

    def to_json(self) -> dict[str, str]:
        return {"part": self.part, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class RuleTold:
    """A rule that is new, gone or changed: its name, which of these it is, what differs in it, and both sentences."""

    name: str
    what: str
    parts: tuple[Told, ...]
    before: str
    after: str

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "what": self.what,
            "parts": [each.to_json() for each in self.parts],
            "before": self.before,
            "after": self.after,
        }


@dataclass(frozen=True)
class Moved:
    """Rules that stand in another clause now, or that stood in another clause before and are the same."""

    names: tuple[str, ...]
    to: str = ""
    out_of: str = ""

    @property
    def text(self) -> str:
        many = len(self.names)
        counted = "1 rule is" if many == 1 else f"{many} rules are"
        said = f"{counted} now in {self.to}" if self.to else f"{counted} the same as before in {self.out_of}"
        return f"{said}: {'; '.join(self.names)}" if many <= MOST_NAMES else said

    def to_json(self) -> dict[str, Any]:
        return {"names": list(self.names), "to": self.to or None, "from": self.out_of or None}


@dataclass(frozen=True)
class ChangeTold:
    """All that is to be said of a clause from one edition to the next: the rules that differ, and what else does."""

    rules: tuple[RuleTold, ...]
    moved: tuple[Moved, ...]
    words: tuple[Told, ...]


def tell(change: ClauseChange, before: Side, after: Side) -> ChangeTold:
    """The change of a clause in words; the gists are in its provisions."""
    teller = _Teller(change, before, after)
    words = tuple(Told(each.what, each.before, each.after) for each in change.words if each.what != "gist")
    return ChangeTold(tuple(teller.rules()), tuple(teller.moved()), words)


class _Teller:
    def __init__(self, change: ClauseChange, before: Side, after: Side) -> None:
        self.change, self.before, self.after = change, before, after

    def moved(self) -> Iterator[Moved]:
        """The rules that moved, by where they went to or came from."""
        gone: dict[str, list[str]] = {}
        come: dict[str, list[str]] = {}
        for each in self.change.rules:
            if each.before and each.after and self.change.left(each):
                gone.setdefault(each.after.provision.number, []).append(each.before.rule.name)
            elif each.before and each.after and each.same and self.change.arrived(each):
                come.setdefault(each.before.provision.number, []).append(each.after.rule.name)
        yield from (Moved(tuple(names), to=number) for number, names in sorted(gone.items()))
        yield from (Moved(tuple(names), out_of=number) for number, names in sorted(come.items()))

    def rules(self) -> Iterator[RuleTold]:
        for each in self.change.rules:
            if not each.same and not self.change.left(each):
                yield self._rule(each)

    def _rule(self, pair: Paired) -> RuleTold:
        old, new = _sentence(pair.before, self.before), _sentence(pair.after, self.after)
        if pair.before and pair.after:
            return RuleTold(pair.after.rule.name, _what(pair.before, pair.after), self._parts(pair, old, new), old, new)
        only = pair.after or pair.before
        # INVARIANT: a pair has at least one rule.
        assert only is not None
        return RuleTold(only.rule.name, "new rule" if pair.after else "rule gone", (Told("rule", old, new),), old, new)

    def _parts(self, pair: Paired, old: str, new: str) -> tuple[Told, ...]:
        # INVARIANT: two rules are paired by an alignment.
        assert pair.alignment is not None
        parts = tuple(_told(pair.alignment, self.before, self.after))
        if not 0 < len(parts) <= MOST_PARTS or pair.alignment.share < LEAST_SHARE:
            return (Told("rule", old, new),)
        return parts


def _sentence(placed: Placed | None, side: Side) -> str:
    return rule_sentence(placed.rule, side.law.vocabulary).text if placed else ""


def _what(before: Placed, after: Placed) -> str:
    what = "rule changed"
    if before.rule.name != after.rule.name:
        what += f", before: {before.rule.name}"
    if before.provision.clause.id != after.provision.clause.id:
        what += f", from {before.provision.number}"
    return what


def _told(alignment: Alignment, before: Side, after: Side) -> Iterator[Told]:
    """Part by part: what one rule has and the other lacks, those of one kind beside each other."""
    gone, come = alignment.left_over()
    old = _parts_of(alignment.before.rule, gone, before)
    new = _parts_of(alignment.after.rule, come, after)
    for section in ("when", "unless", "then", "offer", "ask"):
        lefts = [unit for unit in gone if unit.section == section]
        rights = [unit for unit in come if unit.section == section]
        for left, right in _beside(lefts, rights):
            told = Told(_WORDS[section], _text(left, old), _text(right, new))
            if told.before != told.after and not (left and right and _only_names(left, right, gone, come)):
                yield told
    for left, right in alignment.manners():
        yield from _manner(left, right, old, new)


def _parts_of(rule: LawRule, apart: Sequence[Unit], side: Side) -> RuleParts:
    return rule_parts(rule, side.law.vocabulary, [unit.place for unit in apart if unit.section == "when"])


def _beside(lefts: Sequence[Unit], rights: Sequence[Unit]) -> Iterator[tuple[Unit | None, Unit | None]]:
    """Units about the same kinds first, as one that became the other; then the rest."""
    waiting = list(rights)
    alone: list[Unit] = []
    for left in lefts:
        like = next((each for each in waiting if _kinds(each) == _kinds(left)), None)
        if like is None:
            alone.append(left)
            continue
        waiting.remove(like)
        yield left, like
    if any(each.section in ("when", "unless") for each in (*alone, *waiting)):
        yield from ((each, None) for each in alone)
        yield from ((None, each) for each in waiting)
    else:
        yield from zip_longest(alone, waiting)


def _only_names(left: Unit, right: Unit, gone: Sequence[Unit], come: Sequence[Unit]) -> bool:
    """Whether a condition differs only in what it gives a name for the sake of other parts that came or went."""
    if len(left.shapes) != 1 or len(right.shapes) != 1 or left.shapes[0].fixed != right.shapes[0].fixed:
        return False
    first, second = dict(left.shapes[0].variables), dict(right.shapes[0].variables)
    fewer, more, others = (second, first, gone) if len(first) > len(second) else (first, second, come)
    extra = {name for place, name in more.items() if place not in fewer}
    used = {name for unit in others if unit not in (left, right) for each in unit.shapes for _, name in each.variables}
    return set(fewer) < set(more) and extra <= used


def _kinds(unit: Unit) -> list[str]:
    return sorted(shape.kind for shape in unit.shapes)


def _text(unit: Unit | None, parts: RuleParts) -> str:
    if unit is None:
        return ""
    sections = {"when": parts.when, "unless": parts.unless}
    return sections.get(unit.section, parts.conclusions)[unit.place]


def _manner(left: Unit, right: Unit, old: RuleParts, new: RuleParts) -> Iterator[Told]:
    if left.manner[0] != right.manner[0]:
        said = _text(right, new).removesuffix(f" ({right.manner[0]})")
        yield Told("force", f"{left.manner[0]}: {said}", f"{right.manner[0]}: {said}")
    else:
        yield Told("then", _text(left, old), _text(right, new))
