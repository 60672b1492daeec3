"""« Partager » : what is on screen, as a link, a picture, a file."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest

from tutor.core.position import Position
from widgets.bridge import bridge
from widgets.channel import Reply
from widgets.lesson import lesson
from widgets.lesson_example import ExamplePlayer
from widgets.lesson_page import LessonPage
from widgets.sandbox import Sandbox


@pytest.fixture
def player() -> ExamplePlayer:
    made = lesson("combat_commander", "cc-04-ldv")
    made.opening()
    assert isinstance(made.page, LessonPage)
    return made.page.players["lisiere"]


def files(player: ExamplePlayer) -> dict[str, str]:
    """File name -> content of the download links."""
    assert player._shared is not None
    found = re.findall(r'download="([^"]+)" href="data:[^,]+,([^"]+)"', player._shared._files.value)
    return {name: unquote(text) for name, text in found}


def test_the_files_hold_what_is_on_screen_and_follow_it(player: ExamplePlayer) -> None:
    player._share.click()
    saved = files(player)
    assert Position.parse(saved["ldv-lisiere.yaml"]) == player.position.model_copy(update={"tweaks": []})
    assert saved["ldv-lisiere.svg"].startswith("<svg")
    player.change({"terrain.F2": "woods"})
    assert Position.parse(files(player)["ldv-lisiere.yaml"]).terrain_of["F2"] == "woods"


def test_the_panel_opens_and_closes(player: ExamplePlayer) -> None:
    player._share.click()
    assert len(player._share_place.children) == 1
    player._share.click()
    assert player._share_place.children == ()


def test_link_and_picture_are_asked_of_the_browser(player: ExamplePlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(type(bridge()), "send", lambda _bridge, message, *_: sent.append(message))
    player._share.click()
    assert player._shared is not None
    player._shared._copy.click()
    player._shared._image.click()
    assert "exemple=lisiere" in sent[0]["text"]
    assert sent[1] == {"type": "copy_image", "board": player.stage.board.id}
    assert player._shared._copy.description == "Lien copié"


def test_a_link_is_given_with_the_address_of_the_server_for_others(
    player: ExamplePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(type(bridge()), "send", lambda _bridge, message, *_: sent.append(message))
    monkeypatch.setenv("LDV_ADDRESS", "https://cours.fr/")
    player._share.click()
    assert player._shared is not None
    player._shared._copy.click()
    assert sent[0]["text"].startswith("https://cours.fr/voila/")
    player._shared._shortened(player._link(), Reply(True, {"code": "K7PM2QX9"}))
    assert "https://cours.fr/l/K7PM2QX9" in player._shared._said.value
    assert "sur cet ordinateur" not in player._shared._said.value
    monkeypatch.setenv("LDV_ADDRESS", "http://127.0.0.1:8866/")
    player._shared._shortened(player._link(), Reply(True, {"code": "K7PM2QX9"}))
    assert "sur cet ordinateur" in player._shared._said.value


def test_a_short_link_that_comes_late_is_not_given_to_another_situation(
    player: ExamplePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("widgets.channel.channel", lambda: SimpleNamespace(write=lambda *args: asked.append(args)))
    player._share.click()
    assert player._shared is not None
    player._shared._shorten()
    player._shared._shorten()
    assert len(asked) == 1
    player.change({"terrain.F2": "woods"})
    asked[0][2](Reply(True, {"code": "ABCDEF"}))
    assert player._shared._said.value == ""
    player._shared._shorten()
    asked[1][2](Reply(True, {"code": "GHJKMN"}))
    assert "/l/GHJKMN" in player._shared._said.value


def test_the_free_board_is_shared_as_an_example_is() -> None:
    board = Sandbox("combat_commander")
    board._share()
    assert board._shared is not None
    assert board._share_place.children == (board._shared.widget,)
    board._share()
    assert board._share_place.children == ()


def test_without_a_server_no_short_link_is_offered(player: ExamplePlayer) -> None:
    player._share.click()
    assert player._shared is not None
    assert player._shared._short not in player._shared.widget.children[0].children  # type: ignore[attr-defined]
