"""The question that the home page opens with: one board, a few places, an answer by touch or by name, two tries."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from tutor.core.phrases import NBSP
from tutor.core.trace import hexes as places
from tutor.course.exercises import Task
from tutor.course.opening import opening, picks
from tutor.course.prose import judgement
from tutor.course.shown import plain_prose
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.board.events import HexClicked
from widgets.board.layers import Layer, Outline, Selection, layers_for
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show

if TYPE_CHECKING:
    import ipywidgets as ipw

    from tutor.course.opening import Pick

#: Wrong answers after which the right one shows.
TRIES = 2


class HomePlay:
    """A position to play in twenty seconds.

    Args:
        page: what its widgets share.
        game_id: whose question is asked first; it asks one.
        onward: where to go once it is answered, as HTML, asked then.
    """

    def __init__(self, page: Page, game_id: str, onward: Callable[[str], str]) -> None:
        self.page, self._onward = page, onward
        self._head, self._said, self._after = html("", "ldv-try-head"), html("", "ldv-try-said"), html("")
        self._buttons = box(row=True, css="ldv-choices")
        self._begin(game_id)
        self.board = Board(self._task.position, label=self._label, bridge=page.bridge, whole=True)
        self.board.on(HexClicked, lambda event: self._touched(event.hex))
        self.widget: ipw.Widget = box(
            self._head,
            box(self.board, css="ldv-try-map"),
            box(self._buttons, self._said, self._after, css="ldv-try-foot"),
            css="ldv-try",
        )
        self._ask()

    def turn(self, game_id: str) -> bool:
        """Ask the question of another game; False when it has none.

        Args:
            game_id: game.
        """
        if game_id == self.game_id:
            return True
        if opening(game_id) is None:
            return False
        self._begin(game_id)
        with self.board.hold():
            self.board.clear()
            self.board.position, self.board.label = self._task.position, self._label
            self._ask()
        return True

    @property
    def done(self) -> bool:
        """Whether its answer is shown."""
        return any(pick.right for pick in self.tried) or len(self.tried) >= TRIES

    @property
    def _label(self) -> str:
        return f"Plateau de la question{NBSP}: {self._task.exercise.title}"

    def _begin(self, game_id: str) -> None:
        known = opening(game_id)
        assert known is not None
        self.game_id, self._task = game_id, Task.of(game_id, known.play)
        self._writer = Writer(game_id)
        self._picks = picks(game_id)
        self.tried: list[Pick] = []

    def _ask(self) -> None:
        """Show the question, and what may be answered."""
        self._head.value = (
            '<p class="ldv-eyebrow">Vingt secondes, tout de suite</p>'
            f'<h2 id="jouer" class="ldv-question">{self._writer.inline(self._task.question)}</h2>'
        )
        made = []
        for pick in self._picks:
            answer = button(pick.name)
            answer.on_click(guarded(lambda _, pick=pick: self.answer(pick)))
            made.append(answer)
        self._buttons.children = tuple(made)
        self._said.value = self._after.value = ""
        show(self._said, False)
        show(self._after, False)
        self._mark()

    def _mark(self) -> None:
        """Ring the places that may still be answered, and the one that all of them speak of."""
        open_ = tuple(pick.cell for pick in self._picks if not self.done and pick not in self.tried)
        aim = [
            value
            for name, value in self._task.arguments.items()
            if name not in self._task.differing and isinstance(value, str) and value in self._task.position.grid
        ]
        layers: list[Layer] = [Selection(tuple(aim))] if aim else []
        if open_:
            layers.append(Outline(places(*open_), "olive"))
        self.board.show("mark", *layers)

    def _touched(self, cell: str) -> None:
        pick = next((pick for pick in self._picks if pick.cell == cell), None)
        if pick:
            self.answer(pick)
        elif not self.done:
            names = ", ".join(pick.name for pick in self._picks if pick not in self.tried)
            self.page.bridge.say(f"On peut répondre{NBSP}: {names}.")

    def answer(self, pick: Pick) -> None:
        """Answer: the line of the place shows, with what stops it; a second miss shows the answer.

        Args:
            pick: one of those offered.
        """
        if self.done or pick in self.tried:
            return
        self.tried.append(pick)
        right = pick.right
        answer = next(one for one in self._picks if one.right)
        with self.board.hold():
            self._draw(answer if self.done else pick)
            self._mark()
        self.board.later(lambda: self._say(pick, right, answer))

    def _draw(self, pick: Pick) -> None:
        position = self._task.position
        self.board.show("sight", *layers_for(pick.result, position, self.board.shapes))
        marks: list[Layer] = []
        for tried in self.tried:
            marks.append(Outline(places(tried.cell), "good" if tried.right else "wrong"))
        if self.done and pick not in self.tried:
            marks.append(Outline(places(pick.cell), "good"))
        self.board.show("judged", *marks)

    def _say(self, pick: Pick, right: bool, answer: Pick) -> None:
        for made, one in zip(self._buttons.children, self._picks, strict=True):
            for name, holds in (
                ("ldv-closed", self.done or one in self.tried),
                ("ldv-missed", one in self.tried and not one.right),
                ("ldv-right", self.done and one.right),
            ):
                (made.add_class if holds else made.remove_class)(name)
        cause = f"<strong>{escape(pick.name)}</strong>{NBSP}: {self._writer.inline(pick.because, False)}"
        opening_ = self._writer.inline(judgement(right, again=len(self.tried) > 1, shown=self.done), False)
        if not right:
            because = f"<strong>{escape(answer.name)}.</strong> {self._writer.inline(answer.because, False)}"
            cause = f"{because} {cause}" if self.done else f"{cause} Essayez encore."
        self._said.value = (
            f'<div class="ldv-diagnosis" data-right="{str(right).lower()}" '
            f'data-proved="{str(self.done).lower()}" role="status"><p>{opening_} {cause}</p></div>'
        )
        show(self._said, True)
        if self.done:
            self._after.value = self._onward(self.game_id)
            show(self._after, True)
        self.board.describe((plain_prose(pick.because),), announce=False)
