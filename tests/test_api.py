"""The HTTP API: each address answers as its command prints, and whatever is wrong comes back as a problem document."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from bridgelaws.book import Lawbook
from bridgelaws.casebook.differences import disappointments
from bridgelaws.casebook.expectations import read_expectations
from bridgelaws.errors import CaseError
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.located import read_file
from bridgelaws.table.case import Case
from bridgelaws.web.app import create_app
from bridgelaws.web.desk import Desk
from bridgelaws.web.limits import LIMITS, Limits
from bridgelaws.web.once import Once
from tests.asking import Client

ROOT = Path(__file__).parent.parent
EIGHT: dict[str, Any] = {
    "table": {"contract": "4S by S", "hands": {"E": "♦KT862"}},
    "reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": "dropped"}}],
}
TEN: dict[str, Any] = {**EIGHT, "reports": [{"card_exposed": {"player": "E", "card": "DT", "manner": "dropped"}}]}
UNSAID: dict[str, Any] = {**EIGHT, "reports": [{"card_exposed": {"player": "E", "card": "D8"}}]}
# Thousands of ways to answer what is left open.
ENDLESS: dict[str, Any] = {
    "table": {"contract": "4S by S"},
    "reports": [{"card_exposed": {"player": "EW"[n % 2], "card": f"D{n}"}} for n in range(2, 8)],
}
EDITIONS = ["1997", "2007", "2017"]
POSTED = ("/v1/rulings", "/v1/rulings/batch", "/v1/questions", "/v1/why-not?clause=50B")


def client_of(law: Law, limits: Limits = LIMITS, **options: Any) -> Client:
    return Client(create_app(law, limits=limits, **options))


@pytest.fixture(scope="module")
def client(law: Law) -> Iterator[Client]:
    with client_of(law) as client:
        yield client


def problem(response: httpx.Response, status: int) -> dict[str, Any]:
    """The problem document of a response, which must be one."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    shown: dict[str, Any] = response.json()
    assert shown.keys() == {"type", "title", "status", "detail", "format", "errors"}
    assert (shown["type"], shown["status"], shown["format"]) == ("about:blank", status, 1)
    assert shown["errors"] and all({"path", "message", "hint"} <= each.keys() for each in shown["errors"])
    assert shown["errors"][0]["message"] in shown["detail"]
    return shown


def sent(client: Client, content: bytes, path: str = "/v1/rulings", kind: str = "application/json") -> httpx.Response:
    return client.post(path, content=content, headers={"content-type": kind})


class TestRulings:
    def test_a_dropped_eight_is_a_minor_penalty_card(self, client: Client) -> None:
        shown = client.post("/v1/rulings", json=EIGHT)
        assert (shown.status_code, shown.headers["content-type"]) == (200, "application/json")
        ruling = shown.json()
        assert (ruling["format"], ruling["edition"], ruling["engine"], ruling["why"]) == (1, "2017", "compiled", [])
        assert ruling["findings"][0]["kind"] == "minor_penalty_card"
        assert ruling["plays"]["E"]["may"] == ["DK", "DT", "D8"]

    @pytest.mark.parametrize("path", sorted(ROOT.glob("tests/cases/*/*.yaml"))[::9], ids=lambda path: path.stem)
    def test_a_recorded_case_is_ruled_on_as_it_expects(
        self, client: Client, path: Path, law: Law, books: dict[str, Lawbook]
    ) -> None:
        document = read_file(path, CaseError)
        case = Case.from_document(document)
        for expectation in read_expectations(document, law):
            for edition in expectation.editions:
                ruling = books[edition].rule(case)
                assert not disappointments(expectation, ruling)
                shown = client.post("/v1/rulings", json=document.data, params={"edition": edition})
                assert (shown.status_code, shown.json()) == (200, ruling.to_json())

    @pytest.mark.parametrize("indent", [None, 2, "\t"])
    @pytest.mark.parametrize("escaped", [True, False])
    def test_json_may_be_laid_out_and_escaped_as_one_likes(
        self, client: Client, indent: int | str | None, escaped: bool
    ) -> None:
        text = json.dumps(EIGHT, indent=indent, ensure_ascii=escaped)
        assert sent(client, text.encode()).json() == client.post("/v1/rulings", json=EIGHT).json()

    def test_the_query_names_the_edition_or_else_the_case_does(self, client: Client) -> None:
        named = {**EIGHT, "edition": "1997"}
        assert client.post("/v1/rulings", json=named).json()["edition"] == "1997"
        assert client.post("/v1/rulings?edition=2007", json=named).json()["edition"] == "2007"

    def test_the_reasons_come_when_asked_for(self, client: Client, books: dict[str, Lawbook]) -> None:
        shown = client.post("/v1/rulings?why=true", json=EIGHT).json()
        assert shown["why"][0]["clause"] == "50B"
        assert shown == books["2017"].rule(Case.from_data(EIGHT), why=True).to_json()

    @pytest.mark.durable
    def test_the_other_engine_rules_the_same(self, client: Client) -> None:
        shown = [
            client.post("/v1/rulings", json=EIGHT, params={"engine": each}).json() for each in ("compiled", "durable")
        ]
        assert shown[1]["engine"] == "durable"
        assert {**shown[0], "engine": ""} == {**shown[1], "engine": ""}

    def test_an_option_and_an_answer_can_be_fed_back(self, client: Client) -> None:
        (group,) = client.post("/v1/rulings", json=TEN).json()["options"]
        taken = {**TEN, "choices": [group["options"][0]["choice"]]}
        assert client.post("/v1/rulings", json=taken).json()["options"] == []
        (question,) = client.post("/v1/rulings", json=UNSAID).json()["questions"]
        answered = {**UNSAID, "reports": [question["answers"]["dropped"]["report"]]}
        assert client.post("/v1/rulings", json=answered).json() == client.post("/v1/rulings", json=EIGHT).json()

    def test_a_ruling_is_not_stored_on_the_way(self, client: Client) -> None:
        headers = client.post("/v1/rulings", json=EIGHT).headers
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")


