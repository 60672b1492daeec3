"""The board: state in Python, four canvases in one, typed events out, one small message for each repaint.

>>> from tutor import load_position
>>> board = Board(load_position("combat_commander", "livret-ldv"))
>>> board.show("selection", Selection(("J9",)))
>>> board.layers
(Selection(hexes=('J9',)),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar

import ipywidgets as ipw
from ipycanvas import MultiCanvas

from tutor.core.drawing import Shape
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.trace import Place
from widgets import plain
from widgets.bridge import bridge
from widgets.canvas import SCALE, frame, play, turns
from widgets.counters import paint_ghost, piece_at, pieces_drawing
from widgets.errors import guarded
from widgets.events import CursorMoved, EdgeClicked, Event, HexClicked, KeyPressed, Means, PieceDragged, PieceDropped
from widgets.layers import Cursor, Layer, Selection
from widgets.paint import Drawing, View, fitted
from widgets.paint_labels import RELIEF
from widgets.paint_layers import over_drawing, place_paths, under_drawing
from widgets.paint_terrain import terrain_drawing
from widgets.paint_ways import paint_markers
from widgets.palette import palette
from widgets.picture import board_svg
from widgets.svg import path_data
from widgets.text import hex_text, keys_text, twin_html

E = TypeVar("E", bound=Event)
TERRAIN, UNDER, PIECES, OVER = "terrain", "under", "pieces", "over"
CANVASES = (TERRAIN, UNDER, PIECES, OVER)
#: Below this width of its window, in CSS pixels, a board is drawn for a phone: larger, cropped, with two zoom steps.
NARROW = 560
#: Hex radii of the two zoom steps on a phone, in CSS pixels.
ZOOMS = (31.0, 46.0)
#: Height of a phone's crop, in CSS pixels.
CROP = 430
_numbers = count(1)
_GROUND = ("board", "levels", "terrain", "joined", "sides", "ways", "silhouettes")


class Board:
    """A live board.

    Args:
        position: the situation shown.
        layers: what lies over it at first (slot ``base``).
        size: greatest width, in CSS pixels (740 to 860 suit a desktop page).
        height: greatest height, in CSS pixels.
        label: name for screen readers; the position's title when empty.
        drag: pieces may be dragged: all (True), none (False), or those whose ids are given.
        edges: a click near a side gives ``EdgeClicked`` instead of ``HexClicked``; ``rim``: near one of the edge too.

    Handlers of events run while the board holds its paint: what they change appears as one message, and what they
    pass to ``later`` (panels) is done after it. Show ``board.view`` (or the board itself as the last line of a cell).
    """

    def __init__(
        self,
        position: Position,
        layers: Iterable[Layer] = (),
        *,
        size: int = 820,
        height: int = 800,
        label: str = "",
        drag: bool | Iterable[str] = False,
        edges: bool = False,
    ) -> None:
        self.id = str(next(_numbers))
        self.edges, self.rim, self.label, self._size = edges, False, label, (size, height)
        self._drag: bool | frozenset[str] = drag if isinstance(drag, bool) else frozenset(drag)
        self._position = position
        self._slots: dict[str, tuple[Layer, ...]] = {"base": tuple(layers)} if layers else {}
        self._handlers: dict[type[Event], list[Callable[[Any], None]]] = {}
        self._dirty: set[str] = set()
        self._held = 0
        self._later: list[Callable[[], object]] = []
        self._ready = False
        self._aim: tuple[str, ...] = ()
        self._pressed: tuple[str, str | None, tuple[float, float]] | None = None
        self._ghost: tuple[float, float] | None = None
        self._last = (0.0, 0.0)
        self._means: Means = "mouse"
        self._focus: str | None = None
        self._wide = self._view = fitted(position.grid, size, height)
        self._zoom: int | None = None
        self._window_width = 0
        self._drawn: dict[tuple[Any, ...], Drawing] = {}
        self._sentences: tuple[str, ...] = ()
        self._bridge = bridge()
        self._build()
        self._register()

    # -- widgets --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        view = self._view
        self.canvas = MultiCanvas(
            len(CANVASES), width=view.width * SCALE, height=view.height * SCALE, layout=self._canvas_layout()
        )
        self.canvas.add_class("ldv-canvas")
        self.canvas.add_class(f"ldv-b-{self.id}")
        self._sheets = {name: self.canvas[i] for i, name in enumerate(CANVASES)}
        self._closer = plain.button("+", "Agrandir le plateau")
        self._farther = plain.button("−", "Réduire le plateau")
        self._closer.on_click(guarded(lambda _: self._set_zoom((self._zoom or 0) + 1)))
        self._farther.on_click(guarded(lambda _: self._set_zoom((self._zoom or 0) - 1)))
        self._zoom_bar = plain.row(self._farther, self._closer)
        self._zoom_bar.add_class("ldv-zoom")
        self._window = ipw.Box([self.canvas])
        self._window.add_class("ldv-board-window")
        self.twin = plain.text(twin_html(self._position))
        self.view = plain.column(self._window, self._zoom_bar, self.twin, self._bridge)
        self.view.add_class("ldv-board")
        canvas = self.canvas
        canvas.on_client_ready(guarded(self._client_ready))
        canvas.on_mouse_down(guarded(self._mouse_down))
        canvas.on_mouse_move(guarded(self._move))
        canvas.on_mouse_up(guarded(self._up))
        canvas.on_touch_start(guarded(self._touch_start))
        canvas.on_touch_move(guarded(lambda touches: self._move(*touches[0]) if touches else None))
        canvas.on_touch_end(guarded(lambda _: self._up(*self._last)))
        canvas.on_touch_cancel(guarded(lambda _: self._release()))
        canvas.on_key_down(guarded(self._key))
        self._bridge.listen(self.id, self._from_page)

    def _canvas_layout(self) -> ipw.Layout:
        if self._zoom:
            return ipw.Layout(width=f"{self._view.width}px", min_width=f"{self._view.width}px", height="auto")
        return ipw.Layout(width="100%", max_width=f"{self._wide.width}px", height="auto")

    def close(self) -> None:
        """Leave the page: the bridge speaks of this board no more."""
        self._bridge.forget(self.id)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return self.view._repr_mimebundle_(**kwargs)

    # -- state ----------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The situation shown. Setting it repaints what changed, and that alone."""
        return self._position

    @position.setter
    def position(self, position: Position) -> None:
        before, self._position = self._position, position
        if position is before:
            return
        if position.grid != before.grid:
            self._wide = fitted(position.grid, *self._size)
            self._fit(self._window_width) if self._window_width else self._resize(self._wide)
            self.later(self._write_twin)
            return
        dirty: set[str] = set()
        if any(getattr(position, name) != getattr(before, name) for name in _GROUND):
            dirty.add(TERRAIN)
        if position.pieces != before.pieces or position.markers != before.markers:
            dirty.add(PIECES)
        if any(self._slots.values()):
            dirty |= {OVER} if PIECES in dirty else set()
        self._touch(*dirty)
        self.later(self._register)
        self.later(self._write_twin)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Everything that lies over the board, slot by slot."""
        return tuple(layer for slot in self._slots.values() for layer in slot)

    @property
    def drawing_view(self) -> View:
        """How the board lies on the page now."""
        return self._view

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What the game says is there."""
        return game(self._position.game).shapes(self._position)

    def show(self, slot: str, *layers: Layer) -> None:
        """Replace what a slot holds (nothing: empty it); only the canvases concerned are repainted."""
        if self._slots.get(slot, ()) == layers:
            return
        old = self._slots.pop(slot, ())
        if layers:
            self._slots[slot] = layers
        if any(not isinstance(layer, Cursor) for layer in (*old, *layers)):
            self._touch(UNDER, OVER)
        else:
            self._touch(OVER)
        self._follow(layers)

    def clear(self, *slots: str) -> None:
        """Empty slots; all of them when none is named."""
        with self.hold():
            for slot in slots or tuple(self._slots):
                self.show(slot)

    def select(self, *hexes: str) -> None:
        """Mark hexes as chosen."""
        self.show("selection", *((Selection(hexes),) if hexes else ()))

    def focus(self, cell: str | None) -> None:
        """Fan the stack of a hex (None: none)."""
        if cell != self._focus:
            self._focus = cell
            if len(self._position.pieces) > 1:
                self._touch(PIECES)

    def let_drag(self, drag: bool | Iterable[str]) -> None:
        """Say which pieces may be dragged."""
        self._drag = drag if isinstance(drag, bool) else frozenset(drag)
        self._register()

    def describe(self, sentences: Iterable[str], announce: bool = True) -> None:
        """Put a result's sentences into the text twin; the first is announced to screen readers."""
        self._sentences = tuple(sentences)
        self.later(self._write_twin)
        if announce and self._sentences:
            self._bridge.say(self._sentences[0])

    def outline(self, places: Iterable[Place]) -> str:
        """SVG path data of places in the board's pixels, for highlights that the page draws by itself."""
        closed, lines = place_paths(places, self._position, self._view)
        return path_data(closed) + path_data(lines, closed=False)

    def svg(self) -> str:
        """The board as it stands, as an SVG picture."""
        return board_svg(self._position, self.layers)

    # -- events ---------------------------------------------------------------------------------------------------

    def on(self, event: type[E], handler: Callable[[E], object]) -> None:
        """Call ``handler`` for each event of a type; what it raises is shown to the reader."""
        self._handlers.setdefault(event, []).append(guarded(handler))

    def emit(self, event: Event) -> None:
        """Send an event to its handlers, as if the reader had done it (ordinary controls use this)."""
        for handler in self._handlers.get(type(event), ()):
            handler(event)

    def _spot(self, x: float, y: float) -> tuple[float, float]:
        return x / SCALE, y / SCALE

    def _mouse_down(self, x: float, y: float) -> None:
        self._means = "mouse"
        self._down(x, y)

    def _touch_start(self, touches: list[tuple[float, float]]) -> None:
        if touches:
            self._means = "touch"
            self._down(*touches[0])

    def _down(self, x: float, y: float) -> None:
        self._last = (x, y)
        px, py = self._spot(x, y)
        cell = self._view.cell_at(px, py)
        if cell is None:
            return
        piece = piece_at(self._position, self._view, px, py, self._focus)
        if piece is not None and self._movable(piece):
            self._pressed = (piece, cell, (px, py))
            return
        self._click(px, py, cell, piece)

    def _click(self, px: float, py: float, cell: str, piece: str | None) -> None:
        self._bridge.warn("")
        side = self._view.side_at(px, py, rim=self.rim) if self.edges else None
        with self.hold():
            self.show("cursor")
            stack = [p for p in self._position.pieces_at(cell) if not p.carrier]
            self.focus(cell if len(stack) > 1 else None)
            self.emit(EdgeClicked(side, self._means) if side else HexClicked(cell, piece, self._means))

    def _move(self, x: float, y: float) -> None:
        if self._pressed is None:
            return
        self._last = (x, y)
        px, py = self._spot(x, y)
        _, _, (sx, sy) = self._pressed
        if self._ghost is None and abs(px - sx) + abs(py - sy) < 5:
            return
        first, self._ghost = self._ghost is None, (px, py)
        self._touch(*((PIECES, OVER) if first else (OVER,)))
        self.emit(PieceDragged(self._pressed[0], self._view.cell_at(px, py)))

    def _up(self, x: float, y: float) -> None:
        if self._pressed is None:
            return
        piece, start, _ = self._pressed
        px, py = self._spot(x, y)
        dragged, cell = self._ghost is not None, self._view.cell_at(px, py)
        with self.hold():
            self._release()
            if not dragged and start is not None:
                self._click(px, py, start, piece)
            elif cell is not None and start is not None and cell != start:
                self._bridge.warn("")
                self.emit(PieceDropped(piece, start, cell, self._means))

    def _release(self) -> None:
        if self._ghost is not None:
            self._ghost = None
            self._touch(PIECES, OVER)
        self._pressed = None

    def _movable(self, piece: str) -> bool:
        return self._drag if isinstance(self._drag, bool) else piece in self._drag

    def _key(self, key: str, *_: bool) -> None:
        cursor = next((layer.hex for layer in self._slots.get("cursor", ()) if isinstance(layer, Cursor)), None)
        if key in ("Enter", " "):
            if cursor is not None:
                self._bridge.warn("")
                with self.hold():
                    self.emit(HexClicked(cursor, None, "keyboard"))
            else:
                self._move_cursor(self._first_cell())
        elif key == "Escape":
            with self.hold():
                self._release()
                self.show("cursor")
                self.emit(KeyPressed("Escape"))
        elif key.startswith("Arrow") or key in ("Home", "End"):
            known = cursor is not None or key in ("Home", "End")
            self._move_cursor(self._step(cursor or self._first_cell(), key) if known else self._first_cell())

    def _first_cell(self) -> str:
        chosen = [cell for layer in self.layers if isinstance(layer, Selection) for cell in layer.hexes]
        cells = self._position.grid.cells
        return chosen[-1] if chosen else cells[len(cells) // 2]

    def _step(self, cell: str, key: str) -> str:
        grid = self._position.grid
        column, row = grid.coords(cell)
        moves = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}
        if key in ("Home", "End"):
            return grid.cells[0 if key == "Home" else -1]
        dc, dr = moves.get(key, (0, 0))
        found = grid.name(column + dc, row + dr)
        return found if found in grid else cell

    def _move_cursor(self, cell: str) -> None:
        with self.hold():
            self.show("cursor", Cursor(cell))
            self.emit(CursorMoved(cell))
        self._bridge.say(hex_text(self._position, cell))

    # -- painting -------------------------------------------------------------------------------------------------

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Changes made inside are painted together, as one message."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            self._paint()
            self._catch_up()

    def later(self, work: Callable[[], object]) -> None:
        """Do ``work`` (verdict, steps, odds) once what is being changed has been painted: the board comes first."""
        self._later.append(guarded(work))
        self._catch_up()

    def _catch_up(self) -> None:
        while self._later and not self._held:
            self._later.pop(0)()

    def repaint(self) -> None:
        """Paint everything again."""
        self._touch(*CANVASES)

    def _client_ready(self, *_: Any) -> None:
        self._ready = True
        turns.take(guarded(self.repaint))

    def _touch(self, *names: str) -> None:
        self._dirty.update(names)
        self._paint()

    def _paint(self) -> None:
        if self._held or not self._dirty or not self._ready:
            return
        dirty, self._dirty = self._dirty, set()
        with frame():
            for name in CANVASES:
                if name in dirty:
                    play(self._draw(name), self._sheets[name])

    def _draw(self, name: str) -> Drawing:
        position, view, colours = self._position, self._view, palette("dark" if self._bridge.dark else "light")
        labels = view.radius >= 26
        if name == TERRAIN:
            ground = tuple(s for s in self.shapes if s.layer != "marker")
            key = (ground, view, colours.paper, labels, str([position.markers.get(kind) for kind in RELIEF]))
            if key not in self._drawn:
                self._drawn = {key: terrain_drawing(position, ground, view, colours, labels)}
            return self._drawn[key]
        if name == UNDER:
            return under_drawing(self.layers, view, colours)
        if name == PIECES:
            drawing = Drawing()
            paint_markers(drawing, [s for s in self.shapes if s.layer == "marker"], view, colours)
            drawing.extend(
                pieces_drawing(
                    position, view, colours, self._focus, self._pressed[0] if self._pressed and self._ghost else None
                )
            )
            return drawing
        drawing = over_drawing(self.layers, position, view, colours, labels)
        if self._ghost and self._pressed:
            paint_ghost(drawing, position, self._pressed[0], self._ghost, view, colours)
        return drawing

    # -- the page -------------------------------------------------------------------------------------------------

    def _register(self) -> None:
        movable = (
            []
            if self._drag is False
            else [cell for p in self._position.pieces if self._movable(p.id) and (cell := self._position.hex_of(p.id))]
        )
        label = f"{self.label or self._position.title or 'Plateau'}. {keys_text(self._position)}"
        facts = {**self._view.as_json(), "label": label, "movable": sorted(set(movable)), "narrow": NARROW}
        self._bridge.register(self.id, facts)

    def _write_twin(self) -> None:
        self.twin.value = twin_html(self._position, self._sentences)

    def _from_page(self, message: dict[str, Any]) -> None:
        if message.get("type") == "redraw":
            self.repaint()
        elif message.get("type") == "width" and str(message.get("board")) == self.id:
            self._fit(int(message.get("width", 0)))

    def _fit(self, width: int) -> None:
        """Take the width of the board's window: below ``NARROW``, draw for a phone."""
        self._window_width = width
        narrow = 0 < width < NARROW
        (self.view.add_class if narrow else self.view.remove_class)("ldv-narrow")
        if not narrow:
            self._zoom = None
            self._resize(self._wide)
        else:
            fit = fitted(self._position.grid, width, 10_000)
            self._set_zoom(self._zoom if self._zoom is not None else (1 if fit.radius < ZOOMS[0] else 0))

    def _set_zoom(self, zoom: int) -> None:
        """0: the whole board in the window; 1, 2: larger, cropped."""
        self._zoom = max(0, min(len(ZOOMS), zoom))
        fit = fitted(self._position.grid, self._window_width or self._wide.width, 10_000)
        self._closer.disabled, self._farther.disabled = self._zoom == len(ZOOMS), self._zoom == 0
        radius = ZOOMS[self._zoom - 1] if self._zoom else fit.radius
        self._resize(View(self._position.grid, max(radius, fit.radius)))

    def _resize(self, view: View) -> None:
        cropped = bool(self._zoom) and view.width > self._window_width
        (self._window.add_class if cropped else self._window.remove_class)("is-zoomed")
        self._window.layout.max_height = f"{CROP}px" if cropped else None
        self._view = view
        self.canvas.layout = self._canvas_layout()
        self.canvas.width, self.canvas.height = view.width * SCALE, view.height * SCALE
        self._register()
        self.repaint()
        if cropped:
            self._follow(self.layers) if not self._aim else self.aim(self._aim)

    def _follow(self, layers: Iterable[Layer]) -> None:
        """On a phone, bring what the layers speak of into the crop."""
        cells: list[str] = []
        for layer in layers if self._zoom else ():
            cells += getattr(layer, "hexes", ()) or [
                c for c in (getattr(layer, n, None) for n in ("start", "end", "hex", "target")) if c
            ]
        if cells:
            self.aim(cells)

    def aim(self, cells: Iterable[str]) -> None:
        """Bring hexes into a phone's crop, now or when there is one."""
        self._aim = () if self._zoom else tuple(cells)
        points = [self._view.centre(c) for c in cells if c in self._position.grid] if self._zoom else []
        if points:
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            self._bridge.send({"type": "follow", "board": self.id, "box": [min(xs), min(ys), max(xs), max(ys)]})
