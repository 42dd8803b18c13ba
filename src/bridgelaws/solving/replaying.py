"""Rule again on what a solver found, through the table adapter and every engine there is."""

from __future__ import annotations

from importlib.util import find_spec

from bridgelaws.book import Lawbook
from bridgelaws.errors import EngineError
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


def replayed(law: EditionLaw, case: Case) -> Ruling:
    """The ruling, the same on both engines; without durable-rules, on the one there is."""
    ruling = Lawbook(law).rule(case)
    if find_spec("durable") is not None:
        other = Lawbook(law, "durable").rule(case)
        if {**other.to_json(), "engine": ""} != {**ruling.to_json(), "engine": ""}:
            raise EngineError(f"the engines rule differently on this table: {case.document.data}")
    return ruling
