"""A mini-scenario in a real browser: played to its end, board and decision in the window at every step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import PHONE
from tests.browser.test_stage import DESKTOP, whole
from tutor.course.links import Link

SCENARIO = Link("scenario", "combat_commander", slug="tenir-la-lisiere", dice="AAAA")


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_a_whole_scenario_is_played_after_a_refused_order(opened: Callable[..., Page], screen: dict[str, Any]) -> None:
    page = opened(SCENARIO.url, **screen)
    onward, eyebrow = page.locator(".ldv-stage-onward"), page.locator(".ldv-stage-eyebrow")
    choices = page.locator(".ldv-scenario-picks button")

    def order(*labels: str) -> None:
        for label in labels:
            choices.filter(has_text=label).first.click()
        expect(onward).to_contain_text("Ordonner")
        whole(page)
        onward.click()

    expect(onward).to_be_disabled()
    order("Servants", "E4")
    said = page.locator(".ldv-stage .ldv-diagnosis")
    expect(said).to_contain_text("3.1.2")
    for number, target in enumerate(["Ouvriers", "Ouvriers", "Milice", "Milice", "Tirailleurs", "Tirailleurs"], 1):
        expect(eyebrow).to_have_text(f"Décision {number} sur 6")
        choices.filter(has_text="MG Lourde").first.click()
        expect(page.locator(".ldv-scenario-picks .ldv-label")).to_be_visible()
        expect(onward).to_contain_text("Choisissez")  # what was refused before is not chosen any more
        choices.filter(has_text=target).first.click()
        expect(onward).to_contain_text("Ordonner")
        onward.click()
        expect(page.locator(".ldv-dice-shown .ldv-die").first).to_be_visible()
        expect(said).to_contain_text("sur 3")
        whole(page)
        onward.click()
        expect(eyebrow).to_contain_text("leur réponse")
        whole(page)
        onward.click()
    expect(page.locator(".ldv-scenario-end")).to_contain_text("Vos décisions")
    whole(page)
    page.get_by_role("button", name="Rejouer").click()
    expect(eyebrow).to_have_text("Décision 1 sur 6")
