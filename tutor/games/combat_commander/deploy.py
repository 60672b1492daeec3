"""Deployment: a squad becomes two teams, which share its markers and its fate.

**Rule:** E52, E52.1, E52.2, 3.2.2, 13.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from tutor.core.arguments import PieceId
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import Quality, SecondMarkers, SquadResult
from tutor.games.combat_commander.fire.attack import lost_with
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import cell_of, places, quality_of, team_row, waiting, weapons_of

QUALITIES = ("green", "line", "elite")
#: Markers that only one of the teams keeps.
SHARED = ("suppressed", "veteran")


@dataclass(frozen=True, slots=True)
class Deployed:
    """Two teams in place of a squad.

    Args:
        cell: their hex.
        counter: row of both teams in the table of units, or None when the quality is not told.
        first, second: markers of each team, ``broken`` included; ``eliminated`` alone when they are.
        weapon: id of the weapon, that the first keeps; None without one, or once it is lost with both.
        activated: order the squad was activated for, and both teams with it.
        changes: of the board, when the position keeps two such teams beside it.
    """

    cell: str
    counter: str | None
    first: tuple[str, ...]
    second: tuple[str, ...]
    weapon: str | None
    activated: str | None
    changes: Mapping[str, Any] = field(default_factory=dict)


@GAME.question(
    "deploy",
    rules=("E52", "E52.1", "E52.2"),
    label="Ce Peloton peut-il se déployer ?",
    theme="Unités et Moral",
)
def deploy(
    ctx: Context,
    squad: Annotated[PieceId, "Peloton"],
    quality: Quality | None = None,
    second: SecondMarkers = (),
    result: SquadResult | None = None,
) -> Deployed:
    """What a squad becomes when it deploys.

    Args:
        squad: its id.
        quality: green, line or elite, that of the side's order of battle; None: ``state.quality_axis`` (or
            ``_allies``).
        second: markers the second team takes (suppressed, veteran); the first keeps the others and the weapon.
        result: broken, suppressed or eliminated, a result that is befalling the squad: it befalls both teams; broken
            eliminates them when the squad was broken.

    Returns:
        The two teams; refused for another unit, or markers given to both by the reading ``deploy_markers``.

    Raises:
        PositionError: no such piece. RequestError: no such quality or result, a marker the squad has not.

    **Rule:** E52.1, E52.2, 3.2.2, 3.2.4, 4.2, 13.3.

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
    row = team_row(ctx.game.tables["units"].rows, unit.nation, quality_of(ctx.position, unit.side, quality))
    if kept or weapon:
        _together(ctx, unit, [*kept, *(["weapon"] if weapon else [])], second)
    lost = result == "eliminated" or (result == "broken" and "broken" in both and ctx.on("3.2.4"))
    if lost:
        one, other = ["eliminated"], ["eliminated"]
    elif result is not None:
        one, other = sorted({*one, result}), sorted({*other, result})
    if not ctx.refusals:
        ctx.step("E52.1", "deploy.teams", value=2, where=places(unit), piece=squad, cell=cell)
        if row:
            ctx.step("E52.1", "deploy.quality", value=row, where=places(unit), quality=reader(row))
        if both:
            ctx.step("E52.2", "deploy.broken", value=True, piece=squad)
        if unit.activated:
            ctx.step("E52.2", "deploy.activated", value=True, piece=squad)
        if weapon and not lost:
            ctx.step("E52.2", "deploy.weapon", "choice", value=1, where=hexes(cell), weapon=weapon)
        if kept and not lost:
            ctx.step("E52.2", "deploy.shared", "choice", value=kept, where=hexes(cell), first=one, second=other)
        if result is not None:
            ctx.step("E52.2", "deploy.result", value=result, result=reader(result))
        if lost:
            ctx.step("3.2.4", "deploy.eliminated", value="eliminated", where=places(unit), piece=squad)
            gone = lost_with(ctx, unit)
            changes: dict[str, Any] = {f"piece.{name}": None for name in (squad, *gone)}
            return Deployed(cell, row, tuple(one), tuple(other), None, unit.activated, changes)
    changes = _replaced(ctx, unit, row, (one, other), weapon) if row and not ctx.refusals else {}
    return Deployed(cell, row, tuple(one), tuple(other), weapon, unit.activated, changes)


def _together(ctx: Context, squad: Piece, kept: Sequence[str], second: Sequence[str]) -> None:
    """Whether the markers, the weapon among them, may be shared out: by the reading ``deploy_markers``.

    **Rule:** E52.2.
    """
    if len(kept) < 2:
        return
    apart = bool(second) and len(second) < len(kept)
    if apart and ctx.setting("deploy_markers") == "one":
        ctx.refuse("E52.2", "deploy.refuse.one_team", where=places(squad), note="interprétation", piece=squad.id)
    else:
        code = "deploy.apart" if apart else "deploy.one_team"
        ctx.step("E52.2", code, value=len(kept), where=places(squad), note="interprétation", piece=squad.id)


def _replaced(
    ctx: Context, squad: Piece, row: str, marks: tuple[list[str], list[str]], weapon: str | None
) -> dict[str, Any]:
    """Changes that put two teams kept beside the board in the place of a squad. **Rule:** E52.1, E52.2."""
    teams = [p.id for p in waiting(ctx, squad.side, "team") if p.counter == row][: len(marks)]
    if len(teams) < len(marks):
        return {}
    changes: dict[str, Any] = {} if weapon is None else {f"piece.{weapon}.carrier": teams[0]}
    for team, names in zip(teams, marks, strict=True):
        changes |= {f"piece.{team}.at": squad.at, f"piece.{team}.activated": squad.activated}
        changes |= {f"piece.{team}.status.{name}": True for name in names}
    return {**changes, f"piece.{squad.id}": None}


def _check(quality: str | None, second: Sequence[str], result: str | None, status: list[str]) -> None:
    if quality is not None and quality not in QUALITIES:
        raise RequestError(f"« {quality} » n’est pas une qualité.", remedy=f"Choisissez parmi {', '.join(QUALITIES)}.")
    if result not in (None, "broken", "suppressed", "eliminated"):
        raise RequestError(
            f"« {result} » n’est pas un résultat.", remedy="Choisissez broken, suppressed ou eliminated."
        )
    strangers = [name for name in second if name not in SHARED or name not in status]
    if strangers:
        raise RequestError(
            f"Le Peloton n’a pas de marqueur « {strangers[0]} ».",
            remedy=f"Marqueurs à partager : {', '.join(n for n in SHARED if n in status) or 'aucun'}.",
        )
