"""The interview: what it asks and in which order, in Python, through a pipe and on a real terminal.

What must come out is taken from the recorded cases and from the law, never from what the program printed.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridgelaws import Case, Lawbook, cli
from bridgelaws.errors import RefusedAnswer
from bridgelaws.interview import Interview, Prompt
from bridgelaws.interview.incidents import Incidents
from bridgelaws.lawbook import law as law_module
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.located import scalar_text

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"
DROPPED = ("dropped a card", "1", "E", "D8", "4S by S", "E: ♦KT862", "", "", "dropped")
TEN = ("card exposed", "E", "DT", "4S by S", "E: ♦KT862", "", "")
# tests/cases/46-designation/B2-…: a heart, with dummy on lead.
HEART = ("designation", "", "4S by S", "dummy: ♥KT3 ♠5 ♦2", "", "9 N", "", "suit_only", "H")


@pytest.fixture(scope="module")
def book(law: Law) -> Lawbook:
    return Lawbook(law.edition("2017"))


@pytest.fixture
def begun(book: Lawbook) -> Interview:
    return Interview.begin(book)


def told(interview: Interview, *answers: str) -> Interview:
    for answer in answers:
        interview = interview.answer(answer)
    return interview


def asked(interview: Interview) -> Prompt:
    assert interview.prompt is not None
    return interview.prompt


def findings(interview: Interview) -> list[str]:
    return [finding.text for finding in interview.ruling.findings]


class TestIncidents:
    @pytest.mark.parametrize(
        ("words", "kind"),
        [
            ("dropped a card", "card_exposed"),
            ("declarer called for a low card", "designation"),
            ("simultaneous", "played_at_once"),
            ("East hesitates", "partner_informed"),
            ("dummy put up the wrong card", "dummy_placed_wrong_card"),
            ("penalty card not played", "penalty_card_not_played"),
            ("card fell during the auction", "exposed_in_auction"),
            ("lead out of turn", "led_out_of_turn"),
            ("opening lead out of turn", "led_out_of_turn"),
            ("revoked", "revoke"),
            ("did not follow suit", "revoke"),
            ("claim", "claim_made"),
            ("conceded a trick", "concession_regretted"),
        ],
    )
    def test_words_find_the_incident(self, book: Lawbook, words: str, kind: str) -> None:
        assert Incidents(book.law).found(words)[0].name == kind

    def test_a_word_that_is_nowhere_is_refused_with_the_nearest(self, begun: Interview) -> None:
        with pytest.raises(RefusedAnswer, match=r"^nothing here is about 'exqosed'; did you mean 'exposed'\?$"):
            begun.answer("exqosed")

    def test_what_is_found_says_what_it_means_and_is_chosen_by_number_name_or_enter(self, begun: Interview) -> None:
        found = begun.answer("two cards at once")
        names = [choice.value for choice in asked(found).choices]
        assert "played_together" in names
        assert asked(found).choices[0].follows[0] == found.book.law.vocabulary[names[0]].means
        place = names.index("played_together") + 1
        for answer in (str(place), "played together", "played_together"):
            assert found.answer(answer).record.reports == ({"played_together": {}},)
        assert found.answer("").record.reports == ({names[0]: {}},)

    def test_other_words_search_again(self, begun: Interview) -> None:
        again = told(begun, "two cards at once", "dropped a card")
        assert asked(again).choices[0].value == "card_exposed"
        assert not again.has_begun

    def test_enter_lists_what_can_have_happened(self, begun: Interview) -> None:
        names = [choice.value for choice in asked(begun.answer("")).choices]
        assert {"card_exposed", "designation", "fifth_card"} <= set(names)
        # It is only ever asked for.
        assert "called_suit" not in names
        assert begun.answer("called suit").record.reports == ({"called_suit": {}},)

    def test_the_whole_list_stands_under_the_laws_in_their_order(self, begun: Interview) -> None:
        choices = asked(begun.answer("")).choices
        headings = list(dict.fromkeys(choice.heading for choice in choices))
        assert headings == sorted(headings, key=lambda each: int(each.split(":")[0].split()[1]))
        under = {choice.value: choice.heading for choice in choices}
        # A lead out of turn is asked about by other Laws, and still it is what happened.
        assert under["led_out_of_turn"].startswith("Law 53") and under["claim_made"].startswith("Law 68")
        assert len(headings) > 15 and [choice.heading for choice in choices] == sorted(
            (choice.heading for choice in choices), key=headings.index
        )

    def test_an_edition_offers_only_what_its_rules_read(self, law: Law) -> None:
        known = {name: {kind.name for kind in Incidents(law.edition(name)).kinds} for name in law.editions}
        assert "claim_deemed" in known["1997"]
        assert "claim_deemed" not in known["2017"]


NEW_KIND = """
kinds:
  tea_spilt:
    source: report
    means: Somebody spilt tea over the board.
    fields:
      player: {type: seat, ask: Who spilt it?}
      loud: {type: yes_no, ask: Was there a shout?}
      colour: {type: one_of, judgement: true, ask: What tea was it?, values: {red: red, blue: blue, green: green}}
      own_cup: {type: yes_no, default: true, means: It was his own cup}
    say: "{player} spilt {colour} tea"
  tea_ruling:
    source: ruling
    means: What to do about tea.
    fields: {what: {type: one_of, values: {wipe: wipe it, wash: wash it, hush: be quiet, pay: pay for it}}}
    say: "{what}"
"""
NEW_CLAUSE = """
title: Tea
versions:
  - since: "2017"
    number: 99A
    gist: Tea is wiped or washed away.
    rules:
      - name: red tea
        when: [{tea_spilt: {colour: red, own_cup: true}}]
        then: [{tea_ruling: {what: wipe}}]
      - name: blue tea
        when: [{tea_spilt: {colour: blue}}]
        then: [{tea_ruling: {what: wash}}]
      - name: green tea
        when: [{tea_spilt: {colour: green, loud: true}}]
        then: [{tea_ruling: {what: hush}}]
