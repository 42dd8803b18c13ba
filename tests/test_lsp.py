"""The language server: through the protocol, as a process and in a thread, and its answers one by one."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from bridgelaws.cli import lsp as command
from bridgelaws.errors import UsageError
from bridgelaws.located import Place
from bridgelaws.lsp import answers
from bridgelaws.lsp.desk import Desk, Home
from bridgelaws.lsp.problems import case_problems, survey
from bridgelaws.lsp.roles import Form, Role, What, role_of
from bridgelaws.lsp.server import law_server, look
from bridgelaws.lsp.texts import Position, Span, span_at, spot_at

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules"
CLAUSE = RULES / "50-penalty-card/D2a-require-or-forbid.yaml"
CASE = ROOT / "tests/cases/50-penalty-card/D2a-forbid.yaml"
PATIENCE = 60

# A small law that stands alone is read in a moment; DRINKS alone would be a draft laid over the shipped law.
EDITIONS = """\
editions:
  "1997": {name: The house law}
  "2007": {name: The house law revised, follows: "1997"}
  "2017": {name: The house law revised again, follows: "2007"}
"""
DRINKS = """\
kinds:
  drink_declined:
    source: report
    means: A player said that he wants no drink.
    fields:
      player: {type: seat, ask: Who declined?}
      reason: {type: one_of, optional: true, values: {driving: he is driving, early: it is too early}}
    say: "{player} declined the drink"
  nothing_owed:
    source: ruling
    means: Nobody owes anything.
    fields: {to: seat}
    say: "nobody owes {to} a drink"
  drink_owed:
    source: ruling
    means: Partner owes a drink.
    fields: {to: seat}
    contradicts: [nothing_owed]
    say: "{to} is owed a drink"
"""
DRAFT_VOCABULARY = (
    DRINKS
    + """\
  player:
    source: table
    means: A seat.
    fields:
      seat: seat
      side: side
      role: {type: one_of, values: {declarer: declarer, dummy: dummy, defender: a defender}}
      partner: seat
      left: seat
      right: seat
    say: "{seat} is {role}"
  holds:
    source: table
    means: A card known to be in a hand now.
    fields:
      player: seat
      role: {type: one_of, values: {declarer: declarer, dummy: dummy, defender: a defender}}
      card: card
    say: "{player} holds {card}"
"""
)
DRAFT_CLAUSE = """\
title: No, thank you
versions:
  - since: "2017"
    number: 99A
    gist: Whoever declines a drink is owed none; ♦ or 🍺.
    see: ["50D2(a)", "99B"]
    rules:
      - name: declined
        when:
          - drink_declined: {player: $player}
        then:
          - nothing_owed: {to: $player}
      - name: not declined
        when:
          - player: {seat: $seat}
        unless:
          - holds: {player: $seat, card: D7}
          - drink_declined: {player: $seat}
        then:
          - drink_owed: {to: $seat}
"""
DRAFT_CASE = """\
title: East declines
table: {contract: 3NT by S}
reports:
  - drink_declined: {player: E}
expect:
  editions: ["2017"]
  findings:
    - nothing_owed: {to: E}
      clause: 99A
