"""A class in browsers: its teacher, those who join, and what is sent to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import Server, Visit
from tutor.course.links import Link

LESSON = Link("lesson", "combat_commander", slug="03-ldv-terrain-plat")


class Class:
    """A server with its teacher, and those who join.

    Args:
        server: of the course; key: the teacher's; visit: makes browsers.
    """

    def __init__(self, server: Server, key: str, visit: Callable[..., Visit]) -> None:
        self.server, self.key, self._visit = server, key, visit
        self.code = ""

    def page(self, url: str, **options: Any) -> Page:
        """A page of a browser of its own."""
        page = self._visit(self.server.url, **options).new_page()
        self.go(page, url)
        return page

    def go(self, page: Page, url: str) -> None:
        page.goto(self.server.url + url)
        page.wait_for_selector("html[data-ready=true]")

    def teacher(self, title: str = "Mardi") -> Page:
        """The teacher, with a session just opened."""
        page = self.page(Link("teacher").url)
        page.get_by_label("Clé d’enseignant").fill(self.key)
        page.get_by_role("button", name="Entrer").click()
        page.get_by_label("Titre").fill(title)
        page.get_by_role("button", name="Ouvrir une séance").click()
        code = page.locator(".ldv-bigcode")
        expect(code).to_have_text(re.compile(r"^[0-9A-Z]{6}$"))
        self.code = code.inner_text()
        return page

    def arrive(self, nickname: str, **options: Any) -> Page:
        """A learner on the home page, who has pressed the button."""
        page = self.page(Link(classroom=self.code).url, **options)
        expect(page.get_by_label("Code de la séance")).to_have_value(self.code)
        page.get_by_label("Votre pseudonyme").fill(nickname)
        page.get_by_role("button", name="Rejoindre").click()
        return page

    def learner(self, nickname: str, **options: Any) -> Page:
        """A learner in the class."""
        page = self.arrive(nickname, **options)
        here(page)
        return page


def here(page: Page) -> None:
    """Wait until a learner's page is in the class."""
    page.wait_for_url("**/classe.ipynb")
    expect(page.locator(".ldv-classbar")).to_be_visible()


def choose(page: Page, form: str, lesson: str = "", item: str = "") -> None:
    """Prepare something to send."""
    page.get_by_role("button", name=form, exact=True).click()
    if lesson:
        page.get_by_label("Leçon", exact=True).select_option(label=lesson)
    if item:
        page.get_by_label(re.compile("^(Exercice|Exemple)$")).select_option(label=item)


def send(page: Page) -> None:
    page.get_by_role("button", name="Envoyer à tous").click()


def question(page: Page) -> Locator:
    return page.locator(".ldv-live .ldv-question").first


def bar(page: Page, answer: str) -> Locator:
    """The line of an answer in a distribution."""
    return page.locator(".ldv-bars li", has_text=answer).first
