"""`bridgelaws diff`: which clauses changed between editions, and what in them, held against a list made by hand."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bridgelaws.casebook.running import read_cases
from bridgelaws.cli import main
from bridgelaws.cli.columns import Columns, changed_cells
from bridgelaws.cli.comparing import report_lines
from bridgelaws.compare.choosing import selected, sides_named
from bridgelaws.compare.diff import Change, ClauseChange, Comparison, Group, compare
from bridgelaws.compare.impact import ChangedCase, Pair, changed_cases
from bridgelaws.compare.meaning import aligned, meaning
from bridgelaws.compare.report import make_report, report_json
from bridgelaws.compare.schema import diff_schema
from bridgelaws.compare.telling import ChangeTold, Told, tell
from bridgelaws.compare.words import differing_words
from bridgelaws.lawbook.clauses import LawRule
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.pages.differences import report_page
from bridgelaws.pages.differences_markdown import report_markdown
from bridgelaws.pages.html import tag

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"

Between = Callable[..., Comparison]


@pytest.fixture(scope="module")
def between() -> Between:
    """The shipped editions of these names compared, once for all tests."""
    known: dict[tuple[str, ...], Comparison] = {}

    def compared(*names: str, law: str = "") -> Comparison:
        if names not in known:
            known[names] = compare(sides_named(names, load_law(), None))
        return selected(known[names], law)

    return compared


def labels(comparison: Comparison, group: Group) -> dict[str, str]:
    return {" → ".join(each.numbers): each.steps[0].label for each in comparison.groups[group]}


def change_of(comparison: Comparison, number: str, step: int = 0) -> ClauseChange:
    (found,) = (each for each in comparison.clauses if number in each.numbers)
    return found.steps[step]


def told_of(comparison: Comparison, number: str, step: int = 0) -> ChangeTold:
    return tell(change_of(comparison, number, step), *comparison.sides[step : step + 2])


def parts_of(told: ChangeTold) -> dict[str, list[Told]]:
    return {rule.name: list(rule.parts) for rule in told.rules}


# What is known of the editions


def test_law_46_from_1997_to_2007(between: Between) -> None:
    found = between("1997", "2007", law="46")
    assert labels(found, Group.effect) == {"46B1(b)": "split off from 46B1 and changed", "46B3(a)": "changed"}
    assert labels(found, Group.moved) == {
        "46B1 → 46B1(a)": "renumbered, split and reworded",
        "46B1(c)": "split off from 46B1",
    }
    assert labels(found, Group.wording) == {}
    assert set(labels(found, Group.unchanged)) == {"46A", "46B", "46B2", "46B3(b)", "46B4", "46B5"}


def test_to_win_is_from_2007_on_the_lowest_card_known_to_win(between: Between) -> None:
    found = between("1997", "2007", law="46")
    change = change_of(found, "46B1(b)")
    assert change.split_from is not None and "lowest winning card" in change.split_from.version.gist
    assert change.after is not None and "known that it will win" in change.after.version.gist
    parts = parts_of(told_of(found, "46B1(b)"))
    (exception,) = parts["the lowest card that is known to win"]
    assert exception.part == "unless"
    assert exception.before.endswith("lower than the card beats the cards already in the trick")
    assert exception.after == ""
    questions = {
        "whether the trick can be ruffed",
        "whether declarer's own cards matter",
        "declarer's own cards matter",
    }
    assert set(parts) == {"the lowest card that is known to win"} | questions


def test_a_rank_alone_goes_on_with_the_suit_from_2007_on_only_when_dummy_leads(between: Between) -> None:
    parts = parts_of(told_of(between("1997", "2007", law="46"), "46B3(a)"))
    assert parts == {"the suit goes on": [Told("when", "", "the card called from dummy is a lead")]}


def test_law_45_from_2007_to_2017(between: Between) -> None:
    found = between("2007", "2017", law="45")
    assert labels(found, Group.effect) == {
        "45C1": "changed",
        "45C2": "changed",
        "45C3": "changed",
        "45C4(a)": "changed",
        "45C4(b)": "changed",
        # That a wrong card which stays can be a revoke is said in 45D2 now.
        "45D → 45D1": "renumbered, split and changed",
        "45D2": "new",
    }
    assert labels(found, Group.moved) == {}
    assert labels(found, Group.wording) == {}
    assert set(labels(found, Group.unchanged)) == {"45A", "45B", "45C5", "45E1", "45E2", "45F", "45G"}


@pytest.mark.parametrize(
    ("number", "who", "rules"),
    [
        (
            "45C1",
            "the defender",
            ["it goes to the current trick", "the card held out by the next hand goes to the current trick"],
        ),
        ("45C2", "declarer", ["at the table, or kept as if played"]),
        ("45C3", "dummy", ["a touched card"]),
        ("45C4(a)", "the player", ["the designated card"]),
    ],
)
def test_what_must_be_played_is_in_2017_deemed_played(
    number: str, who: str, rules: list[str], between: Between
) -> None:
    parts = parts_of(told_of(between("2007", "2017", law="45"), number))
    must, played = f"then {who} must play the card", f"then the card is played from {who}'s hand"
    turned = {
        name
        for name, found in parts.items()
        if any(must in f"{each.part} {each.before}" and played in f"{each.part} {each.after}" for each in found)
    }
    assert turned == set(rules)


def test_a_change_of_designation_is_in_2017_only_for_dummys_card_and_without_the_test_of_a_pause(
    between: Between,
) -> None:
    parts = parts_of(told_of(between("2007", "2017", law="45"), "45C4(b)"))
    assert Told("when", "", "the player is dummy") in parts["the change is allowed"]
    pause = "Was there a pause for thought"
    (thought,) = (each for each in parts["the change is allowed"] if pause in each.before)
    assert pause not in thought.after
    gone = {name for name, found in parts.items() if found[0].part == "rule" and not found[0].after}
    assert {"partner has played on to the trick", "partner has played on to a later trick"} <= gone


def test_law_45_from_1997_to_2007(between: Between) -> None:
    found = between("1997", "2007", law="45")
    assert labels(found, Group.effect) == {"45C4(b)": "changed", "45D": "changed", "45F": "changed"}
    assert labels(found, Group.moved) == {}
    parts = parts_of(told_of(found, "45C4(b)"))
    assert parts["the change is allowed"] == [
        Told("unless", "", "it is too late to change the designation of the second card")
    ]
    assert list(parts_of(told_of(found, "45D"))) == ["declarer's right-hand opponent changes his card"]


def test_law_46_from_2007_to_2017(between: Between) -> None:
    found = between("2007", "2017", law="46")
    assert labels(found, Group.effect) == {"46B1(a)": "changed", "46B1(c)": "changed", "46B3(a)": "changed"}
    assert labels(found, Group.moved) == {}
    for number in ("46B1(a)", "46B1(c)"):
        change = change_of(found, number)
        assert change.before is not None and "suit led" not in change.before.version.gist
        assert change.after is not None and "of the suit led" in change.after.version.gist
        assert any(name.endswith("card of the suit led") for name in parts_of(told_of(found, number)))
    (won,) = parts_of(told_of(found, "46B3(a)"))["the suit goes on"]
    assert won == Told(
        "when",
        "dummy won an earlier trick and the suit led is the card's suit",
        "dummy won an earlier trick with a card of the same suit",
    )


def test_45c4b_was_rewritten_twice(between: Between) -> None:
    found = between("1997", "2007", "2017", law="45")
    steps = [change_of(found, "45C4(b)", step).change for step in (0, 1)]
    assert steps == [Change.changed, Change.changed]


def test_a_clause_is_found_again_under_its_other_numbers(between: Between) -> None:
    found = between("1997", "2007", "2017", law="23")
    assert [each.numbers for each in found.clauses] == [("72B1", "23", "72C")]
    placed = change_of(between("1997", "2007"), "70E1")
    assert (placed.label, placed.group) == ("renumbered", Group.moved)


def test_a_reference_that_follows_a_renumbered_clause_is_no_difference(between: Between) -> None:
    seen = change_of(between("2007", "2017"), "47E2(a)")
    assert seen.before is not None and seen.after is not None
    assert "16D" in seen.before.version.see and "16C" in seen.after.version.see
    assert [each.what for each in seen.words if each.what == "see"] == []


def test_backwards_a_clause_that_was_split_off_is_merged(between: Between) -> None:
    found = between("2007", "1997", law="46")
    assert change_of(found, "46B1(c)").label == "merged into 46B1"
    assert change_of(found, "46B1(b)").label == "merged into 46B1"
    assert change_of(found, "46B1(a)").label == "renumbered and changed"
    assert between("2017", "2007", law="45").summary(0)["repealed"] == 1


# Whether two rules mean the same


def rule(text: str, folder: Path) -> LawRule:
    """A rule of a draft."""
    (folder / "99-trial").mkdir(exist_ok=True)
    head = 'title: Trial\nversions:\n  - since: "2017"\n    number: 99A\n    gist: A trial.\n    rules:\n'
    (folder / "99-trial" / "A.yaml").write_text(f"{head}      - name: it\n{text}", encoding="utf-8")
    (found,) = load_law(folder).edition("2017").provision("99A").version.rules
    return found


BLOCK = """
        when:
          - player: {seat: $player, role: defender, partner: $partner}
          - holds: {player: $player, card: {is: $card, suit: $suit}}
          - played: {player: $partner, trick: {at_least: 3}, card: {suit: $suit}}
        unless:
          - holds: {player: $partner, card: {suit: $suit}}
          - - trumps: {suit: $other}
            - holds: {player: $player, card: {suit: $other, not: $card}}
        then:
          - may_not_play: {player: $player, card: $card}
            because: because of {suit}
