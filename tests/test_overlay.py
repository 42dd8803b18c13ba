"""A committee's own law: a whole copy of the shipped one, or a draft laid over it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bridgelaws import Case, Lawbook, LawError
from bridgelaws.lawbook.law import load_law, read_law
from bridgelaws.lawbook.warnings import law_warnings

RULES = Path(__file__).parent.parent / "rules"
DROPPED_TEN = Case.from_text(
    """
table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: DT, manner: dropped}
"""
)
FOUR_HONOURS = """
title: Honour
versions:
  - since: "{since}"
    number: Definition of honour
    gist: The ace, king, queen and jack are honours; the ten is not.
    rules:
      - name: four honours
        then:
          - honour: {{rank: A}}
          - honour: {{rank: K}}
          - honour: {{rank: Q}}
          - honour: {{rank: J}}
"""
DRAFT_EDITION = """
editions:
  2027-draft:
    name: A draft for 2027
    follows: "2017"
"""

Draft = Callable[..., Path]


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    def written(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / PLACES[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return written


PLACES = {
    "editions": "editions.yaml",
    "vocabulary": "vocabulary.yaml",
    "honour": "00-definitions/honour.yaml",
    "following_suit": "44-following-suit/C-follow-suit.yaml",
    "stays": "50-penalty-card/A-stays-faced.yaml",
    "new": "99-new/A-clause.yaml",
}


def classes(edition: str, laws: Path | None = None, engine: str = "compiled") -> set[str]:
    """Whether the dropped ten is a major or a minor penalty card."""
    ruling = Lawbook.load(edition, laws=laws, engine=engine).rule(DROPPED_TEN)
    return {finding.kind for finding in ruling.findings} & {"minor_penalty_card", "major_penalty_card"}


def test_a_copy_of_the_law_stands_alone_and_its_change_shows_in_the_ruling(tmp_path: Path, engine_name: str) -> None:
    copy = tmp_path / "our-law"
    shutil.copytree(RULES, copy)
    assert classes("2017", copy, engine_name) == {"major_penalty_card"}
    honour = copy / "00-definitions" / "honour.yaml"
    text = honour.read_text(encoding="utf-8")
    assert "          - honour: {rank: T}\n" in text
    honour.write_text(text.replace("          - honour: {rank: T}\n", ""), encoding="utf-8")
    assert classes("2017", copy, engine_name) == {"minor_penalty_card"}
    assert classes("2017", engine=engine_name) == {"major_penalty_card"}


def test_a_copy_that_stands_alone_takes_nothing_from_the_shipped_law(tmp_path: Path) -> None:
    copy = tmp_path / "our-law"
    shutil.copytree(RULES, copy)
    assert len(load_law(copy).clauses) == len(load_law().clauses)
    (copy / "00-definitions" / "honour.yaml").unlink()
    told = [each.message for each in law_warnings(load_law(copy))]
    assert any("no rule concludes honour" in message for message in told), told


def test_a_draft_of_one_clause_in_which_the_ten_is_no_honour_makes_a_dropped_ten_minor(draft: Draft) -> None:
    laws = draft(honour=FOUR_HONOURS.format(since="1997"))
    for edition in ("1997", "2017"):
        assert classes(edition, laws) == {"minor_penalty_card"}
        assert classes(edition) == {"major_penalty_card"}


def test_a_draft_edition_changes_itself_and_not_the_edition_that_it_follows(draft: Draft, engine_name: str) -> None:
    laws = draft(editions=DRAFT_EDITION, honour=FOUR_HONOURS.format(since="2027-draft"))
    assert classes("2027-draft", laws, engine_name) == {"minor_penalty_card"}
    assert classes("2017", laws, engine_name) == {"major_penalty_card"}
    old, new = (Lawbook.load("2017", laws=each).rule(DROPPED_TEN).to_json() for each in (None, laws))
    assert old == new


def test_a_draft_edition_is_the_latest_and_has_every_clause_that_it_does_not_change(draft: Draft) -> None:
    laws = draft(editions=DRAFT_EDITION, honour=FOUR_HONOURS.format(since="2027-draft"))
    law = load_law(laws)
    assert law.latest == "2027-draft"
    numbers = {each.number for each in law.edition("2017").provisions}
    assert {each.number for each in law.edition("2027-draft").provisions} == numbers


def test_a_draft_may_repeal_a_clause(draft: Draft) -> None:
    repealed = "title: Following suit\nversions:\n  - {since: 2027-draft, number: 44C, repealed: true}\n"
    laws = draft(editions=DRAFT_EDITION, following_suit=repealed)
    case = Case.from_text("table: {contract: 3NT by S, hands: {N: ♦KT ♣4}, tricks: ['W: D5']}")
    forbidden = {
        edition: [each.card for plays in Lawbook.load(edition, laws=laws).rule(case).plays for each in plays.may_not]
        for edition in ("2017", "2027-draft")
    }
    assert forbidden == {"2017": ["C4"], "2027-draft": []}
    assert "44C" not in {each.number for each in load_law(laws).edition("2027-draft").provisions}


def test_a_draft_may_renumber_a_clause_whose_rules_go_on_as_before(draft: Draft) -> None:
    renumbered = (
        "title: A penalty card stays faced\nversions:\n  - {since: 2027-draft, number: 50F, rules: as before}\n"
    )
    laws = draft(editions=DRAFT_EDITION, stays=renumbered)
    finding = {
        edition: Lawbook.load(edition, laws=laws).rule(DROPPED_TEN).findings[0] for edition in ("2017", "2027-draft")
    }
    assert finding["2017"].clauses[:2] == ("50B", "50A")
    assert finding["2027-draft"].clauses[:2] == ("50B", "50F")
    assert finding["2017"].text == finding["2027-draft"].text


def test_a_rule_that_goes_on_in_a_draft_is_told_at_its_own_file(draft: Draft) -> None:
    renumbered = (
        "title: A penalty card stays faced\nversions:\n  - {since: 2027-draft, number: 50F, rules: as before}\n"
    )
    book = Lawbook.load("2027-draft", laws=draft(editions=DRAFT_EDITION, stays=renumbered))
    misses = {miss.rule: miss.text for miss in book.why_not(DROPPED_TEN, "50F")}
    assert "(picked_up, rules/50-penalty-card/A-stays-faced.yaml:" in misses["picked up"]


def test_two_versions_of_one_edition_in_a_draft_are_a_problem_even_where_the_shipped_clause_has_more(
    draft: Draft,
) -> None:
    version = "  - {since: 2027-draft, number: 50F, rules: as before}\n"
    laws = draft(editions=DRAFT_EDITION, stays=f"title: Stays\nversions:\n{version}{version}")
    _, problems = read_law(laws)
    (problem,) = problems
    assert (problem.line, problem.message) == (4, "the edition '2027-draft' has a version already")


def test_a_draft_may_add_an_incident_with_no_code(draft: Draft, engine_name: str) -> None:
    laws = draft(
        vocabulary="""
