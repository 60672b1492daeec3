"""The board on a phone: larger, cropped, and looking where the lesson looks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.screen import send
from tutor import load_position
from tutor.core.registry import game
from widgets.board.board import Board
from widgets.board.bridge import Bridge
from widgets.board.panels.settings import TweakPanel
from widgets.pages.situation import Situation


def test_a_crop_opens_on_what_the_author_named_then_follows_the_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(Bridge, "send", lambda _bridge, message, *_: sent.append(message))
    board = Board(load_position("combat_commander", "plateau-livret"))
    board.aim(["J9"])
    board.select("L8")
    send(board.bridge, {"type": "width", "board": board.id, "width": 360})
    for _ in range(2):
        board.viewport.closer.click()
    x, y = board.drawing_view.centre("J9")
    assert [message["box"] for message in sent if message["type"] == "follow"] == [[x, y, x, y]]
    board.select("N8")
    assert sent[-1]["box"][:2] == list(board.drawing_view.centre("N8"))


def test_the_keyboard_s_help_names_the_places_of_the_board() -> None:
    hexes, squares = (
        load_position("combat_commander", "plateau-livret"),
        load_position("heroes_of_normandie", "dominante"),
    )
    one, other = Board(hexes), Board(squares)
    assert "choisir l’hex" in one.bridge.boards[one.id]["label"]
    assert "choisir la case" in other.bridge.boards[other.id]["label"]


def test_a_setting_that_the_position_leaves_open_shows_the_default() -> None:
    position = load_position("heroes_of_normandie", "dominante").change({"setting.obstacles": None})
    panel = TweakPanel(Situation(position))
    assert panel.controls["setting.obstacles"].value == game("heroes_of_normandie").settings["obstacles"].default
