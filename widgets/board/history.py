"""What changed, and how to take it back: the same for a board that is played with, an example, an editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from tutor.core.errors import PositionError
from tutor.core.position import Position
from tutor.core.registry import game
from widgets.board.errors import guarded

T = TypeVar("T")
#: States kept to go back to.
MOST = 200


class History(Generic[T]):
    """A state that changes, with those before it and those taken back.

    Args:
        now: the first state.

    >>> history = History(1)
    >>> history.take(2), history.take(2), history.undo(), history.now, history.redo(), history.now
    (True, False, True, 1, True, 2)
    """

    def __init__(self, now: T) -> None:
        self.now = now
        self._past: list[T] = []
        self._future: list[T] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return bool(self._future)

    def take(self, state: T) -> bool:
        """Go on to a state; False when it is the one that stands."""
        if state == self.now and _order(state) == _order(self.now):
            return False
        self._past.append(self.now)
        del self._past[:-MOST]
        self._future.clear()
        self.now = state
        return True

    def undo(self) -> bool:
        """Take back the last change; False when there is none."""
        return self._travel(self._past, self._future)

    def redo(self) -> bool:
        """Do again what was taken back; False when there is nothing."""
        return self._travel(self._future, self._past)

    def _travel(self, back: list[T], forth: list[T]) -> bool:
        if not back:
            return False
        forth.append(self.now)
        self.now = back.pop()
        return True


def _order(state: object) -> object:
    """What equality does not see: the order of keys, for dice are rolled in the order they are given."""
    if isinstance(state, Mapping):
        return [(key, _order(value)) for key, value in state.items()]
    return [_order(one) for one in state] if isinstance(state, (list, tuple)) else None


class Undoable(Generic[T]):
    """Something that changes, with undo and redo, and tells who asked to know.

    Args:
        now: the first state.
    """

    def __init__(self, now: T) -> None:
        self._history = History(now)
        self._listeners: list[Callable[[], object]] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self._history.can_redo

    def on_change(self, listener: Callable[[], object]) -> None:
        """Call after each change."""
        self._listeners.append(guarded(listener))

    def undo(self) -> bool:
        """Take back the last change; False when there is none."""
        return self._moved(self._history.undo())

    def redo(self) -> bool:
        """Do again what was taken back; False when there is nothing."""
        return self._moved(self._history.redo())

    def _take(self, state: T) -> None:
        self._moved(self._history.take(state))

    def _moved(self, moved: bool) -> bool:
        if moved:
            for listener in self._listeners:
                listener()
        return moved


def refuse_new_faults(before: Position, after: Position) -> None:
    """Let a change pass that brings no fault; those that were there before may stay.

    Raises:
        PositionError: the game finds a fault that was not there before.
    """
    problems = game(after.game).problems
    known = set(problems(before))
    if new := [problem for problem in problems(after) if problem not in known]:
        raise PositionError(" ".join(new[:3]), remedy="La position n’a pas changé.")
