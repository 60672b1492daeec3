"""Retreat: hex by hex towards the friendly map edge, and what eliminates the unit on the way.

**Rule:** O23.3, O23.3.1, O23.3.2, O23.3.3, O23.3.4, O23.3.5.
"""

from __future__ import annotations

from dataclasses import dataclass

from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.costs import barriers
from tutor.games.combat_commander.edges import EDGES, friendly_edge, nearness
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import cell_of, is_unit, places


@dataclass(frozen=True, slots=True)
class Retreat:
    """A retreat as far as the path given leads.

    Args:
        cell: hex where the unit stands, or stood when it was eliminated; path: hexes entered.
        left: hexes still to retreat; eliminated: whether the unit is lost.
        next: hexes among which its owner chooses the next one, empty when the retreat is over.
    """

    cell: str
    path: tuple[str, ...]
    left: int
    eliminated: bool
    next: tuple[str, ...]


@GAME.rule("retreat", "O23.3", "O23.3.1", "O23.3.5")
def retreat(
    ctx: Context, piece: str, distance: int, path: list[str] | tuple[str, ...] = (), edge: str | None = None
) -> Retreat:
    """A retreat of so many hexes: where it may go next, and whether the unit is eliminated.

    Args:
        piece: id of the unit; distance: hexes to retreat, 1 or more.
        path: hexes its owner has it enter, in order; fewer than ``distance`` to ask what comes next.
        edge: friendly map edge: top, bottom, left or right; None: ``state.edges`` of the position gives it by side.

    Returns:
        The retreat; refused when the path does not near the edge, or enters what would eliminate it for no need.

    Raises:
        PositionError: no such piece. RequestError: edge unknown or not given, no distance, a weapon.

    **Rule:** O23.3, O23.3.1, O23.3.3, O23.3.4, O23.3.5, T79, T80.1, T83, T98.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> ask(position, "retreat", piece="peloton-k8", distance=2, edge="left").value.next
    ('J8', 'J7')
    """
    unit = ctx.position.piece(piece)
    if not is_unit(unit):
        raise RequestError(
            f"« {unit.name or piece} » n’est pas une unité.", remedy="Une Arme retraite avec son porteur."
        )
    if distance < 1:
        raise RequestError("Une Retraite est d’au moins un hex.", remedy="Écrivez 1 ou plus.")
    towards = _edge(ctx, unit, edge)
    if "broken" not in unit.status:
        ctx.refuse("O23.2", "rally.refuse.not_broken", where=places(unit), piece=piece)
    cell, walked = cell_of(ctx, unit), list[str]()
    for _ in range(distance):
        if nearness(ctx, cell, towards) == 1:
            ctx.step("O23.3.5", "retreat.off_map", value="eliminated", where=hexes(cell), piece=piece, cell=cell)
            return Retreat(cell, tuple(walked), 0, True, ())
        safe = _choices(ctx, unit, cell, towards)
        if not safe:
            ctx.step("O23.3.5", "retreat.cornered", value="eliminated", where=hexes(cell), piece=piece, cell=cell)
            return Retreat(cell, tuple(walked), 0, True, ())
        if len(walked) == len(path):
            ctx.step("O23.3", "retreat.next", "choice", value=list(safe), where=hexes(*safe), piece=piece, cell=cell)
            return Retreat(cell, tuple(walked), distance - len(walked), False, safe)
        chosen = path[len(walked)]
        if chosen not in safe:
            _refuse(ctx, unit, cell, chosen, towards)
            return Retreat(cell, tuple(walked), distance - len(walked), False, safe)
        _mines(ctx, cell, chosen)
        walked.append(chosen)
        ctx.step("O23.3", "retreat.step", value=len(walked), unit="hexs", where=hexes(cell, chosen), cell=chosen)
        cell = chosen
    if len(path) > distance:
        ctx.refuse("O23.3", "retreat.refuse.too_long", where=hexes(*path), distance=distance, n=len(path))
    ctx.step("O23.3", "retreat.over", value=cell, where=hexes(cell), piece=piece, distance=distance)
    return Retreat(cell, tuple(walked), 0, False, ())


def _edge(ctx: Context, unit: Piece, edge: str | None) -> str:
    """The friendly edge: declared, or of the position. **Rule:** O23.3."""
    found = edge if edge is not None else friendly_edge(ctx, unit.side)
    if found not in EDGES:
        raise RequestError(
            f"Le bord de carte ami de ce camp ({unit.side}) n’est pas donné."
            if found is None
            else f"« {found} » n’est pas un bord de la carte.",
            remedy=f"Écrivez edge, ou state.edges dans la position : {', '.join(EDGES)}.",
        )
    ctx.step("O23.3", "retreat.edge", "input", value=reader(found) if edge else found, where=places(unit), edge=found)
    return str(found)


def _nearer(ctx: Context, cell: str, edge: str) -> list[str]:
    grid = ctx.position.grid
    return [other for other in grid.neighbours(cell) if nearness(ctx, other, edge) < nearness(ctx, cell, edge)]


def _fatal(ctx: Context, unit: Piece, cell: str, other: str) -> list[tuple[str, str]]:
    """Rule and code of whatever would eliminate a unit that retreats from a hex to another. **Rule:** O23.3.5."""
    found = [(rule, code) for rule, code, _, _ in barriers(ctx, cell, other)]
    if any(is_unit(p) and p.side != unit.side for p in ctx.position.pieces_at(other)):
        found.append(("O23.3.5", "move.refuse.enemy"))
    return found


def _choices(ctx: Context, unit: Piece, cell: str, edge: str) -> tuple[str, ...]:
    """Nearer hexes that do not eliminate it; each that would is said. **Rule:** O23.3, O23.3.5."""
    safe = []
    for other in _nearer(ctx, cell, edge):
        fatal = _fatal(ctx, unit, cell, other)
        if not fatal:
            safe.append(other)
        for rule, code in fatal:
            reason = code.replace("move.refuse.", "retreat.closed_")
            ctx.step(rule, reason, value=False, where=hexes(other), cell=other, start=cell)
    return tuple(safe)


def _refuse(ctx: Context, unit: Piece, cell: str, chosen: str, edge: str) -> None:
    ctx.position.grid.check(chosen)
    if ctx.position.grid.distance(cell, chosen) != 1:
        ctx.refuse("O23.3", "move.refuse.not_adjacent", where=hexes(cell, chosen), start=cell, end=chosen)
    elif chosen not in _nearer(ctx, cell, edge):
        ctx.refuse("O23.3", "retreat.refuse.not_nearer", where=hexes(cell, chosen), start=cell, cell=chosen, edge=edge)
    else:
        ctx.refuse(
            "O23.3.5",
            "retreat.refuse.not_forced",
            where=hexes(chosen),
            note="interprétation",
            piece=unit.id,
            cell=chosen,
        )


def _mines(ctx: Context, *cells: str) -> None:
    """Say that mines attack on the way; resolving them is another question. **Rule:** O23.3.4, F103.1."""
    mined = [cell for cell in cells if ctx.position.marker("fortification", cell) == "mines"]
    if mined:
        ctx.step("O23.3.4", "retreat.mines", value=True, where=hexes(*mined), cells=mined)
