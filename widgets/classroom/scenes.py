"""A lesson that a teacher leads: his scenes are told to the class; that of a learner follows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from tutor.core.phrases import NBSP
from tutor.course.shown import Body, kept_lesson_body, led_lesson, lesson_body, lesson_link, scene_body
from widgets.board import errors
from widgets.board.errors import guarded
from widgets.classroom.attendance import attendance
from widgets.classroom.browser import class_page, show_class_page
from widgets.host.page import Page

if TYPE_CHECKING:
    from widgets.host.channel import Reply
    from widgets.player.lesson import LessonPage

#: What the bar says above the lesson of who leads.
_LEADS = {"title": "Vous menez la classe", "text": "Elle suit vos scènes."}


def lesson_line(body: Mapping[str, Any]) -> str:
    """A lesson, and the scene that its class is on, as HTML.

    Args:
        body: of the lesson, led or not.
    """
    title = f'<p class="ldv-question">{escape(str(body.get("title", "")))}</p>'
    if not body.get("scene"):
        return title
    return f"{title}<p>Scène{NBSP}{escape(str(body.get('at')))}{NBSP}: {escape(str(body.get('name')))}</p>"


def leading_link(body: Mapping[str, Any], session: int) -> str:
    """The link to a lesson as the screen of a room, whose scenes a session follows, as HTML; of one that has no board,
    that each reads it.

    Args:
        body: of the lesson.
        session: number of the session.
    """
    if body.get("read"):
        return "<p><small>Cette leçon n’a pas de plateau : chacun la lit sur son écran.</small></p>"
    url = replace(lesson_link(body), projection=True, leads=str(session)).url
    return (
        f'<p><a class="ldv-button" href="{escape(url, quote=True)}" target="_blank" rel="opener">Mener la leçon ↗</a></p>'
        "<p><small>La classe suit vos scènes ; une touche montre la réponse à la salle.</small></p>"
    )


def _body(lesson: LessonPage) -> Body:
    """The lesson on a page, as a class is told of it: one of the course, or one that is kept under a code."""
    if lesson.link.page == "authored":
        return kept_lesson_body(lesson.game_id, lesson.link.slug, lesson.content.title)
    return lesson_body(lesson.game_id, lesson.content)


def _event(lesson: LessonPage) -> str:
    """The event of the replayed turn on screen, with the decisions that lead there; "" of none."""
    turn = (
        lesson.replay if lesson.stage and lesson.replay and lesson.replay.content.id == lesson.stage.scene.id else None
    )
    return turn.turn.place if turn else ""


def _standing(scene: str, event: str) -> tuple[str, str]:
    """Where somebody is: a scene, and the number of its event. Who has decided something there is where he was."""
    return scene, event.partition("-")[0]


class Leader:
    """A teacher's lesson: a session follows its scenes, as soon as this tab shows the key that the session is of.

    Args:
        page: what its widgets share.
        lesson: the lesson.
        session: number of the session.
    """

    def __init__(self, page: Page, lesson: LessonPage, session: int) -> None:
        self.page, self.lesson, self._session = page, lesson, session
        self._led: tuple[str, str] | None = None
        class_page(page).observe(guarded(lambda _: self._present()), "teacher")
        show_class_page(page)
        self._present()  # a kept lesson comes after the page that plays it

    def _present(self) -> None:
        channel, key = self.page.server, class_page(self.page).teacher
        if channel is not None and key:
            channel.teach(key, guarded(self._presented), guarded(errors.report))

    def _presented(self, reply: Reply) -> None:
        if not reply.ok:
            errors.report(reply.message)
            return
        class_page(self.page).bar = _LEADS
        self.page.course.observe(guarded(lambda _: self._lead()), "link")
        self._lead()

    def _lead(self) -> None:
        """Tell the class the scene on screen, unless it is there."""
        stage, channel = self.lesson.stage, self.page.server
        if stage is None or channel is None:
            return
        scene, event = stage.scene, _event(self.lesson)
        if self._led == (at := _standing(scene.id, event)):
            return
        self._led = at
        board = scene_body(_body(self.lesson), scene.id, scene.name, stage.at + 1, event)
        asked = {"session": self._session, "leading": True, "board": board}
        channel.write("class.control", asked, guarded(self._said), guarded(errors.report))

    def _said(self, reply: Reply) -> None:
        errors.report("" if reply.ok else reply.message)


class Follower:
    """A learner's lesson: it follows the scenes of his teacher until he goes elsewhere, and again when he wants to.

    Args:
        page: what its widgets share.
        lesson: the lesson.
    """

    def __init__(self, page: Page, lesson: LessonPage) -> None:
        self.lesson, self._class = lesson, attendance(page)
        self._scene = self._place = ""
        self._going = False
        self._class.on_change(self._heard)
        page.course.observe(guarded(lambda _: self._moved()), "link")
        class_page(page).on_key(lambda key: self._go() if key == "follow" else None)
        self._heard()  # a kept lesson comes after the page that plays it: the class may be known

    def _heard(self) -> None:
        """Go where the teacher has gone; he who has looked about stays."""
        led, here = led_lesson(self._class.state), _body(self.lesson)
        of_this = all(led.get(n) == here.get(n) for n in ("game", "lesson", "code")) and self.lesson.stage
        before, follows = self._led, self._class.following is not False
        self._scene, self._place = (str(led["scene"]), str(led["event"])) if of_this else ("", "")
        if self._led == before:
            return
        if not of_this:
            self._class.follow(None)
        elif follows:
            self._go()

    @property
    def _led(self) -> tuple[str, str]:
        return _standing(self._scene, self._place)

    def _go(self) -> None:
        """Show the scene that the teacher is on."""
        stage, replay = self.lesson.stage, self.lesson.replay
        if stage is None or stage.index(self._scene) < 0:
            return
        self._going = True
        try:
            stage.go(stage.index(self._scene), focus=not self._place)
            if self._place and replay:
                replay.open(self._place)
                stage.attend()
        finally:
            self._going = False
        self._moved()

    def _moved(self) -> None:
        """Say whether the scene on screen is that of the teacher."""
        if self._scene and self.lesson.stage and not self._going:
            self._class.follow(_standing(self.lesson.stage.scene.id, _event(self.lesson)) == self._led)
