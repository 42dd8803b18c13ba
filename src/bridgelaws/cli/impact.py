"""`bridgelaws impact`: what a draft changes."""

from __future__ import annotations

import textwrap
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridgelaws.cli.options import Format, Formatted
from bridgelaws.cli.output import show, show_json, width
from bridgelaws.cli.test import CASES

if TYPE_CHECKING:
    from bridgelaws.compare.impact import ChangedCase, Impact

NAME = "impact"


def run(
    laws: Annotated[Path, typer.Option("--laws", help="The folder with the draft.", show_default=False)],
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="A folder of cases, or one case file.")] = CASES,
    format: Formatted = Format.text,
) -> None:
    """Show what a draft changes.

    Every case whose ruling differs under the draft, before and after side by side, by clause; and the changed clauses
    that no case notices, with the cases that come nearest to them.
    """
    from bridgelaws.casebook.running import read_cases
    from bridgelaws.compare.impact import measure_impact
    from bridgelaws.lawbook.law import load_law

    base, draft = load_law(), load_law(laws)
    # A case that already speaks of the draft can only be read with it.
    read = zip(read_cases(folder, base), read_cases(folder, draft), strict=True)
    impact = measure_impact(base, draft, [plain if plain.case else drafted for plain, drafted in read])
    if format is Format.json:
        changed = [each.to_json() for each in impact.changed]
        show_json({"format": 1, "changed": changed, "unnoticed": [each.to_json() for each in impact.unnoticed]})
        return
    _show(impact)


def _show(impact: Impact) -> None:
    groups: dict[tuple[str, ...], list[ChangedCase]] = {}
    for each in impact.changed:
        groups.setdefault(each.clauses, []).append(each)
    for clauses, cases in groups.items():
        show(f"{', '.join(clauses) or 'through other clauses'}: {_counted(len(cases), 'ruling')} changed", "option")
        for each in cases:
            show("")
            show(f"  {each.title} ({each.pair})")
            show(f"  {each.path}", "rule")
            _side_by_side(each)
        show("")
    for clause in impact.unnoticed:
        show(f"{clause.number} {clause.title} ({clause.pair}): no case notices the change", "question")
        for path in clause.nearest:
            show(f"  nearest: {path}", "rule")
    show(f"{_counted(len(impact.changed), 'ruling')} changed, in {_counted(impact.cases, 'case')}")


def _side_by_side(case: ChangedCase) -> None:
    half = (width() - 7) // 2
    columns = [
        [part for line in lines for part in textwrap.wrap(line, half, subsequent_indent="  ")]
        for lines in (("before", *case.before), ("after", *case.after))
    ]
    for left, right in zip_longest(*columns, fillvalue=""):
        show(f"  {left:<{half}} │ {right}".rstrip())


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
