"""In which order to ask: the question first that leaves least to be asked."""

from __future__ import annotations

from statistics import fmean

from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.ruling.ruling import Question, Ruling
from bridgelaws.ruling.worlds import Gap, Worlds


def soonest_settled(ruling: Ruling, worlds: Worlds, vocabulary: Vocabulary) -> tuple[Question, ...]:
    """The questions, those first that settle the ruling soonest.

    A question counts by the number of different rulings that are still possible once it is answered, on average over
    its answers: one whose every answer leaves a single ruling counts 1, and nothing more need be asked after it. Where
    two count the same, a fact comes before the Director's judgement, and then the order of the ruling decides. A field
    with too many values to try them all comes first: until it is told, nothing can be foreseen.
    """
    gaps = (*worlds.deciding, *worlds.missing)
    asked = list(zip(ruling.questions, gaps, strict=True))
    asked.sort(key=lambda each: (_left_open(each[1], worlds, vocabulary), each[0].judgement))
    return tuple(question for question, _ in asked)


def _left_open(gap: Gap, worlds: Worlds, vocabulary: Vocabulary) -> float:
    if gap in worlds.missing:
        return 0.0
    domain = vocabulary[gap.kind].fields[gap.field].type.domain
    return fmean(len({world.rulings for world in worlds.after(gap, value)}) for value in domain)
