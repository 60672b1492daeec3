"""What stands on sides: walls, hedges, fences, cliffs."""

from __future__ import annotations

from tutor.core.drawing import Shape
from widgets.ground.colours import mix
from widgets.ground.layout import Layout
from widgets.ground.lines import along, chance
from widgets.ground.palette import WHITE
from widgets.ground.svg import XY, Sheet, line_data, n


def walls(b: Layout, s: Sheet) -> None:
    """What stands on hex sides, run together into long lines."""
    st, r = b.style, b.r
    for line in b.side_lines("wall"):
        data = line_data(line)
        s.path(
            data,
            None,
            st["shadow"],
            r * 0.1,
            opacity=0.35,
            join="round",
            cap="round",
            transform=f"translate({n(r * 0.035)} {n(r * 0.05)})",
        )
        s.path(data, None, st["wall_edge"], r * 0.125, join="round", cap="round")
        s.path(data, None, st["wall"], r * 0.08, join="round", cap="round")
        rng = chance("wall", round(line[0][0]))
        joints = []
        for x, y, ux, uy in along(line, r * 0.1):
            k, t = r * 0.04, rng.uniform(-0.02, 0.02) * r
            joints.append(
                line_data([(x - uy * k + ux * t, y + ux * k + uy * t), (x + uy * k + ux * t, y - ux * k + uy * t)])
            )
        s.path("".join(joints), None, st["wall_edge"], max(0.6, r * 0.018))
        s.path(
            data,
            None,
            mix(st["wall"], WHITE, 0.5),
            max(0.6, r * 0.016),
            opacity=0.7,
            transform=f"translate({n(-r * 0.018)} {n(-r * 0.02)})",
        )
    for kind in ("hedge", "bocage"):
        for line in b.side_lines(kind):
            _hedge(b, s, line)
    for line in b.side_lines("fence"):
        data = line_data(line)
        s.path(data, None, st["halo"], r * 0.085, opacity=0.65, cap="round")
        rails = [line_data([(x + dx, y + dy) for x, y in line]) for dx, dy in ((0, -r * 0.025), (0, r * 0.025))]
        s.path("".join(rails), None, st["fence"], max(0.9, r * 0.024))
        posts = [f"M{n(x)} {n(y + r * 0.065)}v{n(-r * 0.13)}" for x, y, _, _ in along(line, r * 0.19)]
        s.path("".join(posts), None, st["fence"], max(1.6, r * 0.045), cap="round")
    for shape in b.shapes_of("side", "cliff"):
        _cliff(b, s, shape)


def _hedge(b: Layout, s: Sheet, line: list[XY]) -> None:
    """Bocage: a bank, its shadow, leaves of all sizes; trees stand in it here and there."""
    st, r, rng = b.style, b.r, chance("hedge", round(line[0][0]), round(line[0][1]))
    data = line_data(line)
    s.path(
        data,
        None,
        st["shadow"],
        r * 0.15,
        opacity=0.28,
        cap="round",
        join="round",
        transform=f"translate({n(r * 0.045)} {n(r * 0.06)})",
    )
    s.path(data, None, st["hedge_dark"], r * 0.12, cap="round", join="round")
    small: list[XY] = []
    large: list[XY] = []
    for i, (x, y, ux, uy) in enumerate(along(line, r * 0.078)):
        k = rng.uniform(-0.02, 0.02) * r
        (large if i % 4 == 1 else small).append((x - uy * k, y + ux * k))
    leaves = [(s.spots(places), size) for places, size in ((small, r * 0.105), (large, r * 0.145))]
    for one, size in leaves:
        s.again(one, size + r * 0.038, st["hedge_dark"])
    for one, size in leaves:
        s.again(one, size, st["hedge"])
        s.again(
            one,
            size * 0.42,
            st["crown_high"] if st.hand != "topographic" else st["crown_light"],
            -size * 0.17,
            -size * 0.2,
        )


def _cliff(b: Layout, s: Sheet, shape: Shape) -> None:
    """A rock face that falls from its side towards the lower hex."""
    st, r = b.style, b.r
    a, z = b.px(shape.points[0]), b.px(shape.points[-1])
    one, other = shape.cells
    level = b.position.level_of
    low = other if level.get(one, 0) > level.get(other, 0) else one
    cx, cy = b.centre(low)
    mx, my = (a[0] + z[0]) / 2, (a[1] + z[1]) / 2
    if (-(z[1] - a[1])) * (cx - mx) + (z[0] - a[0]) * (cy - my) < 0:
        a, z = z, a
    rng = chance("cliff", *shape.cells)
    spots = along([a, z], r * 0.115)
    top = [
        a,
        *[((spots[i][0] + spots[i + 1][0]) / 2, (spots[i][1] + spots[i + 1][1]) / 2) for i in range(len(spots) - 1)],
        z,
    ]
    foot = [
        (x - uy * q, y + ux * q)
        for (x, y), (ux, uy), q in zip(
            top,
            [(s_[2], s_[3]) for s_ in [spots[0], *spots]],
            [r * rng.uniform(0.2, 0.34) * (0.6 if i in (0, len(top) - 1) else 1) for i in range(len(top))],
            strict=False,
        )
    ]
    face = [*top, *foot[::-1]]
    s.path(line_data([(x + r * 0.05, y + r * 0.07) for x, y in face], True), st["shadow"], opacity=0.3)
    light: list[str] = []
    dark: list[str] = []
    for i in range(len(top) - 1):
        middle = (
            (foot[i][0] + foot[i + 1][0]) / 2 + rng.uniform(-1, 1) * r * 0.03,
            (foot[i][1] + foot[i + 1][1]) / 2 + rng.uniform(-1, 1) * r * 0.03,
        )
        light.append(line_data([top[i], top[i + 1], middle, foot[i]], True))
        dark.append(line_data([top[i + 1], foot[i + 1], middle], True))
    s.path("".join(light), st["cliff_light"], st["cliff"], max(0.6, r * 0.013), join="round")
    s.path("".join(dark), mix(st["cliff"], st["cliff_light"], 0.3), st["cliff"], max(0.6, r * 0.013), join="round")
    s.path(line_data(foot), None, st["cliff"], max(0.9, r * 0.026), join="round")
    s.path(line_data([a, z]), None, st["cliff"], max(2.2, r * 0.07), cap="round")
