"""Questions that the reader answers before he sees: a prediction, and the « Et si… » that follow an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.result import Result
from tutor.course.headlines import answering, headline_of
from tutor.course.models import Choice, WhatIf
from tutor.course.models import Prediction as PredictionText
from tutor.course.prose import cited_once, judgement
from tutor.course.shown import plain_prose
from widgets.board.errors import guarded
from widgets.board.memory import give_back_later
from widgets.host.prose import Writer, box, button, html, show
from widgets.player.again import Again


def conclusion(result: Result, position: Position, asked: PredictionText) -> str:
    """What a result comes to, as prose: the step that answers what was asked, or every reason of the refusal."""
    return " ".join(
        f"{headline_of([step], position)} [[{step.rule}]]"
        for step in answering(result, position, asked.because, asked.choices)
    )


#: Wrong answers after which the whole proof shows.
TRIES = 2
#: Said once the board shows something else than what was answered.
CHANGED = f"La position a changé{NBSP}: votre réponse valait pour celle du départ."
_CHANGED = f'<div class="ldv-diagnosis"><p>{CHANGED}</p></div>'
#: Remembers how far the reader is with a question, and which choices he pressed.
Keep = Callable[["State", Sequence[int]], object]
#: Of a question: not answered yet, missed once, its answer shown after that, answered right.
State = Literal["asked", "missed", "shown", "right"]


class Prediction:
    """A question with choices: a first miss is given its cause and another try; the verdict shows after the second.

    Args:
        writer: of the page.
        text: the question.
        choices: what may be answered.
        mistake: says, of a choice, which mistake it is, as prose; "" of the right one.
        verdict: computes, when asked, the label of the right choice and what to say, as prose.
        keep: called with the state and the places of the choices pressed, after each.
        say: has a screen reader say what is said of an answer, once; None: the words do so themselves.
    """

    def __init__(
        self,
        writer: Writer,
        text: str,
        choices: Sequence[Choice],
        mistake: Callable[[str], str],
        verdict: Callable[[], tuple[str | None, str]],
        keep: Keep = lambda state, presses: None,
        say: Callable[[str], object] | None = None,
    ) -> None:
        self._aloud = say
        self._writer, self._mistake, self._verdict, self._keep = writer, mistake, verdict, keep
        self._missed: list[ipw.Button] = []
        self._again: Again | None = None
        self.text, self.done, self._reply, self._words = text, False, "", ""
        #: Whether it is on screen: a press on one that was left may come late.
        self.open = True
        self._labels = {button(choice.label): choice.label for choice in choices}
        self.buttons = list(self._labels)
        for made in self.buttons:
            made.on_click(self._chosen)
        self._said = html("", "ldv-said")
        show(self._said, False)
        self.widget = box(
            html(writer.question(text)),
            box(*self.buttons, row=True, css="ldv-choices"),
            self._said,
            css="ldv-predict",
        )

    @property
    def state(self) -> State:
        """How far the reader is with it."""
        if self.done:
            return "shown" if len(self._missed) >= TRIES else "right"
        return "missed" if self._missed else "asked"

    @property
    def missed(self) -> bool:
        """Whether it was missed once at least."""
        return bool(self._missed)

    def fit(self, fits: bool, again: bool = False) -> None:
        """Say what was said of the answer only as long as the board shows what it was given to.

        Args:
            fits: it does.
            again: what it has become was asked about too.
        """
        if self.done:
            self._said.value = self._reply if fits else _CHANGED
        if self._again:
            show(self._again.widget, again and not fits)

    def pose_again(self, text: str, yes: bool | None, reveal: Callable[[], str]) -> None:
        """Ask about what the board has become, as ``Again.pose`` does; ``text``: the question, "" of none."""
        if self._again is None:
            self._again = Again(self._writer, text, self._aloud)
            self.widget.children = (*self.widget.children, self._again.widget)
        self._again.pose(yes, reveal)
        show(self._again.widget, True)

    def recall(self, presses: Sequence[int]) -> None:
        """Be answered as on an earlier visit, unless it is begun.

        Args:
            presses: places of the choices that were pressed, in order.
        """
        if not self._missed and not self.done:
            for place in presses:
                if 0 <= place < len(self.buttons):
                    self._press(self.buttons[place])

    @guarded
    def _chosen(self, pressed: ipw.Button) -> None:
        give_back_later()
        if self.open:
            before = self._said.value
            self._press(pressed)
            if self._aloud and self._said.value != before:
                self._aloud(plain_prose(self._words))
            places = [self.buttons.index(one) for one in dict.fromkeys((*self._missed, pressed))]
            self._keep(self.state, places)

    def _press(self, pressed: ipw.Button) -> None:
        if self.done or pressed in self._missed:
            return
        wrong = self._mistake(self._labels[pressed])
        if wrong:
            self._missed.append(pressed)
            for name in ("ldv-missed", "ldv-closed"):
                pressed.add_class(name)
            if len(self._missed) < TRIES:
                self._say(f"{wrong} Essayez encore.")
                return
        self._conclude(pressed, wrong)

    def _conclude(self, pressed: ipw.Button, wrong: str) -> None:
        self.done = True
        pressed.add_class("mod-active")  # it stays while the others fold away: the focus is on it
        right, sentence = self._verdict()
        for made, label in self._labels.items():
            made.add_class("ldv-closed")
            if label == right:
                made.add_class("ldv-right")
        self._say(f"{sentence} {wrong}".strip())

    def _say(self, sentence: str) -> None:
        right = self.state == "right"
        self._words = cited_once(f"{judgement(right, again=self.missed, shown=self.done)} {sentence}")
        role = "" if self._aloud else ' role="status"'
        self._reply = self._said.value = (
            f'<div class="ldv-diagnosis" data-right="{str(right).lower()}" data-proved="{str(self.done).lower()}"{role}>'
            f"<p>{self._writer.inline(self._words, False)}</p></div>"
        )
        show(self._said, True)


class WhatIfs:
    """« Et si… » one after another.

    Args:
        writer: of the page.
        cases: the changes.
        mistake: says of one, and of a choice, which mistake it is.
        play: applies one to the example and gives the right label and what to say.
        leave: brings the example back as it was.
        pose: shows the position that one asks about, before it is answered; None: the example's own stays.
        recall: which choices of one, by its place, were pressed on an earlier visit.
        keep: remembers, of one by its place, how far the reader is and which choices he pressed.
        say: has a screen reader say what is said of an answer; None: the words do so themselves.
    """

    def __init__(
        self,
        writer: Writer,
        cases: Sequence[WhatIf],
        mistake: Callable[[WhatIf, str], str],
        play: Callable[[WhatIf], tuple[str | None, str]],
        leave: Callable[[], None],
        pose: Callable[[WhatIf], None] | None = None,
        recall: Callable[[int], Sequence[int]] = lambda at: (),
        keep: Callable[[int, State, Sequence[int]], object] = lambda at, state, presses: None,
        say: Callable[[str], object] | None = None,
    ) -> None:
        self._pose, self._recall, self._keep, self._aloud = pose, recall, keep, say
        self._writer, self._cases, self._play, self._leave = writer, list(cases), play, leave
        self._mistake = mistake
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

    @property
    def states(self) -> list[State]:
        """How far the reader is with each."""
        return [self._made[at].state if at in self._made else "asked" for at in range(len(self._cases))]

    @property
    def state(self) -> State:
        """How far the reader is with the one on screen."""
        return self.states[self._at]

    @property
    def count(self) -> str:
        """Which one is on screen, of how many; "" of a single one."""
        return f"{self._at + 1}{NBSP}sur{NBSP}{len(self._cases)}" if len(self._cases) > 1 else ""

    def fit(self, case: WhatIf | None, again: bool = False) -> None:
        """Say what was said of the answers only of the one whose position the board shows; None: of none.

        Args:
            case: that one.
            again: what the board has become was asked about too.
        """
        for at, made in self._made.items():
            made.fit(self._cases[at] is case, again)

    @property
    def on_screen(self) -> Prediction:
        """The one that is asked."""
        return self._made[self._at]

    def advance(self, by: int = 1) -> bool:
        """Show the next one, or the one before (-1); False where there is none."""
        inside = 0 <= self._at + by < len(self._cases)
        if inside:
            self._go(by)
        return inside

    def again(self) -> None:
        """Show the one that the reader had come to on the board again."""
        self._show()

    def _go(self, by: int) -> None:
        self._at = (self._at + by) % len(self._cases)
        if self._pose is None:
            self._leave()
        self._show()

    def _show(self) -> None:
        count = f" {self._at + 1}{NBSP}/{NBSP}{len(self._cases)}" if len(self._cases) > 1 else ""
        self._head.value = f'<h2 class="ldv-label">Et si…{count}</h2>'
        case = self._cases[self._at]
        if self._at not in self._made:
            self._made[self._at] = Prediction(
                self._writer,
                case.text,
                case.choices,
                lambda label: self._mistake(case, label),
                lambda: self._play(case),
                partial(self._keep, self._at),
                self._aloud,
            )
        self._made[self._at].recall(self._recall(self._at))
        if self._pose:
            self._pose(case)
        if self._made[self._at].done:
            self._play(case)
        for at, made in self._made.items():
            made.open = at == self._at
        self._body.children = (self._made[self._at].widget,)
