"""A lesson kept as data: played by the player of the course, made of parts, put into a notebook to download."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from tutor.core.errors import ContentError
from tutor.core.phrases import NBSP
from tutor.core.position import Model, Position
from tutor.core.registry import GAMES, game
from tutor.course.links import Link
from tutor.course.models import (
    FEWEST_MINUTES,
    MOST_MINUTES,
    Answer,
    Example,
    ExerciseList,
    Question,
    Remember,
    RuleText,
    Situation,
    parse_model,
)
from tutor.course.prose import rule_ids
from tutor.course.teacher_lessons import MAX_LESSON, Asked, AuthoredLesson, Sheet, exercise_of
from widgets.editor.draft import Draft
from widgets.editor.preview import example_of
from widgets.host.page import Page
from widgets.host.prose import Writer, unknown_notice
from widgets.player.lesson import LessonPage

PartKind = Literal["situation", "question", "example", "rule", "exercise", "remember"]
#: Fewest parts of a lesson: something met, something tried, something kept.
FEWEST = 3
#: Longest draft that is taken up again, in characters, and its most parts: more than any lesson that can be kept.
MAX_DRAFT, MOST_DRAFTED = 5 * MAX_LESSON, 120


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a lesson being made.

    Args:
        kind: what it is.
        text: its prose, one sentence or line of it per line.
        title: of a rule, an example or an exercise;
        sheet: position and question of an example or an exercise.
    """

    kind: PartKind
    text: str = ""
    title: str = ""
    sheet: Sheet | None = None

    def lines(self) -> list[str]:
        """Its lines that say something."""
        return [line for raw in self.text.splitlines() if (line := raw.strip())]


_Words = Annotated[str, Field(max_length=20_000)]


class _Piece(Model):
    """A part as a draft keeps it."""

    kind: PartKind
    text: _Words
    title: _Words
    sheet: str | None


class _Draft(Model):
    """A lesson being made, as the browser keeps it; it may have been written there by anything."""

    game: str
    title: _Words
    teaser: _Words
    minutes: Annotated[int, Field(ge=FEWEST_MINUTES, le=MOST_MINUTES)]
    parts: Annotated[list[_Piece], Field(max_length=MOST_DRAFTED)]


