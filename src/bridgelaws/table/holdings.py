"""What each hand still holds: the cards listed against the cards played, and whether that is all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bridgelaws.notation import SEAT_NAMES, SEATS, card_order, card_symbol
from bridgelaws.table.hands import Hand
from bridgelaws.table.play import Play, PlayedCard
from bridgelaws.table.reading import Entry

DEALT = 13

_EITHER = "correct one of the two"


class Holding(NamedTuple):
    """The cards known to be in a hand now, as a hand is sorted; `is_complete` if there are no others."""

    cards: tuple[str, ...] = ()
    is_complete: bool = False


_NOTHING_KNOWN = Holding()


def settle_holdings(deal: Mapping[str, Hand], hands: Mapping[str, Hand], play: Play) -> dict[str, Holding]:
    """The holding of each seat, once no card stands in two places."""
    owner = _owners(deal, hands)
    _check_played(owner, play.cards)
    # Without knowing who played what, and how many tricks there were, a count would only mislead.
    if play.unlisted is None or any(card.player is None for card in play.cards):
        return dict.fromkeys(SEATS, _NOTHING_KNOWN)
    played: dict[str, list[PlayedCard]] = {}
    for card in play.cards:
        name, _, player, _ = card
        if player is not None and owner.get(name, player) == player:
            played.setdefault(player, []).append(card)
    holdings = dict.fromkeys(SEATS, _NOTHING_KNOWN)
    for seat in SEATS:
        if seat in hands or seat in deal or seat in played:
            holdings[seat] = _holding(seat, deal.get(seat), hands.get(seat), played.get(seat, ()), play.unlisted)
    return holdings


def _owners(deal: Mapping[str, Hand], hands: Mapping[str, Hand]) -> dict[str, str]:
    """Whose each listed card is; a card listed again, or in two hands, is a fault where it stands the second time."""
    owner: dict[str, str] = {}
    if not (deal and hands):
        # Mostly nothing is wrong with the hands, which is soon seen.
        listed = 0
        largest = 0
        for seat, (_, cards) in (deal or hands).items():
            owner.update(dict.fromkeys(cards.names, seat))
            listed += len(cards.names)
            largest = max(largest, len(cards.names))
        if len(owner) == listed and largest <= DEALT:
            return owner
        owner.clear()
    dealt = {seat: _names(hand) for seat, hand in deal.items()}
    for source in (deal, hands):
        for seat, hand in source.items():
            seen: set[str] = set()
            for name, at in hand.cards.each():
                other = owner.setdefault(name, seat)
                if name in seen:
                    _fault(name, at, "stands twice in {0}'s hand", "write each card once", seat)
                elif other != seat and source is hands and name in dealt.get(other, ()):
                    _fault(name, at, "is in {0}'s hand, but the deal gives it to {1}", _EITHER, seat, other)
                elif other != seat:
                    _fault(name, at, "is in {0}'s hand and in {1}'s", "leave it in one of the two", seat, other)
                elif source is hands and seat in dealt and name not in dealt[seat]:
                    _fault(name, at, "is in {0}'s hand, but the deal does not give it to {0}", _EITHER, seat)
                seen.add(name)
            if len(seen) > DEALT:
                hand.entry.fault(f"{SEAT_NAMES[seat]}'s hand has {len(seen)} cards", "a hand has 13 cards")
    return owner


def _fault(name: str, at: Entry, message: str, hint: str, *seats: str) -> None:
    at.fault(f"{card_symbol(name)} {message.format(*(SEAT_NAMES[seat] for seat in seats))}", hint)


def _check_played(owner: Mapping[str, str], played: Sequence[PlayedCard]) -> None:
    first: dict[str, int] = {}
    for name, at, player, trick in played:
        if name in first:
            at.fault(f"{card_symbol(name)} is played twice, to trick {first[name]} and to trick {trick}", _EITHER)
        elif player and owner.get(name, player) != player:
            at.fault(
                f"{SEAT_NAMES[player]} played {card_symbol(name)}, but it is in {SEAT_NAMES[owner[name]]}'s hand",
                "correct the trick, who led to it, or the hand",
            )
        first.setdefault(name, trick)


def _holding(seat: str, deal: Hand | None, hand: Hand | None, played: Sequence[PlayedCard], unlisted: int) -> Holding:
    """What is left of a hand, which may be listed as dealt, as held now, or as held at any time between.

    Each of the 13 cards dealt is one of three: in the hand now, played to a trick that is listed, or played to one of
    the `unlisted` tricks before those, where each player played one card that nobody wrote down. A card that was
    listed and is not known to have been played counts as held: a hand listed before tricks that are not listed would
    claim too much, so the counts must fit.

    INVARIANT: known + unlisted <= 13, where known are the cards listed or played, each counted once however often it
    was written. It is exactly 13 if and only if every card that the hand holds now is known.
    """
    dealt = _names(deal)
    listed = dealt | _names(hand) if hand else dealt
    if len(dealt) == DEALT and unlisted:
        # The deal tells what the hand once held, but not which of it went to the unlisted tricks.
        listed = _names(hand)
    gone = {card[0] for card in played}
    if not listed and not gone:
        return _NOTHING_KNOWN
    known = len(listed | gone)
    # The card is at fault where the hand has no room for any other; otherwise the hand is.
    full = dealt if len(dealt) == DEALT else listed if len(listed) + unlisted == DEALT else None
    strangers = [card for card in played if full is not None and card.name not in full]
    for card in strangers:
        card.entry.fault(
            f"{SEAT_NAMES[seat]} played {card_symbol(card.name)}, but all of {SEAT_NAMES[seat]}'s cards are "
            "listed, and it is not among them",
            "correct the trick, who led to it, or the hand",
        )
    given = hand or deal
    if given and not strangers and known + unlisted > DEALT >= len(listed):
        room = DEALT - unlisted - len(gone - listed)
        given.entry.fault(
            f"{SEAT_NAMES[seat]}'s hand has {len(listed)} card{'' if len(listed) == 1 else 's'}, but there is room for "
            f"{room or 'none'}",
            _room_hint(len(gone - listed), unlisted, len(listed) - room),
        )
    return Holding(tuple(sorted(listed - gone, key=card_order)), known + unlisted == DEALT)


def _names(hand: Hand | None) -> set[str]:
    return set(hand.cards.names) if hand else set()


def _room_hint(others: int, unlisted: int, excess: int) -> str:
    reasons = []
    if others:
        reasons.append("1 other was played" if others == 1 else f"{others} others were played")
    if unlisted:
        reasons.append(
            "1 earlier trick is not listed" if unlisted == 1 else f"{unlisted} earlier tricks are not listed"
        )
    hint = f"list the cards held now: {' and '.join(reasons)}"
    # A hand with one card too many may be right all the same, and then the tricks have to show it.
    if unlisted and excess == 1:
        hint += "; if it put no card to one, list them from there on with - for its card, or leave the hand out"
    return hint
