"""One mechanism in the rulebooks: what each calls it, what it says, and the same drawn situation judged by each.

The content is data: a YAML file for each mechanism beside this module, and what a rulebook makes of it in a file of the
same name, in ``comparison/`` of its game. A trace's steps are sorted by kind (``kinds``), so that the steps of two games
stand side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

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


class Place(Model):
    """What one rulebook's board is in a scene; ``without`` says why it has none."""

    changes: dict[str, Plain] = Field(default_factory=dict)
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    without: Prose | None = None


class Book(Model):
    """What one rulebook makes of a mechanism, and of its scenes, by id."""

    term: Label
    rules: list[RuleId] = Field(default_factory=list)
    says: Annotated[list[Prose], Field(min_length=1)]
    board: Board | None = None
    scenes: dict[Slug, Place] = Field(default_factory=dict)

    def place(self, scene: Scene) -> Place:
        """Its board in a scene."""
        return self.scenes.get(scene.id, _AS_IT_IS)


_AS_IT_IS = Place()


class Scene(Model):
    """One state of the drawn situation."""

    id: Slug
    label: Label


class Mechanism(Model):
    """A mechanism across the rulebooks that have a file on it, in the order of the games."""

    id: Slug
    title: Label
    question: Prose
    kinds: Annotated[dict[Slug, Label], Field(min_length=2)]
    scenes: Annotated[list[Scene], Field(min_length=1)]

    @cached_property
    def books(self) -> Mapping[str, Book]:
        """What each rulebook makes of it.

        Raises:
            ContentError: a file is broken, or names a scene or a kind that the mechanism has not.
        """
        paths = {game_id: GAMES.facts(game_id).folder / "comparison" / f"{self.id}.yaml" for game_id in GAMES}
        return {game_id: self._book(path) for game_id, path in paths.items() if path.is_file()}

    def _book(self, path: Path) -> Book:
        book = read_model(Book, path)
        strange = set(book.scenes) - {scene.id for scene in self.scenes}
        strange |= set(book.board.kinds) - set(self.kinds) if book.board else set()
        if strange:
            raise ContentError(
                f"Scènes ou sortes d’étapes inconnues : {', '.join(sorted(strange))}.",
                path=f"comparison/{path.name}",
                remedy=f"Voyez celles de « {self.title} ».",
            )
        return book

    def scene(self, scene_id: str) -> Scene:
        """A scene by id; the first one when there is none of that name."""
        return next((scene for scene in self.scenes if scene.id == scene_id), self.scenes[0])

    def position(self, game_id: str, scene: Scene) -> Position | None:
        """The situation of a scene in a rulebook; None when the book has no such thing."""
        book = self.books.get(game_id)
        board = book.board if book else None
        if book is None or board is None or book.place(scene).without:
            return None
        if isinstance(board.position, str):
            start = game(game_id).position(board.position)
        else:
            data = {"schema": 1, "game": game_id, "id": f"{self.id}-{scene.id}", "title": scene.label, **board.position}
            start = Position.from_data(data, f"{self.id}.yaml")
        return start.change(book.place(scene).changes)

    def result(
        self, game_id: str, position: Position, scene: Scene, changed: Mapping[str, Any] | None = None
    ) -> Result[Any]:
        """What a rulebook's engine says of a position.

        Args:
            game_id: a book with a board.
            position: on its board.
            scene: whose declaration is asked.
            changed: arguments chosen by the reader.
        """
        board = self.books[game_id].board
        assert board is not None
        return ask(position, board.ask, **{**self.declared(game_id, scene), **(changed or {})})

    def declared(self, game_id: str, scene: Scene) -> dict[str, Any]:
        """Arguments of a scene's question in a rulebook; none without a board."""
        book = self.books[game_id]
        return {**book.board.with_, **book.place(scene).with_} if book.board else {}

    def sorted_steps(self, game_id: str, result: Result[Any]) -> dict[str, list[Step]]:
        """Steps of a result by kind, every kind in order; a step of no kind follows the one before it."""
        board = self.books[game_id].board
        by_kind: dict[str, list[Step]] = {kind: [] for kind in self.kinds}
        last = next(iter(by_kind))
        for step in result.trace.children:
            last = (board.kind_of(step) if board else None) or last
            by_kind[last].append(step)
        return by_kind


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
