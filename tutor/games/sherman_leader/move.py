"""Your moves: where a unit may go in its step, and what stops it.

**Rule:** 5.4.3, 5.4.5, 6.2, 6.4, 6.16.5, 6.16.6, 6.17.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import End, PieceId, Pieces
from tutor.core.context import Context
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.sherman_leader.arguments import Overdrive, Pay
from tutor.games.sherman_leader.board import enterable, terrain
from tutor.games.sherman_leader.commander import commander_of, place, skills_of, unit_of, value_of, vehicle
from tutor.games.sherman_leader.game import GAME


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a unit may go.

    Args:
        speed: hexes it may move.
        costs: hex -> hexes moved to get there, its own left out.
        retreat: whether it may leave by the bottom edge.
        stress: what its commander takes for moving.
    """

    speed: int
    costs: Mapping[str, int]
    retreat: bool
    stress: int


@GAME.question(
    "reach",
    rules=("6.2", "6.4", "5.4.3", "5.4.5", "3.16.10.4", "6.16.5", "6.16.6", "6.17.6"),
    label="Jusqu’où peut-elle aller ?",
    theme="Vue et mouvement",
    common=True,
)
def reach(ctx: Context, unit: PieceId, overdrive: Overdrive = False, pay: Pay = False) -> Reach:
    """Every hex one of your units may move to in its step.

    Args:
        unit: id.
        overdrive: its commander takes 1 stress for 1 hex more.
        pay: an immobilized unit moves all the same, against 1 stress.

    Returns:
        The hexes and what they cost; none, refused, when the unit may not move.

    **Rule:** 5.4.3, 5.4.5, 6.2, 6.4, 6.16.5, 6.16.6, 6.17.6, 6.18, 3.16.10.4.

    >>> sorted(GAME.load().rules["reach"](GAME.position("ordres"), unit="scout").value.costs)
    ['A4', 'A5', 'A6', 'B4', 'B5', 'C4', 'C5', 'C6', 'D6']
    """
    return reach_of(ctx, unit, overdrive, pay)


def reach_of(ctx: Context, unit: str, overdrive: bool, pay: bool, asked: str = "") -> Reach:
    """Where a unit may go; ``asked``: a hex that somebody else's refusal speaks of."""
    piece = unit_of(ctx, unit, "us")
    if "destroyed" in piece.status:
        ctx.refuse("6.8", "move.destroyed", actor=unit)
    if piece.activated in ("move", "attack"):
        ctx.refuse("6.2", f"move.done_{piece.activated}", actor=unit)
    stress = _damage(ctx, piece, pay)
    speed = value_of(ctx, piece, "speed", "3.14.7")
    if not ctx.refusals:
        ctx.step("6.2", "move.speed", value=speed, actor=unit)
    if overdrive:
        if "overdrive" in skills_of(ctx, piece):
            numbers = ctx.table("numbers")
            farther, price = (int(numbers.peek(row, "value")) for row in ("overdrive", "overdrive_stress"))
            speed, stress = speed + farther, stress + price
            ctx.step("3.16.10.4", "move.overdrive", value=speed, actor=unit, stress=price)
        else:
            ctx.refuse("3.16.10.4", "move.no_overdrive", actor=unit)
    position, grid, here = ctx.position, ctx.position.grid, place(ctx, piece)
    wheels = vehicle(piece) and ctx.on("5.4.5")
    costs, layer = {here: 0}, [here]
    shut: set[str] = set()
    for spent in range(1, max(0, speed) + 1):
        reached: list[str] = []
        for cell in layer:
            for other in grid.neighbours(cell):
                if other in costs:
                    continue
                if not enterable(position, other, wheels):
                    shut.add(other)
                    continue
                costs[other] = spent
                reached.append(other)
        layer = reached
    for cell in sorted(shut - {asked}, key=grid.coords) if not ctx.refusals else ():
        rule = "5.4.3" if terrain(position, cell) == "water" else "5.4.5"
        ctx.step(rule, "move.shut", cell=cell, kind=terrain(position, cell), where=hexes(cell))
    if asked in costs and not vehicle(piece) and not enterable(position, asked, True):
        ctx.step("5.4.5", "move.on_foot", cell=asked, kind=terrain(position, asked), actor=unit, where=hexes(asked))
    del costs[here]
    edge = any(grid.coords(c)[1] == grid.last_row and n < speed for c, n in {here: 0, **costs}.items())
    if ctx.refusals:
        return Reach(speed, {}, False, stress)
    if edge:
        ctx.step("6.4", "move.retreat", value=True, actor=unit)
    ctx.step("6.2", "move.reach", value=len(costs), actor=unit, where=hexes(*costs))
    return Reach(speed, costs, edge, stress)


