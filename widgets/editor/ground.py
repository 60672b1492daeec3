"""The editor's palettes for the ground: terrain, levels, sides, ways, markers, buildings made one,
size of the board.
"""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import PositionError
from tutor.core.grid import split_side
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from widgets.board.errors import guarded
from widgets.editor.brushes import join, paint, side_brushes, table_term, way_brushes
from widgets.editor.draft import KIND_NAMES, Workbench
from widgets.editor.forms import drop, whole
from widgets.host.prose import box, button, html, show

#: Share of a cell that the middle of a side must be away from its centre to be told above, below, left or right.
_ASIDE = 0.1
_MODES = {
    "terrain": "Terrain",
    "level": "Niveaux",
    "side": "Côtés",
    "way": "Voies",
    "marker": "Marqueurs",
    "join": "Bâtiments",
    "size": "Plateau",
}
_HELP = {
    "terrain": "Choisissez un terrain, puis cliquez {w.some}.",
    "level": "Choisissez une hauteur, puis cliquez {w.some}.",
    "side": "Choisissez, puis cliquez près d’{w.side}. Au clavier{n}: choisissez {w.two} qui se touchent, "
    "ou {w.one} et son côté.",
    "way": "Cliquez près d’{w.side}{n}: la voie le traverse, même au bord du plateau. "
    "Ou cliquez {w.two} qui se touchent. "
    "Recommencez pour l’enlever.",
    "marker": "Choisissez un marqueur, puis cliquez {w.some}. Un second clic le retire.",
    "join": "Cliquez {w.two} qui se touchent{n}: ils portent un seul bâtiment. Recommencez pour les séparer.",
    "size": "Un plateau neuf, ou le même avec plus ou moins de place.",
}


def chips(options: list[tuple[str, Any]], value: Any = None) -> ipw.ToggleButtons:
    """A palette: one button for each option."""
    made = ipw.ToggleButtons(
        options=options, value=value if value is not None else (options[0][1] if options else None)
    )
    made.add_class("ldv-chips")
    return made


