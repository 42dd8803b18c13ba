"""Tables found by a solver: the translation is exact, witnesses show the difference, planted faults are found."""

from __future__ import annotations

import builtins
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from bridgelaws.book import Lawbook
from bridgelaws.cli.app import app
from bridgelaws.compare.diff import clause_changes
from bridgelaws.engine.program import Condition, Rule
from bridgelaws.errors import EngineError, LawError, UsageError
from bridgelaws.lawbook.clauses import FieldTest, Name, Pattern
from bridgelaws.lawbook.law import EditionLaw, Law, load_law
from bridgelaws.solving.beforehand import is_as_it_was, tables_beforehand
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import Exchange, difference_search, exchanged, with_no_other_report
from bridgelaws.solving.given import given_kinds
from bridgelaws.solving.proven import proofs_file, written
from bridgelaws.solving.reaching import Reaching
from bridgelaws.solving.replaying import essence, questions, replayed, table_of
from bridgelaws.solving.said import Said
from bridgelaws.solving.same import same_rulings
from bridgelaws.solving.sameness import Proof, concludes_the_same
from bridgelaws.solving.schema import verify_schema
from bridgelaws.solving.searching import Found, OutOfTime, Search
from bridgelaws.solving.shrinking import shrunk, size
from bridgelaws.solving.splitting import Part, Splitting
from bridgelaws.solving.symbols import predicate, symbol
from bridgelaws.solving.tables import answered, legal_choices
from bridgelaws.solving.targets import Target, contradiction_targets, rule_targets, silence_targets, stuck_target
from bridgelaws.solving.telling import told
from bridgelaws.solving.translating import Translation
from bridgelaws.solving.verifying import Checked, Verification, check, left_open
from bridgelaws.solving.witnesses import Known, NoWitness, Witness, find_witness, in_effect
from bridgelaws.table.case import Case, case_facts

pytest.importorskip("clingo")

SMALL = Bounds(cards=2, reports=1, suits=("S", "H"), ranks=(14, 2))
TWO_REPORTS = Bounds(cards=2, reports=2, suits=("S", "H"), ranks=(14, 2))
run = CliRunner()


@pytest.fixture(autouse=True)
def _all_the_time_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine must not find less."""
    for name in ("searching.PATIENCE", "witnesses.PATIENCE_A_CLAUSE", "verifying.PATIENCE_A_CHECK"):
        monkeypatch.setattr(f"bridgelaws.solving.{name}", 600.0)


@pytest.fixture(autouse=True)
def _nothing_proven_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bridgelaws.solving.proven._marks", lambda: tmp_path / "proven")
    monkeypatch.setattr("bridgelaws.solving.proven._BEFOREHAND", tmp_path / "beforehand")


@pytest.fixture
def questions_to_the_solver(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line for each question that the solver is asked from now on."""
    asked: list[str] = []
    real = Search._solve

    def noted(self: Search, *rest: Any) -> Any:
        asked.append(str(rest))
        return real(self, *rest)

    monkeypatch.setattr(Search, "_solve", noted)
    return asked


def whole_law(law: EditionLaw) -> list[str]:
    translation = Translation(given_kinds(law.vocabulary))
    lines = [line for place, rule in enumerate(law.program.rules) for line in translation.rule(str(place), rule)]
    kinds = set(law.vocabulary.kinds)
    return [*lines, *answered(law.program, law.vocabulary), *legal_choices(law.vocabulary, kinds)]


class TestTranslation:
    @pytest.mark.parametrize("edition", ["1997", "2007", "2017"])
    def test_every_table_found_has_the_same_facts_in_the_adapter_and_in_the_engine(
        self, law: Law, edition: str, books: dict[str, Lawbook]
    ) -> None:
        cut = law.edition(edition)
        whole = whole_law(cut)
        told = "; ".join(f"1,{given.counted()}" for given in given_kinds(cut.vocabulary).values())
        for seed, place in enumerate((":- not begun.", ":- not complete.", ":- play.")):
            wanted = f":- #sum {{ 1,C : owns(_,C) }} < 3. :- #sum {{ {told} }} < 1. {place}"
            options = ("--rand-freq=0.5", f"--seed={seed}")
            found = Search(cut.vocabulary, SMALL, [*whole, wanted], set(cut.vocabulary.kinds), options).find()
            assert found is not None
            assert solved(found) == ruled(Case.from_data(found.case), books[edition])

    def test_text_never_becomes_a_part_of_the_program(self) -> None:
        assert symbol('a"), fk_now(1). %') == '"a\\"), fk_now(1). %"'
        assert symbol(None) == "none"
        assert symbol(True) == "true"


