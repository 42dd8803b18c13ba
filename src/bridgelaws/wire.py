"""Values as compact JSON in UTF-8, as archives and the network carry them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bridgelaws.ruling.ruling import Ruling

json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_bytes(value: Any) -> bytes:
    return _bytes(json_text(value))


def _bytes(text: str) -> bytes:
    # Half a character cannot be written as UTF-8; as JSON escapes it, it can.
    return text.encode("utf-8", "backslashreplace")


def ruling_bytes(ruling: Ruling) -> bytes:
    """What `json_bytes` makes of a ruling, sooner: a finding that rulings share is written once."""
    findings = ",".join([each.as_text for each in ruling.findings])
    before, after = json_text(ruling.heading())[:-1], json_text(ruling.after_findings())[1:]
    return _bytes(f'{before},"findings":[{findings}],{after}')
