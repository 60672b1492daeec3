"""What is declared to the questions of Heroes of Normandie: types that say what they are."""

from __future__ import annotations

from typing import Annotated

from tutor.core.arguments import Sort, terms

Plane = Annotated[str, Sort("piece", enemy=True), "Avion"]
WithTemplate = Annotated[bool, "Avec gabarit"]
Ammo = Annotated[
    str, terms({"belt": "Bandes de balles", "apc": "Obus perforants", "he": "Obus explosifs"}), "Munition dépensée"
]
MarkerKind = Annotated[str, terms({"artillery": "Artillerie", "smoke": "Fumigène"}), "Marqueur"]
OrderMarker = Annotated[
    str, terms({"numbered": "Numéroté", "special": "Spécial", "bluff": "Bluff", "none": "Aucun"}), "Ordre posé"
]
