"""The editor without a browser: every game's palettes, pieces, questions and settings, one history for all."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw
import pytest

from tests.screen import behind, click, controls, named, tabs, words, written
from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.asking import ALL, Field, answerable, fields, first_arguments, questions
from tutor.course.matching import view
from tutor.course.teacher_lessons import Asked, asked_result, example_data
from widgets.editor.answers import answer_for, field_of
from widgets.editor.draft import Draft, Workbench
from widgets.editor.page import STEPS, Editor, EditorPage
from widgets.editor.pieces import known, printed, stock, trait
from widgets.editor.preview import example_of
from widgets.host.page import Page


def editing(game_id: str, name: str = "") -> Editor:
    return Editor(Page(), game_id, Draft(load_position(game_id, name or game(game_id).kit.first)))


def go(made: Editor, step: str) -> None:
    made.step = step


@pytest.mark.parametrize("game_id", GAMES)
def test_every_step_shows_in_every_game(game_id: str) -> None:
    made = editing(game_id)
    for step in STEPS.values():
        go(made, step)
        assert made.step == step


@pytest.mark.parametrize("game_id", GAMES)
def test_every_position_of_the_course_is_edited_and_comes_back(game_id: str) -> None:
    made = Editor(Page(), game_id)
    for name in game(game_id).positions():
        made.bench.restart(Draft(load_position(game_id, name)))
        named(made.keep.form, "Écrire le texte").click()
        made.keep.read(written(made.keep.form, "Une position en YAML").value)
        assert made.bench.position == load_position(game_id, name)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_palette_paints(game_id: str) -> None:
    made = Editor(Page(), game_id)
    bench, ground = made.bench, made.ground
    cells = bench.position.grid.cells
    cell, beside = cells[len(cells) // 2], bench.position.grid.neighbours(cells[len(cells) // 2])[0]
    for _, mode in tabs(ground.tools).options:
        tabs(ground.tools).value = mode
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


@pytest.mark.parametrize("game_id", [one for one in GAMES if game(one).kit.catalogue == "tables"])
def test_every_nation_of_the_counters_has_its_side(game_id: str) -> None:
    rules = game(game_id)
    counters = [row for name in ("units", "weapons") if name in rules.tables for row in rules.tables[name].rows]
    nations = {row.partition("/")[0] for row in counters if "/" in row}
    assert set(rules.kit.nations) == nations - {"any"}
    assert set(rules.kit.nations.values()) <= set(rules.kit.sides)


@pytest.mark.parametrize("game_id", GAMES)
def test_pieces_are_placed_changed_and_removed(game_id: str, shown: list[str]) -> None:
    made = Editor(Page(), game_id)
    go(made, "pieces")
    cell = made.bench.position.grid.cells[0]
    click(made.board, cell)
    piece = made.bench.position.pieces[0]
    assert made.pieces.chosen == piece.id
    value = next(iter(piece.front), "morale")
    named(made.pieces.form, "Nom").value = "Autre"
    named(made.pieces.form, trait(game_id, value, "front")).value = "7"
    named(made.pieces.form, "Endroit").value = made.bench.position.grid.cells[1]
    changed = made.bench.position.by_id[piece.id]
    assert (changed.name, changed.at, 7 in changed.front.values()) == ("Autre", made.bench.position.grid.cells[1], True)
    named(made.pieces.form, trait(game_id, value, "front")).value = "beaucoup"
    assert "entier" in shown[-1]
    named(made.pieces.form, "Retirer ce pion").click()
    assert made.bench.position.pieces == []


def test_the_side_and_the_nation_of_what_is_placed_agree() -> None:
    made = Editor(Page(), "combat_commander")
    go(made, "pieces")
    named(made.pieces.tools, "Camp").value = "allies"
    click(made.board, "A1")
    assert made.bench.position.pieces[0].side == "allies"
    named(made.pieces.tools, "Nation").value = "Allemagne"
    assert named(made.pieces.tools, "Camp").value == "axis"


@pytest.mark.parametrize("game_id", list(GAMES))
def test_the_nations_of_the_counters_bear_their_french_names(game_id: str) -> None:
    for group, pieces in stock(game_id).items():
        keys = {brush.partition(":")[2].partition("/")[0] for _, brush in pieces}
        assert group.casefold() not in keys, f"« {group} » is the engine's word"


@pytest.mark.parametrize("game_id", list(GAMES))
def test_what_a_piece_is_or_suffers_is_called_in_the_words_of_its_game(game_id: str) -> None:
    rulebook = game(game_id)
    kinds, states, values = known(game_id)
    for key in (*kinds, *states, *values):
        assert key in rulebook.words.traits or rulebook.phrases.term(key) != key, f"{key}: see traits in words.yaml"
    for keys, field in ((kinds, ""), (states, "status"), (values, "front")):
        labels = [trait(game_id, key, field) for key in keys]
        assert len(set(labels)) == len(labels), "two things of one name"


def test_a_weapon_goes_to_a_carrier_and_leaves_it() -> None:
    made = editing("combat_commander", "pions")
    carried = next(p for p in made.bench.position.pieces if p.carrier)
    made.pieces.chosen = carried.id
    made.pieces.refresh()
    named(made.pieces.form, "Porté par").value = ""
    loose = made.bench.position.by_id[carried.id]
    assert (loose.carrier, loose.at) == (None, made.bench.position.hex_of(str(carried.carrier)))
    named(made.pieces.form, "Porté par").value = str(carried.carrier)
    assert made.bench.position.by_id[carried.id].carrier == carried.carrier
    assert made.bench.position.by_id[carried.id].at is None


@pytest.mark.parametrize("game_id", GAMES)
def test_every_question_is_asked_with_pickers(game_id: str) -> None:
    position = load_position(game_id, game(game_id).kit.first)
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
    named(made.question.form, "À calculer").value = "los"
    asked = made.bench.asked
    assert asked is not None
    assert asked.answer is not None
    assert "d’après les règles" in words(made.question.form)
    assert example_of(made.bench.draft).question is not None
    made.bench.undo()
    assert made.bench.asked is None


def test_clicks_choose_the_arguments_in_turn() -> None:
    made = editing("combat_commander")
    go(made, "question")
    named(made.question.form, "À calculer").value = "los"
    click(made.board, "L7")
    click(made.board, "L10")
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
    made = answer_for(field, way, others, game("heroes_of_normandie"))
    assert sorted(c.label for c in made.choices) == sorted(labels)
    assert field_of(made) == path


def test_the_numbers_to_choose_from_stand_in_their_order() -> None:
    made = answer_for(Field("value.hit", "Touche", "number", "3/5", "3/5"), "choice", "1/2 ; 3/4 ; 1/4")
    assert [c.label for c in made.choices] == ["1/4", "1/2", "3/5", "3/4"]


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ("beaucoup", "« beaucoup » n’est pas un nombre. Séparez les nombres par « ; »."),
        ("11", "« 11 » est la bonne réponse. Écrivez d’autres nombres à côté d’elle."),
    ],
)
def test_a_choice_that_is_no_other_number_is_refused(others: str, said: str) -> None:
    with pytest.raises(TutorError) as refused:
        answer_for(Field("value.fp", "PF", "number", 11, "11"), "choice", others)
    assert refused.value.sentence.replace(NBSP, " ").startswith(said)


@pytest.mark.parametrize("kind", ["terrain", "level", "side", "marker", "status", "front"])
def test_what_is_tweakable_is_chosen_not_typed(kind: str) -> None:
    made = editing("combat_commander", "pions")
    go(made, "tweaks")
    named(made.tweaks.form, "Le lecteur change").value = kind
    click(made.board, "D3")
    if kind == "side":
        click(made.board, "D4")
    made.tweaks.add()
    tweak = made.bench.position.tweaks[-1]
    assert tweak.path.startswith("piece." if kind in ("status", "front") else kind)
    made.bench.position.read(tweak.path)
    assert made.bench.problems() == []
    [one for one in controls(made.tweaks.form) if getattr(one, "description", "") == "Retirer"][-1].click()
    assert tweak not in made.bench.position.tweaks


def test_a_value_that_the_reader_changes_begins_with_the_printed_one() -> None:
    made = editing("combat_commander", "livret-tir")
    board = made.bench.position
    piece = next(p for p in board.pieces if p.kind == "squad" and printed(board.game, p, "morale") and not p.front)
    go(made, "tweaks")
    named(made.tweaks.form, "Le lecteur change").value = "front"
    named(made.tweaks.form, "Pion").value, named(made.tweaks.form, "Quoi").value = piece.id, "morale"
    named(made.tweaks.form, "De").value, named(made.tweaks.form, "à").value = 1, 4
    before = ask(board, "values", piece=piece.id).value
    made.tweaks.add()
    tweak, now = made.bench.position.tweaks[-1], printed(board.game, piece, "morale")
    assert (made.bench.position.read(tweak.path), tweak.min, tweak.max) == (now, 1, now)
    assert ask(made.bench.position, "values", piece=piece.id).value == before
    made.bench.undo()
    assert made.bench.position == board
    named(made.tweaks.form, "Quoi").value = "command"
    with pytest.raises(TutorError, match="n’a pas cette valeur"):
        made.tweaks.add()


def test_what_stands_in_a_place_is_among_the_choices_offered_of_it() -> None:
    made = editing("combat_commander", "pions")
    made.bench.change({"terrain.D3": "woods", "terrain.E3": "brush", "terrain.D4": None})
    go(made, "tweaks")
    for cell, ticked in (
        ("D3", ["Dégagé", "Bois"]),
        ("E3", ["Dégagé", "Broussailles"]),
        ("D4", ["Dégagé", "Bâtiment"]),
    ):
        click(made.board, cell)
        ticks = [one for one in controls(made.tweaks.form) if isinstance(one, ipw.Checkbox)]
        assert [one.description for one in ticks if one.value] == ticked
        made.tweaks.add()
        assert list((made.bench.position.tweaks[-1].options or {}).values()) == ticked


def test_problems_follow_what_is_edited() -> None:
    made = editing("combat_commander")
    made.bench.place(made.bench.position.change({"marker.smoke.N8": 99}))
    assert "1 problème" in words(made.widget)
    made.bench.undo()
    assert "Aucun problème" in words(made.widget)


def test_a_board_is_cropped_with_what_stands_on_it() -> None:
    bench = Workbench("combat_commander", Draft(load_position("combat_commander", "livret-ldv")))
    bench.resize("hex", ("K", "O"), (3, 10), keep=True)
    assert {p.at for p in bench.position.pieces} == {"K6", "L6", "N6", "M9", "N9", "M4", "N7"}
    assert bench.problems() == []
    with pytest.raises(TutorError, match="aucun hex"):
        bench.resize("hex", ("K", "A"), (3, 10), keep=True)
    with pytest.raises(TutorError, match="1500 au plus"):
        bench.resize("hex", ("A", "ZZ"), (0, 60), keep=False)


def test_a_number_is_chosen_or_typed_and_nothing_may_be_asked() -> None:
    made = editing("combat_commander")
    go(made, "question")
    panel = made.question
    named(panel.form, "À calculer").value = "distance"
    assert named(panel.form, "Réponse par").value == "number"
    named(panel.form, "Réponse par").value = "choice"
    assert made.bench.asked is not None
    assert made.bench.asked.answer is not None
    assert made.bench.asked.answer.kind == named(panel.form, "Réponse par").value == "choice"
    assert named(panel.form, "Autres choix").layout.display is None
    named(panel.form, "On demande").value = ""
    assert made.bench.asked.answer is None


def test_a_question_says_what_it_asks_for_until_its_author_writes_it() -> None:
    made = editing("combat_commander")
    go(made, "question")
    panel = made.question
    named(panel.form, "À calculer").value = "values"
    assert made.bench.asked is not None
    for path, named_so in (("value.range", "portée"), ("value.morale", "moral")):
        named(panel.form, "On demande").value = path
        assert (made.bench.asked.question or "").endswith(f"On demande\u00a0: {named_so}.")
    named(panel.form, "La question").value = "Jusqu’où tire-t-il\u202f?"
    named(panel.form, "On demande").value = "value.range"
    assert made.bench.asked.question == "Jusqu’où tire-t-il\u202f?"


def test_a_question_says_the_dice_and_the_way_that_no_board_shows() -> None:
    made = editing("combat_commander", "livret-tir-op")
    go(made, "question")
    panel = made.question
    named(panel.form, "À calculer").value = "move"
    for path in (["K8"], ["K8", "K7"]):
        panel.declare({"pieces": ["peloton"], "path": path})
        assert made.bench.asked is not None
        assert f"Trajet\u00a0: {', '.join(path)}." in (made.bench.asked.question or "")
    named(behind(panel.form, named(panel.form, "Pions")), "Trajet").value = True
    assert "Trajet" not in (made.bench.asked.question or "")
    named(panel.form, "La question").value = "Où s’arrête-t-il\u202f?"
    panel.declare({"pieces": ["peloton"], "path": ["K8"]})
    assert made.bench.asked.question == "Où s’arrête-t-il\u202f?"


def test_what_was_begun_in_a_game_is_there_when_one_comes_back() -> None:
    page = EditorPage(Page(), "combat_commander")
    assert page.editor is not None
    page.editor.bench.change({"terrain.B2": "woods"})
    named(page.widget, "Jeu").value = "tcs"
    named(page.widget, "Jeu").value = "combat_commander"
    assert page.editor.bench.position.terrain_of == {"B2": "woods"}


def test_another_game_opens_with_its_own_palettes() -> None:
    page = EditorPage(Page(), "combat_commander")
    named(page.widget, "Jeu").value = "tcs"
    assert page.editor is not None
    assert page.editor.bench.game.id == "tcs"
    page.show(Draft(load_position("asl_sk", "genes")))
    assert page.editor.bench.game.id == named(page.widget, "Jeu").value == "asl_sk"


def test_the_preview_plays_the_very_question() -> None:
    made = editing("combat_commander")
    go(made, "question")
    named(made.question.form, "À calculer").value = "los"
    go(made, "preview")
    player: Any = made.preview.player
    assert player is not None
    assert player.example.ask == "los"
    assert view(ask(player.position, "los", **player.arguments))["outcome"] == "computed"


@pytest.mark.parametrize(
    ("game_id", "name", "kind", "given"),
    [("combat_commander", "distance", "number", "3"), ("heroes_of_normandie", "control", "hexes", [])],
)
def test_the_preview_asks_what_is_typed_or_clicked(game_id: str, name: str, kind: str, given: Any) -> None:
    made = editing(game_id)
    go(made, "question")
    named(made.question.form, "À calculer").value = name
    if kind == "hexes":
        named(made.question.form, "On demande").value = "value"
    assert made.bench.asked is not None
    assert made.bench.asked.answer is not None
    assert made.bench.asked.answer.kind == kind
    go(made, "keep")
    named(made.keep.form, "Situation").value = "Deux unités se cherchent."
    go(made, "preview")
    player: Any = made.preview.player
    assert player is not None
    assert player.exercise.ask == name
    assert made.bench.asked.question
    assert made.bench.asked.question[:10] in words(player.widget)
    assert "se cherchent" in player.widget.children[0].value
    right = player.task().solution()
    player.submit(sorted(right) if kind == "hexes" else str(right))
    assert 'data-right="true"' in words(player.widget)


def test_a_list_in_an_answer_is_asked_in_french() -> None:
    position = load_position("combat_commander", "livret-tir")
    shown = {f.label: f for f in fields(ask(position, "fire", firers=["bolter"], target="M6"), position)}
    assert all(f.label[:1].isupper() for f in shown.values())
    board = load_position("heroes_of_normandie", game("heroes_of_normandie").kit.first)
    unit = next(p.id for p in board.pieces if board.hex_of(p.id))
    seen = fields(ask(board, "control", unit=unit), board)
    assert seen[1].kind == "hexes"
    assert seen[1].path == "value"


def test_what_the_booklet_does_not_say_is_not_asked() -> None:
    """Heroes does not print the penalty of a reduced line (1.1.2): no answer, neither « oui » nor « non »."""
    made = editing("heroes_of_normandie")
    go(made, "question")
    named(made.question.form, "À calculer").value = "fire"
    asked = made.bench.asked
    assert asked is not None
    assert asked_result(made.bench.position, asked).outcome == "unknown"
    assert asked.answer is None
    assert [key for _, key in named(made.question.form, "On demande").options] == [""]
    assert "ne donnent pas de réponse" in words(made.question.form)


def test_an_answer_that_cannot_be_computed_leaves_no_choice_of_another() -> None:
    made = editing("tcs")
    go(made, "question")
    named(made.question.form, "À calculer").value = "los"
    named(made.question.form, "Thème").value = ALL
    named(made.question.form, "À calculer").value = "crossfire"
    assert [key for _, key in named(made.question.form, "On demande").options] == [""]


def test_a_counter_of_one_side_is_placed_on_that_side() -> None:
    made = Editor(Page(), "sherman_leader")
    go(made, "pieces")
    group = next(one for one in controls(made.pieces.tools) if "Ennemi" in getattr(one, "options", ()))
    group.value = "Ennemi"
    click(made.board, "A1")
    group.value = "Américains"
    click(made.board, "B2")
    assert [p.side for p in made.bench.position.pieces] == ["enemy", "us"]
    assert named(made.pieces.tools, "Camp").layout.display == "none"


@pytest.mark.parametrize(("game_id", "name"), [("asl_sk", "walk"), ("asl_sk", "cost"), ("heroes_of_normandie", "path")])
def test_a_path_begins_with_one_that_can_be_asked(game_id: str, name: str) -> None:
    position = load_position(game_id, game(game_id).kit.first)
    assert ask(position, name, **answerable(position, name)).outcome == "computed"
