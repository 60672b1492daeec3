"""Roads, rails, tracks and bridges, run through hexes and out to the frame."""

from __future__ import annotations

from math import atan2, hypot, pi

from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union

from widgets.ground.areas import _edge
from widgets.ground.colours import mix
from widgets.ground.layout import ROAD, Layout
from widgets.ground.lines import hatched, parallel
from widgets.ground.svg import XY, Sheet, area_data, line_data, n


def ways(b: Layout, s: Sheet) -> None:
    """Trails, then railways, then roads: the judged corridor as a pale verge, the way itself of one width, without a seam."""
    st, r = b.style, b.r
    for kind in ("trail", "rail", "road"):
        lines = [cut for line in b.ways(kind) if len(cut := b.leaves(line)) > 1]
        if not lines:
            continue
        data = "".join(line_data(line) for line in lines)
        if kind == "trail":
            s.path(data, None, st["trail_edge"], r * 0.135, join="round", cap="round", opacity=0.55)
            s.path(data, None, st["trail"], r * 0.095, join="round", cap="round")
            s.path(
                data,
                None,
                st["trail_edge"],
                max(0.9, r * 0.028),
                dash=f"{n(r * 0.14)} {n(r * 0.1)}",
                join="round",
                opacity=0.9,
            )
            continue
        corridor = b.area(kind, "way")
        if kind == "rail":
            s.path(area_data(corridor), st["rail_bed"], opacity=0.6)
            banks = [
                line_data([b.px(p), b.px(q)])
                for one in b.shapes_of("way", "rail")
                for p, q in ((one.points[0], one.points[1]), (one.points[3], one.points[2]))
            ]
            s.path(
                "".join(banks),
                None,
                st["rail_edge"],
                max(0.9, r * 0.024),
                dash=f"{n(r * 0.09)} {n(r * 0.045)}",
                opacity=0.9,
            )
            track(b, s, data, st["rail_bed"])
            continue
        dense = unary_union(
            [
                b.area(k)
                for k in b.kinds("area")
                if k not in ("stream", "water_barrier", "water", "minor_bridge", "major_bridge")
            ]
        )
        s.path(area_data(corridor.intersection(dense)), st["verge"], opacity=0.95)
        if st.hand == "topographic":
            s.path(data, None, st["road_edge"], r * 0.185, join="round")
            s.path(data, None, st["road"], r * 0.125, join="round")
            s.path(data, None, st["road_core"], r * 0.062, join="round")
            continue
        tips = [
            (line[i], line[j])
            for line in lines
            for i, j in ((0, 1), (-1, -2))
            if b.frame.buffer(-1).contains(Point(line[i]))
        ]
        tips = [
            (p, q)
            for p, q in tips
            if sum(hypot(p[0] - o[0], p[1] - o[1]) < 1 for other in lines for o in (other[0], other[-1])) == 1
        ]
        shut = unary_union([b.area(k) for k in ("woods", "building") if k in b.kinds("area")])
        ends = [p for p, _ in tips if shut.contains(Point(p))]
        _peter_out(b, s, [t for t in tips if t[0] not in ends])
        s.path(
            data,
            None,
            st["shadow"],
            r * 2.3 * ROAD,
            join="round",
            opacity=0.12,
            transform=f"translate({n(r * 0.02)} {n(r * 0.03)})",
        )
        s.dots(ends, r * 0.36 + 0.45 * ROAD * r, st["road_edge"])
        s.path(data, None, st["road_edge"], r * 2.3 * ROAD, join="round")
        s.path(data, None, st["road"], r * 1.85 * ROAD, join="round")
        s.dots(ends, r * 0.36, st["road"])
        s.path(data, None, st["rut"], r * 0.085, join="round")
        s.path(data, None, st["road"], r * 0.045, join="round")


def _peter_out(b: Layout, s: Sheet, tips: list[tuple[XY, XY]]) -> None:
    """A road that ends in the open: its ruts go on a little, and fade."""
    st, r = b.style, b.r
    for (x, y), (px, py) in tips:
        k = hypot(x - px, y - py) or 1
        ux, uy = (x - px) / k, (y - py) / k
        for reach, alpha in ((0.42, 0.35), (0.26, 0.5), (0.12, 0.8)):
            s.path(
                line_data([(x, y), (x + ux * r * reach, y + uy * r * reach)]),
                None,
                st["road"],
                r * 1.6 * ROAD,
                opacity=alpha * 0.7,
            )
        ruts = "".join(
            line_data(
                [(x - uy * r * d, y + ux * r * d), (x - uy * r * d + ux * r * 0.46, y + ux * r * d + uy * r * 0.46)]
            )
            for d in (0.055, -0.055)
        )
        s.path(ruts, None, st["road_edge"], max(0.8, r * 0.02), dash=f"{n(r * 0.1)} {n(r * 0.06)}", opacity=0.7)


