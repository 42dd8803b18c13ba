"""`bridgelaws serve` as a process: slow and half-open clients, how it stops, and what it says when it cannot begin."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.test_api import EIGHT, ENDLESS

ROOT = Path(__file__).parent.parent
BEGUN = b"POST /v1/rulings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)


@contextlib.contextmanager
def served(*options: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "bridgelaws", "serve", "--port", "0", *options]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("editions 1997, 2007, 2017 at http://127.0.0.1:"), line
        yield Served(process, int(line.partition("127.0.0.1:")[2].split(";")[0]))
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served("--body-timeout", "1") as running:
        yield running


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def whole_answer(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection; a time-out fails the test."""
    answer = b""
    while part := connection.recv(65536):
        answer += part
    return answer


def problem_in(answer: bytes) -> dict[str, Any]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    shown: dict[str, Any] = json.loads(body)
    return shown


def test_others_are_answered_while_slow_and_half_open_clients_wait(server: Served) -> None:
    beginnings = [
        b"",
        b"POST /v1/rul",
        BEGUN,
        BEGUN + b"Content-Length: 500\r\n\r\n",
        BEGUN + b"Content-Length: 500\r\n\r\n{",
    ]
    with contextlib.ExitStack() as stack:
        stuck = [stack.enter_context(server.connected()) for _ in range(8) for _ in beginnings]
        for connection, beginning in zip(stuck, beginnings * 8, strict=True):
            connection.sendall(beginning)
        for _ in range(10):
            assert httpx.post(f"{server.url}/v1/rulings", json=EIGHT).status_code == 200
            assert httpx.get(f"{server.url}/health").status_code == 200


@pytest.mark.parametrize("beginning", [b"", b"POST /v1/rul", BEGUN])
def test_a_head_that_does_not_come_is_not_waited_for_for_ever(server: Served, beginning: bytes) -> None:
    with server.connected() as connection:
        connection.sendall(beginning)
        assert whole_answer(connection) == b""


def test_nor_is_the_head_of_a_second_request(server: Served) -> None:
    with server.connected() as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert status_of(connection.recv(65536)) == 200
        connection.sendall(b"GET /hea")
        assert b"HTTP/1.1" not in whole_answer(connection), "only the rest of the first answer"


@pytest.mark.parametrize("length", [b"Content-Length: 500\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])
def test_a_body_that_does_not_come_is_answered_with_408(server: Served, length: bytes) -> None:
    with server.connected() as connection:
        connection.sendall(BEGUN + length)
        answer = whole_answer(connection)
    assert (status_of(answer), problem_in(answer)["status"]) == (408, 408)


def test_a_body_without_end_is_answered_with_413_before_it_ends(server: Served) -> None:
    with server.connected() as connection:
        connection.sendall(BEGUN + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(10):
            connection.sendall(b"4000\r\n" + b" " * 0x4000 + b"\r\n")
        answer = whole_answer(connection)
    assert (status_of(answer), problem_in(answer)["status"]) == (413, 413)


def test_a_large_body_can_be_sent_to_its_end_and_the_answer_read(server: Served) -> None:
    with server.connected() as connection:
        connection.sendall(BEGUN + b"Content-Length: 10000000\r\n\r\n")
        for _ in range(100):
            connection.sendall(b" " * 100_000)
        answer = whole_answer(connection)
    assert (status_of(answer), problem_in(answer)["status"]) == (413, 413)


def test_what_is_not_http_gets_a_problem_document(server: Served) -> None:
    with server.connected() as connection:
        connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        answer = whole_answer(connection)
    assert (status_of(answer), problem_in(answer)["status"]) == (400, 400)


def test_a_client_that_leaves_disturbs_nobody(server: Served) -> None:
    for beginning in (BEGUN, BEGUN + b"Content-Length: 500\r\n\r\n{"):
        with server.connected() as connection:
            connection.sendall(beginning)
    assert httpx.post(f"{server.url}/v1/rulings", json=EIGHT).status_code == 200
    assert server.process.poll() is None


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_the_javascript_client_prints_the_ruling(server: Served) -> None:
    done = subprocess.run(
        ["node", "examples/client.mjs", server.url], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "♦8 is a minor penalty card; it stays faced in front of East (50B, 50A, 49, 50)"
    assert lines[-1] == "E may play DK DT D8"
    assert len((ROOT / "examples/client.mjs").read_text(encoding="utf-8").splitlines()) <= 21


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(("number", "status", "told"), [(signal.SIGTERM, 0, ""), (signal.SIGINT, 130, "stopped\n")])
def test_it_stops_when_told_to(number: int, status: int, told: str) -> None:
    with served() as server:
        with server.connected() as idle:
            idle.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert status_of(idle.recv(65536)) == 200
            server.process.send_signal(number)
            out, err = server.process.communicate(timeout=60)
        assert (server.process.returncode, out, err) == (status, "", told)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_what_was_asked_is_answered_before_it_stops() -> None:
    body = json.dumps(ENDLESS).encode()
    with served("--timeout", "60") as server, server.connected() as connection:
        connection.sendall(BEGUN + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while "requests_now 1" not in httpx.get(f"{server.url}/metrics").text:
            pass
        server.process.send_signal(signal.SIGTERM)
        assert status_of(whole_answer(connection)) == 200
        assert server.process.wait(60) == 0


def refused(*options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "bridgelaws", "serve", *options],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_a_port_in_use_is_told(server: Served) -> None:
    told = f"port {server.port} of 127.0.0.1 is in use; choose another with --port\n"
    assert refused("--port", str(server.port)) == (2, told)


def test_an_address_that_is_not_one_is_told() -> None:
    status, told = refused("--port", "0", "--host", "not a host")
    assert (status, told) == (2, "there is no address 'not a host'; write for example --host 0.0.0.0\n")


def test_a_draft_at_fault_is_told(tmp_path: Path) -> None:
    (tmp_path / "99-new").mkdir()
    (tmp_path / "99-new/A.yaml").write_text("title: A\nversions: []\n", encoding="utf-8")
    status, told = refused("--laws", str(tmp_path), "--port", "0")
    assert status == 1 and "A.yaml:2:11: this is empty" in told


def test_the_extra_that_is_not_installed_is_told() -> None:
    hidden = (
        "import sys; sys.modules['fastapi'] = None; sys.argv[1:] = ['serve']; from bridgelaws.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (2, "the server needs fastapi; pip install 'bridgelaws[web]'\n")


def test_other_commands_do_not_load_the_server() -> None:
    code = (
        "import sys; from bridgelaws import cli; sys.argv[1:] = ['rule', 'examples/dropped-diamond.yaml']\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "assert not {'fastapi', 'starlette', 'uvicorn'} & sys.modules.keys()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
