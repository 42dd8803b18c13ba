"""The contract and the declarer that a list of calls comes to, where the record does not name them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bridgelaws import notation

SKIPPED = "-"

_CALL = re.compile(
    r"(?P<level>[1-7])\s*(?P<strain>NT|[NSHDC])|(?P<redouble>RDBL|XX|R)|(?P<double>DBL|X|D)|(?P<all>AP)|(?P<pass>PASS|P)"
)


def calls_in(text: str) -> list[str]:
    """The calls in a text, which may stand together: `1NT`, `X`, `XX` or `P`; what is no call is passed over."""
    found = []
    for call in _CALL.finditer(text.upper()):
        if call["level"]:
            found.append(f"{call['level']}{'NT' if call['strain'][0] == 'N' else call['strain']}")
        elif not call["all"]:
            found.append("XX" if call["redouble"] else "X" if call["double"] else "P")
    return found


def outcome(dealer: str, calls: Iterable[str]) -> tuple[str, str] | None:
    """The contract and the declarer, or `None` if nobody bid. A skipped player (`-`) takes his place without a call."""
    caller = dealer
    bid, doubled, by = "", "", ""
    first: dict[tuple[str, str], str] = {}
    for call in calls:
        if call[0].isdigit():
            bid, doubled, by = call, "", caller
            first.setdefault((notation.side_of(caller), call[1:]), caller)
        elif call in ("X", "XX"):
            doubled = call
        caller = notation.left(caller)
    return (bid + doubled, first[notation.side_of(by), bid[1:]]) if bid else None
