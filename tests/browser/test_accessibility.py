"""axe-core on every kind of page, in both themes and at both widths; and nothing in a page's console."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.classes import LESSON, Class, choose, question, send
from tests.browser.harness import PHONE
from tutor.core.registry import GAMES
from tutor.course.links import Link

CC = "combat_commander"
WIDE = {"width": 1280, "height": 720}
NARROW = PHONE["viewport"]
#: What axe-core is asked: its rules, and the size of what is touched.
ASKED: dict[str, Any] = {"rules": {"target-size": {"enabled": True}}}
#: Both themes and both widths, in one of two ways: colours are the themes' own at every width (a test of style sheets
#: holds that), and what pages have in common is seen in each of the four.
SHOWN: tuple[tuple[tuple[Literal["dark", "light"], Any], ...], ...] = (
    (("dark", NARROW), ("light", WIDE)),
    (("dark", WIDE), ("light", NARROW)),
)


def way(when: str) -> int:
    """In which of them a page is looked at, by what it shows."""
    return crc32(when.encode()) % len(SHOWN)


#: Kind of page -> its address, and what it shows once it is whole.
PAGES = {
    "home": (Link(), ".ldv-hero, .ldv-home, h1"),
    "home of a game": (Link(game=CC), ".ldv-lessons"),
    "index": (Link(game=CC, view="index"), ".ldv-chapters"),
    "search": (Link(game=CC, word="fumigènes"), ".ldv-found"),
    "long page": (replace(LESSON, view="tout"), ".ldv-remember"),
    "exercise": (replace(LESSON, scene="exercices"), ".ldv-ask"),
    "rule": (replace(LESSON, scene="regle"), ".ldv-stage"),
    "end": (replace(LESSON, scene="fin"), ".ldv-stage"),
    "projection": (replace(LESSON, projection=True), ".ldv-stage"),
    "replayed turn": (Link("lesson", CC, slug="19-un-tour-complet", stage="4-aaa"), ".ldv-stage .ldv-track"),
    "articles": (Link("articles", CC), ".ldv-articles"),
    "article": (Link("articles", CC, rule="O20.3.1"), ".ldv-article"),
    "review": (Link("review"), "#ldv-content p"),
    "data": (Link("data"), "#ldv-content p"),
    "placement": (Link("placement", CC), ".ldv-question"),
    "free board": (Link("sandbox", CC), ".ldv-board canvas"),
    "editor": (Link("editor"), ".ldv-board canvas"),
    "compare": (Link("compare"), ".ldv-compared"),
    "sheet": (Link("sheet", CC, slug=LESSON.slug), ".ldv-sheet-item"),
    "plan": (Link("plan", CC), ".ldv-plan"),
    "about": (Link("about"), "#ldv-content p"),
    **{f"at table, {game_id}": (Link("quick", game_id), ".ldv-quick") for game_id in GAMES},
    **{own.page: (Link(own.page), "#ldv-content p") for game_id in GAMES for own in GAMES.facts(game_id).pages},
}


def faults(page: Page, when: str) -> list[str]:
    """What axe-core says of a page as it is, in both themes and at both widths; one line a fault.

    Args:
        page: whole; left as it was before.
        when: what it shows now.
    """
    before, lines = page.viewport_size or WIDE, []
    page.evaluate(AXE_SCRIPT)
    for theme, size in SHOWN[way(when)]:
        # without transitions: a colour half way from one theme to the other is nobody's
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        page.set_viewport_size(size)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen: list[dict[str, Any]] = page.evaluate(
            "async asked => (await axe.run(document, {resultTypes: ['violations'], selectors: false, ...asked})).violations",
            ASKED,
        )
        lines += [
            f"{when}, {theme}, {size['width']} px: {fault['id']}: {node['html'][:120]} {node['failureSummary']}"
            for fault in seen
            for node in fault["nodes"]
        ]
    page.set_viewport_size(before)
    return lines


@pytest.fixture
def quiet(opened: Callable[..., Page]) -> Callable[[Link, str], Page]:
    """Opens a page of the course, of which the console says nothing at all (a page's errors are checked elsewhere)."""

    def open_(link: Link, whole: str) -> Page:
        page = opened(link.url, viewport=WIDE)
        page.locator(whole).first.wait_for()
        assert [message.text for message in page.console_messages() if message.type == "warning"] == []
        return page

    return open_


def test_pages_are_looked_at_in_both_ways() -> None:
    assert {way(kind) for kind in PAGES} == set(range(len(SHOWN)))


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_has_no_fault(quiet: Callable[[Link, str], Page], kind: str) -> None:
    link, whole = PAGES[kind]
    assert faults(quiet(link, whole), kind) == []


def test_a_question_asked_missed_and_answered_has_no_fault(quiet: Callable[[Link, str], Page]) -> None:
    page = quiet(LESSON, ".ldv-choices button")
    lines = faults(page, "asked")
    page.locator(".ldv-choices button").nth(0).click()
    expect(page.locator(".ldv-diagnosis")).to_have_attribute("data-right", "false")
    lines += faults(page, "missed")
    page.locator(".ldv-choices button").nth(1).click()
    expect(page.locator(".ldv-diagnosis")).to_have_attribute("data-right", "true")
    expect(page.locator(".ldv-stage .ldv-step").first).to_be_visible()
    assert lines + faults(page, "answered") == []


def test_a_missed_exercise_has_no_fault(quiet: Callable[[Link, str], Page]) -> None:
    page = quiet(replace(LESSON, slug="04-genes-et-fumee", scene="exercices"), ".ldv-ask")
    page.get_by_label("Votre réponse").fill("44")
    page.get_by_role("button", name="Vérifier").first.click()
    expect(page.locator(".ldv-diagnosis[data-right=false]").last).to_be_visible()
    assert faults(page, "missed") == []


def test_the_editor_and_the_free_board_have_no_fault_once_used(quiet: Callable[[Link, str], Page]) -> None:
    page = quiet(Link("editor"), ".ldv-board canvas")
    lines = []
    for step in page.locator(".ldv-steps-bar button, .ldv-tabs button").all()[:6]:
        if step.is_visible() and step.is_enabled():
            step.click()
            lines += faults(page, f"editor, {step.inner_text()}")
    assert lines == []


def test_a_class_has_no_fault_on_either_side(room: Class) -> None:
    door = room.page(Link("teacher").url)
    lines = faults(door, "teacher's door")
    teacher = room.teacher()
    learner = room.learner("Ana")
    lines += faults(teacher, "teacher") + faults(learner, "learner waiting")
    choose(teacher, "Un exercice", "3. La ligne de vue sur terrain plat")
    send(teacher)
    expect(question(learner)).to_be_visible()
    lines += faults(learner, "learner asked")
    learner.get_by_role("button", name="Non", exact=True).click()
    expect(learner.get_by_text("Réponse notée")).to_be_visible()
    teacher.get_by_role("button", name="Révéler").click()
    expect(learner.locator(".ldv-step").first).to_be_visible()
    assert lines + faults(learner, "learner shown") + faults(teacher, "teacher shown") == []
