"""Losses: who places which step of an area fire, what a carrier's loss costs its passengers.

**Rule:** 10.0d-10.0h.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import PieceId, Pieces, Side, TargetCell
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.trace import Place, hexes
from tutor.games.tcs.arguments import StepsLost, TargetPieces
from tutor.games.tcs.fire.fire import vulnerable
from tutor.games.tcs.game import GAME
from tutor.games.tcs.units import unit


@dataclass(frozen=True, slots=True)
class Losses:
    """How the steps of a result are placed.

    Args:
        first: pieces that may take the first step.
        defender, attacker: steps each side then places.
        wasted: steps in excess.
        left: steps left on each piece once everything said is placed.
    """

    first: tuple[str, ...]
    defender: int
    attacker: int
    wasted: int
    left: Mapping[str, int]


@GAME.question(
    "losses",
    rules=("10.0f", "10.0d", "10.0e"),
    label="Comment se répartissent les pertes ?",
    theme="Tir de zone",
    common=True,
)
def losses(
    ctx: Context,
    target: TargetCell,
    side: Side,
    steps: StepsLost,
    infantry: Annotated[bool, "Sur l’infanterie"] = True,
    first: Annotated[PieceId | None, "Premier touché"] = None,
    defender: Annotated[Pieces, "Défenseur"] = (),
    attacker: Annotated[Pieces, "Attaquant"] = (),
) -> Losses | None:
    """Share out the steps lost to an area fire, and check a choice.

    Args:
        target: hex.
        side: of the firers.
        steps: lost, 0 or more.
        infantry: whether infantry fired.
        first: piece that takes the first step.
        defender, attacker: pieces that take the others, one entry for each step.

    Returns:
        The shares, and what is left when the choices are given; None when they are refused.

    Raises:
        RequestError: steps that cannot be read.

    **Rule:** 10.0d, 10.0e, 10.0f.

    >>> from tutor import ask, load_position
    >>> answer = ask(load_position("tcs", "pertes"), "losses", target="05.02", side="allies", steps=4).value
    >>> answer.first, answer.defender, answer.attacker, answer.wasted
    (('p1', 'p2'), 2, 1, 0)
    """
    ctx.position.grid.check(target)
    if type(steps) is not int or steps < 0:
        raise RequestError("Le nombre de pas perdus est un nombre entier, 0 ou plus.", remedy="Par exemple 3.")
    hit = vulnerable(ctx, target, side, infantry)
    left = {u.id: u.left for u in hit}
    most = max(left.values(), default=0)
    biggest = tuple(u.id for u in hit if u.left == most)
    taken = min(steps, sum(left.values())) if ctx.on("10.0e") else steps
    if steps > taken:
        ctx.step("10.0e", "losses.wasted", value=steps - taken, where=hexes(target))
    rest = max(0, taken - 1) if ctx.on("10.0f") else taken
    shares = -(-rest // 2), rest // 2
    if taken:
        how = "first_tied" if len(biggest) > 1 else "first_alone"
        ctx.step("10.0f", "losses.first", where=[Place("piece", p) for p in biggest], how=how, pieces=biggest)
        ctx.step("10.0f", "losses.shares", value=rest, defender=shares[0], attacker=shares[1])
    chosen = [*([first] if first else []), *defender, *attacker]
    if first and not taken:
        ctx.refuse("10.0f", "losses.nothing", where=hexes(target), piece=first)
    elif (defender or attacker) and not first and taken and ctx.on("10.0f"):
        ctx.refuse("10.0f", "losses.no_first", where=hexes(target), pieces=biggest)
    elif first and first not in biggest:
        ctx.refuse("10.0f", "losses.not_biggest", where=hexes(target), piece=first, pieces=biggest)
    for code, given, share in (("losses.defender", defender, shares[0]), ("losses.attacker", attacker, shares[1])):
        if given and len(given) != share:
            ctx.refuse("10.0f", code, where=hexes(target), value=len(given), share=share)
    for piece, count in Counter(chosen).items():
        if piece not in left:
            ctx.refuse("10.0f", "losses.not_hit", where=hexes(target), piece=piece)
        elif count > left[piece]:
            ctx.refuse("10.0d", "losses.too_many", where=hexes(target), piece=piece, value=count, left=left[piece])
    if not ctx.refusals:
        for piece in chosen:
            left[piece] -= 1
        for piece in dict.fromkeys(chosen):
            ctx.step(
                "10.0c",
                "losses.placed",
                value=left[piece],
                where=[Place("piece", piece)],
                piece=piece,
                lost=Counter(chosen)[piece],
            )
    return None if ctx.refusals else Losses(biggest, *shares, steps - taken, left)


@dataclass(frozen=True, slots=True)
class PointLosses:
    """How the targets destroyed by a point fire are chosen, one at a time.

    Args:
        firer, owner: targets that each side chooses, the firer first.
        wasted: in excess.
    """

    firer: int
    owner: int
    wasted: int


@GAME.question(
    "point_losses",
    rules=("10.0h", "10.0e"),
    label="Comment se répartissent les cibles détruites ?",
    theme="Tir sur point",
)
def point_losses(ctx: Context, targets: TargetPieces, kills: Annotated[int, "Cibles détruites"]) -> PointLosses:
    """Share out the targets destroyed by a point fire: each side in turn, the firer first.

    Args:
        targets: ids of the pieces fired at.
        kills: destroyed, 0 or more.

    Returns:
        The shares.

    Raises:
        RequestError: a number that cannot be, or the same target twice.

    **Rule:** 10.0e, 10.0h, 12.2e.

    >>> from tutor import ask, load_position
    >>> answer = ask(load_position("tcs", "panthers"), "point_losses", targets=["sherman"], kills=3).value
    >>> answer.firer, answer.owner, answer.wasted
    (1, 1, 1)
    """
    if type(kills) is not int or kills < 0 or not targets or len(set(targets)) != len(targets):
        raise RequestError(
            "Donnez les cibles, chacune une fois, et un nombre de destructions.", remedy="Par exemple 2."
        )
    there = sum(unit(ctx, t).left for t in targets)
    taken = min(kills, there) if ctx.on("10.0e") else kills
    if kills > taken:
        ctx.step("10.0e", "losses.wasted_kills", value=kills - taken, there=there)
    firer, owner = -(-taken // 2), taken // 2
    ctx.step("10.0h", "losses.turns", value=taken, firer=firer, owner=owner)
    return PointLosses(firer, owner, kills - taken)


@GAME.question(
    "passenger_losses",
    rules=("10.0g",),
    label="Combien de pas perdent les passagers ?",
    theme="Tir de zone",
)
def passenger_losses(
    ctx: Context, passengers: Annotated[int, "Passagers"], carrier: Annotated[int, "Pas du porteur"], lost: StepsLost
) -> int:
    """Steps that passengers lose with their carrier.

    Args:
        passengers: their steps.
        carrier: steps of the carrier, 1 or more.
        lost: steps it loses.

    Returns:
        The same share, rounded up.

    Raises:
        RequestError: numbers that cannot be.

    **Rule:** 10.0g.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-sfa"), "passenger_losses", passengers=5, carrier=2, lost=1).value
    3
    """
    if any(type(v) is not int or v < 0 for v in (passengers, carrier, lost)) or not carrier > 0 or lost > carrier:
        raise RequestError(
            "Un transporteur perd de 0 à tous ses pas.", remedy="Par exemple 5 pas embarqués, 2 pas, 1 perdu."
        )
    steps = -(-passengers * lost // carrier) if ctx.on("10.0g") else lost
    ctx.step("10.0g", "losses.passengers", value=steps, passengers=passengers, carrier=carrier, lost=lost)
    return steps
