"""The table: the contract, the hands and the play, each asked for where the rules look at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bridgelaws import notation
from bridgelaws.errors import RefusedAnswer, quoted
from bridgelaws.interview.prompt import Prompt, Step, Taken, not_known
from bridgelaws.interview.record import Record
from bridgelaws.interview.rulings import Rulings
from bridgelaws.interview.useful import CLAIM, CONTRACT, HANDS, PLAY, search_is_useful, useful_parts
from bridgelaws.table.facts import TABLE_KINDS
from bridgelaws.table.table import STAGES

ASKED_FOR = ("table",)
PARTS = (CONTRACT, HANDS, PLAY)
_ROLES = ("declarer", "dummy")
_HAND = re.compile(r"(\w+)(?:\s*:\s*|\s+)(.+)\Z", re.DOTALL)
_NEXT_HAND = re.compile(r"\s*[,;]\s*(?=[^\W\d_]+\s*:)")
_DEAL = re.compile(r"\w+\s*:\s*(?:(?:[^\s.]*\.[^\s.]*\.[^\s.]*\.[^\s.]*|-)(?:\s+|\Z)){4}\Z")
_WHERE = re.compile(r"(?:trick\s*)?(\d{1,3})(?:(?:\s*,)?\s+(\w+)(?:\s+(?:leads|on lead|to lead))?)?\Z", re.IGNORECASE)
_LEADS = re.compile(r"(\w+)(?:\s+(?:leads|on lead|to lead))?\Z", re.IGNORECASE)


def table_steps(rulings: Rulings, record: Record) -> Iterator[Step]:
    """The parts of the table to ask for now: those that matter to what was reported, or all if they are asked for."""
    wanted = frozenset(PARTS)
    if ASKED_FOR not in record.passed:
        reported = {kind for report in record.reports for kind in report}
        wanted = useful_parts(rulings.book.law.program, reported, TABLE_KINDS)
    steps = {CONTRACT: _contract, HANDS: _hands, PLAY: _play}
    for part in PARTS:
        if part in wanted and (part,) not in record.passed:
            yield steps[part](record)


def asked_again(record: Record) -> Record:
    """The record with the whole table to be asked for."""
    return replace(record, passed=record.passed - {(part,) for part in (*PARTS, CLAIM)} | {ASKED_FOR})


def claim_steps(rulings: Rulings, record: Record) -> Iterator[Step]:
    """Whose claim to try on the cards, where they are known and a rule would look at what comes of it."""
    if (CLAIM,) in record.passed or not record.table.keys() & {"hands", "deal"}:
        return
    if search_is_useful(rulings.book.law.program, rulings.situation(record).kinds):
        yield _claim(record)


def _claim(record: Record) -> Step:
    example = "S; or with the line that he stated, S: draw trumps, DA, clubs"
    ask = "Whose claim is to be tried on the cards?"
    prompt = Prompt("table", (CLAIM,), ask, example=example, enter="none")

    def take(text: str) -> Taken:
        done = record.passing((CLAIM,)).without_table("claim")
        if not_known(text):
            return Taken(done, "", prompt.enter)
        by, _, line = text.partition(":")
        seat = _hand_of(by.strip())
        if not seat:
            raise RefusedAnswer(f"{quoted(by.strip())} is no seat", "write N, E, S or W")
        steps = [step.strip() for step in line.split(",") if step.strip()]
        claim = {"by": seat, "line": steps} if steps else seat
        return Taken(done.with_table(claim=claim), text, f"{_name(seat)}, {', '.join(steps) or 'no line stated'}")

    return Step(prompt, take)


def _contract(record: Record) -> Step:
    before = record.table.get("contract") or record.table.get("declarer")
    enter = f"stays {before}" if before else "not known"
    example = "4S by S, or only the declarer"
    prompt = Prompt("table", (CONTRACT,), "What is the contract?", example=example, enter=enter)

    def take(text: str) -> Taken:
        done = record.passing((CONTRACT,))
        if not_known(text):
            return Taken(done, "", enter)
        seat = notation.seat(text)
        if seat:
            return Taken(done.without_table("contract").with_table(declarer=seat), text, f"{_name(seat)} is declarer")
        return Taken(done.without_table("declarer").with_table(contract=text), text, text)

    return Step(prompt, take)


def _hands(record: Record) -> Step:
    known = [f"{each}: {cards}" for each, cards in record.table.get("hands", {}).items()]
    known += [record.table["deal"]] if "deal" in record.table else []
    ask = "Is another hand known?" if known else "Which hands are known, whole or in part?"
    example = "" if known else "E: ♦KT862, dummy: ♠KJ852 ♥A, or a deal in PBN"
    prompt = Prompt("table", (HANDS, len(known)), ask, example=example, enter="no more" if known else "none")

    def take(text: str) -> Taken:
        if not_known(text):
            return Taken(record.passing((HANDS,)), "", prompt.enter)
        if _DEAL.match(text):
            return Taken(record.with_table(deal=text), text, text)
        told = dict(map(_hand, _NEXT_HAND.split(text)))
        said = ", ".join(f"{_name(seat)}: {cards}" for seat, cards in told.items())
        return Taken(record.with_table(hands={**record.table.get("hands", {}), **told}), text, said)

    return Step(prompt, take)


def _hand(text: str) -> tuple[str, str]:
    """Whose hand it is, and its cards."""
    found = _HAND.match(text)
    seat = _hand_of(found[1]) if found else ""
    if not found or not seat:
        raise RefusedAnswer(f"{quoted(text)} does not say whose hand it is", "write for example E: ♦KT862")
    return seat, found[2].strip()


def _hand_of(word: str) -> str:
    seat = notation.seat(word)
    return seat or (word.lower() if word.lower() in _ROLES else "")


def _play(record: Record) -> Step:
    known = [key for key in ("stage", "trick", "on_lead") if key in record.table] + list(record.table.get("tricks", ()))
    ask = "Is more known of the play?" if known else "How far has the play come?"
    example = "" if known else "8 W: trick 8, West to lead; or each trick as W: S4 S2 SK SA; or auction, or over"
    enter = (
        "no more" if known else "to the opening lead" if record.table.keys() & {"contract", "declarer"} else "not known"
    )
    prompt = Prompt("table", (PLAY, len(known)), ask, example=example, enter=enter)

    def take(text: str) -> Taken:
        if not_known(text):
            return Taken(record.passing((PLAY,)), "", enter)
        told, said = _told_of_the_play(record, text)
        return Taken(told, text, said)

    return Step(prompt, take)


def _told_of_the_play(record: Record, text: str) -> tuple[Record, str]:
    if text.lower() in STAGES:
        return record.with_table(stage=text.lower()), f"the stage: {text.lower()}"
    where, leads = _WHERE.match(text), _LEADS.match(text)
    if where:
        told = record.with_table(trick=int(where[1]))
        if not where[2]:
            return told, f"trick {int(where[1])}"
        seat = _hand_of(where[2])
        if seat:
            return told.with_table(on_lead=seat), f"trick {int(where[1])}, {_name(seat)} to lead"
        raise RefusedAnswer(f"{quoted(where[2])} is no seat", "write N, E, S or W")
    if leads and _hand_of(leads[1]):
        seat = _hand_of(leads[1])
        return record.with_table(on_lead=seat), f"{_name(seat)} to lead"
    tricks = [*record.table.get("tricks", ()), text]
    return record.with_table(tricks=tricks), f"trick: {text}"


def _name(seat: str) -> str:
    return notation.SEAT_NAMES.get(seat, seat)
