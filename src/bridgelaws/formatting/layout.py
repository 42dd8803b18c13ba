"""Lay out one file, and prove that the result says the same with the same comments before anyone gets it."""

from __future__ import annotations

import json
from typing import Any

from bridgelaws.errors import Diagnostic, LawError
from bridgelaws.formatting.shapes import Shape, shape_of
from bridgelaws.formatting.tree import Entry, arrange, read_tree
from bridgelaws.formatting.writing import written
from bridgelaws.located import read_text


def laid_out_here(data: Any) -> bool:
    """Whether this is a file of the law or a case, and not some other YAML."""
    return _shape(data) is not None


def formatted(text: str, name: str) -> str:
    """The text in the one layout; a `LawError` if it cannot be read or is neither law nor case."""
    data = read_text(text, name, LawError).data
    shape = _shape(data)
    if shape is None:
        hint = "a clause has versions, a vocabulary kinds, a case a table or reports"
        raise LawError(Diagnostic("this is neither a file of the law nor a case", name, hint=hint))
    tree = _arranged(text, data, shape)
    result = written(tree, shape)
    if not _same(tree, data, result, name, shape):
        message = "this file cannot be laid out without changing what it says, so it stays as it is"
        raise LawError(Diagnostic(message, name, hint="please report it, with the file"))
    return result


def _shape(data: Any) -> Shape | None:
    return shape_of(frozenset(data)) if isinstance(data, dict) else None


def _arranged(text: str, data: Any, shape: Shape) -> Entry:
    tree = read_tree(text, data)
    arrange(tree, shape)
    return tree


def _same(tree: Entry, data: Any, result: str, name: str, shape: Shape) -> bool:
    """Whether the result has the same values, each entry with the same comments, and would not be changed again."""
    try:
        again = read_text(result, name, LawError).data
    except LawError:
        return False
    if json.dumps(again, sort_keys=True) != json.dumps(data, sort_keys=True):
        return False
    reread = _arranged(result, again, shape)
    return _content(reread) == _content(tree) and written(reread, shape) == result


def _content(tree: Entry) -> list[tuple[object, ...]]:
    """Every entry in order, with its comments."""
    return [
        (each.key, each.value, each.is_map, len(each.entries or ()), *each.before, *each.beside, *each.after)
        for each in tree.walk()
    ]