@dataclass(frozen=True, slots=True)
class Plan:
    """A lesson being made: its title, a sentence on it, how long it takes, its parts in order."""

    title: str = ""
    teaser: str = ""
    minutes: int = 10
    parts: tuple[Part, ...] = field(default=())

    def move(self, index: int, by: int) -> Plan:
        """The same with a part earlier or later."""
        parts, other = list(self.parts), index + by
        if 0 <= other < len(parts):
            parts[index], parts[other] = parts[other], parts[index]
        return replace(self, parts=tuple(parts))

    def put(self, index: int, part: Part | None) -> Plan:
        """The same with a part changed, or without it."""
        return replace(self, parts=(*self.parts[:index], *([part] if part else []), *self.parts[index + 1 :]))

    def build(self, game_id: str, slug: str) -> AuthoredLesson:
        """The lesson these parts make.

        Args:
            game_id: its game.
            slug: an id made of its title.

        Raises:
            ContentError, PositionError: what is missing, or wrong, in which part.
        """
        if not self.title.strip():
            raise ContentError("La leçon n’a pas de titre.", remedy="Écrivez-en un.")
        if len(self.parts) < FEWEST:
            raise ContentError(
                f"Il faut {FEWEST} parties au moins.", remedy="Par exemple une situation, un exemple, une règle."
            )
        blocks: list[dict[str, Any]] = []
        exercises: list[dict[str, Any]] = []
        for number, part in enumerate(self.parts, 1):
            try:
                self._add(number, part, blocks, exercises, f"lecon-{slug}"[:60])
            except ContentError as error:
                raise ContentError(f"Partie {number}{NBSP}: {error.sentence}") from None
        if exercises:
            blocks.append({"kind": "exercises", "ids": [one["id"] for one in exercises][:8]})
        rules = [rule for block in blocks for rule in block.get("rules", ())]
        rules += [rule for text in _texts(blocks) for rule in rule_ids(text)]
        rules += [rule for one in exercises for rule in one["rules"]]
        if not rules:
            raise ContentError(
                "Cette leçon ne nomme aucune règle.", remedy="Ajoutez un exemple, ou une règle numérotée."
            )
        lesson = {
            "id": f"lecon-{slug}"[:60],
            "number": 1,
            "slug": f"01-{slug}"[:60],
            "title": self.title,
            "minutes": self.minutes,
            "teaser": self.teaser.strip() or self.title,
            "rules": list(dict.fromkeys(rules)),
            "blocks": blocks,
        }
        made = parse_model(
            AuthoredLesson, {"schema": 1, "game": game_id, "lesson": lesson, "exercises": exercises}, "leçon"
        )
        if faults := made.faults():
            raise ContentError(" ".join(faults[:3]))
        return made

    def _add(
        self, number: int, part: Part, blocks: list[dict[str, Any]], exercises: list[dict[str, Any]], lesson: str
    ) -> None:
        lines = part.lines()
        if part.kind in ("situation", "rule", "remember") and not lines:
            raise ContentError("Le texte est vide.")
        if part.kind == "situation":
            blocks.append({"kind": "situation", "text": " ".join(lines)})
        elif part.kind == "rule":
            title = {"title": part.title} if part.title.strip() else {}
            blocks.append({"kind": "rule", **title, "sentences": lines})
        elif part.kind == "remember":
            blocks.append({"kind": "retenir", "lines": lines})
        elif part.kind == "question":
            blocks.append(self._question(number, part))
        elif part.sheet is None:
            raise ContentError(
                "Aucune position n’est choisie.", remedy="Prenez celle du plateau, ou une position gardée."
            )
        elif part.kind == "example":
            blocks.append(self._example(number, part, part.sheet))
        else:
            asked = part.sheet.asked
            if asked is None:
                raise ContentError(
                    "Cette position n’a pas de question.",
                    remedy="Posez-en une à l’étape Question, puis reprenez cette position.",
                )
            made = exercise_of(part.sheet.board, asked, f"exercice-{number}", lesson, part.title or "Exercice")
            exercises.append(made.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True))

    def _example(self, number: int, part: Part, sheet: Sheet) -> dict[str, Any]:
        made = example_of(Draft(sheet.board, sheet.asked), f"exemple-{number}", part.title, " ".join(part.lines()))
        data = made.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
        before = self.parts[number - 2] if number > 1 else None
        if before is not None and before.kind == "question":
            data.pop("question", None)
        return {"kind": "example", **data}

    def _question(self, number: int, part: Part) -> dict[str, Any]:
        """The opening question: asked about the example that comes next, its choices named anew when lines say how."""
        after = self.parts[number] if number < len(self.parts) else None
        asked = after.sheet.asked if after and after.kind == "example" and after.sheet else None
        answer = asked.answer if asked else None
        if asked is None or answer is None or answer.kind != "choice":
            raise ContentError(
                "Une question d’ouverture est suivie d’un exemple dont la question a des choix.",
                remedy="Placez-la juste avant un tel exemple.",
            )
        lines = part.lines()
        text = lines[0] if lines else asked.question or ""
        labels = lines[1:] or [choice.label for choice in answer.choices]
        if len(labels) != len(answer.choices):
            raise ContentError(f"Il faut {len(answer.choices)} choix, un par ligne, sous la question.")
        choices = [{"label": new, "when": old.when} for new, old in zip(labels, answer.choices, strict=True)]
        return {"kind": "question", "example": f"exemple-{number + 1}", "text": text, "choices": choices}

    def dump(self, game_id: str) -> str:
        """The lesson as it stands, finished or not, as text for a draft."""
        parts = [
            {"kind": one.kind, "text": one.text, "title": one.title, "sheet": one.sheet.dump() if one.sheet else None}
            for one in self.parts
        ]
        kept = {"game": game_id, "title": self.title, "teaser": self.teaser, "minutes": self.minutes, "parts": parts}
        return json.dumps(kept, ensure_ascii=False)

    @classmethod
    def parse(cls, text: str) -> tuple[str, Plan]:
        """The game and the lesson of a draft.

        Raises:
            ContentError, PositionError: it is none.

        >>> Plan.parse(Plan("Voir", parts=(Part("situation", "Un bois."),)).dump("tcs"))[1].parts[0].text
        'Un bois.'
        """
        if len(text) > MAX_DRAFT:
            raise ContentError("Ce brouillon de leçon est trop long.", remedy="Commencez-en une autre.")
        try:
            kept = _Draft.model_validate_json(text)
        except ValidationError:
            raise ContentError("Ce brouillon de leçon ne se lit pas.", remedy="Commencez-en une autre.") from None
        if kept.game not in GAMES:
            raise ContentError("Ce brouillon est d’un jeu inconnu.", remedy="Commencez-en une autre.")
        parts = (Part(p.kind, p.text, p.title, Sheet.parse(p.sheet) if p.sheet else None) for p in kept.parts)
        return kept.game, cls(kept.title, kept.teaser, kept.minutes, tuple(parts))

    @classmethod
    def of(cls, kept: AuthoredLesson) -> Plan:
        """The parts of a kept lesson, to be changed."""
        lesson, parts = kept.lesson, []
        known = {one.id: one for one in kept.exercises}
        questions = {block.example: block for block in lesson.blocks if isinstance(block, Question)}
        for block in lesson.blocks:
            if isinstance(block, Situation):
                parts.append(Part("situation", block.text))
            elif isinstance(block, Question):
                parts.append(Part("question", "\n".join([block.text, *(c.label for c in block.choices)])))
            elif isinstance(block, RuleText):
                parts.append(Part("rule", "\n".join(block.sentences), block.title or ""))
            elif isinstance(block, Remember):
                parts.append(Part("remember", "\n".join(block.lines)))
            elif isinstance(block, Example):
                shown = block.question or questions.get(block.id)
                answer = Answer(kind="choice", choices=shown.choices) if shown else None
                sheet = _sheet(
                    kept.game, block, shown.text if shown else None, answer, [p.argument for p in block.picks]
                )
                parts.append(Part("example", block.text or "", block.title, sheet))
            elif isinstance(block, ExerciseList):
                for one in (known[i] for i in block.ids):
                    sheet = _sheet(kept.game, one, one.question, one.answer, [], one.hint)
                    parts.append(Part("exercise", "", one.title, sheet))
        return cls(lesson.title, lesson.teaser, lesson.minutes, tuple(parts))


