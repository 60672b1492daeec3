"""Elevation of a hex, in metres: standard, simplified, map reader, or standard with the real points of 8.5a.

**Rule:** 8.1f, 8.1i, 8.2, 8.4, 8.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import Cell
from tutor.core.context import Context
from tutor.core.trace import hexes
from tutor.games.tcs.board import Board, board
from tutor.games.tcs.game import GAME

#: Precision of an elevation, in metres (8.2b).
QUANTUM = 5
#: Segments that a line between two contours is cut into (8.2b).
QUARTERS = 4
#: Rules of this module that a computation may leave out.
OMITTED_HERE = ("8.1i", "8.2b", "8.2c")


@dataclass(frozen=True, slots=True)
class Elevation:
    """Elevation of a hex.

    Args:
        cell: hex name.
        value: metres.
        rule: what decided it.
        how: sea, plateau, contour, between, basin, dome, high, layer or summit.
        low: contour line below, in metres.
        quarter: segments counted up from it, for ``between``.
        tie: whether the centre is as far from two quarters, or the height from two multiples of 5 m.
    """

    cell: str
    value: int
    rule: str
    how: str
    low: int
    quarter: int = 0
    tie: bool = False


def nearest_step(percent: int, steps: int, tie_up: bool) -> int:
    """Nearest end of a segment cut into equal steps.

    Args:
        percent: place from the low end, 0 to 100.
        steps: parts.
        tie_up: a tie takes the higher end.

    **Rule:** 8.2b.

    >>> [nearest_step(p, 4, False) for p in (0, 12, 13, 37, 38, 90, 50)]
    [0, 0, 1, 1, 2, 4, 2]
    >>> nearest_step(25, 2, False), nearest_step(25, 2, True)
    (0, 1)
    """
    place = Fraction(percent * steps, 100)
    low = place.numerator // place.denominator
    rest = place - low
    return low + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and tie_up))


def elevation_of(ctx: Context, compiled: Board, cell: str, *, contention: bool = False) -> Elevation:
    """Elevation of a hex by the method that the position's settings choose, untraced.

    Args:
        cell: hex name.
        contention: True for a hex between the two ends (8.5a may take its highest point on the line).
    """
    position, method = ctx.position, ctx.setting("elevation")
    low = position.level_of.get(cell, 0)
    if "sea" in compiled.features.get(cell, ()):
        return Elevation(cell, 0, "8.1f", "sea", 0)
    summit = position.marker("summit", cell)
    if type(summit) is int and "8.1i" in ctx.without:
        return Elevation(cell, summit, "8.1i", "summit", low)
    between, basin, dome = (compiled.percent(kind, cell) for kind in ("between", "basin", "dome"))
    interval = compiled.contour_interval
    high = position.marker("high", cell)
    sloping = method == "map_reader" or (method == "points" and basin is None and dome is None)
    if sloping and contention and type(high) is int:
        return Elevation(cell, high, "8.5a", "high", low)
    if method == "map_reader":
        if basin is not None:
            return _quantized(ctx, cell, low + interval - Fraction(interval * basin, 200), "8.5c", "basin", low)
        if dome is not None:
            top = _top(ctx, compiled, cell, low)
            if dome == 100:
                return Elevation(cell, top, "8.5b", "dome", low)
            return _quantized(ctx, cell, low + Fraction((top - low) * dome, 100), "8.5b", "dome", low)
    if method == "simplified":
        if basin is not None:
            return Elevation(cell, low, "8.4b", "basin", low)
        how = "contour" if between in (0, 100) else "layer"
        return Elevation(cell, low + interval * (between == 100), "8.4a", how, low)
    if basin is not None:
        return Elevation(cell, low + interval * ("8.2c" not in ctx.without), "8.2c", "basin", low)
    if between is None:
        return Elevation(cell, low, "8.2a", "plateau", low)
    if between in (0, 100):
        return Elevation(cell, low + interval * (between == 100), "8.2b", "contour", low)
    if "8.2b" in ctx.without:
        return Elevation(cell, low, "8.2b", "between", low)
    steps = segments(interval)
    quarter = nearest_step(between, steps, ctx.setting("quarter_tie") == "upper")
    tie = between * steps % 100 == 50
    return Elevation(cell, low + quarter * interval // steps, "8.2b", "between", low, quarter, tie)


def segments(interval: int) -> int:
    """Segments that a line between two contours is cut into: four, fewer when they would be under 5 m.

    **Rule:** 8.2b.

    >>> [segments(interval) for interval in (5, 10, 15, 20, 40)]
    [1, 2, 3, 4, 4]
    """
    return max(1, min(QUARTERS, interval // QUANTUM))


def _quantized(ctx: Context, cell: str, height: Fraction, rule: str, how: str, low: int) -> Elevation:
    """An interpolated height to the nearest 5 m; a tie goes as the setting ``quarter_tie`` says."""
    steps, rest = divmod(height, QUANTUM)
    tie = 2 * rest == QUANTUM
    up = 2 * rest > QUANTUM or (tie and ctx.setting("quarter_tie") == "upper")
    return Elevation(cell, QUANTUM * (int(steps) + up), rule, how, low, tie=tie)


#: Sentences of basins that are not flat.
_BASINS = {"8.4b": "elevation.basin_layer", "8.5c": "elevation.basin_hollow"}


def _top(ctx: Context, compiled: Board, cell: str, low: int) -> int:
    """The summit of the domed plateau a hex lies on: its printed height, else half an interval above the contour."""
    summit = ctx.position.marker("summit", cell)
    return summit if type(summit) is int else low + compiled.contour_interval // 2


def trace_elevation(ctx: Context, compiled: Board, ground: Elevation) -> None:
    """Add the step that says how an elevation was found."""
    interval, cell = compiled.contour_interval, ground.cell
    summit = ctx.position.marker("summit", cell)
    if type(summit) is int and summit != ground.value and "8.1i" not in ctx.without:
        where, ground_at = hexes(cell), ground.value
        ctx.step("8.1i", "elevation.summit_spared", value=summit, unit="m", where=where, cell=cell, ground=ground_at)
    ctx.step(
        ground.rule, _BASINS.get(ground.rule, f"elevation.{ground.how}"), value=ground.value, unit="m",
        where=hexes(cell), cell=cell, low=ground.low, top=_top(ctx, compiled, cell, ground.low),
        above=ground.low + interval, gain=ground.quarter * interval // segments(interval),
        quarter=ground.quarter, steps=segments(interval), note="interprétation" if ground.tie else None,
    )  # fmt: skip


@GAME.question(
    "elevation",
    rules=("8.2", "8.4", "8.5"),
    label="À quelle altitude est cet hexagone ?",
    theme="Vue et terrain",
)
def elevation(ctx: Context, cell: Cell) -> Elevation:
    """Elevation of a hex by the chosen method, terrain not added.

    Args:
        cell: hex name.

    Returns:
        Metres, with the contour line below and the rule that decides.

    Raises:
        UnknownHex: the hex is not on the board.

    **Rule:** 8.1f, 8.1i, 8.2a-8.2c, 8.4, 8.5.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-ldv"), "elevation", cell="03.06").value.value
    80
    """
    ctx.position.grid.check(cell)
    for rule in OMITTED_HERE:
        ctx.on(rule)
    compiled = board(ctx.position)
    ground = elevation_of(ctx, compiled, cell)
    trace_elevation(ctx, compiled, ground)
    return ground
