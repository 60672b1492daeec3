"""Terrain inside its judged outline: fields, brush, orchards, marshes, gullies."""

from __future__ import annotations

from collections import defaultdict
from math import atan2, hypot, pi

from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from widgets.ground.colours import mix
from widgets.ground.layout import Layout
from widgets.ground.lines import along, around, chance_at, clockwise, hatched, scattered
from widgets.ground.palette import BLACK, WHITE
from widgets.ground.svg import XY, Sheet, area_data, curve_data, line_data, n, polygons
from widgets.ground.waters import _meander


def _edge(b: Layout, s: Sheet, shape: BaseGeometry, colour: str, width: float = 0.026, **style: object) -> None:
    """The judged outline, as a line."""
    s.outline(area_data(shape), None, colour, max(1.0, b.r * width), **style)


def _rows(shape: BaseGeometry, gap: float, inset: float = 0.0, lean: float = 0.0) -> list[list[XY]]:
    """Parallel rows in each part of a shape, the way it is longest, or ``lean`` beside it."""
    parts = [(_principal(one) + lean, one.buffer(-inset) if inset else one) for one in polygons(shape)]
    return [row for angle, one in parts for row in hatched(one, angle, gap)]


def _principal(shape: BaseGeometry) -> float:
    """Direction in which a shape is longest, to the next twelfth of a half turn: a hex more seldom turns its rows."""
    box = shape.minimum_rotated_rectangle
    if not isinstance(box, Polygon):
        return 0.4
    (ax, ay), (bx, by), (cx, cy) = box.exterior.coords[:3]
    if hypot(bx - ax, by - ay) < hypot(cx - bx, cy - by):
        ax, ay, bx, by = bx, by, cx, cy
    return round(atan2(by - ay, bx - ax) / (pi / 12)) * (pi / 12)


