"""A found table told: the picture, what the Director was told, and the rulings side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import yaml

from bridgelaws.formatting import formatted
from bridgelaws.lawbook.sentences import fact_sentence
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.ruling.text import lines_beside
from bridgelaws.table.case import Case, case_facts
from bridgelaws.table.picture import picture

_LEFT_OUT = ("advice",)
_NARROWEST = 34


def told(case: Case, rulings: Mapping[str, Ruling], vocabulary: Vocabulary, width: int = 100) -> list[str]:
    """The lines: a table, its reports, and each ruling under its label."""
    lines = [*picture(case.table), *(f"• {each}" for each in reported(case, vocabulary)), ""]
    column = (width - 3 * (len(rulings) - 1)) // max(1, len(rulings))
    texts = {label: list(ruled(ruling, rulings.values())) for label, ruling in rulings.items()}
    if column < _NARROWEST:
        for label, said in texts.items():
            lines += [f"{label}:", *(line for each in said for line in wrap(each, width, initial_indent="  "))]
        return lines
    cells = [[f"{label}:", *(line for each in said for line in wrap(each, column))] for label, said in texts.items()]
    return lines + [
        " │ ".join(f"{each:<{column}}" for each in row).rstrip() for row in zip_longest(*cells, fillvalue="")
    ]


def reported(case: Case, vocabulary: Vocabulary) -> Iterator[str]:
    """What the Director was told and what was chosen, a sentence each."""
    for fact in case_facts(case, vocabulary).facts:
        if vocabulary[fact.kind].source in ("report", "choice"):
            yield fact_sentence(fact, vocabulary)


def ruled(ruling: Ruling, beside: Iterable[Ruling]) -> Iterator[str]:
    """The ruling a line each, with its clauses, as it reads beside others."""
    for line in lines_beside(ruling, beside):
        if line.part not in _LEFT_OUT:
            yield line.text + (f" ({', '.join(line.clauses)})" if line.clauses else "")


def to_fill_in(editions: Sequence[str], clause: str = "") -> tuple[str, ...]:
    """The lines that a person makes an expectation of: one that says what the program says would test nothing."""
    return (
        "What must come out, and from which clause: fill this in from the law, not from what the program says.",
        "expect:",
        f"  - editions: [{', '.join(json.dumps(edition) for edition in editions)}]",
        "    findings:",
        "      - a_finding: {player: E}",
        f"        clause: {clause or 'its number'}",
    )


def case_file(data: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """The case as a file, laid out as all files are, with comments at its end."""
    text = yaml.safe_dump(dict(data), default_flow_style=None, sort_keys=False, allow_unicode=True, width=10_000)
    whole = formatted(text, "the found case")
    return whole + "".join(f"# {line}\n" if line else "#\n" for line in comments)
