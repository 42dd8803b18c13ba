"""What is in the book and where: a page a clause, who refers to whom, and which cases illustrate what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from urllib.parse import quote

from bridgelaws.casebook.running import ReadCase
from bridgelaws.lawbook.clauses import Clause, Version
from bridgelaws.lawbook.editions import version_in
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.sentences import Sentence, rule_sentence
from bridgelaws.table.case import Case


@dataclass(frozen=True)
class Example:
    """A case of the book: its place on the page of the clause it is about, if it is about one."""

    case: Case
    name: str
    law: str
    editions: tuple[str, ...]
    clauses: Mapping[str, frozenset[str]]
    home: Clause | None

    @property
    def anchor(self) -> str:
        return f"case-{quote(f'{self.law}-{self.name}', safe='')}"

    @property
    def title(self) -> str:
        return self.case.title or self.name


@dataclass(frozen=True, eq=False)
class Contents:
    """The law and its cases, with the address of everything."""

    law: Law
    cases: Sequence[ReadCase]

    @cached_property
    def laws(self) -> list[tuple[str, list[Clause]]]:
        return [(name, list(clauses)) for name, clauses in groupby(self.law.clauses, key=lambda clause: clause.law)]

    def address(self, clause: Clause) -> str:
        """The clause's page, seen from the book's first page: the name of its rule file."""
        return f"{quote(clause.id)}.html"

    def law_address(self, law: str) -> str:
        return f"{quote(law)}.html"

    def in_force(self, clause: Clause, version: Version) -> list[str]:
        """The editions in which this version of the clause holds."""
        return [name for name, edition in self.law.editions.items() if version_in(clause, edition) is version]

    def number(self, clause: Clause, edition: str) -> str:
        version = version_in(clause, self.law.editions[edition])
        return version.number if version else ""

    def heading(self, clause: Clause) -> tuple[str, str]:
        """The clause's number and title; a definition, which is numbered by its own title, has no title besides."""
        number = self.latest_number(clause)
        return number, "" if clause.title.lower() in number.lower() else clause.title

    def latest_number(self, clause: Clause) -> str:
        """The number that the clause has today, or had last."""
        return self.number(clause, self.law.latest) or next(
            (version.number for version in reversed(clause.versions) if not version.repealed),
            clause.versions[-1].number,
        )

    @cached_property
    def _numbered(self) -> dict[str, dict[str, Clause]]:
        return {
            edition: {_plain(number): clause for clause in self.law.clauses if (number := self.number(clause, edition))}
            for edition in self.law.editions
        }

    def clause_numbered(self, number: str, edition: str) -> Clause | None:
        return self._numbered[edition].get(_plain(number))

    def seen(self, clause: Clause, version: Version) -> Iterator[tuple[str, Clause | None]]:
        """What a version points to: each number, and its clause where that is in the book."""
        editions = self.in_force(clause, version) or list(self.law.editions)
        for number in version.see:
            yield number, self.clause_numbered(number, editions[-1])

    @cached_property
    def _pointing(self) -> dict[str, list[Clause]]:
        found: dict[str, list[Clause]] = {}
        for clause in self.law.clauses:
            targets = {target.id for each in clause.versions for _, target in self.seen(clause, each) if target}
            for target in targets - {clause.id}:
                found.setdefault(target, []).append(clause)
        return found

    def pointing_to(self, clause: Clause) -> list[Clause]:
        return self._pointing.get(clause.id, [])

    @cached_property
    def _kinds(self) -> dict[str, tuple[set[str], set[str]]]:
        """For each clause the kinds that its rules conclude and those that they read, in its last version."""
        kinds: dict[str, tuple[set[str], set[str]]] = {}
        for clause in self.law.clauses:
            rules = next((version.rules for version in reversed(clause.versions) if not version.repealed), ())
            concluded = {each.kind for rule in rules for each in rule.then}
            read = {each.kind for rule in rules for patterns in (rule.when, *rule.unless) for each in patterns}
            kinds[clause.id] = (concluded, read)
        return kinds

    def rests_on(self, clause: Clause) -> list[Clause]:
        """The clauses whose conclusions this one reads."""
        read = self._kinds[clause.id][1]
        return [each for each in self.law.clauses if each is not clause and self._kinds[each.id][0] & read]

    def used_by(self, clause: Clause) -> list[Clause]:
        """The clauses that read what this one concludes."""
        concluded = self._kinds[clause.id][0]
        return [each for each in self.law.clauses if each is not clause and self._kinds[each.id][1] & concluded]

    @cached_property
    def _sentences(self) -> dict[int, Sentence]:
        return {}

    def sentences(self, version: Version) -> list[Sentence]:
        known = self._sentences
        return [known.setdefault(id(rule), rule_sentence(rule, self.law.vocabulary)) for rule in version.rules]

    @cached_property
    def examples(self) -> list[Example]:
        return [self._example(each, each.case) for each in self.cases if each.case is not None]

    def _example(self, read: ReadCase, case: Case) -> Example:
        clauses: dict[str, frozenset[str]] = {}
        for expectation in read.expectations:
            for edition in expectation.editions:
                clauses[edition] = clauses.get(edition, frozenset()) | expectation.clauses
        editions = tuple(name for name in self.law.editions if name in clauses)
        law, name = read.path.parent.name, read.path.stem
        return Example(case, name, law, editions, clauses, self._home(law, name, clauses))

    def _home(self, law: str, name: str, clauses: Mapping[str, Iterable[str]]) -> Clause | None:
        """The clause that a case is about.

        It is the one whose file begins as the case's does, or else the first one that the case expects, those of its
        own law before others.
        """
        expected = {
            found.id
            for edition, numbers in clauses.items()
            for number in numbers
            if (found := self.clause_numbered(number, edition))
        }
        of_law = [each for each in self.law.clauses if each.law == law]
        begins = {each.id.split("/")[-1].split("-")[0]: each for each in reversed(of_law)}
        named = begins.get(name.split("-")[0])
        likely = [each for each in (*of_law, *self.law.clauses) if each.id in expected]
        return named or next(iter([*likely, *of_law]), None)

    def examples_of(self, clause: Clause) -> list[Example]:
        return [each for each in self.examples if each.home is clause]

    def also_in(self, clause: Clause) -> list[Example]:
        """Cases about other clauses in whose rulings this one is expected too."""
        return [
            each
            for each in self.examples
            if each.home is not clause
            and any(
                _plain(self.number(clause, edition)) in map(_plain, numbers)
                for edition, numbers in each.clauses.items()
            )
        ]

    @property
    def homeless(self) -> list[Example]:
        return [each for each in self.examples if each.home is None]


def _plain(number: str) -> str:
    return number.replace(" ", "").lower()
