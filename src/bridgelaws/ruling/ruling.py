"""A ruling as data, and as the JSON that `schemas/ruling.schema.json` describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from bridgelaws.engine.program import Fact, Value
from bridgelaws.located import scalar_text
from bridgelaws.wire import json_text

FORMAT = 1


@dataclass(frozen=True)
class Finding:
    """Something the Director announces; `clauses` names the clause that says so first, then those it rests on.

    Rulings share findings, so that nothing in one can be changed.
    """

    kind: str
    fields: Mapping[str, Value]
    text: str
    clauses: tuple[str, ...]
    force: str
    fact: Fact = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", MappingProxyType(dict(self.fields)))

    def __reduce__(self) -> tuple[type[Finding], tuple[object, ...]]:
        # A view of a dict cannot be sent to another process; what it shows can.
        return Finding, (self.kind, dict(self.fields), self.text, self.clauses, self.force, self.fact)

    @property
    def clause(self) -> str:
        return self.clauses[0]

    @cached_property
    def as_text(self) -> str:
        """The finding as compact JSON."""
        return json_text(self.to_json())

    def to_json(self) -> dict[str, Any]:
        shown = {"kind": self.kind, **self.fields, "clause": self.clause, "clauses": list(self.clauses)}
        return {**shown, "force": self.force, "text": self.text}


@dataclass(frozen=True)
class ForbiddenCard:
    """A card that may not be played now, the clauses that say so, and the reason each gives."""

    card: str
    clauses: tuple[str, ...]
    reasons: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"card": self.card, "clauses": list(self.clauses), "because": list(self.reasons)}


@dataclass(frozen=True)
class Plays:
    """What a player may play now. `undecided` cards wait for a question; not `complete`: he may hold more cards."""

    player: str
    may: tuple[str, ...]
    may_not: tuple[ForbiddenCard, ...]
    undecided: tuple[str, ...]
    complete: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "may": list(self.may),
            "may_not": [each.to_json() for each in self.may_not],
            "undecided": list(self.undecided),
            "complete": self.complete,
        }


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen; `choice` is what to write under the case's choices to take it."""

    id: str
    text: str
    choice: Mapping[str, Mapping[str, Value]]
    clauses: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        choice = {kind: dict(values) for kind, values in self.choice.items()}
        return {"id": self.id, "text": self.text, "choice": choice, "clauses": list(self.clauses)}


@dataclass(frozen=True)
class Options:
    """What someone may choose from."""

    chooser: str
    clause: str
    options: tuple[Option, ...]

    def to_json(self) -> dict[str, Any]:
        return {"chooser": self.chooser, "clause": self.clause, "options": [each.to_json() for each in self.options]}


@dataclass(frozen=True)
class Answer:
    """What follows from one answer to a question, beyond what is already sure.

    `report` is what to write under the case's reports to give the answer, in place of the report that left it open.
    `opens_more`: what follows depends on a question that only this answer opens. `joined`: nothing follows for sure,
    but something does together with certain answers to other questions that are asked as well.
    """

    value: Value
    phrase: str
    findings: tuple[str, ...]
    report: Mapping[str, Mapping[str, Value]]
    opens_more: bool = False
    joined: bool = False

    @property
    def follows(self) -> tuple[str, ...]:
        """What follows, a sentence each."""
        if self.opens_more:
            return (*self.findings, "then one more question decides")
        return self.findings

    @property
    def outcome(self) -> str:
        """What follows, in words."""
        return "; ".join(self.follows) or ("it depends on the other answers" if self.joined else "nothing more")

    def to_json(self) -> dict[str, Any]:
        report = {kind: dict(values) for kind, values in self.report.items()}
        return {"means": self.phrase, "findings": list(self.findings), "report": report}


@dataclass(frozen=True)
class Question:
    """A fact that was not given and on which the ruling turns.

    `about` tells which report it belongs to, and `concerning` says so aloud: the players and cards in it.
    """

    kind: str
    field: str
    about: Mapping[str, Value]
    ask: str
    judgement: bool
    answers: tuple[Answer, ...]
    concerning: str

    def to_json(self) -> dict[str, Any]:
        answers = {scalar_text(each.value): each.to_json() for each in self.answers}
        return {
            "kind": self.kind,
            "field": self.field,
            "about": dict(self.about),
            "ask": self.ask,
            "judgement": self.judgement,
            "answers": answers,
        }


@dataclass(frozen=True)
class Conflict:
    """Two findings that contradict each other: the law is at odds with itself here."""

    first: Finding
    second: Finding

    @property
    def text(self) -> str:
        pair = (f"{each.text} ({each.clause})" for each in (self.first, self.second))
        return "the law contradicts itself: " + ", but ".join(pair)

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "clauses": [self.first.clause, self.second.clause]}


@dataclass(frozen=True)
class Reason:
    """Why something is so: the rule that gave it, what that rested on, and the exceptions that did not hold.

    A fact with no clause was given: by the table, a report or a choice.
    """

    text: str
    kind: str
    fields: Mapping[str, Value]
    clause: str = ""
    rule: str = ""
    because: tuple[Reason, ...] = ()
    not_so: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"text": self.text, "kind": self.kind, "fields": dict(self.fields)}
        if self.clause:
            shown |= {"clause": self.clause, "rule": self.rule}
            shown |= {"because": [each.to_json() for each in self.because], "not_so": list(self.not_so)}
        return shown


@dataclass(frozen=True)
class Ruling:
    """What the Director announces, who may play what, who may choose what, and what must still be asked."""

    edition: str
    engine: str
    findings: tuple[Finding, ...]
    plays: tuple[Plays, ...]
    options: tuple[Options, ...]
    questions: tuple[Question, ...]
    clauses: tuple[str, ...]
    conflicts: tuple[Conflict, ...] = ()
    advice: tuple[tuple[str, str], ...] = ()
    why: tuple[Reason, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The ruling as `schemas/ruling.schema.json` describes it."""
        return {**self.heading(), "findings": [each.to_json() for each in self.findings], **self.after_findings()}

    def heading(self) -> dict[str, Any]:
        """The part of the JSON before the findings."""
        return {"format": FORMAT, "edition": self.edition, "engine": self.engine}

    def after_findings(self) -> dict[str, Any]:
        """The part of the JSON after the findings."""
        return {
            "plays": {each.player: each.to_json() for each in self.plays},
            "options": [each.to_json() for each in self.options],
            "questions": [each.to_json() for each in self.questions],
            "clauses": list(self.clauses),
            "conflicts": [each.to_json() for each in self.conflicts],
            "advice": [{"clause": clause, "text": text} for clause, text in self.advice],
            "why": [each.to_json() for each in self.why],
        }

    def text(self, *, symbols: bool = True, width: int = 100) -> str:
        """The ruling as a Director reads it out; without `symbols`, in plain ASCII."""
        from bridgelaws.ruling.text import ruling_text

        return ruling_text(self, symbols=symbols, width=width)
