"""What the visible face of a counter shows: its own values, else those that its game prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tutor.core.errors import TutorError
from tutor.core.faces import Look
from tutor.core.position import Piece, Position
from tutor.core.registry import game
from tutor.core.tables import Table
from widgets.board.counters.look import look_of

#: Where a game of units by kind prints a value under another name.
_OTHER_NAMES = {"fp": "attack"}
WEAPONS = frozenset({"mg", "mortar", "gun", "flamethrower", "satchel", "molotov", "radio", "weapon"})


@dataclass(frozen=True, slots=True)
class CounterFace:
    """What the visible face of a counter shows.

    Args:
        id: piece id.
        kind: leader, team, squad or a weapon.
        side: axis or allies.
        name: what the reader calls it, shown under units.
        fp, range, move, morale, command, min_range: printed values, None when not printed.
        boxed: names of boxed values.
        broken, suppressed, veteran: state.
        activated: letters of what it was activated for, "" when it was not.
        marks: letters of its other states, from the game's ``statuses``.
        own_unit: its kind is a unit by itself in this game.
        look: what it shows in the manner of its game, None for a plain one.
    """

    id: str
    kind: str
    side: str
    name: str = ""
    fp: int | None = None
    range: int | None = None
    move: int | None = None
    morale: int | None = None
    command: int | None = None
    min_range: int | None = None
    boxed: frozenset[str] = frozenset()
    broken: bool = False
    suppressed: bool = False
    veteran: bool = False
    activated: str = ""
    marks: str = ""
    own_unit: bool = False
    look: Look | None = None

    @property
    def weapon(self) -> bool:
        """Whether it is a weapon, drawn half-size on its carrier."""
        return self.kind in WEAPONS and not self.own_unit


def face(position: Position, piece: Piece) -> CounterFace:
    """The visible face of a piece: its own values, else those of its counter's row in the game's tables.

    >>> p = Position.parse("schema: 1\\ngame: combat_commander\\nid: v\\ngrid: {columns: [A, C], rows: [1, 3]}\\n"
    ...     "pieces: [{id: x, kind: squad, side: axis, at: B2, counter: germany/rifle, front: {fp: 6}}]")
    >>> face(p, p.pieces[0]).fp, face(p, p.pieces[0]).morale
    (6, 7)
    """
    kinds = _table(position, "kinds")
    own_unit = bool(kinds and kinds.has(piece.kind))
    weapon, broken = piece.kind in WEAPONS and not own_unit, "broken" in piece.status
    turned = broken and not weapon
    own = piece.back if turned else piece.front
    table = _table(position, "weapons" if weapon else "units")

    def value(key: str) -> int | None:
        if key not in own and own_unit:
            key = _OTHER_NAMES.get(key, key)
        if key in own:
            return own[key]
        printed = table.get(piece.counter or "", f"back_{key}" if turned else key) if table else None
        return printed if isinstance(printed, int) else None

    boxed: Iterable[str] = piece.boxed if piece.boxed is not None else ()
    if piece.boxed is None and table:
        boxed = table.get(piece.counter or "", "boxed", ())
    return CounterFace(
        piece.id,
        piece.kind,
        _side(position, piece.side),
        piece.name or "",
        value("fp"),
        value("range"),
        value("move"),
        value("morale"),
        value("command"),
        value("min_range"),
        frozenset(() if turned else boxed),
        broken,
        "suppressed" in piece.status,
        "veteran" in piece.status,
        _order(position, piece),
        _marks(position, piece),
        own_unit,
        look_of(position, piece),
    )


def _side(position: Position, side: str) -> str:
    """A side with a hue of its own: names other than axis, allies and enemy take hues in the order of the position."""
    if side in ("axis", "allies", "enemy"):
        return side
    order = list(dict.fromkeys(p.side for p in position.pieces))
    return ("allies", "axis")[order.index(side) % 2]


def _marks(position: Position, piece: Piece) -> str:
    """Letters of the states that the game's ``statuses`` give one to."""
    table = _table(position, "statuses")
    return "".join(str(table.get(s, "mark", "")) for s in table.rows if s in piece.status) if table else ""


def _order(position: Position, piece: Piece) -> str:
    """Letters of what a piece was activated for, as its game's ``activations`` say; "●" where they say nothing of it."""
    table = _table(position, "activations")
    return str(table.get(piece.activated, "mark", "●") if table else "●") if piece.activated else ""


def _table(position: Position, name: str) -> Table | None:
    try:
        return game(position.game).tables.get(name)
    except TutorError:
        return None