def track(b: Layout, s: Sheet, data: str, bed: str) -> None:
    """Ballast, sleepers, two rails."""
    st, r = b.style, b.r
    s.path(data, None, bed, r * 0.25, join="round")
    s.path(data, None, st["tie"], r * 0.215, dash=f"{n(r * 0.045)} {n(r * 0.065)}")
    s.path(data, None, st["rail"], r * 0.135, join="round")
    s.path(data, None, mix(bed, st["tie"], 0.35), r * 0.088, join="round")
    s.path(data, None, st["tie"], r * 0.088, dash=f"{n(r * 0.045)} {n(r * 0.065)}", opacity=0.9)


def paths_under_trees(b: Layout, s: Sheet) -> None:
    """A trail clears nothing: in a wood it shows as a broken line through the leaves."""
    st, r = b.style, b.r
    cover = (
        unary_union([b.area(k) for k in b.kinds("area") if k in ("woods", "heavy", "building")])
        if b.kinds("area")
        else Polygon()
    )
    for line in b.ways("trail"):
        cut = LineString(line).intersection(cover)
        for part in getattr(cut, "geoms", [cut]):
            if hasattr(part, "coords") and len(part.coords) > 1:
                data = line_data(list(part.coords))
                s.path(data, None, st["woods_edge"], r * 0.1, opacity=0.6, join="round")
                s.path(data, None, st["trail"], r * 0.06, dash=f"{n(r * 0.13)} {n(r * 0.09)}", join="round")


def bridges(b: Layout, s: Sheet) -> None:
    """A deck along the way that crosses, with parapets and the shadow it throws on the water."""
    st, r = b.style, b.r
    cells = {c: k for c, k in b.position.terrain_of.items() if k in ("major_bridge", "minor_bridge") and c in b.grid}
    for cell, kind in cells.items():
        arms: list[int] = []
        carried = "road"
        for way in ("road", "rail", "trail"):
            if sides := b.position.ways.get(way, {}).get(cell):
                arms, carried = list(sides), way
                break
        if len(arms) < 2:
            arms = [2, 5]
        c, hexagon = b.centre(cell), b.cell(cell)
        ends = [b.side_middle(cell, d) for d in arms[:2]]
        reach = 0.98 if kind == "major_bridge" else 0.72
        a, z = ((c[0] + (e[0] - c[0]) * reach, c[1] + (e[1] - c[1]) * reach) for e in ends)
        deck = LineString([a, c, z]).buffer(
            r * (0.2 if kind == "major_bridge" else 0.19), cap_style="flat", join_style="mitre"
        )
        s.path(area_data(deck), st["shadow"], opacity=0.35, transform=f"translate({n(r * 0.07)} {n(r * 0.1)})")
        s.path(area_data(deck), st["deck"], st["deck_edge"], max(1.2, r * 0.045))
        planks = list(hatched(deck, atan2(z[1] - a[1], z[0] - a[0]) + pi / 2, r * 0.075))
        s.path("".join(line_data(p) for p in planks), None, st["deck_edge"], max(0.5, r * 0.012), opacity=0.45)
        data = line_data([ends[0], c, ends[1]])
        if carried == "road":
            s.path(data, None, st["road"], r * 0.19)
            s.path(data, None, st["rut"], r * 0.085)
            s.path(data, None, st["road"], r * 0.045)
        elif carried == "rail":
            track(b, s, data, st["deck"])
        rails = [line_data(parallel([a, c, z], k * r * 0.165)) for k in (1, -1)]
        s.path("".join(rails), None, st["deck_edge"], max(1.4, r * 0.05), cap="butt")
        s.path("".join(rails), None, st["stone"], max(0.7, r * 0.022), cap="butt")
        posts = [a, z]
        s.dots([(x + nx, y + ny) for x, y in posts for nx, ny in _across(a, z, r * 0.165)], r * 0.1, st["deck_edge"])
        s.dots([(x + nx, y + ny) for x, y in posts for nx, ny in _across(a, z, r * 0.165)], r * 0.06, st["stone"])
        _edge(
            b,
            s,
            b.outline(next(sh for sh in b.shapes_of("area", kind) if cell in sh.cells)).intersection(hexagon),
            st["deck_edge"],
            0.02,
            dash=f"{n(r * 0.03)} {n(r * 0.06)}",
            opacity=0.8,
            cap="round",
        )


def _across(a: XY, z: XY, d: float) -> list[XY]:
    k = hypot(z[0] - a[0], z[1] - a[1]) or 1
    nx, ny = -(z[1] - a[1]) / k * d, (z[0] - a[0]) / k * d
    return [(nx, ny), (-nx, -ny)]
