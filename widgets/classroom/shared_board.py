"""A board that a class looks at together: free to explore, closed, or led by the teacher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.course.links import Link, position_text
from tutor.course.shown import BoardShown, position_of_text
from widgets.host.page import Page
from widgets.host.prose import Writer
from widgets.player.example import ExamplePlayer


class ClassBoard(ExamplePlayer):
    """A board shown to a class.

    Args:
        page: what its widgets share.
        shown: what it shows.
        revealed: whether its verdict is open from the start.
    """

    def __init__(self, page: Page, shown: BoardShown, *, revealed: bool) -> None:
        self._free = not shown.slug
        self._frozen = False
        asked = shown.example.model_copy(update={"with_": dict(shown.arguments), "changes": {}})
        super().__init__(page, shown.game_id, asked, Writer(shown.game_id), slug=shown.slug, base=shown.position)
        self.disclose(revealed)

    @property
    def bare(self) -> Position:
        """The position on screen, without its settings."""
        return self.position.model_copy(update={"tweaks": []})

    def freeze(self, frozen: bool) -> None:
        """Close the board to the reader's hands, or open it again."""
        if frozen == self._frozen:
            return
        self._frozen = frozen
        self.stage.board.let_drag(not frozen)
        (self.widget.add_class if frozen else self.widget.remove_class)("ldv-frozen")

    def follow(self, state: dict[str, Any]) -> None:
        """Show the board as another one stands.

        Raises:
            TutorError: what was sent cannot be read.
        """
        position = position_of_text(str(state.get("position", "")), self.game_id)
        position = position.model_copy(update={"tweaks": self._base.tweaks})
        given = state.get("with")
        self._history.now = (position, dict(given) if isinstance(given, dict) else self.arguments)
        self._place()

    def _set(self, position: Position, arguments: dict[str, Any]) -> None:
        if self._frozen:  # touched before this page could show it: the controls show again what stands
            self._place()
        else:
            super()._set(position, arguments)

    def _travel(self, move: Callable[[], bool]) -> None:
        if not self._frozen:
            super()._travel(move)

    def _link(self) -> str:
        if not self._free:
            return super()._link()
        return Link("sandbox", position=position_text(self.position)).url


def followed(board: ClassBoard, state: Any) -> None:
    """Have a board follow another one; what cannot be read leaves it as it is."""
    if not isinstance(state, dict):
        return
    try:
        board.follow(state)
    except TutorError as error:
        board.stage.fail(error)
