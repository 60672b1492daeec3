"""Chart files that a reader supplies: found through an environment variable, each taken once.

A game that has such charts keeps them in a module ``charts`` with ``CHARTS`` (their names), ``VARIABLE`` (the
environment variable), ``template``, ``supply_file`` and ``withdraw``; ``ldv charts`` serves any of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tutor.core.errors import ContentError
from tutor.core.tables import Table
from tutor.core.yamlio import read_yaml

_KEYS = frozenset({"id", "title", "rule", "provenance", "note", "rows"})
#: Most faults said at once.
_MOST_FAULTS = 8


class Charts(Protocol):
    """The module ``charts`` of a game."""

    CHARTS: tuple[str, ...]
    VARIABLE: str

    def template(self, name: str) -> str:
        """The file to fill, as YAML."""

    def supply_file(self, path: Path) -> Table:
        """Take a filled file, or say every fault of it."""

    def withdraw(self) -> None:
        """Forget what was taken."""


class Shelf:
    """The charts that a reader supplies for one game, at most one of each name.

    Args:
        names: charts that may be supplied.
        variable: the environment variable that names files of them.
        faults: every fault of a chart whose shape is right, as French clauses.
    """

    def __init__(self, names: tuple[str, ...], variable: str, faults: Callable[[Table], Iterable[str]]) -> None:
        self.names, self.variable, self.faults = names, variable, faults
        self._supplied: dict[str, Table] = {}
        self._read: set[str] = set()

    def supply(self, data: Mapping[str, Any], path: str = "table") -> Table:
        """Take a reader's chart; the setting ``charts: reader`` then uses it.

        Args:
            data: a table as in ``tables/``: id (one of the names), title, rule, provenance, rows.
            path: where it comes from, for errors.

        Raises:
            ContentError: no such chart, or every fault of its rows, columns and values.
        """
        rows = data.get("rows") if isinstance(data, Mapping) else None
        if not isinstance(rows, Mapping):
            raise ContentError("Une table est un bloc de clés, dont « rows ».", path=path, remedy="Partez du modèle.")
        if unknown := sorted(set(map(str, data)) - _KEYS):
            raise ContentError(
                f"Clé inconnue : {', '.join(unknown)}.", path=path, remedy="Ôtez-la, ou corrigez son nom."
            )
        if wrong := [str(row) for row, cells in rows.items() if not isinstance(cells, Mapping)]:
            raise ContentError(f"Ligne sans cases : {', '.join(wrong)}.", path=path, remedy="Partez du modèle.")
        table = Table(data, path)
        self.named(table.id, path)
        if faults := list(self.faults(table)):
            more = f" ; et {len(faults) - _MOST_FAULTS} autres" if len(faults) > _MOST_FAULTS else ""
            raise ContentError(" ; ".join(faults[:_MOST_FAULTS]) + more + ".", path=path, remedy="Corrigez ces cases.")
        self._supplied[table.id] = table
        return table

    def supply_file(self, path: Path) -> Table:
        """Take a reader's chart file.

        Raises:
            ContentError: unreadable, or broken.
        """
        return self.supply(read_yaml(path), path.name)

    def withdraw(self) -> None:
        """Forget every chart that a reader supplied."""
        self._supplied.clear()
        self._read.clear()

    def named(self, name: str, path: str | None = None) -> str:
        """The name of a chart that may be supplied.

        Raises:
            ContentError: there is none.
        """
        if name not in self.names:
            raise ContentError(
                f"La table « {name} » n’existe pas.", path=path, remedy=f"Choisissez parmi {', '.join(self.names)}."
            )
        return name

    def get(self, name: str) -> Table | None:
        """The reader's chart of a name, the files of the environment taken first; None when he has none."""
        read_environment(self.variable, self._read, self.supply_file)
        return self._supplied.get(name)


def chart_files(path: Path) -> list[Path]:
    """The chart files that a path names: itself, or those of a folder, hidden ones left out.

    Args:
        path: a file or a folder of ``.yaml`` files.
    """
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return [file for file in files if not file.name.startswith(".")]


def read_environment(variable: str, seen: set[str], take: Callable[[Path], object]) -> None:
    """Take the files that an environment variable names, unless that was done.

    Args:
        variable: its name.
        seen: values already taken, completed here.
        take: what to do with each file.
    """
    named = os.environ.get(variable, "")
    if not named or named in seen:
        return
    seen.add(named)
    for file in chart_files(Path(named)):
        take(file)
