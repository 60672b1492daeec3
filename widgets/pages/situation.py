"""The situation a reader plays with: a position and its history. Nothing is lost: every change can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.core.position import Position
from widgets.board.history import History, Undoable, refuse_new_faults


class Situation(Undoable[Position]):
    """A position that changes, with undo and redo.

    Args:
        position: the first one, to which ``reset`` returns.

    >>> from tutor import load_position
    >>> situation = Situation(load_position("combat_commander", "livret-ldv"))
    >>> situation.change({"terrain.L8": None})
    >>> "L8" in situation.position.terrain_of, situation.undo(), "L8" in situation.position.terrain_of
    (False, True, True)
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._first = position

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self._history.now

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some things (paths of ``Position.change``).

        Raises:
            PositionError: the change means nothing, or makes the position impossible; nothing has changed then.
        """
        self.replace(self.position.change(changes))

    def replace(self, position: Position, *, check: bool = True) -> None:
        """Put another position in place, as one step of the history.

        Raises:
            PositionError: the game finds a fault that was not there before (with ``check``).
        """
        if check:
            refuse_new_faults(self.position, position)
        self._take(position)

    def restart(self, position: Position) -> None:
        """Begin anew with another position, without history."""
        self._first, self._history = position, History(position)
        self._moved(True)

    def reset(self) -> None:
        """Return to the first position (which can be undone)."""
        self.replace(self._first, check=False)
