"""What `check` prints: the line and a caret for each problem, warnings apart, and both for programs."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bridgelaws.cli import main, output, placed
from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook import sources
from bridgelaws.lawbook.codes import CODES, WARNINGS
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.sources import path_of
from bridgelaws.lawbook.warnings import law_warnings

HERE = Path(__file__).parent
BAD_LAWS = sorted((HERE / "law" / "bad").iterdir())
Check = Callable[..., tuple[int, str]]
# What no draft of files can show: it is about the disk, the program or the cases.
NOT_IN_A_DRAFT = {"unreadable", "missing-file", "file-not-read", "table-kind", "no-case-reaches"}
# The mistakes that a committee makes first, and the draft that makes each.
MISTAKES = {
    "a kind misspelt": ("unknown-kind", "unknown-kind"),
    "a field misspelt": ("unknown-field", "unknown-field"),
    "a value misspelt": ("unknown-value", "not-a-value"),
    "a variable misspelt": ("variable-misspelt", "variable-once"),
    "a key misspelt": ("unknown-key", "unknown-key"),
    "wrong indentation": ("wrong-indentation", "yaml"),
    "a tab": ("tab", "tab"),
    "a list where a map belongs": ("list-where-a-map-belongs", "shape"),
    "a map where a list belongs": ("map-where-a-list-belongs", "shape"),
    "a clause number that looks like a number": ("number-without-quotes", "needs-quotes"),
    "a year without quotes": ("number-where-text-belongs", "needs-quotes"),
    "a rule that concludes a report": ("then-a-report", "wrong-source"),
    "an exception that depends on its own rule": ("cycle-through-its-own-exception", "cycle"),
    "a clause number used twice": ("number-of-another-clause", "number-twice"),
    "a version out of order": ("versions-out-of-order", "version-order"),
    "two versions of one edition": ("two-versions-of-one-edition", "version-twice"),
    "an unknown edition": ("unknown-edition", "unknown-edition"),
    "a draft of an edition that there is not": ("editions-follow-a-missing-edition", "unknown-edition"),
    "two rules in conflict": ("conflict-between-two-rules", "conflict"),
    "a conclusion that lacks a field": ("conclusion-lacks-a-field", "missing-field"),
    "a rule that concludes nothing": ("rule-that-concludes-nothing", "no-conclusion"),
    "two rules of one name": ("two-rules-of-one-name", "rule-twice"),
    "a rule that never fires": ("never-fires-contradictory-tests", "never-fires"),
    "a rule that adds nothing": ("adds-nothing-to-another-rule", "always-covered"),
    "an exception that never holds": ("exception-that-can-never-hold", "exception-never-holds"),
    "a gist that names what no rule does": ("gist-that-names-a-card", "gist-names"),
    "a field without a question": ("vocabulary-field-without-a-question", "no-ask"),
    "a kind that nobody uses": ("vocabulary-nobody-reads", "kind-not-read"),
    "an anchor of YAML": ("anchor", "alias"),
    "two clauses in one file": ("two-clauses-in-one-file", "second-document"),
}

BAD = 'title: A clause\nversions:\n  - since: "2071"\n    number: 60B\n    gits: a\n'
ODD = """title: A clause
versions:
  - since: "2017"
    number: 60A
    gist: An ace stays.
    rules:
      - name: it stays
        when:
          - shown: {player: $player, card: $card, trick: {above: 9, below: 5}}
        then:
          - stays: {player: $player, card: $card}