"""


class Client:
    """A small editor: sends and awaits messages, and keeps what was published about each file."""

    def __init__(self, to_server: BinaryIO, from_server: BinaryIO) -> None:
        self.to_server = to_server
        self.messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self.last = 0
        threading.Thread(target=self._listen, args=[from_server], daemon=True).start()

    def _listen(self, stream: BinaryIO) -> None:
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self.messages.put(json.loads(stream.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.to_server.write(b"Content-Length: %d\r\n\r\n%b" % (len(raw), raw))
        self.to_server.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """The whole answer, with its result or its error."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message.get("id") == self.last and "method" not in message:
                return message

    def result(self, method: str, params: Any) -> Any:
        answer = self.ask(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def initialize(self, root: Path) -> dict[str, Any]:
        params = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
        capabilities: dict[str, Any] = self.result("initialize", params)["capabilities"]
        self.notify("initialized", {})
        return capabilities

    def open(self, path: Path, text: str) -> None:
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, path: Path, version: int, text: str) -> None:
        document = {"uri": path.as_uri(), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def problems(self, path: Path) -> list[dict[str, Any]]:
        """What is next published about a file."""
        while True:
            message = self.messages.get(timeout=PATIENCE)
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == path.as_uri():
                found: list[dict[str, Any]] = params["diagnostics"]
                return found

    def at(self, path: Path, text: str, word: str, offset: int = 1, **more: Any) -> dict[str, Any]:
        line, column = where(text, word)
        before = text.splitlines()[line][: column + offset]
        units = len(before.encode("utf-16-le")) // 2
        return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": units}, **more}


def where(text: str, word: str) -> tuple[int, int]:
    """The line and column of the first place where the word stands."""
    line, column = next((n, each.index(word)) for n, each in enumerate(text.splitlines()) if word in each)
    return line, column


def in_a_process(folder: Path) -> Iterator[Client]:
    server = subprocess.Popen(
        [sys.executable, "-m", "bridgelaws", "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield (client := Client(server.stdin, server.stdout))
        client.result("shutdown", None)
        client.notify("exit", None)
        assert server.wait(timeout=PATIENCE) == 0
    finally:
        server.kill()
        server.wait(timeout=PATIENCE)
        server.stdin.close()
        server.stdout.close()


def in_a_thread(_: Path) -> Iterator[Client]:
    (ours_in, theirs_out), (theirs_in, ours_out) = os.pipe(), os.pipe()
    with (
        os.fdopen(theirs_in, "rb") as stdin,
        os.fdopen(theirs_out, "wb") as stdout,
        os.fdopen(ours_in, "rb") as read,
        os.fdopen(ours_out, "wb") as write,
    ):
        server = threading.Thread(target=lambda: law_server().start_io(stdin, stdout), daemon=True)
        server.start()
        yield (client := Client(write, read))
        client.result("shutdown", None)
        client.notify("exit", None)
        server.join(timeout=PATIENCE)
        assert not server.is_alive()


def written(folder: Path) -> Path:
    (folder / "99-drinks").mkdir(parents=True)
    (folder / "editions.yaml").write_text(EDITIONS, encoding="utf-8")
    (folder / "vocabulary.yaml").write_text(DRAFT_VOCABULARY, encoding="utf-8")
    (folder / "99-drinks/A-no-thanks.yaml").write_text(DRAFT_CLAUSE, encoding="utf-8")
    return folder


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return written(tmp_path / "my-draft")


@pytest.fixture
def overlaid(draft: Path) -> Path:
    """The draft without editions and table kinds of its own, and so laid over the shipped law."""
    (draft / "editions.yaml").unlink()
    (draft / "vocabulary.yaml").write_text(DRINKS, encoding="utf-8")
    return draft


@pytest.fixture(params=[in_a_process, in_a_thread])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    yield from request.param(tmp_path)


def test_a_session_with_an_editor(client: Client, draft: Path) -> None:
    clause, vocabulary = draft / "99-drinks/A-no-thanks.yaml", draft / "vocabulary.yaml"
    capabilities = client.initialize(draft.parent)
    for each in ("hover", "definition", "references", "completion", "rename"):
        assert capabilities[f"{each}Provider"], each

    client.open(clause, DRAFT_CLAUSE)
    assert client.problems(clause) == []

    broken = DRAFT_CLAUSE.replace("{player: $player}", "{playr: $player}")
    client.change(clause, 2, broken)
    (problem,) = client.problems(clause)
    assert problem["message"] == "drink_declined has no field 'playr'; did you mean 'player'?"
    assert problem["severity"] == 1
    line, column = where(broken, "playr")
    assert problem["range"] == {
        "start": {"line": line, "character": column},
        "end": {"line": line, "character": column + 5},
    }
    client.change(clause, 3, DRAFT_CLAUSE)
    assert client.problems(clause) == []

    (found,) = client.result("textDocument/definition", client.at(clause, DRAFT_CLAUSE, "drink_declined"))
    line, column = where(DRAFT_VOCABULARY, "drink_declined")
    assert found["uri"] == vocabulary.as_uri()
    assert found["range"]["start"] == {"line": line, "character": column}

    asked = client.at(clause, DRAFT_CLAUSE, "drink_declined", context={"includeDeclaration": True})
    uses = client.result("textDocument/references", asked)
    assert sorted(each["uri"] for each in uses) == [clause.as_uri(), clause.as_uri(), vocabulary.as_uri()]
    asked["context"]["includeDeclaration"] = False
    assert len(client.result("textDocument/references", asked)) == 2

    told = client.result("textDocument/hover", client.at(clause, DRAFT_CLAUSE, "drink_declined"))["contents"]["value"]
    assert "A player said that he wants no drink." in told
    assert "Read by 99A" in told

    items = client.result("textDocument/completion", client.at(clause, DRAFT_CLAUSE, "nothing_owed", 0))["items"]
    assert {"nothing_owed", "drink_owed"} <= {each["label"] for each in items}
    assert "drink_declined" not in {each["label"] for each in items}, "no rule concludes a report"

    place = client.result("textDocument/prepareRename", client.at(clause, DRAFT_CLAUSE, "drink_declined"))
    assert place["placeholder"] == "drink_declined"
    edit = client.result("textDocument/rename", client.at(clause, DRAFT_CLAUSE, "drink_declined", newName="no_thanks"))
    assert {uri: len(edits) for uri, edits in edit["changes"].items()} == {clause.as_uri(): 2, vocabulary.as_uri(): 1}
    refused = client.ask("textDocument/rename", client.at(clause, DRAFT_CLAUSE, "drink_declined", newName="No thanks"))
    assert refused["error"]["code"] == -32803
    assert "is no name for a kind" in refused["error"]["message"]


def test_bad_input_does_not_end_the_server(client: Client, draft: Path) -> None:
    clause, elsewhere = draft / "99-drinks/A-no-thanks.yaml", draft.parent / "compose.yaml"
    client.initialize(draft.parent)
    client.open(clause, "title: [unclosed\nversions: {")
    (problem,) = client.problems(clause)
    assert problem["message"].startswith("this is not YAML")
    client.open(elsewhere, "services:\n  web: {image: nginx}\n")
    client.notify(
        "textDocument/didOpen",
        {"textDocument": {"uri": "untitled:One", "languageId": "yaml", "version": 1, "text": "card_exposed"}},
    )
    nowhere: dict[str, Any] = {"textDocument": {"uri": "untitled:One"}, "position": {"line": 0, "character": 2}}
    for document, line, character in ((clause, 999, 0), (clause, 0, 999), (clause, 1, 3), (elsewhere, 1, 3)):
        asked: dict[str, Any] = {
            "textDocument": {"uri": document.as_uri()},
            "position": {"line": line, "character": character},
        }
        for params in (asked, nowhere):
            assert client.result("textDocument/hover", params) is None
            assert client.result("textDocument/definition", params) == []
            assert client.result("textDocument/references", {**params, "context": {"includeDeclaration": True}}) == []
            assert client.result("textDocument/completion", params)["items"] == []
            assert client.result("textDocument/prepareRename", params) is None
        assert "no kind" in client.ask("textDocument/rename", {**asked, "newName": "x"})["error"]["message"]
        assert client.result("textDocument/rename", {**nowhere, "newName": "x"}) is None
    client.change(clause, 2, DRAFT_CLAUSE)
    assert client.problems(clause) == []


def test_problems_of_other_files_come_and_go(client: Client, draft: Path) -> None:
    clause, vocabulary = draft / "99-drinks/A-no-thanks.yaml", draft / "vocabulary.yaml"
    client.initialize(draft.parent)
    client.open(vocabulary, DRAFT_VOCABULARY.replace("drink_declined", "drink_refused"))
    assert {each["message"] for each in client.problems(clause)} == {
        "'drink_declined' is no kind of fact; did you mean 'drink_refused'?"
    }
    client.notify("textDocument/didClose", {"textDocument": {"uri": vocabulary.as_uri()}})
    assert client.problems(clause) == []
    clause.write_text(DRAFT_CLAUSE.replace("99A", "A99"), encoding="utf-8")
    client.open(vocabulary, DRAFT_VOCABULARY)
    assert ["'A99' is not written as it should be" in each["message"] for each in client.problems(clause)] == [True]
    clause.write_text(DRAFT_CLAUSE, encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": vocabulary.as_uri()}})
    assert client.problems(clause) == []
    clause.write_text(DRAFT_CLAUSE.replace("99A", "A99"), encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": clause.as_uri(), "type": 2}]})
    assert len(client.problems(clause)) == 1


def test_columns_are_counted_as_the_editor_counts_them(client: Client, draft: Path) -> None:
    clause = draft / "99-drinks/A-no-thanks.yaml"
    text = DRAFT_CLAUSE.replace(
        "- drink_declined: {player: $player}", '- {"drink_declined": {reason: "🍺♦", player: $x}}'
    )
    client.initialize(draft.parent)
    client.open(clause, text)
    told = [each for each in client.problems(clause) if "🍺" in each["message"]]
    line, column = where(text, "🍺♦")
    assert [each["range"] for each in told] == [
        {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 3}}
    ]
    hovered = client.result("textDocument/hover", client.at(clause, text, "player: $x"))
    assert "Who declined?" in hovered["contents"]["value"]
    assert hovered["range"]["start"]["character"] == column + 3 + len('", ')


def test_without_pygls_the_command_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bridgelaws.lsp.server")
    monkeypatch.setitem(sys.modules, "pygls", None)
    with pytest.raises(UsageError, match=r"bridgelaws\[editor\]"):
        command.run()


def test_the_draft_that_cases_are_about_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        command.run(tmp_path / "nowhere")


# Where the cursor stands


def cursor(text: str) -> tuple[str, Position]:
    """The text without the bar that marks the cursor, and where it was."""
    before = text[: text.index("|")]
    return text.replace("|", "", 1), Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


@pytest.mark.parametrize(
    ("text", "path", "word"),
    [
        ("a: {b: on|e, c: two}", ("a", "b"), "one"),
        ("a: {b: one, c|c: two}", ("a", "cc"), "cc"),
        ("a: [one, 'tw|o three', four", ("a", 1), "two three"),
        ('a: ["|50D2(a)"]', ("a", 0), "50D2(a)"),
        ("a: Definition of hon|our # said", ("a",), "Definition of honour"),
        ("a:\n  - one: 1\n    tw|", ("a", 0, "tw"), "tw"),
        ("a:\n  - |", ("a", 0), ""),
        ("a:\n  - b: {c: $|", ("a", 0, "b", "c"), "$"),
        ("a:\n  - b: {c: 1, |\n  - {{{ broken", ("a", 0, "b", ""), ""),
        ('"2|017": x', ("2017",), "2017"),
        ("'k|ey': x", ("key",), "key"),
        ("- - o|ne: {}", (0, 0, "one"), "one"),
        ("a: one\r\nb: tw|o\r\n", ("b",), "two"),
    ],
)
def test_the_word_at_the_cursor_and_the_path_to_it(text: str, path: tuple[str | int, ...], word: str) -> None:
    spot = spot_at(*cursor(text))
    assert spot is not None
    assert (spot.path, spot.word) == (path, word)


@pytest.mark.parametrize(
    "text",
    [
        "# com|ment\na: b",
        "a: >-\n  running te|xt\nb: c",
        "a: one\n  tw|o",
        "a: b\n  c: d\n e|: {",
        "a: *on|e",
        "a: &o|ne b",
    ],
)
def test_there_is_no_word_in_comments_running_text_and_what_cannot_be_read(text: str) -> None:
    assert spot_at(*cursor(text)) is None


@pytest.mark.parametrize("position", [Position(0, 5), Position(1, 0), Position(-1, 0), Position(0, -1)])
def test_there_is_no_word_past_the_end(position: Position) -> None:
    assert spot_at("a: b", Position(0, 4)) is not None
    assert spot_at("a: b", position) is None


@pytest.mark.parametrize(
    ("column", "start", "end"),
    [(4, 3, 6), (9, 9, 14), (18, 17, 18), (19, 18, 19), (99, 98, 98)],
    ids=["a word", "within quotes", "a bracket", "before a colon", "past the end"],
)
def test_a_problem_is_underlined_from_its_place_to_the_end_of_the_word(column: int, start: int, end: int) -> None:
    lines = ["a: one, 'two 3', {b: c}"]
    assert span_at(lines, Place(1, column)) == Span(Position(0, start), Position(0, end))


def test_a_problem_past_the_last_line_is_told_at_the_end() -> None:
    assert span_at(["a: one", "b"], Place(9, 1)) == Span(Position(1, 1), Position(1, 1))


RULE = ("versions", 0, "rules", 0)


@pytest.mark.parametrize(
    ("form", "path", "at_key", "role"),
    [
        (Form.clause, (*RULE, "when", 0, "holds"), True, Role(What.kind)),
        (Form.clause, (*RULE, "then", 0), False, Role(What.kind, sources=("derived", "ruling"))),
        (Form.clause, (*RULE, "then", 0, "force"), False, None),
        (Form.clause, (*RULE, "unless", 0, 1, "holds", "card"), True, Role(What.field, "holds", "card")),
        (Form.clause, (*RULE, "when", 0, "holds"), False, Role(What.field, "holds")),
        (Form.clause, (*RULE, "when", 0, "holds", "card", "is"), True, Role(What.test, "holds", "card")),
        (
            Form.clause,
            (*RULE, "when", 0, "holds", "card", "suit", "not"),
            True,
            Role(What.test, "holds", "card", "suit"),
        ),
        (Form.clause, (*RULE, "when", 0, "holds", "card", "suit"), False, Role(What.value, "holds", "card", "suit")),
        (Form.clause, (*RULE, "when", 0, "holds", "card", "one_of", 1), False, Role(What.value, "holds", "card")),
        (Form.clause, ("versions", 0, "see", 1), False, Role(What.clause)),
        (Form.clause, ("versions", 0, "number"), False, Role(What.clause, defines=True)),
        (Form.clause, ("versions", 0, "since"), False, Role(What.edition)),
        (Form.clause, ("title",), False, None),
        (Form.vocabulary, ("kinds", "holds"), True, Role(What.kind, defines=True)),
        (Form.vocabulary, ("kinds", "holds", "contradicts", 0), False, Role(What.kind, sources=("ruling",))),
        (Form.vocabulary, ("kinds", "holds", "during"), False, Role(What.kind, sources=("table",))),
        (Form.vocabulary, ("kinds", "holds", "about", 0), False, Role(What.field, "holds")),
        (Form.vocabulary, ("kinds", "holds", "fields", "card"), True, Role(What.field, "holds", "card", defines=True)),
        (Form.vocabulary, ("kinds", "holds", "means"), False, None),
        (Form.editions, ("editions", "2017"), True, Role(What.edition, defines=True)),
        (Form.editions, ("editions", "2017", "follows"), False, Role(What.edition)),
        (Form.editions, ("editions", "2017", "name"), False, None),
        (Form.case, ("reports", 0, "x"), True, Role(What.kind, sources=("report",))),
        (Form.case, ("choices", 0), False, Role(What.kind, sources=("choice",))),
        (Form.case, ("regulations", "x"), True, Role(What.kind, sources=("regulation",))),
        (Form.case, ("regulations", "x"), False, Role(What.value, "x")),
        (Form.case, ("expect", "findings", 0, "clause"), False, Role(What.clause)),
        (Form.case, ("expect", "findings", 0, "clause"), True, None),
        (Form.case, ("expect", 1, "never", 0, "x", "y"), False, Role(What.value, "x", "y")),
        (Form.case, ("expect", "options", 0, "x"), True, Role(What.kind, sources=("choice",))),
        (Form.case, ("expect", "plays", "E", "may_not", "D6", 0), False, Role(What.clause)),
        (Form.case, ("expect", "questions", 0), False, Role(What.question)),
        (Form.case, ("expect", "editions", 0), False, Role(What.edition)),
        (Form.case, ("expect", "plays"), True, None),
        (Form.case, ("edition",), False, Role(What.edition)),
        (Form.case, ("table", "contract"), False, None),
    ],
)
def test_what_a_word_is_follows_from_the_path_to_it(
    form: Form, path: tuple[str | int, ...], at_key: bool, role: Role | None
) -> None:
    found = role_of(form, path, at_key)
    if role is not None and found is not None and not role.sources and role.what is What.kind and not role.defines:
        assert len(found.sources) == 6
        found = Role(found.what)
    assert found == role


# The desk


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk(None, [ROOT / "tests/cases"])


def test_a_file_belongs_to_the_nearest_law_above_it(desk: Desk, draft: Path) -> None:
    assert desk.home(CLAUSE) == Home(Form.clause, None)
    assert desk.home(RULES / "vocabulary.yaml") == Home(Form.vocabulary, None)
    assert desk.home(RULES / "editions.yaml") == Home(Form.editions, None)
    assert desk.home(CASE) == Home(Form.case, None)
    assert desk.home(draft / "99-drinks/A-no-thanks.yaml") == Home(Form.clause, draft)
    assert desk.home(ROOT / "README.md") is None
    assert desk.home(draft.parent / "nowhere.yaml") is None


def test_a_case_is_about_the_law_beside_it_or_the_draft_that_was_named(draft: Path) -> None:
    project = draft.parent / "project"
    case = project / "cases/one.yaml"
    case.parent.mkdir(parents=True)
    case.write_text(DRAFT_CASE, encoding="utf-8")
    assert Desk().home(case) == Home(Form.case, None)
    shutil.copytree(draft, project / "rules")
    assert Desk().home(case) == Home(Form.case, project / "rules")
    assert Desk(draft).home(case) == Home(Form.case, draft)


def test_a_draft_without_vocabulary_and_editions_is_known_by_its_folders(draft: Path) -> None:
    (draft / "vocabulary.yaml").unlink()
    (draft / "editions.yaml").unlink()
    clause = draft / "99-drinks/A-no-thanks.yaml"
    assert Desk().home(clause) == Home(Form.clause, draft)
    (draft / "photographs").mkdir()
    assert Desk().home(clause) is None
    assert Desk().home(draft / "nowhere/at-all/A.yaml") is None


def test_a_file_is_read_again_only_when_it_changed(draft: Path) -> None:
    desk, path = Desk(), draft / "vocabulary.yaml"
    first = desk.read(path)
    assert desk.read(path) is first
    desk.open[path] = DRAFT_VOCABULARY + "# unsaved\n"
    assert desk.read(path) is not first
    assert desk.read(path) is desk.read(path)
    del desk.open[path]
    path.write_text(DRAFT_VOCABULARY.replace("drink_owed", "drink_due"), encoding="utf-8")
    assert "drink_due" in desk.read(path).data["kinds"]


def test_a_clause_that_was_never_saved_belongs_to_the_law(draft: Path) -> None:
    desk, clause = Desk(), draft / "99-drinks/B-new.yaml"
    desk.open[clause] = DRAFT_CLAUSE.replace("99A", "99B")
    law, problems = desk.survey(draft)
    assert not problems
    assert law is not None
    assert "99-drinks/B-new" in {each.id for each in law.clauses}


def test_half_a_character_in_an_open_file_is_a_problem_and_no_crash(draft: Path) -> None:
    desk = Desk()
    desk.open[draft / "vocabulary.yaml"] = "kinds: \ud83c"
    _, problems = desk.survey(draft)
    assert "the text is not UTF-8" in [each.message for each in problems]


# Problems


def test_a_case_is_told_where_its_ruling_is_not_what_it_expects(draft: Path) -> None:
    desk, case = Desk(draft), draft.parent / "case.yaml"
    desk.open[case] = DRAFT_CASE
    surveyed = survey(desk, draft)
    assert case_problems(desk, case, surveyed) == []
    desk.open[case] = DRAFT_CASE.replace("{to: E}", "{to: W}")
    (unmet,) = case_problems(desk, case, surveyed)
    assert unmet.severity == "warning"
    assert unmet.line == 8
    assert unmet.message.startswith("expected nothing_owed {to: W} from 99A")
    assert unmet.message.endswith("(2017)")


@pytest.mark.parametrize(
    ("right", "wrong", "message", "line"),
    [
        ("drink_declined", "drink_declind", "there is no report 'drink_declind'", 4),
        ("clause: 99A", "clause: 99Z", "there is no clause '99Z'", 9),
        ("title: East declines", "edition: '2037'", "there is no edition '2037'", 1),
        ("3NT by S", "9NT by S", "there is no contract at level '9'", 2),
        ("reports:", "reports: [", "this is not YAML", 4),
    ],
)
def test_what_is_wrong_with_a_case(draft: Path, right: str, wrong: str, message: str, line: int) -> None:
    desk, case = Desk(draft), draft.parent / "case.yaml"
    desk.open[case] = DRAFT_CASE.replace(right, wrong)
    found = case_problems(desk, case, survey(desk, draft))
    assert [message in each.message for each in found] == [True]
    assert (found[0].line, found[0].severity) == (line, "error")


def test_a_choice_that_is_not_open_is_told_although_the_case_expects_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case.yaml"
    text = (
        "table: {contract: 4S by S, trick: 2, on_lead: W}\nchoices:\n"
        "  - lead_choice: {player: W, decision: require, suit: D}\n"
    )
    monkeypatch.setitem(desk.open, case, text)
    (found,) = case_problems(desk, case, survey(desk, None))
    assert found.line == 3
    assert found.severity == "error"


def test_a_case_is_looked_at_again_when_the_law_it_is_about_changes(draft: Path) -> None:
    desk, case, clause = Desk(draft), draft.parent / "case.yaml", draft / "99-drinks/A-no-thanks.yaml"
    desk.open[case] = DRAFT_CASE
    assert look(desk, {}) == {case: []}
    desk.open[clause] = DRAFT_CLAUSE.replace("nothing_owed: {to: $player}", "nothing_owed: {to: N}").replace(
        "{player: $player}", "{player: E}"
    )
    found = look(desk, {})
    assert found[case][0].message.startswith("expected nothing_owed {to: E} from 99A, got nobody owes North")
    assert [each for each in found[clause] if each.severity == "error"] == []


def test_nothing_is_told_of_a_case_whose_law_cannot_be_read(draft: Path) -> None:
    desk, case = Desk(draft), draft.parent / "case.yaml"
    desk.open[case] = DRAFT_CASE.replace("{to: E}", "{to: W}")
    desk.open[draft / "vocabulary.yaml"] = "kinds: nothing\n"
    surveyed = survey(desk, draft)
    assert surveyed.law is None
    assert case_problems(desk, case, surveyed) == []
    assert [each.line for each in surveyed.problems[draft / "vocabulary.yaml"]] == [1]


def test_a_table_kind_that_the_program_does_not_compute_is_told_where_it_stands(draft: Path) -> None:
    desk, path = Desk(), draft / "vocabulary.yaml"
    desk.open[path] = DRAFT_VOCABULARY.replace("source: report", "source: table")
    (found,) = survey(desk, draft).problems[path]
    assert "does not compute the table kind 'drink_declined'" in found.message
    assert found.line == 2


def test_a_folder_that_went_away_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    surveyed = survey(Desk(), tmp_path / "gone")
    assert surveyed.law is None
    assert ["there is no folder" in each.message for found in surveyed.problems.values() for each in found] == [True]


def test_a_draft_is_told_what_it_breaks_in_the_shipped_law(overlaid: Path) -> None:
    desk = Desk()
    desk.open[overlaid / "vocabulary.yaml"] = DRINKS + (
        "  honour:\n    source: derived\n    means: Nothing.\n    say: nothing\n"
    )
    found = look(desk, {})
    broken = RULES / "00-definitions/honour.yaml"
    assert {each.message for each in found[broken]} == {"honour has no field 'rank'"}


# Answers about the shipped law


def at(path: Path, desk: Desk, word: str, offset: int = 1) -> tuple[Desk, Path, Position]:
    line, column = where(desk.text(path), word)
    return desk, path, Position(line, column + offset)


def hovered(*where_: Any) -> str:
    found = answers.hover(*where_)
    return found[0] if found else ""


def test_hovering_over_a_kind_tells_its_meaning_fields_source_and_clauses(desk: Desk) -> None:
    told = hovered(*at(CLAUSE, desk, "lead_choice"))
    assert "(choice: an option that someone took)" in told
    assert "`decision`: one of require, forbid, neither" in told
    assert "Offered by 50D2(a), 50D2(b)" in told
    assert "Read by " in told
    assert "Concluded by" in hovered(*at(CLAUSE, desk, "missed_choice"))


def test_hovering_over_a_kind_says_in_which_editions_a_number_that_is_gone_was_used(draft: Path) -> None:
    desk, clause = Desk(), draft / "99-drinks/A-no-thanks.yaml"
    desk.open[clause] = (
        DRAFT_CLAUSE.replace('"2017"', '"1997"') + '  - since: "2017"\n    number: 99C\n    rules: as before\n'
    )
    told = hovered(*at(clause, desk, "drink_owed"))
    assert "Concluded by 99C, 99A (1997, 2007)" in told


@pytest.mark.parametrize(
    ("word", "offset", "told"),
    [
        ("decision: require", 1, "**lead_choice.decision**: one of require, forbid, neither"),
        ("require, suit", 1, "`require`: requires"),
        ('"1997"', 2, "**1997** Laws of Duplicate Bridge 1997"),
        ('"59"', 2, "**59** Unable to lead or play as required\n\n- 1997, 2007, 2017: "),
        ("$leader", 1, ""),
        ("at_least", 1, ""),
    ],
)
def test_hovering_over_other_words(desk: Desk, word: str, offset: int, told: str) -> None:
    found = hovered(*at(CLAUSE, desk, word, offset))
    assert found.startswith(told)
    assert bool(found) is bool(told)


def test_a_number_that_several_clauses_have_had_is_told_edition_by_edition(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case.yaml"
    text = "table: {}\nexpect:\n  findings:\n    - honour: {}\n      clause: 16C\n"
    monkeypatch.setitem(desk.open, case, text)
    told = hovered(*at(case, desk, "16C"))
    assert "**16C** Extraneous information from other sources\n\n- 2007: " in told
    assert "**16C1** " in told
    assert told.count("- 2007: ") == 1, "in 2007 only one clause had the number"


def test_words_that_nobody_knows_are_not_explained(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = tmp_path / "case.yaml"
    text = (
        "edition: 'none'\ntable: {}\nreports:\n  - no_such_kind: {field: value}\n"
        "expect: {questions: [no.where], plays: {E: {may_not: {D6: 77Z}}}}\n"
    )
    monkeypatch.setitem(desk.open, case, text)
    for word in ("no_such_kind", "field", "value", "no.where", "77Z", "'none"):
        assert answers.word_at(*at(case, desk, word, 2)) is not None, word
        assert hovered(*at(case, desk, word, 2)) == ""


def test_a_clause_number_leads_to_its_file(desk: Desk) -> None:
    (found,) = answers.definition(*at(CLAUSE, desk, '"59"', 2))
    assert found.path == RULES / "59-inability/00-unable-to-comply.yaml"
    assert desk.text(found.path).splitlines()[found.span.start.line].strip() == 'number: "59"'
    (found,) = answers.definition(*at(CASE, desk, "50D2(a)", 2))
    assert found.path == CLAUSE


def test_a_number_means_the_clause_that_has_it_in_the_edition_of_the_version(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = RULES / "16-information/unsaved.yaml"
    assert desk.law(None) is not None
    found: dict[str, set[str]] = {}
    for edition in ("2007", "2017"):
        text = f'title: x\nversions:\n  - since: "{edition}"\n    number: 16A\n    see: [16C]\n'
        monkeypatch.setitem(desk.open, path, text)
        found[edition] = {each.path.name for each in answers.definition(*at(path, desk, "16C"))}
    assert found["2007"] == {"other-sources.yaml"}
    assert "withdrawn-1-innocent-side.yaml" in found["2017"]
    assert not found["2007"] & found["2017"]


def test_a_number_that_no_clause_has_leads_to_those_that_go_on_from_it(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case.yaml"
    monkeypatch.setitem(desk.open, case, "table: {}\nexpect: {plays: {E: {may_not: {D6: [52B1, 77]}}}}\n")
    names = {each.path.name for each in answers.definition(*at(case, desk, "52B1"))}
    assert names == {"B1a-may-accept.yaml", "B1b-must-accept.yaml", "B1c-penalty-card-stays.yaml"}
    assert answers.definition(*at(case, desk, "77")) == []


def test_a_question_in_a_case_leads_to_its_kind(desk: Desk) -> None:
    case = ROOT / "tests/cases/50-penalty-card/B-manner-is-asked.yaml"
    (found,) = answers.definition(*at(case, desk, "card_exposed.manner"))
    assert found.path == RULES / "vocabulary.yaml"
    assert "How did the card come to be exposed?" in hovered(*at(case, desk, "card_exposed.manner"))
    kind = answers.renamable(*at(case, desk, "card_exposed.manner"))
    assert kind is not None
    assert kind[0] == "card_exposed"
    assert kind[1].end.column - kind[1].start.column == len("card_exposed")


def words(desk: Desk, path: Path, spans: list[Span]) -> set[str]:
    lines = desk.text(path).splitlines()
    return {lines[span.start.line][span.start.column : span.end.column] for span in spans}


def test_renaming_a_kind_finds_every_place_where_it_is_named(desk: Desk) -> None:
    edits = answers.rename(*at(CLAUSE, desk, "lead_choice"), "choice_of_lead")
    assert sum(map(len, edits.values())) == sum(
        line.split("#")[0].replace("lead_choice_", "").count("lead_choice")
        for folder in (RULES, ROOT / "tests/cases")
        for path in folder.rglob("*.yaml")
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    for path, spans in edits.items():
        assert words(desk, path, spans) == {"lead_choice"}, path
    assert {RULES / "vocabulary.yaml", CLAUSE, CASE} <= set(edits)


def test_a_draft_is_sound_after_a_renaming(draft: Path) -> None:
    case = draft.parent / "cases/one.yaml"
    case.parent.mkdir()
    case.write_text(DRAFT_CASE + "  never:\n    - 'drink_owed': {to: E}\n", encoding="utf-8")
    desk = Desk(draft, [draft.parent])
    for old, new in (("drink_owed", "drink_due"), ("drink_declined", "no_thanks"), ("nothing_owed", "nothing_due")):
        for path, spans in answers.rename(*at(draft / "vocabulary.yaml", desk, f"{old}:"), new).items():
            lines = desk.text(path).split("\n")
            for span in sorted(spans, reverse=True):
                line = lines[span.start.line]
                lines[span.start.line] = line[: span.start.column] + new + line[span.end.column :]
            path.write_text("\n".join(lines), encoding="utf-8")
            assert old not in path.read_text(encoding="utf-8")
        surveyed = survey(desk, draft)
        assert surveyed.problems == {}
        assert case_problems(desk, case, surveyed) == []


@pytest.mark.parametrize(
    ("word", "new", "message"),
    [
        ("drink_declined", "nothing_owed", "there is a kind 'nothing_owed' already"),
        ("drink_declined", "Nein", "'Nein' is no name for a kind"),
        ("player: {seat", "seat_of", "the program itself speaks of player"),
        ("title", "name", "here stands no kind"),
    ],
)
def test_what_cannot_be_renamed(draft: Path, word: str, new: str, message: str) -> None:
    desk, clause = Desk(), draft / "99-drinks/A-no-thanks.yaml"
    with pytest.raises(UsageError, match=message):
        answers.rename(*at(clause, desk, word), new)


def test_a_draft_does_not_rename_a_kind_of_the_shipped_law(overlaid: Path) -> None:
    desk, clause = Desk(), overlaid / "99-drinks/A-no-thanks.yaml"
    desk.open[clause] = DRAFT_CLAUSE.replace("holds: {player: $seat, card: D7}", "card_exposed: {player: $seat}")
    with pytest.raises(UsageError, match="a kind of the shipped law"):
        answers.rename(*at(clause, desk, "card_exposed"), "card_shown")
    assert answers.rename(*at(clause, desk, "drink_declined"), "no_thanks").keys() == {
        clause,
        overlaid / "vocabulary.yaml",
    }


def test_nothing_is_renamed_while_a_file_that_may_name_it_cannot_be_read(draft: Path) -> None:
    desk = Desk(draft, [draft.parent])
    asked = at(draft / "99-drinks/A-no-thanks.yaml", desk, "drink_declined")
    case = draft.parent / "case.yaml"
    case.write_text(DRAFT_CASE + "  : [", encoding="utf-8")
    with pytest.raises(UsageError, match=r"case\.yaml cannot be read"):
        answers.rename(*asked, "no_thanks")
    assert len(answers.references(*asked)) == 3
    case.unlink()
    desk.survey(draft)
    desk.open[draft / "99-drinks/B.yaml"] = "title: ["
    with pytest.raises(UsageError, match=r"B\.yaml cannot be read"):
        answers.rename(*asked, "no_thanks")


# Completion


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, Path]:
    """A desk that has read the draft once: what is offered does not depend on the text being sound."""
    folder = written(tmp_path_factory.mktemp("drafted") / "my-draft")
    desk = Desk()
    assert desk.survey(folder)[1] == []
    return desk, folder


def offered(drafted: tuple[Desk, Path], text: str, name: str = "99-drinks/A-no-thanks.yaml") -> dict[str, str]:
    """What is offered at the bar in a file of the draft: each label with what it would write."""
    desk, path = drafted[0], drafted[1] / name
    plain, position = cursor(text)
    desk.open[path] = plain
    found = answers.complete(desk, path, position)
    del desk.open[path]
    return {each.label: each.text for each in found[0]} if found else {}


HEAD = "title: x\nversions:\n  - since: '2017'\n    number: 99A\n    rules:\n      - name: a rule\n        when:\n"


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        (HEAD + "          - |", {"drink_declined": "drink_declined: ", "holds": "holds: "}, {"$player", "player_x"}),
        (HEAD + "          - dri|: {player: E}", {"drink_declined": "drink_declined"}, set()),
        (HEAD + "          - drink_declined: {|", {"player": "player: ", "reason": "reason: "}, {"holds"}),
        (HEAD + "          - drink_declined: {player: E, |}", {"reason": "reason: "}, {"player"}),
        (HEAD + "          - drink_declined:\n              |", {"player": "player: "}, {"holds"}),
        (HEAD + "          - drink_declined: {reason: |", {"driving": "driving", "early": "early"}, {"player"}),
        (HEAD + "          - holds: {card: {|", {"is": "is: ", "suit": "suit: "}, {"above"}),
        (HEAD + "          - holds: {card: {rank: {|", {"above": "above: "}, {"suit"}),
        (HEAD + "          - holds: {card: {rank: {above: |", {"T": "T", "A": "A"}, {"D8"}),
        (HEAD + "          - holds: {card: |", {"D8": "D8", "SA": "SA"}, {"T"}),
        (
            HEAD + "          - holds: {player: $holder, card: $card}\n          - drink_declined: {player: $|}\n"
            "      - name: another\n        when:\n          - holds: {player: $other}\n",
            {"$holder": "$holder", "$card": "$card", "N": "N"},
            {"$other", "$"},
        ),
        (HEAD.replace("when", "then") + "          - |", {"nothing_owed": "nothing_owed: "}, {"drink_declined"}),
        (HEAD.replace("when", "ask") + "          - |", {"drink_declined": "drink_declined: "}, {"nothing_owed"}),
        ("title: x\nversions:\n  - since: |", {"2017": '"2017"'}, set()),
        ("title: x\nversions:\n  - since: '|'", {"2017": "2017"}, set()),
        ("title: x\nversions:\n  - see: ['|']", {"99A": "99A"}, set()),
        ("title: |", {}, {"holds"}),
        ("title: x\nversions:\n  - number: |", {}, {"99A"}),
        (HEAD + "          - no_such_kind: {|", {}, {"player"}),
        (HEAD + "          - no_such_kind: {field: |", {}, {"N"}),
    ],
)
def test_what_is_offered_in_a_clause(
    drafted: tuple[Desk, Path], text: str, some: dict[str, str], none: set[str]
) -> None:
    found = offered(drafted, text)
    assert some.items() <= found.items()
    assert not none & found.keys()
    assert bool(found) is bool(some)


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("kinds:\n  x:\n    contradicts: [|", {"nothing_owed": "nothing_owed"}, {"drink_declined"}),
        ("kinds:\n  x:\n    during: |", {"holds": "holds"}, {"nothing_owed"}),
        ("kinds:\n  drink_declined:\n    about: [|", {"reason": "reason"}, set()),
        ("kinds:\n  |", {}, {"holds"}),
    ],
)
def test_what_is_offered_in_the_vocabulary(
    drafted: tuple[Desk, Path], text: str, some: dict[str, str], none: set[str]
) -> None:
    found = offered(drafted, text, "vocabulary.yaml")
    assert some.items() <= found.items()
    assert not none & found.keys()


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("reports:\n  - |", {"card_exposed": "card_exposed: "}, {"lead_choice", "holds"}),
        ("choices:\n  - |", {"lead_choice": "lead_choice: "}, {"card_exposed"}),
        ("expect:\n  questions: [|", {"card_exposed.manner": "card_exposed.manner"}, {"holds.card"}),
        ("expect:\n  editions: [|", {"2007": '"2007"'}, set()),
        ("expect:\n  findings:\n    - honour: {}\n      clause: |", {"50B": "50B"}, {"2007"}),
        ("reports:\n  - card_exposed: {manner: |", {"dropped": "dropped"}, {"$card"}),
    ],
)
def test_what_is_offered_in_a_case(desk: Desk, tmp_path: Path, text: str, some: dict[str, str], none: set[str]) -> None:
    found = offered_in_a_case(desk, tmp_path, text)
    assert some.items() <= found.items()
    assert not none & found.keys()


def offered_in_a_case(desk: Desk, folder: Path, text: str) -> dict[str, str]:
    plain, position = cursor("title: x\ntable: {}\n" + text)
    path = folder / "case.yaml"
    desk.open[path] = plain
    found = answers.complete(desk, path, position)
    del desk.open[path]
    return {each.label: each.text for each in found[0]} if found else {}


def test_a_regulation_is_offered_its_values(desk: Desk, tmp_path: Path) -> None:
    law = desk.law(None)
    assert law is not None
    regulation = next(law.vocabulary.of_source("regulation"))
    first = next(iter(regulation.fields.values()))
    found = offered_in_a_case(desk, tmp_path, f"regulations:\n  {regulation.name}: |")
    assert len(found) == len(first.type.domain)


def test_the_variable_with_the_name_of_the_field_comes_first(drafted: tuple[Desk, Path]) -> None:
    text = HEAD + "          - holds: {card: $card, player: $player}\n          - drink_declined: {player: |}"
    assert next(iter(offered(drafted, text))) == "$player"


# The settings that come with the folder


def test_the_editor_settings_map_each_file_to_a_schema_that_exists() -> None:
    settings = json.loads((ROOT / ".vscode/settings.json").read_text(encoding="utf-8"))
    mapped: dict[Path, str] = {}
    for schema, patterns in settings["yaml.schemas"].items():
        assert (ROOT / schema).is_file(), schema
        for pattern in patterns:
            found = list(ROOT.glob(pattern))
            assert found, pattern
            for path in found:
                assert path not in mapped, f"{path} has two schemas"
                mapped[path] = Path(schema).name
    for path in [*RULES.rglob("*.yaml"), *(ROOT / "tests/cases").rglob("*.yaml")]:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first.endswith(mapped[path]), path
    recommended = json.loads((ROOT / ".vscode/extensions.json").read_text(encoding="utf-8"))["recommendations"]
    assert recommended == ["redhat.vscode-yaml"]
