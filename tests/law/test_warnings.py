"""Warnings: what they find, and what they leave alone because it may well be meant."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from bridgelaws.casebook.reaching import unreached_clauses
from bridgelaws.casebook.running import read_cases
from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook import sources
from bridgelaws.lawbook.law import read_law
from bridgelaws.lawbook.warnings import law_warnings

HERE = Path(__file__).parent

SHOWN = "- shown: {player: $player, card: $card}"
STAYS = "- stays: {player: $player, card: $card}"
RETURNS = "- returns: {player: $player, card: $card}"


@pytest.fixture(autouse=True)
def _base_is_the_shipped_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "shipped", lambda _: HERE / "base")


def rule(name: str, when: str, unless: str = "", then: str = STAYS, key: str = "then") -> str:
    parts = [f"- name: {name}", "  when:", textwrap.indent(when, "    ")]
    parts += ["  unless:", textwrap.indent(unless, "    ")] if unless else []
    return "\n".join([*parts, f"  {key}:", textwrap.indent(then, "    ")])


def version(*rules: str, since: str = "2017", gist: str = "It says something.", number: str = "60A") -> str:
    head = f'  - since: "{since}"\n    number: {number}\n    gist: {gist}\n    rules:\n'
    return head + textwrap.indent("\n".join(rules), "      ") + "\n"


def clause(folder: Path, *versions: str, name: str = "A") -> Path:
    path = folder / "60-more" / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("title: A clause\nversions:\n" + "".join(versions), encoding="utf-8")
    return folder


def warned(folder: Path) -> list[Diagnostic]:
    law, problems = read_law(folder)
    assert law is not None
    assert problems == []
    return law_warnings(law)


def codes(folder: Path, *rules: str) -> list[str]:
    return [each.code for each in warned(clause(folder, version(*rules)))]


@pytest.mark.parametrize(
    "when",
    [
        "- shown: {player: $player, card: $card, trick: {above: 9, below: 5}}",
        "- shown: {player: $player, card: $card, trick: {above: 4, below: 5}}",
        "- shown: {player: $player, card: $card, trick: {above: 99}}",
        "- shown: {player: $player, card: $card, manner: {is: dropped, not: dropped}}",
        "- shown: {player: $player, card: $card, manner: {is: dropped, one_of: [played]}}",
        "- shown: {player: $player, card: {is: $card, rank: {above: A}}}",
        "- shown: {player: $player, card: {is: $card, not: $card}}",
        "- holds: {player: $player, card: {is: D8, suit: S}}\n" + SHOWN,
        "- now: {trick: {is: $t, above: 9}}\n- shown: {player: $player, card: $card, trick: {is: $t, below: 5}}",
        "- now: {trick: $now}\n- shown: {player: $player, card: $card, trick: {above: $now, at_most: $now}}",
    ],
)
def test_tests_that_contradict_each_other_let_a_rule_never_fire(when: str, tmp_path: Path) -> None:
    assert codes(tmp_path, rule("it stays", when)) == ["never-fires"]


@pytest.mark.parametrize(
    "when",
    [
        "- shown: {player: $player, card: $card, trick: {above: 4, below: 6}}",
        "- shown: {player: $player, card: $card, trick: {at_least: 99}}",
        "- shown: {player: $player, card: {is: $card, rank: {at_least: A}}}",
        "- holds: {player: $player, card: {is: D8, suit: D}}\n" + SHOWN,
        "- now: {trick: $now}\n- shown: {player: $player, card: $card, trick: {at_least: $now, at_most: $now}}",
        "- holds: {player: $player, card: H2}\n- holds: {player: $player, card: H3}\n" + SHOWN,
    ],
)
def test_tests_that_can_all_hold_are_left_alone(when: str, tmp_path: Path) -> None:
    assert codes(tmp_path, rule("it stays", when)) == []


def test_a_condition_that_is_also_an_exception_lets_a_rule_never_fire(tmp_path: Path) -> None:
    same = "- shown: {player: $player}"
    (found,) = warned(clause(tmp_path, version(rule("it stays", SHOWN, unless=same))))
    assert found.code == "never-fires"
    assert "this exception holds whenever its conditions do" in found.message
    assert (found.line, found.column) == (11, 13)


@pytest.mark.parametrize(
    "unless",
    [
        "- shown: {player: $player, manner: dropped}",
        "- shown: {player: $player, manner: played}\n- now: {trick: 3}",
        "- - shown: {player: $player}\n  - now: {trick: 3}",
        "- shown: {card: {not: $card}}\n- faced: {player: $player}",
    ],
)
def test_an_exception_that_says_more_than_the_conditions_is_left_alone(unless: str, tmp_path: Path) -> None:
    assert codes(tmp_path, rule("it stays", SHOWN, unless=unless)) == []


def test_an_exception_whose_tests_contradict_the_conditions_never_holds(tmp_path: Path) -> None:
    when = "- shown: {player: $player, card: $card, trick: {is: $trick, below: 5}}"
    (found,) = warned(
        clause(tmp_path, version(rule("it stays", when, unless="- now: {trick: {is: $trick, above: 9}}")))
    )
    assert (found.code, found.severity) == ("exception-never-holds", "warning")
    assert found.hint == "drop the exception or mend the test"


def add_kind(folder: Path, name: str = "lifted", values: str = "") -> None:
    fields = f"{{player: seat, how: {{type: one_of, values: {{{values}}}}}}}" if values else "{player: seat}"
    text = f'kinds:\n  {name}:\n    source: derived\n    means: A.\n    fields: {fields}\n    say: "{{player}}"\n'
    (folder / "vocabulary.yaml").write_text(text, encoding="utf-8")


def test_a_rule_that_waits_for_what_no_rule_of_its_edition_concludes_never_fires(tmp_path: Path) -> None:
    add_kind(tmp_path)
    lifts = rule(
        "it is lifted", SHOWN.replace(", card: $card", ", manner: dropped"), then="- lifted: {player: $player}"
    )
    reads = rule("it stays", "- lifted: {player: $player}\n" + SHOWN)
    assert warned(clause(tmp_path, version(lifts, reads))) == []
    (found,) = warned(clause(tmp_path, version(lifts, reads, since="2007"), version(reads, since="2017")))
    assert (found.code, found.line) == ("never-fires", 24)
    assert found.message == "the rule 'it stays' can never fire: no rule concludes lifted"


def test_a_rule_that_goes_on_without_what_it_needs_is_named_with_the_edition(tmp_path: Path) -> None:
    add_kind(tmp_path)
    lifts = rule(
        "it is lifted", SHOWN.replace(", card: $card", ", manner: dropped"), then="- lifted: {player: $player}"
    )
    reads = rule("it stays", "- lifted: {player: $player}\n" + SHOWN)
    later = '  - since: "2017"\n    number: 60A\n    rules: as before\n    without: [it is lifted]\n'
    (found,) = warned(clause(tmp_path, version(lifts, reads, since="2007"), later))
    assert found.message.endswith("no rule concludes lifted in the 2017 edition")


def test_what_merely_follows_from_a_rule_that_never_fires_is_not_told(tmp_path: Path) -> None:
    add_kind(tmp_path)
    never = "- shown: {player: $player, trick: {above: 9, below: 5}}"
    lifts = rule("it is lifted", never, then="- lifted: {player: $player}")
    reads = rule("it stays", "- lifted: {player: $player}\n" + SHOWN)
    (found,) = warned(clause(tmp_path, version(lifts, reads)))
    assert "'it is lifted'" in found.message


def test_rules_that_only_feed_each_other_never_fire(tmp_path: Path) -> None:
    add_kind(tmp_path)
    circle = rule("it is lifted", "- lifted: {player: $other}\n- player: {seat: $player, partner: $other}")
    circle = circle.replace(STAYS, "- lifted: {player: $player}")
    assert codes(tmp_path, circle) == ["never-fires"]


def test_a_value_that_no_rule_concludes_is_noticed_under_when_and_unless(tmp_path: Path) -> None:
    add_kind(tmp_path, values="high: high, low: low")
    lifts = rule("it is lifted", SHOWN.replace(", card: $card", ""), then="- lifted: {player: $player, how: high}")
    lifts = lifts.replace("$player}\n  then", "$player, manner: dropped}\n  then")
    reads = rule("it stays", "- lifted: {player: $player, how: low}\n" + SHOWN)
    except_low = rule("it goes back", SHOWN, unless="- lifted: {player: $player, how: low}", then=RETURNS)
    found = warned(clause(tmp_path, version(lifts, reads, except_low)))
    assert [each.code for each in found] == ["never-fires", "exception-never-holds"]
    assert all("no rule concludes lifted with these values" in each.message for each in found)
    fine = reads.replace("low", "high")
    assert codes(tmp_path, lifts, fine, except_low.replace("how: low", "how: high")) == []


@pytest.mark.parametrize(
    ("when", "unless"),
    [
        (SHOWN, ""),
        (SHOWN, "- now: {trick: 3}"),
        ("- shown: {player: $player, card: $card, manner: dropped}", ""),
        (SHOWN + "\n- player: {seat: $player, role: defender}", ""),
        ("- shown: {player: $player, card: $card, trick: {below: 5}}", "- faced: {player: $player}"),
    ],
)
def test_a_rule_with_more_conditions_or_exceptions_adds_nothing(when: str, unless: str, tmp_path: Path) -> None:
    general = rule("in general", SHOWN)
    special = rule("in particular", when, unless)
    (found,) = warned(clause(tmp_path, version(general, special)))
    assert found.code == "always-covered"
    assert "'in particular' adds nothing: the rule 'in general'" in found.message
    if (when, unless) != (SHOWN, ""):
        (other_order,) = warned(clause(tmp_path, version(special, general)))
        assert "'in particular' adds nothing" in other_order.message


def test_covering_sees_through_the_names_of_variables_and_through_ranges(tmp_path: Path) -> None:
    general = rule("in general", "- shown: {player: $a, card: $b, trick: {below: 9}}", "- faced: {player: $a}")
    general = general.replace(STAYS, "- stays: {player: $a, card: $b}")
    special = rule("in particular", "- shown: {player: $player, card: $card, trick: 5}", "- faced: {player: $player}")
    assert codes(tmp_path, general, special) == ["always-covered"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("- shown: {player: $player, card: $card, trick: {below: 5}}", ""), (SHOWN.replace("}", ", trick: 5}"), "")),
        (("- shown: {player: $player, card: $card, manner: {not: played}}", ""), (SHOWN, "- now: {trick: 3}")),
        (
            ("- shown: {player: $player, card: $card, trick: $t}\n- now: {trick: $t}", ""),
            ("- shown: {player: $player, card: $card, trick: $t}\n- now: {trick: {above: $t}}", ""),
        ),
        (("- shown: {player: $player, card: $card, trick: {above: 0}}", ""), (SHOWN, "- now: {trick: 3}")),
    ],
)
def test_rules_of_which_neither_covers_the_other_are_left_alone(
    first: tuple[str, str], second: tuple[str, str], tmp_path: Path
) -> None:
    assert codes(tmp_path, rule("the first", *first), rule("the second", *second)) == []


def test_an_exception_that_excepts_more_makes_the_rule_the_narrower_one(tmp_path: Path) -> None:
    narrow = rule("the narrow one", SHOWN, "- faced: {player: $player}")
    wide = rule("the wide one", SHOWN, "- faced: {player: $player, card: $card}")
    (found,) = warned(clause(tmp_path, version(wide, narrow)))
    assert found.code == "always-covered"
    assert "'the narrow one' adds nothing" in found.message


def test_rules_that_conclude_something_else_do_not_cover(tmp_path: Path) -> None:
    forced = rule("by force", SHOWN, "- now: {trick: 3}").replace(STAYS, STAYS + "\n      force: must")
    assert codes(tmp_path, rule("plain", SHOWN), forced) == []


def test_two_clauses_may_say_the_same(tmp_path: Path) -> None:
    clause(tmp_path, version(rule("it stays", SHOWN)))
    assert warned(clause(tmp_path, version(rule("it stays", SHOWN), number="60B"), name="B")) == []


def test_two_rules_that_always_contradict_each_other_are_a_conflict(tmp_path: Path) -> None:
    stays = rule("it stays", SHOWN)
    back = rule("it goes back", SHOWN + "\n- player: {seat: $player, role: defender}", then=RETURNS)
    for rules in ((stays, back), (back, stays)):
        (found,) = warned(clause(tmp_path, version(*rules)))
        assert found.code == "conflict"
        assert found.message.startswith("whenever the rule 'it goes back' fires, so does 60A 'it stays'")


@pytest.mark.parametrize(
    ("unless", "then"),
    [
        ("- player: {seat: $player, role: defender}", STAYS),
        ("", "- stays: {player: S, card: $card}\n- faced: {player: $player, card: $card}"),
        ("", "- faced: {player: $player, card: $card}"),
    ],
)
def test_rules_that_do_not_always_contradict_are_no_conflict(unless: str, then: str, tmp_path: Path) -> None:
    stays = rule("it stays", SHOWN, unless, then)
    back = rule("it goes back", SHOWN + "\n- player: {seat: $player, role: defender}", then=RETURNS)
    assert codes(tmp_path, stays, back) == []


@pytest.mark.parametrize(
    ("gist", "words"),
    [
        ("An ace that was shown stays.", ["ace"]),
        ("The king of hearts that East showed stays.", ["king", "hearts", "East"]),
        ("From the thirteenth trick on it stays.", ["thirteenth"]),
        ("It stays for the last 6 tricks.", ["6 tricks"]),
        ("Spades stay; a card shown in a bridge club on the east coast goes back. See 50E1 and Law 12.", ["Spades"]),
        ("All clubs play it this way, and both partners may look at one or two cards of four hands.", []),
        ("A dropped card stays for eight tricks.", ["eight"]),
        ("A dropped seven stays.", []),
        ("From the eighth trick on, the queen stays.", []),
    ],
)
def test_a_gist_that_names_what_no_rule_names(gist: str, words: list[str], tmp_path: Path) -> None:
    named = "- shown: {player: $player, card: $card, manner: dropped}"
    if not words:
        named += "\n- now: {trick: {above: 7}}\n- holds: {player: $player, card: {rank: {one_of: [7, Q]}}}"
    found = warned(clause(tmp_path, version(rule("it stays", named), gist=gist)))
    assert [each.code for each in found] == ["gist-names"] * len(words)
    assert sorted(each.message.split("'")[1] for each in found) == sorted(words)
    assert {(each.line, each.column) for each in found} <= {(5, 11)}


def test_a_file_with_an_error_is_not_searched_for_warnings_but_the_others_are(tmp_path: Path) -> None:
    never = rule("it stays", "- shown: {player: $player, card: $card, trick: {above: 9, below: 5}}")
    clause(tmp_path, version(never))
    clause(tmp_path, version(never, rule("it goes", "- shwn: {player: $player, card: $card}"), number="60B"), name="B")
    law, problems = read_law(tmp_path)
    assert law is not None
    assert [each.code for each in problems] == ["unknown-kind"]
    assert [(each.code, Path(each.file).name) for each in law_warnings(law, problems)] == [("never-fires", "A.yaml")]


def test_a_rule_that_reads_a_kind_at_fault_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "vocabulary.yaml").write_text("kinds:\n  meant: {source: report}\n", encoding="utf-8")
    clause(tmp_path, version(rule("it stays", SHOWN + "\n- meant: {player: $player}")))
    law, problems = read_law(tmp_path)
    assert law is not None
    assert {each.code for each in problems} == {"missing-key"}
    assert law_warnings(law, problems) == []


CASE = """
title: A card is shown
table: {contract: 3NT by S}
reports:
  - shown: {player: E, card: D8, manner: dropped}
expect: {editions: ["2017"], findings: [{stays: {player: E, card: D8}, clause: 60A}]}
"""


def test_a_clause_that_no_case_reaches_is_named_where_its_number_stands(tmp_path: Path) -> None:
    draft, cases = tmp_path / "draft", tmp_path / "cases"
    draft.mkdir()
    cases.mkdir()
    (cases / "shown.yaml").write_text(CASE, encoding="utf-8")
    clause(draft, version(rule("it stays", SHOWN)))
    clause(draft, version(rule("late", SHOWN + "\n- now: {trick: 13}"), number="60B"), name="B")
    law, _ = read_law(draft)
    assert law is not None
    found = {each.message: each for each in unreached_clauses(law, read_cases(cases, law))}
    (late,) = (each for each in found.values() if each.file.endswith("B.yaml"))
    assert (late.code, late.severity, late.line, late.column) == ("no-case-reaches", "warning", 4, 13)
    assert late.message == "no case reaches 60B as it is since 2017"
    assert not [message for message in found if "60A" in message]
    assert any("60A" in each.message for each in unreached_clauses(law, []))
