"""Lines over the ground: of sight, of fire, of a way. They run under the counters; what is written of them, above."""

from __future__ import annotations

from math import hypot

from tutor.course.prose import rule_number
from widgets.board.counters.names import Box
from widgets.board.layers import Fire, LineOfSight, Path, Rays
from widgets.board.paint.markers import pill, pill_width
from widgets.board.paint.placement import Room, along_line, box_at
from widgets.board.paint.rays import rays_lines
from widgets.board.paint.shapes import XY, Drawing, View
from widgets.board.palette import Palette

#: Radius of the cross where a line stops, in sizes of what is said of it.
_CROSS = 0.66


def line_drawing(d: Drawing, layer: LineOfSight | Fire | Path | Rays, view: View, colours: Palette) -> None:
    """The lines of a layer, from centre to centre: counters lie over their ends.

    Args:
        d: where they are drawn.
        layer: what is shown.
        view: how the board lies.
        colours: of the theme.
    """
    if isinstance(layer, LineOfSight):
        _sight(d, layer, view, colours)
    elif isinstance(layer, Path):
        points, colour = [view.centre(h) for h in layer.hexes], getattr(colours, layer.role)
        _arrow(d, points, colour, view, colours) if layer.legal else _refused(d, points, view, colours)
    elif isinstance(layer, Fire):
        for start in layer.starts:
            if layer.legal:
                _shot(d, start, layer.target, colours.blocked, view, colours)
            else:
                _refused(d, [view.centre(start), view.centre(layer.target)], view, colours)
    else:
        rays_lines(d, layer, view, colours)
        for start in layer.starts:
            _shot(
                d, start, layer.target, colours.blocked if start in (layer.best or ()) else colours.label, view, colours
            )


def _sight(d: Drawing, layer: LineOfSight, view: View, colours: Palette) -> None:
    colour, r = getattr(colours, layer.state), view.radius
    d.polygons([view.polygon(h, 0.97) for h in layer.crossed], fill=colour, alpha=0.14)
    ends = [view.polygon(h, 0.95) for h in (layer.start, layer.end)]
    d.polygons(ends, stroke=colours.halo, width=max(3.0, r / 12), alpha=0.85)
    d.polygons(ends, stroke=colour, width=max(1.6, r / 20))
    solids = [view.path(p) for p in layer.touched if len(p) > 2]
    d.polygons(solids, stroke=colours.halo, width=max(3.0, r / 9), alpha=0.8)
    d.polygons(solids, stroke=colour, width=max(1.8, r / 18))
    for side in (view.path(p) for p in layer.touched if len(p) == 2):
        d.lines([side], colours.halo, r * 0.22, alpha=0.8)
        d.lines([side], colour, r * 0.13)
    a, b = view.centre(layer.start), view.centre(layer.end)
    width = max(2.6, r / 12)
    mark = view.px(layer.point) if layer.point else None
    d.line(a, b, stroke=colours.halo, width=width + 3.4, alpha=0.9)
    if layer.state == "blocked" and mark:
        d.line(a, mark, stroke=colour, width=width)
        d.line(mark, b, stroke=colour, width=width, dash=(0.1, width * 2))
    elif layer.state == "blocked":  # nothing on the way blocks: too far, for instance
        d.line(a, b, stroke=colour, width=width, dash=(0.1, width * 2))
    elif layer.state == "hindered":
        d.line(a, b, stroke=colour, width=width, dash=(r * 0.26, r * 0.15))
    else:
        d.line(a, b, stroke=colour, width=width)
    for x, y in (a, b):
        d.discs([(x, y, r * 0.17, colours.halo), (x, y, r * 0.12, colour)])


def cross_box(layer: LineOfSight, view: View) -> Box | None:
    """Where the cross of a line that is stopped lies; None where there is none.

    Args:
        layer: the line.
        view: how the board lies.
    """
    if layer.state != "blocked":
        return None
    a, b = view.centre(layer.start), view.centre(layer.end)
    x, y = view.px(layer.point) if layer.point else ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    side = 2.5 * _CROSS * _said_size(view)
    return box_at(x, y, side, side)


def _said_size(view: View) -> float:
    """Size of what is said of a line, in CSS pixels."""
    return max(11.0, view.radius * 0.25)


def verdict_drawing(d: Drawing, layer: LineOfSight, view: View, colours: Palette, room: Room) -> None:
    """The verdict of a line of sight beside it: where it stops and by which rule, what hinders it, or a tick.

    Args:
        room: what of the board is taken.
    """
    r, colour = view.radius, getattr(colours, layer.state)
    a, b = view.centre(layer.start), view.centre(layer.end)
    mark = view.px(layer.point) if layer.point else None
    size, middle = _said_size(view), 0.5
    if layer.state == "blocked":
        at = mark or ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        middle = hypot(at[0] - a[0], at[1] - a[1]) / length
        _cross(d, at, size * _CROSS, colour, colours)
        text = rule_number(layer.rule or "")
    elif layer.state == "hindered":
        text = (f"≈ {layer.sign}{layer.hindrance}" if layer.hindrance else "≈") + (
            f" · {rule_number(layer.rule)}" if layer.rule else ""
        )
    else:
        text = "✓"
    if not text:
        return
    wide, tall = size * pill_width(text), size * 1.36
    x, y = room.place(along_line(a, b, size * 0.45 + r / 20, wide, middle), wide, tall)
    with d.placed(x, y, 0, size):
        pill(d, 0, 0, text, colours.paper, colour if layer.state != "hindered" else colours.ink, colour, 1.0)


def _cross(d: Drawing, at: XY, q: float, colour: str, colours: Palette) -> None:
    """Where a line stops."""
    (x, y), k = at, q * 0.45
    d.discs([(x, y, q * 1.25, colours.halo), (x, y, q, colour)])
    arms = [[(x - k, y - k), (x + k, y + k)], [(x - k, y + k), (x + k, y - k)]]
    d.lines(arms, colours.counter_white, max(2.0, q * 0.3))


def _shot(d: Drawing, start: str, target: str, colour: str, view: View, colours: Palette) -> None:
    """An arrow from the edge of the firer's counter to the edge of the target's."""
    (ax, ay), (bx, by), r = view.centre(start), view.centre(target), view.radius
    length = hypot(bx - ax, by - ay)
    leave = min(r * 0.6, length * 0.3) / (length or 1.0)
    _arrow(d, [(ax + (bx - ax) * leave, ay + (by - ay) * leave), (bx, by)], colour, view, colours, trim=0.6)


def _refused(d: Drawing, points: list[XY], view: View, colours: Palette) -> None:
    """What was declared and is not allowed: no arrow, nothing goes there."""
    r = view.radius
    d.lines([points], colours.halo, r * 0.12, alpha=0.8)
    d.lines([points], colours.ink, r * 0.05, alpha=0.7, dash=(r * 0.16, r * 0.14))


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
