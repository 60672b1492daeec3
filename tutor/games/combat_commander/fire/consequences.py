"""What an attack changes of the position: markers, and units and weapons that leave play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.core.position import Position
from tutor.games.combat_commander.fire.attack import Defence
from tutor.games.combat_commander.units import team_for


def consequences(
    position: Position, pieces: Mapping[str, Defence], weapons: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Changes of the position that an attack brings: markers, units and weapons that leave play.

    Args:
        position: where the attack was made.
        pieces: what it did to each unit.
        weapons: to each weapon.

    **Rule:** O20.3.4, 3.2.2, 11.4.
    """
    changes: dict[str, Any] = {}
    for name, defence in pieces.items():
        if defence.result in ("broken", "suppressed"):
            changes[f"piece.{name}.status.{defence.result}"] = True
        elif defence.result == "replaced":
            squad = position.piece(name)
            changes |= {f"piece.{name}.kind": "team", f"piece.{name}.counter": team_for(position, squad)}
            changes |= {
                f"piece.{name}.{face}.{key}": None for face in ("front", "back") for key in getattr(squad, face)
            }
        elif defence.result == "eliminated":
            changes |= {f"piece.{weapon.id}": None for weapon in position.pieces if weapon.carrier == name}
            changes[f"piece.{name}"] = None
    for name, state in (weapons or {}).items():
        if state == "broken":
            changes[f"piece.{name}.status.broken"] = True
        else:
            changes[f"piece.{name}"] = None
    return changes
