"""The habits of the house, so that plain `pytest` is the whole test command."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridgelaws.lawbook.law import Law

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "bridgelaws"
MODULES = sorted(SOURCE.rglob("*.py"))
LAW_TEXTS = ROOT.parent / "shared" / "law"

CLAUSE_NUMBER = re.compile(r"""['"](?:1[26]|2[34]|4[1-9]|5\d|6\d|7[0-2])(?:[A-G]\d?(?:\([a-z]\))?)?['"]""")


@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]], ids=["lint", "format", "types"]
)
def test_the_code_is_clean(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def code_strings(path: Path) -> Iterator[tuple[int, str]]:
    """The texts in a module that are not documentation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_clause_number_stands_in_python(path: Path) -> None:
    # A number within a sentence is an example in a hint or a help text.
    assert [(line, text) for line, text in code_strings(path) if CLAUSE_NUMBER.match(f"'{text}'")] == []


# The adapter's own words: what it computes, and what it shows under `plays`.
ADAPTER_WORDS = {"may_not_play", "plays_listed"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_kind_that_only_the_law_knows_stands_in_python(path: Path, law: Law) -> None:
    kinds = {kind.name for kind in law.vocabulary.of_source("report", "choice", "regulation", "derived", "ruling")}
    distinctive = {name for name in kinds - ADAPTER_WORDS if "_" in name}
    assert distinctive
    assert [(line, text) for line, text in code_strings(path) if text in distinctive] == []


FORBIDDEN_IMPORTS = {
    "engine": ("lawbook", "table", "ruling", "casebook", "compare", "cli", "web", "book"),
    "lawbook": ("table", "ruling", "casebook", "compare", "cli", "web", "book"),
    "claims": ("engine", "lawbook", "table", "ruling", "casebook", "compare", "cli", "web", "book"),
    "table": ("ruling", "casebook", "compare", "cli", "web", "book"),
    "ruling": ("casebook", "compare", "cli", "web", "book"),
    "casebook": ("cli", "web"),
    "compare": ("cli", "web", "pages"),
    "batch": ("casebook", "pages", "formatting", "lsp", "cli", "web"),
    "audit": ("casebook", "compare", "pages", "formatting", "lsp", "interview", "cli", "web"),
    "interview": ("casebook", "compare", "pages", "lsp", "batch", "cli", "web"),
    "pages": ("cli", "web"),
    "lsp": ("cli", "web"),
    "web": ("cli",),
}


def imported(path: Path) -> set[str]:
    """The rooms and modules of this package that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("bridgelaws.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way_through_the_rooms(path: Path) -> None:
    relative = path.relative_to(SOURCE)
    room = relative.parts[0] if len(relative.parts) > 1 else ""
    if room == "cli" or relative.name == "__main__.py":
        return
    assert imported(path) & set(FORBIDDEN_IMPORTS.get(room, ("cli", "web"))) == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_says_in_a_sentence_what_it_does(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"


LONGEST_RUN = 10
OURS = sorted(
    path
    for folder in ("rules", "src", "docs", "tests/cases", "examples", "README.md")
    for path in [ROOT / folder, *(ROOT / folder).rglob("*")]
    if path.suffix in (".yaml", ".py", ".md", ".json")
)


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of one word more than may be shared, without regard to punctuation and line ends."""
    words = re.findall(r"[a-z0-9']+", text.lower().replace("’", "'"))
    return {tuple(words[start : start + LONGEST_RUN + 1]) for start in range(len(words) - LONGEST_RUN)}


@pytest.fixture(scope="module")
def published() -> set[tuple[str, ...]]:
    texts = [path for name in ("reference", "seeds") for path in (LAW_TEXTS / name).glob("*.txt")]
    if not texts:
        pytest.skip("the published texts are not here")
    return {run for path in texts for run in runs(path.read_text(encoding="utf-8", errors="replace"))}


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_published_wording_is_copied(path: Path, published: set[tuple[str, ...]]) -> None:
    shared = runs(path.read_text(encoding="utf-8")) & published
    assert [" ".join(run) for run in shared] == []


def test_a_copied_sentence_would_be_found() -> None:
    sentence = "the quick brown fox jumps over the lazy dog and runs away from\nhere, for ever"
    assert runs(sentence) & runs(f"# He said: {sentence.upper()}.")
    assert not runs(sentence) & runs(" ".join(sentence.split()[:10]))
