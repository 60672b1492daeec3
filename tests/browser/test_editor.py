"""The position editor in a real browser: the demo board of Combat Commander rebuilt by hand, its printed examples held on it; a lesson made, kept, played."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import PHONE, until
from tests.browser.test_lesson import no_overflow, painted
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.course.cases import case_files, faults, read_cases
from tutor.course.coverage import cases_folder
from tutor.course.links import Link
from tutor.course.teacher_lessons import AuthoredLesson, Sheet
from widgets.board.paint.shapes import View, fitted
from widgets.editor.pieces import stock

CC = "combat_commander"
DEMO = ("plateau-livret", "livret-ldv")
SIZE = (780, 600)


class Hand:
    """What an author does: real clicks on the controls and on the board."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = page.locator("canvas.ldv-canvas").first
        self.view: View = fitted(game(CC).position("plateau-livret").grid, *SIZE)
        painted(self.board)

    def press(self, name: str, where: Locator | None = None) -> None:
        """Press a button by its whole name."""
        (where or self.page).get_by_role("button", name=name, exact=True).first.click()

    def step(self, name: str) -> None:
        """Go to a step of the editor."""
        self.press(name, self.page.locator(".ldv-steps-bar"))

    def palette(self, tab: str, *chips: str) -> None:
        """Choose a palette, and in it a brush."""
        tools = self.page.locator(".ldv-palette").first
        self.press(tab, tools.locator(".ldv-tabs"))
        for chip in chips:
            tools.locator(".ldv-chips:not(.ldv-tabs)").get_by_role("button", name=chip, exact=True).locator(
                "visible=true"
            ).click()

    def at(self, x: float, y: float) -> None:
        """Click a point of the board."""
        box = self.board.bounding_box()
        assert box is not None
        scale = box["width"] / self.view.width
        self.board.click(position={"x": x * scale, "y": y * scale})

    def cells(self, *cells: str) -> None:
        """Click cells of the board."""
        for cell in cells:
            self.at(*self.view.centre(cell))

    def sides(self, *sides: str) -> None:
        """Click near sides of the board, from within."""
        for side in sides:
            cell = next(c for c in side.split("/") if c in self.view.grid)
            x, y = self.view.centre(cell)
            a, b = self.view.path(self.view.grid.side_points(side))
            self.at(x + ((a[0] + b[0]) / 2 - x) * 0.93, y + ((a[1] + b[1]) / 2 - y) * 0.93)

    def sheet(self) -> Sheet:
        """What is on the bench, as the editor writes it."""
        self.step("Garder")
        text = self.page.get_by_placeholder("Une position en YAML")
        text.fill("")
        self.press("Écrire le texte")
        expect(text).to_have_value(re.compile("schema"))
        return Sheet.parse(text.input_value())


def new_board(hand: Hand, columns: tuple[str, str], rows: tuple[int, int]) -> None:
    """An empty board of a size, by the controls of the editor."""
    hand.palette("Plateau")
    for label, name in zip(("Première colonne", "Dernière colonne"), columns, strict=True):
        hand.page.get_by_label(label).select_option(label=name)
    for label, row in zip(("Première rangée", "Dernière rangée"), rows, strict=True):
        hand.page.get_by_label(label).fill(str(row))
        hand.page.get_by_label(label).press("Tab")
    hand.press("Nouveau plateau vide")
    expect(hand.page.locator(".ldv-board .ldv-twin").first).to_contain_text(
        f"{columns[0]}{rows[0]} à {columns[1]}{rows[1]}"
    )


def crossed(position: Position, kind: str) -> list[str]:
    """The sides that a way crosses."""
    grid = position.grid
    return sorted({grid.side(cell, d) for cell, arms in position.ways[kind].items() for d in arms})


def rebuild(hand: Hand, demo: Position) -> None:
    """Paint the demo board on an empty one."""
    tables = game(CC).tables
    new_board(hand, demo.board.columns, demo.board.rows)
    for terrain, cells in demo.terrain.items():
        hand.palette("Terrain", tables["terrain"].term(terrain))
        hand.cells(*cells)
        expect(hand.page.locator(".ldv-twin").first).to_contain_text(f"{cells[-1]}\u00a0:")
    for level, cells in demo.levels.items():
        hand.palette("Niveaux", f"Niveau {level}")
        hand.cells(*cells)
    for kind, sides in demo.sides.items():
        hand.palette("Côtés", tables["sides"].term(kind))
        hand.sides(*sides)
    for way in demo.ways:
        hand.palette("Voies", tables["ways"].term(way))
        hand.sides(*crossed(demo, way))


