"""The tables that `diff --witness` shows: found on all cores, told in each format, saved as cases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bridgelaws.cli.output import show, with_progress
from bridgelaws.pages.html import Html

if TYPE_CHECKING:
    from bridgelaws.compare.diff import Comparison
    from bridgelaws.solving.bounds import Bounds
    from bridgelaws.solving.witnesses import NoWitness, Witness
    from bridgelaws.table.case import Case

Key = tuple[int, str]
Found = dict[Key, "Witness | NoWitness"]

Cards = Annotated[int, typer.Option("--cards", help="How many cards a hand a search may use.")]
Reports = Annotated[int, typer.Option("--reports", help="How many reports and choices a search may use.")]


def find(comparison: Comparison, bounds: Bounds, cases: Sequence[Case], *, anew: bool) -> Found:
    """A witness for each clause in which a rule changed, from each edition to the next."""
    from bridgelaws.compare.diff import clause_changes
    from bridgelaws.solving.witnesses import find_witnesses, in_effect

    shown = {each.clause.id for each in comparison.clauses}
    found: Found = {}
    for step, (before, after) in enumerate(pairwise(comparison.sides)):
        changes = clause_changes(before.law, after.law)
        wanted = [clause for clause in in_effect(changes) if clause in shown]
        searched = find_witnesses(changes, wanted, before.law, after.law, bounds, cases, anew=anew)
        title = f"looking for tables, {before.label} → {after.label}"
        found |= {(step, clause): witness for clause, witness in with_progress(searched, title, len(wanted))}
    return found


def as_text(found: Found, comparison: Comparison, width: int) -> dict[Key, str]:
    """Each witness as the lines below its clause."""
    from bridgelaws.solving.telling import told
    from bridgelaws.solving.witnesses import NoWitness

    texts: dict[Key, str] = {}
    for key, each in found.items():
        if isinstance(each, NoWitness):
            texts[key] = _none(each)
            continue
        labels = [side.label for side in comparison.sides[key[0] : key[0] + 2]]
        vocabulary = comparison.sides[key[0] + 1].law.vocabulary
        rulings = dict(zip(labels, (each.before, each.after), strict=True))
        lines = told(each.read_case(), rulings, vocabulary, width)
        texts[key] = "\n".join(["a table on which they rule differently because of this clause:", "", *lines, ""])
    return texts


def _none(nothing: NoWitness) -> str:
    if not nothing.proven:
        return str(nothing)
    # What is proven in one edition only may be said elsewhere in the other, or mean nothing without another clause.
    return f"{nothing}: {'taken alone' if nothing.sense else 'in effect'}, only the wording differs"


def as_markdown(found: Found, comparison: Comparison) -> dict[Key, str]:
    from bridgelaws.solving.witnesses import NoWitness

    return {
        key: text if isinstance(found[key], NoWitness) else f"```text\n{text.rstrip()}\n```"
        for key, text in as_text(found, comparison, 100).items()
    }


def as_html(found: Found, comparison: Comparison) -> dict[Key, Html]:
    from bridgelaws.pages.witness import no_witness_note, witness_section
    from bridgelaws.solving.witnesses import NoWitness

    pages: dict[Key, Html] = {}
    for key, each in found.items():
        if isinstance(each, NoWitness):
            pages[key] = no_witness_note(_none(each))
        else:
            labels = [side.label for side in comparison.sides[key[0] : key[0] + 2]]
            rulings = dict(zip(labels, (each.before, each.after), strict=True))
            pages[key] = witness_section(each.read_case(), rulings, comparison.sides[key[0] + 1].law.vocabulary)
    return pages


def as_json(found: Found) -> dict[Key, dict[str, Any]]:
    from bridgelaws.solving.witnesses import NoWitness

    return {
        key: {"none": str(each), "proven": each.proven} if isinstance(each, NoWitness) else each.to_json()
        for key, each in found.items()
    }


def save(found: Found, comparison: Comparison, folder: Path) -> None:
    """Each witness as a case file, named by the clause and the editions.

    What must come out is left to a person, with what the two editions rule now beside it.
    """
    from bridgelaws.files import write_whole
    from bridgelaws.solving.telling import case_file, ruled, to_fill_in
    from bridgelaws.solving.witnesses import Witness

    for (step, clause), each in sorted(found.items()):
        if isinstance(each, Witness):
            labels = [side.label for side in comparison.sides[step : step + 2]]
            name = re.sub(r"[^A-Za-z0-9]+", "-", "-".join((clause, *labels))).strip("-")
            title = f"{labels[0]} and {labels[1]} rule differently because of {clause}"
            rulings = (each.before, each.after)
            comments = [
                line
                for label, ruling in zip(labels, rulings, strict=True)
                for line in (f"{label} rules now:", *(f"  {said}" for said in ruled(ruling, rulings)))
            ]
            path = folder / f"{name}.yaml"
            write_whole(path, case_file({"title": title, **each.case}, [*comments, *to_fill_in(labels)]))
            show(str(path))
