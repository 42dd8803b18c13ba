"""Rule again on what a solver found, through the table adapter and every engine there is."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.errors import BridgelawsError, EngineError
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case


def essence(ruling: Ruling) -> frozenset[object]:
    """All that a ruling says, whichever clauses say it: rulings are different if one says what the other does not."""
    findings = ((each.kind, tuple(each.fields.items()), each.force) for each in ruling.findings)
    forbidden = (("may not play", each.player, card.card) for each in ruling.plays for card in each.may_not)
    allowed = (("may play", each.player, card) for each in ruling.plays for card in each.may)
    options = (("may choose", each.chooser, option.text) for each in ruling.options for option in each.options)
    return frozenset((*findings, *forbidden, *allowed, *options))


def questions(ruling: Ruling) -> frozenset[object]:
    """All that a ruling asks, of whom and about which card."""
    return frozenset((each.kind, each.field, tuple(sorted(each.about.items()))) for each in ruling.questions)


def replayed(law: EditionLaw, case: Case) -> Ruling:
    """The ruling, the same on both engines; without durable-rules, on the one there is."""
    ruling = Lawbook(law).rule(case)
    if find_spec("durable") is not None:
        other = Lawbook(law, "durable").rule(case)
        if {**other.to_json(), "engine": ""} != {**ruling.to_json(), "engine": ""}:
            raise EngineError(f"the engines rule differently on this table: {case.document.data}")
    return ruling


def table_of(case: Case) -> dict[str, Any]:
    """What a case tells, without what is expected of its ruling, and each hand as one text."""
    told = {"table": {}, **{name: each for name, each in case.document.data.items() if name in _TELLS}}
    hands = told["table"].get("hands", {})
    listed = {seat: hand if isinstance(hand, str) else " ".join(map(str, hand)) for seat, hand in hands.items()}
    return {**told, "table": {**told["table"], **({"hands": listed} if listed else {})}}


_TELLS = ("table", "reports", "choices", "regulations")


def rule_differently(old: EditionLaw, new: EditionLaw, table: dict[str, Any]) -> bool:
    """Whether both laws can rule on the table, and do not rule the same."""
    try:
        rulings = [essence(Lawbook(law).rule(Case.from_data(table))) for law in (old, new)]
    except BridgelawsError:
        return False
    return rulings[0] != rulings[1]
