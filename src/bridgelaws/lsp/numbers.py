"""Clause numbers: which clauses have one, in which editions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bridgelaws.lawbook.clauses import Clause, Version
from bridgelaws.lawbook.editions import provisions
from bridgelaws.lawbook.law import Law


@dataclass(frozen=True)
class Numbered:
    """A version of a clause, and the editions in which it is in force."""

    clause: Clause
    version: Version
    editions: tuple[str, ...]


def in_force(law: Law) -> list[Numbered]:
    """Every version of every clause that some edition has, clause by clause, the latest first."""
    editions: dict[tuple[str, str], list[str]] = {}
    found: dict[tuple[str, str], tuple[Clause, Version]] = {}
    for edition in law.editions.values():
        for each in provisions(law.clauses, edition):
            key = (each.clause.id, each.version.since)
            found[key] = (each.clause, each.version)
            editions.setdefault(key, []).append(edition.name)
    order = {clause.id: place for place, clause in enumerate(law.clauses)}
    age = {name: place for place, name in enumerate(law.editions)}
    keys = sorted(found, key=lambda key: (order[key[0]], -age[key[1]]))
    return [Numbered(*found[key], tuple(editions[key])) for key in keys]


def clauses_numbered(law: Law, number: str) -> list[Numbered]:
    """The clauses with this number; in editions that have none, those whose number goes on from it."""
    everything = in_force(law)
    wanted = number.replace(" ", "").lower()
    exact = [each for each in everything if _plain(each) == wanted]
    if not wanted:
        return []
    served = {name for each in exact for name in each.editions}
    # A digit would make it another number: 50D10 does not go on from 50D1.
    goes_on = re.compile(re.escape(wanted) + (r"(?!\d)" if wanted[-1].isdigit() else ""))
    others = (
        replace(each, editions=tuple(name for name in each.editions if name not in served))
        for each in everything
        if goes_on.match(_plain(each))
    )
    return [*exact, *(each for each in others if each.editions)]


def chosen(found: Iterable[Numbered], edition: str) -> list[Numbered]:
    """Those in force in the edition, or all if none is."""
    listed = list(found)
    return [each for each in listed if edition in each.editions] or listed


def all_numbers(law: Law) -> Iterator[tuple[str, str]]:
    """Every number with its clause's title, each once."""
    yield from dict.fromkeys((each.version.number, each.clause.title) for each in in_force(law))


def _plain(each: Numbered) -> str:
    return each.version.number.replace(" ", "").lower()
