"""The first picture of a lesson against a static page of the same bytes: alone, and while a class arrives."""

from __future__ import annotations

import asyncio
import multiprocessing
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from multiprocessing.connection import Connection
from statistics import median
from threading import Thread

from playwright.sync_api import Browser
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from bench.measures import Measure
from bench.pages import FAREWELL_MS, SIGHT, address, browsing, served, settle
from tests.browser.harness import DESKTOP, Server, until

TITLE = "Le premier plateau, avant tout noyau (horloge, pas processeur)"
LONG = True
CLASS, VISITS, ROUNDS, SECONDS = 60, 9, 5, 240
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
#: The page that is timed; pages that others ask for at once, and how many they are.
Asked = tuple[str, Sequence[tuple[str, int]]]
_BEGINNING = re.compile(r".*<div id=\"ldv-first\".*?</div>(?=\s*<script>ldv\.loading)", re.DOTALL)


def replicate(origin: str, path: str, text: str, ready: Connection) -> None:
    """Serve a page as it begins, without what would start a kernel, and what else it asks of another server.

    Args:
        origin: address of the other server; path: of the page there; text: of the page.
        ready: is sent the port.
    """
    kept: dict[str, tuple[bytes, list[tuple[str, str]]]] = {}

    class Files(RequestHandler):
        """A file, asked of the other server once."""

        async def get(self) -> None:
            """Send it."""
            uri = str(self.request.uri)
            if uri not in kept:
                asked = HTTPRequest(origin + uri, decompress_response=False, headers={"Accept-Encoding": "gzip"})
                answer = await AsyncHTTPClient(force_instance=True).fetch(asked)
                body = text.encode() if uri == path else answer.body
                beside = (*OF_A_CONNECTION, "Content-Encoding") if uri == path else OF_A_CONNECTION
                kept[uri] = body, [one for one in answer.headers.get_all() if one[0] not in beside]
            body, headers = kept[uri]
            for name, value in headers:
                self.set_header(name, value)
            self.finish(body)

    async def serve() -> None:
        (listening,) = bind_sockets(0, "127.0.0.1")
        HTTPServer(Application([(r"/.*", Files)])).add_socket(listening)
        ready.send(listening.getsockname()[1])
        await asyncio.Event().wait()

    asyncio.run(serve())


@contextmanager
def replica(server: Server, url: str, text: str) -> Iterator[str]:
    """The address of a static page, served by a process of its own as the server's pages are.

    Args:
        server: what else the page asks for is asked of it once; url: of the page there; text: of the static page.
    """
    spawn = multiprocessing.get_context("spawn")
    answer, ready = spawn.Pipe(duplex=False)
    path = url.removeprefix(server.url)
    serving = spawn.Process(target=replicate, args=(server.url, path, text, ready), daemon=True)
    serving.start()
    try:
        yield f"http://127.0.0.1:{answer.recv()}{path}"
    finally:
        serving.kill()
        serving.join()


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
        page.wait_for_timeout(FAREWELL_MS)
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
        page.wait_for_timeout(FAREWELL_MS)
    settle(server)
    begun = _BEGINNING.match(text)
    if begun is None:
        raise RuntimeError("la page n’a pas de premier plateau")
    return f"{begun[0]}<script>ldv.loading();</script></body></html>"


def compared(browser: Browser, server: Server, visits: int, **readers: Asked) -> list[float]:
    """Medians of what readers wait for a picture, each kind in turn.

    Args:
        visits: of each kind.
        readers: name -> the page that is timed, and pages that others ask for at once, with how many they are.
    """
    times: dict[str, list[float]] = {name: [] for name in readers}
    for name in list(times) * visits:
        timed, others = readers[name]
        with ExitStack() as arriving:
            for url, count in others:
                arriving.enter_context(Arriving(url, count))
            times[name].append(shown_after(browser, timed))
        settle(server)
    return [median(seen) for seen in times.values()]


def run() -> Iterator[Measure]:
    """Measure."""
    with browsing() as browser, served(LDV_MAX_KERNELS=str(3 * CLASS), LDV_UNOPENED="5") as server:
        url = address(server, SIGHT)
        with replica(server, url, beginning(browser, server, url)) as static:
            shown_after(browser, static)  # all that it asks for is at hand
            page, witness = compared(browser, server, VISITS, page=(url, ()), witness=(static, ()))
            against = "une page statique des mêmes octets"
            yield Measure("Premier plateau, seul", page, "ms", witness, against, SHOWN * witness)
            others = CLASS - 1
            page, witness, alone = compared(
                browser,
                server,
                ROUNDS,
                page=(url, [(url, others)]),
                witness=(static, [(static, others)]),
                # the browser is on the same machine: as many kernels start beside
                alone=(static, [(url, others)]),
            )
            against = f"la même page statique, {CLASS} lecteurs à la fois"
            yield Measure(f"Premier plateau, {CLASS} lecteurs à la fois", page, "ms", witness, against, SHOWN * witness)
            against = f"la page statique seule, {others} lecteurs à la porte"
            yield Measure("Le même", page, "ms", alone, against)
