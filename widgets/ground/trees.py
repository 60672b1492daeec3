"""Woods: crowns, storey by storey, inside the judged outline."""

from __future__ import annotations

from collections import defaultdict

from shapely import contains_xy
from shapely.geometry.base import BaseGeometry

from widgets.ground.colours import mix
from widgets.ground.layout import Layout
from widgets.ground.lines import around, chance_at, clockwise, room, scattered
from widgets.ground.svg import XY, Sheet, area_data, n, polygons


def woods(b: Layout, s: Sheet, kind: str) -> None:
    """A canopy: forest floor filled exactly to the judged outline, crowns that touch it from inside, one soft shadow."""
    st, r = b.style, b.r
    shape = b.judged(kind)
    if shape.is_empty:
        return
    whole = area_data(shape)
    if st.hand == "topographic":
        return wood_sign(b, s, shape)
    for shift, alpha in ((0.11, 0.13), (0.065, 0.2)):
        s.path(whole, st["shadow"], opacity=alpha, transform=f"translate({n(shift * r)} {n(shift * r * 1.15)})")
    s.path(whole, st["woods"], st["woods_edge"], max(1.2, r * 0.034))
    paint_crowns(b, s, crowns(b, shape))
    s.outline(whole, None, st["woods_edge"], max(1.2, r * 0.034))


#: Lobes of a crown (x, y, in diameters), in three turns; the lit ones lie to the north-west.
LOBES = (
    ((-0.02, -0.24), (0.22, -0.08), (0.15, 0.2), (-0.12, 0.22), (-0.25, -0.03)),
    ((0.1, -0.23), (0.25, 0.06), (0.02, 0.25), (-0.22, 0.12), (-0.16, -0.17)),
    ((-0.12, -0.22), (0.14, -0.2), (0.25, 0.08), (-0.02, 0.24), (-0.25, 0.06)),
)


def paint_crowns(b: Layout, s: Sheet, storeys: list[list[tuple[float, float, float]]]) -> None:
    """Leaves, storey by storey: below, a close mass; above it, lobed crowns, each with its dark rim and its lit side."""
    st, r = b.style, b.r
    rim = max(1.1, r * 0.026)
    low, high = storeys
    by_size: dict[float, list[XY]] = defaultdict(list)
    for x, y, q in low:
        by_size[round(q, 1)].append((x, y))
    sizes = [(q, s.spots(places, 10)) for q, places in sorted(by_size.items())]
    for q, name in sizes:
        s.again(name, q + 1.6 * rim, st["crown_dark"], q * 0.05, q * 0.07)
    for q, name in sizes:
        s.again(name, q, mix(st["crown"], st["crown_dark"], 0.35))
    for q, name in sizes:
        s.again(name, q * 0.5, st["crown"], -q * 0.14, -q * 0.16)
    lobes: dict[float, list[XY]] = defaultdict(list)
    lit: dict[float, list[XY]] = defaultdict(list)
    notches = []
    for x, y, q in high:
        rng = chance_at(x, y, "lobes")
        turn = LOBES[rng.randrange(3)]
        k = round(q, 1)
        lobes[k] += [(x + u * q, y + v * q) for u, v in turn]
        lit[k] += [(x + u * q * 0.95, y + v * q * 0.95) for u, v in turn if u + v < 0.02]
        u, v = turn[rng.randrange(1, 3)]
        notches.append(
            f"M{n(x + (u + 0.1) * q)} {n(y + (v - 0.12) * q)}q{n(q * 0.03)} {n(q * 0.17)} {n(-q * 0.15)} {n(q * 0.2)}"
        )
    named = [(q, s.spots(places, 10)) for q, places in sorted(lobes.items())]
    bright = [(q, s.spots(places, 10)) for q, places in sorted(lit.items())]
    for q, name in named:
        s.again(name, q * 0.52 + 1.7 * rim, st["woods_edge"], q * 0.05, q * 0.07, opacity=0.9)
    for q, name in named:
        s.again(name, q * 0.54, st["crown"])
    for q, name in bright:
        s.again(name, q * 0.36, st["crown_light"], -q * 0.03, -q * 0.04)
    for q, name in bright[1:]:
        s.again(name, q * 0.13, st["crown_high"], -q * 0.09, -q * 0.1)
    s.path("".join(notches), None, st["woods_edge"], max(0.7, r * 0.017), opacity=0.6, cap="round")


