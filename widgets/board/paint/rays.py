"""The rays of a hex and those who fire at it: a fan of directions, the counted ones stronger and numbered."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from widgets.board.layers import Rays
from widgets.board.paint.markers import pill, pill_width
from widgets.board.paint.placement import Room, round_cell
from widgets.board.paint.shapes import XY, Drawing, View
from widgets.board.palette import Palette

#: How far rays reach beyond the farthest firer, at best, and where that is off the board, in hex radii.
_BEYOND = (1.35, 1.2, 0.9)
#: How much farther or nearer than the end of its ray its number may stand, in hex radii: off counters and names.
_NUDGES = (0.0, -0.15, 0.15, -0.3, 0.3, *(-0.15 * step for step in range(3, 13)))
#: Height and width of what the buttons of the camera may take in each lower corner, in CSS pixels.
_BUTTONS = (48.0, 132.0)
#: How far below the target its count stands, in hex radii: clear of the name of the hex below where it can.
_COUNT_DOWN = (1.16, 1.22, 1.28, 1.34, 1.4, 1.46)


def ray_ends(layer: Rays, view: View) -> list[XY]:
    """Pixels where the rays end: all as long as the farthest firer is away, and more: beyond the name of its hex, where the
    numbers of those that count stay on the board; those that would leave what is seen a little shorter.
    """
    cx, cy = view.centre(layer.target)
    away = max((hypot(x - cx, y - cy) for x, y in map(view.centre, layer.starts)), default=0.0)
    ends = list[XY]()
    for beyond in _BEYOND:
        ends = _ends_at(max(away + view.radius * beyond, view.radius * 2.4), layer, view)
        if all(_on_board(ends[i], view) for i in layer.counted):
            break
    for i in layer.counted:
        ends[i] = _drawn_in((cx, cy), ends[i], view)
    return ends


def ray_numbers(layer: Rays, view: View, room: Room) -> list[XY]:
    """Pixels where the numbers of the rays that count stand, in turning order: on their rays, at their ends where they hide
    nothing there; then they are taken.
    """
    centre, ends, side = view.centre(layer.target), ray_ends(layer, view), 1.6 * _number_size(view)
    tall, wide = _BUTTONS
    foot = view.height - tall
    corners = [(0.0, foot, wide, view.height), (view.width - wide, foot, view.width, view.height)]
    numbers = []
    for i in _in_order(layer.counted, len(layer.directions)):
        far = hypot(ends[i][0] - centre[0], ends[i][1] - centre[1])
        spots = [_toward(centre, ends[i], far + nudge * view.radius) for nudge in _NUDGES]
        seen = [at for at in spots if _on_board(at, view) and hypot(at[0] - centre[0], at[1] - centre[1]) > view.radius]
        numbers.append(room.place(seen or [ends[i]], side, side, corners))
    return numbers


def _drawn_in(centre: XY, end: XY, view: View) -> XY:
    """Where a ray ends in what is seen; its end when nothing of it is seen."""
    parts = [
        (centre[0] + (end[0] - centre[0]) * k / 20, centre[1] + (end[1] - centre[1]) * k / 20) for k in range(20, 6, -1)
    ]
    return next((at for at in parts if _on_board(at, view)), end)


def _on_board(at: XY, view: View) -> bool:
    """Whether a number may stand somewhere."""
    rim = max(0.3 * view.radius, 0.9 * _number_size(view))
    return rim < at[0] < view.width - rim and rim < at[1] < view.height - rim


def _number_size(view: View) -> float:
    """Size of the numbers at the ends of rays, and of their count, in CSS pixels."""
    return max(10.0, view.radius * 0.25)


def _ends_at(reach: float, layer: Rays, view: View) -> list[XY]:
    """Pixels where rays of a length end."""
    (cx, cy), (tx, ty) = view.centre(layer.target), view.px((0, 0))
    ends = []
    for direction in layer.directions:
        dx, dy = view.px(direction)
        length = hypot(dx - tx, dy - ty) or 1.0
        ends.append((cx + (dx - tx) * reach / length, cy + (dy - ty) * reach / length))
    return ends


def rays_under(d: Drawing, layer: Rays, view: View, colours: Palette) -> None:
    """The sector between the two lines that count, and the target."""
    colour = colours.select if layer.holds else colours.label
    if layer.best:
        a, b = (view.centre(cell) for cell in layer.best)
        ends = ray_ends(layer, view)
        inner = _in_order(layer.counted, len(layer.directions))
        edge = [ends[i] for i in inner]
        if edge and _turn(a, view.centre(layer.target), edge[0]) > _turn(b, view.centre(layer.target), edge[0]):
            a, b = b, a
        d.polygon([view.centre(layer.target), a, *edge, b], fill=colour, alpha=0.16)
    d.polygon(view.polygon(layer.target, 0.94), stroke=colour, width=max(2.0, view.radius / 15))


def _toward(a: XY, b: XY, distance: float) -> XY:
    """The point of a segment at a distance from its first end."""
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return a[0] + (b[0] - a[0]) * distance / length, a[1] + (b[1] - a[1]) * distance / length


def _turn(a: XY, centre: XY, b: XY) -> float:
    """How far two directions are from each other: 0 the same, 2 opposite."""
    ax, ay, bx, by = a[0] - centre[0], a[1] - centre[1], b[0] - centre[0], b[1] - centre[1]
    return 1 - (ax * bx + ay * by) / ((hypot(ax, ay) or 1.0) * (hypot(bx, by) or 1.0))


def _in_order(rays: tuple[int, ...], total: int) -> list[int]:
    """Rays in turning order, starting after the gap.

    >>> _in_order((0, 1, 10, 11), 12)
    [10, 11, 0, 1]
    """
    chosen = sorted(rays)
    start = next((i for i in chosen if (i - 1) % total not in rays), chosen[0] if chosen else 0)
    return [i % total for i in range(start, start + total) if i % total in rays]


def rays_lines(d: Drawing, layer: Rays, view: View, colours: Palette) -> None:
    """The rays, the counted ones stronger."""
    centre, ends, r = view.centre(layer.target), ray_ends(layer, view), view.radius
    starts = [_toward(centre, end, r * 0.68) for end in ends]  # the counters of the target stay legible
    others = [[starts[i], end] for i, end in enumerate(ends) if i not in layer.counted]
    d.lines(others, colours.ink, max(1.0, r / 34), dash=(r * 0.1, r * 0.12), alpha=0.45)
    strong = colours.select if layer.holds else colours.ink
    counted = _in_order(layer.counted, len(layer.directions))
    d.lines([[starts[i], ends[i]] for i in counted], colours.halo, max(4.0, r / 8), alpha=0.8)
    d.lines([[starts[i], ends[i]] for i in counted], strong, max(2.0, r / 15))


def rays_over(d: Drawing, layer: Rays, numbers: Sequence[XY], view: View, colours: Palette, room: Room) -> None:
    """The numbers of the counted rays where they stand, and the count at the target."""
    centre, r, size = view.centre(layer.target), view.radius, _number_size(view)
    strong = colours.select if layer.holds else colours.ink
    for number, (x, y) in enumerate(numbers, 1):
        d.discs([(x, y, size * 0.86, colours.halo), (x, y, size * 0.74, strong)])
        d.text(str(number), x, y, size, colours.paper, bold=True)
    if layer.note:
        wide = size * pill_width(layer.note)
        spots = [(centre[0], centre[1] + way * down * r) for way in (1, -1) for down in _COUNT_DOWN]
        with d.placed(*room.place([*spots, *round_cell(centre, r, wide)], wide, size * 1.36), 0, size):
            pill(d, 0, 0, layer.note, colours.paper, strong, strong, 1.0)