class TestBatch:
    def test_each_case_gets_a_record_in_its_place(self, client: Client, books: dict[str, Lawbook]) -> None:
        misspelt = {"reports": [{"card_exposed": {"maner": "dropped"}}]}
        shown = client.post("/v1/rulings/batch", json=[EIGHT, misspelt, {**TEN, "edition": "2007"}, 7]).json()
        assert shown["format"] == 1
        first, second, third, fourth = shown["records"]
        assert first == {"line": 1, "ruling": books["2017"].rule(Case.from_data(EIGHT)).to_json()}
        assert (second["line"], second["errors"][0]["hint"]) == (2, "did you mean 'manner'?")
        assert third == {"line": 3, "ruling": books["2007"].rule(Case.from_data(TEN)).to_json()}
        assert fourth["errors"][0]["message"] == "a case is a map"
        schema = json.loads((ROOT / "schemas/batch.schema.json").read_text(encoding="utf-8"))
        for record in shown["records"]:
            Draft202012Validator(schema).validate(record)

    def test_no_cases_no_records(self, client: Client) -> None:
        assert client.post("/v1/rulings/batch", json=[]).json() == {"format": 1, "records": []}

    def test_a_batch_is_a_list(self, client: Client) -> None:
        assert "list of cases" in problem(client.post("/v1/rulings/batch", json=EIGHT), 400)["detail"]

    def test_a_batch_has_so_many_cases(self, law: Law) -> None:
        client = client_of(law, Limits(batch=2))
        assert client.post("/v1/rulings/batch", json=[EIGHT] * 2).status_code == 200
        assert "more than 2 cases" in problem(client.post("/v1/rulings/batch", json=[EIGHT] * 3), 413)["detail"]


class TestQuestionsAndWhyNot:
    def test_the_questions_are_those_of_the_ruling(self, client: Client) -> None:
        shown = client.post("/v1/questions", json=UNSAID).json()
        ruling = client.post("/v1/rulings", json=UNSAID).json()
        assert shown == {key: ruling[key] for key in ("format", "edition", "engine", "questions")}
        assert [(each["kind"], each["field"]) for each in shown["questions"]] == [("card_exposed", "manner")]

    @pytest.mark.parametrize("clause", ["50D2(a)", "50c"])
    def test_why_a_clause_did_not_apply(self, client: Client, clause: str, books: dict[str, Lawbook]) -> None:
        shown = client.post("/v1/why-not", json=EIGHT, params={"clause": clause}).json()
        assert (shown["format"], shown["edition"], shown["clause"].lower()) == (1, "2017", clause.lower())
        missed = books["2017"].why_not(Case.from_data(EIGHT), clause)
        assert missed and shown["rules"] == [each.to_json() for each in missed]

    def test_why_not_needs_a_clause_that_is_there(self, client: Client) -> None:
        assert problem(client.post("/v1/why-not", json=EIGHT), 400)["errors"][0]["path"] == "clause"
        assert "did you mean '50" in problem(client.post("/v1/why-not?clause=50Z", json=EIGHT), 404)["detail"]


