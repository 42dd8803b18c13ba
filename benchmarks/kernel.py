"""How near the compiled engine comes to Python written by hand: the cards that may not be played, both ways.

    PYTHONPATH=src python -m benchmarks.kernel --positions 10000

The kernel is Laws 44, 50, 51 and 59 of 2017 as far as they bear on a player's legal cards. `by_hand` says the same for
tables on which cards were exposed and declarer made his choices, and on which no other irregularity was reported.
Exit 1 with the position if the two differ anywhere; else the median time that each takes for a position.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from statistics import median
from time import perf_counter
from typing import Any

from bridgelaws.batch.dealing import Position, random_position
from bridgelaws.batch.dice import Dice
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.program import Fact, Program, Rule
from bridgelaws.lawbook.law import EditionLaw, load_law
from bridgelaws.notation import SEATS, partner
from bridgelaws.ruling.making import FORBIDS, LISTED
from bridgelaws.table.case import Case, case_facts
from bridgelaws.table.play import ROTATION, TRICKS

EDITION = "2017"
LAWS = ("44-", "50-", "51-", "59-")

Forbidden = set[tuple[str, str]]
Told = dict[str, dict[str, Any]]


def kernel_program(law: EditionLaw) -> Program:
    """The rules of the kernel's laws that bear on legal cards, and those elsewhere without which none of them fires.

    A kind that they only read as an exception, and that other laws conclude from reports of their own, stays empty.
    """
    rules = law.program.rules
    own = [each.provision.clause.id.startswith(LAWS) for each in law.rules]
    fireable = _fireable(rules, own)
    made_inside = {head.kind for place in fireable if own[place] for head in rules[place].then}
    needed = {FORBIDS, LISTED}
    kept: set[int] = set()
    while True:
        found = {
            place
            for place in fireable
            if any(head.kind in needed and (own[place] or head.kind not in made_inside) for head in rules[place].then)
        }
        if found == kept:
            return Program(law.program.columns, tuple(rules[place] for place in sorted(kept)))
        kept = found
        # An exception is needed too, but only where the kernel itself can make it hold.
        needed |= {
            kind
            for place in kept
            for kind, excepted in rules[place].kinds_read()
            if kind in made_inside or not excepted
        }


def _fireable(rules: Sequence[Rule], own: Sequence[bool]) -> set[int]:
    """The rules that what is given can fire, by the kernel's own rules and by definitions, which need nothing."""
    concluded = {head.kind for rule in rules for head in rule.then}
    made: set[str] = set()
    found: set[int] = set()
    while True:
        more = {
            place
            for place, rule in enumerate(rules)
            if (own[place] or not rule.when.atoms)
            and all(atom.kind in made or atom.kind not in concluded for atom in rule.when.atoms)
        }
        if more == found:
            return found
        found = more
        made = {head.kind for place in found for head in rules[place].then}


_PARTNER = {seat: partner(seat) for seat in SEATS}
_UNINTENTIONAL = frozenset(("dropped", "fell_with_another", "seen_in_hand"))
_DELIBERATE = frozenset(("led_out_of_turn", "played_out_of_turn", "revoke_corrected", "withdrawn"))
_LOWEST_HONOUR = 10
_NEVER = 99
# What counts beside the cards held. Cards played are looked up only for the few penalty cards that are held no more.
_READ = frozenset(
    (
        "yet_to_play",
        "card_exposed",
        "lead_choice",
        "on_lead",
        "has_led",
        "now",
        "penalty_card_designated",
        "not_a_penalty_card",
        "exposure_judged",
        "other_card_gone",
    )
)


