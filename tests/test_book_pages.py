"""The law book, the comparison and the workshop in a real browser."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import PHONE, Visit, browser, serving, visit

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["browser", "visit"]

ROOT = Path(__file__).parent.parent
HONOUR = "00-definitions%2Fhonour"
MAJOR = "50-penalty-card%2FB-major-or-minor"
SLOW = 60_000
HOSTILE = "<img src=x onerror=document.title='broken'><script>document.title='broken'</script>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with some of the cases: to rule on all of them takes a while."""
    folder = tmp_path_factory.mktemp("cases")
    for law in ("50-penalty-card", "16-information"):
        (folder / law).mkdir()
        for path in sorted((ROOT / "tests" / "cases" / law).glob("[Bw]*.yaml")):
            shutil.copy(path, folder / law)
    with serving("--cases", str(folder)) as address:
        yield address


def numbers(page: Page) -> list[str]:
    return page.locator(".entries .number").all_inner_texts()


def test_a_number_is_found_first_and_words_wherever_they_stand(visit: Visit) -> None:
    page = visit.page("/law")
    page.get_by_label("Search the law").fill("50d2")
    first = page.locator(".entries .number").first
    first.filter(has_text=re.compile("^50D2$")).wait_for()
    assert all(each.startswith("50D2") for each in numbers(page)[:3])
    page.get_by_label("Search the law").fill("dummy lead")
    first.filter(has_not_text="50D2").wait_for()
    assert len(numbers(page)) > 1
    page.get_by_label("Search the law").fill("xyzzy")
    page.get_by_text("No clause has these words.").wait_for()


def test_the_search_is_done_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit.page("/law")
    page.locator(".found details").first.wait_for()
    page.keyboard.press("/")
    page.keyboard.type("penalty card")
    page.locator(".count", has_text="clauses").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = numbers(page)[1]
    assert page.evaluate("document.activeElement.querySelector('.number').textContent") == second
    page.keyboard.press("Enter")
    page.locator(".clause .title .number", has_text=second).wait_for()


def test_a_link_opens_the_clause_and_each_edition_says_its_own(visit: Visit) -> None:
    page = visit.page("/law#50D2(a)")
    page.locator(".title .number", has_text="50D2(a)").wait_for()
    page = visit.page("/law#24")
    page.locator(".title .number", has_text=re.compile("^24$")).wait_for()
    panel = page.get_by_role("tabpanel")
    tabs = page.get_by_role("tab")
    assert [each.split()[0] for each in tabs.all_inner_texts()] == ["1997", "2007", "2017"]
    latest = panel.inner_text()
    assert page.get_by_role("tab", selected=True).inner_text().startswith("2017")
    page.get_by_role("tab", selected=True).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("tab", selected=True).inner_text().startswith("1997")
    assert panel.inner_text() != latest
    assert "edition=1997" in page.url


def test_a_number_means_what_it_means_in_the_edition_of_the_link(visit: Visit) -> None:
    titles = []
    for edition in ("1997", "2017"):
        page = visit.page(f"/law?edition={edition}#24")
        page.locator(".title .number").wait_for()
        page.get_by_role("tab", selected=True).filter(has_text=edition).wait_for()
        titles.append(page.locator(".gist").inner_text())
    assert titles[0] != titles[1]


def test_a_clause_shows_its_rules_its_references_and_its_cases_as_hands(visit: Visit) -> None:
    page = visit.page("/law#50B")
    assert page.locator(".rules > li").first.inner_text()
    page.locator(".references").get_by_role("link", name="50C", exact=True).wait_for()
    first = page.locator(".example").first
    assert first.locator(".hands .east").inner_text().startswith("East")
    assert first.locator(".hands mark").all_inner_texts()
    assert first.locator(".ruling li").count() > 1
    second = page.locator(".example").nth(1)
    assert second.locator(".ruling").count() == 0
    second.locator("> summary").press("Enter")
    second.locator(".ruling").first.wait_for()
    page.locator(".references").get_by_role("link", name="50C", exact=True).click()
    page.locator(".title .number", has_text="50C").wait_for()


def test_the_list_beside_a_clause_shows_where_it_stands(visit: Visit) -> None:
    page = visit.page("/law#50E3")
    current = page.locator(".entries [aria-current]")
    current.wait_for()
    place, room = current.bounding_box(), page.locator("aside").bounding_box()
    assert place and room and room["y"] <= place["y"] and place["y"] + place["height"] <= room["y"] + room["height"]


def test_a_clause_that_is_not_there_is_said_not_to_be(visit: Visit) -> None:
    page = visit.page(f"/law#{HOSTILE}")
    page.get_by_text("There is no clause “<img").wait_for()
    assert page.title() == "No such clause: bridgelaws"


def test_without_cases_the_book_says_how_to_have_them(visit: Visit) -> None:
    page = visit.page("/law")
    page.route("**/v1/book/*/*", lambda route: _with(route, {"cases": None}))
    page.goto(f"{visit.address}/law#50B")
    page.get_by_text("This server has no cases.").wait_for()


def _with(route: Route, changed: dict[str, Any]) -> None:
    """The server's answer with something else in it."""
    answer = route.fetch()
    route.fulfill(response=answer, body=json.dumps({**answer.json(), **changed}))


def test_changed_clauses_come_first_and_a_table_shows_the_difference(visit: Visit) -> None:
    page = visit.page("/compare?editions=2007,2017")
    page.locator(".group").first.wait_for()
    assert page.locator(".group > h2").all_inner_texts() == ["Changed", "Renumbered or moved", "Wording only"]
    article = page.locator("article[data-clause^='16-information/withdrawn-2']")
    assert article.locator(".come").first.inner_text().startswith("+")
    assert article.locator("ins").first.inner_text()
    witness = article.locator(".witness")
    witness.locator("summary").press("Enter")
    witness.locator(".hands").wait_for()
    assert witness.locator(".sides .label").all_inner_texts() == ["2007", "2017"]
    assert witness.locator(".ruling .gone, .ruling .come").count() > 0


def test_three_editions_stand_beside_each_other(visit: Visit) -> None:
    page = visit.page("/compare")
    page.locator(".group").first.wait_for()
    page.get_by_label("First edition").select_option("1997")
    page.get_by_label("Second edition").select_option("2007")
    page.get_by_label("Third edition").select_option("2017")
    page.get_by_text("1997 → 2007:").wait_for()
    page.get_by_text("2007 → 2017:").wait_for()
    assert page.locator("article .columns.of-3").first.locator("> div").count() == 3
    assert "editions=1997,2007,2017" in page.url
    page.get_by_label("Third edition").select_option("2007")
    page.get_by_text("Choose editions that differ").wait_for()


def test_a_link_to_a_clause_brings_it_into_view_or_says_that_it_is_the_same(visit: Visit) -> None:
    page = visit.page("/compare?editions=2007,2017#16C2")
    page.locator(".wanted", has_text="16D2 → 16C2").wait_for()
    assert page.evaluate("document.querySelector('.wanted').getBoundingClientRect().top") < 400
    page = visit.page("/compare?editions=2007,2017#50B")
    page.get_by_text("The clause “50B” does not differ between these editions.").wait_for()


def test_the_comparison_is_narrowed_by_words(visit: Visit) -> None:
    page = visit.page("/compare?editions=1997,2017")
    page.locator("article").first.wait_for()
    page.get_by_label("Only clauses with").fill("visible face")
    page.locator("article[data-clause^='12-adjusted-score']").first.wait_for(state="hidden")
    shown = page.locator("article:visible").all_inner_texts()
    assert shown and all("visible" in each.lower() and "face" in each.lower() for each in shown)


def editor(page: Page) -> Any:
    field = page.get_by_label("The clause as YAML")
    page.get_by_text("No problem (as it is)").wait_for(timeout=SLOW)
    return field


