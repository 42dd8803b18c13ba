"""The workshop, the law book and the witnesses over HTTP: what is answered and refused, and that nothing is kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from bridgelaws.book import Lawbook
from bridgelaws.compare.diff import clause_changes
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.lawbook.sources import saved_state
from bridgelaws.solving.beforehand import found_beforehand
from bridgelaws.solving.replaying import essence, questions
from bridgelaws.solving.witnesses import in_effect
from bridgelaws.table.case import Case
from bridgelaws.web.app import create_app
from bridgelaws.web.drafting import Drafting
from bridgelaws.web.drawing import lines_json
from bridgelaws.web.limits import Limits
from bridgelaws.web.workbench import answer_to
from tests.asking import Client

ROOT = Path(__file__).parent.parent
HONOUR = "00-definitions/honour"
MAJOR = "50-penalty-card/B-major-or-minor"
TEXT = (ROOT / "rules" / f"{HONOUR}.yaml").read_text(encoding="utf-8")
WITHOUT_TEN = TEXT.replace("          - honour: {rank: T}\n", "")
MISSPELT = (ROOT / "rules" / f"{MAJOR}.yaml").read_text(encoding="utf-8").replace("manner:", "maner:", 1)
DROPPED_TEN = (ROOT / "examples" / "dropped-ten.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of the cases: to rule on all of them takes a while."""
    folder = tmp_path_factory.mktemp("cases")
    for law in ("50-penalty-card", "44-following-suit"):
        (folder / law).mkdir()
        for path in sorted((ROOT / "tests" / "cases" / law).glob("[BA]*.yaml")):
            shutil.copy(path, folder / law)
    return folder


@pytest.fixture(scope="module")
def client(cases: Path) -> Iterator[Client]:
    app = create_app(cases=cases)
    made = Client(app)
    yield made
    made.close()


@pytest.fixture(scope="module")
def drafting(cases: Path) -> Drafting:
    return Drafting(None, cases)