def by_hand(facts: Sequence[Fact]) -> Forbidden:
    """Every card, with its holder, that may not be played now.

    INVARIANT: the play is going on and all hands are known; each exposed card was reported once, in full; no card is
    both held and played; choices are such as the law offers.
    """
    hands: dict[Any, list[Any]] = {"N": [], "E": [], "S": [], "W": []}
    waiting: list[Any] = []
    exposures: list[Any] = []
    choices: list[Any] = []
    others: list[Any] = []
    # By index, since to unpack a named tuple takes more than twice the time.
    for fact in facts:
        kind = fact[0]
        if kind == "holds":
            values: Any = fact[1]
            hands[values[0]].append(values)
        elif kind in _READ:
            if kind == "yet_to_play":
                waiting.append(fact[1])
            elif kind == "card_exposed":
                exposures.append(fact[1])
            elif kind == "lead_choice":
                choices.append(fact[1])
            else:
                others.append(fact)

    forbidden: Forbidden = set()
    for player, _, led in waiting:
        hand = hands[player]
        wrong = [(player, each[2]) for each in hand if each[3] != led]
        if len(wrong) < len(hand):
            forbidden.update(wrong)
    if not exposures and not choices:
        return forbidden

    now: Any = None
    leader: Any = None
    lead_since: list[Any] = []
    named: list[Any] = []
    barred: list[Any] = []
    judged: dict[Any, Any] = {}
    gone: dict[Any, Any] = {}
    for kind, values in others:
        if kind == "now":
            now = values[0]
        elif kind == "has_led":
            lead_since.append(values[1])
        elif kind == "on_lead":
            leader = values[0]
        elif kind == "exposure_judged":
            judged[values[1]] = values[4]
        elif kind == "other_card_gone":
            gone[values[1]] = values[4]
        elif kind == "penalty_card_designated":
            if values[4] is not None:
                named.append((values[1], values[4]))
        else:
            barred.append(values[1])

    if choices and leader:
        hand = hands[leader]
        required: list[Any] = []
        banned: list[Any] = []
        for player, trick, decision, suit in choices:
            if player == leader:
                if decision == "require":
                    if trick == now:
                        required.append(suit)
                elif decision == "forbid" and trick in lead_since:
                    banned.append((trick, suit))
        for suit in required:
            wrong = [(leader, each[2]) for each in hand if each[3] != suit]
            if len(wrong) < len(hand):
                forbidden.update(wrong)
        if banned:
            # To require a suit lifts the earlier bans on it.
            suits = [suit for trick, suit in banned if trick == now or suit not in required]
            wrong = [(leader, each[2]) for each in hand if each[3] in suits]
            if len(wrong) < len(hand):
                forbidden.update(wrong)

    owned: dict[Any, list[Any]] = {}
    for values in exposures:
        if values[1] not in barred and values[5] is not None:
            if values[0] in owned:
                owned[values[0]].append(values)
            else:
                owned[values[0]] = [values]
    for player, cards in owned.items():
        hand = hands[player]
        if not hand or hand[0][1] != "defender":
            continue
        held = [each[2] for each in hand]
        played: dict[Any, Any] = {}
        for values in cards:
            if values[1] not in held:
                played = _played(facts, cards)
                break
        picked_up = _picked_up(cards, played, player, choices) if choices else {}
        beside = _beside_another(cards, played, picked_up, gone) if len(cards) > 1 else ()
        playable: list[Any] = []
        for _, card, suit, rank, manner, _, _ in cards:
            if card in played or card in picked_up:
                continue
            by_accident = manner in _UNINTENTIONAL
            meant = manner in _DELIBERATE or (not by_accident and judged.get(card) is False)
            if rank >= _LOWEST_HONOUR or meant or card in beside:
                # What comes before a penalty card, to follow suit or a lead restriction, has forbidden it by now.
                if (player, card) not in forbidden:
                    playable.append(card)
            elif by_accident or judged.get(card):
                for each in hand:
                    if each[3] == suit and each[4] < _LOWEST_HONOUR and each[2] != card:
                        forbidden.add((player, each[2]))
        if playable:
            forbidden.update([(player, card) for card in held if card not in playable])
            for card, trick in named:
                if trick == now and card in playable:
                    forbidden.update([(player, each) for each in playable if each != card])
    return forbidden


