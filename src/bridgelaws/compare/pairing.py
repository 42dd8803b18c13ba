"""Find for each rule of an edition the rule of another that it was: in its own clause, or moved within its law."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bridgelaws.compare.meaning import Alignment, Meaning, aligned, meaning, most_in_common
from bridgelaws.lawbook.clauses import LawRule
from bridgelaws.lawbook.editions import Provision
from bridgelaws.lawbook.law import EditionLaw

# How much of two rules must be the same for one to be the other, rewritten.
NAMESAKES, ALIKE, ALIKE_ELSEWHERE = 0.25, 0.5, 0.6


@dataclass(frozen=True, eq=False)
class Placed:
    """A rule, the provision it stands in, and what it means."""

    provision: Provision
    rule: LawRule
    meaning: Meaning


@dataclass(frozen=True)
class Paired:
    """A rule before and after; one of the two is missing if it is new or was dropped."""

    before: Placed | None
    after: Placed | None
    alignment: Alignment | None = None

    @property
    def same(self) -> bool:
        return self.alignment is not None and self.alignment.same

    @property
    def moved(self) -> bool:
        """Whether it stands in another clause now."""
        return bool(self.before and self.after) and not _together(self.before, self.after)


def _together(before: Placed | None, after: Placed | None) -> bool:
    return before is not None and after is not None and before.provision.clause.id == after.provision.clause.id


def _in_one_law(before: Placed, after: Placed) -> bool:
    return before.provision.clause.law == after.provision.clause.law and not _together(before, after)


def paired_rules(before: EditionLaw, after: EditionLaw) -> list[Paired]:
    """Every rule of both editions, with its counterpart if it has one.

    First come the rules that mean the same, then those that were rewritten; a counterpart in the same clause goes
    before one elsewhere in the law.
    """
    pool = _Pool(_placed(before), _placed(after))
    pool.take(_together, 1.0, same=True)
    pool.take(lambda old, new: _together(old, new) and old.rule.name == new.rule.name, NAMESAKES)
    pool.take(_in_one_law, 1.0, same=True)
    pool.take(_together, ALIKE)
    pool.take(lambda old, new: _in_one_law(old, new) and old.rule.name == new.rule.name, ALIKE)
    pool.take(_in_one_law, ALIKE_ELSEWHERE)
    return pool.everything()


def _placed(law: EditionLaw) -> list[Placed]:
    return [Placed(each.provision, each.rule, meaning(each.rule, law.vocabulary)) for each in law.rules]


class _Pool:
    """The rules that have no counterpart yet."""

    def __init__(self, before: Iterable[Placed], after: Iterable[Placed]) -> None:
        self.before = dict.fromkeys(before)
        self.after = dict.fromkeys(after)
        self.found: list[Paired] = []

    def take(self, candidates: Callable[[Placed, Placed], bool], least: float, *, same: bool = False) -> None:
        """Pair what is alike enough, the most alike first, and of these those of one name."""
        ranked: list[tuple[float, bool, int, Alignment, Placed, Placed]] = []
        by_law: dict[str, list[Placed]] = {}
        for new in self.after:
            by_law.setdefault(new.provision.clause.law, []).append(new)
        for old in self.before:
            for new in by_law.get(old.provision.clause.law, ()):
                if not candidates(old, new) or most_in_common(old.meaning, new.meaning) < least:
                    continue
                alignment = aligned(old.meaning, new.meaning)
                if alignment.share >= least and (alignment.same or not same):
                    namesakes = old.rule.name == new.rule.name
                    ranked.append((-alignment.share, not namesakes, len(ranked), alignment, old, new))
        for _, _, _, alignment, old, new in sorted(ranked, key=lambda each: each[:3]):
            if old in self.before and new in self.after:
                del self.before[old], self.after[new]
                self.found.append(Paired(old, new, alignment))

    def everything(self) -> list[Paired]:
        dropped = [Paired(old, None) for old in self.before]
        return [*self.found, *dropped, *(Paired(None, new) for new in self.after)]
