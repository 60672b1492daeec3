"""The library as somebody else uses it: its door, and a board in a notebook of one's own."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import ipywidgets as ipw
import pytest
import traitlets as t

import widgets
from tutor import Context, Position, ask, game, load_position, sentences
from tutor.core.arguments import Start
from tutor.core.errors import ContentError
from tutor.core.registry import Game
from widgets import Board, HexClicked, LineOfSight, Selection, Tint, board_svg, distributions, exercise, layers_for

PLACE = load_position("combat_commander", "livret-ldv")
HEAVY = ("ipywidgets", "ipycanvas", "anywidget", "tutor.core.position", "widgets.board", "widgets.player")


@pytest.fixture
def rules() -> Iterator[Game]:
    """A game whose questions of one's own are forgotten afterwards."""
    rules = game("combat_commander").load()
    known, said = dict(rules._rules), dict(rules._sentences)
    yield rules
    rules._rules, rules._sentences = known, said
    rules.__dict__.pop("phrases", None)


# --- the door ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", widgets.__all__)
def test_every_name_of_the_door_opens(name: str) -> None:
    assert getattr(widgets, name) is not None
    assert name in dir(widgets)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="Plateau"):
        _ = widgets.Plateau


@pytest.mark.parametrize("door", ["widgets", "tutor"])
def test_a_door_imports_nothing_before_it_is_used(door: str, root: Path) -> None:
    code = f"import sys, {door}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_types_are_marked(root: Path) -> None:
    assert (root / "widgets" / "py.typed").is_file()


def test_what_the_door_gives_is_strictly_typed(root: Path) -> None:
    overrides = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["overrides"]

    def codes(key: str, module: str) -> set[str]:
        listed = [one for one in overrides if any(fnmatch(module, name) for name in one["module"])]
        return {code for one in listed for code in one.get(key, ())}

    given = {getattr(widgets, name).__module__ for name in widgets.__all__}
    assert "widgets.player.own" in given
    assert {module: codes("disable_error_code", module) - codes("enable_error_code", module) for module in given} == {
        module: set() for module in given
    }


# --- the board -----------------------------------------------------------------------------------------------------


def test_a_board_has_few_public_methods() -> None:
    own = [name for name, value in vars(Board).items() if not name.startswith("_") and inspect.isfunction(value)]
    assert 10 < len(own) <= 25


def test_public_methods_say_what_they_do() -> None:
    for name, value in vars(Board).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            assert inspect.getdoc(value), name


def test_a_board_sits_in_any_box() -> None:
    board = Board(PLACE)
    assert isinstance(board, ipw.DOMWidget)
    assert ipw.HBox([board, ipw.Label("à côté")]).children[0] is board
    assert ipw.Tab([board]).children == (board,)


@pytest.mark.parametrize("name", ["position", "layers", "selected", "label"])
def test_a_trait_is_declared(name: str) -> None:
    assert isinstance(Board.class_traits()[name], t.TraitType)


def test_traits_are_set_and_observed() -> None:
    board, seen = Board(PLACE), []
    board.observe(lambda change: seen.append((change["name"], change["new"])), ["layers", "selected", "label"])
    board.label = "Mon plateau"
    board.layers = (Tint(("K6",)),)
    board.selected = ("J9",)
    assert ("label", "Mon plateau") in seen
    assert ("layers", (Tint(("K6",)),)) in seen
    assert ("selected", ("J9",)) in seen
    assert board.layers == (Tint(("K6",)), Selection(("J9",), chosen=True))


def test_a_position_that_is_set_is_observed_and_drawn() -> None:
    board, seen = Board(PLACE), []
    before = board.svg()
    board.observe(lambda change: seen.append(change["new"]), "position")
    moved = PLACE.change({"piece.borbe.at": "K7"})
    board.position = moved
    assert seen == [moved]
    assert board.svg() != before


def test_layers_that_are_set_replace_what_was_chosen() -> None:
    board = Board(PLACE)
    board.select("J9")
    board.layers = ()
    assert board.selected == ()


def test_what_is_no_position_is_refused() -> None:
    board = Board(PLACE)
    with pytest.raises(t.TraitError):
        board.position = "livret-ldv"
    assert board.position is PLACE


def test_a_click_is_an_event() -> None:
    board, clicked = Board(PLACE), []
    board.on(HexClicked, lambda event: clicked.append(event.hex))
    board.emit(HexClicked("K6"))
    assert clicked == ["K6"]


