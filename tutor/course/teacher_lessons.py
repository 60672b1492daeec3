"""What a teacher makes and keeps: a position with its question, a lesson made of them.

Data alone, read strictly; no widget.

>>> from tutor.core.registry import load_position
>>> board = load_position("combat_commander", "livret-ldv")
>>> text = Sheet.of(board, Asked(ask="los", **{"with": {"start": "J9", "end": "K6"}})).dump()
>>> Sheet.parse(text).asked.ask
'los'
"""

# ruff: noqa: RUF012 - pydantic copies defaults
from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from tutor.core.errors import ContentError, PositionError, TutorError
from tutor.core.phrases import NBSP
from tutor.core.position import MAX_TEXT, Model, Position
from tutor.core.registry import GAMES, ask, game
from tutor.core.result import Result
from tutor.core.yamlio import dump_yaml, parse_yaml
from tutor.course.exercises import Task, fitting
from tutor.course.links import position_in
from tutor.course.matching import view
from tutor.course.models import (
    Answer,
    ArgumentName,
    Exercise,
    Label,
    Lesson,
    Prose,
    Slug,
    parse_model,
)
from tutor.course.prose import rule_ids

#: Longest text of a kept lesson, in characters: what the store takes.
MAX_LESSON = 200_000
#: Most exercises and examples of a kept lesson.
MOST_PARTS = 30
TEXTS: dict[str, str] = {
    "position": "Une position tient en {most} caractères.",
    "lesson": "Une leçon tient en {most} caractères.",
}


class Asked(Model):
    """What is asked about a position.

    ``question``: as the reader sees it; ``answer``: where the engine's result answers it; ``hint``: before he answers;
    ``free``: arguments that the reader may change.
    """

    ask: ArgumentName
    with_: dict[str, Any] = Field(default={}, alias="with")
    question: Prose | None = None
    answer: Answer | None = None
    hint: Prose | None = None
    free: Annotated[list[ArgumentName], Field(max_length=12)] = []

    def data(self) -> dict[str, Any]:
        """Plain data, what says nothing left out."""
        return self.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)


class Sheet(Model):
    """A position and what is asked about it, as they are kept."""

    schema_: Literal[1] = Field(alias="schema")
    position: dict[str, Any]
    asked: Asked | None = None

    @classmethod
    def of(cls, position: Position, asked: Asked | None = None) -> Sheet:
        """The sheet of a position."""
        return cls.model_validate({"schema": 1, "position": position.data(), "asked": asked})

    @classmethod
    def parse(cls, text: str) -> Sheet:
        """Read a sheet, or a bare position, from YAML text, or a position from its link.

        Raises:
            ContentError, PositionError: too long, unreadable, or none of them, with what to do.
        """
        if linked := position_in(text):
            return cls.of(Position.from_link(linked))
        data = _parsed(text, MAX_TEXT, "position")
        if isinstance(data, dict) and "grid" in data and "position" not in data:
            data = {"schema": 1, "position": data}
        if not isinstance(data, dict):
            raise ContentError(
                "Ce texte n’est ni une position, ni son lien.",
                remedy=f"Collez ce que «{NBSP}Écrire le texte{NBSP}» a donné, ou un lien partagé.",
            )
        if "lesson" in data:
            raise ContentError("Ce texte est celui d’une leçon.", remedy="Ouvrez-la à l’étape Leçon de l’éditeur.")
        sheet = parse_model(cls, data, "texte")
        if sheet.board.game not in GAMES:
            raise PositionError(f"Cette position est du jeu «{NBSP}{sheet.board.game}{NBSP}», inconnu ici.")
        if sheet.asked and sheet.asked.ask not in game(sheet.board.game).rules:
            raise ContentError(
                f"Ce jeu n’a pas de question «{NBSP}{sheet.asked.ask}{NBSP}».",
                remedy="Ôtez le bloc «\u00a0asked\u00a0», ou choisissez la question dans l’éditeur.",
            )
        return sheet

    @cached_property
    def board(self) -> Position:
        """The position."""
        return Position.from_data(self.position, "position")

    def dump(self) -> str:
        """YAML text."""
        kept: dict[str, Any] = {"schema": 1, "position": self.position}
        if self.asked:
            kept["asked"] = self.asked.data()
        return dump_yaml(kept)


