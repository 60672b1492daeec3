"""What a page says of a question it cannot answer is French: the keys of the engine are for whoever mends the content."""

from __future__ import annotations

import re

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game
from tutor.course.lessons import lessons

KEY = re.compile(r"\b(state|marker|setting|piece|terrain|side|way|level|front)\.[a-z_]")


def bare(position: Position) -> Position:
    """A position that says nothing but its ground and its pieces."""
    return position.model_copy(update={"state": {}, "markers": {}})


def test_what_a_position_does_not_say_is_asked_for_in_french() -> None:
    heard: dict[str, str] = {}
    for game_id in GAMES:
        for lesson in lessons(game_id):
            for example in lesson.examples.values():
                position = bare(game(game_id).position(example.position).change(example.changes))
                try:
                    ask(position, example.ask, trace=False, **example.with_)
                except TutorError as error:
                    heard[f"{lesson.slug}: {example.id}"] = error.sentence
    assert len(heard) > 5
    assert {place: said for place, said in heard.items() if KEY.search(said)} == {}


def test_a_movement_that_a_leader_no_longer_helps_does_not_contradict_itself() -> None:
    """The booklet's example: 5 PM paid with Biermann's bonus, then a Movement of 4 again, and nothing left (3.3.1.2)."""
    rulebook = game("combat_commander")
    position = rulebook.position("livret-tir-op")
    for path, said in (
        (["K8", "K7", "K6"], "En K6, le Mouvement n’est plus que de 4 ; 5 PM sont déjà dépensés, il n’en reste aucun."),
        (["K8", "K7"], "En K7 (+2 +1), pour un Mouvement de 5 (+4 +1) : 3 PM dépensés, il en reste 2."),
    ):
        last = ask(position, "move", pieces=["peloton"], path=path).trace.children[-1]
        assert re.sub("[\u00a0\u202f]", " ", rulebook.sentence(last, position)) == said


def test_a_line_cut_in_several_places_is_said_in_good_french() -> None:
    from tutor.core.registry import load_position, sentences

    place = load_position("sherman_leader", "vue")
    walled = place.change({f"terrain.{cell}": "heavy" for cell in ("B4", "A5", "A4")})
    said = [re.sub("[\u00a0\u202f]", " ", line) for line in sentences(ask(walled, "targets", unit="pz4"), walled)]
    assert "Le Sherman est hors de vue : la ligne est coupée en A4 et B4." in said
    assert "Le Mortier est hors de vue : la ligne est coupée en A4, A5 et B4." in said


def test_the_face_of_a_marker_is_said_in_french() -> None:
    from tutor.core.registry import load_position
    from widgets.board.text_twin import hex_text

    said = hex_text(load_position("heroes_of_normandie", "dominante"), "A6")
    assert "fumigène, seconde face" in said
    assert "weak" not in said


def test_a_name_that_a_teacher_invents_keeps_the_article_of_what_it_is() -> None:
    from tutor.core.registry import ask, load_position, sentences

    renamed = load_position("tcs", "guet").change({"piece.mg.name": "MG de la ferme"})
    asked = {"reactors": ["mg"], "trigger": "fire", "at": "05.03"}
    assert any(
        "Ce que la MG de la ferme observe" in line for line in sentences(ask(renamed, "overwatch", **asked), renamed)
    )
