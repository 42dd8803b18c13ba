"""Does the durable engine hold out? Many runs on one engine in one process, and the memory before and after.

    python -m benchmarks.durable_soak --runs 100000

Exit 0 when the memory grew by at most 5 MB, 1 when it grew by more.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from bridgelaws.engine.durable import DurableEngine
from bridgelaws.engine.program import Atom, Condition, Constant, Fact, Head, Program, Rule, Test, Variable

MOST_GROWTH = 5_000_000
# Pools and caches fill in the first runs.
WARM_UP = 500
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


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the durable engine many times and watch its memory.")
    parser.add_argument("--runs", type=int, default=100_000)
    runs: int = parser.parse_args().runs
    engine = DurableEngine(soak_program())
    for run in range(WARM_UP):
        engine.run(soak_facts(run))
    before, started, concluded = resident(), time.perf_counter(), 0
    for run in range(runs):
        concluded += len(engine.run(soak_facts(run)).derivations)
        if sys.stderr.isatty() and run % 1000 == 0:
            print(f"\r{run:,} runs, {resident() / 1e6:.1f} MB", end="", file=sys.stderr, flush=True)
    seconds, after = time.perf_counter() - started, resident()
    grown = after - before
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(f"{runs:,} runs in {seconds:.1f} s, {seconds / runs * 1000:.3f} ms a run, {concluded:,} facts concluded")
    print(f"resident memory {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after, {grown / 1e6:+.1f} MB")
    print("memory grew by more than 5 MB" if grown > MOST_GROWTH else "memory stayed within 5 MB")
    return int(grown > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
