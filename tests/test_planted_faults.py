"""Does `verify --same` notice a fault in a rule? Three faults are planted in each of thirty rules, one at a time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks import planted_faults
from bridgelaws.casebook.running import read_cases
from bridgelaws.lawbook.law import Law
from bridgelaws.solving.bounds import Bounds

RULES = 30
CASES = Path(__file__).parent / "cases"
# A fault that no case shows is searched for, but not for long: dropped exceptions beside others that say the same.
MOST_OPEN = 9


def test_every_fault_is_found_or_proven_to_change_nothing(
    law: Law, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.planted_faults.PATIENCE", 2.0)
    latest = law.edition()
    read = read_cases(CASES, law)
    planted = planted_faults.faults(latest, RULES)
    assert len({fault.place for fault in planted}) == RULES
    assert len(planted) == 3 * RULES

    def outcome(fault: planted_faults.Fault) -> str:
        """Cases of the same Law first: they show the fault soonest."""
        number = latest.rules[fault.place].provision.clause.id.split("-")[0]
        near = sorted(read, key=lambda each: each.path.parent.name.split("-")[0] != number)
        return planted_faults.outcome(latest, fault, Bounds(), [each.case for each in near if each.case])

    counted = Counter(map(outcome, planted))
    with capsys.disabled():
        print(f" {counted['found']} of {len(planted)} planted faults found, {counted['none']} proven to change nothing")
    assert counted["open"] <= MOST_OPEN
    assert counted["found"] > 0.9 * len(planted)
