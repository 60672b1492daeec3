"""The letters that tiles bear for their terrain: written by the page, where no counter and no line covers them."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.position import Position
from widgets.board.counters.names import Name
from widgets.board.grounds import letters_on
from widgets.board.paint.labels import LABELLED
from widgets.board.paint.shapes import XY, Drawing, View, text_width
from widgets.board.palette import Palette

#: Size of a letter, in hex radii, and in CSS pixels at least; its height, and what its disc adds around it, in sizes.
_SIZE, _LEAST, _TALL, _DISC = 0.17, 11.0, 0.76, 0.35
#: Hex radius in CSS pixels from which there is room for a disc beside a counter.
_ROOMY = 54.0
#: Where a letter may stand, from the centre of its hex, in hex radii: beside a counter, lower first, then at the foot.
_SPOTS = (
    *((x, y) for y in (0.36, 0.2, 0.0, -0.2, -0.36) for x in (-0.7, 0.7)),
    *((0.0, down) for down in (0.74, 0.76, 0.78)),
    *((x, 0.74 - 0.4 * abs(x)) for x in (-0.3, 0.3)),
    *((x, -0.5) for x in (-0.4, 0.4)),
)


def tile_letters(position: Position, view: View) -> dict[str, str]:
    """The cells that bear a letter, and that letter; none on hexes too small for it.

    Args:
        position: the situation.
        view: how it lies on the page.

    >>> from tutor import load_position
    >>> from widgets.board.paint.shapes import fitted
    >>> board = load_position("sherman_leader", "plateau")
    >>> tile_letters(board, fitted(board.grid, 374, 400))
    {'A5': 'Im', 'B3': 'H', 'C4': 'L', 'C5': 'W'}
    """
    letters = letters_on(position.game) if view.radius >= LABELLED else {}
    tiles = sorted(position.terrain_of.items())
    return {cell: letters[kind] for cell, kind in tiles if kind in letters and cell in position.grid}


def letter_choices(cell: str, letter: str, view: View) -> Iterable[Name]:
    """A letter as it may stand in its hex, crossed by no side of it; the best first."""
    (x, y), r, size = view.centre(cell), view.radius, max(_LEAST, _SIZE * view.radius)
    path = view.polygon(cell, 0.97)
    for across, down in _SPOTS:
        at, half = x + across * r, letter_extent(letter, size, view)[0] / 2
        side = max(abs(px - x) for px, _ in path)
        at = min(max(at, x - side + half), x + side - half)  # a wide one moves in
        yield letter, at, y + down * r, size


def letter_extent(letter: str, size: float, view: View) -> XY:
    """Width and height of a letter, with its disc where there is room for one, in CSS pixels."""
    wide, tall = text_width(letter, size, True), _TALL * size
    disc = 2 * _DISC * size + max(wide, tall) if view.radius >= _ROOMY else 0.0
    return max(wide, disc), max(tall, disc)


def paint_letters(d: Drawing, letters: Iterable[Name], view: View, colours: Palette) -> None:
    """Letters where they stand, each on a disc where hexes are large, else with a halo."""
    for text, x, y, size in letters:
        if view.radius >= _ROOMY:
            q = letter_extent(text, size, view)[0] / 2
            d.disc(x, y, q, colours.halo)
            d.ring(x, y, q, colours.label, max(1.0, view.radius * 0.02))
        d.text(text, x, y, size, colours.label, bold=True, halo=colours.halo)
