"""What the law consists of, as JSON: its editions, its kinds of fact and its clauses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bridgelaws.errors import UsageError, nearest
from bridgelaws.lawbook.clauses import Clause, Version
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.sentences import rule_sentence
from bridgelaws.lawbook.vocabulary import NOW, Field, Kind
from bridgelaws.lawbook.wording import rule_lines

FORMAT = 1


def editions_json(law: Law) -> dict[str, Any]:
    """The editions, oldest first, each with the one that it follows."""
    editions = [
        {"name": each.name, "title": each.title, "follows": each.line[1] if len(each.line) > 1 else None}
        for each in law.editions.values()
    ]
    return {"format": FORMAT, "latest": law.latest, "editions": editions}


def law_title(folder: str) -> str:
    """`Law 50: penalty card` for the folder `50-penalty-card`."""
    number, _, words = folder.partition("-")
    title = words.replace("-", " ")
    if not number.isdigit():
        return folder.replace("-", " ").capitalize()
    return f"Law {int(number)}: {title}" if int(number) else title.capitalize()


def vocabulary_json(law: Law) -> dict[str, Any]:
    """Every kind of fact, in the order of the vocabulary: what it may say, and how that is asked for."""
    return kinds_json(law.vocabulary.kinds.values())


def kinds_json(kinds: Iterable[Kind]) -> dict[str, Any]:
    return {"format": FORMAT, "kinds": [_kind_json(kind) for kind in kinds]}


def _kind_json(kind: Kind) -> dict[str, Any]:
    fields = [_field_json(each) for each in kind.fields.values()]
    return {"name": kind.name, "source": kind.source, "means": kind.means, "chooser": kind.chooser, "fields": fields}


def _field_json(field: Field) -> dict[str, Any]:
    default = field.default if field.default is None or field.default == NOW else field.type.written(field.default)
    return {
        "name": field.name,
        "type": field.type.name,
        "means": field.means,
        "ask": field.ask,
        "judgement": field.judgement,
        "optional": field.may_be_left_open,
        "default": default,
        "values": dict(field.type.phrases),
    }


def contents_json(law: Law, edition: str | None = None) -> dict[str, Any]:
    """Every clause, of one edition or of all, without its rules."""
    shown = [(clause, versions_shown(clause, law, edition)) for clause in law.clauses]
    keys = ("since", "number", "repealed", "gist")
    clauses = [
        {
            "id": clause.id,
            "title": clause.title,
            "versions": [{key: getattr(version, key) for key in keys} for version in versions],
        }
        for clause, versions in shown
        if versions
    ]
    return {"format": FORMAT, "clauses": clauses}


def clauses_json(clauses: Iterable[Clause], law: Law, edition: str | None = None) -> dict[str, Any]:
    """What `bridgelaws show --format json` prints."""
    return {"format": FORMAT, "clauses": [_clause_json(each, law, edition) for each in clauses]}


def clauses_named(law: Law, wanted: str, edition: str | None) -> list[Clause]:
    """The clauses with this number in any edition, or of this file; a usage error that suggests the nearest if none."""
    if edition is not None:
        return [law.edition(edition).provision(wanted).clause]
    plain = wanted.replace(" ", "").lower()
    found = [
        clause
        for clause in law.clauses
        if clause.id.lower() == plain or any(v.number.replace(" ", "").lower() == plain for v in clause.versions)
    ]
    if not found:
        numbers = {version.number for clause in law.clauses for version in clause.versions}
        raise UsageError(f"no edition has a clause '{wanted}'", nearest(wanted, numbers))
    return found


def versions_shown(clause: Clause, law: Law, edition: str | None) -> tuple[Version, ...]:
    """The version that an edition has, or all of them."""
    if edition is None:
        return clause.versions
    return tuple(each.version for each in law.edition(edition).provisions if each.clause is clause)


def _clause_json(clause: Clause, law: Law, edition: str | None) -> dict[str, Any]:
    return {
        "id": clause.id,
        "title": clause.title,
        "versions": [
            {
                "since": version.since,
                "number": version.number,
                "repealed": version.repealed,
                "gist": version.gist,
                "see": list(version.see),
                "confidence": version.confidence,
                "note": version.note,
                "advice": version.advice,
                "no_rules": version.no_rules,
                "rules": [
                    {
                        "name": rule.name,
                        "sentence": rule_sentence(rule, law.vocabulary).text,
                        "exact": [text for _, text in rule_lines(rule, law.vocabulary)],
                    }
                    for rule in version.rules
                ],
            }
            for version in versions_shown(clause, law, edition)
        ],
    }
