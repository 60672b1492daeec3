"""The board: a widget like another, state in Python, typed events out, one small message for each repaint.

>>> from tutor import load_position
>>> board = Board(load_position("combat_commander", "livret-ldv"))
>>> board.select("J9")
>>> board.layers
(Selection(hexes=('J9',), chosen=True),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar

import ipywidgets as ipw
import traitlets as t

from tutor.core.drawing import Shape
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.trace import Place
from widgets.board import layouts
from widgets.board.bridge import Bridge
from widgets.board.counters.layout import stacks
from widgets.board.counters.lens import Lens, lens, opens
from widgets.board.drawn_ground import drawn_ground
from widgets.board.errors import guarded
from widgets.board.events import Event
from widgets.board.grounds import beyond_cells, drawable, ground_address, ground_facts, served_grounds
from widgets.board.layers import Cursor, Layer, Selection
from widgets.board.paint.labels import thins
from widgets.board.paint.places import place_paths
from widgets.board.paint.shapes import View
from widgets.board.paint.svg_writer import path_data
from widgets.board.painter import CANVASES, OVER, PIECES, TERRAIN, UNDER, Painter
from widgets.board.palette import Palette, palette
from widgets.board.pointer import KeyboardCursor, Pointer
from widgets.board.svg import board_svg
from widgets.board.text_twin import hex_text, keys_text, twin_html
from widgets.board.viewport import NARROW, Viewport

E = TypeVar("E", bound=Event)
_numbers = count(1)
#: Keys of a board that fits its place, besides those of all.
NEARER = "Plus et moins pour s’approcher ou s’éloigner, zéro pour revenir."
_GROUND = ("board", "levels", "terrain", "joined", "sides", "ways", "silhouettes")


class Board(ipw.VBox):  # type: ignore[misc]
    """A live board: a widget that sits in any box.

    Args:
        position: the situation shown.
        layers: what lies over it at first.
        size: greatest width, in CSS pixels (740 to 860 suit a desktop page), of a board that is not ``whole``.
        height: greatest height of one, in CSS pixels.
        label: name for screen readers; the position's title when empty.
        drag: pieces may be dragged: all (True), none (False), or those whose ids are given.
        bridge: that of its page, which other boards share; its own when None.
        whole: the board fits the place it has, whatever its size; else it is cropped on a phone.
        edges: a click near a side gives ``EdgeClicked`` instead of ``HexClicked``; ``rim``: near one of the edge too.

    Traits: ``position`` and ``label`` may be set and observed, as may ``layers`` (all of them, in painting order) and
    ``selected`` (names of the cells marked as chosen). A repaint touches what changed, and that alone.

    Handlers of events run while the board holds its paint: what they change appears as one message, and what they
    pass to ``later`` (panels) is done after it.
    """

    position = t.Instance(Position)
    layers = t.Tuple()
    selected = t.Tuple()
    label = t.Unicode("")

    def __init__(
        self,
        position: Position,
        layers: Iterable[Layer] = (),
        *,
        size: int = 820,
        height: int = 800,
        label: str = "",
        drag: bool | Iterable[str] = False,
        whole: bool = False,
        edges: bool = False,
        bridge: Bridge | None = None,
    ) -> None:
        self.id = str(next(_numbers))
        self.edges, self.rim = edges, False
        #: The cell whose stack is open, and whether it stays open when the pointer leaves it.
        self.opened: str | None = None
        self._stays = False
        self._drag: bool | frozenset[str] = drag if isinstance(drag, bool) else frozenset(drag)
        self._slots: dict[str, tuple[Layer, ...]] = {"base": tuple(layers)} if layers else {}
        self._handlers: dict[type[Event], tuple[Callable[[Any], object], ...]] = {}
        self._holds = 0
        self._later: list[Callable[[], object]] = []
        self._sentences: tuple[str, ...] = ()
        self._without_picture = False
        self._own_bridge = bridge is None
        self.bridge = bridge or Bridge()
        self.viewport = Viewport(
            position.grid, (size, height), len(CANVASES), self._resized, self._moved, self._scroll, whole
        )
        self.canvas = self.viewport.canvas
        self.canvas.add_class(f"ldv-b-{self.id}")
        self.painter = Painter(self, self.canvas)
        self.pointer = Pointer(self, self.canvas)
        self.keyboard = KeyboardCursor(self, self.canvas, self.pointer)
        self.twin = layouts.text(twin_html(position))
        super().__init__(
            [self.viewport.window, self.viewport.bar, self.twin, self.bridge],
            layout=layouts.plain(),
            position=position,
            layers=self._gathered,
            label=label,
        )
        self.add_class("ldv-board")
        self._shaped = ""
        self._shape()
        self.canvas.on_client_ready(guarded(self._client_ready))
        self.observe(self._take_position, "position")
        self.observe(self._take_layers, "layers")
        self.observe(self._take_selected, "selected")
        self.observe(lambda _: self._register(), "label")
        self.bridge.listen(self.id, self._from_page)
        self._register()

    def text_apart(self) -> ipw.HTML:
        """Its text, for who shows it elsewhere than below the board."""
        self.children = (self.viewport.window, self.viewport.bar, self.bridge)
        return self.twin

    def leave(self) -> None:
        """Leave the page: the bridge speaks of this board no more."""
        self.bridge.forget(self.id)

    def close(self) -> None:
        """Leave the page for good."""
        self.leave()
        if self._own_bridge:
            self.bridge.close()
        super().close()

    # -- state ----------------------------------------------------------------------------------------------------

    @property
    def drawing_view(self) -> View:
        """How the board lies on the page now."""
        return self.viewport.view

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What the game says is there."""
        return game(self.position.game).shapes(self.position)

    @property
    def colours(self) -> Palette:
        """The palette of the page's theme."""
        return palette("dark" if self.dark else "light")

    @property
    def dark(self) -> bool:
        """Whether the page is dark."""
        return self.bridge.dark

    @property
    def pictured(self) -> bool:
        """Whether the page lays a picture of the ground under the board; else the ground is painted with the rest."""
        if self._without_picture:
            return False
        return bool(ground_address(self.position, self.dark)) if served_grounds() else drawable(self.position)

    @property
    def dragged(self) -> str | None:
        """Id of the piece that is being dragged."""
        return self.pointer.dragged if self.pointer.ghost else None

    @property
    def ghost(self) -> tuple[float, float] | None:
        """Where the dragged piece is, in CSS pixels."""
        return self.pointer.ghost

    def show(self, slot: str, *layers: Layer) -> None:
        """Replace what a slot holds (nothing: empty it); only the canvases concerned are repainted."""
        before = self._slots.get(slot, ())
        if before == layers:
            return
        self._slots.pop(slot, None)
        if layers:
            self._slots[slot] = layers
        with self.hold():
            self._publish_layers()
            self._touch_layers((*before, *layers))
            if self.dragged is None:
                self.viewport.follow(layers)

    def slot(self, name: str) -> tuple[Layer, ...]:
        """What a slot holds."""
        return self._slots.get(name, ())

    def clear(self, *slots: str) -> None:
        """Empty slots; all of them when none is named."""
        with self.hold():
            for name in slots or tuple(self._slots):
                self.show(name)

    def select(self, *hexes: str) -> None:
        """Mark hexes as chosen."""
        self.show("selection", *((Selection(hexes, chosen=True),) if hexes else ()))

    def open_stack(self, cell: str | None, peek: bool = False) -> None:
        """Open the stack of a cell under a lens; what bears no stack, or None, closes the one that is open.

        Args:
            peek: for as long as the pointer is over the cell; a stack that was opened to stay is left alone.
        """
        if peek and self._stays:
            return
        cell = cell if opens(self.position, cell) else None
        self._stays = cell is not None and not peek
        if cell != self.opened:
            self.opened = cell
            self._touch(OVER)

    @property
    def lens(self) -> Lens | None:
        """The open stack as it lies on the board."""
        return lens(self.position, self.drawing_view, self.opened) if self.opened else None

    def let_drag(self, drag: bool | Iterable[str]) -> None:
        """Say which pieces may be dragged."""
        self._drag = drag if isinstance(drag, bool) else frozenset(drag)
        self._register()

    def movable(self, piece: str) -> bool:
        """Whether a piece may be dragged."""
        return self._drag if isinstance(self._drag, bool) else piece in self._drag

    def describe(self, sentences: Iterable[str], announce: bool = True) -> None:
        """Put a result's sentences into the text twin; the first is announced to screen readers."""
        self._sentences = tuple(sentences)
        self.later(self._write_twin)
        if announce and self._sentences:
            self.bridge.say(self._sentences[0])

    def outline(self, places: Iterable[Place]) -> str:
        """SVG path data of places in the board's pixels, for highlights that the page draws by itself."""
        closed, lines = place_paths(places, self.position, self.drawing_view)
        return path_data(closed) + path_data(lines, closed=False)

    def svg(self) -> str:
        """The board as it stands, as an SVG picture that needs nothing else."""
        return board_svg(self.position, self.layers, ground="inline")

    def aim(self, cells: Iterable[str], frame: Iterable[str] = ()) -> None:
        """Bring hexes into a phone's crop, now or when there is one; a large board that fits its place opens on them, and
        on those of its ``frame``.
        """
        self.viewport.aim((*cells, *frame) if self.viewport.whole else cells)

    # -- events ---------------------------------------------------------------------------------------------------

    def on(self, event: type[E], handler: Callable[[E], object]) -> Callable[[], None]:
        """Call ``handler`` for each event of a type; what it raises is shown to the reader.

        Returns:
            A function that ends it; called twice, it does no more.
        """
        calls: Callable[[Any], object] = handler
        heard = guarded(calls)
        self._handlers[event] = (*self._handlers.get(event, ()), heard)

        def off() -> None:
            self._handlers[event] = tuple(one for one in self._handlers[event] if one is not heard)

        return off

    def emit(self, event: Event) -> None:
        """Send an event to its handlers, as if the reader had done it (ordinary controls use this)."""
        for handler in self._handlers.get(type(event), ()):
            handler(event)

    def warn(self, sentence: str) -> None:
        """Show a sentence in the page's alert region; an empty one clears it."""
        self.bridge.warn(sentence)

    def say_cell(self, cell: str) -> None:
        """Have a screen reader hear what a cell holds."""
        self.bridge.say(hex_text(self.position, cell))

    # -- painting -------------------------------------------------------------------------------------------------

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Changes made inside are painted together, as one message."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._paint()
            self._catch_up()

    def later(self, work: Callable[[], object]) -> None:
        """Do ``work`` (verdict, steps, odds) once what is being changed has been painted: the board comes first."""
        self._later.append(guarded(work))
        self._catch_up()

    def repaint(self) -> None:
        """Paint everything again."""
        self._touch(*CANVASES)

    def repaint_drag(self, first: bool) -> None:
        """Paint a dragged piece where it is; ``first``: it has just left, or come back to, its place."""
        self._touch(*((PIECES, OVER) if first else (OVER,)))

    def _catch_up(self) -> None:
        while self._later and not self._holds:
            self._later.pop(0)()

    def _client_ready(self, *_: Any) -> None:
        self.painter.ready = True
        self.bridge.turns.take(guarded(self.repaint))
        if not served_grounds():  # the counters first: the ground is yet to be drawn
            self.later(self._register)

    def _touch(self, *names: str) -> None:
        self.painter.touch(*names)
        self._paint()

    def _touch_layers(self, layers: Iterable[Layer]) -> None:
        plain = all(isinstance(layer, Cursor) for layer in layers)
        self._touch(*((OVER,) if plain else (UNDER, OVER)))

    def _paint(self) -> None:
        if not self._holds:
            self.painter.paint()

    # -- traits ---------------------------------------------------------------------------------------------------

    @property
    def _gathered(self) -> tuple[Layer, ...]:
        """Every layer, slot by slot."""
        return tuple(layer for slot in self._slots.values() for layer in slot)

    def _publish_layers(self) -> None:
        self.layers = self._gathered
        self.selected = tuple(
            h for layer in self.slot("selection") if isinstance(layer, Selection) for h in layer.hexes
        )

    def _take_layers(self, change: Any) -> None:
        """Layers set from outside replace what every slot held."""
        if change["new"] == self._gathered:
            return
        self._slots = {"base": change["new"]} if change["new"] else {}
        with self.hold():
            self._publish_layers()
            self._touch_layers((*change["old"], *change["new"]))
        self.viewport.follow(change["new"])

    def _take_selected(self, change: Any) -> None:
        self.select(*change["new"])

    def _take_position(self, change: Any) -> None:
        before, position = change["old"], change["new"]
        if position.grid != before.grid:
            self.viewport.take_grid(position.grid)
            self._shape()
            self.later(self._write_twin)
            return
        dirty: set[str] = set()
        if any(getattr(position, name) != getattr(before, name) for name in _GROUND):
            dirty |= {TERRAIN, OVER}
        if position.markers != before.markers:
            dirty |= {UNDER, OVER}
        if position.pieces != before.pieces:
            dirty |= {PIECES, OVER, TERRAIN} if thins(self.drawing_view) else {PIECES, OVER}
        self._touch(*dirty)
        self.later(self._register)
        self.later(self._write_twin)

    # -- the page -------------------------------------------------------------------------------------------------

    def _register(self) -> None:
        movable = (
            []
            if self._drag is False
            else [cell for p in self.position.pieces if self.movable(p.id) and (cell := self.position.hex_of(p.id))]
        )
        label = f"{self.label or self.position.title or 'Plateau'}. {keys_text(self.position)}"
        label += f" {NEARER}" if self.viewport.whole else ""
        facts = {**self.drawing_view.as_json(), "label": label, "movable": sorted(set(movable)), "narrow": NARROW}
        facts["whole"] = self.viewport.whole
        if self.viewport.whole:
            facts["camera"] = self.viewport.facts
        facts["counters"] = counters = sorted(stacks(self.position))
        facts["stacks"] = [cell for cell in counters if opens(self.position, cell)]
        if self.pictured:
            facts["ground"] = self._ground_facts()
        self.bridge.register(self.id, facts)

    def _ground_facts(self) -> dict[str, Any]:
        """Where the page finds the picture of the ground: at its server, or here, drawn once there is a page."""
        if served_grounds():
            return ground_facts(self.position, self.drawing_view, self.dark)
        if not self.painter.ready:
            return {}
        name = self.bridge.keep_ground(drawn_ground(self.position, self.dark))
        return {"src": name, "beyond": beyond_cells(self.position, self.drawing_view)}

    def _shape(self) -> None:
        """Let the page give a board that fits its place no more height than it fills."""
        shaped = f"ldv-shape-{self.viewport.shape}" if self.viewport.whole else ""
        if shaped != self._shaped:
            self.remove_class(self._shaped)
            self.add_class(shaped)
            self._shaped = shaped

    def _write_twin(self) -> None:
        self.twin.value = twin_html(self.position, self._sentences)

    def _from_page(self, message: dict[str, Any]) -> None:
        if message.get("type") == "redraw":
            self._register()
            self.repaint()
        elif message.get("type") == "no_ground" and str(message.get("board")) == self.id and self.pictured:
            self._without_picture = True
            self._register()
            self._touch(TERRAIN)
        elif message.get("type") == "camera" and str(message.get("board")) == self.id and self.viewport.whole:
            self._take_gesture(message)
        elif message.get("type") == "stack" and str(message.get("board")) == self.id:
            cell = message.get("cell")
            self.open_stack(cell if isinstance(cell, str) else None, peek=True)
        elif message.get("type") == "width" and str(message.get("board")) == self.id:
            self.viewport.take_size(int(message.get("width", 0)), int(message.get("height", 0)))
            (self.add_class if self.viewport.narrow else self.remove_class)("ldv-narrow")

    def _take_gesture(self, message: dict[str, Any]) -> None:
        """The reader comes nearer, moves the map, sees all of it, or goes back."""
        factor, at, to = message.get("factor"), message.get("at"), message.get("to")
        with self.hold():
            if isinstance(factor, (int, float)) and isinstance(at, list) and isinstance(to, list):
                self.viewport.look_nearer(float(factor), (float(at[0]), float(at[1])), (float(to[0]), float(to[1])))
            elif message.get("look") == "whole":
                self.viewport.look_whole()
            else:
                self.viewport.look_home()
        self.bridge.send({"type": "looked", "board": self.id})

    def _moved(self) -> None:
        """The picture first: the page lets go of what it showed meanwhile when it hears of the view."""
        self.repaint()
        self.later(self._register)

    def _resized(self) -> None:
        self._register()
        self.repaint()
        self.viewport.catch_up(self.layers)

    def _scroll(self, box: list[float]) -> None:
        self.bridge.send({"type": "follow", "board": self.id, "box": box})
