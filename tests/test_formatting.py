"""One layout: what it looks like, that nothing is ever lost by it, and the commands that use it and that watch."""

from __future__ import annotations

import json
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgelaws.cli import check, main, watching
from bridgelaws.cli import test as test_command
from bridgelaws.errors import BridgelawsError, LawError, UsageError
from bridgelaws.formatting import formatted, layout, scalars, writing
from bridgelaws.formatting.shapes import Quotes, Shape, shape_of
from bridgelaws.formatting.tree import Entry, read_tree
from bridgelaws.located import read_text

ROOT = Path(__file__).parent.parent
SHIPPED = sorted(path for name in ("rules", "tests/cases", "examples") for path in (ROOT / name).rglob("*.yaml"))


def laid_out(text: str) -> str:
    return formatted(text, "file.yaml")


def values(text: str) -> Any:
    return read_text(text, "file.yaml", LawError).data


def as_json(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


# The layout


CLAUSE = """\
# yaml-language-server: $schema=../../schemas/clause.schema.json
title: Rank named without a suit
versions:
  - since: "1997"
    number: 46B3(a)
    gist: >-
      Naming only a rank carries on the suit in which dummy won the last trick, if dummy has that card; otherwise it is
      whatever card of that rank dummy can legally play.
    see: ["16A", "45"]
    confidence: reading
    note: "Two words: one colon."
    rules:
      # The usual way.
      - name: carry on the suit # as before
        when:
          - designation: {form: rank_only, rank: $rank}
          - holds: {role: dummy, card: {is: $card, suit: {not: $suit}, rank: {one_of: [A, K, "2"]}}}
        unless:
          - intention: {incontrovertible: true}
          - - stage: {stage: over}
            - now: {trick: {above: 3}, counted: 1}
        then:
          - card_called:
              card: $card
              a_field_with_a_long_name: {one_of: [a_value_with_a_long_name, another_value_with_a_long_name, a_third]}
            force: must
            because: because {card} was named
  - since: "2007"
    number: "45E1"
    rules: as before
    without:
      - carry on the suit
"""

CASE = """\
title: East drops the eight
source: R43
table:
  contract: 4S by S
  trick: 9
  hands: {E: ♦KT862, W: ..KT62.8}
  tricks: ["W: SA S2", "S3 S4"]
reports:
  - card_exposed: {player: E, card: D8, manner: null}
expect:
  - editions: ["2017"]
    findings:
      - minor_penalty_card: {player: E}
        clause: [50B, "50E1"]
        force: does
    never: []
    plays:
      E: {may: [D8], may_not: {D6: 50C}}
      W:
    questions: [card_exposed.manner]
"""

VOCABULARY = """\
kinds:
  # ---- first
  exposed:
    source: report
    means: A card was seen.
    fields:
      player: {type: seat, ask: Whose card was it?}
      how:
        type: one_of
        ask: "Why: by accident?"
        values: {dropped: by accident, shown: on purpose}
    say:
      by: how
      dropped: "{player} dropped it"
      shown: it was shown
  honour:
    source: derived
    means: An honour.
    fields: {rank: rank}
    say: "rank {rank} is an honour"

  # ---- second
  wins:
    source: ruling
    means: Who won.
    contradicts: [loses]
    say: somebody won
"""


@pytest.mark.parametrize("text", [CLAUSE, CASE, VOCABULARY], ids=["clause", "case", "vocabulary"])
def test_this_is_the_layout(text: str) -> None:
    assert laid_out(text) == text


def test_every_shipped_file_is_laid_out() -> None:
    assert len(SHIPPED) > 50
    wrong = [str(path.relative_to(ROOT)) for path in SHIPPED if laid_out(read(path)) != read(path)]
    assert not wrong, "run bridgelaws fmt rules tests/cases examples"


def read(path: Path) -> str:
    return path.read_bytes().decode()


def test_a_second_run_changes_nothing() -> None:
    for path in SHIPPED[::10]:
        text = read(path)
        once = laid_out(text)
        assert laid_out(once) == once, path
        assert as_json(values(once)) == as_json(values(text)), path


@pytest.mark.parametrize("word", ["45E1", "16E2", "50", "2017", "1.5", "0x1F", "true", "null", "~", "", "- a", "a: b"])
def test_text_that_other_programs_would_not_read_as_text_is_quoted(word: str) -> None:
    assert laid_out(f'title: "{word}"\nversions: []\n') == f'title: "{word}"\nversions: []\n'
    for quotes in ("'{}'", '"{}"'):
        assert f'["{word}"]' in laid_out(f"table:\n  hands:\n    E: [{quotes.format(word)}]\n")


@pytest.mark.parametrize("word", ["50D2(a)", "N", "no", "N:AKQ..KT862.J3 -", "♦KT862", "$card", "before the {penalty}"])
def test_other_text_is_not_quoted(word: str) -> None:
    assert laid_out(f'title: "{word}"\nversions: []\n') == f"title: {word}\nversions: []\n"


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ('a "b": c', """'a "b": c'"""),
        ('it\'s: "x"', '"it\'s: \\"x\\""'),
        ("a\x7f\x85\u2028b", '"a\\u007F\\u0085\\u2028b"'),
        ("\ttab", '"\\ttab"'),
        ("a, b", '"a, b"'),
    ],
)
def test_double_quotes_are_preferred_and_single_ones_spare_a_backslash(value: str, line: str) -> None:
    assert scalars.one_line(value, in_braces=True) == line
    assert values(f"a: {line}") == {"a": value}
    assert values(f"a: {{b: {line}}}") == {"a": {"b": value}}


