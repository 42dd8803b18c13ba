"""Read a board in LIN, as Bridge Base writes it: who played a card follows from who held it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bridgelaws import notation
from bridgelaws.audit.auction import calls_in, outcome
from bridgelaws.audit.record import BadRecord, PenaltyNote, Record, Written, contract_and_deal, penalty_notes
from bridgelaws.errors import Diagnostic, quoted
from bridgelaws.table.holdings import DEALT

_DEALERS = {"1": "S", "2": "W", "3": "N", "4": "E"}
_FIRST = "S"
_HAND = re.compile(r"S(?P<S>[^SHDC]*)H(?P<H>[^SHDC]*)D(?P<D>[^SHDC]*)C(?P<C>[^SHDC]*)\Z")
_LOOSE = re.compile(r"(?:S(?P<S>[^SHDC]*))?(?:H(?P<H>[^SHDC]*))?(?:D(?P<D>[^SHDC]*))?(?:C(?P<C>[^SHDC]*))?\Z")
_CARD = re.compile(r"\s*([CDHS](?:10|[2-9TJQKA])|(?:10|[2-9TJQKA])[CDHS])\s*!?", re.IGNORECASE)
_ORDER = ("S", "H", "D", "C")
_MD_HINT = "write md|, the dealer as 1 to 4, and the hands of South, West, North and East: md|3SAK…,S…,S…|"


def read_lin(text: str, first_line: int, file: str) -> Record | None:
    """The board, or `None` if no deal is among these lines; a `BadRecord` with every problem it has."""
    board, dealer, deal = "", "", None
    calls: list[str] = []
    groups: list[list[Written]] = [[]]
    notes: list[PenaltyNote] = []
    problems: list[Diagnostic] = []
    last: Written | None = None
    over = False
    for command, value, line in _commands(text, first_line):
        if command == "md":
            dealer = _DEALERS.get(value.strip()[:1], "")
            deal = (_deal(value, line, file), line)
        elif command == "ah" or (command == "qx" and not board):
            board = re.sub(r"(?i)\A\s*board\s*", "", value).strip()
        elif command == "mb":
            calls += calls_in(value.replace("!", ""))
        elif command == "pc":
            for card in _cards(value, line, file, problems):
                last = card
                groups[-1].append(card)
        elif command == "pg" and groups[-1]:
            groups.append([])
        elif command == "mc":
            over = True
        elif command == "nt":
            notes += penalty_notes(value, last, line)
    if problems:
        raise BadRecord(problems)
    if deal is None:
        if last is not None:
            raise BadRecord(Diagnostic("cards are played, but there is no deal", file, last.line, 1, hint=_MD_HINT))
        return None
    if last is None:
        return Record(board, first_line)
    reached = outcome(dealer, calls) if dealer else None
    if reached is None:
        message = "cards are played, but no contract was reached" if dealer else "the deal does not tell who dealt"
        hint = "give every call, as mb|1S|" if dealer else _MD_HINT
        raise BadRecord(Diagnostic(message, file, deal[1], 1, hint=hint))
    contract, declarer, dealt = contract_and_deal((reached[0], deal[1]), (reached[1], deal[1]), deal, file)
    if len(dealt) < len(notation.SEATS):
        message = "without all four hands nobody can tell who played a card"
        raise BadRecord(Diagnostic(message, file, deal[1], 1, hint=_MD_HINT))
    return Record(
        board,
        first_line,
        contract,
        declarer,
        dealt=dealt,
        groups=tuple(tuple(group) for group in groups if group),
        over=over,
        penalty_notes=tuple(notes),
    )


def _commands(text: str, first_line: int) -> Iterator[tuple[str, str, int]]:
    """Each command with its value and its line."""
    parts = text.split("|")
    line = first_line
    for command, value in zip(parts[::2], parts[1::2], strict=False):
        line += command.count("\n")
        yield command.strip().lower(), value, line
        line += value.count("\n")


def _cards(value: str, line: int, file: str, problems: list[Diagnostic]) -> Iterator[Written]:
    at = 0
    while at < len(value.rstrip()):
        found = _CARD.match(value, at)
        if not found:
            message = f"{quoted(value)} is not a card"
            problems.append(Diagnostic(message, file, line, 1, hint="write the suit and the rank, as pc|D8|"))
            return
        yield Written(notation.card(found[1]) or "", line)
        at = found.end()


def _deal(value: str, line: int, file: str) -> str:
    """The deal as PBN writes it; the last hand may be left out, since it has all other cards."""
    hands = value.strip().lstrip("01234").split(",")
    texts = []
    for hand in hands[:4]:
        found = _HAND.match(hand.strip().upper()) or _LOOSE.match(hand.strip().upper())
        if not found:
            raise BadRecord(Diagnostic(f"{quoted(hand)} is not a hand", file, line, 1, hint=_MD_HINT))
        texts.append([(found[suit] or "").replace("10", "T") for suit in _ORDER])
    if len(hands) > len(notation.SEATS):
        raise BadRecord(Diagnostic(f"the deal has {len(hands)} hands", file, line, 1, hint=_MD_HINT))
    texts += [["", "", "", ""] for _ in range(4 - len(texts))]
    known = {suit + rank for hand in texts[:3] for suit, ranks in zip(_ORDER, hand, strict=True) for rank in ranks}
    if not any(texts[3]) and len(known) == 3 * DEALT:
        ranks = notation.RANK_LETTERS[::-1]
        texts[3] = ["".join(rank for rank in ranks if suit + rank not in known) for suit in _ORDER]
    return f"{_FIRST}:" + " ".join(".".join(hand) if any(hand) else "-" for hand in texts)
