"""The SVG twin of a board: for print, the README, a notebook without a kernel. Needs no canvas and no Jupyter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from itertools import chain

from widgets.board.paint.shapes import FONT, Discs, Drawing, Polygons, View, Words

#: The end of a number that is whole, in path data.
_WHOLE = re.compile(r"\.0(?!\d)")


def svg_body(drawing: Drawing) -> str:
    """The elements of a drawing."""
    return "\n".join(_element(shape) for shape in drawing.shapes)


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=256)
def _form(count: int, end: str) -> str:
    """Path data of so many points, for ``%``."""
    return f"M{'L'.join(['%.1f %.1f'] * count)}{end}"


def path_data(paths: Iterable[Iterable[tuple[float, float]]], closed: bool = True) -> str:
    """SVG path data of pixel paths.

    >>> path_data([[(0, 0), (5, 0), (5, 5.25)]])
    'M0 0L5 0L5 5.2Z'
    """
    end = "Z" if closed else ""
    known = [tuple(path) for path in paths]
    form = "".join([_form(len(path), end) for path in known])
    return _WHOLE.sub("", form % tuple(chain.from_iterable(chain.from_iterable(known))))


def _element(shape: Polygons | Discs | Words) -> str:
    alpha = f' opacity="{_n(shape.alpha) if shape.alpha > 0.1 else shape.alpha}"' if shape.alpha < 1 else ""
    if isinstance(shape, Discs):
        circles = "".join([f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{c}"/>' for x, y, r, c in shape.items])
        circles = circles.replace('.0"', '"')
        return f"<g{alpha}>{circles}</g>" if alpha else circles
    if isinstance(shape, Words):
        anchor = {"left": "start", "center": "middle", "right": "end"}[shape.align]
        turn = f' transform="rotate({_n(shape.angle)} {_n(shape.x)} {_n(shape.y)})"' if shape.angle else ""
        halo = (
            f' stroke="{shape.halo}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"'
            if shape.halo
            else ""
        )
        weight = ' font-weight="700"' if shape.bold else ""
        return (
            f'<text x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}" fill="{shape.fill}"{weight}'
            f' text-anchor="{anchor}" dominant-baseline="central"{halo}{turn}{alpha}>{escape(shape.text)}</text>'
        )
    dash = f' stroke-dasharray="{" ".join(_n(d) for d in shape.dash)}"' if shape.dash else ""
    stroke = f' stroke="{shape.stroke}" stroke-width="{_n(shape.width)}"{dash}' if shape.stroke else ""
    return f'<path d="{path_data(shape.paths, shape.closed)}" fill="{shape.fill or "none"}"{stroke}{alpha}/>'


def svg_document(
    drawings: Iterable[Drawing | str],
    view: View,
    title: str,
    width: int | None = None,
    window: tuple[int, int, int, int] | None = None,
) -> str:
    """A whole SVG picture.

    Args:
        drawings: from the lowest to the highest; a text is elements already written.
        view: gives the size.
        title: what a screen reader says.
        width: CSS width; the board's own when None.
        window: left, top, width and height of the part that is shown; the whole board when None.
    """
    left, top, across, down = window or (0, 0, view.width, view.height)
    body = "\n".join(drawing if isinstance(drawing, str) else svg_body(drawing) for drawing in drawings)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {across} {down}"'
        f' width="{width or across}"'
        f' role="img" aria-label="{escape(title)}" font-family="{escape(FONT)}" stroke-linejoin="round"'
        f' stroke-linecap="round" style="max-width:100%;height:auto">\n{body}\n</svg>'
    )
