"""A reply shows the number of a rule once, whoever cites it: the answer, the mistake, the two together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.asked import posed
from tutor.core.registry import GAMES
from tutor.course.diagnosis import judge, replied
from tutor.course.exercises import Task
from tutor.course.lessons import exercises
from tutor.course.prose import cited_once, rule_ids, rule_number
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
