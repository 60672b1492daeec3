"""A position of Combat Commander compiled for exact geometry: levels, silhouettes, sides and ways, indexed by hex.

**Rule:** 2.1, 10.1, T78.1, T88.3.1, T93.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from tutor.core.drawing import Shape
from tutor.core.geometry import hex_silhouette, strip
from tutor.core.grid import Point
from tutor.core.padded import PaddedHexes
from tutor.core.position import Position
from tutor.core.rays import WHOLE
from tutor.games.combat_commander.game import GAME

#: Terrain whose silhouette joins that of a neighbour of the same kind; buildings only where declared one building.
#: A major bridge runs over several hexes (T80.1), a minor one stays inside one (T80.2).
JOINING = frozenset({"woods", "brush", "orchard", "field", "marsh", "gully", "stream", "water_barrier", "major_bridge"})


class Board(PaddedHexes):
    """Flat arrays by hex index, and the rays between hexes.

    Args:
        position: the situation; hexes off the board are ignored (``problems`` names them).

    Raises:
        PositionError: the board is not a hex board.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        size = self.size
        terrain, ways = GAME.tables["terrain"], GAME.tables["ways"]
        self.kind: list[str | None] = [None] * size
        self.obstacle = [False] * size
        self.hindrance = [0] * size
        self.gully = [False] * size
        self.joined = [0] * size
        self.road = [0] * size
        self.rail = [0] * size
        self.smoke = [0] * size
        self.blaze = [False] * size
        self._read(position)
        self.drawn: dict[int, list[tuple[Point, ...]]] = defaultdict(list)
        self.crests: dict[int, list[tuple[Point, ...]]] = defaultdict(list)
        for cell, kind in position.terrain_of.items():
            self.put(self.kind, cell, kind)
            los = terrain.get(kind, "los", "clear")
            self.put(self.obstacle, cell, los == "obstacle")
            self.put(self.gully, cell, kind == "gully")
            self.put(self.hindrance, cell, terrain.get(kind, "hindrance", 0) if los == "hindrance" else 0)
        #: The other terrain of minor bridges (T80.2): drawn under them, paid for beside their road, never judged.
        self.beneath = _beneath(position)
        for way, array in (("road", self.road), ("rail", self.rail)):
            arms = position.ways.get(way, {})
            for cell in arms:
                self.put(array, cell, self.arms(arms, cell))
        #: Ways that clear the terrain of their hex: railways by their reading (T92), roads besides (T93).
        self.clear_rail = self.rail if self.rail_clears else [0] * size
        self.clear_way = [road | rail for road, rail in zip(self.road, self.clear_rail, strict=True)]
        self.rail_hindrance = int(ways.get("rail", "hindrance", 0))
        for cell, value in position.markers.get("smoke", {}).items():
            self.put(self.smoke, cell, int(value) if isinstance(value, int) else 0)
        for cell, value in position.markers.get("blaze", {}).items():
            self.put(self.blaze, cell, bool(value))
        for shape in position.silhouettes:
            points = tuple(shape.polygon)
            if shape.hex and shape.hex in self.index:
                self.drawn[self.index[shape.hex]].append(points)
            elif shape.level:
                self.crests[shape.level].append(points)
        for cell, i in self.index.items():
            if own := self.kind[i]:
                self.joined[i] = self.joined_sides(cell, own, self._kinds, JOINING)
        side_table = GAME.tables["sides"]
        self.side_hindrance = {kind: int(side_table.get(kind, "hindrance", 0)) for kind in side_table.rows}
        self.barriers: dict[int, tuple[str, str, int]] = {}
        self.fences: dict[int, tuple[str, str, int]] = {}
        for side, kind in position.sides_of.items():
            los = side_table.get(kind, "los", "clear")
            key = self._side_index(side)
            if key is not None and los != "clear":
                one, other = (self.index.get(cell) for cell in side.split("/"))
                grounds = [self.level[i] for i in (one, other) if i is not None]
                level = (max if self.high_sides else min)(grounds, default=0)
                (self.barriers if los == "obstacle" else self.fences)[key] = (kind, side, level)
        self.any_relief = any(self.level) or bool(self.crests)
        #: Hexes whose own drawing leaves them, with its box (left, top, right, bottom): any line may meet it.
        self.spilling = {i: _box(drawn) for i, drawn in self.drawn.items() if self._spills(i, drawn)}
        self.any_blaze, self.any_smoke = any(self.blaze), any(self.smoke)
        self.any_gully, self.any_rail = any(self.gully), any(self.rail)

    def _read(self, position: Position) -> None:
        """The readings of open points that lines of sight follow."""
        self.vertex_counts = GAME.reading(position, "vertex_contact") == "counts"
        self.adjacent_seen = GAME.reading(position, "adjacent_hexes") == "seen"
        self.gully_open = GAME.reading(position, "same_gully") == "seen"
        self.high_sides = GAME.reading(position, "side_level") == "higher"
        self.rail_clears = GAME.reading(position, "rail_clears") == "hex"
        self.blaze_ends = GAME.reading(position, "blaze_ends") == "blocks"

    def _kinds(self, cell: str) -> tuple[str, ...]:
        """Terrain of a hex, and what goes on under its bridge."""
        kind = self.kind[self.index[cell]] if cell in self.index else None
        return tuple(one for one in (kind, self.beneath.get(cell)) if one)

    def _spills(self, i: int, drawn: list[tuple[Point, ...]]) -> bool:
        x, y = self.grid.centre(self.cell[i])
        return any(max(abs(2 * (py - y)), abs(px - x) + abs(py - y)) > 40 for points in drawn for px, py in points)

    def _side_index(self, side: str) -> int | None:
        """Key of a side: three for each hex, sides 1 to 3 of the hex they are named from."""
        one, other = side.split("/")
        if self.grid.distance(one, other) != 1 or not (one in self.index or other in self.index):
            return None
        d = self.grid.direction(one, other)
        cell = one if d <= 3 else other
        column, row = self.grid.coords(cell)
        return self.index_of(column, row) * 3 + (d - 1) % 3

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """What is drawn of the position, in painting order: ground, terrain, ways, sides, markers."""
        grid, drawn = self.grid, []
        for level in sorted({lv for lv in self.level if lv > 0}):
            if level in self.crests:
                drawn += [Shape("level", str(level), (), points) for points in self.crests[level]]
                continue
            masks = self.level_mask(level)
            drawn += [
                Shape("level", str(level), (cell,), hex_silhouette(grid.centre(cell), masks[i]))
                for cell, i in self.index.items()
                if masks[i] >= 0
            ]
        for cell, i in self.index.items():
            kind = self.kind[i]
            if kind is None:
                continue
            if under := self.beneath.get(cell):
                mask = self.joined_sides(cell, under, self._kinds, JOINING)
                drawn.append(Shape("area", under, (cell,), hex_silhouette(grid.centre(cell), mask)))
            outlines = self.drawn.get(i) or [hex_silhouette(grid.centre(cell), self.joined[i])]
            drawn += [Shape("area", kind, (cell,), points) for points in outlines]
        for way in ("trail", "rail", "road"):
            for cell, sides in self.position.ways.get(way, {}).items():
                if cell in self.index:
                    drawn += [Shape("way", way, (cell,), strip(grid.centre(cell), d)) for d in sorted(set(sides))]
        for side, kind in self.position.sides_of.items():
            if self._side_index(side) is not None:
                one, other = side.split("/")
                drawn.append(Shape("side", kind, (one, other), grid.side_points(side)))
        for kind in ("fortification", "smoke", "blaze", "objective"):
            for cell, value in self.position.markers.get(kind, {}).items():
                if cell in self.index:
                    drawn.append(Shape("marker", kind, (cell,), hex_silhouette(grid.centre(cell), WHOLE), value))
        return tuple(drawn)


def _beneath(position: Position) -> dict[str, str]:
    """The other terrain of the minor bridges that say it. **Rule:** T80.2."""
    kinds = position.state.get("beneath")
    bridges = position.terrain.get("minor_bridge", ())
    return {c: str(kinds[c]) for c in bridges if kinds.get(c)} if isinstance(kinds, dict) else {}


def _box(drawn: list[tuple[Point, ...]]) -> tuple[int, int, int, int]:
    xs, ys = [x for points in drawn for x, _ in points], [y for points in drawn for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def board(position: Position) -> Board:
    """The compiled board of a position, kept as long as the position is.

    >>> from tutor import load_position
    >>> b = board(load_position("combat_commander", "plateau-livret"))
    >>> b.level[b.index["J7"]], b.kind[b.index["L8"]]
    (2, 'woods')
    """
    return Board.of(position)


def shapes(position: Position) -> tuple[Shape, ...]:
    """What a board shows of a position, in painting order."""
    return board(position).shapes


GAME.shapes = shapes
