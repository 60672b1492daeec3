"""How far a reader is with the course of a game: which lessons are done, begun or to come, and which is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from tutor.core.phrases import NBSP
from tutor.course.links import Link
from tutor.course.models import Lesson
from widgets.host.learner import Progress
from widgets.host.whereabouts import Place

State = Literal["done", "begun", "ahead"]
_WORDS: dict[State, str] = {"done": "terminée", "begun": "commencée", "ahead": "à venir"}


@dataclass(frozen=True, slots=True)
class Step:
    """A lesson on the way.

    Args:
        lesson: it.
        state: how far the reader is.
        part: how much of it is done, from 0 to 1.
        note: exercises solved, for who reads; "" when there is nothing to say.
    """

    lesson: Lesson
    state: State
    part: float
    note: str = ""


def length(way: Sequence[Step]) -> str:
    """How long the lessons of a course take together.

    >>> length(())
    '0\xa0min'
    """
    hours, rest = divmod(sum(step.lesson.minutes for step in way), 60)
    return f"{hours}{NBSP}h{NBSP}{rest:02}" if hours else f"{rest}{NBSP}min"


def steps(lessons: Sequence[Lesson], progress: Progress, place: Place | None) -> list[Step]:
    """The lessons of a game, each as far as the reader is.

    Args:
        lessons: in the order of the course.
        progress: of the reader.
        place: where he was last.
    """
    kept = {one["lesson"]: one for one in progress.lessons}
    return [_step(one, progress, kept.get(one.id, {}), place) for one in lessons]


def _step(lesson: Lesson, progress: Progress, kept: Mapping[str, Any], place: Place | None) -> Step:
    ids = set(lesson.exercise_ids)
    solved = len(ids & set(progress.done.get(lesson.id, ())))
    here = place.part if place and place.lesson == lesson.id else 0.0
    note = f"{solved} sur {len(ids)} exercices réussis" if solved else ""
    if (ids and solved == len(ids)) or kept.get("finished"):
        return Step(lesson, "done", 1.0, note or "déjà connue")
    begun = solved or kept or (place and place.lesson == lesson.id)
    part = max(here, solved / len(ids) if ids else 0.0)
    return Step(lesson, "begun", min(max(part, 0.12), 0.9), note) if begun else Step(lesson, "ahead", 0.0)


def next_step(way: Sequence[Step], after: str = "") -> Step | None:
    """The first lesson that is not done, after another one if there is one there; None when all are."""
    ids = [step.lesson.id for step in way]
    start = ids.index(after) + 1 if after in ids else 0
    left = [step for step in [*way[start:], *way[:start]] if step.state != "done"]
    return left[0] if left else None


def hexes(game_id: str, way: Sequence[Step], here: str = "") -> str:
    """The course as a path of hexes, filled as far as the reader is, as HTML.

    Args:
        game_id: whose course.
        way: its lessons.
        here: id of the lesson to go on with.
    """
    cells = "".join(_cell(game_id, step, step.lesson.id == here) for step in way)
    end = all(step.state == "done" for step in way)
    flag = f'<li class="ldv-hex-end" data-state="{"done" if end else "ahead"}"><span><i>Cours terminé</i></span></li>'
    return f'<ol class="ldv-hexes">{cells}{flag}</ol>'


def _cell(game_id: str, step: Step, here: bool) -> str:
    lesson = step.lesson
    url = escape(Link("lesson", game_id, slug=lesson.slug).url, quote=True)
    said = f"Leçon {lesson.number}{NBSP}: {lesson.title}, {_WORDS[step.state]}"
    said += f", {step.note}" if step.note else ""
    hint = escape(f"{lesson.title}. {lesson.teaser} {lesson.minutes}{NBSP}minutes.", quote=True)
    mark = ' aria-current="step"' if here else ""
    return (
        f'<li data-state="{step.state}" style="--part:{round(step.part * 100)}%"{" class=is-here" if here else ""}>'
        f'<a href="{url}" title="{hint}" aria-label="{escape(said, quote=True)}"{mark}>'
        f"<span><b>{lesson.number}</b><i>{escape(lesson.title)}</i></span></a></li>"
    )
