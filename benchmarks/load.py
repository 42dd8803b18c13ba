"""The server under load: `python -m benchmarks.load` (extra `web`).

    python -m benchmarks.load                      everything, about two minutes
    python -m benchmarks.load --requests 200000    so many requests for the memory
    python -m benchmarks.load --clients 16         so many at once; errors are counted at twice as many

Rulings on a small card that was dropped, each with another title, contract, hand and card, beside a FastAPI endpoint
that answers `{}`: one that is sent the same JSON, and one to which nothing is sent. Two servers on uvicorn with the
same settings, asked in turns by the same clients; the ratios are taken within a round. For comparison only: our server
with every request going through uvicorn, and random cases, in which more has happened. Exit 0 when every bar is
reached, 1 when one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measuring import Bar, at_least, at_most
from benchmarks.report import machine
from bridgelaws.batch.inventing import random_cases
from bridgelaws.lawbook.law import load_law

ROOT = Path(__file__).parent.parent
SMALL = [f"{suit}{rank}" for suit in "SHDC" for rank in "98765432"]
STRAINS = ("C", "D", "H", "S", "NT")
OPEN = {
    "table": {"contract": "4S by S"},
    "reports": [{"card_exposed": {"player": "EW"[n % 2], "card": f"D{n}"}} for n in range(2, 8)],
}
SERVED = """
from bridgelaws.web.limits import LIMITS
from bridgelaws.web.server import address, bound_socket, serve
bound = bound_socket("127.0.0.1", 0)
print(address(bound), flush=True)
serve(app, bound, LIMITS)
"""
EMPTY = f"""
from fastapi import FastAPI
app = FastAPI()
@app.get("/")
async def nothing_sent():
    return {{}}
@app.post("/")
async def empty(case: dict):
    return {{}}
{SERVED}"""
ALONE = f"""
from bridgelaws.web.app import create_app
app = create_app()
{SERVED}"""
HALF_OPEN = b"POST /v1/rulings HTTP/1.1\r\nHost: x\r\nContent-Ty"
SLOW = b"POST /v1/rulings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"
MOST_GROWTH = 5.0
Server = tuple[int, int]


@dataclass
class Outcome:
    """What clients saw: how many answers of which status, how long each took, and how many failed."""

    statuses: dict[int, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    failed: int = 0
    took: float = 0.0

    @property
    def rate(self) -> float:
        return self.statuses.get(200, 0) / self.took

    @property
    def errors(self) -> int:
        return self.failed + sum(count for status, count in self.statuses.items() if status != 200)

    def slowest(self, share: float) -> float:
        return sorted(self.seconds)[int(share * (len(self.seconds) - 1))]


@contextlib.contextmanager
def server(*command: str) -> Iterator[Server]:
    """A server in a process of its own: its port and process."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield int(line.partition("http://127.0.0.1:")[2].split(";")[0]), process.pid
    finally:
        process.terminate()
        process.wait(30)


def post(path: str, case: object) -> bytes:
    body = json.dumps(case, ensure_ascii=False).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def cases_to(path: str) -> Iterator[bytes]:
    dice = random.Random(1)
    for number in itertools.count(1):
        hand = dice.sample(SMALL, 5)
        contract = f"{dice.randint(1, 7)}{dice.choice(STRAINS)} by {dice.choice('NS')}"
        exposed = {"player": "E", "card": dice.choice(hand), "manner": "dropped"}
        table = {"contract": contract, "hands": {"E": " ".join(hand)}}
        yield post(path, {"title": f"Table {number}", "table": table, "reports": [{"card_exposed": exposed}]})


def random_cases_to(path: str, count: int) -> Iterator[bytes]:
    return itertools.cycle([post(path, case) for case in random_cases(count, 1, load_law())])


def get(path: str) -> Iterator[bytes]:
    while True:
        yield f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


async def ask(port: int, requests: Iterator[bytes], clients: int, go_on: Callable[[int], bool]) -> Outcome:
    """So many clients, each on one connection, that ask again as soon as they are answered."""
    outcome = Outcome()
    begun = 0

    async def client() -> None:
        nonlocal begun
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while go_on(begun):
            begun += 1
            sent = time.perf_counter()
            try:
                writer.write(next(requests))
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
                await reader.readexactly(length)
            except (OSError, EOFError, asyncio.IncompleteReadError):
                outcome.failed += 1
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                continue
            status = int(head[9:12])
            outcome.statuses[status] = outcome.statuses.get(status, 0) + 1
            outcome.seconds.append(time.perf_counter() - sent)
        writer.close()

    begin = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    outcome.took = time.perf_counter() - begin
    return outcome


def for_seconds(seconds: float) -> Callable[[int], bool]:
    ends = time.perf_counter() + seconds
    return lambda _: time.perf_counter() < ends


@contextlib.asynccontextmanager
async def stuck(port: int, beginning: bytes, count: int) -> AsyncIterator[None]:
    """Clients that begin a request and then send a byte a second at most."""
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    for _, writer in connections:
        writer.write(beginning)

    async def trickle() -> None:
        while True:
            await asyncio.sleep(1)
            for _, writer in connections:
                if not writer.is_closing():
                    writer.write(b" ")

    task = asyncio.create_task(trickle())
    try:
        yield
    finally:
        task.cancel()
        for _, writer in connections:
            writer.close()


