"""The projector's screen: large type, what is on all screens, the answer hidden until a key is pressed."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import ask
from tutor.course.onboard import speaks_of
from tutor.course.shown import BoardShown, board_of, named_hexes, position_of_text
from widgets.board import errors
from widgets.board.errors import failure, guarded
from widgets.classroom.browser import class_page
from widgets.classroom.people import answered_line
from widgets.classroom.question import ChoiceQuestion, ExerciseQuestion
from widgets.classroom.scenes import leading_link, lesson_line
from widgets.host.address import entrance
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show
from widgets.player.stage import Stage

if TYPE_CHECKING:
    from widgets.host.channel import Channel, Reply

_PRESS = "Une touche (espace, entrée, →) révèle la réponse."


class LargeBoard:
    """A board for a room, that follows what is shown.

    Args:
        page: what its widgets share.
        body: as it was pushed, or as it is led.
    """

    def __init__(self, page: Page, body: dict[str, Any]) -> None:
        self.page = page
        self._shown: BoardShown = board_of(body)
        self._arguments = dict(self._shown.arguments)
        self.stage = Stage(page, self._shown.position, label="Plateau", pending="")
        self.stage.board.let_drag(False)
        example, position = self._shown.example, self._shown.position
        self.stage.board.aim(example.focus, speaks_of(position, self._arguments, example))
        title = html(f'<p class="ldv-question">{escape(str(body.get("title", "")))}</p>')
        asked = box(box(title, css="ldv-ask"), css="ldv-exercise")
        self.widget = box(
            box(self.stage.board_widget, css="ldv-main"),
            box(asked, *self.stage.side_widgets, css="ldv-side"),
            css="ldv-lesson ldv-exercises",
        )

    def close(self) -> None:
        """Leave the page: something else takes its place."""
        self.stage.close()

    def update(self, state: dict[str, Any], led: dict[str, Any]) -> None:
        """Follow the session, and the board that is led."""
        position = self.stage.position
        if led:
            position = position_of_text(str(led.get("position", "")), self._shown.game_id)
            self._arguments = dict(led.get("with") or self._arguments)
            self.stage.place(position)
        if not state.get("revealed"):
            self.stage.hide()
            self.stage.mark(named_hexes(position, self._arguments))
            return
        try:
            self.stage.reveal(ask(position, self._shown.example.ask, **self._arguments))
        except TutorError as error:
            self.stage.fail(error)


class Projector:
    """The screen of a session.

    Args:
        page: what its widgets share.
        channel: the way to the server.
        session: its number.
    """

    def __init__(self, page: Page, channel: Channel, session: int) -> None:
        self.page = page
        self._channel, self._session = channel, session
        self._state: dict[str, Any] = {}
        self._key: Any = None
        self._shown: ExerciseQuestion | ChoiceQuestion | LargeBoard | None = None
        self._head, self._place = html(""), box()
        self._reveal = button("Révéler", hint=_PRESS)
        self._reveal.on_click(guarded(lambda _: self.reveal()))
        head = box(self._head, self._reveal, row=True, css="ldv-project-head")
        self.widget = box(head, self._place, css="ldv-project ldv-part")
        class_page(self.page).listening = True
        class_page(self.page).on_key(lambda _: self.reveal())
        channel.subscribe(f"class/{session}/desk", guarded(self._heard), guarded(self._opened))
        channel.write("class.control", {"session": session, "projector": True})

    def _opened(self, reply: Reply) -> None:
        if not reply.ok:
            errors.report(reply.message)

    def reveal(self) -> None:
        """Show the answer, on this screen and on all."""
        if self._state.get("push") and not self._state.get("revealed"):
            self._channel.write("class.control", {"session": self._session, "revealed": True})

    def _heard(self, payload: Any) -> None:
        if not isinstance(payload, dict):
            return
        if payload.get("erased") or payload.get("closed"):
            self._leave()
            self._key, self._head.value = None, "<p>Cette séance est close.</p>"
            swap(self.page, self._place)
            show(self._reveal, False)
            return
        self._state = payload
        led = payload.get("board") if payload.get("leading") else None
        led = led if isinstance(led, dict) else {}
        push = payload.get("push")
        body = led or (push["body"] if push and isinstance(push["body"], dict) else {})
        key = (
            ("led", *(body.get(n) for n in ("game", "example", "scene", "name"))) if led else push["id"] if push else 0
        )
        if key != self._key:
            self._build(key, body)
        if isinstance(self._shown, LargeBoard):
            self._shown.update(payload, led)
        elif self._shown is not None:
            self._shown.update(payload)
        elif not body:
            swap(self.page, self._place, html(entrance(payload["code"], self.page.course.origin, payload["people"])))
        self._show_head()

    def _show_head(self) -> None:
        state, question = self._state, isinstance(self._shown, (ExerciseQuestion, ChoiceQuestion))
        hidden = self._shown is not None and not state.get("revealed")
        show(self._reveal, hidden)
        parts = [f"Code{NBSP}: <strong>{escape(state['code'])}</strong>"] if self._shown else []
        parts += [answered_line(state)] if question else []
        press = f' <span class="ldv-press">{_PRESS}</span>' if hidden else ""
        self._head.value = f'<p role="status">{" · ".join(parts)}{press}</p>' if parts else ""

    def _leave(self) -> None:
        """Leave what is shown."""
        if self._shown is not None:
            self._shown.close()
        self._shown = None

    def _build(self, key: Any, body: dict[str, Any]) -> None:
        self._leave()
        self._key = key
        form = body.get("form")
        made: ipw.Widget | None = None
        try:
            if form == "exercise":
                self._shown = ExerciseQuestion(self.page, body, None, large=True)
            elif form == "choice":
                self._shown = ChoiceQuestion(body, None)
            elif form == "board":
                self._shown = LargeBoard(self.page, body)
            elif form == "lesson":
                made = html(f"{lesson_line(body)}{leading_link(body, self._session)}")
            elif body:
                made = html(f'<p class="ldv-question">{escape(str(body.get("title", "")))}</p>')
        except TutorError as error:
            made = html(failure(error.sentence))
        made = self._shown.widget if self._shown else made
        swap(self.page, self._place, *([made] if made else []))
