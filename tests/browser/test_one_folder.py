"""A game of another folder, named by `LDV_GAMES` alone, in a real browser: in confined kernels, on pages as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.harness import ROOT, Visit, start_server
from tutor.course.links import Link

TOY = "escarmouche"


def test_a_game_of_another_folder_is_on_the_home_page_in_its_lesson_and_on_the_free_board(
    tmp_path: Path, visit: Callable[..., Visit]
) -> None:
    games = {"LDV_GAMES": str(ROOT / "tests" / "toy")}  # read as the code is imported
    running = start_server(tmp_path / "server.log", notebooks=ROOT / "notebooks", env=games, alone=True)
    try:
        made = visit(running.url)
        page = made.new_page()
        page.goto(running.url + Link(game=TOY).url)
        page.wait_for_selector("html[data-ready=true]")
        expect(page.get_by_role("heading", name="Escarmouche", level=1)).to_be_visible()
        expect(page.get_by_title(re.compile("Une ligne droite, un dé."))).to_be_visible()
        expect(page.locator(".ldv-cover", has_text="Escarmouche")).to_contain_text(re.compile(r"1\sleçon,"))
        page.goto(running.url + Link(game=TOY, rule="3.1").url)
        page.wait_for_selector("html[data-ready=true]")
        expect(page.get_by_text("Dans un bois, il faut un de plus.").first).to_be_visible()
        page.goto(running.url + Link("lesson", TOY, slug="01-voir-et-tirer").url)
        page.wait_for_selector("html[data-ready=true]")
        expect(page.get_by_text("voit Bleu à découvert").first).to_be_visible()
        expect(page.locator("canvas.ldv-canvas").first).to_be_visible()
        page.goto(running.url + Link("sandbox", TOY).url)
        page.wait_for_selector("html[data-ready=true]")
        expect(page.locator(".ldv-game select")).to_have_value("Escarmouche")
        expect(page.locator("canvas.ldv-canvas").first).to_be_visible()
        made.context.close()  # a page whose server goes first says so in its console
    finally:
        running.stop()
