"""What can come of a claim, beside an oracle that plays every card and shares no code with the search."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bridgelaws import Case, Lawbook
from bridgelaws.claims.ending import DrawTrumps, Ending, PlayCard, PlaySuit, Step, ThrowCard
from bridgelaws.claims.search import PlayedTrick, Search
from bridgelaws.claims.telling import told
from bridgelaws.cli.app import app
from bridgelaws.errors import CaseError
from bridgelaws.table.claimed import ending
from bridgelaws.table.facts import table_facts

ROOT = Path(__file__).parent.parent
SEATS = "NESW"
RANKS = "23456789TJQKA"


# ------------------------------------------------------------------ the oracle


def takes(cards: Sequence[str], trumps: str | None) -> int:
    ruffs = [place for place, card in enumerate(cards) if card[0] == trumps]
    following = [place for place, card in enumerate(cards) if card[0] == cards[0][0]]
    return max(ruffs or following, key=lambda place: RANKS.index(cards[place][1]))


def stated(line: tuple[Step, ...], position: Ending, cards: list[str]) -> tuple[list[str], tuple[Step, ...]]:
    """The cards that the claimer's words leave him, and the words still to come."""
    held = {card for seat in position.own for card in position.hands[seat]}
    against = {card for seat in SEATS if seat not in position.side for card in position.hands[seat]}
    while line:
        step = line[0]
        if isinstance(step, PlayCard) and step.card in held:
            may = step.card in cards and (not position.trick or position.trick[0][0] == step.card[0])
            return ([step.card], line[1:]) if may else (cards, line)
        if isinstance(step, ThrowCard) and step.card in held:
            if step.card in cards and position.trick and position.trick[0][0] != step.card[0]:
                return [step.card], line[1:]
            return [card for card in cards if card != step.card] or cards, line
        if isinstance(step, PlaySuit | DrawTrumps):
            suit = step.suit if isinstance(step, PlaySuit) else position.trumps
            wanted = {card for card in held if card[0] == suit}
            left = isinstance(step, PlaySuit) or any(card[0] == suit for card in against)
            if wanted and left:
                chosen = [card for card in cards if card in wanted]
                return (chosen if chosen and not position.trick else cards), line
        line = line[1:]
    return cards, line


def may_play(position: Ending) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    player = SEATS[(SEATS.index(position.leader) + len(position.trick)) % 4]
    hand = position.hands[player]
    cards = [card for card in hand if position.trick and card[0] == position.trick[0][0]] or list(hand)
    line = position.line
    if player in position.own:
        cards, line = stated(line, position, cards)
        if position.from_the_top and not position.trick:
            cards = [
                card
                for card in cards
                if not any(other[0] == card[0] and RANKS.index(other[1]) > RANKS.index(card[1]) for other in cards)
            ]
    for card in cards:
        yield player, card, line


@dataclass(frozen=True)
class Truth:
    outcomes: frozenset[int]
    alone: int
    at_most: int
    trump_wins: bool


def truth(position: Ending) -> Truth:
    if not any(position.hands.values()):
        return Truth(frozenset({0}), 0, 0, trump_wins=False)
    found: list[Truth] = []
    player = ""
    for player, card, line in may_play(position):
        hands = {**position.hands, player: position.hands[player] - {card}}
        trick = (*position.trick, card)
        won, trumped = 0, False
        after = replace(position, hands=hands, trick=trick, line=line)
        if len(trick) == 4:
            place = takes(trick, position.trumps)
            winner = SEATS[(SEATS.index(position.leader) + place) % 4]
            won = int(winner in position.side)
            trumped = not won and trick[place][0] == position.trumps
            after = replace(after, trick=(), leader=winner)
        below = truth(after)
        found.append(
            Truth(
                frozenset(number + won for number in below.outcomes),
                below.alone + won,
                below.at_most + won,
                below.trump_wins or trumped,
            )
        )
    if player in position.side:
        outcomes = frozenset().union(*(each.outcomes for each in found))
    else:
        # Every plan of the claimer has an answer to each card; the opponents choose the card.
        outcomes = frozenset(min(plan) for plan in product(*{each.outcomes for each in found}))
    alone = (max if player in position.own else min)(each.alone for each in found)
    return Truth(outcomes, alone, max(each.at_most for each in found), any(each.trump_wins for each in found))


# ------------------------------------------------------------------ random endings


