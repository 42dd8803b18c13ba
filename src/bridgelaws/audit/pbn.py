"""Read a board in PBN: its tags, its play in columns, and what it says itself about irregularities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridgelaws import notation
from bridgelaws.audit.auction import SKIPPED, calls_in, outcome
from bridgelaws.audit.record import (
    LEAD_MARK,
    REVOKE_MARK,
    BadRecord,
    PenaltyNote,
    Record,
    Row,
    Written,
    contract_and_deal,
    penalty_notes,
)
from bridgelaws.errors import Diagnostic, quoted
from bridgelaws.table.play import ROTATION, TRICKS

_TOKEN = re.compile(
    r"""
      (?P<escape>^%[^\n]*)
    | \{(?P<comment>[^}]*)(?P<closed>\}?)
    | ;(?P<rest>[^\n]*)
    | \[\s*(?P<tag>\w+)\s*"(?P<value>(?:\\.|[^"\\\n])*)"\s*\]
    | =(?P<note>\d+)=
    | (?P<nag>\$\d*)
    | (?P<suffix>[!?]+)
    | \^\s*(?P<mark>[A-Za-z]?)
    | (?P<more>\+)
    | (?P<end>\*)
    | (?P<word>-|[A-Za-z0-9♣♦♥♠]+)
    | (?P<space>\s+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.MULTILINE,
)
_ONCE = ("Board", "Deal", "Declarer", "Contract", "Auction", "Play")
_UNKNOWN = ("", "?", "-")
_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int
    column: int


@dataclass
class _Cell:
    """One place of the play; `card` is `None` for a card that is not known or was not played."""

    card: Written | None
    line: int


@dataclass
class _Reading:
    """What was read so far."""

    file: str
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    cells: list[_Cell] = field(default_factory=list)
    references: list[tuple[str, Written | None]] = field(default_factory=list)
    notes: list[PenaltyNote] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    section: str = ""
    mark: str = ""
    ended: bool = False
    said_over: bool = False

    def fault(self, token: _Token, message: str, hint: str = "") -> None:
        self.problems.append(Diagnostic(message, self.file, token.line, token.column, hint=hint))


def read_pbn(text: str, first_line: int, file: str) -> Record | None:
    """The board, or `None` if there is none among these lines; a `BadRecord` with every problem it has."""
    reading = _Reading(file)
    for token in _tokens(text, first_line):
        _take(reading, token)
    if reading.problems:
        raise BadRecord(reading.problems)
    return _record(reading, first_line) if reading.tags else None


def _tokens(text: str, first_line: int) -> Iterator[_Token | tuple[_Token, _Token]]:
    line, start = first_line, 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        kind = {"closed": "comment", "value": "tag"}.get(kind, kind)
        column = found.start() - start + 1
        if kind == "tag":
            yield _Token("tag", found["tag"], line, column), _Token("value", found["value"], line, column)
        elif kind == "comment":
            yield _Token("comment" if found["closed"] else "unclosed", found["comment"], line, column)
        elif kind not in ("space", "escape", "nag", "suffix"):
            yield _Token(kind, found[kind] or "", line, column)
        newlines = found[0].count("\n")
        if newlines:
            line += newlines
            start = found.start() + found[0].rindex("\n") + 1


def _take(reading: _Reading, token: _Token | tuple[_Token, _Token]) -> None:
    if isinstance(token, tuple):
        _tag(reading, *token)
    elif token.kind == "unclosed":
        reading.fault(token, "this comment is never closed", "end it with }")
    elif token.kind in ("comment", "rest"):
        if reading.section == "Play":
            reading.notes += penalty_notes(token.text, _last(reading), token.line)
    elif token.text == "[":
        reading.fault(token, "this tag cannot be read", 'write [Name "value"]')
    elif reading.section == "Play":
        _play(reading, token)
    elif reading.section == "Auction" and token.kind == "word":
        reading.calls += [SKIPPED] if token.text == "-" else calls_in(token.text)
    elif reading.section == "Auction" and token.kind == "mark" and token.text.upper() == "S":
        reading.calls.append(SKIPPED)
    elif not reading.section and token.kind in ("word", "other") and not reading.problems:
        reading.fault(token, f"{quoted(token.text)} stands outside a tag", "put it in a comment, in { and }")


def _tag(reading: _Reading, name: _Token, value: _Token) -> None:
    text = re.sub(r"\\(.)", r"\1", value.text).strip()
    if name.text == "Note":
        number, colon, said = text.partition(":")
        if colon and reading.section == "Play":
            for reference, after in reading.references:
                if reference == number.strip():
                    reading.notes += penalty_notes(said, after, name.line)
        return
    reading.section, reading.mark = name.text, ""
    if name.text in reading.tags:
        if name.text in _ONCE:
            reading.fault(name, f"the tag {name.text} stands twice", "put an empty line between two boards")
        return
    reading.tags[name.text] = (text, name.line)


def _last(reading: _Reading) -> Written | None:
    return next((cell.card for cell in reversed(reading.cells) if cell.card), None)


