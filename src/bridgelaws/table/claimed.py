"""The ending of a table at which someone has claimed, ready to be searched."""

from __future__ import annotations

from dataclasses import replace

from bridgelaws.claims.ending import MOST_CARDS, Ending
from bridgelaws.claims.search import Search
from bridgelaws.notation import SEATS, partner
from bridgelaws.table.table import Table


def ending(table: Table) -> Ending | str:
    """The ending, or what is missing for a search of it."""
    claim = table.claim
    if claim is None:
        return "the table does not say who claims"
    if table.stage == "auction" or table.contract is None or table.declarer is None:
        return "the contract and the declarer are not known"
    if claim.by == partner(table.declarer):
        return "dummy cannot claim"
    trick = table.trick_in_progress
    leader = trick.leader if trick else table.leader
    if leader is None:
        return "it is not known who is on lead"
    if not all(table.holdings[seat].is_complete for seat in SEATS):
        return "not every card of every hand is known"
    hands = {seat: frozenset(table.holdings[seat].cards) for seat in SEATS}
    if not any(hands.values()):
        return "all cards have been played"
    if max(map(len, hands.values())) > MOST_CARDS:
        return f"more than {MOST_CARDS} cards are left in a hand"
    played = trick.cards if trick else ()
    own = {claim.by, partner(claim.by)} if claim.by == table.declarer else {claim.by}
    return Ending(hands, leader, table.contract.trumps, claim.by, frozenset(own), played, claim.line)


def searches(table: Table) -> tuple[tuple[bool, Search], ...]:
    """The ending with suits led in any order, and led from the top down; nothing if it cannot be searched."""
    found = ending(table)
    if isinstance(found, str):
        return ()
    return (False, Search(found)), (True, Search(replace(found, from_the_top=True)))
