"""What is declared to the questions of Sherman Leader: types that say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from tutor.core.arguments import entries, rows

Pay = Annotated[bool, "Payer en stress"]
Chits = Annotated[Sequence[str], rows("chits"), "Pions de dégâts"]
EnemyOrder = Annotated[str, rows("orders"), "Ordre"]
Overdrive = Annotated[bool, "Surrégime"]


ChitCup = Annotated[Mapping[str, int], entries("chits", "number"), "Pions de la tasse"]