def _play(reading: _Reading, token: _Token) -> None:
    if token.kind == "end":
        reading.ended = reading.said_over = True
    elif token.kind == "note":
        reading.references.append((token.text, _last(reading)))
    elif reading.ended and token.kind in ("word", "mark", "more"):
        reading.fault(token, f"{quoted(token.text)} stands after the end of the play", "put * behind the last card")
    elif token.kind == "mark":
        if token.text.upper() not in (REVOKE_MARK, LEAD_MARK):
            reading.fault(
                token, f"'^{token.text}' marks no card", "write ^R for a revoke, or ^L for a lead out of turn"
            )
        reading.mark += token.text.upper()
    elif token.kind == "more" or token.text == "-":
        reading.cells.append(_Cell(None, token.line))
        reading.mark = ""
    elif token.kind == "word" and (card := notation.card(token.text)):
        reading.cells.append(_Cell(Written(card, token.line, reading.mark), token.line))
        reading.mark = ""
    else:
        reading.fault(
            token,
            f"{quoted(token.text)} is not a card",
            "write the suit and the rank, as D8, or - for a card not known",
        )


def _record(reading: _Reading, first_line: int) -> Record:
    tags, file = reading.tags, reading.file
    board = tags.get("Board", ("", 0))[0].lstrip("#")
    contract, declarer, swapped = _contract(reading)
    play = tags.get("Play")
    if contract is None or play is None or not any(cell.card for cell in reading.cells):
        # A deal that nobody played, or of which no card was written down.
        return Record(board, first_line)
    found, seat, dealt = contract_and_deal(contract, declarer, _deal(reading), file)
    if seat is None:
        message = "a play without a declarer cannot be followed"
        raise BadRecord(Diagnostic(message, file, play[1], 1, hint='add [Declarer "S"]'))
    first = notation.seat(play[0])
    if first is None:
        message = f"{quoted(play[0])} is not a seat"
        raise BadRecord(Diagnostic(message, file, play[1], 1, hint='write who played the first card: [Play "W"]'))
    rows = _rows(reading.cells, first)
    if len(rows) > TRICKS:
        message = f"the play has {len(rows)} tricks"
        raise BadRecord(Diagnostic(message, file, play[1], 1, hint="put an empty line between two boards"))
    return Record(
        board,
        first_line,
        found,
        seat,
        swapped,
        first,
        dealt,
        rows,
        over=reading.said_over,
        penalty_notes=tuple(reading.notes),
    )


def _contract(reading: _Reading) -> tuple[tuple[str, int] | None, tuple[str, int] | None, bool]:
    """The contract and the declarer from their tags, or else from the auction; and whether declarer became dummy."""
    contract, declarer = reading.tags.get("Contract"), reading.tags.get("Declarer")
    if contract and contract[0].lower() in ("pass", "passed out"):
        return None, None, False
    swapped = bool(declarer and declarer[0].startswith("^"))
    if declarer and swapped:
        declarer = declarer[0].removeprefix("^"), declarer[1]
    if _missing(contract) or _missing(declarer):
        auction = reading.tags.get("Auction")
        dealer = notation.seat(auction[0]) if auction else None
        reached = outcome(dealer, reading.calls) if dealer else None
        if auction and reached:
            contract = (reached[0], auction[1]) if _missing(contract) else contract
            declarer = (reached[1], auction[1]) if _missing(declarer) else declarer
    if _missing(contract) or _missing(declarer):
        if any(cell.card for cell in reading.cells):
            what = "contract" if _missing(contract) else "declarer"
            hint = 'add [Contract "4S"]' if _missing(contract) else 'add [Declarer "S"]'
            line = reading.tags["Play"][1]
            raise BadRecord(Diagnostic(f"a play without a {what} cannot be followed", reading.file, line, 1, hint=hint))
        return None, None, False
    return contract, declarer, swapped


def _missing(tag: tuple[str, int] | None) -> bool:
    return tag is None or tag[0] in _UNKNOWN


def _deal(reading: _Reading) -> tuple[str, int] | None:
    deal = reading.tags.get("Deal")
    return None if _missing(deal) else deal


def _rows(cells: list[_Cell], first: str) -> tuple[Row, ...]:
    """The cells a trick at a time. Where lines are tricks, a fifth card on one of them belongs to that trick."""
    seats = ROTATION[first]
    by_line: dict[int, list[_Cell]] = {}
    for cell in cells:
        by_line.setdefault(cell.line, []).append(cell)
    lines = list(by_line.values())
    lengths = Counter(map(len, lines))
    in_lines = all(_COLUMNS <= len(line) <= _COLUMNS + 1 for line in lines[:-1]) and len(lines[-1]) <= _COLUMNS + 1
    if not in_lines or lengths[_COLUMNS] < lengths[_COLUMNS + 1]:
        lines = [cells[at : at + _COLUMNS] for at in range(0, len(cells), _COLUMNS)]
    return tuple(
        Row(
            {seat: cell.card for seat, cell in zip(seats, line, strict=False) if cell.card},
            tuple(cell.card for cell in line[_COLUMNS:] if cell.card),
        )
        for line in lines
    )
