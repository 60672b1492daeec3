"""What the editor asks by form: what the board does not show, open readings, arguments with several entries, sides by name, drafts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.screen import controls, named, seen, tabs, words
from tutor.core.errors import ContentError, PositionError, TutorError
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.asking import ALL, COMMON, answerable, in_theme, question, questions
from tutor.course.circumstances import circumstances
from tutor.course.teacher_lessons import Sheet
from widgets.editor.arguments import ArgumentPickers
from widgets.editor.draft import Draft
from widgets.editor.forms import Form
from widgets.editor.maps import entries, throws, whole_numbers
from widgets.editor.page import Editor, EditorPage, memory
from widgets.editor.teacher_lesson import Part, Plan
from widgets.host.channel import Reply
from widgets.host.page import Page

CC = "combat_commander"


@pytest.mark.parametrize("game_id", GAMES)
def test_the_form_offers_all_that_the_rules_ask_of_a_position(game_id: str) -> None:
    offered = {each.key for each in circumstances(game_id)}
    code = "\n".join(path.read_text(encoding="utf-8") for path in Path(game(game_id).folder).glob("*.py"))
    read = set(re.findall(r'(?<!\.)\b(?:position\.)?state\.get\("([a-z_]+)"', code))
    written_by_play = {"points", "activated_players"}
    assert read - offered <= written_by_play


@pytest.mark.parametrize("game_id", GAMES)
def test_what_positions_say_is_shown_and_kept(game_id: str) -> None:
    made = Editor(Page(), game_id)
    for position in (load_position(game_id, name) for name in game(game_id).positions()):
        if position.state or position.settings:
            made.bench.restart(Draft(position))
            made.circumstances.refresh()
            assert made.bench.position == position  # showing changes nothing


def test_a_circumstance_is_a_step_of_the_history() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "plateau-livret")))
    made.step = "circumstances"
    named(made.circumstances.form, "Camp qui défend").value = "axis"
    named(made.circumstances.form, "Case de Mort Soudaine").value = "7"
    assert made.bench.position.state == {"defender": "axis", "sudden_death": 7}
    named(made.circumstances.form, "Ajouter").click()  # the friendly edge of the first side
    named(made.circumstances.form, "Axe").value = "left"
    assert made.bench.position.state["edges"] == {"axis": "left"}
    made.bench.undo()
    assert made.bench.position.state["edges"] != {"axis": "left"}


def test_what_lies_under_a_minor_bridge_is_asked_where_there_is_one() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "plateau-livret").change({"terrain.M8": "open"})))
    made.step = "circumstances"
    label = "Terrain sous un Pont Secondaire"
    assert all(label not in str(getattr(one, "value", "")) for one in controls(made.circumstances.form))
    made.bench.change({"terrain.M8": "minor_bridge"})
    next(one for one in controls(made.circumstances.form) if str(getattr(one, "tooltip", "")).endswith(label)).click()
    named(made.circumstances.form, "M8").value = "stream"
    assert made.bench.position.state["beneath"] == {"M8": "stream"}


def test_a_reading_is_chosen_by_its_french_name_and_its_default_is_not_written() -> None:
    made = Editor(Page(), "tcs")
    made.step = "circumstances"
    charts = next(
        one
        for one in controls(made.circumstances.form)
        if getattr(one, "tooltip", "") == "Les tables que le livret n’imprime pas"
    )
    charts.value = "fictif"
    assert made.bench.position.settings == {"charts": "fictif"}
    made.bench.change({"setting.charts": None})
    assert made.bench.position.settings == {}


def test_an_argument_may_give_a_value_to_each_of_some_pieces() -> None:
    position = load_position(CC, "livret-tir")
    declared: list[Any] = []
    pickers = ArgumentPickers(question(CC, "attack"), position, {}, [], declared.append)
    pieces = next(one for one in controls(pickers.widget) if "Jets de défense" in str(getattr(one, "value", "")))
    assert pieces is not None
    first, form = position.pieces[0], Form()
    picker = entries(form, "Défense", [(first.name, first.id)], "dice", None, declared.append)
    named(picker, "Ajouter").click()
    assert declared[-1] == {first.id: [3, 4]}
    assert entries(form, "Défense", [(first.name, first.id)], "dice", declared[-1], declared.append) is picker
    named(picker, first.name).value = "6 1"
    assert declared[-1] == {first.id: [6, 1]}
    with pytest.raises(PositionError, match="nombres entiers"):
        whole_numbers("six")


def test_rows_of_numbers_are_asked_of_the_engine() -> None:
    declared: list[Any] = []
    given = {"start": 35, "end": 80, "distance": 3, "points": [{"distance": 2, "base": 60, "height": 0}]}
    made = ArgumentPickers(question("tcs", "profile"), load_position("tcs", "livret-ldv"), given, [], declared.append)
    named(made.widget, "Altitude du sol").value = 70
    assert declared == [{**given, "points": [{"distance": 2, "base": 70, "height": 0}]}]
    # from 35 to 80 m over 3 hexes: 65 m above the point, 2 hexes from the low end
    seen = [
        ask(
            load_position("tcs", "livret-ldv"),
            "profile",
            start=35,
            end=80,
            distance=3,
            points=[{"distance": 2, "base": base}],
        )
        for base in (60, 70)
    ]
    assert [one.value.visible for one in seen] == [True, False]
    assert throws("6 6; 3, 4") == [[6, 6], [3, 4]]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_required_argument_has_a_picker(game_id: str) -> None:
    missing = set(game(game_id).load().rules) - {one.name for one in questions(game_id)}
    assert not missing, "say what the argument is: tutor/core/arguments.py"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_argument_has_a_french_name_and_a_picker(game_id: str) -> None:
    for name in game(game_id).load().rules:
        for each in question(game_id, name).arguments:
            assert each.kind != "text", f"{name}.{each.name}: see tutor/core/arguments.py"
            for one in (each, *each.fields):
                assert one.label not in (one.name, ""), f"{name}.{one.name}: give its type a label"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_question_has_a_theme(game_id: str) -> None:
    asked = [one.name for one in questions(game_id)]
    named = {theme: [name for name in asked if in_theme(game_id, theme, name)] for theme in game(game_id).themes}
    assert {name for names in named.values() for name in names} == set(asked)
    assert all(0 < len(names) <= 14 for names in named.values())
    assert 0 < sum(in_theme(game_id, COMMON, name) for name in asked) <= 14


def test_a_theme_narrows_the_list_and_the_question_asked_stays_in_it() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "livret-tir")))
    made.step = "question"
    panel = made.question

    def offered() -> set[str]:
        return {key for _, key in named(panel.form, "À calculer").options}

    assert len(offered()) < 16
    named(panel.form, "À calculer").value = "los"
    named(panel.form, "Thème").value = "Mêlée"
    assert offered() == {"", "los", "melee", "melees", "melee_odds", "no_quarter"}
    assert (named(panel.form, "À calculer").value, made.bench.asked and made.bench.asked.ask) == ("los", "los")
    named(panel.form, "À calculer").value = "melees"
    assert "los" not in offered()
    named(panel.form, "Thème").value = ALL
    assert len(offered()) == len(questions(CC)) + 1


def test_what_is_played_during_an_order_is_ticked() -> None:
    """A second Order waits (O14.2); an Action may come in between (O14.3)."""
    position = load_position(CC, "livret-tir-op")
    declared: list[Any] = []
    given = {"order": "move", "units": ["peloton"], "doing": ["peloton"]}
    made = ArgumentPickers(question(CC, "order"), position, given, [], declared.append)
    named(made.widget, "Tir d’Assaut").value = True
    assert declared[-1] == given | {"between": ["action:assault_fire"]}
    assert ask(position, "order", **declared[-1]).outcome == "computed"
    named(made.widget, "Un autre Ordre, Déroute").value = True
    assert [step.rule for step in ask(position, "order", **declared[-1]).refusals] == ["O14.2"]


def test_a_reader_may_declare_nothing_where_the_question_does_without() -> None:
    picks = {a.name: a.pick() for a in question(CC, "fire").arguments}
    assert picks["target"] is not None
    assert "none" not in picks["target"]
    base, mode = picks["base"], picks["mode"]
    assert base is not None
    assert base["none"] == "aucun"
    assert mode is not None
    assert "none" not in mode, "the engine takes an Order"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_choice_offered_is_a_word_that_the_engine_knows(game_id: str) -> None:
    position = load_position(game_id, game(game_id).kit.first)
    for one in questions(game_id):
        given = answerable(position, one.name)
        for each in one.arguments:
            for key, label in each.options:
                try:
                    ask(
                        position, one.name, trace=False, **given | {each.name: [key] if each.kind == "options" else key}
                    )
                except TutorError as error:
                    said = error.sentence.replace("\u00a0", " ").replace("de dégâts de cette unité", "")
                    assert f"« {key} » n’est pas" not in said or "un pion ." in said, f"{one.name}.{each.name}: {label}"


def test_a_question_begins_with_pieces_that_it_is_about() -> None:
    position = load_position("sherman_leader", game("sherman_leader").kit.first)
    for one in questions("sherman_leader"):
        ask(position, one.name, trace=False, **answerable(position, one.name))  # does not raise


def test_a_record_has_every_field_that_the_engine_takes() -> None:
    def fields(question_name: str, name: str) -> set[str]:
        return {f.name for a in question(CC, question_name).arguments if a.name == name for f in a.fields}

    assert {"at", *_common("attack")} == fields("move", "shots") | {"target", "mode", "targeting"}
    assert fields("move", "mines") == fields("retreat", "mines") == fields("advance", "mines")
    assert fields("move", "mines") <= _common("mines") >= {"at", "roll", "defence", "wounds"}
    assert fields("fire_odds", "then") == _common("fire_odds") - {"then", "discards", "total"}


def _common(name: str) -> set[str]:
    return {each.name for each in question(CC, name).arguments}


def test_shots_on_the_way_are_given_by_form() -> None:
    """The fire at K7 of the booklet's example: 1 FP + 11 = 12; 8 + 7 = 15 and 8 + 6 = 14 hold."""
    made = Editor(Page(), CC, Draft(load_position(CC, "livret-tir-op").change({"marker.smoke.K7": 4})))
    panel = made.question
    made.step = "question"
    named(panel.form, "À calculer").value = "move"
    panel.declare({"pieces": ["peloton"], "path": ["K8"]})
    named(panel.form, "Trajet").value = "k8, K7"

    def record() -> Any:
        return next(one for one in controls(panel.form) if "ldv-record" in getattr(one, "_dom_classes", ()))

    adders = [one for one in controls(panel.form) if getattr(one, "tooltip", "") == "Ajouter à Tirs d’Op en chemin"]
    adders[0].click()
    assert made.bench.asked is not None
    assert made.bench.asked.with_["shots"] == [{"at": "K7", "firers": ["peloton-us"]}]
    row = record()
    named(row, "Jet de Tir").value = "5 6"
    assert record() is row, "the control that the reader is at stays"
    for name, dice in (("Peloton allemand", "6 1"), ("Biermann", "1 5")):
        add = next(one for one in controls(record()) if getattr(one, "tooltip", "") == "Ajouter à Jets de défense")
        choose = next(one for one in controls(record()) if name in dict(getattr(one, "options", ()) or ()))
        choose.value = dict(choose.options)[name]
        add.click()
        named(record(), name).value = dice
    asked = made.bench.asked
    shot = {"roll": [5, 6], "defence": {"peloton": [6, 1], "biermann": [1, 5]}}
    assert asked is not None
    assert asked.with_["shots"] == [{"at": "K7", "firers": ["peloton-us"], **shot}]
    (fire,) = ask(made.bench.position, "move", **asked.with_).value.shots
    assert (fire.fp, fire.total) == (1, 12)
    assert {name: d.result for name, d in fire.pieces.items()} == {"peloton": "nothing", "biermann": "nothing"}
    next(one for one in controls(panel.form) if getattr(one, "tooltip", "") == "Retirer Tir d’Op\u00a01").click()
    assert "shots" not in made.bench.asked.with_


