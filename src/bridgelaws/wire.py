"""Values as compact JSON in UTF-8, as archives and the network carry them."""

from __future__ import annotations

import json
from typing import Any

_encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_bytes(value: Any) -> bytes:
    # Half a character cannot be written as UTF-8; as JSON escapes it, it can.
    return _encoded(value).encode("utf-8", "backslashreplace")
