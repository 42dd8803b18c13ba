"""`bridgelaws new`: every file it begins is of the right shape, has a comment on each key, and is valid at once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bridgelaws.cli import main
from bridgelaws.drafting import new_case, new_clause, new_edition, new_kind
from bridgelaws.errors import UsageError
from bridgelaws.files import write_whole
from bridgelaws.formatting import formatted
from bridgelaws.lawbook.law import load_law, read_law
from bridgelaws.lawbook.warnings import law_warnings
from bridgelaws.table.case import Case

New = Callable[..., tuple[int, str, str]]


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    write_whole(*new_edition(tmp_path, "2027-draft", "2017"))
    return tmp_path


def test_a_new_edition_is_valid_and_rules_as_the_one_it_follows(draft: Path) -> None:
    law = load_law(draft)
    assert law.latest == "2027-draft"
    assert [each.number for each in law.edition().provisions] == [
        each.number for each in law.edition("2017").provisions
    ]


def test_an_edition_that_exists_or_follows_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is an edition '2017' already"):
        new_edition(tmp_path, "2017", "2007")
    with pytest.raises(UsageError, match="there is no edition '2018'"):
        new_edition(tmp_path, "2027-draft", "2018")


def test_a_known_clause_comes_as_it_stands(draft: Path) -> None:
    path, text = new_clause(draft, "50C")
    assert path == draft / "50-penalty-card" / "C-minor.yaml"
    write_whole(path, text)
    law = load_law(draft)
    before, after = (law.edition(name).provision("50C").version for name in ("2017", "2027-draft"))
    assert after.since == "2027-draft"
    assert [rule.written for rule in after.rules] == [rule.written for rule in before.rules]


def test_clauses_of_every_sort_can_be_taken_into_a_draft(draft: Path) -> None:
    for number in ("Definition of honour", "45C4(b)", "45D2", "47E1", "50E1", "52B2"):
        write_whole(*new_clause(draft, number))
    law, problems = read_law(draft)
    assert law is not None
    assert problems == []
    editions = [law.edition(name) for name in ("2017", "2027-draft")]
    told = [
        {
            each.number: (v := each.version, (v.gist, v.see, v.confidence, v.note, v.advice))[1]
            for each in law.provisions
        }
        for law in editions
    ]
    assert told[0] == told[1]
    rules = [
        {each.number: [rule.written for rule in each.version.rules] for each in law.provisions} for law in editions
    ]
    assert rules[0] == rules[1]


def test_an_unknown_number_becomes_a_new_clause_of_its_law(draft: Path) -> None:
    path, text = new_clause(draft, "46B6")
    assert path == draft / "46-designation" / "B6.yaml"
    write_whole(path, text)
    assert load_law(draft).edition().provision("46B6").version.no_rules == "Its rules are still to be written."


def test_a_law_that_is_not_there_gets_a_folder(draft: Path) -> None:
    assert new_clause(draft, "99")[0] == draft / "99-new-law" / "00.yaml"


def test_what_is_no_number_is_no_clause(draft: Path) -> None:
    with pytest.raises(UsageError, match="'fifty' is no clause number"):
        new_clause(draft, "fifty")


@pytest.mark.parametrize(
    ("source", "idle"),
    [
        ("report", ["reads"]),
        ("choice", ["offers", "reads"]),
        ("derived", ["concludes", "reads"]),
        ("ruling", ["concludes"]),
    ],
)
def test_a_new_kind_is_valid_at_once_and_waits_for_its_first_rule(draft: Path, source: str, idle: list[str]) -> None:
    write_whole(*new_kind(draft, "first_kind", source))
    write_whole(*new_kind(draft, "second_kind", source))
    law = load_law(draft)
    assert law.vocabulary["first_kind"].source == law.vocabulary["second_kind"].source == source
    told = [(each.severity, each.message) for each in law_warnings(law)]
    assert told == [("warning", f"no rule {verb} {name}") for name in ("first_kind", "second_kind") for verb in idle]


def test_a_known_kind_comes_as_it_stands(draft: Path) -> None:
    for name in ("designation", "not_there_yet", "minor_penalty_card"):
        write_whole(*new_kind(draft, name, "report"))
    law = load_law(draft)
    for name in ("designation", "minor_penalty_card"):
        ours, shipped = law.places[name][0], load_law().places[name][0]
        assert ours.file == str(draft / "vocabulary.yaml")
        assert ours.data["kinds"][name] == shipped.data["kinds"][name]
    assert list(law.vocabulary.kinds)[:-1] == list(load_law().vocabulary.kinds), "rulings keep their order"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("begun", "there is a kind 'begun' already; change it in .*vocabulary.yaml"),
        ("holds", "'holds' is computed from the table"),
        ("No Kind", "'No Kind' is no name"),
    ],
)
def test_a_kind_that_cannot_be_begun_is_refused(draft: Path, name: str, message: str) -> None:
    write_whole(*new_kind(draft, "begun", "report"))
    with pytest.raises(UsageError, match=message):
        new_kind(draft, name, "report")


def test_what_stands_in_the_vocabulary_already_is_left_as_it_is(draft: Path) -> None:
    path = draft / "vocabulary.yaml"
    own = "kinds:   # ours\n  ours: {source: report, means: Ours., say: ours}\n"
    path.write_text(own, encoding="utf-8")
    assert new_kind(draft, "begun", "report")[1].startswith(own)
    path.write_text("kinds: {ours: {source: report, means: Ours., say: ours}}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"no kind can be added to .*; let it end with its kinds"):
        new_kind(draft, "begun", "report")


def test_a_kind_can_be_begun_for_a_rule_that_already_speaks_of_it(draft: Path) -> None:
    path, text = new_clause(draft, "46B6")
    rules = "rules: [{name: a, when: [{begun: {player: $who}}], then: [{lead_free: {player: $who}}]}]"
    write_whole(path, text.replace("no_rules: Its rules are still to be written.", rules))
    assert [each.code for each in read_law(draft)[1]] == ["unknown-kind"]
    write_whole(*new_kind(draft, "begun", "report"))
    assert law_warnings(load_law(draft)) == []


def test_a_new_case_can_be_ruled_on(tmp_path: Path) -> None:
    path, text = new_case(tmp_path / "case.yaml")
    write_whole(path, text)
    assert Case.from_file(path).title == "East drops the eight of diamonds"
    assert 'editions: ["2017"]' in text


def test_a_new_case_of_a_draft_expects_something_of_the_draft(draft: Path, tmp_path: Path) -> None:
    assert "editions: [2027-draft]" in new_case(tmp_path / "case.yaml", draft)[1]


def test_a_file_that_is_there_is_left_alone(draft: Path) -> None:
    write_whole(*new_clause(draft, "50C"))
    with pytest.raises(UsageError, match="is there already"):
        new_clause(draft, "50C")


def test_what_is_begun_is_laid_out_as_fmt_lays_it_out(draft: Path, tmp_path: Path) -> None:
    texts = [new_clause(draft, "50C")[1], new_clause(draft, "46B6")[1], new_case(tmp_path / "case.yaml")[1]]
    texts.append((draft / "editions.yaml").read_text(encoding="utf-8"))
    assert [formatted(text, "new") for text in texts] == texts
    assert all(text.count("#") >= 3 for text in texts)


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> New:
    """Run commands as in a folder of one's own; the status, what they print, and their complaints."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, name: str = "new") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bridgelaws", name, *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return command


