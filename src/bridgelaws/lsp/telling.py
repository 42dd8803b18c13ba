"""What to tell about a word under the cursor: a kind, a field, a value or a clause, in a few lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from bridgelaws.lawbook.clauses import LawRule
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.types import FieldType
from bridgelaws.lawbook.vocabulary import SOURCES, Field, Kind
from bridgelaws.located import scalar_text
from bridgelaws.lsp.numbers import Numbered, clauses_numbered, in_force

_MOST_VALUES = 14
_CONCLUDED = {"then": "Concluded by", "offer": "Offered by", "ask": "Asked for by"}


def about_kind(law: Law, name: str) -> str:
    kind = law.vocabulary.kinds.get(name)
    if kind is None:
        return ""
    lines = [f"**{name}** ({kind.source}: {SOURCES[kind.source]})", kind.means]
    lines += ["\n".join(f"- {_field_line(each)}" for each in kind.fields.values())] if kind.fields else []
    uses = in_force(law)
    for section, words in _CONCLUDED.items():
        lines += _line(words, _numbers(law, uses, name, section))
    lines += _line("Read by", _numbers(law, uses, name, "when"))
    return "\n\n".join(lines)


def about_field(law: Law, kind: str, name: str) -> str:
    field = law.vocabulary.kinds[kind].fields.get(name) if kind in law.vocabulary else None
    if field is None:
        return ""
    values = "\n".join(f"- `{value}`: {phrase}" for value, phrase in field.type.phrases.items())
    default = f"If nobody says: {scalar_text(field.default)}" if field.default is not None else ""
    judgement = "The answer is the Director's judgement." if field.judgement else ""
    lines = [f"**{kind}.{name}**: {_type_words(field.type)}", field.means, field.ask, values, default, judgement]
    return "\n\n".join(line for line in lines if line)


def about_value(law: Law, kind: str, field: str, word: str) -> str:
    found = first_or_named(law.vocabulary.kinds.get(kind), field)
    phrase = found.type.phrases.get(word) if found is not None else None
    return f"`{word}`: {phrase}" if phrase else ""


def first_or_named(kind: Kind | None, field: str) -> Field | None:
    """The field of a kind; without a name, its first, as a regulation in a case is written."""
    if kind is None:
        return None
    return kind.fields.get(field) if field else next(iter(kind.fields.values()), None)


def about_clause(law: Law, number: str) -> str:
    """Title and gist of every clause with the number, with the editions in which it has it."""
    parts: list[str] = []
    told = ""
    for each in clauses_numbered(law, number):
        heading = f"**{each.version.number}** {each.clause.title}"
        if heading != told:
            parts.append(heading)
            told = heading
        parts.append(f"- {', '.join(each.editions)}: {' '.join(each.version.gist.split())}")
    return "\n\n".join(parts)


def about_edition(law: Law, name: str) -> str:
    return f"**{name}** {law.editions[name].title}" if name in law.editions else ""


def _field_line(field: Field) -> str:
    words = field.means or field.ask
    return f"`{field.name}`: {_type_words(field.type)}" + (f". {words}" if words else "")


def _type_words(kind: FieldType) -> str:
    if kind.name != "one_of":
        return kind.noun
    values = [str(value) for value in kind.domain]
    return "one of " + ", ".join(values[:_MOST_VALUES]) + (", …" if len(values) > _MOST_VALUES else "")


def _line(words: str, numbers: list[str]) -> list[str]:
    return [f"{words} {', '.join(numbers)}"] if numbers else []


def _numbers(law: Law, uses: list[Numbered], kind: str, section: str) -> list[str]:
    """The clauses with a rule that names the kind there; those that the latest edition no longer has say when."""
    editions: dict[str, list[str]] = {}
    for each in uses:
        if any(kind in _kinds(rule, section) for rule in each.version.rules):
            editions.setdefault(each.version.number, []).extend(each.editions)
    return [
        number if law.latest in found else f"{number} ({', '.join(name for name in law.editions if name in found)})"
        for number, found in editions.items()
    ]


def _kinds(rule: LawRule, section: str) -> Iterator[str]:
    if section == "when":
        yield from (pattern.kind for patterns in (rule.when, *rule.unless) for pattern in patterns)
    else:
        concluded = {"then": rule.then, "offer": rule.offer, "ask": rule.ask}[section]
        yield from (conclusion.kind for conclusion in concluded)
