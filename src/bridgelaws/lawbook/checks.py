"""What must hold of the law as a whole, beyond the shape and the words of each file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bridgelaws.engine.stratify import NotStratified, stratify
from bridgelaws.errors import Diagnostic, nearest
from bridgelaws.lawbook.clauses import Clause
from bridgelaws.lawbook.editions import Edition, RuleInForce, provisions
from bridgelaws.lawbook.lowering import lower
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.located import Document, PathTo

Places = Mapping[str, tuple[Document, PathTo]]


def check_editions_of_clauses(clauses: Iterable[Clause], editions: Mapping[str, Edition]) -> list[Diagnostic]:
    """Every version belongs to an edition, no edition has two, and they stand oldest first."""
    problems: list[Diagnostic] = []
    for clause in clauses:
        earlier: str | None = None
        seen: set[str] = set()
        for version in clause.versions:
            path: PathTo = (*version.path, "since")
            if version.since not in editions:
                hint = nearest(version.since, editions)
                message = f"there is no edition '{version.since}'"
                problems.append(version.document.problem(path, message, hint, code="unknown-edition"))
                continue
            if version.since in seen:
                message = f"the edition '{version.since}' has a version already"
                problems.append(version.document.problem(path, message, code="version-twice"))
            elif earlier is not None and version.since in editions[earlier].line:
                message = f"the version since {version.since} stands after the one since {earlier}"
                hint = "put the oldest version first"
                problems.append(version.document.problem(path, message, hint, code="version-order"))
            seen.add(version.since)
            earlier = version.since
    return problems


def check_clauses(
    clauses: Sequence[Clause], editions: Mapping[str, Edition], vocabulary: Vocabulary
) -> list[Diagnostic]:
    """In every edition numbers are unique, and no exception depends on its own rule."""
    problems: list[Diagnostic] = []
    for edition in editions.values():
        numbers: dict[str, Clause] = {}
        found = provisions(clauses, edition)
        for each in found:
            other = numbers.setdefault(each.number, each.clause)
            if other is not each.clause:
                path: PathTo = (*each.version.path, "number")
                message = f"{each.number} is also the number of {other.id} in the {edition.name} edition"
                hint = "give each clause its own number"
                problems.append(each.version.document.problem(path, message, hint, code="number-twice"))
        rules = tuple(RuleInForce(each, rule) for each in found for rule in each.version.rules)
        problems += _check_strata(rules, edition, vocabulary)
    return problems


def _check_strata(rules: Sequence[RuleInForce], edition: Edition, vocabulary: Vocabulary) -> list[Diagnostic]:
    try:
        stratify(lower((each.rule for each in rules), vocabulary).rules)
    except NotStratified as wrong:
        first = rules[wrong.cycle[0]]
        following = rules[wrong.cycle[1 % len(wrong.cycle)]]
        made = {conclusion.kind for conclusion in following.rule.conclusions}
        place = next(pattern.path for patterns in first.rule.unless for pattern in patterns if pattern.kind in made)
        round_trip = (*dict.fromkeys(wrong.cycle), wrong.cycle[0])
        chain = " needs ".join(f"{rules[rule].number} '{rules[rule].rule.name}'" for rule in round_trip)
        message = f"an exception depends on its own rule in the {edition.name} edition: {chain}"
        hint = "conclude one more kind, so that what the exception reads is settled first"
        return [first.rule.document.problem(place, message, hint, at_key=True, code="cycle")]
    return []


def check_kinds(vocabulary: Vocabulary, places: Places) -> list[Diagnostic]:
    """Whatever a kind contradicts, or is chosen during, exists."""
    problems: list[Diagnostic] = []
    for name, kind in vocabulary.kinds.items():
        document, path = places[name]
        named: list[tuple[PathTo, str]] = [((*path, "contradicts", n), k) for n, k in enumerate(kind.contradicts)]
        named += [((*path, "during"), kind.during)] if kind.during else []
        for where, other in named:
            if other not in vocabulary:
                hint = nearest(other, vocabulary.kinds)
                problems.append(document.problem(where, f"'{other}' is no kind of fact", hint, code="unknown-kind"))
    return problems
