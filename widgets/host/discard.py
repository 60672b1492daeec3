"""What leaves a page for good: closed, in the kernel and in the browser, with all that it holds."""

from __future__ import annotations

from collections.abc import Iterator

import ipywidgets as ipw

from widgets.board import layouts
from widgets.host.page import Page


def discard(page: Page, *widgets: ipw.Widget) -> None:
    """Close widgets and all that they hold, but for what the whole page shares.

    Args:
        page: whose they are.
        widgets: shown no more.
    """
    for widget in widgets:
        for one in list(_below(widget, page)):
            one.close()


def swap(page: Page, place: ipw.Box, *children: ipw.Widget) -> None:
    """Show other widgets in a place; those that stood there and stand there no more are closed.

    Args:
        page: whose they are.
        place: a box.
        children: shown from now on.
    """
    left, place.children = place.children, children
    discard(page, *(one for one in left if one not in children))


def _below(widget: ipw.Widget, page: Page) -> Iterator[ipw.Widget]:
    if widget in page.unseen:
        return
    for child in (*getattr(widget, "children", ()), *getattr(widget, "_canvases", ())):
        yield from _below(child, page)
    yield widget
    for own in (getattr(widget, "layout", None), getattr(widget, "style", None)):
        if isinstance(own, ipw.Widget) and own not in layouts.shared():
            yield own
