"""Every claim about speed, in one run on the same work: `python -m benchmarks` (extra `bench`).

    python -m benchmarks                     everything, a few minutes
    python -m benchmarks --only engines      one part: engines, kernel, rulings, growth, start, batch, memory
    python -m benchmarks --agree 10000       first compare the engines on so many random cases in each edition
    python -m benchmarks --rulings 1000000   so many rulings for the memory
    python -m benchmarks --write docs        also write docs/performance.md and its plot

Engines are compared for equality before they are timed. Times are medians of interleaved rounds; ratios are taken
within a round. Exit 0 when every bar is reached, 1 when one is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import parts
from benchmarks.measuring import Bar
from benchmarks.report import machine, write_report

PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Bar]]] = {
    "engines": parts.engines,
    "kernel": parts.kernel,
    "rulings": parts.rulings,
    "growth": parts.growth,
    "start": parts.start,
    "batch": parts.batch,
    "memory": parts.memory,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append", help="run this part; may be given several times")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds of each timing")
    parser.add_argument("--agree", type=int, default=60, metavar="N", help="random cases an edition to compare first")
    parser.add_argument("--rulings", type=int, default=20_000, metavar="N", help="rulings for the memory")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write performance.md and its plot there")
    asked = parser.parse_args()
    print(machine())
    bars: list[Bar] = []
    for name in asked.only or PARTS:
        print(f"\n{name}")
        for bar in PARTS[name](asked):
            bars.append(bar)
            print(bar.line(), flush=True)
    if asked.write:
        write_report(asked.write, bars)
    return int(not all(bar.reached for bar in bars))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
