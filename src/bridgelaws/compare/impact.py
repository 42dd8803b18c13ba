"""What a draft changes: every case whose ruling differs under it, and every changed clause that no case notices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.casebook.running import ReadCase
from bridgelaws.engine.matching import partial_matches
from bridgelaws.engine.program import Value
from bridgelaws.errors import BridgelawsError
from bridgelaws.lawbook.editions import Provision
from bridgelaws.lawbook.law import EditionLaw, Law
from bridgelaws.ruling.ruling import Reason, Ruling
from bridgelaws.ruling.text import ruling_lines
from bridgelaws.ruling.worlds import explore
from bridgelaws.table.case import Case, case_facts

NEAREST = 3
Progress = Callable[[Sequence[tuple[ReadCase, Case]]], Iterable[tuple[ReadCase, Case]]]


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
    """A case that is ruled differently: the lines that fall away, those that come, and the changed clauses in them.

    `clauses` has their numbers, and `files` the files of all clauses that have a part in what differs.
    """

    path: Path
    title: str
    pair: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    clauses: tuple[str, ...]
    files: frozenset[str] = frozenset()

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
        found = list(changed_cases(pair, cases))
        changed += found
        noticed = {clause for each in found for clause in each.clauses}
        quiet = [each for each in pair.changed() if each.number not in noticed]
        if quiet:
            unnoticed += _unnoticed(pair, quiet, cases)
    return Impact(tuple(changed), tuple(unnoticed), len(cases))


def _named(cases: Sequence[ReadCase], pair: Pair) -> list[tuple[ReadCase, Case]]:
    """The cases that either edition of the pair is tried on."""
    wanted = {pair.before.edition.name, pair.after.edition.name}
    return [
        (read, read.case)
        for read in cases
        if read.case is not None and any(wanted & set(expectation.editions) for expectation in read.expectations)
    ]


def changed_cases(
    pair: Pair,
    cases: Sequence[ReadCase],
    progress: Progress = iter,
    *,
    about: Collection[str] | None = None,
    cited: bool = True,
    books: tuple[Lawbook, Lawbook] | None = None,
) -> Iterator[ChangedCase]:
    """The cases that the two editions rule on differently; not `cited`, a line that only names other clauses is equal.

    With `about`, only those in which one of these clauses (by its file) can have a part. A case that only one of the
    editions can rule on differs, too: what the other says is why it cannot. `books` are those of the pair, if they are
    there already.
    """
    before, after = books or (Lawbook(pair.before), Lawbook(pair.after))
    changed = pair.changed()
    named = _named(cases, pair)
    if about is not None:
        reaches = (_Reach(pair.before), _Reach(pair.after))
        named = [each for each in named if any(not reach.clauses(each[1]).isdisjoint(about) for reach in reaches)]
    for read, case in progress(named):
        # With reasons at once: most cases that are looked at are ruled on differently, and then they are needed.
        ruled = _ruled(before, case), _ruled(after, case)
        old, new = _lines(ruled[0], cited), _lines(ruled[1], cited)
        gone, come = tuple(line for line in old if line not in new), tuple(line for line in new if line not in old)
        if gone or come:
            rulings = _ruling(ruled[0]), _ruling(ruled[1])
            used = _clauses(before, _parts(rulings[0])) | _clauses(after, _parts(rulings[1]))
            touched = tuple(each.number for each in changed if each.clause.id in used)
            behind = _clauses(before, _behind(*rulings, {old[line] for line in gone}))
            behind |= _clauses(after, _behind(*rulings[::-1], {new[line] for line in come}))
            yield ChangedCase(read.path, case.title or read.path.stem, pair.name, gone, come, touched, behind or used)


class _Reach:
    """Which clauses of an edition could have a part in a case, from the kinds of its facts alone."""

    def __init__(self, law: EditionLaw) -> None:
        self.law = law
        self.known: dict[frozenset[str], set[str]] = {}
        self.rules = [
            (
                each.provision.clause.id,
                frozenset(pattern.kind for pattern in each.rule.when),
                frozenset(given.kind for given in (*each.rule.then, *each.rule.ask)),
            )
            for each in law.rules
        ]

    def clauses(self, case: Case) -> set[str]:
        """A case that cannot be read in this edition could be about anything."""
        try:
            kinds = frozenset(fact.kind for fact in case_facts(case, self.law.vocabulary).facts)
        except BridgelawsError:
            return {clause for clause, _, _ in self.rules}
        if kinds not in self.known:
            self.known[kinds] = self._clauses(set(kinds))
        return self.known[kinds]

    def _clauses(self, kinds: set[str]) -> set[str]:
        """The clauses of the rules that could apply to these kinds, to what follows from them, and to what is asked."""
        reached: set[str] = set()
        waiting = self.rules
        while True:
            ready = [each for each in waiting if each[1] <= kinds]
            if not ready:
                return reached
            waiting = [each for each in waiting if not each[1] <= kinds]
            reached |= {clause for clause, _, _ in ready}
            kinds = kinds.union(*(given for _, _, given in ready))


def _ruled(book: Lawbook, case: Case) -> Ruling | BridgelawsError:
    """The ruling with its reasons, or what keeps the case from being ruled on."""
    try:
        return book.rule(case, why=True)
    except BridgelawsError as wrong:
        return wrong


def _ruling(ruled: Ruling | BridgelawsError) -> Ruling | None:
    return None if isinstance(ruled, BridgelawsError) else ruled


def _lines(ruled: Ruling | BridgelawsError, cited: bool) -> dict[str, tuple[str, ...]]:
    """The ruling line by line, each with the clauses it cites; or what keeps the case from being ruled on."""
    if isinstance(ruled, BridgelawsError):
        return {each.message: () for each in ruled.diagnostics}
    return {
        f"{line.text} ({', '.join(line.clauses)})" if line.clauses and cited else line.text: line.clauses
        for line in ruling_lines(replace(ruled, why=()))
        if cited or line.part != "advice"
    }


def _parts(ruling: Ruling | None) -> set[str]:
    """The number of every clause that has a part in the ruling, however deep."""
    return {*ruling.clauses, *_in_reasons(ruling.why)} if ruling else set()


def _behind(mine: Ruling | None, other: Ruling | None, cites: Iterable[Sequence[str]]) -> set[str]:
    """The number of every clause that has a part in what one ruling says and the other does not."""
    shared = {_fact(each) for each in other.why} if other else set()
    own = [each for each in mine.why if _fact(each) not in shared] if mine else []
    return {*_in_reasons(own), *(number for each in cites for number in each)}


def _fact(reason: Reason) -> tuple[str, tuple[tuple[str, Value], ...]]:
    return reason.kind, tuple(sorted(reason.fields.items()))


def _in_reasons(reasons: Iterable[Reason]) -> set[str]:
    found: set[str] = set()
    waiting = list(reasons)
    while waiting:
        reason = waiting.pop()
        found.add(reason.clause)
        waiting += reason.because
    return found


def _clauses(book: Lawbook, numbers: Collection[str]) -> frozenset[str]:
    """The files of the clauses with these numbers."""
    return frozenset(each.clause.id for each in book.law.provisions if each.number in numbers)


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