class GroundPanel:
    """Palettes of the ground.

    Args:
        bench: what they change.

    ``edges``: whether a click near a side is meant. Show ``tools`` above the board.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._from: str | None = None
        self._values: dict[str, tuple[Any, ...]] = {}
        rulebook, kit = bench.game, bench.kit
        self._sides, self._ways = side_brushes(rulebook), way_brushes(rulebook, kit)
        markers = list(rulebook.tables["markers"].rows) if "markers" in rulebook.tables else []
        offered = {
            "level": bool(kit.levels),
            "side": bool(self._sides),
            "way": bool(self._ways),
            "marker": bool(markers),
            "join": kit.joins,
        }
        modes = [(label, mode) for mode, label in _MODES.items() if offered.get(mode, True)]
        self._mode = chips(modes)
        self._mode.add_class("ldv-tabs")
        self._mode.observe(guarded(lambda _: self._mode_changed()), "value")
        terrain = [
            (table_term(rulebook, "terrain", r), r)
            for r in rulebook.tables["terrain"].rows
            if r not in ("open", "clear")
        ]
        levels = [(_level(level), level) for level in kit.levels]
        self._palettes: dict[str, Any] = {
            "terrain": chips([*terrain, ("Effacer", "")]),
            "level": chips(levels, kit.levels[1] if len(kit.levels) > 1 else None),
            "side": chips([*self._sides[1:], ("Effacer", "")]),
            "way": chips(self._ways),
            "marker": chips([*((table_term(rulebook, "markers", m), m) for m in markers), ("Effacer", "")]),
        }
        self._palettes["marker"].observe(guarded(lambda _: self._marker_changed()), "value")
        self._value = drop("Valeur")
        self._help = html("")
        self._size = self._size_form()
        self._which = drop("Côté")
        there = button("Poser sur ce côté", hint="Sans viser un bord à la souris")
        there.on_click(guarded(lambda _: self._which.value and self.edge(self._which.value)))
        self._by_name = box(self._which, there, css="ldv-fields")
        self.tools = box(
            self._mode,
            *self._palettes.values(),
            self._value,
            self._size,
            self._help,
            self._by_name,
            css="ldv-palette",
        )
        self._mode_changed()

    def _size_form(self) -> ipw.Widget:
        kinds, names, spec = self._bench.kinds(), self._bench.column_names(), self._bench.spec()
        self._kind = drop(options=[(KIND_NAMES[k], k) for k in kinds], description="Grille")
        self._c1 = drop(options=names, value=spec.columns[0], description="Première colonne")
        self._c2 = drop(options=names, value=spec.columns[1], description="Dernière colonne")
        self._r1 = whole(value=spec.rows[0], min=0, max=60, description="Première rangée")
        self._r2 = whole(value=spec.rows[1], min=0, max=60, description="Dernière rangée")
        new, crop = button("Nouveau plateau vide"), button("Redimensionner celui-ci")
        new.on_click(guarded(lambda _: self._resize(False)))
        crop.on_click(guarded(lambda _: self._resize(True)))
        return box(
            self._kind,
            box(self._c1, self._c2, row=True, css="ldv-pair"),
            box(self._r1, self._r2, row=True, css="ldv-pair"),
            box(new, crop, row=True, css="ldv-toolbar"),
            css="ldv-size",
        )

    def _resize(self, keep: bool) -> None:
        self._bench.resize(
            self._kind.value, (self._c1.value, self._c2.value), (self._r1.value, self._r2.value), keep=keep
        )

    @property
    def edges(self) -> bool:
        """Whether a click near a side is meant."""
        return self._mode.value in ("side", "way")

    def on_mode(self, listener: Any) -> None:
        """Call when another palette is chosen."""
        self._mode.observe(guarded(lambda _: listener()), "value")

    def _mode_changed(self) -> None:
        mode = self._mode.value
        for name, palette in self._palettes.items():
            show(palette, name == mode)
        show(self._size, mode == "size")
        show(self._value, False)
        self._start(None)
        text = _HELP[mode].format(w=self._bench.position.board.words, n=NBSP)
        self._help.value = f'<p class="ldv-empty">{escape(text)}</p>'
        if mode == "marker":
            self._marker_changed()

    # -- markers --------------------------------------------------------------------------------------------------

    def _marker_changed(self) -> None:
        kind = self._palettes["marker"].value
        values = self._marker_values(kind) if kind else ()
        if kind == "fortification":
            options: list[tuple[str, Any]] = [(table_term(self._bench.game, "fortifications", v), v) for v in values]
        else:
            options = [("oui" if v is True else str(v), v) for v in values]
        self._value.options = options
        if options:
            self._value.index = 0
        show(self._value, len(options) > 1 and self._mode.value == "marker")

    def _marker_values(self, kind: str) -> tuple[Any, ...]:
        """Values that a marker takes: those the free board offers, and those the game's positions bring."""
        if kind not in self._values:
            rulebook, known = self._bench.game, dict(self._bench.kit.markers)
            if kind == "fortification":
                self._values[kind] = tuple(rulebook.tables["fortifications"].rows)
                return self._values[kind]
            values = list(known.get(kind, ()))
            for name in rulebook.positions():
                values += [v for v in rulebook.position(name).markers.get(kind, {}).values() if v is not None]
            values = [v for i, v in enumerate(values) if not any(v == w and type(v) is type(w) for w in values[:i])]
            if not known.get(kind) and values and all(type(v) is int for v in values):
                top = max(values)
                values = list(range(0, 105, 5)) if top > 12 else list(range(1, max(3, top) + 1))
            self._values[kind] = tuple(values) or (True,)
        return self._values[kind]

    # -- clicks ---------------------------------------------------------------------------------------------------

    def click(self, cell: str, piece: str | None = None) -> str | None:
        """What a click on a cell does; the cell to mark as chosen, if any."""
        mode, position = self._mode.value, self._bench.position
        if mode in ("terrain", "level"):
            self._bench.change(paint(position, f"{mode}:{self._palettes[mode].value}", cell))
        elif mode == "marker":
            self._bench.change(self._marked(cell))
        elif mode in ("side", "way", "join"):
            start = self._from
            self._start(cell)
            if start is None or start == cell:
                return cell
            if mode == "way":
                self._bench.change(join(position, self._palettes["way"].value, start, cell))
                return cell
            self._start(None)
            if mode == "side":
                if cell not in position.grid.neighbours(start):
                    raise PositionError(f"{start} et {cell} ne se touchent pas.", remedy="Choisissez deux voisins.")
                self.edge(position.canonical_side(f"{start}/{cell}"))
            else:
                self._join(start, cell)
        return None

    def _start(self, cell: str | None) -> None:
        """A first cell is chosen: its sides are offered by name, those at the rim of the board too."""
        self._from = cell
        named = cell is not None and self.edges
        show(self._by_name, named)
        if cell is not None and named:
            self._which.options = sides_of(self._bench.position, cell)
            self._which.index = 0

    def _marked(self, cell: str) -> dict[str, Any]:
        kind, position = self._palettes["marker"].value, self._bench.position
        if not kind:
            return paint(position, "clear:", cell)
        value = self._value.value
        there = position.marker(kind, cell)
        return {f"marker.{kind}.{cell}": None if there == value and type(there) is type(value) else value}

    def edge(self, side: str) -> None:
        """What a click on a side does."""
        if self._mode.value == "way":
            self._bench.change(self._crossed(side))
            return
        value = self._palettes["side"].value or None
        there = self._bench.position.read(f"side.{side}")
        self._bench.change({f"side.{side}": None if there == value else value})

    def _crossed(self, side: str) -> dict[str, Any]:
        """Changes that carry the way across a side, which may be at the edge of the board, or take it away there."""
        position, kind = self._bench.position, self._palettes["way"].value
        grid: Any = position.grid
        one, other = split_side(side)
        arms = {a: grid.direction(a, b) for a, b in ((one, other), (other, one)) if a in grid}
        have = {cell: set(position.ways.get(kind, {}).get(cell, ())) for cell in arms}
        joined = all(arm in have[cell] for cell, arm in arms.items())
        return {
            f"way.{kind}.{cell}": sorted(have[cell] - {arm} if joined else have[cell] | {arm}) or None
            for cell, arm in arms.items()
        }

    def _join(self, start: str, end: str) -> None:
        position = self._bench.position
        if position.grid.distance(start, end) != 1:
            raise PositionError(f"{start} et {end} ne se touchent pas.", remedy="Choisissez deux voisins.")
        groups = [set(group) for group in position.data().get("joined", [])]
        own = [group for group in groups if group & {start, end}]
        rest = [group for group in groups if not group & {start, end}]
        if any({start, end} <= group for group in own):
            rest += [group - {end} for group in own if len(group) > 2]
        else:
            rest.append({start, end}.union(*own))
        self._bench.edit(joined=[sorted(group, key=position.grid.cells.index) for group in rest])

    def refresh(self) -> None:
        """Show the size of the board as it stands."""
        spec = self._bench.spec()
        if spec.columns[0] in self._c1.options and spec.columns[1] in self._c2.options:
            self._c1.value, self._c2.value = spec.columns
        self._r1.value, self._r2.value = spec.rows
        if spec.kind in [k for _, k in self._kind.options]:
            self._kind.value = spec.kind


