"""Pointy-top tiles on an olive mat: one painted landscape, cut into tiles with bevelled edges; each terrain fills its tile."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from widgets.ground.areas import brush
from widgets.ground.colours import mix
from widgets.ground.earth import tufts, underpainting
from widgets.ground.layout import Layout
from widgets.ground.lines import around, chance_at, clockwise, corners_only, hatched, scattered
from widgets.ground.palette import BEVEL_LIGHT, BEVEL_SHADE, BLACK, WHITE
from widgets.ground.svg import XY, Sheet, area_data, curve_data, line_data, n, polygons
from widgets.ground.trees import crowns, paint_crowns


def paint_tiles_of_field(b: Layout, s: Sheet) -> None:
    """Everything that does not move on a battlefield of tiles."""
    st, r = b.style, b.r
    s.put(f'<rect width="{n(b.width)}" height="{n(b.height)}" fill="{st["mat"]}"/>')
    weave = "".join(line_data(x) for x in hatched(b.frame, pi / 4, r * 0.09))
    s.path(weave, None, st["mat_dark"], max(0.8, r * 0.02), opacity=0.55)
    play = area_data(b.play)
    s.path(play, st["shadow"], opacity=0.45, transform=f"translate({n(r * 0.05)} {n(r * 0.08)})")
    s.put(f'<g clip-path="{s.clip("field", play)}">')
    underpainting(b, s)
    tufts(b, s)
    for kind in ("light", "bocage", "impassable", "water"):
        for i, one in enumerate(b.separate(kind)):
            {"light": light, "bocage": bocage, "impassable": rocks, "water": lake}[kind](b, s, one, f"{kind}{i}")
    heavy(b, s)
    s.put("</g>")
    seams(b, s)


def light(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Light cover: scrub with a few small trees."""
    st, r = b.style, b.r
    brush(b, s, shape, name)
    spots = scattered(shape.buffer(-r * 0.18), r * 0.42, "small trees")[:7]
    s.dots([(x + r * 0.06, y + r * 0.08) for x, y in spots], r * 0.24, st["shadow"], opacity=0.3)
    s.dots(spots, r * 0.24, st["crown_dark"])
    s.dots([(x - r * 0.015, y - r * 0.02) for x, y in spots], r * 0.2, st["crown"])
    s.dots([(x - r * 0.045, y - r * 0.05) for x, y in spots], r * 0.11, st["crown_light"])


def heavy(b: Layout, s: Sheet) -> None:
    """Heavy cover: a wood that fills its tiles to the edge."""
    st, _r = b.style, b.r
    shape = b.area("heavy")
    if shape.is_empty:
        return
    s.path(area_data(shape), st["woods"])
    paint_crowns(b, s, crowns(b, shape))


