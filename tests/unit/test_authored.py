"""What a teacher makes, as data: read strictly, played by the course's own forms, carried by a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.screen import words
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import GAMES, load_position
from tutor.core.yamlio import dump_yaml, parse_yaml
from tutor.course.asking import Field
from tutor.course.exercises import Task
from tutor.course.links import Link
from tutor.course.models import Exercise, Lesson
from tutor.course.shown import position_of_text
from tutor.course.teacher_lessons import MAX_LESSON, Asked, AuthoredLesson, Sheet, exercise_of
from widgets.editor.answers import answer_for
from widgets.editor.draft import Workbench
from widgets.editor.teacher_lesson import Part, Plan, kept_lesson, notebook
from widgets.host.page import Page
from widgets.pages.free_board import Sandbox
from widgets.pages.teacher_lesson import _metadata

ROOT = Path(__file__).resolve().parents[2]
SEEN = answer_for(Field("value.visible", "Voit", "flag", True, "oui"), "", "")
DIGITS = "abcdefghij"


def asked(**more: Any) -> Asked:
    data: dict[str, Any] = {"ask": "los", "with": {"start": "J9", "end": "K6"}, "question": "Se voient-ils ?"}
    return Asked.model_validate({**data, **more}).model_copy(update={"answer": SEEN})


def sheet() -> Sheet:
    return Sheet.of(load_position("combat_commander", "livret-ldv"), asked(hint="Suivez la droite."))


def plan() -> Plan:
    parts = (
        Part("situation", "Herzog cherche Borbe."),
        Part("question", "Herzog voit-il Borbe ?\nIl le voit\nIl ne le voit pas"),
        Part("example", "", "Herzog et Borbe", sheet()),
        Part("rule", "Un obstacle bloque la vue. [[10.2]]\nLes deux bouts ne comptent pas.", "Les obstacles"),
        Part("exercise", "", "À vous", sheet()),
        Part("remember", "Un bois bloque."),
    )
    return Plan("Voir ou ne pas voir", "Une ligne, un bois.", 8, parts)


def test_a_sheet_comes_back_as_it_went() -> None:
    one = sheet()
    assert Sheet.parse(one.dump()) == one
    assert Sheet.parse(one.board.dump()).board == one.board


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schema: [", "crochet ou une accolade. Corrigez la ligne 1."),
        ("schema: 1\n\tposition: x", "mettez des espaces. Corrigez la ligne 2."),
        ("a: b: c", "mettez ce texte entre guillemets. Corrigez la ligne 1."),
        ("a: 'x", "n’est pas refermé"),
        ("une position", "ni une position, ni son lien"),
        ("schema: 1\ngame: x\nlesson: {}", "celui d’une leçon"),
        ("http://ici/?position=eJyrVkrLz1eyAgA", "lien de position est abîmé"),
    ],
)
def test_a_pasted_text_is_blamed_for_what_is_wrong_with_it(text: str, said: str) -> None:
    readers: list[Callable[[str], object]] = [Sheet.parse, Sandbox(Page(), "combat_commander")._read]
    if "ligne" in said or "abîmé" in said:
        readers.append(position_of_text)
    for read in readers:
        with pytest.raises(TutorError) as caught:
            read(text)
        assert said in caught.value.sentence.replace("\u00a0", " ").replace("\u202f", " ")


def test_a_shared_link_is_opened_as_its_file_is() -> None:
    board = load_position("combat_commander", "livret-ldv")
    link = Link("sandbox", position=board.to_link()).url
    for text in (board.to_link(), f"http://ici{link}", board.dump(), Sheet.of(board).dump()):
        assert Sheet.parse(text).board == board
        sandbox = Sandbox(Page(), "combat_commander")
        sandbox._read(text)
        assert sandbox.situation.position == board


def test_the_engine_gives_the_expected_answer() -> None:
    board = load_position("combat_commander", "livret-ldv")
    for given, answer in (({}, "Non"), ({"with": {"start": "J9", "end": "J10"}}, "Oui")):
        assert Task.of("combat_commander", exercise_of(board, asked(**given), "question")).solution() == answer


def test_an_exercise_made_of_a_question_varies_with_what_is_tweakable() -> None:
    bench = Workbench("combat_commander")
    bench.change({"terrain.D4": "woods"})
    bench.edit(
        tweaks=[{"path": "terrain.D4", "label": "Terrain en D4", "options": {"open": "Dégagé", "woods": "Bois"}}]
    )
    made = exercise_of(bench.position, asked(**{"with": {"start": "B4", "end": "G4"}}), "un")
    task = Task.of("combat_commander", made)
    assert task.solution() == "Non"
    assert task.variant(1).solution() == "Oui"


def test_a_lesson_is_the_data_of_the_course() -> None:
    made = plan().build("combat_commander", "voir")
    data = parse_yaml(made.dump())
    lesson, exercises = Lesson.model_validate(data["lesson"]), [Exercise.model_validate(e) for e in data["exercises"]]
    assert [block.kind for block in lesson.blocks] == [
        "situation",
        "question",
        "example",
        "rule",
        "retenir",
        "exercises",
    ]
    assert "10.2" in lesson.rules
    assert isinstance(exercises[0].position, dict)
    again = AuthoredLesson.parse(made.dump())
    assert again == made
    assert Plan.of(again).build("combat_commander", "voir").lesson.examples == made.lesson.examples


def test_a_lesson_is_played_by_the_player_of_the_course() -> None:
    text = str(kept_lesson(Page(), plan().build("combat_commander", "voir"), "ABCD2345").widget)
    assert "voit-il</span> Borbe" in text
    assert "Il ne le voit pas" in text


SITUATION, RULE, REMEMBER = (
    Part("situation", "Enfin."),
    Part("rule", "Un bois bloque. [[10.2]]"),
    Part("remember", "Si."),
)


@pytest.mark.parametrize(
    ("parts", "scenes"),
    [
        (plan().parts, ["debut", "exemple-3", "exemple-3-regle", "exercices", "fin"]),
        ((*plan().parts, SITUATION, RULE), ["debut", "exemple-3", "exemple-3-regle", "lecture", "exercices", "fin"]),
        ((SITUATION, RULE, plan().parts[4]), ["debut", "lecture", "exercices", "fin"]),
        ((SITUATION, RULE, REMEMBER), []),
    ],
)
def test_a_kept_lesson_is_played_on_the_stage_where_it_has_a_board(parts: tuple[Part, ...], scenes: list[str]) -> None:
    made = replace(plan(), parts=parts).build("combat_commander", "voir")
    played = kept_lesson(Page(), made, "ABCD2345", staged=True)
    text = words(played.widget)
    assert "Voir ou ne pas voir" in text
    assert [scene.id for scene in (played.stage.scenes if played.stage else ())] == scenes
    if played.stage is None:
        assert "Enfin." in text
        return
    played.stage.go(played.stage.index("lecture"))
    assert ("Enfin." in words(played.stage.widget)) is ("lecture" in scenes)
    played.stage.go(len(scenes) - 1)
    said = words(played.stage.widget)
    assert "Fin de la leçon." in said
    assert "Leçon suivante" not in said
    assert Link("authored", slug="ABCD2345", scene="exercices").url.replace("&", "&amp;") in said


def test_all_of_a_kept_lesson_is_one_page_where_its_address_says_so() -> None:
    page = Page()
    page.course.query = "?lecon=ABCD2345&vue=tout"
    played = kept_lesson(page, plan().build("combat_commander", "voir"), "ABCD2345", staged=True)
    text = words(played.widget)
    assert played.stage is None
    for part in ("Voir ou ne pas voir", "Herzog cherche Borbe.", "Les obstacles", "Exercice", "Un bois bloque."):
        assert part in text
    assert text.count("<h2>Voir ou ne pas voir</h2>") == 1
    assert page.course.link == Link("authored", slug="ABCD2345", view="tout").url


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: Plan(), "pas de titre"),
        (lambda p: Plan("Titre", "", 5, p.parts[:2]), "3 parties"),
        (lambda p: p.put(3, Part("rule", "Une règle. [[99.9]]")), "99.9 n’est pas dans l’index"),
        (lambda p: p.put(1, Part("example", "", "Rien")), "Aucune position"),
        (lambda p: p.put(1, Part("question", "Voit-il ?\nOui")), "2 choix"),
        (lambda p: p.move(1, 4).move(2, 3), "question d’ouverture"),
        (lambda p: p.put(0, Part("situation")), "Le texte est vide"),
    ],
)
def test_what_is_missing_in_a_lesson_is_said(change: Any, said: str) -> None:
    with pytest.raises(TutorError, match=said):
        change(plan()).build("combat_commander", "voir")


def lesson_data(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = parse_yaml(plan().build("combat_commander", "voir").dump())
    for path, value in changes.items():
        here = data
        *way, last = path.split("__")
        for key in way:
            here = here[int(key)] if isinstance(here, list) else here[key]
        here[last] = value
    return data


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "chess"}, "n’est pas dans la maison"),
        ({"lesson__rules": ["99.9"]}, "99.9"),
        ({"lesson__blocks__2__ask": "no_such"}, "n’existe pas"),
        ({"lesson__blocks__2__position": {"schema": 1}}, "cette clé manque"),
        ({"exercises": []}, "manque"),
        ({"code": "import os"}, "inconnue"),
    ],
)
def test_a_forged_lesson_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(TutorError, match=said):
        AuthoredLesson.parse(dump_yaml(lesson_data(**changes)))


BOARD = "schema: 1\ngame: combat_commander\nid: x\ngrid: {{kind: hex, columns: [A, {c}], rows: [1, {r}]}}\n"
SMALL = BOARD.format(c="J", r=8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "vide"),
        ("x" * 70_000, "trop long"),
        ("[" * 60_000, "emboîtés"),
        ("- " * 30_000, "emboîtés"),
        ("a: " + "{a: " * 9000, "emboîtés"),
        ("a: &a [1]\nb: [*a, *a]", "alias"),
        ("a: 1\na: 2", "deux fois"),
        ("!!python/object/apply:os.system ['true']", "ligne 1"),
        (BOARD.format(c="ZZ", r=60), "1500 au plus"),
        (BOARD.format(c="A", r=0), "aucun hex"),
        (
            SMALL + "silhouettes: [{hex: A1, polygon: [[-20000, -20000], [20000, -20000], [0, 20000]]}]",
            "sort du plateau",
        ),
        (
            SMALL + f"silhouettes: [{', '.join(['{hex: A1, polygon: [' + '[0, 0], ' * 199 + '[1, 1]]}'] * 20)}]",
            "2000 au plus",
        ),
        (SMALL + f"joined: [{', '.join(['[A1, A2]'] * 301)}]", "300 au plus"),
        (SMALL + f"tweaks: [{', '.join(['{path: terrain.A1, label: a}'] * 61)}]", "60 au plus"),
        (SMALL + "markers: {" + ", ".join(f"{a}{b}: {{A1: 1}}" for a in DIGITS for b in DIGITS) + "}", "40 au plus"),
        (SMALL.replace("combat_commander", "chess"), "inconnu"),
        ("schema: 1\nposition: {}\nrun: rm", "inconnue"),
    ],
)
def test_a_position_made_to_be_expensive_is_refused_in_french(text: str, said: str) -> None:
    with pytest.raises(TutorError, match=said):
        Sheet.parse(text)


def test_a_lesson_too_long_is_refused() -> None:
    with pytest.raises(TutorError, match="trop long"):
        AuthoredLesson.parse("a: " + "x" * MAX_LESSON)


@pytest.mark.parametrize("game_id", GAMES)
def test_an_inline_position_is_of_the_game(game_id: str) -> None:
    from tutor.core.registry import game

    board = Workbench(game_id).position
    assert game(game_id).position(board.data()) == board
    other = next(one for one in GAMES if one != game_id)
    with pytest.raises(TutorError, match="Cette position est du jeu"):
        game(other).position(board.data())


def test_a_downloaded_notebook_plays_the_lesson_it_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lecon.ipynb"
    path.write_text(notebook(plan().build("combat_commander", "voir")), encoding="utf-8")
    data = json.loads(path.read_text(encoding="utf-8"))
    assert "".join(data["cells"][1]["source"]) == "from widgets.pages.teacher_lesson import carried\n\ncarried()"
    read: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(read)  # type: ignore[no-untyped-call]
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    NotebookClient(read, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    states = json.dumps(read.metadata.get("widgets", {}), ensure_ascii=False)
    assert "voit-il</span> Borbe" in states
    assert "ne porte pas de leçon" not in states
    assert not [o for cell in read.cells for o in cell.get("outputs", ()) if o.output_type == "error"]


def test_the_lesson_of_a_notebook_is_found_among_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    kept = plan().build("combat_commander", "voir")
    for name in ("lecon.ipynb", "lecon-jouee.ipynb"):
        Path(name).write_text(notebook(kept), encoding="utf-8")
    assert [one["body"] for one in _metadata()] == [kept.dump()]  # the same, run and kept, is no second lesson
    other = replace(plan(), title="Voir loin").build("combat_commander", "loin")
    Path("autre.ipynb").write_text(notebook(other), encoding="utf-8")
    assert len(_metadata()) == 2
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "autre.ipynb"))
    assert [one["body"] for one in _metadata()] == [other.dump()]


def test_a_position_keeps_its_levels_through_a_sheet() -> None:
    board = load_position("combat_commander", "plateau-livret")
    again = Sheet.parse(Sheet.of(board).dump()).board
    assert isinstance(again, Position)
    assert again.level_of == board.level_of


def test_nothing_an_author_wrote_is_markup() -> None:
    import ipywidgets as ipw

    evil = "<img src=x onerror=alert(1)>"
    board = load_position("combat_commander", "livret-ldv")
    data = {**board.data(), "title": evil, "note": evil}
    data["pieces"] = [{**piece, "name": evil} for piece in data["pieces"]]
    data["tweaks"] = [{"path": "terrain.L8", "label": evil, "options": {"open": evil, "woods": "Bois"}}]
    one = Sheet.of(Position.from_data(data), asked(hint=evil, question=evil, free=["start", "end"]))
    parts = (
        Part("situation", evil),
        Part("example", evil, evil, one),
        Part("rule", evil, evil),
        Part("situation", evil),
        Part("example", evil, evil, one),
        Part("exercise", "", evil, one),
        Part("remember", evil),
    )
    made = Plan(evil, evil, 8, parts).build("combat_commander", "voir")
    forged = made.dump().replace("label: De", f"label: '{evil}'")
    assert forged != made.dump()
    shown = kept_lesson(Page(), AuthoredLesson.parse(forged), "ABCD2345").widget

    def walk(widget: Any) -> Any:
        yield widget
        for child in getattr(widget, "children", ()):
            yield from walk(child)

    texts = [w.value for w in walk(shown) if isinstance(w, ipw.HTML)]
    assert any("&lt;img" in text for text in texts)
    assert [text[max(0, text.index("<img") - 80) :][:160] for text in texts if "<img" in text] == []