class TestTheLaw:
    def test_the_editions(self, client: Client) -> None:
        shown = client.get("/v1/editions").json()
        assert (shown["format"], shown["latest"]) == (1, "2017")
        assert [(each["name"], each["follows"]) for each in shown["editions"]] == [
            ("1997", None), ("2007", "1997"), ("2017", "2007")
        ]  # fmt: skip

    def test_the_vocabulary_has_every_kind_with_its_fields(self, client: Client, law: Law) -> None:
        kinds = {each["name"]: each for each in client.get("/v1/vocabulary").json()["kinds"]}
        assert list(kinds) == list(law.vocabulary.kinds)
        exposed = kinds["card_exposed"]
        assert exposed["source"] == "report"
        (manner,) = (each for each in exposed["fields"] if each["name"] == "manner")
        assert manner["type"] == "one_of" and "dropped" in manner["values"] and manner["ask"]

    def test_the_clauses_of_all_editions_or_of_one(self, client: Client, law: Law) -> None:
        everything = client.get("/v1/clauses").json()["clauses"]
        assert [each["id"] for each in everything] == [each.id for each in law.clauses]
        of_1997 = client.get("/v1/clauses?edition=1997").json()["clauses"]
        numbers = [version["number"] for each in of_1997 for version in each["versions"]]
        assert numbers == [each.number for each in law.edition("1997").provisions]

    @pytest.mark.parametrize("address", ["50D2(a)", "50D2%28a%29", "50d2(A)", "50-penalty-card/D2a-require-or-forbid"])
    def test_a_clause_by_its_number_or_its_file(self, client: Client, address: str) -> None:
        (clause,) = client.get(f"/v1/clauses/{address}").json()["clauses"]
        assert clause["id"] == "50-penalty-card/D2a-require-or-forbid"
        assert clause["versions"][0]["since"] == "1997"
        assert all(rule["sentence"] for version in clause["versions"] for rule in version["rules"])

    def test_a_clause_of_one_edition(self, client: Client) -> None:
        (clause,) = client.get("/v1/clauses/50D2(a)?edition=2017").json()["clauses"]
        assert len(clause["versions"]) == 1

    def test_a_comparison_of_editions(self, client: Client) -> None:
        shown = client.get("/v1/diff/2007/2017").json()
        assert (shown["format"], shown["editions"]) == (1, ["2007", "2017"])
        schema = json.loads((ROOT / "schemas/diff.schema.json").read_text(encoding="utf-8"))
        Draft202012Validator(schema).validate(shown)
        assert ["16D2", "16C2"] in [each["numbers"] for each in shown["clauses"]], "withdrawn plays were renumbered"

    def test_an_edition_is_not_compared_with_itself(self, client: Client) -> None:
        assert "named twice" in problem(client.get("/v1/diff/2017/2017"), 400)["detail"]

    @pytest.mark.parametrize(
        "address",
        ["/v1/clauses?edition=2018", "/v1/clauses/50B?edition=2018", "/v1/diff/2018/2017", "/v1/diff/2017/2018"],
    )
    def test_an_edition_that_is_not_there(self, client: Client, address: str) -> None:
        assert "there is no edition '2018'; did you mean '2017'?" in problem(client.get(address), 404)["detail"]

    def test_a_clause_that_is_not_there(self, client: Client) -> None:
        assert "no edition has a clause '50Z'" in problem(client.get("/v1/clauses/50Z"), 404)["detail"]
        assert "did you mean '50" in problem(client.get("/v1/clauses/50Z?edition=1997"), 404)["detail"]

    def test_a_draft_is_laid_over_the_law(self, law: Law, tmp_path: Path) -> None:
        folder = tmp_path / "00-definitions"
        folder.mkdir()
        (folder / "honour.yaml").write_text(
            'title: Honour\nversions:\n  - since: "2017"\n    number: Definition of honour\n    gist: Ace to jack.\n'
            "    rules:\n      - name: honours\n        then: [{honour: {rank: A}}]\n",
            encoding="utf-8",
        )
        drafted = client_of(load_law(tmp_path), shipped=law)
        assert drafted.post("/v1/rulings", json=TEN).json()["findings"][0]["kind"] == "minor_penalty_card"
        shown = drafted.get("/v1/diff/2017/2017").json()
        assert shown["editions"] == ["2017", "2017 as drafted"]
        assert [each["id"] for each in shown["clauses"]] == ["00-definitions/honour"]


