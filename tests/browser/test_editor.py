"""The position editor in a real browser: the demo board of Combat Commander rebuilt by hand, its printed examples held on it; a lesson made, kept, played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import ROOT, Server, Visit, start_server
from tests.browser.test_lesson import painted
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.course.cases import case_files, faults, read_cases
from tutor.course.links import Link
from widgets.authored import Sheet
from widgets.editor_pieces import stock
from widgets.paint import View, fitted

CC = "combat_commander"
DEMO = ("plateau-livret", "livret-ldv")
SIZE = (780, 600)
expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The course itself, served."""
    running = start_server(tmp_path_factory.mktemp("editor") / "server.log", notebooks=ROOT / "notebooks")
    yield running
    running.stop()


@pytest.fixture
def opened(course: Server, visit: Callable[..., Visit]) -> Callable[..., Page]:
    """Opens an address of the course, and waits until its widgets are there."""

    def open_(url: str, **options: object) -> Page:
        page = visit(course.url, **options).new_page()
        page.goto(course.url + url)
        page.wait_for_selector("html[data-ready=true]")
        return page

    return open_


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
    expect(hand.page.locator(".ldv-problems").first).to_contain_text("Aucun problème")
    made = hand.sheet().board
    for part in ("board", "terrain_of", "level_of", "sides_of", "ways", "markers"):
        assert getattr(made, part) == getattr(demo, part), part
    assert {(p.counter, p.at, p.side) for p in made.pieces} == {(p.counter, p.at, p.side) for p in demo.pieces}
    printed = [
        (case, path)
        for path in case_files(ROOT / "tests" / "cases" / CC)
        for case in read_cases(path)
        if case.origin == "imprimé" and case.position in DEMO and not case.changes
    ]
    assert len(printed) > 10
    for case, path in printed:
        assert faults(case.model_copy(update={"position": made.data()}), path) == [], case.id
