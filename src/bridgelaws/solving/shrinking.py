"""Make a case smaller as long as it shows what it is to show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from typing import Any

from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.notation import card
from bridgelaws.solving.bounds import Bounds

Data = dict[str, Any]


def shrunk(case: Data, shows: Callable[[Data], bool], vocabulary: Vocabulary) -> Data | None:
    """The case without anything that can be left out, one thing after the other; `None` if it does not show it."""
    if not shows(case):
        return None
    smaller: Data | None = case
    while smaller is not None:
        case = smaller
        smaller = next((each for each in _smaller(case, vocabulary) if shows(each)), None)
    return case


def size(case: Data) -> tuple[int, int, int]:
    """How large a case is: its reports and choices, its cards, and what else is written."""
    reports = [*case.get("reports", ()), *case.get("choices", ())]
    table = case["table"]
    held = sum(map(_cards, table.get("hands", {}).values()))
    played = sum(len(str(trick).split()) for trick in table.get("tricks", ()))
    return len(reports), held + played, len(str(case))


def is_within(case: Data, bounds: Bounds) -> bool:
    """Whether a case is no larger than the bounds of a search."""
    hands = case["table"].get("hands", {}).values()
    return size(case)[0] <= bounds.reports and all(_cards(hand) <= bounds.cards for hand in hands)


def _cards(hand: str) -> int:
    """How many cards a hand such as `♠AT ♥2` has."""
    return sum(len(suit) - 1 for suit in hand.split())


def _smaller(case: Data, vocabulary: Vocabulary) -> Iterator[Data]:
    """The case with one thing less: a report, a choice, something in one, the tricks, a hand or a card."""
    for key in ("choices", "reports"):
        for place in range(len(case.get(key, ()))):
            less = deepcopy(case)
            del less[key][place]
            yield {name: value for name, value in less.items() if value != []}
        for place, (kind, fields) in enumerate(next(iter(each.items())) for each in case.get(key, ())):
            for name in fields:
                if vocabulary[kind].fields[name].optional:
                    less = deepcopy(case)
                    del less[key][place][kind][name]
                    yield less
    table = case["table"]
    # Without its number a listed trick would be the first, to which only one hand can lead in turn.
    for key in ("tricks", "on_lead", *(() if "tricks" in table else ("trick",))):
        if key in table:
            yield {**case, "table": {name: value for name, value in table.items() if name != key}}
    named = {value for key in ("reports", "choices") for each in case.get(key, ()) for value in _values(each)}
    for seat, hand in table.get("hands", {}).items():
        for fewer in ("", *_fewer_cards(hand, named)):
            hands = {**table["hands"], seat: fewer}
            held = {name: cards for name, cards in hands.items() if cards}
            rest = {name: value for name, value in table.items() if name != "hands"}
            yield {**case, "table": {**rest, **({"hands": held} if held else {})}}


def _values(report: Data) -> Iterator[Any]:
    return (value for fields in report.values() for value in fields.values())


def _fewer_cards(hand: str, named: Collection[Any]) -> Iterator[str]:
    """A hand such as `♠AT ♥2` without one of its cards; those that a report names stay for the reader."""
    suits = () if "." in hand else tuple(hand.split())
    for place, suit in enumerate(suits):
        for rank in range(1, len(suit)):
            if card(suit[0] + suit[rank]) in named:
                continue
            left = suit[:rank] + suit[rank + 1 :]
            yield " ".join(each for each in (*suits[:place], left, *suits[place + 1 :]) if len(each) > 1)
