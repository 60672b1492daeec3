"""Counters in each game's own manner: the values its players look for, where they look for them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tutor import load_position
from tutor.core.faces import Look
from tutor.core.grids_half import HalfHexGrid
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from widgets.board.counters.counters import pieces_drawing
from widgets.board.counters.face import face
from widgets.board.counters.layout import layout
from widgets.board.counters.names import frame_of
from widgets.board.counters.silhouettes import picture
from widgets.board.paint.shapes import Words, fitted
from widgets.board.paint.unit_names import unit_names
from widgets.board.palette import LIGHT
from widgets.board.panels.legend import legend_html
from widgets.board.text_twin import hex_text

#: Games that say how their counters look.
OWN = [name for name in GAMES if (style := game(name).counters) and style.look]
GRIDS = {"asl_sk": "half_hex", "tcs": "hex", "sherman_leader": "pointy", "heroes_of_normandie": "square"}


def _look(game_id: str, piece: str) -> Look:
    text = (
        f"schema: 1\ngame: {game_id}\nid: un\ngrid: {{kind: {GRIDS[game_id]}, columns: [A, C], rows: [1, 3]}}\n"
        f"pieces: [{{id: p, at: B2, {piece}}}]"
    )
    position = Position.parse(text)
    shown = face(position, position.piece("p")).look
    assert shown is not None
    return shown


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("kind: squad, side: axis, front: {fp: 4, range: 6, morale: 7}", "4-6-7"),
        ("kind: squad, side: axis, counter: american/squad", "6-6-6"),
        ("kind: squad, side: axis, counter: american/squad, status: [broken]", "8"),
        ("kind: squad, side: axis, front: {fp: 4, range: 6, morale: 7}, back: {morale: 9}, status: [broken]", "9"),
        ("kind: leader, side: axis, front: {morale: 9, leadership: -1}", "9-1"),
        ("kind: leader, side: axis, front: {morale: 8, leadership: 0}", "8-0"),
        ("kind: leader, side: axis, front: {morale: 6, leadership: 1}", "6+1"),
        ("kind: mg, side: axis, front: {fp: 5, range: 12, rof: 2, breakdown: 12}", "5-12"),
        ("kind: squad, side: axis", ""),
    ],
)
def test_asl_counters_read_as_its_players_read_them(piece: str, text: str) -> None:
    assert _look("asl_sk", piece).text == text


def test_asl_states_are_tags_and_underlines() -> None:
    shown = _look("asl_sk", "kind: squad, side: axis, counter: german/squad, status: [pinned, cx, underlined]")
    assert [tag.text for tag in shown.tags] == ["PIN", "CX"]
    assert shown.foot[-1].style == "underline"
    gun = _look(
        "asl_sk", "kind: mg, side: axis, front: {fp: 3, range: 8, rof: 1, breakdown: 11}, status: [malfunction]"
    )
    assert (gun.corner.text, gun.corner.style) == ("1", "box")  # type: ignore[union-attr]
    assert [tag.text for tag in gun.tags] == ["B11", "✕"]


def test_tcs_counters_tell_point_fire_morale_defence_and_steps() -> None:
    foot = _look("tcs", "kind: infantry, side: a, front: {attack: 4, range: 6, morale: 4, lost: 3}")
    assert (foot.text, foot.foot[0].style, foot.corner.style, foot.pips) == ("4 6", "plain", "box", (2, 3))  # type: ignore[union-attr]
    tank = _look("tcs", "kind: tank, side: a, front: {attack: 5, range: 7, defense: 4}")
    assert (tank.foot[0].style, tank.corner.text, tank.corner.style) == ("box", "4", "shield")  # type: ignore[union-attr]
    gun = _look("tcs", "kind: at_gun, side: a, front: {attack: 2, range: 6}, status: [fired, suppressed]")
    assert gun.corner.text == "3", "its kind's default"  # type: ignore[union-attr]
    assert [tag.text for tag in gun.tags] == ["F", "S"]


def test_sherman_counters_tell_what_the_booklet_prints_and_mark_what_it_does_not() -> None:
    rifle = _look("sherman_leader", "kind: rifle, side: enemy, counter: germany/rifle")
    assert [(mark.text, mark.style) for mark in rifle.foot] == [("?", "black"), ("5", "red")]
    assert rifle.corner.text == "3"  # type: ignore[union-attr]
    mg = _look("sherman_leader", "kind: rifle, side: enemy, counter: germany/mg, front: {he: 4}")
    assert [mark.text for mark in mg.foot] == ["–", "4"]
    board = load_position("sherman_leader", "tour-1")
    assert face(board, board.piece("u921")).look.side.text == "1"  # type: ignore[union-attr]


def test_heroes_counters_tell_orders_and_never_a_value() -> None:
    assert _look("heroes_of_normandie", "kind: infantry, side: axis, front: {order: 3}").corner.text == "3"  # type: ignore[union-attr]
    assert _look("heroes_of_normandie", "kind: infantry, side: axis, status: [special]").corner.text == "★"  # type: ignore[union-attr]
    assert _look("heroes_of_normandie", "kind: infantry, side: axis, status: [burst]").text == ""
    shown = _look("heroes_of_normandie", "kind: infantry, side: axis, status: [suppressed, unshakeable, fanatic]")
    assert [tag.text for tag in shown.tags] == ["S", "I", "F"]


def _positions() -> list[tuple[str, str]]:
    return [(name, position) for name in sorted(OWN) for position in game(name).positions()]


@pytest.mark.parametrize(("name", "position"), _positions())
def test_every_piece_of_every_position_is_drawn(name: str, position: str) -> None:
    board = load_position(name, position)
    items = layout(board, fitted(board.grid, 800, 800))
    drawn = {item.face.id for item in items} | {weapon.id for item in items for weapon in item.weapons}
    expected = {p.id for p in board.pieces if p.kind != "commander" and board.hex_of(p.id) in board.grid}
    assert drawn == expected
    pieces_drawing(board, fitted(board.grid, 800, 800), LIGHT)


def test_counters_lie_within_a_frame_that_cuts_their_hex_in_half() -> None:
    board = load_position("asl_sk", "trois-melees")
    assert isinstance(board.grid, HalfHexGrid)
    view = fitted(board.grid, 800, 800)
    for cell in filter(board.grid.halved, board.grid.cells):
        items = layout(board.change({f"piece.{piece}.at": cell for piece in ("gris", "bravo", "demi")}), view)
        boxes = [
            (one.x - one.size / 2, one.y - one.size / 2, one.x + one.size / 2, one.y + one.size / 2) for one in items
        ]
        sides = list(zip(*boxes, strict=True))
        left, top, right, bottom = frame_of(view)
        assert min(sides[0]) >= left, cell
        assert min(sides[1]) >= top, cell
        assert max(sides[2]) <= right, cell
        assert max(sides[3]) <= bottom, cell


def test_command_is_white_on_a_black_hexagon_as_the_booklet_prints_it() -> None:
    board = Position.parse(
        "schema: 1\ngame: combat_commander\nid: un\ngrid: {columns: [A, C], rows: [1, 3]}\n"
        "pieces: [{id: p, kind: leader, side: axis, at: B2, front: {fp: 1, range: 3, move: 6, morale: 8, command: 2}}]"
    )
    shapes = pieces_drawing(board, fitted(board.grid, 600, 600), LIGHT).shapes
    at = next(i for i, shape in enumerate(shapes) if isinstance(shape, Words) and shape.text == "2")
    assert shapes[at].fill == LIGHT.counter_white
    behind: Any = shapes[at - 1]
    assert (behind.fill, len(behind.paths[0])) == (LIGHT.counter_ink, 6)


def test_what_is_eliminated_leaves_the_board_with_what_it_carries() -> None:
    board = load_position("combat_commander", "melee").change({"piece.fusiliers.status.eliminated": True})
    drawn = layout(board, fitted(board.grid, 800, 800))
    assert {item.face.id for item in drawn} == {"servants", "pistolets", "milice", "ganz"}
    assert not any(item.weapons for item in drawn)
    assert [board.hex_of(name) for name in ("fusiliers", "mg", "servants")] == [None, None, "C3"]


def test_what_rides_is_drawn_half_size_on_what_carries_it() -> None:
    board = load_position("tcs", "livret-tir-zone")
    carrier = next(i for i in layout(board, fitted(board.grid, 800, 800)) if i.face.id == "halftrack-b1")
    assert [passenger.id for passenger in carrier.weapons] == ["platoon-b2"]


@pytest.mark.parametrize("name", GAMES)
def test_every_counter_has_a_picture(name: str) -> None:
    """Of the positions, and of the kinds that the tables name."""
    shown = [face(board, piece) for board in map(game(name).position, game(name).positions()) for piece in board.pieces]
    kinds = {one.look.picture if one.look else one.kind for one in shown}
    for table in ("units", "weapons"):
        if table in game(name).tables:
            rows = game(name).tables[table]
            kinds |= {kind for row in rows.rows if (kind := rows.get(row, "kind", None))}
    assert kinds
    assert not [kind for kind in kinds if picture(kind) is None]


def test_a_counter_without_values_or_of_an_unknown_kind_keeps_its_name_and_a_picture() -> None:
    text = (
        "schema: 1\ngame: combat_commander\nid: un\ngrid: {columns: [A, C], rows: [1, 3]}\n"
        "pieces: [{id: p, kind: sapeurs, side: axis, at: B2, name: Sapeurs}]"
    )
    board = Position.parse(text)
    view = fitted(board.grid, 600, 600)
    written = [shape.text for shape in unit_names(board, view, LIGHT).shapes if isinstance(shape, Words)]
    assert written == ["Sapeurs"]
    team = Position.parse(text.replace("kind: sapeurs", "kind: team"))
    assert pieces_drawing(board, view, LIGHT).shapes == pieces_drawing(team, view, LIGHT).shapes


def test_a_phone_still_shows_the_values() -> None:
    board = load_position("asl_sk", "pions")
    drawing = pieces_drawing(board, fitted(board.grid, 360, 1000), LIGHT)
    words: list[Any] = [shape for shape in drawing.shapes if isinstance(shape, Words)]
    assert min(word.size for word in words if word.text == "4-6-7") >= 7.5


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_legend_speaks_of_the_counters_of_its_own_game(name: str) -> None:
    text = legend_html(load_position(name, next(iter(game(name).positions())))).replace("\u00a0", " ")
    own = {"asl_sk": "4-6-7", "tcs": "écu", "sherman_leader": "AP sur noir", "heroes_of_normandie": "sous-officier"}
    assert own.get(name, "commandement") in text
    assert ("commandement" in text) == (name == "combat_commander")


def test_a_page_of_one_game_loads_the_manner_of_no_other() -> None:
    code = (
        "import sys; from tutor import load_position; from widgets.board.svg import board_svg\n"
        "board_svg(load_position('combat_commander', 'livret-ldv'))\n"
        "print(sorted(m for m in sys.modules if m.startswith(('tutor.games.'))))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not [name for name in OWN if name in said]


@pytest.mark.parametrize(
    ("name", "position", "cell", "said"),
    [
        ("asl_sk", "pions", "C4", "Terrain dégagé, route ; Squad 4-6-7 (Squad, Axe, FP 4, portée 6, moral 7)"),
        ("tcs", "livret-panther", "02.03", "Panther (Char, Axe, attaque 5, portée 7, défense 4)"),
        ("tcs", "livret-ldv", "04.05", "Terrain clair, 80 m"),
    ],
)
def test_the_board_in_text_speaks_the_words_of_its_game(name: str, position: str, cell: str, said: str) -> None:
    assert said in hex_text(load_position(name, position), cell, True).replace("\u00a0", " ")
