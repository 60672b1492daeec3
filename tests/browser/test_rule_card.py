"""A rule number opens its card over the page in a real browser; the lesson behind stays as it is, and where it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import PHONE, until
from tutor.course.links import Link

CC = "combat_commander"
SLUG = "04-genes-et-fumee"
LESSON = Link("lesson", CC, slug=SLUG)
WHOLE = Link("lesson", CC, slug=SLUG, view="tout")
#: A scene whose proof has a step that the booklet leaves open.
OPEN_POINT = Link("lesson", CC, slug="11-artillerie", example="impact")
#: Without motion: the proof of an answer is no film then, and the board stands still unless a card moves it.
STILL: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
SCREENS = pytest.mark.parametrize("screen", [STILL, {**PHONE, "reduced_motion": "reduce"}], ids=["1280x720", "390x844"])


def sheet(page: Page) -> Locator:
    """The card, when it is open."""
    return page.locator("dialog.ldv-card-sheet[open]")


def title(page: Page, text: str) -> None:
    """Wait until the card is of a rule or a word, with its text, and has the keyboard."""
    expect(sheet(page).locator(".ldv-card-body:not([aria-busy]) h2")).to_contain_text(text)
    expect(sheet(page).locator("h2")).to_be_focused()


def drawn(picture: Locator) -> None:
    """Wait until a picture has come."""
    picture.scroll_into_view_if_needed()
    until(picture.page, "i => i.complete && i.naturalWidth > 50", arg=picture.element_handle())


def board(page: Page) -> Any:
    """Where the board of the lesson is, and its pixels."""
    return page.locator(".ldv-stage canvas").first.evaluate(
        "c => { const b = c.getBoundingClientRect(); return [b.x, b.y, b.width, b.height, c.toDataURL().length]; }"
    )


def answered(page: Page) -> Locator:
    """Answer the first question of a lesson, whatever is right; the first rule number of what is said of it."""
    asked = page.locator(".ldv-predict:visible").first
    asked.locator(".ldv-choices button").first.click()
    said = asked.locator(".ldv-diagnosis")
    expect(said).to_be_visible()
    if said.get_attribute("data-right") != "true" and "Pas encore" in said.inner_text():
        asked.locator(".ldv-choices button").nth(1).click()
    chip = page.locator(".ldv-step:visible a.ldv-rule").first
    expect(chip).to_be_visible()
    return chip


@SCREENS
def test_a_verdicts_rule_is_read_over_the_lesson_and_left_again(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = opened(LESSON.url, **screen)
    chip = answered(page)
    page.evaluate("document.documentElement.dataset.test = 'here'")
    chip.scroll_into_view_if_needed()
    number, before = chip.inner_text(), board(page)
    said = page.locator(".ldv-stage-body").inner_text()
    chip.click()
    title(page, number)
    card = sheet(page)
    expect(card).to_have_attribute("aria-labelledby", "ldv-card-title")
    expect(card.locator(".ldv-reason")).to_contain_text("Pour un joueur")
    article = card.get_by_role("link", name=re.compile("Ouvrir"))
    expect(article).to_have_attribute("target", "_blank")
    drawn(card.locator("img").first)
    # The board of the lesson is in sight, and nothing of it is under the card.
    box, place = card.bounding_box(), board(page)
    assert box
    assert place == before
    assert place[0] + place[2] <= box["x"] + 1 or place[1] + place[3] <= box["y"] + 1
    assert box["x"] + box["width"] <= page.evaluate("innerWidth") + 1
    # The verdict is read when it is asked for.
    expect(card.locator(".ldv-verdict")).to_be_hidden()
    card.locator(".ldv-card-example summary").click()
    expect(card.locator(".ldv-verdict")).to_be_visible()
    drawn(card.locator(".ldv-card-example details img"))
    # To a neighbour, and back.
    way = card.locator(".ldv-card-row a:visible").last
    other = way.locator(".ldv-rule").inner_text()
    way.click()
    title(page, other)
    card.get_by_role("button", name=f"Retour à {number}").click()
    title(page, number)
    card.get_by_role("button", name="Retour à la page").click()
    expect(sheet(page)).to_have_count(0)
    expect(chip).to_be_focused()
    assert board(page) == before
    assert page.locator(".ldv-stage-body").inner_text() == said
    assert page.evaluate("document.documentElement.dataset.test") == "here"
    assert len(page.context.pages) == 1


def test_a_card_by_the_keyboard_alone(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **STILL)
    chip = answered(page)
    chip.focus()
    expect(chip).to_have_attribute("aria-haspopup", "dialog")
    number, scene = chip.inner_text(), page.locator(".ldv-scenes [aria-current]").get_attribute("title")
    page.keyboard.press("Enter")
    title(page, number)
    for _ in range(30):  # the keyboard stays within, and comes round
        page.keyboard.press("Tab")
        where = page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
        assert where
    for key in ("a", "n", "x", "z"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    expect(sheet(page)).to_have_count(0)
    expect(chip).to_be_focused()
    assert page.locator(".ldv-scenes [aria-current]").get_attribute("title") == scene


def test_a_press_beside_the_card_closes_it(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **STILL)
    chip = answered(page)
    before = board(page)
    chip.click()
    title(page, chip.inner_text())
    page.mouse.click(300, 400)  # on the board, which hears nothing of it
    expect(sheet(page)).to_have_count(0)
    expect(chip).to_be_focused()
    assert board(page) == before


@SCREENS
def test_a_word_opens_its_definition_and_the_mark_of_an_open_point_what_it_means(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = opened(OPEN_POINT.url, **screen)
    asked = page.locator(".ldv-stage .ldv-question:visible")
    expect(asked).to_contain_text("Et ses Trous d’Hommes")  # the page goes to its scene
    expect(page.locator(".ldv-stage-eyebrow:visible")).to_be_focused()  # and takes the keyboard there
    word = asked.locator(".ldv-term").first
    expect(word).to_have_attribute("role", "button")
    definition = word.get_attribute("data-definition") or ""
    word.focus()
    page.keyboard.press("Enter")
    expect(sheet(page).locator(".ldv-card-body")).to_contain_text(definition[:40])
    way = sheet(page).locator(".ldv-card-row a").first
    number = way.locator(".ldv-rule").inner_text()
    way.click()
    title(page, number)
    page.keyboard.press("Escape")
    expect(word).to_be_focused()
    answered(page)
    for fold in page.locator("details.ldv-detail:not([open]) > summary:visible").all():
        fold.click()
    mark = page.get_by_role("button", name="interprétation").first
    mark.scroll_into_view_if_needed()
    room = mark.bounding_box()
    assert room
    assert min(room["width"], room["height"]) >= 24
    for act in (mark.tap if screen.get("has_touch") else mark.click, lambda: mark.press("Enter")):
        act()
        title(page, "Interprétation")
        expect(sheet(page)).to_contain_text("laisse ce point ouvert")
        page.keyboard.press("Escape")
        expect(mark).to_be_focused()


def test_control_and_the_middle_button_follow_the_link(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **STILL)
    chip = answered(page)
    with page.context.expect_page() as beside:
        chip.click(modifiers=["ControlOrMeta"])
    expect(beside.value).to_have_url(re.compile("regle="))
    beside.value.close()
    expect(sheet(page)).to_have_count(0)


@SCREENS
def test_cards_on_the_long_page_in_an_article_and_in_the_index(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    article = Link("articles", CC, rule="10.3.3")
    for link, where in ((WHOLE, ".ldv-rule-text"), (article, ".ldv-entry"), (Link(game=CC, rule="10.2"), ".ldv-entry")):
        page = opened(link.url, **screen)
        chip = page.locator(f"{where} a.ldv-rule").first
        chip.scroll_into_view_if_needed()
        place = chip.evaluate_handle("chip => [chip, chip.getBoundingClientRect().top]")
        chip.click()
        title(page, chip.inner_text())
        expect(sheet(page)).to_be_in_viewport(ratio=0.99)
        page.keyboard.press("Escape")
        expect(chip).to_be_focused()
        # where the reader was: a board that arrives above meanwhile moves the page under him, not the line he reads
        until(page, "([chip, top]) => Math.abs(chip.getBoundingClientRect().top - top) <= 1", arg=place)
        page.close()


def test_a_server_that_does_not_answer_leaves_the_link(visit: Callable[..., Any], course: Any) -> None:
    reader = visit(course.url, **STILL)
    reader.expected.append("ERR_FAILED")
    page = reader.new_page()
    page.route("**/regles/**", lambda route: route.abort())
    page.goto(course.url + LESSON.url)
    page.wait_for_selector("html[data-ready=true]")
    chip = answered(page)
    chip.click()
    expect(sheet(page)).to_contain_text("n’a pas pu être lue")
    expect(sheet(page).get_by_role("link", name="Ouvrir dans l’index")).to_have_attribute("href", re.compile("regle="))
    page.keyboard.press("Escape")
    expect(chip).to_be_focused()
