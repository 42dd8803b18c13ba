"""Does the durable engine hold out? Many runs in one process, and the memory before and after.

    python -m benchmarks.durable_soak --runs 100000                       a small program, its facts changing
    python -m benchmarks.durable_soak --runs 100000 --cases tests/cases   rulings on cases, in every edition

Exit 0 when the memory grew by at most 5 MB, 1 when it grew by more.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from bridgelaws.book import lawbooks
from bridgelaws.casebook.running import read_cases
from bridgelaws.engine.durable import DurableEngine
from bridgelaws.engine.program import Atom, Condition, Constant, Fact, Head, Program, Rule, Test, Variable
from bridgelaws.lawbook.law import load_law

MOST_GROWTH = 5_000_000
SHUFFLE = 7

X, Y, Z = Variable(0), Variable(1), Variable(2)


def soak_program() -> Program:
    """Joins, a chain of three strata, a recursion and two exceptions."""
    card = Atom("card", (X, Y))
    smaller = Condition((Atom("card", (Z, Y)),), (Test(Z, "below", (X,)),))
    above = Condition((Atom("lowest", (X, Y)), Atom("card", (Z, Y))), (Test(Z, "above", (X,)),))
    reach = Condition((Atom("above", (X, Y)), Atom("above", (Y, Z))))
    picked = Condition((Atom("above", (X, Y)),), (Test(Y, "one_of", (Constant(5), Constant(9))),))
    taken = Condition((Atom("taken", (X,)),))
    return Program(
        {
            "card": ("rank", "suit"),
            "lowest": ("rank", "suit"),
            "above": ("a", "b"),
            "taken": ("rank",),
            "picked": ("a",),
        },
        (
            Rule("lowest", ("x", "y", "z"), 2, Condition((card,)), (smaller,), (Head("lowest", (X, Y)),)),
            Rule("above", ("x", "y", "z"), 3, above, (), (Head("above", (X, Z)),)),
            Rule("reach", ("x", "y", "z"), 3, reach, (), (Head("above", (X, Z)),)),
            Rule("picked", ("x", "y"), 2, picked, (taken,), (Head("picked", (X,)),)),
        ),
    )


def soak_facts(run: int) -> list[Fact]:
    """Eight cards in two suits and one that is taken, in an order and with names that change with the run."""
    cards = [
        Fact("card", (2 + (run * SHUFFLE + place * 3) % 11, f"suit {(run + place) % 2} of {run}")) for place in range(8)
    ]
    return [*cards, Fact("taken", (2 + run % 3,))]


def small_runs() -> Callable[[int], int]:
    """Run the small program; gives how many facts were concluded."""
    engine = DurableEngine(soak_program())
    return lambda run: len(engine.run(soak_facts(run)).derivations)


def rulings(folder: Path) -> Callable[[int], int]:
    """Rule on the cases of a folder in turn, each in every edition it names; gives how many findings there were."""
    law = load_law()
    books = lawbooks(law, "durable")
    cases = [
        (books[edition], read.case)
        for read in read_cases(folder, law)
        for edition in sorted({name for each in read.expectations for name in each.editions})
        if read.case is not None
    ]
    following = cycle(cases)

    def rule(_run: int) -> int:
        book, case = next(following)
        return len(book.rule(case).findings)

    return rule


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the durable engine many times and watch its memory.")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--warm-up", type=int, default=500, help="runs first in which pools and caches fill")
    parser.add_argument("--cases", type=Path, help="a folder of cases to rule on")
    asked = parser.parse_args()
    runs: int = asked.runs
    run_once = rulings(asked.cases) if asked.cases else small_runs()
    for run in range(asked.warm_up):
        run_once(run)
    before, started, concluded = resident(), time.perf_counter(), 0
    for run in range(runs):
        concluded += run_once(run)
        if sys.stderr.isatty() and run % 1000 == 0:
            print(f"\r{run:,} runs, {resident() / 1e6:.1f} MB", end="", file=sys.stderr, flush=True)
        elif run % 10_000 == 0:
            print(f"{run:,} runs, {resident() / 1e6:.1f} MB", file=sys.stderr, flush=True)
    seconds, after = time.perf_counter() - started, resident()
    grown = after - before
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    what = "findings" if asked.cases else "facts concluded"
    print(f"{runs:,} runs in {seconds:.1f} s, {seconds / runs * 1000:.3f} ms a run, {concluded:,} {what}")
    print(f"resident memory {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after, {grown / 1e6:+.1f} MB")
    print("memory grew by more than 5 MB" if grown > MOST_GROWTH else "memory stayed within 5 MB")
    return int(grown > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
