"""Square boards with a comic hand: bold ink, flat colour, screen dots for shade; what fills a square."""

from __future__ import annotations

from math import cos, pi, sin

from shapely.geometry import Polygon
from shapely.ops import unary_union

from widgets.ground.fields import contour, noise
from widgets.ground.layout import Layout
from widgets.ground.lines import around, chance, chance_at, clockwise, scattered, thinned
from widgets.ground.palette import WHITE
from widgets.ground.rooms import blob, bounds, edges, floors, furniture, judged_edge, rubble
from widgets.ground.svg import Sheet, area_data, curve_data, line_data, n, polygons

FINE = 0.25


def paint_tiles(b: Layout, s: Sheet) -> None:
    """Everything that does not move on a square board."""
    st, r = b.style, b.r
    ink = max(1.6, r * 0.042)
    for name, colour, size in (("dots", st["dot"], 0.034), ("shade", st["line"], 0.03)):
        step = max(3.2, r * 0.085)
        s.defs[name] = (
            f'<pattern id="{name}" width="{n(step)}" height="{n(step)}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<circle cx="{n(step / 2)}" cy="{n(step / 2)}" r="{n(max(0.9, r * size))}" fill="{colour}"/></pattern>'
        )
    grass(b, s)
    tops: dict[object, list[str]] = {}
    for cell, number in b.position.markers.get("dominant", {}).items():
        if number and cell in b.grid:
            tops.setdefault(number, []).append(cell)
    for cells in tops.values():
        height(b, s, cells, ink)
    for kind in ("river", "unstable", "crater", "rubble"):
        for cell in [c for c, k in b.position.terrain_of.items() if k == kind and c in b.grid]:
            TILES[kind](b, s, cell, ink)
    squares(b, s)
    halves(b, s)
    floors(b, s, ink)
    edges(b, s, ink)
    furniture(b, s, ink)
    w = max(2.5, r * 0.07)
    s.put(
        f'<rect x="{n(w / 2)}" y="{n(w / 2)}" width="{n(b.width - w)}" height="{n(b.height - w)}" fill="none" stroke="{st["frame"]}" stroke-width="{n(w)}"/>'
    )


def grass(b: Layout, s: Sheet) -> None:
    """Two flat greens with a hard edge, screen dots between them, tufts in ink."""
    st, r = b.style, b.r
    w, h = int(b.width * FINE) + 1, int(b.height * FINE) + 1
    seed = f"{b.position.game}{b.grid}"
    broad = noise(w, h, r * 3.2 * FINE, seed, 2)
    s.put(f'<rect width="{n(b.width)}" height="{n(b.height)}" fill="{st["ground"]}"/>')
    for level, colour, sign in ((0.22, st["ground_hi"], 1), (0.24, st["ground_lo"], -1)):
        field = broad * sign
        field[0, :] = field[-1, :] = -1
        field[:, 0] = field[:, -1] = -1
        blobs = [curve_data(thinned(line, 2.0), True) for line in contour(field, level, 1 / FINE) if len(line) > 8]
        s.path("".join(blobs), colour)
        if sign < 0:
            s.path("".join(blobs), "url(#dots)", opacity=0.8)
    built = unary_union([b.area(k) for k in b.kinds("area")]) if b.kinds("area") else Polygon()
    blades = []
    for x, y in scattered(b.frame.buffer(-r * 0.1).difference(built.buffer(r * 0.1)), r * 0.52, "tufts"):
        rng = chance_at(x, y, "tuft")
        q = r * rng.uniform(0.05, 0.085)
        blades.append(
            f"M{n(x - q)} {n(y - q * 0.7)}q{n(q * 0.7)} {n(q * 0.1)} {n(q)} {n(q)}q0 {n(-q)} {n(q * 0.2)} {n(-q * 1.5)}M{n(x)} {n(y + q * 0.3)}q{n(q * 0.3)} {n(-q)} {n(q * 1.1)} {n(-q * 0.9)}"
        )
    s.path("".join(blades), None, st["grass"], max(1.0, r * 0.024), cap="round", join="round", opacity=0.8)


def squares(b: Layout, s: Sheet) -> None:
    """Sides of squares as thin lines, a cross where four meet."""
    st, r = b.style, b.r
    s.path(
        "".join(line_data(list(e)) for e in b.edges),
        None,
        st["mesh"],
        max(0.8, r * 0.018),
        opacity=st.mesh,
        dash=f"{n(r * 0.16)} {n(r * 0.1)}",
    )
    points = {(round(x, 1), round(y, 1)) for e in b.edges for x, y in e}
    q = r * 0.07
    s.path(
        "".join(f"M{n(x - q)} {n(y)}h{n(2 * q)}M{n(x)} {n(y - q)}v{n(2 * q)}" for x, y in sorted(points)),
        None,
        st["mesh"],
        max(1.0, r * 0.03),
        opacity=0.8,
    )


def crater(b: Layout, s: Sheet, cell: str, ink: float) -> None:
    st, r = b.style, b.r
    x, y = b.centre(cell)
    rng = chance("crater", cell)
    s.path(curve_data(blob(x, y, r * 0.86, r * 0.8, rng, 16, 0.12), True), st["crater_rim"], st["line"], ink)
    rays = "".join(
        f"M{n(x + cos(a) * r * 0.66)} {n(y + sin(a) * r * 0.62)}l{n(cos(a) * r * 0.13)} {n(sin(a) * r * 0.12)}"
        for a in (2 * pi * i / 15 + rng.uniform(-0.1, 0.1) for i in range(15))
    )
    s.path(rays, None, st["line"], ink * 0.7, cap="round")
    s.path(curve_data(blob(x, y, r * 0.6, r * 0.55, rng, 13, 0.08), True), st["crater"], st["line"], ink * 0.8)
    s.path(curve_data(blob(x - r * 0.05, y - r * 0.06, r * 0.42, r * 0.37, rng, 11, 0.08), True), st["crater_dark"])
    s.path(curve_data(blob(x, y, r * 0.58, r * 0.53, rng, 13, 0.08), True), "url(#shade)", opacity=0.28)
    judged_edge(b, s, cell, st["crater_dark"])


