"""« Éditeur »: the position editor; the reader may choose another game."""

from __future__ import annotations

import ipywidgets as ipw

from tutor.core.registry import GAMES
from widgets.editor.page import EditorPage
from widgets.pages.opening import opened


def editor(game_id: str = next(iter(GAMES))) -> ipw.Widget:
    """The page."""
    return opened(lambda page: EditorPage(page, game_id).widget)
