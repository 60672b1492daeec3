"""Distance and line of sight: intermediate hexes on the most direct paths, the attacker choosing among them.

**Rule:** 3.14.9, 5.4, 5.14, 6.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import End, Start
from tutor.core.context import Context
from tutor.core.grid import Point
from tutor.core.marks import Seen, Sighting, state_of
from tutor.core.position import Position
from tutor.core.trace import hexes, segment
from tutor.games.sherman_leader.board import blocks, terrain
from tutor.games.sherman_leader.game import GAME

#: A trace shows this many paths at most; the verdict looks at all of them.
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Sight(Sighting):
    """A line of sight.

    Args:
        visible: whether the attacker sees the target.
        distance: in hexes, 0 for the same hex.
        path: intermediate hexes of the path chosen, when there is an open one.
        paths: how many most direct paths there are.
        blocking: intermediate hexes that block at least one of them, in board order.
        straight: the path is read along the straight line.
    """

    visible: bool
    distance: int
    path: tuple[str, ...]
    paths: int
    blocking: tuple[str, ...]
    straight: bool = False

    def seen(self) -> Seen:
        """What it comes to, in the words that all games share: drawn along its path, unless that is a straight line."""
        acting = () if self.visible else self.blocking
        via = () if self.straight else self.path
        return Seen(state_of(self.visible), "6.6", crossed=self.path, acting=acting, via=via)


@GAME.question(
    "distance",
    rules=("3.14.9", "5.13.2"),
    label="À quelle distance ?",
    theme="Vue et mouvement",
    common=True,
)
def distance(ctx: Context, start: Start, end: End) -> int:
    """Range from one hex to another, the first not counted.

    Args:
        start, end: hex names.

    Returns:
        Hexes, 0 for the same hex.

    **Rule:** 3.14.9, 5.13.2.

    >>> GAME.load().rules["distance"](GAME.position("tour-1"), start="B6", end="B3").value
    3
    """
    grid = ctx.position.grid
    away = grid.distance(grid.check(start), grid.check(end))
    ctx.step("3.14.9", "distance.count", value=away, where=[segment(start, end)], start=start, end=end)
    return away


def look(ctx: Context, start: str, end: str) -> Sight:
    """The line of sight without a trace: for choices among many targets."""
    position = ctx.position
    away = position.grid.distance(start, end)
    if away <= 1:
        return Sight(True, away, (), 1, ())
    if ctx.setting("los_path") == "line":
        return _straight(ctx, start, end, away)
    layers, counts = [{start: 1}], {start: 1}
    for step in range(1, away):
        layer: dict[str, int] = {}
        for cell, n in layers[-1].items():
            for other in position.grid.neighbours(cell):
                if position.grid.distance(other, end) == away - step:
                    layer[other] = layer.get(other, 0) + n
        layers.append(layer)
        counts = layer
    on_paths = [cell for layer in layers[1:] for cell in layer]
    shut = {cell for cell in on_paths if ctx.on("6.6") and blocks(position, cell)}
    path = _open_path(position, start, end, away, shut)
    return Sight(path is not None, away, path or (), sum(counts.values()), _ordered(position, shut))


def _ordered(position: Position, cells: set[str]) -> tuple[str, ...]:
    return tuple(cell for cell in position.grid.cells if cell in cells)


def _open_path(position: Position, start: str, end: str, away: int, shut: set[str]) -> tuple[str, ...] | None:
    """One shortest path without a shut hex between its ends, or None."""
    came: dict[str, str] = {}
    layer = [start]
    for step in range(1, away):
        reached: list[str] = []
        for cell in layer:
            for other in position.grid.neighbours(cell):
                if other not in came and other not in shut and position.grid.distance(other, end) == away - step:
                    came[other] = cell
                    reached.append(other)
        layer = reached
    if not layer:
        return None
    back = [layer[0]]
    while came[back[-1]] != start:
        back.append(came[back[-1]])
    return tuple(reversed(back))


def shortest_paths(position: Position, start: str, end: str) -> list[tuple[str, ...]]:
    """The first most direct paths by hexes, ends left out, ``SHOWN`` at most."""
    grid, paths = position.grid, list[tuple[str, ...]]()
    stack: list[tuple[str, ...]] = [(start,)]
    while stack and len(paths) < SHOWN:
        path = stack.pop()
        left = grid.distance(path[-1], end)
        if left <= 1:
            paths.append(path[1:])
            continue
        stack += [(*path, n) for n in reversed(grid.neighbours(path[-1])) if grid.distance(n, end) == left - 1]
    return paths


def _straight(ctx: Context, start: str, end: str, away: int) -> Sight:
    """The reading by the straight line: crossed hexes block; along a side, only both hexes together."""
    position = ctx.position
    p, q = position.grid.centre(start), position.grid.centre(end)
    crossed: list[str] = []
    beside: dict[tuple[Point, Point], list[str]] = {}
    for cell in position.grid.cells:
        if cell in (start, end):
            continue
        corners = position.grid.polygon(cell)
        sides = [_side(p, q, corner) for corner in corners]
        if min(sides) < 0 < max(sides):
            if _within(p, q, corners):
                crossed.append(cell)
        elif sides.count(0) == 2 and _within(p, q, tuple(c for c, s in zip(corners, sides, strict=True) if s == 0)):
            edge = sorted(c for c, s in zip(corners, sides, strict=True) if s == 0)
            beside.setdefault((edge[0], edge[1]), []).append(cell)
    pairs = [cells for cells in beside.values() if start not in cells and end not in cells]
    on = ctx.on("6.6")
    shut = {cell for cell in crossed if on and blocks(position, cell)}
    for cells in pairs:
        if on and all(blocks(position, cell) for cell in cells):
            shut |= set(cells)
    choice = [next((c for c in cells if not blocks(position, c)), cells[0]) for cells in pairs]
    path = tuple(sorted((*crossed, *choice), key=lambda c: position.grid.distance(start, c))) if not shut else ()
    return Sight(not shut, away, path, 2 ** len(pairs), _ordered(position, shut), True)


def _side(p: Point, q: Point, corner: Point) -> int:
    return (q[0] - p[0]) * (corner[1] - p[1]) - (q[1] - p[1]) * (corner[0] - p[0])


def _within(p: Point, q: Point, corners: tuple[Point, ...]) -> bool:
    """Whether the line meets the figure between its two ends, by more than a point."""
    length = (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2
    at: list[Fraction] = []
    for i, a in enumerate(corners):
        b = corners[(i + 1) % len(corners)]
        s, t = _side(p, q, a), _side(p, q, b)
        if s == 0:
            at.append(Fraction((a[0] - p[0]) * (q[0] - p[0]) + (a[1] - p[1]) * (q[1] - p[1]), length))
        if s * t < 0:
            k = Fraction(s, s - t)
            x, y = a[0] + k * (b[0] - a[0]), a[1] + k * (b[1] - a[1])
            at.append(((x - p[0]) * (q[0] - p[0]) + (y - p[1]) * (q[1] - p[1])) / length)
    return len(at) > 1 and min(max(at), Fraction(1)) > max(min(at), Fraction(0))


@GAME.question(
    "los",
    rules=("6.6", "5.4", "5.4.1", "5.4.2", "5.4.3", "5.4.4", "5.4.5", "5.14"),
    label="Ces deux hexagones se voient-ils ?",
    theme="Vue et mouvement",
    common=True,
)
def line_of_sight(ctx: Context, start: Start, end: End, indirect: Annotated[bool, "Tir indirect"] = False) -> Sight:
    """Whether the attacker in one hex sees a target in another.

    Args:
        start, end: hex names; the same hex sees itself.
        indirect: the attacker fires indirectly, or his commander spots.

    Returns:
        The sight; the trace shows every path and what blocks it.

    Raises:
        UnknownHex: a hex is not on the board.

    **Rule:** 5.4.1-5.4.5, 5.14, 6.6.

    >>> GAME.load().rules["los"](GAME.position("tour-1"), start="B6", end="B3").value.visible
    False
    """
    position = ctx.position
    position.grid.check(start), position.grid.check(end)
    away = position.grid.distance(start, end)
    if indirect and ctx.on("5.14"):
        ctx.step("5.14", "los.indirect", start=start, end=end, value=away)
        return Sight(True, away, (), 1, ())
    seen = look(ctx, start, end)
    if away <= 1:
        ctx.step("6.6", "los.near" if away else "los.here", start=start, end=end, value=away)
        return seen
    ctx.step("6.6", "los.paths", start=start, end=end, distance=away, value=seen.paths, where=[segment(start, end)],
             note="interprétation")  # fmt: skip
    if ctx.setting("los_path") == "line":
        ctx.step("6.6", "los.straight", start=start, end=end, where=[segment(start, end)], note="interprétation")
    elif ctx.tracing:
        for path in shortest_paths(position, start, end):
            shut = [cell for cell in path if cell in seen.blocking]
            code = "los.path_blocked" if shut else "los.path_open"
            ctx.step("6.6", code, cells=list(path), blocking=shut, where=hexes(*path))
    for cell in seen.blocking:
        kind = terrain(position, cell)
        ctx.step(_rule(kind), "los.blocking", kind=kind, cell=cell, where=hexes(cell))
    if seen.visible:
        ctx.step("6.6", "los.visible", path=list(seen.path), value=True, where=hexes(*seen.path))
    else:
        ctx.step("6.6", "los.hidden", cells=list(seen.blocking), value=False, where=hexes(*seen.blocking))
    return seen


def _rule(kind: str) -> str:
    return str(GAME.tables["terrain"].rows[kind]["rule"]) if GAME.tables["terrain"].has(kind) else "5.4"
