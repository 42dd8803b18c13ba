"""An edition kept from an earlier reading rules as the law does; what is stale, damaged or forged is not used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridgelaws.book import Lawbook
from bridgelaws.casebook.running import read_cases
from bridgelaws.errors import BridgelawsError, UsageError
from bridgelaws.lawbook import kept
from bridgelaws.lawbook import law as law_module
from bridgelaws.lawbook.kept import keep, kept_edition
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.lawbook.soundness import CACHE
from bridgelaws.table.case import Case

CASES = Path(__file__).parent.parent / "cases"
DROPPED = Case.from_text("""
table: {contract: 4S by S, hands: {E: ♦KT862}}
reports: [{card_exposed: {player: E, card: D8, manner: dropped}}]
""")
HONOUR = "          - honour: {rank: $rank}"
MINOR = "♦8 is a minor penalty card; it stays faced in front of East"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))


def kept_file() -> Path:
    (found,) = (kept.cache_folder() / "kept").iterdir()
    return found


@pytest.mark.parametrize("edition", ["1997", "2007", "2017"])
def test_what_was_kept_rules_as_the_law_does_on_every_fifth_case(law: Law, edition: str) -> None:
    keep(law, None)
    found = kept_edition(None, edition)
    assert found is not None
    books = Lawbook(law.edition(edition)), Lawbook(found)
    cases = [each.case for each in read_cases(CASES, law) if each.case][::5]
    assert len(cases) > 400
    for case in cases:
        assert _outcome(books[0], case) == _outcome(books[1], case), case.title


def _outcome(book: Lawbook, case: Case) -> Any:
    try:
        return book.rule(case).to_json()
    except BridgelawsError as wrong:
        return str(wrong)


def test_the_latest_edition_is_kept_as_such(law: Law) -> None:
    keep(law, None)
    found = kept_edition(None, None)
    assert found is not None
    assert found.name == law.latest


def test_a_second_ruling_does_not_read_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Lawbook.at_once(DROPPED).rule(DROPPED)

    def read(*_: Any) -> Any:
        raise AssertionError("read again")

    monkeypatch.setattr(law_module, "load_law", read)
    assert Lawbook.at_once(DROPPED).rule(DROPPED).to_json() == first.to_json()
    assert first.findings[0].text == MINOR


def test_the_reasons_come_from_the_law_itself() -> None:
    Lawbook.at_once(DROPPED)
    book = Lawbook.at_once(DROPPED)
    whole = Lawbook.load()
    assert book.rule(DROPPED, why=True).to_json() == whole.rule(DROPPED, why=True).to_json()
    assert book.why_not(DROPPED, "51A") == whole.why_not(DROPPED, "51A")


def test_a_draft_that_changed_is_read_again(tmp_path: Path) -> None:
    clause = tmp_path / "draft" / "50-penalty-card" / "B-major-or-minor.yaml"
    clause.parent.mkdir(parents=True)
    shipped = Path(__file__).parent.parent.parent / "rules" / "50-penalty-card" / "B-major-or-minor.yaml"
    text = shipped.read_text(encoding="utf-8")
    clause.write_text(text, encoding="utf-8")
    draft = tmp_path / "draft"
    for _ in range(2):
        assert Lawbook.at_once(DROPPED, laws=draft).rule(DROPPED).findings[0].text == MINOR
    assert kept_edition(draft, None) is not None
    clause.write_text(text.replace(HONOUR, f"{HONOUR}\n          - exposed: {{card: $card}}"), "utf-8")
    assert kept_edition(draft, None) is None
    findings = Lawbook.at_once(DROPPED, laws=draft).rule(DROPPED).findings
    assert MINOR not in [each.text for each in findings]


def test_a_folder_that_is_not_there_is_an_error_as_ever(tmp_path: Path) -> None:
    Lawbook.at_once(DROPPED)
    with pytest.raises(BridgelawsError):
        Lawbook.at_once(DROPPED, laws=tmp_path / "nothing")


def test_an_edition_that_is_not_there_is_an_error_as_ever() -> None:
    Lawbook.at_once(DROPPED)
    with pytest.raises(UsageError, match="there is no edition '2018'"):
        Lawbook.at_once(DROPPED, "2018")


@pytest.mark.parametrize("spoil", [lambda text: text[:-40], lambda text: text.replace("50B", "50C"), lambda _: ""])
def test_what_is_damaged_is_not_used(spoil: Callable[[str], str]) -> None:
    Lawbook.at_once(DROPPED)
    path = kept_file()
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert kept_edition(None, None) is None
    assert Lawbook.at_once(DROPPED).rule(DROPPED).findings[0].text == MINOR


def forge(change: Callable[[dict[str, Any]], None]) -> None:
    """Change what was kept of every edition, and make the checksum right again."""
    path = kept_file()
    _, head, rest = path.read_text(encoding="utf-8").split("\n", 2)
    names = json.loads(head)
    editions: dict[str, dict[str, Any]] = {}
    for name, (start, length, _) in names["editions"].items():
        summary, *rules = rest[start : start + length].split("\n")
        editions[name] = {**json.loads(summary), "rules": rules}
        change(editions[name])
    path.write_text(kept._kept_text(path.stem, names["latest"], editions), encoding="utf-8")


def in_rules(data: dict[str, Any], old: str, new: str) -> None:
    """Write something else into the rules, each of which is a JSON text."""
    forged = [json.dumps(json.loads(rule)).replace(old, new) for rule in data["rules"]]
    assert forged != [json.dumps(json.loads(rule)) for rule in data["rules"]]
    data["rules"] = forged


def _code_for_variables(data: dict[str, Any]) -> None:
    in_rules(data, "[0, ", f"[{json.dumps('0' + chr(10) + 'raise SystemExit')}, ")


def _code_for_numbers(data: dict[str, Any]) -> None:
    data["strata"] = [[[["0(): pass\nraise SystemExit"], False]]]


def _code_for_comparators(data: dict[str, Any]) -> None:
    in_rules(data, '"one_of"', '"== 0 or exit() or"')


def _nothing_in_it(data: dict[str, Any]) -> None:
    data.clear()


def _lists_for_values(data: dict[str, Any]) -> None:
    in_rules(data, '["play"]', '[["play"]]')


def _no_rules(data: dict[str, Any]) -> None:
    data["rules"] = ["{" for _ in data["rules"]]


@pytest.mark.parametrize(
    "change",
    [_code_for_variables, _code_for_numbers, _code_for_comparators, _nothing_in_it, _lists_for_values, _no_rules],
)
def test_what_is_forged_becomes_no_code_and_the_law_itself_is_read(change: Callable[[dict[str, Any]], None]) -> None:
    honest = Lawbook.at_once(DROPPED).rule(DROPPED).to_json()
    before = kept_file().read_text(encoding="utf-8")
    forge(change)
    assert kept_file().read_text(encoding="utf-8") != before
    assert kept_edition(None, None) is not None
    assert Lawbook.at_once(DROPPED).rule(DROPPED).to_json() == honest


def test_nothing_is_lost_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(CACHE, str(tmp_path / "file"))
    assert Lawbook.at_once(DROPPED).rule(DROPPED).findings[0].text == MINOR
    assert kept_edition(None, None) is None


def test_only_so_many_laws_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_KEPT", 2)
    law = load_law()
    for number in range(4):
        monkeypatch.setattr(kept, "law_digest", lambda _laws, digest=str(number): digest)
        keep(law, None)
    assert len(list((kept.cache_folder() / "kept").iterdir())) == 2
