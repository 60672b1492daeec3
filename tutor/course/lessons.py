"""The lessons and exercises of a game, read from its folder; the place of each rule in the course."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from tutor.core.errors import ContentError, TutorError
from tutor.core.registry import game
from tutor.course.models import (
    Block,
    Example,
    Exercise,
    ExerciseFile,
    ExerciseList,
    Lesson,
    Next,
    Question,
    Remember,
    Situation,
    WhatIfs,
    read_model,
    read_named,
)

#: A section that an article file brings.
_RULE = re.compile(r"^ *- rule: *[\"']?([^\s\"']+)", re.MULTILINE)
_ID = re.compile(r"^id:\s*[\"']?([a-z0-9.-]+)", re.MULTILINE)


def lesson_files(game_id: str) -> list[Path]:
    """Lesson files of a game, in the order of the course."""
    return sorted((game(game_id).folder / "lessons").glob("*.yaml"))


@lru_cache(maxsize=64)
def _read(path: Path) -> Lesson:
    return read_named(Lesson, path)


def lessons(game_id: str) -> list[Lesson]:
    """Every lesson of a game, in order.

    Raises:
        ContentError: a broken lesson file.
    """
    return [_read(path) for path in lesson_files(game_id)]


def readable(game_id: str) -> tuple[list[Lesson], list[ContentError]]:
    """Every lesson that can be read, and what is wrong with the others: one broken file hides no other lesson."""
    lessons: list[Lesson] = []
    faults: list[ContentError] = []
    for path in lesson_files(game_id):
        try:
            lessons.append(_read(path))
        except ContentError as error:
            faults.append(error)
    return lessons, faults


def lesson(game_id: str, lesson_id: str) -> Lesson:
    """One lesson by id; only its own file is read.

    Raises:
        ContentError: there is none, or its file is broken.
    """
    names = []
    for path, name in _named(game_id):
        if name == lesson_id:
            return _read(path)
        names.append(name)
    raise ContentError(f"La leçon « {lesson_id} » n’existe pas.", remedy=f"Leçons : {', '.join(names) or 'aucune'}.")


def lesson_after(game_id: str, lesson_id: str) -> Lesson | None:
    """The next lesson of the course that can be read; None after the last one, and after one that is not of the course.

    >>> lesson_after("combat_commander", "cc-04-ldv").number
    4
    """
    files = list(_named(game_id))
    at = next((i for i, (_, name) in enumerate(files) if name == lesson_id), len(files))
    for path, _ in files[at + 1 :]:
        with suppress(ContentError):
            return _read(path)
    return None


def _named(game_id: str) -> Iterator[tuple[Path, str]]:
    """Lesson files with the ids of their lessons, in order, found without reading what the lessons say."""
    for path in lesson_files(game_id):
        head = _ID.search(path.read_text(encoding="utf-8")[:400])
        yield path, head[1] if head else path.stem


@lru_cache(maxsize=256)
def _exercise_file(path: Path) -> tuple[Exercise, ...]:
    return tuple(read_model(ExerciseFile, path).exercises)


def exercises(game_id: str) -> Mapping[str, Exercise]:
    """Every exercise of a game by id.

    Raises:
        ContentError: a broken file, or two exercises of the same id.
    """
    by_id: dict[str, Exercise] = {}
    for path in sorted((game(game_id).folder / "exercises").glob("*.yaml")):
        for exercise in _exercise_file(path):
            if exercise.id in by_id:
                raise ContentError(
                    f"Deux exercices se nomment « {exercise.id} ».", path=path.name, remedy="Changez l’un des deux."
                )
            by_id[exercise.id] = exercise
    return by_id


def grouped(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks with the example they belong to: what leads to it, the example, its rule and its « Et si… », wherever these
    stand in the lesson.

    Args:
        blocks: of a lesson, in order.
    """
    groups: list[list[Block]] = [[]]
    homes: dict[str, list[Block]] = {}
    for block in blocks:
        if isinstance(block, (ExerciseList, Remember, Next)):
            continue
        has_example = any(isinstance(other, Example) for other in groups[-1])
        if has_example and isinstance(block, (Example, Situation, Question)):
            groups.append([])
        if isinstance(block, Example):
            homes[block.id] = groups[-1]
        (homes.get(block.example, groups[-1]) if isinstance(block, WhatIfs) else groups[-1]).append(block)
    return [group for group in groups if group]


def exercises_of(game_id: str, lesson: Lesson) -> list[Exercise]:
    """The exercises of a lesson, in its order. A file named like the lesson is read alone when it holds them all.

    Raises:
        ContentError: one does not exist.
    """
    own = game(game_id).folder / "exercises" / f"{lesson.slug}.yaml"
    by_id: Mapping[str, Exercise] = {e.id: e for e in _exercise_file(own)} if own.is_file() else {}
    if any(i not in by_id for i in lesson.exercise_ids):
        by_id = exercises(game_id)
    missing = [i for i in lesson.exercise_ids if i not in by_id]
    if missing:
        raise ContentError(
            f"Exercice inconnu : {', '.join(missing)}.",
            path=f"{lesson.slug}.yaml",
            remedy="Écrivez-le dans exercises/.",
        )
    return [by_id[i] for i in lesson.exercise_ids]


def teaching(game_id: str) -> dict[str, Lesson]:
    """Rule id -> the first lesson that teaches it."""
    first_lessons: dict[str, Lesson] = {}
    for one in readable(game_id)[0]:
        for rule in one.rules:
            first_lessons.setdefault(rule, one)
    return first_lessons


def article_files(game_id: str) -> list[Path]:
    """Article files of a game; a game may have none."""
    return sorted((game(game_id).folder / "articles").glob("*.yaml"))


@lru_cache(maxsize=8)
def article_rules(game_id: str) -> tuple[str, ...]:
    """Sections that have an article, in the order of their files: found without reading what the articles say.

    >>> "A32" in article_rules("combat_commander")
    True
    """
    texts = (path.read_text(encoding="utf-8") for path in article_files(game_id))
    return tuple(rule for text in texts for rule in _RULE.findall(text))


@lru_cache(maxsize=1024)
def lesson_of_exercise(game_id: str, exercise_id: str) -> str:
    """Id of the lesson an exercise belongs to; "" when there is no such exercise any more.

    >>> lesson_of_exercise("combat_commander", "cc-04-voit")
    'cc-04-ldv'
    """
    try:
        exercise = exercises(game_id).get(exercise_id)
    except TutorError:
        return ""
    return exercise.lesson if exercise else ""
