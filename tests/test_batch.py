"""Batches: a record for every line, the same bytes however they were made, and nothing lost when a run is stopped."""

from __future__ import annotations

import gzip
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bridgelaws import Case, Lawbook, cli
from bridgelaws.batch import crew, desk, lines, output, packing
from bridgelaws.batch.inventing import random_cases
from bridgelaws.batch.job import Job, Unfit, law_digest
from bridgelaws.batch.lines import Archive, Chunk, cut, opened
from bridgelaws.batch.output import OutputFile, State
from bridgelaws.batch.running import Plan, Run
from bridgelaws.errors import EngineError, UsageError
from bridgelaws.lawbook.law import Law
from bridgelaws.ruling.text import ruling_lines

ROOT = Path(__file__).parent.parent
CHUNK = 5
CASES = 60
DROPPED = {
    "table": {"contract": "4S by S", "hands": {"E": "♦KT862"}},
    "reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": "dropped"}}],
}
NOT_OFFERED = {"treat_choice": {"player": "E", "card": "D8", "decision": "treat"}}
TEN_IS_SMALL = """title: Honour
versions:
  - since: "2017"
    number: Definition of honour
    gist: The ace, king, queen and jack are honours; every other card is a small card.
    rules:
      - name: the four honours
        then: [{honour: {rank: A}}, {honour: {rank: K}}, {honour: {rank: Q}}, {honour: {rank: J}}]
"""


def line(case: Any) -> bytes:
    return json.dumps(case, ensure_ascii=False).encode() + b"\n"


def records(data: bytes | Path) -> list[dict[str, Any]]:
    raw = data.read_bytes() if isinstance(data, Path) else data
    return [json.loads(each) for each in raw.splitlines()]


@pytest.fixture(scope="module")
def cases(law: Law) -> list[dict[str, Any]]:
    return list(random_cases(CASES, 6, law))


