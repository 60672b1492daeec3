"""A complete turn in a real browser: played to its end, wrongly at first, board and question in the window at every
event; gone about by keys, by links, after a reload.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import PHONE
from tests.browser.test_stage import DESKTOP, whole
from tutor.course.links import Link

TURN = Link("lesson", "combat_commander", slug="19-un-tour-complet")
#: What is tried at each event, by its title; the first ones are wrong where there are several.
TRIED = {
    "Ordre Tir": ["Les Fusiliers et les Pionniers", "La MG et ses Servants"],
    "Ordre Mouvement": ["C2 puis D2, à découvert"],
    "Tir d’Opportunité": ["Krylov se joint", "Ils tirent sur C2"],
    "Jet de Défense": ["Rien ne leur arrive", "Ils passent en Suppression"],
    "Ordre Récupération": ["Rien ne change", "Elle se rallie"],
    "Mêlée": ["Krylov"],
}


def at_event(page: Page, number: int) -> None:
    """Wait until an event is on screen, its turn and phase marked on the track, and that in sight."""
    here = page.locator(".ldv-track [aria-current=step]")
    expect(here).to_have_attribute("title", re.compile(rf"^{number}\. "))
    expect(here).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".ldv-track-phase[aria-current]")).to_have_count(1)


def asked(page: Page) -> Locator:
    """The question on screen."""
    return page.locator(".ldv-stage-body .ldv-predict:visible")


def tried(page: Page, label: str) -> str:
    """Press a choice; what is said of it comes into sight, the board stays whole."""
    said = asked(page).locator(".ldv-diagnosis")
    before = said.inner_text() if said.count() else ""
    asked(page).get_by_role("button", name=label).click()
    expect(said).not_to_have_text(before, use_inner_text=True)
    expect(said).to_be_in_viewport(ratio=0.6)
    whole(page)
    return said.inner_text()


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_a_whole_turn_is_played_wrongly_at_first(opened: Callable[..., Page], screen: dict[str, Any]) -> None:
    page = opened(TURN.url, **screen)
    onward, title = page.locator(".ldv-stage-onward"), page.locator(".ldv-replay-title")
    for number in range(1, 14):
        at_event(page, number)
        expect(title).to_be_in_viewport()
        whole(page)
        if asked(page).count():
            expect(asked(page).locator(".ldv-question")).to_be_in_viewport()
            expect(page.locator(".ldv-stage-body .ldv-step")).to_have_count(0)
            wanted = TRIED.get(title.inner_text(), asked(page).get_by_role("button").all_inner_texts())
            replies = []
            while not replies or not re.search("^Juste|La réponse", replies[-1]):
                replies.append(tried(page, wanted[len(replies)]))
            assert title.inner_text() not in TRIED or len(replies) == len(wanted)
        expect(onward).to_have_text("Continuer")
        if title.inner_text() == "Ordre Tir":
            assert "O20.3.1" in replies[0]  # the rule that the reader forgot
            assert "second essai" in replies[1]
            expect(page.locator(".ldv-dice-thrown")).to_have_count(2)
            expect(page.get_by_role("img", name="dés : blanc 4 et rouge 4")).to_be_visible()
            expect(page.locator(".ldv-replay-changes")).to_contain_text("Milice")
            expect(page.locator(".ldv-stage-body .ldv-step").first).to_be_attached()
        if title.inner_text() == "Tir d’Opportunité":
            assert "La réponse" in replies[1]  # after two, the first that is allowed is played
            expect(page.locator(".ldv-track [aria-current]").last).to_have_attribute("data-mark", "half")
        onward.click()
    expect(page.locator(".ldv-remember")).to_be_visible()
    expect(page.locator(".ldv-end")).to_contain_text("à revoir")
    whole(page)


def test_any_event_is_reached_by_key_and_by_link_and_kept_after_a_reload(opened: Callable[..., Page]) -> None:
    page = opened(TURN.url, **DESKTOP)
    at_event(page, 1)
    asked(page).get_by_role("button", name="La MG, seule").click()
    expect(page.locator(".ldv-replay-changes")).to_contain_text("suppression")
    here = page.locator(".ldv-track [aria-current=step]")
    here.focus()
    page.keyboard.press("End")
    at_event(page, 13)
    expect(here).to_be_focused()
    page.keyboard.press("Home")
    at_event(page, 1)
    page.keyboard.press("ArrowRight")
    at_event(page, 2)
    expect(asked(page).locator(".ldv-diagnosis")).to_have_count(0)  # passing by an event gives nothing away
    page.locator(".ldv-track a").nth(4).click()
    at_event(page, 5)
    expect(page).to_have_url(re.compile("etape=5-b"))
    page.reload()
    at_event(page, 5)
    page.locator(".ldv-track a").first.click()
    at_event(page, 1)
    expect(asked(page).locator(".ldv-right")).to_have_text("La MG, seule")
    expect(page.locator(".ldv-track a").first).to_have_attribute("data-mark", "done")


def test_a_link_opens_an_event_with_its_decisions_on_both_pages(opened: Callable[..., Page]) -> None:
    for view in ("", "tout"):
        page = opened(replace(TURN, stage="12-aaaaaab", view=view).url, **DESKTOP)
        shown = page.locator(".ldv-replay" if view else ".ldv-stage")
        expect(shown.locator(".ldv-replay-title")).to_have_text("Mêlée")
        expect(shown.locator(".ldv-step").first).to_be_attached()
        expect(shown.locator(".ldv-twin li").filter(has_text="D4")).to_contain_text("Pionniers")
        if not view:
            page.get_by_role("button", name="Choisir autrement").click()
        page.get_by_role("button", name="Krylov", exact=True).click()
        expect(shown.locator(".ldv-twin li").filter(has_text="D4 :")).to_have_count(0)
