"""Overwatch: the trigger, and which units of a stack may answer it.

**Rule:** 15.0-15.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from tutor.core import tables
from tutor.core.arguments import Cell, Pieces
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import hexes
from tutor.games.tcs.arguments import Observed, Shooters, Spotter, TriggerEvent, TriggerKind
from tutor.games.tcs.fire.firers import refuse_far, refuse_gone, refuse_spotter, refuse_unseen
from tutor.games.tcs.game import GAME
from tutor.games.tcs.los.los import sight_of
from tutor.games.tcs.los.spotting import observed_by
from tutor.games.tcs.morale import CLASSES, hex_class, side_class
from tutor.games.tcs.units import Unit, place, unit, units_at

TRIGGERS = ("move", "fire", "morale", "final")
COVER = ("protective", "partly_protective")


@dataclass(frozen=True, slots=True)
class Overwatch:
    """Who may answer a trigger.

    Args:
        trigger: move, fire, morale or final.
        at: its hex.
        may: pieces that may fire.
        area, point: pieces whose fire is an area fire, a point fire.
        side_terrain: whether the common hexside may be used.
    """

    trigger: str
    at: str
    may: tuple[str, ...]
    area: tuple[str, ...]
    point: tuple[str, ...]
    side_terrain: bool


def _event(event: str, column: str) -> tables.Cell:
    events = GAME.tables["triggers"]
    if not events.has(event):
        raise RequestError(
            f"« {event} » n’est pas un événement connu.", remedy=f"Choisissez parmi {', '.join(events.rows)}."
        )
    return events.cell(event, column)


@GAME.question(
    "triggers",
    rules=("15.2a", "15.2c", "15.2d", "16.1h", "20.1d"),
    label="Que déclenche cet événement ?",
    theme="Overwatch et SYR",
)
def triggers(ctx: Context, event: TriggerEvent, bottleneck: Annotated[bool, "Goulet"] = False) -> tuple[str, ...]:
    """Which triggers an event gives.

    Args:
        event: enter, sfa, pfa, artillery_mission, overwatch_on_move, overwatch_on_fire, recovery, assault, overrun,
            leave_overrun, at_roll, assault_fire, change_mode, mount.
        bottleneck: whether the hex entered, or the side crossed, is a bottleneck: a bridge, a cleared minefield.

    Returns:
        The triggers: none, or one of move, fire, morale, final; two for a bottleneck entered.

    Raises:
        RequestError: no such event.

    **Rule:** 15.1, 15.2a, 15.2c, 15.2d, 15.2e, 15.2f, 16.1h, 20.1d.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-sfa"), "triggers", event="sfa").value
    ('fire',)
    """
    cell = _event(event, "trigger")
    trigger = str(cell.value)
    ctx.step(
        cell.rule, "overwatch.none" if trigger == "no" else "overwatch.trigger", "table", value=trigger, event=event
    )
    if trigger == "no":
        return ()
    if bottleneck and trigger == "move" and ctx.on("20.1d"):
        ctx.step("20.1d", "overwatch.bottleneck", value=2)
        return (trigger, trigger)
    return (trigger,)


@GAME.question(
    "cycle",
    rules=("15.1", "15.1a", "15.1b", "15.1c", "15.1d"),
    label="Qui peut répondre, et dans quel ordre ?",
    theme="Overwatch et SYR",
)
def cycle(ctx: Context, event: TriggerEvent) -> tuple[str, ...]:
    """Who may fire in answer to an event, in order: the inactive side, then the active side's return fire.

    Args:
        event: as for ``triggers``.

    Returns:
        inactive, or inactive then active; empty when the event gives no trigger.

    Raises:
        RequestError: no such event.

    **Rule:** 15.1a-15.1d, 15.2c.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-sfa"), "cycle", event="enter").value
    ('inactive', 'active')
    """
    cell = _event(event, "replies")
    sides = ("inactive", "active")[: int(cell.value)]
    for number, who in enumerate(sides):
        code = "overwatch.return" if number else "overwatch.answer"
        ctx.step(cell.rule, code, "table", value=who, event=event)
    if not sides:
        ctx.step(cell.rule, "overwatch.none", "table", value="no", event=event)
    return sides


@GAME.question(
    "overwatch",
    rules=("15.0", "15.2", "15.2f", "15.3"),
    label="Qui peut réagir ?",
    theme="Overwatch et SYR",
    common=True,
)
def overwatch(
    ctx: Context,
    reactors: Annotated[Pieces, "Qui réagit"],
    trigger: TriggerKind,
    at: Annotated[Cell, "À"],
    left: Annotated[Cell | None, "Hex quitté"] = None,
    spotter: Spotter | None = None,
    observed: Observed | None = None,
    answered: Annotated[bool, "Déjà répondu"] = False,
    movers: Annotated[Pieces, "Qui bouge"] = (),
    shooters: Shooters = (),
) -> Overwatch:
    """Whether units of one stack may answer a trigger; every unit that may not says why.

    Args:
        reactors: ids of the pieces, all in one hex.
        trigger: move, fire, morale or final.
        at: hex of the trigger.
        left: hex that the mover has just left.
        spotter: piece that sees for mortars.
        observed: whether the trigger's hex is, None to work it out.
        answered: this stack already fired in this vehicle impulse.
        movers: ids of pieces whose move is being answered: they may not use that fire as a trigger.
        shooters: ids of those whose fire is answered, nothing for all who are in Fire mode there: they are seen from
            farther.

    Returns:
        Who may fire, and how; nobody, refused, when nobody may.

    Raises:
        RequestError: no such trigger, nobody, or several stacks.

    **Rule:** 15.0, 15.2b, 15.2c, 15.2f, 15.2g, 15.3a-15.3d, 15.3i, 7.1b, 9.1c.

    >>> from tutor import ask, load_position
    >>> guard = {"reactors": ["mg", "platoon", "canon"], "trigger": "move", "at": "04.03"}
    >>> answer = ask(load_position("tcs", "guet"), "overwatch", **guard).value
    >>> answer.area, answer.point
    (('mg', 'platoon'), ('canon',))
    """
    if trigger not in TRIGGERS:
        raise RequestError(f"« {trigger} » n’est pas un signal.", remedy=f"Signaux : {', '.join(TRIGGERS)}.")
    for rule in ("15.3b", "15.3c", "15.2c"):
        ctx.on(rule)
    _check(ctx, at, left)
    units = [unit(ctx, r) for r in reactors]
    if not units or len(set(reactors)) != len(units):
        raise RequestError("Une réaction demande des unités, chacune une fois.", remedy="Donnez leurs identifiants.")
    if len({(u.at, u.side) for u in units}) > 1:
        ctx.refuse("15.0", "overwatch.one_stack", where=hexes(*sorted({u.at for u in units})))
    if answered:
        ctx.refuse("15.3i", "overwatch.once", where=hexes(units[0].at), cell=units[0].at)
    eye = unit(ctx, spotter) if spotter else None
    ctx.step("15.2b", "overwatch.at", "input", value=trigger, where=hexes(at), at=at)
    if trigger == "final":
        ctx.step("15.2f", "overwatch.final", where=hexes(at), at=at)
    fired = _shooters(ctx, at, units[0].side, shooters) if trigger == "fire" else []
    before = len(ctx.refusals)
    for u in units:
        if u.id in movers:
            ctx.refuse("15.2c", "overwatch.mover", where=place(u), piece=u.id)
    unseen: list[Unit] = []
    may = [u for u in units if _may(ctx, u, trigger, at, left, eye, observed, fired, unseen) and u.id not in movers]
    if unseen:  # one reason for all of them
        cells = (at, left) if left else (at,)
        ctx.refuse("15.2c", "overwatch.left_hex", where=hexes(*cells), pieces=[u.id for u in unseen], at=at)
    if may and len(ctx.refusals) > before and not answered and before == 0:
        ctx.refusals.clear()  # some of the stack may not, the others still do
    if ctx.refusals:
        return Overwatch(trigger, at, (), (), (), False)
    both = (
        trigger == "move"
        and left is not None
        and bool(may)
        and all(_sees(ctx, u, left) and _sees(ctx, u, at) for u in may)
    )
    if both and left is not None:
        ctx.step("15.2c", "overwatch.side_terrain", where=hexes(at, left), at=at, left=left)
    if may:
        ctx.step("15.2g", "overwatch.may", where=[p for u in may for p in place(u)], pieces=[u.id for u in may])
    area = tuple(u.id for u in may if u.firer == "A")
    point = tuple(u.id for u in may if u.firer == "P")
    if area and point:
        where = [p for u in may for p in place(u)]
        ctx.step("15.2g", "overwatch.together", value=2, where=where, area=list(area), point=list(point))
    return Overwatch(trigger, at, tuple(u.id for u in may), area, point, both)


#: Signals that a Fired unit answers at any distance: the rule that says so, and the step.
_FREE = {"morale": ("15.2e", "overwatch.fired_morale"), "final": ("15.2f", "overwatch.fired_final")}


def _shooters(ctx: Context, at: str, side: str, named: Sequence[str]) -> list[str]:
    """The enemies whose fire is the trigger: those named, else all that are in Fire mode there.

    **Rule:** 7.1e, 15.2d.
    """
    shooters = [
        u for u in units_at(ctx, at) if u.side != side and (u.id in named or (not named and u.posture != "move"))
    ]
    if shooters:
        where = [p for u in shooters for p in place(u)]
        ctx.step("15.2d", "overwatch.shooters", where=where, pieces=[u.id for u in shooters])
    return [u.id for u in shooters]


def _check(ctx: Context, at: str, left: str | None) -> None:
    grid = ctx.position.grid
    grid.check(at)
    if left is not None and grid.distance(grid.check(left), at) != 1:
        raise RequestError(
            f"{left} et {at} ne se touchent pas.", remedy="L’hexagone quitté est voisin de celui où l’on entre."
        )


def _sees(ctx: Context, u: Unit, cell: str) -> bool:
    return sight_of(ctx, u.at, cell).visible


def _may(
    ctx: Context,
    u: Unit,
    trigger: str,
    at: str,
    left: str | None,
    eye: Unit | None,
    observed: bool | None,
    shooters: Sequence[str],
    unseen: list[Unit],
) -> bool:
    """Whether one unit may answer; every reason against it is a refusal, but that the move leaves a hex that it does not
    see for cover: it is then added to ``unseen``.
    """
    count, where, n = len(ctx.refusals), place(u), ctx.position.grid.distance(u.at, at)
    refuse_gone(ctx, u)
    if {"suppressed", "paralyzed"} & set(u.status) and ctx.on("15.3a"):
        ctx.refuse("15.3a", "overwatch.shaken", where=where, piece=u.id)
    if u.posture == "move" and ctx.on("9.1c"):
        ctx.refuse("9.1c", "fire.move_mode", where=where, piece=u.id)
    if u.carried:
        ctx.refuse("9.1e", "fire.carried", where=where, piece=u.id)
    if "fired" in u.status and "15.3b" not in ctx.without:
        free = _FREE.get(trigger) or (("15.3b", "overwatch.fired_near") if n <= 1 and u.kind != "mortar" else None)
        if free:
            if not ctx.refusals:
                ctx.step(*free, where=where, piece=u.id)
        elif n > 1 and u.kind == "mg" and "15.3c" not in ctx.without:
            ctx.step("15.3c", "overwatch.mg", where=where, piece=u.id)
        elif n > 1:
            ctx.refuse("15.3b", "overwatch.fired", where=where, piece=u.id, value=n)
    if u.kind == "mortar" and n == 0:
        ctx.refuse("24.3b", "fire.mortar_own_hex", where=where, piece=u.id)
    if u.kind == "mortar" and "fired" in u.status and trigger in ("move", "fire") and n <= 1:
        ctx.refuse("24.3b", "overwatch.mortar_fired", where=where, piece=u.id)
    if trigger == "final" and n != 1:
        ctx.refuse("15.2f", "overwatch.not_attacked", where=where, piece=u.id)
    looker = u
    if u.kind == "mortar":
        if eye is None:
            ctx.refuse("24.3a", "fire.no_spotter", where=where, piece=u.id)
            return False
        refuse_spotter(ctx, u, eye)
        looker = eye
    with suppress(UnknownValue):  # a counter that gives no range: the fire itself will ask for it
        refuse_far(ctx, u, at, "12.1b")
    if not refuse_unseen(ctx, looker, at, "15.2b"):
        try:
            if not _observes(ctx, looker, at, left if trigger == "move" else None, observed, shooters):
                ctx.refuse("7.1b", "overwatch.hidden", where=hexes(at), piece=looker.id, at=at)
        except UnknownValue:
            if len(ctx.refusals) == count:
                raise
    sure = len(ctx.refusals) > count
    if trigger == "move" and "15.2c" not in ctx.without and _hides(ctx, looker, at, left, sure=sure):
        unseen.append(u)
        return False
    return not sure


def _hides(ctx: Context, looker: Unit, at: str, left: str | None, *, sure: bool) -> bool:
    """Whether a move goes into cover, not adjacent, out of a hex that is not seen.

    Args:
        looker: who sees for the unit.
        sure: whether something else forbids it already.

    Raises:
        UnknownValue: whether it is cover is not printed, and nothing else forbids it.

    **Rule:** 15.2c.
    """
    if ctx.position.grid.distance(looker.at, at) <= 1 or (left is not None and _sees(ctx, looker, left)):
        return False
    terrain = hex_class(ctx, at)
    if terrain is None and not sure:
        ctx.step("15.2c", "overwatch.cover_unknown", where=hexes(at), at=at)
        raise UnknownValue("terrain", f"{at}.class", "9.3")
    return terrain in COVER


def _observes(ctx: Context, u: Unit, at: str, left: str | None, observed: bool | None, shooters: Sequence[str]) -> bool:
    """Whether a unit observes the trigger; a move that it sees leave and enter may be judged by the common hexside.

    **Rule:** 7.1, 15.2c.
    """
    if observed is not None or not units_at(ctx, at):
        return observed is not False
    unknown = None
    try:
        if observed_by(ctx, [u], at, None, shooters)[0]:
            return True
    except UnknownValue as error:
        unknown = error
    own = hex_class(ctx, at)
    terrain = side_class(ctx, at, left) if left is not None and _sees(ctx, u, left) else None
    if left and terrain and (own is None or CLASSES.index(terrain) > CLASSES.index(own)):
        ctx.step(
            "15.2c", "overwatch.by_side", value=terrain, where=hexes(at, left), at=at, left=left, note="interprétation"
        )
        return observed_by(ctx, [u], at, terrain)[0]
    if unknown is not None:
        raise unknown
    return False
