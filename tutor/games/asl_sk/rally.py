"""Rally: modifiers, outcome, odds; and when a unit keeps or takes a DM again.

**Rule:** 3.1.e, 3.1.f, 3.1.h, 3.2.3-DM.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import Modifier, PieceId, Roll
from tutor.core.context import Context
from tutor.core.context import dice as rolled
from tutor.core.dice import Dice, roll, total
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.arguments import FP, Cower, Leader
from tutor.games.asl_sk.fire.attack import shaking_rolls
from tutor.games.asl_sk.fire.fire import column_of
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.units import INFANTRY, MMC, infantry, leadership, morale, places


@dataclass(frozen=True, slots=True)
class Rally:
    """A rally attempt.

    Args:
        morale: of the broken side.
        drm: sum of the modifiers.
        most: highest dice that succeed.
        result: ``rallied``, ``reduced`` (natural 12), ``eliminated`` (a Half-Squad or a crew reduced), ``failed`` or
            ``pending`` without dice.
        odds: of each.
    """

    morale: int
    drm: int
    most: int
    result: str
    odds: dict[str, Fraction]


@GAME.question(
    "rally",
    rules=("3.1.f", "3.1.e", "1.2.3"),
    label="Quelles chances de se rallier ?",
    theme="Moral et ralliement",
    common=True,
)
def rally(ctx: Context, piece: PieceId, leader: Leader | None = None, dice: Roll | None = None) -> Rally:
    """A rally attempt of a broken unit, with its odds.

    Args:
        piece: id of the unit.
        leader: id of who rallies it, None for a Self Rally.
        dice: coloured and white die.

    Returns:
        The attempt; refused with every reason why it may not be made.

    **Rule:** 3.1.e, 3.1.f, 1.2.3.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["rally"](GAME.position("ralliement"), piece="perdu", leader="chef").value
    >>> answer.drm, answer.most, str(answer.odds["rallied"])
    (2, 5, '5/18')
    """
    one = infantry(ctx.position, piece)
    if "broken" not in one.status:
        ctx.refuse("3.1.f", "rally.not_broken", where=places(one), piece=piece)
    if "melee" in one.status:
        ctx.refuse("3.8-melee", "fire.melee", where=places(one), piece=piece)
    drm = _leader(ctx, one, leader)
    ctx.settle()
    drm += _others(ctx, one)
    value = morale(one, True)
    most = value - drm
    ctx.step("3.1.f", "rally.needs", value=most, where=places(one), piece=piece, morale=value, drm=drm)
    odds = dict.fromkeys(("rallied", "reduced", "eliminated", "failed"), Fraction(0))
    for original, n, _ in Dice(total).draw(()):
        odds[_result(one, original, drm, value)] += Fraction(n, 36)
    result = "pending"
    if dice is not None:
        original = total(roll(dice))
        result = _result(one, original, drm, value)
        ctx.step("3.2.3-reduction" if result == "eliminated" else "3.1.f", f"rally.{result}", "dice", value=original + drm, where=places(one), piece=piece,
                 original=rolled(original))  # fmt: skip
    else:
        lost = odds["eliminated"]
        code, risk = ("rally.odds_lost", lost) if lost else ("rally.odds", odds["reduced"])
        ctx.step("3.1.f", code, value=odds["rallied"], where=places(one), piece=piece, reduced=risk)
    return Rally(value, drm, most, result, odds)


def _result(one: Piece, original: int, drm: int, value: int) -> str:
    if original == 12:
        return "eliminated" if one.kind in ("half_squad", "crew") else "reduced"
    return "rallied" if original + drm <= value else "failed"


def _leader(ctx: Context, one: Piece, leader: str | None) -> int:
    if leader is None:
        able = one.kind in ("leader", "crew") or "boxed_morale" in one.status
        attacker = ctx.position.state.get("attacker")
        if not able and one.side != attacker:
            ctx.refuse("3.1.e", "rally.no_self", where=places(one), piece=one.id)
        elif not able:
            ctx.step("3.1.e", "rally.only_one", where=places(one), piece=one.id)
        elif "broken" in one.status:
            ctx.step("3.1.e", "rally.may_self", where=places(one), piece=one.id)
        ctx.settle()
        return int(ctx.table("rally").get("self_rally", "drm", places(one))) if ctx.on("3.1.e") else 0
    chief = ctx.position.piece(leader)
    if chief.kind != "leader" or chief.side != one.side or chief.at != one.at or chief.id == one.id:
        ctx.refuse("3.1.f", "rally.leader_away", where=places(chief), piece=leader)
    if "broken" in chief.status or "melee" in chief.status:
        ctx.refuse("3.1.f", "rally.leader_unfit", where=places(chief), piece=leader)
    ctx.settle()
    if chief.kind != "leader" or not ctx.on("3.1.f"):
        return 0
    if "pinned" in chief.status:
        ctx.step("1.2.1", "rally.leader_pinned", where=places(chief), piece=leader)
        return 0
    value = leadership(chief)
    ctx.step("3.1.f", "rally.leadership", value=value, where=places(chief))
    return value


def _others(ctx: Context, one: Piece) -> int:
    if not ctx.on("3.1.f"):
        return 0
    drm = 0
    if "dm" in one.status:
        drm += int(ctx.table("rally").get("dm", "drm", places(one)))
    if ctx.table("terrain").peek(ctx.position.terrain_of.get(one.at or "", "open"), "cover", False):
        drm += int(ctx.table("rally").get("shelter", "drm", hexes(one.at or "")))
    return drm


@GAME.question(
    "dm_removal",
    rules=("3.1.h", "3.2.3-DM"),
    label="Que devient son DM ?",
    theme="Moral et ralliement",
)
def dm_removal(ctx: Context, piece: PieceId) -> str:
    """What becomes of a DM at the end of the rally phase.

    Args:
        piece: id of a broken unit.

    Returns:
        ``kept`` (a known enemy is adjacent), ``choice`` (out of woods and buildings it may keep it) or ``removed``.

    **Rule:** 3.1.h.

    >>> from tutor.games.asl_sk import GAME
    >>> GAME.load().rules["dm_removal"](GAME.position("ralliement"), piece="perdu").value
    'removed'
    """
    one = infantry(ctx.position, piece)
    if "dm" not in one.status:
        ctx.refuse("3.1.h", "rally.no_dm", where=places(one), piece=piece)
    cell = ctx.position.grid.check(one.at or "")
    near = [p for p in ctx.position.pieces
            if p.side != one.side and p.kind in INFANTRY | MMC | {"afv"} and "hidden" not in p.status
            and p.at in ctx.position.grid and ctx.position.grid.distance(cell, p.at or "") <= 1]  # fmt: skip
    shelter = ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "cover", False)
    fate = "kept" if near else "removed" if shelter else "choice"
    ctx.step("3.1.h", f"rally.dm_{fate}", value=fate, where=[*places(one), *places(*near)], piece=piece,
             enemies=[p.id for p in near])  # fmt: skip
    return fate


@GAME.question(
    "dm_taken",
    rules=("3.2.3-DM",),
    label="Cette attaque remet-elle un DM ?",
    theme="Moral et ralliement",
)
def dm_taken(ctx: Context, piece: PieceId, fp: FP, drm: Modifier = 0, cower: Cower = 0) -> bool:
    """Whether an attack puts a broken unit under DM again: it could give a NMC or worse, whatever the roll turns out.

    Args:
        piece: id of a broken unit.
        fp: firepower.
        drm: sum of the modifiers.
        cower: columns lost on a double, 0 to 2.

    Returns:
        Whether the DM is taken.

    **Rule:** 3.2.3-DM.

    >>> from tutor.games.asl_sk import GAME
    >>> p = GAME.load().position("ralliement").change({"piece.perdu.status.dm": False})
    >>> [GAME.rules["dm_taken"](p, piece="perdu", fp=2, drm=d, cower=1).value for d in (1, 2, 3, 4)]
    [True, True, False, False]
    """
    one = infantry(ctx.position, piece)
    if "broken" not in one.status:
        ctx.refuse("3.2.3-DM", "rally.not_broken", where=places(one), piece=piece)
    if not 0 <= cower <= 2 or fp < 0:
        raise RequestError("FP positive, et de 0 à 2 colonnes de Cowering.", remedy="Par exemple fp: 4, cower: 1.")
    rolls = shaking_rolls(ctx, column_of(Fraction(fp)), drm, cower)
    ctx.step("3.2.3-DM", "rally.dm_taken" if rolls else "rally.dm_spared", value=bool(rolls), where=places(one),
             piece=piece, fp=fp, drm=drm, rolls=rolls)  # fmt: skip
    return bool(rolls)
