"""Counters of Heroes of Normandie: heads by trade, machines, orders as discs, states as tags; no value is printed."""

from __future__ import annotations

from tutor.core.faces import CounterStyle, Look, Mark, machine
from tutor.core.position import Piece, Position

LEGEND = (
    "Ligne de vue\u00a0: trait plein ✓ dégagée\u00a0; tirets ≈ gênée\u00a0; pointillé au-delà de ✕ bloquée.",
    "Pions\u00a0: coin coupé, Axe\u00a0; coins ronds, Alliés. Disque\u00a0: ordre (son numéro, ★ spécial, ? caché). "
    "Trois chevrons, ou une coiffe de chef\u00a0: sous-officier. Étiquettes\u00a0: S, marqueur Suppressed\u00a0; "
    "I, capacité Inébranlable\u00a0; F, marqueur Fanatique. Les autres capacités sont dans « Le plateau en texte ».",
)
#: What tells a soldier's trade: a state that he bears, a word of his name; the first that fits.
_TRADES = (
    ("nco", "nco", ("sergent",)),
    ("mg", "burst", ("mg",)),
    ("sniper", "optics", ()),
    ("hunter", "tank_hunter", ("piat",)),
    ("observer", "", ("observateur", "guetteur", "éclaireur")),
    ("sapper", "demolisher", ()),
    ("guard", "", ("garde",)),
    ("section", "", ("section", "groupe")),
)
TAGS = {
    "suppressed": Mark("S", "warn"),
    "unshakeable": Mark("I"),
    "fanatic": Mark("F"),
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
    tags = tuple(TAGS[status] for status in TAGS if status in piece.status)
    return Look(_picture(piece), corner=corner, tags=tags, manner="bust")


def _picture(piece: Piece) -> str:
    axis, name = piece.side == "axis", (piece.name or "").lower()
    if piece.kind != "infantry":
        return machine(name, ("panther" if axis else "churchill") if piece.kind == "heavy_vehicle" else piece.kind)
    fitting = (t for t, state, words in _TRADES if state in piece.status or any(w in name for w in words))
    return machine(name, f"bust_{next(fitting, 'rifle')}_{'axis' if axis else 'allies'}")


#: Words of the board in text.
WORDS = {"suppressed": "Suppressed"}

STYLE = CounterStyle(look, LEGEND, WORDS, side=1.34)
