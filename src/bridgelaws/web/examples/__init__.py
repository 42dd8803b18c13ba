"""Cases for the examples of the OpenAPI document, with what the desk really makes of them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridgelaws.errors import BridgelawsError
from bridgelaws.web.desk import Desk, Patience, Work
from bridgelaws.web.problems import Problem, problem_of
from bridgelaws.web.queries import Asked
from bridgelaws.wire import json_bytes

ORDINARY, OPEN, MISSPELT = "dropped-eight", "manner-not-told", "misspelt"


@dataclass(frozen=True)
class Example:
    """A request and its answer."""

    name: str
    body: Any
    status: int
    answer: Any


def example_case(name: str) -> Any:
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))


def worked(desk: Desk, name: str, work: Work, asked: Asked, body: Any) -> Example:
    """The example with its answer; a draft that has other reports may answer with a problem."""
    counts = dict(desk.rulings)
    try:
        answer = json.loads(work(json_bytes(body), asked, Patience(math.inf)))
        status = 200
    except BridgelawsError as error:
        answer, status = (found := problem_of(error)).to_json(), found.status
    except Problem as problem:
        answer, status = problem.to_json(), problem.status
    desk.rulings.update(counts)
    return Example(name, body, status, answer)
