"""The parts of the benchmark, each a few ratios."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks.measuring import Bar, at_least, at_most, interleaved, ratios, taking_turns, timed
from bridgelaws.batch.inventing import random_cases
from bridgelaws.book import Lawbook
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.conclusions import Conclusions
from bridgelaws.engine.program import Atom, Condition, Fact, Head, Program, Rule, Variable
from bridgelaws.lawbook.law import EditionLaw, Law, load_law
from bridgelaws.table.case import Case, case_facts

ROOT = Path(__file__).parent.parent
SEED = 7
SLOW, SLOWEST = 40, 8
UNRELATED = 1000
MOST_GROWTH = 5.0


@cache
def the_law() -> Law:
    return load_law()


@cache
def cases(count: int) -> list[dict[str, Any]]:
    return list(random_cases(count, SEED, the_law()))


def facts_of(law: EditionLaw, count: int) -> list[tuple[Fact, ...]]:
    return [case_facts(Case.from_data(case), law.vocabulary).facts for case in cases(count)]


def engines(asked: argparse.Namespace) -> Iterator[Bar]:
    """Facts in, conclusions out, on each engine; first that they conclude the same in every edition."""
    from benchmarks.peers import ClingoPeer, peers

    law = the_law()
    for edition in law.editions:
        of_edition = law.edition(edition)
        ready = peers(of_edition.program)
        # Those with the same kinds one after the other, since durable-rules has a network for each.
        numbered = sorted(enumerate(facts_of(of_edition, asked.agree)), key=lambda each: _kinds(each[1]))
        for number, facts in numbered:
            # clingo grounds the whole law for each case: it is compared on fewer.
            runs = {n: p.run(facts) for n, p in ready.items() if not isinstance(p, ClingoPeer) or number < SLOW}
            for name, found in runs.items():
                if found != runs["compiled"]:
                    raise SystemExit(f"{name} and compiled conclude different facts on random case {number + 1}")
        print(f"     the engines agree on {asked.agree} random cases in {edition}", flush=True)
    latest = law.edition()
    ready = peers(latest.program)
    some = facts_of(latest, SLOW)

    def all_of(name: str, facts: Sequence[Sequence[Fact]]) -> Callable[[], object]:
        return lambda: [ready[name].run(each) for each in facts]

    times = interleaved({name: all_of(name, some) for name in ready if name != "clingo"}, asked.rounds)
    print(f"     compiled: {1e6 * sorted(times['compiled'])[asked.rounds // 2] / SLOW:.0f} µs a run")
    yield at_least("durable / compiled, facts in, conclusions out", ratios(times, "durable", "compiled"), 25)
    yield at_least("CLIPS / compiled", ratios(times, "clips", "compiled"), 8)
    few = interleaved({name: all_of(name, some[:SLOWEST]) for name in ("compiled", "clingo")}, asked.rounds)
    yield at_least("clingo / compiled", ratios(few, "clingo", "compiled"), 1)


def _kinds(facts: Sequence[Fact]) -> list[str]:
    return sorted({fact.kind for fact in facts})


def kernel(asked: argparse.Namespace) -> Iterator[Bar]:
    """The legal cards: the rules on the engine, and the same written by hand."""
    from benchmarks.kernel import agree, by_hand, kernel_program, positions

    agree(10_000, SEED)
    print("     rules and hand-written code agree on 10,000 random positions", flush=True)
    # As it is after some thousand positions, when every plan in much use is one function.
    engine = CompiledEngine(kernel_program(the_law().edition("2017")), often=2)
    some = positions(1000, SEED)
    for facts in some:
        engine.run(facts)
    times = interleaved(
        {
            "compiled": lambda: [engine.run(facts).facts.get("may_not_play") for facts in some],
            "by hand": lambda: [by_hand(facts) for facts in some],
        },
        asked.rounds,
    )
    yield at_most("legal cards: compiled / written by hand", ratios(times, "compiled", "by hand"), 2.0)


class _Stopwatch:
    """An engine that adds up its own time."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.program: Program = engine.program
        self.seconds = 0.0

    def run(self, facts: Sequence[Fact]) -> Conclusions:
        begun = time.process_time()
        conclusions: Conclusions = self.engine.run(facts)
        self.seconds += time.process_time() - begun
        return conclusions

    def beside(self, facts: Sequence[Fact]) -> Callable[[Sequence[Fact]], Conclusions]:
        begun = time.process_time()
        run = self.engine.beside(facts)
        self.seconds += time.process_time() - begun

        def timed_run(others: Sequence[Fact]) -> Conclusions:
            begun = time.process_time()
            conclusions: Conclusions = run(others)
            self.seconds += time.process_time() - begun
            return conclusions

        return timed_run


