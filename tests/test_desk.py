"""The ruling desk in a real browser: what a Director does there, and what comes out."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from base64 import urlsafe_b64encode
from email.message import Message
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import DEFLATED, compressobj

import pytest

from bridgelaws import Case, Lawbook
from bridgelaws.located import read_file
from bridgelaws.ruling.text import ruling_lines
from bridgelaws.web.pages import STATIC, static_files
from tests.browser import PHONE, Visit, browser, server, visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ["browser", "server", "visit"]

CASES = Path(__file__).parent / "cases"
DROPPED = {
    "title": "East drops the eight of diamonds",
    "table": {"contract": "4S by S", "hands": {"E": "♦KT862"}},
    "reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": "dropped"}}],
}
LED_OUT_OF_TURN = {
    "table": {"contract": "4S by S", "trick": 8, "on_lead": "W", "hands": {"E": "♦KT862 ♠9", "W": "♦A4 ♣KQ ♥32"}},
    "reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": "led_out_of_turn"}}],
}
HOSTILE = """<script>alert('x')</script><img src=x onerror="document.title='broken'">"'&{{}}"""


def recorded(name: str) -> dict[str, Any]:
    """A recorded case without what is expected of it."""
    from bridgelaws.errors import CaseError

    data = dict(read_file(CASES / name, CaseError).data)
    data.pop("expect")
    return data


@cache
def book(edition: str) -> Lawbook:
    return Lawbook.load(edition)


def expected(case: dict[str, Any], edition: str = "2017") -> list[str]:
    """What the commands announce: findings, and who may play what."""
    ruling = book(edition).rule(Case.from_data(case))
    return [line.text for line in ruling_lines(ruling) if line.part in ("finding", "plays")]


def ready(page: Page) -> Locator:
    """The panel of the ruling, once it holds the ruling on what stands on the desk now."""
    page.wait_for_selector("#ruling[data-state=ready]")
    return page.locator("#ruling")


def lines(page: Page) -> list[str]:
    return ready(page).locator(".lines .said").all_inner_texts()


def fragment(case: Any) -> str:
    packed = compressobj(9, DEFLATED, -15)
    return "d." + urlsafe_b64encode(packed.compress(json.dumps(case).encode()) + packed.flush()).decode().rstrip("=")


def opened(visit: Visit, case: Any, **context: Any) -> Page:
    return visit.page(f"/#{fragment(case)}", **context)


def lit(page: Page, seat: str) -> list[str]:
    return page.locator(f"[data-seat={seat}] .lit").evaluate_all("all => all.map(each => each.dataset.card)")


def dimmed(page: Page, seat: str) -> list[str]:
    return page.locator(f"[data-seat={seat}] .dim").evaluate_all("all => all.map(each => each.dataset.card)")


# What is served.


def got(address: str, headers: dict[str, str] | None = None) -> tuple[int, Message, bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers or {}), timeout=10) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


@pytest.mark.parametrize("path", ["/", "/static/site.css", "/static/desk.js", "/static/icon.svg"])
def test_a_file_comes_with_its_kind_its_tag_and_a_strict_policy(server: str, path: str) -> None:
    status, headers, body = got(server + path)
    assert status == 200 and body
    assert headers["x-content-type-options"] == "nosniff"
    policy = {part.split()[0]: part.split()[1:] for part in headers["content-security-policy"].split(";")}
    assert policy.pop("img-src") == ["'self'", "data:"]
    assert {name for name, allowed in policy.items() if allowed == ["'self'"]} == {
        "script-src",
        "style-src",
        "connect-src",
    }
    assert {name for name, allowed in policy.items() if allowed == ["'none'"]} == {
        "default-src",
        "base-uri",
        "form-action",
        "frame-ancestors",
    }
    kinds = {"/": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    assert headers["content-type"].split(";")[0] == kinds[path.rpartition(".")[2]]
    status, again, nothing = got(server + path, {"if-none-match": headers["etag"]})
    assert (status, nothing) == (304, b"")
    assert again["etag"] == headers["etag"]


@pytest.mark.parametrize(
    "path", ["/static/nothing.js", "/static/../pages.py", "/static/%2e%2e%2fpages.py", "/static/index.html", "/static/"]
)
def test_no_request_leads_to_another_file(server: str, path: str) -> None:
    status, headers, body = got(server + path)
    assert status == 404
    assert headers["content-type"] == "application/problem+json"
    assert json.loads(body)["errors"]


def test_every_file_of_the_folder_is_served_and_names_no_other_place() -> None:
    files = static_files()
    assert set(files) == {path.name for path in STATIC.iterdir() if path.is_file()}
    for name, file in files.items():
        text = file.body.decode()
        found = set(re.findall(r"https?://[\w./]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not found, f"{name} names {found}"
        assert "innerHTML" not in text and "outerHTML" not in text and "insertAdjacentHTML" not in text, name


# A Director at work.


def test_the_dropped_eight_is_ruled_on_from_an_empty_desk_by_clicking(visit: Visit) -> None:
    page = visit.page()
    page.fill("#contract", "4S by S")
    page.click("[data-seat=E] .seat")
    for card in ("king", "ten", "8", "6", "2"):
        page.locator(".board-details").get_by_label(f"{card} of diamonds").click()
    assert page.input_value("#hand-E") == "♦KT862"
    page.fill("#incident-search", "dropped")
    page.click(".incident[data-kind=card_exposed]")
    report = page.locator(".report[data-kind=card_exposed]")
    report.get_by_role("button", name="East").click()
    report.locator(".held [data-card=D8]").click()
    report.get_by_text("Dropped by accident").click()
    page.wait_for_selector("text=minor penalty card")
    assert lines(page) == expected(DROPPED)
    assert lit(page, "E") == ["DK", "DT", "D8"]
    assert dimmed(page, "E") == ["D6", "D2"]
    assert page.get_attribute("[data-seat=E] [data-card=D6]", "title") == "♦6 may not be played before the ♦8 (50C)"
    page.click("[data-seat=E] [data-card=D6]")
    told = page.locator("[data-seat=E] .told")
    assert told.locator("p").inner_text().startswith("♦6 may not be played before the ♦8")
    assert told.locator("a").get_attribute("href") == "/law#50C"


def test_the_example_button_rules_on_the_same(visit: Visit) -> None:
    page = visit.page()
    page.click("#example")
    assert lines(page) == expected(DROPPED)
    page.click("#start-over")
    page.wait_for_selector("#ruling[data-state=empty]")
    assert page.input_value("#hand-E") == ""
    page.wait_for_url(lambda url: "#" not in url)


@pytest.mark.parametrize("option", ["require-D", "forbid-D", "neither"])
def test_each_option_with_a_major_penalty_card_is_followed_through(visit: Visit, option: str) -> None:
    page = opened(visit, LED_OUT_OF_TURN)
    offered = ready(page).locator(".options [data-option]")
    assert offered.evaluate_all("all => all.map(each => each.dataset.option)") == ["require-D", "forbid-D", "neither"]
    words = page.locator(f"[data-option={option}] span").first.inner_text()
    page.click(f"[data-option={option}]")
    page.wait_for_selector("#ruling[data-state=ready] .steps")
    decision = option.removesuffix("-D")
    choice = {"player": "W", "trick": 8, "decision": decision, **({"suit": "D"} if decision != "neither" else {})}
    assert lines(page) == expected({**LED_OUT_OF_TURN, "choices": [{"lead_choice": choice}]})
    allowed = {"require-D": ["DA", "D4"], "forbid-D": ["H3", "H2", "CK", "CQ"]}
    assert lit(page, "W") == allowed.get(option, ["H3", "H2", "DA", "D4", "CK", "CQ"])
    assert page.locator(".steps li span").first.inner_text() == words
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector("#ruling[data-state=ready] .options")
    assert lines(page) == expected(LED_OUT_OF_TURN)


def test_a_changed_designation_is_ruled_on_under_each_edition_and_the_difference_is_shown(visit: Visit) -> None:
    case = recorded("45-card-played/C4b-loss-of-concentration.yaml")
    page = opened(visit, case)
    refused = "The designation of ♠7 from North's hand may not be changed to ♥4"
    assert refused in lines(page) and page.locator(".question").count() == 0
    for edition in ("2007", "1997"):
        page.click(f"#ruling .editions [data-value='{edition}']")
        page.wait_for_selector(f"#ruling[data-compared='{edition}'] .question")
        assert lines(page) == expected(case, edition)
        assert refused not in lines(page)
    assert page.locator("[data-question='designation_judged.unintended'] .judgement").is_visible()
    page.click("[data-beside='2017']")
    there = page.locator(".lines .gone .said").all_inner_texts()
    here = page.locator(".lines .come .said").all_inner_texts()
    assert f"only 2017 {refused}" in there
    assert any(text.startswith("only 1997 Question: ") for text in here)
    assert page.locator(".difference").inner_text().startswith("The same under 2007. Not the same under 2017.")


def test_a_question_is_a_row_of_buttons_with_what_follows_and_goes_when_it_is_answered(visit: Visit) -> None:
    case = {**DROPPED, "reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": "named"}}]}
    page = opened(visit, case)
    question = ready(page).locator("[data-question='exposure_judged.unintentional']")
    assert question.locator(".judgement").is_visible()
    follows = question.locator(".answers", has=page.locator("[data-answer=true]")).locator(".follows").inner_text()
    assert "♦8 is a minor penalty card" in follows
    question.locator("[data-answer=true]").click()
    page.wait_for_selector("#ruling[data-state=ready] >> text=minor penalty card; it stays")
    page.wait_for_selector(".question", state="detached")
    judged = {"exposure_judged": {"player": "E", "card": "D8", "unintentional": True}}
    assert lines(page) == expected({**case, "reports": [*case["reports"], judged]})
    assert page.locator(".report").count() == 2
    page.get_by_role("button", name="Remove Exposure judged").click()
    page.wait_for_selector("#ruling[data-state=ready] .question")


