"""Follow the cards of a record: who played what to which trick, and where that went another way than usual.

What is found here is card arithmetic, and only a suspicion: whether it breaks a law is for the law to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto

from bridgelaws import notation
from bridgelaws.audit.record import LEAD_MARK, REVOKE_MARK, PenaltyNote, Record, Row, Written
from bridgelaws.table.play import ROTATION, TRICKS, trick_winner


class Kind(StrEnum):
    """What an audit can find."""

    revoke = auto()
    lead_out_of_turn = auto()
    play_out_of_turn = auto()
    card_not_held = auto()
    fifth_card = auto()
    penalty_card_not_played = auto()


CARDS, MARK = "cards", "mark"
# Columns in which so many cards are not where the deal has them are no columns.
_ASTRAY = 4


@dataclass(frozen=True, slots=True)
class Move:
    """A card that was put on the table. `counts` unless it was one too many, or a lead that was taken back."""

    trick: int
    player: str
    written: Written
    counts: bool = True
    sound: bool = True

    @property
    def card(self) -> str:
        return self.written.card


@dataclass(frozen=True, slots=True)
class Suspect:
    """Something out of the usual at the move with number `at`.

    `shown_by` tells whether the cards show it, or a mark in the record, or both. `instead` is the hand that was to
    play, or that has the card; `earlier` the trick to which the card had been played already. `taken_back`: a lead
    after which the right hand led. `next_at` is the number of the move that answered a lead, if one did.
    """

    kind: Kind
    at: int
    shown_by: tuple[str, ...]
    instead: str | None = None
    earlier: int | None = None
    taken_back: bool = False
    next_at: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader of the audit should know about the record, although it is no irregularity."""

    line: int
    text: str


