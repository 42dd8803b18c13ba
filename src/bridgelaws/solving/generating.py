"""Cases to fill in: for each rule of a clause the smallest table that fires it, and for each exception one that holds.

What must come out is left to a person: a case that expects what the program says tests nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.searching import OutOfTime, clock
from bridgelaws.solving.target_searches import target_search
from bridgelaws.solving.targets import Target, rule_targets
from bridgelaws.solving.telling import case_file, to_fill_in
from bridgelaws.solving.verifying import PATIENCE_A_CHECK


@dataclass(frozen=True)
class Generated:
    """A case file for a rule or one of its exceptions; without text if no table was found, and `why` then says so."""

    name: str
    text: str
    why: str = ""


def generated_cases(law: EditionLaw, clause: str, bounds: Bounds) -> Iterator[Generated]:
    """A case for each rule of the clause and for each exception, in their order."""
    provision = law.provision(clause)
    for target in rule_targets(law):
        rule = law.rules[target.about["rule"]]
        if rule.provision is provision:
            yield _generated(law, target, bounds)


def _generated(law: EditionLaw, target: Target, bounds: Bounds) -> Generated:
    rule = law.rules[target.about["rule"]]
    number = target.about["exception"]
    what = f"the rule '{rule.rule.name}' applies"
    if number is not None:
        kinds = " and ".join(pattern.kind for pattern in rule.rule.unless[number])
        what = f"the rule '{rule.rule.name}' is kept from applying by its exception: {kinds}"
    name = f"{rule.number} {rule.rule.name}" + ("" if number is None else f" unless {number + 1}")
    until = clock() + PATIENCE_A_CHECK
    try:
        for stage in bounds.growing():
            found = target_search(law, target, stage).find(until)
            if found is not None:
                return Generated(name, _file(rule.number, what, found.case, law.edition.name))
    except OutOfTime:
        return Generated(name, "", f"no table was found in time within {bounds}")
    return Generated(name, "", f"there is no such table within {bounds}")


def _file(number: str, what: str, case: dict[str, Any], edition: str) -> str:
    return case_file({"title": f"{number}: {what}", **case}, to_fill_in([edition], number))
