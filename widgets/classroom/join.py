"""Joining a class: a code, a nickname, nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import ipywidgets as ipw

from tutor.core.typography import typography
from tutor.course.links import Link
from widgets.board.errors import guarded
from widgets.host.page import Page
from widgets.host.prose import box, button, entered, html

if TYPE_CHECKING:
    from widgets.host.channel import Reply

LONGEST_NICKNAME = 24
_TEACHING = f'<p><small>Vous enseignez\u202f? <a href="{Link("teacher").url}">Ouvrez une séance</a></small></p>'


class JoinPanel:
    """Two fields and a button; joining leads to the page of the class.

    Args:
        page: what its widgets share.
        code: typed already, from a link.
        heading: of the panel.
        stay: the page at hand is that of the class.
    """

    def __init__(
        self, page: Page, code: str = "", heading: str = "Rejoindre une classe", *, stay: bool = False
    ) -> None:
        self.page = page
        self._stay = stay
        self._code = ipw.Text(
            value=code, description="Code de la séance", placeholder="K7PM2Q", continuous_update=False
        )
        self._nickname = ipw.Text(description="Votre pseudonyme", placeholder="Zoé", continuous_update=False)
        self._go = button("Rejoindre", primary=True)
        self._said = html("")
        self._go.on_click(guarded(lambda _: self._join()))
        for made in (self._code, self._nickname):
            entered(made, self._join)
        words = (
            "Sans compte, sans adresse : le code affiché par votre enseignant, et un pseudonyme que la classe verra."
        )
        self.widget = box(
            html(f'<h2 id="classe">{escape(heading)}</h2><p>{typography(words)}</p>'),
            box(self._code, self._nickname, self._go, row=True, css="ldv-answer"),
            self._said,
            *(() if stay else (html(_TEACHING),)),
            css="ldv-join",
        )

    def ask(self, code: str) -> None:
        """Take the code of a link."""
        self._code.value = code

    def _say(self, sentence: str) -> None:
        self._said.value = f'<p role="status">{escape(sentence)}</p>' if sentence else ""

    def _join(self) -> None:
        from widgets.classroom.attendance import attendance, spelled
        from widgets.classroom.browser import show_class_page

        code, nickname = spelled(self._code.value), self._nickname.value.strip()
        if self._go.disabled:  # pressed twice
            return
        if attendance(self.page).within(code):
            self._lead()
            return
        if not code or not nickname:
            self._say("Écrivez le code de la séance et un pseudonyme.")
            return
        if len(nickname) > LONGEST_NICKNAME:
            self._say(f"Ce pseudonyme est trop long ({LONGEST_NICKNAME} caractères au plus).")
            return
        show_class_page(self.page)
        self._say("Un instant…")
        self._go.disabled = True
        attendance(self.page).join(code, nickname, self._joined, late=self._wait)

    def _wait(self, why: str) -> None:
        """It goes on by itself, or under another code."""
        self._go.disabled = False
        self._say(f"{why} Vous entrerez dans la classe dès qu’elle répondra.")

    def _joined(self, reply: Reply) -> None:
        self._go.disabled = False
        if reply.ok:
            self._lead()
        else:
            self._say(reply.message)

    def _lead(self) -> None:
        """To the page of the class."""
        from widgets.classroom.browser import class_page

        self._say(typography("C’est fait : voici la classe."))
        if not self._stay:
            class_page(self.page).go = Link("class").url
