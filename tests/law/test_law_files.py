"""Laws that are right and laws that are wrong: each file in `good` and `bad` is a draft laid over the law in `base`.

A single file is a clause, or by its name the draft's vocabulary or editions; a folder is a draft of several files.
The first comments of a bad file are what `check` must say of it, `line:column: message`, and nothing else. Those of a
good file are a case and the ruling it must have.
"""

from __future__ import annotations

import shutil
from itertools import takewhile
from pathlib import Path

import pytest

from bridgelaws.book import lawbooks
from bridgelaws.casebook.expectations import read_expectations
from bridgelaws.casebook.running import ReadCase, Selection, run_cases
from bridgelaws.errors import UsageError
from bridgelaws.lawbook import sources
from bridgelaws.lawbook.law import read_law
from bridgelaws.lawbook.sources import file_order
from bridgelaws.lawbook.warnings import law_warnings
from bridgelaws.table.case import Case

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").iterdir())
GOOD = sorted((HERE / "good").iterdir())


@pytest.fixture(autouse=True)
def _base_is_the_shipped_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "shipped", lambda _: HERE / "base")


def laid_out(source: Path, draft: Path) -> Path:
    """The draft that a file or folder stands for."""
    if source.is_dir():
        shutil.copytree(source, draft, dirs_exist_ok=True)
        return draft
    first = source.stem.split("-")[0]
    place = draft / (f"{first}.yaml" if first in ("vocabulary", "editions") else f"60-more/{source.name}")
    place.parent.mkdir(exist_ok=True)
    shutil.copy(source, place)
    return draft


def first_comments(path: Path) -> list[str]:
    lines = takewhile(lambda line: line.startswith("#"), path.read_text(encoding="utf-8").splitlines())
    return [line.removeprefix("#").removeprefix(" ") for line in lines]


@pytest.mark.parametrize("source", BAD, ids=lambda path: path.stem)
def test_a_bad_law_is_told_where_it_is_wrong_and_nothing_else(source: Path, tmp_path: Path) -> None:
    draft = laid_out(source, tmp_path)
    expected = [f"{file}:{line}" for file in sorted(draft.rglob("*.yaml")) for line in first_comments(file)]
    assert expected, f"{source} does not say what is wrong with it"
    law, problems = read_law(draft)
    warnings = law_warnings(law, problems) if law is not None else []
    assert [str(problem) for problem in file_order([*problems, *warnings])] == expected


@pytest.mark.parametrize("source", GOOD, ids=lambda path: path.stem)
def test_a_good_law_has_no_problem_and_rules_as_it_says(source: Path, tmp_path: Path, engine_name: str) -> None:
    law, problems = read_law(laid_out(source, tmp_path))
    assert law is not None
    assert [*problems, *law_warnings(law)] == []
    files = sorted(tmp_path.rglob("*.yaml"))
    case = Case.from_text("\n".join(line for file in files for line in first_comments(file)), source.name)
    read = ReadCase(source, case, read_expectations(case.document, law))
    runs = list(run_cases([read], [lawbooks(law, engine_name)], Selection()))
    assert runs
    assert [str(problem) for run in runs for problem in run.problems] == []


def test_the_base_has_no_problem() -> None:
    law, problems = read_law()
    assert law is not None
    assert [*problems, *law_warnings(law)] == []


def test_problems_come_in_the_order_of_files_and_lines(tmp_path: Path) -> None:
    draft = laid_out(HERE / "bad" / "several-files", tmp_path)
    _, problems = read_law(draft)
    assert len({problem.file for problem in problems}) == 4
    places = [(problem.file, problem.line, problem.column) for problem in problems]
    assert places == sorted(places)


def test_a_law_without_a_vocabulary_says_so(tmp_path: Path) -> None:
    shutil.copy(HERE / "base" / "editions.yaml", tmp_path)
    law, problems = read_law(tmp_path)
    assert law is None
    assert [str(problem) for problem in problems] == [f"{tmp_path}: the law has no vocabulary.yaml"]


def test_a_draft_folder_that_does_not_exist_is_a_fault_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        read_law(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("A-clause.yaml", "a clause does not stand here; move it into the folder of its law, such as 50-penalty-card"),
        ("60-more/A-clause.yml", "this file is not read; let its name end in .yaml"),
    ],
)
def test_a_file_that_would_not_be_read_is_a_problem(place: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    shutil.copy(HERE / "base" / "50-cards" / "A-shown-cards.yaml", path)
    _, problems = read_law(tmp_path)
    assert [str(problem) for problem in problems] == [f"{path}: {message}"]


def test_hidden_files_are_no_part_of_the_law(tmp_path: Path) -> None:
    hidden = tmp_path / ".backup" / "A-clause.yaml"
    hidden.parent.mkdir()
    hidden.write_text("not a clause", encoding="utf-8")
    _, problems = read_law(tmp_path)
    assert problems == []


def test_a_file_that_cannot_be_read_does_not_hide_the_problems_of_the_others(tmp_path: Path) -> None:
    laid_out(HERE / "bad" / "unknown-kind.yaml", tmp_path)
    broken = tmp_path / "60-more" / "broken.yaml"
    broken.write_bytes(b"title: \xff\n")
    _, problems = read_law(tmp_path)
    told = [str(problem) for problem in problems]
    assert told == [
        f"{broken}:1:8: the text is not UTF-8; save the file as UTF-8",
        f"{tmp_path / '60-more' / 'unknown-kind.yaml'}:10:13: 'shwn' is no kind of fact; did you mean 'shown'?",
    ]
