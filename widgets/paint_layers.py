"""How each layer is painted: ``under`` the counters (tints) and ``over`` them (lines, marks, cursor)."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, inf

from tutor.core.grid import split_side
from tutor.core.position import Position
from tutor.core.trace import Place
from widgets.counters import Placed, counter_outline, layout, weapon_place
from widgets.layers import Corner, Cursor, Fire, Heat, Layer, Note, Outline, Path, Rays, Selection, Sight, Tint
from widgets.paint import XY, Drawing, View, circle, hexagon
from widgets.paint_rays import rays_over, rays_under
from widgets.paint_ways import pill
from widgets.palette import Palette


def under_drawing(layers: Iterable[Layer], view: View, colours: Palette) -> Drawing:
    """What lies under the counters."""
    d = Drawing()
    for layer in layers:
        if isinstance(layer, Sight):
            _sight_under(d, layer, view, colours)
        elif isinstance(layer, Tint):
            _tint(d, layer, view, colours)
        elif isinstance(layer, Heat):
            _heat(d, layer, view, colours)
        elif isinstance(layer, Selection):
            _selection(d, layer, view, colours)
        elif isinstance(layer, Rays):
            rays_under(d, layer, view, colours)
    return d


def over_drawing(
    layers: Iterable[Layer], position: Position, view: View, colours: Palette, labels: bool = True
) -> Drawing:
    """What lies over the counters.

    Args:
        labels: False where the terrain bears no hex names: the hexes that matter then get theirs.
    """
    d = Drawing()
    for layer in layers:
        if isinstance(layer, Sight):
            _sight_over(d, layer, position, view, colours)
        elif isinstance(layer, Corner):
            x, y = view.polygon(layer.hex)[1]
            d.disc(x, y, view.radius * 0.2, colours.halo)
            d.ring(x, y, view.radius * 0.17, colours.blocked, view.radius * 0.07)
            d.disc(x, y, view.radius * 0.07, colours.blocked)
        elif isinstance(layer, Cursor):
            _cursor(d, layer, view, colours)
        elif isinstance(layer, Outline):
            paths, lines = place_paths(layer.places, position, view)
            d.polygons(paths, stroke=colours.paper, width=view.radius * 0.12, alpha=0.9)
            d.polygons(paths, stroke=getattr(colours, layer.role), width=view.radius * 0.065)
            d.lines(lines, getattr(colours, layer.role), view.radius * 0.1)
        elif isinstance(layer, Note):
            _note(d, layer, view, colours)
        elif isinstance(layer, Path):
            _arrow(d, [view.centre(h) for h in layer.hexes], getattr(colours, layer.role), view, colours)
        elif isinstance(layer, Fire):
            for start in layer.starts:
                _shot(d, start, layer.target, colours.blocked, view, colours)
        elif isinstance(layer, Rays):
            rays_over(d, layer, view, colours)
            for start in layer.starts:
                colour = colours.blocked if start in (layer.best or ()) else colours.label
                _shot(d, start, layer.target, colour, view, colours)
    if not labels:
        for cell in dict.fromkeys(_named(layers)):
            x, y = view.centre(cell)
            pill_px(d, x, y - view.radius * 0.72, cell, colours, 11.0)
    return d


def _named(layers: Iterable[Layer]) -> Iterable[str]:
    for layer in layers:
        if isinstance(layer, Sight):
            yield from (layer.start, layer.end)
        elif isinstance(layer, Selection):
            yield from layer.hexes
        elif isinstance(layer, Cursor):
            yield layer.hex


def pill_px(d: Drawing, x: float, y: float, text: str, colours: Palette, size: float) -> None:
    """A text in a paper box, sized in pixels."""
    with d.placed(x, y, 0, size):
        pill(d, 0, 0, text, colours.paper, colours.ink, colours.frame, 1.0)


def _tint(d: Drawing, layer: Tint, view: View, colours: Palette) -> None:
    colour = getattr(colours, layer.role)
    d.polygons([_laid(view, h, 0.96) for h in layer.hexes], fill=colour, alpha=0.28)
    d.polygons([_laid(view, h, 0.93) for h in layer.hexes], stroke=colour, width=max(1.0, view.radius / 34), alpha=0.8)
    for cell, text in zip(layer.hexes, layer.texts, strict=False):
        _caption(d, cell, text, view, colours)


def _laid(view: View, name: str, scale: float) -> list[XY]:
    """Corners of a cell, or of one laid half over each of two (``C2>D2``)."""
    one, _, other = name.partition(">")
    if not other:
        return view.polygon(one, scale)
    pairs = zip(view.polygon(one, scale), view.polygon(other, scale), strict=True)
    return [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairs]


def _caption(d: Drawing, cell: str, text: str, view: View, colours: Palette) -> None:
    """A few letters at the foot of a hex."""
    if text:
        x, y = view.centre(cell)
        size = max(10.0, view.radius * 0.26)
        d.text(text, x, y + view.radius * 0.66, size, colours.ink, bold=True, halo=colours.halo)


def _heat(d: Drawing, layer: Heat, view: View, colours: Palette) -> None:
    steps = len(colours.heat)
    for cell, value, text in layer.values:
        shade = colours.heat[min(steps - 1, max(0, int(value * steps)))]
        d.polygon(view.polygon(cell, 0.96), fill=shade, alpha=0.62)
        _caption(d, cell, text, view, colours)


def _sight_under(d: Drawing, layer: Sight, view: View, colours: Palette) -> None:
    colour = getattr(colours, layer.state)
    d.polygons([view.polygon(h, 0.97) for h in layer.crossed], fill=colour, alpha=0.14)
    ends = [view.polygon(h, 0.95) for h in (layer.start, layer.end)]
    d.polygons(ends, stroke=colour, width=max(1.4, view.radius / 22))
    solids = [view.path(p) for p in layer.touched if len(p) > 2]
    d.polygons(solids, stroke=colours.halo, width=max(3.0, view.radius / 9), alpha=0.8)
    d.polygons(solids, stroke=colour, width=max(1.8, view.radius / 18))


def _sight_over(d: Drawing, layer: Sight, position: Position, view: View, colours: Palette) -> None:
    r, colour = view.radius, getattr(colours, layer.state)
    a, b = view.centre(layer.start), view.centre(layer.end)
    for side in (view.path(p) for p in layer.touched if len(p) == 2):
        d.lines([side], colours.halo, r * 0.22, alpha=0.8)
        d.lines([side], colour, r * 0.13)
    occupied = {position.hex_of(p.id) for p in position.pieces}
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    free, taken = r * 0.12, r * 0.64  # where a counter stands, the line goes to its edge
    t0, t1 = (taken if cell in occupied else free for cell in (layer.start, layer.end))
    start, end = (a[0] + ux * t0, a[1] + uy * t0), (b[0] - ux * t1, b[1] - uy * t1)
    width = max(2.4, r / 13)
    mark = view.px(layer.point) if layer.point else None
    if layer.state == "blocked" and mark:
        d.line(start, end, stroke=colours.halo, width=width + 2.4, alpha=0.75)
        d.line(start, mark, stroke=colour, width=width)
        d.line(mark, end, stroke=colour, width=width, dash=(0.1, width * 2))
    elif layer.state == "blocked":  # nothing on the way blocks: too far, for instance
        d.line(start, end, stroke=colours.halo, width=width + 2.4, alpha=0.75)
        d.line(start, end, stroke=colour, width=width, dash=(0.1, width * 2))
    elif layer.state == "hindered":
        d.line(start, end, stroke=colours.halo, width=width + 2.4, alpha=0.75)
        d.line(start, end, stroke=colour, width=width, dash=(r * 0.26, r * 0.15))
    else:
        d.line(start, end, stroke=colours.halo, width=width + 2.4, alpha=0.75)
        d.line(start, end, stroke=colour, width=width)
    for cell, (x, y) in ((layer.start, a), (layer.end, b)):
        if cell not in occupied:
            d.discs([(x, y, r * 0.17, colours.halo), (x, y, r * 0.12, colour)])
    counters = [view.centre(cell) for cell in occupied if cell in position.grid]
    _verdict_mark(d, layer, mark or ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), (ux, uy), counters, view, colours)


def _beside(at: XY, direction: XY, size: float, letters: int, counters: list[XY]) -> XY:
    """Centre of a label beside a line, on the side that is farther from the counters, the upper one otherwise."""
    dx, dy = direction

    def place(side: int) -> XY:
        nx, ny = side * dy, -side * dx
        away = size * (1.1 + 0.3 * letters * abs(nx) + 0.3 * abs(ny))
        return at[0] + nx * away, at[1] + ny * away

    def room(spot: XY) -> float:
        return min((hypot(spot[0] - x, spot[1] - y) for x, y in counters), default=inf)

    upper, lower = sorted((place(1), place(-1)), key=lambda spot: spot[1])
    return lower if room(lower) > room(upper) + size else upper


def _verdict_mark(
    d: Drawing, layer: Sight, at: XY, direction: XY, counters: list[XY], view: View, colours: Palette
) -> None:
    r, colour = view.radius, getattr(colours, layer.state)
    x, y = at
    size = max(11.0, r * 0.27)
    if layer.state == "blocked":
        q = size * 0.62
        d.discs([(x, y, q * 1.25, colours.halo), (x, y, q, colour)])
        k = q * 0.45
        d.lines(
            [[(x - k, y - k), (x + k, y + k)], [(x - k, y + k), (x + k, y - k)]],
            colours.counter_white,
            max(2.0, q * 0.3),
        )
        text = layer.rule or ""
    elif layer.state == "hindered":
        text = (f"≈ {layer.sign}{layer.hindrance}" if layer.hindrance else "≈") + (
            f" · {layer.rule}" if layer.rule else ""
        )
    else:
        text = "✓"
    if text:
        with d.placed(*_beside(at, direction, size, len(text), counters), 0, size):
            pill(d, 0, 0, text, colours.paper, colour if layer.state != "hindered" else colours.ink, colour, 1.0)


def _selection(d: Drawing, layer: Selection, view: View, colours: Palette) -> None:
    width = max(2.0, view.radius / 15)
    d.polygons([view.polygon(h, 0.97) for h in layer.hexes], fill=colours.select, alpha=0.16)
    d.polygons([view.polygon(h, 0.94) for h in layer.hexes], stroke=colours.halo, width=width + 2, alpha=0.8)
    d.polygons([view.polygon(h, 0.94) for h in layer.hexes], stroke=colours.select, width=width)


def _cursor(d: Drawing, layer: Cursor, view: View, colours: Palette) -> None:
    d.polygon(view.polygon(layer.hex, 0.86), stroke=colours.halo, width=max(3.2, view.radius / 11), alpha=0.9)
    d.polygon(
        view.polygon(layer.hex, 0.86),
        stroke=colours.cursor,
        width=max(1.6, view.radius / 22),
        dash=(view.radius * 0.16, view.radius * 0.12),
    )


def _note(d: Drawing, layer: Note, view: View, colours: Palette) -> None:
    x, y = view.centre(layer.hex)
    with d.placed(x, y + view.radius * 0.62, 0, max(11.0, view.radius * 0.25)):
        pill(d, 0, 0, layer.text, colours.paper, getattr(colours, layer.role), getattr(colours, layer.role), 1.0)


def _shot(d: Drawing, start: str, target: str, colour: str, view: View, colours: Palette) -> None:
    """An arrow from the edge of the firer's counter to the edge of the target's."""
    (ax, ay), (bx, by), r = view.centre(start), view.centre(target), view.radius
    length = hypot(bx - ax, by - ay)
    leave = min(r * 0.6, length * 0.3) / (length or 1.0)
    _arrow(d, [(ax + (bx - ax) * leave, ay + (by - ay) * leave), (bx, by)], colour, view, colours, trim=0.6)


def _arrow(d: Drawing, points: list[XY], colour: str, view: View, colours: Palette, trim: float = 0.3) -> None:
    if len(points) < 2:
        return
    r = view.radius
    (ax, ay), (bx, by) = points[-2], points[-1]
    length = hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / length, (by - ay) / length
    tip = (bx - ux * r * trim, by - uy * r * trim)
    neck = (tip[0] - ux * r * 0.2, tip[1] - uy * r * 0.2)
    line = [*points[:-1], neck]
    d.lines([line], colours.halo, r * 0.15, alpha=0.8)
    d.lines([line], colour, r * 0.085)
    w = r * 0.15
    d.polygon(
        [tip, (neck[0] - uy * w, neck[1] + ux * w), (neck[0] + uy * w, neck[1] - ux * w)],
        fill=colour,
        stroke=colours.halo,
        width=1,
    )


# --- places ----------------------------------------------------------------------------------------------------------


def place_paths(places: Iterable[Place], position: Position, view: View) -> tuple[list[list[XY]], list[list[XY]]]:
    """Pixels of places: closed paths (hexes, points, pieces), then lines (sides, segments)."""
    closed: list[list[XY]] = []
    lines: list[list[XY]] = []
    items: list[Placed] = []
    grid = position.grid
    for place in places:
        if place.kind == "hex" and place.ref in grid:
            closed.append(view.polygon(place.ref, 0.95))
        elif place.kind == "side":
            one, other = split_side(place.ref)
            if one in grid or other in grid:
                a, b = view.path(grid.side_points(position.canonical_side(place.ref)))
                lines.append([a, b])
        elif place.kind == "segment":
            start, _, end = place.ref.partition(">")
            if start in grid and end in grid:
                lines.append([view.centre(start), view.centre(end)])
        elif place.kind == "point":
            x, y = view.px([float(v) for v in place.ref.split(",")])
            closed.append(circle(x, y, view.radius * 0.16, 16))
        elif place.kind == "piece" and place.ref in position.by_id:
            items = items or layout(position, view)
            closed += _piece_paths(place.ref, items)
    return closed, lines


def _piece_paths(piece: str, items: list[Placed]) -> list[list[XY]]:
    for item in items:
        if item.face.id == piece:
            return [counter_outline(item)]
        for i, weapon in enumerate(item.weapons):
            if weapon.id == piece:
                return [hexagon(*weapon_place(item, i), item.size * 0.36)]
    return []


def place_hexes(places: Iterable[Place], position: Position) -> list[str]:
    """Hexes that places name, directly or through their pieces, sides and segments."""
    found: list[str] = []
    for place in places:
        if place.kind == "hex":
            found.append(place.ref)
        elif place.kind == "side":
            found += split_side(place.ref)
        elif place.kind == "segment":
            found += place.ref.split(">")
        elif place.kind == "piece" and place.ref in position.by_id:
            at = position.hex_of(place.ref)
            found += [at] if at else []
    return [h for h in dict.fromkeys(found) if h in position.grid]
