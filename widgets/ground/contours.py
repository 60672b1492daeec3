"""Topographic ground: heights in metres as a smooth field through the judged height of every hex, contour lines, tints, hill shading."""

from __future__ import annotations

import numpy as np

from widgets.ground.colours import Field, rgb
from widgets.ground.fields import contour, noise, picture
from widgets.ground.heights import Figure, figures, paint_heights
from widgets.ground.layout import Layout
from widgets.ground.lines import thinned
from widgets.ground.svg import Sheet, curve_data, n

#: Pixels between the places where the field is computed.
STEP = 4.0


def centre_height(b: Layout, cell: str) -> float:
    """Metres at a centre, as the position tells them: on its line, part of the way to the next, in a basin, on a dome."""
    position = b.position
    gap = position.state.get("interval", 20)
    gap = gap if isinstance(gap, int) else 20
    level = position.level_of.get(cell, 0)

    def share(kind: str) -> float | None:
        value = position.marker(kind, cell)
        return 1.0 if value is True else value / 100 if isinstance(value, int) and not isinstance(value, bool) else None

    if (between := share("between")) is not None:
        return level + gap * min(0.97, max(0.02, between))
    if (basin := share("basin")) is not None:
        return level + gap * (0.9 - 0.6 * basin)
    if (dome := share("dome")) is not None:
        summit = position.marker("summit", cell)
        return level + (
            (summit if isinstance(summit, int) and not isinstance(summit, bool) else level + gap) - level
        ) * max(0.15, dome)
    return level + gap * 0.3


def field(b: Layout) -> Field:
    """Heights on a grid over the sheet: a thin plate through the centres, level beyond the rim."""
    xs, ys = np.arange(0, b.width + STEP, STEP) / b.r, np.arange(0, b.height + STEP, STEP) / b.r
    spots, values = [], []
    for cell in b.grid.cells:
        x, y = b.centre(cell)
        spots.append((x / b.r, y / b.r))
        values.append(centre_height(b, cell))
    p = np.array(spots)
    v = np.array(values)
    base = v.mean()
    if v.min() == v.max():
        return np.full((len(ys), len(xs)), base)

    def phi(d: Field) -> Field:
        return np.where(d > 0, d * d * np.log(np.maximum(d, 1e-9)), 0.0)

    d = np.hypot(p[:, None, 0] - p[None, :, 0], p[:, None, 1] - p[None, :, 1])
    m = len(p)
    full = np.zeros((m + 3, m + 3))
    full[:m, :m] = phi(d) + np.eye(m) * 0.004
    full[:m, m] = full[m, :m] = 1
    full[:m, m + 1 :] = p
    full[m + 1 :, :m] = p.T
    known = np.concatenate([v - base, np.zeros(3)])
    spread = np.linalg.matrix_rank(p - p.mean(axis=0)) == 2  # centres in one line leave the plate free to turn about it
    w = np.linalg.solve(full, known) if spread else np.linalg.lstsq(full, known, rcond=None)[0]
    out = np.empty((len(ys), len(xs)))
    for j, y in enumerate(ys):
        dist = np.hypot(xs[:, None] - p[None, :, 0], y - p[None, :, 1])
        out[j] = phi(dist) @ w[:m] + w[m] + xs * w[m + 1] + y * w[m + 2] + base
    gap = b.position.state.get("interval", 20)
    gap = gap if isinstance(gap, int) else 20
    # no contour line that no centre tells of: the plate may not dip below the lowest line, nor rise to the next one
    return np.clip(out, np.floor(v.min() / gap) * gap + 1, np.floor(v.max() / gap) * gap + gap - 1)


def tint(b: Layout, height: float, low: float, high: float) -> Field:
    """Hypsometric tint: from damp green to dry tan, by rank between the lowest and the highest line."""
    st = b.style
    ramp = [rgb(st[f"tint{i}"]) for i in range(6)]
    t = 1.0 if high <= low else 0.35 + (height - low) / (high - low) * 4.3
    i = int(min(max(t, 0), 4.999))
    return ramp[i] + (ramp[i + 1] - ramp[i]) * (min(max(t, 0), 5) - i)


def paint_relief(b: Layout, s: Sheet) -> list[list[Figure]]:
    """Under everything: shading as a soft picture, flat tints between contour lines, the lines, their heights, as they stand."""
    st, r = b.style, b.r
    z = field(b)
    gap = b.position.state.get("interval", 20)
    gap = gap if isinstance(gap, int) else 20
    low, high = np.floor(z.min() / gap) * gap, np.floor(z.max() / gap) * gap
    levels = np.arange(low, high + gap, gap)
    h, w = z.shape
    seed = f"{b.position.game}{b.grid}"
    fine = noise(w, h, r * 0.9 / STEP, seed, 3)
    gy, gx = np.gradient(z / gap + fine * 0.02)
    shade = np.clip((gx * 0.62 + gy * 0.78) * (r / STEP) * 0.42, -1, 1) * st.relief
    step: Field = np.zeros((h, w, 3))
    for level in levels:
        where = z >= level
        step[where] = tint(b, level, low, high)
    # tints are flat between lines in the vector sheet above; the picture holds the shading and a breath of paper
    tone = step + (fine * 0.012)[..., None]
    low_light, light = np.minimum(shade, 0)[..., None], np.maximum(shade, 0)[..., None]
    tone = tone * (1 + low_light * 0.6) + (1 - tone) * light * 0.55
    s.put(
        f'<image href="{picture(tone, 92)}" x="{n(-STEP / 2)}" y="{n(-STEP / 2)}" width="{n(w * STEP)}" height="{n(h * STEP)}" preserveAspectRatio="none"/>'
    )
    lines: dict[float, list[list[tuple[float, float]]]] = {}
    for level in levels[1:]:
        lines[float(level)] = [thinned(line, 0.7) for line in contour(z, float(level), STEP) if len(line) > 7]
    half = [
        thinned(line, 0.8) for level in levels for line in contour(z, float(level) + gap / 2, STEP) if len(line) > 9
    ]
    s.path(
        "".join(curve_data(x, x[0] == x[-1]) for x in half),
        None,
        st["contour"],
        max(0.7, r * 0.013),
        dash=f"{n(r * 0.12)} {n(r * 0.08)}",
        opacity=0.5,
    )
    thin = "".join(curve_data(x, x[0] == x[-1]) for level, many in lines.items() if level % (gap * 2) for x in many)
    bold = "".join(curve_data(x, x[0] == x[-1]) for level, many in lines.items() if not level % (gap * 2) for x in many)
    s.path(thin, None, st["contour"], max(1.0, r * 0.026))
    s.path(bold, None, st["contour_bold"], max(1.5, r * 0.042))
    written = figures(b, lines, summits(b))
    paint_heights(b, s, written)
    return written


def summits(b: Layout) -> list[tuple[str, int]]:
    """The highest hex of each height that is a summit's, and that height."""
    cells: dict[int, list[str]] = {}
    for cell, value in b.position.markers.get("summit", {}).items():
        if isinstance(value, int) and not isinstance(value, bool) and cell in b.grid:
            cells.setdefault(value, []).append(cell)
    return [(max(many, key=lambda c: centre_height(b, c)), metres) for metres, many in cells.items()]
