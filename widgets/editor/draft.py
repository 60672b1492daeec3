"""What the editor works on: a position and its question, with one history for both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tutor.core.errors import PositionError
from tutor.core.grid import column_letters
from tutor.core.kit import Kit
from tutor.core.position import GridSpec, Position
from tutor.core.registry import Game, game
from tutor.course.teacher_lessons import Asked
from widgets.board.history import Undoable
from widgets.editor.brushes import empty

KIND_NAMES: Mapping[str, str] = {
    "hex": "hexs, côté plat en haut",
    "half_hex": "hexs, demi-hexs aux bords",
    "hex-numbered": "hexagones numérotés",
    "pointy": "hexagones, pointe en haut",
    "pointy_odd": "hexagones, pointe en haut, rangées impaires décalées",
    "square": "cases carrées",
}


#: Title of a board that nobody has named.
UNTITLED = "Sans titre"


def blank(game_id: str) -> Position:
    """The empty board of a game, which its author will name.

    >>> blank("tcs").title
    'Sans titre'
    """
    return Position.from_data({**empty(game_id).data(), "id": "sans-titre", "title": UNTITLED}, "plateau")


@dataclass(frozen=True, slots=True)
class Draft:
    """A position, and what is asked about it."""

    position: Position
    asked: Asked | None = None


class Workbench(Undoable[Draft]):
    """A draft that changes, with undo and redo.

    Args:
        game_id: its game.
        draft: the first one (an empty board when None).

    >>> bench = Workbench("combat_commander")
    >>> bench.change({"terrain.B2": "woods"})
    >>> bench.position.terrain_of, bench.undo(), bench.position.terrain_of
    ({'B2': 'woods'}, True, {})
    """

    def __init__(self, game_id: str, draft: Draft | None = None) -> None:
        self.game: Game = game(game_id)
        self.kit: Kit = self.game.kit
        super().__init__(draft or Draft(blank(game_id)))

    # -- reading --------------------------------------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        """What stands now."""
        return self._history.now

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self.draft.position

    @property
    def asked(self) -> Asked | None:
        """The question as it stands."""
        return self.draft.asked

    def problems(self) -> list[str]:
        """Every fault of the position, tweaks included, as French sentences."""
        sentences = self.game.faults(self.position)
        for tweak in self.position.tweaks:
            try:
                self.position.read(tweak.path)
            except PositionError as error:
                sentences.append(f"Réglage «\u00a0{tweak.label}\u00a0»\u00a0: {error.sentence}")
        return sentences

    # -- changing -------------------------------------------------------------------------------------------------

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change the position by paths of ``Position.change``.

        Raises:
            PositionError: the change means nothing; nothing has changed then.
        """
        self.place(self.position.change(changes))

    def place(self, position: Position) -> None:
        """Put another position in place, as one step of the history."""
        self._take(replace(self.draft, position=position))

    def edit(self, **fields: Any) -> None:
        """Change whole fields of the position (title, joined, tweaks…), through the strict loader.

        Raises:
            PositionError: a field that is not well formed.
        """
        self.place(Position.from_data({**self.position.data(), **fields}, "modification"))

    def ask(self, asked: Asked | None) -> None:
        """Put another question in place, as one step of the history."""
        self._take(replace(self.draft, asked=asked))

    def restart(self, draft: Draft) -> None:
        """Put something else on the bench; what stood there can be had back by undoing."""
        self._take(draft)

    # -- the board ------------------------------------------------------------------------------------------------

    def kinds(self) -> tuple[str, ...]:
        """Kinds of grid that the game is played on."""
        own = str(self.kit.grid.get("kind", "hex"))
        return self.kit.grids or (own,)

    def column_names(self) -> list[str]:
        """Names a column may have, in order."""
        if "hex-numbered" in self.kinds():
            return [f"{n:02d}" for n in range(1, 61)]
        return [column_letters(n) for n in range(1, 53)]

    def resize(self, kind: str, columns: tuple[str, str], rows: tuple[int, int], *, keep: bool) -> None:
        """Another board: an empty one, or this one with more or fewer cells.

        Args:
            kind: of grid.
            columns: first and last.
            rows: first and last.
            keep: what stands inside stays.

        Raises:
            PositionError: the board would be empty, or too large.
        """
        data = self.position.data() if keep else blank(self.game.id).data()
        data["grid"] = {"kind": kind, "columns": list(columns), "rows": list(rows)}
        board = Position.from_data({**empty(self.game.id).data(), "grid": data["grid"]}, "plateau").grid
        if not board.cells:
            raise PositionError(
                f"Ce plateau n’aurait {board.words.none}.", remedy="La dernière rangée suit la première."
            )
        if keep:
            _crop(data, board)
        self.place(Position.from_data(data, "plateau"))

    def spec(self) -> GridSpec:
        """The board as it stands."""
        return self.position.board


def _crop(data: dict[str, Any], board: Any) -> None:
    """Leave out what lies off the board."""
    for block in ("levels", "terrain"):
        if block in data:
            data[block] = {
                key: kept for key, cells in data[block].items() if (kept := [c for c in cells if c in board])
            }
    for block in ("ways", "markers"):
        if block in data:
            data[block] = {
                key: kept
                for key, cells in data[block].items()
                if (kept := {c: v for c, v in cells.items() if c in board})
            }
    if "sides" in data:
        data["sides"] = {
            key: kept
            for key, sides in data["sides"].items()
            if (kept := [s for s in sides if any(c in board for c in s.split("/"))])
        }
    if "joined" in data:
        data["joined"] = [kept for group in data["joined"] if len(kept := [c for c in group if c in board]) > 1]
    gone = {p["id"] for p in data.get("pieces", ()) if p.get("at") and p["at"] not in board}
    data["pieces"] = [p for p in data.get("pieces", ()) if p["id"] not in gone and p.get("carrier") not in gone]
