"""The Hidden actions are judged from two sides, the card played and the fortification placed: both must agree."""

from __future__ import annotations

import pytest

from tutor import ask, load_position
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.games.combat_commander.units import is_unit

CC = "combat_commander"
#: Hidden fortification, the moment of the card, the moment of the fortification, whose units stand in the hex.
CARDS = [
    ("entrenchments", "defence_roll", "defence", True),
    ("pillbox", "defence_roll", "defence", True),
    ("mines", "enemy_entered", "move", False),
    ("wire", "enemy_entered", "advance", False),
]
MARKS = [{}, {"marker.fortification.{}": "trench"}, {"marker.blaze.{}": True}, {"marker.objective.{}": 3}]
GROUNDS = ["open", "woods", "building", "stream", "water_barrier", "marsh"]


def sites() -> list[tuple[str, str]]:
    """Positions of the game with a hex where somebody stands."""
    found = []
    for name in game(CC).positions():
        position = load_position(CC, name)
        cells = sorted({str(p.at) for p in position.pieces if is_unit(p) and p.at})
        found += [(name, cell) for cell in cells[:2]]
    return found


def holder(position: Position, cell: str) -> str:
    return next(p.side for p in position.pieces_at(cell) if is_unit(p))


@pytest.mark.parametrize(("kind", "played", "placed", "own"), CARDS, ids=[card[0] for card in CARDS])
def test_card_and_fortification_agree(kind: str, played: str, placed: str, own: bool) -> None:
    outcomes = set()
    for name, cell in sites():
        start = load_position(CC, name)
        inside = holder(start, cell)
        side = inside if own else "allies" if inside == "axis" else "axis"
        for ground in GROUNDS:
            for mark in MARKS:
                changes = {f"terrain.{cell}": None if ground == "open" else ground, "state.defender": side}
                position = start.change({**changes, **{path.format(cell): value for path, value in mark.items()}})
                card = ask(position, "action", name=f"hidden_{kind}", side=side, moment=played, cell=cell)
                fort = ask(position, "hidden", action=kind, side=side, cell=cell, moment=placed)
                if any(p.side != inside for p in position.pieces_at(cell) if is_unit(p)):
                    continue
                assert card.outcome == fort.outcome, (name, cell, ground, mark, card.refusals, fort.refusals)
                outcomes.add(card.outcome)
    assert outcomes == {"computed", "refused"}
