"""SVG as text: path data in tenths of a pixel, and a sheet of elements."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import lru_cache

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from widgets.ground.colours import mix
from widgets.ground.palette import MOON

XY = tuple[float, float]
FONT = "Verdana,DejaVu Sans,sans-serif"


def n(value: float) -> str:
    """A number with one decimal at most, as short as SVG allows."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text in ("-0", "") else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


@lru_cache(maxsize=1 << 14)
def _tenths(value: int) -> str:
    """A number of tenths, as short as SVG allows."""
    return n(value / 10)


def _pairs(deltas: Iterable[tuple[int, int]]) -> str:
    """Pairs of tenths, joined as tightly as SVG allows."""
    texts = [_tenths(value) for pair in deltas for value in pair]
    return "".join([text if not i or text[0] == "-" else " " + text for i, text in enumerate(texts)])


def line_data(points: Sequence[XY], closed: bool = False) -> str:
    """Path data of a broken line, relative, in tenths of a pixel."""
    tens = [(round(x * 10), round(y * 10)) for x, y in points]
    if closed and tens[0] == tens[-1]:
        tens.pop()
    kept = [tens[0]] + [b for a, b in itertools.pairwise(tens) if a != b]
    deltas = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(kept)]
    return f"M{_pairs(kept[:1])}" + (f"l{_pairs(deltas)}" if deltas else "") + ("z" if closed else "")


def curve_data(points: Sequence[XY], closed: bool = False) -> str:
    """Path data of a soft line: quadratic pieces between the middles of the segments."""
    pts = list(points)
    if closed and pts[0] == pts[-1]:
        pts.pop()
    if len(pts) < 3:
        return line_data(points, closed)
    mids = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(pts, pts[1:] + pts[:1], strict=True)]
    if closed:
        stops = [mids[-1]] + [v for p, m in zip(pts, mids, strict=True) for v in (p, m)]
    else:
        stops = [pts[0], mids[0]]
        stops = [pts[0]] + [v for p, m in zip(pts[1:-1], mids[1:-1], strict=True) for v in (p, m)]
        stops[-1] = pts[-1]
    tens = [(round(x * 10), round(y * 10)) for x, y in stops]
    parts = []
    for i in range(0, len(tens) - 2, 2):
        o, c, e = tens[i], tens[i + 1], tens[i + 2]
        parts += [(c[0] - o[0], c[1] - o[1]), (e[0] - o[0], e[1] - o[1])]
    return f"M{_pairs(tens[:1])}q{_pairs(parts)}" + ("z" if closed else "")


def area_data(shape: BaseGeometry, soft: bool = False) -> str:
    """Path data of polygons with their holes."""
    write = curve_data if soft else line_data
    return "".join(write(list(ring.coords), True) for one in polygons(shape) for ring in (one.exterior, *one.interiors))


def dots_data(places: Iterable[XY], grain: int = 1) -> str:
    """Path data whose round line caps are discs: six to nine bytes a disc, all of one size and colour; ``grain``: tenths of a pixel."""
    out, ox, oy = [], 0, 0
    for x, y in places:
        tx, ty = round(x * 10 / grain) * grain, round(y * 10 / grain) * grain
        across, down = _tenths(tx - ox), _tenths(ty - oy)
        out.append(f"m{across}{down if down[0] == '-' else ' ' + down}h0")
        ox, oy = tx, ty
    return "M" + out[0][1:] + "".join(out[1:]) if out else ""


def polygons(shape: BaseGeometry | None) -> list[Polygon]:
    """The polygons of a shape; nothing else it may hold."""
    if shape is None or shape.is_empty:
        return []
    if isinstance(shape, Polygon):
        return [shape]
    return [p for part in getattr(shape, "geoms", ()) for p in polygons(part)]


def attributes(style: dict[str, object]) -> str:
    """Attributes as SVG writes them."""
    names = {"width": "stroke-width", "dash": "stroke-dasharray", "cap": "stroke-linecap", "join": "stroke-linejoin"}
    out = []
    for key, value in style.items():
        if value is None:
            continue
        name = names.get(key, key.replace("_", "-"))
        if isinstance(value, float):
            value = f"{value:.2f}".rstrip("0").rstrip(".") or "0"
        out.append(f' {name}="{value}"')
    return "".join(out)


class Sheet:
    """SVG elements, in painting order.

    Args:
        night: edges are light upon dark ground.
    """

    def __init__(self, night: bool = False) -> None:
        self.night = night
        self.parts: list[str] = []
        self.defs: dict[str, str] = {}
        #: Outlines drawn as the visible edges of terrain, for the check that they are the judged ones.
        self.outlines: list[str] = []

    def put(self, text: str) -> None:
        self.parts.append(text)

    def path(
        self, data: str, fill: str | None = None, stroke: str | None = None, width: float | None = None, **style: object
    ) -> None:
        if data:
            look = {
                "fill": fill or "none",
                "stroke": stroke,
                "width": None if stroke is None else float(width or 1),
                **style,
            }
            self.put(f'<path d="{data}"{attributes(look)}/>')

    def outline(self, data: str, fill: str | None, stroke: str, width: float, **style: object) -> None:
        """The visible edge of a terrain: dark by day, light by night."""
        self.outlines.append(data)
        self.path(data, fill, self.lit(stroke), width, **style)

    def lit(self, colour: str) -> str:
        """The colour of a judged edge: as it is by day, light by night."""
        return mix(colour, MOON, 0.72) if self.night else colour

    def dots(self, places: Sequence[XY], size: float, colour: str, **style: object) -> None:
        """Discs of one diameter."""
        if places:
            self.path(dots_data(places), None, colour, size, cap="round", **style)

    def spots(self, places: Sequence[XY], grain: int = 1) -> str:
        """Places written once, to be painted several times by :meth:`again`; their name."""
        name = f"d{len(self.defs)}"
        self.defs[name] = f'<path id="{name}" d="{dots_data(places, grain)}"/>' if places else ""
        return name

    def again(self, name: str, size: float, colour: str, dx: float = 0.0, dy: float = 0.0, **style: object) -> None:
        """Discs at places already written, moved a little."""
        if self.defs[name]:
            move = f' transform="translate({n(dx)} {n(dy)})"' if dx or dy else ""
            self.put(
                f'<use href="#{name}" stroke="{colour}" stroke-width="{n(size)}" stroke-linecap="round"{move}{attributes(style)}/>'
            )

    def text(self, text: str, x: float, y: float, size: float, fill: str, **style: object) -> None:
        look = {"font-size": f"{size:.1f}", "fill": fill, **style}
        safe = text.replace("&", "&amp;").replace("<", "&lt;")
        self.put(f'<text x="{n(x)}" y="{n(y)}"{attributes(look)}>{safe}</text>')

    def clip(self, name: str, data: str) -> str:
        """Say a clip once; its reference."""
        self.defs.setdefault(name, f'<clipPath id="{name}"><path d="{data}" clip-rule="evenodd"/></clipPath>')
        return f"url(#{name})"


def document(sheet: Sheet, width: float, height: float) -> str:
    """A sheet as an SVG document of that size."""
    defs = f"<defs>{''.join(sheet.defs.values())}</defs>" if sheet.defs else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n(width)} {n(height)}" width="{n(width)}"'
        f' height="{n(height)}" font-family="{FONT}" text-anchor="middle">{defs}{"".join(sheet.parts)}</svg>'
    )
