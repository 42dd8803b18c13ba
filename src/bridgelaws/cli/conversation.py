"""The conversation of `bridgelaws ask`: shows a prompt, reads a line and does what it says, until the end."""

from __future__ import annotations

import sys
from pathlib import Path

from bridgelaws.cli.asking import HELP, show_answers, show_consequences, show_prompt, show_ruling, show_text
from bridgelaws.cli.output import painted, show, show_problems
from bridgelaws.errors import BridgelawsError, Diagnostic, RefusedAnswer, UsageError, nearest
from bridgelaws.files import write_whole
from bridgelaws.interview import Interview, Prompt
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.solving.telling import case_file

_IN_FULL = "??"
_OTHER_WORDS = {"?": "help", "start over": "restart", "exit": "quit", "undo": "back", "answers": "change"}
_YES = ("y", "yes")


class _InputEnded(Exception):
    """Nobody answers any more."""


class Conversation:
    """An interview held in a terminal, or with answers from a pipe; `save` is where the case goes in the end."""

    def __init__(self, interview: Interview, save: Path | None = None) -> None:
        self._interview = interview
        self._save_to = save
        self._shown: Ruling | None = None
        self._asked: Prompt | None = None
        self._was = ""
        self._commands = {
            "back": self._back,
            "change": self._list_answers,
            "help": self._help,
            "restart": self._restart,
            "ruling": self._ruling,
        }

    def hold(self) -> int:
        """Ask until the end; the exit status."""
        _prepare(sys.stdin)
        show(f"The Laws of {self._interview.book.edition}. Enter skips, ? helps, back goes back, quit leaves.", "rule")
        try:
            while self._interview.prompt is not None:
                self._ask(self._interview.prompt)
                line = _next_line()
                if line.lower() in ("quit", "exit"):
                    break
                self._heed(line)
        except _InputEnded:
            return self._cut_off()
        except BaseException:
            # Ctrl-C, a reader that left, or an error of our own: what was told is kept.
            self._keep()
            raise
        return self._keep()

    def _ask(self, prompt: Prompt) -> None:
        if prompt.part in ("option", "end") and self._shown != self._interview.ruling:
            self._shown = self._interview.ruling
            show_ruling(self._shown, with_options=prompt.part == "end")
        show_prompt(prompt, self._was, again=prompt == self._asked)
        self._asked, self._was = prompt, ""

    def _heed(self, line: str) -> None:
        """Do what the line says, or tell why not."""
        command = _OTHER_WORDS.get(line.lower(), line.lower())
        word, _, rest = command.partition(" ")
        try:
            if command in self._commands:
                self._commands[command]()
            elif command == _IN_FULL:
                self._in_full()
            elif word == "save":
                self._save(line[len(word) :].strip())
            elif word == "change" and rest.strip().isdecimal():
                self._change(int(rest.strip()[:9]))
            else:
                self._answer(line)
        except BridgelawsError as wrong:
            for problem in wrong.diagnostics:
                show(str(problem), "failed")

    def _answer(self, line: str) -> None:
        before = self._interview
        try:
            self._interview = before.answer(line)
        except RefusedAnswer as wrong:
            raise RefusedAnswer([self._perhaps_a_command(line, each) for each in wrong.diagnostics]) from None
        given = self._interview.given[len(before.given)]
        if given.means:
            show_text(f"{given.said}: {given.means}", "rule")
        elif given.prompt.part == "table" and line not in ("", given.said):
            show_text(given.said, "given", indent=2)

    def _perhaps_a_command(self, line: str, problem: Diagnostic) -> Diagnostic:
        hint = nearest(line, [*self._commands, "quit", "save"])
        if "did you mean" in problem.hint or "did you mean" not in hint:
            return problem
        return Diagnostic(problem.message, hint=f"{problem.hint}; {hint}" if problem.hint else hint)

    def _in_full(self) -> None:
        if self._interview.prompt is None or not self._interview.prompt.choices:
            raise RefusedAnswer("there is nothing to choose from here", "? tells what can be typed")
        show_consequences(self._interview.prompt)

    def _help(self) -> None:
        for line in HELP.splitlines():
            show(line)

    def _back(self) -> None:
        after = self._interview.given
        self._interview = self._interview.back()
        self._was = after[-1].said

    def _list_answers(self) -> None:
        show_answers(self._interview)

    def _change(self, number: int) -> None:
        after = self._interview.given
        self._interview = self._interview.change(number)
        self._was = after[number - 1].said

    def _restart(self) -> None:
        self._interview = self._interview.restart()
        self._shown = None

    def _ruling(self) -> None:
        show_ruling(self._interview.ruling, with_options=True)

    def _save(self, name: str) -> None:
        if not name:
            raise RefusedAnswer("save needs a name for the file", "write for example save east-dropped.yaml")
        path = Path(name).expanduser()
        text = self._case_text()
        if path.exists():
            show(f"'{path}' is there already. Write over it? [no]", "question")
            self._asked = None
            if _next_line().lower() not in _YES:
                show("not saved")
                return
        _write(path, text)

    def _case_text(self) -> str:
        if not self._interview.has_begun:
            raise RefusedAnswer("nothing was told yet that could be saved", "say first what happened")
        return case_file(self._interview.case_data())

    def _cut_off(self) -> int:
        """The input ended: done, if all was asked; if not, what is known is printed, so that nothing is lost."""
        if self._interview.prompt is not None and self._interview.prompt == self._asked and self._asked.part == "end":
            return self._keep()
        show("the input ended before the interview; what follows rests on the answers so far", to_error=True)
        if self._interview.has_begun:
            self._ruling()
            if self._save_to is None:
                show(self._case_text().rstrip("\n"))
        self._keep()
        return 1

    def _keep(self) -> int:
        """Write the file of --save, if there is something to write; the exit status."""
        if self._save_to is None or not self._interview.has_begun:
            return 0
        text = self._case_text()
        try:
            if self._save_to.exists():
                raise UsageError(f"'{self._save_to}' is there by now, and is left as it is", "this is the case:")
            _write(self._save_to, text)
        except UsageError as wrong:
            show_problems(wrong.diagnostics)
            show(text.rstrip("\n"))
            return 2
        return 0


def _prepare(stream: object) -> None:
    """What is not text is then told as a wrong answer; and a terminal gets arrow keys, where the system has them."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    if _is_terminal():
        try:
            import readline  # noqa: F401
        except ImportError:
            return


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _next_line() -> str:
    """The next line; one from a pipe is printed, so that all that is printed reads as a conversation."""
    try:
        line = input("> ") if sys.stdin is not None else None
    except EOFError:
        line = None
    if line is None or not _is_terminal():
        print(painted(line or ""))
    if line is None:
        raise _InputEnded
    return line.strip()


def _write(path: Path, text: str) -> None:
    write_whole(path, text)
    show(f"saved; see also: bridgelaws why {path}", "given")
