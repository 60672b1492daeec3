"""Where counters lie: alone, stacked with others of their side, carried by another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from tutor.core.grids_half import HalfHexGrid
from tutor.core.grids_pointy import PointyHexGrid
from tutor.core.position import Piece, Position
from tutor.core.registry import game
from widgets.board.counters.face import WEAPONS, CounterFace, face
from widgets.board.paint.labels import DOWN, LABELLED, LEAST, LEAST_OF_HEX, height_left, label_size, name_boxes
from widgets.board.paint.shapes import XY, View, rounded, text_width

#: Smallest part of a counter's usual side that two stacks sharing a cell leave it.
_SHARED = 0.76
#: Between the middles of two stacks that share a cell, in hex radii.
_PILES = 0.94
#: Side of what a counter carries, in sides of the counter.
CARRIED = 0.54
#: Share of the name of a hex beside it that it may lie over and stay where it is: less than any letter.
_SLIVER = 0.04
#: What stays free between a counter and the frame that cuts its hex, in CSS pixels.
_RIM = 4.0
#: Where else it may stand, from the middle of the counter, in sides of it: lower or higher.
_OTHER_DOWN = (0.16, 0.3, 0.44, 0.56, -0.16, -0.3)


@dataclass(frozen=True, slots=True)
class Placed:
    """A counter on the page.

    Args:
        face: what it shows.
        x, y: its centre, in CSS pixels.
        size: its side.
        weapons: what it carries.
        room: width that its name may take; 0 when it has none.
        count_at: middle of the disc that says so: clear of the value at its upper right.
        until: where its name must end, because the height of its hex is written there; 0 when it may go on.
        weapon_side: 1 when what it carries shows at its right, -1 at its left.
        weapon_down: how low the first that it carries stands, from its middle, in its sides: over no name of a hex.
        count: of the stack that it is the top of; 0 for the others, and when it is alone.
        rank: in its stack from the lowest, 0; how many that stack holds. (0, 1) when it is alone in its cell.
    """

    face: CounterFace
    x: float
    y: float
    size: float
    weapons: tuple[CounterFace, ...] = ()
    room: float = 0.0
    weapon_side: int = 1
    weapon_down: float = 0.02
    count: int = 0
    until: float = 0.0
    count_at: XY = (0.0, 0.0)
    rank: tuple[int, int] = (0, 1)


def stacks(position: Position) -> dict[str, list[Piece]]:
    """The pieces of each cell that stand by themselves: weaker ones first, leaders last and uppermost."""
    cells: dict[str, list[Piece]] = defaultdict(list)
    for piece in position.pieces:
        if "eliminated" in piece.status or carried_by(position, piece) or piece.at is None:
            continue
        if piece.at in position.grid:
            cells[piece.at].append(piece)
    return {cell: sorted(pieces, key=lambda p: p.kind == "leader") for cell, pieces in cells.items()}


def carried_by(position: Position, piece: Piece) -> str | None:
    """Id of the piece on which another is drawn, None for one that has a place of its own."""
    on = piece.carrier in position.by_id and (piece.kind in WEAPONS or piece.at is None)
    return piece.carrier if on else None


def burdens(position: Position) -> dict[str, tuple[CounterFace, ...]]:
    """What each piece carries, as it is drawn on it; a commander is said on the counter of his unit."""
    carried: dict[str, list[CounterFace]] = defaultdict(list)
    for piece in position.pieces:
        carrier = carried_by(position, piece)
        if carrier and piece.kind != "commander" and "eliminated" not in piece.status:
            shown = face(position, piece)
            carried[carrier].append(shown if shown.weapon else _quiet(shown))
    return {carrier: tuple(faces) for carrier, faces in carried.items()}


def side_of(position: Position) -> float:
    """Side of a counter that stands alone, in hex radii."""
    style = game(position.game).counters
    return style.side if style else 1.06


def layout(position: Position, view: View) -> list[Placed]:
    """Where every counter goes: one in the middle, several as a fan, two sides as two stacks; from the farthest up."""
    carried, side, r = burdens(position), side_of(position), view.radius
    placed: list[Placed] = []
    counted: list[tuple[int, float, int | None]] = []
    cells = stacks(position)
    for cell, pieces in sorted(cells.items(), key=lambda item: view.centre(item[0])[1]):
        x, y = view.centre(cell)
        y += r * DOWN
        piles = _piles(pieces)
        shrink, first = 1.0 if len(piles) == 1 else _SHARED, len(placed)
        discs = len(counted)
        x += _aside(x, y, piles, shrink * side * r, view) if len(piles) > 1 else 0.0
        for i, pile in enumerate(piles):
            middle = x + (i - (len(piles) - 1) / 2) * r * _PILES
            for rank, piece in enumerate(pile):
                dx, dy, scale = offsets(len(pile), len(piles) > 1)[rank]
                top, alone, many = piece is pile[-1], len(pieces) == 1, len(pile) > 2
                size = max(r * side * scale * shrink, min(LEAST, LEAST_OF_HEX * r))
                at = middle + dx * r * side, y + dy * r * side
                placed.append(
                    Placed(
                        face(position, piece) if top or not many else _covered(face(position, piece)),
                        *at,
                        size,
                        carried.get(piece.id, ()),
                        _name_room(cell, cells, view) if alone else 0.0,
                        1 if top else -1,
                        count=len(pile) if top and many else 0,
                        until=height_left(position, cell, view) if alone else 0.0,
                        rank=(rank, len(pile)),
                    )
                )
                if placed[-1].weapons:
                    placed[-1] = _clear_of_names(placed[-1], view)
                if top and many:
                    counted.append((len(placed) - 1, middle, i if len(piles) > 1 else None))
        across, down = _inwards(placed[first:], view)
        if across or down:
            placed[first:] = [replace(one, x=one.x + across, y=one.y + down) for one in placed[first:]]
            counted[discs:] = [(index, middle + across, number) for index, middle, number in counted[discs:]]
    for index, middle, number in counted:
        placed[index] = replace(placed[index], count_at=_count_place(placed, index, middle, number, view))
    return placed


def _aside(x: float, y: float, piles: list[list[Piece]], side: float, view: View) -> float:
    """How far two piles stand aside in their hex, in CSS pixels, so that the widest hides no name of a hex beside it.

    Args:
        x, y: where their middle would be.
        piles: of each side.
        side: of one counter that lies there alone.
        view: how the board lies.
    """
    r, names = view.radius, name_boxes(view)

    def hidden(shift: float) -> float:
        under = 0.0
        for i, pile in enumerate(piles):
            reach = max(abs(dx) for dx, _, _ in offsets(len(pile), True)) * side / _SHARED + side / 2
            middle = x + (shift + (i - 0.5) * _PILES) * r
            for left, top, right, bottom in names:
                across = min(right, middle + reach) - max(left, middle - reach)
                under += max(0.0, across) * max(0.0, min(bottom, y + side / 2) - max(top, y - side / 2))
        return under

    return r * min((0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15), key=hidden)


def _inwards(items: Collection[Placed], view: View) -> XY:
    """How far the counters of a cell move, right and down, to lie within a frame that cuts hexes in half.

    Args:
        items: the counters of one cell.
        view: how the board lies.
    """
    if not isinstance(view.grid, HalfHexGrid):
        return 0.0, 0.0
    boxes = [(one.x, one.y, one.size / 2) for one in items]
    boxes += [(*weapon_place(one, i), one.size * CARRIED / 2) for one in items for i in range(len(one.weapons))]
    moves = []
    for middles, corner, most in (
        ([x for x, _, _ in boxes], view.corner[0], view.whole[0]),
        ([y for _, y, _ in boxes], view.corner[1], view.whole[1]),
    ):
        low = min(middle - half for middle, (_, _, half) in zip(middles, boxes, strict=True))
        high = max(middle + half for middle, (_, _, half) in zip(middles, boxes, strict=True))
        first, last = view.MARGIN + _RIM - corner, most - view.MARGIN - _RIM - corner
        moves.append(max(0.0, first - low) or min(0.0, last - high))
    return moves[0], moves[1]


def _clear_of_names(item: Placed, view: View) -> Placed:
    """A counter, what it carries lowered or raised where it would lie over the name of a hex beside it."""
    reach, names = item.size * CARRIED / 2, name_boxes(view)

    def hidden(one: Placed) -> float:
        places = [weapon_place(one, i) for i in range(len(one.weapons))]
        shares = [(_under_square(at, reach, box), box) for at in places for box in names]
        return sum(
            part for part, (left, top, right, bottom) in shares if part > _SLIVER * (right - left) * (bottom - top)
        )

    return min((replace(item, weapon_down=down) for down in (item.weapon_down, *_OTHER_DOWN)), key=hidden)


def _covered(shown: CounterFace) -> CounterFace:
    """A counter under others: what is written over its edge would be read on them; the lens says it."""
    return replace(shown, look=replace(shown.look, tags=())) if shown.look else shown


def _quiet(shown: CounterFace) -> CounterFace:
    """A unit that another carries, half-size: that it moves is said by its carrier, what ails it by itself."""
    if not shown.look:
        return shown
    return replace(shown, look=replace(shown.look, tags=tuple(tag for tag in shown.look.tags if tag.style != "plain")))


def count_size(radius: float) -> float:
    """Radius of the disc that says how many counters a stack holds, in CSS pixels, on hexes of a radius."""
    return max(8.0, radius * 0.19)


def _count_place(placed: list[Placed], top: int, middle: float, number: int | None, view: View) -> XY:
    """Where a stack says how many it holds: clear of the value at its upper right, over no name of a hex, no counter of
    another cell; else where it hides least.

    Args:
        placed: every counter.
        top: place in it of the stack's uppermost one.
        middle: of the stack, across.
        number: of the stack in its hex from 0, None when it is alone there.
        view: how the board lies.
    """
    item, q = placed[top], count_size(view.radius)
    x, y, half, low = item.x, item.y, item.size / 2, 2 * middle - item.x
    above = y - half - q * 0.9
    if number is None:
        spots = [(x + 0.6 * half, above), (x + half + 0.75 * q, y - half + 0.4 * q), (x + half, above)]
        spots += [(low - half - 0.3 * q, y - 0.4 * half), (low - 0.6 * half, above + 0.3 * half)]
        spots += [(x + 0.6 * half, y + half + 0.9 * q), (low - half, y + half + 0.9 * q), (middle, above)]
    elif number:
        spots = [(x + 1.32 * half, y - 1.32 * half), (x + 0.6 * half, above)]
    else:
        spots = [(low - half, y - 0.72 * half), (low - 0.6 * half, above)]
    own = range(top - item.count + 1, top + 1)
    taken = [
        (o.x - o.size / 2, o.y - o.size / 2, o.x + o.size / 2, o.y + o.size / 2)
        for i, o in enumerate(placed)
        if i not in own and max(abs(o.x - x), abs(o.y - y)) < 4 * view.radius
    ]
    carried = item.size * CARRIED / 2
    for i in range(len(item.weapons)):
        wx, wy = weapon_place(item, i)
        taken.append((wx - carried, wy - carried, wx + carried, wy + carried))
    taken += name_boxes(view)
    return min(spots, key=lambda spot: sum(_under_square(spot, q, box) for box in taken))


def _under_square(spot: XY, radius: float, box: tuple[float, float, float, float]) -> float:
    """Area of a box under a square, or a disc taken for one."""
    across = min(box[2], spot[0] + radius) - max(box[0], spot[0] - radius)
    down = min(box[3], spot[1] + radius) - max(box[1], spot[1] - radius)
    return max(0.0, across) * max(0.0, down)


def _name_room(cell: str, taken: Collection[str], view: View) -> float:
    """Width for the name of a unit alone in its cell: more where the hexes at its lower left and right, or the squares at
    both sides, hold no counter; in rows of hexes, what the hex names of the row below leave between them.
    """
    r, (x, y) = view.radius, view.centre(cell)
    if isinstance(view.grid, PointyHexGrid) and r >= LABELLED:
        return min(1.85 * r, 3**0.5 * r - text_width(cell, label_size(view)) - 7)
    across, down = (2.0, 0.0) if view.grid.side_count == 4 else (1.5, 0.87)
    beside = {view.cell_at(x + across * r * side, y + down * r) for side in (1, -1)}
    return r * (1.85 if beside & set(taken) else 2.8)


def _piles(pieces: list[Piece]) -> list[list[Piece]]:
    """The pieces of a cell by side; sides that no other is opposed to here lie together."""
    sides: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        sides[piece.side].append(piece)
    return list(sides.values()) if len(sides) == 2 else [pieces]


def offsets(count: int, shared: bool = False) -> list[tuple[float, float, float]]:
    """Offsets and sizes (in sides of a counter) of the counters of one stack.

    Args:
        shared: another stack lies beside it.

    >>> offsets(1)
    [(0.0, 0.0, 1.0)]
    """
    if count == 1:
        return [(0.0, 0.0, 1.0)]
    reach = 0.2 if shared else {2: 0.56, 3: 0.78}.get(count, 0.84)
    step = reach / (count - 1)
    return [((i - (count - 1) / 2) * step, 0.05 - (i - (count - 1) / 2) * step * 0.22, 0.92) for i in range(count)]


def piece_at(position: Position, view: View, x: float, y: float) -> str | None:
    """Id of the uppermost counter under a pixel, or None."""
    for item in reversed(layout(position, view)):
        if abs(x - item.x) <= item.size / 2 and abs(y - item.y) <= item.size / 2:
            return item.face.id
    return None


def weapon_place(item: Placed, index: int) -> XY:
    """Centre of a carried weapon."""
    return item.x + item.weapon_side * item.size * 0.74, item.y + item.size * (item.weapon_down + 0.4 * index)


def hangs(item: Placed) -> int | None:
    """Which of the weapons of a counter touches it by a corner alone, so that a link must tell whose it is; None: none.

    Args:
        item: the counter.

    >>> from tutor.core.registry import load_position
    >>> from widgets.board.paint.shapes import fitted
    >>> riders = load_position("tcs", "pertes")
    >>> [item.face.name for item in layout(riders, fitted(riders.grid, 300, 600)) if hangs(item) is not None]
    ['Camion']
    """
    if not item.weapons:
        return None
    nearest = min(range(len(item.weapons)), key=lambda i: abs(weapon_place(item, i)[1] - item.y))
    return nearest if abs(weapon_place(item, nearest)[1] - item.y) > 0.5 * item.size * CARRIED else None


def counter_outline(item: Placed) -> list[XY]:
    """Pixels of a counter's edge, for highlights."""
    return [(item.x + x * item.size, item.y + y * item.size) for x, y in rounded(-0.53, -0.53, 1.06, 1.06, 0.12)]
