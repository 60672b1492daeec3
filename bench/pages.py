"""The course and two bare pages behind one server, and a browser that reads them: only the notebook differs."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.harness import (
    BROWSER_FLAGS,
    DESKTOP,
    ROOT,
    SCENE_SHOWN,
    UNASKED,
    Server,
    measured,
    start_server,
    until,
)
from tutor.core.registry import GAMES

BARE = Path(__file__).resolve().parent / "notebooks"
#: Folder of the bare pages beside the course.
WITNESS = "temoin"
RECTANGLE, SLIDER = f"{WITNESS}/rectangle.ipynb", f"{WITNESS}/curseur.ipynb"
LESSONS = next(iter(GAMES))
SIGHT, GROUPS = f"{LESSONS}/03-ldv-terrain-plat.ipynb", f"{LESSONS}/06-groupes-de-tir.ipynb"
#: A page that is left says so; a context that closes at once takes its word with it.
FAREWELL_MS = 250
READY = "html[data-ready=true]"


@contextmanager
def served(pool: str = "0", **more: str) -> Iterator[Server]:
    """A server of the course with the bare pages in a folder of their own.

    Args:
        pool: value of `LDV_POOL`; more: of its environment.
    """
    with tempfile.TemporaryDirectory(prefix="ldv-bench-") as place:
        notebooks = Path(place) / "notebooks"
        shutil.copytree(ROOT / "notebooks", notebooks, ignore=shutil.ignore_patterns(".*"))
        shutil.copytree(BARE, notebooks / WITNESS)
        server = start_server(
            Path(place) / "server.log",
            notebooks=notebooks,
            env={**dict.fromkeys(UNASKED, ""), "LDV_POOL": pool, **measured(), **more},
        )
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser: the one named by LDV_CHROMIUM, else one of the machine."""
    names = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    path = os.environ.get("LDV_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def reading(browser: Browser, server: Server, notebook: str = "", script: str = "") -> Iterator[Page]:
    """A page in a browser context of its own, with an empty cache; at a notebook once its widgets are there.

    Args:
        browser: what reads.
        server: what serves.
        notebook: path; nothing is opened when empty.
        script: run in the page before anything of it.
    """
    # Our policy forbids the eval with which Playwright's `wait_for_function` looks at every frame, as measures need.
    context = browser.new_context(locale="fr-FR", bypass_csp=True, **DESKTOP)
    try:
        page = context.new_page()
        page.set_default_timeout(30_000)
        if script:
            page.add_init_script(script)
        if notebook:
            page.goto(address(server, notebook))
            page.wait_for_selector(READY)
        yield page
        page.goto("about:blank")  # a page that is left frees its kernel; a context that is closed may not
        page.wait_for_timeout(FAREWELL_MS)
    finally:
        context.close()


def settle(server: Server, waiting: int = 0, seconds: float = 60.0, kept: int = 0) -> None:
    """Wait until the readers' kernels have gone, and the pre-heated ones have nothing left to do.

    Args:
        server: what is asked.
        waiting: how many kernels are pre-heated.
        seconds: at most so long.
        kept: kernels of readers who stay.
    """
    server.wait_for(lambda seen: seen["preheated"] >= waiting and seen["kernels"] <= waiting + kept, seconds)
    end, before = time.monotonic() + seconds, -1.0
    while (spent := sum(sum(kernel.cpu_times()[:2]) for kernel in server.kernels().values())) > before + 0.02:
        assert time.monotonic() < end, "les noyaux préchauffés ne se calment pas"
        before = spent
        time.sleep(0.5)


def answered(page: Page) -> None:
    """Answer the question of the scene that is shown, until its answer is known: its board is then free."""
    page.wait_for_selector(".ldv-stage canvas.ldv-canvas")
    asked = page.locator(".ldv-stage .ldv-predict:visible")
    if not asked.count():
        return
    said = asked.locator(".ldv-diagnosis")
    for button in asked.locator(".ldv-choices button").all():
        if button.is_disabled():
            continue
        before = said.inner_text() if said.is_visible() else ""
        button.click()
        expect(said).not_to_have_text(before, use_inner_text=True)  # as it was read
        if said.get_attribute("data-right") == "true" or "La réponse" in said.inner_text():
            break
    page.wait_for_selector(".ldv-stage .ldv-predict .ldv-diagnosis[data-proved=true]")


def gone_on(page: Page) -> bool:
    """Go to the next question or scene of a lesson, and wait until it is there; False at the last one."""
    onward = page.locator(".ldv-stage-onward")
    if not onward.is_visible():
        return False
    onward.click()
    until(page, SCENE_SHOWN)
    return True


def address(server: Server, notebook: str) -> str:
    """Where a notebook is served."""
    return f"{server.url}/voila/render/{notebook}"


def lessons() -> list[str]:
    """Paths of the lessons made of scenes; a replayed turn has another rhythm."""
    paths = sorted((ROOT / "notebooks" / LESSONS).glob("*.ipynb"))
    return [f"{LESSONS}/{path.name}" for path in paths if "page.examples()" in path.read_text("utf-8")]
