"""The situation a reader plays with: a position and its history. Nothing is lost: every change can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from tutor.core.errors import PositionError
from tutor.core.position import MAX_LINK, Position
from tutor.core.registry import game
from widgets.errors import guarded


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
        self._past: list[Position] = []
        self._future: list[Position] = []
        self._first = self._now = position
        self._handlers: list[Callable[[Position], object]] = []

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self._now

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return bool(self._future)

    def on_change(self, handler: Callable[[Position], object]) -> None:
        """Call ``handler`` with the new position after each change."""
        self._handlers.append(guarded(handler))

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some things (paths of ``Position.change``).

        Raises:
            PositionError: the change means nothing, or makes the position impossible; nothing has changed then.
        """
        self.replace(self._now.change(changes))

    def replace(self, position: Position, *, check: bool = True) -> None:
        """Put another position in place, as one step of the history.

        Raises:
            PositionError: the game finds a fault that was not there before (with ``check``).
        """
        if position == self._now:
            return
        if check:
            problems = game(position.game).problems
            known = set(problems(self._now))
            new = [problem for problem in problems(position) if problem not in known]
            if new:
                raise PositionError(" ".join(new[:3]), remedy="La position n’a pas changé.")
        self._past.append(self._now)
        self._future.clear()
        self._set(position)

    def restart(self, position: Position) -> None:
        """Begin anew with another position, without history."""
        self._first = position
        self._past.clear()
        self._future.clear()
        self._set(position)

    def undo(self) -> bool:
        """Take back the last change; False when there is none."""
        if not self._past:
            return False
        self._future.append(self._now)
        self._set(self._past.pop())
        return True

    def redo(self) -> bool:
        """Do again what was taken back; False when there is nothing."""
        if not self._future:
            return False
        self._past.append(self._now)
        self._set(self._future.pop())
        return True

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
        text = self._now.to_link()
        if len(text) > MAX_LINK:
            raise PositionError(
                "Cette position est trop grande pour un lien.",
                remedy="Enregistrez-la dans un fichier depuis le bac à sable.",
            )
        keys = {**query, "position": text}
        return page + "?" + "&".join(f"{key}={quote(value)}" for key, value in keys.items())

    def _set(self, position: Position) -> None:
        self._now = position
        for handler in self._handlers:
            handler(position)
