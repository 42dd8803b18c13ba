"""The endpoints of the workshop: a clause's text, and what is wrong with another text for it or follows from that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from bridgelaws.errors import CaseError, nearest, quoted
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.schemas import Schema, exactly
from bridgelaws.located import read_bytes
from bridgelaws.web.answering import answer, answer_kept
from bridgelaws.web.bodies import Intake, check_content_type, header, read_body
from bridgelaws.web.desk import Desk
from bridgelaws.web.drafting import FORMAT, Texts
from bridgelaws.web.drawing import lines_schema
from bridgelaws.web.endpoints import tag
from bridgelaws.web.problems import Problem, refused
from bridgelaws.web.queries import read_query
from bridgelaws.web.shapes import TEXT, YES_NO, diagnostic_schema
from bridgelaws.web.workbench import Bench
from bridgelaws.wire import json_bytes

Object = dict[str, Any]
Reader = Callable[[Object, Law], Object]


def workshop_routes(desk: Desk, intake: Intake, bench: Bench, texts: Mapping[str, str]) -> list[BaseRoute]:
    posted = [
        Drafted(f"/v1/workshop/{do}", do, desk, intake, bench, texts, read)
        for do, read in (("check", _nothing), ("complete", _place), ("try", _edition_and_case))
    ]
    text = ClauseText("/v1/texts/{clause}", texts, desk)
    return [
        *(Route(each.route, each, methods=["POST"]) for each in posted),
        Route("/v1/texts/{clause:path}", text, methods=["GET"]),
    ]


def clause_texts(law: Law, laws: Path | None) -> dict[str, str]:
    """INVARIANT: a request names one of these clauses and never a path."""
    texts = Texts(laws)
    return {clause: texts.text(path) for clause, path in texts.paths(law).items()}


@dataclass(frozen=True, eq=False)
class ClauseText:
    """Answers with the file of a clause as it is."""

    route: str
    texts: Mapping[str, str]
    desk: Desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        read_query(scope["query_string"], (), self.desk.law)
        clause = _known(scope["path_params"]["clause"], self.texts)
        body = json_bytes({"format": FORMAT, "clause": clause, "file": f"{clause}.yaml", "text": self.texts[clause]})
        await answer_kept(send, body, tag(body), header(scope["headers"], b"if-none-match"))


@dataclass(frozen=True, eq=False)
class Drafted:
    """Takes another text for a clause, and answers with what the workbench makes of it."""

    route: str
    do: str
    desk: Desk
    intake: Intake
    bench: Bench
    texts: Mapping[str, str]
    rest: Reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        law, limits = self.desk.law, self.desk.limits
        read_query(scope["query_string"], (), law)
        check_content_type(scope["headers"])
        with self.intake.place() as hold:
            raw = await read_body(scope, receive, limits.body, limits.body_seconds)
            hold(len(raw))
            body = await self.bench.answered({"do": self.do, **self._read(raw, law)})
        await answer(send, body)

    def _read(self, raw: bytes, law: Law) -> Object:
        try:
            given = read_bytes(raw, "", CaseError, as_json=True).data
        except CaseError as error:
            raise Problem(400, error.diagnostics) from None
        if not isinstance(given, dict):
            raise refused(400, "the body is not a map", 'send {"clause": …, "text": …}')
        read = {"clause": _known(_text(given, "clause"), self.texts)}
        read |= {"text": _text(given, "text"), **self.rest(given, law)}
        for name in given:
            if name not in read:
                raise refused(400, f"there is no {quoted(name)} here", nearest(name[:40], read), path=name[:40])
        return read


def _known(clause: str, known: Mapping[str, str]) -> str:
    if clause not in known:
        raise refused(404, f"there is no clause {quoted(clause)}", nearest(clause[:80], known), path="clause")
    return clause


def _text(given: Object, name: str) -> str:
    found = given.get(name)
    if not isinstance(found, str):
        raise refused(400, f"the body has no text '{name}'", f'send {{"{name}": …}}', path=name)
    return found


def _nothing(_given: Object, _law: Law) -> Object:
    return {}


def _place(given: Object, _law: Law) -> Object:
    for name in ("line", "column"):
        if not isinstance(given.get(name), int) or isinstance(given[name], bool) or given[name] < 1:
            raise refused(400, f"the body has no number '{name}'", "lines and columns count from 1", path=name)
    return {"line": given["line"], "column": given["column"]}


def _edition_and_case(given: Object, law: Law) -> Object:
    edition = law.latest if given.get("edition") is None else given["edition"]
    if not isinstance(edition, str) or edition not in law.editions:
        hint = nearest(str(edition)[:40], law.editions)
        raise refused(404, f"there is no edition {quoted(str(edition))}", hint, path="edition")
    case = given.get("case")
    if not (case is None or isinstance(case, str | dict)):
        raise refused(400, "'case' is not a case", "send it as a map, or as the text of a case file", path="case")
    start = given.get("from", 0)
    if not isinstance(start, int) or isinstance(start, bool) or start < 0:
        raise refused(400, "'from' is not the number of a case", "send what the last answer said is next", path="from")
    return {"edition": edition, "case": case, "from": start}


def workshop_schemas() -> dict[str, Schema]:
    """The schemas of what is asked and answered here."""
    count: Schema = {"type": "integer", "minimum": 0}
    place: Schema = {"type": "integer", "minimum": 1}
    texts: Schema = {"type": "array", "items": TEXT}
    draft: dict[str, Schema] = {
        "clause": {**TEXT, "description": "Its file below rules/, without its ending"},
        "text": {**TEXT, "description": "The text to try in place of that file"},
    }
    item = exactly({"label": TEXT, "insert": TEXT, "what": TEXT, "detail": TEXT})
    changed = exactly({"case": TEXT, "title": TEXT, "before": texts, "after": texts})
    rulings = exactly({"before": lines_schema(), "after": lines_schema()})
    attempt = exactly(draft)
    attempt["properties"] |= {
        "edition": {"type": ["string", "null"], "description": "The latest, if it is left out"},
        "from": {**count, "description": "The case to go on with, as the last answer said"},
        "case": {"type": ["object", "string", "null"], "description": "Only this case, or the text of its file"},
    }
    of_format: dict[str, Schema] = {"format": {"const": FORMAT}}
    return {
        "clause_text": exactly({**of_format, "clause": TEXT, "file": TEXT, "text": TEXT}),
        "draft": exactly(draft),
        "draft_place": exactly({**draft, "line": place, "column": place}),
        "draft_try": attempt,
        "diagnostics": exactly(
            {**of_format, "sound": YES_NO, "diagnostics": {"type": "array", "items": diagnostic_schema()}}
        ),
        "completions": exactly({**of_format, "from": place, "items": {"type": "array", "items": item}}),
        "changes": exactly(
            {
                **of_format,
                "edition": TEXT,
                "cases": {"type": ["integer", "null"], "description": "null: the server has no cases"},
                "next": {"type": ["integer", "null"], "description": "Where to go on; null: all were ruled on"},
                "changed": {"type": "array", "items": changed},
                "own": {"oneOf": [{"type": "null"}, rulings]},
            }
        ),
    }
