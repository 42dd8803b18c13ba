"""What went wrong, as problem details (RFC 9457) with the same diagnostics as the commands print."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic, EngineError
from bridgelaws.wire import json_bytes

PROBLEM_JSON = "application/problem+json"
MOST_ERRORS = 100
Headers = Sequence[tuple[bytes, bytes]]


class Problem(Exception):
    """An answer that says what is wrong, with a status and perhaps the places in the body."""

    def __init__(
        self, status: int, problems: Diagnostic | Sequence[Diagnostic], *, headers: Headers = (), linger: bool = False
    ) -> None:
        self.status = status
        self.diagnostics = (problems,) if isinstance(problems, Diagnostic) else tuple(problems)
        self.headers = headers
        self.linger = linger
        """Whether the body was not read to its end, and the connection is to be closed."""
        super().__init__(self.diagnostics[0].message)

    def to_json(self) -> dict[str, Any]:
        return problem_json(self.status, self.diagnostics)


def problem_json(status: int, diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """`errors` are those of `--format json`; of very many, only the first."""
    first = diagnostics[0]
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": f"{first.message}; {first.hint}" if first.hint else first.message,
        "format": 1,
        "errors": [each.to_json() for each in diagnostics[:MOST_ERRORS]],
    }


def problem_bytes(problem: Problem) -> bytes:
    return json_bytes(problem.to_json())


def refused(status: int, message: str, hint: str = "", *, path: str = "", headers: Headers = ()) -> Problem:
    """A problem with the request itself."""
    return Problem(status, Diagnostic(message, path=path, hint=hint), headers=headers)


def busy(message: str) -> Problem:
    hint = "try again in a moment"
    return Problem(503, Diagnostic(message, hint=hint), headers=[(b"retry-after", b"1")])


def problem_of(error: BridgelawsError) -> Problem:
    """The status of an error: 422 if the case is at fault, 400 for the engine that is not here, 404 for what is not."""
    status = 422 if isinstance(error, CaseError) else 400 if isinstance(error, EngineError) else 404
    return Problem(status, error.diagnostics)
