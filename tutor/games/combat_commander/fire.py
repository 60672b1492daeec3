"""Direct fire: who may fire at what, and how strong the fire is. Every reason of a refusal is found, not one only.

**Rule:** O20.1, O20.3, O20.3.1, O20.3.1.1, O20.3.1.2, O20.3.2, 10.3.2, 10.3.2.1, T88.2, A24.1, A26, A33.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tutor.core.context import Context, default, reader
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.actions import Shot, moving_units, played
from tutor.games.combat_commander.command import activator, is_hero, supposed
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

MODES = ("order", "op_fire", "assault")


@dataclass(frozen=True, slots=True)
class Fire:
    """Strength of a fire.

    Args:
        fp: final firepower against the target hex; also_fp: against the second hex of a Spray Fire.
        base: id of the base piece; base_fp: its firepower; others: what the other pieces add.
        hindrance: greatest hindrance; elevation: sum of the height modifiers; bonus: what actions add.
        distances: hexes from each firing hex to the target.
    """

    fp: int
    base: str | None
    base_fp: int
    others: int
    hindrance: int
    elevation: int
    bonus: int
    distances: tuple[tuple[str, int], ...]
    also_fp: int | None = None


@GAME.rule(
    "fire",
    *("O20.3", "O20.3.1", "O20.3.1.2", "O20.3.2", "10.3.2", "10.3.2.1", "T88.2", "T89", "T95", "F106.3"),
    *("A26", "A27", "A30", "A34", "A37", "A40"),
)
def fire(
    ctx: Context,
    firers: list[str],
    target: str,
    actions: list[str] | tuple[str, ...] = (),
    base: str | None = None,
    mode: str = "order",
    also: str | None = None,
    smoke: bool = False,
) -> Fire:
    """Whether a fire may be made, and its final firepower.

    Args:
        firers: ids of the units and weapons that fire together.
        target: hex fired at.
        actions: actions played with it (crossfire, grenades, marksmanship, sustained_fire, bore_sighting, spray_fire).
        base: id of the base piece; None: the strongest.
        mode: order (Fire order), op_fire, or assault (A26).
        also: second hex, for Spray Fire.
        smoke: a smoke round, which needs no enemy in the hex.

    Returns:
        The strength, worked out even when the fire is refused.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: unknown action or mode.

    **Rule:** O20.3, O20.3.1, O20.3.1.1, O20.3.1.2, O20.3.2, 10.3.2, 10.3.2.1, T88.2, A24.1, A26, A27, A30, A34, A37, A40.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "fire",
    ...     firers=["peloton-l8", "peloton-k8", "peloton-j7", "peloton-j6", "mg-j6"], target="M6").value.fp
    11
    """
    judged = bool(ctx.refusals)  # by ``op_fire``
    shot = _shot(ctx, firers, target, also, mode)
    if mode == "op_fire" and not judged:
        _somebody_moves(ctx, shot)
    _target_holds_enemy(ctx, shot, smoke)
    if smoke:
        _smoke_round(ctx, shot)
    for piece in shot.firers:
        _may_fire(ctx, piece, mode)
    if mode == "assault" and not ctx.refusals:
        ctx.step(
            "A26", "fire.assault", value=True, where=places(*shot.firers), pieces=[piece.id for piece in shot.firers]
        )
    _may_group(ctx, shot)
    if mode == "order" and not ctx.refusals:
        supposed(ctx, shot.firers)
    seen = _sights(ctx, shot)
    reaches = _in_range(ctx, shot)
    base_piece, base_fp, others = _strength(ctx, shot, base)
    hindrance = _hindrance(ctx, shot, seen, base_piece)
    heights = _elevations(ctx, shot)
    bonus = played(ctx, actions, shot)
    if also is not None and "spray_fire" not in actions:
        ctx.refuse("O20.3", "fire.refuse.one_hex", where=hexes(target, also))
    totals = [
        _final(ctx, shot, cell, base_fp, others, hindrance, height, bonus)
        for cell, height in zip(shot.cells, heights, strict=True)
    ]
    return Fire(
        totals[0],
        base_piece.id if base_piece else None,
        base_fp,
        others,
        hindrance,
        heights[0],
        bonus,
        reaches,
        totals[1] if also is not None else None,
    )


def _shot(ctx: Context, firers: Sequence[str], target: str, also: str | None, mode: str) -> Shot:
    ctx.position.grid.check(target)
    if also is not None:
        ctx.position.grid.check(also)
    if mode not in MODES:
        raise RequestError(f"« {mode} » n’est pas une façon de tirer.", remedy=f"Choisissez parmi {', '.join(MODES)}.")
    pieces = tuple(wielded(ctx, ctx.position.piece(name)) for name in dict.fromkeys(firers))
    if not pieces:
        ctx.refuse("O20.3", "fire.refuse.nobody", where=hexes(target), cell=target)
    return Shot(pieces, target, also)


def _somebody_moves(ctx: Context, shot: Shot) -> None:
    """An Op Fire answers a unit that moves in a hex fired at. **Rule:** A33.1."""
    if not moving_units(ctx, shot) and all(ctx.on(rule) for rule in ("A33.1", "A33.2", "O16.1")):
        ctx.refuse("A33.1", "op_fire.refuse.nobody_moves", where=hexes(*shot.cells), cell=shot.target)


def _target_holds_enemy(ctx: Context, shot: Shot, smoke: bool) -> None:
    """R2, and every side being one side."""
    for cell in shot.cells:
        enemies = [p for p in ctx.position.pieces_at(cell) if is_unit(p) and p.side != shot.side]
        if not enemies and not smoke:
            rule = "O20.3" if cell == shot.target else "A40"
            ctx.refuse(rule, "fire.refuse.no_enemy", where=hexes(cell), cell=cell)
    strangers = [p for p in shot.firers if p.side != shot.side]
    if strangers:
        ctx.refuse("O20.3.1", "fire.refuse.two_sides", where=places(*strangers), pieces=[p.id for p in strangers])


def _smoke_round(ctx: Context, shot: Shot) -> None:
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


def _may_fire(ctx: Context, piece: Piece, mode: str) -> None:
    """R3, R6, R7, and activation."""
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
    """Whether a weapon is in order, in hands that may use it, in a hex it can fire from."""
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


def _may_group(ctx: Context, shot: Shot) -> None:
    """R8, R9, R10."""
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


def _sights(ctx: Context, shot: Shot) -> dict[str, int]:
    """R4: hindrance from each firing hex (the greatest over the hexes fired at)."""
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


def _in_range(ctx: Context, shot: Shot) -> tuple[tuple[str, int], ...]:
    """R5: distance of each firing hex to the target, every piece within its range."""
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


def _strength(ctx: Context, shot: Shot, base: str | None) -> tuple[Piece | None, int, int]:
    """Firepower of the base piece, and what the others add. **Rule:** O20.3.1.2."""
    if not shot.firers:
        return None, 0, 0
    ids = [piece.id for piece in shot.firers]
    if base is not None and base not in ids:
        raise RequestError(f"Le pion de base « {base} » ne tire pas.", remedy=f"Choisissez parmi {', '.join(ids)}.")
    if len(ids) == 1:
        return shot.firers[0], effective(ctx, shot.firers[0], "fp"), 0
    with ctx.group("O20.3.1.2", "fire.group", where=places(*shot.firers), n=len(ids)) as step:
        powers = {piece.id: effective(ctx, piece, "fp") for piece in shot.firers}
        chosen = ctx.position.piece(base if base is not None else max(powers, key=lambda name: powers[name]))
        own = powers[chosen.id]
        if ctx.on("O20.3.1.2"):
            who = reader(chosen.id) if base is not None else default(chosen.id)
            ctx.step("O20.3.1.2", "fire.base", "choice", value=own, unit="PF", where=places(chosen), piece=who)
            others = int(ctx.table("fire_modifiers").get("other_piece", "fp")) * (len(powers) - 1)
            added = [name for name in powers if name != chosen.id]
            ctx.step("O20.3.1.2", "fire.others", value=others, unit="PF", pieces=added)
        else:
            others = sum(powers.values()) - own
            ctx.step("O20.3.1.2", "fire.all_added", value=own + others, unit="PF", values=list(powers.values()))
        step.value, step.unit = own + others, "PF"
    return chosen, own, others


def _hindrance(ctx: Context, shot: Shot, seen: dict[str, int], base: Piece | None) -> int:
    """Greatest hindrance over the group; ordnance paid it when targeting. **Rule:** O20.3.2, 10.3.1, 10.3.2."""
    worst = max(seen.values(), default=0)
    if not worst or base is None:
        return 0
    if len(shot.firers) == 1 and is_white_band(ctx, base) and ctx.on("10.3.1"):
        ctx.step("10.3.1", "fire.hindrance_paid", value=0, where=places(base), hindrance=worst)
        return 0
    if not ctx.on("10.3.2"):
        return 0
    if len(shot.firers) > 1:
        if len(seen) > 1 and not ctx.on("O20.3.2"):
            worst = seen.get(cell_of(ctx, base), 0)
        code = "fire.worst_hindrance" if len(seen) > 1 else "fire.shared_hindrance"
        ctx.step("O20.3.2", code, value=worst, unit="PF", where=hexes(*seen), values=list(seen.values()))
    ctx.step("10.3.2", "fire.hindrance", value=-worst, unit="PF", where=hexes(shot.target), hindrance=worst)
    return worst


def _elevations(ctx: Context, shot: Shot) -> list[int]:
    """The height modifier of each hex fired at; of both as one by the reading ``spray_height``. **Rule:** T88.2, A40."""
    if not ctx.on("T88.2"):
        return [0] * len(shot.cells)
    if len({ctx.position.level_of.get(cell, 0) for cell in shot.cells}) < 2:
        return [_elevation(ctx, shot, (cell,)) for cell in shot.cells]
    each = ctx.setting("spray_height") == "each"
    code = "fire.heights_apart" if each else "fire.heights_together"
    ctx.step("A40", code, value=each, where=hexes(*shot.cells), note="interprétation", cells=list(shot.cells))
    if each:
        return [_elevation(ctx, shot, (cell,)) for cell in shot.cells]
    return [_elevation(ctx, shot, shot.cells)] * len(shot.cells)


def _elevation(ctx: Context, shot: Shot, targets: tuple[str, ...]) -> int:
    """-1 when a target is higher than some firing piece, +1 when lower than some; both may apply. **Rule:** T88.2."""
    levels = {cell: ctx.position.level_of.get(cell, 0) for cell in dict.fromkeys(cell_of(ctx, p) for p in shot.firers)}
    heights = {target: ctx.position.level_of.get(target, 0) for target in targets}
    highest, lowest = max(heights.values()), min(heights.values())
    amount = 0
    table = ctx.table("fire_modifiers")
    for row, concerned, limit in (
        ("target_higher", [cell for cell, level in levels.items() if level < highest], highest),
        ("target_lower", [cell for cell, level in levels.items() if level > lowest], lowest),
    ):
        if concerned:
            target = next(cell for cell, height in heights.items() if height == limit)
            where = hexes(*concerned, target)
            with ctx.group("T88.2", f"fire.{row}", where=where, cells=concerned, target=target) as step:
                step.value, step.unit = int(table.get(row, "fp", hexes(target))), "PF"
            amount += int(step.value)
    return amount


def _final(ctx: Context, shot: Shot, cell: str, base: int, others: int, hindrance: int, height: int, bonus: int) -> int:
    total = base + others - hindrance + height + bonus
    terms = [base, *(term for term in (others, -hindrance, height, bonus) if term)]
    ctx.step("O20.3", "fire.final", value=total, unit="PF", where=hexes(cell), cell=cell, terms=terms)
    least = int(ctx.table("limits").peek("least_fp", "value"))
    if shot.firers and total < least and ctx.on("10.3.2.1"):
        ctx.refuse("10.3.2.1", "fire.refuse.too_weak", where=hexes(cell), fp=total, least=least)
    elif total - bonus < least and ctx.on("10.3.2.1"):
        ctx.step("10.3.2.1", "fire.lifted", value=total, unit="PF", where=hexes(cell), was=total - bonus, least=least)
    return total


@dataclass(frozen=True, slots=True)
class Targets:
    """Enemy hexes that activated pieces can fire at.

    Args:
        pairs: (piece id, hex) of every possible shot, in piece order.
    """

    pairs: tuple[tuple[str, str], ...]


@GAME.rule("fire_order", "O20.1")
def fire_order(ctx: Context, pieces: list[str]) -> Targets:
    """Whether a Fire order may be given: to units that one card activates, some piece with an enemy in sight and in range.

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
    found: list[tuple[str, str]] = []
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    units = [ctx.position.piece(name) for name in dict.fromkeys(pieces) if is_unit(ctx.position.piece(name))]
    if len(units) > 1 and ctx.on("3.3.1.1") and activator(ctx, units) is None:
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
                found.append((name, enemy))
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
    if not found:
        ctx.refuse("O20.1", "fire.refuse.no_target", where=places(*(ctx.position.piece(name) for name in pieces)))
    return Targets(tuple(found))


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