@pytest.mark.parametrize(
    "text",
    [
        *("one\ntwo\n\nthree", "one\ntwo\n", "one " * 50 + "end", "one " * 50 + "\n", "a  b " * 40 + "c"),
        *("one\n two", " one\ntwo", "a\n\n", "a\n \nb", "x" * 200, "\n\na", "one\t" * 50 + "two", "a b\x07" * 60),
        " lead" * 40,
    ],
)
def test_a_long_text_or_one_with_line_ends_comes_back_as_it_was(text: str) -> None:
    result = laid_out(f"title: {json.dumps(text)}\nversions: []\n")
    assert values(result)["title"] == text
    assert max(map(len, result.splitlines())) <= 120 or scalars.several_lines(text) is None or "x" * 200 in text


def test_a_map_with_a_comment_between_its_braces_gets_lines() -> None:
    text = "reports:\n  - exposed: { player: E, # who\n      card: D8 }   # which\n"
    assert laid_out(text) == "reports:\n  - exposed: # which\n      player: E # who\n      card: D8\n"


# Comments

COMMENTED = """\
# above all

# yaml-language-server: $schema=x
versions: # on versions
# about the version
- gist: 'a: b' # on gist
  # about since
  since: "1997" # on since
  rules:
    # - name: nothing yet
  # about the number
  number: 45E1
  see: # c0
     [  # c1
       16A, # c2
       # c3
       '17' # c4
       # c5
     ] # c6
-
   # about the second
   since: "2007"
   number:
     # between
     50E2
   rules:
   - # item
     # again
     name: >- # fold
       hello
       world
     # about when
     when:
     - - a: {x: 1, y: {z: [1,
              2]}} # beside a
       - b:   # nothing
     # below when
     #no space
   # below rules
title: "x" # on title
# last

  # very last
"""

COMMENTS_KEPT = """\
# yaml-language-server: $schema=x
# above all
title: x # on title
versions: # on versions
  # about the version
  # about since
  - since: "1997" # on since
    # about the number
    number: "45E1"
    gist: "a: b" # on gist
    # c0
    # c1
    see: # c6
      - "16A" # c2
      # c3
      - "17" # c4
      # c5
    rules:
      # - name: nothing yet
  # about the second
  - since: "2007"
    # between
    number: "50E2"
    rules:
      # item
      # again
      - name: hello world # fold
        # about when
        when:
          - - a: {x: 1, y: {z: [1, 2]}} # beside a
            - b: # nothing
          # below when
          #no space
      # below rules
# last

# very last
"""


