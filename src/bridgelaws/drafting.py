"""New files for a draft: each of the right shape, with a comment on each key, and valid as it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from bridgelaws.errors import BridgelawsError, LawError, UsageError
from bridgelaws.formatting import formatted
from bridgelaws.lawbook.clauses import Version
from bridgelaws.lawbook.editions import Provision
from bridgelaws.lawbook.law import Law, load_law, read_law
from bridgelaws.lawbook.sources import EDITIONS, VOCABULARY

KIND_SOURCES = ("report", "choice", "derived", "ruling")

_EDITION = """\
# The editions that this draft adds. Whatever the draft does not change is as the edition before has it.
editions:
  # The name to give to --edition.
  {name}:
    # Its full name.
    name: {title}
    # The edition on which it builds.
    follows: {follows}
"""

_NEW_CLAUSE = """\
# What the clause is about.
title: The subject of {plain}
versions:
  # The edition from which on this version holds.
  - since: {since}
    # The number of the clause in that edition.
    number: {number}
    # What it says, in your own words, in a sentence or two.
    gist: Say here what the clause says.
    # Until the clause has rules, why it has none. When you write rules, this line goes, and they look like this:
    #   rules:
    #     - name: a short name for the rule
    #       when:
    #         - on_lead: {{player: $player}}
    #       unless:
    #         - lead_waits: {{player: $player}}
    #       then:
    #         - lead_free: {{player: $player}}
    no_rules: Its rules are still to be written.
"""

_CHANGED_CLAUSE = """\
# What the clause is about.
title: {title}
versions:
  # The edition from which on this version holds.
  - since: {since}
    # The number of the clause in that edition.
    number: {number}
    # What it says, in your own words, in a sentence or two.
    gist: {gist}{remarks}
    # Its rules, as they are now: change them here.
    {key}: {content}
"""

_REMARKS = {
    "see": "The clauses it points to.",
    "confidence": "It is the best reading of a text that leaves doubt.",
    "note": "A note to the committee.",
    "advice": "Advice to Directors, printed at the end of a ruling.",
}

_CASE = """\
# What happened, in a line.
title: East drops the eight of diamonds
# The table, as far as it matters: contract, hands (whole or in part), tricks.
table:
  contract: 4S by S
  hands:
    E: ♦KT862
# What the Director was told or judges.
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
# What must come out. Each finding names its clause; `never` says what must not come.
expect:
  - editions: [EDITION]
    findings:
      - minor_penalty_card: {player: E, card: D8}
        clause: 50B
    never:
      - major_penalty_card: {}
    plays:
      E: {may: [DK, DT, D8], may_not: {D6: 50C, D2: 50C}}
"""

_KIND = """\
  {name}:
    # Where facts of this kind come from: report (the Director was told, or judges), choice (an option that someone
    # took), derived (a stepping stone between rules) or ruling (what the Director announces).
    source: {source}
    # What such a fact says, in a sentence.
    means: Say here what a fact of this kind says.{choice}
    # Its fields and their types: seat, side, suit, rank, card, yes_no, count or one_of with its values.
    fields:
      player:
        type: seat
        # The question to ask when this field of a report was not given.
        ask: Which player was it?
    # How it is said aloud, with {{field}} for each field.
    say: "something is so of {{player}}"
"""

_CHOICE = """
    # Who chooses, and which fields say what the choice is about.
    chooser: declarer
    about: [player]"""


def new_edition(folder: Path, name: str, follows: str) -> tuple[Path, str]:
    """The `editions.yaml` of a new draft."""
    law = load_law()
    law.edition(follows)
    if name in law.editions:
        raise UsageError(
            f"there is an edition '{name}' already", "give the draft a name of its own, such as 2027-draft"
        )
    path = _fresh(folder / EDITIONS)
    return path, _checked(_EDITION.format(name=_scalar(name), title=_scalar(f"Draft {name}"), follows=_scalar(follows)))


def new_clause(folder: Path, number: str, since: str | None = None) -> tuple[Path, str]:
    """A clause of the draft: the one with this number as it stands now, to be changed, or a new one."""
    law = _law_so_far(folder)
    edition = law.edition(since)
    found = [each for each in edition.provisions if _same_number(each.number, number)]
    if found:
        path = _fresh(folder / f"{found[0].clause.id}.yaml")
        return path, _checked(_as_it_stands(found[0], edition.edition.name))
    path = _fresh(folder / f"{_file_of_new_clause(law, number)}.yaml")
    return path, _checked(_NEW_CLAUSE.format(plain=number, number=_scalar(number), since=_scalar(edition.edition.name)))


def new_case(path: Path, folder: Path | None = None) -> tuple[Path, str]:
    """A case to be changed into what happened; with a draft, one that expects something of its latest edition."""
    latest = (_law_so_far(folder) if folder else load_law()).latest
    return _fresh(path), _checked(_CASE.replace("EDITION", _scalar(latest)))


def new_kind(folder: Path, name: str, source: str) -> tuple[Path, str]:
    """The draft's vocabulary with one more kind: a new one, or one that the law has, as it stands, to be changed."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(f"'{name}' is no name for a kind", "use lower-case letters, digits and _")
    law = _law_so_far(folder)
    path = folder / VOCABULARY
    if name in law.vocabulary:
        block = _kind_as_it_stands(law, name, path)
    else:
        block = _KIND.format(name=name, source=source, choice=_CHOICE if source == "choice" else "")
    before = (
        path.read_text(encoding="utf-8").rstrip("\n")
        if path.is_file()
        else "# The kinds that this draft adds or changes.\nkinds:"
    )
    # What stands there already is left as its writer laid it out; only what is added is laid out here.
    text = f"{before}\n{_checked(f'kinds:{chr(10)}{block}').partition(chr(10))[2]}"
    return path, _readable(text, path)


