"""The line between a page and its kernel: cut, silent, back; a page that rests; two tabs of one learner."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import Server, Visit, kernel_of
from tests.browser.proxy import Proxy
from tests.browser.test_serving import LESSON

LEAVE = "dispatchEvent(new PageTransitionEvent('pagehide'))"
SILENT = "Le serveur ne répond plus"
#: What a browser writes of a network that is cut.
NETWORK = ["net::", "WebSocket", "Connection lost", "status of 404"]
#: Records how long the page takes to see its line closed, to tell it, and to have it open again.
CLOCK = """(() => {
  const seen = (window.seen = {});
  addEventListener("ldv:back", () => { seen.back = performance.now(); });
})();"""


@pytest.fixture
def network(server: Server) -> Iterator[Proxy]:
    """The network to the server."""
    proxy = Proxy(int(server.url.rpartition(":")[2]))
    yield proxy
    proxy.close()


@pytest.fixture
def far(network: Proxy, visit: Callable[..., Visit]) -> Page:
    """A page through that network."""
    reader = visit(network.url)
    reader.expected += NETWORK
    reader.context.add_init_script(CLOCK)
    page = reader.new_page()
    page.goto(network.url + LESSON)
    press(page, "4")
    return page


def press(page: Page, value: str) -> None:
    """Move the slider by one, and see its answer."""
    handle = page.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    expect(page.locator(".answer")).to_have_text(value)


def test_a_page_is_back_soon_after_a_cut_and_has_lost_nothing(network: Proxy, far: Page) -> None:
    kernel = kernel_of(far)
    network.cut()
    expect(far.locator("#ldv-banner")).to_contain_text(SILENT)
    far.locator(".noUi-handle").first.press("ArrowRight")  # said while nobody hears
    network.restore()
    expect(far.locator("#ldv-banner")).to_be_hidden()
    expect(far.locator(".answer")).to_have_text("5")
    press(far, "6")
    assert kernel_of(far) == kernel


@pytest.mark.parametrize("old", [True, False], ids=["resumed", "forgotten"])
def test_a_silent_network_is_told_and_what_was_said_in_it_arrives_once(network: Proxy, far: Page, old: bool) -> None:
    network.silence()
    for _ in range(2):  # said on a line that nobody has closed
        far.locator(".noUi-handle").first.press("ArrowRight")
    banner = far.locator("#ldv-banner")
    expect(banner).to_contain_text(SILENT)
    network.restore(old=old)
    expect(banner).to_be_hidden()
    expect(far.locator(".answer")).to_have_text("6")
    press(far, "7")


def test_a_page_that_leaves_hears_nothing_of_the_end_of_its_kernel(
    own_server: Callable[..., Server],
    visit: Callable[..., Visit],
) -> None:
    server = own_server()
    page = visit(server.url).new_page()
    with page.expect_websocket() as opened:
        page.goto(server.url + LESSON)
    press(page, "4")
    with page.expect_response("**/api/shutdown/**"):
        page.evaluate(LEAVE)  # what a browser does when it leaves a page, which lives on for a moment
    server.wait_for(lambda seen: seen["kernels"] == 0)
    if not opened.value.is_closed():
        opened.value.wait_for_event("close")
    expect(page.locator("#ldv-banner")).to_be_hidden()
    assert page.evaluate("!ldv.isCut()")
