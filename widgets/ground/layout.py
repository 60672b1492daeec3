"""A position laid out in pixels: hexes, silhouettes as the rules hold them, ways and waters as continuous lines."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any

from shapely import affinity
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from tutor.core.drawing import Shape
from tutor.core.grids_half import HalfHexGrid
from tutor.core.grids_pointy import PointyHexGrid
from tutor.core.position import Position
from tutor.core.registry import game
from widgets.board.grounds import MARGIN
from widgets.ground.lines import joined, rounded_line
from widgets.ground.styles import Style
from widgets.ground.svg import XY

NOTHING = Polygon()
#: Half-width of a road's surface, in hex radii: less than any judged strip is wide.
ROAD = 0.1


class Layout:
    """Pixels of a position.

    Args:
        position: the situation.
        style: how its game is drawn.
        width, height: greatest size, in pixels.
    """

    def __init__(self, position: Position, style: Style, width: float, height: float) -> None:
        self.position, self.style, self.grid = position, style, position.grid
        self.shapes: tuple[Shape, ...] = tuple(game(position.game).shapes(position))
        plane = [self.grid.plane(p) for cell in self.grid.cells for p in self.grid.polygon(cell)]
        x0, x1 = min(x for x, _ in plane), max(x for x, _ in plane)
        y0, y1 = min(y for _, y in plane), max(y for _, y in plane)
        self.square = self.grid.side_count == 4
        self.half = isinstance(self.grid, HalfHexGrid)
        self.pointy = isinstance(self.grid, PointyHexGrid)
        pad = 0.0 if self.half else MARGIN
        self.r = min(width / (x1 - x0 + 2 * pad), height / (y1 - y0 + 2 * pad))
        r = self.r
        self.ux, self.uy = self.grid.plane((1, 0))[0] * r, self.grid.plane((0, 1))[1] * r
        self.ox, self.oy = (pad - x0) * r, (pad - y0) * r
        self.width, self.height = (x1 - x0 + 2 * pad) * r, (y1 - y0 + 2 * pad) * r
        self.frame = box(0, 0, self.width, self.height)

    # -- places --------------------------------------------------------------------------------------------------------

    def px(self, point: tuple[float, float]) -> XY:
        return point[0] * self.ux + self.ox, point[1] * self.uy + self.oy

    def centre(self, cell: str) -> XY:
        return self.px(self.grid.centre(cell))

    def cell(self, cell: str) -> Polygon:
        return Polygon([self.px(p) for p in self.grid.polygon(cell)])

    def hexagon(self, cell: str, scale: float = 1.0) -> list[XY]:
        cx, cy = self.centre(cell)
        return [(cx + (x - cx) * scale, cy + (y - cy) * scale) for x, y in map(self.px, self.grid.polygon(cell))]

    @cached_property
    def play(self) -> BaseGeometry:
        """All cells together."""
        return unary_union([self.cell(c).buffer(0.02, join_style="mitre") for c in self.grid.cells]).buffer(
            -0.02, join_style="mitre"
        )

    @cached_property
    def edges(self) -> list[tuple[XY, XY]]:
        """Sides of cells, each once."""
        seen: dict[frozenset[tuple[int, int]], tuple[XY, XY]] = {}
        for cell in self.grid.cells:
            pts = self.grid.polygon(cell)
            for a, b in zip(pts, pts[1:] + pts[:1], strict=True):
                seen.setdefault(frozenset((a, b)), (self.px(a), self.px(b)))
        return list(seen.values())

    # -- silhouettes ---------------------------------------------------------------------------------------------------

    def _union(self, shapes: list[Shape]) -> BaseGeometry:
        """Union in lattice units, exact where sides coincide, then in pixels."""
        whole = unary_union([Polygon(s.points) for s in shapes])
        return affinity.affine_transform(whole, [self.ux, 0, 0, self.uy, self.ox, self.oy])

    @cached_property
    def _groups(self) -> dict[tuple[str, str], list[Shape]]:
        groups: dict[tuple[str, str], list[Shape]] = defaultdict(list)
        for shape in self.shapes:
            groups[shape.layer, shape.kind].append(shape)
        return groups

    def kinds(self, layer: str) -> list[str]:
        return [kind for one, kind in self._groups if one == layer]

    def shapes_of(self, layer: str, kind: str) -> list[Shape]:
        return self._groups.get((layer, kind), [])

    def area(self, kind: str, layer: str = "area") -> BaseGeometry:
        """The silhouettes of a kind, as one shape."""
        shapes = self.shapes_of(layer, kind)
        return self._union(shapes) if shapes else NOTHING

    def outline(self, shape: Shape) -> Polygon:
        return Polygon([self.px(p) for p in shape.points])

    @cached_property
    def strips(self) -> BaseGeometry:
        """The corridors of roads and railways, as judged: terrain does not count inside."""
        return (
            self._union([s for s in self.shapes if s.layer == "way" and s.kind in ("road", "rail")] or [])
            if any(s.layer == "way" for s in self.shapes)
            else NOTHING
        )

    def judged(self, kind: str) -> BaseGeometry:
        """What of a kind is judged: its silhouettes without the corridors that cross it."""
        return self.area(kind).difference(self.strips)

    def separate(self, kind: str) -> list[BaseGeometry]:
        """The same, feature by feature: silhouettes that touch are one."""
        whole = self.area(kind)
        return [g.difference(self.strips) for g in getattr(whole, "geoms", [whole]) if not g.is_empty]

    def relief(self, level: int) -> BaseGeometry:
        return self.area(str(level), "level")

    @cached_property
    def levels(self) -> list[int]:
        return sorted(int(k) for k in self.kinds("level"))

    @cached_property
    def covered(self) -> BaseGeometry:
        """Everything that is not open ground."""
        return unary_union([self.area(k) for k in self.kinds("area")] + [self.strips])

    # -- lines ---------------------------------------------------------------------------------------------------------

    def side_middle(self, cell: str, side: int) -> XY:
        return self.px(_middle(*self.grid.side_points(self.grid.side(cell, side))))

    def ways(self, kind: str) -> list[list[XY]]:
        """A kind of way as continuous lines, softly bent, out to the frame where it leaves the board.

        A way that ends in an open hex of the rim goes on out of the board; nothing is judged there.
        """
        arms: dict[str, Any] = self.position.ways.get(kind, {})
        pieces: list[list[XY]] = []
        for cell, sides in arms.items():
            if cell not in self.grid:
                continue
            c = self.centre(cell)
            sides = sorted(set(sides))
            ends = [self._way_end(cell, d) for d in sides]
            if len(sides) == 1:
                out = self._way_out(cell, sides[0])
                if out is not None:
                    sides, ends = [*sides, out], [*ends, self._way_end(cell, out)]
            if len(sides) == 2:
                pieces.append(rounded_line([ends[0][-1], *ends[0][:-1][::-1], c, *ends[1]], self.r * 0.36))
            else:
                pieces += [[c, *end] for end in ends]
        return joined(pieces)

    def _way_end(self, cell: str, side: int) -> list[XY]:
        """Side middle, and the frame beyond it when the board ends there."""
        m = self.side_middle(cell, side)
        if self.grid.neighbour(cell, side) in self.grid:
            return [m]
        c = self.centre(cell)
        return [m, (m[0] + (m[0] - c[0]) * 2.2, m[1] + (m[1] - c[1]) * 2.2)]

    def _way_out(self, cell: str, side: int) -> int | None:
        if self.position.terrain_of.get(cell):
            return None
        half = self.grid.side_count // 2
        for turn in (half, half - 1, half + 1):
            d = (side - 1 + turn) % self.grid.side_count + 1
            if self.grid.neighbour(cell, d) not in self.grid:
                return d
        return None

    def course(
        self,
        kinds: tuple[str, ...],
        also: dict[str, str] | None = None,
        ends: tuple[str, ...] = (),
        mouths: tuple[str, ...] = (),
        thin: bool = False,
    ) -> list[list[XY]]:
        """A water of hexes as lines through their centres, out to the frame where it reaches the rim.

        Args:
            kinds: terrain that is this water; also: hexes where it runs under something; ends: terrain it may rise from;
                mouths: terrain it may run into, at one of its ends; thin: three hexes that touch one another make no ring.
        """
        terrain = self.position.terrain_of
        cells = [c for c in self.grid.cells if terrain.get(c) in kinds or (also or {}).get(c) in kinds]
        wet = set(cells)
        pieces: list[list[XY]] = []
        links: dict[str, set[str]] = defaultdict(set)
        count = self.grid.side_count
        for cell in cells:
            near = [self.grid.neighbour(cell, d) for d in range(1, count + 1)]
            joins = [d for d, other in enumerate(near, 1) if other in wet]
            springs = [d for d, other in enumerate(near, 1) if terrain.get(other) in ends]
            c = self.centre(cell)
            for other in (near[d - 1] for d in joins if near[d - 1] > cell):
                if not thin or not links[cell] & links[other]:
                    links[cell].add(other)
                    links[other].add(cell)
                    pieces.append([c, self.centre(other)])
            pieces += [[c, self.centre(near[d - 1])] for d in springs]
            if len(joins) + len(springs) < 2:
                used = next(iter(joins + springs), None)
                pieces += self._last_of_course(cell, used, [terrain.get(other, "") in mouths for other in near])
        return joined(pieces)

    def _last_of_course(self, cell: str, used: int | None, mouths: list[bool]) -> list[list[XY]]:
        """The end of a water in its last hex, or both in its only one: into another water, out of the board, or a little on.

        Args:
            cell: the hex.
            used: the side it comes from; ``None`` in its only hex.
            mouths: for each side, whether another water that it may run into lies there.
        """
        count, c = self.grid.side_count, self.centre(cell)
        near = [self.grid.neighbour(cell, d) for d in range(1, count + 1)]

        def bend(d: int) -> int:
            return 0 if used is None else abs((d - used) % count - count // 2)

        open_sides = [
            d for d in range(1, count + 1) if bend(d) <= 1 and (mouths[d - 1] or near[d - 1] not in self.grid)
        ]
        d = min(open_sides, key=lambda d: (not mouths[d - 1], bend(d), d), default=None)
        ahead = d or ((used or 1) - 1 + count // 2) % count + 1
        m = self.side_middle(cell, ahead)
        if d is None:
            end = [c, (c[0] + (m[0] - c[0]) * 0.55, c[1] + (m[1] - c[1]) * 0.55)]
        elif mouths[d - 1]:
            end = [c, self.centre(near[d - 1])]
        else:
            end = [c, m, (m[0] + (m[0] - c[0]) * 2.2, m[1] + (m[1] - c[1]) * 2.2)]
        if used is not None:
            return [end]
        back = self.side_middle(cell, (ahead - 1 + count // 2) % count + 1)
        return [[(c[0] + (back[0] - c[0]) * 0.8, c[1] + (back[1] - c[1]) * 0.8), *end]]

    def side_lines(self, kind: str) -> list[list[XY]]:
        """Walls, hedges, fences as continuous lines."""
        return joined([[self.px(s.points[0]), self.px(s.points[-1])] for s in self.shapes_of("side", kind)])

    def leaves(self, line: list[XY]) -> list[XY]:
        """A line cut at the frame, one pixel beyond it."""
        cut = LineString(line).intersection(self.frame.buffer(2))
        if cut.is_empty:
            return []
        parts = [g for g in getattr(cut, "geoms", [cut]) if hasattr(g, "coords")]
        return list(max(parts, key=lambda g: g.length).coords)


def _middle(a: tuple[int, int], b: tuple[int, int]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
