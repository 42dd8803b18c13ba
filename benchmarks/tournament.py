"""A tournament that never was: random deals played out with random irregularities, and an audit that must find them.

    python -m benchmarks.tournament --deals 10000

Each deal is played by cards that are legal, except where an irregularity is put in; it is written as PBN or as LIN, and
audited. What is found must be what was put in, and nothing else; wherever a ruling says what a player may play, there
must be something; and at a random turn of each deal the law must let the player play just the cards of the suit led,
or any if he has none. Exit 0 if all this is so, 1 if not.

Nothing here uses the program that follows records: it has its own way of playing.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bridgelaws import Case, Lawbook
from bridgelaws.audit.boards import cut_at_boards
from bridgelaws.audit.desk import AuditJob
from bridgelaws.batch.running import Plan, Run, job_of

SEATS = "NESW"
SUITS = "SHDC"
RANKS = "23456789TJQKA"
HONOURS = "TJQKA"
STRAINS = ("C", "D", "H", "S", "NT")
DEALERS = {"S": 1, "W": 2, "N": 3, "E": 4}
ROUND = 500

PBN_KINDS = ("revoke", "lead", "fifth", "not held", "penalty", "swapped")
LIN_KINDS = ("revoke", "lead", "fifth", "not held", "penalty", "turn", "taken back")
MOST = 3
LEAST_TRICKS = 6

Found = tuple[str, str, str, int]


@dataclass
class Put:
    """A card on the table: who put it there, and how the record marks it."""

    seat: str
    card: str
    mark: str = ""
    note: str = ""


@dataclass
class Deal:
    """A deal as it was played, what was put in, and a turn before the first irregularity to look at."""

    number: int
    form: str
    hands: dict[str, tuple[str, ...]]
    declarer: str
    swapped: bool
    level: int
    strain: str
    tricks: list[list[Put]] = field(default_factory=list)
    beyond: dict[int, Put] = field(default_factory=dict)
    first: str = ""
    opening_note: str = ""
    put_in: set[Found] = field(default_factory=set)
    looked_at: tuple[dict[str, Any], str, set[str]] | None = None


def after(seat: str, steps: int = 1) -> str:
    return SEATS[(SEATS.index(seat) + steps) % 4]


def turns(leader: str) -> list[str]:
    return [after(leader, step) for step in range(4)]


def winner(trick: dict[str, str], leader: str, trumps: str) -> str:
    led = trick[leader][0]
    best = leader
    for seat in turns(leader)[1:]:
        card, top = trick[seat], trick[best]
        higher = card[0] == top[0] and RANKS.index(card[1]) > RANKS.index(top[1])
        if higher or (card[0] == trumps != top[0]):
            best = seat
    assert led
    return best


class Player:
    """Plays one deal."""

    def __init__(self, seed: int, number: int) -> None:
        self.dice = random.Random(f"{seed} {number}")
        pack = [suit + rank for suit in SUITS for rank in RANKS]
        self.dice.shuffle(pack)
        hands = {seat: tuple(pack[13 * place : 13 * place + 13]) for place, seat in enumerate(SEATS)}
        form = self.dice.choice(("pbn", "lin"))
        kinds = PBN_KINDS if form == "pbn" else LIN_KINDS
        length = 13 if self.dice.random() < 0.6 else self.dice.randint(LEAST_TRICKS, 12)
        wanted = self.dice.sample(range(1, length + 1), self.dice.randint(0, MOST))
        self.plan = {trick: self.dice.choice(kinds) for trick in wanted}
        swapped = 1 in self.plan and self.plan[1] == "swapped"
        declarer, level, strain = self.dice.choice(SEATS), self.dice.randint(1, 7), self.dice.choice(STRAINS)
        self.deal = Deal(number, form, hands, declarer, swapped, level, strain)
        self.length = length
        self.left = {seat: set(cards) for seat, cards in hands.items()}
        self.gone: list[str] = []
        # Cards of which a record leaves it open whether they are still held.
        self.loose: set[str] = set()
        self.doubtful: set[str] = set()
        self.penalty: tuple[str, str] | None = None
        self.spared = False

    def play(self) -> Deal:
        leader = after(self.deal.declarer)
        looked = self.dice.randint(1, min([self.length, *(trick for trick in self.plan)]))
        for trick in range(1, self.length + 1):
            leader = self._trick(trick, leader, self.plan.get(trick, ""), trick == looked)
        return self.deal

    def _trick(self, number: int, leader: str, kind: str, looked: bool) -> str:
        deal, dice = self.deal, self.dice
        put: list[Put] = []
        if kind == "penalty" and self.penalty is None:
            self._note_penalty_card(number)
        if kind == "swapped" and number == 1:
            kind = "lead swapped"
        elif kind == "lead":
            wrong = [seat for seat in SEATS if seat != leader and self.left[seat] and seat not in self.doubtful]
            leader = dice.choice(wrong)
        elif kind == "taken back":
            self._taken_back(number, leader, put)
        early = dice.randint(1, 2) if kind == "turn" else 0
        order = turns(leader)
        revoker = self._revoker(leader, order, kind)
        trick: dict[str, str] = {}
        for place, seat in enumerate(order):
            led = trick[leader][0] if trick else ""
            legal = self._legal(seat, led)
            if looked and place == (number % 4) and not put and not self.plan.get(number) and not self.penalty:
                self._look(number, seat, legal, trick, leader)
            card = dice.choice(sorted(legal))
            mark = ""
            if place == 0 and kind in ("lead", "lead swapped"):
                deal.put_in.add(("lead_out_of_turn", seat, card, number))
                mark = "" if kind == "lead swapped" or self._named_first(number, seat) else "^L "
            if seat == revoker and (other := self._not_following(seat, led)):
                card = dice.choice(other)
                deal.put_in.add(("revoke", seat, card, number))
                mark = "^R " if dice.random() < 0.5 else ""
            elif kind == "not held" and place == number % 4 and (false := self._not_held(seat, trick)):
                deal.put_in.add(("card_not_held", seat, false, number))
                self._place(put, trick, seat, false, "")
                continue
            elif not (place == 0 and "lead" in kind) and not (early and place == early + 1):
                card = self._with_penalty_card(number, seat, legal, card)
            self.left[seat].discard(card)
            self.loose.discard(card)
            self._place(put, trick, seat, card, mark)
        if early:
            cards = put[-4:]
            cards[early], cards[early + 1] = cards[early + 1], cards[early]
            put[-4:] = cards
            deal.put_in.add(("play_out_of_turn", cards[early].seat, cards[early].card, number))
        deal.tricks.append(put)
        self.gone += trick.values()
        if kind == "fifth":
            self._fifth(number)
        return winner(trick, leader, deal.strain)

    def _place(self, put: list[Put], trick: dict[str, str], seat: str, card: str, mark: str) -> None:
        put.append(Put(seat, card, mark))
        trick[seat] = card

    def _named_first(self, number: int, seat: str) -> bool:
        """Sometimes the record does not mark the opening lead, and only names who made it."""
        if number == 1 and self.deal.form == "pbn" and self.dice.random() < 0.5:
            self.deal.first = seat
            return True
        return False

    def _legal(self, seat: str, led: str) -> set[str]:
        held = self.left[seat]
        return {card for card in held if card[0] == led} or set(held)

    def _look(self, number: int, seat: str, legal: set[str], trick: dict[str, str], leader: str) -> None:
        deal = self.deal
        listed = [f"{put[0].seat}: {' '.join(each.card for each in put)}" for put in deal.tricks]
        if trick:
            listed.append(f"{leader}: {' '.join(trick.values())}")
        table: dict[str, Any] = {"contract": f"{deal.level}{deal.strain} by {deal.declarer}", "deal": pbn_deal(deal)}
        if listed:
            table["tricks"] = listed
        assert number == len(deal.tricks) + 1
        deal.looked_at = ({"table": table}, seat, set(legal))

    def _revoker(self, leader: str, order: list[str], kind: str) -> str:
        return self.dice.choice([seat for seat in order if seat != leader]) if kind == "revoke" else ""

    def _not_following(self, seat: str, led: str) -> list[str]:
        """Cards of other suits, if the record will show that he could have followed."""
        held = self.left[seat]
        if seat in self.doubtful or not any(card[0] == led and card not in self.loose for card in held):
            return []
        return sorted(card for card in held if card[0] != led)

    def _not_held(self, seat: str, trick: dict[str, str]) -> str:
        """A card that the record has him play, although it was gone or, in columns, is in another hand."""
        if seat in self.doubtful or self.penalty:
            return ""
        # Gone is also what another was made to play though it is in this hand.
        others = [card for card in self.gone if card not in trick.values() and card not in self.left[seat]]
        if self.deal.form == "pbn":
            others += [card for other in SEATS if other != seat for card in self.left[other]]
            others = [card for card in others if card not in trick.values()]
        if not others:
            return ""
        card = self.dice.choice(sorted(others))
        self.doubtful.add(seat)
        self.loose.add(card)
        return card

    def _fifth(self, number: int) -> None:
        able = [seat for seat in SEATS if self.left[seat] and seat not in self.doubtful]
        if not able or number == self.length:
            return
        seat = self.dice.choice(able)
        card = self.dice.choice(sorted(self.left[seat] - self.loose or self.left[seat]))
        if self.penalty == (seat, card):
            return
        self.deal.beyond[number] = Put(seat, card)
        self.loose.add(card)
        self.deal.put_in.add(("fifth_card", seat, card, number))

    def _taken_back(self, number: int, leader: str, put: list[Put]) -> None:
        """A lead out of turn that is taken back; the card comes another time."""
        able = [seat for seat in SEATS if seat != leader and len(self.left[seat]) > 1 and seat not in self.doubtful]
        if not able or leader in self.doubtful:
            return
        seat = self.dice.choice(able)
        # A card that is surely not played to this trick: one of a suit that he need not follow to would be.
        card = self.dice.choice(sorted(self.left[seat]))
        put.append(Put(seat, card, "back"))
        self.deal.put_in.add(("lead_out_of_turn", seat, card, number))

    # A penalty card that the record tells of.

    def _note_penalty_card(self, number: int) -> None:
        deal = self.deal
        defenders = (after(deal.declarer), after(deal.declarer, 3))
        able = [seat for seat in defenders if len(self.left[seat]) > 1 and seat not in self.doubtful]
        able = [seat for seat in able if self.left[seat] - self.loose]
        if not able or deal.swapped:
            return
        seat = self.dice.choice(able)
        card = self.dice.choice(sorted(self.left[seat] - self.loose))
        self.penalty = seat, card
        how = "" if card[1] in HONOURS and self.dice.random() < 0.5 else ", led out of turn"
        note = f"{card} is a penalty card{how}"
        if number == 1:
            deal.opening_note = note
        else:
            deal.tricks[-1][-1].note = note

    def _with_penalty_card(self, number: int, seat: str, legal: set[str], card: str) -> str:
        """He plays his penalty card as soon as he legally can, but not the first time."""
        if self.penalty is None or self.penalty[0] != seat:
            return card
        due = self.penalty[1]
        if due not in self.left[seat]:
            self.penalty = None
            return card
        if due not in legal:
            return card
        others = sorted(legal - {due})
        if not self.spared and others:
            self.spared = True
            other = self.dice.choice(others)
            self.deal.put_in.add(("penalty_card_not_played", seat, other, number))
            return other
        return due


def pbn_hand(cards: tuple[str, ...]) -> str:
    suits = ("".join(sorted((c[1] for c in cards if c[0] == suit), key=RANKS.index, reverse=True)) for suit in SUITS)
    return ".".join(suits)


def pbn_deal(deal: Deal) -> str:
    return "N:" + " ".join(pbn_hand(deal.hands[seat]) for seat in SEATS)


def as_pbn(deal: Deal, dice: random.Random) -> str:
    first = deal.first or after(deal.declarer)
    columns = turns(first)
    lines = [
        "% a line that is passed over",
        '[Event "A tournament; of {sorts}"]',
        f'[Board "{deal.number}"]',
        f'[Deal "{pbn_deal(deal)}"]',
        f'[Declarer "{"^" if deal.swapped else ""}{deal.declarer}"]',
        f'[Contract "{deal.level}{deal.strain}"]',
        '[Auction "N"]',
        "*",
        f'[Play "{first}"]',
    ]
    if deal.opening_note:
        lines.append(f"{{{deal.opening_note}}}")
    for number, trick in enumerate(deal.tricks, start=1):
        cells = {put.seat: put for put in trick}
        row = " ".join(_cell(cells[seat], dice) for seat in columns)
        extra = deal.beyond.get(number)
        lines.append(f"{row} {extra.card}" if extra else row)
    lines.append("*" if len(deal.tricks) < 13 else "{a comment\n\nof three lines}")
    lines.append('[Note "1:a signal"]')
    return "\n".join(lines) + "\n\n"


def _cell(put: Put, dice: random.Random) -> str:
    noise = dice.choice(("", "", "", "", " !", " =1=", " $7", "?!"))
    return f"{put.mark}{put.card}{noise}" + (f" {{{put.note}}}" if put.note else "")


def as_lin(deal: Deal, dice: random.Random) -> str:
    hands = []
    for seat in "SWNE"[: dice.choice((3, 4))]:
        hands.append("".join(suit + "".join(c[1] for c in deal.hands[seat] if c[0] == suit) for suit in SUITS))
    strain = deal.strain[0]
    written = [
        f"qx|o{deal.number}|pn|a,b,c,d|st||md|{DEALERS[deal.declarer]}{','.join(hands)}|rh||ah|Board {deal.number}|",
        f"sv|o|mb|{deal.level}{strain}|mb|p|mb|p|mb|p|pg||",
    ]
    if deal.opening_note:
        written.append(f"nt|{deal.opening_note}|")
    for number, trick in enumerate(deal.tricks, start=1):
        played = list(trick)
        if number in deal.beyond:
            played.append(deal.beyond[number])
        written.append("".join(f"pc|{put.card}|" + (f"nt|{put.note}|" if put.note else "") for put in played) + "pg||")
    if len(deal.tricks) < 13:
        written.append("mc|7|")
    return "\n".join(written) + "\n"


def deals(seed: int, first: int, number: int) -> Iterator[Deal]:
    return (Player(seed, each).play() for each in range(first, first + number))


def troubles(played: list[Deal], folder: Path, edition: str, workers: int) -> tuple[Counter[str], list[str]]:
    """What was found of each kind, and everything that is not as it should be."""
    dice = random.Random(len(played))
    texts = {"pbn": as_pbn, "lin": as_lin}
    found: Counter[str] = Counter()
    wrong: list[str] = []
    book = Lawbook.load(edition)
    for form, written in texts.items():
        mine = [deal for deal in played if deal.form == form]
        file, out = folder / f"round.{form}", folder / f"{form}.jsonl"
        file.write_text("".join(written(deal, dice) for deal in mine), encoding="utf-8")
        plan = Plan(str(file), out, edition, workers=workers, chunk=50, force=True)
        Run(plan, None, AuditJob(**asdict(job_of(plan))), cut_at_boards).go()
        records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        if len(records) != len(mine):
            wrong.append(f"{form}: {len(mine)} boards went in, and {len(records)} came out")
        for deal, record in zip(mine, records, strict=False):
            wrong += (f"board {deal.number} ({form}): {each}" for each in _differences(deal, record, found))
    for deal in played:
        if deal.looked_at:
            wrong += (f"board {deal.number}: {each}" for each in _misjudged(deal.looked_at, book))
    return found, wrong


def _differences(deal: Deal, record: dict[str, Any], found: Counter[str]) -> Iterator[str]:
    if "errors" in record:
        yield f"not read: {record['errors'][0]['message']}"
        return
    if record["board"] != str(deal.number):
        yield f"came out as board {record['board']}"
    got = {(each["kind"], each["player"], each["card"], each["trick"]) for each in record["irregularities"]}
    found.update(kind for kind, *_ in got)
    for each in sorted(deal.put_in - got):
        yield f"not found: {each}"
    for each in sorted(got - deal.put_in):
        yield f"found, but not put in: {each}"
    if len(got) != len(record["irregularities"]):
        yield "the same irregularity was found twice"
    if record["remarks"]:
        yield f"a remark: {record['remarks'][0]['text']}"
    for each in record["irregularities"]:
        yield from _unruled(each)


def _unruled(each: dict[str, Any]) -> Iterator[str]:
    ruling = each["ruling"]
    if each["errors"]:
        yield f"{each['kind']} was not ruled on: {each['errors'][0]['message']}"
    elif ruling is None:
        if each["kind"] != "card_not_held":
            yield f"{each['kind']} was not ruled on"
    else:
        if ruling["conflicts"]:
            yield f"the law contradicts itself: {ruling['conflicts'][0]['text']}"
        for seat, plays in ruling["plays"].items():
            if not plays["may"] and not plays["undecided"]:
                yield f"{each['kind']}: {seat} may play nothing"


def _misjudged(looked_at: tuple[dict[str, Any], str, set[str]], book: Lawbook) -> Iterator[str]:
    case, seat, legal = looked_at
    plays = next((each for each in book.rule(Case.from_data(case)).plays if each.player == seat), None)
    if plays is None or set(plays.may) != legal:
        yield f"{seat} may play {sorted(legal)}, but the law says {plays and plays.may}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edition", default="2017")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    found: Counter[str] = Counter()
    bad = put_in = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, asked.deals, ROUND):
            played = list(deals(asked.seed, first, min(ROUND, asked.deals - first)))
            put_in += sum(len(deal.put_in) for deal in played)
            more, wrong = troubles(played, Path(folder), asked.edition, asked.workers)
            found += more
            bad += len(wrong)
            for each in wrong[:20]:
                print(each)
            done = first + len(played)
            print(f"{done:,} deals, {done / (time.monotonic() - began):.0f} a second", file=sys.stderr)
    told = f"{asked.deals:,} deals, {put_in:,} irregularities put in, {found.total():,} found"
    print(f"{told}, {bad:,} not as they should be")
    for kind, number in found.most_common():
        print(f"{number:>8,}  {kind}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
