"""Values as compact JSON in UTF-8, as archives and the network carry them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bridgelaws.engine.program import Fact
    from bridgelaws.ruling.ruling import Ruling

_encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# Of a finding: what tells it from others with the same text.
_Key = tuple[str, "Fact", tuple[str, ...], str]
_written: dict[_Key, str] = {}
_MOST_KEPT = 4000


def json_bytes(value: Any) -> bytes:
    return _bytes(_encoded(value))


def _bytes(text: str) -> bytes:
    # Half a character cannot be written as UTF-8; as JSON escapes it, it can.
    return text.encode("utf-8", "backslashreplace")


def ruling_bytes(ruling: Ruling) -> bytes:
    """What `json_bytes` makes of a ruling, sooner: many rulings have findings in common, which are written once."""
    findings: list[str] = []
    for each in ruling.findings:
        key = (each.text, each.fact, each.clauses, each.force)
        found = _written.get(key)
        if found is None:
            if len(_written) >= _MOST_KEPT:
                _written.clear()
            found = _written[key] = _encoded(each.to_json())
        findings.append(found)
    before, after = _encoded(ruling.heading())[:-1], _encoded(ruling.after_findings())[1:]
    return _bytes(f'{before},"findings":[{",".join(findings)}],{after}')
