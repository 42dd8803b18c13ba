"""The commands: what they print, where, and with which exit status."""

from __future__ import annotations

import gc
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from bridgelaws import book as book_module
from bridgelaws import cli
from bridgelaws.casebook import running
from bridgelaws.cli import output
from bridgelaws.cli.at_once import rule_at_once
from bridgelaws.contract import schema_files
from bridgelaws.engine.conclusions import Conclusions, Derivations
from bridgelaws.lawbook import law as law_module
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.table.case import Case

ROOT = Path(__file__).parent.parent
DROPPED = """table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
"""


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture(autouse=True)
def _one_shipped_law(law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that ask for the shipped law get it as the session has it."""

    def loaded(laws: Path | None = None) -> Law:
        return law if laws is None else load_law(laws)

    monkeypatch.setattr(law_module, "load_law", loaded)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command here, in the project's folder, as the shell would."""
    monkeypatch.chdir(ROOT)

    def command(*arguments: object, stdin: str | bytes = b"") -> Done:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["bridgelaws", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        shown = capsys.readouterr()
        status = ended.value.code
        assert "Traceback" not in shown.out + shown.err
        return Done(status if isinstance(status, int) else 0, shown.out, shown.err)

    return command


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "case.yaml"
    path.write_text(DROPPED, encoding="utf-8")
    return path


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """A draft in which the ten is no honour."""
    path = tmp_path / "draft" / "00-definitions" / "honour.yaml"
    path.parent.mkdir(parents=True)
    text = (ROOT / "rules/00-definitions/honour.yaml").read_text(encoding="utf-8")
    assert "          - honour: {rank: T}\n" in text
    path.write_text(text.replace("          - honour: {rank: T}\n", ""), encoding="utf-8")
    return tmp_path / "draft"


@pytest.fixture
def bad_draft(tmp_path: Path) -> Path:
    path = tmp_path / "bad" / "99-new" / "A.yaml"
    path.parent.mkdir(parents=True)
    path.write_text('title: A clause\nversions:\n  - since: "2071"\n    number: 99A\n    gits: a\n', encoding="utf-8")
    return tmp_path / "bad"


class TestRuleAtOnce:
    """A plain `rule` does not wait for the command-line library; everything else goes the usual way."""

    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["--edition", "2007"],
            ["-e", "1997", "-f", "json"],
            ["--format", "text"],
            ["--format", "json"],
            ["--laws", "rules"],
        ],
    )
    def test_it_prints_what_the_command_prints(
        self, arguments: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        example = "examples/dropped-diamond.yaml"
        with monkeypatch.context() as without:
            without.setitem(sys.modules, "bridgelaws.cli.app", None)
            at_once = [run("rule", example, *arguments), run("rule", *arguments, example)]
        monkeypatch.setattr("bridgelaws.cli.at_once.rule_at_once", lambda _: False)
        usual = run("rule", example, *arguments)
        assert at_once == [usual, usual]
        assert usual.status == 0
        assert usual.out

    @pytest.mark.parametrize("case", ["examples/dropped-diamond.yaml", "no-such-case.yaml"])
    def test_nobody_looks_for_garbage_until_it_is_over(
        self, case: str, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked: list[bool] = []
        read = Case.from_file

        def from_file(path: str) -> Case:
            looked.append(gc.isenabled())
            return read(path)

        monkeypatch.setattr(Case, "from_file", from_file)
        run("rule", case)
        assert (looked, gc.isenabled()) == ([False], True)

    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["why", "case.yaml"],
            ["rule"],
            ["rule", "--help"],
            ["rule", "case.yaml", "--help"],
            ["rule", "case.yaml", "other.yaml"],
            ["rule", "case.yaml", "--edition"],
            ["rule", "case.yaml", "--edition", "--format"],
            ["rule", "case.yaml", "--edition", "2007", "--edition", "2017"],
            ["rule", "case.yaml", "--edition=2007"],
            ["rule", "case.yaml", "--format", "html"],
            ["rule", "case.yaml", "--engine", "durable"],
            ["rule", "--", "case.yaml"],
            ["rule", ""],
        ],
    )
    def test_anything_else_is_for_the_command(self, arguments: list[str]) -> None:
        assert not rule_at_once(arguments)

    def test_standard_input(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "bridgelaws.cli.app", None)
        assert "minor penalty card" in run("rule", "-", stdin=DROPPED).out


