"""Time: how its marker advances, what follows, when the game may end, and how likely.

The position says ``state.time`` and ``state.sudden_death`` (spaces), ``defender``, ``arrivals`` (unit -> space).

**Rule:** 1.4, 6.1.2, 6.2.2, 6.3, 7.3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Roll, Side
from tutor.core.chances import Chances
from tutor.core.context import Context, dice
from tutor.core.dice import PAIRS, chance, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError, brief
from tutor.core.trace import hexes
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.ground import is_aquatic
from tutor.games.combat_commander.points import has_special
from tutor.games.combat_commander.units import is_unit
from tutor.games.combat_commander.victory import SIDES, controller, objectives_on

#: Highest space that a track of time may have.
LAST_SPACE = 99
_MARKERS = {"time": "Temps", "sudden_death": "Mort Soudaine"}


def _space(ctx: Context, key: str) -> int:
    value = ctx.position.state.get(key)
    if not isinstance(value, int):
        raise RequestError.unsaid(f"state.{key}", f"où est le marqueur de {_MARKERS[key]}")
    return _on_track(value)


def _on_track(space: int) -> int:
    """The same space, if a track of time may have it.

    Raises:
        RequestError: otherwise.
    """
    if not 0 <= space <= LAST_SPACE:
        raise RequestError(
            f"La case {brief(space)} n’est pas sur la piste de Temps.", remedy=f"Choisissez de 0 à {LAST_SPACE}."
        )
    return space


def all_five(ctx: Context) -> str | None:
    """The side that holds all five objectives while the chit that wins so is in play. **Rule:** 7.3.2."""
    if not has_special(ctx, "win_all_five"):
        return None
    controllers = {controller(ctx, n) for n in objectives_on(ctx)}
    winner = next(iter(controllers)) if len(controllers) == 1 and len(objectives_on(ctx)) == 5 else None
    if winner is not None:
        ctx.step("7.3.2", "clock.all_five", value=winner)
    return winner


@dataclass(frozen=True, slots=True)
class Advance:
    """What an advance of the Time marker brings.

    Args:
        time: space of the marker now.
        sudden_death: whether a roll is due.
        ends: result of the roll, None when not made.
        winner: of a game won before the roll.
        points: victory points of the scenario's defender.
        smoke: hexes among which one marker is taken off.
        arrivals: units that come in.
        dig_in: hexes for Foxholes.
    """

    time: int
    sudden_death: bool
    ends: bool | None
    winner: str | None = None
    points: int = 0
    smoke: tuple[str, ...] = ()
    arrivals: tuple[str, ...] = ()
    dig_in: tuple[str, ...] = ()


@GAME.question(
    "time_advance",
    rules=("6.1.2", "6.2.2", "1.4", "A32"),
    label="Que se passe-t-il à l’Avancement ?",
    theme="Temps et victoire",
)
def time_advance(ctx: Context, side: Side, roll: Roll | None = None) -> Advance:
    """Advance the Time marker one space: the six things that follow, in order.

    Args:
        side: who triggered it.
        roll: dice of the Sudden Death roll, when one is due.

    Returns:
        What happens; nothing after the roll when the game ends.

    Raises:
        RequestError: the position does not place the markers; dice that are not dice.

    **Rule:** 1.4, 6.1.2, 6.2.2, 7.3.2, A32.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "objectifs"), "time_advance", side="axis", roll=[3, 4]).value.ends
    False
    """
    before, limit = _space(ctx, "time"), _space(ctx, "sudden_death")
    time = before + 1
    ctx.step("6.1.2", "clock.advance", value=time, before=before)
    ctx.step("1.4", "clock.shuffle", value=True, side=side)
    due = time >= limit
    ctx.step("6.2.2", "clock.due" if due else "clock.not_due", value=due, time=time, limit=limit)
    winner = all_five(ctx) if due else None
    if winner is not None:
        return Advance(time, due, True, winner)
    ends, points = None, 0
    if due and roll is not None:
        ends, points = _ends(ctx, time, total(dice_of(roll)), limit)
        if ends:
            return Advance(time, due, True)
    elif due:
        ctx.step("6.2.2", "clock.waits", value=None, time=time)
        return Advance(time, due, None)
    else:
        points = _defender_point(ctx)
    smoke = tuple(ctx.position.markers.get("smoke", {}))
    ctx.step("6.1.2", "clock.smoke" if smoke else "clock.no_smoke", value=len(smoke), where=hexes(*smoke), side=side)
    due_in = ctx.position.state.get("arrivals", {})
    arrivals = tuple(n for n, space in due_in.items() if space == time) if isinstance(due_in, dict) else ()
    if arrivals:
        ctx.step("6.1.2", "clock.arrivals", value=len(arrivals), pieces=list(arrivals))
    digs = dig_in_hexes(ctx)
    with ctx.group("A32", "clock.dig_in"):
        ctx.step("A32", "clock.dig_in_hexes", value=len(digs), where=hexes(*digs), cells=list(digs))
    return Advance(time, due, ends, None, points, smoke, arrivals, digs)


def _defender_point(ctx: Context) -> int:
    """The victory point of the scenario's defender, when it has one. **Rule:** 6.1.2."""
    if ctx.position.state.get("defender") in SIDES:
        return int(ctx.table("clock").get("defender_point", "value"))
    ctx.step("6.1.2", "clock.no_defender", value=0)
    return 0


