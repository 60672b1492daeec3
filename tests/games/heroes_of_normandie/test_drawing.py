"""Heroes of Normandie on a board: every kind has a drawing of its own, every result shows what it decides."""

from __future__ import annotations

import re

import pytest

from tutor.core.registry import ask
from tutor.games.heroes_of_normandie import GAME
from tutor.games.heroes_of_normandie.board import MARKERS
from widgets.board.layers import Corner, LineOfSight, Path, Tint, layers_for
from widgets.board.paint.overlays import tint_drawing
from widgets.board.paint.plans import PLAN_MARKERS
from widgets.board.paint.shapes import fitted
from widgets.board.palette import LIGHT
from widgets.board.panels.legend import sample
from widgets.board.panels.verdict import verdict

GAME.load()
PASSAGE = GAME.position("passage")


def drawn(name: str, ask_: str, **arguments: object) -> tuple[object, ...]:
    position = GAME.position(name)
    return layers_for(ask(position, ask_, **arguments), position, GAME.shapes(position))


def test_every_marker_is_known_to_the_painter():
    assert set(MARKERS) - {"smoke"} <= set(PLAN_MARKERS)
    assert set(MARKERS) == set(GAME.tables["markers"].rows)


def test_a_hindered_line_is_drawn_hindered_without_a_number():
    (sight,) = drawn("muret", "los", start="B3", end="F3")
    assert isinstance(sight, LineOfSight)
    assert (sight.state, sight.hindrance, sight.rule) == ("hindered", 0, "1.1.1")
    position = GAME.position("muret")
    assert verdict(ask(position, "los", start="B3", end="F3"), position)[0] == "hindered"


def test_a_blocked_line_stops_at_the_wall():
    (sight,) = drawn("batiment", "los", start="B3", end="D3")
    assert isinstance(sight, LineOfSight)
    assert (sight.state, sight.rule) == ("blocked", "1.3.2")
    assert sight.point == (100, 120)  # middle of B3/C3: squares are 40 wide, B is the second column, 3 the third row


def test_a_path_and_an_explosion_show_where_they_go():
    assert drawn("passage", "path", unit="section", cells=["C3", "D3"]) == (Path(("B3", "C3", "D3")),)
    assert drawn("batiment", "blast", vertex="D4", cell="E4") == (Tint(("E4", "E5"), "reach"), Corner("D4"))


def test_an_off_grid_square_is_tinted_between_the_two_it_covers():
    position = GAME.position("demi-cases")
    view = fitted(position.grid, 700, 500)
    d = tint_drawing([Tint(("C2>D2",))], view, LIGHT)
    xs = [x for x, _ in d.shapes[0].paths[0]]
    middle = (view.centre("C2")[0] + view.centre("D2")[0]) / 2
    assert (min(xs) + max(xs)) / 2 == pytest.approx(middle)
    assert max(xs) - min(xs) == pytest.approx(2 * view.radius * 0.96)


def test_the_legend_writes_the_room_and_keeps_the_arrow_on_its_board():
    position = GAME.position("batiment")
    assert "pièce 1" in sample(position, "markers", "room", "light")
    arrow = sample(position, "ways", "blue_arrow", "light")
    width, height = map(float, re.findall(r'viewBox="0 0 (\d+) (\d+)"', arrow)[0])
    drawn_arrow = re.findall(rf'<path d="([^"]+)" fill="{LIGHT.clear}"', arrow)[0]
    points = [(float(x), float(y)) for x, y in re.findall(r"([\d.-]+) ([\d.-]+)", drawn_arrow)]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
