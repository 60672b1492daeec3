"""One mechanism in the five rulebooks: what each calls it, what it says, and the same drawn situation judged by each.

The content is data: one YAML file for each mechanism beside this module. A trace's steps are sorted by kind
(``kinds``), so that the steps of two games stand side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from tutor.core.errors import ContentError
from tutor.core.position import Model, Position
from tutor.core.registry import GAMES, ask, game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.models import ArgumentName, Label, Plain, Prose, RuleId, Slug, read_model

FOLDER = Path(__file__).parent
#: The mechanisms, in the order a reader meets them.
MECHANISMS = ("ldv", "groupes", "tir-croise", "moral")


class Board(Model):
    """The drawn situation in one rulebook, and the question asked of it.

    ``position`` is the name of a position of the game, or one written here without its ``schema``, ``game`` and ``id``;
    ``kinds`` says where each step goes: kind -> codes of steps, or beginnings of codes that end with a dot.
    """

    position: Slug | dict[str, Any]
    ask: ArgumentName
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    kinds: dict[Slug, list[str]]

    def kind_of(self, step: Step) -> str | None:
        """Kind of a step; None when no kind names its code."""
        whole = [kind for kind, codes in self.kinds.items() if step.code in codes]
        begun = [
            kind for kind, codes in self.kinds.items() if step.code.startswith(tuple(c for c in codes if c[-1] == "."))
        ]
        return next(iter(whole + begun), None)


class Book(Model):
    """What one rulebook makes of a mechanism."""

    term: Label
    rules: list[RuleId] = Field(default_factory=list)
    says: Annotated[list[Prose], Field(min_length=1)]
    board: Board | None = None


class Scene(Model):
    """One state of the drawn situation, book by book; ``without`` says why a book has none."""

    id: Slug
    label: Label
    changes: dict[str, dict[str, Plain]] = Field(default_factory=dict)
    with_: dict[str, dict[str, Any]] = Field(default_factory=dict, alias="with")
    without: dict[str, Prose] = Field(default_factory=dict)


class Mechanism(Model):
    """A mechanism across the rulebooks."""

    id: Slug
    title: Label
    question: Prose
    kinds: Annotated[dict[Slug, Label], Field(min_length=2)]
    books: dict[str, Book]
    scenes: Annotated[list[Scene], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Mechanism:
        if set(self.books) != set(GAMES):
            raise ValueError(f"books nomme {sorted(self.books)} ; il faut chaque livret, une fois")
        for scene in self.scenes:
            for game_id in {*scene.changes, *scene.with_, *scene.without} - set(GAMES):
                raise ValueError(f"la scène {scene.id} nomme {game_id}, qui n’est pas un livret")
        for book in self.books.values():
            if book.board and (unknown := set(book.board.kinds) - set(self.kinds)):
                raise ValueError(f"sortes d’étapes inconnues : {sorted(unknown)}")
        return self

    def scene(self, scene_id: str) -> Scene:
        """A scene by id; the first one when there is none of that name."""
        return next((scene for scene in self.scenes if scene.id == scene_id), self.scenes[0])

    def position(self, game_id: str, scene: Scene) -> Position | None:
        """The situation of a scene in a rulebook; None when the book has no such thing."""
        board = self.books[game_id].board
        if board is None or game_id in scene.without:
            return None
        if isinstance(board.position, str):
            start = game(game_id).position(board.position)
        else:
            data = {"schema": 1, "game": game_id, "id": f"{self.id}-{scene.id}", "title": scene.label, **board.position}
            start = Position.from_data(data, f"{self.id}.yaml")
        return start.change(scene.changes.get(game_id, {}))

    def result(
        self, game_id: str, position: Position, scene: Scene, changed: Mapping[str, Any] | None = None
    ) -> Result[Any]:
        """What a rulebook's engine says of a position.

        Args:
            game_id: a book with a board; position: on its board; scene: whose declaration is asked; changed: arguments
                chosen by the reader.
        """
        board = self.books[game_id].board
        assert board is not None
        return ask(position, board.ask, **{**board.with_, **scene.with_.get(game_id, {}), **(changed or {})})

    def sorted_steps(self, game_id: str, result: Result[Any]) -> dict[str, list[Step]]:
        """Steps of a result by kind, every kind in order; a step of no kind follows the one before it."""
        board = self.books[game_id].board
        found: dict[str, list[Step]] = {kind: [] for kind in self.kinds}
        last = next(iter(found))
        for step in result.trace.children:
            last = (board.kind_of(step) if board else None) or last
            found[last].append(step)
        return found


@lru_cache(maxsize=8)
def mechanism(mechanism_id: str) -> Mechanism:
    """A mechanism by id.

    Raises:
        ContentError: there is none, or its file is broken.

    >>> mechanism("ldv").title
    'Ligne de vue'
    """
    if mechanism_id not in MECHANISMS:
        raise ContentError(
            f"Le mécanisme « {mechanism_id} » n’est pas comparé ici.", remedy=f"Il y a : {', '.join(MECHANISMS)}."
        )
    return read_model(Mechanism, FOLDER / f"{mechanism_id}.yaml")