def test_a_handler_is_taken_off_alone_even_while_events_are_sent() -> None:
    board, heard = Board(PLACE), []

    def once(event: HexClicked) -> None:
        heard.append(("once", event.hex))
        off()

    off = board.on(HexClicked, once)
    board.on(HexClicked, lambda event: heard.append(("always", event.hex)))
    board.emit(HexClicked("K6"))
    board.emit(HexClicked("J9"))
    off()
    assert heard == [("once", "K6"), ("always", "K6"), ("always", "J9")]


def test_a_line_of_sight_is_a_layer_and_a_picture() -> None:
    seen = ask(PLACE, "los", start="J9", end="K6")
    layers = layers_for(seen, PLACE)
    (line,) = layers
    assert isinstance(line, LineOfSight)
    assert (line.start, line.end, line.state, line.rule) == ("J9", "K6", "blocked", "10.2")
    assert board_svg(PLACE, layers) != board_svg(PLACE)
    assert Board(PLACE, layers).svg() == board_svg(PLACE, layers, ground="inline")


# --- what rules say ------------------------------------------------------------------------------------------------


def test_a_result_is_said_in_french() -> None:
    said = sentences(ask(PLACE, "los", start="J9", end="K6"), PLACE)
    assert said[-1] == "La ligne de vue est bloquée en J8."
    assert all(sentence.endswith((".", ":")) for sentence in said)


def test_odds_are_shares_of_one() -> None:
    place = load_position("combat_commander", "livret-tir")
    odds = ask(place, "fire_odds", firers=["peloton-l8"], target="M6")
    (_, shares), *_ = distributions(odds.value, place)
    assert sum(shares.values()) == 1


# --- a question and an exercise of one's own -----------------------------------------------------------------------


def declared(rules: Game, module: str) -> Any:
    """A question that counts the hexes seen from one, as a module declares it."""

    def seen_from(ctx: Context, start: Start) -> tuple[str, ...]:
        cells = [cell for cell in ctx.position.grid.cells if cell != start]
        seen = tuple(c for c in cells if ask(ctx.position, "los", trace=False, start=start, end=c).value.visible)
        ctx.step("10", "seen_from.count", start=start, seen=len(seen))
        return seen

    seen_from.__module__ = module
    said = {"seen_from.count": "De {start}, on voit {seen:pl,hex,hexs}."}
    return rules.question("seen_from", rules=["10"], label="Que voit-on ?", theme="Vue et tir", sentences=said)(
        seen_from
    )


def small() -> Position:
    """Five columns with a wood between them."""
    return Position.parse(
        "{schema: 1, game: combat_commander, id: petit, grid: {columns: [A, E], rows: [1, 3]}, terrain: {woods: [C2]}}"
    )


def test_a_question_of_ones_own_is_asked_and_said(rules: Game) -> None:
    declared(rules, "__main__")
    seen = ask(small(), "seen_from", start="A2")
    assert "B2" in seen.value
    assert "E2" not in seen.value
    assert sentences(seen, small()) == [f"De A2, on voit {len(seen.value)}\u00a0hexs."]


def test_a_cell_is_run_again(rules: Game) -> None:
    declared(rules, "__main__")
    again = declared(rules, "__main__")
    assert rules.rules["seen_from"] is again


@pytest.mark.parametrize("module", ["tutor.games.combat_commander.los", "mine"])
def test_two_questions_of_a_game_have_two_names(rules: Game, module: str) -> None:
    declared(rules, module)
    with pytest.raises(ContentError, match="seen_from"):
        declared(rules, module)
    with pytest.raises(ContentError, match="seen_from"):
        declared(rules, "__main__")


@pytest.mark.parametrize("missed", [0, 1])
def test_an_exercise_of_ones_own_is_computed_and_judged(rules: Game, missed: int) -> None:
    declared(rules, "__main__")
    place = small()
    shown = exercise(place, "seen_from", "Que voit-on de A2 ?", {"kind": "hexes", "from": "value"}, start="A2")
    (board,) = (widget for widget in below(shown) if isinstance(widget, Board))
    for cell in ask(place, "seen_from", start="A2").value[missed:]:
        board.emit(HexClicked(cell))
    (verify,) = (w for w in below(shown) if isinstance(w, ipw.Button) and w.description == "Vérifier")
    verify.click()
    said = "".join(w.value for w in below(shown) if isinstance(w, ipw.HTML))
    assert f'data-right="{str(not missed).lower()}"' in said
    assert ("De A2, on voit" in said) is (not missed)  # the proof of a miss waits for the second


def test_an_exercise_without_an_answer_is_refused() -> None:
    with pytest.raises(ContentError, match="hexes"):
        exercise(small(), "los", "Que voit-on ?", {"kind": "hexes"}, start="A2", end="E2")


def below(widget: ipw.Widget) -> Iterator[ipw.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from below(child)
