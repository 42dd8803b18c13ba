"""What a search has found before: tables on which two editions rule differently, and proofs that there is none.

`python -m benchmarks.witnesses` looks for them and writes the files of this folder, one for each pair of editions. A
table is ruled on again whenever it is used; a proof counts only as long as the rules are those it was made for.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.tables import domain, table_program

FOLDER = Path(__file__).parent
FORMAT = 2
Found = dict[str, dict[str, Any]]


@cache
def found_beforehand(first: str, second: str) -> Found | None:
    """What was found for two editions, by the file of the clause; nothing if nobody has looked."""
    kept = _kept(first, second)
    return None if kept is None else dict(kept["witnesses"])


def tables_beforehand(clause: str) -> list[dict[str, Any]]:
    """The tables that show a difference in the clause, for whichever editions they were found."""
    found = (each.get(clause, {}) for each in _all_kept())
    return [each["case"] for each in found if "case" in each]


@cache
def _all_kept() -> list[Found]:
    files = sorted(FOLDER.glob("*-*.json"))
    return [json.loads(path.read_text(encoding="utf-8"))["witnesses"] for path in files]


def is_as_it_was(old: EditionLaw, new: EditionLaw) -> bool:
    """Whether the rules of both editions are still those for which the file was written."""
    kept = _kept(old.edition.name, new.edition.name)
    return kept is not None and kept.get("of") == [fingerprint(old), fingerprint(new)]


def written(old: EditionLaw, new: EditionLaw, found: Found) -> str:
    """The text of a file of this folder."""
    whole = {
        "format": FORMAT,
        "editions": [old.edition.name, new.edition.name],
        "of": [fingerprint(old), fingerprint(new)],
        "witnesses": dict(sorted(found.items())),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def fingerprint(law: EditionLaw) -> str:
    """A digest of everything that a search reads of an edition: its rules, and all that could be typed."""
    taken = sha256(repr(law.program.rules).encode())
    for line in (table_program(), *domain(law.vocabulary, Bounds(), 1, law.vocabulary.kinds)):
        taken.update(line.encode())
    return taken.hexdigest()


@cache
def _kept(first: str, second: str) -> dict[str, Any] | None:
    # A name of an edition is not made into a path: it is looked up among the files there are.
    wanted = f"{first}-{second}.json"
    path = next((each for each in FOLDER.iterdir() if each.name == wanted), None)
    if path is None:
        return None
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept
