"""How each layer is painted: tints on the ground, lines under the counters, marks and verdicts over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import hypot

from tutor.core.position import Position
from widgets.board.counters.names import Box
from widgets.board.layers import (
    Corner,
    Cursor,
    Fire,
    Heat,
    Layer,
    LineOfSight,
    Note,
    Outline,
    Path,
    Rays,
    Selection,
    Tint,
)
from widgets.board.paint.labels import paint_heights, paint_labels
from widgets.board.paint.lines import cross_box, line_drawing, verdict_drawing
from widgets.board.paint.markers import pill, pill_width
from widgets.board.paint.placement import Room, crosses, names_borne, round_cell
from widgets.board.paint.places import place_paths
from widgets.board.paint.rays import ray_ends, ray_numbers, rays_over, rays_under
from widgets.board.paint.shapes import XY, Drawing, View
from widgets.board.palette import Palette

#: Layers that say something beside what they mark.
_SAYING = LineOfSight | Note | Heat | Rays
#: Size of the name of a hex in a box, on boards whose ground does not bear it, in CSS pixels.
_BOXED = 11.0


def tint_drawing(layers: Iterable[Layer], view: View, colours: Palette) -> Drawing:
    """What tints the ground: reach, heat, chosen hexes, sectors; under smoke, lines and counters."""
    d = Drawing()
    for layer in layers:
        if isinstance(layer, Tint):
            _tint(d, layer, view, colours)
        elif isinstance(layer, Heat):
            _heat(d, layer, view, colours)
        elif isinstance(layer, Selection):
            _selection(d, layer, view, colours)
        elif isinstance(layer, Rays):
            rays_under(d, layer, view, colours)
    return d


def under_drawing(layers: Iterable[Layer], view: View, colours: Palette) -> Drawing:
    """Lines of sight, of fire and of ways: over the ground and what lies on it, under the counters."""
    d = Drawing()
    for layer in layers:
        if isinstance(layer, LineOfSight | Path | Fire | Rays):
            line_drawing(d, layer, view, colours)
    return d


def over_drawing(
    layers: Iterable[Layer],
    position: Position,
    view: View,
    colours: Palette,
    labels: bool = True,
    written: Palette | None = None,
) -> Drawing:
    """What lies over the counters: marks, verdicts, and again names and heights of the hexes that something was drawn over.

    Args:
        labels: False where the ground bears no hex names: the hexes that matter then get theirs in a box.
        written: colours of hex names, when they are not the board's.
    """
    d, layers = Drawing(), tuple(layers)
    if not layers:
        return d
    borne, ink = names_borne(position, view), written or colours
    named = list(dict.fromkeys(cell for cell in _named(layers) if cell in position.grid))
    again = [cell for cell in dict.fromkeys((*named, *_drawn_over(layers, borne, view))) if cell in borne]
    if labels:
        paint_heights(d, position, view, ink, list(dict.fromkeys((*named, *_tinted(layers)))))
    paint_labels(d, again, view, ink)
    boxed = [] if labels else [cell for cell in named if cell not in borne]
    room = Room(position, view) if boxed or any(isinstance(layer, _SAYING) for layer in layers) else None
    numbers = {layer: ray_numbers(layer, view, room) for layer in layers if isinstance(layer, Rays) and room}
    crosses_at = [box for layer in layers if isinstance(layer, LineOfSight) and (box := cross_box(layer, view))]
    places = [_name_spot(cell, view, room, crosses_at) for cell in boxed if room]
    for cell, at in zip(boxed, places, strict=True):
        (x, y), aside = view.centre(cell), 0.5 * view.radius
        if room and (abs(at[0] - x) > aside or at[1] > y):  # one right over its hex is read as its own
            _thread(d, at, (x, y), view, colours.ink, colours, room)
    for layer in layers:
        if isinstance(layer, Corner):
            x, y = view.polygon(layer.hex)[1]
            d.disc(x, y, view.radius * 0.2, colours.halo)
            d.ring(x, y, view.radius * 0.17, colours.blocked, view.radius * 0.07)
            d.disc(x, y, view.radius * 0.07, colours.blocked)
        elif isinstance(layer, LineOfSight) and room:
            verdict_drawing(d, layer, view, colours, room)
        elif isinstance(layer, Cursor):
            _cursor(d, layer, view, colours)
        elif isinstance(layer, Outline):
            paths, lines = place_paths(layer.places, position, view)
            d.polygons(paths, stroke=colours.paper, width=view.radius * 0.12, alpha=0.9)
            d.polygons(paths, stroke=getattr(colours, layer.role), width=view.radius * 0.065)
            d.lines(lines, getattr(colours, layer.role), view.radius * 0.1)
            if labels:  # an outline crosses the name of its hex
                crossed = {place.ref for place in layer.places if place.kind == "hex" and place.ref in position.grid}
                _write_again(d, sorted(crossed), position, view, written or colours)
        elif isinstance(layer, Note) and room:
            _note(d, layer, view, colours, room)
        elif isinstance(layer, Heat) and room:
            _shares(d, layer, view, colours, room)
        elif isinstance(layer, Rays) and room:
            rays_over(d, layer, numbers[layer], view, colours, room)
    for cell, (x, y) in zip(boxed, places, strict=True):
        pill_px(d, x, y, cell, colours, _BOXED)
    return d


def _name_spot(cell: str, view: View, room: Room, off: Sequence[Box]) -> XY:
    """Where the name of a hex stands in a box: at its head, else a little above it, else where it hides least."""
    (x, y), r, wide = view.centre(cell), view.radius, _BOXED * pill_width(cell)
    heads = [(x, y - up * r) for up in (0.72, 0.85, 0.95, 1.05, 1.15)]
    spots = [*heads, *(spot for farther in (1.0, 1.5, 2.0) for spot in round_cell((x, y), farther * r, wide))]
    inside = [(min(max(at, wide / 2 + 1), view.width - wide / 2 - 1), up) for at, up in spots]
    return room.place(inside, wide, _BOXED * 1.36, off)


def _drawn_over(layers: Iterable[Layer], borne: Mapping[str, Box], view: View) -> Iterable[str]:
    """Cells whose names on the ground layers tint, or cross with a line.

    Args:
        borne: the names on the ground, with their boxes.
    """
    for layer in layers:
        if isinstance(layer, Tint):
            yield from (cell for name in layer.hexes for cell in name.split(">"))
        elif isinstance(layer, Heat):
            yield from (cell for cell, _, _ in layer.values)
        elif segments := list(_segments(layer, view)):
            yield from (cell for cell, box in borne.items() if any(crosses(a, b, box) for a, b in segments))


def _tinted(layers: Iterable[Layer]) -> Iterable[str]:
    """Cells at whose foot layers lay a tint and nothing is written by it."""
    for layer in layers:
        if isinstance(layer, Heat):
            yield from (cell for cell, _, _ in layer.values)
        elif isinstance(layer, Tint) and not any(layer.texts):
            yield from (cell for name in layer.hexes for cell in name.split(">"))


def _segments(layer: Layer, view: View) -> Iterable[tuple[XY, XY]]:
    """The lines of a layer, in CSS pixels."""
    if isinstance(layer, LineOfSight):
        yield view.centre(layer.start), view.centre(layer.end)
    elif isinstance(layer, Path):
        yield from pairwise(map(view.centre, layer.hexes))
    elif isinstance(layer, Fire | Rays):
        yield from ((view.centre(start), view.centre(layer.target)) for start in layer.starts)
    if isinstance(layer, Rays):
        yield from ((view.centre(layer.target), end) for end in ray_ends(layer, view))


def _write_again(d: Drawing, cells: list[str], position: Position, view: View, colours: Palette) -> None:
    """Names and heights of hexes that something was drawn over."""
    paint_heights(d, position, view, colours, cells)
    paint_labels(d, cells, view, colours)


def _named(layers: Iterable[Layer]) -> Iterable[str]:
    """Cells that layers draw over."""
    for layer in layers:
        if isinstance(layer, LineOfSight):
            yield from (layer.start, layer.end, *layer.crossed)
        elif isinstance(layer, Selection):
            yield from layer.hexes
        elif isinstance(layer, Cursor):
            yield layer.hex
        elif isinstance(layer, Fire | Rays):
            yield from (*layer.starts, layer.target)
        elif isinstance(layer, Path):
            yield from layer.hexes


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


def _shares(d: Drawing, layer: Heat, view: View, colours: Palette, room: Room) -> None:
    """What is written in the cells of a heat map: in their middle, else beside what stands there."""
    size = max(11.0, view.radius * 0.25)
    for cell, _, text in layer.values:
        if text and cell in view.grid:
            at, wide = view.centre(cell), size * pill_width(text)
            x, y = room.place([at, *round_cell(at, view.radius, wide)], wide, size * 1.36)
            _thread(d, (x, y), at, view, colours.ink, colours, room)
            pill_px(d, x, y, text, colours, size)


def _heat(d: Drawing, layer: Heat, view: View, colours: Palette) -> None:
    steps = len(colours.heat)
    for cell, value, _ in layer.values:
        shade = colours.heat[min(steps - 1, max(0, int(value * steps)))]
        d.polygon(view.polygon(cell, 0.96), fill=shade, alpha=0.62)


def _selection(d: Drawing, layer: Selection, view: View, colours: Palette) -> None:
    share, width, alpha = 0.9, max(2.0, view.radius / 15), 0.16
    if layer.chosen:  # within the outline of what may be
        share, width, alpha = 0.83, max(3.0, view.radius / 8), 0.4
    d.polygons([view.polygon(h, 0.97) for h in layer.hexes], fill=colours.select, alpha=alpha)
    rings = [view.polygon(h, share) for h in layer.hexes]
    d.polygons(rings, stroke=colours.halo, width=width + 2, alpha=0.8)
    d.polygons(rings, stroke=colours.select, width=width)


def _cursor(d: Drawing, layer: Cursor, view: View, colours: Palette) -> None:
    d.polygon(view.polygon(layer.hex, 0.86), stroke=colours.halo, width=max(3.2, view.radius / 11), alpha=0.9)
    d.polygon(
        view.polygon(layer.hex, 0.86),
        stroke=colours.cursor,
        width=max(1.6, view.radius / 22),
        dash=(view.radius * 0.16, view.radius * 0.12),
    )


def _thread(d: Drawing, label: XY, centre: XY, view: View, colour: str, colours: Palette, room: Room) -> None:
    """From a label beside its hex to the hex: which one it speaks of."""
    radius = view.radius
    if hypot(label[0] - centre[0], label[1] - centre[1]) > 0.9 * radius:
        end = room.edge(label, centre)
        d.line(label, end, stroke=colours.halo, width=radius * 0.1, alpha=0.8)
        d.line(label, end, stroke=colour, width=max(1.4, radius * 0.04))


def _note(d: Drawing, layer: Note, view: View, colours: Palette, room: Room) -> None:
    size = max(11.0, view.radius * 0.25)
    wide = size * pill_width(layer.text)
    (cx, cy), r = view.centre(layer.hex), view.radius
    x, y = room.place(round_cell((cx, cy), r, wide), wide, size * 1.36)
    _thread(d, (x, y), (cx, cy), view, getattr(colours, layer.role), colours, room)
    with d.placed(x, y, 0, size):
        pill(d, 0, 0, layer.text, colours.paper, getattr(colours, layer.role), getattr(colours, layer.role), 1.0)
