"""The live board without a browser: what it sends, what it answers, and that it survives whatever happens in a callback."""

from __future__ import annotations

import logging
from typing import Any

import ipycanvas
import pytest

from tests.screen import dressed, send, words
from tutor import ask, load_position
from tutor.core.errors import PositionError, RequestError
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from widgets.board.board import Board
from widgets.board.bridge import Bridge
from widgets.board.canvas import MANAGER, SCALE, frame
from widgets.board.errors import UNEXPECTED, guarded
from widgets.board.events import CursorMoved, EdgeClicked, HexClicked, KeyPressed, PieceDropped
from widgets.board.layers import Cursor, Note, Selection, Tint, layers_for
from widgets.board.panels.legend import LegendPanel
from widgets.board.panels.odds import OddsPanel
from widgets.board.panels.settings import BoardControls, TweakPanel
from widgets.board.panels.verdict import TracePanel, VerdictPanel
from widgets.board.text_twin import hex_text, twin_html
from widgets.pages.situation import Situation

PLACE = load_position("combat_commander", "livret-ldv")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Messages that the canvas manager sends, as lists of commands."""
    messages: list[Any] = []
    monkeypatch.setattr(MANAGER, "_send_custom", lambda command, buffers=(): messages.append(command))
    return messages


def sentences(result: Result[Any], position: Position) -> list[str]:
    """The sentences of a result's steps, in reading order."""
    return [game(position.game).sentence(step, position) for step in result.trace.walk() if step is not result.trace]


def ready(board: Board) -> Board:
    """The board once its page has connected."""
    send(board.canvas[-1], {"event": "client_ready"})
    return board


def press(board: Board, cell: str, dy: float = 0.0) -> None:
    """Press and release the button at a hex."""
    x, y = board.drawing_view.centre(cell)
    y += dy * board.drawing_view.radius
    board.pointer.press(x * SCALE, y * SCALE)
    board.pointer.lift(x * SCALE, y * SCALE)


# --- painting ----------------------------------------------------------------------------------------------------


def test_nothing_is_sent_before_the_page_has_connected(sent: list[Any]) -> None:
    board = Board(PLACE)
    board.select("J9")
    assert sent == []
    ready(board)
    assert len(sent) == 1


