"""Actions that change a fire: when each may be played, and what it adds; who plays first; smoke grenades, light wounds.

**Rule:** A24.1, A24.2, A24.3, A26, A27, A30, A34, A36, A37, A39, A40, A41.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import Cell, PieceId, Side
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import AlliesAction, AxisAction, Quality, WoundCause
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.ground import is_aquatic, smoke_drawn, smoke_left
from tutor.games.combat_commander.units import AUTOMATIC, boxed, cell_of, is_unit, places, printed, quality_of, team_row

#: What breaks a squad, and what eliminates it outright: Light Wounds answer the first only.
BREAKS = ("fire", "mines", "artillery", "sniper", "ambush", "event")
ELIMINATES = ("kia", "melee", "retreat", "stacking")
#: Actions that raise the firepower of a fire, or widen it.
FIRE_ACTIONS = ("bore_sighting", "crossfire", "grenades", "marksmanship", "spray_fire", "sustained_fire")


@dataclass(frozen=True, slots=True)
class Shot:
    """What an action is judged on.

    Args:
        firers: pieces that fire.
        target: hex fired at.
        also: second hex of a Spray Fire.
    """

    firers: tuple[Piece, ...]
    target: str
    also: str | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """Hexes fired at."""
        return (self.target,) if self.also is None else (self.target, self.also)

    @property
    def side(self) -> str:
        """Side that fires."""
        return self.firers[0].side if self.firers else ""


def played(ctx: Context, actions: Sequence[str], shot: Shot) -> int:
    """Firepower that the actions add; each whose condition fails is refused.

    Args:
        ctx: computation.
        shot: the fire.
        actions: names, a name twice for two cards; ``marksmanship:germany`` names a nation.

    Raises:
        RequestError: an action that is not one of fire.

    **Rule:** A24.1.
    """
    amounts: list[int] = []
    for name in actions:
        action, _, nation = name.partition(":")
        if action not in FIRE_ACTIONS:
            raise RequestError(
                f"« {name} » n’est pas une Action de tir.", remedy=f"Choisissez parmi {', '.join(FIRE_ACTIONS)}."
            )
        if not _allowed(ctx, action, nation, shot) or action == "spray_fire":
            continue
        if ctx.settled:  # not said any more, but it may still be too little
            amounts.append(int(ctx.table("actions").peek(action, "fp")))
        else:
            with ctx.group(
                _rule(ctx, action), "action.played", where=hexes(shot.target), action=reader(action)
            ) as step:
                step.value, step.unit = int(ctx.table("actions").get(action, "fp")), "PF"
            amounts.append(int(step.value))
    if list(actions).count("spray_fire") > 1:
        ctx.step("A40", "action.spray_once", value=2)
    if len(amounts) > 1 and not ctx.settled:
        ctx.step("A24.1", "action.sum", value=sum(amounts), unit="PF", amounts=amounts)
    return sum(amounts)


def _rule(ctx: Context, action: str) -> str:
    return ctx.game.tables["actions"].cell(action, "fp").rule


def _allowed(ctx: Context, action: str, nation: str, shot: Shot) -> bool:
    check = {
        "bore_sighting": _bore_sighting,
        "crossfire": _crossfire,
        "grenades": _grenades,
        "spray_fire": _spray_fire,
        "sustained_fire": _sustained_fire,
    }
    if action == "marksmanship":
        return _marksmanship(ctx, nation, shot)
    return check[action](ctx, shot)


def _bore_sighting(ctx: Context, shot: Shot) -> bool:
    allowed = True
    if ctx.position.state.get("defender") != shot.side:
        ctx.refuse("A27", "action.refuse.defender", where=places(*shot.firers))
        allowed = False
    least = int(ctx.table("actions").peek("bore_sighting", "weapon_fp"))
    heavy = [(printed(ctx, piece, "fp"), piece) for piece in shot.firers if not is_unit(piece)]
    able = [(power, piece) for power, piece in heavy if power >= least]
    if not able:
        ctx.refuse("A27", "action.refuse.weapon_fp", where=places(*shot.firers), least=least)
        allowed = False
    elif allowed:
        power, piece = able[0]
        ctx.step("A27", "action.bore", value=power, where=places(piece), piece=piece.id, least=least)
    return allowed


def moving_units(ctx: Context, shot: Shot) -> list[Piece]:
    """Enemy units in the hexes fired at that are activated to Move."""
    return [
        p
        for cell in shot.cells
        for p in ctx.position.pieces_at(cell)
        if is_unit(p) and p.side != shot.side and p.activated == "move"
    ]


def _crossfire(ctx: Context, shot: Shot) -> bool:
    moving = moving_units(ctx, shot)
    if moving:
        ctx.step("A30", "action.crossfire", value=True, where=places(*moving), pieces=[p.id for p in moving])
    elif ctx.on("A30"):
        ctx.refuse("A30", "action.refuse.crossfire", where=hexes(*shot.cells), cells=list(shot.cells))
        return False
    return True


def _grenades(ctx: Context, shot: Shot) -> bool:
    grid = ctx.position.grid
    near = [(p, cell) for p in shot.firers for cell in shot.cells if grid.distance(cell_of(ctx, p), cell) == 1]
    if near:
        piece, cell = near[0]
        ctx.step("A34", "action.grenades", value=True, where=places(piece), piece=piece.id, cell=cell)
    elif ctx.on("A34"):
        ctx.refuse("A34", "action.refuse.grenades", where=hexes(*shot.cells), cells=list(shot.cells))
        return False
    return True


def _marksmanship(ctx: Context, nation: str, shot: Shot) -> bool:
    able = [p for p in shot.firers if p.kind in ("squad", "team") and nation in ("", p.nation)]
    if not able:
        ctx.refuse("A37", "action.refuse.marksmanship", where=places(*shot.firers))
    for piece in able[:1]:
        ctx.step("A37", "action.marksmanship", value=True, where=places(piece), piece=piece.id, kind=piece.kind)
    return bool(able)


def _sustained_fire(ctx: Context, shot: Shot) -> bool:
    able = [p for p in shot.firers if p.kind in AUTOMATIC]
    if not able:
        ctx.refuse("A41", "action.refuse.sustained", where=places(*shot.firers))
    for piece in able[:1]:
        ctx.step("A41", "action.sustained", value=True, where=places(piece), piece=piece.id, kind=piece.kind)
    return bool(able)


def _spray_fire(ctx: Context, shot: Shot) -> bool:
    allowed = True
    for piece in shot.firers:
        if not boxed(ctx, piece, "range") and ctx.on("A40"):
            ctx.refuse("A40", "action.refuse.boxed_range", where=places(piece), piece=piece.id)
            allowed = False
    if shot.also is None or ctx.position.grid.distance(shot.target, shot.also) != 1:
        ctx.refuse("A40", "action.refuse.two_hexes", where=hexes(*shot.cells))
        allowed = False
    if allowed:
        ctx.step("A40", "action.spray", value=True, where=hexes(*shot.cells), cells=list(shot.cells))
    return allowed


@GAME.question(
    "action_order",
    rules=("A24.2",),
    label="Dans quel ordre ces actions jouent-elles ?",
    theme="Ordres et Actions",
)
def action_order(
    ctx: Context,
    active: Annotated[Side, "Camp actif"],
    axis: AxisAction = "play_fire",
    allies: AlliesAction = "play_fire",
) -> tuple[str, ...]:
    """Who plays first when both players want to play an action at the same moment: the inactive one.

    Args:
        active: axis or allies, whose turn it is.
        axis, allies: the action each wants to play (a row of ``timings``), or none.

    Returns:
        The sides that play, in order.

    Raises:
        RequestError: no such side or action.

    **Rule:** A24.2.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "tir-op-gue")
    >>> ask(position, "action_order", active="allies", axis="play_fire", allies="play_smoke_grenades").value
    ('axis', 'allies')
    """
    wishes, known = {"axis": axis, "allies": allies}, ctx.game.tables["timings"].rows
    unknown = [wish for wish in wishes.values() if wish != "none" and wish not in known]
    if active not in wishes or unknown:
        raise RequestError(
            f"« {unknown[0] if unknown else active} » : ni une Action, ni un camp.",
            remedy=f"Camps : axis, allies. Actions : {', '.join(known)}.",
        )
    inactive = "allies" if active == "axis" else "axis"
    sides = [side for side in (inactive, active) if wishes[side] != "none"]
    codes = {inactive: "action.inactive", active: "action.active"}
    for place, side in enumerate(sides, 1):
        where = places(*(p for p in ctx.position.pieces if is_unit(p) and p.side == side and ctx.position.hex_of(p.id)))
        ctx.step("A24.2", codes[side], value=place, where=where, side=side, action=reader(wishes[side]))
    if len(sides) == 2:
        ctx.step("A24.2", "action.order", value=len(sides), first=inactive, then=active)
    elif not sides:
        ctx.step("A24.2", "action.nobody", value=0)
    return tuple(sides)


def _keeps(ctx: Context, unit: Piece) -> None:
    """An action neither activates a unit nor undoes its activation. **Rule:** A24.3."""
    code = "action.idle" if unit.activated is None else "action.keeps"
    ctx.step("A24.3", code, value=unit.activated, where=places(unit), piece=unit.id)


@GAME.question(
    "smoke_grenades",
    rules=("A39",),
    label="Peut-elle poser des Fumigènes ici ?",
    theme=("Mouvement", "Artillerie et Fumigènes"),
)
def smoke_grenades(
    ctx: Context, piece: PieceId, cell: Cell, smoke: Annotated[int | None, "Fumigène tiré"] = None
) -> bool:
    """Whether a unit may lay smoke in a hex with Smoke Grenades, and the smoke that stays there.

    Args:
        piece: id of the unit.
        cell: hex where the smoke would go.
        smoke: number of the marker, None before it is drawn.

    Returns:
        True when nothing refuses it.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: no such marker.

    **Rule:** A39, A24.3, 8.1.4, T94.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir-op")
    >>> ask(position, "smoke_grenades", piece="peloton", cell="K7").refusals[0].rule
    'A39'
    """
    unit = ctx.position.piece(piece)
    ctx.position.grid.check(cell)
    if not is_unit(unit) or not boxed(ctx, unit, "move"):
        ctx.refuse("A39", "action.refuse.boxed_move", where=places(unit), piece=piece)
    if unit.activated != "move":
        ctx.refuse("A39", "action.refuse.not_moving", where=places(unit), piece=piece)
    if ctx.position.grid.distance(cell_of(ctx, unit), cell) > 1:
        ctx.refuse("A39", "action.refuse.smoke_far", where=hexes(cell), cell=cell)
    if is_aquatic(ctx, cell) or ctx.position.marker("blaze", cell):
        ctx.refuse("A39", "action.refuse.smoke_place", where=hexes(cell), cell=cell)
    if not ctx.refusals:
        _keeps(ctx, unit)
        ctx.step("A39", "action.smoke", value=cell, where=hexes(cell), piece=piece, cell=cell)
        if smoke is not None:
            smoke_left(ctx, cell, smoke_drawn(ctx, smoke))
    return not ctx.refusals


@GAME.question(
    "light_wounds",
    rules=("A36",),
    label="Blessures légères peut-elle sauver cette unité ?",
    theme="Unités et Moral",
)
def light_wounds(ctx: Context, piece: PieceId, cause: WoundCause = "fire", quality: Quality | None = None) -> bool:
    """Whether Light Wounds may save a squad: from breaking, not from an outright elimination.

    Args:
        piece: id of the squad.
        cause: fire, mines, artillery, sniper, ambush, event (they break it), or kia, melee, retreat, stacking (they
            eliminate it at once).
        quality: green, line or elite, that of the side's order of battle; None: ``state.quality_axis`` (or
            ``_allies``).

    Returns:
        True when the squad is replaced by a team, for 1 victory point.

    Raises:
        PositionError: no such piece. RequestError: unknown cause.

    **Rule:** A36, A24.3.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "light_wounds", piece="peloton-us", cause="melee").outcome
    'refused'
    """
    if cause not in (*BREAKS, *ELIMINATES):
        raise RequestError(
            f"« {cause} » n’est pas une cause de perte.",
            remedy=f"Choisissez parmi {', '.join((*BREAKS, *ELIMINATES))}.",
        )
    unit = ctx.position.piece(piece)
    if unit.kind != "squad":
        ctx.refuse("A36", "action.refuse.wounds_squad", where=places(unit), piece=piece)
    if cause in ELIMINATES:
        ctx.refuse("A36", "action.refuse.wounds_cause", where=places(unit), piece=piece)
    if not ctx.refusals:
        _keeps(ctx, unit)
        if row := team_row(ctx.game.tables["units"].rows, unit.nation, quality_of(ctx.position, unit.side, quality)):
            ctx.step("A36", "action.wounds_team", value=row, where=places(unit), quality=reader(row))
        with ctx.group("A36", "action.wounds", where=places(unit), piece=piece) as step:
            step.value = int(ctx.table("actions").get("light_wounds", "vp"))
    return not ctx.refusals
