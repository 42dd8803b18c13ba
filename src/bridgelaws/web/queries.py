"""What the query of a request asks for: parameters that are known, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from bridgelaws.book import ENGINES
from bridgelaws.errors import UsageError, nearest, quoted
from bridgelaws.lawbook.law import Law
from bridgelaws.web.problems import problem_of, refused


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for besides the case."""

    edition: str | None = None
    engine: str = ENGINES[0]
    why: bool = False
    clause: str = ""


_PLAIN = Asked()


def read_query(query: bytes, names: Sequence[str], law: Law) -> Asked:
    """The parameters of the query; 400 for one that is not known or not well written, 404 for an unknown edition."""
    if not query and "clause" not in names:
        return _PLAIN
    given = _parameters(query, names)
    if "clause" in names and not given.get("clause"):
        raise refused(400, "the query does not name a clause", "add ?clause= with its number", path="clause")
    edition = given.get("edition")
    if edition is not None:
        check_edition(edition, law)
    engine = given.get("engine", ENGINES[0])
    if engine not in ENGINES:
        raise refused(400, f"there is no engine {quoted(engine)}", nearest(engine[:40], ENGINES), path="engine")
    why = given.get("why", "false")
    if why not in ("true", "false"):
        raise refused(400, f"{quoted(why)} is not true or false", "write why=true", path="why")
    return Asked(edition, engine, why == "true", given.get("clause", ""))


def check_edition(name: str, law: Law) -> None:
    if name not in law.editions:
        raise problem_of(UsageError(f"there is no edition {quoted(name)}", nearest(name[:40], law.editions)))


def _parameters(query: bytes, names: Sequence[str]) -> Mapping[str, str]:
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
            max_num_fields=20,
        )
    except ValueError:
        raise refused(400, "the query cannot be read", "write it as ?edition=2017, in UTF-8") from None
    given: dict[str, str] = {}
    for name, value in pairs:
        if name not in names:
            hint = nearest(name[:40], names) if names else "this address takes none"
            raise refused(400, f"there is no parameter {quoted(name)} here", hint, path=name[:40])
        if name in given:
            raise refused(400, f"the parameter '{name}' stands there twice", "give it once", path=name)
        given[name] = value
    return given
