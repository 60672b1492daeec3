"""Tracks and the deck under a board: what is drawn is what was computed, what is asked stays hidden, a touch moves."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.screen import named
from tutor import ask, load_position
from tutor.course.lessons import lesson as lesson_of
from widgets.host.page import Page
from widgets.host.prose import Writer
from widgets.player.example import ExamplePlayer

CC = "combat_commander"
LESSONS = {14: "cc-14-cartes", 16: "cc-16-temps"}


def player(lesson: int, example: str) -> ExamplePlayer:
    content = lesson_of(CC, LESSONS[lesson]).examples[example]
    return ExamplePlayer(Page(), CC, content, Writer(CC), question=content.question)


def picture(shown: ExamplePlayer) -> str:
    return str(shown.stage.panel_widgets[0].picture)


def touch(shown: ExamplePlayer, name: str, value: int) -> None:
    shown.stage.panel_widgets[0].asked = f"{name} {value} {len(picture(shown))}{name}{value}"


def test_a_track_hides_what_is_asked_until_it_is_answered() -> None:
    shown = player(16, "controle")
    assert "3\u00a0PV" not in picture(shown)
    shown.disclose(True)
    assert "3\u00a0PV" in picture(shown)


@pytest.mark.parametrize(
    ("name", "value", "read", "wanted"),
    [("time", 8, "state.time", 8), ("sudden", 4, "state.sudden_death", 4), ("victory", -3, "state.victory", -3)],
)
def test_a_touch_moves_a_marker_and_can_be_undone(name: str, value: int, read: str, wanted: int) -> None:
    shown = player(16, "mort")
    before = shown.position.read(read)
    touch(shown, name, value)
    assert shown.position.read(read) == wanted
    assert f'data-name="{name}"' in picture(shown)
    assert f'aria-valuenow="{wanted}"' in picture(shown)
    named(shown.widget, "↶").click()
    assert shown.position.read(read) == before


def test_the_odds_drawn_are_those_of_each_space() -> None:
    shown = player(16, "mort")
    touch(shown, "sudden", 4)
    drawn = picture(shown)
    for space in range(4, 14):
        odds = ask(shown.position, "sudden_death_odds", time=space).value.ends
        assert f">{round(float(odds * 100))}<" in drawn, space


def test_the_answer_shows_where_the_markers_go() -> None:
    shown = player(16, "avance")
    shown.disclose(True)
    assert "l’Axe mène de 2\u00a0PV, puis l’Axe mène de 3\u00a0PV" in picture(shown)  # the Axis defends: one point
    assert "Renforts" in picture(shown)


def test_a_panel_follows_the_theme_until_its_example_is_closed() -> None:
    shown = player(16, "avance")
    light = picture(shown)
    try:
        shown.page.bridge.dark = True
        dark = picture(shown)
        shown.stage.close()
        shown.page.bridge.dark = False
        assert dark != light
        assert picture(shown) == dark
    finally:
        shown.page.bridge.dark = False


def test_a_surrender_marker_moves_and_losses_are_counted() -> None:
    shown = player(16, "reddition")
    shown.disclose(True)
    assert "case 7, pertes\u00a0: 6" in picture(shown)
    touch(shown, "allies", 6)
    assert shown.position.state["surrender"] == {"axis": 7, "allies": 6}


def test_a_deck_is_drawn_from_until_one_card_is_left() -> None:
    shown = player(14, "paquet")
    for wanted in (2, 3):
        touch(shown, "cards", int(re.search(r'data-name="cards" data-value="(\d+)"', picture(shown)).group(1)))  # type: ignore[union-attr]
        assert shown.arguments["cards"] == wanted
    touch(shown, "cards", 71)
    assert 'data-value="72" disabled' in picture(shown)
    touch(shown, "shuffle", 8)
    assert shown.arguments == {"cards": 1, "shuffle": 8}


def test_cards_seen_and_cards_left_make_the_deck() -> None:
    position = load_position(CC, "tir-pre")
    deck: Any = ask(position, "reveal", shuffle=3, cards=40).value
    left = {total: round(p * deck.remaining) for total, p in deck.next_roll.items()}
    for total in range(2, 13):
        gone = sum(white + red == total for white, red in deck.seen)
        assert gone + left.get(total, 0) == 2 * (6 - abs(total - 7))
