"""The situation a reader plays with: a position and its history. Nothing is lost: every change can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from tutor.core.errors import PositionError
from tutor.core.position import MAX_LINK, Position
from widgets.errors import guarded
from widgets.history import History, refuse_new_faults


class Situation:
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
        self._first, self._history = position, History(position)
        self._handlers: list[Callable[[Position], object]] = []

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self._history.now

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self._history.can_redo

    def on_change(self, handler: Callable[[Position], object]) -> None:
        """Call ``handler`` with the new position after each change."""
        self._handlers.append(guarded(handler))

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
        self._moved(self._history.take(position))

    def restart(self, position: Position) -> None:
        """Begin anew with another position, without history."""
        self._first, self._history = position, History(position)
        self._moved(True)

    def undo(self) -> bool:
        """Take back the last change; False when there is none."""
        return self._moved(self._history.undo())

    def redo(self) -> bool:
        """Do again what was taken back; False when there is nothing."""
        return self._moved(self._history.redo())

    def reset(self) -> None:
        """Return to the first position (which can be undone)."""
        self.replace(self._first, check=False)

    def link(self, page: str, **query: str) -> str:
        """The address of a page that opens this very situation.

        Args:
            page: address without query; query: further keys.

        Raises:
            PositionError: too large for a link.
        """
        text = self.position.to_link()
        if len(text) > MAX_LINK:
            raise PositionError(
                "Cette position est trop grande pour un lien.",
                remedy="Enregistrez-la dans un fichier depuis le bac à sable.",
            )
        keys = {**query, "position": text}
        return page + "?" + "&".join(f"{key}={quote(value)}" for key, value in keys.items())

    def _moved(self, moved: bool) -> bool:
        if moved:
            for handler in self._handlers:
                handler(self.position)
        return moved
