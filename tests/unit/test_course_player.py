"""The lesson player, home page and free board in a kernel without a page: what the reader does, what is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import pytest

from tests.screen import announced, controls, dressed, entry, named, seen, tabs, words, written
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.core.typography import typography
from tutor.course.exercises import Task
from tutor.course.lessons import exercises, lessons, readable
from tutor.course.links import position_text
from tutor.course.models import Choice, Lesson, Question, RuleText
from tutor.course.onboard import answers_on_board
from tutor.course.search import folded
from widgets.board.events import HexClicked, PieceDropped
from widgets.host.page import Page
from widgets.host.prose import Writer, rule_text
from widgets.pages.free_board import Sandbox
from widgets.pages.home import HomePage, about
from widgets.pages.lesson import lesson
from widgets.player.answers import field
from widgets.player.exercise import ExercisePlayer
from widgets.player.lesson import BrokenPage, LessonPage
from widgets.player.predictions import Prediction

CC = "combat_commander"


def text(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", re.sub(r"</?span[^>]*>", "", html))).strip()


@pytest.fixture
def page() -> LessonPage:
    made = lesson(CC, "cc-04-ldv")
    made.opening()
    made.examples()
    made.exercises()
    made.closing()
    assert isinstance(made.page, LessonPage)
    return made.page


def test_a_notebook_says_what_its_export_lacks() -> None:
    assert "exporté" in words(lesson(CC, "cc-04-ldv").closing())


def exercises_of(page: LessonPage) -> ExercisePlayer:
    return page.exercise_player


def test_the_reader_commits_before_he_sees(page: LessonPage) -> None:
    player = page.players["lisiere"]
    assert 'data-outcome="pending"' in player.stage.verdict.view.value
    assert player.stage.trace.view.value == ""
    player.question.buttons[0].click()
    player.question.buttons[1].click()
    assert 'data-outcome="blocked"' in player.stage.verdict.view.value
    assert "Juste, au second essai." in announced(player.widget)
    assert "bloquée en E3" in text(player.stage.trace.view.value)


def test_a_first_miss_gets_its_cause_and_a_second_try_without_the_answer(page: LessonPage) -> None:
    player = page.players["lisiere"]
    wrong, right, _ = player.question.buttons
    wrong.click()
    said = announced(player.widget)
    assert "Pas encore." in said
    assert "10.2" in said
    assert "Essayez encore." in said
    assert "bloquée en E3" not in said
    assert 'data-outcome="pending"' in player.stage.verdict.view.value
    assert [[name in dressed(made) for name in ("ldv-missed", "ldv-closed")] for made in (wrong, right)] == [
        [True, True],
        [False, False],
    ]
    assert not wrong.disabled  # it keeps the focus of who pressed it
    wrong.click()
    assert not player.question.done
    right.click()
    assert player.question.done


def test_a_second_miss_brings_its_cause_and_the_whole_proof() -> None:
    choices = [Choice(label=label, when={}) for label in ("Un", "Deux", "Trois")]
    mistakes = {"Un": "Vous avez oublié [[10.1]].", "Deux": "C’est le double.", "Trois": ""}
    heard: list[str] = []
    asked = Prediction(
        Writer(CC),
        "Combien ?",
        choices,
        mistakes.__getitem__,
        lambda: ("Trois", "*Voici la preuve.*"),
        say=heard.append,
    )
    first, second, right = asked.buttons
    first.click()
    assert (asked.done, "preuve" in announced(asked.widget)) == (False, False)
    second.click()
    assert asked.done
    assert heard == [
        "Pas encore. Vous avez oublié 10.1. Essayez encore.",
        f"La réponse{NBSP}: Voici la preuve. C’est le double.",
    ]
    assert text(f"La réponse{NBSP}: Voici la preuve. C’est le double.") in text(announced(asked.widget))
    assert [[name in dressed(made) for name in ("ldv-missed", "ldv-right")] for made in (first, second, right)] == [
        [True, False],
        [True, False],
        [False, True],
    ]


def test_the_verdict_of_several_hexes_answers_for_all_of_them(page: LessonPage) -> None:
    player = exercises_of(page)
    player.go([exercise.id for exercise in player.exercises].index("cc-04-visibles"))
    player.submit(["C4", "E2"])
    assert "C4 et E2 : oui. D2, E1, F1 et F2 : non." in text(player.stage.verdict.view.value)


def test_what_a_rule_is_for_is_shown_with_it() -> None:
    sentence = game("asl_sk").section("3.2.1").reason
    assert sentence
    block = RuleText(kind="rule", sentences=["On trace la ligne ([[3.2.1]])."])
    shown = rule_text(block, Writer("asl_sk")).value
    assert f"cela veut dire{NBSP}:" in shown
    assert escape(sentence) in shown
    bare = RuleText(kind="rule", sentences=["Rien à citer."])
    assert "ldv-reason" not in rule_text(bare, Writer("asl_sk")).value


def test_a_choice_that_no_forgotten_rule_gives_says_what_the_lesson_wrote(page: LessonPage) -> None:
    question = page.players["lisiere"].question
    assert page.players["lisiere"].example.question is None
    asked = Question.model_validate(
        {
            "kind": "question",
            "example": "lisiere",
            "text": "Les deux se voient-ils ?",
            "choices": [
                {"label": "Non", "when": {"value": {"visible": False}}},
                {
                    "label": "Oui, gênés",
                    "when": {"value": {"hindrance": 41}},
                    "because_not": "Un bois bloque, il ne gêne pas ([[10.2]]).",
                },
                {"label": "Oui, de loin", "when": {"value": {"hindrance": 42}}},
            ],
        }
    )
    mistake = page.players["lisiere"].questions.diagnose
    assert question.widget.children
    assert mistake(asked, "Non") == ""
    assert "il ne gêne pas" in mistake(asked, asked.choices[1].label)
    assert "La règle qui tranche ici" in mistake(asked, asked.choices[2].label)


def test_of_the_rules_that_may_be_forgotten_those_of_the_example_come_first() -> None:
    made = lesson(CC, "cc-05-genes")
    made.examples()
    assert isinstance(made.page, LessonPage)
    questions = made.page.players["un-pf"].questions
    asked = questions.cases[1]  # smoke in the firers' own hex
    unwritten = [choice.model_copy(update={"because_not": None}) for choice in asked.choices]
    said = questions.diagnose(asked.model_copy(update={"choices": unwritten}), asked.choices[0].label)
    assert all(f"[[{rule}]]" in said for rule in ("10.3.2", "10.3.4"))


def test_a_click_moves_the_line_and_undo_brings_it_back(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player.question.buttons[1].click()
    player.stage.board.emit(HexClicked("B3"))
    player.stage.board.emit(HexClicked("B1"))
    assert player.arguments == {"start": "B3", "end": "B1"}
    assert 'data-outcome="clear"' in player.stage.verdict.view.value
    named(player.widget, "↶").click()
    named(player.widget, "↶").click()
    assert player.arguments == {"start": "C5", "end": "F2"}
    assert "ldv-closed" in dressed(named(player.widget, "↶"))


def test_a_dragged_piece_takes_the_line_with_it(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player.question.buttons[1].click()
    player.stage.board.emit(PieceDropped("krylov", "F2", "E4"))
    assert player.arguments["end"] == "E4"
    assert player.position.hex_of("krylov") == "E4"
    assert 'data-outcome="clear"' in player.stage.verdict.view.value


def test_a_setting_changes_the_verdict(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player.question.buttons[1].click()
    named(player.widget, "Terrain en E3").value = "open"
    assert 'data-outcome="clear"' in player.stage.verdict.view.value
    named(player.widget, "Réinitialiser").click()
    assert 'data-outcome="blocked"' in player.stage.verdict.view.value


def test_a_question_the_engine_cannot_answer_leaves_the_page_working(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player.question.buttons[1].click()
    player.stage.board.emit(HexClicked("F2"))
    assert 'data-outcome="unknown"' in player.stage.verdict.view.value
    player.stage.board.emit(HexClicked("G4"))
    assert 'data-outcome="unknown"' not in player.stage.verdict.view.value


@pytest.mark.parametrize("lesson_id", [one.id for one in readable(CC)[0]])
def test_every_prediction_has_its_right_answer(here: Page, lesson_id: str) -> None:
    made = lesson(CC, lesson_id)
    for part in (made.opening, made.examples, made.exercises, made.closing):
        part()
    assert isinstance(made.page, LessonPage)
    alone = ("cc-02-pions/distance", "cc-12-artillerie/demande")  # one step, the verdict
    for name, player in made.page.players.items():
        player.disclose(True)
        assert re.search('data-outcome="(?!pending).*ldv-rule', player.stage.verdict.view.value)
        assert ("<li" in player.stage.trace.view.value) == (f"{lesson_id}/{name}" not in alone)
    assert here.progress.done == {}


def test_what_if_is_played_on_the_board(page: LessonPage) -> None:
    player = page.players["lisiere"]
    case = page.content.blocks[4].cases[1]  # type: ignore[union-attr]
    onward = named(player.what_ifs.widget, "▶")
    onward.click()
    assert text(case.text) in text(words(player.what_ifs.widget))
    named(player.what_ifs.widget, case.choices[1].label).click()
    said = announced(player.what_ifs.widget)
    assert "Juste" in said
    assert "ne compte pas" in text(said)  # what decides, not only what it comes to
    assert player.position.terrain_of["F2"] == "woods"
    onward.click()
    assert "F2" not in player.position.terrain_of


# -- exercises ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_lines_to_order_never_begin_in_the_right_order(game_id: str) -> None:
    tasks = [Task.of(game_id, one) for one in exercises(game_id).values() if one.answer.kind == "order"]
    given: list[object] = []
    for task in tasks:
        named(field(task, given.append, lambda _: None).widget, "Vérifier").click()
    assert tasks
    assert not [task.exercise.id for task, order in zip(tasks, given, strict=True) if order == task.solution()]


@pytest.mark.parametrize("game_id", GAMES)
def test_what_has_a_place_is_put_in_order_on_the_board(game_id: str) -> None:
    placed = 0
    for task in (Task.of(game_id, one) for one in exercises(game_id).values() if one.answer.kind == "order"):
        labels = [item.label for item in task.exercise.answer.items]
        where = {label: cells for cells, label in answers_on_board(labels, task.position).items()}
        if len(where) < len(labels) or any(len(cells) > 1 for cells in where.values()):
            continue
        placed += 1
        given: list[object] = []
        chosen: list[Sequence[str]] = []
        made = field(task, given.append, chosen.append)
        touched = [next(iter(where[label])) for label in task.solution()]
        for cell in (touched[0], touched[0], *touched):  # taken back once
            made.click(cell)
        named(made.widget, "Vérifier").click()
        assert given == [task.solution()]
        assert list(chosen[-1]) == touched
    assert placed


def test_lines_that_name_several_places_are_put_in_order_in_the_list_alone() -> None:
    task = Task.of(CC, exercises(CC)["cc-08-ordre"])
    labels = [item.label for item in task.exercise.answer.items]
    assert any(len(cells) > 1 for cells in answers_on_board(labels, task.position))
    chosen: list[Sequence[str]] = []
    made = field(task, lambda _: None, chosen.append)
    for cell in task.position.grid.cells:
        made.click(cell)
    assert not chosen
    assert "Touchez" not in announced(made.widget)


def test_an_answer_that_names_pieces_is_touched_on_the_board() -> None:
    every = (Task.of(CC, one) for one in exercises(CC).values() if one.answer.kind == "choice")
    task, where = next(
        (task, where)
        for task in every
        if (where := answers_on_board([choice.label for choice in task.exercise.answer.choices], task.position))
    )
    given: list[object] = []
    made = field(task, given.append, lambda _: None)
    both, label = max(where.items(), key=lambda one: len(one[0]))
    for cell in both:
        made.click(cell)
    assert given == []  # touching means, and does not answer yet
    named(made.widget, "Vérifier").click()
    assert given == [label]


def test_an_exercise_is_judged_and_remembered(page: LessonPage) -> None:
    player = exercises_of(page)
    right = player.task().solution()
    wrong = next(choice.label for choice in player.exercise.answer.choices if choice.label != right)
    player.submit(wrong)
    assert 'data-right="false"' in announced(player.widget)
    assert player.states[0] == "wrong"
    assert "ldv-missed" in dressed(named(player.widget, wrong))
    player.submit(right)
    assert "ldv-right" in dressed(named(player.widget, right))
    assert 'data-right="true"' in announced(player.widget)
    assert player.states[0] == "right"
    assert page.page.progress.done == {"cc-04-ldv": ["cc-04-voit"]}
    assert "cc-04-voit" in page.page.bridge.to_store


def test_hexes_are_clicked_or_typed(page: LessonPage, shown: list[str]) -> None:
    player = exercises_of(page)
    player.go(1)
    for hex_ in sorted(player.task().solution()):
        player.stage.board.emit(HexClicked(hex_))
    field = entry(player.widget)
    assert set(field.value.split(", ")) == player.task().solution()
    field.value = "Z99"
    assert any("n’est pas sur ce plateau" in sentence for sentence in shown)
    field.value = " et ".join(sorted(player.task().solution())).lower()
    named(player.widget, "Vérifier").click()
    assert 'data-right="true"' in announced(player.widget)


def test_a_variant_asks_again(page: LessonPage) -> None:
    player = exercises_of(page)
    before = player.task()
    named(player.widget, "Une autre").click()
    assert player.task().position != before.position or player.task().arguments != before.arguments
    assert announced(player.widget) == ""
    assert 'data-outcome="pending"' in player.stage.verdict.view.value


def test_the_hint_comes_before_the_answer(page: LessonPage) -> None:
    player = exercises_of(page)
    assert "Indice." not in words(player.widget)
    named(player.widget, "Un indice").click()
    hint = next(one for one in controls(player.widget) if "Indice." in str(getattr(one, "value", "")))
    assert seen(hint)
    assert 'data-outcome="pending"' in player.stage.verdict.view.value


def test_progress_of_an_earlier_visit_is_shown(page: LessonPage) -> None:
    page.page.bridge.stored = '{"done": {"cc-04-ldv": ["cc-04-bloque"]}}'
    assert exercises_of(page).states == ["new"] * 4  # not before the whole page is there to be told
    page.page.course.ready = True
    assert exercises_of(page).states == ["new", "right", "new", "new"]


# -- links --------------------------------------------------------------------------------------------------------


def test_a_position_comes_by_the_link(page: LessonPage) -> None:
    position = game(CC).position("livret-ldv").change({"way.road.M5": None})
    page.page.course.query = f"?exemple=route&position={position_text(position)}"
    player = page.players["route"]
    assert "M5" not in player.position.ways["road"]
    player.question.buttons[0].click()
    assert page.page.course.scroll == "route"


@pytest.mark.parametrize("text", ["abc", "A" * 3000, "%00", "é"])
def test_a_bad_link_says_so_and_the_lesson_stays(page: LessonPage, shown: list[str], text: str) -> None:
    before = page.players["lisiere"].position
    page.page.course.query = f"?position={text}"
    assert any("position" in sentence for sentence in shown)
    assert page.players["lisiere"].position == before


def test_projection_hides_until_asked(page: LessonPage) -> None:
    player = page.players["lisiere"]
    page.page.course.query = "?mode=projection"
    assert 'data-outcome="pending"' in player.stage.verdict.view.value
    named(player.widget, "Montrer la réponse").click()
    assert 'data-outcome="blocked"' in player.stage.verdict.view.value
    named(player.widget, "Cacher la réponse").click()
    assert 'data-outcome="pending"' in player.stage.verdict.view.value


def test_a_lesson_that_does_not_exist_is_a_sentence() -> None:
    broken = lesson(CC, "rien").page
    assert isinstance(broken, BrokenPage)
    first = broken.opening()
    assert first is not None
    assert "ne peut pas s’ouvrir" in first.value  # type: ignore[attr-defined]
    assert broken.exercises() is None


# -- home and free board ------------------------------------------------------------------------------------------


def test_home_lists_lessons_and_opens_entries(here: Page, shown: list[str]) -> None:
    home = HomePage(here)
    for game_id in (*GAMES, CC):
        home.turn(game_id)
        assert words(home.widget).count('<li data-state="') == len(lessons(game_id))
        assert home.index.game_id == game_id
    here.course.query = "?jeu=combat_commander&regle=10.3.3"
    entry = text(home.index.entry.value)
    assert "10.3.3" in entry
    assert "Exemple vivant" in entry
    here.course.query = "?jeu=combat_commander&regle=99.99"
    assert "n’est pas dans l’index" in home.index.entry.value
    home.index.field.value = "<b>"
    assert "&lt;b&gt;" in words(home.widget)
    here.course.query = "?vue=index"
    assert "\n".join(map(words, home.index.below)).count("<li>") == len(game(CC).sections)
    terms = [folded(term) for term in re.findall("<dt>(.*?)</dt>", words(home.widget))]
    assert terms == sorted(terms)
    here.course.query = "?jeu=echecs"
    assert any("echecs" in sentence for sentence in shown)


def test_about_names_the_publishers() -> None:
    said = text(about().children[0].value)  # type: ignore[attr-defined]
    for name in (
        "GMT Games",
        "Multi-Man Publishing",
        "The Gamers",
        "DVG",
        "Devil Pig Games",
        "MIT",
        "Open Font",
        "affilié",
    ):
        assert name in said
    for game_id, title in GAMES.items():
        assert re.search(rf"{title.replace(NBSP, '.')} [\w()\- ]+ {len(lessons(game_id))} leçons", said), title
    assert "à venir" not in said


def test_the_free_board(shown: list[str]) -> None:
    sandbox = Sandbox(Page(), CC)
    sandbox.board.emit(HexClicked("J9"))
    sandbox.board.emit(HexClicked("K6"))
    assert 'data-outcome="blocked"' in sandbox.verdict.view.value
    tabs(sandbox.widget).value = "terrain"
    named(sandbox.widget, "Pinceau").value = "terrain:building"
    sandbox.board.emit(HexClicked("K9"))
    assert sandbox.situation.position.terrain_of["K9"] == "building"
    named(sandbox.widget, "↶").click()
    assert "K9" not in sandbox.situation.position.terrain_of
    pasted = written(sandbox.widget, "Une position en YAML")
    named(sandbox.widget, "Écrire la position").click()
    assert "J9" in pasted.value
    load = named(sandbox.widget, "Charger ce texte")
    load.click()
    assert shown == []
    before = sandbox.situation.position
    for broken in (
        "",
        "a: [",
        "schema: 2",
        "schema: 1\ngame: combat_commander\nid: x\ngrid: {columns: [A, B], rows: [1, 2]}\nterrain: {woods: [Z9]}",
    ):
        pasted.value = broken
        load.click()
    assert len(shown) >= 3
    assert sandbox.situation.position.id in (before.id, "x")


def test_fire_on_the_free_board() -> None:
    sandbox = Sandbox(Page(), CC, game(CC).position("livret-tir"))
    tabs(sandbox.widget).value = "fire"
    named(sandbox.widget, "Camp").value = sandbox.situation.position.piece("peloton-l8").side
    for hex_, piece in (("L8", "peloton-l8"), ("K8", "peloton-k8"), ("M6", None)):
        sandbox.board.emit(HexClicked(hex_, piece))
    assert sandbox.firers == ("peloton-l8", "peloton-k8")
    assert sandbox.target == "M6"
    assert "%" in words(sandbox.widget)


def test_a_search_looks_into_every_rulebook() -> None:
    index = HomePage(Page()).index
    index.find("fumigène")
    assert "Dans les autres livrets" in words(index.widget)
    assert GAMES["asl_sk"] in words(index.widget)
    index.find("3.2.3-NMC")
    assert "Aucune règle" in words(index.widget)
    assert "regle=3.2.3-NMC" in words(index.widget) or "3.2.3-NMC" in text(words(index.widget))


@pytest.mark.parametrize("content", lessons("combat_commander"), ids=lambda content: content.slug)
def test_every_word_of_the_booklet_s_glossary_is_explained_in_every_lesson(content: Lesson) -> None:
    writer = LessonPage(Page(), "combat_commander", content).writer
    words = [word for word in game("combat_commander").glossary if word["livret"]]
    assert len(words) == 34
    for word in words:
        assert f'data-definition="{escape(typography(word["definition"]))}"' in writer.fresh().inline(word["term"])
