"""What is declared to the questions of the Tactical Combat Series: types that say what they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Required, TypedDict

from tutor.core.arguments import IDLE, Cell, Otherwise, PieceId, Pieces, records, rows, terms

AreaSituation = Annotated[str, terms({"sfa": "SFA", "overwatch": "Overwatch"}), "Situation"]
ATSituation = Annotated[
    str, terms({"sfa": "SFA", "overwatch": "Overwatch", "assault": "Assaut", "overrun": "Overrun"}), "Situation"
]
Spotter = Annotated[PieceId, "Observateur"]
Observed = Annotated[bool, "Cible observée"]
RollTotal = Annotated[int, "Dés"]
AcrossSide = Annotated[Cell, "Hexagone au-delà du côté"]
Shooters = Annotated[Pieces, "Ennemis à qui l’on répond"]
StepsLost = Annotated[int, "Pas perdus"]
TriggerEvent = Annotated[str, rows("triggers"), "Événement"]
MoraleResult = Annotated[
    str,
    terms(
        {
            "suppressed": "Suppressed",
            "paralyzed": "Paralyzed",
            "syr": "SYR",
            "surrender": "Reddition",
            "none": "Aucun effet",
        }
    ),
    "Résultat",
]
TriggerKind = Annotated[
    str, terms({"move": "Mouvement", "fire": "Tir", "morale": "Moral", "final": "Signal final"}), "Déclencheur"
]
TargetPieces = Annotated[Pieces, "Cibles"]
PointSituation = Annotated[str, terms({"pfa": "PFA", "overwatch": "Overwatch"}), "Situation"]
RetreatCause = Annotated[
    str,
    terms(
        {
            "morale": "Moral",
            "point_fire": "Tir sur point",
            "move": "Mouvement",
            "voluntary": "Volontaire",
            "assault": "Assaut",
        }
    ),
    "Cause",
]


class ContentionPoint(TypedDict, total=False):
    """A contention point of a profile: hexes from the low end, metres of the ground, and of what stands on it."""

    name: Annotated[str, IDLE]
    distance: Required[Annotated[int, "À … hexagones"]]
    base: Required[Annotated[int, "Altitude du sol"]]
    height: Annotated[int, "Hauteur dessus", Otherwise(0)]
    feature: Annotated[str, IDLE]


ContentionPoints = Annotated[Sequence[ContentionPoint], records("Point"), "Points de contentieux"]
