"""Aviation: who may fire at a plane, at whom a plane may fire, and the speed penalty between two orders.

**Rule:** 5.2-5.8, 3.3.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import PieceId, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.heroes_of_normandie.arguments import Plane
from tutor.games.heroes_of_normandie.board import covered, mark, square, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.rooms import in_building, protects
from tutor.games.heroes_of_normandie.smoke import smoke_malus
from tutor.games.heroes_of_normandie.suppression import unsuppressed


@dataclass(frozen=True, slots=True)
class Aim:
    """A shot at a plane.

    Args:
        penalty: speed penalty, 0 or more.
        bonus: of the Fighter/AA icon.
        smoke: malus, 0 or less.
        total: what the die gets from these three.
    """

    penalty: int
    bonus: int
    smoke: int
    total: int


def plane_of(ctx: Context, plane: str) -> Piece:
    """A plane by id.

    Raises:
        RequestError: it is no plane. PositionError: there is none.
    """
    piece = ctx.position.piece(plane)
    if piece.kind != "plane":
        raise RequestError(f"« {piece.name or plane} » n’est pas un avion.", remedy="Choisissez un avion.")
    return piece


def _number(piece: Piece) -> int | None:
    """Number of a numbered order, or None."""
    return piece.front.get("order") if "special" not in piece.status else None


def _last(ctx: Context, key: str) -> int:
    value = ctx.position.state.get(key, 0)
    return value if isinstance(value, int) else 0


def _has_order(piece: Piece) -> bool:
    return "special" in piece.status or "order" in piece.front


@GAME.question(
    "speed",
    rules=("5.7", "5.6", "5.8"),
    label="Quel malus de vitesse ?",
    theme="Explosions et avions",
)
def speed(ctx: Context, unit: PieceId, plane: Plane, opportunity: Annotated[bool, "Tir d’opportunité"] = False) -> int:
    """Speed penalty of a shot at a plane.

    Args:
        unit: the shooter.
        plane: id.
        opportunity: opportunity fire at a plane that has just fired.

    Returns:
        The penalty, 0 or more; refused when the shooter has no order.

    **Rule:** 5.6-5.8.

    >>> GAME.load().rules["speed"](GAME.position("aviation"), unit="dca", plane="spitfire").value
    1
    """
    shooter, target = ctx.position.piece(unit), plane_of(ctx, plane)
    if not ctx.on("5.7"):
        return 0
    if opportunity and ctx.on("5.8"):
        if not _has_order(target):
            ctx.refuse("5.8", "speed.no_shot", plane=plane)
            ctx.settle()
        ctx.step("5.8", "speed.opportunity", value=0, who=unit, plane=plane)
        return 0
    if not _has_order(target):
        penalty = int(ctx.table("limits").get("speed_no_order", "value"))
        ctx.step("5.6", "speed.no_order", value=penalty, plane=plane)
        return penalty
    if "special" in target.status and "revealed" not in target.status:
        penalty = int(ctx.table("limits").get("speed_hidden", "value"))
        ctx.step("5.7", "speed.hidden", value=penalty, plane=plane)
        return penalty
    if not _has_order(shooter):
        ctx.refuse("5.7", "speed.no_own_order", who=unit)
        return 0
    mine, theirs = _number(shooter), _number(target)
    if mine is None and theirs is None and ctx.setting("both_special") == "unknown":
        raise UnknownValue("base", "both_special.penalty", "5.7")
    note = "interprétation" if mine is None and theirs is None else None
    last = _last(ctx, "last_revealed")
    if mine is None:
        mine = last
        ctx.step("5.7", "speed.own_special" if last else "speed.own_special_first", value=mine, who=unit)
    if theirs is None:
        theirs = last
        ctx.step("5.7", "speed.plane_special" if last else "speed.plane_special_first", value=theirs, plane=plane)
    penalty = abs(mine - theirs)
    ctx.step("5.7", "speed.difference", value=penalty, note=note, who=unit, plane=plane, own=mine, other=theirs)
    return penalty


@GAME.question(
    "aim_at_plane",
    rules=("5.2", "5.5", "5.6", "5.3", "5.4", "3.3.7"),
    label="Avec quel modificateur tire-t-on sur cet avion ?",
    theme="Explosions et avions",
)
def aim_at_plane(
    ctx: Context, unit: PieceId, plane: Plane, opportunity: Annotated[bool, "Tir d’opportunité"] = False
) -> Aim | None:
    """A unit on the ground, or another plane, fires at a plane.

    Args:
        unit: the shooter.
        plane: id.
        opportunity: see :func:`speed`.

    Returns:
        Penalty, bonus and smoke; None, refused, with every reason.

    **Rule:** 5.2-5.8, 3.3.7.

    >>> GAME.load().rules["aim_at_plane"](GAME.position("aviation"), unit="dca", plane="spitfire").value.total
    1
    """
    shooter, target = ctx.position.piece(unit), plane_of(ctx, plane)
    hunter = "fighter_aa" in shooter.status and ctx.on("5.6")
    if "bluff" in target.status and ctx.on("5.2"):
        ctx.refuse("5.2", "plane.clouds", plane=plane)
    elif "bluff" not in target.status and not _has_order(target) and not hunter:
        ctx.refuse("5.5", "plane.no_order", plane=plane)
    if shooter.side == target.side:
        ctx.refuse("5.5", "plane.friend", plane=plane)
    if shooter.kind == "plane" and ("bluff" in shooter.status or not _has_order(shooter)):
        ctx.refuse("5.4", "plane.needs_order", plane=unit)
    if ctx.on("5.5"):
        _shooter(ctx, unit, shooter, hunter)
    if shooter.kind != "plane":
        here = square(unit_of(ctx.position, unit))
        if _indoors(ctx, shooter, "5.5"):
            ctx.refuse("5.5", "plane.in_building", who=unit, cell=here, where=hexes(here))
    unsuppressed(ctx, shooter)
    if ctx.refusals:
        return None
    _say_why(ctx, shooter, target, hunter)
    ctx.step("5.3", "plane.long_range_spared", value=0, who=unit)
    with ctx.group("5.7", "speed", who=unit, plane=plane) as group:
        penalty = int(speed.function(ctx, unit, plane, opportunity))
        group.value = penalty
    smoke = _smoke(ctx, shooter) if shooter.kind != "plane" else 0
    bonus = 0
    if hunter:
        if "aa" not in shooter.front:
            raise UnknownValue("base", "fighter_aa.bonus", "5.6")
        bonus = shooter.front["aa"]
        ctx.step("5.6", "plane.bonus", value=bonus, who=unit)
    total = bonus - penalty + smoke
    ctx.step("5.5", "plane.total", value=total, bonus=bonus, speed=-penalty, smoke=smoke, who=unit, plane=plane)
    return Aim(penalty, bonus, smoke, total)


def _say_why(ctx: Context, shooter: Piece, target: Piece, hunter: bool) -> None:
    """What allows the shot: a plane that is seen, and an icon of the shooter. **Rule:** 5.2, 5.5, 5.6."""
    if not hunter and "burst" not in shooter.status:
        return
    rule, icon = ("5.6", "fighter_aa") if hunter else ("5.5", "burst")
    seen = "plane.seen.order" if _has_order(target) else "plane.seen.idle"
    where = [Place("piece", shooter.id)]
    ctx.step(rule, "plane.may_spared", value=0, where=where, who=shooter.id, plane=target.id, icon=icon, seen=seen)


def _indoors(ctx: Context, piece: Piece, rule: str) -> bool:
    """Whether a unit is in a building, with every square under it.

    Raises:
        UnknownValue: an off-grid unit is half in, half out.
    """
    indoors = {in_building(ctx, cell) for cell in covered(ctx.position, piece)}
    if len(indoors) > 1:
        raise UnknownValue("base", "room.off_grid", rule)
    return indoors.pop()


def _smoke(ctx: Context, piece: Piece) -> int:
    """Malus of a unit under smoke, were it in part, 0 or less."""
    under = [cell for cell in covered(ctx.position, piece) if mark(ctx.position, "smoke", cell)]
    if not under:
        return 0
    malus = min(smoke_malus(ctx, cell) for cell in under)
    ctx.step("3.3.7", "plane.smoke", value=malus, who=piece.id, where=hexes(*under))
    return malus


def _shooter(ctx: Context, unit: str, shooter: Piece, hunter: bool) -> None:
    """Refuse the shooters that may not fire at a plane, for every reason there is."""
    if hunter and ("burst" not in shooter.status or "main_weapon" in shooter.status):
        ctx.step("5.6", "plane.hunter", where=[Place("piece", unit)], who=unit)
    if "burst" not in shooter.status and not hunter:
        ctx.refuse("5.5", "plane.no_burst", who=unit)
    if shooter.kind == "heavy_vehicle" and "main_weapon" in shooter.status and not hunter:
        ctx.refuse("5.5", "plane.main_weapon", who=unit)
    for status in ("limited_range", "template"):
        if status in shooter.status:
            ctx.refuse("5.5", f"plane.{status}", who=unit)
    if "limited_arc" in shooter.status:
        if hunter:
            ctx.step("5.5", "plane.arc_ignored", who=unit)
        else:
            ctx.refuse("5.5", "plane.limited_arc", who=unit)


@GAME.question(
    "plane_fire",
    rules=("5.4", "5.2", "5.3", "5.9", "3.3.7"),
    label="Avec quel modificateur tire cet avion ?",
    theme="Explosions et avions",
)
def plane_fire(
    ctx: Context, plane: Plane, target: TargetPiece, bomb: Annotated[bool, "Bombe ou roquette"] = False
) -> int:
    """A plane fires at a unit on the ground.

    Args:
        plane, target: ids.
        bomb: it spends a bomb or a rocket, ``bombs`` on its tile, as an alternative fire.

    Returns:
        The malus this booklet gives (smoke), 0 or less; refused with every reason.

    **Rule:** 5.2-5.4, 5.9, 3.3.7.

    >>> GAME.load().rules["plane_fire"](GAME.position("aviation"), plane="spitfire", target="dca").value
    0
    """
    shooter, unit = plane_of(ctx, plane), unit_of(ctx.position, target)
    here = square(unit)
    if "bluff" in shooter.status or not _has_order(shooter):
        ctx.refuse("5.4", "plane.needs_order", plane=plane)
    elif "special" in shooter.status:
        ctx.step("5.4", "plane.special_order", value=True, plane=plane)
    if shooter.side == unit.side:
        ctx.refuse("5.4", "plane.friend", plane=target)
    if bomb and shooter.front.get("bombs", 0) < 1:
        ctx.refuse("5.9", "plane.no_bomb", plane=plane)
    elif bomb:
        ctx.step("5.9", "plane.bomb", value=shooter.front["bombs"] - 1, plane=plane)
    if "ambushed" in unit.status:
        ctx.refuse("5.4", "plane.ambushed", who=target)
    kind = ctx.position.terrain_of.get(here)
    inside = _indoors(ctx, unit, "5.4")
    if inside:
        ctx.refuse("5.4", "plane.into_building", who=target, cell=here, where=hexes(here))
    ctx.settle()
    if not inside:
        ctx.step("5.4", "plane.clear", who=target, where=[Place("piece", target)])
    if unit.kind == "heavy_vehicle":
        ctx.step("5.4", "plane.side_defence", who=target)
    if kind and not inside and protects(kind, unit.kind):
        ctx.step("5.4", "plane.terrain", kind=kind, who=target)
    ctx.step("5.3", "plane.long_range_spared", value=0, who=plane)
    malus = _smoke(ctx, unit)
    if not ctx.refusals:
        ctx.step("5.4", "plane.shot", value=malus, plane=plane, who=target)
    return malus
