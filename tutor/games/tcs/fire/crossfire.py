"""Cross fire: the twelve rays of the target hex, and how many lie between two firers.

**Rule:** 11.2, 11.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

from tutor.core.arguments import Cell, Cells, Firers, TargetCell
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.grid import HEX_SIDE_MIDDLES, HEX_VERTICES, Point
from tutor.core.marks import Asked, Drawn, Mark, Rays
from tutor.core.trace import hexes, segment
from tutor.games.tcs.game import GAME
from tutor.games.tcs.units import unit

#: Lattice directions of the twelve rays, clockwise from the middle of the top side: middle, corner, middle, corner…
RAYS: tuple[Point, ...] = tuple(p for pair in zip(HEX_SIDE_MIDDLES, HEX_VERTICES, strict=True) for p in pair)
#: Rays that make a cross fire.
THRESHOLD = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """Two firing hexes seen from the target.

    Args:
        first, second: hexes.
        rays: indices (0 to 11, clockwise from the top) on or between the two lines, smaller side.
        count: how many they are.
    """

    first: str
    second: str
    rays: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class CrossFire(Drawn):
    """Whether an attack is a cross fire, with its twelve rays to draw.

    Args:
        applies: whether it is one.
        target: hex.
        best: the pair with most rays, None with fewer than two firing hexes.
        pairs: every pair of firing hexes.
        high: pieces of high trajectory that forbid it.
        directions: lattice directions of the twelve rays from the target's centre.
    """

    applies: bool
    target: str
    best: Pair | None
    pairs: tuple[Pair, ...]
    high: tuple[str, ...]
    directions: tuple[Point, ...] = RAYS

    def drawing(self, asked: Asked) -> tuple[Mark, ...]:
        """Every ray, those that count, the pair that has most of them; none counts where a high trajectory forbids it."""
        best = None if self.high else self.best
        starts = tuple(dict.fromkeys(cell for pair in self.pairs for cell in (pair.first, pair.second)))
        count = len(best.rays) if best else 0
        note = f"{count} rayon{'s' if count > 1 else ''} {'✓' if self.applies else '✕'}" if best else ""
        pair = (best.first, best.second) if best else None
        return (Rays(self.target, self.directions, starts, best.rays if best else (), pair, self.applies, note),)


def _cross(a: Point, b: Point) -> int:
    return a[0] * b[1] - a[1] * b[0]


def _dot(a: Point, b: Point) -> int:
    return a[0] * b[0] + a[1] * b[1]


def rays_between(a: Point, b: Point) -> tuple[int, ...]:
    """Rays on or between two directions, on the smaller side; lattice directions, ends included.

    **Rule:** 11.4.

    >>> rays_between((0, -20), (0, -40)), rays_between((0, -20), (30, 10))
    ((0,), (0, 1, 2, 3, 4))
    >>> len(rays_between((0, -20), (0, 20))), len(rays_between((10, -30), (-10, 30)))
    (7, 6)
    """
    turn = _cross(a, b)
    if turn < 0:
        a, b, turn = b, a, -turn
    if turn:
        return tuple(i for i, r in enumerate(RAYS) if _cross(a, r) >= 0 and _cross(r, b) >= 0)
    if _dot(a, b) > 0:
        return tuple(i for i, r in enumerate(RAYS) if not _cross(a, r) and _dot(a, r) > 0)
    halves = [tuple(i for i, r in enumerate(RAYS) if sign * _cross(a, r) >= 0) for sign in (1, -1)]
    return min(halves, key=len)


def crossfire_of(ctx: Context, cells: Sequence[str], target: str, high: Sequence[str] = ()) -> CrossFire:
    """Cross fire from some hexes at another, untraced."""
    grid = ctx.position.grid
    centre = grid.centre(target)
    places = list(dict.fromkeys(cell for cell in cells if cell != target))
    toward = {c: (grid.centre(c)[0] - centre[0], grid.centre(c)[1] - centre[1]) for c in places}
    between = ((a, b, rays_between(toward[a], toward[b])) for a, b in combinations(places, 2))
    pairs = tuple(Pair(a, b, rays, len(rays)) for a, b, rays in between)
    best = max(pairs, key=lambda p: len(p.rays), default=None)
    applies = bool(best and len(best.rays) >= THRESHOLD and not high)
    return CrossFire(applies, target, best, pairs, tuple(high))


def trace_crossfire(ctx: Context, crossing: CrossFire) -> None:
    """Add the steps of a cross fire."""
    if crossing.best is None:
        ctx.step("11.4", "crossfire.one_hex", value=False, where=hexes(crossing.target), target=crossing.target)
        return
    if crossing.high:
        ctx.step("11.2a", "crossfire.trajectory", "input", pieces=crossing.high)
        ctx.step("11.4a", "crossfire.high", value=False, where=hexes(crossing.target), pieces=crossing.high)
        return
    for pair in crossing.pairs:
        ctx.step(
            "11.4", "crossfire.rays", value=len(pair.rays), unit="rayons",
            where=[segment(pair.first, crossing.target), segment(pair.second, crossing.target)],
            first=pair.first, second=pair.second, target=crossing.target, rays=pair.rays,
        )  # fmt: skip
    code = "crossfire.yes" if crossing.applies else "crossfire.no"
    ctx.step(
        "11.4",
        code,
        value=crossing.applies,
        where=hexes(crossing.target),
        count=len(crossing.best.rays),
        needed=THRESHOLD,
    )


@GAME.question(
    "crossfire",
    rules=("11.4", "11.4a"),
    label="Y a-t-il tir croisé ?",
    theme="Tir de zone",
)
def crossfire(
    ctx: Context,
    target: TargetCell,
    firers: Firers = (),
    cells: Cells = (),
    also: Annotated[Cell | None, "Cible de plus"] = None,
) -> CrossFire:
    """Whether firers make a cross fire on a hex: the twelve rays, and how many lie between each pair.

    Args:
        target: hex fired at.
        firers: ids of firing pieces.
        cells: firing hexes, by low-trajectory pieces not named.
        also: one more of them.

    Returns:
        The cross fire with its rays as data to draw.

    Raises:
        RequestError: neither firers nor cells.

    **Rule:** 11.2a, 11.4, 11.4a.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "tir-croise"), "crossfire", target="05.05", cells=["05.02", "07.06"]).value.applies
    True
    """
    grid = ctx.position.grid
    grid.check(target)
    cells = [*cells, *([also] if also else [])]
    if not firers and not cells:
        raise RequestError(
            "Un tir croisé demande des tireurs ou des hexagones.", remedy="Donnez les uns ou les autres."
        )
    units = [unit(ctx, f) for f in firers]
    high = tuple(u.id for u in units if u.trajectory == "high") if ctx.on("11.4a") else ()
    crossing = crossfire_of(ctx, [*(u.at for u in units), *(grid.check(c) for c in cells)], target, high)
    trace_crossfire(ctx, crossing)
    return crossing