def test_each_comment_stays_with_what_it_is_about() -> None:
    assert laid_out(COMMENTED) == COMMENTS_KEPT
    assert laid_out(COMMENTS_KEPT) == COMMENTS_KEPT


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("--- # a\ntable: # b\n  {} # c\n...\n# d\n", "# a\n# b\ntable: {} # c\n# d\n"),
        ("{table: {trick: 1}, # a\n reports: [] # b\n # c\n} # d\n# e\n", None),
        ("? table # a\n# b\n: # c\n  trick: 1\n", None),
        ("reports: [ # a\n # b\n]\n", "# b\nreports: [] # a\n"),
        ("reports:\n- # a\n# b\n", None),
        ("reports:\n- - [1, 2] # a\n  - 3\n", "reports:\n  # a\n  - - - 1\n      - 2\n    - 3\n"),
        ("reports:\n  - a: 1\n# a\n  # b\nexpect: {}\n", "reports:\n  - a: 1\n# a\n# b\nexpect: {}\n"),
        ("reports:\n  - a: 1\n  # a\n# b\nexpect: {}\n", "reports:\n  - a: 1\n  # a\n# b\nexpect: {}\n"),
        ("table:\n  trick:\n    # a\n    3\n  on_lead: N\n", "table:\n  # a\n  trick: 3\n  on_lead: N\n"),
        ("table:\r\n  # a\r\n  trick: 3 # b\r\n", "table:\n  # a\n  trick: 3 # b\n"),
        ('note: "a # no comment" # a\ntable:\n', 'note: "a # no comment" # a\ntable:\n'),
        ("note: |+ # a\n  # no comment\n\n# b\ntable:\n", None),
    ],
)
def test_comments_in_odd_places_stay(text: str, result: str | None) -> None:
    assert result is None or laid_out(text) == result
    for word in "abcde":
        assert laid_out(text).count(f"# {word}\n") == text.replace("\r", "").count(f"# {word}\n")


# A mangled copy is restored


