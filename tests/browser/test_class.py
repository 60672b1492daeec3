"""A class in real browsers, the whole of it on PostgreSQL, its parts on SQLite: one teacher, five learners at once, from the code to the erasure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classes import LESSON, Class, bar, choose, here, question, send
from tests.browser.harness import PHONE, ROOT, Server, Visit, start_server, until
from tests.store.conftest import on_postgres, postgres  # noqa: F401 - fixtures
from tests.store.harness import CODE, done, teacher_key, write
from tutor.course.links import Link
from tutor.store.database import place
from tutor.store.store import Store

CC = "combat_commander"
NAMES = ("Ana", "Bruno", "<b>Chloé</b>", "David", "Élise")


@pytest.fixture
def own_course(on_postgres: dict[str, str], tmp_path: Path) -> Iterator[tuple[Server, str]]:  # noqa: F811
    """On PostgreSQL, with a teacher's key; what holds for one kind of database holds for the other (tests/store)."""
    key = teacher_key(on_postgres)
    server = start_server(tmp_path / "server.log", notebooks=ROOT / "notebooks", env=on_postgres)
    yield server, key
    server.stop()


@pytest.fixture
def own_room(own_course: tuple[Server, str], visit: Callable[..., Visit]) -> Class:
    """A class there; its pages are closed before its server."""
    return Class(*own_course, visit)


def test_a_teacher_and_five_learners(own_room: Class, tmp_path: Path) -> None:
    teacher = own_room.teacher()
    learners = [own_room.arrive(name) for name in NAMES]
    for learner in learners:
        here(learner)
    people = teacher.locator(".ldv-people li")
    expect(people).to_have_count(5)
    expect(people.filter(has_text="<b>Chloé</b>")).to_have_count(1)

    choose(teacher, "Votre question")
    teacher.get_by_placeholder("Votre question, ou un mot").fill("Qui a l’initiative ?")
    teacher.get_by_placeholder("Une réponse par ligne").fill("L’Axe\nLes Alliés")
    teacher.get_by_label("Numéro de la bonne").fill("2")
    send(teacher)
    for learner in learners:
        expect(question(learner)).to_have_text("Qui a l’initiative ?")
    for learner in learners[:3]:
        learner.get_by_role("button", name="Les Alliés").click()
    learners[3].get_by_role("button", name="L’Axe").click()
    expect(bar(teacher, "Les Alliés")).to_contain_text("3")
    expect(bar(teacher, "L’Axe")).to_contain_text("1")
    expect(teacher.locator(".ldv-side")).to_contain_text("4 réponses sur 5")
    expect(learners[0].locator(".ldv-bars")).to_have_count(0)

    teacher.get_by_role("button", name="Fermer les réponses").click()
    for learner in learners:
        expect(learner.get_by_text("Votre enseignant a fermé les réponses.")).to_be_visible()
        expect(learner.get_by_role("button", name="Les Alliés")).to_be_hidden()
    teacher.get_by_role("button", name="Révéler").click()
    for learner in learners:
        expect(bar(learner, "Les Alliés")).to_have_attribute("data-right", "true")
    expect(learners[0].locator(".ldv-diagnosis")).to_contain_text("Juste")
    expect(learners[3].locator(".ldv-diagnosis")).to_contain_text("La réponse")

    results(teacher, own_room.code, tmp_path)
    erase(teacher)
    for learner in learners:
        expect(learner.get_by_text("Cette séance a été effacée.").first).to_be_visible()


def results(teacher: Page, code: str, folder: Path) -> None:
    """The results of the only question, as a table and as JSON."""
    with teacher.expect_download() as made:
        teacher.get_by_role("button", name="Résultats (CSV)").click()
    assert made.value.suggested_filename == f"seance-{code}.csv"
    made.value.save_as(folder / "r.csv")
    raw = (folder / "r.csv").read_bytes()
    lines = raw.decode("utf-8-sig").splitlines()
    assert raw.startswith(b"\xef\xbb\xbf")
    assert lines[0].startswith("question;")
    assert sum(";Les Alliés;oui;" in line for line in lines) == 3
    with teacher.expect_download() as made:
        teacher.get_by_role("button", name="Résultats (JSON)").click()
    made.value.save_as(folder / "r.json")
    saved = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert sorted(person["nickname"] for person in saved["participants"]) == sorted(NAMES)
    assert [given["ok"] for given in saved["answers"]].count(True) == 3


def erase(teacher: Page) -> None:
    """Erase the only session; it is gone from the list."""
    teacher.get_by_role("button", name="Vos séances").click()
    teacher.get_by_role("button", name="Effacer", exact=True).click()
    teacher.get_by_role("button", name="Effacer pour toujours").click()
    expect(teacher.locator(".ldv-session")).to_have_count(0)