def _kind_as_it_stands(law: Law, name: str, vocabulary: Path) -> str:
    document, place = law.places[name]
    if document.file == str(vocabulary):
        raise UsageError(f"there is a kind '{name}' already", f"change it in {vocabulary}")
    if law.vocabulary[name].source == "table":
        raise UsageError(f"'{name}' is computed from the table", "a draft can change any kind but those of the table")
    written = document.data
    for step in place:
        written = written[step]
    dumped = yaml.safe_dump(written, default_flow_style=None, sort_keys=False, allow_unicode=True, width=10_000)
    return f"  {name}:\n    # As the law has it: what you change here holds in the draft.\n" + _indented(dumped, 4)


def _readable(text: str, path: Path) -> str:
    """The text, if a kind could be added to it by writing on: the list of kinds must be the last thing in the file."""
    try:
        formatted(text, str(path))
    except BridgelawsError:
        raise UsageError(
            f"no kind can be added to '{path}'", "let it end with its kinds, one below the other"
        ) from None
    return text


def _law_so_far(folder: Path) -> Law:
    """The law with a draft whose clauses need not be sound yet: one may be waiting for the very kind that is begun."""
    law, problems = read_law(folder)
    grave = [each for each in problems if Path(each.file).name in (EDITIONS, VOCABULARY)]
    if law is None or grave:
        raise LawError(grave or problems)
    return law


def _indented(text: str, by: int) -> str:
    return re.sub(r"(?m)^(?=.)", " " * by, text)


def _same_number(first: str, second: str) -> bool:
    return first.replace(" ", "").lower() == second.replace(" ", "").lower()


def _fresh(path: Path) -> Path:
    if path.exists():
        raise UsageError(f"'{path}' is there already", "change it, or name another file")
    return path


def _scalar(text: str) -> str:
    """The text as YAML; the layout takes away quotes that it does not need."""
    return json.dumps(text, ensure_ascii=False)


def _as_it_stands(provision: Provision, since: str) -> str:
    version = provision.version
    key, value = (
        ("rules", [rule.written for rule in version.rules]) if version.rules else ("no_rules", version.no_rules)
    )
    dumped = yaml.safe_dump(value, default_flow_style=None, sort_keys=False, allow_unicode=True, width=10_000)
    content = "\n" + _indented(dumped.rstrip("\n"), 6) if version.rules else _scalar(version.no_rules)
    return _CHANGED_CLAUSE.format(
        title=_scalar(provision.clause.title),
        since=_scalar(since),
        number=_scalar(version.number),
        gist=_scalar(version.gist),
        remarks="".join(_remarks(version)),
        key=key,
        content=content,
    )


def _remarks(version: Version) -> Iterator[str]:
    """What the version says besides its gist and its rules, each with a comment."""
    values: dict[str, object] = {"see": list(version.see), "note": version.note, "advice": version.advice}
    values["confidence"] = version.confidence if version.confidence != "sure" else ""
    for key, comment in _REMARKS.items():
        if values[key]:
            yield f"\n    # {comment}\n    {key}: {json.dumps(values[key], ensure_ascii=False)}"


def _file_of_new_clause(law: Law, number: str) -> str:
    """`50-penalty-card/F` for 50F: in the folder of its law, or in one of its own if the law has none."""
    found = re.fullmatch(r"([1-9][0-9]?)([A-Z]?[0-9]*(\([a-z]+\))*)", number)
    if not found:
        raise UsageError(f"'{number}' is no clause number", 'write for example "50F" or "46B6"')
    known = {clause.law.split("-")[0]: clause.law for clause in law.clauses}
    folder = known.get(found[1], f"{found[1]}-new-law")
    return f"{folder}/{re.sub(r'[()]', '', found[2]) or '00'}"


def _checked(text: str) -> str:
    return formatted(text, "the new file")