class Mangler:
    """Writes a tree in some legal way that nobody would choose."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose

    def text(self, root: Entry, shape: Shape) -> str:
        return "\n".join([*root.before, *self.inner(root, shape, 0), *root.after]) + "\n"

    def inner(self, entry: Entry, shape: Shape, indent: int) -> list[str]:
        lines: list[str] = []
        for each in self.shuffled(entry.entries or [], shape):
            lines += [""] * self.choose.choice([0, 0, 0, 1, 3])
            lines += self.entry(each, shape.child(each.key), indent)
        return lines

    def shuffled(self, entries: list[Entry], shape: Shape) -> list[Entry]:
        """Keys that have an order may stand anywhere; the others keep theirs."""
        mixed = self.choose.sample(entries, len(entries)) if shape.order else list(entries)
        others = iter([each for each in entries if each.key not in shape.order])
        return [each if each.key in shape.order else next(others) for each in mixed]

    def entry(self, entry: Entry, shape: Shape, indent: int) -> list[str]:
        head = " " * indent + ("-" if entry.key is None else f"{self.word(entry.key)}:")
        beside = "".join(f"   {each}" for each in entry.beside)
        above = [" " * indent + each for each in entry.before]
        if entry.entries is None:
            below = [" " * (indent + 1) + each for each in entry.after]
            return [*above, *self.scalar(entry.value, head, beside, indent), *below]
        if not entry.commented_within and (not entry.entries or self.choose.random() < 0.3):
            return [*above, f"{head} {self.braces(entry, shape)}{beside}"]
        # A list may stand as far left as its key; the item of a list may not.
        least = 0 if entry.key is not None and not entry.is_map else 1
        deeper = indent + self.choose.randint(least, 4)
        below = [" " * deeper + each for each in entry.after]
        return [*above, f"{head}{beside}", *self.inner(entry, shape, deeper), *below]

    def scalar(self, value: Any, head: str, beside: str, indent: int) -> list[str]:
        if isinstance(value, str) and value.isprintable() and self.choose.random() < 0.2 and value == value.strip():
            words = value.split(" ")
            if all(words):
                pad = " " * (indent + self.choose.randint(1, 5))
                return [f"{head} >-{beside}", *(pad + word for word in words)]
        text = "" if value is None else " " * self.choose.randint(1, 3) + self.word(value)
        return [f"{head}{text}{beside}"]

    def word(self, value: Any) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        styles = [escaped(value)]
        if value.isprintable():
            styles.append("'" + value.replace("'", "''") + "'")
        if value and value.replace("_", "").replace(" ", "").isalpha() and value == value.strip():
            styles.append(value if value not in ("true", "false", "null") else styles[0])
        return self.choose.choice(styles)

    def braces(self, entry: Entry, shape: Shape) -> str:
        parts = [
            ("" if each.key is None else f"{self.word(each.key)} : ")
            + (self.word(each.value) if each.entries is None else self.braces(each, shape.child(each.key)))
            for each in self.shuffled(entry.entries or [], shape)
        ]
        inside = self.choose.choice([", ", " ,  "]).join(parts)
        return f"{{ {inside} }}" if entry.is_map else f"[{inside}]"


def escaped(text: str) -> str:
    def one(letter: str) -> str:
        if letter in '"\\':
            return f"\\{letter}"
        return letter if " " <= letter <= "~" or "\xa1" <= letter <= "\u1fff" else f"\\U{ord(letter):08X}"

    return '"' + "".join(map(one, text)) + '"'


def mangled(text: str, choose: random.Random) -> str:
    data = values(text)
    shape = shape_of(frozenset(data))
    assert shape is not None
    result = Mangler(choose).text(read_tree(text, data), shape)
    assert as_json(values(result)) == as_json(data), "the mangler changed what the file says"
    return result


def test_a_mangled_copy_is_restored() -> None:
    changed = 0
    for number, path in enumerate([*SHIPPED[::7], ROOT / "rules/vocabulary.yaml", ROOT / "rules/editions.yaml"]):
        text = laid_out(read(path))
        wild = mangled(text, random.Random(number))
        changed += wild != text
        assert laid_out(wild) == text, path
    assert changed > 10


@pytest.mark.parametrize("text", [CLAUSE, CASE, VOCABULARY, COMMENTS_KEPT], ids=["clause", "case", "vocabulary", "all"])
@settings(max_examples=30, deadline=None)
@given(choose=st.randoms(use_true_random=False))
def test_however_it_is_mangled_the_layout_comes_back(text: str, choose: random.Random) -> None:
    if text != COMMENTS_KEPT:
        assert laid_out(mangled(text, choose)) == text
    else:
        assert Counter(comments(laid_out(mangled(text, choose)))) == Counter(comments(text))


def comments(text: str) -> list[str]:
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


# Nothing is ever lost

WORDS = st.one_of(
    st.sampled_from(["50E1", "a: b", "- x", "{a}", "# no", "a # b", "it's", 'say "x"', "", " ", "x?", "null", "2017"]),
    st.sampled_from(
        ["a\nb", "a\n", "\n", "a\n\n b", "tab\there", "♦KT862", "A long sentence. " * 12, "a,b", "a]", "😀"]
    ),
    st.text(max_size=12),
)
KEYS = st.sampled_from(["title", "since", "number", "gist", "see", "rules", "name", "when", "then", "tricks", "a b"])
DATA = st.recursive(
    st.one_of(WORDS, st.integers(-20, 2020), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.one_of(KEYS, WORDS), inner, max_size=4)),
    max_leaves=12,
)


def tree_of(data: Any, key: str | None = None) -> Entry:
    entry = Entry(key, 0, 0, None)
    if isinstance(data, dict):
        entry.is_map = True
        entry.entries = [tree_of(value, name) for name, value in data.items()]
    elif isinstance(data, list):
        entry.entries = [tree_of(value) for value in data]
    else:
        entry.value = data
    return entry


def with_comments(text: str, choose: random.Random) -> tuple[str, list[str]]:
    """The text with comments put in wherever they change nothing."""
    data = as_json(values(text))
    lines = text.split("\n")
    added: list[str] = []
    for number in range(choose.randint(1, 8)):
        at, note = choose.randrange(len(lines)), f"# note {number}."
        if choose.random() < 0.5:
            wanted = [*lines[:at], " " * choose.randint(0, 9) + note, *lines[at:]]
        elif choose.random() < 0.7 or not (places := [i for i, letter in enumerate(lines[at]) if letter in "{[,"]):
            wanted = [*lines[:at], f"{lines[at]} {note}", *lines[at + 1 :]]
        else:
            cut = choose.choice(places) + 1
            wanted = [*lines[:at], f"{lines[at][:cut]} {note}", " " * 20 + lines[at][cut:], *lines[at + 1 :]]
        try:
            fits = as_json(values("\n".join(wanted))) == data
        except LawError:
            continue
        if fits:
            lines = wanted
            added.append(note)
    return "\n".join(lines), added


@settings(max_examples=150, deadline=None)
@given(key=st.sampled_from(["versions", "kinds", "reports"]), data=DATA, choose=st.randoms(use_true_random=False))
def test_no_comment_is_lost_and_no_value_changes(key: str, data: Any, choose: random.Random) -> None:
    shape = shape_of(frozenset([key]))
    assert shape is not None
    root = tree_of({"title": "x", key: data})
    text, added = with_comments(Mangler(choose).text(root, shape), choose)
    result = laid_out(text)
    assert as_json(values(result)) == as_json({"title": "x", key: data})
    for note in added:
        assert result.count(note) == 1
    assert laid_out(result) == result


@settings(max_examples=100, deadline=None)
@given(choose=st.randoms(use_true_random=False), text=st.sampled_from([CLAUSE, CASE, VOCABULARY, COMMENTED]))
def test_no_comment_in_a_real_file_is_lost(choose: random.Random, text: str) -> None:
    wild, added = with_comments(text, choose)
    result = laid_out(wild)
    assert Counter(comments_of(result)) == Counter([*comments_of(text), *added])
    assert as_json(values(result)) == as_json(values(text))


def comments_of(text: str) -> list[str]:
    """None of the texts here holds a # that is no comment; a comment may have been put behind another."""
    return [part.rstrip() for line in comments(text) for part in split_notes(line)]


