"""How large a position may be: a small text must not cost a page its kernel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from tutor.core.cells import CellWords
from tutor.core.grid import Grid, Point, column_of

#: Most cells of a board; corners of all silhouettes; blocks of joined cells; settings; kinds of markers.
MOST_CELLS, MOST_CORNERS, MOST_JOINED, MOST_TWEAKS, MOST_MARKERS = 1500, 2000, 300, 60, 40
#: How far beyond the board a silhouette may reach, in lattice units (a hex is 80 wide).
MARGIN = 1000


class Bounds(Protocol):
    """Columns and rows of a board, the first and the last, and how its cells are called."""

    @property
    def words(self) -> CellWords: ...
    @property
    def columns(self) -> tuple[str, str]: ...
    @property
    def rows(self) -> tuple[int, int]: ...


class Outline(Protocol):
    """A shape drawn by its corners."""

    @property
    def polygon(self) -> Sequence[Point]: ...


class Sizes(Protocol):
    """What a position holds that may be too much of it."""

    @property
    def board(self) -> Bounds: ...
    @property
    def grid(self) -> Grid: ...
    @property
    def silhouettes(self) -> Sequence[Outline]: ...
    @property
    def joined(self) -> Collection[object]: ...
    @property
    def tweaks(self) -> Collection[object]: ...
    @property
    def markers(self) -> Collection[object]: ...


def excesses(position: Sizes) -> list[str]:
    """Everything that makes a position too large, as French sentences.

    Args:
        position: well formed; its board is not built when it is too large.

    >>> from tutor.core.position import GridSpec, Position
    >>> board = GridSpec(columns=("A", "ZZ"), rows=(1, 60))
    >>> excesses(Position(schema=1, game="g", id="p", grid=board))
    ['Le plateau a 3120 hexs, 1500 au plus.']
    """
    (c1, c2), (r1, r2) = position.board.columns, position.board.rows
    words = position.board.words
    cells = max(0, column_of(c2) - column_of(c1) + 1) * max(0, r2 - r1 + 1)
    if not cells:
        return [f"Le plateau n’a {words.none}."]
    corners = sum(len(shape.polygon) for shape in position.silhouettes)
    counts = (
        (cells, MOST_CELLS, f"Le plateau a {{n}} {words.names}"),
        (corners, MOST_CORNERS, "Les silhouettes ont {n} sommets"),
        (len(position.joined), MOST_JOINED, f"Il y a {{n}} groupes {words.of} réuni{'e' if words.feminine else ''}s"),
        (len(position.tweaks), MOST_TWEAKS, "Il y a {n} réglages"),
        (len(position.markers), MOST_MARKERS, "Il y a {n} sortes de marqueurs"),
    )
    sentences = [f"{text.format(n=n)}, {most} au plus." for n, most, text in counts if n > most]
    if position.silhouettes and not sentences:
        sentences += _far(position)
    return sentences


def _far(position: Sizes) -> list[str]:
    cells = position.grid.cells
    centres = [position.grid.centre(cell) for cell in (cells[0], cells[-1])]
    left, right = min(x for x, _ in centres) - MARGIN, max(x for x, _ in centres) + MARGIN
    top, bottom = min(y for _, y in centres) - MARGIN, max(y for _, y in centres) + MARGIN
    return [
        f"La silhouette {number} sort du plateau."
        for number, shape in enumerate(position.silhouettes, 1)
        if any(not (left <= x <= right and top <= y <= bottom) for x, y in shape.polygon)
    ][:3]