def lake(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Water to the edge of its tiles, a shore just inside."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["bank"])
    for one in polygons(shape):
        shores = []
        for depth, colour, edge in (
            (0.09, st["water"], st["water_edge"]),
            (0.24, st["water_deep"], None),
            (0.42, mix(st["water_deep"], BLACK, 0.12), None),
        ):
            inner = one.buffer(-r * depth)
            for ring in polygons(inner):
                pts = []
                for x, y, _, _ in around(clockwise(list(ring.exterior.coords)), r * 0.22):
                    rng = chance_at(x, y, "shore")
                    pts.append((x + rng.uniform(-1, 1) * r * 0.03, y + rng.uniform(-1, 1) * r * 0.03))
                s.path(curve_data(pts, True), colour, edge, max(1.2, r * 0.03), opacity=1.0 if edge else 0.6)
                shores.append(pts)
        if shores:
            s.path(
                curve_data(shores[0], True),
                None,
                st["water_light"],
                max(1.0, r * 0.022),
                opacity=0.5,
                transform=f"translate({n(r * 0.03)} {n(r * 0.04)})",
            )
    ripples = []
    for x, y in scattered(shape.buffer(-r * 0.24), r * 0.25, "lake"):
        w = r * chance_at(x, y, "ripple").uniform(0.08, 0.15)
        ripples.append(f"M{n(x - w)} {n(y)}q{n(w * 0.5)} {n(-r * 0.04)} {n(w)} 0t{n(w)} 0")
    s.path("".join(ripples), None, st["water_light"], max(0.9, r * 0.022), opacity=0.8, cap="round")


def bocage(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Small meadows, each shut in by its hedge; a hedge along the tile's edge."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["bocage"])
    plots = list(polygons(shape.buffer(-r * 0.03)))
    for _ in range(3):
        plots = [p for one in plots for p in split(one, r)]
    hedges = []
    for i, plot in enumerate(plots):
        tint = (st["bocage"], mix(st["bocage"], st["field"], 0.4), mix(st["bocage"], st["crown"], 0.25))[i % 3]
        s.path(area_data(plot), tint)
        if i % 2:
            s.path(
                "".join(
                    line_data(x)
                    for x in hatched(
                        plot.buffer(-r * 0.05), chance_at(*plot.centroid.coords[0], "furrows").uniform(0, pi), r * 0.09
                    )
                ),
                None,
                mix(tint, BLACK, 0.2),
                max(0.6, r * 0.014),
                opacity=0.6,
            )
        hedges.append(clockwise(list(plot.exterior.coords)))
    small: list[XY] = []
    large: list[XY] = []
    for ring in hedges:
        for i, (x, y, _, _) in enumerate(around(ring, r * 0.085)):
            rng = chance_at(x, y, "hedge")
            (large if i % 5 == 2 else small).append(
                (x + rng.uniform(-1, 1) * r * 0.012, y + rng.uniform(-1, 1) * r * 0.012)
            )
    for places, size in ((small, r * 0.13), (large, r * 0.19)):
        s.dots([(x + r * 0.03, y + r * 0.04) for x, y in places], size, st["woods_edge"], opacity=0.5)
    for places, size in ((small, r * 0.13), (large, r * 0.19)):
        s.dots(places, size, st["crown_dark"])
        s.dots([(x - size * 0.07, y - size * 0.08) for x, y in places], size * 0.72, st["crown"])
        s.dots([(x - size * 0.17, y - size * 0.18) for x, y in places], size * 0.34, st["crown_light"])


def split(one: Polygon, r: float) -> list[Polygon]:
    """A plot cut in two across its length, when it is large."""
    if one.area < r * r * 0.42:
        return [one]
    rng = chance_at(*one.centroid.coords[0], "split")
    box = one.minimum_rotated_rectangle
    (ax, ay), (bx, by), (cx, cy) = box.exterior.coords[:3]
    a = atan2(by - ay, bx - ax) if hypot(bx - ax, by - ay) >= hypot(cx - bx, cy - by) else atan2(cy - by, cx - bx)
    a += pi / 2 + rng.uniform(-0.3, 0.3)
    x, y = one.centroid.x + rng.uniform(-0.1, 0.1) * r, one.centroid.y + rng.uniform(-0.1, 0.1) * r
    cut = LineString([(x - cos(a) * 9 * r, y - sin(a) * 9 * r), (x + cos(a) * 9 * r, y + sin(a) * 9 * r)]).buffer(
        r * 0.004
    )
    return polygons(one.difference(cut)) or [one]


def rocks(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Broken rock over the whole tile: facets lit from the north-west."""
    st, r = b.style, b.r
    s.path(area_data(shape), mix(st["rock"], st["ground"], 0.35))
    light_: list[str] = []
    dark: list[str] = []
    edges: list[str] = []
    shadow: list[str] = []
    for x, y in scattered(shape.buffer(-r * 0.15), r * 0.31, "rocks", loose=0.2):
        rng = chance_at(x, y, "rock")
        q = r * rng.uniform(0.11, 0.165)
        ring = [
            (x + q * cos(a) * rng.uniform(0.8, 1.15), y + q * 0.9 * sin(a) * rng.uniform(0.8, 1.15))
            for a in (2 * pi * k / 6 + 0.3 for k in range(6))
        ]
        top = (x - q * 0.2, y - q * 0.3)
        shadow.append(line_data([(px + q * 0.28, py + q * 0.36) for px, py in ring], True))
        edges.append(line_data(ring, True))
        for p, z in zip(ring, ring[1:] + ring[:1], strict=True):
            facet = line_data([p, z, top], True)
            facing = (z[1] - p[1]) * -0.62 + -(z[0] - p[0]) * -0.78
            (light_ if facing > 0 else dark).append(facet)
    s.path("".join(shadow), st["shadow"], opacity=0.35)
    s.path("".join(light_), mix(st["rock"], WHITE, 0.25))
    s.path("".join(dark), st["rock_dark"])
    s.path("".join(edges), None, st["rock_edge"], max(0.8, r * 0.022), join="round")


def seams(b: Layout, s: Sheet) -> None:
    """Gaps between tiles; the north-west edges catch the light, the others are in shade."""
    st, r = b.style, b.r
    gap = max(2.0, r * 0.05)
    lines = "".join(line_data(list(e)) for e in b.edges)
    s.path(lines, None, st["seam"], gap, cap="round")
    bright: list[str] = []
    dim: list[str] = []
    for cell in b.grid.cells:
        ring = clockwise(corners_only(b.hexagon(cell, 1 - gap / r / 1.55)))
        for a, z in zip(ring, ring[1:] + ring[:1], strict=True):
            facing = (z[1] - a[1]) * -0.62 + -(z[0] - a[0]) * -0.78
            (bright if facing > 0 else dim).append(line_data([a, z]))
    w = max(1.0, r * 0.026)
    s.path("".join(bright), None, BEVEL_LIGHT, w, opacity=0.42, cap="round")
    s.path("".join(dim), None, BEVEL_SHADE, w, opacity=0.5, cap="round")
    w = max(3.0, r * 0.07)
    s.put(
        f'<rect x="{n(w / 2)}" y="{n(w / 2)}" width="{n(b.width - w)}" height="{n(b.height - w)}" rx="{n(r * 0.1)}" fill="none" stroke="{st["frame"]}" stroke-width="{n(w)}"/>'
    )
    s.put(
        f'<rect x="{n(w * 1.7)}" y="{n(w * 1.7)}" width="{n(b.width - w * 3.4)}" height="{n(b.height - w * 3.4)}" rx="{n(r * 0.07)}" fill="none" stroke="{st["stencil"]}" stroke-width="1" opacity=".35"/>'
    )
