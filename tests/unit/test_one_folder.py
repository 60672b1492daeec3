"""A game is one folder: `tests/toy/escarmouche` is one, and no other file of the project knows it."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tornado.web import HTTPError

import tutor.games
from tests.screen import named, words
from tutor import cli
from tutor.core.errors import RequestError, TutorError
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.core.shelf import facts
from tutor.course import cases, check, coverage
from tutor.course.circumstances import circumstances
from tutor.course.links import Link
from widgets.board.events import HexClicked
from widgets.board.svg import board_svg
from widgets.editor.draft import Draft
from widgets.editor.page import Editor, EditorPage
from widgets.host.page import Page
from widgets.pages.free_board import SandboxPage
from widgets.pages.home import HomePage
from widgets.pages.lesson import lesson
from widgets.player.lesson import LessonPage
from widgets.serving.catalogue import Catalogue, notebooks_of_games
from widgets.serving.contents import HouseContents

ROOT = Path(__file__).resolve().parents[2]
TOYS = ROOT / "tests" / "toy"
TOY = "escarmouche"


def among_toys(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have the games of a folder beside those of the house."""
    monkeypatch.setattr(tutor.games, "__path__", [*tutor.games.__path__, str(folder)])


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> str:
    among_toys(monkeypatch, TOYS)
    return TOY


def with_toys(*command: str, folder: Path = TOYS) -> subprocess.CompletedProcess[str]:
    """Run Python in another process, with `LDV_GAMES` as anyone may set it."""
    env = os.environ | {"LDV_GAMES": str(folder), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *command], env=env, cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )


def test_nobody_else_knows_it() -> None:
    assert TOY not in GAMES
    with pytest.raises(RequestError, match="n’est pas dans la maison"):
        load_position("echecs", "depart")
    named = [
        path
        for top in ("tutor", "widgets", "notebooks", "scripts")
        for path in (ROOT / top).rglob("*.*")
        if TOY in path.name
    ]
    assert named == []


def test_it_stands_after_the_games_of_the_house(toy: str) -> None:
    assert list(GAMES)[-1] == toy
    assert GAMES[toy] == "Escarmouche"
    assert GAMES.faults == ()


def test_its_rules_answer(toy: str) -> None:
    board = load_position(toy, "clairiere")
    shot = ask(board, "fire", unit="rouge", target="tapi", roll=[4])
    assert (shot.value.need, shot.value.hit) == (5, False)
    assert ask(board, "fire", unit="rouge", target="tapi", roll=[4], without=["3.1"]).value.hit
    assert ask(board, "fire", unit="bleu", target="tapi").outcome == "refused"


def test_it_is_on_the_home_page_and_in_the_index(toy: str) -> None:
    page = HomePage(Page())
    assert f'href="/?jeu={toy}"' in words(page.widget)
    page.turn(toy)
    assert "Voir et tirer" in words(page.widget)
    assert f"/voila/render/{toy}/01-voir-et-tirer.ipynb" in words(page.widget)
    assert "Case qui cache" in words(page.widget)
    page.index.field.value = "couvert"
    assert "Dans un bois, il faut un de plus" in words(page.widget)


def test_a_link_opens_its_index_entry(toy: str) -> None:
    page = Page()
    page.course.query = f"?jeu={toy}&regle=3.1"
    assert "À couvert" in HomePage(page).index.entry.value


def test_its_lesson_is_played(toy: str) -> None:
    made = lesson(toy, "esc-01-tir")
    made.opening()
    made.examples()
    made.exercises()
    made.closing()
    assert isinstance(made.page, LessonPage)
    player = made.page.players["tir"]
    next(one for one in player.question.buttons if one.description == "Non").click()
    assert "manqué" in player.stage.trace.view.value
    assert "Le bois ajoute" in player.stage.trace.view.value


def test_its_notebook_is_served_from_its_folder(toy: str, tmp_path: Path) -> None:
    """In the catalogue at the address of its link, read by what gives Voilà its notebooks, and its cells play it."""
    path = f"{toy}/01-voir-et-tirer.ipynb"
    catalogue = Catalogue(ROOT / "notebooks", notebooks_of_games())
    assert catalogue.file(path) == TOYS / TOY / "notebooks" / "01-voir-et-tirer.ipynb"
    assert catalogue.pages[path].url == Link("lesson", toy, slug="01-voir-et-tirer").url
    assert (catalogue.pages[path].course, catalogue.pages[path].number) == ("Escarmouche", 1)
    served = HouseContents(catalogue, root_dir=str(ROOT / "notebooks"))
    model = served.get(path)
    assert (model["type"], model["path"]) == ("notebook", path)
    names: dict[str, Any] = {}
    for cell in model["content"].cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    assert isinstance(names["page"].page, LessonPage)
    house = served.get("tcs/01-altitude.ipynb")
    assert house["content"].metadata["title"] == catalogue.pages["tcs/01-altitude.ipynb"].title
    with pytest.raises(HTTPError):
        served.get(f"{toy}/02-absent.ipynb")
    with pytest.raises(HTTPError):
        served.get("../pyproject.toml")