def test_a_rule_is_edited_and_the_ruling_of_a_case_changes(visit: Visit) -> None:
    page = visit.page(f"/workshop#{HONOUR}")
    field = editor(page)
    text = field.input_value()
    assert "honour: {rank: T}" in text
    field.fill(text.replace("          - honour: {rank: T}\n", "").replace(", jack and ten", " and jack"))
    page.get_by_text("No problem (changed)").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Run the cases").click()
    changed = page.locator(".changed", has_text="The ten counts as an honour")
    changed.wait_for(timeout=SLOW)
    assert "major penalty card" in changed.locator(".gone").first.inner_text()
    assert "minor penalty card" in changed.locator(".come").first.inner_text()
    page.get_by_text(re.compile(r"\d+ rulings change, in \d+ cases, under 2017")).wait_for(timeout=SLOW)
    page.get_by_role("button", name="Rule on this case").click()
    page.get_by_text("The ruling changes.").wait_for(timeout=SLOW)
    assert "♦T is a minor penalty card" in page.locator(".ruled .come").first.inner_text()
    page.get_by_role("button", name="Undo all changes").click()
    assert field.input_value() == text
    page.get_by_text("No problem (as it is)").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Rule on this case").click()
    page.get_by_text("Your changes make no difference to this case.").wait_for(timeout=SLOW)


def test_a_misspelt_field_is_underlined_listed_and_led_to(visit: Visit) -> None:
    page = visit.page(f"/workshop#{MAJOR}")
    field = editor(page)
    field.fill(field.input_value().replace("manner:", "maner:", 1))
    found = page.get_by_role("button", name=re.compile(r"Line \d+, column \d+: card_exposed has no field 'maner'"))
    found.wait_for(timeout=SLOW)
    assert "did you mean 'manner'?" in found.inner_text()
    assert page.locator(".under mark").all_inner_texts() == ["maner"]
    assert page.locator(".lines b").inner_text() == re.search(r"Line (\d+)", found.inner_text())[1]  # type: ignore[index]
    found.click()
    assert page.evaluate(
        "document.activeElement.value.slice(document.activeElement.selectionStart).startsWith('maner:')"
    )
    # The mark lies under the word itself, not beside it.
    box = page.locator(".under mark").bounding_box()
    area = field.bounding_box()
    assert box and area["y"] < box["y"] < area["y"] + area["height"]


def put_cursor(page: Page, before: str) -> None:
    """At the end of the first place where this stands."""
    page.evaluate(
        "(before) => { const field = document.getElementById('editor'); field.focus();"
        " const at = field.value.indexOf(before) + before.length; field.setSelectionRange(at, at); }",
        before,
    )


def test_a_word_is_completed_with_the_keyboard(visit: Visit) -> None:
    page = visit.page(f"/workshop#{MAJOR}")
    field = editor(page)
    put_cursor(page, "manner: {one_of: [dropped, fell_with_another, seen_in_hand]}")
    page.keyboard.type(", tri")
    page.keyboard.press("Control+Space")
    options = page.locator(".popup li")
    options.first.wait_for()
    assert [each.split("\n")[0] for each in options.all_inner_texts()] == ["trick"]
    page.keyboard.press("Enter")
    assert "seen_in_hand]}, trick: }" in field.input_value()
    page.keyboard.press("Control+z")
    assert "seen_in_hand]}, tri}" in field.input_value()
    page.keyboard.press("Control+Space")
    options.first.wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("listbox").is_hidden()


def test_tab_indents_and_escape_lets_a_keyboard_out(visit: Visit) -> None:
    page = visit.page(f"/workshop#{HONOUR}")
    field = editor(page)
    text = field.input_value()
    put_cursor(page, "title: Honour\n")
    page.keyboard.press("Tab")
    assert field.input_value() == text.replace("title: Honour\n", "title: Honour\n  ")
    page.keyboard.press("Shift+Tab")
    assert field.input_value() == text
    assert page.evaluate("document.activeElement.id") == "editor"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "editor"
    put_cursor(page, "        then:")
    page.keyboard.press("Enter")
    page.keyboard.type("x")
    assert "        then:\n        x\n" in field.input_value()


