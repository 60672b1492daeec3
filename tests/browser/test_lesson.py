"""The course in a real browser: a lesson from question to exercise, at 1280 and 390 px; home, index, free board, bad links."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from scripts.pieces import piece
from tests.browser.harness import PAINTED, PHONE, until
from tutor.core.registry import game
from tutor.course.lessons import lessons
from tutor.course.links import Link, position_text
from widgets.board.paint.shapes import fitted

CC = "combat_commander"
#: All scenes on one page; a lesson scene by scene is test_stage's.
LESSON = Link("lesson", CC, slug="03-ldv-terrain-plat", view="tout")


def example(page: Page, index: int = 0) -> Locator:
    """The n-th live example of a lesson."""
    return page.locator(".ldv-lesson").nth(index)


def painted(board: Locator) -> None:
    """Wait until a board has pixels."""
    board.scroll_into_view_if_needed()
    until(
        board.page,
        PAINTED,
        arg=board.element_handle(),
    )


def click_hex(board: Locator, position: str, cell: str, size: tuple[int, int]) -> None:
    """Click the centre of a hex on a desktop board."""
    view = fitted(game(CC).position(position).grid, *size)
    x, y = view.centre(cell)
    box = board.bounding_box()
    assert box is not None
    scale = box["width"] / view.width
    board.click(position={"x": x * scale, "y": (y + view.radius * 0.55) * scale})


def settle(player: Locator) -> None:
    """Answer the question of an example, whatever is right: a second miss ends it too."""
    asked = player.locator(".ldv-predict").first
    asked.locator(".ldv-choices button").first.click()
    expect(asked.locator(".ldv-diagnosis")).to_be_visible()
    if "Essayez encore" in asked.locator(".ldv-diagnosis").inner_text():
        asked.locator(".ldv-choices button").nth(1).click()


def no_overflow(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_lesson_from_question_to_exercise(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url)
    asked = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert [name for name in map(piece, asked) if name] == [], "scripts/pieces.py writes them anew"
    first = example(page)
    look_and_change(first)
    move_the_line(first)
    play_what_if(first)
    solve(page)
    no_overflow(page)
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    expect(page.locator(".ldv-dots span").first).to_have_text("●")


def look_and_change(first: Locator) -> None:
    """A question missed, then answered: its verdict and steps; a terrain is changed and taken back."""
    verdict = first.locator(".ldv-verdict")
    expect(verdict).to_have_attribute("data-outcome", "pending")
    expect(first.locator(".ldv-step")).to_have_count(0)
    painted(first.locator("canvas").first)
    first.get_by_role("button", name="Oui, la vue est dégagée").click()
    expect(first.locator(".ldv-diagnosis").first).to_contain_text("Pas encore")
    expect(first.locator(".ldv-diagnosis").first).to_contain_text("Essayez encore")
    expect(verdict).to_have_attribute("data-outcome", "pending")
    first.get_by_role("button", name="Non, le bois la bloque").click()
    expect(verdict).to_have_attribute("data-outcome", "blocked")
    expect(first.locator(".ldv-step").first).to_be_visible()
    assert first.locator(".ldv-step a.ldv-rule").first.get_attribute("href") == f"/?jeu={CC}&regle=T78.4"
    first.get_by_label("Terrain en E3").select_option(label="Dégagé")
    expect(verdict).to_have_attribute("data-outcome", "clear")
    first.get_by_role("button", name="↶").click()
    expect(verdict).to_have_attribute("data-outcome", "blocked")


def move_the_line(first: Locator) -> None:
    """Two clicks on the board choose another line."""
    canvas = first.locator("canvas").first
    click_hex(canvas, "ldv-lisiere", "B2", (760, 560))
    click_hex(canvas, "ldv-lisiere", "B1", (760, 560))
    expect(first.get_by_label("Observateur")).to_have_value("B2")
    expect(first.get_by_label("Cible")).to_have_value("B1")
    expect(first.locator(".ldv-verdict")).to_have_attribute("data-outcome", "clear")


def play_what_if(first: Locator) -> None:
    """« Et si… » is answered, the next one follows."""
    first.get_by_role("button", name=re.compile("passe à côté des arbres de D3")).click()
    expect(first.locator(".ldv-verdict")).to_have_attribute("data-outcome", "clear")
    expect(first.locator(".ldv-whatif .ldv-diagnosis")).to_contain_text("Juste")
    first.get_by_role("button", name="▶").click()
    expect(first.locator(".ldv-whatif")).to_contain_text("Krylov lui-même")


def solve(page: Page) -> None:
    """An exercise with a hint, missed and solved; another one like it; the next, whose hexes are given by name."""
    player = page.locator(".ldv-exercises")
    player.get_by_role("button", name="Un indice").click()
    expect(player.locator(".ldv-hint")).to_contain_text("Indice")
    player.get_by_role("button", name="Oui", exact=True).click()
    expect(player.locator(".ldv-diagnosis")).to_have_attribute("data-right", "false")
    player.get_by_role("button", name="Non", exact=True).click()
    expect(player.locator(".ldv-diagnosis")).to_contain_text("Juste")
    expect(player.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")
    question = player.locator(".ldv-question").inner_text()
    player.get_by_role("button", name="Une autre").click()
    expect(player.locator(".ldv-diagnosis")).to_be_hidden()
    expect(player.locator(".ldv-verdict")).to_be_hidden()
    assert player.locator(".ldv-question").inner_text().startswith(question[:3])
    player.get_by_role("button", name="Exercice suivant").click()
    player.get_by_label("Hexs choisis").fill("d3, d2 et e3")
    player.get_by_role("button", name="Vérifier").click()
    expect(player.locator(".ldv-diagnosis")).to_contain_text("Juste")


@pytest.mark.parametrize("position", ["abc", "A" * 3000])
def test_a_bad_position_is_a_sentence_and_the_lesson_works(opened: Callable[..., Page], position: str) -> None:
    page = opened(f"{LESSON.url}&position={position}")
    expect(page.locator(".ldv-alert")).to_contain_text("Voici la position de la leçon")
    first = example(page)
    first.get_by_role("button", name="Non, le bois la bloque").click()
    expect(first.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")
    assert "Traceback" not in page.content()


def test_a_link_brings_its_position(opened: Callable[..., Page]) -> None:
    position = game(CC).position("livret-ldv").change({"way.road.M5": None})
    page = opened(
        Link("lesson", CC, slug=LESSON.slug, view="tout", example="route", position=position_text(position)).url
    )
    second = example(page, 1)
    expect(page.get_by_role("heading", name="La route qui perce le bois")).to_be_in_viewport()
    settle(second)
    expect(second.locator(".ldv-verdict")).to_have_attribute("data-outcome", "clear")


def test_projection_hides_the_answer(opened: Callable[..., Page]) -> None:
    first = example(opened(f"{LESSON.url}&mode=projection"))
    show = first.get_by_role("button", name="Montrer la réponse")
    expect(show).to_be_visible()
    expect(first.locator(".ldv-verdict")).to_contain_text("Une touche")
    first.page.keyboard.press("Space")
    expect(first.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")


def test_a_lesson_on_a_phone(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **PHONE)
    first = example(page)
    painted(first.locator("canvas").first)
    first.get_by_role("button", name="Non, le bois la bloque").tap()
    expect(first.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")
    said = first.locator(".ldv-diagnosis")
    expect(said).to_be_in_viewport()
    bottom = "(node) => node.getBoundingClientRect().bottom"
    assert said.evaluate(bottom) <= first.locator(".ldv-verdict").evaluate("(n) => n.getBoundingClientRect().top")
    no_overflow(page)
    small = page.evaluate(
        "[...document.querySelectorAll('#rendered_cells button')].filter(b => b.getClientRects().length)"
        ".filter(b => b.getBoundingClientRect().height < 43.5).map(b => b.textContent)"
    )
    assert small == []


def test_home_finds_rules_and_leads_to_lessons(opened: Callable[..., Page]) -> None:
    page = opened("/")
    expect(page.locator(".ldv-hexes li")).to_have_count(len(lessons(CC)) + 1)
    page.get_by_label("Chercher une règle").fill("10.3.3")
    first = page.locator(".ldv-found li").first
    expect(first).to_contain_text("Modificateurs de Gênes")
    expect(first.get_by_role("link", name=re.compile("Exemple vivant"))).to_be_visible()
    page.get_by_label("Chercher une règle").fill("zzz")
    expect(page.get_by_text("Aucune règle pour")).to_be_visible()
    no_overflow(page)


def test_a_rule_link_opens_its_entry(opened: Callable[..., Page]) -> None:
    page = opened(Link(game=CC, rule="10.2").url)
    entry = page.locator(".ldv-entry")
    expect(entry).to_contain_text("Obstacles & LDV")
    entry.get_by_role("link", name=re.compile("Exemple vivant")).click()
    page.wait_for_selector("html[data-ready=true]")
    assert "exemple=lisiere" in page.url


def test_the_whole_index(opened: Callable[..., Page]) -> None:
    page = opened(Link(game=CC, view="index").url)
    expect(page.locator(".ldv-chapters li")).to_have_count(len(game(CC).sections))


def test_the_index_below_a_search_is_made_when_it_is_opened(opened: Callable[..., Page]) -> None:
    page = opened(Link(game=CC, word="fumigènes").url)
    expect(page.locator(".ldv-links").first).to_be_visible()
    expect(page.locator(".ldv-chapters li")).to_have_count(0)
    fold = page.get_by_role("button", name="Tout l’index")
    fold.focus()
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".ldv-chapters li")).to_have_count(len(game(CC).sections))


def test_the_free_board(opened: Callable[..., Page]) -> None:
    page = opened(Link("sandbox").url, viewport={"width": 1280, "height": 720})
    canvas = page.locator("canvas").first
    expect(canvas).to_be_in_viewport(ratio=1)
    painted(canvas)
    click_hex(canvas, "livret-ldv", "L7", (780, 600))
    click_hex(canvas, "livret-ldv", "L10", (780, 600))
    expect(page.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")
    page.get_by_role("button", name="Changer", exact=True).click()
    click_hex(canvas, "livret-ldv", "L8", (780, 600))
    palette = page.locator(".ldv-spot")
    palette.get_by_label("Terrain").select_option(label="Dégagé")
    expect(page.locator(".ldv-verdict")).to_have_attribute("data-outcome", "clear")
    for shown in (canvas, palette, page.locator(".ldv-verdict")):
        expect(shown).to_be_in_viewport(ratio=1)
    palette.get_by_role("button", name="Annuler").click()
    expect(page.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")
    palette.get_by_role("button", name="×").press("Enter")
    expect(palette).to_be_hidden()
    expect(canvas).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(palette.get_by_label("Terrain")).to_be_visible()
    page.get_by_role("button", name="Terrain").click()
    expect(palette).to_be_hidden()
    page.get_by_label("Pinceau").select_option(label="Dégagé")
    click_hex(canvas, "livret-ldv", "L8", (780, 600))
    page.get_by_role("button", name="Regarder").click()
    expect(page.locator(".ldv-verdict")).to_have_attribute("data-outcome", "clear")
    canvas.focus()
    page.keyboard.press("+")
    expect(page.locator(".ldv-fit .ldv-board-window")).to_have_class(re.compile("is-nearer"))
    page.keyboard.press("0")
    expect(page.locator(".ldv-fit .ldv-board-window")).not_to_have_class(re.compile("is-nearer"))
    page.get_by_placeholder("Une position en YAML").fill("schema: [")
    page.get_by_role("button", name="Charger ce texte").click()
    expect(page.locator(".ldv-alert")).to_contain_text("Corrigez la ligne")
    page.get_by_role("button", name="Écrire la position").click()
    expect(page.get_by_role("link", name="Enregistrer le fichier")).to_be_visible()


def test_a_profile_and_the_board_light_each_other(opened: Callable[..., Page]) -> None:
    page = opened(Link("lesson", "tcs", slug="03-bois-villages-fumee", view="tout").url)
    first = example(page)
    painted(first.locator("canvas"))
    settle(first)
    first.get_by_text("Le détail").first.click()
    point = first.locator('.ldv-profile-point[data-hexes="02.07"]')
    expect(point).to_have_attribute("aria-label", re.compile("sol à 40"))
    point.hover()
    expect(point).to_have_class(re.compile("is-lit"))
    expect(first.locator("svg.ldv-hover")).to_be_visible()
    step = first.locator('.ldv-step[data-hexes="02.07"]:visible').first
    expect(step).to_have_class(re.compile("is-named"))
    step.hover()
    expect(point).to_have_class(re.compile("is-named"))
    expect(point).not_to_have_class(re.compile("is-lit"))


def test_a_position_alone_opens_the_free_board_of_its_game(opened: Callable[..., Page]) -> None:
    position = position_text(game("heroes_of_normandie").position("batiment"))
    page = opened(Link("home", "heroes_of_normandie", position=position).url)
    assert "bac-a-sable" in page.url
    expect(page.get_by_label("Jeu", exact=True)).to_have_value("Heroes of Normandie\u00a0: Battle for Caen")
    expect(page.locator(".ldv-verdict")).to_contain_text("Choisissez deux cases")  # its board has come
    painted(page.locator("canvas").first)
    page.get_by_label("Jeu", exact=True).select_option(label="ASL Starter Kit 3")
    expect(page.locator(".ldv-verdict")).to_contain_text("Choisissez deux hexs")


def test_about(opened: Callable[..., Page]) -> None:
    page = opened(Link("about").url)
    expect(page.locator("#ldv-content")).to_contain_text("GMT Games")
    page.locator("#ldv-content [data-ldv-report]").click()
    expect(page.get_by_role("dialog")).to_contain_text("Signaler une erreur")


def test_a_track_is_touched_and_moved_by_arrows(opened: Callable[..., Page]) -> None:
    page = opened(Link("lesson", "combat_commander", slug="16-temps-et-victoire", view="tout").url, **PHONE)
    track = page.get_by_role("slider", name="Marqueur de Temps").first
    track.locator("[data-space='8']").tap()
    expect(track).to_have_attribute("aria-valuenow", "8")
    expect(track).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(track).to_have_attribute("aria-valuenow", "7")
    expect(track).to_be_focused()
