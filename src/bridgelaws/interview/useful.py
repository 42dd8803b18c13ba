"""Which parts of the table the rules look at when something of a kind was reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bridgelaws.engine.program import Atom, Program, Rule
from bridgelaws.lawbook.vocabulary import ASK, OFFER

CONTRACT, HANDS, PLAY, CLAIM = "contract", "hands", "play", "claim"

# What the adapter computes of each part. Roles come with the contract: it names the declarer.
_OF_HANDS = {"holds", "hand_complete", "unseen"}
_OF_THE_CONTRACT = {"contract", "trumps"}
_OF_A_SEARCH = {"claim_search", "claim_outcome", "claim_line"}
_ROLES = {"role", "won_by"}
_WITHOUT_ANYTHING = {"player"}


def useful_parts(program: Program, reported: Collection[str], table_kinds: Collection[str]) -> frozenset[str]:
    """The parts that a rule reads which these reports can set off, by themselves or through other rules."""
    parts = set()
    for atom, columns in _read(program, reported, table_kinds):
        if atom.kind in table_kinds:
            if atom.kind in _OF_THE_CONTRACT or columns & _ROLES:
                parts.add(CONTRACT)
            if atom.kind in _OF_HANDS:
                parts.add(HANDS)
            elif atom.kind not in _OF_THE_CONTRACT | _WITHOUT_ANYTHING:
                parts.add(PLAY)
    # A contract alone would say that the opening lead is due.
    return frozenset(parts | {PLAY} if CONTRACT in parts else parts)


def search_is_useful(program: Program, known: Collection[str]) -> bool:
    """Whether a rule would look at what a search of the cards finds, all else that it needs being known."""
    needs = ({atom.kind for atom in rule.when.atoms} for rule in program.rules)
    return any(kinds & _OF_A_SEARCH and kinds - _OF_A_SEARCH <= set(known) for kinds in needs)


def _read(
    program: Program, reported: Collection[str], table_kinds: Collection[str]
) -> Iterator[tuple[Atom, frozenset[str]]]:
    """Each pattern of those rules, and of those that tell them something of the table, with the columns it tests."""
    set_off = _set_off(program, reported)
    read = {atom.kind for rule in set_off for condition in (rule.when, *rule.unless) for atom in condition.atoms}
    telling = (
        rule
        for rule in program.rules
        if rule.when.atoms
        and all(atom.kind in table_kinds for atom in rule.when.atoms)
        and any(head.kind in read for head in rule.then)
    )
    for rule in (*set_off, *telling):
        for condition in (rule.when, *rule.unless):
            for atom in condition.atoms:
                names = program.columns[atom.kind]
                yield atom, frozenset(name for name, term in zip(names, atom.terms, strict=True) if term is not None)


def _set_off(program: Program, reported: Collection[str]) -> list[Rule]:
    reached = set(reported)
    found: dict[int, Rule] = {}
    while True:
        fired = {
            place: rule
            for place, rule in enumerate(program.rules)
            if place not in found and any(atom.kind in reached for atom in rule.when.atoms)
        }
        if not fired:
            return list(found.values())
        found |= fired
        # What is asked for or offered may be answered or taken.
        reached |= {head.kind.removeprefix(ASK).removeprefix(OFFER) for rule in fired.values() for head in rule.then}
