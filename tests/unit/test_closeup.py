"""What is decided by a hair is seen closer, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.core.registry import ask, game, load_position
from tutor.course.lessons import lessons
from widgets.board.closeup import HAIR, CloseUp, closeup
from widgets.board.layers import layers_for
from widgets.board.paint.shapes import fitted


def _closer(game_id: str, position: str, changes: dict[str, Any], **given: Any) -> CloseUp | None:
    place = load_position(game_id, position).change(changes)
    shapes = game(game_id).shapes(place)
    return closeup(layers_for(ask(place, "los", **given), place, shapes), place, shapes)


def test_a_drawing_that_is_missed_by_a_hair_is_seen_closer() -> None:
    near = _closer("combat_commander", "ldv-lisiere", {"terrain.E3": None}, start="C5", end="F2")
    assert near is not None
    assert (near.cell, near.touches) == ("D3", False)
    assert 0 < near.away < HAIR
    place = load_position("combat_commander", "ldv-lisiere")
    drawn = near.svg(fitted(place.grid, 700, 560))
    assert drawn.count("<polyline") == 1
    assert "<polygon" in drawn


def test_a_line_that_is_stopped_at_once_is_not() -> None:
    assert _closer("combat_commander", "ldv-lisiere", {}, start="C5", end="F2") is None


def test_a_corner_that_is_touched_is_seen_closer() -> None:
    corner = next(e for e in _examples("tcs", "03-bois-villages-fumee") if e.id == "b-c")
    place = load_position("tcs", corner.position) if isinstance(corner.position, str) else corner.position
    shapes = game("tcs").shapes(place)
    near = closeup(layers_for(ask(place, corner.ask, **corner.with_), place, shapes), place, shapes)
    assert near is not None
    assert (near.cell, near.touches) == ("02.09", True)


def test_woods_that_a_line_parts_are_not_decided_by_a_hair() -> None:
    side = next(e for e in _examples("asl_sk", "02-ldv-obstacles") if e.id == "cote")
    base = load_position("asl_sk", side.position) if isinstance(side.position, str) else side.position
    place = base.change({"terrain.E4": "woods", "terrain.E5": "woods"})
    shapes = game("asl_sk").shapes(place)
    assert closeup(layers_for(ask(place, side.ask, **side.with_), place, shapes), place, shapes) is None


@pytest.mark.parametrize("game_id", ["heroes_of_normandie", "sherman_leader"])
def test_where_no_drawing_is_judged_nothing_is(game_id: str) -> None:
    first = next(e for one in lessons(game_id) for e in _examples(game_id, one.slug) if e.ask == "los")
    place = load_position(game_id, first.position) if isinstance(first.position, str) else first.position
    shapes = game(game_id).shapes(place)
    assert closeup(layers_for(ask(place, first.ask, **first.with_), place, shapes), place, shapes) is None


def _examples(game_id: str, slug: str) -> list[Any]:
    lesson = next(one for one in lessons(game_id) if one.slug == slug)
    return [block for block in lesson.blocks if block.kind == "example"]
