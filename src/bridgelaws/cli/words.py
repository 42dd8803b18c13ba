"""`bridgelaws words`: what a case can say, and in which words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Edition, Format, Formatted, Laws
from bridgelaws.cli.output import show, show_json, width

if TYPE_CHECKING:
    from bridgelaws.lawbook.law import EditionLaw
    from bridgelaws.lawbook.vocabulary import Field, Kind

NAME = "words"
_NARROWEST = 30
_COLUMN = 28


def run(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="What happened, in your own words, or the name of one kind.", show_default=False),
    ] = None,
    edition: Edition = None,
    laws: Laws = None,
    format: Formatted = Format.text,
) -> None:
    """Look up the words of a case.

    With the name of a kind, such as card_exposed: its meaning, its fields and
    their values. With other words, such as dropped card: the reports that tell
    of it. Without any: all reports by Law, and the choices.
    """
    from bridgelaws.lawbook.describing import kinds_json
    from bridgelaws.lawbook.law import load_law

    law = load_law(laws).edition(edition)
    asked = " ".join(words or ())
    named = law.vocabulary.kinds.get(asked.replace(" ", "_"))
    groups = [("", [named])] if named is not None else _groups(law, asked)
    if format is Format.json:
        show_json(kinds_json(kind for _, kinds in groups for kind in kinds))
    elif named is not None:
        _show_kind(named)
    else:
        _show_groups(groups)


def _groups(law: EditionLaw, asked: str) -> list[tuple[str, Sequence[Kind]]]:
    from bridgelaws.errors import RefusedAnswer, UsageError
    from bridgelaws.interview.incidents import Incidents
    from bridgelaws.lawbook.describing import law_title

    incidents = Incidents(law)
    if asked:
        try:
            return [("", incidents.found(asked))]
        except RefusedAnswer as refused:
            (problem,) = refused.diagnostics
            near = problem.hint.startswith("did you mean")
            raise UsageError(problem.message, problem.hint if near else "bridgelaws words lists them all") from None
    told = {kind.name for kind in incidents.happenings}
    return [
        *((law_title(home) if home else "In several Laws", kinds) for home, kinds in incidents.by_law),
        ("Answers that a ruling asks for", [kind for kind in incidents.kinds if kind.name not in told]),
        ("Choices, which a ruling offers", list(law.vocabulary.of_source("choice"))),
    ]


def _show_groups(groups: Iterable[tuple[str, Sequence[Kind]]]) -> None:
    before = ""
    for heading, kinds in groups:
        if heading:
            show(f"{before}{heading}", "option")
            before = "\n"
        for kind in kinds:
            _show_line(kind.name, kind.means)


def _show_kind(kind: Kind) -> None:
    from bridgelaws.lawbook.vocabulary import SOURCES

    show(f"{kind.name} ({kind.source}: {SOURCES[kind.source]})", "option")
    _show_text(kind.means, "  ")
    for each in kind.fields.values():
        show("")
        _show_text(f"{each.name}: {_about(each)}", "  ", hanging="    ")
        for value, phrase in each.type.phrases.items():
            _show_line(f"  {value}", phrase)
    if kind.source in ("report", "choice"):
        needed = ", ".join(f"{each.name}: …" for each in kind.fields.values() if not each.may_be_left_open)
        show(f"\n  - {kind.name}: {{{needed}}}", "rule")


def _about(field: Field) -> str:
    from bridgelaws.lawbook.vocabulary import NOW
    from bridgelaws.located import scalar_text

    parts = [] if field.type.phrases else [field.type.noun]
    if field.default == NOW:
        parts.append("if left out, the trick in progress")
    elif field.default is not None:
        parts.append(f"if left out, {scalar_text(field.type.written(field.default))}")
    elif field.optional:
        parts.append("may be left out")
    if field.judgement:
        parts.append("the Director's judgement")
    words = field.means or field.ask or ("one of" if field.type.phrases else "")
    return ". ".join(filter(None, ("; ".join(parts), words)))


def _show_line(name: str, text: str) -> None:
    start = f"  {name:<{_COLUMN}}  "
    _show_text(text, start, hanging=" " * min(len(start), _COLUMN + 4))


def _show_text(text: str, start: str, hanging: str | None = None) -> None:
    rest = start if hanging is None else hanging
    wrapper = textwrap.TextWrapper(max(width(), len(start) + _NARROWEST), start, rest, break_on_hyphens=False)
    show(wrapper.fill(" ".join(text.split())))
