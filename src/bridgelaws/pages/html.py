"""HTML that cannot be broken by a text: every element is made here, and every text in it is escaped here."""

from __future__ import annotations

import re
from html import escape

_EMPTY = frozenset({"meta", "link", "input"})
_SUITED = re.compile(r"([♠♥♦♣][2-9TJQKA]*)")
_SUIT_CLASS = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}


class Html(str):
    """Text that is HTML already. INVARIANT: only this module makes it, from escaped parts."""

    __slots__ = ()


Part = Html | str | None


def together(*parts: Part) -> Html:
    """The parts one after another; a plain text is escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts if part is not None))


def tag(name: str, /, *parts: Part, **attributes: str | bool | None) -> Html:
    """An element; `class_` is the attribute `class`, `data_root` is `data-root`, and `True` is an attribute alone."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    inside = together(*parts)
    return Html(f"<{name}{written}>" if name in _EMPTY else f"<{name}{written}>{inside}</{name}>")


def suited(text: str) -> Html:
    """The text with its cards in the colours of their suits."""
    pieces = _SUITED.split(text)
    return together(
        *(tag("span", each, class_=_SUIT_CLASS[each[0]]) if n % 2 else each for n, each in enumerate(pieces))
    )


def page_alone(title: str, style: str, *body: Part) -> str:
    """A whole page that needs no other file; `style` is a stylesheet of ours."""
    # In this element a browser takes everything as it stands, up to the end of the element.
    assert "</" not in style
    head = tag("head", *_about(title), Html(f"<style>\n{style}</style>"))
    content = tag("body", tag("main", *body), tag("footer", "Made by bridgelaws from its rule files and cases."))
    return f"<!doctype html>\n{tag('html', head, content, lang='en')}\n"


def _about(title: str) -> tuple[Html, ...]:
    return (
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
    )


def page(title: str, root: str, *body: Part) -> str:
    """A whole page of the book; `root` leads from its folder to the book's first page."""
    head = tag(
        "head",
        *_about(title),
        tag("link", rel="stylesheet", href=f"{root}book.css"),
        tag("script", src=f"{root}search-index.js", defer=True),
        tag("script", src=f"{root}book.js", defer=True),
    )
    search = tag(
        "div",
        tag("input", type="search", id="search", placeholder="Search", aria_label="Search the book"),
        tag("ul", id="found", hidden=True),
        class_="search",
    )
    header = tag("header", tag("a", "The Laws as data", href=f"{root}index.html", class_="home"), search)
    footer = tag(
        "footer",
        "Made by bridgelaws from its rule files. The words are ours: the published Laws are the authority.",
    )
    content = tag("body", header, tag("main", *body), footer, data_root=root)
    return f"<!doctype html>\n{tag('html', head, content, lang='en')}\n"
