"""The facts of a table: whose turn it is, what was played and what is still held, in the kinds that rules read."""

from __future__ import annotations

from collections.abc import Iterator

from bridgelaws import notation
from bridgelaws.engine.program import Fact, new_fact
from bridgelaws.table.play import TRICKS, Trick
from bridgelaws.table.table import Table, role

_CARD = ("card", "card.suit", "card.rank")

TABLE_KINDS: dict[str, tuple[str, ...]] = {
    "stage": ("stage",),
    "player": ("seat", "side", "role", "partner", "left", "right"),
    "contract": ("declarer", "level", "strain"),
    "trumps": ("suit",),
    "now": ("trick",),
    "holds": ("player", "role", *_CARD),
    "hand_complete": ("player",),
    "played": ("player", *_CARD, "trick", "position"),
    "in_trick": ("trick", "player", *_CARD, "position"),
    "current_trick": ("trick", "leader", "suit", "cards"),
    "previous_trick": ("trick", "player", "won_by", "suit_led", *_CARD),
    "on_lead": ("player", "trick"),
    "to_play": ("player", "trick"),
    "yet_to_play": ("player", "trick", "suit"),
    "has_led": ("player", "since"),
    "unseen": _CARD,
    "no_card_in_trick": ("player", "trick", "suit"),
    "trick_won": ("trick", "player", "side", *_CARD),
    "trick_over": ("trick",),
    "tricks_left": ("tricks",),
    "claimer": ("player", "stated"),
    "claim_search": ("player", "from_top", "least", "most", "alone", "at_most", "trump_wins"),
    "claim_outcome": ("player", "from_top", "tricks", "next"),
    "claim_line": (
        *("player", "from_top", "tricks", "trick", "leader"),
        *(f"{place}{part}" for place in ("first", "second", "third", "fourth") for part in ("", ".suit", ".rank")),
        "winner",
    ),
}

_COMPONENTS = {card: (card, notation.SUIT_OF[card], notation.RANK_OF[card]) for card in notation.CARDS}
_ROLES = {declarer: {seat: role(seat, declarer) for seat in notation.SEATS} for declarer in (None, *notation.SEATS)}
# Most facts of a table say who sits where and who holds what; both come from a small stock.
_PLAYERS = {
    declarer: tuple(
        Fact(
            "player",
            (
                seat,
                notation.side_of(seat),
                roles[seat],
                notation.partner(seat),
                notation.left(seat),
                notation.right(seat),
            ),
        )
        for seat in notation.SEATS
    )
    for declarer, roles in _ROLES.items()
}
_HOLDS = {
    (seat, seat_role): {card: Fact("holds", (seat, seat_role, *parts)) for card, parts in _COMPONENTS.items()}
    for seat in notation.SEATS
    for seat_role in (None, "declarer", "dummy", "defender")
}


def table_facts(table: Table) -> list[Fact]:
    """Every fact of the table, each once."""
    facts = [new_fact(("stage", (table.stage,))), *_PLAYERS[table.declarer]]
    contract = table.contract
    if contract:
        facts.append(new_fact(("contract", (contract.declarer, contract.level, contract.strain))))
        if contract.trumps:
            facts.append(new_fact(("trumps", (contract.trumps,))))
    roles = _ROLES[table.declarer]
    for seat, holding in table.holdings.items():
        stock = _HOLDS[seat, roles[seat]]
        facts += [stock[card] for card in holding.cards]
        if holding.is_complete:
            facts.append(new_fact(("hand_complete", (seat,))))
    for trick in table.tricks:
        number, place = trick.number, trick.position
        facts += [
            new_fact(("played", (player, *_COMPONENTS[card], number, place(player))))
            for player, card in zip(trick.players, trick.cards, strict=True)
        ]
        facts += [new_fact(("no_card_in_trick", (player, trick.number, trick.suit_led))) for player in trick.missing]
    if table.tricks:
        facts += _lying_on_the_table(table.tricks[-1])
    previous = table.last_complete_trick
    if previous and previous.winner:
        winner = previous.winner
        values = (previous.number, winner, roles[winner], previous.suit_led, *_won_with(previous, winner))
        facts.append(new_fact(("previous_trick", values)))
    facts += _tricks_so_far(table)
    if table.claim:
        facts.append(new_fact(("claimer", (table.claim.by, bool(table.claim.line)))))
        facts += _claim(table)
    if table.stage == "play":
        facts.append(new_fact(("now", (table.now,))))
        facts += _turn(table)
        facts += _unseen(table)
    return facts


