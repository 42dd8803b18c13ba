"""Coverage as a committee reads it: a table, a page for the browser, and pages that leave nothing stale behind."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bridgelaws.casebook.coverage import measure_coverage
from bridgelaws.casebook.running import read_cases
from bridgelaws.casebook.tallies import Tally, rows_by_law, tally, unreached
from bridgelaws.cli import main
from bridgelaws.errors import UsageError
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.pages import coverage as coverage_module
from bridgelaws.pages.coverage import coverage_page
from bridgelaws.pages.folder import LIST, write_pages
from bridgelaws.pages.html import page_alone

CASES = Path(__file__).parent / "cases"
FEW = CASES / "44-following-suit"
Run = Callable[..., tuple[int, str]]
EVIL = "</style><script>alert('x')</script> & \"so\" <img src=x>"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> tuple[int, str]:
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys, "argv", ["bridgelaws", "coverage", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().out

    return command


class Reader(HTMLParser):
    """The text of each element that has a class, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    """A draft with one clause, whose texts are evil, and the case that reaches all of it."""
    clause, case = tmp_path / "draft" / "99-new" / "A.yaml", tmp_path / "cases" / "evil.yaml"
    clause.parent.mkdir(parents=True)
    case.parent.mkdir()
    quoted = json.dumps(EVIL)
    clause.write_text(
        f"title: {quoted}\nversions:\n  - since: '2017'\n    number: 99A\n    gist: {quoted}\n    rules:\n"
        f"      - name: {quoted}\n        when: [{{on_lead: {{player: $who}}}}]\n"
        "        then: [{lead_free: {player: $who}}]\n",
        encoding="utf-8",
    )
    case.write_text(f"title: {quoted}\ntable: {{contract: 4S by S}}\nexpect: {{questions: []}}\n", encoding="utf-8")
    return tmp_path / "draft", case.parent


# The table


def exceptions_of(law: Law, number: str) -> list[int]:
    """How many exceptions a clause has, or a whole Law by its number, in each edition."""
    return [
        sum(len(each.rule.unless) for each in law.edition(name).rules if each.provision.number.startswith(number))
        for name in law.editions
    ]


def test_the_table_has_a_row_a_clause_and_a_column_an_edition_with_the_sums_of_each_law(run: Run, law: Law) -> None:
    status, out = run(FEW, "--law", "44", "--law", "50")
    assert status == 0
    lines = out.splitlines()
    assert lines[:2] == [
        "                                                              1997             2007             2017",
        "                                                     rules  unless    rules  unless    rules  unless",
    ]
    assert lines[2].startswith("Law 44: following suit    ") and lines[3].startswith("  44A The lead to a trick   ")
    assert lines[3].split()[-6::2] == ["2/2"] * 3
    for line, number in ((lines[2], "44"), (lines[3], "44A")):
        cells = line.split()[-6:]
        rules = [law.edition(name).rules for name in law.editions]
        assert [int(cell.partition("/")[2]) for cell in cells[::2]] == [
            sum(each.provision.number.startswith(number) for each in of_edition) for of_edition in rules
        ]
        assert [int(cell.partition("/")[2]) for cell in cells[1::2]] == exceptions_of(law, number)
    assert re.search(r"^  50E3 After a penalty card has been played +– +– +0/\d +0/\d$", out, re.MULTILINE)
    none = r"^  50D1\(b\) What comes before a major penalty card +– +\d/3 +\d/3$"
    assert re.search(none, out, re.MULTILINE), "it has no exception"
    (line,) = re.findall(r"^all +(.+)$", out, re.MULTILINE)
    shown = json.loads(run(FEW, "--law", "44", "--law", "50", "--format", "json")[1])["editions"]
    for name, cell in zip(shown, re.findall(r"(\d+)/(\d+) +(\d+)/(\d+)", line), strict=True):
        rules = shown[name]["rules"]
        exceptions = [each for rule in rules for each in rule["exceptions"]]
        fired, held = sum(each["fired"] > 0 for each in rules), sum(each["held"] > 0 for each in exceptions)
        assert tuple(map(int, cell)) == (fired, len(rules), held, len(exceptions))


def test_what_no_case_reaches_is_listed_by_name_with_its_editions(run: Run) -> None:
    out = run(FEW, "--law", "50")[1].partition("\nno case reaches:\n")[2]
    assert "  50C no other small card of the suit first: the rule itself (1997, 2007, 2017)\n" in out
    assert "  50C no other small card of the suit first: unless honour (1997, 2007, 2017)\n" in out
    assert "  50E3 " in out and "(2017)" in out