def test_the_demo_board_is_rebuilt_by_hand_and_its_printed_examples_hold(opened: Callable[..., Page]) -> None:
    hand = Hand(opened(Link("editor").url))
    demo = game(CC).position("livret-ldv")
    rebuild(hand, demo)
    hand.palette("Marqueurs", "Fumigènes")
    hand.page.get_by_label("Valeur").select_option(label="7")
    hand.cells("N8")
    hand.step("Pions")
    hand.page.get_by_label("Nation").select_option(label="Allemagne")
    labels = {brush.partition(":")[2]: label for label, brush in stock(CC)["Allemagne"]}
    for piece in demo.pieces:
        hand.page.get_by_label("Pion", exact=True).first.select_option(label=labels[str(piece.counter)])
        hand.cells(str(piece.at))
        expect(hand.page.locator(".ldv-twin").first).to_contain_text(labels[str(piece.counter)])
    expect(hand.page.locator(".ldv-problems").first).to_contain_text("Aucun problème")
    made = hand.sheet().board
    for part in ("board", "terrain_of", "level_of", "sides_of", "ways", "markers"):
        assert getattr(made, part) == getattr(demo, part), part
    assert {(p.counter, p.at, p.side) for p in made.pieces} == {(p.counter, p.at, p.side) for p in demo.pieces}
    printed = [
        (case, path)
        for path in case_files(cases_folder(CC))
        for case in read_cases(path)
        if case.origin == "imprimé" and case.position in DEMO and not case.changes
    ]
    assert len(printed) > 10
    for case, path in printed:
        assert faults(case.model_copy(update={"position": made.data()}), path) == [], case.id


def begin(hand: Hand) -> None:
    """A small position with a question: two leaders, a wood between them."""
    hand.view = fitted(Position.parse(EMPTY).grid, *SIZE)
    hand.palette("Terrain", "Bois")
    hand.cells("D4")
    hand.step("Pions")
    hand.page.get_by_label("Nation").select_option(label="Allemagne")
    hand.cells("B4", "G4")
    hand.step("Question")
    hand.page.get_by_label("À calculer").select_option(label="Ces deux hexs se voient-ils\u202f?")
    expect(hand.page.locator(".ldv-expected")).to_contain_text("non")


#: The board that the editor begins with.
EMPTY = "{schema: 1, game: combat_commander, id: vide, grid: {kind: hex, columns: [A, J], rows: [1, 8]}}"


def test_a_position_is_edited_kept_and_played(opened: Callable[..., Page]) -> None:
    page = opened(Link("editor").url)
    hand = Hand(page)
    begin(hand)
    page.get_by_label("Un indice").fill("Suivez la droite.")
    page.get_by_label("Un indice").press("Tab")
    hand.step("Pions")
    hand.press("Modifier")
    hand.cells("B4")
    expect(page.get_by_label("Endroit")).to_have_value("B4")  # the form of the one chosen before has gone
    page.get_by_label("Nom", exact=True).fill("Herzog")
    page.get_by_label("Nom", exact=True).press("Tab")
    expect(page.locator(".ldv-piece strong")).to_have_text("Herzog")
    page.get_by_label("Démoralisé").check()
    drag(hand, "G4", "G5")
    expect(page.locator(".ldv-piece")).to_contain_text("G5")
    page.get_by_role("button", name="↶").click()
    page.get_by_role("button", name="↷").click()
    hand.step("Réglages")
    hand.cells("D4")
    hand.press("Ajouter ce réglage")
    expect(page.get_by_text(re.compile("Terrain en D4"))).to_be_visible()
    made = hand.sheet()
    assert {p.name: (p.at, p.status) for p in made.board.pieces}["Herzog"] == ("B4", ["broken"])
    assert made.board.tweaks[0].path == "terrain.D4"
    page.get_by_label("Titre", exact=True).fill("Le bois du milieu")
    page.get_by_label("Titre", exact=True).press("Tab")
    hand.press("Garder", page.locator(".ldv-editor"))
    expect(page.get_by_text("Lien court")).to_be_visible()
    short = page.locator("a[href^='/l/']").first.get_attribute("href")
    hand.step("Aperçu")
    expect(page.locator(".ldv-preview .ldv-question")).to_contain_text("se voient-ils")
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    hand.press("Reprendre le brouillon")
    expect(page.locator(".ldv-twin").first).to_contain_text("Herzog")
    page.goto((short and page.url.partition("/voila")[0] + short) or "")
    page.wait_for_selector("html[data-ready=true]")
    page.get_by_role("button", name="Oui", exact=True).click()
    expect(page.locator(".ldv-diagnosis").first).to_contain_text("Pas encore")
    page.get_by_role("button", name="Non", exact=True).click()
    expect(page.locator(".ldv-verdict")).to_have_attribute("data-outcome", "blocked")