def _ends(ctx: Context, time: int, rolled: int, limit: int) -> tuple[bool, int]:
    """Whether a Sudden Death roll ends the game, else the defender's point for which it goes on. **Rule:** 6.2.2."""
    bar = time if ctx.on("6.2.2") else limit
    if rolled < bar:
        ctx.step("6.2.2", "clock.ends", value=True, roll=dice(rolled), time=bar)
        return True, 0
    with ctx.group("6.2.2", "clock.goes_on", roll=dice(rolled), time=bar) as going_on:
        going_on.value = False
        return False, _defender_point(ctx)


def dig_in_hexes(ctx: Context) -> tuple[str, ...]:
    """Hexes where either side may dig in now. **Rule:** A32."""
    occupied = dict.fromkeys(ctx.position.hex_of(p.id) for p in ctx.position.pieces if is_unit(p))
    return tuple(
        cell
        for cell in occupied
        if cell is not None
        and not is_aquatic(ctx, cell)
        and ctx.position.marker("blaze", cell) is None
        and ctx.position.marker("fortification", cell) is None
    )


@dataclass(frozen=True, slots=True)
class SuddenDeath(Chances):
    """Odds of the end.

    Args:
        ends, goes_on: of the roll in this space.
        by_then: space -> chance that the game is over once its roll is made.
    """

    ends: Fraction
    goes_on: Fraction
    by_then: Mapping[int, Fraction]


def ending(ctx: Context, space: int, limit: int) -> Fraction:
    """Chance that the game ends when the Time marker enters a space, the Sudden Death marker in another.

    **Rule:** 6.2.2.
    """
    bar = space if ctx.on("6.2.2") else limit
    return chance(total, lambda n: n < bar) if space >= limit else Fraction(0)


@GAME.question(
    "sudden_death_odds",
    rules=("6.2.2",),
    label="Quelles chances de Mort Soudaine ?",
    theme="Temps et victoire",
    chances=True,
)
def sudden_death_odds(ctx: Context, time: Annotated[int | None, "Case du temps"] = None) -> SuddenDeath:
    """Exact odds of Sudden Death in a space, and over the advances that follow.

    Args:
        time: space that the Time marker enters; None: the one after where the position has it.

    Returns:
        The odds of this roll, and those of being over by each space up to 13.

    Raises:
        RequestError: the position does not place the markers.

    **Rule:** 6.2.2.

    >>> from tutor import ask, load_position
    >>> str(ask(load_position("combat_commander", "objectifs"), "sudden_death_odds", time=6).value.ends)
    '5/18'
    """
    limit = _space(ctx, "sudden_death")
    now = _space(ctx, "time") + 1 if time is None else _on_track(time)
    last = int(ctx.table("clock").peek("sure_end", "value"))

    ends = ending(ctx, now, limit)
    alive, by_then = Fraction(1), dict[int, Fraction]()
    for space in range(now, max(last, now) + 1):
        alive *= 1 - ending(ctx, space, limit)
        by_then[space] = 1 - alive
    if now >= limit:
        ctx.step("6.2.2", "clock.pairs", value=int(ends * len(PAIRS)), pairs=len(PAIRS), time=now)
    ctx.step("6.2.2", "clock.odds" if now >= limit else "clock.not_due", value=ends, time=now, limit=limit)
    return SuddenDeath(ends, 1 - ends, by_then)
