"""The proof as a film: every answer of every lesson has one that fits its steps, and ends before the reader tires."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.asked import posed
from tutor import ask, load_position
from tutor.core.registry import GAMES, game
from widgets.board.counters.layout import layout
from widgets.board.film import COUNTED, WHOLE, film
from widgets.board.layers import LineOfSight, layers_for
from widgets.board.paint.placement import box_at, names_borne, overlap
from widgets.board.paint.shapes import View, fitted

CC = "combat_commander"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_proof_of_a_lesson_fits_its_steps(game_id: str) -> None:
    played = 0
    for one in posed(game_id):
        if one.source != "leçon" or one.prediction:  # what is asked of an example has the example's proof
            continue
        view = View(one.position.grid, 30.0)
        steps = one.result.trace.children
        made = film(steps, layers_for(one.result, one.position), one.position, view)
        if made is None:
            continue
        played += 1
        tips = [moment.tip for moment in made.moments]
        assert len(made.moments) == len(steps)
        assert tips[-1] == 1
        assert all(before <= after for before, after in pairwise(tips))
        assert len(tips) * made.milliseconds <= WHOLE
        inside = [(pin.x, pin.y) for moment in made.moments for pin in moment.pins]
        assert all(0 <= x <= view.width and -60 <= y <= view.height for x, y in inside), one.where
    assert played > 3


def test_on_a_phone_what_a_step_adds_hides_no_value_of_the_counter_it_speaks_of_nor_a_name_of_a_hex() -> None:
    position = game("sherman_leader").position("cible").change({"piece.peloton.at": "B6"})
    result, view = ask(position, "targets", unit="pz4"), fitted(position.grid, 374, 330)
    made = film(list(result.trace.walk()), layers_for(result, position), position, view)
    assert made
    pin, *_ = [pin for moment in made.moments for pin in moment.pins if pin.text == "+2"]
    (counter,) = [item for item in layout(position, view) if item.face.id == "peloton"]
    drawn = box_at(pin.x, pin.y, made.letters * 2.12, made.letters * 1.6)
    assert overlap(drawn, box_at(counter.x, counter.y, counter.size, counter.size)) < 1.5
    assert not [cell for cell, name in names_borne(position, view).items() if overlap(drawn, name) > 1.5]


def test_a_line_stops_where_it_is_blocked() -> None:
    place = load_position(CC, "livret-ldv")
    view = View(place.grid, 30.0)
    result = ask(place, "los", start="J9", end="K6")
    (drawn,) = layers_for(result, place)
    made = film(result.trace.children, (drawn,), place, view)
    assert isinstance(drawn, LineOfSight)
    assert drawn.point
    assert made
    assert made.lines[0][-1] == tuple(round(value, 1) for value in view.px(drawn.point))


def test_hexes_are_counted_one_by_one() -> None:
    lesson = next(one for one in posed(CC) if one.ask == "distance" and one.source == "leçon")
    made = film(lesson.result.trace.children, (), lesson.position, View(lesson.position.grid, 30.0))
    assert made
    (counted,) = [moment.pins for moment in made.moments if moment.pins]
    assert [pin.text for pin in counted] == [str(n) for n in range(1, lesson.result.value + 1)]
    assert 2 <= len({(pin.x, pin.y) for pin in counted}) == len(counted) <= COUNTED


def test_what_has_no_place_has_no_film() -> None:
    place = load_position(CC, "livret-ldv")
    assert film((), (), place, View(place.grid, 30.0)) is None
