"""The last scene of a lesson: what is known now, what was missed, what comes next, what comes back in three days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Protocol

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.lessons import exercises_of, lesson_after
from tutor.course.links import Link
from tutor.course.models import Lesson
from widgets.host.page import Page
from widgets.host.prose import Writer, html
from widgets.player.predictions import State

#: Days after which a lesson is asked about again.
DAYS = 3
#: Most rules of a lesson that are asked again.
_MOST_RULES = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a scene, as far as the reader is with it.

    Args:
        text: of the question, as prose.
        state: asked, missed, shown or right.
        missed: whether he missed it once at least.
    """

    text: str
    state: State
    missed: bool


class Scene(Protocol):
    """What the end of a lesson needs of each of its scenes."""

    id: str

    @property
    def asked(self) -> Sequence[Asked]: ...


def tally(asked: Sequence[Asked]) -> tuple[int, int, int, int]:
    """How many were right at once, right at the second try, shown, and not answered.

    >>> tally([Asked("?", "right", False), Asked("?", "right", True), Asked("?", "shown", True)])
    (1, 1, 1, 0)
    """
    first = sum(one.state == "right" and not one.missed for one in asked)
    second = sum(one.state == "right" and one.missed for one in asked)
    shown = sum(one.state == "shown" for one in asked)
    return first, second, shown, len(asked) - first - second - shown


class Ending:
    """The end of one lesson.

    Args:
        page: what its widgets share.
        game_id: game.
        content: the lesson.
        address: of the lesson, for the links to its scenes.
        writer: of the page.
        scenes: those of the lesson, asked for when it is read.
    """

    def __init__(
        self,
        page: Page,
        game_id: str,
        content: Lesson,
        address: Link,
        writer: Writer,
        scenes: Callable[[], Sequence[Scene]],
    ) -> None:
        self.page, self.content = page, content
        self._game_id, self._address, self._writer, self._scenes = game_id, address, writer, scenes
        self._of_course = address.page == "lesson"
        self._planned = False

    def around(self, words: Sequence[ipw.Widget]) -> list[ipw.Widget]:
        """All that is read at the end.

        Args:
            words: what to remember.
        """
        return [self.head(), self.missed(), *words, *self.onward()]

    def head(self) -> ipw.Widget:
        """What was answered, counted; the one who answered all has finished the lesson."""
        first, second, shown, left = tally([one for scene in self._scenes() for one in scene.asked])
        self._plan(first + second + shown)
        lines = [
            (first, "done", "{} du premier coup"),
            (second, "half", "{} au second essai"),
            (shown, "half", "{} à revoir"),
            (left, "ahead", "{} sans réponse"),
        ]
        counts = "".join(f'<li data-mark="{mark}">{text.format(count)}</li>' for count, mark, text in lines if count)
        number = f" {self.content.number}" if self._of_course else ""
        title = f"Leçon{number} terminée" if not left else f"Fin de la leçon{number}"
        tick = '<path d="m9 12 3.5 3.5L19 9"/>' if not left else ""
        hexagon = f'<svg viewBox="0 0 28 24" aria-hidden="true"><path d="M8 1.5h12l6 10.5-6 10.5H8L2 12z"/>{tick}</svg>'
        return html(
            f'<section class="ldv-end" data-over="{str(not left).lower()}"><div>{hexagon}<p><b>{title}.</b>'
            f"<small>{escape(self.content.title)}</small></p></div><ul>{counts}</ul></section>"
        )

    def missed(self) -> ipw.Widget:
        """What was missed, each with the way to its scene."""
        items = []
        for scene in self._scenes():
            url = escape(replace(self._address, scene=scene.id).url, quote=True)
            items += [
                f'<li data-state="{one.state}">{self._writer.inline(one.text, False)} '
                f'<a href="{url}" data-ldv-within>{"Revoir" if one.state == "shown" else "Rejouer"}</a></li>'
                for one in scene.asked
                if one.missed or one.state == "shown"
            ]
        if not items:
            return html("")
        return html(
            f'<section class="ldv-end-missed"><h2>Ce qui vous a échappé</h2><ul>{"".join(items)}</ul></section>'
        )

    def onward(self) -> list[ipw.Widget]:
        """The next lesson, the reviews, and the code that brings the reader back."""
        return [html(self._next(), "ldv-end-onward"), html(self._again())]

    def _next(self) -> str:
        after = lesson_after(self._game_id, self.content.id)
        if after is None:
            return ""
        url = escape(Link("lesson", self._game_id, slug=after.slug).url, quote=True)
        return (
            f'<a class="ldv-end-next" href="{url}"><b>{after.number}</b><span><small>Leçon suivante, {after.minutes}'
            f"{NBSP}minutes</small><strong>{escape(after.title)}</strong><small>{escape(after.teaser)}</small></span></a>"
        )

    def _again(self) -> str:
        review, code = escape(Link("review").url, quote=True), self.page.progress.code
        course = escape(Link(game=self._game_id).url, quote=True)
        said = f'Dans trois jours, <a href="{review}">Réviser</a> vous reposera une question de cette leçon.'
        kept = f"Votre code de reprise{NBSP}: <strong class='ldv-code'>{escape(code)}</strong>." if code else ""
        planned = said if self._planned else ""
        words = " ".join(filter(None, (planned, kept, f'<a href="{course}">Tout le cours</a>')))
        return f'<p class="ldv-end-again">{words}</p>'

    def _plan(self, answered: int) -> None:
        """Have the lesson come back, once something of it was answered: its rules that an exercise trains."""
        if self._planned or not answered or not self._of_course or self._game_id not in GAMES:
            return
        trained = [rule for one in exercises_of(self._game_id, self.content) for rule in one.rules]
        wanted = [rule for rule in self.content.rules if rule in trained][:_MOST_RULES]
        self._planned = bool(wanted) and self.page.progress.plan(self._game_id, wanted, DAYS)
