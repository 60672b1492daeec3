"""Built ground seen from above: perimeter blocks whose eaves are the judged outline, yards inside, roofs lit from the north-west."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from widgets.ground.colours import mix
from widgets.ground.layout import Layout
from widgets.ground.lines import chance, chance_at, clockwise, corners_only, hatched, scattered
from widgets.ground.palette import BLACK, DUSK, LAMP, RIDGE, WHITE
from widgets.ground.svg import XY, Sheet, area_data, line_data, n, polygons

#: Where light comes from: north-west.
LIGHT = (-0.62, -0.78)


def paint_built(b: Layout, s: Sheet, shape: BaseGeometry, kind: str, index: int) -> None:
    """One building or village."""
    whole = next((g for g in polygons(b.area(kind)) if g.intersects(shape.representative_point())), None)
    if whole is None or shape.is_empty:
        return
    if kind in ("stone_building", "wooden_building"):
        winged_building(b, s, whole, kind)
    elif b.style.hand == "topographic":
        blocks_built(b, s, whole, shape, kind, index)
    else:
        village(b, s, whole, shape, index)


def lit(a: XY, c: XY, amount: float = 0.34) -> float:
    """How much lighter (or darker) the slope is that falls outwards from the edge a-c of a clockwise ring."""
    d = hypot(c[0] - a[0], c[1] - a[1]) or 1
    nx, ny = (c[1] - a[1]) / d, -(c[0] - a[0]) / d
    return (nx * LIGHT[0] + ny * LIGHT[1]) * amount


def tone(colour: str, light: float) -> str:
    return mix(colour, LAMP, light) if light > 0 else mix(colour, DUSK, -light)


def _cast(b: Layout, s: Sheet, shape: BaseGeometry, reach: float = 0.07) -> None:
    s.path(
        area_data(shape),
        b.style["shadow"],
        opacity=0.3,
        transform=f"translate({n(reach * b.r)} {n(reach * b.r * 1.2)})",
    )


def village(b: Layout, s: Sheet, whole: Polygon, shape: BaseGeometry, index: int) -> None:
    """A close-built block: plots cut out of the outline, a house on the street or outer side of each, gardens behind."""
    st, r, rng = b.style, b.r, chance_at(whole.centroid.x, whole.centroid.y, "village")
    _cast(b, s, shape)
    s.path(area_data(shape), st["yard"])
    street = b.strips if not b.strips.is_empty else Polygon()
    inner = shape
    if street.is_empty or not street.intersects(whole):
        angle = rng.uniform(0.3, 2.8)
        x, y = whole.centroid.x, whole.centroid.y
        reach = 4 * r
        lane = LineString(
            [
                (x - cos(angle) * reach, y - sin(angle) * reach),
                (x, y),
                (x + cos(angle + 0.25) * reach, y + sin(angle + 0.25) * reach),
            ]
        ).buffer(r * 0.085, cap_style="flat")
        s.path(area_data(lane.intersection(shape)), st["road"], opacity=0.85)
        inner = shape.difference(lane)
    plots = [p for one in polygons(inner) for p in parcels(one, r * r * 0.2, rng)]
    edge = unary_union([whole.boundary, inner.boundary])
    outer = whole.boundary.buffer(r * 0.02)
    bodies: list[tuple[Polygon, XY, XY, str]] = []
    gardens: dict[str, list[str]] = {}
    trees: list[XY] = []
    for plot in plots:
        ring = corners_only(clockwise(list(plot.exterior.coords)))
        if len(ring) < 3:
            continue
        sides = []
        for a, z in zip(ring, ring[1:] + ring[:1], strict=True):
            m = LineString([a, z]).interpolate(0.5, normalized=True)
            d = hypot(z[0] - a[0], z[1] - a[1])
            on_outline, on_street = outer.contains(m), edge.distance(m) < r * 0.02
            sides.append((d * (1.6 if on_outline else 1.2 if on_street else 0.35), a, z))
        _, a, z = max(sides)
        d = hypot(z[0] - a[0], z[1] - a[1]) or 1
        nx, ny = -(z[1] - a[1]) / d, (z[0] - a[0]) / d
        depth = r * rng.uniform(0.25, 0.33)
        band = Polygon([a, z, (z[0] + nx * depth, z[1] + ny * depth), (a[0] + nx * depth, a[1] + ny * depth)]).buffer(
            0.01
        )
        house = plot.intersection(band)
        if house.is_empty or house.area > plot.area * 0.86:
            house = plot
        tint = st["garden"] if rng.random() < 0.6 else mix(st["garden"], st["field"], 0.55)
        gardens.setdefault(tint, []).append(area_data(plot))
        rest = plot.difference(house.buffer(r * 0.03))
        if rest.area > r * r * 0.03:
            trees += scattered(rest.buffer(-r * 0.06), r * 0.19, "gardens")[:2]
        for body in polygons(house):
            if body.area > r * r * 0.02:
                bodies.append(
                    (
                        body.buffer(-r * 0.008, join_style="mitre"),
                        a,
                        z,
                        rng.choice(("roof_a", "roof_a", "roof_b", "roof_b", "roof_d", "roof_c")),
                    )
                )
    for colour, data in gardens.items():
        s.path("".join(data), colour, mix(st["roof_edge"], st["garden"], 0.45), max(0.6, r * 0.014))
    one = s.spots(trees)
    s.again(one, r * 0.15, st["shadow"], r * 0.03, r * 0.035, opacity=0.3)
    s.again(one, r * 0.15, st["crown_dark"])
    s.again(one, r * 0.1, st["crown_light"], -r * 0.018, -r * 0.02)
    s.path(
        "".join(area_data(body) for body, *_ in bodies),
        st["shadow"],
        opacity=0.34,
        transform=f"translate({n(0.045 * r)} {n(0.06 * r)})",
    )
    slopes: dict[str, list[str]] = {}
    ridges, chimneys = [], []
    for body, _, _, colour in bodies:
        box = body.minimum_rotated_rectangle
        if not isinstance(box, Polygon):
            continue
        p, q, u, v = list(box.exterior.coords)[:4]
        if hypot(q[0] - p[0], q[1] - p[1]) < hypot(u[0] - q[0], u[1] - q[1]):
            p, q, u, v = q, u, v, p
        m0, m1 = _at(p, v, 0.5), _at(q, u, 0.5)
        half_a = Polygon([p, q, m1, m0]).intersection(body)
        half_z = body.difference(Polygon([p, q, m1, m0]))
        mid = _at(m0, m1, 0.5)
        for half, near in ((half_a, _at(p, q, 0.5)), (half_z, _at(v, u, 0.5))):
            facing = ((near[0] - mid[0]) * LIGHT[0] + (near[1] - mid[1]) * LIGHT[1]) / (
                hypot(near[0] - mid[0], near[1] - mid[1]) or 1
            )
            slopes.setdefault(tone(st[colour], 0.3 * facing), []).append(area_data(half))
        ridge = LineString([m0, m1]).intersection(body)
        if isinstance(ridge, LineString) and not ridge.is_empty:
            ridges.append(line_data(list(ridge.coords)))
            if rng.random() < 0.55:
                c = ridge.interpolate(rng.choice((0.2, 0.8)), normalized=True)
                chimneys.append((c.x, c.y))
    for colour, data in slopes.items():
        s.path("".join(data), colour)
    s.path("".join(ridges), None, RIDGE, max(0.6, r * 0.014), opacity=0.6)
    s.path("".join(area_data(body) for body, *_ in bodies), None, st["roof_edge"], max(0.8, r * 0.02), join="round")
    squares = "".join(
        f"M{n(x - r * 0.03)} {n(y - r * 0.03)}h{n(r * 0.06)}v{n(r * 0.06)}h{n(-r * 0.06)}z" for x, y in chimneys
    )
    s.path(squares, st["roof_c"], st["roof_edge"], max(0.5, r * 0.014))
    s.outline(area_data(shape), None, st["roof_edge"], max(1.3, r * 0.038), join="round")


def parcels(one: Polygon, most: float, rng: Random) -> list[Polygon]:
    """A block cut into plots, always across its length."""
    if one.area <= most * rng.uniform(0.8, 1.35):
        return [one]
    box = one.minimum_rotated_rectangle
    if not isinstance(box, Polygon):
        return [one]
    p, q, u, v = list(box.exterior.coords)[:4]
    if hypot(q[0] - p[0], q[1] - p[1]) < hypot(u[0] - q[0], u[1] - q[1]):
        p, q, u, v = q, u, v, p
    t = rng.uniform(0.42, 0.58)
    lean = rng.uniform(-0.05, 0.05)
    a, z = _at(p, q, t + lean), _at(v, u, t - lean)
    first = Polygon([p, a, z, v]).buffer(0.01)
    parts = [*polygons(one.intersection(first)), *polygons(one.difference(first))]
    return [g for part in parts if part.area > 1 for g in (parcels(part, most, rng) if len(parts) > 1 else [part])]


def hatched_parts(one: Polygon, rng: Random, r: float) -> list[BaseGeometry]:
    """A yard cut into a few plots."""
    angle = rng.uniform(0, pi)
    lines = hatched(one, angle, r * 0.42)
    cut: BaseGeometry = one
    for line in lines:
        cut = cut.difference(LineString(line).buffer(r * 0.008))
    return [g for g in polygons(cut) if g.area > r * r * 0.01]


def _at(a: XY, z: XY, t: float) -> XY:
    return a[0] + (z[0] - a[0]) * t, a[1] + (z[1] - a[1]) * t


def winged_building(b: Layout, s: Sheet, whole: Polygon, kind: str) -> None:
    """Wings of unequal depth round a small yard; their eaves, and a wall where there is no wing, are the outline."""
    st, r = b.style, b.r
    rng = chance(kind, b.grid, round(whole.centroid.x / r), round(whole.centroid.y / r))
    stone = kind == "stone_building"
    roof, line = (st["stone_roof"], st["stone_line"]) if stone else (st["wood_roof"], st["wood_line"])
    ring = corners_only(clockwise(list(whole.exterior.coords)))
    count = len(ring)
    start = rng.randrange(count)
    plan = (0.74, 0.5, 0.34, 0.07, 0.34, 0.5) if count == 6 else (0.52, 0.4, 0.34, 0.34)
    depths = [r * plan[(i - start) % len(plan)] for i in range(count)]
    inner, mid = wings(ring, depths), wings(ring, [d / 2 for d in depths])
    _cast(b, s, whole, 0.08)
    s.path(area_data(whole), st["yard"])
    yard = Polygon(inner).buffer(0)
    if yard.area > r * r * 0.02:
        flags = [f"M{n(x)} {n(y)}h{n(r * 0.05)}" for x, y in scattered(yard.buffer(-r * 0.03), r * 0.12, "yard")]
        s.path("".join(flags), None, mix(st["yard"], BLACK, 0.25), max(0.6, r * 0.02), cap="round", opacity=0.7)
        shade = yard.difference(Polygon([(x + r * 0.07, y + r * 0.09) for x, y in inner]).buffer(0))
        s.path(area_data(shade), st["shadow"], opacity=0.26)
    slopes: dict[str, list[str]] = {}
    courses, ridges = [], []
    for i in range(count):
        j = (i + 1) % count
        a, z = ring[i], ring[j]
        if depths[i] < r * 0.1:
            continue
        light = lit(a, z, 0.3)
        slopes.setdefault(tone(roof, light), []).append(line_data([a, z, mid[j], mid[i]], True))
        slopes.setdefault(tone(roof, -light), []).append(line_data([mid[i], mid[j], inner[j], inner[i]], True))
        ridges.append(line_data([mid[i], mid[j]]))
        for p, q, u, v in ((a, z, mid[i], mid[j]), (mid[i], mid[j], inner[i], inner[j])):
            size = max(hypot(q[0] - p[0], q[1] - p[1]), hypot(v[0] - u[0], v[1] - u[1]))
            if stone:
                rows = max(2, round(depths[i] / (r * 0.11) / 2))
                courses += [line_data([_at(p, u, k / rows), _at(q, v, k / rows)]) for k in range(1, rows)]
            else:
                planks = max(2, round(size / (r * 0.09)))
                courses += [line_data([_at(p, q, k / planks), _at(u, v, k / planks)]) for k in range(1, planks)]
    for colour, data in slopes.items():
        s.path("".join(data), colour)
    s.path(
        "".join(courses),
        None,
        line,
        max(0.5, r * 0.011),
        opacity=0.42,
        dash=f"{n(r * 0.09)} {n(r * 0.02)}" if stone else None,
    )
    hips = "".join(
        line_data([ring[i], inner[i]]) for i in range(count) if depths[i] > r * 0.1 and depths[i - 1] > r * 0.1
    )
    s.path(hips, None, line, max(0.6, r * 0.016), opacity=0.7)
    s.path("".join(ridges), None, mix(roof, WHITE, 0.62), max(0.9, r * 0.028), cap="round")
    s.path(line_data(inner, True), None, line, max(0.9, r * 0.026), join="round")
    s.outline(line_data(ring, True), None, line, max(1.6, r * 0.05), join="miter")
    stacks = []
    for i in range(count):
        if depths[i] > r * 0.3 and rng.random() < 0.7:
            x, y = _at(mid[i], mid[(i + 1) % count], rng.choice((0.3, 0.62)))
            stacks.append(f"M{n(x - r * 0.04)} {n(y - r * 0.04)}h{n(r * 0.08)}v{n(r * 0.08)}h{n(-r * 0.08)}z")
    s.path("".join(stacks), mix(roof, BLACK, 0.35) if stone else st["stone_roof"], line, max(0.6, r * 0.018))


def wings(ring: list[XY], depths: list[float]) -> list[XY]:
    """The corners of a ring whose sides are drawn in, each by its own depth."""
    count, out = len(ring), []
    for i in range(count):
        a, p, z = ring[i - 1], ring[i], ring[(i + 1) % count]
        du, dv = hypot(p[0] - a[0], p[1] - a[1]) or 1, hypot(z[0] - p[0], z[1] - p[1]) or 1
        u, v = ((p[0] - a[0]) / du, (p[1] - a[1]) / du), ((z[0] - p[0]) / dv, (z[1] - p[1]) / dv)
        cross = u[0] * v[1] - u[1] * v[0]
        if abs(cross) < 0.05:
            out.append((p[0] - v[1] * depths[i], p[1] + v[0] * depths[i]))
            continue
        # meet of the two sides, each moved inwards
        ax, ay = p[0] - u[1] * depths[i - 1], p[1] + u[0] * depths[i - 1]
        bx, by = p[0] - v[1] * depths[i], p[1] + v[0] * depths[i]
        t = ((bx - ax) * v[1] - (by - ay) * v[0]) / cross
        out.append((ax + u[0] * t, ay + u[1] * t))
    return out


def blocks_built(b: Layout, s: Sheet, whole: Polygon, shape: BaseGeometry, kind: str, index: int) -> None:
    """Map sign of a built-up hex: tint to its outline, streets in white, blocks in black and red; a lone house is its plan."""
    st, r, rng = b.style, b.r, chance_at(whole.centroid.x, whole.centroid.y, "plan", kind)
    if kind == "building":
        s.outline(area_data(shape), mix(st["village"], st["ground"], 0.45), st["village_edge"], max(1.0, r * 0.03))
        s.path(
            "".join(line_data(x) for x in hatched(shape, pi / 4, r * 0.13)),
            None,
            st["village_edge"],
            max(0.5, r * 0.013),
            opacity=0.45,
        )
        x, y = whole.centroid.x, whole.centroid.y
        plan = [(-0.36, -0.42), (0.36, -0.42), (0.36, 0.38), (0.1, 0.38), (0.1, -0.12), (-0.36, -0.12)]
        pts = [(x + u * r, y + v * r) for u, v in plan]
        s.path(line_data([(px + r * 0.05, py + r * 0.06) for px, py in pts], True), st["shadow"], opacity=0.3)
        s.path(line_data(pts, True), st["block_red"], st["block"], max(1.0, r * 0.035), join="miter")
        return
    s.path(area_data(shape), st["village"], st["village_edge"], max(1.2, r * 0.036))
    angle = rng.uniform(-0.35, 0.35)
    streets = [
        LineString(line).buffer(r * (0.075 if k else 0.06), cap_style="flat")
        for k in (0, 1)
        for line in hatched(whole, angle + k * pi / 2, r * (0.52 if kind == "village" else 0.4))
    ]
    lanes = unary_union(streets).intersection(shape)
    s.path(area_data(lanes), st["street"])
    blocks = whole.difference(lanes.buffer(r * 0.022))
    black: list[str] = []
    red: list[str] = []
    for g in polygons(blocks):
        if g.area < r * r * 0.012:
            continue
        for part in hatched_parts(g, rng, r * (0.55 if kind == "village" else 0.45)):
            inset = part.buffer(-r * 0.022, join_style="mitre")
            if inset.area > r * r * 0.008 and (kind != "village" or rng.random() < 0.78):
                (red if rng.random() < 0.3 else black).append(area_data(inset))
    s.path("".join(black), st["block"])
    s.path("".join(red), st["block_red"], st["block"], max(0.5, r * 0.015))
    s.outline(area_data(shape), None, st["village_edge"], max(1.2, r * 0.036))