def split_notes(line: str) -> list[str]:
    first, *others = line.split(" # note ")
    notes = [f"# note {each}" for each in others]
    return [first, *notes] if first else notes


def test_what_would_change_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real = writing.written
    for spoilt in (
        lambda text: text.replace("# as before", ""),
        lambda text: text.replace("rank_only", "rank_alone"),
        lambda text: text.replace("incontrovertible: true", "incontrovertible: 1"),
        lambda text: text.replace("form: rank_only, rank: $rank", "rank: $rank, form: rank_only"),
        lambda text: text.replace("# The usual way.", "").replace("- since", "# The usual way.\n  - since", 1),
        lambda text: text + ":",
    ):
        monkeypatch.setattr(layout, "written", lambda tree, shape, spoilt=spoilt: spoilt(real(tree, shape)))
        with pytest.raises(LawError, match="cannot be laid out without changing what it says"):
            laid_out(CLAUSE)


def test_what_is_neither_law_nor_case_is_refused() -> None:
    for text in ("services: {web: {}}\n", "- a\n", "word\n"):
        with pytest.raises(LawError, match="neither a file of the law nor a case"):
            laid_out(text)


def test_quotes_can_be_asked_for() -> None:
    assert [scalars.one_line("a {b}", quotes) for quotes in Quotes] == ["a {b}", '"a {b}"', '"a {b}"']
    assert [scalars.one_line("b", quotes) for quotes in Quotes] == ["b", "b", '"b"']


