"""Single rolls on a chart: rate of fire, breakdown, close combat, ambush, To Hit, Panzerfaust, To Kill; exact odds of each.

**Rule:** 1.2.4.1, 3.2.4-procedure, 3.2.4-effet, 3.8, 3.8-ambush, 4.1, 4.4.2, 7.9, 7.10.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tutor.core.context import Context
from tutor.core.dice import PAIRS, total
from tutor.core.errors import RequestError
from tutor.games.asl_sk.charts import chart, held
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.group import column_of

Odds = dict[str, Fraction]


def _share(wanted: Any) -> Fraction:
    return Fraction(sum(bool(wanted(pair)) for pair in PAIRS), 36)


@GAME.rule("rof", "1.2.4.1")
def rof(ctx: Context, rate: int) -> Odds:
    """Chance of a second shot, and mean number of shots.

    Args:
        rate: rate of fire, 0 to 5.

    Returns:
        ``again`` and ``mean``.

    **Rule:** 1.2.4.1.

    >>> from tutor.games.asl_sk import GAME
    >>> GAME.load().rules["rof"](GAME.position("ecole"), rate=3).value == {"again": Fraction(1, 2), "mean": 2}
    True
    """
    if not 0 <= rate <= 5:
        raise RequestError(f"Une ROF va de 0 à 5, pas {rate}.", remedy="rate: 3")
    again = Fraction(rate, 6)
    mean = 1 / (1 - again)
    ctx.step("1.2.4.1", "chart.rof", value=again, rate=rate, mean=mean)
    return {"again": again, "mean": mean}


@GAME.rule("breakdown", "4.1", "3.3.3-SFF")
def breakdown(ctx: Context, number: int = 12, sustained: bool = False) -> Odds:
    """Chance that a machine gun breaks down.

    Args:
        number: B#, 2 to 12; sustained: Subsequent First Fire or Final Fire with a First Fire marker.

    Returns:
        ``jammed`` (lost included) and ``lost``.

    **Rule:** 4.1, 3.3.3-SFF.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["breakdown"](GAME.position("ecole"), sustained=True).value
    >>> str(found["jammed"]), str(found["lost"])
    ('1/6', '1/36')
    """
    if not 2 <= number <= 12:
        raise RequestError(f"Un B# va de 2 à 12, pas {number}.", remedy="number: 12")
    limit = number + (int(ctx.table("limits").get("sustained", "breakdown")) if sustained else 0)
    jammed = _share(lambda pair: total(pair) >= limit)
    lost = _share(lambda pair: sustained and total(pair) >= number)
    ctx.step("4.1", "chart.breakdown", value=jammed, limit=limit, lost=lost)
    return {"jammed": jammed, "lost": lost}


@GAME.rule("close_combat", "3.8", "3.8-smc")
def close_combat(ctx: Context, attack: int, defence: int, drm: int = 0) -> dict[str, Any]:
    """Odds of one attack in close combat.

    Args:
        attack, defence: sums of the FP of both sides, at least 1; drm: sum of the modifiers.

    Returns:
        ``ratio``, ``kill_number``, ``eliminated``, ``reduced``, ``nothing``.

    **Rule:** 3.8, 3.8-smc.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["close_combat"](GAME.position("ecole"), attack=7, defence=4, drm=-1).value
    >>> found["ratio"], found["kill_number"], str(found["eliminated"]), str(found["reduced"])
    ('3-2', 6, '5/12', '1/6')
    """
    if attack < 1 or defence < 1:
        raise RequestError("Chaque camp a au moins 1 FP.", remedy="attack: 4, defence: 4")
    row = ratio_row(Fraction(attack, defence))
    kill = int(chart(ctx, "close_combat").get(row, "kill_number"))
    eliminated = _share(lambda pair: total(pair) + drm < kill)
    reduced = _share(lambda pair: total(pair) + drm == kill)
    ratio = held(ctx, "close_combat").term(row)
    ctx.step("3.8", "chart.close_combat", value=eliminated, ratio=ratio, kill=kill, reduced=reduced, drm=drm)
    return {"ratio": ratio, "kill_number": kill, "eliminated": eliminated, "reduced": reduced,
            "nothing": 1 - eliminated - reduced}  # fmt: skip


def ratio_row(value: Fraction) -> str:
    """Row of the close combat table: the ratio rounded down to a printed one."""
    if value > 10:
        return "ogt-10-1"
    if value < Fraction(1, 8):
        return "olt-1-8"
    rows = {Fraction(*map(int, row[1:].split("-"))): row for row in GAME.tables["close_combat"].rows if "t-" not in row}
    return rows[max(r for r in rows if r <= value)]


@GAME.rule("ambush", "3.8-ambush")
def ambush(ctx: Context, attacker: int = 0, defender: int = 0) -> Odds:
    """Chance of an ambush.

    Args:
        attacker, defender: drm of each side (+1 CX, +1 Pin, +1 inexperienced, leadership).

    Returns:
        ``attacker``, ``defender``, ``none``.

    **Rule:** 3.8-ambush.

    >>> from tutor.games.asl_sk import GAME
    >>> {k: str(v) for k, v in GAME.load().rules["ambush"](GAME.position("ecole"), defender=1).value.items()}
    {'attacker': '5/18', 'defender': '1/12', 'none': '23/36'}
    """
    gap = int(ctx.table("ambush").get("gap", "least"))
    ours = _share(lambda pair: pair[1] + defender - pair[0] - attacker >= gap)
    theirs = _share(lambda pair: pair[0] + attacker - pair[1] - defender >= gap)
    ctx.step("3.8-ambush", "chart.ambush", value=ours, theirs=theirs, attacker=attacker, defender=defender)
    return {"attacker": ours, "defender": theirs, "none": 1 - ours - theirs}


@GAME.rule("to_hit", "3.2.4-procedure", "3.2.4-ITT", "3.2.4-ATT", "3.2.4-VTT")
def to_hit(ctx: Context, target: str, away: int, drm: int = 0, calibre: int | None = None) -> dict[str, Any]:
    """Chance to hit.

    Args:
        target: ``itt_black``, ``itt_red``, ``vtt_black``, ``vtt_red`` or ``att_red``; away: hexes; drm: sum of the modifiers.
        calibre: mm of a HE shell, for the IFT column, or None.

    Returns:
        ``number`` (TH#), ``hits``, and ``column`` when a calibre is given: half the FP for ATT, 0 under 1 FP.

    **Rule:** 3.2.4-procedure, 3.2.4-effet.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["to_hit"](GAME.position("ecole"), target="att_red", away=14, calibre=75).value
    >>> found["number"], str(found["hits"]), found["column"]
    (8, '13/18', 6)
    """
    table = held(ctx, "to_hit")
    if not table.has(target) or away < 0:
        raise RequestError(
            f"« {target} » n’est pas un type de tir.", remedy=f"Choisissez parmi {', '.join(table.rows)}."
        )
    band = next((b for b in (6, 12, 18, 24, 30, 36, 42, 48, 54) if away <= b), 99)
    number = int(chart(ctx, "to_hit").get(target, f"r{band}"))
    hits = _share(lambda pair: total(pair) + drm <= number)
    ctx.step("3.2.4-procedure", "chart.to_hit", value=hits, number=number, drm=drm, away=away)
    found: dict[str, Any] = {"number": number, "hits": hits}
    if calibre is not None:
        rows = held(ctx, "calibres")
        fitting = [row for row in rows.rows if rows.get(row, "least") <= calibre]
        if not fitting:
            raise RequestError(f"{calibre} mm : trop petit pour du HE.", remedy="À partir de 20 mm.")
        column = int(chart(ctx, "calibres").get(max(fitting, key=lambda row: rows.get(row, "least")), "column"))
        half = target.startswith("att")
        found["column"] = column_of(Fraction(column, 2)) if half else column
        code = ("chart.column_half" if found["column"] else "chart.no_column") if half else "chart.column"
        ctx.step("3.2.4-effet", code, value=found["column"], calibre=calibre)
    return found


@GAME.rule("panzerfaust", "4.4.2")
def panzerfaust(
    ctx: Context,
    away: int,
    year: int = 1944,
    firer: str = "squad",
    afv: bool = True,
    cx: bool = False,
    armour: int = 0,
    month: int = 12,
) -> dict[str, Any]:
    """A Panzerfaust shot: chance to have one, to hit, and both.

    Args:
        away: hexes, 1 to 3; year: 1943 to 1945; firer: ``squad``, ``half_squad``, ``crew`` or ``leader``; afv: at an AFV;
        cx: the firer is CX; armour: AF of the face hit; month: 1 to 12.

    Returns:
        ``present``, ``number``, ``hits``, ``both`` and ``kill`` (final TK#).

    **Rule:** 4.4.2.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["panzerfaust"](GAME.position("ecole"), away=1, armour=11).value
    >>> str(found["present"]), str(found["hits"]), str(found["both"]), found["kill"]
    ('1/2', '13/18', '13/36', 20)
    """
    table = ctx.table("panzerfaust")
    if firer not in ("squad", "half_squad", "crew", "leader") or not 1943 <= year <= 1945 or not 1 <= month <= 12:
        raise RequestError("Tireur, année ou mois inconnus.", remedy="firer: squad, year: 1944, month: 6")
    _panzerfaust_reach(ctx, away, (year, month))
    drm = (
        (0 if afv else int(table.get("check", "not_afv")))
        + (int(table.get("check", "cx")) if cx else 0)
        + (int(table.get("check", "half")) if firer in ("half_squad", "crew") else 0)
        + (int(table.get("check", "smc")) if firer == "leader" else 0)
        + (int(table.get("check", "late")) if year == 1945 else 0)
    )
    limit = int(table.get("check", "most"))
    present = Fraction(sum(die + drm <= limit for die in range(1, 7)), 6)
    number = int(table.get("shot", "to_hit")) + away * int(table.get("shot", "per_hex"))
    shot_drm = 1 if cx else 0
    hits = _share(lambda pair: total(pair) + shot_drm <= number)
    kill = int(table.get("shot", "tk")) - armour
    ctx.step("4.4.2", "chart.panzerfaust", value=present * hits, present=present, hits=hits, number=number)
    return {"present": present, "number": number, "hits": hits, "both": present * hits, "kill": kill}


def _panzerfaust_reach(ctx: Context, away: int, when: tuple[int, int]) -> None:
    """Refuse a Panzerfaust out of its range of that month, or before there were any."""
    table = ctx.table("panzerfaust")
    known = [r for r in ("before_june", "from_june", "last") if (table.peek(r, "year"), table.peek(r, "month")) <= when]
    if not known:
        ctx.refuse("4.4.2", "chart.pf_early")
        return
    most = int(table.get(known[-1], "range"))
    if not 1 <= away <= most:
        ctx.refuse("4.4.2", "chart.pf_far", away=away, most=most)


@GAME.rule("location", "3.2.4-effet")
def location(ctx: Context) -> Odds:
    """Chance that a hit is on the turret: the coloured die below the white one.

    Args:
        ctx: nothing is asked of the reader.

    Returns:
        ``turret`` and ``hull``.

    **Rule:** 3.2.4-effet.

    >>> from tutor.games.asl_sk import GAME
    >>> str(GAME.load().rules["location"](GAME.position("ecole")).value["turret"])
    '5/12'
    """
    turret = _share(lambda pair: pair[0] < pair[1])
    ctx.step("3.2.4-effet", "chart.location", value=turret, hull=1 - turret)
    return {"turret": turret, "hull": 1 - turret}


@GAME.rule("to_kill", "7.9", "7.10", "7.1")
def to_kill(ctx: Context, gun: str, away: int, armour: int, turret: bool = False) -> dict[str, Any]:
    """Effect of an AP hit on an AFV.

    Args:
        gun: row of the To Kill table (``ap75l``); away: hexes; armour: AF of the face hit; turret: where it hit.

    Returns:
        ``basic``, ``change``, ``final`` TK#, ``destroyed``, ``equal`` (immobilised or Shock) and ``test`` (NMC or Shock).

    **Rule:** 7.1, 7.9, 7.10.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["to_kill"](GAME.position("ecole"), gun="ap75l", away=8, armour=6).value
    >>> found["final"], str(found["destroyed"]), str(found["equal"]), str(found["test"])
    (11, '11/12', '1/18', '1/36')
    """
    table = held(ctx, "to_kill")
    if not table.has(gun) or away < 0 or armour < 0:
        raise RequestError(f"« {gun} » n’est pas dans la table.", remedy=f"Choisissez parmi {', '.join(table.rows)}.")
    calibre = int(table.get(gun, "calibre"))
    size = "small" if calibre <= 25 else "medium" if calibre <= 57 else "large"
    bands = (1, 2, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78)
    basic = int(chart(ctx, "to_kill").get(gun, "tk"))
    change = int(chart(ctx, "to_kill_range").get(size, f"r{next((b for b in bands if away <= b), 79)}"))
    final = basic + change - armour
    shares = [_share(lambda pair, gap=gap: total(pair) - final == gap) for gap in (0, 1)]
    destroyed = _share(lambda pair: total(pair) < final)
    ctx.step("7.9", "chart.to_kill", value=final, basic=basic, change=change, armour=armour)
    ctx.step("7.10", "chart.turret" if turret else "chart.hull", value=destroyed, equal=shares[0], test=shares[1])
    return {
        "basic": basic,
        "change": change,
        "final": final,
        "destroyed": destroyed,
        "equal": shares[0],
        "test": shares[1],
    }
