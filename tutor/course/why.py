"""How well the answers of a game say why: what is asked anywhere in its content, the rules that decide each answer,
and whether a step of its trace cites them and says what they did.

A rule decides an answer when leaving it out changes its outcome, its value or its refusals; a step says what it did
when it goes, or says something else, where the rule is left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from operator import neg
from typing import Any

from tutor.core.effort import Effort, bounded
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.trace import Step, plain
from tutor.course import articles, cases, coverage, lessons
from tutor.course.causes import Asked, cause
from tutor.course.decisive import otherwise
from tutor.course.exercises import Task, fitting
from tutor.course.figures import is_among, numbers, says
from tutor.course.headlines import answering, asked_for, headline, headline_of, losses
from tutor.course.matching import view
from tutor.course.models import Choice, Exercise, Lesson, LiveExample, Prediction, Question, WhatIfs


@dataclass(frozen=True)
class Posed:
    """A question that the content puts to the engine.

    Args:
        where: its place, such as ``cas livret-tir-c`` or ``cc-04-ldv, lisiere, et si 2``.
        source: cas, leçon, exercice or article.
        position: where it is asked.
        ask: name of the question.
        arguments: its declaration.
        without: rules that it leaves out already.
        prediction: what the reader predicts of it; None when he is not asked.
        first: the example that « Et si… » changes.
    """

    where: str
    source: str
    position: Position
    ask: str
    arguments: Mapping[str, Any]
    without: tuple[str, ...] = ()
    prediction: Prediction | None = None
    first: Posed | None = None

    @property
    def before(self) -> Result[Any] | None:
        """The answer before « Et si… » changed something."""
        return self.first.result if self.first else None

    @cached_property
    def result(self) -> Result[Any]:
        """The engine's answer, with its trace.

        Raises:
            TutorError: the question is broken.
        """
        return ask(self.position, self.ask, without=self.without, **self.arguments)

    @cached_property
    def otherwise(self) -> Mapping[str, Result[Any] | None]:
        """Each rule without which the answer differs, in order, with the answer that is given without it."""
        return otherwise(self.result, self.position, self.without)

    @property
    def decisive(self) -> tuple[str, ...]:
        """The rules without which the answer differs, in order."""
        return tuple(self.otherwise)

    @property
    def silent(self) -> tuple[str, ...]:
        """The decisive rules that no step of the trace cites."""
        cited = set(self.result.trace.rules()) | {step.rule for step in self.result.refusals}
        return tuple(rule for rule in self.decisive if rule not in cited)

    @property
    def mute(self) -> tuple[str, ...]:
        """The decisive rules of which no step says what they did: left out, they leave every step that cites them."""
        return tuple(rule for rule in self.decisive if not self._says(rule))

    def _says(self, rule: str) -> bool:
        other = self.otherwise[rule]
        return other is None or bool(_steps_of(self.result, rule) - _steps_of(other, rule))


def _steps_of(result: Result[Any], rule: str) -> Counter[str]:
    """What the steps of a rule say in a trace."""
    return Counter(repr(replace(step, children=[])) for step in result.trace.walk() if step.rule == rule)


def posed(game_id: str) -> Iterator[Posed]:
    """Every question that a game's golden cases, lessons, articles and exercises ask.

    Raises:
        TutorError: a file is broken; ``ldv check`` says which.
    """
    for path in cases.case_files(folder) if (folder := coverage.cases_folder(game_id)).is_dir() else ():
        for case in cases.read_cases(path):
            position = cases.position_of(case, path)
            yield Posed(f"cas {case.id}", "cas", position, case.ask, case.with_, tuple(case.without))
    for lesson in lessons.lessons(game_id):
        yield from _of_lesson(game_id, lesson)
    for card in articles.cards(game_id):
        for example in card.article.examples:
            yield _of_example(game_id, example, f"article {card.rule}, {example.id}", "article", example.question)
    for exercise in lessons.exercises(game_id).values():
        yield from _of_exercise(game_id, exercise)


def _of_example(
    game_id: str,
    example: LiveExample,
    where: str,
    source: str,
    prediction: Prediction | None,
    changes: Mapping[str, Any] | None = None,
    with_: Mapping[str, Any] | None = None,
) -> Posed:
    position = game(game_id).position(example.position).change({**example.changes, **(changes or {})})
    return Posed(where, source, position, example.ask, {**example.with_, **(with_ or {})}, (), prediction)


def _of_lesson(game_id: str, lesson: Lesson) -> Iterator[Posed]:
    examples = lesson.examples
    for example in examples.values():
        yield _of_example(game_id, example, f"{lesson.id}, {example.id}", "leçon", example.question)
    for block in lesson.blocks:
        if isinstance(block, Question):
            where = f"{lesson.id}, {block.example}, question"
            yield _of_example(game_id, examples[block.example], where, "leçon", block)
        elif isinstance(block, WhatIfs):
            for number, asked in enumerate(block.cases, 1):
                where = f"{lesson.id}, {block.example}, et si {number}"
                example = examples[block.example]
                changed = _of_example(game_id, example, where, "leçon", asked, asked.changes, asked.with_)
                yield replace(changed, first=_of_example(game_id, example, where, "leçon", None))


def _of_exercise(game_id: str, exercise: Exercise) -> Iterator[Posed]:
    """What an exercise asks as it is written: once, of each thing to put in order, or of each hex to judge."""
    task, answer = Task.of(game_id, exercise), exercise.answer
    where, name = f"exercice {exercise.id}", exercise.ask
    for item in answer.items:
        position = task.position.change(item.changes)
        yield Posed(f"{where}, {item.label}", "exercice", position, name, {**task.arguments, **item.with_})
    for cell in task.spots:
        there = task.about(cell)
        yield Posed(f"{where}, {cell}", "exercice", there.position, name, there.arguments)
    if not answer.items and not answer.each:
        yield Posed(where, "exercice", task.position, name, task.arguments)


@dataclass
class Share:
    """How many of what is counted are as they should be.

    Args:
        good: those that are.
        all: those counted.
        offenders: one French line for each that is not.
    """

    good: int = 0
    all: int = 0
    offenders: list[str] = field(default_factory=list)

    def count(self, good: bool, offender: str) -> None:
        """Count one more."""
        self.all += 1
        self.good += good
        if not good:
            self.offenders.append(offender)

    @property
    def percent(self) -> float:
        """Of a hundred; all is well where there is nothing."""
        return 100 * self.good / self.all if self.all else 100.0


@dataclass
class Report:
    """What is counted of a game.

    Args:
        game: id.
        cited: decisive rules that a step cites.
        said: decisive rules of which a step says what they did.
        causes: wrong choices that have a cause.
        headlines: headlines that answer.
        answers: questions that offer three answers or more.
        reasons: taught sections with a reason.
    """

    game: str
    cited: Share = field(default_factory=Share)
    said: Share = field(default_factory=Share)
    causes: Share = field(default_factory=Share)
    headlines: Share = field(default_factory=Share)
    answers: Share = field(default_factory=Share)
    reasons: Share = field(default_factory=Share)

    def rows(self) -> Iterator[tuple[str, Share]]:
        """What each number is called, in French, and the number."""
        yield "règles décisives citées", self.cited
        yield "règles décisives dont l’effet est dit", self.said
        yield "mauvais choix dotés d’une cause", self.causes
        yield "titres qui répondent", self.headlines
        yield "questions à trois réponses ou plus", self.answers
        yield "articles enseignés dotés d’une raison", self.reasons


def report(game_id: str) -> Report:
    """Everything that is counted of a game, in one pass over its content, however slow the machine is.

    Raises:
        TutorError: a file is broken.
    """
    with bounded(Effort(seconds=math.inf)):
        return _report(game_id)


def _report(game_id: str) -> Report:
    made, excused = Report(game_id), exceptions(game_id)
    for one in posed(game_id):
        silent, mute = one.silent, one.mute
        for rule in one.decisive:
            reason = excused.get((one.where, rule), "")
            excuse = f" ; excepté : {reason}" if reason else ""
            for share, muted in ((made.cited, silent), (made.said, mute)):
                share.count(rule not in muted, f"{one.where} : {rule} ({one.ask}){excuse}")
        if one.prediction:
            _count_prediction(made, one, one.prediction.choices, one.prediction.because)
    for exercise in lessons.exercises(game_id).values():
        if exercise.answer.kind == "choice":
            task = Task.of(game_id, exercise)
            asked = Posed(f"exercice {exercise.id}", "exercice", task.position, exercise.ask, task.arguments)
            _count_choices(made, asked, exercise.answer.choices)
    for rule in lessons.teaching(game_id):
        made.reasons.count(bool(game(game_id).section(rule).reason), f"article {rule}")
    return made


def _count_prediction(made: Report, one: Posed, choices: Sequence[Choice], because: str | None) -> None:
    _count_choices(made, one, choices, because)
    right = fitting(choices, view(one.result))
    if right is None:
        return
    said = headline(one.result, one.position, because, choices)
    made.headlines.count(answers(one, choices, right, because), f"{one.where} : « {right} » / {said}")


def _count_choices(made: Report, one: Posed, choices: Sequence[Choice], because: str | None = None) -> None:
    asked = Asked(one.result, one.position, choices, because, one.before)
    made.answers.count(len(choices) > 2, one.where)
    for choice in choices:
        if choice.label != asked.right:
            why = cause(asked, choice.label)
            made.causes.count(bool(why), f"{one.where} : « {choice.label} »")


def answers(one: Posed, choices: Sequence[Choice], right: str, because: str | None) -> bool:
    """Whether the headline of an answer answers what was asked: the number or the place asked for stands in it; for
    yes and no, it is not what the answer says by itself where a rule left out gives another one.
    """
    wanted = asked_for(choices, right)
    steps = answering(one.result, one.position, because, choices)
    said = headline_of(steps, one.position)
    if wanted:
        lost = losses(steps)
        there = _numbers_in(steps, one.position).union(map(neg, lost))
        return says(said, wanted, lost) and all(isinstance(each, str) or is_among(each, there) for each in wanted)
    for other in one.otherwise.values():
        changed = other is not None and fitting(choices, view(other)) not in (None, right)
        if other and changed and headline(other, one.position, None, choices) == said:
            return False
    return bool(said)


def _numbers_in(steps: Sequence[Step], position: Position) -> frozenset[Fraction]:
    """The numbers that steps hold, of this question: those of a sentence's fixed words are no answer to it."""
    there: set[Fraction] = set()
    for step in steps:
        values = [plain(step.value), *(plain(operand.value) for operand in step.operands.values())]
        named = [position.names[one] for one in values if isinstance(one, str) and one in position.names]
        there |= numbers(" ".join(map(str, [*values, *named])))
        there |= {Fraction(0)} if step.value is None else set()  # « pas de gêne »
    return frozenset(there)


def exceptions(game_id: str) -> dict[tuple[str, str], str]:
    """Place of a question and rule that may stay unsaid there -> why; they count as silent all the same."""
    path = game(game_id).folder / "silences.yaml"
    listed = game(game_id).content("silences.yaml") if path.is_file() else []
    return {(str(one["where"]), str(one["rule"])): str(one["reason"]) for one in listed}


def text(made: Report, *, listed: bool = False) -> str:
    """A report as ``ldv check --why`` prints it.

    Args:
        made: of a game.
        listed: with every offender.
    """
    lines = [f"{made.game}"]
    for name, share in made.rows():
        lines.append(f"  {share.percent:5.1f} %  {share.good:5d} / {share.all:<5d}  {name}")
        lines += [f"           - {line}" for line in share.offenders] if listed else []
    return "\n".join(lines)