def test_a_notebook_of_the_house_comes_before_one_that_a_game_brings(toy: str, tmp_path: Path) -> None:
    own = tmp_path / toy / "01-voir-et-tirer.ipynb"
    own.parent.mkdir()
    own.write_text('{"metadata": {"title": "À nous"}}', encoding="utf-8")
    catalogue = Catalogue(tmp_path, notebooks_of_games())
    path = f"{toy}/{own.name}"
    assert (catalogue.file(path), catalogue.pages[path].title) == (own, "À nous")
    assert [page.path for page in catalogue.lessons] == [path]
    own.unlink()
    assert catalogue.file(path) is None


def test_its_free_board_is_its_own(toy: str) -> None:
    page = SandboxPage(Page(), toy)
    assert ("Escarmouche", toy) in named(page.widget, "Jeu").options
    assert page.board is not None
    assert [label for label, _ in named(page.widget, "Pinceau").options][:2] == ["Dégagé", "Bois"]
    for cell in ("A2", "D2"):
        page.board.board.emit(HexClicked(cell))
    assert "Le bois en C2" in page.board.verdict.view.value


def test_its_editor_asks_for_its_circumstances(toy: str) -> None:
    assert ("Escarmouche", toy) in named(EditorPage(Page(), toy).widget, "Jeu").options
    assert [one.label for one in circumstances(toy)] == ["Le temps qu’il fait"]
    editor = Editor(Page(), toy, Draft(load_position(toy, "clairiere")))
    editor.bench.change({"terrain.B2": "woods", "state.weather": "rain"})
    assert editor.bench.problems() == []
    assert editor.bench.position.state["weather"] == "rain"


def test_its_counters_are_drawn(toy: str) -> None:
    board = load_position(toy, "clairiere")
    assert ">ESC<" in board_svg(board)
    assert ">Tir<" in board_svg(board.change({"piece.rouge.status.fired": True}))


