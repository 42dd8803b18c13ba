"""Search the shipped editions as `bridgelaws verify` does, and write what is proven where the package has it.

    python -m benchmarks.proofs [--patience SECONDS] [EDITION ...]

So `verify` takes a minute on the law as it is shipped, and after a change searches only what the change may touch. It
is to be run again after a change of the law. What this user has proven before is not searched again; from nothing, an
edition takes an hour of the processor. Some parts need more than the usual two minutes: `--patience 3600`. Exit 1 if
there is a problem or an end was not reached.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from bridgelaws.cli.output import with_progress
from bridgelaws.files import write_whole
from bridgelaws.lawbook.law import load_law
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.proven import proofs_file, written
from bridgelaws.solving.verifying import REPORTS, Answer, Verification, questions


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove that the shipped editions are sound within the usual bounds.")
    parser.add_argument("editions", nargs="*", help="editions; all of them if left out")
    parser.add_argument("--patience", type=float, help="seconds of the processor for a part of the search")
    asked = parser.parse_args()
    law = load_law()
    faults = 0
    for edition in map(law.edition, asked.editions or law.editions):
        # Whether a rule can fire is told by the cases.
        targets = [each for each in questions(edition) if "rule" not in each.about]
        search = Verification(edition, targets, Bounds(reports=REPORTS), patience=asked.patience)
        name = edition.edition.name
        proofs: set[str] = set()
        checked = search.checked(_noting(proofs, with_progress(search.answers(), name, len(search.jobs))))
        write_whole(proofs_file(name), written(proofs))
        print(f"{name}: {len(proofs)} proofs for {len(search.jobs)} searches", flush=True)
        for each in checked:
            if each.problem:
                print(f"  {each.problem.check}: {each.problem.text}\n    {each.problem.case}", flush=True)
            if not each.ended:
                print(f"  not searched to the end: {each.name}, with {each.left}", flush=True)
            faults += bool(each.problem) or not each.ended
    return 1 if faults else 0


def _noting(proofs: set[str], answers: Iterator[list[Answer]]) -> Iterator[Sequence[Answer]]:
    for each in answers:
        proofs.update(digest for answer in each for digest in answer.proofs)
        yield each


if __name__ == "__main__":
    sys.exit(main())
