"""What changed from edition to edition, clause by clause, as a page made from the clause files alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bridgelaws.lawbook.clauses import Clause, Version
from bridgelaws.lawbook.describing import law_title
from bridgelaws.lawbook.law import Law


def editions_page(law: Law) -> str:
    """The page in Markdown: for each law the clauses that changed, with what each edition says, then the others."""
    first = next(iter(law.editions))
    lines = [
        "# What changed from edition to edition",
        "",
        "Made from the clause files by `bridgelaws editions`; the words are ours, not the published ones.",
        "*Reading* marks the best reading of a text that was not seen or is unsure.",
    ]
    for name, clauses in groupby(law.clauses, key=lambda clause: clause.law):
        lines += ["", f"## {law_title(name)}", *_law_lines(list(clauses), first)]
    return "\n".join(lines) + "\n"


def _law_lines(clauses: Sequence[Clause], first: str) -> Iterator[str]:
    changed = [clause for clause in clauses if len(clause.versions) > 1 or clause.versions[0].since != first]
    for clause in changed:
        yield ""
        yield f"### {clause.versions[-1].number} {clause.title}"
        yield ""
        if clause.versions[0].since != first:
            yield f"- before {clause.versions[0].since}: no such clause"
        for earlier, version in zip((None, *clause.versions), clause.versions, strict=False):
            yield f"- {_told(version, earlier)}"
    same = [clause.versions[0].number for clause in clauses if clause not in changed]
    if same:
        yield ""
        yield f"The same in every edition: {', '.join(same)}."


def _told(version: Version, earlier: Version | None) -> str:
    if version.repealed:
        return f"**{version.since}**: repealed"
    number = f" as {version.number}" if earlier is None or version.number != earlier.number else ""
    same = " (the same, in other words or with other references)" if earlier and _same_rules(version, earlier) else ""
    reading = " *Reading.*" if version.confidence == "reading" else ""
    return f"**{version.since}**{number}{same}: {version.gist}{reading}"


def _same_rules(version: Version, earlier: Version) -> bool:
    return [rule.written for rule in version.rules] == [rule.written for rule in earlier.rules]