def _played(facts: Sequence[Fact], cards: Sequence[Any]) -> dict[Any, Any]:
    """The trick to which each of the penalty cards was played."""
    since = {values[1]: values[5] for values in cards}
    played: dict[Any, Any] = {}
    for fact in facts:
        if fact[0] == "played":
            _, card, _, _, trick, _ = fact[1]
            if card in since and trick >= since[card]:
                played[card] = trick
    return played


def _picked_up(cards: Sequence[Any], played: Mapping[Any, Any], owner: str, choices: Sequence[Any]) -> dict[Any, Any]:
    """The trick at which each card went back to the hand: that of the first choice about its suit."""
    leader = _PARTNER[owner]
    picked_up: dict[Any, Any] = {}
    for _, card, suit, _, _, since, after_choice in cards:
        first = since
        if after_choice and any(player == leader and trick == since for player, trick, _, _ in choices):
            # Exposed after the choice: that was because of another card that lay there.
            first += any(other[1] != card and other[5] <= since for other in cards)
        chosen = [
            trick
            for player, trick, what, about in choices
            if player == leader and about == suit and what != "neither" and trick >= first
        ]
        if chosen and played.get(card, _NEVER) >= (earliest := min(chosen)):
            picked_up[card] = earliest
    return picked_up


def _beside_another(
    cards: Sequence[Any], played: Mapping[Any, Any], picked_up: Mapping[Any, Any], gone: Mapping[Any, Any]
) -> set[Any]:
    """The cards that lay on the table together with another."""
    beside: set[Any] = set()
    for _, first, _, _, _, earlier, _ in cards:
        played_at, picked_at = played.get(first, _NEVER), picked_up.get(first, _NEVER)
        left_at = min(played_at, picked_at)
        for _, second, _, _, manner, later, after_choice in cards:
            if second == first or later < earlier or left_at < later:
                continue
            if left_at == later and (
                manner == "fell_with_another"
                or (played_at == later and gone.get(second))
                or (after_choice and picked_at == later)
            ):
                continue
            beside.add(first)
            beside.add(second)
    return beside


_COUNTS = {0: 1, 1: 4, 2: 4, 3: 3}
_MANNERS = {
    "dropped": 5,
    "fell_with_another": 3,
    "seen_in_hand": 2,
    "named": 1,
    "shown": 1,
    "led_out_of_turn": 2,
    "played_out_of_turn": 1,
    "revoke_corrected": 1,
    "withdrawn": 1,
}
_DECISIONS = {"require": 4, "forbid": 4, "neither": 1, "": 1}
_REPEATS = 5
_AT_ONCE = 20


def positions(count: int, seed: int) -> list[list[Fact]]:
    """Random tables in the middle of the play, all hands known, with penalty cards and with choices that are open."""
    law = load_law().edition(EDITION)
    engine = CompiledEngine(kernel_program(law))
    return [_position(Dice(seed, number), law, engine) for number in range(count)]


def _position(dice: Dice, law: EditionLaw, engine: CompiledEngine) -> list[Fact]:
    position = _mid_play(dice)
    reports = list(_reports(dice, position))
    choices: list[Told] = []

    def facts() -> list[Fact]:
        told = {"table": _table(position), "reports": reports, "choices": choices}
        return list(case_facts(Case.from_data(told), law.vocabulary).facts)

    known = facts()
    leads = sorted(int(fact.values[1] or 0) for fact in known if fact.kind == "has_led")
    for trick in leads if reports else ():
        # Whether declarer had a choice before a lead is seen from the cards that lay there.
        chosen = Fact("lead_choice", (position.leader, trick, "neither", None))
        lying = engine.run([*known, chosen]).facts.get("lay_before_lead", ())
        suits = sorted({str(values[3]) for values in lying if values[1] == trick})
        made = _lead_choices(dice, position, trick, suits) if suits else []
        if made:
            choices += made
            reports += _exposed_after(dice, position, reports, made[0]["lead_choice"])
            known = facts()
    playable = engine.run(known).facts.get("playable_penalty_card", ())
    cards = sorted(str(card) for player, card, *_ in playable if player == position.turn)
    if len(cards) > 1 and dice.chance(0.7):
        trick = position.now - (position.now > 1 and dice.chance(0.1))
        named = {"player": position.turn, "card": dice.pick(cards), "trick": trick}
        choices.append({"penalty_card_designated": named})
        known = facts()
    return known


