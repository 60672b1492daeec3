"""« La classe »: what a learner sees of his teacher's session."""

from __future__ import annotations

import ipywidgets as ipw

from widgets.classroom.live import LivePage
from widgets.pages.opening import opened


def live() -> ipw.Widget:
    """The page."""
    return opened(lambda page: LivePage(page).widget)