def rulings(asked: argparse.Namespace) -> Iterator[Bar]:
    """A case in, a ruling out, against the time that the engine itself takes of it."""
    book = Lawbook(the_law().edition())
    watch = _Stopwatch(book.engine)
    book.engine = watch
    found: list[float] = []
    for round_ in range(asked.rounds + 1):
        watch.seconds = 0.0
        whole = timed(lambda: [book.rule(Case.from_data(case)) for case in cases(1000)])
        if round_:
            found.append(whole / watch.seconds)
    print(f"     {1e6 * whole / 1000:.0f} µs a ruling, {1e6 * watch.seconds / 1000:.0f} µs of it in the engine")
    yield at_most("case in, ruling out / the engine's own time", found, 3)


def growth(asked: argparse.Namespace) -> Iterator[Bar]:
    """More rules that have nothing to do with a case, and more cases."""
    law = the_law().edition()
    books = {"law": Lawbook(law), "grown": Lawbook(law)}
    some = [Case.from_data(case) for case in cases(1000)]
    for name, program in (("law", law.program), ("grown", with_unrelated_rules(law.program, UNRELATED))):
        # As it is after some ten thousand rulings, when no more plans become functions while they are timed.
        books[name].engine = CompiledEngine(program, often=2, noted=True)
        _rule_on(books[name], some * 2)
    times = taking_turns({name: partial(_rule_on, book) for name, book in books.items()}, some, asked.rounds)
    yield at_most(f"{UNRELATED} unrelated rules more, a ruling", ratios(times, "grown", "law"), 1.10)
    # The same cases ten times over: other cases might be harder ones.
    once = partial(_rule_on, books["law"])
    times = taking_turns({"once": once, "ten": lambda few: once([*few] * 10)}, some[:300], asked.rounds)
    yield at_most("ten times the cases", ratios(times, "ten", "once"), 10.5)


def _rule_on(book: Lawbook, some: Sequence[Case]) -> None:
    for case in some:
        book.rule(case)


def with_unrelated_rules(program: Program, count: int) -> Program:
    """The program with rules about kinds of fact that no case has, each reading what the one before concludes."""
    a, b = Variable(0), Variable(1)
    columns = {f"unrelated {number}": ("a", "b") for number in range(count + 1)}
    rules = tuple(
        Rule(
            f"unrelated {number}",
            ("a", "b"),
            2,
            Condition((Atom(f"unrelated {number}", (a, b)), Atom("player", (a, *[None] * 5)))),
            (Condition((Atom(f"unrelated {number}", (b, a)),)),),
            (Head(f"unrelated {number + 1}", (a, b)),),
        )
        for number in range(count)
    )
    return Program({**program.columns, **columns}, (*program.rules, *rules))


def start(asked: argparse.Namespace) -> Iterator[Bar]:
    """From the shell to a ruling, against a Python that only imports yaml and jsonschema."""
    case = ROOT / "examples" / "dropped-diamond.yaml"
    # As it is once installed: the modules were compiled before, as those of yaml were.
    compiling = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(*command: str) -> None:
        subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=ROOT, env=compiling)

    times = interleaved(
        {
            "bare": lambda: run("-c", "import yaml, jsonschema"),
            "rule": lambda: run("-m", "bridgelaws", "rule", str(case)),
        },
        max(asked.rounds, 15),
        time.perf_counter,
    )
    yield at_most("cold start / an interpreter with yaml and jsonschema", ratios(times, "rule", "bare"), 1.5)


def batch(asked: argparse.Namespace) -> Iterator[Bar]:
    """The same archive with one worker and with two, and that the output is the same.

    An archive of a minute: what each worker does once, reading the law and planning for the kinds it meets, is little.
    """
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "cases.jsonl"
        lines = [json.dumps(case) for case in cases(2000)] * 30
        random.Random(SEED).shuffle(lines)
        archive.write_text("\n".join(lines) + "\n", encoding="utf-8")

        written: list[bytes] = []

        def run(workers: int) -> None:
            out = Path(folder) / f"{workers}.jsonl"
            command = [sys.executable, "-m", "bridgelaws", "batch", str(archive), "--workers", str(workers)]
            subprocess.run([*command, "--out", str(out)], check=True, capture_output=True, cwd=ROOT)
            written[:] = [*written[:1], out.read_bytes()]
            if written[0] != written[-1]:
                raise SystemExit("one worker and two write different rulings")
            out.unlink()

        times = interleaved({"one": lambda: run(1), "two": lambda: run(2)}, min(asked.rounds, 3), time.perf_counter)
    yield at_least("batch: two workers / one", ratios(times, "one", "two"), 1.8)


def memory(asked: argparse.Namespace) -> Iterator[Bar]:
    """The memory of one process over many rulings, after forty thousand: by then it keeps what it will keep."""
    book = Lawbook(the_law().edition())
    some = [Case.from_data(case) for case in cases(2000)]
    _rule_on(book, some * 20)
    before = resident()
    done = 0
    while done < asked.rulings:
        _rule_on(book, some[: asked.rulings - done])
        done += len(some)
    grown = resident() - before
    yield at_most(f"memory over {asked.rulings:,} rulings, MB more", [grown], MOST_GROWTH)


def resident() -> float:
    """The memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
