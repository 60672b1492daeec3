"""Artillery called by radio: denied, requested, spotted, and where the spotting round drifts.

What the shells then do is :mod:`impact`'s.

**Rule:** 12, O17, O18, O18.1, O18.2, O18.2.1, O18.2.1.1, O18.2.2, O18.2.2.1, O18.2.2.2, O18.2.2.3, 10.3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import Cell, Roll, Side
from tutor.core.context import Context, dice, reader
from tutor.core.dice import Pair
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes, segment
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.arguments import BatteryChoice, Observer, SmokeFire
from tutor.games.combat_commander.fire.targeting import Targeting, hindered, reading
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.los import line_of_sight, sight_lines
from tutor.games.combat_commander.melee import SIDES
from tutor.games.combat_commander.units import cell_of, places

REQUESTS = ("access", "fire")


def radio_of(ctx: Context, side: str) -> Piece | None:
    """The radio of a side, in its artillery box; None without one. **Rule:** 12.

    Raises:
        RequestError: not a side.
    """
    if side not in SIDES:
        raise RequestError(f"« {side} » n’est pas un camp.", remedy="Les camps sont axis et allies.")
    radios = (p for p in ctx.position.pieces if p.kind == "radio" and p.side == side)
    return next((p for p in radios if "eliminated" not in p.status), None)


def radio_fp(ctx: Context, radio: Piece) -> int:
    """Firepower of a radio: its own, or its counter's. **Rule:** 12."""
    own = radio.front.get("fp")
    if own is not None:
        ctx.step("12", "artillery.radio_fp", "input", value=own, where=places(radio), piece=radio.id)
        return int(own)
    return int(ctx.table("radios").get(radio.counter or "", "fp", places(radio)))


@GAME.question(
    "artillery_denied",
    rules=("O17", "12"),
    label="Que fait Artillerie Refusée ?",
    theme="Artillerie et Fumigènes",
)
def artillery_denied(ctx: Context, side: Side) -> str:
    """What an Artillery Denied order does to the enemy's radio.

    Args:
        side: axis or allies, the player who gives the order.

    Returns:
        ``broken`` or ``eliminated``; refused when the enemy has no radio.

    Raises:
        RequestError: not a side.

    **Rule:** O17, 12.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "artillerie"), "artillery_denied", side="allies").value
    'broken'
    """
    enemy = radio_of(ctx, "allies" if side == "axis" else "axis")
    if side not in SIDES:
        radio_of(ctx, side)
    if enemy is None:
        ctx.refuse("O17", "artillery.refuse.no_enemy_radio", side=side)
        return "nothing"
    result = "eliminated" if "broken" in enemy.status else "broken"
    ctx.step("O17", "artillery.nobody_activated", value=True)
    ctx.step("O17", f"artillery.denied_{result}", value=result, where=places(enemy), piece=enemy.id)
    return result


@dataclass(frozen=True, slots=True)
class Request:
    """What an Artillery Request order may be.

    Args:
        choices: access (repair the radio) or fire, those that are allowed.
        radio: id of the radio, None without one.
        observers: leaders that may observe.
        ready: whether the radio works once the order is resolved.
    """

    choices: tuple[str, ...]
    radio: str | None
    observers: tuple[str, ...]
    ready: bool


@GAME.question(
    "artillery_request",
    rules=("O18", "O18.1", "12"),
    label="Cette demande d’artillerie est-elle permise ?",
    theme="Artillerie et Fumigènes",
)
def artillery_request(
    ctx: Context, side: Side, choice: BatteryChoice | None = None, observer: Observer | None = None
) -> Request:
    """Whether an Artillery Request may be given, for battery access or fire for effect.

    Args:
        side: axis or allies.
        choice: access or fire, None to list what is allowed.
        observer: id of the leader who observes.

    Returns:
        What is allowed; refused when the choice is not, or nothing is.

    Raises:
        PositionError: no such piece. RequestError: no such side or choice.

    **Rule:** O18, O18.1, O18.2, O14.1, 12.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "artillerie"), "artillery_request", side="axis").value.choices
    ('fire',)
    """
    if choice is not None and choice not in REQUESTS:
        raise RequestError(f"« {choice} » n’est pas un choix.", remedy=f"Choisissez parmi {', '.join(REQUESTS)}.")
    radio = radio_of(ctx, side)
    broken = radio is not None and "broken" in radio.status
    able = tuple(p.id for p in ctx.position.pieces if p.side == side and observes(p))
    allowed = (*(("access",) if broken else ()), *(("fire",) if radio is not None and not broken and able else ()))
    if radio is None:
        ctx.refuse("O18", "artillery.refuse.no_radio", side=side)
    elif choice == "access" and not broken:
        ctx.refuse("O18.1", "artillery.refuse.not_broken", where=places(radio), piece=radio.id)
    elif choice == "access":
        ctx.step("O18.1", "artillery.nobody_activated", value=True)
        ctx.step("O18.1", "artillery.access", value=True, where=places(radio), piece=radio.id)
    elif choice == "fire" or observer is not None:
        may_fire(ctx, radio, side, observer, able)
    elif not allowed:
        ctx.refuse("O18", "artillery.refuse.no_observer", where=places(radio), side=side)
    else:
        for name in allowed:
            ctx.step(
                "O18", f"artillery.may_{name}", value=True, where=places(radio), piece=radio.id, observers=list(able)
            )
    ready = radio is not None and (not broken or choice == "access")
    return Request(allowed, radio.id if radio else None, able, ready)