def _mid_play(dice: Dice) -> Position:
    """A board in the play; often a defender is on lead, since most restrictions are on leads."""
    lead_wanted = dice.chance(0.5)
    while True:
        position = random_position(dice)
        if not position.declarer or position.over or position.leader is None:
            continue
        if lead_wanted and (trick := position.in_progress):
            back = dict(zip(ROTATION[trick[0]], trick[1], strict=False))
            held = {seat: [*cards, back[seat]] if seat in back else cards for seat, cards in position.held.items()}
            position = replace(position, tricks=position.tricks[:-1], held=held)
        # Boards break off early more often than late, and few cards make it hard to comply.
        taken = dice.chance((position.now / TRICKS) ** 2)
        if taken and (not lead_wanted or position.leader in _defenders(position)):
            return position


def _defenders(position: Position) -> tuple[str, str]:
    _, before, _, after = ROTATION[str(position.declarer)]
    return before, after


def _table(position: Position) -> dict[str, Any]:
    dealt = (
        ".".join("".join(card[1] for card in position.dealt[seat] if card[0] == suit) for suit in "SHDC")
        for seat in SEATS
    )
    tricks = [f"{leader}: {' '.join(cards)}" for leader, cards in position.tricks]
    return {"contract": position.contract, "deal": f"N:{' '.join(dealt)}", "tricks": tricks}


def _reports(dice: Dice, position: Position) -> Iterator[Told]:
    """Up to three exposed cards, mostly of one defender, some of them played since; now and then of declarer's side."""
    now = position.now
    owners = _defenders(position)
    often = _often(dice, position)
    exposed: dict[str, str] = {}
    played_to: dict[str, int] = {}
    for _ in range(dice.weighted(_COUNTS)):
        owner = often if dice.chance(0.7) else dice.pick(SEATS) if dice.chance(0.1) else dice.pick(owners)
        held, earlier = position.held[owner], position.played(owner)[:3]
        card = dice.pick(earlier if earlier and dice.chance(0.15) else held or earlier)
        if dice.chance(0.6):
            # Several of one suit, or as many suits as partner holds.
            suits = {each[0] for each in exposed}
            suits = suits if dice.chance(0.5) else {each[0] for each in position.held[partner(owner)]} - suits
            card = dice.pick([each for each in held if each[0] in suits] or [card])
        if card in exposed:
            continue
        manner = dice.weighted(_MANNERS)
        gone = [played_to[each] for each, player in exposed.items() if player == owner and each in played_to]
        trick = dice.pick(gone) if gone and dice.chance(0.5) else max(1, now - dice.below(4))
        if card not in held:
            played_to[card] = next(number for number, (_, cards) in enumerate(position.tricks, 1) if card in cards)
            trick = max(1, played_to[card] - dice.below(2))
        elif manner == "played_out_of_turn" and trick == now:
            # By Law 49 such a card may be none; that is outside the kernel.
            manner = "led_out_of_turn"
        exposed[card] = owner
        yield _exposed(owner, card, manner, trick)
        if any(each <= trick for each in gone) and dice.chance(0.8):
            yield {"other_card_gone": {"player": owner, "card": card, "gone": dice.chance(0.6)}}
        if manner in ("named", "shown") and dice.chance(0.8):
            yield {"exposure_judged": {"player": owner, "card": card, "unintentional": dice.chance(0.5)}}
        if dice.chance(0.03):
            yield {"not_a_penalty_card": {"player": owner, "card": card}}


def _often(dice: Dice, position: Position) -> str:
    """The defender whose penalty cards matter most now: he who is to follow suit, or the leader's partner."""
    turn = str(position.turn)
    if turn not in _defenders(position):
        return dice.pick(_defenders(position))
    return turn if position.in_progress or dice.chance(0.3) else partner(turn)


