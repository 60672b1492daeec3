"""A session as its teacher leads it: who is in, what is on all screens, the answers as they come, the controls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.typography import typography
from tutor.course.answers import shown
from tutor.course.links import Link
from tutor.course.shown import led_lesson, right_choice, task_of
from widgets.board import errors
from widgets.board.errors import guarded
from widgets.classroom.browser import class_page
from widgets.classroom.compose import Composer
from widgets.classroom.heat import class_map
from widgets.classroom.people import answered_line, missed_list, people_list
from widgets.classroom.question import bars, causes
from widgets.classroom.scenes import leading_link, lesson_line
from widgets.host.address import entrance
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show

if TYPE_CHECKING:
    from widgets.host.channel import Channel, Reply

#: Seconds over which what comes is gathered before the page is written again.
GATHER = 0.2
#: Labels of a control when it is off, and when it is on: two buttons, so that a press means what was read.
LABELS = {
    "locked": ("Fermer les réponses", "Rouvrir les réponses"),
    "revealed": ("Révéler", "Cacher la réponse"),
    "leading": ("Prendre le plateau", "Rendre le plateau"),
    "projector": ("Tous au projecteur", "Fin du projecteur"),
}
#: The label of what ends the leading of a lesson: that is no board.
LESSON_LED = "Ne plus mener"
#: Controls of what has answers, and the kinds of what does: of all else there is nothing to close or to show.
OF_A_QUESTION, ANSWERED = ("locked", "revealed"), ("question", "position")

#: The list of people before anybody is chosen.
_NOBODY = [("Choisissez…", 0)]


def solution_of(body: dict[str, Any]) -> str | None:
    """The right answer of what was pushed, computed by the engine; None when there is none.

    >>> solution_of({"form": "choice", "choices": ["Oui", "Non"], "right": 1})
    'Non'
    """
    if body.get("form") == "choice":
        return right_choice(body)
    if body.get("form") != "exercise":
        return None
    try:
        task = task_of(body)
        return shown(task.solution(), task.exercise.answer.unit, task.exercise.answer.refusable)
    except TutorError:
        return None


def outage(fault: str) -> str:
    """What the desk says while nothing can be kept, as HTML; "" when all is well.

    >>> "lecture seule" in outage("Le dossier de données est en lecture seule."), outage("")
    (True, '')
    """
    if not fault:
        return ""
    waits = "Les réponses et ce que vous envoyez attendent : rien n’est perdu, tout partira dès que ce sera réparé."
    return (
        f'<div class="ldv-outage" role="alert"><p><strong>{escape(fault)}</strong> '
        f"{escape(typography(waits))}</p></div>"
    )


def _choice_of(names: list[tuple[str, int]], chosen: int = 0) -> ipw.Dropdown:
    """A list of people, one of them chosen when he is still in it."""
    value = chosen if chosen in dict(names).values() else 0
    return ipw.Dropdown(description="Retirer", options=names, value=value)


def _leads(state: dict[str, Any]) -> bool:
    """Whether all screens show the board in the teacher's hands."""
    return bool(state.get("leading")) and isinstance(state.get("board"), dict) and not led_lesson(state)


