"""A comparison of editions as Markdown, for minutes and discussions."""

from __future__ import annotations

from collections.abc import Iterator

from bridgelaws.compare.diff import Group
from bridgelaws.compare.report import NO_WITNESSES, ClauseTold, Report, StepTold, Witnesses, nothing_to_show
from bridgelaws.compare.telling import RuleTold, Told
from bridgelaws.pages.markdown import _plain as escaped

MOST_CASES = 10


def report_markdown(report: Report, *, everything: bool, witnesses: Witnesses = NO_WITNESSES) -> str:
    """The report; `everything` also lists the unchanged clauses, and every case. A witness is Markdown."""
    lines = [f"# What changed: {escaped(report.title)}", ""]
    lines += [f"- {escaped(report.pair(step))}: {report.summary(step)}" for step in range(len(report.labels) - 1)]
    for group, clauses in report.groups.items():
        if not clauses or (group is Group.unchanged and not everything):
            continue
        lines += ["", f"## {group.value.capitalize()}"]
        if group is Group.unchanged:
            lines += ["", *(f"- {escaped(f'{each.number} {each.title}'.rstrip())}" for each in clauses)]
            continue
        for clause in clauses:
            lines += _clause(clause, report, everything, witnesses)
    if nothing_to_show(report, everything=everything):
        lines += ["", "No clause differs."]
    return "\n".join(lines)


def _clause(clause: ClauseTold, report: Report, everything: bool, witnesses: Witnesses) -> Iterator[str]:
    two = len(report.labels) == 2
    label = f": {clause.steps[0].change.label}" if two else ""
    yield from ("", f"### {escaped(f'{clause.number} {clause.title}'.rstrip() + label)}", "")
    yield _table_row(each.heading for each in clause.columns)
    yield _table_row("---" for _ in clause.columns)
    yield _table_row(each.gist for each in clause.columns)
    for step in clause.steps:
        if not two:
            yield from ("", f"#### {escaped(f'{report.pair(step.number)}: {step.change.label}')}")
        yield from _step(step, everything)
        witness = witnesses.get((step.number, clause.history.clause.id))
        if witness:
            yield from ("", witness)


def _table_row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cell if cell == '---' else escaped(cell) for cell in cells)} |"


def _step(step: StepTold, everything: bool) -> Iterator[str]:
    told = step.told
    if told.rules or told.moved or told.words:
        yield ""
    yield from (f"- {escaped(each.text)}" for each in told.moved)
    for rule in told.rules:
        yield from _rule(rule)
    for words in told.words:
        yield from (f"- *{escaped(words.part)}*", *_changes(words))
    if not step.cases:
        return
    shown = step.cases if everything else step.cases[:MOST_CASES]
    yield from ("", f"Ruled differently ({len(step.cases)}):", "")
    for case in shown:
        yield f"- {escaped(case.title)} (`{str(case.path).replace('`', '')}`)"
        yield from (f"  - removed: {escaped(each)}" for each in case.before)
        yield from (f"  - added: {escaped(each)}" for each in case.after)
    if len(shown) < len(step.cases):
        yield f"- and {len(step.cases) - len(shown)} more"


def _rule(rule: RuleTold) -> Iterator[str]:
    yield f"- **{escaped(rule.name)}** ({escaped(rule.what)})"
    for part in rule.parts:
        yield from _changes(part)


def _changes(part: Told) -> Iterator[str]:
    word = f"*{part.part}* " if part.part in ("when", "unless", "then") else ""
    for label, text in (("removed", part.before), ("added", part.after)):
        if text:
            yield f"  - {label}: {word}{escaped(text)}"