def test_that_every_rule_is_reached_is_said(run: Run, small: tuple[Path, Path]) -> None:
    draft, cases = small
    out = run(cases, "--laws", draft, "--law", "99")[1]
    assert "no case reaches" not in out
    assert out.endswith("\nevery rule is fired and every exception holds in some case\n")
    assert run(cases, "--laws", draft, "--law", "99", "--fail-under", "100")[0] == 0


def test_a_clause_without_rules_is_in_the_table(run: Run, tmp_path: Path) -> None:
    clause = tmp_path / "99-new" / "A.yaml"
    clause.parent.mkdir()
    clause.write_text(
        'title: Manners\nversions:\n  - {since: "2007", number: 99A, gist: Be polite., no_rules: manners}\n',
        encoding="utf-8",
    )
    out = run(FEW, "--law", "99", "--laws", tmp_path)[1]
    assert re.search(r"^  99A Manners +– +no rules +no rules$", out, re.MULTILINE)


def test_it_fails_under_a_given_share_and_counts_exceptions_as_well(run: Run) -> None:
    assert run(FEW, "--law", "50", "-e", "2017", "--fail-under", "1")[0] == 0
    fired = json.loads(run(FEW, "--law", "50", "-e", "2017", "--format", "json")[1])["editions"]["2017"]
    assert fired["exceptions_percent"] < fired["fired_percent"]
    assert run(FEW, "--law", "50", "-e", "2017", "--fail-under", fired["fired_percent"])[0] == 1


def test_one_clause_can_be_looked_at_by_the_number_it_has_in_any_edition(run: Run) -> None:
    out = run(FEW, "--clause", "50D1", "--clause", "44a")[1]
    assert re.findall(r"^  (\S+) ", out.partition("\nno case reaches")[0], re.MULTILINE) == ["44A", "50D1(a)"]
    assert run(FEW, "--clause", "50Z")[0] == 2


def test_tallies_add_up(law: Law) -> None:
    measured = measure_coverage(law, read_cases(FEW, law), ["44", "50"], ["2017"])
    rows = [row for _, rows in rows_by_law(law, measured) for row in rows]
    assert sum((row.tally("2017") or Tally() for row in rows), Tally()) == tally(measured[0].rules)
    whole = tally(measured[0].rules)
    assert len(unreached(measured)) == whole.rules - whole.fired + whole.exceptions - whole.held
    assert not whole.complete


# The page


@pytest.fixture(scope="module")
def page(law: Law) -> str:
    cases = read_cases(FEW, law)
    return coverage_page(law, measure_coverage(law, cases, ["44", "50"]), cases)


def test_the_page_asks_for_nothing_outside_itself_and_has_no_script(page: str) -> None:
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe"} & {name for name, _ in reader.tags}
    assert not [attributes for _, attributes in reader.tags if {"src", "href"} & attributes.keys()]
    assert not re.search(r"https?:|@import|url\(", page)
    for wanted in ("prefers-color-scheme: dark", "@media (max-width", "width=device-width"):
        assert wanted in page


def test_the_page_has_every_clause_with_its_rules_exceptions_counts_and_cases(page: str, law: Law) -> None:
    reader = Reader(page)
    folded = [attributes["id"] for name, attributes in reader.tags if name == "details" and "id" in attributes]
    wanted = [each.id for each in law.clauses if each.law.startswith(("44", "50"))]
    assert folded == wanted
    in_each = zip(law.editions, exceptions_of(law, "44A"), strict=True)
    wanted = " ".join(rf"{name} 2/2 \d+/{most}" for name, most in in_each)
    assert re.search(f"44A The lead to a trick {wanted}", reader.text)
    assert "no other small card of the suit first no case fires it unless honour it holds in no case" in reader.text
    (case,) = (each for each in read_cases(FEW, law) if each.path.stem == "F-notrump")
    assert case.case is not None and " ".join(case.case.title.split()[:4]) in reader.text
    assert "What no case reaches" in reader.text
    assert page.count('class="gap"') > 10


def test_a_long_list_of_cases_is_cut(law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage_module, "MOST_NAMED", 1)
    cases = read_cases(FEW, law)
    page = coverage_page(law, measure_coverage(law, cases, ["44"]), cases)
    listed = re.findall(r"<summary>(\d+) cases?</summary><ol>(.*?)</ol>", page)
    assert listed
    for count, names in listed:
        more = f"<li>and {int(count) - 1} more</li>" if count != "1" else ""
        assert names.endswith(more)
        assert names.count("<li>") == (2 if more else 1)


