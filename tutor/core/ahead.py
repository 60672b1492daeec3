"""What games say, read before anybody asks: copies of this process share it, as long as none of its files changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tutor.core.errors import TutorError
from tutor.core.registry import GAMES, Game, game

#: What of a game nearly every page needs, and the files that it is read from.
PARTS = ("tables", "sections", "phrases", "glossary", "vocabulary", "words", "counters")
FILES = ("*.yaml", "tables/*.yaml", "phrases/*.yaml")
#: How a file stood when it was read: its path, its bytes, its date.
State = tuple[tuple[str, int, int], ...]


class Ahead:
    """The games that were read, and how their files stood then.

    >>> ahead = Ahead()
    >>> ahead.read()
    >>> sorted(ahead.changed())
    []
    """

    def __init__(self) -> None:
        self._states: dict[str, State] = {}

    def read(self) -> None:
        """Read what every game says; one that cannot be read is left to whoever asks for it, who is told why."""
        for game_id in GAMES:
            with suppress(TutorError, OSError):
                one = game(game_id)
                self._states[game_id] = state_of(one.folder)
                try:
                    for part in PARTS:
                        getattr(one, part)
                except (TutorError, OSError):
                    _forget(one)
                    raise

    def changed(self) -> Iterator[str]:
        """Ids of the games of which a file has changed since."""
        return (game_id for game_id, state in self._states.items() if state_of(game(game_id).folder) != state)

    def forget_changed(self) -> None:
        """Forget what was read of games that have changed: it is read anew when it is asked for."""
        for game_id in tuple(self.changed()):
            _forget(game(game_id))


def state_of(folder: Path) -> State:
    """How the files of a game's folder stand now."""
    files = sorted(path for pattern in FILES for path in folder.glob(pattern))
    return tuple((str(path), (seen := path.stat()).st_size, seen.st_mtime_ns) for path in files)


def _forget(one: Game) -> None:
    for part in PARTS:
        one.__dict__.pop(part, None)


#: Those of this process.
AHEAD = Ahead()
