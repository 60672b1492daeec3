"""Browser windows that pass from one test to the next, as empty as new ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

from tests.browser.harness import DESKTOP, LATE, PATIENCE

#: Windows that wait for the next test: of a desktop, of a phone, and one more.
_KEPT = 3
#: Tests that a window is lent to: what its process keeps of pages that were left grows by some 20 MiB a page.
_TIMES = 10
#: What leaves something in a window that cannot be taken out of it.
_MARKS = ("add_init_script", "expose_binding", "expose_function", "route", "route_web_socket")
_MARKS_OF_ALL = (*_MARKS, "grant_permissions", "new_cdp_session", "set_extra_http_headers", "set_offline")


class Window:
    """A window with one tab, of a browser of its own (a Playwright context).

    Args:
        browser: of the session.
        options: of the context.
    """

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.options = options
        self.context: BrowserContext = browser.new_context(locale="fr-FR", **options)
        if late := os.environ.get("LDV_LATE"):
            self.context.add_init_script(LATE % float(late))
        self.tab: Page = self.context.new_page()
        self.tab.set_default_timeout(PATIENCE * 1000)
        #: Whether a test left something in it; how many tests had it.
        self.marked, self.times = False, 0
        for owner, names in ((self.tab, _MARKS), (self.context, _MARKS_OF_ALL)):
            for name in names:
                setattr(owner, name, self._marking(getattr(owner, name)))

    def _marking(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def marked(*args: Any, **given: Any) -> Any:
            self.marked = True
            return act(*args, **given)

        return marked

    def empty(self, home: str) -> bool:
        """Leave its page as a reader does, and forget the reader; whether it may be lent again.

        A page of the same server takes the place of the one that is left: a browser keeps its process then, which has
        read all scripts. An empty page would take the process with it, and what it costs to begin anew.
        """
        try:
            for page in self.context.pages:
                if page is not self.tab:
                    # to close a tab does not say that one leaves
                    page.goto("about:blank", wait_until="commit", timeout=30_000)
                    page.close()
            self.tab.mouse.move(0, 0)
            self.tab.goto(f"{home}/robots.txt", wait_until="commit", timeout=30_000)
            self.tab.evaluate("() => { localStorage.clear(); sessionStorage.clear(); window.name = ''; }")
            self.tab.set_viewport_size(self.options["viewport"])
            self.tab.emulate_media(
                media="null",  # as if nobody had asked for one: a page is printed in print then
                color_scheme=self.options.get("color_scheme", "light"),
                reduced_motion=self.options.get("reduced_motion", "no-preference"),
            )
            self.tab.clear_console_messages()
            self.context.clear_cookies()
        except Error:
            return False
        self.times += 1
        return not self.marked and self.times < _TIMES

    def close(self) -> None:
        """For good."""
        self.context.close()


class Windows:
    """Lends windows: opening a page where another one was takes a browser half of what it takes in a new one.

    Args:
        browser: of the session.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[Window] = []

    def lend(self, **options: Any) -> Window:
        """A window that nobody has, with these options of a Playwright context beside those of a desktop."""
        asked = {**DESKTOP, **options}
        window = next((one for one in self._free if one.options == asked), None)
        if window is None:
            return Window(self._browser, asked)
        self._free.remove(window)
        return window

    def take_back(self, window: Window, home: str) -> None:
        """Keep a window for the next test when nothing is left in it; ``home``: the server that it showed."""
        if not window.empty(home):
            window.close()
            return
        self._free.append(window)
        if len(self._free) > _KEPT:
            self._free.pop(0).close()
