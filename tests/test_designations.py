"""Every form of designation at every turn: the ruling names one legal card of dummy, says who chooses, or asks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from bridgelaws import Case, Lawbook, Ruling
from bridgelaws.notation import CARDS, RANK_OF, SEATS, left, partner, right

# A draft of the law to lay over the shipped one; by default the shipped law alone is tried.
LAWS = os.environ.get("BRIDGELAWS_TEST_LAWS")
EDITIONS = ("1997", "2007", "2017")

LED = "H"
TRUMPS = "S"
# At trick nine dummy holds five cards: hearts, then spades, then minors to fill up.
HEARTS = {"void": (), "singleton": ("HT",), "several": ("HK", "HT", "H3")}
SPADES = {"none": (), "two": ("SJ", "S5")}
MINORS = ("DK", "D5", "D2", "CT", "C4")
# With the cards played, declarer's decide what can be out against dummy's: ♥A is with him, ♥Q and ♥J are not.
DECLARER = ("HA", "SA", "DA", "D3", "C9")
# The trick so far, from the lead to dummy's right-hand opponent.
IN_TRICK = {"second": ("H7",), "third": ("H9", "H7"), "last": ("H8", "H9", "H7")}
# The trick before, when dummy is on lead: nothing known of it, won in hearts, or won with a spade on a heart lead.
BEFORE = {"lead": (), "lead, won": ("H6", "H2", "H4", "H5"), "lead, ruffed": ("SQ", "H2", "H4", "H5")}
FORMS: tuple[dict[str, str], ...] = (
    {"form": "full", "card": "HT"},
    {"form": "full", "card": "S5"},
    {"form": "full", "suit": "D", "rank": "K"},
    {"form": "full", "card": "C8"},
    {"form": "high"},
    {"form": "win"},
    {"form": "low"},
    {"form": "high", "suit": "S"},
    {"form": "low", "suit": "H"},
    {"form": "suit_only", "suit": "H"},
    {"form": "suit_only", "suit": "S"},
    {"form": "suit_only", "suit": "D"},
    {"form": "ruff"},
    {"form": "rank_only", "rank": "K"},
    {"form": "rank_only", "rank": "T"},
    {"form": "rank_only", "rank": "5"},
    {"form": "rank_only", "rank": "8"},
    {"form": "anything"},
)


@dataclass(frozen=True)
class Turn:
    """Dummy's turn: what dummy holds, where in the trick he plays, and the contract."""

    dummy: str
    cards: tuple[str, ...]
    position: str
    trumps: str | None

    @property
    def leads(self) -> bool:
        return self.position in BEFORE

    @property
    def legal(self) -> frozenset[str]:
        following = frozenset(card for card in self.cards if card[0] == LED)
        return frozenset(self.cards) if self.leads or not following else following

    @property
    def declarers_cards(self) -> tuple[str, ...]:
        """Declarer holds one card less once he has played to the trick."""
        return DECLARER[:4] if self.position in ("third", "last") else DECLARER

    def table(self, *, declarer_listed: bool = True, trick: int = 9) -> dict[str, Any]:
        """At trick nine dummy's five cards are all; at an earlier trick he holds others that are not listed."""
        declarer = partner(self.dummy)
        table: dict[str, Any] = {
            "contract": f"{'4S' if self.trumps else '3NT'} by {declarer}",
            "trick": trick,
            "hands": {"dummy": list(self.cards)},
        }
        if declarer_listed:
            table["hands"]["declarer"] = list(self.declarers_cards)
        if self.position == "lead":
            table["on_lead"] = self.dummy
        elif self.leads and BEFORE[self.position][0][0] == TRUMPS:
            # Dummy's right-hand opponent led the heart that dummy ruffed.
            ruff, *hearts = BEFORE[self.position]
            table["tricks"] = [f"{right(self.dummy)}: {hearts[0]} {ruff} {hearts[1]} {hearts[2]}"]
        elif self.leads:
            table["tricks"] = [f"{self.dummy}: {' '.join(BEFORE[self.position])}"]
        else:
            played = IN_TRICK[self.position]
            leader = {1: right, 2: partner, 3: left}[len(played)](self.dummy)
            table["tricks"] = [f"{leader}: {' '.join(played)}"]
        return table


