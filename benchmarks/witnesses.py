"""Look for the tables that the page of comparisons shows, and write them where the package has them.

    python -m benchmarks.witnesses [--anew] [FIRST SECOND]

Without editions, for every pair of them. It needs the extra `solver`, and is to be run again after a change of the law:
the test that rules on the tables again says so. A table that still shows its difference is kept, so it takes a minute
or two; with --anew every table is searched for, which takes some ten minutes a pair.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from bridgelaws.casebook.running import read_cases
from bridgelaws.compare.diff import clause_changes
from bridgelaws.files import write_whole
from bridgelaws.lawbook.law import EditionLaw, load_law
from bridgelaws.solving.beforehand import FOLDER, Found, written
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.witnesses import NoWitness, Witness, find_witnesses, in_effect
from bridgelaws.table.case import Case
from bridgelaws.web.drawing import lines_json

CASES = Path("tests/cases")


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for tables on which two editions rule differently.")
    parser.add_argument("editions", nargs="*", help="two editions; every pair if left out")
    parser.add_argument("--anew", action="store_true", help="search also where a table still shows the difference")
    asked = parser.parse_args()
    law = load_law()
    cases = [each.case for each in read_cases(CASES, law) if each.case]
    for first, second in [asked.editions] if asked.editions else combinations(law.editions, 2):
        old, new = law.edition(first), law.edition(second)
        found = look(old, new, cases, anew=asked.anew)
        write_whole(FOLDER / f"{first}-{second}.json", written(old, new, found))
        tables = sum("case" in each for each in found.values())
        print(f"{first}-{second}: a table for {tables} of {len(found)} clauses", flush=True)


def look(old: EditionLaw, new: EditionLaw, cases: Sequence[Case], *, anew: bool) -> Found:
    """A table, or the word that none was found, for each clause of which a rule changed."""
    changes = clause_changes(old, new)
    searched = find_witnesses(changes, in_effect(changes), old, new, Bounds(), cases, anew=anew)
    return {clause: _kept(each) for clause, each in searched}


def _kept(found: Witness | NoWitness) -> dict[str, Any]:
    if isinstance(found, NoWitness):
        return {"none": str(found), "proven": found.proven, "sense": found.sense}
    rulings = (found.before, found.after)
    before, after = (lines_json(each, rulings, advice=False) for each in rulings)
    return {"case": found.case, "before": before, "after": after}


if __name__ == "__main__":
    main()