def _damage(ctx: Context, piece: Piece, pay: bool) -> int:
    """Refusals of a damaged unit; the stress of one that moves all the same."""
    for chit, rule in (("engine", "6.16.5"), ("suspension", "6.16.6")):
        if chit in piece.status:
            ctx.refuse(rule, "move.damaged", actor=piece.id, chit=f"vehicle/{chit}")
    if "transported" in piece.status:
        ctx.refuse("6.3", "move.transported", actor=piece.id)
    if "immobilized" not in piece.status:
        return 0
    chief = commander_of(ctx, piece)
    if not pay:
        ctx.refuse("6.17.6", "move.immobilized", actor=piece.id)
    elif chief is None or ("killed" in chief.status and ctx.on("6.18")):
        ctx.refuse("6.18", "attack.no_stress_choice", actor=piece.id)
    else:
        ctx.step("6.17.6", "move.pays", actor=piece.id, piece=chief.id, value=1)
        return 1
    return 0


@GAME.question(
    "move",
    rules=("6.2", "5.4.3", "5.4.5"),
    label="Ce mouvement est-il permis ?",
    theme="Vue et mouvement",
    common=True,
)
def move(ctx: Context, unit: PieceId, to: End, overdrive: Overdrive = False, pay: Pay = False) -> int:
    """Move one of your units to a hex by the shortest way.

    Args:
        unit, overdrive, pay: see :func:`reach`.
        to: hex name.

    Returns:
        Hexes moved; refused with the reason.

    Raises:
        UnknownHex: the hex is not on the board.

    **Rule:** 5.4.3, 5.4.5, 6.2.

    >>> GAME.load().rules["move"](GAME.position("ordres"), unit="scout", to="A6").value
    1
    """
    ctx.position.grid.check(to)
    piece = unit_of(ctx, unit, "us")
    reach = reach_of(ctx, unit, overdrive, pay, to)
    kind = terrain(ctx.position, to)
    if not enterable(ctx.position, to, vehicle(piece) and ctx.on("5.4.5")):
        rule = "5.4.3" if kind == "water" else "5.4.5"
        ctx.refuse(rule, "move.not_enterable", cell=to, kind=kind, where=hexes(to))
    elif to not in reach.costs and to != place(ctx, piece) and not ctx.refusals:
        ctx.refuse("6.2", "move.too_far", cell=to, speed=reach.speed, actor=unit, where=hexes(to))
    cost = reach.costs.get(to, 0)
    if not ctx.refusals:
        ctx.step("6.2", "move.cost", value=cost, cell=to, actor=unit, where=hexes(to))
    return cost


@GAME.question(
    "transport",
    rules=("6.3", "3.14.6"),
    label="Ce transport est-il permis ?",
    theme="Vue et mouvement",
)
def transport(
    ctx: Context,
    unit: PieceId,
    passengers: Annotated[Pieces, "Passagers"],
    to: End,
    pay: Pay = False,
    overdrive: Overdrive = False,
) -> int:
    """A unit carries others from its hex to another.

    Args:
        unit: the transporter.
        passengers: one infantry and one artillery at most.
        to: hex name.
        pay: an immobilized passenger or transporter takes 1 stress.
        overdrive: see :func:`reach`.

    Returns:
        Hexes moved; refused with every reason.

    Raises:
        UnknownHex: the hex is not on the board.

    **Rule:** 3.16.10.4, 6.2, 6.3, 6.17.6.

    >>> GAME.load().rules["transport"](GAME.position("tour-1"), unit="u501", passengers=["u931"], to="B5").value
    1
    """
    carrier = unit_of(ctx, unit, "us")
    riders = [unit_of(ctx, passenger, "us") for passenger in passengers]
    if not value_of(ctx, carrier, "transport", "3.14.6", 0):
        ctx.refuse("3.14.6", "transport.cannot", actor=unit)
    kinds = [rider.kind for rider in riders]
    if not riders or any(kinds.count(kind) > 1 or kind not in ("infantry", "artillery") for kind in kinds):
        ctx.refuse("6.3", "transport.load", actor=unit, passengers=passengers)
    for rider in riders:
        if "destroyed" in rider.status:
            ctx.refuse("6.8", "move.destroyed", actor=rider.id)
        if place(ctx, rider) != place(ctx, carrier):
            ctx.refuse("6.3", "transport.elsewhere", actor=unit, passenger=rider.id)
        if rider.activated == "move" or "transported" in rider.status:
            ctx.refuse("6.3", "transport.moved", passenger=rider.id)
        if rider.activated == "attack":
            ctx.refuse("6.3", "transport.attacked", passenger=rider.id)
        if "immobilized" in rider.status:
            _damage(ctx, rider, pay)
    if to == place(ctx, carrier):
        ctx.refuse("6.3", "transport.nowhere", actor=unit, cell=to, where=hexes(to))
    cost: int = move.function(ctx, unit, to, overdrive, pay)
    if not ctx.refusals:
        ctx.step("6.3", "transport.carried", value=cost, actor=unit, passengers=passengers, cell=to, where=hexes(to))
    return cost