"""


@pytest.fixture(scope="module")
def tea(tmp_path_factory: pytest.TempPathFactory) -> Interview:
    """An interview under a draft with an incident that the program has never heard of."""
    folder = tmp_path_factory.mktemp("draft")
    (folder / "99-tea").mkdir()
    (folder / "vocabulary.yaml").write_text(NEW_KIND, encoding="utf-8")
    (folder / "99-tea" / "A.yaml").write_text(NEW_CLAUSE, encoding="utf-8")
    return Interview.begin(Lawbook.load(laws=folder))


class TestOnlyWhatMatters:
    def test_who_and_which_card_are_asked_in_the_words_of_the_vocabulary(self, tea: Interview) -> None:
        spilt = told(tea, "tea", "1")
        assert asked(spilt).ask == "Who spilt it?"
        # None of its rules looks at the table.
        assert asked(spilt.answer("East")).part == "question"

    def test_the_question_that_settles_most_comes_first(self, tea: Interview) -> None:
        # Asked first, the shout leaves three rulings open either way; the colour leaves one, one, and two.
        first = told(tea, "tea spilt", "E")
        assert [question.field for question in first.ruling.questions] == ["colour", "loud"]
        assert asked(first).ask == "What tea was it? (East)"
        assert asked(first).judgement

    def test_what_no_longer_decides_is_not_asked(self, tea: Interview) -> None:
        blue = told(tea, "tea spilt", "E", "blue")
        assert asked(blue).part == "end"
        assert findings(blue) == ["wash it"]
        green = told(tea, "tea spilt", "E", "green")
        assert (asked(green).ask, asked(green).judgement) == ("Was there a shout? (East)", False)

    def test_what_need_not_be_told_is_offered_only_where_it_would_change_the_ruling(self, tea: Interview) -> None:
        red = told(tea, "tea spilt", "E", "red")
        assert asked(red).fields == (("own_cup", "It was his own cup [yes]"),)
        assert asked(red).example == "own_cup no"
        assert findings(red.answer("")) == ["wipe it"]
        assert findings(told(red, "own_cup no", "")) == []
        assert asked(told(tea, "tea spilt", "E", "green", "yes")).part == "end"

    def test_what_follows_from_each_answer_is_shown(self, tea: Interview) -> None:
        choices = asked(told(tea, "tea spilt", "E")).choices
        assert [(choice.value, choice.follows) for choice in choices] == [
            ("red", ("wipe it",)),
            ("blue", ("wash it",)),
            ("green", ()),
        ]

    def test_an_answer_that_opens_another_question_says_so(self, begun: Interview) -> None:
        follows = {choice.value: choice.follows for choice in asked(told(begun, *DROPPED[:-1])).choices}
        assert follows["named"] == ("then one more question decides",)
        assert follows["dropped"] == (MINOR, "West may lead anything")

    def test_the_manner_of_an_honour_is_not_asked(self, begun: Interview) -> None:
        # tests/cases/50-penalty-card/B-manner-of-an-honour-is-not-asked.yaml
        assert asked(told(begun, *TEN)).part == "option"
        assert asked(told(begun, *DROPPED[:-1])).ask == "How did the card come to be exposed? (East, ♦8)"

    def test_judgement_is_called_judgement(self, begun: Interview) -> None:
        # tests/cases/50-penalty-card/B-named-asks-for-judgement.yaml
        named = told(begun, *DROPPED[:-1], "named")
        assert (asked(named).ask, asked(named).judgement) == ("Was the card exposed unintentionally? (East, ♦8)", True)
        assert "♦8 is a minor penalty card; it stays faced in front of East" in findings(named.answer("yes"))

    def test_what_nobody_knows_stays_open_and_is_not_asked_again(self, begun: Interview) -> None:
        for unknown in ("", "don't know"):
            skipped = told(begun, *DROPPED[:-1], unknown)
            assert asked(skipped).part == "end"
            assert [question.field for question in skipped.ruling.questions] == ["manner"]
        nobody = told(begun, "card exposed", "", "D8", "4S by S", "", "", "dropped")
        assert asked(nobody).part == "end"
        assert [question.field for question in nobody.ruling.questions] == ["player"]

    def test_the_table_is_asked_for_only_where_rules_look_at_it(self, begun: Interview) -> None:
        disordered = told(begun, "cards disordered", "E")
        assert asked(disordered).ask == "How far has the play come?"
        assert asked(told(begun, "card exposed", "E", "D8")).ask == "What is the contract?"


class TestTheTable:
    def test_hands_come_one_by_one_or_as_a_deal(self, begun: Interview) -> None:
        exposed = told(begun, "card exposed", "E", "D8", "4S by S")
        assert told(exposed, "East: ♦KT862", "dummy ♠KJ852 ♥A").record.table["hands"] == {
            "E": "♦KT862",
            "dummy": "♠KJ852 ♥A",
        }
        deal = "N:AKQ..KT2.J3 ..8. - -"
        assert exposed.answer(deal).record.table["deal"] == deal

    def test_the_play_is_a_number_a_leader_tricks_or_a_stage(self, begun: Interview) -> None:
        play = told(begun, "card exposed", "E", "D8", "4S by S", "")
        assert play.answer("trick 8, West leads").record.table["trick"] == 8
        assert play.answer("8 w").record.table["on_lead"] == "W"
        assert told(play, "W", "2").record.table["trick"] == 2
        tricks = told(play, "W: S4 S2 SK SA", "S: H2")
        assert tricks.record.table["tricks"] == ["W: S4 S2 SK SA", "S: H2"]
        assert play.answer("over").record.table["stage"] == "over"

    def test_the_declarer_alone_will_do(self, begun: Interview) -> None:
        assert told(begun, "card exposed", "E", "D8", "South").record.table == {"declarer": "S"}

    @pytest.mark.parametrize(
        ("answers", "wrong", "message"),
        [
            ((), "E: ♦KT862 ♦8", "♦8 stands twice in East's hand; write each card once"),
            (("E: ♦KT862",), "W: ♦8", "♦8 is in West's hand and in East's; leave it in one of the two"),
            ((), "♦8", "'♦8' does not say whose hand it is; write for example E: ♦KT862"),
            (("",), "20 W", "there is no trick 20"),
            (("",), "8 Q", "'Q' is no seat; write N, E, S or W"),
            (("", "1 W"), "W: S4 S2 S3 S5 S6", "5 cards were played to this trick"),
        ],
    )
    def test_an_impossible_table_is_told_at_once_and_the_answer_asked_again(
        self, begun: Interview, answers: tuple[str, ...], wrong: str, message: str
    ) -> None:
        table = told(begun, "card exposed", "E", "D8", "4S by S", *answers)
        with pytest.raises(RefusedAnswer) as refused:
            table.answer(wrong)
        assert message in str(refused.value)
        assert "<" not in str(refused.value)

    def test_an_incident_may_be_of_an_earlier_trick_but_not_of_a_later_one(self, begun: Interview) -> None:
        late = told(begun, "card exposed", "E", "D8", "4S by S", "", "9 W", "")
        assert asked(late).enter == "9, the one now in progress"
        assert late.answer("6").record.reports[0]["card_exposed"]["trick"] == 6
        for wrong in ("10", "0"):
            with pytest.raises(RefusedAnswer, match=f"there was no trick {wrong} yet"):
                late.answer(wrong)

    def test_the_table_can_be_brought_up_to_date(self, begun: Interview) -> None:
        later = told(begun, *DROPPED, "table")
        assert (asked(later).ask, asked(later).enter) == ("What is the contract?", "stays 4S by S")
        after = told(later, "", "", "2 N", "", "1")
        assert after.record.table == {"contract": "4S by S", "hands": {"E": "♦KT862"}, "trick": 2, "on_lead": "N"}

    def test_several_hands_are_told_at_once(self, begun: Interview) -> None:
        hands = told(begun, "card exposed", "E", "D8", "4S by S", "E: ♦KT862, dummy: ♠KJ852 ♥A; w: C2")
        assert hands.record.table["hands"] == {"E": "♦KT862", "dummy": "♠KJ852 ♥A", "W": "C2"}
        with pytest.raises(RefusedAnswer, match="'Q: H2' does not say whose hand it is"):
            hands.answer("S: H3, Q: H2")

    def test_a_claim_is_tried_on_the_cards_once_it_is_contested(self, begun: Interview) -> None:
        before = told(
            begun, "claim made", "S", "2", "4S by S", "S: ♠A ♦A, W: ♠2 ♥6, N: ♥32, E: ♥54", "", "12 S", "", ""
        )
        contested = told(before, "says_wins", "doubted")
        assert "claim" not in before.record.table and asked(contested).ask == "Whose claim is to be tried on the cards?"
        with pytest.raises(RefusedAnswer, match="'Q' is no seat"):
            contested.answer("Q")
        with pytest.raises(RefusedAnswer, match="sleep"):
            contested.answer("S: sleep")
        searched = contested.answer("S")
        assert searched.record.table["claim"] == "S"
        assert any(text.startswith("a line for 1, trick 12: South leads ♦A") for text in findings(searched))
        assert contested.answer("S: draw trumps, DA").record.table["claim"] == {
            "by": "S",
            "line": ["draw trumps", "DA"],
        }
        assert asked(contested.answer("")).part == "question"


class TestOptions:
    """tests/cases/50-penalty-card/D2a-require.yaml and its neighbours, at the opening lead."""

    def test_an_option_is_taken_and_the_ruling_made_again(self, begun: Interview) -> None:
        waiting = told(begun, *TEN)
        assert [choice.value for choice in asked(waiting).choices] == ["require-D", "forbid-D", "neither"]
        assert [choice.clauses for choice in asked(waiting).choices] == [("50D2(a)",), ("50D2(a)",), ("50D2(b)",)]
        required = waiting.answer("1")
        assert required.record.choices == (
            {"lead_choice": {"player": "W", "trick": 1, "decision": "require", "suit": "D"}},
        )
        assert {"♦T is no longer a penalty card; East picks it up", "West must lead a diamond"} <= {*findings(required)}
        assert "♦T is a major penalty card; it stays faced in front of East" in findings(waiting.answer("neither"))

    def test_nobody_need_choose_yet(self, begun: Interview) -> None:
        later = told(begun, *TEN, "")
        assert asked(later).part == "end"
        assert len(later.ruling.options) == 1
        assert later.answer("").prompt is None

    def test_each_of_two_reports_of_a_kind_gets_its_own_answer(self, begun: Interview) -> None:
        # tests/cases/58-simultaneous-plays/B2-R39-designates-the-ace.yaml
        first = ("played together", "E", "SA", "3NT by S", "E: ♠A4 ♥32 ♦9", "", "6 E", "", "")
        three = told(begun, *first, "played together", "E", "H2", "", "seen", "seen")
        assert {choice.value for choice in asked(three).choices} == {"SA", "H2"}
        three = told(three, "", "played together", "E", "H3", "", "seen")
        assert {choice.value for choice in asked(three).choices} == {"SA", "H2", "H3"}
        assert {
            "♠A is played from East's hand",
            "♥2 is a major penalty card; it stays faced in front of East",
            "♥3 is a major penalty card; it stays faced in front of East",
        } <= {*findings(three.answer("SA"))}

    def test_an_answer_goes_to_the_report_that_it_is_about(self, begun: Interview) -> None:
        hidden = ("played together", "E", "", "3NT by S", "E: ♠A4 ♥32 ♦9", "", "6 E", "", "")
        both = told(begun, *hidden, "played together", "E", "H2", "")
        assert asked(both).ask == "Could anyone else at the table see the face of this card? (East)"
        named = both.answer("hidden")
        assert asked(named).ask == "Could anyone else at the table see the face of this card? (East, ♥2)"
        assert named.answer("seen").record.reports == (
            {"played_together": {"player": "E", "face": "hidden"}},
            {"played_together": {"player": "E", "card": "H2", "face": "seen"}},
        )


class TestGoingBack:
    def test_back_undoes_one_answer_after_the_other(self, begun: Interview) -> None:
        interviews = [begun]
        for answer in DROPPED:
            interviews.append(interviews[-1].answer(answer))
        interview = interviews[-1]
        for before in reversed(interviews[:-1]):
            interview = interview.back()
            assert (interview.record, interview.prompt) == (before.record, before.prompt)
        with pytest.raises(RefusedAnswer, match="this is the beginning"):
            interview.back()

    def test_a_changed_answer_keeps_the_others(self, begun: Interview) -> None:
        ten = told(begun, *TEN, "require-D")
        changed = ten.change(3)
        assert asked(changed).ask == "Which card was it?"
        eight = changed.answer("D8")
        assert asked(eight).ask == "How did the card come to be exposed? (East, ♦8)"
        assert eight.record.table == ten.record.table
        assert eight.record.choices == ()
        # With the ten again, all is as it was.
        assert changed.answer("DT").record == ten.record

    def test_other_words_for_what_happened_are_searched_for(self, begun: Interview) -> None:
        changed = told(begun, "dropped a card", "1", "E", "D8").change(1).answer("two cards at once")
        assert "played_together" in [choice.value for choice in asked(changed).choices]
        # Whose card it was is asked of both, and need not be told again.
        assert told(changed, "played together").record.reports == ({"played_together": {"player": "E"}},)

    def test_a_changed_answer_to_a_question_is_another_ruling(self, begun: Interview) -> None:
        dropped = told(begun, *DROPPED, "")
        assert dropped.prompt is None
        led = dropped.change(len(DROPPED)).answer("led_out_of_turn")
        assert "♦8 is a major penalty card; it stays faced in front of East" in findings(led)

    def test_an_answer_that_no_longer_fits_is_asked_for_again(self, begun: Interview) -> None:
        dummy = told(begun, "card exposed", "E", "D8", "4S by S", "dummy: ♠KJ852", "E: ♦K8", "", "")
        changed = dummy.change(4).answer("")
        assert asked(changed).ask == "Which hands are known, whole or in part?"
        assert changed.record.table == {}

    @pytest.mark.parametrize("number", [0, 99])
    def test_only_an_answer_that_was_given_can_be_changed(self, begun: Interview, number: int) -> None:
        with pytest.raises(RefusedAnswer, match=f"there is no answer {number} to change"):
            told(begun, "card exposed", "E").change(number)

    def test_restart_forgets_everything(self, begun: Interview) -> None:
        again = told(begun, *DROPPED).restart()
        assert (again.record, again.given, asked(again)) == (begun.record, (), asked(begun))

    def test_nothing_is_asked_after_the_end(self, begun: Interview) -> None:
        with pytest.raises(RefusedAnswer, match="nothing is asked any more"):
            told(begun, *DROPPED, "", "E")


class TestAnswers:
    @pytest.mark.parametrize(
        ("answers", "wrong", "message"),
        [
            (("card exposed",), "Eats", "'Eats' is no seat; write for example N or North"),
            (("card exposed", "E"), "1S", "'1S' is no card; write for example D8"),
            (
                DROPPED[:-1],
                "dropt by acident",
                "'dropt by acident' is none of these; did you mean 'dropped by accident'?",
            ),
            (DROPPED[:-1], "12", "'12' is none of these; answer with a number from 1 to 9"),
            (DROPPED[:-1], "played", "'played' is none of these; did you mean 'played_out_of_turn'?"),
            (TEN, "4", "'4' is none of these; answer with a number from 1 to 3"),
            (("",), "", "nothing was chosen"),
            (("designation",), "purple", "'purple' tells nothing of this"),
            (("designation",), "suit", "'suit' needs a value; write for example suit D"),
            (("designation",), "siut D", "'siut D' tells nothing of this; did you mean 'suit'?"),
        ],
    )
    def test_what_cannot_be_read_is_refused_in_bridge_words(
        self, begun: Interview, answers: tuple[str, ...], wrong: str, message: str
    ) -> None:
        interview = told(begun, *answers)
        with pytest.raises(RefusedAnswer) as refused:
            interview.answer(wrong)
        assert str(refused.value).startswith(message)

    def test_answers_are_read_in_many_ways(self, begun: Interview) -> None:
        fields = told(begun, "card exposed", " east ", "10♦").record.reports[0]["card_exposed"]
        assert fields == {"player": "E", "card": "DT"}
        question = told(begun, *DROPPED[:-1])
        for answer in ("1", "dropped", "Dropped by accident", "drop"):
            assert question.answer(answer).record.reports[0]["card_exposed"]["manner"] == "dropped"
        judged = question.answer("named")
        for answer in ("y", "Yes", "true", "1"):
            assert judged.answer(answer).record.reports[1]["exposure_judged"]["unintentional"] is True

    def test_a_detail_needs_its_name_only_where_it_could_be_several(self, begun: Interview) -> None:
        words = begun.answer("designation")
        assert told(words, "hearts", "9").record.reports[0]["designation"] == {"suit": "H", "rank": "9"}
        assert words.answer("H9").record.reports[0]["designation"] == {"card": "H9"}

    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def test_whatever_is_typed_it_is_taken_or_refused(self, begun: Interview, data: st.DataObject) -> None:
        typed = ["", "1", "2", "3", "E", "w", "D8", "♥A", "4S by S", "3NT by W", "E: ♦KT862", "dummy: ♠K", "8 W", "yes"]
        typed += [
            "no",
            "dropped a card",
            "led",
            "auction",
            "over",
            "table",
            "suit D",
            "S: C4 C5",
            "²",
            "9" * 5000,
            "{}",
        ]
        interview = begun
        for _ in range(data.draw(st.integers(5, 25))):
            if interview.prompt is None:
                break
            any_text = st.text(max_size=12) | st.sampled_from(typed)
            choices = [choice.value for choice in interview.prompt.choices]
            text = data.draw(st.sampled_from(choices) | any_text if choices else any_text)
            try:
                interview = interview.answer(text)
            except RefusedAnswer:
                continue
            Case.from_data(interview.case_data())


def test_the_python_session_of_the_page_runs_as_shown() -> None:
    page = ROOT / "docs" / "asking.md"
    (session,) = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    parsed = doctest.DocTestParser().get_doctest(session, {}, page.name, None, None)
    report: list[str] = []
    doctest.DocTestRunner().run(parsed, out=report.append)
    assert not report, "".join(report)
    assert len(parsed.examples) > 5


def recorded() -> list[Path]:
    """Cases that say all there is to say: no choices, which come later, and no regulations."""
    folders = ("46-designation", "52-penalty-card-not-played", "58-simultaneous-plays")
    paths = [path for folder in folders for path in sorted((CASES / folder).glob("*.yaml"))]
    assert len(paths) > 50
    return [path for path in paths if not {"choices", "regulations"} & Case.from_file(path).document.data.keys()][::4]


class Witness:
    """Somebody who knows a recorded case, and answers what is asked from it."""

    def __init__(self, case: Case, book: Lawbook) -> None:
        data = case.document.data
        self.table = data.get("table") or {}
        self.hands = [f"{seat}: {cards}" for seat, cards in self.table.get("hands", {}).items()]
        self.play = [str(self.table[key]) for key in ("stage", "trick", "on_lead") if key in self.table]
        self.play += self.table.get("tricks", [])
        self.reports = [
            (kind, {name: _text(book, kind, name, value) for name, value in (fields or {}).items()})
            for report in data["reports"]
            for kind, fields in report.items()
        ]
        self.untold = list(self.reports)
        self.told: list[Mapping[str, str]] = []

    def answer(self, interview: Interview) -> str:
        prompt = asked(interview)
        match prompt.part, *prompt.key:
            case (("incident" | "end"), *_):
                if not self.untold:
                    return ""
                kind, fields = self.untold.pop(0)
                self.told.append(fields)
                return kind
            case "table", "contract", *_:
                return str(self.table.get("contract") or self.table.get("declarer") or "")
            case "table", part, *_:
                known = self.hands if part == "hands" else self.play
                return known.pop(0) if known else ""
            case "form", "field", int(place), str(name):
                return self._of(interview, place).get(name, "")
            case "form", _, int(place), *_:
                given = interview.record.report(place)[1]
                fields = self._of(interview, place)
                new = [name for name, _ in prompt.fields if name in fields and name not in given]
                return f"{new[0]} {fields[new[0]]}" if new else ""
            case "question", "field", int(place), str(name):
                return self._of(interview, place).get(name, "")
            case "question", "asked", kind, name, _:
                return next((fields[str(name)] for each, fields in self.reports if each == kind and name in fields), "")
        return ""

    def _of(self, interview: Interview, place: int) -> Mapping[str, str]:
        told = interview.record.told
        return self.told[told.index(place)] if place in told else {}


def _text(book: Lawbook, kind: str, name: str, value: object) -> str:
    field_type = book.law.vocabulary[kind].fields[name].type
    return scalar_text(field_type.written(field_type.read(value)))


@pytest.mark.parametrize("path", recorded(), ids=lambda path: path.stem)
def test_whoever_answers_as_a_recorded_case_has_it_gets_its_ruling(path: Path, begun: Interview) -> None:
    case = Case.from_file(path)
    witness = Witness(case, begun.book)
    interview = begun
    while interview.prompt is not None:
        interview = interview.answer(witness.answer(interview))
    expected = begun.book.rule(case)
    assert {*findings(interview)} == {finding.text for finding in expected.findings}
    assert interview.ruling.options == expected.options


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


Ask = Callable[..., Done]


@pytest.fixture
def ask(
    law: Law, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Done]:
    """Hold the interview with these lines as plain input, in a folder of its own."""

    def loaded(laws: Path | None = None) -> Law:
        return law if laws is None else load_law(laws)

    monkeypatch.setattr(law_module, "load_law", loaded)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)

    def held(*lines: str | bytes, options: tuple[object, ...] = (), command: str = "ask") -> Done:
        raw = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
        monkeypatch.setattr(sys, "argv", ["bridgelaws", command, *map(str, options)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        assert "error in bridgelaws itself" not in shown.err
        return Done(int(ended.value.code or 0), shown.out, shown.err)

    return held


MINOR = "♦8 is a minor penalty card; it stays faced in front of East"


class TestPlainInput:
    def test_from_what_happened_to_the_ruling(self, ask: Ask) -> None:
        done = ask(*DROPPED, "")
        assert (done.status, done.err) == (0, "")
        (ruling,) = done.out.split("\n\n")[1:2]
        # The README has this table, and this ruling.
        assert [line.split("   ")[0] for line in ruling.splitlines()] == [
            MINOR,
            "West may lead anything",
            "Everyone may use anything that follows from ♦8",
            "East may play ♦K ♦T ♦8, not ♦6 ♦2 before the ♦8",
        ]
        assert "50B, 50A, 49, 50" in ruling
        assert "\ncard exposed: A card whose face could be seen, or that was named, before it was its time;" in done.out
        assert "\x1b" not in done.out

    def test_what_is_typed_is_printed_so_that_it_reads_as_a_conversation(self, ask: Ask) -> None:
        assert "\nWhich card was it? (D8) [don't know]\n> D8\nWhat is the contract?" in ask(*DROPPED).out

    def test_the_edition_and_the_draft_are_those_of_the_call(self, ask: Ask, tmp_path: Path) -> None:
        draft = tmp_path / "draft" / "00-definitions" / "honour.yaml"
        draft.parent.mkdir(parents=True)
        text = (ROOT / "rules/00-definitions/honour.yaml").read_text(encoding="utf-8")
        draft.write_text(text.replace("          - honour: {rank: T}\n", ""), encoding="utf-8")
        assert "♦T is a minor" not in ask(*TEN, "dropped").out
        assert "♦T is a minor" in ask(*TEN, "dropped", options=("--laws", "draft")).out
        assert ask("quit", options=("--edition", "1997")).out.startswith("The Laws of 1997. ")
        wrong = ask(options=("--edition", "1998"))
        assert (wrong.status, wrong.out) == (2, "")

    @pytest.mark.durable
    def test_the_other_engine_asks_and_rules_the_same(self, ask: Ask) -> None:
        assert ask(*DROPPED, "") == ask(*DROPPED, "", options=("--engine", "durable"))

    def test_an_option_is_chosen_and_the_play_goes_on(self, ask: Ask) -> None:
        done = ask(*TEN, "1", "")
        before, after = done.out.split("Declarer chooses:", 1)
        assert "♦T is a major penalty card" in before
        assert "West must lead a diamond" in after
        assert done.status == 0

    def test_what_stays_open_is_in_the_ruling(self, ask: Ask) -> None:
        done = ask(*DROPPED[:-1], "don't know", "")
        assert done.status == 0
        assert "Question: How did the card come to be exposed? (East, ♦8)" in done.out

    def test_a_wrong_answer_is_told_and_the_same_is_asked_again(self, ask: Ask) -> None:
        done = ask("exqosed", "card exposed", "Eats", "E", "1S", "D8", "8S by S", *DROPPED[4:], "")
        assert done.status == 0
        for told_, then in (
            ("nothing here is about 'exqosed'; did you mean 'exposed'?", "What happened?"),
            ("'Eats' is no seat; write for example N or North", "Whose card was it?"),
            ("'1S' is no card; write for example D8", "Which card was it?"),
            ("there is no contract at level '8'; the level is 1 to 7", "What is the contract?"),
        ):
            assert f"{told_}\n{then}" in done.out
        assert MINOR in done.out

    def test_a_misspelt_command_is_recognised(self, ask: Ask) -> None:
        done = ask(*TEN, "bakc")
        assert done.out.count("2. forbid West to lead a diamond") == 2, (
            "once when it was asked, once when it was cut off"
        )
        assert "'bakc' is none of these; answer with a number from 1 to 3; did you mean 'back'?" in done.out
        assert (
            "'qiut' is no seat; write for example N or North; did you mean 'quit'?" in ask("card exposed", "qiut").out
        )

    def test_what_is_not_text_is_a_wrong_answer(self, ask: Ask) -> None:
        done = ask("card exposed", b"\xff\xfe\x00", "\x1b[31mE", "E", "quit")
        assert done.status == 0
        assert done.out.count("is no seat") == 2
        assert "\x1b" not in done.out

    def test_back_change_and_start_over(self, ask: Ask) -> None:
        done = ask(*DROPPED, "back", "named", "yes", "")
        assert "It was: dropped by accident." in done.out
        assert "Was the card exposed unintentionally? (East, ♦8) It is the Director's judgement." in done.out
        done = ask(*TEN, "change", "change 3", "D8", "dropped", "")
        assert "\n  3. Which card was it? ♦T\n" in done.out
        assert "Which card was it? (D8) It was: ♦T. [don't know]" in done.out
        assert MINOR in done.out
        done = ask("back", "change", "change 7", "card exposed", "E", "start over", *HEART, "")
        assert "this is the beginning" in done.out
        assert "nothing has been answered yet" in done.out
        assert "there is no answer 7 to change" in done.out
        assert "Declarer is taken to have called ♥3 from dummy" in done.out

    def test_help_consequences_and_the_ruling_so_far_can_be_had_at_any_time(self, ask: Ask) -> None:
        done = ask("?", "??", *DROPPED[:-1], "??", "ruling", "quit")
        assert "save FILE    write the case to a file" in done.out
        assert "there is nothing to choose from here" in done.out
        assert f"\n  1. dropped by accident\n     {MINOR}\n     West may lead anything\n  2. " in done.out
        assert "Question: How did the card come to be exposed?" in done.out
        assert done.status == 0

    def test_letters_stand_for_suits_where_there_are_no_symbols(self) -> None:
        lines = "\n".join((*DROPPED, "")).encode() + b"\n"
        done = subprocess.run(
            [sys.executable, "-m", "bridgelaws", "ask"],
            input=lines.replace("♦".encode(), b"D"),
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "100"},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\nD8 is a minor penalty card; it stays faced in front of East  " in done.stdout


class TestSaving:
    def test_a_saved_case_has_the_same_ruling(self, ask: Ask, tmp_path: Path) -> None:
        done = ask(*TEN, "require-D", "save mine.yaml", "", options=("--edition", "2007"))
        assert "saved; see also: bridgelaws why mine.yaml" in done.out
        ruled = ask(options=("mine.yaml",), command="rule")
        assert ruled.status == 0
        assert ruled.out.strip() in done.out
        assert "West must lead a diamond" in ruled.out
        case = Case.from_file(tmp_path / "mine.yaml")
        assert (case.title, case.edition) == ("♦T of East was …", "2007")
        assert ask(options=("mine.yaml", "--check"), command="fmt").status == 0

    def test_nothing_is_written_over_without_asking(self, ask: Ask, tmp_path: Path) -> None:
        mine = tmp_path / "mine.yaml"
        mine.write_text("mine", encoding="utf-8")
        for answers in (("",), ("no",), ("save mine.yaml",)):
            done = ask(*DROPPED, "save mine.yaml", *answers, "")
            assert "'mine.yaml' is there already. Write over it? [no]" in done.out
            assert mine.read_text(encoding="utf-8") == "mine"
        cut_off = ask(*DROPPED, "save mine.yaml")
        assert (cut_off.status, mine.read_text(encoding="utf-8")) == (1, "mine")
        assert ask(*DROPPED, "save mine.yaml", "yes", "").status == 0
        assert Case.from_file(mine).table.contract is not None
        refused = ask(*DROPPED, "", options=("--save", "mine.yaml"))
        assert (refused.status, refused.err) == (2, "'mine.yaml' is there already; name another file for --save\n")

    def test_what_cannot_be_saved_is_told(self, ask: Ask, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="utf-8")
        done = ask("save a.yaml", *DROPPED, "save", "save file/a.yaml", "")
        assert "nothing was told yet that could be saved" in done.out
        assert "save needs a name for the file" in done.out
        assert "'file/a.yaml' cannot be written" in done.out
        assert done.status == 0
        assert [path.name for path in tmp_path.iterdir()] == ["file"]

    @pytest.mark.parametrize("ending", ["", "quit", "more"], ids=["at the end", "quit", "cut off"])
    def test_the_case_is_kept_however_it_ends(self, ask: Ask, tmp_path: Path, ending: str) -> None:
        done = ask(*DROPPED, ending, options=("--save", "new/mine.yaml"))
        assert done.status == (1 if ending == "more" else 0)
        assert Case.from_file(tmp_path / "new" / "mine.yaml").document.data["reports"] == [
            {"card_exposed": {"player": "E", "card": "D8", "manner": "dropped"}}
        ]

    def test_the_case_is_kept_when_the_reader_leaves(self, tmp_path: Path) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "bridgelaws", "ask", "--save", str(tmp_path / "mine.yaml")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"card exposed\n")
        process.stdin.flush()
        while b"Whose card" not in process.stdout.readline():
            pass
        process.stdout.close()
        process.stdin.write(b"E\n")
        process.stdin.close()
        assert (process.wait(60), process.stderr.read()) == (0, b"")
        process.stderr.close()
        assert Case.from_file(tmp_path / "mine.yaml").document.data["reports"] == [{"card_exposed": {}}]

    def test_a_file_that_came_in_between_is_left_alone_and_the_case_printed(
        self, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mine = tmp_path / "mine.yaml"
        answer = Interview.answer

        def interrupted(self: Interview, text: str) -> Interview:
            mine.write_text("mine", encoding="utf-8")
            return answer(self, text)

        monkeypatch.setattr(Interview, "answer", interrupted)
        done = ask(*DROPPED, "", options=("--save", "mine.yaml"))
        assert (done.status, mine.read_text(encoding="utf-8")) == (2, "mine")
        assert "'mine.yaml' is there by now, and is left as it is" in done.err
        assert "  - card_exposed: {player: E, card: D8, manner: dropped}" in done.out


class TestInputThatEnds:
    def test_cut_off_in_the_middle_it_says_so_and_loses_nothing(self, ask: Ask) -> None:
        done = ask(*DROPPED[:-1])
        assert (done.status, done.err) == (
            1,
            "the input ended before the interview; what follows rests on the answers so far\n",
        )
        assert "Question: How did the card come to be exposed? (East, ♦8)" in done.out
        case = Case.from_text("title: " + done.out.rpartition("\ntitle: ")[2])
        assert case.document.data["reports"] == [{"card_exposed": {"player": "E", "card": "D8"}}]
        assert case.document.data["table"] == {"contract": "4S by S", "hands": {"E": "♦KT862"}}

    @pytest.mark.parametrize("lines", [(), ("dropped a card",)])
    def test_cut_off_before_anything_was_told(self, ask: Ask, lines: tuple[str, ...]) -> None:
        done = ask(*lines)
        assert done.status == 1
        assert "title:" not in done.out

    def test_when_nothing_else_is_asked_the_end_of_the_input_is_the_end(self, ask: Ask) -> None:
        done = ask(*DROPPED)
        assert (done.status, done.err) == (0, "")

    def test_no_input_at_all(
        self, ask: Ask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        ask("quit")
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 1
        assert "the input ended" in capsys.readouterr().err


Terminal = Any
pexpect = pytest.importorskip("pexpect")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start the interview on a terminal of its own."""
    children: list[Terminal] = []

    def start(*options: str) -> Terminal:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "bridgelaws", "ask", *options],
            cwd=str(tmp_path),
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT / "src")},
            encoding="utf-8",
            timeout=60,
            dimensions=(40, 100),
            # Started in the background, these tests ignore Ctrl-C, and so would what they start.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def converse(child: Terminal, *exchanges: tuple[str, str]) -> None:
    """Wait for each prompt, and answer it."""
    for prompt, answer in exchanges:
        child.expect_exact(prompt)
        child.expect_exact("> ")
        child.sendline(answer)


