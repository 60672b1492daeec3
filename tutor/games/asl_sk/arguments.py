"""What is declared to the questions of ASL Starter Kit: types that say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Required, TypedDict

from tutor.core.arguments import Firers, Otherwise, PieceId, Pieces, Rolls, TargetCell, entries, records, terms

Leaders = Annotated[Pieces, "Leaders qui dirigent"]
FP = Annotated[int, "FP"]
Cower = Annotated[int, "Colonnes perdues"]
Leader = Annotated[PieceId, "Leader"]
CheckKind = Annotated[str, terms({"mc": "NMC ou MC", "ptc": "PTC"}), "Sorte de test"]
Away = Annotated[int, "Distance"]
ShotType = Annotated[str, terms({"itt_black": "Infanterie, noir", "att_red": "Zone, rouge"}, open=True), "Cible"]
GunType = Annotated[str, terms({"ap75l": "75L", "ap37l": "37L"}, open=True), "Canon"]


class DeclaredAttack(TypedDict, total=False):
    """An attack declared beside others of its phase."""

    firers: Required[Firers]
    target: Required[TargetCell]
    rof: Annotated[bool, "Des MG qui ont gardé leur ROF", Otherwise(False)]


DeclaredAttacks = Annotated[Sequence[DeclaredAttack], records("Attaque"), "Attaques"]
Checks = Annotated[Rolls, "Jets de moral"]
#: Dice of each check, or of each of its checks.
LossChecks = Annotated[
    Mapping[str, Sequence[int] | Sequence[Sequence[int]]], entries("piece", "dice"), "Jets de perte de leader"
]
WoundRolls = Annotated[Mapping[str, int], entries("piece", "number"), "Dés de blessure"]
ResidualLeft = Annotated[Mapping[str, int], entries("cell", "number"), "FP résiduelle d’avant"]
PanzerfaustFirer = Annotated[
    str,
    terms({"squad": "Squad", "half_squad": "Half-Squad", "crew": "Crew", "leader": "Leader"}),
    "Tireur",
]
