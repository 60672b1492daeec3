"""A lesson printed by Chromium: the worksheet, its boards, and no answer before the last pages."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Error, Page
from pypdf import PdfReader

from tests.browser.harness import PATIENCE
from tutor.core.registry import GAMES
from tutor.course.lessons import exercises_of, lessons
from tutor.course.links import Link


def words(text: str) -> str:
    """A text with ordinary spaces alone."""
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_lesson_prints_as_a_worksheet(opened: Callable[..., Page], game_id: str) -> None:
    lesson = lessons(game_id)[2]
    page = opened(replace(Link("lesson", game_id, slug=lesson.slug), view="tout").url)
    page.locator(".ldv-worksheet").wait_for(state="attached")
    pages = [words(one.extract_text()) for one in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]
    first = next(number for number, text in enumerate(pages) if text.lstrip().startswith("Réponses"))
    asked, answered = " ".join(pages[:first]), " ".join(pages[first:])
    numbers = page.locator(".ldv-worksheet > .ldv-sheet-item strong").all_text_contents()
    for question in numbers:
        assert words(question)[:24] in asked
    for answer in page.locator(".ldv-sheet-answers strong").all_text_contents():
        if re.match(r"\d+\. ", answer):
            assert words(answer)[:24] in answered
            assert words(answer)[:24] not in asked
    assert all(len(text.strip()) > 20 for text in pages)  # no empty page
    assert len(exercises_of(game_id, lesson)) <= len(numbers)
    for left in ("Vérifier", "Un indice", "Réinitialiser", "Montrer", "Passer"):
        assert left not in asked.split()


def test_the_stage_says_where_its_lesson_is_printed(opened: Callable[..., Page]) -> None:
    page = opened(Link("lesson", "combat_commander", slug="03-ldv-terrain-plat").url)
    page.locator(".ldv-choices button").first.wait_for()
    text = words(PdfReader(io.BytesIO(page.pdf(format="A4"))).pages[0].extract_text())
    assert "Les Fusiliers voient-ils Krylov" in text
    assert "imprimez la page « Tout voir »" in text


def test_boards_are_light_on_paper_whatever_the_theme(opened: Callable[..., Page]) -> None:
    page = opened(Link("sandbox", "combat_commander").url, color_scheme="dark")
    board = page.locator(".ldv-board-window").first

    def wait_for(fits: Callable[[float], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(Error):  # the board may come again while it is looked at
                picture = Image.open(io.BytesIO(board.screenshot())).convert("L")
                if fits(ImageStat.Stat(picture).mean[0]):
                    return
            assert time.monotonic() < end
            page.wait_for_timeout(100)

    wait_for(lambda brightness: 30 < brightness < 110)
    page.emulate_media(media="print", color_scheme="dark")
    wait_for(lambda brightness: brightness > 130)
