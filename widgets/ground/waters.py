"""Streams and rivers, run together from hex to hex."""

from __future__ import annotations

from math import cos, hypot, pi, sin

from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from widgets.ground.layout import Layout
from widgets.ground.lines import chance, chance_at, scattered
from widgets.ground.svg import XY, Sheet, area_data, curve_data, n


def waters(b: Layout, s: Sheet) -> None:
    """Streams and rivers as bands that run across hex sides, with their banks, out to the frame."""
    beneath = b.position.state.get("beneath")
    under = {k: str(v) for k, v in beneath.items()} if isinstance(beneath, dict) else {}
    _sea(b, s)
    if b.kinds("area"):
        bridges_over = {c: "water_barrier" for c, kind in b.position.terrain_of.items() if kind == "major_bridge"}
        for line in b.course(("water_barrier", "water") if b.style.hand != "tiles" else (), bridges_over):
            _river(b, s, line)
        for line in b.course(("stream",), under, ("marsh",)):
            _stream(b, s, line)
        for cell in (c for c, k in b.position.terrain_of.items() if k == "marsh" and c in b.grid):
            _spring(b, s, cell)


def _sea(b: Layout, s: Sheet) -> None:
    """Open water to the edge of its hexes: shallows along the shore, ripples."""
    st, r, shape = b.style, b.r, b.area("sea")
    if shape.is_empty:
        return
    s.path(area_data(shape), st["water"])
    s.path(area_data(shape.buffer(-r * 0.3)), st["water_deep"], opacity=0.6)
    ripples = [
        f"M{n(x - r * 0.12)} {n(y)}q{n(r * 0.06)} {n(-r * 0.05)} {n(r * 0.12)} 0t{n(r * 0.12)} 0"
        for x, y in scattered(shape.buffer(-r * 0.2), r * 0.42, "sea")
    ]
    s.path("".join(ripples), None, st["water_light"], max(0.9, r * 0.022), opacity=0.8, cap="round")
    s.outline(area_data(shape), None, st["water_edge"], max(1.1, r * 0.03))


def _meander(b: Layout, line: list[XY], reach: float, seed: str) -> list[XY]:
    """A line with slow bends; its hexes stay its hexes."""
    rng = chance_at(*line[0], seed)
    path = LineString(line)
    count = max(3, round(path.length / (b.r * 0.43)))
    phase, out = rng.random() * 6.28, []
    for i in range(count + 1):
        d = path.length * i / count
        p, q = path.interpolate(max(0, d - 1)), path.interpolate(min(path.length, d + 1))
        at = path.interpolate(d)
        k = hypot(q.x - p.x, q.y - p.y) or 1
        sway = reach * sin(phase + i * 1.25) * rng.uniform(0.6, 1.0) * (0 if i in (0, count) else 1)
        out.append((at.x - (q.y - p.y) / k * sway, at.y + (q.x - p.x) / k * sway))
    return out


def _stream(b: Layout, s: Sheet, line: list[XY]) -> None:
    st, r = b.style, b.r
    data = curve_data(_meander(b, b.leaves(line), r * 0.13, "stream"))
    w = r * 0.26
    s.path(data, None, st["bank"], w + r * 0.13, cap="round", join="round", opacity=0.75)
    s.path(data, None, st["water_edge"], w + max(2.0, r * 0.045), cap="round", join="round")
    s.path(data, None, st["water"], w, cap="round", join="round")
    s.path(
        data,
        None,
        st["water_light"],
        max(1.0, r * 0.035),
        dash=f"{n(r * 0.22)} {n(r * 0.17)} {n(r * 0.08)} {n(r * 0.2)}",
        opacity=0.9,
        transform=f"translate({n(-r * 0.045)} {n(-r * 0.03)})",
    )
    s.path(
        data,
        None,
        st["water_deep"],
        max(1.0, r * 0.03),
        dash=f"{n(r * 0.12)} {n(r * 0.25)}",
        opacity=0.8,
        transform=f"translate({n(r * 0.05)} {n(r * 0.03)})",
    )


