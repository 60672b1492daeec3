"""What the free board offers in each game: an empty board, brushes, who fires at whom and by which question. Data, no widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor.core.position import Position

Arguments = dict[str, Any]
_SIDES = {"axis": "Axe", "allies": "Alliés"}


@dataclass(frozen=True)
class Words:
    """How a game calls its cells.

    Args:
        two, some, one, the: « deux hexs », « des hexs », « un hex », « l’hex »; target, a_target: « l’hex visé », « un hex visé »; side: « un côté d’hex ».
    """

    two: str = "deux hexs"
    some: str = "des hexs"
    target: str = "l’hex visé"
    a_target: str = "un hex visé"
    one: str = "un hex"
    the: str = "l’hex"
    side: str = "un côté d’hex"


HEXES = Words()
HEXAGONS = Words(
    "deux hexagones", "des hexagones", "l’hexagone visé", "un hexagone visé", "un hexagone", "l’hexagone",
    "un côté d’hexagone",
)  # fmt: skip
SQUARES = Words("deux cases", "des cases", "la case visée", "une case visée", "une case", "la case", "un bord de case")


@dataclass(frozen=True)
class Shot:
    """How one side fires.

    Args:
        ask, odds: questions to the engine; arguments: of both, from position, firers and target (cell, piece or None).
        several: whether several pieces fire together; at_piece: whether the target is a piece;
        stack: whether a first click takes all who stand there (a leader and those he directs).
    """

    ask: str
    odds: str | None
    arguments: Callable[[Position, Sequence[str], str], Arguments]
    several: bool = True
    at_piece: bool = False
    stack: bool = False


@dataclass(frozen=True)
class Kit:
    """The free board of one game.

    Args:
        first: position shown first; grid: of an empty board; words: for its cells.
        levels: heights one may paint; markers: (kind, values), fortifications included; ways: that join two cells.
        states: (label, status) that one may put on a piece; sides: id -> French name; shots: side -> how it fires (``""``: every side).
        catalogue: pieces come from the game's ``tables`` or from its ``positions``; own_sides: each is of one side alone.
    """

    first: str
    grid: Mapping[str, Any]
    words: Words = HEXES
    levels: tuple[int, ...] = ()
    markers: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    ways: tuple[str, ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    sides: Mapping[str, str] = field(default_factory=lambda: dict(_SIDES))
    shots: Mapping[str, Shot] = field(default_factory=dict)
    catalogue: str = "positions"
    own_sides: bool = False

    def shot(self, side: str) -> Shot | None:
        """How a side fires, None when this game gives no fire."""
        return self.shots.get(side) or self.shots.get("")


def _group(position: Position, firers: Sequence[str], target: str) -> Arguments:
    return {"firers": list(firers), "target": target}


def _led(position: Position, firers: Sequence[str], target: str) -> Arguments:
    leaders = [i for i in firers if position.piece(i).kind == "leader"]
    return {"firers": [i for i in firers if i not in leaders], "target": target, "leaders": leaders}


def _single(position: Position, firers: Sequence[str], target: str) -> Arguments:
    return {"unit": firers[0], "target": target}


KITS: dict[str, Kit] = {
    "combat_commander": Kit(
        first="livret-ldv",
        grid={"columns": ["A", "J"], "rows": [1, 8]},
        levels=(0, 1, 2, 3, 4),
        markers=(("smoke", tuple(range(1, 11))), ("blaze", (True,)), ("fortification", ())),
        ways=("road", "rail", "trail"),
        states=(("Démoraliser, ou rallier", "broken"), ("Suppression, ou la lever", "suppressed")),
        shots={"": Shot("fire", "fire_odds", _group)},
        catalogue="tables",
    ),
    "asl_sk": Kit(
        first="genes",
        grid={"kind": "half_hex", "columns": ["A", "I"], "rows": [1, 6]},
        levels=(0, 1, 2, 3),
        markers=(("smoke", (1, 2, 3)), ("residual", (1, 2, 4, 6))),
        ways=("road",),
        states=(
            ("Démoraliser, ou rallier", "broken"),
            ("DM, ou l’ôter", "dm"),
            ("PIN, ou l’ôter", "pinned"),
            ("CX, ou l’ôter", "cx"),
        ),
        shots={"": Shot("fire", "fire_odds", _led, stack=True)},
        catalogue="tables",
    ),
    "tcs": Kit(
        first="livret-ldv-sud",
        grid={"kind": "hex-numbered", "columns": ["01", "09"], "rows": [1, 8]},
        words=HEXAGONS,
        levels=(0, 20, 40, 60, 80, 100),
        markers=(("between", (25, 50, 75)), ("basin", (25, 50, 75)), ("dome", (25, 50, 75)), ("smoke", (True,))),
        ways=("road", "trail", "rail"),
        states=(("Mouvement, ou Tir", "move"), ("Fortifiée, ou non", "dug_in"), ("Fired, ou l’ôter", "fired"),
                ("Suppressed, ou l’ôter", "suppressed"), ("Paralyzed, ou l’ôter", "paralyzed")),
        sides={"a": "Camp A", "b": "Camp B"},
        shots={"": Shot("area_fire", "area_odds", _group)},
    ),
    "sherman_leader": Kit(
        first="tour-1",
        grid={"kind": "pointy", "columns": ["A", "D"], "rows": [1, 6]},
        words=HEXAGONS,
        states=(("Suppression, ou la lever", "suppressed"), ("Exposé, ou l’ôter", "exposed")),
        sides={"us": "Américains", "enemy": "Ennemi"},
        own_sides=True,
        shots={
            "us": Shot("attack", "attack_odds", _single, several=False, at_piece=True),
            "enemy": Shot("enemy_attack", "enemy_odds", _single, several=False, at_piece=True),
        },
    ),
    "heroes_of_normandie": Kit(
        first="dominante",
        grid={"kind": "square", "columns": ["A", "H"], "rows": [1, 6]},
        words=SQUARES,
        markers=(("dominant", (1, 2)), ("smoke", (4, "weak")), ("room", (1, 2, 3)), ("ruined_half", (1, 2, 3, 4))),
        states=(("Suppressed, ou l’ôter", "suppressed"), ("Ordre, ou l’ôter", "order")),
        shots={"": Shot("fire", None, _single, several=False, at_piece=True)},
    ),
}  # fmt: skip
