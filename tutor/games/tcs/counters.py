"""Counters of Tactical Combat Series: attack and range at the foot, morale boxed, defence in a shield, steps dotted."""

from __future__ import annotations

from typing import Any

from tutor.core.faces import CounterStyle, Look, Mark
from tutor.core.position import Piece, Position
from tutor.core.registry import game

LEGEND = (
    "Ligne de vue\u00a0: trait plein ✓ dégagée\u00a0; pointillé au-delà de ✕ bloquée.",
    "Pions\u00a0: les deux camps diffèrent par la teinte et le coin. Au pied\u00a0: valeur d’attaque "
    "(encadrée\u00a0: tir ponctuel\u00a0; nue\u00a0: tir de zone) et portée. Entre elles\u00a0: moral sur fond sombre, ou "
    "défense d’un véhicule dans un écu. Points\u00a0: pas\u00a0; les creux sont perdus.",
)
#: Words of the board in text.
WORDS = {
    "fp": "attaque", "defense": "défense", "steps": "pas", "lost": "pas perdus", "a": "camp A", "b": "camp B",
    "road": "route", "trail": "chemin", "rail": "voie ferrée", "towed": "tracté", "riding": "à bord", "pfa": "PFA",
    "moved": "a bougé", "late": "pas encore en mode Tir", "allemagne": "Allemagne",
}  # fmt: skip
_PICTURES = {
    "mg": "sign_mg", "mortar": "sign_mortar", "at_gun": "sign_at", "infantry_gun": "sign_gun", "aa_gun": "sign_gun",
    "artillery": "sign_gun", "tank": "sign_tank", "area_vehicle": "sign_tank", "halftrack": "sign_halftrack",
    "truck": "sign_truck",
}  # fmt: skip


def look(position: Position, piece: Piece) -> Look:
    """The face of a piece.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("tcs", "livret-moral")
    >>> shown = look(p, p.piece("platoon"))
    >>> shown.text, shown.corner.text, shown.pips
    ('4 6', '4', (2, 3))
    """
    attack, reach = piece.front.get("attack"), piece.front.get("range")
    point = _default(piece, "firer") == "P"
    foot = () if attack is None and reach is None else (
        Mark(_text(attack), "box" if point else "plain"), Mark(_text(reach)))  # fmt: skip
    table = game("tcs").tables["statuses"]
    tags = tuple(
        Mark(str(table.get(s, "mark")), "warn" if s in ("suppressed", "paralyzed") else "plain")
        for s in table.rows
        if s in piece.status and table.get(s, "mark")
    )
    picture = _PICTURES.get(piece.kind, "sign_infantry")
    return Look(picture, foot, " ", _corner(piece), None, tags, _steps(piece), "sign")


def _corner(piece: Piece) -> Mark | None:
    vehicle = bool(_default(piece, "vehicle"))
    key = "defense" if vehicle else "morale"
    value = piece.front.get(key, _default(piece, key))
    return Mark(str(value), "shield" if vehicle else "box") if isinstance(value, int) else None


def _steps(piece: Piece) -> tuple[int, int]:
    steps = piece.front.get("steps", _default(piece, "steps"))
    if not piece.front or not isinstance(steps, int) or steps < 2:
        return 0, 0
    lost = min(steps, piece.front.get("lost", 0))
    return steps - lost, lost


def _default(piece: Piece, key: str) -> Any:
    return game("tcs").tables["kinds"].get(piece.kind, key)


def _text(value: Any) -> str:
    return "?" if value is None else str(value)


STYLE = CounterStyle(look, LEGEND, WORDS)