def field(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Ploughed and sown strips: parcels of two tones, furrows along them, a dry-grass edge."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["field"])
    bands = _rows(shape, r * 0.62, lean=0.18)
    alternate = (
        unary_union([LineString(line).buffer(r * 0.155, cap_style="flat") for line in bands]).intersection(shape)
        if bands
        else None
    )
    if alternate is not None:
        s.path(area_data(alternate), st["field_alt"])
    lines = _rows(shape, r * 0.1, r * 0.02, lean=0.18)
    s.path("".join(line_data(line) for line in lines), None, st["field_line"], max(0.6, r * 0.014), opacity=0.75)
    stalks = []
    for line in lines[::2]:
        for x, y, _, _ in along(line, r * 0.16):
            rng = chance_at(x, y, "stalk")
            if rng.random() < 0.75:
                stalks.append((x + rng.uniform(-1, 1) * r * 0.02, y + rng.uniform(-1, 1) * r * 0.02))
    s.dots(stalks, max(1.0, r * 0.03), mix(st["field"], WHITE, 0.45), opacity=0.8)
    _edge(b, s, shape, st["field_edge"], 0.026)


def grain(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Standing corn: dense upright ears in rows; stubble out of season."""
    month = b.position.state.get("month", 7)
    st, r = b.style, b.r
    ripe = isinstance(month, int) and 6 <= month <= 9
    s.path(area_data(shape), st["field"] if ripe else mix(st["field"], st["ground"], 0.55))
    rows = _rows(shape, r * 0.115, r * 0.035, lean=0.2)
    if not ripe:
        s.path(
            "".join(line_data(x) for x in rows),
            None,
            st["field_line"],
            max(0.6, r * 0.014),
            dash=f"{n(r * 0.05)} {n(r * 0.06)}",
            opacity=0.7,
        )
        return _edge(b, s, shape, st["field_edge"], 0.026, dash=f"{n(r * 0.08)} {n(r * 0.06)}")
    light: list[str] = []
    dark: list[str] = []
    for row in rows:
        for x, y, _, _ in along(row, r * 0.078):
            rng = chance_at(x, y, "ear")
            j = rng.uniform(-1, 1) * r * 0.014
            (dark if rng.random() < 0.5 else light).append(f"M{n(x + j)} {n(y)}v{n(-r * 0.07)}")
    s.path("".join(dark), None, st["field_line"], max(0.9, r * 0.03), cap="round")
    s.path("".join(light), None, mix(st["field"], WHITE, 0.5), max(0.9, r * 0.03), cap="round")
    _edge(b, s, shape, st["field_edge"], 0.03)


def brush(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Scrub: low bushes of all sizes, thicker along the edge, over rough grass."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["brush"] if st.hand != "tiles" else st["light"])
    spots: dict[float, list[XY]] = defaultdict(list)
    hedge = [
        p for one in polygons(shape.buffer(-r * 0.075)) for p in around(clockwise(list(one.exterior.coords)), r * 0.17)
    ]
    for x, y, _, _ in hedge:
        rng = chance_at(x, y, "hedge")
        if rng.random() < 0.62:
            spots[round(r * rng.choice((0.1, 0.125)), 1)].append((x, y))
    for x, y in scattered(shape.buffer(-r * 0.16), r * 0.2, "bushes"):
        rng = chance_at(x, y, "bush")
        if rng.random() < 0.8:
            spots[round(r * rng.choice((0.09, 0.12, 0.16)), 1)].append((x, y))
    named = [(size, s.spots(places)) for size, places in sorted(spots.items())]
    for size, one in named:
        s.again(
            one,
            size,
            st["brush_edge"] if st.hand != "tiles" else st["light_edge"],
            size * 0.14,
            size * 0.2,
            opacity=0.55,
        )
    for size, one in named:
        s.again(one, size, st["bush"])
        s.again(one, size * 0.5, st["bush_light"], -size * 0.14, -size * 0.16)
    ticks = []
    for x, y in scattered(shape.buffer(-r * 0.06), r * 0.15, "tufts", first=[p for v in spots.values() for p in v]):
        q = r * 0.035
        ticks.append(
            f"M{n(x - q)} {n(y - q)}l{n(q * 0.6)} {n(q * 1.4)}M{n(x + q)} {n(y - q)}l{n(-q * 0.6)} {n(q * 1.4)}"
        )
    s.path(
        "".join(ticks),
        None,
        st["brush_edge"] if st.hand != "tiles" else st["light_edge"],
        max(0.7, r * 0.018),
        opacity=0.7,
        cap="round",
    )
    if st.hand != "tiles":
        _edge(b, s, shape, st["brush_edge"], 0.028, dash=f"{n(r * 0.1)} {n(r * 0.05)}", cap="round")


def orchard(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Fruit trees in straight rows on mown grass, a thin fence line all round."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["orchard"])
    s.path("".join(line_data(x) for x in _rows(shape, r * 0.27)), None, st["orchard_row"], r * 0.12)
    trees = []
    q = r * 0.2
    for line in _rows(shape, r * 0.27, q * 0.62):
        if hypot(line[-1][0] - line[0][0], line[-1][1] - line[0][1]) < r * 0.1:
            continue
        for x, y, _, _ in along(line, r * 0.27):
            rng = chance_at(x, y, "tree")
            trees.append((x + rng.uniform(-1, 1) * r * 0.012, y + rng.uniform(-1, 1) * r * 0.012))
    ink = st.hand == "geomorphic"
    one = s.spots(trees)
    s.again(one, q, st["shadow"], q * 0.2, q * 0.26, opacity=0.26)
    s.again(one, q, st["woods_edge"] if ink else st["crown_dark"])
    s.again(one, q - max(1.2, r * 0.032), st["crown"])
    s.again(one, q * 0.46, st["crown_light"], -q * 0.16, -q * 0.17)
    _edge(b, s, shape, st["orchard_edge"], 0.026, dash=f"{n(r * 0.13)} {n(r * 0.05)}")


def marsh(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Wet ground: pools drawn as level strokes, reeds, a broken blue edge."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["marsh"])
    inner = shape.buffer(-r * 0.14)
    pools, reeds = [], []
    for x, y in scattered(inner, r * 0.21, "marsh"):
        rng = chance_at(x, y, "pool")
        w = r * rng.uniform(0.1, 0.2)
        if rng.random() < 0.67:
            pools.append(f"M{n(x - w / 2)} {n(y)}h{n(w)}")
        else:
            for k in (-1, 0, 1):
                reeds.append(f"M{n(x + k * r * 0.035)} {n(y)}l{n(k * r * 0.022)} {n(-r * (0.11 if k == 0 else 0.085))}")
            pools.append(f"M{n(x - w * 0.45)} {n(y + r * 0.015)}h{n(w * 0.9)}")
    s.path("".join(pools), None, st["marsh_water"], max(1.6, r * 0.055), cap="round")
    s.path("".join(pools[::2]), None, st["water_light"], max(0.7, r * 0.016), cap="round", opacity=0.9)
    s.path("".join(reeds), None, st["reed"], max(0.9, r * 0.024), cap="round")
    _edge(b, s, shape, st["marsh_edge"], 0.028, dash=f"{n(r * 0.03)} {n(r * 0.07)}", cap="round")


def gully(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """A ravine: its rim a firm line, long hachures falling inwards, one bank in shade, a stony dry bed from hex to hex."""
    st, r = b.style, b.r
    rim_ = area_data(shape)
    s.path(rim_, st["gully"])
    clip = s.clip(f"gully{name}", rim_)
    for dx, alpha in ((0.1, 0.2), (0.2, 0.16)):
        bottom = area_data(shape.buffer(-r * dx))
        s.path(
            rim_ + bottom,
            st["shadow"],
            opacity=alpha,
            fill_rule="evenodd",
            clip_path=clip,
            transform=f"translate({n(r * 0.06)} {n(r * 0.08)})",
        )
    bed = [_meander(b, line, r * 0.1, "bed") for line in b.course(("gully",))] or [
        [
            (shape.centroid.x - r * 0.3, shape.centroid.y - r * 0.1),
            (shape.centroid.x, shape.centroid.y + r * 0.05),
            (shape.centroid.x + r * 0.3, shape.centroid.y - r * 0.05),
        ]
    ]
    lines = [LineString(x).intersection(shape) for x in bed if len(x) > 1]
    data = "".join(
        curve_data(list(g.coords))
        for x in lines
        for g in getattr(x, "geoms", [x])
        if hasattr(g, "coords") and len(g.coords) > 1
    )
    s.path(data, None, st["gully_deep"], r * 0.42, cap="round", join="round", opacity=0.75)
    s.path(data, None, mix(st["gully_deep"], BLACK, 0.22), r * 0.2, cap="round", join="round", opacity=0.6)
    stones = []
    for x, y, _, _ in (place for line in bed for place in along(line, r * 0.13)):
        rng = chance_at(x, y, "stone")
        if shape.contains(Point(x, y)):
            stones.append((x + rng.uniform(-1, 1) * r * 0.1, y + rng.uniform(-1, 1) * r * 0.1))
    s.dots(stones, max(1.4, r * 0.05), st["rut"], opacity=0.75)
    ticks = []
    for one in polygons(shape):
        for i, (x, y, ux, uy) in enumerate(around(clockwise(list(one.exterior.coords)), r * 0.07)):
            q, half = r * (0.3, 0.17, 0.23, 0.14)[i % 4] * chance_at(x, y, "rim").uniform(0.88, 1.1), r * 0.019
            ticks.append(
                line_data(
                    [(x - ux * half, y - uy * half), (x + ux * half, y + uy * half), (x - uy * q, y + ux * q)], True
                )
            )
    s.path("".join(ticks), st["gully_edge"], opacity=0.78, clip_path=clip)
    _edge(b, s, shape, st["gully_edge"], 0.036)


def turf(b: Layout, s: Sheet, shape: BaseGeometry, name: str) -> None:
    """Ground as flat as a billiard table: mown bands."""
    st, r = b.style, b.r
    s.path(area_data(shape), st["orchard"])
    s.path("".join(line_data(x) for x in hatched(shape, 0.3, r * 0.4)), None, st["orchard_row"], r * 0.2)
    _edge(b, s, shape, st["orchard_edge"], 0.02, dash=f"{n(r * 0.04)} {n(r * 0.06)}")
