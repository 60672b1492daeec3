"""Chart files that a reader supplies: found through an environment variable, each taken once.

A game that has such charts keeps them in a module ``charts`` with ``CHARTS`` (their names), ``VARIABLE`` (the environment
variable), ``template``, ``supply_file`` and ``withdraw``; ``ldv charts`` serves any of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tutor.core.tables import Table


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


def chart_files(path: Path) -> list[Path]:
    """The chart files that a path names: itself, or those of a folder, hidden ones left out.

    Args:
        path: a file or a folder of ``.yaml`` files.
    """
    found = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return [file for file in found if not file.name.startswith(".")]


def read_environment(variable: str, seen: set[str], take: Callable[[Path], object]) -> None:
    """Take the files that an environment variable names, unless that was done.

    Args:
        variable: its name; seen: values already taken, completed here; take: what to do with each file.
    """
    named = os.environ.get(variable, "")
    if not named or named in seen:
        return
    seen.add(named)
    for file in chart_files(Path(named)):
        take(file)
