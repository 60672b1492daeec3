"""Rooms with floors, walls with doors and windows, and what stands in them."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, pi, sin
from random import Random

from shapely.geometry import LineString, Polygon, box
from shapely.ops import unary_union

from widgets.ground.colours import mix
from widgets.ground.layout import Layout
from widgets.ground.lines import along, chance, chance_at, hatched, joined, scattered
from widgets.ground.palette import BLACK, WHITE
from widgets.ground.svg import XY, Sheet, area_data, curve_data, line_data, n

WALLS = ("wall", "window", "opening", "door", "embrasure", "breach_1", "breach_2")


def floors(b: Layout, s: Sheet, ink: float) -> None:
    """Rooms: boards, chequers or flagstones by the number of the room; open to the sky where in ruins."""
    st, r = b.style, b.r
    rooms: dict[tuple[object, object, str], list[str]] = {}
    for cell, kind in b.position.terrain_of.items():
        if kind in ("building", "ruin") and cell in b.grid:
            key = (b.position.marker("element", cell), b.position.marker("room", cell), kind)
            rooms.setdefault(key, []).append(cell)
    for (_, room, kind), cells in sorted(rooms.items(), key=str):
        shape = unary_union([b.cell(c) for c in cells])
        style = (int(room) if isinstance(room, int) else 1) % 3 if kind == "building" else 2
        a, a2 = (("floor_c", "floor_c2"), ("floor_a", "floor_a2"), ("floor_b", "floor_b2"))[style]
        s.path(area_data(shape), st[a])
        seams = [LineString([p, q]) for p, q in b.edges]
        across = [
            list(g.coords)
            for e in seams
            if (g := e.intersection(shape.buffer(-r * 0.2))).geom_type == "LineString"
            and not g.is_empty
            and len(g.coords) > 1
        ]
        if style == 1:  # boards
            planks = hatched(shape, 0.0, r * 0.25)
            s.path("".join(line_data(x) for x in planks), None, st["floor_line"], max(0.8, r * 0.018), opacity=0.55)
            rng = chance("boards", *cells)
            bits, dark = [], []
            for line in planks:
                (xa, ya), (xb, _) = line[0], line[-1]
                lo, hi = min(xa, xb), max(xa, xb)
                x = lo + r * rng.uniform(0.2, 0.7)
                while x < hi - r * 0.1:
                    bits.append(f"M{n(x)} {n(ya)}v{n(-r * 0.25)}")
                    if rng.random() < 0.4:
                        dark.append(f"M{n(x)} {n(ya - r * 0.125)}h{n(min(r * 0.5, hi - x))}")
                    x += r * rng.uniform(0.5, 0.9)
            s.path(
                "".join(dark),
                None,
                st[a2],
                r * 0.23,
                opacity=0.6,
                clip_path=s.clip(f"room{cells[0]}", area_data(shape)),
            )
            s.path(
                "".join(bits),
                None,
                st["floor_line"],
                max(0.8, r * 0.018),
                opacity=0.55,
                clip_path=f"url(#room{cells[0]})",
            )
        elif style == 2 and kind == "building":  # chequers
            x0, y0, x1, y1 = shape.bounds
            step = r / 3
            tiles = "".join(
                f"M{n(x0 + i * step)} {n(y0 + j * step)}h{n(step)}v{n(step)}h{n(-step)}z"
                for i in range(round((x1 - x0) / step))
                for j in range(round((y1 - y0) / step))
                if (i + j) % 2
            )
            s.path(tiles, st[a2], opacity=0.75, clip_path=s.clip(f"room{cells[0]}", area_data(shape)))
        else:  # flagstones, or what is left of them
            flags = []
            for x, y in scattered(shape.buffer(-r * 0.12), r * 0.3, "flags"):
                rng = chance_at(x, y, "flag")
                q = r * rng.uniform(0.09, 0.15)
                flags.append(line_data(blob(x, y, q * 1.2, q, rng, 6, 0.18), True))
            s.path("".join(flags), st[a2], st["floor_line"], max(0.7, r * 0.018), stroke_opacity=0.7, join="round")
        s.path(
            "".join(line_data(x) for x in across),
            None,
            st["line"],
            max(1.0, r * 0.024),
            opacity=0.55,
            dash=f"{n(r * 0.16)} {n(r * 0.1)}",
        )
        # walls throw their shade into the room
        lane = (
            shape.difference(Polygon([(x + r * 0.16, y + r * 0.2) for x, y in shape.exterior.coords]))
            if isinstance(shape, Polygon)
            else None
        )
        if lane is not None and kind == "building":
            s.path(area_data(lane), "url(#shade)", opacity=0.5)
        if kind == "ruin":
            for cell in cells:
                rubble(b, s, cell, ink, ruin=True)
            s.outline(area_data(shape), None, st["line"], ink * 1.3, dash=f"{n(r * 0.16)} {n(r * 0.1)}")
        else:
            s.outline(area_data(shape), None, st["line"], ink * 0.8)


def edges(b: Layout, s: Sheet, ink: float) -> None:
    """Masonry in one piece with its openings; then what fills them; red partitions between rooms; low walls; lines of height."""
    st, r = b.style, b.r
    sides = [
        (shape.kind, b.px(shape.points[0]), b.px(shape.points[-1]), shape.cells)
        for shape in b.shapes
        if shape.layer == "side"
    ]
    solid: list[list[XY]] = []
    for kind, a, z, _ in sides:
        if kind in WALLS:
            gap = {"wall": 0.0, "embrasure": 0.0, "breach_1": 0.3, "breach_2": 0.52}.get(kind, 0.42)
            if not gap:
                solid.append([a, z])
            else:
                m = ((a[0] + z[0]) / 2, (a[1] + z[1]) / 2)
                solid += [
                    [a, (m[0] + (a[0] - m[0]) * gap, m[1] + (a[1] - m[1]) * gap)],
                    [(m[0] + (z[0] - m[0]) * gap, m[1] + (z[1] - m[1]) * gap), z],
                ]
    runs = "".join(line_data(line) for line in joined(solid))
    t = r * 0.15
    if runs:
        s.path(
            runs,
            None,
            st["line"],
            t + 2 * ink,
            cap="square",
            join="miter",
            opacity=0.3,
            transform=f"translate({n(r * 0.06)} {n(r * 0.08)})",
        )
        s.path(runs, None, st["line"], t + 2 * ink, cap="square", join="miter")
        s.path(runs, None, st["wall_fill"], t, cap="square", join="miter")
        s.path(
            runs,
            None,
            st["wall_light"],
            t * 0.4,
            cap="square",
            join="miter",
            transform=f"translate({n(-t * 0.18)} {n(-t * 0.18)})",
        )
    for kind, a, z, cells in sides:
        ang = degrees(atan2(z[1] - a[1], z[0] - a[0]))
        half = hypot(z[0] - a[0], z[1] - a[1]) / 2
        place = f'transform="translate({n((a[0] + z[0]) / 2)} {n((a[1] + z[1]) / 2)}) rotate({n(ang)})"'
        draw = EDGES.get(kind)
        if draw:
            s.put(f"<g {place}>")
            draw(b, s, half, t, ink, cells)
            s.put("</g>")
    low = joined([[a, z] for kind, a, z, _ in sides if kind == "low_wall"])
    for line in low:
        low_wall(b, s, line, ink)


def low_wall(b: Layout, s: Sheet, line: list[XY], ink: float) -> None:
    """Dry stones, each inked."""
    st, r = b.style, b.r
    rng = chance("stones", round(line[0][0]))
    s.path(
        line_data(line),
        None,
        st["line"],
        r * 0.24,
        opacity=0.28,
        cap="round",
        transform=f"translate({n(r * 0.06)} {n(r * 0.08)})",
    )
    dark: list[str] = []
    light: list[str] = []
    for x, y, ux, uy in along(line, r * 0.17):
        w, h = r * rng.uniform(0.085, 0.105), r * rng.uniform(0.085, 0.115)
        pts = [
            (x + u * w * ux - v * h * uy, y + u * w * uy + v * h * ux)
            for u, v in ((-1, -0.6), (-0.5, -1), (0.6, -0.95), (1, -0.3), (0.9, 0.7), (0.2, 1), (-0.7, 0.9))
        ]
        (dark if rng.random() < 0.45 else light).append(curve_data(pts, True))
    s.path("".join(dark), st["wall_fill"], st["line"], ink * 0.8)
    s.path("".join(light), st["wall_light"], st["line"], ink * 0.8)


def _window(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    st = b.style
    g = half * 0.42
    s.path(f"M{n(-g)} {n(-t * 0.4)}H{n(g)}V{n(t * 0.4)}H{n(-g)}z", st["glass"], st["line"], ink * 0.9)
    s.path(
        f"M0 {n(-t * 0.4)}V{n(t * 0.4)}M{n(-g * 0.8)} {n(t * 0.15)}l{n(g * 0.35)} {n(-t * 0.35)}M{n(g * 0.25)} {n(t * 0.15)}l{n(g * 0.35)} {n(-t * 0.35)}",
        None,
        st["line"],
        ink * 0.6,
    )


def _door(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    st = b.style
    g = half * 0.42
    s.path(
        f"M{n(-g)} {n(-t * 0.5)}H{n(g)}V{n(t * 0.5)}H{n(-g)}z",
        mix(st["floor_a"], BLACK, 0.1),
        st["line"],
        ink * 0.5,
    )
    s.path(
        f"M{n(g)} 0A{n(2 * g)} {n(2 * g)} 0 0 1 {n(-g + 2 * g * cos(pi / 3))} {n(2 * g * sin(pi / 3))}",
        None,
        st["line"],
        ink * 0.6,
        dash=f"{n(ink * 2)} {n(ink * 1.6)}",
    )
    s.path(
        f"M{n(-g)} 0L{n(-g + 2 * g * cos(pi / 3))} {n(2 * g * sin(pi / 3))}", None, st["line"], ink * 3.2, cap="round"
    )
    s.path(
        f"M{n(-g)} 0L{n(-g + 2 * g * cos(pi / 3))} {n(2 * g * sin(pi / 3))}", None, st["door"], ink * 1.6, cap="round"
    )


def _opening(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    st = b.style
    a, w, h = half * 0.26, half * 0.3, half * 0.15
    s.path(
        f"M{n(-h * 0.7)} {n(-a * 0.5)}V{n(a * 0.5)}H{n(-w)}L0 {n(a * 1.7)}L{n(w)} {n(a * 0.5)}H{n(h * 0.7)}V{n(-a * 0.5)}H{n(w)}L0 {n(-a * 1.7)}L{n(-w)} {n(-a * 0.5)}z",
        WHITE,
        st["line"],
        ink * 0.9,
        join="round",
    )


def _room_wall(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    st = b.style
    s.path(f"M{n(-half)} 0H{n(half)}", None, st["line"], t * 0.72 + 2 * ink, cap="butt")
    s.path(f"M{n(-half)} 0H{n(half)}", None, WHITE, t * 0.72, cap="butt")
    s.path(
        f"M{n(-half)} 0H{n(half)}",
        None,
        st["wall_room"],
        t * 0.72,
        cap="butt",
        dash=f"{n(half * 0.22)} {n(half * 0.1)}",
    )


def _circle_wall(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    s.path(
        f"M{n(-half)} 0H{n(half)}", None, b.style["line"], t * 0.6 + 2 * ink, dash=f"{n(half * 0.2)} {n(half * 0.2)}"
    )
    s.path(f"M{n(-half)} 0H{n(half)}", None, b.style["wall_room"], t * 0.6, dash=f"{n(half * 0.2)} {n(half * 0.2)}")


def _embrasure(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    s.path(f"M{n(-half * 0.34)} 0H{n(half * 0.34)}", None, b.style["line"], t * 0.6)


def _breach(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    st = b.style
    rng = chance("breach", str(cells))
    bits: dict[str, list[str]] = {}
    for _ in range(11):
        x, y, q = rng.uniform(-0.4, 0.4) * half, rng.uniform(-0.26, 0.26) * half, half * rng.uniform(0.05, 0.1)
        bits.setdefault(rng.choice((st["block"], st["brick"], st["wall_light"])), []).append(
            line_data(blob(x, y, q, q * 0.8, rng, 5, 0.2), True)
        )
    for colour, data in bits.items():
        s.path("".join(data), colour, st["line"], ink * 0.7, join="round")


def _elevation(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    st = b.style
    s.path(f"M{n(-half)} 0H{n(half)}", None, st["crest"], ink * 1.8)
    s.path(
        "".join(f"M{n(-half + half * 2 * (i + 0.5) / 13)} 0v{n(half * (0.2 if i % 2 else 0.13))}" for i in range(13)),
        None,
        st["crest"],
        ink * 0.9,
        cap="round",
    )


def _dominant(b: Layout, s: Sheet, half: float, t: float, ink: float, cells: object) -> None:
    """Two crests and one fall: a line that is not seen over from above either."""
    gap = half * 0.08
    s.path(f"M{n(-half)} {n(-gap)}H{n(half)}M{n(-half)} {n(gap)}H{n(half)}", None, b.style["crest"], ink * 1.8)
    places = (-half + half * 2 * (i + 0.5) / 13 for i in range(13))
    falls = "".join(f"M{n(x)} {n(gap)}l{n(half * 0.06)} {n(half * 0.2)}" for x in places)
    s.path(falls, None, b.style["crest"], ink * 0.9, cap="round")


EDGES = {
    "window": _window,
    "door": _door,
    "opening": _opening,
    "room_wall": _room_wall,
    "circle_wall": _circle_wall,
    "embrasure": _embrasure,
    "breach_1": _breach,
    "breach_2": _breach,
    "elevation_line": _elevation,
    "dominant_line": _dominant,
}


def furniture(b: Layout, s: Sheet, ink: float) -> None:
    """Signs that tiles print: stairs, the red dot, squares laid over two."""
    st, r = b.style, b.r
    for cell, value in b.position.markers.get("shifted", {}).items():
        if value and cell in b.grid:
            x, y = b.centre(cell)
            s.put(
                f'<rect x="{n(x + r * 0.07)}" y="{n(y - r * 0.93)}" width="{n(r * 1.86)}" height="{n(r * 1.86)}" rx="{n(r * 0.08)}" fill="none" stroke="{st["olive"]}" stroke-width="{n(ink * 1.2)}" stroke-dasharray="{n(r * 0.16)} {n(r * 0.1)}"/>'
            )
    for cell in b.position.markers.get("stairs", {}):
        x, y = b.centre(cell)
        steps = "".join(f"M{n(x + r * (0.42 + 0.1 * i))} {n(y - r * 0.9)}v{n(r * 0.46)}" for i in range(6))
        s.path(
            f"M{n(x + r * 0.4)} {n(y - r * 0.9)}h{n(r * 0.54)}v{n(r * 0.46)}h{n(-r * 0.54)}z",
            st["wall_light"],
            st["line"],
            ink,
        )
        s.path(steps, None, st["line"], ink * 0.7)
    for cell in b.position.markers.get("red_dot", {}):
        x, y = b.centre(cell)
        s.put(
            f'<circle cx="{n(x - r * 0.72)}" cy="{n(y + r * 0.72)}" r="{n(r * 0.14)}" fill="{st["wall_room"]}" stroke="{WHITE}" stroke-width="{n(ink)}"/>'
        )


def bounds(b: Layout, cell: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a square."""
    pts = [b.px(p) for p in b.grid.polygon(cell)]
    xs, ys = [x for x, _ in pts], [y for _, y in pts]
    return min(xs), min(ys), max(xs), max(ys)


