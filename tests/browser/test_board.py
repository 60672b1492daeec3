"""The board in a real browser: pixels, pointer, keyboard, touch, highlights, errors, silence while hovering."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.harness import PAINTED, PHONE, Server, Visit, until

READY = f"""() => {{
  const c = document.querySelector('canvas.ldv-canvas');
  return c && c.style.backgroundImage && {PAINTED}(c) && c.getAttribute('role') === 'application';
}}"""
PIXELS = """() => {
  const c = document.querySelector('canvas.ldv-canvas');
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  let sum = 0;
  for (let i = 0; i < d.length; i += 44) sum = (sum * 31 + d[i] + d[i + 1] * 3 + d[i + 2] * 7) >>> 0;
  return sum;
}"""


def open_board(page: Page, server: Server) -> Page:
    """The fixture notebook, once its board has been painted."""
    page.goto(f"{server.url}/voila/render/board.ipynb")
    until(page, READY)
    return page


@pytest.fixture
def board(page: Page, server: Server) -> Page:
    """A page with a painted board."""
    return open_board(page, server)


def spot(page: Page, cell: str) -> dict[str, float]:
    """Where a hex lies on the canvas, from the bridge's own facts read in the page."""
    canvas = page.evaluate(
        """async (cell) => {
          const c = document.querySelector('canvas.ldv-canvas'), box = c.getBoundingClientRect();
          return {width: box.width, height: box.height, x: box.x, y: box.y, pixels: [c.width, c.height]};
        }""",
        cell,
    )
    from tutor.core.grid import HexGrid
    from widgets.board.paint.shapes import View

    grid = HexGrid(1, 15, 1, 10)
    unit = View(grid, 100.0)
    radius = 100 * (canvas["pixels"][0] / 2 - 2 * View.MARGIN) / (unit.width - 2 * View.MARGIN)
    x, y = View(grid, radius).centre(cell)
    k = canvas["width"] / (canvas["pixels"][0] / 2)
    return {"x": x * k, "y": y * k, "left": canvas["x"], "top": canvas["y"]}


def click(page: Page, cell: str) -> None:
    """Click a hex."""
    at = spot(page, cell)
    page.locator("canvas.ldv-canvas").click(position={"x": at["x"], "y": at["y"]})


def verdict(page: Page, outcome: str) -> None:
    """Wait for an outcome."""
    expect(page.locator(f'.ldv-verdict[data-outcome="{outcome}"]')).to_be_visible()


def test_two_clicks_show_a_line_its_verdict_and_its_steps(board: Page) -> None:
    before = board.evaluate(PIXELS)
    click(board, "J9")
    click(board, "K6")
    verdict(board, "blocked")
    expect(board.locator(".ldv-verdict")).to_contain_text("bloquée en J8")
    expect(board.locator(".ldv-step").first).to_be_visible()
    assert board.evaluate(PIXELS) != before
    click(board, "M9")
    click(board, "N6")
    verdict(board, "hindered")


def test_a_step_and_the_board_light_each_other_without_the_kernel(page: Page, server: Server) -> None:
    frames: list[Any] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda data: frames.append(data))

    page.on("websocket", watch)
    open_board(page, server)
    click(page, "J9")
    click(page, "K6")
    verdict(page, "blocked")
    step = page.locator('.ldv-step[data-hexes="J8"]:visible').last
    expect(step).to_be_visible()
    pings = re.compile(rb'"(ping|here)"')
    until(page, "document.fonts.status === 'loaded'")  # a font that comes has the board repainted
    frames.clear()
    step.hover()
    expect(page.locator("svg.ldv-hover")).to_be_visible()
    assert page.locator("svg.ldv-hover path").first.get_attribute("d") == step.get_attribute("data-outline")
    step.focus()
    expect(page.locator("svg.ldv-hover")).to_be_visible()
    at = spot(page, "J8")
    for i in range(40):
        page.mouse.move(at["left"] + at["x"] - 20 + i, at["top"] + at["y"])
    expect(step).to_have_class(re.compile("is-named"))
    expect(page.locator("svg.ldv-hover")).to_be_hidden()
    spoken = [f for f in frames if not pings.search(f if isinstance(f, bytes) else f.encode())]
    assert spoken == [], "hovering must not reach the kernel"