"""
SAME = """
        when:
          - played: {card: {suit: $colour}, player: $mate, trick: {above: 2}}
          - holds: {card: {suit: $colour, is: $it}, player: $one}
          - player: {partner: $mate, seat: $one, role: {one_of: [defender]}}
        unless:
          - - holds: {player: $one, card: {not: $it, suit: $trump}}
            - trumps: {suit: $trump}
          - holds: {card: {suit: $colour}, player: $mate}
        then:
          - may_not_play: {card: $it, player: $one}
            because: because of {colour}
"""


def same(first: str, second: str, folder: Path) -> bool:
    law = load_law()
    old, new = (meaning(rule(text, folder), law.vocabulary) for text in (first, second))
    return aligned(old, new).same


def test_names_and_order_and_layout_do_not_matter(tmp_path: Path) -> None:
    assert same(BLOCK, SAME, tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("role: defender", "role: declarer"),
        ("at_least: 3", "at_least: 4"),
        ("player: $partner, card: {suit: $suit}", "player: $player, card: {suit: $suit}"),
        ("          - holds: {player: $partner, card: {suit: $suit}}\n", ""),
        ("suit: $other, not: $card", "suit: $other"),
        ("because of {suit}", "because of {player}"),
        ("            because", "            force: must\n            because"),
        ("role: defender, ", ""),
    ],
)
def test_any_other_difference_matters(old: str, new: str, tmp_path: Path) -> None:
    changed = BLOCK.replace(old, new, 1)
    assert old in BLOCK and changed != BLOCK
    assert not same(BLOCK, changed, tmp_path)


SHIPPED = [each.rule for each in load_law().edition("2017").rules]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SHIPPED), st.randoms(use_true_random=False))
def test_a_shipped_rule_means_the_same_in_any_order(found: LawRule, chance: object) -> None:
    def shuffled(items: tuple[object, ...]) -> tuple[object, ...]:
        listed = list(items)
        chance.shuffle(listed)  # type: ignore[attr-defined]
        return tuple(listed)

    vocabulary = load_law().vocabulary
    other = replace(
        found,
        when=shuffled(found.when),
        unless=shuffled(tuple(shuffled(each) for each in found.unless)),
        then=shuffled(found.then),
    )
    assert aligned(meaning(found, vocabulary), meaning(other, vocabulary)).same
    if found.unless:
        fewer = replace(found, unless=found.unless[1:])
        assert not aligned(meaning(found, vocabulary), meaning(fewer, vocabulary)).same


# Drafts

HONOUR = ROOT / "rules" / "00-definitions" / "honour.yaml"


def drafted(folder: Path, edit: Callable[[str], str], path: Path = HONOUR) -> Path:
    """A draft that changes one shipped clause in place."""
    target = folder / path.parent.name / path.name
    target.parent.mkdir(parents=True, exist_ok=True)
    text = re.sub(r'since: "\d+"', 'since: "2017"', path.read_text(encoding="utf-8"))
    target.write_text(edit(text), encoding="utf-8")
    return folder


def with_draft(folder: Path, number: str) -> tuple[Comparison, ClauseChange]:
    found = compare(sides_named(["2017"], load_law(), load_law(folder)))
    return found, change_of(found, number)


def test_a_draft_that_overrides_an_edition_is_compared_with_it(tmp_path: Path) -> None:
    folder = drafted(tmp_path, lambda text: text.replace("          - honour: {rank: T}\n", ""))
    found, change = with_draft(folder, "Definition of honour")
    assert [side.label for side in found.sides] == ["2017", "2017 as drafted"]
    assert change.change is Change.changed
    (told,) = told_of(found, "Definition of honour").rules
    assert told.parts == (Told("then", "the ten is an honour", ""),)
    assert found.summary(0)["changed"] == 1


def test_another_gist_is_wording_only(tmp_path: Path) -> None:
    folder = drafted(tmp_path, lambda text: re.sub(r"gist: .*", "gist: The ten and what is above it.", text))
    _, change = with_draft(folder, "Definition of honour")
    assert (change.label, change.group) == ("wording only", Group.wording)
    assert [each.what for each in change.words] == ["gist"]


def test_a_clause_written_otherwise_is_unchanged(tmp_path: Path) -> None:
    ranks = "".join(f"          - honour: {{rank: {rank}}}\n" for rank in ("10", "jack", "Q", "king", "ace"))
    folder = drafted(tmp_path, lambda text: text[: text.index("          - honour")] + ranks)
    _, change = with_draft(folder, "Definition of honour")
    assert change.change is Change.unchanged


TURN = ROOT / "rules" / "45-card-played" / "G-turning-the-trick.yaml"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("force: should", "force: must", "force"),
        ("in_trick: {position: 4}", "in_trick: {position: 3}", "unless"),
        ("card_turned_early: {player: $player}", "card_turned_early: {player: $player}\n          - now: {}", "when"),
    ],
)
def test_each_part_of_a_rule_is_told_alone(old: str, new: str, told: str, tmp_path: Path) -> None:
    folder = drafted(tmp_path, lambda text: text.replace(old, new), TURN)
    found, change = with_draft(folder, "45G")
    assert change.change is Change.changed
    (changed,) = told_of(found, "45G").rules
    assert [part.part for part in changed.parts] == [told]


def test_the_force_is_told_with_what_it_is_the_force_of(tmp_path: Path) -> None:
    folder = drafted(tmp_path, lambda text: text.replace("force: should", "force: must"), TURN)
    found, _ = with_draft(folder, "45G")
    (part,) = told_of(found, "45G").rules[0].parts
    assert part.before.startswith("should: ") and part.after.startswith("must: ")
    assert part.before.removeprefix("should: ") == part.after.removeprefix("must: ")


def test_a_number_alone_is_renumbered(tmp_path: Path) -> None:
    folder = drafted(tmp_path, lambda text: text.replace("number: 45G", "number: 45H"), TURN)
    found = compare(sides_named(["2017"], load_law(), load_law(folder)))
    assert labels(found, Group.moved) == {"45G → 45H": "renumbered"}


def test_a_repealed_clause_and_a_new_one(tmp_path: Path) -> None:
    drafted(tmp_path, lambda text: text[: text.index("    gist")] + "    repealed: true\n", TURN)
    rule(BLOCK, tmp_path)
    found = compare(sides_named(["2017"], load_law(), load_law(tmp_path)))
    assert labels(found, Group.effect) == {"45G": "repealed", "99A": "new"}


def test_another_announcement_is_told_where_it_is_announced(tmp_path: Path) -> None:
    vocabulary = (ROOT / "rules" / "vocabulary.yaml").read_text(encoding="utf-8")
    kind = re.search(r"^  card_stays_faced:\n(?:    .*\n)+", vocabulary, re.MULTILINE)
    assert kind
    text = "kinds:\n" + re.sub(r"    say: .*", '    say: "{player} leaves it"', kind[0])
    (tmp_path / "vocabulary.yaml").write_text(text, encoding="utf-8")
    _, change = with_draft(tmp_path, "45G")
    (words,) = change.words
    assert (words.what, words.after) == ("how card_stays_faced is announced", "{player} leaves it")
    assert change.change is Change.wording


# Cases


def case_changes(law: Law, *paths: str, about: set[str] | None = None) -> list[ChangedCase]:
    read = [each for path in paths for each in read_cases(CASES / path, law)]
    pair = Pair(law.edition("2007"), law.edition("2017"))
    return list(changed_cases(pair, read, about=about, cited=False))


def test_a_case_is_told_under_the_clauses_behind_what_differs(law: Law) -> None:
    (case,) = case_changes(law, "46-designation/B3a-after-a-ruff.yaml")
    assert "46-designation/B3a-rank-continues-the-suit" in case.files
    assert any(line.startswith("Declarer must say which card") for line in case.before)
    assert any("called ♠T" in line for line in case.after)


def test_a_line_that_only_cites_another_number_is_no_difference(law: Law) -> None:
    path = CASES / "12-adjusted-score" / "C-by-edition.yaml"
    read, pair = read_cases(path, law), Pair(law.edition("2007"), law.edition("2017"))
    assert any("50E3" in line for each in changed_cases(pair, read) for line in each.before)
    assert not any(
        "exposed card helped" in line for each in changed_cases(pair, read, cited=False) for line in each.before
    )


def test_a_case_that_cannot_reach_a_clause_is_not_ruled_on(law: Law) -> None:
    paths = "46-designation/B3a-after-a-ruff.yaml", "50-penalty-card/B-the-nine-is-not.yaml"
    rank = {"46-designation/B3a-rank-continues-the-suit"}
    assert [case.path.stem for case in case_changes(law, *paths, about=rank)] == ["B3a-after-a-ruff"]
    assert len(case_changes(law, *paths)) == 2


def test_leaving_out_cases_that_cannot_reach_a_clause_loses_none(law: Law) -> None:
    clauses = {each.id for each in law.clauses if each.law == "46-designation"}
    everything = case_changes(law, "46-designation", "58-simultaneous-plays")
    kept = case_changes(law, "46-designation", "58-simultaneous-plays", about=clauses)
    assert [case for case in everything if case.files & clauses] == [case for case in kept if case.files & clauses]
    assert kept


# The command


Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command in a folder of its own: what it prints, what it complains of, and its exit status."""

    def called(*words: object, columns: int = 100) -> tuple[str, str, int]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["bridgelaws", "diff", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return out, err, int(ended.value.code or 0)

    return called


def test_the_text_stands_in_two_columns_without_colour(run: Run) -> None:
    out, err, status = run("1997", "2007", "--law", "46")
    assert (err, status) == ("", 0)
    assert "\x1b" not in out
    lines = out.splitlines()
    assert lines[0] == "46B1(b) Told to win the trick: split off from 46B1 and changed"
    assert re.fullmatch(r"  1997: 46B1 +│ 2007: 46B1\(b\)", lines[1])
    assert re.search(r"^ {50}│ \+ when the card called from dummy is a lead$", out, re.MULTILINE)
    assert lines[-1] == "1997 → 2007: 2 changed, 1 renumbered, 2 split off, 6 unchanged"
    assert max(map(len, lines)) <= 100


def test_on_a_narrow_screen_the_columns_are_stacked(run: Run) -> None:
    out, _, _ = run("2007", "2017", "--clause", "45C3", columns=60)
    assert "│" not in out
    assert "  2007  - then dummy must play the card\n  2017  + then the card is played from dummy's hand\n" in out
    three, _, _ = run("1997", "2007", "2017", "--clause", "46B3(a)", columns=100)
    assert "│" not in three and "  2007  + when the card called from dummy is a lead\n" in three


def test_three_editions_stand_in_three_columns(run: Run) -> None:
    out, _, _ = run("1997", "2007", "2017", "--clause", "46B3(a)", columns=140)
    assert re.search(r"^  1997: 46B3\(a\) +│ 2007: 46B3\(a\) +│ 2017: 46B3\(a\)$", out, re.MULTILINE)
    assert re.search(r"^ +│ \+ when the card called from dummy is a lead +│$", out, re.MULTILINE)
    assert re.search(r"^ +│ - when dummy won .* │ \+ when dummy won", out, re.MULTILINE)
    assert "  1997 → 2007: changed\n" in out and "  2007 → 2017: changed\n" in out


def test_a_word_that_is_longer_than_a_column_is_broken() -> None:
    columns = Columns(("a", "b"), 80, lambda text, *_: text)
    rows = list(columns.row(changed_cells("x" * 100, "")))
    assert len(rows) == 3 and max(map(len, rows)) <= 80


def test_colour_marks_what_came_and_went_and_the_words_that_differ(between: Between) -> None:
    report = make_report(between("2007", "2017", law="45"))
    painted: dict[str, set[tuple[str, bool]]] = {}

    def paint(text: str, part: str, bold: bool) -> str:
        painted.setdefault(text, set()).add((part, bold))
        return text

    list(report_lines(report, 100, paint, everything=False))
    assert ("gone", True) in painted["must be"]
    assert ("come", True) in painted["is"]
    assert {"- ", "+ "} <= set(painted)


def test_all_also_lists_the_unchanged_clauses_and_every_case(run: Run) -> None:
    cases = CASES / "46-designation"
    few, _, _ = run("2007", "2017", "--clause", "46B1(c)", "--cases", cases)
    assert "more: --all lists them" in few
    out, _, _ = run("2007", "2017", "--law", "46", "--all", "--cases", cases)
    assert "more: --all" not in out
    assert "Unchanged\n  46A How declarer designates a card of dummy\n" in out
    assert "46A" not in run("2007", "2017", "--law", "46")[0]


def test_the_cases_that_are_ruled_differently_are_shown_with_both_rulings(run: Run) -> None:
    out, _, _ = run("1997", "2007", "--clause", "46B3(a)", "--cases", CASES / "46-designation")
    assert "• 1 case is ruled differently\n    King, after dummy won in spades" in out
    assert re.search(r"^  - North must play ♠K +│ \+ ", out, re.MULTILINE)
    assert re.search(r"│ \+ Declarer must say which card of that rank$", out, re.MULTILINE)
    assert "ruled differently" not in run("1997", "2007", "--clause", "46B3(a)", "--no-cases")[0]


def test_the_cases_beside_the_rules_are_used_without_asking(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "cases" / "46-designation"
    folder.mkdir(parents=True)
    shutil.copy(CASES / "46-designation" / "B3a-not-leading.yaml", folder)
    assert "1 case is ruled differently" in run("1997", "2007", "--law", "46")[0]
    assert "ruled differently" not in run("1997", "2007", "--law", "46", "--no-cases")[0]


def test_nothing_changed(run: Run) -> None:
    assert run("1997", "2007", "--law", "44") == ("1997 → 2007: no clause differs\n1997 → 2007: 7 unchanged\n", "", 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1997", "2008"], "there is no edition '2008'; did you mean '2007'?"),
        (["1997", "1997"], "the 1997 edition is named twice; name two editions, or a draft with --laws"),
        (["1997"], "there is only one edition to compare; name two editions, or a draft with --laws"),
        (
            ["1997", "2007", "--clause", "46B9"],
            "none of the editions compared has a clause '46B9'; did you mean '46B'?",
        ),
        (["1997", "2007", "--law", "45", "--clause", "46A"], "law 45 of the editions compared has no clause '46A'"),
        (
            ["1997", "2007", "--law", "99"],
            "none of the editions compared has a law '99' that is encoded; there are laws 12",
        ),
        (["1997", "2007", "--laws", "nowhere"], "there is no folder 'nowhere'; --laws takes a folder of rules"),
        (["1997", "2007", "--cases", "nowhere"], "there is no folder 'nowhere'; name a folder of case files"),
    ],
)
def test_a_call_that_cannot_be_is_refused(words: list[str], message: str, run: Run) -> None:
    out, err, status = run(*words)
    assert (out, status) == ("", 2)
    assert err.startswith(message) and err.count("\n") == 1


def test_a_draft_that_does_not_load_is_told_with_its_place(run: Run, tmp_path: Path) -> None:
    folder = drafted(tmp_path / "bad", lambda text: text.replace("gist:", "gits:"))
    out, err, status = run("2017", "--laws", folder)
    assert (out, status) == ("", 1)
    assert "there is no key 'gits' here; did you mean 'gist'?" in err


def test_cases_that_were_named_must_be_readable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text("tabel: {}\n", encoding="utf-8")
    _, err, status = run("1997", "2007", "--law", "46", "--cases", tmp_path / "case.yaml")
    assert status == 1 and "tabel" in err


# Pages and messages


STRANGE = "<script>alert(1)</script> & *stars* | `code`"


@pytest.fixture
def strange(tmp_path: Path) -> Comparison:
    """A comparison with a draft whose texts would break a careless page."""

    def edit(text: str) -> str:
        text = text.replace("- name: turned too early", f"- name: '{STRANGE}'").replace("force: should", "force: must")
        return re.sub(r"gist: .*", f"gist: '{STRANGE}'", text).replace(
            "title: Turning the trick", f"title: '{STRANGE}'"
        )

    return with_draft(drafted(tmp_path / "strange", edit, TURN), "45G")[0]


def test_the_page_escapes_everything_and_needs_no_other_file(strange: Comparison) -> None:
    page = report_page(make_report(strange), everything=True)
    assert "<script" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "@import" not in page and "url(" not in page
    assert page.count("</style>") == 1


def test_the_links_of_the_page_lead_to_its_clauses(between: Between) -> None:
    page = report_page(make_report(between("2007", "2017", law="45")), everything=False)
    linked = re.findall(r'href="#([^"]+)"', page)
    assert len(linked) == 7
    assert set(linked) <= set(re.findall(r'id="([^"]+)"', page))


def test_the_page_has_a_cell_an_edition_and_stacks_them_on_a_phone(between: Between) -> None:
    page = report_page(make_report(between("1997", "2007", "2017", law="46")), everything=False)
    assert 'style="--columns: 3"' in page
    narrow = page.split("@media (max-width: 44rem)")[1].split("}\n")[0]
    assert "grid-template-columns: minmax(0, 1fr)" in narrow


def test_the_markdown_escapes_everything(strange: Comparison) -> None:
    text = report_markdown(make_report(strange), everything=False)
    assert "<script" not in text.replace("\\<script", "")
    assert r"\*stars\* \|" in text
    (header,) = (line for line in text.splitlines() if line.startswith("| 2017"))
    assert len(re.findall(r"(?<!\\)\|", header)) == 3


def test_the_markdown_tells_what_was_removed_and_added(run: Run) -> None:
    out, _, _ = run("1997", "2007", "--law", "46", "-f", "markdown", "--cases", CASES / "46-designation")
    assert "### 46B3(a) A rank without a suit, after dummy has won a trick: changed\n" in out
    assert "| 1997: 46B3(a) | 2007: 46B3(a) |\n| --- | --- |\n" in out
    assert "- **the suit goes on** (rule changed)\n  - added: *when* the card called from dummy is a lead\n" in out
    assert "Ruled differently (1):\n\n- King, after dummy won" in out
    three, _, _ = run("1997", "2007", "2017", "--law", "44", "-f", "markdown", "--all")
    assert "## Unchanged\n\n- 44A" in three
    assert "No clause differs." in run("1997", "2007", "--law", "44", "-f", "markdown")[0]


@pytest.mark.parametrize("names", [("1997", "2007"), ("2007", "1997"), ("1997", "2007", "2017")])
def test_the_json_is_what_its_schema_says(names: tuple[str, ...], run: Run) -> None:
    out, _, status = run(*names, "-f", "json")
    told = json.loads(out)
    assert status == 0
    Draft202012Validator(diff_schema()).validate(told)
    assert told["editions"] == list(names)
    assert {len(each["numbers"]) for each in told["clauses"]} == {len(names)}
    assert all(step["cases"] is None for each in told["clauses"] for step in each["steps"])


def test_the_json_lists_the_cases_if_they_were_ruled_on(run: Run) -> None:
    out, _, _ = run("1997", "2007", "--law", "46", "-f", "json", "--cases", CASES / "46-designation")
    told = json.loads(out)
    Draft202012Validator(diff_schema()).validate(told)
    (clause,) = (each for each in told["clauses"] if each["numbers"] == ["46B3(a)", "46B3(a)"])
    (case,) = clause["steps"][0]["cases"]
    assert case["file"].endswith("B3a-not-leading.yaml") and case["before"] and case["after"]


@pytest.mark.parametrize("format", ["text", "markdown", "html", "json"])
def test_it_is_written_to_a_file(format: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "made" / "here"
    out, _, status = run("1997", "2007", "--clause", "46B3(a)", "-f", format, "--out", path)
    assert (out, status) == (f"{path}\n", 0)
    assert "the card called from dummy is a lead" in path.read_text(encoding="utf-8")


def test_a_witness_is_shown_with_the_clause_it_is_about(between: Between) -> None:
    report = make_report(between("1997", "2007", "2017", law="46"))
    key = (1, "46-designation/B3a-rank-continues-the-suit")
    lines = list(report_lines(report, 140, lambda text, *_: text, everything=False, witnesses={key: "one\ntwo"}))
    assert lines.index("  one") + 1 == lines.index("  two")
    assert lines.index("  one") > lines.index("46B3(a) A rank without a suit, after dummy has won a trick")
    assert "\n\n**one**\n" in report_markdown(report, everything=False, witnesses={key: "**one**"})
    page = report_page(report, everything=False, witnesses={key: tag("p", "one & two")})
    assert "<p>one &amp; two</p></article>" in page
    found = {"none": "no difference within 3 cards a hand, 3 reports", "proven": True}
    told = report_json(report, {key: found})
    Draft202012Validator(diff_schema()).validate(told)
    assert [step["witness"] for each in told["clauses"] for step in each["steps"] if "witness" in step] == [found]


def test_only_words_that_differ_are_marked() -> None:
    old, new = differing_words("the card must be played", "the card is played")
    assert [word for word, differs in old if differs] == ["must", "be"]
    assert [word for word, differs in new if differs] == ["is"]
    unlike = differing_words("one thing", "quite another matter altogether")
    assert not any(differs for words in unlike for _, differs in words)


def test_the_page_shows_the_cases_and_says_when_nothing_differs(run: Run) -> None:
    page, _, _ = run("1997", "2007", "--law", "46", "-f", "html", "--cases", CASES / "46-designation")
    assert "<summary>1 case is ruled differently</summary>" in page
    assert "<summary>3 cases are ruled differently</summary>" in page
    assert 'Declarer is taken to have called <span class="spades">♠K</span>' in page
    assert "No clause differs." in run("1997", "2007", "--law", "44", "-f", "html")[0]


def test_a_case_that_one_edition_cannot_rule_on_says_why(law: Law) -> None:
    pair = Pair(law.edition("2017"), law.edition("2017"))
    (read,) = read_cases(CASES / "46-designation" / "B3a-not-leading.yaml", law)
    assert list(changed_cases(pair, [read])) == []
    without = replace(law.vocabulary, kinds={n: k for n, k in law.vocabulary.kinds.items() if n != "designation"})
    lame = replace(law.edition("2007"), vocabulary=without)
    (case,) = changed_cases(Pair(law.edition("2007"), lame), [read], about={"45-card-played/G-turning-the-trick"})
    assert any("designation" in line for line in case.after)
