"""Events that befall units or weapons: chosen ones, the nearest to a random hex, those out of command.

**Rule:** E43, E44, E50, E51, E52, E60, E62, E63, E64, E66, E71, E72, E75.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import IDLE, PieceId, Roll, Side
from tutor.core.context import Context, dice
from tutor.core.dice import chance, total
from tutor.core.dice import roll as dice_of
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import command_of
from tutor.games.combat_commander.events import (
    Call,
    Event,
    among,
    cell_needed,
    choice,
    effect_of,
    family,
    hit,
    must_choose,
    on_board,
)
from tutor.games.combat_commander.fire.cover import cover
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.los import line_of_sight
from tutor.games.combat_commander.rally import steady
from tutor.games.combat_commander.units import AS_PLACED, cell_of, is_unit, places, weapons_of
from tutor.games.combat_commander.values import effective


def _adjacent_enemy(ctx: Context, unit: Piece) -> bool:
    grid, cell = ctx.position.grid, cell_of(ctx, unit)
    return any(other.side != unit.side and grid.distance(cell, cell_of(ctx, other)) == 1 for other in on_board(ctx))


def _exposed(ctx: Context, unit: Piece) -> bool:
    """Not suppressed, in a hex of cover below 1; the cover of each is said. **Rule:** E60."""
    if "suppressed" in unit.status:
        ctx.step("E60", "event.suppressed_already", value=False, where=places(unit), piece=unit.id)
        return False
    cell = cell_of(ctx, unit)
    here = cover(ctx.position, cell=cell, trace=False, without=ctx.without).value.value
    exposed = bool(here < 1)
    code = "event.cover_low" if exposed else "event.cover_enough"
    ctx.step("E60", code, value=exposed, where=places(unit), piece=unit.id, cell=cell, cover=here)
    return exposed


def _under_gun(ctx: Context, call: Call, unit: Piece) -> bool:
    """In sight and in range of a working machine gun of the player. **Rule:** E75."""
    if "suppressed" in unit.status:
        return False
    for gun in (p for p in ctx.position.pieces if p.kind == "mg"):
        holder = ctx.position.by_id.get(gun.carrier or "")
        if holder is None or holder.side != call.side or "broken" in gun.status:
            continue
        if {"broken", "suppressed"} & set(holder.status):
            continue
        start = ctx.position.hex_of(gun.id)
        if start is None or start == cell_of(ctx, unit):
            continue
        reach = effective(Context(ctx.game, ctx.position, trace=False), gun, "range")
        seen = line_of_sight(ctx.position, start=start, end=cell_of(ctx, unit), trace=False, without=ctx.without)
        if ctx.position.grid.distance(start, cell_of(ctx, unit)) <= reach and seen.value.visible:
            ctx.step("E75", "event.under_gun", where=places(unit), piece=unit.id, cell=start)
            return True
    return False


def _may_be_taken(ctx: Context, unit: Piece) -> bool:
    """Whether a broken unit stands beside an enemy who takes it; said where it does not. **Rule:** E66."""
    if not ctx.on("E66") or _adjacent_enemy(ctx, unit):
        return True
    ctx.step("E66", "event.no_captor", value=False, where=places(unit), piece=unit.id)
    return False


def _who(ctx: Context, call: Call) -> Callable[[Piece], bool]:
    """Whether a unit is one that an event lets the player choose."""
    mine = _chooser(ctx, call)
    return {
        "own_plain": lambda u: u.side == mine and "veteran" not in u.status,
        "own_squad": lambda u: u.side == mine and u.kind == "squad",
        "any_exposed": lambda u: _exposed(ctx, u),
        "any_broken": lambda u: "broken" in u.status,
        "own_broken": lambda u: u.side == mine and "broken" in u.status,
        "own_broken_near": lambda u: u.side == mine and "broken" in u.status and _may_be_taken(ctx, u),
        "enemy_under_mg": lambda u: u.side == call.enemy and _under_gun(ctx, call, u),
    }[str(ctx.table("events").peek(call.name, "who"))]


def _chooser(ctx: Context, call: Call) -> str:
    """Whose units an event lets choose: those of who drew it; for a deployment, by the reading ``deploy_player``.

    ``state.active`` names the active player; unsaid, it is taken as who drew. **Rule:** E52.1.
    """
    if call.rule != "E52":
        return call.side
    active = ctx.setting("deploy_player") == "active"
    side = str(ctx.position.state.get("active", call.side)) if active else call.side
    code = "event.deploy_active" if active else "event.deploy_drawer"
    ctx.step("E52.1", code, value=side, note="interprétation", side=side)
    return side


def _candidates(ctx: Context, call: Call) -> list[Piece]:
    wanted = _who(ctx, call)
    return [unit for unit in on_board(ctx) if wanted(unit)]


@family("unit")
def one_unit(ctx: Context, call: Call) -> Event:
    """One unit that the player chooses. **Rule:** E44, E52.1, E60, E62, E64, E66, E75."""
    candidates = _candidates(ctx, call)
    options = tuple(unit.id for unit in candidates)
    chosen = choice(ctx, call, options, places(*candidates))
    picked = [unit for unit in candidates if unit.id == chosen]
    return hit(ctx, call, picked, effect_of(ctx, call), options)


def judged(brave: int, rolled: int) -> str:
    """What a commissar makes of a unit. **Rule:** E50.

    >>> judged(6, 6), judged(6, 7)
    ('rallied', 'eliminated')
    """
    return "eliminated" if rolled > brave else "rallied"


@GAME.question(
    "commissar_odds",
    rules=("E50",),
    label="Que risque cette unité devant le Commissaire ?",
    theme="Unités et Moral",
    chances=True,
)
def commissar_odds(
    ctx: Context,
    choose: Annotated[PieceId, "Au choix"],
    side: Annotated[Side, IDLE] = "allies",
    name: Annotated[str, IDLE] = "commissar",
    roll: Annotated[Roll | None, IDLE] = None,
) -> Mapping[str, Fraction]:
    """Exact odds of a commissar's roll for a unit.

    Args:
        choose: id of the unit.
        side, name, roll: as the event is asked; they change nothing here.

    Returns:
        rallied and eliminated, with their probabilities; refused for a unit in good order.

    Raises:
        PositionError: no such piece.

    **Rule:** E50.

    >>> from tutor import ask, load_position
    >>> str(ask(load_position("combat_commander", "evenements"), "commissar_odds", choose="milice").value["rallied"])
    '5/12'
    """
    unit = ctx.position.piece(choose)
    if "broken" not in unit.status:
        ctx.refuse("E50", "event.refuse.unit", where=places(unit), value=choose, choose=choose)
    ctx.settle()
    brave = steady(ctx, unit, AS_PLACED)
    fatal = chance(total, lambda rolled: judged(brave, rolled) == "eliminated")
    odds = {"rallied": 1 - fatal, "eliminated": fatal}
    ctx.step("E50", "event.commissar_odds", value=odds["rallied"], where=places(unit), piece=choose, morale=brave)
    return odds


@family("commissar")
def commissar(ctx: Context, call: Call) -> Event:
    """A broken Russian unit rolls: above its Morale it dies, else it rallies. **Rule:** E50."""
    candidates = [unit for unit in _candidates(ctx, call) if unit.nation == "russia"]
    options = tuple(unit.id for unit in candidates)
    chosen = choice(ctx, call, options, places(*candidates))
    if chosen is None:
        return Event(options)
    unit = ctx.position.piece(chosen)
    brave = steady(ctx, unit, AS_PLACED)
    if call.roll is None:
        ctx.step("E50", "event.commissar_waits", value=brave, where=places(unit), piece=unit.id)
        return Event(options, effect="pending")
    rolled = total(dice_of(call.roll))
    result = judged(brave, rolled)
    code = "event.commissar_dead" if result == "eliminated" else "event.commissar_rallied"
    ctx.step("E50", code, value=rolled, where=places(unit), piece=unit.id, morale=brave, roll=dice(rolled))
    ctx.step("E42", "event.no_trigger", value=True)
    return hit(ctx, call, [unit], result, options)


@family("cower")
def cower(ctx: Context, call: Call) -> Event:
    """Friendly squads out of every friendly leader's radius are suppressed. **Rule:** E51, 3.3.1.1."""
    grid = ctx.position.grid
    leaders = [(p, command_of(ctx, p)) for p in on_board(ctx, call.side) if p.kind == "leader"]
    alone = []
    for squad in (p for p in on_board(ctx, call.side) if p.kind == "squad"):
        near = [p for p, radius in leaders if grid.distance(cell_of(ctx, p), cell_of(ctx, squad)) <= radius]
        if near and ctx.on("E51"):
            ctx.step("3.3.1.1", "event.commanded", value=True, where=places(squad), piece=squad.id, leader=near[0].id)
        elif "suppressed" not in squad.status:
            alone.append(squad)
    if not alone:
        ctx.step("E51", "event.none_alone", value=0)
    return hit(ctx, call, alone, "suppressed")