def test_the_reasons_open_as_a_tree(visit: Visit) -> None:
    page = opened(visit, DROPPED)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ready(page).locator(".why-details > summary").click()
    first = page.locator(".why > li > details").first
    first.locator("> summary > span").click()
    assert "♦8 is a minor penalty card" in first.locator("> summary").inner_text()
    inner = first.locator("> ul > li > details > summary > span").first
    assert "♦8 of East is classed minor" in inner.inner_text()
    inner.click()
    assert page.locator(".why .not-so:visible").count() > 0
    assert [each for each in asked if "why=true" in each]


def test_a_mistake_is_told_beside_the_field_and_goes_when_it_is_put_right(visit: Visit) -> None:
    visit.expected.append("422")
    page = visit.page()
    page.fill("#contract", "9S by S")
    page.wait_for_selector("#ruling[data-state=refused]")
    wrong = page.locator(".wrong:visible")
    assert wrong.all_inner_texts() == ["there is no contract at level '9'; the level is 1 to 7"]
    assert page.get_attribute("#contract", "aria-invalid") == "true"
    page.fill("#contract", "4S by S")
    ready(page)
    assert wrong.count() == 0 and page.get_attribute("#contract", "aria-invalid") is None
    page.fill("#incident-search", "retraction")
    page.click(".incident[data-kind=retraction]")
    page.locator(".adding > summary").click()
    page.fill("#incident-search", "card exposed")
    page.click(".incident[data-kind=card_exposed]")
    report = page.locator(".report[data-kind=card_exposed]")
    report.get_by_role("button", name="West").click()
    report.locator(".card-box").fill("D1")
    page.wait_for_selector("#ruling[data-state=refused]")
    # The report above it is not ready and was not sent; the mistake is told in the right one all the same.
    assert "'D1' is no card" in report.locator("[data-field=card] .wrong").inner_text()
    assert page.locator(".report[data-kind=retraction] .wrong:visible").count() == 0


