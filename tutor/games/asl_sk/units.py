"""Values of units and weapons: printed on the counter, or given by the position.

**Rule:** 1.2, 1.2.1, 1.2.2, 3.2.3-wound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tutor.core.errors import RequestError
from tutor.core.position import Piece, Position
from tutor.core.trace import Place
from tutor.games.asl_sk.game import GAME

MMC = frozenset({"squad", "half_squad", "crew"})
INFANTRY = MMC | {"leader"}


def printed(piece: Piece, name: str) -> Any:
    """A value of a piece's front: of the position, of its counter, or None.

    >>> from tutor.core.position import Piece
    >>> printed(Piece(id="a", kind="squad", side="axis", counter="german/squad"), "range")
    6
    """
    if name in piece.front:
        return piece.front[name]
    return GAME.tables["units"].get(piece.counter, name) if piece.counter else None


def number(piece: Piece, name: str) -> int:
    """A value that the piece must have.

    Raises:
        RequestError: it has none.
    """
    printed_value = printed(piece, name)
    if printed_value is None:
        raise RequestError(
            f"{piece.name or piece.id} n’a pas de valeur « {name} ».", remedy=f"Donnez front: {{{name}: …}} à ce pion."
        )
    return int(printed_value)


def wound(name: str) -> int:
    """What a wound changes of a leader's ``morale`` or ``leadership``."""
    return int(GAME.tables["limits"].get("wound", name))


def morale(piece: Piece, broken: bool | None = None) -> int:
    """Morale of the side up: the broken side's once broken; one less when a leader is wounded."""
    down = "broken" in piece.status if broken is None else broken
    back = piece.back.get("morale") or printed(piece, "broken_morale") if down else None
    base = int(back) if back is not None else number(piece, "morale")
    return base + (wound("morale") if piece.kind == "leader" and "wounded" in piece.status else 0)


def leadership(piece: Piece) -> int:
    """DRM of a leader, one worse when wounded."""
    return number(piece, "leadership") + (wound("leadership") if "wounded" in piece.status else 0)


def infantry(position: Position, name: str) -> Piece:
    """A piece that must be a MMC or a leader.

    Raises:
        RequestError: it is a weapon or a vehicle.
    """
    piece = position.piece(name)
    if piece.kind not in INFANTRY:
        raise RequestError(f"{piece.name or name} n’est pas de l’infanterie.", remedy="Désignez un MMC ou un leader.")
    return piece


def owner(position: Position, piece: Piece) -> Piece:
    """The unit itself, or the one that holds the weapon."""
    return position.by_id.get(piece.carrier, piece) if piece.carrier else piece


def heavy(piece: Piece) -> bool:
    """Whether a machine gun is a medium or a heavy one: as its counter says, else by its rate of fire.

    >>> from tutor.core.position import Piece
    >>> [heavy(Piece(id="a", kind="mg", side="axis", front=front)) for front in ({"rof": 1}, {"rof": 2})]
    [False, True]
    """
    said = printed(piece, "heavy")
    if said is not None:
        return bool(said)
    return piece.kind == "mg" and int(printed(piece, "rof") or 0) >= GAME.tables["limits"].get("mg", "heavy_from")


def inexperienced(position: Position, piece: Piece) -> bool:
    """Whether a MMC counts as inexperienced: no Good Order leader in its hex.

    **Rule:** 5.4.
    """
    cell = position.hex_of(piece.id)
    return "inexperienced" in piece.status and not any(
        p.kind == "leader" and p.side == piece.side and not {"broken", "melee"} & set(p.status)
        for p in position.pieces_at(cell or "")
    )


def enemies(position: Position, side: str, cell: str) -> list[Piece]:
    """Enemy units (not weapons) in a hex."""
    return [p for p in position.pieces_at(cell) if p.side != side and p.kind in INFANTRY | {"afv"}]


def stacked(position: Position, units: Sequence[Piece], cell: str, half: Fraction = Fraction(1, 2)) -> Fraction:
    """Squad-equivalents in a hex once some units have joined those of their side there; leaders do not count.

    **Rule:** 1.2.2, 3.3.
    """
    weight = {"squad": Fraction(1), "half_squad": half, "crew": half}
    joined = {p.id: p for p in (*position.pieces_at(cell, units[0].side), *units)}
    return sum((weight.get(p.kind, Fraction(0)) for p in joined.values()), Fraction(0))


def places(*pieces: Piece) -> list[Place]:
    """Where pieces are, for highlighting."""
    return [Place("piece", p.id) for p in pieces]
