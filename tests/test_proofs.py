"""The shipped editions have been searched for contradictions, players without a card and incidents without a ruling."""

from __future__ import annotations

import pytest

from bridgelaws.lawbook.law import Law
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.proven import is_proven
from bridgelaws.solving.target_searches import part_search
from bridgelaws.solving.targets import contradiction_targets, stuck_target
from bridgelaws.solving.verifying import REPORTS, Verification

pytest.importorskip("clingo")


@pytest.mark.parametrize("edition", ["1997", "2007", "2017"])
def test_the_package_has_the_proofs_for_most_of_what_is_searched(law: Law, edition: str) -> None:
    """Not for all: a change of the law need not wait for an hour's search."""
    cut = law.edition(edition)
    asked = Verification(cut, [*contradiction_targets(cut), stuck_target(cut)], Bounds(reports=REPORTS))
    sample = [(job.part, job.bounds) for job in asked.jobs if job.part][::20]
    proven = 0
    for part, bounds in sample:
        goals = [goal for target in part.targets for goal in target.goals]
        proven += is_proven(part_search(asked.splitting, part, bounds).digest(goals))
    assert proven > len(sample) / 2, "most proofs are of other rules: python -m benchmarks.proofs looks for new ones"
