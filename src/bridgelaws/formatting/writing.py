"""Write a tree as text."""

from __future__ import annotations

from bridgelaws.formatting.scalars import WIDTH, one_line, several_lines, wrapped
from bridgelaws.formatting.shapes import Shape, Style
from bridgelaws.formatting.tree import Entry

STEP = 2


def written(root: Entry, shape: Shape) -> str:
    """The whole file."""
    return "\n".join([*root.before, *_inner_lines(root, shape, 0), *root.after]) + "\n"


def _inner_lines(entry: Entry, shape: Shape, indent: int) -> list[str]:
    lines: list[str] = []
    for each in entry.entries or ():
        if shape.airy and entry.is_map and each.before and lines:
            lines.append("")
        lines += _entry_lines(each, shape.child(each.key), indent)
    return lines


def _entry_lines(entry: Entry, shape: Shape, indent: int) -> list[str]:
    head = " " * indent + ("-" if entry.key is None else f"{one_line(entry.key)}:")
    beside = f" {entry.beside[0]}" if entry.beside else ""
    above = _comment_lines(entry.before, indent)
    below = _comment_lines(entry.after, indent + STEP)
    if entry.entries is None:
        return [*above, *_value_lines(entry, shape, head, beside, indent), *below]
    inline = _in_braces(entry, shape)
    if inline is not None and (len(head) + 1 + len(inline) <= WIDTH or not entry.entries):
        return [*above, f"{head} {inline}{beside}"]
    inner = [*_inner_lines(entry, shape, indent + STEP), *below]
    if entry.key is not None:
        return [*above, f"{head}{beside}", *inner]
    # INVARIANT: no comment stands above the first entry of an item; arranging has moved it above the item.
    return [*above, *_comment_lines(entry.beside, indent), f"{head} {inner[0][indent + STEP :]}", *inner[1:]]


def _value_lines(entry: Entry, shape: Shape, head: str, beside: str, indent: int) -> list[str]:
    value = entry.value
    if value is None and entry.key is not None:
        return [f"{head}{beside}"]
    line = f"{head} {one_line(value, shape.quotes)}"
    if not isinstance(value, str) or (len(line) <= WIDTH and "\n" not in value):
        return [f"{line}{beside}"]
    folded = several_lines(value)
    if folded is None:
        return [f"{line}{beside}"]
    mark, lines = folded
    if mark.startswith(">"):
        lines = wrapped(lines[0], WIDTH - indent - STEP)
    pad = " " * (indent + STEP)
    return [f"{head} {mark}{beside}", *(f"{pad}{each}" if each else "" for each in lines)]


def _in_braces(entry: Entry, shape: Shape) -> str | None:
    """The map or list on one line; none if its style or its content wants lines."""
    entries = entry.entries or []
    if entries and (
        shape.style is Style.LINES
        or (shape.style is Style.BRACES_IF_FLAT and any(each.entries for each in entries))
        or entry.commented_within
    ):
        return None
    parts: list[str] = []
    for each in entries:
        of_each = shape.child(each.key)
        if each.entries is not None:
            text = _in_braces(each, of_each)
            if text is None:
                return None
        elif isinstance(each.value, str) and "\n" in each.value:
            return None
        else:
            text = one_line(each.value, of_each.quotes, in_braces=True)
        parts.append(text if each.key is None else f"{one_line(each.key, in_braces=True)}: {text}")
    return f"{{{', '.join(parts)}}}" if entry.is_map else f"[{', '.join(parts)}]"


def _comment_lines(comments: list[str], indent: int) -> list[str]:
    return [" " * indent + each if each else "" for each in comments]
