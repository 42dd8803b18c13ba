"""A prompt: what is asked, what may be answered, and how an answer is read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from bridgelaws.errors import RefusedAnswer, nearest, quoted
from bridgelaws.interview.record import Record

_NOT_KNOWN = ("don't know", "dont know", "do not know", "not known", "unknown")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers: `value` for programs, `text` for people, and `follows`, what comes of it.

    In a long list `heading` is what it stands under.
    """

    value: str
    text: str
    follows: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked now.

    `part` is `incident`, `form`, `table`, `question`, `option` or `end`. `key` is the same for the same prompt after a
    change elsewhere. `example` shows how an answer is written, `enter` says what an empty answer means, and where it is
    blank something must be answered. `fields` may be told one by one, each by its name: `suit D`.
    """

    part: str
    key: tuple[Hashable, ...]
    ask: str
    choices: tuple[Choice, ...] = ()
    example: str = ""
    enter: str = ""
    judgement: bool = False
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """An answer that fits: what is then on record, the answer in the words of a program, and said aloud.

    `means` explains what was chosen, where that is more than was read before.
    """

    record: Record
    value: str
    said: str
    means: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A prompt, and what to do with the answer; a `RefusedAnswer` if it does not fit."""

    prompt: Prompt
    take: Callable[[str], Taken]


def not_known(text: str) -> bool:
    """Whether the answer is that nobody knows."""
    return not text or text.lower() in _NOT_KNOWN


def picked(text: str, choices: Sequence[Choice]) -> Choice | None:
    """The choice with this number, value or text; the beginning of its text will do where no other begins so."""
    if text.isascii() and text.isdigit() and len(text) < 4:
        return choices[int(text) - 1] if 1 <= int(text) <= len(choices) else None
    wanted = text.lower().replace("_", " ")
    names = {choice: (choice.value.lower().replace("_", " "), choice.text.lower()) for choice in choices}
    exact = [choice for choice, each in names.items() if wanted in each]
    beginning = [choice for choice, each in names.items() if any(name.startswith(wanted) for name in each)]
    found = exact or beginning
    return found[0] if len(found) == 1 else None


def none_of(text: str, choices: Sequence[Choice], more: Iterable[str] = ()) -> RefusedAnswer:
    """That the text is none of the choices, with the one that was probably meant."""
    by_text = {choice.text.lower(): choice.text for choice in choices}
    hint = nearest(text, [*by_text, *(choice.value for choice in choices), *more])
    if not hint.startswith("did you mean"):
        hint = f"answer with a number from 1 to {len(choices)}" if len(choices) > 1 else "answer 1"
    return RefusedAnswer(f"{quoted(text)} is none of these", hint)