def test_attacks_declared_together_are_given_by_form() -> None:
    made = Editor(Page(), "asl_sk", Draft(load_position("asl_sk", "tir").change({"piece.bravo.at": "D4"})))
    made.step = "question"
    named(made.question.form, "Thème").value = ALL
    named(made.question.form, "À calculer").value = "declarations"
    assert made.bench.asked is not None
    made.question.declare({"attacks": [{"firers": ["alpha"], "target": "H4"}, {"firers": ["bravo"], "target": "H4"}]})
    assert 'data-outcome="refused"' in made.question.verdict.view.value  # one hex, one target: one Fire Group
    targets = [one for one in controls(made.question.form) if getattr(one, "description", "") == "Cible"]
    assert len(targets) == 2
    targets[1].value = "G4"
    assert [one["target"] for one in made.bench.asked.with_["attacks"]] == ["H4", "G4"]


def test_what_an_event_lets_choose_comes_from_the_engine() -> None:
    position = load_position(CC, "evenements")
    given = {"name": "walking_wounded", "side": "axis", "cell": "B3"}
    declared: list[Any] = []
    made = ArgumentPickers(question(CC, "event"), position, given, [("Axe", "axis")], declared.append)
    choose = named(made.widget, "Au choix")
    wanted = ask(position, "event", **given).value.options
    assert [key for _, key in choose.options if key] == list(wanted)
    choose.value = wanted[1]
    then = named(
        ArgumentPickers(question(CC, "event"), position, declared[-1], [], declared.append).widget, "Puis au choix"
    )
    assert [key for _, key in then.options if key] == list(ask(position, "event", **declared[-1]).value.options)


