"""Continuous earth and relief: tones, shading, levels with their hachures, grass."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from shapely.ops import unary_union

from widgets.ground.colours import Field, mix, rgb
from widgets.ground.fields import blur, mask, noise, picture
from widgets.ground.layout import Layout
from widgets.ground.lines import around, chance_at, clockwise, scattered
from widgets.ground.palette import WHITE
from widgets.ground.svg import Sheet, area_data, line_data, n, polygons

#: Places of the underpainting for each pixel.
FINE = 0.4


def heights(b: Layout, w: int, h: int) -> Field:
    """Smooth heights: slopes lie outside the crest lines, on the lower ground."""
    field = np.zeros((h, w))
    for level in b.levels:
        if level > 0:
            field += mask(b.relief(level).buffer(b.r * 0.1), w, h, FINE)
    if field.any():
        field = blur(field, b.r * 0.17 * FINE)
    return field


def underpainting(b: Layout, s: Sheet) -> None:
    """One small soft picture under everything: the ground's tone, damp near water, dry near roads, hill shading."""
    st = b.style
    w, h = int(b.width * FINE) + 1, int(b.height * FINE) + 1
    seed = f"{b.position.game}{b.grid}"
    broad = noise(w, h, b.r * 2.4 * FINE, seed + "a", 3)
    grain = noise(w, h, b.r * 0.32 * FINE, seed + "b", 2)
    lo, mid, hi = (rgb(st[k]) for k in ("ground_lo", "ground", "ground_hi"))
    t = np.clip(broad * st.mottle, -1, 1)[..., None]
    tone = np.where(t < 0, mid + (lo - mid) * -t, mid + (hi - mid) * t)
    damp = unary_union([b.area(k) for k in ("stream", "water_barrier", "marsh", "water") if b.kinds("area")])
    if not damp.is_empty:
        near = blur(mask(damp.buffer(b.r * 0.25), w, h, FINE), b.r * 0.3 * FINE)[..., None]
        tone = tone + (lo * 0.93 - tone) * near * 0.7
    if not b.strips.is_empty:
        near = blur(mask(b.strips.buffer(b.r * 0.06), w, h, FINE), b.r * 0.2 * FINE)[..., None]
        tone = tone + (rgb(st["verge"]) - tone) * near * 0.6
    field = heights(b, w, h)
    gy, gx = np.gradient(field + noise(w, h, b.r * 1.1 * FINE, seed + "c", 2) * 0.016)
    shade = np.clip((gx * 0.62 + gy * 0.78) * b.r * FINE * 0.55, -1, 1) * st.relief
    shade += grain * 0.034
    dark = 1.0 if st.theme == "light" else 1.4
    tone = np.where(
        shade[..., None] < 0, tone * (1 + shade[..., None] * 0.75), tone + (1 - tone) * shade[..., None] * 0.5 / dark
    )
    s.put(f'<image href="{picture(tone)}" width="{n(w / FINE)}" height="{n(h / FINE)}" preserveAspectRatio="none"/>')


def raised(b: Layout, s: Sheet, level: int) -> None:
    """Ground of a level: a clear tint to its crest line, and hachures down the slope outside it."""
    st, r = b.style, b.r
    shape = b.relief(level)
    s.path(area_data(shape), st[f"level{min(level, 3)}"], opacity=0.62 if st.hand == "campaign" else 0.78)
    ticks = []
    for one in polygons(shape):
        ring = clockwise(list(one.exterior.coords))
        for i, (x, y, ux, uy) in enumerate(around(ring, r * 0.085)):
            rng = chance_at(x, y, "crest")
            long = r * (0.24 if i % 3 == 0 else 0.15) * (0.85 + rng.random() * 0.3)
            half = r * 0.017
            turn = rng.uniform(-0.12, 0.12)
            nx, ny = uy * cos(turn) - -ux * sin(turn), -ux * cos(turn) - uy * sin(turn)
            ticks.append(
                line_data(
                    [(x - ux * half, y - uy * half), (x + ux * half, y + uy * half), (x + nx * long, y + ny * long)],
                    True,
                )
            )
    s.path("".join(ticks), st["crest"], opacity=0.62)
    s.outline(area_data(shape), None, st["crest"], max(1.1, r * 0.032))


def tufts(b: Layout, s: Sheet) -> None:
    """Grass on open ground: small pale strokes, never dense enough to be a terrain."""
    st, r = b.style, b.r
    taken = unary_union([b.covered.buffer(r * 0.06)] + [b.relief(v).boundary.buffer(r * 0.26) for v in b.levels])
    open_ground = b.frame.buffer(-2).difference(taken)
    for colour, alpha in ((st["grass"], 0.5), (mix(st["ground_hi"], WHITE, 0.45), 0.6)):
        s.dots(
            scattered(open_ground, max(20.0, r * 0.5), f"grass{alpha}", loose=0.5),
            max(1.3, r * 0.03),
            colour,
            opacity=alpha,
        )
    blades = []
    for x, y in scattered(open_ground, r * 0.36, "blades"):
        rng = chance_at(x, y, "blade")
        if rng.random() < 0.45:
            continue
        q = r * rng.uniform(0.035, 0.06)
        for k in (-1, 0, 1)[: rng.choice((2, 3))]:
            blades.append(f"M{n(x + k * q * 0.7)} {n(y)}l{n(k * q * 0.5)} {n(-q * 1.3)}")
    s.path("".join(blades), None, st["grass"], max(0.6, r * 0.016), opacity=0.6, cap="round")
