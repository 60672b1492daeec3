"""The headline of an answer, and the few steps that decide it: found by asking again, never written."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from tutor import ask, load_position
from tutor.core.effort import Effort, bounded
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from tutor.core.trace import Step
from tutor.course import why
from tutor.course.decisive import FEWEST, MOST, deciding_steps, decisive, without
from tutor.course.exercises import Task, fitting
from tutor.course.headlines import Wanted, answering, answering_exercise, asked_for, headline, headline_of, says
from tutor.course.lessons import exercises
from tutor.course.matching import view
from tutor.course.models import Choice
from widgets.board.panels.verdict import DETAIL, TracePanel, verdict

CC = "combat_commander"


@pytest.mark.parametrize("game_id", GAMES)
def test_two_to_five_steps_decide_and_the_trace_has_them_all(game_id: str) -> None:
    long = 0
    for one in why.posed(game_id):
        if one.prediction is None:
            continue
        few, steps = deciding_steps(one.result, one.position), list(one.result.trace.walk())
        long += bool(few)
        assert len(few) <= MOST, one.where
        assert all(any(step is other for other in steps) for step in few), one.where
        if few:
            assert len(few) >= FEWEST or len(steps) <= MOST + 1, one.where
            said = {step.rule for step in steps[1:] if step.kind != "input" and not step.children} & set(one.decisive)
            assert not said or said & {step.rule for step in few}, one.where
    assert long


def test_leaving_a_rule_out_asks_the_same_question() -> None:
    place = load_position(CC, "livret-ldv")
    result = ask(place, "los", start="M9", end="N6")
    other = without(result, place, "10.3")
    assert other is not None
    assert (result.value.hindrance > 0, other.value.hindrance) == (True, 0)
    assert "10.3" in decisive(result, place)


def test_the_headline_is_the_step_that_says_what_the_choices_ask_for() -> None:
    asked = next(one for one in why.posed("tcs") if one.where == "tcs-05-zone, force, question")
    assert asked.prediction
    last = headline(asked.result, asked.position, asked.prediction.because)
    said = headline(asked.result, asked.position, asked.prediction.because, asked.prediction.choices)
    assert "18" not in last
    assert "18" in said
    steps = answering(asked.result, asked.position, asked.prediction.because, asked.prediction.choices)
    assert verdict(asked.result, asked.position, steps[-1].code)[1] == said


def test_a_headline_says_odds_in_per_cent_and_the_detail_the_fraction() -> None:
    place = load_position(CC, "livret-tir")
    result = ask(place, "fire_odds", firers=["peloton-l8"], target="M6")
    step = result.trace.children[-1]
    exact = f"{step.value} ("
    assert exact in game(CC).sentence(step, place)
    for sentence in (headline(result, place, step.code), verdict(result, place, step.code)[1]):
        assert "%" in sentence
        assert str(step.value) not in sentence
    asked = [
        Choice(label=label, when={"outcome": outcome}) for label, outcome in (("1 sur 6", "computed"), ("1", "refused"))
    ]
    assert exact in headline_of([step], place, asked)


#: Exercises whose number stands in no step: a chance that is one of many of a table.
IN_NO_STEP = {"cc-06-chance"}


@pytest.mark.parametrize("game_id", GAMES)
def test_the_verdict_of_an_exercise_says_the_number_or_the_place_asked_for(game_id: str) -> None:
    asked = 0
    for exercise in exercises(game_id).values():
        written = Task.of(game_id, exercise)
        for task in (written, *([written.variant(1)] if exercise.vary else ())):
            result, solution = task.result(), task.solution()
            wanted: Wanted = frozenset()
            if isinstance(solution, Fraction):
                wanted = frozenset({solution})
            elif right := fitting(exercise.answer.choices, view(result)):
                wanted = asked_for(exercise.answer.choices, right)
            if wanted and exercise.id not in IN_NO_STEP and not result.refusals:
                asked += 1
                said = verdict(result, task.position, answering_exercise(task, result))[1]
                assert says(said, wanted), (exercise.id, wanted, said)
    assert asked >= 10


@pytest.mark.parametrize("game_id", GAMES)
def test_an_exercise_names_a_step_of_its_own_trace_and_its_verdict_says_that_step(game_id: str) -> None:
    for exercise in exercises(game_id).values():
        if exercise.because is None:
            continue
        task = Task.of(game_id, exercise)
        result = task.result()
        named = [step for step in result.trace.walk() if exercise.because in (step.rule, step.code)]
        assert named, exercise.id
        said = verdict(result, task.position, answering_exercise(task, result))[1]
        assert said == headline_of(named[-1:], task.position), (exercise.id, said)


#: Steps that say a sentence twice because two things are alike: tables read twice, two hexes, two commanders.
SAID_TWICE = {"cc-14-vues", "asl-10-mf", "sl-06-stress"}


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_the_proof_of_an_exercise_decides_in_five_steps_at_most_and_repeats_nothing(game_id: str) -> None:
    rulebook = game(game_id)

    def sentences(steps: Sequence[Step], position: Position) -> list[str]:
        said = (step for step in steps if step.kind != "input" and step.code in rulebook.phrases.templates)
        return [rulebook.sentence(step, position) for step in said]

    for exercise in exercises(game_id).values():
        task = Task.of(game_id, exercise)
        result = task.result()
        steps = deciding_steps(result, task.position)
        assert len(steps) <= MOST, exercise.id
        assert len(set(sentences(steps, task.position))) == len(sentences(steps, task.position)), exercise.id
        for step in result.trace.walk() if exercise.id not in SAID_TWICE else ():
            together = sentences(step.children, task.position)
            assert len(set(together)) == len(together), (exercise.id, together)


def test_a_verdict_is_said_by_the_rule_of_the_exercise_where_several_steps_say_the_number() -> None:
    task = Task.of(CC, exercises(CC)["cc-14-frequence"])
    result = task.result()
    assert "Event" in verdict(result, task.position, answering_exercise(task, result))[1]


def test_a_question_that_no_choice_fits_keeps_the_last_step() -> None:
    place = load_position(CC, "livret-ldv")
    result = ask(place, "los", start="J9", end="K6")
    nowhere = [Choice(label=label, when={"value": {"hindrance": 40}}) for label in ("4", "5")]
    assert headline(result, place, None, nowhere) == headline(result, place)


def test_a_long_trace_is_behind_the_detail_and_a_short_one_is_not() -> None:
    place = load_position(CC, "livret-ldv")
    panel = TracePanel()
    panel.show(ask(place, "los", start="J9", end="K6"), place)
    long = panel.view.value
    assert long.index("ldv-deciding") < long.index(f"<summary>{DETAIL}</summary>")
    before, _, whole = long.partition("<details")
    assert FEWEST <= before.count('class="ldv-step"') <= MOST < whole.count('class="ldv-step"')
    assert game(CC).title
    short = ask(place, "distance", start="J9", end="K6")
    panel.show(short, place)
    assert "<details" not in panel.view.value


def test_where_the_deciding_rules_take_too_long_the_steps_are_chosen_without_them() -> None:
    one = next(one for one in why.posed(CC) if one.prediction and deciding_steps(one.result, one.position))
    with bounded(Effort(seconds=-1)):
        few = deciding_steps(one.result, one.position)
    assert FEWEST <= len(few) <= MOST