def test_a_side_at_the_rim_is_chosen_by_name() -> None:
    made = Editor(Page(), CC)
    tabs(made.ground.tools).value = "side"
    palette = next(one for one in controls(made.ground.tools) if ("Mur", "wall") in getattr(one, "options", ()))
    palette.value = "wall"
    made.ground.click("A1")
    which = named(made.ground.tools, "Côté")
    which.value = dict(which.options)["en haut, bord du plateau"]
    named(made.ground.tools, "Poser sur ce côté").click()
    assert made.bench.position.sides_of == {"A0/A1": "wall"}


# -- drafts -----------------------------------------------------------------------------------------------------------


def test_the_lesson_being_made_survives_a_reload(here: Page) -> None:
    sheet = Sheet.of(load_position(CC, "livret-ldv"))
    page = EditorPage(here, CC)
    assert page.editor is not None
    page.editor.lesson.take(Plan("Voir loin", parts=(Part("situation", "Un bois."), Part("example", sheet=sheet))))
    kept = memory(here).lesson
    after = Page()
    again = EditorPage(after, "tcs")
    memory(after).earlier_lesson = kept
    assert "Leçon retrouvée" in words(again.widget)
    named(again.widget, "Reprendre la leçon").click()
    assert again.editor is not None
    assert again.editor.bench.game.id == CC
    assert again.editor.lesson.plan == page.editor.lesson.plan
    assert again.editor.step == memory(after).step == "lesson"


