"""A position of ASL Starter Kit compiled for exact geometry: levels, silhouettes, roads, smoke and vehicles, by hex.

**Rule:** 1.1, 1.1.1, 1.2.5, 7.4.1.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any

from tutor.core.drawing import Shape
from tutor.core.geometry import hex_silhouette, strip
from tutor.core.grid import Point
from tutor.core.grids_half import HalfHexGrid
from tutor.core.padded import PaddedHexes
from tutor.core.position import Piece, Position
from tutor.core.rays import WHOLE
from tutor.games.asl_sk.game import GAME

#: Terrain whose drawing joins that of a neighbour of the same kind; buildings only where declared one building.
JOINING = frozenset({"woods", "grain", "brush", "orchard"})
#: Phases before the end of which a vehicle that moved hinders nothing.
BEFORE_ADVANCING_FIRE = frozenset({"MPh", "DFPh", "AFPh"})
DEFAULT_MONTH, DEFAULT_PHASE = 7, "PFPh"


def month(position: Position) -> int:
    """Month of the scenario, 1 to 12; July unless the position says otherwise."""
    number = position.state.get("month")
    return number if isinstance(number, int) and 1 <= number <= 12 else DEFAULT_MONTH


def phase(position: Position) -> str:
    """Phase of the turn: RPh, PFPh, MPh, DFPh, AFPh, RtPh, APh or CCPh."""
    return str(position.state.get("phase", DEFAULT_PHASE))


def in_season(position: Position, kind: str) -> bool:
    """Whether grain or orchards are in season."""
    table = GAME.tables["seasons"]
    return bool(table.get(kind, "first_month") <= month(position) <= table.get(kind, "last_month"))


def hinders(piece: Piece, now: str) -> bool:
    """Whether an AFV or wreck hinders: never in Motion, nor until the AFPh of the turn in which it moved."""
    return (
        piece.kind in ("afv", "wreck")
        and "motion" not in piece.status
        and not ("moved" in piece.status and now in BEFORE_ADVANCING_FIRE)
    )


class Board(PaddedHexes):
    """Flat arrays by hex index; a half-hex row above the first one has its place.

    Args:
        position: the situation; hexes off the board are ignored (``problems`` names them).

    Raises:
        PositionError: the board is not a hex board.
    """

    ABOVE, GRID = 2, "half_hex"

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        grid, size = self.grid, self.size
        self.centre = {i: grid.centre(cell) for i, cell in self.cell.items()}
        terrain = GAME.tables["terrain"]
        self.kind: list[str] = [""] * size
        self.obstacle, self.inherent, self.vehicle = [False] * size, [False] * size, [False] * size
        self.hindrance, self.joined, self.road, self.smoke = [0] * size, [0] * size, [0] * size, [0] * size
        self.drawn: dict[int, list[tuple[Point, ...]]] = defaultdict(list)
        for cell, kind in position.terrain_of.items():
            self.put(self.kind, cell, kind)
            self.put(self.obstacle, cell, terrain.get(kind, "los", "clear") == "obstacle")
            self.put(self.hindrance, cell, terrain.get(kind, "hindrance", 0))
            self.put(self.inherent, cell, bool(terrain.get(kind, "inherent", False)))
        roads = position.ways.get("road", {})
        for cell in roads:
            self.put(self.road, cell, self.arms(roads, cell))
        most = GAME.tables["sight"].get("smoke", "most")
        for cell, value in position.markers.get("smoke", {}).items():
            if isinstance(value, int) and value is not True:
                self.put(self.smoke, cell, min(value, most))
        now = phase(position)
        self.vehicles = tuple(p for p in position.pieces if hinders(p, now) and p.at in self.index)
        for piece in self.vehicles:
            self.put(self.vehicle, str(piece.at), True)
        for shape in position.silhouettes:
            if shape.hex in self.index:
                self.drawn[self.index[str(shape.hex)]].append(tuple(shape.polygon))
        for cell, i in self.index.items():
            if self.kind[i]:
                self.joined[i] = self.joined_sides(cell, self.kind[i], self._kinds, JOINING)
        self.grain_counts, self.orchards_in_leaf = in_season(position, "grain"), in_season(position, "orchard")
        self.any_relief, self.any_smoke, self.any_vehicle = any(self.level), any(self.smoke), any(self.vehicle)

    def _kinds(self, cell: str) -> tuple[str, ...]:
        kind = self.kind[self.index[cell]] if cell in self.index else ""
        return (kind,) if kind else ()

    def outlines(self, i: int) -> list[tuple[Point, ...]]:
        """Corners of what is drawn of the terrain of a hex; an inherent one fills it."""
        joined = WHOLE if self.inherent[i] else self.joined[i]
        return self.drawn.get(i) or [hex_silhouette(self.centre[i], joined)]

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """What is drawn of the position, in painting order: ground, terrain, roads, markers; cut at the edge."""
        drawn: list[Shape] = []

        def draw(layer: Any, kind: str, cell: str, points: tuple[Point, ...], value: Any = None) -> None:
            kept = self.grid.clip(points) if isinstance(self.grid, HalfHexGrid) else points
            if kept:
                drawn.append(Shape(layer, kind, (cell,), kept, value))

        for level in sorted({lv for lv in self.level if lv > 0}):
            masks = self.level_mask(level)
            for cell, i in self.index.items():
                if masks[i] >= 0:
                    draw("level", str(level), cell, hex_silhouette(self.centre[i], masks[i]))
        for cell, i in self.index.items():
            if self.kind[i]:
                for points in self.outlines(i):
                    draw("area", self.kind[i], cell, points)
        for cell, sides in self.position.ways.get("road", {}).items():
            if cell in self.index:
                for d in sorted(set(sides)):
                    draw("way", "road", cell, strip(self.grid.centre(cell), d))
        for kind in ("smoke", "residual"):
            for cell, value in self.position.markers.get(kind, {}).items():
                if cell in self.index:
                    draw("marker", kind, cell, hex_silhouette(self.grid.centre(cell), WHOLE), value)
        return tuple(drawn)


def board(position: Position) -> Board:
    """The compiled board of a position, kept as long as the position is.

    >>> from tutor.games.asl_sk import GAME
    >>> b = board(GAME.load().position("ecole"))
    >>> b.level[b.index["M3"]], b.kind[b.index["D4"]], len(b.index)
    (1, 'stone_building', 136)
    """
    return Board.of(position)


def shapes(position: Position) -> tuple[Shape, ...]:
    """What a board shows of a position, in painting order."""
    return board(position).shapes


GAME.shapes = shapes