def _nearest(ctx: Context, call: Call, pieces: list[Piece]) -> list[Piece]:
    """Pieces nearest to the random hex. **Rule:** E43, E63, E72."""
    start = cell_needed(call)
    away = {p.id: ctx.position.grid.distance(start, cell_of(ctx, p)) for p in pieces}
    closest = min(away.values(), default=0)
    near = [p for p in pieces if away[p.id] == closest]
    if near:
        ctx.step(call.rule, "event.nearest", value=closest, where=places(*near), pieces=[p.id for p in near])
    return near


@family("nearest_unit")
def nearest_unit(ctx: Context, call: Call) -> Event:
    """The unit nearest to the random hex; the player chooses among equals. **Rule:** E72."""
    near = _nearest(ctx, call, on_board(ctx))
    options = tuple(p.id for p in near)
    chosen = choice(ctx, call, options, places(*near))
    return hit(ctx, call, [p for p in near if p.id == chosen], effect_of(ctx, call), options)


@family("nearest_weapon")
def nearest_weapon(ctx: Context, call: Call) -> Event:
    """The working weapon nearest to the random hex breaks, those it has just repaired too. **Rule:** E63, 11.4."""
    weapons = [
        p
        for p in ctx.position.pieces
        if not is_unit(p)
        and p.kind != "radio"
        and ("broken" not in p.status or call.mended.get(p.id) == "fixed")
        and ctx.position.hex_of(p.id)
    ]
    near = _nearest(ctx, call, weapons)
    options = tuple(p.id for p in near)
    chosen = choice(ctx, call, options, places(*near))
    if chosen is None:
        return Event(options)
    ctx.step("E63", "event.jam", value=chosen, where=places(ctx.position.piece(chosen)), piece=chosen)
    return Event(options, True, (chosen,), "jam", 0, {f"piece.{chosen}.status.broken": True})