# The command fmt

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """Run a command in a folder of its own: its exit status, and what it printed."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bridgelaws", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules/46-designation").mkdir(parents=True)
    (tmp_path / "rules/46-designation/B.yaml").write_text(CLAUSE.replace("    number: 4", "    number:  4"))
    (tmp_path / "rules/vocabulary.yaml").write_text(VOCABULARY)
    return tmp_path


def test_fmt_lays_out_the_folder_rules_by_default(call: Call, folder: Path) -> None:
    clause = Path("rules/46-designation/B.yaml")
    assert call("fmt") == (0, f"laid out {clause}\n1 file laid out, 1 file unchanged\n", "")
    assert (folder / clause).read_text() == CLAUSE
    assert call("fmt") == (0, "2 files unchanged\n", "")


def test_check_writes_nothing_and_fails_when_something_would_change(call: Call, folder: Path) -> None:
    before = (folder / "rules/46-designation/B.yaml").read_text()
    status, out, _ = call("fmt", "--check", "rules")
    assert (status, out.splitlines()[-1]) == (1, "1 file would change, 1 file unchanged")
    assert (folder / "rules/46-designation/B.yaml").read_text() == before
    assert call("fmt", "--check", "rules/vocabulary.yaml")[0] == 0


def test_diff_shows_the_lines_and_writes_nothing(call: Call, folder: Path) -> None:
    before = (folder / "rules/46-designation/B.yaml").read_text()
    status, out, _ = call("fmt", "--diff")
    assert status == 1
    assert "-    number:  46B3(a)\n+    number: 46B3(a)\n" in out
    assert (folder / "rules/46-designation/B.yaml").read_text() == before
    assert call("fmt", "--diff", "rules/vocabulary.yaml")[:2] == (0, "")


def test_a_file_that_cannot_be_read_is_left_alone_and_the_others_are_done(call: Call, folder: Path) -> None:
    broken = folder / "rules/46-designation/A.yaml"
    broken.write_text("title:   x\nversions: [\n")
    latin = folder / "rules/46-designation/C.yaml"
    latin.write_bytes(b"title:   \xe9\n")
    status, out, err = call("fmt")
    assert status == 1
    assert "A.yaml:3:1: this is not YAML" in err
    assert "C.yaml:1:10: the text is not UTF-8" in err
    assert out == "laid out rules/46-designation/B.yaml\n1 file laid out, 1 file unchanged, 2 files left alone\n"
    assert broken.read_text() == "title:   x\nversions: [\n"
    assert latin.read_bytes() == b"title:   \xe9\n"


def test_a_file_that_may_not_be_read_is_told(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    status, out, err = call("fmt", str(folder / "rules/vocabulary.yaml"))
    assert (status, out) == (1, "1 file left alone\n")
    assert err.endswith("vocabulary.yaml: the file cannot be read: Permission denied\n")


def test_other_yaml_in_a_folder_is_passed_over_but_refused_by_name(call: Call, folder: Path) -> None:
    other = folder / "rules/compose.yml"
    other.write_text("services:   {web: {}}\n")
    hidden = folder / "rules/.hidden.yaml"
    hidden.write_text("table:   {}\n")
    assert call("fmt")[0] == 0
    assert hidden.read_text() == "table:   {}\n"
    status, _, err = call("fmt", str(other))
    assert status == 1
    assert "neither a file of the law nor a case" in err
    assert other.read_text() == "services:   {web: {}}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is no folder 'rules' here; name the files or folders to lay out"),
        (["nowhere"], "there is no file or folder 'nowhere'"),
        (["case.json"], "'case.json' is not laid out; only files that end in .yaml are"),
    ],
)
def test_a_call_at_fault(call: Call, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "case.json").write_text("{}")
    assert call("fmt", *arguments) == (2, "", f"{message}\n")


def test_a_file_is_written_whole_or_not_at_all(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clause = folder / "rules/46-designation/B.yaml"
    before = clause.read_text()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert call("fmt") == (130, "laid out rules/46-designation/B.yaml\n", "stopped\n")
    assert clause.read_text() == before
    assert [path.name for path in clause.parent.iterdir()] == ["B.yaml"]


def test_a_link_stays_a_link_and_a_file_named_twice_is_done_once(call: Call, folder: Path) -> None:
    link = folder / "link.yaml"
    link.symlink_to(folder / "rules/46-designation/B.yaml")
    assert call("fmt", "link.yaml", "rules")[1] == "laid out link.yaml\n1 file laid out, 1 file unchanged\n"
    assert link.is_symlink()
    assert link.read_text() == CLAUSE


def test_windows_line_ends_and_a_byte_order_mark_go(call: Call, tmp_path: Path) -> None:
    case = tmp_path / "case.yaml"
    case.write_bytes(b"\xef\xbb\xbf" + CASE.replace("\n", "\r\n").encode())
    assert call("fmt", "case.yaml")[0] == 0
    assert case.read_bytes() == CASE.encode()


def test_help_teaches(call: Call) -> None:
    status, out, _ = call("fmt", "--help")
    assert status == 0
    assert "no comment is lost" in " ".join(out.split())


# Watching


class Clock:
    """Time that passes only when something waits; at each tick something happens, and at the end Ctrl-C."""

    def __init__(self, *happens: Callable[[], object]) -> None:
        self.happens = list(happens)

    def __call__(self, seconds: float) -> None:
        assert 0 < seconds <= 0.5
        if not self.happens:
            raise KeyboardInterrupt
        self.happens.pop(0)()


def nothing() -> None:
    """An interval in which nothing is saved."""


def watched(job: Callable[[], None], paths: list[Path], *happens: Callable[[], object]) -> None:
    left = iter(range(10))

    def limited() -> None:
        assert next(left, None) is not None, "it runs again and again without waiting"
        job()

    with pytest.raises(KeyboardInterrupt):
        watching.run_and_watch(limited, paths, Clock(*happens))


def test_a_job_runs_again_after_each_change_and_only_then(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs: list[int] = []
    vocabulary, new = folder / "rules/vocabulary.yaml", folder / "rules/46-designation/new.yaml"
    watched(
        lambda: runs.append(len(runs)),
        [folder / "rules"],
        nothing,
        lambda: vocabulary.write_text(VOCABULARY + "# saved\n"),
        nothing,
        lambda: (folder / "rules/notes.txt").write_text("not watched"),
        lambda: new.write_text("title: x\n"),
        new.unlink,
    )
    assert runs == [0, 1, 2, 3]
    said = capsys.readouterr().err
    assert said.count("stop with Ctrl-C") == 4
    assert "vocabulary.yaml changed ==" in said
    assert said.count("new.yaml changed ==") == 2


def test_what_is_saved_during_a_run_counts(folder: Path) -> None:
    case = folder / "case.yaml"
    case.write_text("a")
    runs: list[str] = []

    def job() -> None:
        runs.append(case.read_text())
        if len(runs) == 1:
            case.write_text("longer")

    watched(job, [case])
    assert runs == ["a", "longer"]


def test_a_law_at_fault_is_told_and_the_watch_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems: list[BridgelawsError | None] = [
        LawError(read_text("a: 1", "x.yaml", LawError).problem(("a",), "wrong")),
        None,
        UsageError("the folder went away"),
    ]
    case = folder / "case.yaml"

    def job() -> None:
        if problem := problems.pop(0):
            raise problem

    watched(job, [case], lambda: case.write_text("1"), lambda: case.write_text("22"))
    assert not problems
    said = capsys.readouterr().err
    assert "x.yaml:1:4: wrong" in said
    assert "the folder went away" in said


def test_a_call_at_fault_ends_the_watch_at_once(tmp_path: Path) -> None:
    def job() -> None:
        raise UsageError("there is no such folder")

    with pytest.raises(UsageError, match="no such folder"):
        watching.run_and_watch(job, [tmp_path], Clock())


def test_a_save_is_noticed_while_it_really_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PAUSE", 0.01)
    case = tmp_path / "case.yaml"
    case.write_text("1")
    ran_again = threading.Event()
    runs: list[str] = []

    def job() -> None:
        runs.append(case.read_text())
        if len(runs) == 1:
            threading.Timer(0.05, case.write_text, ["22"]).start()
        else:
            ran_again.set()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watching.run_and_watch(job, [tmp_path])
    assert ran_again.is_set()
    assert runs[0] == "1"


def test_check_runs_again_on_save(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = tmp_path / "my-draft/00-definitions/honour.yaml"
    draft.parent.mkdir(parents=True)
    sound = read(ROOT / "rules/00-definitions/honour.yaml")
    draft.write_text(sound.replace("honour: {rank: A}", "honor: {rank: A}"))
    clock = Clock(lambda: draft.write_text(sound))
    monkeypatch.setattr(check, "run_and_watch", partial(watching.run_and_watch, wait=clock))
    status, out, err = call("check", "my-draft", "--watch")
    assert status == 130
    assert out.index("did you mean 'honour'?") < out.index("no problem")
    assert "honour.yaml changed ==" in err
    assert err.endswith("stopped\n")


def test_test_runs_again_on_save(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = tmp_path / "cases/ten.yaml"
    case.parent.mkdir()
    text = "table: {contract: 4S by S, hands: {E: ♦KT862}}\nreports:\n  - card_exposed: {player: E, card: DT}\n"
    case.write_text(text + "expect:\n  never:\n    - major_penalty_card: {}\n")
    clock = Clock(
        lambda: case.write_text(text + "expect:\n  findings:\n    - major_penalty_card: {}\n      clause: 50B\n")
    )
    monkeypatch.setattr(test_command, "run_and_watch", partial(watching.run_and_watch, wait=clock))
    status, out, _ = call("test", "cases", "--edition", "2017", "--watch")
    assert status == 130
    assert "0 passed, 1 failed" in out
    assert "1 passed, 0 failed" in out


def test_the_layout_is_plain_yaml_for_other_programs() -> None:
    data = yaml.load(laid_out(COMMENTED), Loader=yaml.CSafeLoader)
    assert [version["number"] for version in data["versions"]] == ["45E1", "50E2"]