def _exposed(player: str, card: str, manner: str, trick: int, **more: bool) -> Told:
    return {"card_exposed": {"player": player, "card": card, "manner": manner, "trick": trick, **more}}


def _lead_choices(dice: Dice, position: Position, trick: int, suits: list[str]) -> list[Told]:
    """What declarer chose before this lead, if anything yet; one suit, or when he forbids perhaps several."""
    decision = dice.weighted(_DECISIONS)
    if not decision:
        return []
    choice = {"player": position.leader, "trick": trick, "decision": decision}
    if decision == "neither":
        return [{"lead_choice": choice}]
    several = decision == "forbid" and dice.chance(0.6)
    return [{"lead_choice": {**choice, "suit": suit}} for suit in (suits if several else [dice.pick(suits)])]


def _exposed_after(dice: Dice, position: Position, reports: Sequence[Told], choice: dict[str, Any]) -> list[Told]:
    """Perhaps a further card of the suit, exposed once declarer had chosen: at that trick, or at the next."""
    owner = partner(str(position.leader))
    exposed = {each["card_exposed"]["card"] for each in reports if "card_exposed" in each}
    cards = [card for card in position.held[owner] if card[0] == choice.get("suit") and card not in exposed]
    if not cards or dice.chance(0.6):
        return []
    trick = choice["trick"]
    next_trick = trick < position.now and dice.chance(0.7)
    more = {} if next_trick else {"after_choice": True}
    return [_exposed(owner, dice.pick(cards), "dropped", trick + next_trick, **more)]


def agree(count: int, seed: int) -> list[list[Fact]]:
    """The positions, when the engine and the code by hand forbid the same cards in all of them."""
    engine = CompiledEngine(kernel_program(load_law().edition(EDITION)))
    found = positions(count, seed)
    for number, facts in enumerate(found):
        concluded, written = by_engine(engine, facts), by_hand(facts)
        if concluded != written:
            told = "\n".join(f"  {kind} {values}" for kind, values in facts if kind not in ("unseen", "player"))
            raise AssertionError(
                f"position {number} of seed {seed}\n{told}\n"
                f"only by the engine: {sorted(concluded - written)}\nonly by hand: {sorted(written - concluded)}"
            )
    return found


def by_engine(engine: CompiledEngine, facts: Sequence[Fact]) -> Forbidden:
    """The same by the rules."""
    return {(str(player), str(card)) for player, card, *_ in engine.run(facts).facts.get(FORBIDS, ())}


def times(runs: Sequence[Callable[[Sequence[Fact]], object]], found: Sequence[list[Fact]]) -> list[list[float]]:
    """For each way the microseconds that a position takes, once for each few positions and each repeat.

    The ways take turns at the same few positions, so that whatever else the machine does slows all of them alike.
    """
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(_REPEATS):
        for start in range(0, len(found), _AT_ONCE):
            some = found[start : start + _AT_ONCE]
            # Else the first way would bring the facts into the cache for the next.
            for run, facts in product(runs, some):
                run(facts)
            for run, each in zip(runs, taken, strict=True):
                begun = perf_counter()
                for facts in some:
                    run(facts)
                each.append((perf_counter() - begun) / len(some) * 1e6)
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description="Legal cards by the engine and by hand: equality, then speed.")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    program = kernel_program(load_law().edition(EDITION))
    engine = CompiledEngine(program)
    try:
        found = agree(given.positions, given.seed)
    except AssertionError as wrong:
        print(wrong)
        return 1
    print(f"{len(found)} positions, {len(program.rules)} rules: the same cards forbidden")
    ruled, written = times((engine.run, by_hand), found)
    ratio = median(one / other for one, other in zip(ruled, written, strict=True))
    print(f"engine {median(ruled):.1f} µs, by hand {median(written):.1f} µs a position: ratio {ratio:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
