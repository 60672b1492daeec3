"""What is written where counters crowd: in cells of two sides, on hexes smaller than a name."""

from __future__ import annotations

import pytest

from tests.unit.test_labels_placed import PHONE, STAGE
from tutor.core.registry import GAMES, game
from widgets.board.counters.layout import Placed, layout
from widgets.board.paint.placement import names_of
from widgets.board.paint.shapes import fitted, text_width

ALONE = (1180, 860)


@pytest.mark.parametrize("size", [PHONE, STAGE, ALONE], ids=["phone", "stage", "alone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_name_in_a_cell_of_two_sides_is_not_read_as_the_other_sides(game_id: str, size: tuple[int, int]) -> None:
    """One that stands over or under counters covers more of its own than of theirs."""
    misread = []
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        placed = layout(position, view)
        for text, x, y, tall in names_of(position, view)[1]:
            half = text_width(text, tall, True) / 2

            def across(item: Placed, x: float = x, half: float = half) -> float:
                return max(0.0, min(x + half, item.x + item.size / 2) - max(x - half, item.x - item.size / 2))

            owns = [item for item in placed if item.face.name == text]
            cells = {position.piece(item.face.id).at for item in owns}
            sides = {position.piece(item.face.id).side for item in owns}
            for other in placed:
                piece = position.piece(other.face.id)
                if piece.at not in cells or piece.side in sides:
                    continue
                away = max(abs(x - other.x) - half, abs(y - other.y) - tall / 2) - other.size / 2
                if away < 6 and across(other) > max(across(item) for item in owns):
                    misread.append((name, text, other.face.name))
    assert not misread
