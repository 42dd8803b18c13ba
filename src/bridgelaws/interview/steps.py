"""What to ask next: the incident, its form, the table, then only what the ruling turns on, and what may be chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from bridgelaws.errors import RefusedAnswer
from bridgelaws.interview.forms import DONT_KNOW, field_key, form_steps, mattering_steps, read_value, timing_steps
from bridgelaws.interview.incidents import Incidents, title
from bridgelaws.interview.prompt import Choice, Prompt, Step, Taken, none_of, not_known, picked
from bridgelaws.interview.record import Key, Record
from bridgelaws.interview.rulings import Rulings
from bridgelaws.interview.tables import asked_again, claim_steps, table_steps
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.vocabulary import Kind
from bridgelaws.located import scalar_text
from bridgelaws.ruling.ruling import Options, Question

# Ranks, counts and cards are typed; a number before them would be taken for one of them.
_CHOSEN = ("one_of", "yes_no", "seat", "side", "suit")
TABLE = "table"


def next_step(rulings: Rulings, incidents: Incidents, record: Record) -> Step | None:
    """The next step of the interview; none when it is over."""
    return next(_steps(rulings, incidents, record), None)


def _steps(rulings: Rulings, incidents: Incidents, record: Record) -> Iterator[Step]:
    if record.telling:
        yield _search(incidents, record) if record.search is None else _found(incidents, record)
        return
    yield from form_steps(rulings, record)
    yield from table_steps(rulings, record)
    yield from timing_steps(rulings, record)
    yield from claim_steps(rulings, record)
    now = rulings.situation(record)
    for question in now.questions:
        if _question_key(record, question) not in record.passed:
            yield _question(rulings, record, question)
    yield from mattering_steps(rulings, record)
    for options in now.ruling.options:
        if _options_key(options) not in record.passed:
            yield _options(record, options)
    if _end_key(record) not in record.passed:
        yield _end(incidents, record)


def _search(incidents: Incidents, record: Record) -> Step:
    prompt = Prompt(
        "incident",
        ("incident", len(record.told)),
        "What happened?",
        example="in a few words: dropped a card",
        enter="the whole list",
    )
    return Step(prompt, lambda text: _searched(incidents, record, text))


def _searched(incidents: Incidents, record: Record, text: str) -> Taken:
    kind = incidents.named(text)
    if kind is not None:
        return Taken(record.with_incident(kind.name), kind.name, title(kind), kind.means)
    if text:
        incidents.found(text)
    return Taken(replace(record, telling=True, search=text), text, text or "the whole list")


def _found(incidents: Incidents, record: Record) -> Step:
    found = [("", incidents.found(record.search))] if record.search else incidents.by_law
    choices = tuple(
        Choice(kind.name, title(kind), (kind.means,), heading=law_title(law)) for law, kinds in found for kind in kinds
    )
    enter = f"1, {choices[0].text}" if record.search else ""
    key: Key = ("which incident", len(record.told), record.search)
    prompt = Prompt("incident", key, "Which of these, or what other words?", choices, enter=enter)

    def take(text: str) -> Taken:
        if not text and not record.search:
            raise RefusedAnswer("nothing was chosen", "answer with a number, or with words to search for")
        choice = picked(text, choices) if text else choices[0]
        if choice is not None:
            return Taken(record.with_incident(choice.value), choice.value, choice.text, choice.follows[0])
        if text.isdigit():
            raise none_of(text, choices)
        return _searched(incidents, record, text)

    return Step(prompt, take)


def _place(record: Record, question: Question) -> int | None:
    """Where the report stands that left the field open; none if it is a report that a rule asks for."""
    told = [(place, report[question.kind]) for place, report in enumerate(record.reports) if question.kind in report]
    fitting = [
        (len(fields), -place)
        for place, fields in told
        if question.field not in fields and fields.items() <= dict(question.about).items()
    ]
    # Of two that fit, the one that says more is meant: the question tells all that its report says.
    return -max(fitting)[1] if fitting else None


def _question_key(record: Record, question: Question) -> Key:
    place = _place(record, question)
    if place is not None:
        return field_key(place, question.field)
    return ("asked", question.kind, question.field, json.dumps(dict(question.about), sort_keys=True))


def _question(rulings: Rulings, record: Record, question: Question) -> Step:
    kind: Kind = rulings.book.law.vocabulary[question.kind]
    field = kind.fields[question.field]
    key = _question_key(record, question)
    choices = tuple(
        Choice(scalar_text(each.value), each.phrase, each.follows)
        for each in question.answers
        if field.type.name in _CHOSEN
    )
    concerning = f" ({question.concerning})" if question.concerning else ""
    prompt = Prompt(
        "question",
        key,
        f"{question.ask}{concerning}",
        choices,
        "" if choices else field.type.example,
        DONT_KNOW,
        question.judgement,
    )

    def take(text: str) -> Taken:
        if not_known(text):
            return Taken(record.passing(key), "", DONT_KNOW)
        value = read_value(text, field.type, choices)
        written = field.type.written(value)
        place = _place(record, question)
        told = (
            record.with_report({question.kind: {**question.about, question.field: written}})
            if place is None
            else record.with_field(place, question.field, written)
        )
        return Taken(told, scalar_text(written), field.type.say(value))

    return Step(prompt, take)


def _options_key(options: Options) -> Key:
    return ("options", json.dumps([option.to_json()["choice"] for option in options.options], sort_keys=True))


def _options(record: Record, options: Options) -> Step:
    key = _options_key(options)
    choices = tuple(Choice(each.id, each.text, clauses=each.clauses) for each in options.options)
    chooser = options.chooser[:1].upper() + options.chooser[1:]
    prompt = Prompt("option", key, f"{chooser} chooses:", choices, enter="not yet")

    def take(text: str) -> Taken:
        if not text:
            return Taken(record.passing(key), "", "not yet")
        choice = picked(text, choices)
        if choice is None:
            raise none_of(text, choices)
        option = options.options[choices.index(choice)]
        return Taken(record.with_choice(option.choice), option.id, option.text)

    return Step(prompt, take)


def _end_key(record: Record) -> Key:
    return ("end", len(record.told), len(record.choices))


def _end(incidents: Incidents, record: Record) -> Step:
    key = _end_key(record)
    example = f"in a few words; or {TABLE}, if the play has gone on"
    prompt = Prompt("end", key, "Did anything else happen?", example=example, enter="no")

    def take(text: str) -> Taken:
        if not text or text.lower() in ("n", "no"):
            return Taken(record.passing(key), "", "no")
        if text.lower() == TABLE:
            return Taken(asked_again(record), TABLE, "the table")
        if text.lower() in ("y", "yes"):
            return Taken(replace(record, telling=True, search=None), "yes", "yes")
        return _searched(incidents, record, text)

    return Step(prompt, take)
