"""« Enseigner » : a teacher's sessions."""

from __future__ import annotations

import ipywidgets as ipw

from widgets.classroom.teacher import TeacherPage
from widgets.pages.opening import opened


def teach() -> ipw.Widget:
    """The page."""
    return opened(lambda page: TeacherPage(page).widget)
