"""The same batch on a Dask cluster: workers read and write in place where they can, and may come and go."""

from __future__ import annotations

import importlib
import os
import secrets
import shutil
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from bridgelaws.batch.desk import Ruled
from bridgelaws.batch.job import Job, Unfit, Worker
from bridgelaws.batch.lines import Chunk
from bridgelaws.errors import EngineError, UsageError

# Chunks under way for each thread of the cluster, so that none runs out of work while an earlier one is waited for.
AHEAD = 4
LEAST_AHEAD = 8
CONNECT_SECONDS = 20

_HINT = "what was ruled is kept; go on with --resume"


def ruled_on_cluster(
    job: Job, chunks: Iterable[Chunk], address: str, archive: Path | None, out: Path | None
) -> Generator[Ruled, None, None]:
    """Each chunk ruled on somewhere in the cluster, in the order of the archive."""
    with _client(address) as client, _parts(out) as parts:
        in_place = archive is not None and parts is not None and _seen_by_all(client, archive, parts)
        read, write = (archive, parts) if in_place else (None, None)
        under_way: deque[tuple[Chunk, Any]] = deque()
        for chunk in chunks:
            sent = replace(chunk, data=None) if in_place else chunk
            task = client.submit(rule_remotely, job, sent, read, write, pure=False)
            under_way.append((replace(chunk, data=None), task))
            while len(under_way) >= max(LEAST_AHEAD, AHEAD * sum(client.ncores().values())):
                yield _result(*under_way.popleft())
        while under_way:
            yield _result(*under_way.popleft())


def rule_remotely(job: Job, chunk: Chunk, archive: Path | None, parts: Path | None) -> Ruled:
    """What a worker does. If it writes in place, doing it twice, or two workers doing it, leaves the same file."""
    ruled = _desk(job).rule(chunk, archive)
    if parts is None or not isinstance(ruled.output, bytes):
        return ruled
    path = parts / f"{chunk.number:09}"
    beside = parts / f".{chunk.number:09}.{secrets.token_hex(4)}"
    beside.write_bytes(ruled.output)
    beside.replace(path)
    return replace(ruled, output=path)


_DESKS: dict[Job, Worker] = {}
_ONE_AT_A_TIME = Lock()


def _desk(job: Job) -> Worker:
    """The desk of this process for the job: the law is read once, whatever the number of chunks and threads."""
    with _ONE_AT_A_TIME:
        if job not in _DESKS:
            _DESKS.clear()
            _DESKS[job] = job.desk()
        return _DESKS[job]


def _result(chunk: Chunk, task: Any) -> Ruled:
    try:
        ruled: Ruled = task.result()
    except (Unfit, KeyboardInterrupt):
        raise
    except Exception as problem:
        lines = f"lines {chunk.first_line} to {chunk.mark.lines}"
        if type(problem).__name__ == "KilledWorker":
            raise EngineError(f"worker after worker was lost on {lines}", _HINT) from None
        told = str(problem).splitlines()[0] if str(problem) else ""
        raise EngineError(f"the cluster failed on {lines}: {type(problem).__name__}: {told}", _HINT) from None
    return ruled


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        distributed = importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise UsageError("--dask needs Dask", "pip install 'bridgelaws[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError):
        raise UsageError(f"no Dask scheduler answers at '{address}'", "write it as tcp://host:8786") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise UsageError(f"the cluster at '{address}' has no worker", "start some with: dask worker") from None
        yield client


@contextmanager
def _parts(out: Path | None) -> Iterator[Path | None]:
    """A folder beside the output for the parts that workers write; those of a run that was killed are removed."""
    if out is None:
        yield None
        return
    for left in out.parent.glob(f"{out.name}.parts-*"):
        shutil.rmtree(left, ignore_errors=True)
    # INVARIANT: the name is new, so that a worker still busy with an earlier run cannot write here.
    parts = out.resolve().with_name(f"{out.name}.parts-{secrets.token_hex(4)}")
    parts.mkdir()
    try:
        yield parts
    finally:
        shutil.rmtree(parts, ignore_errors=True)


def _seen_by_all(client: Any, archive: Path, parts: Path) -> bool:
    """Whether every worker sees the archive and the folder for the parts, and so need not be sent the lines."""
    (parts / "seen").touch()
    seen = client.run(_sees, archive, archive.stat().st_size, parts / "seen")
    return bool(seen) and all(seen.values())


def _sees(archive: Path, size: int, token: Path) -> bool:
    try:
        return archive.stat().st_size == size and token.exists() and os.access(token.parent, os.W_OK)
    except OSError:
        return False
