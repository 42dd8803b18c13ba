"""Cases of every Law are ruled on by both engines, with the same ruling. A file of its own: it takes longer than most.

Every twenty-fifth case: `bridgelaws test --engine both` does the same for all of them, and takes some minutes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.durable
def test_both_engines_agree_on_every_twenty_fifth_case(tmp_path: Path) -> None:
    cases = sorted((ROOT / "tests" / "cases").rglob("*.yaml"))[::25]
    assert len({path.parent for path in cases}) > 15
    for path in cases:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    command = [sys.executable, "-m", "bridgelaws", "test", str(tmp_path), "--engine", "both", "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    told = json.loads(done.stdout)
    failed = [each for each in told["runs"] if not each["passed"]]
    assert [(each["file"], each["edition"], each["problems"]) for each in failed] == []
    assert done.returncode == 0
    assert {Path(each["file"]).name for each in told["runs"]} == {path.name for path in cases}