def _sheet(
    game_id: str, made: Any, question: str | None, answer: Answer | None, free: Sequence[str], hint: str | None = None
) -> Sheet:
    position: Position = game(game_id).position(made.position).change(made.changes)
    data: dict[str, Any] = {"ask": made.ask, "with": made.with_, "question": question, "hint": hint, "free": list(free)}
    asked = Asked.model_validate({key: value for key, value in data.items() if value})
    return Sheet.of(position, asked.model_copy(update={"answer": answer}))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _texts(item)]


def kept_lesson(page: Page, kept: AuthoredLesson, code: str = "", *, staged: bool = False) -> LessonPage:
    """A kept lesson, to be shown as one widget.

    Args:
        page: what its widgets share.
        kept: the lesson.
        code: under which it is kept: its links lead there, and progress is its own.
        staged: scene by scene on one board, where it has a board.
    """
    address = Link("authored", slug=code) if code else Link("sandbox", kept.game)
    content = kept.lesson.model_copy(update={"id": f"lecon-{code.lower()}"}) if code else kept.lesson
    lead = Writer(kept.game).inline(content.teaser, explain=False) if content.teaser != content.title else ""
    head = (
        f'<h2>{escape(content.title)}</h2><p class="ldv-source">{escape(GAMES[kept.game])} · environ '
        f"{content.minutes}{NBSP}minutes</p>"
        + (f'<p class="ldv-situation">{lead}</p>' if lead else "")
        + unknown_notice(kept.unknown_words())
    )
    return LessonPage(
        page,
        kept.game,
        content,
        exercises=kept.exercises,
        address=address,
        head=head,
        staged=staged and kept.has_board,
    )


def notebook(kept: AuthoredLesson) -> str:
    """A notebook that carries the lesson in its metadata and plays it by one cell, which is always the same."""
    cell = ["from widgets.pages.teacher_lesson import carried\n", "\n", "carried()"]
    data = {
        "cells": [
            {
                "cell_type": "markdown",
                "id": "cell-1",
                "metadata": {},
                "source": ["# Leçon"],
            },
            {
                "cell_type": "code",
                "id": "cell-2",
                "metadata": {},
                "source": cell,
                "execution_count": None,
                "outputs": [],
            },
        ],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": kept.lesson.title,
            "ligne_de_vue": {"kind": "lesson", "body": kept.dump()},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, ensure_ascii=False, indent=1)
