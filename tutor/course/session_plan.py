"""A session of 45 minutes, step by step, for a teacher: what to show, what to ask, what to expect.

Data in each game's ``session.yaml``; each step leads to a scene of a lesson, or names an exercise to send to the class.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from tutor.core.position import Model
from tutor.core.registry import game
from tutor.course.lessons import exercises, readable
from tutor.course.links import Link
from tutor.course.models import Label, Prose, Slug, read_model

#: Minutes that a plan lasts.
LENGTH = 45


class PlanStep(Model):
    """A step of a session.

    ``example``: the one of the lesson that is shown; ``exercise``: the one that is sent to the class; ``scene``: another
    scene of the lesson. ``ask``: the question to the room; ``expect``: what it answers, and what to make of it.
    """

    minutes: Annotated[int, Field(ge=1, le=20)]
    title: Label
    do: Prose
    ask: Prose | None = None
    expect: Prose | None = None
    lesson: Slug
    example: Slug | None = None
    exercise: Slug | None = None
    scene: Slug | None = None

    def link(self, game_id: str) -> Link:
        """The scene that this step shows."""
        scene = self.scene or ("exercices" if self.exercise else "")
        return Link("lesson", game_id, slug=self.lesson, example=self.example or "", scene=scene)


class SessionPlan(Model):
    """A plan: ``aim`` is what learners can do at the end."""

    title: Label
    aim: Prose
    prepare: Prose
    steps: Annotated[list[PlanStep], Field(min_length=3)]

    @model_validator(mode="after")
    def _whole(self) -> SessionPlan:
        if (total := sum(step.minutes for step in self.steps)) != LENGTH:
            raise ValueError(f"les étapes durent {total} minutes au lieu de {LENGTH}")
        return self

    def starts(self) -> list[int]:
        """Minute at which each step begins."""
        return [sum(step.minutes for step in self.steps[:number]) for number in range(len(self.steps))]

    def faults(self, game_id: str) -> list[str]:
        """What a step names that the course of the game does not have, as French sentences."""
        lessons, known, said = {one.slug: one for one in readable(game_id)[0]}, exercises(game_id), []
        for step in self.steps:
            lesson = lessons.get(step.lesson)
            if lesson is None:
                said.append(f"La leçon « {step.lesson} » n’existe pas.")
                continue
            if step.example and step.example not in lesson.examples:
                said.append(f"L’exemple « {step.example} » n’est pas dans « {step.lesson} ».")
            if step.exercise and (step.exercise not in known or step.exercise not in lesson.exercise_ids):
                said.append(f"L’exercice « {step.exercise} » n’est pas dans « {step.lesson} ».")
        return said


def session_plan(game_id: str) -> SessionPlan | None:
    """The plan of a game; None when it has no ``session.yaml``.

    Raises:
        ContentError: a broken file.

    >>> session_plan("combat_commander").starts()[:2]
    [0, 5]
    """
    path = game(game_id).folder / "session.yaml"
    return read_model(SessionPlan, path) if path.is_file() else None
