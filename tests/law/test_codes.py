"""Every check has a stable code, and every code a page whose examples show what it finds and what it does not."""

from __future__ import annotations

import ast
import re
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook import sources
from bridgelaws.lawbook.codes import CODES, ERRORS, WARNINGS
from bridgelaws.lawbook.law import read_law
from bridgelaws.lawbook.warnings import law_warnings

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SOURCE = ROOT / "src" / "bridgelaws"
PAGES = ROOT / "docs" / "checks"
# What an example cannot show on its own: it is about files, programs or cases.
TOLD_ONLY = {"unreadable", "file-not-read", "missing-file", "table-kind", "no-case-reaches"}
# A kind alone is always one that no rule concludes or reads.
KIND_ALONE = {"kind-not-concluded", "kind-not-read"}

_BLOCK = re.compile(r"^```yaml\n# (rule|clause|kinds|editions)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
CLAUSE = 'title: An example\nversions:\n  - since: "2017"\n    number: 60A\n    gist: An example.\n    rules:\n'


@pytest.fixture(autouse=True)
def _base_is_the_shipped_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "shipped", lambda _: HERE / "base")


def code_arguments() -> Iterator[tuple[str, int, ast.expr | None]]:
    """Every call that makes a diagnostic of the law, with what it gives as the code."""
    shared = [SOURCE / name for name in ("shape.py", "cli/check.py", "casebook/reaching.py")]
    for path in [*sorted((SOURCE / "lawbook").glob("*.py")), *shared]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in ("problem", "_problem", "Diagnostic", "_Remark"):
                    codes = [each.value for each in node.keywords if each.arg == "code"]
                    yield path.name, node.lineno, codes[0] if codes else None


def text_constants() -> set[str]:
    return {
        node.value
        for path in SOURCE.rglob("*.py")
        if path.name != "codes.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_problem_of_the_law_has_a_code_that_is_listed() -> None:
    found = list(code_arguments())
    assert len(found) > 50
    for file, line, code in found:
        assert code is not None, f"{file}:{line} gives no code"
        if isinstance(code, ast.Constant):
            assert code.value in CODES, f"{file}:{line} gives a code that is not listed"


def test_every_listed_code_is_given_somewhere() -> None:
    assert CODES.keys() - text_constants() == set()


def test_codes_are_short_words_with_hyphens_each_listed_once_with_its_meaning() -> None:
    assert not ERRORS.keys() & WARNINGS.keys()
    for code, meaning in CODES.items():
        assert _CODE.fullmatch(code)
        assert meaning
        assert not meaning.endswith(".")


def test_every_code_has_its_page_and_every_page_its_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} - {"README"} == CODES.keys()


def test_the_index_lists_every_page_with_what_it_finds() -> None:
    errors, warnings = (PAGES / "README.md").read_text(encoding="utf-8").split("\n## Warnings\n")
    for text, codes in ((errors, ERRORS), (warnings, WARNINGS)):
        rows = re.findall(r"^\| \[([a-z-]+)\]\(([a-z-]+)\.md\) \| (.+) \|$", text, re.MULTILINE)
        assert rows == [(code, code, meaning) for code, meaning in codes.items()]


def sections(code: str) -> dict[str, str]:
    parts = _SECTION.split((PAGES / f"{code}.md").read_text(encoding="utf-8"))
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@pytest.mark.parametrize("code", CODES)
def test_a_page_says_what_to_avoid_what_to_prefer_and_why(code: str) -> None:
    found = sections(code)
    assert list(found) == ["", "Avoid", "Prefer", "Why"]
    severity = "An error" if code in ERRORS else "A warning"
    assert found[""] == f"# {code}\n\n{severity}: {CODES[code]}.\n\n"
    assert len(found["Why"].split()) > 10
    assert found["Avoid"].count("```") == 2


def laid_out(text: str, draft: Path) -> Path:
    """The draft that the examples of a section make up."""
    for kind, block in _BLOCK.findall(text):
        indented = textwrap.indent(block, "  ")
        name, content = {
            "rule": ("60-more/A.yaml", f"{CLAUSE}      - {textwrap.indent(block, ' ' * 8).lstrip()}"),
            "clause": ("60-more/A.yaml", block),
            "kinds": ("vocabulary.yaml", f"kinds:\n{indented}"),
            "editions": ("editions.yaml", f"editions:\n{indented}"),
        }[kind]
        (draft / "60-more").mkdir(exist_ok=True)
        (draft / name).write_text(content, encoding="utf-8")
    return draft


def told(draft: Path) -> list[Diagnostic]:
    law, problems = read_law(draft)
    return [*problems, *(law_warnings(law, problems) if law is not None else [])]


@pytest.mark.parametrize("code", sorted(CODES.keys() - TOLD_ONLY))
def test_what_a_page_says_to_avoid_is_found_and_what_it_prefers_is_not(code: str, tmp_path: Path) -> None:
    found = sections(code)
    alone = KIND_ALONE - {code} if "# kinds" in found["Avoid"] else set()
    avoided = told(laid_out(found["Avoid"], tmp_path))
    assert {each.code for each in avoided} - alone == {code}, avoided
    assert {each.severity for each in avoided if each.code == code} == {"error" if code in ERRORS else "warning"}
    shutil.rmtree(tmp_path / "60-more")
    tmp_path.joinpath("vocabulary.yaml").unlink(missing_ok=True)
    preferred = told(laid_out(found["Prefer"], tmp_path))
    assert [each for each in preferred if each.code not in alone] == []


@pytest.mark.parametrize("source", sorted((HERE / "bad").glob("*.yaml"))[::4], ids=lambda path: path.stem)
def test_a_bad_law_is_told_with_a_code(source: Path, tmp_path: Path) -> None:
    first = source.stem.split("-")[0]
    place = f"{first}.yaml" if first in ("vocabulary", "editions") else "60-more/A.yaml"
    (tmp_path / "60-more").mkdir()
    shutil.copy(source, tmp_path / place)
    found = told(tmp_path)
    assert found
    for each in found:
        assert each.code in CODES
        assert each.severity == ("error" if each.code in ERRORS else "warning")
        assert each.to_json()["code"] == each.code
        assert each.to_json()["severity"] == each.severity
