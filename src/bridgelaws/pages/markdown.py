"""A clause as Markdown, for minutes and discussions: what each edition says, and its rules in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bridgelaws.lawbook.clauses import Clause, Version
from bridgelaws.lawbook.sentences import rule_sentence
from bridgelaws.lawbook.vocabulary import Vocabulary

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def clause_markdown(clause: Clause, versions: Sequence[Version], vocabulary: Vocabulary) -> str:
    lines = [f"# {_plain(clause.title)}"]
    for version in versions:
        lines += ["", *_version(version, vocabulary)]
    return "\n".join(lines) + "\n"


def _version(version: Version, vocabulary: Vocabulary) -> Iterator[str]:
    yield f"## {_plain(version.number)}, since {_plain(version.since)}{' (repealed)' if version.repealed else ''}"
    reading = "the best reading of an unsure text" if version.confidence == "reading" else ""
    remarks = {
        "": version.gist,
        "No rules": version.no_rules,
        "Confidence": reading,
        "Note": version.note,
        "Advice": version.advice,
        "See": ", ".join(version.see),
    }
    for label, text in remarks.items():
        if text:
            yield ""
            yield f"*{label}:* {_plain(text)}" if label else _plain(text)
    if version.rules:
        yield ""
    for rule in version.rules:
        sentence = rule_sentence(rule, vocabulary)
        yield f"- **{_plain(sentence.name)}.** {_plain(sentence.text)}"


def _plain(text: str) -> str:
    """The text with everything escaped that Markdown or HTML would take for a sign."""
    return _SPECIAL.sub(r"\\\1", text)
