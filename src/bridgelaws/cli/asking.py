"""How an interview looks in a terminal: prompts, rulings and the answers so far, a few lines each."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from bridgelaws.cli.output import show, show_lines, width
from bridgelaws.interview import Choice, Interview, Prompt
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.ruling.text import Line, ruling_lines

HELP = """\
  Enter        what stands in brackets, mostly: not known
  ?            this help; ?? what follows from each answer, in full
  back         to the answer before
  change       the answers so far; change 3 asks for the third again
  ruling       the ruling so far, with what is still open
  save FILE    write the case to a file, for bridgelaws rule
  restart      start over
  quit         leave"""


def show_prompt(prompt: Prompt, was: str = "", *, again: bool = False) -> None:
    """What is asked, what Enter does, and, unless they were just shown, the answers to choose from."""
    judged = " It is the Director's judgement." if prompt.judgement else ""
    example = f" ({prompt.example})" if prompt.example else ""
    before = f" It was: {was}." if was else ""
    enter = f" [{prompt.enter}]" if prompt.enter else ""
    show_text(f"{prompt.ask}{judged}{example}{before}{enter}", "question")
    if again:
        return
    if prompt.part == "end":
        show("save FILE writes the case down, change alters an answer", "rule")
    if prompt.part == "incident":
        _show_incidents(prompt.choices)
    else:
        _show_choices(prompt.choices)
    column = max((len(name) for name, _ in prompt.fields), default=0) + 2
    for name, means in prompt.fields:
        show_text(f"{name:<{column}}{means}", indent=2, hanging=column)


def show_consequences(prompt: Prompt) -> None:
    """Each answer with everything that follows from it."""
    for number, choice in enumerate(prompt.choices, start=1):
        show_text(f"{number}. {choice.text}", indent=2, hanging=3)
        for text in choice.follows or ("nothing more",):
            show_text(text, "rule", indent=5)


def show_ruling(ruling: Ruling, *, with_options: bool) -> None:
    """The ruling in full, or without the options where they are to be chosen from next."""
    show("")
    show_lines(line for line in ruling_lines(ruling) if with_options or line.part != "option")
    show("")


def show_answers(interview: Interview) -> None:
    """The answers so far, with the numbers by which they are changed."""
    for number, given in enumerate(interview.given, start=1):
        show_text(f"{number}. {given.prompt.ask} {given.said}", indent=2)
    show("change and a number asks for that answer again" if interview.given else "nothing has been answered yet")


def show_text(text: str, part: str = "", *, indent: int = 0, hanging: int = 0) -> None:
    """The text in lines that fit."""
    start = " " * indent
    lines = textwrap.wrap(
        text, width(), initial_indent=start, subsequent_indent=start + " " * hanging, drop_whitespace=True
    )
    for line in lines or [""]:
        show(line, part)


def _show_incidents(choices: Sequence[Choice]) -> None:
    """A line each: the name, and as much of its meaning as there is room for."""
    column = max((len(choice.text) for choice in choices), default=0) + 2
    heading = ""
    for number, choice in enumerate(choices, start=1):
        if choice.heading != heading:
            heading = choice.heading
            show(heading, "rule")
        start = f"{number:>3}. {choice.text:<{column}}"
        show(start + _in_short(choice.follows, len(start)))


def _show_choices(choices: Sequence[Choice]) -> None:
    """The answers; what follows stands on one line below those from which the same follows."""
    for number, choice in enumerate(choices, start=1):
        if choice.clauses:
            show_lines([Line(f"{number}. {choice.text}", choice.clauses, "option", 2)])
            continue
        start = f"{number:>3}. "
        show_text(f"{start}{choice.text}", hanging=len(start))
        goes_on = number < len(choices) and choices[number].follows == choice.follows
        if choice.follows and not goes_on:
            show(f"{' ' * len(start)}→ {_in_short(choice.follows, len(start) + 3)}", "rule")


def _in_short(texts: Sequence[str], indent: int) -> str:
    """The texts on one line: the rest is there for the asking."""
    return textwrap.shorten("; ".join(texts), max(20, width() - indent), placeholder=" …")
