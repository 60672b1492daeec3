"""The track display as it stands: Time and what each space may bring, Victory Points, losses, objectives.

**Rule:** 4.1.1, 4.2, 6.1.1, 6.2.1, 6.2.2, 7.3.1, 7.3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.context import Context
from tutor.games.combat_commander.clock import ending
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import chits_of
from tutor.games.combat_commander.victory import SIDES, Surrender, controller, objectives_on, surrender, worth


@dataclass(frozen=True, slots=True)
class Stake:
    """An objective: who controls it (None: nobody yet), and its points by the open chits."""

    holder: str | None
    points: int


@dataclass(frozen=True, slots=True)
class Tracks:
    """What the track display shows; what the position does not say is None, or left out.

    Args:
        time, sudden_death: spaces of the two markers.
        ends: space -> chance that its roll ends the game.
        arrivals: space -> units waiting there.
        victory: points, positive for the Axis.
        far: last space of each side.
        losses: side -> how far it is from surrender.
        objectives: number -> who holds it, and what it is worth.
    """

    time: int | None
    sudden_death: int | None
    ends: Mapping[int, Fraction]
    arrivals: Mapping[int, tuple[str, ...]]
    victory: int | None
    far: int
    losses: Mapping[str, Surrender]
    objectives: Mapping[int, Stake]


@GAME.question(
    "tracks",
    rules=("4.1.1", "4.2", "6.1.1", "6.2.1", "6.2.2", "7.3.1", "7.3.2"),
    label="Où en sont les compteurs ?",
    theme="Temps et victoire",
    quiet=True,
)
def tracks(ctx: Context) -> Tracks:
    """Read the track display: markers, odds of each space, losses, objectives.

    Args:
        ctx: the position gives all; secret chits stay secret.

    Returns:
        What is on each track, from space 0 of Time to the one where a roll always ends the game.

    **Rule:** 4.1.1, 4.2, 6.1.1, 6.2.1, 6.2.2, 7.3.1, 7.3.2.

    >>> from tutor import ask, load_position
    >>> answer = ask(load_position("combat_commander", "objectifs"), "tracks").value
    >>> answer.time, str(answer.ends[6]), answer.objectives[3]
    (5, '5/18', Stake(holder='axis', points=3))
    """
    time, limit, points = _number(ctx, "time"), _number(ctx, "sudden_death"), _number(ctx, "victory")
    if time is not None:
        ctx.step("6.1.1", "tracks.time", "input", value=time)
    if limit is not None:
        ctx.step("6.2.1", "tracks.sudden_death", "input", value=limit)
        if ctx.on("6.2.2"):
            ctx.step("6.2.2", "tracks.bar", value=limit, limit=limit)
    if points is not None:
        ctx.step("4.1.1", "victory.track", "input", value=abs(points), side="axis" if points >= 0 else "allies")
    last = int(ctx.table("clock").peek("sure_end", "value"))
    ends = {} if limit is None else {space: ending(ctx, space, limit) for space in range(last + 1)}
    far = int(ctx.table("clock").peek("track_end", "value"))
    return Tracks(time, limit, ends, _arrivals(ctx), points, far, _losses(ctx), _objectives(ctx))


def _number(ctx: Context, key: str) -> int | None:
    value = ctx.position.state.get(key)
    return value if isinstance(value, int) else None


def _arrivals(ctx: Context) -> dict[int, tuple[str, ...]]:
    """Units waiting on the Time track, by space. **Rule:** 6.1.2, 7.2.1."""
    declared = ctx.position.state.get("arrivals")
    arrivals: dict[int, tuple[str, ...]] = {}
    for name, space in (declared if isinstance(declared, dict) else {}).items():
        arrivals[int(str(space))] = (*arrivals.get(int(str(space)), ()), str(name))
    return arrivals


def _losses(ctx: Context) -> dict[str, Surrender]:
    declared = ctx.position.state.get("surrender")
    return {side: surrender.function(ctx, side) for side in SIDES if isinstance(declared, dict) and side in declared}


def _objectives(ctx: Context) -> dict[int, Stake]:
    chits = chits_of(ctx)
    return {n: Stake(controller(ctx, n), worth(ctx, n, chits).points) for n in objectives_on(ctx)}
