"""« Fiche d’exercices »: a worksheet to print."""

from __future__ import annotations

import ipywidgets as ipw

from widgets.classroom.sheet import SheetPage
from widgets.pages.opening import opened


def sheet() -> ipw.Widget:
    """The page."""
    return opened(lambda page: SheetPage(page).widget)