class TestRule:
    def test_a_ruling_is_a_sentence_a_line_with_its_clauses(self, run: Run) -> None:
        done = run("rule", "examples/dropped-diamond.yaml")
        assert done.status == 0
        assert done.err == ""
        lines = [line.split("  ")[0] for line in done.out.splitlines()]
        assert lines[0] == "♦8 is a minor penalty card; it stays faced in front of East"
        assert "East may play ♦K ♦T ♦8, not ♦6 ♦2 before the ♦8" in lines
        assert "  50B, 50A" in done.out.splitlines()[0]

    def test_json_is_one_object(self, run: Run, case: Path) -> None:
        done = run("rule", case, "--format", "json")
        assert (done.status, done.err) == (0, "")
        assert done.json["format"] == 1
        assert done.json["engine"] == "compiled"
        assert done.json["plays"]["E"]["may"] == ["DK", "DT", "D8"]

    @pytest.mark.parametrize("stdin", [DROPPED, "{reports: []}", '{"title": "a",\n\t"reports": []}', "title: a\n"])
    def test_a_dash_reads_yaml_or_json_from_standard_input(self, run: Run, stdin: str) -> None:
        done = run("rule", "-", stdin=stdin)
        assert (done.status, done.err) == (0, "")

    def test_the_edition_may_be_named_by_the_call_or_by_the_case(self, run: Run) -> None:
        called = run("rule", "-", "--edition", "1997", "-f", "json", stdin=DROPPED)
        named = run("rule", "-", "-f", "json", stdin=DROPPED + 'edition: "1997"\n')
        both = run("rule", "-", "-e", "2007", "-f", "json", stdin=DROPPED + 'edition: "1997"\n')
        assert called.json["edition"] == "1997"
        assert named.json == called.json
        assert both.json["edition"] == "2007"

    def test_a_draft_is_laid_over_the_law(self, run: Run, draft: Path) -> None:
        ten = DROPPED.replace("D8", "DT")
        assert "♦T is a major penalty card" in run("rule", "-", stdin=ten).out
        assert "♦T is a minor penalty card" in run("rule", "-", "--laws", draft, stdin=ten).out

    @pytest.mark.durable
    def test_the_other_engine_rules_the_same(self, run: Run, case: Path) -> None:
        shown = [run("rule", case, "--engine", name, "--format", "json").json for name in ("compiled", "durable")]
        assert shown[1]["engine"] == "durable"
        assert {**shown[0], "engine": ""} == {**shown[1], "engine": ""}

    def test_options_questions_and_conflicts_are_printed(self, run: Run) -> None:
        major = DROPPED.replace("dropped", "withdrawn").replace("hands", "trick: 8, on_lead: W, hands")
        assert "Declarer chooses:\n  1. require West to lead a diamond" in run("rule", "-", stdin=major).out
        unsaid = run("rule", "-", stdin=DROPPED.replace(", manner: dropped", "")).out
        assert "Question: How did the card come to be exposed?" in unsaid


class TestWhy:
    def test_the_reasons_are_a_tree(self, run: Run, case: Path) -> None:
        done = run("why", case)
        assert (done.status, done.err) == (0, "")
        lines = [line.split("   ")[0] if line.strip() else line for line in done.out.splitlines()]
        assert lines[0] == "♦8 is a minor penalty card; it stays faced in front of East"
        assert "  rule: announce a minor penalty card" in done.out.splitlines()
        assert "      not so: 8 is an honour" in [line.rstrip() for line in done.out.splitlines()] or (
            "    not so: 8 is an honour" in [line.rstrip() for line in done.out.splitlines()]
        )

    def test_json_has_the_reasons(self, run: Run, case: Path) -> None:
        shown = run("why", case, "--format=json").json
        assert shown["why"][0]["clause"] == "50B"
        assert shown["why"][0]["because"]
        assert run("rule", case, "--format=json").json["why"] == []


class TestWhyNot:
    def test_each_rule_says_how_near_it_came(self, run: Run, case: Path) -> None:
        done = run("why-not", case, "50B")
        assert (done.status, done.err) == (0, "")
        assert "minor\n  so: ♦8 of East became a penalty card at trick 1\n" in done.out
        assert "  this rule does apply here\n" in done.out
        assert "  this condition fails: " in done.out

    def test_json_names_the_clause_and_the_outcomes(self, run: Run, case: Path) -> None:
        shown = run("why-not", case, "50c", "-f", "json", "-e", "2017").json
        assert (shown["format"], shown["edition"], shown["clause"]) == (1, "2017", "50C")
        assert {rule["outcome"] for rule in shown["rules"]} <= {"applied", "exception", "condition"}

    def test_a_clause_without_rules_says_why_it_has_none(self, run: Run, case: Path, tmp_path: Path) -> None:
        clause = tmp_path / "draft" / "99-new" / "A.yaml"
        clause.parent.mkdir(parents=True)
        clause.write_text(
            'title: A\nversions: [{since: "2017", number: 99A, gist: a, no_rules: it only points elsewhere}]\n',
            encoding="utf-8",
        )
        done = run("why-not", case, "99A", "--laws", tmp_path / "draft")
        assert done.out == "99A has no rules: it only points elsewhere\n"

    def test_an_unknown_clause_is_a_fault_of_the_call(self, run: Run, case: Path) -> None:
        done = run("why-not", case, "50Z")
        assert done.status == 2
        assert done.err.startswith("the 2017 edition has no clause '50Z'; did you mean '50")