def test_the_incidents_stand_by_law_and_are_found_by_the_words_of_a_director(visit: Visit) -> None:
    page = visit.page("/")
    page.wait_for_selector(".incident")
    headings = page.locator(".incidents h4:visible").all_inner_texts()
    assert len(headings) > 15 and all(each.startswith("Law ") for each in headings)
    assert not page.locator(".incident[data-kind=had_the_suit]").is_visible(), "it only answers a question"
    for words, kind in (
        ("lead out of turn", "led_out_of_turn"),
        ("took back", "retraction"),
        ("did not follow suit", "revoke"),
        ("had the suit", "had_the_suit"),
        ("conceding", "concession_regretted"),
    ):
        page.fill("#incident-search", words)
        assert page.locator(f".incident[data-kind={kind}]").is_visible(), words
    page.fill("#incident-search", "exposed card")
    assert page.locator(".incident:visible").first.get_attribute("data-kind") == "card_exposed"
    page.fill("#incident-search", "qqqq")
    assert page.get_by_text("Nothing has these words").is_visible() and not page.locator(".incident:visible").count()
    page.fill("#incident-search", "")
    assert page.locator(".incidents h4:visible").all_inner_texts() == headings


def test_a_claim_is_tried_on_the_cards(visit: Visit) -> None:
    case = {
        "table": {
            "contract": "4S by S",
            "trick": 12,
            "on_lead": "S",
            "hands": {"S": "♠A ♦A", "W": "♠2 ♥6", "N": "♥32", "E": "♥54"},
        },
        "reports": [
            {"claim_made": {"player": "S", "manner": "says_wins", "tricks": 2}},
            {"line_stated": {"player": "S", "stated": False}},
            {"claim_answered": {"player": "S", "answer": "doubted"}},
        ],
    }
    page = opened(visit, case)
    assert lines(page) == expected(case)
    for typed, claim in (("S", "S"), ("S: draw trumps, DA", {"by": "S", "line": ["draw trumps", "DA"]})):
        page.fill("#claim", typed)
        page.wait_for_timeout(400)
        tried = {**case, "table": {**case["table"], "claim": claim}}
        assert lines(page) == expected(tried) != expected(case)
    again = visit.page("/" + page.evaluate("location.hash"))
    ready(again)
    assert again.input_value("#claim") == "S: draw trumps, DA"
    visit.expected.append("422")
    page.fill("#claim", "Q")
    page.wait_for_selector("[data-errors='table.claim']:not([hidden])")


def test_a_deal_is_pasted_and_cards_are_played_by_clicking(visit: Visit) -> None:
    page = visit.page()
    page.locator(".more > summary", has_text="Tricks").first.click()
    pbn = '[Event "Club"]\n[Deal "N:AKQ2.432.T86.J32 543.AK5.KJ4.T984 JT98.QJT9.A5.AKQ 76.876.Q9732.765"]\n'
    page.fill("#deal", pbn + '[Contract "4S"]\n[Declarer "S"]\n')
    assert page.input_value("#hand-E") == "♠543 ♥AK5 ♦KJ4 ♣T984"
    assert page.input_value("#deal") == ""
    ready(page)
    for seat, card in (("W", "C7"), ("N", "C2"), ("E", "C8"), ("S", "CA"), ("S", "S8")):
        page.click(f"[data-seat={seat}] [data-card={card}]")
        page.locator(f"[data-seat={seat}] .told").get_by_role("button", name="Play it").click()
    assert page.input_value("#tricks") == "W: C7 C2 C8 CA\nS: S8"
    page.wait_for_selector("#ruling[data-state=ready] >> text=West may play")
    assert lit(page, "W") == ["S7", "S6"]
    assert page.locator("[data-seat=W] [data-card=C7]").get_attribute("class") == "held-card gone-card"


