"""Which editions are compared, and which of their clauses are told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bridgelaws.compare.diff import ClauseHistory, Comparison, Side, plain_number
from bridgelaws.errors import UsageError, nearest
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.referents import joined


def sides_named(names: Sequence[str], shipped: Law, draft: Law | None) -> tuple[Side, ...]:
    """The editions of these names, oldest first as given.

    A draft is laid over the last of them; the others are as the law has them, or the draft's own if only it has them.
    One name alone, with a draft, is compared with the newest edition of the draft.
    """
    wanted = list(names)
    if draft is not None and len(wanted) == 1:
        wanted.append(draft.latest)
    if len(wanted) < 2:
        raise UsageError("there is only one edition to compare", "name two editions, or a draft with --laws")
    laws = [*(_earlier(name, shipped, draft) for name in wanted[:-1]), draft or shipped]
    cut = [law.edition(name) for name, law in zip(wanted, laws, strict=True)]
    labels = list(wanted)
    if draft is not None and wanted[-1] in wanted[:-1]:
        labels[-1] = f"{wanted[-1]} as drafted"
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise UsageError(f"the {twice[0]} edition is named twice", "name two editions, or a draft with --laws")
    return tuple(Side(label, law) for label, law in zip(labels, cut, strict=True))


def _earlier(name: str, shipped: Law, draft: Law | None) -> Law:
    return draft if draft is not None and name not in shipped.editions else shipped


_LAW = re.compile(r"\d+")


def selected(comparison: Comparison, law: str = "", clause: str = "") -> Comparison:
    """The clauses of one law, and those with one number, in any of the editions compared; a usage error if none is."""
    kept = comparison.clauses
    if law:
        kept = tuple(each for each in kept if law.strip().lower() in _laws(each))
        if not kept:
            known = {name for each in comparison.clauses for name in _laws(each) if name.isdigit()}
            raise UsageError(f"none of the editions compared has a law '{law}' that is encoded", _known(law, known))
    if clause:
        within = kept
        wanted = plain_number(clause)
        kept = tuple(each for each in within if wanted in (each.clause.id.lower(), *map(plain_number, each.numbers)))
        kept = kept or tuple(each for each in within if any(plain_number(n).startswith(wanted) for n in each.numbers))
        if not kept:
            where = f"law {law} of the editions compared has no" if law else "none of the editions compared has a"
            raise UsageError(
                f"{where} clause '{clause}'", nearest(clause, {n for each in within for n in each.numbers})
            )
    return Comparison(comparison.sides, kept)


def _laws(history: ClauseHistory) -> set[str]:
    """The laws in which a clause stands: its folder's, and those of its numbers."""
    folder, _, words = history.clause.law.partition("-")
    found = {match[0] for number in history.numbers if (match := _LAW.match(number))}
    return found | {history.clause.law.lower(), words.lower(), folder.lstrip("0") or words.lower()}


def _known(law: str, known: Iterable[str]) -> str:
    hint = nearest(law, known)
    return hint or f"there are laws {joined(sorted(known, key=int))}"
