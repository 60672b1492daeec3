"""Firepower of one unit or weapon at a hex: printed value, multipliers, refusals.

**Rule:** 3.2.2, 3.2.2-pbf, 3.2.2-longue-portee, 3.2.2.1, 3.3.3, 3.3.3-SFF, 3.3.3-FPF, 3.4, 3.5, 4.1, 4.2, 4.3, 4.4.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Annotated

from tutor.core.arguments import PieceId, TargetCell
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece, Position
from tutor.core.trace import hexes
from tutor.games.asl_sk.board import phase
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.los import Visibility, line_of_sight
from tutor.games.asl_sk.units import MMC, enemies, heavy, number, owner, places, printed

#: Ways of firing that follow from the phase and from the firer's marker.
MODES = {
    ("PFPh", "none"): "prep",
    ("MPh", "none"): "first",
    ("MPh", "first_fire"): "subsequent",
    ("MPh", "final_fire"): "protective",
    ("DFPh", "none"): "defensive",
    ("DFPh", "first_fire"): "final",
    ("AFPh", "none"): "advancing",
}
_NO = {
    ("PFPh", "prep_fire"): ("3.2.5", "fire.already"),
    ("AFPh", "prep_fire"): ("3.5", "fire.prep_fired"),
    ("DFPh", "final_fire"): ("3.4", "fire.final_fired"),
}


@dataclass(frozen=True, slots=True)
class PieceFire:
    """Firepower of one piece.

    Args:
        fp: after every multiplier.
        base: printed.
        factors: (name, factor) in order.
        range: hexes.
        mode: prep, first, subsequent, protective, defensive, final or advancing.
    """

    fp: Fraction
    base: int
    factors: tuple[tuple[str, Fraction], ...]
    range: int
    mode: str


def rate_kept(position: Position, piece: Piece) -> bool:
    """Whether a weapon that kept its rate of fire is free of its owner's marker: not in the AFPh, nor in Final Fire.

    **Rule:** 1.2.4.1, 3.3.3, 3.4.
    """
    unit = owner(position, piece)
    return "rate_kept" in piece.status and "final_fire" not in unit.status and phase(position) != "AFPh"


def marker_of(position: Position, piece: Piece) -> str:
    """The marker under which a unit or weapon fires: its own, or that of the unit which holds it; ``none`` without."""
    markers = () if rate_kept(position, piece) else owner(position, piece).status
    return next((m for m in ("prep_fire", "final_fire", "first_fire") if m in (*piece.status, *markers)), "none")


def mode_of(position: Position, piece: Piece) -> str | None:
    """How a unit or weapon may fire now: by the phase and its marker; None when it may not."""
    return MODES.get((phase(position), marker_of(position, piece)))


@GAME.question(
    "firepower",
    rules=("3.2.2", "3.2.2-pbf", "3.2.2-longue-portee", "3.2.2.1", "3.5", "3.5-assault-fire", "4.1"),
    label="Quelle FP ?",
    theme="Vue et tir",
)
def firepower(
    ctx: Context,
    firer: Annotated[PieceId, "Tireur"],
    target: TargetCell,
    directed: Annotated[bool, "Dirigé par un leader"] = False,
) -> PieceFire:
    """Firepower of one unit or weapon at a hex.

    Args:
        firer: id of a unit or of a weapon.
        target: hex name.
        directed: whether a leader directs (MG beyond 16 hexes).

    Returns:
        The firepower; refused with every reason why it may not fire there.

    **Rule:** 3.2.2, 3.2.2-pbf, 3.2.2-longue-portee, 3.2.2.1, 3.3.3-SFF, 3.3.3-FPF, 3.4, 3.5, 3.5-assault-fire,
    4.1-4.4.4.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["firepower"](GAME.position("tir"), firer="alpha", target="H4").value
    >>> str(answer.fp), answer.range, answer.mode
    ('4', 4, 'prep')
    """
    answer = power(ctx, firer, target, directed)
    ctx.settle()
    return answer


def power(
    ctx: Context, firer: str, target: str, directed: bool = False, busy: frozenset[str] = frozenset()
) -> PieceFire:
    """As :func:`firepower`; ``busy``: ids of the units of the same attack that serve a weapon or direct it.

    **Rule:** 3.2.2, 4.1.
    """
    position = ctx.position
    piece = position.piece(firer)
    unit = owner(position, piece)
    cell = position.hex_of(firer) or ""
    position.grid.check(cell)
    position.grid.check(target)
    if piece.kind not in MMC | {"mg", "flamethrower", "demolition_charge", "atr"}:
        raise RequestError(
            f"{piece.name or firer} ne tire pas sur l’IFT de cette façon.",
            remedy="Choisissez un MMC, une MG, un FT ou un ATR.",
        )
    away = position.grid.distance(cell, target)
    mode = mode_of(position, piece)
    with ctx.group("3.2.2", "fire.piece", where=places(piece), piece=firer, target=target) as step:
        _may_fire(ctx, piece, unit, cell, target)
        _within(ctx, piece, unit, cell, target, away, mode or "", directed)
        if ctx.refusals and not ctx.without:
            step.code = "fire.piece_refused"
            return PieceFire(Fraction(0), 0, (), away, mode or "")
        base = _base(ctx, piece, away)
        factors = _factors(ctx, piece, unit, away, mode or "", target, busy)
        fp = Fraction(base)
        for _, factor in factors:
            fp *= factor
        if _assaults(ctx, piece, away, mode or ""):
            fp = Fraction(ceil(fp)) + _bonus(ctx, fp, piece)
        step.value, step.unit = fp, "FP"
    return PieceFire(fp, base, tuple(factors), away, mode or "")


def _may_fire(ctx: Context, piece: Piece, unit: Piece, cell: str, target: str) -> None:
    where = places(unit)
    if "broken" in unit.status:
        ctx.refuse("3.2.3-NMC", "fire.broken", where=where, piece=unit.id)
    if "melee" in unit.status:
        ctx.refuse("3.8-melee", "fire.melee", where=where, piece=unit.id)
    if "malfunction" in piece.status:
        ctx.refuse("1.2.4", "fire.malfunction", where=where, piece=piece.id)
    if piece.kind not in MMC and unit is piece:
        ctx.refuse("1.2.4", "fire.unpossessed", where=where, piece=piece.id)
    now = phase(ctx.position)
    if rate_kept(ctx.position, piece):
        ctx.step("1.2.4.1", "fire.rate_kept", where=places(piece), piece=piece.id)
    if mode_of(ctx.position, piece) is None:
        marker = marker_of(ctx.position, piece)
        rule, code = _NO.get((now, marker), ("3.2", "fire.phase"))
        bearer = piece if marker in piece.status else unit
        ctx.refuse(rule, code, where=places(bearer), piece=bearer.id, phase=now)
    attacker = ctx.position.state.get("attacker")
    if attacker and now in ("PFPh", "AFPh", "MPh", "DFPh") and (unit.side == attacker) != (now in ("PFPh", "AFPh")):
        ctx.refuse("3.3.3" if now in ("MPh", "DFPh") else "3.2.5", "fire.side", where=where, piece=unit.id, phase=now)
    if now == "AFPh" and "moved" in unit.status and heavy(piece):
        ctx.refuse("3.5", "fire.heavy_moved", where=where, piece=piece.id)
    if piece.kind == "flamethrower" and "pinned" in unit.status:
        ctx.refuse("4.2", "fire.flame_pinned", where=where, piece=piece.id)
    if piece.kind == "demolition_charge" and "pinned" in unit.status:
        ctx.refuse("4.3", "fire.charge_pinned", where=where, piece=piece.id)
    foes = enemies(ctx.position, unit.side, cell)
    if target == cell and foes and piece.kind in MMC | {"mg", "atr"} and not any(_open_to_fire(p) for p in foes):
        ctx.refuse("3.2.2.1", "fire.afv_shut", where=places(*foes), piece=unit.id, pieces=[p.id for p in foes])
    if target != cell and foes:
        ctx.refuse("3.2.2.1", "fire.enemy_here", where=hexes(cell), piece=unit.id, cell=cell)


def _open_to_fire(foe: Piece) -> bool:
    """Whether fire on the IFT can hurt an enemy unit: not the crew of a buttoned up AFV. **Rule:** 3.2.2.1, 7.7."""
    return foe.kind != "afv" or "crew_exposed" in foe.status


def _within(
    ctx: Context, piece: Piece, unit: Piece, cell: str, target: str, away: int, mode: str, directed: bool
) -> None:
    limits = ctx.table("limits")
    where = [*places(piece), *hexes(target)]
    normal = normal_range(ctx, piece)
    if piece.kind == "demolition_charge":
        if away > 1:
            ctx.refuse("4.3", "fire.charge_far", where=where, piece=piece.id)
        if phase(ctx.position) != "AFPh":
            ctx.refuse("4.3", "fire.charge_phase", where=where, piece=piece.id)
    elif piece.kind == "atr" and away > normal:
        ctx.refuse("4.4.4", "fire.atr_far", where=where, piece=piece.id, range=away, most=normal)
    elif away > 2 * normal:
        ctx.refuse("3.2.2-longue-portee", "fire.too_far", where=where, piece=piece.id, range=away, most=2 * normal)
    if piece.kind == "mg" and away > limits.peek("mg", "range") and not directed:
        ctx.refuse("4.1", "fire.mg_far", where=where, piece=piece.id, range=away, most=limits.peek("mg", "range"))
    if mode == "subsequent":
        nearest, who = nearest_enemy(ctx, unit, cell)
        if nearest is not None and away > nearest:
            ctx.refuse(
                "3.3.3-SFF", "fire.not_nearest", where=where, piece=unit.id, range=away, who=who, nearest=nearest
            )
        elif away > normal:
            ctx.refuse("3.3.3-SFF", "fire.beyond_normal", where=where, piece=unit.id, range=away, normal=normal)
        elif not ctx.refusals:
            ctx.step("3.3.3-SFF", "fire.nearest", value=True, where=where, piece=unit.id, away=away, normal=normal)
    if mode == "protective" and away > 1:
        ctx.refuse("3.3.3-FPF", "fire.not_adjacent", where=where, piece=unit.id, range=away)
    if mode == "final" and away > 1:
        ctx.refuse("3.4", "fire.final_far", where=where, piece=unit.id, range=away)


def nearest_enemy(ctx: Context, unit: Piece, cell: str) -> tuple[int | None, list[str]]:
    """Hexes to the nearest enemy unit in the line of sight of a unit, or None; and who is so near."""
    position = ctx.position
    by_cell: dict[str, list[str]] = {}
    for p in position.pieces:
        if p.side != unit.side and p.kind in MMC | {"leader", "afv"} and "hidden" not in p.status:
            by_cell.setdefault(position.hex_of(p.id) or "", []).append(p.id)
    away = {at: position.grid.distance(cell, at) for at in by_cell if at and at in position.grid}
    away = {at: span for at, span in away.items() if seen(ctx, cell, at).visible}
    nearest = min(away.values(), default=None)
    return nearest, [who for at, span in away.items() if span == nearest for who in by_cell[at]]


def seen(ctx: Context, start: str, end: str) -> Visibility:
    """The line of sight, untraced: for conditions."""
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    visibility: Visibility = line_of_sight.function(silent, start, end)
    ctx.consulted |= silent.consulted
    return visibility


def normal_range(ctx: Context, piece: Piece) -> int:
    """Normal range of a unit or weapon, in hexes."""
    table = ctx.table("limits")
    if piece.kind == "flamethrower":
        return int(table.peek("ft", "range"))
    if piece.kind == "atr":
        return int(table.peek("atr", "range"))
    return 1 if piece.kind == "demolition_charge" else number(piece, "range")


def _base(ctx: Context, piece: Piece, away: int) -> int:
    table = ctx.table("limits")
    if piece.kind == "flamethrower":
        return int(table.get("ft", "fp" if away <= table.peek("ft", "range") else "long_fp"))
    if piece.kind == "demolition_charge":
        return int(table.get("dc", "fp"))
    if piece.kind == "atr":
        return int(table.get("atr", "fp"))
    base = number(piece, "fp")
    ctx.step("1.2", "fire.printed", "input", value=base, unit="FP", where=places(piece), piece=piece.id)
    return base


def _factors(
    ctx: Context, piece: Piece, unit: Piece, away: int, mode: str, target: str, busy: frozenset[str]
) -> list[tuple[str, Fraction]]:
    names: list[str] = []
    flame, charge = piece.kind == "flamethrower", piece.kind == "demolition_charge"
    if not flame and not charge:
        if away == 0:
            names.append("tpbf")
        elif away == 1 and ctx.on("3.2.2-pbf"):
            names.append("pbf")
        if piece.kind != "atr" and away > normal_range(ctx, piece) and ctx.on("3.2.2-longue-portee"):
            names.append("long_range")
        if piece.kind == "mg" and away > ctx.table("limits").peek("mg", "range"):
            names.append("beyond_sixteen")
        if mode == "advancing" and ctx.on("3.5"):
            names.append("advancing")
        if piece.kind == "mg" and unit.kind == "leader" and alone(ctx, unit, busy):
            names.append("lone_leader")
    if "pinned" in unit.status and ctx.on("3.2.3-PTC"):
        names.append("pinned")
    if mode in ("subsequent", "protective", "final") and ctx.on("3.3.3-SFF"):
        if mode != "subsequent":
            ctx.step("3.3.3-SFF", "fire.second_shot", where=places(piece), piece=piece.id)
        names.append(mode)
    foes = enemies(ctx.position, unit.side, target)
    if foes and all("hidden" in p.status for p in foes):
        names.append("hidden")
    table = ctx.table("multipliers")
    return [(name, Fraction(table.get(name, "factor", places(piece)))) for name in names]


def alone(ctx: Context, leader: Piece, busy: frozenset[str] = frozenset()) -> bool:
    """Whether a leader has no other unbroken one with him, free to serve his weapon with him. **Rule:** 4.1."""
    here = ctx.position.pieces_at(leader.at or "", leader.side)
    return not any(
        p.kind == "leader" and "broken" not in p.status and p.id not in busy for p in here if p.id != leader.id
    )


def _assaults(ctx: Context, piece: Piece, away: int, mode: str) -> bool:
    able = piece.kind == "squad" and ("assault_fire" in piece.status or bool(printed(piece, "assault")))
    return able and mode == "advancing" and away <= number(piece, "range") and ctx.on("3.5-assault-fire")


def _bonus(ctx: Context, fp: Fraction, piece: Piece) -> int:
    if ceil(fp) != fp:
        ctx.step("3.5-assault-fire", "fire.rounded", value=ceil(fp), unit="FP", where=places(piece), fp=fp)
    return int(ctx.table("limits").get("assault_fire", "bonus", places(piece)))