"""


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run the command on a draft of the small law in `law/base`; its status, and what it prints."""
    monkeypatch.setattr(sources, "shipped", lambda _: HERE / "law" / "base")
    monkeypatch.setattr("bridgelaws.table.case.unknown_table_kinds", lambda _: [])

    def command(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["bridgelaws", "check", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out + shown.err

    return command


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    (tmp_path / "draft" / "60-more").mkdir(parents=True)
    return tmp_path / "draft"


def write(draft: Path, name: str, text: str) -> Path:
    path = draft / "60-more" / name
    path.write_text(text, encoding="utf-8")
    return path


def laid_out(source: Path, draft: Path) -> list[str]:
    """Lay out a bad law as a draft; what its first comments say must be told of it."""
    if source.is_dir():
        shutil.copytree(source, draft, dirs_exist_ok=True)
    else:
        first = source.stem.split("-")[0]
        place = f"{first}.yaml" if first in ("vocabulary", "editions") else f"60-more/{source.name}"
        shutil.copy(source, draft / place)
    return [
        f"{path}:{line.removeprefix('# ')}"
        for path in sorted(draft.rglob("*.yaml"))
        for line in re.findall(r"\A(?:#.*\n)*", path.read_text(encoding="utf-8"))[0].splitlines()
    ]


def told(out: str) -> list[tuple[str, str]]:
    """The problems and warnings that were printed, each with its code."""
    return re.findall(r"^(.+:\d+:\d+: .+) \[([a-z-]+)\]$", out, re.MULTILINE)


# tests/law reads every bad law; the command tells some of them.
@pytest.mark.parametrize("source", BAD_LAWS[::6], ids=lambda path: path.stem)
def test_a_bad_law_is_told_by_the_command_with_every_message_and_its_line_and_nothing_else(
    source: Path, check: Check, draft: Path
) -> None:
    expected = laid_out(source, draft)
    status, out = check(draft)
    assert sorted(message for message, _ in told(out)) == sorted(expected)
    errors = [code for _, code in told(out) if code not in WARNINGS]
    assert status == (1 if errors else 0)
    # Besides the messages there is the line of each with its caret, and the count.
    others = [line for line in out.splitlines() if not re.search(r" \[[a-z-]+\]$", line)]
    shown = r"( *\d* \| .*| +\| +\^|warnings:|.*\d+ (problem|warning)s?|.*: no problem, \d+ warnings?|)"
    assert [line for line in others if not re.fullmatch(shown, line)] == []


@pytest.mark.parametrize(("draft_name", "code"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_that_committees_make_is_told_with_its_code_alone(
    draft_name: str, code: str, check: Check, draft: Path
) -> None:
    laid_out(HERE / "law" / "bad" / f"{draft_name}.yaml", draft)
    assert {found for _, found in told(check(draft)[1])} == {code}


def test_every_check_that_a_draft_can_fail_has_a_draft_that_fails_it(check: Check, tmp_path: Path) -> None:
    found: set[str] = set()
    for source in BAD_LAWS:
        folder = tmp_path / source.stem
        (folder / "60-more").mkdir(parents=True)
        laid_out(source, folder)
        found |= {code for _, code in told(check(folder)[1])}
    assert CODES.keys() - found == NOT_IN_A_DRAFT


def test_each_problem_is_shown_with_its_line_a_caret_and_its_code(check: Check, draft: Path) -> None:
    path = write(draft, "B.yaml", BAD)
    status, out = check(draft)
    assert status == 1
    assert out.splitlines() == [
        f"{path}:3:5: the key 'gist' is missing here; add gist: [missing-key]",
        '    3 |   - since: "2071"',
        "      |     ^",
        f"{path}:5:5: there is no key 'gits' here; did you mean 'gist'? [unknown-key]",
        "    5 |     gits: a",
        "      |     ^",
        "2 problems",
    ]


def test_warnings_come_apart_and_fail_only_when_one_is_strict(check: Check, draft: Path) -> None:
    path = write(draft, "A.yaml", ODD)
    status, out = check(draft)
    assert status == 0
    lines = out.splitlines()
    assert lines[:4] == [
        "warnings:",
        f"{path}:5:11: the gist says 'ace', and no rule of this version does; mend the gist or the rules [gist-names]",
        "    5 |     gist: An ace stays.",
        "      |           ^",
    ]
    assert lines[4].startswith(f"{path}:9:69: the rule 'it stays' can never fire: ")
    assert lines[-1].endswith(": no problem, 2 warnings")
    assert check(draft, "--strict")[0] == 1
    write(draft, "A.yaml", ODD.replace("An ace", "It").replace("{above: 9, below: 5}", "9"))
    assert check(draft, "--strict")[0] == 0


def test_errors_come_before_warnings(check: Check, draft: Path) -> None:
    write(draft, "A.yaml", ODD)
    write(draft, "B.yaml", BAD)
    status, out = check(draft)
    assert status == 1
    before, _, after = out.partition("\n\nwarnings:\n")
    assert "[missing-key]" in before
    assert "[unknown-key]" in before
    assert "[gist-names]" in after
    assert out.endswith("\n2 problems, 2 warnings\n")


def test_json_has_both_lists_with_codes_and_severities(check: Check, draft: Path) -> None:
    write(draft, "A.yaml", ODD)
    write(draft, "B.yaml", BAD)
    status, out = check(draft, "--format", "json")
    assert status == 1
    shown = json.loads(out)
    assert list(shown) == ["format", "problems", "warnings"]
    assert [(each["code"], each["severity"], each["line"]) for each in shown["problems"]] == [
        ("missing-key", "error", 3),
        ("unknown-key", "error", 5),
    ]
    assert [(each["code"], each["severity"], each["line"]) for each in shown["warnings"]] == [
        ("gist-names", "warning", 5),
        ("never-fires", "warning", 9),
    ]


def test_a_clause_that_no_case_reaches_is_told_when_cases_are_named(check: Check, draft: Path, tmp_path: Path) -> None:
    path = write(draft, "A.yaml", ODD.replace("An ace", "It").replace("{above: 9, below: 5}", "9"))
    (tmp_path / "cases").mkdir()
    assert "[no-case-reaches]" not in check(draft)[1]
    status, out = check(draft, "--cases", tmp_path / "cases")
    assert status == 0
    assert (
        f"{path}:4:13: no case reaches 60A as it is since 2017; write a case that expects it [no-case-reaches]" in out
    )
    assert check(draft, "--cases", tmp_path / "nowhere")[0] == 2


def test_the_shipped_law_is_checked_against_the_cases_of_the_working_folder(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "[no-case-reaches]" not in check()[1]
    (tmp_path / "tests" / "cases").mkdir(parents=True)
    out = check()[1]
    assert "no case reaches 50A" in out
    # The line is found although the file is named from the law's folder on, and we are elsewhere.
    assert re.search(r"no case reaches 50A .*\n +\d+ \| +number: \W?50A", out)


def test_the_shipped_law_has_no_warning(law: Law) -> None:
    assert [str(each) for each in law_warnings(law)] == []


def test_a_file_of_a_draft_and_one_of_the_shipped_law_are_both_found(tmp_path: Path) -> None:
    assert path_of("rules/editions.yaml", None).is_file()
    assert path_of("rules/editions.yaml", tmp_path).is_file()
    assert path_of(str(tmp_path / "a.yaml"), tmp_path) == tmp_path / "a.yaml"


@pytest.mark.parametrize(
    ("column", "letter", "cut"), [(1, "a", (False, True)), (300, "b", (True, True)), (600, "c", (True, False))]
)
def test_of_a_long_line_the_part_around_the_caret_is_shown(
    column: int,
    letter: str,
    cut: tuple[bool, bool],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    path = tmp_path / "long.yaml"
    path.write_text("a" + "x" * 298 + "b" + "x" * 299 + "c\n", encoding="utf-8")
    placed.show_placed(Diagnostic("odd", "long.yaml", 1, column), path)
    _, text, caret = capsys.readouterr().out.splitlines()
    assert len(text) == 40
    assert text[len(caret) - 1] == letter
    assert (text[8] == "…", text[-1] == "…") == cut


def test_a_problem_without_a_line_or_a_file_is_shown_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    placed.show_placed(Diagnostic("gone", "a.yaml", 3, 1), path)
    path.write_text("a: b\n\n", encoding="utf-8")
    placed.show_placed(Diagnostic("empty", "a.yaml", 2, 1), path)
    placed.show_placed(Diagnostic("nowhere", "a.yaml", code="shape"), path)
    assert capsys.readouterr().out.splitlines() == ["a.yaml:3:1: gone", "a.yaml:2:1: empty", "a.yaml: nowhere [shape]"]


def test_a_tab_does_not_move_the_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("\t\tb\n", encoding="utf-8")
    placed.show_placed(Diagnostic("a tab", "a.yaml", 1, 3), path)
    assert capsys.readouterr().out.splitlines()[1:] == ["    1 |   b", "      |   ^"]


def test_errors_are_red_and_warnings_yellow_on_a_terminal_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: b\n", encoding="utf-8")
    for severity in ("error", "warning"):
        placed.show_placed(Diagnostic("odd", "a.yaml", 1, 1, severity=severity), path)
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr(output, "colour_wanted", lambda _: True)
    for severity, colour in (("error", "\x1b[31m"), ("warning", "\x1b[33m")):
        placed.show_placed(Diagnostic("odd", "a.yaml", 1, 1, severity=severity), path)
        first, line, caret = capsys.readouterr().out.splitlines()
        assert first.startswith(colour)
        assert caret.startswith(colour)
        assert line == "    1 | a: b"
