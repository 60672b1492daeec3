"""« Votre progression » on the home page: the resume code, taking it up elsewhere, reviews that wait,
erasing everything.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import ipywidgets as ipw

from tutor.core.phrases import NBSP, NNBSP
from tutor.core.typography import typography
from tutor.course.links import Link
from widgets.board.errors import guarded
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show

if TYPE_CHECKING:
    from widgets.host.channel import Reply


class LearnerPanel:
    """What is kept of the reader, and what he may do with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._progress = self.page.progress
        self._said, self._answer = html(""), html("")
        self._copy = button("Copier le code")
        self._copy.on_click(guarded(lambda _: self._copied()))
        self._code = ipw.Text(placeholder="K7PM-2QX9-…", description="Code de reprise", continuous_update=False)
        self._take = button("Reprendre")
        self._take.on_click(guarded(lambda _: self._take_up()))
        self._erase, self._sure = button("Effacer mes données"), button("Oui, tout effacer")
        self._erase.on_click(guarded(lambda _: self._ask()))
        self._sure.on_click(guarded(lambda _: self._progress.erase(self._erased, self._erasing)))
        show(self._sure, False)
        self.widget = box(
            html('<h2 id="progression">Votre progression</h2>'),
            self._said,
            box(self._copy, self._erase, self._sure, row=True, css="ldv-toolbar"),
            box(self._code, self._take, row=True, css="ldv-answer"),
            self._answer,
            css="ldv-learner",
        )
        self._progress.on_change(self._show)
        self._show()

    def _show(self) -> None:
        code, due = self._progress.code, self._progress.due
        finished = sum(one.get("finished") is not None for one in self._progress.lessons)
        exercises = sum(map(len, self._progress.done.values()))
        parts = []
        if due:
            url = escape(Link("review").url, quote=True)
            rules = "une règle vous attend" if due == 1 else f"{due} règles vous attendent"
            parts.append(f'<p><a class="ldv-button" href="{url}">Réviser</a> {rules}.</p>')
        if exercises:
            solved = "1 exercice réussi" if exercises == 1 else f"{exercises} exercices réussis"
            ended = f", {finished} leçon{'s' if finished > 1 else ''} terminée{'s' if finished > 1 else ''}"
            parts.append(f"<p>{solved}{ended if finished else ''}.</p>")
        if code:
            parts.append(
                f"<p>Votre code de reprise{NBSP}: <strong class='ldv-code'>{escape(code)}</strong>. Notez-le{NNBSP}; "
                "il suffit pour continuer sur un autre appareil.</p>"
            )
        else:
            parts.append(
                "<p>Rien à créer : à votre première réponse, un code de reprise paraîtra ici.</p>".replace(
                    " :", f"{NBSP}:"
                )
            )
        url = escape(Link("data").url, quote=True)
        parts.append(f'<p><a href="{url}">Ce qui est gardé, et combien de temps</a></p>')
        self._said.value = "".join(parts)
        for made in (self._copy, self._erase):
            show(made, bool(code) or (made is self._erase and bool(exercises)))

    def _copied(self) -> None:
        self.page.bridge.copy(self._progress.code)
        self._copy.description = "Code copié"

    def _say(self, sentence: str) -> None:
        self._answer.value = f'<p role="status">{escape(typography(sentence))}</p>' if sentence else ""

    def _take_up(self) -> None:
        if not self._code.value.strip():
            self._say("Écrivez d’abord le code noté sur l’autre appareil.")
            return
        self._say("Un instant…")
        self._progress.take_up(self._code.value.strip().upper(), self._taken, self._waits)

    def _waits(self, why: str) -> None:
        self._say(f"{why} Votre code sera présenté dès qu’elle répondra.")

    def _taken(self, reply: Reply) -> None:
        if reply.ok:
            self._code.value = ""
        self._say(typography("C’est repris : votre progression est là.") if reply.ok else reply.message)

    def _ask(self) -> None:
        show(self._sure, True)
        self._say("Tout sera effacé tout de suite, ici et sur le serveur, sans retour possible.")

    def _erasing(self, why: str) -> None:
        show(self._sure, False)
        self._say(f"{why} Tout sera effacé dès qu’elle répondra : laissez cette page ouverte jusque-là.")

    def _erased(self, reply: Reply) -> None:
        show(self._sure, False)
        self._say("Tout est effacé." if reply.ok else reply.message)