def observes(piece: Piece) -> bool:
    """Whether a piece may observe: an unbroken leader not activated yet. **Rule:** O18, O18.2."""
    return piece.kind == "leader" and "broken" not in piece.status and (piece.activated is None or is_hero(piece))


def may_fire(ctx: Context, radio: Piece, side: str, observer: str | None, able: tuple[str, ...]) -> None:
    """Refuse fire for effect, for every reason. **Rule:** O18, O18.2."""
    if "broken" in radio.status:
        ctx.refuse("O18", "artillery.refuse.radio_broken", where=places(radio), piece=radio.id)
    if observer is None:
        if not able:
            ctx.refuse("O18", "artillery.refuse.no_observer", side=side)
        return
    chief = ctx.position.piece(observer)
    if chief.kind != "leader" or chief.side != side:
        ctx.refuse("O18.2", "artillery.refuse.not_leader", where=places(chief), piece=observer)
    if "broken" in chief.status:
        ctx.refuse("O18.2", "artillery.refuse.broken_leader", where=places(chief), piece=observer)
    if chief.activated is not None and not is_hero(chief):
        ctx.refuse("O14.1", "command.refuse.activated", where=places(chief), piece=observer)
    if not ctx.refusals:
        ctx.step("O18.2", "artillery.observer", value=True, where=places(chief), piece=observer)


@GAME.question(
    "spotting",
    rules=("O18.2.1", "O18.2.1.1"),
    label="Où ce Chef peut-il viser ?",
    theme="Artillerie et Fumigènes",
)
def spotting(ctx: Context, observer: Observer, cell: Cell | None = None, smoke: SmokeFire = False) -> tuple[str, ...]:
    """Where an observer may place the spotting round: every hex he sees, at any range.

    Args:
        observer: id of the leader.
        cell: hex of the round, None to list them all.
        smoke: smoke is announced instead of shells.

    Returns:
        Hexes it may be placed in (``cell`` alone when given); refused when it may not.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board.

    **Rule:** O18.2, O18.2.1, O18.2.1.1, 10.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "artillerie")
    >>> ask(position, "spotting", observer="ganz", cell="G3").outcome
    'computed'
    """
    chief = ctx.position.piece(observer)
    if chief.kind != "leader":
        ctx.refuse("O18.2", "artillery.refuse.not_leader", where=places(chief), piece=observer)
    if "broken" in chief.status:
        ctx.refuse("O18.2", "artillery.refuse.broken_leader", where=places(chief), piece=observer)
    return spotted(ctx, chief, cell, smoke)


def spotted(ctx: Context, chief: Piece, cell: str | None, smoke: bool) -> tuple[str, ...]:
    """Where an observer already judged may place the round; see :func:`spotting`. **Rule:** O18.2.1, O18.2.1.1."""
    observer, start = chief.id, cell_of(ctx, chief)
    radio = radio_of(ctx, chief.side)
    if smoke and radio is not None and not carries_smoke(ctx, radio):
        ctx.refuse("O18.2.1.1", "artillery.refuse.no_smoke", where=places(radio), piece=radio.id)
    elif smoke:
        ctx.step("O18.2.1.1", "artillery.smoke_announced", value=True)
    if cell is None:
        seen = (start, *(name for name, visible, _ in sight_lines(ctx.position, start, ctx.without) if visible))
        placeable = tuple(name for name in ctx.position.grid.cells if name in set(seen))
        ctx.step("O18.2.1", "artillery.seen", value=len(placeable), where=hexes(*placeable), piece=observer)
        return placeable
    ctx.position.grid.check(cell)
    if cell != start and not line_of_sight.function(ctx, start, cell).visible:
        ctx.refuse("O18.2.1", "artillery.refuse.unseen", where=hexes(start, cell), piece=observer, cell=cell)
        return ()
    ctx.settle()
    ctx.step("O18.2.1", "artillery.placed", value=cell, where=hexes(cell), piece=observer, cell=cell)
    return (cell,)


