"""What can lie over a board: the marks of ``tutor.core.marks``, as immutable data.

A board shows a tuple of them; ``paint/overlays.py`` paints them.

Layers are grouped in *slots* (``sight``, ``selection``, ``reach``…): showing something in a slot replaces what it held.
"""

from __future__ import annotations

from typing import Any

from tutor.core.drawing import Shape
from tutor.core.marks import Corner as Corner
from tutor.core.marks import Cursor as Cursor
from tutor.core.marks import Fire as Fire
from tutor.core.marks import Heat as Heat
from tutor.core.marks import LineOfSight as LineOfSight
from tutor.core.marks import Mark
from tutor.core.marks import Note as Note
from tutor.core.marks import Outline as Outline
from tutor.core.marks import Path as Path
from tutor.core.marks import Rays as Rays
from tutor.core.marks import Role as Role
from tutor.core.marks import Selection as Selection
from tutor.core.marks import State as State
from tutor.core.marks import Tint as Tint
from tutor.core.marks import places_of as places_of
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result

Layer = Mark


def layers_for(result: Result[Any], position: Position, shapes: tuple[Shape, ...] = ()) -> tuple[Layer, ...]:
    """What a result draws: itself, else the places that its steps name.

    Args:
        result: what a rule returned.
        position: where it was asked.
        shapes: the game's shapes, to outline the silhouettes that decide.
    """
    return game(position.game).drawing(result, position, shapes)
