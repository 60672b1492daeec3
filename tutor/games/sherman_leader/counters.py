"""Counters of Sherman Leader: AP black and HE red, as on the cards, defence in a shield, stress at the side."""

from __future__ import annotations

from typing import Any

from tutor.core.faces import CounterStyle, Look, Mark, machine
from tutor.core.position import Piece, Position
from tutor.core.registry import game

_PICTURES = {"armor": "sherman", "light_armor": "scout", "artillery": "gun", "infantry": "squad", "rifle": "three",
             "at": "gun", "tank": "panzer", "armored_car": "scout", "commander": "leader"}  # fmt: skip
TAGS = {
    "destroyed": Mark("Détruit", "alert"),
    "immobilized": Mark("Immob.", "alert"),
    "casualties": Mark("Pertes", "alert"),
    "exposed": Mark("Exp."),
    "half": Mark("½"),
}


def look(position: Position, piece: Piece) -> Look:
    """The face of a piece.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("sherman_leader", "tour-1")
    >>> shown = look(p, p.piece("tigre"))
    >>> [(m.text, m.style) for m in shown.foot], shown.corner.text
    ([('2', 'black'), ('4', 'red')], '6')
    """
    ap, he, defence = (_value(piece, key) for key in ("ap", "he", "defence"))
    foot = () if ap is None and he is None else (Mark(_attack(ap), "black"), Mark(_attack(he), "red"))
    corner = Mark(str(defence), "shield") if defence is not None else None
    chief = next((p for p in position.pieces if p.kind == "commander" and p.carrier == piece.id), None)
    tags = [TAGS[status] for status in TAGS if status in piece.status]
    if chief is not None and "killed" in chief.status:
        tags.append(Mark("†", "alert"))
    stress = chief.front.get("stress") if chief is not None else None
    side = Mark(str(stress), "disc") if stress else None
    picture = machine(piece.name, _PICTURES.get(piece.kind, piece.kind))
    return Look(picture, foot, " ", corner, side, tuple(tags), manner="card")


def _value(piece: Piece, key: str) -> Any:
    if key in piece.front:
        return piece.front[key]
    return game("sherman_leader").tables["units"].get(piece.counter or piece.id, key)


def _attack(value: Any) -> str:
    """An attack value; the booklet's dash is a nought, what it does not print a question mark."""
    return "?" if value is None else str(value) if value else "–"


STYLE = CounterStyle(look, (), side=1.08)