def _spring(b: Layout, s: Sheet, cell: str) -> None:
    """Open water in the middle of a marsh that a stream leaves, reeds on it."""
    st, r, rng = b.style, b.r, chance("spring", cell)
    if not any(b.position.terrain_of.get(other) == "stream" for other in b.grid.neighbours(cell)):
        return
    x, y = b.centre(cell)
    pool = [
        (x + r * 0.36 * cos(a) * rng.uniform(0.8, 1.15), y + r * 0.22 * sin(a) * rng.uniform(0.8, 1.15))
        for a in (2 * pi * k / 10 for k in range(10))
    ]
    s.path(curve_data(pool, True), st["water"], st["water_edge"], max(1.1, r * 0.028))
    s.path(
        f"M{n(x - r * 0.2)} {n(y - r * 0.05)}h{n(r * 0.16)}M{n(x)} {n(y + r * 0.06)}h{n(r * 0.2)}",
        None,
        st["water_light"],
        max(1, r * 0.03),
        cap="round",
    )
    reeds = "".join(f"M{n(px)} {n(py)}l{n(k * r * 0.03)} {n(-r * 0.12)}" for px, py in pool[::2] for k in (-1, 0, 1))
    s.path(reeds, None, st["reed"], max(0.9, r * 0.024), cap="round")


def river_band(b: Layout, line: list[XY]) -> BaseGeometry:
    """A river's water: wide in the middle of its hexes, just the shared side where it leaves them."""
    path = LineString(line)
    r, count = b.r, max(4, round(path.length / (b.r * 0.29)))
    rng = chance("river", b.grid)
    left, right = [], []
    turn = pi if len(line) == 3 and path.length < 1.8 * r else 0.0  # alone in its hex, a river begins on a side
    for i in range(count + 1):
        d = path.length * i / count
        p, q = path.interpolate(max(0, d - 1)), path.interpolate(min(path.length, d + 1))
        at = path.interpolate(d)
        k = hypot(q.x - p.x, q.y - p.y) or 1
        nx, ny = -(q.y - p.y) / k, (q.x - p.x) / k
        beat = 0.5 + 0.5 * cos(2 * pi * d / (r * 1.732) + turn)
        wide = r * (0.52 + 0.16 * beat)
        left.append(
            (at.x + nx * (wide + rng.uniform(-1, 1) * r * 0.035), at.y + ny * (wide + rng.uniform(-1, 1) * r * 0.035))
        )
        right.append(
            (at.x - nx * (wide + rng.uniform(-1, 1) * r * 0.035), at.y - ny * (wide + rng.uniform(-1, 1) * r * 0.035))
        )
    return Polygon(left + right[::-1]).buffer(0)


def _river(b: Layout, s: Sheet, line: list[XY]) -> None:
    st, r = b.style, b.r
    line = b.leaves(line)
    band = river_band(b, line)
    data = area_data(band, soft=True)
    s.path(data, None, st["bank"], r * 0.13, join="round", opacity=0.8)
    s.path(data, st["water"], st["water_edge"], max(1.2, r * 0.034), join="round")
    s.path(area_data(band.buffer(-r * 0.16), soft=True), st["water_deep"], opacity=0.45)
    s.path(area_data(band.buffer(-r * 0.3), soft=True), st["water_deep"], opacity=0.45)
    s.path(area_data(band.buffer(-r * 0.06), soft=True), None, st["water_light"], max(0.8, r * 0.018), opacity=0.65)
    ripples = []
    for x, y in scattered(band.buffer(-r * 0.14), r * 0.27, "river"):
        w = r * chance_at(x, y, "ripple").uniform(0.1, 0.19)
        ripples.append(f"M{n(x - w)} {n(y)}q{n(w * 0.5)} {n(-r * 0.045)} {n(w)} 0t{n(w)} 0")
    s.path("".join(ripples), None, st["water_light"], max(0.8, r * 0.022), opacity=0.85, cap="round")