def test_the_keyboard_is_enough(visit: Visit) -> None:
    visit.expected.append("422")
    page = visit.page()
    keys = page.keyboard
    page.wait_for_selector("#example")

    def tab_to(selector: str) -> None:
        for _ in range(60):
            keys.press("Tab")
            if page.evaluate("each => document.activeElement.matches(each)", selector):
                return
        raise AssertionError(f"Tab does not lead to {selector}")

    tab_to("#contract")
    keys.type("4S by S")
    tab_to("[data-seat=E] .seat")
    keys.press("Enter")
    tab_to(".board-details .pick")
    for _ in range(2):
        keys.press("ArrowDown")
    for _ in range(6):
        keys.press("ArrowRight")
    keys.press("Space")
    assert page.evaluate("document.activeElement.dataset.card") == "D8"
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    keys.press("Home")
    keys.press("ArrowRight")
    keys.press("Space")
    assert page.input_value("#hand-E") == "♦K8"
    tab_to("#incident-search")
    keys.type("card exposed")
    keys.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.kind") == "card_exposed"
    keys.press("Enter")
    assert page.evaluate("document.activeElement.dataset.value") == "N"
    keys.press("Tab")
    keys.press("Space")
    tab_to(".report .card-box")
    keys.type("d8")
    tab_to(".report input[type=radio]")
    # The group begins at what is chosen, "not told", at its end: one step on is the first.
    keys.press("ArrowDown")
    page.wait_for_selector("#ruling[data-state=ready] >> text=minor penalty card")
    case = {**DROPPED, "table": {"contract": "4S by S", "hands": {"E": "DK D8"}}}
    assert lines(page) == expected(case)
    assert page.evaluate("document.activeElement.value") == "dropped"


def test_an_option_taken_with_the_keyboard_leaves_the_keyboard_in_the_ruling(visit: Visit) -> None:
    page = opened(visit, LED_OUT_OF_TURN)
    ready(page)
    page.focus("[data-option=neither]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#ruling[data-state=ready] .steps")
    assert page.evaluate("document.querySelector('#ruling').contains(document.activeElement)")


def test_a_phone_shows_everything_without_scrolling_sideways(visit: Visit) -> None:
    page = visit.page(viewport=PHONE, has_touch=True, is_mobile=True)

    def overflow() -> int:
        return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    page.wait_for_selector("#example")
    assert overflow() <= 0
    page.fill("#contract", "4S by S")
    page.locator("[data-seat=E] .seat").tap()
    for card in ("DK", "DT", "D8", "D6", "D2"):
        page.locator(f".board-details [data-card={card}]").tap()
    assert overflow() <= 0
    smallest = page.locator(".board-details .pick").evaluate_all(
        "all => Math.min(...all.map(each => Math.min(each.offsetWidth + 2, each.offsetHeight)))"
    )
    assert smallest >= 22
    page.fill("#incident-search", "dropped")
    page.locator(".incident[data-kind=card_exposed]").tap()
    report = page.locator(".report")
    report.get_by_role("button", name="East").tap()
    report.locator(".held [data-card=D8]").tap()
    report.get_by_text("Dropped by accident").tap()
    page.wait_for_selector("#ruling[data-state=ready] >> text=minor penalty card")
    assert overflow() <= 0
    page.locator("#title").scroll_into_view_if_needed()
    page.locator(".peek").tap()
    assert page.locator("#ruling .lines").is_visible()
    page.wait_for_selector(".peek.there", state="attached")
    page.locator("[data-seat=E] [data-card=D6]").tap()
    assert page.locator("[data-seat=E] .told a").is_visible()
    assert overflow() <= 0