def test_an_exercise_is_judged_by_the_engine_and_revealed_with_its_steps(room: Class) -> None:
    teacher = room.teacher()
    right, wrong = room.learner("Ana", viewport={"width": 1280, "height": 720}), room.learner("Bruno", **PHONE)
    choose(teacher, "Un exercice", "3. La ligne de vue sur terrain plat")
    send(teacher)
    for learner in (right, wrong):
        expect(question(learner)).to_be_in_viewport(ratio=1)
        expect(learner.locator(".ldv-live canvas.ldv-canvas")).to_be_in_viewport(ratio=1)
    right.get_by_role("button", name="Non", exact=True).click()
    wrong.get_by_role("button", name="Oui", exact=True).tap()
    expect(right.get_by_text("Réponse notée")).to_be_visible()
    expect(right.locator(".ldv-verdict")).to_be_hidden()
    expect(teacher.locator(".ldv-people .ldv-yes")).to_contain_text("Non")
    expect(teacher.locator(".ldv-people .ldv-no")).to_contain_text("Oui")
    wrong.reload()
    expect(wrong.get_by_text("Réponse notée")).to_contain_text("Oui")

    with teacher.context.expect_page() as opened:
        teacher.get_by_role("link", name="Écran du projecteur").click()
    screen = opened.value
    expect(screen.locator(".ldv-project .ldv-question").first).to_be_visible()
    expect(screen.get_by_text("2 réponses sur 2")).to_be_visible()
    expect(screen.locator(".ldv-verdict")).to_be_hidden()
    expect(screen.locator(".ldv-project .ldv-choices")).to_be_hidden()
    screen.locator("body").press(" ")
    for page in (screen, right, wrong):
        expect(page.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")
        expect(page.locator(".ldv-step").first).to_be_visible()
        expect(bar(page, "Non")).to_have_attribute("data-right", "true")
    expect(right.locator(".ldv-diagnosis")).to_contain_text("Juste")
    expect(wrong.locator(".ldv-diagnosis")).to_have_attribute("data-right", "false")
    assert wrong.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_teacher_takes_the_board_and_learners_follow(room: Class) -> None:
    teacher = room.teacher()
    learner = room.learner("Ana")
    choose(teacher, "Un exemple", "3. La ligne de vue sur terrain plat")
    send(teacher)
    verdict = learner.locator(".ldv-live .ldv-verdict")
    expect(verdict).to_have_attribute("data-outcome", "pending")
    expect(learner.get_by_label("Terrain en E3")).to_be_visible()
    teacher.get_by_role("button", name="Révéler").click()
    expect(verdict).to_have_attribute("data-outcome", "blocked")
    teacher.get_by_role("button", name="Prendre le plateau").click()
    expect(learner.get_by_label("Terrain en E3")).to_be_hidden()
    teacher.get_by_label("Terrain en E3").select_option(label="Dégagé")
    expect(verdict).to_have_attribute("data-outcome", "clear")
    teacher.get_by_label("Terrain en E3").select_option(label="Bois")
    expect(verdict).to_have_attribute("data-outcome", "blocked")
    teacher.get_by_role("button", name="Rendre le plateau").click()
    learner.get_by_label("Terrain en E3").select_option(label="Dégagé")
    expect(verdict).to_have_attribute("data-outcome", "clear")


#: Whether a stage begins where the bar of the class ends.
BELOW_THE_BAR = """() => {
  const [bar, stage] = [".ldv-classbar", ".ldv-stage"].map((one) => document.querySelector(one).getBoundingClientRect());
  return bar.height > 20 && Math.abs(stage.top - bar.bottom) <= 1;
}"""


def test_a_lesson_says_where_one_is_and_what_one_is_stuck_on(room: Class) -> None:
    teacher = room.teacher()
    learner = room.learner("Ana")
    room.go(learner, replace(LESSON, scene="exercices").url)
    thin = learner.locator(".ldv-classbar")
    expect(thin).to_contain_text("Mardi")
    until(learner, BELOW_THE_BAR)
    someone = teacher.locator(".ldv-people li")
    expect(someone).to_contain_text("leçon 3")
    player = learner.locator(".ldv-exercise")
    for wrong in ("Oui", "Oui, mais gênée"):
        player.get_by_role("button", name=wrong, exact=True).click()
        expect(player.locator(".ldv-missed", has_text=wrong)).to_have_count(1)
        expect(player.locator(".ldv-diagnosis")).to_have_attribute("data-right", "false")
    expect(someone).to_contain_text("exercice 1")
    expect(someone.locator(".ldv-stuck")).to_contain_text("10.")
    learner.get_by_role("button", name="Continuer").click()
    expect(someone.locator(".ldv-stuck")).to_have_count(0)
    learner.get_by_role("button", name="Je suis bloqué").click()
    expect(someone.locator(".ldv-stuck")).to_contain_text("demande de l’aide")
    choose(teacher, "Une leçon", "3. La ligne de vue sur terrain plat")
    send(teacher)
    thin.get_by_role("link", name="Ouvrir").click()
    learner.get_by_role("link", name="Ouvrir la leçon").click()
    with teacher.context.expect_page() as opened:
        teacher.get_by_role("link", name="Mener la leçon").click()
    led, at = opened.value, ".ldv-scenes [aria-current]"
    expect(led.locator(".ldv-classbar")).to_contain_text("Vous menez la classe")
    expect(thin).to_contain_text("Vous suivez votre enseignant")
    led.locator(".ldv-scenes a").nth(2).click()
    expect(learner.locator(at)).to_have_text("3")
    expect(teacher.locator(".ldv-side")).to_contain_text("Scène 3")
    learner.locator(".ldv-scenes a").nth(3).click()
    expect(thin).to_contain_text("Votre enseignant en est à la scène 3")
    led.locator(".ldv-scenes a").nth(1).click()
    expect(thin).to_contain_text("Votre enseignant en est à la scène 2")
    expect(learner.locator(at)).to_have_text("4")
    thin.get_by_role("link", name="Le suivre").click()
    expect(learner.locator(at)).to_have_text("2")
    learner.locator(".ldv-scenes a").nth(3).click()  # asked before: it answers again
    expect(learner.locator(at)).to_have_text("4")
    thin.get_by_role("link", name="Le suivre").click()
    expect(learner.locator(at)).to_have_text("2")
    led.reload()
    expect(led.locator(at)).to_have_text("2")
    led.locator(".ldv-scenes a").first.click()
    expect(learner.locator(at)).to_have_text("1")
    expect(led.get_by_role("button", name="Montrer la réponse")).to_be_visible()
    led.close()
    choose(teacher, "Un lien, un code")
    teacher.get_by_placeholder("Collez").fill(Link("authored", slug=kept_lesson(room)).url)
    teacher.get_by_role("button", name="Lire").click()
    expect(teacher.get_by_text("Voir ou ne pas voir").first).to_be_visible()
    send(teacher)
    thin.get_by_role("link", name="Ouvrir").click()
    learner.get_by_role("link", name="Ouvrir la leçon").click()
    expect(learner.locator(at)).to_have_text("1")
    expect(learner).to_have_title("Voir ou ne pas voir · Ligne de Vue")
    with teacher.context.expect_page() as opened:
        teacher.get_by_role("link", name="Mener la leçon").click()
    opened.value.locator(".ldv-scenes a").nth(1).click()
    expect(learner.locator(at)).to_have_text("2")
    expect(thin).to_contain_text("Vous suivez votre enseignant")
    expect(opened.value.get_by_role("button", name="Montrer la réponse")).to_be_visible()


def kept_lesson(room: Class) -> str:
    """A lesson that a teacher wrote, kept there; its code."""
    body = (ROOT / "tests" / "data" / "lecon-2026-11.yaml").read_text(encoding="utf-8")
    asked = write("authored.save", kind="lesson", game=CC, title="Voir ou ne pas voir", body=body, owner=CODE)
    store = Store(place({"LDV_DATA": str(room.server.data)}))
    store.open()
    (made,) = store.write([asked])
    store.close()
    return str(done(made)["code"])


def test_a_forged_key_or_code_is_a_sentence(room: Class) -> None:
    page = room.page(Link("teacher").url)
    page.get_by_label("Clé d’enseignant").fill("ABCD-EFGH-JKMN-PQRS-TVWX-YZ23")
    page.get_by_role("button", name="Entrer").click()
    expect(page.get_by_text("Cette clé d’enseignant est inconnue")).to_be_visible()
    guest = room.page(Link(classroom="ZZZZZZ").url)
    guest.get_by_label("Votre pseudonyme").fill("Ana")
    guest.get_by_role("button", name="Rejoindre").click()
    expect(guest.locator(".ldv-join [role=status]")).to_contain_text("Vérifiez les six caractères")
    room.go(guest, Link("class").url)
    expect(guest.get_by_label("Code de la séance")).to_be_visible()
    guest.evaluate('sessionStorage.setItem(\'ldv-classe\', \'{"code": "ZZZZZZ", "token": "faux", "nickname": "x"}\')')
    guest.reload()
    expect(guest.get_by_label("Code de la séance")).to_be_visible()


def test_a_plain_page_pays_nothing(room: Class) -> None:
    page = room.page(LESSON.url)
    expect(page.locator(".ldv-stage").first).to_be_visible()
    assert page.locator(".ldv-classbar").count() == 0


def test_a_sheet_is_printed_with_and_without_answers(room: Class) -> None:
    page = room.page(Link("sheet", CC, slug=LESSON.slug).url, **PHONE)
    items = page.locator(".ldv-sheet-item")
    expect(items).to_have_count(4)
    expect(items.first.locator("svg")).to_be_visible()
    expect(page.locator(".ldv-sheet [data-right=true]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Imprimer").click()
    until(page, "window.printed")
    page.emulate_media(media="print")
    expect(page.get_by_label("Livret", exact=True)).to_be_hidden()
    expect(items.first).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_text("Avec les réponses").click()
    expect(page.locator(".ldv-sheet [data-right=true]").first).to_have_text("Non")
    expect(items.first.locator("ol li").first).to_contain_text("10.1")
