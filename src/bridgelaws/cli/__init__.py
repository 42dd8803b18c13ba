"""The command `bridgelaws`: one small module a command.

Nothing is imported before it is needed: a ruling is typed at a table, and should be there at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise

from bridgelaws.errors import BridgelawsError, CaseError, LawError


def main() -> None:
    """Run the command; whatever goes wrong ends in a message and an exit status, never in a traceback."""
    from bridgelaws.cli.output import show, show_json, show_problems
    from bridgelaws.cli.stopping import ReaderLeft, Stopped

    try:
        _run(sys.argv[1:])
    except BridgelawsError as wrong:
        if _wants_json(sys.argv):
            show_json({"format": 1, "errors": [each.to_json() for each in wrong.diagnostics]})
        show_problems(wrong.diagnostics)
        sys.exit(1 if isinstance(wrong, LawError | CaseError) else 2)
    except (Stopped, KeyboardInterrupt):
        show("stopped", to_error=True)
        sys.exit(130)
    except (ReaderLeft, BrokenPipeError):
        # The reader went away: `bridgelaws show 50B | head -1`. Nothing more can or need be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as bug:
        if "BRIDGELAWS_DEBUG" in os.environ:
            raise
        message = f"an error in bridgelaws itself: {type(bug).__name__}: {bug}"
        show(f"{message}; set BRIDGELAWS_DEBUG=1 to see where, and please report it", to_error=True)
        sys.exit(2)


def _run(arguments: Sequence[str]) -> None:
    from bridgelaws.cli.at_once import rule_at_once

    if rule_at_once(arguments):
        sys.exit(0)
    from bridgelaws.cli.app import app

    app()


def _wants_json(arguments: Sequence[str]) -> bool:
    return any(each in ("--format=json", "-fjson") for each in arguments) or any(
        option in ("--format", "-f") and value == "json" for option, value in pairwise(arguments)
    )
