"""The SVG twin of a board: for print, the README, a notebook without a kernel. Needs no canvas and no Jupyter."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from widgets.paint import FONT, Discs, Drawing, Polygons, View, Words


def svg_body(drawing: Drawing) -> str:
    """The elements of a drawing."""
    return "\n".join(_element(shape) for shape in drawing.shapes)


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def path_data(paths: Iterable[Iterable[tuple[float, float]]], closed: bool = True) -> str:
    """SVG path data of pixel paths.

    >>> path_data([[(0, 0), (5, 0), (5, 5.25)]])
    'M0 0L5 0L5 5.2Z'
    """
    end = "Z" if closed else ""
    return "".join("M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in path) + end for path in paths)


def _element(shape: Polygons | Discs | Words) -> str:
    alpha = f' opacity="{_n(shape.alpha) if shape.alpha > 0.1 else shape.alpha}"' if shape.alpha < 1 else ""
    if isinstance(shape, Discs):
        circles = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="{c}"/>' for x, y, r, c in shape.items)
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


def svg_document(drawings: Iterable[Drawing], view: View, title: str, width: int | None = None) -> str:
    """A whole SVG picture.

    Args:
        drawings: from the lowest to the highest.
        view: gives the size.
        title: what a screen reader says.
        width: CSS width; the board's own when None.
    """
    body = "\n".join(svg_body(drawing) for drawing in drawings)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {view.width} {view.height}"'
        f' width="{width or view.width}"'
        f' role="img" aria-label="{escape(title)}" font-family="{escape(FONT)}" stroke-linejoin="round"'
        f' stroke-linecap="round" style="max-width:100%;height:auto">\n{body}\n</svg>'
    )