class TestCheck:
    def test_the_shipped_law_has_no_problem(self, run: Run) -> None:
        done = run("check", "rules")
        assert (done.status, done.err) == (0, "")
        assert ", editions 1997, 2007, 2017: no problem" in done.out.splitlines()[-1]
        shown = run("check", "rules", "--format", "json").json
        assert (shown["format"], shown["problems"]) == (1, [])

    @pytest.mark.parametrize("form", [["check", "{}"], ["check", "--laws", "{}"]])
    def test_every_problem_of_a_draft_is_listed(self, run: Run, bad_draft: Path, form: list[str]) -> None:
        done = run(*(word.format(bad_draft) for word in form))
        assert done.status == 1
        path = bad_draft / "99-new" / "A.yaml"
        first, second = (line for line in done.out.splitlines() if line.startswith(f"{path}:"))
        assert first.startswith(f"{path}:3:5: the key 'gist' is missing here; add gist:")
        assert second.startswith(f"{path}:5:5: there is no key 'gits' here; did you mean 'gist'?")
        assert done.out.splitlines()[-1].startswith("2 problems")

    def test_one_problem_is_one_problem(self, run: Run, bad_draft: Path) -> None:
        path = bad_draft / "99-new" / "A.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("gits", "gist"), encoding="utf-8")
        done = run("check", bad_draft)
        assert done.out.splitlines()[-1].startswith("2 problems")
        path.write_text(path.read_text(encoding="utf-8").replace("2071", "2017"), encoding="utf-8")
        done = run("check", bad_draft, "--format", "json")
        (problem,) = done.json["problems"]
        assert done.status == 1
        assert problem["message"] == "this version has no rule and does not say why"
        assert (problem["line"], problem["column"], problem["path"]) == (3, 5, "versions[0]")
        assert re.match(r"1 problem\b", run("check", bad_draft).out.splitlines()[-1])

    def test_a_table_kind_that_nothing_computes_is_a_problem(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "vocabulary.yaml").write_text(
            'kinds:\n  now: {source: table, means: a, fields: {trick: count, hour: count}, say: "{trick}"}\n',
            encoding="utf-8",
        )
        done = run("check", tmp_path)
        assert done.status == 1
        assert "the program does not compute the table kind 'now' with these fields" in done.out

    def test_a_law_at_fault_stops_every_other_command(self, run: Run, bad_draft: Path, case: Path) -> None:
        for command in (["rule", case], ["why", case], ["test"], ["coverage"], ["show", "50B"], ["schemas", bad_draft]):
            done = run(*command, "--laws", bad_draft)
            assert done.status == 1
            assert "the key 'gist' is missing here" in done.err

    def test_a_folder_that_does_not_exist_is_a_fault_of_the_call(self, run: Run) -> None:
        done = run("check", "nowhere")
        assert (done.status, done.err) == (2, "there is no folder 'nowhere'; --laws takes a folder of rules\n")


FAILING = """
title: East drops the eight
table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
expect:
  editions: ["2017"]
  findings:
    - major_penalty_card: {player: E, card: D8}
      clause: 50B
    - minor_penalty_card: {player: E, card: D8}
      clause: 50C
    - minor_penalty_card: {player: E, card: D8}
      clause: 50B
      force: must
  never:
    - minor_penalty_card: {}
  plays:
    E: {may: [DK], may_not: {D6: 44C, DT: 50C}}
    W: {may: [D3]}
    N:
  options:
    - lead_choice: {decision: require}
  questions: [card_exposed.manner]
"""


