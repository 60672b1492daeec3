"""Spotting range as a walk along columns, and whether a hex is observed.

**Rule:** 7.0, 7.1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import TargetCell
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import hexes
from tutor.games.tcs.arguments import Spotter
from tutor.games.tcs.board import board
from tutor.games.tcs.charts import cell_of, chart, note_of, read
from tutor.games.tcs.game import GAME
from tutor.games.tcs.los.los import sight_of
from tutor.games.tcs.los.night import is_night
from tutor.games.tcs.morale import class_note, hex_class
from tutor.games.tcs.units import Unit, place, trace_driving, unit, units_at

#: Stands for an unlimited spotting range.
UNLIMITED = 999


@dataclass(frozen=True, slots=True)
class Walk:
    """The walk along the columns for one unit of the target hex.

    Args:
        unit: piece looked for.
        shifts: (name, columns).
        column: place counted from the A-Target column.
        hexes: spotting range, 999 when unlimited, None when the chart does not say.
    """

    unit: str
    shifts: tuple[tuple[str, int], ...]
    column: int
    hexes: int | None


@dataclass(frozen=True, slots=True)
class Spotting:
    """How far a unit spots the units of a hex, and whether it observes them.

    Args:
        observed: seen and within range.
        hexes: longest range over the units there.
        distance: to the hex.
        los: line of sight.
        best: the unit seen from farthest.
        walks: one for each unit of the hex.
    """

    observed: bool
    hexes: int
    distance: int
    los: bool
    best: str
    walks: tuple[Walk, ...]


def walk(
    ctx: Context,
    spotter: Unit,
    looked: Unit,
    *,
    fired: bool = False,
    need: int | None = None,
    terrain: str | None = None,
) -> Walk:
    """Walk the columns for one unit.

    Args:
        spotter: who looks.
        looked: at whom.
        fired: the unit looked at fires now.
        need: the distance that matters: a bound on an unprinted column is then enough.
        terrain: class to use for that of the hex, None for its own.

    Raises:
        UnknownValue: a shift or a column that the booklet does not print.

    **Rule:** 7.1e.
    """
    where = place(looked)
    origin = None if terrain else board(ctx.position).features.get(looked.at, ())
    terrain = terrain or hex_class(ctx, looked.at)
    if terrain is None:
        raise UnknownValue("terrain", f"{looked.at}.class", "9.3")
    with ctx.group("7.1e", "spotting.walk", where=where, piece=looked.id) as group:
        group.code = "spotting.walk_unknown"
        trace_driving(ctx, looked)
        if origin and (note := class_note("terrain", origin, terrain)):
            ctx.step("9.3a", "fire.terrain", value=terrain, where=hexes(looked.at), note=note, target=looked.at)
        shifts = tuple(
            (name, int(read(ctx, "spotting_shifts", name, "shift", "spotting.shift", rule, where)))
            for name, rule in _wanted(ctx, spotter, looked, terrain, fired)
        )
        column = sum(v for _, v in shifts)
        try:
            reach, how, provenance = _reach(ctx, column, need)
        except UnknownValue:
            group.code = "spotting.walk_unprinted"
            ctx.step("7.1a", "spotting.unprinted", where=where, shift=column)
            raise
        group.code, group.value, group.unit = "spotting.walk", reach, "hexagones"
        note = None if provenance == "livret" else provenance
        ctx.step("7.1a", how, value=reach, where=where, note=note, shift=column)
    return Walk(looked.id, shifts, column, reach)


def _wanted(ctx: Context, spotter: Unit, looked: Unit, terrain: str, fired: bool) -> list[tuple[str, str]]:
    """Rows of the chart of shifts that apply to a unit looked at, each with the rule that asks for it."""
    dug_in = ctx.on("6.16")
    on_road = ctx.position.state.get("target_on_road") is True
    compiled = board(ctx.position)
    rows = [
        (looked.target, "7.1e", True),
        (terrain, "9.3", ctx.on("9.3")),
        ("target_move", "7.1e", looked.posture == "move"),
        ("target_dug_in", "6.16", looked.posture == "dug_in" and dug_in),
        ("target_fired", "7.1e", (fired or "fired" in looked.status) and ctx.on("7.1e")),
        ("spotter_dug_in", "6.16", spotter.posture == "dug_in" and dug_in),
        ("road", "7.1e", on_road and looked.posture == "move"),
        ("smoke", "7.1e", looked.at in compiled.smoke),
        ("night", "7.1e", is_night(ctx) and looked.at not in compiled.lit),
    ]
    return [(name, rule) for name, rule, applies in rows if applies]


def _reach(ctx: Context, column: int, need: int | None) -> tuple[int, str, str]:
    """Range of a column, its sentence and its provenance: 0 off the left of a whole chart, unlimited off its right.

    Columns grow to the right: where one is not printed, its neighbours bound it.
    """
    table = chart(ctx, "spotting")
    printed = {int(row): table.get(row, "hexes") for row in table.rows if table.get(row, "hexes") is not None}
    columns = [int(row) for row in table.rows]
    if table.provenance != "livret":
        if column < min(columns):
            return 0, "spotting.none", table.provenance
        if column > max(columns):
            return UNLIMITED, "spotting.unlimited", table.provenance
    if column not in printed and need is not None:
        least = max((v for c, v in printed.items() if c < column), default=0)
        most = min((v for c, v in printed.items() if c > column), default=UNLIMITED)
        if least >= need:
            return least, "spotting.at_least", table.provenance
        if most < need:
            return most, "spotting.at_most", table.provenance
    cell = cell_of(ctx, "spotting", str(column), "hexes", "7.1e")
    return int(cell.value), "spotting.column", note_of("spotting", str(column), "hexes", cell) or "livret"


@GAME.question(
    "spotting",
    rules=("7.1", "7.1a", "7.1e"),
    label="Cette unité observe-t-elle l’ennemi ?",
    theme="Vue et terrain",
    common=True,
)
def spotting(ctx: Context, spotter: Spotter, target: TargetCell, fired: Annotated[bool, "A tiré"] = False) -> Spotting:
    """How far a unit spots the enemies of a hex: the unit seen from farthest counts for all.

    Args:
        spotter: piece that looks.
        target: hex.
        fired: its units fire now.

    Returns:
        The spotting, with one walk for each enemy there.

    Raises:
        RequestError: no enemy there.

    **Rule:** 7.0, 7.1, 7.1a, 7.1e.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-observation"), "spotting", spotter="mg", target="02.04").value.hexes
    6
    """
    ctx.position.grid.check(target)
    ctx.on("7.1e")
    eye = unit(ctx, spotter)
    looked = [u for u in units_at(ctx, target) if u.side != eye.side]
    if not looked:
        raise RequestError(f"Aucun ennemi en {target}.", remedy="Choisissez un hexagone occupé par l’ennemi.")
    walks = tuple(walk(ctx, eye, u, fired=fired) for u in looked)
    best = max(walks, key=lambda w: w.hexes or 0)
    reach = best.hexes or 0
    n = ctx.position.grid.distance(eye.at, target)
    sees = sight_of(ctx, eye.at, target).visible
    if len(walks) > 1:
        ctx.step("7.1e", "spotting.best", value=reach, where=hexes(target), piece=best.unit)
    observed = sees and n <= reach
    code = "spotting.observed" if observed else "spotting.hidden" if n > reach else "spotting.unseen"
    ctx.step("7.1", code, value=observed, where=hexes(target), distance=n, reach=reach, target=target)
    return Spotting(observed, reach, n, sees, best.unit, walks)


def observed_by(
    ctx: Context,
    eyes: Sequence[Unit],
    target: str,
    terrain: str | None = None,
    shooters: Collection[str] = (),
) -> tuple[bool, bool]:
    """Whether any, and whether all, of some units observe a hex; empty hexes count as observed.

    Args:
        terrain: class to use for that of the hex (15.2c), None for its own.
        shooters: ids of the pieces there that fire now: they are seen from farther.

    **Rule:** 7.1, 7.1d.
    """
    side = eyes[0].side
    if not any(u.side != side for u in units_at(ctx, target)):
        return True, True
    answers = []
    for eye in {(u.at, u.posture == "dug_in"): u for u in reversed(eyes)}.values():
        n = ctx.position.grid.distance(eye.at, target)
        with ctx.group("7.1", "spotting.by", where=place(eye), piece=eye.id, target=target) as group:
            sees, reach = _longest(ctx, eye, target, terrain, shooters)
            group.value = sees and n <= reach
            code = "spotting.observed" if group.value else "spotting.hidden" if n > reach else "spotting.unseen"
            ctx.step("7.1", code, value=group.value, where=hexes(target), distance=n, reach=reach, target=target)
        answers.append(sees and n <= reach)
    return any(answers), all(answers)


def _longest(ctx: Context, eye: Unit, target: str, terrain: str | None, shooters: Collection[str]) -> tuple[bool, int]:
    """Line of sight, and the longest range over the enemies there that the chart knows.

    Raises:
        UnknownValue: no range is known, or an unknown one would decide.
    """
    n = ctx.position.grid.distance(eye.at, target)
    best, missing = 0, None
    for looked in units_at(ctx, target):
        if looked.side == eye.side:
            continue
        try:
            fired = looked.id in shooters
            best = max(best, walk(ctx, eye, looked, fired=fired, need=n, terrain=terrain).hexes or 0)
        except UnknownValue as error:
            missing = error
    if missing is not None and best < n:
        raise missing
    return sight_of(ctx, eye.at, target).visible, best
