"""Shapes on the lattice that a board shows: what the rules judge is what is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tutor.core.grid import Point

ShapeLayer = Literal["level", "area", "way", "side", "marker"]


@dataclass(frozen=True, slots=True)
class Shape:
    """One drawn feature.

    Args:
        layer: level (ground of a level and above), area (terrain silhouette), way (road, rail, trail strip), side
            (wall, hedge, fence, cliff: a line of two points), marker (smoke, blaze, fortification: a whole hex).
        kind: woods, building, road, wall, smoke… ; for levels, the number as text.
        cells: hexes it belongs to (for a side, the two hexes).
        points: lattice corners (a polygon; two ends for a side).
        value: value of a marker (smoke 7, ``foxholes``), or None.
    """

    layer: ShapeLayer
    kind: str
    cells: tuple[str, ...]
    points: tuple[Point, ...]
    value: int | str | bool | None = None
