"""Playing a drawing on ipycanvas: one held message for each repaint, safe against what would silence the canvas."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import ipycanvas
import numpy as np
from ipycanvas.canvas import _CANVAS_MANAGER as MANAGER

from widgets.board.paint.shapes import FONT, Discs, Drawing, Polygons, Words

#: Canvas pixels per CSS pixel: crisp on dense screens, still good on others.
SCALE = 2


class Turns:
    """First paintings of a page's boards, one after another: the browser's first frames belong to the first board.

    Args:
        first: seconds the first board has for itself.
        between: seconds between the next ones.

    Without a running event loop, nothing waits.
    """

    def __init__(self, first: float = 0.35, between: float = 0.08) -> None:
        self._first, self._between = first, between
        self._waiting: list[Callable[[], object]] = []
        self._busy = False

    def take(self, work: Callable[[], object]) -> None:
        """Do ``work`` now if it comes first, else in its turn."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            work()
            return
        if self._busy:
            self._waiting.append(work)
            return
        self._busy = True
        loop.call_later(self._first, self._next, loop)
        work()

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._busy = bool(self._waiting)
        if self._busy:
            loop.call_later(self._between, self._next, loop)
            self._waiting.pop(0)()


@contextmanager
def frame() -> Iterator[None]:
    """Send everything drawn inside as one message; nested frames send once.

    Unlike ``hold_canvas``, an exception inside leaves nothing held: the next drawing shows.
    """
    before = MANAGER._caching
    MANAGER._caching = True
    if not before:
        MANAGER._current_canvas = None  # a page that has just (re)connected knows of no current canvas
    try:
        yield
    except BaseException:
        MANAGER._commands_cache, MANAGER._buffers_cache = [], []
        MANAGER._current_canvas = None
        raise
    else:
        if not before:
            MANAGER.flush()
    finally:
        MANAGER._caching = before


def play(drawing: Drawing, canvas: ipycanvas.Canvas) -> None:
    """Paint a drawing on a canvas, from a clean sheet."""
    canvas.set_transform(SCALE, 0, 0, SCALE, 0, 0)
    canvas.clear()
    if not drawing.shapes:
        return
    pen = _Pen(canvas)
    pen.set("line_join", "round")
    pen.set("line_cap", "round")
    pen.set("text_baseline", "middle")
    for shape in drawing.shapes:
        if isinstance(shape, Polygons):
            _polygons(pen, shape)
        elif isinstance(shape, Discs):
            _discs(pen, shape)
        else:
            _words(pen, shape)
    pen.set("global_alpha", 1.0)
    pen.dash(())


class _Pen:
    """The canvas state, so that what is already set is not sent again."""

    def __init__(self, canvas: ipycanvas.Canvas) -> None:
        self.canvas = canvas
        self._state: dict[str, Any] = {}
        self._dash: tuple[float, ...] = ()

    def set(self, name: str, value: Any) -> None:
        if self._state.get(name) != value:
            self._state[name] = value
            setattr(self.canvas, name, value)

    def dash(self, dash: tuple[float, ...]) -> None:
        if dash != self._dash:
            self._dash = dash
            self.canvas.set_line_dash(list(dash))


def _polygons(pen: _Pen, shape: Polygons) -> None:
    canvas = pen.canvas
    pen.set("global_alpha", shape.alpha)
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(shape.paths)), dtype=np.float32)
    sizes = np.array([len(path) for path in shape.paths], dtype=np.uint32)
    if shape.fill:
        pen.set("fill_style", shape.fill)
        canvas.fill_polygons(flat, points_per_polygon=sizes)
    if shape.stroke:
        pen.set("stroke_style", shape.stroke)
        pen.set("line_width", shape.width)
        pen.dash(shape.dash)
        if shape.closed:
            canvas.stroke_polygons(flat, points_per_polygon=sizes)
        else:
            canvas.stroke_line_segments(flat, points_per_line_segment=sizes)


def _discs(pen: _Pen, shape: Discs) -> None:
    pen.set("global_alpha", 1.0)
    values = np.array([item[:3] for item in shape.items], dtype=np.float32)
    colours = np.array([_rgb(item[3]) for item in shape.items], dtype=np.uint8)
    pen.canvas.fill_styled_circles(*(np.ascontiguousarray(values[:, i]) for i in range(3)), colours, shape.alpha)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _words(pen: _Pen, shape: Words) -> None:
    canvas = pen.canvas
    pen.set("global_alpha", shape.alpha)
    pen.set("font", f"{'bold ' if shape.bold else ''}{shape.size:.1f}px {FONT}")
    pen.set("text_align", shape.align)
    x, y = shape.x, shape.y + shape.size * 0.06
    if shape.angle:
        canvas.save()
        canvas.translate(shape.x, shape.y)
        canvas.rotate(shape.angle * 3.141592653589793 / 180)
        x, y = 0.0, shape.size * 0.06
    if shape.halo:
        pen.set("stroke_style", shape.halo)
        pen.set("line_width", 3.0)
        pen.dash(())
        canvas.stroke_text(shape.text, x, y)
    pen.set("fill_style", shape.fill)
    canvas.fill_text(shape.text, x, y)
    if shape.angle:
        canvas.restore()
        pen._state.clear()
