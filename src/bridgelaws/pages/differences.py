"""A comparison of editions as one page for a browser, which needs no other file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from bridgelaws.compare.diff import Group
from bridgelaws.compare.impact import ChangedCase
from bridgelaws.compare.report import ClauseTold, Report, StepTold, nothing_to_show
from bridgelaws.compare.telling import RuleTold, Told
from bridgelaws.compare.words import Marked, differing_words
from bridgelaws.pages.html import Html, suited, tag, together

# By the number of the step and the file of the clause, as `report.Witnesses`, but HTML.
HtmlWitnesses = dict[tuple[int, str], Html]
ABOUT = (
    "Made by bridgelaws from its rule files. The words are ours: the published Laws are the authority. "
    "A clause is followed by its rules that differ; what was there before is marked with −, what is there now with +."
)


def report_page(report: Report, *, everything: bool, witnesses: HtmlWitnesses | None = None) -> str:
    """The page; `everything` also lists the unchanged clauses. A witness is shown below the clause it is about."""
    title = f"What changed: {report.title}"
    shown = {group: clauses for group, clauses in report.groups.items() if group is not Group.unchanged and clauses}
    steps = range(len(report.labels) - 1)
    body = [
        tag("h1", title),
        tag("ul", *(tag("li", f"{report.pair(n)}: {report.summary(n)}") for n in steps), class_="summary"),
        *(_contents(group, clauses) for group, clauses in shown.items()),
    ]
    if nothing_to_show(report, everything=everything):
        body.append(tag("p", "No clause differs."))
    for group, clauses in shown.items():
        body += [tag("h2", group.value.capitalize())]
        body += [_clause(each, report, witnesses or {}) for each in clauses]
    if everything:
        body += _unchanged(report.groups[Group.unchanged])
    main = tag("main", *body, class_="three" if len(report.labels) > 2 else None)
    return _document(title, tag("body", main, tag("footer", ABOUT)))


def _document(title: str, body: Html) -> str:
    head = together(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
    )
    # INVARIANT: the stylesheets are our own files and hold no "</style".
    folder = Path(__file__).parent
    style = "".join((folder / name).read_text(encoding="utf-8") for name in ("book.css", "differences.css"))
    return f'<!doctype html>\n<html lang="en"><head>{head}<style>\n{style}</style></head>{body}</html>'


def _contents(group: Group, clauses: Sequence[ClauseTold]) -> Html:
    links = [tag("a", each.number, href=f"#{_anchor(each)}", title=each.history.clause.title) for each in clauses]
    return tag("p", tag("b", f"{group.value.capitalize()}: "), *links, class_="contents")


def _anchor(clause: ClauseTold) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", clause.history.clause.id)


def _unchanged(clauses: Sequence[ClauseTold]) -> Iterator[Html]:
    if clauses:
        rows = (tag("li", tag("span", each.number, class_="number"), " ", each.title) for each in clauses)
        yield tag("h2", Group.unchanged.value.capitalize())
        yield tag("ul", *rows, class_="clauses")


def _clause(clause: ClauseTold, report: Report, witnesses: HtmlWitnesses) -> Html:
    two = len(report.labels) == 2
    parts: list[Html | None] = [
        tag(
            "h3",
            tag("span", clause.number, class_="number"),
            f" {clause.title}" if clause.title else None,
            tag("small", clause.steps[0].change.label) if two else None,
        ),
        _gists(clause),
    ]
    for step in clause.steps:
        if not two:
            parts.append(tag("h5", f"{report.pair(step.number)}: {step.change.label}"))
        parts += _step(step, report)
        parts.append(witnesses.get((step.number, clause.history.clause.id)))
    return tag("article", *parts, class_="difference", id=_anchor(clause))


def _gists(clause: ClauseTold) -> Html:
    columns = clause.columns
    texts = [suited(each.gist) for each in columns]
    if len(columns) == 2 and all(each.number for each in columns):
        old, new = differing_words(columns[0].gist, columns[1].gist)
        texts = [_words(old, "del"), _words(new, "ins")]
    cells = [
        tag("div", tag("p", each.heading, class_="label"), tag("p", text))
        for each, text in zip(columns, texts, strict=True)
    ]
    return _cells(cells)


def _cells(cells: Sequence[Html]) -> Html:
    return tag("div", *cells, class_="cells", style=f"--columns: {len(cells)}")


def _words(words: Marked, name: str) -> Html:
    """The words, those that differ in an element of this name; neighbours share one."""
    runs: list[tuple[bool, list[str]]] = []
    for word, differs in words:
        if runs and runs[-1][0] == differs:
            runs[-1][1].append(word)
        else:
            runs.append((differs, [word]))
    parts = [tag(name, suited(" ".join(run))) if differs else suited(" ".join(run)) for differs, run in runs]
    return together(*(part if not place else together(" ", part) for place, part in enumerate(parts)))


def _step(step: StepTold, report: Report) -> Iterator[Html]:
    labels = report.labels[step.number : step.number + 2]
    for moved in step.told.moved:
        yield tag("p", moved.text, class_="note")
    for rule in step.told.rules:
        yield _rule(rule, labels)
    if step.told.words:
        rows = [part for each in step.told.words for part in (tag("h4", each.part), _pair(each, labels))]
        yield tag("details", tag("summary", "Notes and references that differ"), *rows)
    if step.cases:
        count = len(step.cases)
        said = "1 case is ruled differently" if count == 1 else f"{count} cases are ruled differently"
        yield tag("details", tag("summary", said), *(_case(each, labels) for each in step.cases))


def _rule(rule: RuleTold, labels: Sequence[str]) -> Html:
    whole = None
    if rule.before and rule.after and all(part.part != "rule" for part in rule.parts):
        both = _pair(Told("rule", rule.before, rule.after), labels)
        whole = tag("details", tag("summary", "the whole rule"), both)
    rows = (_pair(part, labels) for part in rule.parts)
    return tag("section", tag("h4", rule.name, tag("small", rule.what)), *rows, whole, class_="rule")


def _pair(part: Told, labels: Sequence[str]) -> Html:
    """How it was and how it is, beside each other; on a phone, below each other, with the edition over each."""
    word = part.part if part.part in ("when", "unless", "then") else ""
    old, new = differing_words(part.before, part.after)
    if not (part.before and part.after):
        old, new = tuple((each, False) for each, _ in old), tuple((each, False) for each, _ in new)
    return _cells([_cell(old, "gone", "−", word, labels[0]), _cell(new, "come", "+", word, labels[1])])


def _cell(words: Marked, what: str, sign: str, word: str, label: str) -> Html:
    if not words:
        return tag("div", class_="empty")
    lead = tag("span", f"{word} ", class_="word") if word else None
    text = _words(words, "del" if what == "gone" else "ins")
    here = tag("p", label, class_="label here")
    return tag("div", here, tag("p", tag("span", sign, class_="sign"), lead, text), class_=what)


def _case(case: ChangedCase, labels: Sequence[str]) -> Html:
    rows = (_pair(Told("line", *texts), labels) for texts in zip_longest(case.before, case.after, fillvalue=""))
    return tag(
        "div", tag("p", suited(case.title), " ", tag("span", str(case.path), class_="path")), *rows, class_="case"
    )
