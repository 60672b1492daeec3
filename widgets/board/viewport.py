"""How a board lies in its window: whole on a desktop; larger and cropped on a phone, with zoom steps; or, where it fits
its place, as the reader looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil

import ipywidgets as ipw
from ipycanvas import MultiCanvas

from tutor.core.grid import Grid
from widgets.board import layouts
from widgets.board.camera import holding, is_large, moved, opening_view
from widgets.board.canvas import SCALE
from widgets.board.errors import guarded
from widgets.board.layers import Layer
from widgets.board.paint.shapes import XY, View, fitted

#: Below this width of its window, in CSS pixels, a board is drawn for a phone: larger, cropped, with two zoom steps.
NARROW = 560
#: Hex radii of the zoom steps on a phone, in CSS pixels.
ZOOMS = (31.0, 46.0)
#: A board that is to be whole is enlarged by the browser up to this part of its size, and drawn anew beyond; it is made
#: smaller by less: its letters have the least size that is read already.
SCALED, SHRUNK = 0.12, 0.02
#: Height of a phone's crop, in CSS pixels.
CROP = 430
#: A phone's width with all the height that a board may want, in CSS pixels.
ROOMY = (378, 10_000)
#: A phone's place: a board that fits its place has this one until the page says which. It is drawn twice on a desktop, and
#: a browser without a graphics card takes six times as long for a desktop's pixels.
UNTOLD = (378, 342)
#: Hexes of a layer that are followed, at most: a heat map of the whole board moves nobody.
FOLLOWED = 12


class Viewport:
    """The window of a board and its zoom bar.

    Args:
        canvas: what is shown in the window.
        grid: of the board.
        size: greatest width and height, in CSS pixels, of a board that is not ``whole``.
        changed: called once the canvas has another size.
        moved: called when another part of the board is seen, on a canvas of the same size.
        scroll: called with a box (left, top, right, bottom, in CSS pixels) that is to be seen.
        whole: the board fits its window, whatever its size; the reader may come nearer.
    """

    def __init__(
        self,
        grid: Grid,
        size: tuple[int, int],
        canvases: int,
        changed: Callable[[], object],
        moved: Callable[[], object],
        scroll: Callable[[list[float]], object],
        whole: bool = False,
    ) -> None:
        self.whole = whole
        self._grid, self._size = grid, UNTOLD if whole else size
        self._changed, self._moved, self._scroll = changed, moved, scroll
        self._at_home = True
        self._wide = self.view = fitted(grid, *self._size)
        self.zoom: int | None = None
        self._width = 0
        self._aim: tuple[str, ...] = ()
        view = self.view
        self.canvas = MultiCanvas(
            canvases, width=view.width * SCALE, height=view.height * SCALE, layout=ipw.Layout(**self._measures)
        )
        self.canvas.add_class("ldv-canvas")
        self.closer = layouts.button("+", "Agrandir le plateau")
        self.farther = layouts.button("−", "Réduire le plateau")
        self.closer.on_click(guarded(lambda _: self.set_zoom((self.zoom or 0) + 1)))
        self.farther.on_click(guarded(lambda _: self.set_zoom((self.zoom or 0) - 1)))
        self.bar = layouts.row(self.farther, self.closer)
        self.bar.add_class("ldv-zoom")
        self.window = ipw.Box([self.canvas])
        self.window.add_class("ldv-board-window")

    @property
    def narrow(self) -> bool:
        """Whether the window is a phone's."""
        return 0 < self._width < NARROW and not self.whole

    def take_grid(self, grid: Grid) -> None:
        """Show another grid."""
        self._grid, self._wide, self._aim, self._at_home = grid, fitted(grid, *self._size), (), True
        if self._width:
            self.take_width(self._width)
        else:
            self._resize(self._wide)

    def take_size(self, width: int, height: int) -> None:
        """Take the size of the window, in CSS pixels; only a board that is to be whole looks at its height."""
        if not self.whole:
            self.take_width(width)
            return
        if width < 1 or height < 1:
            return
        self._size = (width, height)
        self._wide = fitted(self._grid, width, height)
        if self._at_home:
            self._look(self.home)
        elif self.view.crop is not None:
            middle = self.view.width / 2, self.view.height / 2
            self._look(moved(self.view, self._size, 1.0, middle, (width / 2, height / 2)))

    def take_width(self, width: int) -> None:
        """Take the width of the window, in CSS pixels: below ``NARROW``, draw for a phone."""
        self._width = width
        if not self.narrow:
            self.zoom = None
            self._resize(self._wide)
        else:
            fit = fitted(self._grid, width, 10_000)
            self.set_zoom(self.zoom if self.zoom is not None else (1 if fit.radius < ZOOMS[0] else 0))

    def set_zoom(self, zoom: int) -> None:
        """Zoom: 0, the whole board in the window; 1, 2: larger, cropped."""
        self.zoom = max(0, min(len(ZOOMS), zoom))
        fit = fitted(self._grid, self._width or self._wide.width, 10_000)
        layouts.allow(self.closer, self.zoom < len(ZOOMS))
        layouts.allow(self.farther, self.zoom > 0)
        radius = ZOOMS[self.zoom - 1] if self.zoom else fit.radius
        self._resize(View(self._grid, max(radius, fit.radius)))

    @property
    def shape(self) -> int:
        """Height of a board that opens whole for 100 of its width, by steps of 5; 0 for one that fills its place."""
        whole = fitted(self._grid, *ROOMY)
        return 0 if is_large(self._grid) else min(150, max(30, 5 * ceil(20 * whole.height / whole.width)))

    @property
    def home(self) -> View:
        """Where a board that fits its place opens."""
        return opening_view(self._grid, self._size, self._aim)

    @property
    def facts(self) -> dict[str, object]:
        """What the page offers to who looks at a board that fits its place: nearer, all of it, back to its frame."""
        cropped, named = self.view.crop is not None, list(self._aim)
        return {"cropped": cropped, "home": self._at_home, "framed": self.home.crop is not None, "named": named}

    def look_nearer(self, factor: float, at: XY, to: XY) -> None:
        """Enlarge a board that fits its place by a factor, what was at a pixel being at another."""
        view = moved(self.view, self._size, factor, at, to)
        self._at_home = view.crop is None and self.home.crop is None
        self._look(view)

    def look_home(self) -> None:
        """See a board that fits its place as it opened."""
        self._at_home = True
        self._look(self.home)

    def look_whole(self) -> None:
        """See all of a board that fits its place."""
        self._at_home = self.home.crop is None
        self._look(self._wide)

    def _look(self, view: View) -> None:
        """Lay the board as a view says; what is whole and differs little is scaled by the browser."""
        whole = view.crop is None and self.view.crop is None and view.grid == self.view.grid
        if view == self.view or (whole and abs(view.radius - self.view.radius) <= SCALED * self.view.radius):
            return
        if (view.width, view.height) != (self.view.width, self.view.height):
            self._resize(view)
        else:
            self.view = view
            self._moved()

    def follow(self, layers: Iterable[Layer]) -> None:
        """Bring what layers speak of into what is seen, where that is a part of the board."""
        cells: list[str] = []
        for layer in layers if self.zoom or self.view.crop else ():
            named = tuple(getattr(layer, "hexes", ())) or tuple(
                c for c in (getattr(layer, n, None) for n in ("start", "end", "hex", "target")) if c
            )
            cells += named if self.zoom or len(named) <= FOLLOWED else ()
        if cells and self.whole:
            self._look(holding(self.view, self._size, cells))
        elif cells:
            self.aim(cells)

    def aim(self, cells: Iterable[str]) -> None:
        """Bring hexes into a phone's crop, now or when there is one; a board that fits its place opens on them."""
        if self.whole:
            self._aim = tuple(dict.fromkeys(cells))
            self.look_home()
            return
        self._aim = () if self.zoom else tuple(cells)
        points = [self.view.centre(c) for c in cells if c in self._grid] if self.zoom else []
        if points:
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            self._scroll([min(xs), min(ys), max(xs), max(ys)])

    def catch_up(self, layers: Iterable[Layer]) -> None:
        """Once resized, bring what was aimed at, or what layers speak of, into the crop."""
        if self._cropped:
            self.aim(self._aim) if self._aim else self.follow(layers)

    @property
    def _cropped(self) -> bool:
        return bool(self.zoom) and self.view.width > self._width

    @property
    def _measures(self) -> dict[str, str | None]:
        """Of the canvas on its page."""
        if self.whole:
            return {"width": "auto", "height": "auto", "max_width": "100%", "max_height": "100%"}
        if self.zoom:
            width = f"{self.view.width}px"
            return {"width": width, "min_width": width, "max_width": None, "height": "auto"}
        return {"width": "100%", "min_width": None, "max_width": f"{self._wide.width}px", "height": "auto"}

    def _resize(self, view: View) -> None:
        self.view = view
        cropped = self._cropped
        (self.window.add_class if cropped else self.window.remove_class)("is-zoomed")
        self.window.layout.max_height = f"{CROP}px" if cropped else None
        with self.canvas.layout.hold_sync():  # one layout: another would stay for as long as the kernel lives
            for name, measure in self._measures.items():
                setattr(self.canvas.layout, name, measure)
        self.canvas.width, self.canvas.height = view.width * SCALE, view.height * SCALE
        self._changed()