def test_a_slow_tablet_still_hears_the_kernel(page: Page, server: Server) -> None:
    page.add_init_script("""(() => {
      const made = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        const end = performance.now() + (blob.type === "text/javascript" ? 2500 : 0);
        while (performance.now() < end);
        return made.call(URL, blob);
      };
    })();""")
    open_board(page, server)
    click(page, "J9")
    click(page, "K6")
    verdict(page, "blocked")


def test_a_piece_is_dragged_and_the_move_undone(board: Page) -> None:
    start, end = spot(board, "K6"), spot(board, "H4")
    painted = board.evaluate(PIXELS)
    board.mouse.move(start["left"] + start["x"], start["top"] + start["y"])
    board.mouse.down()
    board.mouse.move(start["left"] + start["x"] - 30, start["top"] + start["y"], steps=3)
    board.mouse.move(end["left"] + end["x"], end["top"] + end["y"], steps=6)
    board.mouse.up()
    twin = board.locator(".ldv-twin")
    expect(twin).to_contain_text("H4 : Terrain Dégagé ; Borbe")
    board.get_by_role("button", name="↶").click()
    expect(twin).to_contain_text("K6 : Bois, niveau 1 ; Borbe")
    until(board, f"() => ({PIXELS})() === {painted}")


def test_a_button_released_outside_ends_the_drag(board: Page) -> None:
    start = spot(board, "K6")
    board.mouse.move(start["left"] + start["x"], start["top"] + start["y"])
    board.mouse.down()
    board.mouse.move(start["left"] + start["x"] + 40, start["top"] + start["y"] + 10, steps=3)
    board.mouse.move(1270, 20, steps=3)
    board.mouse.up()
    click(board, "J9")
    click(board, "K6")
    verdict(board, "blocked")


def test_the_keyboard_reaches_everything_and_leaves(board: Page) -> None:
    canvas = board.locator("canvas.ldv-canvas")
    assert canvas.get_attribute("aria-roledescription") == "plateau"
    assert "Flèches" in (canvas.get_attribute("aria-label") or "")
    canvas.focus()
    board.keyboard.press("Home")
    live = board.locator(".ldv-quiet[aria-live=polite]")
    expect(live).to_contain_text("A1 : Terrain Dégagé")
    board.keyboard.press("ArrowRight")
    expect(live).to_contain_text("B1")
    board.keyboard.press("Enter")
    for _ in range(3):
        board.keyboard.press("ArrowDown")
    expect(live).to_contain_text("B4")
    board.keyboard.press("Enter")
    verdict(board, "clear")
    board.keyboard.press("Escape")
    verdict(board, "pending")
    board.keyboard.press("Tab")
    assert not canvas.evaluate("c => c === document.activeElement")
    board.keyboard.press("Shift+Tab")
    assert canvas.evaluate("c => c === document.activeElement")


def test_errors_are_said_in_french_and_the_board_goes_on(board: Page) -> None:
    click(board, "A1")
    alert = board.locator(".ldv-alert")
    expect(alert).to_contain_text("Cet hex est réservé. Choisissez-en un autre.")
    click(board, "A2")
    expect(alert).to_contain_text("rien n’est perdu")
    click(board, "J9")
    expect(alert).to_be_hidden()
    click(board, "K6")
    verdict(board, "blocked")
    assert "Traceback" not in board.content()


def test_the_wheel_scrolls_the_page_over_the_board(board: Page) -> None:
    board.set_viewport_size({"width": 1280, "height": 500})
    at = spot(board, "H5")
    scrolled = "() => Math.max(...[...document.querySelectorAll('*')].map((e) => e.scrollTop))"
    board.mouse.move(at["left"] + at["x"], at["top"] + at["y"])
    board.mouse.wheel(0, 120)
    until(board, f"() => ({scrolled})() > 0")


def test_settings_and_the_board_without_a_mouse(board: Page) -> None:
    board.get_by_label("Fumigènes en N8").fill("4")
    board.keyboard.press("Enter")
    expect(board.locator(".ldv-twin")).to_contain_text("fumigènes 4")
    board.get_by_text("Plateau sans souris").click()
    field = board.get_by_label("Hex", exact=True)
    for cell in ("J9", "K6"):
        field.fill(cell)
        field.press("Enter")
        board.get_by_role("button", name="Choisir cet hex").click()
    verdict(board, "blocked")


