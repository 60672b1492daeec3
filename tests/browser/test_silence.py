"""Nothing said is lost in silence, as teacher and learners see it: outages, boards that are led, tabs, readers gone."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classes import LESSON, Class, choose, here, question, send
from tests.browser.harness import ROOT, Server, Visit, until
from tests.browser.proxy import Proxy
from tests.browser.test_link import NETWORK
from tests.store.harness import teacher_key
from tests.store.test_silence import READ_ONLY
from tutor.course.links import Link
from tutor.store import database

#: How far down a page is.
TOP = "Math.max(document.getElementById('rendered_cells').scrollTop, scrollY)"
BUSY = "La base de données est occupée."


def choice(teacher: Page, text: str) -> None:
    """Send a question of the teacher's own, to which one answers « Oui » or « Non »."""
    choose(teacher, "Votre question")
    teacher.get_by_placeholder("Votre question, ou un mot").fill(text)
    teacher.get_by_placeholder("Une réponse par ligne").fill("Oui\nNon")
    send(teacher)


def test_an_outage_is_shown_to_all_and_loses_no_answer(room: Class) -> None:
    teacher = room.teacher()
    learner = room.learner("Ana")
    choice(teacher, "Une ?")
    expect(question(learner)).to_have_text("Une ?")
    other = sqlite3.connect(room.server.data / database.FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    learner.get_by_role("button", name="Oui", exact=True).click()
    expect(learner.locator(".ldv-diagnosis")).to_contain_text("Votre réponse attend")
    outage = teacher.locator(".ldv-outage")
    expect(outage).to_contain_text(BUSY)
    choice(teacher, "Deux ?")
    other.execute("ROLLBACK")
    other.close()
    expect(question(learner)).to_have_text("Deux ?")
    expect(outage).to_have_count(0)
    with teacher.expect_download() as made:
        teacher.get_by_role("button", name="Résultats (CSV)").click()
    lines = Path(made.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert [line for line in lines if line.startswith("1.") and ";Oui;" in line], lines


def test_a_question_sent_while_a_board_is_led_is_seen_by_all(room: Class) -> None:
    teacher = room.teacher()
    learner = room.learner("Ana")
    choose(teacher, "Un exemple", "3. La ligne de vue sur terrain plat")
    teacher.get_by_role("button", name="Prendre le plateau").click()
    expect(learner.locator(".ldv-live canvas").first).to_be_visible()
    now = teacher.locator(".ldv-card", has_text="À l’écran de tous")
    expect(now).to_contain_text("Le plateau que vous menez")
    choice(teacher, "Qui voit ?")
    expect(question(learner)).to_have_text("Qui voit ?")
    expect(now).to_contain_text("Qui voit ?")
    expect(now).not_to_contain_text("Le plateau que vous menez")
    expect(teacher.get_by_role("button", name="Prendre le plateau")).to_be_visible()


def test_a_second_tab_is_the_same_learner(room: Class) -> None:
    teacher = room.teacher()
    learner = room.learner("Ana")
    second = learner.context.new_page()
    room.go(second, Link("class").url)  # typed in another tab: nothing is handed over by the browser
    expect(second.locator(".ldv-classbar")).to_contain_text("Ana")
    choice(teacher, "Une ?")
    for page in (learner, second):
        expect(question(page)).to_have_text("Une ?")
        page.get_by_role("button", name="Oui", exact=True).click()
        expect(page.get_by_text("Réponse notée")).to_be_visible()
    expect(teacher.locator(".ldv-people li")).to_have_count(1)
    expect(teacher.locator(".ldv-side")).to_contain_text("1 réponse sur 1")
    second.get_by_role("button", name="Quitter la séance").click()
    expect(second.get_by_label("Code de la séance")).to_be_visible()
    second.reload()
    expect(second.get_by_label("Code de la séance")).to_be_visible()  # it has left, whatever the other tab knows
    second.close()
    expect(teacher.locator(".ldv-people li[data-online=true]")).to_have_count(1)


def test_a_learner_who_is_gone_is_shown_as_gone(room: Class, visit: Callable[..., Visit]) -> None:
    teacher = room.teacher()
    proxy = Proxy(int(room.server.url.rpartition(":")[2]))
    try:
        cut = visit(proxy.url)
        cut.expected += NETWORK
        page = cut.new_page()
        page.goto(proxy.url + Link(classroom=room.code).url)
        page.get_by_label("Votre pseudonyme").fill("Ana")
        page.get_by_role("button", name="Rejoindre").click()
        here(page)
        closing = room.learner("Bruno")
        there = teacher.locator(".ldv-people li[data-online=true]")
        expect(there).to_have_count(2)
        closing.close()
        expect(there).to_have_count(1)
        proxy.silence()
        expect(there).to_have_count(0)
        expect(teacher.locator(".ldv-people li", has_text="Ana")).to_contain_text("parti")
        proxy.restore()
        expect(there).to_have_count(1)
    finally:
        proxy.close()


def test_a_key_entered_while_the_database_is_away_waits_with_a_word(
    own_server: Callable[..., Server], tmp_path: Path, visit: Callable[..., Visit]
) -> None:
    folder, aside = tmp_path / "base", tmp_path / "ailleurs"
    key = teacher_key({"LDV_DATA": str(folder)})
    folder.rename(aside)
    folder.write_text("un fichier, pas un dossier", encoding="utf-8")
    server = own_server(notebooks=ROOT / "notebooks", LDV_DATA=str(folder))
    page = visit(server.url).new_page()
    page.goto(server.url + Link("teacher").url)
    page.get_by_label("Clé d’enseignant").fill(key)
    page.get_by_role("button", name="Entrer").click()
    expect(page.get_by_text("Votre clé sera présentée dès qu’elle répondra")).to_be_visible()
    folder.unlink()
    aside.rename(folder)
    expect(page.get_by_role("button", name="Ouvrir une séance")).to_be_visible()


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="a folder that nobody may write, root included")
def test_a_read_only_folder_is_said_to_the_operator_and_to_the_learner(
    own_server: Callable[..., Server], visit: Callable[..., Visit]
) -> None:
    server = own_server(notebooks=ROOT / "notebooks", LDV_DATA="/sys/ligne-de-vue")
    seen = server.wait_for(lambda health: health["store"]["fault"] != "")
    assert seen["store"] == {"ready": False, "kernels": 0, "fault": READ_ONLY}
    page = visit(server.url).new_page()
    page.goto(server.url + replace(LESSON, scene="exercices").url)
    page.locator(".ldv-exercise").get_by_role("button", name="Oui", exact=True).click()
    notice = page.locator("#ldv-kept")
    expect(notice).to_contain_text("Pas gardé pour l’instant")
    expect(notice).to_be_in_viewport()


def test_an_idle_page_gives_its_place_back_and_comes_back_where_it_was(
    own_server: Callable[..., Server], visit: Callable[..., Visit]
) -> None:
    server = own_server(notebooks=ROOT / "notebooks", LDV_REST="30")
    reader = visit(server.url)
    reader.expected += ["status of 404", "Kernel", "kernel"]
    page = reader.new_page()
    page.goto(server.url + replace(LESSON, view="tout").url)
    page.wait_for_selector("html[data-ready=true]")
    page.wait_for_selector(".ldv-remember")
    page.get_by_label("Terrain en E3").first.select_option(label="Dégagé")
    until(page, "window.ldvState && window.ldvState.link")
    page.get_by_label("Terrain en E3").first.scroll_into_view_if_needed()
    page.mouse.move(300, 500)
    page.mouse.wheel(0, 300)
    until(page, f"{TOP} > 0")
    banner = page.locator("#ldv-banner")
    expect(banner).to_contain_text("s’est mise en repos")
    assert server.wait_for(lambda seen: seen["kernels"] == 0)["readers"] == 0
    place = page.evaluate(TOP)  # what grows may have moved it
    above = banner.evaluate("banner => banner.offsetHeight")  # which it moved, too
    assert place > above
    banner.get_by_role("button", name="Reprendre").click()
    expect(page).to_have_url(re.compile(re.escape(LESSON.url)))
    expect(page.get_by_label("Terrain en E3").first.locator("option:checked")).to_have_text("Dégagé")
    until(page, f"([top, above]) => Math.abs({TOP} - top) <= above + 2", arg=[place, above])
