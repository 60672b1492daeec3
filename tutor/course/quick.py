"""« À table »: a question of the game entered with a few taps, without a board to build.

Data in each game's ``quick.yaml``.

A sheet is a small position, a question, and controls; each control is one tap, which changes the position or the
declaration. The engine answers as everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field, model_validator

from tutor.core.errors import ContentError
from tutor.core.position import Model, Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.course.arguments import with_value
from tutor.course.models import ArgumentName, Label, Odds, Plain, Prose, RuleId, Slug, read_model

#: Taps that a question may ask for, the choice of the rulebook and that of the sheet included.
MOST_TAPS = 10


class Option(Model):
    """What a control may say, and what that changes.

    A key of ``with`` may point inside an argument: ``points.0.base``. ``unknown``: the booklet does not print what the
    answer then needs, and the page says so.
    """

    label: Label
    changes: dict[str, Plain] = Field(default_factory=dict)
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    unknown: bool = False


class Control(Model):
    """One tap; the option of that index (``default``) holds until the reader taps another."""

    id: Slug
    label: Label
    options: Annotated[list[Option], Field(min_length=2, max_length=12)]
    default: int = 0

    @model_validator(mode="after")
    def _there(self) -> Control:
        if not 0 <= self.default < len(self.options):
            raise ValueError(f"default vaut {self.default} ; il y a {len(self.options)} options")
        return self


class Sheet(Model):
    """A question to ask during a game.

    ``position`` is written here without its ``schema``, ``game`` and ``id``; ``note`` says what the sheet leaves out.
    ``places`` names the cells of that position by what they are to the reader, who chose none of them.
    """

    id: Slug
    title: Label
    rules: Annotated[list[RuleId], Field(min_length=1)]
    position: dict[str, Any]
    ask: ArgumentName
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    odds: Odds | None = None
    places: dict[str, Label] = Field(default_factory=dict)
    note: Prose | None = None
    controls: Annotated[list[Control], Field(min_length=1, max_length=MOST_TAPS - 2)]

    @model_validator(mode="after")
    def _distinct(self) -> Sheet:
        names = [control.id for control in self.controls]
        if len(names) > len(set(names)):
            raise ValueError("deux réglages portent le même id")
        return self

    @model_validator(mode="after")
    def _articles(self) -> Sheet:
        if wrong := [name for name in self.places.values() if not name.startswith(("l’", "la "))]:
            raise ValueError(
                f"« {wrong[0]} » : un lieu commence par « l’ » ou « la », que suivent bien « de » et « à »"
            )
        return self

    def spoken(self, page: str) -> str:
        """A text of the page in which each cell is called what it is to the reader.

        Args:
            page: HTML; its tags and their attributes stay as they are.

        >>> from tutor.course.quick import sheet
        >>> sheet("combat_commander", "tir").spoken('<b data-x="C1">PF finale contre C1</b>')
        '<b data-x="C1">PF finale contre l’hex de la cible</b>'
        """
        if not self.places:
            return page
        cell = "|".join(map(re.escape, self.places))
        place = re.compile(rf"(?P<lead>\ben )?(?<![\w/])(?P<one>{cell})(?:/(?P<other>{cell}))?(?![\w/])")
        return "".join(
            part if part.startswith("<") else place.sub(self._named, part) for part in re.split(r"(<[^>]*>)", page)
        )

    def _named(self, match: re.Match[str]) -> str:
        lead, one, other = match["lead"], self.places[match["one"]], match["other"]
        if other:
            name = f"{'sur ' if lead else ''}la limite entre {one} et {self.places[other]}"
        else:
            name = f"dans {one}" if lead else one
        before = match.string[: match.start()].rstrip()
        return name if before and before[-1] not in ".!?" else name[:1].upper() + name[1:]

    def situation(self, game_id: str, taps: Mapping[str, int]) -> tuple[Position, dict[str, Any]]:
        """The position and the declaration that some taps describe.

        Args:
            game_id: game of the sheet.
            taps: control id -> index of its option; its default when left out.
        """
        chosen = [control.options[taps.get(control.id, control.default)] for control in self.controls]
        position = _start(game_id, self.id)
        arguments = dict(self.with_)
        for option in chosen:
            position = position.change(option.changes) if option.changes else position
            for path, value in option.with_.items():
                arguments = with_value(arguments, path, value)
        return position, arguments

    def result(self, game_id: str, taps: Mapping[str, int]) -> Result[Any]:
        """What the engine says of it."""
        position, arguments = self.situation(game_id, taps)
        return ask(position, self.ask, **arguments)


class SheetFile(Model):
    """A game's sheets; one that says ``like: <id>`` takes what it leaves out from an earlier one."""

    sheets: Annotated[list[Sheet], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, data: Any) -> Any:
        written = data.get("sheets") if isinstance(data, dict) else None
        if not isinstance(written, list) or not all(isinstance(one, dict) for one in written):
            return data
        whole: dict[Any, dict[str, Any]] = {}
        for one in written:
            other = one.get("like")
            if other is not None and other not in whole:
                raise ValueError(f"« like » nomme {other}, qui ne vient pas avant")
            own = {key: value for key, value in one.items() if key != "like"}
            whole[one.get("id")] = {**whole.get(other, {}), **own}
        return {**data, "sheets": list(whole.values())}


@lru_cache(maxsize=8)
def sheets(game_id: str) -> tuple[Sheet, ...]:
    """The sheets of a game, in order; none when it has no ``quick.yaml``.

    Raises:
        ContentError: a broken file.

    >>> sheets("combat_commander")[0].id
    'tir'
    """
    path = game(game_id).folder / "quick.yaml"
    return tuple(read_model(SheetFile, path).sheets) if path.is_file() else ()


def sheet(game_id: str, sheet_id: str) -> Sheet:
    """A sheet by id.

    Raises:
        ContentError: there is none of that name.
    """
    for one in sheets(game_id):
        if one.id == sheet_id:
            return one
    raise ContentError(f"L’aide « {sheet_id} » n’existe pas.", remedy="Choisissez-en une dans la liste.")


@lru_cache(maxsize=64)
def _start(game_id: str, sheet_id: str) -> Position:
    one = sheet(game_id, sheet_id)
    data = {"schema": 1, "game": game_id, "id": f"table-{sheet_id}", "title": one.title, **one.position}
    return Position.from_data(data, "quick.yaml")
