"""A lesson played in Debian's firefox-esr, by mouse and by keyboard; run where `LDV_FIREFOX` names one (`make load` does)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.harness import PAINTED, SCENE_SHOWN, Server
from tests.load.firefox import Firefox
from tutor.course.links import Link

LESSON = Link("lesson", "combat_commander", slug="03-ldv-terrain-plat")
#: Board and page in the window, without a scroll; the canvas has been painted.
WHOLE = """(() => {
  const canvas = document.querySelector(".ldv-stage canvas"), root = document.documentElement;
  const box = canvas && canvas.getBoundingClientRect();
  return box && box.width > 100 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
    && root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight
    && [...document.querySelectorAll(".ldv-stage canvas")].some(PAINTED);
})()""".replace("PAINTED", PAINTED)
EYEBROW = "document.querySelector('.ldv-stage-eyebrow').innerText"
SAID = "[...document.querySelectorAll('.ldv-diagnosis')].filter(e => e.checkVisibility()).map(e => e.innerText).join()"
CHOICES = (
    "[...document.querySelectorAll('.ldv-stage .ldv-predict .ldv-choices button:not(.ldv-missed)')]"
    ".filter(e => e.checkVisibility() && !e.disabled)"
)
ONWARD = "document.querySelector('.ldv-stage-onward')"
ANSWERED = f"/^Juste|La réponse/.test({SAID})"

pytestmark = pytest.mark.skipif(not os.environ.get("LDV_FIREFOX"), reason="LDV_FIREFOX names no Firefox")


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    """A Firefox for one test; its console must stay empty."""
    running = Firefox(os.environ["LDV_FIREFOX"], tmp_path)
    yield running
    running.close()
    assert running.errors == []


def play(firefox: Firefox, press: Callable[[str], None]) -> list[str]:
    """Play the lesson to its end, wrongly first wherever that can be; the names of its scenes.

    Args:
        press: presses a button, given by an expression.
    """
    seen, missed = [], 0
    while True:
        firefox.until(WHOLE)
        seen.append(str(firefox.see(EYEBROW)))
        while firefox.see(f"{CHOICES}.length") and not firefox.see(ANSWERED):
            before = firefox.see(SAID)
            press(f"{CHOICES}[0]")
            said = firefox.until(f"{SAID} !== {json.dumps(before)} && {SAID}")
            missed += str(said).startswith("Pas encore")
            firefox.until(WHOLE)
        if not firefox.see(f"{ONWARD}.checkVisibility()"):
            break
        press(ONWARD)
        firefox.until(SCENE_SHOWN)
    assert missed
    return seen


def by_keyboard(firefox: Firefox, element: str) -> None:
    """Walk with Tab to a button, as someone without a mouse does, and press Enter."""
    for _ in range(120):
        if firefox.see(f"document.activeElement === {element}"):
            firefox.press("Enter")
            return
        firefox.press("Tab")
    raise AssertionError(f"Tab never comes to {element}")


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_lesson_is_played_in_firefox(firefox: Firefox, serve: Callable[..., Server], way: str) -> None:
    firefox.open(serve().url + LESSON.url)
    firefox.until(f"{CHOICES}.length")
    press = firefox.click if way == "mouse" else lambda element: by_keyboard(firefox, element)
    seen = play(firefox, press)
    assert len(seen) >= int(firefox.see("document.querySelectorAll('.ldv-scenes a').length"))
    assert firefox.see("document.querySelector('.ldv-remember').checkVisibility()")
