"""An audit as text to read: the boards on which something was found, and the ruling below each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bridgelaws.audit.auditing import Audit, Irregularity
from bridgelaws.errors import Diagnostic
from bridgelaws.notation import SEAT_NAMES, ascii_only
from bridgelaws.ruling.text import Line, laid_out, ruling_lines

WIDTH = 100
# A terminal would obey these.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def audit_text(found: Audit, *, symbols: bool) -> str:
    """Nothing for a board on which nothing was found."""
    if not found.irregularities and not found.remarks:
        return ""
    lines = [_heading(found)]
    told: list[object] = []
    for each in found.irregularities:
        lines.append(_laid_out(f"{_sentence(each.text)}", 2))
        lines += _ruling(each, told)
    for remark in found.remarks:
        lines.append(_laid_out(f"Line {remark.line}: {remark.text}", 2))
    return _shown("\n".join(lines) + "\n\n", symbols)


def errors_text(problems: Iterable[Diagnostic], *, symbols: bool) -> str:
    return _shown("\n".join(str(each) for each in problems) + "\n\n", symbols)


def _heading(found: Audit) -> str:
    record = found.record
    name = f"Board {record.board}" if record.board else "A board without a name"
    contract = ""
    if record.contract and record.declarer:
        bid = f"{record.contract.level}{record.contract.strain}{record.contract.doubled}"
        contract = f", {bid} by {SEAT_NAMES[record.declarer]}"
    return f"{name} (line {record.line}){contract}"


def _ruling(each: Irregularity, told: list[object]) -> Iterator[str]:
    if each.ruling is None:
        reason = "; ".join(problem.message for problem in each.problems)
        yield _laid_out(f"There is no ruling: {reason}" if reason else "The record and the deal disagree here", 4)
    elif each.ruling in told:
        yield _laid_out("The ruling above holds for it too", 4)
    else:
        told.append(each.ruling)
        for line in ruling_lines(each.ruling):
            if line.part != "plays":
                yield laid_out(Line(line.text, line.clauses, line.part, line.indent + 4), WIDTH)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _laid_out(text: str, indent: int) -> str:
    return laid_out(Line(text, (), "note", indent), WIDTH)


def _shown(text: str, symbols: bool) -> str:
    shown = _CONTROL.sub("?", text)
    return shown if symbols else ascii_only(shown)
