"""« Enseigner »: a teacher's key opens his sessions; one is opened, led, closed, erased."""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.typography import typography
from tutor.course.links import Link, read_query
from widgets.board import errors
from widgets.board.errors import guarded
from widgets.board.layouts import number
from widgets.classroom.browser import TEACHER, class_page
from widgets.host.page import Page
from widgets.host.prose import box, button, entered, html, show

if TYPE_CHECKING:
    from widgets.classroom.session import SessionDesk
    from widgets.host.channel import Reply

_NO_KEY = (
    "Pas encore de clé ? La personne qui tient ce serveur en crée une par « ldv teacher create NOM ». "
    "Elle n’est gardée "
    "que dans cet onglet, et oubliée quand vous le fermez."
)
_FOR_EVER = '<p role="status">Ses participants et leurs réponses seront effacés, sans retour possible.</p>'
#: Learners whom a teacher expects when he says nothing, and at most.
EXPECTED, MOST_PEOPLE = 30, 200
_NO_SERVER = "Les séances demandent le serveur du cours : ouvrez cette page par « make run »."


class TeacherPage:
    """The teacher's page."""

    def __init__(self, page: Page) -> None:
        self.page = page
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
        #: Places are kept for so many, and kernels prepared.
        self._expected = number("Élèves attendus", EXPECTED, 0, MOST_PEOPLE)
        self._open = button("Ouvrir une séance", primary=True)
        self._open.on_click(guarded(lambda _: self._open_session()))
        self._out = button("Oublier la clé")
        self._out.on_click(guarded(lambda _: self._forget()))
        self._place = box()
        self.widget = box(self._place, *self.page.unseen, class_page(self.page), css="ldv-part ldv-teach")
        class_page(self.page).observe(guarded(lambda _: self._come_back()), "teacher")
        self._ask_key()

    # -- the key --------------------------------------------------------------------------------------------------

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
        if class_page(self.page).teacher and not self._entered:
            self._present(class_page(self.page).teacher)

    def _say(self, sentence: str) -> None:
        self._said.value = f'<p role="status">{escape(typography(sentence))}</p>' if sentence else ""

    def _present(self, key: str) -> None:
        channel = self.page.server
        if channel is None:
            self._say(_NO_SERVER)
        elif not key.strip():
            self._say("Écrivez d’abord votre clé.")
        else:
            self._say("Un instant…")
            channel.teach(key.strip(), guarded(lambda reply: self._presented(key.strip(), reply)), guarded(self._waits))

    def _waits(self, why: str) -> None:
        self._say(f"{why} Votre clé sera présentée dès qu’elle répondra : rien à refaire.")

    def _presented(self, key: str, reply: Reply) -> None:
        if not reply.ok:
            self._say(reply.message)
            if reply.error == "forbidden":
                class_page(self.page).remember(TEACHER, "")
            return
        self._entered, self._name, self._key.value = True, str(reply.result["name"]), ""
        self._say("")
        class_page(self.page).remember(TEACHER, key)
        asked = read_query(self.page.course.query)
        if asked.projection and asked.view.isdecimal():
            from widgets.classroom.projector import Projector

            channel = self.page.server
            assert channel is not None
            self._place.children = (Projector(self.page, channel, int(asked.view)).widget,)
        else:
            self.show_list()

    def _forget(self) -> None:
        channel = self.page.server
        if channel is not None:
            channel.forget("teacher")
        self._entered = False
        class_page(self.page).remember(TEACHER, "")
        self._ask_key()
        self._say("La clé est oubliée dans cet onglet.")

    # -- sessions -------------------------------------------------------------------------------------------------

    def show_list(self) -> None:
        """The sessions of this teacher."""
        channel = self.page.server
        if channel is not None:
            channel.request("class.list", then=guarded(self._listed), late=guarded(errors.report))

    def _listed(self, reply: Reply) -> None:
        if not reply.ok:
            errors.report(reply.message)
            return
        errors.report("")
        if self.desk is not None:
            return
        self._open.disabled = False
        sheet, plan = (escape(Link(page).url, quote=True) for page in ("sheet", "plan"))
        hello = (
            f'<p>Bonjour, {escape(self._name)}. <a href="{plan}">Une séance de 45 minutes, prête</a> · '
            f'<a href="{sheet}">Fiches d’exercices à imprimer</a></p>'
        )
        sessions = reply.result["sessions"]
        title = "<h2>Vos séances</h2>" if sessions else ""
        self._place.children = (
            html(hello),
            box(self._title, self._expected, self._open, row=True, css="ldv-answer"),
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
        channel = self.page.server
        if channel is None or self._open.disabled or self.desk is not None:  # pressed twice
            return
        self._open.disabled = True
        asked = {"title": self._title.value.strip()[:100], "expected": int(self._expected.value)}
        channel.write("class.open", asked, guarded(self._session_opened), guarded(_report_wait))

    def _session_opened(self, reply: Reply) -> None:
        if reply.ok:
            errors.report("")
            self._title.value = ""
            self._lead(int(reply.result["session"]))
        else:
            self._open.disabled = False
            errors.report(reply.message)

    def _lead(self, session: int) -> None:
        from widgets.classroom.session import SessionDesk

        channel = self.page.server
        if channel is None or self.desk is not None:
            return
        self.desk = SessionDesk(self.page, channel, session, self._left)
        self._place.children = (self.desk.widget,)

    def _left(self) -> None:
        self.desk = None
        self.show_list()

    def _erase(self, session: int, sure: ipw.Button) -> None:
        """Erase a session: the button that asks is another one, so that two presses in haste erase nothing."""
        channel = self.page.server
        if channel is None or sure.disabled:
            return
        sure.disabled = True
        channel.write("class.erase", {"session": session}, guarded(self._erased), guarded(_report_wait))

    def _erased(self, reply: Reply) -> None:
        errors.report("" if reply.ok else reply.message)
        self.show_list()


def _report_wait(why: str) -> None:
    errors.report(f"{why} Ce sera fait dès qu’elle répondra.")
