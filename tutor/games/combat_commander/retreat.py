"""Retreat: hex by hex towards the friendly map edge, and what eliminates the unit on the way.

**Rule:** O23.3, O23.3.1, O23.3.2, O23.3.3, O23.3.4, O23.3.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import Path, PieceId
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import FriendlyEdge, MinesMet, MinesRoll
from tutor.games.combat_commander.edges import EDGES, drawn_nearness, friendly_edge, nearness
from tutor.games.combat_commander.fire.attack import lost_with
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.mines import Mined, crossing, never_met, trace_number
from tutor.games.combat_commander.points import points
from tutor.games.combat_commander.step_cost import barriers, cost_of
from tutor.games.combat_commander.units import cell_of, is_unit, places


@dataclass(frozen=True, slots=True)
class Retreat:
    """A retreat as far as the path given leads.

    Args:
        cell: hex where the unit stands, or stood when it was eliminated.
        path: hexes entered.
        left: hexes still to retreat.
        eliminated: whether the unit is lost.
        next: hexes among which its owner chooses the next one, empty when the retreat is over.
        mines: attacks of mines met, in order, pending when their roll is not given.
        points: victory points of the enemy when the unit is eliminated.
    """

    cell: str
    path: tuple[str, ...]
    left: int
    eliminated: bool
    next: tuple[str, ...]
    mines: tuple[Mined, ...] = ()
    points: int = 0


@GAME.question(
    "retreat",
    rules=("O23.3", "O23.3.1", "O23.3.3", "O23.3.4", "O23.3.5"),
    label="Où mène cette retraite ?",
    theme="Unités et Moral",
)
def retreat(
    ctx: Context,
    piece: PieceId,
    distance: Annotated[int, "Distance"],
    path: Path = (),
    edge: FriendlyEdge | None = None,
    mines: MinesMet = (),
) -> Retreat:
    """A retreat of so many hexes: where it may go next, the mines it meets, and whether the unit is eliminated.

    Args:
        piece: id of the unit.
        distance: hexes to retreat, 1 or more.
        path: hexes its owner has it enter, in order; fewer than ``distance`` to ask what comes next.
        edge: friendly map edge: top, bottom, left or right; None: ``state.edges`` of the position gives it by side.
        mines: rolls of the mines met, in order: ``at`` (mined hex), ``roll``, ``defence``, as for ``mines``.

    Returns:
        The retreat; refused when the path does not near the edge, or enters what would eliminate it for no need.

    Raises:
        PositionError: no such piece. RequestError: edge unknown or not given, no distance, a weapon.

    **Rule:** O23.3, O23.3.1, O23.3.3, O23.3.4, O23.3.5, F103.1, T79, T80.1, T83, T98.

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
    origin = ctx.position
    try:
        flight = _Flight(ctx, unit, towards, list(mines))
        return flight.run(distance, list(path))
    finally:
        ctx.position = origin


class _Flight:
    """A unit that flees, hex by hex."""

    def __init__(self, ctx: Context, unit: Piece, edge: str, rolls: list[MinesRoll]) -> None:
        self.ctx, self.unit, self.edge, self.rolls = ctx, unit, edge, rolls
        self.cell = cell_of(ctx, unit)
        self.walked: list[str] = []
        self.mines: list[Mined] = []

    def run(self, distance: int, path: list[str]) -> Retreat:
        """Flee along the path as far as it leads, or until the unit is lost."""
        ctx, piece = self.ctx, self.unit.id
        for step in range(distance):
            if nearness(ctx, self.cell, self.edge) == 1:
                return self._lost("retreat.off_map")
            safe = _choices(ctx, self.unit, self.cell, self.edge)
            if not safe:
                return self._lost("retreat.cornered")
            if step == len(path):
                ctx.settle()
                note = _nearness_note(ctx, self.cell, self.edge)
                terms = {"piece": piece, "cell": self.cell}
                ctx.step("O23.3", "retreat.next", "choice", value=list(safe), where=hexes(*safe), note=note, **terms)
                return self._end(distance - step, safe)
            if path[step] not in safe:
                _refuse(ctx, self.unit, self.cell, path[step], self.edge)
                return self._end(distance - step, safe)
            if _fatal(ctx, self.unit, self.cell, path[step]):
                return self._lost("retreat.given_up", "interprétation")
            if not self._enter(path[step]):
                return self._end(0, eliminated=True)
        if len(path) > distance:
            ctx.refuse("O23.3", "retreat.refuse.too_long", where=hexes(*path), distance=distance, n=len(path))
        never_met(ctx, self.rolls)
        trace_number(ctx, self.mines)
        ctx.step("O23.3", "retreat.over", value=self.cell, where=hexes(self.cell), piece=piece, distance=distance)
        return self._end(0)

    def _enter(self, cell: str) -> bool:
        """Enter one hex; False when the mines eliminate the unit. **Rule:** O23.3.1, O23.3.3, O23.3.4."""
        ctx, start = self.ctx, self.cell
        self.walked.append(cell)
        ctx.step("O23.3", "retreat.step", value=len(self.walked), where=hexes(start, cell), start=start, cell=cell)
        _unpaid(ctx, start, cell)
        crossed = (start, cell) if len(self.walked) == 1 else (cell,)  # the hex entered before was said then
        wire = [c for c in crossed if ctx.position.marker("fortification", c) == "wire"]
        if wire:
            ctx.step("O23.3.3", "retreat.wire", value=True, where=hexes(*wire), cells=wire)
        self.cell = cell
        ctx.position = ctx.position.change({f"piece.{self.unit.id}.at": cell})
        for attack in crossing(ctx, [self.unit.id], start, cell, "retreat", self.rolls):
            self.mines.append(attack)
        if self.unit.id in ctx.position.by_id:
            return True
        ctx.step("O23.3.4", "retreat.mined", value="eliminated", where=hexes(cell), piece=self.unit.id, cell=cell)
        return False

    def _lost(self, code: str, note: str | None = None) -> Retreat:
        """Eliminated for want of a hex to flee to, or given up. **Rule:** O23.3.5, 4.2, 7.1."""
        where = hexes(self.cell)
        with self.ctx.group("O23.3.5", code, where=where, piece=self.unit.id, cell=self.cell) as step:
            step.value, step.note = "eliminated", note
            gained = points(self.ctx, self.unit, "forced" if code == "retreat.off_map" else "eliminated")
            lost_with(self.ctx, self.unit)
            if code == "retreat.off_map":
                self.ctx.step("7.2.2", "retreat.forced", value=gained, unit="PV", where=where, piece=self.unit.id)
        return self._end(0, eliminated=True, gained=gained)

    def _end(self, left: int, following: tuple[str, ...] = (), *, eliminated: bool = False, gained: int = 0) -> Retreat:
        gained += sum(blast.points for blast in self.mines)
        return Retreat(self.cell, tuple(self.walked), left, eliminated, following, tuple(self.mines), gained)