def test_the_link_holds_the_whole_case(visit: Visit) -> None:
    page = visit.page(permissions=["clipboard-read", "clipboard-write"])
    page.click("#example")
    ready(page)
    page.fill("#title", "Ein Fall für Müller: ♦8")
    page.click("#ruling .editions [data-value='2007']")
    page.fill("#hand-W", "♣AK")
    ready(page)
    page.click("#copy-link")
    page.wait_for_selector("text=Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert page.url == link
    other = visit.page(link.removeprefix(visit.address))
    assert lines(other) == lines(page)
    assert other.input_value("#title") == "Ein Fall für Müller: ♦8"
    assert other.input_value("#hand-W") == "♣AK"
    assert other.get_attribute("#ruling .editions [data-value='2007']", "aria-pressed") == "true"


def test_a_link_with_choices_says_what_was_chosen(visit: Visit) -> None:
    chosen = {"lead_choice": {"player": "W", "trick": 8, "decision": "require", "suit": "D"}}
    page = opened(visit, {**LED_OUT_OF_TURN, "choices": [chosen]})
    page.wait_for_selector(".steps >> text=Require West to lead a diamond")


def test_the_players_get_the_ruling_as_text(visit: Visit) -> None:
    page = opened(visit, DROPPED, permissions=["clipboard-read", "clipboard-write"])
    ready(page)
    page.click("#copy-text")
    page.wait_for_selector("text=Copied")
    text = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert text[0] == DROPPED["title"]
    assert [line.partition("  (")[0] for line in text[2:-2]] == expected(DROPPED)
    assert text[2].endswith("(50B, 50A, 49, 50)") and text[-1].endswith("edition 2017")
    page.click("#copy-link")
    page.wait_for_selector("text=Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_the_case_file_is_one_that_the_commands_read(visit: Visit, tmp_path: Path) -> None:
    case = {**LED_OUT_OF_TURN, "title": 'He said: "no" #1 \\ – Zug\u0085um\u2028zug'}
    page = opened(visit, case)
    ready(page)
    page.click("[data-option=neither]")
    page.wait_for_selector("#ruling[data-state=ready] .steps")
    with page.expect_download() as found:
        page.click("#download")
    assert found.value.suggested_filename == "he-said-no-1-zug-um-zug.yaml"
    file = tmp_path / "case.yaml"
    found.value.save_as(file)
    read = Case.from_file(file)
    assert (read.title, read.edition) == (case["title"], "2017")
    ruling = book("2017").rule(read)
    assert [line.text for line in ruling_lines(ruling) if line.part in ("finding", "plays")] == lines(page)


@pytest.mark.parametrize("name", ["title", "hand", "report", "claim"])
def test_hostile_words_are_shown_as_words(visit: Visit, name: str) -> None:
    visit.expected.append("422")
    case = json.loads(json.dumps(DROPPED))
    if name == "title":
        case["title"] = HOSTILE
    elif name == "hand":
        case["table"]["hands"]["E"] = HOSTILE
    elif name == "claim":
        case["table"]["claim"] = {"by": HOSTILE, "line": [HOSTILE]}
    else:
        case["reports"] = [{HOSTILE: {HOSTILE: HOSTILE}}]
    page = opened(visit, case)
    page.wait_for_selector("#ruling[data-state=ready], #ruling[data-state=refused]")
    assert page.title() == "Ruling desk: bridgelaws"
    assert page.locator("main script, main img").count() == 0
    if name == "title":
        assert page.input_value("#title") == HOSTILE
    elif name == "hand":
        assert page.input_value("#hand-E") == HOSTILE
        assert "<script>" in page.locator("#ruling .notice").inner_text()
    elif name == "claim":
        assert page.input_value("#claim") == f"{HOSTILE}: {HOSTILE}"
        assert "<script>" in page.locator("#ruling .notice").inner_text()
    else:
        assert "<script>" in page.locator(".report h3").inner_text()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("d.AAAA", "the link is damaged"),
        ("j.%%%", "the link is damaged"),
        ("d." + "A" * 40_000, "the link is too long"),
        (fragment([1, 2]), "the case cannot be read"),
        (fragment({"table": {"hands": {"E": {"__proto__": "x"}}}}), "a hand is not a text"),
        (fragment({HOSTILE: 1}), "a case has no '<script>"),
        (fragment({"reports": [{"card_exposed": {"player": {"deep": []}}}]}), "'player' is not a value"),
        (fragment({"title": "x" * 1_000_000}), "the case in the link is too large"),
    ],
    ids=["damaged", "no base64", "too long", "a list", "a strange hand", "a strange key", "a deep field", "inflated"],
)
def test_a_link_that_cannot_be_opened_says_so_and_does_no_harm(visit: Visit, given: str, reason: str) -> None:
    page = visit.page(f"/#{given}")
    page.wait_for_selector(".notice.bad:visible")
    assert page.locator(".notice.bad").first.inner_text().startswith(f"This link cannot be opened: {reason}")
    page.wait_for_selector("#ruling[data-state=empty]")
    assert page.locator("main script, main img").count() == 0
    page.click("#example")
    assert lines(page) == expected(DROPPED)


