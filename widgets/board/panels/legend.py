"""A legend of what a position shows, drawn by the same code as the board, on demand."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.grid import SquareGrid
from tutor.core.grids_pointy import PointyHexGrid
from tutor.core.position import Position
from tutor.core.registry import game
from widgets.board import layouts
from widgets.board.bridge import Bridge
from widgets.board.errors import guarded
from widgets.board.paint.labels import METRES, RELIEF
from widgets.board.paint.plans import SILENT
from widgets.board.svg import board_svg

_TABLES = ("terrain", "ways", "sides", "markers")
_BLANK = "schema: 1\ngame: {game}\nid: legende\ngrid: {{kind: {kind}, columns: [A, {column}], rows: [1, 1]}}"
#: Markers of square boards that lie over two squares.
_WIDE = ("shifted",)
#: What any board shows, whatever its game says of its counters.
_LEGEND = ("Ligne de vue\u00a0: trait plein ✓ dégagée\u00a0; tirets ≈ gênée\u00a0; pointillé au-delà de ✕ bloquée.",)
#: Code of the sentence on lines and counters, in the phrases of a game that draws them in its own way.
LINES = "legend.lines"


def sample(position: Position, table: str, kind: str, theme: str) -> str:
    """A cell with one feature; empty when the board draws nothing of it (what the markers of a game only say)."""
    grid = position.grid
    sort = "pointy" if isinstance(grid, PointyHexGrid) else "square" if isinstance(grid, SquareGrid) else "hex"
    square = sort == "square"
    wide = square and (table in ("sides", "ways") or kind in _WIDE)
    blank = Position.parse(_BLANK.format(game=position.game, kind=sort, column="B" if wide else "A"))
    ground = game(position.game).tables[table].get(kind, "ground", None)
    if ground:
        blank = blank.change({"terrain.A1": ground})
    value = next(iter(position.markers.get(kind, {"A1": True}).values()))
    changes: dict[str, dict[str, Any]] = {
        "terrain": {"terrain.A1": kind},
        "ways": {f"way.{kind}.A1": [2] if square else [1, 4]},
        "sides": {"side.A1/B1": kind} if square else {"side.A1/B1": kind, "side.A1/B0": kind},
        "markers": {f"marker.{kind}.A1": value},
    }
    change = changes[table]

    size, height = (112, 58) if wide else (96, 96) if ground else (64, 58)

    shown, shapes = blank.change(change), game(position.game).shapes
    before = shapes(blank)
    if all(shape in before or shape.kind in SILENT for shape in shapes(shown)):
        return ""
    return board_svg(shown, size=size, height=height, theme=theme, labels=False)


def legend_html(position: Position, theme: str = "light") -> str:
    """A list of every kind of terrain, way, side and marker present, with a sample of its drawing.

    >>> from tutor import load_position
    >>> "Bois" in legend_html(load_position("combat_commander", "livret-ldv"))
    True
    """
    tables = game(position.game).tables
    present: dict[str, Mapping[str, Any]] = {
        "terrain": position.terrain,
        "ways": position.ways,
        "sides": position.sides,
        "markers": position.markers,
    }
    items = [
        f"<li>{drawn}<span>{escape(tables[table].term(kind))}</span></li>"
        for table in _TABLES
        for kind, cells in present[table].items()
        if cells and table in tables and kind in tables[table].rows and (drawn := sample(position, table, kind, theme))
    ]
    texts = [*_levels(position), *_lines(position)]
    sentences = "".join(f"<p>{escape(text)}</p>" for text in texts)
    return f'<div class="ldv-legend"><ul>{"".join(items)}</ul>{sentences}{_marks(position)}</div>'


def _levels(position: Position) -> tuple[str, ...]:
    if not position.levels:
        return ()
    if max(abs(level) for level in position.levels) <= METRES:
        return ("▴1, ▴2…\u00a0: niveau du sol\u00a0; trait brun\u00a0: ligne de crête, ses hachures descendent.",)
    signs = (
        "↗75\u00a0%\u00a0: le centre est aux trois quarts vers la courbe suivante\u00a0; ∪\u00a0: cuvette\u00a0; "
        "∩\u00a0: sommet bombé."
    )
    relief = any(position.markers.get(kind) for kind in RELIEF)
    return (f"40\u00a0: courbe de niveau sous le centre, en mètres. {signs if relief else ''}".rstrip(),)


def _lines(position: Position) -> tuple[str, ...]:
    """Lines and counters: the words of the game's phrases, else of its counters, else of any board."""
    own = game(position.game).phrases.templates.get(LINES)
    if own:
        return (own,)
    style = game(position.game).counters
    return style.legend if style and style.legend else _LEGEND


def _marks(position: Position) -> str:
    """The letters that counters of this position may carry."""
    table = game(position.game).tables.get("statuses")
    present = {status for piece in position.pieces for status in piece.status}
    named = (
        [f"{table.get(s, 'mark')}\u00a0: {table.term(s)}" for s in table.rows if s in present and table.get(s, "mark")]
        if table
        else []
    )
    return f"<p>En haut à gauche d’un pion\u00a0: {escape(', '.join(named))}.</p>" if named else ""


class LegendPanel:
    """« Légende », folded; drawn when first opened. Show ``panel.view``.

    Args:
        position: whose signs it explains.
        bridge: of its page, which knows the theme.
    """

    def __init__(self, position: Position, bridge: Bridge) -> None:
        self.position, self._bridge = position, bridge
        self._html = layouts.text()
        self.view = ipw.Accordion([self._html], titles=("Légende",), selected_index=None, layout=layouts.plain())
        self.view.add_class("ldv-legend-panel")
        self.view.observe(guarded(self._open), "selected_index")

    def _open(self, change: dict[str, object]) -> None:
        if change["new"] is not None:
            self._html.value = legend_html(self.position, "dark" if self._bridge.dark else "light")