@family("nearest_hex")
def nearest_hex(ctx: Context, call: Call) -> Event:
    """All units of the random hex, or of the nearest occupied one, may be broken. **Rule:** E43."""
    near = _nearest(ctx, call, on_board(ctx))
    cells = tuple(dict.fromkeys(cell_of(ctx, p) for p in near))
    chosen = choice(ctx, call, cells, hexes(*cells))
    hit_units = [p for p in on_board(ctx) if cell_of(ctx, p) == chosen]
    return hit(ctx, call, hit_units, effect_of(ctx, call), cells)


@family("scrounge")
def scrounge(ctx: Context, call: Call) -> Event:
    """An eliminated weapon of either side, then a friendly unit without one to carry it. **Rule:** E71, 8.1.1."""
    lost = [p for p in ctx.position.pieces if not is_unit(p) and p.kind != "radio" and "eliminated" in p.status]
    if not lost:
        ctx.step("E71", "event.no_weapon", value=0)
        return Event(must=False)
    ctx.step("E71", "event.lost_weapons", value=len(lost), pieces=[p.id for p in lost])
    names = tuple(p.id for p in lost)
    named = among(ctx, call, call.choose, names)
    if named is None and (len(lost) > 1 or call.choose is not None):
        return Event(names, must_choose(ctx, call))
    weapon = ctx.position.piece(named or names[0])
    able = [p for p in on_board(ctx, call.side) if not weapons_of(ctx, p)]
    options = tuple(p.id for p in able)
    ctx.step("8.1.1", "event.without_weapon", "choice", value=len(able), where=places(*able), pieces=list(options))
    holder = among(ctx, call, call.then, options)
    if holder is None:
        return Event(options, must_choose(ctx, call))
    ctx.step("E71", "event.armed", value=weapon.id, where=places(ctx.position.piece(holder)), piece=holder)
    changes: dict[str, Any] = {f"piece.{weapon.id}.carrier": holder, f"piece.{weapon.id}.status.eliminated": False}
    if "broken" in weapon.status:
        changes[f"piece.{weapon.id}.status.broken"] = False
    if weapon.side != call.side:
        changes[f"piece.{weapon.id}.side"] = call.side
    return Event(options, must_choose(ctx, call), (holder, weapon.id), effect_of(ctx, call), 0, changes)
