"""Questions that the reader answers before he sees: a prediction, and the « Et si… » that follow an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.course.matching import deciding
from tutor.course.models import Choice, WhatIf
from widgets.errors import guarded
from widgets.lesson_text import Writer, box, button, html, show
from widgets.thrift import give_back_later


def conclusion(result: Result, position: Position, writer: Writer, because: str | None = None) -> str:
    """What a result comes to, as HTML: the step that answers, or every reason of the refusal."""
    held = game(position.game)
    return " ".join(
        f"{writer.inline(held.sentence(step, position), False)} {writer.inline(f'[[{step.rule}]]')}"
        for step in deciding(result, because)
    )


class Prediction:
    """A question with choices; the verdict shows once the reader has committed himself.

    Args:
        writer: of the page; text: the question; choices: what may be answered.
        verdict: computes, when asked, the label of the right choice and what to say.
    """

    def __init__(
        self, writer: Writer, text: str, choices: Sequence[Choice], verdict: Callable[[], tuple[str | None, str]]
    ) -> None:
        self._verdict = verdict
        self.done = False
        #: Whether it is on screen: a press on one that was left may come late.
        self.open = True
        self._buttons = [button(choice.label) for choice in choices]
        for made in self._buttons:
            made.on_click(self._chosen)
        self._said = html("", "ldv-said")
        show(self._said, False)
        self.widget = box(
            html(f'<p class="ldv-question">{writer.inline(text)}</p>'),
            box(*self._buttons, row=True, css="ldv-choices"),
            self._said,
            css="ldv-predict",
        )

    @guarded
    def _chosen(self, pressed: ipw.Button) -> None:
        give_back_later()
        if self.done or not self.open:
            return
        self.done = True
        right, sentence = self._verdict()
        good = pressed.description == right
        pressed.add_class("mod-active")
        opening = "Bien vu." if good else "Ce n’est pas cela."
        for made in self._buttons:
            made.disabled = True
            if made.description == right:
                made.description = f"✓ {right}"
                made.add_class("ldv-right")
        self._said.value = f'<div class="ldv-diagnosis" data-right="{str(good).lower()}" role="status"><p><strong>{opening}</strong> {sentence}</p></div>'
        show(self._said, True)


class WhatIfs:
    """« Et si… » one after another.

    Args:
        writer: of the page; cases: the changes; play: applies one to the example and gives the right label and what to
            say; leave: brings the example back as it was.
    """

    def __init__(
        self,
        writer: Writer,
        cases: Sequence[WhatIf],
        play: Callable[[WhatIf], tuple[str | None, str]],
        leave: Callable[[], None],
    ) -> None:
        self._writer, self._cases, self._play, self._leave = writer, list(cases), play, leave
        self._made: dict[int, Prediction] = {}
        self._at = 0
        self._head = html("", "ldv-grow")
        self._body = box()
        self._before, self._after = button("◀", hint="Question précédente"), button("▶", hint="Question suivante")
        self._before.on_click(guarded(lambda _: self._go(-1)))
        self._after.on_click(guarded(lambda _: self._go(1)))
        many = len(self._cases) > 1
        self.widget = box(
            box(self._head, *([self._before, self._after] if many else []), row=True, css="ldv-whatif-head"),
            self._body,
            css="ldv-card ldv-whatif",
        )
        self._show()

    def _go(self, by: int) -> None:
        self._at = (self._at + by) % len(self._cases)
        self._leave()
        self._show()

    def _show(self) -> None:
        count = f" {self._at + 1}{NBSP}/{NBSP}{len(self._cases)}" if len(self._cases) > 1 else ""
        self._head.value = f'<h3 class="ldv-label">Et si…{count}</h3>'
        case = self._cases[self._at]
        if self._at not in self._made:
            self._made[self._at] = Prediction(self._writer, case.text, case.choices, lambda: self._play(case))
        elif self._made[self._at].done:
            self._play(case)
        for at, made in self._made.items():
            made.open = at == self._at
        self._body.children = (self._made[self._at].widget,)
