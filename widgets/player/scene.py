"""What a scene of a lesson is, whatever it plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import ipywidgets as ipw

from widgets.player.ending import Asked

#: How far the reader is with a scene.
Mark = Literal["ahead", "half", "done"]


class Scene(Protocol):
    """One scene: what stands beside the board, and how far the reader is with it."""

    id: str

    @property
    def name(self) -> str:
        """What it is, for who reads."""

    def enter(self) -> None:
        """Take the board."""

    def leave(self) -> None:
        """Give the board to another scene."""

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """What stands beside the board now."""

    @property
    def mark(self) -> Mark:
        """How far the reader is with it."""

    @property
    def answered(self) -> bool:
        """Whether its question on screen is answered, or it asks none."""

    def advance(self, by: int = 1) -> bool:
        """Go to its next question, or the one before (-1); False where there is none."""

    @property
    def asked(self) -> Sequence[Asked]:
        """Its questions, as far as the reader is with them."""


@runtime_checkable
class Tracked(Protocol):
    """A scene of many events, with their track under the board."""

    under: Sequence[ipw.Widget]

    @property
    def begun(self) -> bool:
        """Whether an event stands before the one on screen."""


def together(marks: Sequence[Mark]) -> Mark:
    """How far the reader is with a scene of several questions.

    Args:
        marks: of each.

    >>> together(["done", "half"]), together(["done", "ahead"]), together(["done"])
    ('half', 'ahead', 'done')
    """
    if not marks or "ahead" in marks:
        return "ahead"
    return "half" if "half" in marks else "done"