def drag(hand: Hand, start: str, end: str) -> None:
    """Bring a piece from a cell to another."""
    box = hand.board.bounding_box()
    assert box is not None
    scale = box["width"] / hand.view.width
    (x0, y0), (x1, y1) = hand.view.centre(start), hand.view.centre(end)
    mouse = hand.page.mouse
    mouse.move(box["x"] + x0 * scale, box["y"] + y0 * scale)
    mouse.down()
    mouse.move(box["x"] + (x0 + x1) / 2 * scale, box["y"] + (y0 + y1) / 2 * scale, steps=4)
    mouse.move(box["x"] + x1 * scale, box["y"] + y1 * scale, steps=4)
    mouse.up()


def test_a_lesson_is_made_of_positions_and_plays(opened: Callable[..., Page]) -> None:
    page = opened(Link("editor").url)
    hand = Hand(page)
    begin(hand)
    page.get_by_label("Un indice").fill("Suivez la droite.")
    page.get_by_label("Un indice").press("Tab")
    hand.step("Leçon")
    form = page.locator(".ldv-card", has_text="Partie").last
    title = page.get_by_label("Titre de la leçon")
    title.fill("Un bois sur la ligne")
    title.press("Tab")
    hand.press("+ Situation")
    expect(form.locator("textarea")).to_be_focused()  # the page leads there; what is typed earlier goes elsewhere
    form.locator("textarea").fill("Deux chefs se cherchent.")
    form.locator("textarea").press("Tab")
    twice = [page.get_by_role("button", name=name, exact=True).bounding_box() for name in ("+ Exemple", "+ Règle")]
    for place in twice:  # at once: what the first adds moves nothing from under the second
        assert place
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.get_by_role("heading", name="Partie 3")).to_be_visible()
    expect(form.get_by_label("Titre")).to_be_focused()
    form.locator("textarea").fill("Un bois bloque la vue. [[99.9]]")
    form.locator("textarea").press("Tab")
    expect(page.locator(".ldv-alert")).to_contain_text("99.9 n’est pas dans l’index")
    form.locator("textarea").fill("Un bois bloque la vue.")
    form.locator("textarea").press("Tab")
    form.get_by_label("Citer une règle").select_option(index=[*game(CC).sections].index("10.2") + 1)
    form.get_by_role("button", name="Insérer").click()
    expect(form.locator("textarea")).to_have_value("Un bois bloque la vue. [[10.2]]")
    hand.press("+ Exercice")
    expect(page.get_by_text("Cette leçon peut se jouer")).to_be_visible()
    carried = page.get_by_role("link", name="Cahier (.ipynb)")
    with page.expect_download() as saved:
        carried.click()
    notebook = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["markdown", "code"]
    AuthoredLesson.parse(notebook["metadata"]["ligne_de_vue"]["body"])
    hand.press("Garder la leçon")
    link = page.get_by_role("link", name="Voir comme un lecteur").last
    expect(link).to_be_visible()
    address = link.get_attribute("href") or ""
    page.goto(page.url.partition("/voila")[0] + address)
    page.wait_for_selector("html[data-ready=true]")
    expect(page.get_by_role("heading", name="Un bois sur la ligne")).to_be_visible()
    page.locator(".ldv-stage-onward").click()
    page.locator(".ldv-stage .ldv-predict:visible").get_by_role("button", name="Non", exact=True).click()
    expect(page.locator(".ldv-stage .ldv-diagnosis:visible").first).to_contain_text("Juste")
    page.get_by_role("link", name=re.compile("Exercices")).click()
    player = page.locator(".ldv-stage .ldv-exercise:visible")
    player.get_by_role("button", name="Oui", exact=True).click()
    expect(player.locator(".ldv-diagnosis")).to_have_attribute("data-right", "false")
    no_overflow(page)


