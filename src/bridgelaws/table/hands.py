"""Cards, hands and deals as they are typed: suit first or rank first, run together or apart, or in PBN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bridgelaws import notation
from bridgelaws.table.contract import Declarer
from bridgelaws.table.reading import Entry, quoted

_SUIT = r"(?:SPADES?|HEARTS?|DIAMONDS?|CLUBS?|[CDHS♣♦♥♠♧♢♡♤])"
_RANK = r"(?:10|[2-9TJQKA])"
# Patterns are compiled when they are first needed, and kept by `re`: most tables need few of them.
# No letter is both a suit and a rank, so a word reads in one way only.
_SUIT_FIRST = rf"(?:{_SUIT}:?(?:-|{_RANK}*))+\Z"
_SUIT_AND_RANKS = rf"({_SUIT}):?(-|{_RANK}*)"
_RANK_FIRST = rf"(?:{_RANK}{_SUIT})+\Z"
_RANK_AND_SUIT = rf"({_RANK})({_SUIT})"
_RANKS = rf"{_RANK}+\Z"
_BETWEEN = r"[\s,;]+"

_CARD_HINT = "write the suit and the rank, as 'D8' or '♦8'"
_HAND_HINT = "write its cards, as 'SKJ852 HA', or in PBN, as 'AKQ..KT862.J3'"
_HANDS_HINT = "write a hand for each seat, as 'E: D8 DT'"
_DEAL_HINT = "write it as in PBN, 'N:AKQ..KT862.J3 …', four hands from that seat on, '-' for one not known"
_LONGEST_HAND = 80
_CARD_NAMES = frozenset(notation.CARDS)
_PBN_SUITS = ("S", "H", "D", "C")
_BY_RANK = tuple({card[1]: card for card in notation.CARDS if card[0] == suit} for suit in _PBN_SUITS)
# As programs print it. Whatever else may be meant is read with more patience.
_PBN_HAND = r"\.".join(["([2-9TJQKA]*)"] * 4) + r"\Z"


# Typed in a trick in place of the card of a hand that played none.
NO_CARD = "-"


class Cards(NamedTuple):
    """Cards in the order typed, and where each was typed; in a trick one can be `NO_CARD`."""

    names: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    def each(self) -> Iterator[tuple[str, Entry]]:
        return zip(self.names, self.entries, strict=True)


class Hand(NamedTuple):
    """The cards listed for a hand, all or some, and where."""

    entry: Entry
    cards: Cards


def read_cards(entry: Entry, belongs: str, *, voids: bool = False, gaps: bool = False) -> Cards:
    """The cards in a text, or in a list of texts, in the order typed; with `gaps`, `NO_CARD` may stand for one."""
    if isinstance(entry.value, list):
        return _together(
            _cards(child, text, voids=voids, gaps=gaps)
            for child in entry.listed()
            if (text := child.text("a card belongs", _CARD_HINT)) is not None
        )
    text = entry.text(belongs, "write its cards, as 'S4 S2 SK SA'")
    return Cards() if text is None else _cards(entry, text, voids=voids, gaps=gaps)


def _together(parts: Iterable[Cards]) -> Cards:
    names: list[str] = []
    entries: list[Entry] = []
    for part in parts:
        names += part.names
        entries += part.entries
    return Cards(tuple(names), tuple(entries))


def read_hands(entry: Entry, declarer: Declarer) -> dict[str, Hand]:
    """The hands that were given, by seat."""
    if not isinstance(entry.value, dict):
        entry.misplaced("the hands belong", _HANDS_HINT)
        return {}
    hands: dict[str, Hand] = {}
    first_key: dict[str, str] = {}
    for key, hand in entry.keyed():
        cards = _hand(hand)
        seat = declarer.seat_named(hand, key, at_key=True)
        if seat is None:
            continue
        if seat in hands:
            hand.fault(
                f"{notation.SEAT_NAMES[seat]}'s hand is given twice, as {quoted(first_key[seat])} and {quoted(key)}",
                "write all cards of a hand in one place",
                at_key=True,
            )
            continue
        hands[seat] = Hand(hand, cards)
        first_key[seat] = key
    return hands


def read_deal(entry: Entry) -> dict[str, Hand]:
    """The hands of a PBN deal by seat, without those not known."""
    text = entry.text("the deal belongs", _DEAL_HINT)
    if text is None:
        return {}
    first, colon, rest = text.partition(":")
    seat = notation.seat(first)
    if not colon or not seat:
        message = f"{quoted(first)} is not a seat" if colon else f"{quoted(text)} does not say whose hand is first"
        entry.fault(message, _DEAL_HINT)
        return {}
    hands = rest.split()
    if len(hands) != 4:
        number = "only one hand" if len(hands) == 1 else f"{len(hands) or 'no'} hands"
        entry.fault(f"the deal has {number}, not four", _DEAL_HINT)
        return {}
    deal = {}
    for hand in hands:
        cards = Cards() if hand == "-" else _pbn_hand(entry, hand)
        if cards.names:
            deal[seat] = Hand(entry, cards)
        seat = notation.left(seat)
    return deal


def _hand(entry: Entry) -> Cards:
    if isinstance(entry.value, dict):
        return _together(_suit_holding(key, holding) for key, holding in entry.keyed())
    if isinstance(entry.value, list):
        return read_cards(entry, "a hand belongs", voids=True)
    text = entry.text("a hand belongs", _HAND_HINT)
    if text is None or text.strip() == "-":
        return Cards()
    return _pbn_hand(entry, text) if "." in text else _cards(entry, text, voids=True)


def _suit_holding(key: str, entry: Entry) -> Cards:
    """One line of a hand written as a map: what stands in YAML when someone types `S: KJ852` without quotes."""
    suit = notation.suit(key)
    if not suit:
        entry.fault(f"{quoted(key)} is not a suit", "write S, H, D or C", at_key=True)
        return Cards()
    if isinstance(entry.value, int) and not isinstance(entry.value, bool):
        return _cards(entry, f"{suit}: {entry.value}", voids=True)
    text = entry.text("the ranks of a suit belong", "write them as 'KJ852', or '-' for none")
    return Cards() if text is None else _cards(entry, f"{suit}: {text.strip() or '-'}", voids=True)


def _pbn_hand(entry: Entry, text: str) -> Cards:
    as_printed = re.match(_PBN_HAND, text)
    if as_printed:
        names = [of_suit[rank] for of_suit, ranks in zip(_BY_RANK, as_printed.groups(), strict=True) for rank in ranks]
        return Cards(tuple(names), (entry,) * len(names))
    suits = [re.sub(_BETWEEN, "", ranks).upper() for ranks in text.split(".")]
    if len(suits) != 4:
        entry.fault(
            f"{quoted(text)} has {len(suits)} suits, not four", "write spades.hearts.diamonds.clubs, with three dots"
        )
        return Cards()
    names = []
    for suit, ranks in zip(_PBN_SUITS, suits, strict=True):
        if not ranks or ranks == "-":
            continue
        if not re.match(_RANKS, ranks):
            entry.fault(f"{quoted(ranks)} in {quoted(text)} are not ranks", _unreadable_hint(ranks))
            continue
        names += _names(suit, ranks)
    return Cards(tuple(names), (entry,) * len(names))


def _cards(entry: Entry, text: str, *, voids: bool, gaps: bool = False) -> Cards:
    names: Sequence[str] = text.split()
    if not _CARD_NAMES.issuperset(names):
        # Only single cards, as the program writes them, need not be taken apart.
        take_apart = _taken_apart if len(text) <= _LONGEST_HAND else _taken_apart.__wrapped__
        names, faults = take_apart(text, voids, gaps)
        for message, hint in faults:
            entry.fault(message, hint)
    return Cards(tuple(names), (entry,) * len(names))


@lru_cache(maxsize=4096)
def _taken_apart(text: str, voids: bool, gaps: bool) -> tuple[Sequence[str], Sequence[tuple[str, str]]]:
    """The cards in a text, and what in it is none; the hands of a board are typed for every call about it."""
    cards: list[str] = []
    faults: list[tuple[str, str]] = []
    suit: str | None = None
    # The word that named the suit, until a rank follows.
    waiting: str | None = None

    def no_longer_wait() -> None:
        if waiting:
            faults.append((f"no card follows {quoted(waiting)}", "write '-' for a void" if voids else _CARD_HINT))

    for word in re.split(_BETWEEN, text):
        capitals = word.upper()
        if not word:
            continue
        if re.match(_SUIT_FIRST, capitals) and (voids or "-" not in word):
            for name, ranks in re.findall(_SUIT_AND_RANKS, capitals):
                no_longer_wait()
                suit = notation.suit(name)
                waiting = None if ranks else word
                if ranks == "-":
                    suit = None
                elif suit:
                    cards += _names(suit, ranks)
        elif re.match(_RANK_FIRST, capitals):
            no_longer_wait()
            suit = waiting = None
            for rank, name in re.findall(_RANK_AND_SUIT, capitals):
                cards += _names(notation.suit(name) or "", rank)
        elif suit and re.match(_RANKS, capitals):
            cards += _names(suit, capitals)
            waiting = None
        elif voids and waiting and word == "-":
            suit = waiting = None
        elif gaps and not waiting and word == NO_CARD:
            cards.append(NO_CARD)
        else:
            faults.append((f"{quoted(word)} is not a card", _unreadable_hint(capitals)))
            waiting = None
    no_longer_wait()
    return cards, faults


@lru_cache(maxsize=4096)
def _names(suit: str, ranks: str) -> tuple[str, ...]:
    return tuple(f"{suit}{'T' if rank == '10' else rank}" for rank in re.findall(_RANK, ranks))


def _unreadable_hint(word: str) -> str:
    return "leave out the cards that are not known" if "X" in word else _CARD_HINT
