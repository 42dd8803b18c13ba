"""Audits: what a record shows is found, nothing else is, and no record stops a run."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from benchmarks import tournament
from bridgelaws import Lawbook, cli
from bridgelaws.audit.auditing import Audit, audit
from bridgelaws.audit.boards import LIN, PBN, BoardText, boards_of, cut_at_boards
from bridgelaws.audit.desk import AuditDesk, AuditJob, read_board
from bridgelaws.batch import lines
from bridgelaws.batch.job import law_digest
from bridgelaws.batch.lines import Archive, opened
from bridgelaws.batch.output import State
from bridgelaws.batch.running import Plan, Run, job_of
from bridgelaws.errors import CaseError, UsageError

ROOT = Path(__file__).parent.parent
DEAL = '[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]\n'
HEAD = DEAL + '[Declarer "S"]\n[Contract "5HX"]\n[Play "W"]\n'
NO_DEAL = '[Declarer "S"]\n[Contract "5HX"]\n[Play "W"]\n'
MD = "md|1SJ973HJ98742D3CK4,SKQT2HATDJ6542C85,SH63DAKQ987CA9732|mb|5H|mb|d|mb|p|mb|p|mb|p|pg||"
FIRST = "SK H3 S4 S3\n"
LIN_FIRST = "pc|SK|pc|H3|pc|S4|pc|S3|"
DEALS = 300
UNDECIDED = "whether East had to play the penalty card ♣6 to trick 2 depends on how it was exposed"

Seen = tuple[str, str, str, int]


def audited(text: str, form: str = PBN, edition: str = "2017", engine: str = "compiled") -> Audit:
    record = read_board(BoardText(form, 1, text.encode()), "a.pbn")
    assert record
    return audit(record, Lawbook.load(edition, engine=engine))


def seen(found: Audit) -> list[Seen]:
    return [(each.kind.value, each.move.player, each.move.card, each.move.trick) for each in found.irregularities]


def remarks(found: Audit) -> list[str]:
    return [each.text for each in found.remarks]


def findings(found: Audit, place: int = 0) -> dict[str, dict[str, Any]]:
    ruling = found.irregularities[place].ruling
    assert ruling
    return {each.kind: {**each.fields, "clause": each.clause} for each in ruling.findings}


# What is found in columns


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (FIRST, []),
        ("SK H3 CQ S3\n", [("revoke", "E", "CQ", 1)]),
        (FIRST + "C5 C2 CT ^L CK\n", [("lead_out_of_turn", "S", "CK", 2)]),
        (FIRST + "C5 C2 ^R S5 ^L CK\n", [("lead_out_of_turn", "S", "CK", 2), ("revoke", "E", "S5", 2)]),
        (FIRST + "- - - ^L CK\n+\n", [("lead_out_of_turn", "S", "CK", 2)]),
        ("SK CK S4 S3\n", [("card_not_held", "N", "CK", 1)]),
        ("SK H3 S4 SK\n", [("card_not_held", "S", "SK", 1)]),
        (FIRST + "D2 DA DT D3 S5\n", [("fifth_card", "E", "S5", 2)]),
        (FIRST + "{CJ is a penalty card}\nC5 C2 CT CK\n", [("penalty_card_not_played", "E", "CT", 2)]),
        (FIRST + "{CJ is a penalty card}\nC5 C2 CJ CK\n", []),
        ("{CJ is a penalty card}\n" + FIRST + "C5 C2 CT CK\n", [("penalty_card_not_played", "E", "CT", 2)]),
        (FIRST + "{C6 is a minor penalty card, dropped}\nC5 C2 CT CK\n", []),
        (FIRST + "{C6: penalty card, led out of turn}\nC5 C2 CT CK\n", [("penalty_card_not_played", "E", "CT", 2)]),
        (
            'SK H3 S4 =1= S3\nC5 C2 CT CK\n[Note "1:\\\\CJ, a penalty card"]\n',
            [("penalty_card_not_played", "E", "CT", 2)],
        ),
        (FIRST + "{CK is a penalty card}\nC5 C2 CT C4\n", []),
    ],
)
def test_a_play_in_columns_shows(play: str, expected: list[Seen]) -> None:
    assert seen(audited(HEAD + play)) == expected


def test_the_first_card_of_another_hand_is_an_opening_lead_out_of_turn() -> None:
    found = audited(HEAD.replace('Play "W"', 'Play "E"') + "S4 S3 SK H3\n")
    assert seen(found) == [("lead_out_of_turn", "E", "S4", 1)]
    assert findings(found)["lead_accepted"]["clause"] == "53A"


def test_a_declarer_who_became_dummy_has_taken_the_option_of_the_law() -> None:
    found = audited(HEAD.replace('"S"', '"^N"').replace('Play "W"', 'Play "E"') + "S4 S3 SK H3\n")
    assert seen(found) == [("lead_out_of_turn", "E", "S4", 1)]
    assert findings(found)["becomes_dummy"] == {"player": "S", "clause": "54A"}
    assert findings(found)["becomes_declarer"]["player"] == "N"


def test_a_lead_out_of_turn_that_nobody_answered_leaves_the_choice_open() -> None:
    found = audited(HEAD + FIRST + "- - ^L C6 -\n+\n")
    assert seen(found) == [("lead_out_of_turn", "E", "C6", 2)]
    ruling = found.irregularities[0].ruling
    assert ruling and [each.id for each in ruling.options[0].options] == ["accept", "refuse"]


@pytest.mark.parametrize(
    ("play", "remark"),
    [
        ("SK ^R H3 S4 S3\n", "North's ♥3 is marked as a revoke, but North had no spades"),
        ("SK H3 ^R S4 S3\n", "East's ♠4 is marked as a revoke, but it follows suit"),
        ("^R SK H3 S4 S3\n", "West's ♠K is marked as a revoke, but it was led"),
        ("^L SK H3 S4 S3\n", "West's ♠K is marked as a lead out of turn, but it was in turn"),
        ("SK - CQ S3\n", "the card of North to trick 1 is not known; nothing after it was followed"),
        ("- H3 CQ S3\n", "the card of West to trick 1 is not known; nothing after it was followed"),
        (FIRST + "C5 ^L C2 CT ^L CK\n", "a second lead to the same trick is marked; the first was followed"),
        (
            FIRST + "{C6 is a penalty card}\nC5 C2 CT CK\n",
            UNDECIDED,
        ),
    ],
)
def test_what_is_no_irregularity_is_remarked_on(play: str, remark: str) -> None:
    found = audited(HEAD + play)
    assert any(each.startswith(remark) for each in remarks(found))
    assert all(each.kind == "lead_out_of_turn" for each in found.irregularities)


def test_without_the_deal_a_revoke_shows_by_its_mark_or_by_a_later_card() -> None:
    marked = audited(NO_DEAL + "SK H3 ^R CQ S3\n")
    assert seen(marked) == [("revoke", "E", "CQ", 1)]
    assert marked.irregularities[0].shown_by == ("mark",)
    later = audited(NO_DEAL + "SK H3 CQ S3\nS2 H6 S5 S7\n")
    assert seen(later) == [("revoke", "E", "CQ", 1)]
    assert seen(audited(NO_DEAL + "SK H3 CQ S3\nD2 DA DT D3\n")) == []


def test_a_deal_of_four_unknown_hands_is_as_good_as_none() -> None:
    play = "SK H3 CQ S3\nD2 DA DT D3\nD4 DK S8 H4\n"
    unknown = audited('[Deal "N:- - - -"]\n' + NO_DEAL + play)
    assert seen(unknown) == seen(audited(NO_DEAL + play)) == [("revoke", "E", "CQ", 1)]


def test_many_penalty_cards_of_one_hand_are_ruled_on_only_if_the_notes_tell_enough() -> None:
    notes = "{S4 and S5 and C6 are each a penalty card%s}\n"
    found = audited(HEAD + notes % "" + "SK H3 S6 S3\n")
    assert (seen(found), remarks(found)) == (
        [],
        ["East has several penalty cards, and the notes do not say how they were exposed"],
    )
    found = audited(HEAD + notes % ", led out of turn" + "SK H3 S6 S3\n")
    assert seen(found) == [("penalty_card_not_played", "E", "S6", 1)]


def test_rows_in_the_order_of_play_are_read_as_such() -> None:
    found = audited(HEAD + FIRST + "DA DT D3 D2\nC2 C6 CK C5\nH2 HT H6 HQ\nS8 SJ SQ C3\n")
    assert seen(found) == []
    assert remarks(found) == ["the rows are in the order of play, not in columns by seat; they were read so"]


def test_cards_that_a_hand_cannot_have_played_put_its_others_in_doubt() -> None:
    # The record has East play ♣K, so one of his own cards went unrecorded: it may have been his only diamond.
    found = audited(HEAD + "SK H3 CK S3\nD2 DA S4 D3\n")
    assert seen(found) == [("card_not_held", "E", "CK", 1)]
    # Four clubs are not all that card.
    found = audited(HEAD + "SK H3 CK S3\nC5 C2 S4 C4\n")
    assert seen(found) == [("card_not_held", "E", "CK", 1), ("revoke", "E", "S4", 2)]


def test_a_ruling_after_a_card_that_nobody_can_have_played_starts_behind_it() -> None:
    found = audited(HEAD + "SK H3 S4 DK\nD2 DA S5 D3\n")
    assert seen(found) == [("card_not_held", "S", "DK", 1), ("revoke", "E", "S5", 2)]
    case = found.irregularities[1].case
    assert case and "deal" not in case["table"] and "S" not in case["table"]["hands"]
    assert case["table"]["tricks"] == ["N: DA S5 D3 D2"]
    assert found.irregularities[1].ruling


# What is found in order


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (LIN_FIRST + "pg||", []),
        ("pc|SKH3CQS3|", [("revoke", "E", "CQ", 1)]),
        ("pc|SK|pc|S4|pc|H3|pc|S3|", [("play_out_of_turn", "E", "S4", 1)]),
        (LIN_FIRST + "pg||pc|CK|pc|C5|pc|C2|pc|CT|pg||", [("lead_out_of_turn", "S", "CK", 2)]),
        (LIN_FIRST + "pc|CK|pc|DA|pc|DT|pc|D3|pc|D2|", [("lead_out_of_turn", "S", "CK", 2)]),
        (LIN_FIRST + "pc|CK|pc|C2|", [("lead_out_of_turn", "S", "CK", 2)]),
        (LIN_FIRST + "pc|SK|", [("card_not_held", "N", "SK", 2)]),
        (LIN_FIRST + "pc|S5|pg||pc|DA|pc|DT|pc|D3|pc|D2|pg||", [("fifth_card", "E", "S5", 1)]),
        ("pc|SK|pc|H3|pc|S4|pc|S5|pc|S3|pg||", [("fifth_card", "E", "S5", 1)]),
        (LIN_FIRST + "nt|CJ is a penalty card|pg||pc|C2|pc|CT|", [("penalty_card_not_played", "E", "CT", 2)]),
    ],
)
def test_a_play_in_order_shows(play: str, expected: list[Seen]) -> None:
    assert seen(audited(MD + play, LIN)) == expected


def test_the_fourth_hand_of_a_deal_may_be_left_out_or_given() -> None:
    whole = MD.replace("CA9732|", "CA9732,SA8654HKQ5DTCQJT6|")
    assert audited(whole + "pc|SKH3CQS3|", LIN).to_json() == audited(MD + "pc|SKH3CQS3|", LIN).to_json()


@pytest.mark.parametrize(
    ("calls", "contract", "declarer"),
    [
        ("mb|1H|mb|p|mb|2H|mb|p|mb|4H|mb|p|mb|p|mb|p|", "4H", "S"),
        ("mb|p|mb|1H!|mb|p|mb|1N|mb|p|mb|2H|mb|d|mb|r|mb|p|mb|p|mb|p|", "2HXX", "W"),
        ("mb|pp1Cp1Nppp|", "1NT", "S"),
    ],
)
def test_the_contract_follows_from_the_calls(calls: str, contract: str, declarer: str) -> None:
    text = MD.split("mb|")[0] + calls + "pc|SK|"
    record = read_board(BoardText(LIN, 1, text.encode()), "a.lin")
    assert record and record.contract
    shown = f"{record.contract.level}{record.contract.strain}{record.contract.doubled}"
    assert (shown, record.declarer) == (contract, declarer)


# What the law says to it


def test_when_a_revoke_was_established_is_told() -> None:
    play = "SK H3 CQ S3\nD2 DA DT D3\n"
    (found,) = audited(HEAD + play).irregularities
    assert found.established
    assert (found.established.player, found.established.card, found.established.trick) == ("E", "DT", 2)
    # Only declarer's side has played on.
    (found,) = audited(HEAD + "SK H3 CQ S3\n- DA - -\n+\n").irregularities
    assert found.established is None
    assert found.ruling and any(each.kind == "revoke_must_be_corrected" for each in found.ruling.findings)


def test_one_revoke_is_not_established_by_what_established_another() -> None:
    # East revokes at the first trick and plays on, and revokes again at the second, with which the record ends.
    first, second = audited(HEAD + "SK H3 CQ S3\nC5 C2 S4 CK\n+\n").irregularities
    assert first.established and (first.established.player, first.established.trick) == ("E", 2)
    assert second.established is None
    assert "established" in first.text and "established" not in second.text


@pytest.mark.parametrize(
    ("edition", "to_transfer"),
    [("1997", {"least": 0, "most": 2}), ("2007", {"least": 0, "most": 1}), ("2017", {"least": 0, "most": 1})],
)
def test_the_edition_decides_what_a_revoke_costs(edition: str, to_transfer: dict[str, int]) -> None:
    found = findings(audited(HEAD + "SK H3 CQ S3\nD2 DA DT D3\n+\n", edition=edition))
    assert found["revoke_established"]["clause"] == "63A1"
    assert {key: found["transfer_open"][key] for key in to_transfer} == to_transfer


def test_two_revokes_of_one_player_are_ruled_on_together() -> None:
    found = audited(HEAD + "SK H3 CQ S3\nC5 C2 S4 CK\nD2 DA DT D3\n+\n")
    assert seen(found) == [("revoke", "E", "CQ", 1), ("revoke", "E", "S4", 2)]
    first, second = found.irregularities
    assert first.ruling == second.ruling and first.case == second.case


def test_a_card_that_dummy_does_not_hold_may_be_replaced() -> None:
    found = audited(HEAD + "SK CK S4 S3\n").irregularities[0]
    assert found.ruling and any(clause.startswith("46B") for clause in found.ruling.clauses)


def test_a_card_that_a_defender_did_not_hold_is_ruled_on_by_no_law() -> None:
    found = audited(HEAD + "SK H3 CK S3\n").irregularities[0]
    assert (found.case, found.ruling, found.problems) == (None, None, ())


def test_both_engines_find_the_same() -> None:
    for text, form in (
        (HEAD + "SK H3 CQ S3\nC5 C2 CT ^L CK\n", PBN),
        (MD + "pc|SK|pc|S4|pc|H3|pc|S3|nt|CJ is a penalty card|pg||pc|C2|pc|CT|", LIN),
    ):
        both = [audited(text, form, engine=engine).to_json() for engine in ("compiled", "durable")]
        for each in both:
            for irregularity in each["irregularities"]:
                irregularity["ruling"].pop("engine")
        assert both[0]["irregularities"] and both[0] == both[1]


# Boards that cannot be read


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        (HEAD + "SK H3 S4 ZZ\n", PBN, "a.pbn:5:10: 'ZZ' is not a card; write the suit and the rank, as D8"),
        (HEAD + "SK H3 ^I S4 S3\n", PBN, "a.pbn:5:7: '^I' marks no card; write ^R for a revoke, or ^L for a lead"),
        (HEAD + FIRST + "* C5\n", PBN, "a.pbn:6:3: 'C5' stands after the end of the play"),
        (HEAD.replace('"W"', '"X"') + FIRST, PBN, "a.pbn:4:1: 'X' is not a seat; write who played the first card"),
        (HEAD.replace("5HX", "9H") + FIRST, PBN, "a.pbn:3:1: there is no contract at level '9'; the level is 1 to 7"),
        (HEAD.replace("AKQ987.", "AKQ98.") + FIRST, PBN, ""),
        (HEAD.replace("KQT2.", "KQT22.") + FIRST, PBN, "a.pbn:1:1: ♠2 stands twice in West's hand"),
        (HEAD.replace("KQT2.", "KQT3.") + FIRST, PBN, "a.pbn:1:1: ♠3 is in West's hand and in South's"),
        (
            DEAL + '[Contract "5HX"]\n[Play "W"]\n' + FIRST,
            PBN,
            "a.pbn:3:1: a play without a declarer cannot be followed; add",
        ),
        (
            DEAL + '[Declarer "S"]\n[Play "W"]\n' + FIRST,
            PBN,
            "a.pbn:3:1: a play without a contract cannot be followed; add",
        ),
        (HEAD + FIRST + DEAL, PBN, "a.pbn:6:1: the tag Deal stands twice; put an empty line between two boards"),
        (HEAD + 14 * FIRST, PBN, "a.pbn:4:1: the play has 14 tricks"),
        (HEAD + "{never closed\n" + FIRST, PBN, "a.pbn:5:1: this comment is never closed; end it with }"),
        ("[Deal N:]\n", PBN, 'a.pbn:1:1: this tag cannot be read; write [Name "value"]'),
        ("to whom it may concern", PBN, "a.pbn:1:1: 'to' stands outside a tag; put it in a comment, in { and }"),
        (
            '[Deal "N:A... - - -"]\n[Declarer "S"]\n[Contract "4S"]\n[Play "W"]\nS2\n',
            PBN,
            "the deal is an end position",
        ),
        (MD + "pc|ZZ|", LIN, "a.pbn:1:1: 'ZZ' is not a card; write the suit and the rank, as pc|D8|"),
        ("pc|SK|", LIN, "a.pbn:1:1: cards are played, but there is no deal; write md|"),
        (
            MD.split("mb|")[0] + "pc|SK|",
            LIN,
            "a.pbn:1:1: cards are played, but no contract was reached; give every call",
        ),
        (MD.replace("md|1", "md|7") + "pc|SK|", LIN, "is not a hand; write md|"),
        ("md|1SA,SK,SQ|mb|1S|mb|p|mb|p|mb|p|pc|SK|", LIN, "the deal is an end position"),
        ("\x00\x01", PBN, "a.pbn:1:1: this is no text; save the file as plain text, PBN or LIN"),
        ("x" * 100_001, PBN, "a line of the board is longer than 100000 bytes; begin each board on a line of its own"),
        ("xxxxxxxxx\n" * 20_001, PBN, "the board is longer than 200000 bytes; put an empty line between two boards"),
    ],
)
def test_a_board_that_cannot_be_read_is_told_with_its_place(text: str, form: str, message: str) -> None:
    if not message:
        # A hand of twelve cards is a hand of which one card is not known.
        assert remarks(audited(text, form)) == [
            "the hand of North is not known; only what was played later shows what could have been played"
        ]
        return
    with pytest.raises(CaseError) as wrong:
        read_board(BoardText(form, 1, text.encode()), "a.pbn")
    assert message in str(wrong.value)
    assert len(wrong.value.diagnostics) == 1


@pytest.mark.parametrize(
    "text", ["% PBN 2.1\n; nothing else\n", '{[Play "W"] in a comment}', "vg|A final,,P,1,8|\nrs|4HN=|pg||"]
)
def test_what_holds_no_board_is_passed_over(text: str) -> None:
    assert read_board(BoardText(LIN if "|" in text else PBN, 1, text.encode()), "a.pbn") is None


def test_a_board_that_nobody_played_has_nothing_irregular() -> None:
    for text in (DEAL, DEAL + '[Contract "Pass"]\n[Declarer ""]\n', HEAD, HEAD + "*"):
        found = audited(text)
        assert (seen(found), found.record.written) == ([], 0)


# Files


def cut_up(data: bytes, most: int = 1) -> list[BoardText]:
    stream = io.BytesIO(data)
    chunks = list(cut_at_boards(Archive("a.pbn", stream, stream, None, None), most))
    assert b"".join(each.data or b"" for each in chunks).strip() == data.strip()
    return [board for chunk in chunks for board in boards_of(chunk)]


@pytest.mark.parametrize("most", [1, 2, 50])
def test_boards_are_parted_by_blank_lines_but_not_within_a_comment(most: int) -> None:
    text = b'% PBN\n[Board "1"]\n{two\n\nparts; }\n[Play "W"]\nSK ; {\n\n \t\n[Board "2"]\n\n[Board "3{"]\n\n\n'
    boards = cut_up(text, most)
    assert [(each.form, each.line) for each in boards] == [(PBN, 1), (PBN, 10), (PBN, 12)]


def test_a_comment_that_is_never_closed_costs_one_board_only() -> None:
    boards = cut_up(b'[Board "1"]\n{never closed\n\n[Board "2"]\n\n[Board "3"]\n')
    assert [each.line for each in boards] == [1, 4, 6]


@pytest.mark.parametrize("most", [1, 50])
def test_boards_of_lin_begin_with_their_name_or_their_deal(most: int) -> None:
    named = b"vg|A final|\npg||\nqx|o1|pn|a,b,c,d|\nmd|1S..|\npc|SK|\n\npc|S2|\nqx|c1|md|1S..|pc|SA|\n"
    assert [each.line for each in cut_up(named, most)] == [1, 3, 8]
    unnamed = b"pn|a,b,c,d|md|1S..|pc|SK|\npn|a,b,c,d|md|2S..|pc|SA|\n"
    assert [each.line for each in cut_up(unnamed, most)] == [1, 2]
    one_line = b"qx|o1|md|1S..|pc|SK|qx|o2|md|2S..|pc|SA|\nqx|o3|md|3S..|\n"
    assert [(each.line, each.text.strip()[:6]) for each in cut_up(one_line, most)] == [
        (1, b"qx|o1|"),
        (1, b"qx|o2|"),
        (2, b"qx|o3|"),
    ]


def test_a_file_may_have_both_forms() -> None:
    both = HEAD + FIRST + "\n" + MD + LIN_FIRST + "\n\n" + HEAD + FIRST
    assert [each.form for each in cut_up(both.encode())] == [PBN, LIN, PBN]


# The command


def bridgelaws(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: object
) -> tuple[str, str, int]:
    monkeypatch.setattr(sys, "argv", ["bridgelaws", "audit", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capfd.readouterr()
    return out, err, int(ended.value.code or 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Four boards, the third of which cannot be read."""
    path = tmp_path / "evening.pbn"
    boards = (FIRST, "SK H3 CQ S3\n", "SK H3 ZZ S3\n", FIRST + "C5 C2 CT ^L CK\n")
    heads = (f'[Board "{number}"]\n{HEAD}' for number in range(1, 5))
    path.write_text("\n".join(head + play for head, play in zip(heads, boards, strict=True)), encoding="utf-8")
    return path


