"""The ground lies below the canvas: a picture that the server draws; where it does not come, the board is painted whole."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.harness import PAINTED, PHONE, Server, Visit, until
from tutor.core.registry import load_position
from tutor.course.links import Link
from widgets.board.drawn_ground import drawn_ground, shown_at

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


#: Notes where the first picture has its board and its question, until a board of the kernel is there; and whether this
#: is pressed while the picture covers it.
WATCH = """
    window.seen = {};
    new MutationObserver(() => {
      const first = document.querySelector("#ldv-first:not([hidden])");
      const there = document.querySelector("canvas"), box = there && there.getBoundingClientRect();
      const pressed = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (first && pressed && pressed.closest("#rendered_cells")) seen.beneath = true;
      if (!first || !first.querySelector(".first-map svg") || there) return;
      const place = (one) => one && one.getBoundingClientRect().toJSON();
      const words = first.querySelector(".first-question") || first.querySelector(".first-situation");
      seen.words = (words || {}).innerText;
      seen.board = place(first.querySelector(".first-map svg"));
      seen.place = place(words);
    }).observe(document, { childList: true, subtree: true, attributes: true });"""
SENT = "async url => (await (await fetch(url)).text()).includes('id=\"ldv-first\"')"


def test_a_lesson_is_on_the_screen_before_its_kernel_answers(opened: Callable[..., Page], course: Server) -> None:
    page = opened(LESSON.url)  # whoever comes first has it written
    asked = page.locator(".ldv-stage .ldv-question").inner_text()
    page.add_init_script(WATCH)
    until(page, SENT, arg=LESSON.url)
    page.goto(course.url + LESSON.url)
    page.locator(".ldv-stage canvas.ldv-canvas").wait_for()
    expect(page.locator("#ldv-first")).to_have_count(0)
    seen = page.evaluate("seen")
    assert seen["words"] == asked
    assert "beneath" not in seen
    assert seen["board"]["bottom"] <= page.viewport_size["height"]  # type: ignore[index]
    page.goto(course.url + replace(LESSON, scene="regle").url)  # a link leads to another scene: nothing else is shown
    page.locator(".ldv-stage canvas.ldv-canvas").wait_for()
    assert page.evaluate("seen") == {}


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1280, "height": 720}}, PHONE], ids=["1280x720", "390x844"])
@pytest.mark.parametrize(
    ("url", "words"),
    [("/", ".ldv-try .ldv-question"), (Link("sandbox", "asl_sk").url, ".ldv-main .ldv-situation")],
    ids=["home", "free"],
)
def test_so_are_the_home_page_and_a_free_board_and_nothing_moves_when_it_answers(
    opened: Callable[..., Page], course: Server, url: str, words: str, screen: dict[str, Any]
) -> None:
    page = opened(url, **screen)
    page.add_init_script(WATCH)
    until(page, SENT, arg=url)
    page.goto(course.url + url)
    page.locator("#rendered_cells canvas.ldv-canvas").first.wait_for()
    expect(page.locator("#ldv-first")).to_have_count(0)
    seen, said = page.evaluate("seen"), page.locator(words).first
    assert seen["words"] == said.inner_text()
    for before, now in ((seen["place"], said), (seen["board"], page.locator("canvas.ldv-canvas").first)):
        stands = now.evaluate("one => one.getBoundingClientRect().toJSON()")
        assert {side: stands[side] for side in ("top", "left", "right")} == pytest.approx(
            {side: before[side] for side in ("top", "left", "right")}, abs=2
        )


def test_who_reads_another_game_has_no_question_of_the_first(opened: Callable[..., Page], course: Server) -> None:
    page = opened("/")
    page.evaluate("""localStorage.setItem("ligne-de-vue-place", JSON.stringify({ game: "tcs", lesson: "tcs-01-altitude",
        slug: "01-altitude", scene: "", name: "", at: 1, of: 5, when: 1 }))""")
    page.add_init_script(WATCH)
    until(page, SENT, arg="/")
    page.goto(course.url + "/")
    page.locator(".ldv-try canvas.ldv-canvas").wait_for()
    assert page.evaluate("seen") == {}


def test_the_figures_of_contour_lines_follow_the_width_at_which_a_ground_is_seen(page: Page) -> None:
    """As the picture behind a board it shows what it would with the figures of that width alone: each at 11 pixels."""
    whole, seen = drawn_ground(load_position("tcs", "livret-ldv")), set()
    for width in (150, 190, 300, 420):
        alone = shown_at(whole, width)
        one, other = (_as_background(page, picture, width) for picture in (whole, alone))
        assert one == other, width
        seen.add(one)
        assert all(float(size) * width / 233 >= 11 for size in re.findall(r' font-size="([\d.]+)" font-w', alone))
    assert len(seen) == 4


def _as_background(page: Page, picture: str, width: int) -> bytes:
    """A screenshot of a picture laid as the ground of a board is."""
    address = "data:image/svg+xml;base64," + b64encode(picture.encode()).decode()
    page.goto("about:blank")
    page.set_content(f"<div style='width:{width}px;height:{3 * width}px;background:url({address}) 0/100%'></div>")
    page.evaluate("src => { const one = new Image(); one.src = src; return one.decode(); }", address)
    return page.locator("div").screenshot()


def _unavailable(route: Route) -> None:
    route.fulfill(status=503, body="")
