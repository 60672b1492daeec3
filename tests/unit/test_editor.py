"""The editor without a browser: every game's palettes, pieces, questions and settings, one history for all."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.core.errors import TutorError
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.matching import view
from widgets.authored import Asked, asked_result, example_data
from widgets.editor import STEPS, Editor, EditorPage
from widgets.editor_answers import answer_for, field_of
from widgets.editor_pieces import known, printed, stock, trait
from widgets.editor_preview import example_of
from widgets.editor_questions import Field, answerable, fields, first_arguments, questions
from widgets.editor_state import Draft, Workbench
from widgets.editor_themes import ALL
from widgets.editor_words import TRAITS
from widgets.sandbox_kits import KITS


def editing(game_id: str, name: str = "") -> Editor:
    return Editor(game_id, Draft(load_position(game_id, name or KITS[game_id].first)))


def go(made: Editor, step: str) -> None:
    made._step.value = step


@pytest.mark.parametrize("game_id", GAMES)
def test_every_step_shows_in_every_game(game_id: str) -> None:
    made = editing(game_id)
    for step in STEPS.values():
        go(made, step)
        assert made.step == step


@pytest.mark.parametrize("game_id", GAMES)
def test_every_position_of_the_course_is_edited_and_comes_back(game_id: str) -> None:
    made = Editor(game_id)
    for name in game(game_id).positions():
        made.bench.restart(Draft(load_position(game_id, name)))
        made.keep._write()
        made.keep.read(made.keep._text.value)
        assert made.bench.position == load_position(game_id, name)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_palette_paints(game_id: str) -> None:
    made = Editor(game_id)
    bench, ground = made.bench, made.ground
    cells = bench.position.grid.cells
    cell, beside = cells[len(cells) // 2], bench.position.grid.neighbours(cells[len(cells) // 2])[0]
    for _, mode in ground._mode.options:
        ground._mode.value = mode
        before = bench.position
        if mode == "size":
            continue
        if mode in ("side", "way"):
            ground.edge(bench.position.canonical_side(f"{cell}/{beside}"))
        else:
            ground.click(cell)
        if mode == "join":
            ground.click(beside)
        assert bench.position != before, mode
        bench.undo()
        assert bench.position == before
        bench.redo()


@pytest.mark.parametrize("game_id", GAMES)
def test_pieces_are_placed_changed_and_removed(game_id: str) -> None:
    made = Editor(game_id)
    go(made, "pieces")
    cell = made.bench.position.grid.cells[0]
    made._clicked(cell, None)
    piece = made.bench.position.pieces[0]
    assert made.pieces.chosen == piece.id
    made.pieces._set(piece.id, "name", "Autre")
    made.pieces._number(piece.id, next(iter(piece.front), "morale"), "7")
    made.pieces._put(piece.id, made.bench.position.grid.cells[1])
    changed = made.bench.position.by_id[piece.id]
    assert (changed.name, changed.at, 7 in changed.front.values()) == ("Autre", made.bench.position.grid.cells[1], True)
    with pytest.raises(TutorError, match="entier"):
        made.pieces._number(piece.id, "morale", "beaucoup")
    made.pieces._remove(piece.id)
    assert made.bench.position.pieces == []


def test_the_side_and_the_nation_of_what_is_placed_agree() -> None:
    made = Editor("combat_commander")
    go(made, "pieces")
    made.pieces._side.value = "allies"
    made._clicked("A1", None)
    assert made.bench.position.pieces[0].side == "allies"
    made.pieces._group.value = "Allemagne"
    assert made.pieces._side.value == "axis"


@pytest.mark.parametrize("game_id", list(GAMES))
def test_the_nations_of_the_counters_bear_their_french_names(game_id: str) -> None:
    for group, pieces in stock(game_id).items():
        keys = {brush.partition(":")[2].partition("/")[0] for _, brush in pieces}
        assert group.casefold() not in keys, f"« {group} » is the engine's word"


@pytest.mark.parametrize("game_id", list(GAMES))
def test_what_a_piece_is_or_suffers_is_called_in_the_words_of_its_game(game_id: str) -> None:
    held = game(game_id)
    kinds, states, values = known(game_id)
    for key in (*kinds, *states, *values):
        assert key in TRAITS[game_id] or held.phrases.term(key) != key, f"{key}: see TRAITS in widgets/editor_words.py"
    for keys, field in ((kinds, ""), (states, "status"), (values, "front")):
        labels = [trait(game_id, key, field) for key in keys]
        assert len(set(labels)) == len(labels), "two things of one name"


def test_a_weapon_goes_to_a_carrier_and_leaves_it() -> None:
    made = editing("combat_commander", "pions")
    carried = next(p for p in made.bench.position.pieces if p.carrier)
    made.pieces.chosen = carried.id
    made.pieces._carry(carried.id, "")
    loose = made.bench.position.by_id[carried.id]
    assert (loose.carrier, loose.at) == (None, made.bench.position.hex_of(str(carried.carrier)))
    made.pieces._carry(carried.id, str(carried.carrier))
    assert made.bench.position.by_id[carried.id].carrier == carried.carrier
    assert made.bench.position.by_id[carried.id].at is None


@pytest.mark.parametrize("game_id", GAMES)
def test_every_question_is_asked_with_pickers(game_id: str) -> None:
    position = load_position(game_id, KITS[game_id].first)
    answered = 0
    for one in questions(game_id):
        assert one.label.strip()
        assert all(a.label and (a.kind != "unknown" or not a.required) for a in one.arguments), one.name
        asked = Asked.model_validate({"ask": one.name, "with": first_arguments(position, one.name)})
        try:
            result = asked_result(position, asked)
        except TutorError:
            continue  # this board has nothing such a question speaks of, and the engine says so
        answered += 1
        assert bool(fields(result, position)) == (result.outcome != "unknown")
        assert example_data(position, asked, "exemple", "Exemple")["ask"] == one.name
    assert answered > len(questions(game_id)) / 3


@pytest.mark.parametrize("game_id", GAMES)
def test_the_engine_answers_the_first_question(game_id: str) -> None:
    made = editing(game_id)
    go(made, "question")
    made.question._which.value = "los"
    asked = made.bench.asked
    assert asked is not None
    assert asked.answer is not None
    assert "d’après les règles" in made.question._expected.value
    assert example_of(made.bench.draft).question is not None
    made.bench.undo()
    assert made.bench.asked is None


def test_clicks_choose_the_arguments_in_turn() -> None:
    made = editing("combat_commander")
    go(made, "question")
    made.question._which.value = "los"
    made._clicked("L7", None)
    made._clicked("L10", None)
    assert made.bench.asked is not None
    assert made.bench.asked.with_ == {"start": "L7", "end": "L10"}


@pytest.mark.parametrize(
    ("field", "way", "others", "labels", "path"),
    [
        (Field("outcome", "Permis", "flag", "refused", "non"), "", "", ["Oui", "Non"], "outcome"),
        (Field("value.fp", "PF", "number", 11, "11"), "choice", "9 ; 10", ["9", "10", "11"], "value.fp"),
        (Field("value.fp", "PF", "number", 11, "11"), "choice", "", ["10", "11", "12"], "value.fp"),
        (Field("value.hit", "Touche", "number", "1/2", "1/2"), "choice", "", ["1/4", "1/2", "3/4"], "value.hit"),
        (Field("value.fp", "PF", "number", 11, "11"), "number", "", [], "value.fp"),
        (Field("value", "Valeur", "number", 3, "3"), "", "", [], "value"),
        (Field("value.may", "Peuvent", "text", ["a", "b"], "A, B"), "", "C", ["A, B", "C"], "value.may"),
        (Field("value.crossed", "Hexs", "hexes", ["A1"], "A1"), "", "", [], "value.crossed"),
        (Field("value.order", "Ordre", "text", "advance", "avance"), "", "Repli", ["Avance", "Repli"], "value.order"),
        (
            Field("value.state", "Vue", "text", "clear", "dégagée"),
            "",
            "",
            ["Dégagée", "Gênée", "Réduite", "Bloquée"],
            "value.state",
        ),
    ],
)
def test_an_answer_is_made_of_a_field(field: Field, way: str, others: str, labels: list[str], path: str) -> None:
    made = answer_for(field, way, others)
    assert sorted(c.label for c in made.choices) == sorted(labels)
    assert field_of(made) == path


def test_the_numbers_to_choose_from_stand_in_their_order() -> None:
    made = answer_for(Field("value.hit", "Touche", "number", "3/5", "3/5"), "choice", "1/2 ; 3/4 ; 1/4")
    assert [c.label for c in made.choices] == ["1/4", "1/2", "3/5", "3/4"]


def test_a_choice_that_is_no_number_is_refused() -> None:
    with pytest.raises(TutorError):
        answer_for(Field("value.fp", "PF", "number", 11, "11"), "choice", "beaucoup")


@pytest.mark.parametrize("kind", ["terrain", "level", "side", "marker", "status", "front"])
def test_what_is_tweakable_is_chosen_not_typed(kind: str) -> None:
    made = editing("combat_commander", "pions")
    go(made, "tweaks")
    made.tweaks._kind.value = kind
    made._clicked("D3", None)
    if kind == "side":
        made._clicked("D4", None)
    made.tweaks._add()
    tweak = made.bench.position.tweaks[-1]
    assert tweak.path.startswith("piece." if kind in ("status", "front") else kind)
    made.bench.position.read(tweak.path)
    assert made.bench.problems() == []
    made.tweaks._remove(tweak.path)
    assert tweak not in made.bench.position.tweaks


def test_a_value_that_the_reader_changes_begins_with_the_printed_one() -> None:
    made = editing("combat_commander", "livret-tir")
    board = made.bench.position
    piece = next(p for p in board.pieces if p.kind == "squad" and printed(board.game, p, "morale") and not p.front)
    go(made, "tweaks")
    made.tweaks._kind.value = "front"
    made.tweaks._piece.value, made.tweaks._what.value = piece.id, "morale"
    made.tweaks._low.value, made.tweaks._high.value = 1, 4
    before = ask(board, "values", piece=piece.id).value
    made.tweaks._add()
    tweak, now = made.bench.position.tweaks[-1], printed(board.game, piece, "morale")
    assert (made.bench.position.read(tweak.path), tweak.min, tweak.max) == (now, 1, now)
    assert ask(made.bench.position, "values", piece=piece.id).value == before
    made.bench.undo()
    assert made.bench.position == board
    made.tweaks._what.value = "command"
    with pytest.raises(TutorError, match="n’a pas cette valeur"):
        made.tweaks._made()


def test_what_stands_in_a_place_is_among_the_choices_offered_of_it() -> None:
    made = editing("combat_commander", "pions")
    made.bench.change({"terrain.D3": "woods", "terrain.E3": "brush", "terrain.D4": None})
    go(made, "tweaks")
    for cell, ticked in (
        ("D3", ["Dégagé", "Bois"]),
        ("E3", ["Dégagé", "Broussailles"]),
        ("D4", ["Dégagé", "Bâtiment"]),
    ):
        made._clicked(cell, None)
        boxes = made.tweaks._choices.children
        assert [one.description for one in boxes if one.value] == ticked
        made.tweaks._add()
        assert list((made.bench.position.tweaks[-1].options or {}).values()) == ticked


def test_problems_follow_what_is_edited() -> None:
    made = editing("combat_commander")
    made.bench.place(made.bench.position.change({"marker.smoke.N8": 99}))
    assert "1 problème" in made._faults.value
    made.bench.undo()
    assert "Aucun problème" in made._faults.value


def test_a_board_is_cropped_with_what_stands_on_it() -> None:
    bench = Workbench("combat_commander", Draft(load_position("combat_commander", "livret-ldv")))
    bench.resize("hex", ("K", "O"), (3, 10), keep=True)
    assert {p.at for p in bench.position.pieces} == {"K6", "L6", "N6", "M9", "N9", "M4", "N7"}
    assert bench.problems() == []
    with pytest.raises(TutorError, match="aucune case"):
        bench.resize("hex", ("K", "A"), (3, 10), keep=True)
    with pytest.raises(TutorError, match="1500 au plus"):
        bench.resize("hex", ("A", "ZZ"), (0, 60), keep=False)


def test_a_number_is_chosen_or_typed_and_nothing_may_be_asked() -> None:
    made = editing("combat_commander")
    go(made, "question")
    panel = made.question
    panel._which.value = "distance"
    assert panel._way.value == "number"
    panel._way.value = "choice"
    assert made.bench.asked is not None
    assert made.bench.asked.answer is not None
    assert made.bench.asked.answer.kind == panel._way.value == "choice"
    assert panel._others.layout.display is None
    panel._answer.value = ""
    assert made.bench.asked.answer is None


def test_a_question_says_what_it_asks_for_until_its_author_writes_it() -> None:
    made = editing("combat_commander")
    go(made, "question")
    panel = made.question
    panel._which.value = "values"
    assert made.bench.asked is not None
    for path, words in (("value.range", "portée"), ("value.morale", "moral")):
        panel._answer.value = path
        assert (made.bench.asked.question or "").endswith(f"On demande\u00a0: {words}.")
    panel._text.value = "Jusqu’où tire-t-il\u202f?"
    panel._answer.value = "value.range"
    assert made.bench.asked.question == "Jusqu’où tire-t-il\u202f?"


def test_a_question_says_the_dice_and_the_way_that_no_board_shows() -> None:
    made = editing("combat_commander", "livret-tir-op")
    go(made, "question")
    panel = made.question
    panel._which.value = "move"
    for path in (["K8"], ["K8", "K7"]):
        panel._arguments({"pieces": ["peloton"], "path": path})
        assert made.bench.asked is not None
        assert f"Trajet\u00a0: {', '.join(path)}." in (made.bench.asked.question or "")
    panel._set_free("path", True)
    assert "Trajet" not in (made.bench.asked.question or "")
    panel._text.value = "Où s’arrête-t-il\u202f?"
    panel._arguments({"pieces": ["peloton"], "path": ["K8"]})
    assert made.bench.asked.question == "Où s’arrête-t-il\u202f?"


def test_what_was_begun_in_a_game_is_there_when_one_comes_back() -> None:
    page = EditorPage("combat_commander")
    assert page.editor is not None
    page.editor.bench.change({"terrain.B2": "woods"})
    page._choice.value = "tcs"
    page._choice.value = "combat_commander"
    assert page.editor.bench.position.terrain_of == {"B2": "woods"}


def test_another_game_opens_with_its_own_palettes() -> None:
    page = EditorPage("combat_commander")
    page._choice.value = "tcs"
    assert page.editor is not None
    assert page.editor.bench.game.id == "tcs"
    page.show(Draft(load_position("asl_sk", "genes")))
    assert page.editor.bench.game.id == page._choice.value == "asl_sk"


def test_the_preview_plays_the_very_question() -> None:
    made = editing("combat_commander")
    go(made, "question")
    made.question._which.value = "los"
    go(made, "preview")
    player: Any = made.preview.player
    assert player is not None
    assert player.example.ask == "los"
    assert view(player._result())["outcome"] == "computed"


@pytest.mark.parametrize(
    ("game_id", "name", "kind", "given"),
    [("combat_commander", "distance", "number", "3"), ("heroes_of_normandie", "control", "hexes", [])],
)
def test_the_preview_asks_what_is_typed_or_clicked(game_id: str, name: str, kind: str, given: Any) -> None:
    made = editing(game_id)
    go(made, "question")
    made.question._which.value = name
    if kind == "hexes":
        made.question._answer.value = "value"
    assert made.bench.asked is not None
    assert made.bench.asked.answer is not None
    assert made.bench.asked.answer.kind == kind
    go(made, "keep")
    made.keep._note.value = "Deux unités se cherchent."
    go(made, "preview")
    player: Any = made.preview.player
    assert player is not None
    assert player.exercise.ask == name
    assert made.bench.asked.question
    assert made.bench.asked.question[:10] in player._question.value
    assert "se cherchent" in player.widget.children[0].value
    right = player._task().solution()
    player._submit(sorted(right) if kind == "hexes" else str(right))
    assert 'data-right="true"' in player._said.value


def test_a_list_in_an_answer_is_asked_in_french() -> None:
    position = load_position("combat_commander", "livret-tir")
    shown = {f.label: f for f in fields(ask(position, "fire", firers=["bolter"], target="M6"), position)}
    assert all(f.label[:1].isupper() for f in shown.values())
    board = load_position("heroes_of_normandie", KITS["heroes_of_normandie"].first)
    unit = next(p.id for p in board.pieces if board.hex_of(p.id))
    seen = fields(ask(board, "control", unit=unit), board)
    assert seen[1].kind == "hexes"
    assert seen[1].path == "value"


def test_what_the_booklet_does_not_say_is_not_asked() -> None:
    """Heroes does not print the penalty of a reduced line (1.1.2): no answer, neither « oui » nor « non »."""
    made = editing("heroes_of_normandie")
    go(made, "question")
    made.question._which.value = "fire"
    asked = made.bench.asked
    assert asked is not None
    assert asked_result(made.bench.position, asked).outcome == "unknown"
    assert asked.answer is None
    assert [key for _, key in made.question._answer.options] == [""]
    assert "ne donnent pas de réponse" in made.question._expected.value


def test_an_answer_that_cannot_be_computed_leaves_no_choice_of_another() -> None:
    made = editing("tcs")
    go(made, "question")
    made.question._which.value = "los"
    made.question._theme.value = ALL
    made.question._which.value = "crossfire"
    assert [key for _, key in made.question._answer.options] == [""]


def test_a_counter_of_one_side_is_placed_on_that_side() -> None:
    made = Editor("sherman_leader")
    go(made, "pieces")
    made.pieces._group.value = "Ennemi"
    made._clicked("A1", None)
    made.pieces._group.value = "Américains"
    made._clicked("B2", None)
    assert [p.side for p in made.bench.position.pieces] == ["enemy", "us"]
    assert made.pieces._side.layout.display == "none"


@pytest.mark.parametrize(("game_id", "name"), [("asl_sk", "walk"), ("asl_sk", "cost"), ("heroes_of_normandie", "path")])
def test_a_path_begins_with_one_that_can_be_asked(game_id: str, name: str) -> None:
    position = load_position(game_id, KITS[game_id].first)
    assert ask(position, name, **answerable(position, name)).outcome == "computed"
