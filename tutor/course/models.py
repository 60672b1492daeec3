"""The forms of lessons, exercises and golden cases, checked strictly: unknown keys refused, every fault named.

They are data files beside the game (``lessons/``, ``exercises/``) or under ``tests/games/<game>/cases/``; ``ldv schema lesson``,
``ldv schema exercise`` and ``ldv schema case`` print their JSON Schemas. Prose is French, with a little markup:
``[[10.2]]`` a link to a rule, ``**fort**``, ``*accent*``. Answers are never stored: the engine gives them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from tutor.core.errors import ContentError
from tutor.core.explained import explain
from tutor.core.position import Model, Tweak
from tutor.core.typography import typography
from tutor.core.yamlio import read_yaml

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]{0,63}$")]
ArgumentName = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,32}$")]
#: An argument, or what stands at a dotted path inside it.
ArgumentPath = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,32}(\.[A-Za-z0-9_-]{1,64}){0,3}$")]
#: A rule id; YAML reads an unquoted 10.3 as a number, which is taken as written.
RuleId = Annotated[
    str,
    BeforeValidator(
        lambda value: str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
    ),
    StringConstraints(pattern=r"^\S{1,40}$"),
]
#: What a form is told of a file: its texts were set as it was parsed.
_IS_SET = "typeset"
_SET = AfterValidator(lambda text, info: text if info.context == _IS_SET else typography(text))
Prose = Annotated[str, StringConstraints(min_length=1, max_length=1200, strip_whitespace=True), _SET]
Label = Annotated[str, StringConstraints(min_length=1, max_length=160, strip_whitespace=True), _SET]
#: Which mistake a wrong choice is; shorter than prose.
Cause = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True), _SET]
#: A board: the name of one that the game brings, or the position itself (a lesson kept as data brings its own).
BoardSource = Slug | dict[str, Any]
Plain = bool | int | float | str | None | list[Any] | dict[str, Any]
Pattern = dict[str, Any]
#: Fewest and most minutes of a lesson.
FEWEST_MINUTES, MOST_MINUTES = 1, 60


class Choice(Model):
    """One answer offered, and what the engine's result is when it is the right one.

    ``when`` is a pattern over ``outcome``, ``value``, ``refusals`` (rule ids) and ``missing``: ``{value: {visible:
    true}}``. ``because_not``: the mistake of who chooses it where it is wrong, in a short sentence that cites a rule or
    a place; in an exercise, whose board varies, a forgotten rule that gives it comes before.
    """

    label: Label
    when: Pattern
    because_not: Cause | None = None


class Prediction(Model):
    """A question the reader answers before he sees; exactly one choice fits the engine's result.

    ``because``: rule id, or code, of the step that answers the question, when it is not the last of the trace.
    """

    text: Prose
    choices: Annotated[list[Choice], Field(min_length=2, max_length=6)]
    because: RuleId | None = None


class Pick(Model):
    """An argument of the question that the reader may choose; ``rolls.garde`` reaches inside one.

    ``hex``: one hex, clicked; ``hexes``: several; ``piece``/``pieces``: one or several of ``among`` (default: those of
    ``side``); ``number``: from ``min`` to ``max``; ``dice``: two dice, white then red (or named by ``options``), or of
    ``max`` faces; ``option``/``options``: one or several keys of ``options``. ``none``: what it says when nothing is
    declared, which may then be chosen too; of ``hex``, ``piece``, ``number``, ``dice`` and ``option``.
    """

    argument: ArgumentPath
    kind: Literal["hex", "hexes", "piece", "pieces", "number", "dice", "option", "options"]
    label: Label
    among: list[str] | None = None
    side: Slug | None = None
    min: int | None = None
    max: int | None = None
    options: dict[str, Label] | None = None
    none: Label | None = None


class Odds(Model):
    """A question that gives odds, asked about the same position; ``with`` completes the example's arguments."""

    ask: ArgumentName
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    only: bool = Field(default=False, description="vrai : « with » seul, sans les arguments de l’exemple")

    def arguments(self, example: dict[str, Any]) -> dict[str, Any]:
        """Arguments of the question: the example's, completed or replaced by its own."""
        return dict(self.with_) if self.only else {**example, **self.with_}


