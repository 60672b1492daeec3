"""Positions: strict text in, canonical text out, changes that touch nothing else, faults named in French."""

from __future__ import annotations

import base64
import zlib

import pytest

from tutor import game, load_position
from tutor.core.errors import ContentError, PositionError, TutorError, UnknownHex
from tutor.core.position import MAX_LINK, Position

HEAD = "schema: 1\ngame: combat_commander\nid: essai\ngrid: {columns: [A, E], rows: [1, 5]}\n"
POSITIONS = [(g, name) for g in ("combat_commander",) for name in game(g).positions()]


@pytest.mark.parametrize(("game_id", "name"), POSITIONS, ids=[f"{g}/{n}" for g, n in POSITIONS])
def test_every_position_is_possible_and_reads_back_the_same(game_id: str, name: str) -> None:
    position = load_position(game_id, name)
    assert game(game_id).problems(position) == []
    assert Position.parse(position.dump()) == position
    assert Position.parse(position.dump()).dump() == position.dump()
    assert Position.from_link(position.to_link()) == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["décrit pas une position", "schema: 1"]),
        ("[1, 2]", ["décrit pas une position"]),
        ("a: [1", ["ligne"]),
        ("schema: 1\nschema: 1", ["ligne 2", "deux fois"]),
        ("a: &x [1]\nb: *x", ["alias"]),
        ("schema: 1\ngame: combat_commander\nid: x", ["grid", "manque"]),
        (HEAD + "terrains: {}", ["terrains", "clé inconnue"]),
        (HEAD + "terrain: {woods: B2}", ["terrain.woods", "liste"]),
        (HEAD + "terrain: {woods: [forêt]}", ["terrain.woods.0", "forêt"]),
        (HEAD + "levels: {haut: [B2]}", ["levels", "entier"]),
        (HEAD + "sides: {wall: [B2-C2]}", ["sides.wall.0"]),
        (HEAD + "ways: {road: {B2: [7]}}", ["ways.road.B2.0", "trop grand"]),
        (HEAD + "pieces: [{id: a, kind: squad}]", ["pieces.0.side", "manque"]),
        (HEAD + "pieces: [{id: a, kind: squad, side: axis, front: {fp: beaucoup}}]", ["pieces.0.front.fp", "beaucoup"]),
        (HEAD.replace("[1, 5]", "[1, 500]"), ["grid.rows.1", "trop grand"]),
        (HEAD.replace("schema: 1", "schema: 2"), ["schema"]),
    ],
)
def test_broken_text_is_refused_with_place_and_reason(text: str, words: list[str]) -> None:
    with pytest.raises((PositionError, ContentError)) as caught:
        Position.parse(text, "essai.yaml")
    assert "essai.yaml" in str(caught.value)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.remedy


def test_every_fault_of_a_text_is_named_at_once() -> None:
    with pytest.raises(PositionError) as caught:
        Position.parse(HEAD + "terrain: {woods: B2}\nsides: 3\npieces: [{id: a}]")
    for place in ("terrain.woods", "sides", "pieces.0.kind", "pieces.0.side"):
        assert place in str(caught.value)


