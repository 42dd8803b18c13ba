"""The tables, reports and choices that a search ranges over; and a table that it found, as a case to read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from bridgelaws import notation
from bridgelaws.engine.program import Fact, Program, Value
from bridgelaws.lawbook.lowering import ASK, OFFER
from bridgelaws.lawbook.vocabulary import NOW, Field, Kind, Vocabulary
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.translating import NOBODY_SAID, applied, predicate, symbol

# What tells one report from another; the rest is what it says.
_TELLING = ("seat", "card", "count", "side")


@cache
def table_program() -> str:
    return (files("bridgelaws.solving") / "table.lp").read_text(encoding="utf-8")


def domain(vocabulary: Vocabulary, bounds: Bounds, read: Collection[str]) -> Iterator[str]:
    """The cards, and every report and choice of the kinds that are read which could be written about them."""
    deck = bounds.deck
    for card in notation.CARDS:
        name = "deck" if card in deck else "rest"
        yield f"{name}({symbol(card)},{symbol(notation.SUIT_OF[card])},{notation.RANK_OF[card]})."
    yield "deck_or_none(C,S,R) :- deck(C,S,R). deck_or_none(none,none,none)."
    yield from (f"base({first})." for first in bounds.first_tricks)
    yield f"most_held({bounds.cards})."
    counted: list[str] = []
    for kind in vocabulary.of_source("report", "choice"):
        if kind.name not in read:
            continue
        columns, ranges = _columns(kind, bounds)
        fact = applied(predicate(kind.name), columns)
        yield f"{{ {fact} : {', '.join(ranges)} }}." if ranges else f"{{ {fact} }}."
        counted.append(f"1,{', '.join((kind.name, *columns))} : {fact}")
        yield from _said_once(kind, bounds)
        yield from _sensible(kind, bounds)
        yield from _owned(kind, bounds)
    if counted:
        yield f":- #sum {{ {'; '.join(counted)} }} > {bounds.reports}."
    yield from (f"#minimize {{ 1@3,{each.removeprefix('1,')} }}." for each in counted)
    yield '#minimize { 1@5 : not at("play") ; 1@2,C : owns(_,C) }.'
    yield "#minimize { 1@1,1 : complete ; 1@1,2 : begun ; 1@1,3 : not first(1) }."
    for kind in vocabulary.of_source("regulation"):
        given = kind.fact({name: each.default for name, each in kind.fields.items()})
        yield f"{applied(predicate(kind.name), [symbol(value) for value in given.values])}."


def _columns(kind: Kind, bounds: Bounds) -> tuple[list[str], list[str]]:
    """Variables for the columns of a kind, and what each ranges over."""
    columns: list[str] = []
    ranges: list[str] = []
    for place, field in enumerate(kind.fields.values()):
        if field.type.parts:
            parts = [f"X{place}", *(f"X{place}_{part}" for part in field.type.parts)]
            columns += parts
            ranges.append(applied("deck_or_none" if field.optional else "deck", parts))
        else:
            columns.append(f"X{place}")
            values = [symbol(value) for value in _values(field, bounds)] + [NOBODY_SAID] * field.optional
            ranges.append(f"X{place} = ({'; '.join(values)})")
    return columns, ranges


def _values(field: Field, bounds: Bounds) -> Sequence[Value]:
    ranges: Mapping[str, Sequence[Value]] = {
        "suit": bounds.suits,
        "rank": bounds.ranks,
        "count": bounds.trick_numbers,
    }
    return ranges.get(field.type.name, field.type.domain)


def _said_once(kind: Kind, bounds: Bounds) -> Iterator[str]:
    """Of one card of one player a report of a kind says one thing, not two."""
    columns, ranges = _columns(kind, bounds)
    names = [column.split(".")[0] for column in kind.columns]
    telling = [kind.fields[name].type.name in _TELLING and not kind.fields[name].optional for name in names]
    others = [column for column, tells in zip(columns, telling, strict=True) if not tells]
    if not others:
        return
    within = [each for name, each in zip(kind.fields, ranges, strict=True) if telling[names.index(name)]]
    counted = f"#count {{ {','.join(others)} : {applied(predicate(kind.name), columns)} }} > 1"
    yield f":- {', '.join((*within, counted))}."


def _sensible(kind: Kind, bounds: Bounds) -> Iterator[str]:
    """A report names different players and different cards, and no trick that is still to come."""
    columns, _ = _columns(kind, bounds)
    fact = applied(predicate(kind.name), columns)
    of_type = {
        each: [columns[kind.columns.index(name)] for name, field in kind.fields.items() if field.type.name == each]
        for each in ("seat", "card", "count")
    }
    for first, second in (*combinations(of_type["seat"], 2), *combinations(of_type["card"], 2)):
        yield f":- {fact}, {first} = {second}."
    for trick in of_type["count"]:
        yield f":- {fact}, now(N), {trick} > N."
    for name, field in kind.fields.items():
        if field.optional:
            given = columns[kind.columns.index(name)]
            yield f"#minimize {{ 1@1,{kind.name},{name} : {fact}, {given} != none }}."


def _owned(kind: Kind, bounds: Bounds) -> Iterator[str]:
    """A card should be with the player named, or else dummy's, or at least on the table: other tables come last."""
    columns, _ = _columns(kind, bounds)
    fact = applied(predicate(kind.name), columns)
    owner = columns[kind.columns.index("player")] if "player" in kind.fields else '"N"'
    for name, field in kind.fields.items():
        if field.type.name == "card":
            card = columns[kind.columns.index(name)]
            whose = owner if name == "card" else "_"
            yield f"#minimize {{ 1@4,{kind.name},{card} : {fact}, {card} != none, not owns({whose},{card}) }}."