def blob(x: float, y: float, rx: float, ry: float, rng: Random, count: int = 11, rough: float = 0.16) -> list[XY]:
    """A closed rough line round a place."""
    return [
        (
            x + rx * cos(2 * pi * i / count) * rng.uniform(1 - rough, 1 + rough),
            y + ry * sin(2 * pi * i / count) * rng.uniform(1 - rough, 1 + rough),
        )
        for i in range(count)
    ]


def rubble(b: Layout, s: Sheet, cell: str, ink: float, ruin: bool = False) -> None:
    """Dust, beams, bricks and blocks, each with its ink line."""
    st, r = b.style, b.r
    x0, y0, x1, y1 = bounds(b, cell)
    rng = chance("rubble", cell)
    if not ruin:
        mid = ((x0 + x1) / 2, (y0 + y1) / 2)
        s.path(
            curve_data(blob(*mid, r * 0.95, r * 0.93, rng, 18, 0.06), True), st["rubble"], st["rubble_edge"], ink * 0.7
        )
        s.path(
            curve_data(blob(mid[0] + r * 0.1, mid[1] + r * 0.12, r * 0.7, r * 0.66, rng, 14, 0.1), True),
            "url(#shade)",
            opacity=0.16,
        )
    shadow: list[str] = []
    bodies: dict[str, list[str]] = {}
    spots = scattered(box(x0 + r * 0.2, y0 + r * 0.2, x1 - r * 0.2, y1 - r * 0.2), r * 0.26, "rubble")
    for i, (x, y) in enumerate(spots):
        q, a = r * rng.uniform(0.07, 0.15), rng.uniform(0, pi)
        w, h = (q * 2.1, q * 0.42) if i % 7 == 3 else (q, q * rng.uniform(0.55, 0.8))
        colour = (
            st["door"]
            if i % 7 == 3
            else rng.choice((st["block"], st["block"], st["brick"], mix(st["block"], WHITE, 0.35)))
        )
        pts = [
            (x + u * w * cos(a) - v * h * sin(a), y + u * w * sin(a) + v * h * cos(a))
            for u, v in ((-1, -0.9), (0.8, -1), (1, 0.8), (-0.8, 1))
        ]
        bodies.setdefault(colour, []).append(line_data(pts, True))
        shadow.append(line_data([(px + r * 0.035, py + r * 0.045) for px, py in pts], True))
    s.path("".join(shadow), st["line"], opacity=0.35)
    for colour, data in bodies.items():
        s.path("".join(data), colour, st["line"], ink * 0.62, join="round")
    if not ruin:
        judged_edge(b, s, cell, st["rubble_edge"])


def judged_edge(b: Layout, s: Sheet, cell: str, colour: str) -> None:
    """The square itself, whose edge is the judged one."""
    x0, y0, x1, y1 = bounds(b, cell)
    r = b.r
    s.path(
        f"M{n(x0)} {n(y0)}h{n(x1 - x0)}v{n(y1 - y0)}h{n(x0 - x1)}z",
        None,
        s.lit(colour),
        max(1.6, r * 0.045),
        dash=f"{n(r * 0.13)} {n(r * 0.09)}",
        cap="round",
    )
