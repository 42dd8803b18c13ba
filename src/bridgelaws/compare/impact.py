"""What a draft changes: every case whose ruling differs under it, and every changed clause that no case notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.casebook.running import ReadCase
from bridgelaws.engine.matching import partial_matches
from bridgelaws.errors import BridgelawsError
from bridgelaws.lawbook.editions import Provision
from bridgelaws.lawbook.law import EditionLaw, Law
from bridgelaws.ruling.text import ruling_lines
from bridgelaws.ruling.worlds import explore
from bridgelaws.table.case import Case, case_facts

NEAREST = 3


@dataclass(frozen=True)
class Pair:
    """An edition of the law as it is, and the edition of the draft that takes its place."""

    before: EditionLaw
    after: EditionLaw

    @property
    def name(self) -> str:
        names = dict.fromkeys((self.before.edition.name, self.after.edition.name))
        return " → ".join(names)

    def changed(self) -> list[Provision]:
        """The provisions of the draft that are new or say something else; a repealed one as it was before."""
        old = {each.clause.id: each for each in self.before.provisions}
        new = {each.clause.id: each for each in self.after.provisions}
        found = [each for clause, each in new.items() if clause not in old or not _same(each, old[clause])]
        return found + [each for clause, each in old.items() if clause not in new]


def _same(first: Provision, second: Provision) -> bool:
    rules = [[rule.written for rule in each.version.rules] for each in (first, second)]
    return rules[0] == rules[1] and first.number == second.number


@dataclass(frozen=True)
class ChangedCase:
    """A case that is ruled differently: the lines that fall away, those that come, and the changed clauses in them."""

    path: Path
    title: str
    pair: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    clauses: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "title": self.title,
            "edition": self.pair,
            "before": list(self.before),
            "after": list(self.after),
            "clauses": list(self.clauses),
        }


@dataclass(frozen=True)
class Unnoticed:
    """A changed clause whose change alters no case, and the cases that come nearest to it."""

    number: str
    title: str
    pair: str
    nearest: tuple[Path, ...]

    def to_json(self) -> dict[str, Any]:
        nearest = [str(path) for path in self.nearest]
        return {"number": self.number, "title": self.title, "edition": self.pair, "nearest": nearest}


@dataclass(frozen=True)
class Impact:
    """All that the draft changes."""

    changed: tuple[ChangedCase, ...]
    unnoticed: tuple[Unnoticed, ...]
    cases: int


def edition_pairs(base: Law, draft: Law) -> list[Pair]:
    """Each edition of the draft beside the one it changes: of the same name, or the nearest that it follows."""
    pairs = []
    for name, edition in draft.editions.items():
        ancestor = next((each for each in edition.line if each in base.editions), None)
        if ancestor is not None:
            pair = Pair(base.edition(ancestor), draft.edition(name))
            if pair.changed():
                pairs.append(pair)
    return pairs


def measure_impact(base: Law, draft: Law, cases: Sequence[ReadCase]) -> Impact:
    changed: list[ChangedCase] = []
    unnoticed: list[Unnoticed] = []
    for pair in edition_pairs(base, draft):
        found = list(_changed_cases(pair, cases))
        changed += found
        noticed = {clause for each in found for clause in each.clauses}
        quiet = [each for each in pair.changed() if each.number not in noticed]
        if quiet:
            unnoticed += _unnoticed(pair, quiet, cases)
    return Impact(tuple(changed), tuple(unnoticed), len(cases))


def _named(cases: Sequence[ReadCase], pair: Pair) -> Iterator[tuple[ReadCase, Case]]:
    """The cases that the edition before the change is tried on."""
    for read in cases:
        editions = {name for expectation in read.expectations for name in expectation.editions}
        if read.case is not None and pair.before.edition.name in editions:
            yield read, read.case


def _changed_cases(pair: Pair, cases: Sequence[ReadCase]) -> Iterator[ChangedCase]:
    before, after = Lawbook(pair.before), Lawbook(pair.after)
    numbers = [each.number for each in pair.changed()]
    for read, case in _named(cases, pair):
        old, new = _lines(before, case), _lines(after, case)
        gone, come = tuple(line for line in old if line not in new), tuple(line for line in new if line not in old)
        if gone or come:
            used = _clauses(before, case) | _clauses(after, case)
            touched = tuple(number for number in numbers if number in used)
            yield ChangedCase(read.path, case.title or read.path.stem, pair.name, gone, come, touched)


def _lines(book: Lawbook, case: Case) -> tuple[str, ...]:
    """The ruling line by line, or what keeps the case from being ruled on."""
    try:
        ruling = book.rule(case)
    except BridgelawsError as wrong:
        return tuple(each.message for each in wrong.diagnostics)
    return tuple(
        f"{line.text} ({', '.join(line.clauses)})" if line.clauses else line.text for line in ruling_lines(ruling)
    )


def _clauses(book: Lawbook, case: Case) -> set[str]:
    """Every clause that has a part in the ruling, however deep."""
    try:
        ruling = book.rule(case, why=True)
    except BridgelawsError:
        return set()
    found = set(ruling.clauses)
    waiting = list(ruling.why)
    while waiting:
        reason = waiting.pop()
        found.add(reason.clause)
        waiting += reason.because
    return found


def _unnoticed(pair: Pair, quiet: Sequence[Provision], cases: Sequence[ReadCase]) -> Iterator[Unnoticed]:
    book = Lawbook(pair.after)
    closeness: dict[str, list[tuple[float, Path]]] = {each.number: [] for each in quiet}
    for read, case in _named(cases, pair):
        try:
            worlds = explore(book.engine, case_facts(case, pair.after.vocabulary), pair.after.vocabulary)
        except BridgelawsError:
            continue
        facts = worlds.all[0].conclusions.facts
        for each in quiet:
            best = 0.0
            for number, in_force in enumerate(pair.after.rules):
                if in_force.provision.clause is each.clause:
                    when = pair.after.program.rules[number].when
                    met = max((len(match.facts) for match in partial_matches(when, facts, {})), default=0)
                    best = max(best, met / max(1, len(when.atoms)))
            closeness[each.number].append((best, read.path))
    for each in quiet:
        ranked = sorted(closeness[each.number], key=lambda item: (-item[0], str(item[1])))
        nearest = tuple(path for share, path in ranked[:NEAREST] if share > 0)
        yield Unnoticed(each.number, each.clause.title, pair.name, nearest)
