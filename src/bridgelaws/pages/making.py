"""Make the book: every file by its name, from the law and its cases alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from bridgelaws.book import Lawbook, lawbooks
from bridgelaws.casebook.running import ReadCase
from bridgelaws.errors import CaseError
from bridgelaws.lawbook.clauses import Clause
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.referents import joined
from bridgelaws.pages.clause import clause_page, example_address
from bridgelaws.pages.contents import Contents, Example
from bridgelaws.pages.examples import example_article, rulings
from bridgelaws.pages.html import Html, page, suited, tag, together

Progress = Callable[[Sequence[Example]], Iterable[Example]]


def book_files(law: Law, cases: Sequence[ReadCase], progress: Progress = iter) -> dict[str, str]:
    """The text of every file of the book, or a `CaseError` if a case cannot be read or ruled on."""
    problems = [problem for each in cases for problem in each.problems]
    if problems:
        raise CaseError(problems)
    contents = Contents(law, cases)
    examples = _articles(contents, lawbooks(law, "compiled"), progress)
    files = {"index.html": _index(contents)}
    for name, clauses in contents.laws:
        files[f"{name}.html"] = _law_page(name, clauses, contents)
    for clause in law.clauses:
        files[f"{clause.id}.html"] = clause_page(clause, contents, examples.get(clause.id, ()))
    if contents.homeless:
        body = [tag("h1", "Other cases"), *examples.get("", ())]
        files["other-cases.html"] = page("Other cases", "", *body)
    files["search-index.js"] = _search_index(contents)
    for name in ("book.css", "book.js"):
        files[name] = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return files


def _articles(contents: Contents, books: dict[str, Lawbook], progress: Progress) -> dict[str, list[Html]]:
    articles: dict[str, list[Html]] = {}
    for example in progress(contents.examples):
        home = example.home
        root = "../" * home.id.count("/") if home else ""
        made = example_article(example, rulings(example, books), contents, root)
        articles.setdefault(home.id if home else "", []).append(made)
    return articles


def _index(contents: Contents) -> str:
    law = contents.law
    rules = len(law.edition(law.latest).rules)
    about = (
        f"{len(law.clauses)} clauses in the editions {joined(law.editions)}, each with what every edition says in our "
        f"own words, its rules as sentences ({rules} in the latest edition), and {len(contents.examples)} cases with "
        "their rulings. A law that is not listed is not encoded, and nothing is said about it."
    )
    reading = (
        "A word in brackets at the end of a conclusion, such as (must) or (may), is the verb that the clause uses; "
        "the Laws grade these verbs on purpose. Each “unless” stands alone: one that holds is enough."
    )
    sections = [_law_section(name, clauses, contents) for name, clauses in contents.laws]
    other = tag("p", tag("a", "Other cases", href="other-cases.html")) if contents.homeless else None
    body = [tag("h1", "The Laws of Duplicate Bridge, as data"), tag("p", about), tag("p", reading, class_="note")]
    return page("The Laws of Duplicate Bridge, as data", "", *body, *sections, other)


def _law_section(name: str, clauses: Sequence[Clause], contents: Contents) -> Html:
    heading = tag("h2", tag("a", law_title(name), href=contents.law_address(name)))
    return tag("section", heading, tag("ul", *_clause_rows(clauses, contents), class_="clauses"))


def _clause_rows(clauses: Sequence[Clause], contents: Contents) -> Iterator[Html]:
    for clause in clauses:
        number, title = contents.heading(clause)
        said = together(tag("span", number, class_="number"), f" {title}" if title else None)
        gone = "" if contents.number(clause, contents.law.latest) else " no longer in force"
        yield tag("li", tag("a", said, href=contents.address(clause)), tag("small", gone) if gone else None)


def _law_page(name: str, clauses: Sequence[Clause], contents: Contents) -> str:
    """A law at a glance: each clause with what it says today."""
    title = law_title(name)
    entries = []
    for clause in clauses:
        last = next((each for each in reversed(clause.versions) if not each.repealed), clause.versions[-1])
        number, said = contents.heading(clause)
        others = list(dict.fromkeys(each.number for each in clause.versions if each.number != last.number))
        cases = len(contents.examples_of(clause))
        facts = [f"once {joined(others)}"] if others else []
        facts += [f"{cases} example{'s' if cases != 1 else ''}"] if cases else []
        facts += [] if contents.number(clause, contents.law.latest) else ["no longer in force"]
        entries.append(
            tag(
                "section",
                tag("h2", tag("a", tag("span", number, class_="number"), " ", said, href=contents.address(clause))),
                tag("p", suited(last.gist), class_="gist"),
                tag("p", tag("small", "; ".join(facts))) if facts else None,
                class_="entry",
            )
        )
    trail = tag("nav", tag("a", "All laws", href="index.html"), class_="trail")
    return page(title, "", trail, tag("h1", title), *entries)


def _search_index(contents: Contents) -> str:
    """What the search looks through, as a script, so that it also works from a folder without a server."""
    entries: list[dict[str, str]] = []
    for clause in contents.law.clauses:
        versions = [each for each in clause.versions if not each.repealed]
        texts = [text for each in versions for text in (each.gist, *(s.text for s in contents.sentences(each)))]
        numbers = dict.fromkeys(each.number for each in clause.versions)
        entries.append(
            {
                "title": " ".join(contents.heading(clause)).rstrip(),
                "address": contents.address(clause),
                "gist": versions[-1].gist if versions else "",
                "text": " ".join(dict.fromkeys([*numbers, clause.title, *texts])),
            }
        )
    for example in contents.examples:
        about = f"Example of {contents.latest_number(example.home)}" if example.home else "Example"
        address = example_address(example, contents)
        entries.append({"title": example.title, "address": address, "gist": about, "text": f"{example.title} {about}"})
    # JSON in plain ASCII is a script as it stands; "<" is written so that no "</script>" can ever stand in it.
    return f"var BOOK = {json.dumps(entries, indent=0).replace('<', chr(92) + 'u003c')};\n"
