"""Whether a law is sound within bounds: no dead rule, no contradiction, a ruling for every incident, a card to play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bridgelaws.errors import LawError, nearest
from bridgelaws.lawbook.editions import LeftOpen
from bridgelaws.lawbook.law import EditionLaw, Law
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.parallel import in_parallel
from bridgelaws.solving.problems import Problem, dead, shown
from bridgelaws.solving.proven import forget_the_oldest, is_proven, remember_as_proven
from bridgelaws.solving.searching import Found, OutOfTime, clock
from bridgelaws.solving.shrinking import size
from bridgelaws.solving.splitting import Part, Splitting
from bridgelaws.solving.target_searches import ANY_TARGET, part_search, target_search
from bridgelaws.solving.targets import Target, contradiction_targets, rule_targets, silence_targets, stuck_target

# So many reports and choices by default: with three there are some ten thousand combinations of kinds to search.
REPORTS = 2
# Seconds for one question, and for one part of the search for what is asked in parts.
PATIENCE_A_CHECK = 120.0
PATIENCE_A_PART = 120.0


@dataclass(frozen=True)
class Checked:
    """What became of one question: a problem, or nothing; and the bounds within which that holds for every table.

    A search that has not `ended` had too little time. If it was in parts, what is `left` is tables with one report more
    than within the bounds, and with reports and choices of these kinds.
    """

    name: str
    problem: Problem | None
    within: Bounds | None
    ended: bool = True
    left: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Job:
    """A piece of work: a question asked alone, or a part of the search for what is asked in parts."""

    bounds: Bounds
    target: Target | None = None
    part: Part | None = None


@dataclass(frozen=True)
class Answer:
    """What became of a piece of work for one question.

    With the proofs that rest on it, by the digests of what the solver was asked; `known` if all were there before.
    """

    job: Job
    name: str
    problem: Problem | None
    within: Bounds | None
    proofs: tuple[str, ...] = ()
    known: bool = False


def questions(law: EditionLaw, covered: Collection[tuple[int, int | None]] = ()) -> list[Target]:
    """All that is to be asked of a law. Rules and exceptions that a case reaches need no search."""
    unreached = [each for each in rule_targets(law) if (each.about["rule"], each.about["exception"]) not in covered]
    return [*contradiction_targets(law), stuck_target(law), *silence_targets(law), *unreached]


def left_open(law: Law) -> dict[str, LeftOpen]:
    """What the law leaves open, by the names of the questions; an error if it names one that is never asked."""
    cuts = [law.edition(name) for name in law.editions]
    asked = {each.name for cut in cuts for each in (*contradiction_targets(cut), *silence_targets(cut))}
    asked.add(stuck_target(cuts[0]).name)
    unknown = [
        each.document.problem(each.path, f"verify asks no question '{each.question}'", nearest(each.question, asked))
        for each in law.left_open
        if each.question not in asked
    ]
    if unknown:
        raise LawError(unknown)
    return {each.question: each for each in law.left_open}


class Verification:
    """The questions asked of a law, as pieces of work that are done on all cores, in any order.

    What was proven before, of the very same rules, is not searched again, except `anew`. Without `patience`, in
    seconds, a piece of work has the usual time.
    """

    def __init__(
        self,
        law: EditionLaw,
        targets: Sequence[Target],
        bounds: Bounds,
        *,
        anew: bool = False,
        patience: float | None = None,
    ) -> None:
        self.law, self.targets, self.bounds, self.anew, self.patience = law, targets, bounds, anew, patience
        # Contradictions and the want of a card may rest on any reports together, and are asked in parts.
        asked_in_parts = [each for each in targets if each.musts]
        self.splitting = Splitting(law, asked_in_parts)
        self.jobs = [Job(bounds, target=each) for each in targets if each not in asked_in_parts]
        if asked_in_parts:
            self.jobs += _part_jobs(self.splitting, bounds)

    def answers(self) -> Iterator[list[Answer]]:
        """What becomes of each piece of work."""
        yield from in_parallel(self._answered, self.jobs)
        forget_the_oldest()

    def checked(self, answers: Iterable[Sequence[Answer]]) -> list[Checked]:
        """What became of each question, from the answers of all pieces of work."""
        of: dict[str, list[Answer]] = {each.name: [] for each in self.targets}
        for each in answers:
            for answer in each:
                of[answer.name].append(answer)
        return [self._together(name, each) for name, each in of.items()]

    def _together(self, name: str, answers: Sequence[Answer]) -> Checked:
        problems = [each.problem for each in answers if each.problem]
        problem = min(problems, key=lambda each: size(each.case) if each.case else (), default=None)
        alone = next((each for each in answers if each.job.target), None)
        if alone:
            return Checked(name, problem, alone.within, ended=alone.within == self.bounds)
        unended = [each.job for each in answers if each.within is None]
        within: Bounds | None = None
        for stage in self.bounds.report_by_report():
            left = sorted(each.part.given for each in unended if each.part and each.bounds == stage)
            if left:
                return Checked(name, problem, within, ended=False, left=tuple(left))
            within = stage
        return Checked(name, problem, within)

    def _answered(self, job: Job) -> list[Answer]:
        if job.part is None:
            assert job.target is not None
            return [self._asked_alone(job, job.target)]
        return list(self._searched(job, job.part))

    def _searched(self, job: Job, part: Part) -> Iterator[Answer]:
        search = part_search(self.splitting, part, job.bounds)
        goals = [goal for target in part.targets for goal in target.goals]
        digest = search.digest(goals)
        known = self._is_known(digest)
        found: dict[str, Found | None] = dict.fromkeys(goals)
        if not known:
            found = dict(search.find_each(goals, ANY_TARGET, self.patience or PATIENCE_A_PART))
        is_proof = len(found) == len(goals) and not any(found.values())
        if is_proof and not known:
            remember_as_proven(digest)
        for target in part.targets:
            table = next((found[goal] for goal in target.goals if found.get(goal)), None)
            ended = all(goal in found for goal in target.goals)
            problem = shown(self.law, target, table.case) if table else None
            within = job.bounds if ended or problem else None
            yield Answer(job, target.name, problem, within, (digest,) if is_proof else (), known)

    def _is_known(self, digest: str) -> bool:
        return not self.anew and is_proven(digest)

    def _asked_alone(self, job: Job, target: Target) -> Answer:
        """Look for a table. A rule that no table reaches is a problem, as is an incident without a ruling.

        Smaller bounds come first.
        """
        until = clock() + (self.patience or PATIENCE_A_CHECK)
        within: Bounds | None = None
        proofs: list[str] = []
        known = True
        for stage in job.bounds.growing():
            search = target_search(self.law, target, stage)
            digest = search.digest()
            if not self._is_known(digest):
                known = False
                try:
                    found = search.find(until)
                except OutOfTime:
                    return Answer(job, target.name, None, within, tuple(proofs))
                if found is not None:
                    problem = None if "rule" in target.about else shown(self.law, target, found.case)
                    return Answer(job, target.name, problem, job.bounds, tuple(proofs))
                remember_as_proven(digest)
            proofs.append(digest)
            within = stage
        problem = dead(self.law, target, job.bounds) if "rule" in target.about else None
        return Answer(job, target.name, problem, job.bounds, tuple(proofs), known)


def _part_jobs(splitting: Splitting, bounds: Bounds) -> Iterator[Job]:
    parts = [list(splitting.parts(kinds)) for kinds in range(bounds.reports + 1)]
    for stage in bounds.report_by_report():
        fewest = 0 if stage.reports == 1 else 1
        for kinds in range(fewest, stage.reports + 1):
            yield from (Job(stage, part=each) for each in parts[kinds])


def check(law: EditionLaw, target: Target, *, bounds: Bounds) -> Checked:
    """What becomes of one question."""
    asked = Verification(law, [target], bounds)
    return next(iter(asked.checked(map(asked._answered, asked.jobs))))
