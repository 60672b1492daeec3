"""The ground of hex boards, from the earth up to the frame."""

from __future__ import annotations

from itertools import pairwise

from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from tutor.core.grids_half import HalfHexGrid
from widgets.ground.areas import brush, field, grain, gully, marsh, orchard, turf
from widgets.ground.buildings import paint_built
from widgets.ground.contours import paint_relief
from widgets.ground.earth import raised, tufts, underpainting
from widgets.ground.layout import Layout
from widgets.ground.sides import walls
from widgets.ground.svg import Sheet, area_data, line_data, n
from widgets.ground.trees import woods
from widgets.ground.waters import waters
from widgets.ground.ways import bridges, paths_under_trees, ways


def paint_ground(b: Layout, s: Sheet) -> None:
    """Everything that does not move, from the earth up to the frame; hex names come later, above the overlays."""
    if b.style.hand == "topographic":
        paint_relief(b, s)
    else:
        underpainting(b, s)
        for level in b.levels:
            raised(b, s, level)
    if b.style.grass:
        tufts(b, s)
    for kind in ("field", "grain", "brush", "light", "orchard", "marsh", "gully", "billard"):
        for i, one in enumerate(b.separate(kind)):
            AREAS[kind](b, s, one, f"{kind}{i}")
    waters(b, s)
    mesh(b, s)
    ways(b, s)
    bridges(b, s)
    for kind in ("village", "town", "city", "building", "stone_building", "wooden_building"):
        for i, one in enumerate(b.separate(kind)):
            paint_built(b, s, one, kind, i)
    if b.kinds("area"):
        woods(b, s, "woods")
    paths_under_trees(b, s)
    walls(b, s)
    if b.style.dots or b.style.hand == "campaign":
        centres(b, s)
    rim(b, s)


AREAS = {
    "field": field,
    "grain": grain,
    "brush": brush,
    "light": brush,
    "orchard": orchard,
    "marsh": marsh,
    "gully": gully,
    "billard": turf,
}


def mesh(b: Layout, s: Sheet) -> None:
    """Sides of hexes: one thin line over the ground, under ways and built things; on high ground one that shows there."""
    st, wide, edges = b.style, max(0.7, b.r * 0.018), [LineString(edge) for edge in b.edges]
    high: dict[tuple[str, float], BaseGeometry] = {}
    for level, above in pairwise([*b.levels, None]) if st.hand != "topographic" else ():
        drawn = st.sides_on(f"level{min(level, 3)}") if level else (st["mesh"], st.mesh)
        if level and drawn != (st["mesh"], st.mesh):
            own = b.relief(level) if above is None else b.relief(level).difference(b.relief(above))
            high[drawn] = unary_union([high.get(drawn, Polygon()), own])
    rims = [b.area(kind).boundary.buffer(0.5) for kind in AREAS if s.night and kind in b.kinds("area")]
    low = unary_union([*high.values(), *rims])  # by night the light edge of an area is not crossed out by a dark side
    s.path(_lines([edge.difference(low) for edge in edges]), None, st["mesh"], wide, opacity=st.mesh)
    for (colour, opacity), ground in high.items():
        s.path(_lines([edge.intersection(ground) for edge in edges]), None, colour, wide, opacity=opacity)


def _lines(parts: list[BaseGeometry]) -> str:
    """Path data of the lines among some pieces."""
    pieces = [one for part in parts for one in getattr(part, "geoms", [part])]
    return "".join(line_data(list(one.coords)) for one in pieces if isinstance(one, LineString) and len(one.coords) > 1)


def centres(b: Layout, s: Sheet) -> None:
    """Dots that players lay a thread between."""
    st, r = b.style, b.r
    cells = [c for c in b.grid.cells if not (isinstance(b.grid, HalfHexGrid) and b.grid.halved(c))]
    spots = [b.centre(c) for c in cells]
    s.dots(spots, max(3.0, r * 0.085), st["halo"], opacity=0.75)
    s.dots(spots, max(1.8, r * 0.05), st["mesh"])


def rim(b: Layout, s: Sheet) -> None:
    """Outside the hexes the map goes on, paler; a firm line where play ends, a frame where the sheet does."""
    st, r = b.style, b.r
    outside = b.frame.difference(b.play)
    if not b.half and not outside.is_empty:
        # the hex sides that terrain covers show again, in a light line
        s.path(area_data(outside), st["beyond"], opacity=0.6)
        s.path(area_data(b.play), None, st["frame"], max(1.2, r * 0.03), join="round", opacity=0.85)
    light = unary_union([b.area(k) for k in ("woods", "heavy") if k in b.kinds("area")])
    if not light.is_empty:
        inside = _lines([LineString(e).intersection(light) for e in b.edges])
        s.path(inside, None, st["crown_high"], max(0.7, r * 0.018), opacity=0.5)
    w = max(1.6, r * 0.04)
    s.put(
        f'<rect x="{n(w / 2)}" y="{n(w / 2)}" width="{n(b.width - w)}" height="{n(b.height - w)}" fill="none" stroke="{st["frame"]}" stroke-width="{n(w)}"/>'
    )