def test_as_json_there_is_a_line_for_each_board_in_order(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out, err, status = bridgelaws(monkeypatch, capfd, file, "--format", "json")
    records = [json.loads(line) for line in out.splitlines()]
    schema = Draft202012Validator(json.loads((ROOT / "schemas/audit.schema.json").read_text(encoding="utf-8")))
    for record in records:
        schema.validate(record)
    assert [record.get("board") for record in records] == ["1", "2", None, "4"]
    assert [record["line"] for record in records] == [1, 8, 15, 22]
    kinds = [[each["kind"] for each in record.get("irregularities", ())] for record in records]
    assert kinds == [[], ["revoke"], [], ["lead_out_of_turn"]]
    assert records[2]["errors"][0]["message"] == "'ZZ' is not a card"
    assert (records[2]["errors"][0]["file"], records[2]["errors"][0]["line"]) == ("evening.pbn", 20)
    assert records[1]["irregularities"][0]["line"] == 13
    assert err.splitlines()[0] == "4 boards, 1 of them at fault, 2 irregularities"
    assert status == 1


def test_as_text_only_boards_with_something_to_say_come_out(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out, _, status = bridgelaws(monkeypatch, capfd, file, "--edition", "1997")
    starts = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert starts == [
        "Board 2 (line 8), 5HX by South",
        "evening.pbn:20:7: 'ZZ' is not a card; write the suit and the rank, as D8, or - for a card not known",
        "Board 4 (line 22), 5HX by South",
    ]
    assert status == 1


def test_a_file_without_a_fault_ends_with_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.pbn"
    path.write_text("", encoding="utf-8")
    assert bridgelaws(monkeypatch, capfd, path) == ("", "0 boards, nothing irregular\n", 0)
    path.write_text(HEAD + FIRST, encoding="utf-8")
    assert bridgelaws(monkeypatch, capfd, path) == ("", "1 board, nothing irregular\n", 0)


def test_the_output_appears_whole_and_is_not_replaced_unasked(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.jsonl.gz"
    _, _, status = bridgelaws(monkeypatch, capfd, file, "-f", "json", "--output", out)
    assert status == 1
    assert len(gzip.decompress(out.read_bytes()).splitlines()) == 4
    assert sorted(each.name for each in tmp_path.iterdir()) == ["evening.pbn", "found.jsonl.gz"]
    _, err, status = bridgelaws(monkeypatch, capfd, file, "-f", "json", "--out", out)
    assert "exists already; --force replaces it" in err
    assert status == 2
    assert bridgelaws(monkeypatch, capfd, file, "--out", out, "--force")[2] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.pbn"], "there is no file 'nowhere.pbn'"),
        (["."], "'.' is a folder, not a file"),
        (["FILE", "--edition", "1066"], "there is no edition '1066'"),
        (["FILE", "--resume"], "only a run that writes to a file can be resumed"),
        (["FILE", "--resume", "--force"], "--resume goes on with a run, and --force begins it again"),
    ],
)
def test_a_call_at_fault_ends_with_2(
    arguments: list[str], message: str, file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    _, err, status = bridgelaws(monkeypatch, capfd, *(str(file) if each == "FILE" else each for each in arguments))
    assert message in err
    assert status == 2


def test_control_characters_of_a_record_do_not_reach_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pbn"
    path.write_text('[Board "\x1b[31m1"]\n' + HEAD + "SK H3 CQ S3\n", encoding="utf-8")
    out, _, _ = bridgelaws(monkeypatch, capfd, path)
    assert "\x1b" not in out and "Board ?[31m1 (line 1)" in out


def many(folder: Path, number: int = 60) -> Path:
    path = folder / "many.pbn"
    dice = random.Random(7)
    played = [deal for deal in tournament.deals(7, 0, number) if deal.form == PBN]
    path.write_text("".join(tournament.as_pbn(deal, dice) for deal in played), encoding="utf-8")
    return path


def run_of(file: Path, out: Path, workers: int = 1, **asked: Any) -> tuple[Plan, AuditJob]:
    plan = Plan(str(file), out, workers=workers, chunk=3, **asked)
    return plan, AuditJob(**asdict(job_of(plan)))


def test_any_number_of_workers_writes_the_same(tmp_path: Path) -> None:
    file = many(tmp_path)
    written = []
    for workers in (1, 2):
        plan, job = run_of(file, tmp_path / f"{workers}.jsonl", workers)
        state = Run(plan, None, job, cut_at_boards).go()
        assert state.tally.cases > 20 and state.tally.found
        written.append((tmp_path / f"{workers}.jsonl").read_bytes())
    assert written[0] == written[1]


def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = many(tmp_path)
    whole, stopped = tmp_path / "whole.jsonl", tmp_path / "stopped.jsonl"
    plan, job = run_of(file, whole)
    Run(plan, None, job, cut_at_boards).go()

    def stop(_: Archive, state: State) -> None:
        if state.mark.chunks == 3:
            raise KeyboardInterrupt

    plan, job = run_of(file, stopped)
    with pytest.raises(KeyboardInterrupt):
        Run(plan, stop, job, cut_at_boards).go()
    assert not stopped.exists()
    with pytest.raises(UsageError, match="the command or its --format is not what it was"):
        Run(replace(plan, resume=True), None, replace(job, written="text"), cut_at_boards).go()
    Run(replace(plan, resume=True), None, job, cut_at_boards).go()
    assert stopped.read_bytes() == whole.read_bytes()


def test_a_board_that_the_program_stumbles_over_does_not_stop_the_others(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError("stumbled")

    monkeypatch.setattr("bridgelaws.audit.desk.audit", stumble)
    plan, job = run_of(file, tmp_path / "out.jsonl")
    assert Run(plan, None, job, cut_at_boards).go().tally.errors == 4
    record = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert record["errors"][0]["message"] == "an error in bridgelaws itself: RuntimeError: stumbled"


# Hostile input


@pytest.fixture(scope="module")
def desk() -> AuditDesk:
    return AuditDesk(AuditJob("hostile.pbn", law_digest(None)))


def found_in(data: bytes, desk: AuditDesk) -> list[dict[str, Any]]:
    stream = io.BytesIO(data)
    outputs = [
        desk.rule(chunk).output for chunk in cut_at_boards(Archive("hostile.pbn", stream, stream, None, None), 3)
    ]
    return [json.loads(line) for output in outputs if isinstance(output, bytes) for line in output.splitlines()]


def is_no_bug(records: list[dict[str, Any]]) -> bool:
    return not any("in bridgelaws itself" in error["message"] for each in records for error in each.get("errors", ()))


def test_half_a_file_is_read_as_far_as_it_goes(desk: AuditDesk) -> None:
    pbn = (HEAD + "{CJ is a penalty card} SK H3 ^R CQ S3\nC5 C2 CT ^L CK\n").encode()
    lin = (MD + LIN_FIRST + "nt|CJ is a penalty card|pg||pc|CK|pc|C5|pc|C2|pc|CT|pg||mc|9|").encode()
    for data in (pbn, lin):
        for end in range(0, len(data), 7):
            assert is_no_bug(found_in(data[:end], desk)), data[:end]


def test_bytes_thrown_about_are_errors_and_nothing_worse(desk: AuditDesk) -> None:
    dice = random.Random(3)
    good = (HEAD + "SK H3 ^R CQ S3\nC5 C2 CT ^L CK\n\n" + MD + LIN_FIRST + "\n").encode()
    for _ in range(60):
        data = bytearray(good)
        for _ in range(dice.randint(1, 12)):
            place = dice.randrange(len(data))
            data[place : place + dice.randint(0, 3)] = dice.randbytes(dice.randint(0, 3))
        assert is_no_bug(found_in(bytes(data), desk)), bytes(data)
    for _ in range(20):
        assert is_no_bug(found_in(dice.randbytes(2000), desk))


def test_tokens_thrown_about_are_followed_or_refused(desk: AuditDesk) -> None:
    dice = random.Random(4)
    cards = [suit + rank for suit in "SHDC" for rank in "23456789TJQKA"]
    words = [*cards, "-", "+", "^R", "^L", "*", "\n", "=1=", "!", "{CJ is a penalty card}", "{D2 penalty card named}"]
    for _ in range(15):
        play = " ".join(dice.choice(words) for _ in range(dice.randint(1, 60)))
        assert is_no_bug(found_in((HEAD + play).encode(), desk)), play
        shuffled = dice.sample(cards, dice.randint(1, 52))
        play = "".join(f"pc|{card}|{dice.choice(('', '', 'pg||', 'nt|C6 penalty card|'))}" for card in shuffled)
        assert is_no_bug(found_in((MD + play).encode(), desk)), play


def test_a_board_without_end_is_not_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgelaws.audit.boards.MAX_CHUNK", 10_000)
    file = tmp_path / "endless.pbn"
    file.write_text(HEAD + FIRST * 50_000, encoding="utf-8")
    with opened(str(file)) as archive:
        assert max(len(chunk.data or b"") for chunk in cut_at_boards(archive, 50)) < 30_000
    assert lines.MAX_CHUNK > 30_000


def test_latin_letters_byte_order_marks_and_other_line_ends_are_read() -> None:
    text = '[Site "Mönchengladbach"]\n' + HEAD + "SK H3 CQ S3\n"
    for data in (
        text.encode("latin-1"),
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("\n", "\r\n").encode(),
    ):
        (board,) = cut_up(data)
        record = read_board(board, "a.pbn")
        assert record and seen(audit(record, Lawbook.load())) == [("revoke", "E", "CQ", 1)]


# A tournament


@pytest.mark.parametrize("edition", ["1997", "2007", "2017"])
def test_a_tournament_is_audited_without_a_miss(edition: str, tmp_path: Path) -> None:
    played = list(tournament.deals(int(edition), 0, DEALS // 3))
    found, wrong = tournament.troubles(played, tmp_path, edition, 1)
    assert wrong == []
    assert len(found) == 6 and found.total() == sum(len(deal.put_in) for deal in played)


def test_a_tournament_notices_what_is_missed_and_what_is_made_up(tmp_path: Path) -> None:
    played = list(tournament.deals(1, 0, 30))
    irregular = next(deal for deal in played if deal.put_in)
    gone = irregular.put_in.pop()
    _, wrong = tournament.troubles(played, tmp_path, "2017", 1)
    assert len(wrong) == 1 and f"found, but not put in: {gone}" in wrong[0]
    irregular.put_in |= {gone, ("revoke", "N", "S2", 13)}
    _, wrong = tournament.troubles(played, tmp_path, "2017", 1)
    assert len(wrong) == 1 and "not found: ('revoke', 'N', 'S2', 13)" in wrong[0]