def carries_smoke(ctx: Context, radio: Piece) -> bool:
    """Whether a radio may fire smoke: its counter says so. **Rule:** O18.2.1.1."""
    return "smoke" in radio.status or bool(ctx.table("radios").peek(radio.counter or "", "smoke", False))


def accuracy(ctx: Context, observer: Piece, cell: str, rolled: Pair | None) -> Targeting:
    """The accuracy roll: a targeting roll from the observer to the spotting round.

    Args:
        ctx: computation.
        observer: the leader.
        cell: hex of the round.
        rolled: None to know only what is needed.

    **Rule:** O18.2.2, O20.2.3, 10.3.1.
    """
    start = cell_of(ctx, observer)
    away, hindrance = hindered(ctx, start, cell)
    needed = away + hindrance + 1
    ctx.step(
        "O18.2.2",
        "artillery.needed",
        value=needed,
        where=(segment(start, cell),),
        distance=away,
        hindrance=hindrance,
        start=start,
        cell=cell,
    )
    if hindrance:
        ctx.step("10.3.1", "targeting.hindrance", value=-hindrance, where=hexes(cell), hindrance=hindrance)
    if rolled is None:
        return Targeting(None, away, hindrance, needed, None, None)
    read = reading(ctx, rolled)
    hit = read - hindrance > away
    code = "artillery.accurate" if hit else "artillery.inaccurate"
    operands = {"result": read - hindrance, "distance": away}
    ctx.step("O20.2.3", "artillery.accuracy_roll", "dice", value=read, dice=dice(list(rolled)))
    ctx.step("O18.2.2", code, value=hit, where=hexes(cell), result=operands["result"], distance=away)
    return Targeting(hit, away, hindrance, needed, read, read - hindrance)


@dataclass(frozen=True, slots=True)
class Drift:
    """Where the spotting round goes.

    Args:
        path: hexes it goes through, that where it was placed first.
        end: where it stops, None off the map.
    """

    path: tuple[str, ...]
    end: str | None


@GAME.question(
    "drift",
    rules=("O18.2.2.1", "O18.2.2.2", "O18.2.2.3"),
    label="Où dérive le coup au but ?",
    theme="Artillerie et Fumigènes",
)
def drift(ctx: Context, cell: Cell, roll: Roll, hit: Annotated[bool, "Touché"] = True) -> Drift:
    """Where the spotting round drifts, hex by hex.

    Args:
        cell: hex it was placed in.
        roll: white die then red of a new card.
        hit: whether the accuracy roll hit.

    Returns:
        Its path; off the map, even for a moment, it is removed and the order ends.

    Raises:
        UnknownHex: not on the board. RequestError: dice that are not dice.

    **Rule:** O18.2.2.1, O18.2.2.2, O18.2.2.3, 2.2.2.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "artillerie")
    >>> ask(position, "drift", cell="G3", roll=[1, 4]).value.path
    ('G3', 'G2', 'G3')
    """
    ctx.position.grid.check(cell)
    return drifted(ctx, cell, dice_of(roll), hit)


def drifted(ctx: Context, cell: str, rolled: Pair, hit: bool) -> Drift:
    """The drift of dice already read; see :func:`drift`."""
    white, red = rolled
    if hit and not ctx.on("O18.2.2.1"):
        return Drift((cell,), cell)
    two_ways = hit or not ctx.on("O18.2.2.2")
    rule = "O18.2.2.1" if hit else "O18.2.2.2"
    steps = (white, red) if two_ways else (white,) * red
    code = "artillery.drift_two" if two_ways else "artillery.drift_far"
    ctx.step(rule, code, "dice", value=len(steps), dice=dice([white, red]))
    grid, path = ctx.position.grid, [cell]
    for d in steps:
        nearby = grid.neighbour(path[-1], d)
        if nearby not in grid:
            ctx.step("O18.2.2.3", "artillery.off_map", value=True, where=hexes(path[-1]), cell=path[-1])
            return Drift(tuple(path), None)
        ctx.step(
            rule,
            "artillery.drift_step",
            value=nearby,
            where=(segment(path[-1], nearby), *hexes(nearby)),
            direction=reader(d),
        )
        path.append(nearby)
    ctx.step(rule, "artillery.drift_end", value=path[-1], where=hexes(*dict.fromkeys(reversed(path))), start=cell)
    return Drift(tuple(path), path[-1])
