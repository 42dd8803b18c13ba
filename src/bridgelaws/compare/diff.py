"""What changed between editions, clause by clause, as data: `compare` is where to begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from bridgelaws.compare.pairing import Paired, paired_rules
from bridgelaws.lawbook.clauses import Clause
from bridgelaws.lawbook.editions import Provision
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.referents import joined


class Change(StrEnum):
    """What became of a clause, apart from its number and place."""

    unchanged = "unchanged"
    wording = "wording only"
    changed = "changed"
    new = "new"
    repealed = "repealed"


class Group(StrEnum):
    """The order in which clauses are told."""

    effect = "changed"
    moved = "renumbered or moved"
    wording = "wording only"
    unchanged = "unchanged"


IN_EFFECT = (Change.changed, Change.new, Change.repealed)


@dataclass(frozen=True)
class Side:
    """One of the editions compared, and what to call it."""

    label: str
    law: EditionLaw


@dataclass(frozen=True)
class Words:
    """Something beside the rules that reads differently: the gist, the references, a note."""

    what: str
    before: str
    after: str


@dataclass(frozen=True)
class ClauseChange:
    """A clause in two editions. `before` is missing if it is new, `after` if it was repealed.

    `split_from`: most of its rules stood in that other clause before; `merged_into`: most of them stand there now.
    `rules` has every rule of either provision that is not simply the same, and `words` all else that differs.
    """

    clause: Clause
    before: Provision | None
    after: Provision | None
    change: Change
    rules: tuple[Paired, ...] = ()
    words: tuple[Words, ...] = ()
    split_from: Provision | None = None
    merged_into: Provision | None = None

    @property
    def renumbered(self) -> bool:
        return self.before is not None and self.after is not None and self.before.number != self.after.number

    @property
    def group(self) -> Group:
        if self.change in IN_EFFECT:
            return Group.effect
        if self.renumbered or self.split_from or self.merged_into or self.went_to:
            return Group.moved
        return Group.wording if self.change is Change.wording else Group.unchanged

    @property
    def went_to(self) -> tuple[str, ...]:
        """The numbers of other clauses in which rules of this one stand now."""
        return tuple(sorted({each.after.provision.number for each in self.rules if each.after and self.left(each)}))

    def _here(self, provision: Provision) -> bool:
        return provision.clause.id == self.clause.id

    def arrived(self, rule: Paired) -> bool:
        """Whether the rule stood in another clause before."""
        return rule.moved and rule.after is not None and self._here(rule.after.provision)

    def left(self, rule: Paired) -> bool:
        """Whether the rule stands in another clause now."""
        return rule.moved and not self.arrived(rule)

    @property
    def label(self) -> str:
        """What happened to it, in words: `renumbered and changed`."""
        words: list[str] = []
        if self.split_from:
            words.append(f"split off from {self.split_from.number}")
        if self.merged_into:
            words.append(f"merged into {self.merged_into.number}")
        if self.renumbered:
            words.append("renumbered")
        if self.went_to and not self.merged_into:
            words.append("split")
        if self.change is Change.wording and words:
            words.append("reworded")
        elif self.change is not Change.unchanged or not words:
            words.append(self.change.value)
        return joined(words)


@dataclass(frozen=True)
class ClauseHistory:
    """A clause in all the editions compared: its provision in each, and the change from each to the next."""

    clause: Clause
    provisions: tuple[Provision | None, ...]
    steps: tuple[ClauseChange, ...]

    @property
    def group(self) -> Group:
        order = list(Group)
        return min((step.group for step in self.steps), key=order.index)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Its numbers, each once, in the order of the editions."""
        return tuple(dict.fromkeys(each.number for each in self.provisions if each))


@dataclass(frozen=True)
class Comparison:
    """Two or more editions side by side, and every clause that any of them has."""

    sides: tuple[Side, ...]
    clauses: tuple[ClauseHistory, ...]

    @cached_property
    def groups(self) -> Mapping[Group, tuple[ClauseHistory, ...]]:
        return {group: tuple(each for each in self.clauses if each.group is group) for group in Group}

    def summary(self, step: int) -> dict[str, int]:
        """How many clauses changed in each way, from one edition to the next; one can be counted in several ways."""
        steps = [each.steps[step] for each in self.clauses if each.steps[step].before or each.steps[step].after]
        return {
            **{change.value: sum(each.change is change for each in steps) for change in IN_EFFECT},
            "renumbered": sum(each.renumbered for each in steps),
            "split off": sum(each.split_from is not None for each in steps),
            "merged": sum(each.merged_into is not None for each in steps),
            Group.wording.value: sum(each.group is Group.wording for each in steps),
            Group.unchanged.value: sum(each.group is Group.unchanged for each in steps),
        }


def compare(sides: Sequence[Side]) -> Comparison:
    """The editions clause by clause, matched by the file of the clause, whatever its number."""
    steps = [clause_changes(before.law, after.law) for before, after in pairwise(sides)]
    clauses: dict[str, Clause] = {}
    for side in reversed(sides):
        clauses |= {each.clause.id: each.clause for each in side.law.provisions if each.clause.id not in clauses}
    provisions = [{each.clause.id: each for each in side.law.provisions} for side in sides]
    found = [
        ClauseHistory(
            clauses[key],
            tuple(each.get(key) for each in provisions),
            tuple(step.get(key) or ClauseChange(clauses[key], None, None, Change.unchanged) for step in steps),
        )
        for key in _in_law_order(clauses, sides)
    ]
    return Comparison(tuple(sides), tuple(found))


