"""How much one client may ask for, so that others are still answered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds. A case with all four hands and thirteen tricks has less than 4,000 bytes."""

    body: int = 64_000
    batch_body: int = 1_000_000
    batch: int = 200
    """Cases in a batch."""
    bodies: int = 32_000_000
    """All bodies together that are being read or ruled on."""
    requests: int = 512
    """Requests being read or ruled on; more are answered with 503."""
    connections: int = 1000
    seconds: float = 5.0
    """For the rulings of a request, its wait for a free thread included."""
    body_seconds: float = 10.0
    """For all of a body to come in."""
    header_seconds: float = 10.0
    """For all of a request's head to come in."""
    threads: int = 2
    """For rulings that take longer than a moment."""
    waiting: int = 32
    """Requests that wait for such a thread, or have one; more are answered with 503."""
    moment: int = 16
    """Runs of the engine after which a ruling goes on in a thread."""
    small: int = 4_000
    """A longer body goes to a thread at once."""


LIMITS = Limits()
