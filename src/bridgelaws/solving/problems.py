"""What is wrong with a law, with a table that shows it: made small, and ruled on by both engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.errors import BridgelawsError, EngineError
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.replaying import essence, replayed
from bridgelaws.solving.shrinking import shrunk
from bridgelaws.solving.targets import Target
from bridgelaws.table.case import Case


@dataclass(frozen=True)
class Problem:
    """Something wrong with a law: what it is, and if there is one, a table that shows it, with the ruling there."""

    check: str
    text: str
    case: dict[str, Any] | None = None
    ruling: Ruling | None = None

    def to_json(self) -> dict[str, Any]:
        ruling = self.ruling.to_json() if self.ruling else None
        return {"check": self.check, "text": self.text, "case": self.case, "ruling": ruling}


def dead(law: EditionLaw, target: Target, bounds: Bounds) -> Problem:
    rule = law.rules[target.about["rule"]]
    number = target.about["exception"]
    what = "never fires" if number is None else f"never meets its exception {number + 1}"
    return Problem(
        "dead rule" if number is None else "dead exception", f"{rule.number} '{rule.rule.name}' {what} within {bounds}"
    )


def shown(law: EditionLaw, target: Target, data: dict[str, Any]) -> Problem:
    """The problem with a small table, replayed."""
    case = shrunk(data, lambda each: shows(law, target, each), law.vocabulary)
    if case is None:
        raise EngineError(f"the solver says '{target.name}', and the engine does not, on this table: {data}")
    names = {"kinds": "contradiction", "silent": "no ruling"}
    check_name = next((name for about, name in names.items() if about in target.about), "no card to play")
    return Problem(check_name, target.name, case, replayed(law, Case.from_data(case)))


def shows(law: EditionLaw, target: Target, data: dict[str, Any]) -> bool:
    try:
        ruling = Lawbook(law).rule(Case.from_data(data))
    except BridgelawsError:
        return False
    if "silent" in target.about:
        untold = Lawbook(law).rule(Case.from_data({name: each for name, each in data.items() if name != "reports"}))
        return "reports" in data and not ruling.questions and essence(ruling) == essence(untold)
    if "kinds" in target.about:
        return any({each.first.kind, each.second.kind} == set(target.about["kinds"]) for each in ruling.conflicts)
    return any(each.complete and not each.may and each.may_not and not each.undecided for each in ruling.plays)