def _in_law_order(clauses: Iterable[str], sides: Sequence[Side]) -> list[str]:
    """The clauses as the law has them. One that only an earlier edition has comes after the one before it there."""
    order: list[str] = []
    for side in reversed(sides):
        previous = -1
        for each in side.law.provisions:
            if each.clause.id in order:
                previous = order.index(each.clause.id)
            else:
                previous += 1
                order.insert(previous, each.clause.id)
    return [each for each in order if each in set(clauses)]


def clause_changes(before: EditionLaw, after: EditionLaw) -> dict[str, ClauseChange]:
    """What became of every clause that either edition has, by the clause's file."""
    old = {each.clause.id: each for each in before.provisions}
    new = {each.clause.id: each for each in after.provisions}
    rules: dict[str, list[Paired]] = {}
    for pair in paired_rules(before, after):
        for clause in dict.fromkeys(each.provision.clause.id for each in (pair.before, pair.after) if each):
            rules.setdefault(clause, []).append(pair)
    comparer = _Comparer(before, after)
    return {
        key: comparer.change(old.get(key), new.get(key), _in_file_order(rules.get(key, ()), new.get(key)))
        for key in dict.fromkeys((*old, *new))
    }


def _in_file_order(pairs: Iterable[Paired], after: Provision | None) -> tuple[Paired, ...]:
    """As the later version has them, then those that are no longer there as the earlier has them."""
    rules = list(after.version.rules) if after else []
    places = {id(rule): place for place, rule in enumerate(rules)}

    def place(pair: Paired) -> int:
        return places.get(id(pair.after.rule), len(places)) if pair.after else len(places)

    return tuple(sorted(pairs, key=place))


class _Comparer:
    """Tells what became of one clause after another."""

    def __init__(self, before: EditionLaw, after: EditionLaw) -> None:
        self.before, self.after = before, after

    def change(self, old: Provision | None, new: Provision | None, rules: tuple[Paired, ...]) -> ClauseChange:
        told = tuple(each for each in rules if each.moved or not each.same)
        if old and new:
            words = tuple(self._words(old, new, rules))
            altered = any(_altered(each, new) for each in told)
            change = Change.changed if altered else Change.wording if words else Change.unchanged
            return ClauseChange(new.clause, old, new, change, told, words)
        if new:
            origin = _source(new, (each.before.provision for each in told if each.moved and each.before))
            altered = any(_altered(each, new) for each in told)
            change = Change.new if origin is None else Change.changed if altered else Change.unchanged
            return ClauseChange(new.clause, None, new, change, told, split_from=origin)
        # INVARIANT: a clause that is in neither edition is not asked about.
        assert old is not None
        target = _source(old, (each.after.provision for each in told if each.moved and each.after))
        lost = any(not each.moved for each in told)
        change = Change.repealed if target is None else Change.changed if lost else Change.unchanged
        return ClauseChange(old.clause, old, None, change, told, merged_into=target)

    def _words(self, old: Provision, new: Provision, rules: Iterable[Paired]) -> Iterator[Words]:
        first, second = old.version, new.version
        pairs = {
            "title": (old.clause.title, new.clause.title),
            "gist": (first.gist, second.gist),
            "why no rules": (first.no_rules, second.no_rules),
            "confidence": (_confidence(first.confidence), _confidence(second.confidence)),
            "note": (first.note, second.note),
            "advice": (first.advice, second.advice),
        }
        yield from (Words(what, *texts) for what, texts in pairs.items() if texts[0] != texts[1])
        seen = _targets(first.see, self.before, self.after), _targets(second.see, self.after, self.before)
        if first.see != second.see and seen[0] != seen[1]:
            yield Words("see", ", ".join(first.see), ", ".join(second.see))
        for each in rules:
            if each.same and each.before and each.after and each.before.rule.name != each.after.rule.name:
                yield Words("name of a rule", each.before.rule.name, each.after.rule.name)
        for kind in dict.fromkeys(each.kind for rule in second.rules for each in (*rule.then, *rule.offer)):
            said = [_said(kind, law) for law in (self.before, self.after)]
            if said[0] and said[0] != said[1]:
                yield Words(f"how {kind} is announced", *said)


def _altered(pair: Paired, provision: Provision) -> bool:
    """Whether the rule makes this provision say something else: not if it only moved, nor if it changed elsewhere."""
    if pair.moved and pair.after and pair.after.provision.clause.id != provision.clause.id:
        return False
    return not pair.same


def _source(provision: Provision, others: Iterable[Provision]) -> Provision | None:
    """The other clause that has at least half of the rules of this one."""
    by_clause: dict[str, list[Provision]] = {}
    for each in others:
        by_clause.setdefault(each.clause.id, []).append(each)
    most = max(by_clause.values(), key=len, default=[])
    return most[0] if most and 2 * len(most) >= len(provision.version.rules) else None


def _confidence(word: str) -> str:
    return "the best reading of an unsure text" if word == "reading" else ""


def _targets(see: Iterable[str], law: EditionLaw, other: EditionLaw) -> frozenset[str]:
    """The clauses that a version points to, whatever their numbers are in this edition.

    A whole law or a part of one is what both editions have of it: a reference to it is not changed by a new clause.
    """
    shared = {each.clause.id for each in other.provisions}
    found: set[str] = set()
    for number in see:
        wanted = plain_number(number)
        exact = {each.clause.id for each in law.provisions if plain_number(each.number) == wanted}
        within = {each.clause.id for each in law.provisions if plain_number(each.number).startswith(wanted)}
        found |= exact or within & shared or {wanted}
    return frozenset(found)


def _said(kind: str, law: EditionLaw) -> str:
    if kind not in law.vocabulary.kinds:
        return ""
    return " / ".join(law.vocabulary[kind].say.templates.values())


def plain_number(number: str) -> str:
    """A clause number without spaces and capitals, as people may type it."""
    return number.replace(" ", "").lower()
