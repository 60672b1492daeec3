"""The lesson player that notebooks call: one lesson of a course, part by part.

A notebook has four cells::

    from widgets.pages.lesson import lesson
    page = lesson("combat_commander", "cc-04-ldv")
    page.opening()      # situation, question, first example with its rule and « Et si… »
    page.examples()     # the other examples
    page.exercises()    # exercises
    page.closing()      # what to remember, what comes next

On our server the cells give empty places, and the lesson is made once the page has gone to the browser: the kernel
imports and builds while the browser still loads Jupyter's own scripts. So this module imports next to nothing.
The query string (``?exemple=``, ``?position=``, ``?mode=projection``) comes from the page once all of it is
there; so no cell waits for it, and a pre-heated kernel holds the whole lesson.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import ipywidgets as ipw

from widgets.host.deferred import Later, served

if TYPE_CHECKING:
    from widgets.player.lesson import BrokenPage, LessonPage


#: Said where the notebook itself is open, and so in a page that is made of it.
EXPORTED = (
    '<p class="ldv-hint"><small>Ce cahier exporté en page HTML n’a plus de plateaux vivants, seulement leur texte\u202f: '
    "sur le serveur du cours, « Tout voir » imprime la leçon avec les siens.</small></p>"
)


def lesson(game_id: str, lesson_id: str) -> LessonParts:
    """A lesson, ready to be shown part by part.

    Args:
        game_id: game.
        lesson_id: id of the lesson (``cc-04-ldv``).
    """
    return LessonParts(game_id, lesson_id)


class LessonParts:
    """The parts of a lesson, for the cells of its notebook. Use :func:`lesson`."""

    def __init__(self, game_id: str, lesson_id: str) -> None:
        self._game_id, self._lesson_id = game_id, lesson_id
        self._later = Later()

    @cached_property
    def page(self) -> LessonPage | BrokenPage:
        """What makes the parts; when the content is broken, one that says so in French."""
        from widgets.host.page import Page
        from widgets.pages.opening import follow_class, follow_scenes
        from widgets.player.lesson import LessonPage, lesson_page

        page = Page()
        follow_class(page)
        made = lesson_page(page, self._game_id, self._lesson_id, staged=served())
        if isinstance(made, LessonPage):
            follow_scenes(page, made)
        return made

    def opening(self) -> ipw.Box:
        """Situation, question, the first example with its rule and its « Et si… »."""
        return self._later.place(lambda: self.page.opening())

    def examples(self) -> ipw.Box:
        """The other examples."""
        return self._later.place(lambda: self.page.examples())

    def exercises(self) -> ipw.Box:
        """The exercises, on one board."""
        return self._later.place(lambda: self.page.exercises())

    def closing(self) -> ipw.Box:
        """What to remember, what comes next; the last cell."""
        place = self._later.place(lambda: self.page.closing())
        self._later.fill_soon()
        if not served():
            place.children = (*place.children, ipw.HTML(EXPORTED))
        return place
