"""Orders carried out: one at a time, actions in between, at least one unit that does it; passing; leaving the map.

**Rule:** O14.1, O14.2, O14.3, O14.4, O15, O19, A28, 5.3, 7.2, 7.2.1, 7.2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import PieceId, Pieces, Side
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError, UnknownValue
from tutor.games.combat_commander.activation import activator, is_hero, nobody_commands
from tutor.games.combat_commander.arguments import LeavingWay, OrderName, PlayedBetween
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import doubled, undoubled
from tutor.games.combat_commander.units import is_unit, places, weapons_of

ORDERS = ("advance", "artillery_denied", "artillery_request", "command_confusion", "fire", "move", "recover", "rout")
#: Orders that activate units, which then have to do something.
WITH_UNITS = ("advance", "fire", "move")


@GAME.question(
    "order",
    rules=("O14.2", "O14.3", "O14.4", "O19", "E58.1"),
    label="Cet Ordre est-il permis ?",
    theme="Ordres et Actions",
)
def order(
    ctx: Context,
    order: OrderName,
    units: Pieces = (),
    doing: Annotated[Pieces, "Unités qui l’exécutent"] = (),
    between: PlayedBetween = (),
) -> bool:
    """Whether an order may be carried out as told.

    Args:
        order: advance, artillery_denied, artillery_request, command_confusion, fire, move, recover or rout.
        units: ids of the units activated for it.
        doing: those that really do it (for a move: enter another hex).
        between: what is played before it is over, in order: ``order:rout``, ``action:smoke_grenades``, ``event:dust``…

    Returns:
        True when nothing refuses it.

    Raises:
        PositionError: no such piece. RequestError: no such order, something between that is badly written.

    **Rule:** O14.1, O14.2, O14.3, O14.4, O19.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir-op")
    >>> answer = ask(position, "order", order="move", units=["peloton"], between=["action:assault_fire"])
    >>> [step.rule for step in answer.refusals]
    ['O14.4']
    """
    if order not in ORDERS:
        raise RequestError(f"« {order} » n’est pas un Ordre.", remedy=f"Choisissez parmi {', '.join(ORDERS)}.")
    if order == "command_confusion":
        ctx.refuse("O19", "order.refuse.confusion")
        return False
    pieces = [ctx.position.piece(name) for name in dict.fromkeys(units)]
    for piece in pieces:
        if piece.activated and not is_hero(piece) and order in WITH_UNITS:
            ctx.refuse("O14.1", "command.refuse.activated", where=places(piece), piece=piece.id)
        elif piece.activated and order in WITH_UNITS:
            ctx.step("E58.1", "command.hero", value=True, where=places(piece), piece=piece.id)
    activated = [piece for piece in pieces if is_unit(piece)]
    if order in WITH_UNITS and len(activated) > 1 and activator(ctx, activated) is None and ctx.on("3.3.1.1"):
        nobody_commands(ctx, activated)
        ctx.refuse("O14.1", "order.refuse.together", where=places(*activated), pieces=[p.id for p in activated])
    strangers = [name for name in doing if name not in units]
    if strangers:
        raise RequestError(f"« {strangers[0]} » n’est pas activé.", remedy="Nommez d’abord toutes les unités activées.")
    for played in between:
        kind, _, name = played.partition(":")
        if kind not in ("order", "action", "event") or not name:
            raise RequestError(f"« {played} » est mal écrit.", remedy="Écrivez order:rout, action:fire ou event:dust.")
        if kind == "order":
            ctx.refuse("O14.2", "order.refuse.two", other=name)
        else:
            ctx.step("O14.3", f"order.{kind}", value=True, name=name)
    if order in WITH_UNITS and not doing and ctx.on("O14.4"):
        code = "order.refuse.nobody_moves" if order == "move" else "order.refuse.nobody"
        ctx.refuse("O14.4", code, where=places(*pieces), pieces=[p.id for p in pieces])
    elif doing:
        ctx.step("O14.4", "order.done", value=len(doing), where=places(*pieces), pieces=list(doing))
    return not ctx.refusals


@GAME.question(
    "discard",
    rules=("O15", "5.3"),
    label="Peut-il passer et défausser ?",
    theme="Ordres et Actions",
)
def discard(
    ctx: Context,
    side: Side,
    cards: Annotated[int, "Cartes"],
    orders: Annotated[int, "Ordres donnés ce tour"] = 0,
    limit: Annotated[int | None, "Défausses permises"] = None,
) -> int:
    """Whether a player may pass: no order this turn, and cards discarded, at most what his nation allows.

    Args:
        side: axis or allies.
        cards: how many he would discard.
        orders: how many he has given this turn.
        limit: discard limit of his nation, printed on the player aids; None: not known.

    Returns:
        The cards discarded; unknown for more than one when the limit is.

    Raises:
        RequestError: no such side, a negative number.

    **Rule:** O15, 5.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "objectifs")
    >>> ask(position, "discard", side="axis", cards=2, orders=1).outcome
    'refused'
    """
    if side not in ("axis", "allies"):
        raise RequestError(f"« {side} » n’est pas un camp.", remedy="Les camps sont axis et allies.")
    if cards < 0 or orders < 0 or (limit is not None and limit < 1):
        raise RequestError("Un nombre de cartes ou d’Ordres n’est jamais négatif.", remedy="Écrivez 0 ou plus.")
    where = places(*(p for p in ctx.position.pieces if p.side == side and is_unit(p) and ctx.position.hex_of(p.id)))
    if orders:
        ctx.refuse("O15", "discard.refuse.orders", where=where, orders=reader(orders))
    if not cards and ctx.setting("empty_pass") == "one":
        ctx.refuse("O15", "discard.refuse.none", where=where, note="interprétation")
    if limit is not None and cards > limit:
        ctx.refuse("5.3", "discard.refuse.limit", where=where, cards=reader(cards), limit=reader(limit))
    if not ctx.refusals:
        if limit is None and cards > 1:
            raise UnknownValue("limits", f"discard.{side}", "5.3")
        note = None if cards else "interprétation"
        ctx.step("O15", "discard.passes", value=cards, where=where, note=note, side=side)
    return cards


@dataclass(frozen=True, slots=True)
class Exit:
    """A unit that leaves the map.

    Args:
        points: victory points.
        side: who gains them.
        returns: whether it comes back as a reinforcement.
        weapons: weapon id -> ``fixed`` when it stays with the unit, ``lost`` when it goes to the casualty track.
        lost: markers it loses.
    """

    points: int
    side: str
    returns: bool
    weapons: dict[str, str]
    lost: tuple[str, ...]


@GAME.question(
    "exit",
    rules=("7.2", "7.2.1", "7.2.2"),
    label="Que rapporte cette sortie ?",
    theme=("Mouvement", "Temps et victoire"),
)
def leave(ctx: Context, piece: PieceId, how: LeavingWay = "move") -> Exit:
    """What a unit that leaves the map brings, and what becomes of it.

    Args:
        piece: id of the unit.
        how: move or advance (the enemy's edge, by choice), retreat (its own edge, forced).

    Returns:
        The points and what becomes of the unit, its weapon and its markers.

    Raises:
        PositionError: no such piece. RequestError: a weapon, another way to leave.

    **Rule:** 7.2, 7.2.1, 7.2.2, 7.1, 4.2, 13.3.

    >>> from tutor import ask, load_position
    >>> e = ask(load_position("combat_commander", "livret-tir"), "exit", piece="peloton-l8").value
    >>> e.points, e.side, e.returns
    (2, 'axis', True)
    """
    unit = ctx.position.piece(piece)
    if not is_unit(unit) or how not in ("move", "advance", "retreat"):
        raise RequestError("Seule une unité sort de la carte.", remedy="how : move, advance ou retreat.")
    other = "allies" if unit.side == "axis" else "axis"
    forced, boxed = how == "retreat", is_hero(unit)
    rule, code = ("7.2.2", "exit.forced") if forced else ("7.2.1", "exit.chosen")
    side = other if forced else unit.side
    with ctx.group(rule, code, where=places(unit), piece=piece, side=side) as step:
        silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
        worth = undoubled(silent, unit)  # told as an exit, not as an elimination
        ctx.step("7.1", "exit.worth", value=worth, where=places(unit))
        step.value = doubled(ctx, worth, "forced" if forced else "exited")
    if "broken" in unit.status and not forced and not boxed:
        ctx.step("7.2.1", "exit.rallied", value=True, where=places(unit), piece=piece)
    lost = tuple(name for name in ("suppressed", "veteran") if name in unit.status)
    if lost:
        ctx.step(rule, "exit.markers", value=list(lost), where=places(unit), piece=piece)
    gone = forced or boxed
    weapons = {w.id: "lost" if gone else "fixed" for w in weapons_of(ctx, unit)}
    if weapons and boxed and not forced:
        ctx.step("E58.1", "exit.weapon_boxed", value=True, note="interprétation", pieces=list(weapons))
    elif weapons:
        ctx.step(rule, "exit.weapon_lost" if gone else "exit.weapon_kept", value=True, pieces=list(weapons))
    if boxed:
        ctx.step("E58.1", "exit.hero_boxed", value=True, where=places(unit), piece=piece)
    elif not forced:
        ctx.step("7.2.1", "exit.returns", "choice", value=True, piece=piece)
    return Exit(int(step.value), side, not gone, weapons, lost)
