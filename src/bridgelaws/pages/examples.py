"""A case as an example: what was on the table, what was reported, and how each edition rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bridgelaws.book import Lawbook
from bridgelaws.engine.program import Fact
from bridgelaws.lawbook.referents import joined
from bridgelaws.lawbook.sentences import fact_sentence
from bridgelaws.pages.contents import Contents, Example
from bridgelaws.pages.diagram import diagram
from bridgelaws.pages.html import Html, suited, tag, together
from bridgelaws.ruling.text import Line, ruling_lines
from bridgelaws.table.case import case_facts

Rulings = list[tuple[list[str], list[Line]]]


def rulings(example: Example, books: Mapping[str, Lawbook]) -> Rulings:
    """How the editions rule, latest first; editions that say the same with the same clauses stand together."""
    grouped: Rulings = []
    for edition in reversed(example.editions):
        lines = list(ruling_lines(books[edition].rule(example.case)))
        if grouped and grouped[-1][1] == lines:
            grouped[-1][0].insert(0, edition)
        else:
            grouped.append(([edition], lines))
    return grouped


def example_article(example: Example, ruled: Rulings, contents: Contents, root: str) -> Html:
    reported = _reported(example, contents)
    vocabulary = contents.law.vocabulary
    cards = {
        str(value)
        for fact in reported
        for name, value in vocabulary[fact.kind].values(fact).items()
        if vocabulary[fact.kind].fields[name].type.name == "card"
    }
    told = [tag("li", suited(_sentence(fact_sentence(fact, vocabulary)))) for fact in reported]
    document = example.case.document.data
    source = tag("small", f" {document['source']}", class_="source") if document.get("source") else None
    note = tag("p", suited(str(document["note"])), class_="note") if document.get("note") else None
    many = len(contents.law.editions) == sum(len(editions) for editions, _ in ruled)
    sections = [
        _ruling(editions, lines, contents, root, first=place == 0, alone=len(ruled) == 1 and many)
        for place, (editions, lines) in enumerate(ruled)
    ]
    return tag(
        "article",
        tag("h3", tag("a", suited(example.title), href=f"#{example.anchor}"), source),
        tag("div", diagram(example.case.table, cards), class_="board"),
        tag("div", tag("div", "The Director was told", class_="label"), tag("ul", *told), class_="told")
        if told
        else None,
        note,
        *sections,
        class_="example",
        id=example.anchor,
    )


def _reported(example: Example, contents: Contents) -> list[Fact]:
    vocabulary = contents.law.vocabulary
    given = example.case.document.data.get("regulations") or {}
    return [
        fact
        for fact in case_facts(example.case, vocabulary).facts
        if vocabulary[fact.kind].source in ("report", "choice") or fact.kind in given
    ]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _ruling(
    editions: Sequence[str], lines: Sequence[Line], contents: Contents, root: str, *, first: bool, alone: bool
) -> Html:
    title = "The ruling, in every edition" if alone else f"The ruling in {joined(editions)}"
    rows = [
        tag(
            "li",
            tag("span", suited(line.text)),
            tag("span", *_cited(line, editions[-1], contents, root), class_="cites") if line.clauses else None,
            class_=f"{line.part.replace(' ', '-')}{' inner' if line.indent else ''}",
        )
        for line in lines
    ]
    listed = tag("ul", *rows, class_="ruling")
    if first:
        return tag("div", tag("div", title, class_="label"), listed)
    return tag("details", tag("summary", title), listed)


def _cited(line: Line, edition: str, contents: Contents, root: str) -> list[Html]:
    cited: list[Html] = []
    for number in line.clauses:
        clause = contents.clause_numbered(number, edition)
        href = f"{root}{contents.address(clause)}" if clause else None
        cited.append(together(tag("a", number, href=href, title=clause.title) if clause else number, " "))
    return cited
