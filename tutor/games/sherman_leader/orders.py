"""Enemy movement: the order a roll gives, where it leads, and the state of a battalion.

**Rule:** 3.11.4, 6.9-6.12, 6.20.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated

from tutor.core.arguments import End, PieceId
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.sherman_leader.arguments import EnemyOrder
from tutor.games.sherman_leader.attack import attack_kind, attack_value, could_attack, silent
from tutor.games.sherman_leader.board import cover_rank, enterable, terrain
from tutor.games.sherman_leader.commander import active, place, unit_of, value_of, vehicle
from tutor.games.sherman_leader.enemy import may_attack
from tutor.games.sherman_leader.game import GAME
from tutor.games.sherman_leader.move import reach_of

#: Orders whose text does not leave out a friend in the unit's own hex.
OWN_HEX = ("advance", "advance_if_cannot_attack")
COVERED = ("retreat_to_cover", "adjacent_cover", "advance_to_cover")


@dataclass(frozen=True, slots=True)
class Move:
    """Where an order leads.

    Args:
        order: the order carried out.
        candidates: hexes it allows.
        best: those of the heaviest cover among them.
        to: the hex, when one is left.
        stays: the unit does not move.
        leaves: it leaves the board, destroyed.
        bypass: the hexes go round what cannot be entered.
    """

    order: str
    candidates: tuple[str, ...]
    best: tuple[str, ...]
    to: str | None
    stays: bool
    leaves: bool = False
    bypass: bool = False


@GAME.question(
    "enemy_order",
    rules=("6.9", "3.11.6", "6.10.10", "6.11"),
    label="Quel ordre reçoit l’ennemi ?",
    theme="L’ennemi",
    common=True,
)
def enemy_order(
    ctx: Context,
    unit: PieceId,
    roll: Annotated[int, "Dé"],
    campaign: Annotated[int, "Campagne"] = 0,
    battalion: Annotated[int, "Bataillon"] = 0,
    half: Annotated[bool, "À demi détruites"] = False,
    yellow: Annotated[bool, "Imprimé en jaune"] = False,
) -> str:
    """The order a movement roll gives an enemy unit.

    Args:
        unit: id.
        roll: the die, 1 to 10.
        campaign, battalion: modifiers of these cards.
        half: half strength, which silences the battalion's note unless it is printed in yellow.

    Returns:
        The order; unknown where the booklet does not print the chart.

    Raises:
        RequestError: an impossible die.

    **Rule:** 3.11.6, 6.9, 6.10.10, 6.11.

    >>> GAME.load().rules["enemy_order"](GAME.position("tour-1"), unit="pz3", roll=6, campaign=2).value
    'advance_if_cannot_attack'
    """
    piece = unit_of(ctx, unit, "enemy")
    if type(roll) is not int or not 1 <= roll <= 10:
        raise RequestError(f"« {roll} » n’est pas un jet de mouvement.", remedy="Donnez un nombre de 1 à 10.")
    fewer = int(ctx.table("numbers").get("half_force", "value")) if half and ctx.on("6.10.10") else 0
    if half and battalion and not yellow:
        ctx.step("3.11.6", "order.note_silent", value=0, battalion=battalion)
        battalion = 0
    elif half and battalion:
        ctx.step("3.11.6", "order.note_yellow", value=battalion)
    result = roll + campaign + battalion + fewer
    given = [n for n in (campaign, battalion, fewer) if n]
    ctx.step("6.9", "order.roll" if given else "order.roll_plain", value=result, roll=roll, modifiers=given)
    column = GAME.tables["classes"].get(piece.kind, "column")
    if column is None:
        ctx.step("6.9", "order.never", value="none", actor=unit)
        return "none"
    if not GAME.tables["movement_chart"].has(str(result)):
        raise UnknownValue("movement_chart", f"{result}.{column}", "6.9")
    return _rifle(ctx, piece, str(ctx.table("movement_chart").get(str(result), str(column))))


def _rifle(ctx: Context, piece: Piece, order: str) -> str:
    """The order of a rifle unit beside one of your vehicles."""
    if piece.kind != "rifle" or not ctx.on("6.11"):
        return order
    grid, here = ctx.position.grid, place(ctx, piece)
    beside = [f.id for f in active(ctx, "us") if vehicle(f) and grid.distance(here, place(ctx, f)) == 1]
    starred = GAME.tables["orders"].get(order, "starred") if beside else False
    if starred is None:
        raise UnknownValue("orders", f"{order}.starred", "6.11")
    if starred:
        ctx.table("orders").get(order, "starred")
        ctx.step("6.11", "order.rifle", value="advance_ap", actor=piece.id, order=order, friends=beside)
        return "advance_ap"
    return order


def _goals(ctx: Context, piece: Piece, order: str) -> list[Piece]:
    """The nearest friends an order heads for: all of them when several are as near."""
    here, grid = place(ctx, piece), ctx.position.grid
    own = order == "retreat_to_cover" or (order in OWN_HEX and ctx.setting("advance_own_hex") == "counts")
    friends = [f for f in active(ctx, "us") if own or place(ctx, f) != here]
    if order in ("advance_he", "advance_ap"):
        kind = order.removeprefix("advance_")
        friends = [f for f in friends if GAME.tables["classes"].get(f.kind, "attack") == kind]
    nearest = min((grid.distance(here, place(ctx, f)) for f in friends), default=0)
    return [f for f in friends if grid.distance(here, place(ctx, f)) == nearest]


def _can_attack(ctx: Context, piece: Piece) -> bool:
    for friend in active(ctx, "us"):
        probe = silent(ctx)
        may_attack(probe, piece, friend)
        if not probe.refusals:
            with suppress(UnknownValue):  # a value not given is not a dash
                attack_value(probe, piece, attack_kind(probe, friend))
        ctx.consulted |= probe.consulted
        if not probe.refusals:
            return True
    return False


def _ability_hangs_on(ctx: Context, piece: Piece, able: bool) -> Iterator[str]:
    """Rules without which an enemy unit that can attack could not, or the other way."""
    probe = silent(ctx)
    _can_attack(probe, piece)
    for rule in sorted(probe.consulted - ctx.without):
        other = Context(ctx.game, ctx.position, without=ctx.without | {rule}, trace=False)
        if _can_attack(other, piece) != able:
            yield rule


def _in_reach(ctx: Context, piece: Piece, cell: str) -> list[str]:
    """Your units that could attack the enemy in a hex, as they stand (after a move, by the reading ``cautious``)."""
    moved = ctx.position.change({f"piece.{piece.id}.at": cell})
    probe = Context(ctx.game, moved, without=ctx.without, trace=False)
    attackers = [
        f for f in active(ctx, "us") if not f.activated and could_attack(probe, f, moved.piece(piece.id))
    ]  # whoever moved or attacked has had its step of this turn
    if ctx.setting("cautious") == "after_move":
        attackers += [f for f in active(ctx, "us") if f not in attackers and _after_move(probe, f, piece.id)]
    return [f.id for f in attackers]


def _spared_by(ctx: Context, piece: Piece, cell: str) -> Iterator[str]:
    """Rules without which your units could attack the enemy in a hex where they cannot."""
    probe = silent(ctx)
    _in_reach(probe, piece, cell)
    for rule in sorted(probe.consulted - ctx.without):
        other = Context(ctx.game, ctx.position, without=ctx.without | {rule}, trace=False)
        if _in_reach(other, piece, cell):
            yield rule


def _after_move(ctx: Context, friend: Piece, enemy: str) -> bool:
    """Whether one of your units could attack an enemy from a hex that it may move to."""
    rested = Context(
        ctx.game, ctx.position.change({f"piece.{friend.id}.activated": None}), without=ctx.without, trace=False
    )
    for cell in reach_of(rested, friend.id, overdrive=False, pay=True).costs:
        there = ctx.position.change({f"piece.{friend.id}.at": cell, f"piece.{friend.id}.activated": "move"})
        probe = Context(ctx.game, there, without=ctx.without, trace=False)
        if could_attack(probe, there.piece(friend.id), there.piece(enemy)):
            return True
    return False


def _around(ctx: Context, piece: Piece, goals: set[str]) -> list[str]:
    """Neighbours with the shortest way by hexes the unit may enter to one of the goals."""
    grid, position = ctx.position.grid, ctx.position
    away, layer = dict.fromkeys(goals, 0), list(goals)
    while layer:
        reached: list[str] = []
        for cell in layer:
            for other in grid.neighbours(cell):
                if other not in away and enterable(position, other, vehicle(piece)):
                    away[other] = away[cell] + 1
                    reached.append(other)
        layer = reached
    near = [n for n in grid.neighbours(place(ctx, piece)) if n in away and enterable(position, n, vehicle(piece))]
    best = min((away[n] for n in near), default=0)
    return [n for n in near if away[n] == best < away[place(ctx, piece)]]


@GAME.question(
    "enemy_move",
    rules=(
        "6.10",
        "6.10.1",
        "6.10.2",
        "6.10.3",
        "6.10.4",
        "6.10.5",
        "6.10.6",
        "6.10.7",
        "6.10.8",
        "6.10.9",
        "6.11",
        "6.12",
    ),
    label="Où cet ordre mène-t-il l’ennemi ?",
    theme="L’ennemi",
    common=True,
)
def enemy_move(ctx: Context, unit: PieceId, order: EnemyOrder, to: End | None = None) -> Move | None:
    """Where an order leads an enemy unit.

    Args:
        unit: id.
        order: none, retreat, retreat_to_cover, adjacent_cover, advance_to_cover, cautious_advance, advance_he,
            advance_ap, advance_if_cannot_attack or advance.
        to: the hex the player chooses among equals.

    Returns:
        The hexes allowed, the best of them, and the one taken; None, refused, when ``to`` is not one of the best.

    Raises:
        RequestError: no such order.

    **Rule:** 6.10.1-6.10.9, 6.11, 6.12.

    >>> GAME.load().rules["enemy_move"](GAME.position("ordres"), unit="camion", order="advance_to_cover").value.to
    'B3'
    """
    piece = unit_of(ctx, unit, "enemy")
    if not GAME.tables["orders"].has(order):
        known = ", ".join(GAME.tables["orders"].rows)
        raise RequestError(f"L’ordre « {order} » n’existe pas.", remedy=f"Ordres : {known}.")
    if "destroyed" in piece.status:
        ctx.refuse("6.8", "move.destroyed", actor=unit)
    if piece.activated in ("move", "attack"):
        ctx.refuse("6.9", "order.done", actor=unit)
    if not GAME.tables["classes"].has(piece.kind, "column"):
        ctx.refuse("6.9", "order.structure", actor=unit)
    if ctx.refusals:
        return None
    move = _carried_out(ctx, piece, _as_rifle(ctx, piece, order, to), to)
    return None if ctx.refusals else move


def _as_rifle(ctx: Context, piece: Piece, order: str, to: str | None) -> str:
    """The order that a unit carries out; where the asterisk is not printed, the order itself if both lead alike.

    **Rule:** 6.11.

    Raises:
        UnknownValue: with and without the asterisk, the order leads elsewhere.
    """
    try:
        return _rifle(ctx, piece, order)
    except UnknownValue:
        given, starred = silent(ctx), silent(ctx)
        moves = [_carried_out(given, piece, order, to), _carried_out(starred, piece, "advance_ap", to)]
        codes = [[step.code for step in probe.refusals] for probe in (given, starred)]
        if replace(moves[0], order="advance_ap") != moves[1] or codes[0] != codes[1]:
            raise
        ctx.step("6.11", "order.rifle_alike", actor=piece.id, order=order, value=order)
        return order


def _rule_of(order: str) -> str:
    return str(GAME.tables["orders"].rows[order]["rule"])


def _carried_out(ctx: Context, piece: Piece, order: str, to: str | None) -> Move:
    """Where an order leads a unit that carries it out to the letter."""
    unit = piece.id
    rule = _rule_of(order)
    here, grid = place(ctx, piece), ctx.position.grid
    ctx.step(rule, "order.given", actor=unit, order=order, where=hexes(here))
    if order == "none":
        return _stay(ctx, rule, order, piece, to)
    if order == "advance_if_cannot_attack":
        able = _can_attack(ctx, piece)
        for deciding in _ability_hangs_on(ctx, piece, able) if ctx.tracing else ():
            ctx.step(deciding, "order.able_by" if able else "order.unable_by", actor=unit)
        if able:
            ctx.step(rule, "order.can_attack", actor=unit)
            return _stay(ctx, rule, order, piece, to)
    row = grid.coords(here)[1]
    if order == "retreat" and row == grid.first_row:
        ctx.step(rule, "order.leaves", actor=unit, value=True)
        return Move(order, (), (), None, False, leaves=True)
    goals = [] if order in ("retreat", "adjacent_cover") else _goals(ctx, piece, order)
    if not goals and order not in ("retreat", "adjacent_cover"):
        ctx.step(rule, "order.no_friend", actor=unit)
        return _stay(ctx, rule, order, piece, to)
    if goals:
        where = [Place("piece", f.id) for f in goals]
        away = grid.distance(here, place(ctx, goals[0]))
        here_too = order in OWN_HEX and any(place(ctx, f) == here for f in active(ctx, "us"))
        several = len({place(ctx, f) for f in goals}) > 1
        note = "interprétation" if here_too or several else None
        ctx.step(rule, "order.goal", friends=[f.id for f in goals], range=away, where=where, note=note)
    open_hexes, bypass = _ways(ctx, piece, order, goals)
    if not open_hexes:
        return _stay(ctx, rule, order, piece, to)
    heaviest = max(cover_rank(ctx, n) for n in open_hexes)
    best = [n for n in open_hexes if cover_rank(ctx, n) == heaviest or not ctx.on("6.10")]
    ctx.step(
        "6.10",
        "order.cover" if heaviest else "order.bare",
        cells=open_hexes,
        best=best,
        value=heaviest,
        where=hexes(*best),
        note="interprétation"
        if any(terrain(ctx.position, n) in ("bocage", "impassable") for n in open_hexes)
        else None,
    )
    chosen = to if to is not None else best[0] if len(best) == 1 else None
    if to is not None and to not in best:
        ctx.refuse("6.10", "order.other_hex", cell=to, best=best, where=hexes(*best))
    elif chosen is None:
        ctx.step("6.10", "order.player", "choice", best=best, where=hexes(*best))
    else:
        ctx.step(rule, "order.moves", value=chosen, actor=unit, where=hexes(chosen))
    return Move(order, tuple(open_hexes), tuple(best), chosen, False, False, bypass)


def _ways(ctx: Context, piece: Piece, order: str, goals: list[Piece]) -> tuple[list[str], bool]:
    """Hexes an order leads to, and whether they go round what is shut. **Rule:** 6.10.3-6.10.5, 6.12."""
    grid = ctx.position.grid
    wanted = _direct(ctx, piece, order, goals)
    ways = [n for n in wanted if enterable(ctx.position, n, vehicle(piece))]
    shut = [n for n in wanted if n not in ways]
    for cell in shut:
        ctx.step("6.12", "order.shut", cell=cell, kind=terrain(ctx.position, cell), where=hexes(cell))
    if order in COVERED:
        bare, ways = ways, [n for n in ways if cover_rank(ctx, n) > 0]
        if bare and not ways:
            ctx.step(_rule_of(order), "order.no_cover", cells=bare, where=hexes(*bare))
    ways = _unwatched(ctx, piece, order, ways)
    if ways or not shut or not _may_go_round(ctx, order, wanted, shut):
        return ways, False
    top = (c for c in grid.cells if grid.coords(c)[1] == grid.first_row)
    ends = {place(ctx, f) for f in goals} or {c for c in top if enterable(ctx.position, c, vehicle(piece))}
    ways = _around(ctx, piece, ends)
    note = "interprétation" if order == "cautious_advance" or not ways else None
    ctx.step("6.12", "order.bypass" if ways else "order.no_way", cells=ways, where=hexes(*ways), note=note)
    return _unwatched(ctx, piece, order, ways), True


def _unwatched(ctx: Context, piece: Piece, order: str, cells: list[str]) -> list[str]:
    return [n for n in cells if not _watched(ctx, piece, n)] if order == "cautious_advance" else cells


def _may_go_round(ctx: Context, order: str, wanted: list[str], shut: list[str]) -> bool:
    """Whether an order stopped by hexes that are shut goes round them; a cautious one, when they alone stop it."""
    if order in COVERED or not ctx.on("6.12"):
        return False
    return order != "cautious_advance" or (ctx.setting("bypass_cautious") == "round" and shut == wanted)


def _watched(ctx: Context, piece: Piece, cell: str) -> bool:
    watchers = _in_reach(ctx, piece, cell)
    if not watchers and ctx.tracing:
        _say_safe(ctx, piece, cell)
    if watchers:
        code = "order.watched" if ctx.setting("cautious") == "now" else "order.watched_after"
        ctx.step("6.10.5", code, cell=cell, friends=watchers, where=hexes(cell), note="interprétation")
    return bool(watchers)


def _say_safe(ctx: Context, piece: Piece, cell: str) -> None:
    """Why none of your units could attack the enemy in a hex: a rule, their step of this turn is over, or none reaches."""
    spared = list(_spared_by(ctx, piece, cell))
    for rule in spared:
        ctx.step(rule, "order.spared", cell=cell, actor=piece.id, where=hexes(cell))
    acted: list[str] = []
    if done := {f"piece.{f.id}.activated": None for f in active(ctx, "us") if f.activated}:
        rested = Context(ctx.game, ctx.position.change(done), without=ctx.without, trace=False)
        acted = _in_reach(rested, piece, cell)
    if acted:
        ctx.step("6.10.5", "order.safe_acted", cell=cell, friends=acted, where=hexes(cell), note="interprétation")
    elif not spared:
        ctx.step("6.10.5", "order.safe", cell=cell, actor=piece.id, where=hexes(cell))


def _stay(ctx: Context, rule: str, order: str, piece: Piece, to: str | None) -> Move:
    unit = piece.id
    if to not in (None, piece.at):
        ctx.refuse("6.10", "order.must_stay", actor=unit, cell=to)
    else:
        ctx.step(rule, "order.stays", actor=unit, value=None)
    return Move(order, (), (), None, True)


def _direct(ctx: Context, piece: Piece, order: str, goals: list[Piece]) -> list[str]:
    """Neighbours that carry an order out directly, whether the unit may enter them or not."""
    grid, here = ctx.position.grid, place(ctx, piece)
    around = grid.neighbours(here)
    if order == "retreat":
        row = grid.coords(here)[1]
        return [n for n in around if grid.coords(n)[1] == row - 1]
    if order == "adjacent_cover":
        return list(around)
    change = 1 if order == "retreat_to_cover" else -1
    ends = [place(ctx, f) for f in goals]
    return [n for n in around if any(grid.distance(n, e) == grid.distance(here, e) + change for e in ends)]


@GAME.question(
    "battalion",
    rules=("3.11.4", "6.20"),
    label="Dans quel état est le bataillon ennemi ?",
    theme=("L’ennemi", "Équipages et campagne"),
)
def battalion(
    ctx: Context,
    half: Annotated[int, "À demi détruites"],
    destroyed: Annotated[int, "Détruites"],
    points: Annotated[int | None, "Points"] = None,
) -> str:
    """State of the enemy battalion: full, half or destroyed.

    Args:
        half, destroyed: thresholds of its card.
        points: of the units still active, None to add up those on the board.

    Returns:
        full, half or destroyed.

    Raises:
        RequestError: thresholds in the wrong order, or fewer than 0 points.

    **Rule:** 3.11.4, 5.13.4, 6.20.

    >>> GAME.load().rules["battalion"](GAME.position("tour-1"), half=9, destroyed=4, points=5).value
    'half'
    """
    if not 0 <= destroyed <= half or (points is not None and points < 0):
        raise RequestError(
            "Ces seuils ou ces points sont impossibles.",
            remedy="Donnez le seuil de demi-force, puis celui de destruction, plus bas ; des points de 0 ou plus.",
        )
    left = points
    if left is None:
        left = 0
        for piece in active(ctx, "enemy"):
            worth = value_of(ctx, piece, "points", "5.13.4")
            ctx.step("5.13.4", "battalion.unit", value=worth, actor=piece.id)
            left += worth
    ctx.step("6.20", "battalion.left", value=left)
    state = "destroyed" if left <= destroyed else "half" if left <= half else "full"
    ctx.step("3.11.4", "battalion.state", value=state, points=left, half=half, destroyed=destroyed)
    if state == "half":
        ctx.step("6.10.10", "battalion.slower", value=int(ctx.table("numbers").get("half_force", "value")))
    return state
