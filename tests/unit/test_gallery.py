"""``ldv gallery``: every board of a game as pictures that stand alone, at each size, in both themes."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tutor.core.registry import Game
from widgets.pages.gallery import SIZES, THEMES, main


def test_a_page_shows_every_board_at_each_size_in_both_themes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Game, "positions", lambda self: ["avance"])
    assert main([str(tmp_path), "--game", "sherman_leader"]) == 0
    assert "index.html" in capsys.readouterr().out
    assert 'href="sherman_leader.html"' in (tmp_path / "index.html").read_text("utf-8")
    page = (tmp_path / "sherman_leader.html").read_text("utf-8")
    shown = re.findall(r'<img src="([^"]+)"', page)
    assert len(set(shown)) == len(SIZES) * len(THEMES)
    widths = set()
    for name in shown:
        text = (tmp_path / name).read_text("utf-8")
        assert not re.search(r'(?:href|src)="(?!#|data:)', text)
        widths.add(ElementTree.fromstring(text).get("viewBox"))
    assert len(widths) == len(SIZES)