def _tricks_so_far(table: Table) -> Iterator[Fact]:
    """Who won each trick of the list, and the numbers of all that have been completed, on the list or before it."""
    for trick in table.tricks:
        if trick.winner:
            values = (trick.number, trick.winner, notation.side_of(trick.winner), *_won_with(trick, trick.winner))
            yield new_fact(("trick_won", values))
    if table.stage != "auction":
        for number in range(1, table.now):
            yield new_fact(("trick_over", (number,)))
        if table.now <= TRICKS:
            yield new_fact(("tricks_left", (TRICKS + 1 - table.now,)))


def _claim(table: Table) -> Iterator[Fact]:
    """What can come of a claim in a short ending: with every suit led in any order, and with each led from the top."""
    # Endings are searched only where someone claims.
    from bridgelaws.table.claimed import searches

    for from_top, search in searches(table):
        player, found = search.ending.claimer, search.prospects
        values = (player, from_top, found.least, found.most, found.alone, found.at_most, found.trump_wins)
        yield new_fact(("claim_search", values))
        for outcome, following in zip(found.outcomes, (*found.outcomes[1:], None), strict=True):
            yield new_fact(("claim_outcome", (player, from_top, outcome, following)))
            for number, trick in enumerate(search.line(outcome), start=table.now):
                cards = (part for card in trick.cards for part in _COMPONENTS[card])
                yield new_fact(("claim_line", (player, from_top, outcome, number, trick.leader, *cards, trick.winner)))


def _won_with(trick: Trick, winner: str) -> tuple[str, str, int]:
    """The card that won the trick, with its parts."""
    return _COMPONENTS[trick.cards[trick.players.index(winner)]]


def _unseen(table: Table) -> Iterator[Fact]:
    """At dummy's turn, the cards of which declarer cannot know that no defender holds them."""
    if table.declarer is None or table.turn != notation.partner(table.declarer):
        return
    seen = {card for trick in table.tricks for card in trick.cards}
    seen |= {card for seat in (table.declarer, notation.partner(table.declarer)) for card in table.holdings[seat].cards}
    for card in notation.CARDS:
        if card not in seen:
            yield new_fact(("unseen", _COMPONENTS[card]))


def _lying_on_the_table(trick: Trick) -> Iterator[Fact]:
    for player, card in zip(trick.players, trick.cards, strict=True):
        yield new_fact(("in_trick", (trick.number, player, *_COMPONENTS[card], trick.position(player))))


def _turn(table: Table) -> Iterator[Fact]:
    now = table.now
    trick = table.trick_in_progress
    if trick:
        waiting = trick.waiting
        yield new_fact(("current_trick", (now, trick.leader, trick.suit_led, len(trick.cards))))
        yield new_fact(("to_play", (waiting[0], now)))
        for player in waiting:
            yield new_fact(("yet_to_play", (player, now, trick.suit_led)))
    elif table.leader:
        yield new_fact(("on_lead", (table.leader, now)))
        yield new_fact(("to_play", (table.leader, now)))
        yield new_fact(("has_led", (table.leader, now)))
        for earlier in reversed(table.tricks):
            if earlier.leader != table.leader:
                break
            yield new_fact(("has_led", (table.leader, earlier.number)))
