"""A complete turn in a real browser: decide, be refused, decide again, step by keys, open a link, on a phone too."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import DESKTOP, PHONE, Server, Visit
from tutor.course.links import Link

SLUG = "19-un-tour-complet"


def opened(course: Server, visit: Callable[..., Visit], stage: str = "", **options: object) -> Page:
    """The lesson at a step, its widgets there."""
    page = visit(course.url, **options).new_page()
    page.goto(course.url + Link("lesson", "combat_commander", slug=SLUG, stage=stage).url)
    page.wait_for_selector("html[data-ready=true]")
    return page


def at_step(page: Page, number: int) -> None:
    """Wait until a step is shown."""
    expect(page.locator(".ldv-replay-count strong")).to_have_text(str(number))


@pytest.mark.parametrize("options", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_turn_is_decided_step_by_step(
    course: Server, visit: Callable[..., Visit], options: dict[str, object]
) -> None:
    page = opened(course, visit, **options)
    verdict = page.locator(".ldv-replay .ldv-verdict")
    at_step(page, 1)
    on = page.get_by_role("button", name="▶", exact=True)
    expect(on).to_be_disabled()
    page.get_by_role("button", name="Les Fusiliers et les Pionniers").click()
    expect(verdict).to_have_attribute("data-outcome", "refused")
    expect(page.locator(".ldv-replay .ldv-step").first).to_be_visible()
    expect(on).to_be_disabled()
    page.get_by_role("button", name="La MG et ses Servants").click()
    expect(verdict).to_have_attribute("data-outcome", "computed")
    expect(page.locator(".ldv-replay-changes")).to_contain_text("Milice")
    expect(page.locator(".ldv-die")).to_have_count(4)
    page.get_by_role("button", name="Suite ▶").click()
    at_step(page, 2)
    page.get_by_role("button", name=re.compile("D2, à découvert")).click()
    expect(page.locator(".ldv-replay-changes")).to_contain_text("B2 → D2")
    if "is_mobile" not in options:
        page.keyboard.press("ArrowLeft")
        at_step(page, 1)
        page.keyboard.press("ArrowRight")
        at_step(page, 2)
    page.get_by_role("button", name="1. Ordre Tir").click()
    at_step(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_link_opens_a_step_with_its_decisions(course: Server, visit: Callable[..., Visit]) -> None:
    page = opened(course, visit, "12-aaaaaab")
    at_step(page, 12)
    expect(page.locator(".ldv-replay-title")).to_have_text("Mêlée")
    expect(page.locator(".ldv-replay .ldv-verdict")).to_contain_text("l’Axe")
    expect(page.locator(".ldv-replay .ldv-twin li").filter(has_text="D4")).to_contain_text("Pionniers")
    page.get_by_role("button", name="Krylov", exact=True).click()
    expect(page.locator(".ldv-replay .ldv-verdict")).to_contain_text("Égalité")
    expect(page.locator(".ldv-replay .ldv-twin li").filter(has_text="D4 :")).to_have_count(0)