@pytest.fixture(scope="module")
def archive(cases: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty cases, and among them a line at fault and a blank one."""
    path = tmp_path_factory.mktemp("archive") / "cases.jsonl"
    middle = CASES // 2
    path.write_bytes(b"".join([*map(line, cases[:middle]), b"{oops\n", b"\n", *map(line, cases[middle:])]))
    return path


@pytest.fixture(scope="module")
def whole(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What an uninterrupted run in one process writes."""
    out = tmp_path_factory.mktemp("whole") / "out.jsonl"
    Run(Plan(str(archive), out, chunk=CHUNK)).go()
    return out.read_bytes()


def ruled(tmp_path: Path, data: bytes, **asked: Any) -> list[dict[str, Any]]:
    """The records for an archive that holds this."""
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_bytes(data)
    Run(Plan(str(file), out, **asked)).go()
    return records(out)


# What comes out


def test_every_line_has_its_ruling_in_the_order_of_the_archive(
    whole: bytes, cases: list[dict[str, Any]], books: dict[str, Lawbook]
) -> None:
    found = records(whole)
    numbers = [*range(1, CASES // 2 + 2), *range(CASES // 2 + 3, CASES + 3)]
    assert [each["line"] for each in found] == numbers
    expected = [books["2017"].rule(Case.from_data(case)).to_json() for case in cases]
    assert [each["ruling"] for each in found if "ruling" in each] == expected


def test_every_record_is_what_the_schema_describes(whole: bytes, archive: Path, tmp_path: Path) -> None:
    schema = json.loads((ROOT / "schemas/batch.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    study = tmp_path / "study"
    Run(Plan(str(archive), study, "1997", "2017")).go()
    found = [*records(whole), *records(study)]
    assert any("errors" in each for each in found) and any("before" in each for each in found)
    assert [error.message for each in found for error in validator.iter_errors(each)] == []
    assert not validator.is_valid({**found[0], "more": 1})
    assert not validator.is_valid({"line": 1})


BAD = {
    "no JSON": (b'{"table": ', "this is not JSON"),
    "not a map": (b"[1, 2]", "a case is a map"),
    "unknown kind": (line({"reports": [{"card_exposd": {}}]}), "there is no report 'card_exposd'"),
    "impossible table": (line({"table": {"hands": {"N": "SA", "E": "SA"}}}), "is in East's hand and in North's"),
    "unknown edition": (line({**DROPPED, "edition": "2018"}), "there is no edition '2018'"),
    "choice not offered": (line({**DROPPED, "choices": [NOT_OFFERED]}), "does not offer"),
    "not UTF-8": (b'{"title": "\xff\xfe"}', "the text is not UTF-8"),
    "half a character": (b'{"title": "\\ud800"}', "invalid Unicode character"),
    "binary": (bytes(range(10)) + bytes(range(11, 256)), "not UTF-8"),
    "too deep": (b"[" * 50_000, "nested deeper"),
    "too long": (b'{"title": "' + b"x" * 3 * lines.MAX_LINE + b'"}', "longer than 100000 bytes"),
    "key twice": (b'{"title": "a", "title": "b"}', "stands twice"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_line_at_fault_becomes_an_error_with_its_number_and_the_next_is_ruled_on(bad: str, tmp_path: Path) -> None:
    raw, message = BAD[bad]
    found = ruled(tmp_path, line(DROPPED) + raw.removesuffix(b"\n") + b"\n" + line(DROPPED))
    assert [each["line"] for each in found] == [1, 2, 3]
    assert found[0]["ruling"] == found[2]["ruling"]
    (problem,) = found[1]["errors"]
    assert message in problem["message"]
    assert (problem["file"], problem["line"]) == ("in.jsonl", 2)


def test_a_mistake_of_ours_on_one_case_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Lawbook.rule

    def fails_on_the_second(self: Lawbook, case: Case) -> Any:
        return rule(self, case) if case.title != "second" else 1 // 0

    monkeypatch.setattr(Lawbook, "rule", fails_on_the_second)
    found = ruled(tmp_path, line(DROPPED) + line({**DROPPED, "title": "second"}) + line(DROPPED))
    assert ["ruling" in each for each in found] == [True, False, True]
    assert "bridgelaws itself: ZeroDivisionError" in found[1]["errors"][0]["message"]


@pytest.mark.parametrize(
    ("data", "numbers"),
    [
        (b"", []),
        (b"\n \n", []),
        (line(DROPPED)[:-1], [1]),
        (b"\xef\xbb\xbf" + line(DROPPED) + b"\r\n" + line(DROPPED)[:-1] + b"\r\n", [1, 3]),
        ((line(DROPPED)[:-1] + b"  \n") * 2, [1, 2]),
    ],
    ids=["empty", "blank", "no final newline", "as Windows writes it", "spaces at the end"],
)
def test_an_archive_may_be_laid_out_as_it_likes(data: bytes, numbers: list[int], tmp_path: Path) -> None:
    found = ruled(tmp_path, data)
    assert [each["line"] for each in found if "ruling" in each] == numbers
    assert len(found) == len(numbers)


def test_a_case_is_ruled_under_the_edition_asked_for_or_else_its_own(tmp_path: Path) -> None:
    data = line(DROPPED) + line({**DROPPED, "edition": "1997"})
    assert [each["ruling"]["edition"] for each in ruled(tmp_path, data)] == ["2017", "1997"]
    (tmp_path / "out.jsonl").unlink()
    assert [each["ruling"]["edition"] for each in ruled(tmp_path, data, edition="2007")] == ["2007", "2007"]


# However it was made


@pytest.mark.parametrize("workers", [2, 3])
def test_the_output_is_the_same_for_any_number_of_workers(
    workers: int, whole: bytes, archive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    state = Run(Plan(str(archive), out, workers=workers, chunk=CHUNK)).go()
    assert out.read_bytes() == whole
    assert (state.tally.cases, state.tally.errors) == (CASES + 1, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_worker_that_dies_costs_nothing_but_time(
    whole: bytes, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[Chunk] = []
    hand_out = crew._Crew._hand_out

    def kill_one_that_has_work(self: crew._Crew) -> None:
        pipe = self._idle[-1] if self._idle and not killed else None
        if pipe:
            os.kill(self._processes[pipe].pid or 0, signal.SIGSTOP)
        hand_out(self)
        if pipe and (chunk := self._in_hand[pipe]):
            os.kill(self._processes[pipe].pid or 0, signal.SIGKILL)
            killed.append(chunk)

    monkeypatch.setattr(crew._Crew, "_hand_out", kill_one_that_has_work)
    out = tmp_path / "out"
    Run(Plan(str(archive), out, workers=2, chunk=CHUNK)).go()
    assert killed
    assert out.read_bytes() == whole
    assert multiprocessing.active_children() == []


def test_only_so_much_is_read_ahead_of_what_is_written(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With threads for workers: they are started faster."""
    monkeypatch.setattr(crew._Crew, "_start", _start_thread)
    taken: list[int] = []

    def counted(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        for chunk in chunks:
            taken.append(chunk.number)
            yield chunk

    job = Job("cases.jsonl", law_digest(None))
    with opened(str(archive)) as source:
        results = crew.ruled_by_workers(job, counted(cut(source, 1)), 2)
        first = next(results)
        assert first.mark.chunks == 1
        assert len(taken) <= 2 * crew.AHEAD + 1 < CASES
        results.close()


class _Thread(Thread):
    def terminate(self) -> None:
        """It ends when its pipe is closed."""

    def join(self, timeout: float | None = 0) -> None:
        super().join(timeout)


def _start_thread(self: crew._Crew) -> None:
    mine, theirs = multiprocessing.Pipe()
    self._processes[mine] = _Thread(target=crew._work, args=(theirs, self._job), daemon=True)  # type: ignore[assignment]
    self._in_hand[mine] = None
    self._processes[mine].start()


def test_what_kills_every_worker_stops_the_batch_and_says_where(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_work", os._exit)
    with opened(str(archive)) as source, pytest.raises(EngineError, match="3 workers died before"):
        list(crew.ruled_by_workers(Job("cases.jsonl", law_digest(None)), cut(source, CHUNK), 2))


def test_a_chunk_that_is_read_in_place_has_the_same_lines(archive: Path) -> None:
    with opened(str(archive)) as source:
        chunks = list(cut(source, CHUNK))
    assert len(chunks) > 10
    for chunk in chunks:
        assert list(replace(chunk, data=None).numbered(archive)) == list(chunk.numbered(None))


def test_a_worker_with_another_law_or_program_does_not_rule() -> None:
    job = Job("cases.jsonl", law_digest(None))
    desk.Desk(job)
    with pytest.raises(Unfit, match="files of the law"):
        desk.Desk(replace(job, law="another"))
    with pytest.raises(Unfit, match="bridgelaws 0"):
        desk.Desk(replace(job, program="0.0.0"))


def compressed(data: bytes, ending: str) -> bytes:
    if ending == "zst":
        zstandard = pytest.importorskip("zstandard")
        return b"".join(zstandard.ZstdCompressor().compress(each) for each in (data[:1000], data[1000:]))
    return gzip.compress(data[:1000]) + gzip.compress(data[1000:])


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_compressed_archive_gives_the_same(ending: str, whole: bytes, archive: Path, tmp_path: Path) -> None:
    packed, out = tmp_path / "cases.jsonl", tmp_path / "out"
    packed.write_bytes(compressed(archive.read_bytes(), ending))
    Run(Plan(str(packed), out, chunk=CHUNK)).go()
    assert out.read_bytes() == whole


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_damaged_archive_is_refused_where_it_breaks_off(ending: str, archive: Path, tmp_path: Path) -> None:
    data = compressed(archive.read_bytes(), ending)
    packed, out = tmp_path / f"cases.jsonl.{ending}", tmp_path / "out"
    packed.write_bytes(data[:-20])
    with pytest.raises(UsageError, match="damaged or not complete"):
        Run(Plan(str(packed), out, chunk=CHUNK)).go()
    packed.write_bytes(data[:4] + b"\xff" * 100)
    with pytest.raises(UsageError, match="damaged or not complete: it can be read up to line 0"):
        Run(Plan(str(packed), out, chunk=CHUNK, force=True)).go()


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_the_output_is_compressed_as_its_name_says(ending: str, whole: bytes, archive: Path, tmp_path: Path) -> None:
    if ending == "zst":
        pytest.importorskip("zstandard")
    out, again = tmp_path / f"out.{ending}", tmp_path / f"again.{ending}"
    Run(Plan(str(archive), out, chunk=CHUNK)).go()
    with opened(str(out)) as source:
        assert source.stream is not source.raw
        assert source.stream.read() == whole
    stopped_and_resumed(Plan(str(archive), again, chunk=CHUNK), after=3)
    assert again.read_bytes() == out.read_bytes()


# Stopped and resumed


class Stop:
    """Ctrl-C after so many chunks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, _: Archive, __: State) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def stopped(plan: Plan, after: int) -> State:
    batch = Run(plan, Stop(after))
    with pytest.raises(KeyboardInterrupt):
        batch.go()
    assert plan.out
    assert output.part_of(plan.out).exists()
    assert not plan.out.exists()
    return batch.state


def stopped_and_resumed(plan: Plan, after: int) -> None:
    stopped(plan, after)
    Run(replace(plan, resume=True)).go()


@pytest.mark.parametrize("after", [1, 4, 13])
def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_happened(
    after: int, whole: bytes, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    plan = Plan(str(archive), out, chunk=CHUNK)
    state = stopped(plan, after)
    assert state.mark.chunks == after
    # A crash may leave more in the file than the journal knows of.
    with output.part_of(out).open("ab") as part:
        part.write(b'{"line": 99, "rul')
    again: list[int] = []
    rule = desk.Desk.rule

    def noted(self: desk.Desk, chunk: Chunk, place: Path | None = None) -> desk.Ruled:
        again.append(chunk.number)
        return rule(self, chunk, place)

    monkeypatch.setattr(desk.Desk, "rule", noted)
    final = Run(replace(plan, resume=True)).go()
    assert out.read_bytes() == whole
    assert again == list(range(after + 1, 14))
    assert (final.tally.cases, final.tally.errors) == (CASES + 1, 1)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("step", ["replace", "unlink"])
def test_a_run_that_dies_while_it_puts_the_file_in_place_is_finished_by_the_next(
    step: str, whole: bytes, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    plan = Plan(str(archive), out, chunk=CHUNK)
    act = getattr(Path, step)

    def dies(self: Path, *arguments: Any, **options: Any) -> Any:
        if self == {"replace": output.part_of(out), "unlink": output.journal_of(out)}[step]:
            raise KeyboardInterrupt
        return act(self, *arguments, **options)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, step, dies)
        Run(plan).go()
    assert out.exists() == (step == "unlink")
    assert Run(replace(plan, resume=True)).go().tally.cases == CASES + 1
    assert out.read_bytes() == whole
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out"]


def changed_input(archive: Path, plan: Plan) -> Plan:
    archive.write_bytes(archive.read_bytes().replace(b"Random case 2 ", b"random case 2 ", 1))
    return plan


def longer_input(archive: Path, plan: Plan) -> Plan:
    archive.write_bytes(archive.read_bytes() + line(DROPPED))
    return plan


def other_name(archive: Path, plan: Plan) -> Plan:
    return replace(plan, file=str(archive.rename(archive.with_name("other"))))


def changed_law(_: Path, plan: Plan) -> Plan:
    assert plan.laws
    (honour,) = plan.laws.rglob("*.yaml")
    honour.write_text(TEN_IS_SMALL.replace("title: Honour", "title: Honours"), encoding="utf-8")
    return plan


CHANGES: dict[str, tuple[Callable[[Path, Plan], Plan], str]] = {
    "input": (changed_input, "the input is not"),
    "size": (longer_input, "the size of the input is not"),
    "name": (other_name, "the name of the input is not"),
    "law": (changed_law, "the law is not"),
    "edition": (lambda _, plan: replace(plan, edition="2007"), "--edition is not"),
    "against": (lambda _, plan: replace(plan, against="2007"), "--against is not"),
    "engine": (lambda _, plan: replace(plan, engine="durable"), "--engine is not"),
    "chunk": (lambda _, plan: replace(plan, chunk=7), "--chunk is not"),
}


@pytest.mark.parametrize(
    "change",
    [pytest.param(each, marks=pytest.mark.durable if each == "engine" else ()) for each in CHANGES],
)
def test_a_run_is_not_resumed_with_anything_else_than_it_began_with(change: str, archive: Path, tmp_path: Path) -> None:
    mine = tmp_path / "cases.jsonl"
    mine.write_bytes(archive.read_bytes())
    draft = tmp_path / "draft" / "00-definitions"
    draft.mkdir(parents=True)
    (draft / "honour.yaml").write_text(TEN_IS_SMALL, encoding="utf-8")
    plan = Plan(str(mine), tmp_path / "out", laws=draft.parent if change == "law" else None, chunk=CHUNK)
    stopped(plan, after=2)
    before = output.part_of(tmp_path / "out").read_bytes()
    make, message = CHANGES[change]
    with pytest.raises(UsageError, match=message):
        Run(replace(make(mine, plan), resume=True)).go()
    assert output.part_of(tmp_path / "out").read_bytes() == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("journal", ["", "{}", "[1]", '{"mark": {}, "tally": 1}'])
def test_what_is_no_journal_is_not_resumed(journal: str, archive: Path, tmp_path: Path) -> None:
    plan = Plan(str(archive), tmp_path / "out", chunk=CHUNK)
    stopped(plan, after=2)
    output.journal_of(tmp_path / "out").write_text(journal, encoding="utf-8")
    with pytest.raises(UsageError, match="is no journal"):
        Run(replace(plan, resume=True)).go()


def test_a_part_that_lost_its_end_is_not_resumed(archive: Path, tmp_path: Path) -> None:
    plan = Plan(str(archive), tmp_path / "out", chunk=CHUNK)
    stopped(plan, after=2)
    output.part_of(tmp_path / "out").write_bytes(b"")
    with pytest.raises(UsageError, match="shorter than its journal says"):
        Run(replace(plan, resume=True)).go()


def test_nothing_that_is_there_is_replaced_unasked(whole: bytes, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    plan = Plan(str(archive), out, chunk=CHUNK)
    for again in (plan, replace(plan, resume=True)):
        with pytest.raises(UsageError, match="exists already"):
            Run(again).go()
    assert out.read_text() == "mine"
    out.unlink()
    stopped(plan, after=2)
    with pytest.raises(UsageError, match="has not finished"):
        Run(plan).go()
    out.write_text("mine")
    Run(replace(plan, force=True)).go()
    assert out.read_bytes() == whole


def test_two_runs_do_not_write_one_file(archive: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = OutputFile(tmp_path / "out", {}, resume=False, force=False)
    with pytest.raises(UsageError, match="another run is writing"):
        Run(Plan(str(archive), tmp_path / "out", force=True)).go()
    first.close()


@pytest.mark.parametrize("where", ["missing/out", "file/out", "."])
def test_an_output_that_cannot_be_written_is_said_before_anything_is_ruled(
    where: str, archive: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"cannot be written|exists already"):
        Run(Plan(str(archive), tmp_path / where)).go()


def test_a_disk_that_is_full_is_said(archive: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    taker = OutputFile(tmp_path / "out", {}, resume=False, force=False)
    taker.close()
    taker._stream = Path("/dev/full").open("ab")  # noqa: SIM115
    with opened(str(archive)) as source, pytest.raises(UsageError, match="No space left"):
        taker.take(desk.Desk(Job("cases.jsonl", law_digest(None))).rule(next(cut(source, CHUNK))))
    taker.close()


def test_an_input_that_cannot_be_read_is_said(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object) -> None:
        raise OSError(5, "Input/output error")

    message = r"cases\.jsonl' cannot be read: Input/output error"
    with monkeypatch.context() as patch, pytest.raises(UsageError, match=message):
        patch.setattr(lines, "bounded_lines", unreadable)
        Run(Plan(str(archive), tmp_path / "out")).go()
    monkeypatch.setattr(Path, "open", unreadable)
    with pytest.raises(UsageError, match=message), opened(str(archive)):
        pass


def test_the_input_is_not_its_own_output(archive: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(UsageError, match="is the input itself"):
        Run(Plan(str(archive), archive, force=True)).go()
    assert archive.read_bytes() == before


# Two editions


def test_a_study_writes_the_cases_that_are_ruled_differently_and_counts_them_by_clause(
    cases: list[dict[str, Any]], archive: Path, tmp_path: Path, books: dict[str, Lawbook]
) -> None:
    state = Run(Plan(str(archive), tmp_path / "out", "1997", "2017", chunk=CHUNK)).go()
    found = {each["line"]: each for each in records(tmp_path / "out")}
    middle = CASES // 2
    assert found.pop(middle + 1)["errors"]
    assert state.tally.different == len(found) > 3
    counted: Counter[tuple[str, str]] = Counter()
    for number, case in [*enumerate(cases[:middle], 1), *enumerate(cases[middle:], middle + 3)]:
        texts = [_texts(books[edition], case) for edition in ("1997", "2017")]
        assert (number in found) == (texts[0].keys() != texts[1].keys())
        if number in found:
            assert found[number]["gone"] == [text for text in texts[0] if text not in texts[1]]
            assert found[number]["come"] == [text for text in texts[1] if text not in texts[0]]
            cited = {("1997", clause) for text in found[number]["gone"] for clause in texts[0][text]}
            cited |= {("2017", clause) for text in found[number]["come"] for clause in texts[1][text]}
            counted.update(cited or {("2017", "")})
            assert found[number]["before"] == books["1997"].rule(Case.from_data(case)).to_json()
            assert found[number]["after"] == books["2017"].rule(Case.from_data(case)).to_json()
    told = state.tally.to_json()["clauses"]
    assert {(each["edition"], each["clause"]): each["cases"] for each in told} == counted
    assert [each["cases"] for each in told] == sorted((each["cases"] for each in told), reverse=True)


def _texts(book: Lawbook, case: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    return {each.text: each.clauses for each in ruling_lines(book.rule(Case.from_data(case))) if each.part != "advice"}


def test_a_study_lays_a_draft_over_the_second_edition(tmp_path: Path) -> None:
    draft = tmp_path / "draft" / "00-definitions"
    draft.mkdir(parents=True)
    (draft / "honour.yaml").write_text(TEN_IS_SMALL, encoding="utf-8")
    ten = {**DROPPED, "reports": [{"card_exposed": {"player": "E", "card": "DT", "manner": "dropped"}}]}
    asked = {"edition": "2017", "against": "2017", "laws": tmp_path / "draft"}
    without_ten = {**DROPPED, "table": {"contract": "4S by S", "hands": {"E": "♦K862"}}}
    (found,) = ruled(tmp_path, line(without_ten) + line(ten), **asked)
    assert found["line"] == 2
    kinds = [found[side]["findings"][0]["kind"] for side in ("before", "after")]
    assert kinds == ["major_penalty_card", "minor_penalty_card"]


def test_a_case_that_only_one_edition_can_rule_on_differs(tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    draft.mkdir()
    vocabulary = "kinds:\n  card_flashed: {source: report, means: It was., fields: {player: seat}, say: 'flashed'}\n"
    (draft / "vocabulary.yaml").write_text(vocabulary, encoding="utf-8")
    case = {**DROPPED, "reports": [{"card_flashed": {"player": "E"}}]}
    (found,) = ruled(tmp_path, line(case), edition="2017", against="2017", laws=draft)
    assert found["before"]["errors"][0]["message"] == "there is no report 'card_flashed'"
    assert found["after"]["edition"] == "2017"


# The command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Any]:
    def run(*arguments: object, stdin: bytes = b"") -> tuple[int, bytes, str]:
        monkeypatch.setattr(sys, "argv", ["bridgelaws", "batch", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        shown = capsysbinary.readouterr()
        assert b"Traceback" not in shown.err
        return int(ended.value.code or 0), shown.out, shown.err.decode()

    return run


def test_a_batch_goes_from_standard_input_to_standard_output(
    command: Callable[..., Any], archive: Path, whole: bytes
) -> None:
    status, out, err = command("-", "--workers", 1, stdin=archive.read_bytes())
    assert (status, err) == (1, f"{CASES + 1} cases, 1 line at fault\n")
    assert out == as_piped(whole)
    packed = gzip.compress(line(DROPPED))
    status, out, err = command("-", "--workers", 1, stdin=packed)
    assert (status, err, len(records(out))) == (0, "1 case\n", 1)


def test_the_summary_of_a_study_is_told_and_written(command: Callable[..., Any], archive: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.json"
    status, _, err = command(archive, "--workers", 1, "--edition", 1997, "--against", 2017, "--summary", summary)
    told = json.loads(summary.read_text(encoding="utf-8"))
    assert status == 1
    assert err.splitlines()[0] == f"{CASES + 1} cases, {told['different']} ruled differently, 1 line at fault"
    first = told["clauses"][0]
    assert err.splitlines()[1].split() == [
        str(first["cases"]),
        *(first["clause"] or "(an answer)").split(),
        first["edition"],
    ]
    clauses = len(told["clauses"])
    assert len(err.splitlines()) == 1 + min(clauses, 20) + (clauses > 20)
    assert ("and " in err.splitlines()[-1]) == (clauses > 20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-file"], "there is no file 'no-such-file'"),
        (["."], "'.' is a folder"),
        (["-", "--resume"], "name the file with --out"),
        (["-", "--resume", "--force"], "choose one of the two"),
        (["-", "--edition", "2018", "--out", "out"], "there is no edition '2018'; did you mean '2017'?"),
        (["-", "--against", "2018"], "there is no edition '2018'"),
        (["-", "--against", "2017"], "is named twice"),
        (["-", "--laws", "no-such-folder"], "there is no folder"),
        (["-", "--out", "no-such-folder/out"], "cannot be written"),
    ],
)
def test_a_call_at_fault_ends_with_2_and_leaves_nothing(
    arguments: list[str], message: str, command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = command(*arguments, stdin=line(DROPPED))
    assert status == 2
    assert message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "module", "hint"),
    [
        (["cases.zst"], "zstandard", "pip install 'bridgelaws[zstd]'"),
        (["-", "--out", "out.zst"], "zstandard", "pip install 'bridgelaws[zstd]'"),
        (["-", "--dask", "tcp://127.0.0.1:1"], "distributed", "pip install 'bridgelaws[cluster]'"),
    ],
)
def test_an_extra_that_is_not_installed_is_named(
    arguments: list[str],
    module: str,
    hint: str,
    command: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cases.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    monkeypatch.setitem(sys.modules, module, None)
    status, _, err = command(*arguments, stdin=line(DROPPED))
    assert status == 2
    assert hint in err
    assert packing.packing_of(Path("a.JSONL.ZST")) == "zstd"


def test_on_a_terminal_a_bar_shows_the_cases_and_the_rate(
    archive: Path, tmp_path: Path, command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridgelaws.cli.running.colour_wanted", lambda _: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    status, _, err = command(archive, "--workers", 1, "--out", tmp_path / "out")
    assert status == 1
    assert "cases, " in err and "a second, left" in err


# Killed


Started = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def started() -> Iterator[Started]:
    """The command in a session of its own, so that it can be interrupted with all its workers, as by Ctrl-C."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(*arguments: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "bridgelaws", "batch", *map(str, arguments), "--chunk", str(CHUNK)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        pipe = subprocess.PIPE
        # A test run in the background ignores Ctrl-C, and what it starts would inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            processes.append(
                subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True)
            )
        finally:
            signal.signal(signal.SIGINT, before)
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def feed(process: subprocess.Popen[bytes], archive: Path, most_lines: int) -> None:
    """The first lines of the archive: as long as no more come, the run cannot end before it is killed."""
    assert process.stdin
    process.stdin.writelines(archive.read_bytes().splitlines(keepends=True)[:most_lines])
    process.stdin.flush()


def wait_for(condition: Callable[[], bool], what: str) -> None:
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"waited in vain for {what}")


def chunks_done(out: Path) -> int:
    try:
        return int(json.loads(output.journal_of(out).read_text(encoding="utf-8"))["mark"]["chunks"])
    except FileNotFoundError:
        return -1


def wait_for_chunks(out: Path, count: int) -> None:
    wait_for(lambda: chunks_done(out) >= count, f"{count} chunks")


def wait_for_the_end_of_all(process: subprocess.Popen[bytes]) -> None:
    """Until the command and every process that it started are gone."""
    process.communicate()

    def over() -> bool:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    wait_for(over, "the workers to leave")


@pytest.fixture
def resume(archive: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Resume a run that read the archive from a pipe, and see that nothing was lost and nothing repeated."""

    def goes_on(out: Path) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(archive.read_bytes())))
        state = Run(Plan("-", out, chunk=CHUNK, resume=True)).go()
        assert out.read_bytes() == as_piped(whole)
        assert (state.tally.cases, state.tally.errors) == (CASES + 1, 1)

    return goes_on


def as_piped(whole: bytes) -> bytes:
    """What an archive without a name comes to."""
    return whole.replace(b'"file":"cases.jsonl"', b'"file":"-"')


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_after_kill_9_nothing_is_lost_and_nothing_repeated(
    started: Started, archive: Path, tmp_path: Path, resume: Callable[[Path], None]
) -> None:
    out = tmp_path / "out"
    for workers, lines_fed in ((2, 50), (1, 60)):
        before = max(0, chunks_done(out))
        process = started("-", "--out", out, "--workers", workers, "--resume")
        feed(process, archive, lines_fed)
        wait_for_chunks(out, before + 1)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        wait_for_the_end_of_all(process)
        assert not out.exists()
    resume(out)


@pytest.mark.skipif(sys.platform == "win32", reason="a session cannot be interrupted")
def test_ctrl_c_ends_a_run_with_a_word_on_how_to_go_on(
    started: Started, archive: Path, tmp_path: Path, resume: Callable[[Path], None]
) -> None:
    out = tmp_path / "out"
    process = started("-", "--out", out, "--workers", 2)
    feed(process, archive, 50)
    wait_for_chunks(out, 1)
    # Workers that heard it would now have the time to say so.
    process.send_signal(signal.SIGSTOP)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGCONT)
    told = process.communicate()[1].decode().splitlines()
    assert process.returncode == 130
    assert told[0] == f"stopped after line {chunks_done(out) * CHUNK}"
    assert told[1:] == [f"go on with: bridgelaws batch - --out {out} --workers 2 --chunk {CHUNK} --resume"]
    wait_for_the_end_of_all(process)
    resume(out)


# On a cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and three workers, each a process of its own, as on three machines."""
    pytest.importorskip("distributed")
    contact = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(contact), "--no-dashboard"]
        null = subprocess.DEVNULL
        return subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=null, stderr=null, env=environment)

    processes = [start("scheduler", "--port", "0")]
    try:
        wait_for(contact.exists, "the scheduler")
        own = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path / "dask"))
        workers = [start("worker", *own) for _ in range(3)]
        processes += workers
        yield json.loads(contact.read_text(encoding="utf-8"))["address"], workers
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_cluster_writes_the_same_even_if_a_worker_is_lost(
    started: Started,
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
    archive: Path,
    whole: bytes,
    tmp_path: Path,
) -> None:
    address, workers = cluster
    out, again = tmp_path / "out", tmp_path / "again"
    process = started("-", "--out", out, "--dask", address)
    feed(process, archive, 60)
    wait_for_chunks(out, 1)
    workers[0].kill()
    workers[0].wait()
    _, told = process.communicate(b"".join(archive.read_bytes().splitlines(keepends=True)[60:]))
    assert process.returncode == 1, told
    assert out.read_bytes() == as_piped(whole)
    in_place = started(archive, "--out", again, "--dask", address)
    assert f"{CASES + 1} cases, 1 line at fault" in in_place.communicate()[1].decode()
    assert again.read_bytes() == whole
    assert sorted(each.name for each in tmp_path.iterdir()) == ["again", "dask", "out", "scheduler.json"]


class FakeClient:
    """A cluster of one worker that works at once, and remembers what it was sent."""

    def __init__(self, sees: bool = True, fails: Exception | None = None) -> None:
        self.sees = sees
        self.fails = fails
        self.sent: list[Chunk] = []
        self.under_way = self.most_under_way = 0

    def __call__(self, *_: object, **__: object) -> FakeClient:
        return self

    def __enter__(self) -> FakeClient:
        return self

    def __exit__(self, *_: object) -> None: ...

    def wait_for_workers(self, _: int, **__: float) -> None:
        if isinstance(self.fails, TimeoutError):
            raise self.fails

    def ncores(self) -> dict[str, int]:
        return {"a worker": 1}

    def run(self, function: Callable[..., bool], *arguments: Any) -> dict[str, bool]:
        return {"a worker": function(*arguments), "another": self.sees}

    def submit(self, function: Callable[..., desk.Ruled], job: Job, chunk: Chunk, *places: Any, pure: bool) -> Any:
        assert not pure
        self.sent.append(chunk)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)

        def result() -> desk.Ruled:
            self.under_way -= 1
            if self.fails:
                raise self.fails
            return function(job, chunk, *places)

        return SimpleNamespace(result=result)


def on(client: FakeClient, monkeypatch: pytest.MonkeyPatch, plan: Plan) -> State:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    return Run(replace(plan, cluster="tcp://here:1", chunk=CHUNK)).go()


@pytest.mark.parametrize("sees", [True, False], ids=["read in place", "sent"])
def test_lines_are_sent_only_to_workers_that_cannot_read_them_in_place(
    sees: bool, archive: Path, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = FakeClient(sees)
    left = tmp_path / "out.parts-of-a-run-that-was-killed"
    left.mkdir()
    on(client, monkeypatch, Plan(str(archive), tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == whole
    assert {chunk.data is None for chunk in client.sent} == {sees}
    assert client.most_under_way == 8 < len(client.sent)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_without_a_file_to_write_the_records_come_back_from_the_cluster(
    archive: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    on(FakeClient(), monkeypatch, Plan(str(archive)))
    assert capsysbinary.readouterr().out == whole


KilledWorker = type("KilledWorker", (Exception,), {})


@pytest.mark.parametrize(
    ("fails", "error", "message"),
    [
        (KilledWorker("chunk"), EngineError, "worker after worker was lost on lines 1 to 5; what was ruled is kept"),
        (ValueError("first\nsecond"), EngineError, "the cluster failed on lines 1 to 5: ValueError: first;"),
        (Unfit("a worker has others"), UsageError, "a worker has others; begin again"),
        (TimeoutError(), UsageError, "the cluster at 'tcp://here:1' has no worker"),
    ],
)
def test_a_cluster_that_fails_says_where(
    fails: Exception,
    error: type[Exception],
    message: str,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(error, match=message):
        on(FakeClient(fails=fails), monkeypatch, Plan(str(archive), tmp_path / "out"))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out.journal", "out.part"]


def test_a_cluster_that_does_not_answer_is_a_call_at_fault(
    command: Callable[..., Any], archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")

    def nobody(*_: object, **__: object) -> None:
        raise OSError("Timed out")

    monkeypatch.setattr(distributed, "Client", nobody)
    status, _, err = command(archive, "--dask", "tcp://127.0.0.1:1", "--out", tmp_path / "out")
    assert (status, err.split(";")[0]) == (2, "no Dask scheduler answers at 'tcp://127.0.0.1:1'")
