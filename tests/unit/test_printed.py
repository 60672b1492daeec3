"""A lesson on paper: everything that is asked, and no answer before the last pages."""

from __future__ import annotations

import re
from html import escape

import pytest

from tutor import ask, load_position
from tutor.core.registry import GAMES, game
from tutor.course.lessons import exercises_of, lessons
from tutor.course.models import Example, Prediction, Question, WhatIfs
from widgets.host.prose import Writer
from widgets.player.printed import Worksheet, rows_html

pytestmark = pytest.mark.usefixtures("handed_grounds")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_worksheet_asks_everything_and_answers_it_at_the_end(game_id: str) -> None:
    for lesson in lessons(game_id):
        exercises = exercises_of(game_id, lesson)
        asked: list[Prediction] = [block for block in lesson.blocks if isinstance(block, Question)]
        asked += [case for block in lesson.blocks if isinstance(block, WhatIfs) for case in block.cases]
        examples = [block for block in lesson.blocks if isinstance(block, Example)]
        asked += [one.question for one in examples if one.question]
        whole = Worksheet(game_id, lesson, exercises, Writer(game_id)).html
        questions, _, answers = whole.partition('<section class="ldv-sheet-answers">')
        numbers = [re.findall(r"<strong>(\d+)\. ", part) for part in (questions, answers)]
        count = len(asked) + len(exercises)
        assert numbers[0] == [str(number + 1) for number in range(count)], lesson.id
        assert sorted(numbers[1], key=int) == numbers[0], lesson.id
        assert not re.search(r"<strong>\d+\. ?</strong>", answers), lesson.id  # a question without its right answer
        assert questions.count("<svg") >= len(examples) + len(exercises), lesson.id
        assert 'data-right="true"' not in questions
        settings = [tweak.label for one in examples for tweak in one.tweaks]
        assert not [label for label in settings if escape(label) not in questions], lesson.id
        assert "<ol>" not in questions
        assert "ldv-alert" not in whole
        assert "None" not in whole
        assert "Et si… Et si" not in whole
        assert not re.search(r"…{9,} (Cases|Hexs) choisi", whole), lesson.id  # what is chosen stands before the blank


def test_a_reason_of_a_refusal_is_printed_once() -> None:
    place = load_position("heroes_of_normandie", "releve")
    refused = ask(place, "rally", officer="sergent", unit="lointain")
    rows = rows_html(refused, place, Writer("heroes_of_normandie"))
    assert refused.outcome == "refused"
    assert all(rows.count(game(place.game).sentence(one, place)) == 1 for one in refused.refusals)
