"""A process of its own for what somebody drafts: rules of a stranger can take for ever, and then it is ended.

The server asks by a line of JSON and is answered by one. The process is begun when it is first needed, has a limit of
memory, and ends itself if the server does.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic, LawError
from bridgelaws.web.drafting import Drafting
from bridgelaws.web.problems import Problem, busy, refused
from bridgelaws.wire import json_bytes

Object = dict[str, Any]
BEGIN_SECONDS = 60.0
MEMORY = 2_000_000_000
# A draft takes longer than a ruling: the whole law is read again. Others need not wait for it: it has its own process.
_PATIENCE = 4
# Of the time for an answer, how much may go into ruling on cases, one after another.
_SHARE = 0.08
_WAITING = 8


class Bench:
    """The server's side: one request at a time, each with an end."""

    def __init__(self, laws: Path | None, cases: Path | None, seconds: float) -> None:
        self._begin = {"laws": str(laws) if laws else None, "cases": str(cases) if cases else None}
        self._seconds = seconds * _PATIENCE
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._waiting = 0

    async def answered(self, request: Object) -> bytes:
        """What the process answers; a `Problem` if the draft or the case is at fault, or if it takes too long."""
        if self._waiting >= _WAITING:
            raise busy("there are too many drafts at once")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "workbench")
        self._waiting += 1
        try:
            line = await asyncio.get_running_loop().run_in_executor(self._thread, self._asked, request)
        finally:
            self._waiting -= 1
        answer = json.loads(line)
        if answer["status"] != 200:
            raise Problem(answer["status"], [Diagnostic(**each) for each in answer["errors"]])
        return json_bytes(answer["answer"])

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)
            self._thread = None
        self._end()

    def _asked(self, request: Object) -> bytes:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._begun()
        return self._line(process, {**request, "seconds": self._seconds}, self._seconds)

    def _begun(self) -> subprocess.Popen[bytes]:
        self._end()
        command = [sys.executable, "-m", "bridgelaws.web.workbench"]
        process = self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # However this ends, the process ends with it.
        weakref.finalize(self, _stop, process)
        self._line(process, self._begin, BEGIN_SECONDS)
        return process

    def _line(self, process: subprocess.Popen[bytes], sent: Object, seconds: float) -> bytes:
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(json_bytes(sent) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line:
            self._end()
            hint = "a rule may match in too many ways: join its conditions by variables"
            raise refused(503, f"this takes longer than {seconds:g} seconds, or too much memory", hint)
        return line

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """The process's side: the first line says what to read, every other asks for something."""
    begin = json.loads(requests.readline())
    folders = [Path(begin[key]) if begin[key] else None for key in ("laws", "cases")]
    drafting = Drafting(*folders)
    assert drafting.cases is not None
    _send(answers, {"ready": True})
    for line in requests:
        request = json.loads(line)
        _end_after(request["seconds"] + 1)
        _send(answers, answer_to(drafting, request))
        _end_after(0)


def answer_to(drafting: Drafting, request: Object) -> Object:
    """The answer, or what is wrong: 422 if it is with the draft or the case."""
    try:
        return {"status": 200, "answer": _done(drafting, request)}
    except (LawError, CaseError) as error:
        return {"status": 422, "errors": [each.to_json() for each in error.diagnostics]}
    except BridgelawsError as error:
        return {"status": 404, "errors": [each.to_json() for each in error.diagnostics]}
    except (MemoryError, RecursionError):
        return {"status": 503, "errors": [Diagnostic("this takes too much memory").to_json()]}
    except Exception:
        traceback.print_exc()
        mistake = Diagnostic("an error in bridgelaws itself", hint="please report it")
        return {"status": 500, "errors": [mistake.to_json()]}


def _done(drafting: Drafting, request: Object) -> Object:
    clause, text = request["clause"], request["text"]
    if request["do"] == "check":
        return drafting.check(clause, text)
    if request["do"] == "complete":
        return drafting.complete(text, request["line"], request["column"])
    seconds = request["seconds"] * _SHARE
    return drafting.attempt(clause, text, request["edition"], request["case"], request["from"], seconds)


def _send(answers: IO[bytes], answer: Object) -> None:
    answers.write(json_bytes(answer) + b"\n")
    answers.flush()


def _end_after(seconds: float) -> None:
    """End this process if it has not answered by then, in case the server is no longer there to do it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory() -> None:
    try:
        import resource
    except ModuleNotFoundError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    # Ctrl-C at the server's terminal reaches this process too, which ends with the server and not before it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
