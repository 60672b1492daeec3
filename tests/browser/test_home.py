"""Home in a real browser: a newcomer plays and reaches lesson 1; who returns goes on at his scene; the menu everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import PAINTED, PHONE, Server, Visit, spot, until
from tutor.course.lessons import lessons
from tutor.course.links import Link
from tutor.course.opening import picks
from widgets.pages.placement import MOST

CC = "combat_commander"
DESKTOP = {"viewport": {"width": 1280, "height": 720}}
SCREENS = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
THIRD = Link("lesson", CC, slug="03-ldv-terrain-plat", scene="route")
DOORS = ["Leçons", "Réviser", "À table", "Chercher", "Plateau libre", "Enseigner"]


def painted(page: Page) -> None:
    until(page, f"{PAINTED}(document.querySelector('.ldv-try canvas'))")


def fits(page: Page) -> None:
    """Nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@SCREENS
def test_a_newcomer_plays_wrongly_then_rightly_and_reaches_the_first_lesson(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = opened("/", **screen)
    painted(page)
    asked = page.locator(".ldv-try")
    expect(asked.locator(".ldv-question")).to_be_in_viewport()
    expect(asked.locator("canvas").first).to_be_in_viewport(ratio=0.99)
    wrong = next(pick for pick in picks(CC) if not pick.right)
    right = next(pick for pick in picks(CC) if pick.right)
    expect(asked.get_by_role("button", name=right.name)).to_be_in_viewport(ratio=1)
    asked.get_by_role("button", name=wrong.name).click()
    said = asked.locator(".ldv-diagnosis")
    expect(said).to_contain_text(re.compile("^Pas encore"))
    expect(said).to_contain_text("bloquée en D2")
    page.mouse.click(*spot(page, ".ldv-try canvas", right.cell))  # the board answers too
    expect(said).to_contain_text("Juste, au second essai.")
    asked.get_by_role("link", name=re.compile("Continuer par la leçon 1")).click()
    page.wait_for_url(f"**/{lessons(CC)[0].slug}.ipynb")
    page.wait_for_selector("html[data-ready=true]")
    expect(page.locator(".ldv-stage .ldv-question").first).to_be_visible()


@SCREENS
def test_who_returns_goes_on_at_his_scene(course: Server, visit: Callable[..., Visit], screen: dict[str, Any]) -> None:
    page = visit(course.url, **screen).new_page()
    page.goto(course.url + THIRD.url)
    expect(page.locator(".ldv-scenes [aria-current]")).to_have_attribute("href", re.compile("scene=route$"))
    until(page, "(localStorage.getItem('ligne-de-vue-place') || '').includes('route')")
    page.goto(course.url + "/")
    page.wait_for_selector("html[data-ready=true]")
    card = page.locator(".ldv-resume")
    expect(card).to_contain_text("La ligne de vue sur terrain plat")
    expect(card.get_by_role("link", name="Continuer")).to_be_in_viewport(ratio=1)
    expect(page.locator(".ldv-hexes .is-here")).to_contain_text("3")
    card.get_by_role("link", name="Continuer").click()
    page.wait_for_selector("html[data-ready=true]")
    expect(page.locator(".ldv-scenes [aria-current]")).to_have_attribute("href", re.compile("scene=route$"))


@pytest.mark.parametrize(
    "url",
    ["/", THIRD.url, Link("review").url, Link("quick").url, Link("sandbox").url, Link("teacher").url, "/rien"],
    ids=["home", "stage", "review", "quick", "sandbox", "teacher", "absent"],
)
def test_the_menu_stands_in_one_line_on_every_page(course: Server, visit: Callable[..., Visit], url: str) -> None:
    reader = visit(course.url)
    reader.expected += ["status of 404"]
    page = reader.new_page()
    page.goto(course.url + url)
    doors = page.get_by_role("navigation", name="Menu").get_by_role("link")
    for screen in (DESKTOP, PHONE):
        page.set_viewport_size(screen["viewport"])
        folded = url == THIRD.url and screen == PHONE  # a lesson's way has its place
        if folded:
            page.locator(".ldv-burger").click()
        expect(doors).to_have_count(len(DOORS))
        tops = {round(door.bounding_box()["y"]) for door in doors.all()}  # type: ignore[index]
        assert len(tops) == (2 if folded else 1)
        for door, name in zip(doors.all(), DOORS, strict=True):
            expect(door).to_contain_text(name.split()[0])
            expect(door).to_be_in_viewport(ratio=1)
        header = page.locator(".ldv-header").bounding_box()
        assert header
        assert header["height"] <= 62
        fits(page)


def test_the_menu_leads_to_the_game_that_one_is_in(opened: Callable[..., Page]) -> None:
    page = opened("/", **DESKTOP)
    menu = page.get_by_role("navigation", name="Menu")
    expect(menu.get_by_role("link", name="Chercher")).to_have_attribute("href", f"/?jeu={CC}&vue=index")
    page.locator('.ldv-cover-link[href="/?jeu=tcs"]').click()
    expect(page.locator("#rendered_cells h1:visible")).to_contain_text("Tactical Combat Series")
    expect(page.locator(".ldv-try .ldv-question")).to_contain_text("02.03")
    expect(menu.get_by_role("link", name="Chercher")).to_have_attribute("href", "/?jeu=tcs&vue=index")
    expect(page.locator(".ldv-hexes li")).to_have_count(len(lessons("tcs")) + 1)
    menu.get_by_role("link", name="Chercher").click()
    page.wait_for_selector("html[data-ready=true]")
    expect(page.locator("#rendered_cells h1:visible")).to_contain_text("Tactical Combat Series")
    expect(page.get_by_label("Chercher une règle")).to_be_in_viewport(ratio=1)


def test_a_lesson_ends_on_what_was_missed_with_the_way_back(opened: Callable[..., Page]) -> None:
    page = opened(Link("lesson", CC, slug="03-ldv-terrain-plat").url, **DESKTOP)
    page.locator(".ldv-choices button").nth(0).click()
    expect(page.locator(".ldv-diagnosis")).to_contain_text(re.compile("^Pas encore"))
    page.locator(".ldv-choices button").nth(1).click()
    expect(page.locator(".ldv-diagnosis")).to_contain_text("Juste, au second essai.")
    page.locator(".ldv-scenes a").last.click()
    expect(page.locator(".ldv-end")).to_contain_text("1 au second essai")
    expect(page.locator(".ldv-end-next")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".ldv-end-again")).to_contain_text("Dans trois jours")
    page.locator(".ldv-end-missed").get_by_role("link", name="Rejouer").click()
    expect(page.locator(".ldv-stage-eyebrow")).to_have_text("À vous de prédire")


def test_a_reader_who_knows_nothing_is_told_where_to_begin(opened: Callable[..., Page]) -> None:
    page = opened(Link("placement", "tcs").url, **PHONE)
    for number in range(1, MOST + 1):
        expect(page.get_by_text(f"Question {number}, sur 8 au plus")).to_be_visible()
        page.get_by_role("button", name="Je ne sais pas").click()
        expect(page.get_by_text(re.compile(f"^(Question {number + 1}, sur|Où commencer)")).first).to_be_visible()
        if page.get_by_text("Où commencer").count():
            break
    expect(page.get_by_role("link", name=re.compile("Commencer par la leçon 1"))).to_be_visible()
