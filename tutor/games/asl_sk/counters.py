"""Counters of ASL Starter Kit: FP-range-morale along the foot, leaders by morale and modifier, weapons with ROF, B#."""

from __future__ import annotations

from typing import Any

from tutor.core.faces import CounterStyle, Look, Mark, machine
from tutor.core.position import Piece, Position
from tutor.core.registry import game

LEGEND = (
    "Ligne de vue\u00a0: trait plein ✓ dégagée\u00a0; tirets ≈ gênée\u00a0; pointillé au-delà de ✕ bloquée.",
    "Pions\u00a0: coin coupé, Axe\u00a0; coins ronds, Alliés. Au pied d’un MMC\u00a0: FP, portée, moral (4-6-7)\u00a0; "
    "d’un leader\u00a0: moral et modificateur (9-1)\u00a0; d’une MG\u00a0: FP et portée, ROF encadrée en haut, "
    "étiquette B11 si elle tombe en panne avant 12. "
    "Moral souligné\u00a0: sans ELR. Pion penché, blanc et hachuré\u00a0: démoralisé, son moral seul. "
    "Étiquettes\u00a0: DM, PIN, CX, Wnd (blessé), Prep, First et Final (a tiré), "
    "Mvt (a bougé), CC (Melee), ✕ (en panne).",
)
#: Words of the board in text.
WORDS = {
    "fp": "FP", "leadership": "modificateur", "rof": "ROF", "breakdown": "B#", "pp": "PP", "road": "route",
    "squad": "Squad", "half_squad": "Half-Squad", "crew": "Crew", "leader": "leader", "mg": "MG", "afv": "véhicule",
    "wreck": "épave", "flamethrower": "lance-flammes", "demolition_charge": "DC", "atr": "ATR", "gun": "canon",
    "dm": "DM", "pinned": "PIN", "cx": "CX", "wounded": "blessé", "prep_fire": "Prep Fire", "first_fire": "First Fire",
    "final_fire": "Final Fire", "moved": "a bougé", "moving": "bouge", "motion": "en Motion", "melee": "en Melee",
    "hidden": "caché", "malfunction": "en panne", "inexperienced": "inexpérimenté", "elite": "élite",
    "assault_move": "Assault Movement", "assault_fire": "Assault Fire", "boxed_morale": "moral encadré",
    "underlined": "moral souligné", "emplaced": "Emplaced", "crew_exposed": "Crew Exposed", "by_road": "par la route",
    "hazardous": "Hazardous Movement", "directed": "dirige un tir", "fixed_quality": "qualité fixe",
    "rate_kept": "ROF gardée", "captured": "capturée", "broken": "démoralisée",
}  # fmt: skip
#: A Squad, a leader, a mortar and a gun are masculine.
AGREEING = {kind: {"broken": "démoralisé"} for kind in ("leader", "squad", "mortar", "gun")}
_PICTURES = {"squad": "three", "half_squad": "team", "atr": "mg", "demolition_charge": "satchel"}
#: State -> tag and its style, in the order they are shown.
TAGS = {
    "dm": Mark("DM", "alert"),
    "pinned": Mark("PIN", "warn"),
    "cx": Mark("CX", "warn"),
    "wounded": Mark("Wnd", "alert"),
    "melee": Mark("CC", "alert"),
    "malfunction": Mark("✕", "alert"),
    "prep_fire": Mark("Prep"),
    "first_fire": Mark("First"),
    "final_fire": Mark("Final"),
    "moving": Mark("Mvt"),
    "moved": Mark("Mvt"),
    "motion": Mark("Motion"),
    "hidden": Mark("HIP"),
    "inexperienced": Mark("Inexp."),
    "elite": Mark("E"),
}


def look(position: Position, piece: Piece) -> Look:
    """The face of a piece.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("asl_sk", "tir")
    >>> [look(p, p.piece(i)).text for i in ("alpha", "chef", "second")]
    ['4-6-7', '9-1', '8-0']
    >>> p = load_position("asl_sk", "canons")
    >>> [look(p, p.piece(i)).picture for i in ("canon", "mortier")]
    ['gun', 'mortar']
    """
    picture = _PICTURES.get(piece.kind, piece.kind)
    if piece.kind == "afv":
        picture = machine(piece.name, "panzer" if piece.side == "axis" else "sherman")
    if piece.kind == "gun":
        picture = machine(piece.name, "gun")
    tags = tuple(dict.fromkeys(TAGS[status] for status in TAGS if status in piece.status))
    if piece.kind == "wreck":
        return Look(picture, tags=(Mark("Épave", "alert"),))
    broken = "broken" in piece.status
    morale = _broken_morale(piece) if broken else _printed(piece, "morale")
    if piece.kind == "leader":
        modifier = "" if broken else _modifier(_printed(piece, "leadership"))
        return Look(picture, (Mark(f"{_text(morale)}{modifier}"),), tags=tags)
    if morale is not None or broken:
        style = "box" if "boxed_morale" in piece.status else "underline" if "underlined" in piece.status else "plain"
        front = () if broken else (Mark(_text(_printed(piece, "fp"))), Mark(_text(_printed(piece, "range"))))
        return Look(picture, (*front, Mark(_text(morale), style)), "-", tags=tags)
    return _weapon(piece, picture, tags)


def _weapon(piece: Piece, picture: str, tags: tuple[Mark, ...]) -> Look:
    fp, reach, rof, fails = (_printed(piece, key) for key in ("fp", "range", "rof", "breakdown"))
    known = [_text(value) for value in (fp, reach) if value is not None]
    corner = Mark(str(rof), "box") if rof else None
    fragile = (Mark(f"B{fails}"),) if fails and fails < 12 else ()
    return Look(picture, (Mark("-".join(known)),) if known else (), corner=corner, tags=(*fragile, *tags))


def _printed(piece: Piece, key: str) -> Any:
    if key in piece.front:
        return piece.front[key]
    return game("asl_sk").tables["units"].get(piece.counter, key) if piece.counter else None


def _broken_morale(piece: Piece) -> Any:
    return piece.back.get("morale") or _printed(piece, "broken_morale") or _printed(piece, "morale")


def _text(value: Any) -> str:
    return "?" if value is None else str(value)


def _modifier(value: Any) -> str:
    """A leader's modifier as it is written after his morale: 9-1, 8-0, 6+1."""
    return "?" if value is None else f"+{value}" if value > 0 else f"-{abs(value)}"


STYLE = CounterStyle(look, LEGEND, WORDS, AGREEING)
