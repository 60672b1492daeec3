"""Home: a question played wrongly and rightly, the scene where a reader goes on, the course as far as he is, covers."""

from __future__ import annotations

import json
from dataclasses import asdict

import ipywidgets as ipw
import pytest

from tests.screen import click, named, words
from tutor.core.registry import GAMES, game
from tutor.course.lessons import lesson, lessons
from tutor.course.links import Link, read_url
from tutor.course.opening import opening, picks
from widgets.host.page import Page
from widgets.host.whereabouts import Place, last, read
from widgets.pages.covers import picture
from widgets.pages.home import HomePage
from widgets.pages.home_play import HomePlay
from widgets.pages.standing import next_step, steps
from widgets.player.lesson import LessonPage

CC = "combat_commander"
THERE = Place(CC, "cc-04-ldv", "03-ldv-terrain-plat", "route", "À vous de prédire", 4, 9, 1_795_348_800.0)


def kept(place: Place) -> str:
    return json.dumps(asdict(place))


def play_of(home: HomePage) -> HomePlay:
    assert home.play is not None
    return home.play


@pytest.mark.parametrize("game_id", GAMES)
def test_each_game_asks_a_question_with_one_answer_about_a_lesson_of_its_own(game_id: str) -> None:
    offered = picks(game_id)
    assert [pick.right for pick in offered].count(True) == 1
    assert len({pick.name for pick in offered}) == len(offered)
    known = opening(game_id)
    assert known is not None
    assert lesson(game_id, known.play.lesson).number >= 1
    assert all("[[" in pick.because for pick in offered)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_wrong_place_is_given_its_cause_and_a_second_try(game_id: str, here: Page) -> None:
    home = HomePage(here)
    home.turn(game_id)
    play = play_of(home)
    wrong = next(pick for pick in picks(game_id) if not pick.right)
    right = next(pick for pick in picks(game_id) if pick.right)
    click(play.board, wrong.cell)
    said = words(play.widget)
    assert "Pas encore." in said
    assert "Essayez encore." in said
    assert wrong.because.split("[[")[0].strip()[:20] in said
    assert "Continuer par la leçon" not in said
    named(play.widget, right.name).click()
    said = words(play.widget)
    assert "Juste, au second essai." in said
    assert Link("lesson", game_id, slug=lessons(game_id)[0].slug).url in said
    before = said
    click(play.board, wrong.cell)
    assert words(play.widget) == before  # it is over


def test_two_misses_show_the_answer(here: Page) -> None:
    play = play_of(HomePage(here))
    for pick in picks(CC):
        if not pick.right:
            click(play.board, pick.cell)
    assert play.done
    assert "La réponse\u00a0:</strong> <strong>Ganz.</strong>" in words(play.widget)


def test_a_click_beside_the_places_asks_nothing(here: Page) -> None:
    play = play_of(HomePage(here))
    click(play.board, "F4")
    assert play.tried == []


def test_the_scene_that_is_read_is_where_one_goes_on(here: Page) -> None:
    lesson_page = LessonPage(here, CC, lesson(CC, "cc-04-ldv"), staged=True)
    lesson_page.opening()
    assert lesson_page.stage is not None
    lesson_page.stage.go(lesson_page.stage.index("route"))
    place = read(here.course.place)
    assert place is not None
    assert (place.lesson, place.scene) == ("cc-04-ldv", "route")
    page = Page()
    page.course.last = here.course.place
    home = HomePage(page)
    assert f'href="{place.url}"' in words(home.widget)
    assert read_url(place.url).scene == "route"
    assert "Vous en étiez là" in words(home.widget)
    assert f"scène {place.at} sur {place.of}" in words(home.widget)


def test_who_comes_back_to_another_game_is_asked_its_question(here: Page) -> None:
    home = HomePage(here)
    there = Place("tcs", "tcs-01-altitude", "01-altitude", "", "À vous de prédire", 2, 8, 1.0)
    here.course.last = kept(there)
    assert play_of(home).game_id == "tcs"
    assert here.course.game == "tcs"
    here.course.query = "?jeu=sherman_leader"  # asked for by a link: it stays
    here.course.last = kept(THERE)
    assert play_of(home).game_id == "sherman_leader"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"game": "tcs"}', kept(THERE).replace('"at": 4', '"at": -4'), '{"game": ["tcs"], "at": true}'],
)
def test_what_a_browser_kept_wrongly_is_nothing(here: Page, text: str) -> None:
    here.course.last = text
    assert last(here) is None
    assert "Pour commencer" in words(HomePage(here).widget)


