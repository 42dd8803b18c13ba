"""Does `verify --same` notice a fault in a rule? Three faults are planted in each of thirty rules, one at a time.

In a process of its own, for it would take three times as long with its lines counted.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RULES = 30
# With two reports the proof that a fault changes nothing takes some ten seconds, with three much longer.
SEARCH = ["--patience", "20", "--reports", "2"]


def test_faults_in_thirty_rules_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "benchmarks.planted_faults", "--rules", str(RULES), *SEARCH]
    path = os.pathsep.join((str(ROOT / "src"), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [*command, "--cases", str(ROOT / "tests" / "cases")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    share = done.stdout.splitlines()[-1] if done.stdout else done.stderr
    with capsys.disabled():
        print(f"\n{share}")
    counts = re.match(r"(\d+) faults within .*: (\d+) found, (\d+) proven to change nothing, (\d+) open", share)
    assert counts, share
    planted, found, none, left_open = map(int, counts.groups())
    assert planted == 3 * RULES == found + none + left_open
    # Which faults are planted changes with the rules. Some need longer than they are given: docs/verification.md.
    assert left_open <= 5
    assert found > 0.9 * planted
