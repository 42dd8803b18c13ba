"""What the documentation says is so: its commands, outputs, examples and links are tried here.

Fenced blocks are known by their language:

- `yaml` begins with a comment that says what it is: `# file: PATH` is a whole file, of a draft if the path begins with
  `my-draft/` and a case otherwise; `# rule` is a single rule. `# problem: TEXT` below it announces that it must be
  refused with that text.
- `console` shows a command after `$ ` and all that it prints.
- `python` is a doctest; those of a page run in order as one session.
"""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bridgelaws import Case, Diagnostic, Lawbook
from bridgelaws.casebook.differences import disappointments
from bridgelaws.casebook.expectations import read_expectations
from bridgelaws.cli import main
from bridgelaws.cli.app import app
from bridgelaws.lawbook.law import load_law, read_law

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
README, LANGUAGE, EMBEDDING = ROOT / "README.md", ROOT / "docs/language.md", ROOT / "docs/embedding.md"
CLAIMS = ROOT / "docs/claims.md"
AUDIT = ROOT / "docs/audit.md"
DRAFT = "my-draft"
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -q"
RULE = "bridgelaws rule examples/dropped-diamond.yaml"
RULE_COMMAND = f"{INSTALL} . && .venv/bin/{RULE}"
TEST_COMMAND = f"{INSTALL} -e '.[test]' && .venv/bin/pytest"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"# (file|rule|problem)\b:? ?(.*)")
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"

    @property
    def marks(self) -> dict[str, str]:
        """What the comments at the top say: `file`, `rule` or `problem`, and the text after it."""
        marks: dict[str, str] = {}
        for line in self.text.splitlines():
            found = _MARK.fullmatch(line)
            if not found:
                break
            marks[found[1]] = found[2]
        return marks


def blocks(page: Path, language: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _FENCE.finditer(text)
        if found[1] == language
    ]


def marked(page: Path, mark: str, *, problem: bool = False) -> list[Block]:
    return [each for each in blocks(page, "yaml") if mark in each.marks and ("problem" in each.marks) is problem]


def each_as_parameter(found: list[Block]) -> pytest.MarkDecorator:
    assert found, "the page has no such example any more"
    return pytest.mark.parametrize("block", found, ids=str)


def write_files(page: Path, folder: Path) -> None:
    """Every whole file that the page shows, where it says; and the examples that its commands name."""
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    for block in marked(page, "file"):
        path = folder / block.marks["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")


