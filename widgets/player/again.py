"""What a reader expects of a board that he has changed: the question once more, before the verdict follows the change."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.course.prose import given_and_asked
from tutor.course.shown import plain_prose
from widgets.board.errors import guarded
from widgets.host.prose import Writer, box, button, html, show


class Again:
    """A question asked again, of what the board has become: yes or no where it is of that kind, else only its answer.

    Args:
        writer: of the page.
        text: the question, as it was asked first; "" of none.
        say: has a screen reader say what is said of an answer; None: the words do so themselves.
    """

    def __init__(self, writer: Writer, text: str, say: Callable[[str], object] | None = None) -> None:
        self._writer, self._aloud = writer, say
        self._yes: bool | None = None
        self._answered = False
        self._reveal: Callable[[], str] = lambda: ""
        self._guesses = {button("Oui"): True, button("Non"): False}
        self._show = button("Montrer")
        for made in (*self._guesses, self._show):
            made.on_click(guarded(self._pressed))
        self._said = html("", "ldv-said")
        asked = given_and_asked(text)[1]
        asked = "" if asked.startswith("Et ") else f" {asked}"  # such a one goes on from the board before
        self._asked = f"Et maintenant{NBSP}?{asked}"
        self.widget = box(
            html(f'<p class="ldv-question" tabindex="-1">{writer.inline(self._asked)}</p>'),
            box(*self._guesses, self._show, row=True, css="ldv-guess"),
            self._said,
            css="ldv-again",
        )

    def pose(self, yes: bool | None, reveal: Callable[[], str]) -> None:
        """Ask.

        Args:
            yes: whether it is answered by yes; None: it is not answered by yes or no.
            reveal: shows verdict and steps, and gives what to say, as prose.
        """
        self._yes, self._reveal, self._answered = yes, reveal, False
        for made in (*self._guesses, self._show):
            made.remove_class("mod-active")
            show(made, made is self._show or yes is not None)
        self._said.value = ""
        show(self._said, False)
        if self._aloud:
            self._aloud(plain_prose(self._asked))

    def _pressed(self, pressed: ipw.Button) -> None:
        if self._answered:
            return
        self._answered = True
        right = self._guesses[pressed] is self._yes if pressed in self._guesses else None
        opening = {True: "**Juste.** ", False: "**Pas cette fois.** ", None: ""}[right]
        words = f"{opening}{self._reveal()}"
        marked = "" if right is None else f' data-right="{str(right).lower()}" data-proved="true"'
        role = "" if self._aloud else ' role="status"'
        self._said.value = f'<div class="ldv-diagnosis"{marked}{role}><p>{self._writer.inline(words, False)}</p></div>'
        for made in (*self._guesses, self._show):
            show(made, made is pressed)  # it stays: the focus is on it
        pressed.add_class("mod-active")
        show(self._said, True)
        if self._aloud:
            self._aloud(plain_prose(words))