def sides_of(position: Position, cell: str) -> list[tuple[str, str]]:
    """The sides of a cell, each told by where it lies and by the cell behind it.

    >>> from tutor.core.registry import load_position
    >>> sides_of(load_position("combat_commander", "livret-ldv"), "A1")[0]
    ('en haut, bord du plateau', 'A0/A1')
    """
    grid: Any = position.grid
    x, y = grid.plane(grid.centre(cell))
    sides = []
    for direction in range(1, 5 if position.board.kind == "square" else 7):
        side = grid.side(cell, direction)
        (ax, ay), (bx, by) = (grid.plane(point) for point in grid.side_points(side))
        across, down = (ax + bx) / 2 - x, (ay + by) / 2 - y
        words = [
            word
            for word, far in (("haut", -down), ("bas", down), ("à gauche", -across), ("à droite", across))
            if far > _ASIDE
        ]
        behind = next(one for one in split_side(side) if one != cell)
        towards = f"vers {behind}" if behind in grid else "bord du plateau"
        where = " ".join(words).removeprefix("à ") if words[0] in ("à gauche", "à droite") else "en " + " ".join(words)
        sides.append((f"{where if where.startswith('en') else 'à ' + where}, {towards}", side))
    return sides


def _level(level: int) -> str:
    return f"Niveau {level}" if level < 10 else f"{level}{NBSP}m"
