"""Deployment: a squad becomes two teams, which share its markers and its fate.

**Rule:** E52, E52.1, E52.2, 3.2.2, 13.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import cell_of, places, weapons_of

QUALITIES = ("green", "line", "elite")
#: Markers that only one of the teams keeps.
SHARED = ("suppressed", "veteran")


@dataclass(frozen=True, slots=True)
class Deployed:
    """Two teams in place of a squad.

    Args:
        cell: their hex; counter: row of both teams in the table of units, or None when the quality is not told.
        first, second: markers of each team, ``broken`` included; weapon: id of the weapon, that the first keeps.
        activated: order the squad was activated for, and both teams with it.
    """

    cell: str
    counter: str | None
    first: tuple[str, ...]
    second: tuple[str, ...]
    weapon: str | None
    activated: str | None


@GAME.rule("deploy", "E52", "E52.1", "E52.2")
def deploy(
    ctx: Context,
    squad: str,
    quality: str | None = None,
    second: list[str] | tuple[str, ...] = (),
    result: str | None = None,
) -> Deployed:
    """What a squad becomes when it deploys.

    Args:
        squad: its id; quality: green, line or elite, that of the side's order of battle; None when it is not told.
        second: markers the second team takes (suppressed, veteran); the first keeps the others and the weapon.
        result: broken or suppressed, a result that is befalling the squad: it befalls both teams.

    Returns:
        The two teams; refused for another unit.

    Raises:
        PositionError: no such piece. RequestError: no such quality or result, a marker the squad has not.

    **Rule:** E52.1, E52.2, 3.2.2, 13.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "armes").change({"piece.fusiliers.status.suppressed": True})
    >>> d = ask(position, "deploy", squad="fusiliers", quality="line").value
    >>> d.counter, d.first, d.second, d.weapon
    ('germany/line-team', ('suppressed',), (), 'mg')
    """
    unit = ctx.position.piece(squad)
    _check(quality, second, result, unit.status)
    if unit.kind != "squad":
        ctx.refuse("E52.1", "deploy.refuse.not_squad", where=places(unit), piece=squad)
    cell = cell_of(ctx, unit)
    both = [name for name in ("broken",) if name in unit.status]
    kept = [name for name in SHARED if name in unit.status]
    one, other = [*both, *(n for n in kept if n not in second)], [*both, *(n for n in kept if n in second)]
    if not ctx.on("E52.2"):
        one, other = [*both, *kept], [*both, *kept]
    weapon = next((w.id for w in weapons_of(ctx, unit)), None)
    if result is not None:
        one, other = sorted({*one, result}), sorted({*other, result})
    if not ctx.refusals:
        ctx.step("E52.1", "deploy.teams", value=2, where=places(unit), piece=squad, cell=cell)
        if both:
            ctx.step("E52.2", "deploy.broken", value=True, piece=squad)
        if unit.activated:
            ctx.step("E52.2", "deploy.activated", value=True, piece=squad)
        if weapon:
            ctx.step("E52.2", "deploy.weapon", "choice", value=1, where=hexes(cell), weapon=weapon)
        if kept:
            ctx.step("E52.2", "deploy.shared", "choice", value=kept, where=hexes(cell), first=one, second=other)
        if result is not None:
            ctx.step("E52.2", "deploy.result", value=result, result=reader(result))
    row = f"{unit.nation}/{quality}-team" if quality and unit.nation else None
    if row is not None and row not in ctx.game.tables["units"].rows:
        row = None
    return Deployed(cell, row, tuple(one), tuple(other), weapon, unit.activated)


def _check(quality: str | None, second: list[str] | tuple[str, ...], result: str | None, status: list[str]) -> None:
    if quality is not None and quality not in QUALITIES:
        raise RequestError(f"« {quality} » n’est pas une qualité.", remedy=f"Choisissez parmi {', '.join(QUALITIES)}.")
    if result not in (None, "broken", "suppressed"):
        raise RequestError(f"« {result} » n’est pas un résultat.", remedy="Choisissez broken ou suppressed.")
    strangers = [name for name in second if name not in SHARED or name not in status]
    if strangers:
        raise RequestError(
            f"Le Peloton n’a pas de marqueur « {strangers[0]} ».",
            remedy=f"Marqueurs à partager : {', '.join(n for n in SHARED if n in status) or 'aucun'}.",
        )