@dataclass(frozen=True)
class Course:
    """The play of a record, in its order. `leaders` are those who led to each trick."""

    record: Record
    moves: tuple[Move, ...] = ()
    leaders: tuple[str, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    remarks: tuple[Remark, ...] = ()
    over: bool = False

    def held(self, seat: str, at: int) -> tuple[str, ...] | None:
        """What is left of the hand before the move with this number; `None` if that is not known."""
        dealt = self.record.dealt.get(seat)
        before = [move for move in self.moves[:at] if move.player == seat and move.counts]
        if dealt is None or not all(move.sound for move in before):
            return None
        gone = {move.card for move in before}
        return tuple(card for card in dealt if card not in gone)


def follow(record: Record) -> Course:
    """The course of the play, with everything in it that is out of the usual, in its order."""
    if record.contract is None or record.declarer is None:
        return Course(record)
    if record.groups:
        return _Follower(record).in_order(record.groups)
    course = _Follower(record).in_columns(record.rows)
    if sum(each.kind == Kind.card_not_held for each in course.suspects) >= _ASTRAY and len(record.dealt) == len(
        notation.SEATS
    ):
        ordered = tuple((*row.cards.values(), *row.beyond) for row in record.rows)
        other = _Follower(record).in_order(ordered)
        if all(each.kind == Kind.revoke for each in other.suspects):
            text = "the rows are in the order of play, not in columns by seat; they were read so"
            return replace(other, remarks=(Remark(record.line, text), *other.remarks))
    return course


@dataclass
class _Unfollowed:
    """A card not of the suit led: how many of that suit the player is known to have held, and how many of his cards
    are in doubt because the record has him play cards that he did not hold."""

    at: int
    suit: str
    known: int
    doubt: int


class _Follower:
    def __init__(self, record: Record) -> None:
        assert record.declarer
        self.record = record
        self.moves: list[Move] = []
        self.suspects: list[Suspect] = []
        self.remarks: list[Remark] = []
        self.unfollowed: list[_Unfollowed] = []
        self.leaders: list[str] = []
        self.trick: dict[str, str] = {}
        self.number = 1
        self.to_lead: str = notation.left(record.declarer)
        self.held = {seat: set(cards) for seat, cards in record.dealt.items()}
        self.owner = {card: seat for seat, cards in record.dealt.items() for card in cards}
        self.gone: dict[str, int] = {}
        self.loose: set[str] = set()
        self.doubt = dict.fromkeys(notation.SEATS, 0)

    # Columns: the seats are known, the order follows from who led.

    def in_columns(self, rows: Sequence[Row]) -> Course:
        for row in rows:
            if not self._row(row):
                break
        return self._course()

    def _row(self, row: Row) -> bool:
        """Follow one trick; `False` if nothing after it can be followed."""
        marked = [seat for seat in ROTATION[self.to_lead] if LEAD_MARK in row.cards.get(seat, _NOTHING).mark]
        for seat in marked[1:]:
            self._remark(row.cards[seat], "a second lead to the same trick is marked; the first was followed")
        leader = marked[0] if marked else self._first_lead(row)
        known = [seat for seat in ROTATION[leader] if seat in row.cards]
        if not known:
            return False
        in_turn = list(ROTATION[leader][: len(known)])
        for seat in in_turn:
            if seat not in row.cards:
                break
            self._play(seat, row.cards[seat])
        if known != in_turn:
            missing = next(seat for seat in in_turn if seat not in row.cards)
            text = f"the card of {_name(missing)} to trick {self.number} is not known; nothing after it was followed"
            self._remark(row.cards[known[0]], text)
            return False
        for card in row.beyond:
            self._fifth(card)
        return not self.trick

    def _first_lead(self, row: Row) -> str:
        """Who led: the hand on lead, but to the first trick the one that the record names."""
        named = self.record.first
        return named if self.number == 1 and named and named in row.cards else self.to_lead

    # In order: the order is known, and who played a card is who held it.

    def in_order(self, groups: Sequence[Sequence[Written]]) -> Course:
        lengths = [len(group) for group in groups]
        in_tricks = lengths.count(4) >= lengths.count(5)
        loose = [card for group in groups for card in group]
        at = 0
        for group in groups:
            end = at + len(group)
            is_five = in_tricks and len(group) == 5 and not self.trick
            trick = self.number
            while at < end:
                if self.number > TRICKS:
                    self._remark(loose[at], "cards stand after the last trick; they were not followed")
                    return self._course()
                if is_five and self.number > trick:
                    self._fifth(loose[at])
                else:
                    self._next(loose, at, end if is_five else None)
                at += 1
        return self._course()

    def _next(self, cards: Sequence[Written], at: int, end: int | None) -> None:
        card = cards[at]
        holder = self._holder(card.card)
        if not self.trick:
            if holder and holder != self.to_lead and self._taken_back(cards, at, holder, end):
                self._withdrawn(holder, card)
            else:
                self._play(holder or self.to_lead, card)
            return
        expected = self._expected()
        if holder is None or holder == expected:
            self._play(expected, card)
        elif holder in self.trick:
            self._extra(holder, card)
        else:
            lead = self.suspects[-1] if self.suspects else None
            if not (lead and lead.kind == Kind.lead_out_of_turn and lead.at == len(self.moves) - 1):
                self.suspects.append(Suspect(Kind.play_out_of_turn, len(self.moves), (CARDS,), instead=expected))
            self._play(holder, card)

    def _taken_back(self, cards: Sequence[Written], at: int, holder: str, end: int | None) -> bool:
        """Whether the right hand led after this lead, and all played to that, the player out of turn once more."""
        following = [self._holder(card.card) for card in cards[at + 1 : at + 5]]
        enough = following == list(ROTATION[self.to_lead])
        return enough and (end == at + 5 or notation.left(holder) != self.to_lead)

    def _withdrawn(self, holder: str, card: Written) -> None:
        found = Suspect(Kind.lead_out_of_turn, len(self.moves), (CARDS,), instead=self.to_lead, taken_back=True)
        self.suspects.append(found)
        self.moves.append(Move(self.number, holder, card, counts=False))

    def _expected(self) -> str:
        return next(seat for seat in ROTATION[self.leaders[-1]] if seat not in self.trick)

    def _holder(self, card: str) -> str | None:
        seat = self.owner.get(card)
        return seat if seat and card in self.held[seat] else None

    # What both have in common.

    def _play(self, seat: str, written: Written) -> None:
        at, card = len(self.moves), written.card
        leads = not self.trick
        if leads:
            self._lead(seat, written)
        sound = self._was_held(seat, written)
        self.moves.append(Move(self.number, seat, written, sound=sound))
        if not leads:
            self._answered(at)
            suit_led = next(iter(self.trick.values()))[0]
            if card[0] != suit_led and sound:
                known = [each for each in self.held.get(seat, ()) if each[0] == suit_led and each not in self.loose]
                self.unfollowed.append(_Unfollowed(at, suit_led, len(known), self.doubt[seat]))
            elif REVOKE_MARK in written.mark:
                self._remark(written, f"{_named(seat, card)} is marked as a revoke, but it follows suit")
        elif REVOKE_MARK in written.mark:
            self._remark(written, f"{_named(seat, card)} is marked as a revoke, but it was led")
        if sound:
            self.held.get(seat, set()).discard(card)
            self.loose.discard(card)
        else:
            self.doubt[seat] += 1
            self.loose.add(card)
        self.gone.setdefault(card, self.number)
        self.trick[seat] = card
        if len(self.trick) == len(notation.SEATS):
            self._complete()

    def _lead(self, seat: str, written: Written) -> None:
        marked = LEAD_MARK in written.mark
        # Declarer became dummy after this very lead: it was in turn only for the hand that plays the board now.
        swapped = self.number == 1 and self.record.swapped
        if seat != self.to_lead or swapped:
            named = self.number == 1 and seat == self.record.first
            shown = (MARK,) if marked or swapped or named else (CARDS,)
            proper = notation.partner(self.to_lead) if swapped else self.to_lead
            self.suspects.append(Suspect(Kind.lead_out_of_turn, len(self.moves), shown, instead=proper))
        elif marked:
            self._remark(written, f"{_named(seat, written.card)} is marked as a lead out of turn, but it was in turn")
        self.leaders.append(seat)

    def _answered(self, at: int) -> None:
        lead = self.suspects[-1] if self.suspects else None
        if lead and lead.kind == Kind.lead_out_of_turn and lead.at == at - 1 and not lead.taken_back:
            self.suspects[-1] = replace(lead, next_at=at)

    def _was_held(self, seat: str, written: Written) -> bool:
        card = written.card
        if card in self.held.get(seat, ()):
            return True
        owner, earlier = self.owner.get(card), self.gone.get(card)
        if seat in self.held or owner is not None or earlier is not None:
            has_it = owner if owner != seat else None
            self.suspects.append(
                Suspect(Kind.card_not_held, len(self.moves), (CARDS,), instead=has_it, earlier=earlier)
            )
            return False
        return True

    def _complete(self) -> None:
        leader = self.leaders[-1]
        in_order = {seat: self.trick[seat] for seat in ROTATION[leader]}
        self.to_lead = trick_winner(in_order, self.record.contract) or leader
        self.number += 1
        self.trick = {}

    def _fifth(self, card: Written) -> None:
        """A card beyond the four of the trick that was just completed."""
        holder = self._holder(card.card)
        if holder is None:
            text = f"{notation.card_symbol(card.card)} is a fifth card to trick {self.number - 1}, and nobody held it"
            self._remark(card, text)
            return
        self._extra(holder, card, self.number - 1)

    def _extra(self, holder: str, card: Written, trick: int | None = None) -> None:
        self.suspects.append(Suspect(Kind.fifth_card, len(self.moves), (CARDS,)))
        self.moves.append(Move(trick or self.number, holder, card, counts=False))
        self.loose.add(card.card)

    def _remark(self, written: Written, text: str) -> None:
        self.remarks.append(Remark(written.line, text))

    def _course(self) -> Course:
        found = [*self.suspects, *self._revokes()]
        found.sort(key=lambda each: each.at)
        over = self.record.over or self.number > TRICKS
        unknown = [seat for seat in notation.SEATS if seat not in self.record.dealt]
        if unknown and self.moves:
            whose = (
                "the deal is not" if len(unknown) == 4 else f"the hand of {' and of '.join(map(_name, unknown))} is not"
            )
            text = f"{whose} known; only what was played later shows what could have been played"
            self.remarks.append(Remark(self.record.line, text))
        return Course(self.record, tuple(self.moves), tuple(self.leaders), tuple(found), tuple(self.remarks), over)

    def _revokes(self) -> Iterable[Suspect]:
        for each in self.unfollowed:
            move = self.moves[each.at]
            marked = REVOKE_MARK in move.written.mark
            later = any(
                other.player == move.player and other.sound and other.counts and other.card[0] == each.suit
                for other in self.moves[each.at + 1 :]
            )
            could = later or each.known > each.doubt
            if could:
                yield Suspect(Kind.revoke, each.at, (CARDS, MARK) if marked else (CARDS,))
            elif marked and move.player in self.held and not each.doubt:
                suit = notation.SUIT_NAMES[each.suit]
                text = f"{_named(move.player, move.card)} is marked as a revoke, but {_name(move.player)} had no {suit}"
                self._remark(move.written, text)
            elif marked:
                yield Suspect(Kind.revoke, each.at, (MARK,))


def noted_before(course: Course, note: PenaltyNote) -> int:
    """The number of the first move after the remark."""
    if note.after is None:
        return 0
    return next((at + 1 for at, move in enumerate(course.moves) if move.written is note.after), len(course.moves))


def holder_of(record: Record, card: str) -> str | None:
    """Who was dealt the card, if that is known."""
    return next((seat for seat, cards in record.dealt.items() if card in cards), None)


def tricks_before(course: Course, at: int) -> list[tuple[str, list[str]]]:
    """The tricks as they lie before this move: who led, and the cards in turn from there.

    Of a trick to which a card was played out of turn only those before the gap are told.
    """
    played: list[dict[str, str]] = []
    for move in course.moves[:at]:
        if move.counts:
            while len(played) < move.trick:
                played.append({})
            played[move.trick - 1][move.player] = move.card
    return [(leader, _in_turn(leader, cards)) for leader, cards in zip(course.leaders, played, strict=False)]


def _in_turn(leader: str, cards: Mapping[str, str]) -> list[str]:
    found = []
    for seat in ROTATION[leader]:
        if seat not in cards:
            break
        found.append(cards[seat])
    return found


_NOTHING = Written("", 0)


def _name(seat: str) -> str:
    return notation.SEAT_NAMES[seat]


def _named(seat: str, card: str) -> str:
    return f"{_name(seat)}'s {notation.card_symbol(card)}"
