"""Point fire: chosen targets, column from the firers' steps, differential, result.

**Rule:** 12.0-12.2, 14.1, 10.0h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Firers, PieceId, TargetCell
from tutor.core.context import Context, dice
from tutor.core.errors import RequestError
from tutor.core.trace import Place, hexes, segment
from tutor.games.tcs.arguments import AcrossSide, Observed, PointSituation, RollTotal, Shooters, TargetPieces
from tutor.games.tcs.board import board
from tutor.games.tcs.charts import cell_of, column_note, column_title, known, read, shifted, table_note
from tutor.games.tcs.dice import D66, EACH, sequential
from tutor.games.tcs.fire.fire import POSTURES, terrain_class
from tutor.games.tcs.fire.firers import edge_class, firing_units, refuse_gone, refuse_hidden, refuse_sight, refuse_state
from tutor.games.tcs.game import GAME
from tutor.games.tcs.los.night import fire_row, is_night
from tutor.games.tcs.units import Unit, place, trace_driving, unit, value

#: Range bands from the best for the firer to the worst.
BANDS = ("close", "nominal", "long")


@dataclass(frozen=True, slots=True)
class PointFire:
    """A point fire up to its column, and its result when the dice are given.

    Args:
        steps: of the firers (units, by the setting).
        base: its column.
        shifts: (name, columns) in order.
        shift: their sum.
        column: the column reached, None when left of 0.
        differential: lowest attack less highest defence.
        band: of the range.
        kills: targets destroyed, None without a roll.
    """

    steps: int
    base: str
    shifts: tuple[tuple[str, int], ...]
    shift: int
    column: str | None
    differential: int
    band: str
    kills: int | None = None


def _ends(nominal: int) -> dict[str, int]:
    """Where each range band ends, in hexes: at half the nominal range rounded up, at it, at twice it.

    **Rule:** 12.1b.
    """
    return dict(zip(BANDS, (-(-nominal // 2), nominal, 2 * nominal), strict=True))


def band_of(distance: int, nominal: int) -> str | None:
    """Range band of a distance: close, nominal, long, or None beyond twice the nominal range.

    **Rule:** 12.1b.

    >>> [band_of(d, 7) for d in (0, 4, 5, 7, 8, 14, 15)]
    ['close', 'close', 'nominal', 'nominal', 'long', 'long', None]
    """
    return next((band for band, end in _ends(nominal).items() if distance <= end), None)


@GAME.question(
    "range_band",
    rules=("12.1b",),
    label="Dans quelle tranche de portée ?",
    theme="Tir sur point",
)
def range_band(
    ctx: Context, distance: Annotated[int, "Distance"], nominal: Annotated[int, "Portée imprimée"]
) -> str | None:
    """Range band of a point fire.

    Args:
        distance: hexes.
        nominal: range on the counter, 1 or more.

    Returns:
        close, nominal or long; None, refused, beyond.

    **Rule:** 12.1b.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-panther"), "range_band", distance=8, nominal=7).value
    'long'
    """
    if type(distance) is not int or type(nominal) is not int or distance < 0 or nominal < 1:
        raise RequestError("Une distance et une portée sont des nombres entiers.", remedy="Par exemple 8 et 7.")
    return _band(ctx, distance, nominal)


@GAME.question(
    "target_band",
    rules=("12.1b", "1.1a"),
    label="À quelle distance est-ce, pour ce tireur ?",
    theme="Tir sur point",
)
def target_band(ctx: Context, firer: Annotated[PieceId, "Tireur"], target: TargetCell) -> str | None:
    """Range band of a hex for one firer of a point fire, whoever stands there.

    Args:
        firer: id of the piece.
        target: hex.

    Returns:
        close, nominal or long; None, refused, beyond.

    **Rule:** 12.1b, 1.1a.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-panther"), "target_band", firer="panther", target="10.03").value
    'long'
    """
    u, cell, grid = unit(ctx, firer), ctx.position.grid.check(target), ctx.position.grid
    where, span = [segment(u.at, cell)], grid.distance(u.at, cell)
    nominal = value(u, "range", "3.4")
    ctx.step("1.1a", "distance.count", value=span, unit="hexagones", where=where, start=u.at, end=cell)
    return _band(ctx, span, nominal, where)


def _band(ctx: Context, distance: int, nominal: int, where: Sequence[Place] = ()) -> str | None:
    """The band of a distance, said with where each band ends."""
    band, ends = band_of(distance, nominal), _ends(nominal)
    close, limit = ends["close"], ends["long"]
    if band is None:
        ctx.refuse("12.1b", "point.beyond", where=where, value=distance, limit=limit)
        return None
    ctx.step(
        "12.1b", "point.band", value=band, where=where, distance=distance, close=close, nominal=nominal, limit=limit
    )
    return band


@GAME.question(
    "point_fire",
    rules=("12.0", "12.1", "12.2", "14.1"),
    label="Que vaut ce tir sur point ?",
    theme="Tir sur point",
    common=True,
)
def point_fire(
    ctx: Context,
    firers: Firers,
    targets: TargetPieces,
    situation: PointSituation = "pfa",
    observed: Observed | None = None,
    roll: RollTotal | None = None,
    across: AcrossSide | None = None,
    shooters: Shooters = (),
) -> PointFire | None:
    """A point fire at chosen targets of one hex: refusals, column, every shift, and the result of a roll.

    Args:
        firers: ids of the firing pieces.
        targets: ids of the pieces fired at, all in one hex.
        situation: pfa or overwatch.
        observed: whether the targets are, None to work it out.
        roll: 11 to 66, None to stop at the column.
        across: for a reaction, the hex across the side whose terrain is taken: the one just left, or attacked.
        shooters: ids of the enemies whose fire is answered: they are seen from farther.

    Returns:
        The fire, None when refused.

    Raises:
        RequestError: pieces that cannot be read, or not a roll.

    **Rule:** 3.2b, 7.1b, 9.1, 12.0, 12.1, 12.2, 14.1, 15.2c, 15.2f, 15.3a, 26.1f.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "livret-panther")
    >>> fire = ask(position, "point_fire", firers=["panther"], targets=["shermans"], observed=True, roll=65).value
    >>> fire.column, fire.kills
    ('6', 1)
    """
    if situation not in ("pfa", "overwatch"):
        raise RequestError(
            f"« {situation} » n’est pas une sorte de tir ponctuel.", remedy="Choisissez pfa ou overwatch."
        )
    ctx.on("12.1c")
    rolled = None if roll is None else sequential(roll)
    aimed = [unit(ctx, t) for t in targets]
    if not aimed or len({u.at for u in aimed}) != 1 or len(set(targets)) != len(targets):
        raise RequestError(
            "Les cibles d’un tir ponctuel sont dans un seul hexagone, chacune une fois.", remedy="Choisissez-les là."
        )
    cell = aimed[0].at
    units = firing_units(ctx, firers, cell, situation)
    for u in units:
        _refuse_firer(ctx, u, cell, situation)
    for t in aimed:
        trace_driving(ctx, t)
        refuse_gone(ctx, t)
        if t.side == units[0].side:
            ctx.refuse("12.0", "point.friend", where=place(t), piece=t.id)
        if t.target == "A" and ctx.on("3.2c"):
            ctx.refuse("3.2c", "point.area_target", where=place(t), piece=t.id)
        if t.embarked:
            ctx.refuse("10.0f", "fire.embarked", where=place(t), piece=t.id)
    edge = edge_class(ctx, units, cell, across, situation)
    refuse_hidden(ctx, units, cell, observed, edge, shooters)
    if ctx.refusals:
        return None
    if situation == "pfa" and ctx.position.marker("sfa", cell):
        ctx.step("14.1h", "point.after_sfa", where=hexes(cell), cell=cell)
    return _resolve(ctx, units, aimed, edge, rolled)


def _refuse_firer(ctx: Context, u: Unit, cell: str, situation: str) -> None:
    where = place(u)
    if u.firer != "P":
        ctx.refuse("3.2b", "point.area_firer", where=where, piece=u.id)
    refuse_state(ctx, u, situation)
    if situation == "pfa":
        done = u.piece.front.get("pfa", 0)
        if not {"fired", "unassigned", "late", "moved"} & set(u.status) and done < 3 and not ctx.refusals:
            ctx.step("14.1c", "point.may_pfa", value=True, where=where, piece=u.id, left=3 - done)
        if "fired" in u.status and ctx.on("14.1i"):
            ctx.refuse("14.1i", "fire.fired", where=where, piece=u.id)
        if done >= 3 and ctx.on("14.1c"):
            ctx.refuse("14.1c", "point.three", where=where, piece=u.id)
        if "unassigned" in u.status:
            ctx.refuse("6.3a", "point.unassigned", where=where, piece=u.id)
        if "late" in u.status and ctx.on("14.1g"):
            ctx.refuse("14.1g", "point.late", where=where, piece=u.id)
        if "moved" in u.status and not u.vehicle:
            ctx.refuse("14.1c", "point.moved", where=where, piece=u.id)
    refuse_sight(ctx, u, cell, None, "12.1b")


def _resolve(
    ctx: Context, units: Sequence[Unit], aimed: Sequence[Unit], edge: str | None, rolled: int | None
) -> PointFire:
    cell = aimed[0].at
    by_steps = ctx.setting("point_entry") == "steps"
    steps = sum(u.left for u in units) if by_steps else len(units)
    code = "point.entry" if by_steps else "point.entry_units"
    if (left := sum(u.left for u in units)) != len(units):
        read_as = "point.by_steps" if by_steps else "point.by_units"
        ctx.step("12.0", read_as, value=steps, note="interprétation", steps=left, units=len(units))
    base = str(read(ctx, "point_entry", str(steps), "column", code, "12.0", steps=steps))
    with ctx.group("12.1", "point.shifts_known", where=hexes(cell)) as group:
        kind = edge or terrain_class(ctx, cell, units)
        posture = _posture(ctx, kind, aimed)
        terrain = int(
            read(ctx, "point_terrain", kind, posture, "fire.terrain_shift", "12.1a", hexes(cell), posture=posture)
        )
        bands = [str(band_of(ctx.position.grid.distance(u.at, cell), value(u, "range"))) for u in units]
        band = max(bands, key=BANDS.index)
        for u, own in zip(units, bands, strict=True):
            n, reach = ctx.position.grid.distance(u.at, cell), value(u, "range")
            ctx.step("12.1b", "point.band_of", value=own, where=place(u), piece=u.id, distance=n, nominal=reach)
        span = []
        if ctx.on("12.1b"):
            span = [("range", int(read(ctx, "point_range", band, "shift", "point.range", "12.1b", hexes(cell))))]
        attack, defense = min(value(u, "attack") for u in units), max(map(_defense, aimed))
        gap = attack - defense
        with ctx.group("12.1c", "point.differential", attack=attack, defense=defense) as made:
            made.value = gap
            for t in filter(_has_no_defense, aimed):
                ctx.step("12.2d", "point.b_defense", value=0, where=place(t), piece=t.id)
            for t in filter(_in_own_halftracks, aimed):
                ctx.step("24.2a", "point.halftrack_defense", value=_defense(t), where=place(t), piece=t.id)
        shifts = [("terrain", terrain), *span]
        if "12.1c" not in ctx.without:
            shifts.append(
                (
                    "differential",
                    int(read(ctx, "differential", str(gap), "shift", "point.differential_shift", "12.1c", gap=gap)),
                )
            )
        shifts += _others(ctx, units, cell)
        group.code, group.value = "point.shifts", sum(v for _, v in shifts)
    total = sum(v for _, v in shifts)
    column = shifted(ctx, base, total)
    code = "fire.off_left" if column is None else "point.final"
    note = None if column is None else column_note(ctx, column)
    title = None if column is None else column_title(ctx, column)
    ctx.step("12.2g", code, value=column, note=note, gap=gap, base=base, shift=total, title=title)
    return PointFire(steps, base, tuple(shifts), total, column, gap, band, _kills(ctx, column, rolled))


def _others(ctx: Context, units: Sequence[Unit], cell: str) -> list[tuple[str, int]]:
    """The other modifiers of the Fire Table that a point fire may meet.

    **Rule:** 12.1d, 26.1f, 26.2b.
    """
    wanted = [("suppressed_firer", "12.1d", any("suppressed" in u.status for u in units)),
              (*fire_row(board(ctx.position), cell), is_night(ctx)),
              ("smoke", "12.1d", cell in board(ctx.position).smoke)]  # fmt: skip
    return [
        (name, int(read(ctx, "point_shifts", name, "shift", "fire.other", rule, hexes(cell))))
        for name, rule, holds in wanted
        if holds
    ]


def _posture(ctx: Context, kind: str, aimed: Sequence[Unit]) -> str:
    """The posture of the targets that suits their side least; one that the chart does not print, if there is one."""
    modifiers = {p: known(ctx, "point_terrain", kind, p) for p in POSTURES if any(t.posture == p for t in aimed)}
    return min(modifiers, key=lambda p: (modifiers[p] is not None, -int(modifiers[p] or 0)))


def _has_no_defense(t: Unit) -> bool:
    """Whether a target is a B-Target with a printed morale, other than what drives in its own half-tracks."""
    bare = t.piece.front.get("morale") is not None or GAME.tables["kinds"].get(t.kind, "morale")
    return t.target.startswith("B") and bool(bare) and not _in_own_halftracks(t)


def _in_own_halftracks(t: Unit) -> bool:
    """Whether a target drives in half-tracks of its own, whose defence it has."""
    return t.driving and t.target == "B1"


def _defense(t: Unit) -> int:
    """Defence of a target; a B-Target with a printed morale has 0, what drives in its own half-tracks has theirs."""
    if _in_own_halftracks(t):
        return int(GAME.tables["kinds"].get("halftrack", "defense"))
    return 0 if _has_no_defense(t) else value(t, "defense")


def _kills(ctx: Context, column: str | None, rolled: int | None) -> int | None:
    if column is None:
        return 0
    if rolled is None:
        return None
    ctx.step("1.6", "roll", "dice", roll=dice(rolled), value=rolled)
    none = cell_of(ctx, "fire", column, str(rolled), "12.2e").value == "none"
    code = "fire.result" if none else "point.kills"
    losses = read(ctx, "fire", column, str(rolled), code, "12.2e", roll=rolled, title=column_title(ctx, column))
    return 0 if losses == "none" else int(losses)


@GAME.question(
    "point_odds",
    rules=("12.0",),
    label="Quelles chances a ce tir sur point ?",
    theme="Tir sur point",
    chances=True,
)
def point_odds(
    ctx: Context,
    firers: Firers,
    targets: TargetPieces,
    situation: PointSituation = "pfa",
    observed: Observed | None = None,
    across: AcrossSide | None = None,
    shooters: Shooters = (),
) -> dict[int, Fraction]:
    """Exact odds of the targets destroyed by a point fire.

    Args:
        firers: ids of the firing pieces.
        targets: ids of the pieces fired at.
        situation: pfa or overwatch.
        observed: whether the targets are, None to work it out.
        across, shooters: as for ``point_fire``.

    Returns:
        Targets destroyed (never more than there are) -> probability, empty when refused.

    **Rule:** 1.6, 10.0e, 12.2e.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "livret-panther").change({"setting.charts": "fictif"})
    >>> odds = ask(position, "point_odds", firers=["panther"], targets=["shermans"], observed=True).value
    >>> [(kills, str(chance)) for kills, chance in odds.items()]
    [(0, '5/6'), (1, '5/36'), (2, '1/36')]
    """
    fire = point_fire.function(ctx, firers, targets, situation, observed, None, across, shooters)
    if fire is None:
        return {}
    there = sum(unit(ctx, t).left for t in targets)
    odds: dict[int, Fraction] = {}
    for roll in D66:
        cell = "none" if fire.column is None else cell_of(ctx, "fire", fire.column, str(roll), "12.2e").value
        kills = min(there, 0 if cell == "none" else int(cell))
        odds[kills] = odds.get(kills, Fraction(0)) + EACH
    ctx.step("12.2e", "point.odds", note=table_note(ctx, "fire"), value=1 - odds.get(0, Fraction(0)))
    return dict(sorted(odds.items()))