class SessionDesk:
    """One session.

    Args:
        page: what its widgets share.
        channel: the way to the server.
        session: its number.
        leave: called to go back to the list.
    """

    def __init__(self, page: Page, channel: Channel, session: int, leave: Callable[[], object]) -> None:
        self.page = page
        self._channel, self._session, self._leave = channel, session, leave
        self.state: dict[str, Any] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._led = ""
        self._solution: tuple[Any, str | None] = (None, None)
        self._cause: Callable[[Any], str] = lambda _: ""
        self._entrance, self._people, self._current = html(""), html(""), html("")
        self._outage = html("")
        self._send = button("Envoyer à tous", primary=True)
        self._send.on_click(guarded(lambda _: self._push()))
        self.composer = Composer(page, self._moved, self._send, channel)
        self._pushed: dict[str, Any] = {}
        self._controls = {name: (button(off), button(on)) for name, (off, on) in LABELS.items()}
        for name, pair in self._controls.items():
            pair[1].add_class("mod-active")
            for made, wanted in zip(pair, (True, False), strict=True):
                made.on_click(guarded(lambda _, n=name, w=wanted: self._switch(n, w)))
        self._someone, self._chooser = _choice_of(_NOBODY), box()
        self.widget = self._built()
        self._end = channel.subscribe(f"class/{session}/desk", guarded(self._heard), guarded(self._opened))

    def _built(self) -> ipw.Widget:
        back, close = button("◀ Vos séances"), button("Clore la séance")
        csv, data, remove = button("Résultats (CSV)"), button("Résultats (JSON)"), button("Retirer de la séance")
        back.on_click(guarded(lambda _: self.stop()))
        close.on_click(guarded(lambda _: self._write("class.close", {})))
        csv.on_click(guarded(lambda _: self._ask("class.csv", self._save_csv)))
        data.on_click(guarded(lambda _: self._ask("class.export", self._save_json)))
        remove.on_click(guarded(lambda _: self._remove()))
        self._chooser.children = (self._someone,)
        self._steer = box(*(made for pair in self._controls.values() for made in pair), row=True, css="ldv-toolbar")
        screen = Link("teacher", view=str(self._session), projection=True).url
        opener = (
            f'<a class="ldv-button" href="{escape(screen, quote=True)}" target="_blank" rel="opener">Écran du '
            "projecteur ↗</a>"
        )
        head = box(back, html(opener), csv, data, close, row=True, css="ldv-toolbar ldv-desk-head")
        sides = box(
            box(html('<h2 class="ldv-label">À l’écran de tous</h2>'), self._current, self._steer, css="ldv-card"),
            box(html('<h2 class="ldv-label">Participants</h2>'), self._people, css="ldv-card"),
            box(self._chooser, remove, row=True, css="ldv-answer"),
            css="ldv-side",
        )
        main = box(html("<h2>Envoyer à tous</h2>"), self.composer.widget, css="ldv-main")
        return box(head, self._outage, self._entrance, box(main, sides, css="ldv-lesson"), css="ldv-desk")

    # -- what comes -----------------------------------------------------------------------------------------------

    def _opened(self, reply: Reply) -> None:
        if not reply.ok:
            self._gone(reply.message)

    def _heard(self, payload: Any) -> None:
        if not isinstance(payload, dict):
            return
        if payload.get("erased") or payload.get("removed"):
            self._gone("Cette séance a été effacée.")
            return
        self.state = payload
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER, self._show)

    def _gone(self, why: str) -> None:
        errors.report(why)
        self.stop()

    def stop(self) -> None:
        """Follow this session no more, and go back."""
        self._end()
        self.composer.close()
        if self._timer is not None:
            self._timer.cancel()
        leave, self._leave = self._leave, lambda: None  # once
        leave()

    @guarded
    def _show(self) -> None:
        self._timer = None
        state = self.state
        head = f"<h2>{escape(state['title'] or 'Séance sans titre')}{' (close)' if state['closed'] else ''}</h2>"
        self._set(self._outage, outage(str(state.get("outage") or "")))
        self._set(
            self._entrance,
            head + ("" if state["closed"] else entrance(state["code"], self.page.course.origin, state["people"])),
        )
        people = state.get("participants") or []
        self._set(self._people, people_list(people))
        self._set(self._current, self._current_html())
        names = [*_NOBODY, *((str(one["nickname"]), int(one["participant"])) for one in people)]
        if names != list(self._someone.options):  # another list: a rank told late is of the one that was read
            self._someone = _choice_of(names, self._someone.value)
            self._chooser.children = (self._someone,)
        self._controls["leading"][1].description = LESSON_LED if led_lesson(state) else LABELS["leading"][1]
        answered = (state.get("push") or {}).get("kind") in ANSWERED
        for name, (off, on) in self._controls.items():
            show(off, not state.get(name) and (name not in OF_A_QUESTION or answered))
            show(on, bool(state.get(name)))
        for made in (self._send, self._steer):
            show(made, not state["closed"])

    @staticmethod
    def _set(widget: ipw.HTML, text: str) -> None:
        if widget.value != text:
            widget.value = text

    def _current_html(self) -> str:
        state, push = self.state, self.state.get("push")
        if led_lesson(state):
            return f"<p><strong>La leçon que vous menez</strong></p>{self._lesson_html(led_lesson(state))}"
        led = "<p><strong>Le plateau que vous menez</strong></p>" if _leads(state) else ""
        if not push:
            return led or '<p class="ldv-empty">Rien encore. Préparez, puis envoyez.</p>'
        body = push["body"] if isinstance(push["body"], dict) else {}
        title = f"<p><strong>{escape(str(body.get('title', '')))}</strong></p>"
        if led:  # what was sent is behind it
            title = f"{led}<p>Quand vous le rendrez{NBSP}:</p>{title}"
        if push["kind"] == "lesson" and not led:
            return self._lesson_html(body)
        if push["kind"] != "question":
            return title
        if self._solution[0] != push["id"]:
            self._solution, self._cause = (push["id"], solution_of(body)), causes(body)
        right = self._solution[1]
        answer = f"<p>La réponse{NBSP}: <strong>{escape(right)}</strong></p>" if right is not None else ""
        shown_ = bars(state.get("distribution"), right, int(state["people"]), self._cause)
        missed = missed_list(state.get("participants") or [])
        where = class_map(body, state.get("distribution"), self._cause)
        return f'{title}{answer}<p role="status">{answered_line(state)}</p>{where}{shown_}{missed}'

    def _lesson_html(self, body: Mapping[str, Any]) -> str:
        return lesson_line(body) + ("" if self.state["closed"] else leading_link(body, self._session))

    # -- what the teacher does ------------------------------------------------------------------------------------

    def _write(self, op: str, args: dict[str, Any]) -> None:
        self._channel.write(op, {"session": self._session, **args}, guarded(self._report))

    def _report(self, reply: Reply) -> None:
        errors.report("" if reply.ok else reply.message)

    def _ask(self, op: str, then: Callable[[dict[str, Any]], object]) -> None:
        def answered(reply: Reply) -> None:
            if reply.ok:
                errors.report("")
                then(reply.result)
            else:
                errors.report(reply.message)

        self._channel.request(op, {"session": self._session}, guarded(answered), guarded(errors.report))

    def _push(self) -> None:
        asked = {"kind": self.composer.kind, "body": self.composer.body()}
        heeded = any(self.state.get(name) for name in ("answered", "locked", "revealed"))
        if asked == self._pushed and asked["kind"] == "question" and not heeded:
            return  # pressed twice: nothing has come of it yet, and whoever begins to answer keeps his question
        self._pushed = asked
        self._write("class.push", asked)
        if self.state.get("leading") and asked["kind"] == "position":
            self._moved()

    def _switch(self, name: str, wanted: bool) -> None:
        args: dict[str, Any] = {name: wanted}
        if name == "leading" and wanted:
            if self.composer.board is None:
                errors.report(
                    "Choisissez d’abord « Un exemple » ou « Un plateau » : c’est ce plateau que la classe suivra."
                )
                return
            args["board"] = self.composer.board_state()
        self._write("class.control", args)

    def _moved(self) -> None:
        """The board in the teacher's hands changed: those who follow it see it."""
        if not self.state.get("leading") or led_lesson(self.state) or self.composer.board is None:
            return
        board = self.composer.board_state()
        text = json.dumps(board, sort_keys=True, ensure_ascii=False)
        if text != self._led:
            self._led = text
            self._write("class.control", {"board": board})

    def _remove(self) -> None:
        if self._someone.value:
            self._write("class.remove", {"participant": self._someone.value})

    def _save_csv(self, result: dict[str, Any]) -> None:
        class_page(self.page).save(str(result["name"]), "text/csv;charset=utf-8", str(result["text"]))

    def _save_json(self, result: dict[str, Any]) -> None:
        text = json.dumps(result, ensure_ascii=False, indent=2)
        class_page(self.page).save(f"seance-{result['code']}.json", "application/json", text)