def _packed(raw: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "é",
        "abc",
        "A" * (MAX_LINK + 1),
        _packed(b"[]"),
        _packed(b"\xff\xfe"),
        _packed(b"[" * 50_000),
        _packed(b" " * 2_000_000),
    ],
    ids=["vide", "accent", "court", "trop-long", "liste", "octets", "profond", "bombe"],
)
def test_a_damaged_link_gives_one_french_sentence(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_link(text)
    assert caught.value.sentence.endswith(".")


@pytest.mark.parametrize(
    ("changes", "path", "expected"),
    [
        ({"terrain.B2": "woods"}, "terrain.B2", "woods"),
        ({"terrain.B2": "woods", "terrain.B3": "woods"}, "terrain.B3", "woods"),
        ({"terrain.C3": None}, "terrain.C3", None),
        ({"level.B2": 2}, "level.B2", 2),
        ({"level.C3": 0}, "level.C3", 0),
        ({"side.B2/C2": "wall"}, "side.C2/B2", "wall"),
        ({"side.C2/B2": "wall", "side.B2/C2": None}, "side.B2/C2", None),
        ({"marker.smoke.B2": 4}, "marker.smoke.B2", 4),
        ({"marker.smoke.D4": None}, "marker.smoke.D4", None),
        ({"way.road.B2": [1, 4]}, "way.road.B2", [1, 4]),
        ({"piece.chef.at": "E5"}, "piece.chef.at", "E5"),
        ({"piece.chef.front.command": 1}, "piece.chef.front.command", 1),
        ({"piece.chef.status.broken": True}, "piece.chef.status.broken", True),
        ({"piece.chef.status.suppressed": False}, "piece.chef.status.suppressed", False),
        ({"state.defender": "axis"}, "state.defender", "axis"),
        ({"setting.vertex_contact": "ignored"}, "setting.vertex_contact", "ignored"),
    ],
)
def test_a_change_sets_what_it_names_and_nothing_else(changes: dict[str, object], path: str, expected: object) -> None:
    before = Position.parse(
        HEAD + "levels: {1: [C3]}\nterrain: {brush: [C3]}\nmarkers: {smoke: {D4: 7}}\n"
        "pieces:\n- {id: chef, kind: leader, side: axis, at: A1, front: {command: 2}, status: [suppressed]}"
    )
    text = before.dump()
    after = before.change(changes)
    assert after.read(path) == expected
    assert before.dump() == text
    undone = after.change({p: before.read(p) for p in changes})
    assert undone == before


@pytest.mark.parametrize("path", ["forêt.B2", "piece", "piece.personne.at", "piece.chef.id", "terrain", "marker.smoke"])
def test_a_change_that_names_nothing_is_refused(path: str) -> None:
    position = Position.parse(HEAD + "pieces: [{id: chef, kind: leader, side: axis, at: A1}]")
    with pytest.raises(PositionError):
        position.change({path: "x"})


def test_an_impossible_position_loads_and_lists_all_its_faults() -> None:
    position = Position.parse(
        HEAD
        + "levels: {9: [B2], 1: [Z1]}\nterrain: {forest: [B2], woods: [B3], brush: [B3], marsh: [C3], water_barrier: [D2]}\n"
        + "sides: {wall: [A1/C3], hedge: [B2/C2], fence: [C2/B2]}\nways: {canal: {A1: [1]}, road: {Z9: [1]}}\n"
        + "markers: {smoke: {C3: 4, A2: 99}, blaze: {A3: true}, feu: {A1: 1}}\njoined: [[B3, C3]]\n"
        + "pieces:\n- {id: a, kind: squad, side: axis, at: A3}\n- {id: a, kind: squad, side: axis, at: Z3}\n"
        + "- {id: b, kind: squad, side: axis, at: D2}\n- {id: c, kind: mg, side: axis, carrier: personne}\n"
        + "- {id: d, kind: squad, side: axis, at: E5}\n- {id: e, kind: squad, side: allies, at: E5}\n"
        + "- {id: f, kind: radio, side: axis}\n- {id: g, kind: radio, side: axis}"
    )
    faults = game("combat_commander").problems(position)
    for words in (
        ["Niveaux", "9"], ["Niveaux", "Z1"], ["forest"], ["B3", "Bois", "Broussailles"], ["A1 et C3"], ["Haie", "Clôture"], ["canal"],
        ["Voies", "Z9"], ["C3", "aquatique"], ["A2", "1 à 10"], ["Incendie en A3"], ["feu"], ["réunis"], ["deux se nomment"],
        ["hors du plateau"], ["infranchissable"], ["personne"], ["E5", "Mêlée"], ["Radios", "8.1.2"],
    ):  # fmt: skip
        assert any(all(word in fault for word in words) for fault in faults), (words, faults)


def test_a_drawing_that_crosses_itself_is_a_fault() -> None:
    bow_tie = "silhouettes: [{hex: B2, polygon: [[100, 80], [140, 120], [140, 80], [100, 120]]}]"
    square = "silhouettes: [{hex: B2, polygon: [[100, 80], [140, 80], [140, 120], [100, 120]]}]"
    problems = game("combat_commander").problems
    assert any("B2 se croise" in fault for fault in problems(Position.parse(HEAD + bow_tie)))
    assert problems(Position.parse(HEAD + square)) == []


def test_an_unknown_hex_is_refused_with_the_corners_of_the_board() -> None:
    with pytest.raises(UnknownHex) as caught:
        load_position("combat_commander", "plateau-livret").grid.check("Z99")
    assert "I3" in caught.value.sentence
    assert "O10" in caught.value.sentence


@pytest.mark.parametrize(
    ("kind", "columns", "said"),
    [
        ("hex", ["A", "E"], "L’hex « 99 » n’est pas sur ce plateau. Choisissez un hex de A1 à E5."),
        ("half_hex", ["A", "E"], "L’hex « 99 » n’est pas sur ce plateau. Choisissez un hex de A1 à E5."),
        ("hex-numbered", ["01", "05"], "L’hexagone « 99 » n’est pas sur ce plateau. Choisissez un hexagone de 01.01 à"),
        ("pointy", ["A", "E"], "L’hexagone « 99 » n’est pas sur ce plateau. Choisissez un hexagone de A1 à E5."),
        ("square", ["A", "E"], "La case « 99 » n’est pas sur ce plateau. Choisissez une case de A1 à E5."),
    ],
)
def test_what_is_not_on_a_board_is_called_as_its_cells_are(kind: str, columns: list[str], said: str) -> None:
    grid = {"kind": kind, "columns": columns, "rows": [1, 5]}
    made = Position.from_data({"schema": 1, "game": "combat_commander", "id": "essai", "grid": grid})
    with pytest.raises(UnknownHex) as refused:
        made.grid.check("99")
    assert refused.value.sentence.startswith(said)


def test_every_error_of_the_house_is_a_tutor_error() -> None:
    assert issubclass(PositionError, TutorError)
    assert issubclass(ContentError, TutorError)


def test_a_position_written_in_a_lesson_builds_on_one_of_the_game_as_a_file_does() -> None:
    rulebook = game("combat_commander")
    built = rulebook.position({"base": "plateau-livret", "id": "ici", "changes": {"terrain.J7": "woods"}})
    assert built.terrain_of == rulebook.position("plateau-livret").change({"terrain.J7": "woods"}).terrain_of
    assert built.id == "ici"


@pytest.mark.parametrize("changes", [["terrain.J7"], {7: "woods"}, None])
def test_changes_that_are_none_are_refused(changes: object) -> None:
    with pytest.raises(PositionError, match="base : clé inconnue"):
        game("combat_commander").position({"base": "plateau-livret", "changes": changes})


def test_the_data_of_a_position_is_a_copy_and_that_of_a_copy_is_its_own() -> None:
    position = load_position("combat_commander", "livret-ldv")
    before = position.dump()
    mine = position.data()
    mine["pieces"][0]["at"] = "A1"
    mine["terrain"].clear()
    assert position.dump() == before
    bare = position.model_copy(update={"pieces": [], "title": "Vide"})
    assert "pieces" not in bare.data()
    assert bare.data()["title"] == "Vide"
    assert bare.change({"terrain.A1": "woods"}).pieces == []
    assert position.dump() == before
