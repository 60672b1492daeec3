"""What is declared to the questions of Sherman Leader: types that say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from tutor.core.arguments import entries, rows, terms

Pay = Annotated[bool, "Payer en stress"]
Chits = Annotated[Sequence[str], rows("chits"), "Pions de dégâts"]
EnemyOrder = Annotated[str, rows("orders"), "Ordre"]
Overdrive = Annotated[bool, "Surmultipliée"]
Tactic = Annotated[str, terms({"own": "Tactique", "lent": "Tactique de commandement"}), "Pion dépensé"]

ChitCup = Annotated[Mapping[str, int], entries("chits", "number"), "Pions de la tasse"]