def solved(found: Found) -> set[tuple[str, tuple[Any, ...]]]:
    return {
        (name, values) for name, rows in found.atoms.items() if name[:3] in ("fk_", "fo_", "fq_") for values in rows
    }


def ruled(case: Case, book: Lawbook) -> set[tuple[str, tuple[Any, ...]]]:
    facts = case_facts(case, book.law.vocabulary)
    assert not facts.open_fields
    conclusions = book.engine.run(facts.facts)
    return {(predicate(kind), values) for kind, rows in conclusions.facts.items() for values in rows}


class TestWitness:
    @pytest.mark.parametrize(
        ("old", "new", "clause", "before", "after"),
        [
            ("2007", "2017", "45-card-played/C1-defenders-card", {"card_must_be_played"}, {"card_is_played"}),
            ("1997", "2017", "00-definitions/visible-card", set(), {"names_the_card_played"}),
            ("1997", "2017", "16-information/other-sources", set(), set()),
        ],
    )
    def test_a_changed_clause_has_one(
        self, law: Law, old: str, new: str, clause: str, before: set[str], after: set[str]
    ) -> None:
        first, second = law.edition(old), law.edition(new)
        found = find_witness(clause, clause_changes(first, second), first, second, Bounds())
        assert isinstance(found, Witness)
        kinds = [{each.kind for each in ruling.findings} for ruling in (found.before, found.after)]
        assert before <= kinds[0] - kinds[1]
        assert after <= kinds[1] - kinds[0]

    def test_after_a_ruff_in_dummy_a_rank_alone_means_another_card(self, law: Law) -> None:
        first, second = law.edition("2007"), law.edition("2017")
        clause = "46-designation/B3a-rank-continues-the-suit"
        found = find_witness(clause, clause_changes(first, second), first, second, Bounds())
        assert isinstance(found, Witness)
        trick = found.read_case().table.tricks[0]
        assert trick.winner == "N"
        assert trick.cards[trick.players.index("N")][0] != trick.suit_led
        assert found.before != found.after

    def test_a_clause_whose_rules_are_the_same_has_none(self, law: Law) -> None:
        first, second = law.edition("1997"), law.edition("2017")
        changes = clause_changes(first, second)
        same = next(clause for clause in changes if clause not in in_effect(changes))
        found = find_witness(same, changes, first, second, SMALL)
        assert found == NoWitness(SMALL, proven=True)
        assert str(found) == "no difference within 2 cards a hand, 1 report, a deck of 4"

    def test_three_editions_have_a_witness_for_each_step(self) -> None:
        """45C4(b), when a designation may be changed, was rewritten twice."""
        made = run.invoke(
            app,
            ["diff", "1997", "2007", "2017", "--clause", "45C4(b)", "--witness", "--no-cases", "--format", "json"],
        )
        (clause,) = json.loads(made.stdout)["clauses"]
        witnesses = [step["witness"] for step in clause["steps"]]
        assert len(witnesses) == 2
        for found in witnesses:
            assert found["before"]["findings"] != found["after"]["findings"]
        assert [found["before"]["edition"] for found in witnesses] == ["1997", "2007"]
        assert [found["after"]["edition"] for found in witnesses] == ["2007", "2017"]

    def test_where_only_the_force_differs_it_is_shown(self) -> None:
        made = run.invoke(
            app, ["diff", "1997", "2017", "--clause", "43A1(a)", "--witness", "--no-cases", "-f", "markdown"]
        )
        assert made.exit_code == 0
        assert "(force: should)" in made.output
        assert "(force: may)" in made.output
        assert made.output.count("(force: ") == 2

    def test_a_saved_witness_is_a_case_that_a_person_fills_in(self, books: dict[str, Lawbook], tmp_path: Path) -> None:
        made = run.invoke(
            app, ["diff", "2007", "2017", "--clause", "45C2", "--witness", "--no-cases", "--save", str(tmp_path)]
        )
        assert made.exit_code == 0, made.output
        assert "a table on which they rule differently because of this clause" in made.output
        (path,) = tmp_path.glob("*.yaml")
        text = path.read_text(encoding="utf-8")
        assert '#   - editions: ["2007", "2017"]' in text
        assert "# 2007 rules now:" in text
        case = Case.from_file(path)
        assert essence(books["2007"].rule(case)) != essence(books["2017"].rule(case))

    @pytest.mark.parametrize("format", ["markdown", "html", "json"])
    def test_every_format_shows_it(self, format: str) -> None:
        made = run.invoke(
            app, ["diff", "2007", "2017", "--clause", "45C2", "--witness", "--no-cases", "--format", format]
        )
        assert made.exit_code == 0, made.output
        assert {"markdown": "by South, trick 1", "html": 'class="witness"', "json": '"witness": {'}[
            format
        ] in made.output

    def test_a_clause_that_only_asks_otherwise_is_shown_by_its_question(self, law: Law) -> None:
        """In 2017 it leaves the question after repeated revokes to another clause."""
        old, new = law.edition("2007"), law.edition("2017")
        clause = "64-after-an-established-revoke/C1-redress"
        found = find_witness(clause, clause_changes(old, new), old, new, Bounds())
        assert isinstance(found, Witness)
        assert questions(found.before) != questions(found.after)


