"""A teacher's plan of 45 minutes leads to scenes and exercises that exist, for each game."""

from __future__ import annotations

import pytest

from tests.screen import tabs, words
from tutor.core.errors import ContentError
from tutor.core.registry import GAMES, game
from tutor.course.links import Link
from tutor.course.models import parse_model
from tutor.course.prose import rule_ids
from tutor.course.session_plan import LENGTH, SessionPlan, session_plan
from widgets.host.page import Page
from widgets.pages.session_plan import PlanPage


@pytest.mark.parametrize("game_id", list(GAMES))
def test_the_plan_of_a_game_names_what_its_course_has(game_id: str) -> None:
    plan = session_plan(game_id)
    assert plan is not None
    assert plan.faults(game_id) == []
    assert sum(step.minutes for step in plan.steps) == LENGTH
    assert sum(bool(step.exercise) for step in plan.steps) >= 2  # the room answers, and is seen
    assert all(step.ask and step.expect for step in plan.steps)
    cited = {rule for step in plan.steps for text in (step.do, step.expect or "") for rule in rule_ids(text)}
    assert cited <= set(game(game_id).sections)


def test_a_step_that_names_nothing_is_a_sentence() -> None:
    plan = session_plan("asl_sk")
    assert plan is not None
    wrong = plan.steps[0].model_copy(update={"lesson": "99-rien"})
    other = plan.steps[1].model_copy(update={"example": "rien", "exercise": "rien"})
    said = plan.model_copy(update={"steps": [wrong, other]}).faults("asl_sk")
    assert [sentence.split("\u00a0")[0].split(" «")[0] for sentence in said] == ["La leçon", "L’exemple", "L’exercice"]


def test_a_plan_that_is_too_long_is_refused() -> None:
    plan = session_plan("tcs")
    assert plan is not None
    data = plan.model_dump(exclude_none=True)
    data["steps"][0]["minutes"] += 1
    with pytest.raises(ContentError, match="46 minutes"):
        parse_model(SessionPlan, data, "session.yaml")


def test_the_page_follows_its_link_and_each_scene_opens(here: Page) -> None:
    here.course.query = "?jeu=tcs"
    shown = PlanPage(here)
    assert tabs(shown.widget).value == "tcs"
    assert Link("lesson", "tcs", slug="02-ldv-de-profil", example="a-g").url in words(shown.widget)
    tabs(shown.widget).value = "asl_sk"
    assert "Ce que coupe un trait" in words(shown.widget)