kinds:
  telephone:
    source: report
    means: A telephone rang.
    fields:
      player: {type: seat, ask: Whose telephone was it?}
      loud: {type: yes_no, ask: Did everybody hear it?}
    say: "the telephone of {player} rang"
  fine:
    source: ruling
    means: A player pays.
    fields: {player: seat}
    say: "{player} pays a fine"
""",
        new="""
title: Telephones
versions:
  - since: "2017"
    number: 99A
    gist: A loud telephone costs a fine.
    rules:
      - name: a loud one
        when:
          - telephone: {player: $player, loud: true}
        then:
          - fine: {player: $player}
            force: shall
""",
    )
    book = Lawbook.load("2017", laws=laws, engine=engine_name)
    ruling = book.rule(Case.from_text("reports:\n  - telephone: {player: E}\n"))
    (question,) = ruling.to_json()["questions"]
    assert question["ask"] == "Did everybody hear it?"
    assert question["answers"]["true"]["findings"] == ["East pays a fine"]
    assert question["answers"]["false"]["findings"] == []
    ruling = book.rule(Case.from_text("reports:\n  - telephone: {player: E, loud: yes}\n"))
    assert ruling.text().split() == "East pays a fine 99A".split()  # noqa: SIM905


def test_a_draft_may_add_a_regulation_with_its_default(draft: Draft) -> None:
    laws = draft(
        vocabulary="""
kinds:
  coffee:
    source: regulation
    means: Whether coffee may stand on the table.
    fields:
      allowed: {type: yes_no, default: false}
    say: "coffee is allowed: {allowed}"
  no_coffee:
    source: ruling
    means: The coffee must go.
    say: the coffee must go
""",
        new="""
title: Coffee
versions:
  - since: "2017"
    number: 99A
    gist: Coffee must go unless the authority allows it.
    rules:
      - name: not allowed
        when:
          - coffee: {allowed: false}
        then:
          - no_coffee:
""",
    )
    book = Lawbook.load("2017", laws=laws)

    def goes(text: str) -> bool:
        return any(finding.kind == "no_coffee" for finding in book.rule(Case.from_text(text)).findings)

    assert goes("title: any\n")
    assert goes("regulations: {coffee: no}\n")
    assert not goes("regulations: {coffee: yes}\n")
    assert not goes("regulations:\n  coffee: {allowed: true}\n")


def test_a_draft_that_changes_a_table_kind_is_refused_when_it_is_used(draft: Draft) -> None:
    laws = draft(
        vocabulary="""
kinds:
  now:
    source: table
    means: The trick and the time of day.
    fields: {trick: count, hour: count}
    say: "trick {trick} at {hour}"
"""
    )
    with pytest.raises(LawError, match="the program does not compute the table kind 'now' with these fields"):
        Lawbook.load("2017", laws=laws)


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("00-definitions/honour.yaml", "title: Honour\n", "the key 'title' is missing here; add title:"),
        (
            "00-definitions/honour.yaml",
            "    number: Definition of honour\n",
            "the key 'number' is missing here; add number:",
        ),
        ("editions.yaml", "    name: Laws of Duplicate Bridge 2007\n", "the key 'name' is missing here; add name:"),
        ("vocabulary.yaml", "    means: How far the board has come.\n", "the key 'means' is missing here; add means:"),
    ],
)
def test_a_required_key_that_was_removed_is_told_where(file: str, line: str, message: str, tmp_path: Path) -> None:
    copy = tmp_path / "our-law"
    shutil.copytree(RULES, copy)
    path = copy / file
    text = path.read_text(encoding="utf-8")
    assert text.count(line) == 1
    path.write_text(text.replace(line, ""), encoding="utf-8")
    _, problems = read_law(copy)
    assert problems
    first = next(problem for problem in problems if problem.file == str(path))
    assert first.line > 0
    assert str(first).endswith(message)
