"""« Partager » : what is on screen, as a link, a picture, a file."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest

from tests.screen import controls, named, words
from tutor.core.position import Position
from widgets.board.bridge import Bridge
from widgets.host.channel import Reply
from widgets.host.page import Page
from widgets.pages.free_board import Sandbox
from widgets.player.example import ExamplePlayer
from widgets.player.lesson import LessonPage, lesson_page


def example(page: Page) -> ExamplePlayer:
    """The first example of a lesson."""
    made = lesson_page(page, "combat_commander", "cc-04-ldv")
    made.opening()
    assert isinstance(made, LessonPage)
    return made.players["lisiere"]


@pytest.fixture
def player(here: Page) -> ExamplePlayer:
    return example(here)


def files(player: ExamplePlayer) -> dict[str, str]:
    """File name -> content of the download links."""
    links = re.findall(r'download="([^"]+)" href="data:[^,]+,([^"]+)"', words(player.widget))
    return {name: unquote(text) for name, text in links}


def test_the_files_hold_what_is_on_screen_and_follow_it(player: ExamplePlayer) -> None:
    named(player.widget, "Partager").click()
    saved = files(player)
    assert Position.parse(saved["ldv-lisiere.yaml"]) == player.position.model_copy(update={"tweaks": []})
    assert saved["ldv-lisiere.svg"].startswith("<svg")
    player.change({"terrain.F2": "woods"})
    assert Position.parse(files(player)["ldv-lisiere.yaml"]).terrain_of["F2"] == "woods"


def test_the_panel_opens_and_closes(player: ExamplePlayer) -> None:
    named(player.widget, "Partager").click()
    assert files(player)
    named(player.widget, "Partager").click()
    assert files(player) == {}


def test_link_and_picture_are_asked_of_the_browser(player: ExamplePlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(Bridge, "send", lambda _bridge, message, *_: sent.append(message))
    named(player.widget, "Partager").click()
    named(player.widget, "Copier le lien").click()
    named(player.widget, "Copier l’image").click()
    assert "exemple=lisiere" in sent[0]["text"]
    assert sent[1] == {"type": "copy_image", "board": player.stage.board.id}
    assert named(player.widget, "Lien copié")


def test_a_link_is_given_with_the_address_of_the_server_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, asked = served_example(monkeypatch)
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(Bridge, "send", lambda _bridge, message, *_: sent.append(message))
    monkeypatch.setenv("LDV_ADDRESS", "https://cours.fr/")
    named(player.widget, "Partager").click()
    named(player.widget, "Copier le lien").click()
    assert sent[0]["text"].startswith("https://cours.fr/voila/")
    named(player.widget, "Lien court et QR").click()
    asked[0][2](Reply(True, {"code": "K7PM2QX9"}))
    assert "https://cours.fr/l/K7PM2QX9" in words(player.widget)
    assert "sur cet ordinateur" not in words(player.widget)
    monkeypatch.setenv("LDV_ADDRESS", "http://127.0.0.1:8866/")
    asked[0][2](Reply(True, {"code": "K7PM2QX9"}))
    assert "sur cet ordinateur" in words(player.widget)


def served_example(monkeypatch: pytest.MonkeyPatch) -> tuple[ExamplePlayer, list[Any]]:
    """An example on a page of our server, and what it asks of it."""
    asked: list[Any] = []
    player = example(Page(SimpleNamespace(write=lambda *args: asked.append(args))))  # type: ignore[arg-type]
    monkeypatch.setattr("widgets.host.share.served", lambda: True)
    return player, asked


def test_a_short_link_that_comes_late_is_not_given_to_another_situation(monkeypatch: pytest.MonkeyPatch) -> None:
    player, asked = served_example(monkeypatch)
    named(player.widget, "Partager").click()
    shorten = named(player.widget, "Lien court et QR")
    shorten.click()
    shorten.click()
    assert len(asked) == 1
    player.change({"terrain.F2": "woods"})
    asked[0][2](Reply(True, {"code": "ABCDEF"}))
    assert "/l/" not in words(player.widget)
    shorten.click()
    asked[1][2](Reply(True, {"code": "GHJKMN"}))
    assert "/l/GHJKMN" in words(player.widget)


def test_the_free_board_is_shared_as_an_example_is() -> None:
    board = Sandbox(Page(), "combat_commander")
    named(board.widget, "Partager").click()
    assert 'download="' in words(board.widget)
    assert named(board.widget, "Copier le lien")
    named(board.widget, "Partager").click()
    assert 'download="' not in words(board.widget)


def test_without_a_server_no_short_link_is_offered(player: ExamplePlayer) -> None:
    named(player.widget, "Partager").click()
    labels = [getattr(one, "description", "") for one in controls(player.widget)]
    assert "Copier le lien" in labels
    assert "Lien court et QR" not in labels
