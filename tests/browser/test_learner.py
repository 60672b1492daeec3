"""Progress in a real browser: an answer makes a code, another device takes it up, a mistake comes back, all is erased."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import LATE, Server, Visit
from tutor.course.exercises import Task
from tutor.course.lessons import exercises
from tutor.course.links import Link

CC = "combat_commander"
LESSON = Link("lesson", CC, slug="04-genes-et-fumee", scene="exercices")
FIRST = exercises(CC)["cc-05-valeur"]
CODE = re.compile(r"[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}")


def go(page: Page, course: Server, url: str) -> None:
    page.goto(course.url + url)
    page.wait_for_selector("html[data-ready=true]")


def answer(page: Page, value: str) -> None:
    page.get_by_label("Votre réponse").fill(value)
    page.get_by_role("button", name="Vérifier").first.click()


def kept(page: Page) -> None:
    expect(page.locator("#ldv-kept")).to_have_text("Gardé.")


@pytest.fixture
def solved(course: Server, visit: Callable[..., Visit]) -> tuple[Page, str]:
    """A reader who missed an exercise, then solved it; and his resume code."""
    page = visit(course.url).new_page()
    go(page, course, LESSON.url)
    right = Task.of(CC, FIRST).solution()
    answer(page, str(right + 3))
    expect(page.locator(".ldv-diagnosis[data-right=false]").last).to_be_visible()
    answer(page, str(right))
    expect(page.locator(".ldv-diagnosis[data-right=true]").last).to_be_visible()
    kept(page)
    go(page, course, "/")
    code = page.locator(".ldv-code")
    expect(code).to_have_text(CODE)
    expect(page.locator(".ldv-learner")).to_contain_text("1 exercice réussi")
    return page, code.inner_text()


def test_progress_goes_on_another_device_and_a_mistake_comes_back(
    solved: tuple[Page, str], course: Server, visit: Callable[..., Visit]
) -> None:
    _, code = solved
    other = visit(course.url).new_page()
    go(other, course, "/")
    expect(other.locator(".ldv-learner")).to_contain_text("Rien à créer")
    other.get_by_label("Code de reprise").fill(code.replace("-", " ").lower())
    other.get_by_role("button", name="Reprendre").click()
    expect(other.locator(".ldv-learner")).to_contain_text("1 exercice réussi")
    count = sum(one.lesson == FIRST.lesson for one in exercises(CC).values())
    expect(other.get_by_role("link", name=re.compile(f"1 sur {count} exercices réussis"))).to_be_visible()
    go(other, course, Link("review").url)
    expect(other.locator("#ldv-content")).to_contain_text(re.compile("à revoir|Rien à réviser aujourd’hui"))


def test_on_a_slow_network_a_press_shows_at_once_and_takes_what_was_typed(
    course: Server, visit: Callable[..., Visit]
) -> None:
    far = visit(course.url)
    far.context.add_init_script(LATE % 500)
    page = far.new_page()
    go(page, course, LESSON.url)
    right = Task.of(CC, FIRST).solution()
    answer(page, str(right + 3))
    page.get_by_label("Votre réponse").fill(str(right))
    page.get_by_label("Votre réponse").press("Tab")
    check = page.get_by_role("button", name="Vérifier").first
    assert check.evaluate("(button) => { button.click(); return button.classList.contains('is-asked'); }")
    expect(page.locator(".ldv-diagnosis[data-right=true]").last).to_be_visible()
    expect(check).not_to_have_class(re.compile("is-asked"))


def test_a_wrong_code_is_a_sentence(course: Server, visit: Callable[..., Visit]) -> None:
    page = visit(course.url).new_page()
    go(page, course, "/")
    page.get_by_label("Code de reprise").fill("K7PM-2QX9-ABCD-EFGH")
    page.get_by_role("button", name="Reprendre").click()
    expect(page.locator(".ldv-learner [role=status]")).to_contain_text(re.compile("code", re.IGNORECASE))


def test_everything_is_erased_at_once(solved: tuple[Page, str], course: Server, visit: Callable[..., Visit]) -> None:
    page, code = solved
    page.get_by_role("button", name="Effacer mes données").click()
    page.get_by_role("button", name="Oui, tout effacer").click()
    expect(page.locator(".ldv-learner")).to_contain_text("Tout est effacé")
    assert page.evaluate("localStorage.getItem('ligne-de-vue')") == "{}"
    other = visit(course.url).new_page()
    go(other, course, "/")
    other.get_by_label("Code de reprise").fill(code)
    other.get_by_role("button", name="Reprendre").click()
    expect(other.locator(".ldv-learner [role=status]")).to_contain_text(re.compile("code", re.IGNORECASE))