def test_a_text_on_the_page_is_only_text_and_a_page_without_gaps_says_so(small: tuple[Path, Path]) -> None:
    law = load_law(small[0])
    cases = read_cases(small[1], law)
    page = coverage_page(law, measure_coverage(law, cases, ["99"], ["2017"]), cases)
    assert page.count("</style>") == 1
    reader = Reader(page)
    assert not {"script", "img"} & {name for name, _ in reader.tags}
    assert reader.text.count(EVIL) == 3, "the title, the rule and the case"
    assert "Every rule is fired and every exception holds in some case." in reader.text


def test_a_style_that_would_end_too_soon_is_refused() -> None:
    with pytest.raises(AssertionError):
        page_alone("A page", "</style>")


def test_the_command_writes_the_page_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "out" / "coverage.html"
    assert run(FEW, "--law", "44", "--html", path) == (0, f"open {path}\n")
    assert path.read_text(encoding="utf-8").endswith("</html>\n")
    assert [each.name for each in path.parent.iterdir()] == ["coverage.html"]
    status, out = run(FEW, "--law", "44", "--html", path, "--format", "json")
    assert (status, list(json.loads(out))) == (0, ["format", "editions"])


# A folder of pages


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_pages_of_an_earlier_run_that_are_no_longer_written_are_removed(tmp_path: Path) -> None:
    assert write_pages(tmp_path, {"index.html": "one", "50/A.html": "a", "50/B.html": "b", "51/A.html": "c"}) == []
    (tmp_path / "51" / "notes.txt").write_text("mine", encoding="utf-8")
    assert write_pages(tmp_path, {"index.html": "two"}) == ["50/A.html", "50/B.html", "51/A.html"]
    assert names(tmp_path) == {"index.html", LIST, "51", "51/notes.txt"}
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "two"


def test_nothing_is_removed_that_the_program_did_not_write(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside.html"
    outside.write_text("a", encoding="utf-8")
    write_pages(out, {"index.html": "one", "changed.html": "a", "linked.html": "a", "gone.html": "a"})
    (out / "changed.html").write_text("someone has written this since", encoding="utf-8")
    (out / "mine.html").write_text("a", encoding="utf-8")
    (out / "gone.html").unlink()
    (out / "linked.html").unlink()
    (out / "linked.html").symlink_to(out / "mine.html")
    digest = (out / LIST).read_text(encoding="utf-8").split()[0]
    with (out / LIST).open("a", encoding="utf-8") as stream:
        stream.write(f"{digest}  ../outside.html\n{digest}  {outside}\nnot a line of ours\n{digest}  .\n")
    assert write_pages(out, {"index.html": "one"}) == []
    assert {"changed.html", "mine.html", "linked.html"} < names(out)
    assert outside.read_text(encoding="utf-8") == "a"


def test_a_list_that_cannot_be_read_removes_nothing(tmp_path: Path) -> None:
    write_pages(tmp_path, {"index.html": "one", "old.html": "a"})
    (tmp_path / LIST).write_bytes(b"\xff\xfe")
    assert write_pages(tmp_path, {"index.html": "one"}) == []
    assert "old.html" in names(tmp_path)


def test_a_page_that_cannot_be_removed_is_a_fault_of_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    write_pages(tmp_path, {"index.html": "one", "old.html": "a"})
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(UsageError, match=r"'.*old.html' cannot be removed: Permission denied"):
        write_pages(tmp_path, {"index.html": "one"})


def test_the_book_of_a_draft_leaves_no_page_of_a_clause_that_was_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clause = tmp_path / "draft" / "99-new" / "A.yaml"
    clause.parent.mkdir(parents=True)
    clause.write_text(
        'title: Manners\nversions:\n  - {since: "2017", number: 99A, gist: Be polite., no_rules: manners}\n',
        encoding="utf-8",
    )
    cases = tmp_path / "cases"
    cases.mkdir()
    book = tmp_path / "book"
    command = ["bridgelaws", "book", "--out", str(book), "--laws", str(tmp_path / "draft"), "--cases", str(cases)]
    for there in (True, False):
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        assert (book / "99-new" / "A.html").exists() is there
        assert (book / "99-new.html").exists() is there
        clause.unlink(missing_ok=True)
    assert f"in {book}, 2 of an earlier book removed; open " in capsys.readouterr().out
    assert not (book / "99-new").exists()