def test_a_form_made_anew_keeps_the_place_and_what_was_being_typed(board: Page) -> None:
    field = board.get_by_label("Fumigènes en N8")
    field.focus()
    field.press("Control+A")
    board.keyboard.type("4")
    field.evaluate("""async (old) => {
      const made = old.cloneNode(), row = old.parentElement;
      made.value = "7";
      made.addEventListener("change", () => { window.told = made.value; });
      old.remove();
      await new Promise(requestAnimationFrame);
      row.append(made);
    }""")
    expect(field).to_be_focused()
    expect(field).to_have_value("4")
    board.keyboard.press("Tab")
    until(board, "window.told === '4'")


def test_the_dark_theme_repaints_the_board(board: Page) -> None:
    before = board.evaluate(PIXELS)
    board.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    until(board, f"() => ({PIXELS})() !== {before}")


def test_a_phone_gets_a_crop_that_follows(visit: Callable[..., Visit], server: Server) -> None:
    page = open_board(visit(**PHONE).new_page(), server)
    window = page.locator(".ldv-board-window")
    expect(window).to_have_class(re.compile("is-zoomed"))
    until(page, "() => document.querySelector('canvas.ldv-canvas').clientWidth > 600")
    until(page, READY)
    facts = page.evaluate(
        "() => { const w = document.querySelector('.ldv-board-window'); return [w.clientWidth, w.scrollWidth, w.clientHeight]; }"
    )
    assert facts[0] <= 390 < 600 < facts[1]
    assert facts[2] <= 430
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    window.evaluate("w => w.scrollTo(300, 100)")
    at = spot(page, "J9")
    page.touchscreen.tap(at["left"] + at["x"], at["top"] + at["y"])
    at = spot(page, "K6")
    page.touchscreen.tap(at["left"] + at["x"], at["top"] + at["y"])
    verdict(page, "blocked")
    closer = page.locator(".ldv-zoom button").last
    width = page.locator("canvas.ldv-canvas").evaluate("c => c.clientWidth")
    closer.click()
    until(page, f"() => document.querySelector('canvas.ldv-canvas').clientWidth > {width}")
    visible = "() => document.querySelector('.ldv-board-window').scrollLeft > 300"
    until(page, visible)


def test_a_finger_drags_a_piece_and_scrolls_elsewhere(visit: Callable[..., Visit], server: Server) -> None:
    page = open_board(visit(**PHONE).new_page(), server)
    until(page, "() => document.querySelector('canvas.ldv-canvas').clientWidth > 600")
    window = page.locator(".ldv-board-window")
    window.evaluate("w => w.scrollTo(300, 60)")
    client = page.context.new_cdp_session(page)

    def touch(kind: str, x: float | None = None, y: float | None = None) -> None:
        points = [] if x is None else [{"x": x, "y": y}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start, end = spot(page, "K6"), spot(page, "L8")
    x0, y0 = start["left"] + start["x"], start["top"] + start["y"]
    x1, y1 = end["left"] + end["x"], end["top"] + end["y"]
    touch("touchStart", x0, y0)
    for i in range(1, 6):
        touch("touchMove", x0 + (x1 - x0) * i / 5, y0 + (y1 - y0) * i / 5)
    touch("touchEnd")
    expect(page.locator(".ldv-twin")).to_contain_text("L8 : Bois ; Borbe")


def test_a_dead_session_says_so(visit: Callable[..., Visit], server: Server) -> None:
    reader = visit()
    page = open_board(reader.new_page(), server)
    reader.expected += ["404"]  # the page asks whether its kernel is there
    kernel = json.loads(page.locator("#jupyter-config-data").text_content() or "{}")["kernelId"]
    page.evaluate(
        """(id) => fetch(`/voila/api/shutdown/${id}?_xsrf=` + (document.cookie.match(/_xsrf=([^;]*)/) || [])[1], {method: 'POST'})""",
        kernel,
    )
    expect(page.locator("#ldv-banner, .ldv-banner").first).to_be_visible()