def crowns(b: Layout, shape: BaseGeometry) -> list[list[tuple[float, float, float]]]:
    """Crowns inside an outline as (x, y, diameter): a storey that fills it to the edge, a lighter one above it."""
    r = b.r
    low: list[tuple[float, float, float]] = []
    for one in polygons(shape):
        for k, ring in enumerate((one.exterior, *one.interiors)):
            pts = clockwise(list(ring.coords))[:: -1 if k else 1]
            for i, (x, y, ux, uy) in enumerate(around(pts, r * 0.125)):
                q = r * (0.15, 0.21, 0.17, 0.25)[2 * (i % 2) + chance_at(x, y, "edge").randrange(2)]
                low.append((x - uy * q * 0.53, y + ux * q * 0.53, q))
    boundary = shape.boundary
    inside = contains_xy(shape, [x for x, _, _ in low], [y for _, y, _ in low]) if low else []
    low = [one for one, kept in zip(low, inside, strict=True) if kept]
    low = [
        (x, y, min(q, 1.9 * d))
        for (x, y, q), d in zip(low, room(boundary, [(x, y) for x, y, _ in low]), strict=True)
        if d > r * 0.04
    ]
    edge = [(x, y) for x, y, _ in low]
    mass = scattered(shape.buffer(-r * 0.17), r * 0.165, "mass", first=edge)
    low += [
        (x, y, min(1.9 * d, r * chance_at(x, y, "mass").choice((0.22, 0.26, 0.3))))
        for (x, y), d in zip(mass, room(boundary, mass), strict=True)
    ]
    tops = scattered(shape.buffer(-r * 0.15), r * 0.27, "tops", loose=0.36)
    high = [
        (x, y, min(1.92 * d, r * chance_at(x, y, "tops").choice((0.22, 0.27, 0.32, 0.36))))
        for (x, y), d in zip(tops, room(boundary, tops), strict=True)
    ]

    def size(q: float) -> float:
        return max(s for s in (r * 0.1, r * 0.15, r * 0.2, r * 0.25, r * 0.3, r * 0.36) if s <= max(q, r * 0.1) + 0.01)

    return [[(x, y, size(q)) for x, y, q in storey] for storey in (low, high)]


def wood_sign(b: Layout, s: Sheet, shape: BaseGeometry) -> None:
    """A wood as topographers print it: flat green, a firm edge, small round trees that throw a stroke of shade."""
    st, r = b.style, b.r
    whole = area_data(shape)
    s.path(whole, st["woods"], opacity=0.92)
    trees = scattered(shape.buffer(-r * 0.13), r * 0.23, "trees")
    for size in (0.13, 0.17):
        spots = s.spots([(x, y) for x, y in trees if (chance_at(x, y, "large").random() < 0.33) == (size == 0.17)])
        s.again(spots, r * size, st["crown_dark"], r * 0.012, r * 0.016)
        s.again(spots, r * (size - 0.045), st["crown_light"])
        s.again(spots, r * size * 0.3, st["crown_high"], -r * 0.018, -r * 0.02)
    ticks = "".join(f"M{n(x + r * 0.05)} {n(y + r * 0.085)}h{n(r * 0.075)}" for x, y in trees)
    s.path(ticks, None, st["crown_dark"], max(0.7, r * 0.02), cap="round")
    s.outline(whole, None, st["woods_edge"], max(1.2, r * 0.034), join="round")
