"""The first picture of a lesson against a static page of the same bytes: alone, and while a class arrives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from statistics import median
from threading import Thread

from playwright.sync_api import Browser, Route
from tornado.httpclient import AsyncHTTPClient, HTTPRequest

from bench.measures import Measure
from bench.pages import SIGHT, address, browsing, served, settle
from tests.browser.harness import DESKTOP, Server, until

TITLE = "Le premier plateau, avant tout noyau (horloge, pas processeur)"
LONG = True
CLASS, VISITS, ROUNDS, SECONDS = 60, 7, 3, 240
#: How late the picture may be: times that of a page that nobody has to send.
SHOWN = 1.10
#: In the page: when its picture was first painted.
WATCH = """
const ldvLook = () => {
  if (document.querySelector("#ldv-first:not([hidden]) .first-map svg"))
    requestAnimationFrame(() => { window.ldvShown = performance.now(); });
  else requestAnimationFrame(ldvLook);
};
requestAnimationFrame(ldvLook);
"""
_BEGINNING = re.compile(r".*<div id=\"ldv-first\".*?</div>(?=\s*<script>ldv\.loading)", re.DOTALL)


class Arriving(AbstractContextManager[None]):
    """A class that asks for a page at once, as browsers do, and does not open what it is sent.

    Args:
        url: of the page; count: of its readers.
    """

    def __init__(self, url: str, count: int) -> None:
        self._thread = Thread(target=lambda: asyncio.run(self._ask(url, count)))

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join()

    async def _ask(self, url: str, count: int) -> None:
        asked = HTTPRequest(url, headers={"Accept": "text/html"}, request_timeout=SECONDS)
        client = AsyncHTTPClient(force_instance=True, max_clients=count)
        await asyncio.gather(*(client.fetch(asked, raise_error=False) for _ in range(count)))


def shown_after(browser: Browser, url: str, sent: str = "") -> float:
    """Milliseconds until the picture of a page is painted, in a browser context of its own with an empty cache.

    Args:
        browser: what reads.
        url: of the page.
        sent: its text, which then comes from no server; "" asks the server for it.
    """
    context = browser.new_context(locale="fr-FR", bypass_csp=True, **DESKTOP)
    try:
        page = context.new_page()
        page.add_init_script(WATCH)

        def send(route: Route) -> None:
            route.fulfill(body=sent, content_type="text/html; charset=utf-8")

        if sent:
            page.route(url, send)
        page.goto(url, wait_until="commit")
        after = float(until(page, "window.ldvShown"))
        page.goto("about:blank")
        return after
    finally:
        context.close()


def beginning(browser: Browser, server: Server, url: str) -> str:
    """What a page begins with, its picture included, once it is prepared."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        until(page, "async url => (await (await fetch(url)).text()).includes('id=\"ldv-first\"')", arg=url)
        text = str(page.evaluate("async url => (await fetch(url)).text()", url))
        page.goto("about:blank")
    settle(server)
    begun = _BEGINNING.match(text)
    if begun is None:
        raise RuntimeError("la page n’a pas de premier plateau")
    return f"{begun[0]}<script>ldv.loading();</script></body></html>"


def compared(visits: int, visit: Callable[[str], float], sent: str) -> tuple[float, float]:
    """Medians of visits to the server's page and to the static one, in turn."""
    pairs = [(visit(""), visit(sent)) for _ in range(visits)]
    return median(page for page, _ in pairs), median(static for _, static in pairs)


def run() -> Iterator[Measure]:
    """Measure."""
    with browsing() as browser, served(LDV_MAX_KERNELS=str(3 * CLASS), LDV_UNOPENED="5") as server:
        url = address(server, SIGHT)
        sent = beginning(browser, server, url)

        def visit(text: str, arriving: int = 0) -> float:
            with Arriving(url, arriving) if arriving else nullcontext():
                after = shown_after(browser, url, text)
            settle(server)
            return after

        against = "les mêmes octets, sans serveur"
        page, static = compared(VISITS, visit, sent)
        yield Measure("Premier plateau, seul", page, "ms", static, against, SHOWN * static)
        page, static = compared(ROUNDS, lambda text: visit(text, CLASS - 1), sent)
        yield Measure(f"Premier plateau, {CLASS} lecteurs à la fois", page, "ms", static, against, SHOWN * static)
