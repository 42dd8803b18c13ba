"""Does the solver notice a fault? Plant three kinds of faults in many rules and look for a table that shows each.

    python -m benchmarks.planted_faults --edition 2017 --rules 30

For each rule: one exception dropped, one condition turned round, one value exchanged for another. A fault is found if
some table within the bounds is ruled differently; none if the solver proves that none is; open if the time is up.
Exit 0 when every fault was found or proven to make no difference, 1 when some are open.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bridgelaws.casebook.running import read_cases
from bridgelaws.lawbook.clauses import FieldTest, LawRule, Literal, Pattern
from bridgelaws.lawbook.law import EditionLaw, load_law
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import Exchange, difference_search, exchanged
from bridgelaws.solving.parallel import in_parallel
from bridgelaws.solving.replaying import table_of
from bridgelaws.solving.said import Said
from bridgelaws.solving.same import known_difference
from bridgelaws.solving.sameness import concludes_the_same
from bridgelaws.solving.searching import OutOfTime, clock

PATIENCE = 15.0


@dataclass(frozen=True)
class Fault:
    """A rule, by its place, with something wrong in it."""

    place: int
    kind: str
    rule: LawRule


def faults(law: EditionLaw, rules: int) -> list[Fault]:
    """Faults in so many rules, spread over the law; only rules in which all three kinds can be planted."""
    able = [
        (place, each.rule)
        for place, each in enumerate(law.rules)
        if each.rule.unless and any(True for _ in _literals(each.rule, law.vocabulary)) and each.rule.then
    ]
    step = max(1, len(able) // rules)
    return [fault for place, rule in able[::step][:rules] for fault in _planted(place, rule, law.vocabulary)]


def _literals(rule: LawRule, vocabulary: Vocabulary) -> Iterator[tuple[int, int, tuple[str | int | bool, ...]]]:
    """The conditions that want one value of a field, with the other values that the field may have."""
    for number, pattern in enumerate(rule.when):
        for place, test in enumerate(pattern.tests):
            kind = vocabulary[pattern.kind].fields[test.field].type
            if test.comparator == "equal" and not test.part and isinstance(test.operands[0], Literal):
                others = tuple(value for value in kind.domain if value != test.operands[0].value)
                yield number, place, others


def _planted(place: int, rule: LawRule, vocabulary: Vocabulary) -> Iterator[Fault]:
    yield Fault(place, "exception dropped", replace(rule, unless=rule.unless[1:]))
    number, field, others = next(_literals(rule, vocabulary))
    test = rule.when[number].tests[field]
    yield Fault(place, "condition turned round", _with(rule, number, field, replace(test, comparator="not")))
    swapped = replace(test, operands=(Literal(others[0]),))
    yield Fault(place, "value exchanged", _with(rule, number, field, swapped))


def _with(rule: LawRule, number: int, field: int, test: FieldTest) -> LawRule:
    pattern = rule.when[number]
    changed: Pattern = replace(pattern, tests=(*pattern.tests[:field], test, *pattern.tests[field + 1 :]))
    return replace(rule, when=(*rule.when[:number], changed, *rule.when[number + 1 :]))


def outcome(said: Said, fault: Fault, bounds: Bounds, patience: float, tables: Iterable[dict[str, Any]]) -> str:
    """What `verify --same` says of the fault: it tries the cases at hand, then a proof, then searches."""
    law = said.law
    exchange = Exchange(frozenset({fault.place}), (replace(law.rules[fault.place], rule=fault.rule),))
    if known_difference(said, exchange, exchanged(law, exchange), tables):
        return "found"
    until = clock() + patience
    if concludes_the_same(law, exchange, bounds, until):
        return "none"
    until = clock() + patience
    for stage in bounds.growing():
        try:
            if difference_search(law, exchange, stage).exists(until):
                return "found"
        except OutOfTime:
            return "open"
    return "none"


def _law_number(folder: str) -> str:
    return folder.split("-")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description="Plant faults in rules and count those that the solver notices.")
    parser.add_argument("--edition", default="2017")
    parser.add_argument("--rules", type=int, default=30)
    parser.add_argument("--cases", type=Path, help="try these cases first, as verify --same does")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds to search for one fault")
    parser.add_argument("--reports", type=int, default=Bounds().reports, help="how many reports a search may use")
    asked = parser.parse_args()
    whole, bounds = load_law(), Bounds(reports=asked.reports)
    law = whole.edition(asked.edition)
    planted = faults(law, asked.rules)
    said = Said(law)
    at_hand = [
        (_law_number(each.path.parent.name), table_of(each.case))
        for each in (read_cases(asked.cases, whole) if asked.cases else ())
        if each.case
    ]

    # Before the work is shared out, so that it is done once.
    for _, table in at_hand:
        said.on(table)

    def tried(fault: Fault) -> tuple[Fault, str]:
        own = _law_number(law.rules[fault.place].provision.clause.id)
        tables = [table for number, table in sorted(at_hand, key=lambda each: each[0] != own)]
        return fault, outcome(said, fault, bounds, asked.patience, tables)

    counted: Counter[tuple[str, str]] = Counter()
    for fault, found in in_parallel(tried, planted):
        counted[fault.kind, found] += 1
        if found != "found":
            print(f"{found}: {law.rules[fault.place].number} '{fault.rule.name}', {fault.kind}", flush=True)
    for kind in dict.fromkeys(fault.kind for fault in planted):
        print(f"{kind}: " + ", ".join(f"{counted[kind, each]} {each}" for each in ("found", "none", "open")))
    total = Counter(
        {each: sum(n for (_, what), n in counted.items() if what == each) for each in ("found", "none", "open")}
    )
    noticeable = total["found"] + total["open"]
    share = 100 * total["found"] / max(1, noticeable)
    print(
        f"{len(planted)} faults within {bounds}: {total['found']} found, {total['none']} proven to change nothing, "
        f"{total['open']} open; {share:.0f} % of those not proven equivalent were found"
    )
    return int(total["open"] > 0)


if __name__ == "__main__":
    sys.exit(main())