def sensible_reports(
    vocabulary: Vocabulary, asked: Collection[str], read: Collection[str], bounds: Bounds
) -> Iterator[str]:
    """What a Director would not be told is left out.

    A card that a report names is in no other hand than those of the players it names, or else dummy's, and in no
    trick that is over. Of one card one thing is told, apart from the answers to what was `asked`.
    """
    yield ":- subject(K,C), subject(L,C), K < L."
    for kind in vocabulary.of_source("report"):
        seats = [name for name, field in kind.fields.items() if field.type.name == "seat"]
        cards = [name for name, field in kind.fields.items() if field.type.name == "card"]
        if kind.name not in read or not cards:
            continue
        columns, _ = _columns(kind, bounds)
        fact = applied(predicate(kind.name), columns)
        for name in cards:
            card = columns[kind.columns.index(name)]
            named = [columns[kind.columns.index(each)] for each in _holders(name, seats)] or ['"N"']
            yield f":- {fact}, owns(P,{card}), {', '.join(f'P != {each}' for each in named)}."
            yield f":- {fact}, {card} != none, full({named[0]}), not owns({named[0]},{card})."
            if kind.name not in asked:
                yield f"subject({kind.name},{card}) :- {fact}, {card} != none."
                yield f":- {fact}, lies(complete,_,{card}), begun."
                yield f":- {fact}, lies(complete,_,{card}), on_lead(_)."


def _holders(card: str, seats: Sequence[str]) -> Sequence[str]:
    """The first player has the card called `card`, and `other` the one called `other_card`; else it may be anyone's."""
    if card == "card":
        return seats[:1]
    return [each for each in seats if card == f"{each}_card"] or seats


def answered(program: Program, vocabulary: Vocabulary, name: Callable[[str], str] = predicate) -> Iterator[str]:
    """Nothing is left to ask: every report that a rule asks for is given, so that there is one ruling."""
    asked = {
        (head.kind, tuple(term is None for term in head.terms))
        for rule in program.rules
        for head in rule.then
        if head.kind.startswith(ASK)
    }
    for kind_asked, unsaid in sorted(asked):
        kind = vocabulary[kind_asked.removeprefix(ASK)]
        left = [kind.fields[c] for c, u in zip(kind.columns, unsaid, strict=True) if u and c in kind.fields]
        if all(field.may_be_left_open for field in left):
            continue
        question = [NOBODY_SAID if u else f"X{place}" for place, u in enumerate(unsaid)]
        answer = ["_" if u else f"X{place}" for place, u in enumerate(unsaid)]
        yield f":- {applied(name(kind_asked), question)}, not {applied(predicate(kind.name), answer)}."


