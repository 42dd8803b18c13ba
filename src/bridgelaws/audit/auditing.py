"""Audit a record: follow it, have the law decide on what was found, and have it ruled on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bridgelaws import notation
from bridgelaws.audit import incidents
from bridgelaws.audit.following import (
    CARDS,
    MARK,
    Course,
    Kind,
    Move,
    Remark,
    Suspect,
    follow,
    holder_of,
    noted_before,
)
from bridgelaws.audit.incidents import Data, Incident, Report, field_for, told, told_of
from bridgelaws.audit.record import PenaltyNote, Record
from bridgelaws.book import Lawbook
from bridgelaws.errors import CaseError, Diagnostic
from bridgelaws.notation import SEAT_NAMES, SUIT_NAMES, card_symbol
from bridgelaws.ruling.ruling import Plays, Ruling
from bridgelaws.table.case import Case
from bridgelaws.table.table import role

# A revoke is established within the next trick, if the cards establish it at all.
_SOON = 8
# Each penalty card of which it is open how it was exposed multiplies what the law has to look at.
_MOST_OPEN = 2


@dataclass(frozen=True)
class Irregularity:
    """Something irregular that a record shows, with the ruling on it; `established` is the move that established it.

    There is no ruling on what the law has no word for, and `problems` say why a ruling could not be given.
    """

    kind: Kind
    at: int
    move: Move
    shown_by: tuple[str, ...]
    text: str
    established: Move | None = None
    case: Data | None = None
    ruling: Ruling | None = None
    problems: tuple[Diagnostic, ...] = ()

    def to_json(self) -> dict[str, Any]:
        established = self.established
        return {
            "kind": self.kind.value,
            "player": self.move.player,
            "card": self.move.card,
            "trick": self.move.trick,
            "line": self.move.written.line,
            "shown_by": list(self.shown_by),
            "text": self.text,
            "established": {"trick": established.trick, "player": established.player, "card": established.card}
            if established
            else None,
            "case": self.case,
            "ruling": self.ruling.to_json() if self.ruling else None,
            "errors": [each.to_json() for each in self.problems],
        }


@dataclass(frozen=True)
class Audit:
    """What an audit found on a board."""

    record: Record
    edition: str
    irregularities: tuple[Irregularity, ...]
    remarks: tuple[Remark, ...]
    tricks: int

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.record.board,
            "line": self.record.line,
            "edition": self.edition,
            "cards": self.record.written,
            "tricks": self.tricks,
            "irregularities": [each.to_json() for each in self.irregularities],
            "remarks": [{"line": each.line, "text": each.text} for each in self.remarks],
        }


def audit(record: Record, book: Lawbook) -> Audit:
    """Everything irregular that the record shows, in the order of play."""
    course = follow(record)
    auditor = _Auditor(course, book)
    found = auditor.irregularities()
    remarks = sorted((*course.remarks, *auditor.remarks), key=lambda remark: remark.line)
    complete = sum(move.counts for move in course.moves) // 4
    return Audit(record, book.edition, tuple(found), tuple(remarks), complete)


class _Auditor:
    def __init__(self, course: Course, book: Lawbook) -> None:
        self.course = course
        self.book = book
        self.remarks: list[Remark] = []
        # A card is exposed once, however often the record speaks of it.
        self.notes = list({note.card: note for note in reversed(course.record.penalty_notes)}.values())[::-1]

    def irregularities(self) -> list[Irregularity]:
        found = [each for each in self.course.suspects if each.kind != Kind.revoke or self._forbidden(each.at)]
        self.revokes = [each for each in found if each.kind == Kind.revoke]
        made: dict[Kind, Callable[[Suspect], Irregularity]] = {
            Kind.revoke: self._revoke,
            Kind.lead_out_of_turn: self._lead,
            Kind.play_out_of_turn: self._too_early,
            Kind.card_not_held: self._not_held,
            Kind.fifth_card: self._fifth,
        }
        irregular = [made[each.kind](each) for each in found]
        irregular += self._penalty_cards()
        return sorted(irregular, key=lambda each: each.at)

    # What the law says.

    def _ruled(self, cases: Sequence[Data]) -> tuple[Data | None, Ruling | None, tuple[Diagnostic, ...]]:
        """The ruling on the first of these that can be a case."""
        problems: tuple[Diagnostic, ...] = ()
        for data in cases:
            try:
                return data, self.book.rule(Case.from_data(data)), ()
            except CaseError as wrong:
                problems = problems or wrong.diagnostics
        return None, None, problems

    def _cases(
        self,
        at: int,
        reports: Sequence[Report] = (),
        choices: Sequence[Report] = (),
        *,
        over: bool = False,
        trick: int = 0,
        contract: str = "",
    ) -> list[Data]:
        """The case before this move, and the same without the hands, for a record that is at odds with its deal."""
        cases = []
        for with_hands in (True, False):
            table = incidents.table_before(self.course, at, over=over, with_hands=with_hands, trick=trick)
            data: Data = {"table": {**table, "contract": contract} if contract else table}
            if reports:
                data["reports"] = [dict(each) for each in reports]
            if choices:
                data["choices"] = [dict(each) for each in choices]
            cases.append(data)
        return cases

    def _plays(self, at: int, reports: Sequence[Report] = ()) -> Plays | None:
        """What the law lets the player of this move play before it; `None` if that is not known."""
        move = self.course.moves[at]
        _, ruling, _ = self._ruled(self._cases(at, reports, trick=move.trick)[:1])
        found = next((each for each in ruling.plays if each.player == move.player), None) if ruling else None
        return found if found and found.complete else None

    def _forbidden(self, at: int) -> bool:
        """Whether the law forbade the card, as far as the hand is known; else what the record shows must do."""
        plays = self._plays(at)
        card = self.course.moves[at].card
        return plays is None or card not in plays.may

    # Each kind.

    def _made(
        self,
        found: Suspect,
        text: str,
        ruled: tuple[Data | None, Ruling | None, tuple[Diagnostic, ...]] = (None, None, ()),
        established: Move | None = None,
    ) -> Irregularity:
        move = self.course.moves[found.at]
        return Irregularity(found.kind, found.at, move, found.shown_by, text, established, *ruled)

    def _revoke(self, found: Suspect) -> Irregularity:
        course = self.course
        move = course.moves[found.at]
        end = self._sound_until(found.at + 1)
        reports = self._reports_of_revokes(end)
        ruled = self._ruled(self._cases(end, reports, over=course.over, trick=move.trick))
        established = self._established(found, end) if ruled[1] else None
        led = next(each for each in course.moves if each.trick == move.trick and each.counts).card[0]
        text = f"{_plays_to(move)} and does not follow to {SUIT_NAMES[led]}"
        text += ", although he could" if CARDS in found.shown_by else ""
        text += "; the record marks it as a revoke" if MARK in found.shown_by else ""
        if established:
            text += f"; it was established when {_plays_to(established, 'played')}"
        return self._made(found, text, ruled, established)

    def _established(self, found: Suspect, end: int) -> Move | None:
        """The move with which the law holds the revoke established."""
        course = self.course
        move = course.moves[found.at]
        ((kind, fields),) = told_of(found.kind, move).settled.items()
        for at in range(found.at + 1, min(found.at + _SOON, end)):
            _, ruling, _ = self._ruled(self._cases(at + 1, self._reports_of_revokes(at + 1), trick=move.trick))
            if ruling and any(
                each.kind == kind and {**each.fields, **fields} == each.fields for each in ruling.findings
            ):
                return course.moves[at]
        return None

    def _reports_of_revokes(self, end: int) -> list[Report]:
        """All revokes before this move: what one costs may depend on another."""
        before = [self.course.moves[each.at] for each in self.revokes if each.at < end]
        return [report for move in before for report in told_of(Kind.revoke, move).reports]

    def _sound_until(self, at: int) -> int:
        """The number of the first move from here on that nobody can have made, or of the end."""
        moves = self.course.moves
        return next((place for place in range(at, len(moves)) if not moves[place].sound), len(moves))

    def _lead(self, found: Suspect) -> Irregularity:
        course = self.course
        move, after = course.moves[found.at], found.next_at
        text = f"{SEAT_NAMES[move.player]} leads {card_symbol(move.card)} to trick {move.trick}"
        text += f", but the lead is {SEAT_NAMES[found.instead or '']}'s"
        incident = told_of(found.kind, move)
        at, contract = found.at, ""
        if course.record.swapped and move.trick == 1 and course.record.contract and course.record.declarer:
            declarer = notation.partner(course.record.declarer)
            contract = incidents.contract_text(course.record.contract, declarer)
            incident = told_of(f"{found.kind}_and_dummy", move)
            text += f", and declarer, {SEAT_NAMES[declarer]}, becomes dummy"
        elif found.taken_back:
            text += "; it is taken back"
        elif after is not None and course.moves[after].player == notation.left(move.player):
            text += f"; {SEAT_NAMES[course.moves[after].player]} plays to it"
            at = after + 1
        elif after is not None:
            other = course.moves[after]
            text += f"; then {_plays_to(other)}"
            incident = told_of(f"{found.kind}_and_another", move, other=other.player, other_card=other.card)
        cases = self._cases(at, incident.reports, incident.choices, trick=move.trick, contract=contract)
        return self._made(found, text, self._ruled(cases))

    def _too_early(self, found: Suspect) -> Irregularity:
        move = self.course.moves[found.at]
        text = f"{_plays_to(move)}, but it is {SEAT_NAMES[found.instead or '']}'s turn"
        return self._made(found, text, self._reported(found, told_of(found.kind, move)))

    def _fifth(self, found: Suspect) -> Irregularity:
        move = self.course.moves[found.at]
        text = f"{SEAT_NAMES[move.player]}'s {card_symbol(move.card)} is one card too many to trick {move.trick}"
        return self._made(found, text, self._reported(found, told_of(found.kind, move)))

    def _not_held(self, found: Suspect) -> Irregularity:
        move = self.course.moves[found.at]
        text = _plays_to(move)
        if found.earlier:
            text += f", which was played to trick {found.earlier}"
        elif found.instead:
            text += f", which is in {SEAT_NAMES[found.instead]}'s hand"
        else:
            text += ", which is not in the hand"
        if role(move.player, self.course.record.declarer) == "dummy":
            return self._made(found, text, self._reported(found, told("card_not_in_dummy", card=move.card)))
        return self._made(found, text)

    def _reported(
        self, found: Suspect, incident: Incident
    ) -> tuple[Data | None, Ruling | None, tuple[Diagnostic, ...]]:
        return self._ruled(self._cases(found.at, incident.reports, trick=self.course.moves[found.at].trick))

    # Penalty cards, where the record notes one.

    def _penalty_cards(self) -> list[Irregularity]:
        found: dict[int, Irregularity] = {}
        for note in self.notes:
            holder = holder_of(self.course.record, note.card)
            if holder is None:
                text = f"nobody knows whose penalty card {card_symbol(note.card)} is: the deal does not tell"
                self.remarks.append(Remark(note.line, text))
                continue
            for at in range(noted_before(self.course, note), len(self.course.moves)):
                move = self.course.moves[at]
                if move.player != holder or not move.counts or at in found:
                    continue
                if move.card == note.card:
                    break
                irregular = self._other_card(at, note, holder)
                if irregular:
                    found[at] = irregular
        return list(found.values())

    def _other_card(self, at: int, note: PenaltyNote, holder: str) -> Irregularity | None:
        """What it comes to that the holder of a penalty card played another card."""
        course = self.course
        move = course.moves[at]
        held = course.held(holder, at)
        noted = [
            each for each in self.notes if noted_before(course, each) <= at and held is not None and each.card in held
        ]
        if sum(self._manner(each) is None for each in noted) > _MOST_OPEN:
            text = f"{SEAT_NAMES[holder]} has several penalty cards, and the notes do not say how they were exposed"
            self._remark_once(note, text)
            return None
        reports = [report for each in noted for report in self._noted(each, holder).reports]
        without, with_note = self._plays(at), self._plays(at, reports)
        if without is None or with_note is None or move.card not in without.may or move.card in with_note.may:
            return None
        if move.card in with_note.undecided:
            text = (
                f"whether {SEAT_NAMES[holder]} had to play the penalty card {card_symbol(note.card)} to trick "
                f"{move.trick} depends on how it was exposed, and the note does not say that"
            )
            self.remarks.append(Remark(note.line, text))
            return None
        due = [each.card for each in noted if each.card in with_note.may]
        required = due[0] if len(due) == 1 else None
        side = notation.side_of(course.record.declarer or "N")
        end = next(
            (
                place + 1
                for place in range(at + 1, len(course.moves))
                if notation.side_of(course.moves[place].player) == side and course.moves[place].counts
            ),
            len(course.moves),
        )
        reports += told_of(Kind.penalty_card_not_played, move, required=required).reports
        ruled = self._ruled(self._cases(min(end, self._sound_until(at + 1)), reports, trick=move.trick))
        cards = " or ".join(card_symbol(card) for card in due) or card_symbol(note.card)
        text = f"{_plays_to(move)} when the penalty card {cards} was due"
        return Irregularity(Kind.penalty_card_not_played, at, move, (CARDS, "note"), text, None, *ruled)

    def _noted(self, note: PenaltyNote, holder: str) -> Incident:
        """What the note tells; how the card was exposed, if it says that in the words of the vocabulary."""
        at, moves = noted_before(self.course, note), self.course.moves
        # The card lay there by the last card before the note: between two tricks it is not of the one that follows.
        trick = moves[max(at - 1, 0)].trick
        return told("noted", player=holder, card=note.card, trick=trick, manner=self._manner(note))

    def _manner(self, note: PenaltyNote) -> str | None:
        kind, label = field_for("noted", "manner")
        said = " ".join(note.text.lower().split())
        manners = map(str, self.book.law.vocabulary[kind].fields[label].type.domain)
        return next((each for each in manners if each.replace("_", " ") in said), None)

    def _remark_once(self, note: PenaltyNote, text: str) -> None:
        remark = Remark(note.line, text)
        if remark not in self.remarks:
            self.remarks.append(remark)


def _plays_to(move: Move, verb: str = "plays") -> str:
    return f"{SEAT_NAMES[move.player]} {verb} {card_symbol(move.card)} to trick {move.trick}"
