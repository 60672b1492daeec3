"""Silhouettes of counters, in units of the counter's side, around its centre; all our own."""

from __future__ import annotations

from collections.abc import Callable

from widgets.paint import Drawing, circle, rounded


def figures(d: Drawing, count: int, ink: str, x: float, y: float, scale: float) -> None:
    """One, two, three or four soldiers seen from the front."""
    places: tuple[tuple[float, float, float], ...] = {
        1: ((0.02, 0.0, 1.0),),
        2: ((-0.15, 0.0, 0.9), (0.17, 0.0, 0.9)),
        3: ((-0.25, -0.03, 0.76), (0.25, -0.03, 0.76), (0.0, 0.02, 0.86)),
    }.get(count, ((-0.29, -0.05, 0.72), (0.0, -0.05, 0.72), (-0.145, 0.07, 0.78), (0.145, 0.07, 0.78)))
    for px, py, s in places:
        with d.placed(x + px * scale, y + py * scale, 0, s * scale):
            body = [(-0.13, 0.3), (-0.155, 0.06), (-0.1, -0.01), (0.1, -0.01), (0.155, 0.06), (0.13, 0.3)]
            d.polygon(body, fill=ink)
            d.disc(0, -0.12, 0.088, ink)
            d.polygon(
                [(-0.135, -0.13), (-0.11, -0.215), (-0.05, -0.262), (0.05, -0.262), (0.11, -0.215), (0.135, -0.13)],
                fill=ink,
            )


def _machine_gun(d: Drawing, ink: str) -> None:
    d.line((-0.38, 0.0), (0.4, -0.06), stroke=ink, width=0.075)
    d.polygon([(-0.34, -0.08), (-0.02, -0.1), (-0.02, 0.08), (-0.34, 0.1)], fill=ink)
    d.lines([[(0.12, 0.0), (-0.02, 0.26)], [(0.12, 0.0), (0.26, 0.26)]], ink, 0.05)


def _mortar(d: Drawing, ink: str) -> None:
    d.line((-0.22, 0.24), (0.2, -0.26), stroke=ink, width=0.13)
    d.line((0.06, -0.06), (0.3, 0.24), stroke=ink, width=0.05)
    d.line((-0.38, 0.25), (0.02, 0.25), stroke=ink, width=0.07)


def _gun(d: Drawing, ink: str) -> None:
    d.line((-0.05, -0.05), (0.45, -0.16), stroke=ink, width=0.07)
    d.polygon([(-0.06, -0.26), (0.06, -0.28), (0.1, 0.12), (-0.1, 0.12)], fill=ink)
    d.disc(-0.1, 0.1, 0.16, ink)
    d.line((-0.1, 0.12), (-0.44, 0.26), stroke=ink, width=0.06)


def _flamethrower(d: Drawing, ink: str) -> None:
    d.polygon(rounded(-0.36, -0.2, 0.16, 0.42, 0.07), fill=ink)
    d.polygon(rounded(-0.18, -0.2, 0.16, 0.42, 0.07), fill=ink)
    d.lines([[(-0.02, 0.1), (0.12, 0.18), (0.2, 0.0)]], ink, 0.05)
    d.polygon([(0.16, 0.0), (0.44, -0.26), (0.38, -0.04), (0.46, 0.04)], fill=ink)


def _satchel(d: Drawing, ink: str) -> None:
    d.polygon(rounded(-0.28, -0.12, 0.56, 0.36, 0.06), fill=ink)
    d.lines([[(-0.2, -0.12), (-0.14, -0.26), (0.14, -0.26), (0.2, -0.12)]], ink, 0.05)


def _radio(d: Drawing, ink: str) -> None:
    d.polygon(rounded(-0.26, -0.14, 0.44, 0.38, 0.05), fill=ink)
    d.line((0.1, -0.14), (0.3, -0.32), stroke=ink, width=0.045)
    d.lines([[(x, y) for x, y in circle(0.3, -0.3, q, 12)[8:12]] for q in (0.08, 0.15)], ink, 0.03)


def _tank(d: Drawing, ink: str) -> None:
    d.polygon(rounded(-0.4, 0.06, 0.8, 0.2, 0.09), fill=ink)
    d.polygon([(-0.36, 0.05), (-0.32, -0.06), (0.34, -0.06), (0.4, 0.05)], fill=ink)
    d.polygon([(-0.2, -0.08), (-0.14, -0.24), (0.12, -0.24), (0.18, -0.08)], fill=ink)
    d.line((0.12, -0.17), (0.46, -0.2), stroke=ink, width=0.06)


def _car(d: Drawing, ink: str) -> None:
    d.polygon([(-0.4, 0.1), (-0.36, -0.1), (0.1, -0.14), (0.4, 0.0), (0.4, 0.1)], fill=ink)
    d.polygon([(-0.14, -0.14), (-0.1, -0.25), (0.1, -0.25), (0.12, -0.14)], fill=ink)
    d.line((0.08, -0.2), (0.34, -0.22), stroke=ink, width=0.045)
    for x in (-0.26, 0.24):
        d.disc(x, 0.14, 0.115, ink)


def _halftrack(d: Drawing, ink: str) -> None:
    d.polygon([(-0.42, 0.06), (-0.42, -0.18), (0.1, -0.18), (0.16, -0.06), (0.42, -0.02), (0.42, 0.1)], fill=ink)
    d.polygon(rounded(-0.42, 0.05, 0.5, 0.19, 0.09), fill=ink)
    d.disc(0.28, 0.13, 0.115, ink)


def _truck(d: Drawing, ink: str) -> None:
    d.polygon(rounded(-0.44, -0.26, 0.52, 0.36, 0.06), fill=ink)
    d.polygon([(0.12, 0.1), (0.12, -0.16), (0.26, -0.16), (0.32, -0.04), (0.42, -0.02), (0.42, 0.1)], fill=ink)
    for x in (-0.26, 0.24):
        d.disc(x, 0.15, 0.1, ink)


def _house(d: Drawing, ink: str) -> None:
    d.polygon([(-0.34, 0.24), (-0.34, -0.06), (0.0, -0.3), (0.34, -0.06), (0.34, 0.24)], fill=ink)


def _bunker(d: Drawing, ink: str) -> None:
    d.polygon([(-0.42, 0.24), (-0.32, -0.16), (0.32, -0.16), (0.42, 0.24)], fill=ink)


def _plane(d: Drawing, ink: str) -> None:
    d.polygon([(0.0, -0.32), (0.06, -0.2), (0.06, 0.22), (0.0, 0.3), (-0.06, 0.22), (-0.06, -0.2)], fill=ink)
    d.polygon([(-0.46, 0.02), (-0.06, -0.12), (0.06, -0.12), (0.46, 0.02), (0.46, 0.08), (-0.46, 0.08)], fill=ink)
    d.polygon([(-0.18, 0.26), (-0.04, 0.18), (0.04, 0.18), (0.18, 0.26)], fill=ink)


#: Silhouettes by kind of piece.
PICTURES: dict[str, Callable[[Drawing, str], None]] = {
    "armor": _tank,
    "tank": _tank,
    "heavy_vehicle": _tank,
    "light_armor": _car,
    "light_vehicle": _car,
    "armored_car": _car,
    "halftrack": _halftrack,
    "truck": _truck,
    "artillery": _gun,
    "at": _gun,
    "at_gun": _gun,
    "building": _house,
    "bunker": _bunker,
    "plane": _plane,
    "mg": _machine_gun,
    "mortar": _mortar,
    "gun": _gun,
    "flamethrower": _flamethrower,
    "satchel": _satchel,
    "radio": _radio,
}