def test_another_link_pasted_into_the_same_page_is_opened(visit: Visit) -> None:
    page = opened(visit, DROPPED)
    ready(page)
    page.evaluate("hash => { location.hash = hash; }", fragment(LED_OUT_OF_TURN))
    page.wait_for_selector("#ruling[data-state=ready] .options")
    assert lines(page) == expected(LED_OUT_OF_TURN)
    assert page.input_value("#title") == ""


def test_an_address_without_a_case_leaves_the_desk_as_it_is(visit: Visit) -> None:
    page = opened(visit, DROPPED)
    ready(page)
    page.focus(".skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.evaluate("() => { location.hash = '#elsewhere'; }")
    page.wait_for_url(lambda url: "#d." in url)
    assert lines(page) == expected(DROPPED)


def test_a_link_that_names_an_unknown_edition_says_which_one_is_shown(visit: Visit) -> None:
    page = opened(visit, {**DROPPED, "edition": "2018"})
    page.wait_for_selector("text=There is no edition 2018 here. This is the ruling under 2017.")
    assert lines(page) == expected(DROPPED)


def test_dark_colours_follow_the_device_and_the_button_and_are_remembered(visit: Visit) -> None:
    page = visit.page(color_scheme="dark")
    page.wait_for_selector("#example")

    def paper() -> int:
        shown = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(each) for each in re.findall(r"\d+", shown)[:3])

    assert paper() < 150
    page.get_by_role("button", name="Light colours").click()
    assert paper() > 600
    page.reload()
    page.wait_for_selector("#example")
    assert paper() > 600
    page.get_by_role("button", name="Dark colours").click()
    assert paper() < 150
    page.emulate_media(color_scheme="light")
    page.wait_for_selector("html[data-theme=light]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_can_be_read_against_its_ground(visit: Visit, scheme: str) -> None:
    page = opened(visit, DROPPED, color_scheme=scheme)
    ready(page)
    contrast = """
      () => {
        const parts = (text) => text.match(/[\\d.]+/g).map(Number);
        const light = (text) => parts(text).slice(0, 3).map((each) => each / 255)
          .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
          .reduce((sum, each, place) => sum + each * [0.2126, 0.7152, 0.0722][place], 0);
        const ground = (each) => {
          for (; each; each = each.parentElement) {
            const shown = getComputedStyle(each).backgroundColor;
            if (parts(shown).length < 4 || parts(shown)[3] > 0) return shown;
          }
          return "rgb(255, 255, 255)";
        };
        const told = [...document.querySelectorAll("main *, header *")].filter((each) => each.checkVisibility()
          && !each.closest(".dim") && [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
        const low = told.map((each) => {
          const [one, other] = [light(getComputedStyle(each).color), light(ground(each))].sort((a, b) => b - a);
          return [each.textContent.slice(0, 30), (one + 0.05) / (other + 0.05)];
        }).filter(([, ratio]) => ratio < 4.5);
        return { low, seen: told.length };
      }"""
    found = page.evaluate(contrast)
    assert found["seen"] > 40
    assert found["low"] == []