def processor_seconds(process: int) -> float:
    """The processor time of a process so far, which says more than the clock on a busy machine."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> float:
    """The memory of a process in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@dataclass(frozen=True)
class Turn:
    """What one server did in its turn: answers a second, and processor time for each, in microseconds."""

    rate: float
    processor: float

    def __str__(self) -> str:
        return f"{self.rate:.0f} a second, {self.processor:.0f} µs"


async def turn(server: Server, requests: Iterator[bytes], asked: argparse.Namespace) -> Turn:
    port, process = server
    began = processor_seconds(process)
    outcome = await ask(port, requests, asked.clients, for_seconds(asked.seconds))
    return Turn(outcome.rate, 1e6 * (processor_seconds(process) - began) / len(outcome.seconds))


async def compare(asked: argparse.Namespace, ours: Server, alone: Server, other: Server) -> AsyncIterator[Bar]:
    sides = (
        (ours, cases_to("/v1/rulings")),
        (alone, cases_to("/v1/rulings")),
        (other, cases_to("/")),
        (other, get("/")),
    )
    for (port, _), requests in sides:
        await ask(port, requests, asked.clients, lambda begun: begun < 2000)
    print(
        "     rulings; through uvicorn alone; empty answers to the same JSON; to nothing sent; processor time for each"
    )
    rounds = []
    for _ in range(asked.rounds):
        rounds.append([await turn(server, requests, asked) for server, requests in sides])
        print(f"     {'; '.join(map(str, rounds[-1]))}", flush=True)
    for name, place in (("rulings", 0), ("through uvicorn alone", 1)):
        shares = [
            statistics.median(turns[empty].processor / turns[place].processor for turns in rounds) for empty in (2, 3)
        ]
        print(f"     by processor time, {name}: {shares[0]:.2f} and {shares[1]:.2f}")
    for name, empty in (("the same JSON", 2), ("nothing sent", 3)):
        rates = [turns[0].rate / turns[empty].rate for turns in rounds]
        yield at_least(f"rulings a second / empty FastAPI answers to {name}", rates, 0.5)
    varied = random_cases_to("/v1/rulings", 1000)
    await ask(ours[0], varied, asked.clients, lambda begun: begun < 4000)
    print(f"     random cases: {await turn(ours, varied, asked)}", flush=True)


async def measure(asked: argparse.Namespace, ours: Server) -> AsyncIterator[Bar]:
    port, process = ours
    cases = cases_to("/v1/rulings")
    twice = await ask(port, cases, 2 * asked.clients, for_seconds(asked.seconds))
    print(
        f"     {twice.rate:.0f} a second with {2 * asked.clients} clients, 99 % in {1000 * twice.slowest(0.99):.0f} ms"
    )
    yield at_most("errors with twice the clients", [twice.errors], 0)

    shares = []
    for beginning in (HALF_OPEN, SLOW):
        alone = await ask(port, cases, asked.clients, for_seconds(asked.seconds))
        async with stuck(port, beginning, asked.stuck):
            beside = await ask(port, cases, asked.clients, for_seconds(asked.seconds))
        shares.append(beside.rate / alone.rate if not beside.errors else 0.0)
    yield at_least(f"rulings beside {asked.stuck} slow or half-open clients / alone", shares, 0.7)

    long = asyncio.create_task(ask(port, iter([post("/v1/rulings", OPEN)] * 4), 4, lambda begun: begun < 4))
    await asyncio.sleep(0.2)
    health = await ask(port, get("/health"), 1, lambda _: not long.done())
    print(
        f"     four rulings with much open took {(await long).took:.1f} s; health was asked {len(health.seconds)} times"
    )
    yield at_most("health beside long rulings, ms for 99 %", [1000 * health.slowest(0.99)], 100)

    await ask(port, cases, asked.clients, lambda begun: begun < 2000)
    before = resident(process)
    many = await ask(port, cases, asked.clients, lambda begun: begun < asked.requests)
    assert not many.errors
    print(f"     the server has {resident(process):.0f} MB", flush=True)
    yield at_most(f"memory over {asked.requests:,} requests, MB more", [resident(process) - before], MOST_GROWTH)


async def run(asked: argparse.Namespace) -> int:
    bars: list[Bar] = []
    with server("-m", "bridgelaws", "serve", "--port", "0") as ours:
        with server("-c", ALONE) as alone, server("-c", EMPTY) as other:
            async for bar in compare(asked, ours, alone, other):
                bars.append(bar)
                print(bar.line(), flush=True)
        async for bar in measure(asked, ours):
            bars.append(bar)
            print(bar.line(), flush=True)
    return int(not all(bar.reached for bar in bars))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=8, help="clients at once, enough to keep a server busy")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each server in a round")
    parser.add_argument("--requests", type=int, default=20_000, metavar="N", help="requests for the memory")
    parser.add_argument("--stuck", type=int, default=200, metavar="N", help="slow or half-open clients")
    asked = parser.parse_args()
    print(machine())
    return asyncio.run(run(asked))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
