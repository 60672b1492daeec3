"""What a reader has answered of a lesson, as his browser remembers it: scenes are as he left them when he comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from widgets.host.learner import Progress
from widgets.player.predictions import State


class Answered:
    """The answers to one lesson's questions.

    Args:
        progress: of the reader.
        lesson: id.
    """

    def __init__(self, progress: Progress, lesson: str) -> None:
        self._progress, self._lesson = progress, lesson

    def on_known(self, listener: Callable[[], None]) -> None:
        """Call once what an earlier visit answered is known; never when there is nothing of it."""
        begun = self._progress.loaded

        def listen() -> None:
            nonlocal begun
            if not begun and self._progress.loaded:
                begun = True
                if self._answers:
                    listener()

        self._progress.on_change(listen)

    def presses(self, question: str) -> tuple[int, ...]:
        """Places of the choices that were pressed, in order; none of a question that was not answered."""
        _, presses = self._kept(question)
        return presses

    def state(self, question: str) -> State:
        """How far the reader was with a question, or with a scene that asks none (« right » once it was seen)."""
        state, _ = self._kept(question)
        return state

    def missed(self, question: str) -> bool:
        """Whether a question was missed once at least."""
        state, presses = self._kept(question)
        return state in ("missed", "shown") or len(presses) > 1

    def keep(self, question: str, state: State, presses: Sequence[int] = ()) -> None:
        """Remember an answer.

        Args:
            question: its id within the lesson.
            state: how far the reader is with it.
            presses: places of the choices that were pressed, in order.
        """
        if self._kept(question) != (state, tuple(presses)):
            self._progress.answered(self._lesson, question, [state, *presses])

    def solved(self, exercise: str) -> bool:
        """Whether an exercise was."""
        return exercise in self._progress.done.get(self._lesson, ())

    @property
    def _answers(self) -> dict[str, list[Any]]:
        return self._progress.answers.get(self._lesson, {})

    def _kept(self, question: str) -> tuple[State, tuple[int, ...]]:
        state, *presses = self._answers.get(question) or ["asked"]
        known: dict[object, State] = {name: name for name in get_args(State)}
        return known.get(state, "asked"), tuple(place for place in presses if isinstance(place, int))