def ended(child: Terminal) -> int:
    child.expect(pexpect.EOF)
    child.wait()
    return int(child.exitstatus)


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals to open there")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
class TestOnATerminal:
    def test_a_dropped_ten_and_declarer_requires_a_diamond(self, terminal: Callable[..., Terminal]) -> None:
        # As tests/cases/50-penalty-card/D2a-require.yaml: the suit is required and the card picked up.
        child = terminal()
        converse(
            child,
            ("What happened?", "dropped a card"),
            ("card exposed", "1"),
            ("Whose card was it?", "E"),
            ("Which card was it?", "♦10"),
            ("What is the contract?", "4S by S"),
            ("Which hands are known", "E: ♦KT862"),
            ("Is another hand known?", ""),
            ("How far has the play come?", ""),
            ("♦T is a major penalty card; it stays faced in front of East", "1"),
            ("West must lead a diamond", ""),
        )
        assert ended(child) == 0

    def test_a_heart_from_dummy(self, terminal: Callable[..., Terminal]) -> None:
        # tests/cases/46-designation: a suit without a rank calls for the lowest card of it.
        child = terminal()
        converse(
            child,
            ("What happened?", "designation"),
            ("Is more known of it?", "hearts"),
            ("Is more known of it?", ""),
            ("What is the contract?", "4S by S"),
            ("Which hands are known", "dummy: ♥KT3 ♠5 ♦2"),
            ("Is another hand known?", ""),
            ("How far has the play come?", "9 N"),
            ("Is more known of the play?", ""),
            ("What did declarer name", "a suit but no rank"),
            ("Declarer is taken to have called ♥3 from dummy", ""),
        )
        assert ended(child) == 0

    def test_a_penalty_card_that_was_not_played(self, terminal: Callable[..., Terminal]) -> None:
        # tests/cases/52-penalty-card-not-played: East on lead with a penalty card leads another card.
        child = terminal("--save", "mine.yaml")
        converse(
            child,
            ("What happened?", "card exposed"),
            ("Whose card was it?", "E"),
            ("Which card was it?", "D8"),
            ("What is the contract?", "3NT by S"),
            ("Which hands are known", "E: ♦KT86 ♠9"),
            ("Is another hand known?", ""),
            ("How far has the play come?", "8"),
            ("Is more known of the play?", "E: H2"),
            ("Is more known of the play?", ""),
            ("The trick then in progress or about to begin?", "6"),
            # That he led another card is seen from the trick.
            ("How did the card come to be exposed?", "led out of turn and taken back"),
        )
        child.expect_exact("East may not take ♥2 back")
        child.expect_exact("52A")
        child.expect_exact("Declarer chooses:")
        child.expect_exact("accept the card that East played to trick 8")
        child.expect_exact("> ")
        child.sendline("quit")
        assert ended(child) == 0
        assert Path(child.cwd, "mine.yaml").exists()

    def test_a_lead_out_of_turn_and_the_lead_that_is_then_required(self, terminal: Callable[..., Terminal]) -> None:
        # One choice opens another: the lead goes back, and the card that becomes a penalty card restricts the next.
        child = terminal()
        converse(
            child,
            ("What happened?", "lead out of turn"),
            ("led out of turn", ""),
            ("From whose hand was the card led?", "E"),
            ("Which card was led?", "D8"),
            ("What is the contract?", "3NT by S"),
            ("Which hands are known", "E: ♦KT86, W: ♦A4 ♣KQ"),
            ("Is another hand known?", ""),
            ("How far has the play come?", "8 W"),
            ("Is more known of the play?", ""),
            ("The trick to which it was led?", ""),
            ("Is anything of this otherwise?", ""),
            ("have East take the lead back", "2"),
            ("require West to lead a diamond", "1"),
            ("West must lead a diamond", ""),
        )
        assert ended(child) == 0

    def test_a_revoke_that_is_established(self, terminal: Callable[..., Terminal]) -> None:
        child = terminal()
        converse(
            child,
            ("What happened?", "did not follow suit"),
            ("1. revoke", "1"),
            ("Who revoked?", "W"),
            ("Is more known of it?", ""),
            ("What is the contract?", "4S by S"),
            ("Which hands are known", ""),
            ("How far has the play come?", "N: H7 HQ HA S3"),
            ("Is more known of the play?", "N: D2 D3 D4 D5"),
            ("Is more known of the play?", ""),
            ("To which trick did he revoke?", "1"),
            ("Is anything of this otherwise?", ""),
            ("Tricks that go to North-South for the revoke of West", ""),
        )
        assert ended(child) == 0

    def test_a_claim_with_a_trump_still_out(self, terminal: Callable[..., Terminal]) -> None:
        child = terminal()
        converse(
            child,
            ("What happened?", "claim"),
            ("1. claim made", ""),
            ("Who claimed or conceded?", "S"),
            ("How many of the tricks", "2"),
            ("What is the contract?", "4S by S"),
            ("Which hands are known", "S: ♠A ♦A, W: ♠2 ♥6, N: ♥32, E: ♥54"),
            ("Is another hand known?", ""),
            ("How far has the play come?", "12 S"),
            ("Is more known of the play?", ""),
            ("The trick then in progress", ""),
            ("What did he say or do?", "1"),
            ("How did the others take it?", "someone doubted it"),
            ("Whose claim is to be tried on the cards?", "S"),
            ("Did he at once state a clear line", "no"),
            ("normal", "ruling"),
        )
        child.expect_exact("South claims 2 of the tricks left (2)")
        child.expect_exact("A line for 1, trick 12: South leads ♦A")
        child.expect_exact("> ")
        child.sendline("quit")
        assert ended(child) == 0

    def test_colours_and_symbols(self, terminal: Callable[..., Terminal]) -> None:
        child = terminal()
        converse(
            child, ("\x1b[33mWhat happened?", "card exposed"), ("Whose", "E"), ("Which", "D8"), ("contract", "back")
        )
        child.expect_exact("It was: ♦8.")

    def test_ctrl_c_stops_it_and_the_case_is_kept(self, terminal: Callable[..., Terminal]) -> None:
        child = terminal("--save", "mine.yaml")
        converse(child, ("What happened?", "card exposed"), ("Whose card was it?", "E"))
        child.expect_exact("Which card was it?")
        child.expect_exact("> ")
        child.sendintr()
        child.expect_exact("stopped")
        assert ended(child) == 130
        case = Case.from_file(Path(child.cwd, "mine.yaml"))
        assert case.document.data["reports"] == [{"card_exposed": {"player": "E"}}]

    def test_ctrl_d_ends_the_input(self, terminal: Callable[..., Terminal]) -> None:
        child = terminal()
        converse(child, ("What happened?", "card exposed"), ("Whose card was it?", "E"))
        child.expect_exact("Which card was it?")
        child.expect_exact("> ")
        child.sendeof()
        child.expect_exact("the input ended before the interview")
        child.expect_exact("- card_exposed: {player: E}")
        assert ended(child) == 1

    def test_back_change_and_restart(self, terminal: Callable[..., Terminal]) -> None:
        child = terminal()
        converse(
            child,
            ("What happened?", "card exposed"),
            ("Whose card was it?", "W"),
            ("Which card was it?", "back"),
            ("Whose card was it? (N or North) It was: West.", "E"),
            ("Which card was it?", "D8"),
            ("What is the contract?", "change 1"),
            ("What happened?", "dropped a card"),
            ("card exposed", "restart"),
            ("What happened?", "quit"),
        )
        assert ended(child) == 0
