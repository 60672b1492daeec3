"""A worked turn: a situation played step by step, in which the reader decides and the engine answers.

A file ``replays/<id>.yaml`` holds the starting position and the steps: who acts, a short text, what is declared to the
engine with which dice. No result is written there: each comes from the engine, and the game says what a result changes
on the board (``Game.aftermath``). A run is a tuple of moves already played; it never changes, so stepping back is
keeping fewer of them.

Any game gives a turn with three things: ``@question.carries_out`` on the questions that it plays (what their results
change), ``replays/<id>.yaml``, and a lesson with a block ``{kind: replay, id: <id>}``::

    id: le-hameau                     # the name of its file
    title: Un tour complet au hameau
    text: L’Axe joue son tour, puis les Alliés le leur.          # said once, at the first event
    position: tour-hameau             # where it begins, with ``changes`` if need be
    panel: victory                    # facultative: tracks beside the decisions
    steps:
      - id: tir
        who: axis                     # the player who acts: a term of the game's phrases
        turn: Tour de l’Axe           # events of one turn, and of one phase, stand together on the track
        phase: Tir                    # facultative: its title, when there is none
        title: Ordre Tir
        text: La Milice tient le bâtiment E3.                    # two lines at most: the decision stays in sight
        focus: [B3, E3]
        when: {piece.milice.status.broken: false}                # facultative: else it is passed over
        decision:                     # two to five options; those that the rules refuse are the wrong ones
          text: Qui tire sur E3 ?
          options:
            - {id: mg, label: La MG, ask: attack, with: {firers: [mg], target: E3, roll: [4, 4]}}
            - {id: attendre, label: Personne}                    # nothing is declared

A step without decision declares by itself (``ask``, ``with``; ``question`` has the reader predict what comes of it),
ends a turn (``end_turn``), or only says something. The first option that the rules allow is the one played for a
reader who does not decide. How a reader goes about it (two tries, the way ahead) is :mod:`tutor.course.turn`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from tutor.core.errors import ContentError, TutorError
from tutor.core.position import Model, Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.course.matching import pick, view
from tutor.course.models import ArgumentName, BoardSource, Label, Plain, Prediction, Prose, Slug, read_named

#: « {mouvement.spent} » in a declaration: what an earlier step came to.
_EARLIER = re.compile(r"\{([a-z0-9-]+)\.([A-Za-z0-9_.-]+)\}\Z")
#: « 5-ab »: step 5, with the first choice at the first decision, the second at the next.
_PLACE = re.compile(r"(\d{1,2})(?:-([a-h]{1,20}))?\Z")
_LETTERS = "abcdefgh"
_MOST_PATHS = 2000


class Declaration(Model):
    """A question to the engine; ``"{step.path}"`` in its arguments stands for a value of an earlier step's result."""

    ask: ArgumentName
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")


class Option(Model):
    """One thing that a player may try: a declaration, or nothing at all.

    ``allowed_by``: what must be allowed first (may one fire now?); when it is refused, so is the option.
    """

    id: Slug
    label: Label
    ask: ArgumentName | None = None
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    allowed_by: Declaration | None = None

    @property
    def declaration(self) -> Declaration | None:
        """What is declared to the engine."""
        return Declaration(ask=self.ask, with_=self.with_) if self.ask else None


class Decision(Model):
    """What the reader decides in the place of the player who acts;
    the first option allowed is the one played for him.
    """

    text: Prose
    options: Annotated[list[Option], Field(min_length=2, max_length=5)]

    @model_validator(mode="after")
    def _distinct(self) -> Decision:
        if len({option.id for option in self.options}) < len(self.options):
            raise ValueError("deux choix ont le même « id »")
        return self


