"""The law as a book: every page hangs together, every text is only text, and every rule reads as a sentence."""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

from bridgelaws.casebook.running import read_cases
from bridgelaws.cli import main
from bridgelaws.engine.program import Fact
from bridgelaws.errors import CaseError
from bridgelaws.lawbook.law import Law, load_law
from bridgelaws.lawbook.sentences import fact_sentence, rule_sentence
from bridgelaws.pages.html import suited, tag
from bridgelaws.pages.making import book_files
from bridgelaws.pages.markdown import clause_markdown

CASES = Path(__file__).parent / "cases"
SOME_CASES = CASES / "50-penalty-card"


class Reader(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


@pytest.fixture(scope="module")
def book(law: Law) -> dict[str, str]:
    return book_files(law, read_cases(SOME_CASES, law))


@pytest.fixture(scope="module")
def pages(book: dict[str, str]) -> dict[str, Reader]:
    return {name: Reader(text) for name, text in book.items() if name.endswith(".html")}


def search_entries(files: dict[str, str]) -> list[dict[str, str]]:
    script = files["search-index.js"]
    assert script.startswith("var BOOK = [")
    entries: list[dict[str, str]] = json.loads(script.removeprefix("var BOOK = ").rstrip(";\n"))
    return entries


def broken_links(files: dict[str, str], pages: dict[str, Reader]) -> list[tuple[str, str]]:
    addresses = [(name, link) for name, page in pages.items() for each in ("href", "src") for link in page.values(each)]
    addresses += [("index.html", entry["address"]) for entry in search_entries(files)]
    broken: list[tuple[str, str]] = []
    for page, link in addresses:
        path, anchor = urldefrag(link)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) if path else page
        if target not in files or (anchor and anchor not in pages[target].values("id")):
            broken.append((page, link))
    return broken


def test_every_link_leads_somewhere(book: dict[str, str], pages: dict[str, Reader]) -> None:
    assert sum(len(page.values("href")) for page in pages.values()) > 1000
    assert broken_links(book, pages) == []


def test_no_two_things_on_a_page_have_one_address(pages: dict[str, Reader]) -> None:
    for name, page in pages.items():
        assert len(page.values("id")) == len(set(page.values("id"))), name


def test_every_clause_of_every_edition_has_its_place(law: Law, pages: dict[str, Reader]) -> None:
    for edition in law.editions:
        for provision in law.edition(edition).provisions:
            page = pages[f"{provision.clause.id}.html"].text
            assert f"{edition} {provision.number}" in page
            assert provision.version.gist in page
            for rule in provision.version.rules:
                assert rule.name in page
    assert "Law 50: penalty card" in pages["index.html"].text
    assert all(each.title.lower() in pages[f"{each.law}.html"].text.lower() for each in law.clauses)


def test_rules_that_an_edition_did_not_change_are_told_once(law: Law, pages: dict[str, Reader]) -> None:
    clause = next(each for each in law.clauses if each.id == "50-penalty-card/C-minor")
    sentence = rule_sentence(clause.versions[0].rules[0], law.vocabulary)
    assert pages[f"{clause.id}.html"].text.count(f"{sentence.main},") == 1


def test_a_case_stands_as_an_example_with_its_table_its_reports_and_its_ruling(pages: dict[str, Reader]) -> None:
    page = pages["50-penalty-card/B-major-or-minor.html"].text
    example = page[page.index("East drops the eight of diamonds from K T 8 6 2") :]
    assert "4♠ by South" in example
    assert "♦ K T 8 6 2" in example
    assert "♦8 of East was dropped by accident at trick 1." in example
    assert "♦8 is a minor penalty card; it stays faced in front of East" in example
    assert "The ruling in 1997" in example


def test_what_refers_to_a_clause_is_told_on_its_page(pages: dict[str, Reader]) -> None:
    page = pages["50-penalty-card/B-major-or-minor.html"].text
    assert re.search(r"What it concludes is used in [^.]*50C", page)
    assert re.search(r"Rests on what is concluded in [^.]*Definition of honour", page)


def test_the_search_finds_penalty_cards_by_title_gist_sentence_and_case(book: dict[str, str]) -> None:
    found = {each["title"] for each in search_entries(book) if "penalty card" in each["text"].lower()}
    assert "50C A minor penalty card" in found
    assert "50B Major or minor" in found
    assert "Definition of honour" not in found
    assert any(each["gist"] == "Example of 50B" for each in search_entries(book))


def test_nothing_is_asked_of_another_machine(book: dict[str, str]) -> None:
    for name, text in book.items():
        assert not re.search(r"https?:|//[a-z]+\.|@import|url\(", text), name


