"""A board as a file: the quick ways of drawing it say what the plain ones would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from math import inf, nan
from urllib.parse import unquote

import pytest

from tutor.core.registry import load_position
from widgets.board.board import Board
from widgets.board.paint.shapes import Drawing
from widgets.board.painter import TERRAIN
from widgets.board.svg import board_svg
from widgets.host.share import download


@pytest.mark.parametrize("angle", [0.0, 30.0])
@pytest.mark.parametrize("bad", [nan, inf])
def test_a_place_that_is_no_number_is_refused(angle: float, bad: float) -> None:
    drawing = Drawing()
    with drawing.placed(1, 1, angle):
        with pytest.raises(ValueError, match="finite"):
            drawing.polygon([(0, 0), (1, bad), (2, 2)], fill="red")
        with pytest.raises(ValueError, match="finite"):
            drawing.disc(bad, 0, 1, "red")


def test_a_second_export_follows_what_has_changed() -> None:
    position = load_position("tcs", "livret-ldv")
    big: dict[str, int] = {"size": 1600, "height": 4000}
    first = board_svg(position, **big)
    assert board_svg(position, **big) == first
    steeper = position.change({"marker.between.01.04": 50})
    assert "50\u00a0%" in board_svg(steeper, **big), "a slope is written on the ground, and is no silhouette"
    assert board_svg(position.change({"level.01.04": 0}), **big) != first
    assert board_svg(position, theme="dark", **big) != first
    assert board_svg(position, **big) == first


def test_a_picture_that_no_server_completes_holds_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (load_position("combat_commander", name) for name in ("ldv-lisiere", "vallee"))
    assert board_svg(one) == board_svg(one, ground="inline")
    ids, others = (set(re.findall(r'(?<= id=")[^"]+', board_svg(position))) for position in (one, other))
    assert ids
    assert not ids & others, "of two pictures in one page, each shows its own"
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', board_svg(one))) <= ids
    monkeypatch.setenv("LDV_GROUND", "v1")
    assert '<image href="/sol/v1/combat_commander/light/' in board_svg(one)


def test_a_kernel_of_a_server_that_hands_out_grounds_loads_nothing_that_draws_them() -> None:
    code = (
        "import sys; from tutor import load_position; from widgets.board.svg import board_svg\n"
        "board_svg(load_position('combat_commander', 'ldv-lisiere')); print('shapely' in sys.modules)"
    )
    said = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout.strip()
        for env in ({**os.environ, "LDV_GROUND": "v1"}, {k: v for k, v in os.environ.items() if k != "LDV_GROUND"})
    ]
    assert said == ["False", "True"]


def test_a_board_draws_a_slope_that_has_changed() -> None:
    board = Board(load_position("tcs", "livret-ldv"), size=1600, height=4000)
    first = board.painter.draw(TERRAIN)
    board.position = board.position.change({"marker.between.01.04": 50})
    assert board.painter.draw(TERRAIN).shapes != first.shapes
    board.position = board.position.change({"marker.smoke.01.05": True})
    assert board.painter.draw(TERRAIN) is board.painter.draw(TERRAIN), "what moves does not have the ground drawn anew"


def test_a_file_is_saved_as_it_is() -> None:
    text = board_svg(load_position("combat_commander", "livret-ldv")) + "\t% é « ’ » & \n"
    link = download("x", "x.svg", "image/svg+xml", text)
    link_data = re.search(r'href="data:image/svg\+xml;charset=utf-8,([^"]*)"', link)
    assert link_data is not None
    assert not set(link_data[1]) & set(' \n\t<>#"')
    assert unquote(unescape(link_data[1])) == text
