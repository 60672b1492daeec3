"""What is said once: the number of a rule in a reply, whoever cites it; what a rule means for who plays, in a lesson."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.asked import posed
from tutor.core.registry import GAMES
from tutor.course.diagnosis import judge, replied
from tutor.course.exercises import Task
from tutor.course.lessons import exercises, lessons
from tutor.course.models import RuleText
from tutor.course.prose import cited_once, rule_ids, rule_number
from widgets.host.prose import Writer
from widgets.player.predictions import conclusion


def replies(game_id: str) -> Iterator[str]:
    """What stands under each question of a game once the answer is shown, for each mistake that one chooses."""
    for one in posed(game_id):
        if one.prediction is not None:
            answer = conclusion(one.result, one.position, one.prediction)
            yield from (cited_once(f"{answer} {choice.because_not or ''}") for choice in one.prediction.choices)
    for exercise in exercises(game_id).values():
        task = Task.of(game_id, exercise)
        given = {"choice": [choice.label for choice in exercise.answer.choices], "number": ["2"]}
        yield from (replied(task, judge(task, one)) for one in given.get(exercise.answer.kind, ()))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_number_of_a_rule_is_shown_once_in_a_reply(game_id: str) -> None:
    for said in replies(game_id):
        if "ou peut-être" in said:  # two sets of rules that one may have forgotten, a rule in both
            continue
        shown = Counter(map(rule_number, rule_ids(said)))
        assert not [number for number, times in shown.items() if times > 1], said


@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_rule_means_for_who_plays_stands_once_in_a_lesson(game_id: str) -> None:
    for content in lessons(game_id):
        writer = Writer(game_id, (), content.blocks)
        texts = [writer.meanings(block) for block in content.blocks if isinstance(block, RuleText)]
        said = [one for text in texts for one in text.split("<p")[1:]]
        assert len(set(said)) == len(said), content.id
