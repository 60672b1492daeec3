"""To Hit, Panzerfaust, where a shell hits, To Kill: chances of one roll on a chart.

**Rule:** 3.2.4-procedure, 3.2.4-effet, 4.4.2, 7.1, 7.9, 7.10.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import Modifier
from tutor.core.context import Context
from tutor.core.dice import chance, total, whole
from tutor.core.errors import RequestError
from tutor.games.asl_sk.arguments import Away, GunType, PanzerfaustFirer, ShotType
from tutor.games.asl_sk.charts import chart, untraced_chart
from tutor.games.asl_sk.fire.fire import column_of
from tutor.games.asl_sk.game import GAME

#: Longest range of each column of the To Hit table but the last, hexes.
BANDS = (6, 12, 18, 24, 30, 36, 42, 48, 54)


def _small_gun(ctx: Context, target: str, calibre: int | None, band: int) -> int:
    """What a small calibre takes off the TH# at long range: every row that it fits counts; an ATT shot has none.

    **Rule:** 3.2.4-procedure.
    """
    if calibre is None or target.startswith("att"):
        return 0
    table = untraced_chart(ctx, "to_hit_calibre")
    fitting = [row for row in table.rows if calibre <= table.get(row, "most") and table.get(row, f"r{band}")]
    return sum(int(chart(ctx, "to_hit_calibre").get(row, f"r{band}")) for row in fitting)


@GAME.question(
    "to_hit",
    rules=("3.2.4-procedure", "3.2.4-ITT", "3.2.4-ATT", "3.2.4-VTT"),
    label="Quelles chances de toucher ?",
    theme="Canons et armes",
)
def to_hit(
    ctx: Context, target: ShotType, away: Away, drm: Modifier = 0, calibre: Annotated[int | None, "Calibre"] = None
) -> dict[str, Any]:
    """Chance to hit.

    Args:
        target: ``itt_black``, ``itt_red``, ``vtt_black``, ``vtt_red`` or ``att_red``.
        away: hexes.
        drm: sum of the modifiers.
        calibre: mm of the gun, for its small calibre and the IFT column of its HE shell, or None.

    Returns:
        ``number`` (TH#), ``hits``, and ``column`` when a calibre is given: half the FP for ATT, 0 under 1 FP.

    **Rule:** 3.2.4-procedure, 3.2.4-effet.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["to_hit"](GAME.position("ecole"), target="att_red", away=14, calibre=75).value
    >>> answer["number"], str(answer["hits"]), answer["column"]
    (8, '13/18', 6)
    """
    table = untraced_chart(ctx, "to_hit")
    if not table.has(target) or away < 0:
        raise RequestError(
            f"« {target} » n’est pas un type de tir.", remedy=f"Choisissez parmi {', '.join(table.rows)}."
        )
    band = next((b for b in BANDS if away <= b), 99)
    number = int(chart(ctx, "to_hit").get(target, f"r{band}"))
    number += _small_gun(ctx, target, calibre, band)
    hits = chance(whole, lambda pair: total(pair) + drm <= number)
    ctx.step("3.2.4-procedure", "chart.to_hit", value=hits, number=number, drm=drm, away=away)
    shot: dict[str, Any] = {"number": number, "hits": hits}
    if calibre is not None:
        rows = untraced_chart(ctx, "calibres")
        fitting = [row for row in rows.rows if rows.get(row, "least") <= calibre]
        if not fitting:
            raise RequestError(f"{calibre} mm : trop petit pour du HE.", remedy="À partir de 20 mm.")
        column = int(chart(ctx, "calibres").get(max(fitting, key=lambda row: rows.get(row, "least")), "column"))
        half = target.startswith("att")
        shot["column"] = column_of(Fraction(column, 2)) if half else column
        code = ("chart.column_half" if shot["column"] else "chart.no_column") if half else "chart.column"
        ctx.step("3.2.4-effet", code, value=shot["column"], calibre=calibre)
    return shot


@GAME.question(
    "panzerfaust",
    rules=("4.4.2",),
    label="Quelles chances avec un Panzerfaust ?",
    theme="Canons et armes",
)
def panzerfaust(
    ctx: Context,
    away: Away,
    year: Annotated[int, "Année"] = 1944,
    firer: PanzerfaustFirer = "squad",
    afv: Annotated[bool, "Contre un blindé"] = True,
    cx: Annotated[bool, "CX"] = False,
    armour: Annotated[int, "Blindage"] = 0,
    month: Annotated[int, "Mois (1 à 12)"] = 12,
) -> dict[str, Any]:
    """A Panzerfaust shot: chance to have one, to hit, and both.

    Args:
        away: hexes, 1 to 3.
        year: 1943 to 1945.
        firer: ``squad``, ``half_squad``, ``crew`` or ``leader``.
        afv: at an AFV.
        cx: the firer is CX.
        armour: AF of the face hit.
        month: 1 to 12.

    Returns:
        ``present``, ``number``, ``hits``, ``both`` and ``kill`` (final TK#).

    **Rule:** 4.4.2.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["panzerfaust"](GAME.position("ecole"), away=1, armour=11).value
    >>> str(answer["present"]), str(answer["hits"]), str(answer["both"]), answer["kill"]
    ('1/2', '13/18', '13/36', 20)
    """
    table = ctx.table("panzerfaust")
    if firer not in ("squad", "half_squad", "crew", "leader") or not 1943 <= year <= 1945 or not 1 <= month <= 12:
        raise RequestError("Tireur, année ou mois inconnus.", remedy="firer: squad, year: 1944, month: 6")
    _panzerfaust_reach(ctx, away, (year, month))
    ctx.settle()
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
    hits = chance(whole, lambda pair: total(pair) + shot_drm <= number)
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


@GAME.question(
    "location",
    rules=("3.2.4-effet",),
    label="Quelles chances de toucher la tourelle ?",
    theme="Canons et armes",
)
def location(ctx: Context) -> dict[str, Fraction]:
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
    turret = chance(whole, lambda pair: pair[0] < pair[1])
    ctx.step("3.2.4-effet", "chart.location", value=turret, hull=1 - turret)
    return {"turret": turret, "hull": 1 - turret}


@GAME.question(
    "to_kill",
    rules=("7.9", "7.10", "7.1"),
    label="Quelles chances de détruire ?",
    theme="Canons et armes",
)
def to_kill(
    ctx: Context,
    gun: GunType,
    away: Away,
    armour: Annotated[int, "Blindage"],
    turret: Annotated[bool, "En tourelle"] = False,
) -> dict[str, Any]:
    """Effect of an AP hit on an AFV.

    Args:
        gun: row of the To Kill table (``ap75l``).
        away: hexes.
        armour: AF of the face hit.
        turret: where it hit.

    Returns:
        ``basic``, ``change``, ``final`` TK#, ``destroyed``, ``equal`` (immobilised or Shock) and ``test`` (NMC or
        Shock).

    **Rule:** 7.1, 7.9, 7.10.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["to_kill"](GAME.position("ecole"), gun="ap75l", away=8, armour=6).value
    >>> answer["final"], str(answer["destroyed"]), str(answer["equal"]), str(answer["test"])
    (11, '11/12', '1/18', '1/36')
    """
    table = untraced_chart(ctx, "to_kill")
    if not table.has(gun) or away < 0 or armour < 0:
        raise RequestError(f"« {gun} » n’est pas dans la table.", remedy=f"Choisissez parmi {', '.join(table.rows)}.")
    calibre = int(table.get(gun, "calibre"))
    size = "small" if calibre <= 25 else "medium" if calibre <= 57 else "large"
    bands = (1, 2, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78)
    basic = int(chart(ctx, "to_kill").get(gun, "tk"))
    change = int(chart(ctx, "to_kill_range").get(size, f"r{next((b for b in bands if away <= b), 79)}"))
    final = basic + change - armour
    destroyed = chance(total, lambda dice: dice < final)
    equal = chance(total, lambda dice: dice == final)
    test = chance(total, lambda dice: dice == final + 1)
    ctx.step("7.9", "chart.to_kill", value=final, basic=basic, change=change, armour=armour)
    ctx.step("7.10", "chart.turret" if turret else "chart.hull", value=destroyed, equal=equal, test=test)
    return {
        "basic": basic,
        "change": change,
        "final": final,
        "destroyed": destroyed,
        "equal": equal,
        "test": test,
    }
