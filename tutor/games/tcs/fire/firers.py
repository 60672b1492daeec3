"""Who may fire: one side, each in a state to fire, within sight and range; and whether the target is observed.

**Rule:** 6.3a, 7.1, 9.1b-9.1e, 12.1b, 13.1b, 13.1c, 15.0, 15.3a, 24.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import Place, hexes, segment
from tutor.games.tcs.board import board
from tutor.games.tcs.los.los import sight_of
from tutor.games.tcs.los.spotting import observed_by
from tutor.games.tcs.morale import battalion_of, side_class
from tutor.games.tcs.units import Unit, place, unit, value

#: What a refusal says of a line of sight, by the rule that stops it.
_UNSEEN = {"7.0": "fire.no_los_far", "8.1b": "fire.no_los_smoke", "26.2d": "fire.no_los_dark"}


def firing_units(ctx: Context, firers: Sequence[str], target: str, situation: str = "sfa") -> list[Unit]:
    """The firers of an attack, all of one side, the target on the board; an overwatch is fired by one stack.

    Raises:
        RequestError: nobody, the same one twice, or both sides.
    """
    ctx.position.grid.check(target)
    if not firers or len(set(firers)) != len(firers):
        raise RequestError("Un tir demande des tireurs, chacun une seule fois.", remedy="Donnez leurs identifiants.")
    units = [unit(ctx, f) for f in firers]
    if len({u.side for u in units}) > 1:
        raise RequestError("Des tireurs des deux camps ne tirent pas ensemble.", remedy="Choisissez un camp.")
    if situation == "overwatch" and len({u.at for u in units}) > 1:
        ctx.refuse("15.0", "overwatch.one_stack", where=hexes(*sorted({u.at for u in units})))
    return units


def refuse_state(ctx: Context, u: Unit, situation: str) -> None:
    """Every reason in a unit's own state why it may fire neither way.

    **Rule:** 9.1c, 9.1d, 9.1e, 10.0c, 15.3a.
    """
    where = place(u)
    refuse_gone(ctx, u)
    if situation == "overwatch" and {"suppressed", "paralyzed"} & set(u.status) and ctx.on("15.3a"):
        ctx.refuse("15.3a", "overwatch.shaken", where=where, piece=u.id)
    if u.posture == "move" and ctx.on("9.1c"):
        ctx.refuse("9.1c", "fire.move_mode", where=where, piece=u.id)
    if "paralyzed" in u.status:
        ctx.refuse("9.1d", "fire.paralyzed", where=where, piece=u.id)
    if u.carried:
        ctx.refuse("9.1e", "fire.carried", where=where, piece=u.id)


def refuse_gone(ctx: Context, u: Unit) -> None:
    """Refuse a unit without a step left."""
    if u.left == 0:
        ctx.refuse("10.0c", "fire.gone", where=place(u), piece=u.id)


def refuse_firer(ctx: Context, u: Unit, target: str, spotter: Unit | None, situation: str) -> None:
    """Every reason why a unit may not fire at a hex.

    **Rule:** 6.3a, 9.1b, 9.1c, 9.1d, 9.1e, 12.1b, 13.1b, 13.1c, 17.3a, 20.0a, 24.3a, 24.3b.
    """
    refuse_state(ctx, u, situation)
    if situation == "sfa":
        refuse_sfa(ctx, u)
    refuse_sight(ctx, u, target, spotter)


def refuse_sfa(ctx: Context, u: Unit) -> None:
    """Every reason why a unit may not take part in an SFA, be it of AT rolls alone.

    **Rule:** 13.1b, 13.1c, 16.1b, 16.1g.
    """
    where = place(u)
    bare = not {"fired", "pfa", "late", "moved", "unassigned"} & set(u.status) and not u.piece.front.get("pfa", 0)
    if bare and not ctx.refusals:
        ctx.step("13.1b", "fire.may_sfa", value=True, where=where, piece=u.id)
    if "fired" in u.status and ctx.on("13.1b"):
        ctx.refuse("13.1b", "fire.fired", where=where, piece=u.id)
    if ("pfa" in u.status or u.piece.front.get("pfa", 0)) and ctx.on("13.1b"):
        ctx.refuse("13.1b", "fire.pfa", where=where, piece=u.id)
    if {"late", "moved"} & set(u.status) and ctx.on("13.1b"):
        ctx.refuse("13.1b", "fire.late", where=where, piece=u.id)
    if "unassigned" in u.status and ctx.on("13.1c"):
        ctx.refuse("13.1c", "fire.unassigned", where=where, piece=u.id)


def refuse_second_sfa(ctx: Context, target: str) -> None:
    """Refuse a second SFA at a hex in one phase.

    **Rule:** 13.0.
    """
    if ctx.position.marker("sfa", target):
        ctx.refuse("13.0", "fire.second_sfa", where=hexes(target), target=target)
    else:
        ctx.step("13.0", "fire.first_sfa", value=True, where=hexes(target), target=target)


def refuse_spotter(ctx: Context, u: Unit, spotter: Unit) -> None:
    """Every reason why a unit may not spot for a mortar.

    **Rule:** 24.3a.
    """
    where = place(spotter)
    refuse_gone(ctx, spotter)
    if spotter.side != u.side:
        ctx.refuse("24.3a", "fire.spotter_enemy", where=where, piece=spotter.id)
    own, theirs = battalion_of(ctx, u), battalion_of(ctx, spotter)
    if own and theirs and own != theirs:
        ctx.refuse("24.3a", "fire.spotter_battalion", where=where, piece=spotter.id, battalion=theirs)
    if {"suppressed", "paralyzed"} & set(spotter.status):
        ctx.refuse("24.3a", "fire.spotter_state", where=where, piece=spotter.id)


def refuse_unseen(ctx: Context, eye: Unit, target: str, rule: str) -> bool:
    """Refuse a hex that a unit has no line of sight to, and say what stops the line; whether it is refused.

    Args:
        rule: what asks for the line of sight.
    """
    compiled = board(ctx.position)
    seen = sight_of(ctx, eye.at, target)
    if seen.visible:
        return False
    code = _UNSEEN.get(str(seen.rule), "fire.no_los")
    ctx.refuse(
        rule, code, where=[segment(eye.at, target), *([seen.place] if seen.place else [])], piece=eye.id, target=target,
        cells=seen.smoke or seen.blocking, distance=seen.distance, visibility=compiled.visibility,
    )  # fmt: skip
    return True


def refuse_far(ctx: Context, u: Unit, target: str, far: str = "11.1e") -> None:
    """Refuse a firer whose weapon does not carry so far.

    Args:
        far: what forbids a P-Firer to fire beyond twice its range, 11.1e for an area fire, 12.1b for a point fire.
    """
    n, nominal = ctx.position.grid.distance(u.at, target), value(u, "range", "3.4")
    reach = nominal * (2 if u.firer == "P" else 1)
    rule = far if u.firer == "P" else "7.1"
    if n <= reach and far == "11.1e":
        where = [segment(u.at, target)]
        if n > nominal:
            ctx.step(rule, "fire.twice_range", value=n, where=where, piece=u.id, nominal=nominal)
        elif not ctx.refusals:
            ctx.step(rule, "fire.in_range", value=True, where=where, piece=u.id, away=n, nominal=nominal)
    if n > reach:
        code = "fire.out_of_twice" if u.firer == "P" else "fire.out_of_range"
        ctx.refuse(rule, code, where=[segment(u.at, target)], piece=u.id, value=n, reach=reach)


def refuse_sight(ctx: Context, u: Unit, target: str, spotter: Unit | None, far: str = "11.1e") -> None:
    """Line of sight and range of one firer; a mortar sees with its spotter's eyes.

    Args:
        far: what forbids a P-Firer to fire beyond twice its range, 11.1e for an area fire, 12.1b for a point fire.
    """
    n = ctx.position.grid.distance(u.at, target)
    eye = u
    if u.kind == "mortar":
        if n == 0:
            ctx.refuse("24.3b", "fire.mortar_own_hex", where=place(u), piece=u.id)
        if spotter is None:
            ctx.refuse("24.3a", "fire.no_spotter", where=place(u), piece=u.id)
            return
        refuse_spotter(ctx, u, spotter)
        eye = spotter
    refuse_unseen(ctx, eye, target, "9.1b")
    refuse_far(ctx, u, target, far)


def edge_class(ctx: Context, eyes: Sequence[Unit], target: str, across: str | None, situation: str) -> str | None:
    """The terrain class of the common hexside that a reaction takes, None when it takes the target hex's own.

    Args:
        across: hex across that side: the one the mover has just left, or the one that an assault attacks.

    Raises:
        RequestError: the hexes do not touch, or the fire is no reaction. UnknownValue: a class that the booklet does
            not give.

    **Rule:** 15.2c, 15.2f.
    """
    if across is None:
        return None
    grid = ctx.position.grid
    if situation != "overwatch" or grid.distance(grid.check(across), target) != 1:
        raise RequestError(
            "Le terrain d’un bord se prend dans un tir de réaction, et ce bord est celui de deux hexagones voisins.",
            remedy=f"Donnez un hexagone voisin de {target}.",
        )
    blind = [at for at in dict.fromkeys(eye.at for eye in eyes) if not sight_of(ctx, at, across).visible]
    for at in blind:
        ctx.refuse("15.2c", "fire.edge_unseen", where=[segment(at, across)], at=at, cell=across)
    protection = side_class(ctx, target, across)
    if protection is None and not ctx.refusals:
        raise UnknownValue("terrain", f"{target}.class", "9.3")
    if protection and not blind:
        side = board(ctx.position).grid.side_between(target, across)
        ctx.step("15.2c", "fire.edge", value=protection, where=[Place("side", side)], side=side, note="interprétation")
    return protection


def refuse_hidden(
    ctx: Context,
    eyes: Sequence[Unit],
    target: str,
    observed: bool | None,
    terrain: str | None = None,
    shooters: Sequence[str] = (),
) -> None:
    """Refuse a hex that one of the participants does not observe, whatever forbids the fire besides.

    Args:
        terrain: class to use for that of the hex, None for its own.
        shooters: ids of those there whose fire is answered.

    Raises:
        UnknownValue: the charts do not say, and nothing else forbids the fire.

    **Rule:** 7.1b.
    """
    if any(refusal.rule == "9.1b" for refusal in ctx.refusals):
        return
    try:
        observed = sees(ctx, eyes, target, observed, terrain, shooters)[1]
    except UnknownValue:
        if not ctx.refusals:
            raise
        return
    if not observed:
        ctx.refuse("7.1b", "fire.hidden", where=hexes(target), target=target)


def sees(
    ctx: Context,
    units: Sequence[Unit],
    target: str,
    observed: bool | None,
    terrain: str | None = None,
    shooters: Sequence[str] = (),
) -> tuple[bool, bool]:
    """Whether some, and whether all of the firers observe a hex.

    Args:
        observed: what the reader says of it, None to work it out.
        terrain, shooters: as for ``observed_by``.

    **Rule:** 7.1.
    """
    if observed is None:
        return observed_by(ctx, units, target, terrain, shooters)
    code = "fire.told_observed" if observed else "fire.told_hidden"
    ctx.step("7.1", code, "input", value=observed, where=hexes(target), target=target)
    return observed, observed