class Situation(Model):
    """Two sentences that a player meets at the table."""

    kind: Literal["situation"]
    text: Prose


class Question(Prediction):
    """The opening question, about an example of the lesson."""

    kind: Literal["question"]
    example: Slug


class LiveExample(Model):
    """A live example: a position, a question to the engine, what the reader may change.

    ``rules`` are shown to be at work: all must be in the trace. ``question`` asks a prediction before the verdict.
    ``panel: profile`` draws the line of sight seen from the side under the board (a question whose value has a
    ``profile``, or that names a ``spotter`` and a ``target``); ``time``, ``victory`` and ``losses`` draw the tracks
    of its state; ``deck`` a draw pile (a question with ``cards`` and ``shuffle``).
    """

    id: Slug
    title: Label
    text: Prose | None = None
    rules: Annotated[list[RuleId], Field(min_length=1)]
    position: BoardSource
    changes: dict[str, Plain] = Field(default_factory=dict)
    ask: ArgumentName
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    picks: list[Pick] = Field(default_factory=list)
    tweaks: list[Tweak] = Field(default_factory=list)
    odds: Odds | None = None
    question: Prediction | None = None
    focus: list[str] = Field(default_factory=list, description="hexs à montrer d’abord sur un petit écran")
    panel: Literal["profile", "time", "victory", "losses", "deck"] | None = Field(
        default=None, description="sous le plateau : la ligne de vue de profil, des pistes, ou la pioche"
    )


class Example(LiveExample):
    """A live example of a lesson."""

    kind: Literal["example"]


class RuleText(Model):
    """The rule in three or four short sentences, with rule numbers."""

    kind: Literal["rule"]
    title: Label | None = None
    sentences: Annotated[list[Prose], Field(min_length=1, max_length=5)]


class WhatIf(Prediction):
    """One change to an example, asked as a prediction; the engine gives the verdict."""

    changes: dict[str, Plain] = Field(default_factory=dict)
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")

    @model_validator(mode="after")
    def _changes_something(self) -> WhatIf:
        if not self.changes and not self.with_:
            raise ValueError("« et si » sans changement")
        return self


class WhatIfs(Model):
    """Two or three changes that flip the verdict of an example."""

    kind: Literal["et_si"]
    example: Slug
    cases: Annotated[list[WhatIf], Field(min_length=1, max_length=5)]


class ExerciseList(Model):
    """Exercises by id, in order."""

    kind: Literal["exercises"]
    ids: Annotated[list[Slug], Field(min_length=1, max_length=8)]


class ReplayBlock(Model):
    """A turn played step by step, by id: a file of ``replays/``."""

    kind: Literal["replay"]
    id: Slug


class Remember(Model):
    """Three lines to remember."""

    kind: Literal["retenir"]
    lines: Annotated[list[Prose], Field(min_length=1, max_length=4)]


class Next(Model):
    """What comes next."""

    kind: Literal["suite"]
    text: Prose
    lesson: Slug | None = None


Block = Annotated[
    Situation | Question | Example | RuleText | WhatIfs | ReplayBlock | ExerciseList | Remember | Next,
    Field(discriminator="kind"),
]


class Lesson(Model):
    """One lesson, the content of one notebook (``slug``.ipynb in the game's folder)."""

    id: Slug
    number: Annotated[int, Field(ge=1, le=99)]
    slug: Annotated[str, StringConstraints(pattern=r"^[0-9]{2}-[a-z0-9-]{1,60}$")]
    title: Label
    minutes: Annotated[int, Field(ge=FEWEST_MINUTES, le=MOST_MINUTES)]
    teaser: Prose
    rules: Annotated[list[RuleId], Field(min_length=1)]
    glossary: list[Label] = Field(default_factory=list)
    blocks: Annotated[list[Block], Field(min_length=3)]

    @property
    def examples(self) -> dict[str, Example]:
        """Examples by id, in order."""
        return {block.id: block for block in self.blocks if isinstance(block, Example)}

    @property
    def exercise_ids(self) -> list[str]:
        """Exercises in order."""
        return [i for block in self.blocks if isinstance(block, ExerciseList) for i in block.ids]

    def prose(self) -> Iterator[str]:
        """Every text of the lesson that may name rules."""
        for block in self.blocks:
            yield from texts(block)