class ReplayStep(Model):
    """One step: a decision, a declaration, the end of a turn, or a text alone.

    ``when``: the step is played only when the board is so (``piece.milice.status.broken: true``; a list: one of them;
    ``choice.STEP: option``: what was decided). ``question``: asked before the verdict of a step without decision.
    ``phase``: the phase or order of the game that it belongs to, as the track of the turn names it (its title when it
    has none); steps that follow each other in one phase stand together.
    """

    id: Slug
    who: Slug
    turn: Label
    phase: Label | None = None
    title: Label
    text: Prose
    ask: ArgumentName | None = None
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    question: Prediction | None = None
    decision: Decision | None = None
    end_turn: bool = False
    when: dict[str, Plain] = Field(default_factory=dict)
    focus: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_kind(self) -> ReplayStep:
        if sum((self.ask is not None, self.decision is not None, self.end_turn)) > 1:
            raise ValueError("une étape est une déclaration, une décision ou une fin de tour")
        if self.question and self.ask is None:
            raise ValueError("« question » sans déclaration")
        return self

    @property
    def declaration(self) -> Declaration | None:
        """What a step without decision declares."""
        return Declaration(ask=self.ask, with_=self.with_) if self.ask else None


class Replay(Model):
    """A situation and the steps that are played from it; ``panel``: tracks under the board, as for an example."""

    id: Slug
    title: Label
    text: Prose
    position: BoardSource
    changes: dict[str, Plain] = Field(default_factory=dict)
    panel: Literal["time", "victory", "losses"] | None = None
    steps: Annotated[list[ReplayStep], Field(min_length=3, max_length=40)]

    @model_validator(mode="after")
    def _distinct(self) -> Replay:
        if len({step.id for step in self.steps}) < len(self.steps):
            raise ValueError("deux étapes ont le même « id »")
        return self


def replay_files(game_id: str) -> list[Path]:
    """Replay files of a game."""
    return sorted((game(game_id).folder / "replays").glob("*.yaml"))


@lru_cache(maxsize=16)
def replay(game_id: str, replay_id: str) -> Replay:
    """A replay of a game by id.

    Raises:
        ContentError: there is none, or its file is broken.
    """
    path = game(game_id).folder / "replays" / f"{replay_id}.yaml"
    if path not in replay_files(game_id):
        names = ", ".join(one.stem for one in replay_files(game_id)) or "aucun"
        raise ContentError(f"Le tour « {replay_id} » n’existe pas.", remedy=f"Tours : {names}.")
    return read_named(Replay, path, "id")


@dataclass(frozen=True)
class Move:
    """A step as it was played.

    Args:
        step: the step.
        option: what was decided, None without decision.
        before: situation in which it was declared.
        after: what it became (``before`` when refused).
        result: what the engine answered, None when nothing was declared.
        arguments: the declaration as it was made.
        refused: whether the rules refuse it.
    """

    step: ReplayStep
    option: Option | None
    before: Position
    after: Position
    result: Result[Any] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    refused: bool = False


