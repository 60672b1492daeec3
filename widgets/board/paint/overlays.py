"""How each layer is painted: tints on the ground, lines under the counters, marks and verdicts over them."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from tutor.core.position import Position
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
from widgets.board.paint.lines import line_drawing, verdict_drawing
from widgets.board.paint.markers import pill, pill_width
from widgets.board.paint.placement import Room, round_cell
from widgets.board.paint.places import place_paths
from widgets.board.paint.rays import rays_over, rays_under
from widgets.board.paint.shapes import XY, Drawing, View
from widgets.board.palette import Palette


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
    named = list(dict.fromkeys(cell for cell in _named(layers) if cell in position.grid))
    if labels:
        _write_again(d, named, position, view, written or colours)
    room = Room(position, view) if any(isinstance(layer, LineOfSight | Note) for layer in layers) else None
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
        elif isinstance(layer, Rays):
            rays_over(d, layer, view, colours)
    if not labels:
        for cell in named:
            x, y = view.centre(cell)
            pill_px(d, x, y - view.radius * 0.72, cell, colours, 11.0)
    return d


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


def _heat(d: Drawing, layer: Heat, view: View, colours: Palette) -> None:
    steps = len(colours.heat)
    for cell, value, text in layer.values:
        shade = colours.heat[min(steps - 1, max(0, int(value * steps)))]
        d.polygon(view.polygon(cell, 0.96), fill=shade, alpha=0.62)
        _caption(d, cell, text, view, colours)


def _selection(d: Drawing, layer: Selection, view: View, colours: Palette) -> None:
    width = max(2.0, view.radius / 15)
    d.polygons([view.polygon(h, 0.97) for h in layer.hexes], fill=colours.select, alpha=0.16)
    d.polygons([view.polygon(h, 0.9) for h in layer.hexes], stroke=colours.halo, width=width + 2, alpha=0.8)
    d.polygons([view.polygon(h, 0.9) for h in layer.hexes], stroke=colours.select, width=width)


def _cursor(d: Drawing, layer: Cursor, view: View, colours: Palette) -> None:
    d.polygon(view.polygon(layer.hex, 0.86), stroke=colours.halo, width=max(3.2, view.radius / 11), alpha=0.9)
    d.polygon(
        view.polygon(layer.hex, 0.86),
        stroke=colours.cursor,
        width=max(1.6, view.radius / 22),
        dash=(view.radius * 0.16, view.radius * 0.12),
    )


def _note(d: Drawing, layer: Note, view: View, colours: Palette, room: Room) -> None:
    size = max(11.0, view.radius * 0.25)
    wide = size * pill_width(layer.text)
    (cx, cy), r = view.centre(layer.hex), view.radius
    x, y = room.place(round_cell((cx, cy), r, wide), wide, size * 1.36)
    away = hypot(x - cx, y - cy)
    if away > 0.9 * r:  # beside its hex: a thread says which one
        end = cx + (x - cx) * 0.6 * r / away, cy + (y - cy) * 0.6 * r / away
        d.line((x, y), end, stroke=colours.halo, width=r * 0.1, alpha=0.8)
        d.line((x, y), end, stroke=getattr(colours, layer.role), width=max(1.4, r * 0.04))
    with d.placed(x, y, 0, size):
        pill(d, 0, 0, layer.text, colours.paper, getattr(colours, layer.role), getattr(colours, layer.role), 1.0)
