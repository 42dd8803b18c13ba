"""Worker processes: each rules on chunks as it is handed them, and the results come back in order."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

from bridgelaws.batch.desk import Ruled
from bridgelaws.batch.job import Job, Unfit
from bridgelaws.batch.lines import Chunk
from bridgelaws.errors import EngineError

# Chunks read, ruled on or waiting to be written, for each worker: this is what bounds the memory.
AHEAD = 4
MOST_DEATHS = 3
_READY = "ready"


def ruled_by_workers(job: Job, chunks: Iterable[Chunk], size: int) -> Generator[Ruled, None, None]:
    """Each chunk ruled on by one of several workers, in the order of the archive."""
    with _Crew(job, size) as crew:
        yield from crew.ruled(iter(chunks))


def _work(pipe: Connection, job: Job) -> None:
    """The life of a worker; it ends when nobody is at the other end of the pipe, however that came about."""
    try:
        desk = job.desk()
        pipe.send(_READY)
        while True:
            pipe.send(desk.rule(pipe.recv()))
    except Unfit as unfit:
        pipe.send(unfit)
    except (EOFError, OSError):
        return


class _Crew:
    """The workers, what each has in hand (`None` while it reads the law or waits), and what was done out of order."""

    def __init__(self, job: Job, size: int) -> None:
        self._job = job
        self._size = size
        self._context = multiprocessing.get_context("spawn")
        self._processes: dict[Any, BaseProcess] = {}
        self._in_hand: dict[Any, Chunk | None] = {}
        self._idle: list[Any] = []
        self._waiting: deque[Chunk] = deque()
        self._deaths: Counter[int] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes.values():
            process.terminate()
        for pipe, process in self._processes.items():
            process.join()
            pipe.close()

    def ruled(self, chunks: Iterator[Chunk]) -> Iterator[Ruled]:
        done: dict[int, Ruled] = {}
        chunk = next(chunks, None)
        following = chunk.number if chunk else 0
        while chunk or self._waiting or any(self._in_hand.values()):
            while chunk and chunk.number < following + AHEAD * self._size:
                self._waiting.append(chunk)
                chunk = next(chunks, None)
            self._hand_out()
            for ruled in self._collected():
                done[ruled.mark.chunks] = ruled
            while following in done:
                yield done.pop(following)
                following += 1

    def _hand_out(self) -> None:
        while self._waiting and self._idle:
            pipe, chunk = self._idle.pop(), self._waiting.popleft()
            self._in_hand[pipe] = chunk
            try:
                pipe.send(chunk)
            except OSError:
                self._lost(pipe)
        starting = len(self._processes) - len(self._idle) - sum(map(bool, self._in_hand.values()))
        while len(self._processes) < self._size and starting < len(self._waiting):
            self._start()
            starting += 1

    def _start(self) -> None:
        mine, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._job), daemon=True)
        with _without_interrupts():
            process.start()
        # Only the worker may hold this end: its death is seen by the pipe closing.
        theirs.close()
        self._processes[mine], self._in_hand[mine] = process, None

    def _collected(self) -> Iterator[Ruled]:
        speaking: Iterable[Any] = wait(list(self._processes)) if self._processes else ()
        for pipe in speaking:
            try:
                said = pipe.recv()
            except (EOFError, OSError):
                self._lost(pipe)
                continue
            if isinstance(said, Unfit):
                raise said
            if isinstance(said, Ruled):
                # Workers do start, and only those that die over one chunk again and again are counted on.
                self._deaths.pop(0, None)
                yield said
            self._in_hand[pipe] = None
            self._idle.append(pipe)

    def _lost(self, pipe: Any) -> None:
        """Another worker gets what a dead one had in hand; what kills every worker stops the batch."""
        process, chunk = self._processes.pop(pipe), self._in_hand.pop(pipe)
        self._idle = [each for each in self._idle if each is not pipe]
        pipe.close()
        process.join()
        number = chunk.number if chunk else 0
        self._deaths[number] += 1
        if self._deaths[number] >= MOST_DEATHS:
            where = f"on lines {chunk.first_line} to {chunk.mark.lines}" if chunk else "before they ruled on anything"
            raise EngineError(f"{MOST_DEATHS} workers died {where}", "try --workers 1, which shows more")
        if chunk:
            self._waiting.appendleft(chunk)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal; a worker that starts now never hears it: we tell it when to stop."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It would be started with the first worker, and lets every signal through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