def random_ending(seed: int, size: int) -> Ending:
    dice = random.Random(seed)
    suits = dice.sample("CDHS", dice.choice([2, 3, 4]))
    deck = [f"{suit}{rank}" for suit in suits for rank in dice.sample(RANKS, 4 * size // len(suits) + 1)]
    dice.shuffle(deck)
    hands = {seat: frozenset(deck[place * size : (place + 1) * size]) for place, seat in enumerate(SEATS)}
    trumps = dice.choice([*suits, None])
    claimer, leader = dice.choice("SEW"), dice.choice(SEATS)
    own = frozenset("NS") if claimer == "S" else frozenset(claimer)
    steps: list[Step] = []
    if dice.random() < 0.5:
        mine = sorted(card for seat in own for card in hands[seat])
        menu = [DrawTrumps(), PlaySuit(dice.choice(suits)), PlayCard(dice.choice(mine)), ThrowCard(dice.choice(mine))]
        steps = dice.sample(menu, dice.choice([1, 2, 3]))
    made = Ending(hands, leader, trumps, claimer, own, (), tuple(steps), from_the_top=dice.random() < 0.25)
    for _ in range(dice.choice([0, 0, 1, 2, 3])):
        player, card, line = dice.choice(sorted(may_play(made), key=str))
        made = replace(made, hands={**made.hands, player: made.hands[player] - {card}}, trick=(*made.trick, card))
        made = replace(made, line=line)
    return made


def assert_right(position: Ending) -> None:
    search, known = Search(position), truth(position)
    found = search.prospects
    assert frozenset(found.outcomes) == known.outcomes
    assert (found.alone, found.at_most, found.trump_wins) == (known.alone, known.at_most, known.trump_wins)
    for outcome in found.outcomes:
        assert_legal(position, search.line(outcome), outcome)


def assert_legal(position: Ending, line: Sequence[PlayedTrick], outcome: int) -> None:
    """The line is one that may be played, card by card, and it wins what it says."""
    won = 0
    for trick in line:
        assert trick.leader == position.leader
        for card in trick.cards[len(position.trick) :]:
            player, rest = next((player, rest) for player, each, rest in may_play(position) if each == card)
            hands = {**position.hands, player: position.hands[player] - {card}}
            position = replace(position, hands=hands, trick=(*position.trick, card), line=rest)
        assert trick.winner == SEATS[(SEATS.index(position.leader) + takes(trick.cards, position.trumps)) % 4]
        won += trick.winner in position.side
        position = replace(position, leader=trick.winner, trick=())
    assert not any(position.hands.values())
    assert won == outcome


@pytest.mark.parametrize("seed", range(120))
def test_the_search_finds_what_the_oracle_finds_in_endings_of_three_cards(seed: int) -> None:
    assert_right(random_ending(seed, 3))


@pytest.mark.parametrize("seed", range(1000, 1006))
def test_the_search_finds_what_the_oracle_finds_in_endings_of_four_cards(seed: int) -> None:
    assert_right(random_ending(seed, 4))


def test_the_random_endings_are_of_every_sort() -> None:
    made = [random_ending(seed, 3) for seed in range(120)]
    assert {len(each.trick) for each in made} == {0, 1, 2, 3}
    assert {each.claimer for each in made} == set("SEW")
    assert {type(step) for each in made for step in each.line} == {DrawTrumps, PlaySuit, PlayCard, ThrowCard}
    found = [Search(each).prospects for each in made]
    assert any(each.alone < each.most for each in found)
    assert any(len(each.outcomes) > 2 for each in found)


# ------------------------------------------------------------------ the table, the rules and the command

R100 = {
    "contract": "4S by S",
    "trick": 11,
    "on_lead": "S",
    "hands": {"S": "♠2 ♦AK", "W": "♠3 ♣AK", "N": "♥432", "E": "♥765"},
    "claim": "S",
}


def table_of(**changes: object) -> Case:
    return Case.from_data({"table": {**R100, **changes}})


def searched(case: Case) -> Search:
    found = ending(case.table)
    assert isinstance(found, Ending)
    return Search(found)


def test_with_the_master_trump_out_a_claim_of_three_can_lose_them_all() -> None:
    search = searched(table_of())
    assert search.prospects.outcomes == (0, 1, 2)
    assert search.line(0)[0] == PlayedTrick("S", ("S2", "S3", "H2", "H5"), "W")


def test_a_stated_line_leaves_only_what_it_allows() -> None:
    assert searched(table_of(claim={"by": "S", "line": "diamonds"})).prospects.outcomes == (1, 2)
    assert searched(table_of(claim={"by": "South", "line": ["draw trumps"]})).prospects.outcomes == (0,)
    assert searched(table_of(claim={"by": "declarer", "line": "♦A, S2"})).prospects.outcomes == (1,)


def test_a_card_to_ruff_with_or_discard_is_kept_and_then_played() -> None:
    # East has ruffed the diamond with the five, and South must ruff higher.
    table = {
        "contract": "4S by S",
        "trick": 12,
        "tricks": ["W: DA H3 S5"],
        "hands": {"W": "♥2", "N": "♥4", "E": "♥5", "S": "♠T2"},
    }
    assert searched(Case.from_data({"table": {**table, "claim": "S"}})).prospects.outcomes == (1, 2)
    for words in ("ruff with ST", "ruffing with the ♠10", "discard S10"):
        search = searched(Case.from_data({"table": {**table, "claim": {"by": "S", "line": [words]}}}))
        assert search.prospects.outcomes == (2,)
        assert "South claims; he stated: ♠T on another suit." in told(search, 12)


def test_a_line_is_asked_for_only_with_an_outcome_that_it_can_have() -> None:
    with pytest.raises(ValueError, match="no line of play has 3"):
        searched(table_of()).line(3)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"claim": None}, "does not say who claims"),
        ({"claim": "N"}, "dummy cannot claim"),
        ({"contract": None}, "not known"),
        ({"on_lead": None}, "who is on lead"),
        ({"hands": {"S": "♠2 ♦AK"}}, "not every card"),
        (
            {"trick": 8, "hands": {"S": "♠AKQJT9", "W": "♥AKQJT9", "N": "♦AKQJT9", "E": "♣AKQJT9"}},
            "more than 5 cards",
        ),
    ],
)
def test_an_ending_that_cannot_be_searched_says_why_and_gives_no_facts(changes: dict[str, object], why: str) -> None:
    parts = {key: value for key, value in {**R100, **changes}.items() if value is not None}
    case = Case.from_data({"table": parts})
    found = ending(case.table)
    assert isinstance(found, str)
    assert why in found
    assert not [fact for fact in table_facts(case.table) if fact.kind.startswith("claim_")]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("X", "'X' is not a seat"),
        (["S"], "a list stands where the claim belongs"),
        ({"line": "clubs"}, "the claim does not say who claims"),
        ({"by": "S", "lines": "clubs"}, "a claim has no 'lines'; did you mean 'line'?"),
        ({"by": "S", "line": ["ruff it"]}, "'ruff it' is no step of a line"),
        ({"by": "S", "line": 3}, "the number 3 stands where the line belongs"),
        ({"by": 7}, "the number 7 stands where the claimer belongs"),
    ],
)
def test_a_claim_that_cannot_be_read_is_refused_where_it_stands(claim: object, message: str) -> None:
    with pytest.raises(CaseError) as wrong:
        Case.from_data({"table": {**R100, "claim": claim}})
    assert any(message in str(each) for each in wrong.value.diagnostics)