def test_the_draft_is_downloaded_as_a_folder_that_can_be_laid_over_the_law(visit: Visit) -> None:
    page = visit.page(f"/workshop#{HONOUR}")
    field = editor(page)
    field.fill(field.input_value().replace("title: Honour", "title: Honour ♠é😀"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the draft").click()
    with zipfile.ZipFile(io.BytesIO(saved.value.path().read_bytes())) as folder:
        assert folder.testzip() is None
        assert folder.namelist() == ["draft/00-definitions/honour.yaml"]
        assert folder.read("draft/00-definitions/honour.yaml").decode() == field.input_value()


def test_changes_are_still_there_when_the_page_is_loaded_again(visit: Visit) -> None:
    page = visit.page(f"/workshop#{HONOUR}")
    field = editor(page)
    field.fill("title: mine\n")
    page.reload()
    page.locator(".under", has_text="title: mine").wait_for(state="attached")
    assert field.input_value() == "title: mine\n"
    assert page.get_by_role("button", name="Undo all changes").is_enabled()


def test_a_case_with_a_mistake_is_told_from_a_clause_with_one(visit: Visit) -> None:
    visit.expected.append("422")
    page = visit.page(f"/workshop#{HONOUR}")
    editor(page)
    page.get_by_label("A case of your own").fill("table: {contract: 8S by S}\n")
    page.get_by_role("button", name="Rule on this case").click()
    page.get_by_text("In the case, line 1: there is no contract at level '8'").wait_for(timeout=SLOW)


PLACES = ("/law", "/law#50B", "/compare?editions=1997,2007,2017", f"/workshop#{MAJOR}")


@pytest.mark.parametrize("path", PLACES)
def test_a_phone_shows_each_page_without_scrolling_sideways(visit: Visit, path: str) -> None:
    page = visit.page(path, viewport=PHONE)
    page.locator(".found details, .difference, .editor").first.wait_for(state="attached")
    if "50B" in path:
        page.locator(".example .hands").first.wait_for()
    for summary in page.locator(".witness > summary").all()[:3]:
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("path", PLACES)
def test_dark_colours_reach_each_page(visit: Visit, path: str) -> None:
    page = visit.page(path, color_scheme="dark")
    page.locator("main h1, main h2").first.wait_for(state="attached")
    red, green, blue = map(
        int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    )
    assert red + green + blue < 200


def test_words_of_the_law_and_of_a_draft_are_shown_as_text(visit: Visit) -> None:
    page = visit.page("/law")
    page.route("**/v1/clauses/*/*", _hostile)
    page.route("**/v1/book/*/*", _hostile)
    page.goto(f"{visit.address}/law#50B")
    page.locator(".gist", has_text="<img").wait_for()
    page.locator(".example", has_text="<img").first.wait_for()
    assert page.locator("main img, main script").count() == 0
    page = visit.page("/compare")
    page.route("**/v1/diff/*/*", _hostile)
    page.route("**/v1/witnesses/*/*", _hostile)
    page.goto(f"{visit.address}/compare")
    page.locator(".difference", has_text="<img").first.wait_for()
    page.locator(".witness > summary").first.click()
    assert page.locator("main img, main script").count() == 0
    assert page.title() == "Compare editions: bridgelaws"
    page = visit.page(f"/workshop#{HONOUR}")
    editor(page).fill(f"title: {HOSTILE}\nversions: []\n{HOSTILE}: 1\n")
    page.locator(".problems", has_text="<img").wait_for(timeout=SLOW)
    assert page.locator("main img, main script").count() == 0
    assert page.title() == "Workshop: bridgelaws"


def _hostile(route: Route) -> None:
    """The server's answer with markup in every text that is read out, and in no name that leads somewhere."""
    answer = route.fetch()

    def spoilt(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: spoilt(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [spoilt(each, key) for each in value]
        read_out = ("gist", "gists", "sentence", "title", "text", "told", "before", "after", "name", "note", "label")
        return f"{value} {HOSTILE}" if isinstance(value, str) and key in read_out else value

    route.fulfill(response=answer, body=json.dumps(spoilt(answer.json())))
