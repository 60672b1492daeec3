"""The ground lies below the canvas: a picture that the server draws; where it does not come, the board is painted whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from playwright.sync_api import Page, Route, expect

from tests.browser.harness import PAINTED, Server, Visit, until
from tutor.course.links import Link

LESSON = Link("lesson", "combat_commander", slug="03-ldv-terrain-plat")
GROUND = "(document.querySelector('.ldv-stage canvas.ldv-canvas') || {style: {}}).style.backgroundImage"
#: Whether the middle of the board is painted on the canvas itself.
FILLED = """(() => {
  const c = document.querySelector(".ldv-stage canvas.ldv-canvas");
  let filled = 0;
  const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
  for (let i = 3; i < data.length; i += 400) if (data[i]) filled += 1;
  return filled > data.length / 400 / 2;
})()"""


def test_a_board_has_its_ground_and_takes_another_with_the_theme(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url)
    light = until(page, GROUND)
    assert "/light/" in light
    assert not page.evaluate(FILLED)
    page.emulate_media(color_scheme="dark")
    dark = until(page, f"({GROUND} || '').includes('/dark/') && {GROUND}")
    assert dark.split("/dark/")[1] == light.split("/light/")[1]


def test_a_ground_that_does_not_come_is_painted_by_the_board(visit: Callable[..., Visit], course: Server) -> None:
    made = visit(course.url)
    made.expected.append("Failed to load resource")
    page = made.new_page()
    page.route("**/sol/**", lambda route: _unavailable(route))
    page.goto(course.url + LESSON.url)
    expect(page.locator("html[data-ready=true]")).to_be_attached()
    until(
        page, f"document.querySelector('.ldv-stage canvas') && {PAINTED}(document.querySelector('.ldv-stage canvas'))"
    )
    until(page, FILLED)
    assert not page.evaluate(GROUND)


def test_a_lesson_is_on_the_screen_before_its_kernel_answers(opened: Callable[..., Page], course: Server) -> None:
    page = opened(LESSON.url)  # whoever comes first has it written
    asked = page.locator(".ldv-stage .ldv-question").inner_text()
    page.add_init_script("""
        window.seen = {};
        new MutationObserver(() => {
          const first = document.querySelector("#ldv-first:not([hidden])");
          if (!first || !first.querySelector(".first-map svg") || document.querySelector("canvas")) return;
          const place = (one) => one.getBoundingClientRect().toJSON();
          seen.words = (first.querySelector(".first-question") || {}).innerText;
          seen.board = place(first.querySelector(".first-map svg"));
        }).observe(document, { childList: true, subtree: true, attributes: true });""")
    until(page, "async url => (await (await fetch(url)).text()).includes('id=\"ldv-first\"')", arg=LESSON.url)
    page.goto(course.url + LESSON.url)
    page.locator(".ldv-stage canvas.ldv-canvas").wait_for()
    expect(page.locator("#ldv-first")).to_have_count(0)
    seen = page.evaluate("seen")
    assert seen["words"] == asked
    assert seen["board"]["bottom"] <= page.viewport_size["height"]  # type: ignore[index]
    page.goto(course.url + replace(LESSON, scene="regle").url)  # a link leads to another scene: nothing else is shown
    page.locator(".ldv-stage canvas.ldv-canvas").wait_for()
    assert page.evaluate("seen") == {}


def _unavailable(route: Route) -> None:
    route.fulfill(status=503, body="")
