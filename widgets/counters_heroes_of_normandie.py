"""Counters of Heroes of Normandie: large silhouettes, orders as discs, states as tags; the expansion prints no value."""

from __future__ import annotations

from tutor.core.position import Piece, Position
from widgets.counters_look import Look, Mark

LEGEND = (
    "Ligne de vue\u00a0: trait plein ✓ dégagée\u00a0; tirets ≈ gênée\u00a0; pointillé au-delà de ✕ bloquée.",
    "Pions\u00a0: coin coupé, Axe\u00a0; coins ronds, Alliés. Disque\u00a0: ordre (son numéro, ★ spécial, ? caché). "
    "Chevron à gauche\u00a0: sous-officier. Coin S\u00a0: marqueur Suppressed. Les capacités sont dans « Le plateau en texte ».",
)
_PICTURES = {"infantry": "2", "light_vehicle": "light_vehicle", "heavy_vehicle": "tank"}
TAGS = {
    "bluff": Mark("Bluff"),
    "revealed": Mark("Révélé"),
    "ambushed": Mark("Embusqué"),
    "upstairs": Mark("Étage"),
    "shifted": Mark("½"),
}


def look(position: Position, piece: Piece) -> Look:
    """The face of a piece.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("heroes_of_normandie", "batterie")
    >>> look(p, p.piece("sergent")).corner.text, look(p, p.piece("canon-1")).corner
    ('?', None)
    """
    corner = None
    if "special" in piece.status:
        corner = Mark("★", "disc")
    elif "order" in piece.front:
        corner = Mark(str(piece.front["order"]), "disc")
    elif "order" in piece.status:
        corner = Mark("?", "disc")
    side = Mark("❯") if "nco" in piece.status else None
    tags = tuple(TAGS[status] for status in TAGS if status in piece.status)
    return Look(_PICTURES.get(piece.kind, piece.kind), (), "", corner, side, tags)
