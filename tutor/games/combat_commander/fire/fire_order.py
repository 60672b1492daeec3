"""Who may fire at what: activation, weapons, fire groups, lines of sight, ranges; every reason of a refusal is given.

**Rule:** O20.1, O20.2.1, O20.2.2, O20.3, O20.3.1, O20.3.1.1, O14.1, 3.1.2, 11.1, 11.4, A26, A33.1, A33.3, F106.3, T89,
T95.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tutor.core.arguments import Pieces
from tutor.core.context import Context
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.actions import Shot, moving_units
from tutor.games.combat_commander.activation import activator, is_hero, nobody_commands
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.ground import is_aquatic
from tutor.games.combat_commander.los import distance as range_between
from tutor.games.combat_commander.los import line_of_sight
from tutor.games.combat_commander.units import (
    boxed,
    carrier,
    cell_of,
    is_unit,
    is_white_band,
    mark,
    places,
    printed,
    weapons_of,
    wielded,
)
from tutor.games.combat_commander.values import effective


def somebody_moves(ctx: Context, shot: Shot) -> None:
    """An Op Fire answers a unit that moves in a hex fired at. **Rule:** A33.1."""
    if not moving_units(ctx, shot) and all(ctx.on(rule) for rule in ("A33.1", "A33.2", "O16.1")):
        ctx.step("A33.2", "op_fire.hex_entered", value=False, where=hexes(*shot.cells), cell=shot.target)
        ctx.step("O16.1", "op_fire.moves_only", value=False, where=hexes(*shot.cells), cell=shot.target)
        ctx.refuse("A33.1", "op_fire.refuse.nobody_moves", where=hexes(*shot.cells), cell=shot.target)


def target_holds_enemy(ctx: Context, shot: Shot, smoke: bool) -> None:
    """An enemy in every hex fired at, and pieces of one side. **Rule:** O20.3, O20.3.1, A40."""
    for cell in shot.cells:
        enemies = [p for p in ctx.position.pieces_at(cell) if is_unit(p) and p.side != shot.side]
        if not enemies and not smoke:
            rule = "O20.3" if cell == shot.target else "A40"
            ctx.refuse(rule, "fire.refuse.no_enemy", where=hexes(cell), cell=cell)
    strangers = [p for p in shot.firers if p.side != shot.side]
    if strangers:
        ctx.refuse("O20.3.1", "fire.refuse.two_sides", where=places(*strangers), pieces=[p.id for p in strangers])


def smoke_round(ctx: Context, shot: Shot) -> None:
    """A weapon with smoke rounds, and a hex that may hold the marker. **Rule:** O20.2.1, 8.1.5, T89, T95, T98."""
    for piece in shot.firers:
        if is_unit(piece) or not mark(ctx, piece, "smoke", "smoke" in piece.status):
            ctx.refuse("O20.2.1", "fire.refuse.no_smoke", where=places(piece), piece=piece.id)
    if is_aquatic(ctx, shot.target):
        terrain = ctx.position.terrain_of[shot.target]
        rule = ctx.game.tables["terrain"].cell(terrain, "los").rule
        ctx.refuse(rule, "fire.refuse.smoke_water", where=hexes(shot.target), cell=shot.target, terrain=terrain)
    if ctx.position.marker("blaze", shot.target):
        ctx.refuse("8.1.5", "fire.refuse.smoke_blaze", where=hexes(shot.target), cell=shot.target)


def may_fire(ctx: Context, piece: Piece, mode: str) -> None:
    """Activation, the one fire of an order, boxed firepower, water, a weapon fit to fire.

    **Rule:** O14.1, O20.3, A26, A33.3.
    """
    where = places(piece)
    _activated(ctx, piece, mode)
    if mode == "order" and "fired" in piece.status:  # each Assault Fire card brings a fire of its own (A26)
        ctx.refuse("O20.3", "fire.refuse.fired", where=where, piece=piece.id)
    if mode == "assault" and not boxed(ctx, piece, "fp"):
        ctx.refuse("A26", "fire.refuse.boxed_fp", where=where, piece=piece.id)
    if is_unit(piece):
        cell = cell_of(ctx, piece)
        if is_aquatic(ctx, cell):
            kind = ctx.position.terrain_of[cell]
            rule = ctx.game.tables["terrain"].cell(kind, "los").rule
            ctx.step(rule, "fire.unit_in_water", value=True, where=where, piece=piece.id, terrain=kind)
        return
    if mode == "op_fire" and is_white_band(ctx, piece):
        ctx.refuse("A33.3", "fire.refuse.op_white_band", where=where, piece=piece.id)
    _usable(ctx, piece)


def _usable(ctx: Context, piece: Piece) -> None:
    """Whether a weapon is in order, in hands that may use it, in a hex it can fire from.

    **Rule:** 11.1, 11.4, F106.3, T89, T95.
    """
    cell, where = cell_of(ctx, piece), places(piece)
    if "broken" in piece.status:
        ctx.refuse("11.4", "fire.refuse.jammed", where=where, piece=piece.id)
    holder = carrier(ctx, piece)
    if holder is None:
        ctx.refuse("11.1", "fire.refuse.no_carrier", where=where, piece=piece.id)
    for status in ("broken", "suppressed"):
        if holder is not None and status in holder.status:
            ctx.refuse("11.1", f"fire.refuse.{status}_carrier", where=where, piece=piece.id, holder=holder.id)
    if is_aquatic(ctx, cell):
        terrain = ctx.position.terrain_of[cell]
        rule = str(ctx.game.tables["terrain"].rows[terrain].get("rule", "T78"))
        ctx.refuse(rule, "fire.refuse.water", where=hexes(cell), piece=piece.id, terrain=terrain)
    if ctx.position.marker("fortification", cell) == "wire":
        ctx.refuse("F106.3", "fire.refuse.wire_weapon", where=hexes(cell), piece=piece.id)


def _activated(ctx: Context, piece: Piece, mode: str) -> None:
    unit = piece if is_unit(piece) else carrier(ctx, piece) or piece
    now = unit.activated
    if mode == "assault":
        if now != "move":
            ctx.refuse("A26", "fire.refuse.not_moving", where=places(piece), piece=piece.id)
    elif mode == "op_fire":
        if now == "op_fire_earlier" and not is_hero(unit):
            ctx.refuse("A33.3", "fire.refuse.op_earlier", where=places(piece), piece=piece.id)
        elif now not in (None, "op_fire") and not is_hero(unit):
            ctx.refuse("O14.1", "fire.refuse.activated", where=places(piece), piece=piece.id)
    elif now not in (None, "fire") and not is_hero(unit):
        ctx.refuse("O14.1", "fire.refuse.activated", where=places(piece), piece=piece.id)
    if is_hero(unit) and now not in (None, mode.replace("order", "fire")):
        ctx.step("E58.1", "fire.hero", value=True, where=places(unit), piece=unit.id)


def may_group(ctx: Context, shot: Shot) -> None:
    """No white band in a group, no wire between its hexes, hexes in a chain. **Rule:** O20.3.1, O20.3.1.1, F106.3."""
    if len(shot.firers) < 2:
        return
    for piece in shot.firers:
        if is_white_band(ctx, piece) and ctx.on("O20.3.1.1"):
            ctx.refuse("O20.3.1.1", "fire.refuse.white_band", where=places(piece), piece=piece.id)
    cells = list(dict.fromkeys(cell_of(ctx, p) for p in shot.firers))
    wired = [cell for cell in cells if ctx.position.marker("fortification", cell) == "wire"]
    if wired and len(cells) > 1:
        ctx.refuse("F106.3", "fire.refuse.wire_group", where=hexes(*wired), cells=wired)
    reached, frontier = {cells[0]}, [cells[0]]
    while frontier:
        cell = frontier.pop()
        for other in cells:
            if other not in reached and ctx.position.grid.distance(cell, other) == 1:
                reached.add(other)
                frontier.append(other)
    apart = [cell for cell in cells if cell not in reached]
    if apart:
        if ctx.on("O20.3.1"):
            ctx.refuse("O20.3.1", "fire.refuse.chain", where=hexes(*apart), cells=apart)
    else:
        code = "fire.chain" if len(cells) > 1 else "fire.together"
        ctx.step("O20.3.1", code, value=True, where=hexes(*cells), cells=cells)


def sights(ctx: Context, shot: Shot) -> dict[str, int]:
    """Hindrance from each firing hex: the greatest over the hexes fired at. **Rule:** 10, O20.3, A40."""
    seen: dict[str, int] = {}
    for cell in dict.fromkeys(cell_of(ctx, p) for p in shot.firers):
        felt: list[int] = []
        for target in shot.cells:
            if cell == target:
                ctx.refuse("O16.4", "fire.refuse.same_hex", where=hexes(cell), cell=cell)
                continue
            line = (Place("segment", f"{cell}>{target}"),)
            with ctx.group("10", "fire.sees", where=line, start=cell, end=target) as step:
                sight = line_of_sight.function(ctx, cell, target)
                step.value = sight.hindrance
                step.code = (
                    "fire.sees_not" if not sight.visible else "fire.sees_hindered" if sight.hindrance else "fire.sees"
                )
            if not sight.visible:
                ctx.refuse("O20.3", "fire.refuse.los", where=line, start=cell, end=target, reason=sight.rule or "10")
            felt.append(sight.hindrance)
            seen[cell] = max(seen.get(cell, 0), sight.hindrance)
        if len(set(felt)) > 1:
            ctx.step(
                "A40", "fire.spray_hindrance", value=max(felt), where=hexes(cell, *shot.cells), start=cell, values=felt
            )
    return seen


def in_range(ctx: Context, shot: Shot) -> tuple[tuple[str, int], ...]:
    """Distance of each firing hex to the target, every piece within its range. **Rule:** 3.1.2, O20.2.2."""
    if not shot.firers:
        return ()
    distances: dict[tuple[str, str], int] = {}
    reasons: list[tuple[str, str, Piece, dict[str, Any]]] = []
    with ctx.group("3.1.2", "fire.reach", where=places(*shot.firers), pieces=[p.id for p in shot.firers]) as step:
        for piece in shot.firers:
            cell = cell_of(ctx, piece)
            reach = effective(ctx, piece, "range")
            least = 1 if is_unit(piece) else printed(ctx, piece, "min_range")
            ordnance = is_white_band(ctx, piece)
            for target in shot.cells:
                if (cell, target) not in distances:
                    distances[cell, target] = range_between.function(ctx, cell, target)
                away = distances[cell, target]
                if away > reach and ctx.on("3.1.2"):
                    rule = "O20.2.2" if ordnance else "3.1.2"
                    reasons.append(
                        (rule, "fire.refuse.range", piece, {"distance": away, "reach": reach, "cell": target})
                    )
                if away < least and (away or ordnance):  # otherwise their own hex: a melee, refused as such
                    reasons.append(
                        ("O20.2.2", "fire.refuse.min_range", piece, {"distance": away, "least": least, "cell": target})
                    )
        step.value = not reasons
        if reasons:
            step.code = "fire.out_of_reach" if len(shot.firers) > 1 else "fire.out_of_reach_one"
    for rule, code, piece, terms in reasons:
        ctx.refuse(rule, code, where=places(piece), piece=piece.id, **terms)
    return tuple((cell, away) for (cell, target), away in distances.items() if target == shot.target)


@dataclass(frozen=True, slots=True)
class Targets:
    """Enemy hexes that activated pieces can fire at.

    Args:
        pairs: (piece id, hex) of every possible shot, in piece order.
    """

    pairs: tuple[tuple[str, str], ...]


@GAME.question(
    "fire_order",
    rules=("O20.1",),
    label="Peut-on jouer un ordre de Tir ?",
    theme=("Vue et tir", "Ordres et Actions"),
    quiet=True,
)
def fire_order(ctx: Context, pieces: Pieces) -> Targets:
    """Whether a Fire order may be given: to units of one card, some piece with an enemy in sight and in range.

    Args:
        pieces: ids of the activated units and weapons; a unit brings the weapon it carries.

    Returns:
        Every possible target of each piece; refused when there is none, or when no card activates them all.

    Raises:
        PositionError: no such piece.

    **Rule:** O20.1, O14.1, 3.3.1.1, 11.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "fire_order", pieces=["grein"]).outcome
    'refused'
    """
    pairs: list[tuple[str, str]] = []
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    units = [ctx.position.piece(name) for name in dict.fromkeys(pieces) if is_unit(ctx.position.piece(name))]
    if len(units) > 1 and ctx.on("3.3.1.1") and activator(ctx, units) is None:
        nobody_commands(ctx, units)
        ctx.refuse("O14.1", "order.refuse.together", where=places(*units), pieces=[unit.id for unit in units])
    for piece in _with_weapons(ctx, pieces):
        name, known = piece.id, len(ctx.refusals)
        if piece.carrier not in pieces:  # else its carrier has said it
            _activated(ctx, piece, "order")
            if len(ctx.refusals) > known:
                continue
        if not is_unit(piece) and not _is_usable(ctx, piece):
            continue
        cell, reach = cell_of(ctx, piece), effective(ctx, piece, "range")
        least, side = 1 if is_unit(piece) else printed(ctx, piece, "min_range"), wielded(ctx, piece).side
        enemies = {ctx.position.hex_of(p.id) for p in ctx.position.pieces if is_unit(p) and p.side != side}
        for enemy in sorted(e for e in enemies if e is not None and e != cell):
            away = ctx.position.grid.distance(cell, enemy)
            if least <= away <= reach and line_of_sight.function(silent, cell, enemy).visible:
                pairs.append((name, enemy))
                ctx.step(
                    "O20.1",
                    "fire.possible",
                    value=True,
                    where=(Place("segment", f"{cell}>{enemy}"),),
                    piece=name,
                    cell=enemy,
                    distance=away,
                )
    ctx.consulted |= silent.consulted
    if pairs and ctx.on("10.1"):
        seen = tuple(dict.fromkeys(cell for _, cell in pairs))
        ctx.step("10.1", "fire.seen", value=len(seen), where=hexes(*seen), cells=list(seen))
    if not pairs:
        ctx.refuse("O20.1", "fire.refuse.no_target", where=places(*(ctx.position.piece(name) for name in pieces)))
    elif not ctx.refusals:
        ctx.step("O20.1", "fire.order_holds", value=True, pieces=list(dict.fromkeys(name for name, _ in pairs)))
    return Targets(tuple(pairs))


def _with_weapons(ctx: Context, names: Sequence[str]) -> list[Piece]:
    """Activated pieces, and the weapons activated with their carriers. **Rule:** 11.1."""
    named = [ctx.position.piece(name) for name in dict.fromkeys(names)]
    carried = [weapon for unit in named if is_unit(unit) for weapon in weapons_of(ctx, unit) if weapon not in named]
    if carried:
        ctx.step("11.1", "command.weapons", value=len(carried), weapons=[weapon.id for weapon in carried])
    return [*named, *carried]


def _is_usable(ctx: Context, weapon: Piece) -> bool:
    """Whether a weapon can fire at all; the step that says why not."""
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    _usable(silent, weapon)
    for reason in silent.refusals[:1]:
        operands: dict[str, Any] = dict(reason.operands)
        ctx.step(reason.rule, reason.code, value=False, where=reason.where, **operands)
    return not silent.refusals
