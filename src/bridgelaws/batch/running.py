"""Run a batch: from the archive through those who rule to the output, or on from where an earlier run stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bridgelaws.batch.cluster import ruled_on_cluster
from bridgelaws.batch.crew import ruled_by_workers
from bridgelaws.batch.desk import Ruled
from bridgelaws.batch.job import Job, Unfit, Worker, law_digest
from bridgelaws.batch.lines import Archive, Chunk, Mark, cut, opened
from bridgelaws.batch.output import Fingerprint, Output, OutputFile, StandardOutput, State, changed
from bridgelaws.batch.packing import ZSTD, packing_of, zstandard
from bridgelaws.errors import UsageError

CHUNK = 250

Progress = Callable[[Archive, State], None]
Cutting = Callable[[Archive, int], Iterator[Chunk]]
Results = Generator[Ruled, None, None]


@dataclass(frozen=True)
class Plan:
    """A batch as it was asked for."""

    file: str
    out: Path | None = None
    edition: str | None = None
    against: str | None = None
    laws: Path | None = None
    engine: str = "compiled"
    workers: int = 1
    cluster: str = ""
    chunk: int = CHUNK
    resume: bool = False
    force: bool = False


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Run:
    """One run of a batch. However it ends, what was ruled until then is kept.

    Without a `job` it rules on cases, a line each; another job may have the archive cut in other places.
    """

    def __init__(
        self, plan: Plan, progress: Progress | None = None, job: Job | None = None, cutting: Cutting = cut
    ) -> None:
        self.plan = plan
        self._progress = progress
        self._job = job
        self._cutting = cutting
        self._output: Output | None = None

    @property
    def state(self) -> State:
        """How far it has come, also after it was stopped."""
        return self._output.state if self._output else State()

    def go(self) -> State:
        """Rule on everything that no earlier run has ruled on."""
        plan = self.plan
        if plan.out is None and plan.resume:
            raise UsageError("only a run that writes to a file can be resumed", "name the file with --out")
        job = self._job or job_of(plan)
        with opened(plan.file) as archive:
            try:
                # A law or an edition at fault is found here, before anything is written and any worker is started.
                desk = job.desk()
                output = self._output = _output(plan, job, archive)
                if not output.state.finished:
                    self._rule(desk, job, archive, output)
                output.finish()
            except Unfit as unfit:
                raise UsageError(str(unfit), "begin again with --force") from None
            finally:
                if self._output:
                    self._output.close()
        return output.state

    def _rule(self, desk: Worker, job: Job, archive: Archive, output: Output) -> None:
        chunks = _from_mark(self._cutting(archive, self.plan.chunk), output.state.mark)
        try:
            with closing(self._ruled(desk, job, archive, chunks)) as results:
                for ruled in results:
                    output.take(ruled)
                    if self._progress:
                        self._progress(archive, output.state)
        finally:
            output.commit()

    def _ruled(self, desk: Worker, job: Job, archive: Archive, chunks: Iterator[Chunk]) -> Results:
        plan = self.plan
        if plan.cluster:
            return ruled_on_cluster(job, chunks, plan.cluster, archive.place, plan.out)
        if plan.workers > 1:
            return ruled_by_workers(job, chunks, plan.workers)
        return (desk.rule(chunk) for chunk in chunks)


def _output(plan: Plan, job: Job, archive: Archive) -> Output:
    if plan.out is None:
        return StandardOutput()
    if archive.place == plan.out.resolve():
        raise UsageError(f"'{plan.out}' is the input itself", "choose another --out")
    fingerprint = _fingerprint(plan, job, archive)
    return OutputFile(plan.out, fingerprint, resume=plan.resume, force=plan.force)


def job_of(plan: Plan) -> Job:
    """The work that the plan asks for, with the law as it is now."""
    packing = packing_of(plan.out)
    if packing == ZSTD:
        zstandard()
    laws = plan.laws.resolve() if plan.laws else None
    name = "-" if plan.file == "-" else Path(plan.file).name
    return Job(name, law_digest(laws), plan.edition, plan.against, laws, plan.engine, packing)


def _fingerprint(plan: Plan, job: Job, archive: Archive) -> Fingerprint:
    """What must be the same for a run to be resumed; what was read of the input has a digest in each mark."""
    return {
        "input": archive.name,
        "size": archive.size,
        "law": job.law,
        "program": job.program,
        "edition": job.edition,
        "against": job.against,
        "engine": job.engine,
        "chunk": plan.chunk,
        "packing": job.packing,
        **job.particulars,
    }


def _from_mark(chunks: Iterator[Chunk], mark: Mark) -> Iterator[Chunk]:
    """The chunks after the mark, once it is sure that what lies before it is what was read then."""
    passed = Mark()
    while passed.chunks < mark.chunks and (chunk := next(chunks, None)):
        passed = chunk.mark
    if passed != mark:
        raise changed("the input")
    yield from chunks
