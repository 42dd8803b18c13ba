"""Every case is ruled on by both engines, with the same ruling. A file of its own: it takes longer than most."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.durable
def test_both_engines_agree_on_every_case() -> None:
    command = [sys.executable, "-m", "bridgelaws", "test", "--engine", "both", "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    told = json.loads(done.stdout)
    failed = [each for each in told["runs"] if not each["passed"]]
    assert [(each["file"], each["edition"], each["problems"]) for each in failed] == []
    assert done.returncode == 0
    assert {each["file"] for each in told["runs"]} == {
        str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "cases").rglob("*.yaml")
    }
