"""Colours: mixed, and seen by lamplight (OKLab)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

#: Numbers laid out: a colour, or the places of a picture.
Field = NDArray[np.float64]


def rgb(colour: str) -> Field:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def hexa(values: Iterable[float]) -> str:
    return "#" + "".join(f"{round(min(1.0, max(0.0, float(v))) * 255):02X}" for v in values)


def mix(one: str, other: str, t: float) -> str:
    """Between two colours."""
    return hexa(rgb(one) * (1 - t) + rgb(other) * t)


def _linear(c: Field) -> Field:
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


#: Linear light to cone responses, and those to OKLab (Ottosson 2020).
_M1 = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_M2 = np.array(
    [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
    ]
)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2).

    >>> from widgets.ground.palette import BLACK, WHITE
    >>> round(contrast(BLACK, WHITE)), contrast(WHITE, WHITE)
    (21, 1.0)
    """
    lights = sorted(float(_linear(rgb(colour)) @ (0.2126, 0.7152, 0.0722)) + 0.05 for colour in (one, other))
    return lights[1] / lights[0]


def oklab(colour: str) -> Field:
    return _M2 @ np.cbrt(_M1 @ _linear(rgb(colour)))


def from_oklab(lab: Field) -> str:
    lin = np.linalg.inv(_M1) @ (np.linalg.inv(_M2) @ lab) ** 3
    lin = np.clip(lin, 0, 1)
    return hexa(np.where(lin <= 0.0031308, lin * 12.92, 1.055 * lin ** (1 / 2.4) - 0.055))


def toned(colour: str, low: float, slope: float, chroma: float) -> str:
    """A colour by lamplight: lightness ``low + slope * L``, chroma scaled."""
    lab = oklab(colour)
    return from_oklab(np.array([low + slope * lab[0], lab[1] * chroma, lab[2] * chroma]))