def test_the_commands_write_the_files_and_say_what_comes_next(new: New) -> None:
    assert new("edition", "2027-draft", "ours") == (
        0,
        "ours/editions.yaml\nnext: bridgelaws new clause 50C --laws ours\n",
        "",
    )
    next_step = "next: change it, then bridgelaws check ours and bridgelaws impact --laws ours\n"
    assert new("clause", "50C", "--laws", "ours") == (0, f"ours/50-penalty-card/C-minor.yaml\n{next_step}", "")
    assert new("kind", "card_shown", "--laws", "ours", "--source", "choice") == (
        0,
        "ours/vocabulary.yaml\nnext: change it, use it in a rule, then bridgelaws check ours\n",
        "",
    )
    assert new("case", "plain.yaml") == (
        0,
        "plain.yaml\nnext: bridgelaws rule plain.yaml, and bridgelaws test plain.yaml\n",
        "",
    )
    status, out, _ = new("case", "cases/one.yaml", "--laws", "ours")
    assert (status, out.splitlines()[1]) == (
        0,
        "next: bridgelaws rule cases/one.yaml --laws ours, and bridgelaws test cases/one.yaml --laws ours",
    )
    assert new("ours", name="check")[:1] == (0,)
    assert new("ours", "cases", "plain.yaml", "--check", name="fmt")[:1] == (0,)
    assert new("cases", "--laws", "ours", name="test")[1] == "1 passed, 0 failed (1 case, compiled)\n"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("edition", "2028", "ours"), 2, "'ours/editions.yaml' is there already; change it, or name another file"),
        (("edition", "2028", "other", "--from", "2071"), 2, "there is no edition '2071'; did you mean '2017'?"),
        (("edition", "2007", "other"), 2, "there is an edition '2007' already; give the draft a name of its own"),
        (("clause", "50B", "--laws", "ours", "--since", "2071"), 2, "there is no edition '2071'"),
        (("clause", "fifty", "--laws", "ours"), 2, "'fifty' is no clause number"),
        (("clause", "50B", "--laws", "nowhere"), 2, "there is no folder 'nowhere'"),
        (("kind", "Bad Name", "--laws", "ours"), 2, "'Bad Name' is no name for a kind"),
        (("kind", "ours", "--laws", "ours", "--source", "table"), 2, "'table' is not one of"),
        (("case", "ours/editions.yaml"), 2, "'ours/editions.yaml' is there already"),
        (("case", "new.yaml", "--laws", "nowhere"), 2, "there is no folder 'nowhere'"),
        (("clause", "50B", "--laws", "unsound"), 1, "unsound/editions.yaml:3:14: there is no edition '2071'"),
        (("kind", "ours", "--laws", "unsound"), 1, "unsound/editions.yaml:3:14: there is no edition '2071'"),
        (("case", "new.yaml", "--laws", "unsound"), 1, "unsound/editions.yaml:3:14: there is no edition '2071'"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_what_cannot_be_begun_is_refused_and_nothing_is_written(
    new: New, tmp_path: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    new("edition", "2027-draft", "ours")
    (tmp_path / "unsound").mkdir()
    text = 'editions:\n  2028-draft:\n    follows: "2071"\n    name: Unsound\n'
    (tmp_path / "unsound" / "editions.yaml").write_text(text, encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    done = new(*arguments)
    assert done[:2] == (status, "")
    assert message in done[2]
    assert sorted(tmp_path.rglob("*")) == before
