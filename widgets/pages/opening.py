"""How every page of the course opens: an error that a reader understands in its place,
and the class that the tab attends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.course.links import read_query
from widgets.board.errors import failure
from widgets.host.page import Page
from widgets.host.prose import html

if TYPE_CHECKING:
    from widgets.player.lesson import LessonPage


def opened(build: Callable[[Page], ipw.Widget]) -> ipw.Widget:
    """What a notebook shows: the page, or why it cannot be shown.

    Args:
        build: makes it, given what its widgets share.
    """
    page = Page()
    follow_class(page)
    try:
        return build(page)
    except TutorError as error:
        return html(failure(error.sentence))


def follow_class(page: Page) -> None:
    """Have the page be in the class that its tab attends; only then is what follows a class imported."""

    def follow() -> None:
        from widgets.classroom.attendance import attend

        attend(page)

    page.course.on_attending(follow)


def follow_scenes(page: Page, lesson: LessonPage) -> None:
    """Have a lesson follow the scenes of the teacher in the class that its tab attends, or lead those of his class."""

    def follow() -> None:
        from widgets.classroom.scenes import Follower

        page.one(Follower, page, lesson)

    def lead() -> None:
        session = read_query(page.course.query).leads
        if session.isdecimal():
            from widgets.classroom.scenes import Leader

            page.one(Leader, page, lesson, int(session))

    page.course.on_attending(follow)
    page.course.on_query(lead)