GOT = ("/v1/editions", "/v1/vocabulary", "/v1/clauses", "/v1/clauses/50B", "/v1/diff/2007/2017", "/openapi.json")


class TestTags:
    @pytest.mark.parametrize("address", GOT)
    def test_what_a_client_has_is_not_sent_again(self, client: Client, address: str) -> None:
        first = client.get(address)
        tag = first.headers["etag"]
        assert tag.startswith('"') and tag.endswith('"')
        for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            again = client.get(address, headers={"if-none-match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        other = client.get(address, headers={"if-none-match": '"other"'})
        assert (other.status_code, other.content) == (200, first.content)

    def test_a_tag_stands_for_the_content(self, client: Client, law: Law) -> None:
        tags = {address: client.get(address).headers["etag"] for address in GOT}
        assert len(set(tags.values())) == len(GOT)
        restarted = client_of(law)
        assert {address: restarted.get(address).headers["etag"] for address in GOT} == tags

    def test_a_head_has_no_body(self, client: Client) -> None:
        head = client.head("/v1/editions")
        assert (head.status_code, head.headers["etag"]) == (200, client.get("/v1/editions").headers["etag"])


class TestRefusals:
    @pytest.mark.parametrize("path", POSTED)
    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"", "empty"),
            (b"  \n", "empty"),
            (b"{", "this is not JSON"),
            (b'{"table": }', "this is not JSON"),
            (b"table: {}", "this is not JSON"),
            (b"\xff\xfe{}", "not UTF-8"),
            (b'{"title": NaN}', "NaN"),
            (b'{"title": "a", "title": "b"}', "stands twice"),
            (b"[" * 60_000, "deep"),
            (b"[" * 60 + b"]" * 60, "deep"),
        ],
    )
    def test_a_body_that_cannot_be_read(self, client: Client, path: str, content: bytes, told: str) -> None:
        assert told in problem(sent(client, content, path), 400)["detail"]

    @pytest.mark.parametrize("path", ["/v1/rulings", "/v1/questions", "/v1/why-not?clause=50B"])
    def test_a_case_at_fault_is_told_as_the_command_tells_it(self, client: Client, path: str) -> None:
        case = {"table": {"contract": "8S by S", "on_lead": "Q"}}
        shown = problem(sent(client, json.dumps(case).encode(), path), 422)
        with pytest.raises(CaseError) as raised:
            Case.from_data(case, "")
        assert shown["errors"] == [each.to_json() for each in raised.value.diagnostics]
        assert [each["path"] for each in shown["errors"]] == ["table.contract", "table.on_lead"]

    def test_an_edition_of_the_case_that_is_not_there_is_a_fault_of_the_case(self, client: Client) -> None:
        shown = problem(client.post("/v1/rulings", json={**EIGHT, "edition": "2018"}), 422)
        assert (shown["errors"][0]["path"], shown["errors"][0]["hint"]) == ("edition", "did you mean '2017'?")

    def test_of_very_many_errors_only_the_first_are_listed(self, client: Client) -> None:
        shown = problem(client.post("/v1/rulings", json={"table": {"hands": {"E": "S2 " * 20_000}}}), 422)
        assert len(shown["errors"]) == 100

    @pytest.mark.parametrize(
        ("query", "status", "told"),
        [
            ("edition=2018", 404, "did you mean '2017'?"),
            ("engine=durble", 400, "did you mean 'durable'?"),
            ("why=perhaps", 400, "not true or false"),
            ("editon=2017", 400, "did you mean 'edition'?"),
            ("edition=2017&edition=1997", 400, "twice"),
            ("edition", 400, "cannot be read"),
            ("edition=%ff", 400, "cannot be read"),
            ("&".join(["why=true"] * 50), 400, "cannot be read"),
        ],
    )
    def test_a_query_that_is_not_as_it_should_be(self, client: Client, query: str, status: int, told: str) -> None:
        assert told in problem(client.post(f"/v1/rulings?{query}", json=EIGHT), status)["detail"]

    @pytest.mark.parametrize(
        "kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonx", "a" * 900]
    )
    def test_a_body_that_is_not_said_to_be_json(self, client: Client, kind: str) -> None:
        assert problem(sent(client, json.dumps(EIGHT).encode(), kind=kind), 415)

    def test_a_body_in_another_encoding(self, client: Client) -> None:
        assert problem(sent(client, b"{}", kind="application/json; charset=latin-1"), 415)
        assert sent(client, json.dumps(EIGHT).encode(), kind='application/json; charset="UTF-8"').status_code == 200
        headers = {"content-type": "application/json", "content-encoding": "gzip"}
        assert problem(client.post("/v1/rulings", content=b"{}", headers=headers), 415)

    @pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
    def test_another_method(self, client: Client, method: str) -> None:
        response = client.request(method, "/v1/rulings")
        assert "use POST" in problem(response, 405)["detail"]
        assert response.headers["allow"] == "POST"
        assert problem(client.post("/v1/editions"), 405)

    @pytest.mark.parametrize(
        "address", ["/v2/rulings", "/v1/ruling", "/v1/rulings/", "/docs", "/redoc", "/v1/diff/1997", "/static/none.js"]
    )
    def test_an_address_that_is_not_there(self, client: Client, address: str) -> None:
        assert problem(client.get(address), 404)
        assert "did you mean '/v1/rulings'?" in problem(client.get("/v1/ruling"), 404)["detail"]

    def test_a_mistake_of_ours_is_a_problem_document_without_its_insides(
        self, law: Law, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def mistake(*_: object) -> bytes:
            raise ZeroDivisionError("secret")

        monkeypatch.setattr(Desk, "ruling", mistake)
        response = client_of(law).post("/v1/rulings", json=EIGHT)
        assert problem(response, 500)
        assert "secret" not in response.text and "secret" in caplog.text


class TestLimits:
    def test_a_body_that_is_too_large_is_not_read_to_its_end(self, law: Law) -> None:
        client = client_of(law, Limits(body=1000, batch_body=2000))
        large = b'{"note": "' + b"x" * 1500 + b'"}'
        assert "1,000 bytes" in problem(sent(client, large), 413)["detail"]
        assert sent(client, b"[" + large + b"]", "/v1/rulings/batch").status_code == 200
        taken = 0

        def endless() -> Iterator[bytes]:
            nonlocal taken
            for _ in range(1_000):
                taken += 1
                yield b"x" * 600

        status, taken_in = asyncio.run(streamed(create_app(law, limits=Limits(body=1000)), endless()))
        assert status == 413
        assert taken_in[0] == 2, "the body went on being read after the limit was passed"

    def test_a_body_that_does_not_come_in_time(self, law: Law) -> None:
        app = create_app(law, limits=Limits(body_seconds=0.01))

        async def never() -> int:
            status, _ = await streamed_slowly(app)
            return status

        assert asyncio.run(never()) == 408

    def test_too_many_requests_at_once_may_try_again(self, law: Law) -> None:
        response = client_of(law, Limits(requests=0)).post("/v1/rulings", json=EIGHT)
        assert problem(response, 503)
        assert response.headers["retry-after"] == "1"
        assert client_of(law, Limits(requests=1)).post("/v1/rulings", json=EIGHT).status_code == 200

    def test_too_many_bytes_at_once_may_try_again(self, law: Law) -> None:
        response = client_of(law, Limits(bodies=50)).post("/v1/rulings", json=EIGHT)
        assert problem(response, 503) and response.headers["retry-after"] == "1"

    def test_health_is_answered_when_nothing_else_is(self, law: Law) -> None:
        assert client_of(law, Limits(requests=0, waiting=0)).get("/health").status_code == 200

    def test_too_many_long_rulings_may_try_again(self, law: Law) -> None:
        response = client_of(law, Limits(waiting=0)).post("/v1/rulings", json=ENDLESS)
        assert problem(response, 503) and response.headers["retry-after"] == "1"

    @pytest.mark.parametrize("path", ["/v1/rulings", "/v1/questions", "/v1/why-not?clause=50B"])
    def test_a_ruling_that_takes_too_long_is_given_up(self, law: Law, path: str) -> None:
        with client_of(law, Limits(seconds=0.02)) as client:
            assert "longer than 0.02 seconds" in problem(client.post(path, json=ENDLESS), 503)["detail"]
            assert client.post(path, json=EIGHT).status_code == 200

    def test_a_batch_that_takes_too_long_is_given_up(self, law: Law) -> None:
        with client_of(law, Limits(seconds=0.02)) as client:
            assert problem(client.post("/v1/rulings/batch", json=[EIGHT, ENDLESS]), 503)

    def test_a_longer_ruling_in_a_thread_is_the_same(self, law: Law) -> None:
        case = {**UNSAID, "reports": [*UNSAID["reports"], {"card_exposed": {"player": "W", "card": "H9"}}]}
        with client_of(law, Limits(moment=0)) as threaded, client_of(law, Limits(moment=100_000)) as at_once:
            shown = [each.post("/v1/rulings", json=case).json() for each in (threaded, at_once)]
        assert shown[0] == shown[1] and shown[0]["questions"]

    def test_a_claim_is_searched_in_a_thread(self, law: Law) -> None:
        """Five cards in each hand take up to a second, in which nobody else would be answered."""
        claimed = {**EIGHT, "table": {**EIGHT["table"], "claim": "S"}}
        with client_of(law, Limits(waiting=0)) as client:
            assert client.post("/v1/rulings", json=EIGHT).status_code == 200
            assert problem(client.post("/v1/rulings", json=claimed), 503)
        with client_of(law) as client:
            assert client.post("/v1/rulings", json=claimed).json()["questions"]

    def test_the_reasons_of_a_ruling_are_given_up_too(self, law: Law) -> None:
        """After thousands of runs of the engine, to look for the clauses takes longer than they did."""

        def time_is_up() -> None:
            raise TimeoutError

        book, case = Lawbook(law.edition()), Case.from_data(EIGHT)
        assert book.watched(lambda: None, lambda: None).rule(case, why=True) == book.rule(case, why=True)
        with pytest.raises(TimeoutError):
            book.watched(lambda: None, time_is_up).rule(case)

    def test_health_is_answered_beside_a_long_ruling(self, law: Law) -> None:
        """Whichever comes first: the long ruling is still at work when health has been answered many times."""
        with client_of(law, Limits(seconds=60)) as client, ThreadPoolExecutor(1) as pool:
            long = pool.submit(client.post, "/v1/rulings", json=ENDLESS)
            answered = 0
            while not long.done():
                assert client.get("/health").status_code == 200
                answered += 1
            assert long.result().status_code == 200
        assert answered >= 10

    def test_what_follows_from_the_law_is_made_once_however_many_ask_and_takes_its_time(self, law: Law) -> None:
        made = []

        def make() -> bytes:
            made.append(1)
            time.sleep(0.1)
            return b"{}"

        async def asked_at_once(once: Once) -> list[bytes]:
            first = asyncio.ensure_future(once.kept("key", make))
            others = [asyncio.ensure_future(once.kept("key", make)) for _ in range(3)]
            await asyncio.sleep(0.01)
            first.cancel()
            return [*await asyncio.gather(*others), await once.kept("key", make)]

        desk = Desk(law, limits=Limits(seconds=0.001, waiting=0))
        assert asyncio.run(asked_at_once(Once(desk))) == [b"{}"] * 4 and len(made) == 1
        desk.close()

    def test_places_are_given_back(self, law: Law) -> None:
        with client_of(law, Limits(requests=1, bodies=1000, waiting=1, moment=0)) as client:
            for _ in range(3):
                assert client.post("/v1/rulings", json=EIGHT).status_code == 200
                assert problem(sent(client, b"{"), 400)
                assert problem(client.post("/v1/rulings", json={"tabel": {}}), 422)
            assert "bridgelaws_requests_now 0\n" in client.get("/metrics").text


async def streamed(app: Any, chunks: Iterator[bytes]) -> tuple[int, list[int]]:
    """Post a body in chunks, with no length announced: the status, and how many were taken before the answer began."""
    taken, began, statuses = 0, [], []

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 1
        chunk = next(chunks, b"")
        return {"type": "http.request", "body": chunk, "more_body": bool(chunk)}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])
            began.append(taken)

    await app(post_scope(), receive, send)
    return statuses[0], began


