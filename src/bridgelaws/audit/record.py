"""A record of play as it was written down, whether in PBN or in LIN: the deal, the contract and the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bridgelaws import notation
from bridgelaws.errors import CaseError, Diagnostic
from bridgelaws.table.case import Case
from bridgelaws.table.contract import Contract
from bridgelaws.table.holdings import DEALT

REVOKE_MARK, LEAD_MARK = "R", "L"


class BadRecord(CaseError):
    """A board that cannot be read; other boards can."""


@dataclass(frozen=True, slots=True)
class Written:
    """A card as it stands in the record. Its `mark` is what the record itself says of it: a revoke, or a wrong lead."""

    card: str
    line: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A trick in columns: the cards by seat, as far as they are known, and any that stand beyond the four columns."""

    cards: Mapping[str, Written]
    beyond: tuple[Written, ...] = ()


@dataclass(frozen=True, slots=True)
class PenaltyNote:
    """A remark that a card is a penalty card, after the card `after` of the record (`None`: before the first)."""

    card: str
    after: Written | None
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Record:
    """One board. The play is in `rows`, a column for each seat, or in `groups`, where the cards are in their order.

    `first` is the seat that the record names as that of the first card, if it does. `swapped`: the record says that
    declarer became dummy, and `declarer` is who played the board. `dealt` has only the hands that are wholly known.

    INVARIANT: no card is in two hands of the deal.
    """

    board: str
    line: int
    contract: Contract | None = None
    declarer: str | None = None
    swapped: bool = False
    first: str | None = None
    dealt: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    groups: tuple[tuple[Written, ...], ...] = ()
    over: bool = False
    penalty_notes: tuple[PenaltyNote, ...] = ()

    @property
    def written(self) -> int:
        """How many cards of the play are written down."""
        rows = sum(len(row.cards) + len(row.beyond) for row in self.rows)
        return rows + sum(map(len, self.groups))


def contract_and_deal(
    contract: tuple[str, int] | None, declarer: tuple[str, int] | None, deal: tuple[str, int] | None, file: str
) -> tuple[Contract | None, str | None, dict[str, tuple[str, ...]]]:
    """The contract, the declarer and the hands, read as in a case from their texts, each with its line."""
    given = {"contract": contract, "declarer": declarer, "deal": deal}
    table = {key: each[0] for key, each in given.items() if each}
    try:
        read = Case.from_data({"table": table}).table
    except CaseError as wrong:
        problems = [_placed(each, given, file) for each in wrong.diagnostics]
        raise BadRecord(problems) from None
    hands = {seat: holding.cards for seat, holding in read.holdings.items()}
    longest = max((len(cards) for cards in hands.values()), default=0)
    if deal and 0 < longest < DEALT:
        message = f"the deal is an end position: its longest hand has {longest} cards"
        raise BadRecord(Diagnostic(message, file, deal[1], 1, hint="give the deal as it was before the first trick"))
    whole = {seat: cards for seat, cards in hands.items() if len(cards) == DEALT}
    return read.contract, read.declarer, whole


def _placed(problem: Diagnostic, given: Mapping[str, tuple[str, int] | None], file: str) -> Diagnostic:
    """The problem at the line of the record where the text stands that it is about."""
    key = problem.path.rpartition(".")[2]
    found = given.get(key) or next((each for each in given.values() if each), None)
    return replace(problem, file=file, line=found[1] if found else 0, column=1, path="")


def cards_named(text: str) -> Sequence[str]:
    """The cards that a remark names, in any of the usual ways: D8, ♦8, \\D8, !d8."""
    words = text.replace("\\", " ").replace("!", " ").replace(",", " ").replace(".", " ").replace(":", " ").split()
    found = [card for word in words if (card := notation.card(word.strip("()'\"")))]
    return tuple(dict.fromkeys(found))


def penalty_notes(text: str, after: Written | None, line: int) -> list[PenaltyNote]:
    """What a remark says about penalty cards; nothing for every other remark."""
    if "penalty card" not in " ".join(text.lower().split()):
        return []
    return [PenaltyNote(card, after, text, line) for card in cards_named(text)]
