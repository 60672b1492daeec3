"""What a counter says: kind, printed values of the face shown, markers, weapons carried.

**Rule:** 3.1, 3.2.1, 3.2.2, 11.1, 11.2.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece, Position
from tutor.core.trace import Place
from tutor.games.combat_commander.game import GAME

RULE_OF: dict[str, str] = {"fp": "3.1.1", "range": "3.1.2", "move": "3.1.3", "morale": "3.1.4", "command": "3.1.5"}
UNIT_OF: dict[str, str] = {"fp": "PF", "range": "hexs", "move": "PM", "morale": "", "command": ""}
UNITS = frozenset({"leader", "team", "squad"})
AUTOMATIC = frozenset({"mg", "mortar"})


@dataclass(frozen=True, slots=True)
class Troops:
    """The markers of the pieces at some moment of an attack: those of the position, but for the changed ones.

    Args:
        changed: (piece id, its statuses now), sorted; ``eliminated`` and ``replaced`` are statuses here.

    >>> Troops().now("a", frozenset({"broken"})).changed
    (('a', frozenset({'broken'})),)
    """

    changed: tuple[tuple[str, frozenset[str]], ...] = ()

    def of(self, piece: Piece) -> frozenset[str]:
        """Statuses of a piece."""
        for known, statuses in self.changed:
            if known == piece.id:
                return statuses
        return frozenset(piece.status)

    def now(self, piece_id: str, statuses: frozenset[str]) -> Troops:
        """The same, with other statuses for one piece."""
        others = [item for item in self.changed if item[0] != piece_id]
        return Troops(tuple(sorted([*others, (piece_id, statuses)], key=lambda item: item[0])))

    def present(self, piece: Piece) -> bool:
        """Whether the piece is still in play."""
        return "eliminated" not in self.of(piece)


AS_PLACED = Troops()


def is_unit(piece: Piece) -> bool:
    """Whether a piece is a unit (leader, team, squad), not a weapon."""
    return piece.kind in UNITS


def waiting(ctx: Context, side: str, kind: str) -> list[Piece]:
    """Units of a side and kind that the position keeps beside the board: neither placed nor lost."""
    return [
        p
        for p in ctx.position.pieces
        if is_unit(p) and (p.side, p.kind) == (side, kind) and p.at is None and "eliminated" not in p.status
    ]


def team_row(known: Collection[str], nation: str | None, quality: str | None) -> str | None:
    """Row of the teams of a nation and a quality (green, line, elite); None when one is not told, or there is none.

    >>> team_row({"russia/line-team"}, "russia", "line"), team_row(set(), "russia", "elite")
    ('russia/line-team', None)
    """
    row = f"{nation}/{quality}-team"
    return row if row in known else None


def quality_of(position: Position, side: str, declared: str | None = None) -> str | None:
    """Quality of a side's order of battle: the one declared, or ``state.quality_<side>``; None: unknown.

    **Rule:** 4.3.1, A36, E52.1.
    """
    quality = position.state.get(f"quality_{side}") if declared is None else declared
    return str(quality) if quality is not None else None


def team_for(position: Position, squad: Piece) -> str | None:
    """Row of the team that Light Wounds put in the place of a squad; None when its quality is not told.

    **Rule:** A36.
    """
    return team_row(GAME.tables["units"].rows, squad.nation, quality_of(position, squad.side))


def carrier(ctx: Context, weapon: Piece) -> Piece | None:
    """The unit that carries a weapon, or None."""
    return ctx.position.by_id.get(weapon.carrier) if weapon.carrier else None


def wielded(ctx: Context, piece: Piece) -> Piece:
    """A piece on the side of its carrier: a weapon taken from the enemy fires for whoever holds it.

    **Rule:** 11.2, E71.
    """
    holder = None if is_unit(piece) else carrier(ctx, piece)
    if holder is None or holder.side == piece.side:
        return piece
    return piece.model_copy(update={"side": holder.side})


def weapons_of(ctx: Context, unit: Piece) -> list[Piece]:
    """Weapons a unit carries, in file order."""
    return [piece for piece in ctx.position.pieces if piece.carrier == unit.id]


def cell_of(ctx: Context, piece: Piece) -> str:
    """The hex of a piece.

    Raises:
        RequestError: it is not on the board.
    """
    cell = ctx.position.hex_of(piece.id)
    if cell is None:
        raise RequestError(
            f"Le pion « {piece.name or piece.id} » n’est pas sur le plateau.", remedy="Placez-le dans un hex."
        )
    return cell


def places(*pieces: Piece) -> tuple[Place, ...]:
    """The places of some pieces."""
    return tuple(Place("piece", piece.id) for piece in pieces)


def table_of(piece: Piece) -> str:
    """Which table holds the counter of a piece."""
    return "units" if is_unit(piece) else "weapons"


def mark(ctx: Context, piece: Piece, column: str, otherwise: Any) -> Any:
    """A fixed mark of a counter (white band, smoke, single use…), from its table row, unrecorded."""
    return ctx.table(table_of(piece)).peek(piece.counter or "", column, otherwise)


def is_white_band(ctx: Context, piece: Piece) -> bool:
    """Whether a piece is ordnance: it fires alone, after targeting. **Rule:** 11.5."""
    if is_unit(piece):
        return False
    return "white_band" in piece.status or bool(
        mark(ctx, piece, "white_band", piece.kind in ("mortar", "gun", "flamethrower", "satchel"))
    )


def is_single_use(ctx: Context, piece: Piece) -> bool:
    """Whether a weapon leaves play once fired. **Rule:** 11.6."""
    return not is_unit(piece) and bool(mark(ctx, piece, "single_use", piece.kind in ("satchel", "molotov")))


def boxed(ctx: Context, piece: Piece, quality: str, troops: Troops = AS_PLACED) -> bool:
    """Whether a value of the face shown is boxed. **Rule:** 3.1.6."""
    if is_unit(piece) and "broken" in troops.of(piece):
        return False
    own = piece.boxed if piece.boxed is not None else mark(ctx, piece, "boxed", [])
    return quality in own


def printed(ctx: Context, piece: Piece, quality: str, troops: Troops = AS_PLACED) -> int:
    """The value on the face shown of a counter.

    Args:
        ctx: computation.
        piece: unit or weapon.
        quality: fp, range, min_range, move, morale or command.
        troops: markers of the moment.

    Raises:
        UnknownValue: neither the piece nor its counter row gives it.

    **Rule:** 3.1, 3.2.1.
    """
    turned = is_unit(piece) and "broken" in troops.of(piece) and ctx.on("3.2.1")
    own = (piece.back if turned else piece.front).get(quality)
    if turned:
        ctx.step("3.2.1", "unit.broken_face", "input", where=places(piece), piece=piece.id)
    if own is not None:
        note = piece.provenance if piece.provenance not in (None, "livret") else None
        ctx.step(
            RULE_OF.get(quality, "11.1"),
            "unit.printed",
            "input",
            value=own,
            where=places(piece),
            note=note,
            piece=piece.id,
            quality=quality,
        )
        return own
    if quality == "command" and (turned or piece.kind != "leader"):
        return 0
    column = f"back_{quality}" if turned else quality
    table = ctx.table(table_of(piece))
    row = piece.counter or ""
    if quality == "min_range" and table.peek(row, column, 1) <= 1:
        return 1
    if table.peek(row, column) is None:
        if quality == "move" and not is_unit(piece):
            return 0
        raise UnknownValue(table_of(piece), f"{row or piece.id}.{column}", RULE_OF.get(quality, "11.1"))
    return int(table.get(row, column, places(piece)))
