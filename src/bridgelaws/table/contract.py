"""Contracts as they are typed, and the declarer who comes with them or apart from them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from bridgelaws import notation
from bridgelaws.table.reading import Entry, quoted

NO_TRUMPS = "NT"

_LEVELS = ("1", "2", "3", "4", "5", "6", "7")
# Longest first, so that `3NT` is not no trumps by 'T', and what is left after `3N` in `3NN` is the declarer.
_STRAIN = re.compile(r"(NO[ -]?TRUMPS?|NT|N|SPADES?|HEARTS?|DIAMONDS?|CLUBS?|[CDHS♣♦♥♠♧♢♡♤])", re.IGNORECASE | re.ASCII)
_REST = re.compile(r"\s*(XX?)?\s*(BY\b)?\s*([^X\s]*)\s*(XX?)?\Z", re.IGNORECASE | re.ASCII)
_CONTRACT_HINT = "write it as '4S by S', '3NT by West' or '4SX by N'"
_SEAT_HINT = "write N, E, S or W"
_LONGEST = 40


class Contract(NamedTuple):
    """A contract: level 1 to 7, strain `C D H S NT`, doubled `''`, `X` or `XX`."""

    level: int
    strain: str
    doubled: str = ""
    declarer: str | None = None

    @property
    def trumps(self) -> str | None:
        return None if self.strain == NO_TRUMPS else self.strain


class Declarer(NamedTuple):
    """The declarer's seat as far as it is known; `misread` if it was given, but not so that it could be read."""

    seat: str | None = None
    misread: bool = False

    def seat_named(self, entry: Entry, text: str, *, at_key: bool = False) -> str | None:
        """The seat for `W`, `West`, `declarer` or `dummy`; a fault at `entry` for anything else."""
        seat = notation.seat(text)
        role = text.strip().lower()
        if seat or role not in ("declarer", "dummy"):
            if not seat:
                entry.fault(f"{quoted(text)} is not a seat", _SEAT_HINT, at_key=at_key)
            return seat
        if self.seat:
            return self.seat if role == "declarer" else notation.partner(self.seat)
        if not self.misread:
            entry.fault(
                f"nobody knows who is {role} before the declarer is given",
                "add 'declarer: S', or name the seat",
                at_key=at_key,
            )
        return None


def read_contract(contract: Entry | None, declarer: Entry | None) -> tuple[Contract | None, Declarer]:
    """The contract and the declarer, each from where it was given; given twice they must agree."""
    found = _contract(contract) if contract else None
    misread = contract is not None and found is None
    named = found.declarer if found else None
    if declarer is None:
        return found, Declarer(named, misread)
    seat = _declarer(declarer)
    if seat and named and seat != named:
        declarer.fault(
            f"the declarer is {notation.SEAT_NAMES[seat]} here, but {notation.SEAT_NAMES[named]} in the contract",
            "remove one of the two",
        )
        return found, Declarer(None, misread=True)
    if found and seat:
        found = found._replace(declarer=seat)
    return found, Declarer(seat or named, misread or seat is None)


def _declarer(entry: Entry) -> str | None:
    text = entry.text("the declarer belongs", _SEAT_HINT)
    if text is None:
        return None
    seat = notation.seat(text)
    if not seat:
        entry.fault(f"{quoted(text)} is not a seat", _SEAT_HINT)
    return seat


def _contract(entry: Entry) -> Contract | None:
    typed = entry.text("the contract belongs", _CONTRACT_HINT)
    if typed is None:
        return None
    text = " ".join(typed.split())
    # The same few contracts are typed again and again; what is long is none.
    read = _parsed(text) if len(text) <= _LONGEST else _parsed.__wrapped__(text)
    if isinstance(read, Contract):
        return read
    entry.fault(*read)
    return None


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Contract | tuple[str, str]:
    """The contract, or what is wrong with it and what to do."""
    level = re.match(r"([0-9]+)\s*", text)
    if not level:
        return f"{quoted(text)} is not a contract", _CONTRACT_HINT
    if level[1] not in _LEVELS:
        return f"there is no contract at level {quoted(level[1])}", "the level is 1 to 7"
    strain = _STRAIN.match(text, level.end())
    if not strain:
        word = text[level.end() :].split(" ")[0]
        wrong = f"{quoted(word)} is not a strain" if word else f"{quoted(text)} has no strain"
        return wrong, "write C, D, H, S or NT"
    rest = _REST.match(text, strain.end())
    if not rest or (rest[1] and rest[4]):
        return f"{quoted(text)} is not a contract", _CONTRACT_HINT
    seat = notation.seat(rest[3])
    if not seat and (rest[2] or rest[3]):
        wrong = f"{quoted(rest[3])} in {quoted(text)} is not a seat" if rest[3] else "the declarer is missing"
        return wrong, _CONTRACT_HINT
    doubled = (rest[1] or rest[4] or "").upper()
    return Contract(int(level[1]), notation.suit(strain[1]) or NO_TRUMPS, doubled, seat)