def test_a_line_that_is_judged_not_normal_brings_the_next_one() -> None:
    reports = [
        {"claim_made": {"player": "S", "manner": "says_wins", "tricks": 3}},
        {"line_stated": {"player": "S", "stated": True}},
        {"claim_answered": {"player": "S", "answer": "doubted"}},
        {"trump_outstanding": {"player": "S", "mentioned": True, "unaware": False, "losable": True}},
    ]
    book = Lawbook.load("2017")
    asked = []
    while True:
        ruling = book.rule(Case.from_data({"table": R100, "reports": reports}))
        if not ruling.questions:
            break
        (question,) = ruling.questions
        asked.append(question.about["tricks"])
        reports.append({"line_normal": {**question.about, "normal": False}})
    assert asked == [0, 1]
    (awarded,) = [each for each in ruling.findings if each.kind == "tricks_awarded"]
    assert awarded.fields == {"side": "NS", "tricks": 2, "of": 3}


def run(tmp_path: Path, *options: str, **changes: object) -> tuple[int, str]:
    parts = {key: value for key, value in {**R100, **changes}.items() if value is not None}
    path = tmp_path / "claim.json"
    path.write_text(json.dumps({"table": parts}), encoding="utf-8")
    done = CliRunner().invoke(app, ["claim", str(path), *options])
    return done.exit_code, done.stdout


def test_the_command_shows_the_hands_and_a_line_for_each_number_of_tricks(tmp_path: Path) -> None:
    status, text = run(tmp_path)
    assert status == 0
    assert "South ♠2 ♦AK" in text
    assert "at least 0 whatever is played, and 2 by their best play" in text
    assert "  trick 11: S ♠2, W ♠3, N ♥2, E ♥5; West wins" in text
    assert [line for line in text.splitlines() if line.startswith("A line")] == [
        "A line that wins 0:",
        "A line that wins 1:",
        "A line that wins 2:",
    ]


def test_the_command_says_in_a_word_what_cannot_be_otherwise(tmp_path: Path) -> None:
    status, text = run(tmp_path, hands={"S": "♠A ♦AK", "W": "♥KQJ", "N": "♥432", "E": "♥765"})
    assert status == 0
    assert text.endswith("Whatever is played, North-South win 3 of the 3 tricks left.\n")


def test_the_command_tells_programs_the_same(tmp_path: Path) -> None:
    status, text = run(tmp_path, "--format", "json", "--from-the-top")
    told_json = json.loads(text)
    assert status == 0
    assert (told_json["least"], told_json["most"], told_json["from_the_top"]) == (0, 2, True)
    assert told_json["lines"][0]["play"][0] == {
        "trick": 11,
        "leader": "S",
        "cards": ["S2", "S3", "H2", "H5"],
        "winner": "W",
    }


def test_a_defenders_claim_is_told_with_what_he_wins_whatever_his_partner_plays() -> None:
    hands = {"E": "♥A ♣2", "W": "♣A ♠2", "N": "♦32", "S": "♣K ♠3"}
    case = table_of(contract="3NT by S", trick=12, on_lead="E", hands=hands, claim={"by": "E", "line": "hearts, ♣2"})
    lines = list(told(searched(case), 12))
    assert lines[0] == "East claims; he stated: hearts, ♣2."
    assert "Whatever his partner plays, East wins 1." in lines
