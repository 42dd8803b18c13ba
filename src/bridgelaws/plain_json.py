"""JSON that can be read in one way only, and how to tell what is wrong with any other.

Where nothing can be wrong, values are taken as they are, without their places; `located` finds those for a message.
"""

from __future__ import annotations

import json
import re
from typing import Any

from bridgelaws.errors import BridgelawsError, Diagnostic

MAX_DEPTH = 40
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})\Z")

_LARGEST = 10**18
# JSON escapes a character beyond U+FFFF, such as an emoji, as two halves; YAML wants it whole.
_PAIR = r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
# Half of such a pair may stand alone in JSON, and nowhere else.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_SPACES = str.maketrans(dict.fromkeys("\n\r\t", " "))


def strict_json(text: str) -> Any:
    """The value in a JSON text in which nothing can be wrong or read in two ways; `None` if it needs a closer look."""
    # Line ends and tabs can stand only between values: within a text, JSON forbids them.
    if not (text if text.isprintable() else text.translate(_SPACES)).isprintable() or _HALF.search(text):
        return None
    try:
        read = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    # Few brackets cannot be nested deeply.
    shallow = text.count("[") + text.count("{") <= MAX_DEPTH
    return read if shallow or _depth(read) <= MAX_DEPTH else None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a key stands there twice")
    return read


def _small(digits: str) -> int:
    return int(digits) if INTEGER.match(digits) else _refused(digits)


def _refused(text: str) -> Any:
    raise ValueError(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_each_once, parse_int=_small, parse_float=_refused, parse_constant=_refused
)


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def copied(value: Any, depth: int = MAX_DEPTH) -> Any:
    """A copy of plain values; a `ValueError` where there may be more to say of them."""
    kind = type(value)
    if kind is str:
        if not value.isprintable():
            raise ValueError
    elif kind is dict:
        if not depth or not all(type(key) is str and key.isprintable() for key in value):
            raise ValueError
        return {key: copied(each, depth - 1) for key, each in value.items()}
    elif kind is list:
        if not depth:
            raise ValueError
        return [copied(each, depth - 1) for each in value]
    elif kind is int:
        if not -_LARGEST < value < _LARGEST:
            raise ValueError
    elif kind is not bool and value is not None:
        raise ValueError
    return value


def check_json(text: str, name: str, error: type[BridgelawsError]) -> None:
    """Raise an error that says where the text is no JSON."""
    try:
        json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        message = f"this is not JSON: {problem.msg[0].lower()}{problem.msg[1:]}"
        raise error(Diagnostic(message, name, problem.lineno, problem.colno)) from None
    except RecursionError:
        raise error(Diagnostic(f"the text is nested deeper than {MAX_DEPTH} levels", name)) from None
    except ValueError as problem:
        raise error(Diagnostic(f"this is not JSON: {problem}", name)) from None


def as_yaml(text: str) -> str:
    """JSON in a form that YAML reads, with everything at the same place."""
    # JSON may be indented with tabs, which YAML forbids; a space is as wide.
    return re.sub(_PAIR, _one_escape, text.replace("\t", " "))


def _one_escape(pair: re.Match[str]) -> str:
    character = 0x10000 + ((int(pair[2], 16) & 0x3FF) << 10) + (int(pair[3], 16) & 0x3FF)
    return f"{pair[1]}\\U{character:08X}"


def _no_constant(word: str) -> None:
    raise ValueError(f"'{word}' is not a value")
