"""Targeting of white-band weapons: the product of the dice, less the hindrance, must exceed the range.

**Rule:** O20.2, O20.2.1, O20.2.2, O20.2.3, 10.3.1, 11.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import Roll, TargetCell
from tutor.core.chances import Chances, Distribution
from tutor.core.context import Context, dice
from tutor.core.dice import Pair, chance, product, total
from tutor.core.dice import roll as dice_of
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.arguments import SmokeFire, Weapon
from tutor.games.combat_commander.fire.fire import fire
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.los import line_of_sight
from tutor.games.combat_commander.units import cell_of, is_white_band, places


@dataclass(frozen=True, slots=True)
class Targeting:
    """A targeting roll.

    Args:
        hit: whether the hex is hit.
        distance: hexes.
        hindrance: what is taken off the product.
        needed: least product that hits.
        product: of the dice, None when not rolled.
        result: product less hindrance.
    """

    hit: bool | None
    distance: int
    hindrance: int
    needed: int
    product: int | None
    result: int | None


def hindered(ctx: Context, start: str, target: str) -> tuple[int, int]:
    """Distance and hindrance that a targeting roll has to beat. **Rule:** O20.2.2, 10.3.1."""
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    hindrance = line_of_sight.function(silent, start, target).hindrance if start != target else 0
    ctx.consulted |= silent.consulted
    if hindrance and not ctx.on("10.3.1"):
        hindrance = 0
    return ctx.position.grid.distance(start, target), hindrance


def reading(ctx: Context, pair: Pair) -> int:
    """How a targeting roll is read: multiplied; left out, added. **Rule:** O20.2.3."""
    return product(pair) if ctx.on("O20.2.3") else total(pair)


def aim(ctx: Context, weapon: Piece, target: str, rolled: Pair | None) -> Targeting:
    """Judge a targeting roll. **Rule:** O20.2.3, 10.3.1."""
    start = cell_of(ctx, weapon)
    away, hindrance = hindered(ctx, start, target)
    ctx.step(
        "O20.2.2",
        "targeting.distance",
        value=away,
        unit="hexs",
        where=(Place("segment", f"{start}>{target}"),),
        start=start,
        end=target,
    )
    if hindrance:
        ctx.step("10.3.1", "targeting.hindrance", value=-hindrance, where=hexes(target), hindrance=hindrance)
    needed = away + hindrance + 1
    ctx.step("O20.2.3", "targeting.needed", value=needed, distance=away, hindrance=hindrance)
    if rolled is None:
        return Targeting(None, away, hindrance, needed, None, None)
    read = reading(ctx, rolled)
    hit = read - hindrance > away
    ctx.step("O20.2.3", "targeting.product", "dice", value=read, dice=dice(list(rolled)))
    ctx.step(
        "O20.2.3",
        "targeting.hit" if hit else "targeting.missed",
        value=hit,
        where=hexes(target),
        result=read - hindrance,
        distance=away,
    )
    return Targeting(hit, away, hindrance, needed, read, read - hindrance)


@GAME.question(
    "targeting",
    rules=("O20.2", "O20.2.1", "O20.2.2", "O20.2.3", "10.3.1"),
    label="Ce ciblage est-il permis ?",
    theme=("Vue et tir", "Armes"),
    odds="targeting_odds",
)
def targeting(
    ctx: Context, weapon: Weapon, target: TargetCell, roll: Roll | None = None, smoke: SmokeFire = False
) -> Targeting:
    """Whether a white-band weapon may target a hex, and whether a roll hits.

    Args:
        weapon: its id.
        target: hex.
        roll: white die then red, None to know only what is needed.
        smoke: a smoke round: any hex in range and sight, an enemy there or not.

    Returns:
        The targeting; refused when the weapon may not fire at that hex.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: dice that are not dice.

    **Rule:** O20.2, O20.2.1, O20.2.2, O20.2.3, 10.3.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> t = ask(position, "targeting", weapon="mortier", target="N7", roll=[6, 1]).value
    >>> t.product, t.result, t.hit
    (6, 3, False)
    """
    piece = ctx.position.piece(weapon)
    pair = dice_of(roll) if roll is not None else None
    _legal(ctx, piece, target, smoke)
    aimed = aim(ctx, piece, target, pair)
    if smoke and aimed.hit and not ctx.refusals:
        ctx.step("O20.2.1", "targeting.smoke", value=target, where=hexes(target), cell=target)
    return aimed


def _legal(ctx: Context, piece: Piece, target: str, smoke: bool) -> None:
    if not is_white_band(ctx, piece):
        ctx.refuse("O20.2", "targeting.refuse.not_ordnance", where=places(piece), piece=piece.id)
    fire.function(ctx, [piece.id], target, smoke=smoke)
    ctx.settle()


@dataclass(frozen=True, slots=True)
class TargetingOdds(Chances):
    """Chance that a targeting roll hits.

    Args:
        hit: probability.
        needed: least product that hits.
    """

    hit: Fraction
    needed: int

    def distributions(self, named: Callable[[str], bool]) -> tuple[Distribution, ...]:
        """The roll; as rules of their own, its chances come before those of the fire."""
        return (Distribution({"Touche": self.hit, "Manque": 1 - self.hit}, about="le ciblage"),)


@GAME.question(
    "targeting_odds",
    rules=("O20.2.3", "10.3.1"),
    label="Quelles chances a ce ciblage ?",
    theme=("Vue et tir", "Armes"),
    chances=True,
)
def targeting_odds(ctx: Context, weapon: Weapon, target: TargetCell, smoke: SmokeFire = False) -> TargetingOdds:
    """Exact chance of a targeting roll, over the same rule.

    Args:
        weapon: its id.
        target: hex.
        smoke: a smoke round.

    Returns:
        The chance to hit; refused when the weapon may not fire at that hex.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board.

    **Rule:** O20.2.3, 10.3.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> str(ask(position, "targeting_odds", weapon="mortier", target="N7").value.hit)
    '11/18'
    """
    piece = ctx.position.piece(weapon)
    _legal(ctx, piece, target, smoke)
    aimed = aim(ctx, piece, target, None)
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    hit = chance(lambda pair: bool(aim(silent, piece, target, pair).hit), bool)
    ctx.step("O20.2.3", "targeting.odds", value=hit, needed=aimed.needed)
    return TargetingOdds(hit, aimed.needed)