class TestTest:
    def test_the_cases_of_one_clause_pass(self, run: Run) -> None:
        done = run("test", "tests/cases/44-following-suit", "--clause", "44C")
        assert (done.status, done.err) == (0, "")
        passed = int(done.out.split()[0])
        assert passed > 3
        assert done.out.endswith(" cases, compiled)\n")

    def test_cases_are_chosen_by_law_clause_edition_and_name(self, run: Run, tmp_path: Path) -> None:
        for folder, name, expected in (
            ("50-penalty-card", "B-dropped-diamond", "findings: [{minor_penalty_card: {}, clause: 50B}]"),
            ("50-penalty-card", "C-partner-leads", "findings: [{lead_free: {player: W}, clause: 50C}]"),
            ("44-following-suit", "A-leader", "findings: [{lead_free: {player: W}, clause: 44A}]"),
        ):
            (tmp_path / folder).mkdir(exist_ok=True)
            text = f"title: About {name}\n{DROPPED}expect: {{{expected}}}\n"
            (tmp_path / folder / f"{name}.yaml").write_text(text, encoding="utf-8")

        def ran(*options: str) -> list[str]:
            shown = run("test", tmp_path, *options, "--format", "json").json
            assert shown["failed"] == 0
            assert shown["passed"] == len(shown["runs"])
            return [f"{Path(each['file']).stem} {each['edition']}" for each in shown["runs"]]

        assert len(ran()) == 9
        assert {name.split()[1] for name in ran("--edition", "2007")} == {"2007"}
        assert ran("-k", "DROPPED-diamond", "-e", "2017") == ["B-dropped-diamond 2017"]
        assert ran("--name", "about a-l", "-e", "2017") == ["A-leader 2017"]
        assert ran("--law", "44", "-e", "1997") == ["A-leader 1997"]
        assert ran("--law", "50", "-e", "1997") == ["B-dropped-diamond 1997", "C-partner-leads 1997"]
        assert ran("--clause", "50C", "-e", "1997") == ["C-partner-leads 1997"]

    @pytest.mark.durable
    def test_both_engines_agree(self, run: Run) -> None:
        done = run("test", "tests/cases/44-following-suit", "--engine", "both")
        assert done.status == 0
        assert done.out.endswith(" cases, compiled and durable)\n")

    @pytest.mark.durable
    def test_engines_that_disagree_fail(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        from bridgelaws.engine.durable import DurableEngine

        def says_nothing(self: DurableEngine, _: Sequence[object]) -> Conclusions:
            return Conclusions(self.program, {}, lambda: Derivations({}))

        monkeypatch.setattr(DurableEngine, "run", says_nothing)
        done = run("test", "tests/cases/44-following-suit", "--engine", "both", "-e", "2017")
        assert done.status == 1
        assert ": compiled and durable rule differently\n" in done.out

    def test_a_failing_case_shows_what_was_expected_and_what_came_with_its_line(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "failing.yaml"
        path.write_text(FAILING, encoding="utf-8")
        done = run("test", path)
        assert done.status == 1
        told = [line.replace(f"  {path}:", "") for line in done.out.splitlines()]
        minor = "♦8 is a minor penalty card; it stays faced in front of East"
        assert told[0] == "FAILED East drops the eight (2017)"
        assert [line.strip() for line in told if re.match(r"\d|    (expected|got)", line)][:-1] == [
            *("9:7", "expected major_penalty_card {player: E, card: D8} from 50B", "got      nothing of that kind"),
            *(
                "11:7",
                "expected minor_penalty_card {player: E, card: D8} from 50C",
                "got      it from 49, 50, 50A, 50B",
            ),
            *("13:7", "expected minor_penalty_card {player: E, card: D8} from 50B with force must"),
            "got      it with force does",
            *("17:7", "expected never minor_penalty_card {}", f"got      {minor} (50B)"),
            *("19:8", "expected E may play DK", "got      D8 DK DT"),
            *("19:8", "expected E may not play D6 DT", "got      D2 D6"),
            *("19:8", "expected D6 forbidden by 44C", "got      it is forbidden by 50C"),
            *("20:8", "expected the plays of W listed", "got      they are not listed"),
            *("23:7", "expected the option lead_choice {decision: require}", "got      none"),
            *("7:3", "expected card_exposed.manner to be asked", "got      none"),
        ]
        assert told[-1] == "0 passed, 1 failed (1 case, compiled)"
        (shown,) = run("test", path, "--format", "json").json["runs"]
        assert shown["passed"] is False
        assert shown["problems"][0]["line"] == 9

    def test_options_and_plays_that_nobody_expected_fail(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "open.yaml"
        path.write_text(
            "table: {contract: 4S by S, trick: 8, on_lead: W, hands: {E: ♦KT862 ♠9}}\n"
            "reports:\n  - card_exposed: {player: E, card: D8, manner: withdrawn}\n"
            'expect: {editions: ["2017"], options: [], plays: {E: }}\n',
            encoding="utf-8",
        )
        done = run("test", path)
        assert done.status == 1
        assert "expected no such option\n    got      require West to lead a diamond (50D2(a))\n" in done.out
        assert "expected the plays of E not listed\n    got      they are listed\n" in done.out

    def test_a_case_that_cannot_be_ruled_on_fails_with_its_line(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "odd.yaml"
        path.write_text("reports:\n  - card_exposd: {}\nexpect: {never: [{lead_free: {}}]}\n", encoding="utf-8")
        done = run("test", path, "-e", "2017")
        assert done.status == 1
        assert f"  {path}:2:5: there is no report 'card_exposd'; did you mean 'card_exposed'?" in done.out

    def test_it_fails_when_no_case_ran(self, run: Run, tmp_path: Path) -> None:
        few = "tests/cases/44-following-suit"
        for arguments in ((tmp_path,), (few, "-k", "no such case"), (few, "--law", "1"), (few, "--clause", "1A")):
            done = run("test", *arguments)
            assert done.status == 1
            assert done.out == "0 passed, 0 failed (0 cases, compiled)\n"
            assert done.err == "no case ran\n"

    def test_a_folder_or_an_edition_that_does_not_exist_is_a_fault_of_the_call(self, run: Run) -> None:
        assert run("test", "nowhere").err == "there is no folder 'nowhere'; name a folder of case files\n"
        done = run("test", "--edition", "2071")
        assert (done.status, done.err) == (2, "there is no edition '2071'; did you mean '2017'?\n")


class TestCoverage:
    def test_the_cases_reach_every_rule_and_every_exception_in_each_edition(self, run: Run) -> None:
        shown = run("coverage", "--format", "json").json
        assert list(shown["editions"]) == ["1997", "2007", "2017"]
        for name, edition in shown["editions"].items():
            assert len(edition["rules"]) > 1300
            unreached = [(each["number"], each["rule"]) for each in edition["rules"] if not each["fired"]]
            assert (name, unreached) == (name, [])
            idle = [
                (each["number"], each["rule"], exception["unless"])
                for each in edition["rules"]
                for exception in each["exceptions"]
                if not exception["held"]
            ]
            assert (name, idle) == (name, [])
            assert (edition["fired_percent"], edition["exceptions_percent"]) == (100.0, 100.0)

    def test_what_no_case_reaches_is_shown_as_such(self, run: Run) -> None:
        case = ROOT / "tests/cases/44-following-suit/F-notrump.yaml"
        shown = run("coverage", case, "--law", "44", "-e", "2017", "-f", "json").json["editions"]["2017"]
        assert 0 < shown["fired_percent"] < 100
        assert shown["exceptions_percent"] < 100
        text = run("coverage", case, "--law", "44", "-e", "2017", "--rules").out
        assert text.startswith(f"2017: {shown['fired_percent']} % of {len(shown['rules'])} rules fired, ")
        assert re.search(r"^  44F +the highest card of the suit led wins +[1-9]$", text, re.MULTILINE)
        assert "unless higher_card_in_trick" in text

    def test_clauses_that_an_edition_does_not_have_are_named(self, run: Run, tmp_path: Path) -> None:
        few = "tests/cases/44-following-suit"
        old = run("coverage", few, "--law", "50", "-e", "1997", "--rules").out
        assert "  50-penalty-card/E3-after-it-was-played: new in 2017" in old
        clause = tmp_path / "99-new" / "A.yaml"
        clause.parent.mkdir()
        clause.write_text(
            "title: A\nversions:\n"
            '  - {since: "1997", number: 99A, gist: a, no_rules: it only points elsewhere}\n'
            '  - {since: "2017", number: 99A, repealed: true}\n',
            encoding="utf-8",
        )
        new = run("coverage", few, "--laws", tmp_path, "--law", "99", "--rules").out
        assert re.search(r"^  99A +no rules: it only points elsewhere$", new, re.MULTILINE)
        assert "  99-new/A: repealed by then" in new

    def test_an_exception_that_holds_only_beside_another_is_not_needed(self, run: Run, tmp_path: Path) -> None:
        clause = tmp_path / "draft" / "99-new" / "A.yaml"
        clause.parent.mkdir(parents=True)
        clause.write_text(
            "title: A\nversions:\n"
            '  - since: "2017"\n'
            "    number: 99A\n"
            "    gist: a\n"
            "    rules:\n"
            "      - name: a card is dropped\n"
            "        when: [{card_exposed: {player: $player, manner: dropped}}]\n"
            "        unless:\n"
            "          - player: {seat: $player, role: declarer}\n"
            "          - [{player: {seat: $player, side: NS}}, {stage: {stage: play}}]\n"
            "        then: [{cards_inspected: {player: $player}}]\n",
            encoding="utf-8",
        )
        cases = tmp_path / "cases"
        cases.mkdir()

        def not_needed(seat: str, *rest: str) -> Done:
            (cases / f"{seat}.yaml").write_text(
                f"title: {seat}\ntable: {{contract: 4S by S}}\n"
                f"reports: [{{card_exposed: {{player: {seat}, card: D8, manner: dropped}}}}]\n"
                "expect: [{editions: ['2017'], never: [{lead_free: {}}]}]\n",
                encoding="utf-8",
            )
            return run("coverage", cases, "--laws", tmp_path / "draft", "--law", "99", "--needed", *rest)

        assert not_needed("S").out == (
            "no case needs:\n"
            "  99A a card is dropped: unless player (2017)\n"
            "  99A a card is dropped: unless player and stage (2017)\n"
        )
        assert not_needed("N").out == "no case needs:\n  99A a card is dropped: unless player (2017)\n"
        assert not_needed("N", "-f", "json").json["not_needed"] == [
            {"number": "99A", "rule": "a card is dropped", "unless": "player", "editions": ["2017"]}
        ]

    def test_an_edition_that_does_not_exist_is_a_fault_of_the_call(self, run: Run) -> None:
        assert run("coverage", "--edition", "2071").status == 2


EVERY_FORM = """
title: Every form
versions:
  - since: "2017"
    number: 99A
    gist: Every form that a rule may have.
    rules:
      - name: every form
        when:
          - card_exposed: {player: $player, card: {is: $card, rank: {below: T}}, manner: {one_of: [dropped, shown]}}
          - now: {trick: {is: $now, at_least: 2, at_most: 12, not: 5}}
          - holds: {player: {not: S}, card: {suit: D, rank: {above: 9}}}
          - stage:
        unless:
          - - played: {card: $card, trick: {below: $now}}
            - stage: {stage: over}
        then:
          - major_penalty_card: {player: $player, card: $card}
            force: must
        offer:
          - lead_choice: {player: $player, trick: $now, decision: neither}
        ask:
          - exposure_judged: {player: $player, card: $card}
"""


class TestShow:
    def test_a_clause_has_its_history_its_gist_and_its_rules(self, run: Run) -> None:
        done = run("show", "50e2")
        assert (done.status, done.err) == (0, "")
        lines = done.out.splitlines()
        assert lines[0] == "Other information from a penalty card (50-penalty-card/E2-other-information)"
        assert "50E2, since 2007" in lines
        assert "50E2, since 2017" in lines
        assert "  confidence: the best reading of an unsure text" in lines
        assert "  • the partner may not use it" in lines
        told = " ".join(done.out.split())
        assert "When a card went back to a player's hand, then the player's partner may not use" in told

    def test_every_clause_can_be_shown_by_number_and_by_file(self, run: Run, law: Any) -> None:
        for place, clause in enumerate(law.clauses):
            by_file = run("show", clause.id)
            assert by_file.status == 0
            for version in clause.versions:
                assert f"{version.number}, since {version.since}" in by_file.out
            if place % 10 == 0:
                assert clause.title in run("show", clause.versions[-1].number).out

    def test_rules_are_put_in_words(self, run: Run, tmp_path: Path) -> None:
        clause = tmp_path / "99-new" / "A.yaml"
        clause.parent.mkdir()
        clause.write_text(EVERY_FORM, encoding="utf-8")
        lines = run("show", "99A", "--exact", "--laws", tmp_path).out.splitlines()
        assert lines[4:] == [
            "  • every form",
            "    when card_exposed: player $player, card $card, card's rank below T, manner one of dropped, shown",
            "     and now: trick $now, trick at least 2, trick at most 12, trick not 5",
            "     and holds: player not South, card's suit diamonds, card's rank above 9",
            "     and stage",
            "    unless played: card $card, trick below $now and stage: stage over",
            "    then major_penalty_card: player $player, card $card [must]",
            "    offer lead_choice: player $player, trick $now, decision neither",
            "    ask exposure_judged: player $player, card $card",
        ]

    def test_one_edition_shows_its_version_only(self, run: Run) -> None:
        done = run("show", "50E2", "--edition", "2017")
        assert "since 2017" in done.out
        assert "since 2007" not in done.out

    def test_json_has_every_version(self, run: Run) -> None:
        (clause,) = run("show", "50E2", "--format", "json").json["clauses"]
        assert [version["since"] for version in clause["versions"]] == ["2007", "2017"]
        assert clause["versions"][0]["confidence"] == "reading"
        rule = clause["versions"][1]["rules"][0]
        assert rule["name"] == "the partner may not use it"
        assert rule["sentence"].startswith("When a card went back to a player's hand, then ")
        assert rule["exact"][1] == "when picked_up: player $owner, card $card"

    def test_a_repealed_clause_says_so(self, run: Run, tmp_path: Path) -> None:
        clause = tmp_path / "99-new" / "A.yaml"
        clause.parent.mkdir()
        clause.write_text(
            "title: A\nversions:\n"
            '  - {since: "1997", number: 99A, gist: It says so., no_rules: none, note: hm, advice: wait, see: [50B]}\n'
            '  - {since: "2017", number: 99A, repealed: true}\n',
            encoding="utf-8",
        )
        shown = run("show", "99A", "--laws", tmp_path).out
        assert "99A, since 2017 (repealed)" in shown
        for line in ("  It says so.", "  no rules: none", "  note: hm", "  advice: wait", "  see 50B"):
            assert line in shown.splitlines()

    def test_an_unknown_clause_suggests_the_nearest(self, run: Run) -> None:
        done = run("show", "50E22")
        assert (done.status, done.err) == (2, "no edition has a clause '50E22'; did you mean '50E2'?\n")
        done = run("show", "50E22", "-e", "2017")
        assert (done.status, done.err) == (2, "the 2017 edition has no clause '50E22'; did you mean '50E2'?\n")


class TestWords:
    def test_a_kind_is_told_with_its_fields_and_their_values(self, run: Run) -> None:
        done = run("words", "card_exposed")
        lines = done.out.splitlines()
        assert (done.status, done.err) == (0, "")
        assert lines[0] == "card_exposed (report: what the Director was told or judges)"
        assert "  manner: How did the card come to be exposed?" in lines
        assert "    dropped                     dropped by accident" in lines
        assert "  trick: number; if left out, the trick in progress. The trick then" in done.out
        assert lines[-1] == "  - card_exposed: {player: …, card: …, manner: …}"

    def test_what_the_program_works_out_is_told_without_a_line_for_a_case(self, run: Run) -> None:
        assert "- penalty_card: {" not in run("words", "penalty_card").out

    def test_reports_are_found_by_what_happened(self, run: Run) -> None:
        done = run("words", "dropped", "a", "card")
        assert done.out.startswith("  card_exposed  ")
        assert run("words", "dropped", "-f", "json").json["kinds"][0]["name"] == "card_exposed"

    def test_all_reports_and_choices_are_listed(self, run: Run, law: Any) -> None:
        told = run("words").out
        read = {kind for rule in law.edition().program.rules for kind, _ in rule.kinds_read()}
        wanted = [kind.name for kind in law.vocabulary.of_source("report") if kind.name in read]
        wanted += [kind.name for kind in law.vocabulary.of_source("choice")]
        assert [name for name in wanted if f"\n  {name}  " not in told] == []
        assert told.startswith("Law ")

    def test_words_that_tell_of_nothing_are_refused(self, run: Run) -> None:
        done = run("words", "xyzzy")
        assert (done.status, done.err) == (2, "nothing here is about 'xyzzy'; bridgelaws words lists them all\n")


class TestEditions:
    def test_what_changed_is_a_page(self, run: Run, tmp_path: Path) -> None:
        shown = run("editions")
        assert shown.out.startswith("# What changed from edition to edition\n")
        assert "## Law 50: penalty card" in shown.out
        assert "- before 2017: no such clause" in shown.out
        page = tmp_path / "docs" / "editions.md"
        assert run("editions", "--out", page).out == f"{page}\n"
        assert page.read_text(encoding="utf-8") == shown.out

    def test_a_draft_may_repeal_and_name_its_folders_as_it_likes(self, run: Run, tmp_path: Path) -> None:
        clause = tmp_path / "more-law" / "A.yaml"
        clause.parent.mkdir()
        clause.write_text(
            "title: A\nversions:\n"
            '  - {since: "1997", number: 99A, gist: It says so., no_rules: none, confidence: reading}\n'
            '  - {since: "2007", number: 99B, gist: It says so still., no_rules: none}\n'
            '  - {since: "2017", number: 99B, repealed: true}\n',
            encoding="utf-8",
        )
        shown = run("editions", "--laws", tmp_path).out
        assert "## More law" in shown
        assert "- **1997** as 99A: It says so. *Reading.*" in shown
        assert "- **2017**: repealed" in shown


class TestSchemas:
    def test_they_are_written_whole(self, run: Run, tmp_path: Path, law: Law) -> None:
        done = run("schemas", tmp_path / "new" / "schemas")
        assert done.status == 0
        written = sorted((tmp_path / "new" / "schemas").iterdir())
        assert done.out.split() and sorted(done.out.split()) == [str(path) for path in written]
        for path in written:
            assert path.read_text(encoding="utf-8") == schema_files(law.vocabulary)[path.name]

    def test_a_folder_that_cannot_be_written_is_a_fault_of_the_call(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="utf-8")
        done = run("schemas", tmp_path / "file")
        assert done.status == 2
        assert "cannot be written: " in done.err
        (tmp_path / "editions.schema.json").mkdir()
        done = run("schemas", tmp_path)
        assert done.status == 2
        assert "editions.schema.json' cannot be written: Is a directory" in done.err
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


class TestTheCall:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["rule", "nowhere.yaml"], "there is no file 'nowhere.yaml'\n"),
            (["rule", "rules"], "'rules' is a folder, not a file\n"),
            (
                ["rule", "examples/dropped-diamond.yaml", "-e", "2071"],
                "there is no edition '2071'; did you mean '2017'?\n",
            ),
            (["rule", "examples/dropped-diamond.yaml", "--engine", "steam"], "'steam' is not one of"),
            (["rule", "examples/dropped-diamond.yaml", "--format", "xml"], "'xml' is not one of"),
            (["rule"], "Missing argument 'CASE'"),
            (["rule", "a", "--nonsense"], "No such option: --nonsense"),
            (["judge"], "No such command 'judge'"),
        ],
    )
    def test_a_call_at_fault_ends_with_two(self, run: Run, arguments: list[str], told: str) -> None:
        done = run(*arguments)
        assert done.status == 2
        assert done.out == ""
        assert told in done.err

    def test_a_case_at_fault_ends_with_one(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "case.yaml"
        path.write_text("edition: '2071'\n", encoding="utf-8")
        done = run("rule", path)
        assert (done.status, done.out) == (1, "")
        assert done.err == f"{path}:1:10: there is no edition '2071'; did you mean '2017'?\n"
        path.write_text("reports:\n  - x: {}\n  - y: {}\n", encoding="utf-8")
        done = run("why", path)
        assert done.status == 1
        assert [line.split(": ")[0] for line in done.err.splitlines()] == [f"{path}:2:5", f"{path}:3:5"]

    @pytest.mark.parametrize("form", [["--format", "json"], ["--format=json"], ["-f", "json"], ["-fjson"]])
    def test_errors_are_json_too_where_json_was_asked_for(self, run: Run, form: list[str]) -> None:
        done = run("rule", "-", *form, stdin="reports:\n  - card_exposd: {}\n")
        assert done.status == 1
        assert done.json["format"] == 1
        (problem,) = done.json["errors"]
        assert (problem["file"], problem["line"], problem["column"]) == ("-", 2, 5)
        assert problem["hint"] == "did you mean 'card_exposed'?"
        assert done.err.startswith("-:2:5: there is no report 'card_exposd'")

    def test_a_file_called_json_does_not_ask_for_json(self, run: Run) -> None:
        assert run("rule", "json").out == ""

    def test_help_and_version(self, run: Run) -> None:
        assert "Exit status: 0 done, 1 the law or a case is at fault, 2 the call is." in run("--help").out
        done = run("rule", "--help")
        assert done.status == 0
        assert "- card_exposed: {player: E, card: D8, manner: dropped}" in done.out
        assert run("--version").out.startswith("bridgelaws ")
        assert "Usage: bridgelaws" in "".join((run().out, run().err))

    def test_an_error_of_its_own_is_told_as_one(self, run: Run, case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(_: object) -> None:
            raise ZeroDivisionError("division by zero")

        monkeypatch.delenv("BRIDGELAWS_DEBUG", raising=False)
        monkeypatch.setattr(Case, "from_file", broken)
        done = run("rule", case)
        assert (done.status, done.out) == (2, "")
        assert done.err == (
            "an error in bridgelaws itself: ZeroDivisionError: division by zero; "
            "set BRIDGELAWS_DEBUG=1 to see where, and please report it\n"
        )
        monkeypatch.setenv("BRIDGELAWS_DEBUG", "1")
        monkeypatch.setattr(sys, "argv", ["bridgelaws", "rule", str(case)])
        with pytest.raises(ZeroDivisionError):
            cli.main()

    def test_without_durable_rules_its_engine_says_how_to_get_it(
        self, run: Run, case: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(book_module, "_ENGINES", WeakKeyDictionary())
        monkeypatch.setitem(sys.modules, "durable", None)
        monkeypatch.setitem(sys.modules, "durable.engine", None)
        done = run("rule", case, "--engine", "durable")
        assert done.status == 2
        assert done.err.startswith("durable-rules is not installed; ")
        assert run("rule", case).status == 0

    def test_ctrl_c_stops_it(self, run: Run, case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Case, "from_file", interrupted)
        done = run("rule", case)
        assert (done.status, done.out, done.err) == (130, "", "stopped\n")


class Terminal(io.StringIO):
    """A terminal that remembers what was printed."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def shown_on(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, **environment: str) -> None:
    """Let the terminal be the standard output; pytest would take that back from a fixture."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", terminal)


class TestOutput:
    def test_a_terminal_has_colours(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal()
        shown_on(terminal, monkeypatch)
        output.show("passed", "passed")
        output.show("plain")
        assert terminal.getvalue() == "\x1b[32mpassed\x1b[0m\nplain\n"

    @pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"NO_COLOR": ""}, {"TERM": "dumb"}])
    def test_colours_can_be_refused(self, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
        terminal = Terminal()
        shown_on(terminal, monkeypatch, **environment)
        output.show("passed", "passed")
        assert terminal.getvalue() == "passed\n"

    def test_an_ascii_terminal_has_letters_for_suits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
        output.show("♠A — ♦8… é")
        output.show_json({"text": "♠A"})
        assert raw.getvalue() == b'SA - D8... ?\n{\n  "text": "\\u2660A"\n}\n'

    def test_an_encoding_that_does_not_exist_is_taken_for_ascii(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = Terminal()
        shown.encoding = "no-such-encoding"
        monkeypatch.setattr(sys, "stdout", shown)
        output.show("♠A")
        assert shown.getvalue() == "SA\n"

    def test_text_cannot_command_the_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal()
        shown_on(terminal, monkeypatch)
        output.show("\x1b]0;owned\x07 \x9b31m \r over \udcff")
        output.show_json({"file": "\udcff \x9b"})
        assert terminal.getvalue() == '?]0;owned? ?31m ? over ?\n{\n  "file": "\\udcff \\u009b"\n}\n'

    def test_a_closed_output_is_no_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", None)
        output.show("passed", "passed")
        assert not output.colour_wanted()

    def test_a_terminal_shows_how_far_the_cases_are(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(output, "colour_wanted", lambda stream=None: stream is sys.stderr)
        done = run("test", "tests/cases/44-following-suit")
        assert done.status == 0
        assert done.out.endswith(" cases, compiled)\n")


def started(*arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm", **more.pop("environment", {})}
    return subprocess.Popen(
        [sys.executable, "-m", "bridgelaws", *arguments], cwd=ROOT, env=environment, stderr=subprocess.PIPE, **more
    )


class TestAsAProcess:
    """Where streams and signals are the matter: a process of its own."""

    def test_ctrl_c_while_it_reads(self) -> None:
        # Started in the background, these tests ignore it, and so would a process that they start.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            process = started("rule", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        finally:
            signal.signal(signal.SIGINT, before)
        assert process.stdin is not None
        # Once it has taken all of this and still waits for the end, it is past its start.
        process.stdin.write(b"# a comment\n" * 20_000)
        process.stdin.flush()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, b"", b"stopped\n")

    def test_a_reader_that_leaves_is_no_error(self) -> None:
        process = started("show", "50B", "--format", "json", stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.close()
        _, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, b"")

    def test_a_pipe_gets_no_colours_and_a_dumb_encoding_no_symbols(self) -> None:
        plain = started(
            "rule", "examples/dropped-diamond.yaml", stdout=subprocess.PIPE, environment={"PYTHONIOENCODING": "ascii"}
        )
        out, err = plain.communicate(timeout=30)
        assert (plain.returncode, err) == (0, b"")
        assert out.startswith(b"D8 is a minor penalty card; it stays faced in front of East")
        assert b"\x1b" not in out

    @pytest.mark.skipif(sys.platform == "win32", reason="no terminals to open there")
    @pytest.mark.parametrize(
        ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
    )
    def test_a_terminal_gets_colours_unless_it_wants_none(self, environment: dict[str, str], coloured: bool) -> None:
        import pty

        ours, theirs = pty.openpty()
        process = started("why", "examples/dropped-diamond.yaml", stdout=theirs, environment=environment)
        os.close(theirs)
        out = b"".join(chunks(ours))
        _, err = process.communicate(timeout=30)
        os.close(ours)
        assert (process.returncode, err) == (0, b"")
        assert "♦8 is a minor penalty card".encode() in out
        assert (b"\x1b[32m" in out) == coloured

    def test_the_same_case_gives_the_same_bytes_every_time(self) -> None:
        case = "tests/cases/50-penalty-card/B-two-cards-both-major.yaml"
        shown = set()
        for seed in ("1", "2"):
            process = started("why", case, "-f", "json", stdout=subprocess.PIPE, environment={"PYTHONHASHSEED": seed})
            shown.add(process.communicate(timeout=30)[0])
        assert len(shown) == 1


def chunks(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


def test_a_case_file_that_cannot_be_read_is_one_failed_run() -> None:
    read = running.ReadCase(Path("x.yaml"), None, (), ())
    assert [run.title for run in running.run_cases([read], [], running.Selection())] == ["x"]
