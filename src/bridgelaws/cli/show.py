"""`bridgelaws show`: a clause, its history and its rules."""

from __future__ import annotations

import textwrap
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Edition, Laws
from bridgelaws.cli.output import show, show_json, width

if TYPE_CHECKING:
    from bridgelaws.lawbook.clauses import Clause, Version
    from bridgelaws.lawbook.law import Law

NAME = "show"


class ShowFormat(StrEnum):
    """How to print a clause."""

    text = "text"
    json = "json"
    markdown = "markdown"


def run(
    clause: Annotated[
        str, typer.Argument(help="A clause's number in any edition, or its file's name.", show_default=False)
    ],
    edition: Edition = None,
    laws: Laws = None,
    format: Annotated[
        ShowFormat, typer.Option("--format", "-f", help="Print text to read, JSON for programs, or Markdown.")
    ] = ShowFormat.text,
    exact: Annotated[
        bool, typer.Option("--exact", help="Print the conditions as the file has them, not as sentences.")
    ] = False,
) -> None:
    """Show a clause: its gist and its rules in plain sentences.

    Without --edition, its whole history.
    """
    from bridgelaws.lawbook.describing import clauses_json, clauses_named, versions_shown
    from bridgelaws.lawbook.law import load_law

    law = load_law(laws)
    found = clauses_named(law, clause, edition)
    if format is ShowFormat.json:
        show_json(clauses_json(found, law, edition))
    elif format is ShowFormat.markdown:
        _show_markdown(found, law, edition)
    else:
        for each in found:
            show(f"{each.title} ({each.id})", "option")
            for version in versions_shown(each, law, edition):
                _show_version(version, law, exact)


def _show_markdown(found: list[Clause], law: Law, edition: str | None) -> None:
    from bridgelaws.lawbook.describing import versions_shown
    from bridgelaws.pages.markdown import clause_markdown

    show(
        "\n".join(clause_markdown(each, versions_shown(each, law, edition), law.vocabulary) for each in found).rstrip(
            "\n"
        )
    )


def _show_version(version: Version, law: Law, exact: bool) -> None:
    show("")
    show(f"{version.number}, since {version.since}" + (" (repealed)" if version.repealed else ""))
    if version.gist:
        show(f"  {version.gist}")
    for label, text in (("no rules", version.no_rules), ("note", version.note), ("advice", version.advice)):
        if text:
            show(f"  {label}: {text}", "rule")
    if version.confidence == "reading":
        show("  confidence: the best reading of an unsure text", "rule")
    if version.see:
        show(f"  see {', '.join(version.see)}", "rule")
    _show_rules(version, law, exact)


def _show_rules(version: Version, law: Law, exact: bool) -> None:
    from bridgelaws.lawbook.sentences import rule_sentence
    from bridgelaws.lawbook.wording import rule_lines

    for rule in version.rules:
        if exact:
            for indent, line in rule_lines(rule, law.vocabulary):
                show(f"  {'  ' * indent}{line}" if indent else f"  • {line}")
        else:
            show(f"  • {rule.name}", "rule")
            show(
                textwrap.fill(
                    rule_sentence(rule, law.vocabulary).text, width(), initial_indent="    ", subsequent_indent="    "
                )
            )
