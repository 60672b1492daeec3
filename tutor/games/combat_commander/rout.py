"""Rout: each broken unit of the chosen player rolls; above its Morale it retreats.

**Rule:** O23.1, O23.2, O23.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import PieceId, Rolls, Side
from tutor.core.context import Context, dice, reader
from tutor.core.dice import PAIRS, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.rally import Rally, RallyOdds, once_a_turn, steady, units_of
from tutor.games.combat_commander.units import AS_PLACED, cell_of, places


def routed(morale: int, rolled: int, already: bool = False) -> tuple[str, int]:
    """Result of a rout roll, and hexes to retreat; ``already``: a unit suppressed before suffers nothing of a tie.

    **Rule:** O23.2.

    >>> [routed(7, n) for n in (5, 7, 9)], routed(7, 7, already=True)
    ([('nothing', 0), ('suppressed', 0), ('retreat', 2)], ('nothing', 0))
    """
    if rolled > morale:
        return "retreat", rolled - morale
    return ("suppressed" if rolled == morale and not already else "nothing"), 0


@GAME.question(
    "rout",
    rules=("O23", "O23.1", "O23.2", "O23.3"),
    label="Que donne cette Déroute ?",
    theme="Unités et Moral",
    common=True,
)
def rout(ctx: Context, side: Side, rolls: Rolls | None = None) -> Mapping[str, Rally]:
    """A Rout order against a player: the rout rolls given, in order.

    Args:
        side: the player whose broken units roll.
        rolls: unit id -> dice.

    Returns:
        Unit id -> result and hexes to retreat; refused when the order may not be given.

    Raises:
        RequestError: a roll for a unit that is not broken, or not his; dice that are not dice.

    **Rule:** O23.1, O23.2, O23.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> ask(position, "rout", side="axis", rolls={"peloton-k8": [5, 6]}).value["peloton-k8"].distance
    2
    """
    once_a_turn(ctx, side, "O23.1")
    broken = {p.id: p for p in units_of(ctx, side) if "broken" in p.status}
    if not broken:
        ctx.refuse("O23.1", "rally.refuse.nobody_broken", side=side)
    ctx.settle()
    rallies = {}
    for name, pair in (rolls or {}).items():
        if name not in broken:
            raise RequestError(
                f"« {name} » ne fait pas de jet de Déroute.",
                remedy=f"Unités démoralisées : {', '.join(broken) or 'aucune'}.",
            )
        unit, rolled = broken[name], total(dice_of(pair))
        with ctx.group("O23.2", "rout.unit", where=places(unit), piece=name) as step:
            brave = steady(ctx, unit, AS_PLACED)
            result, distance = routed(brave, rolled, "suppressed" in unit.status)
            again = result == "nothing" and rolled == brave
            ctx.step(
                "O23.3" if result == "retreat" else "O23.2",
                "rout.suppressed_again" if again else f"rout.{result}",
                value=distance if result == "retreat" else result,
                where=places(unit),
                piece=name,
                morale=brave,
                roll=dice(rolled),
            )
            step.value = distance or result
            if distance:
                step.code = "rout.flees"
        rallies[name] = Rally(brave, rolled, result, distance)
    return rallies


@GAME.question(
    "rout_odds",
    rules=("O23.2",),
    label="Quelles chances de fuir ?",
    theme="Unités et Moral",
    chances=True,
)
def rout_odds(ctx: Context, piece: PieceId, morale: Annotated[int | None, "Moral"] = None) -> RallyOdds:
    """Exact odds of a rout roll.

    Args:
        piece: id of the broken unit.
        morale: another Morale to try instead of its own.

    Raises:
        PositionError: no such piece.

    **Rule:** O23.2.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> str(ask(position, "rout_odds", piece="peloton-k8", morale=7).value.results["retreat"])
    '5/12'
    """
    unit = ctx.position.piece(piece)
    if "broken" not in unit.status:
        ctx.refuse("O23.2", "rally.refuse.not_broken", where=places(unit), piece=piece)
    if morale is None:
        brave = steady(ctx, unit, AS_PLACED)
    else:
        brave = morale
        ctx.step("O23.2", "rally.given", "input", value=brave, morale=reader(brave))
    results = dict.fromkeys(("nothing", "suppressed", "retreat"), Fraction(0))
    distances: dict[int, Fraction] = {}
    for pair in PAIRS:
        result, distance = routed(brave, total(pair), "suppressed" in unit.status)
        results[result] += Fraction(1, len(PAIRS))
        if distance:
            distances[distance] = distances.get(distance, Fraction(0)) + Fraction(1, len(PAIRS))
    ctx.step(
        "O23.2",
        "rout.odds",
        value=results["retreat"],
        where=hexes(cell_of(ctx, unit)),
        piece=piece,
        morale=brave,
        suppressed=results["suppressed"],
    )
    return RallyOdds(brave, results, dict(sorted(distances.items())))
