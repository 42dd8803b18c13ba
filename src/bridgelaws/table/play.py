"""The play: tricks as they are typed, who led to each, who won it, and who has the lead now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bridgelaws import notation
from bridgelaws.errors import nearest
from bridgelaws.table.contract import Contract, Declarer
from bridgelaws.table.hands import NO_CARD, Cards, read_cards
from bridgelaws.table.reading import Entry, quoted

TRICKS = 13
ROTATION = {seat: (seat, notation.left(seat), notation.partner(seat), notation.right(seat)) for seat in notation.SEATS}
_PLACES = {leader: {seat: place for place, seat in enumerate(seats, start=1)} for leader, seats in ROTATION.items()}

_TRICK_HINT = "write the leader and the cards, as 'W: S4 S2 SK SA'"
# The number that follows the last trick says that all have been played.
_ALL_PLAYED = TRICKS + 1
_NUMBER_HINT = "write the number of the trick in progress or about to begin, 1 to 13; or 14 when all have been played"
_TRICK_KEYS = ("leader", "cards")


class Trick(NamedTuple):
    """A trick; `winner` is `None` while it is in progress, or if nobody can tell because trumps are not known.

    `missing` are the hands that played no card to it although the others have completed it.
    """

    number: int
    leader: str
    cards: tuple[str, ...]
    winner: str | None
    missing: tuple[str, ...] = ()

    @property
    def suit_led(self) -> str:
        return self.cards[0][0]

    @property
    def is_complete(self) -> bool:
        return len(self.cards) + len(self.missing) == 4

    @property
    def players(self) -> tuple[str, ...]:
        """Who played each of the cards."""
        if not self.missing:
            return ROTATION[self.leader][: len(self.cards)]
        return tuple(seat for seat in ROTATION[self.leader] if seat not in self.missing)

    def position(self, player: str) -> int:
        """The place of a hand in the trick, the leader's being the first."""
        return _PLACES[self.leader][player]

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who has yet to play, the next in turn first."""
        return ROTATION[self.leader][len(self.cards) :]


class TypedTrick(NamedTuple):
    """A trick as typed; `misread` if a part of it could not be read or cannot be so."""

    entry: Entry
    leader: str | None
    cards: Cards
    misread: bool


class PlayedCard(NamedTuple):
    """A card that was played to a trick, where it was typed, and who played it (`None` if that is not to be found)."""

    name: str
    entry: Entry
    player: str | None
    trick: int


# Up to 52 cards were played: this makes a named tuple in a third of the time.
_PLAYED: Callable[[tuple[str, Entry, str | None, int]], PlayedCard] = partial(tuple.__new__, PlayedCard)


class Play(NamedTuple):
    """The tricks, the number of the one now in progress or about to begin, and who has the lead to it.

    `unlisted` counts the tricks before the first that was listed; it is `None` if that could not be read.
    """

    tricks: tuple[Trick, ...]
    cards: tuple[PlayedCard, ...]
    unlisted: int | None
    now: int
    leader: str | None


def read_tricks(entry: Entry, declarer: Declarer) -> tuple[TypedTrick, ...]:
    if not isinstance(entry.value, list):
        entry.misplaced("the tricks belong", "write a list, each trick as 'W: S4 S2 SK SA'")
        return (TypedTrick(entry, None, Cards(), misread=True),)
    if len(entry.value) > TRICKS:
        entry.child(TRICKS).fault("there are more than 13 tricks", "remove those that were not played")
    tricks: list[TypedTrick] = []
    for child in list(entry.listed())[:TRICKS]:
        problems = len(child.problems)
        leader, cards = _leader_and_cards(child, declarer)
        names = cards.names
        is_last = len(tricks) + 1 == len(entry.value)
        if len(names) > 4:
            cards.entries[4].fault(f"{len(names)} cards were played to this trick", "a trick has four cards")
        elif len(child.problems) == problems and not names:
            child.fault("no card was played to this trick", "leave it out; 'on_lead' says who is to lead")
        elif len(child.problems) == problems and len(names) < 4 and not is_last:
            only = "1 card was" if len(names) == 1 else f"{len(names)} cards were"
            hint = "write all four cards, with '-' for a hand that played none"
            child.fault(f"only {only} played to this trick, and it is not the last", hint)
        elif names and names[0] == NO_CARD:
            child.fault("whoever led to this trick played a card", "write it first, and '-' only for a later hand")
        elif len(names) < 4 and NO_CARD in names:
            hint = "leave it out, and report what was played out of turn"
            child.fault("'-' is for a card still missing when the others have played; this trick is in progress", hint)
        # A leader called 'dummy' is not known after a misread declarer, who was complained about already.
        misread = len(child.problems) > problems or (declarer.misread and leader is None)
        tricks.append(TypedTrick(child, leader, cards, misread))
    return tuple(tricks)


def read_number(entry: Entry) -> int | None:
    value = entry.value
    if isinstance(value, bool) or not isinstance(value, int):
        entry.misplaced("the number of a trick belongs", _NUMBER_HINT)
        return None
    if not 1 <= value <= _ALL_PLAYED:
        entry.fault(f"there is no trick {value}", _NUMBER_HINT)
        return None
    return value


def settle_play(
    typed: Sequence[TypedTrick],
    number: Entry | None,
    on_lead: tuple[Entry, str | None] | None,
    contract: Contract | None,
    declarer: Declarer,
) -> Play:
    """Number the tricks, follow the lead from each to the next, and complain where it is lost."""
    unlisted = _unlisted(typed, number)
    first = (unlisted or 0) + 1
    named = on_lead[1] if on_lead else None
    # What should follow from something misread is not known, and not the Director's second mistake.
    misread = declarer.misread or unlisted is None
    leader = notation.left(declarer.seat) if declarer.seat and unlisted == 0 else None
    excused = misread
    tricks: list[Trick] = []
    cards: list[PlayedCard] = []
    for trick_number, trick in enumerate(typed, start=first):
        names, entries = trick.cards
        in_progress = trick is typed[-1] and len(names) < 4
        leader = trick.leader or leader or (named if in_progress else None)
        if leader is None and not (excused or trick.misread or (in_progress and on_lead)):
            trick.entry.fault(f"nothing tells who led to trick {trick_number}", _TRICK_HINT)
        if leader is None or trick.misread:
            cards += [PlayedCard(name, at, None, trick_number) for name, at in trick.cards.each() if name != NO_CARD]
            leader, excused = None, True
            continue
        by_player = dict(zip(ROTATION[leader], names, strict=False))
        missing: tuple[str, ...] = ()
        if NO_CARD in names:
            missing = tuple(player for player, name in by_player.items() if name == NO_CARD)
            by_player = {player: name for player, name in by_player.items() if name != NO_CARD}
        cards += [
            _PLAYED((name, at, player, trick_number))
            for name, at, player in zip(names, entries, ROTATION[leader], strict=False)
            if name != NO_CARD
        ]
        winner = trick_winner(by_player, contract) if len(names) == 4 else None
        tricks.append(Trick(trick_number, leader, tuple(by_player.values()), winner, missing))
        if not in_progress:
            leader, excused = winner, misread
    now = first + _complete(typed)
    if on_lead and named:
        _check_on_lead(on_lead[0], named, leader, now)
    return Play(tuple(tricks), tuple(cards), unlisted, now, None if now > TRICKS else leader or named)


def _complete(typed: Sequence[TypedTrick]) -> int:
    return len(typed) - (1 if typed and len(typed[-1].cards.names) < 4 else 0)


def _check_on_lead(entry: Entry, named: str, leader: str | None, now: int) -> None:
    if now > TRICKS:
        entry.fault("nobody is on lead: all 13 tricks have been played", "remove 'on_lead'")
    elif leader and leader != named:
        names = notation.SEAT_NAMES
        entry.fault(
            f"{names[named]} cannot be on lead: {names[leader]} has the lead to trick {now}",
            "correct one of the two, or write who led before the cards of the trick, as 'W: S4'",
        )


def _unlisted(typed: Sequence[TypedTrick], entry: Entry | None) -> int | None:
    """How many tricks were played before the first listed: the number now leads back from the last one."""
    if entry is None:
        return 0
    number = read_number(entry)
    if number is None or any(trick.misread for trick in typed):
        return None
    complete = _complete(typed)
    if complete < number:
        return number - 1 - complete
    listed = "1 complete trick is" if complete == 1 else f"{complete} complete tricks are"
    entry.fault(f"this cannot be trick {number}: {listed} listed", _NUMBER_HINT)
    return None


def _leader_and_cards(entry: Entry, declarer: Declarer) -> tuple[str | None, Cards]:
    value = entry.value
    if isinstance(value, dict):
        return _from_map(entry, declarer)
    if isinstance(value, str):
        name, colon, rest = value.partition(":")
        if colon:
            leader = declarer.seat_named(entry, name)
            typed = Entry(entry.document, entry.path, rest, entry.problems)
            return leader, read_cards(typed, "a trick belongs", gaps=True)
    return None, read_cards(entry, "a trick belongs", gaps=True)


def _from_map(entry: Entry, declarer: Declarer) -> tuple[str | None, Cards]:
    keys = [str(key) for key in entry.value]
    if len(keys) == 1 and keys[0] not in _TRICK_KEYS:
        # What stands in YAML when someone types `- W: S4 S2 SK SA` without quotes.
        ((key, child),) = entry.keyed()
        leader = declarer.seat_named(child, key, at_key=True)
        return leader, read_cards(child, "the cards of a trick belong", gaps=True)
    leader = None
    cards = Cards()
    for key, child in entry.keyed():
        if key == "cards":
            cards = read_cards(child, "the cards of a trick belong", gaps=True)
        elif key == "leader":
            text = child.text("the leader belongs", "write N, E, S or W")
            leader = None if text is None else declarer.seat_named(child, text)
        else:
            child.fault(f"a trick has no {quoted(key)}", nearest(key, _TRICK_KEYS), at_key=True)
    return leader, cards


def trick_winner(cards: Mapping[str, str], contract: Contract | None) -> str | None:
    """Who won, of the hands that played a card, in their order; `None` if that depends on trumps that are not known."""
    led = next(iter(cards.values()))[0]
    if contract is None and any(card[0] != led for card in cards.values()):
        return None
    trumps = contract.trumps if contract else None

    def worth(player: str) -> tuple[int, int]:
        """A discard counts nothing, and any trump more than any card of the suit led."""
        card = cards[player]
        return 2 if card[0] == trumps else card[0] == led, notation.RANK_OF[card]

    return max(cards, key=worth)
