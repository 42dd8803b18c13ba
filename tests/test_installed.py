"""The package as it is installed: the law and the schemas are inside, and it rules from anywhere."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import bridgelaws

ROOT = Path(__file__).parent.parent
CASE = """
table: {contract: 4S by S, hands: {E: ♦KT862}}
reports:
  - card_exposed: {player: E, card: D8, manner: dropped}
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    if importlib.util.find_spec("hatchling"):
        command.insert(4, "--no-build-isolation")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        offline = ("No matching distribution found", "ConnectionError", "NewConnectionError", "No module named pip")
        if any(word in done.stderr for word in offline):
            pytest.skip("pip cannot fetch what it builds with")
        pytest.fail(done.stderr)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_rule_and_every_schema(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("rules", "schemas"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and not path.name.startswith(".")]
        assert files
        assert {f"bridgelaws/{path.relative_to(ROOT).as_posix()}" for path in files} <= inside
    assert "bridgelaws/py.typed" in inside
    assert not any("test" in Path(name).parts[0] for name in inside)


def test_the_wheel_says_its_version_and_its_command(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    info = f"bridgelaws-{bridgelaws.__version__}.dist-info"
    assert f"Version: {bridgelaws.__version__}\n" in archive.read(f"{info}/METADATA").decode()
    assert "bridgelaws = bridgelaws.cli:main" in archive.read(f"{info}/entry_points.txt").decode()


def test_the_installed_package_rules_by_the_law_inside_it(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    where = subprocess.run(
        [
            sys.executable,
            "-c",
            "import bridgelaws.lawbook.sources as s; print(s.shipped('rules'), s.shipped('schemas'))",
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.split() == [str(site / "bridgelaws" / "rules"), str(site / "bridgelaws" / "schemas")]
    done = subprocess.run(
        [sys.executable, "-m", "bridgelaws", "rule", "-", "--format", "json"],
        cwd=tmp_path,
        env=environment,
        input=CASE,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert json.loads(done.stdout)["findings"][0]["kind"] == "minor_penalty_card"


def test_the_module_runs_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bridgelaws", "--version"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == f"bridgelaws {bridgelaws.__version__}\n"