def test_minutes_that_a_lesson_cannot_have_are_said_to_be_changed(here: Page) -> None:
    made = EditorPage(here, CC).editor
    assert made is not None
    minutes = named(made.lesson.widget, "Minutes")
    note = next(one for one in controls(made.lesson.widget) if "de 1 à 60" in str(getattr(one, "value", "")))
    for typed, kept, noted in ((900, 60, True), (25, 25, False), (0, 1, True)):
        minutes.value = typed
        assert (minutes.value, made.lesson.plan.minutes, seen(note)) == (kept, kept, noted)


def test_what_is_kept_and_changed_since_is_said() -> None:
    class Store:
        def write(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
            then(Reply(True, {"code": "ABCD2345", "version": 1}))

        def request(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
            pass

    made = Editor(Page(Store()), CC)  # type: ignore[arg-type]
    made.step = "keep"
    named(made.keep.form, "Titre").value = "Le gué"
    named(made.keep.form, "Garder").click()
    assert "ABCD2345" in words(made.keep.form)
    assert "Modifié depuis" not in words(made.keep.form)
    made.bench.change({"terrain.B2": "woods"})
    assert "Modifié depuis" in words(made.keep.form)
    made.bench.undo()
    assert "Modifié depuis" not in words(made.keep.form), "as it was kept"
    made.bench.redo()
    named(made.keep.form, "Garder").click()
    assert "Modifié depuis" not in words(made.keep.form)


def test_a_draft_may_be_let_go(here: Page) -> None:
    page = EditorPage(here, CC)
    memory(here).earlier_lesson = Plan("Voir loin").dump(CC)
    named(page.widget, "L’oublier").click()
    assert memory(here).dropped == "lesson"
    assert "L’oublier" not in [getattr(one, "description", "") for one in controls(page.widget)]
    with pytest.raises(ContentError, match="ne se lit pas"):
        Plan.parse('{"title": 3}')