async def streamed_slowly(app: Any) -> tuple[int, bool]:
    """Begin a body and send no more of it until the answer is there."""
    statuses: list[int] = []
    begun = False

    async def receive() -> dict[str, Any]:
        nonlocal begun
        if begun:
            while not statuses:
                await asyncio.sleep(0.001)
            return {"type": "http.disconnect"}
        begun = True
        return {"type": "http.request", "body": b"{", "more_body": True}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(post_scope(), receive, send)
    return statuses[0], begun


def post_scope() -> dict[str, Any]:
    return {
        "type": "http", "method": "POST", "path": "/v1/rulings", "raw_path": b"/v1/rulings", "root_path": "",
        "scheme": "http", "http_version": "1.1", "query_string": b"", "client": ("127.0.0.1", 1), "server": ("x", 80),
        "headers": [(b"content-type", b"application/json")],
    }  # fmt: skip


class TestCors:
    def test_pages_of_other_origins_may_not_ask(self, client: Client) -> None:
        response = client.post("/v1/rulings", json=EIGHT, headers={"origin": "https://club.example"})
        assert "access-control-allow-origin" not in response.headers
        asked = {"origin": "https://club.example", "access-control-request-method": "POST"}
        assert problem(client.options("/v1/rulings", headers=asked), 405)

    def test_pages_of_an_origin_that_was_named_may(self, law: Law) -> None:
        client = client_of(law, cors=["https://club.example"])
        for response in (
            client.post("/v1/rulings", json=EIGHT, headers={"origin": "https://club.example"}),
            client.post("/v1/rulings", json={"tabel": 1}, headers={"origin": "https://club.example"}),
        ):
            assert response.headers["access-control-allow-origin"] == "https://club.example"
        asked = {
            "origin": "https://club.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type",
        }
        assert client.options("/v1/rulings", headers=asked).status_code == 200
        other = client.post("/v1/rulings", json=EIGHT, headers={"origin": "https://other.example"})
        assert "access-control-allow-origin" not in other.headers


