"""One lesson of each rulebook in a real browser: its board, its question, its verdict, an exercise; desktop and phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import PAINTED, PHONE, until
from tutor.course.links import Link

#: A word with hyphens, which no end of line cuts in an answer either.
HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
#: Rulebook, lesson, and the screen it is read on.
READINGS: list[tuple[str, str, dict[str, Any]]] = [
    ("asl_sk", "03-genes-et-fumee", {}),
    ("tcs", "02-ldv-de-profil", PHONE),
    ("sherman_leader", "02-ligne-de-vue", {}),
    ("heroes_of_normandie", "03-position-dominante", PHONE),
]


@pytest.mark.parametrize(("game_id", "slug", "screen"), READINGS, ids=[game_id for game_id, *_ in READINGS])
def test_a_lesson_is_read_to_its_exercises(
    game_id: str, slug: str, screen: dict[str, Any], opened: Callable[..., Page]
) -> None:
    page = opened(Link("lesson", game_id, slug=slug).url, **screen)
    board = page.locator("canvas.ldv-canvas").first
    board.scroll_into_view_if_needed()
    until(
        page,
        PAINTED,
        arg=board.element_handle(),
    )
    asked = page.locator(".ldv-predict").first
    for word in HYPHENED.findall(" ".join(answers := asked.locator(".ldv-choices button").all_inner_texts())):
        expect(asked.locator(".ldv-choices .ldv-whole").get_by_text(word, exact=True)).to_be_visible()
    for answer in answers:  # what it is called is left as it was
        expect(asked.get_by_role("button", name=answer, exact=True)).to_be_visible()
    asked.locator(".ldv-choices button").first.click()
    expect(asked.locator(".ldv-diagnosis")).to_be_visible()
    if "Essayez encore" in asked.locator(".ldv-diagnosis").inner_text():  # whatever the second is, it ends the question
        asked.locator(".ldv-choices button").nth(1).click()
    expect(page.locator(".ldv-step").first).to_be_attached()
    page.get_by_role("link", name=re.compile("Exercices")).click()
    hint = page.get_by_role("button", name="Un indice")
    hint.click()
    expect(page.locator(".ldv-hint")).to_contain_text(re.compile("Indice"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


#: Whether an article's board is whole below the header that stays, with no empty place round it.
BELOW_HEADER = """(() => {
  const [header, around, map] = [".ldv-header", ".ldv-article .ldv-board-window", ".ldv-article canvas"].map(
    one => document.querySelector(one).getBoundingClientRect());
  return map.top >= header.bottom && map.bottom < innerHeight && around.height - map.height < 24;
})()"""


def test_a_card_is_found_in_two_taps_and_left_by_going_back(opened: Callable[..., Page]) -> None:
    page = opened(Link("articles", "combat_commander").url, **PHONE)
    page.get_by_role("link", name=re.compile("^Actions")).click()
    page.get_by_role("link", name=re.compile("A35.2")).click()
    expect(page.locator("[id='article-A35.2']")).to_be_focused()
    for part in (".ldv-question", "canvas.ldv-canvas"):  # on arrival
        expect(page.locator(f".ldv-article {part}")).to_be_in_viewport(ratio=0.99)
    page.get_by_role("button", name=re.compile("^Non, on ne mine pas")).click()
    for part in (".ldv-question", ".ldv-diagnosis", "canvas.ldv-canvas"):
        expect(page.locator(f".ldv-article {part}")).to_be_in_viewport(ratio=0.99)
    page.get_by_role("button", name=re.compile("^Oui")).click()
    page.get_by_role("button", name="Voir l’effet").click()
    expect(page.get_by_role("button", name="Revenir avant")).to_be_visible()
    expect(page.locator("canvas.ldv-canvas")).to_have_count(1)
    page.set_viewport_size({"width": 900, "height": 720})
    page.locator(".ldv-diagnosis").evaluate(
        "reply => scrollBy(0, reply.getBoundingClientRect().bottom - innerHeight + 8)"
    )
    until(page, BELOW_HEADER)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("link", name="Article suivant A35.3").first.click()
    expect(page.locator("[id='article-A35.3']")).to_be_focused()
    expect(page.locator("canvas.ldv-canvas")).to_have_count(1)
    for part in ("h2", ".ldv-question", ".ldv-choices", "canvas.ldv-canvas"):  # beside each other
        expect(page.locator(f".ldv-article {part}").first).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size(PHONE["viewport"])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.go_back()
    expect(page.locator("[id='article-A35.2']")).to_be_focused()
    page.go_back()
    expect(page.locator("[id='lien-A35.2']")).to_be_focused()