@pytest.fixture(scope="module")
def schemas(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def conforms(schemas: dict[str, Any], name: str, answer: object) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": schemas["components"]}
    Draft202012Validator(schema).validate(answer)


def problems(answer: httpx.Response) -> list[str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return [each["message"] for each in answer.json()["errors"]]


def test_the_text_of_a_clause_is_its_file(client: Client, schemas: dict[str, Any]) -> None:
    answer = client.get(f"/v1/texts/{HONOUR}")
    assert answer.json() == {"format": 1, "clause": HONOUR, "file": f"{HONOUR}.yaml", "text": TEXT}
    conforms(schemas, "clause_text", answer.json())
    again = client.get(f"/v1/texts/{HONOUR}", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "clause", ["../pyproject", "..%2f..%2fetc%2fpasswd", "editions", "vocabulary", "/etc/passwd", "00"]
)
def test_a_clause_that_is_not_known_never_becomes_a_path(client: Client, clause: str) -> None:
    assert client.get(f"/v1/texts/{clause}").status_code == 404
    answer = client.post("/v1/workshop/check", json={"clause": clause, "text": TEXT})
    assert answer.status_code == 404
    assert problems(answer) == [f"there is no clause '{clause}'"]


def test_the_nearest_clause_is_suggested(client: Client) -> None:
    answer = client.post("/v1/workshop/check", json={"clause": "00-definitions/honor", "text": TEXT})
    assert answer.json()["errors"][0]["hint"] == f"did you mean '{HONOUR}'?"


def test_the_law_as_it_is_has_no_problem(client: Client, schemas: dict[str, Any]) -> None:
    answer = client.post("/v1/workshop/check", json={"clause": HONOUR, "text": TEXT})
    assert answer.json() == {"format": 1, "sound": True, "diagnostics": []}
    conforms(schemas, "diagnostics", answer.json())


def test_a_misspelt_field_is_found_with_its_place(client: Client, schemas: dict[str, Any]) -> None:
    answer = client.post("/v1/workshop/check", json={"clause": MAJOR, "text": MISSPELT})
    conforms(schemas, "diagnostics", answer.json())
    assert not answer.json()["sound"]
    (found,) = answer.json()["diagnostics"]
    line = MISSPELT.split("\n")[found["line"] - 1]
    assert line[found["column"] - 1 :].startswith("maner:")
    assert (found["file"], found["hint"]) == (f"{MAJOR}.yaml", "did you mean 'manner'?")


def test_what_a_draft_cannot_take_away_is_warned_of(drafting: Drafting) -> None:
    text = TEXT.replace('since: "1997"', 'since: "2017"')
    (found,) = [each for each in drafting.check(HONOUR, text)["diagnostics"] if not each["code"]]
    assert (found["severity"], found["message"]) == (
        "warning",
        "the version since 1997 would still be there in a draft",
    )


def test_a_problem_that_arises_in_another_clause_is_told_with_its_file(drafting: Drafting) -> None:
    told = drafting.check(HONOUR, TEXT.replace("- honour: {rank: A}", "- major_penalty_card: {player: E, card: DA}"))
    assert told["sound"]
    cycle = TEXT.replace(
        "        then:",
        "        when:\n          - classed: {player: $p, card: {rank: $r}, class: minor}\n"
        "        unless:\n          - honour: {rank: $r}\n        then:",
        1,
    )
    found = drafting.check(HONOUR, cycle)
    assert not found["sound"]
    assert all(each["file"].endswith(".yaml") and not each["file"].startswith("/") for each in found["diagnostics"])


def test_fields_kinds_and_nothing_are_completed_where_they_may_stand(client: Client, schemas: dict[str, Any]) -> None:
    text = MISSPELT.replace("maner:", "manner:", 1)
    lines = text.split("\n")
    number = next(place for place, line in enumerate(lines) if "card_exposed: {player" in line)
    begin = lines[number].index("{player") + 1
    place = {"clause": MAJOR, "text": text, "line": number + 1}

    def labels(column: int) -> list[str]:
        answer = client.post("/v1/workshop/complete", json={**place, "column": column})
        conforms(schemas, "completions", answer.json())
        assert answer.json()["from"] <= column
        return [each["label"] for each in answer.json()["items"]]

    assert "manner" in labels(begin + 2)
    assert "card_exposed" in labels(lines[number].index("card_exposed") + 3)
    comment = client.post("/v1/workshop/complete", json={**place, "line": 1, "column": 4})
    assert comment.json()["items"] == []
    past_the_end = client.post("/v1/workshop/complete", json={**place, "line": 5000, "column": 1})
    assert past_the_end.json()["items"] == []


def test_the_rulings_that_a_draft_changes_are_told_before_and_after(client: Client, schemas: dict[str, Any]) -> None:
    body: dict[str, Any] = {"clause": HONOUR, "text": WITHOUT_TEN, "edition": "2017"}
    changed: list[dict[str, Any]] = []
    start: int | None = 0
    while start is not None:
        answer = client.post("/v1/workshop/try", json={**body, "from": start})
        conforms(schemas, "changes", answer.json())
        changed += answer.json()["changed"]
        assert answer.json()["next"] is None or answer.json()["next"] > start
        start = answer.json()["next"]
    found = {each["title"]: each for each in changed}
    ten = found["The ten counts as an honour, so dropped it is major"]
    assert any("major penalty card" in line for line in ten["before"])
    assert any("minor penalty card" in line for line in ten["after"])
    assert "The nine is no honour, so dropped it is minor" not in found
    assert str(ROOT) not in json.dumps(changed)


def test_a_draft_that_changes_nothing_changes_no_ruling(drafting: Drafting) -> None:
    told = drafting.attempt(HONOUR, TEXT, "2017")
    assert told["changed"] == [] and told["next"] is None and told["cases"] > 10


def test_ruling_goes_on_where_the_time_was_over(drafting: Drafting, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as at_once:
        at_once.setattr("bridgelaws.web.drafting._AT_ONCE", 10_000)
        whole = drafting.attempt(HONOUR, WITHOUT_TEN, "2017")
    parts: list[Any] = []
    start: int | None = 0
    while start is not None:
        told = drafting.attempt(HONOUR, WITHOUT_TEN, "2017", None, start, 0.0)
        parts += told["changed"]
        start = told["next"]
    assert parts == whole["changed"] and parts


@pytest.mark.parametrize("own", [DROPPED_TEN, {"table": {"contract": "4S by S", "hands": {"E": "DKT862"}}, "reports": [
    {"card_exposed": {"player": "E", "card": "DT", "manner": "dropped"}}]}], ids=["text", "map"])  # fmt: skip
def test_a_case_of_ones_own_is_ruled_on_before_and_after(client: Client, schemas: dict[str, Any], own: object) -> None:
    answer = client.post("/v1/workshop/try", json={"clause": HONOUR, "text": WITHOUT_TEN, "case": own})
    conforms(schemas, "changes", answer.json())
    told = answer.json()["own"]
    assert told["before"][0]["text"].startswith("♦T is a major penalty card")
    assert told["after"][0]["text"].startswith("♦T is a minor penalty card")
    assert answer.json()["changed"] == []


def test_a_draft_that_is_not_sound_and_a_case_that_is_wrong_are_told_apart(client: Client) -> None:
    unsound = client.post("/v1/workshop/try", json={"clause": MAJOR, "text": MISSPELT})
    assert (unsound.status_code, unsound.json()["errors"][0]["file"]) == (422, f"{MAJOR}.yaml")
    wrong = {"clause": HONOUR, "text": TEXT, "case": "table: {contract: 8S by S}\n"}
    answer = client.post("/v1/workshop/try", json=wrong)
    assert (answer.status_code, answer.json()["errors"][0]["file"]) == (422, "case")


def test_nothing_is_written(client: Client) -> None:
    before = saved_state(None)
    for name in ("check", "try"):
        client.post(f"/v1/workshop/{name}", json={"clause": HONOUR, "text": WITHOUT_TEN})
    assert saved_state(None) == before
    assert client.get(f"/v1/texts/{HONOUR}").json()["text"] == TEXT
    after = client.post("/v1/rulings", json={"table": {"contract": "4S by S", "hands": {"E": "DKT862"}}, "reports": [
        {"card_exposed": {"player": "E", "card": "DT", "manner": "dropped"}}]})  # fmt: skip
    assert after.json()["findings"][0]["kind"] == "major_penalty_card"


BILLION = "a: &a [x, x]\n" + "".join(f"{n}: &{n} [*{p}, *{p}]\n" for p, n in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    "text",
    [
        BILLION,
        "a: &x 1\nb: *x\n",
        "[" * 20_000,
        "{a: " * 5_000,
        "- " * 20_000,
        "!!python/object/apply:os.system ['true']",
        "a: 1\na: 2\n",
        "\x00",
        "\ud800",
        "",
        "# only words\n",
        "null",
        "[]",
        "title: x\nversions: 5\n",
        "title: x\nversions:\n" + '  - {since: "2017", number: "1", gist: x, rules: []}\n' * 500,
    ],
)
def test_a_hostile_text_is_a_problem_and_no_harm(drafting: Drafting, text: str) -> None:
    told = answer_to(drafting, {"do": "check", "clause": HONOUR, "text": text})
    assert told["status"] == 200 and not told["answer"]["sound"]
    assert told["answer"]["diagnostics"][0]["message"]
    tried = {"do": "try", "clause": HONOUR, "text": text, "edition": "2017", "case": None, "from": 0, "seconds": 5}
    assert answer_to(drafting, tried)["status"] == 422
    place = {"do": "complete", "clause": HONOUR, "text": text, "line": 1, "column": 1}
    assert answer_to(drafting, place)["status"] == 200


def test_a_mistake_of_ours_is_told_as_one_and_the_process_goes_on(
    drafting: Drafting, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(drafting, "check", lambda *_: 1 / 0)
    told = answer_to(drafting, {"do": "check", "clause": HONOUR, "text": TEXT})
    assert (told["status"], told["errors"][0]["message"]) == (500, "an error in bridgelaws itself")
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_ten_megabytes_are_refused_unread(client: Client) -> None:
    answer = client.post("/v1/workshop/check", json={"clause": HONOUR, "text": "x" * 10_000_000})
    assert answer.status_code == 413


def exploding() -> tuple[str, dict[str, Any]]:
    """A rule that matches in more ways than can ever be tried, and a case that it applies to."""
    others = "".join(f"          - holds: {{card: {{is: $c{n}, not: $c{n - 1}}}}}\n" for n in range(1, 9))
    last = "          - holds: {card: {is: $c8, not: $c0}, player: $d}\n"
    conditions = f"          - holds: {{card: $c0}}\n{others}{last}"
    text = TEXT.replace("        then:", f"        when:\n{conditions}        then:", 1)
    text = text.replace("honour: {rank: A}", "penalty_card: {player: $d, card: $c0, trick: 1}", 1)
    deal = "N:AKQ2.AKQ2.AKQ2.2 JT98.JT98.JT98.A 7654.7654.7654.K 3.3.3.QJT9876543"
    return text, {"table": {"contract": "4S by S", "deal": deal}}


def test_a_rule_that_would_take_for_ever_is_ended_and_others_are_answered_after_it() -> None:
    text, case = exploding()
    slow = Client(create_app(limits=Limits(seconds=1.5)))
    sound = slow.post("/v1/workshop/check", json={"clause": HONOUR, "text": TEXT})
    assert sound.status_code == 200
    answer = slow.post("/v1/workshop/try", json={"clause": HONOUR, "text": text, "case": case})
    assert answer.status_code == 503, answer.text
    assert "takes longer than" in problems(answer)[0]
    assert slow.post("/v1/workshop/check", json={"clause": HONOUR, "text": TEXT}).json() == sound.json()
    slow.close()


@pytest.mark.parametrize(
    ("name", "body", "status", "message"),
    [
        ("check", [], 400, "the body is not a map"),
        ("check", {"clause": HONOUR}, 400, "the body has no text 'text'"),
        ("check", {"text": TEXT}, 400, "the body has no text 'clause'"),
        ("check", {"clause": HONOUR, "text": 5}, 400, "the body has no text 'text'"),
        ("check", {"clause": HONOUR, "text": TEXT, "path": "/etc"}, 400, "there is no 'path' here"),
        ("complete", {"clause": HONOUR, "text": TEXT, "line": 0, "column": 1}, 400, "the body has no number 'line'"),
        (
            "complete",
            {"clause": HONOUR, "text": TEXT, "line": 1, "column": True},
            400,
            "the body has no number 'column'",
        ),
        ("try", {"clause": HONOUR, "text": TEXT, "edition": "2018"}, 404, "there is no edition '2018'"),
        ("try", {"clause": HONOUR, "text": TEXT, "edition": ["2017"]}, 404, "there is no edition '['2017']'"),
        ("try", {"clause": HONOUR, "text": TEXT, "case": 5}, 400, "'case' is not a case"),
        ("try", {"clause": HONOUR, "text": TEXT, "from": -1}, 400, "'from' is not the number of a case"),
    ],
)
def test_what_is_wrong_with_a_request_is_told(
    client: Client, schemas: dict[str, Any], name: str, body: object, status: int, message: str
) -> None:
    answer = client.post(f"/v1/workshop/{name}", json=body)
    assert (answer.status_code, problems(answer)) == (status, [message])
    conforms(schemas, "problem", answer.json())


def test_the_workshop_refuses_as_the_rest_of_the_api_does(client: Client) -> None:
    plain = client.post("/v1/workshop/check", content=b"{}", headers={"content-type": "text/plain"})
    assert plain.status_code == 415
    assert client.post("/v1/workshop/check?edition=2017", json={}).status_code == 400
    assert (
        client.post("/v1/workshop/check", content=b"{", headers={"content-type": "application/json"}).status_code == 400
    )
    assert client.get("/v1/workshop/check").status_code == 405
    assert 'route="/v1/workshop/check",status="415"' in client.get("/metrics").text


def test_a_draft_is_edited_where_it_lies_and_its_place_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "00-definitions").mkdir()
    (tmp_path / "00-definitions" / "honour.yaml").write_text(WITHOUT_TEN, encoding="utf-8")
    law = load_law(tmp_path)
    app = Client(create_app(law, shipped=load_law(), laws=tmp_path))
    assert app.get(f"/v1/texts/{HONOUR}").json()["text"] == WITHOUT_TEN
    told = app.post("/v1/workshop/check", json={"clause": HONOUR, "text": "x"})
    assert told.json()["diagnostics"][0]["file"] == f"{HONOUR}.yaml"
    assert str(tmp_path) not in told.text
    answer = app.post("/v1/workshop/try", json={"clause": HONOUR, "text": TEXT, "case": DROPPED_TEN})
    assert "minor" in answer.json()["own"]["before"][0]["text"] and "major" in answer.json()["own"]["after"][0]["text"]
    assert answer.json()["cases"] is None
    assert app.get("/v1/witnesses/2007/2017").json()["witnesses"] == []
    assert "without the draft" in app.get("/v1/witnesses/2007/2017").json()["note"]
    app.close()


def test_the_book_has_every_clause_with_its_number_in_each_edition(
    client: Client, schemas: dict[str, Any], law: Law
) -> None:
    told = client.get("/v1/book").json()
    conforms(schemas, "book", told)
    listed = {clause["id"]: clause for each in told["laws"] for clause in each["clauses"]}
    assert listed.keys() == {clause.id for clause in law.clauses}
    for name in law.editions:
        numbers = {each.clause.id: each.number for each in law.edition(name).provisions}
        found = {key: {one["edition"]: one["number"] for one in each["editions"]} for key, each in listed.items()}
        assert {key: each[name] for key, each in found.items() if name in each} == numbers


def test_an_entry_has_the_cases_and_what_refers_to_the_clause(client: Client, schemas: dict[str, Any]) -> None:
    told = client.get(f"/v1/book/{MAJOR}").json()
    conforms(schemas, "book_entry", told)
    assert HONOUR in [each["id"] for each in told["rests_on"]]
    assert told["used_by"]
    ten = next(each for each in told["cases"] if each["title"] == "The ten counts as an honour, so dropped it is major")
    assert ten["scene"]["marked"] == ["DT"]
    assert [each["editions"] for each in ten["rulings"]]
    assert client.get("/v1/book/no-such-clause").status_code == 404


def test_without_a_folder_there_are_no_cases() -> None:
    app = Client(create_app())
    assert app.get(f"/v1/book/{MAJOR}").json()["cases"] is None
    app.close()


PAIRS = list(combinations(load_law().editions, 2))


@pytest.mark.parametrize(("first", "second"), PAIRS, ids="-".join)
def test_every_witness_is_ruled_on_as_the_file_says(law: Law, first: str, second: str) -> None:
    found = found_beforehand(first, second)
    assert found is not None, "run python -m benchmarks.witnesses"
    books = Lawbook(law.edition(first)), Lawbook(law.edition(second))
    changes = clause_changes(books[0].law, books[1].law)
    assert sorted(found) == sorted(in_effect(changes)), "run python -m benchmarks.witnesses"
    tables = {clause: each for clause, each in found.items() if "case" in each}
    assert tables
    for clause, each in tables.items():
        case = Case.from_data(each["case"])
        before, after = (book.rule(case) for book in books)
        ruled = [lines_json(ruling, (before, after), advice=False) for ruling in (before, after)]
        assert ruled == [each["before"], each["after"]], f"{clause}: run python -m benchmarks.witnesses"
        assert (essence(before), questions(before)) != (essence(after), questions(after)), clause


@pytest.mark.parametrize(("first", "second"), PAIRS, ids="-".join)
def test_the_witnesses_are_served_with_their_tables(
    client: Client, schemas: dict[str, Any], first: str, second: str
) -> None:
    told = client.get(f"/v1/witnesses/{first}/{second}").json()
    conforms(schemas, "witnesses", told)
    assert told["note"] == "" and any("scene" in each for each in told["witnesses"])


def test_editions_that_nobody_looked_at_have_no_witnesses_and_say_so(client: Client) -> None:
    told = client.get("/v1/witnesses/2017/1997").json()
    assert told["witnesses"] == [] and "Nobody has looked" in told["note"]
    assert client.get("/v1/witnesses/2017/2018").status_code == 404


def test_three_editions_are_compared_at_once(client: Client, schemas: dict[str, Any]) -> None:
    told = client.get("/v1/diff/1997/2007/2017").json()
    conforms(schemas, "diff", told)
    assert told["editions"] == ["1997", "2007", "2017"]
    assert all(len(each["gists"]) == 3 for each in told["clauses"])


def test_the_document_describes_these_addresses_and_its_examples_are_true(schemas: dict[str, Any]) -> None:
    app = Client(create_app())
    for name in ("check", "complete", "try"):
        operation = schemas["paths"][f"/v1/workshop/{name}"]["post"]
        sent = operation["requestBody"]["content"]["application/json"]["examples"]["as-it-is"]["value"]
        shown = operation["responses"]["200"]["content"]["application/json"]["examples"]["as-it-is"]["value"]
        assert app.post(f"/v1/workshop/{name}", json=sent).json() == shown
    app.close()
