"""The page of a clause: its number in each edition, what each edition says, and its cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from bridgelaws.lawbook.clauses import Clause, LawRule, Version
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.referents import joined
from bridgelaws.lawbook.sentences import Sentence
from bridgelaws.lawbook.wording import rule_lines
from bridgelaws.pages.contents import Contents, Example
from bridgelaws.pages.html import Html, page, suited, tag, together


def clause_page(clause: Clause, contents: Contents, examples: Sequence[Html]) -> str:
    root = "../" * clause.id.count("/")
    number, title = contents.heading(clause)
    law = tag("a", law_title(clause.law), href=f"{root}{contents.law_address(clause.law)}")
    body = [
        tag("nav", tag("a", "All laws", href=f"{root}index.html"), " › ", law, class_="trail"),
        tag("h1", tag("span", number, class_="number"), " ", title),
        _numbers(clause, contents),
        *_versions(clause, contents, root),
        _references(clause, contents, root),
    ]
    if examples:
        heading = "One example" if len(examples) == 1 else f"{len(examples)} examples"
        body += [tag("h2", heading, id="examples"), *examples]
    body += [_also(contents.also_in(clause), contents, root), _neighbours(clause, contents, root)]
    return page(f"{number} {title}".rstrip(), root, *body)


def _numbers(clause: Clause, contents: Contents) -> Html:
    numbers = [(edition, contents.number(clause, edition)) for edition in contents.law.editions]
    chips = [
        tag("li", tag("small", edition), " ", number or "–", class_=None if number else "none")
        for edition, number in numbers
    ]
    return tag("ul", *chips, class_="numbers", aria_label="Its number in each edition")


def _versions(clause: Clause, contents: Contents, root: str) -> Iterator[Html]:
    """The versions, newest first; a rule that a newer version shows is not shown again."""
    newer: Version | None = None
    for place in range(len(clause.versions) - 1, -1, -1):
        version = clause.versions[place]
        older = clause.versions[place - 1] if place else None
        editions = contents.in_force(clause, version)
        if version.repealed:
            yield tag("section", tag("h2", f"Since {version.since}"), tag("p", "Repealed: there is no such clause."))
            continue
        heading = "In every edition" if len(editions) == len(contents.law.editions) else f"In {joined(editions)}"
        if not editions:
            heading = f"Since {version.since}"
        changed = newer is not None and newer.number != version.number
        yield tag(
            "section",
            tag("h2", heading, tag("small", f" as {version.number}") if changed else None),
            tag("p", suited(version.gist), class_="gist") if version.gist else None,
            *_remarks(version),
            *_rules(version, newer, older, contents),
            _see(clause, version, contents, root),
            class_="version",
            id=_anchor(version),
        )
        newer = version


def _anchor(version: Version) -> str:
    return f"since-{quote(version.since, safe='')}"


def _remarks(version: Version) -> Iterator[Html]:
    if version.no_rules:
        yield tag("p", tag("b", "No rules. "), suited(version.no_rules), class_="note")
    if version.confidence == "reading":
        yield tag(
            "p", tag("b", "Reading. "), "The best reading of a text that was not seen or leaves doubt.", class_="note"
        )
    if version.note:
        yield tag("p", tag("b", "Note. "), suited(version.note), class_="note")
    if version.advice:
        yield tag("p", tag("b", "Advice. "), suited(version.advice), class_="advice")


def _rules(version: Version, newer: Version | None, older: Version | None, contents: Contents) -> Iterator[Html]:
    sentences = contents.sentences(version)
    shown_above = {each.text for each in contents.sentences(newer)} if newer else set()
    before = {each.text for each in contents.sentences(older)} if older and not older.repealed else None
    fresh = [(each, rule) for each, rule in zip(sentences, version.rules, strict=True) if each.text not in shown_above]
    if fresh:
        rows = (_rule(each, rule, contents, new=before is not None and each.text not in before) for each, rule in fresh)
        yield tag("ol", *rows, class_="rules")
    again = [each.name for each in sentences if each.text in shown_above]
    if newer and again:
        where = tag("a", newer.since, href=f"#{_anchor(newer)}")
        lead = "The rules are those of " if not fresh else "The other rules are those of "
        names = tag("span", f": {'; '.join(again)}.") if fresh else together(".")
        yield tag("p", lead, where, names, class_="same")


def _rule(sentence: Sentence, rule: LawRule, contents: Contents, *, new: bool) -> Html:
    exact = "\n".join("  " * indent + line for indent, line in rule_lines(rule, contents.law.vocabulary))
    exceptions = [
        tag("li", tag("b", "unless "), suited(f"{each}{_stop(n, sentence.unless)}"))
        for n, each in enumerate(sentence.unless)
    ]
    return tag(
        "li",
        tag("h4", sentence.name, tag("small", "new or changed", class_="new") if new else None),
        tag("p", suited(sentence.main + ("," if exceptions else "."))),
        tag("ul", *exceptions, class_="unless") if exceptions else None,
        tag("details", tag("summary", "exact conditions"), tag("pre", exact), class_="exact"),
    )


def _stop(place: int, texts: Sequence[str]) -> str:
    return "." if place == len(texts) - 1 else ", or"


def _see(clause: Clause, version: Version, contents: Contents, root: str) -> Html | None:
    if not version.see:
        return None
    links = [
        tag("a", number, href=f"{root}{contents.address(found)}", title=found.title) if found else together(number)
        for number, found in contents.seen(clause, version)
    ]
    return tag("p", tag("b", "See "), *_with_commas(links), class_="see")


def _with_commas(parts: Sequence[Html]) -> Iterator[Html]:
    for place, part in enumerate(parts):
        yield part if not place else together(", ", part)


def _references(clause: Clause, contents: Contents, root: str) -> Html | None:
    rows = [
        ("Referred to by", contents.pointing_to(clause)),
        ("Rests on what is concluded in", contents.rests_on(clause)),
        ("What it concludes is used in", contents.used_by(clause)),
    ]
    shown = [
        tag("p", tag("b", f"{label} "), *_with_commas(_links(found, contents, root))) for label, found in rows if found
    ]
    return tag("section", *shown, class_="references") if shown else None


def _links(clauses: Iterable[Clause], contents: Contents, root: str) -> list[Html]:
    return [
        tag("a", contents.latest_number(each), href=f"{root}{contents.address(each)}", title=each.title)
        for each in clauses
    ]


def _also(examples: Sequence[Example], contents: Contents, root: str) -> Html | None:
    rows = [
        tag("li", tag("a", suited(each.title), href=f"{root}{example_address(each, contents)}")) for each in examples
    ]
    return tag("section", tag("h2", "It also bears on"), tag("ul", *rows), class_="also") if rows else None


def example_address(example: Example, contents: Contents) -> str:
    place = contents.address(example.home) if example.home else "other-cases.html"
    return f"{place}#{example.anchor}"


def _neighbours(clause: Clause, contents: Contents, root: str) -> Html:
    order = contents.law.clauses
    place = order.index(clause)
    links: list[Html] = []
    for step, arrow in ((-1, "← {}"), (1, "{} →")):
        if 0 <= place + step < len(order):
            other = order[place + step]
            said = arrow.format(" ".join(contents.heading(other)).rstrip())
            links.append(tag("a", said, href=f"{root}{contents.address(other)}", rel="prev" if step < 0 else "next"))
    return tag("nav", *links, class_="neighbours")
