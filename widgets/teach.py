"""« Enseigner »: a teacher's key opens his sessions; one is opened, led, closed, erased."""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.typography import typography
from tutor.course.links import Link, read_query
from widgets import errors
from widgets.bridge import bridge
from widgets.classroom_page import TEACHER, class_page
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.later import served
from widgets.lesson_text import box, button, entered, html, show

if TYPE_CHECKING:
    from widgets.channel import Channel, Reply
    from widgets.teach_session import SessionDesk

_NO_KEY = (
    "Pas encore de clé ? La personne qui tient ce serveur en crée une par « ldv teacher create NOM ». Elle n’est gardée "
    "que dans cet onglet, et oubliée quand vous le fermez."
)
_FOR_EVER = '<p role="status">Ses participants et leurs réponses seront effacés, sans retour possible.</p>'
_NO_SERVER = "Les séances demandent le serveur du cours : ouvrez cette page par « make run »."


class TeacherPage:
    """The teacher's page."""

    def __init__(self) -> None:
        self._name = ""
        self._entered = False
        #: The session that is led; None on the list.
        self.desk: SessionDesk | None = None
        self._key = ipw.Password(
            description="Clé d’enseignant", placeholder="la clé qui vous a été donnée", continuous_update=False
        )
        self._enter, self._said = button("Entrer", primary=True), html("")
        self._enter.on_click(guarded(lambda _: self._present(self._key.value)))
        entered(self._key, lambda: self._present(self._key.value))
        self._title = ipw.Text(description="Titre", placeholder="facultatif : Mardi, groupe A", continuous_update=False)
        self._open = button("Ouvrir une séance", primary=True)
        self._open.on_click(guarded(lambda _: self._open_session()))
        self._out = button("Oublier la clé")
        self._out.on_click(guarded(lambda _: self._forget()))
        self._place = box()
        self.widget = box(self._place, bridge(), course_page(), class_page(), css="ldv-part ldv-teach")
        class_page().observe(guarded(lambda _: self._come_back()), "teacher")
        self._ask_key()

    # -- the key --------------------------------------------------------------------------------------------------

    @staticmethod
    def _channel() -> Channel | None:
        from widgets.channel import channel

        return channel() if served() and channel().available else None

    def _ask_key(self) -> None:
        self._place.children = (
            html(
                "<p>Ouvrez une séance, envoyez une position ou une question à tous les écrans, voyez qui en est où.</p>"
            ),
            box(self._key, self._enter, row=True, css="ldv-answer"),
            self._said,
            html(f'<p class="ldv-situation"><small>{typography(_NO_KEY)}</small></p>'),
        )

    def _come_back(self) -> None:
        if class_page().teacher and not self._entered:
            self._present(class_page().teacher)

    def _say(self, sentence: str) -> None:
        self._said.value = f'<p role="status">{escape(typography(sentence))}</p>' if sentence else ""

    def _present(self, key: str) -> None:
        found = self._channel()
        if found is None:
            self._say(_NO_SERVER)
        elif not key.strip():
            self._say("Écrivez d’abord votre clé.")
        else:
            self._say("Un instant…")
            found.teach(key.strip(), guarded(lambda reply: self._presented(key.strip(), reply)))

    def _presented(self, key: str, reply: Reply) -> None:
        if not reply.ok:
            self._say(reply.message)
            if reply.error == "forbidden":
                class_page().remember(TEACHER, "")
            return
        self._entered, self._name, self._key.value = True, str(reply.result["name"]), ""
        self._say("")
        class_page().remember(TEACHER, key)
        asked = read_query(course_page().query)
        if asked.projection and asked.view.isdecimal():
            from widgets.teach_projector import Projector

            found = self._channel()
            assert found is not None
            self._place.children = (Projector(found, int(asked.view)).widget,)
        else:
            self.show_list()

    def _forget(self) -> None:
        found = self._channel()
        if found is not None:
            found.forget("teacher")
        self._entered = False
        class_page().remember(TEACHER, "")
        self._ask_key()
        self._say("La clé est oubliée dans cet onglet.")

    # -- sessions -------------------------------------------------------------------------------------------------

    def show_list(self) -> None:
        """The sessions of this teacher."""
        found = self._channel()
        if found is not None:
            found.request("class.list", then=guarded(self._listed))

    def _listed(self, reply: Reply) -> None:
        if not reply.ok:
            errors.report(reply.message)
            return
        if self.desk is not None:
            return
        self._open.disabled = False
        sheet = escape(Link("sheet").url, quote=True)
        hello = f'<p>Bonjour, {escape(self._name)}. <a href="{sheet}">Fiches d’exercices à imprimer</a></p>'
        sessions = reply.result["sessions"]
        title = "<h2>Vos séances</h2>" if sessions else ""
        self._place.children = (
            html(hello),
            box(self._title, self._open, row=True, css="ldv-answer"),
            html(title),
            *(self._row(one) for one in sessions),
            box(self._out, row=True, css="ldv-toolbar"),
        )

    def _row(self, one: dict[str, Any]) -> ipw.Widget:
        people, day = int(one["people"]), datetime.fromtimestamp(one["created"])
        until = datetime.fromtimestamp(one["expires"])
        state = "close" if one["closed"] else f"ouverte, code {escape(one['code'])}"
        text = (
            f"<b>{escape(one['title'] or 'Séance sans titre')}</b><br><small>{day:%d/%m/%Y} · {state} · {people} "
            f"participant{'s' if people > 1 else ''} · gardée jusqu’au {until:%d/%m/%Y}</small>"
        )
        lead, erase = button("Revoir" if one["closed"] else "Mener"), button("Effacer")
        sure = button("Effacer pour toujours")
        asked = box(html(_FOR_EVER), sure, row=True, css="ldv-toolbar")  # below: never where one has just pressed
        show(asked, False)
        lead.on_click(guarded(lambda _: self._lead(one["session"])))
        erase.on_click(guarded(lambda _: show(asked, True)))
        sure.on_click(guarded(lambda _: self._erase(one["session"], sure)))
        return box(box(html(text), lead, erase, row=True, css="ldv-session"), asked)

    def _open_session(self) -> None:
        found = self._channel()
        if found is None or self._open.disabled or self.desk is not None:  # pressed twice
            return
        self._open.disabled = True
        found.write("class.open", {"title": self._title.value.strip()[:100]}, guarded(self._session_opened))

    def _session_opened(self, reply: Reply) -> None:
        if reply.ok:
            self._title.value = ""
            self._lead(int(reply.result["session"]))
        else:
            self._open.disabled = False
            errors.report(reply.message)

    def _lead(self, session: int) -> None:
        from widgets.teach_session import SessionDesk

        found = self._channel()
        if found is None or self.desk is not None:
            return
        self.desk = SessionDesk(found, session, self._left)
        self._place.children = (self.desk.widget,)

    def _left(self) -> None:
        self.desk = None
        self.show_list()

    def _erase(self, session: int, sure: ipw.Button) -> None:
        """Erase a session: the button that asks is another one, so that two presses in haste erase nothing."""
        found = self._channel()
        if found is None or sure.disabled:
            return
        sure.disabled = True
        found.write("class.erase", {"session": session}, guarded(self._erased))

    def _erased(self, reply: Reply) -> None:
        errors.report("" if reply.ok else reply.message)
        self.show_list()


def teach() -> ipw.Widget:
    """The page."""
    return TeacherPage().widget
