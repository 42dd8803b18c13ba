"""Random tables: a deal, a contract that fits it, and play to a random point in which everyone follows suit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bridgelaws.batch.dice import Dice
from bridgelaws.notation import CARDS, RANK_OF, SEATS, SUITS, card_order, left, partner
from bridgelaws.table.play import ROTATION, TRICKS

Hands = dict[str, list[str]]

_LEVELS = {1: 8, 2: 12, 3: 25, 4: 30, 5: 10, 6: 10, 7: 5}
_DOUBLED = {"": 17, "X": 2, "XX": 1}
_NO_TRUMP_SHARE = 0.3
_HIGH_CARD_SHARE = 0.5


@dataclass(frozen=True)
class Position:
    """A table as it really is. `tricks` are leader and cards, the last perhaps in progress; `held` is held now.

    `declarer` is `None` during the auction.
    """

    dealt: Hands
    held: Hands
    tricks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    declarer: str | None = None
    contract: str = ""
    leader: str | None = None
    over: bool = False

    @property
    def in_progress(self) -> tuple[str, tuple[str, ...]] | None:
        return self.tricks[-1] if self.tricks and len(self.tricks[-1][1]) < 4 else None

    @property
    def now(self) -> int:
        """The trick in progress or about to begin."""
        return len(self.tricks) + (0 if self.in_progress else 1)

    @property
    def turn(self) -> str | None:
        if trick := self.in_progress:
            return ROTATION[trick[0]][len(trick[1])]
        return self.leader

    def played(self, seat: str) -> list[str]:
        """What the seat has played, the latest card first."""
        return [
            card
            for leader, cards in reversed(self.tricks)
            for player, card in zip(ROTATION[leader], cards, strict=False)
            if player == seat
        ]


def random_position(dice: Dice) -> Position:
    """A board somewhere between the first call and the last trick."""
    cards = dice.shuffled(CARDS)
    dealt = {seat: sorted(cards[place::4], key=card_order) for place, seat in enumerate(SEATS)}
    if dice.chance(0.08):
        return Position(dealt, dealt)
    declarer = dice.pick(SEATS)
    strain = _strain(dice, dealt, declarer)
    contract = f"{dice.weighted(_LEVELS)}{strain}{dice.weighted(_DOUBLED)} by {declarer}"
    # Most irregularities happen early or in the middle, and some after the last card.
    cards_played = dice.pick((0, dice.below(8), dice.below(30), dice.below(30), dice.below(53)))
    held, tricks, leader = _play(dice, dealt, left(declarer), strain, cards_played)
    over = cards_played == len(CARDS) or dice.chance(0.04)
    return Position(dealt, held, tricks, declarer, contract, leader, over)


def _strain(dice: Dice, dealt: Hands, declarer: str) -> str:
    """Notrump, or the suit in which declarer's side has most cards."""
    if dice.chance(_NO_TRUMP_SHARE):
        return "NT"
    side = dealt[declarer] + dealt[partner(declarer)]
    return max(SUITS, key=lambda suit: (sum(card[0] == suit for card in side), suit))


def _play(
    dice: Dice, dealt: Hands, leader: str, strain: str, count: int
) -> tuple[Hands, tuple[tuple[str, tuple[str, ...]], ...], str | None]:
    """What is held after this many cards, the tricks, and who leads to the next one (`None` after the last)."""
    held = {seat: list(cards) for seat, cards in dealt.items()}
    tricks: list[tuple[str, tuple[str, ...]]] = []
    while count > 0:
        cards: list[str] = []
        for seat in ROTATION[leader][:count]:
            suit = [card for card in held[seat] if cards and card[0] == cards[0][0]] or held[seat]
            card = max(suit, key=lambda each: RANK_OF[each]) if dice.chance(_HIGH_CARD_SHARE) else dice.pick(suit)
            held[seat].remove(card)
            cards.append(card)
        count -= len(cards)
        tricks.append((leader, tuple(cards)))
        if len(cards) == 4:
            leader = ROTATION[leader][cards.index(_winning(cards, strain))]
    return held, tuple(tricks), leader if len(tricks) < TRICKS or len(tricks[-1][1]) < 4 else None


def _winning(cards: list[str], strain: str) -> str:
    return max(cards, key=lambda card: (2 if card[0] == strain else card[0] == cards[0][0], RANK_OF[card]))


def as_told(dice: Dice, position: Position) -> tuple[dict[str, Any], Hands]:
    """The table as a Director might write it down, and the cards that he then knows to be held, by seat.

    With all hands and tricks, as a playing site has them; or the hands that someone looked at, with all tricks or with
    only the one in progress.
    """
    table: dict[str, Any] = {"contract": position.contract} if position.contract else {}
    if position.over:
        table["stage"] = "over"
    everything = dice.chance(0.5)
    known = dict(position.held) if everything else _looked_at(dice, position)
    if everything:
        table["deal"] = "N:" + " ".join(_pbn(position.dealt[seat]) for seat in SEATS)
    elif known:
        table["hands"] = {seat: " ".join(cards) or "-" for seat, cards in known.items()}
    if everything or dice.chance(0.4) or not position.declarer or position.over:
        if position.tricks:
            table["tricks"] = [_trick(*trick) for trick in position.tricks]
    else:
        table |= _only_this_trick(position)
    return table, known


def _looked_at(dice: Dice, position: Position) -> Hands:
    """Some of the hands, and of some of those only a few cards."""
    seats = [seat for seat in SEATS if dice.chance(0.6)]
    return {
        seat: [card for card in position.held[seat] if dice.chance(share)] for seat in seats for share in [_share(dice)]
    }


def _share(dice: Dice) -> float:
    return 1.0 if dice.chance(0.6) else 0.5


def _only_this_trick(position: Position) -> dict[str, Any]:
    if trick := position.in_progress:
        return {"trick": position.now, "tricks": [_trick(*trick)]}
    return {"trick": position.now, "on_lead": position.leader}


def _trick(leader: str, cards: tuple[str, ...]) -> str:
    return f"{leader}: {' '.join(cards)}"


def _pbn(cards: list[str]) -> str:
    return ".".join("".join(card[1] for card in cards if card[0] == suit) for suit in "SHDC")