def texts(value: Any) -> Iterator[str]:
    """Every text of a form, or of what it is made of."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from texts(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


class Item(Model):
    """One thing to put in order: its label, and how its question differs."""

    label: Label
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    changes: dict[str, Plain] = Field(default_factory=dict)


class Each(Model):
    """Candidates for an answer by hexes: those for which the engine's result fits ``when``.

    ``argument``: of the question, to which each candidate is given in turn, alone where ``with`` gives a list: a hex, or
    a piece, answered by the hex where it stands alone among them; ``moved``: or the piece that is put in each of these
    hexes.
    """

    argument: ArgumentName | None = None
    moved: Slug | None = None
    among: Annotated[list[str], Field(min_length=2, max_length=80)]
    when: Pattern

    @model_validator(mode="after")
    def _one_way(self) -> Each:
        if (self.argument is None) == (self.moved is None):
            raise ValueError("donnez « argument » ou « moved »")
        return self


class Answer(Model):
    """How the engine's result answers the exercise.

    ``number``: the number at ``from``. ``choice``: the one of ``choices`` that fits. ``hexes``: the list at ``from``,
    or the candidates of ``each``. ``order``: ``items`` sorted by the number at ``from`` (``descending``: largest
    first). ``unit``: of a number; for hexes, the label of their field. ``criterion``: what all hexes ``from`` a list
    have. ``refusable``: label of the answer « refused », offered beside a number.
    """

    kind: Literal["number", "choice", "hexes", "order"]
    from_: Annotated[str, StringConstraints(pattern=r"^[a-z_]+(\.[A-Za-z0-9_-]+)*$")] | None = Field(
        default=None, alias="from"
    )
    unit: Label | None = None
    choices: list[Choice] = Field(default_factory=list)
    criterion: Prose | None = None
    each: Each | None = None
    items: list[Item] = Field(default_factory=list)
    descending: bool = False
    refusable: Label | None = None

    @model_validator(mode="after")
    def _complete(self) -> Answer:
        needs = {
            "number": self.from_ is not None,
            "choice": len(self.choices) >= 2,
            "hexes": (self.from_ is None) != (self.each is None),
            "order": self.from_ is not None and len(self.items) >= 2,
        }
        if not needs[self.kind]:
            wanted = {"number": "from", "choice": "choices", "hexes": "from, ou each", "order": "from et items"}[
                self.kind
            ]
            raise ValueError(f"une réponse « {self.kind} » demande {wanted}")
        return self


class Variation(Model):
    """One thing that a fresh variant draws: a change path or an argument, and its values (or a range)."""

    path: str | None = None
    argument: str | None = None
    choices: list[Plain] | None = None
    min: int | None = None
    max: int | None = None

    @model_validator(mode="after")
    def _one_of_each(self) -> Variation:
        if (self.path is None) == (self.argument is None):
            raise ValueError("donnez « path » ou « argument »")
        if self.choices is None and (self.min is None or self.max is None or self.min > self.max):
            raise ValueError("donnez « choices », ou « min » et « max »")
        return self

    def values(self) -> list[Any]:
        """The values to draw from."""
        if self.choices is not None:
            return list(self.choices)
        assert self.min is not None
        assert self.max is not None
        return list(range(self.min, self.max + 1))


class Exercise(Model):
    """One exercise: a position, a question to the engine, how its result answers, how a variant is drawn.

    ``question``: French, with ``{argument}``, ``{piece-id}`` or ``{terrain.K6}`` filled from what is on screen.
    ``keep``: pattern that the result of a variant must fit. ``omit``: rules whose omission explains a wrong answer
    (default: those the engine consulted). ``because``: rule id, or code, of the step that answers, as in a prediction.
    """

    id: Slug
    lesson: Slug
    title: Label
    rules: Annotated[list[RuleId], Field(min_length=1)]
    position: BoardSource
    changes: dict[str, Plain] = Field(default_factory=dict)
    ask: ArgumentName
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    answer: Answer
    question: Prose
    hint: Prose
    vary: list[Variation] = Field(default_factory=list)
    keep: Pattern = Field(default_factory=lambda: {"outcome": "computed"})
    omit: list[RuleId] | None = None
    because: RuleId | None = None
    focus: list[str] = Field(default_factory=list)


class ExerciseFile(Model):
    """A file of exercises."""

    exercises: Annotated[list[Exercise], Field(min_length=1)]


class CaseOdds(Model):
    """A question that gives odds, beside the case's own."""

    ask: str
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")


