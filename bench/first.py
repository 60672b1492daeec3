"""The first picture of a lesson against a static page of the same bytes: alone, and while a class arrives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from statistics import median
from threading import Thread

from playwright.sync_api import Browser
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from bench.measures import Measure
from bench.pages import SIGHT, address, browsing, served, settle
from tests.browser.harness import DESKTOP, Server, until

TITLE = "Le premier plateau, avant tout noyau (horloge, pas processeur)"
LONG = True
CLASS, VISITS, ROUNDS, SECONDS = 60, 9, 3, 240
#: How late the picture may be: times that of a page that needs no kernel.
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
#: Headers that are not the page's own.
OF_A_CONNECTION = ("Transfer-Encoding", "Content-Length", "Connection", "Date", "Server", "Set-Cookie")
_BEGINNING = re.compile(r".*<div id=\"ldv-first\".*?</div>(?=\s*<script>ldv\.loading)", re.DOTALL)


class Replica(AbstractContextManager[str]):
    """A server of a page as it begins, without what would start a kernel, and of what else it asks of another server.

    Args:
        server: the other; url: of the page there; text: of the page.

    Entered, it is the page's address.
    """

    def __init__(self, server: Server, url: str, text: str) -> None:
        path = url.removeprefix(server.url)
        kept: dict[str, tuple[bytes, list[tuple[str, str]]]] = {}

        class Files(RequestHandler):
            """A file, asked of the other server once."""

            async def get(self) -> None:
                """Send it."""
                uri = str(self.request.uri)
                if uri not in kept:
                    asked = HTTPRequest(
                        server.url + uri, decompress_response=False, headers={"Accept-Encoding": "gzip"}
                    )
                    answer = await AsyncHTTPClient(force_instance=True).fetch(asked)
                    body = text.encode() if uri == path else answer.body
                    beside = (*OF_A_CONNECTION, "Content-Encoding") if uri == path else OF_A_CONNECTION
                    kept[uri] = body, [one for one in answer.headers.get_all() if one[0] not in beside]
                body, headers = kept[uri]
                for name, value in headers:
                    self.set_header(name, value)
                self.finish(body)

        (self._socket,) = bind_sockets(0, "127.0.0.1")
        self._app, self._path = Application([(r"/.*", Files)]), path
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._serve)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        HTTPServer(self._app).add_socket(self._socket)
        self._loop.run_forever()

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}{self._path}"

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


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


def shown_after(browser: Browser, url: str) -> float:
    """Milliseconds until the picture of a page is painted, in a browser context of its own with an empty cache."""
    context = browser.new_context(locale="fr-FR", bypass_csp=True, **DESKTOP)
    try:
        page = context.new_page()
        page.add_init_script(WATCH)
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


def compared(browser: Browser, server: Server, url: str, static: str, readers: int, visits: int) -> tuple[float, float]:
    """Medians of visits to a page of the server and to the static one, in turn, while as many readers in all arrive.

    The browser is on the same machine: as many kernels start beside the static page, which has none.
    """
    times: dict[str, list[float]] = {url: [], static: []}
    for visited in list(times) * visits:
        others = readers - (visited == url)
        with Arriving(url, others) if others else nullcontext():
            times[visited].append(shown_after(browser, visited))
        settle(server)
    return median(times[url]), median(times[static])


def run() -> Iterator[Measure]:
    """Measure."""
    with browsing() as browser, served(LDV_MAX_KERNELS=str(3 * CLASS), LDV_UNOPENED="5") as server:
        url = address(server, SIGHT)
        with Replica(server, url, beginning(browser, server, url)) as static:
            shown_after(browser, static)  # all that it asks for is at hand
            for label, readers, visits in (("seul", 1, VISITS), (f"{CLASS} lecteurs à la fois", CLASS, ROUNDS)):
                page, witness = compared(browser, server, url, static, readers, visits)
                against = "une page statique des mêmes octets"
                yield Measure(f"Premier plateau, {label}", page, "ms", witness, against, SHOWN * witness)
