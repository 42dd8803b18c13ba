"""The tables, reports and choices that a search ranges over; and a table that it found, as a case to read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from bridgelaws import notation
from bridgelaws.engine.program import Fact, Program, Value
from bridgelaws.lawbook.vocabulary import ASK, NOW, OFFER, Kind, Vocabulary
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.given import Given, given_kinds
from bridgelaws.solving.symbols import NOBODY_SAID, applied, predicate, symbol
from bridgelaws.table.hands import NO_CARD


@cache
def table_program() -> str:
    return (files("bridgelaws.solving") / "table.lp").read_text(encoding="utf-8")


def domain(vocabulary: Vocabulary, bounds: Bounds, first: int, read: Collection[str]) -> Iterator[str]:
    """The cards, and every report and choice of the kinds that are read which could be written about them.

    The list of tricks begins with trick number `first`.
    """
    deck = bounds.deck
    for card in notation.CARDS:
        name = "deck" if card in deck else "rest"
        yield f"{name}({symbol(card)},{symbol(notation.SUIT_OF[card])},{notation.RANK_OF[card]})."
    yield "deck_or_none(C,S,R) :- deck(C,S,R). deck_or_none(none,none,none)."
    yield f"first({first})."
    yield f"most_held({bounds.cards})."
    told = [given for name, given in given_kinds(vocabulary).items() if name in read]
    for given in told:
        yield from given.choices(bounds, first)
        yield from _sensible(given)
        yield from _owned(given)
    if told:
        yield f":- #sum {{ {'; '.join(f'1,{given.counted()}' for given in told)} }} > {bounds.reports}."
    yield from (f"#minimize {{ 1@3,{given.counted()} }}." for given in told)
    yield '#minimize { 1@5 : not at("play") ; 1@2,C : owns(_,C) }.'
    yield "#minimize { 1@1,1 : complete ; 1@1,2 : begun ; 1@1,3 : gap(_) }."
    for kind in vocabulary.of_source("regulation"):
        usual = kind.fact({name: each.default for name, each in kind.fields.items()})
        yield f"{applied(predicate(kind.name), [symbol(value) for value in usual.values])}."


def _sensible(given: Given) -> Iterator[str]:
    """A report names different players and different cards, and no trick that is still to come."""
    of_type = {
        each: [name for name, field in given.kind.fields.items() if field.type.name == each]
        for each in ("seat", "card", "count")
    }
    for first, second in (*combinations(of_type["seat"], 2), *combinations(of_type["card"], 2)):
        yield f":- {', '.join(given.about({first: 'X', second: 'X'}))}, X != none."
    for trick in of_type["count"]:
        yield f":- {', '.join(given.about({trick: 'T'}))}, now(N), T > N."
    for name, field in given.kind.fields.items():
        if field.optional:
            said = ", ".join(given.about({name: "X"}))
            yield f"#minimize {{ 1@1,{given.kind.name},{name} : {said}, X != none }}."


def _owned(given: Given) -> Iterator[str]:
    """A card should be with the player named, or else dummy's, or at least on the table: other tables come last."""
    for name, field in given.kind.fields.items():
        if field.type.name == "card":
            whose = {"player": "P"} if "player" in given.kind.fields else {}
            owner = "_" if name != "card" else "P" if whose else '"N"'
            said = ", ".join(given.about({**whose, name: "C"}))
            yield f"#minimize {{ 1@4,{given.kind.name},C : {said}, C != none, not owns({owner},C) }}."


def sensible_reports(vocabulary: Vocabulary, asked: Collection[str], read: Collection[str]) -> Iterator[str]:
    """What a Director would not be told is left out.

    A card that a report names is in no other hand than those of the players it names, or else dummy's, and in no
    trick that is over. Of one card one thing is told, and by one report if it names two, apart from answers: reports of
    a kind that can be `asked` for, where they are asked for.
    """
    yield ":- subject(K,C), subject(L,C), K < L."
    for kind in vocabulary.of_source("report"):
        seats = [name for name, field in kind.fields.items() if field.type.name == "seat"]
        cards = [name for name, field in kind.fields.items() if field.type.name == "card"]
        if kind.name not in read or not cards:
            continue
        given = Given(kind)
        for one, another in combinations(cards, 2):
            told = [*given.about({one: "C"}), *given.about({another: "C"}, "V")]
            yield f":- {', '.join(told)}, C != none."
        for name in cards:
            holders = {each: f"H{place}" for place, each in enumerate(_holders(name, seats))}
            fact = ", ".join(given.about({**holders, name: "C"}))
            named = list(holders.values()) or ['"N"']
            yield f":- {fact}, owns(P,C), {', '.join(f'P != {each}' for each in named)}."
            yield f":- {fact}, C != none, full({named[0]}), not owns({named[0]},C)."
            incident = [*given.about({name: "C"}), "C != none"]
            if kind.name in asked:
                question = applied(predicate(ASK + kind.name), ["C" if c == name else "_" for c in kind.columns])
                yield f"asked({kind.name},C) :- {question}."
                incident.append(f"not asked({kind.name},C)")
            yield f"subject({kind.name},C) :- {', '.join(incident)}."
            yield f":- subject({kind.name},C), lies(complete,_,C), begun."
            yield f":- subject({kind.name},C), lies(complete,_,C), on_lead(_)."


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
    for place, (kind_asked, unsaid) in enumerate(sorted(asked)):
        kind = vocabulary[kind_asked.removeprefix(ASK)]
        left = [kind.fields[c] for c, u in zip(kind.columns, unsaid, strict=True) if u and c in kind.fields]
        if all(field.may_be_left_open for field in left):
            continue
        known = [c for c, u in zip(kind.columns, unsaid, strict=True) if not u]
        variables = {column: f"X{number}" for number, column in enumerate(known)}
        question = applied(name(kind_asked), [variables.get(column, NOBODY_SAID) for column in kind.columns])
        answer = applied(f"answer_{place}", list(variables.values()))
        yield f"{answer} :- {', '.join(Given(kind).about(variables))}."
        yield f":- {question}, not {answer}."


def legal_choices(
    vocabulary: Vocabulary, read: Collection[str], name: Callable[[str], str] = predicate
) -> Iterator[str]:
    """A choice that is being made now is one that the law offers."""
    for kind in vocabulary.of_source("choice"):
        if kind.name not in read:
            continue
        columns = [f"X{place}" for place in range(len(kind.columns))]
        body = Given(kind).atoms(columns)
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
    cards = {int(str(place)): str(card) for trick, place, card in atoms["lies"] if trick == name}
    places = range(1, 5 if name == "complete" else len(cards) + 1)
    return f"{leader}: {' '.join(cards.get(place, NO_CARD) for place in places)}"
