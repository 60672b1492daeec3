"""Faults that a reader found in the sentences of a trace: what is said last is why it ends."""

from __future__ import annotations

import pytest

from tutor.core.registry import ask, load_position


def last(changes: dict[str, object], **declared: object) -> tuple[str, str]:
    """Rule and code of the last step of a move."""
    result = ask(load_position("combat_commander", "mouvement-route").change(changes), "move", **declared)
    assert result.outcome == "computed"
    step = result.trace.children[-1]
    return step.rule, step.code


def test_a_move_that_wire_stops_ends_on_the_wire():
    assert last({"marker.fortification.B2": "wire"}, pieces=["fusiliers"], path=["B2"]) == ("F106.2", "move.left_wire")


def test_a_move_that_nothing_stops_ends_on_the_points_left():
    assert last({}, pieces=["fusiliers"], path=["B2"]) == ("O21.1", "move.left")


@pytest.mark.parametrize("result", ["broken", "eliminated"])
def test_a_lost_squad_that_deploys_leaves_the_board(result):
    position = load_position("combat_commander", "armes").change({"piece.fusiliers.status.broken": True})
    answer = ask(position, "deploy", squad="fusiliers", result=result)
    assert "fusiliers" not in position.change(answer.value.changes).by_id