@dataclass(frozen=True)
class Run:
    """What has been played of a replay so far.

    Args:
        game_id: game.
        replay: its data.
        start: situation at the beginning.
        moves: played, in order.
    """

    game_id: str
    replay: Replay
    start: Position
    moves: tuple[Move, ...] = ()

    @classmethod
    def of(cls, game_id: str, replay: Replay) -> Run:
        """The beginning: nothing has been played.

        Raises:
            ContentError: the starting position cannot be read.
        """
        return cls(game_id, replay, game(game_id).position(replay.position).change(replay.changes))

    @property
    def position(self) -> Position:
        """The situation now."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def next(self) -> ReplayStep | None:
        """The step that comes now; None at the end."""
        played = self.moves[-1].step.id if self.moves else None
        ids = [step.id for step in self.replay.steps]
        first = ids.index(played) + 1 if played else 0
        return next((step for step in self.replay.steps[first:] if self._applies(step)), None)

    def _applies(self, step: ReplayStep) -> bool:
        return all(self._holds(path, wanted) for path, wanted in step.when.items())

    def _holds(self, path: str, wanted: Any) -> bool:
        head, _, rest = path.partition(".")
        if head == "choice":
            actual: Any = next((m.option.id for m in self.moves if m.step.id == rest and m.option), None)
        elif head == "piece" and rest.partition(".")[0] not in self.position.by_id:
            actual = "gone"
        else:
            actual = self.position.read(path)
        return actual in wanted if isinstance(wanted, list) else actual == wanted

    def try_out(self, option_id: str | None = None) -> Move:
        """What comes of the next step; the run does not change.

        Args:
            option_id: what is decided, None for a step without decision.

        Raises:
            ContentError: no step, no such option, or nothing can be computed.
        """
        step = self.next
        if step is None:
            raise ContentError("Ce tour est fini.", remedy="Revenez en arrière.")
        option = self._option(step, option_id)
        declared = option.declaration if option else step.declaration
        position = self.position
        if option and option.allowed_by:
            permission, given = self._ask(option.allowed_by)
            if not permission.computed:
                return Move(step, option, position, position, permission, given, refused=True)
        rulebook = game(self.game_id)
        if declared is None:
            changes = rulebook.end_turn(position) if step.end_turn else {}
            return Move(step, option, position, position.change(changes) if changes else position, None, {})
        result, given = self._ask(declared)
        if not result.computed:
            return Move(step, option, position, position, result, given, refused=True)
        changes = rulebook.aftermath(position, declared.ask, given, result.value)
        return Move(step, option, position, position.change(changes), result, given)

    def then(self, move: Move) -> Run:
        """The run with one more move."""
        return replace(self, moves=(*self.moves, move))

    def back(self, count: int) -> Run:
        """The run as it was after ``count`` moves."""
        return replace(self, moves=self.moves[:count])

    def _option(self, step: ReplayStep, option_id: str | None) -> Option | None:
        if step.decision is None:
            return None
        option = next((one for one in step.decision.options if one.id == option_id), None)
        if option is None:
            names = ", ".join(one.id for one in step.decision.options)
            raise ContentError(f"L’étape « {step.id} » n’a pas de choix « {option_id} ».", remedy=f"Choix : {names}.")
        return option

    def _ask(self, declared: Declaration) -> tuple[Result[Any], dict[str, Any]]:
        given = {name: self._filled(value) for name, value in declared.with_.items()}
        return ask(self.position, declared.ask, **given), given

    def _filled(self, value: Any) -> Any:
        """A declaration's value, with what earlier steps came to in the place of « {step.path} »."""
        if isinstance(value, dict):
            return {key: self._filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        reference = _EARLIER.match(value) if isinstance(value, str) else None
        if reference is None:
            return value
        earlier = next((move for move in self.moves if move.step.id == reference[1]), None)
        if earlier is None or earlier.result is None:
            raise ContentError(
                f"« {value} » : l’étape {reference[1]} n’a pas de résultat ici.", remedy="Nommez une étape déjà jouée."
            )
        return pick(view(earlier.result), f"value.{reference[2]}")

    # -- the way that is played when nobody decides ---------------------------------------------------------------

    def default(self) -> Move:
        """The next step as it is played for a reader who does not decide: the first option that the rules allow.

        Raises:
            ContentError: the rules refuse every option.
        """
        step = self.next
        options = [one.id for one in step.decision.options] if step and step.decision else [None]
        for option in options:
            if not (move := self.try_out(option)).refused:
                return move
        raise ContentError(
            f"À l’étape « {step.id if step else ''} », tout est refusé.", remedy="Offrez un choix permis."
        )

    def finish(self) -> Run:
        """The run played to its end."""
        run = self
        while run.next is not None:
            run = run.then(run.default())
        return run

    # -- links ----------------------------------------------------------------------------------------------------

    def place(self, number: int) -> str:
        """Where one looks, for a link: the step's number, and a letter for each decision made up to it.

        Args:
            number: of the step shown, from 1; it may be the one that comes now.

        >>> run = Run.of("combat_commander", replay("combat_commander", "le-hameau"))
        >>> run.place(1), run.then(run.try_out("seule")).place(2)
        ('1', '2-b')
        """
        letters = "".join(
            _LETTERS[move.step.decision.options.index(move.option)]
            for move in self.moves[:number]
            if move.option and move.step.decision
        )
        return f"{number}-{letters}" if letters else str(number)

    def at(self, place: str) -> tuple[Run, int]:
        """The run that a link asks for, and the number of the step to show.

        Args:
            place: as :meth:`place` writes it; decisions before the step that it does not tell are made as by
                :meth:`default`, that of the step itself is left to the reader.

        Raises:
            ContentError: it cannot be read, or leads where the rules do not.
        """
        match = _PLACE.match(place)
        if match is None:
            raise ContentError(f"L’étape « {place[:40]} » ne se lit pas.", remedy="Écrivez un nombre, par exemple 5.")
        number, letters, run = max(1, int(match[1])), list(match[2] or ""), self.back(0)
        while len(run.moves) < number - 1 or (letters and len(run.moves) < number):
            step = run.next
            if step is None:
                raise ContentError(
                    f"Ce tour n’a pas d’étape {number} : il en a {len(run.moves)}.", remedy="Choisissez-en une autre."
                )
            run = run.then(_played(run, step, letters))
        if run.next is None and len(run.moves) < number:
            raise ContentError(
                f"Ce tour n’a pas d’étape {number} : il en a {len(run.moves)}.", remedy="Choisissez-en une autre."
            )
        return run, number


def _played(run: Run, step: ReplayStep, letters: list[str]) -> Move:
    """The next move of a link: that of its letter at a decision, else the default."""
    if step.decision is None or not letters:
        return run.default()
    index = _LETTERS.index(letters.pop(0))
    if index < len(step.decision.options):
        move = run.try_out(step.decision.options[index].id)
        if not move.refused:
            return move
    raise ContentError("Ce lien fait un choix que les règles refusent.", remedy="Reprenez depuis le début.")


# -- every path ---------------------------------------------------------------------------------------------------


def faults(game_id: str, turn: Replay) -> Iterator[str]:
    """What is wrong on any path of a replay, as French lines:
    positions, refusals without another choice, dead steps.
    """
    from tutor.course.exercises import fitting

    rulebook = game(game_id)
    reached: set[str] = set()
    waiting, paths, said = [Run.of(game_id, turn)], 0, set[str]()
    while waiting:
        run = waiting.pop()
        step = run.next
        if step is None:
            paths += 1
            if paths > _MOST_PATHS:
                yield f"plus de {_MOST_PATHS} chemins : trop de décisions indépendantes."
                return
            continue
        reached.add(step.id)
        where = f"étape {step.id} ({run.place(len(run.moves) + 1)})"
        moves: list[Move] = []
        for option in step.decision.options if step.decision else [None]:
            place = f"{where}, choix {option.id}" if option else where
            try:
                move = run.try_out(option.id if option else None)
                lines = [*_move_faults(rulebook, move, place)]
            except TutorError as error:
                lines = [f"{place} : {error}"]
            else:
                moves += [] if move.refused or lines else [move]
                if step.question and move.result and fitting(step.question.choices, view(move.result)) is None:
                    lines.append(f"{place} : aucune réponse, ou plusieurs, ne correspond au résultat.")
            yield from (line for line in lines if line not in said)
            said.update(lines)
        if not moves and not said:
            yield f"{where} : impasse, tout y est refusé."
        waiting += [run.then(move) for move in moves]
    yield from (f"étape {step.id} : aucun chemin n’y passe." for step in turn.steps if step.id not in reached)


def _move_faults(rulebook: Any, move: Move, place: str) -> Iterator[str]:
    yield from (f"{place} : {problem}" for problem in rulebook.faults(move.after))
    if move.result is None:
        return
    if move.result.outcome == "unknown":
        yield f"{place} : la valeur {move.result.missing} est inconnue."
    if move.refused and move.option is None:
        yield f"{place} : les règles la refusent."
    yield from (f"{place} : {fault}" for fault in rulebook.untold(move.result.trace, move.before))
