"""A position of Tactical Combat Series compiled for exact geometry: ground, drawings, whole hexes, hexsides, smoke.

Ground is given by its contour lines: ``levels`` holds, for each hex, the contour line below its centre (metres); the
markers ``between`` (percent of the way up to the next line), ``basin`` (percent of its depth), ``dome`` (percent of the
way up to the summit), ``summit`` (a printed reference height) and ``high`` (highest point of a line within the hex) say
the rest.

**Rule:** 1.1a, 8.1, 8.1h.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from tutor.core.drawing import Shape
from tutor.core.geometry import hex_silhouette, strip
from tutor.core.grid import Point
from tutor.core.padded import PaddedHexes
from tutor.core.position import Position
from tutor.core.rays import WHOLE, Ray
from tutor.games.tcs.game import GAME

#: Terrain whose drawing joins that of a neighbour of the same kind; single buildings only where declared one.
JOINING = frozenset({"woods", "orchard"})
#: Markers that say where a centre lies between contour lines, in percent.
PERCENT = ("between", "basin", "dome")
#: Hexes seen at night when the position says nothing else (26.1c).
NIGHT_VISIBILITY = 2
#: Markers that light the night, each with its row in the table of radii (26.2b).
LIGHTS = {"illum": "mortar", "artillery_illum": "artillery"}
#: Markers of what attacks who comes near: artillery and minefields.
DANGERS = ("mines", "breached_mines", "barrage")
ROADS = ("trail", "rail", "road")


class Board(PaddedHexes):
    """Hexes by index, and what stands in each.

    Args:
        position: the situation; hexes off the board are ignored (``problems`` names them).

    Raises:
        PositionError: the board is not a hex board.
    """

    GRID = "hex-numbered"

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.features: dict[str, list[str]] = defaultdict(list)
        for kind, cells in position.terrain.items():
            for cell in cells:
                if cell in self.index:
                    self.features[cell].append(kind)
        self.drawn: dict[str, list[tuple[Point, ...]]] = defaultdict(list)
        for shape in position.silhouettes:
            if shape.hex in self.index:
                self.drawn[str(shape.hex)].append(tuple(shape.polygon))
        self.spread = self._spread()
        self.smoke = {cell for cell, value in position.markers.get("smoke", {}).items() if value and cell in self.index}
        self.smoke |= set(self.spread)
        self.hedges = {side: kind for side, kind in position.sides_of.items() if self._is_side(side)}
        self.contour_interval = self._number("interval", 20)
        self.visibility = self._number("visibility", NIGHT_VISIBILITY if position.state.get("night") is True else 0)

    def _number(self, name: str, default: int) -> int:
        value = self.position.state.get(name, default)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else default

    def _spread(self) -> dict[str, str]:
        """Hexes filled by artillery smoke, each with the hex of its marker: its own and the six around it (19.3b)."""
        placed = self._placed("artillery_smoke")
        clouds = {near: cell for cell in placed for near in self.grid.neighbours(cell)}
        return {**clouds, **{cell: cell for cell in placed}}

    def _is_side(self, side: str) -> bool:
        one, other = side.split("/")
        return self.grid.distance(one, other) == 1 and (one in self.index or other in self.index)

    def ray(self, start: str, end: str) -> Ray:
        """The ray between two hexes."""
        return self.ray_between(*(self.index_of(*self.grid.coords(cell)) for cell in (start, end)))

    def joined(self, cell: str, kind: str) -> int:
        """Bit d-1 for each side across which the same feature goes on."""
        return self.joined_sides(cell, kind, lambda other: self.features.get(other, ()), JOINING)

    def outlines(self, cell: str, kind: str) -> list[tuple[Point, ...]]:
        """Corners of what is drawn of a feature in a hex."""
        if GAME.tables["terrain"].get(kind, "los") == "whole":
            return [hex_silhouette(self.grid.centre(cell), WHOLE)]
        return self.drawn.get(cell) or [hex_silhouette(self.grid.centre(cell), self.joined(cell, kind))]

    def height(self, kind: str, default: int) -> int:
        """Height in metres of a kind of terrain: what the position's ``heights`` say, else the series' default."""
        own = self.position.state.get("heights")
        value = own.get(kind) if isinstance(own, dict) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def percent(self, kind: str, cell: str) -> int | None:
        """Value of a percent marker in a hex, None when there is none; ``true`` is 100."""
        value = self.position.marker(kind, cell)
        if value is True:
            return 100
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @cached_property
    def lit(self) -> frozenset[str]:
        """Hexes lit by a shell, at night.

        **Rule:** 26.2b.
        """
        if self.position.state.get("night") is not True:
            return frozenset()
        radius = GAME.tables["illum"]
        shells = [(c, int(radius.get(row, "radius"))) for kind, row in LIGHTS.items() for c in self._placed(kind)]
        return frozenset(cell for cell in self.index if any(self.grid.distance(cell, c) <= n for c, n in shells))

    def _placed(self, kind: str) -> list[str]:
        """Hexes of the board where a kind of marker lies."""
        return [c for c, value in self.position.markers.get(kind, {}).items() if value and c in self.index]

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """What is drawn of the position, in painting order: ground, terrain, ways, sides, markers."""
        grid, drawn = self.grid, list[Shape]()
        level_of = self.position.level_of
        for level in sorted({lv for lv in level_of.values() if lv > 0}):
            for cell in self.index:
                if level_of.get(cell, 0) >= level:
                    around = [grid.neighbour(cell, d) for d in range(1, 7)]  # the ground goes on beyond the board
                    sides = [other not in self.index or level_of.get(other, 0) >= level for other in around]
                    mask = sum(1 << d for d, joins in enumerate(sides) if joins)
                    drawn.append(Shape("level", str(level), (cell,), hex_silhouette(grid.centre(cell), mask)))
        for cell, kinds in self.features.items():
            drawn += [Shape("area", kind, (cell,), points) for kind in kinds for points in self.outlines(cell, kind)]
        for way in ROADS:
            for cell, arms in self.position.ways.get(way, {}).items():
                if cell in self.index:
                    drawn += [Shape("way", way, (cell,), strip(grid.centre(cell), d)) for d in sorted(set(arms))]
        for side, kind in self.hedges.items():
            one, other = side.split("/")
            drawn.append(Shape("side", kind, (one, other), grid.side_points(side)))
        for kind in DANGERS:
            drawn += [
                Shape("marker", kind, (c,), hex_silhouette(grid.centre(c), WHOLE), True) for c in self._placed(kind)
            ]
        drawn += [
            Shape("marker", "lit", (cell,), hex_silhouette(grid.centre(cell), WHOLE), True) for cell in sorted(self.lit)
        ]
        for kind in LIGHTS:
            drawn += [
                Shape("marker", "illum", (c,), hex_silhouette(grid.centre(c), WHOLE), True) for c in self._placed(kind)
            ]
        for cell in sorted(self.smoke):
            value = self.position.marker("smoke", cell) or self.position.marker("artillery_smoke", cell)
            drawn.append(Shape("marker", "smoke", (cell,), hex_silhouette(grid.centre(cell), WHOLE), value))
        return tuple(drawn)


def board(position: Position) -> Board:
    """The compiled board of a position, kept as long as the position is."""
    return Board.of(position)


def shapes(position: Position) -> tuple[Shape, ...]:
    """What a board shows of a position, in painting order."""
    return board(position).shapes


GAME.shapes = shapes