class Expect(Model):
    """What a case expects; what is left out is not compared.

    ``value``: pattern (mappings partly, lists whole, fractions exactly). ``refusals``: the rule ids of all reasons.
    ``odds``: pattern over the value of the case's ``odds`` question.
    """

    outcome: Literal["computed", "refused", "unknown"] | None = None
    value: Plain = None
    refusals: list[RuleId] | None = None
    missing: str | None = None
    odds: Plain = None


class Case(Model):
    """One golden case: a position, a question, what the rulebook prints (or a hand computation gives).

    ``rules``: ids that must all be in the trace. ``origin``: ``imprimé`` (in the booklet), or ``calculé à la main``
    with its ``arithmetic``. ``position``: name of a position of the game, a mapping, or a path from the case's file.
    """

    id: Slug
    title: Label
    game: ArgumentName
    rules: list[RuleId] = Field(default_factory=list)
    origin: Literal["imprimé", "calculé à la main"]
    arithmetic: str | None = None
    note: str | None = None
    position: str | dict[str, Any]
    changes: dict[str, Plain] = Field(default_factory=dict)
    ask: str
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    without: list[RuleId] = Field(default_factory=list)
    odds: CaseOdds | None = None
    expect: Expect

    @model_validator(mode="after")
    def _arithmetic(self) -> Case:
        if self.origin == "calculé à la main" and not (self.arithmetic or "").strip():
            raise ValueError("« arithmetic » manque : un cas calculé à la main montre son calcul")
        return self


class CaseFile(Model):
    """A file of several cases."""

    cases: Annotated[list[Case], Field(min_length=1)]


M = TypeVar("M", bound=BaseModel)


def parse_model(kind: type[M], data: Any, path: str, context: str = "") -> M:
    """Check plain data against a form.

    Args:
        kind: the form.
        data: parsed YAML.
        path: file shown in errors.
        context: what its validators are told.

    Raises:
        ContentError: with every fault and what to do.

    >>> parse_model(Remember, {"kind": "retenir", "lines": ["Une ligne."]}, "demo.yaml").lines
    ['Une ligne.']
    """
    if not isinstance(data, dict):
        raise ContentError("Un bloc de clés est attendu.", path=path, remedy="Voyez « ldv schema ».")
    try:
        return kind.model_validate(data, context=context)
    except ValidationError as error:
        raise ContentError(
            explain(error), path=path, remedy="Corrigez ces lignes (« ldv schema » donne la forme attendue)."
        ) from None


def read_model(kind: type[M], path: Path) -> M:
    """Read a strict YAML file as one form.

    Raises:
        ContentError: with file, place and remedy.
    """
    return parse_model(kind, read_yaml(path, prose=True), path.name, _IS_SET)


def read_named(kind: type[M], path: Path, key: str = "slug") -> M:
    """Read a strict YAML file that says its own name.

    Args:
        key: under which it says it.

    Raises:
        ContentError: it is broken, or not named like its file.
    """
    model = read_model(kind, path)
    if getattr(model, key) != path.stem:
        raise ContentError(
            f"« {key} » vaut {getattr(model, key)}.",
            path=path.name,
            remedy="Il doit être le nom du fichier, sans « .yaml ».",
        )
    return model
