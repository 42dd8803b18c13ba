"""A law that was found sound is not checked again as long as nothing changes, and a forged mark does no harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridgelaws.errors import LawError
from bridgelaws.lawbook import law as law_module
from bridgelaws.lawbook.law import load_law
from bridgelaws.lawbook.soundness import CACHE, is_known_sound, law_digest, remember_as_sound

CLAUSE = """title: A clause of a draft
versions:
  - since: "2017"
    number: 99A
    gist: Nobody coughs.
    rules:
      - name: no coughing
        when:
          - stage: {stage: play}
        then:
          - report_unclear: {reason: no_declarer}
"""


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A draft with one clause, and no memory of what was read or found sound before."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.setattr(law_module, "_LOADED", {})
    folder = tmp_path / "draft" / "99-manners"
    folder.mkdir(parents=True)
    (folder / "A-coughing.yaml").write_text(CLAUSE, encoding="utf-8")
    yield tmp_path / "draft"


def forget_what_was_read() -> None:
    law_module._LOADED.clear()


def test_a_law_is_checked_once(draft: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_law(draft)
    forget_what_was_read()

    def checked(*_: Any) -> Any:
        raise AssertionError("checked again")

    monkeypatch.setattr(law_module, "shape_problems", checked)
    monkeypatch.setattr(law_module, "check_clauses", checked)
    assert load_law(draft).clauses == first.clauses


def test_a_law_that_changed_is_checked_again(draft: Path) -> None:
    load_law(draft)
    path = draft / "99-manners" / "A-coughing.yaml"
    path.write_text(CLAUSE.replace("no_declarer", "no_reason_at_all"), encoding="utf-8")
    with pytest.raises(LawError, match="no_reason_at_all"):
        load_law(draft)


@pytest.mark.parametrize(
    "wrong", [CLAUSE.replace("    rules:", "    ruled:"), CLAUSE.replace("stage:", "stag:"), "- 1"]
)
def test_a_forged_mark_ends_in_the_same_error(draft: Path, wrong: str) -> None:
    (draft / "99-manners" / "A-coughing.yaml").write_text(wrong, encoding="utf-8")
    with pytest.raises(LawError) as honest:
        load_law(draft)
    digest = law_digest(draft)
    assert not is_known_sound(digest)
    remember_as_sound(digest)
    assert is_known_sound(digest)
    with pytest.raises(LawError) as forged:
        load_law(draft)
    assert str(forged.value) == str(honest.value)


def test_nothing_is_lost_where_nothing_can_be_remembered(draft: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (draft.parent / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(CACHE, str(draft.parent / "file"))
    load_law(draft)
    assert not is_known_sound(law_digest(draft))


def test_only_so_many_marks_are_kept(draft: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgelaws.lawbook.soundness._MOST_MARKS", 3)
    for number in range(5):
        remember_as_sound(str(number))
    assert len(list((draft.parent / "cache" / "sound").iterdir())) == 3