class AuthoredLesson(Model):
    """A lesson kept as data: positions stand in its examples and exercises."""

    schema_: Literal[1] = Field(alias="schema")
    game: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,40}$")]
    lesson: Lesson
    exercises: Annotated[list[Exercise], Field(max_length=MOST_PARTS)] = []

    @classmethod
    def parse(cls, text: str) -> AuthoredLesson:
        """Read a kept lesson from YAML text.

        Raises:
            ContentError, PositionError: too long, unreadable, of an unknown game, or with a fault.
        """
        data = _parsed(text, MAX_LESSON, "lesson")
        if isinstance(data, dict) and "lesson" not in data and {"position", "grid"} & set(data):
            raise ContentError(
                "Ce texte est celui d’une position.", remedy="Ouvrez-la à l’étape Garder, puis mettez-la dans la leçon."
            )
        lesson = parse_model(cls, data, "leçon")
        if faults := lesson.faults():
            raise ContentError(" ".join(faults[:4]), path="leçon", remedy="Ouvrez-la dans l’éditeur pour la corriger.")
        return lesson

    def dump(self) -> str:
        """YAML text."""
        data = self.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
        return dump_yaml({"schema": 1, **{key: value for key, value in data.items() if key != "schema"}})

    def faults(self) -> list[str]:
        """Everything that keeps this lesson from being played, as French sentences."""
        if self.game not in GAMES:
            return [f"Le jeu «{NBSP}{self.game}{NBSP}» n’est pas dans la maison."]
        if len(self.lesson.examples) > MOST_PARTS:
            return [f"Une leçon a {MOST_PARTS} exemples au plus."]
        sentences = unknown_rules(
            self.game, [*self.lesson.rules, *(i for text in self.lesson.prose() for i in rule_ids(text))]
        )
        known = {one.id for one in self.exercises}
        sentences += [f"L’exercice «{NBSP}{i}{NBSP}» manque." for i in self.lesson.exercise_ids if i not in known]
        for example in self.lesson.examples.values():
            sentences += _guarded(example.title, lambda e=example: _example_faults(self.game, e))
        for exercise in self.exercises:
            sentences += _guarded(exercise.title, lambda e=exercise: _exercise_faults(self.game, e))
        return list(dict.fromkeys(sentences))

    @property
    def has_board(self) -> bool:
        """Whether something of it stands on a board, which a class can be led about; else it is read."""
        return bool(self.lesson.examples or self.exercises)

    def unknown_words(self) -> list[str]:
        """Words of its positions that the game does not know: it is played all the same, and says so.

        Raises:
            TutorError: a position cannot be read (`faults` says so first).
        """
        rulebook = game(self.game)
        boards = [rulebook.position(one.position).change(one.changes) for one in self.lesson.examples.values()]
        boards += [Task.of(self.game, one).position for one in self.exercises]
        return list(dict.fromkeys(word for board in boards for word in rulebook.unknown_words(board)))


def _parsed(text: str, most: int, what: str) -> Any:
    if not text.strip():
        raise ContentError("Le texte est vide.", remedy="Collez une position, ou ouvrez un fichier .yaml.")
    if len(text) > most:
        raise ContentError(f"Ce texte est trop long ({len(text)} caractères).", remedy=TEXTS[what].format(most=most))
    return parse_yaml(text, "texte")


def unknown_rules(game_id: str, rules: Iterable[str]) -> list[str]:
    """One sentence for each rule number that the index of the game does not have.

    >>> unknown_rules("combat_commander", ["10.2", "99.9"])
    ['La règle 99.9 n’est pas dans l’index de ce jeu.']
    """
    sections = game(game_id).sections
    return [
        f"La règle {rule} n’est pas dans l’index de ce jeu." for rule in dict.fromkeys(rules) if rule not in sections
    ]


def _guarded(title: str, look: Any) -> list[str]:
    try:
        return [f"{title}{NBSP}: {fault}" for fault in look()]
    except TutorError as error:
        return [f"{title}{NBSP}: {error.sentence}"]


