"""A found table as a part of a page: the diagram, the reports, and the rulings side by side."""

from __future__ import annotations

from collections.abc import Mapping

from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.pages.diagram import diagram
from bridgelaws.pages.html import Html, suited, tag
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.solving.telling import reported, ruled
from bridgelaws.table.case import Case, case_facts


def witness_section(case: Case, rulings: Mapping[str, Ruling], vocabulary: Vocabulary) -> Html:
    """The table on which the editions rule differently."""
    facts = [fact for fact in case_facts(case, vocabulary).facts if vocabulary[fact.kind].source == "report"]
    cards = {
        str(value)
        for fact in facts
        for name, value in vocabulary[fact.kind].values(fact).items()
        if vocabulary[fact.kind].fields[name].type.name == "card"
    }
    sides = [
        tag("div", tag("h4", label), tag("ul", *(tag("li", suited(each)) for each in ruled(ruling, rulings.values()))))
        for label, ruling in rulings.items()
    ]
    return tag(
        "div",
        tag("div", "A table on which they rule differently because of this clause", class_="label"),
        tag("div", diagram(case.table, cards), class_="board"),
        tag("ul", *(tag("li", suited(each)) for each in reported(case, vocabulary))),
        tag("div", *sides, class_="cells", style=f"--columns: {len(sides)}"),
        class_="witness",
    )


def no_witness_note(text: str) -> Html:
    return tag("p", text, class_="note")