def unstable(b: Layout, s: Sheet, cell: str, ink: float) -> None:
    st, r = b.style, b.r
    x, y = b.centre(cell)
    rng = chance("mud", cell)
    x0, y0, _x1, _y1 = bounds(b, cell)
    s.path(curve_data(blob(x, y, r * 1.0, r * 0.97, rng, 18, 0.05), True), st["mud"], st["rubble_edge"], ink * 0.7)
    tracks = "".join(
        f"M{n(x0 + r * 0.12)} {n(y0 + r * (0.55 + 0.35 * k))}q{n(r * 0.5)} {n(r * 0.16)} {n(r * 0.9)} 0t{n(r * 0.8)} {n(r * 0.05)}"
        for k in range(4)
    )
    s.path(
        tracks,
        None,
        st["rubble_edge"],
        ink * 0.6,
        dash=f"{n(r * 0.2)} {n(r * 0.08)} {n(r * 0.07)} {n(r * 0.1)}",
        opacity=0.7,
        cap="round",
    )
    for dx, dy, rx, ry in ((-0.4, -0.38, 0.34, 0.21), (0.4, -0.08, 0.4, 0.25), (-0.32, 0.42, 0.4, 0.22)):
        s.path(
            curve_data(blob(x + dx * r, y + dy * r, rx * r, ry * r, rng, 9, 0.1), True),
            st["mud_wet"],
            st["line"],
            ink * 0.7,
        )
        s.path(
            f"M{n(x + (dx - rx * 0.5) * r)} {n(y + dy * r)}q{n(rx * 0.4 * r)} {n(-ry * 0.6 * r)} {n(rx * 0.8 * r)} {n(-ry * 0.15 * r)}",
            None,
            WHITE,
            ink * 0.8,
            opacity=0.65,
            cap="round",
        )
    judged_edge(b, s, cell, st["rubble_edge"])


def river(b: Layout, s: Sheet, cell: str, ink: float) -> None:
    st, r = b.style, b.r
    x0, y0, x1, y1 = bounds(b, cell)
    s.path(f"M{n(x0)} {n(y0)}H{n(x1)}V{n(y1)}H{n(x0)}z", st["water"], st["water_edge"] if s.night else st["line"], ink)
    waves = "".join(
        f"M{n(x0 + r * 0.2)} {n(y0 + r * (0.4 + 0.4 * k))}q{n(r * 0.2)} {n(-r * 0.15)} {n(r * 0.4)} 0t{n(r * 0.4)} 0t{n(r * 0.4)} 0"
        for k in range(4)
    )
    s.path(waves, None, st["water_light"], ink, cap="round")


TILES = {"crater": crater, "rubble": rubble, "unstable": unstable, "river": river}


def height(b: Layout, s: Sheet, cells: list[str], ink: float) -> None:
    """Squares that stand above the rest: a lit top, an inked bank, its shade in dots to the south-east."""
    st, r = b.style, b.r
    k = r * 0.1
    whole = unary_union([b.cell(c).buffer(0.02, join_style="mitre") for c in cells])
    data = area_data(whole)
    s.path(data, "url(#shade)", opacity=0.5, transform=f"translate({n(2 * k)} {n(2.4 * k)})")
    s.path(data, st["hill"], st["crest"], ink * 1.1, join="round")
    ticks = []
    for one in polygons(whole):
        for x, y, ux, uy in around(clockwise(list(one.exterior.coords)), r * 0.16):
            q = r * chance_at(x, y, "height").uniform(0.09, 0.16)
            ticks.append(f"M{n(x)} {n(y)}l{n(-uy * q)} {n(ux * q)}")
    s.path("".join(ticks), None, st["crest"], ink * 0.75, cap="round")
    s.path(area_data(whole.buffer(-2.4 * k).buffer(-k * 2).buffer(k * 2)), None, st["crest"], ink * 0.6, opacity=0.6)


def halves(b: Layout, s: Sheet) -> None:
    """Half-squares of a passage: paved."""
    st, r = b.style, b.r
    for cell, value in b.position.markers.get("half", {}).items():
        if not value or cell not in b.grid:
            continue
        x0, y0, x1, y1 = bounds(b, cell)
        s.path(f"M{n(x0)} {n(y0)}H{n(x1)}V{n(y1)}H{n(x0)}z", st["floor_b"], opacity=0.85)
        stones = []
        rng = chance("paving", cell)
        for i in range(5):
            y = y0 + (y1 - y0) * i / 5
            stones.append(f"M{n(x0)} {n(y)}H{n(x1)}")
            for k in range(4):
                x = x0 + (x1 - x0) * (k + (0.5 if i % 2 else 0.1) + rng.uniform(-0.06, 0.06)) / 4
                if x0 < x < x1:
                    stones.append(f"M{n(x)} {n(y)}v{n((y1 - y0) / 5)}")
        s.path("".join(stones), None, st["floor_line"], max(0.7, r * 0.016), opacity=0.5)
