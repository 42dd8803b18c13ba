"""The form of a report: who and which card at once, and what need not be told only where it would matter."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from bridgelaws.errors import RefusedAnswer, nearest, quoted
from bridgelaws.interview.incidents import chosen_from_few
from bridgelaws.interview.prompt import Choice, Prompt, Step, Taken, none_of, not_known, picked
from bridgelaws.interview.record import Key, Record
from bridgelaws.interview.rulings import Rulings, case_on_record
from bridgelaws.lawbook.types import FieldType, NotAValue
from bridgelaws.lawbook.vocabulary import NOW, Field, Kind
from bridgelaws.located import scalar_text

DONT_KNOW = "don't know"
MOST_TRIED = 200
_BESIDES, _MATTERING = "besides", "mattering"


def field_key(place: int, name: str) -> Key:
    """The key of a field of the report at this place; a question for the same field has it too."""
    return ("field", place, name)


def form_steps(rulings: Rulings, record: Record) -> Iterator[Step]:
    """What to ask at once about each incident: the fields that name somebody or something."""
    for place in record.told:
        kind = rulings.book.law.vocabulary[record.report(place)[0]]
        for field in _naming(kind):
            key = field_key(place, field.name)
            if not field.may_be_left_open and field.name not in record.report(place)[1] and key not in record.passed:
                ask = field.ask or f"What is the {field.name}?"
                yield _field_step(record, place, field, ask, DONT_KNOW)
        optional = [each.name for each in _naming(kind) if each.optional]
        yield from _details(record, place, kind, optional, _BESIDES, "Is more known of it?")


def timing_steps(rulings: Rulings, record: Record) -> Iterator[Step]:
    """When each incident happened, where that need not be the trick now in progress."""
    now = case_on_record(record).table.now
    for place in record.told if now > 1 else ():
        kind, given = record.report(place)
        for field in rulings.book.law.vocabulary[kind].fields.values():
            if field.default == NOW and field.name not in given and field_key(place, field.name) not in record.passed:
                ask = field.ask or f"{field.means or f'The {field.name} of it'}?"
                yield _field_step(record, place, field, ask, f"{now}, the one now in progress", range(1, now + 1))


def mattering_steps(rulings: Rulings, record: Record) -> Iterator[Step]:
    """What else may be told about each incident: fields that need not be told, where one would change the ruling."""
    for place in record.told:
        if (_MATTERING, place) not in record.passed:
            kind = rulings.book.law.vocabulary[record.report(place)[0]]
            asked = [each.name for each in kind.fields.values() if each.default == NOW or each in _naming(kind)]
            left = [each for each in kind.fields.values() if each.may_be_left_open and each.name not in asked]
            matter = [each.name for each in left if _would_matter(rulings, record, place, each)]
            yield from _details(record, place, kind, matter, _MATTERING, "Is anything of this otherwise?")


def _naming(kind: Kind) -> list[Field]:
    """The fields that name a player, a card or the like, and that do not go without saying."""
    few = chosen_from_few(kind)
    return [each for name, each in kind.fields.items() if name not in few and each.default is None]


def read_value(text: str, kind: FieldType, choices: Sequence[Choice] = ()) -> str | int | bool:
    """The value that an answer stands for; a `RefusedAnswer` for anything else."""
    choice = picked(text, choices) if choices else None
    try:
        if choice is None and choices and text.isdigit():
            raise none_of(text, choices)
        return kind.read(choice.value if choice else text.lower() if kind.phrases else text)
    except NotAValue as wrong:
        if choices:
            raise none_of(text, choices) from None
        raise RefusedAnswer(wrong.message, wrong.hint) from None


def _field_step(
    record: Record, place: int, field: Field, ask: str, enter: str, among: Container[object] | None = None
) -> Step:
    key = field_key(place, field.name)
    prompt = Prompt("form", key, ask, example=field.type.example, enter=enter)

    def take(text: str) -> Taken:
        if not_known(text):
            return Taken(record.passing(key), "", enter)
        value = read_value(text, field.type)
        if among is not None and value not in among:
            raise RefusedAnswer(f"there was no {field.name} {value} yet", "write the number of one that was begun")
        written = field.type.written(value)
        return Taken(record.with_field(place, field.name, written), scalar_text(written), field.type.say(value))

    return Step(prompt, take)


def _details(record: Record, place: int, kind: Kind, names: Sequence[str], what: str, ask: str) -> Iterator[Step]:
    """One prompt for several fields, asked until nothing more is told."""
    given = record.report(place)[1]
    fields = {name: kind.fields[name] for name in names if name not in given or what == _MATTERING}
    done: Key = (what, place)
    if not fields or done in record.passed:
        return
    described = tuple((name, _described(each, given.get(name))) for name, each in fields.items())
    first = next(iter(fields.values()))
    prompt = Prompt("form", (*done, *given), ask, example=_example(first), enter="no", fields=described)

    def take(text: str) -> Taken:
        if not_known(text):
            return Taken(record.passing(done), "", "nothing more")
        name, value = _detail(text, fields)
        written = fields[name].type.written(value)
        said = f"{name.replace('_', ' ')}: {fields[name].type.say(value)}"
        return Taken(record.with_field(place, name, written), f"{name} {scalar_text(written)}", said)

    yield Step(prompt, take)


def _described(field: Field, given: object) -> str:
    means = field.means or field.ask or f"the {field.name.replace('_', ' ')}"
    now = given if given is not None else field.default
    if now is None:
        return means
    return f"{means} [{field.type.say(field.type.read(scalar_text(now)))}]"


def _detail(text: str, fields: dict[str, Field]) -> tuple[str, str | int | bool]:
    """The field and the value in `suit D`; the value alone will do where it can be that of one field only."""
    first, _, rest = text.partition(" ")
    name = first.lower().rstrip(":")
    if name in fields:
        if not rest.strip():
            raise RefusedAnswer(f"{quoted(name)} needs a value", f"write for example {_example(fields[name])}")
        return name, read_value(rest.strip(), fields[name].type)
    fitting = {name: value for name, each in fields.items() if (value := _value_or_none(text, each)) is not None}
    if len(fitting) == 1:
        return next(iter(fitting.items()))
    if fitting:
        raise RefusedAnswer(f"{quoted(text)} may be {' or '.join(fitting)}", f"write {next(iter(fitting))} {text}")
    hint = nearest(first, fields) if len(fields) > 1 else ""
    raise RefusedAnswer(
        f"{quoted(text)} tells nothing of this", hint or f"write for example {_example(next(iter(fields.values())))}"
    )


def _example(field: Field) -> str:
    if field.type.name == "yes_no":
        return f"{field.name} {'no' if field.default else 'yes'}"
    return f"{field.name} {re.split('[ ,]', field.type.example)[0]}"


def _value_or_none(text: str, field: Field) -> str | int | bool | None:
    try:
        return field.type.read(text)
    except NotAValue:
        return None


def _would_matter(rulings: Rulings, record: Record, place: int, field: Field) -> bool:
    """Whether some value of the field changes the ruling; taken to be so where too much is open to try it."""
    if rulings.situation(record).worlds > MOST_TRIED:
        return True
    now = rulings.outcomes(record)
    told = (record.with_field(place, field.name, field.type.written(value)) for value in field.type.domain)
    return any(rulings.outcomes(each) != now for each in told)
