"""Where the picture of a board's ground is: the server draws it (``widgets.ground``), a kernel only names it."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from typing import Any

from tutor.core.errors import PositionError
from tutor.core.grids_half import HalfHexGrid
from tutor.core.position import MAX_LINK, Position
from tutor.core.registry import game
from widgets.board.paint.plans import PLAN_MARKERS
from widgets.board.paint.shapes import View
from widgets.board.palette import Palette

#: Set by a server that hands out grounds: the version of what draws them.
VARIABLE = "LDV_GROUND"
#: File of a game that says how its ground is drawn; the boards of a game without it are painted by the page.
STYLE = "ground.yaml"
#: What of a position's state is seen in its ground.
_SEEN = ("interval", "beneath", "month")
#: Cells of the largest board whose ground is a picture, and those of them that may bear terrain.
MOST_CELLS, MOST_COVERED = 700, 160
#: Ground that the pictures show beyond the cells, in hex radii; none round boards that end in half hexes.
MARGIN = 0.2


def drawable(position: Position) -> bool:
    """Whether a ground can be drawn in a second or so: its game has a hand for it, and few enough hexes bear terrain.

    >>> from tutor import load_position
    >>> drawable(load_position("combat_commander", "livret-ldv"))
    True
    """
    handed = (game(position.game).folder / STYLE).is_file()
    return handed and len(position.terrain_of) <= MOST_COVERED and len(position.grid.cells) <= MOST_CELLS


def ground_address(position: Position, dark: bool = False) -> str:
    """Address of the picture of a position's ground; "" when nobody here draws it, or when the board is too large for one.

    It names all that the picture shows, and nothing else: counters move and smoke rises over the same picture.

    Args:
        position: the situation.
        dark: for the dark theme.

    >>> from tutor import load_position
    >>> os.environ[VARIABLE] = "1"
    >>> one = load_position("combat_commander", "livret-ldv")
    >>> ground_address(one).startswith("/sol/1/combat_commander/light/")
    True
    >>> ground_address(one) == ground_address(one.model_copy(update={"pieces": []}))
    True
    >>> del os.environ[VARIABLE]; ground_address(one)
    ''
    """
    version = os.environ.get(VARIABLE, "")
    if not version or not drawable(position):
        return ""
    try:
        text = bare(position).to_link()
    except PositionError:
        return ""
    return f"/sol/{version}/{position.game}/{'dark' if dark else 'light'}/{text}.svg" if len(text) <= MAX_LINK else ""


def bare(position: Position) -> Position:
    """A position with what its ground shows, and nothing else."""
    drawn = {shape.kind for shape in game(position.game).shapes(position) if shape.layer == "marker"}
    loose = drawn - set(PLAN_MARKERS)
    nothing_else: dict[str, Any] = {
        "id": "sol",
        "title": "",
        "note": None,
        "provenance": None,
        "pieces": [],
        "tweaks": [],
        "markers": {kind: cells for kind, cells in position.markers.items() if kind not in loose},
        "state": {key: value for key, value in position.state.items() if key in _SEEN},
    }
    return position.model_copy(update=nothing_else)


def served_grounds() -> bool:
    """Whether a server hands out the pictures of grounds: who stands before it names them, and draws none."""
    return bool(os.environ.get(VARIABLE))


def written_over(game_id: str, colours: Palette, dark: bool) -> Palette:
    """A board's colours, with those that its game writes in on the pictures of its ground.

    Args:
        game_id: id of the game.
        colours: of the theme.
        dark: for the dark theme.
    """
    written = written_on(game_id, dark)
    if written is None:
        return colours
    ink, halo = written
    return replace(colours, label=ink, crest=ink, ink=ink, halo=halo)


@cache
def written_on(game_id: str, dark: bool) -> tuple[str, str] | None:
    """Ink and halo of what is written on the pictures of a game's ground; None for those of any board.

    Args:
        game_id: id of the game.
        dark: for the dark theme.

    >>> written_on("combat_commander", dark=False) != written_on("sherman_leader", dark=False)
    True
    """
    rulebook = game(game_id)
    if not (rulebook.folder / STYLE).is_file():
        return None
    names = rulebook.content(STYLE).get("names", {}).get("dark" if dark else "light")
    return (names[0], names[1]) if names else None


@cache
def letters_on(game_id: str) -> dict[str, str]:
    """The letters that the tiles of a game bear, by kind of terrain.

    Args:
        game_id: id of the game.

    >>> letters_on("sherman_leader")["impassable"], letters_on("tcs")
    ('Im', {})
    """
    rulebook = game(game_id)
    letters: dict[str, str] = rulebook.content(STYLE).get("letters", {}) if (rulebook.folder / STYLE).is_file() else {}
    return letters


def ground_facts(position: Position, view: View, dark: bool) -> dict[str, Any]:
    """What the page needs to lay the picture of a ground under a board; empty when there is none.

    Args:
        position: the situation.
        view: how the board lies on the page.
        dark: for the dark theme.

    Returns:
        ``src``: its address; ``beyond``: ground that it shows beyond the cells, in pixels of the board.
    """
    address = ground_address(position, dark)
    return {"src": address, "beyond": beyond_cells(position, view)} if address else {}


def beyond_cells(position: Position, view: View) -> float:
    """Ground that a board's picture shows beyond its cells, in pixels of the board."""
    return 0.0 if isinstance(position.grid, HalfHexGrid) else round(view.radius * MARGIN, 2)