def legal_choices(
    vocabulary: Vocabulary, read: Collection[str], name: Callable[[str], str] = predicate
) -> Iterator[str]:
    """A choice that is being made now is one that the law offers."""
    for kind in vocabulary.of_source("choice"):
        if kind.name not in read:
            continue
        columns = [f"X{place}" for place in range(len(kind.columns))]
        body = [applied(predicate(kind.name), columns)]
        if kind.during:
            moment = vocabulary[kind.during]
            same = [columns[kind.columns.index(each)] if each in kind.columns else "_" for each in moment.columns]
            body.append(applied(predicate(moment.name), same))
        yield f":- {', '.join(body)}, not {applied(name(OFFER + kind.name), columns)}."


def found_case(atoms: Mapping[str, Sequence[Sequence[Value]]], vocabulary: Vocabulary) -> dict[str, Any]:
    """The table and the reports of a model, as a case file says them."""
    case: dict[str, Any] = {"table": _table(atoms)}
    now = next((values[0] for values in atoms.get("fk_now", ())), None)
    for key, source in (("reports", "report"), ("choices", "choice")):
        given = [
            {kind.name: _written(kind, values, now)}
            for kind in vocabulary.of_source(source)
            for values in sorted(atoms.get(predicate(kind.name), ()), key=str)
        ]
        if given:
            case[key] = given
    return case


def _written(kind: Kind, values: Sequence[Value], now: Value) -> dict[str, Value]:
    written = kind.written(Fact(kind.name, tuple(values)))
    usual = {name for name, each in kind.fields.items() if each.default == NOW and written.get(name) == now}
    return {name: value for name, value in written.items() if name not in usual}


def _table(atoms: Mapping[str, Sequence[Sequence[Value]]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    strain = _only(atoms, "strain")
    if strain:
        table["contract"] = f"4{strain} by S"
    hands = {seat: _hand(card for each, card in atoms.get("hand", ()) if each == seat) for seat in notation.SEATS}
    held = {seat: hand for seat, hand in hands.items() if hand}
    if held:
        table["hands"] = held
    stage = _only(atoms, "at")
    tricks = [_trick(atoms, name) for name in ("complete", "begun") if name in atoms]
    if tricks:
        table["tricks"] = tricks
    now = _only(atoms, "now")
    if stage != "auction" and (now != 1 + ("complete" in atoms)):
        table["trick"] = now
    if stage == "play" and not tricks and now != 1 and "on_lead" in atoms:
        table["on_lead"] = _only(atoms, "on_lead")
    if stage != "play" or not tricks:
        table["stage"] = stage
    return table


def _only(atoms: Mapping[str, Sequence[Sequence[Value]]], name: str) -> Value:
    return next((values[0] for values in atoms.get(name, ())), None)


def _hand(cards: Iterable[Value]) -> str:
    """Cards as a hand is written: suit symbols, each followed by its ranks from the top."""
    held = sorted(map(str, cards), key=notation.card_order)
    suits = dict.fromkeys(card[0] for card in held)
    return " ".join(
        notation.SUIT_SYMBOLS[suit] + "".join(card[1:] for card in held if card[0] == suit) for suit in suits
    )


def _trick(atoms: Mapping[str, Sequence[Sequence[Value]]], name: str) -> str:
    leader = next(player for trick, player in atoms["leads"] if trick == name)
    cards = sorted((int(str(place)), str(card)) for trick, place, card in atoms["lies"] if trick == name)
    return f"{leader}: {' '.join(card for _, card in cards)}"
