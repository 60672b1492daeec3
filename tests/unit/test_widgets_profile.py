"""The line of sight seen from the side, and the rays of a cross fire: what is drawn is what was computed."""

from __future__ import annotations

from math import isclose
from typing import Any

import pytest

from tutor import ask, load_position
from tutor.core.registry import game
from tutor.course.check import example_faults
from tutor.course.lessons import lessons
from widgets.board.board import Board
from widgets.board.layers import LineOfSight, Rays, layers_for
from widgets.board.paint.rays import ray_ends
from widgets.board.paint.shapes import fitted
from widgets.board.palette import LIGHT
from widgets.board.panels.profile import ProfilePanel, caption, frame_of, mark_text, profile_svg, side_view
from widgets.board.svg import board_svg

TCS = game("tcs")


def _seen(start: str, end: str, position: str = "livret-ldv", **changes: Any) -> tuple[Any, Any]:
    board = load_position("tcs", position).change(changes)
    result = ask(board, "los", start=start, end=end)
    return result, side_view(result, board)


@pytest.mark.parametrize(
    ("start", "end", "state", "deciding"),
    [("01.11", "04.10", "blocked", "03.11"), ("01.04", "04.05", "clear", "02.04"), ("04.03", "04.05", "blocked", "04.04")],
)  # fmt: skip
def test_the_picture_says_what_the_engine_says(start: str, end: str, state: str, deciding: str) -> None:
    result, view = _seen(start, end)
    assert view.state == state == ("clear" if result.value.visible else "blocked")
    assert view.marks[view.deciding].cell == deciding
    assert [mark.cell for mark in view.marks] == [start, *(p.cell for p in result.value.profile.points), end]


def test_every_mark_lies_at_its_own_height_and_the_line_is_straight() -> None:
    _, view = _seen("01.01", "05.13")
    first, last = view.marks[0], view.marks[-1]
    for mark in view.marks:
        straight = first.line + (last.line - first.line) * mark.x / last.x
        assert isclose(mark.line, straight, abs_tol=1e-9), mark
    frame = frame_of(view, narrow=True)
    for mark in view.marks:
        assert frame.TOP <= frame.y(mark.altitude) <= frame.foot
        assert frame.LEFT <= frame.x(mark.x) <= frame.width


def test_the_sentence_names_terrain_height_and_margin() -> None:
    _, view = _seen("04.03", "04.05")
    text = caption(view, TCS).replace("\u00a0", " ")
    assert "construction isolée jusqu’à 70 m" in text
    assert "dépasse de 5 m" in text
    assert "un des deux bouts" in mark_text(view.marks[0], TCS)


def test_smoke_stops_the_line_in_its_own_hex_whatever_the_heights() -> None:
    result, view = _seen("01.04", "04.05", **{"marker.smoke.02.04": True})
    assert result.value.rule == view.rule == "8.1b"
    assert view.marks[view.deciding].cell == "02.04"
    assert "fumée" in caption(view, TCS)


def test_neighbours_have_a_picture_without_anything_between_them() -> None:
    _, view = _seen("01.01", "01.02")
    assert len(view.marks) == 2
    assert view.deciding is None
    assert profile_svg(view, TCS, LIGHT).startswith("<svg")


def test_a_profile_given_by_hand_and_a_spotting_have_their_picture() -> None:
    board = load_position("tcs", "livret-ldv")
    point = {"name": "la crête", "distance": 2, "base": 60}
    given = side_view(ask(board, "profile", start=35, end=80, distance=3, points=[point]), board)
    assert [mark.cell for mark in given.marks] == ["Départ", "la crête", "Arrivée"]
    board = load_position("tcs", "livret-observation")
    spotted = side_view(ask(board, "spotting", spotter="mg", target="02.04"), board)
    assert (spotted.marks[0].cell, spotted.marks[-1].cell) == ("08.04", "02.04")


def test_questions_without_a_line_have_no_picture() -> None:
    board = load_position("tcs", "livret-ldv")
    assert side_view(ask(board, "elevation", cell="01.04"), board) is None


def test_points_of_the_panel_bear_the_hex_that_they_light_on_the_board() -> None:
    position = load_position("tcs", "livret-ldv")
    board = Board(position)
    panel = ProfilePanel(board)
    assert panel.view.picture == ""
    panel.show(ask(position, "los", start="01.11", end="04.10"), position)
    for cell in ("01.11", "02.10", "03.11", "04.10"):
        assert f'data-board="{board.id}" data-hexes="{cell}"' in panel.view.picture
    assert "Le profil en texte" in panel.view.picture
    panel.clear()
    assert panel.view.picture == ""


def test_a_blocked_line_is_marked_at_the_hex_that_blocks() -> None:
    result, _ = _seen("01.11", "04.10")
    board = load_position("tcs", "livret-ldv")
    (layer,) = layers_for(result, board)
    assert isinstance(layer, LineOfSight)
    assert layer.point is not None
    x, y = board.grid.centre("03.11")
    assert abs(layer.point[0] - x) + abs(layer.point[1] - y) < 40


@pytest.mark.parametrize(("cells", "holds", "count"), [(["05.02", "07.06"], True, 5), (["05.02", "07.05"], False, 4)])
def test_a_cross_fire_draws_its_twelve_rays_and_says_how_many_count(cells: list[str], holds: bool, count: int) -> None:
    board = load_position("tcs", "tir-croise")
    (layer,) = layers_for(ask(board, "crossfire", target="05.05", cells=cells), board)
    assert isinstance(layer, Rays)
    assert (layer.holds, len(layer.counted), len(layer.directions)) == (holds, count, 12)
    assert layer.note.startswith(f"{count} rayons")
    assert layer.note in board_svg(board, [layer])
    view = fitted(board.grid, 400, 400)
    assert len({(round(x), round(y)) for x, y in ray_ends(layer, view)}) == 12


def test_the_check_of_the_content_refuses_a_profile_of_what_has_none() -> None:
    lesson = next(one for one in lessons("tcs") if any(e.panel for e in one.examples.values()))
    good = next(e for e in lesson.examples.values() if e.panel)
    bad = good.model_copy(
        update={"ask": "elevation", "with_": {"cell": "01.04"}, "rules": [], "question": None, "picks": []}
    )
    for example, faults in ((good, 0), (bad, 1)):
        other = lesson.model_copy(update={"blocks": [example]})
        assert len([said for said in example_faults(TCS, other) if "panel: profile" in said]) == faults