class TestTablesAtHand:
    def test_a_table_is_near_where_an_exchanged_rule_fires_or_could(self, law: Law) -> None:
        cut = law.edition("2017")
        said = Said(cut)
        dropped = {"table": {"contract": "4S by S"}, "reports": [{"card_exposed": {"player": "E", "card": "D8"}}]}
        place = named(cut, "50B", "minor")
        assert said.is_near(dropped, Exchange(frozenset({place}), ()))
        assert said.is_near(dropped, Exchange(frozenset(), (cut.rules[place],)))
        assert not said.is_near({"table": {"contract": "4S by S"}}, unexcepted(cut, place))
        assert not said.is_near({"table": {"contract": "9S by S"}}, unexcepted(cut, place))


class TestBeforehand:
    """Neither a solver nor a proof is needed where a table is known."""

    @pytest.fixture(autouse=True)
    def _no_solver(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bridgelaws.solving.witnesses._Context.tables", out_of_time)
        monkeypatch.setattr("bridgelaws.solving.witnesses.concludes_the_same", lambda *_: False)

    CLAUSE = "45-card-played/C1-defenders-card"

    def test_the_table_found_beforehand_is_ruled_on_again(self, law: Law) -> None:
        old, new = law.edition("2007"), law.edition("2017")
        changes = clause_changes(old, new)
        found = find_witness(self.CLAUSE, changes, old, new, Bounds())
        assert isinstance(found, Witness)
        assert {each.kind for each in found.before.findings} != {each.kind for each in found.after.findings}
        assert not isinstance(find_witness(self.CLAUSE, changes, old, new, Bounds(), anew=True), Witness)

    def test_a_table_beyond_the_bounds_is_not_what_was_asked_for(self, law: Law) -> None:
        old, new = law.edition("1997"), law.edition("2017")
        clause = "45-card-played/D2-too-late"
        assert {size(each)[0] for each in tables_beforehand(clause)} == {2}
        changes = clause_changes(old, new)
        assert isinstance(find_witness(clause, changes, old, new, Bounds(reports=2)), Witness)
        assert not isinstance(find_witness(clause, changes, old, new, Bounds(reports=1)), Witness)

    def test_a_case_at_hand_is_made_small(self, law: Law) -> None:
        old, new = law.edition("2007"), law.edition("2017")
        case = Case.from_data(
            {
                "table": {"contract": "4S by S", "trick": 2, "on_lead": "E", "hands": {"E": ["DK", "D8", "C2"]}},
                "reports": [{"card_handled": {"player": "E", "card": "DK", "how": "held_visible"}}],
            }
        )
        known = Known(old, new, [case])
        found = find_witness(self.CLAUSE, clause_changes(old, new), old, new, Bounds(), known, anew=True)
        assert isinstance(found, Witness)
        assert size(found.case) < size(table_of(case))

    def test_a_proof_counts_only_for_the_rules_it_was_made_for(self, law: Law) -> None:
        old, new = law.edition("1997"), law.edition("2017")
        assert is_as_it_was(old, new), "run python -m benchmarks.witnesses"
        fewer = exchanged(new, Exchange(frozenset({0}), ()))
        assert not is_as_it_was(old, fewer)


class TestVerify:
    def test_a_contradiction_is_found_and_shown(self, law: Law) -> None:
        cut = law.edition("2017")
        place = named(cut, "50B", "minor")
        broken = without_exceptions(cut, place)
        target = next(each for each in contradiction_targets(broken) if each.name == CONTRADICTION)
        sound, wrong = (check(each, target, bounds=SMALL) for each in (cut, broken))
        assert sound.problem is None
        assert wrong.problem is not None
        assert wrong.problem.ruling is not None
        assert wrong.problem.ruling.conflicts

    def test_what_is_asked_in_parts_is_answered_for_each_question(self, law: Law) -> None:
        cut = without_exceptions(law.edition("2017"), named(law.edition("2017"), "50B", "minor"))
        asked = [each for each in contradiction_targets(cut) if each.name in (CONTRADICTION, "may_see and may_not_see")]
        whole = Verification(cut, asked, SMALL)
        checked = {each.name: each for each in whole.checked(whole.answers())}
        assert checked.keys() == {each.name for each in asked}
        assert {each.within for each in checked.values()} == {SMALL}
        assert {name for name, each in checked.items() if each.problem} == {CONTRADICTION}

    def test_more_reports_are_searched_with_fewer_cards(self) -> None:
        assert [str(each) for each in Bounds(cards=3, reports=2).report_by_report()] == [
            "3 cards a hand, 1 report",
            "2 cards a hand, 2 reports, a deck of 6",
        ]
        assert SMALL.report_by_report() == [SMALL]

    def test_fewer_rules_can_fire_as_far_as_values_tell_than_as_far_as_kinds_do(self, law: Law) -> None:
        cut = law.edition("2017")
        reaching = Reaching(cut)
        by_kinds = reaching.by_kinds(reaching.bits(["hands_returned"]))
        by_values = reaching.by_values(by_kinds)
        assert {each.place for each in by_values.rules} < {each.place for each in by_kinds.rules}
        assert not by_values.there & ~by_kinds.there

    def test_a_part_without_an_end_in_time_is_named(self, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bridgelaws.solving.searching.PATIENCE_FOR_ALL", 0.0)
        monkeypatch.setattr("bridgelaws.solving.verifying.PATIENCE_A_PART", 0.0)
        cut = law.edition("2017")
        target = next(each for each in contradiction_targets(cut) if each.name == "may_see and may_not_see")
        checked = check(cut, target, bounds=SMALL)
        assert (checked.problem, checked.within) == (None, None)
        assert checked.left == (("wants_to_see",),)

    @pytest.mark.parametrize(
        ("name", "bearing"),
        [
            ("nothing follows from dummy_card_touched", ("45C3", "touched to play it")),
            ("may_see and may_not_see", ("66B", "he may look at it")),
        ],
    )
    def test_what_was_proven_is_searched_again_only_where_a_rule_that_bears_on_it_changes(
        self, law: Law, questions_to_the_solver: list[str], name: str, bearing: tuple[str, str]
    ) -> None:
        def search(law: EditionLaw, *, anew: bool = False) -> Checked:
            questions_to_the_solver.clear()
            target = next(each for each in (*silence_targets(law), *contradiction_targets(law)) if each.name == name)
            asked = Verification(law, [target], SMALL, anew=anew)
            return next(iter(asked.checked(map(asked._answered, asked.jobs))))

        cut = law.edition("2017")
        proven = search(cut)
        assert (proven.problem, proven.ended, bool(questions_to_the_solver)) == (None, True, True)
        assert (search(cut), questions_to_the_solver) == (proven, [])
        assert search(cut, anew=True) == proven
        assert questions_to_the_solver
        assert (search(without(cut, "16D", "it affected the result")), questions_to_the_solver) == (proven, [])
        search(without(cut, *bearing))
        assert questions_to_the_solver

    def test_what_the_package_has_a_proof_for_is_not_searched(
        self, law: Law, questions_to_the_solver: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        cut = law.edition("2017")
        target = next(each for each in contradiction_targets(cut) if each.name == "may_see and may_not_see")
        asked = Verification(cut, [target], SMALL)
        (answer,) = asked._answered(asked.jobs[0])
        assert (len(answer.proofs), answer.known) == (1, False)
        monkeypatch.setattr("bridgelaws.solving.proven._marks", lambda: tmp_path / "another user")
        monkeypatch.setattr("bridgelaws.solving.proven._BEFOREHAND", tmp_path)
        proofs_file("2017").write_text(written(answer.proofs))
        questions_to_the_solver.clear()
        (again,) = asked._answered(asked.jobs[0])
        assert (again, questions_to_the_solver) == (replace(answer, known=True), [])

    def test_a_part_has_only_kinds_that_bear_on_what_it_may_show(self, law: Law) -> None:
        cut = law.edition("2017")
        target = next(each for each in contradiction_targets(cut) if each.name == "may_see and may_not_see")
        splitting = Splitting(cut, [target])
        assert [each.given for each in splitting.parts(1)] == [("wants_to_see",)]
        assert ("wants_to_see", "dummy_card_touched") not in [each.given for each in splitting.parts(2)]
        rules = splitting.rules(Part(("wants_to_see",), (target,)))
        assert {"may_see", "may_not_see"} <= {head.kind for rule in rules.values() for head in rule.then}
        assert len(rules) < 60
        excepted = {atom.kind for rule in rules.values() for each in rule.unless for atom in each.atoms}
        given = {kind for kind in excepted if cut.vocabulary[kind].source in ("report", "choice")}
        assert given <= {"wants_to_see"}

    def test_an_incident_alone_needs_only_the_rules_that_it_can_reach(self, law: Law) -> None:
        cut = law.edition("2017")
        left = with_no_other_report(cut, "cards_disordered")
        assert {"keeps_in_order", "tricks_not_kept"} <= {head.kind for r in left.program.rules for head in r.then}
        assert len(left.rules) < len(cut.rules) / 2
        read = {pattern.kind for each in left.rules for pattern in (*each.rule.when, *sum(each.rule.unless, ()))}
        assert {kind for kind in read if cut.vocabulary[kind].source in ("report", "choice")} == {"cards_disordered"}

    def test_a_rule_that_no_table_reaches_is_dead(self, law: Law) -> None:
        cut = law.edition("2017")
        fires = next(rule_targets(cut))
        place = fires.about["rule"]
        rule = cut.program.rules[place]
        never = replace(rule, unless=(*rule.unless, rule.when))
        rules = (*cut.program.rules[:place], never, *cut.program.rules[place + 1 :])
        broken = replace(cut, program=replace(cut.program, rules=rules))
        target = next(rule_targets(broken))
        assert check(cut, fires, bounds=SMALL).problem is None
        dead = check(broken, target, bounds=SMALL).problem
        assert dead is not None
        assert dead.check == "dead rule"

    def test_no_player_is_left_without_a_card(self, law: Law) -> None:
        assert check(law.edition("2017"), stuck_target(law.edition("2017")), bounds=SMALL).problem is None

    def test_dropped_exceptions_change_some_ruling(self, law: Law) -> None:
        """Planted faults: see benchmarks/planted_faults.py for many more."""
        cut = law.edition("2017")
        place = named(cut, "50C", "no other small card of the suit first")
        found = difference_search(cut, unexcepted(cut, place), SMALL).find()
        assert found is not None
        rulings = [Lawbook(each).rule(Case.from_data(found.case)) for each in (cut, without_exceptions(cut, place))]
        assert rulings[0].plays != rulings[1].plays

    def test_two_editions_are_not_the_same(self) -> None:
        made = run.invoke(app, ["verify", "2007", "--same", "2017", "--cards", "2", "--reports", "1"])
        assert made.exit_code == 1
        assert "2007:" in made.output
        assert "2017:" in made.output

    def test_an_incident_of_which_the_law_says_nothing_is_found(self, law: Law) -> None:
        cut = law.edition("2017")
        target = next(each for each in silence_targets(cut) if each.about["silent"] == "dummy_card_touched")
        assert check(cut, target, bounds=SMALL).problem is None
        speechless = without(cut, "45C3", "touched to play it")
        found = check(speechless, target, bounds=SMALL).problem
        assert found is not None
        assert found.check == "no ruling"
        assert found.case is not None
        assert found.case["reports"][0]["dummy_card_touched"]["purpose"] == "to_play"

    @pytest.mark.parametrize("same", [[], ["--same", "2007"]])
    def test_the_json_is_what_its_schema_says(
        self, same: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def few(cut: EditionLaw, _covered: object) -> list[Target]:
            wrong = next(each for each in contradiction_targets(cut) if each.name == CONTRADICTION)
            return [wrong, next(silence_targets(cut))]

        monkeypatch.setattr("bridgelaws.solving.verifying.questions", few)
        arguments = ["verify", "2017", *same, "--cards", "2", "--reports", "1", "--format", "json"]
        made = run.invoke(app, [*arguments, "--cases", str(tmp_path / "none")])
        told = json.loads(made.stdout)
        validator = Draft202012Validator(verify_schema())
        validator.validate(told)
        told["more"] = 1
        assert not validator.is_valid(told)

    def test_what_the_law_accepts_is_told_with_its_reason_and_is_no_problem(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def only_silence(cut: EditionLaw, _covered: object) -> list[Target]:
            return [next(each for each in silence_targets(cut) if each.about["silent"] == "dummy_card_touched")]

        draft = speechless_draft(tmp_path, questions=["nothing follows from dummy_card_touched"])
        monkeypatch.setattr("bridgelaws.solving.verifying.questions", only_silence)
        arguments = ["verify", "next", "--cards", "2", "--reports", "1", "--cases", str(tmp_path / "none"), "--laws"]
        made = run.invoke(app, [*arguments, str(draft)])
        assert (made.exit_code, "accepted: we mean it so" in made.output) == (0, True), made.output
        assert "0 problems, 1 accepted" in made.output
        told = json.loads(run.invoke(app, [*arguments, str(draft), "--format", "json"]).stdout)
        assert [(each["accepted"], each["left_open"]) for each in told["problems"]] == [(True, "we mean it so")]
        Draft202012Validator(verify_schema()).validate(told)
        assert run.invoke(app, [*arguments, str(speechless_draft(tmp_path, questions=[]))]).exit_code == 1
        editions = draft / "editions.yaml"
        editions.write_text(editions.read_text(encoding="utf-8").replace("accepted: true", "accepted: false"), "utf-8")
        assert run.invoke(app, [*arguments, str(draft)]).exit_code == 1

    def test_what_was_not_searched_to_the_end_is_told_with_the_reason_that_the_law_gives(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def open_one(cut: EditionLaw, _covered: object) -> list[Target]:
            return [next(each for each in contradiction_targets(cut) if each.name == "may_see and may_not_see")]

        monkeypatch.setattr("bridgelaws.solving.verifying.questions", open_one)
        monkeypatch.setattr("bridgelaws.solving.searching.PATIENCE_FOR_ALL", 0.0)
        monkeypatch.setattr("bridgelaws.solving.verifying.PATIENCE_A_PART", 0.0)
        draft = speechless_draft(tmp_path, questions=["may_see and may_not_see"])
        arguments = ["verify", "next", "--cards", "2", "--reports", "1", "--cases", str(tmp_path / "none")]
        made = run.invoke(app, [*arguments, "--laws", str(draft)])
        assert made.exit_code == 0
        told = made.output.splitlines()
        assert told[0] == "not searched to the end: may_see and may_not_see"
        assert told[1].startswith("  not with ")
        assert told[2] == "  left open: we mean it so"

    def test_what_the_shipped_law_leaves_open_is_asked_and_none_of_it_is_accepted(self, law: Law) -> None:
        assert not any(each.accepted for each in left_open(law).values())

    def test_a_question_that_nobody_asks_cannot_be_left_open(self, tmp_path: Path) -> None:
        draft = speechless_draft(tmp_path, questions=["nothing follows from dummy_card_touchd"])
        with pytest.raises(LawError) as wrong:
            left_open(load_law(draft))
        (problem,) = wrong.value.diagnostics
        assert problem.message == "verify asks no question 'nothing follows from dummy_card_touchd'"
        assert (problem.line, "dummy_card_touched" in problem.hint) == (3, True)

    def test_what_another_rule_concludes_anyway_is_proven_to_change_nothing(self, law: Law) -> None:
        cut = law.edition("2017")
        twice = Exchange(frozenset(), (cut.rules[named(cut, "50B", "two or more")],))
        assert concludes_the_same(cut, twice, TWO_REPORTS, until=0.0)
        gone = Exchange(frozenset({named(cut, "50B", "two or more")}), ())
        assert not concludes_the_same(cut, gone, TWO_REPORTS, math.inf)
        needless = unexcepted(cut, named(cut, "51B1(a)", "the suit is required"))
        assert concludes_the_same(cut, needless, TWO_REPORTS, math.inf)
        needed = unexcepted(cut, named(cut, "50B", "minor"))
        assert not concludes_the_same(cut, needed, TWO_REPORTS, math.inf)

    def test_what_keeps_itself_alive_is_no_proof(self, law: Law) -> None:
        """A rule that concludes what it reads is content with facts that have lost their beginning."""
        cut = law.edition("2017")
        place = named(cut, "50B", "two or more")
        beginning = cut.rules[place]
        conclusion = beginning.rule.then[0]
        tests = tuple(
            FieldTest(field, "", "equal", (Name(name),), conclusion.path)
            for field, name in {"player": "player", "card": "first"}.items()
        )
        itself = Pattern(conclusion.kind, tests, conclusion.path)
        circle = replace(beginning.rule, when=(itself,), unless=(), then=(conclusion,))
        exchange = Exchange(frozenset({place}), (replace(beginning, rule=circle),))
        assert Proof(cut, exchange).is_circular
        assert not concludes_the_same(cut, exchange, TWO_REPORTS, math.inf)

    @pytest.mark.parametrize(
        ("old", "clause", "sense"),
        [
            ("1997", "63-establishment/A4-agreed-to-a-claim", ": exchanged in 1997, it changes nothing there"),
            ("2007", "50-penalty-card/D2b-neither", ": exchanged in 2017, it changes nothing there"),
            ("2007", "50-penalty-card/C-minor", None),
        ],
    )
    def test_a_clause_that_the_other_edition_has_elsewhere_is_proven_to_change_nothing_there(
        self, law: Law, monkeypatch: pytest.MonkeyPatch, old: str, clause: str, sense: str | None
    ) -> None:
        """As when the time for the search is up."""
        editions = law.edition(old), law.edition("2017")
        monkeypatch.setattr("bridgelaws.solving.witnesses._Context.tables", out_of_time)
        found = find_witness(clause, clause_changes(*editions), *editions, TWO_REPORTS, anew=True)
        assert found == NoWitness(TWO_REPORTS, proven=sense is not None, sense=sense or "")

    def test_an_edition_is_the_same_as_itself(self, law: Law) -> None:
        cut = law.edition("2017")
        assert same_rulings(cut, cut, SMALL) == NoWitness(SMALL, proven=True)


def speechless_draft(folder: Path, questions: list[str]) -> Path:
    """A draft that says nothing of a card of dummy's that declarer touched to play it, and knows it."""
    draft = folder / f"draft-{len(questions)}"
    clause = draft / "45-card-played" / "C3-dummys-card-touched.yaml"
    clause.parent.mkdir(parents=True, exist_ok=True)
    clause.write_text(
        "title: Dummy's card touched\n"
        'versions: [{since: "next", number: 45C3, rules: as before, without: [touched to play it]}]\n',
        encoding="utf-8",
    )
    left_open = (
        f"open:\n  - questions: {json.dumps(questions)}\n    why: we mean it so\n    accepted: true\n"
        if questions
        else ""
    )
    (draft / "editions.yaml").write_text(
        f'editions: {{"next": {{name: Next, follows: "2017"}}}}\n{left_open}', encoding="utf-8"
    )
    return draft


def out_of_time(*_asked: object) -> None:
    raise OutOfTime


CONTRADICTION = "minor_penalty_card and major_penalty_card"


def named(law: EditionLaw, number: str, name: str) -> int:
    return next(place for place, each in enumerate(law.rules) if (each.number, each.rule.name) == (number, name))


def without(law: EditionLaw, number: str, name: str) -> EditionLaw:
    return exchanged(law, Exchange(frozenset({named(law, number, name)}), ()))


def unexcepted(law: EditionLaw, place: int) -> Exchange:
    """A rule for itself, without its exceptions."""
    return Exchange(frozenset({place}), (replace(law.rules[place], rule=replace(law.rules[place].rule, unless=())),))


def without_exceptions(law: EditionLaw, place: int) -> EditionLaw:
    return exchanged(law, unexcepted(law, place))


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["verify", "2008"], "there is no edition '2008'"),
            (["verify", "2017", "--same", "2071"], "there is no edition '2071'"),
            (["diff", "1997", "2071", "--witness"], "there is no edition '2071'"),
            (["diff", "1997", "2017", "--clause", "99Z", "--witness"], "clause '99Z'"),
            (["diff", "1997", "2017", "--witness", "--cards", "0", "--no-cases"], "a search with 0 cards is none"),
            (["verify", "2017", "--reports", "0"], "a search with 0 reports is none"),
            (["new", "cases", "--for", "99Z", "--out", "x"], "99Z"),
            (["new", "cases", "--for", "50C", "--out", "x", "--cards", "0"], "a search with 0 cards is none"),
        ],
    )
    def test_a_command_that_cannot_search_says_why(self, arguments: list[str], message: str) -> None:
        made = run.invoke(app, arguments)
        assert isinstance(made.exception, UsageError)
        assert message in str(made.exception)

    @pytest.mark.parametrize("command", [["verify", "2017"], ["verify", "2017", "--same", "2017"], ["diff", "2017"]])
    def test_a_draft_that_does_not_load_is_not_searched(self, command: list[str], tmp_path: Path) -> None:
        clause = tmp_path / "50-penalty-card" / "C-minor.yaml"
        clause.parent.mkdir()
        clause.write_text("title: Broken\nversions: 3\n", encoding="utf-8")
        made = run.invoke(app, [*command, "--laws", str(tmp_path)])
        assert isinstance(made.exception, LawError)
        assert "C-minor.yaml" in str(made.exception)

    @pytest.mark.parametrize("number", [0, -1, 7])
    def test_bounds_that_find_nothing(self, number: int) -> None:
        with pytest.raises(UsageError, match="from 1 to 6"):
            Bounds(cards=number)
        made = run.invoke(app, ["verify", "2017", "--reports", str(number)])
        assert isinstance(made.exception, UsageError)

    def test_without_clingo_the_extra_is_named(self, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
        real = builtins.__import__

        def missing(name: str, *rest: Any) -> Any:
            if name == "clingo":
                raise ImportError
            return real(name, *rest)

        monkeypatch.setattr(builtins, "__import__", missing)
        with pytest.raises(UsageError, match=r"bridgelaws\[solver\]"):
            Search(law.vocabulary, SMALL, [], set()).exists()

    def test_engines_that_disagree_are_an_internal_error(self, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("durable")
        case = Case.from_data({"table": {"contract": "4S by S"}})
        real = Lawbook.rule

        def different(self: Lawbook, case: Case, *, why: bool = False) -> Any:
            ruling = real(self, case, why=why)
            return replace(ruling, clauses=("99",)) if self.engine_name == "durable" else ruling

        monkeypatch.setattr(Lawbook, "rule", different)
        with pytest.raises(EngineError, match="rule differently"):
            replayed(law.edition("2017"), case)

    def test_a_case_that_does_not_show_it_is_not_made_small(self, law: Law) -> None:
        assert shrunk({"table": {}}, lambda _: False, law.vocabulary) is None

    def test_too_little_time_is_said(self, law: Law) -> None:
        cut = law.edition("2017")
        search = Search(cut.vocabulary, SMALL, whole_law(cut), set(cut.vocabulary.kinds))
        with pytest.raises(OutOfTime):
            search.find(until=0.0)


class TestGenerating:
    def test_a_case_for_each_rule_of_a_clause(self, tmp_path: Path) -> None:
        made = run.invoke(app, ["new", "cases", "--for", "45G", "--out", str(tmp_path), "--reports", "1"])
        assert made.exit_code == 0, made.output
        files = sorted(tmp_path.glob("*.yaml"))
        assert files
        for path in files:
            assert "# expect:" in path.read_text(encoding="utf-8")
            assert Case.from_file(path).title.startswith("45G: the rule ")
        again = run.invoke(app, ["new", "cases", "--for", "45G", "--out", str(tmp_path), "--reports", "1"])
        assert "is there already" in again.output

    @pytest.mark.parametrize(
        "arguments", [[], ["--for", "50C", "--random", "3"], ["--for", "50C"], ["--for", "99Z", "--out", "x"]]
    )
    def test_what_cannot_be_made(self, arguments: list[str]) -> None:
        assert isinstance(run.invoke(app, ["new", "cases", *arguments]).exception, UsageError)


def test_a_small_table_told_on_a_narrow_page(law: Law, books: dict[str, Lawbook]) -> None:
    case = Case.from_data({"table": {"contract": "4S by S", "hands": {"W": "♠A ♥2"}, "tricks": ["W: H3 H4 H5 S2"]}})
    rulings = {name: book.rule(case) for name, book in books.items()}
    lines = told(case, rulings, law.vocabulary, 60)
    assert "[4♠ by South, trick 2, South to play]" in lines[1]
    assert "trick 1: W ♥3 N ♥4 E ♥5 S ♠2, won by South" in lines
    assert "2017:" in lines


def test_conditions_without_tests_are_rules_too() -> None:
    rule = Rule("", (), 0, Condition(()), (), ())
    assert list(Translation({}).rule("0", rule)) == []
