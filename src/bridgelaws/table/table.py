"""The table as a Director described it: read from a case, and possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bridgelaws.errors import Diagnostic, nearest
from bridgelaws.located import Document, PathTo
from bridgelaws.notation import SEATS, partner
from bridgelaws.table.claim import Claim, read_claim
from bridgelaws.table.contract import Contract, Declarer, read_contract
from bridgelaws.table.hands import read_deal, read_hands
from bridgelaws.table.holdings import Holding, settle_holdings
from bridgelaws.table.play import TRICKS, Play, Trick, read_tricks, settle_play
from bridgelaws.table.reading import Entry, quoted, raise_problems

STAGES = ("auction", "play", "over")
TABLE_KEYS = ("contract", "declarer", "deal", "hands", "tricks", "trick", "on_lead", "stage", "claim")


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of a table, and possible.

    `tricks` are those listed, the last of which may be in progress; `now` is the number of the trick in progress or
    about to begin (14 when all were played), and `leader` the hand that has the lead to it, if known. `claim` is there
    when someone has claimed and his words are to be tried on the cards.

    INVARIANT: a contract has the same declarer as the table.
    """

    stage: str = "auction"
    contract: Contract | None = None
    declarer: str | None = None
    holdings: Mapping[str, Holding] = field(default_factory=lambda: dict.fromkeys(SEATS, Holding()))
    tricks: tuple[Trick, ...] = ()
    now: int = 1
    leader: str | None = None
    claim: Claim | None = None

    @property
    def dummy(self) -> str | None:
        return None if self.declarer is None else partner(self.declarer)

    @property
    def trick_in_progress(self) -> Trick | None:
        return self.tricks[-1] if self.tricks and not self.tricks[-1].is_complete else None

    @property
    def turn(self) -> str | None:
        """The hand to play next, if known."""
        return self.trick_in_progress.waiting[0] if self.trick_in_progress else self.leader

    @property
    def last_complete_trick(self) -> Trick | None:
        return next((trick for trick in reversed(self.tricks[-2:]) if trick.is_complete), None)


def role(seat: str, declarer: str | None) -> str | None:
    """`declarer`, `dummy` or `defender`; `None` while the declarer is not known."""
    if declarer is None:
        return None
    if seat == declarer:
        return "declarer"
    return "dummy" if seat == partner(declarer) else "defender"


def read_table(document: Document, path: PathTo) -> Table:
    """The table at `path` of the document, empty if there is none; a `CaseError` with every problem it has."""
    problems: list[Diagnostic] = []
    value = _value_at(document.data, path)
    if value is None:
        return Table()
    entry = Entry(document, path, value, problems)
    if isinstance(value, dict):
        table = _read(entry)
    else:
        table = Table()
        entry.misplaced("the table belongs", f"write its parts by name: {', '.join(TABLE_KEYS)}")
    raise_problems(problems)
    return table


def _value_at(value: Any, path: PathTo) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _read(entry: Entry) -> Table:
    parts: dict[str, Entry] = {}
    for key, child in entry.keyed():
        if key in TABLE_KEYS:
            parts[key] = child
        else:
            child.fault(f"a table has no {quoted(key)}", nearest(key, TABLE_KEYS), at_key=True)
    contract, declarer = read_contract(parts.get("contract"), parts.get("declarer"))
    deal = read_deal(parts["deal"]) if "deal" in parts else {}
    hands = read_hands(parts["hands"], declarer) if "hands" in parts else {}
    tricks = read_tricks(parts["tricks"], declarer) if "tricks" in parts else ()
    on_lead = (parts["on_lead"], _on_lead(parts["on_lead"], declarer)) if "on_lead" in parts else None
    play = settle_play(tricks, parts.get("trick"), on_lead, contract, declarer)
    holdings = settle_holdings(deal, hands, play)
    # Only once the auction is over is there a declarer, a trick, or someone on lead.
    begun = bool(tricks or parts.keys() & {"contract", "declarer", "trick", "on_lead"})
    stage = "over" if play.now > TRICKS else "play" if begun else "auction"
    if "stage" in parts:
        stage = _stage(parts["stage"], stage, played=bool(tricks or parts.keys() & {"trick", "on_lead"}))
    claim = read_claim(parts["claim"], declarer) if "claim" in parts else None
    return Table(stage, contract, declarer.seat, holdings, play.tricks, play.now, _leader(play, stage), claim)


def _leader(play: Play, stage: str) -> str | None:
    return None if stage == "auction" else play.leader


def _on_lead(entry: Entry, declarer: Declarer) -> str | None:
    text = entry.text("the hand on lead belongs", "write N, E, S or W")
    return None if text is None else declarer.seat_named(entry, text)


def _stage(entry: Entry, otherwise: str, *, played: bool) -> str:
    """The stage typed, if it fits what else is known; a claim may end the play at any trick."""
    text = entry.text("the stage belongs", f"write {', '.join(STAGES[:-1])} or {STAGES[-1]}")
    if text is None:
        return otherwise
    stage = text.strip().lower()
    if stage not in STAGES:
        entry.fault(f"{quoted(text)} is not a stage", nearest(text, STAGES))
    elif stage == "auction" and played:
        entry.fault(
            "this cannot be the auction: the table has 'tricks', 'trick' or 'on_lead'", "write 'play', or remove them"
        )
    elif stage == "play" and otherwise == "over":
        entry.fault("the play is over: all 13 tricks are listed", "write 'over', or remove the stage")
    else:
        return stage
    return otherwise
