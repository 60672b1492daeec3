"""``ldv gallery``: every board of a game as pictures that stand alone, at each size, in both themes."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.asked import posed
from tutor.core.registry import GAMES, Game, game
from tutor.course.why import Posed
from widgets.board.layers import Heat, Layer, LineOfSight, layers_for
from widgets.pages import gallery
from widgets.pages.gallery import SIZES, THEMES, main, overlays


def test_a_page_shows_every_board_at_each_size_in_both_themes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Game, "positions", lambda self: ["avance"])
    answer = "sl-02-ldv, choisir", game("sherman_leader").position("avance"), (LineOfSight("A3", "C3"),)
    monkeypatch.setattr(gallery, "overlays", lambda game_id: iter([answer]))
    assert main([str(tmp_path), "--game", "sherman_leader"]) == 0
    assert "index.html" in capsys.readouterr().out
    assert 'href="sherman_leader.html"' in (tmp_path / "index.html").read_text("utf-8")
    page = (tmp_path / "sherman_leader.html").read_text("utf-8")
    shown = re.findall(r'<img src="([^"]+)"', page)
    assert len(set(shown)) == 2 * len(SIZES) * len(THEMES)
    assert "sl-02-ldv, choisir" in page
    widths = set()
    for name in shown:
        text = (tmp_path / name).read_text("utf-8")
        assert not re.search(r'(?:href|src)="(?!#|data:)', text)
        widths.add(ElementTree.fromstring(text).get("viewBox"))
    assert len(widths) == len(SIZES)


@pytest.mark.parametrize("game_id", GAMES)
def test_each_kind_of_mark_that_lessons_draw_is_shown_once(game_id: str) -> None:
    shown = list(overlays(game_id))
    assert 5 <= len(shown) <= 20
    kinds = {type(layer) for _, _, layers in shown for layer in layers}
    drawn = {type(layer) for one in posed(game_id) if one.source == "leçon" for layer in layers_of(one)}
    assert kinds == drawn | {Heat}
    states = {layer.state for _, _, layers in shown for layer in layers if isinstance(layer, LineOfSight)}
    assert states == {
        layer.state
        for one in posed(game_id)
        if one.source == "leçon"
        for layer in layers_of(one)
        if isinstance(layer, LineOfSight)
    }


def layers_of(one: Posed) -> tuple[Layer, ...]:
    return layers_for(one.result, one.position)
