"""What every page of a game reads of its folder, read ahead: copies of this process share it while no file changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from os import DirEntry, scandir
from pathlib import Path

from tutor.core.registry import GAMES, Game, game

#: Attributes of a game that hold what its files say.
CONTENTS = ("tables", "vocabulary", "sections", "phrases", "words", "glossary")
#: Folders of those files, in a game's own.
_FOLDERS = ("", "tables", "phrases")

_Stamp = frozenset[tuple[str, int, int, int]]
_read: dict[str, _Stamp] = {}


def read_ahead() -> None:
    """Read the contents of every game; one whose files are broken is left to whoever opens it.

    >>> read_ahead()
    >>> "tables" in vars(game("combat_commander"))
    True
    """
    for game_id in GAMES:
        with suppress(Exception):
            read = game(game_id)
            before = _stamp(read)
            for name in CONTENTS:
                getattr(read, name)
            _read[game_id] = before


def forget_changed() -> None:
    """Forget what was read of a game whose files have changed since: a visit has the contents of its day."""
    for game_id, before in list(_read.items()):
        read = game(game_id)
        if _stamp(read) != before:
            del _read[game_id]
            for name in CONTENTS:
                vars(read).pop(name, None)


def _stamp(read: Game) -> _Stamp:
    """What tells files from others of another day; nothing where they may not be read."""
    try:
        return frozenset(
            (one.path, state.st_mtime_ns, state.st_size, state.st_ino)
            for name in _FOLDERS
            for one in _files(read.folder / name)
            for state in (one.stat(),)
        )
    except OSError:
        return frozenset()


def _files(folder: Path) -> Iterator[DirEntry[str]]:
    if folder.is_dir():
        with scandir(folder) as entries:
            yield from (one for one in entries if one.name.endswith(".yaml"))