def test_a_repaint_is_one_message(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    sent.clear()
    with board.hold():
        board.select("J9", "K6")
        board.show("sight", *layers_for(ask(PLACE, "los", start="J9", end="K6"), PLACE, board.shapes))
    assert len(sent) == 1
    assert len(repr(sent[0])) < 20_000


def test_replacing_a_layer_repaints_that_layer_alone(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    sent.clear()
    board.show("cursor", Cursor("J9"))
    switches = [args for command, args, *_ in sent[0] if command == ipycanvas.canvas.COMMANDS["switchCanvas"]]
    assert switches == [[f"IPY_MODEL_{board.canvas[3].model_id}"]]


def test_showing_the_same_again_sends_nothing(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    board.select("J9")
    sent.clear()
    board.select("J9")
    assert sent == []


def test_moving_a_piece_leaves_the_ground_alone(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    sent.clear()
    board.position = PLACE.change({"piece.borbe.at": "K7"})
    ground = f"IPY_MODEL_{board.canvas[0].model_id}"
    assert len(sent) == 1
    assert ground not in repr(sent)
    board.position = board.position.change({"terrain.K7": "woods"})
    assert ground in repr(sent[-1])


def test_another_board_size_repaints_all() -> None:
    board = ready(Board(PLACE))
    small = load_position("combat_commander", "pile")
    board.position = small
    assert board.drawing_view.grid == small.grid
    assert board.canvas.width == board.drawing_view.width * SCALE


def test_an_exception_inside_a_frame_holds_nothing_back(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    sent.clear()

    def broken() -> None:
        with frame():
            board.canvas[0].fill_rect(0, 0, 1, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert MANAGER._caching is False
    assert sent == []
    board.select("J9")
    assert len(sent) == 1
    assert "fill_rect" not in repr(sent)


def test_frames_inside_a_frame_send_once(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    sent.clear()
    with frame():
        board.select("J9")
        with frame():
            board.show("note", Note("J9", "ici"))
    assert len(sent) == 1


def test_panels_come_after_the_paint(sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    order: list[str] = []

    def look(event: HexClicked) -> None:
        board.later(lambda: order.append(f"panel after {len(sent)}"))
        board.select(event.hex)

    board.on(HexClicked, look)
    sent.clear()
    press(board, "L7")
    assert order == ["panel after 1"]


# --- events ------------------------------------------------------------------------------------------------------


def heard(board: Board) -> list[Any]:
    """Events of a board, as they come."""
    events: list[Any] = []
    for kind in (HexClicked, EdgeClicked, PieceDropped, CursorMoved, KeyPressed):
        board.on(kind, events.append)
    return events


def test_a_click_names_the_hex_and_the_piece() -> None:
    board = Board(PLACE)
    events = heard(board)
    press(board, "K6")
    press(board, "K10")
    board.pointer.press(-10, -10)
    assert events == [HexClicked("K6", "borbe"), HexClicked("K10", None)]


def test_a_click_near_a_side_names_it_when_asked_for() -> None:
    board = Board(PLACE, edges=True)
    events = heard(board)
    press(board, "M8", 0.84)
    press(board, "M8")
    assert events == [EdgeClicked("M8/M9"), HexClicked("M8")]


def drag(board: Board, start: str, end: str) -> None:
    """Drag what lies in one hex to another."""
    (x, y), (u, v) = board.drawing_view.centre(start), board.drawing_view.centre(end)
    board.pointer.press(x * SCALE, y * SCALE)
    board.pointer.move((x + u) / 2 * SCALE, (y + v) / 2 * SCALE)
    board.pointer.move(u * SCALE, v * SCALE)
    board.pointer.lift(u * SCALE, v * SCALE)


def test_a_piece_is_dragged_where_it_may_be(sent: list[Any]) -> None:
    board = ready(Board(PLACE, drag=["borbe"]))
    events = heard(board)
    drag(board, "K6", "L7")
    drag(board, "J9", "L7")
    assert events == [PieceDropped("borbe", "K6", "L7"), HexClicked("J9", "herzog")]
    assert board.position == PLACE


def test_a_drag_that_ends_off_the_board_drops_nothing() -> None:
    board = Board(PLACE, drag=True)
    events = heard(board)
    x, y = board.drawing_view.centre("K6")
    board.pointer.press(x * SCALE, y * SCALE)
    board.pointer.move(x * SCALE, (y + 60) * SCALE)
    board.pointer.lift(-300, -300)
    assert events == []


def test_a_press_without_a_move_is_a_click_even_on_a_piece_that_may_be_dragged() -> None:
    board = Board(PLACE, drag=True)
    events = heard(board)
    press(board, "K6")
    assert events == [HexClicked("K6", "borbe")]


def test_a_finger_ends_where_it_was_last_seen() -> None:
    board = Board(PLACE, drag=True)
    events = heard(board)
    (x, y), (u, v) = board.drawing_view.centre("K6"), board.drawing_view.centre("L7")
    board.pointer.touch([(x * SCALE, y * SCALE)])
    board.pointer.move(u * SCALE, v * SCALE)
    send(board.canvas[-1], {"event": "touch_end", "touches": []})
    assert events == [PieceDropped("borbe", "K6", "L7", "touch")]


def test_the_keyboard_does_what_the_mouse_does() -> None:
    board = Board(PLACE)
    events = heard(board)
    board.select("J7")
    for key in ("ArrowRight", "ArrowUp", "ArrowRight", "Enter", "Escape", "Tab"):
        board.keyboard.press(key, False, False, False)
    assert events == [
        CursorMoved("J7"),
        CursorMoved("J6"),
        CursorMoved("K6"),
        HexClicked("K6", None, "keyboard"),
        KeyPressed("Escape"),
    ]
    assert board.bridge.announce.strip("\u200b").replace("\u00a0", " ").startswith("K6 : Bois")


def test_the_cursor_stays_on_the_board() -> None:
    board = Board(PLACE)
    events = heard(board)
    board.keyboard.press("Home")
    board.keyboard.press("ArrowLeft")
    assert events[-1] == CursorMoved("I3")


def test_ordinary_controls_do_what_the_mouse_does(shown: list[str]) -> None:
    board = Board(PLACE)
    events, controls = heard(board), BoardControls(board)
    controls.hex.value = " k6 "
    controls.choose.click()
    controls.piece.value = "herzog"
    controls.move.click()
    assert events == [HexClicked("K6", None, "control"), PieceDropped("herzog", "J9", "K6", "control")]
    controls.hex.value = "Z99"
    controls.choose.click()
    assert "Z99" in shown[-1]
    controls.hex.value, controls.piece.value = "K6", ""
    controls.move.click()
    assert "Choisissez" in shown[-1]


# --- errors ------------------------------------------------------------------------------------------------------


def test_an_error_meant_for_the_reader_is_shown_and_the_board_goes_on(shown: list[str], sent: list[Any]) -> None:
    board = ready(Board(PLACE))

    def look(event: HexClicked) -> None:
        board.select(event.hex)
        raise RequestError("Cela ne se peut pas.", remedy="Faites autrement.")

    board.on(HexClicked, look)
    sent.clear()
    press(board, "L7")
    assert shown[-1] == "Cela ne se peut pas. Faites autrement."
    assert len(sent) == 1
    press(board, "L8")
    assert board.layers == (Selection(("L8",), chosen=True),)


def test_any_other_error_is_logged_and_said_in_french(shown: list[str], caplog: pytest.LogCaptureFixture) -> None:
    @guarded
    def broken() -> None:
        raise KeyError("secret detail")

    with caplog.at_level(logging.ERROR):
        broken()
    assert shown == [UNEXPECTED]
    assert "secret detail" in caplog.text


def test_an_error_in_painting_does_not_silence_the_board(shown: list[str], sent: list[Any]) -> None:
    board = ready(Board(PLACE))
    board.on(HexClicked, lambda event: board.show("tint", Tint(("Q99",))))
    sent.clear()
    press(board, "L7")
    board.clear()
    board.select("L8")
    assert sent


# --- the page ----------------------------------------------------------------------------------------------------


def test_the_page_knows_the_board(sent: list[Any]) -> None:
    board = Board(PLACE, drag=["borbe"], label="Essai")
    facts = board.bridge.boards[board.id]
    assert facts["movable"] == ["K6"]
    assert facts["label"].startswith("Essai. Flèches")
    assert facts["cells"]["K6"] == pytest.approx(board.drawing_view.centre("K6"), abs=0.1)
    board.position = PLACE.change({"piece.borbe.at": "K7"})
    assert board.bridge.boards[board.id]["movable"] == ["K7"]


def test_a_narrow_page_gets_a_crop_and_zoom_steps() -> None:
    wide = load_position("combat_commander", "livret-ldv").change({})
    wide = wide.model_copy(update={"board": wide.board.model_copy(update={"columns": ("A", "O"), "rows": (1, 10)})})
    board = ready(Board(wide))
    send(board.bridge, {"type": "width", "board": board.id, "width": 360})
    first = board.drawing_view.radius
    assert first > 30
    assert board.canvas.layout.width == f"{board.drawing_view.width}px"
    board.viewport.closer.click()
    assert board.drawing_view.radius > first
    assert "ldv-closed" in dressed(board.viewport.closer)  # it keeps the focus of who pressed it
    board.viewport.farther.click()
    board.viewport.farther.click()
    assert board.drawing_view.width <= 360
    assert [made.disabled for made in (board.viewport.closer, board.viewport.farther)] == [False, False]
    assert "ldv-closed" in dressed(board.viewport.farther)
    send(board.bridge, {"type": "width", "board": board.id, "width": 900})
    assert board.canvas.layout.width == "100%"


def test_a_ping_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    page, answers = Bridge(), []
    monkeypatch.setattr(page, "send", answers.append)
    send(page, {"type": "ping"})
    send(page, "nonsense")
    assert answers == [{"type": "pong"}]


# --- panels ------------------------------------------------------------------------------------------------------


def test_steps_carry_what_the_page_lights() -> None:
    board = Board(PLACE)
    panel = TracePanel(board)
    panel.show(ask(PLACE, "los", start="J9", end="K6"), PLACE)
    html = panel.view.value
    assert html.count('class="ldv-step"') >= 5
    assert f'data-board="{board.id}"' in html
    assert 'data-hexes="J8"' in html
    assert 'data-outline="M' in html
    assert 'href="/?jeu=combat_commander&amp;regle=10.2"' in html


@pytest.mark.parametrize(
    ("start", "end", "outcome"), [("J9", "K6", "blocked"), ("M9", "N6", "hindered"), ("M9", "N9", "clear")]
)
def test_the_verdict_says_its_outcome(start: str, end: str, outcome: str) -> None:
    panel = VerdictPanel("combat_commander")
    panel.show(ask(PLACE, "los", start=start, end=end), PLACE)
    assert f'data-outcome="{outcome}"' in panel.view.value


def test_what_a_position_says_is_escaped_everywhere() -> None:
    position = PLACE.change({"piece.guttman.name": "<img src=x onerror=alert(1)>"})
    result = ask(position, "los", start="J9", end="K6")
    trace, verdict = TracePanel(Board(position)), VerdictPanel("combat_commander")
    trace.show(result, position)
    verdict.say("clear", "<script>")
    for html in (trace.view.value, verdict.view.value, twin_html(position, sentences(result, position))):
        assert "<img" not in html
        assert "<script" not in html


def test_the_text_twin_tells_the_board_and_the_result() -> None:
    board = Board(PLACE)
    result = ask(PLACE, "los", start="J9", end="K6")
    board.describe(sentences(result, PLACE))
    assert "Borbe (Chef, Axe" in board.twin.value
    assert "bloquée" in board.twin.value
    assert "mur" in board.twin.value
    assert hex_text(PLACE, "N8").replace("\u00a0", " ") == "N8 : Verger, fumigènes 7."


@pytest.mark.parametrize(
    ("woods", "said"),
    [
        ([], "B1. 2 hexs en terrain dégagé, niveau 0, sans pion.</p>"),
        (["A1"], "B1. 1 hex en terrain dégagé, niveau 0, sans pion\u202f; les autres"),
        (["A1", "B1"], "B1. 0 hex en terrain dégagé"),
    ],
)
def test_the_text_twin_counts_bare_hexes_in_french(woods: list[str], said: str) -> None:
    board = {"schema": 1, "game": PLACE.game, "id": "nu", "grid": {"columns": ["A", "B"], "rows": [1, 1]}}
    assert said in twin_html(Position.from_data(board | {"terrain": {"woods": woods}}))


def test_odds_remember_what_they_were() -> None:
    from fractions import Fraction

    panel = OddsPanel()
    panel.show({"Éliminée": Fraction(1, 3), "Indemne": Fraction(2, 3)})
    assert "--before" not in panel.view.value
    panel.show(
        {"Éliminée": Fraction(1, 2), "Indemne": Fraction(1, 2)}, spread={2: Fraction(1, 2), 3: Fraction(1, 2)}, least=3
    )
    assert "--before:33.33%" in panel.view.value
    assert "1\u202f/\u202f2" in panel.view.value
    assert panel.view.value.count("<rect") == 2
    panel.clear()
    assert panel.view.value == ""


def test_a_legend_is_drawn_when_opened() -> None:
    panel = LegendPanel(PLACE, Bridge())
    assert words(panel.view) == ""
    panel.view.selected_index = 0
    assert words(panel.view).count("<li>") == 7
    assert "Falaise" in words(panel.view)


# --- settings ----------------------------------------------------------------------------------------------------


@pytest.fixture
def situation() -> Situation:
    """A situation with one tweak of each kind."""
    data = PLACE.data()
    data["tweaks"] = [
        {"path": "marker.smoke.N8", "label": "Fumigènes en N8", "min": 1, "max": 10},
        {"path": "terrain.L8", "label": "Terrain en L8", "options": {"open": "dégagé", "woods": "bois"}},
        {"path": "piece.borbe.status.broken", "label": "Borbe démoralisé"},
        {"path": "piece.borbe.name", "label": "Nom"},
    ]
    return Situation(type(PLACE).from_data(data))


def test_settings_change_the_position_and_follow_it(situation: Situation) -> None:
    panel = TweakPanel(situation)
    panel.controls["marker.smoke.N8"].value = 3
    panel.controls["terrain.L8"].value = "open"
    panel.controls["piece.borbe.status.broken"].value = True
    panel.controls["piece.borbe.name"].value = "Borbe II"
    assert situation.position.marker("smoke", "N8") == 3
    assert "L8" not in situation.position.terrain_of
    assert situation.position.piece("borbe").status == ["broken"]
    assert situation.position.names["borbe"] == "Borbe II"
    for _ in range(4):
        situation.undo()
    assert panel.controls["marker.smoke.N8"].value == 7
    assert panel.controls["terrain.L8"].value == "woods"
    assert not panel.controls["piece.borbe.status.broken"].value
    assert not situation.can_undo


def test_buttons_beside_a_number_stay_within_its_bounds(situation: Situation) -> None:
    panel = TweakPanel(situation)
    less, more = panel.view.children[0].children[1:]
    for _ in range(12):
        more.click()
    assert situation.position.marker("smoke", "N8") == 10
    for _ in range(12):
        less.click()
    assert situation.position.marker("smoke", "N8") == 1


def test_an_impossible_change_is_refused_and_nothing_is_lost(situation: Situation) -> None:
    before = situation.position
    with pytest.raises(PositionError):
        situation.change({"terrain.Z9": "woods"})
    assert situation.position == before
    assert not situation.can_undo


def test_undo_redo_reset(situation: Situation) -> None:
    first, undoable = situation.position, []
    situation.on_change(lambda: undoable.append(situation.can_undo))
    situation.change({"terrain.L8": None})
    assert situation.undo()
    assert situation.position == first
    assert situation.redo()
    assert "L8" not in situation.position.terrain_of
    situation.reset()
    assert situation.position == first
    assert undoable == [True, False, True, True]
