"""« La classe »: the page on which a learner sees what his teacher sends, answers,
and watches the board that is led.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.course.links import Link
from tutor.course.shown import board_of, lesson_url
from widgets.board.errors import failure, guarded, report
from widgets.board.memory import give_back_later
from widgets.classroom.attendance import Attendance, attend, attendance, bar_of
from widgets.classroom.browser import class_page
from widgets.classroom.join import JoinPanel
from widgets.classroom.question import ChoiceQuestion, ExerciseQuestion
from widgets.classroom.shared_board import ClassBoard, followed
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show

if TYPE_CHECKING:
    from widgets.host.channel import Reply

_WAITING = "Vous êtes dans la classe. Votre enseignant prépare la suite ; cette page la montrera d’elle-même."


class LivePage:
    """What is on all screens, on this one."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._class: Attendance = attendance(self.page)
        self._class.at_class = True
        self._shown: Any = None
        self.question: ExerciseQuestion | ChoiceQuestion | None = None
        self.board: ClassBoard | None = None
        self._head, self._place = html(""), box(css="ldv-part")
        self._join = JoinPanel(page, heading="Entrer dans la classe", stay=True)
        leave, self._leave = button("Quitter la séance"), box(css="ldv-screen-only")
        leave.on_click(guarded(lambda _: self._class.leave()))
        self._leave.children = (leave,)
        self.widget = box(
            *(self._head, self._join.widget, self._place, self._leave),
            *self.page.unseen,
            class_page(self.page),
            css="ldv-part ldv-live",
        )
        attend(page)
        self._class.on_change(self._refresh)
        self.page.course.observe(guarded(lambda _: self._refresh()), "ready")
        self._refresh()

    # -- following ------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        here = self._class
        inside = bool(here.session and here.state)
        coming = bool(self.page.course.attending and not here.gone and not inside) or not self.page.course.ready
        show(self._join.widget, not inside and not coming)
        show(self._leave, inside)
        if not inside:
            self._clear()
            waits = f"{here.waits} Vous serez dans la classe dès qu’elle répondra." if here.waits else "Un instant…"
            said = escape(here.gone or (waits if coming else ""))
            self._head.value = f'<p class="ldv-situation" role="status">{said}</p>'
            return
        self._show_head()
        push, led = here.state.get("push"), self._led()
        body = led or (push["body"] if push and isinstance(push["body"], dict) else {})
        names = ("game", "lesson", "code", "example")
        key = ("led", *(led.get(n) for n in names)) if led else push["id"] if push else 0
        if self._shown != key:
            self._build(key, body)
        self._update(here.state)

    def _led(self) -> dict[str, Any]:
        """The board that the teacher leads; {} when he does not."""
        board = self._class.state.get("board")
        return board if self._class.state.get("leading") and isinstance(board, dict) else {}

    def _show_head(self) -> None:
        state = self._class.state
        said = {**bar_of(state, self._class.nickname, self._class.stuck), "href": "", "hot": False}
        if state.get("projector") and not state.get("closed"):
            said["text"] = "Regardez l’écran de la salle"
        class_page(self.page).bar = said
        self._head.value = ""

    def _clear(self) -> None:
        self._close()
        self._shown = None
        swap(self.page, self._place)

    def _close(self) -> None:
        """Leave the question or the board that is shown."""
        if self.question is not None:
            self.question.close()
        if self.board is not None:
            self.board.stage.close()
        self.question = self.board = None

    def _build(self, key: Any, body: Mapping[str, Any]) -> None:
        self._close()
        self._shown = key
        try:
            made = self._made(body)
        except TutorError as error:
            made = html(failure(error.sentence))
        swap(self.page, self._place, made)
        if self.question is not None:
            self._class.mine(self._restore)
        give_back_later()

    def _made(self, body: Mapping[str, Any]) -> ipw.Widget:
        form, send = body.get("form"), partial(self._send, self._shown)
        if form == "exercise":
            self.question = ExerciseQuestion(self.page, body, send)
            return self.question.widget
        if form == "choice":
            self.question = ChoiceQuestion(body, send)
            return self.question.widget
        title = escape(str(body.get("title", "")))
        if form == "board":
            self.board = ClassBoard(self.page, board_of(body), revealed=bool(self._class.state.get("revealed")))
            return box(html(f"<h2>{title}</h2>"), self.board.widget)
        if form == "lesson":
            url, led = escape(lesson_url(body), quote=True), bool(body.get("scene"))
            go = f'<a class="ldv-button" href="{url}">{"Suivre" if led else "Ouvrir"} la leçon</a>'
            return html(
                f'<div class="ldv-waiting"><p>Votre enseignant {"mène" if led else "vous propose"}{NBSP}: '
                f"<strong>{title}</strong></p><p>{go}</p></div>"
            )
        if title:
            return html(f'<div class="ldv-waiting"><p class="ldv-question">{title}</p></div>')
        home = escape(Link().url, quote=True)
        return html(
            f'<div class="ldv-waiting"><p>{_WAITING}</p><p><a href="{home}">Ouvrir une leçon en attendant</a></p></div>'
        )

    def _update(self, state: Mapping[str, Any]) -> None:
        if self.question is not None:
            self.question.update(state)
        if self.board is None:
            return
        led = self._led()
        self.board.freeze(bool(led or state.get("locked") or state.get("closed")))
        if led:
            followed(self.board, led)
        self.board.disclose(bool(state.get("revealed")))

    # -- answering ------------------------------------------------------------------------------------------------

    def _send(self, key: Any, given: Any, ok: bool | None, missed: tuple[str, ...], seconds: float) -> None:
        """Give the answer to the class, unless its question has left the screens meanwhile."""
        if key == self._shown and self.question is not None:
            question = self.question
            self._class.answer(given, ok, missed, seconds, partial(self._sent, question, given), question.wait)

    def _sent(self, question: ExerciseQuestion | ChoiceQuestion, given: Any, reply: Reply) -> None:
        question.answered(given, "" if reply.ok else reply.message)
        if question is not self.question and not reply.ok:  # its own place has left the page
            report(f"Votre réponse à une question précédente n’a pas été comptée. {reply.message}")

    def _restore(self, mine: dict[int, Any]) -> None:
        if self.question is not None and self._shown in mine:
            self.question.restore(mine[self._shown])
