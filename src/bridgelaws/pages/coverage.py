"""Coverage as one page: laws and clauses with their counts, and behind each clause its rules with their cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridgelaws.casebook.coverage import EditionCoverage, RuleCoverage
from bridgelaws.casebook.running import ReadCase
from bridgelaws.casebook.tallies import ClauseRow, Tally, rows_by_law, tally, unreached
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.referents import joined
from bridgelaws.pages.html import Html, page_alone, suited, tag, together

TITLE = "What the cases reach"
# Some rules fire in nearly every case; a page that named them all each time would be too large to mail.
MOST_NAMED = 12


def coverage_page(law: Law, measured: Sequence[EditionCoverage], cases: Sequence[ReadCase]) -> str:
    """The whole page, with its style in it: it can be mailed and opened anywhere."""
    titles = {each.path: each.case.title or each.path.stem for each in cases if each.case is not None}
    folder = Path(__file__).parent
    style = "".join((folder / name).read_text(encoding="utf-8") for name in ("book.css", "coverage.css"))
    sheet = _Sheet(tuple(each.edition for each in measured), titles)
    about = (
        f"{len(cases)} case{'' if len(cases) == 1 else 's'}. For each clause and edition: how many of its rules some "
        "case fires, and how many of its exceptions some case makes hold. Open a clause to see which cases."
    )
    body = [
        tag("h1", TITLE),
        tag("p", about, class_="note"),
        _unreached(measured),
        tag("div", tag("span"), *map(_heading, sheet.editions), class_="head"),
        *(_law(name, rows, sheet) for name, rows in rows_by_law(law, measured)),
        sheet.row("all", tag("span", "All"), {each.edition: tally(each.rules) for each in measured}),
    ]
    return page_alone(TITLE, style, tag("div", *body, style=f"--editions: {len(measured)}"))


@dataclass(frozen=True)
class _Sheet:
    """What every row needs: the editions, a column each, and what the cases are called."""

    editions: tuple[str, ...]
    titles: Mapping[Path, str]

    def row(self, name: str, label: Html, tallies: Mapping[str, Tally | None], element: str = "div") -> Html:
        cells = (_cell(each, tallies.get(each)) for each in self.editions)
        return tag(element, label, *cells, class_=name)


def _heading(edition: str) -> Html:
    return tag("div", tag("b", edition), tag("div", tag("span", "rules"), tag("span", "unless")), class_="cell")


def _cell(edition: str, counted: Tally | None) -> Html:
    label = tag("small", edition)
    if counted is None:
        return tag("div", label, "–", class_="cell none", title=f"{edition} has no such clause")
    if not counted.rules:
        return tag("div", label, "no rules", class_="cell none")
    told = f"{edition}: {counted.fired} of {counted.rules} rules, {counted.held} of {counted.exceptions} exceptions"
    exceptions = f"{counted.held}/{counted.exceptions}" if counted.exceptions else ""
    return tag(
        "div",
        label,
        _number(f"{counted.fired}/{counted.rules}", counted.fired < counted.rules),
        _number(exceptions, counted.held < counted.exceptions),
        class_="cell",
        title=told,
    )


def _number(text: str, short: bool) -> Html:
    return tag("span", text, class_="gap" if short else None)


def _unreached(measured: Sequence[EditionCoverage]) -> Html:
    found = unreached(measured)
    if not found:
        return tag("p", "Every rule is fired and every exception holds in some case.")
    rows = [
        tag(
            "li",
            tag("span", each.number, class_="number"),
            f" {each.rule}",
            f": unless {each.exception}" if each.exception else None,
            tag("small", f" in {joined(each.editions)}"),
        )
        for each in found
    ]
    return tag("section", tag("h2", f"What no case reaches ({len(found)})"), tag("ul", *rows), class_="unreached")


def _law(name: str, rows: Sequence[ClauseRow], sheet: _Sheet) -> Html:
    sums = {
        edition: sum((row.tally(edition) or Tally() for row in rows), Tally())
        for edition in sheet.editions
        if any(edition in row.rules for row in rows)
    }
    return tag("section", sheet.row("law", tag("h2", law_title(name)), sums), *(_clause(row, sheet) for row in rows))


def _clause(row: ClauseRow, sheet: _Sheet) -> Html:
    title = row.heading.removeprefix(row.number)
    label = tag("span", tag("span", row.number, class_="number"), suited(title), class_="name")
    tallies = {edition: row.tally(edition) for edition in sheet.editions}
    cells = (_cell(edition, tallies[edition]) for edition in sheet.editions)
    inside = [tag("p", f"No rules: {row.why_none}", class_="note")] if row.why_none else list(_editions(row, sheet))
    return tag(
        "details", tag("summary", label, *cells), tag("div", *inside, class_="inside"), class_="clause", id=row.id
    )


def _editions(row: ClauseRow, sheet: _Sheet) -> Iterator[Html]:
    """The rules, once for editions in which they have the same counts and cases."""
    groups: list[tuple[list[str], tuple[RuleCoverage, ...]]] = []
    for edition, rules in row.rules.items():
        if groups and groups[-1][1] == rules:
            groups[-1][0].append(edition)
        else:
            groups.append(([edition], rules))
    for editions, rules in reversed(groups):
        yield tag("h4", f"In {joined(editions)}")
        yield tag("ul", *(_rule(each, sheet) for each in rules))


def _rule(rule: RuleCoverage, sheet: _Sheet) -> Html:
    exceptions = [
        tag("li", tag("b", "unless "), each.text, " ", _cases(each.cases, sheet, "it holds in no case"))
        for each in rule.exceptions
    ]
    told = together(rule.rule, " ", _cases(rule.cases, sheet, "no case fires it"))
    return tag("li", told, tag("ul", *exceptions, class_="unless") if exceptions else None)


def _cases(paths: Iterable[Path], sheet: _Sheet, none: str) -> Html:
    names = [sheet.titles[path] for path in paths]
    if not names:
        return tag("span", none, class_="gap")
    rest = len(names) - MOST_NAMED
    listed = tag(
        "ol",
        *(tag("li", suited(name)) for name in names[:MOST_NAMED]),
        tag("li", f"and {rest} more") if rest > 0 else None,
    )
    return tag("details", tag("summary", f"{len(names)} case{'' if len(names) == 1 else 's'}"), listed)
