"""A ruling as a Director reads it out: a sentence a line, its clauses at the right."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from bridgelaws.notation import SEAT_NAMES, ascii_only, card_symbol
from bridgelaws.ruling.ruling import Finding, Options, Plays, Question, Reason, Ruling

CLAUSE_COLUMN = 76
MOST_ANSWERS = 14
# What can be said of several players in the words that are said of one: lines.js has the same.
_FITS_SEVERAL = re.compile(r"(may|must|should|shall|cannot)\b(?!.*\b(he|his|him|himself)\b)")


class Line(NamedTuple):
    """A line of text, the clauses that stand at its right, and its part: finding, plays, option, question, …

    `force` is that of a finding: may, should, shall or must.
    """

    text: str
    clauses: tuple[str, ...] = ()
    part: str = "finding"
    indent: int = 0
    force: str = ""


def ruling_text(ruling: Ruling, *, symbols: bool, width: int) -> str:
    text = "\n".join(laid_out(line, width) for line in ruling_lines(ruling))
    return text if symbols else ascii_only(text)


def laid_out(line: Line, width: int) -> str:
    """The line with its clauses in their column; text that is too long goes on below, indented."""
    column = max(40, min(CLAUSE_COLUMN, width - 14))
    start = " " * line.indent
    wrapped = textwrap.wrap(line.text, column - 2, initial_indent=start, subsequent_indent=start + "  ") or [""]
    if line.clauses:
        wrapped[0] = f"{wrapped[0]:<{column}}{', '.join(line.clauses)}"
    return "\n".join(wrapped)


def ruling_lines(ruling: Ruling) -> Iterator[Line]:
    nothing = not (ruling.findings or ruling.plays or ruling.options or ruling.questions)
    if nothing:
        yield Line("No law encoded here says anything about this case", part="note")
    for conflict in ruling.conflicts:
        yield Line(_sentence(conflict.text), part="conflict")
    for text, first in _merged(ruling.findings):
        yield Line(_sentence(text), first.clauses, force=first.force)
    for plays in ruling.plays:
        yield _plays_line(plays)
    for options in ruling.options:
        yield from _options_lines(options)
    for question in ruling.questions:
        yield from _question_lines(question)
    for clause, text in ruling.advice:
        yield Line(f"Advice: {text}", (clause,), "advice")


def lines_beside(ruling: Ruling, others: Iterable[Ruling]) -> Iterator[Line]:
    """The lines of a ruling that stands beside others: where one says the same with another force, the force too."""
    forces: dict[str, set[str]] = {}
    for other in others:
        for line in ruling_lines(other):
            forces.setdefault(line.text, set()).add(line.force)
    for line in ruling_lines(ruling):
        differs = forces.get(line.text, set()) - {line.force}
        yield line._replace(text=f"{line.text} (force: {line.force})") if differs else line


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _merged(findings: Sequence[Finding]) -> Iterable[tuple[str, Finding]]:
    """Findings that begin with a player and differ only in him become one: "East and West may not …"."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        # A number later in the sentence, such as the tricks for a revoke, would be read as that of both together.
        name, _, rest = finding.text.partition(" ")
        begins = name == SEAT_NAMES.get(str(finding.fields.get("player"))) and bool(_FITS_SEVERAL.match(rest))
        others = tuple(
            sorted((name, value) for name, value in finding.fields.items() if name != "player" or not begins)
        )
        groups.setdefault((finding.kind, others, finding.clauses), []).append(finding)
    for group in groups.values():
        first = group[0]
        names = [SEAT_NAMES[str(each.fields["player"])] for each in group] if len(group) > 1 else []
        joined = "everyone" if len(names) == 4 else " and ".join(names)
        yield first.text.replace(names[0], joined, 1) if names else first.text, first


def _cards(cards: Iterable[str]) -> str:
    return " ".join(card_symbol(card) for card in cards)


def _plays_line(plays: Plays) -> Line:
    name = SEAT_NAMES[plays.player]
    if not plays.may_not and not plays.undecided:
        # A card that nobody listed may be one that he may not play.
        which = "any card" if plays.complete else f"any of the cards known: {_cards(plays.may)}"
        return Line(f"{name} may play {which}", part="plays")
    text = f"{name} may play {_cards(plays.may) or 'none of the cards known'}"
    groups: dict[tuple[str, ...], list[str]] = {}
    for each in plays.may_not:
        groups.setdefault(each.reasons, []).append(each.card)
    text += "".join(f", not {' '.join([_cards(cards), *reasons[:1]])}" for reasons, cards in groups.items())
    if plays.undecided:
        verb = "depends" if len(plays.undecided) == 1 else "depend"
        text += f"; {_cards(plays.undecided)} {verb} on the answers below"
    return Line(text, tuple(dict.fromkeys(clause for each in plays.may_not for clause in each.clauses)), "plays")


def _options_lines(options: Options) -> Iterator[Line]:
    yield Line(f"{_sentence(options.chooser)} chooses:", (), "option")
    for number, option in enumerate(options.options, start=1):
        yield Line(f"{number}. {option.text}", option.clauses, "option", 2)


def _question_lines(question: Question) -> Iterator[Line]:
    concerning = f" ({question.concerning})" if question.concerning else ""
    judged = " It is the Director's judgement." if question.judgement else ""
    yield Line(f"Question: {question.ask}{concerning}{judged}", (), "question")
    told: dict[str, list[str]] = {}
    for answer in question.answers if len(question.answers) <= MOST_ANSWERS else ():
        told.setdefault(answer.outcome, []).append(answer.phrase)
    for outcome, phrases in told.items():
        yield Line(f"{'; '.join(_ranges(phrases))}: {outcome}", (), "question", 2)


def _ranges(phrases: Sequence[str]) -> Iterator[str]:
    """The phrases, with numbers that follow each other as one: "5 to 13"."""
    for _, run in groupby(enumerate(phrases), lambda each: int(each[1]) - each[0] if each[1].isdecimal() else each[1]):
        said = [phrase for _, phrase in run]
        yield said[0] if len(said) == 1 else f"{said[0]} to {said[-1]}"


def reason_lines(reason: Reason, indent: int = 0) -> Iterator[Line]:
    """The reasons as an indented tree; what was given ends a branch."""
    clauses = (reason.clause,) if reason.clause else ()
    yield Line(reason.text if indent else _sentence(reason.text), clauses, "why" if reason.clause else "given", indent)
    if reason.clause:
        yield Line(f"rule: {reason.rule}", (), "rule", indent + 2)
    for text in reason.not_so:
        yield Line(f"not so: {text}", (), "not so", indent + 2)
    for each in reason.because:
        yield from reason_lines(each, indent + 2)