def _unpaid(ctx: Context, start: str, cell: str) -> None:
    """Say what a move would have paid for the hex, when it is more than one point. **Rule:** O23.3.1."""
    try:
        cost = cost_of(Context(ctx.game, ctx.position, trace=False), start, cell, further=True)
    except UnknownValue:  # beside the road of a minor bridge: nobody pays, so nobody need know
        return
    if cost > 1:
        ctx.step("O23.3.1", "retreat.unpaid", value=cost, unit="PM", where=hexes(cell), cell=cell)


def _edge(ctx: Context, unit: Piece, edge: str | None) -> str:
    """The friendly edge: declared, or of the position. **Rule:** O23.3."""
    friendly = edge if edge is not None else friendly_edge(ctx, unit.side)
    if friendly is None:
        raise RequestError.unsaid("state.edges", "quel bord est celui de ce camp")
    if friendly not in EDGES:
        raise RequestError(
            f"« {friendly} » n’est pas un bord de la carte.", remedy=f"Choisissez parmi {', '.join(EDGES)}."
        )
    ctx.step(
        "O23.3",
        "retreat.edge",
        "input",
        value=reader(friendly) if edge else friendly,
        where=places(unit),
        edge=friendly,
    )
    return str(friendly)


def _nearer(ctx: Context, cell: str, edge: str) -> list[str]:
    away = nearness if ctx.setting("retreat_nearer") == "hexes" else drawn_nearness
    return [other for other in ctx.position.grid.neighbours(cell) if away(ctx, other, edge) < away(ctx, cell, edge)]


def _nearness_note(ctx: Context, cell: str, edge: str) -> str | None:
    """The badge of a step where the two ways to measure nearness name other hexes. **Rule:** O23.3."""
    for other in ctx.position.grid.neighbours(cell):
        nearer = [away(ctx, other, edge) < away(ctx, cell, edge) for away in (nearness, drawn_nearness)]
        if nearer[0] != nearer[1]:
            return "interprétation"
    return None


def _fatal(ctx: Context, unit: Piece, cell: str, other: str) -> list[tuple[str, str]]:
    """Rule and code of whatever would eliminate a unit that retreats from a hex to another. **Rule:** O23.3.5."""
    reasons = [(rule, code) for rule, code, _, _ in barriers(ctx, cell, other)]
    if any(is_unit(p) and p.side != unit.side for p in ctx.position.pieces_at(other)):
        reasons.append(("O23.3.5", "move.refuse.enemy"))
    return reasons


def _choices(ctx: Context, unit: Piece, cell: str, edge: str) -> tuple[str, ...]:
    """Nearer hexes that do not eliminate it, the others too by the reading ``retreat_fatal``; each that would is said.

    **Rule:** O23.3, O23.3.5.
    """
    safe, free = [], ctx.setting("retreat_fatal") == "free"
    for other in _nearer(ctx, cell, edge):
        fatal = _fatal(ctx, unit, cell, other)
        if not fatal or free:
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
        note, where = _nearness_note(ctx, cell, edge), hexes(cell, chosen)
        ctx.refuse("O23.3", "retreat.refuse.not_nearer", where=where, note=note, start=cell, cell=chosen, edge=edge)
    else:
        ctx.refuse(
            "O23.3.5",
            "retreat.refuse.not_forced",
            where=hexes(chosen),
            note="interprétation",
            piece=unit.id,
            cell=chosen,
        )