def _example_faults(game_id: str, example: Any) -> list[str]:
    position = game(game_id).position(example.position).change(example.changes)
    sentences = list(game(game_id).problems(position))
    if not sentences:
        result = ask(position, example.ask, **example.with_)
        if example.question and fitting(example.question.choices, view(result)) is None:
            sentences.append("aucun choix, ou plusieurs, ne correspond à ce que répond le moteur.")
    return sentences


def _exercise_faults(game_id: str, exercise: Exercise) -> list[str]:
    task = Task.of(game_id, exercise)
    task.question, task.hint  # noqa: B018 - raise when they name what is not there
    sentences = list(game(game_id).problems(task.position))
    if not sentences and not task.well_posed():
        sentences.append("le moteur ne donne pas de réponse unique.")
    return sentences


def asked_result(position: Position, asked: Asked) -> Result[Any]:
    """What the engine answers.

    Raises:
        TutorError: the position is impossible, or the question cannot be asked of it.
    """
    if faults := game(position.game).problems(position):
        raise PositionError(faults[0], remedy="Corrigez la position d’abord.")
    return ask(position, asked.ask, **asked.with_)


def exercise_of(
    position: Position, asked: Asked, id: Slug, lesson: Slug = "lecon", title: Label = "Exercice"
) -> Exercise:
    """An exercise made of a position's question; what is tweakable by choices varies.

    Raises:
        ContentError: the question has no text or no answer yet.
    """
    if not asked.question or asked.answer is None:
        raise ContentError(
            "La question n’a pas encore de texte ou de réponse.",
            remedy="Complétez l’étape Question, puis reprenez cette position.",
        )
    from tutor.course.options import option_value

    result = asked_result(position, asked)
    vary = [
        {"path": tweak.path, "choices": [option_value(key) for key in tweak.options]}
        for tweak in position.tweaks
        if tweak.options
    ]
    data = {
        "id": id,
        "lesson": lesson,
        "title": title,
        "rules": deciding_rules(position, asked, result),
        "position": position.data(),
        "ask": asked.ask,
        "with": asked.with_,
        "answer": asked.answer.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True),
        "question": asked.question,
        "hint": asked.hint or "Relisez la règle, puis suivez-la pas à pas sur le plateau.",
        "vary": vary,
        "keep": {} if asked.answer.kind == "choice" else {"outcome": result.outcome},
    }
    return parse_model(Exercise, data, "exercice")


def deciding_rules(position: Position, asked: Asked, result: Result[Any] | None = None) -> list[str]:
    """Rules that a question puts to work: those that decide it first, three at most."""
    result = result or asked_result(position, asked)
    rules, rule = game(position.game).sections, game(position.game).rules[asked.ask]
    first = getattr(result.value, "rule", None)
    named = [step.rule for step in result.refusals] or ([first] if first else [])
    traced = result.trace.rules()
    ids = [r for r in dict.fromkeys([*named, *(i for i in rule.ids if i in traced), *rule.ids]) if r in rules]
    return ids[:3]


def example_data(position: Position, asked: Asked, id: str, title: str, text: str = "") -> dict[str, Any]:
    """A live example made of a position and its question, as plain data of ``tutor.course.models.Example``."""
    rulebook = game(position.game)
    result = asked_result(position, asked)
    traced = set(result.trace.rules())
    rules = [r for r in deciding_rules(position, asked, result) if r in traced] or [rulebook.rules[asked.ask].ids[0]]
    odds = rulebook.rules[asked.ask].odds
    board = position.data()
    if text and text == position.note:
        board.pop("note")  # the reader has it above the board
    data: dict[str, Any] = {
        "kind": "example",
        "id": id,
        "title": title,
        "rules": rules,
        "position": board,
        "ask": asked.ask,
        "with": asked.with_,
    }
    from tutor.course.asking import question

    data["picks"] = [
        made
        for each in question(position.game, asked.ask).arguments
        if each.name in asked.free and (made := each.pick())
    ]
    if text:
        data["text"] = text
    if odds and set(asked.with_) <= set(rulebook.rules[odds].arguments):
        data["odds"] = {"ask": odds}
    if asked.question and asked.answer is not None and asked.answer.kind == "choice":
        choices = [choice.model_dump() for choice in asked.answer.choices]
        data["question"] = {"text": asked.question, "choices": choices}
    return data
