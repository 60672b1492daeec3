"""What the rules of a game ask of a position besides what its board shows: ``circumstances.yaml`` of the game."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from tutor.core.position import Model
from tutor.core.registry import game
from tutor.course.models import ArgumentName, Label, read_model

Kind = Literal["side", "option", "number", "flag", "chosen", "entries"]


class Circumstance(Model):
    """Something that the rules ask of a position's ``state``.

    Args:
        key: in ``state``.
        label: French.
        kind: how it is given: a side, one of ``options``, a number, yes or no, several rows of a table (chosen), or a
            value for each of some things (entries).
        options: French label -> what it may be.
        of: what entries are for: sides, pieces, cells (of a ``terrain``), rows of the ``table``; or ``keys``, given here.
        terrain: of the cells that entries are for.
        table: whose rows may be chosen, as ``name`` or ``name:prefix``; for entries of cells, what each may be.
        by_side: whether the value of each entry is a side.
        alike: whether one number may stand for all entries.
    """

    key: ArgumentName
    label: Label
    kind: Kind
    options: dict[Label, str | int] = Field(default_factory=dict)
    of: Literal["sides", "pieces", "cells", "rows", "keys"] = "keys"
    keys: dict[Label, str | int] = Field(default_factory=dict)
    terrain: str = ""
    table: str = ""
    by_side: bool = False
    alike: bool = False


class _File(Model):
    """All of a game's."""

    circumstances: list[Circumstance]


def circumstances(game_id: str) -> tuple[Circumstance, ...]:
    """What the rules of a game ask of a position's state, in the order of the form; nothing without the file.

    Raises:
        ContentError: the file is broken.

    >>> [one.key for one in circumstances("asl_sk")]
    ['attacker', 'phase', 'month', 'elr']
    """
    return _read(game(game_id).folder / "circumstances.yaml")


@lru_cache(maxsize=8)
def _read(path: Path) -> tuple[Circumstance, ...]:
    if not path.is_file():
        return ()
    return tuple(read_model(_File, path).circumstances)