def test_every_page_is_a_page_for_phones_and_paper(book: dict[str, str], pages: dict[str, Reader]) -> None:
    for page in pages.values():
        assert ("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}) in page.tags
    for wanted in ("@media print", "prefers-color-scheme: dark", "@media (max-width"):
        assert wanted in book["book.css"]


def test_the_book_comes_out_the_same_every_time(tmp_path: Path) -> None:
    written: list[dict[str, bytes]] = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        command = [sys.executable, "-m", "bridgelaws", "book", "--out", str(out)]
        command += ["--cases", str(CASES / "44-following-suit")]
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        written.append({str(each.relative_to(out)): each.read_bytes() for each in out.rglob("*") if each.is_file()})
    assert written[0] == written[1]
    assert not any(name.split("/")[-1].startswith(".") for name in written[0])


EVIL = """</script><script>alert('x')</script> "quoted" & 'so' <img src=x onerror=alert(1)> ${x} {{y}} &amp; ♥K"""
SAID = EVIL.replace("{", "(").replace("}", ")")


@pytest.fixture
def evil(tmp_path: Path) -> dict[str, str]:
    """A book of a law and a case that say such things wherever they may say anything."""
    editions = {"editions": {"2017": {"name": EVIL}, "2027 <b>&'": {"name": EVIL, "follows": "2017"}}}
    exposed = {
        "source": "report",
        "means": EVIL,
        "say": f"{{card}} of {{player}} {SAID} {{how}}",
        "fields": {
            "player": "seat",
            "card": "card",
            "how": {"type": "one_of", "values": {"a": EVIL, "b": EVIL}, "ask": EVIL, "means": EVIL},
        },
    }
    picked = {"source": "ruling", "means": EVIL, "say": f"{{card}} {SAID}", "fields": {"card": "card"}}
    chosen = {"source": "choice", "means": EVIL, "chooser": SAID, "say": SAID, "fields": {"player": "seat"}}
    rule = {
        "name": EVIL,
        "when": [{"exposed": {"player": "$player", "card": "$card", "how": "a"}}],
        "unless": [{"chosen": {"player": "$player"}}],
        "then": [{"picked": {"card": "$card"}, "because": SAID.replace("$", "")}],
        "offer": [{"chosen": {"player": "$player"}}],
    }
    version = {
        "number": "50A",
        "gist": EVIL,
        "note": EVIL,
        "advice": EVIL,
        "see": [EVIL, "50A"],
        "confidence": "reading",
        "rules": [rule],
    }
    clause = {"title": EVIL, "versions": [{"since": "2017", **version}, {"since": "2027 <b>&'", **version}]}
    case = {
        "title": EVIL,
        "source": EVIL,
        "note": EVIL,
        "reports": [{"exposed": {"player": "E", "card": "HK", "how": "a"}}],
        "expect": {"findings": [{"picked": {"card": "HK"}, "clause": "50A"}]},
    }
    kinds: dict[str, Any] = {"kinds": {"exposed": exposed, "picked": picked, "chosen": chosen}}
    (tmp_path / "law" / "50-cards & <i>'").mkdir(parents=True)
    (tmp_path / "cases").mkdir()
    names = {"law/editions": editions, "law/vocabulary": kinds, 'law/50-cards & <i>\'/A "b" #c': clause}
    for name, data in {**names, "cases/A <u>&'": case}.items():
        (tmp_path / f"{name}.yaml").write_text(json.dumps(data), encoding="utf-8")
    law = load_law(tmp_path / "law")
    return book_files(law, read_cases(tmp_path / "cases", law))


def test_a_text_is_never_more_than_text(evil: dict[str, str]) -> None:
    pages = {name: Reader(text) for name, text in evil.items() if name.endswith(".html")}
    assert len(pages) == 3
    for page in pages.values():
        scripts = [attributes for name, attributes in page.tags if name == "script"]
        assert [set(each) for each in scripts] == [{"src", "defer"}, {"src", "defer"}]
        assert not {name for name, _ in page.tags} & {"img", "i", "u", "iframe"}
        assert not [key for _, attributes in page.tags for key in attributes if key.startswith("on")]
    assert broken_links(evil, pages) == []
    clause = next(page.text for name, page in pages.items() if "#c" in name)
    # Title, gist, note, advice, reference, rule, exact conditions, case title, source, note, ruling: all as written.
    assert clause.count(EVIL) >= 12
    assert clause.count(SAID) >= 4
    assert "<script" not in evil["search-index.js"]
    assert any(EVIL in entry["title"] for entry in search_entries(evil))


def test_an_element_escapes_its_texts_and_its_attributes() -> None:
    assert (
        tag("a", "<b> & c", tag("i", "'d'"), href='"e"')
        == '<a href="&quot;e&quot;">&lt;b&gt; &amp; c<i>&#x27;d&#x27;</i></a>'
    )
    assert tag("input", disabled=True, value=None) == "<input disabled>"
    assert suited("<♦8>") == '&lt;<span class="diamonds">♦8</span>&gt;'


@pytest.mark.parametrize("expect", ["{}", "{questions: []}"], ids=["not to be read", "not to be ruled on"])
def test_a_case_at_fault_stops_the_book(law: Law, tmp_path: Path, expect: str) -> None:
    (tmp_path / "case.yaml").write_text(f"reports:\n  - card_exposd: {{}}\nexpect: {expect}\n", encoding="utf-8")
    with pytest.raises(
        CaseError, match=r"case\.yaml:[23]:\d+: (nothing is expected here|there is no report 'card_exposd')"
    ):
        book_files(law, read_cases(tmp_path, law))


def test_a_book_without_cases_has_no_examples(law: Law) -> None:
    files = book_files(law, ())
    assert "other-cases.html" not in files
    assert 'class="example"' not in "".join(files.values())


SENTENCES = {
    ("00-definitions/honour", "the five honours"): (
        "Each of the ace, the king, the queen, the jack and the ten is an honour."
    ),
    ("44-following-suit/A-lead-to-a-trick", "the leader's cards are listed"): (
        "When a player is to lead to a trick, then the cards of the player are listed, unless the play stands still "
        "after a claim or concession, or unless it is settled which card the player plays, or unless the player may "
        "not lead until declarer has chosen, or unless an earlier trick is not settled, since a card of it is to be "
        "changed, or unless the player does not lead to the trick for now."
    ),
    ("44-following-suit/C-follow-suit", "another suit while able to follow"): (
        "When a player has yet to play to the suit led at a trick, the player holds a card of the suit, and the player "
        "holds a card of another suit, then the card would not follow suit, and the player can, and the player may not "
        "play the card, because a card of the suit led must be played, unless the player takes a card back from an "
        "earlier trick."
    ),
    ("44-following-suit/E-tricks-with-trumps", "beaten in its suit"): (
        "When a card lies in a trick and a card of the same suit higher than the card lies in the trick, then the card "
        "is beaten in its suit in the trick."
    ),
    ("44-following-suit/G-lead-to-the-next-trick", "the winner leads"): (
        "When a player wins a trick and a later trick is being played, then the lead to the later trick is from the "
        "player's hand, unless the play stands still after a claim or concession, or unless the lead out of turn to "
        "the later trick has become a correct lead, or unless a defender may say from which hand the later trick is "
        "led."
    ),
    ("50-penalty-card/B-major-or-minor", "major, an honour"): (
        "When a player's card became a penalty card and the card is an honour, then the card is classed major."
    ),
    ("50-penalty-card/B-major-or-minor", "minor"): (
        "When a player's card became a penalty card and the card was exposed unintentionally, then the card is classed "
        "minor, unless the card is an honour, or unless the card was exposed through deliberate play, or unless the "
        "card lay there together with another penalty card."
    ),
    ("50-penalty-card/B-major-or-minor", "a small card named or shown"): (
        "When a player's card became a penalty card, and the card was named as being in the hand, or shown on purpose, "
        "but not in playing it, then the Director is asked about the card: “Was the card exposed unintentionally?”, "
        "unless the card is an honour, or unless the card lay there together with another penalty card."
    ),
    ("50-penalty-card/C-minor", "no other small card of the suit first"): (
        "When a player's card is a minor penalty card and the player holds another card of the same suit, then the "
        "player may not play the other card before the first card, unless the other card is an honour, or unless the "
        "other card can be the player's card, or unless the first card is not what declarer requires."
    ),
    ("50-penalty-card/C-minor", "having seen it"): (
        "When a player's card is a minor penalty card, then the player's partner may not use the sight of the card."
    ),
    ("50-penalty-card/D1-first-opportunity", "other cards wait"): (
        "When a player's card can legally be played and the player holds another card, then the player may not play "
        "the other card, because the first card must be played first, unless the other card can legally be played, or "
        "unless the player played the first card."
    ),
    ("50-penalty-card/E1-on-the-table", "everything is known to all"): (
        "When a card still lies there as a penalty card, then every player may use anything that follows from the "
        "card, unless the player may not use the card, although it lies on the table."
    ),
    ("50-penalty-card/B-major-or-minor", "major, one of several"): (
        "When a player's card lay there together with another penalty card, then the card is classed major."
    ),
}


@pytest.mark.parametrize(("clause", "rule"), SENTENCES, ids=lambda text: text)
def test_a_rule_reads_as_a_sentence(law: Law, clause: str, rule: str) -> None:
    found = next(each for each in law.clauses if each.id == clause)
    rules = (each for version in found.versions for each in version.rules)
    written = next(each for each in rules if each.name == rule)
    assert rule_sentence(written, law.vocabulary).text.replace(" (must)", "") == SENTENCES[clause, rule]


def test_every_shipped_rule_gives_a_whole_sentence(law: Law) -> None:
    rules = [rule for clause in law.clauses for version in clause.versions for rule in version.rules]
    assert len(rules) > 400
    for rule in rules:
        text = rule_sentence(rule, law.vocabulary).text
        assert not set(text) & set("$_{}…"), text
        assert not re.search(
            r"\s\s|\s[,.;]|,,|\b(a|an|the) (a|an|the)\b|\b(\w+) \3\b(?<!that that)(?<!had had)", text
        ), text
        assert re.fullmatch(r"[A-Z].*[.”]\.?", text), text


def test_what_nobody_said_is_left_out_of_a_report(law: Law) -> None:
    kind = law.vocabulary["card_exposed"]

    def said(**values: str | int) -> str:
        fact: Fact = kind.fact(values)
        return fact_sentence(fact, law.vocabulary)

    assert said(player="E", card="D8", manner="dropped") == "♦8 of East was dropped by accident"
    assert said(player="E", card="D8") == "♦8 of East was exposed"
    assert said(player="E", card="D8", trick=3) == "♦8 of East was exposed at trick 3"


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """A draft with a clause that is repealed, and with rules that say things as no shipped rule does."""
    folder = tmp_path / "draft" / "99-new"
    folder.mkdir(parents=True)
    (folder / "A.yaml").write_text(
        "title: Manners\nversions:\n"
        '  - {since: "1997", number: 99A, gist: Be polite., no_rules: a matter of manners}\n'
        '  - {since: "2017", number: 99A, repealed: true}\n',
        encoding="utf-8",
    )
    (folder / "B.yaml").write_text(DRAFT_RULES, encoding="utf-8")
    return tmp_path / "draft"


DRAFT_RULES = """
title: Odd things
versions:
  - since: "2017"
    number: 99B
    gist: Odd things.
    rules:
      - name: values and comparisons
        when:
          - now: {trick: {above: 12}}
          - holds: {player: $player, card: {is: $card, rank: {at_most: 9}, suit: {not: S}}}
        unless:
          - player: {seat: $player, role: dummy}
          - trumps: {suit: {not: H}}
        then:
          - lead_allowed: {player: $player, card: $card}
      - name: one place
        when:
          - in_trick: {player: $player, position: {below: 3}, card: {is: $card, rank: {one_of: [A, K]}}}
          - in_trick: {player: {not: $player}, card: {rank: {not: Q}}}
        then:
          - lead_allowed: {player: $player, card: $card}
"""


def test_rules_of_a_draft_read_as_sentences(draft: Path) -> None:
    law = load_law(draft)
    clause = next(each for each in law.clauses if each.id == "99-new/B")
    first, second = (rule_sentence(rule, law.vocabulary).text for rule in clause.versions[0].rules)
    assert first == (
        "When a trick after trick 12 is being played and a player holds a card no higher than the nine not of spades, "
        "then the card is not of a suit forbidden to the player, unless the player is dummy, or unless a suit other "
        "than hearts is trumps."
    )
    assert second == (
        "When a player's card of the rank of the ace or the king lies in a trick before third place and a card of "
        "another player other than the queen lies in a trick, then the card is not of a suit forbidden to the player."
    )


def test_the_command_writes_the_book_of_a_draft(
    draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = tmp_path / "cases"
    cases.mkdir()
    (cases / "nothing.yaml").write_text("title: Nothing happened\nexpect: {questions: []}\n", encoding="utf-8")
    arguments = ["book", "--out", str(tmp_path / "book"), "--laws", str(draft), "--cases", str(cases)]
    monkeypatch.setattr(sys, "argv", ["bridgelaws", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert f"open {tmp_path / 'book' / 'index.html'}" in capsys.readouterr().out
    repealed = Reader((tmp_path / "book" / "99-new" / "A.html").read_text(encoding="utf-8")).text
    assert "Since 2017Repealed: there is no such clause." in repealed
    assert "In 1997 and 2007Be polite.No rules. a matter of manners" in repealed
    assert "Nothing happened" in (tmp_path / "book" / "other-cases.html").read_text(encoding="utf-8")
    index = Reader((tmp_path / "book" / "index.html").read_text(encoding="utf-8")).text
    assert "99A Manners no longer in force" in index
    assert "Other cases" in index


def test_markdown_signs_in_a_text_are_escaped(draft: Path) -> None:
    clause = load_law(draft).clauses[-1]
    odd = replace(clause, title="a *b* <i> [c](d) `e` _f_")
    shown = clause_markdown(odd, clause.versions, load_law(draft).vocabulary)
    assert shown.startswith(
        "# a \\*b\\* \\<i\\> \\[c\\](d) \\`e\\` \\_f\\_\n\n## 99B, since 2017\n\nOdd things.\n\n- **values"
    )
