"""What a page shows is made after the page was sent, while the browser loads Jupyter's own scripts.

Importing and building a lesson takes a kernel about as long as the browser needs for its own start: done one beside
the other, a reader waits for one of them only.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import ipywidgets as ipw

from widgets.board.memory import uncollected

log = logging.getLogger("ligne_de_vue")
#: Seconds after the last cell: its answer leaves the kernel first.
_PAUSE = 0.01
FAILED = (
    '<div class="ldv-failure" role="alert"><p><strong>Cette page n’a pas pu être construite.</strong> '
    "Rechargez-la\u00a0; si cela se répète, signalez l’erreur depuis le bas de la page.</p></div>"
)


def served() -> bool:
    """Whether this kernel belongs to a page of our server (else JupyterLab, or a plain Python)."""
    return "VOILA_BASE_URL" in os.environ or "VOILA_APP_PORT" in os.environ or "VOILA_PREHEAT" in os.environ


@contextmanager
def unheard() -> Iterator[None]:
    """Widgets made inside are not announced one by one: a page that comes later asks for all of them at once.

    An announcement that reached a page before Jupyter's front end knows what a widget is would be refused, and its
    widget closed; and hundreds of them cost a kernel and a server what nobody reads.
    """
    from ipykernel.kernelbase import Kernel

    if not Kernel.initialized():
        yield
        return
    session = Kernel.instance().session
    send = session.send
    # Below the comms themselves: what they note when they speak (which loop answers them) must still be noted.
    session.send = lambda stream, kind, *args, **kwargs: (
        None if str(kind).startswith("comm_") else send(stream, kind, *args, **kwargs)
    )
    try:
        yield
    finally:
        session.send = send


class Later:
    """Places on a page, and what fills them: at once in JupyterLab or a script, once the page is sent on our server.

    >>> page = Later()
    >>> place = page.place(lambda: ipw.HTML("La situation"))
    >>> [child.value for child in place.children]
    ['La situation']
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[ipw.Box, Callable[[], ipw.Widget | None]]] = []

    def place(self, build: Callable[[], ipw.Widget | None]) -> ipw.Box:
        """A place, and what makes its content."""
        place = ipw.VBox()
        self._waiting.append((place, build))
        if not served():
            self.fill()
        return place

    def fill_soon(self) -> None:
        """Fill the places as soon as the cell that runs has answered; the last cell of a notebook calls it."""
        if served():
            asyncio.get_running_loop().call_later(_PAUSE, self._fill_unheard)

    def _fill_unheard(self) -> None:
        with unheard(), uncollected():
            self.fill()

    def fill(self) -> None:
        """Fill the places that are still empty; one that cannot be filled says so."""
        while self._waiting:
            place, build = self._waiting.pop(0)
            try:
                made = build()
            except Exception:
                if not served():
                    raise
                log.exception("a part of the page could not be made")
                made = ipw.HTML(FAILED)
            place.children = () if made is None else (made,)
