"""Parts of a page made once the page was sent: empty at first on our server, then filled; a broken one says so."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import ipywidgets as ipw
import pytest
from ipykernel.kernelbase import Kernel

from tests.own_loop import in_own_loop
from widgets.host.course_page import CoursePage
from widgets.host.deferred import Later, unheard

#: What a reader's kernel needs once its page is there, and not before.
HEAVY = ("ipycanvas", "pydantic", "tutor.core.position", "widgets.player.lesson")


def broken() -> ipw.Widget:
    raise ValueError("tables illisibles")


def test_the_style_is_that_of_the_place_where_the_page_is_made_not_of_where_it_was_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "--ldv-paper:" in CoursePage().get_state()["_css"]  # JupyterLab has no template of ours
    monkeypatch.setenv("VOILA_APP_PORT", "1")
    assert ".ldv-picks" in CoursePage().get_state()["_css"]
    assert "--ldv-paper:" not in CoursePage().get_state()["_css"]  # our template has the colours already


def test_on_our_server_places_are_filled_after_the_last_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOILA_APP_PORT", "1")
    page, made = Later(), ipw.HTML("Le plateau")

    async def cells() -> list[tuple[ipw.Widget, ...]]:
        place = page.place(lambda: made)
        seen = [place.children]
        page.fill_soon()
        seen.append(place.children)
        while not place.children:
            await asyncio.sleep(0)
        return [*seen, place.children]

    assert in_own_loop(cells()) == [(), (), (made,)]


def test_what_is_made_after_the_page_left_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Session:
        def send(self, _stream: object, kind: str, *_: object, **__: object) -> None:
            said.append(kind)

    kernel = type("OneKernel", (), {"session": Session()})()
    monkeypatch.setattr(Kernel, "initialized", lambda: True)
    monkeypatch.setattr(Kernel, "instance", lambda: kernel)
    with unheard():
        for kind in ("comm_open", "status", "comm_msg"):
            kernel.session.send(None, kind, {})
    kernel.session.send(None, "comm_open", {})
    assert said == ["status", "comm_open"]


def test_a_part_that_cannot_be_made_says_so_and_the_others_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOILA_APP_PORT", "1")
    page = Later()
    places = [page.place(broken), page.place(lambda: ipw.HTML("Les exercices"))]
    page.fill()
    assert "n’a pas pu être construite" in places[0].children[0].value
    assert places[1].children[0].value == "Les exercices"


def test_elsewhere_a_cell_that_fails_fails() -> None:
    with pytest.raises(ValueError, match="tables illisibles"):
        Later().place(broken)


def test_a_notebook_s_first_cell_loads_no_board() -> None:
    code = f"import sys, widgets.pages.lesson; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
