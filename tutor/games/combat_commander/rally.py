"""Recovery: suppression goes, then each broken unit rolls to rally, leaders best first.

**Rule:** O22.1, O22.2, O22.3, 3.2.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated

from tutor.core.arguments import PieceId, Rolls, Side
from tutor.core.chances import Chances
from tutor.core.context import Context, dice, reader
from tutor.core.dice import chance, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.fire.cover import cover
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import AS_PLACED, Troops, cell_of, is_unit, places
from tutor.games.combat_commander.values import morale_in


@dataclass(frozen=True, slots=True)
class Rally:
    """A rally or rout roll.

    Args:
        morale: effective Morale.
        roll: sum of the dice.
        result: rallied, suppressed, nothing, or retreat.
        distance: hexes to retreat (rout only).
    """

    morale: int
    roll: int
    result: str
    distance: int = 0


def steady(ctx: Context, unit: Piece, troops: Troops) -> int:
    """Morale for a rally or rout roll: command, markers and cover included. **Rule:** 3.1.4, T78.3."""
    return morale_in(ctx, unit, cover.function(ctx, cell_of(ctx, unit)).value, troops)


def rallied(morale: int, rolled: int, ties_too: bool = False) -> str:
    """Result of a rally roll; ``ties_too`` when the rule on ties is left out. **Rule:** O22.3.

    >>> [rallied(7, n) for n in (5, 7, 9)]
    ['rallied', 'suppressed', 'nothing']
    """
    if rolled == morale:
        return "rallied" if ties_too else "suppressed"
    return "rallied" if rolled < morale else "nothing"


def once_a_turn(ctx: Context, side: str, rule: str) -> None:
    """The order activates a player, once a turn for Recover or Rout. **Rule:** O22.1, O23.1."""
    done = ctx.position.state.get("activated_players", [])
    if isinstance(done, list) and side in done:
        hurt = [
            p for p in ctx.position.pieces if p.side == side and is_unit(p) and {"broken", "suppressed"} & set(p.status)
        ]
        ctx.refuse(rule, "rally.refuse.already", where=places(*hurt), side=side)
    else:
        ctx.step(rule, "rally.activates", value=True, side=side)


def units_of(ctx: Context, side: str) -> list[Piece]:
    """Units of a side on the board.

    Raises:
        RequestError: nobody of that side.
    """
    units = [p for p in ctx.position.pieces if is_unit(p) and p.side == side and ctx.position.hex_of(p.id) is not None]
    if not units:
        raise RequestError(f"Aucune unité du camp « {side} ».", remedy="Les camps sont axis et allies.")
    return units


@GAME.question(
    "recover",
    rules=("O22", "O22.1", "O22.2", "O22.3", "3.2.5"),
    label="Que donne cette Récupération ?",
    theme="Unités et Moral",
    common=True,
)
def recover(ctx: Context, side: Side, rolls: Rolls | None = None) -> Mapping[str, Rally]:
    """A Recover order: suppression removed, then the rally rolls given, in order.

    Args:
        side: the player.
        rolls: unit id -> dice, in the order he chooses.

    Returns:
        Unit id -> its rally; refused when the order may not be given.

    Raises:
        RequestError: a roll for a unit that is not broken, or not his; dice that are not dice.

    **Rule:** O22.1, O22.2, O22.3, 3.2.5.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> ask(position, "recover", side="axis", rolls={"peloton-k8": [3, 4]}).value["peloton-k8"].result
    'rallied'
    """
    once_a_turn(ctx, side, "O22.1")
    units = units_of(ctx, side)
    troops = AS_PLACED
    suppressed = [p for p in units if "suppressed" in p.status]
    broken = {p.id: p for p in units if "broken" in p.status}
    if not suppressed and not broken:
        ctx.refuse("O22.1", "rally.refuse.nobody", side=side)
    ctx.settle()
    for unit in suppressed if ctx.on("O22.2") else ():
        troops = troops.now(unit.id, troops.of(unit) - {"suppressed"})
        ctx.step("O22.2", "rally.unsuppressed", value=True, where=places(unit), piece=unit.id)
    if broken:
        ctx.step("O22.2", "rally.who", value=len(broken), where=places(*broken.values()), pieces=list(broken))
    rallies: dict[str, Rally] = {}
    for name, pair in (rolls or {}).items():
        if name not in broken:
            raise RequestError(
                f"« {name} » ne fait pas de jet de Ralliement.",
                remedy=f"Unités démoralisées : {', '.join(broken) or 'aucune'}.",
            )
        rolled = dice_of(pair)
        unit = broken[name]
        with ctx.group("O22.3", "rally.unit", where=places(unit), piece=name) as step:
            brave = steady(ctx, unit, troops)
            result = rallied(brave, total(rolled), not ctx.on("O22.3"))
            ctx.step(
                "O22.3",
                f"rally.{result}",
                value=result,
                where=places(unit),
                piece=name,
                morale=brave,
                roll=dice(total(rolled)),
            )
            if result == "rallied":
                ctx.step("3.2.5", "rally.turned", value=True, where=places(unit), piece=name)
            step.value = result
        rallies[name] = Rally(brave, total(rolled), result)
        statuses = troops.of(unit)
        if result == "rallied":
            troops = troops.now(name, statuses - {"broken"})
        elif result == "suppressed":
            troops = troops.now(name, statuses | {"suppressed"})
    return rallies


def _reads(morale: int, ties_too: bool, result: str, rolled: int) -> bool:
    return rallied(morale, rolled, ties_too) == result


@dataclass(frozen=True, slots=True)
class RallyOdds(Chances):
    """Odds of a rally or rout roll; they add up to 1.

    Args:
        morale: effective Morale.
        results: rallied, suppressed, nothing or retreat -> probability.
        distances: hexes to retreat -> probability (rout only).
    """

    morale: int
    results: Mapping[str, Fraction]
    distances: Mapping[int, Fraction]


@GAME.question(
    "recover_odds",
    rules=("O22.3",),
    label="Quelles chances de se rallier ?",
    theme="Unités et Moral",
    chances=True,
)
def recover_odds(ctx: Context, piece: PieceId, morale: Annotated[int | None, "Moral"] = None) -> RallyOdds:
    """Exact odds that a broken unit rallies, its own suppression removed first.

    Args:
        piece: its id.
        morale: another Morale to try instead of its own.

    Raises:
        PositionError: no such piece.

    **Rule:** O22.2, O22.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> str(ask(position, "recover_odds", piece="peloton-k8").value.results["rallied"])
    '13/18'
    """
    unit = ctx.position.piece(piece)
    if "broken" not in unit.status:
        ctx.refuse("O22.2", "rally.refuse.not_broken", where=places(unit), piece=piece)
    ctx.settle()
    if morale is None:
        kept = frozenset(unit.status)
        if ctx.on("O22.2") and "suppressed" in kept:
            kept -= {"suppressed"}
            ctx.step("O22.2", "rally.unsuppressed", value=True, where=places(unit), piece=piece)
        brave = steady(ctx, unit, AS_PLACED.now(unit.id, kept))
    else:
        brave = morale
        ctx.step("O22.3", "rally.given", "input", value=brave, morale=reader(brave))
    ties_too = not ctx.on("O22.3")
    results = {
        name: chance(total, partial(_reads, brave, ties_too, name)) for name in ("rallied", "suppressed", "nothing")
    }
    ctx.step(
        "O22.3",
        "rally.odds",
        value=results["rallied"],
        where=hexes(cell_of(ctx, unit)),
        piece=piece,
        morale=brave,
        suppressed=results["suppressed"],
    )
    return RallyOdds(brave, results, {})