def turns() -> Iterator[Turn]:
    spread = product(HEARTS.values(), SPADES.values(), (*BEFORE, *IN_TRICK), (TRUMPS, None))
    for number, (hearts, spades, position, trumps) in enumerate(spread):
        if position == "lead, ruffed" and trumps is None:
            continue
        cards = (*hearts, *spades, *MINORS)[:5]
        yield Turn(SEATS[(number + number // 12) % 4], cards, position, trumps)


def forms(turn: Turn) -> Iterator[dict[str, str]]:
    """Every form; after a trick that dummy won, only those to which that trick makes a difference."""
    for words in FORMS:
        if not BEFORE.get(turn.position) or words["form"] in ("rank_only", "win"):
            yield words


@dataclass(frozen=True)
class Outcome:
    """What a ruling comes to: the card called, or who may name which cards, or that something is asked."""

    card: str | None = None
    chooser: str | None = None
    options: frozenset[str] = frozenset()
    asks: bool = False


def outcome(ruling: Ruling, turn: Turn) -> Outcome:
    called = [each.fields for each in ruling.findings if each.kind == "card_called"]
    assert all(each["player"] == turn.dummy for each in called)
    cards = [str(each["card"]) for each in called]
    assert len(cards) <= 1
    assert len(ruling.options) <= 1
    choosers = [group.chooser for group in ruling.options]
    named = [
        str(values["card"]) for group in ruling.options for each in group.options for values in each.choice.values()
    ]
    return Outcome(
        cards[0] if cards else None,
        choosers[0] if choosers else None,
        frozenset(named),
        bool(ruling.questions),
    )


@pytest.fixture(scope="module", params=EDITIONS)
def book(request: pytest.FixtureRequest) -> Lawbook:
    return Lawbook.load(request.param, laws=LAWS)


def ruled(book: Lawbook, table: dict[str, Any], *reports: dict[str, Any]) -> Ruling:
    return book.rule(Case.from_data({"table": table, "reports": list(reports)}))


def assert_settled(found: Outcome, turn: Turn, words: object) -> None:
    """One legal card, or a choice among legal cards, or a question: exactly one of the three."""
    told = [found.card is not None, found.chooser is not None, found.asks]
    assert sum(told) == 1, (turn, words, found)
    assert found.card is None or found.card in turn.legal, (turn, words, found)
    assert found.options <= turn.legal, (turn, words, found)
    assert bool(found.options) == (found.chooser is not None), (turn, words, found)


def test_every_designation_comes_to_one_legal_card_or_a_choice_or_a_question(book: Lawbook) -> None:
    compared = 0
    for turn in turns():
        for words in forms(turn):
            found = outcome(ruled(book, turn.table(), {"designation": words}), turn)
            assert_settled(found, turn, words)
            expected = oracle(turn, words, book.edition)
            if expected is not None:
                compared += 1
                assert found == expected, (turn, words)
    assert compared > 750


def test_no_winner_is_known_while_declarers_cards_are_not(book: Lawbook) -> None:
    for turn in turns():
        found = outcome(ruled(book, turn.table(declarer_listed=False), {"designation": {"form": "win"}}), turn)
        assert_settled(found, turn, "win, declarer's hand not listed")
        # The ace of every suit that dummy could win with is then out, for all that the table tells.
        assert found.card is None or turn.position == "last", (turn, found)


def test_a_dummy_that_is_not_fully_listed_is_asked_about_or_not_needed(book: Lawbook) -> None:
    for turn in (each for each in turns() if each.trumps and "SJ" in each.cards):
        can_follow = any(card[0] == LED for card in turn.cards)
        for words in forms(turn):
            found = outcome(ruled(book, turn.table(trick=5), {"designation": words}), turn)
            assert_settled(found, turn, (words, "dummy not fully listed"))
            assert found.asks or turn.leads or can_follow, (turn, words, found)
            # On lead every card is legal, so that nobody can choose before all are listed.
            assert found.chooser is None or not turn.leads, (turn, words, found)


def test_an_incontrovertible_intention_is_carried_out_if_it_is_legal(book: Lawbook) -> None:
    for turn in turns():
        for words in ({"form": "anything"}, {"form": "suit_only", "suit": "D"}):
            for meant in ("HT", "C8"):
                intention = {"intention": {"card": meant, "incontrovertible": True}}
                found = outcome(ruled(book, turn.table(), {"designation": words}, intention), turn)
                assert_settled(found, turn, (words, meant))
                assert (found.card == meant) == (meant in turn.legal), (turn, words, meant)


def oracle(turn: Turn, words: dict[str, str], edition: str) -> Outcome | None:
    """The answer worked out from the hand alone; nothing for a trick that someone might ruff."""
    form, suit = words["form"], words.get("suit")
    any_legal = Outcome(chooser="declarer", options=turn.legal)
    if form == "full":
        card = words.get("card") or f"{suit}{words['rank']}"
        return Outcome(card) if card in turn.legal else any_legal
    if form == "anything":
        return Outcome(chooser="either defender", options=turn.legal)
    if form == "rank_only":
        return _rank_only(turn, words["rank"], edition)
    if form == "win":
        return _win(turn, edition)
    if form == "ruff":
        suit = turn.trumps
        if suit is None:
            return any_legal
    if suit is not None:
        fitting = [card for card in turn.legal if card[0] == suit]
    elif turn.leads or edition != "2017":
        # Of one suit only, there is no doubt which is the highest and which the lowest.
        fitting = sorted(turn.legal) if len({card[0] for card in turn.legal}) == 1 else []
    else:
        fitting = [card for card in turn.legal if card[0] == LED]
    if not fitting:
        return any_legal
    ranked = sorted(fitting, key=RANK_OF.__getitem__)
    return Outcome(ranked[-1] if form == "high" else ranked[0])


def _rank_only(turn: Turn, rank: str, edition: str) -> Outcome:
    of_rank = frozenset(card for card in turn.legal if card[1] == rank)
    before = BEFORE.get(turn.position, ())
    if before:
        continued = f"{before[0][0] if edition == '2017' else LED}{rank}"
        if continued in of_rank:
            return Outcome(continued)
    if len(of_rank) == 1:
        return Outcome(next(iter(of_rank)))
    if of_rank and turn.leads and not before:
        # Dummy won the trick before, in a suit that nobody has told.
        return Outcome(asks=True)
    return Outcome(chooser="declarer", options=of_rank or turn.legal)


def _win(turn: Turn, edition: str) -> Outcome | None:
    if turn.trumps and turn.position != "last":
        return None
    played = IN_TRICK.get(turn.position, ())
    beating = sorted((card for card in turn.legal if _beats(card, played, turn.trumps)), key=RANK_OF.__getitem__)
    seen = {*turn.cards, *turn.declarers_cards, *played, *BEFORE.get(turn.position, ())}
    known = [
        card
        for card in beating
        if turn.position == "last" or not any(_beats(other, (card,), None) for other in CARDS if other not in seen)
    ]
    if edition == "1997" and not turn.leads:
        # The lowest card that beats the trick so far must itself be sure to win it.
        known = [card for card in known if card == beating[0]]
    if len({card[0] for card in known}) != 1:
        return Outcome(chooser="declarer", options=turn.legal)
    return Outcome(known[0])


def _beats(card: str, played: tuple[str, ...], trumps: str | None) -> bool:
    """Whether the card would win the trick against these, the first of them led."""

    def worth(each: str) -> tuple[int, int]:
        return (2 if each[0] == trumps else int(not played or each[0] == played[0][0]), RANK_OF[each])

    return all(worth(card) > worth(other) for other in played) and worth(card)[0] > 0