@pytest.fixture(scope="module")
def readers_folder(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """For each page, the folder of a reader who typed everything that it shows."""
    folders = {page: tmp_path_factory.mktemp(page.stem) for page in (README, LANGUAGE, EMBEDDING, CLAIMS)}
    for page, folder in folders.items():
        write_files(page, folder)
    # The session on the embedding page goes on with the draft of the README.
    write_files(README, folders[EMBEDDING])
    return folders


def told(problems: Iterator[Diagnostic] | list[Diagnostic]) -> str:
    return "\n".join(map(str, problems))


def printed(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[str, str, int]:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return out, err, int(ended.value.code or 0)


# README


def first_screen() -> str:
    return README.read_text(encoding="utf-8").split("\n## ")[0]


def test_the_first_screen_of_the_readme_has_exactly_the_two_commands() -> None:
    shown = [found[2].strip() for found in _FENCE.finditer(first_screen()) if found[1] in ("sh", "console", "")]
    assert shown == [RULE_COMMAND, TEST_COMMAND]
    assert first_screen().index(TEST_COMMAND) < 1500, "the commands have slid off the first screen"


def test_the_readme_shows_what_its_first_command_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    out, _, status = printed(RULE, monkeypatch, capsys)
    (shown,) = (found[2] for found in _FENCE.finditer(first_screen()) if found[1] == "text")
    assert (out, status) == (shown, 0)


def test_a_file_that_a_page_copies_from_the_repository_is_the_same_there() -> None:
    copied = [block for page in PAGES for block in marked(page, "file") if (ROOT / block.marks["file"]).exists()]
    assert any(block.marks["file"] == "examples/dropped-diamond.yaml" for block in copied)
    for block in copied:
        original = (ROOT / block.marks["file"]).read_text(encoding="utf-8")
        assert without_comments(block.text) == without_comments(original), f"{block} is out of date"


def without_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_the_draft_of_the_readme_changes_only_the_ten(readers_folder: dict[Path, Path]) -> None:
    folder = readers_folder[README]
    law, problems = read_law(folder / DRAFT)
    assert not problems, told(problems)
    assert law is not None
    ranks = {
        conclusion.fields["rank"]
        for in_force in law.edition("2017").rules
        for conclusion in in_force.rule.then
        if conclusion.kind == "honour"
    }
    shipped = {
        conclusion.fields["rank"]
        for in_force in load_law().edition("2017").rules
        for conclusion in in_force.rule.then
        if conclusion.kind == "honour"
    }
    assert [getattr(each, "value", None) for each in shipped - ranks] == [10]
    assert not ranks - shipped


def test_the_readme_lists_every_law_that_is_covered() -> None:
    table = README.read_text(encoding="utf-8").split("## What it covers today")[1].split("\n## ")[0]
    header, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|") and not line.startswith("|--")
    ]
    law = load_law()
    assert header[2:] == list(law.editions), "one column an edition"
    for name, column in zip(header[2:], zip(*(row[2:] for row in rows), strict=True), strict=True):
        covered = {each.clause.law.split("-")[0] for each in law.edition(name).provisions} - {"00"}
        listed = {row[0] for row, cell in zip(rows, column, strict=True) if cell == "✓"}
        assert listed == covered, f"the table of laws in README.md is not up to date for {name}"


def test_the_readme_lists_every_command() -> None:
    text = README.read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert f"| `bridgelaws {command.name} " in text or f"| `bridgelaws {command.name}`" in text, command.name


# Commands and their output, on every page


@each_as_parameter([block for page in (README, LANGUAGE, EMBEDDING, CLAIMS) for block in blocks(page, "console")])
def test_a_command_prints_what_the_page_shows(
    block: Block,
    readers_folder: dict[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command, _, shown = block.text.partition("\n")
    assert command.startswith("$ bridgelaws "), "a console block shows one command"
    monkeypatch.chdir(readers_folder[block.page])
    out, err, status = printed(command.removeprefix("$ "), monkeypatch, capsys)
    assert out + err == shown
    assert status == (1 if err else 0)


@each_as_parameter(blocks(AUDIT, "console"))
def test_an_audit_prints_what_the_page_shows(
    block: Block, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    command, _, shown = block.text.partition("\n")
    monkeypatch.chdir(ROOT)
    out, err, status = printed(command.removeprefix("$ "), monkeypatch, capfd)
    assert (out + err, status) == (shown, 0)


def test_every_key_of_an_audit_is_told_on_its_page() -> None:
    text = AUDIT.read_text(encoding="utf-8")
    schema = json.loads((ROOT / "schemas/audit.schema.json").read_text(encoding="utf-8"))
    for key in keys_of({**schema, "$defs": {}}, "audit"):
        assert f"`{key}`" in text, f"docs/audit.md does not tell the key '{key}'"


# docs/language.md


def test_every_yaml_block_of_the_pages_says_what_it_is() -> None:
    for page in PAGES:
        for block in blocks(page, "yaml"):
            assert {"file", "rule"} & block.marks.keys(), f"{block} is tried by no test"


def test_the_draft_of_the_language_page_loads(readers_folder: dict[Path, Path]) -> None:
    folder = readers_folder[LANGUAGE] / DRAFT
    law, problems = read_law(folder)
    assert not problems, told(problems)
    assert law is not None and law.latest == "2027-draft"
    files = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.glob("*/*.yaml")}
    assert files and files <= {clause.id for clause in law.clauses}


@each_as_parameter(marked(LANGUAGE, "rule"))
def test_a_rule_of_the_language_page_loads(block: Block, tmp_path: Path) -> None:
    (tmp_path / "99-example").mkdir()
    head = 'title: Example\nversions:\n  - since: "2017"\n    number: 99Z\n    gist: An example.\n    rules:\n'
    rule = textwrap.indent(block.text.partition("\n")[2], " " * 8)
    (tmp_path / "99-example/Z.yaml").write_text(head + "      - " + rule.lstrip(), encoding="utf-8")
    law, problems = read_law(tmp_path)
    assert not problems, told(problems)
    assert law is not None
    (provision,) = (each for each in law.edition("2017").provisions if each.number == "99Z")
    assert [f"name: {each.name}" for each in provision.version.rules] == [block.text.splitlines()[1]]


@each_as_parameter([each for each in marked(LANGUAGE, "file", problem=True) if each.marks["file"].startswith(DRAFT)])
def test_a_clause_that_the_page_calls_wrong_is_refused_as_it_says(block: Block, tmp_path: Path) -> None:
    write_files(LANGUAGE, tmp_path)
    path = tmp_path / block.marks["file"]
    path.write_text(block.text, encoding="utf-8")
    _, problems = read_law(tmp_path / DRAFT)
    assert len(problems) == 1
    assert block.marks["problem"] in problems[0].message
    assert problems[0].file == str(path)


@each_as_parameter([each for each in marked(LANGUAGE, "file") if not each.marks["file"].startswith(DRAFT)])
def test_a_case_of_the_language_page_rules_as_it_expects(block: Block, readers_folder: dict[Path, Path]) -> None:
    law = load_law(readers_folder[LANGUAGE] / DRAFT)
    case = Case.from_text(block.text, block.marks["file"])
    ruling = Lawbook(law.edition()).rule(case)
    assert any(clause.startswith("99") for clause in ruling.clauses) or ruling.questions
    if "expect" in case.document.data:
        for expectation in read_expectations(case.document, law):
            for edition in expectation.editions:
                assert not disappointments(expectation, Lawbook(law.edition(edition)).rule(case)), edition


def test_every_key_of_the_law_files_is_told_on_the_language_page() -> None:
    text = LANGUAGE.read_text(encoding="utf-8")
    for name, keys in schema_keys().items():
        missing = [key for key in sorted(keys) if f"`{key}`" not in text and f"**`{key}`**" not in text]
        assert not missing, f"docs/language.md does not tell these keys of the {name} file: {missing}"


def schema_keys() -> dict[str, set[str]]:
    """The keys of our own making in each file's schema, without the kinds and fields of the vocabulary."""
    return {
        name: keys_of({**json.loads((ROOT / f"schemas/{name}.schema.json").read_text()), "$defs": {}}, name)
        for name in ("vocabulary", "clause", "case")
    }


def keys_of(schema: object, name: str) -> set[str]:
    if isinstance(schema, list):
        return {key for each in schema for key in keys_of(each, name)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    kinds = {key for key, each in own.items() if "$ref" in each}
    found = {key for key in own if key not in kinds and key not in ("kinds", "editions", "name", "expect")}
    # What a regulation is called is the vocabulary's business.
    deeper = [each for key, each in schema.items() if key not in ("properties", "examples", "enum")]
    return found | keys_of(deeper, name) | keys_of([each for key, each in own.items() if key != "regulations"], name)


# docs/embedding.md


def test_the_python_session_of_the_embedding_page_runs_as_shown(
    monkeypatch: pytest.MonkeyPatch, readers_folder: dict[Path, Path]
) -> None:
    monkeypatch.chdir(readers_folder[EMBEDDING])
    session = "\n".join(block.text for block in blocks(EMBEDDING, "python"))
    parsed = doctest.DocTestParser().get_doctest(session, {}, "docs/embedding.md", None, None)
    assert len(parsed.examples) > 10
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed, out=report.append)
    assert not report, "".join(report)


def test_every_key_of_a_ruling_is_told_on_the_embedding_page() -> None:
    text = EMBEDDING.read_text(encoding="utf-8")
    schema = json.loads((ROOT / "schemas/ruling.schema.json").read_text())
    for key in keys_of(schema, "ruling") | keys_of(schema["$defs"], "ruling"):
        assert f"`{key}`" in text, f"docs/embedding.md does not tell the key '{key}' of a ruling"


def test_the_json_on_the_embedding_page_is_what_the_schema_describes() -> None:
    schema = json.loads((ROOT / "schemas/ruling.schema.json").read_text())
    shown = [json.loads(block.text) for block in blocks(EMBEDDING, "json")]
    rulings = [each for each in shown if "findings" in each]
    assert rulings
    for ruling in rulings:
        Draft202012Validator(schema).validate(ruling)
    case = Case.from_file(ROOT / "examples/dropped-ten.yaml")
    assert rulings == [Lawbook.load().rule(case).to_json()]


@each_as_parameter(blocks(EMBEDDING, "sh"))
def test_a_command_that_reads_standard_input_writes_a_ruling(
    block: Block, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, _, file = block.text.strip().partition(" < ")
    with (ROOT / file).open(encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        out, err, status = printed(command, monkeypatch, capsys)
    assert (err, status) == ("", 0)
    assert json.loads(out) == Lawbook.load().rule(Case.from_file(ROOT / file)).to_json()


# Every page


def links() -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for found in _LINK.finditer(_FENCE.sub("", page.read_text(encoding="utf-8"))):
            yield page, found[1]


def anchors(page: Path) -> set[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(text)}


def test_every_relative_link_leads_somewhere() -> None:
    relative = [(page, target) for page, target in links() if not target.startswith(("http://", "https://"))]
    assert len(relative) > 20
    for page, target in relative:
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name}: {target}"
        assert found.is_relative_to(ROOT), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(found), f"{page.name}: {target}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached = {README}
    for _ in PAGES:
        reached |= {
            (page.parent / target.partition("#")[0]).resolve()
            for page, target in links()
            if page in reached and ".md" in target and "://" not in target
        }
    assert not set(PAGES) - reached, "link it from docs/README.md"


def test_a_broken_rule_on_the_language_page_would_be_noticed(tmp_path: Path) -> None:
    block = marked(LANGUAGE, "rule")[0]
    broken = Block(block.page, block.line, "yaml", block.text.replace("suit: $suit", "suite: $suit", 1))
    with pytest.raises(AssertionError, match="has no field 'suite'"):
        test_a_rule_of_the_language_page_loads(broken, tmp_path)


def test_a_wrong_expectation_on_the_language_page_would_be_noticed(readers_folder: dict[Path, Path]) -> None:
    (block,) = (each for each in marked(LANGUAGE, "file") if each.marks["file"] == "seven-and-lemonade.yaml")
    broken = Block(block.page, block.line, "yaml", block.text.replace("to: E", "to: N"))
    with pytest.raises(AssertionError, match="drink_owed"):
        test_a_case_of_the_language_page_rules_as_it_expects(broken, readers_folder)