def test_on_a_phone_what_is_added_stays_in_sight_with_its_form(opened: Callable[..., Page]) -> None:
    page = opened(Link("editor").url, **PHONE)
    hand = Hand(page)
    hand.step("Leçon")
    for number, kind in enumerate(("Situation", "Exemple", "Règle", "À retenir"), 1):
        hand.press(f"+ {kind}")
        expect(page.get_by_role("heading", name=f"Partie {number}")).to_be_in_viewport(ratio=1)
        expect(page.locator(".ldv-part-row").nth(number - 1).get_by_text(f"{number}. {kind}")).to_be_in_viewport(
            ratio=1
        )
        expect(page.locator(".ldv-part-form").locator("input, textarea").first).to_be_focused()
    no_overflow(page)


#: Whether a button has stood still for a while.
STILL = """name => {
  const made = [...document.querySelectorAll("button")].find((one) => one.innerText === name && one.checkVisibility());
  const now = made ? String(made.getBoundingClientRect().top) : "";
  if (now !== window.ldvTop) [window.ldvTop, window.ldvTopSince] = [now, performance.now()];
  return now && performance.now() - window.ldvTopSince > 400;
}"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schema: [", "Corrigez la ligne"),
        ("[" * 30_000, "trop de blocs emboîtés"),
        (EMPTY.replace("columns: [A, J], rows: [1, 8]", "columns: [A, ZZ], rows: [1, 60]"), "1500 au plus"),
    ],
)
def test_a_hostile_text_is_a_sentence_and_the_editor_works(opened: Callable[..., Page], text: str, said: str) -> None:
    page = opened(Link("editor").url)
    hand = Hand(page)
    hand.view = fitted(Position.parse(EMPTY).grid, *SIZE)
    hand.step("Garder")
    page.get_by_placeholder("Une position en YAML").fill(text)
    until(page, STILL, "Charger ce texte")  # what is kept comes from the server, above it
    hand.press("Charger ce texte")
    expect(page.locator(".ldv-alert")).to_contain_text(said)
    hand.step("Terrain")
    hand.palette("Terrain", "Verger")
    hand.cells("D4")
    expect(page.locator(".ldv-twin").first).to_contain_text("Verger")


@pytest.mark.parametrize("url", [Link("editor").url, Link("sandbox").url])
def test_what_is_too_large_is_a_sentence_before_it_is_sent(
    opened: Callable[..., Page], tmp_path: Path, url: str
) -> None:
    page = opened(url)
    page.evaluate("window.whole = true")
    if "editeur" in url:
        page.locator(".ldv-steps-bar").get_by_role("button", name="Garder", exact=True).click()
        until(page, STILL, "Charger ce texte")  # what is kept comes from the server, above it
    large = tmp_path / "immense.yaml"
    large.write_bytes(b"# rien\n" * 1_500_000)
    alert = page.locator(".ldv-alert")
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Ouvrir un fichier").locator("visible=true").click()
    chosen.value.set_files(large)
    expect(alert).to_contain_text("immense.yaml")
    expect(alert).to_contain_text("400 ko au plus")
    alert.get_by_role("button", name="Fermer").click()
    field = page.get_by_placeholder("Une position en YAML")
    field.fill("schema: 1")
    field.evaluate("(f) => { f.value = 'x'.repeat(500000); f.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(alert).to_contain_text("Ce texte est trop grand")
    expect(field).to_have_value("schema: 1")
    page.get_by_role("button", name="Charger ce texte").click()  # the page still answers, and still in French
    expect(alert).to_contain_text("cette clé manque")
    assert page.evaluate("window.whole")


def test_an_unknown_lesson_is_a_sentence(opened: Callable[..., Page]) -> None:
    page = opened(Link("authored", slug="ABCD2345").url)
    expect(page.locator(".ldv-failure")).to_contain_text("ne peut pas s’ouvrir")


def test_the_editor_on_a_phone(opened: Callable[..., Page]) -> None:
    page = opened(Link("editor").url, **PHONE)
    painted(page.locator("canvas.ldv-canvas").first)
    for step in ("Pions", "Question", "Réglages", "Garder", "Leçon", "Aperçu", "Terrain"):
        page.locator(".ldv-steps-bar").get_by_role("button", name=step, exact=True).tap()
        no_overflow(page)
    small = page.evaluate(
        "[...document.querySelectorAll('#rendered_cells button')].filter(b => b.getClientRects().length)"
        ".filter(b => b.getBoundingClientRect().height < 43.5).map(b => b.textContent)"
    )
    assert small == []
