"""Write single values: plain where that is safe, quoted where it is not, folded where they are long."""

from __future__ import annotations

import json
import re

from bridgelaws.formatting.shapes import Quotes

WIDTH = 120

Value = str | int | bool | None

# What YAML 1.2 takes for something other than text, among it clause numbers such as 45E1.
_NOT_TEXT_ELSEWHERE = re.compile(
    r"true|True|TRUE|false|False|FALSE|null|Null|NULL|~|<<|=|"
    r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|"
    r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_SPECIAL_START = re.compile(r"[-?:,\[\]{}#&*!|>'\"%@`]|\.\.\.")
_SPECIAL_INSIDE = re.compile(r":( |$)| #")
_SPECIAL_IN_BRACES = re.compile(r"[,\[\]{}:]")
_UNPRINTABLE = re.compile(r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_GAP = re.compile(r"(?<=[^ ]) (?=[^ ])")


def one_line(value: Value, quotes: Quotes = Quotes.NEEDED, *, in_braces: bool = False) -> str:
    """The value on one line."""
    if not isinstance(value, str):
        return "null" if value is None else json.dumps(value)
    wanted = quotes is Quotes.ALWAYS or (quotes is Quotes.WITH_BRACES and "{" in value)
    return _quoted(value) if wanted or _needs_quotes(value, in_braces) else value


def several_lines(text: str) -> tuple[str, list[str]] | None:
    """A long text as the mark that opens it and its lines; none if only quotes can hold it."""
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    if ends > 1 or not body or body[0] == " " or _UNPRINTABLE.search(body):
        return None
    mark = "" if ends else "-"
    if "\n" not in body:
        return None if body[-1] == " " else (f">{mark}", [body])
    lines = body.split("\n")
    return None if any(line and not line.strip() for line in lines) or not lines[0] else (f"|{mark}", lines)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines that fold back into it: broken only at single spaces."""
    lines: list[str] = []
    for word in _GAP.split(text):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _needs_quotes(text: str, in_braces: bool) -> bool:
    return bool(
        not text
        or text != text.strip()
        or "\n" in text
        or _NOT_TEXT_ELSEWHERE.fullmatch(text)
        or _SPECIAL_START.match(text)
        or _SPECIAL_INSIDE.search(text)
        or _UNPRINTABLE.search(text)
        or (in_braces and _SPECIAL_IN_BRACES.search(text))
    )


def _quoted(text: str) -> str:
    if ('"' in text or "\\" in text) and "'" not in text and "\n" not in text and not _UNPRINTABLE.search(text):
        return f"'{text}'"
    escaped = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04X}", escaped)
