"""What the layout knows of each file: which maps stand in lines and which in braces, and in what order their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

OTHERS = "*"


class Style(Enum):
    """How a map or a list is written."""

    LINES = auto()
    BRACES_IF_THEY_FIT = auto()
    BRACES_IF_FLAT = auto()


class Quotes(Enum):
    """Which texts are quoted."""

    NEEDED = auto()
    WITH_BRACES = auto()
    ALWAYS = auto()


@dataclass(frozen=True)
class Shape:
    """The layout of one value; `order` lists the keys that come in an order, with `*` where all others stand."""

    style: Style = Style.BRACES_IF_THEY_FIT
    order: tuple[str, ...] = ()
    children: Mapping[str, Shape] = field(default_factory=dict)
    every: Shape | None = None
    items: Shape | None = None
    quotes: Quotes = Quotes.NEEDED
    airy: bool = False

    def child(self, key: str | None) -> Shape:
        """The shape under a key, or of an item of a list, which by default looks like the list."""
        if key is None:
            return self.items or self
        return self.children.get(key) or self.every or _INLINE

    def rank(self, key: str | None) -> int:
        if key in self.order:
            return self.order.index(key)
        return self.order.index(OTHERS) if OTHERS in self.order else len(self.order)


def _lines(*order: str, **more: Shape) -> Shape:
    return Shape(Style.LINES, order, more)


_INLINE = Shape()
_FACT = Shape(Style.LINES, (OTHERS, "clause", "force", "because"))
_QUOTED = Shape(quotes=Quotes.ALWAYS)

_RULE = _lines(
    *("name", "when", "unless", "then", "offer", "ask"), when=_FACT, unless=_FACT, then=_FACT, offer=_FACT, ask=_FACT
)
_VERSION = _lines(
    *("since", "number", "repealed", "gist", "see", "confidence", "note", "advice", "no_rules"),
    *("rules", "without", "also"),
    see=_QUOTED,
    rules=_RULE,
    without=_lines(),
    also=_RULE,
)
_CLAUSE = _lines("title", "versions", versions=_VERSION)

_FIELD = Shape(Style.BRACES_IF_FLAT, ("type", "optional", "default", "judgement", "ask", "means", "values"))
_SAID = Shape(quotes=Quotes.WITH_BRACES)
_KIND = _lines(
    *("source", "means", "chooser", "chooser_for_dummy", "about", "during", "fields", "contradicts", "say"),
    fields=Shape(Style.BRACES_IF_FLAT, every=_FIELD),
    say=Shape(Style.LINES, ("by", OTHERS), every=_SAID, quotes=Quotes.WITH_BRACES),
)
_VOCABULARY = _lines("kinds", kinds=Shape(Style.LINES, every=_KIND, airy=True))

_EDITION = _lines("name", "follows", "note")
_EDITIONS = _lines("editions", editions=Shape(Style.LINES, every=_EDITION, airy=True))

_TABLE = _lines("contract", "declarer", "deal", "trick", "on_lead", "stage", "hands", "tricks", "claim", tricks=_QUOTED)
_EXPECTATION = _lines(
    *("editions", "findings", "never", "plays", "options", "questions"),
    findings=_FACT,
    never=_FACT,
    plays=Shape(Style.LINES, every=Shape(order=("may", "may_not"))),
    options=_FACT,
)
_CASE = _lines(
    *("title", "source", "note", "edition", "table", "regulations", "reports", "choices", "expect"),
    table=_TABLE,
    reports=_FACT,
    choices=_FACT,
    expect=_EXPECTATION,
)


def shape_of(keys: frozenset[str]) -> Shape | None:
    """The shape of a file, known by the keys that stand at its left edge; none if it is neither law nor case."""
    for key, shape in (("versions", _CLAUSE), ("kinds", _VOCABULARY), ("editions", _EDITIONS)):
        if key in keys:
            return shape
    return _CASE if keys & {"table", "reports", "choices", "regulations", "expect"} else None