def test_a_game_that_left_the_house_is_no_place_to_go_on(here: Page) -> None:
    here.course.last = kept(Place("echecs", "e-1", "01-ouverture", "", "", 1, 3, 1.0))
    assert "Pour commencer" in words(HomePage(here).widget)


def test_what_another_device_kept_later_wins(here: Page) -> None:
    here.course.last = kept(THERE)
    later = Place("tcs", "tcs-01-altitude", "01-altitude", "x", "Et si…", 3, 8)
    here.progress.lessons = [
        {
            "lesson": "tcs-01-altitude",
            "opened": 1.0,
            "changed": THERE.when + 60,
            "finished": None,
            "place": asdict(later),
        },
        {"lesson": "tcs-02", "opened": 1.0, "changed": THERE.when + 90, "finished": None, "place": {}},
    ]
    place = last(here)
    assert place is not None
    assert (place.game, place.scene) == ("tcs", "x")


def test_the_path_is_filled_as_far_as_the_reader_is(here: Page) -> None:
    course = lessons(CC)
    here.progress.done = {course[0].id: list(course[0].exercise_ids), course[1].id: [course[1].exercise_ids[0]]}
    way = steps(course, here.progress, THERE)
    assert [step.state for step in way[:4]] == ["done", "begun", "begun", "ahead"]
    assert 0 < way[1].part < 1
    onward = next_step(way, course[2].id)
    assert onward is not None
    assert onward.lesson.id == course[3].id
    said = words(HomePage(here).widget)
    assert said.count('data-state="done"') == 1
    assert f"Leçon 1\u00a0: {course[0].title}, terminée" in said


def test_what_is_erased_leaves_no_place(here: Page) -> None:
    here.course.last = kept(THERE)
    here.progress.erase(lambda reply: None, lambda why: None)
    assert (here.course.place, here.course.last) == ("-", "")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_cover_is_a_board_of_its_game(game_id: str) -> None:
    known = opening(game_id)
    assert known is not None
    assert known.board(game_id).game == game_id
    light, dark = picture(game_id, False), picture(game_id, True)
    assert light.startswith("<svg")
    assert light != dark
    assert "http" not in light.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("asked", ["vue=index", "mot=moral"])
def test_who_looks_for_a_rule_finds_the_index_first(here: Page, asked: str) -> None:
    home = HomePage(here)
    here.course.query = f"?jeu=tcs&{asked}"
    assert home.index.game_id == "tcs"
    hidden = [part for part in home.widget.children if part.layout.display == "none"]
    assert len(hidden) >= 5
    here.course.query = "?jeu=tcs"
    assert len([part for part in home.widget.children if part.layout.display == "none"]) < len(hidden)


def test_the_index_below_a_search_is_made_when_it_is_opened(here: Page) -> None:
    home = HomePage(here)
    (fold,) = (part for part in home.index.below if isinstance(part, ipw.Accordion))
    here.course.query = "?jeu=tcs&mot=moral"
    assert fold.layout.display != "none"
    for game_id in ("tcs", CC):
        home.turn(game_id)
        assert (fold.selected_index, words(fold).count("<li>")) == (None, 0)
        fold.selected_index = 0
        assert words(fold).count("<li>") == len(game(game_id).sections)


@pytest.mark.parametrize(("query", "places"), [("", [False, True]), ("?classe=ZZZZZZ", [True, False])])
def test_joining_a_class_is_shown_where_it_stays(here: Page, query: str, places: list[bool]) -> None:
    home = HomePage(here)

    def seen() -> list[bool]:
        first, hero = home.widget.children[0], home.widget.children[2]
        return ["Rejoindre une classe" in words(part) for part in (first, hero)]

    assert seen() == [False, False], "a field that moves once the address is known loses what is typed in it"
    here.course.set_state({"query": query, "ready": True})
    assert seen() == places
