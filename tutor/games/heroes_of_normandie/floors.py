"""The two floors of the chimney: shots and grenades by the stairs, sight from the red dot, its destruction.

A unit on the secondary tile has status ``upstairs``; the markers ``stairs`` and ``red_dot`` show both squares on the
board.

**Rule:** 1.3.7, 1.3.7.1, 1.3.7.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import PieceId, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.trace import hexes, segment
from tutor.games.heroes_of_normandie.board import as_if, mark, red_dot, square, squares_away, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.los import Sight, line_of_sight, seen_squares


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot that has to do with the chimney.

    Args:
        way: stairs (one floor up or down), dot (from or to the secondary tile), tower (at the chimney itself).
        range: squares of the board's grid, 0 by the stairs.
        state: of the line of sight.
    """

    way: str
    range: int
    state: str


@GAME.question(
    "floors",
    rules=("1.3.7", "1.3.7.1", "1.3.7.2"),
    label="Ce tir passe-t-il par la cheminée ?",
    theme="Bâtiments",
)
def floors(
    ctx: Context,
    unit: PieceId,
    target: TargetPiece | None = None,
    grenade: Annotated[bool, "Grenade"] = False,
    indirect: Annotated[bool, "Tir indirect"] = False,
) -> Shot | None:
    """A shot from, at or within the chimney.

    Args:
        unit: the shooter.
        target: id, or None for the chimney itself.
        grenade: it throws one.
        indirect: indirect fire.

    Returns:
        Which way the shot goes, its range and its line of sight; None, refused, with the reason.

    Raises:
        RequestError: the board has no red dot, or the shot has nothing to do with the chimney.

    **Rule:** 1.3.7, 1.3.7.1, 1.3.7.2.

    >>> GAME.load().rules["floors"](GAME.position("cheminee"), unit="guetteur", target="intrus").value.way
    'stairs'
    """
    position = ctx.position
    shooter = unit_of(position, unit)
    other = unit_of(position, target) if target is not None else None
    dot = red_dot(position)
    if dot is None or (other is not None and ("upstairs" in shooter.status) == ("upstairs" in other.status)):
        raise RequestError(
            "Ce tir ne concerne pas la cheminée.", remedy="Placez une unité à l’étage, et le point rouge."
        )
    if other is None:
        return _tower(ctx, seen_squares(position, shooter)[0], dot, indirect)
    if shooter.side == other.side:
        ctx.refuse("1.1.2", "fire.friend", target=target)
    if square(shooter) == square(other) and mark(position, "stairs", square(shooter)):
        ctx.settle()
        ctx.step("1.3.7", "floors.bonus", target=target)
        ctx.step("1.3.7", "floors.stairs", value=True, who=unit, target=target, where=hexes(square(shooter)))
        return Shot("stairs", 0, "clear")
    if grenade and ctx.on("1.3.7"):
        ctx.refuse("1.3.7", "floors.grenade", who=unit, target=target)
    if "upstairs" in other.status and ctx.on("1.3.7.2"):
        ctx.step("1.3.7.2", "floors.at_unit", target=target, dot=dot, where=hexes(dot))
    start, end = seen_squares(position, shooter, other)
    away = squares_away(ctx, start, end)
    ctx.step("1.3.7.1", "floors.dot", value=away, dot=dot, start=start, end=end, where=[segment(start, end)])
    state = _look(ctx, start, end).state
    if ctx.refusals:
        return None
    ctx.step("1.3.7.1", "floors.shot", value=away, state=state)
    return Shot("dot", away, state)


def _look(ctx: Context, start: str, end: str) -> Sight:
    with ctx.group("1.1.2", "los", start=start, end=end, where=[segment(start, end)]) as group:
        seen: Sight = line_of_sight.function(ctx, start, end)
        group.value = seen.state
    if seen.state == "blocked":
        ctx.refuse("1.3.7.1", "floors.blocked", start=start, end=end)
    return seen


def _tower(ctx: Context, start: str, dot: str, indirect: bool) -> Shot | None:
    """A shot at the chimney itself: sight of the dot, which is no dominant position then."""
    if indirect:
        ctx.refuse("1.3.7.2", "floors.indirect", dot=dot)
    changes = {}
    if ctx.on("1.3.7.2"):
        ctx.step("1.3.7.2", "floors.tower", dot=dot, where=hexes(dot))
        changes = {f"marker.dominant.{dot}": None}
    seen: Sight = line_of_sight.function(as_if(ctx, changes), start, dot)
    if seen.state == "blocked":
        ctx.refuse("1.3.7.2", "floors.blocked", start=start, end=dot)
    if ctx.refusals:
        return None
    away = squares_away(ctx, start, dot)
    ctx.step("1.3.7.2", "floors.shot", value=away, state=seen.state, where=[segment(start, dot)])
    return Shot("tower", away, seen.state)
