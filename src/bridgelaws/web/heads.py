"""The head of a request, read by h11 as uvicorn would read it, as long as there is nothing unusual about it."""

from __future__ import annotations

from dataclasses import dataclass

import h11

LONGEST = 2048
_END = b"\r\n\r\n"
# What must be agreed on before the body, and bodies that do not say how long they are.
_UNUSUAL = frozenset([b"expect", b"upgrade", b"transfer-encoding"])


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a body of this `length`, on a connection that is kept open; names are in lower case."""

    method: bytes
    path: bytes
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    length: int


def end_of_head(data: bytes) -> int:
    """Where the body begins; 0 if the head is not all there, or long."""
    at = data.find(_END, 0, LONGEST)
    return at + len(_END) if at >= 0 else 0


def read_head(raw: bytes) -> Head | None:
    """The head, or `None` if it is for uvicorn alone to say what it is."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(raw)
    try:
        request = connection.next_event()
    except h11.RemoteProtocolError:
        return None
    # Lines may end in other ways than we looked for: then the body began earlier than we thought.
    if not isinstance(request, h11.Request) or connection.trailing_data[0]:
        return None
    headers = tuple((name.lower(), value) for name, value in request.headers)
    if request.http_version != b"1.1" or request.method not in (b"GET", b"POST") or any(map(_is_unusual, headers)):
        return None
    length = next((int(value) for name, value in headers if name == b"content-length"), 0)
    path, _, query = request.target.partition(b"?")
    return Head(request.method, path, query, headers, length)


def _is_unusual(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    return name in _UNUSUAL or (name == b"connection" and value.lower() != b"keep-alive")