class TestHealthAndMetrics:
    def test_health(self, client: Client) -> None:
        assert client.get("/health").json()["status"] == "ok"

    def test_requests_and_rulings_are_counted(self, law: Law) -> None:
        client = client_of(law)
        for edition in ("1997", "1997", "2007"):
            client.post(f"/v1/rulings?edition={edition}", json=EIGHT)
        client.post("/v1/rulings", json={"tabel": 1})
        client.post("/v1/rulings/batch", json=[EIGHT, TEN])
        client.get("/v1/clauses/50B")
        shown = client.get("/metrics")
        assert shown.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = shown.text.splitlines()
        for line in (
            'bridgelaws_requests_total{route="/v1/rulings",status="200"} 3',
            'bridgelaws_requests_total{route="/v1/rulings",status="422"} 1',
            'bridgelaws_requests_total{route="/v1/clauses/{clause}",status="200"} 1',
            'bridgelaws_request_seconds_bucket{route="/v1/rulings",le="+Inf"} 4',
            'bridgelaws_request_seconds_count{route="/v1/rulings"} 4',
            'bridgelaws_rulings_total{edition="1997"} 2',
            'bridgelaws_rulings_total{edition="2007"} 1',
            'bridgelaws_rulings_total{edition="2017"} 2',
        ):
            assert line in lines

    def test_no_request_can_make_a_new_label(self, law: Law) -> None:
        client = client_of(law)
        for number in range(5):
            client.get(f"/nowhere/{number}")
            client.get(f"/v1/clauses/{number}X")
            client.request(f"ODD{number}", "/v1/rulings")
            client.post(f"/v1/rulings?edition=x{number}", json={})
        labels = {
            line.rpartition("} ")[0] for line in client.get("/metrics").text.splitlines() if "requests_total{" in line
        }
        assert {each.partition("{")[2] for each in labels} == {
            'route="other",status="404"',
            'route="/v1/clauses/{clause}",status="404"',
            'route="/v1/rulings",status="405"',
            'route="/v1/rulings",status="404"',
        }