def test_all_its_content_is_valid_and_covered(toy: str) -> None:
    assert check.faults(toy) == []
    assert {row["id"]: row["rule"] for row in coverage.sections(toy)} == {
        "1": "distance",
        "2": "los",
        "3": "fire",
        "3.1": "fire",
    }
    assert all(outcome.passed for outcome in cases.run(coverage.cases_folder(toy)))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["check", TOY], "Tout le contenu est valable."),
        (["coverage", TOY], "Le tir"),
        (["questions", TOY], "`los`"),
        (["where", "3.1", "--game", TOY], "fire, question"),
        (["cases", str(TOYS / TOY / "cases")], "2 passed, 0 failed"),
    ],
)
def test_the_command_line_takes_it(toy: str, command: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(command) == 0
    assert said in capsys.readouterr().out


def test_the_environment_names_folders_of_games() -> None:
    made = with_toys("-m", "tutor.cli", "check", TOY)
    assert (made.returncode, made.stdout.strip()) == (0, "Tout le contenu est valable.")


def test_knowing_the_games_imports_none() -> None:
    code = "import sys; from tutor.core.registry import GAMES; print(len(GAMES), [m for m in sys.modules if m.startswith('tutor.games.')])"
    assert with_toys("-c", code).stdout.strip() == f"{len(GAMES) + 1} []"


def test_what_was_read_ahead_is_read_again_once_a_file_of_the_game_has_changed(tmp_path: Path) -> None:
    shutil.copytree(TOYS, tmp_path, dirs_exist_ok=True)
    code = (
        "from tutor.core import ahead\n"
        "from tutor.core.registry import game\n"
        "toy = game('escarmouche')\n"
        "ahead.read_ahead()\n"
        "print([name in vars(toy) for name in ahead.CONTENTS])\n"
        "before, path = toy.sections, toy.folder / 'sections.yaml'\n"
        "ahead.forget_changed()\n"
        "print(toy.sections is before)\n"
        "path.write_text(path.read_text(encoding='utf-8').replace('Le tir', 'Le feu nourri'), encoding='utf-8')\n"
        "ahead.forget_changed()\n"
        "print([one.title for one in toy.sections.values()].count('Le feu nourri'), 'tables' in vars(game('tcs')))\n"
        "def refused(folder): raise PermissionError\n"
        "ahead.scandir = refused\n"
        "ahead.forget_changed()\n"
        "print('tables' in vars(game('tcs')), len(game('tcs').tables) > 1)\n"
    )
    made = with_toys("-c", code, folder=tmp_path)
    assert made.stdout.splitlines() == [str([True] * 6), "True", "1 True", "False True"], made.stderr


def test_kernels_are_copied_from_a_process_that_has_its_rules() -> None:
    code = (
        "import sys\n"
        "from widgets.serving.preload import make_readers, names\n"
        "from tutor.core.registry import game\n"
        "read = []\n"
        "print('tutor.games.escarmouche.fire' in names())\n"
        "asked = [one for rule in game('escarmouche').rules.values() for one in rule.arguments.values()]\n"
        "print(len(asked) > 2, ['reader' in vars(one) for one in asked].count(True))\n"
        "sys.addaudithook(lambda event, given: read.append(str(given[0])) if event == 'open' else None)\n"
        "make_readers()\n"
        "print(all('reader' in vars(one) for one in asked), [one for one in read if one.endswith('.yaml')])\n"
    )
    assert with_toys("-c", code).stdout.splitlines() == ["True", "True 0", "True []"]


def test_the_examples_of_its_rules_run(toy: str) -> None:
    runner, parser = doctest.DocTestRunner(), doctest.DocTestParser()
    for name, rule in game(toy).rules.items():
        examples = parser.get_doctest(rule.__doc__ or "", rule.function.__globals__, name, None, None)
        assert examples.examples, name
        assert runner.run(examples).failed == 0, name


# -- no game is named outside its folder ---------------------------------------------------------------------------


def without_docstrings(text: str) -> list[str]:
    """Every text and every name of a module, its docstrings left out: their examples show a game of the house."""
    tree = ast.parse(text)
    said = []
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            first.value.value = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.append(node)
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    names += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    names += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return [str(node.value) for node in said] + names


def naming(path: Path) -> list[str]:
    """What in a file names a game."""
    text = path.read_text(encoding="utf-8")
    lines = without_docstrings(text) if path.suffix == ".py" else text.splitlines()
    named = re.compile(rf"(?<![a-z])({'|'.join(GAMES)})(?![a-z])")
    return [f"{path.relative_to(ROOT)}: {line[:80]}" for line in lines if named.search(line)]


def outside_games() -> list[Path]:
    """Files that serve every game alike."""
    kinds = {".py", ".yaml", ".json", ".js", ".css", ".html", ".svg", ".tpl", ".j2"}
    files = [path for top in ("tutor", "widgets", "scripts", "bench") for path in (ROOT / top).rglob("*")]
    return [path for path in files if path.suffix in kinds and ROOT / "tutor" / "games" not in path.parents]


def test_no_game_is_named_outside_its_folder() -> None:
    files = outside_games()
    assert len(files) > 200
    assert [line for path in files for line in naming(path)] == []


@pytest.mark.parametrize(
    "text",
    [
        'X = {"tcs": 1}',
        'X = f"lecon/{1}/asl_sk/"',
        "from tutor.games.tcs.los.los import los",
        "import tutor.games.asl_sk",
        'def f():\n    """Doc."""\n    return "sherman_leader"',
    ],
)
def test_the_search_for_names_sees_them(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "essai.py"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    assert len(naming(path)) == 1


# -- folders that are no games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("short: X", "title manque"),
        ("title: X\ncouleur: rouge", "couleur"),
        ("title: 3", "title"),
        ("title: X\npages: [{page: aid}]", "pages"),
        ("title: X\npages: [{page: aid, title: Aide, teaser: Une feuille.}]", "pages"),
        ("- liste", "title manque"),
        ("title: [", "ligne"),
    ],
)
def test_a_broken_card_is_said_and_harms_no_other_game(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list(GAMES)
    (tmp_path / "essai").mkdir()
    path = tmp_path / "essai" / "game.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TutorError, match=said):
        facts(path)
    among_toys(monkeypatch, tmp_path)
    assert list(GAMES) == before
    assert len(GAMES.faults) == 1


def test_a_folder_that_is_not_there_and_a_name_twice_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    among_toys(monkeypatch, tmp_path / "absent")
    assert "n’est pas un dossier" in GAMES.faults[0]
    monkeypatch.undo()
    first = next(iter(GAMES))
    (tmp_path / first).mkdir()
    (tmp_path / first / "game.yaml").write_text("title: Autre", encoding="utf-8")
    title = GAMES[first]
    among_toys(monkeypatch, tmp_path)
    assert GAMES[first] == title
    assert "se nomme déjà" in GAMES.faults[0]


def test_a_game_without_kit_has_a_plain_board(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rulebook = game(toy)
    monkeypatch.setitem(rulebook.__dict__, "folder", ROOT / "tests")
    monkeypatch.delitem(rulebook.__dict__, "kit", raising=False)
    monkeypatch.setattr(rulebook, "positions", lambda: ["clairiere"])
    assert rulebook.kit.first == "clairiere"
    assert rulebook.kit.grid["kind"] == "square"
    monkeypatch.delitem(rulebook.__dict__, "kit")
