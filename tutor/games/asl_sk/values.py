"""What a counter says now: firepower, range, morale, leadership, and what its markers leave it able to do.

**Rule:** 1.2, 1.2.1, 1.2.2, 1.2.3, 3.2.3-PTC, 3.2.3-wound, 3.2.5, 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import PieceId
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.asl_sk.fire.firepower import alone
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.units import INFANTRY, leadership, morale, number, owner, places


@dataclass(frozen=True, slots=True)
class Values:
    """A counter as it stands.

    Args:
        fp: firepower at normal range, 0 when it may not fire at all.
        range: normal range in hexes.
        farthest: twice that.
        morale: of the side that is up, None for a weapon.
        leadership: DRM of a leader, None for others.
        lends: whether the leader lends it.
        fires: not broken, in a Melee or out of order.
        moves: at its next MPh.
    """

    fp: Fraction
    range: int
    farthest: int
    morale: int | None
    leadership: int | None
    lends: bool
    fires: bool
    moves: bool


@GAME.question(
    "values",
    rules=("1.2", "1.2.1", "1.2.2", "1.2.3", "1.2.4"),
    label="Que vaut ce pion maintenant ?",
    theme="Vue et tir",
    common=True,
)
def values(ctx: Context, piece: PieceId) -> Values:
    """What a counter says now: its numbers, and what its markers change of them.

    Args:
        piece: id of a unit or of a machine gun.

    Returns:
        Its values.

    Raises:
        RequestError: it is neither infantry nor a machine gun.

    **Rule:** 1.2, 1.2.1, 1.2.3, 1.2.4, 3.2.3-PTC, 3.2.3-wound, 3.2.5, 3.3, 4.1.

    >>> from tutor.games.asl_sk import GAME
    >>> p = GAME.load().position("tir").change({"piece.alpha.status.pinned": True})
    >>> answer = GAME.rules["values"](p, piece="alpha").value
    >>> str(answer.fp), answer.range, answer.morale, answer.moves
    ('2', 6, 7, False)
    """
    one = ctx.position.piece(piece)
    if one.kind not in INFANTRY | {"mg"}:
        raise RequestError(
            f"{one.name or piece} n’est ni de l’infanterie ni une MG.", remedy="Choisissez un MMC, un leader ou une MG."
        )
    unit = owner(ctx.position, one)
    shown = _morale(ctx, one) if one.kind != "mg" else None
    if one.kind == "leader":
        drm, lends = _leads(ctx, one)
        moves = _moves(ctx, unit)
        ctx.step("1.2", "values.chief" if moves else "values.chief_stays", where=places(one), piece=piece, morale=shown,
                 drm=drm)  # fmt: skip
        return Values(Fraction(0), 0, 0, shown, drm, lends, False, moves)
    fires = _fires(ctx, one, unit)
    fp, normal = number(one, "fp"), number(one, "range")
    ctx.step("1.2", "fire.printed", "input", value=fp, unit="FP", where=places(one), piece=piece)
    power = Fraction(fp) if fires else Fraction(0)
    if fires and "pinned" in unit.status and ctx.on("3.2.3-PTC"):
        power *= Fraction(ctx.table("multipliers").get("pinned", "factor", places(unit)))
    if fires and unit.kind == "leader" and alone(ctx, unit):
        power *= Fraction(ctx.table("multipliers").get("lone_leader", "factor", places(unit)))
    if fires:
        _range(ctx, one, normal)
    moves = _moves(ctx, unit)
    still = "values.silent" if moves or unit is not one else "values.idle"
    code = "values.ready" if fires and moves else "values.stuck" if fires else still
    ctx.step("1.2", code, value=power, unit="FP", where=places(one), piece=piece, range=normal)
    return Values(power, normal, 2 * normal, shown, None, False, fires, moves)


def _range(ctx: Context, one: Piece, normal: int) -> None:
    """How far a counter fires; far out, a machine gun needs a leader. **Rule:** 3.2.2-longue-portee, 4.1."""
    most, where = int(ctx.table("limits").peek("mg", "range")), places(one)
    if one.kind != "mg" or 2 * normal <= most:
        ctx.step("1.2", "values.range", value=normal, unit="hexs", where=where, piece=one.id, twice=2 * normal)
        return
    code = "values.range_mg" if normal < most else "values.range_hmg"
    ctx.step("4.1", code, value=normal, unit="hexs", where=where, piece=one.id, most=most, twice=2 * normal)


def _morale(ctx: Context, one: Piece) -> int:
    down = "broken" in one.status
    printed = morale(one)
    ctx.step("1.2.3" if down else "1.2", "values.back" if down else "values.morale", "input", value=printed,
             where=places(one), piece=one.id)  # fmt: skip
    if one.kind == "leader" and "wounded" in one.status:
        ctx.step("3.2.3-wound", "values.wounded", where=places(one), piece=one.id)
    return printed


def _leads(ctx: Context, one: Piece) -> tuple[int, bool]:
    drm = leadership(one)
    able = not {"broken", "pinned"} & set(one.status)
    ctx.step("1.2.1", "values.lends" if able else "values.lends_not", value=drm, where=places(one), piece=one.id)
    return drm, able


def _fires(ctx: Context, one: Piece, unit: Piece) -> bool:
    where = places(one)
    if one.kind == "mg" and unit is one:
        ctx.step("1.2.4", "fire.unpossessed", where=where, piece=one.id)
        return False
    if "malfunction" in one.status:
        ctx.step("1.2.4", "fire.malfunction", where=where, piece=one.id)
        return False
    if "broken" in unit.status:
        ctx.step("3.2.3-NMC", "fire.broken", where=where, piece=unit.id)
        return False
    if "melee" in unit.status:
        ctx.step("3.8-melee", "fire.melee", where=where, piece=unit.id)
        return False
    return True


def _moves(ctx: Context, unit: Piece) -> bool:
    """Whether a unit could move in its movement phase."""
    stops = [("broken", "3.3"), ("melee", "3.3"), ("pinned", "3.2.3-PTC"), ("prep_fire", "3.2.5")]
    stopping = [(name, rule) for name, rule in stops if name in unit.status]
    for name, rule in stopping:
        ctx.step(rule, "values.stays", value=False, where=places(unit), piece=unit.id, marker=name)
    return not stopping
